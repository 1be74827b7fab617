//! The lengths of columns of text, `varchar(64)`: the server describes a key in their place, so
//! that the plan has to say what the client is told.

use sqlparser::ast::Expr;

use crate::sql::types::TypeVar;

use super::Binder;
use super::cast::length;

/// What Postgres adds to a length: the bytes of the header of a value.
const HEADER: i32 = 4;

impl Binder<'_> {
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
