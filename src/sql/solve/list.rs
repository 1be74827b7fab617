//! Text that the statement takes apart into ids becomes the text of an array.

use std::ops::Range;

use super::super::infer::{Binder, List};
use super::super::plan::{Edit, Reading, Replacement, listed};
use super::usage_of;

/// The call that takes apart what stands at a place, if the parts are ids.
fn around<'b>(binder: &'b Binder<'_>, span: &Range<usize>) -> Option<&'b List> {
    binder.lists.iter().find(|list| list.leaves.contains(span))
}

/// How ids are written in the parameter at a place that holds some.
pub(super) fn reading(binder: &Binder<'_>, span: &Range<usize>) -> Reading {
    if let Some(list) = around(binder, span) {
        return Reading::List(list.separator.clone());
    }
    let mut patterns = binder.patterns.iter();
    match patterns.find(|(place, _)| place == span) {
        Some((_, pattern)) => Reading::Pattern(pattern.clone()),
        None => Reading::Plain,
    }
}

/// The text of the array that a literal is taken apart into.
pub(super) fn literal(binder: &Binder<'_>, span: &Range<usize>, literal: String) -> String {
    match around(binder, span) {
        Some(list) => listed(&literal, &list.separator),
        None => literal,
    }
}

/// Takes the calls away.
pub(super) fn edits(binder: &Binder<'_>, edits: &mut Vec<Edit>) {
    for list in &binder.lists {
        let mut leaves = binder.occurrences.iter();
        let are_ids = leaves.any(|occurrence| {
            list.leaves.contains(&occurrence.span) && usage_of(binder, occurrence.node).is_some()
        });
        if are_ids {
            edits.extend(list.rest.iter().map(|span| Edit {
                span: span.clone(),
                with: Replacement::Text(String::new()),
            }));
        }
    }
}
