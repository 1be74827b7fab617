//! Keys and ids: keyed permutations between the ordered keys of the database and the opaque
//! ids outside. Pure functions; knows nothing of SQL, of the wire or of the network.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap
)]

/// The integer types that a key can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyType {
    /// `smallint`
    Int2,
    /// `integer`
    Int4,
    /// `bigint`
    Int8,
}
