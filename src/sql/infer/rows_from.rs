//! `ROWS FROM (f(…), g(…))`: the rows of several functions side by side. None of them may give ids.

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, TableAlias};

use crate::sql::scope::{Output, Scope, Table, Tells};

use super::column_name::last;
use super::span::span_of;
use super::{Binder, Check};

impl Binder<'_> {
    /// The columns are those of the functions one behind the other, which only the statement counts.
    pub(super) fn rows_from(
        &mut self,
        functions: &[FunctionArg],
        alias: Option<&TableAlias>,
    ) -> Check<Scope> {
        let mut called = String::new();
        for function in functions {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = function else {
                return self.unsupported("this form of ROWS FROM", 0..0);
            };
            let Expr::Function(function) = expr else {
                return self.unsupported("this form of ROWS FROM", span_of(expr));
            };
            let callee = self.callee(&function.name)?;
            if self.is_retold(&callee) {
                return self.unsupported("this function in ROWS FROM", span_of(expr));
            }
            let node = self.expr(expr)?;
            self.types.resolve_plain(node);
            if !self.is_without_keys(node) {
                return self.unsupported("ROWS FROM over ids", span_of(expr));
            }
            if called.is_empty() {
                called = last(&function.name);
            }
        }
        let names = alias.map_or(&[][..], |alias| &alias.columns).iter();
        let columns: Vec<Output> = names
            .map(|column| Output {
                name: column.name.value.clone(),
                node: self.types.native(0),
            })
            .collect();
        Ok(Scope::of(Table {
            name: alias.map_or(called, |alias| alias.name.value.clone()),
            schema: None,
            columns: columns.into(),
            open: true,
            tells: Tells::Nothing,
            other_row: false,
            stands_in: None,
        }))
    }
}
