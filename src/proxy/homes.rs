//! In which databases the id domains are that are not said to be of one. A key means another row in
//! each, and its id is the same: that may be meant, and is told once.

use std::sync::{Mutex, PoisonError};

use tracing::warn;

use crate::audit::escaped;
use crate::catalog::Snapshot;
use crate::config::{ColumnPattern, IdDomain};

/// The databases of the domains of a configuration.
#[derive(Debug, Default)]
pub(super) struct Homes(Mutex<Vec<Home>>);

/// A domain of which only one database is known.
#[derive(Debug)]
struct Home {
    domain: String,
    column: ColumnPattern,
    database: Option<Box<[u8]>>,
}

impl Homes {
    /// Nothing is known yet.
    pub(super) fn new(domains: &[IdDomain]) -> Self {
        let anywhere = domains.iter().filter(|domain| domain.database.is_none());
        let home = |domain: &IdDomain| Home {
            domain: domain.annotation.name.clone(),
            column: domain.annotation.column.clone(),
            database: None,
        };
        Self(Mutex::new(anywhere.map(home).collect()))
    }

    /// Learns which domains a database has, and tells of those that are in another one.
    pub(super) fn settle(&self, database: &[u8], snapshot: &Snapshot) {
        for (domain, other) in self.found(database, snapshot) {
            warn!(
                domain,
                databases = ?[escaped(&other), escaped(database)],
                "an id domain has keys in two databases, so one id is a row in each: if they are not \
                 the same, write an [[id]] for each, with its database"
            );
        }
    }

    /// The domains that the database has and another one too, with that; each is told once.
    fn found(&self, database: &[u8], snapshot: &Snapshot) -> Vec<(String, Box<[u8]>)> {
        let mut homes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        homes.retain_mut(|home| {
            let is_here = home.database.as_deref() == Some(database);
            if is_here || snapshot.matching(&home.column).is_empty() {
                return true;
            }
            match home.database.take() {
                None => {
                    home.database = Some(database.into());
                    true
                }
                Some(other) => {
                    found.push((home.domain.clone(), other));
                    false
                }
            }
        });
        found
    }
}
