//! The codec `aes`: any sixteen bytes to any sixteen bytes by one AES block.
//!
//! For keys that use the version bits themselves, for ULIDs, for sequence and nonce. Every
//! sixteen bytes are valid on both sides, so there is no redundancy; the version digit outside is
//! random, which strict validators refuse.
//!
//! In reverse, the two directions are swapped: for a column whose stored values are the opaque
//! ones, or to find the internal key that is shown as an id that must not change.

use super::block::BlockKey;
use super::opaque_id::OpaqueId;
use super::secret::Secret;
use super::subkey::DomainName;
use super::value::UuidKey;

/// The name of the codec, part of the derivation.
pub(super) const IDENT: &str = "aes/128";

/// Which way the block runs when encoding. It is no part of the derivation: the two are inverse
/// to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// Encoding encrypts.
    #[default]
    Forward,
    /// Encoding decrypts.
    Reverse,
}

/// `aes` in one domain.
pub(super) struct AesBlock {
    key: BlockKey,
    direction: Direction,
}

impl AesBlock {
    pub(super) fn new(secret: &Secret, domain: &DomainName, direction: Direction) -> Self {
        Self {
            key: BlockKey::derive(secret, IDENT, domain),
            direction,
        }
    }

    #[inline]
    pub(super) fn encode(&self, key: UuidKey) -> OpaqueId {
        OpaqueId::from_bytes(match self.direction {
            Direction::Forward => self.key.encrypt(key.to_bytes()),
            Direction::Reverse => self.key.decrypt(key.to_bytes()),
        })
    }

    #[inline]
    pub(super) fn decode(&self, id: OpaqueId) -> UuidKey {
        UuidKey::from_bytes(match self.direction {
            Direction::Forward => self.key.decrypt(id.to_bytes()),
            Direction::Reverse => self.key.encrypt(id.to_bytes()),
        })
    }

    pub(super) fn encode_batch<E>(&self, keys: &[UuidKey], ids: &mut Vec<Result<OpaqueId, E>>) {
        let finish = |_: &_, block| Ok(OpaqueId::from_bytes(block));
        match self.direction {
            Direction::Forward => self
                .key
                .encrypt_each(keys, |key| key.to_bytes(), finish, ids),
            Direction::Reverse => self
                .key
                .decrypt_each(keys, |key| key.to_bytes(), finish, ids),
        }
    }

    pub(super) fn decode_batch<E>(&self, ids: &[OpaqueId], keys: &mut Vec<Result<UuidKey, E>>) {
        let finish = |_: &_, block| Ok(UuidKey::from_bytes(block));
        match self.direction {
            Direction::Forward => self.key.decrypt_each(ids, |id| id.to_bytes(), finish, keys),
            Direction::Reverse => self.key.encrypt_each(ids, |id| id.to_bytes(), finish, keys),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn codec(direction: Direction) -> AesBlock {
        let secret = Secret::parse(&"11".repeat(32)).unwrap();
        AesBlock::new(&secret, &"user".parse().unwrap(), direction)
    }

    #[test]
    fn a_row_whose_id_must_not_change_gets_the_key_that_is_shown_as_it() {
        let old = OpaqueId::from_bytes(1234_u128.to_be_bytes());
        let codec = codec(Direction::Forward);
        let key = codec.decode(old);
        assert_eq!(
            codec.encode(key).to_string(),
            "00000000-0000-0000-0000-0000000004d2"
        );
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity_and_reverse_swaps_the_two(bytes in any::<[u8; 16]>()) {
            let (forward, reverse) = (codec(Direction::Forward), codec(Direction::Reverse));
            let (key, id) = (UuidKey::from_bytes(bytes), OpaqueId::from_bytes(bytes));
            for codec in [&forward, &reverse] {
                prop_assert_eq!(codec.decode(codec.encode(key)), key);
            }
            prop_assert_eq!(forward.encode(key).to_bytes(), reverse.decode(id).to_bytes());
        }
    }
}
