//! Why a command can't do what it was asked to: cause first, then advice.

use std::io;

use crate::admin::{AdminError, AskError};
use crate::catalog::CatalogError;
use crate::codec::SecretError;
use crate::config::{ConfigError, Fault, TokenError};
use crate::proxy::ProxyError;
use crate::sql::plan::Misplaced;

/// Why a command can't do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// The configuration can't be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The proxy can't start.
    #[error("{0}\n  is another pgveil running? change server.listen in the configuration")]
    Proxy(#[from] ProxyError),
    /// The admin endpoint can't start.
    #[error("{0}\n  is another pgveil running? change the address in [admin] of the configuration")]
    Admin(#[from] AdminError),
    /// The health of a proxy can't be asked for.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// There is nobody to ask.
    #[error(
        "the configuration has no [admin]\n  add it with listen = \"127.0.0.1:9632\", or give --url"
    )]
    NoAdmin,
    /// The whole endpoint is nowhere.
    #[error(
        "the configuration has no listen in [admin]\n  add listen = \"127.0.0.1:9632\", or give --url"
    )]
    NoListen,
    /// There is no token where one should be.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The admin endpoint says no, or something that this version does not know.
    #[error(
        "{at} does not show its numbers: {said}\n  is it the [admin] listen of a pgveil {version}, and \
         what --token-file names its token?", version = env!("CARGO_PKG_VERSION")
    )]
    Numbers {
        /// Where it was asked.
        at: String,
        /// The first line of the answer, or what is wrong with it.
        said: String,
    },
    /// There is nothing to draw on.
    #[error("standard output is no terminal\n  give --once for one plain frame")]
    NoTerminal,
    /// The admin endpoint says no, or something else than what was asked for.
    #[error(
        "{at} does not show what was observed: {said}\n  is it the [admin] listen of a pgveil that runs with policy.mode = \"observe\", and admin.token_file its token?"
    )]
    Observed {
        /// Where it was asked.
        at: String,
        /// The first line of the answer.
        said: String,
    },
    /// The configuration has no such id domain.
    #[error("there is no id domain `{name}`\n  the configuration has: {known}")]
    Domain {
        /// What was asked for.
        name: String,
        /// The domains that there are.
        known: String,
    },
    /// No refusal has such a code.
    #[error("there is no code `{name}`\n  refusals have one of {known}")]
    Code {
        /// What was asked for.
        name: String,
        /// The codes that there are.
        known: String,
    },
    /// The domain has no ids for such a column.
    #[error(
        "the codec of `{domain}` has no ids for columns of type {column_type}\n  leave --type out, \
         or name the type of the domain's columns"
    )]
    ColumnType {
        /// The domain.
        domain: String,
        /// The type that was asked for.
        column_type: String,
    },
    /// CSV comes from standard input only.
    #[error("--csv converts standard input\n  leave the other arguments out")]
    CsvAndArguments,
    /// No character that could separate fields.
    #[error(
        "`{0}` can't separate the fields of CSV\n  write one ASCII character, or \\t for a tab"
    )]
    Delimiter(String),
    /// A column of CSV without a header.
    #[error("`{0}` is no number of a column\n  without a header, columns are counted from 1")]
    ColumnNumber(String),
    /// The CSV is not as it should be.
    #[error("{0}")]
    Csv(String),
    /// A record without an end.
    #[error(
        "the record that begins on line {0} has no end within 64 MiB\n  is a quote missing that \
         closes a field?"
    )]
    Record(u64),
    /// The edits of a statement can't be shown.
    #[error(transparent)]
    Edits(#[from] Misplaced),
    /// No new key could be made.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// No database was named.
    #[error(
        "which database?\n  give --database-url postgres://user@host/database, or set DATABASE_URL or PGHOST, PGUSER and PGDATABASE"
    )]
    NoDatabase,
    /// What is said of the connection with the database can't be followed.
    #[error("{cause}\n  {advice}")]
    Connection {
        /// What is wrong. No value is in it: it could be a password.
        cause: String,
        /// What to write instead.
        advice: String,
    },
    /// No server took a session.
    #[error("the database: {0}\n  check --database-url and that Postgres is running")]
    Unreached(String),
    /// What is said of TLS with the database can't be done.
    #[error("TLS with the database: {}", listed(.0))]
    Tls(Vec<Fault>),
    /// TLS can't be had.
    #[error("TLS with the database: {0}")]
    TlsLibrary(String),
    /// The database did not answer as it should.
    #[error("the database: {}\n  check --database-url and that Postgres is running", chain(.0))]
    Database(#[from] tokio_postgres::Error),
    /// The database describes itself in another way than is understood.
    #[error("{0}\n  is this a version of Postgres that pgveil knows? Please report it")]
    Catalog(#[from] CatalogError),
    /// The database keeps no statistics of statements.
    #[error(
        "the database has no pg_stat_statements\n  run CREATE EXTENSION pg_stat_statements, with it in \
         shared_preload_libraries, or give --from a log or a file of statements"
    )]
    NoStatistics,
    /// A log can't be read.
    #[error(
        "{file}: {cause}\n  give a log that Postgres has written as csvlog or jsonlog, or a file of SQL"
    )]
    Log {
        /// The file.
        file: String,
        /// What is wrong. No line of the log is in it.
        cause: String,
    },
    /// The audit trail can't be written.
    #[error("{file}: {cause}\n  name a file in [audit] that may be written")]
    AuditFile {
        /// The file.
        file: String,
        /// What is wrong.
        cause: String,
    },
    /// No Postgres could be started.
    #[error(transparent)]
    Postgres(#[from] crate::postgres::Error),
    /// The proxy listens, but not at a TCP address.
    #[error("the proxy has no TCP address")]
    NoAddress,
    /// The tour saw something else than it should.
    #[error("the tour went wrong at: {0}\n  this is a fault of pgveil; please report it")]
    Tour(&'static str),
    /// The operating system failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl CliError {
    pub(super) fn connection(cause: String, advice: String) -> Self {
        Self::Connection { cause, advice }
    }
}

/// Faults of settings that stand in no file.
fn listed(faults: &[Fault]) -> String {
    let one = |fault: &Fault| format!("{}\n  {}", fault.cause, fault.advice);
    faults.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// An error with its causes, which tokio-postgres keeps apart.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}
