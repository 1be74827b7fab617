//! Rows with ids in them that the client writes as one literal or sends as one parameter.

use std::ops::Range;

use crate::sql::encoding::is_ascii_safe;
use crate::sql::infer::Binder;
use crate::sql::plan::{SentField, SentRow, TargetColumn};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{Shape, TypeVar};

use super::{Use, usage_of};

/// The row that an occurrence is, if there are ids in it.
pub(super) fn usage(
    binder: &Binder<'_>,
    node: TypeVar,
    span: &Range<usize>,
) -> Result<Option<SentRow>, Box<Refusal>> {
    let is_row = match binder.types.shape(node) {
        Shape::Array(element) => matches!(binder.types.shape(element), Shape::Record(_)),
        shape => matches!(shape, Shape::Record(_)),
    };
    if !is_row || !binder.types.has_id(node) {
        return Ok(None);
    }
    if !is_ascii_safe(binder.context.client_encoding) {
        return Err(refused(
            "pgveil can't find ids inside a row in this client_encoding",
            "Set client_encoding to UTF8.",
            span,
        ));
    }
    let stored = binder.types.stored(node);
    let row = sent_row(binder, node, stored).ok_or_else(|| {
        let message = "pgveil does not support a row with other things with ids in it than ids, \
                       arrays of ids and rows as one value";
        refused(message, "Write ROW(…) with a value for each column.", span)
    })?;
    Ok(Some(row))
}

fn refused(message: &str, hint: &str, span: &Range<usize>) -> Box<Refusal> {
    let refusal = Refusal::unsupported(Code::Unsupported, message);
    Box::new(refusal.at(span.clone()).hint(hint))
}

/// `stored`: where the whole of it would be stored.
fn sent_row(binder: &Binder<'_>, node: TypeVar, stored: Option<&TargetColumn>) -> Option<SentRow> {
    if !binder.types.step() {
        return None;
    }
    let (fields, array) = match binder.types.shape(node) {
        Shape::Record(fields) => (fields, false),
        Shape::Array(element) => match binder.types.shape(element) {
            Shape::Record(fields) => (fields, true),
            _ => return None,
        },
        _ => return None,
    };
    let fields = fields
        .iter()
        .map(|field| sent_field(binder, *field, stored));
    Some(SentRow {
        fields: fields.collect::<Option<_>>()?,
        array,
    })
}

fn sent_field(
    binder: &Binder<'_>,
    node: TypeVar,
    stored: Option<&TargetColumn>,
) -> Option<SentField> {
    Some(match usage_of(binder, node) {
        Some(Use { mut usage, array }) => {
            usage.stored = usage.stored.or_else(|| stored.cloned().map(Box::new));
            match array {
                true => SentField::IdArray(usage),
                false => SentField::Id(usage),
            }
        }
        None if binder.types.has_id(node) => SentField::Row(sent_row(binder, node, stored)?),
        None => SentField::Clean,
    })
}
