//! Facts about Postgres's own types and functions: the oids and names of types, those that keys and
//! ids can have, their values, and which of these are reserved; what functions do. A leaf:
//! nothing here knows what a key is for.

mod encoding;
pub mod functions;
pub mod oid;
pub mod reserved;
mod scalar;
mod types;

pub use encoding::Encoding;
pub use scalar::Scalar;
pub use types::Type;
