//! What a part of a statement can name, and the state of the generator.

use super::random::Random;
use super::schema::{Type, rows};
use super::tree::Tree;

/// A column by the text that names it.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) text: String,
    /// The text that names it in subqueries too, whose own columns come first, and where the names
    /// of a result could be meant.
    pub(crate) qualified: String,
    pub(crate) of: Type,
}

impl Column {
    pub(crate) fn new(text: String, of: &Type) -> Self {
        Self {
            qualified: text.clone(),
            text,
            of: of.clone(),
        }
    }
}

/// What can be named in a place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    pub(crate) columns: Vec<Column>,
    /// In a grouped query, what only the arguments of aggregates can name.
    pub(crate) aggregated: Option<Vec<Column>>,
    /// Expressions that order the rows of the query completely, where window functions may stand.
    pub(crate) order: Option<String>,
    /// Names that stand for whole rows.
    pub(crate) rows: Vec<String>,
}

impl Scope {
    /// The scope of a subquery: without aggregates and windows.
    pub(crate) fn plain(&self) -> Self {
        let outside = |column: &Column| Column::new(column.qualified.clone(), &column.of);
        Self {
            columns: self.columns.iter().map(outside).collect(),
            aggregated: None,
            order: None,
            ..self.clone()
        }
    }

    /// The scope of an aggregate's arguments.
    pub(crate) fn within_aggregate(&self) -> Self {
        let mut columns = self.columns.clone();
        columns.extend(self.aggregated.iter().flatten().cloned());
        Self {
            columns,
            ..Self::default()
        }
    }
}

/// A relation of a WITH that a query can read from.
#[derive(Debug, Clone)]
pub(crate) struct Common {
    pub(crate) name: String,
    pub(crate) types: Vec<Type>,
}

/// Writes statements.
pub(crate) struct Generator {
    pub(crate) random: Random,
    /// Whether constructs are wanted that carry ids beyond columns: text and JSON made of them,
    /// rows, and the rarer kinds of statements.
    pub(crate) everything: bool,
    names: usize,
    pub(crate) commons: Vec<Common>,
    /// Tables that are named without an alias.
    pub(crate) bare: Vec<&'static str>,
}

impl Generator {
    pub(crate) fn new(random: Random, everything: bool) -> Self {
        Self {
            random,
            everything,
            names: 0,
            commons: Vec::new(),
            bare: Vec::new(),
        }
    }

    /// A name that nothing else has.
    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// The weight of a construct that is wanted only with everything.
    pub(crate) fn rare(&self, weight: usize) -> usize {
        if self.everything { weight } else { 0 }
    }

    /// A domain, most likely one of which there are columns.
    pub(crate) fn domain(&mut self, scope: &Scope) -> &'static str {
        let known: Vec<_> = scope
            .columns
            .iter()
            .chain(scope.aggregated.iter().flatten())
            .filter_map(|column| match column.of {
                Type::Id(domain) | Type::IdArray(domain) => Some(domain),
                _ => None,
            })
            .collect();
        if known.is_empty() {
            "users"
        } else {
            known[self.random.below(known.len())]
        }
    }

    /// A column of this type.
    pub(crate) fn column(&mut self, of: &Type, scope: &Scope) -> Option<Tree> {
        let fitting: Vec<_> = scope.columns.iter().filter(|one| one.of == *of).collect();
        if fitting.is_empty() {
            return None;
        }
        let column = self.random.choose(&fitting);
        Some(Tree::expression(&column.of, &column.text, []))
    }

    /// The name of a row of this domain as the seed has it.
    pub(crate) fn row(&mut self, domain: &'static str) -> String {
        format!(":{domain}.{}", self.random.choose(rows(domain)))
    }

    /// Any type that a column of a result may have.
    pub(crate) fn any_type(&mut self, scope: &Scope) -> Type {
        let domain = self.domain(scope);
        let json = self.rare(4);
        match self.random.weighted(&[12, 2, 3, 4, 2, 1, 1, json, 1]) {
            0 => Type::Id(domain),
            1 => Type::IdArray(domain),
            2 => Type::Text,
            3 => Type::Integer,
            4 => Type::Boolean,
            5 => Type::Uuid,
            6 => Type::Time,
            7 => Type::Json,
            _ => Type::Loose(domain),
        }
    }
}
