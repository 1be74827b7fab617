//! What a database consists of, as far as ids are concerned: relations, columns, keys and
//! functions, and which column belongs to which id domain. Knows nothing of statements, of the
//! wire or of the network: it is fed rows of text and hands out immutable snapshots.

mod declare;
mod domains;
mod draft;
mod function;
mod json;
mod key_type;
mod load;
mod names;
mod question;
mod row;
mod search_path;
mod snapshot;
mod temporary;
mod told;
mod type_name;

pub use crate::config::{
    ChannelAnnotation, ColumnTypes, FunctionAnnotation, IdAnnotation, PathStep,
};
pub use function::{
    Argument, Code, Declared, DeclaredResult, Function, FunctionKind, Functions, Returns,
};
pub use json::JsonKey;
pub use key_type::{IdType, KeyType};
pub use load::{CatalogError, Lack, Loaded, Loader};
pub use question::{PATIENCE, Reading, SETTINGS, Scope, Version};
pub use search_path::SearchPath;
pub use snapshot::{
    ChannelId, Column, DomainId, ForeignKey, IdColumn, Oid, Relation, RelationKind, Snapshot,
    Write, WriteRule,
};
pub(crate) use temporary::is_temporary;
pub use temporary::{Facts, Made, MadeColumns, Temporary};
pub use told::Told;
pub(crate) use type_name::{type_name, type_oid};
