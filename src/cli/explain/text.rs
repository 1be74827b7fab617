//! The findings for people: one fact a line, in columns.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::{Page, anchor, named};
use crate::cli::CliError;
use crate::sql::plan::{ColumnValue, Columns, Parameters, Plan};
use crate::sql::{Refusal, Verdict};

/// What stands behind a label: cells, of which those of one column begin at one place.
type Rows = Vec<Vec<String>>;

/// Where the facts begin, behind the longest label.
const INDENT: usize = 12;
/// A cell that is longer than this does not move the cells of other lines.
const WIDEST: usize = 44;

impl Page<'_> {
    pub(super) fn text(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let plan = match &self.statement.verdict {
            Verdict::Refuse(refusal) => {
                writeln!(out, "{}", self.refusal(refusal))?;
                return Ok(());
            }
            Verdict::Forward(plan) => plan,
        };
        writeln!(out, "{:<INDENT$}{}", "statement", self.source())?;
        write(out, "parameters", self.parameters(&plan.parameters))?;
        let label = match plan.columns {
            Columns::Copy(_) => "data",
            _ => "result",
        };
        write(out, label, self.columns(&plan.columns))?;
        write(out, "edits", self.edits(plan))?;
        let forwarded = match &plan.edits[..] {
            [] => "byte for byte".to_owned(),
            _ => self.edited(plan)?,
        };
        writeln!(out, "{:<INDENT$}{forwarded}", "forwarded")?;
        if let Some(reuse) = self.reuse.text() {
            writeln!(out, "{:<INDENT$}{reuse}", "analysed")?;
        }
        Ok(())
    }

    fn parameters(&self, parameters: &Parameters) -> Rows {
        let mut rows = Rows::new();
        for (index, shown) in parameters.shown.iter().enumerate() {
            let meaning = match (shown, self.usage(parameters, index)) {
                (None, usage) if usage.is_empty() => "as it is".to_owned(),
                (_, usage) => usage,
            };
            let why = self.causes(index).join("; ");
            rows.push(vec![format!("${}", index + 1), meaning, why]);
        }
        rows
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
                    let kind = id.id.shown.name();
                    let kind = match sent.array {
                        true => format!("{kind}[], ids"),
                        false => format!("{kind}, id"),
                    };
                    format!("{kind} of `{}`", self.domain(id.id.domain))
                }
            };
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
        meanings.join("; ")
    }

    fn columns(&self, columns: &Columns) -> Rows {
        match columns {
            Columns::Clean => return one("as it is: nothing in it can be a key"),
            Columns::Known(columns) if columns.is_empty() => return one("none"),
            Columns::Explained(_) => return one("the plan, constants masked"),
            Columns::Known(_) | Columns::Copy(_) => {}
        }
        let lineage = self.lineage(columns);
        let row = |(index, (name, value)): (usize, (&str, &ColumnValue))| {
            let why = lineage.get(index).map(|lineage| lineage.why.clone());
            vec![name.to_owned(), self.value(value), why.unwrap_or_default()]
        };
        named(columns).into_iter().enumerate().map(row).collect()
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
            ColumnValue::JsonArray(_) => "JSON[] with ids in it".to_owned(),
            ColumnValue::Record { fields, array } => {
                let fields: Vec<String> = fields.iter().map(|field| self.value(field)).collect();
                let brackets = if *array { "[]" } else { "" };
                format!("record{brackets} of ({})", fields.join(", "))
            }
        }
    }

    fn edits(&self, plan: &Plan) -> Rows {
        let edits = plan.edits.iter().filter(|edit| !Self::ends(edit));
        let mut rows = Rows::new();
        for edit in edits {
            let with = self.replacement(edit).trim().to_owned();
            let change = match self.replaced(edit) {
                "" => format!("+ {with}"),
                replaced => format!("{replaced} → {with}"),
            };
            rows.push(vec![change, self.purpose(edit, plan)]);
        }
        rows
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        let code = refusal.code.as_str();
        let title = Level::ERROR
            .primary_title(&refusal.message)
            .id(refusal.sqlstate);
        // Without a place the caret goes under the whole statement.
        let span = refusal.span.clone();
        let span = span.unwrap_or_else(|| self.statement.range.clone());
        let clues = self.reasons.iter().flat_map(|reasons| &reasons.clues);
        let clues = clues.map(|clue| {
            let annotation = AnnotationKind::Context.span(clue.span.clone());
            annotation.label(&clue.what)
        });
        let place = AnnotationKind::Primary.span(span).label(code);
        let snippet = Snippet::source(self.sql).annotation(place);
        let mut group = title.element(snippet.annotations(clues));
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
}

fn one(fact: &str) -> Rows {
    vec![vec![fact.to_owned()]]
}

/// Writes rows behind a label, with the cells of a column below each other.
fn write(out: &mut dyn Write, label: &str, rows: Rows) -> Result<(), CliError> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let lengths = cells.map(|cell| cell.chars().count());
        lengths
            .filter(|length| *length <= WIDEST)
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..3).map(width).collect();
    for (index, row) in rows.iter().enumerate() {
        let label = if index == 0 { label } else { "" };
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!("{cell:<width$}  "));
        let line = format!("{label:<INDENT$}{}", cells.collect::<String>());
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
