//! What a name means at a place of a statement: the tables of the FROM clauses around it and
//! their columns.

mod columns;
mod line;

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::iter::Flatten;
use std::ops::Range;
use std::rc::Rc;

use columns::Seen;
use line::Line;

pub(super) use columns::Columns;

use super::types::TypeVar;
use crate::catalog::{Column, Relation};

/// A column that a query puts out or a table offers.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) name: String,
    pub(super) node: TypeVar,
}

/// What no column is called.
const REST: &str = "\0";

impl Output {
    /// Columns that are not known, none of which holds a key.
    pub(super) fn rest(node: TypeVar) -> Self {
        let name = REST.to_owned();
        Self { name, node }
    }

    pub(super) fn is_rest(&self) -> bool {
        self.name == REST
    }
}

/// A table of a FROM clause, under the name by which the statement calls it.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) schema: Option<String>,
    pub(super) columns: Columns,
    /// The columns are not all known (a relation of the system, a function of several results):
    /// every name may be one of them. None of them holds a key.
    pub(super) open: bool,
    /// What its hidden columns tell of keys.
    pub(super) tells: Tells,
    /// Its row as one value consists of something else than these columns under these names: the
    /// result of a function, or a table whose columns have aliases.
    pub(super) other_row: bool,
    /// Present if a subquery stands in the text in the place of the relation: which one.
    pub(super) stands_in: Option<usize>,
}

/// What the hidden columns of a table (`ctid` …) tell of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Tells {
    #[default]
    Nothing,
    /// The order in which they were stored.
    Order,
    /// And `tableoid` which partition they are in, which depends on them.
    Place,
}

impl Tells {
    pub(super) fn of(relation: &Relation) -> Self {
        let has_keys = |column: &Column| column.id.is_some() || column.polymorphic.is_some();
        match relation.columns.iter().any(has_keys) {
            _ if relation.placed_by_keys => Self::Place,
            true => Self::Order,
            false => Self::Nothing,
        }
    }
}

/// The tables of one FROM clause.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    tables: Line<Rc<Table>>,
    columns: Seen,
    is_open: bool,
    tells: Tells,
    places: RefCell<Places>,
}

/// From so many names on they are looked up by a table.
const MANY: usize = 16;

/// Where tables are, as far as somebody has asked.
#[derive(Debug, Clone, Default)]
struct Places {
    /// The tables of each name in order.
    tables: HashMap<String, VecDeque<i64>>,
    /// Which have been looked at.
    seen: Range<i64>,
}

/// Where the search for a name ended.
#[derive(Debug)]
pub(super) enum Found {
    Column(TypeVar),
    /// The name of a table stands for its whole row.
    Row(Rc<Table>),
    /// Some column of a table whose columns are not all known.
    Open,
    Hidden {
        protected: bool,
        /// The subquery that stands for its table, if one does.
        stands_in: Option<usize>,
    },
    Nothing,
}

/// The hidden columns that every table has.
const HIDDEN: &[&str] = &["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"];

/// The hidden column of this name.
pub(super) fn hidden_column(name: &str) -> Option<&'static str> {
    HIDDEN.iter().copied().find(|hidden| *hidden == name)
}

impl Scope {
    pub(super) fn of(table: Table) -> Self {
        let columns = table.columns.clone();
        let mut scope = Self::default();
        scope.add_table(table);
        scope.columns = columns.into();
        scope
    }

    pub(super) fn first_table(&self) -> Option<&Rc<Table>> {
        self.tables.iter().next()
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &Rc<Table>> {
        self.tables.iter()
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &Output> {
        self.columns.iter()
    }

    /// How many columns there are.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// How many steps a walk over the columns takes.
    pub(super) fn steps(&self) -> usize {
        self.columns.steps()
    }

    pub(super) fn into_columns(self) -> Columns {
        self.columns.into()
    }

    /// Whether the columns of some table are not all known.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Adds a table whose columns are only seen by its name.
    pub(super) fn add_table(&mut self, table: Table) {
        self.is_open |= table.open;
        self.tells = self.tells.max(table.tells);
        self.tables.push(Rc::new(table));
    }

    /// Adds the tables of another FROM item. Those of which there are fewer move, and what is known
    /// of where the names of the others are stays.
    pub(super) fn extend(&mut self, other: Self) {
        let size = |scope: &Self| scope.tables.len() + scope.columns.parts();
        let is_less = size(self) < size(&other);
        self.is_open |= other.is_open;
        self.tells = self.tells.max(other.tells);
        if is_less {
            self.places = other.places;
        }
        self.tables.join(other.tables, is_less);
        self.columns.join(other.columns, is_less);
    }

    /// Takes the column of a name out of what `*` sees. Returns whether another one has that name too.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.columns.take(name);
        self.columns.find(name).is_some()
    }

    /// Adds the tables of another FROM item. These columns stand once, before all others; those of
    /// the same names in both have been taken out.
    pub(super) fn merge(&mut self, other: Self, merged: Vec<Output>) {
        self.extend(other);
        let rest = std::mem::replace(&mut self.columns, Columns::from(merged).into());
        self.columns.join(rest, true);
    }

    /// Changes every column, those of the tables too.
    pub(super) fn change_columns(&mut self, mut change: impl FnMut(&mut Output)) {
        let mut changed = |columns: &mut dyn Iterator<Item = &Output>| {
            let mut columns: Vec<Output> = columns.cloned().collect();
            columns.iter_mut().for_each(&mut change);
            Columns::from(columns)
        };
        self.columns = changed(&mut self.columns.iter()).into();
        for table in self.tables.iter_mut() {
            let columns = changed(&mut table.columns.iter());
            Rc::make_mut(table).columns = columns;
        }
    }

    /// The first table of this name.
    pub(super) fn table(&self, schema: Option<&str>, name: &str) -> Option<&Rc<Table>> {
        self.tables.get(self.table_place(schema, name)?)
    }

    fn table_place(&self, schema: Option<&str>, name: &str) -> Option<i64> {
        self.place_of(name, |table| {
            schema.is_none_or(|schema| table.schema.as_deref() == Some(schema))
        })
    }

    /// Finds the first table of this name that is meant.
    fn place_of(&self, name: &str, is_meant: impl Fn(&Table) -> bool) -> Option<i64> {
        if self.tables.len() < MANY {
            let is_it = |table: &Rc<Table>| table.name == name && is_meant(table);
            let place = self.tables.iter().position(is_it)?;
            return Some(self.tables.place(place));
        }
        let mut places = self.places.borrow_mut();
        let seen = std::mem::replace(&mut places.seen, self.tables.places());
        let [before, behind] = self.tables.unseen(&seen);
        for (place, table) in before.rev() {
            let same = places.tables.entry(table.name.clone());
            same.or_default().push_front(place);
        }
        for (place, table) in behind {
            let same = places.tables.entry(table.name.clone());
            same.or_default().push_back(place);
        }
        let mut same = places.tables.get(name)?.iter().copied();
        same.find(|place| self.tables.get(*place).is_some_and(|table| is_meant(table)))
    }

    /// Finds a table whose name one of the other FROM item has too. Relations without an alias may
    /// have one name if their schemas differ.
    pub(super) fn conflict<'s>(&'s self, other: &'s Self) -> Option<&'s str> {
        let is_less = self.tables.len() < other.tables.len();
        let (few, many) = if is_less {
            (self, other)
        } else {
            (other, self)
        };
        let has_conflict = |table: &&Rc<Table>| {
            let are_apart = |one: &Table| {
                let schemas = one.schema.as_ref().zip(table.schema.as_ref());
                schemas.is_some_and(|(one, other)| one != other)
            };
            let found = many.place_of(&table.name, |one| !are_apart(one));
            !table.name.is_empty() && found.is_some()
        };
        Some(&few.tables.iter().find(has_conflict)?.name)
    }

    /// What a name means as that of a column of a table.
    fn column_of(&self, schema: Option<&str>, table: &str, name: &str) -> Option<Found> {
        Some(self.table(schema, table)?.column(name))
    }

    /// The subqueries that stand for tables.
    pub(super) fn stand_ins(&self) -> impl Iterator<Item = usize> {
        self.tables.iter().filter_map(|table| table.stands_in)
    }

    /// Whether a name is that of a hidden column that tells of keys.
    fn hides_keys(&self, name: &str) -> bool {
        let is_hidden = HIDDEN.contains(&name);
        is_hidden
            && matches!(
                hidden(name, self.tells, None),
                Found::Hidden {
                    protected: true,
                    ..
                }
            )
    }

    /// What an unqualified name means here.
    pub(super) fn unqualified(&self, name: &str) -> Found {
        if let Some(node) = self.columns.find(name) {
            return Found::Column(node);
        }
        if self.is_open {
            return Found::Open;
        }
        if HIDDEN.contains(&name) && !self.tables.is_empty() {
            return hidden(name, self.tells, self.stand_ins().next());
        }
        Found::Nothing
    }
}

/// `xmax` and `tableoid` say nothing of the order of rows.
fn hidden(name: &str, tells: Tells, stands_in: Option<usize>) -> Found {
    Found::Hidden {
        stands_in,
        protected: match name {
            "xmax" => false,
            "tableoid" => tells == Tells::Place,
            _ => tells != Tells::Nothing,
        },
    }
}

impl Table {
    /// What a name means as that of a column.
    fn column(&self, name: &str) -> Found {
        match self.columns.find(name) {
            Some(node) => Found::Column(node),
            None if self.open => Found::Open,
            None if HIDDEN.contains(&name) => hidden(name, self.tells, self.stands_in),
            None => Found::Nothing,
        }
    }
}

/// The FROM clauses in reach. Those of the one in progress stand apart: a part of it may see none
/// of them.
#[derive(Debug)]
pub(super) struct Scopes(Vec<Vec<Scope>>);

impl Default for Scopes {
    fn default() -> Self {
        Self(vec![Vec::new()])
    }
}

impl Scopes {
    /// A FROM clause begins.
    pub(super) fn enter(&mut self) {
        self.0.push(Vec::new());
    }

    /// It ends, and what it has added is gone.
    pub(super) fn leave(&mut self) {
        self.0.pop();
    }

    /// Takes what belongs to the FROM clause in progress out of reach.
    pub(super) fn hide(&mut self) -> Vec<Scope> {
        self.0.last_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Puts it back.
    pub(super) fn show(&mut self, hidden: Vec<Scope>) {
        if let Some(current) = self.0.last_mut() {
            *current = hidden;
        }
    }

    pub(super) fn push(&mut self, scope: Scope) {
        if let Some(current) = self.0.last_mut() {
            current.push(scope);
        }
    }

    pub(super) fn pop(&mut self) -> Option<Scope> {
        self.0.last_mut()?.pop()
    }

    /// From the outermost inwards.
    pub(super) fn iter(&self) -> Flatten<std::slice::Iter<'_, Vec<Scope>>> {
        self.0.iter().flatten()
    }

    pub(super) fn last(&self) -> Option<&Scope> {
        self.iter().next_back()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Scope> {
        self.0.iter_mut().flatten().next_back()
    }

    /// Looks an unqualified name up: as a column from the innermost scope outwards, then as a table.
    pub(super) fn unqualified(&self, name: &str) -> Found {
        let column = self.iter().rev().map(|scope| scope.unqualified(name));
        let found = column
            .into_iter()
            .find(|found| !matches!(found, Found::Nothing));
        found.unwrap_or_else(|| {
            let row = self.iter().rev().find_map(|scope| scope.table(None, name));
            row.map_or(Found::Nothing, |table| Found::Row(Rc::clone(table)))
        })
    }

    /// Whether an unqualified name that a table with unknown columns may have could mean something with
    /// keys instead: a column, one that all tables have, or the row of a table.
    pub(super) fn may_have_keys(&self, name: &str, has_keys: impl Fn(TypeVar) -> bool) -> bool {
        let is_it = |column: &Output| column.name == name && has_keys(column.node);
        let is_row = |table: &Rc<Table>| {
            let mut columns = table.columns.iter();
            table.name == name && (table.other_row || columns.any(|one| has_keys(one.node)))
        };
        self.iter().any(|scope| {
            let of_tables = scope.tables.iter().flat_map(|table| table.columns.iter());
            let mut columns = scope.columns.iter().chain(of_tables);
            scope.hides_keys(name) || scope.tables.iter().any(is_row) || columns.any(is_it)
        })
    }

    /// Looks `[schema.]table.column` up.
    pub(super) fn qualified(&self, schema: Option<&str>, table: &str, name: &str) -> Found {
        self.iter()
            .rev()
            .find_map(|scope| scope.column_of(schema, table, name))
            .unwrap_or(Found::Nothing)
    }
}
