//! Whether the open transaction has taken the annotation of a column away, and whether what comes next
//! runs in a block for certain.

use crate::sql::plan::{Effect, PathChange};
use crate::wire::backend::TransactionStatus;

/// What is known of the transaction that the next message runs in, and of what it has lost.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// A foreign key may have been dropped by which a column was annotated.
    pub(super) loosened: bool,
    /// A part of it may be undone that had failed.
    pub(super) revives: bool,
    /// The batch in which a block has been begun that is still open.
    pub(super) begun: Option<u64>,
    /// A block may have ended since the server has told of it last.
    pub(super) ended: bool,
}

impl Losses {
    /// Takes note of a statement that is being forwarded in this batch.
    pub(super) fn foresee(&mut self, effect: &Effect, begins: bool, batch: u64) {
        self.loosened |= effect.loses().is_some();
        self.revives |= effect.ends_transaction;
        if ends_block(effect) {
            (self.begun, self.ended) = (None, true);
        }
        if begins {
            self.begun = Some(batch);
        }
    }

    /// Takes note of a statement that is being forwarded, and that has been cleared at a glance: it
    /// may begin or end a block.
    pub(super) const fn glance(&mut self) {
        (self.begun, self.ended) = (None, true);
    }

    /// The server has told its status, and owes nothing or more answers.
    pub(super) fn settle(&mut self, status: TransactionStatus, owes_nothing: bool) {
        if owes_nothing {
            (self.begun, self.ended, self.revives) = (None, false, false);
            self.loosened &= status != TransactionStatus::Idle;
        }
    }
}

/// Whether a statement ends a block, and not a part of it.
pub(super) fn ends_block(effect: &Effect) -> bool {
    effect.ends_transaction && effect.search_path != PathChange::Reverted
}
