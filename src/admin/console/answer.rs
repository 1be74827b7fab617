//! What a command gives: rows, or that it was carried out.

use serde::Serialize;

use super::command::{Command, HELP, List};
use super::table::{Kind, Table};
use crate::admin::operations::{Operations, Reloaded};
use crate::admin::{domains, sessions, settings, statements};

/// Who has something done, for the log.
const BY: &str = "the console";

/// What a command gives.
#[derive(Debug)]
pub(super) enum Answer {
    Rows(Table),
    /// It was carried out: the tag.
    Done(String),
    Begun,
    Ended(&'static str),
}

/// Why it was not carried out, in Postgres's terms.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) sqlstate: &'static str,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

const SESSIONS: &[(&str, Kind)] = &[
    ("session", Kind::Number),
    ("role", Kind::Text),
    ("database", Kind::Text),
    ("application", Kind::Text),
    ("peer", Kind::Text),
    ("mode", Kind::Text),
    ("host", Kind::Text),
    ("since", Kind::Text),
    ("age_s", Kind::Number),
    ("state", Kind::Text),
    ("statements", Kind::Number),
];

const STATEMENTS: &[(&str, Kind)] = &[
    ("statement", Kind::Text),
    ("verdict", Kind::Text),
    ("calls", Kind::Number),
    ("code", Kind::Text),
    ("sqlstate", Kind::Text),
    ("database", Kind::Text),
    ("domains", Kind::Text),
    ("remedy", Kind::Text),
    ("shape", Kind::Text),
];

const DOMAINS: &[(&str, Kind)] = &[
    ("name", Kind::Text),
    ("column", Kind::Text),
    ("encoded", Kind::Number),
    ("decoded", Kind::Text),
    ("unknown", Kind::Number),
];

const KEYS: &[(&str, Kind)] = &[
    ("name", Kind::Text),
    ("state", Kind::Text),
    ("decoded", Kind::Number),
];

const CONFIG: &[(&str, Kind)] = &[
    ("table", Kind::Text),
    ("name", Kind::Text),
    ("value", Kind::Text),
    ("origin", Kind::Text),
];

const VERSION: &[(&str, Kind)] = &[("version", Kind::Text)];

const HELPS: &[(&str, Kind)] = &[("command", Kind::Text), ("does", Kind::Text)];

impl List {
    /// The columns that it has, before anybody looks for its rows.
    pub(super) const fn columns(self) -> &'static [(&'static str, Kind)] {
        match self {
            Self::Sessions => SESSIONS,
            Self::Statements => STATEMENTS,
            Self::Domains => DOMAINS,
            Self::Keys => KEYS,
            Self::Config => CONFIG,
            Self::Version => VERSION,
            Self::Help => HELPS,
        }
    }
}

/// Carries out a command.
pub(super) async fn answer(command: Command, operations: &Operations) -> Result<Answer, Failure> {
    Ok(match command {
        Command::Show(list) => Answer::Rows(rows(list, operations)),
        Command::Reload => match operations.reload(BY).await {
            Reloaded::Taken => Answer::Done("RELOAD".to_owned()),
            Reloaded::Refused => {
                return Err(Failure {
                    sqlstate: "F0000",
                    message: "the configuration is not reloaded".to_owned(),
                    hint: "The log of pgveil says why.",
                });
            }
            Reloaded::Busy => {
                return Err(Failure {
                    sqlstate: "55006",
                    message: "another reload is under way".to_owned(),
                    hint: "Try again when it is over.",
                });
            }
        },
        Command::Drain => {
            operations.drain(BY);
            Answer::Done("DRAIN".to_owned())
        }
        Command::Recycle => Answer::Done(format!("RECYCLE {}", operations.recycle(BY))),
        Command::Kill(session) if operations.kill(session, BY) => Answer::Done("KILL".to_owned()),
        Command::Kill(session) => {
            return Err(Failure {
                sqlstate: "42704",
                message: format!("session {session} does not exist"),
                hint: "SHOW SESSIONS lists those that run.",
            });
        }
        Command::Begin => Answer::Begun,
        Command::Commit => Answer::Ended("COMMIT"),
        Command::Rollback => Answer::Ended("ROLLBACK"),
    })
}

fn rows(list: List, operations: &Operations) -> Table {
    let (vitals, columns) = (&operations.vitals, list.columns());
    match list {
        List::Sessions => {
            let (seen, _) = vitals.sessions(0, usize::MAX);
            Table::of(columns, seen.into_iter().map(sessions::session))
        }
        List::Statements => Table::of(columns, judged(statements::of(vitals))),
        List::Domains => Table::of(columns, domains::list(vitals).into_iter()),
        List::Keys => Table::of(columns, domains::ring(vitals).into_iter()),
        List::Config => Table::of(columns, settings::list(vitals).into_iter()),
        List::Version => {
            let version = concat!("pgveil ", env!("CARGO_PKG_VERSION"));
            Table::of(
                columns,
                [serde_json::json!({ "version": version })].into_iter(),
            )
        }
        List::Help => {
            let line = |(command, does): &(&str, &str)| serde_json::json!({ "command": command, "does": does });
            Table::of(columns, HELP.iter().map(line))
        }
    }
}

/// A statement of either list of the document.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Judged {
    Refused(statements::Refused),
    Observed {
        verdict: &'static str,
        #[serde(flatten)]
        statement: statements::Statement,
    },
}

/// Those that were refused, and then those that were observed.
fn judged(document: statements::Statements) -> impl Iterator<Item = Judged> {
    let observed = |statement: statements::Statement| Judged::Observed {
        verdict: match statement.ready {
            true => "observed: ready",
            false => "observed: would_refuse",
        },
        statement,
    };
    let refused = document.refused.into_iter().map(Judged::Refused);
    refused.chain(document.statements.into_iter().map(observed))
}
