//! What the sessions of one configuration have in common.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::plans::{Analysis, Plans};
use crate::catalog::{DomainId, IdAnnotation, Snapshot};
use crate::codec::IdCodec;
use crate::sql::refusal::Code;
use crate::sql::{Context, Script};
use crate::wire::frame::FrameLimits;

/// How a text is analysed; [`crate::sql::analyse`] but in tests.
pub type Analyse = fn(&[u8], &Context<'_>) -> Script;

/// What a session does with the statements of its client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Ids are translated; what could show a key is refused.
    Enforce,
    /// Ids are translated; what could show a key is passed on and reported.
    Audit,
    /// Everything passes as it is: the role is inside the trust boundary.
    Bypass,
}

/// The bounds of a session.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The sizes of messages from clients.
    pub frames: FrameLimits,
    /// The memory that analysed statements may take, shared by all sessions, in bytes.
    pub plan_cache_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frames: FrameLimits::default(),
            plan_cache_bytes: 64 << 20,
        }
    }
}

/// Something that an operator may want to know. Never holds a key, a parameter or a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A statement or value was refused, or would have been (`Mode::Audit`).
    Refused {
        /// The rule.
        code: Code,
        /// The SQLSTATE.
        sqlstate: &'static str,
        /// Whether it was passed on all the same.
        passed: bool,
    },
    /// The server says that a result column holds keys where the analysis says it does not, or
    /// the other way round.
    Disagreement {
        /// The table.
        table: u32,
        /// The attribute number.
        attnum: i16,
    },
}

/// Tells the pictures of one [`Shared`] apart, of all databases together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Epoch(u64);

/// A picture of a database with its number; from [`Shared::number`].
#[derive(Debug)]
pub struct Catalog {
    /// The picture.
    pub snapshot: Arc<Snapshot>,
    /// Its number.
    pub epoch: Epoch,
    /// Equal for pictures of the same state of a database.
    pub(super) fingerprint: u64,
    /// The server has shown something that is not in it.
    stale: AtomicBool,
}

impl Catalog {
    /// Whether the server has shown something that is not in the picture, so that a new session
    /// should load it anew.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed)
    }

    pub(super) fn mark_stale(&self) {
        self.stale.store(true, Ordering::Relaxed);
    }
}

/// What the sessions of one configuration have in common.
#[derive(Debug)]
pub struct Shared {
    pub(super) codecs: Vec<Arc<IdCodec>>,
    pub(super) annotations: Arc<[IdAnnotation]>,
    pub(super) limits: Limits,
    pub(super) plans: Plans,
    /// Stands for statements that were not prepared in the sight of a session.
    pub(super) unknown: Arc<Analysis>,
    report: fn(Event),
    epochs: AtomicU64,
}

impl Shared {
    /// Takes the id domains of the configuration, codec and annotation at the same position,
    /// and where events go.
    #[must_use]
    pub fn new(
        domains: impl IntoIterator<Item = (Arc<IdCodec>, IdAnnotation)>,
        limits: Limits,
        analyse: Analyse,
        report: fn(Event),
    ) -> Self {
        let (codecs, annotations): (Vec<_>, Vec<_>) = domains.into_iter().unzip();
        Self {
            codecs,
            annotations: annotations.into(),
            plans: Plans::new(analyse, limits.plan_cache_bytes),
            unknown: Arc::new(Analysis::unknown()),
            limits,
            report,
            epochs: AtomicU64::new(0),
        }
    }

    pub(super) fn codec(&self, domain: DomainId) -> Option<&IdCodec> {
        self.codecs.get(usize::from(domain.0)).map(|codec| &**codec)
    }

    pub(super) fn tell(&self, event: Event) {
        (self.report)(event);
    }

    /// Gives a picture its number.
    #[must_use]
    pub fn number(&self, snapshot: Snapshot) -> Arc<Catalog> {
        self.numbered(snapshot, 0)
    }

    pub(super) fn numbered(&self, snapshot: Snapshot, fingerprint: u64) -> Arc<Catalog> {
        Arc::new(Catalog {
            fingerprint,
            stale: AtomicBool::new(false),
            snapshot: Arc::new(snapshot),
            epoch: Epoch(self.epochs.fetch_add(1, Ordering::Relaxed)),
        })
    }
}
