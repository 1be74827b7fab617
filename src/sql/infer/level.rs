//! Calls that belong to the query in which they stand: in a query that is put around them they would
//! mean something else.

use std::ops::Range;

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    Spanned,
};

use super::Binder;
use super::callee::Callee;
use crate::sql::parse::range;

impl Binder<'_> {
    /// Notes a call that belongs to its query. That is a window function always. An aggregate
    /// belongs to the query whose columns it is given, and to the innermost one that it stands in if
    /// it is given none. What is no function of Postgres may be an aggregate.
    pub(super) fn note_level(&mut self, function: &Function, callee: &Callee<'_>) {
        let functions = self.context.snapshot.functions();
        let may_aggregate = callee.builtin.is_some_and(|builtin| builtin.aggregate)
            || functions.of_user(None, callee.name).next().is_some();
        if function.over.is_some() || may_aggregate && !names_column(function) {
            self.levels.insert(range(function.name.span()).start);
        }
    }

    /// Whether one of them stands in a part of the text, so that no query can be put around that.
    pub(super) fn has_level(&self, extent: &Range<usize>) -> bool {
        self.levels.range(extent.clone()).next().is_some()
    }
}

/// Whether a column is among what a call is given, as far as that is plain.
fn names_column(function: &Function) -> bool {
    let sorted = function.within_group.iter().map(|key| &key.expr);
    let mut filter = function.filter.iter();
    arguments(function).chain(sorted).any(is_of_column) || filter.any(|filter| is_of_column(filter))
}

fn arguments(function: &Function) -> impl Iterator<Item = &Expr> {
    let list = match &function.args {
        FunctionArguments::List(list) => Some(list),
        FunctionArguments::None | FunctionArguments::Subquery(_) => None,
    };
    let given = list.into_iter().flat_map(|list| &list.args);
    let given = given.filter_map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
        | FunctionArg::Named {
            arg: FunctionArgExpr::Expr(expr),
            ..
        }
        | FunctionArg::ExprNamed {
            arg: FunctionArgExpr::Expr(expr),
            ..
        } => Some(expr),
        _ => None,
    });
    let clauses = list.into_iter().flat_map(|list| &list.clauses);
    let sorted = clauses.filter_map(|clause| match clause {
        FunctionArgumentClause::OrderBy(keys) => Some(keys.iter().map(|key| &key.expr)),
        _ => None,
    });
    given.chain(sorted.flatten())
}

/// In an expression with a column among so many others it is found. Calls that stand in each other
/// are looked into for each of them.
const MOST_PARTS: usize = 64;

/// Whether an expression is made of a column. What is not looked into is taken for none.
fn is_of_column(expr: &Expr) -> bool {
    let mut rest = vec![expr];
    for _ in 0..MOST_PARTS {
        let Some(expr) = rest.pop() else {
            return false;
        };
        match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::QualifiedWildcard(..) => {
                return true;
            }
            Expr::Nested(inner)
            | Expr::Cast { expr: inner, .. }
            | Expr::UnaryOp { expr: inner, .. }
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::CompoundFieldAccess { root: inner, .. } => rest.push(inner),
            Expr::BinaryOp { left, right, .. } => rest.extend([&**left, &**right]),
            Expr::Function(function) => rest.extend(arguments(function)),
            Expr::Case {
                operand,
                conditions,
                else_result,
                ..
            } => {
                rest.extend(operand.as_deref());
                rest.extend(else_result.as_deref());
                rest.extend(
                    conditions
                        .iter()
                        .flat_map(|when| [&when.condition, &when.result]),
                );
            }
            Expr::Array(array) => rest.extend(&array.elem),
            Expr::Tuple(parts) => rest.extend(parts),
            _ => {}
        }
    }
    false
}
