//! What was there only in between: created and dropped again while a statement waited. The catalogs
//! tell nothing of it, but the texts that sessions of this process have sent have its name, and which
//! of them may have been carried out meanwhile is taken down here.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::sql::objects::{Names, Objects};

/// So many texts are remembered of all sessions.
const MOST_TEXTS: usize = 4096;

/// So many texts of one transaction have their own names: with more it may be about anything.
const MOST_OF_ONE: usize = 256;

/// The definitions that sessions have sent, in their order.
#[derive(Debug, Default)]
pub(super) struct Definitions(Mutex<Log>);

#[derive(Debug, Default)]
struct Log {
    texts: VecDeque<Arc<Text>>,
    /// What was over by this count may have been forgotten.
    lost_until: u64,
}

#[derive(Debug)]
struct Text {
    objects: Arc<Objects>,
    owner: Owner,
    /// The count when its transaction was over.
    until: AtomicU64,
}

/// Whose definitions they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Owner(Arc<()>);

impl Owner {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A text whose transaction may end at any time.
#[derive(Debug)]
struct Open {
    /// How often the definitions have changed.
    count: Arc<AtomicU64>,
    text: Arc<Text>,
}

impl Drop for Open {
    fn drop(&mut self) {
        let count = self.count.load(Ordering::Acquire);
        self.text.until.store(count, Ordering::Release);
    }
}

/// The texts of a session whose transaction is not over.
#[derive(Debug, Default)]
pub(super) struct Pending {
    owner: Owner,
    open: Vec<Open>,
}

impl Pending {
    /// To be called before a text is forwarded, with what counts the changes.
    pub(super) fn send(
        &mut self,
        definitions: &Definitions,
        count: &Arc<AtomicU64>,
        objects: &Arc<Objects>,
    ) {
        let objects = match self.open.len() {
            MOST_OF_ONE.. => return,
            open if open + 1 == MOST_OF_ONE => Arc::new(Objects::any()),
            _ => Arc::clone(objects),
        };
        let text = definitions.add(Text {
            objects,
            owner: self.owner.clone(),
            until: AtomicU64::new(u64::MAX),
        });
        self.open.push(Open {
            count: Arc::clone(count),
            text,
        });
    }

    /// To be called when the transaction is over, behind what counts it.
    pub(super) fn end(&mut self) {
        self.open.clear();
    }

    /// The names of what may have been there only since the count was this, beside what the session
    /// has done alone.
    pub(super) fn transient(&self, definitions: &Definitions, since: u64) -> Names {
        definitions.transient(&self.owner, since)
    }
}

impl Definitions {
    fn add(&self, text: Text) -> Arc<Text> {
        let text = Arc::new(text);
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if log.texts.len() >= MOST_TEXTS {
            let until = |text: &Arc<Text>| text.until.load(Ordering::Acquire);
            let first = log.texts.iter().position(|text| until(text) < u64::MAX);
            // One of a transaction that is open is missed only by what begins and ends behind that.
            let gone = log.texts.remove(first.unwrap_or(0));
            let gone = gone.map_or(0, |text| until(&text));
            if gone < u64::MAX {
                log.lost_until = log.lost_until.max(gone);
            }
        }
        log.texts.push_back(Arc::clone(&text));
        text
    }

    fn transient(&self, owner: &Owner, since: u64) -> Names {
        let log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if log.lost_until > since {
            return Names::Any;
        }
        let (mut own, mut others, mut transient) =
            (Names::default(), Names::default(), Names::default());
        for text in &log.texts {
            if text.until.load(Ordering::Acquire) <= since {
                continue;
            }
            let Objects { created, dropped } = &*text.objects;
            let is_own = text.owner.is(owner);
            match is_own {
                true => own.extend(created),
                false => others.extend(created),
            }
            transient.extend(&others.common(dropped));
            if !is_own {
                transient.extend(&own.common(dropped));
            }
        }
        transient
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database, and how often its definitions have changed.
    #[derive(Default)]
    struct Stand {
        definitions: Definitions,
        count: Arc<AtomicU64>,
    }

    impl Stand {
        fn count(&self) -> u64 {
            self.count.load(Ordering::Acquire)
        }

        fn advance(&self) {
            self.count.fetch_add(1, Ordering::AcqRel);
        }

        fn send(&self, pending: &mut Pending, text: &str) {
            self.advance();
            let objects = Arc::new(Objects::of(text.as_bytes()));
            pending.send(&self.definitions, &self.count, &objects);
            self.advance();
        }

        fn seen_by(&self, pending: &Pending, since: u64) -> Names {
            pending.transient(&self.definitions, since)
        }
    }

    fn some(names: &[&str]) -> Names {
        Names::Some(names.iter().map(|&name| name.into()).collect())
    }

    #[test]
    fn what_others_create_and_drop_meanwhile_is_transient() {
        let stand = Stand::default();
        let (mut one, mut other) = (Pending::default(), Pending::default());
        let since = stand.count();
        stand.send(&mut other, "create table a.people (id int)");
        assert_eq!(stand.seen_by(&one, since), Names::default());
        stand.send(&mut other, "drop table a.people, b");
        other.end();
        assert_eq!(stand.seen_by(&one, since), some(&["people"]));
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
        other.end();
        assert_eq!(stand.seen_by(&one, stand.count()), Names::default());
    }

    #[test]
    fn what_is_forgotten_may_have_been_anything() {
        let stand = Stand::default();
        let (one, mut other) = (Pending::default(), Pending::default());
        let since = stand.count();
        for number in 0..MOST_TEXTS + 10 {
            stand.send(&mut other, &format!("create table t{number} ()"));
            other.end();
        }
        assert_eq!(stand.seen_by(&one, since), Names::Any);
        assert_eq!(stand.seen_by(&one, stand.count() - 5), Names::default());
        for number in 0..MOST_OF_ONE + 10 {
            stand.send(&mut other, &format!("create table t{number} ()"));
        }
        assert_eq!(other.open.len(), MOST_OF_ONE);
        assert_eq!(stand.seen_by(&one, stand.count() - 1), Names::Any);
    }
}
