//! What a database consists of, as far as ids are concerned: relations, columns, keys and
//! functions, and which column belongs to which id domain. Knows nothing of statements, of the
//! wire or of the network: it is fed rows of text and hands out immutable snapshots.

mod domains;
mod key_type;
mod load;
mod search_path;
mod snapshot;
mod type_name;

pub use crate::config::{ColumnTypes, IdAnnotation};
pub use key_type::{IdType, KeyType};
pub use load::{CatalogError, Loader};
pub use search_path::SearchPath;
pub use snapshot::{
    Column, DomainId, ForeignKey, FunctionKind, Functions, IdColumn, Oid, Relation, RelationKind,
    Snapshot,
};
pub(crate) use type_name::{type_name, type_oid};
