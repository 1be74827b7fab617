//! Builds a snapshot from what a database says about itself.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::config::{
    CatalogShows, ChannelAnnotation, Decisions, FunctionAnnotation, IdAnnotation, NewKeys,
};

use crate::pg::Encoding;

use super::catalog_views::catalog_views;
use super::channels::Channels;
use super::declare;
use super::domains;
use super::draft::Draft;
use super::function::Functions;
use super::memory::Memory;
use super::polymorphic;
use super::question::{self, Reading, Scope, Version};
use super::row::{decode, hash, kind_of, oid_of, width};
use super::snapshot::SYSTEM_RELATIONS;
use super::temporary;
use super::told::{Common, Part, Told};
use super::undecided;
use super::{CreatedRelation, Facts, Oid, Relation, SearchPath, Snapshot, Temporary};

/// Why no snapshot could be built.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The server's answer has not the shape that the query asks for.
    #[error("unexpected row in the answer of the system catalogs (kind {0:?})")]
    Row(String),
}

/// What a database has said about itself.
#[derive(Debug)]
pub struct Loaded {
    /// The snapshot that all sessions share.
    pub snapshot: Snapshot,
    /// Equal for snapshots of the same state of a database, in whatever order the rows came.
    pub fingerprint: u64,
    /// The temporary relations of the session that asked.
    pub temporary: Temporary,
    /// Its search path.
    pub path: SearchPath,
    /// What the server calls this state of its catalogs.
    pub version: Option<Version>,
    /// What has been told, for a later snapshot.
    pub told: Arc<Told>,
}

/// Collects the answers to the questions about a database.
#[derive(Debug)]
pub struct Loader {
    annotations: Arc<[IdAnnotation]>,
    declarations: Arc<[FunctionAnnotation]>,
    channels: Arc<[ChannelAnnotation]>,
    /// What is decided of columns without annotation.
    decisions: Decisions,
    /// Whether catalogs are to say what is stored, and not what clients see.
    tells_truth: bool,
    /// What was told before.
    base: Option<Arc<Told>>,
    /// What has been told by now.
    parts: HashMap<Oid, Part>,
    common: Common,
    /// The session's own types.
    own_types: Vec<String>,
    /// What was asked for, if not everything.
    asked: Option<Asked>,
    /// In which its texts are.
    encoding: Encoding,
    /// What the answer is limited to, and so taken together with what was told before.
    extent: Option<Extent>,
    /// The answer to a look.
    look: Option<(bool, Arc<str>)>,
    /// The definitions were read under this path, which is not that of the session.
    definition_path: Option<SearchPath>,
    search_path: Option<SearchPath>,
    /// The transaction of the question sees what others have committed by then.
    sees_commits: bool,
    /// Who has answered.
    identity: Option<Arc<str>>,
    /// Others have changed since what it sees.
    superseded: bool,
    version: Option<Version>,
    /// What held keys or showed them before.
    memory: Memory,
    /// What did on another server.
    elsewhere: Option<Arc<Snapshot>>,
    /// What was known of temporary relations before.
    known: Facts,
    /// What a statement of the session has made meanwhile.
    made: Vec<Arc<CreatedRelation>>,
}

/// What is asked for: what has changed.
#[derive(Debug)]
struct Asked {
    /// The database that it is about.
    identity: Arc<str>,
    /// Whether what is about no relation is asked for, too, changed or not.
    shared: bool,
}

/// The part of a database that an answer tells of.
#[derive(Debug)]
struct Extent {
    /// The relations of these buckets, and those among the others that it names.
    buckets: HashSet<i64>,
    /// What has changed, too, and is not told.
    lacks: Lack,
}

/// What is to be asked for besides the relations that have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// No more.
    Nothing,
    /// What is about no relation.
    Shared,
    /// Everything is asked for.
    All,
}

impl Loader {
    /// Starts a load for these annotations; the position in the list is the
    /// [`super::DomainId`].
    #[must_use]
    pub fn new(annotations: Arc<[IdAnnotation]>) -> Self {
        Self {
            annotations,
            declarations: Arc::from([]),
            channels: Arc::from([]),
            decisions: Decisions::default(),
            tells_truth: false,
            base: None,
            encoding: Encoding::default(),
            parts: HashMap::new(),
            common: Common::default(),
            own_types: Vec::new(),
            asked: None,
            extent: None,
            look: None,
            definition_path: None,
            search_path: None,
            sees_commits: false,
            identity: None,
            superseded: false,
            version: None,
            memory: Memory::default(),
            elsewhere: None,
            known: Facts::default(),
            made: Vec::new(),
        }
    }

    /// Lets the annotations of an earlier snapshot of the same database follow their columns: one
    /// that has been renamed or moved, or has lost its foreign key, still holds keys.
    #[must_use]
    pub fn after(mut self, earlier: &Snapshot) -> Self {
        self.memory.take(earlier);
        self
    }

    /// Lets them follow those columns that are the same in a snapshot of a database of this name on
    /// another server: that may be this one before it was started again, or the one that it stood by
    /// for.
    #[must_use]
    pub fn recalling(mut self, elsewhere: Arc<Snapshot>) -> Self {
        self.elsewhere = Some(elsewhere);
        self
    }

    /// Tells what the session knows of temporary relations.
    #[must_use]
    pub fn knowing(mut self, facts: &Facts) -> Self {
        self.memory.take_facts(facts);
        self.known = facts.clone();
        self
    }

    /// Tells what the session has made since the earlier snapshot.
    #[must_use]
    pub fn making(mut self, made: Vec<Arc<CreatedRelation>>) -> Self {
        self.made = made;
        self
    }

    /// Adds what is declared of functions.
    #[must_use]
    pub fn declaring(mut self, functions: Arc<[FunctionAnnotation]>) -> Self {
        self.declarations = functions;
        self
    }

    /// Adds which channels carry ids.
    #[must_use]
    pub fn notifying(mut self, channels: Arc<[ChannelAnnotation]>) -> Self {
        self.channels = channels;
        self
    }

    /// Adds what is decided of columns without annotation.
    #[must_use]
    pub fn deciding(mut self, decisions: Decisions) -> Self {
        self.decisions = decisions;
        self
    }

    /// Lets catalogs say of columns of keys what clients see of them, or what is stored.
    #[must_use]
    pub fn showing(mut self, shown: CatalogShows) -> Self {
        self.tells_truth = shown == CatalogShows::Truth;
        self
    }

    /// Takes over what was told before: definitions that have not changed and can't be read now,
    /// and all that is not asked for again.
    #[must_use]
    pub fn since(mut self, told: Arc<Told>) -> Self {
        self.base = Some(told);
        self
    }

    /// The text of the question. What has changed since a version is an answer for a loader that
    /// has been given what was told then.
    #[must_use]
    pub fn question(&mut self, reading: &Reading, scope: Scope<'_>) -> String {
        let base = self.base.as_ref();
        let unanalysed = base.map_or(&[][..], |base| &base.unanalysed);
        self.asked = scope.version().map(|version| Asked {
            identity: Arc::clone(&version.identity),
            shared: matches!(scope, Scope::Shared(_)),
        });
        question::load(reading, scope, unanalysed)
    }

    /// The text of the question whether a version is that of now.
    #[must_use]
    pub fn look(version: &Version) -> String {
        question::look(version)
    }

    /// A text for the simple protocol. It has several results; every row of
    /// each goes to [`Loader::row`].
    #[must_use]
    pub fn alone() -> String {
        question::alone()
    }

    /// Takes one row: its fields in text format.
    ///
    /// # Errors
    /// If the row has not the shape that the query asks for.
    pub fn row(&mut self, fields: &[Option<&[u8]>]) -> Result<(), CatalogError> {
        self.read_encoding(fields);
        let text = fields.iter();
        let text = text.map(|field| field.map(|field| decode(field, &self.encoding)));
        let text: Vec<Option<Cow<'_, str>>> = text.collect();
        let text: Vec<Option<&str>> = text.iter().map(Option::as_deref).collect();
        let kind = text.first().copied().flatten().unwrap_or_default();
        let text = text.get(..width(kind)).unwrap_or(&text);
        self.record(text)
            .ok_or_else(|| CatalogError::Row(kind.to_owned()))
    }

    /// Takes from the first rows of an answer in which encoding it is.
    fn read_encoding(&mut self, fields: &[Option<&[u8]>]) {
        let encoding = match *fields {
            [Some(b"search path"), _, _, encoding, ..] => encoding,
            [Some(b"version"), _, _, _, _, _, _, _, encoding, ..] => encoding,
            _ => return,
        };
        let name = encoding.and_then(|name| std::str::from_utf8(name).ok());
        self.encoding = name.map_or_else(Encoding::default, Encoding::named);
    }

    /// Takes a row about the answer itself. Gives whether it is one, if it fits.
    fn record_answer(&mut self, row: &[Option<&str>]) -> Option<bool> {
        match *row {
            [
                Some("version"),
                identity,
                horizon,
                moment,
                seen,
                buckets,
                changes,
                lacks,
            ] => {
                self.version = Some(Version {
                    identity: identity?.into(),
                    horizon: horizon?.parse().ok()?,
                    moment: moment?.into(),
                    seen: seen?.into(),
                    buckets: buckets?.into(),
                });
                if let Some(changes) = changes {
                    self.extent = Some(Extent::parse(changes, lacks)?);
                }
                // Their path is among the settings of the question.
                let path = ["pg_catalog".to_owned()];
                self.definition_path = Some(SearchPath::new(path.into()));
            }
            [Some("own type"), name] => self.own_types.push(name?.to_owned()),
            [Some("look"), answer, moment] => self.look = Some((answer? == "same", moment?.into())),
            [Some("superseded"), answer] => self.superseded = answer? != "f",
            [Some("search path"), ..] => {
                let path = row.get(1).copied().flatten();
                let setting = row.get(5).copied().flatten().unwrap_or_default();
                self.search_path = Some(SearchPath::parse(path.unwrap_or("")).set_by(setting));
                self.sees_commits = row.get(2).copied().flatten() == Some("read committed");
                self.identity = row.get(4).copied().flatten().map(Arc::from);
            }
            // An aggregate over nothing: it has not changed.
            [Some("settings"), ..] | [Some("built in" | "volatile" | "raised"), None] => {}
            _ => return Some(false),
        }
        Some(true)
    }

    fn record(&mut self, row: &[Option<&str>]) -> Option<()> {
        if self.record_answer(row)? {
            return Some(());
        }
        match *row {
            [Some("relation"), oid, schema, name, kind, ref rest @ ..] => {
                let relation = Relation {
                    oid: oid_of(oid)?,
                    schema: schema?.to_owned(),
                    name: name?.to_owned(),
                    kind: kind_of(kind?)?,
                    columns: Vec::new(),
                    foreign_keys: Vec::new(),
                    primary_key: Vec::new(),
                    definition: rest.first().copied().flatten().map(Arc::from),
                    unanalysed: rest.get(1).copied().flatten().is_some(),
                    of_extension: rest.get(5).copied().flatten().is_some(),
                    rules: Vec::new(),
                    runs: Vec::new(),
                    protected: false,
                    computes: false,
                    placed_by_keys: false,
                    version: 0,
                    schema_version: hash(&[rest.get(4).copied().flatten()]),
                    attributes: match rest.get(3).copied().flatten() {
                        Some(attributes) => attributes.parse().ok()?,
                        None => 0,
                    },
                };
                let mut part = Part::new(relation);
                let field = |at| rest.get(at).copied().flatten();
                part.rule = field(2).map(Arc::from);
                part.count_version(field(2));
                // The definition is counted when it is known.
                let (attributes, schema_version) = (field(3), field(4));
                let rule = part.rule.as_deref();
                part.fingerprint =
                    hash(&[oid, schema, name, kind, rule, attributes, schema_version]);
                self.parts.insert(part.relation.oid, part);
            }
            [Some(kind), oid, ref fields @ ..] if ABOUT_RELATIONS.contains(&kind) => {
                let oid = oid_of(if kind == "row type" {
                    fields.get(1).copied()?
                } else {
                    oid
                })?;
                let Some(part) = self.parts.get_mut(&oid) else {
                    // One of the system's own, of which nothing more is asked for.
                    return (!NEEDS_RELATION.contains(&kind)).then_some(());
                };
                part.fingerprint = part.fingerprint.wrapping_add(hash(row));
                part.record(row)?;
            }
            _ => {
                let common = &mut self.common;
                common.fingerprint = common.fingerprint.wrapping_add(hash(row));
                common.record(row)?;
            }
        }
        Some(())
    }

    /// What a look has shown: whether the version is that of now, and the snapshot.
    #[must_use]
    pub fn looked(&self) -> Option<(bool, &Arc<str>)> {
        self.look.as_ref().map(|(same, moment)| (*same, moment))
    }

    /// The search path, if it was told.
    #[must_use]
    pub fn search_path(&self) -> Option<&SearchPath> {
        self.search_path.as_ref()
    }

    /// Which database of which server has answered, as [`Version::identity`] has it.
    #[must_use]
    pub const fn identity(&self) -> Option<&Arc<str>> {
        self.identity.as_ref()
    }

    /// What is to be asked for besides what was.
    #[must_use]
    pub fn lack(&self) -> Lack {
        let (Some(asked), Some(extent)) = (&self.asked, &self.extent) else {
            return Lack::Nothing;
        };
        let same = |version: &Version| version.identity == asked.identity;
        match extent.lacks {
            _ if !self.version.as_ref().is_some_and(same) => Lack::All,
            Lack::Shared if asked.shared => Lack::Nothing,
            lack => lack,
        }
    }

    /// Whether the answer shows what others had committed when the question was asked: a transaction
    /// of a higher isolation level shows what they had when it began.
    #[must_use]
    pub const fn sees_commits(&self) -> bool {
        self.sees_commits
    }

    /// Whether others have changed what it shows since its transaction began; told only if that was
    /// asked ([`super::SUPERSEDED`]).
    #[must_use]
    pub const fn is_superseded(&self) -> bool {
        self.superseded
    }

    /// What is known now: of the relations that all share, and the temporary ones.
    fn told(&mut self) -> (Told, Vec<Part>) {
        let path = self.search_path.clone().unwrap_or_default().lasting();
        let path = self.definition_path.take().unwrap_or(path);
        let parts = std::mem::take(&mut self.parts).into_values();
        let (mut own, parts): (Vec<_>, Vec<_>) =
            parts.map(Part::in_order).partition(Part::is_temporary);
        own.iter_mut().for_each(Part::count_definition);
        let base = self.base.take();
        // If the answer is limited to what has changed.
        let extent = self.extent.as_ref().filter(|_| self.asked.is_some());
        let unasked = self.asked.as_ref().is_some_and(|asked| !asked.shared);
        let shared = match &base {
            Some(base) if extent.is_some() && unasked => Arc::clone(&base.shared),
            _ => Arc::new(std::mem::take(&mut self.common).resolved()),
        };
        let told = Told {
            shared,
            definition_path: path,
            ..Told::default()
        };
        let is_told = |oid| extent.is_none_or(|extent| extent.is_about(oid));
        (told.put_together(parts, base.as_deref(), is_told), own)
    }

    /// What is to be known of the database before it is known what holds keys.
    fn draft(&mut self, told: &Told, own: &[Part]) -> Draft {
        let mut draft = Draft::of(told, own);
        if let Some(elsewhere) = self.elsewhere.take() {
            self.memory.recall(&elsewhere, &draft.relations);
        }
        draft.memory = std::mem::take(&mut self.memory);
        draft.decisions = self.decisions.clone();
        draft
    }

    /// What tells whether something of the session's own is other than before.
    fn own_fingerprint(&self, own: &[Part]) -> u64 {
        let types = self.own_types.iter();
        let types = types.map(|name| hash(&[Some(name.as_str())]));
        let parts = own.iter().map(|part| part.fingerprint);
        parts.chain(types).fold(0, u64::wrapping_add)
    }

    /// The functions, as they are declared, and what is declared of others.
    fn functions(&self, told: &Told, draft: &Draft) -> (Arc<Functions>, declare::Astray) {
        let mut functions = Arc::clone(&told.shared.functions);
        let mut astray = declare::Astray::default();
        if !self.declarations.is_empty() {
            let functions = Arc::make_mut(&mut functions);
            let (declarations, annotations) = (&self.declarations, &self.annotations);
            astray = declare::declare(functions, declarations, annotations, &draft.relations);
        }
        if functions.hidden.has_casts() {
            let hidden = &mut Arc::make_mut(&mut functions).hidden;
            hidden.hide_in_rows(&draft.row_types, &draft.relations);
        }
        (functions, astray)
    }

    /// Gives what was asked for. Columns that can't hold what annotations say of them are closed
    /// and told of ([`Snapshot::misfits`]).
    #[must_use]
    pub fn finish(mut self) -> Loaded {
        let (told, own) = self.told();
        let fingerprint = told.fingerprint.wrapping_add(told.shared.fingerprint);
        let own_fingerprint = self.own_fingerprint(&own);
        let mut draft = self.draft(&told, &own);
        let made = temporary::find(&mut draft, &self.annotations, &self.made, &self.known);
        let late =
            |draft: &mut Draft| temporary::hide_late(draft, (&self.made, &made), &self.known);
        let mut outcome = domains::spread(&mut draft, &self.annotations, &made, late);
        let path = self.search_path.take().unwrap_or_default();
        let temporary = Temporary {
            relations: draft.take_temporary(),
            types: std::mem::take(&mut self.own_types),
            fingerprint: own_fingerprint,
            path: path.clone(),
        };
        let (functions, astray) = self.functions(&told, &draft);
        let channels = Channels::new(&draft, &self.channels);
        let mut key_types = outcome.key_types(&draft);
        key_types.extend(undecided::closed_types(&draft));
        let names = self.annotations.iter();
        let snapshot = Snapshot {
            row_types: row_types(&told, &draft),
            domain_names: names.clone().map(|of| of.name.clone()).collect(),
            column_types: names.map(|of| of.types).collect(),
            protected_names: protected_names(&draft),
            catalog_views: catalog_views(&draft),
            children: children(&draft),
            referring: referring(&draft),
            drawing: drawing(&draft),
            checks: std::mem::take(&mut draft.checks),
            sequences_of_ids: sequences_of_ids(&draft),
            domains_of_ids: domains_of_ids(&draft),
            keyed: draft.touched.iter().copied().collect(),
            unanalysed: told.has_unread(),
            misfits: outcome.take_misfits(),
            undecided: undecided::names(&draft).into(),
            closes_undecided: self.decisions.new_keys == NewKeys::Refuse,
            telling: polymorphic::telling(&draft),
            relations: draft.relations,
            names: told.names.clone(),
            functions,
            key_types,
            definition_path: told.definition_path.clone(),
            temporary_path: None,
            shadows: false,
            owned: Vec::new(),
            late: Arc::default(),
            diverging: Arc::default(),
            missing: outcome.unmatched,
            awaited: outcome.awaited,
            missing_functions: astray.missing,
            misfit_functions: astray.misfits,
            channels,
            tells_truth: self.tells_truth,
            defining: draft.defining,
            listed: draft.listed,
            orphans: outcome.orphans,
            closed: outcome.closed,
        };
        Loaded {
            snapshot,
            fingerprint,
            temporary,
            path,
            version: self.version,
            told: Arc::new(told),
        }
    }
}

impl Extent {
    fn parse(changes: &str, lacks: Option<&str>) -> Option<Self> {
        let buckets = changes.split_whitespace();
        let buckets = buckets.map(|bucket| bucket.parse().ok());
        Some(Self {
            buckets: buckets.collect::<Option<_>>()?,
            lacks: match lacks {
                None => Lack::Nothing,
                Some("shared") => Lack::Shared,
                Some(_) => Lack::All,
            },
        })
    }

    /// Whether it tells of a relation, if that is still there.
    fn is_about(&self, oid: Oid) -> bool {
        self.buckets.contains(&question::bucket(oid))
    }
}

/// The types of the rows of relations in which keys can be seen.
fn row_types(told: &Told, draft: &Draft) -> HashMap<Oid, (Oid, bool)> {
    let touched = draft.all(&draft.touched);
    let protected = touched.filter(|relation| relation.protected);
    let parts = protected.filter_map(|relation| told.relations.get(&relation.oid));
    let types = parts.flat_map(|part| {
        let of = |(oid, array): &(Oid, bool)| (*oid, (part.oid(), *array));
        part.row_types.iter().map(of)
    });
    types.collect()
}

/// The domains of columns in whose place clients see another type, and the type that is seen in the
/// place of the domain's: none if columns differ in it. The domains under one are of the same columns.
fn domains_of_ids(draft: &Draft) -> Vec<(Oid, Option<u32>)> {
    let mut seen: BTreeMap<Oid, BTreeSet<Option<u32>>> = BTreeMap::new();
    for ((relation, attnum), domain) in &draft.of_domains {
        let relation = draft.relations.get(relation);
        let column = relation.and_then(|relation| relation.attribute(*attnum));
        let shown = column.and_then(super::Column::shown_otherwise);
        for domain in draft.shared.chain(*domain) {
            seen.entry(domain).or_default().insert(shown);
        }
    }
    let seen = seen
        .into_iter()
        .filter(|(_, types)| types.iter().any(Option::is_some));
    let seen = seen.map(|(domain, types)| match types.len() {
        1 => (domain, types.into_iter().flatten().next()),
        _ => (domain, None),
    });
    seen.collect()
}

/// The sequences of columns in whose place clients see another type: those that belong to one, and
/// those from which nothing but such columns is filled.
fn sequences_of_ids(draft: &Draft) -> Vec<Oid> {
    let is_other = |(table, column): &(Oid, i16)| {
        let table = draft.relations.get(table);
        let column = table.and_then(|table| table.attribute(*column));
        column.is_some_and(|column| column.shown_otherwise().is_some())
    };
    let mut sequences: BTreeMap<Oid, bool> = BTreeMap::new();
    for (place, sequence) in &draft.draws {
        if let Some(sequence) = sequence {
            *sequences.entry(*sequence).or_insert(true) &= is_other(place);
        }
    }
    for (sequence, owner) in &draft.sequence_owners {
        sequences.insert(*sequence, is_other(owner));
    }
    let of_ids = sequences.into_iter().filter(|(_, of_ids)| *of_ids);
    of_ids.map(|(sequence, _)| sequence).collect()
}

/// The partitions and other children of each relation.
fn children(draft: &Draft) -> HashMap<Oid, Vec<Oid>> {
    let mut children: HashMap<Oid, Vec<Oid>> = HashMap::new();
    for (child, parent) in &draft.inheritance {
        children.entry(*parent).or_default().push(*child);
    }
    children
}

/// The relations that refer to each.
fn referring(draft: &Draft) -> HashMap<Oid, Vec<Oid>> {
    let mut referring: HashMap<Oid, Vec<Oid>> = HashMap::new();
    for relation in draft.all(&draft.referencing) {
        for key in &relation.foreign_keys {
            let of = referring.entry(key.referenced).or_default();
            of.push(relation.oid);
        }
    }
    referring
}

/// The relations with columns that are filled from a sequence which is looked for by its name.
fn drawing(draft: &Draft) -> HashSet<Oid> {
    let by_name = draft.draws.iter().filter(|(_, of)| of.is_none());
    by_name.map(|((relation, _), _)| *relation).collect()
}

/// The names of relations in which keys can be seen.
fn protected_names(draft: &Draft) -> HashSet<String> {
    let touched = draft.all(&draft.touched);
    let protected = touched.filter(|relation| relation.protected);
    let system = SYSTEM_RELATIONS.iter().map(|(_, name)| (*name).to_owned());
    // The type of a row has the name of the relation, and that of arrays one made of it.
    let names =
        protected.flat_map(|relation| [relation.name.clone(), format!("_{}", relation.name)]);
    names.chain(system).collect()
}

/// The kinds of rows that are about the relation that they name first.
const ABOUT_RELATIONS: [&str; 15] = [
    "column",
    "row type",
    "foreign key",
    "inherits",
    "sequence",
    "draws",
    "computes",
    "runs",
    "depends",
    "rule",
    "opaque view",
    "generated",
    "partitioned",
    "unique",
    "filled",
];

/// Those among them that come after their relation for certain.
const NEEDS_RELATION: [&str; 3] = ["column", "foreign key", "rule"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_a_row_of_unknown_kind() {
        let mut loader = Loader::new(Arc::from([]));
        assert!(loader.row(&[Some(b"mystery")]).is_err());
        assert!(loader.row(&[]).is_err());
    }
}
