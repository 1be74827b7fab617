//! The codec `wide`: 32 bytes to 32 bytes, for wide tokens in `bytea` columns.
//!
//! Four rounds over halves of 128 bits, where each round is one whole AES block: the proof
//! reaches 2^63 ids. Every 32 bytes are valid on both sides, so there is no redundancy.

use super::feistel_network::{Network, Shape};
use super::secret::Secret;
use super::subkey::DomainName;
use super::value::{WideId, WideKey};

/// The name of the codec, part of the derivation.
const IDENT: &str = "wide/128-128/r4/aes128";

/// A codec of one id domain whose keys are 32 bytes: a keyed bijection between keys and ids.
///
/// It holds derived keys and can't be cloned.
pub struct Wide(Network);

impl Wide {
    /// The codec `wide`.
    #[must_use]
    pub fn new(secret: &Secret, domain: &DomainName) -> Self {
        let shape = Shape {
            left: 128,
            right: 128,
            pairs: 2,
        };
        Self(Network::derive(secret, IDENT, domain, shape))
    }

    /// The codec's name with its parameters, as it is part of the derivation.
    #[must_use]
    pub const fn ident(&self) -> &'static str {
        IDENT
    }

    /// The id that a key is shown as.
    #[must_use]
    pub fn encode(&self, key: WideKey) -> WideId {
        let (left, right) = split(key.to_bytes());
        WideId::from_bytes(join(self.0.encrypt(left, right)))
    }

    /// The key that an id stands for.
    #[must_use]
    pub fn decode(&self, id: WideId) -> WideKey {
        let (left, right) = split(id.to_bytes());
        WideKey::from_bytes(join(self.0.decrypt(left, right)))
    }

    /// Appends what [`Wide::encode`] gives for each key to `ids`, in order.
    pub fn encode_batch(&self, keys: &[WideKey], ids: &mut Vec<WideId>) {
        let finish = |_: &_, halves| WideId::from_bytes(join(halves));
        self.0
            .encrypt_each(keys, |key| split(key.to_bytes()), finish, ids);
    }

    /// Appends what [`Wide::decode`] gives for each id to `keys`, in order.
    pub fn decode_batch(&self, ids: &[WideId], keys: &mut Vec<WideKey>) {
        let finish = |_: &_, halves| WideKey::from_bytes(join(halves));
        self.0
            .decrypt_each(ids, |id| split(id.to_bytes()), finish, keys);
    }
}

impl std::fmt::Debug for Wide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wide")
            .field("ident", &IDENT)
            .finish_non_exhaustive()
    }
}

/// Bytes 0 to 15 and 16 to 31, the least significant first.
#[inline(always)]
fn split(bytes: [u8; 32]) -> (u128, u128) {
    let (halves, _) = bytes.as_chunks::<16>();
    match halves {
        [left, right] => (u128::from_le_bytes(*left), u128::from_le_bytes(*right)),
        _ => (0, 0),
    }
}

#[inline(always)]
fn join((left, right): (u128, u128)) -> [u8; 32] {
    let halves = [left.to_le_bytes(), right.to_le_bytes()];
    // Sixteen and sixteen are always 32.
    halves.as_flattened().try_into().unwrap_or([0; 32])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(bytes in any::<[u8; 32]>()) {
            let secret = Secret::parse(&"11".repeat(32)).unwrap();
            let codec = Wide::new(&secret, &"user".parse().unwrap());
            let key = WideKey::from_bytes(bytes);
            prop_assert_eq!(codec.decode(codec.encode(key)), key);
            prop_assert_eq!(join(split(bytes)), bytes);
        }
    }
}
