//! What a database consists of, as far as ids are concerned: relations, columns, keys and
//! functions, and which column belongs to which id domain. Knows nothing of statements, of the
//! wire or of the network: it is fed rows of text and hands out immutable snapshots.

mod catalog_views;
mod channels;
mod declare;
mod domains;
mod draft;
mod filler;
mod function;
mod generated;
mod hidden;
mod id_type;
mod json;
pub(crate) mod keys;
mod late_code;
mod load;
mod memory;
mod misfit;
mod names;
mod namesakes;
mod polymorphic;
mod question;
mod row;
mod search_path;
mod snapshot;
mod temporary;
mod told;
mod undecided;

pub use crate::config::{
    CatalogShows, ChannelAnnotation, ColumnName, ColumnTypes, Decisions, FunctionAnnotation,
    IdAnnotation, NewKeys, PathStep,
};
pub use crate::pg::Type as KeyType;
pub use channels::ChannelId;
pub use function::{
    Argument, Code, Cursors, Declared, DeclaredResult, Function, FunctionKind, Functions, Part,
    Returns, ShownPart,
};
pub use hidden::{HiddenCall, OTHER_TYPE};
pub use id_type::IdType;
pub use json::JsonKey;
pub use late_code::{LateCode, Made};
pub use load::{CatalogError, Lack, Loaded, Loader};
pub use misfit::{Misfit, MisfitCause};
pub use namesakes::Holding;
pub use polymorphic::{Polymorphic, PolymorphicKind};
pub use question::{PATIENCE, Reading, SETTINGS, SUPERSEDED, Scope, Version};
pub use search_path::SearchPath;
pub use snapshot::{
    Column, DomainId, ForeignKey, IdColumn, Oid, Relation, RelationKind, Run, Snapshot, Write,
    WriteRule,
};
pub(crate) use temporary::is_temporary;
pub use temporary::{CreatedColumns, CreatedRelation, Facts, Temporary};
pub use told::Told;
