//! The search path as a transaction changes it: what it is now, and what its end makes of it.

use crate::catalog::SearchPath;

use super::PathChange;

/// Where names are looked for; `None` where only the server knows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Paths {
    /// In the next statement.
    pub now: Option<SearchPath>,
    /// Behind a commit.
    pub committed: Option<SearchPath>,
    /// Behind a rollback.
    pub rolled_back: Option<SearchPath>,
    /// The transaction has changed it, if only back to what it was: what an earlier savepoint has
    /// seen may be another one.
    touched: bool,
}

impl Paths {
    /// No open transaction has changed the path.
    #[must_use]
    pub fn settled(path: Option<SearchPath>) -> Self {
        Self {
            committed: path.clone(),
            rolled_back: path.clone(),
            now: path,
            touched: false,
        }
    }

    /// Whether no end of the transaction changes the path.
    #[must_use]
    pub fn are_settled(&self) -> bool {
        self.now.is_some()
            && !self.touched
            && self.now == self.committed
            && self.now == self.rolled_back
    }

    /// Takes what a statement changes.
    pub fn change(&mut self, change: &PathChange) {
        match change {
            PathChange::Unchanged => {}
            PathChange::Predicted { path, local } => {
                self.touched = true;
                self.now = Some(path.clone());
                if !local {
                    self.committed.clone_from(&self.now);
                }
            }
            PathChange::Unknown => self.forget(),
            PathChange::Reverted if self.are_settled() => {}
            PathChange::Reverted => self.forget(),
            // A transaction that has failed is rolled back.
            PathChange::Committed if self.committed == self.rolled_back => {
                *self = Self::settled(self.committed.take());
            }
            PathChange::Committed => *self = Self::default(),
            PathChange::RolledBack => *self = Self::settled(self.rolled_back.take()),
        }
    }

    /// Only the server knows the path, and what a commit would make of it.
    pub fn forget(&mut self) {
        (self.now, self.committed) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(schema: &str) -> SearchPath {
        SearchPath::new(vec![schema.to_owned()])
    }

    fn after(changes: &[PathChange]) -> Option<SearchPath> {
        let mut paths = Paths::settled(Some(path("a")));
        changes.iter().for_each(|change| paths.change(change));
        paths.now
    }

    #[test]
    fn an_end_takes_back_what_it_takes_back_in_postgres() {
        let set = |local| PathChange::Predicted {
            path: path("b"),
            local,
        };
        let back = || PathChange::Predicted {
            path: path("a"),
            local: true,
        };
        use PathChange::{Committed, Reverted, RolledBack, Unknown};
        for (changes, expected) in [
            (&[Committed][..], Some("a")),
            (&[Reverted], Some("a")),
            (&[set(true)], Some("b")),
            (&[set(true), Committed], Some("a")),
            (&[set(true), RolledBack], Some("a")),
            (&[set(true), Reverted], None),
            // To a savepoint between the two.
            (&[set(true), back(), Reverted], None),
            (&[set(true), back(), Committed, Reverted], Some("a")),
            (&[set(false), RolledBack], Some("a")),
            // Who knows whether it has failed.
            (&[set(false), Committed], None),
            (&[set(false), set(true), RolledBack], Some("a")),
            (&[Unknown], None),
            (&[Unknown, Committed], None),
            (&[Unknown, RolledBack], Some("a")),
            (&[Unknown, set(true)], Some("b")),
            (&[Unknown, set(true), Committed], None),
            (&[set(true), Reverted, RolledBack], Some("a")),
        ] {
            assert_eq!(after(changes), expected.map(path), "{changes:?}");
        }
    }
}
