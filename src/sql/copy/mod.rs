//! COPY: which fields of its data are ids. Its rows have no RowDescription, so that the plan says
//! all that the session knows of them.

mod options;
mod syntax;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::infer::{is_told_otherwise, stored_in};
use super::lex::{Token, TokenKind};
use super::plan::{
    ColumnValue, Columns, CopyColumn, CopyDirection, CopyFormat, CopyPlan, Edit, Edits, Effect,
    Plan, Replacement,
};
use super::refusal::{Code, Refusal};
use super::statement::{Analysis, is_clean, unknown_path};
use crate::catalog::{Column, IdType, KeyType, Relation, RelationKind, SearchPath};
use options::Options;
use syntax::{Copy, Target, Unexpected};

impl Analysis<'_> {
    /// A COPY of what is not protected passes as it is, whatever its options are.
    pub(super) fn copy(&mut self) -> Result<Plan, Box<Refusal>> {
        if self.punctuation(1) == "(" {
            return self.copy_query();
        }
        let (schema, table) = self.copied();
        let in_catalog = schema.is_none_or(|schema| schema == "pg_catalog");
        let is_told = in_catalog && is_told_otherwise(table, self.context.snapshot);
        if is_told && self.position("to").is_some() {
            let hint = "Copy a query over it: COPY (SELECT …) TO STDOUT.";
            return Err(self.refuse("COPY of a catalog, which tells of columns with ids", hint));
        }
        if self.protected_word().is_none() {
            return self.copy_of_clean_table();
        }
        let copy = syntax::parse(self.text, self.tokens).map_err(|at| self.no_copy(at))?;
        let Target::Table {
            schema,
            table,
            name,
            columns,
        } = &copy.target
        else {
            return Err(self.no_copy(Unexpected(1)));
        };
        let snapshot = self.context.snapshot;
        let no_path = SearchPath::new(Vec::new());
        let path = match (self.path, schema) {
            (Some(path), _) => path,
            (None, Some(_)) => &no_path,
            (None, None) => return Err(unknown_path(table, self.bytes(name.clone()))),
        };
        let resolved = snapshot.resolve(schema.as_deref(), table, path);
        let Some(relation) = resolved.map(Arc::clone) else {
            return self.copy_of_unknown(table);
        };
        if !relation.protected {
            return self.copy_without_ids();
        }
        self.copy_of_protected(&copy, &relation, name, columns.as_deref())
    }

    fn copy_of_protected(
        &mut self,
        copy: &Copy,
        relation: &Arc<Relation>,
        name: &Range<usize>,
        columns: Option<&[String]>,
    ) -> Result<Plan, Box<Refusal>> {
        if relation.kind != RelationKind::Table {
            let hint = "Copy a query over it: COPY (SELECT …) TO STDOUT.";
            return Err(self.refuse("COPY of a view over annotated tables", hint));
        }
        let mut edits = Vec::new();
        let columns = match columns {
            Some(names) => self.listed(relation, names)?,
            None => {
                let columns = relation.columns.iter().filter(|column| !column.generated);
                let columns: Vec<&Column> = columns.collect();
                edits.push(column_list(self.bytes(name.clone()).end, &columns));
                columns
            }
        };
        if let Some(column) = columns.iter().find(|column| column.undecided) {
            return Err(Box::new(Refusal::undecided(&column.name).at(name.clone())));
        }
        let is_stored = copy.direction == CopyDirection::FromClient;
        let snapshot = self.context.snapshot;
        let column = |column: &Column| {
            let stored = (is_stored && column.holds_keys())
                .then(|| Box::new(stored_in(snapshot, relation, column)));
            let value = ColumnValue::of_column(snapshot, column, stored.as_deref());
            let is_row = |value: &ColumnValue| matches!(value, ColumnValue::Record { .. });
            Some(CopyColumn {
                name: column.name.clone(),
                value: value.filter(|value| !is_stored || !is_row(value))?,
                stored,
                ..CopyColumn::default()
            })
        };
        let columns: Option<Vec<CopyColumn>> = columns.into_iter().map(column).collect();
        let Some(columns) = columns else {
            let hint = "Copy the ids as columns of their own.";
            return Err(self.refuse("COPY of rows with ids in one column", hint));
        };
        let plan = self.copy_plan(copy, &relation.name, columns)?;
        let mut effect = Effect::of_definitions(relation.computes);
        if let Some(condition) = &copy.condition {
            let plan = self.copy_condition(name, condition)?;
            edits.extend(plan.edits.into_vec());
            effect.search_path = plan.effect.search_path;
        }
        Ok(Plan {
            edits: Edits::new(edits)?,
            columns: Columns::Copy(Box::new(plan)),
            effect,
            ..Plan::default()
        })
    }

    /// A COPY in whose data no key can be. What its condition calls may do more than compare.
    fn copy_without_ids(&mut self) -> Result<Plan, Box<Refusal>> {
        if self.position("where").is_none() {
            return Ok(Plan::default());
        }
        let copy = syntax::parse(self.text, self.tokens).map_err(|at| self.no_copy(at))?;
        match (&copy.target, &copy.condition) {
            (Target::Table { name, .. }, Some(condition)) => {
                let Plan { edits, effect, .. } = self.copy_condition(name, condition)?;
                Ok(Plan {
                    edits,
                    effect,
                    ..Plan::default()
                })
            }
            _ => Ok(Plan::default()),
        }
    }

    /// The name of the table, with its schema.
    fn copied(&self) -> (Option<&str>, &str) {
        let from = if self.word(1) == "binary" { 2 } else { 1 };
        match self.punctuation(from + 1) {
            "." => (Some(self.word(from)), self.word(from + 2)),
            _ => (None, self.word(from)),
        }
    }

    fn copy_of_clean_table(&mut self) -> Result<Plan, Box<Refusal>> {
        let (schema, table) = self.copied();
        let unknown_path = SearchPath::new(Vec::new());
        let path = self.path.unwrap_or(&unknown_path);
        if self.context.snapshot.resolve(schema, table, path).is_none() {
            let table = table.to_owned();
            return self.copy_of_unknown(&table);
        }
        self.copy_without_ids()
    }

    /// What comes out of a table that has been made meanwhile, nothing would tell.
    fn copy_of_unknown(&mut self, table: &str) -> Result<Plan, Box<Refusal>> {
        self.seek(table.to_owned());
        if self.context.fresh {
            // It may be there by the time at which the server looks for it.
            return Ok(Plan {
                unresolved: true,
                ..self.copy_without_ids()?
            });
        }
        if self.position("to").is_none() {
            return self.copy_without_ids();
        }
        let message = format!("relation \"{table}\" does not exist");
        let refusal = Refusal::new(Code::UnknownName, "42P01", message).at(self.at());
        Err(Box::new(refusal.not_seen("relation", self.context.fresh)))
    }

    fn copy_query(&mut self) -> Result<Plan, Box<Refusal>> {
        let copy = syntax::parse(self.text, self.tokens);
        let tokens = match &copy {
            Ok(Copy {
                target: Target::Query(tokens),
                ..
            }) => tokens.clone(),
            // If the server can read it, the query is to be found nevertheless.
            _ => self.tokens.len().min(2)..self.tokens.len(),
        };
        let query = self.tokens_in(tokens)?;
        let mut inner = Analysis::new(self.context, self.path, (self.text, query), self.budget);
        inner.depth = self.depth + 1;
        let result = inner.statement();
        let named = inner.protected_word().is_some();
        self.unknown_name = inner.unknown_name.take();
        let plan = match (result, &copy) {
            (Ok(plan), _) if is_clean(&plan) && !named => plan,
            (_, Err(at)) => return Err(self.no_copy(*at)),
            (result, Ok(_)) => result?,
        };
        if plan.effect.creates.is_some() || plan.effect.ddl {
            return Err(self.refuse(
                "COPY of a statement that makes a table",
                "Send it by itself.",
            ));
        }
        let Columns::Known(columns) = plan.columns else {
            return Ok(Plan {
                edits: plan.edits,
                effect: plan.effect,
                ..Plan::default()
            });
        };
        let copy = copy.map_err(|at| self.no_copy(at))?;
        if !plan.parameters.sent.is_empty() {
            let message = "there is no parameter $1";
            return Err(Box::new(Refusal::new(Code::Unsupported, "42P02", message)));
        }
        let columns = columns.into_iter().map(|column| CopyColumn {
            name: column.name,
            value: column.value,
            ..CopyColumn::default()
        });
        let copied = self.copy_plan(&copy, "", columns.collect())?;
        Ok(Plan {
            edits: plan.edits,
            columns: Columns::Copy(Box::new(copied)),
            effect: plan.effect,
            ..Plan::default()
        })
    }

    /// The columns that a statement lists.
    fn listed<'r>(
        &mut self,
        relation: &'r Relation,
        names: &[String],
    ) -> Result<Vec<&'r Column>, Box<Refusal>> {
        let mut columns = Vec::with_capacity(names.len());
        for name in names {
            let refusal = match relation.column(name) {
                Some(column) if !column.generated => {
                    columns.push(column);
                    continue;
                }
                Some(_) => {
                    let message = format!("column \"{name}\" is a generated column");
                    Refusal::new(Code::Unsupported, "42P10", message)
                        .detail("Generated columns cannot be used in COPY.")
                }
                None => {
                    self.unknown_name.get_or_insert_with(|| name.clone());
                    let table = &relation.name;
                    let message =
                        format!("column \"{name}\" of relation \"{table}\" does not exist");
                    Refusal::new(Code::UnknownName, "42703", message)
                }
            };
            return Err(Box::new(refusal));
        }
        Ok(columns)
    }

    /// How the data are to be read, if there are ids in them.
    fn copy_plan(
        &self,
        copy: &Copy,
        table: &str,
        mut columns: Vec<CopyColumn>,
    ) -> Result<CopyPlan, Box<Refusal>> {
        let mut plan = CopyPlan {
            direction: copy.direction,
            table: table.to_owned(),
            format: CopyFormat::Binary,
            columns: Vec::new(),
        };
        if columns
            .iter()
            .all(|column| column.value == ColumnValue::Clean)
        {
            // Nothing in them is looked at.
            plan.columns = columns;
            return Ok(plan);
        }
        if !copy.is_stream {
            let what = "COPY between annotated tables and files or programs of the server";
            return Err(self.refuse(what, "Copy from STDIN or to STDOUT."));
        }
        let encoding = self.context.client_encoding;
        if columns.iter().any(is_composed) && !matches!(encoding, "UTF8" | "UNICODE" | "") {
            let what = "COPY of JSON or rows with ids in another encoding than UTF8";
            return Err(self.refuse(what, "Set client_encoding to UTF8."));
        }
        let read = options::read(&copy.options, copy.direction, encoding);
        let Options {
            format,
            force_quote,
            force_not_null,
            force_null,
        } = read.map_err(|(refusal, token)| match token {
            Some(token) => Box::new(refusal.at(self.bytes(token..token + 1))),
            None => refusal,
        })?;
        if let (CopyFormat::Lines(lines), CopyDirection::ToClient) = (&format, copy.direction)
            && lines.quotes.is_none()
            && lines.null.contains('\\')
            && lines.null != "\\N"
        {
            // The server writes it as it is, and before what comes behind it is an escape.
            let message =
                "pgveil does not support a string for NULL with a backslash in a COPY with ids";
            let refusal = Refusal::unsupported(Code::Unsupported, message);
            return Err(Box::new(refusal.hint("Use another string for NULL.")));
        }
        for column in &mut columns {
            column.force_quote = force_quote.has(&column.name);
            column.force_not_null = force_not_null.has(&column.name);
            column.force_null = force_null.has(&column.name);
            if let CopyFormat::Lines(lines) = &format {
                // In quotes, or written by the server as text, NULL would look like this key.
                let confusable = match copy.direction {
                    CopyDirection::FromClient => column.force_null,
                    CopyDirection::ToClient => lines.quotes.is_none(),
                };
                if confusable && may_be_key(&lines.null, &column.value) {
                    let message = format!(
                        "pgveil does not support this string for NULL in a COPY with ids: \"{}\" \
                         could be a key of column \"{}\"",
                        lines.null, column.name
                    );
                    let refusal = Refusal::unsupported(Code::Unsupported, message);
                    return Err(Box::new(refusal.hint("Use another string for NULL.")));
                }
            }
        }
        plan.format = format;
        plan.columns = columns;
        Ok(plan)
    }

    /// `WHERE` says which records are stored: the same as a condition of DELETE, as far as ids
    /// are concerned.
    fn copy_condition(
        &mut self,
        name: &Range<usize>,
        condition: &Range<usize>,
    ) -> Result<Plan, Box<Refusal>> {
        let word = |value| Token {
            kind: TokenKind::Word {
                value: Cow::Borrowed(value),
                quoted: false,
            },
            span: self.bytes(0..1),
        };
        let mut tokens = vec![word("delete"), word("from")];
        tokens.extend_from_slice(self.tokens_in(name.clone())?);
        tokens.push(word("where"));
        tokens.extend_from_slice(self.tokens_in(condition.clone())?);
        let mut inner = Analysis::new(self.context, self.path, (self.text, &tokens), self.budget);
        inner.depth = self.depth + 1;
        let result = inner.statement();
        self.unknown_name = inner.unknown_name.take();
        let plan = result?;
        if !plan.parameters.sent.is_empty() {
            let message = "there is no parameter $1";
            return Err(Box::new(Refusal::new(Code::Unsupported, "42P02", message)));
        }
        Ok(plan)
    }

    fn no_copy(&self, Unexpected(token): Unexpected) -> Box<Refusal> {
        let end = self.at().end;
        let token = self.tokens.get(token);
        let span = token.map_or(end..end, |token| token.span.clone());
        let word = token.map(|token| token.written(self.text));
        Box::new(Refusal::unparsed(word).at(span))
    }
}

/// The columns that a statement without a list means, named: what the table has become since the
/// snapshot was taken can't make a key another column's value.
fn column_list(at: usize, columns: &[&Column]) -> Edit {
    let names = columns.iter().map(|column| {
        let name = column.name.replace('"', "\"\"");
        format!("\"{name}\"")
    });
    let names: Vec<String> = names.collect();
    Edit {
        span: at..at,
        with: Replacement::Text(format!(" ({})", names.join(", "))),
    }
}

/// Whether the values of a column are documents or rows.
const fn is_composed(column: &CopyColumn) -> bool {
    matches!(
        column.value,
        ColumnValue::Json(_) | ColumnValue::Record { .. }
    )
}

/// Whether the server could write a key like this.
fn may_be_key(text: &str, value: &ColumnValue) -> bool {
    let (IdType { key_type, .. }, array) = match value {
        // Nobody can write a tag.
        ColumnValue::Clean | ColumnValue::Tagged { .. } => return false,
        ColumnValue::Record { .. } | ColumnValue::JsonArray(_) => {
            return text.starts_with(['(', '{', '[']);
        }
        // A word of letters is a document without keys in it, or none.
        ColumnValue::Json(_) => {
            return text != "\\N" && !text.bytes().all(|byte| byte.is_ascii_alphabetic());
        }
        ColumnValue::Id(id) => (id, false),
        ColumnValue::IdArray(id) => (id, true),
    };
    // A backslash in a value is doubled.
    if text.is_empty() || text == "\\N" {
        return false;
    }
    match key_type {
        _ if array => text.starts_with(['{', '[']),
        KeyType::Int2 | KeyType::Int4 | KeyType::Int8 => text.parse::<i64>().is_ok(),
        KeyType::Uuid => text.len() == 36,
        // No other key is as short, in whatever form.
        KeyType::Bytea | KeyType::Text | KeyType::Varchar | KeyType::Bpchar => text.len() >= 16,
    }
}
