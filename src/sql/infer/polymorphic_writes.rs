//! What is stored in columns with keys of several domains: an id together with the value beside it
//! that tells of which domain it is. Neither is changed alone, or a key of one table would become one
//! of another.

use std::ops::Range;
use std::sync::Arc;

use sqlparser::ast::{Assignment, AssignmentTarget, Expr, SelectItem, SetExpr, Value as SqlValue};

use crate::catalog::{Column, IdColumn, IdType, KeyType, Polymorphic};
use crate::pg::oid;
use crate::sql::plan::{TargetColumn, When};
use crate::sql::refusal::Refusal;
use crate::sql::scope::{Found, Output};
use crate::sql::types::Because;

use super::column_name::last;
use super::dml::is_default;
use super::polymorphic::{bare, constant, is_of_the_client, kind_of};
use super::polymorphic_text::{condition, joined, quoted, string};
use super::span::span_of;
use super::tag::text;
use super::target::Target;
use super::value::hidden;
use super::{Binder, Check, Occurrence, TagPart, Value};

/// What stands beside a value that is to be stored in such a column.
enum Beside {
    /// A constant that means a domain.
    Kind(IdType),
    /// The client's parameter of this index, at these bytes.
    Parameter(usize, Range<usize>),
    /// The value is something else.
    Unknown,
}

impl Binder<'_> {
    /// Stores a value in such a column; `by`: what is stored beside it.
    pub(super) fn assign_polymorphic(
        &mut self,
        (expr, by): (&Expr, Option<&Expr>),
        (column, of): (&Column, &Arc<Polymorphic>),
        target: &Target,
    ) -> Check<()> {
        if is_null(expr) {
            return Ok(());
        }
        match self.beside(of, by) {
            Beside::Kind(id) => self.assign_as(id, expr, column, target),
            Beside::Parameter(index, at) if !self.is_stored() && !self.explained => {
                self.assign_each((expr, index, at), (column, of), target)
            }
            Beside::Parameter(..) | Beside::Unknown => Err(unknown_beside(column, of, expr)),
        }
    }

    /// What a value is beside which a key is stored.
    fn beside(&self, of: &Polymorphic, by: Option<&Expr>) -> Beside {
        let Some(by) = by else {
            return Beside::Unknown;
        };
        if let Some(value) = constant(by) {
            let kind = kind_of(of, &value);
            return kind.map_or(Beside::Unknown, |kind| Beside::Kind(kind.id));
        }
        let Expr::Value(value) = bare(by) else {
            return Beside::Unknown;
        };
        let SqlValue::Placeholder(name) = &value.value else {
            return Beside::Unknown;
        };
        let number = name
            .strip_prefix('$')
            .and_then(|digits| digits.parse().ok());
        let Some(number @ 1..=65_535) = number else {
            return Beside::Unknown;
        };
        let index: usize = number - 1;
        let declared = self.context.declared.get(index).copied().unwrap_or(0);
        let is_plain = matches!(declared, 0 | oid::UNKNOWN) || declared == of.by_type;
        match is_plain {
            true => Beside::Parameter(index, span_of(bare(by))),
            false => Beside::Unknown,
        }
    }

    /// Stores a value as the id of a domain.
    fn assign_as(
        &mut self,
        id: IdType,
        expr: &Expr,
        column: &Column,
        target: &Target,
    ) -> Check<()> {
        let node = self.expr(expr)?;
        self.assign_to(node, &of_kind(column, id), target, Some(expr))
    }

    /// Stores a parameter as the id of whatever domain another parameter says.
    fn assign_each(
        &mut self,
        (expr, by, by_at): (&Expr, usize, Range<usize>),
        (column, of): (&Column, &Arc<Polymorphic>),
        target: &Target,
    ) -> Check<()> {
        let extent = self.extent_of_operation(expr);
        let (Some((first, others)), Some(extent)) = (of.kinds.split_first(), extent) else {
            return Err(unknown_beside(column, of, expr));
        };
        let place = self.occurrences.len();
        if !is_of_the_client(expr) {
            return Err(unknown_beside(column, of, expr));
        }
        self.assign_as(first.id, expr, column, target)?;
        let is_parameter = |one: &Occurrence| matches!(one.value, Value::Parameter { .. });
        if self.occurrences.len() != place + 1 || !self.occurrences.last().is_some_and(is_parameter)
        {
            return Err(unknown_beside(column, of, expr));
        }
        let number = KeyType::from_oid(of.by_type).is_some_and(|(by, _)| by.is_integer());
        let when = |values: &[String]| When {
            source: by,
            number,
            values: values.to_vec(),
            others: (of.kinds.iter().flat_map(|kind| &kind.values))
                .filter(|value| !values.contains(value))
                .cloned()
                .collect(),
        };
        let open = self.beside_is(first, (by, &by_at), of);
        let mut close = Vec::new();
        for kind in others {
            close.extend(self.beside_is(kind, (by, &by_at), of));
            let at = span_of(expr);
            let (node, stored) = self.destination(&of_kind(column, kind.id), target, &at)?;
            close.push(self.again_as(place, node));
            close.push(text(&format!("::{}", kind.id.key_type.sql())));
            self.types.store(node, &stored);
            if let Some(again) = self.occurrences.last_mut() {
                again.when = Some(when(&kind.values));
            }
        }
        if let Some(once) = self.occurrences.get_mut(place) {
            once.when = Some(when(&first.values));
        }
        let mut head = vec![text("CASE")];
        head.extend(open);
        close.push(text(" END"));
        self.keeping_tags(|binder| binder.enclose(&extent, joined(head), joined(close)));
        Ok(())
    }

    /// Stores a value of the client's as the id of whatever domain the changed row says. It is read
    /// once for each domain, and is NULL where it is an id of another one; a row of that other one
    /// is an error then.
    fn assign_by_row(
        &mut self,
        expr: &Expr,
        (column, of): (&Column, &Arc<Polymorphic>),
        target: &Target,
    ) -> Check<()> {
        let refused = || unknown_beside(column, of, expr);
        let by = self.beside_in_row(column, of, target).ok_or_else(refused)?;
        let extent = self.extent_of_operation(expr).ok_or_else(refused)?;
        let first = self.occurrences.len();
        let ids: Vec<IdType> = of.kinds.iter().map(|kind| kind.id).collect();
        let mut values = Vec::new();
        for (number, id) in ids.iter().enumerate() {
            let column = of_kind(column, *id);
            let node = match number {
                0 => Some(self.expr(expr)?),
                _ => None,
            };
            let (wanted, stored) = self.destination(&column, target, &span_of(expr))?;
            let others = ids.iter().filter(|other| *other != id).copied().collect();
            let stored = TargetColumn { others, ..stored };
            let place = match node {
                Some(node) => {
                    self.assign(node, (wanted, &column), &stored, Some(expr))?;
                    TagPart::Again(first)
                }
                None => {
                    let again = self.again_as(first, wanted);
                    self.types.store(wanted, &stored);
                    again
                }
            };
            values.push(place);
        }
        if self.occurrences.len() != first + ids.len() {
            return Err(refused());
        }
        let cast = |key_type: KeyType| match of.written {
            true => format!("::{}::pg_catalog.text", key_type.sql()),
            false => format!("::{}", key_type.sql()),
        };
        let (mut open, mut close) = (vec![text("CASE")], Vec::new());
        let mut none = vec![text(" WHEN ")];
        for (number, (kind, value)) in of.kinds.iter().zip(values).enumerate() {
            let sql = cast(kind.id.key_type);
            let mut test = vec![
                text(&format!(" WHEN {} AND ", condition(&by, of, kind))),
                value.clone(),
                text(&format!("{sql} IS NOT NULL THEN ")),
            ];
            if number > 0 {
                close.append(&mut test);
                close.push(value.clone());
                none.push(text(" AND "));
            } else {
                open.append(&mut test);
                open.push(text("("));
                close.push(text(")"));
            }
            close.push(text(&sql));
            none.extend([value, text(&format!("{sql} IS NULL"))]);
        }
        close.append(&mut none);
        close.push(text(&format!(
            " THEN NULL ELSE CASE WHEN {} IS NULL THEN NULL{} END END",
            other_kind(&column.name, &by),
            of.kinds
                .first()
                .map_or_else(String::new, |kind| cast(kind.id.key_type))
        )));
        self.keeping_tags(|binder| binder.enclose(&extent, joined(open), joined(close)));
        Ok(())
    }

    /// The name of what stands beside a column in the row that is changed.
    fn beside_in_row(&self, column: &Column, of: &Polymorphic, target: &Target) -> Option<String> {
        if self.is_stored() || self.explained {
            return None;
        }
        let own = |name: &str| {
            let mut columns = target.table.columns.iter();
            columns.find(|own| own.name == name).map(|own| own.node)
        };
        self.polymorphic.get(&own(&column.name)?)?;
        let found = self.scopes.qualified(None, &target.table.name, &of.by);
        let by = own(&of.by)?;
        let is_it = matches!(found, Found::Column(node) if node == by);
        let (table, by) = (quoted(&target.table.name), quoted(&of.by));
        is_it.then(|| format!("{table}.{by}"))
    }

    /// `WHEN $2 = 'Post' THEN`
    fn beside_is(
        &mut self,
        kind: &crate::catalog::PolymorphicKind,
        (index, at): (usize, &Range<usize>),
        of: &Polymorphic,
    ) -> Vec<TagPart> {
        let node = self.types.native(of.by_type);
        let value = Value::Parameter {
            index,
            textual: false,
        };
        self.occurrences.push(Occurrence {
            again: true,
            ..Occurrence::new(node, at.clone(), value)
        });
        let again = self.occurrences.len() - 1;
        // Each test names the parameter anew.
        let sign = "\u{1}";
        let tests = condition(sign, of, kind);
        let by_type = KeyType::from_oid(of.by_type).map_or("text", |(by, _)| by.sql());
        let mut parts = vec![text(" WHEN ")];
        for (number, part) in tests.split(sign).enumerate() {
            if number > 0 {
                parts.push(text("CAST("));
                parts.push(TagPart::Again(again));
                parts.push(text(&format!(" AS {by_type})")));
            }
            parts.push(text(part));
        }
        parts.push(text(" THEN "));
        parts
    }

    /// The assignments of UPDATE to such columns and to those that tell of them. Says which columns
    /// have been seen to.
    pub(super) fn polymorphic_assignments(
        &mut self,
        assignments: &[Assignment],
        target: &Target,
    ) -> Check<Vec<String>> {
        let columns: Vec<Column> = target.relation.columns.clone();
        let mut done = Vec::new();
        for column in &columns {
            let Some(of) = &column.polymorphic else {
                continue;
            };
            let key = assigned(assignments, &column.name);
            let by = assigned(assignments, &of.by);
            for assignment in assignments {
                if let AssignmentTarget::Tuple(names) = &assignment.target
                    && names
                        .iter()
                        .map(last)
                        .any(|n| n == column.name || n == of.by)
                {
                    return Err(unknown_beside(column, of, &assignment.value));
                }
            }
            let known = target
                .table
                .columns
                .iter()
                .find(|own| own.name == column.name);
            let known = known.and_then(|own| self.polymorphic.get(&own.node));
            let fixed = known.and_then(|sighted| sighted.fixed);
            match (key, by) {
                (None, None) => {}
                (Some(key), _) if is_null(key) => done.push(column.name.clone()),
                (Some(key), Some(by)) => {
                    if !self.moves_together((key, by), of) {
                        self.assign_polymorphic((key, Some(by)), (column, of), target)?;
                    }
                    done.push(column.name.clone());
                }
                (Some(key), None) => {
                    match fixed {
                        Some(id) => self.assign_as(id, key, column, target)?,
                        None if is_of_the_client(key) => {
                            self.assign_by_row(key, (column, of), target)?;
                        }
                        None => return Err(unknown_beside(column, of, key)),
                    }
                    done.push(column.name.clone());
                }
                (None, Some(by)) => {
                    let is_same = match self.beside(of, Some(by)) {
                        Beside::Kind(id) => fixed == Some(id),
                        Beside::Parameter(..) | Beside::Unknown => is_null(by),
                    };
                    if !is_same {
                        return Err(unknown_beside(column, of, by));
                    }
                }
            }
        }
        Ok(done)
    }

    /// Whether a key and what stands beside it come from one row of such a table.
    fn moves_together(&self, (key, by): (&Expr, &Expr), of: &Arc<Polymorphic>) -> bool {
        let (Expr::CompoundIdentifier(key), Expr::CompoundIdentifier(by)) = (key, by) else {
            return false;
        };
        let ([table, key], [other, by]) = (key.as_slice(), by.as_slice()) else {
            return false;
        };
        let found = self.scopes.qualified(None, &table.value, &key.value);
        let Found::Column(node) = found else {
            return false;
        };
        let sighted = self.polymorphic.get(&node);
        table.value == other.value
            && by.value == of.by
            && sighted.is_some_and(|sighted| sighted.of == *of)
    }

    /// The values of a query that are stored in such a column.
    pub(super) fn assign_polymorphic_output(
        &mut self,
        (source, output): (&SetExpr, &Output),
        (column, of): (&Column, &Arc<Polymorphic>),
        (columns, target): (&[Column], &Target),
    ) -> Check<()> {
        let place = columns.iter().position(|beside| beside.name == of.by);
        let by = match source {
            SetExpr::Select(select) => {
                let is_plain = select.projection.iter().all(|item| {
                    matches!(
                        item,
                        SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }
                    )
                });
                place
                    .filter(|_| is_plain)
                    .and_then(|place| match select.projection.get(place)? {
                        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                            Some(expr)
                        }
                        _ => None,
                    })
            }
            _ => None,
        };
        let Beside::Kind(id) = self.beside(of, by) else {
            return Err(Box::new(
                hidden(&column.name, Because::Polymorphic).hint(REMEDY),
            ));
        };
        self.assign_to(output.node, &of_kind(column, id), target, None)
    }
}

const REMEDY: &str = "Store it together with the value beside it that tells of which kind it is, a \
                      constant or a parameter that the configuration names.";

/// What fails when it is evaluated: Postgres has no other way to raise an error in an expression.
/// It depends on the row, so that it is not evaluated before.
fn other_kind(column: &str, by: &str) -> String {
    let message = format!("pgveil: in column {column} an id of another kind than the row tells");
    let message = string(&message);
    format!(
        "pg_catalog.concat({message}, pg_catalog.\"left\"({by}::pg_catalog.text, 0))\
         ::pg_catalog.int8"
    )
}

/// The refusal to store what nobody can tell the kind of.
fn unknown_beside(column: &Column, of: &Polymorphic, expr: &Expr) -> Box<Refusal> {
    let message = format!(
        "pgveil can't tell of which kind the id in column \"{}\" is: \"{}\" is not stored with it, or is \
         none of the values that the configuration names",
        column.name, of.by
    );
    let refusal = Refusal::unsupported(crate::sql::refusal::Code::MixedDomains, message);
    Box::new(refusal.at(span_of(expr)).hint(REMEDY))
}

/// Gives this column as if its keys were all of one domain.
fn of_kind(column: &Column, id: IdType) -> Column {
    Column {
        id: Some(IdColumn { id, array: false }),
        derived: false,
        polymorphic: None,
        ..column.clone()
    }
}

/// The value that is assigned to a column by its name alone.
fn assigned<'a>(assignments: &'a [Assignment], column: &str) -> Option<&'a Expr> {
    assignments
        .iter()
        .find_map(|assignment| match &assignment.target {
            AssignmentTarget::ColumnName(name) if last(name) == column => Some(&assignment.value),
            _ => None,
        })
}

fn is_null(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Cast { expr, .. } => is_null(expr),
        Expr::Value(value) => matches!(value.value, SqlValue::Null),
        other => is_default(other),
    }
}
