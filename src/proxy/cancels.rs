//! On which host a session is, for whoever wants to cancel what it runs: the request names the
//! session by the key that Postgres has given it, and nothing else. What the client has sent in
//! front of the request comes first: it may still be read or judged, and the server would have
//! nothing to cancel.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::timeout;

use super::limits;
use crate::config::Address;

/// The running sessions, by the bodies of their BackendKeyData. Each host makes keys of its own, so
/// that one key may be that of several sessions.
#[derive(Debug, Default)]
pub(super) struct Cancels(Mutex<HashMap<Box<[u8]>, Vec<Running>>>);

/// A session that may run something.
#[derive(Debug)]
struct Running {
    host: Address,
    bell: Arc<Bell>,
}

/// One session among them, as long as it lives.
#[derive(Debug)]
pub(super) struct Cancellable {
    cancels: Arc<Cancels>,
    key: Box<[u8]>,
    pub(super) host: Address,
    pub(super) bell: Arc<Bell>,
}

/// By which a session is asked to take what its client has sent, and says that it has.
#[derive(Debug, Default)]
pub(super) struct Bell {
    rung: Notify,
    heard: Notify,
}

impl Bell {
    /// Asks the session, and waits until it has, but not for long: it may have to wait itself.
    pub(super) async fn ring(&self) {
        let mut heard = pin!(self.heard.notified());
        heard.as_mut().enable();
        self.rung.notify_one();
        let _ = timeout(limits::CANCEL_PATIENCE, heard).await;
    }

    /// Waits until somebody asks.
    pub(super) async fn rung(&self) {
        self.rung.notified().await;
    }

    /// Says that it has.
    pub(super) fn hear(&self) {
        self.heard.notify_waiters();
    }
}

/// Where the session of a CancelRequest is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    On(Address),
    /// It is none of this process.
    Nowhere,
    /// Several hosts have given the same key.
    Ambiguous,
}

impl Cancels {
    pub(super) fn note(self: &Arc<Self>, key: &[u8], host: Address) -> Cancellable {
        let bell = Arc::<Bell>::default();
        let session = Running {
            host: host.clone(),
            bell: Arc::clone(&bell),
        };
        self.lock().entry(key.into()).or_default().push(session);
        Cancellable {
            cancels: Arc::clone(self),
            key: key.into(),
            host,
            bell,
        }
    }

    /// Finds the session of a CancelRequest.
    pub(super) fn find(&self, packet: &[u8]) -> Found {
        let all = self.lock();
        // Behind the length and the code.
        let sessions = packet.get(8..).and_then(|key| all.get(key));
        match sessions.and_then(|sessions| sessions.split_first()) {
            Some((first, others)) if others.iter().all(|other| other.host == first.host) => {
                Found::On(first.host.clone())
            }
            Some(_) => Found::Ambiguous,
            None => Found::Nowhere,
        }
    }

    /// Lets the sessions of a CancelRequest take what their clients have sent.
    pub(super) async fn ring(&self, packet: &[u8]) {
        let bells: Vec<Arc<Bell>> = {
            let all = self.lock();
            let sessions = packet.get(8..).and_then(|key| all.get(key));
            let sessions = sessions.into_iter().flatten();
            sessions.map(|session| Arc::clone(&session.bell)).collect()
        };
        for bell in bells {
            bell.ring().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<[u8]>, Vec<Running>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Cancellable {
    fn drop(&mut self) {
        let mut all = self.cancels.lock();
        let Some(sessions) = all.get_mut(&self.key) else {
            return;
        };
        sessions.retain(|session| !Arc::ptr_eq(&session.bell, &self.bell));
        if sessions.is_empty() {
            all.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"\0\0\0\x07abcd";
    const PACKET: &[u8] = b"\0\0\0\x10\x04\xd2\x16\x2e\0\0\0\x07abcd";

    #[test]
    fn a_session_is_known_as_long_as_it_lives() {
        let cancels: Arc<Cancels> = Arc::default();
        let host = Address::parse("db:5432", 5432).unwrap();
        let session = cancels.note(KEY, host.clone());
        assert_eq!(cancels.find(PACKET), Found::On(host.clone()));
        for length in 0..PACKET.len() {
            assert_eq!(cancels.find(&PACKET[..length]), Found::Nowhere);
        }
        // A server that was killed may give a key again before its last session is seen to be over.
        let again = cancels.note(KEY, host.clone());
        drop(session);
        assert_eq!(cancels.find(PACKET), Found::On(host));
        drop(again);
        assert_eq!(cancels.find(PACKET), Found::Nowhere);
    }

    #[test]
    fn a_key_that_two_hosts_have_given_finds_neither_session() {
        let cancels: Arc<Cancels> = Arc::default();
        let [first, second] = ["a:1", "b:1"].map(|text| Address::parse(text, 1).unwrap());
        let one = cancels.note(KEY, first);
        let other = cancels.note(KEY, second.clone());
        assert_eq!(cancels.find(PACKET), Found::Ambiguous);
        drop(one);
        assert_eq!(cancels.find(PACKET), Found::On(second));
        drop(other);
    }
}
