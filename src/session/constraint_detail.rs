//! The detail lines in which Postgres quotes keys: `Key (id)=(5) already exists.` and its kin.
//! The grammar of the line stays; the values of id columns become ids.

use bytes::BytesMut;

use super::codecs::Codecs;
use super::ids::{self, Resolution, Sentinels};
use super::parts::Parts;
use super::result::composed_field;
use crate::catalog::{Column, IdColumn, IdType, Relation, Snapshot};
use crate::sql;
use crate::sql::plan::ColumnValue;
use crate::wire::frontend::Format;
use crate::wire::report::{Report, field};
use crate::wire::value::{self, Malformed, Scalar, Shape, Types};

/// What became of a detail.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Rewritten {
    /// No key is in it.
    Unchanged,
    /// With ids in the place of keys.
    Ids(String),
    /// It may quote keys, but where can't be told.
    Unclear,
}

/// The lines that quote a row or a part of it begin so. A translated line is known by its fields
/// alone: a table, and a code of class 23 (integrity constraints) or 44 (check options).
const KEY: &str = "Key (";
const FAILING_ROW: &str = "Failing row contains (";
const PARTITION_KEY: &str = "Partition key of the failing row contains (";

/// The files of the server's source that name what a row violates, and quote its keys: B-trees and
/// their builds, foreign keys, the executor with its partitions, exclusions and domains. Code of
/// users can raise an error with any SQLSTATE, detail and names: from whatever it wrote there, ids
/// of any key could be had.
const SERVER_FILES: [&[u8]; 9] = [
    b"nbtinsert.c",
    b"tuplesort.c",
    b"tuplesortvariants.c",
    b"ri_triggers.c",
    b"execMain.c",
    b"execPartition.c",
    b"execIndexing.c",
    b"execExprInterp.c",
    b"domains.c",
];

/// Whether the server itself raised a report about a row, and not code of the user.
pub(super) fn is_of_the_server(report: &Report<'_>) -> bool {
    let file = report.get(field::FILE).unwrap_or_default();
    SERVER_FILES.contains(&file)
}

/// Whether a detail may quote a row.
pub(super) fn may_quote(report: &Report<'_>, detail: &str) -> bool {
    let quotes = [KEY, FAILING_ROW, PARTITION_KEY]
        .iter()
        .any(|start| detail.starts_with(start));
    let class = report.get(field::CODE).unwrap_or_default();
    quotes || class.starts_with(b"23") || class.starts_with(b"44")
}

/// Rewrites a detail.
pub(super) fn rewrite(
    codecs: &Codecs,
    snapshot: &Snapshot,
    sentinels: &Sentinels,
    report: &Report<'_>,
    detail: &str,
) -> Rewritten {
    if !may_quote(report, detail) {
        return Rewritten::Unchanged;
    }
    if !is_of_the_server(report) {
        return Rewritten::Unclear;
    }
    let named = report
        .text(field::SCHEMA)
        .zip(report.text(field::TABLE))
        .and_then(|(schema, table)| {
            snapshot.resolve(Some(schema), table, snapshot.definition_path(schema))
        });
    let Some(relation) = named.map_or_else(|| checked(snapshot, report), |found| Some(&**found))
    else {
        return Rewritten::Unclear;
    };
    let line = Line {
        codecs,
        snapshot,
        sentinels,
        relation,
    };
    line.rewrite(detail, report).unwrap_or(Rewritten::Unclear)
}

/// The table whose row the check option of a view does not let through (`ExecWithCheckOptions`);
/// of the view only its name is told, and that in the message alone.
fn checked<'s>(snapshot: &'s Snapshot, report: &Report<'_>) -> Option<&'s Relation> {
    if report.get(field::CODE) != Some(b"44000") || report.get(field::TABLE).is_some() {
        return None;
    }
    let message = report.text(field::MESSAGE)?;
    let view = message.strip_prefix("new row violates check option for view \"")?;
    sql::table_behind(snapshot, view.strip_suffix('"')?)
}

struct Line<'a> {
    codecs: &'a Codecs,
    snapshot: &'a Snapshot,
    sentinels: &'a Sentinels,
    relation: &'a Relation,
}

/// What stands between the names of columns and their values.
const VALUES: &str = ")=(";
const VALUES_OF_ROW: &str = ") = (";

impl Line<'_> {
    /// Names and values stand beside each other without quotes, and some of both are the client's. A
    /// line that can be read in more than one way is not read at all.
    fn rewrite(&self, detail: &str, report: &Report<'_>) -> Option<Rewritten> {
        if let Some(rest) = detail.strip_prefix(KEY) {
            return self.key(rest, report);
        }
        if !self.relation.protected {
            return Some(Rewritten::Unchanged);
        }
        if let Some(rest) = detail.strip_prefix(FAILING_ROW) {
            let row = rest.strip_suffix(").")?;
            if row.contains(VALUES_OF_ROW) {
                return self.part_of_row(row);
            }
            let columns: Vec<&Column> = self.relation.columns.iter().collect();
            let values = self.values(&columns, row)?;
            return Some(Rewritten::Ids(format!("{FAILING_ROW}{values}).")));
        }
        let rest = detail.strip_prefix(PARTITION_KEY)?;
        let (names, values) = once(rest.strip_suffix(").")?, VALUES_OF_ROW)?;
        let values = self.values(&columns_of(self.relation, names)?, values)?;
        Some(Rewritten::Ids(format!(
            "{PARTITION_KEY}{names}) = ({values})."
        )))
    }

    /// The columns that the user may read, with their names, which are not quoted here. A whole row
    /// whose first value looks like names has more values than this has names and values.
    fn part_of_row(&self, row: &str) -> Option<Rewritten> {
        let all = &self.relation.columns;
        let is_plain = |column: &Column| !column.name.contains([',', '(', ')', '"']);
        let is_whole = row.split(", ").count() >= all.len();
        if is_whole || !all.iter().all(is_plain) {
            return None;
        }
        let (names, values) = once(row, VALUES_OF_ROW)?;
        let values = self.values(&columns_of(self.relation, names)?, values)?;
        Some(Rewritten::Ids(format!(
            "{FAILING_ROW}{names}) = ({values})."
        )))
    }

    /// Behind `Key (`.
    fn key(&self, rest: &str, report: &Report<'_>) -> Option<Rewritten> {
        match report.get(field::CODE)? {
            b"23503" => self.foreign_key(rest, report.text(field::CONSTRAINT)?),
            b"23505" => {
                let ends = [") already exists.", ") is duplicated."];
                let end = ends.into_iter().find(|end| rest.ends_with(end))?;
                self.index(rest, end)
            }
            b"23P01" if rest.ends_with(") conflicts with existing key.") => {
                self.index(rest, ") conflicts with existing key.")
            }
            b"23P01" => self.exclusion(rest),
            _ => (!self.relation.protected).then_some(Rewritten::Unchanged),
        }
    }

    /// The key of an index of the table, up to what ends the line.
    fn index(&self, rest: &str, end: &str) -> Option<Rewritten> {
        if !self.relation.protected {
            return Some(Rewritten::Unchanged);
        }
        let (names, values) = once(rest.strip_suffix(end)?, VALUES)?;
        let values = self.values(&columns_of(self.relation, names)?, values)?;
        Some(Rewritten::Ids(format!("{KEY}{names})=({values}{end}")))
    }

    fn exclusion(&self, rest: &str) -> Option<Rewritten> {
        if !self.relation.protected {
            return Some(Rewritten::Unchanged);
        }
        let middle = ") conflicts with existing key (";
        let (first, second) = once(rest.strip_suffix(").")?, middle)?;
        let part = |part: &str| {
            let (names, values) = once(part, VALUES)?;
            let values = self.values(&columns_of(self.relation, names)?, values)?;
            Some(format!("{names})=({values}"))
        };
        let (first, second) = (part(first)?, part(second)?);
        Some(Rewritten::Ids(format!("{KEY}{first}{middle}{second}).")))
    }

    /// The key of a row without the one that it refers to, or of one that is still referred to. The
    /// names are not quoted; they are those of the constraint.
    fn foreign_key(&self, rest: &str, constraint: &str) -> Option<Rewritten> {
        let mut keys = self.relation.foreign_keys.iter();
        let key = keys.find(|key| key.name == constraint)?;
        let referenced = self.snapshot.relation(key.referenced)?;
        let missing = ") is not present in table \"";
        let kept = ") is still referenced from table \"";
        let (end, relation, attnums) = match (rest.contains(missing), rest.contains(kept)) {
            (true, false) => (missing, self.relation, &key.columns),
            (false, true) => (kept, &**referenced, &key.referenced_columns),
            _ => return None,
        };
        if !relation.protected {
            return Some(Rewritten::Unchanged);
        }
        let columns = attnums.iter().map(|attnum| relation.attribute(*attnum));
        let columns = columns.collect::<Option<Vec<_>>>()?;
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let values = rest.strip_prefix(&names.join(", "))?.strip_prefix(VALUES)?;
        let (values, tail) = once(values, end)?;
        let values = self.values(&columns, values)?;
        let names = names.join(", ");
        Some(Rewritten::Ids(format!(
            "{KEY}{names})=({values}{end}{tail}"
        )))
    }

    /// Values are not quoted: if one holds ", ", their number does not fit, and nothing is
    /// guessed.
    fn values(&self, columns: &[&Column], values: &str) -> Option<String> {
        let values: Vec<&str> = match columns {
            [_] => vec![values],
            _ => values.split(", ").collect(),
        };
        if values.len() != columns.len() {
            return None;
        }
        let shown: Option<Vec<String>> = columns
            .iter()
            .zip(values)
            .map(|(column, value)| match column.id {
                _ if value == "null" => Some(value.to_owned()),
                _ if column.is_composed() => self.composed(column, value),
                Some(id) => self.value(id, value),
                _ => Some(value.to_owned()),
            })
            .collect();
        Some(shown?.join(", "))
    }

    /// A row or a document with ids in the place of keys. One that the server has cut off is none.
    fn composed(&self, column: &Column, value: &str) -> Option<String> {
        let of = ColumnValue::of_column(self.snapshot, column, None)?;
        let Some(field) = composed_field(0, &of) else {
            return Some(value.to_owned());
        };
        let value = (value.as_bytes(), Format::Text);
        let (mut parts, mut out) = (Parts::default(), BytesMut::new());
        parts
            .find(self.codecs, self.sentinels, &field, value)
            .ok()?;
        parts.encrypt(self.codecs);
        let both = (self.codecs, self.sentinels);
        let mut cursors = parts.cursors();
        (parts.show(both, &mut cursors, &field, value, &mut out)).ok()?;
        String::from_utf8(out.to_vec()).ok()
    }

    fn value(&self, id: IdColumn, value: &str) -> Option<String> {
        let shape = if id.array {
            Shape::Array
        } else {
            Shape::Scalar
        };
        let types = Types {
            from: id.id.key_type,
            to: id.id.shown,
        };
        let mut out = BytesMut::new();
        let id = |key: Scalar<'_>| self.id(id.id, &key).ok_or(Hidden);
        value::translate(value.as_bytes(), Format::Text, types, shape, &mut out, id).ok()?;
        Some(String::from_utf8_lossy(&out).into_owned())
    }

    /// The id that a key is shown as, if it may be shown.
    fn id(&self, id: IdType, key: &Scalar<'_>) -> Option<Scalar<'static>> {
        match (self.codecs).shown(self.sentinels, id.domain, key, id.key_type) {
            Resolution::Encoded => {
                let id = self.codecs.encode(id.domain, &ids::key_value(key)?)?;
                Some(ids::shown(&id).into_owned())
            }
            Resolution::Sent(id) => Some(id.clone()),
            Resolution::Several | Resolution::Nothing => None,
        }
    }
}

/// A value that is no key, or one that must not be shown.
struct Hidden;

impl From<Malformed<'_>> for Hidden {
    fn from(_: Malformed<'_>) -> Self {
        Self
    }
}

/// The parts of a text before and behind what occurs in it once.
fn once<'t>(text: &'t str, between: &str) -> Option<(&'t str, &'t str)> {
    let parts = text.split_once(between)?;
    (!parts.1.contains(between)).then_some(parts)
}

/// The columns of these names, as the server quotes them; `None` if one is none, for example the
/// expression of an index.
fn columns_of<'r>(relation: &'r Relation, names: &str) -> Option<Vec<&'r Column>> {
    let mut columns = Vec::new();
    let mut rest = names;
    loop {
        let (name, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_name(quoted)?,
            None => {
                let end = rest.find(", ").unwrap_or(rest.len());
                let (name, behind) = rest.split_at_checked(end)?;
                (name.to_owned(), behind)
            }
        };
        columns.push(relation.column(&name)?);
        if behind.is_empty() {
            return Some(columns);
        }
        rest = behind.strip_prefix(", ")?;
    }
}

/// A name behind its first quote, and what comes behind its last.
fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let (part, behind) = rest.split_once('"')?;
        name.push_str(part);
        match behind.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return Some((name, behind)),
        }
    }
}
