//! Relations by name: most of them in a part that is shared by all snapshots of a database, on top of
//! which those stand that are called something else now.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Column, Oid, Relation, RelationKind, Snapshot};
use crate::config::PathStep;

/// So many names stand on top before all are put together.
const MOST_ON_TOP: usize = 500;

/// The relations of each name, of whatever schema.
#[derive(Debug, Default, Clone)]
pub(super) struct Names {
    below: Arc<HashMap<String, Vec<Oid>>>,
    /// In the place of what is below; none where none is called that any more.
    on_top: HashMap<String, Vec<Oid>>,
}

impl Names {
    /// The relations of a name.
    pub(super) fn get(&self, name: &str) -> &[Oid] {
        let found = self.on_top.get(name).or_else(|| self.below.get(name));
        found.map_or(&[], Vec::as_slice)
    }

    /// The names of more than one.
    pub(super) fn of_several(&self) -> impl Iterator<Item = &str> {
        let below = self.below.iter();
        let below = below.filter(|(name, _)| !self.on_top.contains_key(*name));
        let all = below.chain(&self.on_top);
        all.filter(|(_, oids)| oids.len() > 1)
            .map(|(name, _)| name.as_str())
    }

    fn of(&mut self, name: &str) -> &mut Vec<Oid> {
        let below = &self.below;
        let known = || below.get(name).cloned().unwrap_or_default();
        self.on_top.entry(name.to_owned()).or_insert_with(known)
    }

    /// Adds a relation.
    pub(super) fn add(&mut self, name: &str, oid: Oid) {
        self.of(name).push(oid);
    }

    /// Takes one away.
    pub(super) fn remove(&mut self, name: &str, oid: Oid) {
        self.of(name).retain(|known| *known != oid);
    }

    /// Prepares the names for many others to stand on.
    pub(super) fn settled(mut self) -> Self {
        if self.on_top.len() > MOST_ON_TOP {
            let mut all = Arc::unwrap_or_clone(self.below);
            for (name, oids) in self.on_top.drain() {
                if oids.is_empty() {
                    all.remove(&name);
                } else {
                    all.insert(name, oids);
                }
            }
            self.below = Arc::new(all);
        }
        self
    }
}

impl Snapshot {
    /// Whether a word is the name of a relation, in whatever schema.
    #[must_use]
    pub fn is_relation_name(&self, word: &str) -> bool {
        !self.names.get(word).is_empty()
    }

    /// Whether any relation's name has letters beyond ASCII.
    #[must_use]
    pub fn has_relation_beyond_ascii(&self) -> bool {
        let mut relations = self.relations.values();
        relations.any(|relation| !relation.name.is_ascii())
    }

    /// The relations of a name, of whatever schema.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Relation> {
        let oids = self.names.get(name).iter();
        oids.filter_map(|oid| self.relation(*oid))
            .map(|relation| &**relation)
    }

    /// Whether a name can only mean tables to which is written and nothing else: no view, and no
    /// rule of a user.
    #[must_use]
    pub fn is_plain_table(&self, name: &str) -> bool {
        let plain =
            |relation: &Relation| relation.kind == RelationKind::Table && relation.rules.is_empty();
        self.is_relation_name(name) && self.named(name).all(plain)
    }

    /// Whether a name that protects something has letters outside ASCII, so that its bytes
    /// depend on the client's encoding.
    #[must_use]
    pub fn has_protected_name_beyond_ascii(&self) -> bool {
        let is_beyond =
            |step: &PathStep| matches!(step, PathStep::Member(name) if !name.is_ascii());
        let is_within = |column: &Column| {
            let mut steps = column.json.iter().flat_map(|key| &key.path);
            steps.any(is_beyond)
        };
        let mut columns = (self.relations.values()).flat_map(|relation| &relation.columns);
        self.protected_names.iter().any(|name| !name.is_ascii()) || columns.any(is_within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few names stay on top, and many do not.
    #[test]
    fn a_name_has_the_relations_that_are_called_so_however_many_were_renamed() {
        let mut names = Names::default();
        for number in 0..1400 {
            names.add(&format!("t{}", number % 700), Oid(number));
        }
        let names = names.settled();
        assert!(names.on_top.is_empty());
        for (renamed, is_many) in [(20, false), (1300, true)] {
            let mut now = names.clone();
            for number in 0..renamed {
                now.remove(&format!("t{}", number % 700), Oid(number));
                now.add("other", Oid(number));
            }
            let now = now.settled();
            assert_eq!(now.on_top.is_empty(), is_many);
            assert_eq!(now.get("other").len(), if is_many { 1300 } else { 20 });
            assert_eq!(now.get("t3").len(), usize::from(!is_many));
            assert_eq!(now.get("t699").len(), if is_many { 1 } else { 2 });
            assert_eq!(names.get("t3"), [Oid(3), Oid(703)]);
            assert_eq!(now.get("nothing"), []);
        }
    }
}
