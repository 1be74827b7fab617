//! Elements of an array that are text before a cast of the array reads them as ids.

use std::collections::HashSet;

use sqlparser::ast::{Expr, Function};

use crate::pg::functions::Rule;
use crate::sql::types::TypeVar;

use super::super::Binder;
use super::super::cast::unnested;
use super::super::document::argument_exprs;
use super::super::span::span_of;
use super::super::tag_comparison::free_constant;
use super::TextLeaves;

impl Binder<'_> {
    /// Reads each element of an array as the cast does, which is one of its elements: those that are
    /// text in Postgres's eyes as text. False if none is, or any is something else.
    pub(in super::super) fn read_elements(
        &mut self,
        (inner, first): (&Expr, usize),
        element: TypeVar,
    ) -> bool {
        let mut read = TextLeaves::default();
        let (array, removed) = match unnested(inner) {
            Expr::Function(function) => match self.without_constant(function) {
                Some((array, constant)) => (array, Some(constant)),
                None => return false,
            },
            other => (other, None),
        };
        let Expr::Array(array) = array else {
            return false;
        };
        // What a constant without ids is taken out of is text, with all its elements.
        let is_value = |expr: &&Expr| removed.is_none() && matches!(unnested(expr), Expr::Value(_));
        let (values, texts): (Vec<&Expr>, Vec<&Expr>) = array.elem.iter().partition(is_value);
        read.kept.extend(removed.clone());
        if texts.is_empty() || !texts.into_iter().all(|text| read.read(text)) {
            return false;
        }
        self.folded.extend(&read.folded);
        self.change_text(&read);
        self.read_from_text((&read.leaves, first), element);
        let values: HashSet<usize> = values
            .into_iter()
            .map(|value| span_of(value).start)
            .collect();
        let within = self.occurrences.get_mut(first..).unwrap_or_default();
        for occurrence in within {
            if values.contains(&occurrence.span.start) {
                occurrence.node = element;
            }
        }
        true
    }

    /// The array that `array_remove` takes a constant without ids out of, and that.
    fn without_constant<'e>(&self, function: &'e Function) -> Option<(&'e Expr, String)> {
        let callee = self.callee(&function.name).ok()?;
        let is_meant = callee.rule() == Some(Rule::Remove);
        let arguments = argument_exprs(function).filter(|_| is_meant)?;
        match arguments.as_slice() {
            [array, constant] => Some((unnested(array), free_constant(constant)?)),
            _ => None,
        }
    }
}
