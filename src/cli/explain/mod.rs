//! `pgveil explain`: what becomes of a statement and why, without running it: its parameters and
//! result columns, what is edited, the SQL that Postgres would get with markers in the place of
//! keys, or the refusal with a caret under the place; literals are judged as a session judges them.

mod edits;
mod json;
mod text;

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;

use super::cache_scope::Reuse;
use super::database::{Database, DatabaseUrl, about};
use super::{CliError, ConfigFile, Outcome};
use crate::catalog::{DomainId, Snapshot};
use crate::session::{self, Analyzer, Limits, Shared};
use crate::sql::lineage::{Lineage, LineageTrace, Reasons};
use crate::sql::plan::{ColumnValue, Columns, Misplaced};
use crate::sql::{Context, Refusal, Script, Statement, Verdict, analyse};

#[derive(Debug, Args)]
pub(super) struct Explain {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    url: DatabaseUrl,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    /// Texts of one or several statements. Each is a text of its own: what one changes does not
    /// hold for the next.
    #[arg(required = true)]
    sql: Vec<String>,
}

impl Explain {
    pub(super) fn run(
        self,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> Result<Outcome, CliError> {
        let config = self.file.load_silently()?;
        let load = async |client: &_| {
            let (config, _) = about(client, &config).await?;
            Database::load(client, &config).await
        };
        let database = self.url.ask(Some(&config), notes, load)?;
        let domains = config.domains.iter();
        let domains = domains.map(|one| (Arc::clone(&one.codec), one.annotation.clone()));
        let shared = Shared::new(domains, Limits::default(), Analyzer::default(), |_| ());
        let explained = self.sql.iter();
        let explained = explained.map(|sql| Explained::new(sql, &database, &shared));
        let explained: Result<Vec<Explained<'_>>, Misplaced> = explained.collect();
        let explained = explained?;
        let pages = || explained.iter().flat_map(Explained::pages);
        if self.json {
            let statements: Result<Value, Misplaced> = pages().map(|page| page.json()).collect();
            let statements = statements?;
            writeln!(out, "{statements:#}")?;
        } else {
            for (index, page) in pages().enumerate() {
                if index > 0 {
                    writeln!(out)?;
                }
                page.text(out)?;
            }
        }
        let refused = |page: Page<'_>| matches!(page.statement.verdict, Verdict::Refuse(_));
        Ok(if pages().any(refused) {
            Outcome::Finding
        } else {
            Outcome::Success
        })
    }
}

/// The columns of a result or of the data of COPY, as far as they are known one by one.
fn named(columns: &Columns) -> Vec<(&str, &ColumnValue)> {
    match columns {
        Columns::Clean | Columns::Explained(_) => Vec::new(),
        Columns::Known(columns) => {
            let columns = columns.iter();
            columns.map(|one| (&*one.name, &one.value)).collect()
        }
        Columns::Copy(copy) => {
            let columns = copy.columns.iter();
            columns.map(|one| (&*one.name, &one.value)).collect()
        }
    }
}

/// What the analysis says of a text.
struct Explained<'a> {
    sql: &'a str,
    snapshot: &'a Snapshot,
    script: Script,
    reasons: Vec<Reasons>,
    reuse: Reuse,
}

impl<'a> Explained<'a> {
    fn new(sql: &'a str, database: &'a Database, shared: &Shared) -> Result<Self, Misplaced> {
        let context = Context::new(&database.snapshot, &database.search_path);
        let trace = LineageTrace::default();
        let traced = Context {
            trace: Some(&trace),
            ..context
        };
        let script = analyse(sql.as_bytes(), &traced);
        Ok(Self {
            sql,
            snapshot: &database.snapshot,
            reuse: Reuse::of(sql, &script, &context),
            script: session::judge(shared, sql.as_bytes(), script)?,
            reasons: trace.take(),
        })
    }

    fn pages(&self) -> impl Iterator<Item = Page<'_>> {
        let statements = self.script.statements.iter().enumerate();
        statements.map(|(index, statement)| Page {
            sql: self.sql,
            snapshot: self.snapshot,
            reuse: self.reuse,
            statement,
            reasons: self.reasons.get(index),
        })
    }
}

/// What is to be said of one statement.
struct Page<'a> {
    sql: &'a str,
    snapshot: &'a Snapshot,
    reuse: Reuse,
    statement: &'a Statement,
    /// Absent if the text can't be read.
    reasons: Option<&'a Reasons>,
}

impl Page<'_> {
    fn domain(&self, domain: DomainId) -> &str {
        self.snapshot.domain_name(domain)
    }

    fn source(&self) -> &str {
        let range = self.statement.range.clone();
        self.sql.get(range).unwrap_or_default()
    }

    /// Where the values of each column come from, for as many columns.
    fn lineage(&self, columns: &Columns) -> Vec<Lineage> {
        match columns {
            Columns::Copy(copy) if !copy.table.is_empty() => {
                let columns = copy.columns.iter();
                columns
                    .map(|column| of_table(&copy.table, column))
                    .collect()
            }
            Columns::Known(_) | Columns::Copy(_) => self
                .reasons
                .map(|reasons| reasons.columns.clone())
                .unwrap_or_default(),
            Columns::Clean | Columns::Explained(_) => Vec::new(),
        }
    }

    /// What makes the values of a parameter ids, once each.
    fn causes(&self, parameter: usize) -> Vec<&str> {
        let mut causes: Vec<&str> = Vec::new();
        for value in self.reasons.iter().flat_map(|reasons| &reasons.values) {
            if value.parameter == Some(parameter) && !causes.contains(&value.why.as_str()) {
                causes.push(&value.why);
            }
        }
        causes
    }
}

/// A column of a table that is copied.
fn of_table(table: &str, column: &crate::sql::plan::CopyColumn) -> Lineage {
    use crate::sql::plan::ColumnValue;
    let name = format!("{table}.{}", column.name);
    let why = match column.value {
        ColumnValue::Clean => format!("{name}, not annotated"),
        _ => name.clone(),
    };
    Lineage {
        from: vec![name],
        through: Vec::new(),
        why,
    }
}

/// Where the rule that was broken is explained.
fn anchor(refusal: &Refusal) -> String {
    format!("docs/refusals.md#{}", refusal.code.as_str())
}
