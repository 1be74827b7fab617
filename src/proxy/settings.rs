//! A configuration in use: what every connection that starts under it shares. A reload makes a
//! new one for new connections; running ones keep theirs.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::buffers::Buffers;
use super::cancels::Cancels;
use super::catalogs::Movements;
use super::homes::Homes;
use super::hosts::{Host, Hosts};
use super::leg::Leg;
use super::limits;
use super::lookup::Lookups;
use super::reach::Attempt;
use super::roster::Roster;
use super::seats::Seats;
use super::startup::Request;
use super::strikes::Strikes;
use super::tls::Tls;
use super::upstream::{self, UpstreamError};
use super::view::{View, Views};
use crate::audit::Counters;
use crate::config::{self, Address, Client, Config, Holding, StandIns};
use crate::session::{Memory, Mode};

/// A configuration in use.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) config: Config,
    views: Views,
    homes: Arc<Homes>,
    pub(super) tls: Tls,
    pub(super) lookups: Lookups,
    pub(super) hosts: Hosts,
    /// Unknown roles get salts by it. A salt that changes gives them away: it is that of the
    /// current key, as in every replica, or outlives a reload where there is none.
    pub(super) stand_ins: Arc<StandIns>,
    pub(super) lasting: Lasting,
    /// The beginning of the sessions' clock.
    pub(super) since: Instant,
}

/// What outlives a configuration: there is one for the process.
#[derive(Debug, Clone, Default)]
pub(super) struct Lasting {
    /// What all sessions may hold; each configuration sets the limit.
    pub(super) memory: Arc<Memory>,
    /// What the sessions of all configurations tell of the databases.
    pub(super) movements: Arc<Movements>,
    /// What is counted.
    pub(super) counters: Arc<Counters>,
    /// The sessions that run.
    pub(super) roster: Roster,
    /// Where the sessions of all configurations are.
    pub(super) cancels: Arc<Cancels>,
    /// Those sessions, by what limits count.
    pub(super) seats: Arc<Seats>,
    /// From where logins have failed.
    pub(super) strikes: Arc<Strikes>,
}

impl Settings {
    /// Prepares a configuration for use; `stand_ins` is for one without keys.
    pub(super) fn new(
        config: Config,
        stand_ins: Arc<StandIns>,
        lasting: Lasting,
    ) -> Result<Self, rustls::Error> {
        // They are there before the first session.
        let key_names = config.key_names();
        for domain in &config.domains {
            let name = &domain.annotation.name;
            let _counted = lasting.counters.domain(name, &key_names);
        }
        let tls = Tls::new(&config)?;
        let configured = config.limits.memory_bytes;
        let memory = &lasting.memory;
        let hosts = Hosts::new(&config.upstream);
        memory.set_limit(configured.unwrap_or_else(super::memory::half));
        Ok(Self {
            tls,
            stand_ins: config.stand_ins.clone().unwrap_or(stand_ins),
            homes: Arc::new(Homes::new(&config.domains)),
            views: Views::default(),
            config,
            lasting,
            lookups: Lookups::default(),
            hosts,
            since: Instant::now(),
        })
    }

    /// Connects to a host as this attempt, and remembers how that went.
    pub(super) async fn connect(
        &self,
        host: &Host,
        attempt: &Attempt,
        within: Duration,
        buffers: Arc<Buffers>,
    ) -> Result<Leg, UpstreamError> {
        let began = Instant::now();
        let connected = self.connect_to(&host.address, within, buffers).await;
        self.hosts.learn(host, attempt, &connected);
        if connected.is_ok() {
            self.lasting.counters.connects.add(began.elapsed());
        }
        connected
    }

    /// How long connecting to a host may take, and TLS again as long.
    pub(super) fn connect_within(&self) -> Duration {
        match self.hosts.are_several() {
            true => limits::HOST_TIMEOUT,
            false => limits::CONNECT_TIMEOUT,
        }
    }

    /// Connects only to see whether a host answers.
    pub(super) async fn look(&self, host: &Host, attempt: &Attempt) {
        let within = self.connect_within();
        let connected = self.connect(host, attempt, within, Arc::default()).await;
        let mut server = match connected {
            Ok(server) => server,
            Err(error) if error.fault().is_some() => return host.falls_silent(),
            Err(_) => return,
        };
        // Where TLS was asked for, that was answered.
        let has_asked = self.tls.upstream.is_some() && !server.is_local();
        let answered =
            has_asked || timeout(within, upstream::answers(&mut server)).await == Ok(true);
        match answered {
            true => host.answers(),
            false => host.falls_silent(),
        }
    }

    /// Looks whether hosts that were down or gave no answer are back, if it is time: the login that
    /// has found another one does not wait for that.
    pub(super) fn revisit(self: &Arc<Self>) {
        if !self.hosts.are_several() {
            return;
        }
        for host in self.hosts.all() {
            let after = match (host.reach.is_down(), host.is_silent()) {
                (true, _) => limits::RETRY_INTERVAL,
                (_, true) => limits::PROBE_INTERVAL,
                _ => continue,
            };
            let Some(attempt) = host.reach.revisit(after) else {
                continue;
            };
            let (settings, address) = (Arc::clone(self), host.address.clone());
            tokio::spawn(async move {
                if let Some(host) = settings.hosts.at(&address) {
                    settings.look(host, &attempt).await;
                }
            });
        }
    }

    /// Connects to an address of Postgres.
    pub(super) async fn connect_to(
        &self,
        address: &Address,
        within: Duration,
        buffers: Arc<Buffers>,
    ) -> Result<Leg, UpstreamError> {
        let tls = self.tls.upstream.as_ref();
        upstream::connect(address, tls, within, buffers).await
    }

    /// What happens to the statements of a session.
    pub(super) fn mode(&self, request: &Request) -> Mode {
        match self.holding(request).mode {
            config::Mode::Bypass => Mode::Bypass,
            config::Mode::Enforce => Mode::Enforce,
            config::Mode::Audit => Mode::Audit,
            config::Mode::Observe => Mode::Observe,
        }
    }

    /// What a session shares with others.
    pub(super) fn view(&self, request: &Request) -> Arc<View> {
        let view = |scope: &_| View::new(&self.config.within(scope), &self.lasting, &self.homes);
        self.views.of(self.holding(request).scope, view)
    }

    fn holding(&self, request: &Request) -> Holding {
        self.config.holding(Client {
            role: &request.user,
            database: &request.database,
            application: &request.application,
        })
    }

    /// The databases of which there is a snapshot, with the time when that was last right, on the
    /// clock of the sessions.
    pub(super) fn verified(&self) -> BTreeMap<Box<[u8]>, Duration> {
        let views = self.views.all();
        greatest(views.iter().flat_map(|view| view.catalogs.verified()))
    }

    /// How many columns of keys nobody has decided on, by the names of the databases.
    pub(super) fn undecided(&self) -> BTreeMap<Box<[u8]>, usize> {
        let views = self.views.all();
        greatest(views.iter().flat_map(|view| view.catalogs.undecided()))
    }
}

/// The greatest value of each name: what is the same for all but a moment.
fn greatest<T: Ord>(of: impl Iterator<Item = (Box<[u8]>, T)>) -> BTreeMap<Box<[u8]>, T> {
    let mut greatest = BTreeMap::new();
    for (name, value) in of {
        match greatest.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(value);
            }
            Entry::Occupied(mut entry) if *entry.get() < value => {
                entry.insert(value);
            }
            Entry::Occupied(_) => {}
        }
    }
    greatest
}
