//! What stands around calls of functions that tell of the catalogs, so that they tell of columns of
//! keys what the catalogs tell ([`super::catalogs`]).

use std::collections::BTreeMap;

use crate::catalog::{KeyType, Snapshot};

use super::catalog_texts::at_random;
use super::catalogs::{number, oids};
use super::shown::ShownColumn;

/// The function that tells which sequence a column has.
const SERIAL_SEQUENCE: &str = "pg_get_serial_sequence";

/// What stands before and behind a call of that function, so that it gives null where keys come from
/// the sequence: a column that is filled at random has none. `None` if there is no such sequence.
pub(super) fn around_serial_sequence(snapshot: &Snapshot) -> Option<[String; 2]> {
    let counting = snapshot.sequences(true);
    if counting.is_empty() || !snapshot.shows_ids() {
        return None;
    }
    let open = format!(
        "(SELECT CASE WHEN pgveil.s::pg_catalog.regclass::pg_catalog.oid \
         OPERATOR(pg_catalog.=) ANY ({}) THEN NULL ELSE pgveil.s END AS {SERIAL_SEQUENCE} FROM \
         (SELECT ",
        oids(&counting)
    );
    Some([open, " AS s) AS pgveil)".to_owned()])
}

/// The catalog of the expressions that fill columns.
pub(super) const DEFAULTS: &str = "pg_attrdef";

/// The function that tells what an expression is.
const EXPRESSION: &str = "pg_get_expr";

/// What stands before and behind a call of that function, so that it tells what fills a column at
/// random, and in the default of an array the type that clients see: whose default it is the row of
/// the catalog says, which is called `row` if it has a name.
pub(super) fn around_expression(columns: &[ShownColumn], row: Option<&str>) -> [String; 2] {
    let row = row.map_or(String::new(), |row| format!("{row}."));
    let mut arrays = String::new();
    for (stored, shown, numbers) in shown_arrays(columns) {
        arrays += &format!(
            " WHEN {row}adrelid::pg_catalog.int8 OPERATOR(pg_catalog.*) 65536 \
             OPERATOR(pg_catalog.+) {row}adnum OPERATOR(pg_catalog.=) ANY \
             ('{{{numbers}}}'::pg_catalog._int8) THEN pg_catalog.replace(pgveil.e, '::' \
             OPERATOR(pg_catalog.||) pg_catalog.format_type('{stored}', NULL), '::' \
             OPERATOR(pg_catalog.||) pg_catalog.format_type('{shown}', NULL))"
        );
    }
    let open = format!(
        "(SELECT CASE WHEN pgveil.e OPERATOR(pg_catalog.=) pg_catalog.pg_get_expr({}, '0') THEN \
         'gen_random_uuid()'{arrays} ELSE pgveil.e END AS {EXPRESSION} FROM (SELECT ",
        at_random!()
    );
    [open, " AS e) AS pgveil)".to_owned()]
}

/// The columns of arrays in whose place clients see others: the types of the arrays, and the numbers
/// of the columns.
fn shown_arrays(columns: &[ShownColumn]) -> Vec<(u32, u32, String)> {
    let mut arrays: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    let is_array = |column: &&ShownColumn| KeyType::from_oid(column.stored).is_some_and(|of| of.1);
    for column in columns.iter().filter(is_array) {
        let numbers = arrays.entry((column.stored, column.shown)).or_default();
        numbers.push(number(column.relation, column.attnum));
    }
    let arrays = arrays.into_iter();
    arrays
        .map(|((stored, shown), numbers)| (stored, shown, numbers.join(",")))
        .collect()
}
