//! The events and the names of their fields. Both are an interface: alerts are built on them,
//! so a name that has been released stays.

use std::fmt;
use std::time::Duration;

use tracing::{error, info, warn};

use super::counters::Counters;

/// The target of every audit event, to filter by.
const TARGET: &str = "pgveil::audit";

/// The number of a session: unique in one run of the proxy, in every event of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub u64);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What happened in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A client was authenticated by Postgres.
    SessionStart {
        /// The client's address.
        peer: String,
        /// The database role.
        user: String,
        /// The database.
        database: String,
        /// Whether the role is inside the trust boundary, so that nothing is rewritten.
        bypass: bool,
    },
    /// A session that had started is over.
    SessionEnd {
        /// Why.
        reason: EndReason,
        /// How long it lasted.
        duration: Duration,
    },
    /// A statement or a value was refused, or would have been.
    Refusal {
        /// The rule, as in `docs/refusals.md`.
        code: &'static str,
        /// The SQLSTATE that the client got.
        sqlstate: &'static str,
        /// What was done.
        action: Action,
    },
    /// The analysis and the server disagree on a result column: a fault of the analysis.
    Disagreement {
        /// Where the column comes from, by the server; 0 if it is computed.
        table_oid: u32,
        /// The column's number in that table; 0 if it is computed.
        attnum: i16,
        /// The column's place in the result, from 1.
        position: usize,
        /// [`Action::PassedOn`] if the column was encrypted by the server's word alone,
        /// [`Action::Refused`] if the connection was closed.
        action: Action,
    },
    /// Text of an error was masked or dropped, since it might hold a key.
    ErrorMasked {
        /// The SQLSTATE, as Postgres sent it.
        sqlstate: [u8; 5],
    },
    /// Text of a notice was masked or dropped, since it might hold a key.
    NoticeMasked {
        /// The SQLSTATE, as Postgres sent it.
        sqlstate: [u8; 5],
    },
    /// A result held the smallest or largest value of its type, which stands for an id that was
    /// never issued and is never shown; the connection was closed.
    Sentinel {
        /// The name of the id domain.
        domain: String,
    },
    /// The catalog of the session's database was read.
    CatalogLoaded {
        /// How many relations it has.
        relations: usize,
        /// How many of them have keys to hide.
        protected: usize,
        /// How long it took.
        duration: Duration,
    },
}

/// What was done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It was stopped.
    Refused,
    /// It was let through: in audit mode, or made harmless by other means.
    PassedOn,
}

impl Action {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::PassedOn => "passed-on",
        }
    }
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// The client said goodbye or closed the connection.
    Client,
    /// Postgres closed the connection.
    Server,
    /// The proxy is shutting down.
    Shutdown,
    /// A message broke the protocol.
    Protocol,
    /// Passing on what the server sent would have shown a key.
    Leak,
    /// A time limit ran out.
    Timeout,
    /// Reading from or writing to a socket failed.
    Io,
}

impl EndReason {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::Shutdown => "shutdown",
            Self::Protocol => "protocol",
            Self::Leak => "leak",
            Self::Timeout => "timeout",
            Self::Io => "io",
        }
    }
}

impl Event {
    /// Writes the event to the `tracing` subscriber, once, and counts it.
    ///
    /// What is normal is an `info` event, what was refused or masked a `warn`, and what only a
    /// fault of pgveil's own can cause an `error`.
    pub fn emit(&self, session: SessionId, counters: &Counters) {
        counters.count(self);
        let session = session.0;
        match self {
            Self::SessionStart {
                peer,
                user,
                database,
                bypass,
            } => {
                info!(target: TARGET, session, peer, user, database, bypass, "session start");
            }
            Self::SessionEnd { reason, duration } => {
                let (reason, duration_ms) = (reason.as_str(), milliseconds(*duration));
                info!(target: TARGET, session, reason, duration_ms, "session end");
            }
            Self::Refusal {
                code,
                sqlstate,
                action,
            } => {
                let action = action.as_str();
                warn!(target: TARGET, session, code, sqlstate, action, "refusal");
            }
            Self::Disagreement {
                table_oid,
                attnum,
                position,
                action,
            } => {
                let action = action.as_str();
                error!(
                    target: TARGET,
                    session, table_oid, attnum, position, action, "disagreement"
                );
            }
            Self::ErrorMasked { sqlstate } => {
                warn!(target: TARGET, session, sqlstate = text(sqlstate), "error masked");
            }
            Self::NoticeMasked { sqlstate } => {
                warn!(target: TARGET, session, sqlstate = text(sqlstate), "notice masked");
            }
            Self::Sentinel { domain } => {
                error!(target: TARGET, session, domain, "sentinel");
            }
            Self::CatalogLoaded {
                relations,
                protected,
                duration,
            } => {
                let duration_ms = milliseconds(*duration);
                info!(target: TARGET, session, relations, protected, duration_ms, "catalog loaded");
            }
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// An SQLSTATE is five digits or upper-case letters; user code that raises anything else is not
/// repeated.
fn text(sqlstate: &[u8; 5]) -> &str {
    let proper = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    match std::str::from_utf8(sqlstate) {
        Ok(text) if sqlstate.iter().all(proper) => text,
        _ => "?????",
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};

    use super::super::counters::Totals;
    use super::*;

    /// What a subscriber writes, line by line, as JSON.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn emitted(event: &Event, counters: &Counters) -> Vec<Value> {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .without_time()
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, || event.emit(SessionId(7), counters));
        let bytes = log.0.lock().unwrap();
        let lines = bytes.split(|byte| *byte == b'\n');
        lines
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }

    fn each_event() -> Vec<(Event, Value)> {
        let second = Duration::from_millis(1_500);
        vec![
            (
                Event::SessionStart {
                    peer: "127.0.0.1:5000".into(),
                    user: "a\nb".into(),
                    database: "shop".into(),
                    bypass: false,
                },
                json!({"level": "INFO", "message": "session start", "peer": "127.0.0.1:5000",
                       "user": "a\nb", "database": "shop", "bypass": false}),
            ),
            (
                Event::SessionEnd {
                    reason: EndReason::Client,
                    duration: second,
                },
                json!({"level": "INFO", "message": "session end", "reason": "client",
                       "duration_ms": 1500}),
            ),
            (
                Event::Refusal {
                    code: "expression",
                    sqlstate: "0A000",
                    action: Action::Refused,
                },
                json!({"level": "WARN", "message": "refusal", "code": "expression",
                       "sqlstate": "0A000", "action": "refused"}),
            ),
            (
                Event::Disagreement {
                    table_oid: 16_384,
                    attnum: 1,
                    position: 2,
                    action: Action::PassedOn,
                },
                json!({"level": "ERROR", "message": "disagreement", "table_oid": 16384,
                       "attnum": 1, "position": 2, "action": "passed-on"}),
            ),
            (
                Event::ErrorMasked {
                    sqlstate: *b"P0001",
                },
                json!({"level": "WARN", "message": "error masked", "sqlstate": "P0001"}),
            ),
            (
                Event::NoticeMasked {
                    sqlstate: *b"a\n\xff42",
                },
                json!({"level": "WARN", "message": "notice masked", "sqlstate": "?????"}),
            ),
            (
                Event::Sentinel {
                    domain: "user".into(),
                },
                json!({"level": "ERROR", "message": "sentinel", "domain": "user"}),
            ),
            (
                Event::CatalogLoaded {
                    relations: 12,
                    protected: 3,
                    duration: second,
                },
                json!({"level": "INFO", "message": "catalog loaded", "relations": 12,
                       "protected": 3, "duration_ms": 1500}),
            ),
        ]
    }

    #[test]
    fn each_event_is_one_line_with_these_fields_and_no_others() {
        for (event, mut expected) in each_event() {
            let fields = expected.as_object_mut().unwrap();
            fields.insert("session".into(), json!(7));
            fields.insert("target".into(), json!("pgveil::audit"));
            assert_eq!(emitted(&event, &Counters::default()), [expected]);
        }
    }

    #[test]
    fn each_event_counts_once() {
        let counters = Counters::default();
        for (event, _) in each_event() {
            event.emit(SessionId(1), &counters);
        }
        let passed_on = Event::Refusal {
            code: "unparsed",
            sqlstate: "42601",
            action: Action::PassedOn,
        };
        passed_on.emit(SessionId(1), &counters);
        let totals = counters.totals();
        assert_eq!(totals.sessions_open(), 0);
        let expected = Totals {
            sessions_started: 1,
            sessions_ended: 1,
            refusals: 1,
            tolerated: 1,
            disagreements: 1,
            errors_masked: 1,
            notices_masked: 1,
            sentinels: 1,
            catalog_loads: 1,
        };
        assert_eq!(totals, expected);
    }
}
