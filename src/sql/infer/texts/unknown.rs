//! Values without a type that are text because of what they are compared with, which has none either,
//! as in `$1 = ANY (ARRAY['', 'all'])`: Postgres takes both sides for text then.

use std::ops::Range;

use sqlparser::ast::Expr;

use crate::catalog::KeyType;
use crate::pg::oid::is_string;
use crate::sql::parse::range;
use crate::sql::types::{Shape, TypeVar};

use super::super::cast::unnested;
use super::super::{Binder, Occurrence, Value};

impl Binder<'_> {
    /// Takes down a comparison of two values: what has no type on either side is text.
    pub(in super::super) fn note_compared(&mut self, a: TypeVar, b: TypeVar) {
        if self.types.in_definition {
            return;
        }
        match (self.types.shape(a), self.types.shape(b)) {
            (Shape::Unknown, Shape::Unknown) => {
                self.texts.compared.extend([a, b]);
            }
            (Shape::Unknown, Shape::Typed(of)) if of.is_text() => _ = self.texts.compared.insert(a),
            (Shape::Typed(of), Shape::Unknown) if of.is_text() => _ = self.texts.compared.insert(b),
            (Shape::Array(a), Shape::Array(b)) if self.types.step() => self.note_compared(a, b),
            (Shape::Record(left), Shape::Record(right)) if self.types.step() => {
                for (a, b) in left.iter().zip(&*right) {
                    self.note_compared(*a, *b);
                }
            }
            _ => {}
        }
    }

    /// Takes down that a value is text if it has no type.
    pub(in super::super) fn note_text(&mut self, node: TypeVar) {
        if !self.types.in_definition {
            self.texts.compared.insert(node);
        }
    }

    /// The type of text that the elements of an array have: by what it is, or because of what a parameter
    /// has met first, as in `$1::text[] = '{}' OR id = ANY ($1::uuid[])`.
    pub(in super::super) fn elements_are_text(
        &self,
        array: &Expr,
        shape: &Shape,
    ) -> Option<KeyType> {
        let met_first = match (shape, unnested(array)) {
            (Shape::Unknown, Expr::Value(value)) => {
                let at = range(value.span);
                let indices = self.parameters_at(std::slice::from_ref(&at));
                let index = indices.first()?;
                let first = self.first_use_before(*index, &at)?;
                self.types.shape(first.node)
            }
            _ => shape.clone(),
        };
        let Shape::Array(element) = met_first else {
            return None;
        };
        match self.types.shape(element) {
            Shape::Typed(of) if of.is_text() => Some(of),
            _ => None,
        }
    }

    /// What a parameter has met before this place, if it stands there.
    pub(super) fn first_use_before(&self, index: usize, at: &Range<usize>) -> Option<&Occurrence> {
        self.types.spend(self.occurrences.len());
        let is_it =
            |value: &Value| matches!(value, Value::Parameter { index: of, .. } if *of == index);
        let mut uses = self.occurrences.iter().filter(|of| is_it(&of.value));
        uses.next().filter(|of| of.span.start != at.start)
    }

    /// Whether a value is text, by its type or because of what it has been compared with.
    pub(super) fn is_text(&self, node: TypeVar) -> bool {
        match self.types.shape(node) {
            Shape::Plain(of) => is_string(of),
            Shape::Typed(of) => of.is_text(),
            Shape::Unknown => self.is_compared(node),
            _ => false,
        }
    }

    fn is_compared(&self, node: TypeVar) -> bool {
        let compared = &self.texts.compared;
        if compared.contains(&node) {
            return true;
        }
        self.types.spend(compared.len());
        let head = self.types.head(node);
        compared.iter().any(|other| self.types.head(*other) == head)
    }
}
