//! Where statements come from: the statistics of a live database, a log of Postgres, or SQL.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::str::FromStr;

use tokio_postgres::{Client, SimpleQueryRow};

use super::log;
use crate::cli::CliError;
use crate::cli::database::rows;
use crate::config::{Client as Asking, Config, Mode};
use crate::sql::statements;

/// Where the extension is, and whether it tells what clients have sent from what ran inside of that.
pub(super) const EXTENSION: &str = "
    SELECT pg_catalog.quote_ident(n.nspname), EXISTS (
      SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = n.oid AND c.relname = 'pg_stat_statements' AND a.attname = 'toplevel')
    FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'pg_stat_statements'";

/// Where statements come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// `pg_stat_statements` of the database.
    Statistics,
    /// A file of SQL, or a log.
    File(PathBuf),
    /// SQL, or a log, from standard input.
    Input,
}

/// Whether a text is as it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The statement was sent by a client.
    Sent,
    /// Its literals were replaced by parameters.
    Normalised,
}

/// Whose statements count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whose<'w> {
    /// The database that they were sent to.
    pub(super) database: &'w str,
    /// Whose sessions pgveil does not rewrite: theirs do not.
    pub(super) config: &'w Config,
}

impl Whose<'_> {
    /// Whether those count that this role has sent to this database.
    pub(super) fn sent(&self, role: Option<&str>, database: Option<&str>) -> bool {
        database == Some(self.database) && self.by(role)
    }

    /// Whether those of this role count. Of one that is gone they do.
    fn by(&self, role: Option<&str>) -> bool {
        role.is_none_or(|role| {
            let client = Asking {
                role: role.as_bytes(),
                database: self.database.as_bytes(),
                application: b"",
            };
            self.config.mode_of(client) != Mode::Bypass
        })
    }
}

/// Takes a text, how often it was sent, and what it is.
pub(super) type Take<'t> = dyn FnMut(&str, u64, Kind) + 't;

impl FromStr for Source {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "pg_stat_statements" => Self::Statistics,
            "-" => Self::Input,
            file => Self::File(file.into()),
        })
    }
}

impl Source {
    /// What the report calls it.
    pub(super) fn name(&self, database: &str) -> String {
        match self {
            Self::Statistics => format!("pg_stat_statements of {database}"),
            Self::File(file) => file.display().to_string(),
            Self::Input => "standard input".to_owned(),
        }
    }

    /// Reads what is no statistics.
    pub(super) fn read(&self, whose: &Whose<'_>, take: &mut Take<'_>) -> Result<(), CliError> {
        match self {
            Self::Statistics => Ok(()),
            Self::Input => self.any(&mut io::stdin().lock(), whose, take),
            Self::File(path) => {
                let fault = |error| self.fault(whose.database, error);
                let file = File::open(path).map_err(fault)?;
                self.any(&mut BufReader::new(file), whose, take)
            }
        }
    }

    fn fault(&self, database: &str, error: io::Error) -> CliError {
        CliError::Log {
            file: self.name(database),
            cause: error.to_string(),
        }
    }

    /// What it is shows at its beginning: an object of JSON, the time that csvlog begins with, or SQL.
    fn any(
        &self,
        input: &mut dyn BufRead,
        whose: &Whose<'_>,
        take: &mut Take<'_>,
    ) -> Result<(), CliError> {
        let fault = |error| self.fault(whose.database, error);
        let start = input.fill_buf().map_err(fault)?;
        if start.starts_with(b"{") {
            return log::json(input, whose, take).map_err(fault);
        }
        if start.len() > 4 && start[..4].iter().all(u8::is_ascii_digit) && start[4] == b'-' {
            return log::csv(input, whose, take).map_err(fault);
        }
        let mut text = String::new();
        input.read_to_string(&mut text).map_err(fault)?;
        match statements(&text) {
            Some(ranges) => {
                for range in ranges {
                    take(text.get(range).unwrap_or_default(), 1, Kind::Sent);
                }
            }
            // A text that has no end is one statement, which Postgres would refuse too.
            None => take(&text, 1, Kind::Sent),
        }
        Ok(())
    }
}

/// The statements that the database has kept of clients, with the numbers of their calls.
pub(super) async fn statistics(
    client: &Client,
    whose: &Whose<'_>,
) -> Result<Vec<(String, u64)>, CliError> {
    let extension = rows(client, EXTENSION).await?;
    let extension = extension.first().ok_or(CliError::NoStatistics)?;
    let schema = extension.get(0).ok_or(CliError::NoStatistics)?;
    let question = question(schema, extension.get(1) == Some("t"));
    let statement = |row: &SimpleQueryRow| {
        let counts = whose.by(row.get(2));
        counts.then_some((row.get(0)?.to_owned(), row.get(1)?.parse().ok()?))
    };
    let rows = rows(client, &question).await?;
    Ok(rows.iter().filter_map(statement).collect())
}

/// Asks for the statements, the numbers of their calls and their roles.
pub(super) fn question(schema: &str, has_level: bool) -> String {
    let sent = if has_level { " AND s.toplevel" } else { "" };
    format!(
        "SELECT s.query, pg_catalog.sum(s.calls)::pg_catalog.text, r.rolname
         FROM {schema}.pg_stat_statements s
         JOIN pg_catalog.pg_database d ON d.oid = s.dbid
         LEFT JOIN pg_catalog.pg_roles r ON r.oid = s.userid
         WHERE d.datname = pg_catalog.current_database() AND s.query IS NOT NULL{sent}
         GROUP BY s.query, r.rolname ORDER BY s.query, r.rolname"
    )
}
