//! Rows with ids in them, as one value that the client sends.

use super::IdUsage;

/// A row, or an array of rows, that the client writes as one literal or sends as one parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SentRow {
    /// What its fields are.
    pub fields: Vec<SentField>,
    /// Whether it is an array of such rows.
    pub array: bool,
}

/// A field of such a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SentField {
    /// It carries no id.
    Clean,
    /// It is an id.
    Id(IdUsage),
    /// It is an array of ids.
    IdArray(IdUsage),
    /// It is a row, or an array of rows.
    Row(SentRow),
}
