//! One client from its first byte to its last: the entry, the relay, the farewell, with one line
//! in the log for the beginning of its session and one for the end.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep};
use tracing::{Instrument as _, Span};

use super::alarms::{Alarms, Rung};
use super::buffers::Buffers;
use super::cancels::Cancellable;
use super::catalogs::{Database, Site, Supply};
use super::leg::Leg;
use super::limits;
use super::relay::{End, Relay, Stop};
use super::roster::{Listed, Order, Orders, Whose};
use super::seats::Seat;
use super::seldom::Seldom;
use super::settings::Settings;
use super::startup::Request;
use super::stream::Stream;
use super::tally::Tallies;
use super::view::View;
use super::waiting::{Place, Stage, Waiting};
use super::workshop::{Job, Workshop};
use crate::audit::{self, Doing, Event};
use crate::config::Address;
use crate::session::{Catalog, Fatal, Mode, Session};

/// What is left of the life of the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Serving.
    Open,
    /// Sessions end when they are idle.
    Draining(Drain),
    /// Sessions end at once.
    Closing,
}

/// How sessions end that are idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Drain {
    pub(super) since: Instant,
    /// Over this time, each at its own moment.
    pub(super) spread: Duration,
}

impl Drain {
    /// How long it is until the turn of a session, if that has not come. Numbers that follow each other
    /// lie far from each other in the time, and as evenly as they can: they are multiples of the golden
    /// ratio.
    fn left(self, number: u64, now: Instant) -> Option<Duration> {
        let part = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let part = f64::from(u32::try_from(part).unwrap_or_default()) / f64::from(u32::MAX);
        let left = (self.since + self.spread.mul_f64(part)).duration_since(now);
        (!left.is_zero()).then_some(left)
    }
}

/// A client that was let in, and what it needs.
pub(super) struct Connection {
    /// The number of the session, as the log has it.
    pub(super) number: u64,
    pub(super) peer: String,
    /// The client's address; `None` if it comes by a Unix socket, or a balancer does not tell.
    pub(super) address: Option<IpAddr>,
    /// Whose session it is, in the log.
    pub(super) span: Span,
    pub(super) settings: Arc<Settings>,
    pub(super) phase: watch::Receiver<Phase>,
    /// One permit for each session that may run at once.
    pub(super) sessions: Arc<Semaphore>,
    pub(super) buffers: Arc<Buffers>,
    pub(super) waiting: Arc<Waiting>,
    pub(super) place: Place,
    pub(super) tallies: Tallies,
    pub(super) workshop: Arc<Workshop>,
}

/// A connection with Postgres that has let a client in.
pub(super) struct Entered {
    pub(super) server: Leg,
    /// The host that it is on.
    pub(super) host: String,
    /// By which a cancellation finds it.
    pub(super) cancellable: Option<Cancellable>,
}

/// A session that Postgres has let in.
pub(super) struct Admitted {
    pub(super) request: Request,
    pub(super) client: Leg,
    pub(super) entered: Entered,
    /// What cancels what the session runs, if the server has said.
    pub(super) cancellation: Option<Bytes>,
    /// Counts against `max_connections` as long as it lives.
    pub(super) permit: OwnedSemaphorePermit,
    /// Counts against the other limits as long as it lives.
    pub(super) seat: Seat,
    /// When the session has to take statements.
    pub(super) deadline: Instant,
}

impl Connection {
    /// Serves one client until it is gone.
    pub(super) async fn serve(mut self, stream: Stream) {
        // Boxed, so that an idle session does not carry the memory of its startup.
        let span = self.span.clone();
        if let Some(admitted) = Box::pin(self.admit(stream)).instrument(span).await {
            self.place.turn(Stage::In);
            self.run(admitted).await;
        }
    }

    /// Runs the session.
    async fn run(&mut self, admitted: Admitted) {
        let Admitted {
            request,
            client,
            entered,
            cancellation,
            permit: _permit,
            seat: _seat,
            deadline,
        } = admitted;
        let Entered {
            server,
            host,
            cancellable,
        } = entered;
        let user = request.user.escape_ascii().to_string();
        let database = request.database.escape_ascii().to_string();
        let mode = self.settings.mode(&request);
        let view = self.settings.view(&request);
        let span = self.span.clone();
        span.record("role", &user).record("database", &database);
        if !request.application.is_empty() {
            span.record("application", audit::application(&request.application));
        }
        let ends = audit::Session {
            peer: self.peer.clone(),
            user,
            database,
        };
        let begin = Event::SessionStart {
            session: ends.clone(),
            mode: mode.as_str(),
        };
        span.in_scope(|| begin.emit());
        let started = Instant::now();
        let sessions = &self.settings.lasting.counters.sessions;
        let _counted = sessions.begin(&request.database, &request.user, mode.as_str());
        let site = view.catalogs.site(&request.database, &host);
        let catalogs = site.database(None);
        let mut listed = self.listed(&request, mode, host, cancellable.as_ref());

        let session = Session::new(Arc::clone(&view.shared), mode).beside(site.moves());
        let session = session.in_line().within(span.clone());
        let mut session = session.counted_by(&listed.activity);
        if let Some(observations) = view.observations() {
            session = session.observed(Arc::clone(observations), &ends.database);
        }
        let mut relay = {
            let since = self.settings.since;
            let counters = Arc::clone(&self.settings.lasting.counters);
            let shows = (catalogs.news(), counters, Arc::clone(&listed.activity));
            Relay::new(client, server, session, since, shows)
        };
        drop(request);
        let end = self
            .relay(
                &mut relay,
                (&view, &site, catalogs),
                deadline,
                &mut listed.orders,
            )
            .await;
        // As when `pg_terminate_backend` ends it: what the server runs for it ends, too. Postgres
        // itself would notice only when it has something to say.
        let is_cut_off = listed.orders.has_ended_it() && listed.activity.doing() == Doing::Active;
        let cancellation = cancellation.filter(|_| is_cut_off);
        let cancellation =
            cancellation.zip(cancellable.as_ref().map(|session| session.host.clone()));
        drop(listed);

        let over = ended(ends, started, &end);
        span.in_scope(|| over.emit());
        self.part_from(relay, &end, cancellation).await;
    }

    /// Says the last words to the client, and to the server what cancels the last statement.
    async fn part_from(&self, mut relay: Relay, end: &End, cancellation: Option<(Bytes, Address)>) {
        let words = std::mem::take(relay.session.to_client());
        let (client, server, mut session) = relay.into_parts();
        let is_closed = matches!(end, End::Closed | End::Fatal(Fatal::ServerGone));
        let may_commit = session.part(is_closed);
        let farewell = async {
            if !matches!(end, End::ClientLost(_)) {
                client.farewell(words).await;
            }
        };
        let cancel = async {
            if let Some((packet, host)) = cancellation {
                self.cancel_on(vec![host], packet).await;
            }
            // A pooler knows the key as long as this is open only.
            if may_commit && server.farewell(&[][..]).await {
                session.part(true);
            }
            self.workshop.discard(session);
        };
        tokio::join!(farewell, cancel);
    }

    /// Puts the session on the list of those that run, where it hears what others want of it.
    fn listed(
        &self,
        request: &Request,
        mode: Mode,
        host: String,
        cancellable: Option<&Cancellable>,
    ) -> Listed {
        let whose = Whose::new(
            (self.number, &self.peer),
            (&request.user, &request.database, &request.application),
            (mode.as_str(), host),
        );
        let mut listed = self.settings.lasting.roster.begin(whose);
        listed.orders.bell = cancellable.map(|session| Arc::clone(&session.bell));
        listed
    }

    /// Drives the relay, brings it what it asks for, and hears of the end.
    async fn relay(
        &mut self,
        relay: &mut Relay,
        (view, site, mut catalogs): (&View, &Site, Arc<Database>),
        deadline: Instant,
        orders: &mut Orders,
    ) -> End {
        let mut loading = None;
        let mut pleas = catalogs.pleas();
        let mut serving = true;
        let mut alarms = Alarms::set(deadline, self.settings.config.limits.idle_timeout);
        let mut awaited = None;
        let mut watch = None;
        loop {
            let next = {
                let phase = (&mut self.phase, serving);
                let heard = pin!(hear(phase, orders, &mut pleas, &mut alarms));
                let mut heard = Seldom::new(heard);
                poll_fn(|cx| match next(relay, &mut awaited, &mut watch, cx) {
                    Poll::Pending => Pin::new(&mut heard).poll(cx).map(Next::Heard),
                    next => next,
                })
                .await
            };
            match next {
                Next::Heard(Heard::Phase) => serving = self.heed_phase(relay, &mut alarms),
                Next::Heard(Heard::Order(order)) => relay.obey(order),
                Next::Heard(Heard::Plea) => relay.heed_plea(*pleas.borrow_and_update()),
                Next::Heard(Heard::Alarm(rung)) => {
                    if let Some(fatal) = alarms.heed(rung, relay) {
                        let end = relay.end(fatal);
                        return self.ended(loading, end);
                    }
                }
                Next::Stop(Stop::NeedsCatalog) => {
                    relay.set_away();
                    loading = None;
                    if let Some(identity) = relay.session.server_identity() {
                        catalogs = site.database(Some(identity));
                        relay.hear(catalogs.news());
                        pleas = catalogs.pleas();
                    }
                    awaited = Some(self.supplied(&catalogs, relay.session.is_opening()));
                }
                Next::Stop(Stop::Heavy) => {
                    awaited = Some(self.worked(relay.lend(&view.shared)));
                }
                Next::Stop(Stop::Loaded(catalog)) => {
                    if let Some(other) = self.loaded((site, &catalogs), catalog) {
                        catalogs = other;
                        relay.hear(catalogs.news());
                        pleas = catalogs.pleas();
                    }
                    loading = None;
                }
                Next::Stop(Stop::End(end)) => return self.ended(loading, end),
                Next::Plea(plea) => catalogs.plead(plea),
                Next::Supplied(supply) => {
                    loading = provide(relay, supply).or(loading);
                }
                Next::Worked(job, done) => {
                    relay.take_back(*job);
                    if let Err(fatal) = done {
                        return relay.end(fatal);
                    }
                }
            }
        }
    }

    /// Does what the phase of the proxy wants of a session; says whether another one may follow.
    fn heed_phase(&mut self, relay: &mut Relay, alarms: &mut Alarms) -> bool {
        let phase = *self.phase.borrow_and_update();
        match phase {
            Phase::Open => {}
            Phase::Draining(drain) => match drain.left(self.number, Instant::now()) {
                Some(left) => alarms.set_turn(left),
                None => relay.drain_unless_new(),
            },
            Phase::Closing => {
                relay.close();
                return false;
            }
        }
        true
    }

    /// Hands out what a session has loaded, if it has come to that. Gives the database that it is
    /// of, if that is another one.
    fn loaded(
        &self,
        (site, catalogs): (&Site, &Arc<Database>),
        catalog: Option<Arc<Catalog>>,
    ) -> Option<Arc<Database>> {
        let counters = &self.settings.lasting.counters;
        let Some(catalog) = catalog else {
            counters.catalogs_abandoned.add(1);
            return None;
        };
        // A look for others shows the snapshot that all have.
        if !catalogs.has(&catalog) {
            counters.catalogs_loaded.add(1);
        }
        let used = site.publish(catalogs, catalog);
        (!Arc::ptr_eq(&used, catalogs)).then_some(used)
    }

    /// Lets others load the snapshot of the database that this session has not.
    fn ended(&self, loading: Option<OwnedSemaphorePermit>, end: End) -> End {
        if loading.is_some() {
            self.settings.lasting.counters.catalogs_abandoned.add(1);
        }
        drop(loading);
        end
    }

    /// Waits for a snapshot of the database: of a look that is yet to begin, unless the session is
    /// opening.
    fn supplied(&self, catalogs: &Arc<Database>, opening: bool) -> Awaited {
        let max_age = match opening {
            true => self.settings.config.limits.catalog_max_age,
            false => Duration::ZERO,
        };
        let (catalogs, since) = (Arc::clone(catalogs), self.settings.since);
        Box::pin(async move {
            let now = || since.elapsed();
            Next::Supplied(catalogs.supply(max_age, now).await)
        })
    }

    /// Has the work of a session done.
    fn worked(&self, job: Job) -> Awaited {
        let workshop = Arc::clone(&self.workshop);
        Box::pin(async move {
            match workshop.run(job).await {
                Ok((job, done)) => Next::Worked(Box::new(job), done),
                Err(_) => Next::Stop(Stop::End(End::Fatal(Fatal::Internal))),
            }
        })
    }
}

/// What a connection has to do next.
enum Next {
    Stop(Stop),
    /// A snapshot of the database, or the order to load one, is there.
    Supplied(Supply),
    /// Another session is to look at the database.
    Plea(u64),
    /// The session is back.
    Worked(Box<Job>, Result<(), Fatal>),
    /// Others want something of the session.
    Heard(Heard),
}

/// What a session hears besides its client and its server. That is seldom.
enum Heard {
    /// The phase of the proxy is another one.
    Phase,
    Order(Order),
    /// Another session wants the database to be looked at.
    Plea,
    Alarm(Rung),
}

/// Waits for whatever others want of a session, or the time does.
async fn hear(
    (phase, serving): (&mut watch::Receiver<Phase>, bool),
    orders: &mut Orders,
    pleas: &mut watch::Receiver<u64>,
    alarms: &mut Alarms,
) -> Heard {
    tokio::select! {
        biased;
        _ = phase.changed(), if serving => Heard::Phase,
        order = orders.next() => Heard::Order(order),
        Ok(()) = pleas.changed() => Heard::Plea,
        rung = alarms.ring() => Heard::Alarm(rung),
    }
}

/// What the audit trail has of the end of a session.
fn ended(session: audit::Session, started: Instant, end: &End) -> Event {
    let (reason, sqlstate) = match end {
        End::Closed => (None, None),
        End::ClientLost(error) => (Some(format!("client lost: {error}")), None),
        End::Fatal(fatal) => (Some(fatal.to_string()), Some(fatal.sqlstate())),
    };
    Event::SessionEnd {
        session,
        seconds: started.elapsed().as_secs_f64(),
        reason,
        sqlstate,
    }
}

/// Hands a session the snapshot that it needs, or the order to load one, with the permit for that.
fn provide(relay: &mut Relay, supply: Supply) -> Option<OwnedSemaphorePermit> {
    match supply {
        Supply::Use(catalog) => {
            relay.supply(catalog);
            None
        }
        Supply::Load(permit, earlier) => {
            relay.load(earlier);
            permit
        }
    }
}

/// What the relay waits for while its session is away.
type Awaited = Pin<Box<dyn Future<Output = Next> + Send>>;

/// Drives the relay, or waits for what it waits for. A client that is not being read from is looked
/// at from time to time.
fn next(
    relay: &mut Relay,
    awaited: &mut Option<Awaited>,
    watch: &mut Option<Pin<Box<Sleep>>>,
    cx: &mut Context<'_>,
) -> Poll<Next> {
    if let Err(stop) = relay.close_waiting() {
        *awaited = None;
        return Poll::Ready(Next::Stop(stop));
    }
    let next = match awaited {
        Some(future) => future.as_mut().poll(cx),
        None => relay.poll(cx).map(Next::Stop),
    };
    if next.is_ready() {
        *awaited = None;
        return next;
    }
    let waits = awaited.is_none() && relay.session.waits_for_others();
    if !waits && !relay.is_deaf() {
        *watch = None;
        return Poll::Pending;
    }
    let interval = match waits {
        true => limits::OTHERS_INTERVAL,
        false => limits::LOOK_INTERVAL,
    };
    let late = Instant::now() + interval;
    if watch.as_ref().is_some_and(|timer| timer.deadline() > late) {
        *watch = None;
    }
    loop {
        let timer = watch.get_or_insert_with(|| Box::pin(sleep(interval)));
        if timer.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        *watch = None;
        if let Err(stop) = relay.look(cx) {
            *awaited = None;
            return Poll::Ready(Next::Stop(stop));
        }
        if waits {
            if let Some(plea) = relay.session.plead() {
                return Poll::Ready(Next::Plea(plea));
            }
            // It is polled again, and sees what others have done.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_end_evenly_over_the_time_of_a_drain() {
        let (since, spread) = (Instant::now(), Duration::from_secs(10));
        let drain = Drain { since, spread };
        for first in [1, 4711, u64::MAX - 2000] {
            let mut tenths = [0; 10];
            for number in first..first + 1000 {
                let left = drain.left(number, since).unwrap_or_default();
                assert!(left <= spread);
                let tenth = usize::try_from(left.as_millis() / 1000).unwrap();
                tenths[tenth.min(9)] += 1;
            }
            let is_even = tenths.iter().all(|of| (90..=110).contains(of));
            assert!(is_even, "{tenths:?}");
        }
        assert_eq!(drain.left(7, since + spread), None);
        let spread = Duration::ZERO;
        assert_eq!(Drain { since, spread }.left(7, since), None);
    }
}
