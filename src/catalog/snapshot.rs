//! One immutable snapshot of a database.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::config::{ColumnName, ColumnPattern, ColumnTypes};
use crate::pg::oid;

use super::channels::{ChannelId, Channels};
use super::function::Functions;
use super::late_code::LateCode;
use super::misfit::Misfit;
use super::names::Names;
use super::namesakes::Holding;
use super::{IdType, JsonKey, KeyType, Polymorphic, SearchPath, Temporary, is_temporary};

/// An object identifier of Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid(pub u32);

/// What is looked up by an oid for each column of a result.
pub(crate) type ByOid<T> = HashMap<Oid, T, foldhash::fast::RandomState>;

/// An id domain: its position in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainId(pub u16);

/// What an annotated column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdColumn {
    /// What a key, or each element, is.
    pub id: IdType,
    /// Whether the column is an array of keys.
    pub array: bool,
}

/// A column of a relation.
#[derive(Debug, Clone)]
pub struct Column {
    /// The attribute number, from 1.
    pub attnum: i16,
    /// The name.
    pub name: String,
    /// The type; the base type if the declared type is a domain.
    pub type_oid: Oid,
    /// Present if the column holds keys.
    pub id: Option<IdColumn>,
    /// Where keys stand in it, if it holds JSON documents.
    pub json: Arc<[JsonKey]>,
    /// Whether it is generated from other columns.
    pub generated: bool,
    /// Whether its values show keys without being keys: it is generated from columns that hold
    /// them, or counts with the sequence of one. So do those of a column that is closed.
    pub derived: bool,
    /// Whether it is closed only because it holds keys that nobody has decided on.
    pub undecided: bool,
    /// Present if it holds keys of several domains, of which another column tells; it is derived
    /// then.
    pub polymorphic: Option<Arc<Polymorphic>>,
    /// Whether it is counted by a sequence of its own, `GENERATED … AS IDENTITY`.
    pub identity: bool,
    /// Present if its type is that of the rows of a relation in which keys can be seen: the
    /// relation, and whether the column is an array of such rows.
    pub row: Option<(Oid, bool)>,
    /// Which transaction has defined it last.
    pub version: u32,
}

impl Column {
    /// Whether keys are in it, but none that stand alone.
    #[must_use]
    pub fn is_composed(&self) -> bool {
        self.derived || self.row.is_some() || !self.json.is_empty()
    }

    /// Whether keys are its values, or stand in them.
    #[must_use]
    pub fn holds_keys(&self) -> bool {
        self.id.is_some() || !self.json.is_empty()
    }

    /// The oid of the type that clients see in the place of its own, if that is another one.
    #[must_use]
    pub fn shown_otherwise(&self) -> Option<u32> {
        if let Some(of) = self.polymorphic.as_deref().filter(|of| !of.written) {
            let id = of.kinds.first()?.id;
            return IdColumn { id, array: false }.shown_otherwise();
        }
        self.id?.shown_otherwise()
    }
}

impl IdColumn {
    /// The oid of the type that clients see in the place of its own, if that is another one.
    #[must_use]
    pub fn shown_otherwise(self) -> Option<u32> {
        let Self { id, array } = self;
        let shown = match array {
            true => id.shown.array_oid(),
            false => id.shown.oid(),
        };
        (!id.key_type.is_like(id.shown)).then_some(shown)
    }
}

/// `pg_class.relkind`, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationKind {
    /// A table, partitioned table or foreign table.
    Table,
    /// A view; its columns are what its definition says.
    View,
    /// A materialized view.
    MaterializedView,
    /// A sequence.
    Sequence,
    /// A composite type.
    Composite,
}

/// A table, view or other relation.
#[derive(Debug, Clone)]
pub struct Relation {
    /// Its oid.
    pub oid: Oid,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: RelationKind,
    /// Its columns by ascending attribute number, without dropped ones.
    pub columns: Vec<Column>,
    /// Its foreign keys.
    pub foreign_keys: Vec<ForeignKey>,
    /// The columns of its primary key, in the order of that.
    pub primary_key: Vec<i16>,
    /// The query of a view.
    pub definition: Option<Arc<str>>,
    /// Whether a definition of it could not be read, as that would have had to wait for a lock.
    pub unanalysed: bool,
    /// Whether it is a view that an extension has brought.
    pub of_extension: bool,
    /// What is done when it is written to, beside or instead of that.
    pub rules: Vec<WriteRule>,
    /// The functions of users that run unasked when it is read or written to: those of triggers,
    /// defaults, checks, policies, indexes and rules.
    pub runs: Vec<Run>,
    /// Whether keys are in it: an annotated column, or a sequence or view over one.
    pub protected: bool,
    /// Whether it is defined with expressions over keys: a check or a domain, a policy, the
    /// condition of a trigger, an index. What they compute may be quoted by an error.
    pub computes: bool,
    /// Whether in which of its partitions a row is depends on its keys.
    pub placed_by_keys: bool,
    /// Stands for the transactions that have named it last, and defined it as a view or its rules.
    pub version: u64,
    /// Stands for the transaction that has named its schema last, or said who may use that.
    pub schema_version: u64,
    /// How many columns it has ever had.
    pub attributes: i16,
}

/// A function that runs unasked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The oid of the function.
    pub function: Oid,
    /// Whether it may run only when the transaction ends: a trigger may be put off.
    pub late: bool,
    /// What a trigger gives it: all arguments in one text.
    pub arguments: Option<Arc<str>>,
    /// Whether it runs when rows are read, and not only when they are written.
    pub reads: bool,
}

/// The kinds of statements that a rule can be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// INSERT.
    Insert,
    /// UPDATE.
    Update,
    /// DELETE.
    Delete,
}

/// A rule of a relation, but for the one that makes it a view.
#[derive(Debug, Clone)]
pub struct WriteRule {
    /// What it is for.
    pub on: Write,
    /// The statement that would create it.
    pub definition: Arc<str>,
}

impl Relation {
    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The column with this attribute number.
    #[must_use]
    pub fn attribute(&self, attnum: i16) -> Option<&Column> {
        self.columns.iter().find(|column| column.attnum == attnum)
    }

    /// The columns that have been defined anew in a later snapshot, be it as before, or are gone; and
    /// whether any are gone that were there in between.
    #[must_use]
    pub fn revised_columns(&self, later: &Self) -> (Vec<&str>, bool) {
        let is_revised = |column: &&Column| {
            let other = later.attribute(column.attnum);
            other.is_none_or(|other| other.version != column.version)
        };
        let revised = self.columns.iter().filter(is_revised);
        let new = self.attributes.saturating_add(1)..=later.attributes;
        let passed = new
            .into_iter()
            .any(|attnum| later.attribute(attnum).is_none());
        (revised.map(|column| column.name.as_str()).collect(), passed)
    }

    /// What a configuration calls a column of it.
    #[must_use]
    pub fn name_of(&self, column: &Column) -> ColumnName {
        ColumnName {
            schema: self.schema.clone(),
            table: self.name.clone(),
            column: column.name.clone(),
        }
    }
}

/// A foreign key constraint.
#[derive(Debug, Clone)]
pub struct ForeignKey {
    /// The name of the constraint.
    pub name: String,
    /// The referencing columns.
    pub columns: Vec<i16>,
    /// The referenced relation.
    pub referenced: Oid,
    /// The referenced columns, in the order of `columns`.
    pub referenced_columns: Vec<i16>,
}

/// Relations of `pg_catalog` (or of well-known extensions) that show keys: statistics hold column
/// values, sequences count, and other sessions' statements have been edited to hold keys.
pub(super) const SYSTEM_RELATIONS: &[(&str, &str)] = &[
    ("information_schema", "sequences"),
    ("pg_catalog", "pg_backend_memory_contexts"),
    ("pg_catalog", "pg_cursors"),
    ("pg_catalog", "pg_largeobject"),
    ("pg_catalog", "pg_prepared_statements"),
    ("pg_catalog", "pg_sequence"),
    ("pg_catalog", "pg_sequences"),
    ("pg_catalog", "pg_stat_activity"),
    ("pg_catalog", "pg_statio_all_sequences"),
    ("pg_catalog", "pg_statio_sys_sequences"),
    ("pg_catalog", "pg_statio_user_sequences"),
    ("pg_catalog", "pg_statistic"),
    ("pg_catalog", "pg_statistic_ext_data"),
    ("pg_catalog", "pg_stats"),
    ("pg_catalog", "pg_stats_ext"),
    ("pg_catalog", "pg_stats_ext_exprs"),
];

/// One immutable snapshot of a database.
#[derive(Debug, Default, Clone)]
pub struct Snapshot {
    pub(super) domain_names: Vec<String>,
    /// What clients see of the columns of each domain.
    pub(super) column_types: Vec<ColumnTypes>,
    pub(super) relations: ByOid<Arc<Relation>>,
    pub(super) names: Names,
    pub(super) protected_names: HashSet<String>,
    /// The names of views of users that may read catalogs.
    pub(super) catalog_views: HashSet<String>,
    /// The relations with columns that hold keys or show them, and perhaps some others.
    pub(super) keyed: Vec<Oid>,
    /// Whether a definition has not been read.
    pub(super) unanalysed: bool,
    pub(super) functions: Arc<Functions>,
    /// The types in which keys are stored.
    pub(super) key_types: HashSet<KeyType>,
    pub(super) definition_path: SearchPath,
    /// The search path of the definitions of temporary views, if the session has temporary
    /// relations.
    pub(super) temporary_path: Option<SearchPath>,
    /// Whether a temporary relation has the name of one that lasts, and either is protected.
    pub(super) shadows: bool,
    /// The names of the session's temporary relations and types, whatever they hold.
    pub(super) owned: Vec<String>,
    /// The partitions and other children of relations.
    pub(super) children: HashMap<Oid, Vec<Oid>>,
    /// Those that refer to them.
    pub(super) referring: HashMap<Oid, Vec<Oid>>,
    /// The functions that domains of columns run, by their checks and defaults.
    pub(super) checks: HashMap<Oid, Vec<Oid>>,
    /// The relations with columns that are filled from a sequence which is looked for by its name.
    pub(super) drawing: HashSet<Oid>,
    /// What code of the database names when it runs, once somebody has asked for that.
    pub(super) late: Arc<OnceLock<LateCode>>,
    /// What relations of one name hold where that is not the same, once somebody has asked for it.
    pub(super) diverging: Arc<OnceLock<HashMap<String, Vec<Holding>>>>,
    /// The columns that would hold keys if this database had them: annotated ones that it has not,
    /// and those of patterns.
    pub(super) awaited: Vec<(ColumnPattern, DomainId)>,
    /// The names of the columns that tell of which domain the keys beside them are.
    pub(super) telling: HashSet<String>,
    pub(super) missing: Vec<ColumnPattern>,
    pub(super) misfits: Vec<Misfit>,
    /// The columns of keys that nobody has decided on, in the order of their names.
    pub(super) undecided: Arc<[Arc<ColumnName>]>,
    /// Whether such columns are closed.
    pub(super) closes_undecided: bool,
    pub(super) missing_functions: Vec<String>,
    pub(super) misfit_functions: Vec<String>,
    /// What the payloads of channels are.
    pub(super) channels: Channels,
    /// Whether catalogs say what is stored, and not what clients see.
    pub(super) tells_truth: bool,
    /// The sequences of columns in whose place clients see another type, in the order of their oids.
    pub(super) sequences_of_ids: Vec<Oid>,
    /// The domains of columns in whose place clients see another type, in the order of their oids:
    /// that type, if it is the same for all columns of the domain.
    pub(super) domains_of_ids: Vec<(Oid, Option<u32>)>,
    /// The columns that define the kinds of ids.
    pub(super) defining: HashSet<(Oid, i16)>,
    /// The columns of keys that the configuration names.
    pub(super) listed: HashSet<(Oid, i16)>,
    /// The columns of which only an earlier snapshot tells that keys are in them.
    pub(super) orphans: HashSet<(Oid, i16)>,
    /// The columns that can't hold what they are said to hold, and what is one with them.
    pub(super) closed: HashSet<(Oid, i16)>,
    /// The types of rows in which keys can be seen, and of arrays of them: the relation, and
    /// whether it is an array. Those of temporary relations are not among them.
    pub(super) row_types: HashMap<Oid, (Oid, bool)>,
}

impl Snapshot {
    /// Whether a column is the one that defines a kind of id.
    #[must_use]
    pub fn is_defining(&self, relation: Oid, attnum: i16) -> bool {
        self.defining.contains(&(relation, attnum))
    }

    /// Whether the configuration names a column of keys, which then needs no foreign key to be
    /// one.
    #[must_use]
    pub fn is_listed(&self, relation: Oid, attnum: i16) -> bool {
        self.listed.contains(&(relation, attnum))
    }

    /// A column of which an earlier snapshot knew by an annotation or a foreign key that keys are in
    /// it, and this one knows only by that: whoever reads the catalogs alone takes it for plain.
    #[must_use]
    pub fn orphaned_since(&self, earlier: &Self) -> Option<ColumnName> {
        let new = self.orphans.difference(&earlier.orphans);
        let mut names = new.filter_map(|(relation, attnum)| {
            let relation = self.relation(*relation)?;
            Some(relation.name_of(relation.attribute(*attnum)?))
        });
        names.next()
    }

    /// Whether only an earlier snapshot tells that keys are in a column.
    pub(crate) fn is_orphan(&self, relation: Oid, attnum: i16) -> bool {
        self.orphans.contains(&(relation, attnum))
    }

    /// Whether a column is closed, or has been: what it is said to hold it can't.
    pub(crate) fn is_closed(&self, relation: Oid, attnum: i16) -> bool {
        self.closed.contains(&(relation, attnum)) || self.is_orphan(relation, attnum)
    }

    /// The relation with this oid.
    #[must_use]
    pub fn relation(&self, oid: Oid) -> Option<&Arc<Relation>> {
        self.relations.get(&oid)
    }

    /// The relation whose rows are values of a type, or whose rows stand in arrays of that type
    /// (`true`); `None` if no key can be seen in them.
    #[must_use]
    pub fn row_type(&self, type_oid: u32) -> Option<(Oid, bool)> {
        self.row_types.get(&Oid(type_oid)).copied()
    }

    /// The oid of the type of a relation's rows, or of arrays of them, if [`Self::row_type`] knows
    /// it.
    #[must_use]
    pub fn type_of_rows(&self, relation: Oid, array: bool) -> Option<u32> {
        let mut types = self.row_types.iter();
        let found = types.find(|(_, row)| **row == (relation, array));
        found.map(|(oid, _)| oid.0)
    }

    /// All relations, in no order.
    pub fn relations(&self) -> impl ExactSizeIterator<Item = &Arc<Relation>> {
        self.relations.values()
    }

    /// The relation that a possibly qualified name means.
    #[must_use]
    pub fn resolve(
        &self,
        schema: Option<&str>,
        name: &str,
        path: &SearchPath,
    ) -> Option<&Arc<Relation>> {
        let candidates = self.names.get(name);
        let in_schema = |schema: &str| {
            candidates
                .iter()
                .filter_map(|oid| self.relations.get(oid))
                .find(|relation| relation.schema == schema)
        };
        match schema {
            Some("pg_temp") => self
                .temporary_schema()
                .or_else(|| path.schemas().find(|schema| is_temporary(schema)))
                .and_then(in_schema),
            Some(schema) => in_schema(schema),
            None => path.schemas().find_map(in_schema),
        }
    }

    /// Whether an unqualified name means the same relation and the same type whichever schemas of
    /// a path the server passes over, because the role may not use them.
    #[must_use]
    pub fn is_certain(&self, name: &str, path: &SearchPath) -> bool {
        let is_there = |schema: &&str| {
            self.resolve(Some(schema), name, path).is_some()
                || self.functions.domain(Some(schema), name, path).is_some()
                || self.functions.of_user(Some(schema), name).next().is_some()
                || *schema == "pg_catalog" && self.functions.is_built_in(name)
        };
        let mut found = path.schemas().filter(is_there);
        let everybody_may_use = |schema: &str| schema == "pg_catalog" || is_temporary(schema);
        !path.is_assumed() || found.next().is_none_or(everybody_may_use) || found.next().is_none()
    }

    /// The relations of this name, in whatever schema, of which a definition has not been read.
    #[must_use]
    pub fn unanalysed(&self, name: &str) -> Vec<Oid> {
        let oids = self.names.get(name).iter();
        let unanalysed = oids.filter(|oid| self.relations.get(oid).is_some_and(|of| of.unanalysed));
        unanalysed.copied().collect()
    }

    /// The columns of tables that a pattern is about, in the order of their names.
    #[must_use]
    pub fn matching(&self, pattern: &ColumnPattern) -> Vec<(&Relation, &Column)> {
        let named: Vec<&Arc<Relation>> = match pattern.table() {
            Some(table) => {
                let oids = self.names.get(table).iter();
                oids.filter_map(|oid| self.relations.get(oid)).collect()
            }
            None => self.relations.values().collect(),
        };
        let tables = named.into_iter().filter(|relation| {
            relation.kind == RelationKind::Table
                && pattern.matches_schema(&relation.schema)
                && pattern.matches_table(&relation.name)
        });
        let columns = tables.flat_map(|relation| {
            let columns = relation.columns.iter();
            let meant = columns.filter(|column| pattern.matches_column(&column.name));
            meant.map(|column| (&**relation, column))
        });
        let mut columns: Vec<_> = columns.collect();
        columns.sort_by_key(|(relation, column)| (&relation.schema, &relation.name, column.attnum));
        columns
    }

    /// Whether anything in this database is annotated.
    #[must_use]
    pub fn has_ids(&self) -> bool {
        !self.key_types.is_empty()
    }

    /// Whether keys of any domain are uuids.
    #[must_use]
    pub fn stores_uuids(&self) -> bool {
        self.key_types.contains(&KeyType::Uuid)
    }

    /// Whether a value of this type could be a key of any domain of this database. Arrays of keys
    /// count as keys; text, bytes, numbers without a fixed size, JSON, rows and types that are not
    /// known can hold a key in some form whatever the type in which keys are stored.
    #[must_use]
    pub fn may_hold_keys(&self, type_oid: Oid) -> bool {
        let stored = |test: fn(KeyType) -> bool| self.key_types.iter().copied().any(test);
        match KeyType::from_oid(type_oid.0) {
            Some((key_type, _)) if key_type.is_integer() => stored(KeyType::is_integer),
            Some((KeyType::Uuid, _)) => stored(|key_type| key_type == KeyType::Uuid),
            _ => self.has_ids() && !oid::NEVER_KEYS.contains(&type_oid.0),
        }
    }

    /// Whether anything in this database is annotated, or would be if it were made.
    #[must_use]
    pub fn can_have_ids(&self) -> bool {
        self.has_ids()
            || self.closes_undecided
            || !self.missing.is_empty()
            || !self.awaited.is_empty()
    }

    /// What a column named by a RowDescription (table oid and attribute number) holds, if keys.
    #[must_use]
    pub fn provenance(&self, table: Oid, attnum: i16) -> Option<IdColumn> {
        self.relations.get(&table)?.attribute(attnum)?.id
    }

    /// Whether a word is the name of a relation in which keys can be seen, in whatever schema.
    #[must_use]
    pub fn is_protected_name(&self, word: &str) -> bool {
        self.protected_names.contains(word)
    }

    /// The sequences from which keys come, or those from which none do, in the order of their
    /// oids.
    #[must_use]
    pub fn sequences(&self, of_keys: bool) -> Vec<Oid> {
        let is_meant = |relation: &&Arc<Relation>| {
            relation.kind == RelationKind::Sequence && relation.protected == of_keys
        };
        let meant = self.relations.values().filter(is_meant);
        let mut oids: Vec<Oid> = meant.map(|relation| relation.oid).collect();
        oids.sort_unstable();
        oids
    }

    /// Those among the sequences from which keys come that belong to a column in whose place clients
    /// see another type, or fill only such: a database with real ids would not have them.
    #[must_use]
    pub fn sequences_of_ids(&self) -> &[Oid] {
        &self.sequences_of_ids
    }

    /// The domains of columns in whose place clients see another type, in the order of their oids;
    /// and that type, if it is the same for all columns of the domain: a database with real ids would
    /// have the domain over it.
    #[must_use]
    pub fn domains_of_ids(&self) -> &[(Oid, Option<u32>)] {
        &self.domains_of_ids
    }

    /// Whether catalogs say of columns of keys what clients see of them.
    #[must_use]
    pub const fn shows_ids(&self) -> bool {
        !self.tells_truth
    }

    /// The columns of keys in whose place clients see another type: the relation, the attribute
    /// number, and the oids of the two types.
    pub fn shown_otherwise(&self) -> impl Iterator<Item = (Oid, i16, u32, u32)> {
        self.keyed().flat_map(|relation| {
            let columns = relation.columns.iter().filter_map(|column| {
                let own = column.type_oid.0;
                Some((relation.oid, column.attnum, own, column.shown_otherwise()?))
            });
            columns.collect::<Vec<_>>()
        })
    }

    /// Gives this snapshot with the temporary relations of a session in it.
    #[must_use]
    pub fn with(&self, temporary: &Temporary) -> Self {
        let mut with = self.clone();
        for relation in &temporary.relations {
            with.shadows |= self.is_protected_name(&relation.name)
                || relation.protected && self.is_relation_name(&relation.name);
            let view = relation.definition.as_ref().map(|_| relation.name.clone());
            with.catalog_views.extend(view);
            with.owned.push(relation.name.clone());
            with.names.add(&relation.name, relation.oid);
            with.keyed.push(relation.oid);
            with.unanalysed |= relation.unanalysed;
            if relation.protected {
                with.protected_names.insert(relation.name.clone());
                with.protected_names.insert(format!("_{}", relation.name));
            }
            let ids = relation.columns.iter().filter_map(|column| column.id);
            with.key_types.extend(ids.map(|id| id.id.key_type));
            with.relations.insert(relation.oid, Arc::clone(relation));
        }
        with.owned.extend(temporary.types.iter().cloned());
        with.temporary_path = Some(temporary.path.clone());
        with
    }

    /// Whether keys are stored in such a form anywhere: it is theirs, and no text of them.
    #[must_use]
    pub fn stores(&self, id: IdType) -> bool {
        let columns = self.keyed().flat_map(|relation| &relation.columns);
        let mut ids = columns.filter_map(|column| column.id);
        ids.any(|known| {
            known.id.domain == id.domain
                && known.id.key_type.is_like(id.key_type)
                && known.id.shown.is_like(id.shown)
        })
    }

    /// Whether a temporary relation has the name of one that lasts, and either is protected: the name
    /// means that one as soon as the other is gone.
    #[must_use]
    pub fn shadows(&self) -> bool {
        self.shadows
    }

    /// The names of the session's temporary relations and types: code that looks for names when it
    /// runs means these.
    #[must_use]
    pub fn owned(&self) -> &[String] {
        &self.owned
    }

    /// The partitions and other children of a relation.
    pub fn children(&self, oid: Oid) -> impl Iterator<Item = Oid> {
        self.children.get(&oid).into_iter().flatten().copied()
    }

    /// The relations that refer to one.
    pub fn referring(&self, oid: Oid) -> impl Iterator<Item = Oid> {
        self.referring.get(&oid).into_iter().flatten().copied()
    }

    /// Whether a statement about a relation may come to what does not stand with it: to functions of
    /// domains, to a sequence that is looked for by its name, or to other relations.
    #[must_use]
    pub fn leads_on(&self, oid: Oid) -> bool {
        let leads = |to: &HashMap<Oid, Vec<Oid>>| to.contains_key(&oid);
        self.draws_by_name(oid)
            || [&self.checks, &self.children, &self.referring]
                .map(leads)
                .contains(&true)
    }

    /// The functions that the domains of a relation's columns run.
    pub fn checks_of(&self, oid: Oid) -> impl Iterator<Item = Oid> {
        self.checks.get(&oid).into_iter().flatten().copied()
    }

    /// Whether a column of a relation is filled from a sequence that is looked for by its name.
    #[must_use]
    pub fn draws_by_name(&self, oid: Oid) -> bool {
        self.drawing.contains(&oid)
    }

    /// Whether there is any such column.
    #[must_use]
    pub fn has_draws_by_name(&self) -> bool {
        !self.drawing.is_empty()
    }

    /// What code of the database names when it runs, as it is read the first time that somebody asks.
    #[must_use]
    pub fn late_code(&self, read: impl FnOnce() -> LateCode) -> &LateCode {
        self.late.get_or_init(read)
    }

    /// The schema of the session's temporary relations, if it has any.
    #[must_use]
    pub fn temporary_schema(&self) -> Option<&str> {
        let mut schemas = self.temporary_path.as_ref()?.schemas();
        schemas.find(|schema| is_temporary(schema))
    }

    /// Whether a column of this name may tell of which domain keys are.
    #[must_use]
    pub fn tells(&self, column: &str) -> bool {
        self.telling.contains(column)
    }

    /// What an annotated column would hold that this database does not have yet.
    #[must_use]
    pub fn awaited(&self, schema: &str, table: &str, column: &str) -> Option<DomainId> {
        let mut awaited = self.awaited.iter();
        let awaited = awaited.find(|(pattern, _)| {
            pattern.matches_schema(schema)
                && pattern.matches_table(table)
                && pattern.matches_column(column)
        });
        awaited.map(|(_, domain)| *domain)
    }

    /// The relations with columns that hold keys or show them, and perhaps some others.
    pub fn keyed(&self) -> impl Iterator<Item = &Arc<Relation>> {
        let keyed = self.keyed.iter();
        keyed.filter_map(|oid| self.relations.get(oid))
    }

    /// Whether any definition has not been read.
    #[must_use]
    pub const fn has_unread(&self) -> bool {
        self.unanalysed
    }

    /// The functions.
    #[must_use]
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// The search path under which the definitions of views and functions in a schema are to be
    /// read. What is not temporary names nothing that is.
    #[must_use]
    pub fn definition_path(&self, schema: &str) -> &SearchPath {
        let temporary = self.temporary_path.as_ref();
        let temporary = temporary.filter(|_| is_temporary(schema));
        temporary.unwrap_or(&self.definition_path)
    }

    /// The annotations that are about no column of this database.
    #[must_use]
    pub fn missing(&self) -> &[ColumnPattern] {
        &self.missing
    }

    /// The columns that can't hold the ids that they are said to hold: they are closed.
    #[must_use]
    pub fn misfits(&self) -> &[Misfit] {
        &self.misfits
    }

    /// The columns of lasting tables that hold keys, as the catalogs tell, and are neither annotated
    /// nor said to stay as they are; in the order of their names.
    #[must_use]
    pub const fn undecided(&self) -> &Arc<[Arc<ColumnName>]> {
        &self.undecided
    }

    /// Whether such columns are closed.
    #[must_use]
    pub const fn closes_undecided(&self) -> bool {
        self.closes_undecided
    }

    /// The declared functions that this database does not have.
    #[must_use]
    pub fn missing_functions(&self) -> &[String] {
        &self.missing_functions
    }

    /// The declared functions that are not what the configuration says of them, and what is not:
    /// they are closed.
    #[must_use]
    pub fn misfit_functions(&self) -> &[String] {
        &self.misfit_functions
    }

    /// Which ids the payload of a channel carries, if that is declared: one that is all of it, or
    /// some at paths of a JSON document.
    #[must_use]
    pub fn channel(&self, name: &str) -> Option<&[ChannelId]> {
        self.channels.get(name).filter(|ids| !ids.is_empty())
    }

    /// Whether a channel is declared to carry no ids, so that numbers in its payload are no keys.
    #[must_use]
    pub fn is_free_channel(&self, name: &str) -> bool {
        self.channels.get(name).is_some_and(<[_]>::is_empty)
    }

    /// Whether any channel carries ids.
    #[must_use]
    pub fn has_channels(&self) -> bool {
        self.channels.carry_ids()
    }

    /// How many characters such ids have at the most, as text.
    #[must_use]
    pub fn longest_id(&self, id: IdType) -> usize {
        let types = self.column_types.get(usize::from(id.domain.0));
        let longest = types.and_then(|types| types.longest_text(id.key_type.value_type()));
        longest.unwrap_or(usize::MAX)
    }

    /// What clients see of the columns of a domain.
    #[must_use]
    pub fn column_types(&self, domain: DomainId) -> ColumnTypes {
        let types = self.column_types.get(usize::from(domain.0));
        types.copied().unwrap_or_default()
    }

    /// The name of a domain in the configuration.
    #[must_use]
    pub fn domain_name(&self, domain: DomainId) -> &str {
        self.domain_names
            .get(usize::from(domain.0))
            .map_or("", String::as_str)
    }
}
