//! Text that the statement takes apart into ids becomes the text of an array.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::infer::{Binder, List};
use crate::catalog::KeyType;

use super::super::plan::{Edit, Reading, Replacement, listed};
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
    pub(super) fn reading(&self, span: &Range<usize>, key_type: KeyType) -> Reading {
        if let Some(list) = self.around.get(&span.start) {
            return Reading::List(list.split.clone());
        }
        if let Some(reading) = self.binder.readings.get(&span.start) {
            return reading.clone();
        }
        if let Some(of) = self.binder.text_arrays.get(&span.start) {
            return Reading::Texts(*of);
        }
        match self.binder.texts.changes.get(&span.start) {
            Some(changed) => Reading::Behind(changed.of(key_type).clone()),
            None => match self.binder.texts.nulled.get(&span.start) {
                Some(texts) => Reading::Nulled(texts.clone()),
                None => Reading::Plain,
            },
        }
    }

    /// Whether a literal at a place stays what it is, though others there would be ids.
    pub(super) fn keeps(&self, span: &Range<usize>, literal: &str, key_type: KeyType) -> bool {
        let changed = self.binder.texts.changes.get(&span.start);
        changed.is_some_and(|changed| changed.of(key_type).keeps(literal.as_bytes()))
    }

    /// Whether NULLIF makes a literal NULL, or is one by which it does that.
    pub(super) fn is_null(&self, span: &Range<usize>, literal: &str) -> bool {
        let texts = &self.binder.texts;
        let nulled = texts.nulled.get(&span.start);
        texts.nulling.contains(&span.start)
            || nulled.is_some_and(|nulled| nulled.iter().any(|text| text == literal))
    }

    /// The text that a literal is read as: that of the array that it is taken apart into, or what is
    /// left of it.
    pub(super) fn literal(
        &self,
        span: &Range<usize>,
        literal: String,
        key_type: KeyType,
    ) -> String {
        if let Some(list) = self.around.get(&span.start) {
            return listed(&literal, &list.split);
        }
        match self.binder.texts.changes.get(&span.start) {
            Some(changed) if changed.of(key_type).trimmed => literal.trim_matches(' ').to_owned(),
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
