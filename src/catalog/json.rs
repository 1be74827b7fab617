//! Keys inside JSON documents: from annotations to columns.

use std::sync::Arc;

use crate::config::{ColumnName, IdAnnotation, JsonAnnotation, PathStep};
use crate::pg::oid;

use super::domains::Missing;
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

/// Marks every column that holds documents with keys in them. Gives the annotated ones that this
/// database does not have.
pub(super) fn spread(
    draft: &mut Draft,
    annotations: &[IdAnnotation],
    missing: &mut Missing,
) -> Result<(), CatalogError> {
    for (index, annotation) in annotations.iter().enumerate() {
        let domain = DomainId(u16::try_from(index).unwrap_or(u16::MAX));
        for json in &annotation.json {
            match (find(draft, &json.column), defining(draft, domain)) {
                (Some(place), Some(id)) => mark(draft, place, annotation, json, id)?,
                (Some(place), None) => {
                    hide(draft, place);
                    missing.meanings = true;
                }
                (None, _) => missing.documents.push(json.column.clone()),
            }
        }
    }
    Ok(())
}

fn find(draft: &Draft, name: &ColumnName) -> Option<Place> {
    let relation = draft.find(&name.schema, &name.table)?;
    let is_table = relation.kind == RelationKind::Table;
    let column = relation.column(&name.column).filter(|_| is_table)?;
    Some((relation.oid, column.attnum))
}

/// Nobody can say what its keys are.
fn hide(draft: &mut Draft, place: Place) {
    if let Some(column) = draft.column_mut(place) {
        column.derived = true;
    }
}

/// What the column that defines a domain holds.
fn defining(draft: &Draft, domain: DomainId) -> Option<IdType> {
    draft.defining.iter().find_map(|(relation, attnum)| {
        let column = draft.relations.get(relation)?.attribute(*attnum)?;
        let id = column.id?.id;
        (id.domain == domain).then_some(id)
    })
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
