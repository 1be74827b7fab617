//! What the values of the columns of tables are.

use std::sync::Arc;

use super::{ColumnValue, JsonShape, TargetColumn};
use crate::catalog::{Column, RelationKind, Snapshot};

/// Rows in rows in rows: more than anybody has, and less than a stack.
const MAX_DEPTH: usize = 16;

impl ColumnValue {
    /// Tells what the values of a column of a table are; if documents are stored in it, with what is
    /// told of ids that nobody has. `None` for one whose values show keys that can't be told apart.
    #[must_use]
    pub fn of_column(
        snapshot: &Snapshot,
        column: &Column,
        stored: Option<&TargetColumn>,
    ) -> Option<Self> {
        Self::at_depth(snapshot, column, stored, MAX_DEPTH)
    }

    fn at_depth(
        snapshot: &Snapshot,
        column: &Column,
        stored: Option<&TargetColumn>,
        depth: usize,
    ) -> Option<Self> {
        if column.derived {
            return None;
        }
        if let Some((relation, array)) = column.row {
            let depth = depth.checked_sub(1)?;
            let relation = snapshot.relation(relation)?;
            // What the columns of views hold their queries tell, and nobody here.
            let tells = matches!(relation.kind, RelationKind::Table | RelationKind::Composite);
            let columns = tells.then_some(&relation.columns)?.iter();
            let fields = columns.map(|column| Self::at_depth(snapshot, column, None, depth));
            return Some(Self::Record {
                fields: fields.collect::<Option<Arc<[Self]>>>()?,
                array,
            });
        }
        Some(match column.id {
            None if !column.json.is_empty() => {
                Self::Json(Arc::new(JsonShape::of_column(&column.json, stored)))
            }
            None => Self::Clean,
            Some(id) if id.array => Self::IdArray(id.id),
            Some(id) => Self::Id(id.id),
        })
    }
}
