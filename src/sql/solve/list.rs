//! Text that the statement takes apart into ids becomes the text of an array.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::infer::{Binder, List};
use super::super::plan::{Edit, Reading, Replacement, TextChange, listed};
use super::super::types::Shape;
use super::usage_of;

/// The calls that take text apart, by where the literals and parameters in them begin.
pub(super) struct Lists<'b> {
    binder: &'b Binder<'b>,
    around: HashMap<usize, &'b List>,
}

impl<'b> Lists<'b> {
    pub(super) fn of(binder: &'b Binder<'b>) -> Self {
        let mut around = HashMap::new();
        for list in &binder.lists {
            for leaf in &list.leaves {
                around.entry(leaf.start).or_insert(list);
            }
        }
        Self { binder, around }
    }

    /// How ids are written in the parameter at a place that holds some.
    pub(super) fn reading(&self, span: &Range<usize>) -> Reading {
        if let Some(list) = self.around.get(&span.start) {
            return Reading::List(list.separator.clone());
        }
        if let Some(reading) = self.binder.readings.get(&span.start) {
            return reading.clone();
        }
        if let Some(of) = self.binder.text_arrays.get(&span.start) {
            return Reading::Texts(*of);
        }
        match self.binder.texts.changes.get(&span.start) {
            Some(change) if !change.is_none() => Reading::Behind(TextChange::clone(change)),
            _ => Reading::Plain,
        }
    }

    /// Whether a literal at a place stays what it is, though others there would be ids.
    pub(super) fn keeps(&self, span: &Range<usize>, literal: &str) -> bool {
        let change = self.binder.texts.changes.get(&span.start);
        change.is_some_and(|change| change.keeps(literal.as_bytes()))
    }

    /// The text that a literal is read as: that of the array that it is taken apart into, or what is
    /// left of it.
    pub(super) fn literal(&self, span: &Range<usize>, literal: String) -> String {
        if let Some(list) = self.around.get(&span.start) {
            return listed(&literal, &list.separator);
        }
        match self.binder.texts.changes.get(&span.start) {
            Some(change) if change.trimmed => literal.trim_matches(' ').to_owned(),
            _ => literal,
        }
    }
}

/// Takes the calls away.
pub(super) fn edits(binder: &Binder<'_>, edits: &mut Vec<Edit>) {
    if binder.lists.is_empty() {
        return;
    }
    let occurrences = binder.occurrences.iter();
    let ids = occurrences.filter(|occurrence| usage_of(binder, occurrence.node).is_some());
    let ids: HashSet<usize> = ids.map(|occurrence| occurrence.span.start).collect();
    for list in &binder.lists {
        if !list.leaves.iter().any(|leaf| ids.contains(&leaf.start)) {
            continue;
        }
        let array = match list.element.map(|element| binder.types.shape(element)) {
            Some(Shape::Id(id)) => format!("::{}[]", id.key_type.sql()),
            _ => String::new(),
        };
        let [name, behind] = list.rest.clone();
        for (span, with) in [(name, list.name.to_owned()), (behind, array)] {
            let with = Replacement::Text(with);
            edits.push(Edit { span, with });
        }
    }
}
