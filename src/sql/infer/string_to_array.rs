//! `string_to_array('…,…', ',')::uuid[]`, `unnest(string_to_array('…,…', ','))::uuid`: text that the
//! statement takes apart into ids. The text becomes that of an array of keys, which a cast reads
//! without the call.

use std::ops::Range;

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};

use crate::pg::functions::{Builtin, Reading, Rule};
use crate::sql::parse::{range, string_value};

use super::Binder;
use super::TypeVar;
use super::cast::unnested;
use super::texts::text_leaves;

/// A call that takes text apart.
#[derive(Debug)]
pub(in crate::sql) struct List {
    /// The literals and parameters that are taken apart.
    pub(in crate::sql) leaves: Vec<Range<usize>>,
    /// What of the call goes: its name, and what stands behind the text.
    pub(in crate::sql) rest: [Range<usize>; 2],
    /// What stands between two ids.
    pub(in crate::sql) separator: String,
    /// The ids, where no cast of the statement makes an array of the text: each is cast by itself.
    pub(in crate::sql) element: Option<TypeVar>,
}

impl Binder<'_> {
    /// The call, if an expression is one over nothing but literals and parameters.
    pub(super) fn taken_apart(&self, expr: &Expr) -> Option<List> {
        let (function, arguments) = self.call_of(expr, |of| of.reading == Some(Reading::Split))?;
        let [text, separator] = arguments.as_slice() else {
            return None;
        };
        let separator = match separator {
            Expr::Value(value) => string_value(&value.value)?.to_owned(),
            _ => return None,
        };
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
            separator,
            element: None,
        })
    }

    /// The call below `unnest`, if an expression is that of one, and its elements are of this type.
    pub(super) fn elements_taken_apart(&self, expr: &Expr, element: TypeVar) -> Option<List> {
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
