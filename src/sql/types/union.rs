//! Sets of nodes through which one value flows: union by size, with paths halved on the way, so
//! that n nodes cost n steps and a few, in whatever order they are linked.

use std::cell::Cell;
use std::collections::HashSet;

use super::facts::Facts;
use super::{Id, JSON, JSONB, Shape, TypeVar};
use crate::sql::plan::{Bound, TargetColumn};

/// What is known of all nodes of one set.
#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) shape: Shape,
    /// The column that the value would be stored in.
    pub(super) stored: Option<TargetColumn>,
    /// The place of the last mention that is in the set.
    pub(super) mention: Option<usize>,
    /// Whether its values sort as their keys do: ids alone, or texts of which each has an id behind
    /// what is the same in all of them.
    pub(super) sorts: bool,
    /// What the keys in its tags are.
    pub(super) tags: Tags,
    /// A key in the set that is taken out of a document.
    pub(super) leaf: Option<TypeVar>,
    /// What its values bound, if they are compared for order.
    pub(super) bound: Option<Bound>,
    /// What is in it.
    facts: Facts,
    /// The slots of the arrays and rows that contain it.
    above: Vec<usize>,
    /// The node that the others were linked to, one after the other. Which one it is shows in
    /// traces, and does not depend on which of two sets was the larger.
    head: TypeVar,
    size: usize,
}

/// What keys there are in the tags of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sql) enum Tags {
    /// None that anybody knows of.
    Unknown,
    /// Those of one domain.
    Of(Id),
    /// Those of several.
    Several,
}

impl Tags {
    /// What there is in a value that holds both.
    pub(in crate::sql) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, tags) | (tags, Self::Unknown) => tags,
            (Self::Of(one), Self::Of(other)) if one.is_of_keys_like(other) => self,
            _ => Self::Several,
        }
    }
}

/// All sets of one analysis.
#[derive(Debug, Clone, Default)]
pub(super) struct Sets {
    /// Towards the slot where the set of a slot is kept; that one's is its own.
    parents: Vec<Cell<usize>>,
    /// By slot; of use where the set is kept.
    sets: Vec<Set>,
    /// By the slot where a set is kept, what was found for it: the key of a document that its value
    /// is, or is a mention of.
    found: Vec<Cell<Option<Found>>>,
    /// So often has changed what was found.
    changes: usize,
}

/// What a walk along mentions has found, and how many changes there had been.
#[derive(Debug, Clone, Copy)]
struct Found {
    leaf: Option<TypeVar>,
    changes: usize,
}

/// The set of a node of another analysis, of which nothing is known.
const FOREIGN: &Set = &Set {
    shape: Shape::Plain(0),
    stored: None,
    mention: None,
    sorts: false,
    tags: Tags::Unknown,
    leaf: None,
    bound: None,
    facts: Facts::NONE,
    above: Vec::new(),
    head: TypeVar::at(usize::MAX),
    size: 1,
};

impl Sets {
    /// A set of one node.
    pub(super) fn add(&mut self, shape: Shape) -> TypeVar {
        let node = TypeVar::at(self.sets.len());
        let facts = self.contained(&shape, node.slot);
        self.parents.push(Cell::new(node.slot));
        self.found.push(Cell::new(None));
        self.sets.push(Set {
            // JSON sorts by one member after the other.
            sorts: matches!(shape, Shape::Id(_) | Shape::Tagged(JSON | JSONB)),
            shape,
            stored: None,
            mention: None,
            tags: Tags::Unknown,
            leaf: None,
            bound: None,
            facts,
            above: Vec::new(),
            head: node,
            size: 1,
        });
        node
    }

    /// What is in a shape; what it contains goes on to tell the slot.
    fn contained(&mut self, shape: &Shape, slot: usize) -> Facts {
        let mut facts = Facts::of(shape);
        let parts = match shape {
            Shape::Array(element) => std::slice::from_ref(element),
            Shape::Record(fields) => fields,
            _ => &[],
        };
        for part in parts {
            let part = self.find(part.slot);
            if let Some(set) = self.sets.get_mut(part) {
                facts = facts.and(set.facts);
                if set.above.last() != Some(&slot) {
                    set.above.push(slot);
                }
            }
        }
        facts
    }

    /// What is in a node.
    pub(super) fn facts(&self, node: TypeVar) -> Facts {
        self.get(node).facts
    }

    /// Whether a node is in an array or a row, or in one in it.
    pub(super) fn is_within(&self, part: TypeVar, whole: TypeVar) -> bool {
        if !matches!(self.get(whole).shape, Shape::Array(_) | Shape::Record(_)) {
            return false;
        }
        let (mut seen, whole) = (HashSet::new(), self.find(whole.slot));
        let mut around = vec![self.find(part.slot)];
        while let Some(slot) = around.pop() {
            let above = self.sets.get(slot).map_or(&[][..], |set| &set.above);
            for slot in above.iter().map(|slot| self.find(*slot)) {
                if slot == whole {
                    return true;
                }
                if seen.insert(slot) {
                    around.push(slot);
                }
            }
        }
        false
    }

    /// Tells a set, and all that contain it, what else is in it.
    fn tell(&mut self, slot: usize, facts: Facts) {
        let mut told = vec![slot];
        while let Some(slot) = told.pop() {
            let slot = self.find(slot);
            if let Some(set) = self.sets.get_mut(slot)
                && set.facts.and(facts) != set.facts
            {
                set.facts = set.facts.and(facts);
                told.extend(&set.above);
            }
        }
    }

    /// Tells all that contain a set what else is in it.
    fn tell_above(&mut self, slot: usize, facts: Facts) {
        let above = std::mem::take(&mut self.sets[slot].above);
        for container in &above {
            self.tell(*container, facts);
        }
        self.sets[slot].above = above;
    }

    /// Changes the shape of a set.
    pub(super) fn set_shape(&mut self, node: TypeVar, shape: Shape) {
        let slot = self.find(node.slot);
        let facts = self.contained(&shape, slot);
        let before = self.sets[slot].facts;
        self.sets[slot].shape = shape;
        self.sets[slot].facts = facts;
        if facts.and(before) != before {
            self.tell_above(slot, facts);
        }
    }

    /// Nothing in the array or row is without a type any more.
    pub(super) fn close(&mut self, node: TypeVar) {
        let facts = match &self.get(node).shape {
            Shape::Array(element) => self.facts(*element),
            Shape::Record(fields) => {
                let fields = fields.iter().map(|field| self.facts(*field));
                fields.fold(Facts::NONE, Facts::and)
            }
            shape => Facts::of(shape),
        };
        self.get_mut(node).facts = facts;
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The slot where the set of a slot is kept.
    fn find(&self, mut slot: usize) -> usize {
        while let Some(parent) = self.parents.get(slot) {
            let above = parent.get();
            if above == slot {
                break;
            }
            let next = self.parents.get(above).map_or(above, Cell::get);
            parent.set(next);
            slot = next;
        }
        slot
    }

    pub(super) fn get(&self, node: TypeVar) -> &Set {
        self.sets.get(self.find(node.slot)).unwrap_or(FOREIGN)
    }

    pub(super) fn get_mut(&mut self, node: TypeVar) -> &mut Set {
        let slot = self.find(node.slot);
        &mut self.sets[slot]
    }

    /// What was found for a node since the last change.
    pub(super) fn found(&self, node: TypeVar) -> Option<Option<TypeVar>> {
        let found = self.found.get(self.find(node.slot))?.get()?;
        (found.changes == self.changes).then_some(found.leaf)
    }

    /// Keeps it for all nodes that a walk came by.
    pub(super) fn keep_found(&self, walked: &[TypeVar], leaf: Option<TypeVar>) {
        let changes = self.changes;
        for node in walked {
            if let Some(found) = self.found.get(self.find(node.slot)) {
                found.set(Some(Found { leaf, changes }));
            }
        }
    }

    /// What is found from a node on is about to change. If no walk came by, none depends on it.
    pub(super) fn forget_found(&mut self, node: TypeVar) {
        let walked = self.found.get(self.find(node.slot));
        if walked.is_some_and(|found| found.get().is_some()) {
            self.changes += 1;
        }
    }

    /// The node that all others of the set were linked to.
    pub(super) fn head(&self, node: TypeVar) -> TypeVar {
        let head = self.get(node).head;
        if head.slot == node.slot || head.slot == usize::MAX {
            node
        } else {
            head
        }
    }

    /// Makes one set of two. What is known of `to` holds for all of it; gives what was known of
    /// where the values of the other would be stored.
    pub(super) fn link(&mut self, from: TypeVar, to: TypeVar) -> Option<TargetColumn> {
        let head = self.head(to);
        let (from, to) = (self.find(from.slot), self.find(to.slot));
        if from == to {
            return None;
        }
        let stored = self.sets.get_mut(from)?.stored.take();
        let (from_size, to_size) = (self.sets[from].size, self.sets[to].size);
        let mention = self.sets[from].mention.max(self.sets[to].mention);
        let leaf = self.sets[to].leaf.or(self.sets[from].leaf);
        let sorts = self.sets[to].sorts && self.sets[from].sorts;
        let tags = self.sets[to].tags.and(self.sets[from].tags);
        let bound = Bound::and(self.sets[to].bound, self.sets[from].bound);
        for slot in [from, to] {
            let set = &self.sets[slot];
            if (set.leaf, set.mention) != (leaf, mention) {
                self.forget_found(TypeVar::at(slot));
            }
        }
        let (loser, winner) = if from_size > to_size {
            self.sets.swap(from, to);
            (to, from)
        } else {
            (from, to)
        };
        self.parents[loser].set(winner);
        if let (lost @ Some(_), None) = (self.found[loser].get(), self.found[winner].get()) {
            self.found[winner].set(lost);
        }
        // What contained the one contains what is in the other from here on.
        let facts = self.sets[winner].facts;
        if facts.and(self.sets[loser].facts) != self.sets[loser].facts {
            self.tell_above(loser, facts);
        }
        let mut above = std::mem::take(&mut self.sets[loser].above);
        let set = &mut self.sets[winner];
        if above.len() > set.above.len() {
            std::mem::swap(&mut above, &mut set.above);
        }
        set.above.extend(above);
        set.size = from_size + to_size;
        set.head = head;
        set.mention = mention;
        set.sorts = sorts;
        set.tags = tags;
        set.leaf = leaf;
        set.bound = bound;
        stored
    }
}
