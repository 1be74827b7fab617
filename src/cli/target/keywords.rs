//! The keywords of a connection string and the variables that stand for them, as libpq documents
//! them. Each is honoured, or refused where it asks for what pgveil does not do: none is passed over.

use std::collections::BTreeMap;
use std::env;
use std::fmt;

use super::{pairs, service};
use crate::cli::CliError;

/// A keyword of libpq.
struct Keyword {
    name: &'static str,
    /// The variables that say the same, in this order.
    variables: &'static [&'static str],
    rule: Rule,
}

/// What becomes of the value of a keyword.
enum Rule {
    /// It is used.
    Honoured,
    /// One of these asks for nothing that is not done anyway; for others there is an advice.
    Only(&'static [&'static str], &'static str),
}

const fn honoured(name: &'static str, variables: &'static [&'static str]) -> Keyword {
    Keyword {
        name,
        variables,
        rule: Rule::Honoured,
    }
}

const fn only(
    name: &'static str,
    variables: &'static [&'static str],
    values: &'static [&'static str],
    advice: &'static str,
) -> Keyword {
    Keyword {
        name,
        variables,
        rule: Rule::Only(values, advice),
    }
}

const NO_KERBEROS: &str =
    "pgveil speaks no GSSAPI: let the role authenticate by a password or a certificate";
const NO_REVOCATION: &str = "pgveil reads no revocation lists: remove it";
const NO_OAUTH: &str =
    "pgveil speaks no OAuth: let the role authenticate by a password or a certificate";
const NO_KEYS: &str = "pgveil takes the password itself: remove it";
const SPOKEN: &str = "pgveil speaks version 3.0 of the protocol: remove it";
const ENCRYPTED: &str = "pgveil speaks TLS 1.2 and 1.3: remove it";

const KEYWORDS: &[Keyword] = &[
    honoured("host", &["PGHOST"]),
    honoured("hostaddr", &["PGHOSTADDR"]),
    honoured("port", &["PGPORT"]),
    honoured("dbname", &["PGDATABASE"]),
    honoured("user", &["PGUSER"]),
    honoured("password", &["PGPASSWORD"]),
    honoured("passfile", &["PGPASSFILE"]),
    honoured("service", &["PGSERVICE"]),
    honoured("servicefile", &["PGSERVICEFILE"]),
    honoured("connect_timeout", &["PGCONNECT_TIMEOUT"]),
    honoured("options", &["PGOPTIONS"]),
    honoured("application_name", &["PGAPPNAME"]),
    honoured("fallback_application_name", &[]),
    honoured("keepalives", &[]),
    honoured("keepalives_idle", &[]),
    honoured("keepalives_interval", &[]),
    honoured("keepalives_count", &[]),
    honoured("tcp_user_timeout", &[]),
    honoured("sslmode", &["PGSSLMODE"]),
    honoured("requiressl", &["PGREQUIRESSL"]),
    honoured("sslnegotiation", &["PGSSLNEGOTIATION"]),
    honoured("sslrootcert", &["PGSSLROOTCERT"]),
    honoured("sslcert", &["PGSSLCERT"]),
    honoured("sslkey", &["PGSSLKEY"]),
    honoured("sslsni", &["PGSSLSNI"]),
    honoured("channel_binding", &["PGCHANNELBINDING"]),
    honoured("target_session_attrs", &["PGTARGETSESSIONATTRS"]),
    honoured("load_balance_hosts", &["PGLOADBALANCEHOSTS"]),
    // Settings of the session that have a variable and no keyword.
    honoured(DATESTYLE, &["PGDATESTYLE"]),
    honoured(TIMEZONE, &["PGTZ"]),
    honoured(GEQO, &["PGGEQO"]),
    only(
        "sslcertmode",
        &["PGSSLCERTMODE"],
        &["allow", "disable"],
        "pgveil shows a certificate to a server that asks for one: write allow or disable",
    ),
    only(
        "client_encoding",
        &["PGCLIENTENCODING"],
        &["auto", "utf8", "utf-8", "unicode"],
        "pgveil reads UTF-8: remove it",
    ),
    only(
        "replication",
        &[],
        &["false", "off", "no", "0"],
        "pgveil asks in an ordinary session: remove it",
    ),
    only(
        "gssencmode",
        &["PGGSSENCMODE"],
        &["disable", "prefer"],
        "pgveil speaks no GSSAPI: write disable, and sslmode=require for TLS",
    ),
    only("gssdelegation", &["PGGSSDELEGATION"], &["0"], NO_KERBEROS),
    only("krbsrvname", &["PGKRBSRVNAME"], &[], NO_KERBEROS),
    only("gsslib", &["PGGSSLIB"], &[], NO_KERBEROS),
    only(
        "sslcompression",
        &["PGSSLCOMPRESSION"],
        &["0"],
        "nothing is compressed below TLS: remove it",
    ),
    only(
        "sslpassword",
        &[],
        &[],
        "pgveil reads no encrypted keys: name a key without a password in sslkey",
    ),
    only("sslcrl", &["PGSSLCRL"], &[], NO_REVOCATION),
    only("sslcrldir", &["PGSSLCRLDIR"], &[], NO_REVOCATION),
    only(
        "sslkeylogfile",
        &[],
        &[],
        "pgveil writes no keys of TLS: remove it",
    ),
    only(
        "ssl_min_protocol_version",
        &["PGSSLMINPROTOCOLVERSION"],
        &["tlsv1", "tlsv1.1", "tlsv1.2"],
        ENCRYPTED,
    ),
    only(
        "ssl_max_protocol_version",
        &["PGSSLMAXPROTOCOLVERSION"],
        &["tlsv1.3"],
        ENCRYPTED,
    ),
    only(
        "min_protocol_version",
        &["PGMINPROTOCOLVERSION"],
        &["3.0"],
        SPOKEN,
    ),
    only(
        "max_protocol_version",
        &["PGMAXPROTOCOLVERSION"],
        &["3.0", "3.2", "latest"],
        SPOKEN,
    ),
    only(
        "requirepeer",
        &["PGREQUIREPEER"],
        &[],
        "pgveil does not ask who owns a socket: remove it",
    ),
    only(
        "require_auth",
        &["PGREQUIREAUTH"],
        &[],
        "pgveil answers by the method that the server asks for: remove it; channel_binding=require \
         keeps out who does not know the password",
    ),
    only("scram_client_key", &[], &[], NO_KEYS),
    only("scram_server_key", &[], &[], NO_KEYS),
    only("oauth_issuer", &[], &[], NO_OAUTH),
    only("oauth_client_id", &[], &[], NO_OAUTH),
    only("oauth_client_secret", &[], &[], NO_OAUTH),
    only("oauth_scope", &[], &[], NO_OAUTH),
];

pub(super) const DATESTYLE: &str = "(datestyle)";
pub(super) const TIMEZONE: &str = "(timezone)";
pub(super) const GEQO: &str = "(geqo)";

/// Where a value was said.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Text,
    Service,
    Variable(&'static str),
}

impl Source {
    /// How far it is from the connection string: the nearer one holds.
    fn distance(&self) -> u8 {
        match self {
            Self::Text => 0,
            Self::Service => 1,
            Self::Variable(_) => 2,
        }
    }
}

/// What is said of a connection, by the keywords of libpq.
#[derive(Debug, Default)]
pub(super) struct Words(BTreeMap<&'static str, (String, Source)>);

/// A variable of the environment, if it says anything.
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn keyword(name: &str) -> Option<&'static Keyword> {
    let is_written = |keyword: &&Keyword| keyword.name == name && !name.starts_with('(');
    KEYWORDS.iter().find(is_written)
}

impl Words {
    /// Reads a connection string, the service that it or the environment names, and the
    /// environment: what is said first holds.
    pub(super) fn read(text: &str) -> Result<Self, CliError> {
        let mut words = Self::default();
        for (name, value) in pairs::read(text)? {
            words.take(&name, value, &Source::Text)?;
        }
        let get =
            |words: &Self, name, of| words.own(name).map(str::to_owned).or_else(|| variable(of));
        if let Some(service) = get(&words, "service", "PGSERVICE") {
            let file = get(&words, "servicefile", "PGSERVICEFILE");
            let mut of_service = Self::default();
            for (name, value) in service::read(&service, file.as_deref())? {
                // As in libpq, what stands first in the file holds.
                if of_service.own(&name).is_none() {
                    of_service.take(&name, value, &Source::Service)?;
                }
            }
            for (name, said) in of_service.0 {
                words.0.entry(name).or_insert(said);
            }
        }
        for keyword in KEYWORDS {
            for of in keyword.variables {
                if let Some(value) = variable(of) {
                    let said = || (value, Source::Variable(of));
                    words.0.entry(keyword.name).or_insert_with(said);
                }
            }
        }
        words.judge()?;
        Ok(words)
    }

    fn own(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|(value, _)| value.as_str())
    }

    fn take(&mut self, name: &str, value: String, source: &Source) -> Result<(), CliError> {
        let Some(keyword) = keyword(name) else {
            let near = |keyword: &&Keyword| strsim::damerau_levenshtein(keyword.name, name) <= 2;
            let advice = match KEYWORDS.iter().find(near) {
                Some(near) => format!("did you mean {}?", near.name),
                None => "its keywords are those of libpq; in a password write %3F for a ?, \
                         %2F for a / and %40 for an @"
                    .to_owned(),
            };
            // Not the word itself: it may be a piece of a password.
            let cause = format!("{source} has a word that is no keyword");
            return Err(CliError::connection(cause, advice));
        };
        // What is empty says that the default is meant, whatever the environment says, but for words of
        // which one must be chosen.
        self.0.insert(keyword.name, (value, source.clone()));
        Ok(())
    }

    /// Finds fault with what is asked for and not done.
    fn judge(&self) -> Result<(), CliError> {
        for keyword in KEYWORDS {
            if let Rule::Only(values, advice) = keyword.rule
                && let Some((value, source)) = self.0.get(keyword.name)
                && !value.is_empty()
                && !values.contains(&value.to_ascii_lowercase().as_str())
            {
                let cause = match source {
                    Source::Variable(name) => format!("{name} can't be followed"),
                    source => format!("`{}` of {source} can't be followed", keyword.name),
                };
                return Err(CliError::connection(cause, (*advice).to_owned()));
            }
        }
        Ok(())
    }

    /// What is said of a keyword.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.own(name).filter(|value| !value.is_empty())
    }

    /// Whether it is the connection string itself that says it.
    pub(super) fn is_explicit(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some((_, Source::Text)))
    }

    /// Whether the first of two keywords is said nearer to the connection string than the other one.
    pub(super) fn is_nearer(&self, name: &str, than: &str) -> bool {
        match (self.0.get(name), self.0.get(than)) {
            (Some((_, source)), Some((_, other))) => source.distance() < other.distance(),
            (said, _) => said.is_some(),
        }
    }

    /// What is said of it as a whole number.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>, CliError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.trim().parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(self.unusable(name, "write a whole number")),
        }
    }

    /// That what is said of a keyword can't be meant. Not what it is: it may be a secret in the
    /// wrong place.
    pub(super) fn unusable(&self, name: &str, advice: &str) -> CliError {
        let cause = match self.0.get(name) {
            Some((_, Source::Variable(name))) => format!("{name} has a value that it can't have"),
            Some((_, source)) => format!("`{name}` of {source} has a value that it can't have"),
            None => format!("`{name}` is not said"),
        };
        CliError::connection(cause, advice.to_owned())
    }

    /// One of several words that a keyword may be. As in libpq, nothing is none of them.
    pub(super) fn choice<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, CliError> {
        let Some(value) = self.own(name) else {
            return Ok(None);
        };
        let found = words.iter().find(|(word, _)| *word == value);
        let advice = || {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            format!("write one of {}", words.join(", "))
        };
        match found {
            Some((_, meant)) => Ok(Some(*meant)),
            None => Err(self.unusable(name, &advice())),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("the connection string"),
            // Not its name, which is a value too.
            Self::Service => f.write_str("the service"),
            Self::Variable(name) => f.write_str(name),
        }
    }
}
