//! In the place of which columns of the database clients see another type than the stored one: what
//! the catalogs have to say otherwise. Of tables the annotations tell it, of views the analysis of
//! their definitions, as where they are selected from.

use std::sync::Arc;

use crate::catalog::{Oid, Relation, RelationKind};
use crate::sql::Context;
use crate::sql::types::Shape;

use super::Binder;

/// A column in whose place clients see another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShownColumn {
    pub(super) relation: Oid,
    pub(super) attnum: i16,
    /// The oid of the stored type.
    pub(super) stored: u32,
    /// The oid of the type that clients see.
    pub(super) shown: u32,
}

impl Binder<'_> {
    /// All columns in whose place clients see another type, in the order of relations and columns:
    /// the same catalog gives the same text. To read the views is paid for by the statement, once.
    pub(super) fn shown_columns(&self) -> &[ShownColumn] {
        self.shown_columns.get_or_init(|| {
            let snapshot = self.context.snapshot;
            let of_tables = snapshot.shown_otherwise();
            let of_tables = of_tables.map(|(relation, attnum, stored, shown)| ShownColumn {
                relation,
                attnum,
                stored,
                shown,
            });
            let mut columns: Vec<ShownColumn> = of_tables.collect();
            for view in snapshot.relations().filter(|of| is_view_of_keys(of)) {
                columns.extend(self.shown_of_view(view));
            }
            columns.sort_unstable();
            columns
        })
    }

    /// Those of a view; none if its definition can't be explained, as none of its columns can be
    /// selected then.
    fn shown_of_view(&self, view: &Relation) -> Vec<ShownColumn> {
        let context = Context {
            trace: None,
            ..*self.context
        };
        let nothing: (&str, &[_]) = ("", &[]);
        let mut reader = Binder::new(&context, self.path, nothing, self.budget);
        let Ok(outputs) = reader.view_columns(view, 0..0) else {
            return Vec::new();
        };
        let columns = view.columns.iter().zip(outputs);
        let shown = columns.filter_map(|(column, output)| {
            let stored = column.type_oid.0;
            let shown = reader.shown_type(&reader.types.shape(output.node))?;
            (shown != stored).then_some(ShownColumn {
                relation: view.oid,
                attnum: column.attnum,
                stored,
                shown,
            })
        });
        shown.collect()
    }

    /// The oid of the type in which clients see ids, or arrays of them.
    fn shown_type(&self, shape: &Shape) -> Option<u32> {
        match shape {
            Shape::Id(id) if id.key_type.is_like(id.shown) => None,
            Shape::Id(id) => Some(id.shown.oid()),
            Shape::Array(element) => match self.types.shape(*element) {
                Shape::Id(id) if !id.key_type.is_like(id.shown) => Some(id.shown.array_oid()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether it is a view in which keys can be seen.
fn is_view_of_keys(relation: &Arc<Relation>) -> bool {
    let is_view = matches!(
        relation.kind,
        RelationKind::View | RelationKind::MaterializedView
    );
    is_view && relation.protected
}
