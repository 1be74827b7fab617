//! The I/O: listens, leads clients through startup and authentication, and drives each session
//! over two sockets. Judges no statement and no message: that is the session's.
//!
//! ```text
//! listener ── connection: opening ── authentication ── relay (client ⇄ session ⇄ server)
//! ```

mod alarms;
mod authentication;
mod buffers;
mod cancels;
mod catalogs;
mod connection;
mod descriptors;
mod dial;
mod door;
mod drift;
mod entry;
mod forwarded;
mod homes;
mod hosts;
mod leg;
pub mod limits;
mod listener;
mod login;
mod lookup;
mod memory;
mod naming;
mod origin;
mod reach;
mod refused;
mod relay;
mod roster;
mod scram;
mod seats;
mod seldom;
mod settings;
mod startup;
mod stream;
mod strikes;
mod tally;
mod threads;
mod tls;
mod upstream;
mod view;
mod vitals;
mod waiting;
mod way;
mod weakened;
mod workshop;

use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};
use tracing::{error, info, warn};

use crate::audit::Event;
use crate::config::{Config, Listen, StandIns};
use buffers::Buffers;
use connection::{Drain, Phase};
use door::Acceptor;
use listener::Listener;
use settings::{Lasting, Settings};
use tally::Tallies;
use threads::Threads;
use waiting::Waiting;
use weakened::weakened;
use workshop::Workshop;

pub use hosts::HostState;
pub(crate) use listener::{SocketFile, bind_tcp, bind_unix};
pub use roster::{Seen, Whose};
pub(crate) use tls::client_config;
pub use vitals::{Upstream, Vitals};

/// Why the proxy can't start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProxyError {
    /// An address can't be listened at.
    #[error("cannot listen at {listen}: {source}")]
    Listen {
        /// The address.
        listen: Listen,
        /// The system's reason.
        source: io::Error,
    },
    /// TLS can't be had as the configuration wants it.
    #[error("no TLS: {0}")]
    Tls(#[from] rustls::Error),
    /// There are no threads for clients.
    #[error("no threads for clients: {0}")]
    Threads(io::Error),
    /// The system has no randomness.
    #[error("no random bytes: {0}")]
    Random(#[from] getrandom::Error),
}

/// A proxy that listens, and serves once it is run.
#[derive(Debug)]
pub struct Server {
    listeners: Vec<Listener>,
    settings: watch::Sender<Arc<Settings>>,
    sessions: Arc<Semaphore>,
    /// One place for each client, with a session or without.
    waiting: Arc<Waiting>,
    phase: watch::Sender<Phase>,
    /// It was told to stop, and may still take clients for a while.
    leaving: Arc<AtomicBool>,
    threads: Arc<Threads>,
    workshop: Arc<Workshop>,
}

/// Replaces the configuration of a running [`Server`].
#[derive(Debug, Clone)]
pub struct Reload(watch::Sender<Arc<Settings>>);

impl Server {
    /// Listens at the addresses of the configuration. Clients wait until [`Server::run`].
    ///
    /// # Errors
    /// If one of them can't be listened at, or TLS can't be had as configured.
    pub async fn bind(config: Config) -> Result<Self, ProxyError> {
        let mut listeners = Vec::new();
        for listen in &config.listen {
            let bound = Listener::bind(listen, config.socket_mode, config.reuse_port).await;
            listeners.extend(bound.map_err(|source| ProxyError::Listen {
                listen: listen.clone(),
                source,
            })?);
        }
        let room = descriptors::room(config.max_connections);
        let stand_ins = Arc::new(StandIns::random()?);
        let threads = config.threads.map_or_else(processors, NonZero::get);
        let threads = Threads::start(threads).map_err(ProxyError::Threads)?;
        let settings = Settings::new(config, stand_ins, Lasting::default())?;
        let workshop = Workshop::start().map_err(ProxyError::Threads)?;
        Ok(Self {
            threads: Arc::new(threads),
            workshop: Arc::new(workshop),
            listeners,
            sessions: Arc::new(Semaphore::new(room.sessions)),
            waiting: Arc::new(Waiting::new(room.places)),
            settings: watch::Sender::new(Arc::new(settings)),
            phase: watch::Sender::new(Phase::Open),
            leaving: Arc::default(),
        })
    }

    /// The address of the first TCP listener: where the port was left to the system (0), this
    /// tells which it is.
    #[must_use]
    pub fn local_addr(&self) -> Option<SocketAddr> {
        self.listeners.iter().find_map(Listener::tcp_address)
    }

    /// For a later change of the configuration.
    #[must_use]
    pub fn reload(&self) -> Reload {
        Reload(self.settings.clone())
    }

    /// For whoever watches it: health, counters and state.
    #[must_use]
    pub fn vitals(&self) -> Vitals {
        Vitals::new(self.settings.subscribe(), Arc::clone(&self.leaving))
    }

    /// Serves until `shutdown` is ready, as [`Server::run_until`] does when nobody hurries.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        self.run_until(shutdown, std::future::pending()).await;
    }

    /// Serves until `shutdown` is ready, and for the drain delay after that; then takes no more
    /// clients, and ends idle sessions, at once or spread over a time, and busy ones when they become
    /// idle or the drain timeout is over. When `at_once` is ready, all that is left of this is skipped.
    pub async fn run_until(
        self,
        shutdown: impl Future<Output = ()>,
        at_once: impl Future<Output = ()>,
    ) {
        let mut serving = JoinSet::new();
        let numbers = Arc::new(AtomicU64::new(1));
        let buffers = Arc::new(Buffers::default());
        let tallies = Tallies::default();
        for listener in self.listeners {
            let door = Acceptor {
                settings: self.settings.clone(),
                phase: self.phase.subscribe(),
                sessions: Arc::clone(&self.sessions),
                waiting: Arc::clone(&self.waiting),
                numbers: Arc::clone(&numbers),
                buffers: Arc::clone(&buffers),
                tallies: tallies.clone(),
                workshop: Arc::clone(&self.workshop),
                threads: Arc::clone(&self.threads),
            };
            serving.spawn(door.serve(listener));
        }
        shutdown.await;
        self.leaving.store(true, Ordering::Relaxed);
        let limits = self.settings.borrow().config.limits.clone();
        let drain = async {
            if !limits.drain_delay.is_zero() {
                let seconds = limits.drain_delay.as_secs();
                info!(seconds, "draining begins after the delay: still serving");
                sleep(limits.drain_delay).await;
            }
            info!("draining");
            let all = async {
                let draining = Phase::Draining(Drain {
                    since: Instant::now(),
                    spread: limits.drain_spread,
                });
                let mut again = interval(limits::NEW_SESSION);
                loop {
                    tokio::select! {
                        // Those that had just begun are told again.
                        _ = again.tick() => { self.phase.send_replace(draining); }
                        ended = serving.join_next() => if ended.is_none() { break },
                    }
                }
            };
            if timeout(limits.drain_timeout, all).await.is_err() {
                warn!("the drain timeout is over: ending the remaining sessions");
            }
        };
        tokio::select! {
            () = drain => {}
            () = at_once => warn!("told to stop at once: ending the remaining sessions"),
        }
        self.phase.send_replace(Phase::Closing);
        let all = async { while serving.join_next().await.is_some() {} };
        let _ = timeout(2 * limits::FAREWELL_TIMEOUT, all).await;
        info!("stopped");
    }
}

impl Reload {
    /// From now on new connections start under this configuration; running ones keep theirs.
    /// `listen`, `reuse_port`, `socket_mode`, `max_connections`, `threads` and the addresses of `[admin]` need a
    /// restart.
    /// Says whether it can be used; if not, nothing changes, and the log says why.
    pub fn apply(&self, config: Config) -> bool {
        let old = Arc::clone(&self.0.borrow());
        let (was, is) = (&old.config, &config);
        if was.listen != is.listen
            || was.reuse_port != is.reuse_port
            || was.max_connections != is.max_connections
            || was.socket_mode != is.socket_mode
            || was.threads != is.threads
        {
            warn!(
                "listen, reuse_port, socket_mode, max_connections and threads change with a restart only"
            );
        }
        let places = |config: &Config| {
            let admin = config.admin.clone();
            (admin.listen, admin.probes, admin.console)
        };
        if places(was) != places(is) {
            warn!("listen, probes and console of [admin] change with a restart only");
        }
        let (weaker, changes) = (weakened(was, is), is.changes_since(was));
        let (stand_ins, lasting) = (Arc::clone(&old.stand_ins), old.lasting.clone());
        match Settings::new(config, stand_ins, lasting) {
            Ok(settings) => {
                old.lasting.counters.reloads_applied.add(1);
                settings.hosts.inherit(&old.hosts);
                self.0.send_replace(Arc::new(settings));
                info!("configuration reloaded");
                Event::Reload { changes }.emit();
                for what in weaker {
                    warn!("the new configuration is weaker: {what}");
                }
                true
            }
            Err(error) => {
                old.lasting.counters.reloads_failed.add(1);
                error!(%error, "the configuration is not reloaded");
                false
            }
        }
    }

    /// Counts a configuration that could not even be read.
    pub fn count_failure(&self) {
        self.0.borrow().lasting.counters.reloads_failed.add(1);
    }
}

/// How many processors this process may use.
fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Whether the process (EMFILE) or the system (ENFILE) has no descriptor left.
fn is_out_of_descriptors(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(23 | 24))
}
