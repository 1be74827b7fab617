//! The types of Postgres that a column of keys can have, and that clients can see in its place.

use crate::config::{IntegerType, ValueType};

use super::DomainId;

/// A type of Postgres in which keys are stored or ids are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyType {
    /// `smallint`
    Int2,
    /// `integer`
    Int4,
    /// `bigint`
    Int8,
    /// `uuid`
    Uuid,
    /// `bytea`
    Bytea,
    /// `text`
    Text,
    /// `character varying`
    Varchar,
    /// `character`
    Bpchar,
}

/// What Postgres calls a type: its oid, that of its array type, its name in the catalog and the
/// name that messages give it.
struct Names(u32, u32, &'static str, &'static str);

impl KeyType {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Int2,
        Self::Int4,
        Self::Int8,
        Self::Uuid,
        Self::Bytea,
        Self::Text,
        Self::Varchar,
        Self::Bpchar,
    ];

    const fn names(self) -> Names {
        match self {
            Self::Int2 => Names(21, 1005, "pg_catalog.int2", "smallint"),
            Self::Int4 => Names(23, 1007, "pg_catalog.int4", "integer"),
            Self::Int8 => Names(20, 1016, "pg_catalog.int8", "bigint"),
            Self::Uuid => Names(2950, 2951, "pg_catalog.uuid", "uuid"),
            Self::Bytea => Names(17, 1001, "pg_catalog.bytea", "bytea"),
            Self::Text => Names(25, 1009, "pg_catalog.text", "text"),
            Self::Varchar => Names(1043, 1015, "pg_catalog.varchar", "character varying"),
            Self::Bpchar => Names(1042, 1014, "pg_catalog.bpchar", "character"),
        }
    }

    /// The oid of the type.
    #[must_use]
    pub const fn oid(self) -> u32 {
        self.names().0
    }

    /// The oid of the array type.
    #[must_use]
    pub const fn array_oid(self) -> u32 {
        self.names().1
    }

    /// How it is written in SQL, qualified so that no type of the user's hides it.
    #[must_use]
    pub const fn sql(self) -> &'static str {
        self.names().2
    }

    /// The name that messages of Postgres give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().3
    }

    /// The type with this oid, and whether the oid is that of its array type.
    #[must_use]
    pub fn from_oid(oid: u32) -> Option<(Self, bool)> {
        Self::ALL.into_iter().find_map(|key_type| {
            let Names(scalar, array, ..) = key_type.names();
            (oid == scalar || oid == array).then_some((key_type, oid == array))
        })
    }

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

    /// Whether values of the two are of one kind: integers, or text of any sort, or the same type.
    /// Postgres compares such types with each other without a cast.
    #[must_use]
    pub const fn is_like(self, other: Self) -> bool {
        matches!(
            (self.value_type(), other.value_type()),
            (ValueType::Integer(_), ValueType::Integer(_))
                | (ValueType::Uuid, ValueType::Uuid)
                | (ValueType::Bytes, ValueType::Bytes)
                | (ValueType::Text, ValueType::Text)
        )
    }

    /// The type that Postgres gives to values of two types of one kind in one place: the wider
    /// integer. Which type of text it is depends on their order and makes no difference.
    #[must_use]
    pub const fn joined(self, other: Self) -> Self {
        match (self, other) {
            (Self::Int8, _) | (_, Self::Int8) => Self::Int8,
            (Self::Int4, _) | (_, Self::Int4) => Self::Int4,
            (Self::Varchar, Self::Varchar) => Self::Varchar,
            (Self::Bpchar, Self::Bpchar) => Self::Bpchar,
            (Self::Text | Self::Varchar | Self::Bpchar, _) => Self::Text,
            (Self::Int2 | Self::Uuid | Self::Bytea, _) => self,
        }
    }

    /// Whether it is an integer type.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self.value_type(), ValueType::Integer(_))
    }

    /// Whether it is a type of text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self.value_type(), ValueType::Text)
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

/// An id, inside and outside: what Postgres stores and what clients see in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdType {
    /// The domain of the keys.
    pub domain: DomainId,
    /// The type of the keys.
    pub key_type: KeyType,
    /// The type of the ids: `uuid` by default, `text` for the text forms, the type of the keys
    /// for native ids.
    pub shown: KeyType,
}

impl IdType {
    /// Whether ids are shown as the keys are stored: as integers of the same type.
    #[must_use]
    pub const fn is_native(self) -> bool {
        self.key_type.is_integer() && self.shown.is_integer()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_one_kind_have_a_common_type() {
        assert_eq!(KeyType::Int2.joined(KeyType::Int4), KeyType::Int4);
        assert_eq!(KeyType::Int8.joined(KeyType::Int2), KeyType::Int8);
        assert_eq!(KeyType::Varchar.joined(KeyType::Text), KeyType::Text);
        assert_eq!(KeyType::Bpchar.joined(KeyType::Bpchar), KeyType::Bpchar);
        for a in KeyType::ALL {
            assert_eq!(a.joined(a), a);
            for b in KeyType::ALL {
                assert_eq!(a.is_like(b), b.is_like(a));
                assert_eq!(
                    a.is_like(b),
                    a.is_text() == b.is_text()
                        && a.is_integer() == b.is_integer()
                        && (a == b || a.is_text() || a.is_integer())
                );
                if a.is_like(b) {
                    assert!(a.joined(b).is_like(a));
                    assert_eq!(a.joined(b), b.joined(a));
                }
            }
        }
    }

    #[test]
    fn every_oid_leads_back_to_its_type() {
        for key_type in KeyType::ALL {
            assert_eq!(KeyType::from_oid(key_type.oid()), Some((key_type, false)));
            assert_eq!(
                KeyType::from_oid(key_type.array_oid()),
                Some((key_type, true))
            );
        }
        assert_eq!(KeyType::from_oid(1700), None);
    }
}
