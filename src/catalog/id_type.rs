//! Ids, inside and outside.

use super::{DomainId, KeyType};

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
    /// Whether both are of keys of one domain and one type.
    #[must_use]
    pub fn is_of_keys_like(self, other: Self) -> bool {
        self.domain == other.domain && self.key_type == other.key_type
    }

    /// Whether ids are shown as the keys are stored: as integers of the same type.
    #[must_use]
    pub const fn is_native(self) -> bool {
        self.key_type.is_integer() && self.shown.is_integer()
    }
}
