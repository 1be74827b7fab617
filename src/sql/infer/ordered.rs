//! What is compared for order, by operators, BETWEEN, `greatest` and `least`, `max`, or as a rank
//! among sorted values. Ids are in the order of their keys. A value that nobody issued has a place
//! in it only where it is before all ids or behind: the session finds out which, and refuses the
//! others. Keys in documents, and keys that stand for text, are in an order that says nothing of
//! the ids, which is refused here.

use sqlparser::ast::Expr;

use crate::sql::plan::Bound;
use crate::sql::types::{Shape, TypeVar};

use super::span::{At, start_of};
use super::{Binder, Check};

/// As what the two sides of an operator bound a range; `None` if it does not compare for order.
pub(super) fn bounds_of(word: &str) -> Option<[Bound; 2]> {
    match word {
        "<=" | ">" => Some([Bound::First, Bound::Other]),
        ">=" | "<" => Some([Bound::Other, Bound::First]),
        _ => None,
    }
}

impl Binder<'_> {
    /// Refuses values whose order in the database is not that of the ids in them.
    pub(super) fn check_order(&self, values: &[TypeVar], word: &str, at: At<'_>) -> Check<()> {
        let is_strange =
            |value: &TypeVar| self.has_id_as_text(*value) || self.has_key_in_document(*value);
        match values.iter().any(is_strange) {
            true => Err(self.shows(word, self.place(at))),
            false => Ok(()),
        }
    }

    /// Records that values which have been found to agree are compared for order, as these bounds.
    pub(super) fn order(&mut self, values: impl IntoIterator<Item = (TypeVar, Bound)>) {
        for (value, bound) in values {
            self.types.order_documents(value);
            self.types.bounds(value, bound);
        }
    }

    /// What is chosen among values by their order. It is one of them; where it is used, others may
    /// stand beside it that are not compared with them.
    pub(super) fn chosen(&mut self, among: TypeVar) -> TypeVar {
        self.order([(among, Bound::First)]);
        self.types.instantiate(among)
    }

    /// The bounds of `BETWEEN`. With SYMMETRIC either of them may be the first.
    pub(super) fn between(
        &mut self,
        (expr, negated): (&Expr, bool),
        (low, high): (&Expr, &Expr),
    ) -> Check<()> {
        let node = self.expr(expr)?;
        let ops = if negated { ["<", ">"] } else { [">=", "<="] };
        let symmetric = self.is_symmetric(low);
        for (bound, op) in [low, high].into_iter().zip(ops) {
            let right = self.expr(bound)?;
            let [own, mut other] = bounds_of(op).unwrap_or([Bound::Other; 2]);
            if symmetric {
                other = Bound::First;
            }
            let at = At::Between(expr, bound);
            self.compare_as((node, right), op, Some([own, other]), at)?;
        }
        Ok(())
    }

    /// Whether SYMMETRIC stands before the first bound.
    fn is_symmetric(&self, low: &Expr) -> bool {
        let mut start = self
            .extent(low)
            .map_or(start_of(low), |extent| extent.start);
        loop {
            let before = self.token_before(start);
            let written = self.text.get(before.clone()).unwrap_or_default();
            if written != "(" || before.start >= start {
                return written.eq_ignore_ascii_case("symmetric");
            }
            start = before.start;
        }
    }

    /// Whether a document with keys in it is anywhere in a value.
    pub(super) fn has_key_in_document(&self, node: TypeVar) -> bool {
        if self.types.in_definition || !self.types.may_have_document(node) {
            return false;
        }
        if !self.types.step() {
            return true;
        }
        match self.types.shape(node) {
            Shape::Json(place, _) => self.types.place_has_key(place),
            Shape::Array(element) => self.has_key_in_document(element),
            Shape::Record(fields) => fields.iter().any(|field| self.has_key_in_document(*field)),
            _ => false,
        }
    }
}
