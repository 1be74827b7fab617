//! What columns may refer to: the columns that define keys, the names by which they are called, and
//! which columns can hold their keys.

use crate::catalog::{ColumnTypes, KeyType};
use crate::config::ColumnPattern;

use super::survey::{Place, Site};
use crate::catalog::keys::words;

/// A column that defines keys, and what could be called after it.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) domain: String,
    /// The column, or several alike.
    pub(super) column: ColumnPattern,
    /// Where the database has them.
    pub(super) places: Vec<Place>,
    pub(super) fits: Fits,
    pub(super) standing: Standing,
    pub(super) names: Names,
}

/// The names of a target, their words apart.
#[derive(Debug)]
pub(super) struct Names {
    /// Those of its table, in singular and as it is. A key beside the key of its table has that of
    /// both, and none.
    pub(super) table: [String; 2],
    pub(super) domain: String,
    pub(super) column: String,
}

/// Which columns can hold keys of a target.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fits {
    /// Those that its codec has ids for.
    Codec(ColumnTypes),
    /// Those of the same kind.
    Kind(KeyType),
}

/// What has become of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The configuration has it.
    Configured,
    /// It is proposed.
    Certain,
    /// It is proposed as a guess.
    Guess,
    /// It stays as it is, and so does what refers to it.
    Plain,
}

impl Fits {
    pub(super) fn holds(self, of: KeyType) -> bool {
        match self {
            Self::Codec(types) => types.can_define(of.value_type()),
            Self::Kind(key) => key.is_like(of),
        }
    }
}

impl Target {
    /// A target; `main` if it is the key of its table, and not another one beside it.
    pub(super) fn new(
        domain: String,
        column: ColumnPattern,
        (places, main): (Vec<Place>, bool),
        fits: Fits,
        standing: Standing,
    ) -> Self {
        let table = words::snake(&column.words().table);
        let singular = words::singular(&table);
        let of = words::snake(&column.words().column);
        let table = match main {
            true => [singular, table],
            false => [format!("{singular}_{of}"), String::new()],
        };
        let names = Names {
            table,
            domain: words::snake(&domain),
            column: of,
        };
        Self {
            domain,
            column,
            places,
            fits,
            standing,
            names,
        }
    }

    /// How near it is to a column: in its schema, in `public`, elsewhere.
    pub(super) fn nearness(&self, site: &Site<'_>) -> Nearness {
        match self.column.words().schema.as_str() {
            _ if self.column.matches_schema(&site.relation.schema) => Nearness::Same,
            "public" => Nearness::Public,
            _ => Nearness::Other,
        }
    }
}

/// How near a target is to a column: the nearest is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    Same,
    Public,
    Other,
}
