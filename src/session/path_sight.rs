//! When a session has last been told where names are looked for, and what.

use std::time::Duration;

use super::moves::Mark;
use super::shared::Epoch;
use crate::catalog::SearchPath;

/// What the server has said of the search path last.
#[derive(Debug)]
pub(super) struct PathSight {
    /// Nothing if the session has changed it since, or may have.
    told: Option<SearchPath>,
    at: Duration,
    /// How often the database may have changed by then.
    count: u64,
    /// The snapshot that was used by then.
    epoch: Option<Epoch>,
    /// What it has said since an answer is held back was not what it had said before, for no doing
    /// of the session's.
    drifted: bool,
}

impl PathSight {
    /// Begins with what was told at the login, if anything was.
    pub(super) fn new(told: Option<SearchPath>, asked_at: (Duration, Mark)) -> Self {
        let mut sight = Self {
            told: None,
            at: Duration::ZERO,
            // As often as it never will have, so that the path is asked for.
            count: u64::MAX,
            epoch: None,
            drifted: false,
        };
        if let Some(told) = told {
            sight.tell(&told, asked_at, None);
        }
        sight
    }

    /// Takes what the server says. What was under way then may have come about behind it.
    pub(super) fn tell(
        &mut self,
        path: &SearchPath,
        (at, mark): (Duration, Mark),
        epoch: Option<Epoch>,
    ) {
        self.epoch = epoch;
        // What the session makes brings its temporary schema, and no other.
        let is_other = |told: &SearchPath| told.lasting() != path.lasting();
        self.drifted |= self.told.as_ref().is_some_and(is_other);
        self.told = Some(path.clone());
        if mark.settled {
            (self.at, self.count) = (at, mark.count);
        }
    }

    /// The session changes it, or may do so.
    pub(super) fn forget(&mut self) {
        (self.told, self.epoch) = (None, None);
    }

    /// An answer begins to be held back.
    pub(super) fn watch(&mut self) {
        self.drifted = false;
    }

    /// Whether others have moved it since then, as far as the server has said.
    pub(super) const fn has_drifted(&self) -> bool {
        self.drifted
    }

    /// Whether it was told by the time of this snapshot: as long as that is right, so is the path.
    pub(super) fn is_of(&self, epoch: Epoch) -> bool {
        self.epoch == Some(epoch)
    }

    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// Whether the last word is as old as that. Where no snapshot is trusted every answer waits for
    /// a new one.
    pub(super) fn is_older(&self, age: Duration, now: Duration) -> bool {
        !age.is_zero() && now.saturating_sub(self.at) >= age
    }
}
