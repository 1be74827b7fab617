//! Columns with keys of several domains, of which another column of the row tells: from annotations
//! to columns. To whoever knows nothing of them they are columns that can't be shown.

use std::collections::HashSet;
use std::sync::Arc;

use crate::config::{IdAnnotation, PolymorphicAnnotation};
use crate::pg::oid;

use super::domains::{Outcome, id_type, relatives, same_in};
use super::draft::{Draft, Place};
use super::json::defining;
use super::misfit::MisfitCause;
use super::{DomainId, IdType, KeyType, RelationKind};

/// What the keys in a column are, by the value beside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polymorphic {
    /// The name of the column that tells.
    pub by: String,
    /// The type of that column.
    pub by_type: u32,
    /// The domains; at least one.
    pub kinds: Vec<PolymorphicKind>,
    /// Whether keys are stored as their text, so that they must be cast to what they are.
    pub written: bool,
}

/// The keys of one domain in such a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolymorphicKind {
    /// The values that stand beside them; at least one.
    pub values: Vec<String>,
    /// What they are. All kinds of a column are shown as values of one type.
    pub id: IdType,
}

impl Polymorphic {
    /// The kind that a value of the sibling means.
    #[must_use]
    pub fn kind(&self, value: &str) -> Option<&PolymorphicKind> {
        let is_meant = |kind: &&PolymorphicKind| kind.values.iter().any(|known| known == value);
        self.kinds.iter().find(is_meant)
    }

    /// The kind of a domain.
    #[must_use]
    pub fn of(&self, domain: DomainId) -> Option<&PolymorphicKind> {
        self.kinds.iter().find(|kind| kind.id.domain == domain)
    }
}

/// The types of siblings: what they are equal to, a text or a number tells.
const TELLING: [u32; 5] = [oid::TEXT, oid::VARCHAR, oid::INT2, oid::INT4, oid::INT8];

/// Marks every column with keys of several domains.
pub(super) fn spread(
    draft: &mut Draft,
    polymorphic: &[PolymorphicAnnotation],
    annotations: &[IdAnnotation],
    outcome: &mut Outcome,
) {
    if polymorphic.is_empty() {
        return;
    }
    let relatives = relatives(draft);
    for one in polymorphic {
        let mut places = draft.matching(&one.column, &[RelationKind::Table]);
        if places.is_empty() {
            outcome.unmatched.push(one.column.clone());
        }
        // A parent shows its children's rows, and a child has its parent's columns.
        let mut next = 0;
        while let Some(place) = places.get(next).copied() {
            next += 1;
            for same in same_in(draft, place, &relatives) {
                if !places.contains(&same) {
                    places.push(same);
                }
            }
        }
        for place in places {
            match found(draft, place, one, annotations) {
                Ok(found) => {
                    if let Some(column) = draft.column_mut(place) {
                        column.derived = true;
                        column.polymorphic = Some(Arc::new(found));
                    }
                }
                Err(reason) => {
                    let first = one
                        .ids
                        .first()
                        .map_or(0, |(_, domain)| usize::from(*domain));
                    let domain = annotations.get(first).map_or("", |of| of.name.as_str());
                    let cause = MisfitCause::Polymorphic { reason };
                    outcome.misfits(draft, place, domain, cause);
                }
            }
        }
    }
}

/// What a column holds, or why it can't be told.
fn found(
    draft: &Draft,
    (relation, attnum): Place,
    of: &PolymorphicAnnotation,
    annotations: &[IdAnnotation],
) -> Result<Polymorphic, String> {
    let unknown = || "it is not there".to_owned();
    let relation = draft.relations.get(&relation).ok_or_else(unknown)?;
    let column = relation.attribute(attnum).ok_or_else(unknown)?;
    if column.id.is_some() {
        return Err("it holds keys of one domain, by a foreign key or a parent".to_owned());
    }
    let Some(sibling) = relation.column(&of.by) else {
        return Err(format!("there is no column {:?} beside it", of.by));
    };
    let by_type = sibling.type_oid.0;
    if sibling.holds_keys() || !TELLING.contains(&by_type) {
        return Err(format!(
            "{:?} beside it is no text, varchar, smallint, integer or bigint without keys",
            of.by
        ));
    }
    let mut kinds: Vec<PolymorphicKind> = Vec::new();
    let mut written = None;
    let is_number = by_type != oid::TEXT && by_type != oid::VARCHAR;
    for (value, domain) in &of.ids {
        let domain = DomainId(*domain);
        let number = value.parse::<i64>().map(|number| number.to_string());
        if is_number && number.ok().as_ref() != Some(value) {
            return Err(format!(
                "{:?} beside it holds numbers, and {value:?} is none",
                of.by
            ));
        }
        if let Some(known) = kinds.iter_mut().find(|kind| kind.id.domain == domain) {
            known.values.push(value.clone());
            continue;
        }
        let name = annotations.get(usize::from(domain.0));
        let name = name.map_or("", |annotation| annotation.name.as_str());
        let Some((id, cast)) = kind(draft, annotations, domain, column.type_oid.0) else {
            return Err(format!("keys of {name:?} can't be stored in its type"));
        };
        if *written.get_or_insert(cast) != cast {
            return Err("some of its keys are stored as text and some as text of keys".to_owned());
        }
        kinds.push(PolymorphicKind {
            values: vec![value.clone()],
            id,
        });
    }
    let shown = kinds.first().map(|kind| kind.id.shown);
    if kinds.iter().any(|kind| Some(kind.id.shown) != shown) {
        return Err("its ids are not all shown as values of one type".to_owned());
    }
    Ok(Polymorphic {
        by: of.by.clone(),
        by_type,
        kinds,
        written: written.unwrap_or_default(),
    })
}

/// What keys of a domain are in a column of a type, and whether they are stored as their text.
fn kind(
    draft: &Draft,
    annotations: &[IdAnnotation],
    domain: DomainId,
    type_oid: u32,
) -> Option<(IdType, bool)> {
    let key = defining(draft, domain)?;
    let (stored, array) = KeyType::from_oid(type_oid)?;
    if array || key.key_type == KeyType::Bytea {
        return None;
    }
    let is_integer = |of: KeyType| of.is_integer();
    let is_alike = stored == key.key_type
        || is_integer(stored) && is_integer(key.key_type)
        || stored.is_text() && key.key_type.is_text();
    if is_alike {
        let (id, _) = id_type(annotations, domain, super::Oid(type_oid))?;
        return Some((id, false));
    }
    // The text of an id, as a cast of it would be.
    matches!(stored, KeyType::Text | KeyType::Varchar).then_some((
        IdType {
            shown: stored,
            ..key
        },
        true,
    ))
}

/// The names of the columns that tell what others hold.
pub(super) fn telling(draft: &Draft) -> HashSet<String> {
    let relations = draft.all(&draft.touched);
    let columns = relations.flat_map(|relation| &relation.columns);
    let found = columns.filter_map(|column| column.polymorphic.as_deref());
    found.map(|of| of.by.clone()).collect()
}
