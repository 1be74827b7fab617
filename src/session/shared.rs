//! What the sessions of one configuration have in common.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::mask::KeyTypes;
use super::memory::Memory;
use super::moves::Mark;
use super::plans::{Analysis, Lookup, Plans};
use super::stage::{HEAVY_RELATIONS, Stage};
use crate::audit::{Counters, DomainCounts, Event};
use crate::catalog::{
    CatalogShows, ChannelAnnotation, Decisions, FunctionAnnotation, IdAnnotation, Loader, NewKeys,
    Snapshot, Told, Version,
};
use crate::codec::Codec;
use crate::sql::{Context, Normalized, Script};
use crate::wire::frame::FrameLimits;

/// How a text is analysed: by [`crate::sql`], but in tests.
#[derive(Debug, Clone, Copy)]
pub struct Analyzer {
    /// The analysis.
    pub script: fn(&[u8], &Context<'_>) -> Script,
    /// Whether a text is one statement that is forwarded as it is, because nothing that it reaches
    /// is protected. If not, the analysis decides.
    pub is_clean: fn(&[u8], &Context<'_>) -> bool,
    /// Takes out the literals of a text; the analysis of the rest is that of all texts that differ
    /// in nothing else.
    pub blank: for<'t> fn(&'t [u8], &Context<'_>) -> Option<Normalized<'t>>,
    /// Called when a stage begins; does nothing.
    pub reach: fn(Stage),
}

impl Default for Analyzer {
    fn default() -> Self {
        Self {
            script: crate::sql::analyse,
            is_clean: crate::sql::is_clean_at_a_glance,
            blank: crate::sql::blank,
            reach: |_| (),
        }
    }
}

/// What a session does with the statements of its client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Ids are translated; what could show a key is refused.
    Enforce,
    /// Ids are translated; what could show a key is passed on and reported.
    Audit,
    /// Everything passes as it is; what would become of it is judged behind that.
    Observe,
    /// Everything passes as it is: the role is inside the trust boundary.
    Bypass,
}

impl Mode {
    /// The name, as the configuration and the log have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Audit => "audit",
            Self::Observe => "observe",
            Self::Bypass => "bypass",
        }
    }
}

/// The bounds of a session.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The sizes of messages from clients.
    pub frames: FrameLimits,
    /// Named prepared statements of one session.
    pub statements: usize,
    /// Named portals of one session.
    pub portals: usize,
    /// Whether the server's session is another one in each transaction, so that nothing may be left
    /// in it.
    pub pooled: bool,
    /// The memory that analysed statements may take, shared by all sessions, in bytes.
    pub plan_cache_bytes: u64,
    /// How many steps the analysis of one text may take; see [`crate::sql::DEFAULT_STEPS`].
    pub analysis_steps: usize,
    /// How long a snapshot of the database is trusted without a look at the database. What others
    /// change meanwhile, and no name or origin gives away, is not seen. Zero: not at all.
    pub catalog_max_age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frames: FrameLimits::default(),
            statements: 10_000,
            portals: 10_000,
            pooled: false,
            plan_cache_bytes: 64 << 20,
            analysis_steps: crate::sql::DEFAULT_STEPS,
            catalog_max_age: Duration::from_secs(60),
        }
    }
}

/// Tells the snapshots of one [`Shared`] apart, of all databases together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Epoch(u64);

impl Epoch {
    /// The number.
    pub(super) const fn number(self) -> u64 {
        self.0
    }
}

/// A snapshot of a database with its number; from [`Shared::number`].
#[derive(Debug)]
pub struct Catalog {
    /// The snapshot.
    pub snapshot: Arc<Snapshot>,
    /// Its number.
    pub epoch: Epoch,
    /// The types that its keys have.
    pub(super) stored: KeyTypes,
    /// Equal for snapshots of the same state of a database.
    pub(super) fingerprint: u64,
    /// The version of the database's catalogs that it shows and what they have told, if all of it
    /// is there for others to see.
    known: Mutex<Option<(Version, Arc<Told>)>>,
    /// Definitions are missing in it, because they could not be read.
    unanalysed: bool,
    /// The server has shown something that is not in it.
    stale: AtomicBool,
    /// When it was last known to be right, in microseconds on the clock of the sessions.
    verified_us: AtomicU64,
    /// How often the database may have changed when it was: see [`super::Moves`].
    moves: AtomicU64,
    /// How often the database may have changed when the snapshot was last known to be right while no
    /// change was under way.
    settled: AtomicU64,
    /// The number of the last question that has shown that it is right.
    looked: AtomicU64,
    /// When a session last set out to verify it.
    claimed_ms: AtomicU64,
}

/// For so long after one session has set out to verify a snapshot, the others don't.
const VERIFYING_MS: u64 = 1000;

impl Catalog {
    /// Whether the server has shown something that is not in the snapshot, so that a new session
    /// should load it anew.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed)
    }

    /// Whether definitions are missing in it, because they could not be read.
    pub(super) const fn is_unread(&self) -> bool {
        self.unanalysed
    }

    /// Whether it is known to have been right less than so long before a time on the clock of the
    /// sessions.
    #[must_use]
    pub fn is_younger(&self, age: Duration, at: Duration) -> bool {
        at.saturating_sub(self.verified_at()) < age
    }

    /// Since when it is known to be right, on the clock of the sessions: when the last look at the
    /// database that says so began.
    #[must_use]
    pub fn verified_at(&self) -> Duration {
        Duration::from_micros(self.verified_us.load(Ordering::Relaxed))
    }

    /// Whether it tells of a later state of the database than another one.
    #[must_use]
    pub fn is_newer_than(&self, other: &Self) -> bool {
        (self.verified_at(), self.epoch) > (other.verified_at(), other.epoch)
    }

    /// Whether going through its relations takes its time.
    pub(super) fn is_large(&self) -> bool {
        self.snapshot.relations().nth(HEAVY_RELATIONS).is_some()
    }

    /// Whether the session that asks has to verify the snapshot.
    pub(super) fn is_due(&self, at: Duration, max_age: Duration) -> bool {
        if max_age.is_zero() || self.is_stale() {
            return true;
        }
        let now = milliseconds(at);
        if self.is_younger(max_age, at) {
            return false;
        }
        let claimed = self.claimed_ms.load(Ordering::Relaxed);
        let free = claimed == 0 || now.saturating_sub(claimed) >= VERIFYING_MS;
        let claim = || {
            self.claimed_ms
                .compare_exchange(claimed, now.max(1), Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        };
        free && claim()
    }

    /// The version of the catalogs that it shows, if it can be verified by that.
    pub(super) fn version(&self) -> Option<Version> {
        let (version, told) = self.known()?;
        (!self.is_stale() && !told.has_unread()).then_some(version)
    }

    /// The version of the catalogs that it shows, and what they have told.
    pub(super) fn known(&self) -> Option<(Version, Arc<Told>)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    /// Which database of which server it is of, if that is known ([`Version::identity`]).
    #[must_use]
    pub fn identity(&self) -> Option<Arc<str>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (version, _) = known.as_ref()?;
        Some(Arc::clone(version.identity()))
    }

    /// Whether it is of another server's database than the one that is called so.
    pub(super) fn is_of_another(&self, identity: Option<&Arc<str>>) -> bool {
        let known = self.identity();
        known.is_some_and(|known| identity.is_some_and(|identity| known != *identity))
    }

    /// Records the version of the catalogs with which the snapshot was loaded, and what they told.
    pub(super) fn set_known(&self, version: Option<Version>, told: Arc<Told>) {
        let known = version.map(|version| (version, told));
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// Records the version with which the snapshot was found to be right.
    pub(super) fn set_version(&self, version: Version) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, _)) = &mut *known {
            *known = version;
        }
    }

    /// Whether the database may have changed since the snapshot was known to be right.
    pub(super) fn has_moved(&self, count: u64) -> bool {
        self.moves.load(Ordering::Acquire) != count
    }

    /// How often the database may have changed when the snapshot was right for certain: as long as
    /// it is that often, it still is.
    pub(super) fn settled(&self) -> u64 {
        self.settled.load(Ordering::Acquire)
    }

    /// How often it had changed when the last question was asked that has shown that the snapshot is
    /// right; what was under way then may have come about behind it.
    pub(super) fn counted(&self) -> u64 {
        self.moves.load(Ordering::Acquire)
    }

    /// The number of the last question that has shown that it is right.
    pub(super) fn looked(&self) -> u64 {
        self.looked.load(Ordering::Acquire)
    }

    /// Records that the snapshot was right at this time, when the database may have changed so
    /// often.
    pub(super) fn verify(&self, (at, mark): (Duration, Mark)) {
        self.moves.fetch_max(mark.count, Ordering::AcqRel);
        self.looked.fetch_max(mark.look, Ordering::AcqRel);
        if mark.settled {
            self.settled.fetch_max(mark.count, Ordering::AcqRel);
        }
        self.verified_us
            .fetch_max(microseconds(at), Ordering::Relaxed);
    }

    pub(super) fn mark_stale(&self) {
        self.stale.store(true, Ordering::Relaxed);
    }
}

/// What a session that loads a snapshot may know already.
#[derive(Debug, Clone)]
pub enum Earlier {
    /// Nothing is known.
    Unknown,
    /// A snapshot that has become too old.
    Here(Arc<Catalog>),
    /// A snapshot of a database of the same name on another server, which may be what this one was
    /// before it was started again, or stood by for.
    Elsewhere(Arc<Catalog>),
}

impl Earlier {
    /// The snapshot of this database, if there is one.
    #[must_use]
    pub const fn here(&self) -> Option<&Arc<Catalog>> {
        match self {
            Self::Here(catalog) => Some(catalog),
            Self::Unknown | Self::Elsewhere(_) => None,
        }
    }

    /// What is known already for a database of which it is known by now that it is another one.
    pub(super) fn elsewhere(self) -> Self {
        match self {
            Self::Here(catalog) | Self::Elsewhere(catalog) => Self::Elsewhere(catalog),
            Self::Unknown => Self::Unknown,
        }
    }

    /// Tells what it knows.
    pub(super) fn remind(&self, loader: Loader) -> Loader {
        match self {
            Self::Unknown => loader,
            Self::Here(catalog) => loader.after(&catalog.snapshot),
            Self::Elsewhere(catalog) => loader.recalling(Arc::clone(&catalog.snapshot)),
        }
    }
}

/// What the sessions of one configuration have in common.
#[derive(Debug)]
pub struct Shared {
    pub(super) codecs: Arc<[Arc<Codec>]>,
    /// How many nanoseconds an id takes by the slowest of them.
    pub(super) slowest: u64,
    pub(super) annotations: Arc<[IdAnnotation]>,
    functions: Arc<[FunctionAnnotation]>,
    channels: Arc<[ChannelAnnotation]>,
    catalog: CatalogShows,
    decisions: Decisions,
    pub(super) limits: Limits,
    pub(super) plans: Plans,
    /// Stands for statements that were not prepared in the sight of a session.
    pub(super) unknown: Arc<Analysis>,
    /// Stands for simple queries that are clean at a glance.
    pub(super) clean: Arc<Analysis>,
    /// What all sessions together may hold back.
    pub(super) memory: Arc<Memory>,
    /// What is counted.
    pub(super) counters: Arc<Counters>,
    /// What is counted of each domain, at its position.
    pub(super) domain_counts: Arc<[DomainCounts]>,
    pub(super) report: fn(Event),
    reach: fn(Stage),
    epochs: AtomicU64,
}

impl Shared {
    /// Takes the id domains of the configuration, codec and annotation at the same position,
    /// and where events go.
    #[must_use]
    pub fn new(
        domains: impl IntoIterator<Item = (Arc<Codec>, IdAnnotation)>,
        limits: Limits,
        analyse: Analyzer,
        report: fn(Event),
    ) -> Self {
        let (codecs, annotations): (Vec<_>, Vec<_>) = domains.into_iter().unzip();
        let plans = Plans::new(analyse, limits.plan_cache_bytes).within(limits.analysis_steps);
        let costs = codecs.iter().map(|codec| codec.nanoseconds());
        Self {
            slowest: costs.max().unwrap_or_default(),
            codecs: codecs.into(),
            annotations: annotations.into(),
            functions: Arc::from([]),
            channels: Arc::from([]),
            catalog: CatalogShows::default(),
            decisions: Decisions::default(),
            plans,
            counters: Arc::default(),
            domain_counts: Arc::from([]),
            unknown: Arc::new(Analysis::unknown()),
            clean: Arc::new(Analysis::unknown()),
            limits,
            memory: Arc::default(),
            report,
            reach: analyse.reach,
            epochs: AtomicU64::new(0),
        }
    }

    /// Adds what the configuration says of functions.
    #[must_use]
    pub fn declaring(mut self, functions: Arc<[FunctionAnnotation]>) -> Self {
        self.functions = functions;
        self
    }

    /// Bounds what its sessions hold back, together with all others that have this budget. Without
    /// that, nothing does.
    #[must_use]
    pub fn within(mut self, memory: Arc<Memory>) -> Self {
        self.memory = memory;
        self
    }

    /// Adds which channels carry ids.
    #[must_use]
    pub fn notifying(mut self, channels: Arc<[ChannelAnnotation]>) -> Self {
        self.channels = channels;
        self
    }

    /// Says what catalogs say of columns of keys.
    #[must_use]
    pub fn showing(mut self, catalog: CatalogShows) -> Self {
        self.catalog = catalog;
        self
    }

    /// Adds what is decided of columns without annotation.
    #[must_use]
    pub fn deciding(mut self, decisions: Decisions) -> Self {
        self.decisions = decisions;
        self
    }

    /// Says where its sessions count what they do; `keys` are the names of the keys of the ring, the
    /// current one first.
    #[must_use]
    pub fn counting(mut self, counters: Arc<Counters>, keys: &[String]) -> Self {
        let domain = |annotation: &IdAnnotation| counters.domain(&annotation.name, keys);
        self.domain_counts = self.annotations.iter().map(domain).collect();
        self.plans = self.plans.counting(Arc::clone(&counters));
        self.counters = counters;
        self
    }

    /// Whether there is anything that a change of the database could concern.
    pub(super) fn annotates(&self) -> bool {
        !self.annotations.is_empty() || self.decisions.new_keys == NewKeys::Refuse
    }

    /// Takes what a database says about itself.
    pub(super) fn loader(&self) -> Loader {
        Loader::new(Arc::clone(&self.annotations))
            .declaring(Arc::clone(&self.functions))
            .notifying(Arc::clone(&self.channels))
            .showing(self.catalog)
            .deciding(self.decisions.clone())
    }

    /// The analysis of a text. A fault in it refuses the text and does no more.
    pub(super) fn analysis(&self, catalog: &Catalog, lookup: Lookup<'_>) -> Arc<Analysis> {
        self.analyse(|plans| plans.get(catalog, lookup))
            .unwrap_or_else(|| Arc::new(Analysis::faulty(lookup)))
    }

    /// The analysis of a text if it is there or takes little, with `known` only if it is there;
    /// else `None`.
    pub(super) fn light_analysis(
        &self,
        catalog: &Catalog,
        lookup: Lookup<'_>,
        known: bool,
    ) -> Option<Arc<Analysis>> {
        let found = self.analyse(|plans| match known {
            true => plans.known(lookup),
            false => plans.get_light(catalog, lookup),
        });
        found.unwrap_or_else(|| Some(Arc::new(Analysis::faulty(lookup))))
    }

    /// Looks up or makes an analysis; `None` if there was a fault in it.
    fn analyse<T>(&self, look_up: impl FnOnce(&Plans) -> T) -> Option<T> {
        // The cache holds whole analyses or none.
        let found = panic::catch_unwind(AssertUnwindSafe(|| {
            self.reach(Stage::Analysis);
            look_up(&self.plans)
        }));
        if found.is_err() {
            self.counters.faults.add(1);
            (self.report)(Event::Fault {
                stage: Stage::Analysis.as_str(),
            });
        }
        found.ok()
    }

    /// The analysis of a text that needs none, or one that has been made.
    pub(super) fn at_a_glance(
        &self,
        catalog: &Catalog,
        lookup: Lookup<'_>,
    ) -> Option<Arc<Analysis>> {
        let found = || self.plans.at_a_glance(catalog, lookup);
        panic::catch_unwind(AssertUnwindSafe(found)).unwrap_or_default()
    }

    /// Whether a text needs no analysis.
    pub(super) fn is_clean(&self, catalog: &Catalog, lookup: Lookup<'_>) -> bool {
        let clean = || self.plans.is_clean(catalog, lookup);
        // The analysis decides, and tells of the fault if it meets it, too.
        panic::catch_unwind(AssertUnwindSafe(clean)).unwrap_or(false)
    }

    /// To be called when a stage begins.
    pub(super) fn reach(&self, stage: Stage) {
        (self.reach)(stage);
    }

    /// Gives a snapshot its number.
    #[must_use]
    pub fn number(&self, snapshot: Snapshot) -> Arc<Catalog> {
        self.number_at(snapshot, Duration::ZERO)
    }

    /// Gives a number to a snapshot that was asked for at a time on the clock of the sessions.
    #[must_use]
    pub fn number_at(&self, snapshot: Snapshot, asked_at: Duration) -> Arc<Catalog> {
        self.numbered(snapshot, 0, asked_at)
    }

    /// Numbers a snapshot that was asked for at a time on the clock of the sessions.
    pub(super) fn numbered(
        &self,
        snapshot: Snapshot,
        fingerprint: u64,
        asked_at: Duration,
    ) -> Arc<Catalog> {
        Arc::new(Catalog {
            stored: KeyTypes::of(&snapshot),
            fingerprint,
            known: Mutex::new(None),
            unanalysed: snapshot.has_unread(),
            stale: AtomicBool::new(false),
            verified_us: AtomicU64::new(microseconds(asked_at)),
            moves: AtomicU64::new(0),
            settled: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            claimed_ms: AtomicU64::new(0),
            snapshot: Arc::new(snapshot),
            epoch: Epoch(self.epochs.fetch_add(1, Ordering::Relaxed)),
        })
    }
}

fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lets_one_session_verify_a_snapshot_that_has_come_of_age() {
        let shared = Shared::new([], Limits::default(), Analyzer::default(), |_| ());
        let seconds = Duration::from_secs;
        let catalog = shared.numbered(Snapshot::default(), 0, seconds(10));
        let is_due = |now: Duration| catalog.is_due(now, seconds(60));
        assert!(!is_due(seconds(69)));
        assert!(is_due(seconds(70)));
        assert!(!is_due(seconds(70)), "another one does");
        assert!(is_due(seconds(71)), "which takes too long");
        catalog.verify((seconds(71), Mark::default()));
        assert!(!is_due(seconds(130)) && is_due(seconds(131)));
        assert!(catalog.is_due(seconds(131), Duration::ZERO));
    }
}
