//! `pgveil check --sample`: whether text and documents that nobody has annotated hold keys of the
//! domains, by some of their rows. It reads in short transactions that write nothing, of which each
//! question has its limit of time, and tells numbers of values, never a value; nor does it pass on
//! what the server says of an error, as a value may be in that.

use std::collections::{BTreeMap, HashSet};

use tokio_postgres::{Client, SimpleQueryRow};

use super::chance::Keys;
use super::finding::{Finding, Found};
use super::values::{Seen, Values};
use crate::catalog::{Column, KeyType, Relation, Snapshot};
use crate::cli::CliError;
use crate::cli::database::rows;
use crate::cli::key_range::quoted;
use crate::config::{ColumnName, Config, PathStep};
use crate::pg::oid;

/// So many rows of a table at most.
const ROWS: u32 = 2_000;

/// So many pages of a table at most, of 8 kB.
const PAGES: u32 = 1_000;

/// Values of more bytes are not looked at, as they are stored.
const LARGE: u32 = 16_384;

/// So many keys are counted; of more it is estimated how many there are.
const COUNTED: u32 = 100_000;

/// So many columns that define the keys of a domain are compared with.
const DEFINING: usize = 20;

/// Fewer uuids or texts that are keys are not told of.
const LEAST: usize = 2;

const BEGIN: &str = "BEGIN TRANSACTION READ ONLY; SET LOCAL search_path = pg_catalog; \
     SET LOCAL statement_timeout = '5s'; SET LOCAL lock_timeout = '1s'";

/// What a sample has shown.
#[derive(Debug, Default)]
pub(super) struct Sampled {
    pub(super) findings: Vec<Finding>,
    /// What has not been looked at, and why.
    pub(super) skipped: Vec<String>,
}

/// Looks at these columns, by tables.
pub(super) async fn sample(
    client: &Client,
    snapshot: &Snapshot,
    config: &Config,
    tables: &[(&Relation, Vec<&Column>)],
) -> Result<Sampled, CliError> {
    // The transaction of the questions before.
    client.batch_execute("ROLLBACK").await?;
    let mut sampled = Sampled::default();
    let defining = defining(client, snapshot, config, &mut sampled).await?;
    for (relation, columns) in tables {
        let Some((count, values)) = read(client, relation, columns, &mut sampled).await? else {
            continue;
        };
        for (column, values) in columns.iter().zip(values) {
            let name = relation.name_of(column);
            if values.large > 0 {
                let skipped = format!("{name}: {} values of more than 16 kB", values.large);
                sampled.skipped.push(skipped);
            }
            let annotated: Vec<String> = column.json.iter().map(|key| written(&key.path)).collect();
            for (path, seen) in values.at {
                let is_known = path.as_ref().is_some_and(|path| annotated.contains(path));
                if !is_known {
                    let place = (&name, path.as_deref(), count);
                    compare(client, &defining, place, &seen, &mut sampled).await?;
                }
            }
        }
    }
    Ok(sampled)
}

/// A column that defines the keys of a domain.
struct Defining {
    domain: String,
    name: ColumnName,
    of: KeyType,
    /// Of integers.
    keys: Option<Keys>,
}

/// The columns whose keys are looked for.
async fn defining(
    client: &Client,
    snapshot: &Snapshot,
    config: &Config,
    sampled: &mut Sampled,
) -> Result<Vec<Defining>, CliError> {
    let mut all = Vec::new();
    for domain in &config.domains {
        let found = snapshot.matching(&domain.annotation.column);
        if found.len() > DEFINING {
            let (name, more) = (&domain.annotation.name, found.len() - DEFINING);
            let skipped = format!("keys of `{name}`: those of {more} more tables");
            sampled.skipped.push(skipped);
        }
        for (relation, column) in found.into_iter().take(DEFINING) {
            let Some(of) = column.id.filter(|of| !of.array).map(|of| of.id.key_type) else {
                continue;
            };
            let domain = domain.annotation.name.clone();
            let name = relation.name_of(column);
            if of == KeyType::Bytea {
                let skipped =
                    format!("keys of `{domain}`: {name} is bytea, and those are not looked for");
                sampled.skipped.push(skipped);
                continue;
            }
            let answer = attempt(client, &extent(&name, of)).await?;
            match answer {
                Ok(rows) => {
                    let first = rows.first();
                    if first.and_then(|row| row.get(0)) == Some("true") {
                        let skipped = format!(
                            "keys of `{domain}`: those of {name} that its policies hide from this role"
                        );
                        sampled.skipped.push(skipped);
                    }
                    let keys = first.and_then(keys);
                    all.push(Defining {
                        domain,
                        name,
                        of,
                        keys,
                    });
                }
                Err(why) => sampled
                    .skipped
                    .push(format!("keys of `{domain}`: {name} {why}")),
            }
        }
    }
    Ok(all)
}

/// The question which keys there are, as far as that has to be known.
fn extent(name: &ColumnName, of: KeyType) -> String {
    let (table, column) = quoted(name);
    let itself = format!("'{}'::pg_catalog.regclass", table.replace('\'', "''"));
    let hides = format!("row_security_active({itself})::text");
    if !of.is_integer() {
        return format!("SELECT {hides}, (SELECT {column} FROM {table} LIMIT 0)::text");
    }
    format!(
        "SELECT {hides}, min({column})::text, max({column})::text, \
         (SELECT count(*) FROM (SELECT FROM {table} LIMIT {COUNTED}) AS counted)::text, \
         (SELECT reltuples::bigint FROM pg_class WHERE oid = {itself})::text FROM {table}"
    )
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an estimate, which no digit of so many changes"
)]
fn keys(row: &SimpleQueryRow) -> Option<Keys> {
    let number = |at: usize| row.try_get(at).ok()??.parse::<i64>().ok();
    let (counted, estimated) = (number(3)?, number(4)?);
    let count = match counted < i64::from(COUNTED) {
        true => counted,
        false => counted.max(estimated),
    };
    Some(Keys {
        count: count as f64,
        first: number(1)?,
        last: number(2)?,
    })
}

/// The values of some rows, and how many these are; none if the table can't be read.
async fn read(
    client: &Client,
    relation: &Relation,
    columns: &[&Column],
    sampled: &mut Sampled,
) -> Result<Option<(usize, Vec<Values>)>, CliError> {
    let oid = relation.oid.0;
    let about = format!(
        "SELECT relkind::text, (COALESCE((SELECT sum(pg_catalog.pg_relation_size(t.relid)) \
         FROM pg_catalog.pg_partition_tree({oid}) t), pg_catalog.pg_relation_size({oid}), 0) / 8192)::bigint::text, \
         pg_catalog.row_security_active({oid})::text, COALESCE((SELECT sum(p.reltuples) \
         FROM pg_catalog.pg_partition_tree({oid}) t JOIN pg_catalog.pg_class p ON p.oid = t.relid \
         WHERE p.relkind = 'r'), reltuples)::bigint::text FROM pg_catalog.pg_class WHERE oid = {oid}"
    );
    let table = format!("{}.{}", relation.schema, relation.name);
    let about = match attempt(client, &about).await? {
        Ok(rows) => rows,
        Err(why) => {
            sampled.skipped.push(format!("{table} {why}"));
            return Ok(None);
        }
    };
    let Some(about) = about.first() else {
        sampled.skipped.push(format!("{table} is gone"));
        return Ok(None);
    };
    if about.get(0) == Some("f") {
        sampled.skipped.push(format!("{table} is a foreign table"));
        return Ok(None);
    }
    if about.get(2) == Some("true") {
        let skipped = format!("{table}: rows that its policies hide from this role");
        sampled.skipped.push(skipped);
    }
    let number = |at: usize| about.get(at).and_then(|of| of.parse::<u32>().ok());
    let size = (
        number(1).unwrap_or(u32::MAX),
        number(3).filter(|of| *of > 0),
    );
    let rows = match attempt(client, &question(relation, columns, size)).await? {
        Ok(rows) => rows,
        Err(why) => {
            sampled.skipped.push(format!("{table} {why}"));
            return Ok(None);
        }
    };
    let mut values: Vec<Values> = columns.iter().map(|_| Values::default()).collect();
    for row in &rows {
        for (at, (column, values)) in columns.iter().zip(&mut values).enumerate() {
            let is_json = [oid::JSON, oid::JSONB].contains(&column.type_oid.0);
            if let Some(text) = row.get(2 * at) {
                values.take(text, is_json);
            }
            values.large += usize::from(row.get(2 * at + 1).is_some());
        }
    }
    Ok(Some((rows.len(), values)))
}

/// The question for some rows, wherever they are in the table: rows at one end of it may have keys of
/// one size. Of a large table some pages are read.
fn question(relation: &Relation, columns: &[&Column], (pages, rows): (u32, Option<u32>)) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|column| {
            let (_, column) = quoted(&relation.name_of(column));
            let is_large = format!("pg_catalog.pg_column_size({column}) > {LARGE}");
            format!(
                "CASE WHEN NOT {is_large} THEN {column}::text END, CASE WHEN {is_large} THEN 1 END"
            )
        })
        .collect();
    let schema = relation.schema.replace('"', "\"\"");
    let table = relation.name.replace('"', "\"\"");
    // Fifty of a page, where nobody has counted them.
    let rows = rows.map_or(f64::from(pages) * 50.0, f64::from);
    let read = (f64::from(PAGES) / f64::from(pages.max(1))).min(1.0);
    let pages = match read < 1.0 {
        true => format!(" TABLESAMPLE SYSTEM ({:.6})", read * 100.0),
        false => String::new(),
    };
    let taken = f64::from(ROWS) / (rows * read).max(1.0);
    let rows = match taken < 1.0 {
        true => format!(" WHERE random() < {taken:.9}"),
        false => String::new(),
    };
    let columns = columns.join(", ");
    format!("SELECT {columns} FROM \"{schema}\".\"{table}\"{pages}{rows} LIMIT {ROWS}")
}

/// Looks for what a place has among the keys of the domains.
async fn compare(
    client: &Client,
    defining: &[Defining],
    (name, path, rows): (&ColumnName, Option<&str>, usize),
    seen: &Seen,
    sampled: &mut Sampled,
) -> Result<(), CliError> {
    let mut found: BTreeMap<&str, Found> = BTreeMap::new();
    for of in defining {
        let candidates = candidates(of, seen);
        let numbers = || candidates.iter().flat_map(|text| text.parse());
        let telling = of.keys.map(|keys| (keys, keys.telling(numbers())));
        let can_tell = match &telling {
            Some((keys, numbers)) => keys.are(numbers, numbers.len()),
            None => !of.of.is_integer() && candidates.len() >= LEAST,
        };
        if !can_tell {
            continue;
        }
        let keys = match contained(client, of, &candidates).await? {
            Ok(keys) => keys,
            Err(why) => {
                let (domain, of) = (&of.domain, &of.name);
                let skipped = format!("{name}: whether it has keys of `{domain}`: {of} {why}");
                sampled.skipped.push(skipped);
                continue;
            }
        };
        let is_above_chance = match &telling {
            Some((known, numbers)) => {
                let among = numbers
                    .iter()
                    .filter(|number| keys.contains(&number.to_string()));
                known.are(numbers, among.count())
            }
            None => keys.len() >= LEAST,
        };
        let before = found.get(of.domain.as_str());
        if is_above_chance && before.is_none_or(|before| before.keys < keys.len()) {
            let here = Found {
                domain: of.domain.clone(),
                path: path.map(str::to_owned),
                rows,
                values: candidates.len(),
                keys: keys.len(),
            };
            found.insert(&of.domain, here);
        }
    }
    let findings = found.into_values();
    sampled
        .findings
        .extend(findings.map(|found| Finding::sampled(name, found)));
    Ok(())
}

/// What could be keys of a column, by its type.
fn candidates(of: &Defining, seen: &Seen) -> Vec<String> {
    match of.of {
        KeyType::Uuid => seen.uuids.iter().cloned().collect(),
        integer if integer.is_integer() => {
            let most = match integer.size() {
                2 => i64::from(i16::MAX),
                4 => i64::from(i32::MAX),
                _ => i64::MAX,
            };
            let fitting = seen.numbers.range(..=most);
            fitting.map(i64::to_string).collect()
        }
        KeyType::Bytea => Vec::new(),
        _ => seen.texts.iter().cloned().collect(),
    }
}

/// Those of these that are keys, as they are stored.
async fn contained(
    client: &Client,
    of: &Defining,
    candidates: &[String],
) -> Result<Result<HashSet<String>, String>, CliError> {
    let (table, column) = quoted(&of.name);
    let type_name = match of.of {
        KeyType::Uuid => "uuid",
        KeyType::Int2 => "int2",
        KeyType::Int4 => "int4",
        KeyType::Int8 => "int8",
        _ => "text",
    };
    // Digits, or characters of ASCII that can be seen: in an array each is in quotes, and the array
    // is, too.
    let escaped = |text: &str, quote: char| {
        let text = text.replace('\\', "\\\\");
        text.replace(quote, &format!("\\{quote}"))
    };
    let words = candidates
        .iter()
        .map(|text| format!("\"{}\"", escaped(text, '"')));
    let words: Vec<String> = words.collect();
    let array = escaped(&words.join(","), '\'');
    let text = format!(
        "SELECT DISTINCT {column}::text FROM {table} \
         WHERE {column} = ANY (E'{{{array}}}'::pg_catalog.{type_name}[])"
    );
    let answer = attempt(client, &text).await?;
    Ok(answer.map(|rows| {
        let keys = rows.iter().filter_map(|row| row.get(0));
        keys.map(str::to_owned).collect()
    }))
}

/// Asks in a transaction of its own, and says why there is no answer.
async fn attempt(
    client: &Client,
    question: &str,
) -> Result<Result<Vec<SimpleQueryRow>, String>, CliError> {
    client.batch_execute(BEGIN).await?;
    let answer = rows(client, question).await;
    client.batch_execute("ROLLBACK").await?;
    match answer {
        Ok(rows) => Ok(Ok(rows)),
        Err(CliError::Database(error)) => match error.code().map(|code| code.code()) {
            Some("42501") => Ok(Err("can't be read by this role".to_owned())),
            Some("57014") => Ok(Err("can't be read within 5 s".to_owned())),
            Some("55P03") => Ok(Err("is locked by somebody".to_owned())),
            Some(code) => Ok(Err(format!("can't be read ({code})"))),
            None => Err(CliError::Database(error)),
        },
        Err(error) => Err(error),
    }
}

/// A path as a sample has it.
fn written(path: &[PathStep]) -> String {
    let mut text = "$".to_owned();
    for step in path {
        match step {
            PathStep::Member(name) => text.extend([".", name.as_str()]),
            PathStep::Elements => text.push_str("[*]"),
        }
    }
    text
}
