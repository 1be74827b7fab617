//! Values of a result that are keys, and what clients see in their place.

use crate::catalog::DomainId;
use crate::wire::value::{Shape, Type, Types};

/// A column that holds keys, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IdField {
    /// The place of the column in its row.
    pub(super) index: usize,
    /// The kind of the ids.
    pub(super) domain: DomainId,
    /// The type of the keys.
    pub(super) of: Type,
    /// The type of the ids.
    pub(super) shown: Type,
    /// Whether its values are keys or arrays of them.
    pub(super) shape: Shape,
}

impl IdField {
    /// From what the server sends to what clients see.
    pub(super) const fn types(&self) -> Types {
        Types {
            from: self.of,
            to: self.shown,
        }
    }
}
