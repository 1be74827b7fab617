//! Moves bytes between two sockets and a session, in one task without channels: each turn reads
//! what is there, lets the session judge it and writes what it gives, with one read and one
//! write per socket and burst.
//!
//! A peer that does not read stops the reading from the other one, so that memory stays bounded;
//! how a message is judged is the session's affair alone.

use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::catalogs::News;
use super::leg::Leg;
use super::limits;
use crate::session::{Catalog, Fatal, Session};
use crate::wire::frame::{self, Header};
use crate::wire::report::{Report, field};

/// A running session with its two sockets.
#[derive(Debug)]
pub(super) struct Relay {
    client: Leg,
    server: Leg,
    pub(super) session: Session,
    news: News,
    /// The server's socket was told that nothing more comes.
    hung_up: bool,
    /// The operator wants the session to end when it is idle.
    draining: bool,
    /// The operator wants it to end now.
    closing: bool,
    /// The server has said why it will close.
    explained: bool,
}

/// Why the relay stopped moving bytes.
#[derive(Debug)]
pub(super) enum Stop {
    /// The session needs a catalog before it can go on.
    NeedsCatalog,
    /// The session has loaded a catalog; the relay goes on.
    Loaded(Arc<Catalog>),
    /// The session is over.
    End(End),
}

/// How a session ended.
#[derive(Debug)]
pub(super) enum End {
    /// Both sides closed, or the server said why and closed.
    Closed,
    /// The client's socket failed.
    ClientLost(io::Error),
    /// It had to end; the client's output holds the reason.
    Fatal(Fatal),
}

impl Relay {
    pub(super) fn new(client: Leg, server: Leg, session: Session, news: News) -> Self {
        Self {
            client,
            server,
            session,
            news,
            hung_up: false,
            draining: false,
            closing: false,
            explained: false,
        }
    }

    /// Ends the session as soon as it is idle.
    pub(super) fn drain(&mut self) {
        self.draining = true;
    }

    /// Ends the session at once.
    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    /// The client's socket, for the last words; the server's is closed.
    pub(super) fn into_client(self) -> Leg {
        self.client
    }

    /// Moves bytes until neither socket has or takes any more, or until it stops.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Stop> {
        loop {
            match self.turn(cx) {
                Ok(true) => {}
                Ok(false) => return Poll::Pending,
                Err(Stop::End(End::Fatal(fatal))) => {
                    self.session.end(&fatal);
                    return Poll::Ready(Stop::End(End::Fatal(fatal)));
                }
                Err(stop) => return Poll::Ready(stop),
            }
        }
    }

    /// One round: reads, judges, writes. Says whether anything moved.
    fn turn(&mut self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        if let Some(catalog) = self.news.take() {
            self.session.use_catalog(catalog);
        }
        let mut moved = self.read_server(cx)?;
        if self.session.needs_catalog() {
            return Err(Stop::NeedsCatalog);
        }
        moved |= self.read_client(cx)?;
        moved |= self.write_client(cx)?;
        moved |= self.write_server(cx);
        self.check_end(cx)?;
        Ok(moved)
    }

    fn read_server(&mut self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        if self.session.to_client().len() >= limits::HIGH_WATER_BYTES {
            return Ok(false);
        }
        // A reset is an end too; it is judged in `check_end`.
        let moved = self.server.poll_read(cx).unwrap_or_else(|_| {
            let first = !self.server.ended;
            self.server.ended = true;
            first
        });
        if moved {
            self.explained |= is_fatal(&self.server.input);
            self.session.server_bytes(&mut self.server.input)?;
            if let Some(catalog) = self.session.take_loaded() {
                return Err(Stop::Loaded(catalog));
            }
        }
        Ok(moved)
    }

    fn read_client(&mut self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        if self.session.to_server().len() >= limits::HIGH_WATER_BYTES {
            return Ok(false);
        }
        // What waited for an answer may go on now, without anything new from the client.
        let before = self.client.input.len();
        if before > 0 {
            self.session.client_bytes(&mut self.client.input)?;
        }
        let mut moved = self.client.input.len() != before;
        if self.session.accepts_client_input() && self.client.poll_read(cx).map_err(lost)? {
            self.session.client_bytes(&mut self.client.input)?;
            moved = true;
        }
        Ok(moved)
    }

    fn write_client(&mut self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let output = self.session.to_client();
        self.client.poll_write(cx, output).map_err(lost)
    }

    fn write_server(&mut self, cx: &mut Context<'_>) -> bool {
        let output = self.session.to_server();
        self.server.poll_write(cx, output).unwrap_or_else(|_| {
            // The server is gone, but its last words may still be there to be read.
            output.clear();
            false
        })
    }

    fn check_end(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        if self.server.ended {
            let expected = self.client.ended || self.explained;
            return Err(if expected {
                Stop::End(End::Closed)
            } else {
                Fatal::ServerGone.into()
            });
        }
        if self.closing || self.draining && self.session.is_idle() {
            return Err(Fatal::Shutdown.into());
        }
        // The client may close its sending side and still read: so does the relay. An incomplete
        // message that it leaves behind never becomes complete.
        let silent = self.client.ended && self.session.accepts_client_input();
        if silent && !self.hung_up && self.session.to_server().is_empty() {
            self.hung_up = self.server.poll_shutdown(cx).is_ready();
        }
        Ok(())
    }
}

/// Whether bytes begin with an ErrorResponse that ends the connection, so that the client need
/// not be told once more. Looks at the first message only, since it is the last one too when the
/// server is shut down.
fn is_fatal(bytes: &[u8]) -> bool {
    let Ok(Some(header)) = Header::from_server(bytes) else {
        return false;
    };
    let report = (header.kind == b'E').then(|| frame::body(bytes, header));
    let Some(Ok(Ok(report))) = report.map(|body| body.map(Report::decode)) else {
        return false;
    };
    matches!(report.text(field::SEVERITY_PLAIN), Some("FATAL" | "PANIC"))
}

fn lost(error: io::Error) -> Stop {
    Stop::End(End::ClientLost(error))
}

impl From<Fatal> for Stop {
    fn from(fatal: Fatal) -> Self {
        Self::End(End::Fatal(fatal))
    }
}
