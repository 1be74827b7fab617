//! `[[limit]]`: how many sessions some roles, or those in some databases, may have at once. Each limit
//! that fits a session holds.

use super::check::positive;
use super::fault::Faults;
use super::name;
use super::section::{At, Section};

/// Whose sessions are limited, and to how many.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimit {
    /// The database roles; empty for all.
    pub roles: Vec<String>,
    /// The databases; empty for all.
    pub databases: Vec<String>,
    /// How many sessions they may have at once, all of them together.
    pub max_connections: usize,
}

impl SessionLimit {
    /// Whether a session of this role in this database counts, by the bytes of the names that the
    /// client has sent.
    pub(crate) fn fits(&self, role: &[u8], database: &[u8]) -> bool {
        let fits = |names: &[String], name: &[u8]| {
            names.is_empty() || names.iter().any(|known| known.as_bytes() == name)
        };
        fits(&self.roles, role) && fits(&self.databases, database)
    }
}

/// The table as it is written.
#[derive(Debug)]
pub(super) struct Raw {
    line: usize,
    roles: Option<At<Vec<At<String>>>>,
    databases: Option<At<Vec<At<String>>>>,
    max_connections: Option<At<i64>>,
}

impl Raw {
    pub(super) fn read_all(top: &mut Section<'_>, faults: &mut Faults<'_>) -> Vec<Self> {
        let sections = top.sections("limit", faults);
        let read = |mut section: Section<'_>| {
            let limit = Self {
                line: section.line,
                roles: section.texts("roles", faults),
                databases: section.texts("databases", faults),
                max_connections: section.integer("max_connections", faults),
            };
            section.finish(faults);
            limit
        };
        sections.into_iter().map(read).collect()
    }
}

/// Judges the limits.
pub(super) fn check(raw: Vec<Raw>, faults: &mut Faults<'_>) -> Vec<SessionLimit> {
    let limits = raw.into_iter().filter_map(|raw| limit(raw, faults));
    limits.collect()
}

fn limit(raw: Raw, faults: &mut Faults<'_>) -> Option<SessionLimit> {
    let lists = [&raw.roles, &raw.databases];
    for list in lists.into_iter().flatten() {
        name::is_of_somebody(list, "limit", faults);
    }
    if lists.into_iter().all(Option::is_none) {
        let advice = "add roles or databases, or write server.max_connections instead";
        faults.add(raw.line, "the limit is about everybody", advice);
    }
    if raw.max_connections.is_none() {
        let advice = "add max_connections, such as 20";
        faults.add(raw.line, "the limit does not say how many", advice);
    }
    Some(SessionLimit {
        roles: name::kept(raw.roles, faults),
        databases: name::kept(raw.databases, faults),
        max_connections: positive(raw.max_connections, "limit.max_connections", faults)?,
    })
}
