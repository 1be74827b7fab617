//! INSERT, UPDATE and DELETE.

use std::ops::Range;

use sqlparser::ast::{
    Assignment, AssignmentTarget, Delete, Expr, FromTable, FunctionArguments, Insert,
    OnConflictAction, OnInsert, SelectItem, SetExpr, Spanned, TableFactor, TableObject, Update,
    UpdateTableFromKind,
};

use crate::catalog::{Column, KeyType, Relation, Snapshot, Write};
use crate::pg::functions::effect;
use crate::sql::parse::{NEW, OLD, range};
use crate::sql::plan::{Edit, Replacement, TargetColumn};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{Output, Scope, Table};
use crate::sql::types::{Shape, TypeVar};

use super::column_name::last;
use super::join::are_distinct;
use super::query::told_first;
use super::span::span_of;
use super::target::Target;
use super::{Binder, Check};

/// So many columns can a result have (`MaxTupleAttributeNumber`).
const MOST_COLUMNS: usize = 1664;

impl Binder<'_> {
    pub(super) fn insert(&mut self, insert: &Insert) -> Check<Vec<Output>> {
        self.writes = true;
        self.knowing(Vec::new(), |binder| binder.insert_here(insert))
    }

    fn insert_here(&mut self, insert: &Insert) -> Check<Vec<Output>> {
        let TableObject::TableName(name) = &insert.table else {
            return self.unsupported("this target of INSERT", range(insert.table.span()));
        };
        if insert.or.is_some()
            || insert.overwrite
            || insert.partitioned.is_some()
            || insert.output.is_some()
            || insert.insert_alias.is_some()
            || !insert.assignments.is_empty()
        {
            return self.unsupported("this form of INSERT", range(name.span()));
        }
        let alias = insert
            .table_alias
            .as_ref()
            .map(|alias| alias.alias.value.as_str());
        let target = self.target(name, alias, Some(Write::Insert))?;
        let columns: Vec<Column> = if insert.columns.is_empty() {
            target.relation.columns.clone()
        } else {
            let names = insert.columns.iter();
            names
                .map(|name| self.target_column(&target, name))
                .collect::<Check<_>>()?
        };
        if let Some(source) = &insert.source {
            self.insert_source(source, &columns, &target)?;
        }
        match &insert.on {
            None => {}
            Some(OnInsert::OnConflict(conflict)) => {
                if let OnConflictAction::DoUpdate(update) = &conflict.action {
                    let mut scope = Scope::of(target.table.clone());
                    let mut excluded = target.table.clone();
                    "excluded".clone_into(&mut excluded.name);
                    scope.add_table(excluded);
                    self.within(scope, |binder| {
                        binder.assignments(&update.assignments, &target)?;
                        update
                            .selection
                            .as_ref()
                            .map_or(Ok(()), |s| binder.condition(s, "WHERE"))
                    })?;
                }
            }
            Some(_) => return self.unsupported("this form of INSERT", range(name.span())),
        }
        self.returning(
            insert.returning.as_deref(),
            Scope::of(target.table.clone()),
            target.table,
        )
    }

    /// The rows of an INSERT: each column goes into its target.
    fn insert_source(
        &mut self,
        source: &sqlparser::ast::Query,
        columns: &[Column],
        target: &Target,
    ) -> Check<()> {
        if source.with.is_none()
            && source.order_by.is_none()
            && source.limit_clause.is_none()
            && let SetExpr::Values(values) = source.body.as_ref()
        {
            for row in &values.rows {
                self.row_of_values(&row.content, columns, target)?;
            }
            return Ok(());
        }
        let outputs = self.query(source)?;
        for (column, output) in columns.iter().zip(&outputs) {
            let wanted = match &column.polymorphic {
                Some(of) => self.assign_polymorphic_output(
                    (&source.body, output),
                    (column, of),
                    (columns, target),
                ),
                None => self.assign_to(output.node, column, target, None),
            };
            wanted.map_err(|mut refusal| {
                refusal.span.get_or_insert_with(|| range(source.span()));
                refusal
            })?;
        }
        Ok(())
    }

    /// A row of VALUES that is inserted.
    pub(super) fn row_of_values(
        &mut self,
        row: &[Expr],
        columns: &[Column],
        target: &Target,
    ) -> Check<()> {
        for (column, expr) in columns.iter().zip(row) {
            if let Some(of) = &column.polymorphic {
                let by = columns.iter().position(|beside| beside.name == of.by);
                let by = by.and_then(|by| row.get(by));
                self.assign_polymorphic((expr, by), (column, of), target)?;
            } else if !is_default(expr) && !self.makes_new_id(expr, column, target) {
                let node = self.expr(expr)?;
                self.assign_to(node, column, target, Some(expr))?;
            }
        }
        Ok(())
    }

    /// Whether a value is a new uuid for the column that defines a kind of id: then the database
    /// makes a new key, as it does by default.
    fn makes_new_id(&mut self, expr: &Expr, column: &Column, target: &Target) -> bool {
        let Expr::Function(function) = expr else {
            return false;
        };
        let (Some(id), FunctionArguments::List(arguments)) = (column.id, &function.args) else {
            return false;
        };
        let is_plain = arguments.args.is_empty()
            && arguments.clauses.is_empty()
            && matches!(function.parameters, FunctionArguments::None)
            && function.over.is_none()
            && function.filter.is_none()
            && function.within_group.is_empty();
        let makes = effect(&last(&function.name)).makes_uuid().is_some();
        let defines = self.defines(column, target);
        if !is_plain || !defines || id.array || !makes {
            return false;
        }
        match id.id.key_type {
            KeyType::Int2 | KeyType::Int4 | KeyType::Int8 if id.id.shown == KeyType::Uuid => {
                let Some(span) = self.empty_call(range(function.name.span())) else {
                    return false;
                };
                let with = Replacement::Text("DEFAULT".to_owned());
                self.replaced.push(Edit { span, with });
                true
            }
            KeyType::Uuid
            | KeyType::Int2
            | KeyType::Int4
            | KeyType::Int8
            | KeyType::Bytea
            | KeyType::Text
            | KeyType::Varchar
            | KeyType::Bpchar => false,
        }
    }

    /// The bytes of a call without arguments, by those of the function's name.
    fn empty_call(&self, name: Range<usize>) -> Option<Range<usize>> {
        let [open, close, ..] = self.tokens_from(name.end) else {
            return None;
        };
        let is_call = open.written(self.text) == "(" && close.written(self.text) == ")";
        is_call.then_some(name.start..close.span.end)
    }

    pub(super) fn update(&mut self, update: &Update) -> Check<Vec<Output>> {
        self.writes = true;
        let from = match &update.from {
            Some(UpdateTableFromKind::AfterSet(items) | UpdateTableFromKind::BeforeSet(items)) => {
                items.as_slice()
            }
            None => &[],
        };
        // Beside another table a name alone may be one of its columns.
        let all: Vec<_> = (from.iter().chain([&update.table])).cloned().collect();
        let facts = self.facts(update.selection.as_ref(), &all);
        self.knowing(facts, |binder| {
            binder.in_from_clause(|binder| binder.update_here(update))
        })
    }

    fn update_here(&mut self, update: &Update) -> Check<Vec<Output>> {
        let at = range(update.table.span());
        if update.or.is_some()
            || update.output.is_some()
            || !update.order_by.is_empty()
            || update.limit.is_some()
            || !update.table.joins.is_empty()
        {
            return self.unsupported("this form of UPDATE", at);
        }
        let TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } = &update.table.relation
        else {
            return self.unsupported("this target of UPDATE", at);
        };
        let alias = alias.as_ref().map(|alias| alias.name.value.as_str());
        let target = self.target(name, alias, Some(Write::Update))?;
        let mut scope = Scope::of(target.table.clone());
        match &update.from {
            None => {}
            Some(UpdateTableFromKind::AfterSet(items) | UpdateTableFromKind::BeforeSet(items)) => {
                for item in items {
                    let joined =
                        self.within(scope.clone(), |binder| binder.table_with_joins(item))?;
                    are_distinct(&scope, &joined)?;
                    scope.extend(joined);
                }
            }
        }
        self.within(scope.clone(), |binder| {
            let assigned = binder.assignments(&update.assignments, &target);
            let selection = update.selection.as_ref();
            let selected = selection.map_or(Ok(()), |s| binder.condition(s, "WHERE"));
            told_first(selected, assigned)
        })?;
        // The row that comes back is the changed one.
        self.forget_facts(&target.table);
        self.returning(update.returning.as_deref(), scope, target.table)
    }

    pub(super) fn delete(&mut self, delete: &Delete) -> Check<Vec<Output>> {
        self.writes = true;
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let all: Vec<_> = (from.iter().chain(delete.using.iter().flatten()))
            .cloned()
            .collect();
        let facts = self.facts(delete.selection.as_ref(), &all);
        self.knowing(facts, |binder| {
            binder.in_from_clause(|binder| binder.delete_here(delete))
        })
    }

    fn delete_here(&mut self, delete: &Delete) -> Check<Vec<Output>> {
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let at = range(delete.span());
        let [item] = from.as_slice() else {
            return self.unsupported("this form of DELETE", at);
        };
        let TableFactor::Table {
            name,
            alias,
            args: None,
            ..
        } = &item.relation
        else {
            return self.unsupported("this target of DELETE", at);
        };
        if !item.joins.is_empty()
            || !delete.tables.is_empty()
            || delete.output.is_some()
            || !delete.order_by.is_empty()
            || delete.limit.is_some()
        {
            return self.unsupported("this form of DELETE", at);
        }
        let alias = alias.as_ref().map(|alias| alias.name.value.as_str());
        let target = self.target(name, alias, Some(Write::Delete))?;
        let mut scope = Scope::of(target.table.clone());
        for item in delete.using.iter().flatten() {
            let joined = self.within(scope.clone(), |binder| binder.table_with_joins(item))?;
            are_distinct(&scope, &joined)?;
            scope.extend(joined);
        }
        if let Some(selection) = &delete.selection {
            self.within(scope.clone(), |binder| binder.condition(selection, "WHERE"))?;
        }
        self.returning(delete.returning.as_deref(), scope, target.table)
    }

    pub(super) fn assignments(&mut self, assignments: &[Assignment], target: &Target) -> Check<()> {
        let done = self.polymorphic_assignments(assignments, target)?;
        for assignment in assignments {
            match &assignment.target {
                AssignmentTarget::ColumnName(name) if done.contains(&last(name)) => {}
                AssignmentTarget::ColumnName(name) => {
                    self.assign_part(name, &assignment.value, target)?;
                }
                AssignmentTarget::Tuple(names) => {
                    let columns: Vec<Column> = names
                        .iter()
                        .map(|name| self.target_column(target, name))
                        .collect::<Check<_>>()?;
                    self.assign_row(&columns, &assignment.value, target)?;
                }
            }
        }
        Ok(())
    }

    /// `(a, b) = (x, y)`, `ROW(x, y)` or `(SELECT x, y …)`.
    fn assign_row(&mut self, columns: &[Column], value: &Expr, target: &Target) -> Check<()> {
        if let Expr::Tuple(values) = value {
            for (column, expr) in columns.iter().zip(values) {
                if !is_default(expr) {
                    let node = self.expr(expr)?;
                    self.assign_to(node, column, target, Some(expr))?;
                }
            }
            return Ok(());
        }
        let node = self.expr(value)?;
        match (self.types.shape(node), columns) {
            (Shape::Record(fields), _) if fields.len() == columns.len() => {
                for (column, field) in columns.iter().zip(&*fields) {
                    self.assign_to(*field, column, target, Some(value))?;
                }
                Ok(())
            }
            (_, [column]) => self.assign_to(node, column, target, Some(value)),
            _ => self.unsupported("this form of assignment", range(value.span())),
        }
    }

    pub(super) fn assign_to(
        &mut self,
        node: TypeVar,
        column: &Column,
        target: &Target,
        expr: Option<&Expr>,
    ) -> Check<()> {
        let at = expr.map_or(0..0, span_of);
        let (wanted, stored) = self.destination(column, target, &at)?;
        self.assign(node, (wanted, column), &stored, expr)
    }

    pub(super) fn returning(
        &mut self,
        items: Option<&[SelectItem]>,
        mut scope: Scope,
        target: Table,
    ) -> Check<Vec<Output>> {
        // Since Postgres 18 these are the row before and behind the change, if nothing else is
        // called so. In a rule something is.
        for name in ["old", "new"] {
            let is_known = |scope: &Scope| scope.table(None, name).is_some();
            let is_known = is_known(&scope) || self.scopes.iter().any(is_known);
            if !is_known && !self.types.in_definition {
                scope.add_table(called(&target, name));
            }
        }
        for name in [OLD, NEW] {
            scope.add_table(called(&target, name));
        }
        match items {
            // Postgres 15 ends all its sessions where there are more than 32,767.
            Some(items) if items.len() > MOST_COLUMNS => {
                let message = format!("target lists can have at most {MOST_COLUMNS} entries");
                Err(Box::new(Refusal::new(Code::Unparsed, "54011", message)))
            }
            Some(items) => self.within(scope, |binder| binder.returning_items(items)),
            None => Ok(Vec::new()),
        }
    }
}

/// A table by another name.
fn called(table: &Table, name: &str) -> Table {
    Table {
        name: name.to_owned(),
        schema: None,
        ..table.clone()
    }
}

/// The keyword DEFAULT, which sqlparser takes for a name.
pub(super) fn is_default(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(ident)
        if ident.quote_style.is_none() && ident.value.eq_ignore_ascii_case("default"))
}

/// What the error says if the value stored in a column was never issued as an id.
pub(in crate::sql) fn stored_in(
    snapshot: &Snapshot,
    relation: &Relation,
    column: &Column,
) -> TargetColumn {
    let foreign_key = relation
        .foreign_keys
        .iter()
        .find(|key| key.columns == [column.attnum])
        .or_else(|| {
            relation
                .foreign_keys
                .iter()
                .find(|key| key.columns.contains(&column.attnum))
        });
    TargetColumn {
        schema: relation.schema.clone(),
        table: relation.name.clone(),
        column: column.name.clone(),
        foreign_key: foreign_key.map(|key| {
            let referenced = snapshot.relation(key.referenced);
            let referenced = referenced.map(|relation| relation.name.clone());
            (key.name.clone(), referenced.unwrap_or_default())
        }),
        others: Vec::new(),
    }
}
