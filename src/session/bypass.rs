//! A session inside the trust boundary: everything passes as it is. Only as much is looked at as
//! it takes to know when nothing is under way.

use bytes::BytesMut;

use super::fatal::Fatal;
use super::front::Front;
use super::memory::Lease;
use super::running::Streaming;
use crate::wire::backend::TransactionStatus;
use crate::wire::frame::{FrameLimits, Header};
use crate::wire::{Output, WireError};

/// The session.
#[derive(Debug, Default)]
pub(super) struct Bypass {
    /// How many ReadyForQuery are owed, as far as that can be told from outside: a Sync during
    /// COPY gets none. Only draining depends on it.
    owed: usize,
    status: TransactionStatus,
    from_client: Streaming,
    from_server: Streaming,
}

impl Bypass {
    /// Starts in wait of the first ReadyForQuery.
    pub(super) fn new() -> Self {
        Self {
            owed: 1,
            ..Self::default()
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.owed == 0 && self.status == TransactionStatus::Idle
    }

    /// Whether the client has got only a part of a frame.
    pub(super) fn is_inside_a_frame(&self) -> bool {
        self.from_server != Streaming::Nothing
    }

    pub(super) fn client_bytes(
        &mut self,
        limits: FrameLimits,
        input: &mut BytesMut,
        to_server: &mut Output,
        lease: &mut Lease,
    ) -> Result<(), Fatal> {
        let mut front = Front::new(input, to_server, lease);
        while self.from_client.advance(&mut front) {
            let header = match Header::from_client(front.rest(), limits) {
                Ok(Some(header)) => header,
                Ok(None) => break,
                // The server ends the connection for it, once it has answered the others.
                Err(WireError::Type(_)) => {
                    self.owed += 1;
                    self.from_client = Streaming::Passing(usize::MAX);
                    continue;
                }
                Err(error) => return Err(Fatal::Client(error)),
            };
            if matches!(header.kind, b'Q' | b'S' | b'F') {
                self.owed += 1;
            }
            self.from_client = Streaming::Passing(header.total);
        }
        Ok(())
    }

    pub(super) fn server_bytes(
        &mut self,
        input: &mut BytesMut,
        to_client: &mut Output,
        lease: &mut Lease,
    ) -> Result<(), Fatal> {
        let mut front = Front::new(input, to_client, lease);
        while self.from_server.advance(&mut front) {
            let header = Header::from_server(front.rest()).map_err(Fatal::Server)?;
            let Some(header) = header else { break };
            if header.kind == b'Z' {
                let Some(&status) = front.rest().get(5) else {
                    break;
                };
                self.status = TransactionStatus::decode(&[status]).map_err(Fatal::Server)?;
                self.owed = self.owed.saturating_sub(1);
                if self.status == TransactionStatus::Idle && front.rest().len() == header.total {
                    // The last answer of all that came: what was counted too much is forgotten.
                    self.owed = 0;
                }
            }
            self.from_server = Streaming::Passing(header.total);
        }
        Ok(())
    }
}
