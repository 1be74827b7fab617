//! The statements in a log of Postgres, which it writes as CSV or as JSON: those of
//! `log_statement` and of `log_min_duration_statement`.

use std::io::{self, BufRead};

use csv::{ByteRecord, ReaderBuilder};
use serde::Deserialize;

use super::source::{Kind, Take, Whose};
use crate::cli::target::PROGRAM;

/// Where csvlog has the role, the database, the number of the process, the message and the name of
/// the application.
const ROLE: usize = 1;
const DATABASE: usize = 2;
const PROCESS: usize = 3;
const MESSAGE: usize = 13;
const APPLICATION: usize = 22;

/// The longest line of JSON, in bytes: that of the longest statement that Postgres takes, escaped.
const LONGEST: u64 = 2 << 30;

/// What matters of a record of jsonlog.
#[derive(Deserialize)]
struct Record {
    user: Option<String>,
    dbname: Option<String>,
    application_name: Option<String>,
    message: Option<String>,
}

/// Takes the statements of a csvlog that count.
pub(super) fn csv(
    input: &mut dyn BufRead,
    whose: &Whose<'_>,
    take: &mut Take<'_>,
) -> io::Result<()> {
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.has_headers(false).flexible(true).from_reader(input);
    let mut record = ByteRecord::new();
    let mut is_log = false;
    while reader
        .read_byte_record(&mut record)
        .map_err(io::Error::from)?
    {
        // A log for people begins as this one does, and may have as many commas.
        let process = record.get(PROCESS).unwrap_or_default();
        let Some(message) = record.get(MESSAGE).filter(|_| is_number(process)) else {
            continue;
        };
        is_log = true;
        let [role, database, application] = [ROLE, DATABASE, APPLICATION]
            .map(|field| record.get(field).map(String::from_utf8_lossy));
        if whose.sent(role.as_deref(), database.as_deref())
            && application.as_deref() != Some(PROGRAM)
            && let Some(sql) = statement(&String::from_utf8_lossy(message))
        {
            take(sql, 1, Kind::Sent);
        }
    }
    found(
        is_log,
        "it begins as a csvlog does, but has no record of one",
    )
}

/// Takes the statements of a jsonlog that count. A line that is none is passed over, for a server
/// that ends leaves half a line.
pub(super) fn json(
    mut input: &mut dyn BufRead,
    whose: &Whose<'_>,
    take: &mut Take<'_>,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut is_log = false;
    loop {
        line.clear();
        if io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut line)? == 0 {
            return found(
                is_log,
                "it begins as a jsonlog does, but has no record of one",
            );
        }
        let Ok(record) = serde_json::from_slice::<Record>(&line) else {
            continue;
        };
        let Some(message) = record.message.as_deref() else {
            continue;
        };
        is_log = true;
        if whose.sent(record.user.as_deref(), record.dbname.as_deref())
            && record.application_name.as_deref() != Some(PROGRAM)
            && let Some(sql) = statement(message)
        {
            take(sql, 1, Kind::Sent);
        }
    }
}

fn is_number(field: &[u8]) -> bool {
    !field.is_empty() && field.iter().all(u8::is_ascii_digit)
}

/// What was taken for a log has to be one: of another file nothing would be found, and that is no
/// answer.
fn found(is_log: bool, fault: &'static str) -> io::Result<()> {
    match is_log {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, fault)),
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
    use std::path::Path;

    use super::*;
    use crate::config::{Config, Environment};

    /// The statements that a reader takes from a text, of the database `shop` and all roles but `dba`.
    fn taken(
        read: fn(&mut dyn BufRead, &Whose<'_>, &mut Take<'_>) -> io::Result<()>,
        text: &str,
    ) -> io::Result<Vec<String>> {
        let around = Environment {
            folder: Path::new(""),
            env: &|_| None,
        };
        let file = "[upstream]\naddress = \"127.0.0.1:1\"\n[policy]\nbypass_roles = [\"dba\"]";
        let config = Config::parse(file, &around).unwrap();
        let whose = Whose {
            database: "shop",
            config: &config,
        };
        let mut taken = Vec::new();
        let mut take = |sql: &str, _: u64, _: Kind| taken.push(sql.to_owned());
        read(&mut text.as_bytes(), &whose, &mut take)?;
        Ok(taken)
    }

    #[test]
    fn what_counts_is_sent_to_this_database_by_an_application() {
        let csv_line = |role: &str, database: &str, application: &str| {
            format!(
                "2026-01-01 00:00:00 UTC,{role},{database},7,,1.7,1,SELECT,,,,LOG,00000,\
                 \"statement: select 1, 2\",,,,,,,,,{application}\n"
            )
        };
        let json_line = |role: &str, database: &str, application: &str| {
            format!(
                "{{\"user\":\"{role}\",\"dbname\":\"{database}\",\
                 \"application_name\":\"{application}\",\"message\":\"statement: select 1, 2\"}}\n"
            )
        };
        for (role, database, application, counts) in [
            ("app", "shop", "web", true),
            ("dba", "shop", "web", false),
            ("app", "other", "web", false),
            ("app", "shop", PROGRAM, false),
        ] {
            let expected: &[&str] = if counts { &["select 1, 2"] } else { &[] };
            let line = csv_line(role, database, application);
            assert_eq!(taken(csv, &line).unwrap(), expected, "{line}");
            let line = json_line(role, database, application);
            assert_eq!(taken(json, &line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn what_is_no_log_is_no_empty_one() {
        let plain = "2026-01-01 00:00:00 UTC [7] app@shop LOG:  statement: select 1\n";
        assert!(taken(csv, plain).is_err());
        let commas = plain.replace("select 1", &["select 1"; 30].join(","));
        assert!(taken(csv, &commas).is_err());
        assert!(taken(json, "{\"level\":\"info\"}\n{\n").is_err());
    }

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
