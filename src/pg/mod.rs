//! Facts about Postgres's own types: their oids and names, the types that keys and ids can have,
//! their values, and which of these are reserved. A leaf: nothing here knows what a key is for.

pub mod oid;
pub mod reserved;
mod scalar;
mod types;

pub use scalar::Scalar;
pub use types::Type;
