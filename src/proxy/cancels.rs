//! On which host a session is, for whoever wants to cancel what it runs: the request names the
//! session by the key that Postgres has given it, and nothing else.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::config::Address;

/// The hosts of running sessions, by the bodies of their BackendKeyData.
#[derive(Debug, Default)]
pub(super) struct Cancels(Mutex<HashMap<Box<[u8]>, Address>>);

/// One session among them, as long as it lives.
#[derive(Debug)]
pub(super) struct Cancellable {
    cancels: Arc<Cancels>,
    key: Box<[u8]>,
}

impl Cancels {
    pub(super) fn note(self: &Arc<Self>, key: &[u8], host: Address) -> Cancellable {
        self.lock().insert(key.into(), host);
        Cancellable {
            cancels: Arc::clone(self),
            key: key.into(),
        }
    }

    /// Where the session of a CancelRequest is, if it is one of this process.
    pub(super) fn host(&self, packet: &[u8]) -> Option<Address> {
        // Behind the length and the code.
        self.lock().get(packet.get(8..)?).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<[u8]>, Address>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Cancellable {
    fn drop(&mut self) {
        self.cancels.lock().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_known_as_long_as_it_lives() {
        let cancels: Arc<Cancels> = Arc::default();
        let host = Address::parse("db:5432", 5432).unwrap();
        let packet = b"\0\0\0\x10\x04\xd2\x16\x2e\0\0\0\x07abcd";
        let session = cancels.note(b"\0\0\0\x07abcd", host.clone());
        assert_eq!(cancels.host(packet), Some(host));
        for length in 0..packet.len() {
            assert_eq!(cancels.host(&packet[..length]), None);
        }
        drop(session);
        assert_eq!(cancels.host(packet), None);
    }
}
