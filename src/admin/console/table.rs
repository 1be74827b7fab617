//! A document's list as a table, for whoever reads rows: each entry is what stands in the JSON, so that
//! the two cannot differ.

use serde::Serialize;
use serde_json::Value;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
}

/// A table. What is neither text nor number in it is told as JSON.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) columns: &'static [(&'static str, Kind)],
    pub(super) rows: Vec<Vec<Value>>,
}

impl Table {
    /// The columns of entries that have fields of these names.
    pub(super) fn of<R: Serialize>(
        columns: &'static [(&'static str, Kind)],
        entries: impl Iterator<Item = R>,
    ) -> Self {
        let row = |entry: R| {
            let mut fields = serde_json::to_value(entry).unwrap_or_default();
            let mut take = |name: &str| fields.get_mut(name).map(Value::take).unwrap_or_default();
            columns.iter().map(|(name, _)| take(name)).collect()
        };
        Self {
            columns,
            rows: entries.map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_what_stands_in_the_json() {
        #[derive(Serialize)]
        struct Entry {
            number: u64,
            name: Option<&'static str>,
            list: Vec<&'static str>,
        }
        const COLUMNS: &[(&str, Kind)] = &[
            ("name", Kind::Text),
            ("number", Kind::Number),
            ("list", Kind::Text),
        ];
        let entry = Entry {
            number: 7,
            name: None,
            list: vec!["a"],
        };
        let table = Table::of(COLUMNS, [entry].into_iter());
        let list = Value::from(vec!["a"]);
        assert_eq!(table.rows, [vec![Value::Null, Value::from(7), list]]);
    }
}
