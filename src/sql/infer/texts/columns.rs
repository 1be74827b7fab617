//! Columns of queries that are text because of nothing but literals and parameters without a type, as
//! in `FROM (VALUES ($1, $2)) AS v(id, name) WHERE t.id = v.id::uuid`.
//!
//! What a column is read as is only known behind the query that has it. So a statement is walked
//! once more if it casts such columns: in that walk they stand apart, and can be cast and compared with
//! constants without ids, and nothing else. If that is all the statement does with them, their values
//! are text of ids; if it is not, the first walk holds.

use std::collections::HashSet;
use std::ops::Range;

use sqlparser::ast::{
    BinaryOperator, DataType, Distinct, Expr, GroupByExpr, Query, SetExpr, SetOperator,
    SetQuantifier, UnaryOperator,
};

use crate::sql::scope::{Found, Output};
use crate::sql::types::{Because, Shape, TEXT, TypeVar};

use super::super::cast::{Target, unnested};
use super::super::span::end_of;
use super::super::tag_comparison::free_constant;
use super::super::value_sites::is_bare;
use super::super::{Binder, Check, TypeName, Value};
use super::TextLeaves;

impl Binder<'_> {
    /// Takes down which columns of a query are such, and where their values stand.
    pub(in super::super) fn note_text_columns(&mut self, query: &Query, outputs: &[Output]) {
        if self.types.in_definition || !is_bare(query) || !keeps_rows(&query.body) {
            self.forget_rows(outputs);
            return;
        }
        for output in outputs {
            let may_be_text = match self.types.shape(output.node) {
                Shape::Unknown => true,
                Shape::Typed(of) => of.is_text(),
                _ => false,
            };
            if !may_be_text || self.types.stored(output.node).is_some() {
                continue;
            }
            self.types.spend(self.occurrences.len());
            let head = self.types.head(output.node);
            let values = self.occurrences.iter();
            let values = values.filter(|value| self.types.head(value.node) == head);
            let mut leaves = values.map(|value| value.span.clone()).peekable();
            if leaves.peek().is_some() {
                let leaves = leaves.collect();
                self.texts.columns.insert(output.node, leaves);
            }
        }
    }

    /// Lets those of the columns stand apart that the statement casts.
    pub(in super::super) fn set_text_columns_apart(&mut self, columns: &mut [Output]) {
        if self.texts.cast.is_empty() {
            return;
        }
        for column in columns {
            let leaves = self.texts.columns.get(&column.node);
            let is_cast = |leaf: &Range<usize>| self.texts.cast.contains(&leaf.start);
            let Some(leaves) = leaves.filter(|leaves| leaves.iter().any(is_cast)) else {
                continue;
            };
            let leaves = leaves.clone();
            let rows = self.texts.rows.get(&column.node).cloned();
            column.node = self.types.hidden(Because::Built).via(column.node.origin());
            self.texts.columns.insert(column.node, leaves);
            if let Some(rows) = rows {
                self.texts.rows.insert(column.node, rows);
            }
            self.texts.apart.insert(column.node);
        }
    }

    /// Such a column, where one that stands apart may be read.
    pub(in super::super) fn read_apart(&mut self, node: TypeVar) -> Option<TypeVar> {
        let is_read = self.texts.reading > 0 && self.texts.apart.contains(&node);
        is_read.then(|| self.types.native(TEXT))
    }

    /// Such a column that stands apart and is all of an expression: as a result column it still does.
    pub(in super::super) fn handed_on(&self, expr: &Expr) -> Option<TypeVar> {
        if self.texts.apart.is_empty() {
            return None;
        }
        let (node, _) = self.text_column(expr)?;
        self.texts.apart.contains(&node).then_some(node)
    }

    /// The column that an expression names, if it is such, and where its values stand.
    pub(super) fn text_column(&self, expr: &Expr) -> Option<(TypeVar, &[Range<usize>])> {
        let found = match unnested(expr) {
            Expr::Identifier(column) => self.scopes.unqualified(&column.value),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, column] => self.scopes.qualified(None, &table.value, &column.value),
                _ => return None,
            },
            _ => return None,
        };
        match found {
            Found::Column(node) => Some((node, self.texts.columns.get(&node)?)),
            _ => None,
        }
    }

    /// A cast of such columns to a type that ids are shown as.
    pub(in super::super) fn cast_text_column(
        &mut self,
        inner: &Expr,
        data_type: &DataType,
    ) -> Check<Option<TypeVar>> {
        if self.texts.columns.is_empty() {
            return Ok(None);
        }
        let target = self.cast_target(|| end_of(inner), data_type);
        let Some(target) = target.filter(|target| !target.key_type.is_text()) else {
            return Ok(None);
        };
        if let Some(element) = self.cast_row(inner, &target)? {
            return Ok(element);
        }
        let mut read = TextLeaves::default();
        if !read.read_in(Some(self), inner) || read.columns.is_empty() {
            return Ok(None);
        }
        let is_apart = |column: &TypeVar| self.texts.apart.contains(column);
        if !read.columns.iter().all(is_apart) {
            let leaves = read.leaves.iter().map(|leaf| leaf.start);
            self.texts.cast.extend(leaves);
            return Ok(None);
        }
        self.reading_apart(|binder| binder.expr(inner))?;
        self.folded.extend(&read.folded);
        self.change_text(&read);
        let element = self.types.node(Shape::Typed(target.key_type));
        let whole = match target.array {
            true => self.types.node(Shape::Array(element)),
            false => element,
        };
        self.read_leaves_as(&read.leaves, whole);
        self.name_element(element, target);
        Ok(Some(whole))
    }

    /// Gives the values of such columns the type that a cast reads from their text.
    pub(super) fn read_leaves_as(&mut self, leaves: &[Range<usize>], whole: TypeVar) {
        let starts: HashSet<usize> = leaves.iter().map(|leaf| leaf.start).collect();
        self.types.spend(self.occurrences.len());
        for value in &mut self.occurrences {
            let start = value.span.start;
            if !starts.contains(&start) {
                continue;
            }
            if let Value::Parameter { textual, .. } = &mut value.value {
                *textual = true;
            }
            // What a cast before has read it as, it is here too.
            if self.texts.read.insert(start) || self.types.unify(value.node, whole).is_err() {
                value.node = whole;
            }
        }
    }

    pub(super) fn name_element(&mut self, element: TypeVar, target: Target) {
        self.name_type(TypeName {
            node: element,
            span: target.span,
            named: target.key_type,
            length: target.length,
            alias: None,
        });
    }

    /// A comparison of such a column with constants without ids.
    pub(in super::super) fn compare_text_column(&mut self, expr: &Expr) -> Check<Option<TypeVar>> {
        let mut compared = Compared::default();
        if self.texts.apart.is_empty()
            || self.texts.reading > 0
            || !compared.is_comparison(self, expr)
            || compared.leaves.is_empty()
        {
            return Ok(None);
        }
        for leaf in &compared.leaves {
            self.keep_in_text(leaf.start, &compared.constants);
        }
        self.reading_apart(|binder| binder.nested(|binder| binder.expr_here(expr)))
            .map(Some)
    }

    pub(super) fn reading_apart<T>(
        &mut self,
        walk: impl FnOnce(&mut Self) -> Check<T>,
    ) -> Check<T> {
        self.texts.reading += 1;
        let result = walk(self);
        self.texts.reading -= 1;
        result
    }
}

/// What columns that stand apart are compared with.
#[derive(Debug, Default)]
struct Compared {
    /// Where their values stand.
    leaves: Vec<Range<usize>>,
    /// The constants without ids.
    constants: Vec<String>,
}

impl Compared {
    /// Whether an expression compares such a column with constants without ids, or with NULL.
    fn is_comparison(&mut self, binder: &Binder<'_>, expr: &Expr) -> bool {
        match expr {
            Expr::Nested(inner) => self.is_comparison(binder, inner),
            Expr::UnaryOp {
                op: UnaryOperator::Not,
                expr,
            } => self.is_comparison(binder, expr),
            Expr::IsNull(column) | Expr::IsNotNull(column) => {
                let found = binder.text_column(column);
                let leaves = found.map_or(&[][..], |(_, leaves)| leaves);
                self.leaves.extend_from_slice(leaves);
                found.is_some()
            }
            Expr::BinaryOp {
                left,
                op: BinaryOperator::And | BinaryOperator::Or,
                right,
            } => self.is_comparison(binder, left) && self.is_comparison(binder, right),
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Eq | BinaryOperator::NotEq,
                right,
            }
            | Expr::IsDistinctFrom(left, right)
            | Expr::IsNotDistinctFrom(left, right) => {
                self.is_column(binder, left) && self.is_constant(right)
                    || self.is_column(binder, right) && self.is_constant(left)
            }
            Expr::InList { expr, list, .. } => {
                self.is_column(binder, expr) && list.iter().all(|one| self.is_constant(one))
            }
            _ => false,
        }
    }

    fn is_column(&mut self, binder: &Binder<'_>, expr: &Expr) -> bool {
        let Some((node, leaves)) = binder.text_column(expr) else {
            return false;
        };
        if binder.texts.rows.contains_key(&node) {
            return false;
        }
        self.leaves.extend_from_slice(leaves);
        true
    }

    fn is_constant(&mut self, expr: &Expr) -> bool {
        let constant = free_constant(expr);
        let is_constant = constant.is_some();
        self.constants.extend(constant);
        is_constant
    }
}

/// Whether the branches of a CASE hang on nothing but comparisons of such columns with constants.
pub(super) fn hangs_on_constants(
    binder: &Binder<'_>,
    operand: Option<&Expr>,
    condition: &Expr,
) -> bool {
    let mut compared = Compared::default();
    match operand {
        Some(operand) => compared.is_column(binder, operand) && compared.is_constant(condition),
        None => compared.is_comparison(binder, condition),
    }
}

/// Whether each row of a query is one that is written there, whatever its values are.
fn keeps_rows(body: &SetExpr) -> bool {
    match body {
        SetExpr::Values(_) => true,
        SetExpr::Select(select) => {
            matches!(select.distinct, None | Some(Distinct::All))
                && select.having.is_none()
                && matches!(&select.group_by, GroupByExpr::Expressions(by, _) if by.is_empty())
        }
        SetExpr::Query(query) => is_bare(query) && keeps_rows(&query.body),
        SetExpr::SetOperation {
            op: SetOperator::Union,
            set_quantifier: SetQuantifier::All,
            left,
            right,
        } => keeps_rows(left) && keeps_rows(right),
        _ => false,
    }
}
