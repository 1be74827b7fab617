//! The way of one login to a host of Postgres: the hosts that may be tried, each once, and what came
//! of it. Each has a share of the time of the login, so that one which says nothing leaves some to the
//! others.

use std::sync::Arc;
use std::time::Duration;
use std::vec;

use tokio::time::{Instant, sleep, timeout_at};

use super::authentication::AuthenticationError;
use super::buffers::Buffers;
use super::hosts::{Fit, Greeting, Host, Kind};
use super::leg::Leg;
use super::limits;
use super::reach::Attempt;
use super::settings::Settings;
use super::upstream::UpstreamError;
use super::waiting::{Place, Stage, Waiting};

/// Whose way it is, and what it needs.
#[derive(Clone, Copy)]
pub(super) struct Traveller<'a> {
    pub(super) settings: &'a Settings,
    pub(super) waiting: &'a Waiting,
    pub(super) buffers: &'a Arc<Buffers>,
    pub(super) place: &'a Place,
    pub(super) kind: Kind,
    /// When the login ends, whatever it has come to.
    pub(super) deadline: Instant,
}

/// What a login has left to try.
pub(super) struct Way<'a> {
    whose: Traveller<'a>,
    left: vec::IntoIter<&'a Host>,
    /// The one that is connected and has not been judged.
    trying: Option<&'a Host>,
    /// Since when it is a host's turn.
    since: Instant,
    /// Whether there is a session that will do.
    has_session: bool,
    /// Why the last one was of no use.
    failure: Option<UpstreamError>,
}

/// What a login has found wrong with a host that takes connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It takes no sessions now, and says so.
    Rests,
    /// It closes the connection.
    Closes,
    /// It gives no answer.
    Silent,
}

/// Connecting, TLS and the answer: each has its part of a host's share.
const PARTS: u32 = 3;

impl<'a> Way<'a> {
    /// The way of a login to a host that is what sessions are to be on.
    pub(super) fn new(whose: Traveller<'a>) -> Self {
        Self::to(whose, whose.settings.hosts.candidates(whose.kind))
    }

    /// The way to whichever host answers.
    pub(super) fn to_any(whose: Traveller<'a>) -> Self {
        Self::to(whose, whose.settings.hosts.anyone())
    }

    fn to(whose: Traveller<'a>, hosts: Vec<&'a Host>) -> Self {
        Self {
            whose,
            left: hosts.into_iter(),
            trying: None,
            since: Instant::now(),
            has_session: false,
            failure: None,
        }
    }

    /// The next host that can be reached, and a connection with it; why the last was of no use, if
    /// there is none.
    pub(super) async fn next(&mut self) -> Result<(&'a Host, Leg), UpstreamError> {
        self.trying = None;
        while let Some(host) = self.left.next() {
            // Whether it is back is found out behind the login.
            if self.has_session && host.is_out() {
                continue;
            }
            self.whose.place.turn(Stage::Served);
            let settings = self.whose.settings;
            let within = settings.connect_within();
            let within = self.share().map_or(within, |share| share.min(within));
            self.since = Instant::now();
            let (waiting, buffers) = (self.whose.waiting, self.whose.buffers);
            let connected = match host.reach.attempt() {
                Ok(attempt) => connect(settings, waiting, buffers, (host, attempt), within).await,
                Err(down) => Err(down),
            };
            match connected {
                Ok(server) => {
                    (self.trying, self.since) = (Some(host), Instant::now());
                    return Ok((host, server));
                }
                Err(error) if error.is_ours() => return Err(error),
                Err(error) => {
                    self.blame(host, error.fault());
                    self.failure = Some(error);
                }
            }
        }
        let target = self.whose.settings.hosts.target;
        let failure = self.failure.take();
        Err(failure.unwrap_or(UpstreamError::NoneFits(target)))
    }

    /// How long each part of what a host has to do may take; `None` if all the time is its own.
    fn share(&self) -> Option<Duration> {
        let others = self.left.len();
        if others == 0 && !self.has_session {
            return None;
        }
        let left = self.whose.deadline - Instant::now();
        let left = match self.has_session {
            true => left.saturating_sub(limits::RESERVE.min(left / 4)),
            false => left,
        };
        let hosts = u32::try_from(others + 1).unwrap_or(u32::MAX);
        Some(limits::HOST_TIMEOUT.min(left / hosts.saturating_mul(PARTS)))
    }

    /// When the host that is tried must have given its answer; `None` if there is no other to try.
    pub(super) fn answer_by(&self) -> Option<Instant> {
        Some(Instant::now() + self.share()?)
    }

    /// Waits for what the host that is tried has to say, for as long as it may take.
    pub(super) async fn answer<T>(
        &mut self,
        step: impl Future<Output = T>,
    ) -> Result<T, AuthenticationError> {
        self.since = Instant::now();
        match self.answer_by() {
            Some(by) => {
                let answered = timeout_at(by, step).await;
                answered.map_err(|_| AuthenticationError::Silent)
            }
            None => Ok(step.await),
        }
    }

    /// Remembers of a host what is wrong with it.
    pub(super) fn blame(&self, host: &Host, fault: Option<Fault>) {
        match fault {
            Some(Fault::Rests) => host.rests(),
            Some(Fault::Closes) => host.falls_silent(),
            Some(Fault::Silent) if self.had_time() => host.falls_silent(),
            Some(Fault::Silent) | None => {}
        }
    }

    /// The place of the one whose way it is.
    pub(super) fn place(&self) -> &'a Place {
        self.whose.place
    }

    /// Whether the host had a fair time for its answer: it has been its turn for so long, and not
    /// only until the client came in the last moment. Behind its AuthenticationOk it has answered: how
    /// long a session takes to be ready may be a matter of the role, as with triggers on login.
    fn had_time(&self) -> bool {
        let served_for = self.whose.place.served_for();
        let had = served_for.map(|time| time.min(self.since.elapsed()));
        had.is_some_and(|had| had >= limits::FAIR_TIME)
    }

    /// There is a session that will do if nothing better is found.
    pub(super) fn keep(&mut self) {
        self.has_session = true;
    }

    /// Whether a session may be on this host, by what it has told; if so, whether it is what is
    /// preferred.
    pub(super) fn judge(
        &mut self,
        host: &Host,
        greeting: &Greeting,
    ) -> Result<bool, UpstreamError> {
        self.trying = None;
        let hosts = &self.whose.settings.hosts;
        match hosts.judge(host, self.whose.kind, greeting) {
            Fit::Fits => Ok(true),
            Fit::WillDo => Ok(false),
            Fit::Misfit(misfit) => Err(UpstreamError::Misfit(hosts.target, misfit)),
        }
    }

    /// Whether this host is what sessions are to be on, whatever the settings of one say.
    pub(super) fn suits(&mut self, host: &Host, greeting: &Greeting) -> bool {
        self.trying = None;
        self.whose.settings.hosts.suits(host, greeting)
    }
}

impl Drop for Way<'_> {
    /// A login that has come to its end while it was the server's turn shows that this one says
    /// nothing.
    fn drop(&mut self) {
        let is_late = Instant::now() >= self.whose.deadline;
        if let Some(host) = self.trying
            && is_late
            && self.had_time()
        {
            host.falls_silent();
        }
    }
}

/// Connects to a host as this attempt. Where there is no descriptor for that, clients that have not
/// begun give theirs up.
pub(super) async fn connect(
    settings: &Settings,
    waiting: &Waiting,
    buffers: &Arc<Buffers>,
    (host, attempt): (&Host, Attempt),
    within: Duration,
) -> Result<Leg, UpstreamError> {
    loop {
        let buffers = Arc::clone(buffers);
        let connected = settings.connect(host, &attempt, within, buffers).await;
        match &connected {
            Err(error) if error.is_ours() && waiting.make_room() => {
                sleep(limits::ACCEPT_PAUSE).await;
            }
            _ => return connected,
        }
    }
}
