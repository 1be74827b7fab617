//! The codec `cycle-walk`: sixteen bytes whose first bit is clear, to the same.
//!
//! AES is applied until the bit is clear again: two calls on average, and it always ends, since
//! the cycle comes back to where it started. Values with the bit set stay free for another
//! scheme. How long it takes is a function of key and id; this is the one codec of sixteen bytes
//! whose time is not constant.

use super::block::BlockKey;
use super::error::{DecodeError, EncodeError};
use super::opaque_id::OpaqueId;
use super::secret::Secret;
use super::subkey::DomainName;
use super::value::UuidKey;

/// The name of the codec, part of the derivation.
pub(super) const IDENT: &str = "cycle-walk/127";

/// `cycle-walk` in one domain.
pub(super) struct CycleWalk(BlockKey);

impl CycleWalk {
    pub(super) fn new(secret: &Secret, domain: &DomainName) -> Self {
        Self(BlockKey::derive(secret, IDENT, domain))
    }

    pub(super) fn encode(&self, key: UuidKey) -> Result<OpaqueId, EncodeError> {
        walk(key.to_bytes(), |bytes| self.0.encrypt(bytes))
            .map(OpaqueId::from_bytes)
            .ok_or(EncodeError)
    }

    pub(super) fn decode(&self, id: OpaqueId) -> Result<UuidKey, DecodeError> {
        walk(id.to_bytes(), |bytes| self.0.decrypt(bytes))
            .map(UuidKey::from_bytes)
            .ok_or(DecodeError::NotIssued)
    }

    /// The first step of all keys goes in lock step; half of them need no other.
    pub(super) fn encode_batch(
        &self,
        keys: &[UuidKey],
        ids: &mut Vec<Result<OpaqueId, EncodeError>>,
    ) {
        let finish = |key: &UuidKey, step| {
            rest(key.to_bytes(), step, |bytes| self.0.encrypt(bytes))
                .map(OpaqueId::from_bytes)
                .ok_or(EncodeError)
        };
        self.0.encrypt_each(keys, |key| key.to_bytes(), finish, ids);
    }

    pub(super) fn decode_batch(
        &self,
        ids: &[OpaqueId],
        keys: &mut Vec<Result<UuidKey, DecodeError>>,
    ) {
        let finish = |id: &OpaqueId, step| {
            rest(id.to_bytes(), step, |bytes| self.0.decrypt(bytes))
                .map(UuidKey::from_bytes)
                .ok_or(DecodeError::NotIssued)
        };
        self.0.decrypt_each(ids, |id| id.to_bytes(), finish, keys);
    }
}

/// The next value on the cycle of `start` whose first bit is clear; none if that of `start` is
/// not.
fn walk(start: [u8; 16], step: impl Fn([u8; 16]) -> [u8; 16]) -> Option<[u8; 16]> {
    rest(start, step(start), step)
}

/// Finds the next value on the cycle of `start` whose first bit is clear, when the first step was
/// made already.
fn rest(
    start: [u8; 16],
    mut bytes: [u8; 16],
    step: impl Fn([u8; 16]) -> [u8; 16],
) -> Option<[u8; 16]> {
    if first_bit(start) {
        return None;
    }
    while first_bit(bytes) {
        bytes = step(bytes);
    }
    Some(bytes)
}

/// Bit 63 of the first 64-bit word, big-endian.
const fn first_bit([first, ..]: [u8; 16]) -> bool {
    first & 0x80 != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn walking_permutes_the_values_whose_first_bit_is_clear() {
        // A step over 256 values, with long and short cycles: x + 8 mod 256 in the first byte.
        let step = |mut bytes: [u8; 16]| {
            bytes[0] = bytes[0].wrapping_add(8);
            bytes
        };
        let mut images: Vec<u8> = (0..128)
            .map(|first| {
                let mut bytes = [0; 16];
                bytes[0] = first;
                walk(bytes, step).unwrap()[0]
            })
            .collect();
        images.sort_unstable();
        assert!(images.into_iter().eq(0..128));
        assert_eq!(walk([0x80; 16], step), None);
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(number in 0..1_u128 << 127) {
            let secret = Secret::parse(&"11".repeat(32)).unwrap();
            let codec = CycleWalk::new(&secret, &"user".parse().unwrap());
            let key = UuidKey::from_bytes(number.to_be_bytes());
            let id = codec.encode(key).unwrap();
            prop_assert!(id.to_bytes()[0] < 0x80);
            prop_assert_eq!(codec.decode(id), Ok(key));
        }
    }
}
