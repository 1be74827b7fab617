//! One client's session as a state machine without sockets: bytes in from both sides, bytes out
//! to both sides. It knows the protocol and carries out what `sql` planned; it does not know how
//! statements are analysed, and does no I/O.
//!
//! The owner reads each socket into a buffer and hands it over with [`Session::client_turn`] and
//! [`Session::server_turn`], which take complete messages off its front (and pieces of large
//! ones that need no inspection); what they leave must be presented again, together with what
//! arrives next. It writes what [`Session::to_client`] and [`Session::to_server`] hold.
//!
//! A turn is a bounded amount of work, so that the thread that serves sockets gets back to them;
//! what takes longer it leaves to a turn on another thread. A panic ends the session and nothing
//! else.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap
)]

mod again;
mod asking;
mod bind;
mod bypass;
mod call_stack;
mod catalog_view;
mod client;
mod codecs;
mod constraint_detail;
mod copy;
mod copying;
mod costs;
mod describe;
mod documents;
mod edit;
mod edited;
mod expected;
mod explain;
mod extended;
mod fatal;
mod frame_cursor;
mod held;
mod hold;
mod id_field;
mod ids;
mod json;
mod judged;
mod keyed;
mod link;
mod loosened;
mod losses;
mod mask;
mod memory;
mod misfit;
mod moves;
mod named;
mod notification;
mod observer;
mod opening;
mod outcome;
mod owed;
mod own_query;
mod owned;
mod parts;
mod passed;
mod path_sight;
mod pending_query;
mod plan_size;
pub mod plans;
mod pooled;
mod price;
mod queue;
mod quota;
mod report;
mod result;
mod revised;
mod rows;
mod running;
mod sent_rows;
mod sent_value;
mod sentinel;
mod server;
mod settings;
mod shared;
mod splice;
mod sql_names;
mod stage;
mod statements;
mod tags;
mod tap;
mod teller;
mod transient;
mod trial;
mod turn;
mod unanalysed;
mod unshown;
mod untold;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut, BytesMut};
use tracing::Span;

pub use crate::audit::Event;
use crate::audit::{Activity, Doing};
use crate::wire::backend::TransactionStatus;
use crate::wire::{Output, message};
use bypass::Bypass;
pub use fatal::{Fatal, Fate};
use memory::Lease;
pub use memory::{Exceeded, Memory, RESERVE_BYTES};
pub use moves::Moves;
pub use observer::{Observations, Observer};
use opening::{Opened, Opening, Startup};
use running::Running;
pub use shared::{Analyzer, Catalog, Earlier, Epoch, Limits, Mode, Shared};
pub use stage::Stage;
use tap::Watch;
use teller::Teller;
pub use trial::judge;
pub use turn::{Effort, Progress};

/// The session of one client.
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
    /// Whether the database of the session has changed.
    moves: Arc<Moves>,
    /// Its owner brings it what others look for.
    in_line: bool,
    to_client: Output,
    to_server: Output,
    /// The time, as the owner told it last.
    now: Duration,
    phase: Phase,
    /// It was ended by a fault of its own.
    broken: bool,
    /// What it was before it ended.
    remains: Option<Phase>,
    /// What it holds of the budget.
    lease: Lease,
    /// Says whose session it is, to whoever hears of it.
    span: Span,
    /// Present if it is observed.
    watch: Option<Watch>,
    /// What it shows of itself while it runs.
    activity: Arc<Activity>,
}

/// How far a session has come.
#[derive(Debug)]
enum Phase {
    /// The server tells its settings; before its first ReadyForQuery.
    Startup(Startup),
    /// The first ReadyForQuery is held until there is a snapshot of the database.
    Opening(Opening),
    /// Statements are taken.
    Running(Box<Running>),
    /// The role is inside the trust boundary.
    Bypass(Bypass),
    /// Nothing is taken any more.
    Ended,
}

/// What a session is doing to which no answer is owed.
const fn between(status: TransactionStatus) -> Doing {
    match status {
        TransactionStatus::Idle => Doing::Idle,
        TransactionStatus::Open => Doing::InTransaction,
        TransactionStatus::Failed => Doing::Failed,
    }
}

impl Phase {
    /// What its buffers take in memory, but for those that are always small.
    fn buffers(&self) -> usize {
        match self {
            Self::Running(running) => running.buffers(),
            Self::Startup(_) | Self::Opening(_) | Self::Bypass(_) | Self::Ended => 0,
        }
    }
}

impl Session {
    /// Starts behind the server's AuthenticationOk.
    #[must_use]
    pub fn new(shared: Arc<Shared>, mode: Mode) -> Self {
        let phase = match mode {
            Mode::Bypass => Phase::Bypass(Bypass::new()),
            Mode::Enforce | Mode::Audit | Mode::Observe => Phase::Startup(Startup::new(mode)),
        };
        Self {
            moves: Arc::default(),
            in_line: false,
            lease: Lease::new(&shared.memory),
            span: Span::none(),
            watch: None,
            activity: Arc::default(),
            shared,
            to_client: Output::default(),
            to_server: Output::default(),
            now: Duration::ZERO,
            phase,
            broken: false,
            remains: None,
        }
    }

    /// Tells with which sessions it shares a database, in whatever configuration they are.
    #[must_use]
    pub fn beside(mut self, moves: Arc<Moves>) -> Self {
        self.moves = moves;
        self
    }

    /// Says that [`Session::needs_catalog`] is heeded as long as the session lasts: where the look of
    /// any other session would do, it does not look at the database before it is told to.
    #[must_use]
    pub const fn in_line(mut self) -> Self {
        self.in_line = true;
        self
    }

    /// Says where a session under [`Mode::Observe`] leaves what it is sent, and the name of its
    /// database, escaped. Without that nobody judges it.
    #[must_use]
    pub fn observed(mut self, observations: Arc<Observations>, database: &str) -> Self {
        let database = database.into();
        self.watch = Some(Watch {
            observations,
            database,
        });
        self
    }

    /// Says whose session it is: the events of the session are told inside of this span.
    #[must_use]
    pub fn within(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// Says who watches it: its statements are counted there.
    #[must_use]
    pub fn counted_by(mut self, activity: &Arc<Activity>) -> Self {
        self.activity = Arc::clone(activity);
        if let Phase::Bypass(bypass) = self.phase {
            self.phase = Phase::Bypass(bypass.counting(activity));
        }
        self
    }

    /// Tells the time: how long ago some moment was that is the same for all sessions of a
    /// [`Shared`]. To be called before the bytes that have arrived since are handed over.
    pub fn set_time(&mut self, now: Duration) {
        self.now = now;
    }

    /// Takes all that it can from the front of the bytes that the client sent. To be called again
    /// with the rest after [`Session::server_bytes`], as the rest may wait for an answer.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn client_bytes(&mut self, input: &mut BytesMut) -> Result<(), Fatal> {
        while self.client_turn(input, Effort::Heavy)? != Progress::Done {}
        Ok(())
    }

    /// Takes all that it can from the front of the bytes that the server sent.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn server_bytes(&mut self, input: &mut BytesMut) -> Result<(), Fatal> {
        while self.server_turn(input, Effort::Heavy)? != Progress::Done {}
        Ok(())
    }

    /// Does a bounded amount of the work on the client's bytes.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn client_turn(&mut self, input: &mut BytesMut, effort: Effort) -> Result<Progress, Fatal> {
        self.contained(|session| session.take_client(input, effort))
    }

    /// Does a bounded amount of the work on the server's bytes.
    ///
    /// # Errors
    /// If the session has to end; see [`Session::end`].
    pub fn server_turn(&mut self, input: &mut BytesMut, effort: Effort) -> Result<Progress, Fatal> {
        self.contained(|session| session.take_server(input, effort))
    }

    fn take_client(&mut self, input: &mut BytesMut, effort: Effort) -> Result<Progress, Fatal> {
        let (server, lease) = (&mut self.to_server, &mut self.lease);
        match &mut self.phase {
            Phase::Running(running) => running.client_bytes(self.now, input, server, lease, effort),
            Phase::Bypass(bypass) => {
                let (frames, moves) = (self.shared.limits.frames, &self.moves);
                bypass.client_bytes((frames, moves), input, server, lease)?;
                Ok(Progress::Done)
            }
            Phase::Ended if self.broken => Err(Fatal::Internal),
            Phase::Startup(_) | Phase::Opening(_) | Phase::Ended => Ok(Progress::Done),
        }
    }

    fn take_server(&mut self, input: &mut BytesMut, effort: Effort) -> Result<Progress, Fatal> {
        let (client, server) = (&mut self.to_client, &mut self.to_server);
        let lease = &mut self.lease;
        match &mut self.phase {
            Phase::Startup(startup) => {
                if let Some(opening) = startup.server_bytes(input, client, lease)? {
                    self.phase = Phase::Opening(opening);
                }
            }
            Phase::Opening(opening) => {
                if effort == Effort::Light && opening.is_heavy(input) {
                    return Ok(Progress::Heavy);
                }
                let opened = opening.server_bytes(
                    (&self.shared, self.watch.as_ref(), &self.span),
                    (self.now, self.moves.mark()),
                    input,
                    (client, server),
                    lease,
                )?;
                match opened {
                    None => {}
                    Some(Opened::Running(running)) => {
                        let running = (*running).beside(&self.moves).joining(self.in_line);
                        let running = running.speaking_in(&self.span, &self.activity);
                        self.phase = Phase::Running(Box::new(running));
                    }
                    Some(Opened::Observed(bypass)) => {
                        self.phase = Phase::Bypass(bypass.counting(&self.activity));
                    }
                }
            }
            Phase::Running(running) => {
                return running.server_bytes(self.now, input, (client, server), lease, effort);
            }
            Phase::Bypass(bypass) => bypass.server_bytes(input, client, lease)?,
            Phase::Ended if self.broken => return Err(Fatal::Internal),
            Phase::Ended => {}
        }
        Ok(Progress::Done)
    }

    /// Does something, and lets a panic in it end nothing but this session.
    fn contained<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Fatal>,
    ) -> Result<T, Fatal> {
        let (written, inside_a_frame) = (self.to_client.len(), self.is_inside_a_frame());
        // What was being changed is not looked at again.
        let done = panic::catch_unwind(AssertUnwindSafe(|| work(self)));
        done.unwrap_or_else(|_| {
            self.to_client.truncate(written);
            let mut teller = Teller::new(&self.shared);
            teller.speak_in(&self.span);
            teller.tell(Event::Fault {
                stage: self.phase.as_str(),
            });
            self.close(&Fatal::Internal, inside_a_frame);
            self.broken = true;
            Err(Fatal::Internal)
        })
    }

    /// Does something, and lets a panic in it end nothing but this session, where the next turn
    /// tells how it ended.
    fn attempt(&mut self, work: impl FnOnce(&mut Self)) {
        let _ = self.contained(|session| {
            work(session);
            Ok(())
        });
    }

    /// Settles with the budget of [`Memory`] what the session holds, with so many bytes in the
    /// buffers of the owner. To be called when a turn is over.
    pub fn settle(&mut self, buffers: usize) {
        let outputs = self.to_client.held() + self.to_server.held();
        self.lease.settle(buffers + outputs + self.phase.buffers());
    }

    /// Whether the owner should read no more than it must, because the budget is used up.
    #[must_use]
    pub fn is_tight(&self) -> bool {
        self.lease.is_tight()
    }

    /// What is to be written to the client.
    pub fn to_client(&mut self) -> &mut Output {
        &mut self.to_client
    }

    /// Says something to the client that changes nothing for it, unless it is in the middle of a
    /// message: the value of a setting that each server with the protocol's third version has. If the
    /// client is gone, sending it tells.
    pub fn probe_client(&mut self) {
        if !matches!(self.phase, Phase::Ended) && !self.is_inside_a_frame() {
            message(self.to_client.buffer(), b'S', |out| {
                out.put_slice(b"integer_datetimes\0on\0");
            });
        }
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
            Phase::Running(running) => running.accepts() && !running.is_waiting(),
            Phase::Bypass(_) => true,
            Phase::Startup(_) | Phase::Opening(_) | Phase::Ended => false,
        }
    }

    /// Whether the session can't go on without a snapshot of the database: answer with
    /// [`Session::supply_catalog`] or [`Session::load_catalog`]. Once in each session, before its
    /// first ReadyForQuery reaches the client; and, in one that is [`Session::in_line`], wherever it
    /// has to look at the database and the look of another session would do.
    #[must_use]
    pub fn needs_catalog(&self) -> bool {
        match &self.phase {
            Phase::Opening(opening) => opening.needs_catalog(),
            Phase::Running(running) => running.is_in_line(),
            _ => false,
        }
    }

    /// Whether the session has not begun to take statements: it waits for a snapshot of the database.
    #[must_use]
    pub const fn is_opening(&self) -> bool {
        matches!(&self.phase, Phase::Opening(_))
    }

    /// Of which server's database the snapshot has to be that the session needs, as
    /// [`Catalog::identity`] has it; none as long as any will do to begin with.
    #[must_use]
    pub const fn server_identity(&self) -> Option<&Arc<str>> {
        match &self.phase {
            Phase::Opening(opening) => opening.server(),
            _ => None,
        }
    }

    /// Goes on with this snapshot of the database. Also at any later time, when another session
    /// has published a newer one.
    pub fn use_catalog(&mut self, catalog: Arc<Catalog>) {
        self.attempt(|session| match &mut session.phase {
            Phase::Opening(opening) => {
                let (shared, server) = (&session.shared, session.to_server.buffer());
                let now = (session.now, session.moves.mark());
                opening.use_catalog(shared, catalog, now, server);
            }
            Phase::Running(running) => running.use_catalog(catalog),
            Phase::Bypass(bypass) => bypass.use_catalog(catalog),
            Phase::Startup(_) | Phase::Ended => {}
        });
    }

    /// Goes on with this snapshot of the database when the session has said that it needs one
    /// ([`Session::needs_catalog`]). Whether it is young enough is for the session to judge; if
    /// not, it looks by itself.
    pub fn supply_catalog(&mut self, catalog: Arc<Catalog>) {
        self.use_catalog(catalog);
        self.attempt(|session| {
            if let Phase::Running(running) = &mut session.phase {
                running.leave_line(session.now, session.to_server.buffer());
            }
        });
    }

    /// Whether taking this snapshot of the database is for [`Effort::Heavy`].
    #[must_use]
    pub fn is_heavy_to_use(&self, catalog: &Catalog) -> bool {
        matches!(self.phase, Phase::Running(_)) && catalog.is_large()
    }

    /// Lets this session ask its server for a snapshot of the database. The result comes from
    /// [`Session::take_loaded`] after some call of [`Session::server_turn`].
    pub fn load_catalog(&mut self, earlier: Earlier) {
        self.attempt(|session| match &mut session.phase {
            Phase::Opening(opening) => {
                let (shared, server) = (&session.shared, session.to_server.buffer());
                let now = (session.now, session.moves.mark());
                opening.load_catalog(shared, earlier, now, server);
            }
            Phase::Running(running) => running.head_line(session.now, session.to_server.buffer()),
            _ => {}
        });
    }

    /// A snapshot of the database that this session has loaded and that others may use, once.
    pub fn take_loaded(&mut self) -> Option<Arc<Catalog>> {
        match &mut self.phase {
            Phase::Running(running) => running.take_loaded(),
            Phase::Bypass(bypass) => bypass.take_loaded(),
            _ => None,
        }
    }

    /// Whether this session has given up to load a snapshot of the database, on which others may wait,
    /// and goes on without one; once.
    pub fn take_failed(&mut self) -> bool {
        match &mut self.phase {
            Phase::Running(running) => running.take_failed(),
            Phase::Bypass(bypass) => bypass.take_failed(),
            _ => false,
        }
    }

    /// How many bytes of the server the session has taken and holds back, until it is known by which
    /// definitions they have come about. [`Session::server_turn`] shows them, without any new
    /// bytes, too.
    #[must_use]
    pub fn held_back(&self) -> usize {
        match &self.phase {
            Phase::Running(running) => running.held_back(),
            _ => 0,
        }
    }

    /// Whether only what other sessions do can settle that, or time: [`Session::server_turn`] is to be
    /// called now and then.
    #[must_use]
    pub fn waits_for_others(&self) -> bool {
        matches!(&self.phase, Phase::Running(running) if running.is_stuck())
    }

    /// Asks for the look of another session for the sake of what is held back, now and then. Gives what
    /// is to be told the others, for [`Session::heed_plea`].
    pub fn plead(&mut self) -> Option<u64> {
        match &mut self.phase {
            Phase::Running(running) => running.plead(),
            _ => None,
        }
    }

    /// Looks at the database for another session that has asked for that, if nothing is under way in
    /// this one.
    pub fn heed_plea(&mut self, plea: u64) {
        if let Phase::Running(running) = &mut self.phase {
            running.heed_plea(plea, self.to_server.buffer());
        }
    }

    /// Whether [`Session::server_turn`] would take anything. While it would not, the server's socket
    /// need not be read.
    #[must_use]
    pub fn accepts_server_input(&self) -> bool {
        !matches!(&self.phase, Phase::Running(running) if running.is_full())
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

    /// Whether the server has been told that the client goes, so that it ends the session without
    /// a word.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        matches!(&self.phase, Phase::Running(running) if running.terminated)
    }

    /// What it is doing, for whoever watches it.
    #[must_use]
    pub fn doing(&self) -> Doing {
        match &self.phase {
            Phase::Running(running) => running.doing(),
            Phase::Bypass(bypass) => bypass.doing(),
            Phase::Startup(_) | Phase::Opening(_) => Doing::Starting,
            Phase::Ended => Doing::Idle,
        }
    }

    /// Whether the client has got only a part of a frame.
    fn is_inside_a_frame(&self) -> bool {
        match &self.phase {
            Phase::Running(running) => running.is_inside_a_frame(),
            Phase::Bypass(bypass) => bypass.is_inside_a_frame(),
            Phase::Startup(_) | Phase::Opening(_) | Phase::Ended => false,
        }
    }

    /// Ends the session: what was built for the client stays to be written, with the reason
    /// behind it as an ErrorResponse; nothing more is taken from either side.
    pub fn end(&mut self, reason: &Fatal) {
        self.close(reason, self.is_inside_a_frame());
    }

    /// Says that the connection to the server is over, as the server has `closed` it or is going to:
    /// other sessions need not think any more of what this one has defined in a transaction that
    /// ends with it. Gives whether some of it may still be committed until the server closes it.
    pub fn part(&mut self, closed: bool) -> bool {
        match self.remains.as_mut().unwrap_or(&mut self.phase) {
            Phase::Running(running) => running.part(closed),
            Phase::Bypass(bypass) => bypass.part(&self.moves, closed),
            Phase::Startup(_) | Phase::Opening(_) | Phase::Ended => false,
        }
    }

    fn close(&mut self, reason: &Fatal, inside_a_frame: bool) {
        let phase = std::mem::replace(&mut self.phase, Phase::Ended);
        // The client would read the reason as a part of the message that was cut off.
        if !inside_a_frame && !matches!(phase, Phase::Ended) {
            reason.encode(self.to_client.buffer());
        }
        self.to_server.clear();
        self.remains.get_or_insert(phase);
    }

    /// Whether it asks the server for a snapshot of the database, on which others may wait.
    #[must_use]
    pub fn loads_catalog(&self) -> bool {
        match &self.phase {
            Phase::Opening(_) => true,
            Phase::Running(running) => running.asks_for_catalog(),
            _ => false,
        }
    }

    /// Whether what it has left to [`Effort::Heavy`] takes some milliseconds at most.
    #[must_use]
    pub fn is_brief(&self) -> bool {
        matches!(&self.phase, Phase::Running(running) if running.burden.brief)
    }

    /// Whether to drop it takes its time: it has many or long statements.
    #[must_use]
    pub fn is_large(&self) -> bool {
        let large = |phase: &Phase| matches!(phase, Phase::Running(running) if running.is_large());
        large(&self.phase) || self.remains.as_ref().is_some_and(large)
    }
}

impl Phase {
    /// The name, for the log.
    const fn as_str(&self) -> &'static str {
        match self {
            Self::Startup(_) => "startup",
            Self::Opening(_) => "opening",
            Self::Running(running) => running.stage.as_str(),
            Self::Bypass(_) => "bypass",
            Self::Ended => "end",
        }
    }
}
