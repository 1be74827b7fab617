//! Columns that are the parts of one text, or the elements of one array of text, as in
//! `FROM unnest($1::text[]) AS x WHERE t.id = x::uuid`, of functions in FROM or in the SELECT list of
//! a query there. Like other columns of text they stand apart
//! where the statement casts them, and then can be cast and nothing else.

use std::ops::Range;

use sqlparser::ast::Expr;

use crate::catalog::KeyType;
use crate::sql::scope::Output;
use crate::sql::types::{Shape, TEXT, TypeVar};

use super::super::cast::{Target, text_array_leaf, unnested};
use super::super::{Binder, Check, List};

/// How a column is made of one value.
#[derive(Debug, Clone)]
pub(super) enum Rows {
    /// It is the elements of an array of this type, each of which a cast reads by itself.
    Elements(KeyType),
    /// It is the parts of a text.
    Parts(Box<List>),
}

impl Binder<'_> {
    /// The column of a function in FROM that takes an array apart, whose elements are of this type.
    pub(in super::super) fn column_of_elements(
        &mut self,
        array: &Expr,
        element: TypeVar,
    ) -> TypeVar {
        if self.types.in_definition {
            return element;
        }
        if let Some(list) = self.taken_apart(array) {
            return self.column_of_parts(list, element);
        }
        let Shape::Typed(of) = self.types.shape(element) else {
            return element;
        };
        if let Some(leaf) = text_array_leaf(array).filter(|_| of.is_text()) {
            self.note_rows(element, vec![leaf], Rows::Elements(of));
        }
        element
    }

    /// The column of a function in FROM that takes a text apart.
    pub(in super::super) fn column_of_parts(&mut self, list: List, column: TypeVar) -> TypeVar {
        if !self.types.in_definition {
            let leaves = list.leaves.clone();
            self.note_rows(column, leaves, Rows::Parts(Box::new(list)));
        }
        column
    }

    /// An item of a SELECT list, which may be such a column of the query.
    pub(in super::super) fn item_of_rows(&mut self, expr: &Expr, node: TypeVar) -> TypeVar {
        if self.types.in_definition || !matches!(unnested(expr), Expr::Function(_)) {
            return node;
        }
        if let Some(list) = self.elements_taken_apart(expr, node) {
            let column = self.types.native(TEXT);
            return self.column_of_parts(list, column);
        }
        if let Shape::Typed(of) = self.types.shape(node)
            && let Some(leaf) = self.elements_of_text(expr).filter(|_| of.is_text())
        {
            self.note_rows(node, vec![leaf], Rows::Elements(of));
        }
        node
    }

    /// Forgets what is known of the columns of a query that does something to its rows.
    pub(super) fn forget_rows(&mut self, columns: &[Output]) {
        for column in columns {
            if self.texts.rows.remove(&column.node).is_some() {
                self.texts.columns.remove(&column.node);
            }
        }
    }

    fn note_rows(&mut self, column: TypeVar, leaves: Vec<Range<usize>>, rows: Rows) {
        self.texts.columns.insert(column, leaves);
        self.texts.rows.insert(column, rows);
    }

    /// Lets the column that a function in FROM makes stand apart if the statement casts it.
    pub(in super::super) fn set_rows_apart(&mut self, columns: &mut [Output]) {
        if !self.texts.rows.is_empty() {
            self.set_text_columns_apart(columns);
        }
    }

    /// A cast of such a column to a type that ids are shown as: what the expression is then, which is
    /// nothing new as long as the column does not stand apart.
    pub(super) fn cast_row(
        &mut self,
        inner: &Expr,
        target: &Target,
    ) -> Check<Option<Option<TypeVar>>> {
        let column = self.text_column(inner);
        let Some((node, leaves)) = column.filter(|(node, _)| self.texts.rows.contains_key(node))
        else {
            return Ok(None);
        };
        let leaves = leaves.to_vec();
        if !self.texts.apart.contains(&node) || target.array {
            let starts = leaves.iter().map(|leaf| leaf.start);
            self.texts.cast.extend(starts);
            return Ok(Some(None));
        }
        self.reading_apart(|binder| binder.expr(inner))?;
        let element = self.types.node(Shape::Typed(target.key_type));
        let whole = self.types.node(Shape::Array(element));
        let is_first = |leaf: &Range<usize>| !self.texts.read.contains(&leaf.start);
        if leaves.iter().all(is_first) {
            match self.texts.rows.get(&node).cloned() {
                Some(Rows::Elements(of)) => {
                    let starts = leaves.iter().map(|leaf| (leaf.start, of));
                    self.text_arrays.extend(starts);
                }
                Some(Rows::Parts(list)) => self.lists.push(List {
                    element: Some(element),
                    ..*list
                }),
                None => {}
            }
        }
        self.read_leaves_as(&leaves, whole);
        self.name_element(element, target.clone());
        Ok(Some(Some(element)))
    }
}
