//! Values of the types that keys and ids can have.

use std::borrow::Cow;
use std::fmt;

/// A value of a [`Type`](super::Type). It may be a key or what a client has sent, so `Debug` does
/// not show it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Scalar<'a> {
    /// `smallint`, `integer`, `bigint`
    Int(i64),
    /// `uuid`
    Uuid([u8; 16]),
    /// `bytea`
    Bytes(Cow<'a, [u8]>),
    /// `text` and its kin, in the client's encoding, without zero bytes.
    Text(Cow<'a, [u8]>),
}

impl fmt::Debug for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int(_) => "Int(..)",
            Self::Uuid(_) => "Uuid(..)",
            Self::Bytes(_) => "Bytes(..)",
            Self::Text(_) => "Text(..)",
        })
    }
}

impl Scalar<'_> {
    /// Gives the same value, independent of what it was read from.
    #[must_use]
    pub fn into_owned(self) -> Scalar<'static> {
        match self {
            Self::Int(value) => Scalar::Int(value),
            Self::Uuid(uuid) => Scalar::Uuid(uuid),
            Self::Bytes(bytes) => Scalar::Bytes(bytes.into_owned().into()),
            Self::Text(text) => Scalar::Text(text.into_owned().into()),
        }
    }
}
