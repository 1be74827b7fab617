//! What goes into relations that a statement makes.

use crate::catalog::{IdColumn, Relation};
use crate::sql::plan::TargetColumn;
use crate::sql::refusal::stores_text;
use crate::sql::scope::Output;
use crate::sql::split;
use crate::sql::types::Shape;

use super::projection::unknown_columns;
use super::{Binder, Check};

impl Binder<'_> {
    /// The columns of a relation that hold keys, as far as they can be explained.
    pub(in crate::sql) fn ids_of(&mut self, relation: &Relation) -> Vec<(String, IdColumn)> {
        let columns = self.relation_columns(relation, 0..0).unwrap_or_default();
        let held = columns.into_iter().filter_map(|column| {
            let (node, array) = match self.types.shape(column.node) {
                Shape::Array(element) => (element, true),
                _ => (column.node, false),
            };
            match self.types.shape(node) {
                Shape::Id(id) => Some((column.name, IdColumn { id, array })),
                _ => None,
            }
        });
        held.collect()
    }

    /// The result of a query goes into the columns of a new relation.
    pub(in crate::sql) fn store_outputs(
        &mut self,
        outputs: &[Output],
        into: &TargetColumn,
    ) -> Check<()> {
        for output in outputs {
            if output.is_rest() {
                return Err(unknown_columns(split::bytes(self.tokens)));
            }
            let column = output.name.clone();
            if self.types.has_tag(output.node) {
                return Err(stores_text(&column, split::bytes(self.tokens)));
            }
            let into = TargetColumn {
                column,
                ..into.clone()
            };
            self.types.store(output.node, &into);
        }
        Ok(())
    }
}
