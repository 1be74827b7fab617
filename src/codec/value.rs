//! Keys and ids of every type: what a column holds and what a client sees, as values of one type
//! each. They are different types with nothing but a codec between them, and no `Debug` shows
//! what is in them.

use std::fmt;

use super::key::{IntegerType, Key};
use super::opaque_id::OpaqueId;
use crate::pg::Type;

/// A key of sixteen bytes as the database stores it, in the order of a UUID's bytes. It must
/// never reach a client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UuidKey([u8; 16]);

impl UuidKey {
    /// The key with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes, for the server only.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

/// A key of 32 bytes as the database stores it. It must never reach a client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WideKey([u8; 32]);

impl WideKey {
    /// The key with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for the server only.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }
}

/// An id of 32 bytes as clients see it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WideId([u8; 32]);

impl WideId {
    /// The id with these bytes, which need not have been issued.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }
}

/// An integer as clients see it, in place of an integer key of the same type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntId(i64);

impl IntId {
    /// The id with this value, which need not have been issued.
    #[must_use]
    pub const fn new(value: i64) -> Self {
        Self(value)
    }

    /// The value.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// A key of any type, as the database stores it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum KeyValue {
    /// `smallint`, `integer`, `bigint`
    Integer(Key),
    /// `uuid`
    Uuid(UuidKey),
    /// `bytea` of 32 bytes
    Bytes(WideKey),
    /// `text`
    Text(String),
}

/// An id of any type, as a client sees it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum IdValue {
    /// `smallint`, `integer`, `bigint`
    Integer(IntId),
    /// `uuid`
    Uuid(OpaqueId),
    /// `bytea` of 32 bytes
    Bytes(WideId),
    /// `text`
    Text(String),
}

/// The type of a column that holds keys, or of the values that a client sees in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// `smallint`, `integer`, `bigint`
    Integer(IntegerType),
    /// `uuid`
    Uuid,
    /// `bytea`
    Bytes,
    /// `text`
    Text,
}

impl Type {
    /// The type in the codec's eyes.
    #[must_use]
    pub const fn value_type(self) -> ValueType {
        match self {
            Self::Int2 => ValueType::Integer(IntegerType::Int2),
            Self::Int4 => ValueType::Integer(IntegerType::Int4),
            Self::Int8 => ValueType::Integer(IntegerType::Int8),
            Self::Uuid => ValueType::Uuid,
            Self::Bytea => ValueType::Bytes,
            Self::Text | Self::Varchar | Self::Bpchar => ValueType::Text,
        }
    }

    /// The type as which clients see values of this one.
    #[must_use]
    pub const fn of_value(value_type: ValueType) -> Self {
        match value_type {
            ValueType::Integer(IntegerType::Int2) => Self::Int2,
            ValueType::Integer(IntegerType::Int4) => Self::Int4,
            ValueType::Integer(IntegerType::Int8) => Self::Int8,
            ValueType::Uuid => Self::Uuid,
            ValueType::Bytes => Self::Bytea,
            ValueType::Text => Self::Text,
        }
    }
}

/// The kinds of columns that need a permutation of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Uuid,
    Bytes,
    Text,
}

impl KeyValue {
    pub(super) const fn kind(&self) -> Kind {
        match self {
            Self::Integer(_) => Kind::Integer,
            Self::Uuid(_) => Kind::Uuid,
            Self::Bytes(_) => Kind::Bytes,
            Self::Text(_) => Kind::Text,
        }
    }
}

impl ValueType {
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::Integer(_) => Kind::Integer,
            Self::Uuid => Kind::Uuid,
            Self::Bytes => Kind::Bytes,
            Self::Text => Kind::Text,
        }
    }
}

macro_rules! redacted {
    ($($name:ident)*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )*};
}

redacted!(UuidKey WideKey WideId IntId KeyValue IdValue);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_neither_keys_nor_ids() {
        let text = || "8613972450000001".to_owned();
        let key = Key::new(8_613_972_450_000_001);
        for shown in [
            format!("{:?}", KeyValue::Text(text())),
            format!("{:?}", KeyValue::Integer(key)),
            format!("{:?}", IdValue::Text(text())),
            format!("{:?}", IntId::new(8_613_972_450_000_001)),
            format!("{:?}", UuidKey::from_bytes([0x86; 16])),
            format!("{:?}", WideKey::from_bytes([0x86; 32])),
            format!("{:?}", WideId::from_bytes([0x86; 32])),
        ] {
            assert!(shown.ends_with("(..)") && !shown.contains("86"), "{shown}");
        }
    }
}
