//! Where statements come from: the statistics of a live database, a log of Postgres, or SQL.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::str::FromStr;

use tokio_postgres::Client;

use super::log;
use crate::cli::CliError;
use crate::cli::database::rows;
use crate::sql::statements;

/// Where the extension is.
const EXTENSION: &str = "
    SELECT pg_catalog.quote_ident(n.nspname)
    FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'pg_stat_statements'";

/// Where statements come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// `pg_stat_statements` of the database.
    Statistics,
    /// A file of SQL, or a log.
    File(PathBuf),
    /// The same from standard input.
    Input,
}

/// Whether a text is as it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is.
    Sent,
    /// Its literals were replaced by parameters.
    Normalised,
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

    /// Reads what is no statistics. Of a log only what was sent to this database counts.
    pub(super) fn read(&self, database: &str, take: &mut Take<'_>) -> Result<(), CliError> {
        match self {
            Self::Statistics => Ok(()),
            Self::Input => self.any(&mut io::stdin().lock(), database, take),
            Self::File(path) => {
                let fault = |error| self.fault(database, error);
                let file = File::open(path).map_err(fault)?;
                self.any(&mut BufReader::new(file), database, take)
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
        database: &str,
        take: &mut Take<'_>,
    ) -> Result<(), CliError> {
        let fault = |error| self.fault(database, error);
        let start = input.fill_buf().map_err(fault)?;
        if start.starts_with(b"{") {
            return log::json(input, database, take).map_err(fault);
        }
        if start.len() > 4 && start[..4].iter().all(u8::is_ascii_digit) && start[4] == b'-' {
            return log::csv(input, database, take).map_err(fault);
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

/// The statements that the database has kept, with the numbers of their calls.
pub(super) async fn statistics(client: &Client) -> Result<Vec<(String, u64)>, CliError> {
    let extension = rows(client, EXTENSION).await?;
    let schema = extension.first().and_then(|row| row.get(0));
    let schema = schema.ok_or(CliError::NoStatistics)?;
    let query = format!(
        "SELECT s.query, pg_catalog.sum(s.calls)::pg_catalog.text
         FROM {schema}.pg_stat_statements s
         JOIN pg_catalog.pg_database d ON d.oid = s.dbid
         WHERE d.datname = pg_catalog.current_database() AND s.query IS NOT NULL
         GROUP BY s.query ORDER BY s.query"
    );
    let rows = rows(client, &query).await?;
    let statement = |row: &tokio_postgres::SimpleQueryRow| {
        Some((row.get(0)?.to_owned(), row.get(1)?.parse().ok()?))
    };
    Ok(rows.iter().filter_map(statement).collect())
}
