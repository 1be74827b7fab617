//! The table behind a view that can be written to: what Postgres calls automatically updatable.
//! Whether a view is one is Postgres's to say; this only tells what it would be a view of.

use std::sync::Arc;

use sqlparser::ast::{Expr, Query, SelectItem, SetExpr, Statement, TableFactor};

use super::{lex, parse, split};
use crate::catalog::{Relation, RelationKind, Snapshot};

/// What a view selects from, and which column of that each of its columns is.
#[derive(Debug, Clone)]
pub(super) struct BaseRelation {
    /// A table or another view.
    pub(super) relation: Arc<Relation>,
    /// In the order of the view's columns; `None` for what is computed.
    pub(super) columns: Vec<Option<usize>>,
}

/// How many views may stand on each other.
const MAX_VIEWS: usize = 16;

/// The one relation that a view selects from.
pub(super) fn behind(snapshot: &Snapshot, view: &Relation) -> Option<BaseRelation> {
    if view.kind != RelationKind::View {
        return None;
    }
    let definition = view.definition.as_deref()?;
    let tokens = lex::lex(definition, true).ok()?;
    let range = split::split(definition, &tokens).into_iter().next()?;
    parse::with_tree(definition, tokens.get(range)?, |parsed| match parsed {
        Ok(Statement::Query(query)) => selected(snapshot, view, query),
        _ => None,
    })
}

fn selected(snapshot: &Snapshot, view: &Relation, query: &Query) -> Option<BaseRelation> {
    let SetExpr::Select(select) = query.body.as_ref() else {
        return None;
    };
    let [from] = select.from.as_slice() else {
        return None;
    };
    let TableFactor::Table {
        name, args: None, ..
    } = &from.relation
    else {
        return None;
    };
    if !from.joins.is_empty() {
        return None;
    }
    let names: Option<Vec<&str>> = name
        .0
        .iter()
        .map(|part| Some(part.as_ident()?.value.as_str()))
        .collect();
    let (schema, table) = match names?.as_slice() {
        [table] => (None, *table),
        [.., schema, table] => (Some(*schema), *table),
        [] => return None,
    };
    let path = snapshot.definition_path(&view.schema);
    let relation = Arc::clone(snapshot.resolve(schema, table, path)?);
    let column = |item: &SelectItem| {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else {
            return None;
        };
        let name = match expr {
            Expr::Identifier(name) => name,
            Expr::CompoundIdentifier(names) => names.last()?,
            _ => return None,
        };
        let mut columns = relation.columns.iter();
        columns.position(|column| column.name == name.value)
    };
    let columns: Vec<Option<usize>> = select.projection.iter().map(column).collect();
    (columns.len() == view.columns.len()).then_some(BaseRelation { relation, columns })
}

/// The views and the table that are written to with a view, from the nearest on. The columns of
/// each are those of the view.
pub(super) fn all_behind(snapshot: &Snapshot, view: &Relation) -> Vec<BaseRelation> {
    let mut all: Vec<BaseRelation> = Vec::new();
    while all.len() < MAX_VIEWS {
        let Some(last) = all.last() else {
            match behind(snapshot, view) {
                Some(first) => all.push(first),
                None => break,
            }
            continue;
        };
        let Some(mut next) = behind(snapshot, &last.relation) else {
            break;
        };
        let through = |column: &Option<usize>| next.columns.get((*column)?).copied().flatten();
        next.columns = last.columns.iter().map(through).collect();
        all.push(next);
    }
    all
}

/// The table whose rows the views of this name let through, if all of them are of one table.
#[must_use]
pub(crate) fn table_behind<'s>(snapshot: &'s Snapshot, name: &str) -> Option<&'s Relation> {
    let views = snapshot.named(name);
    let views = views.filter(|view| view.kind == RelationKind::View);
    let mut tables = views.map(|view| all_behind(snapshot, view).pop());
    let table = tables.next()??.relation;
    let is_same =
        |other: Option<BaseRelation>| other.is_some_and(|other| other.relation.oid == table.oid);
    (table.kind == RelationKind::Table && tables.all(is_same))
        .then(|| snapshot.relation(table.oid).map(|table| &**table))?
}
