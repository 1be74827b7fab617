//! The hosts of Postgres: what each has told of itself, and in which order a login tries them. What
//! a host is becomes known by logins alone, as Postgres tells it behind the authentication.
//!
//! Two things are told, and they are not the same for everybody. Whether a host is a standby is a
//! property of the host. Whether its sessions only read may be a setting of the role, of the database
//! or of the client: it only ranks the hosts for later logins that ask for the same, and nobody closes
//! a host to others.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::BytesMut;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};

use super::limits;
use super::reach::{Attempt, Reach};
use super::upstream::UpstreamError;
use crate::config::{Address, TargetSession, Upstream};

/// The hosts, in the order of the configuration.
#[derive(Debug)]
pub(super) struct Hosts {
    all: Vec<Host>,
    pub(super) target: TargetSession,
    /// Whoever has it finds out what a host is.
    scouts: Semaphore,
}

/// A host of the upstream.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) address: Address,
    pub(super) reach: Reach,
    known: Mutex<Known>,
}

/// What a host has told.
#[derive(Debug, Default)]
struct Known {
    /// What it is, and when it said so last.
    is: Option<(Is, Instant)>,
    /// Whether it has been something else than a standby since it was last gone: when it goes, another
    /// host may take its place.
    has_led: bool,
    /// Whether sessions of a kind only read.
    read_only: HashMap<Kind, (bool, Instant)>,
    /// When it last took no sessions (57P03).
    resting: Option<Instant>,
    /// When it last took a connection and gave no answer.
    silent: Option<Instant>,
}

/// What a host can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    Primary,
    Standby,
    /// It lets sessions in without a word about it.
    Untold,
}

/// So many kinds of sessions are remembered of a host. When there are more, all are forgotten.
const MOST_KINDS: usize = 1000;

/// What decides the settings that a session begins with: the role, the database, and what the client
/// asks for. The default is the kind of which nothing is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Kind(Option<u64>);

impl Kind {
    /// The kind of a session by the parameters of its startup packet.
    pub(super) fn of<'a>(parameters: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Self {
        let mut hasher = DefaultHasher::new();
        // It differs among sessions that are alike.
        let parameters = parameters.filter(|(name, _)| *name != b"application_name");
        parameters.for_each(|parameter| parameter.hash(&mut hasher));
        Self(Some(hasher.finish()))
    }
}

/// What a host tells of a session that it has let in, up to its first ReadyForQuery.
#[derive(Debug, Default)]
pub(super) struct Greeting {
    /// `in_hot_standby`
    pub(super) standby: Option<bool>,
    /// `default_transaction_read_only`
    pub(super) read_only: Option<bool>,
    /// The body of its BackendKeyData, by which the session can be cancelled.
    pub(super) key: Option<BytesMut>,
    /// It ended the session instead, and says why.
    pub(super) is_over: bool,
    /// It has said all of it.
    pub(super) is_whole: bool,
    /// It closed in the middle.
    pub(super) is_cut: bool,
}

/// Whether a session may stay where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// The host is what is wanted.
    Fits,
    /// It is not what is preferred.
    WillDo,
    /// It is something else.
    Misfit(Misfit),
}

/// Why a session may not be where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Misfit {
    #[error("the server is in hot standby mode")]
    Standby,
    #[error("the server is not in hot standby mode")]
    Primary,
    #[error("the session is read-only")]
    ReadOnly,
    #[error("the session is not read-only")]
    ReadWrite,
    #[error("the server does not tell what it is, as Postgres 14 and later do")]
    Untold,
}

/// How early a host is tried, from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It was what is wanted.
    Fit,
    Unknown,
    /// It is not what is preferred, or a session like this one has found it to be something else.
    Doubtful,
    /// It was something else for everybody.
    Misfit,
    /// It has just said that it takes nobody.
    Resting,
    /// It takes connections and gives no answer.
    Silent,
    /// It can't be reached.
    Down,
}

/// What is known of a host, for whoever watches it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostState {
    /// Its place in the configuration, from 1.
    pub number: usize,
    /// Where it is.
    pub address: Address,
    /// Whether a connection came about, and not long ago.
    pub is_up: bool,
    /// Whether it is a standby, if a session has told.
    pub is_standby: Option<bool>,
    /// Whether the next session would be there first.
    pub is_used: bool,
}

impl HostState {
    /// `primary` or `standby`, if a session has told.
    #[must_use]
    pub fn role(&self) -> Option<&'static str> {
        let is_standby = self.is_standby?;
        Some(if is_standby { "standby" } else { "primary" })
    }
}

impl Hosts {
    pub(super) fn new(upstream: &Upstream) -> Self {
        let is_one_of_many = upstream.addresses.len() > 1;
        let host = |address: &Address| Host {
            address: address.clone(),
            reach: Reach::of(is_one_of_many.then(|| address.to_string())),
            known: Mutex::default(),
        };
        Self {
            all: upstream.addresses.iter().map(host).collect(),
            target: upstream.target,
            scouts: Semaphore::new(1),
        }
    }

    /// Takes over what another has heard, where the addresses are the same.
    pub(super) fn inherit(&self, other: &Self) {
        for host in &self.all {
            if let Some(same) = other.at(&host.address) {
                std::mem::swap(&mut *host.known(), &mut *same.known());
            }
        }
    }

    pub(super) fn all(&self) -> &[Host] {
        &self.all
    }

    /// Whether there are several.
    pub(super) fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    pub(super) fn at(&self, address: &Address) -> Option<&Host> {
        self.all.iter().find(|host| host.address == *address)
    }

    /// The hosts that a login may try, the likeliest first. One that has just shown to be something
    /// else, whoever logs in, is left out.
    pub(super) fn candidates(&self, kind: Kind) -> Vec<&Host> {
        let mut ranked = self.ranked(kind);
        ranked.retain(|(rank, since, _)| {
            *rank != Rank::Misfit || !is_within(*since, limits::RETRY_INTERVAL)
        });
        ranked.into_iter().map(|(.., host)| host).collect()
    }

    /// All hosts, in the order in which a login would try them.
    pub(super) fn anyone(&self) -> Vec<&Host> {
        let ranked = self.ranked(Kind::default()).into_iter();
        ranked.map(|(.., host)| host).collect()
    }

    fn ranked(&self, kind: Kind) -> Vec<(Rank, Option<Instant>, &Host)> {
        let ranked = self.all.iter().map(|host| {
            let (rank, since) = host.standing(self.target, kind);
            (rank, since, host)
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, ..)| *rank);
        ranked
    }

    /// Waits while another login finds out what the host is that this one would try first, but not
    /// for long: a login that may not be moved to another host should not be lost to what many could
    /// learn from one. With the permit it is this one that finds out.
    pub(super) async fn scout(&self, kind: Kind) -> Option<SemaphorePermit<'_>> {
        let is_unknown = || {
            let ranked = self.ranked(kind);
            ranked.first().is_some_and(|first| first.0 == Rank::Unknown)
        };
        let takes_all = [TargetSession::Any, TargetSession::PreferStandby].contains(&self.target);
        if takes_all || !self.are_several() || !is_unknown() {
            return None;
        }
        let patience = Instant::now() + limits::SCOUT_PATIENCE;
        let permit = timeout_at(patience, self.scouts.acquire()).await;
        permit.ok()?.ok().filter(|_| is_unknown())
    }

    /// Whether a host is what is wanted, whatever the settings of a session say; remembers what it is.
    pub(super) fn suits(&self, host: &Host, greeting: &Greeting) -> bool {
        host.learn(None, greeting);
        let standby = greeting.standby;
        match self.target {
            TargetSession::Any => true,
            TargetSession::Primary | TargetSession::ReadWrite => standby == Some(false),
            TargetSession::Standby | TargetSession::PreferStandby | TargetSession::ReadOnly => {
                standby == Some(true)
            }
        }
    }

    /// Judges whether a session may be on this host, and remembers what it said.
    pub(super) fn judge(&self, host: &Host, kind: Kind, greeting: &Greeting) -> Fit {
        host.learn(Some(kind), greeting);
        if greeting.is_over {
            // Its own words are the client's.
            return Fit::Fits;
        }
        let Greeting {
            standby, read_only, ..
        } = *greeting;
        match (self.target, standby, read_only) {
            (TargetSession::Any, ..)
            | (TargetSession::Primary, Some(false), _)
            | (TargetSession::Standby | TargetSession::PreferStandby, Some(true), _)
            | (TargetSession::ReadWrite, Some(false), Some(false))
            | (TargetSession::ReadOnly, Some(true), _)
            | (TargetSession::ReadOnly, _, Some(true)) => Fit::Fits,
            (TargetSession::PreferStandby, ..) => Fit::WillDo,
            (TargetSession::Primary | TargetSession::ReadWrite, Some(true), _) => {
                Fit::Misfit(Misfit::Standby)
            }
            (TargetSession::ReadWrite, _, Some(true)) => Fit::Misfit(Misfit::ReadOnly),
            (TargetSession::Standby, Some(false), _) => Fit::Misfit(Misfit::Primary),
            (TargetSession::ReadOnly, Some(false), Some(false)) => Fit::Misfit(Misfit::ReadWrite),
            (_, None, _) | (_, _, None) => Fit::Misfit(Misfit::Untold),
        }
    }

    /// Takes how an attempt ended. One that could not be reached may come back as something else. If
    /// it has led, one of the others may have taken its place, whatever they were; one that has let
    /// nobody in since it was last gone, or was a standby, changes nothing for them.
    pub(super) fn learn<T>(
        &self,
        host: &Host,
        attempt: &Attempt,
        result: &Result<T, UpstreamError>,
    ) {
        if !host.reach.learn(attempt, result) {
            return;
        }
        host.forget();
        if std::mem::take(&mut host.known().has_led) {
            self.all.iter().for_each(Host::forget);
        }
    }

    /// Whether no host can be reached.
    pub(super) fn are_down(&self) -> bool {
        self.all.iter().all(|host| host.reach.is_down())
    }

    /// Whether what is known is too old, or too bad, to be told to a client that pgveil would
    /// ask for its password before it connects.
    pub(super) fn are_doubtful(&self, kind: Kind) -> bool {
        let candidates = self.candidates(kind);
        candidates
            .first()
            .is_none_or(|host| host.reach.is_doubtful())
    }

    /// The host where the next session would be first, and be let in, as far as is known.
    pub(super) fn used(&self) -> Option<&Host> {
        let mut candidates = self.candidates(Kind::default()).into_iter();
        candidates.find(|host| host.reach.usable().is_some() && host.would_do(self.target))
    }

    /// What is known of each.
    pub(super) fn states(&self) -> Vec<HostState> {
        let used = self.used().map(|host| &host.address);
        let state = |(place, host): (usize, &Host)| HostState {
            number: place + 1,
            address: host.address.clone(),
            is_up: (host.reach.usable()).is_some_and(|at| at.elapsed() < limits::READY_FOR),
            is_standby: host.is_standby(),
            is_used: used == Some(&host.address),
        };
        self.all.iter().enumerate().map(state).collect()
    }
}

impl Host {
    /// How early it is tried by a session of a kind, and since when that has been known.
    fn standing(&self, target: TargetSession, kind: Kind) -> (Rank, Option<Instant>) {
        if self.reach.is_down() {
            return (Rank::Down, None);
        }
        let known = self.known();
        if known.silent.is_some() {
            return (Rank::Silent, known.silent);
        }
        if is_within(known.resting, limits::RETRY_INTERVAL) {
            return (Rank::Resting, known.resting);
        }
        if target == TargetSession::Any {
            return (Rank::Unknown, None);
        }
        let Some((is, at)) = known.is else {
            return (Rank::Unknown, None);
        };
        let read_only = known.read_only.get(&kind).copied();
        let (rank, at) = match (target, is) {
            (TargetSession::PreferStandby, Is::Standby) => (Rank::Fit, at),
            (TargetSession::PreferStandby, _) => (Rank::Doubtful, at),
            (_, Is::Untold) => (Rank::Misfit, at),
            (TargetSession::Standby, _) => match is {
                Is::Standby => (Rank::Fit, at),
                _ => (Rank::Misfit, at),
            },
            (TargetSession::ReadOnly, Is::Standby) => (Rank::Fit, at),
            (TargetSession::ReadOnly, _) => match read_only {
                Some((true, at)) => (Rank::Fit, at),
                Some((false, at)) => (Rank::Doubtful, at),
                // As a rule sessions on a primary write. If some don't, this one may not either.
                None if known.read_only.values().any(|(read_only, _)| *read_only) => {
                    (Rank::Unknown, at)
                }
                None => (Rank::Doubtful, at),
            },
            (_, Is::Standby) => (Rank::Misfit, at),
            (TargetSession::ReadWrite, _) => match read_only {
                Some((true, at)) => (Rank::Doubtful, at),
                _ => (Rank::Fit, at),
            },
            _ => (Rank::Fit, at),
        };
        (rank, Some(at))
    }

    /// Whether some session would be let in, as far as is known. That it was something else counts for
    /// a while only: where nobody is sent to a pgveil that is not ready, no login finds out better.
    fn would_do(&self, target: TargetSession) -> bool {
        if is_within(self.known().resting, limits::READY_FOR) {
            return false;
        }
        let (rank, since) = self.standing(target, Kind::default());
        let is_old = || !is_within(since, limits::MISFIT_FOR);
        match rank {
            Rank::Fit | Rank::Unknown => true,
            Rank::Doubtful => target == TargetSession::PreferStandby || is_old(),
            Rank::Misfit => is_old(),
            Rank::Resting | Rank::Silent | Rank::Down => false,
        }
    }

    fn learn(&self, kind: Option<Kind>, greeting: &Greeting) {
        let mut known = self.known();
        let now = Instant::now();
        (known.resting, known.silent) = (None, None);
        let is = match greeting.standby {
            Some(true) => Some(Is::Standby),
            Some(false) => Some(Is::Primary),
            None => greeting.is_whole.then_some(Is::Untold),
        };
        if let Some(is) = is {
            known.is = Some((is, now));
            known.has_led = is != Is::Standby;
        }
        if let (Some(kind), Some(read_only)) = (kind, greeting.read_only) {
            if known.read_only.len() >= MOST_KINDS && !known.read_only.contains_key(&kind) {
                known.read_only.clear();
            }
            known.read_only.insert(kind, (read_only, now));
        }
    }

    /// It takes no sessions now.
    pub(super) fn rests(&self) {
        let mut known = self.known();
        *known = Known {
            resting: Some(Instant::now()),
            has_led: known.has_led,
            ..Known::default()
        };
    }

    /// It has taken a connection and given no answer. It may come back as something else.
    pub(super) fn falls_silent(&self) {
        let mut known = self.known();
        *known = Known {
            silent: Some(Instant::now()),
            has_led: known.has_led,
            ..Known::default()
        };
    }

    /// It has given somebody an answer, who asked nothing but that. One that did not answer a login a
    /// moment ago is left alone all the same.
    pub(super) fn answers(&self) {
        let is_old = |at: &mut Instant| at.elapsed() >= limits::PROBE_INTERVAL;
        self.known().silent.take_if(is_old);
    }

    /// Whether it is a standby, if a session has told.
    fn is_standby(&self) -> Option<bool> {
        match self.known().is?.0 {
            Is::Primary => Some(false),
            Is::Standby => Some(true),
            Is::Untold => None,
        }
    }

    /// Whether it has given no answer.
    pub(super) fn is_silent(&self) -> bool {
        self.known().silent.is_some()
    }

    /// Whether it let nobody in when it was last tried.
    pub(super) fn is_out(&self) -> bool {
        let (rank, _) = self.standing(TargetSession::Any, Kind::default());
        rank > Rank::Misfit
    }

    fn forget(&self) {
        let mut known = self.known();
        known.is = None;
        known.read_only.clear();
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether something happened, and not longer ago than this.
fn is_within(at: Option<Instant>, time: Duration) -> bool {
    at.is_some_and(|at| at.elapsed() < time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(target: TargetSession) -> Hosts {
        let addresses = ["a:1", "b:1", "unix:/c:1"];
        let addresses = addresses.map(|text| Address::parse(text, 1).unwrap());
        let host = |address: Address| Host {
            address,
            reach: Reach::default(),
            known: Mutex::default(),
        };
        Hosts {
            all: addresses.map(host).into(),
            target,
            scouts: Semaphore::new(1),
        }
    }

    fn kind(role: &str) -> Kind {
        let user = (&b"user"[..], role.as_bytes());
        Kind::of([user].into_iter())
    }

    fn order(hosts: &Hosts, role: &str) -> Vec<String> {
        let candidates = hosts.candidates(kind(role)).into_iter();
        candidates.map(|host| host.address.to_string()).collect()
    }

    fn greeting(standby: bool, read_only: bool) -> Greeting {
        Greeting {
            standby: Some(standby),
            read_only: Some(read_only),
            is_whole: true,
            ..Greeting::default()
        }
    }

    fn fail(hosts: &Hosts, host: &Host) {
        let attempt = host.reach.attempt().unwrap();
        let gone = std::io::ErrorKind::ConnectionRefused.into();
        hosts.learn::<()>(host, &attempt, &Err(UpstreamError::Unreachable(gone)));
    }

    fn reached(host: &Host) {
        let attempt = host.reach.attempt().unwrap();
        host.reach.learn(&attempt, &Ok(()));
    }

    /// Lets time pass for what is known of a host.
    fn age(host: &Host, time: Duration) {
        let mut known = host.known();
        let past = |at: &mut Instant| *at = at.checked_sub(time).unwrap();
        known.is.iter_mut().for_each(|(_, at)| past(at));
        known.read_only.values_mut().for_each(|(_, at)| past(at));
        known.resting.iter_mut().for_each(past);
        known.silent.iter_mut().for_each(past);
    }

    #[test]
    fn sessions_are_judged_as_libpq_judges_them() {
        use Fit::{Fits, WillDo};
        let [standby, primary] = [Misfit::Standby, Misfit::Primary].map(Fit::Misfit);
        let [reads, writes] = [Misfit::ReadOnly, Misfit::ReadWrite].map(Fit::Misfit);
        let table = [
            (TargetSession::Any, [Fits, Fits, Fits]),
            (TargetSession::ReadWrite, [Fits, reads, standby]),
            (TargetSession::ReadOnly, [writes, Fits, Fits]),
            (TargetSession::Primary, [Fits, Fits, standby]),
            (TargetSession::Standby, [primary, primary, Fits]),
            (TargetSession::PreferStandby, [WillDo, WillDo, Fits]),
        ];
        let told = [(false, false), (false, true), (true, false)];
        for (target, expected) in table {
            for ((in_standby, read_only), fit) in told.into_iter().zip(expected) {
                let hosts = hosts(target);
                let greeting = greeting(in_standby, read_only);
                assert_eq!(
                    hosts.judge(&hosts.all[0], kind("r"), &greeting),
                    fit,
                    "{target:?}"
                );
            }
            let hosts = hosts(target);
            let untold = hosts.judge(&hosts.all[0], kind("r"), &Greeting::default());
            let lenient = [TargetSession::Any, TargetSession::PreferStandby];
            let misfit = Fit::Misfit(Misfit::Untold);
            assert_eq!(untold == misfit, !lenient.contains(&target), "{target:?}");
        }
    }

    #[test]
    fn the_host_that_fits_comes_first_and_one_that_does_not_later_again() {
        let hosts = hosts(TargetSession::ReadWrite);
        assert_eq!(order(&hosts, "r"), ["a:1", "b:1", "unix:/c:1"]);
        hosts.judge(&hosts.all[0], kind("r"), &greeting(true, false));
        assert_eq!(order(&hosts, "r"), ["b:1", "unix:/c:1"]);
        hosts.judge(&hosts.all[2], kind("r"), &greeting(false, false));
        assert_eq!(order(&hosts, "r"), ["unix:/c:1", "b:1"]);
        age(&hosts.all[0], 2 * limits::RETRY_INTERVAL);
        age(&hosts.all[2], 2 * limits::RETRY_INTERVAL);
        assert_eq!(order(&hosts, "r"), ["unix:/c:1", "b:1", "a:1"]);
        hosts.all[2].rests();
        assert_eq!(order(&hosts, "r"), ["b:1", "a:1", "unix:/c:1"]);
    }

    #[test]
    fn all_are_candidates_when_one_is_gone_and_that_one_is_the_last() {
        let hosts = hosts(TargetSession::Primary);
        hosts.judge(&hosts.all[0], kind("r"), &greeting(false, false));
        hosts.judge(&hosts.all[1], kind("r"), &greeting(true, false));
        assert_eq!(order(&hosts, "r"), ["a:1", "unix:/c:1"]);
        fail(&hosts, &hosts.all[0]);
        assert_eq!(order(&hosts, "r"), ["b:1", "unix:/c:1", "a:1"]);
        // That it is still gone tells nothing new.
        hosts.judge(&hosts.all[1], kind("r"), &greeting(true, false));
        let attempt = hosts.all[0].reach.revisit(Duration::ZERO).unwrap();
        let gone = std::io::ErrorKind::ConnectionRefused.into();
        hosts.learn::<()>(
            &hosts.all[0],
            &attempt,
            &Err(UpstreamError::Unreachable(gone)),
        );
        assert_eq!(order(&hosts, "r"), ["unix:/c:1", "a:1"]);
        hosts.all[0].reach.learn(&attempt, &Ok(()));
        assert_eq!(order(&hosts, "r"), ["a:1", "unix:/c:1"]);
    }

    #[test]
    fn a_host_that_comes_and_goes_without_a_session_makes_nobody_forget_the_others() {
        let hosts = hosts(TargetSession::Primary);
        let [first, second, third] = &hosts.all[..] else {
            panic!("three hosts");
        };
        let loops = |host: &Host| {
            fail(&hosts, host);
            let attempt = host.reach.revisit(Duration::ZERO).unwrap();
            hosts.learn(host, &attempt, &Ok(()));
            host.rests();
            age(host, 2 * limits::RETRY_INTERVAL);
        };
        hosts.judge(first, kind("r"), &greeting(true, false));
        hosts.judge(second, kind("r"), &greeting(false, false));
        // One that nobody has been on, and a standby.
        for role in [None, Some(true)] {
            if let Some(standby) = role {
                hosts.judge(third, kind("r"), &greeting(standby, false));
            }
            for _ in 0..3 {
                loops(third);
                assert_eq!(order(&hosts, "r"), ["b:1", "unix:/c:1"], "{role:?}");
            }
        }
        // A primary that has said that it stops leaves its place when it is gone, and only then.
        second.rests();
        loops(second);
        assert_eq!(order(&hosts, "r"), ["a:1", "b:1", "unix:/c:1"]);
        hosts.judge(first, kind("r"), &greeting(false, false));
        loops(second);
        assert_eq!(order(&hosts, "r"), ["a:1", "b:1", "unix:/c:1"]);
        assert!(first.known().is.is_some());
    }

    #[test]
    fn a_host_that_gives_no_answer_comes_last_until_it_has_for_a_while() {
        let hosts = hosts(TargetSession::Any);
        hosts.all[0].falls_silent();
        assert_eq!(order(&hosts, "r"), ["b:1", "unix:/c:1", "a:1"]);
        hosts.all[0].answers();
        assert_eq!(order(&hosts, "r"), ["b:1", "unix:/c:1", "a:1"]);
        age(&hosts.all[0], 2 * limits::PROBE_INTERVAL);
        assert_eq!(order(&hosts, "r"), ["b:1", "unix:/c:1", "a:1"]);
        hosts.all[0].answers();
        assert_eq!(order(&hosts, "r"), ["a:1", "b:1", "unix:/c:1"]);
        hosts.all[0].falls_silent();
        hosts.judge(&hosts.all[0], kind("r"), &greeting(false, false));
        assert_eq!(order(&hosts, "r"), ["a:1", "b:1", "unix:/c:1"]);
    }

    #[test]
    fn what_one_session_is_set_to_ranks_hosts_for_its_kind_and_closes_none() {
        let hosts = hosts(TargetSession::ReadWrite);
        let fit = hosts.judge(&hosts.all[0], kind("reader"), &greeting(false, true));
        assert_eq!(fit, Fit::Misfit(Misfit::ReadOnly));
        assert_eq!(order(&hosts, "reader"), ["b:1", "unix:/c:1", "a:1"]);
        assert_eq!(order(&hosts, "writer"), ["a:1", "b:1", "unix:/c:1"]);
        let asks = [
            (&b"user"[..], &b"writer"[..]),
            (b"options", b"-c default_transaction_read_only=on"),
        ];
        let asking = Kind::of(asks.into_iter());
        hosts.judge(&hosts.all[0], asking, &greeting(false, true));
        assert_eq!(order(&hosts, "writer"), ["a:1", "b:1", "unix:/c:1"]);
        let named = asks
            .into_iter()
            .chain([(&b"application_name"[..], &b"x"[..])]);
        assert_eq!(asking, Kind::of(named));
        for number in 0..2 * MOST_KINDS {
            let kind = kind(&number.to_string());
            hosts.judge(&hosts.all[0], kind, &greeting(false, true));
        }
        assert!(hosts.all[0].known().read_only.len() <= MOST_KINDS);
    }

    /// As is told by `/readyz`, `pgveil health` and the metrics.
    #[test]
    fn a_host_is_used_only_if_it_would_let_a_session_in() {
        let used = |hosts: &Hosts| hosts.used().map(|host| host.address.to_string());
        let everywhere = |target, greeting: &Greeting| {
            let hosts = hosts(target);
            assert_eq!(used(&hosts), None, "nobody has looked");
            for host in &hosts.all {
                reached(host);
                hosts.judge(host, kind("r"), greeting);
                age(host, 2 * limits::RETRY_INTERVAL);
            }
            hosts
        };
        let (standby, primary) = (greeting(true, false), greeting(false, false));
        let untold = Greeting {
            is_whole: true,
            ..Greeting::default()
        };
        for (target, told) in [
            (TargetSession::ReadWrite, &standby),
            (TargetSession::Primary, &standby),
            (TargetSession::Standby, &primary),
            (TargetSession::ReadOnly, &primary),
            (TargetSession::Primary, &untold),
        ] {
            let hosts = everywhere(target, told);
            assert_eq!(used(&hosts), None, "{target:?}");
            // Nobody may have been sent here since.
            age(&hosts.all[1], limits::MISFIT_FOR);
            assert_eq!(used(&hosts).as_deref(), Some("b:1"), "{target:?}");
        }
        // What one session asks for says nothing of others.
        let hosts = everywhere(TargetSession::ReadWrite, &greeting(false, true));
        assert_eq!(used(&hosts).as_deref(), Some("a:1"));
        hosts.all[0].falls_silent();
        hosts.all[1].rests();
        age(&hosts.all[1], 2 * limits::RETRY_INTERVAL);
        assert_eq!(used(&hosts).as_deref(), Some("unix:/c:1"));
        let hosts = everywhere(TargetSession::PreferStandby, &primary);
        assert_eq!(used(&hosts).as_deref(), Some("a:1"));
    }

    #[tokio::test]
    async fn one_login_finds_out_what_a_host_is_and_the_others_wait() {
        let hosts = hosts(TargetSession::Primary);
        let scout = hosts.scout(kind("r")).await.unwrap();
        let other = async {
            let began = Instant::now();
            assert!(hosts.scout(kind("r")).await.is_none());
            assert!(began.elapsed() < limits::SCOUT_PATIENCE);
            assert_eq!(order(&hosts, "r"), ["a:1", "b:1", "unix:/c:1"]);
        };
        let found = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            hosts.judge(&hosts.all[0], kind("r"), &greeting(false, false));
            drop(scout);
        };
        tokio::join!(other, found);
        assert!(hosts.scout(kind("r")).await.is_none());
    }

    #[test]
    fn a_standby_is_preferred_and_a_primary_never_left_out() {
        let hosts = hosts(TargetSession::PreferStandby);
        hosts.judge(&hosts.all[0], kind("r"), &greeting(false, false));
        assert_eq!(order(&hosts, "r"), ["b:1", "unix:/c:1", "a:1"]);
        hosts.judge(&hosts.all[2], kind("r"), &greeting(true, false));
        assert_eq!(order(&hosts, "r"), ["unix:/c:1", "b:1", "a:1"]);
    }

    #[test]
    fn a_reload_forgets_nothing_of_hosts_that_stay() {
        let (before, after) = (hosts(TargetSession::Standby), hosts(TargetSession::Standby));
        before.judge(&before.all[1], kind("r"), &greeting(true, false));
        after.inherit(&before);
        assert_eq!(order(&after, "r"), ["b:1", "a:1", "unix:/c:1"]);
    }
}
