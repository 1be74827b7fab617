//! The `[[id.json]]` tables: where keys stand inside columns of type json, jsonb and text.

use super::fault::Faults;
use super::ids::column_pattern;
use super::path::{self, PathStep};
use super::{ColumnPattern, check, raw};

/// Keys inside the documents of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonAnnotation {
    /// The column, or several in tables alike.
    pub column: ColumnPattern,
    /// From the document to each key.
    pub path: Vec<PathStep>,
    /// Whether keys are written as numbers, or as strings; `None`: as numbers if they are integers.
    pub numbers: Option<bool>,
    /// Where the file says so.
    pub line: usize,
}

impl JsonAnnotation {
    /// Whether a value of the other is a part of a value of this one, or the same.
    fn covers(&self, other: &Self) -> bool {
        self.column.meets(&other.column) && other.path.starts_with(&self.path)
    }
}

/// The annotations of a domain that have no fault.
pub(super) fn annotations(raw: Vec<raw::Json>, faults: &mut Faults<'_>) -> Vec<JsonAnnotation> {
    raw.into_iter()
        .filter_map(|json| annotation(json, faults))
        .collect()
}

fn annotation(raw: raw::Json, faults: &mut Faults<'_>) -> Option<JsonAnnotation> {
    let (Some(column), Some(path)) = (raw.column, raw.path) else {
        let advice = "add column = \"schema.table.column\" and path = \"$.user.id\"";
        faults.add(raw.line, "[[id.json]] has no column or no path", advice);
        return None;
    };
    let kinds = [("number", true), ("string", false)];
    let numbers = check::choice(raw.written, "as", &kinds, faults);
    let steps = path::steps(&path.value);
    if steps.is_none() {
        let cause = format!("`{}` is no path", path.value);
        let advice = "write \"$.user.id\", with [*] for every element of an array and quotes around \
                      other names: $.\"user id\"";
        faults.add(path.line, cause, advice);
    }
    Some(JsonAnnotation {
        column: column_pattern(&column, faults)?,
        path: steps?,
        numbers,
        line: raw.line,
    })
}

/// Reports two annotations of which one is a part of the other.
pub(super) fn distinct<'a>(
    new: &JsonAnnotation,
    mut known: impl Iterator<Item = &'a JsonAnnotation>,
    faults: &mut Faults<'_>,
) {
    let overlaps = |known: &&JsonAnnotation| known.covers(new) || new.covers(known);
    if known.any(|known| overlaps(&known)) {
        let cause = format!(
            "this path of {} overlaps with one that is given before",
            new.column
        );
        faults.add(
            new.line,
            cause,
            "a value has one meaning; remove one of the two",
        );
    }
}
