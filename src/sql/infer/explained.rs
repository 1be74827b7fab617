//! Lists of literals in a statement that is explained. Postgres folds one into an array and shows
//! that, so one mark stands around all of it; a mark around each literal would cost the planner many
//! times what the list does.

use std::ops::Range;

use sqlparser::ast::{CastKind, Expr};

use crate::sql::parse::range;

use super::{Binder, Occurrence, Value};

/// A list of nothing but literals, and what is written so that it is an array in a mark.
#[derive(Debug)]
pub(in crate::sql) struct ConstantList {
    /// The places of its literals among the occurrences.
    pub(in crate::sql) literals: Range<usize>,
    /// What is put in besides the mark, and where.
    pub(in crate::sql) put_in: Vec<(usize, &'static str)>,
    /// What the beginning of the mark takes the place of.
    pub(in crate::sql) open: Range<usize>,
    /// What the end of the mark takes the place of, with what stands in front of it and behind it.
    pub(in crate::sql) close: (Range<usize>, [&'static str; 2]),
}

impl Binder<'_> {
    /// Remembers `left IN (…)`, whose occurrences are those from `before` on.
    pub(super) fn explain_in(&mut self, left: &Expr, negated: bool, list: &[Expr], before: usize) {
        let known = (self.constants(list, before)).and_then(|inside| {
            Some((
                self.extent(left)?,
                self.bracketed(inside.start, "(")?,
                inside,
            ))
        });
        let Some((left, brackets, inside)) = known else {
            return;
        };
        // What is put behind a parameter of its own accord would come behind this.
        let ends = |one: &Occurrence| one.span.end == left.end;
        if self.occurrences.iter().any(ends) {
            return;
        }
        let compared = if negated { " <> ALL (" } else { " = ANY (" };
        self.constant_lists.push(ConstantList {
            literals: before..self.occurrences.len(),
            // IN binds tighter than the signs do.
            put_in: vec![
                (left.start, "("),
                (left.end, compared),
                (inside.start, "ARRAY["),
            ],
            open: left.end..inside.start,
            close: (inside.end..brackets.end, ["]", "))"]),
        });
    }

    /// Remembers `ARRAY[…]`, whose occurrences are those from `before` on.
    pub(super) fn explain_array(&mut self, elements: &[Expr], before: usize) {
        let Some(brackets) =
            (self.constants(elements, before)).and_then(|inside| self.bracketed(inside.start, "["))
        else {
            return;
        };
        let word = self.token_before(brackets.start);
        if !self.written(&word).eq_ignore_ascii_case("array") {
            return;
        }
        self.constant_lists.push(ConstantList {
            literals: before..self.occurrences.len(),
            put_in: Vec::new(),
            open: word.start..word.start,
            close: (brackets.end..brackets.end, ["", ""]),
        });
    }

    /// From the first to the last of several expressions, if each is a literal that became an
    /// occurrence, from `before` on. Its type may stand behind it.
    fn constants(&self, list: &[Expr], before: usize) -> Option<Range<usize>> {
        let occurrences = self.occurrences.get(before..).filter(|_| self.explained)?;
        if list.len() < 2 || occurrences.len() != list.len() {
            return None;
        }
        // `uuid '…'` is a cast, too.
        let is_bare = |at: &Range<usize>| {
            let word = self.token_before(at.start);
            !self.type_name_ends.contains(&word.end)
        };
        let is_constant = |expr: &Expr, at: &Range<usize>| match expr {
            Expr::Value(value) => range(value.span) == *at,
            Expr::Cast {
                kind: CastKind::DoubleColon,
                expr,
                ..
            } => match expr.as_ref() {
                Expr::Value(value) => range(value.span) == *at && is_bare(at),
                _ => false,
            },
            _ => false,
        };
        let mut both = list.iter().zip(occurrences);
        let is_literal = |value: &Value| !matches!(value, Value::Parameter { .. });
        if !both.all(|(expr, at)| is_literal(&at.value) && is_constant(expr, &at.span)) {
            return None;
        }
        let extent = |expr: &Expr| self.extent_of_operation(expr);
        Some(extent(list.first()?)?.start..extent(list.last()?)?.end)
    }
}
