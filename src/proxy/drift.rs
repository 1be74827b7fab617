//! Which columns of keys that nobody has decided on have been told of, so that each is told of once
//! in the life of a process, as long as it is there.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use crate::catalog::{ColumnName, Snapshot};

/// The columns of a database that have been told of, by the host that has them: a standby may lag
/// behind.
#[derive(Debug, Default)]
pub(super) struct Drift(Mutex<HashMap<Box<str>, HashSet<ColumnName>>>);

impl Drift {
    /// The undecided columns of a picture of which nobody has been told yet.
    pub(super) fn news(&self, host: &str, snapshot: &Snapshot) -> Vec<ColumnName> {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let told = hosts.entry(host.into()).or_default();
        told.retain(|column| is_there(snapshot, column));
        let undecided = snapshot.undecided().iter();
        let unknown = undecided.filter(|column| !hosts.values().any(|told| told.contains(*column)));
        let news: Vec<ColumnName> = unknown.cloned().collect();
        let told = hosts.entry(host.into()).or_default();
        told.extend(snapshot.undecided().iter().cloned());
        news
    }
}

/// Whether a column still has this name, decided on or not.
fn is_there(snapshot: &Snapshot, column: &ColumnName) -> bool {
    let mut relations = snapshot.named(&column.table);
    relations.any(|of| of.schema == column.schema && of.column(&column.column).is_some())
}
