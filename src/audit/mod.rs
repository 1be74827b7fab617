//! The audit trail: what happened at the trust boundary, as one `tracing` event each, and how often.
//! Does not decide anything, and knows nothing of sockets or statements.
//!
//! The names of events and fields are an interface (`docs/audit.md`): alerts are built on them, so one
//! that has been released stays. No event can hold a key, an id, a parameter or a literal: the fields
//! are names, numbers of objects, shapes of statements, and strings known when pgveil is compiled.
//! Whose session it is stands in the span around it.

mod activity;
mod counters;
mod observed;
mod refusals;
mod sessions;
mod statement;
mod trail;

use tracing::{error, info, warn};

pub use activity::{Activity, Doing};
pub use counters::{
    Count, Counters, Domain, DomainCounts, Durations, Leg, Lookups, Named, Statements, Unknown,
};
pub use observed::{Need, Observed, Seen};
pub use refusals::{Refusals, RefusedStatement};
pub use sessions::{Counted, Kind, MOST_NAMES, OTHER, Sessions, escaped};
pub use statement::{Statement, without_values};
pub use trail::{Line, Trail};

/// The target of every audit event, to filter by.
pub const TARGET: &str = "pgveil::audit";

/// The name of the span around everything that belongs to a session. Its fields are its number, the
/// client's address, the role, the database, and what the client calls itself.
pub const SPAN: &str = "client";

/// So many changes of a configuration are told by name.
const MOST_CHANGES: usize = 50;

/// What happened in a session, or to all of them.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A client was authenticated by Postgres.
    SessionStart {
        /// Who and where to.
        session: Session,
        /// What is done with its statements: `enforce`, `audit`, `observe` or `bypass`.
        mode: &'static str,
    },
    /// A session that had started is over.
    SessionEnd {
        /// Who and where to.
        session: Session,
        /// How long it lasted.
        seconds: f64,
        /// Why, if neither side has just closed it.
        reason: Option<String>,
        /// The SQLSTATE that the client got with it.
        sqlstate: Option<&'static str>,
    },
    /// A statement or a value was refused, or would have been.
    Refused {
        /// The rule, as in `docs/refusals.md`.
        code: &'static str,
        /// The SQLSTATE that the client got.
        sqlstate: &'static str,
        /// Whether it was passed on all the same, as `policy.mode` says.
        passed: bool,
        /// The statement, where it is one that can be told without its literals.
        statement: Option<Statement>,
        /// The place in the text that the client was told, in characters from 1.
        position: Option<usize>,
    },
    /// Ids stood for no key.
    IdUnknown {
        /// The id domain.
        domain: String,
        /// Why the ids stood for no key.
        reason: Unknown,
        /// How often that happened.
        count: u64,
    },
    /// Ids were decoded that an older key of the ring has issued.
    OldKey {
        /// The id domain.
        domain: String,
        /// How often that happened.
        count: u64,
    },
    /// A notification was not delivered, or would not have been: nobody can tell what is in it.
    NotificationDropped {
        /// Whether it was delivered all the same, as `policy.mode = "audit"` says.
        passed: bool,
    },
    /// A declared function is not what the configuration says of it, and is closed.
    Misfit {
        /// Which function, and which part of it.
        function: String,
    },
    /// A column that a pattern of the configuration is about can't hold keys of its domain, and is
    /// closed.
    ColumnMisfit {
        /// The column, `schema.table.column`, escaped.
        column: String,
    },
    /// A column holds keys, as the catalogs of the database tell, and nobody has decided on it.
    CatalogDrift {
        /// The column, `schema.table.column`, escaped.
        column: String,
        /// Whether what reads it is refused.
        refused: bool,
    },
    /// The configuration was read anew and taken.
    Reload {
        /// What is otherwise than before, each setting as `name: before → after`, escaped.
        changes: Vec<String>,
    },
    /// A fault of pgveil's own, a panic, was contained: it has ended a statement or a session.
    Fault {
        /// What was being done.
        stage: &'static str,
    },
    /// Somebody at the command line has asked what an id is an id of.
    OperatorDecode {
        /// The domains that it may be of.
        domains: String,
        /// Why, in the operator's words.
        reason: Option<String>,
        /// Whether they were told the key.
        revealed: bool,
    },
    /// The server says that a result column holds keys where the analysis says it does not, or
    /// the other way round: a fault of the analysis.
    Disagreement {
        /// The oid of the table that the column comes from; 0 if it is computed.
        table: u32,
        /// The column's number in that table; 0 if it is computed.
        attnum: i16,
    },
}

/// The two ends of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The client's address.
    pub peer: String,
    /// The database role, escaped.
    pub user: String,
    /// The database, escaped.
    pub database: String,
}

impl Event {
    /// Writes the event to the `tracing` subscriber, once. What is normal is an `info` event, what
    /// was refused a `warn`, and what only a fault of pgveil's own can cause an `error`.
    pub fn emit(self) {
        match self {
            Self::SessionStart { session, mode } => {
                let (peer, role, database) = session.fields();
                info!(target: TARGET, event = "session_start", peer, role, database, mode);
            }
            Self::SessionEnd {
                session,
                seconds,
                reason,
                sqlstate,
            } => {
                let (peer, role, database) = session.fields();
                info!(
                    target: TARGET,
                    event = "session_end", peer, role, database, seconds, reason, sqlstate
                );
            }
            Self::Refused {
                code,
                sqlstate,
                passed,
                statement,
                position,
            } => {
                let event = if passed { "would_refuse" } else { "refused" };
                let shape = statement.as_ref().map(Statement::shape);
                let statement = statement.as_ref().map(Statement::fingerprint);
                let position = position.map(|position| position as u64);
                warn!(target: TARGET, event, code, sqlstate, statement, shape, position);
            }
            Self::IdUnknown {
                domain,
                reason,
                count,
            } => {
                let reason = reason.as_str();
                warn!(target: TARGET, event = "id_unknown", domain, reason, count);
            }
            Self::OldKey { domain, count } => {
                info!(target: TARGET, event = "old_key", domain, count);
            }
            Self::NotificationDropped { passed } => {
                warn!(target: TARGET, event = "notification_dropped", passed);
            }
            Self::Misfit { function } => {
                warn!(target: TARGET, event = "function_misfit", function);
            }
            Self::ColumnMisfit { column } => {
                warn!(target: TARGET, event = "column_misfit", column);
            }
            Self::CatalogDrift { column, refused } => {
                warn!(target: TARGET, event = "catalog_drift", column, refused);
            }
            Self::OperatorDecode {
                domains,
                reason,
                revealed,
            } => {
                warn!(target: TARGET, event = "operator_decode", domains, reason, revealed);
            }
            Self::Reload { changes } => reload(changes),
            Self::Fault { stage } => error!(target: TARGET, event = "fault", stage),
            Self::Disagreement { table, attnum } => {
                error!(target: TARGET, event = "disagreement", table, attnum);
            }
        }
    }
}

/// What a client calls itself, as far as it looks like a name: it may write there what it likes, an
/// id or a key too. Postgres keeps as much of it.
#[must_use]
pub fn application(name: &[u8]) -> String {
    const MOST_BYTES: usize = 63;
    let kept = name.get(..MOST_BYTES).unwrap_or(name);
    without_values(&kept.escape_ascii().to_string())
}

/// The event of a configuration that has changed so.
fn reload(changes: Vec<String>) {
    let number = changes.len() as u64;
    let left = changes.len().saturating_sub(MOST_CHANGES);
    let mut changes: Vec<String> = changes.into_iter().take(MOST_CHANGES).collect();
    if left > 0 {
        changes.push(format!("and {left} more"));
    }
    let changes = changes.join("; ");
    info!(target: TARGET, event = "reload", number, changes);
}

impl Session {
    fn fields(&self) -> (&str, &str, &str) {
        (&self.peer, &self.user, &self.database)
    }
}
