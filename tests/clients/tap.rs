//! A tap between a real client and pgveil: passes bytes on and keeps what the client is sent.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::twin::canary::Canary;
use super::twin::client::Address;

/// A tap that listens as long as the process lives.
pub(crate) struct Tap {
    pub(crate) address: Address,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    sent: Vec<u8>,
    leaks: Vec<&'static str>,
}

impl Tap {
    /// Listens in front of this address.
    pub(crate) fn before(target: &Address) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (shared, target) = (Arc::clone(&seen), target.clone());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect((target.host.as_str(), target.port)).unwrap();
                client.set_nodelay(true).unwrap();
                server.set_nodelay(true).unwrap();
                let (from_client, to_server) =
                    (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || pass(from_client, to_server, |_| {}));
                let seen = Arc::clone(&shared);
                std::thread::spawn(move || {
                    let mut watch = Watch::default();
                    pass(server, client, |bytes| watch.look(bytes, &seen));
                });
            }
        });
        Self {
            address: Address {
                host: "127.0.0.1".to_owned(),
                port,
            },
            seen,
        }
    }

    /// How many bytes clients were sent; panics if a key was among them.
    pub(crate) fn clean_bytes(&self) -> usize {
        let seen = self.seen.lock().unwrap();
        assert!(
            seen.leaks.is_empty(),
            "a client was sent a key as {:?}",
            seen.leaks
        );
        seen.sent.len()
    }

    /// All that clients were sent.
    pub(crate) fn sent(&self) -> Vec<u8> {
        self.seen.lock().unwrap().sent.clone()
    }
}

/// Searches a stream, also across the borders of reads.
#[derive(Default)]
struct Watch(Vec<u8>);

impl Watch {
    fn look(&mut self, bytes: &[u8], seen: &Mutex<Seen>) {
        let canary = Canary::new();
        self.0.extend(bytes);
        let mut seen = seen.lock().unwrap();
        seen.sent.extend(bytes);
        seen.leaks.extend(canary.find(&self.0));
        let keep = self.0.len().saturating_sub(32);
        self.0.drain(..keep);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, mut look: impl FnMut(&[u8])) {
    let mut buffer = [0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        look(&buffer[..count]);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    // The other side is told that nothing more comes; whether it still listens does not matter.
    let _ = to.shutdown(Shutdown::Write);
}
