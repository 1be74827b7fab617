//! Statements that make a relation: `CREATE TABLE … AS`, `SELECT … INTO`, `CREATE TABLE … (LIKE …)`.
//!
//! What a query puts into a new table are keys, never tags. Nothing in the database tells so: the
//! session remembers it of a temporary table; a lasting one, which other sessions would read too, is
//! made only if the configuration annotates its columns already.

use std::ops::Range;
use std::sync::Arc;

use crate::catalog::{
    CreatedColumns, CreatedRelation, FunctionKind, IdColumn, Relation, SearchPath, is_temporary,
};

use super::definition::is_own;
use super::infer::Binder;
use super::lex::{Brackets, identifiers};
use super::plan::{Column, ColumnValue, Columns, Effect, Plan, Source, TargetColumn};
use super::refusal::{Code, Refusal, stores_text};
use super::statement::{Analysis, with_ddl};

/// The relation that a statement makes.
#[derive(Debug)]
struct Head {
    temporary: bool,
    schema: Option<String>,
    name: String,
    /// The first token behind the name.
    end: usize,
}

impl Analysis<'_> {
    pub(super) fn create(&mut self) -> Result<Plan, Box<Refusal>> {
        let at = match self.word(1) {
            "or" => 3,
            "global" | "local" => 2,
            _ => 1,
        };
        let private = matches!(self.word(at), "temp" | "temporary");
        let mut plan = self.created()?;
        plan.effect.private = private;
        Ok(plan)
    }

    /// Whether an index is over columns alone: there is no expression and no condition in it.
    fn is_over_columns(&self) -> bool {
        let signs = self.tokens.iter().map(|token| token.written(self.text));
        signs.filter(|sign| *sign == "(").count() == 1 && self.position("where").is_none()
    }

    fn created(&mut self) -> Result<Plan, Box<Refusal>> {
        let modifier = |word: &str| {
            matches!(
                word,
                "or" | "replace"
                    | "temp"
                    | "temporary"
                    | "unlogged"
                    | "global"
                    | "local"
                    | "constraint"
            )
        };
        let kind = (1..6).find(|index| !modifier(self.word(*index)));
        match kind.map(|at| (at, self.word(at))) {
            Some((at, "function" | "procedure")) => return self.create_routine(at + 1),
            Some((_, "trigger")) => return self.create_trigger(),
            _ => self.check_definition()?,
        }
        match kind.map(|at| (at, self.word(at))) {
            Some((at, "table")) => {
                let head = self.head(at + 1, 1..at);
                match self.position("as") {
                    Some(keyword) => self.create_as(&head, keyword),
                    None => {
                        self.check_references()?;
                        Ok(self.create_like(&head))
                    }
                }
            }
            Some((at, "view" | "recursive")) => {
                let at = if self.word(at) == "recursive" {
                    at + 1
                } else {
                    at
                };
                let mut plan = with_ddl();
                let head = self.head(at + 1, 1..at);
                if self.makes_temporary_at(at + 1, at) && self.protected_word().is_some() {
                    plan.effect.creates = Some(Arc::new(CreatedRelation {
                        keyed: true,
                        ..head.creates(Vec::new())
                    }));
                }
                Ok(plan)
            }
            Some((_, "index" | "unique")) => {
                let mut plan = with_ddl();
                plan.effect.indexes = self.is_over_columns();
                Ok(plan)
            }
            Some((_, "aggregate" | "cast" | "operator")) if self.runs_readers() => {
                let mut plan = with_ddl();
                plan.effect.blinds = true;
                Ok(plan)
            }
            Some((_, "rule")) if self.protected_word().is_some() => Err(self.refuse(
                "CREATE RULE on annotated tables",
                "Use a trigger, or a role listed in bypass_roles.",
            )),
            _ => Ok(with_ddl()),
        }
    }

    /// Whether what is defined may run a function that returns data.
    fn runs_readers(&self) -> bool {
        let functions = self.context.snapshot.functions();
        let unseen = self.context.unseen;
        let reads = |word: &str| match functions.kind(None, word) {
            FunctionKind::BuiltIn { returns_data } => returns_data,
            FunctionKind::Opaque => true,
            FunctionKind::Unknown => unseen,
        };
        self.context.snapshot.has_ids()
            && (identifiers(self.tokens).any(reads) || self.strings().any(reads))
    }

    /// The place of the INTO of `SELECT … INTO`.
    pub(super) fn selects_into(&self) -> Option<usize> {
        let at = self.position("into")?;
        let before = at.checked_sub(1)?;
        // `SELECT 1 AS into`, `(x).into`: there it is the name of a column.
        let names = self.punctuation(before) == "." || self.is_as(before);
        (!names && !matches!(self.word(before), "insert" | "merge")).then_some(at)
    }

    /// Whether a token is the keyword AS, and not a name behind one (`1 AS as`) or a dot.
    fn is_as(&self, at: usize) -> bool {
        let run = (0..=at).rev().take_while(|at| self.keyword(*at) == "as");
        let run = run.count();
        let before = (at + 1).checked_sub(run + 1);
        let is_name = before.is_some_and(|before| self.punctuation(before) == ".");
        (run % 2 == 1) != (is_name && run > 0)
    }

    /// Where the name stands behind INTO.
    pub(super) fn named_into(&self, into: usize) -> usize {
        let modifier = |word: &str| {
            matches!(
                word,
                "temp" | "temporary" | "unlogged" | "global" | "local" | "table"
            )
        };
        // A table may be called so too.
        let ends = |at: usize| matches!(self.word(at + 1), "" | "from" | "where");
        let mut name = into + 1;
        while modifier(self.keyword(name)) && !ends(name) {
            name += 1;
        }
        name
    }

    /// Whether what a SELECT stores is temporary: by a word between INTO and the name, or by that.
    pub(super) fn stores_temporary(&self, into: usize) -> bool {
        let name = self.named_into(into);
        let said = (into + 1..name).any(|at| matches!(self.word(at), "temp" | "temporary"));
        said || self.makes_temporary_at(name, 1)
    }

    /// `SELECT … INTO [TEMP] name …` is the query without these words.
    pub(super) fn select_into(&mut self, into: usize) -> Result<Plan, Box<Refusal>> {
        let name = self.named_into(into);
        let head = self.head(name, into + 1..name);
        let mut tokens = self.tokens_in(0..into)?.to_vec();
        tokens.extend_from_slice(self.tokens_in(head.end..self.tokens.len())?);
        let mut query = Analysis::new(self.context, self.path, (self.text, &tokens), self.budget);
        query.depth = self.depth + 1;
        query.into = Some(head.stored());
        let result = query.statement();
        self.unknown_name = query.unknown_name.take();
        self.made_by(&head, result?, &[])
    }

    fn create_as(&mut self, head: &Head, keyword: usize) -> Result<Plan, Box<Refusal>> {
        let mut names = Vec::new();
        if self.punctuation(head.end) == "(" {
            let listed = (head.end + 1..keyword).take_while(|at| self.punctuation(*at) != ")");
            let listed = listed
                .map(|at| self.word(at))
                .filter(|word| !word.is_empty());
            names.extend(listed.map(str::to_owned));
        }
        let mut end = self.tokens.len();
        if self.word(end - 1) == "data" {
            let with = if self.word(end - 2) == "no" { 3 } else { 2 };
            if self.word(end.saturating_sub(with)) == "with" {
                end -= with;
            }
        }
        let tokens = self.tokens_in(keyword + 1..end)?;
        let mut query = Analysis::new(self.context, self.path, (self.text, tokens), self.budget);
        query.depth = self.depth + 1;
        query.into = Some(head.stored());
        let result = query.statement();
        self.unknown_name = query.unknown_name.take();
        self.made_by(head, result?, &names)
    }

    /// The plan of a statement that makes a relation of the result of a query.
    fn made_by(&self, head: &Head, plan: Plan, names: &[String]) -> Result<Plan, Box<Refusal>> {
        if plan.source != Source::Itself || plan.effect.keeps.is_some() {
            return Err(self.refuse(
                "CREATE TABLE AS EXECUTE",
                "Write the query itself behind AS.",
            ));
        }
        let (columns, made) = match &plan.columns {
            Columns::Known(columns) if plan.effect.creates.is_none() => (
                Columns::Known(Vec::new()),
                self.columns_of(head, columns, names)?,
            ),
            Columns::Clean if plan.effect.creates.is_none() => (Columns::Clean, None),
            Columns::Clean | Columns::Known(_) | Columns::Copy(_) | Columns::Explained(_) => {
                return Err(self.refuse("this statement behind AS", "Send it by itself."));
            }
        };
        Ok(Plan {
            columns,
            effect: Effect {
                ddl: true,
                creates: Some(Arc::new(made.unwrap_or_else(|| head.creates(Vec::new())))),
                ..plan.effect
            },
            ..plan
        })
    }

    /// What is made of the columns of a query, if keys are among them.
    fn columns_of(
        &self,
        head: &Head,
        columns: &[Column],
        names: &[String],
    ) -> Result<Option<CreatedRelation>, Box<Refusal>> {
        let snapshot = self.context.snapshot;
        let mut ids = Vec::new();
        for column in columns {
            ids.push(match column.value {
                ColumnValue::Clean => None,
                ColumnValue::Id(id) | ColumnValue::IdArray(id) if !snapshot.stores(id) => {
                    return Err(stores_text(&column.name, self.at()));
                }
                ColumnValue::Id(id) => Some(IdColumn { id, array: false }),
                ColumnValue::IdArray(id) => Some(IdColumn { id, array: true }),
                ColumnValue::Tagged { .. }
                | ColumnValue::Record { .. }
                | ColumnValue::Json(_)
                | ColumnValue::JsonArray(_) => {
                    return Err(stores_text(&column.name, self.at()));
                }
            });
        }
        if ids.iter().all(Option::is_none) {
            return Ok(None);
        }
        let name = if head.is_temporary() {
            head.name.clone()
        } else {
            let given = names.iter().map(Some).chain(std::iter::repeat(None));
            let named = columns.iter().zip(given);
            let named = named.map(|(column, given)| given.unwrap_or(&column.name).as_str());
            self.check_annotated(head, named.zip(&ids))?;
            // No session has to remember it.
            String::new()
        };
        Ok(Some(CreatedRelation {
            name,
            columns: CreatedColumns::Ordered(ids),
            keyed: true,
        }))
    }

    /// Whether the configuration annotates those columns of a lasting table that will hold keys.
    fn check_annotated<'n>(
        &self,
        head: &Head,
        columns: impl Iterator<Item = (&'n str, &'n Option<IdColumn>)>,
    ) -> Result<(), Box<Refusal>> {
        let snapshot = self.context.snapshot;
        let lasting = |schema: &&str| *schema != "pg_catalog" && !is_own(schema);
        let of_path = self.path.and_then(|path| path.schemas().find(lasting));
        let schema = head.schema.as_deref().or(of_path).unwrap_or("public");
        for (name, id) in columns.filter_map(|(name, id)| id.map(|id| (name, id))) {
            if snapshot.awaited(schema, &head.name, name) == Some(id.id.domain) {
                continue;
            }
            let table = &head.name;
            let domain = snapshot.domain_name(id.id.domain);
            let message = format!(
                "column \"{name}\" of the new table \"{table}\" would hold ids of \"{domain}\", and nothing tells so"
            );
            let refusal = Refusal::unsupported(Code::Unsupported, message).at(self.at());
            return Err(Box::new(refusal.hint(format!(
                "Make it a temporary table; or list \"{schema}.{table}.{name}\" in `references` of id \"{domain}\" before the table is made; or create it with a foreign key, then INSERT … SELECT."
            ))));
        }
        Ok(())
    }

    /// `CREATE TABLE name (… LIKE other …)`: a temporary table's columns hold what those of the
    /// other hold, once they are filled.
    fn create_like(&self, head: &Head) -> Plan {
        let mut columns = Vec::new();
        for (at, token, depth) in self.cursor(head.end).nested(Brackets::Round) {
            let is_like = depth == 1 && token.keyword() == Some("like");
            if is_like && matches!(self.punctuation(at - 1), "(" | ",") {
                columns.extend(self.columns_like(at + 1));
            }
        }
        let mut plan = with_ddl();
        // Its columns may be ids by those that it refers to.
        let by_path = head.schema.is_none() && self.path.is_none_or(SearchPath::creates_temporary);
        let keyed = (by_path || head.is_temporary()) && self.protected_word().is_some();
        let made = head.creates(columns);
        plan.effect.creates = Some(Arc::new(CreatedRelation { keyed, ..made }));
        plan
    }

    /// The columns of a relation that hold keys.
    fn columns_like(&self, at: usize) -> Vec<(String, IdColumn)> {
        let other = self.head(at, at..at);
        let relation = self.path.and_then(|path| {
            let snapshot = self.context.snapshot;
            Some((
                path,
                snapshot.resolve(other.schema.as_deref(), &other.name, path)?,
            ))
        });
        let Some((path, relation)) = relation else {
            return Vec::new();
        };
        Binder::new(self.context, path, (self.text, self.tokens), self.budget).ids_of(relation)
    }

    /// The temporary relation that an ALTER TABLE or ALTER VIEW changes.
    pub(super) fn altered_temporary(&self) -> Option<&Relation> {
        if !matches!(self.word(1), "table" | "view") {
            return None;
        }
        let at = self.behind_options(2);
        let head = self.head(at, at..at);
        let snapshot = self.context.snapshot;
        let relation = snapshot.resolve(head.schema.as_deref(), &head.name, self.path?)?;
        is_temporary(&relation.schema).then_some(&**relation)
    }

    /// The name of a relation at a place, and what is said of it before.
    fn head(&self, mut at: usize, modifiers: Range<usize>) -> Head {
        let temporary = modifiers
            .into_iter()
            .any(|index| matches!(self.word(index), "temp" | "temporary"));
        if self.word(at) == "if" && self.word(at + 1) == "not" {
            at += 3;
        }
        let mut schema = None;
        while self.punctuation(at + 1) == "." {
            schema = Some(self.word(at).to_owned());
            at += 2;
        }
        Head {
            temporary,
            schema,
            name: self.word(at).to_owned(),
            end: at + 1,
        }
    }
}

/// Something with keys in it that nobody looks for by its name.
pub(super) fn unnamed() -> Arc<CreatedRelation> {
    Arc::new(CreatedRelation {
        name: String::new(),
        columns: CreatedColumns::Ordered(Vec::new()),
        keyed: true,
    })
}

impl Head {
    fn is_temporary(&self) -> bool {
        self.temporary || self.schema.as_deref().is_some_and(is_own)
    }

    /// The relation, without keys in it yet.
    fn creates(&self, columns: Vec<(String, IdColumn)>) -> CreatedRelation {
        CreatedRelation {
            name: self.name.clone(),
            columns: CreatedColumns::Named(columns),
            keyed: false,
        }
    }

    /// What the error says if a value was never issued as an id.
    fn stored(&self) -> TargetColumn {
        TargetColumn {
            schema: self.schema.clone().unwrap_or_default(),
            table: self.name.clone(),
            column: String::new(),
            foreign_key: None,
            others: Vec::new(),
        }
    }
}

/// The path that a list of schemas gives to a session with this temporary schema, which Postgres
/// searches first unless the list names it.
pub(super) fn with_temporary(mut schemas: Vec<String>, temporary: Option<&str>) -> SearchPath {
    let Some(temporary) = temporary else {
        return SearchPath::new(schemas);
    };
    if let Some(named) = schemas.iter_mut().find(|schema| *schema == "pg_temp") {
        temporary.clone_into(named);
    } else if !schemas.iter().any(|schema| schema == temporary) {
        schemas.insert(0, temporary.to_owned());
    }
    SearchPath::new(schemas)
}
