//! Lines of the log about what anybody may cause as often as they like: one at once, then at most
//! one in a while, each with how often it has happened since the last. So a flood costs the log no
//! more than a trickle, and no occurrence is lost from the count.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::limits;

/// What is told so.
#[derive(Debug, Clone, Default)]
pub(super) struct Tallies {
    /// Clients that gave way, or found nobody who could.
    pub(super) crowd: Tally,
    /// Clients above `max_connections`.
    pub(super) full: Tally,
    /// Clients above the limit of their role, their database or their address.
    pub(super) limited: Tally,
    /// Clients from an address with too many failed logins.
    pub(super) barred: Tally,
    /// Handshakes of TLS that failed.
    pub(super) handshake: Tally,
    /// Clients that took too long.
    pub(super) late: Tally,
    /// Clients that Postgres, or the way to it, kept out.
    pub(super) upstream: Tally,
    /// Cancellations that did not arrive.
    pub(super) cancel: Tally,
    /// Sockets that could not be accepted.
    pub(super) accept: Tally,
}

/// Counts what is told of one kind.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    interval: Duration,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// When the next line may be written.
    quiet_until: Option<Instant>,
    /// What has happened since the last one.
    held: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self::new(limits::LOG_INTERVAL)
    }
}

impl Tally {
    fn new(interval: Duration) -> Self {
        Self {
            interval,
            state: Arc::default(),
        }
    }

    /// Counts one occurrence and has it told with the count, now or later. Of those that are held
    /// back for the same line the first one tells it.
    pub(super) fn count(&self, tell: impl FnOnce(u64) + Send + 'static) {
        let mut state = self.lock();
        let now = Instant::now();
        let Some(until) = state.quiet_until.filter(|until| *until > now) else {
            let count = 1 + std::mem::take(&mut state.held);
            state.quiet_until = Some(now + self.interval);
            drop(state);
            return tell(count);
        };
        state.held += 1;
        if state.held == 1 {
            let tally = self.clone();
            tokio::spawn(async move {
                sleep_until(until).await;
                let mut state = tally.lock();
                let count = std::mem::take(&mut state.held);
                if count > 0 {
                    state.quiet_until = Some(Instant::now() + tally.interval);
                    drop(state);
                    tell(count);
                }
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of the lines that were told.
    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<Vec<u64>>>);

    impl Told {
        fn line(&self) -> impl FnOnce(u64) + Send + 'static {
            let lines = Arc::clone(&self.0);
            move |count| lines.lock().unwrap().push(count)
        }

        fn lines(&self) -> Vec<u64> {
            self.0.lock().unwrap().clone()
        }
    }

    #[tokio::test]
    async fn a_flood_is_one_line_for_a_while() {
        let (tally, told) = (Tally::new(Duration::from_secs(3600)), Told::default());
        for _ in 0..1000 {
            tally.count(told.line());
        }
        assert_eq!(told.lines(), [1]);
        assert_eq!(tally.lock().held, 999);
    }

    #[tokio::test]
    async fn every_occurrence_is_counted_in_some_line() {
        let (tally, told) = (Tally::new(Duration::from_millis(50)), Told::default());
        for _ in 0..100 {
            tally.count(told.line());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        while told.lines().iter().sum::<u64>() < 100 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(told.lines().iter().sum::<u64>(), 100);
        assert!(told.lines().len() < 100);
    }
}
