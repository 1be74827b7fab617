//! The audit trail: what happened at the trust boundary, as one `tracing` event each, and how often.
//! Does not decide anything, and knows nothing of sockets or statements.
//!
//! The names of events and fields are an interface: alerts are built on them, so one that has been
//! released stays. No event can hold a key, an id, a parameter or a statement's text: the fields
//! are names, numbers of objects, and strings known when pgveil is compiled. The number of the
//! session is in the span around it.

mod counters;
mod sessions;

use tracing::{error, info, warn};

pub use counters::{
    Count, Counters, Domain, DomainCounts, Durations, Leg, Lookups, Named, Statements, Unknown,
};
pub use sessions::{Counted, Kind, MOST_NAMES, OTHER, Sessions, escaped};

/// The target of every audit event, to filter by.
const TARGET: &str = "pgveil::audit";

/// What happened in a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A client was authenticated by Postgres.
    SessionStart {
        /// Who and where to.
        session: Session,
        /// What is done with its statements: `enforce`, `audit` or `bypass`.
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
        /// Whether it was passed on all the same, as `policy.mode = "audit"` says.
        passed: bool,
    },
    /// A declared function is not what the configuration says of it, and is closed.
    Misfit {
        /// Which function, and which part of it.
        function: String,
    },
    /// A fault of pgveil's own, a panic, was contained: it has ended a statement or a session.
    Fault {
        /// What was being done.
        stage: &'static str,
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
            Self::SessionStart {
                session:
                    Session {
                        peer,
                        user,
                        database,
                    },
                mode,
            } => info!(target: TARGET, peer, user, database, mode, "session starts"),
            Self::SessionEnd {
                session:
                    Session {
                        peer,
                        user,
                        database,
                    },
                seconds,
                reason,
                sqlstate,
            } => info!(
                target: TARGET,
                peer, user, database, seconds, reason, sqlstate, "session ends"
            ),
            Self::Refused {
                code,
                sqlstate,
                passed,
            } => {
                warn!(target: TARGET, code, sqlstate, passed, "refused");
            }
            Self::Misfit { function } => {
                warn!(target: TARGET, function, "a declared function does not fit and is closed");
            }
            Self::Fault { stage } => error!(target: TARGET, stage, "fault"),
            Self::Disagreement { table, attnum } => {
                error!(
                    target: TARGET,
                    table, attnum, "analysis and server disagree on a result column"
                );
            }
        }
    }
}
