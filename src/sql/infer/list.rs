//! `string_to_array('…,…', ',')::uuid[]`: text that the statement takes apart into ids. The text
//! becomes that of an array of keys, which the cast reads without the call.

use std::ops::Range;

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};

use crate::catalog::FunctionKind;
use crate::sql::parse::{range, string_value};

use super::Binder;
use super::cast::{text_leaves, unnested};
use super::name::last;

/// A call that takes text apart.
#[derive(Debug)]
pub(in crate::sql) struct List {
    /// The literals and parameters that are taken apart.
    pub(in crate::sql) leaves: Vec<Range<usize>>,
    /// What of the call goes: its name, and what stands behind the text.
    pub(in crate::sql) rest: [Range<usize>; 2],
    /// What stands between two ids.
    pub(in crate::sql) separator: String,
}

impl Binder<'_> {
    /// The call, if an expression is one over nothing but literals and parameters.
    pub(super) fn taken_apart(&self, expr: &Expr) -> Option<List> {
        let Expr::Function(function) = unnested(expr) else {
            return None;
        };
        if last(&function.name) != "string_to_array" {
            return None;
        }
        let (schema, name) = self.relation_name(&function.name).ok()?;
        let functions = self.context.snapshot.functions();
        let FunctionKind::BuiltIn { .. } = functions.built_in(schema, name) else {
            return None;
        };
        let FunctionArguments::List(arguments) = &function.args else {
            return None;
        };
        let [text, separator] = arguments.args.as_slice() else {
            return None;
        };
        let value = |arg: &'_ FunctionArg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
            _ => None,
        };
        let (text, separator) = (value(text)?, value(separator)?);
        let separator = match &separator {
            Expr::Value(value) => string_value(&value.value)?.to_owned(),
            _ => return None,
        };
        let mut leaves = Vec::new();
        if separator.is_empty() || !text_leaves(&text, &mut leaves) {
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
        })
    }
}
