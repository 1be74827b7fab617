//! How often each event happened. Not global: who makes the counters hands them on.

use std::sync::atomic::{AtomicU64, Ordering};

use super::event::{Action, Event};

/// Counts of events since the counters were made; shared by all sessions of a proxy.
#[derive(Debug, Default)]
pub struct Counters {
    sessions_started: AtomicU64,
    sessions_ended: AtomicU64,
    refusals: AtomicU64,
    tolerated: AtomicU64,
    disagreements: AtomicU64,
    errors_masked: AtomicU64,
    notices_masked: AtomicU64,
    sentinels: AtomicU64,
    catalog_loads: AtomicU64,
}

/// The counts at one moment. Events that happen meanwhile may be in some and not in others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Sessions that reached Postgres and were authenticated.
    pub sessions_started: u64,
    /// Those of them that have ended.
    pub sessions_ended: u64,
    /// Statements and values refused.
    pub refusals: u64,
    /// Statements that would have been refused, but were passed on in audit mode.
    pub tolerated: u64,
    /// Result columns on which analysis and server disagreed.
    pub disagreements: u64,
    /// Errors whose text was masked or dropped.
    pub errors_masked: u64,
    /// Notices whose text was masked or dropped.
    pub notices_masked: u64,
    /// Results that held a key which the proxy never shows.
    pub sentinels: u64,
    /// Catalogs loaded.
    pub catalog_loads: u64,
}

impl Totals {
    /// Sessions that are open now.
    #[must_use]
    pub const fn sessions_open(&self) -> u64 {
        self.sessions_started.saturating_sub(self.sessions_ended)
    }
}

impl Counters {
    /// The counts so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        // Counters order nothing else in memory, so relaxed access is enough. Ends are read
        // before starts: a session that ends in between must not make the difference negative.
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let sessions_ended = read(&self.sessions_ended);
        Totals {
            sessions_started: read(&self.sessions_started),
            sessions_ended,
            refusals: read(&self.refusals),
            tolerated: read(&self.tolerated),
            disagreements: read(&self.disagreements),
            errors_masked: read(&self.errors_masked),
            notices_masked: read(&self.notices_masked),
            sentinels: read(&self.sentinels),
            catalog_loads: read(&self.catalog_loads),
        }
    }

    pub(super) fn count(&self, event: &Event) {
        let counter = match event {
            Event::SessionStart { .. } => &self.sessions_started,
            Event::SessionEnd { .. } => &self.sessions_ended,
            Event::Refusal {
                action: Action::Refused,
                ..
            } => &self.refusals,
            Event::Refusal {
                action: Action::PassedOn,
                ..
            } => &self.tolerated,
            Event::Disagreement { .. } => &self.disagreements,
            Event::ErrorMasked { .. } => &self.errors_masked,
            Event::NoticeMasked { .. } => &self.notices_masked,
            Event::Sentinel { .. } => &self.sentinels,
            Event::CatalogLoaded { .. } => &self.catalog_loads,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}
