//! Whether the definitions of a database may have changed since a picture of it was asked for: told
//! by the sessions that change them, those inside the trust boundary too, before they do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often the definitions of a database may have changed, as far as the sessions of this process
/// know. It outlives configurations.
#[derive(Debug, Default)]
pub struct Moves {
    count: AtomicU64,
}

impl Moves {
    /// How often they may have changed by now. A picture that was asked for when it was this is
    /// right as long as it is.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// To be called when the server has shown that they have changed.
    pub(super) fn advance(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
    }
}

/// A change that has been sent and not been answered.
#[derive(Debug)]
pub(super) struct Moving(Arc<Moves>);

impl Moving {
    /// To be called before the change is forwarded.
    pub(super) fn begin(moves: &Arc<Moves>) -> Self {
        moves.advance();
        Self(Arc::clone(moves))
    }
}

impl Drop for Moving {
    fn drop(&mut self) {
        self.0.advance();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_counts_when_it_is_sent_and_when_it_is_answered() {
        let moves = Arc::new(Moves::default());
        assert_eq!(moves.count(), 0);
        let moving = Moving::begin(&moves);
        let other = Moving::begin(&moves);
        assert_eq!(moves.count(), 2);
        drop(moving);
        assert_eq!(moves.count(), 3);
        drop(other);
        assert_eq!(moves.count(), 4);
    }
}
