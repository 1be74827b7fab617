//! Columns that can't hold what a configuration says of them.

use std::fmt;

use crate::config::ColumnName;

/// A column that can't hold the ids that it is said to hold. It is closed, with what refers to it:
/// a table that somebody has made is no trouble for those who use others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The column.
    pub column: ColumnName,
    /// The domain that it can't belong to.
    pub domain: String,
    /// Why the database can't have it.
    pub cause: MisfitCause,
}

/// Why a column can't hold the ids of a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MisfitCause {
    /// The codec of the domain has no ids for its type.
    Type {
        /// The type of the column, as Postgres writes it.
        found: String,
        /// The types that the codec has ids for.
        fitting: Vec<&'static str>,
        /// Whether an array would do.
        arrays: bool,
    },
    /// It belongs to another domain, too: by a foreign key, a parent or the configuration.
    TwoDomains {
        /// The other domain.
        other: String,
    },
    /// It is to hold keys of several domains, and can't.
    Polymorphic {
        /// Why the database can't have it.
        reason: String,
    },
    /// It is to hold documents, and is none.
    Document {
        /// The type of the column, as Postgres writes it.
        found: String,
    },
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, domain, .. } = self;
        match &self.cause {
            MisfitCause::Type {
                found,
                fitting,
                arrays,
            } => {
                let wanted = wanted(fitting);
                let arrays = if *arrays { " or arrays of it" } else { "" };
                write!(
                    f,
                    "{column} is of type {found} and belongs to id {domain:?}, whose codec has ids \
                     for columns of type {wanted}{arrays}"
                )
            }
            MisfitCause::TwoDomains { other } => write!(
                f,
                "{column} belongs to id {other:?} and, through its keys or the configuration, to \
                 id {domain:?} too"
            ),
            MisfitCause::Polymorphic { reason } => {
                write!(f, "{column} can't be polymorphic: {reason}")
            }
            MisfitCause::Document { found } => write!(
                f,
                "{column} is of type {found}; ids of {domain:?} can stand inside documents of type \
                 json, jsonb, text and varchar, if they are no bytea"
            ),
        }
    }
}

/// `a, b or c`
fn wanted(fitting: &[&str]) -> String {
    match fitting {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
