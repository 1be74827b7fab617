//! Keys inside JSON documents: from annotations to columns.

use std::sync::Arc;

use crate::config::{IdAnnotation, JsonAnnotation, PathStep};
use crate::pg::oid;

use super::domains::Outcome;
use super::draft::{Draft, Place};
use super::{CatalogError, DomainId, IdType, KeyType, RelationKind};

/// A key in each document of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonKey {
    /// From the document to the key.
    pub path: Vec<PathStep>,
    /// What it is.
    pub id: IdType,
    /// Whether it is written as a number, rather than as a string.
    pub number: bool,
}

/// Marks every column that holds documents with keys in them.
pub(super) fn spread(
    draft: &mut Draft,
    annotations: &[IdAnnotation],
    outcome: &mut Outcome,
) -> Result<(), CatalogError> {
    for (index, annotation) in annotations.iter().enumerate() {
        let domain = DomainId(u16::try_from(index).unwrap_or(u16::MAX));
        for json in &annotation.json {
            let places = draft.matching(&json.column, &[RelationKind::Table]);
            if places.is_empty() {
                outcome.unmatched.push(json.column.clone());
            }
            for place in places {
                let Some(id) = defining(draft, domain) else {
                    hide(draft, place);
                    outcome.meanings = true;
                    continue;
                };
                if let Err(error) = mark(draft, place, annotation, json, id) {
                    outcome.misfits(place, &json.column, error)?;
                }
            }
        }
    }
    Ok(())
}

/// Nobody can say what its keys are.
fn hide(draft: &mut Draft, place: Place) {
    if let Some(column) = draft.column_mut(place) {
        column.derived = true;
    }
}

/// What the columns that define a domain hold, if it is the same.
pub(super) fn defining(draft: &Draft, domain: DomainId) -> Option<IdType> {
    let mut ids = draft.defining.iter().filter_map(|(relation, attnum)| {
        let column = draft.relations.get(relation)?.attribute(*attnum)?;
        let id = column.id?.id;
        (id.domain == domain).then_some(id)
    });
    let first = ids.next()?;
    ids.all(|id| id == first).then_some(first)
}

fn mark(
    draft: &mut Draft,
    place: Place,
    annotation: &IdAnnotation,
    json: &JsonAnnotation,
    id: IdType,
) -> Result<(), CatalogError> {
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
            return Err(CatalogError::Json {
                column: json.column.to_string(),
                domain: annotation.name.clone(),
                found: found.to_owned(),
            });
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
