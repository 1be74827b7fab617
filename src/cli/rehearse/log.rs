//! The statements in a log of Postgres, which it writes as CSV or as JSON: those of
//! `log_statement` and of `log_min_duration_statement`.

use std::io::{self, BufRead};

use csv::{ByteRecord, ReaderBuilder};
use serde::Deserialize;

use super::source::{Kind, Take};
use crate::cli::database::PROGRAM;

/// Where csvlog has the database, the message and the name of the application.
const DATABASE: usize = 2;
const MESSAGE: usize = 13;
const APPLICATION: usize = 22;

/// The longest line of JSON, in bytes: that of the longest statement that Postgres takes, escaped.
const LONGEST: u64 = 2 << 30;

/// What matters of a record of jsonlog.
#[derive(Deserialize)]
struct Record {
    dbname: Option<String>,
    application_name: Option<String>,
    message: Option<String>,
}

/// Takes the statements of a csvlog that were sent to this database.
pub(super) fn csv(input: &mut dyn BufRead, database: &str, take: &mut Take<'_>) -> io::Result<()> {
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.has_headers(false).flexible(true).from_reader(input);
    let mut record = ByteRecord::new();
    while reader
        .read_byte_record(&mut record)
        .map_err(io::Error::from)?
    {
        let message = record.get(MESSAGE).map(String::from_utf8_lossy);
        if record.get(DATABASE) == Some(database.as_bytes())
            && record.get(APPLICATION) != Some(PROGRAM.as_bytes())
            && let Some(sql) = message.as_deref().and_then(statement)
        {
            take(sql, 1, Kind::Sent);
        }
    }
    Ok(())
}

/// The same of a jsonlog. A line that is none is passed over, for a server that ends leaves half a
/// line.
pub(super) fn json(
    mut input: &mut dyn BufRead,
    database: &str,
    take: &mut Take<'_>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let Ok(record) = serde_json::from_slice::<Record>(&line) else {
            continue;
        };
        if record.dbname.as_deref() == Some(database)
            && record.application_name.as_deref() != Some(PROGRAM)
            && let Some(sql) = record.message.as_deref().and_then(statement)
        {
            take(sql, 1, Kind::Sent);
        }
    }
}

/// The statement in a message: `statement: …`, `execute NAME: …`, each perhaps behind a duration.
/// Parse and Bind of the same are passed over, and so is the next part of a portal.
fn statement(message: &str) -> Option<&str> {
    let message = match message.strip_prefix("duration: ") {
        Some(rest) => rest.split_once(" ms  ")?.1,
        None => message,
    };
    if let Some(sql) = message.strip_prefix("statement: ") {
        return Some(sql);
    }
    let rest = message.strip_prefix("execute ")?;
    if rest.starts_with("fetch from ") {
        return None;
    }
    rest.split_once(": ").map(|(_, sql)| sql)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_their_statement() {
        for (message, sql) in [
            ("statement: select 1", Some("select 1")),
            (
                "duration: 0.1 ms  statement: select ': '",
                Some("select ': '"),
            ),
            ("execute <unnamed>: select $1", Some("select $1")),
            (
                "duration: 2 ms  execute s1/c1: select $1",
                Some("select $1"),
            ),
            ("duration: 2 ms  parse s1: select $1", None),
            ("duration: 2 ms  bind s1: select $1", None),
            ("execute fetch from s1/c1: select $1", None),
            ("duration: 2 ms", None),
            ("connection received: host=[local]", None),
        ] {
            assert_eq!(statement(message), sql, "{message}");
        }
    }
}
