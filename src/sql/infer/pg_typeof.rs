//! `pg_typeof`: the type that the client knows a value by, not that of the key.

use sqlparser::ast::Function;

use crate::sql::types::{Shape, TypeVar};

use super::Binder;
use super::tag::text;

/// The oid of `regtype`.
use crate::pg::oid::REGTYPE;

impl Binder<'_> {
    /// The result of `pg_typeof` over ids; `None` if there are none. Text, JSON and rows
    /// with ids in them are of the types that they have inside.
    pub(super) fn type_of(
        &mut self,
        function: &Function,
        arguments: &[TypeVar],
    ) -> Option<TypeVar> {
        let [node] = arguments else {
            return None;
        };
        if !self.types.has_id(*node) {
            return None;
        }
        let (id, brackets) = match self.types.shape(*node) {
            Shape::Id(id) => (Some(id), ""),
            Shape::Array(element) => match self.types.shape(element) {
                Shape::Id(id) => (Some(id), "[]"),
                _ => (None, ""),
            },
            Shape::Hidden => return None,
            _ => (None, ""),
        };
        if let Some(id) = id.filter(|id| id.shown != id.key_type) {
            let extents = self.argument_extents(function)?;
            let [extent] = extents.as_slice() else {
                return None;
            };
            let shown = format!(") IS NULL THEN NULL::{}{brackets} END", id.shown.sql());
            self.enclose(extent, vec![text("CASE WHEN (")], vec![text(&shown)]);
        }
        Some(self.types.native(REGTYPE))
    }
}
