//! Rows that are written out, `(id, name)` and `ROW(id, name)`, where they become text.

use std::ops::Range;

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments};

use crate::sql::types::{Node, Shape};

use super::Binder;
use super::cast::unnested;
use super::name::last;
use super::span::span_of;

/// The fields of a row, and the bytes of each.
type Fields<'e> = (Vec<&'e Expr>, Vec<Range<usize>>);

impl Binder<'_> {
    /// Tags the ids among the fields of a row; `None` if one of them can't be.
    pub(super) fn tag_fields(&mut self, node: Node, expr: &Expr) -> Option<()> {
        let Shape::Record(nodes) = self.types.shape(node) else {
            return None;
        };
        let (exprs, extents) = self.fields(expr)?;
        if exprs.len() != nodes.len() {
            return None;
        }
        for ((node, expr), extent) in nodes.iter().copied().zip(exprs).zip(extents) {
            match self.types.shape(node) {
                _ if !self.types.has_id(node) => self.types.settle(node),
                _ if self.tagged(node).is_some() => {}
                Shape::Record(_) if self.fields(expr).is_some() => self.tag_fields(node, expr)?,
                shape => {
                    let is_row = matches!(shape, Shape::Record(_));
                    self.tag(node, extent, is_row)?;
                }
            }
        }
        Some(())
    }

    /// The fields of a row that is written out, and their bytes.
    fn fields<'e>(&self, expr: &'e Expr) -> Option<Fields<'e>> {
        match unnested(expr) {
            Expr::Tuple(exprs) => {
                let exprs: Vec<&Expr> = exprs.iter().collect();
                // The spans of sqlparser leave out brackets: those of the row are the innermost
                // with these fields in them.
                let mut at = span_of(exprs.first()?).start;
                loop {
                    let open = self.token_before(at);
                    if open.start >= at {
                        return None;
                    }
                    at = open.start;
                    let is_open = self.text.get(open.clone()) == Some("(");
                    let extents = is_open.then(|| self.listed(open)).flatten();
                    if let Some(extents) = extents.filter(|extents| hold(extents, &exprs)) {
                        return Some((exprs, extents));
                    }
                }
            }
            Expr::Function(function) if last(&function.name) == "row" => {
                let FunctionArguments::List(list) = &function.args else {
                    return None;
                };
                let exprs = list.args.iter().map(|arg| match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                    _ => None,
                });
                let exprs = exprs.collect::<Option<Vec<_>>>()?;
                let extents = self.argument_extents(function)?;
                hold(&extents, &exprs).then_some((exprs, extents))
            }
            _ => None,
        }
    }
}

/// Whether each of some ranges holds the expression of its place.
fn hold(extents: &[Range<usize>], exprs: &[&Expr]) -> bool {
    let holds = |(extent, expr): (&Range<usize>, &&Expr)| {
        let inner = span_of(expr);
        extent.start <= inner.start && inner.start < inner.end && inner.end <= extent.end
    };
    extents.len() == exprs.len() && extents.iter().zip(exprs).all(holds)
}
