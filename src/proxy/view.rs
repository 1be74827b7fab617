//! What sessions share for which the same id domains hold. For whom fewer hold, the same database is
//! another one: other columns have ids, so its snapshots and plans are others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use tracing::warn;

use super::catalogs::Catalogs;
use super::homes::Homes;
use super::limits;
use super::settings::Lasting;
use crate::audit::Event;
use crate::config::{Config, IdDomain, Scope};
use crate::session::{Analyzer, Limits, Observations, Observer, Shared};
use crate::wire::frame::FrameLimits;

/// What the sessions of a scope share.
#[derive(Debug)]
pub(super) struct View {
    pub(super) shared: Arc<Shared>,
    pub(super) catalogs: Catalogs,
    /// What they leave to be judged, once one of them is observed.
    observations: OnceLock<Arc<Observations>>,
    observes: bool,
}

/// The views of a configuration, each from its first session on. There are as many as rules make.
#[derive(Debug, Default)]
pub(super) struct Views(Mutex<HashMap<Scope, Arc<View>>>);

impl Views {
    /// The one of a scope.
    pub(super) fn of(&self, scope: Scope, make: impl FnOnce(&Scope) -> View) -> Arc<View> {
        let mut views = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(&scope) {
            return Arc::clone(view);
        }
        let view = Arc::new(make(&scope));
        views.insert(scope, Arc::clone(&view));
        view
    }

    pub(super) fn all(&self) -> Vec<Arc<View>> {
        let views = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        views.values().cloned().collect()
    }
}

impl View {
    /// What the sessions share for which this configuration holds, as it is within their scope.
    pub(super) fn new(config: &Config, lasting: &Lasting, homes: &Arc<Homes>) -> Self {
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
        let shared = Shared::new(domains, limits, Analyzer::default(), Event::emit)
            .declaring(config.functions.clone())
            .notifying(config.channels.clone())
            .showing(config.policy.catalog)
            .deciding(config.decisions())
            .counting(Arc::clone(&lasting.counters), &config.key_names())
            .within(Arc::clone(&lasting.memory));
        Self {
            shared: Arc::new(shared),
            catalogs: Catalogs::beside(Arc::clone(&lasting.movements), Arc::clone(homes)),
            observations: OnceLock::new(),
            observes: config.policy.observes(),
        }
    }

    /// Where its sessions leave what is to be judged, if anybody is observed.
    pub(super) fn observations(&self) -> Option<&Arc<Observations>> {
        let begin = || observe(&self.shared);
        self.observes.then(|| self.observations.get_or_init(begin))
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
