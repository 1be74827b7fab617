//! Marks around the ids in a statement that is to be explained. Postgres writes the conditions of
//! a plan with the constants in them; a mark tells there which of them the client has sent as an
//! id, and carries the key.
//!
//! A mark is `CASE WHEN concat('…') IS NOT NULL THEN key END`. `concat` is STABLE: the planner
//! works with the value, for it evaluates such functions in its estimates, but it does not fold
//! them, so the mark is written out with the plan. What it costs is one call of a function a row
//! where a condition is no index's.

use std::ops::Range;

use super::infer::{Binder, Occurrence, TypeName};
use super::plan::{Edit, IdUsage, Replacement};

/// The marks around a literal, which itself becomes `key`.
pub(super) fn literal(
    binder: &Binder<'_>,
    occurrence: &Occurrence,
    usage: &IdUsage,
    array: bool,
) -> [Edit; 2] {
    let before = type_before(binder, &occurrence.span);
    let at = occurrence.span.start;
    let open = before.map_or(at..at, |name| name.span.clone());
    around(open, occurrence.span.end, usage, array, true)
}

/// The marks around a parameter. One that is text stays text.
pub(super) fn parameter(
    span: &Range<usize>,
    usage: &IdUsage,
    array: bool,
    textual: bool,
) -> [Edit; 2] {
    around(span.start..span.start, span.end, usage, array, !textual)
}

/// Whether a type stands in front of a literal, `uuid '…'`, so that the mark takes its place.
pub(super) fn is_before_a_literal(binder: &Binder<'_>, name: &TypeName) -> bool {
    binder.occurrences.iter().any(|occurrence| {
        type_before(binder, &occurrence.span).is_some_and(|before| before.span == name.span)
    })
}

fn type_before<'b>(binder: &'b Binder<'_>, literal: &Range<usize>) -> Option<&'b TypeName> {
    let index = binder
        .tokens
        .partition_point(|token| token.span.start < literal.start);
    let before = binder.tokens.get(index.checked_sub(1)?)?;
    let mut names = binder.type_names.iter();
    names.find(|name| name.span.end == before.span.end)
}

fn around(open: Range<usize>, end: usize, usage: &IdUsage, array: bool, typed: bool) -> [Edit; 2] {
    let mut close = String::new();
    if typed {
        let brackets = if array { "[]" } else { "" };
        close = format!("::{}{brackets}", usage.id.key_type.sql());
    }
    close.push_str(" END)");
    let mark = Replacement::MarkOpen {
        id: usage.id,
        array,
    };
    [
        Edit {
            span: open,
            with: mark,
        },
        Edit {
            span: end..end,
            with: Replacement::Text(close),
        },
    ]
}
