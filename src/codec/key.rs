//! The internal side: the integer keys of the database and the types that bound them. Does not
//! know how a key is hidden.

use std::fmt;

use super::error::KeyError;

/// The integer types that a key can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntegerType {
    /// `smallint`
    Int2,
    /// `integer`
    Int4,
    /// `bigint`
    Int8,
}

impl IntegerType {
    /// The smallest value of the type.
    #[must_use]
    pub const fn min(self) -> i64 {
        match self {
            Self::Int2 => i16::MIN as i64,
            Self::Int4 => i32::MIN as i64,
            Self::Int8 => i64::MIN,
        }
    }

    /// The largest value of the type.
    #[must_use]
    pub const fn max(self) -> i64 {
        match self {
            Self::Int2 => i16::MAX as i64,
            Self::Int4 => i32::MAX as i64,
            Self::Int8 => i64::MAX,
        }
    }

    /// Whether the type can hold the value.
    #[must_use]
    pub const fn fits(self, value: i64) -> bool {
        // Both comparisons are made, whatever the first one says: the value is a secret.
        (self.min() <= value) & (value <= self.max())
    }

    /// The name that Postgres prints for the type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int2 => "smallint",
            Self::Int4 => "integer",
            Self::Int8 => "bigint",
        }
    }
}

/// A key as the database stores it. It must never reach a client.
///
/// The width of its column is not part of it: an `integer` foreign key to a `bigint` key has
/// the same ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(i64);

impl Key {
    /// The key with this value.
    #[must_use]
    pub const fn new(value: i64) -> Self {
        Self(value)
    }

    /// The value, for the server only.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Reads a key from decimal text and checks that a column of type `key_type` can hold it.
    ///
    /// # Errors
    /// [`KeyError::Syntax`] if the text is not a decimal number, [`KeyError::Domain`] if the
    /// number is out of range.
    pub fn parse(text: &str, key_type: IntegerType) -> Result<Self, KeyError> {
        use std::num::IntErrorKind::{NegOverflow, PosOverflow};
        match text.parse() {
            Ok(value) if key_type.fits(value) => Ok(Self(value)),
            Ok(_) => Err(KeyError::Domain(key_type)),
            Err(error) if matches!(error.kind(), NegOverflow | PosOverflow) => {
                Err(KeyError::Domain(key_type))
            }
            Err(_) => Err(KeyError::Syntax),
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_does_not_show_the_key() {
        assert_eq!(format!("{:?}", Key::new(8613972450000001)), "Key(..)");
    }

    #[test]
    fn each_type_holds_its_bounds_and_not_their_neighbours() {
        for key_type in [IntegerType::Int2, IntegerType::Int4, IntegerType::Int8] {
            assert!(key_type.fits(key_type.min()) && key_type.fits(key_type.max()));
        }
        for key_type in [IntegerType::Int2, IntegerType::Int4] {
            assert!(!key_type.fits(key_type.min() - 1) && !key_type.fits(key_type.max() + 1));
        }
    }

    #[test]
    fn a_number_beyond_the_type_is_out_of_range_and_a_word_is_not_a_number() {
        assert_eq!(Key::parse("-42", IntegerType::Int2), Ok(Key::new(-42)));
        let out_of_range = |key_type| Err(KeyError::Domain(key_type));
        assert_eq!(
            Key::parse("32768", IntegerType::Int2),
            out_of_range(IntegerType::Int2)
        );
        let beyond_int8 = "9223372036854775808";
        assert_eq!(
            Key::parse(beyond_int8, IntegerType::Int8),
            out_of_range(IntegerType::Int8)
        );
        for text in ["", "x", "1 ", "1.0", "-"] {
            assert_eq!(Key::parse(text, IntegerType::Int8), Err(KeyError::Syntax));
        }
    }
}
