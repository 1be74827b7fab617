//! The configuration file: TOML text to checked types.

pub use crate::codec::KeyType;

/// `schema.table.column`
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ColumnName {
    /// The schema.
    pub schema: String,
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
}

/// One id domain, as far as the catalog needs to know it.
#[derive(Debug, Clone)]
pub struct IdAnnotation {
    /// The name of the domain.
    pub name: String,
    /// The defining column.
    pub column: ColumnName,
    /// Soft references.
    pub references: Vec<ColumnName>,
}
