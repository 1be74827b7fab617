//! The I/O: listens, leads clients through startup and authentication, and drives each session
//! over two sockets. Judges no statement and no message: that is the session's.
//!
//! ```text
//! listener ── connection: opening ── authentication ── relay (client ⇄ session ⇄ server)
//! ```

mod authentication;
mod buffers;
mod catalogs;
mod connection;
mod descriptors;
mod leg;
pub mod limits;
mod listener;
mod login;
mod lookup;
mod refused;
mod relay;
mod scram;
mod settings;
mod startup;
mod stream;
mod tls;
mod upstream;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::BytesMut;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;
use tracing::{Instrument, error, info, info_span, warn};
use zeroize::Zeroizing;

use crate::config::{Address, Config};
use crate::session::Fatal;
use buffers::Buffers;
use connection::{Connection, Phase};
use leg::Leg;
use listener::Listener;
use settings::Settings;

/// Why the proxy can't start.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// An address can't be listened at.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: Address,
        /// The system's reason.
        source: io::Error,
    },
    /// TLS can't be had as the configuration wants it.
    #[error("no TLS: {0}")]
    Tls(#[from] rustls::Error),
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
    /// One permit for each client, with a session or without.
    places: Arc<Semaphore>,
    phase: watch::Sender<Phase>,
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
        for address in &config.listen {
            let bound = Listener::bind(address).await;
            listeners.extend(bound.map_err(|source| ProxyError::Listen {
                address: address.clone(),
                source,
            })?);
        }
        let room = descriptors::room(config.max_connections);
        let mut stand_ins = Zeroizing::new([0; 32]);
        getrandom::fill(stand_ins.as_mut_slice())?;
        let settings = Settings::new(config, Arc::new(stand_ins))?;
        Ok(Self {
            listeners,
            sessions: Arc::new(Semaphore::new(room.sessions)),
            places: Arc::new(Semaphore::new(room.places)),
            settings: watch::Sender::new(Arc::new(settings)),
            phase: watch::Sender::new(Phase::Open),
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

    /// Serves until `shutdown` is ready; then takes no more clients, ends idle sessions, and
    /// busy ones when they become idle or the drain timeout is over.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let mut serving = JoinSet::new();
        let drain_timeout = self.settings.borrow().config.limits.drain_timeout;
        let numbers = Arc::new(AtomicU64::new(1));
        let buffers = Arc::new(Buffers::default());
        for listener in self.listeners {
            let door = Door {
                settings: self.settings.clone(),
                phase: self.phase.subscribe(),
                sessions: Arc::clone(&self.sessions),
                places: Arc::clone(&self.places),
                numbers: Arc::clone(&numbers),
                buffers: Arc::clone(&buffers),
            };
            serving.spawn(door.serve(listener));
        }
        shutdown.await;
        info!("draining");
        self.phase.send_replace(Phase::Draining);
        let all = async { while serving.join_next().await.is_some() {} };
        if timeout(drain_timeout, all).await.is_err() {
            warn!("the drain timeout is over: ending the remaining sessions");
            self.phase.send_replace(Phase::Closing);
            let all = async { while serving.join_next().await.is_some() {} };
            let _ = timeout(2 * limits::FAREWELL_TIMEOUT, all).await;
        }
        info!("stopped");
    }
}

impl Reload {
    /// From now on new connections start under this configuration; running ones keep theirs.
    /// `listen` and `max_connections` need a restart.
    pub fn apply(&self, config: Config) {
        let old = Arc::clone(&self.0.borrow());
        if old.config.listen != config.listen
            || old.config.max_connections != config.max_connections
        {
            warn!("listen and max_connections change with a restart only");
        }
        match Settings::new(config, Arc::clone(&old.stand_ins)) {
            Ok(settings) => {
                self.0.send_replace(Arc::new(settings));
                info!("configuration reloaded");
            }
            Err(error) => error!(%error, "the configuration is not reloaded"),
        }
    }
}

/// Lets clients in through one listener.
struct Door {
    settings: watch::Sender<Arc<Settings>>,
    phase: watch::Receiver<Phase>,
    sessions: Arc<Semaphore>,
    /// One permit for each socket, before and after startup.
    places: Arc<Semaphore>,
    numbers: Arc<AtomicU64>,
    buffers: Arc<Buffers>,
}

impl Door {
    /// Accepts until the proxy drains, then waits for the clients that are in.
    async fn serve(mut self, listener: Listener) {
        let mut clients = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                Some(ended) = clients.join_next() => {
                    report_panic(&ended);
                    continue;
                }
                _ = self.phase.changed() => break,
            };
            match accepted {
                Ok((stream, peer)) => self.welcome(stream, peer, &mut clients),
                Err(error) => {
                    error!(%error, "cannot accept");
                    tokio::time::sleep(limits::ACCEPT_PAUSE).await;
                }
            }
        }
        drop(listener);
        while let Some(ended) = clients.join_next().await {
            report_panic(&ended);
        }
    }

    fn welcome(&self, stream: stream::Stream, peer: String, clients: &mut JoinSet<()>) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            warn!(
                peer,
                "turned away: too many connections that have not started a session"
            );
            clients.spawn(turn_away(stream));
            return;
        };
        let connection = Connection {
            peer,
            settings: Arc::clone(&self.settings.borrow()),
            phase: self.phase.clone(),
            sessions: Arc::clone(&self.sessions),
            buffers: Arc::clone(&self.buffers),
        };
        let session = self.numbers.fetch_add(1, Ordering::Relaxed);
        let serve = async move { connection.serve(stream).await };
        let serve = serve.instrument(info_span!("client", session));
        spawn(clients, place, serve);
    }
}

/// Runs what serves one client. A panic ends it alone: its sockets and its place go with it.
fn spawn(
    clients: &mut JoinSet<()>,
    place: OwnedSemaphorePermit,
    serve: impl Future<Output = ()> + Send + 'static,
) {
    clients.spawn(async move {
        let _place = place;
        serve.await;
    });
}

/// A panic is a bug of ours. What it says may hold a value, so that only the fact is logged.
fn report_panic(ended: &Result<(), JoinError>) {
    if ended.as_ref().is_err_and(JoinError::is_panic) {
        error!("a session ended by a panic");
    }
}

/// Tells a client that there is no room, whatever it was about to say.
async fn turn_away(stream: stream::Stream) {
    let mut words = BytesMut::new();
    Fatal::TooManyClients.encode(&mut words);
    Leg::new(stream, Arc::default()).farewell(words).await;
}

/// Whether the process (EMFILE) or the system (ENFILE) has no descriptor left.
fn is_out_of_descriptors(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(23 | 24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_ends_one_client_alone_and_frees_its_place() {
        let places = Arc::new(Semaphore::new(2));
        let take = || Arc::clone(&places).try_acquire_owned().unwrap();
        let mut clients = JoinSet::new();
        let (go_on, waiting) = tokio::sync::oneshot::channel::<()>();
        spawn(&mut clients, take(), async { panic!("a bug") });
        spawn(&mut clients, take(), async { waiting.await.unwrap() });
        let first = clients.join_next().await.unwrap();
        assert!(first.unwrap_err().is_panic());
        assert_eq!(places.available_permits(), 1);
        go_on.send(()).unwrap();
        assert!(clients.join_next().await.unwrap().is_ok());
        assert_eq!(places.available_permits(), 2);
        // Tests unwind whatever the profile says; the product must, too.
        assert!(!include_str!("../../Cargo.toml").contains("panic = \"abort\""));
    }
}
