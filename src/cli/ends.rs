//! Keys that a live database holds and that can't be shown: the smallest and the largest key of
//! each defining column, which its index finds at once. The keys in between are not looked at.

use tokio_postgres::Client;

use super::CliError;
use super::convert::{Reason, has_id};
use super::database::rows;
use crate::catalog::{KeyType, Snapshot};
use crate::config::{ColumnName, Config, IdDomain, ValueType};

/// What is wrong with the ends of the defining columns. No key is in it.
pub(super) async fn unfit(
    client: &Client,
    snapshot: &Snapshot,
    config: &Config,
) -> Result<Vec<String>, CliError> {
    let mut findings = Vec::new();
    for domain in &config.domains {
        let name = &domain.annotation.column;
        let Some(key_type) = key_type(snapshot, name) else {
            continue;
        };
        for (end, direction) in [("smallest", "ASC"), ("largest", "DESC")] {
            let found = rows(client, &query(name, direction)).await?;
            let key = found.first().and_then(|row| row.get(0));
            if let Some(reason) = key.and_then(|key| fault(domain, key_type.value_type(), key)) {
                findings.push(format!("{name}: its {end} key can't be shown: {reason}"));
            }
        }
    }
    Ok(findings)
}

fn key_type(snapshot: &Snapshot, name: &ColumnName) -> Option<KeyType> {
    let relation = snapshot
        .relations()
        .find(|relation| relation.schema == name.schema && relation.name == name.table)?;
    let id = relation.column(&name.column)?.id?;
    (!id.array).then_some(id.id.key_type)
}

fn query(name: &ColumnName, direction: &str) -> String {
    let quoted = |word: &str| format!("\"{}\"", word.replace('"', "\"\""));
    let [schema, table, column] =
        [&name.schema, &name.table, &name.column].map(|word| quoted(word));
    format!(
        "SELECT {column} FROM {schema}.{table} WHERE {column} IS NOT NULL \
         ORDER BY {column} {direction} LIMIT 1"
    )
}

/// Why a key has no id.
fn fault(domain: &IdDomain, column: ValueType, key: &str) -> Option<String> {
    if is_reserved(column, key) {
        return Some("it is reserved for ids that were never issued".to_owned());
    }
    // A key in a column of fixed width is padded with blanks.
    let reason: Reason = has_id(domain, column, key.trim_end_matches(' ')).err()?;
    Some(reason.to_string())
}

/// Whether the proxy sends this in the place of an id that stands for no key.
fn is_reserved(column: ValueType, key: &str) -> bool {
    match column {
        ValueType::Integer(integer) => key.parse() == Ok(integer.min()),
        ValueType::Uuid => key.bytes().all(|byte| matches!(byte, b'0' | b'-')),
        ValueType::Bytes => key == "\\x",
        ValueType::Text => key.trim_end_matches(' ').is_empty(),
    }
}
