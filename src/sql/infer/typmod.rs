//! The lengths of columns of text, `varchar(64)`: the server describes a key in their place, so
//! that the plan has to say what the client is told.

use std::ops::Range;

use sqlparser::ast::Expr;

use crate::catalog::KeyType;
use crate::sql::normalize::string_of;
use crate::sql::plan::{Reading, cut};
use crate::sql::types::{Id, TypeVar};

use super::cast::Target;
use super::type_name::length;
use super::{Binder, Value};

/// What Postgres adds to a length: the bytes of the header of a value.
const HEADER: i32 = 4;

/// As long is the text of a uuid.
const UUID_LENGTH: u64 = 36;

impl Binder<'_> {
    /// A literal or parameter that a cast cuts to a length: an id may be what is left of it.
    pub(super) fn cut_value(&mut self, span: &Range<usize>, length: Option<u64>) {
        let Some(Ok(length)) = length.map(usize::try_from) else {
            return;
        };
        // How long a literal is, decides what becomes of it.
        self.tokens_from(span.start).first().and_then(string_of);
        let mut occurrences = self.occurrences.iter_mut().rev();
        let Some(occurrence) = occurrences.find(|occurrence| occurrence.span == *span) else {
            return;
        };
        match &mut occurrence.value {
            Value::Literal(text) => text.truncate(cut(text.as_bytes(), length).len()),
            Value::Number(_) => {}
            Value::Parameter { .. } => {
                let reading = self.readings.entry(span.start);
                let shortest = reading.and_modify(|reading| {
                    if let Reading::Cut(before) = reading {
                        *before = length.min(*before);
                    }
                });
                shortest.or_insert(Reading::Cut(length));
            }
        }
    }

    /// Whether ids like this are uuids, if they are not shown as text.
    pub(super) fn is_uuid(&self, id: Id) -> bool {
        let shown = KeyType::Uuid;
        id.shown == shown || self.context.snapshot.stores(Id { shown, ..id })
    }

    /// Whether a type has room for the text of an id, and adds nothing to it.
    pub(super) fn fits(&self, id: Id, target: &Target) -> bool {
        match (target.length, target.key_type) {
            (None, _) => true,
            (Some(length), KeyType::Bpchar) => self.is_uuid(id) && length == UUID_LENGTH,
            (Some(length), _) if self.is_uuid(id) => length >= UUID_LENGTH,
            (Some(length), _) => !self.cuts(id, length),
        }
    }

    /// Whether a type of text of this length cuts ids.
    pub(in crate::sql) fn cuts(&self, id: Id, length: u64) -> bool {
        let longest = self.context.snapshot.longest_id(id);
        u64::try_from(longest).is_ok_and(|longest| length < longest)
    }

    /// The modifier of the type of a column, or -1.
    pub(in crate::sql) fn modifier(&self, node: TypeVar) -> i32 {
        self.modifiers.get(&node).copied().unwrap_or(-1)
    }

    pub(super) fn set_modifier(&mut self, node: TypeVar, modifier: i32) {
        if self.modifier(node) != modifier {
            self.modifiers.insert(node, modifier);
        }
    }

    /// Takes down the modifier of a result column with this expression.
    pub(super) fn note_modifier(&mut self, expr: &Expr, node: TypeVar) {
        let modifier = self.modifier_of(expr, node);
        self.set_modifier(node, modifier);
    }

    /// The modifier of an expression, as `exprTypmod` in Postgres's `nodeFuncs.c` finds it.
    fn modifier_of(&self, expr: &Expr, node: TypeVar) -> i32 {
        match expr {
            Expr::Nested(inner) => self.modifier_of(inner, node),
            Expr::Cast { data_type, .. } => {
                let length = length(data_type).and_then(|length| i32::try_from(length).ok());
                length.map_or(-1, |length| length.saturating_add(HEADER))
            }
            Expr::Identifier(_)
            | Expr::CompoundIdentifier(_)
            | Expr::CompoundFieldAccess { .. }
            | Expr::Subquery(_) => self.modifier(node),
            _ => -1,
        }
    }
}
