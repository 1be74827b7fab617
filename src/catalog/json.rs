//! Keys inside JSON documents: from annotations to columns.

use std::sync::Arc;

use crate::config::{IdAnnotation, JsonAnnotation, PathStep};
use crate::pg::oid;

use super::domains::Outcome;
use super::draft::{Draft, Place};
use super::misfit::MisfitCause;
use super::{DomainId, IdType, KeyType, Relation, RelationKind};

/// A key in each document of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonKey {
    /// From the document to the key.
    pub path: Vec<PathStep>,
    /// The type of the ids there.
    pub id: IdType,
    /// Whether it is written as a number, rather than as a string.
    pub number: bool,
}

/// Marks every column that holds documents with keys in them.
pub(super) fn spread(draft: &mut Draft, annotations: &[IdAnnotation], outcome: &mut Outcome) {
    for (index, annotation) in annotations.iter().enumerate() {
        let domain = DomainId(u16::try_from(index).unwrap_or(u16::MAX));
        for json in &annotation.json {
            let places = draft.matching(&json.column, &[RelationKind::Table]);
            if places.is_empty() {
                outcome.unmatched.push(json.column.clone());
            }
            for place in places {
                let id = defining_beside(draft, domain, place);
                let Some(id) = id.or_else(|| defining(draft, domain)) else {
                    hide(draft, place);
                    outcome.closed.insert(place);
                    outcome.meanings = true;
                    continue;
                };
                if let Err((place, cause)) = mark(draft, place, json, id) {
                    outcome.misfits(draft, place, &annotation.name, cause);
                }
            }
        }
    }
}

/// Nobody can say what its keys are.
fn hide(draft: &mut Draft, place: Place) {
    if let Some(column) = draft.column_mut(place) {
        column.derived = true;
    }
}

/// What the columns that define a domain hold, if it is the same.
pub(super) fn defining(draft: &Draft, domain: DomainId) -> Option<IdType> {
    common(defining_in(draft, domain, |_| true))
}

/// What the columns hold that define a domain in the schema of a document, if it is the same: where
/// each tenant has a schema, its documents have its keys, whatever others have made of theirs.
fn defining_beside(draft: &Draft, domain: DomainId, place: Place) -> Option<IdType> {
    let schema = &draft.relations.get(&place.0)?.schema;
    common(defining_in(draft, domain, |relation| {
        relation.schema == *schema
    }))
}

fn defining_in(
    draft: &Draft,
    domain: DomainId,
    is_meant: impl Fn(&Relation) -> bool,
) -> impl Iterator<Item = IdType> {
    draft.defining.iter().filter_map(move |(oid, attnum)| {
        let relation = draft.relations.get(oid)?;
        let id = relation.attribute(*attnum)?.id?.id;
        (id.domain == domain && is_meant(relation)).then_some(id)
    })
}

fn common(mut ids: impl Iterator<Item = IdType>) -> Option<IdType> {
    let first = ids.next()?;
    ids.all(|id| id == first).then_some(first)
}

fn mark(
    draft: &mut Draft,
    place: Place,
    json: &JsonAnnotation,
    id: IdType,
) -> Result<(), (Place, MisfitCause)> {
    let is_integer = id.key_type.is_integer();
    let key = JsonKey {
        path: json.path.clone(),
        id,
        number: is_integer && json.numbers.unwrap_or(true),
    };
    let mut places = vec![place];
    while let Some((oid, attnum)) = places.pop() {
        let Some(column) = draft.column_mut((oid, attnum)) else {
            continue;
        };
        // json, jsonb, text and varchar.
        let is_json = oid::is_text_or_document(column.type_oid.0);
        if !is_json || id.key_type == KeyType::Bytea || id.shown == KeyType::Bytea {
            let found = oid::name(column.type_oid.0).unwrap_or("another type");
            let found = found.to_owned();
            return Err(((oid, attnum), MisfitCause::Document { found }));
        }
        if column.json.contains(&key) {
            continue;
        }
        let keys = column.json.iter().cloned().chain([key.clone()]);
        column.json = Arc::from(keys.collect::<Vec<_>>());
        let name = column.name.clone();
        // A parent shows its children's rows, and a child has its parent's columns.
        let relatives = draft.inheritance.iter().filter_map(|(child, parent)| {
            let relative = if *child == oid {
                parent
            } else if *parent == oid {
                child
            } else {
                return None;
            };
            let relation = draft.relations.get(relative)?;
            Some((*relative, relation.column(&name)?.attnum))
        });
        places.extend(relatives.collect::<Vec<_>>());
    }
    Ok(())
}
