//! A session inside the trust boundary, or one that is only observed: everything passes as it is. Only as much is looked at as
//! it takes to know when nothing is under way, and when definitions may change by which the other
//! sessions judge.

use std::sync::Arc;

use bytes::BytesMut;

use super::fatal::Fatal;
use super::frame_cursor::FrameCursor;
use super::memory::Lease;
use super::moves::{About, Moves, Moving};
use super::owed::Owed;
use super::passed::{Names, Passed, Seen};
use super::running::Streaming;
use super::shared::Catalog;
use super::tap::Tap;
use super::transient::Pending;
use crate::audit::{Activity, Doing};
use crate::wire::backend::{self, TransactionStatus};
use crate::wire::frame::{self, FrameLimits, Header};
use crate::wire::{Output, WireError};

/// The session.
#[derive(Debug, Default)]
pub(super) struct Bypass {
    owed: Owed,
    status: TransactionStatus,
    from_client: Streaming,
    from_server: Streaming,
    /// What may change definitions has been sent and not been answered.
    moving: Option<Moving>,
    /// The open transaction may have changed definitions.
    unsettled: bool,
    /// What these are about.
    pending: Pending,
    /// What has been prepared.
    names: Box<Names>,
    /// Present if somebody judges what passes.
    tap: Option<Box<Tap>>,
    /// What has become of the question for a snapshot of the database, until others are told.
    asked: Option<Asked>,
    activity: Arc<Activity>,
}

/// What has become of a question on which others may wait.
#[derive(Debug)]
pub(super) enum Asked {
    /// There is a snapshot.
    Loaded(Arc<Catalog>),
    /// There is none.
    Failed,
}

impl Bypass {
    /// Starts in wait of the first ReadyForQuery.
    pub(super) fn new() -> Self {
        Self {
            owed: Owed::first(),
            ..Self::default()
        }
    }

    /// Says who watches the session.
    pub(super) fn counting(mut self, activity: &Arc<Activity>) -> Self {
        self.activity = Arc::clone(activity);
        self
    }

    /// Starts behind the first ReadyForQuery, which told this.
    pub(super) fn observed(
        status: TransactionStatus,
        tap: Option<Tap>,
        asked: Option<Asked>,
    ) -> Self {
        Self {
            status,
            tap: tap.map(Box::new),
            asked,
            ..Self::default()
        }
    }

    /// A snapshot of the database that this session has loaded and that others may use, once.
    pub(super) fn take_loaded(&mut self) -> Option<Arc<Catalog>> {
        match self
            .asked
            .take_if(|asked| matches!(asked, Asked::Loaded(_)))?
        {
            Asked::Loaded(catalog) => Some(catalog),
            Asked::Failed => None,
        }
    }

    /// Whether it has given up to load one, once.
    pub(super) fn take_failed(&mut self) -> bool {
        let failed = self.asked.take_if(|asked| matches!(asked, Asked::Failed));
        failed.is_some()
    }

    /// Judges by this snapshot of the database.
    pub(super) fn use_catalog(&mut self, catalog: Arc<Catalog>) {
        if let Some(tap) = &mut self.tap {
            tap.use_catalog(catalog);
        }
    }

    /// The connection is over, as the server has `closed` it or is going to: with it the transaction,
    /// unless what is being answered may commit it. Gives whether something may.
    pub(super) fn part(&mut self, moves: &Moves, closed: bool) -> bool {
        let is_undone = closed || self.owed.is_empty();
        moves.part(&mut self.pending, || is_undone)
    }

    /// What it shows of itself.
    pub(super) fn doing(&self) -> Doing {
        match self.owed.is_empty() {
            true => super::between(self.status),
            false => Doing::Active,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.owed.is_empty() && self.status == TransactionStatus::Idle
    }

    /// Whether the client has got only a part of a frame.
    pub(super) fn is_inside_a_frame(&self) -> bool {
        self.from_server != Streaming::Nothing
    }

    pub(super) fn client_bytes(
        &mut self,
        (limits, moves): (FrameLimits, &Arc<Moves>),
        input: &mut BytesMut,
        to_server: &mut Output,
        lease: &mut Lease,
    ) -> Result<(), Fatal> {
        let mut front = FrameCursor::new(input, to_server, lease);
        while self.from_client.advance(&mut front) {
            let header = match Header::from_client(front.rest(), limits) {
                Ok(Some(header)) => header,
                Ok(None) => break,
                // The server ends the connection for it, once it has answered the others.
                Err(WireError::Type(_)) => {
                    self.owed.send_last();
                    self.from_client = Streaming::Passing(usize::MAX);
                    continue;
                }
                Err(error) => return Err(Fatal::Client(error)),
            };
            let is_whole = front.rest().len() >= header.total;
            if !is_whole && Names::wants_whole(header) && front.grow(header.total).is_ok() {
                break;
            }
            if let Some(tap) = &mut self.tap {
                // The server can do nothing with a part of it either.
                if !is_whole && Tap::wants_whole(header) && front.grow(header.total).is_ok() {
                    break;
                }
                tap.see(header, front.rest());
            }
            self.foresee(header, front.rest(), moves);
            if matches!(header.kind, b'Q' | b'E' | b'F') {
                self.activity.statements.add(1);
            }
            self.owed.send(header.kind);
            self.from_client = Streaming::Passing(header.total);
        }
        Ok(())
    }

    /// Tells the other sessions of a message that may change definitions, or show what has changed
    /// them.
    fn foresee(&mut self, header: Header, rest: &[u8], moves: &Arc<Moves>) {
        let Seen { passed, objects } = self.names.see(header, rest);
        if let Some(objects) = objects {
            moves.take(&mut self.pending, &objects);
        }
        let about = match passed {
            Passed::Nothing => return,
            Passed::Ends if !self.unsettled => return,
            Passed::Indexes => About::Index,
            Passed::Ends | Passed::Defines => About::Meanings,
        };
        let moving = self.moving.as_ref();
        if moving.is_none_or(|moving| moving.leaves_open(about)) {
            self.moving = Some(Moving::begin(moves, about));
        }
    }

    /// Everything is answered.
    fn settle(&mut self) {
        let open = self.status != TransactionStatus::Idle;
        self.unsettled = open && (self.unsettled || self.moving.is_some());
        if let Some(mut moving) = self.moving.take() {
            let count = moving.end();
            if !open {
                self.pending.end(count);
            }
        }
    }

    pub(super) fn server_bytes(
        &mut self,
        input: &mut BytesMut,
        to_client: &mut Output,
        lease: &mut Lease,
    ) -> Result<(), Fatal> {
        let mut front = FrameCursor::new(input, to_client, lease);
        while self.from_server.advance(&mut front) {
            let header = Header::from_server(front.rest()).map_err(Fatal::Server)?;
            let Some(header) = header else { break };
            match header.kind {
                b'G' => self.owed.copy(),
                b'E' => self.owed.fail(),
                _ => {}
            }
            if header.kind == b'S'
                && let Some(tap) = &mut self.tap
            {
                let is_whole = front.rest().len() >= header.total;
                if !is_whole && front.grow(header.total).is_ok() {
                    break;
                }
                // Without memory for it, it passes unseen.
                let told = frame::body(front.rest(), header).and_then(backend::parameter_status);
                if let Ok((name, value)) = told {
                    tap.setting(name, value);
                }
            }
            if header.kind == b'Z' {
                let Some(&status) = front.rest().get(5) else {
                    break;
                };
                self.status = TransactionStatus::decode(&[status]).map_err(Fatal::Server)?;
                let is_last = front.rest().len() == header.total;
                let is_idle = self.status == TransactionStatus::Idle;
                // What was counted too much is forgotten, but not a change that may be under way.
                self.owed.ready(is_idle && is_last && self.moving.is_none());
                if self.owed.is_empty() {
                    self.settle();
                }
            }
            self.from_server = Streaming::Passing(header.total);
        }
        Ok(())
    }
}
