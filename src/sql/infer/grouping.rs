//! Queries that group their rows by the key of a relation of the system for which a subquery stands.
//! Postgres lets them name its other columns too, as these depend on its key; the columns of a subquery
//! depend on nothing. So such a query groups by those that it names as well, which makes the same
//! groups.

use std::collections::HashSet;
use std::rc::Rc;

use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, Spanned, Value as SqlValue};

use crate::pg::oid;
use crate::sql::parse::range;
use crate::sql::plan::{Edit, Replacement};
use crate::sql::scope::{Found, Scope, Table};
use crate::sql::types::Shape;

use super::Binder;
use super::extent::Step;

/// The types of columns of catalogs that Postgres can't sort.
const UNSORTED: [u32; 4] = [
    oid::XID,
    oid::PG_NODE_TREE,
    oid::ACLITEM_ARRAY,
    oid::ANYARRAY,
];

/// What another query begins behind.
const SET_OPERATIONS: [&str; 3] = ["union", "intersect", "except"];

/// How the query that is read groups its rows.
#[derive(Debug, Default)]
pub(super) struct Grouping {
    /// The names of the columns by which it does so.
    pub(super) columns: Vec<String>,
    /// Whether it does so, by whatever.
    pub(super) is_there: bool,
}

impl Grouping {
    pub(super) fn of(group_by: &GroupByExpr) -> Self {
        let exprs = match group_by {
            GroupByExpr::Expressions(exprs, _) => exprs.as_slice(),
            GroupByExpr::All(_) => &[],
        };
        let name = |expr: &Expr| match expr {
            Expr::Identifier(column) => Some(column.value.clone()),
            Expr::CompoundIdentifier(parts) => parts.last().map(|column| column.value.clone()),
            _ => None,
        };
        Self {
            columns: exprs.iter().filter_map(name).collect(),
            is_there: !exprs.is_empty() || matches!(group_by, GroupByExpr::All(_)),
        }
    }
}

impl Binder<'_> {
    /// Groups the rows of the query whose FROM clause and SELECT list have been read by what depends on
    /// the keys by which they are grouped, as far as the query names it. A relation of which it names
    /// what can't be sorted is answered as it stands.
    pub(super) fn group_dependent(&mut self, select: &Select) {
        let GroupByExpr::Expressions(exprs, _) = &select.group_by else {
            return;
        };
        let (Some(first), Some(scope)) = (exprs.first(), self.scopes.last()) else {
            return;
        };
        let stand_ins = scope.tables().filter(|table| table.stands_in.is_some());
        let stand_ins: Vec<Rc<Table>> = stand_ins.cloned().collect();
        if stand_ins.is_empty() {
            return;
        }
        let grouped = exprs.iter().map(|expr| grouped_column(expr, select, scope));
        let grouped: HashSet<(String, String)> = grouped.flatten().collect();
        let mut by = self.token_before(range(first.span()).start);
        while self.is_written(&by, "(") {
            by = self.token_before(by.start);
        }
        let named = self.words_beside_from(select, by.end);
        let mut also = String::new();
        for table in stand_ins {
            self.types.spend(table.columns.len());
            let is_grouped = |column: &str| {
                let column = (table.name.clone(), column.to_owned());
                grouped.contains(&column)
            };
            let Some(of) = table
                .stands_in
                .filter(|of| self.has_key(*of, &table, is_grouped))
            else {
                continue;
            };
            let columns = table.columns.iter();
            let columns = columns.filter(|column| !is_grouped(&column.name));
            let is_whole = self.is_whole(of);
            let columns: Vec<_> = columns
                .filter(|column| is_whole || named.contains(column.name.as_str()))
                .collect();
            let is_sorted = |node| matches!(self.types.shape(node), Shape::Plain(oid) if !UNSORTED.contains(&oid));
            if columns.iter().all(|column| is_sorted(column.node)) {
                for column in columns {
                    also += &format!(" {}.{},", quoted(&table.name), quoted(&column.name));
                }
            } else {
                self.leave(of);
            }
        }
        if !also.is_empty() {
            let span = by.end..by.end;
            let with = Replacement::Text(also);
            self.replaced.push(Edit { span, with });
        }
    }

    /// The words of the SELECT list of a query and of all that comes behind a place in it.
    fn words_beside_from(&self, select: &Select, behind: usize) -> HashSet<String> {
        let list = range(select.select_token.0.span).end;
        let from = select.from.first().map(|item| range(item.span()).start);
        let from = from.filter(|from| *from > list).unwrap_or(behind);
        let goes_on = |step: &Step<'_>| step.written != ";" && !step.is_word(&SET_OPERATIONS);
        let steps = self.level(self.index_of(behind)).take_while(goes_on);
        let list = self.index_of(list)..self.index_of(from);
        let tokens = std::iter::once(list).chain(steps.map(|step| step.tokens));
        tokens
            .inspect(|tokens| self.types.spend(tokens.len()))
            .filter_map(|tokens| self.tokens.get(tokens))
            .flatten()
            .filter_map(|token| Some(token.word()?.to_owned()))
            .collect()
    }
}

/// The table and the column by which an item of GROUP BY groups: one of the tables' columns, or one of the
/// SELECT list by its number or name.
fn grouped_column(expr: &Expr, select: &Select, scope: &Scope) -> Option<(String, String)> {
    match expr {
        Expr::Nested(inner) => grouped_column(inner, select, scope),
        Expr::Identifier(name) => {
            if !matches!(scope.unqualified(&name.value), Found::Column(_)) {
                let item = select.projection.iter().find_map(|item| match item {
                    SelectItem::ExprWithAlias { expr, alias } if *alias == *name => Some(expr),
                    _ => None,
                });
                return column(item?, scope);
            }
            column(expr, scope)
        }
        Expr::Value(value) if let SqlValue::Number(digits, _) = &value.value => {
            let place = digits.parse::<usize>().ok()?.checked_sub(1)?;
            match select.projection.get(place)? {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                    column(expr, scope)
                }
                _ => None,
            }
        }
        _ => column(expr, scope),
    }
}

/// The table and the name of a column.
fn column(expr: &Expr, scope: &Scope) -> Option<(String, String)> {
    match expr {
        Expr::Nested(inner) => column(inner, scope),
        Expr::CompoundIdentifier(parts) => {
            let [.., table, column] = parts.as_slice() else {
                return None;
            };
            Some((table.value.clone(), column.value.clone()))
        }
        Expr::Identifier(name) => {
            let has = |table: &&Rc<Table>| table.columns.iter().any(|one| one.name == name.value);
            let mut tables = scope.tables().filter(has);
            let (table, None) = (tables.next()?, tables.next()) else {
                return None;
            };
            Some((table.name.clone(), name.value.clone()))
        }
        _ => None,
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
