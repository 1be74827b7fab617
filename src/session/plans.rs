//! Analysed texts, shared by all sessions: the same text under the same circumstances is
//! analysed once.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};

use super::shared::{Analyse, Catalog, Epoch};
use crate::catalog::SearchPath;
use crate::sql::{Context, Plan, Script, Statement, Verdict};

/// What the meaning of a text depends on, apart from the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Circumstances {
    pub(super) epoch: Epoch,
    /// `None` while only the server knows it.
    pub(super) path: Option<SearchPath>,
    pub(super) standard_conforming_strings: bool,
    pub(super) client_encoding: String,
}

/// Circumstances with their hash, so that it is computed when they change and not for each text.
#[derive(Debug, Clone)]
pub(super) struct Hashed {
    circumstances: Arc<Circumstances>,
    hash: u64,
}

impl Hashed {
    pub(super) fn new(circumstances: Circumstances) -> Self {
        let mut hasher = DefaultHasher::new();
        circumstances.hash(&mut hasher);
        Self {
            hash: hasher.finish(),
            circumstances: Arc::new(circumstances),
        }
    }

    pub(super) fn get(&self) -> &Circumstances {
        &self.circumstances
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
pub(super) struct Analysis {
    pub(super) text: Arc<[u8]>,
    /// Parameter types as they are on the wire.
    pub(super) declared: Arc<[u8]>,
    pub(super) script: Script,
}

impl Analysis {
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
                unknown_name: None,
            },
        }
    }
}

/// What is looked up.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) circumstances: &'a Hashed,
    pub(super) text: &'a [u8],
    /// Parameter types as they are on the wire.
    pub(super) declared: &'a [u8],
    pub(super) fresh: bool,
}

impl Lookup<'_> {
    fn context<'c>(&'c self, catalog: &'c Catalog, declared: &'c [u32]) -> Context<'c> {
        let circumstances = self.circumstances.get();
        Context {
            snapshot: &catalog.snapshot,
            search_path: circumstances.path.as_ref(),
            standard_conforming_strings: circumstances.standard_conforming_strings,
            client_encoding: &circumstances.client_encoding,
            declared,
            fresh: self.fresh,
        }
    }
}

struct Key {
    circumstances: Hashed,
    text: Arc<[u8]>,
    declared: Arc<[u8]>,
    fresh: bool,
}

impl Key {
    fn as_lookup(&self) -> Lookup<'_> {
        Lookup {
            circumstances: &self.circumstances,
            text: &self.text,
            declared: &self.declared,
            fresh: self.fresh,
        }
    }
}

impl Hash for Lookup<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.circumstances.hash);
        self.text.hash(state);
        self.declared.hash(state);
        state.write_u8(self.fresh.into());
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_lookup().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        other.as_lookup().equivalent(self)
    }
}

impl Eq for Key {}

impl Equivalent<Key> for Lookup<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        self.fresh == key.fresh
            && *self.text == *key.text
            && *self.declared == *key.declared
            && *self.circumstances == key.circumstances
    }
}

/// Texts are weighed in bytes: the text twice (key and tokens that the plan keeps) and a sum for
/// the plan.
#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Arc<Analysis>> for Bytes {
    fn weight(&self, key: &Key, analysis: &Arc<Analysis>) -> u64 {
        const PLAN_BYTES: usize = 512;
        let bytes = 2 * key.text.len() + PLAN_BYTES * (1 + analysis.script.statements.len());
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

/// The cache.
pub(super) struct Plans {
    cache: Cache<Key, Arc<Analysis>, Bytes>,
    analyse: Analyse,
}

impl fmt::Debug for Plans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plans").finish_non_exhaustive()
    }
}

impl Plans {
    pub(super) fn new(analyse: Analyse, bytes: u64) -> Self {
        const TYPICAL_BYTES: u64 = 2048;
        let items = usize::try_from(bytes / TYPICAL_BYTES).unwrap_or(1);
        Self {
            cache: Cache::with_weighter(items.max(1), bytes, Bytes),
            analyse,
        }
    }

    /// Whether a text needs no analysis. Asked before the cache, where the texts of the simple
    /// protocol, each with its own literals, would be found once and never again.
    pub(super) fn is_clean(&self, catalog: &Catalog, lookup: Lookup<'_>) -> bool {
        (self.analyse.is_clean)(lookup.text, &lookup.context(catalog, &[]))
    }

    /// The analysis of a text, made now if it is not there.
    pub(super) fn get(&self, catalog: &Catalog, lookup: Lookup<'_>) -> Arc<Analysis> {
        if let Some(known) = self.cache.get(&lookup) {
            return known;
        }
        let (declared, _) = lookup.declared.as_chunks::<4>();
        let oids: Vec<u32> = declared
            .iter()
            .map(|oid| u32::from_be_bytes(*oid))
            .collect();
        let context = lookup.context(catalog, &oids);
        let text: Arc<[u8]> = lookup.text.into();
        let declared: Arc<[u8]> = lookup.declared.into();
        let analysis = Arc::new(Analysis {
            script: (self.analyse.script)(lookup.text, &context),
            text: Arc::clone(&text),
            declared: Arc::clone(&declared),
        });
        let key = Key {
            circumstances: lookup.circumstances.clone(),
            text,
            declared,
            fresh: lookup.fresh,
        };
        self.cache.insert(key, Arc::clone(&analysis));
        analysis
    }
}
