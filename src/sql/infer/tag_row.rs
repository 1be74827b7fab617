//! Rows that are written out, `(id, name)` and `ROW(id, name)`, where they become text.

use std::ops::Range;

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments};

use crate::pg::functions::{Rule, rule};
use crate::sql::types::{Shape, TypeVar};

use super::Binder;
use super::cast::unnested;
use super::column_name::last;
use super::span::{span_of, start_of};
use super::tag::Carrier;

/// The fields of a row, and the bytes of each.
type Fields<'e> = (Vec<&'e Expr>, Vec<Range<usize>>);

impl Binder<'_> {
    /// Tags the ids among the fields of a row; `None` if one of them can't be.
    pub(super) fn tag_fields(&mut self, node: TypeVar, expr: &Expr) -> Option<()> {
        let fields = self.fields(expr)?;
        self.tag_each(node, fields)
    }

    fn tag_each(&mut self, node: TypeVar, (exprs, extents): Fields<'_>) -> Option<()> {
        let Shape::Record(nodes) = self.types.shape(node) else {
            return None;
        };
        if exprs.len() != nodes.len() {
            return None;
        }
        for ((node, expr), extent) in nodes.iter().copied().zip(exprs).zip(extents) {
            match self.types.shape(node) {
                _ if !self.types.has_id(node) => self.types.resolve_plain(node),
                _ if self.tagged(node).is_some() => {}
                Shape::Record(_) if let Some(fields) = self.fields_within(expr, &extent) => {
                    self.tag_each(node, fields)?;
                }
                shape => {
                    let is_row = matches!(shape, Shape::Record(_));
                    let made = if is_row { Carrier::Row } else { Carrier::Text };
                    self.tag(node, extent, made)?;
                }
            }
        }
        Some(())
    }

    /// The fields of a row that is written out, and their bytes.
    fn fields<'e>(&self, expr: &'e Expr) -> Option<Fields<'e>> {
        let exprs = written_out(expr)?;
        if let Expr::Function(function) = unnested(expr) {
            let extents = self.argument_extents(function)?;
            let begins = |(extent, expr): (&Range<usize>, &&Expr)| extent.contains(&start_of(expr));
            let fits = extents.len() == exprs.len() && extents.iter().zip(&exprs).all(begins);
            return fits.then_some((exprs, extents));
        }
        // The spans of sqlparser leave out brackets: those of the row are the innermost with these
        // fields in them. A field that says where it begins is in no other brackets with several
        // fields; without one all of the row has to be looked through.
        let plain =
            (exprs.iter().enumerate()).find_map(|(at, expr)| Some((at, plain_start(expr)?)));
        let spans: Vec<_> = match plain {
            Some(_) => Vec::new(),
            None => exprs.iter().map(|expr| span_of(expr)).collect(),
        };
        let holds = |extents: &Vec<Range<usize>>| match plain {
            Some((at, start)) if extents.len() == exprs.len() => extents
                .get(at)
                .is_some_and(|extent| extent.contains(&start)),
            Some(_) => false,
            None => hold(extents, &spans),
        };
        let mut at = plain.map_or_else(|| spans.first().map(|span| span.start), |p| Some(p.1))?;
        loop {
            self.types.spend(1);
            let open = self.enclosing(at)?;
            at = open.start;
            let is_open = self.text.get(open.clone()) == Some("(");
            let extents = is_open.then(|| self.listed(open)).flatten();
            if let Some(extents) = extents.filter(holds) {
                return Some((exprs, extents));
            }
        }
    }

    /// The innermost bracket that is open at a place.
    fn enclosing(&self, place: usize) -> Option<Range<usize>> {
        let open = self.partners().around(self.index_of(place))?;
        Some(self.tokens.get(open)?.span.clone())
    }

    /// The fields, and their bytes, of a row that is itself the field of one and whose own bytes
    /// are known: around it are nothing but brackets. What is in it is not looked at, as that would
    /// be done at each level.
    fn fields_within<'e>(&self, expr: &'e Expr, extent: &Range<usize>) -> Option<Fields<'e>> {
        let exprs = written_out(expr)?;
        if let Expr::Function(function) = unnested(expr) {
            let extents = self.argument_extents(function)?;
            let is_within =
                |inner: &Range<usize>| extent.start < inner.start && inner.end < extent.end;
            let fits = extents.len() == exprs.len() && extents.iter().all(is_within);
            return fits.then_some((exprs, extents));
        }
        let mut extent = extent.clone();
        loop {
            let open = self.tokens_from(extent.start).first()?.span.clone();
            if self.bracketed(open.end, "(")? != extent {
                return None;
            }
            let extents = self.listed(open)?;
            match extents.as_slice() {
                [only] => extent = only.clone(),
                _ => return (extents.len() == exprs.len()).then_some((exprs, extents)),
            }
        }
    }
}

/// The fields of a row that is written out.
fn written_out(expr: &Expr) -> Option<Vec<&Expr>> {
    match unnested(expr) {
        Expr::Tuple(exprs) => Some(exprs.iter().collect()),
        Expr::Function(function) if rule(&last(&function.name)) == Some(Rule::Row) => {
            let FunctionArguments::List(list) = &function.args else {
                return None;
            };
            let exprs = list.args.iter().map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                _ => None,
            });
            exprs.collect()
        }
        _ => None,
    }
}

/// Where a field begins, if it does with a name, a number or a string, or is made of one that does
/// without brackets of its own but such with one thing in them.
fn plain_start(expr: &Expr) -> Option<usize> {
    let mut expr = expr;
    for _ in 0..MANY_LEVELS {
        expr = match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_) => {
                return Some(start_of(expr)).filter(|start| *start > 0);
            }
            Expr::Function(_) => return Some(start_of(expr)).filter(|start| *start > 0),
            Expr::Nested(inner)
            | Expr::Cast { expr: inner, .. }
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::BinaryOp { left: inner, .. } => inner,
            _ => return None,
        };
    }
    None
}

/// A field of more levels is looked through as a whole.
const MANY_LEVELS: usize = 32;

/// Whether each of some ranges holds the expression of its place.
fn hold(extents: &[Range<usize>], exprs: &[Range<usize>]) -> bool {
    let holds = |(extent, expr): (&Range<usize>, &Range<usize>)| {
        extent.start <= expr.start && expr.start < expr.end && expr.end <= extent.end
    };
    extents.len() == exprs.len() && extents.iter().zip(exprs).all(holds)
}
