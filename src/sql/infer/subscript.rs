//! Elements and parts of arrays, read and assigned. The type of an array does not tell how many
//! dimensions it has, and so an array of arrays is one of their elements.

use std::ops::Range;

use sqlparser::ast::{AccessExpr, Expr, ObjectName, Spanned, Subscript};

use crate::catalog::{Column, KeyType};
use crate::sql::parse::{Part, range};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::types::{INT4, Shape, TypeVar};

use super::dml::is_default;
use super::span::span_of;
use super::target::Target;
use super::{Binder, Check};

/// The subscripts that directly follow each other, and what stands behind them.
pub(super) fn consecutive<'e>(
    first: &'e Subscript,
    chain: &'e [AccessExpr],
) -> (Vec<&'e Subscript>, &'e [AccessExpr]) {
    let more = chain.iter().map_while(|access| match access {
        AccessExpr::Subscript(subscript) => Some(subscript),
        AccessExpr::Dot(_) => None,
    });
    let subscripts: Vec<&Subscript> = std::iter::once(first).chain(more).collect();
    let rest = chain.get(subscripts.len() - 1..).unwrap_or_default();
    (subscripts, rest)
}

impl Binder<'_> {
    /// The array of values of this type, or with one dimension more if they are arrays.
    pub(super) fn array_of(&mut self, element: TypeVar) -> TypeVar {
        match self.types.shape(element) {
            Shape::Array(_) => element,
            _ => self.types.node(Shape::Array(element)),
        }
    }

    /// `value[i][j]`, `value[i:j]`: of an array one element, or a part if there is any colon.
    pub(super) fn subscripted(
        &mut self,
        value: TypeVar,
        subscripts: &[&Subscript],
        root: &Expr,
    ) -> Check<TypeVar> {
        let mut node = value;
        let element = match self.types.shape(value) {
            Shape::Array(element) => Some(element),
            _ => None,
        };
        let mut is_part = false;
        for subscript in subscripts {
            match subscript {
                Subscript::Index { index } => {
                    self.native_of(index, 0)?;
                    if element.is_none() {
                        node = self.subscript_of(node, index, root)?;
                    }
                }
                Subscript::Slice {
                    lower_bound,
                    upper_bound,
                    stride: None,
                } => {
                    is_part = true;
                    for bound in lower_bound.iter().chain(upper_bound) {
                        self.native_of(bound, INT4)?;
                    }
                }
                Subscript::Slice { .. } => {
                    return self.unsupported("a subscript here", span_of(root));
                }
            }
        }
        Ok(match element {
            Some(element) if !is_part => self.element(element, value),
            _ => node,
        })
    }

    /// A subscript of a value that is no array, or not known to be one.
    fn subscript_of(&mut self, node: TypeVar, index: &Expr, root: &Expr) -> Check<TypeVar> {
        let part = match self.types.shape(node) {
            Shape::Json(place, oid) => self.subscript(place, oid, index),
            Shape::Plain(_) | Shape::Unknown | Shape::Typed(_) => {
                self.types.resolve_plain(node);
                Some(self.types.native(0))
            }
            _ => None,
        };
        match part {
            Some(part) => Ok(part),
            None => self.unsupported("a subscript here", span_of(root)),
        }
    }

    /// One assignment of a SET clause: to a column, an element of it, several elements, or a
    /// field.
    pub(super) fn assign_part(
        &mut self,
        name: &ObjectName,
        value: &Expr,
        target: &Target,
    ) -> Check<()> {
        let part = Part::of(name);
        if part == Some(Part::Subscript) {
            return self.native(value).map(drop);
        }
        let mut parts = name.0.clone();
        if part.is_some() {
            parts.pop();
        }
        let column = ObjectName(parts);
        if part == Some(Part::Element) && self.assigned_part(&column, value, target)? {
            return Ok(());
        }
        let column = self.target_column(target, &column)?;
        if is_default(value) {
            return Ok(());
        }
        let node = self.expr(value)?;
        if part == Some(Part::Element) {
            let at = range(name.span());
            self.assign_element((node, value), (&column, at), target)
        } else {
            self.assign_to(node, &column, target, Some(value))
        }
    }

    /// `SET column[i] = value`
    fn assign_element(
        &mut self,
        (node, value): (TypeVar, &Expr),
        (column, place): (&Column, Range<usize>),
        target: &Target,
    ) -> Check<()> {
        let at = span_of(value);
        let (wanted, stored) = self.destination(column, target, &at)?;
        let known = KeyType::from_oid(column.type_oid.0);
        let wanted = match (self.types.shape(wanted), known) {
            (Shape::Array(element), _) => element,
            (Shape::Plain(_), Some((element, true))) => self.types.native(element.oid()),
            // A document, or an array of something that is no id.
            _ => wanted,
        };
        let is_text = known.is_some_and(|(element, _)| element.is_text());
        if self.types.has_tag(node) || self.types.has_id(node) && is_text && column.id.is_none() {
            let message = format!(
                "pgveil can't store an id as text in column \"{}\"",
                column.name
            );
            let refusal = Refusal::unsupported(Code::Expression, message).at(at);
            return Err(Box::new(refusal.hint(
                "Store it in a column of the key's type, with a foreign key.",
            )));
        }
        self.types.unify(node, wanted).map_err(|clash| {
            self.clash(&clash, (wanted, node), place, |wanted, given| {
                let name = &column.name;
                let message = format!(
                    "subscripted assignment to \"{name}\" requires type {wanted} but expression is of type {given}"
                );
                Refusal::new(Code::UuidType, "42804", message)
                    .hint("You will need to rewrite or cast the expression.")
            })
        })?;
        self.types.store(node, &stored);
        Ok(())
    }
}
