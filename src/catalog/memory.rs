//! What catalogs need not say any more: which columns held keys or showed them in an earlier snapshot.

use std::sync::Arc;

use super::draft::Place;
use super::snapshot::ByOid;
use super::{Column, DomainId, Facts, Oid, Relation, Snapshot};

/// What earlier snapshots have known of columns.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Those that held keys.
    pub(super) keys: Vec<(Place, DomainId)>,
    /// Those that showed keys without being keys.
    pub(super) derived: Vec<Place>,
    /// Those that were closed because nobody had decided on them.
    pub(super) undecided: Vec<Place>,
}

impl Memory {
    /// Takes what a snapshot of the same database shows.
    pub(super) fn take(&mut self, earlier: &Snapshot) {
        for relation in earlier.keyed() {
            for column in &relation.columns {
                self.take_column(relation.oid, column);
            }
        }
    }

    /// Takes what a session knows of its temporary relations.
    pub(super) fn take_facts(&mut self, facts: &Facts) {
        self.keys.extend(facts.keys());
        self.derived.extend(facts.hidden());
    }

    /// Takes what a snapshot of a database of the same name on another server shows, of what is the
    /// same here: that server may be this one before it was started again, or the one that it has
    /// stood by for, and then what is in it is what was in that one; or it may have nothing to do with
    /// this one, and then what has one number there and here has two names.
    pub(super) fn recall(&mut self, other: &Snapshot, here: &ByOid<Arc<Relation>>) {
        for there in other.keyed() {
            let Some(here) = here.get(&there.oid) else {
                continue;
            };
            let is_called_so = (&here.schema, &here.name) == (&there.schema, &there.name);
            for column in &there.columns {
                let now = here.attribute(column.attnum);
                if now.is_some_and(|now| is_called_so || now.name == column.name) {
                    self.take_column(there.oid, column);
                }
            }
        }
    }

    fn take_column(&mut self, relation: Oid, column: &Column) {
        let place = (relation, column.attnum);
        if let Some(held) = column.id {
            self.keys.push((place, held.id.domain));
        } else if column.undecided {
            self.undecided.push(place);
        }
        if column.derived && !column.undecided {
            self.derived.push(place);
        }
    }
}
