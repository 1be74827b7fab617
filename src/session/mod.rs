//! One client's session as a state machine without sockets: bytes in from both sides, bytes out
//! to both sides. It knows the protocol and carries out what `sql` planned; it does not know how
//! statements are analysed, and does no I/O.
//!
//! The owner reads each socket into a buffer and hands it over with [`Session::client_bytes`] and
//! [`Session::server_bytes`], which take complete messages off its front (and pieces of large
//! ones that need no inspection); what they leave must be presented again, together with what
//! arrives next. It writes what [`Session::to_client`] and [`Session::to_server`] hold.

mod bind;
mod bounds;
mod bypass;
mod client;
mod copy;
mod describe;
mod detail;
mod documents;
mod edit;
mod expected;
mod explain;
mod extended;
mod fatal;
mod front;
mod ids;
mod interlude;
mod json;
mod kept;
mod mask;
mod notification;
mod opening;
mod pictures;
pub mod plans;
mod records;
mod report;
mod result;
mod rows;
mod running;
mod sentinel;
mod server;
mod settings;
mod shared;
mod splice;
mod statements;
mod tags;
mod unread;
mod weight;

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;

pub use crate::audit::Event;
use crate::wire::Output;
use bypass::Bypass;
pub use fatal::Fatal;
use opening::{Opening, Startup};
use running::Running;
pub use shared::{Analyse, Catalog, Epoch, Limits, Mode, Shared};

/// The session of one client.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
    to_client: Output,
    to_server: Output,
    /// The time, as the owner told it last.
    now: Duration,
    phase: Phase,
}

/// How far a session has come.
#[derive(Debug)]
enum Phase {
    /// The server tells its settings; before its first ReadyForQuery.
    Startup(Startup),
    /// The first ReadyForQuery is held until there is a picture of the database.
    Opening(Opening),
    /// Statements are taken.
    Running(Box<Running>),
    /// The role is inside the trust boundary.
    Bypass(Bypass),
    /// Nothing is taken any more.
    Ended,
}

impl Session {
    /// Starts behind the server's AuthenticationOk.
    #[must_use]
    pub fn new(shared: Arc<Shared>, mode: Mode) -> Self {
        let phase = match mode {
            Mode::Bypass => Phase::Bypass(Bypass::new()),
            Mode::Enforce | Mode::Audit => Phase::Startup(Startup::new(mode)),
        };
        Self {
            shared,
            to_client: Output::default(),
            to_server: Output::default(),
            now: Duration::ZERO,
            phase,
        }
    }

    /// Tells the time: how long ago some moment was that is the same for all sessions of a
    /// [`Shared`]. To be called before the bytes that have arrived since are handed over.
    pub fn set_time(&mut self, now: Duration) {
        self.now = now;
    }

    /// Takes what it can from the front of the bytes that the client sent. To be called again
    /// with the rest after [`Session::server_bytes`], as the rest may wait for an answer.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn client_bytes(&mut self, input: &mut BytesMut) -> Result<(), Fatal> {
        match &mut self.phase {
            Phase::Running(running) => running.client_bytes(self.now, input, &mut self.to_server),
            Phase::Bypass(bypass) => {
                bypass.client_bytes(self.shared.limits.frames, input, &mut self.to_server)
            }
            Phase::Startup(_) | Phase::Opening(_) | Phase::Ended => Ok(()),
        }
    }

    /// Takes what it can from the front of the bytes that the server sent.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn server_bytes(&mut self, input: &mut BytesMut) -> Result<(), Fatal> {
        let (client, server) = (&mut self.to_client, &mut self.to_server);
        match &mut self.phase {
            Phase::Startup(startup) => {
                if let Some(opening) = startup.server_bytes(input, client)? {
                    self.phase = Phase::Opening(opening);
                }
                Ok(())
            }
            Phase::Opening(opening) => {
                let running =
                    opening.server_bytes(&self.shared, self.now, input, client, server)?;
                if let Some(running) = running {
                    self.phase = Phase::Running(Box::new(running));
                }
                Ok(())
            }
            Phase::Running(running) => running.server_bytes(input, client, server),
            Phase::Bypass(bypass) => bypass.server_bytes(input, client),
            Phase::Ended => Ok(()),
        }
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
        match &self.phase {
            Phase::Running(running) => running.accepts() && !running.waits,
            Phase::Bypass(_) => true,
            Phase::Startup(_) | Phase::Opening(_) | Phase::Ended => false,
        }
    }

    /// Whether the session can't go on without a picture of the database: answer with
    /// [`Session::use_catalog`] or [`Session::load_catalog`]. Once in each session, before its
    /// first ReadyForQuery reaches the client.
    #[must_use]
    pub const fn needs_catalog(&self) -> bool {
        matches!(&self.phase, Phase::Opening(opening) if opening.needs_catalog())
    }

    /// Goes on with this picture of the database. Also at any later time, when another session
    /// has published a newer one.
    pub fn use_catalog(&mut self, catalog: Arc<Catalog>) {
        match &mut self.phase {
            Phase::Opening(opening) => {
                opening.use_catalog(self.shared.loader(), catalog, self.to_server.buffer());
            }
            Phase::Running(running) => running.use_catalog(catalog),
            Phase::Startup(_) | Phase::Bypass(_) | Phase::Ended => {}
        }
    }

    /// Lets this session ask its server for a picture of the database. The result comes from
    /// [`Session::take_loaded`] after some call of [`Session::server_bytes`].
    pub fn load_catalog(&mut self, earlier: Option<Arc<Catalog>>) {
        if let Phase::Opening(opening) = &mut self.phase {
            opening.load_catalog(self.shared.loader(), earlier, self.to_server.buffer());
        }
    }

    /// A picture of the database that this session has loaded and that others may use, once.
    pub fn take_loaded(&mut self) -> Option<Arc<Catalog>> {
        match &mut self.phase {
            Phase::Running(running) => running.take_loaded(),
            _ => None,
        }
    }

    /// Whether nothing is under way: no answer is owed to the client and no transaction is open.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        match &self.phase {
            Phase::Running(running) => running.is_idle(),
            Phase::Bypass(bypass) => bypass.is_idle(),
            Phase::Startup(_) | Phase::Opening(_) => false,
            Phase::Ended => true,
        }
    }

    /// Ends the session: what was built for the client stays to be written, with the reason
    /// behind it as an ErrorResponse; nothing more is taken from either side.
    pub fn end(&mut self, reason: &Fatal) {
        let inside_a_frame = match &self.phase {
            Phase::Running(running) => running.is_inside_a_frame(),
            Phase::Bypass(bypass) => bypass.is_inside_a_frame(),
            Phase::Startup(_) | Phase::Opening(_) => false,
            Phase::Ended => return,
        };
        // The client would read the reason as a part of the message that was cut off.
        if !inside_a_frame {
            reason.encode(self.to_client.buffer());
        }
        self.to_server.clear();
        self.phase = Phase::Ended;
    }
}
