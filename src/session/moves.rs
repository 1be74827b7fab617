//! Whether the definitions of a database may have changed since a snapshot of it was asked for: told
//! by the sessions that change them, those inside the trust boundary too, before they do.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::transient::{Definitions, Pending};
use crate::sql::objects::{Names, Objects};
use crate::sql::plan::Effect;

/// How often the definitions of a database may have changed, as far as the sessions of this process
/// know. It outlives configurations.
#[derive(Debug, Default)]
pub struct Moves {
    count: AtomicU64,
    /// How many changes have been sent and not been answered: each may be there or not.
    under_way: AtomicU64,
    /// How many questions have been asked that show the definitions as they are.
    looks: AtomicU64,
    definitions: Definitions,
}

/// How often the definitions may have changed when a question was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mark {
    pub(super) count: u64,
    /// Whether no change was under way, so that the answer holds as long as the count does. Of one
    /// that was nobody knows on which side of the answer it has come about.
    pub(super) settled: bool,
    /// The number of the question, in the order in which they are asked.
    pub(super) look: u64,
}

impl Moves {
    /// How often they may have changed by now. A snapshot that was asked for when it was this is
    /// right as long as it is, but for what was under way.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Tells how often the definitions may have changed by now, before a question is asked. A
    /// change that begins in between is counted or under way: it is told in the other order.
    pub(super) fn mark(&self) -> Mark {
        let count = self.count();
        Mark {
            count,
            settled: self.under_way.load(Ordering::Acquire) == 0,
            look: self.looks.fetch_add(1, Ordering::AcqRel).wrapping_add(1),
        }
    }

    /// The number of the last question. One with a higher number is asked later, whoever asks it.
    pub(super) fn last_look(&self) -> u64 {
        // In the order of those that count: a plain load might be an old one.
        self.looks.fetch_add(0, Ordering::AcqRel)
    }

    /// How many definitions others may have seen by now.
    pub(super) fn taken(&self) -> u64 {
        self.definitions.taken()
    }

    /// Takes what a change is about that others may see from now on, or later.
    pub(super) fn take(&self, pending: &mut Pending, objects: &Arc<Objects>) {
        pending.take(&self.definitions, objects);
    }

    /// The connection of a session is over: if its transaction is so, too, nothing of what that was
    /// about comes any more. Gives whether that is still open.
    pub(super) fn part(&self, pending: &mut Pending, over: impl FnOnce() -> bool) -> bool {
        if pending.is_open() && over() {
            pending.end(self.advance());
        }
        pending.is_open()
    }

    /// To be called when the server has shown that they have changed. Gives the count.
    pub(super) fn advance(&self) -> u64 {
        self.count.fetch_add(1, Ordering::AcqRel).wrapping_add(1)
    }
}

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// What statements mean: nobody knows that while it is under way.
    Meanings,
    /// An index over columns, which may take hours and counts when it is there. No statement means
    /// anything else by it.
    Index,
}

/// A change that has been sent and not been answered.
#[derive(Debug)]
pub(super) struct Moving {
    moves: Arc<Moves>,
    about: About,
    /// Its answer has counted.
    ended: bool,
}

impl Moving {
    /// To be called before the change is forwarded.
    pub(super) fn begin(moves: &Arc<Moves>, about: About) -> Self {
        Self::begin_counted(moves, about).0
    }

    /// Gives what the count has become, too, if this counts before it is there.
    fn begin_counted(moves: &Arc<Moves>, about: About) -> (Self, Option<u64>) {
        let counts = about == About::Meanings;
        if counts {
            moves.under_way.fetch_add(1, Ordering::AcqRel);
        }
        let count = counts.then(|| moves.advance());
        let moving = Self {
            moves: Arc::clone(moves),
            about,
            ended: false,
        };
        (moving, count)
    }

    /// Whether another change that begins has still to be told of.
    pub(super) fn leaves_open(&self, about: About) -> bool {
        self.about == About::Index && about == About::Meanings
    }

    /// It is answered, and under way until it is dropped. Gives what the count has become.
    pub(super) fn end(&mut self) -> u64 {
        self.ended = true;
        self.moves.advance()
    }

    /// It is answered, and has changed nothing: what was counted when it began is all.
    fn end_in_vain(mut self) {
        self.ended = true;
    }
}

impl Drop for Moving {
    fn drop(&mut self) {
        if !self.ended {
            self.end();
        }
        if self.about == About::Meanings {
            self.moves.under_way.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// The changes of one session, which it has seen itself.
#[derive(Debug, Default)]
pub(super) struct Own {
    under_way: Option<Moving>,
    /// What the count became by each of them that may not be in the snapshot yet.
    counts: Vec<u64>,
    /// They are answered, and seen by others once the batch is over.
    waits: bool,
    /// Some of what is answered may have changed something.
    carried_out: bool,
    /// How many reports have said of the statement that is being answered that it changes nothing.
    in_vain: usize,
    /// What they are about, until their transaction is over.
    pending: Pending,
    /// How often the definitions had changed when the snapshot was asked for by which the first
    /// statement was judged that is being answered.
    forwarded_at: u64,
    /// How many definitions there had been when what is being answered had nothing to do with any.
    clear_at: Cell<Option<u64>>,
}

impl Own {
    /// To be called before a change is forwarded.
    pub(super) fn begin(&mut self, moves: &Arc<Moves>, about: About) {
        if let Some(before) = &mut self.under_way {
            if !before.leaves_open(about) {
                return;
            }
            self.counts.push(before.end());
        }
        let (moving, count) = Moving::begin_counted(moves, about);
        self.counts.extend(count);
        self.under_way = Some(moving);
    }

    /// Takes what a change is about that the server has carried out.
    pub(super) fn take(&mut self, moves: &Moves, objects: &Arc<Objects>) {
        moves.take(&mut self.pending, objects);
    }

    /// Nothing is under way that others may see later.
    pub(super) fn end_transaction(&mut self, moves: &Moves) {
        self.pending.end(moves.count());
    }

    /// The connection is over, and the transaction is `over` with it, in which others have seen
    /// nothing, or all there was to see. Gives whether that is still open.
    pub(super) fn part(&mut self, moves: &Moves, over: impl FnOnce() -> bool) -> bool {
        moves.part(&mut self.pending, over)
    }

    /// Takes down that what is forwarded from now on is judged by a snapshot that was asked for when
    /// the count was this.
    pub(super) fn forward(&mut self, counted: u64) {
        self.forwarded_at = counted;
        self.go_through();
    }

    /// Something is forwarded, for which what was there only in between may be of account.
    pub(super) fn go_through(&mut self) {
        self.clear_at = Cell::new(None);
    }

    /// What is being answered has nothing to do with what was there only in between when there had
    /// been so many definitions.
    pub(super) fn clear(&self, taken: u64) {
        self.clear_at.set(Some(taken));
    }

    /// The names of what may have been there only since what is being answered was forwarded, if it
    /// may have to do with that.
    pub(super) fn transient(&self, moves: &Moves) -> Names {
        let taken = moves.definitions.taken();
        if moves.count() == self.forwarded_at || self.clear_at.get() == Some(taken) {
            return Names::default();
        }
        let definitions = &moves.definitions;
        let names = self.pending.transient(definitions, self.forwarded_at);
        if names.is_empty() {
            self.clear_at.set(Some(taken));
        }
        names
    }

    /// The server has said of the statement that is being answered that it changes nothing, or nothing
    /// of one thing.
    pub(super) const fn hear_in_vain(&mut self) {
        self.in_vain += 1;
    }

    /// A statement is answered. Gives whether it may have changed what others see.
    pub(super) fn answered(&mut self, effect: &Effect, failed: bool) -> bool {
        let said = std::mem::take(&mut self.in_vain);
        let in_vain = effect
            .vain
            .is_some_and(|vain| failed || vain.things == said);
        let changes = effect.ends_transaction || effect.ddl && !effect.private && !in_vain;
        self.carried_out |= changes;
        changes
    }

    /// Everything is answered.
    pub(super) fn end(&mut self) {
        self.waits = false;
        let carried_out = std::mem::take(&mut self.carried_out);
        match self.under_way.take() {
            Some(mut moving) if carried_out => self.counts.push(moving.end()),
            Some(moving) => moving.end_in_vain(),
            None => {}
        }
    }

    /// Everything is answered that has been sent of a batch: nothing more happens before the client
    /// says so.
    pub(super) fn halt(&mut self) {
        let waits = self.waits || self.under_way.is_some() && self.carried_out;
        self.end();
        self.waits = waits;
    }

    /// To be called before what may end that batch is forwarded.
    pub(super) fn go_on(&mut self, moves: &Arc<Moves>) {
        if std::mem::take(&mut self.waits) {
            self.begin(moves, About::Meanings);
            self.carried_out = true;
        }
    }

    /// Whether others have changed something since the count was `settled`.
    pub(super) fn others_have_moved(&self, settled: u64, count: u64) -> bool {
        if count == settled {
            return false;
        }
        let own = self.counts.iter().filter(|own| **own > settled).count();
        u64::try_from(own).is_ok_and(|own| settled.wrapping_add(own) != count)
    }

    /// Forgets what is in the snapshot.
    pub(super) fn forget(&mut self, settled: u64) {
        self.counts.retain(|own| *own > settled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::plan::Vain;

    #[test]
    fn a_change_counts_when_it_is_sent_and_when_it_is_answered() {
        let moves = Arc::new(Moves::default());
        assert_eq!(moves.count(), 0);
        let moving = Moving::begin(&moves, About::Meanings);
        let other = Moving::begin(&moves, About::Meanings);
        assert_eq!(moves.count(), 2);
        drop(moving);
        assert_eq!(moves.count(), 3);
        assert!(!moves.mark().settled);
        drop(other);
        assert_eq!(moves.count(), 4);
        assert!(moves.mark().settled);
    }

    /// The server has carried out a definition.
    fn made(own: &mut Own) {
        let effect = Effect {
            ddl: true,
            ..Effect::default()
        };
        assert!(own.answered(&effect, false));
    }

    #[test]
    fn what_is_for_nothing_counts_when_it_is_sent() {
        let moves = Arc::new(Moves::default());
        let vain = Effect {
            ddl: true,
            vain: Some(Vain {
                things: 2,
                codes: &[],
                routines: &[],
            }),
            ..Effect::default()
        };
        // How many reports say so, whether it fails, and whether it has changed something.
        for (said, failed, changes) in [(2, false, false), (0, true, false), (1, false, true)] {
            let mut own = Own::default();
            let before = moves.count();
            own.begin(&moves, About::Meanings);
            assert!(moves.count() == before + 1 && !moves.mark().settled);
            (0..said).for_each(|_| own.hear_in_vain());
            assert_eq!(own.answered(&vain, failed), changes);
            own.halt();
            own.go_on(&moves);
            own.end();
            assert!(moves.mark().settled);
            assert_eq!(moves.count(), before + if changes { 4 } else { 1 });
            assert!(!own.others_have_moved(before, moves.count()));
        }
    }

    #[test]
    fn an_index_counts_when_it_is_there() {
        let moves = Arc::new(Moves::default());
        let mut own = Own::default();
        own.begin(&moves, About::Index);
        assert!(moves.count() == 0 && moves.mark().settled);
        own.begin(&moves, About::Meanings);
        own.begin(&moves, About::Index);
        assert!(moves.count() == 2 && !moves.mark().settled);
        made(&mut own);
        own.end();
        assert!(moves.count() == 3 && moves.mark().settled);
        assert!(!own.others_have_moved(0, moves.count()));
    }

    #[test]
    fn a_session_tells_its_own_changes_from_those_of_others() {
        let moves = Arc::new(Moves::default());
        let mut own = Own::default();
        own.begin(&moves, About::Meanings);
        assert!(!own.others_have_moved(0, moves.count()));
        let other = Moving::begin(&moves, About::Meanings);
        assert!(own.others_have_moved(0, moves.count()));
        made(&mut own);
        own.end();
        own.end();
        drop(other);
        assert_eq!(moves.count(), 4);
        assert!(own.others_have_moved(0, moves.count()));
        let mark = moves.mark();
        assert!(mark.settled && !own.others_have_moved(mark.count, moves.count()));
        own.begin(&moves, About::Meanings);
        own.forget(mark.count);
        assert!(!own.others_have_moved(mark.count, moves.count()));
        moves.advance();
        assert!(own.others_have_moved(mark.count, moves.count()));
    }
}
