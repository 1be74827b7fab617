//! `string_to_array('…,…', ',')::uuid[]`, `unnest(string_to_array('…,…', ','))::uuid`: text that the
//! statement takes apart into ids. The text becomes that of an array of keys, which a cast reads
//! without the call.

use std::ops::Range;

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};

use crate::pg::functions::{Builtin, Reading, Rule};
use crate::sql::parse::{range, string_value};
use crate::sql::plan::Split;

use super::Binder;
use super::TypeVar;
use super::cast::{text_array_leaf, unnested};
use super::column_name::last;
use super::texts::text_leaves;

/// The function of Postgres's own that makes rows of an array.
const UNNEST: &str = "pg_catalog.unnest";

/// A call that takes text apart.
#[derive(Debug, Clone)]
pub(in crate::sql) struct List {
    /// The literals and parameters that are taken apart.
    pub(in crate::sql) leaves: Vec<Range<usize>>,
    /// What of the call goes: its name, and what stands behind the text.
    pub(in crate::sql) rest: [Range<usize>; 2],
    /// What takes the place of the name: a function that makes rows of an array, or nothing.
    pub(in crate::sql) name: &'static str,
    /// How that is done.
    pub(in crate::sql) split: Split,
    /// The ids, where no cast of the statement makes an array of the text: each is cast by itself.
    pub(in crate::sql) element: Option<TypeVar>,
}

impl Binder<'_> {
    /// The call, if an expression is one over nothing but literals and parameters.
    pub(super) fn taken_apart(&self, expr: &Expr) -> Option<List> {
        self.taken_apart_by(expr, (Reading::Split, ""))
    }

    fn taken_apart_by(
        &self,
        expr: &Expr,
        (reading, instead): (Reading, &'static str),
    ) -> Option<List> {
        let (function, arguments) = self.call_of(expr, |of| of.reading == Some(reading))?;
        let [text, separator] = arguments.as_slice() else {
            return None;
        };
        let separator = match separator {
            Expr::Value(value) => string_value(&value.value)?.to_owned(),
            _ => return None,
        };
        // A regular expression says what it says where no sign in it means something else.
        let is_literal = |c: char| !c.is_ascii_punctuation() || matches!(c, ',' | ';' | ':' | '/');
        let is_pattern = last(&function.name).starts_with("regexp");
        if is_pattern && !separator.chars().all(is_literal) {
            return None;
        }
        let mut leaves = Vec::new();
        if separator.is_empty() || !text_leaves(text, &mut leaves) {
            return None;
        }
        let extents = self.argument_extents(function)?;
        let [first, second] = extents.as_slice() else {
            return None;
        };
        Some(List {
            leaves,
            rest: [range(function.name.span()), first.end..second.end],
            name: instead,
            split: Split {
                separator,
                keeps_empty: is_pattern,
            },
            element: None,
        })
    }

    /// The call, if an expression is one that makes rows of the parts.
    pub(super) fn rows_taken_apart(&self, expr: &Expr) -> Option<List> {
        self.taken_apart_by(expr, (Reading::SplitToRows, UNNEST))
    }

    /// The call below `unnest` or one that makes rows itself, if an expression is that of one, and its
    /// elements are of this type.
    pub(super) fn elements_taken_apart(&self, expr: &Expr, element: TypeVar) -> Option<List> {
        if let Some(list) = self.rows_taken_apart(expr) {
            return Some(List {
                element: Some(element),
                ..list
            });
        }
        let (_, arguments) = self.call_of(expr, |of| of.rule == Some(Rule::Elements))?;
        let [array] = arguments.as_slice() else {
            return None;
        };
        let list = self.taken_apart(array)?;
        Some(List {
            element: Some(element),
            ..list
        })
    }

    /// The array of text below `unnest`, if an expression is that of one, each of whose elements is
    /// cast by itself.
    pub(super) fn elements_of_text(&self, expr: &Expr) -> Option<Range<usize>> {
        let (_, arguments) = self.call_of(expr, |of| of.rule == Some(Rule::Elements))?;
        match arguments.as_slice() {
            [array] => text_array_leaf(array),
            _ => None,
        }
    }

    /// A call of a function of Postgres's own, and its arguments.
    fn call_of<'e>(
        &self,
        expr: &'e Expr,
        is_called: impl Fn(&Builtin) -> bool,
    ) -> Option<(&'e Function, Vec<&'e Expr>)> {
        let Expr::Function(function) = unnested(expr) else {
            return None;
        };
        let callee = self.callee(&function.name).ok()?;
        if !callee.builtin.is_some_and(is_called) {
            return None;
        }
        let FunctionArguments::List(arguments) = &function.args else {
            return None;
        };
        let arguments = arguments.args.iter().map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        });
        Some((function, arguments.collect::<Option<_>>()?))
    }
}
