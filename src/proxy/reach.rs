//! Whether Postgres can be reached, as far as attempts to connect have told: while it is known to
//! be down, clients hear so at once instead of each trying anew, and the log has one line for each
//! change instead of one for each client.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use super::limits;
use super::upstream::UpstreamError;

/// What the attempts to connect have told.
#[derive(Debug, Default)]
pub(super) struct Reach {
    state: Mutex<State>,
    /// Its name in the log, if it is one of several.
    host: Option<String>,
}

#[derive(Debug, Default)]
struct State {
    /// Since when no attempt has succeeded, if the last has failed.
    down_since: Option<Instant>,
    /// When the last attempt began.
    tried: Option<Instant>,
    /// When the last one succeeded.
    reached: Option<Instant>,
    /// When it gave a connection as the configuration demands it, if the last has.
    usable: Option<Instant>,
    /// When somebody last connected only to see whether it works.
    probed: Option<Instant>,
    /// Clients that were turned away without an attempt.
    spared: u64,
}

/// An attempt to connect.
#[derive(Debug)]
pub(super) struct Attempt(Instant);

impl Reach {
    /// Nothing is known yet of a host; it has a name in the log if it is one of several.
    pub(super) fn of(host: Option<String>) -> Self {
        Self {
            state: Mutex::default(),
            host,
        }
    }

    /// Lets one connect. While Postgres is down, one attempt in a while finds out whether it is
    /// back.
    pub(super) fn attempt(&self) -> Result<Attempt, UpstreamError> {
        let mut state = self.lock();
        let is_fresh = |tried: Instant| tried.elapsed() < limits::RETRY_INTERVAL;
        if state.down_since.is_some() && state.tried.is_some_and(is_fresh) {
            state.spared += 1;
            return Err(UpstreamError::Down);
        }
        let now = Instant::now();
        state.tried = Some(now);
        Ok(Attempt(now))
    }

    /// Lets one connect whatever is known, and counts it for none of those that find out: a
    /// cancellation has nothing else to try.
    pub(super) fn insist() -> Attempt {
        Attempt(Instant::now())
    }

    /// Lets one connect only to see whether it works, if nobody has done so of late.
    pub(super) fn probe(&self) -> Option<Attempt> {
        let is_fresh = |probed: Instant| probed.elapsed() < limits::PROBE_INTERVAL;
        if self.lock().probed.is_some_and(is_fresh) {
            return None;
        }
        let attempt = self.attempt().ok()?;
        self.lock().probed = Some(attempt.0);
        Some(attempt)
    }

    /// Lets one connect to see whether a host is back, if nobody has tried for so long.
    pub(super) fn revisit(&self, after: Duration) -> Option<Attempt> {
        let mut state = self.lock();
        if state.tried.is_some_and(|tried| tried.elapsed() < after) {
            return None;
        }
        let now = Instant::now();
        state.tried = Some(now);
        Some(Attempt(now))
    }

    /// Whether what is known is too old, or too bad, to be told to a client that pgveil would
    /// ask for its password before it connects.
    pub(super) fn is_doubtful(&self) -> bool {
        let state = self.lock();
        let is_fresh = |reached: Instant| reached.elapsed() < limits::REACHED_FOR;
        let is_asked = |tried: Instant| tried.elapsed() < limits::RETRY_INTERVAL;
        state.down_since.is_some()
            || !state.reached.is_some_and(is_fresh) && !state.tried.is_some_and(is_asked)
    }

    pub(super) fn is_down(&self) -> bool {
        self.lock().down_since.is_some()
    }

    /// When a connection came about last; `None` if the last attempt gave none that can be used.
    pub(super) fn usable(&self) -> Option<Instant> {
        let state = self.lock();
        state.usable.filter(|_| state.down_since.is_none())
    }

    /// Takes how an attempt ended. Says whether it shows that Postgres is down now, and was not
    /// known to be.
    pub(super) fn learn<T>(&self, attempt: &Attempt, result: &Result<T, UpstreamError>) -> bool {
        match result {
            Err(error) if error.is_ours() => {}
            Err(UpstreamError::Unreachable(error)) => return self.failed(attempt, error),
            Ok(_) => self.succeeded(true),
            // Somebody is there, if not as the configuration demands.
            Err(_) => self.succeeded(false),
        }
        false
    }

    fn succeeded(&self, is_usable: bool) {
        let mut state = self.lock();
        let now = Instant::now();
        state.reached = Some(now);
        state.usable = is_usable.then_some(now);
        let spared = std::mem::take(&mut state.spared);
        let Some(since) = state.down_since.take() else {
            return;
        };
        drop(state);
        let seconds = since.elapsed().as_secs_f64();
        let host = self.host.as_deref();
        info!(host, seconds, spared, "Postgres can be reached again");
    }

    /// One of many that connect at once may fail because they are many: it counts only if no
    /// other has succeeded since it began.
    fn failed(&self, Attempt(began): &Attempt, error: &std::io::Error) -> bool {
        let mut state = self.lock();
        if state.reached.is_some_and(|reached| reached >= *began) || state.down_since.is_some() {
            return false;
        }
        state.down_since = Some(*began);
        drop(state);
        match &self.host {
            Some(host) => warn!(host, %error, "Postgres can't be reached there"),
            None => warn!(%error, "Postgres can't be reached: clients get 57P03 until it can"),
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn refused() -> Result<(), UpstreamError> {
        let refused = io::ErrorKind::ConnectionRefused.into();
        Err(UpstreamError::Unreachable(refused))
    }

    #[test]
    fn a_failure_spares_the_next_ones_until_one_may_try_again() {
        let reach = Reach::default();
        for _ in 0..3 {
            let attempt = reach.attempt().unwrap();
            reach.learn(&attempt, &Ok(()));
        }
        let attempt = reach.attempt().unwrap();
        reach.learn(&attempt, &refused());
        assert!(matches!(reach.attempt(), Err(UpstreamError::Down)));
        assert!(reach.is_doubtful());
        let long_ago = Instant::now().checked_sub(2 * limits::RETRY_INTERVAL);
        reach.lock().tried = long_ago;
        let again = reach.attempt().unwrap();
        assert!(
            matches!(reach.attempt(), Err(UpstreamError::Down)),
            "one is enough"
        );
        reach.learn(&again, &Ok(()));
        reach.attempt().unwrap();
        assert!(!reach.is_doubtful());
    }

    #[test]
    fn a_probe_is_made_now_and_then_only() {
        let reach = Reach::default();
        let attempt = reach.probe().unwrap();
        assert!(reach.probe().is_none());
        reach.learn(&attempt, &refused());
        assert!(reach.usable().is_none() && reach.probe().is_none());
    }

    #[test]
    fn one_failure_among_successes_says_nothing() {
        let reach = Reach::default();
        let slow = reach.attempt().unwrap();
        let quick = reach.attempt().unwrap();
        reach.learn(&quick, &Ok(()));
        reach.learn(&slow, &refused());
        assert!(!reach.is_doubtful());
        reach.attempt().unwrap();
    }

    #[test]
    fn what_pgveil_lacks_says_nothing_of_postgres() {
        let reach = Reach::default();
        let attempt = reach.attempt().unwrap();
        let full = UpstreamError::Unreachable(io::Error::from_raw_os_error(24));
        reach.learn::<()>(&attempt, &Err(full));
        reach.attempt().unwrap();
        // An answer that is not wanted comes from somebody all the same.
        let attempt = reach.attempt().unwrap();
        reach.learn(&attempt, &Ok(()));
        assert!(reach.usable().is_some());
        reach.learn::<()>(&attempt, &Err(UpstreamError::Unencrypted));
        assert!(!reach.is_doubtful() && reach.usable().is_none());
    }
}
