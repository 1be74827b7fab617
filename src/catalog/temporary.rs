//! The temporary relations of one session, which no other session sees: apart from the picture of
//! the database that all share, and put on top of it for the session that they belong to.
//!
//! What a temporary table holds the statement tells that makes it: nothing in the database does.
//! The session remembers that statement until the next look at the database, which finds the
//! relation; from then on the relation is known by its oid, whatever it is called.

use std::collections::HashSet;
use std::sync::Arc;

use crate::config::IdAnnotation;

use super::domains::{Draft, Place, id_type};
use super::{DomainId, IdColumn, Oid, Relation, RelationKind, SearchPath, Snapshot};

/// A relation that a statement makes, of which some columns hold keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Made {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: MadeColumns,
}

impl Made {
    /// Whether keys are in it from the beginning.
    #[must_use]
    pub const fn holds_keys(&self) -> bool {
        matches!(self.columns, MadeColumns::Ordered(_))
    }
}

/// The columns of a relation that a statement makes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MadeColumns {
    /// All of them in order, with what those of them hold that hold keys: made by a query.
    Ordered(Vec<Option<IdColumn>>),
    /// Those that hold keys, by name: made like another table. Keys are yet to come.
    Named(Vec<(String, IdColumn)>),
}

/// The temporary relations of a session.
#[derive(Debug, Default)]
pub struct Temporary {
    pub(super) relations: Vec<Arc<Relation>>,
    /// Equal for equal relations.
    pub(super) fingerprint: u64,
    /// The search path, which has the temporary schema in it if there is one.
    pub(super) path: SearchPath,
}

impl Temporary {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.relations.is_empty()
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

/// What an earlier picture tells of temporary relations.
#[derive(Debug, Default)]
pub(super) struct Known {
    relations: HashSet<Oid>,
    /// Columns that hold keys, in a form that can't be shown.
    hidden: Vec<Place>,
}

impl Known {
    pub(super) fn of(earlier: &Snapshot) -> Self {
        let mut known = Self::default();
        let temporary = |relation: &&Arc<Relation>| is_temporary(&relation.schema);
        for relation in earlier.relations().filter(temporary) {
            known.relations.insert(relation.oid);
            let hidden = |column: &&super::Column| column.derived && !column.generated;
            let hidden = relation.columns.iter().filter(hidden);
            let places = hidden.map(|column| (relation.oid, column.attnum));
            known.hidden.extend(places);
        }
        known
    }
}

/// Finds what a statement has made, and what it holds: columns for the annotations to spread to.
/// One that is not what the statement tells is hidden as a whole.
pub(super) fn find(
    draft: &mut Draft,
    annotations: &[IdAnnotation],
    made: &[Arc<Made>],
    known: &Known,
) -> Vec<(Place, DomainId)> {
    for (oid, attnum) in &known.hidden {
        hide(draft, *oid, |column| column.attnum == *attnum);
    }
    let mut places = Vec::new();
    for one in made {
        // What a query has made comes last: nothing else is made behind it.
        let again = |later: &Arc<Made>| later.name == one.name && later.holds_keys();
        if one.holds_keys() || !made.iter().any(again) {
            places.extend(find_one(draft, annotations, one, known));
        }
    }
    places
}

fn find_one(
    draft: &mut Draft,
    annotations: &[IdAnnotation],
    made: &Made,
    known: &Known,
) -> Vec<(Place, DomainId)> {
    let found = draft.relations.values().find(|relation| {
        relation.name == made.name
            && relation.kind == RelationKind::Table
            && is_temporary(&relation.schema)
            && !known.relations.contains(&relation.oid)
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
        MadeColumns::Ordered(columns) => {
            columns.len() == relation.columns.len()
                && columns
                    .iter()
                    .zip(&relation.columns)
                    .all(|(id, column)| id.is_none_or(|id| held(Some(column), id)))
        }
        MadeColumns::Named(columns) => columns
            .iter()
            .all(|(name, id)| held(relation.column(name), *id)),
    };
    if !as_told {
        hide(draft, oid, |_| true);
        return Vec::new();
    }
    places
}

fn hide(draft: &mut Draft, oid: Oid, which: impl Fn(&super::Column) -> bool) {
    for column in draft.columns_mut(oid) {
        column.derived |= which(column);
    }
}
