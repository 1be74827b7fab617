//! Rows of tables that are used as one value: `u` in `SELECT (u).id FROM users u`.

use std::ops::Range;
use std::rc::Rc;

use sqlparser::ast::{AccessExpr, Expr, Ident};

use crate::catalog::Oid;
use crate::sql::scope::{Output, Table, Tells};
use crate::sql::types::{Because, Shape, TypeVar};

use super::span::span_of;
use super::{Binder, Check, Row};

impl Binder<'_> {
    /// The row of a table. Its members are known by name as long as it stays this value.
    pub(super) fn row(&mut self, table: Rc<Table>, span: Range<usize>) -> TypeVar {
        if let Some(only) = table.columns.only()
            && self.scalars.contains(&only.node)
        {
            return self.types.instantiate(only.node);
        }
        self.types.spend(table.columns.len());
        let fields: Vec<TypeVar> = table.columns.iter().map(|column| column.node).collect();
        let node = match fields.as_slice() {
            // The only result of a function may be the row itself.
            [only] if table.other_row && self.types.has_id(*only) => {
                self.types.hidden(Because::Built)
            }
            _ => self.record(fields),
        };
        self.note_row(node, span, table);
        node
    }

    /// Takes down that a row is that of a table.
    pub(super) fn note_row(&mut self, node: TypeVar, span: Range<usize>, table: Rc<Table>) {
        let place = self.rows.len();
        let head = self.types.head(node);
        self.row_of.entry(head).or_insert(place);
        self.rows.push(Row { node, span, table });
    }

    /// A column whose values are rows of a relation, or arrays of them.
    pub(super) fn row_column(&mut self, of: Oid, array: bool, at: &Range<usize>) -> Check<TypeVar> {
        let snapshot = self.context.snapshot;
        let Some(relation) = snapshot.relation(of) else {
            return Ok(self.types.hidden(Because::Built));
        };
        let columns = self.nested(|binder| binder.relation_columns(relation, at.clone()))?;
        let row = self.known_members(columns, at.clone());
        Ok(if array {
            self.types.node(Shape::Array(row))
        } else {
            row
        })
    }

    /// A row with these members, which is not that of a table in a FROM clause.
    pub(super) fn known_members(&mut self, columns: Vec<Output>, span: Range<usize>) -> TypeVar {
        let table = Table {
            name: String::new(),
            schema: None,
            columns: columns.into(),
            open: false,
            tells: Tells::Order,
            other_row: true,
            stands_in: None,
        };
        let fields = table.columns.iter().map(|column| column.node).collect();
        let node = self.record(fields);
        self.note_row(node, span, Rc::new(table));
        node
    }

    /// The members of a row, if it is the row of a table or made of values, which have no names of
    /// their own.
    fn members(&self, row: TypeVar) -> Option<Vec<Output>> {
        let Shape::Record(fields) = self.types.shape(row) else {
            return None;
        };
        self.types.spend(fields.len());
        let place = self.row_of.get(&self.types.head(row));
        let Some(known) = place.and_then(|place| self.rows.get(*place)) else {
            let members = fields.iter().enumerate();
            let named = members.map(|(index, &node)| Output {
                name: format!("f{}", index + 1),
                node,
            });
            return Some(named.collect());
        };
        if known.table.open {
            return None;
        }
        let members = known.table.columns.iter().zip(fields.iter().copied());
        Some(
            members
                .map(|(column, node)| Output {
                    name: column.name.clone(),
                    node,
                })
                .collect(),
        )
    }

    /// The members of a row whose type gives them names.
    pub(super) fn named_members(&self, row: TypeVar) -> Option<Vec<Output>> {
        let place = self.row_of.get(&self.types.head(row))?;
        let is_closed = self.rows.get(*place).is_some_and(|row| !row.table.open);
        self.members(row).filter(|_| is_closed)
    }

    /// `(row).field`
    pub(super) fn member(&mut self, row: TypeVar, field: &Ident) -> Option<TypeVar> {
        let members = self.members(row)?;
        let found = members.iter().find(|member| member.name == field.value)?;
        Some(self.types.instantiate(found.node))
    }

    /// `(row).*` in a SELECT list; `None` if the item is something else.
    pub(super) fn all_members(&mut self, expr: &Expr) -> Option<Check<Vec<Output>>> {
        let Expr::CompoundFieldAccess { root, access_chain } = expr else {
            return None;
        };
        let [AccessExpr::Dot(Expr::Identifier(star))] = access_chain.as_slice() else {
            return None;
        };
        if star.value != "*" || !matches!(root.as_ref(), Expr::Nested(_)) {
            return None;
        }
        let row = self.expr(root);
        self.takes_members(root);
        Some(row.and_then(|row| match self.members(row) {
            Some(members) => Ok(members),
            // The row of a function of the system, for instance.
            None if self.is_without_keys(row) => Ok(vec![Output::rest(row)]),
            None => self.unsupported("the members of a row", span_of(root)),
        }))
    }

    /// `t.column[1]`, which sqlparser takes for a member of `t`: the column, and how much of the
    /// chain is its name.
    pub(super) fn subscripted_column(
        &mut self,
        root: &Expr,
        chain: &[AccessExpr],
    ) -> Option<(Check<TypeVar>, usize)> {
        let Expr::Identifier(first) = root else {
            return None;
        };
        let rest = chain.iter().map_while(|access| match access {
            AccessExpr::Dot(Expr::Identifier(ident)) if ident.value != "*" => Some(ident.clone()),
            AccessExpr::Dot(_) | AccessExpr::Subscript(_) => None,
        });
        let idents: Vec<Ident> = std::iter::once(first.clone()).chain(rest).collect();
        let length = idents.len() - 1;
        (length > 0).then(|| (self.compound(&idents), length))
    }
}
