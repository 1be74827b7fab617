//! `[check]`: columns that look like keys and are to stay as they are, so that `pgveil check` asks
//! no more about them. It changes nothing of what clients see.

use super::fault::Faults;
use super::ids::column_pattern;
use super::{ColumnPattern, IdDomain, raw};

/// The columns with their lines.
pub(super) fn columns(raw: raw::Check, faults: &mut Faults<'_>) -> Vec<(ColumnPattern, usize)> {
    let mut columns: Vec<(ColumnPattern, usize)> = Vec::new();
    for text in raw.plain.map_or_else(Vec::new, |list| list.value) {
        let Some(column) = column_pattern(&text, faults) else {
            continue;
        };
        if columns.iter().any(|(known, _)| *known == column) {
            let cause = format!("{column} is in `check.plain` twice");
            faults.add(text.line, cause, "remove one of the two");
        }
        columns.push((column, text.line));
    }
    columns
}

/// Reports columns that are annotated too.
pub(super) fn distinct(
    plain: &[(ColumnPattern, usize)],
    domains: &[IdDomain],
    faults: &mut Faults<'_>,
) {
    for (column, line) in plain {
        let holds = |domain: &&IdDomain| {
            let json = &domain.annotation.json;
            // What is of one database may be plain in others.
            if domain.database.is_some() {
                return false;
            }
            domain.columns().any(|(known, _)| known.meets(column))
                || json.iter().any(|json| json.column.meets(column))
        };
        if let Some(domain) = domains.iter().find(holds) {
            let name = &domain.annotation.name;
            let cause = format!("{column} is in `check.plain` and in id domain `{name}`");
            faults.add(*line, cause, "remove it from one of the two");
        }
    }
}
