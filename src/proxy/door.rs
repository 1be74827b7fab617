//! The door: accepts clients, gives each a place, and looks after the tasks that serve them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::BytesMut;
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;
use tracing::field::Empty;
use tracing::{debug, error, error_span, warn};

use super::buffers::Buffers;
use super::connection::{Connection, Phase};
use super::leg::Leg;
use super::listener::Listener;
use super::settings::Settings;
use super::stream::Stream;
use super::tally::Tallies;
use super::threads::Threads;
use super::waiting::{Accepted, Waiting};
use super::workshop::Workshop;
use super::{is_out_of_descriptors, limits};
use crate::session::Fatal;

/// Lets clients in through one listener.
pub(super) struct Acceptor {
    pub(super) settings: watch::Sender<Arc<Settings>>,
    pub(super) phase: watch::Receiver<Phase>,
    pub(super) sessions: Arc<Semaphore>,
    pub(super) waiting: Arc<Waiting>,
    pub(super) numbers: Arc<AtomicU64>,
    pub(super) buffers: Arc<Buffers>,
    pub(super) workshop: Arc<Workshop>,
    pub(super) tallies: Tallies,
    pub(super) threads: Arc<Threads>,
}

impl Acceptor {
    /// Accepts until the proxy drains, then waits for the clients that are in.
    pub(super) async fn serve(mut self, listener: Listener) {
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
                Ok((stream, peer)) => {
                    self.accept(stream, peer, &mut clients);
                    // Whoever gives way for a client must have the time to go before the next.
                    tokio::task::yield_now().await;
                }
                Err(error) => self.complain(error).await,
            }
        }
        self.close(listener, &mut clients);
        while let Some(ended) = clients.join_next().await {
            report_panic(&ended);
        }
    }

    /// Takes no more clients but those who have connected by now; of a socket that belongs to
    /// others, too, those come to whoever takes them first.
    fn close(&self, listener: Listener, clients: &mut JoinSet<()>) {
        match listener.close() {
            Ok(waiting) => {
                for (stream, peer) in waiting {
                    self.accept(stream, peer, clients);
                }
            }
            Err(error) => warn!(%error, "clients that had connected could not be taken"),
        }
    }

    /// Without a descriptor for a client, those who have not begun a session give theirs up.
    async fn complain(&self, error: io::Error) {
        if is_out_of_descriptors(&error) {
            self.waiting.make_room();
        }
        let tell = move |count| error!(count, %error, "cannot accept");
        self.tallies.accept.count(tell);
        tokio::time::sleep(limits::ACCEPT_PAUSE).await;
    }

    fn accept(&self, stream: Stream, peer: String, clients: &mut JoinSet<()>) {
        let place = match self.waiting.accept() {
            Accepted::Free(place) | Accepted::TakenOver(place) => place,
            Accepted::Full => {
                let tell = move |count| warn!(count, peer, "turned away: too many connections");
                self.tallies.crowd.count(tell);
                let settings = Arc::clone(&self.settings.borrow());
                settings.lasting.counters.turned_away.add("crowd");
                clients.spawn(turn_away(stream));
                return;
            }
        };
        let session = self.numbers.fetch_add(1, Ordering::Relaxed);
        // Not entered while it is served: to enter one takes as long as a part of a query.
        let span = error_span!(
            "client",
            session,
            peer,
            role = Empty,
            database = Empty,
            application = Empty
        );
        let address = peer.parse().ok().map(|peer: SocketAddr| peer.ip());
        let connection = Connection {
            number: session,
            address: address.map(|address| address.to_canonical()),
            peer,
            span: span.clone(),
            settings: Arc::clone(&self.settings.borrow()),
            phase: self.phase.clone(),
            sessions: Arc::clone(&self.sessions),
            buffers: Arc::clone(&self.buffers),
            workshop: Arc::clone(&self.workshop),
            waiting: Arc::clone(&self.waiting),
            place,
            tallies: self.tallies.clone(),
        };
        // A panic ends this client alone: its sockets and its place go with it.
        let serve = async move {
            match stream.settled() {
                Ok(stream) => connection.serve(stream).await,
                Err(error) => span.in_scope(|| debug!(%error, "no session")),
            }
        };
        clients.spawn_on(serve, self.threads.next());
    }
}

/// A panic is a bug of ours. What it says may hold a value, so that only the fact is logged.
fn report_panic(ended: &Result<(), JoinError>) {
    if ended.as_ref().is_err_and(JoinError::is_panic) {
        error!("a session ended by a panic");
    }
}

/// Tells a client that there is no room, whatever it was about to say.
async fn turn_away(stream: Stream) {
    let mut words = BytesMut::new();
    Fatal::TooManyClients.encode(&mut words);
    let farewell = Leg::new(stream, Arc::default()).farewell(words);
    // It has no place: many of them may not stay for long.
    let _ = timeout(limits::TURN_AWAY_TIMEOUT, farewell).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_ends_one_client_alone_and_frees_its_place() {
        let waiting = Arc::new(Waiting::new(2));
        let take = || match waiting.accept() {
            Accepted::Free(place) => place,
            other => panic!("{other:?}"),
        };
        let mut clients = JoinSet::new();
        let (go_on, wait) = tokio::sync::oneshot::channel::<()>();
        let (first, second) = (take(), take());
        clients.spawn(async move {
            let _place = first;
            panic!("a bug");
        });
        clients.spawn(async move {
            let _place = second;
            wait.await.unwrap();
        });
        let ended = clients.join_next().await.unwrap();
        assert!(ended.unwrap_err().is_panic());
        drop(take());
        go_on.send(()).unwrap();
        assert!(clients.join_next().await.unwrap().is_ok());
        let _both = (take(), take());
        // Tests unwind whatever the profile says; the product must, too.
        assert!(!include_str!("../../Cargo.toml").contains("panic = \"abort\""));
    }
}
