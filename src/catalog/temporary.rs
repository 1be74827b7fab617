//! The temporary relations of one session, which no other session sees: apart from the snapshot of
//! the database that all share, and put on top of it for the session that they belong to.
//!
//! What a temporary table holds the statement tells that makes it: nothing in the database does.
//! The session remembers that statement until the next look at the database, which finds the
//! relation; from then on the relation is known by its oid, whatever it is called, until it is
//! known to be gone for good.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::config::IdAnnotation;

use super::domains::id_type;
use super::draft::{Draft, Place};
use super::{DomainId, IdColumn, Oid, Relation, RelationKind, SearchPath};

/// A relation that a statement makes, and which of its columns hold keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CreatedRelation {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: CreatedColumns,
    /// Whether some of them hold keys, or will.
    pub keyed: bool,
}

impl CreatedRelation {
    /// Whether there are said to be keys in it, and of no column what it holds: so that nobody shows
    /// it before the database has been looked at. Without keys it would be said to be clean.
    pub(crate) const fn claims_nothing(&self) -> bool {
        let told = match &self.columns {
            CreatedColumns::Ordered(columns) => columns.len(),
            CreatedColumns::Named(columns) => columns.len(),
        };
        self.keyed && told == 0
    }

    /// Whether keys are in it from the beginning.
    const fn holds_keys(&self) -> bool {
        matches!(self.columns, CreatedColumns::Ordered(_))
    }
}

/// The columns of a relation that a statement makes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CreatedColumns {
    /// All columns in order, with what those of them hold that hold keys: made by a query.
    Ordered(Vec<Option<IdColumn>>),
    /// Those that hold keys, by name, if it is made like another table: they are yet to come.
    Named(Vec<(String, IdColumn)>),
}

/// The temporary relations and types of a session.
#[derive(Debug, Default)]
pub struct Temporary {
    pub(super) relations: Vec<Arc<Relation>>,
    /// The names of the types that are neither of rows nor arrays.
    pub(super) types: Vec<String>,
    /// Equal for equal relations.
    pub(super) fingerprint: u64,
    /// The search path, which has the temporary schema in it if there is one.
    pub(super) path: SearchPath,
}

impl Temporary {
    /// Whether no temporary relation is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.relations.is_empty() && self.types.is_empty()
    }

    /// Equal for equal relations, as far as the database tells.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// Whether a schema is one of temporary objects.
pub(crate) fn is_temporary(schema: &str) -> bool {
    schema.starts_with("pg_temp_")
}

/// What a column of a temporary relation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fact {
    Key(DomainId),
    /// Keys, in a form that can't be shown; `generated` if from other columns.
    Hidden {
        generated: bool,
    },
}

/// What a session knows of its temporary relations, by oid and attribute number: also of those
/// relations and columns that its open transaction has dropped, as its end may bring them back.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    relations: HashMap<Oid, HashMap<i16, Fact>>,
}

impl Facts {
    /// Takes what a snapshot shows. What was known of a column stays.
    pub fn learn(&mut self, temporary: &Temporary) {
        for relation in &temporary.relations {
            let columns = self.relations.entry(relation.oid).or_default();
            for column in &relation.columns {
                let generated = column.generated;
                let fact = match column.id {
                    Some(id) => Fact::Key(id.id.domain),
                    None if column.derived => Fact::Hidden { generated },
                    None => continue,
                };
                columns.entry(column.attnum).or_insert(fact);
            }
        }
    }

    /// Forgets the relations that are not there where no transaction is open: they are gone for
    /// good.
    pub fn settle(&mut self, temporary: &Temporary) {
        let there: HashSet<Oid> = temporary.relations.iter().map(|of| of.oid).collect();
        self.relations.retain(|oid, _| there.contains(oid));
    }

    fn all(&self) -> impl Iterator<Item = (Place, Fact)> {
        self.relations.iter().flat_map(|(oid, columns)| {
            let columns = columns.iter();
            columns.map(|(attnum, fact)| ((*oid, *attnum), *fact))
        })
    }

    /// The columns that have held keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = (Place, DomainId)> {
        self.all().filter_map(|(place, fact)| match fact {
            Fact::Key(domain) => Some((place, domain)),
            Fact::Hidden { .. } => None,
        })
    }

    /// The columns that have shown keys in a form that can't be shown.
    pub(super) fn hidden(&self) -> impl Iterator<Item = Place> {
        let hidden = |(place, fact)| matches!(fact, Fact::Hidden { .. }).then_some(place);
        self.all().filter_map(hidden)
    }
}

/// Finds what a statement has made, and what it holds: columns for the annotations to spread to.
/// One that is not what the statement tells is hidden as a whole.
pub(super) fn find(
    draft: &mut Draft,
    annotations: &[IdAnnotation],
    made: &[Arc<CreatedRelation>],
    known: &Facts,
) -> Vec<(Place, DomainId)> {
    let generated = Fact::Hidden { generated: true };
    for ((oid, attnum), _) in known.all().filter(|(_, fact)| {
        // What generated columns show their expressions tell.
        matches!(fact, Fact::Hidden { .. }) && *fact != generated
    }) {
        hide(draft, oid, |column| column.attnum == attnum);
    }
    let mut places = Vec::new();
    for one in made {
        // What a query has made comes last: nothing else is made behind it.
        let again = |later: &Arc<CreatedRelation>| later.name == one.name && later.holds_keys();
        if one.holds_keys() || !made.iter().any(again) {
            places.extend(find_one(draft, annotations, one, known));
        }
    }
    hide_unknown(draft, made, known);
    places
}

/// Hides what no statement has told of: code of the database has made it, of whatever.
fn hide_unknown(draft: &mut Draft, made: &[Arc<CreatedRelation>], known: &Facts) {
    let is_unknown = |relation: &&Arc<Relation>| {
        relation.kind == RelationKind::Table
            && !known.relations.contains_key(&relation.oid)
            && !made.iter().any(|made| made.name == relation.name)
    };
    let unknown = draft.all(&draft.own).filter(is_unknown);
    let unknown: Vec<Oid> = unknown.map(|relation| relation.oid).collect();
    for oid in unknown {
        hide(draft, oid, |_| true);
    }
}

fn find_one(
    draft: &mut Draft,
    annotations: &[IdAnnotation],
    made: &CreatedRelation,
    known: &Facts,
) -> Vec<(Place, DomainId)> {
    let found = draft.all(&draft.own).find(|relation| {
        relation.name == made.name
            && relation.kind == RelationKind::Table
            && !known.relations.contains_key(&relation.oid)
    });
    let Some(relation) = found else {
        return Vec::new();
    };
    let oid = relation.oid;
    let fits = |column: &super::Column, id: IdColumn| {
        let fitting = id_type(annotations, id.id.domain, column.type_oid);
        fitting.is_some_and(|(_, array)| array == id.array)
    };
    let mut places = Vec::new();
    let mut held = |column: Option<&super::Column>, id: IdColumn| {
        let column = column.filter(|column| fits(column, id));
        places.extend(column.map(|column| ((oid, column.attnum), id.id.domain)));
        column.is_some()
    };
    let as_told = match &made.columns {
        CreatedColumns::Ordered(columns) => {
            columns.len() == relation.columns.len()
                && columns
                    .iter()
                    .zip(&relation.columns)
                    .all(|(id, column)| id.is_none_or(|id| held(Some(column), id)))
        }
        CreatedColumns::Named(columns) => columns
            .iter()
            .all(|(name, id)| held(relation.column(name), *id)),
    };
    if !as_told {
        hide(draft, oid, |_| true);
        return Vec::new();
    }
    places
}

/// Hides columns of temporary tables that would hold keys by a foreign key or a parent which they
/// have got only later: what is in them is what the session has put there. So are the columns of
/// their parents, who show the same rows.
pub(super) fn hide_late(
    draft: &mut Draft,
    (made, places): (&[Arc<CreatedRelation>], &[(Place, DomainId)]),
    known: &Facts,
) {
    let mut late: Vec<(Oid, String)> = Vec::new();
    let tables = draft
        .all(&draft.own)
        .filter(|relation| relation.kind == RelationKind::Table);
    for relation in tables {
        let facts = known.relations.get(&relation.oid);
        let told = |made: &Arc<CreatedRelation>| made.keyed && made.name == relation.name;
        let from_the_beginning = facts.is_none() && made.iter().any(told);
        for column in relation.columns.iter().filter(|column| column.id.is_some()) {
            let fact = facts.and_then(|facts| facts.get(&column.attnum));
            let place = (relation.oid, column.attnum);
            let is_known = matches!(fact, Some(Fact::Key(_)))
                || places.iter().any(|(made, _)| *made == place)
                || from_the_beginning;
            if !is_known {
                late.push((relation.oid, column.name.clone()));
            }
        }
    }
    let mut done = 0;
    while let Some((oid, name)) = late.get(done).cloned() {
        done += 1;
        let column = draft.columns_mut(oid).find(|column| column.name == name);
        if let Some(column) = column {
            (column.id, column.derived) = (None, true);
        }
        let parents = draft.inheritance.iter().filter(|(child, _)| *child == oid);
        let parents: Vec<_> = parents.map(|(_, parent)| (*parent, name.clone())).collect();
        late.extend(parents.into_iter().filter(|(parent, _)| {
            let relation = draft.relations.get(parent);
            relation.is_some_and(|relation| is_temporary(&relation.schema))
        }));
    }
}

fn hide(draft: &mut Draft, oid: Oid, which: impl Fn(&super::Column) -> bool) {
    for column in draft.columns_mut(oid) {
        column.derived |= which(column);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Column, IdType, KeyType};
    use super::*;

    fn relation(oid: u32, keys: &[bool]) -> Arc<Relation> {
        let id = IdColumn {
            id: IdType {
                domain: DomainId(0),
                key_type: KeyType::Int8,
                shown: KeyType::Uuid,
            },
            array: false,
        };
        let column = |(attnum, key): (i16, &bool)| Column {
            attnum,
            name: format!("c{attnum}"),
            type_oid: Oid(20),
            id: key.then_some(id),
            json: Arc::from([]),
            generated: false,
            derived: false,
            undecided: false,
            polymorphic: None,
            identity: false,
            row: None,
            version: 0,
        };
        Arc::new(Relation {
            oid: Oid(oid),
            schema: "pg_temp_3".to_owned(),
            name: "t".to_owned(),
            kind: RelationKind::Table,
            columns: (1..).zip(keys).map(column).collect(),
            foreign_keys: Vec::new(),
            primary_key: Vec::new(),
            definition: None,
            unanalysed: false,
            of_extension: false,
            rules: Vec::new(),
            runs: Vec::new(),
            protected: false,
            computes: false,
            placed_by_keys: false,
            version: 0,
            schema_version: 0,
            attributes: 0,
        })
    }

    fn temporary(relations: Vec<Arc<Relation>>) -> Temporary {
        Temporary {
            relations,
            ..Temporary::default()
        }
    }

    #[test]
    fn a_fact_lives_until_its_relation_is_gone_for_good() {
        let mut facts = Facts::default();
        facts.learn(&temporary(vec![relation(7, &[true, false])]));
        let key = ((Oid(7), 1), DomainId(0));
        // The column, or all of it, is dropped, and may come back.
        for now in [vec![relation(7, &[])], vec![], vec![relation(8, &[false])]] {
            facts.learn(&temporary(now));
            assert_eq!(facts.keys().collect::<Vec<_>>(), [key]);
        }
        facts.settle(&temporary(vec![relation(8, &[false])]));
        assert_eq!(facts.keys().count(), 0);
        assert!(facts.relations.contains_key(&Oid(8)));
    }
}
