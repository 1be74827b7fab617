//! Parts of shared objects that change. A session is a machine that one thread drives at a time, but its
//! statements and portals stand under a name and in several entries of the queue at once: what
//! changes about them lies in cells, and whoever may change the map may change what is in the cells.

use std::fmt;

use qcell::{QCell, QCellOwner};

/// Gives access to what changes about the objects of one map.
#[derive(Default)]
pub(super) struct Owner(QCellOwner);

/// A part of an object that changes while others hold the object: whoever has the [`Owner`] reads
/// and changes it.
pub(super) struct Owned<T>(QCell<T>);

impl Owner {
    pub(super) fn own<T>(&self, value: T) -> Owned<T> {
        Owned(self.0.cell(value))
    }

    pub(super) fn get<'a, T>(&'a self, owned: &'a Owned<T>) -> &'a T {
        self.0.ro(&owned.0)
    }

    pub(super) fn get_mut<'a, T>(&'a mut self, owned: &'a Owned<T>) -> &'a mut T {
        self.0.rw(&owned.0)
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Owner")
    }
}

impl<T> fmt::Debug for Owned<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Owned")
    }
}

/// What changes about an object while others hold it, by the owner of its kind.
pub(super) trait Stateful {
    type State;

    /// The cell of the state.
    fn cell(&self) -> &Owned<Self::State>;

    fn state<'a>(&'a self, owner: &'a Owner) -> &'a Self::State {
        owner.get(self.cell())
    }

    fn state_mut<'a>(&'a self, owner: &'a mut Owner) -> &'a mut Self::State {
        owner.get_mut(self.cell())
    }

    /// Whether the server has it.
    fn is_live(&self, owner: &Owner) -> bool;

    /// Takes down whether the server has it.
    fn set_live(&self, owner: &mut Owner, to: bool);
}
