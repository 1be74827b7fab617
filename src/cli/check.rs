//! `pgveil check`: judges the configuration, and whether it fits a live database: annotated
//! columns that are not there or of a type that the codec has no ids for, keys without
//! annotation, columns that by their name hold ids, keys that can't be shown.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use tokio_postgres::Client;

use super::database::{Database, DatabaseUrl, rows};
use super::{CliError, ConfigFile, Outcome};
use super::{ends, fit};
use crate::catalog::{Column, KeyType, Oid, Relation, RelationKind, Snapshot};
use crate::config::{Config, Fault};
use crate::pg::oid;

/// The oids of `bigint`, `smallint` and `integer`.
const INTEGERS: [Oid; 3] = [Oid(oid::INT8), Oid(oid::INT2), Oid(oid::INT4)];

/// Primary keys of one column of an integer type.
const KEYS: &str = "
    SELECT a.attrelid::text, a.attnum::text
    FROM pg_catalog.pg_constraint o
    JOIN pg_catalog.pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = o.conkey[1]
    WHERE o.contype = 'p' AND pg_catalog.cardinality(o.conkey) = 1";

/// What everybody may define, and how that is taken back.
const OPEN: &str = "
    SELECT 'every role may make temporary relations: REVOKE TEMPORARY ON DATABASE '
             || pg_catalog.quote_ident(d.datname) || ' FROM PUBLIC'
    FROM pg_catalog.pg_database d
    WHERE d.datname = pg_catalog.current_database()
      AND pg_catalog.has_database_privilege('public', d.oid, 'TEMPORARY')
    UNION ALL
    SELECT 'every role may define things in a schema: REVOKE CREATE ON SCHEMA '
             || pg_catalog.quote_ident(n.nspname) || ' FROM PUBLIC'
    FROM pg_catalog.pg_namespace n
    WHERE pg_catalog.has_schema_privilege('public', n.oid, 'CREATE')
    ORDER BY 1";

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    url: DatabaseUrl,
}

impl Check {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let config = self.file.load(notes)?;
        let file = self.file.config.as_path();
        writeln!(
            out,
            "{}: sound, {}",
            file.display(),
            count(config.domains.len(), "id domain")
        )?;
        let mut warn = |warnings: &[Fault]| -> io::Result<()> {
            let mut warnings = warnings.iter();
            warnings.try_for_each(|fault| writeln!(out, "warning: {}", fault.in_file(file)))
        };
        warn(&config.warnings)?;
        if !self.url.is_given() {
            return Ok(Outcome::Success);
        }
        let (open, (warnings, findings)) = self.url.ask(async |client| {
            let open = rows(client, OPEN).await?;
            Ok((open, live(client, &config, file).await?))
        })?;
        warn(&warnings)?;
        for note in open.iter().filter_map(|row| row.get(0)) {
            writeln!(
                out,
                "note: {note}\n  see docs/security.md on who may define things"
            )?;
        }
        if findings.is_empty() {
            writeln!(out, "the database fits")?;
            return Ok(Outcome::Success);
        }
        writeln!(out, "the database: {}", count(findings.len(), "finding"))?;
        for finding in findings {
            writeln!(out, "  {}", finding.replace('\n', "\n  "))?;
        }
        Ok(Outcome::Finding)
    }
}

/// Warnings, and what does not fit, in a stable order.
async fn live(
    client: &Client,
    config: &Config,
    file: &Path,
) -> Result<(Vec<Fault>, BTreeSet<String>), CliError> {
    let bare = Database::load_under(client, Vec::new()).await?.snapshot;
    let warnings = fit::rotation(&bare, config);
    let mut findings = fit::misfits(&bare, config, file);
    let snapshot = match Database::load(client, config).await {
        Ok(database) => database.snapshot,
        Err(CliError::Catalog(error)) => {
            // Where a column that the file names does not fit, this is that one once more.
            let spread = fit::spread(&error, config);
            if findings.is_empty() {
                let fault = spread.ok_or(error)?;
                findings.insert(fault.in_file(file).to_string());
            }
            return Ok((warnings, findings));
        }
        Err(error) => return Err(error),
    };
    let missing = snapshot.missing().iter();
    findings
        .extend(missing.map(|column| format!("{column}: annotated, but there is no such column")));
    let missing = snapshot.missing_functions().iter();
    findings.extend(missing.map(|name| format!("{name}: declared, but there is no such function")));
    findings.extend(snapshot.misfit_functions().iter().cloned());
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
    findings.extend(suspects(&snapshot, config));
    findings.extend(ends::unfit(client, &snapshot, config).await?);
    Ok((warnings, findings))
}

/// Columns of tables that are called as a reference to an id domain would be.
fn suspects(snapshot: &Snapshot, config: &Config) -> Vec<String> {
    let mut found = Vec::new();
    let tables = snapshot
        .relations()
        .filter(|relation| relation.kind == RelationKind::Table);
    for relation in tables {
        let bare = relation.columns.iter().filter(|column| column.id.is_none());
        for column in bare {
            let domain = config
                .domains
                .iter()
                .map(|domain| &domain.annotation)
                .find(|id| {
                    let stem = column.name.strip_suffix("_id");
                    let id_name = &id.name;
                    let called = stem.is_some_and(|stem| {
                        stem == id_name || stem.ends_with(&format!("_{id_name}"))
                    });
                    let key_type = KeyType::from_oid(column.type_oid.0);
                    called
                        && key_type
                            .is_some_and(|(key, _)| id.types.shown(key.value_type()).is_some())
                });
            if let Some(domain) = domain.map(|domain| &domain.name) {
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
