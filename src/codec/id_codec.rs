//! The one way between keys and ids: a codec of one id domain. Which permutation it is, is
//! hidden here.

use std::fmt;

use super::error::DecodeError;
use super::feistel::{Feistel, Rounds};
use super::key::{Key, KeyType};
use super::opaque_id::OpaqueId;
use super::secret::KeyRing;
use super::subkey::DomainName;

/// The version that the ids of a domain show. It is no part of the keys: changing it changes
/// the one digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Version {
    /// Vendor-specific (RFC 9562, section 5.8): what the ids are. A UUID of version 4 or 7 in
    /// their place is then refused without any cryptography.
    #[default]
    V8,
    /// Random: for clients whose validators know only the versions 1 to 5.
    V4,
}

impl Version {
    #[inline(always)]
    pub(super) const fn nibble(self) -> u128 {
        match self {
            Self::V8 => 8,
            Self::V4 => 4,
        }
    }
}

/// A codec of one id domain: a keyed injection of keys into ids.
///
/// It holds derived keys, so it can't be cloned; share it in an `Arc`.
pub struct IdCodec {
    permutation: Permutation,
}

/// The codecs, by the names that the configuration uses.
enum Permutation {
    Feistel(Feistel),
}

impl IdCodec {
    /// The codec `feistel`: integer keys, ids that are valid UUIDs with 58 bits of redundancy.
    #[must_use]
    pub fn feistel(ring: &KeyRing, domain: &DomainName, version: Version) -> Self {
        Self::feistel_of(ring, domain, version, Rounds::Six)
    }

    pub(super) fn feistel_of(
        ring: &KeyRing,
        domain: &DomainName,
        version: Version,
        rounds: Rounds,
    ) -> Self {
        let feistel = Feistel::new(ring, domain, version, rounds);
        Self {
            permutation: Permutation::Feistel(feistel),
        }
    }

    /// The id that a key is shown as, under the current secret.
    #[must_use]
    #[inline]
    pub fn encode(&self, key: Key) -> OpaqueId {
        match &self.permutation {
            Permutation::Feistel(feistel) => feistel.encode(key),
        }
    }

    /// The key that an id stands for, under any secret of the ring.
    ///
    /// # Errors
    /// [`DecodeError`] if the id was not issued for this domain and for a column of type
    /// `key_type`.
    #[inline]
    pub fn decode(&self, id: OpaqueId, key_type: KeyType) -> Result<Key, DecodeError> {
        match &self.permutation {
            Permutation::Feistel(feistel) => feistel.decode(id, key_type),
        }
    }

    /// Appends the id of each key to `ids`, in order: what [`IdCodec::encode`] gives, several
    /// times as fast from about eight keys on. Allocates nothing if `ids` has room.
    pub fn encode_batch(&self, keys: &[Key], ids: &mut Vec<OpaqueId>) {
        match &self.permutation {
            Permutation::Feistel(feistel) => feistel.encode_batch(keys, ids),
        }
    }

    /// Appends what [`IdCodec::decode`] gives for each id to `keys`, in order. Allocates
    /// nothing if `keys` has room.
    pub fn decode_batch(
        &self,
        ids: &[OpaqueId],
        key_type: KeyType,
        keys: &mut Vec<Result<Key, DecodeError>>,
    ) {
        match &self.permutation {
            Permutation::Feistel(feistel) => feistel.decode_batch(ids, key_type, keys),
        }
    }
}

impl fmt::Debug for IdCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Permutation::Feistel(feistel) = &self.permutation;
        f.debug_struct("IdCodec")
            .field("ident", &feistel.ident())
            .field("version", &feistel.version())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_which_codec_it_is_and_no_key() {
        let secret = super::super::Secret::generate().unwrap();
        let domain = "user".parse().unwrap();
        let codec = IdCodec::feistel(&KeyRing::new(secret), &domain, Version::V4);
        let shown = format!("{codec:?}");
        assert_eq!(
            shown,
            r#"IdCodec { ident: "feistel/60-62/r6/aes128", version: V4, .. }"#
        );
    }

    #[test]
    fn a_codec_can_be_shared_between_threads() {
        const fn shared<T: Send + Sync>() {}
        shared::<IdCodec>();
    }
}
