//! One immutable picture of a database.

use std::collections::HashMap;
use std::sync::Arc;

use super::{KeyType, SearchPath};

/// An object identifier of Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid(pub u32);

/// An id domain: its position in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainId(pub u16);

/// What an annotated column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdColumn {
    /// The domain of the keys.
    pub domain: DomainId,
    /// The integer type of a key.
    pub key_type: KeyType,
    /// Whether the column is an array of keys.
    pub array: bool,
}

/// A column of a relation.
#[derive(Debug, Clone)]
pub struct Column {
    /// The attribute number, from 1.
    pub attnum: i16,
    /// The name.
    pub name: String,
    /// The type; the base type if the declared type is a domain.
    pub type_oid: Oid,
    /// Present if the column holds keys.
    pub id: Option<IdColumn>,
}

/// `pg_class.relkind`, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationKind {
    /// A table, partitioned table or foreign table.
    Table,
    /// A view; its columns are what its definition says.
    View,
    /// A materialized view.
    MaterializedView,
    /// A sequence.
    Sequence,
    /// A composite type.
    Composite,
}

/// A table, view or other relation.
#[derive(Debug, Clone)]
pub struct Relation {
    /// Its oid.
    pub oid: Oid,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: RelationKind,
    /// Its columns by ascending attribute number, without dropped ones.
    pub columns: Vec<Column>,
    /// Its foreign keys.
    pub foreign_keys: Vec<ForeignKey>,
    /// The query of a view.
    pub definition: Option<Arc<str>>,
    /// Whether keys are in it: an annotated column, or a sequence or view over one.
    pub protected: bool,
}

impl Relation {
    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The column with this attribute number.
    #[must_use]
    pub fn attribute(&self, attnum: i16) -> Option<&Column> {
        self.columns.iter().find(|column| column.attnum == attnum)
    }
}

/// A foreign key constraint.
#[derive(Debug, Clone)]
pub struct ForeignKey {
    /// The name of the constraint.
    pub name: String,
    /// The referencing columns.
    pub columns: Vec<i16>,
    /// The referenced relation.
    pub referenced: Oid,
    /// The referenced columns, in the order of `columns`.
    pub referenced_columns: Vec<i16>,
}

/// What is known of functions of one name.
#[derive(Debug, Clone)]
pub struct Function {
    /// The schema.
    pub schema: String,
    /// Whether every function of this schema and name returns a type too small to hold a key.
    pub result_is_harmless: bool,
}

/// One immutable picture of a database.
#[derive(Debug, Default)]
pub struct Snapshot {
    pub(super) relations: HashMap<Oid, Arc<Relation>>,
    pub(super) names: HashMap<String, Vec<Oid>>,
    pub(super) functions: HashMap<String, Vec<Function>>,
}

impl Snapshot {
    /// The relation with this oid.
    #[must_use]
    pub fn relation(&self, oid: Oid) -> Option<&Arc<Relation>> {
        self.relations.get(&oid)
    }

    /// The relation that a possibly qualified name means.
    #[must_use]
    pub fn resolve(
        &self,
        schema: Option<&str>,
        name: &str,
        path: &SearchPath,
    ) -> Option<&Arc<Relation>> {
        let candidates = self.names.get(name)?;
        let in_schema = |schema: &str| {
            candidates
                .iter()
                .filter_map(|oid| self.relations.get(oid))
                .find(|relation| relation.schema == schema)
        };
        match schema {
            Some(schema) => in_schema(schema),
            None => path.schemas().find_map(in_schema),
        }
    }

    /// What a column named by a RowDescription (table oid and attribute number) holds, if keys.
    #[must_use]
    pub fn provenance(&self, table: Oid, attnum: i16) -> Option<IdColumn> {
        self.relations.get(&table)?.attribute(attnum)?.id
    }
}
