//! The detail lines in which Postgres quotes keys: `Key (id)=(5) already exists.` and its kin.
//! The grammar of the line stays; the values of id columns become ids.

use bytes::BytesMut;

use super::codecs::Codecs;
use super::ids::{self, Echo, Shown};
use crate::catalog::{Column, IdColumn, IdType, Relation, Snapshot};
use crate::sql;
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

/// Rewrites a detail.
pub(super) fn rewrite(
    codecs: &Codecs,
    snapshot: &Snapshot,
    echo: &Echo,
    report: &Report<'_>,
    detail: &str,
) -> Rewritten {
    let quotes = [KEY, FAILING_ROW, PARTITION_KEY]
        .iter()
        .any(|start| detail.starts_with(start));
    let class = report.get(field::CODE).unwrap_or_default();
    let integrity = class.starts_with(b"23") || class.starts_with(b"44");
    if !quotes && !integrity {
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
        echo,
        relation,
    };
    let constraint = report.text(field::CONSTRAINT);
    line.rewrite(detail, constraint)
        .unwrap_or(Rewritten::Unclear)
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
    echo: &'a Echo,
    relation: &'a Relation,
}

impl Line<'_> {
    fn rewrite(&self, detail: &str, constraint: Option<&str>) -> Option<Rewritten> {
        if let Some(rest) = detail.strip_prefix(KEY) {
            let relation = if rest.contains(") is still referenced from table \"") {
                self.referenced(constraint?)?
            } else {
                self.relation
            };
            return self.key(relation, rest);
        }
        if let Some(rest) = detail.strip_prefix(FAILING_ROW) {
            if !self.relation.protected {
                return Some(Rewritten::Unchanged);
            }
            let values = rest.strip_suffix(").")?;
            let columns: Vec<&Column> = self.relation.columns.iter().collect();
            return match values.split_once(") = (") {
                // Only columns that the user may read, with their names.
                Some((names, values)) => {
                    let columns = columns_of(self.relation, names)?;
                    let values = self.values(&columns, values)?;
                    Some(Rewritten::Ids(format!(
                        "{FAILING_ROW}{names}) = ({values})."
                    )))
                }
                None => {
                    let values = self.values(&columns, values)?;
                    Some(Rewritten::Ids(format!("{FAILING_ROW}{values}).")))
                }
            };
        }
        if let Some(rest) = detail.strip_prefix(PARTITION_KEY) {
            if !self.relation.protected {
                return Some(Rewritten::Unchanged);
            }
            let (names, values) = rest.strip_suffix(").")?.split_once(") = (")?;
            let columns = columns_of(self.relation, names)?;
            let values = self.values(&columns, values)?;
            return Some(Rewritten::Ids(format!(
                "{PARTITION_KEY}{names}) = ({values})."
            )));
        }
        (!self.relation.protected).then_some(Rewritten::Unchanged)
    }

    /// The table that a foreign key refers to: the columns in the line are its.
    fn referenced(&self, constraint: &str) -> Option<&Relation> {
        let mut keys = self.relation.foreign_keys.iter();
        let key = keys.find(|key| key.name == constraint)?;
        self.snapshot.relation(key.referenced).map(|found| &**found)
    }

    /// Behind `Key (`.
    fn key(&self, relation: &Relation, rest: &str) -> Option<Rewritten> {
        if !relation.protected {
            return Some(Rewritten::Unchanged);
        }
        let (names, rest) = rest.split_once(")=(")?;
        let columns = columns_of(relation, names)?;
        if let Some((values, other)) = rest.split_once(") conflicts with existing key (") {
            let (other_names, other) = other.strip_suffix(").")?.split_once(")=(")?;
            let other_columns = columns_of(relation, other_names)?;
            let values = self.values(&columns, values)?;
            let other = self.values(&other_columns, other)?;
            return Some(Rewritten::Ids(format!(
                "{KEY}{names})=({values}) conflicts with existing key ({other_names})=({other})."
            )));
        }
        let ends = [
            ") already exists.",
            ") is duplicated.",
            ") conflicts with existing key.",
            ") is not present in table \"",
            ") is still referenced from table \"",
        ];
        let end = ends.iter().find_map(|end| rest.rfind(end))?;
        let (values, tail) = rest.split_at_checked(end)?;
        let values = self.values(&columns, values)?;
        Some(Rewritten::Ids(format!("{KEY}{names})=({values}{tail}")))
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
                _ if column.is_composed() => None,
                Some(id) => self.value(id, value),
                _ => Some(value.to_owned()),
            })
            .collect();
        Some(shown?.join(", "))
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
        match self.echo.shown(id.domain, key, id.key_type) {
            Shown::Encoded => {
                let id = self.codecs.encode(id.domain, &ids::key_value(key)?)?;
                Some(ids::shown(&id).into_owned())
            }
            Shown::Sent(id) => Some(id.clone()),
            Shown::Nothing => None,
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

/// The columns of these names; `None` if one is none, for example the expression of an index.
fn columns_of<'r>(relation: &'r Relation, names: &str) -> Option<Vec<&'r Column>> {
    names
        .split(", ")
        .map(|name| {
            let quoted = name
                .strip_prefix('"')
                .and_then(|name| name.strip_suffix('"'));
            relation.column(quoted.unwrap_or(name))
        })
        .collect()
}
