//! `pgveil check`: judges the configuration, and whether it fits a live database: annotated
//! columns that are not there, keys without annotation, columns that by their name hold ids.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;
use tokio_postgres::Client;

use super::database::{Database, DatabaseUrl, rows};
use super::{CliError, ConfigFile, Outcome};
use crate::catalog::{Column, Oid, Relation, RelationKind, Snapshot};
use crate::config::Config;

/// The oids of `bigint`, `smallint` and `integer`.
const INTEGERS: [Oid; 3] = [Oid(20), Oid(21), Oid(23)];

/// Primary keys of one column of an integer type.
const KEYS: &str = "
    SELECT a.attrelid::text, a.attnum::text
    FROM pg_catalog.pg_constraint o
    JOIN pg_catalog.pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = o.conkey[1]
    WHERE o.contype = 'p' AND pg_catalog.cardinality(o.conkey) = 1";

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    url: DatabaseUrl,
}

impl Check {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let config = Config::load(&self.file.config)?;
        let file = self.file.config.display();
        writeln!(
            out,
            "{file}: sound, {}",
            count(config.domains.len(), "id domain")
        )?;
        if !self.url.is_given() {
            return Ok(Outcome::Success);
        }
        let findings = self.url.ask(async |client| live(client, &config).await)?;
        if findings.is_empty() {
            writeln!(out, "the database fits")?;
            return Ok(Outcome::Success);
        }
        writeln!(out, "the database: {}", count(findings.len(), "finding"))?;
        for finding in findings {
            writeln!(out, "  {finding}")?;
        }
        Ok(Outcome::Finding)
    }
}

/// What does not fit, in a stable order.
async fn live(client: &Client, config: &Config) -> Result<BTreeSet<String>, CliError> {
    let database = Database::load(client, config).await?;
    let snapshot = &database.snapshot;
    let missing = snapshot.missing().iter();
    let mut findings: BTreeSet<String> = missing
        .map(|column| format!("{column}: annotated, but there is no such column"))
        .collect();
    for row in rows(client, KEYS).await? {
        let number = |index| row.get(index).and_then(|text| text.parse::<u32>().ok());
        let (Some(table), Some(attnum)) = (number(0), number(1)) else {
            continue;
        };
        let Some(relation) = snapshot.relation(Oid(table)) else {
            continue;
        };
        let attnum = i16::try_from(attnum).unwrap_or_default();
        if let Some(column) = relation.attribute(attnum).filter(|column| is_bare(column)) {
            findings.insert(format!(
                "{}: a key without annotation; its values are shown as they are",
                name(relation, column)
            ));
        }
    }
    findings.extend(suspects(snapshot, config));
    Ok(findings)
}

/// Columns of tables that are called as a reference to an id domain would be.
fn suspects(snapshot: &Snapshot, config: &Config) -> Vec<String> {
    let mut found = Vec::new();
    let tables = snapshot
        .relations()
        .filter(|relation| relation.kind == RelationKind::Table);
    for relation in tables {
        for column in relation.columns.iter().filter(|column| is_bare(column)) {
            let domain = config
                .domains
                .iter()
                .map(|domain| &domain.annotation.name)
                .find(|name| {
                    let stem = column.name.strip_suffix("_id");
                    stem.is_some_and(|stem| stem == *name || stem.ends_with(&format!("_{name}")))
                });
            if let Some(domain) = domain {
                let name = name(relation, column);
                found.push(format!(
                    "{name}: by its name it holds ids of `{domain}`; add it to references"
                ));
            }
        }
    }
    found
}

/// Whether a column of an integer type carries no annotation.
fn is_bare(column: &Column) -> bool {
    column.id.is_none() && INTEGERS.contains(&column.type_oid)
}

fn name(relation: &Relation, column: &Column) -> String {
    format!("{}.{}.{}", relation.schema, relation.name, column.name)
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
