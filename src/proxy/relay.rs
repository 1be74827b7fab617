//! Moves bytes between two sockets and a session, in one task without channels: each round reads
//! what is there, lets the session judge it and writes what it gives, with one read and one
//! write per socket and burst. What the session can't judge at once is lent, with the session, to
//! whoever has a thread for it.
//!
//! A peer that does not read stops the reading from the other one, so that memory stays bounded;
//! how a message is judged is the session's affair alone.

use std::future::Future as _;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::task::yield_now;

use super::cancels::Bell;
use super::catalogs::News;
use super::leg::Leg;
use super::limits;
use super::roster::Order;
use super::stream::Peer;
use super::workshop::{Job, Work};
use crate::audit::{self, Activity, Counters, Doing};
use crate::session::{Catalog, Earlier, Effort, Fatal, Mode, Progress, Session, Shared};

/// The message with which a client takes its leave.
const TERMINATE: &[u8] = b"X\0\0\0\x04";

/// A running session with its two sockets.
#[derive(Debug)]
pub(super) struct Relay {
    client: Leg,
    server: Leg,
    pub(super) session: Session,
    /// What the session has to be lent for.
    work: Work,
    /// The session is lent, or the catalog is being waited for.
    away: bool,
    /// The session is lent.
    lent: bool,
    /// The client's bytes have been offered since something changed.
    offered: bool,
    /// Nothing has come of the work for which the session was lent last, and no bytes have come
    /// since. It is not lent again before: nothing would come of that either, over and over.
    fruitless: bool,
    /// How the last turns ended.
    client_progress: Progress,
    server_progress: Progress,
    /// The beginning of the session's clock.
    since: Instant,
    news: News,
    counters: Arc<Counters>,
    activity: Arc<Activity>,
    /// What the others see that the session is doing.
    shown: Doing,
    /// The server's socket was told that nothing more comes.
    hung_up: bool,
    /// The operator wants the session to end when it is idle.
    draining: bool,
    /// When it has begun.
    begun: Instant,
    /// The operator wants it to end now.
    closing: bool,
    /// When bytes moved last.
    active: Instant,
    /// When the client was last sent something to find out whether it is gone.
    probed: Option<Instant>,
    /// The client has taken its leave, or the server has said why it will close.
    expected: bool,
    /// Who waits until everything is taken that the client has sent, and whether the runtime has looked
    /// at its socket since.
    bell: Option<(Arc<Bell>, bool)>,
}

/// Why the relay stopped moving bytes.
#[derive(Debug)]
pub(super) enum Stop {
    /// The session needs a catalog before it can go on.
    NeedsCatalog,
    /// What comes next takes its time: [`Relay::lend`].
    Heavy,
    /// The session has loaded a catalog, or has given it up and goes on without one; the relay goes on.
    Loaded(Option<Arc<Catalog>>),
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
    pub(super) fn new(
        client: Leg,
        server: Leg,
        session: Session,
        since: Instant,
        (news, counters, activity): (News, Arc<Counters>, Arc<Activity>),
    ) -> Self {
        Self {
            client,
            server,
            session,
            work: Work::default(),
            away: false,
            lent: false,
            offered: false,
            fruitless: false,
            client_progress: Progress::Done,
            server_progress: Progress::Done,
            since,
            news,
            counters,
            activity,
            shown: Doing::default(),
            hung_up: false,
            draining: false,
            begun: Instant::now(),
            closing: false,
            active: Instant::now(),
            probed: None,
            expected: false,
            bell: None,
        }
    }

    /// Listens to who tells of newer snapshots of the database.
    pub(super) fn hear(&mut self, news: News) {
        self.news = news;
    }

    /// Hands the session the snapshot that it needs.
    pub(super) fn supply(&mut self, catalog: Arc<Catalog>) {
        self.summon();
        match self.session.is_heavy_to_use(&catalog) {
            true => self.work.supply = Some(catalog),
            false => self.session.supply_catalog(catalog),
        }
    }

    /// Lets the session load the snapshot that it needs.
    pub(super) fn load(&mut self, earlier: Earlier) {
        self.summon();
        self.session.load_catalog(earlier);
    }

    /// What the session has waited for is there.
    fn summon(&mut self) {
        self.away = false;
        self.stir();
        self.session.set_time(self.since.elapsed());
    }

    /// Looks at the database because another session can't, if nothing is under way here.
    pub(super) fn heed_plea(&mut self, plea: u64) {
        if !self.away {
            self.session.heed_plea(plea);
        }
    }

    /// Does what others want of this session.
    pub(super) fn obey(&mut self, order: Order) {
        match order {
            Order::AtOnce => self.close(),
            Order::WhenIdle => self.drain(),
            Order::Hear(bell) => self.bell = Some((bell, false)),
        }
    }

    /// Ends the session for this reason.
    pub(super) fn end(&mut self, fatal: Fatal) -> End {
        self.session.end(&fatal);
        End::Fatal(fatal)
    }

    /// Ends the session as soon as it is idle.
    pub(super) fn drain(&mut self) {
        self.draining = true;
    }

    /// Ends the session as soon as it is idle, unless it has just begun: its client is about to say
    /// what it has come for.
    pub(super) fn drain_unless_new(&mut self) {
        self.draining |= self.begun.elapsed() >= limits::NEW_SESSION;
    }

    /// Ends the session at once.
    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    /// How long it still may be silent; `None` if it has been idle for too long. While it is not
    /// idle, the time does not count.
    pub(super) fn idle_time_left(&self, idle_timeout: Duration) -> Option<Duration> {
        if self.away || !self.session.is_idle() {
            return Some(idle_timeout);
        }
        let left = idle_timeout.checked_sub(self.active.elapsed())?;
        (!left.is_zero()).then_some(left)
    }

    /// The sockets of the client and of the server, for the last words, and the session.
    pub(super) fn into_parts(self) -> (Leg, Leg, Session) {
        (self.client, self.server, self.session)
    }

    /// Says that the session waits for a catalog.
    pub(super) const fn set_away(&mut self) {
        self.away = true;
    }

    /// Gives the session away with its work; the relay does nothing until it is back.
    pub(super) fn lend(&mut self, shared: &Arc<Shared>) -> Job {
        let nobody = Session::new(Arc::clone(shared), Mode::Bypass);
        let mut work = std::mem::take(&mut self.work);
        work.opens = work.server && self.session.loads_catalog();
        (self.away, self.lent) = (true, true);
        let session = std::mem::replace(&mut self.session, nobody);
        let from_client = std::mem::take(&mut self.client.input);
        let from_server = std::mem::take(&mut self.server.input);
        Job::new(session, (from_client, from_server), work)
    }

    /// Takes the session back.
    pub(super) fn take_back(&mut self, job: Job) {
        self.session = job.session;
        self.client.input = job.from_client;
        self.server.input = job.from_server;
        self.fruitless = !job.fruitful;
        if job.fruitful {
            self.active = Instant::now();
        }
        (self.away, self.lent) = (false, false);
        self.offered = false;
    }

    /// Something has come that may make a difference to what could not be done before.
    const fn stir(&mut self) {
        (self.offered, self.fruitless) = (false, false);
    }

    /// Whether a turn that has ended in this way is to be gone on with by a job.
    const fn is_for_a_job(&self, progress: Progress) -> bool {
        matches!(progress, Progress::Heavy) && !self.fruitless
    }

    /// Ends a session at once that waits for a catalog, if the operator wants it.
    pub(super) fn close_waiting(&mut self) -> Result<(), Stop> {
        if self.closing && self.away && !self.lent {
            self.session.end(&Fatal::Shutdown);
            return Err(Fatal::Shutdown.into());
        }
        Ok(())
    }

    /// Whether the client has to be looked at, as reading from it does not tell whether it is there.
    pub(super) fn is_deaf(&mut self) -> bool {
        self.client.ended || self.keeps_client_waiting()
    }

    /// Whether the client is not being read from, or what it has sent stays where it is.
    fn keeps_client_waiting(&mut self) -> bool {
        self.away
            || self.fruitless
            || !self.session.accepts_client_input()
            || self.session.to_server().len() >= self.high_water()
    }

    /// Looks at a client that is not being read from. One that is gone ends the session. One that
    /// sends nothing more may be gone or not, and is asked. It may wait for answers, but what it has
    /// sent does not wait for them for ever: what the server still has to say, it says also when it
    /// has been told that nothing more comes.
    pub(super) fn look(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        match self.client.peer(cx) {
            Peer::There => return Ok(()),
            Peer::Gone => return Err(lost(io::ErrorKind::ConnectionReset.into())),
            Peer::Silent if self.lent => {}
            Peer::Silent => self.probe(cx)?,
        }
        if self.active.elapsed() < limits::SILENT_TIMEOUT || !self.keeps_client_waiting() {
            return Ok(());
        }
        if self.away || !self.session.to_server().is_empty() {
            return Err(lost(io::ErrorKind::TimedOut.into()));
        }
        if !self.hung_up {
            self.hung_up = self.server.poll_shutdown(cx).is_ready();
        }
        Ok(())
    }

    /// Sends a client that sends nothing more, and to which nothing has been sent for a while, what
    /// changes nothing for it. If it has only closed its sending side, it reads that; if it is gone,
    /// the system says so from then on.
    fn probe(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let is_asked = |at: Instant| at.elapsed() < limits::LOOK_INTERVAL;
        let is_early = self.active.elapsed() < self.silence();
        if is_early || self.probed.is_some_and(is_asked) || !self.session.to_client().is_empty() {
            return Ok(());
        }
        self.probed = Some(Instant::now());
        self.session.probe_client();
        self.write_client(cx).map(drop)
    }

    /// How long nothing may move before a client is asked whether it is there. It may have sent more
    /// than it waits for, and gone: as long as nothing has been said to it that it would have missed,
    /// the rest has some time to be forwarded.
    fn silence(&mut self) -> Duration {
        let has_rest = !self.client.input.is_empty() || !self.session.to_server().is_empty();
        match has_rest && self.session.held_back() == 0 {
            true => limits::SILENT_TIMEOUT,
            false => limits::LOOK_INTERVAL,
        }
    }

    /// Moves bytes until neither socket has or takes any more, or until it stops.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Stop> {
        let stop = self.rounds(cx);
        count(&mut self.client, &self.counters.client);
        count(&mut self.server, &self.counters.server);
        if !matches!(stop, Poll::Ready(Stop::End(_))) {
            self.show();
        }
        if stop.is_pending() && self.bell.is_some() {
            self.answer(cx);
        }
        stop
    }

    /// Says that everything is with the server that the client has sent, or waits for it.
    fn answer(&mut self, cx: &mut Context<'_>) {
        let waits = self.client_progress == Progress::More || self.work.client;
        if waits || !self.session.to_server().is_empty() {
            return;
        }
        match &mut self.bell {
            Some((bell, true)) => {
                bell.hear();
                self.bell = None;
            }
            Some((_, has_looked)) => {
                *has_looked = true;
                let _ = pin!(yield_now()).poll(cx);
            }
            None => {}
        }
    }

    /// Shows what the session is doing, to whoever looks.
    fn show(&mut self) {
        let doing = self.session.doing();
        if doing != self.shown {
            self.shown = doing;
            self.activity.set(doing);
        }
    }

    fn rounds(&mut self, cx: &mut Context<'_>) -> Poll<Stop> {
        for _ in 0..limits::ROUNDS {
            match self.round(cx) {
                Ok(true) if self.has_had_its_turn() => break,
                Ok(true) => {}
                Ok(false) => return Poll::Pending,
                Err(Stop::End(End::Fatal(fatal))) => {
                    self.session.end(&fatal);
                    return Poll::Ready(Stop::End(End::Fatal(fatal)));
                }
                Err(stop) => return Poll::Ready(stop),
            }
        }
        // The others on this thread come first, also those whose sockets nobody has looked at since:
        // a task that wakes itself keeps the runtime from looking.
        let _ = pin!(yield_now()).poll(cx);
        Poll::Pending
    }

    /// Whether the others come first: as much has been read as a turn has, or the session says so.
    fn has_had_its_turn(&self) -> bool {
        let waits = |progress: Progress| progress == Progress::More;
        self.received() >= limits::TURN_BYTES
            || waits(self.client_progress)
            || waits(self.server_progress)
    }

    /// The bytes read that nobody has counted yet: those of this turn.
    fn received(&self) -> u64 {
        self.client.moved().received + self.server.moved().received
    }

    /// One round: reads, judges, writes. Says whether there may be more to do at once.
    fn round(&mut self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        if let Some(catalog) = self.news.take() {
            self.stir();
            if self.session.is_heavy_to_use(&catalog) {
                self.work.catalog = Some(catalog);
            } else {
                self.session.use_catalog(catalog);
            }
        }
        let now = Instant::now();
        self.session.set_time(now.duration_since(self.since));
        let mut moved = self.read_server(cx)?;
        if let Some(catalog) = self.session.take_loaded() {
            return Err(Stop::Loaded(Some(catalog)));
        }
        if self.session.take_failed() {
            return Err(Stop::Loaded(None));
        }
        if self.needs_catalog() {
            return Err(Stop::NeedsCatalog);
        }
        moved |= self.read_client(cx)?;
        moved |= self.write_client(cx)?;
        moved |= self.write_server(cx);
        self.settle();
        if moved {
            self.active = now;
        }
        self.check_end(cx)?;
        if self.needs_catalog() {
            return Err(Stop::NeedsCatalog);
        }
        if self.work.is_some() {
            return Err(Stop::Heavy);
        }
        Ok(moved)
    }

    /// Whether the session needs a snapshot that is not there.
    fn needs_catalog(&self) -> bool {
        self.session.needs_catalog() && self.work.supply.is_none()
    }

    /// Counts what the session holds now.
    fn settle(&mut self) {
        self.session.settle(self.client.held() + self.server.held());
        if self.session.is_tight() {
            self.client.tighten();
            self.server.tighten();
        }
    }

    /// So many bytes may wait for a socket before the other one is no longer read.
    fn high_water(&self) -> usize {
        if self.session.is_tight() {
            limits::READ_SMALL_BYTES
        } else {
            limits::HIGH_WATER_BYTES
        }
    }

    fn read_server(&mut self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        if self.session.to_client().len() >= self.high_water() {
            return Ok(false);
        }
        // What is left from authentication, or of a turn that was over before.
        let there = |relay: &Self| (relay.server.input.len(), relay.session.held_back());
        let before = there(self);
        if before != (0, 0) {
            self.expected |= is_last_word(&self.server.input);
            self.take_server()?;
        }
        let mut moved = there(self) != before;
        // First comes what is there: more behind it would only be moved about in the buffer.
        let has_more = self.work.server || self.server_progress == Progress::More;
        if !has_more && self.session.accepts_server_input() {
            // A reset is an end too; it is judged in `check_end`.
            let read = self.server.poll_read(cx).unwrap_or_else(|_| {
                self.server.ended = true;
                true
            });
            if read {
                self.expected |= is_last_word(&self.server.input);
                self.stir();
                self.take_server()?;
                moved = true;
            }
        }
        if moved {
            self.stir();
        }
        Ok(moved)
    }

    fn take_server(&mut self) -> Result<(), Stop> {
        let turn = self
            .session
            .server_turn(&mut self.server.input, Effort::Light);
        self.server_progress = turn?;
        self.work.server = self.is_for_a_job(self.server_progress);
        Ok(())
    }

    fn read_client(&mut self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        if self.session.to_server().len() >= self.high_water() {
            return Ok(false);
        }
        // What waited for an answer may go on now, without anything new from the client.
        let before = self.client.input.len();
        if before > 0 && !self.offered {
            self.take_client()?;
        }
        let mut moved = self.client.input.len() != before;
        let has_more = self.work.client || self.client_progress == Progress::More;
        if !has_more
            && self.session.accepts_client_input()
            && self.client.poll_read(cx).map_err(lost)?
        {
            self.expected |= self.client.input.ends_with(TERMINATE);
            self.stir();
            self.take_client()?;
            moved = true;
        }
        Ok(moved)
    }

    fn take_client(&mut self) -> Result<(), Stop> {
        let turn = self
            .session
            .client_turn(&mut self.client.input, Effort::Light);
        self.client_progress = turn?;
        self.work.client = self.is_for_a_job(self.client_progress);
        self.offered = self.client_progress != Progress::More && !self.work.client;
        Ok(())
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
        if self.closing {
            return Err(Fatal::Shutdown.into());
        }
        if self.server.ended {
            // First the client gets everything that the server sent, at its own pace.
            let judged = self.server_progress == Progress::Done || self.fruitless;
            if !judged || !self.session.to_client().is_empty() {
                return Ok(());
            }
            let is_due = self.client.ended || self.expected || self.session.is_terminated();
            return Err(if is_due {
                Stop::End(End::Closed)
            } else {
                Fatal::ServerGone.into()
            });
        }
        if self.draining && self.session.is_idle() {
            return Err(Fatal::Shutdown.into());
        }
        // The client may close its sending side and still read: so does the relay. An incomplete
        // message that it leaves behind never becomes complete.
        let judged = self.client_progress == Progress::Done;
        let silent = judged && self.client.ended && self.session.accepts_client_input();
        if silent && !self.hung_up && self.session.to_server().is_empty() {
            self.hung_up = self.server.poll_shutdown(cx).is_ready();
        }
        Ok(())
    }
}

/// Counts what has moved through a socket.
fn count(leg: &mut Leg, counts: &audit::Leg) {
    let moved = leg.take_moved();
    if moved.received > 0 {
        counts.received.add(moved.received);
    }
    if moved.sent > 0 {
        counts.sent.add(moved.sent);
    }
}

/// Whether bytes end with an ErrorResponse that ends the connection, so that the client need not
/// be told once more when it closes. Only a guess, and only about that courtesy: a value could
/// look like it.
fn is_last_word(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(limits::LAST_WORD_BYTES)..];
    let says = |word: &[u8]| memchr::memmem::find(tail, word).is_some();
    // The terminators of the last field and of the message.
    tail.ends_with(b"\0\0") && (says(b"\0VFATAL\0") || says(b"\0VPANIC\0"))
}

fn lost(error: io::Error) -> Stop {
    Stop::End(End::ClientLost(error))
}

impl From<Fatal> for Stop {
    fn from(fatal: Fatal) -> Self {
        Self::End(End::Fatal(fatal))
    }
}

#[cfg(test)]
mod tests {
    use bytes::BytesMut;

    use super::*;

    #[test]
    fn knows_the_last_word_of_a_server() {
        let mut bytes = BytesMut::from("D and other messages");
        Fatal::Shutdown.encode(&mut bytes);
        assert!(is_last_word(&bytes));
        assert!(!is_last_word(&bytes[..bytes.len() - 1]));
        assert!(!is_last_word(b""));
        assert!(!is_last_word(b"Z\0\0\0\x05I"));
        let text = String::from_utf8_lossy(&bytes).replace("FATAL", "ERROR");
        assert!(!is_last_word(text.as_bytes()));
    }
}
