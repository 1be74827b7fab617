//! Marks around the ids in a statement that is to be explained. Postgres writes the conditions of
//! a plan with the constants in them; a mark tells there which of them the client has sent as an
//! id, and carries the key.
//!
//! A mark is `CASE WHEN concat('…') IS NOT NULL THEN key END`. `concat` is STABLE: the planner
//! works with the value, for it evaluates such functions in its estimates, but it does not fold
//! them, so the mark is written out with the plan. What it costs is one call of a function a row
//! where a condition is no index's.
//!
//! How many rows Postgres expects of a comparison for order it interpolates from the statistics of
//! the keys, and the number would tell where in between a key lies. So in a statement that may
//! compare ids so the planner must not work with the values: `concat` there has an array more that
//! is cast by a STABLE function, which Postgres does not even evaluate for an estimate. The plan is
//! then the one that it makes for a value that it does not know.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::infer::{Binder, Occurrence, TypeName};
use super::plan::{Edit, IdUsage, Replacement};
use super::refusal::{Code, Refusal};
use crate::catalog::IdType;

/// How the marks of a statement are put.
pub(super) struct Marks<'b> {
    /// Whether the planner may work with the values in them.
    estimated: bool,
    /// The names of types that stand in front of a literal, `uuid '…'`, so that its mark takes their
    /// place; by where the literal begins.
    names: HashMap<usize, &'b TypeName>,
    /// Where the names begin and end.
    spans: HashSet<Range<usize>>,
}

impl<'b> Marks<'b> {
    pub(super) fn of(binder: &'b Binder<'_>) -> Self {
        let mut found = Self {
            estimated: !binder.orders_ids(),
            names: HashMap::new(),
            spans: HashSet::new(),
        };
        if !binder.explained {
            return found;
        }
        let mut ending = HashMap::new();
        for name in &binder.type_names {
            ending.entry(name.span.end).or_insert(name);
        }
        for occurrence in &binder.occurrences {
            let start = occurrence.span.start;
            let index = binder
                .tokens
                .partition_point(|token| token.span.start < start);
            let before = index
                .checked_sub(1)
                .and_then(|index| binder.tokens.get(index));
            if let Some(name) = before.and_then(|before| ending.get(&before.span.end)) {
                found.names.insert(start, *name);
                found.spans.insert(name.span.clone());
            }
        }
        found
    }

    /// The marks around a literal, which itself becomes `key`.
    pub(super) fn literal(
        &self,
        occurrence: &Occurrence,
        usage: &IdUsage,
        array: bool,
    ) -> [Edit; 2] {
        let at = occurrence.span.start;
        let before = self.names.get(&at);
        let open = before.map_or(at..at, |name| name.span.clone());
        let end = occurrence.span.end;
        self.around((open, end..end), usage.id, array, |end| {
            cast(usage.id, array) + end
        })
    }

    /// The edits that put one mark around each list of literals in which all are ids of one kind;
    /// gives the places of these literals among the occurrences, in their order.
    pub(super) fn lists(
        &self,
        binder: &Binder<'_>,
        id_of: impl Fn(&Occurrence) -> Option<IdType>,
        edits: &mut Vec<Edit>,
    ) -> Vec<Range<usize>> {
        let mut marked = Vec::new();
        for list in &binder.constant_lists {
            let literals = binder.occurrences.get(list.literals.clone());
            let mut ids = literals.unwrap_or_default().iter().map(&id_of);
            let Some(id) = (ids.next().flatten()).filter(|first| ids.all(|id| id == Some(*first)))
            else {
                continue;
            };
            let put_in = list.put_in.iter().map(|(at, text)| Edit {
                span: *at..*at,
                with: Replacement::Text((*text).to_owned()),
            });
            edits.extend(put_in);
            let (close, [before, behind]) = &list.close;
            let ends = (list.open.clone(), close.clone());
            edits.extend(self.around(ends, id, true, |end| {
                format!("{before}{}{end}{behind}", cast(id, true))
            }));
            marked.push(list.literals.clone());
        }
        marked
    }

    /// The marks around a parameter. One that is text stays text.
    pub(super) fn parameter(
        &self,
        span: &Range<usize>,
        usage: &IdUsage,
        array: bool,
        textual: bool,
    ) -> [Edit; 2] {
        let (start, end) = (span.start, span.end);
        self.around((start..start, end..end), usage.id, array, |end| {
            let cast = (!textual).then(|| cast(usage.id, array));
            cast.unwrap_or_default() + end
        })
    }

    /// Refuses a document or a row with ids in it, around which there is no mark, where the planner
    /// must not work with its value.
    pub(super) fn check_unmarked(
        &self,
        binder: &Binder<'_>,
        occurrence: &Occurrence,
    ) -> Result<(), Box<Refusal>> {
        if self.estimated || !binder.explained {
            return Ok(());
        }
        let message = "pgveil does not support EXPLAIN of a statement that compares ids for order \
                       and has a document or a row with ids in it";
        let refusal = Refusal::unsupported(Code::Unsupported, message);
        Err(Box::new(refusal.at(occurrence.span.clone())))
    }

    /// A mark from `open` to `close`, which they take the place of; `ending` is given what ends it.
    fn around(
        &self,
        (open, close): (Range<usize>, Range<usize>),
        id: IdType,
        array: bool,
        ending: impl FnOnce(&str) -> String,
    ) -> [Edit; 2] {
        let mark = Replacement::MarkOpen {
            id,
            array,
            estimated: self.estimated,
        };
        [
            Edit {
                span: open,
                with: mark,
            },
            Edit {
                span: close,
                with: Replacement::Text(ending(" END)")),
            },
        ]
    }

    /// Whether a type stands in front of a literal.
    pub(super) fn is_before_a_literal(&self, name: &TypeName) -> bool {
        self.spans.contains(&name.span)
    }
}

/// The cast to the type of the keys.
fn cast(id: IdType, array: bool) -> String {
    let brackets = if array { "[]" } else { "" };
    format!("::{}{brackets}", id.key_type.sql())
}
