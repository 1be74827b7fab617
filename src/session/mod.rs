//! One client's session as a state machine without sockets: bytes in from both sides, bytes out
//! to both sides. It knows the protocol and carries out what `sql` planned; it does not know how
//! statements are analysed, and does no I/O.
//!
//! The owner reads each socket into a buffer and hands it over with [`Session::client_bytes`] and
//! [`Session::server_bytes`], which take complete messages off its front (and pieces of large
//! ones that need no inspection); what they leave must be presented again, together with what
//! arrives next. It writes what [`Session::to_client`] and [`Session::to_server`] hold.

mod fatal;
mod shared;

use std::sync::Arc;

use bytes::BytesMut;

use crate::wire::Output;
pub use fatal::Fatal;
pub use shared::{Analyse, Catalog, Epoch, Event, Limits, Mode, Shared};

/// The session of one client.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
    to_client: Output,
    to_server: Output,
    mode: Mode,
}

impl Session {
    /// Starts behind the server's AuthenticationOk.
    #[must_use]
    pub fn new(shared: Arc<Shared>, mode: Mode) -> Self {
        Self {
            shared,
            to_client: Output::default(),
            to_server: Output::default(),
            mode,
        }
    }

    /// Takes what it can from the front of the bytes that the client sent. To be called again
    /// with the rest after [`Session::server_bytes`], as the rest may wait for an answer.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn client_bytes(&mut self, input: &mut BytesMut) -> Result<(), Fatal> {
        let count = input.len();
        self.to_server.pass(input, count);
        Ok(())
    }

    /// Takes what it can from the front of the bytes that the server sent.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn server_bytes(&mut self, input: &mut BytesMut) -> Result<(), Fatal> {
        let count = input.len();
        self.to_client.pass(input, count);
        Ok(())
    }

    /// What is to be written to the client.
    pub fn to_client(&mut self) -> &mut Output {
        &mut self.to_client
    }

    /// What is to be written to the server.
    pub fn to_server(&mut self) -> &mut Output {
        &mut self.to_server
    }

    /// Whether [`Session::client_bytes`] would take anything. While it would not, the client's
    /// socket need not be read.
    #[must_use]
    pub fn accepts_client_input(&self) -> bool {
        true
    }

    /// Whether the session can't go on without a picture of the database: answer with
    /// [`Session::use_catalog`] or [`Session::load_catalog`]. Once in each session, before its
    /// first ReadyForQuery reaches the client.
    #[must_use]
    pub fn needs_catalog(&self) -> bool {
        false
    }

    /// Goes on with this picture of the database. Also at any later time, when another session
    /// has published a newer one.
    pub fn use_catalog(&mut self, catalog: Arc<Catalog>) {
        let _ = (catalog, &self.shared, self.mode);
    }

    /// Lets this session ask its server for a picture of the database. The result comes from
    /// [`Session::take_loaded`] after some call of [`Session::server_bytes`].
    pub fn load_catalog(&mut self) {}

    /// A picture of the database that this session has loaded and that others may use, once.
    pub fn take_loaded(&mut self) -> Option<Arc<Catalog>> {
        None
    }

    /// Whether nothing is under way: no answer is owed to the client and no transaction is open.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        true
    }

    /// Ends the session: what was built for the client stays to be written, with the reason
    /// behind it as an ErrorResponse; nothing more is taken from either side.
    pub fn end(&mut self, reason: &Fatal) {
        reason.encode(self.to_client.buffer());
    }
}
