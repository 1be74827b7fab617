//! What was there only in between: created and dropped again while a statement waited. The catalogs
//! tell nothing of it, but the texts of definitions that sessions of this process have sent have its name,
//! and which of them others may have seen meanwhile is taken down here.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::sql::objects::{Names, Objects};

/// So much is remembered of all sessions, in bytes and in texts.
const MOST_BYTES: usize = 256 << 10;
const MOST_TEXTS: usize = 1024;

/// The definitions of all sessions, in their order.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    log: Mutex<Log>,
    /// How many there have been.
    taken: AtomicU64,
}

#[derive(Debug, Default)]
struct Log {
    texts: VecDeque<Arc<Text>>,
    bytes: usize,
    /// What was over by this count may have been forgotten.
    lost_until: u64,
}

#[derive(Debug)]
struct Text {
    objects: Arc<Objects>,
    owner: Owner,
    /// The count when its transaction was over. It stays open if that is never known, as when the
    /// connection is lost while a definition is under way outside of any block.
    until: AtomicU64,
}

impl Text {
    fn until(&self) -> u64 {
        self.until.load(Ordering::Acquire)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.objects.bytes()
    }
}

/// Whose definitions they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Owner(Arc<()>);

impl Owner {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The definitions of a session whose transaction is not over.
#[derive(Debug, Default)]
pub(super) struct Pending {
    owner: Owner,
    open: Vec<Arc<Text>>,
}

impl Pending {
    /// Takes a definition that others may see from now on, or later.
    pub(super) fn take(&mut self, definitions: &Definitions, objects: &Arc<Objects>) {
        let text = definitions.add(Text {
            objects: Arc::clone(objects),
            owner: self.owner.clone(),
            until: AtomicU64::new(u64::MAX),
        });
        self.open.push(text);
    }

    /// To be called when the transaction is over, with the count by then.
    pub(super) fn end(&mut self, count: u64) {
        for text in self.open.drain(..) {
            text.until.store(count, Ordering::Release);
        }
    }

    /// Whether the transaction is not known to be over.
    pub(super) const fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The names of what may have been there only since the count was this, beside what the session
    /// has done alone.
    pub(super) fn transient(&self, definitions: &Definitions, since: u64) -> Names {
        definitions.transient(&self.owner, since)
    }
}

impl Definitions {
    /// How many there have been.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Acquire)
    }

    fn add(&self, text: Text) -> Arc<Text> {
        let text = Arc::new(text);
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.bytes += text.bytes();
        log.texts.push_back(Arc::clone(&text));
        while log.texts.len() > 1 && (log.texts.len() > MOST_TEXTS || log.bytes > MOST_BYTES) {
            log.forget();
        }
        drop(log);
        self.taken.fetch_add(1, Ordering::AcqRel);
        text
    }

    fn transient(&self, owner: &Owner, since: u64) -> Names {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.lost_until > since {
            return Names::any();
        }
        let (mut own, mut others, mut transient) =
            (Names::default(), Names::default(), Names::default());
        for text in log.texts.iter().filter(|text| text.until() > since) {
            let Objects { created, dropped } = &*text.objects;
            let is_own = text.owner.is(owner);
            match is_own {
                true => own.extend(created),
                false => others.extend(created),
            }
            transient.extend(&dropped.common(&others));
            if !is_own {
                transient.extend(&dropped.common(&own));
            }
        }
        transient
    }
}

impl Log {
    /// Forgets the oldest one that is over; if none is, the oldest, which is then missed by what is
    /// judged while its transaction is open.
    fn forget(&mut self) {
        let over = self.texts.iter().position(|text| text.until() < u64::MAX);
        let Some(text) = self.texts.remove(over.unwrap_or(0)) else {
            return;
        };
        self.bytes -= text.bytes();
        if over.is_some() {
            self.lost_until = self.lost_until.max(text.until());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database, and how often its definitions have changed.
    #[derive(Default)]
    struct Stand {
        definitions: Definitions,
        count: AtomicU64,
    }

    impl Stand {
        fn count(&self) -> u64 {
            self.count.load(Ordering::Acquire)
        }

        fn advance(&self) {
            self.count.fetch_add(1, Ordering::AcqRel);
        }

        fn end(&self, pending: &mut Pending) {
            pending.end(self.count());
        }

        fn send(&self, pending: &mut Pending, text: &str) {
            self.advance();
            let objects = Arc::new(Objects::of(text.as_bytes()));
            pending.take(&self.definitions, &objects);
            self.advance();
        }

        fn seen_by(&self, pending: &Pending, since: u64) -> Names {
            pending.transient(&self.definitions, since)
        }
    }

    fn some(names: &[&str]) -> Names {
        let text = format!("drop table {}", names.join(", "));
        Objects::of(text.as_bytes()).dropped
    }

    #[test]
    fn what_others_create_and_drop_meanwhile_is_transient() {
        let stand = Stand::default();
        let (mut one, mut other) = (Pending::default(), Pending::default());
        let since = stand.count();
        stand.send(&mut other, "create table a.people (id int)");
        assert_eq!(stand.seen_by(&one, since), Names::default());
        stand.send(&mut other, "drop table a.people, b");
        stand.end(&mut other);
        assert_eq!(stand.seen_by(&one, since), some(&["a.people"]));
        assert_eq!(stand.seen_by(&other, since), Names::default());
        // It was over before.
        assert_eq!(stand.seen_by(&one, stand.count()), Names::default());
        // What was dropped before is another one.
        let since = stand.count();
        stand.send(&mut other, "drop view v");
        stand.send(&mut other, "create view v as select 1");
        assert_eq!(stand.seen_by(&one, since), Names::default());
        stand.send(&mut one, "drop view v");
        assert_eq!(stand.seen_by(&one, since), some(&["v"]));
    }

    #[test]
    fn what_an_open_transaction_has_sent_may_be_there_at_any_time() {
        let stand = Stand::default();
        let (one, mut other) = (Pending::default(), Pending::default());
        stand.send(&mut other, "create table t (id int)");
        stand.advance();
        let since = stand.count();
        stand.send(&mut other, "drop table t");
        assert_eq!(stand.seen_by(&one, since), some(&["t"]));
        stand.advance();
        stand.end(&mut other);
        assert_eq!(stand.seen_by(&one, stand.count()), Names::default());
    }

    #[test]
    fn what_is_forgotten_may_have_been_anything() {
        let stand = Stand::default();
        let (one, mut other) = (Pending::default(), Pending::default());
        let since = stand.count();
        for number in 0..MOST_TEXTS + 10 {
            stand.send(&mut other, &format!("create table t{number} ()"));
            stand.end(&mut other);
        }
        assert_eq!(stand.seen_by(&one, since), Names::any());
        assert_eq!(stand.seen_by(&one, stand.count() - 5), Names::default());
        // Be it by few that are long.
        let since = stand.count();
        for number in 0..3 {
            let many: Vec<_> = (0..20_000)
                .map(|table| format!("t{number}_{table}"))
                .collect();
            stand.send(&mut other, &format!("drop table {}", many.join(", ")));
            stand.end(&mut other);
        }
        assert_eq!(stand.definitions.log.lock().unwrap().texts.len(), 1);
        assert_eq!(stand.seen_by(&one, since), Names::any());
    }
}
