//! The console: a virtual database on a Unix socket, which any psql reads. It is a server of our own
//! making, by pgwire, for the user of this process and for root, and has what the pages of `/v1/` have
//! and nothing else: the lists are the same, and so is what carries out a command.
//!
//! A session on it runs beside those that serve clients: what it may take is bounded in number, in
//! bytes and in statements, and a fault in it ends it alone.

mod answer;
mod command;
mod meter;
mod server;
mod table;

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use tokio::net::{UnixListener, UnixStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;
use tracing::warn;

use super::operations::Operations;
use crate::config::Address;
use crate::proxy::{SocketFile, bind_unix};

/// Sessions at once. Where there are more, the oldest gives way, so that forgotten ones keep nobody
/// out.
const MOST_SESSIONS: usize = 16;

/// The pause after a failed `accept`.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Only the user of the process may connect, and root.
const SOCKET_MODE: u32 = 0o600;

/// The socket of the console.
pub(super) struct Console {
    listener: UnixListener,
    _file: SocketFile,
    operations: Operations,
}

impl Console {
    /// Listens at a socket in a folder, under the name that clients of Postgres look for.
    pub(super) fn bind(address: &Address, operations: Operations) -> io::Result<Self> {
        let path = address.socket().ok_or(io::ErrorKind::InvalidInput)?;
        let (listener, _file) = bind_unix(&path, SOCKET_MODE)?;
        Ok(Self {
            listener,
            _file,
            operations,
        })
    }

    /// Serves until it is dropped.
    pub(super) async fn serve(self) {
        let mut running = JoinSet::new();
        let mut oldest_first: VecDeque<AbortHandle> = VecDeque::new();
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                Some(_) = running.join_next() => continue,
            };
            match accepted {
                Ok((stream, _)) if !is_ours(&stream) => {
                    warn!("somebody else has connected to the console, and was turned away");
                }
                Ok((stream, _)) => {
                    oldest_first.retain(|session| !session.is_finished());
                    if oldest_first.len() >= MOST_SESSIONS
                        && let Some(oldest) = oldest_first.pop_front()
                    {
                        oldest.abort();
                    }
                    let session = server::serve(stream, self.operations.clone());
                    oldest_first.push_back(running.spawn(session));
                }
                Err(error) => {
                    warn!(%error, "the console cannot accept");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

/// Whether the user at the other end is that of this process, or root. The permissions of the socket
/// say the same, but others may have changed these.
fn is_ours(stream: &UnixStream) -> bool {
    let own = rustix::process::geteuid().as_raw();
    stream
        .peer_cred()
        .is_ok_and(|peer| is_trusted(peer.uid(), own))
}

const fn is_trusted(peer: u32, own: u32) -> bool {
    peer == own || peer == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_user_and_root_are_trusted() {
        assert!(is_trusted(1000, 1000) && is_trusted(0, 1000) && is_trusted(0, 0));
        assert!(!is_trusted(1001, 1000) && !is_trusted(1000, 0));
    }
}
