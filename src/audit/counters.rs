//! Counters: what an operator can plot and alert on. A value that is handed down to whoever counts;
//! there is one for the process, which outlives a reload. No name in it is a key, an id, a parameter
//! or a part of a statement.
//!
//! What is counted for each statement, each batch of ids or each turn of a relay is an atomic
//! number that was looked up before. What has a name of its own each time (a session, a refusal) is
//! under a lock: none of that happens more often than a line of the log is written.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::observed::Observed;
use super::refusals::Refusals;
use super::sessions::Sessions;

/// A number that many add to. Each has a cache line for itself, so that those who add to one do not
/// wait for those who add to its neighbour.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct Count(AtomicU64);

impl Count {
    /// Adds to it. What the counts of one moment are to each other nobody promises.
    pub fn add(&self, number: u64) {
        self.0.fetch_add(number, Ordering::Relaxed);
    }

    /// The sum.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Numbers by names of pgveil's own, of which there are few.
#[derive(Debug, Default)]
pub struct Named(Mutex<BTreeMap<&'static str, u64>>);

impl Named {
    /// Counts one of this name.
    pub fn add(&self, name: &'static str) {
        *lock(&self.0).entry(name).or_default() += 1;
    }

    /// All names with their numbers.
    #[must_use]
    pub fn all(&self) -> Vec<(&'static str, u64)> {
        lock(&self.0)
            .iter()
            .map(|(name, sum)| (*name, *sum))
            .collect()
    }
}

/// All that is counted.
#[derive(Debug, Default)]
pub struct Counters {
    /// Statements of sessions whose mode is `enforce`.
    pub enforced: Statements,
    /// Statements of sessions whose mode is `audit`.
    pub audited: Statements,
    /// Statements of sessions whose mode is `observe`.
    pub observed: Observed,
    /// Which statements were refused, or would have been under `audit`.
    pub refusals: Refusals,
    /// Result columns on which analysis and server disagree.
    pub disagreements: Count,
    /// Notifications that were not delivered.
    pub notifications_dropped: Count,
    /// Faults of pgveil's own that were contained.
    pub faults: Count,
    /// Records of the audit trail that were lost, as nobody read those before.
    pub audit_dropped: Count,
    /// What was looked up in the plan cache.
    pub lookups: Lookups,
    /// Bytes to and from clients.
    pub client: Leg,
    /// Bytes to and from Postgres.
    pub server: Leg,
    /// Snapshots of databases that were loaded.
    pub catalogs_loaded: Count,
    /// Sessions that ended while they loaded one.
    pub catalogs_abandoned: Count,
    /// Connections to Postgres that came about, TLS included.
    pub connects: Durations,
    /// Configurations that were taken.
    pub reloads_applied: Count,
    /// Configurations that were not.
    pub reloads_failed: Count,
    /// Clients that got no session, by the reason.
    pub turned_away: Named,
    /// Sessions that run now.
    pub sessions: Sessions,
    domains: Mutex<BTreeMap<String, Arc<Domain>>>,
}

/// Statements of one mode.
#[derive(Debug, Default)]
pub struct Statements {
    /// They went as they came, and so did their results.
    pub forwarded: Count,
    /// Something in them or in their results is an id.
    pub edited: Count,
    /// They were refused, by the code of the refusal.
    pub refused: Named,
    /// They would have been, but for the mode.
    pub would_refuse: Named,
}

/// Texts that were looked for in the plan cache.
#[derive(Debug, Default)]
pub struct Lookups {
    /// The text was there.
    pub sent_hits: Count,
    /// It was not.
    pub sent_misses: Count,
    /// Then the text without its literals was there.
    pub blanked_hits: Count,
    /// It was not either: the text was analysed.
    pub blanked_misses: Count,
}

/// Bytes on one side of the sessions.
#[derive(Debug, Default)]
pub struct Leg {
    /// Read from the peer.
    pub received: Count,
    /// Written to it.
    pub sent: Count,
}

/// Ids of one domain.
#[derive(Debug, Default)]
pub struct Domain {
    /// Keys that became ids.
    pub encoded: Count,
    unknown: [Count; Unknown::ALL.len()],
    decoded: Mutex<BTreeMap<String, Arc<Count>>>,
}

/// Why an id stands for no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// Nobody has issued it for this domain.
    NotIssued,
    /// It is a UUID of another version.
    Version,
    /// It names an epoch that no key of the ring has.
    Epoch,
    /// It has not the form of an id of this domain.
    Syntax,
}

impl Unknown {
    /// All kinds, in the order in which they are counted.
    pub const ALL: [Self; 4] = [Self::NotIssued, Self::Version, Self::Epoch, Self::Syntax];

    /// The name, as metrics have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotIssued => "not_issued",
            Self::Version => "version",
            Self::Epoch => "epoch",
            Self::Syntax => "syntax",
        }
    }
}

impl Domain {
    /// Counts an id that stands for no key.
    pub fn add_unknown(&self, reason: Unknown) {
        if let Some(count) = self.unknown.get(reason as usize) {
            count.add(1);
        }
    }

    /// How many ids stood for no key, by the reason.
    pub fn unknown(&self) -> impl Iterator<Item = (Unknown, u64)> + '_ {
        let sums = self.unknown.iter().map(Count::get);
        Unknown::ALL.into_iter().zip(sums)
    }

    /// The count of ids that were issued with this key of the ring.
    fn decoded_by(&self, key: &str) -> Arc<Count> {
        Arc::clone(lock(&self.decoded).entry(key.to_owned()).or_default())
    }

    /// How many ids became keys, by the names of the keys of the ring.
    #[must_use]
    pub fn decoded(&self) -> Vec<(String, u64)> {
        let decoded = lock(&self.decoded);
        let sums = decoded.iter().map(|(key, sum)| (key.clone(), sum.get()));
        sums.collect()
    }
}

/// What the sessions of one configuration count of a domain: all is looked up.
#[derive(Debug, Clone)]
pub struct DomainCounts {
    /// The domain.
    pub domain: Arc<Domain>,
    /// Ids that were issued with the current key.
    pub current: Arc<Count>,
    /// Ids of an older key; `None` if there is none.
    pub older: Option<Arc<Count>>,
}

impl Counters {
    /// What to count for a domain under these keys of the ring, the current one first. Which of
    /// several older ones an id is of, nobody knows: they are counted as `older`.
    #[must_use]
    pub fn domain(&self, name: &str, keys: &[String]) -> DomainCounts {
        let domain = Arc::clone(lock(&self.domains).entry(name.to_owned()).or_default());
        let current = keys.first().map_or("", String::as_str);
        let older = match keys {
            [] | [_] => None,
            [_, older] => Some(older.as_str()),
            [_, _, ..] => Some("older"),
        };
        DomainCounts {
            current: domain.decoded_by(current),
            older: older.map(|key| domain.decoded_by(key)),
            domain,
        }
    }

    /// All domains that any configuration has had, by their names.
    #[must_use]
    pub fn domains(&self) -> Vec<(String, Arc<Domain>)> {
        let domains = lock(&self.domains);
        let shared = domains
            .iter()
            .map(|(name, domain)| (name.clone(), Arc::clone(domain)));
        shared.collect()
    }
}

/// How long something took, each time.
#[derive(Debug, Default)]
pub struct Durations {
    /// Those up to each bound, and then the longer ones; each is in one of them only.
    counts: [Count; Self::BOUNDS.len() + 1],
    microseconds: Count,
}

impl Durations {
    /// The bounds, in seconds.
    pub const BOUNDS: [f64; 10] = [
        0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0,
    ];

    /// Counts one.
    pub fn add(&self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        let place = Self::BOUNDS.iter().take_while(|bound| seconds > **bound);
        if let Some(count) = self.counts.get(place.count()) {
            count.add(1);
        }
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.add(microseconds);
    }

    /// The sum in seconds, and how many there were up to each bound and beyond all others; each in
    /// one of them only.
    #[must_use]
    pub fn read(&self) -> (f64, Vec<(f64, u64)>) {
        let bounds = Self::BOUNDS.into_iter().chain([f64::INFINITY]);
        let counts = bounds.zip(self.counts.iter().map(Count::get)).collect();
        let sum = Duration::from_micros(self.microseconds.get());
        (sum.as_secs_f64(), counts)
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_in_the_first_bucket_that_has_room_for_it() {
        let durations = Durations::default();
        for milliseconds in [0, 1, 100_000] {
            durations.add(Duration::from_millis(milliseconds));
        }
        let (sum, counts) = durations.read();
        assert!((sum - 100.001).abs() < 1e-9);
        let found: Vec<f64> = counts
            .iter()
            .flat_map(|(bound, count)| vec![*bound; usize::try_from(*count).unwrap()])
            .collect();
        assert_eq!(found, [0.000_5, 0.001, f64::INFINITY]);
    }

    #[test]
    fn a_domain_keeps_its_counts_when_the_ring_changes() {
        let counters = Counters::default();
        let ring = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let before = counters.domain("user", &ring(&["old"]));
        before.current.add(3);
        assert!(before.older.is_none());
        let after = counters.domain("user", &ring(&["new", "old"]));
        after.current.add(1);
        after.older.unwrap().add(1);
        let many = counters.domain("user", &ring(&["newest", "new", "old"]));
        many.older.unwrap().add(7);
        let decoded = before.domain.decoded();
        let named = |name: &str| decoded.iter().find(|(key, _)| key == name).unwrap().1;
        assert_eq!((named("old"), named("new"), named("older")), (4, 1, 7));
        assert_eq!(counters.domains().len(), 1);
    }

    #[test]
    fn every_reason_has_its_own_count() {
        let domain = Domain::default();
        for reason in Unknown::ALL {
            domain.add_unknown(reason);
        }
        assert!(domain.unknown().all(|(_, count)| count == 1));
    }
}
