//! What a name means at a place of a statement: the tables of the FROM clauses around it and
//! their columns.

use super::types::Node;

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
    /// The table holds keys, so its hidden columns (`ctid` …) tell the order of insertion.
    pub(super) protected: bool,
    /// Its row as one value consists of something else than these columns under these names: the
    /// result of a function, or a table whose columns have aliases.
    pub(super) other_row: bool,
}

/// The tables of one FROM clause.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) tables: Vec<Table>,
    /// What `*` and unqualified names see: the columns of all tables, those merged by USING once.
    pub(super) columns: Vec<Output>,
}

/// Where the search for a name ended.
#[derive(Debug)]
pub(super) enum Found {
    Column(Node),
    /// The name of a table stands for its whole row.
    Row(Table),
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
        Self {
            columns: table.columns.clone(),
            tables: vec![table],
        }
    }

    /// Adds the tables of another FROM item.
    pub(super) fn extend(&mut self, other: Self) {
        self.tables.extend(other.tables);
        self.columns.extend(other.columns);
    }

    fn is_open(&self) -> bool {
        self.tables.iter().any(|table| table.open)
    }

    /// The first table of this name.
    pub(super) fn table(&self, schema: Option<&str>, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| {
            table.name == name
                && schema.is_none_or(|schema| table.schema.as_deref() == Some(schema))
        })
    }

    /// What an unqualified name means here.
    pub(super) fn unqualified(&self, name: &str) -> Found {
        if let Some(column) = self.columns.iter().find(|column| column.name == name) {
            return Found::Column(column.node);
        }
        if self.is_open() {
            return Found::Open;
        }
        if HIDDEN.contains(&name) && !self.tables.is_empty() {
            return hidden(name, self.tables.iter().any(|table| table.protected));
        }
        Found::Nothing
    }
}

/// `xmax` and `tableoid` say nothing of the order of rows.
fn hidden(name: &str, protected: bool) -> Found {
    Found::Hidden {
        protected: protected && name != "xmax" && name != "tableoid",
    }
}

impl Table {
    fn column(&self, name: &str) -> Found {
        match self.columns.iter().find(|column| column.name == name) {
            Some(column) => Found::Column(column.node),
            None if self.open => Found::Open,
            None if HIDDEN.contains(&name) => hidden(name, self.protected),
            None => Found::Nothing,
        }
    }
}

/// Looks an unqualified name up: as a column from the innermost scope outwards, then as a table.
pub(super) fn unqualified(scopes: &[Scope], name: &str) -> Found {
    let column = scopes.iter().rev().map(|scope| scope.unqualified(name));
    let found = column
        .into_iter()
        .find(|found| !matches!(found, Found::Nothing));
    found.unwrap_or_else(|| {
        let row = scopes
            .iter()
            .rev()
            .find_map(|scope| scope.table(None, name));
        row.map_or(Found::Nothing, |table| Found::Row(table.clone()))
    })
}

/// Whether any scope has a column of this name for which `test` holds. A name that a table with
/// unknown columns may have could also mean such a column.
pub(super) fn any_column(scopes: &[Scope], name: &str, test: impl Fn(Node) -> bool) -> bool {
    scopes
        .iter()
        .flat_map(|scope| {
            scope
                .columns
                .iter()
                .chain(scope.tables.iter().flat_map(|t| &t.columns))
        })
        .any(|column| column.name == name && test(column.node))
}

/// Looks `[schema.]table.column` up.
pub(super) fn qualified(scopes: &[Scope], schema: Option<&str>, table: &str, name: &str) -> Found {
    scopes
        .iter()
        .rev()
        .find_map(|scope| scope.table(schema, table))
        .map_or(Found::Nothing, |table| table.column(name))
}
