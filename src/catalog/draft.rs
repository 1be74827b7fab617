//! The relations of a database before it is known which of their columns hold keys. What is not
//! changed is shared with what was told, and what has no part in the search is not gone through:
//! few relations of a large database have.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::config::{ColumnPattern, Decisions};

use super::memory::Memory;
use super::names::Names;
use super::snapshot::ByOid;
use super::told::{Common, Part, Told};
use super::undecided::{self, Suspect};
use super::{Column, Oid, Relation, RelationKind};

/// A column: its relation and attribute number.
pub(super) type Place = (Oid, i16);

/// Types below this oid are those that Postgres begins with: no domains, and no rows of relations
/// in which keys are.
const FIRST_DEFINED: u32 = 10_000;

/// Whether a column is of a type that has been defined, so that it may be a domain or a row.
pub(super) const fn is_defined(column: &Column) -> bool {
    column.type_oid.0 >= FIRST_DEFINED
}

/// The relations of a database before the domains are known.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) relations: ByOid<Arc<Relation>>,
    /// Those of them that all sessions share, by name.
    names: Names,
    /// Those that are temporary.
    pub(super) own: Vec<Oid>,
    /// Those that have been changed. No other has a column that holds keys or shows them.
    pub(super) touched: HashSet<Oid>,
    /// Those with columns of types that have been defined.
    pub(super) defined: Vec<Oid>,
    /// The columns of tables and types that are of domains, with these.
    pub(super) of_domains: Vec<(Place, Oid)>,
    /// The functions that domains of columns run.
    pub(super) checks: HashMap<Oid, Vec<Oid>>,
    /// Those with foreign keys.
    pub(super) referencing: Vec<Oid>,
    pub(super) sequences: Vec<Oid>,
    /// Those of the system that show keys.
    pub(super) showing: Vec<Oid>,
    /// (child, parent)
    pub(super) inheritance: Vec<(Oid, Oid)>,
    /// The column that a sequence belongs to.
    pub(super) sequence_owners: HashMap<Oid, (Oid, i16)>,
    /// Columns whose default draws from a sequence, or that of their domain, and the sequence; none
    /// if that may be any.
    pub(super) draws: Vec<(Place, Option<Oid>)>,
    /// (relation with an expression in its definition, column that the expression names)
    pub(super) computing: Vec<(Oid, Place)>,
    /// (view, relation that its definition names)
    pub(super) dependencies: Vec<(Oid, Oid)>,
    /// Generated columns, with their expressions.
    pub(super) generated: Vec<(Place, Option<String>)>,
    /// Partitioned relations, with the columns by which they are; 0 for an expression.
    pub(super) partitioned: Vec<Place>,
    /// What earlier snapshots have known of columns.
    pub(super) memory: Memory,
    /// The columns that the annotations name as the defining ones.
    pub(super) defining: HashSet<Place>,
    /// All columns that the annotations name.
    pub(super) listed: HashSet<Place>,
    /// The types of rows and of arrays of rows that any column is of: the relation, and whether it
    /// is an array.
    pub(super) row_types: HashMap<Oid, (Oid, bool)>,
    /// The columns that may be keys, of the relations that have any.
    pub(super) suspects: Vec<(Oid, Arc<[Suspect]>)>,
    /// What is told of no relation.
    pub(super) shared: Arc<Common>,
    /// What is decided of columns without annotation.
    pub(super) decisions: Decisions,
    /// Columns of keys that nobody has decided on.
    pub(super) undecided: Vec<Place>,
    /// Views whose definition calls functions that may read anything.
    pub(super) opaque_views: Vec<Oid>,
}

impl Draft {
    /// What has been told of all relations, and of those of the session.
    pub(super) fn of(told: &Told, own: &[Part]) -> Self {
        let mut draft = Self {
            relations: ByOid::with_capacity_and_hasher(
                told.relations.len() + own.len(),
                foldhash::fast::RandomState::default(),
            ),
            names: told.names.clone(),
            own: own.iter().map(|part| part.relation.oid).collect(),
            shared: Arc::clone(&told.shared),
            ..Self::default()
        };
        let parts = || told.relations.values().map(|part| &**part).chain(own);
        for part in parts() {
            draft.add(part);
        }
        let base_types = &told.shared.base_types;
        let mut wanted = HashSet::new();
        for oid in draft.defined.clone() {
            let Some(relation) = draft.relations.get(&oid) else {
                continue;
            };
            let has_own = matches!(relation.kind, RelationKind::Table | RelationKind::Composite);
            let mut has_domain = false;
            for column in &relation.columns {
                if base_types.contains_key(&column.type_oid) {
                    has_domain = true;
                    let place = (oid, column.attnum);
                    let of_domain = has_own.then_some((place, column.type_oid));
                    draft.of_domains.extend(of_domain);
                }
                let checks = told.shared.functions.checks.of(column.type_oid);
                if !checks.is_empty() {
                    draft.checks.entry(oid).or_default().extend(checks);
                }
                wanted.insert(told.shared.base(column.type_oid));
            }
            if has_domain {
                for column in draft.columns_mut(oid) {
                    column.type_oid = told.shared.base(column.type_oid);
                }
            }
        }
        if !wanted.is_empty() {
            for part in parts() {
                let row_types = part.row_types.iter();
                let wanted = row_types.filter(|(row_type, _)| wanted.contains(row_type));
                let of = |(row_type, array): &(Oid, bool)| (*row_type, (part.oid(), *array));
                draft.row_types.extend(wanted.map(of));
            }
        }
        draft
    }

    fn add(&mut self, part: &Part) {
        let relation = Arc::clone(&part.relation);
        let oid = relation.oid;
        if part.defined {
            self.defined.push(oid);
        }
        if part.showing {
            self.showing.push(oid);
        }
        if !relation.foreign_keys.is_empty() {
            self.referencing.push(oid);
        }
        if relation.kind == RelationKind::Sequence {
            self.sequences.push(oid);
        }
        self.relations.insert(oid, relation);
        self.inheritance
            .extend(part.parents.iter().map(|parent| (oid, *parent)));
        if let Some(owner) = part.owner {
            self.sequence_owners.insert(oid, owner);
        }
        let draws = part.draws(&self.shared);
        self.draws
            .extend(draws.map(|(attnum, sequence)| ((oid, attnum), sequence)));
        self.computing
            .extend(part.computing.iter().map(|place| (oid, *place)));
        self.dependencies
            .extend(part.depends.iter().map(|on| (oid, *on)));
        let generated = part.generated.iter();
        self.generated
            .extend(generated.map(|(attnum, expression)| ((oid, *attnum), expression.clone())));
        let by = part.partitioned_by.iter();
        self.partitioned.extend(by.map(|attnum| (oid, *attnum)));
        if !part.suspects.is_empty() {
            self.suspects.push((oid, Arc::clone(&part.suspects)));
        }
        if part.opaque {
            self.opaque_views.push(oid);
        }
    }

    /// These relations.
    pub(super) fn all<'a>(
        &'a self,
        oids: impl IntoIterator<Item = &'a Oid>,
    ) -> impl Iterator<Item = &'a Arc<Relation>> {
        let oids = oids.into_iter();
        oids.filter_map(|oid| self.relations.get(oid))
    }

    /// The columns that a pattern is about, of relations of some kinds, in the order of their oids.
    pub(super) fn matching(&self, pattern: &ColumnPattern, kinds: &[RelationKind]) -> Vec<Place> {
        let relations: Vec<&Arc<Relation>> = match pattern.table() {
            Some(table) => {
                let named = self.names.get(table).iter().chain(&self.own);
                self.all(named).collect()
            }
            None => self.relations.values().collect(),
        };
        let meant = relations.into_iter().filter(|relation| {
            kinds.contains(&relation.kind)
                && pattern.matches_schema(&relation.schema)
                && pattern.matches_table(&relation.name)
        });
        let columns = meant.flat_map(|relation| {
            let columns = relation.columns.iter();
            let meant = columns.filter(|column| pattern.matches_column(&column.name));
            meant.map(|column| (relation.oid, column.attnum))
        });
        let mut places: Vec<Place> = columns.collect();
        places.sort_unstable();
        places
    }

    /// Whether a column is to stay as it is.
    pub(super) fn is_plain(&self, (oid, attnum): Place, plain: &[ColumnPattern]) -> bool {
        let relation = self.relations.get(&oid);
        relation.is_some_and(|relation| {
            let column = relation.attribute(attnum);
            column.is_some_and(|column| undecided::is_plain(plain, relation, column))
        })
    }

    /// A relation that is about to be changed.
    pub(super) fn relation_mut(&mut self, oid: Oid) -> Option<&mut Relation> {
        let relation = self.relations.get_mut(&oid)?;
        self.touched.insert(oid);
        Some(Arc::make_mut(relation))
    }

    /// Its columns.
    pub(super) fn columns_mut(&mut self, oid: Oid) -> impl Iterator<Item = &mut Column> {
        let relation = self.relation_mut(oid);
        relation
            .into_iter()
            .flat_map(|relation| &mut relation.columns)
    }

    /// A column of it.
    pub(super) fn column_mut(&mut self, (oid, attnum): Place) -> Option<&mut Column> {
        self.relations.get(&oid)?.attribute(attnum)?;
        self.columns_mut(oid).find(|column| column.attnum == attnum)
    }

    /// Takes the temporary relations out.
    pub(super) fn take_temporary(&mut self) -> Vec<Arc<Relation>> {
        let own = std::mem::take(&mut self.own);
        let taken = own.iter().filter_map(|oid| {
            self.touched.remove(oid);
            self.relations.remove(oid)
        });
        taken.collect()
    }
}
