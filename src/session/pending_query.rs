//! A question of a session's own under way, and how often it is asked.

use std::time::Duration;

use super::moves::Mark;
use super::own_query::{Extent, OwnQuery};
use crate::wire::backend::TransactionStatus;

/// So often a question is asked that is not answered. What others change all the time can't be
/// read at once, so the last attempts do without definitions.
pub(super) const MAX_ATTEMPTS: u8 = 6;

/// Attempts from this one on do without definitions.
pub(super) const BARE_ATTEMPT: u8 = 4;

/// A question of the session's own; the client's messages wait.
#[derive(Debug)]
pub(super) struct PendingQuery {
    pub(super) step: Step,
    /// The ReadyForQuery that the client gets afterwards.
    pub(super) held: Option<TransactionStatus>,
    pub(super) attempt: Attempt,
}

/// How a session stands to the questions of others.
#[derive(Debug, Default)]
pub(super) struct PlaceInLine {
    /// Its owner says when it is its turn to ask what another session may ask as well.
    pub(super) joins: bool,
    /// It asks for those behind it too.
    pub(super) heads: bool,
    /// It has asked for them, and there was no answer.
    pub(super) failed: bool,
}

/// Where a question stands.
#[derive(Debug)]
pub(super) enum Step {
    /// It stands in line with those of other sessions: the answer to one that is asked behind the
    /// one with this number is an answer to it.
    InLine {
        after: u64,
    },
    Asked(Asked),
}

/// A question under way.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) interlude: OwnQuery,
    /// When it was asked, and how often the database may have changed by then.
    pub(super) at: (Duration, Mark),
    /// Another session has looked at the definitions meanwhile, and no more than the path is asked
    /// for.
    pub(super) joined: bool,
}

/// How a question is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub(super) number: u8,
    /// For so much of the snapshot, whatever was wanted.
    pub(super) snapshot: Option<Extent>,
}

impl Attempt {
    pub(super) const FIRST: Self = Self {
        number: 1,
        snapshot: None,
    };

    pub(super) const fn is_first(self) -> bool {
        self.number == 1 && self.snapshot.is_none()
    }

    /// How it is asked again. What does not fit together with what is known is asked for without
    /// that.
    pub(super) const fn again(self, unfit: bool) -> Self {
        Self {
            number: self.number + 1,
            snapshot: if unfit {
                Some(Extent::All)
            } else {
                self.snapshot
            },
        }
    }
}
