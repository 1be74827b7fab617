//! The codec `aes-int`: an integer key to any sixteen bytes, with redundancy.
//!
//! The block is eight zero bytes and the key, big-endian; the zeros make that bytes which were
//! not issued decode to a key with probability 2^-64 for `bigint`, for each secret of the ring.
//! One AES call, and stronger than `feistel` in every respect but one: the result is not a UUID
//! of RFC 9562, so it suits text forms, and clients that do not look at the version.

use super::block::BlockKey;
use super::error::DecodeError;
use super::key::{IntegerType, Key};
use super::opaque_id::OpaqueId;
use super::secret::{KeyRing, Secret};
use super::subkey::DomainName;

/// The name of the codec, part of the derivation.
pub(super) const IDENT: &str = "aes-int/128";

/// `aes-int` in one domain.
pub(super) struct AesInt {
    current: BlockKey,
    older: Box<[BlockKey]>,
}

impl AesInt {
    pub(super) fn new(ring: &KeyRing, domain: &DomainName) -> Self {
        let derive = |secret: &Secret| BlockKey::derive(secret, IDENT, domain);
        Self {
            current: derive(&ring.current),
            older: ring.older.iter().map(derive).collect(),
        }
    }

    #[inline]
    pub(super) fn encode(&self, key: Key) -> OpaqueId {
        OpaqueId::from_bytes(self.current.encrypt(pad(key)))
    }

    #[inline]
    pub(super) fn decode(&self, id: OpaqueId, key_type: IntegerType) -> Result<Key, DecodeError> {
        let block = self.current.decrypt(id.to_bytes());
        self.checked(id, block, key_type)
    }

    pub(super) fn encode_each<T, U>(
        &self,
        items: &[T],
        key: impl Fn(&T) -> Key,
        finish: impl Fn(&T, OpaqueId) -> U,
        out: &mut Vec<U>,
    ) {
        let finish = |item: &T, block| finish(item, OpaqueId::from_bytes(block));
        let block = |item: &T| pad(key(item));
        self.current.encrypt_each(items, block, finish, out);
    }

    pub(super) fn decode_batch(
        &self,
        ids: &[OpaqueId],
        key_type: IntegerType,
        keys: &mut Vec<Result<Key, DecodeError>>,
    ) {
        let finish = |id: &_, block| self.checked(*id, block, key_type);
        self.current
            .decrypt_each(ids, |id| id.to_bytes(), finish, keys);
    }

    /// The key in a block that the current secret gave, or in one that an older secret gives.
    #[inline]
    fn checked(
        &self,
        id: OpaqueId,
        block: [u8; 16],
        key_type: IntegerType,
    ) -> Result<Key, DecodeError> {
        let older = || {
            let mut blocks = self.older.iter().map(|key| key.decrypt(id.to_bytes()));
            blocks.find_map(|block| unpad(block, key_type))
        };
        unpad(block, key_type)
            .or_else(older)
            .ok_or(DecodeError::NotIssued)
    }
}

/// Eight zero bytes and the key in two's complement.
#[inline(always)]
fn pad(key: Key) -> [u8; 16] {
    u128::from(key.get().cast_unsigned()).to_be_bytes()
}

/// The key, if the padding is right and the type can hold it.
#[inline(always)]
fn unpad(block: [u8; 16], key_type: IntegerType) -> Option<Key> {
    u64::try_from(u128::from_be_bytes(block))
        .ok()
        .map(u64::cast_signed)
        .filter(|key| key_type.fits(*key))
        .map(Key::new)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn codec(ring: &KeyRing) -> AesInt {
        AesInt::new(ring, &"user".parse().unwrap())
    }

    fn secret(first: u8) -> Secret {
        Secret::parse(&format!("{first:02x}{}", "11".repeat(31))).unwrap()
    }

    #[test]
    fn an_issued_id_with_any_one_bit_flipped_never_decodes() {
        let codec = codec(&KeyRing::new(secret(1)));
        for key in [0, 1, -1, i64::MIN, 8_613_972_450_000_001] {
            let id = u128::from_be_bytes(codec.encode(Key::new(key)).to_bytes());
            for bit in 0..128 {
                let flipped = OpaqueId::from_bytes((id ^ 1 << bit).to_be_bytes());
                let result = codec.decode(flipped, IntegerType::Int8);
                assert_eq!(result, Err(DecodeError::NotIssued));
            }
        }
    }

    #[test]
    fn after_a_rotation_old_ids_still_decode() {
        let before = codec(&KeyRing::new(secret(1)));
        let after = codec(&KeyRing {
            current: secret(2),
            older: vec![secret(1)],
        });
        let id = before.encode(Key::new(42));
        assert_eq!(after.decode(id, IntegerType::Int4), Ok(Key::new(42)));
        let mut keys = Vec::new();
        after.decode_batch(&[id, OpaqueId::MAX], IntegerType::Int4, &mut keys);
        assert_eq!(keys, [Ok(Key::new(42)), Err(DecodeError::NotIssued)]);
        assert!(after.encode(Key::new(42)) != id);
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(key in any::<i64>()) {
            let codec = codec(&KeyRing::new(secret(1)));
            let decoded = codec.decode(codec.encode(Key::new(key)), IntegerType::Int8);
            prop_assert_eq!(decoded, Ok(Key::new(key)));
        }
    }
}
