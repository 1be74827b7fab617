//! A configuration in use: what every connection that starts under it shares. A reload makes a
//! new one for new connections; running ones keep theirs.

use std::sync::Arc;
use std::time::Instant;

use super::catalogs::{Catalogs, Movements};
use super::lookup::Lookups;
use super::reach::Reach;
use super::tls::Tls;
use crate::audit::Event;
use crate::config::{self, Config, IdDomain, StandIns};
use crate::session::{Analyse, Limits, Memory, Mode, Shared};
use crate::wire::frame::FrameLimits;

/// A configuration in use.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) config: Config,
    pub(super) shared: Arc<Shared>,
    pub(super) catalogs: Catalogs,
    pub(super) tls: Tls,
    pub(super) lookups: Lookups,
    pub(super) reach: Reach,
    /// Unknown roles get salts by it. A salt that changes gives them away: it is that of the
    /// current key, as in every replica, or outlives a reload where there is none.
    pub(super) stand_ins: Arc<StandIns>,
    /// What all sessions may hold. It outlives a reload: there is one for the process.
    pub(super) memory: Arc<Memory>,
    /// The beginning of the sessions' clock.
    pub(super) since: Instant,
}

impl Settings {
    /// Prepares a configuration for use; `stand_ins` is for one without keys, `memory` the
    /// budget whose limit it sets, `movements` what the sessions of all configurations tell.
    pub(super) fn new(
        config: Config,
        stand_ins: Arc<StandIns>,
        memory: Arc<Memory>,
        movements: Arc<Movements>,
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
        let shared = Shared::new(domains, limits, Analyse::default(), Event::emit)
            .declaring(config.functions.clone())
            .notifying(config.channels.clone())
            .showing(config.policy.catalog)
            .within(Arc::clone(&memory));
        let tls = Tls::new(&config)?;
        let configured = config.limits.memory_bytes;
        memory.set_limit(configured.unwrap_or_else(super::memory::half));
        Ok(Self {
            tls,
            stand_ins: config.stand_ins.clone().unwrap_or(stand_ins),
            memory,
            config,
            shared: Arc::new(shared),
            catalogs: Catalogs::beside(movements),
            lookups: Lookups::default(),
            reach: Reach::default(),
            since: Instant::now(),
        })
    }

    /// Whether a role is inside the trust boundary.
    pub(super) fn bypasses(&self, role: &[u8]) -> bool {
        let roles = &self.config.policy.bypass_roles;
        roles.iter().any(|bypass| bypass.as_bytes() == role)
    }

    /// What happens to the statements of a role.
    pub(super) fn mode(&self, role: &[u8]) -> Mode {
        if self.bypasses(role) {
            return Mode::Bypass;
        }
        match self.config.policy.mode {
            config::Mode::Enforce => Mode::Enforce,
            config::Mode::Audit => Mode::Audit,
        }
    }
}
