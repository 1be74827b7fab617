//! Analysed texts, shared by all sessions: the same text under the same circumstances is
//! analysed once, and so are texts that differ only in literals.
//!
//! The cache has two levels in one budget of bytes. The first is asked for the text itself. The
//! second is asked for the text with blanks in the place of its literals ([`Normalized`]); what it
//! has is placed in the text, and the result kept in the first. It has a plan only if that depends
//! on no literal that is blank. Where it would, the second level says on which literals, and is
//! asked again for the text with those written out: each time for one with fewer blanks.
//!
//! A text is analysed as if the snapshot had been taken for its sake. Only where it names something
//! that the snapshot lacks, and the snapshot may be older than that, it is analysed once more.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};

use super::memory::Paid;
use super::plan_size;
use super::shared::{Analyzer, Catalog, Epoch, Mode};
use crate::audit::Counters;
use crate::catalog::SearchPath;
use crate::sql::plan::Paths;
use crate::sql::refusal::Code;
use crate::sql::{Context, Normalized, Plan, Refusal, Script, Sharing, Statement, Verdict};

/// What the meaning of a text depends on, apart from the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Circumstances {
    /// The snapshot of the database.
    pub epoch: Epoch,
    /// Where names are looked for; `None` while only the server knows it.
    pub path: Option<SearchPath>,
    /// Where they will be behind the ends of the open transaction, if it has changed that.
    pub paths: Option<Paths>,
    /// The setting of this name.
    pub standard_conforming_strings: bool,
    /// The setting of this name, as the server reports it.
    pub client_encoding: String,
    /// Whether there may be keys where the snapshot shows none.
    pub made: bool,
    /// Whether code of the database may mean by its names what the session has made, and the snapshot
    /// does not show yet.
    pub fronted: bool,
    /// Whether code has been defined that the snapshot does not show yet.
    pub unseen: bool,
    /// Whether the end of the open transaction may change the database back.
    pub unsettled: bool,
}

/// Circumstances with their hash, so that it is computed when they change and not for each text.
#[derive(Debug, Clone)]
pub struct Hashed {
    circumstances: Arc<Circumstances>,
    hash: u64,
}

impl Hashed {
    /// Computes the hash.
    #[must_use]
    pub fn new(circumstances: Circumstances) -> Self {
        let mut hasher = DefaultHasher::new();
        circumstances.hash(&mut hasher);
        Self {
            hash: hasher.finish(),
            circumstances: Arc::new(circumstances),
        }
    }

    /// The circumstances.
    #[must_use]
    pub fn get(&self) -> &Circumstances {
        &self.circumstances
    }
}

impl Hash for Hashed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl PartialEq for Hashed {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && (Arc::ptr_eq(&self.circumstances, &other.circumstances)
                || self.circumstances == other.circumstances)
    }
}

/// A text and what the analysis found in it.
#[derive(Debug)]
pub struct Analysis {
    /// The text.
    pub text: Arc<[u8]>,
    /// Parameter types as they are on the wire.
    pub declared: Arc<[u8]>,
    /// What was found.
    pub script: Script,
    /// What it takes in memory.
    pub(super) bytes: usize,
    /// Whether it is paid for, by those who keep it under names.
    pub(super) paid: Paid,
    /// Whether code of the user may run in it.
    pub(super) code: KnownOf,
    /// Whether it may call what does more than to compute.
    pub(super) changes: KnownOf,
}

/// What the words of a text tell, as it was found by the snapshot that was asked about last. To read
/// the text again costs as much as it is long, and a portal may be run over and over.
#[derive(Debug, Default)]
pub(super) struct KnownOf(AtomicU64);

impl KnownOf {
    /// What is known by this snapshot, or what `read` finds.
    pub(super) fn by(&self, epoch: Epoch, read: impl FnOnce() -> bool) -> bool {
        // The number of the snapshot, and one more bit; 0 if nothing is known.
        let number = epoch.number().wrapping_add(1).wrapping_mul(2);
        let known = self.0.load(Ordering::Relaxed);
        if known & !1 == number {
            return known & 1 == 1;
        }
        let runs = read();
        self.0.store(number | u64::from(runs), Ordering::Relaxed);
        runs
    }
}

impl Analysis {
    /// A text that could not be analysed because of a fault of pgveil's own.
    pub(super) fn faulty(lookup: Lookup<'_>) -> Self {
        let refusal = Refusal::new(Code::Fault, "XX000", "internal error");
        let statement = Statement {
            range: 0..lookup.text.len(),
            verdict: Verdict::Refuse(refusal),
        };
        Self {
            text: lookup.text.into(),
            declared: lookup.declared.into(),
            script: Script {
                statements: vec![statement],
                ..Script::default()
            },
            bytes: plan_size::block(size_of::<Self>())
                + plan_size::block(lookup.text.len())
                + plan_size::block(lookup.declared.len()),
            paid: Paid::default(),
            code: KnownOf::default(),
            changes: KnownOf::default(),
        }
    }

    /// A statement of which nothing is known, because it was not prepared in the sight of the
    /// session: nothing is edited, and only provenance watches its results.
    pub(super) fn unknown() -> Self {
        let statement = Statement {
            range: 0..0,
            verdict: Verdict::Forward(Plan::default()),
        };
        Self {
            text: Arc::default(),
            declared: Arc::default(),
            script: Script {
                statements: vec![statement],
                ..Script::default()
            },
            bytes: 0,
            paid: Paid::default(),
            code: KnownOf::default(),
            changes: KnownOf::default(),
        }
    }
}

/// What is looked up.
#[derive(Debug, Clone, Copy)]
pub struct Lookup<'a> {
    /// Under which circumstances.
    pub circumstances: &'a Hashed,
    /// The text.
    pub text: &'a [u8],
    /// Parameter types as they are on the wire.
    pub declared: &'a [u8],
    /// Whether the snapshot of the database was taken for the sake of this text.
    pub fresh: bool,
}

impl Lookup<'_> {
    /// Looks for the same text, by a snapshot that is taken to show all that there is.
    fn freshly(self) -> Self {
        Self {
            fresh: true,
            ..self
        }
    }

    /// Whether what was found by such a snapshot holds for this one, too.
    fn is_met_by(&self, analysis: &Analysis) -> bool {
        self.fresh || analysis.script.absent_name().is_none()
    }

    fn context<'c>(&'c self, catalog: &'c Catalog, declared: &'c [u32]) -> Context<'c> {
        let circumstances = self.circumstances.get();
        Context {
            snapshot: &catalog.snapshot,
            search_path: circumstances.path.as_ref(),
            paths: circumstances.paths.as_ref(),
            standard_conforming_strings: circumstances.standard_conforming_strings,
            client_encoding: &circumstances.client_encoding,
            declared,
            fresh: self.fresh,
            made: circumstances.made,
            fronted: circumstances.fronted,
            unseen: circumstances.unseen,
            unsettled: circumstances.unsettled,
            steps: crate::sql::DEFAULT_STEPS,
            trace: None,
        }
    }

    fn key(&self, level: Level) -> Key {
        Key {
            circumstances: self.circumstances.clone(),
            text: self.text.into(),
            declared: self.declared.into(),
            fresh: self.fresh,
            level,
        }
    }
}

struct Key {
    circumstances: Hashed,
    text: Arc<[u8]>,
    declared: Arc<[u8]>,
    fresh: bool,
    level: Level,
}

/// What a text of the cache is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// One that a client has sent.
    Sent,
    /// One with blanks.
    Normalized,
}

/// A text of the cache, looked for.
#[derive(Clone, Copy)]
struct Sought<'a> {
    lookup: Lookup<'a>,
    level: Level,
}

/// What is known of a text.
#[derive(Clone)]
enum Entry {
    /// The analysis of a text that was sent, or of one with blanks that all texts can use.
    Known(Arc<Analysis>),
    /// The plan depends on some of the literals that are blank.
    Depends(Arc<Dependence>),
}

/// Of which literals the plan of a text with blanks depends.
#[derive(Debug)]
struct Dependence {
    /// Their numbers, ascending.
    literals: Box<[usize]>,
    /// How many of the texts with these written out may still be learned.
    credit: AtomicU8,
}

/// Each text with some literals written out is another one to learn, and it is no use to anyone
/// unless others have these literals, too: so many are learned in advance, and one more each time
/// that one of them was of use. Otherwise a statement with ever new literals would fill the cache
/// with what nobody asks for again, and be analysed twice each time.
const CREDIT: u8 = 32;

/// So many steps an analysis may take on a thread that serves the sockets of others, too: some
/// milliseconds.
pub(super) const LIGHT_STEPS: usize = 5_000;

/// So often literals are written out for the sake of one text.
const MOST_STEPS: usize = 4;

impl Dependence {
    const fn new(literals: Box<[usize]>) -> Self {
        Self {
            literals,
            credit: AtomicU8::new(CREDIT),
        }
    }

    /// Whether one more text may be learned.
    fn spend(&self) -> bool {
        let less = |credit: u8| credit.checked_sub(1);
        let spent = (self.credit).fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        spent.is_ok()
    }

    /// One that was learned was of use.
    fn earn(&self) {
        let more = |credit: u8| (credit < CREDIT).then(|| credit + 1);
        let _ = (self.credit).fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }
}

impl Key {
    /// What its texts take in memory.
    fn bytes(&self) -> usize {
        plan_size::block(self.text.len()) + plan_size::block(self.declared.len())
    }

    fn as_sought(&self) -> Sought<'_> {
        Sought {
            lookup: Lookup {
                circumstances: &self.circumstances,
                text: &self.text,
                declared: &self.declared,
                fresh: self.fresh,
            },
            level: self.level,
        }
    }
}

impl Hash for Sought<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let lookup = &self.lookup;
        state.write_u64(lookup.circumstances.hash);
        lookup.text.hash(state);
        lookup.declared.hash(state);
        state.write_u8(lookup.fresh.into());
        state.write_u8((self.level == Level::Normalized).into());
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_sought().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        other.as_sought().equivalent(self)
    }
}

impl Eq for Key {}

impl Equivalent<Key> for Sought<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        let lookup = &self.lookup;
        self.level == key.level
            && lookup.fresh == key.fresh
            && *lookup.text == *key.text
            && *lookup.declared == *key.declared
            && *lookup.circumstances == key.circumstances
    }
}

/// Texts are weighed in bytes, with all that the cache keeps for them.
#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Entry> for Bytes {
    fn weight(&self, key: &Key, entry: &Entry) -> u64 {
        // The slot in the table, and its part of the table's index.
        const SLOT: usize = size_of::<Key>() + size_of::<Entry>() + 64;
        let known = match entry {
            // Key and analysis share the text.
            Entry::Known(analysis) => analysis.bytes,
            Entry::Depends(dependence) => {
                let literals = size_of_val(&*dependence.literals);
                plan_size::block(size_of::<Dependence>()) + plan_size::block(literals) + key.bytes()
            }
        };
        u64::try_from(SLOT + known).unwrap_or(u64::MAX)
    }
}

/// The cache.
pub struct Plans {
    cache: Cache<Key, Entry, Bytes>,
    analyse: Analyzer,
    /// How many steps an analysis may take.
    steps: usize,
    counters: Arc<Counters>,
}

impl fmt::Debug for Plans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plans").finish_non_exhaustive()
    }
}

impl Plans {
    /// An empty cache that may take so many bytes.
    #[must_use]
    pub fn new(analyse: Analyzer, bytes: u64) -> Self {
        const TYPICAL_BYTES: u64 = 2048;
        let items = usize::try_from(bytes / TYPICAL_BYTES).unwrap_or(1);
        Self {
            cache: Cache::with_weighter(items.max(1), bytes, Bytes),
            analyse,
            steps: crate::sql::DEFAULT_STEPS,
            counters: Arc::default(),
        }
    }

    /// Says where to count what is looked up.
    #[must_use]
    pub fn counting(mut self, counters: Arc<Counters>) -> Self {
        self.counters = counters;
        self
    }

    /// Lets an analysis take so many steps.
    #[must_use]
    pub fn within(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// What the texts take, by the count of the cache, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.cache.weight()
    }

    /// Whether a text needs no analysis. Asked before the cache, where the texts of the simple
    /// protocol, each with its own literals, would be found once and never again.
    pub(super) fn is_clean(&self, catalog: &Catalog, lookup: Lookup<'_>) -> bool {
        (self.analyse.is_clean)(lookup.text, &lookup.context(catalog, &[]))
    }

    /// The analysis of a text that needs none, or one that has been made; `None` if the text has to
    /// be analysed. What parameters are declared as does not matter to what is clean.
    pub(super) fn at_a_glance(
        &self,
        catalog: &Catalog,
        lookup: Lookup<'_>,
    ) -> Option<Arc<Analysis>> {
        if let Some(known) = self.known(lookup) {
            return known.script.unknown_name.is_none().then_some(known);
        }
        let is_clean = self.is_clean(catalog, lookup);
        is_clean.then(|| {
            let clean = Script::clean(lookup.text.len());
            self.insert(lookup.freshly(), Level::Sent, clean)
        })
    }

    /// The analysis of a text, if it is there.
    pub(super) fn known(&self, lookup: Lookup<'_>) -> Option<Arc<Analysis>> {
        let known = self.found(lookup.freshly())?;
        match lookup.is_met_by(&known) {
            true => Some(known),
            false => self.found(lookup),
        }
    }

    fn found(&self, lookup: Lookup<'_>) -> Option<Arc<Analysis>> {
        let level = Level::Sent;
        match self.cache.get(&Sought { lookup, level }) {
            Some(Entry::Known(known)) => {
                self.counters.lookups.sent_hits.add(1);
                Some(known)
            }
            _ => None,
        }
    }

    /// The analysis of a text, made now if it is not there.
    pub fn get(&self, catalog: &Catalog, lookup: Lookup<'_>) -> Arc<Analysis> {
        let analysis = self.made(catalog, lookup.freshly());
        match lookup.is_met_by(&analysis) {
            true => analysis,
            false => self.made(catalog, lookup),
        }
    }

    fn made(&self, catalog: &Catalog, lookup: Lookup<'_>) -> Arc<Analysis> {
        self.found(lookup).unwrap_or_else(|| {
            let script = self.script(catalog, lookup, self.steps);
            self.keep(lookup, script)
        })
    }

    /// The analysis of a text if it is there or takes only few steps: a short text can lead to
    /// views and functions of any length. `None` if it takes more.
    pub(super) fn get_light(&self, catalog: &Catalog, lookup: Lookup<'_>) -> Option<Arc<Analysis>> {
        let analysis = self.made_lightly(catalog, lookup.freshly())?;
        match lookup.is_met_by(&analysis) {
            true => Some(analysis),
            false => self.made_lightly(catalog, lookup),
        }
    }

    fn made_lightly(&self, catalog: &Catalog, lookup: Lookup<'_>) -> Option<Arc<Analysis>> {
        if let Some(known) = self.found(lookup) {
            return Some(known);
        }
        let steps = self.steps.min(LIGHT_STEPS);
        let script = self.script(catalog, lookup, steps);
        let is_whole = !script.spent || steps == self.steps;
        is_whole.then(|| self.keep(lookup, script))
    }

    /// Keeps the analysis of a text that was not there.
    fn keep(&self, lookup: Lookup<'_>, script: Script) -> Arc<Analysis> {
        self.counters.lookups.sent_misses.add(1);
        self.insert(lookup, Level::Sent, script)
    }

    /// Analyses a text within so many steps.
    fn script(&self, catalog: &Catalog, lookup: Lookup<'_>, steps: usize) -> Script {
        let (declared, _) = lookup.declared.as_chunks::<4>();
        let declared: Vec<u32> = declared
            .iter()
            .map(|oid| u32::from_be_bytes(*oid))
            .collect();
        let context = Context {
            steps,
            ..lookup.context(catalog, &declared)
        };
        match (self.analyse.blank)(lookup.text, &context) {
            Some(blanked) => self.by_blanks(lookup, &context, blanked),
            None => (self.analyse.script)(lookup.text, &context),
        }
    }

    /// The analysis of a text with literals, from that of the same text with blanks if it is
    /// there.
    fn by_blanks(
        &self,
        sent: Lookup<'_>,
        context: &Context<'_>,
        mut blanked: Normalized<'_>,
    ) -> Script {
        let counts = &self.counters.lookups;
        let analyse = || {
            counts.blanked_misses.add(1);
            (self.analyse.script)(sent.text, context)
        };
        let mut above: Option<Arc<Dependence>> = None;
        for _ in 0..MOST_STEPS {
            if blanked.is_empty() {
                break;
            }
            let lookup = Lookup {
                text: blanked.key(),
                ..sent
            };
            let level = Level::Normalized;
            match self.cache.get(&Sought { lookup, level }) {
                Some(Entry::Known(known)) => {
                    above.iter().for_each(|above| above.earn());
                    let Some(script) = blanked.placed(&known.script) else {
                        break;
                    };
                    counts.blanked_hits.add(1);
                    return script;
                }
                Some(Entry::Depends(dependence)) => {
                    let Some(kept) = blanked.keeping(&dependence.literals) else {
                        break;
                    };
                    blanked = kept;
                    above = Some(dependence);
                }
                None => {
                    let script = analyse();
                    if above.is_none_or(|above| above.spend()) {
                        self.learn(lookup, context, &blanked, &script);
                    }
                    return script;
                }
            }
        }
        analyse()
    }

    /// Remembers a text with blanks, of which one with literals has just been analysed.
    fn learn(
        &self,
        lookup: Lookup<'_>,
        context: &Context<'_>,
        blanked: &Normalized<'_>,
        script: &Script,
    ) {
        let analyse = |text: &[u8]| (self.analyse.script)(text, context);
        let is_whole = |script: &Script| !script.spent || context.steps == self.steps;
        // Of what is not there nothing is known that others could use.
        if !is_whole(script) || script.absent_name().is_some() {
            return;
        }
        match blanked.sharing(script, analyse) {
            Sharing::All(shared) if !is_whole(&shared) => {}
            Sharing::All(shared) => {
                self.insert(lookup, Level::Normalized, shared);
            }
            Sharing::With(literals) => {
                let dependence = Arc::new(Dependence::new(literals.into()));
                let key = lookup.key(Level::Normalized);
                self.cache.insert(key, Entry::Depends(dependence));
            }
        }
    }

    fn insert(&self, lookup: Lookup<'_>, level: Level, mut script: Script) -> Arc<Analysis> {
        script.shrink();
        let key = lookup.key(level);
        let statements = plan_size::of_statements(&script.statements);
        let analysis = Arc::new(Analysis {
            bytes: plan_size::block(size_of::<Analysis>()) + statements + key.bytes(),
            paid: Paid::default(),
            code: KnownOf::default(),
            changes: KnownOf::default(),
            text: Arc::clone(&key.text),
            declared: Arc::clone(&key.declared),
            script,
        });
        self.cache.insert(key, Entry::Known(Arc::clone(&analysis)));
        analysis
    }
}

/// Why what was analysed by itself must not be run. It never is, unless the settings that it was
/// analysed under are not those of the statement around it.
pub(super) fn refusal_of(analysis: &Analysis, mode: Mode) -> Option<&Refusal> {
    match &analysis.script.statements.first()?.verdict {
        Verdict::Refuse(refusal) if mode == Mode::Enforce => Some(refusal),
        Verdict::Refuse(_) | Verdict::Forward(_) => None,
    }
}
