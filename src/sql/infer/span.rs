//! Where an expression begins and ends: what sqlparser's spans say, without a walk over all of it.
//! Asked at every level of a deep expression, that would cost the square of its length.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Join, ObjectName,
    Spanned,
};

use std::ops::Range;

use crate::sql::parse::range;

use super::Binder;

/// Where something stands, for a refusal: found out when there is one. What contains all that is
/// below it would otherwise be walked through at each level.
#[derive(Clone, Copy)]
pub(super) enum At<'e> {
    Bytes(usize, usize),
    Call(&'e Function),
    Join(&'e Join),
    /// The operator between two expressions.
    Between(&'e Expr, &'e Expr),
    /// The first operator behind an expression.
    Behind(&'e Expr),
    /// Where an expression ends.
    EndOf(&'e Expr),
}

impl From<Range<usize>> for At<'_> {
    fn from(range: Range<usize>) -> Self {
        Self::Bytes(range.start, range.end)
    }
}

impl Binder<'_> {
    /// The bytes of an argument of a call, where Postgres points at those that don't fit the first.
    pub(super) fn place_of_argument(&self, at: At<'_>, index: usize) -> Range<usize> {
        if let At::Call(function) = at
            && let FunctionArguments::List(list) = &function.args
            && let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))) =
                list.args.get(index)
        {
            return span_of(argument);
        }
        self.place(at)
    }

    /// The bytes of a place.
    pub(super) fn place(&self, at: At<'_>) -> Range<usize> {
        match at {
            At::Bytes(start, end) => start..end,
            At::Call(function) => span_of_call(function),
            At::Join(join) => range(join.span()),
            At::Between(left, right) => self.operator_between(self.end_of(left), start_of(right)),
            At::Behind(expr) => self.operator_between(self.end_of(expr), self.text.len()),
            At::EndOf(expr) => end_of(expr)..end_of(expr),
        }
    }

    /// Where an expression ends, with the brackets behind it.
    fn end_of(&self, expr: &Expr) -> usize {
        let extent = self.extent(expr);
        extent.map_or_else(|| end_of(expr), |extent| extent.end)
    }
}

/// The bytes that an expression covers, but for the brackets around it.
pub(super) fn span_of(expr: &Expr) -> Range<usize> {
    match (first(expr), last(expr)) {
        (Some(start), Some(end)) if start < end => start..end,
        _ => range(expr.span()),
    }
}

/// Where an expression begins. What it ends with is not looked for: asked along a chain, which
/// nests to one side, both together would cost the square of its length.
pub(super) fn start_of(expr: &Expr) -> usize {
    let start = first(expr).filter(|start| *start > 0);
    start.unwrap_or_else(|| range(expr.span()).start)
}

/// Where an expression ends, but for the brackets around it.
pub(super) fn end_of(expr: &Expr) -> usize {
    last(expr)
        .filter(|end| *end > 0)
        .unwrap_or_else(|| range(expr.span()).end)
}

/// Where a call begins and ends.
fn span_of_call(function: &Function) -> Range<usize> {
    match (name(&function.name), last_of_call(function)) {
        (Some(name), Some(Last::Here(end))) => name.start..end,
        (Some(name), Some(Last::In(expr))) => match last(expr) {
            Some(end) => name.start..end,
            None => range(function.span()),
        },
        _ => range(function.span()),
    }
}

fn bytes(ident: &Ident) -> Option<Range<usize>> {
    Some(range(ident.span)).filter(|span| span.start < span.end)
}

fn name(name: &ObjectName) -> Option<Range<usize>> {
    let idents = name.0.iter().map(|part| bytes(part.as_ident()?));
    let spans = idents.collect::<Option<Vec<_>>>()?;
    Some(spans.first()?.start..spans.last()?.end)
}

/// What an expression begins with.
fn first(mut expr: &Expr) -> Option<usize> {
    loop {
        expr = match expr {
            Expr::Identifier(ident) => return bytes(ident).map(|span| span.start),
            Expr::CompoundIdentifier(idents) => return bytes(idents.first()?).map(|s| s.start),
            Expr::Value(value) => return Some(range(value.span).start),
            Expr::Function(function) => return name(&function.name).map(|span| span.start),
            Expr::Tuple(exprs) => exprs.first()?,
            Expr::Nested(inner)
            | Expr::UnaryOp { expr: inner, .. }
            | Expr::Cast { expr: inner, .. }
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsDistinctFrom(inner, _)
            | Expr::IsNotDistinctFrom(inner, _)
            | Expr::InList { expr: inner, .. }
            | Expr::InSubquery { expr: inner, .. }
            | Expr::Between { expr: inner, .. }
            | Expr::Like { expr: inner, .. }
            | Expr::ILike { expr: inner, .. }
            | Expr::Collate { expr: inner, .. }
            | Expr::BinaryOp { left: inner, .. }
            | Expr::AnyOp { left: inner, .. }
            | Expr::AllOp { left: inner, .. } => inner,
            _ => return None,
        }
    }
}

/// What an expression ends with.
fn last(mut expr: &Expr) -> Option<usize> {
    loop {
        expr = match expr {
            Expr::Identifier(ident) => return bytes(ident).map(|span| span.end),
            Expr::CompoundIdentifier(idents) => return bytes(idents.last()?).map(|s| s.end),
            Expr::Value(value) => return Some(range(value.span).end),
            Expr::Function(function) => match last_of_call(function)? {
                Last::Here(end) => return Some(end),
                Last::In(expr) => expr,
            },
            Expr::Nested(inner)
            | Expr::UnaryOp { expr: inner, .. }
            | Expr::Cast { expr: inner, .. }
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsDistinctFrom(_, inner)
            | Expr::IsNotDistinctFrom(_, inner)
            | Expr::Between { high: inner, .. }
            | Expr::Like { pattern: inner, .. }
            | Expr::ILike { pattern: inner, .. }
            | Expr::BinaryOp { right: inner, .. }
            | Expr::AnyOp { right: inner, .. }
            | Expr::AllOp { right: inner, .. } => inner,
            Expr::InList { list, .. } => list.last()?,
            _ => return None,
        }
    }
}

enum Last<'e> {
    /// The end of the name.
    Here(usize),
    In(&'e Expr),
}

fn last_of_call(function: &Function) -> Option<Last<'_>> {
    let plain = matches!(function.parameters, FunctionArguments::None)
        && function.filter.is_none()
        && function.within_group.is_empty();
    match &function.args {
        FunctionArguments::List(list) if plain && list.clauses.is_empty() => {
            match list.args.last() {
                None => name(&function.name).map(|span| Last::Here(span.end)),
                Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))) => Some(Last::In(expr)),
                Some(_) => None,
            }
        }
        _ => None,
    }
}
