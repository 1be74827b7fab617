//! The sessions that run, one by one. Names are those of Postgres and of the client, cut and escaped;
//! of the statements there is nothing but their number.

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::proxy::{Seen, Vitals};

/// So many are told at once; `after` leads to the next ones.
pub(super) const MOST: usize = 1000;

/// The document.
#[derive(Debug, Serialize)]
pub(super) struct Sessions {
    sessions: Vec<Session>,
    /// How many there are beyond these.
    beyond: usize,
}

/// A session as the endpoint tells of it.
#[derive(Debug, Serialize)]
pub(super) struct Session {
    session: u64,
    role: String,
    database: String,
    application: String,
    peer: String,
    mode: &'static str,
    host: String,
    since: String,
    age_s: u64,
    state: &'static str,
    statements: u64,
}

/// Those behind this number.
pub(super) fn of(vitals: &Vitals, after: u64) -> Sessions {
    let (seen, beyond) = vitals.sessions(after, MOST);
    Sessions {
        sessions: seen.into_iter().map(session).collect(),
        beyond,
    }
}

pub(super) fn session(seen: Seen) -> Session {
    let since = OffsetDateTime::from(seen.since);
    let since = since.replace_nanosecond(0).unwrap_or(since);
    Session {
        session: seen.whose.number,
        role: seen.whose.role,
        database: seen.whose.database,
        application: seen.whose.application,
        peer: seen.whose.peer,
        mode: seen.whose.mode,
        host: seen.whose.host,
        since: since.format(&Rfc3339).unwrap_or_default(),
        age_s: seen.age.as_secs(),
        state: seen.doing.as_str(),
        statements: seen.statements,
    }
}
