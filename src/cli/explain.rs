//! `pgveil explain`: what becomes of a statement, without running it: its parameters and result
//! columns, the SQL that Postgres would get with markers in the place of keys, or the refusal
//! with a caret under the place.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use clap::Args;
use serde_json::{Value, json};

use super::database::{Database, DatabaseUrl};
use super::reuse::Reuse;
use super::{CliError, ConfigFile, Outcome};
use crate::catalog::{DomainId, Snapshot};
use crate::config::Config;
use crate::sql::plan::{ColumnValue, Columns, Parameters, Plan, Replacement};
use crate::sql::{Context, Refusal, Statement, Verdict, analyse};

#[derive(Debug, Args)]
pub(super) struct Explain {
    #[command(flatten)]
    file: ConfigFile,
    #[command(flatten)]
    url: DatabaseUrl,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    /// One or several statements.
    sql: String,
}

impl Explain {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Outcome, CliError> {
        let config = Config::load(&self.file.config)?;
        let load = async |client: &_| Database::load(client, &config).await;
        let database = self.url.ask(load)?;
        let context = Context {
            snapshot: &database.snapshot,
            search_path: Some(&database.search_path),
            standard_conforming_strings: true,
            client_encoding: "UTF8",
            declared: &[],
            fresh: true,
            made: false,
        };
        let script = analyse(self.sql.as_bytes(), &context);
        let page = Page {
            sql: &self.sql,
            snapshot: &database.snapshot,
            reuse: Reuse::of(&self.sql, &script, &context),
        };
        if self.json {
            let statements = script
                .statements
                .iter()
                .map(|statement| page.json(statement));
            let statements: Value = statements.collect();
            writeln!(out, "{statements:#}")?;
        } else {
            for (index, statement) in script.statements.iter().enumerate() {
                if index > 0 {
                    writeln!(out)?;
                }
                page.text(statement, out)?;
            }
        }
        let refused = |statement: &Statement| matches!(statement.verdict, Verdict::Refuse(_));
        Ok(if script.statements.iter().any(refused) {
            Outcome::Finding
        } else {
            Outcome::Success
        })
    }
}

/// What the findings are about.
struct Page<'a> {
    sql: &'a str,
    snapshot: &'a Snapshot,
    reuse: Reuse,
}

impl Page<'_> {
    fn text(&self, statement: &Statement, out: &mut dyn Write) -> Result<(), CliError> {
        let plan = match &statement.verdict {
            Verdict::Refuse(refusal) => {
                writeln!(out, "{}", self.refusal(refusal))?;
                return Ok(());
            }
            Verdict::Forward(plan) => plan,
        };
        writeln!(out, "statement   {}", self.source(statement))?;
        self.parameters(&plan.parameters, out)?;
        match &plan.columns {
            Columns::Clean => writeln!(out, "result      as it is: nothing in it can be a key")?,
            Columns::Known(columns) if columns.is_empty() => writeln!(out, "result      none")?,
            Columns::Known(columns) => {
                for (index, column) in columns.iter().enumerate() {
                    let label = if index == 0 { "result" } else { "" };
                    let meaning = self.value(&column.value);
                    writeln!(out, "{label:<12}{}: {meaning}", column.name)?;
                }
            }
            Columns::Explained(_) => writeln!(out, "result      the plan, constants masked")?,
            Columns::Copy(copy) => {
                for (index, column) in copy.columns.iter().enumerate() {
                    let label = if index == 0 { "data" } else { "" };
                    let meaning = self.value(&column.value);
                    writeln!(out, "{label:<12}{}: {meaning}", column.name)?;
                }
            }
        }
        if plan.edits.is_empty() {
            writeln!(out, "forwarded   byte for byte")?;
        } else {
            writeln!(out, "forwarded   {}", self.edited(statement, plan))?;
        }
        if let Some(reuse) = self.reuse.text() {
            writeln!(out, "analysed    {reuse}")?;
        }
        Ok(())
    }

    fn parameters(&self, parameters: &Parameters, out: &mut dyn Write) -> Result<(), CliError> {
        for (index, shown) in parameters.shown.iter().enumerate() {
            let label = if index == 0 { "parameters" } else { "" };
            let number = index + 1;
            let meaning = match (shown, self.usage(parameters, index)) {
                (None, usage) if usage.is_empty() => "as it is".to_owned(),
                (_, usage) => usage,
            };
            writeln!(out, "{label:<12}${number}: {meaning}")?;
        }
        Ok(())
    }

    /// What the ids of the client's parameter `index` stand for, at every place of its use.
    fn usage(&self, parameters: &Parameters, index: usize) -> String {
        let mut meanings = Vec::new();
        let sent = parameters.sent.iter();
        for sent in sent.filter(|sent| sent.source == index) {
            let meaning = match &sent.id {
                None if sent.json.is_some() => "JSON with ids in it".to_owned(),
                None => "as it is".to_owned(),
                Some(id) => {
                    let kind = if sent.array {
                        "uuid[], ids"
                    } else {
                        "uuid, id"
                    };
                    let stored = if id.stored.is_some() {
                        ", to be stored"
                    } else {
                        ""
                    };
                    format!("{kind} of `{}`{stored}", self.domain(id.id.domain))
                }
            };
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
        meanings.join("; ")
    }

    fn value(&self, value: &ColumnValue) -> String {
        match value {
            ColumnValue::Clean => "as it is".to_owned(),
            ColumnValue::Id(id) => {
                format!("{}, id of `{}`", id.shown.name(), self.domain(id.domain))
            }
            ColumnValue::IdArray(id) => {
                format!("{}[], ids of `{}`", id.shown.name(), self.domain(id.domain))
            }
            ColumnValue::Tagged { uuid: true, array } => {
                let brackets = if *array { "[]" } else { "" };
                format!("uuid{brackets}, ids of several kinds")
            }
            ColumnValue::Tagged { .. } => "text or JSON with ids in it".to_owned(),
            ColumnValue::Json(_) => "JSON with ids in it".to_owned(),
            ColumnValue::Record { fields, array } => {
                let fields: Vec<String> = fields.iter().map(|field| self.value(field)).collect();
                let brackets = if *array { "[]" } else { "" };
                format!("record{brackets} of ({})", fields.join(", "))
            }
        }
    }

    fn domain(&self, domain: DomainId) -> &str {
        self.snapshot.domain_name(domain)
    }

    fn source(&self, statement: &Statement) -> &str {
        self.sql.get(statement.range.clone()).unwrap_or_default()
    }

    /// The statement as Postgres would get it, but with markers in the place of keys.
    fn edited(&self, statement: &Statement, plan: &Plan) -> String {
        let mut text = String::new();
        let mut place = statement.range.start;
        for edit in &plan.edits {
            text.push_str(self.sql.get(place..edit.span.start).unwrap_or_default());
            match &edit.with {
                Replacement::Text(with) => text.push_str(with),
                Replacement::Id { usage, .. } => {
                    text.push_str(&format!("'‹key of {}›'", self.domain(usage.id.domain)));
                }
                Replacement::IdArray { usage, .. } => {
                    text.push_str(&format!("'{{‹keys of {}›}}'", self.domain(usage.id.domain)));
                }
                Replacement::TagOpen(id) => {
                    text.push_str(&format!("‹tag of {}›(", self.domain(id.domain)));
                }
                Replacement::TagClose => text.push(')'),
                Replacement::MarkOpen { id, .. } => {
                    text.push_str(&format!("(‹mark of {}› THEN ", self.domain(id.domain)));
                }
                Replacement::Json { .. } => text.push_str("'‹JSON with keys in it›'"),
            }
            place = edit.span.end;
        }
        text.push_str(self.sql.get(place..statement.range.end).unwrap_or_default());
        text
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        let code = refusal.code.as_str();
        let title = Level::ERROR
            .primary_title(&refusal.message)
            .id(refusal.sqlstate);
        // Without a place the caret goes under the whole text.
        let span = refusal.span.clone().unwrap_or(0..self.sql.len());
        let place = AnnotationKind::Primary.span(span).label(code);
        let mut group = title.element(Snippet::source(self.sql).annotation(place));
        if let Some(detail) = &refusal.detail {
            group = group.element(Level::NOTE.message(detail));
        }
        if let Some(hint) = &refusal.hint {
            group = group.element(Level::HELP.message(hint));
        }
        let anchor = anchor(refusal);
        group = group.element(Level::NOTE.message(&anchor));
        Renderer::plain().render(&[group])
    }

    fn json(&self, statement: &Statement) -> Value {
        let source = self.source(statement);
        match &statement.verdict {
            Verdict::Refuse(refusal) => json!({
                "statement": source,
                "verdict": "refuse",
                "code": refusal.code.as_str(),
                "sqlstate": refusal.sqlstate,
                "message": refusal.message,
                "detail": refusal.detail,
                "hint": refusal.hint,
                "anchor": anchor(refusal),
                "span": refusal.span.as_ref().map(|span| [span.start, span.end]),
            }),
            Verdict::Forward(plan) => json!({
                "statement": source,
                "verdict": "forward",
                "parameters": self.json_parameters(&plan.parameters),
                "columns": self.json_columns(&plan.columns),
                "edits": plan.edits.len(),
                "forwarded": self.edited(statement, plan),
                "reuse": self.reuse.name(),
            }),
        }
    }

    fn json_parameters(&self, parameters: &Parameters) -> Value {
        let parameter = |(index, shown): (usize, &Option<u32>)| {
            let uses = parameters.sent.iter().filter(|sent| sent.source == index);
            let uses = uses.filter_map(|sent| {
                let id = sent.id.as_ref()?;
                Some(json!({
                    "domain": self.domain(id.id.domain),
                    "key_type": id.id.key_type.name(),
                    "shown": id.id.shown.name(),
                    "array": sent.array,
                    "stored": id.stored.is_some(),
                }))
            });
            json!({ "shown": shown, "ids": uses.collect::<Value>() })
        };
        parameters.shown.iter().enumerate().map(parameter).collect()
    }

    /// `null` if the result has no key, whatever its columns are.
    fn json_columns(&self, columns: &Columns) -> Value {
        let columns: Vec<(&str, &ColumnValue)> = match columns {
            Columns::Clean => return Value::Null,
            Columns::Explained(_) => {
                return json!([{ "name": "QUERY PLAN", "id": null, "explained": true }]);
            }
            Columns::Known(columns) => {
                let columns = columns.iter();
                columns
                    .map(|column| (&*column.name, &column.value))
                    .collect()
            }
            Columns::Copy(copy) => {
                let columns = copy.columns.iter();
                columns
                    .map(|column| (&*column.name, &column.value))
                    .collect()
            }
        };
        let column = |(name, value): (&str, &ColumnValue)| self.json_column(name, value);
        columns.into_iter().map(column).collect()
    }

    fn json_column(&self, name: &str, value: &ColumnValue) -> Value {
        let (id, array) = match value {
            ColumnValue::Clean => return json!({ "name": name, "id": null }),
            ColumnValue::Id(id) => (id, false),
            ColumnValue::IdArray(id) => (id, true),
            ColumnValue::Json(_) => return json!({ "name": name, "id": null, "json": true }),
            ColumnValue::Tagged { array, uuid } => {
                return json!({ "name": name, "id": null, "tagged": true, "array": array, "uuid": uuid });
            }
            ColumnValue::Record { fields, array } => {
                let fields = fields.iter().enumerate();
                let fields =
                    fields.map(|(at, field)| self.json_column(&format!("f{}", at + 1), field));
                let fields: Value = fields.collect();
                return json!({ "name": name, "id": null, "record": fields, "array": array });
            }
        };
        let id = json!({
            "domain": self.domain(id.domain),
            "key_type": id.key_type.name(),
            "shown": id.shown.name(),
            "array": array,
        });
        json!({ "name": name, "id": id })
    }
}

/// Where the rule that was broken is explained.
fn anchor(refusal: &Refusal) -> String {
    format!("docs/refusals.md#{}", refusal.code.as_str())
}
