//! Why a command can't do what it was asked to: cause first, then advice.

use std::io;

use crate::catalog::CatalogError;
use crate::codec::{KeyError, SecretError};
use crate::config::ConfigError;
use crate::proxy::ProxyError;

/// Why a command can't do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The configuration can't be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The proxy can't start.
    #[error("{0}\n  is another pgveil running? change server.listen in the configuration")]
    Proxy(#[from] ProxyError),
    /// The configuration has no such id domain.
    #[error("there is no id domain `{name}`\n  the configuration has: {known}")]
    Domain {
        /// What was asked for.
        name: String,
        /// The domains that there are.
        known: String,
    },
    /// An argument is no key.
    #[error("`{argument}`: {source}\n  write keys as decimal numbers")]
    Key {
        /// The argument.
        argument: String,
        /// What is wrong with it.
        source: KeyError,
    },
    /// No new key could be made.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// No database was named.
    #[error(
        "which database?\n  give --database-url postgres://user@host/database, or set DATABASE_URL"
    )]
    NoDatabase,
    /// The database did not answer as it should.
    #[error("the database: {}\n  check --database-url and that Postgres is running", chain(.0))]
    Database(#[from] tokio_postgres::Error),
    /// The annotations do not fit the database.
    #[error("{0}\n  correct the [[id]] tables of the configuration")]
    Catalog(#[from] CatalogError),
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

/// An error with its causes, which tokio-postgres keeps apart.
fn chain(error: &dyn std::error::Error) -> String {
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
