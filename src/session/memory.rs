//! The budget of bytes for what sessions hold back: messages that are not complete, what waits
//! for a socket, statements under names, what is being built. One for the whole process.
//!
//! An allocation that fails ends a Rust process. So whatever may be large is asked for before it
//! is allocated, and who asks for too much is refused alone. What is small is not asked for:
//! each session has a reserve of its own, which it has even when others have used up the budget,
//! and what it has allocated beyond that is settled with the budget at the end of each turn.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::{Bytes, BytesMut};

use crate::sql::Refusal;
use crate::sql::refusal::Code;

/// What each session may hold besides the budget, in bytes: the messages of nearly all sessions,
/// and some statements.
pub const RESERVE_BYTES: usize = 64 * 1024;

/// Sessions take from the budget and give back in steps of this, in bytes, so that those that
/// stream rarely touch what all share.
const STEP_BYTES: usize = 256 * 1024;

/// Messages up to this length are not asked for: buffers for reading are as large.
pub(super) const SMALL_BYTES: usize = 32 * 1024;

/// What waits in a queue is counted as so much, and by itself what is larger.
const SMALL_KEPT_BYTES: usize = 1024;

/// So many things in a queue are asked for at once.
const QUEUED: usize = 256;

/// What so many things in a queue take in memory, but for those that are large.
pub(super) const fn queued_bytes(count: usize) -> usize {
    count * SMALL_KEPT_BYTES
}

/// The budget of all sessions.
#[derive(Debug)]
pub struct Memory {
    limit: AtomicUsize,
    leased: AtomicUsize,
}

impl Default for Memory {
    /// A budget without end.
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl Memory {
    /// Makes a budget of so many bytes.
    #[must_use]
    pub const fn new(bytes: usize) -> Self {
        Self {
            limit: AtomicUsize::new(bytes),
            leased: AtomicUsize::new(0),
        }
    }

    /// Changes the budget. What is held stays, also if it is more.
    pub fn set_limit(&self, bytes: usize) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    /// Tells how many bytes sessions have taken, their reserves not counted.
    #[must_use]
    pub fn leased(&self) -> usize {
        self.leased.load(Ordering::Relaxed)
    }

    /// Tells how many bytes they may take.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit.load(Ordering::Relaxed)
    }

    /// Whether nothing is left.
    fn is_used_up(&self) -> bool {
        self.leased() >= self.limit.load(Ordering::Relaxed)
    }

    /// Whether so many bytes would be there now.
    ///
    /// # Errors
    /// If not.
    pub(super) fn offers(&self, bytes: usize) -> Result<(), Exceeded> {
        self.take(bytes)?;
        self.give(bytes);
        Ok(())
    }

    fn take(&self, bytes: usize) -> Result<(), Exceeded> {
        let limit = self.limit.load(Ordering::Relaxed);
        let taken = |leased: usize| leased.checked_add(bytes).filter(|sum| *sum <= limit);
        let order = Ordering::Relaxed;
        let updated = self.leased.fetch_update(order, order, taken);
        updated.map(drop).map_err(|_| Exceeded { bytes })
    }

    /// Takes what has been allocated already.
    fn overdraw(&self, bytes: usize) {
        self.leased.fetch_add(bytes, Ordering::Relaxed);
    }

    fn give(&self, bytes: usize) {
        self.leased.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The budget has no room for so many bytes, or the system has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("out of memory")]
pub struct Exceeded {
    bytes: usize,
}

impl Exceeded {
    /// Tells it in Postgres's words.
    pub(super) fn detail(self) -> String {
        format!("Failed on request of size {}.", self.bytes)
    }

    /// The advice for whoever may raise the limit.
    pub(super) const HINT: &'static str =
        "Send less at once, or raise memory_bytes in [limits] of pgveil.";

    /// Tells of the lack of memory as the error of a statement.
    pub(super) fn refusal(self) -> Refusal {
        Refusal::new(Code::Limit, "53200", "out of memory")
            .detail(self.detail())
            .hint(Self::HINT)
    }
}

/// What a session holds, as far as names, queues and portals keep it: shared with all that is
/// kept, so that each thing is counted until the last one lets go of it.
#[derive(Debug, Default, Clone)]
pub(super) struct Account(Arc<Sums>);

#[derive(Debug, Default)]
struct Sums {
    /// What the session's lease has to cover.
    own: AtomicUsize,
    /// What it keeps together with others, who may have paid for it.
    common: AtomicUsize,
}

impl Account {
    /// Counts so many bytes until what is returned is dropped.
    pub(super) fn hold(&self, bytes: usize) -> Held {
        self.0.own.fetch_add(bytes, Ordering::Relaxed);
        Held {
            account: self.clone(),
            own: bytes,
            common: None,
        }
    }

    /// Counts what is large, of what is not kept under a name.
    pub(super) fn hold_large(&self, bytes: usize) -> Option<Held> {
        (bytes > SMALL_KEPT_BYTES).then(|| self.hold(bytes))
    }

    /// Counts so many bytes, and such as are kept together with others.
    pub(super) fn hold_common(&self, bytes: usize, common: Arc<Common>) -> Held {
        self.0.common.fetch_add(common.bytes, Ordering::Relaxed);
        let mut held = self.hold(bytes);
        held.common = Some(common);
        held
    }

    /// Whether so many bytes more are within the reserve.
    pub(super) fn is_small_with(&self, bytes: usize) -> bool {
        let common = self.0.common.load(Ordering::Relaxed);
        self.own().saturating_add(common).saturating_add(bytes) <= RESERVE_BYTES
    }

    fn own(&self) -> usize {
        self.0.own.load(Ordering::Relaxed)
    }
}

/// Bytes on an account. They are taken off when it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    account: Account,
    own: usize,
    common: Option<Arc<Common>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        let Sums { own, common } = &*self.account.0;
        own.fetch_sub(self.own, Ordering::Relaxed);
        if let Some(kept) = &self.common {
            common.fetch_sub(kept.bytes, Ordering::Relaxed);
        }
    }
}

/// Bytes that sessions keep together. They are given back when the last one lets go.
#[derive(Debug)]
pub(super) struct Common {
    memory: Arc<Memory>,
    bytes: usize,
}

impl Drop for Common {
    fn drop(&mut self) {
        self.memory.give(self.bytes);
    }
}

/// The place in something shared where those that keep it find out whether it is paid for.
#[derive(Debug, Default)]
pub(super) struct Paid(Mutex<Weak<Common>>);

impl Paid {
    /// Pays so many bytes, unless others have. `must` pays also what is not there.
    ///
    /// # Errors
    /// If the budget has not so much left.
    pub(super) fn by(
        &self,
        memory: &Arc<Memory>,
        bytes: usize,
        must: bool,
    ) -> Result<Arc<Common>, Exceeded> {
        let mut paid = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(common) = paid.upgrade() {
            return Ok(common);
        }
        if must {
            memory.overdraw(bytes);
        } else {
            memory.take(bytes)?;
        }
        let common = Arc::new(Common {
            memory: Arc::clone(memory),
            bytes,
        });
        *paid = Arc::downgrade(&common);
        Ok(common)
    }
}

/// The part of the budget that one session has. It is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    memory: Arc<Memory>,
    pub(super) account: Account,
    /// Buffers, as far as they were told or asked for since.
    buffers: usize,
    /// What was taken from the budget.
    leased: usize,
}

impl Lease {
    /// Starts with nothing but the reserve.
    pub(super) fn new(memory: &Arc<Memory>) -> Self {
        Self {
            memory: Arc::clone(memory),
            account: Account::default(),
            buffers: 0,
            leased: 0,
        }
    }

    /// What the session holds.
    fn held(&self) -> usize {
        self.buffers.saturating_add(self.account.own())
    }

    /// What has to be taken from the budget for so many bytes.
    const fn beyond_reserve(bytes: usize) -> usize {
        let beyond = bytes.saturating_sub(RESERVE_BYTES);
        match beyond.checked_next_multiple_of(STEP_BYTES) {
            Some(steps) => steps,
            None => beyond,
        }
    }

    /// Asks for bytes that are about to be allocated; until the next [`Lease::settle`].
    ///
    /// # Errors
    /// If the budget has not so much left. Then nothing has changed.
    pub(super) fn ask(&mut self, bytes: usize) -> Result<(), Exceeded> {
        let needed = Self::beyond_reserve(self.held().saturating_add(bytes));
        if needed > self.leased {
            let taken = self.memory.take(needed - self.leased);
            taken.map_err(|_| Exceeded { bytes })?;
            self.leased = needed;
        }
        self.buffers += bytes;
        Ok(())
    }

    /// Asks for what is about to be queued behind so many others, now and then for more at once.
    ///
    /// # Errors
    /// If the budget has not so much left. Then nothing has changed.
    pub(super) fn ask_for_queued(&mut self, count: usize) -> Result<(), Exceeded> {
        match count > 0 && count.is_multiple_of(QUEUED) {
            true => self.ask(queued_bytes(QUEUED)),
            false => Ok(()),
        }
    }

    /// Gives back what was asked for and is no longer there.
    pub(super) fn release(&mut self, bytes: usize) {
        self.buffers = self.buffers.saturating_sub(bytes);
    }

    /// Takes or gives back what is missing or too much, where this much is in buffers.
    pub(super) fn settle(&mut self, buffers: usize) {
        self.buffers = buffers;
        let needed = Self::beyond_reserve(self.held());
        if needed > self.leased {
            self.memory.overdraw(needed - self.leased);
        } else if needed < self.leased {
            self.memory.give(self.leased - needed);
        }
        self.leased = needed;
    }

    /// Whether the session should hold as little as it can: nothing is left but reserves, and one
    /// large read takes more than a reserve.
    pub(super) fn is_tight(&self) -> bool {
        self.memory.is_used_up()
    }

    /// Asks for a buffer and makes it.
    ///
    /// # Errors
    /// If the budget or the system has not so much left.
    pub(super) fn buffer(&mut self, bytes: usize) -> Result<BytesMut, Exceeded> {
        self.ask(bytes)?;
        let mut buffer = Vec::new();
        if buffer.try_reserve_exact(bytes).is_err() {
            self.release(bytes);
            return Err(Exceeded { bytes });
        }
        // Nothing is copied: the vector has no other owner.
        Ok(Bytes::from(buffer).into())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.memory.give(self.leased);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lease(memory: &Arc<Memory>) -> Lease {
        Lease::new(memory)
    }

    #[test]
    fn the_reserve_is_there_when_the_budget_is_used_up() {
        let memory = Arc::new(Memory::new(STEP_BYTES));
        let mut large = lease(&memory);
        large.ask(RESERVE_BYTES + STEP_BYTES).unwrap();
        assert!(large.is_tight());
        let mut small = lease(&memory);
        // It has its reserve, but is to read no more at once than it must.
        assert!(small.is_tight());
        small.ask(RESERVE_BYTES).unwrap();
        assert_eq!(small.ask(1), Err(Exceeded { bytes: 1 }));
        assert_eq!(memory.leased(), STEP_BYTES);
    }

    #[test]
    fn what_was_refused_changes_nothing() {
        let memory = Arc::new(Memory::new(10 * STEP_BYTES));
        let mut lease = lease(&memory);
        lease.ask(STEP_BYTES).unwrap();
        let before = (lease.held(), memory.leased());
        assert!(lease.ask(usize::MAX).is_err());
        assert!(lease.ask(11 * STEP_BYTES).is_err());
        assert_eq!((lease.held(), memory.leased()), before);
    }

    #[test]
    fn everything_is_given_back_by_whoever_ends_however_it_ends() {
        let memory = Arc::new(Memory::new(100 * STEP_BYTES));
        for _ in 0..3 {
            let memory = Arc::clone(&memory);
            let ended = std::thread::spawn(move || {
                let mut lease = lease(&memory);
                let _held = lease.account.hold(7 * STEP_BYTES);
                lease.settle(STEP_BYTES);
                lease.ask(STEP_BYTES).unwrap();
                assert!(memory.leased() > 8 * STEP_BYTES);
                panic!("a bug");
            });
            assert!(ended.join().is_err());
        }
        assert_eq!(memory.leased(), 0);
    }

    #[test]
    fn what_is_kept_counts_until_the_last_one_lets_go() {
        let memory = Arc::new(Memory::new(usize::MAX));
        let mut lease = lease(&memory);
        let kept = Arc::new(lease.account.hold(10 * STEP_BYTES));
        let queued = Arc::clone(&kept);
        drop(kept);
        lease.settle(0);
        assert!(memory.leased() >= 9 * STEP_BYTES);
        drop(queued);
        lease.settle(0);
        assert_eq!(memory.leased(), 0);
    }

    #[test]
    fn a_buffer_has_the_room_that_was_asked_for_and_no_more() {
        let memory = Arc::new(Memory::new(100 * STEP_BYTES));
        let mut lease = lease(&memory);
        let mut buffer = lease.buffer(1_000_003).unwrap();
        assert!(buffer.is_empty());
        assert_eq!(buffer.capacity(), 1_000_003);
        let place = buffer.as_ptr();
        buffer.extend_from_slice(&[b'x'; 1_000_003]);
        assert_eq!(buffer.as_ptr(), place, "it did not have to move");
        // More than any system has.
        let memory = Arc::new(Memory::default());
        assert!(Lease::new(&memory).buffer(usize::MAX / 2).is_err());
        assert!(Lease::new(&memory).buffer(usize::MAX).is_err());
        assert_eq!(memory.leased(), 0);
    }
}
