//! Which server the commands ask, and how: a connection string as libpq reads it, what services and
//! the environment add to it, and where none of them says it, `[upstream]` of the configuration.

mod keywords;
mod pairs;
mod pgpass;
mod servers;
mod service;
mod tls;

use std::net::IpAddr;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::{ChannelBinding, SslMode, SslNegotiation};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

use self::keywords::{DATESTYLE, GEQO, TIMEZONE, Words, variable};
use self::pgpass::Passwords;
use self::servers::Server;
use self::tls::Tls;
use super::CliError;
use super::error::chain;
use crate::config::{self, Address, Config, TargetSession, UpstreamTls, UpstreamTlsMode};
use crate::proxy;

/// What sessions of the commands are called, in logs and in `pg_stat_activity`.
pub(super) const PROGRAM: &str = "pgveil";

/// Variables that name a database on their own.
const NAMING: [&str; 5] = ["PGHOST", "PGHOSTADDR", "PGDATABASE", "PGUSER", "PGSERVICE"];

/// How long a server may take to answer where nobody says it: libpq would wait for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the session must be for, which is asked of a server that has taken it.
const STATE: &str = "SELECT pg_catalog.pg_is_in_recovery(), \
                     pg_catalog.current_setting('transaction_read_only')";

/// Where a database is, and how it is reached.
pub(super) struct Target {
    /// At least one, in the order in which they are tried.
    ways: Vec<Way>,
    target: TargetSession,
    shuffles: bool,
    patience: Option<Duration>,
    has_sni: bool,
    warnings: Vec<String>,
}

/// A server with what it is told.
struct Way {
    server: Server,
    config: tokio_postgres::Config,
    tls: Option<UpstreamTls>,
}

/// A session, and the task that serves it.
type Session = (Client, JoinHandle<()>);

/// Why a server took no session, and whether the next one is asked.
struct Miss {
    why: String,
    goes_on: bool,
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
        let words = Words::read(url.unwrap_or_default())?;
        let upstream = file.filter(|_| !servers::are_named(&words));
        let servers = match upstream {
            Some(file) => file.upstream.addresses.iter().map(Server::at).collect(),
            None => servers::named(&words)?,
        };
        let target = words.choice("target_session_attrs", &TargetSession::WORDS)?;
        let of_file = upstream.map_or(TargetSession::Any, |file| file.upstream.target);
        let balance = [("disable", false), ("random", true)];
        let patience = match words.number("connect_timeout")? {
            None => Some(PATIENCE),
            Some(seconds) => u64::try_from(seconds)
                .ok()
                .filter(|of| *of > 0)
                .map(Duration::from_secs),
        };
        let tls = Tls::of(&words, upstream.map(|file| file.upstream_tls.as_ref()))?;
        let mut plain = plain(&words)?;
        let user = plain.get_user().unwrap_or_default().to_owned();
        let database = plain.get_dbname().unwrap_or_default().to_owned();
        let passwords = match words.get("password") {
            Some(password) => {
                plain.password(password);
                Passwords::default()
            }
            None => Passwords::read(&words),
        };
        let way = |server: Server| {
            let tls = tls.with(&server.address)?;
            let mut config = plain.clone();
            encrypt(&mut config, &words, tls.as_ref())?;
            let of = [&*server.port().to_string(), &*database, &*user];
            let found = passwords.find(&server.names(), &of);
            if let Some(password) = found.filter(|of| !of.is_empty()) {
                config.password(password);
            }
            Ok(Way {
                server,
                config,
                tls,
            })
        };
        let ways: Result<Vec<Way>, CliError> = servers.into_iter().map(way).collect();
        Ok(Self {
            ways: ways?,
            target: target.unwrap_or(of_file),
            shuffles: words
                .choice("load_balance_hosts", &balance)?
                .unwrap_or(false),
            patience,
            has_sni: words
                .choice("sslsni", &[("0", false), ("1", true)])?
                .unwrap_or(true),
            warnings: passwords.warning.into_iter().chain(tls.warning).collect(),
        })
    }

    /// What is said and not followed, without being a fault.
    pub(super) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The first server as `upstream.address` says it.
    pub(super) fn address(&self) -> String {
        let first = self.ways.first();
        first.map_or_else(String::new, |way| way.server.address.to_string())
    }

    /// Connects to the first server that is what is asked for; the session is served in the
    /// background.
    pub(super) async fn connect(&self) -> Result<Session, CliError> {
        let mut ways: Vec<&Way> = self.ways.iter().collect();
        if self.shuffles {
            shuffle(&mut ways)?;
        }
        // Any will do where there is no standby.
        let passes: &[TargetSession] = match self.target {
            TargetSession::PreferStandby => &[TargetSession::Standby, TargetSession::Any],
            _ => std::slice::from_ref(&self.target),
        };
        let mut misses = Vec::new();
        for target in passes {
            misses.clear();
            for way in &ways {
                match self.try_way(way, *target).await? {
                    Ok(session) => return Ok(session),
                    Err(miss) => {
                        let goes_on = miss.goes_on;
                        misses.push((&way.server.address, miss.why));
                        if !goes_on {
                            return Err(unreached(&misses, self.ways.len()));
                        }
                    }
                }
            }
        }
        Err(unreached(&misses, self.ways.len()))
    }

    /// Tries all addresses of a server. What fails before a server is asked is an error.
    async fn try_way(
        &self,
        way: &Way,
        target: TargetSession,
    ) -> Result<Result<Session, Miss>, CliError> {
        let mut ips: Vec<Option<IpAddr>> = match (&way.server.address, way.server.ip) {
            (Address::Tcp { host, port }, None) => {
                let found = tokio::net::lookup_host((host.as_str(), *port));
                match self.in_time(found).await {
                    Some(Ok(found)) => found.map(|found| Some(found.ip())).collect(),
                    Some(Err(error)) => return Ok(Err(Miss::before(error.to_string()))),
                    None => return Ok(Err(self.late())),
                }
            }
            (_, ip) => vec![ip],
        };
        if self.shuffles {
            shuffle(&mut ips)?;
        }
        let mut last = Miss::before("its name has no address".to_owned());
        for ip in ips {
            let session = self.in_time(self.open(way, ip, target)).await;
            match session.transpose()? {
                None => last = self.late(),
                Some(Err(miss)) if miss.goes_on => last = miss,
                Some(found) => return Ok(found),
            }
        }
        Ok(Err(last))
    }

    async fn open(
        &self,
        way: &Way,
        ip: Option<IpAddr>,
        target: TargetSession,
    ) -> Result<Result<Session, Miss>, CliError> {
        let mut config = way.config.clone();
        match &way.server.address {
            Address::Tcp { host, port } => config.host(host).port(*port),
            #[cfg(unix)]
            Address::Unix { folder, port } => config.host_path(folder).port(*port),
            #[cfg(not(unix))]
            Address::Unix { .. } => &mut config,
        };
        if let Some(ip) = ip {
            config.hostaddr(ip);
        }
        let session = match &way.tls {
            None => match config.connect(NoTls).await {
                Ok((client, connection)) => {
                    (client, tokio::spawn(async move { drop(connection.await) }))
                }
                Err(error) => return Ok(Err(Miss::of(&error))),
            },
            Some(tls) => {
                let mut tls = proxy::client_config(tls)
                    .map_err(|error| CliError::TlsLibrary(error.to_string()))?;
                tls.enable_sni = self.has_sni;
                match config.connect(MakeRustlsConnect::new(tls)).await {
                    Ok((client, connection)) => {
                        (client, tokio::spawn(async move { drop(connection.await) }))
                    }
                    Err(error) => return Ok(Err(Miss::of(&error))),
                }
            }
        };
        Ok(fitting(session, target).await)
    }

    async fn in_time<T>(&self, what: impl Future<Output = T>) -> Option<T> {
        match self.patience {
            Some(patience) => timeout(patience, what).await.ok(),
            None => Some(what.await),
        }
    }

    fn late(&self) -> Miss {
        let patience = self.patience.unwrap_or_default().as_secs();
        Miss::before(format!("no answer within {patience} s"))
    }
}

impl Miss {
    fn before(why: String) -> Self {
        Self { why, goes_on: true }
    }

    /// As in libpq, a server that says no has spoken for all, unless it is only not there yet.
    fn of(error: &tokio_postgres::Error) -> Self {
        let code = error.code();
        Self {
            why: chain(error),
            goes_on: code.is_none_or(|code| *code == SqlState::CANNOT_CONNECT_NOW),
        }
    }
}

/// The session, if its server is what is asked for.
async fn fitting(session: Session, target: TargetSession) -> Result<Session, Miss> {
    if target == TargetSession::Any {
        return Ok(session);
    }
    let answer = session.0.simple_query(STATE).await;
    let answer = answer.map_err(|error| Miss::before(chain(&error)));
    let row = answer.map(|messages| {
        messages.into_iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((row.get(0) == Some("t"), row.get(1) == Some("on")))
            }
            _ => None,
        })
    });
    let misfit = match (target, row?) {
        (_, None) => "it does not say what it is",
        (TargetSession::ReadWrite, Some((_, true))) => "it takes no transactions that write",
        (TargetSession::ReadOnly, Some((false, false))) => "it takes transactions that write",
        (TargetSession::Primary, Some((true, _))) => "it is a standby",
        (TargetSession::Standby, Some((false, _))) => "it is no standby",
        _ => return Ok(session),
    };
    session.1.abort();
    let target = target.as_str();
    Err(Miss::before(format!(
        "target_session_attrs is {target}, but {misfit}"
    )))
}

/// That none of the servers has taken a session, and why.
fn unreached(misses: &[(&Address, String)], of: usize) -> CliError {
    let one = |(address, why): &(&Address, String)| match of {
        1 => why.clone(),
        _ => format!("{address}: {why}"),
    };
    let misses: Vec<String> = misses.iter().map(one).collect();
    CliError::Unreached(misses.join("; "))
}

fn shuffle<T>(items: &mut [T]) -> Result<(), CliError> {
    for end in (1..items.len()).rev() {
        let random = getrandom::u32().map_err(std::io::Error::other)?;
        let place = usize::try_from(random).unwrap_or_default() % (end + 1);
        items.swap(end, place);
    }
    Ok(())
}

/// What every server is told: who asks, and how.
fn plain(words: &Words) -> Result<tokio_postgres::Config, CliError> {
    let mut config = tokio_postgres::Config::new();
    let name = ["application_name", "fallback_application_name"];
    let name = name.iter().find_map(|name| words.get(name));
    config.application_name(name.unwrap_or(PROGRAM));
    let user = words.get("user").map(str::to_owned);
    let user = user.or_else(|| variable("USER"));
    let user = match user {
        Some(user) => user,
        // Whoever the process runs as.
        None => whoami::username().map_err(|_| nobody())?,
    };
    config.dbname(words.get("dbname").unwrap_or(&user));
    config.user(user);
    let mut options = String::new();
    for (keyword, setting) in [
        (DATESTYLE, "DateStyle"),
        (TIMEZONE, "TimeZone"),
        (GEQO, "geqo"),
    ] {
        if let Some(value) = words.get(keyword) {
            let value = value.replace('\\', "\\\\").replace(' ', "\\ ");
            options += &format!("-c {setting}={value} ");
        }
    }
    options += words.get("options").unwrap_or_default();
    if !options.is_empty() {
        config.options(options);
    }
    let seconds = |name| -> Result<Option<Duration>, CliError> {
        let number = words
            .number(name)?
            .and_then(|number| u64::try_from(number).ok());
        Ok(number.filter(|number| *number > 0).map(Duration::from_secs))
    };
    config.keepalives(words.number("keepalives")? != Some(0));
    if let Some(idle) = seconds("keepalives_idle")? {
        config.keepalives_idle(idle);
    }
    if let Some(interval) = seconds("keepalives_interval")? {
        config.keepalives_interval(interval);
    }
    let count = words.number("keepalives_count")?;
    if let Some(count) = count
        .and_then(|count| u32::try_from(count).ok())
        .filter(|of| *of > 0)
    {
        config.keepalives_retries(count);
    }
    // The only one in milliseconds.
    if let Some(limit) = seconds("tcp_user_timeout")? {
        config.tcp_user_timeout(limit / 1000);
    }
    Ok(config)
}

fn nobody() -> CliError {
    let cause = "no role is named, and the operating system knows no user of this number";
    CliError::connection(cause.to_owned(), "name one in user or PGUSER".to_owned())
}

/// Says what is demanded of the encryption.
fn encrypt(
    config: &mut tokio_postgres::Config,
    words: &Words,
    tls: Option<&UpstreamTls>,
) -> Result<(), CliError> {
    let mode = tls.map(|tls| tls.mode);
    config.ssl_mode(match mode {
        None => SslMode::Disable,
        Some(UpstreamTlsMode::Prefer) => SslMode::Prefer,
        Some(_) => SslMode::Require,
    });
    let bindings = [
        ("disable", ChannelBinding::Disable),
        ("prefer", ChannelBinding::Prefer),
        ("require", ChannelBinding::Require),
    ];
    let said = words.choice("channel_binding", &bindings)?;
    let of_file = tls.map(|tls| tls.channel_binding);
    // As with the mode, nothing but the connection string weakens what the configuration demands.
    config.channel_binding(match (said, of_file) {
        (Some(said), _) if words.is_explicit("channel_binding") => said,
        (_, Some(config::ChannelBinding::Require)) => ChannelBinding::Require,
        (said, _) => said.unwrap_or(ChannelBinding::Prefer),
    });
    let ways = [
        ("postgres", SslNegotiation::Postgres),
        ("direct", SslNegotiation::Direct),
    ];
    match words.choice("sslnegotiation", &ways)? {
        Some(SslNegotiation::Direct) if mode == Some(UpstreamTlsMode::Prefer) => {
            let advice = "write sslmode=require or more for a direct handshake";
            Err(words.unusable("sslnegotiation", advice))
        }
        Some(way) => {
            config.ssl_negotiation(way);
            Ok(())
        }
        None => Ok(()),
    }
}
