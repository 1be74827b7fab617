//! Which columns of keys that nobody has decided on have been told of, so that each is told of once
//! in the life of a process, as long as it is there.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use crate::catalog::{ColumnName, Relation, Snapshot};

/// The columns of a database that have been told of, by the host that has them: a standby may lag
/// behind.
#[derive(Debug, Default)]
pub(super) struct Drift(Mutex<HashMap<Box<str>, HashSet<ColumnName>>>);

impl Drift {
    /// The undecided columns of a picture of which nobody has been told yet.
    pub(super) fn news(&self, host: &str, snapshot: &Snapshot) -> Vec<ColumnName> {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let told = hosts.entry(host.into()).or_default();
        forget_dropped(told, snapshot);
        let undecided = snapshot.undecided().iter();
        let unknown = undecided.filter(|column| !hosts.values().any(|told| told.contains(*column)));
        let news: Vec<ColumnName> = unknown.cloned().collect();
        let told = hosts.entry(host.into()).or_default();
        told.extend(snapshot.undecided().iter().cloned());
        news
    }
}

/// Forgets the columns that no column is called any more, decided on or not.
fn forget_dropped(told: &mut HashSet<ColumnName>, snapshot: &Snapshot) {
    if told.is_empty() {
        return;
    }
    let relations = snapshot.relations();
    let named: HashMap<(&str, &str), &Relation> = relations
        .map(|relation| ((&*relation.schema, &*relation.name), &**relation))
        .collect();
    told.retain(|column| {
        let relation = named.get(&(&*column.schema, &*column.table));
        relation.is_some_and(|relation| relation.column(&column.column).is_some())
    });
}
