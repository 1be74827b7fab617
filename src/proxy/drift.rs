//! Which columns of keys that nobody has decided on have been told of, so that each is told of once
//! in the life of a process, as long as it is there.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::catalog::{ColumnName, Relation, Snapshot};

/// The columns of a database that have been told of, by the host that has them: a standby may lag
/// behind.
#[derive(Debug, Default)]
pub(super) struct Drift(Mutex<HashMap<Box<str>, Host>>);

#[derive(Debug, Default)]
struct Host {
    told: HashSet<Arc<ColumnName>>,
    /// Those of the last snapshot.
    last: Arc<[Arc<ColumnName>]>,
}

impl Drift {
    /// The undecided columns of a snapshot of which nobody has been told yet. As long as snapshots have
    /// the same ones, a comparison is all.
    pub(super) fn news(&self, host: &str, snapshot: &Snapshot) -> Vec<Arc<ColumnName>> {
        let undecided = snapshot.undecided();
        let mut hosts = self.lock();
        let of = hosts.entry(host.into()).or_default();
        if of.last == *undecided {
            return Vec::new();
        }
        of.last = Arc::clone(undecided);
        forget_dropped(&mut of.told, snapshot);
        let is_told = |column: &Arc<ColumnName>| hosts.values().any(|of| of.told.contains(column));
        let unknown = undecided.iter().filter(|column| !is_told(column));
        let news: Vec<Arc<ColumnName>> = unknown.cloned().collect();
        let of = hosts.entry(host.into()).or_default();
        of.told.extend(undecided.iter().cloned());
        news
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Host>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets the columns that no column is called any more, decided on or not.
fn forget_dropped(told: &mut HashSet<Arc<ColumnName>>, snapshot: &Snapshot) {
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
