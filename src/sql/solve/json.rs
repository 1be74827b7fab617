//! Where ids stand in JSON documents, from what became of their parts.

use std::ops::Range;

use crate::sql::infer::{Binder, Occurrence};
use crate::sql::plan::{Bound, JsonLeaf, JsonShape, JsonUsage, TargetColumn};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{JSON, JSONB, Place, Shape, Step, TypeVar};

use super::{Use, usage_of};

/// Refuses documents of which a value is used as an id and in another way too: that would see
/// the key.
pub(super) fn check(binder: &Binder<'_>) -> Result<(), Box<Refusal>> {
    match binder.types.contradiction() {
        Some(_) => Err(ambiguous()),
        None => Ok(()),
    }
}

/// Refuses documents in an encoding that is not ours: their names and strings are compared with
/// text in UTF-8.
fn check_encoding(binder: &Binder<'_>) -> Result<(), Box<Refusal>> {
    let encoding = binder.context.client_encoding;
    if matches!(encoding, "UTF8" | "UNICODE" | "") {
        return Ok(());
    }
    let message = format!("pgveil can't find ids inside JSON in client_encoding {encoding}");
    let refusal = Refusal::unsupported(Code::Unsupported, message);
    Err(Box::new(refusal.hint("Set client_encoding to UTF8.")))
}

fn ambiguous() -> Box<Refusal> {
    let message = "a value in a JSON document is used as an id and as something else";
    Box::new(Refusal::unsupported(Code::Expression, message).hint(
        "Send it twice, as two parameters or under two names: once for the id, once for the rest.",
    ))
}

/// The document that an occurrence is, if there are ids in it. `textual`: the server reads it as
/// text, which the statement casts.
pub(super) fn usage(
    binder: &Binder<'_>,
    occurrence: &Occurrence,
    textual: bool,
) -> Result<Option<JsonUsage>, Box<Refusal>> {
    let mut found = usage_of_node(binder, occurrence.node, textual)?;
    if let Some(usage) = &mut found {
        usage.shape.joined = binder.joined.contains(&occurrence.span.start);
    }
    Ok(found)
}

fn usage_of_node(
    binder: &Binder<'_>,
    node: TypeVar,
    textual: bool,
) -> Result<Option<JsonUsage>, Box<Refusal>> {
    let Shape::Json(place, oid) = binder.types.shape(node) else {
        return Ok(None);
    };
    let stored = binder.types.stored_as_mentioned(node);
    let mut shape = shape(binder, place, stored)?;
    shape.text = stored.is_none() && !matches!(oid, JSON | JSONB);
    if !shape.is_clean() {
        check_encoding(binder)?;
    }
    let type_oid = if textual {
        crate::sql::types::TEXT
    } else {
        oid
    };
    Ok((!shape.is_clean()).then_some(JsonUsage { shape, type_oid }))
}

/// Refuses an occurrence that is an array of documents with ids in them, or holds one: the client's
/// documents would be beside those of the database with numbers where those have keys.
pub(super) fn check_array(
    binder: &Binder<'_>,
    node: TypeVar,
    span: &Range<usize>,
) -> Result<(), Box<Refusal>> {
    let is_array = matches!(binder.types.shape(node), Shape::Array(_) | Shape::Record(_));
    if !is_array || !holds_keys(binder, node) {
        return Ok(());
    }
    let message = "pgveil can't find ids in the documents of an array that is one value";
    let refusal = Refusal::unsupported(Code::Unsupported, message).at(span.clone());
    Err(Box::new(
        refusal.hint("Write ARRAY[…] with a value for each document."),
    ))
}

/// Whether documents with ids in them are anywhere in a value.
fn holds_keys(binder: &Binder<'_>, node: TypeVar) -> bool {
    if !binder.types.may_have_document(node) {
        return false;
    }
    if !binder.types.step() {
        return true;
    }
    match binder.types.shape(node) {
        Shape::Json(..) | Shape::JsonText(_) => binder.types.has_id(node),
        Shape::Array(element) => holds_keys(binder, element),
        Shape::Record(fields) => fields.iter().any(|field| holds_keys(binder, *field)),
        _ => false,
    }
}

/// What a result column is that holds documents of the database.
pub(super) fn stored(
    binder: &Binder<'_>,
    node: TypeVar,
) -> Result<Option<JsonShape>, Box<Refusal>> {
    let Shape::Json(place, _) = binder.types.shape(node) else {
        return Ok(None);
    };
    let known = binder.types.known(place);
    if !known.is_some_and(|known| known.declared) {
        return Ok(None);
    }
    Ok(usage_of_node(binder, node, false)?.map(|usage| usage.shape))
}

/// Whether a result would show the text of an id in a document.
pub(super) fn shows_key(binder: &Binder<'_>, node: TypeVar) -> bool {
    if !binder.types.may_have_document(node) {
        return false;
    }
    if !binder.types.step() {
        return true;
    }
    match binder.types.shape(node) {
        Shape::JsonText(_) => binder.types.has_id(node),
        Shape::Array(element) => shows_key(binder, element),
        Shape::Record(fields) => fields.iter().any(|field| shows_key(binder, *field)),
        _ => false,
    }
}

fn shape(
    binder: &Binder<'_>,
    place: Place,
    stored: Option<&TargetColumn>,
) -> Result<JsonShape, Box<Refusal>> {
    let Some(known) = binder.types.known(place) else {
        return Err(ambiguous());
    };
    let mut found = JsonShape {
        stored: known.declared,
        tagged: known.tagged,
        ..JsonShape::default()
    };
    if let Some(leaf) = known.leaf {
        found.leaf = Some(JsonLeaf {
            usage: crate::sql::plan::IdUsage {
                id: leaf.id,
                stored: stored.cloned().map(Box::new),
                bound: None,
            },
            array: false,
            written: Some(leaf.written),
        });
    }
    for read in &known.reads {
        let Some(Use { usage, array }) = usage_of(binder, *read) else {
            continue;
        };
        match &mut found.leaf {
            None => {
                found.leaf = Some(JsonLeaf {
                    usage,
                    array,
                    written: None,
                });
            }
            Some(leaf)
                if leaf.array == array
                    && leaf.usage.id.domain == usage.id.domain
                    && leaf.usage.id.key_type.is_like(usage.id.key_type)
                    && leaf.usage.id.shown.is_like(usage.id.shown) =>
            {
                leaf.usage.stored = leaf.usage.stored.take().or(usage.stored);
                leaf.usage.bound = Bound::and(leaf.usage.bound, usage.bound);
            }
            Some(_) => return Err(ambiguous()),
        }
    }
    for (step, part) in &known.parts {
        let part = shape(binder, *part, stored)?;
        found.tagged |= part.tagged;
        match step {
            _ if !part.has_keys() => {}
            Step::Member(name) => found.members.push((name.clone(), part)),
            Step::Other => found.others = Some(Box::new(part)),
            Step::Element => found.elements = Some(Box::new(part)),
        }
    }
    Ok(found)
}
