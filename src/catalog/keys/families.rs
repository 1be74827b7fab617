//! Columns that foreign keys tie together, also through composite keys and chains: what one of them
//! is, all are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::catalog::draft::Place;

/// Columns that have their keys in common.
#[derive(Debug)]
pub(crate) struct Family {
    /// All columns of the family, in the order of their oids.
    pub(crate) members: Vec<Place>,
    /// Those that refer to no other: they define the keys. Where they refer to each other in a
    /// circle it is the first.
    pub(crate) heads: Vec<Place>,
}

/// All families of more than one column.
#[derive(Debug, Default)]
pub(crate) struct Families {
    all: Vec<Family>,
    of: HashMap<Place, usize>,
}

impl Families {
    /// The families that these pairs make: a column that refers, and the other.
    pub(crate) fn new(pairs: &[(Place, Place)]) -> Self {
        let mut ties: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
        let mut referring = BTreeSet::new();
        for (from, to) in pairs {
            ties.entry(*from).or_default().insert(*to);
            ties.entry(*to).or_default().insert(*from);
            referring.insert(*from);
        }
        let mut families = Self::default();
        for start in ties.keys() {
            if families.of.contains_key(start) {
                continue;
            }
            let mut members = BTreeSet::new();
            let mut open = vec![*start];
            while let Some(place) = open.pop() {
                if members.insert(place) {
                    open.extend(ties.get(&place).into_iter().flatten());
                }
            }
            let members: Vec<Place> = members.into_iter().collect();
            let is_head = |place: &&Place| !referring.contains(*place);
            let mut heads: Vec<Place> = members.iter().filter(is_head).copied().collect();
            if heads.is_empty() {
                heads.push(*start);
            }
            let index = families.all.len();
            families
                .of
                .extend(members.iter().map(|place| (*place, index)));
            families.all.push(Family { members, heads });
        }
        families
    }

    /// The family of a column; none if it is alone.
    pub(crate) fn of(&self, place: Place) -> Option<&Family> {
        self.all.get(*self.of.get(&place)?)
    }

    /// Whether a column follows another.
    pub(crate) fn follows(&self, place: Place) -> bool {
        self.of(place)
            .is_some_and(|family| !family.heads.contains(&place))
    }

    /// How many columns follow this one.
    pub(crate) fn followers(&self, place: Place) -> usize {
        self.of(place)
            .map_or(0, |family| family.members.len() - family.heads.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Oid;

    fn place(relation: u32, column: i16) -> Place {
        (Oid(relation), column)
    }

    #[test]
    fn chains_circles_and_columns_with_two_heads_are_families() {
        let families = Families::new(&[
            (place(2, 1), place(1, 1)),
            (place(3, 1), place(2, 1)),
            (place(5, 1), place(6, 1)),
            (place(6, 1), place(5, 1)),
            (place(9, 2), place(7, 1)),
            (place(9, 2), place(8, 1)),
        ]);
        let heads = |at: Place| families.of(at).map(|family| family.heads.clone());
        assert_eq!(heads(place(3, 1)), Some(vec![place(1, 1)]));
        assert_eq!(families.followers(place(1, 1)), 2);
        assert!(families.follows(place(3, 1)) && !families.follows(place(1, 1)));
        assert_eq!(heads(place(6, 1)), Some(vec![place(5, 1)]));
        assert_eq!(heads(place(9, 2)), Some(vec![place(7, 1), place(8, 1)]));
        assert_eq!(heads(place(4, 1)), None);
    }
}
