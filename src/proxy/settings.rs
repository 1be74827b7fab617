//! A configuration in use: what every connection that starts under it shares. A reload makes a
//! new one for new connections; running ones keep theirs.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::time::timeout;
use tracing::warn;

use super::buffers::Buffers;
use super::cancels::Cancels;
use super::catalogs::{Catalogs, Movements};
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
use crate::audit::{Counters, Event};
use crate::config::{self, Address, Client, Config, IdDomain, StandIns};
use crate::session::{Analyse, Limits, Memory, Mode, Observations, Observer, Shared};
use crate::wire::frame::FrameLimits;

/// A configuration in use.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) config: Config,
    pub(super) shared: Arc<Shared>,
    /// What its sessions leave to be judged, if they are observed.
    pub(super) observations: Option<Arc<Observations>>,
    pub(super) catalogs: Catalogs,
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
        let domain = |domain: &IdDomain| (Arc::clone(&domain.codec), domain.annotation.clone());
        let domains: Vec<_> = config.domains.iter().map(domain).collect();
        let mut frames = FrameLimits::default();
        frames.large_bytes = frames.large_bytes.min(config.limits.max_message_bytes);
        let limits = Limits {
            frames,
            statements: config.limits.max_statements,
            portals: config.limits.max_portals,
            plan_cache_bytes: config.limits.plan_cache_bytes as u64,
            analysis_steps: config.limits.analysis_steps,
            pooled: config.upstream_pooled,
            catalog_max_age: config.limits.catalog_max_age,
        };
        let key_names: Vec<String> = config.keys.iter().map(|key| key.name.clone()).collect();
        let shared = Shared::new(domains, limits, Analyse::default(), Event::emit)
            .declaring(config.functions.clone())
            .notifying(config.channels.clone())
            .showing(config.policy.catalog)
            .deciding(config.decisions())
            .counting(Arc::clone(&lasting.counters), &key_names)
            .within(Arc::clone(&lasting.memory));
        let shared = Arc::new(shared);
        let observations = (config.policy.observes()).then(|| observe(&shared));
        let tls = Tls::new(&config)?;
        let configured = config.limits.memory_bytes;
        let memory = &lasting.memory;
        let hosts = Hosts::new(&config.upstream);
        memory.set_limit(configured.unwrap_or_else(super::memory::half));
        Ok(Self {
            tls,
            stand_ins: config.stand_ins.clone().unwrap_or(stand_ins),
            config,
            shared,
            observations,
            catalogs: Catalogs::beside(Arc::clone(&lasting.movements)),
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
        let client = Client {
            role: &request.user,
            database: &request.database,
            application: &request.application,
        };
        match self.config.policy.mode_of(client) {
            config::Mode::Bypass => Mode::Bypass,
            config::Mode::Enforce => Mode::Enforce,
            config::Mode::Audit => Mode::Audit,
            config::Mode::Observe => Mode::Observe,
        }
    }
}

/// Judges what sessions under `observe` have sent, on a thread of its own, as long as there are any.
fn observe(shared: &Arc<Shared>) -> Arc<Observations> {
    let observations: Arc<Observations> = Arc::default();
    let (watched, queue) = (Arc::downgrade(shared), Arc::clone(&observations));
    let judge = move || {
        // This thread alone: those that serve come first. If that can't be had, it can't.
        // Elsewhere it would be all threads.
        if cfg!(target_os = "linux") {
            let _ = rustix::process::setpriority_process(None, limits::OBSERVER_NICENESS);
        }
        let mut observer = Observer::default();
        while let Some(shared) = watched.upgrade() {
            observer.turn(&shared, &queue);
            drop(shared);
            thread::sleep(limits::OBSERVER_PAUSE);
        }
    };
    let spawned = thread::Builder::new()
        .name("observer".to_owned())
        .spawn(judge);
    if let Err(error) = spawned {
        warn!(%error, "there is no thread to judge what is observed");
    }
    observations
}
