//! Logins with a wrong proof, by where they come from: an address that has had too many within a
//! minute is asked for none until the minute is over.
//!
//! As many proofs of an address are on their way at once as may still fail. So a burst of guesses is
//! no better than one after the other, and a burst of right ones waits for some answers of Postgres
//! at most.

use std::collections::{HashMap, VecDeque};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::origin::Origin;

/// How long a failure counts, from the first one of its address.
const WINDOW: Duration = Duration::from_secs(60);

/// How many addresses are remembered; beyond that the oldest give way. A megabyte or two.
const MOST: usize = 16_384;

/// The addresses from which logins have failed.
#[derive(Debug, Default)]
pub(super) struct Strikes {
    state: Mutex<State>,
    /// What became of a proof is known.
    decided: Notify,
}

#[derive(Debug, Default)]
struct State {
    failed: HashMap<Origin, Failed>,
    /// The addresses from which logins have failed, the one that had its first failure first in
    /// front.
    order: VecDeque<(Origin, Instant)>,
    /// Proofs on their way. No number is 0.
    pending: HashMap<Origin, usize>,
}

#[derive(Debug)]
struct Failed {
    since: Instant,
    times: usize,
}

/// Too many logins have failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Barred;

/// What holds for one client: how many logins from where it comes may fail.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guard<'s> {
    strikes: &'s Strikes,
    /// `None` if none of this client are counted.
    held: Option<(Origin, usize)>,
}

/// A proof on its way.
#[derive(Debug)]
pub(super) struct Attempt<'s> {
    strikes: &'s Strikes,
    origin: Option<Origin>,
}

impl Strikes {
    /// Guards the login of a client, if it is known where it comes from and there is a limit.
    pub(super) fn guard(&self, origin: Option<Origin>, most: Option<usize>) -> Guard<'_> {
        Guard {
            strikes: self,
            held: origin.zip(most),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'s> Guard<'s> {
    /// Says whether so many logins have failed that nothing more is asked.
    pub(super) fn check(&self) -> Result<(), Barred> {
        let Some((origin, most)) = self.held else {
            return Ok(());
        };
        let failed = self.strikes.lock().failed(origin, Instant::now());
        if failed < most { Ok(()) } else { Err(Barred) }
    }

    /// Lets a proof go on its way, once few enough are.
    pub(super) async fn attempt(&self) -> Result<Attempt<'s>, Barred> {
        let strikes = self.strikes;
        let Some((origin, most)) = self.held else {
            let origin = None;
            return Ok(Attempt { strikes, origin });
        };
        loop {
            let mut decided = pin!(strikes.decided.notified());
            decided.as_mut().enable();
            if let Some(begun) = strikes.lock().begin(origin, most, Instant::now()) {
                let origin = Some(origin);
                return begun.map(|()| Attempt { strikes, origin });
            }
            decided.await;
        }
    }
}

impl Attempt<'_> {
    /// Counts it: the proof was wrong.
    pub(super) fn fail(self) {
        if let Some(origin) = self.origin {
            self.strikes.lock().strike(origin, Instant::now());
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let Some(origin) = self.origin else { return };
        let mut state = self.strikes.lock();
        if let Some(pending) = state.pending.get_mut(&origin) {
            *pending -= 1;
            if *pending == 0 {
                state.pending.remove(&origin);
            }
        }
        drop(state);
        self.strikes.decided.notify_waiters();
    }
}

impl State {
    /// How many have failed within the minute.
    fn failed(&self, origin: Origin, now: Instant) -> usize {
        let failed = self.failed.get(&origin);
        let failed = failed.filter(|failed| now.duration_since(failed.since) < WINDOW);
        failed.map_or(0, |failed| failed.times)
    }

    /// Begins a proof, or says that there were too many; `None` if it has to wait for others.
    fn begin(&mut self, origin: Origin, most: usize, now: Instant) -> Option<Result<(), Barred>> {
        let failed = self.failed(origin, now);
        if failed >= most {
            return Some(Err(Barred));
        }
        let pending = self.pending.get(&origin).copied().unwrap_or_default();
        if failed + pending >= most {
            return None;
        }
        self.pending.insert(origin, pending + 1);
        Some(Ok(()))
    }

    fn strike(&mut self, origin: Origin, now: Instant) {
        while let Some((oldest, since)) = self.order.front().copied()
            && (now.duration_since(since) >= WINDOW
                || self.order.len() >= MOST && !self.failed.contains_key(&origin))
        {
            self.order.pop_front();
            self.failed.remove(&oldest);
        }
        let order = &mut self.order;
        let failed = self.failed.entry(origin).or_insert_with(|| {
            order.push_back((origin, now));
            Failed {
                since: now,
                times: 0,
            }
        });
        failed.times += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use tokio::task::JoinSet;

    use super::*;

    fn origin(number: u32) -> Option<Origin> {
        Some(Origin::of(IpAddr::V4(Ipv4Addr::from_bits(number))))
    }

    async fn fail(strikes: &Strikes, number: u32) {
        let guard = strikes.guard(origin(number), Some(1));
        guard.attempt().await.unwrap().fail();
    }

    #[test]
    fn a_minute_after_the_first_failure_all_is_forgotten() {
        let mut state = State::default();
        let (began, from) = (Instant::now(), origin(7).unwrap());
        let at = |seconds| began + Duration::from_secs(seconds);
        for second in [0, 19, 59] {
            let begun = state.begin(from, 3, at(second));
            assert_eq!(begun, Some(Ok(())));
            state.pending.clear();
            state.strike(from, at(second));
        }
        assert_eq!(state.begin(from, 3, at(59)), Some(Err(Barred)));
        assert_eq!(state.failed(from, at(59)), 3);
        assert_eq!(state.failed(origin(8).unwrap(), at(59)), 0);
        assert_eq!(state.failed(from, at(60)), 0);
        state.strike(from, at(61));
        assert_eq!(state.failed(from, at(120)), 1);
        assert_eq!((state.failed.len(), state.order.len()), (1, 1));
    }

    #[tokio::test]
    async fn what_does_not_fail_does_not_count_nor_what_is_not_limited() {
        let strikes = Strikes::default();
        let guard = strikes.guard(origin(7), Some(2));
        for _ in 0..9 {
            drop(guard.attempt().await.unwrap());
        }
        assert_eq!(guard.check(), Ok(()));
        for (from, most) in [(None, Some(2)), (origin(7), None)] {
            let guard = strikes.guard(from, most);
            for _ in 0..9 {
                guard.attempt().await.unwrap().fail();
            }
            assert_eq!(guard.check(), Ok(()));
        }
        assert!(strikes.lock().failed.is_empty() && strikes.lock().pending.is_empty());
        fail(&strikes, 7).await;
        assert_eq!(guard.check(), Ok(()));
        guard.attempt().await.unwrap().fail();
        assert_eq!(guard.check(), Err(Barred));
        assert!(guard.attempt().await.is_err());
    }

    /// How many of many proofs that come at once are judged, and found wrong if so.
    async fn burst(strikes: &Arc<Strikes>, number: u32, most: usize, is_wrong: bool) -> usize {
        let mut proofs = JoinSet::new();
        for _ in 0..200 {
            let strikes = Arc::clone(strikes);
            proofs.spawn(async move {
                let guard = strikes.guard(origin(number), Some(most));
                let Ok(attempt) = guard.attempt().await else {
                    return 0;
                };
                tokio::task::yield_now().await;
                if is_wrong {
                    attempt.fail();
                }
                1
            });
        }
        proofs.join_all().await.into_iter().sum()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_burst_of_guesses_has_no_more_than_one_after_the_other() {
        let strikes = Arc::<Strikes>::default();
        assert_eq!(burst(&strikes, 7, 5, true).await, 5);
        assert_eq!(burst(&strikes, 8, 2, false).await, 200);
        assert!(strikes.lock().pending.is_empty());
    }

    #[tokio::test]
    async fn a_crowd_of_addresses_is_remembered_up_to_a_number_and_the_oldest_give_way() {
        let strikes = Strikes::default();
        let most = u32::try_from(MOST).unwrap();
        for number in 0..3 * most {
            fail(&strikes, number).await;
        }
        let barred = |number| strikes.guard(origin(number), Some(1)).check().is_err();
        assert!(!barred(0) && !barred(2 * most - 1));
        assert!(barred(2 * most) && barred(3 * most - 1));
        let state = strikes.lock();
        assert_eq!((state.failed.len(), state.order.len()), (MOST, MOST));
        assert!(state.pending.is_empty());
    }
}
