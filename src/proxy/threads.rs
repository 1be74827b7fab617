//! The threads that serve clients, each with a runtime of its own. To wake another thread costs more
//! than all that pgveil does with a query; so a client is given to the first thread that is not nearly
//! full, and stays there. Few threads have much to do, and more come into it only as they are needed.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::limits;

/// All threads that serve clients. They end when it is dropped.
#[derive(Debug)]
pub(super) struct Threads(Vec<Thread>);

#[derive(Debug)]
struct Thread {
    runtime: Handle,
    load: Mutex<Load>,
    /// The thread ends with it.
    _end: oneshot::Sender<()>,
}

/// How busy a thread is, and is going to be.
#[derive(Debug)]
struct Load {
    /// When it was measured last.
    at: Instant,
    /// How long the thread had been busy by then.
    busy: Duration,
    /// What share of the time before it was busy.
    share: f64,
    /// How many clients it has got since then.
    newcomers: u32,
}

impl Threads {
    /// Starts so many, at least one.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn start(count: usize) -> io::Result<Self> {
        let threads = (0..count.max(1)).map(Thread::start);
        Ok(Self(threads.collect::<Result<_, _>>()?))
    }

    /// Gives the runtime of the thread that takes the next client.
    pub(super) fn next(&self) -> &Handle {
        let now = Instant::now();
        let loads: Vec<f64> = self.0.iter().map(|thread| thread.load(now)).collect();
        let chosen = &self.0[chosen(&loads)];
        chosen.expect_one_more();
        &chosen.runtime
    }
}

/// The first of the threads that is not nearly full, or the one that is the least so.
fn chosen(loads: &[f64]) -> usize {
    let free = loads.iter().position(|load| *load < limits::NEARLY_FULL);
    free.unwrap_or_else(|| {
        let least = loads.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
        least.map_or(0, |(index, _)| index)
    })
}

impl Thread {
    fn start(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            // Names are looked up on them, and nothing else is done.
            .max_blocking_threads(limits::LOOKUPS)
            .build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel::<()>();
        thread::Builder::new()
            .name(format!("pgveil-{number}"))
            .stack_size(limits::STACK_BYTES)
            .spawn(move || {
                let _ = runtime.block_on(ended);
                // What takes its time on threads beside it is not waited for.
                runtime.shutdown_background();
            })?;
        Ok(Self {
            runtime: handle,
            load: Mutex::new(Load {
                at: Instant::now(),
                busy: Duration::ZERO,
                share: 0.0,
                newcomers: 0,
            }),
            _end: end,
        })
    }

    fn load(&self, now: Instant) -> f64 {
        let busy = self.runtime.metrics().worker_total_busy_duration(0);
        self.locked().at(now, busy)
    }

    fn expect_one_more(&self) {
        self.locked().newcomers += 1;
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Load {
    /// The share of its time that a thread is going to be busy, which has been busy for so long by
    /// now. Of clients that have just come nobody knows what they will do.
    fn at(&mut self, now: Instant, busy: Duration) -> f64 {
        let passed = now.saturating_duration_since(self.at);
        if passed >= limits::LOAD_INTERVAL {
            let worked = busy.saturating_sub(self.busy);
            *self = Self {
                at: now,
                busy,
                share: worked.as_secs_f64() / passed.as_secs_f64(),
                newcomers: 0,
            };
        }
        self.share + f64::from(self.newcomers) * limits::NEWCOMER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thread_that_is_not_nearly_full_takes_a_client() {
        assert_eq!(chosen(&[0.0, 0.0]), 0);
        assert_eq!(chosen(&[0.6, 0.0]), 0);
        assert_eq!(chosen(&[0.8, 0.2, 0.0]), 1);
        assert_eq!(chosen(&[0.9, 0.8, 0.95]), 1);
    }

    #[test]
    fn a_crowd_that_comes_at_once_is_spread_before_anything_is_measured() {
        let threads = Threads::start(3).unwrap();
        for _ in 0..40 {
            threads.next();
        }
        let newcomers: Vec<u32> = threads.0.iter().map(|of| of.locked().newcomers).collect();
        assert!(newcomers[0] > 10 && newcomers[1] > 10, "{newcomers:?}");
        assert_eq!(newcomers.iter().sum::<u32>(), 40);
    }

    #[test]
    fn the_load_is_that_of_the_last_interval() {
        let begin = Instant::now();
        let mut load = Load {
            at: begin,
            busy: Duration::ZERO,
            share: 0.0,
            newcomers: 5,
        };
        let half = limits::LOAD_INTERVAL / 2;
        assert!((load.at(begin + half, half) - 5.0 * limits::NEWCOMER).abs() < 1e-9);
        let end = begin + 2 * limits::LOAD_INTERVAL;
        assert!((load.at(end, half) - 0.25).abs() < 1e-9);
        let later = end + limits::LOAD_INTERVAL;
        assert!(load.at(later, half).abs() < 1e-9);
    }

    #[test]
    fn what_runs_on_a_thread_ends_with_it() {
        let threads = Threads::start(1).unwrap();
        let (held, gone) = std::sync::mpsc::channel::<()>();
        threads.next().spawn(async move {
            let _held = held;
            std::future::pending::<()>().await;
        });
        drop(threads);
        let told = gone.recv_timeout(Duration::from_secs(10));
        assert_eq!(told, Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
    }
}
