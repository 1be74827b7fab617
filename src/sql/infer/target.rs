//! What a statement writes to: a table, or a view, which is then a table whose columns are what
//! the analysis of its definition says. Whether a view can be written to at all is Postgres's to
//! say.

use std::ops::Range;
use std::sync::Arc;

use sqlparser::ast::{ObjectName, Spanned};

use crate::catalog::{Column, IdColumn, Relation, RelationKind, Write};
use crate::sql::parse::range;
use crate::sql::plan::{PathChange, TargetColumn};
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{Output, Table, Tells};
use crate::sql::setter::may_set;
use crate::sql::types::{Because, Shape, TypeVar};
use crate::sql::updatable_view::{BaseRelation, all_behind};

use super::column_name::last;
use super::dml::stored_in;
use super::from::is_open;
use super::value::hidden;
use super::{Binder, Check};

/// What a statement writes to.
pub(super) struct Target {
    pub(super) relation: Arc<Relation>,
    pub(super) table: Table,
    /// What is behind it, if it is a view.
    behind: Option<BaseRelation>,
    /// Where the rules of a view store the values for its columns.
    stored: Vec<Option<TargetColumn>>,
}

impl Target {
    /// The column of a table in which the value for a column of the target is stored.
    fn place(&self, column: &Column) -> Option<(&Relation, &Column)> {
        let behind = self.behind.as_ref()?;
        let index = self.index(column)?;
        let stored = behind.columns.get(index).copied().flatten()?;
        Some((&behind.relation, behind.relation.columns.get(stored)?))
    }

    fn index(&self, column: &Column) -> Option<usize> {
        let mut columns = self.relation.columns.iter();
        columns.position(|own| own.attnum == column.attnum)
    }

    /// Where a rule of a view stores the value for a column.
    fn by_rule(&self, column: &Column) -> Option<&TargetColumn> {
        self.behind.as_ref()?;
        self.stored.get(self.index(column)?)?.as_ref()
    }
}

impl Binder<'_> {
    /// The relation that a statement of a kind writes to; MERGE is of all kinds.
    pub(super) fn target(
        &mut self,
        name: &ObjectName,
        alias: Option<&str>,
        kind: Option<Write>,
    ) -> Check<Target> {
        let Some(relation) = self.relation(name)? else {
            return self.unknown_relation(name);
        };
        let at = range(name.span());
        let columns = self.relation_columns(&relation, at.clone())?;
        let stored = self.rules(&relation, &columns, kind, &at)?;
        let functions = self.context.snapshot.functions();
        if may_set(self.context.snapshot, &relation) || functions.sets(&relation.name, true) {
            self.path_change = PathChange::Unknown;
        }
        let is_view = relation.protected
            && matches!(
                relation.kind,
                RelationKind::View | RelationKind::MaterializedView
            );
        let (relation, behind) = if is_view {
            let mut behind = all_behind(self.context.snapshot, &relation);
            for step in &behind {
                let columns = self.relation_columns(&step.relation, at.clone())?;
                self.rules(&step.relation, &columns, kind, &at)?;
            }
            (self.as_table(&relation, &columns), behind.pop())
        } else {
            (relation, None)
        };
        self.sight(&relation, &columns, alias.unwrap_or(&relation.name));
        let table = Table {
            name: alias.unwrap_or(&relation.name).to_owned(),
            schema: alias.is_none().then(|| relation.schema.clone()),
            columns: columns.into(),
            open: is_open(&relation),
            tells: Tells::of(&relation),
            other_row: false,
            stands_in: None,
        };
        Ok(Target {
            relation,
            table,
            behind,
            stored,
        })
    }

    /// A view as if it were a table with its columns.
    fn as_table(&self, view: &Relation, columns: &[Output]) -> Arc<Relation> {
        let mut table = view.clone();
        for (column, output) in table.columns.iter_mut().zip(columns) {
            column.id = self.id_of(output.node);
            column.derived |= column.id.is_none() && self.types.has_id(output.node);
        }
        Arc::new(table)
    }

    /// The id at a node, or those in the array there.
    fn id_of(&self, node: TypeVar) -> Option<IdColumn> {
        let (node, array) = match self.types.shape(node) {
            Shape::Array(element) => (element, true),
            _ => (node, false),
        };
        match self.types.shape(node) {
            Shape::Id(id) => Some(IdColumn { id, array }),
            _ => None,
        }
    }

    pub(super) fn target_column(&mut self, target: &Target, name: &ObjectName) -> Check<Column> {
        let column = last(name);
        if name.0.len() != 1 {
            return self.unsupported("a part of a column as a target", range(name.span()));
        }
        if let Some(found) = target.relation.column(&column) {
            let behind = self.tokens_from(range(name.span()).end).first();
            let is_part = behind.is_some_and(|token| token.written(self.text) == "[");
            if is_part && !found.json.is_empty() {
                let what = "changing a part of JSON with ids in it";
                return self.unsupported(what, range(name.span()));
            }
            return Ok(found.clone());
        }
        if !target.table.open {
            self.unknown_name.get_or_insert_with(|| column.clone());
        }
        let relation = &target.relation.name;
        let message = format!("column \"{column}\" of relation \"{relation}\" does not exist");
        Err(Box::new(
            Refusal::new(Code::UnknownName, "42703", message).at(range(name.span())),
        ))
    }

    /// The node of a column that a value goes into, and where that value is stored.
    pub(super) fn destination(
        &mut self,
        column: &Column,
        target: &Target,
        at: &Range<usize>,
    ) -> Check<(TypeVar, TargetColumn)> {
        // Through a view nobody sees what stands beside it.
        let tells = |relation: &Relation, by: &Column| {
            let mut columns = relation.columns.iter();
            columns.any(|of| of.polymorphic.as_ref().is_some_and(|of| of.by == by.name))
        };
        if let Some((relation, stored)) = target.place(column)
            && tells(relation, stored)
        {
            let refusal = hidden(&column.name, Because::Polymorphic);
            return Err(Box::new(refusal.at(at.clone())));
        }
        let node = self.column_node(&target.relation, column, at)?;
        if target.behind.is_some() && self.types.is_hidden(node).is_some() {
            let refusal = hidden(&column.name, Because::View);
            return Err(Box::new(refusal.at(at.clone())));
        }
        if let Some(stored) = target.by_rule(column) {
            return Ok((node, stored.clone()));
        }
        let (relation, stored) = target.place(column).unwrap_or((&target.relation, column));
        Ok((node, stored_in(self.context.snapshot, relation, stored)))
    }

    /// Whether a column is the one that defines a kind of id.
    pub(super) fn defines(&self, column: &Column, target: &Target) -> bool {
        let (relation, stored) = target.place(column).unwrap_or((&target.relation, column));
        self.context
            .snapshot
            .is_defining(relation.oid, stored.attnum)
    }
}
