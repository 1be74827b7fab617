//! Sets of nodes through which one value flows: union by size, with paths halved on the way, so
//! that n nodes cost n steps and a few, in whatever order they are linked.

use std::cell::Cell;

use super::{JSON, JSONB, Node, Shape};
use crate::sql::plan::Stored;

/// What is known of all nodes of one set.
#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) shape: Shape,
    /// The column that the value would be stored in.
    pub(super) stored: Option<Stored>,
    /// The place of the last mention that is in the set.
    pub(super) mention: Option<usize>,
    /// Whether its values sort as their keys do: ids alone, or texts of which each has an id behind
    /// what is the same in all of them.
    pub(super) sorts: bool,
    /// A key in the set that is taken out of a document.
    pub(super) leaf: Option<Node>,
    /// The node that the others were linked to, one after the other. Which one it is shows in
    /// traces, and does not depend on which of two sets was the larger.
    head: Node,
    size: usize,
}

/// All sets of one analysis.
#[derive(Debug, Clone, Default)]
pub(super) struct Sets {
    /// Towards the slot where the set of a slot is kept; that one's is its own.
    parents: Vec<Cell<usize>>,
    /// By slot; of use where the set is kept.
    sets: Vec<Set>,
}

/// The set of a node of another analysis, of which nothing is known.
const FOREIGN: &Set = &Set {
    shape: Shape::Native(0),
    stored: None,
    mention: None,
    sorts: false,
    leaf: None,
    head: Node::at(usize::MAX),
    size: 1,
};

impl Sets {
    /// A set of one node.
    pub(super) fn add(&mut self, shape: Shape) -> Node {
        let node = Node::at(self.sets.len());
        self.parents.push(Cell::new(node.slot));
        self.sets.push(Set {
            // JSON sorts by one member after the other.
            sorts: matches!(shape, Shape::Id(_) | Shape::Tagged(JSON | JSONB)),
            shape,
            stored: None,
            mention: None,
            leaf: None,
            head: node,
            size: 1,
        });
        node
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

    pub(super) fn get(&self, node: Node) -> &Set {
        self.sets.get(self.find(node.slot)).unwrap_or(FOREIGN)
    }

    pub(super) fn get_mut(&mut self, node: Node) -> &mut Set {
        let slot = self.find(node.slot);
        &mut self.sets[slot]
    }

    /// The node that all others of the set were linked to.
    pub(super) fn head(&self, node: Node) -> Node {
        let head = self.get(node).head;
        if head.slot == node.slot || head.slot == usize::MAX {
            node
        } else {
            head
        }
    }

    /// Makes one set of two. What is known of `to` holds for all of it; gives what was known of
    /// where the values of the other would be stored.
    pub(super) fn link(&mut self, from: Node, to: Node) -> Option<Stored> {
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
        let (loser, winner) = if from_size > to_size {
            self.sets.swap(from, to);
            (to, from)
        } else {
            (from, to)
        };
        self.parents[loser].set(winner);
        let set = &mut self.sets[winner];
        set.size = from_size + to_size;
        set.head = head;
        set.mention = mention;
        set.sorts = sorts;
        set.leaf = leaf;
        stored
    }
}
