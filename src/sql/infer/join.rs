//! Joins: what their two sides become, and the columns that they merge.

use std::collections::HashSet;

use sqlparser::ast::{
    Join, JoinConstraint, JoinOperator, ObjectName, Spanned, TableAlias, TableWithJoins,
};

use crate::sql::parse::range;
use crate::sql::refusal::{Code, Refusal};
use crate::sql::scope::{Found, Output, Scope, Table, Tells};
use crate::sql::types::TypeVar;

use super::column_name::last;
use super::from::named;
use super::span::At;
use super::{Binder, Check};

impl Binder<'_> {
    pub(super) fn table_with_joins(&mut self, item: &TableWithJoins) -> Check<Scope> {
        let mut scope = self.table_factor(&item.relation)?;
        for join in &item.joins {
            scope = self.join(scope, join)?;
        }
        Ok(scope)
    }

    fn join(&mut self, left: Scope, join: &Join) -> Check<Scope> {
        // LATERAL items of the right side see the left side.
        let (left, right) = self.lending(left, |binder| binder.table_factor(&join.relation))?;
        are_distinct(&left, &right)?;
        let constraint = match &join.join_operator {
            JoinOperator::Join(constraint)
            | JoinOperator::Inner(constraint)
            | JoinOperator::Left(constraint)
            | JoinOperator::LeftOuter(constraint)
            | JoinOperator::Right(constraint)
            | JoinOperator::RightOuter(constraint)
            | JoinOperator::FullOuter(constraint)
            | JoinOperator::CrossJoin(constraint) => constraint,
            JoinOperator::Semi(_)
            | JoinOperator::LeftSemi(_)
            | JoinOperator::RightSemi(_)
            | JoinOperator::Anti(_)
            | JoinOperator::LeftAnti(_)
            | JoinOperator::RightAnti(_)
            | JoinOperator::CrossApply
            | JoinOperator::OuterApply
            | JoinOperator::AsOf { .. }
            | JoinOperator::StraightJoin(_)
            | JoinOperator::ArrayJoin
            | JoinOperator::LeftArrayJoin
            | JoinOperator::InnerArrayJoin => {
                return self.unsupported("this kind of join", range(join.span()));
            }
        };
        match constraint {
            JoinConstraint::On(condition) => {
                let mut both = left;
                both.extend(right);
                let (both, ()) = self.without_siblings(|binder| {
                    binder.lending(both, |binder| binder.condition(condition, "JOIN/ON"))
                })?;
                Ok(both)
            }
            JoinConstraint::Using(names) => self.using(left, right, names, join),
            JoinConstraint::Natural => {
                let stand_ins = left.stand_ins().chain(right.stand_ins());
                let stand_ins: Vec<usize> = stand_ins.collect();
                self.asks_whole(stand_ins);
                if left.is_open() || right.is_open() {
                    return self.natural_open(left, right, join);
                }
                let names = self.common(&left, &right);
                self.merge((left, right), &names, join)
            }
            JoinConstraint::None => {
                let mut both = left;
                both.extend(right);
                Ok(both)
            }
        }
    }

    /// `NATURAL JOIN` where columns are not known. Which of them are joined is no matter where none of
    /// them holds a key.
    fn natural_open(&mut self, mut left: Scope, right: Scope, join: &Join) -> Check<Scope> {
        self.types.spend(left.steps() + right.steps());
        let is_clean = |side: &Scope| {
            let mut columns = side.columns();
            columns.all(|column| self.is_without_keys(column.node))
        };
        if !is_clean(&left) || !is_clean(&right) {
            return self.unsupported(
                "NATURAL JOIN with a relation whose columns are not known",
                range(join.span()),
            );
        }
        left.extend(right);
        Ok(left)
    }

    /// `USING (a, b)`, or `USING (a, b, "as".j)` where the join has a name.
    fn using(
        &mut self,
        left: Scope,
        right: Scope,
        names: &[ObjectName],
        join: &Join,
    ) -> Check<Scope> {
        let (columns, alias) = match names.split_last() {
            Some((alias, columns)) if alias.0.len() == 2 => (columns, Some(last(alias))),
            _ => (names, None),
        };
        let columns: Vec<String> = columns.iter().map(last).collect();
        let mut scope = self.merge((left, right), &columns, join)?;
        if let Some(name) = alias {
            let merged = scope.columns().take(columns.len());
            let merged: Vec<Output> = merged.cloned().collect();
            scope.add_table(Table {
                name,
                schema: None,
                columns: merged.into(),
                open: false,
                tells: Tells::Nothing,
                other_row: true,
                stands_in: None,
            });
        }
        Ok(scope)
    }

    /// The names that columns of both sides have, in the order of the left one. Only the side is
    /// walked that takes fewer steps, and of the other no more than the names stand in.
    fn common(&self, left: &Scope, right: &Scope) -> Vec<String> {
        let [is_left, is_right] = [left, right].map(|side| {
            |column: &&Output| matches!(side.unqualified(&column.name), Found::Column(_))
        });
        self.types.spend(left.steps().min(right.steps()));
        if left.steps() <= right.steps() {
            let common = left.columns().filter(is_right);
            return common.map(|column| column.name.clone()).collect();
        }
        let common = right.columns().filter(is_left);
        let mut common: HashSet<&str> = common.map(|column| column.name.as_str()).collect();
        let mut names = Vec::new();
        for column in left.columns() {
            if common.is_empty() {
                break;
            }
            self.types.spend(1);
            if common.remove(column.name.as_str()) {
                names.push(column.name.clone());
            }
        }
        names
    }

    /// Takes the column of this name out of one side of a join, which has it, or may have it.
    fn take_common(
        &mut self,
        (side, which): (&mut Scope, &str),
        name: &str,
        join: &Join,
    ) -> Check<TypeVar> {
        let refused = |sqlstate, message| {
            let refusal = Refusal::new(Code::UnknownName, sqlstate, message);
            Err(Box::new(refusal.at(range(join.span()))))
        };
        let node = match side.unqualified(name) {
            Found::Column(node) => node,
            Found::Open => self.types.native(0),
            Found::Row(_) | Found::Hidden { .. } | Found::Nothing => {
                self.unknown_name.get_or_insert_with(|| name.to_owned());
                let what = format!("column \"{name}\" specified in USING clause does not exist");
                return refused("42703", format!("{what} in {which} table"));
            }
        };
        if side.take(name) {
            let what = format!("common column name \"{name}\" appears more than once");
            return refused("42702", format!("{what} in {which} table"));
        }
        Ok(node)
    }

    /// `USING`: each named column stands once, before all others.
    fn merge(
        &mut self,
        (mut left, mut right): (Scope, Scope),
        names: &[String],
        join: &Join,
    ) -> Check<Scope> {
        let (mut common, mut seen) = (Vec::new(), HashSet::new());
        for name in names {
            if !seen.insert(name) {
                let message =
                    format!("column name \"{name}\" appears more than once in USING clause");
                let refusal = Refusal::new(Code::UnknownName, "42701", message);
                return Err(Box::new(refusal.at(range(join.span()))));
            }
            let a = self.take_common((&mut left, "left"), name, join)?;
            let b = self.take_common((&mut right, "right"), name, join)?;
            common.push((name, a, b));
        }
        let mut columns = Vec::new();
        for (name, a, b) in common {
            // Text with ids in it is compared with nothing.
            if self.types.has_tag(a) || self.types.has_tag(b) {
                return Err(self.shows("USING", range(join.span())));
            }
            self.check_user_operator((a, b), "=", At::Join(join))?;
            self.types.compare(a, b).map_err(|clash| {
                self.clash(&clash, (a, b), range(join.span()), |a, b| {
                    let message = format!("JOIN/USING types {a} and {b} cannot be matched");
                    Refusal::new(Code::UuidType, "42804", message)
                })
            })?;
            self.types.flows_into(b, a);
            columns.push(Output {
                name: name.clone(),
                node: self.joined("USING", a, b),
            });
        }
        let mut scope = left;
        scope.merge(right, columns);
        Ok(scope)
    }

    /// `(a JOIN b …)`; with a name it is one table of all columns.
    pub(super) fn joins_in_brackets(
        &mut self,
        joins: &TableWithJoins,
        alias: Option<&TableAlias>,
    ) -> Check<Scope> {
        if alias.is_none() {
            return self.table_with_joins(joins);
        }
        // What is said of tables outside is not said of those in here.
        let scope = self.knowing(Vec::new(), |binder| binder.table_with_joins(joins))?;
        let open = scope.is_open();
        let mut table = named(scope.into_columns(), alias, "");
        table.open = open;
        Ok(Scope::of(table))
    }
}

/// Refuses FROM items of one name, as Postgres does: a column of it would be one of either.
pub(super) fn are_distinct(left: &Scope, right: &Scope) -> Check<()> {
    let Some(name) = left.conflict(right) else {
        return Ok(());
    };
    let message = format!("table name \"{name}\" specified more than once");
    Err(Box::new(Refusal::new(Code::UnknownName, "42712", message)))
}
