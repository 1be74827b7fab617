//! What was refused, and what was seen under `policy.mode = "observe"`: the statements by shape, and
//! what has or would become of each. `pgveil rehearse --from-proxy` reads it.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::audit::{RefusedStatement, Seen};
use crate::proxy::Vitals;

/// The document.
#[derive(Debug, Serialize)]
pub(super) struct Statements {
    pub(super) statements: Vec<Statement>,
    /// Those that were refused, or would have been, in the modes that translate.
    pub(super) refused: Vec<Refused>,
    /// Refusals of statements that are not in that list, which is full.
    refused_beyond: u64,
    /// Domains of the configuration of which no statement has carried an id.
    unseen_domains: Vec<String>,
    /// Statements that were not judged: too much was under way, or they were too long.
    dropped: u64,
    /// Statements that could not be judged, for only the server knew the search path.
    unjudged: u64,
    /// Statements that were judged and are not in the list, which is full.
    beyond: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Statement {
    statement: String,
    shape: String,
    database: String,
    calls: u64,
    pub(super) ready: bool,
    code: Option<&'static str>,
    sqlstate: Option<&'static str>,
    remedy: Option<String>,
    domains: Vec<String>,
}

/// A statement that was refused.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    statement: String,
    shape: String,
    calls: u64,
    /// `refused`, or `would_refuse`: the mode is `audit`.
    verdict: &'static str,
    code: &'static str,
    sqlstate: &'static str,
}

/// All that has been seen so far.
pub(super) fn of(vitals: &Vitals) -> Statements {
    let counters = vitals.counters();
    let observed = &counters.observed;
    let rows = observed.rows();
    let refused = counters.refusals.rows();
    let seen: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| row.domains.iter().map(String::as_str))
        .collect();
    let unseen = vitals.domains().into_iter();
    Statements {
        unseen_domains: unseen
            .filter(|name| !seen.contains(name.as_str()))
            .collect(),
        statements: rows.iter().map(|row| statement(row)).collect(),
        refused: refused.into_iter().map(refusal).collect(),
        refused_beyond: counters.refusals.forgotten.get(),
        dropped: observed.dropped.get(),
        unjudged: observed.unjudged.get(),
        beyond: observed.beyond.get(),
    }
}

fn refusal(row: RefusedStatement) -> Refused {
    Refused {
        statement: row.statement.fingerprint().to_owned(),
        shape: row.statement.shape().to_owned(),
        calls: row.calls,
        verdict: if row.passed {
            "would_refuse"
        } else {
            "refused"
        },
        code: row.code,
        sqlstate: row.sqlstate,
    }
}

fn statement(row: &Seen) -> Statement {
    let need = row.need.as_ref();
    Statement {
        statement: row.statement.fingerprint().to_owned(),
        shape: row.statement.shape().to_owned(),
        database: row.database.to_string(),
        calls: row.calls.get(),
        ready: need.is_none(),
        code: need.map(|need| need.code),
        sqlstate: need.map(|need| need.sqlstate),
        remedy: need.and_then(|need| need.remedy.clone()),
        domains: row.domains.clone(),
    }
}
