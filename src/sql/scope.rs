//! What a name means at a place of a statement: the tables of the FROM clauses around it and
//! their columns.

mod line;

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::iter::Flatten;
use std::ops::Range;
use std::rc::Rc;

use line::Line;

use super::types::Node;
use crate::catalog::Relation;

/// A column that a query puts out or a table offers.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) name: String,
    pub(super) node: Node,
}

/// A table of a FROM clause, under the name by which the statement calls it.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) schema: Option<String>,
    pub(super) columns: Vec<Output>,
    /// The columns are not all known (a relation of the system, a function of several results):
    /// every name may be one of them. None of them holds a key.
    pub(super) open: bool,
    /// What its hidden columns tell of keys.
    pub(super) tells: Tells,
    /// Its row as one value consists of something else than these columns under these names: the
    /// result of a function, or a table whose columns have aliases.
    pub(super) other_row: bool,
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
        match relation.columns.iter().any(|column| column.id.is_some()) {
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
    /// What `*` and unqualified names see: the columns of all tables, those merged by USING once.
    columns: Line<Output>,
    /// So many of the first columns are merged ones, whose names no other column has.
    merged: usize,
    is_open: bool,
    tells: Tells,
    places: RefCell<Places>,
}

/// From so many names on they are looked up by a table.
const MANY: usize = 16;

/// Where names are, as far as somebody has asked.
#[derive(Debug, Clone, Default)]
struct Places {
    /// The first column of each name, and which columns have been looked at.
    columns: HashMap<String, i64>,
    columns_seen: Range<i64>,
    /// The tables of each name in order, and which have been looked at.
    tables: HashMap<String, VecDeque<i64>>,
    tables_seen: Range<i64>,
    /// The columns of wide tables, by the place of the table.
    of_tables: HashMap<i64, HashMap<String, Node>>,
}

/// Where the search for a name ended.
#[derive(Debug)]
pub(super) enum Found {
    Column(Node),
    /// The name of a table stands for its whole row.
    Row(Rc<Table>),
    /// Some column of a table whose columns are not all known.
    Open,
    Hidden {
        protected: bool,
    },
    Nothing,
}

/// The hidden columns that every table has.
const HIDDEN: &[&str] = &["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"];

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

    pub(super) fn columns(&self) -> impl ExactSizeIterator<Item = &Output> {
        self.columns.iter()
    }

    pub(super) fn into_columns(self) -> Vec<Output> {
        self.columns.into_iter().collect()
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
        let size = |scope: &Self| scope.tables.len() + scope.columns.len();
        let is_less = size(self) < size(&other);
        self.is_open |= other.is_open;
        self.tells = self.tells.max(other.tells);
        self.merged = 0;
        if is_less {
            self.places = other.places;
        }
        self.tables.join(other.tables, is_less);
        self.columns.join(other.columns, is_less);
    }

    /// Adds the tables of another FROM item. These columns stand once, before all others; those of
    /// the same names in both are gone.
    pub(super) fn merge(&mut self, other: Self, merged: Vec<Output>) {
        let is_merged = |column: &Output| merged.iter().any(|named| named.name == column.name);
        let first = self.columns.iter().zip(&merged);
        let starts = self.merged >= merged.len()
            && first
                .into_iter()
                .all(|(column, named)| column.name == named.name);
        let rest = other
            .columns
            .into_iter()
            .filter(|column| !is_merged(column));
        let rest: Vec<Output> = rest.collect();
        let count = merged.len();
        if starts {
            for (column, named) in self.columns.iter_mut().zip(merged) {
                *column = named;
            }
        } else {
            let left = std::mem::take(&mut self.columns);
            let left = left.into_iter().filter(|column| !is_merged(column));
            let left: Vec<Output> = left.collect();
            self.columns = merged.into();
            self.columns.extend(left);
            self.merged = count;
            let places = self.places.get_mut();
            places.columns = HashMap::new();
            places.columns_seen = 0..0;
        }
        self.columns.extend(rest);
        self.is_open |= other.is_open;
        self.tells = self.tells.max(other.tells);
        self.tables.join(other.tables, false);
    }

    /// Every column, those of the tables too, to be changed.
    pub(super) fn columns_mut(&mut self) -> impl Iterator<Item = &mut Output> {
        let tables = self.tables.iter_mut();
        let of_tables = tables.flat_map(|table| &mut Rc::make_mut(table).columns);
        self.columns.iter_mut().chain(of_tables)
    }

    /// The first table of this name.
    pub(super) fn table(&self, schema: Option<&str>, name: &str) -> Option<&Rc<Table>> {
        self.tables.get(self.table_place(schema, name)?)
    }

    fn table_place(&self, schema: Option<&str>, name: &str) -> Option<i64> {
        let is_meant = |table: &Rc<Table>| {
            table.name == name
                && schema.is_none_or(|schema| table.schema.as_deref() == Some(schema))
        };
        if self.tables.len() < MANY {
            let place = self.tables.iter().position(is_meant)?;
            return Some(self.tables.place(place));
        }
        let mut places = self.places.borrow_mut();
        let seen = std::mem::replace(&mut places.tables_seen, self.tables.places());
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
        same.find(|place| self.tables.get(*place).is_some_and(is_meant))
    }

    /// What a name means as that of a column of a table.
    fn column_of(&self, schema: Option<&str>, table: &str, name: &str) -> Option<Found> {
        let place = self.table_place(schema, table)?;
        let table = self.tables.get(place)?;
        if table.columns.len() < MANY {
            return Some(table.column(name));
        }
        let mut places = self.places.borrow_mut();
        let nodes = places.of_tables.entry(place).or_insert_with(|| {
            let columns = table.columns.iter().rev();
            columns.map(|c| (c.name.clone(), c.node)).collect()
        });
        let found = nodes.get(name).map(|node| Found::Column(*node));
        Some(found.unwrap_or_else(|| table.without(name)))
    }

    /// The first column of this name.
    fn column(&self, name: &str) -> Option<&Output> {
        if self.columns.len() < MANY {
            return self.columns.iter().find(|column| column.name == name);
        }
        let mut places = self.places.borrow_mut();
        let seen = std::mem::replace(&mut places.columns_seen, self.columns.places());
        let [before, behind] = self.columns.unseen(&seen);
        for (place, column) in before.rev() {
            places.columns.insert(column.name.clone(), place);
        }
        for (place, column) in behind {
            places.columns.entry(column.name.clone()).or_insert(place);
        }
        self.columns.get(*places.columns.get(name)?)
    }

    /// What an unqualified name means here.
    pub(super) fn unqualified(&self, name: &str) -> Found {
        if let Some(column) = self.column(name) {
            return Found::Column(column.node);
        }
        if self.is_open {
            return Found::Open;
        }
        if HIDDEN.contains(&name) && !self.tables.is_empty() {
            return hidden(name, self.tells);
        }
        Found::Nothing
    }
}

/// `xmax` and `tableoid` say nothing of the order of rows.
fn hidden(name: &str, tells: Tells) -> Found {
    Found::Hidden {
        protected: match name {
            "xmax" => false,
            "tableoid" => tells == Tells::Place,
            _ => tells != Tells::Nothing,
        },
    }
}

impl Table {
    fn column(&self, name: &str) -> Found {
        match self.columns.iter().find(|column| column.name == name) {
            Some(column) => Found::Column(column.node),
            None => self.without(name),
        }
    }

    /// What a name means that none of the known columns has.
    fn without(&self, name: &str) -> Found {
        match self.open {
            true => Found::Open,
            false if HIDDEN.contains(&name) => hidden(name, self.tells),
            false => Found::Nothing,
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

    /// Whether any scope has a column of this name for which `test` holds. A name that a table with
    /// unknown columns may have could also mean such a column.
    pub(super) fn any_column(&self, name: &str, test: impl Fn(Node) -> bool) -> bool {
        self.iter()
            .flat_map(|scope| {
                scope
                    .columns
                    .iter()
                    .chain(scope.tables.iter().flat_map(|t| &t.columns))
            })
            .any(|column| column.name == name && test(column.node))
    }

    /// Looks `[schema.]table.column` up.
    pub(super) fn qualified(&self, schema: Option<&str>, table: &str, name: &str) -> Found {
        self.iter()
            .rev()
            .find_map(|scope| scope.column_of(schema, table, name))
            .unwrap_or(Found::Nothing)
    }
}
