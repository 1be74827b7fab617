//! The hosts of Postgres: what each has told of itself, and in which order a login tries them. What
//! a host is becomes known by logins alone, as Postgres tells it behind the authentication.
//!
//! Two things are told, and they are not the same for everybody. Whether a host is a standby is a
//! property of the host. Whether its sessions only read may be a setting of the role, which that role
//! can change by itself, or that a client asks for: so it counts for later logins of that role alone,
//! and nobody closes a host to others.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::BytesMut;
use tokio::time::Instant;

use super::limits;
use super::reach::{Attempt, Reach};
use super::upstream::UpstreamError;
use crate::config::{Address, TargetSession, Upstream};

/// The hosts, in the order of the configuration.
#[derive(Debug)]
pub(super) struct Hosts {
    all: Vec<Host>,
    pub(super) target: TargetSession,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) address: Address,
    pub(super) reach: Reach,
    known: Mutex<Known>,
}

/// What a host has told.
#[derive(Debug, Default)]
struct Known {
    /// Whether it is a standby, and when it said so last.
    standby: Option<(bool, Instant)>,
    /// Whether sessions of a role only read, by the name of the role.
    read_only: HashMap<Box<[u8]>, (bool, Instant)>,
    /// When it last took no sessions (57P03).
    resting: Option<Instant>,
}

/// So many roles are remembered of a host. When there are more, all are forgotten.
const MOST_ROLES: usize = 1000;

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
    /// It was something else, some time ago or as is not preferred.
    Doubtful,
    /// It has just said that it takes nobody.
    Resting,
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

    /// The hosts that a login of a role may try, the likeliest first. One that has just shown to be
    /// something else is left out.
    pub(super) fn candidates(&self, role: &[u8]) -> Vec<&Host> {
        let ranked = self.all.iter();
        let ranked = ranked.filter_map(|host| Some((host.rank(self.target, role)?, host)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, host)| host).collect()
    }

    /// Judges whether a session may be on this host, and remembers what it said.
    pub(super) fn judge(&self, host: &Host, role: &[u8], greeting: &Greeting) -> Fit {
        host.learn(role, greeting);
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

    /// Takes how an attempt ended. One that could not be reached may come back as something else, and
    /// whatever the others were, one of them may have taken its place.
    pub(super) fn learn<T>(
        &self,
        host: &Host,
        attempt: &Attempt,
        result: &Result<T, UpstreamError>,
    ) {
        if host.reach.learn(attempt, result) {
            for host in &self.all {
                host.forget();
            }
        }
    }

    /// Whether no host can be reached.
    pub(super) fn are_down(&self) -> bool {
        self.all.iter().all(|host| host.reach.is_down())
    }

    /// Whether what is known is too old, or too bad, to be told to a client that pgveil would
    /// ask for its password before it connects.
    pub(super) fn are_doubtful(&self, role: &[u8]) -> bool {
        let candidates = self.candidates(role);
        candidates
            .first()
            .is_none_or(|host| host.reach.is_doubtful())
    }

    /// The host where the next session would be first, as far as is known.
    pub(super) fn used(&self) -> Option<&Host> {
        let mut candidates = self.candidates(b"").into_iter();
        candidates.find(|host| host.reach.usable().is_some())
    }

    /// What is known of each.
    pub(super) fn states(&self) -> Vec<HostState> {
        let used = self.used().map(|host| &host.address);
        let state = |(place, host): (usize, &Host)| HostState {
            number: place + 1,
            address: host.address.clone(),
            is_up: (host.reach.usable()).is_some_and(|at| at.elapsed() < limits::READY_FOR),
            is_standby: host.known().standby.map(|(standby, _)| standby),
            is_used: used == Some(&host.address),
        };
        self.all.iter().enumerate().map(state).collect()
    }
}

impl Host {
    /// How early it is tried; `None` if it has just shown to be something else.
    fn rank(&self, target: TargetSession, role: &[u8]) -> Option<Rank> {
        let known = self.known();
        let is_fresh = |at: Instant| at.elapsed() < limits::RETRY_INTERVAL;
        if known.resting.is_some_and(is_fresh) {
            return Some(Rank::Resting);
        }
        let read_only = known.read_only.get(role).copied();
        let told = match (target, known.standby, read_only) {
            (TargetSession::Any, ..) => None,
            (TargetSession::Primary, Some((standby, at)), _)
            | (TargetSession::ReadWrite, Some((standby @ true, at)), _) => Some((!standby, at)),
            (TargetSession::ReadWrite, Some((false, _)), Some((read_only, at))) => {
                Some((!read_only, at))
            }
            (TargetSession::ReadWrite, Some((false, at)), None) => Some((true, at)),
            (TargetSession::Standby | TargetSession::PreferStandby, standby, _) => standby,
            (TargetSession::ReadOnly, Some((true, at)), _) => Some((true, at)),
            (TargetSession::ReadOnly, _, read_only) => read_only,
            (TargetSession::Primary | TargetSession::ReadWrite, None, _) => None,
        };
        match told {
            Some((true, _)) => Some(Rank::Fit),
            None => Some(Rank::Unknown),
            Some((false, at)) if target != TargetSession::PreferStandby && is_fresh(at) => None,
            Some((false, _)) => Some(Rank::Doubtful),
        }
    }

    fn learn(&self, role: &[u8], greeting: &Greeting) {
        let mut known = self.known();
        let now = Instant::now();
        known.resting = None;
        if let Some(standby) = greeting.standby {
            known.standby = Some((standby, now));
        }
        if let Some(read_only) = greeting.read_only {
            if known.read_only.len() >= MOST_ROLES && !known.read_only.contains_key(role) {
                known.read_only.clear();
            }
            known.read_only.insert(role.into(), (read_only, now));
        }
    }

    /// It takes no sessions now.
    pub(super) fn rests(&self) {
        let mut known = self.known();
        *known = Known {
            resting: Some(Instant::now()),
            ..Known::default()
        };
    }

    fn forget(&self) {
        let mut known = self.known();
        known.standby = None;
        known.read_only.clear();
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
        }
    }

    fn order(hosts: &Hosts, role: &[u8]) -> Vec<String> {
        let candidates = hosts.candidates(role).into_iter();
        candidates.map(|host| host.address.to_string()).collect()
    }

    fn greeting(standby: bool, read_only: bool) -> Greeting {
        Greeting {
            standby: Some(standby),
            read_only: Some(read_only),
            ..Greeting::default()
        }
    }

    /// Lets the time pass after which a host of which is known what it was is tried again.
    fn age(host: &Host) {
        let mut known = host.known();
        let past = |at: &mut Instant| *at = at.checked_sub(2 * limits::RETRY_INTERVAL).unwrap();
        known.standby.iter_mut().for_each(|(_, at)| past(at));
        known.read_only.values_mut().for_each(|(_, at)| past(at));
        known.resting.iter_mut().for_each(past);
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
                    hosts.judge(&hosts.all[0], b"r", &greeting),
                    fit,
                    "{target:?}"
                );
            }
            let hosts = hosts(target);
            let untold = hosts.judge(&hosts.all[0], b"r", &Greeting::default());
            let lenient = [TargetSession::Any, TargetSession::PreferStandby];
            let misfit = Fit::Misfit(Misfit::Untold);
            assert_eq!(untold == misfit, !lenient.contains(&target), "{target:?}");
        }
    }

    #[test]
    fn the_host_that_fits_comes_first_and_one_that_does_not_later_again() {
        let hosts = hosts(TargetSession::ReadWrite);
        assert_eq!(order(&hosts, b"r"), ["a:1", "b:1", "unix:/c:1"]);
        hosts.judge(&hosts.all[0], b"r", &greeting(true, false));
        assert_eq!(order(&hosts, b"r"), ["b:1", "unix:/c:1"]);
        hosts.judge(&hosts.all[2], b"r", &greeting(false, false));
        assert_eq!(order(&hosts, b"r"), ["unix:/c:1", "b:1"]);
        age(&hosts.all[0]);
        age(&hosts.all[2]);
        assert_eq!(order(&hosts, b"r"), ["unix:/c:1", "b:1", "a:1"]);
        hosts.all[2].rests();
        assert_eq!(order(&hosts, b"r"), ["b:1", "a:1", "unix:/c:1"]);
    }

    #[test]
    fn all_are_candidates_when_one_is_gone() {
        let hosts = hosts(TargetSession::Primary);
        hosts.judge(&hosts.all[0], b"r", &greeting(false, false));
        hosts.judge(&hosts.all[1], b"r", &greeting(true, false));
        assert_eq!(order(&hosts, b"r"), ["a:1", "unix:/c:1"]);
        let attempt = hosts.all[0].reach.attempt().unwrap();
        let gone = Err(UpstreamError::Unreachable(
            std::io::ErrorKind::ConnectionRefused.into(),
        ));
        hosts.learn::<()>(&hosts.all[0], &attempt, &gone);
        assert_eq!(order(&hosts, b"r"), ["a:1", "b:1", "unix:/c:1"]);
        // The next failure tells nothing new.
        hosts.judge(&hosts.all[1], b"r", &greeting(true, false));
        hosts.learn::<()>(&hosts.all[0], &attempt, &gone);
        assert_eq!(order(&hosts, b"r"), ["a:1", "unix:/c:1"]);
    }

    #[test]
    fn what_one_role_is_set_to_closes_no_host_to_others() {
        let hosts = hosts(TargetSession::ReadWrite);
        let fit = hosts.judge(&hosts.all[0], b"reader", &greeting(false, true));
        assert_eq!(fit, Fit::Misfit(Misfit::ReadOnly));
        assert_eq!(order(&hosts, b"reader"), ["b:1", "unix:/c:1"]);
        assert_eq!(order(&hosts, b"writer"), ["a:1", "b:1", "unix:/c:1"]);
        for number in 0..2 * MOST_ROLES {
            let role = number.to_string();
            hosts.judge(&hosts.all[0], role.as_bytes(), &greeting(false, true));
        }
        assert!(hosts.all[0].known().read_only.len() <= MOST_ROLES);
    }

    #[test]
    fn a_standby_is_preferred_and_a_primary_never_left_out() {
        let hosts = hosts(TargetSession::PreferStandby);
        hosts.judge(&hosts.all[0], b"r", &greeting(false, false));
        assert_eq!(order(&hosts, b"r"), ["b:1", "unix:/c:1", "a:1"]);
        hosts.judge(&hosts.all[2], b"r", &greeting(true, false));
        assert_eq!(order(&hosts, b"r"), ["unix:/c:1", "b:1", "a:1"]);
    }

    #[test]
    fn a_reload_forgets_nothing_of_hosts_that_stay() {
        let (before, after) = (hosts(TargetSession::Standby), hosts(TargetSession::Standby));
        before.judge(&before.all[1], b"r", &greeting(true, false));
        after.inherit(&before);
        assert_eq!(order(&after, b"r"), ["b:1", "a:1", "unix:/c:1"]);
    }
}
