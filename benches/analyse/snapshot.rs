//! The database of the tests of `sql`, and more of the same.

use std::sync::Arc;

use pgveil::catalog::{Loader, Snapshot};
use pgveil::config::{ColumnName, IdAnnotation};

/// The id domains of that database.
pub(crate) fn annotations() -> Vec<IdAnnotation> {
    let tables = ["user", "team", "order", "order_item", "comment", "event"];
    (tables.into_iter())
        .map(|name| annotation(name, &format!("{name}s")))
        .collect()
}

/// A domain whose keys are in the column `id` of a table.
pub(crate) fn annotation(name: &str, table: &str) -> IdAnnotation {
    IdAnnotation {
        name: name.to_owned(),
        column: ColumnName {
            schema: "public".to_owned(),
            table: table.to_owned(),
            column: "id".to_owned(),
        }
        .into(),
        references: Vec::new(),
        json: Vec::new(),
        types: pgveil::catalog::ColumnTypes::INTEGERS_AS_UUIDS,
    }
}

/// The rows of the answer to the question for the catalog, as lines of fields with tabs between,
/// and more of them.
pub(crate) fn lines(more: &[String]) -> impl Iterator<Item = &str> {
    let lines = include_str!("../../tests/sql/catalog.tsv").lines();
    lines.chain(more.iter().map(String::as_str))
}

/// The database with these annotations, and with more rows.
pub(crate) fn of(annotations: &[IdAnnotation], more: &[String]) -> Snapshot {
    let mut loader = Loader::new(Arc::from(annotations));
    for line in lines(more) {
        let fields: Vec<_> = line.split('\t').map(field).collect();
        let _ = loader.row(&fields);
    }
    loader.finish().snapshot
}

/// A field of such a line.
pub(crate) fn field(text: &str) -> Option<&[u8]> {
    (text != "\\N").then_some(text.as_bytes())
}
