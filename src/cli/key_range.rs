//! Keys that a live database holds and that can't be shown: reserved ones, and the smallest and the
//! largest key of each defining column. An index finds them at once; no other key is looked at.

use bytes::BytesMut;
use tokio_postgres::Client;

use super::CliError;
use super::convert::{Reason, has_id};
use super::database::rows;
use crate::catalog::Snapshot;
use crate::config::{ColumnName, Config, IdDomain};
use crate::pg::{Scalar, Type, reserved};
use crate::wire::frontend::Format;

/// What is wrong with the keys of the defining columns. No key is in it.
pub(super) async fn unfit(
    client: &Client,
    snapshot: &Snapshot,
    config: &Config,
) -> Result<Vec<(ColumnName, String)>, CliError> {
    let mut findings = Vec::new();
    for domain in &config.domains {
        for (relation, column) in snapshot.matching(&domain.annotation.column) {
            let name = &relation.name_of(column);
            let Some(of) = column.id.filter(|of| !of.array).map(|of| of.id.key_type) else {
                continue;
            };
            if !rows(client, &reserved_query((domain, name), of))
                .await?
                .is_empty()
            {
                let fault = "a key can't be shown: it is reserved for ids that were never issued";
                findings.push((name.clone(), fault.to_owned()));
            }
            for (end, direction) in [("smallest", "ASC"), ("largest", "DESC")] {
                let found = rows(client, &query(name, direction)).await?;
                let key = found.first().and_then(|row| row.get(0));
                if let Some(reason) = key.and_then(|key| fault(domain, of, key)) {
                    let fault = format!("its {end} key can't be shown: {reason}");
                    findings.push((name.clone(), fault));
                }
            }
        }
    }
    Ok(findings)
}

/// The name of the table and that of the column, in quotes.
pub(super) fn quoted(name: &ColumnName) -> (String, String) {
    let quoted = |word: &str| format!("\"{}\"", word.replace('"', "\"\""));
    let [schema, table, column] =
        [&name.schema, &name.table, &name.column].map(|word| quoted(word));
    (format!("{schema}.{table}"), column)
}

fn query(name: &ColumnName, direction: &str) -> String {
    let (table, column) = quoted(name);
    format!(
        "SELECT {column} FROM {table} WHERE {column} IS NOT NULL \
         ORDER BY {column} {direction} LIMIT 1"
    )
}

/// The question whether a column holds what the proxy sends in the place of ids that stand for no
/// key: its index finds each of them at once.
fn reserved_query((domain, name): (&IdDomain, &ColumnName), of: Type) -> String {
    let (table, column) = quoted(name);
    let all = reserved::all(of).filter(|value| !is_mark(domain, of, value));
    let values = all.map(|value| {
        let mut text = BytesMut::new();
        value.encode(Format::Text, of, &mut text);
        format!("'{}'", String::from_utf8_lossy(&text))
    });
    let values: Vec<String> = values.collect();
    format!(
        "SELECT 1 FROM {table} WHERE {column} IN ({}) LIMIT 1",
        values.join(", ")
    )
}

/// Whether a value is the same inside and outside by `as_is`.
fn is_mark(domain: &IdDomain, of: Type, value: &Scalar<'_>) -> bool {
    let mut text = BytesMut::new();
    value.encode(Format::Text, of, &mut text);
    let marks = domain.codec.marks_of(&String::from_utf8_lossy(&text));
    marks.iter().any(|mark| domain.codec.keeps(mark))
}

/// Why a key that is not reserved has no id.
fn fault(domain: &IdDomain, of: Type, key: &str) -> Option<String> {
    let value = Scalar::decode(key.as_bytes(), Format::Text, of).ok()?;
    if reserved::is_reserved(&value, of) && !is_mark(domain, of, &value) {
        return None;
    }
    // A key in a column of fixed width is padded with blanks.
    let reason: Reason = has_id(domain, of.value_type(), key.trim_end_matches(' ')).err()?;
    Some(reason.to_string())
}
