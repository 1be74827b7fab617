//! Which server the commands ask, and how: a connection string as libpq reads it, what the
//! environment adds to it, and where neither says it, `[upstream]` of the configuration.

use std::env;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::CliError;
use super::pgpass;
use crate::config::{Address, Config, TlsWords, UpstreamTls};
use crate::proxy;

/// What sessions of the commands are called, in logs and in `pg_stat_activity`.
pub(super) const PROGRAM: &str = "pgveil";

/// Variables that name a database on their own.
const NAMING: [&str; 3] = ["PGHOST", "PGDATABASE", "PGUSER"];

const DEFAULT_PORT: u16 = 5432;

/// A server, and how it is reached.
pub(super) struct Target {
    config: tokio_postgres::Config,
    tls: Option<UpstreamTls>,
}

/// Whether the environment names a database.
pub(super) fn is_in_environment() -> bool {
    NAMING.iter().any(|name| variable(name).is_some())
}

impl Target {
    /// Puts together what a connection string, the environment and a configuration say, in this order.
    pub(super) fn new(url: Option<&str>, file: Option<&Config>) -> Result<Self, CliError> {
        if url.is_none() && !is_in_environment() {
            return Err(CliError::NoDatabase);
        }
        let (rest, words) = separate(url.unwrap_or_default());
        let mut config: tokio_postgres::Config = rest.parse()?;
        let names_mode = words.mode.is_some() || variable("PGSSLMODE").is_some();
        let has_port = !config.get_ports().is_empty() || variable("PGPORT").is_some();
        let names_server = has_host(&config) || has_port || variable("PGHOST").is_some();
        let upstream = file.filter(|_| !names_server);
        match upstream {
            // The catalogs of a standby are those of its primary: the first that can be reached.
            Some(file) => {
                for address in &file.upstream.addresses {
                    point(&mut config, address);
                }
            }
            None => by_environment(&mut config)?,
        }
        identify(&mut config);
        let address = encrypted(&config).unwrap_or_else(|| address(&config));
        let tls = match upstream {
            Some(file) if !names_mode => match &file.upstream_tls {
                Some(tls) => Some(merged(tls, words, &address)?),
                None => None,
            },
            _ => by_words(completed(words, &config), &address)?,
        };
        // A mode that is not known by now has been found fault with.
        config.ssl_mode(match &tls {
            None => SslMode::Disable,
            Some(tls) if tls.mode == crate::config::UpstreamTlsMode::Prefer => SslMode::Prefer,
            Some(_) => SslMode::Require,
        });
        Ok(Self { config, tls })
    }

    /// Connects; the session is served in the background.
    pub(super) async fn connect(&self) -> Result<(Client, tokio::task::JoinHandle<()>), CliError> {
        match &self.tls {
            None => {
                let (client, connection) = self.config.connect(NoTls).await?;
                Ok((client, tokio::spawn(async move { drop(connection.await) })))
            }
            Some(tls) => {
                let tls = MakeRustlsConnect::new(proxy::client_config(tls).map_err(tls_error)?);
                let (client, connection) = self.config.connect(tls).await?;
                Ok((client, tokio::spawn(async move { drop(connection.await) })))
            }
        }
    }

    /// The server as `upstream.address` says it.
    pub(super) fn address(&self) -> String {
        address(&self.config).to_string()
    }
}

fn by_words(words: TlsWords, address: &Address) -> Result<Option<UpstreamTls>, CliError> {
    UpstreamTls::by_words(words, address).map_err(CliError::Tls)
}

/// The TLS of a configuration, with the certificates that a connection string names.
fn merged(tls: &UpstreamTls, words: TlsWords, address: &Address) -> Result<UpstreamTls, CliError> {
    let (has_ca, has_cert) = (
        words.ca.is_some(),
        words.cert.is_some() || words.key.is_some(),
    );
    let mode = match words.ca.as_deref() {
        Some("system") => "verify-full",
        _ => "require",
    };
    let words = TlsWords {
        mode: Some(mode.to_owned()),
        ..words
    };
    let mut merged = tls.clone();
    if let Some(read) = by_words(words, address)? {
        if has_ca {
            merged.roots = read.roots;
        }
        if has_cert {
            merged.identity = read.identity;
        }
    }
    Ok(merged)
}

fn tls_error(error: impl std::fmt::Display) -> CliError {
    CliError::TlsLibrary(error.to_string())
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Adds a server of a configuration.
fn point(config: &mut tokio_postgres::Config, address: &Address) {
    match address {
        Address::Tcp { host, port } => config.host(host).port(*port),
        #[cfg(unix)]
        Address::Unix { folder, port } => config.host_path(folder).port(*port),
        #[cfg(not(unix))]
        Address::Unix { .. } => config,
    };
}

/// The server of the environment, or the one that libpq takes without it.
fn by_environment(config: &mut tokio_postgres::Config) -> Result<(), CliError> {
    if !has_host(config) {
        config.host(variable("PGHOST").as_deref().unwrap_or("localhost"));
    }
    if config.get_ports().is_empty()
        && let Some(port) = variable("PGPORT")
    {
        let port = port.parse().map_err(|_| CliError::Port(port))?;
        config.port(port);
    }
    Ok(())
}

/// Says who asks: the role, the database and the password, as the environment has them.
fn identify(config: &mut tokio_postgres::Config) {
    if config.get_application_name().is_none() {
        config.application_name(PROGRAM);
    }
    if config.get_user().is_none() {
        let user = variable("PGUSER").or_else(|| variable("USER"));
        config.user(user.as_deref().unwrap_or("postgres"));
    }
    let user = config.get_user().unwrap_or_default().to_owned();
    if config.get_dbname().is_none() {
        config.dbname(variable("PGDATABASE").as_deref().unwrap_or(&user));
    }
    if config.get_password().is_some() {
        return;
    }
    let database = config.get_dbname().unwrap_or_default().to_owned();
    let password = variable("PGPASSWORD").or_else(|| {
        let (host, port) = match address(config) {
            Address::Tcp { host, port } => (host, port),
            Address::Unix { port, .. } => ("localhost".to_owned(), port),
        };
        pgpass::password(&[&host, &port.to_string(), &database, &user])
    });
    if let Some(password) = password {
        config.password(password);
    }
}

fn has_host(config: &tokio_postgres::Config) -> bool {
    !config.get_hosts().is_empty() || !config.get_hostaddrs().is_empty()
}

/// The first of the servers that may be asked with TLS.
fn encrypted(config: &tokio_postgres::Config) -> Option<Address> {
    config.get_hosts().iter().find_map(|host| match host {
        Host::Tcp(host) => Some(Address::Tcp {
            host: host.clone(),
            port: DEFAULT_PORT,
        }),
        #[cfg(unix)]
        Host::Unix(_) => None,
    })
}

fn address(config: &tokio_postgres::Config) -> Address {
    let port = config.get_ports().first().copied().unwrap_or(DEFAULT_PORT);
    match config.get_hosts().first() {
        Some(Host::Tcp(host)) => Address::Tcp {
            host: host.clone(),
            port,
        },
        #[cfg(unix)]
        Some(Host::Unix(folder)) => Address::Unix {
            folder: folder.clone(),
            port,
        },
        None => Address::Tcp {
            host: "localhost".to_owned(),
            port,
        },
    }
}

/// The words of TLS with what the environment adds, and the files that libpq looks for.
fn completed(words: TlsWords, config: &tokio_postgres::Config) -> TlsWords {
    let there = |name: &str| {
        let home = env::home_dir()?.join(".postgresql").join(name);
        home.is_file().then(|| home.to_string_lossy().into_owned())
    };
    let from_url = match config.get_ssl_mode() {
        SslMode::Disable => Some("disable".to_owned()),
        SslMode::Require => Some("require".to_owned()),
        _ => None,
    };
    let mode = words.mode.or(from_url).or_else(|| variable("PGSSLMODE"));
    let ca = words.ca.or_else(|| variable("PGSSLROOTCERT"));
    let cert = words.cert.or_else(|| variable("PGSSLCERT"));
    let key = words.key.or_else(|| variable("PGSSLKEY"));
    let named = cert.is_some() || key.is_some();
    let cert = cert.or_else(|| there("postgresql.crt").filter(|_| !named));
    // A key without its certificate is not what anybody has asked for.
    let key = key.or_else(|| there("postgresql.key").filter(|_| named || cert.is_some()));
    let ca = ca.or_else(|| there("root.crt"));
    TlsWords {
        mode,
        ca,
        cert,
        key,
    }
}

/// Takes the words of TLS out of a connection string: the library knows not all of them.
fn separate(text: &str) -> (String, TlsWords) {
    let mut words = TlsWords::default();
    let is_url = text.starts_with("postgres://") || text.starts_with("postgresql://");
    if !is_url {
        let kept: Vec<&str> = pairs(text)
            .into_iter()
            .filter(|(_, name, value)| !take(&mut words, name, value))
            .map(|(whole, ..)| whole)
            .collect();
        return (kept.join(" "), words);
    }
    let Some((head, query)) = text.split_once('?') else {
        return (text.to_owned(), words);
    };
    let mut kept = Vec::new();
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
        if !take(&mut words, name, &value) {
            kept.push(pair);
        }
    }
    match kept.is_empty() {
        true => (head.to_owned(), words),
        false => (format!("{head}?{}", kept.join("&")), words),
    }
}

/// Takes a word if it is about TLS.
fn take(words: &mut TlsWords, name: &str, value: &str) -> bool {
    let place = match name {
        "sslmode" => &mut words.mode,
        "sslrootcert" => &mut words.ca,
        "sslcert" => &mut words.cert,
        "sslkey" => &mut words.key,
        _ => return false,
    };
    *place = Some(value.to_owned());
    true
}

/// The pairs of `name = value` or `name = 'value'` of a connection string: each whole, its name, and
/// its value. What is none is left for the library to find fault with.
fn pairs(text: &str) -> Vec<(&str, &str, String)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let start = rest;
        let Some((name, behind)) = rest.split_once('=') else {
            pairs.push((rest, "", String::new()));
            break;
        };
        let (value, behind) = value(behind.trim_start());
        let length = start.len() - behind.len();
        pairs.push((start.get(..length).unwrap_or(start), name.trim(), value));
        rest = behind.trim_start();
    }
    pairs
}

/// The value at the front of a text, and what is behind it. A backslash takes the next character
/// as it is.
fn value(text: &str) -> (String, &str) {
    let quoted = text.strip_prefix('\'');
    let mut chars = quoted.unwrap_or(text).char_indices();
    let mut value = String::new();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => value.extend(chars.next().map(|(_, char)| char)),
            '\'' if quoted.is_some() => return (value, chars.as_str()),
            char if quoted.is_none() && char.is_whitespace() => {
                return (value, text.get(at..).unwrap_or_default());
            }
            char => value.push(char),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_words_of_tls_out_of_both_forms() {
        let url =
            "postgres://u:p@h:1/d?sslmode=verify-full&application_name=x&sslrootcert=%2Fa%20b";
        let (rest, words) = separate(url);
        assert_eq!(rest, "postgres://u:p@h:1/d?application_name=x");
        assert_eq!(words.mode.as_deref(), Some("verify-full"));
        assert_eq!(words.ca.as_deref(), Some("/a b"));
        let pairs = r"host = h sslcert='a \'b' password='x y' sslkey=k\ l  sslmode=require";
        let (rest, words) = separate(pairs);
        assert_eq!(rest, "host = h password='x y'");
        assert_eq!(words.cert.as_deref(), Some("a 'b"));
        assert_eq!(words.key.as_deref(), Some("k l"));
        assert_eq!(words.mode.as_deref(), Some("require"));
        for text in ["", "postgres://h/d", "host=h", "nonsense", "host"] {
            assert_eq!(separate(text), (text.to_owned(), TlsWords::default()));
        }
    }
}
