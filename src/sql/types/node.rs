//! Nodes, and how the values at them came about, for a trace. It decides nothing.

use std::hash::{Hash, Hasher};

use crate::sql::budget::Budget;
use crate::sql::lineage::{How, LineageTrace, Meeting, Origin};

use super::{Shape, Types};

/// An expression's type: an index into the arena; beside it how the value came about, which is no
/// part of what it is.
#[derive(Debug, Clone, Copy)]
pub(in crate::sql) struct TypeVar {
    pub(super) slot: usize,
    pub(super) origin: Origin,
}

impl TypeVar {
    pub(super) const fn at(slot: usize) -> Self {
        let origin = Origin::UNKNOWN;
        Self { slot, origin }
    }

    pub(in crate::sql) const fn origin(self) -> Origin {
        self.origin
    }

    /// Gives this node for a value that came about like this.
    pub(in crate::sql) const fn via(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Gives this node, for a value that came about like another if nothing is known of it yet.
    pub(super) fn like(self, other: Self) -> Self {
        if self.origin == Origin::UNKNOWN {
            self.via(other.origin)
        } else {
            self
        }
    }
}

impl PartialEq for TypeVar {
    fn eq(&self, other: &Self) -> bool {
        self.slot == other.slot
    }
}

impl Eq for TypeVar {}

impl Hash for TypeVar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.slot.hash(state);
    }
}

impl<'a> Types<'a> {
    pub(in crate::sql) fn within(budget: &'a Budget, trace: Option<&'a LineageTrace>) -> Self {
        Self {
            trace,
            budget: Some(budget),
            ..Self::default()
        }
    }

    /// Keeps, for who asks, how the value at a node came about: what is linked to it later is an
    /// id for its sake.
    pub(in crate::sql) fn source(&mut self, node: TypeVar, how: How) -> TypeVar {
        if self.trace.is_some() && node.origin != Origin::UNKNOWN {
            let origin = node.origin;
            let meeting = Meeting { origin, how };
            self.sources.entry(node.slot).or_insert(meeting);
        }
        node
    }

    /// What made a value an id, or its elements.
    pub(in crate::sql) fn met(&self, node: TypeVar) -> Option<Meeting> {
        let root = self.root(node);
        if let Shape::Array(element) = self.shape(root) {
            return self.met(element);
        }
        self.sources.get(&root.slot).copied()
    }
}
