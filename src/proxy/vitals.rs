//! How the proxy is, for whoever watches it: what is counted, whether it drains, whether Postgres
//! can be reached. Looks at Postgres by itself only when somebody asks and no session has told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::hosts::{Host, HostState};
use super::limits;
use super::roster::Seen;
use super::settings::Settings;
use crate::audit::{Counters, MOST_NAMES, OTHER, escaped};
use crate::config::{Address, Config, Token};

/// How a proxy is.
#[derive(Debug, Clone)]
pub struct Vitals {
    settings: watch::Receiver<Arc<Settings>>,
    leaving: Arc<AtomicBool>,
    began: Instant,
    /// Whoever has it looks at Postgres.
    probing: Arc<Mutex<()>>,
}

/// What is known of Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upstream {
    /// The last connection came about, and not long ago.
    pub is_up: bool,
    /// How long ago it did; `None` if the last attempt gave none.
    pub age: Option<Duration>,
}

impl Vitals {
    pub(super) fn new(settings: watch::Receiver<Arc<Settings>>, leaving: Arc<AtomicBool>) -> Self {
        Self {
            settings,
            leaving,
            began: Instant::now(),
            probing: Arc::default(),
        }
    }

    fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.borrow())
    }

    /// What has been counted.
    #[must_use]
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.settings.borrow().lasting.counters)
    }

    /// Whether it was told to stop, though it may still take clients for the drain delay.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    /// How long it has listened.
    #[must_use]
    pub fn uptime(&self) -> Duration {
        self.began.elapsed()
    }

    /// The sessions behind a number, so many of them at most, by their numbers; and how many there
    /// are beyond these.
    #[must_use]
    pub fn sessions(&self, after: u64, most: usize) -> (Vec<Seen>, usize) {
        let roster = self.settings.borrow().lasting.roster.clone();
        roster.seen(after, most)
    }

    /// Ends a session as `pg_terminate_backend` does; says whether there is one of this number.
    #[must_use]
    pub fn terminate(&self, number: u64) -> bool {
        let roster = self.settings.borrow().lasting.roster.clone();
        roster.end(number)
    }

    /// Ends all sessions that run now, each as soon as it is idle; says how many there are.
    #[must_use]
    pub fn recycle(&self) -> usize {
        let roster = self.settings.borrow().lasting.roster.clone();
        roster.recycle()
    }

    /// Reads the configuration in use.
    pub fn with_config<T>(&self, read: impl FnOnce(&Config) -> T) -> T {
        read(&self.settings().config)
    }

    /// The names of the id domains of the configuration in use.
    #[must_use]
    pub fn domains(&self) -> Vec<String> {
        let settings = self.settings.borrow();
        let domains = settings.config.domains.iter();
        domains
            .map(|domain| domain.annotation.name.clone())
            .collect()
    }

    /// Where Postgres is: the host where the next session would be first, or all of them if no host is
    /// known that could be used.
    #[must_use]
    pub fn upstream_address(&self) -> String {
        let settings = self.settings();
        match settings.hosts.used() {
            Some(host) => host.address.to_string(),
            None => settings.config.upstream.to_string(),
        }
    }

    /// The hosts of Postgres.
    #[must_use]
    pub fn hosts(&self) -> Vec<HostState> {
        self.settings().hosts.states()
    }

    /// The token of the configuration in use.
    #[must_use]
    pub fn token(&self) -> Option<Token> {
        self.settings.borrow().config.admin.token.clone()
    }

    /// The bytes that sessions hold back together, and how many they may.
    #[must_use]
    pub fn memory(&self) -> (usize, usize) {
        let memory = Arc::clone(&self.settings.borrow().lasting.memory);
        (memory.leased(), memory.limit())
    }

    /// How old the snapshots of the databases are, by name; those beyond a number together, with the
    /// age of the oldest.
    #[must_use]
    pub fn catalogs(&self) -> Vec<(String, Duration)> {
        let settings = self.settings();
        let now = settings.since.elapsed();
        let ages = settings.verified().into_iter();
        let mut ages: Vec<_> = ages
            .map(|(name, at)| (escaped(&name), now.saturating_sub(at)))
            .collect();
        ages.sort();
        if let Some((_, oldest)) = ages.iter().skip(MOST_NAMES).max_by_key(|(_, age)| *age) {
            let oldest = *oldest;
            ages.truncate(MOST_NAMES);
            ages.push((OTHER.to_owned(), oldest));
        }
        ages
    }

    /// How many columns of keys nobody has decided on, by the names of the databases; those beyond a
    /// number together.
    #[must_use]
    pub fn undecided(&self) -> Vec<(String, usize)> {
        let undecided = self.settings().undecided().into_iter();
        let mut undecided: Vec<_> = undecided
            .map(|(name, columns)| (escaped(&name), columns))
            .collect();
        undecided.sort();
        if undecided.len() > MOST_NAMES {
            let others = undecided.drain(MOST_NAMES..).map(|(_, columns)| columns);
            let others = others.sum();
            undecided.push((OTHER.to_owned(), others));
        }
        undecided
    }

    /// What is known of Postgres, without a look at it.
    #[must_use]
    pub fn upstream(&self) -> Upstream {
        let settings = self.settings();
        let usable = settings.hosts.used().and_then(|host| host.reach.usable());
        let age = usable.map(|at| at.elapsed());
        Upstream {
            is_up: age.is_some_and(|age| age < limits::READY_FOR),
            age,
        }
    }

    /// What is known of Postgres, perhaps after a look at it. If no session has told of late,
    /// somebody goes and looks, one at a time and not too often; what that shows counts if it comes
    /// soon, and next time otherwise. It shows whether a host answers, and not what it is: that
    /// takes a login.
    pub async fn probe(&self) -> Upstream {
        let is_fresh = |age: Duration| age < limits::PROBE_INTERVAL;
        let known = self.upstream();
        let is_known = known.age.is_some_and(is_fresh);
        let settings = self.settings();
        let is_due = |host: &&Host| {
            let usable = host.reach.usable();
            host.is_silent() || !usable.is_some_and(|at| is_fresh(at.elapsed()))
        };
        if !settings.hosts.all().iter().any(|host| is_due(&host)) {
            return known;
        }
        match Arc::clone(&self.probing).try_lock_owned() {
            Ok(looking) => {
                let due = settings.hosts.all().iter().filter(is_due);
                let due: Vec<Address> = due.map(|host| host.address.clone()).collect();
                // A task of its own: what it learns is of use when nobody waits any more.
                let probe = tokio::spawn(async move {
                    look(&settings, due).await;
                    drop(looking);
                });
                if !is_known {
                    let _ = timeout(limits::PROBE_PATIENCE, probe).await;
                }
            }
            Err(_) if is_known => {}
            Err(_) => drop(timeout(limits::PROBE_PATIENCE, self.probing.lock()).await),
        }
        self.upstream()
    }
}

/// Connects to hosts, all at once, only to see whether it works.
async fn look(settings: &Arc<Settings>, due: Vec<Address>) {
    let mut looking = JoinSet::new();
    for address in due {
        let settings = Arc::clone(settings);
        looking.spawn(async move {
            if let Some(host) = settings.hosts.at(&address)
                && let Some(attempt) = host.reach.probe()
            {
                settings.look(host, &attempt).await;
            }
        });
    }
    while looking.join_next().await.is_some() {}
}
