//! The types of Postgres that a column of keys can have, and that clients can see in its place.

use super::oid;

/// A type of Postgres in which keys are stored or ids are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
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
    /// `character`: blank-padded by the server, and read here without the blanks.
    Bpchar,
}

/// What `pg_type` says of a type: its oid, that of its array type, and the bytes of a value, or -1
/// if they differ; and how it is written in SQL, qualified so that no type of the user's hides it.
struct Row(u32, u32, i16, &'static str, &'static str);

impl Type {
    /// All types that keys have.
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

    #[rustfmt::skip]
    const fn row(self) -> Row {
        match self {
            Self::Int2 => Row(oid::INT2, oid::INT2_ARRAY, 2, "pg_catalog.int2", "smallint"),
            Self::Int4 => Row(oid::INT4, oid::INT4_ARRAY, 4, "pg_catalog.int4", "integer"),
            Self::Int8 => Row(oid::INT8, oid::INT8_ARRAY, 8, "pg_catalog.int8", "bigint"),
            Self::Uuid => Row(oid::UUID, oid::UUID_ARRAY, 16, "pg_catalog.uuid", "uuid"),
            Self::Bytea => Row(oid::BYTEA, oid::BYTEA_ARRAY, -1, "pg_catalog.bytea", "bytea"),
            Self::Text => Row(oid::TEXT, oid::TEXT_ARRAY, -1, "pg_catalog.text", "text"),
            Self::Varchar => {
                Row(oid::VARCHAR, oid::VARCHAR_ARRAY, -1, "pg_catalog.varchar", "character varying")
            }
            Self::Bpchar => {
                Row(oid::BPCHAR, oid::BPCHAR_ARRAY, -1, "pg_catalog.bpchar", "character")
            }
        }
    }

    /// The oid of the type.
    #[must_use]
    pub const fn oid(self) -> u32 {
        self.row().0
    }

    /// The oid of the type of its arrays.
    #[must_use]
    pub const fn array_oid(self) -> u32 {
        self.row().1
    }

    /// `pg_type.typlen`: the bytes of a value, or -1 if they differ.
    #[must_use]
    pub const fn size(self) -> i16 {
        self.row().2
    }

    /// How it is written in SQL, qualified so that no type of the user's hides it.
    #[must_use]
    pub const fn sql(self) -> &'static str {
        self.row().3
    }

    /// The name that messages of Postgres give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().4
    }

    /// The type with this oid, and whether the oid is that of its array type.
    #[must_use]
    pub fn from_oid(oid: u32) -> Option<(Self, bool)> {
        Self::ALL.into_iter().find_map(|of| {
            let (scalar, array) = (of.oid(), of.array_oid());
            (oid == scalar || oid == array).then_some((of, oid == array))
        })
    }

    /// Tells whether it is an integer type.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Int2 | Self::Int4 | Self::Int8)
    }

    /// Tells whether it is a type of text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Varchar | Self::Bpchar)
    }

    /// Tells whether values of the two are of one kind: integers, or text of any sort, or the same
    /// type. Postgres compares such types with each other without a cast.
    #[must_use]
    pub const fn is_like(self, other: Self) -> bool {
        (self.is_integer() && other.is_integer())
            || (self.is_text() && other.is_text())
            || matches!(
                (self, other),
                (Self::Uuid, Self::Uuid) | (Self::Bytea, Self::Bytea)
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

    /// The smallest integer of the type, that of `bigint` if it is no integer type.
    #[must_use]
    pub const fn minimum(self) -> i64 {
        match self {
            Self::Int2 => i16::MIN as i64,
            Self::Int4 => i32::MIN as i64,
            _ => i64::MIN,
        }
    }

    /// The largest integer of the type, that of `bigint` if it is no integer type.
    #[must_use]
    pub const fn maximum(self) -> i64 {
        match self {
            Self::Int2 => i16::MAX as i64,
            Self::Int4 => i32::MAX as i64,
            _ => i64::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_one_kind_have_a_common_type() {
        assert_eq!(Type::Int2.joined(Type::Int4), Type::Int4);
        assert_eq!(Type::Int8.joined(Type::Int2), Type::Int8);
        assert_eq!(Type::Varchar.joined(Type::Text), Type::Text);
        assert_eq!(Type::Bpchar.joined(Type::Bpchar), Type::Bpchar);
        for a in Type::ALL {
            assert_eq!(a.joined(a), a);
            for b in Type::ALL {
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
        for of in Type::ALL {
            assert_eq!(Type::from_oid(of.oid()), Some((of, false)));
            assert_eq!(Type::from_oid(of.array_oid()), Some((of, true)));
        }
        assert_eq!(Type::from_oid(1700), None);
    }
}
