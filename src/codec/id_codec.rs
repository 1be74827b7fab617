//! The one way between integer keys and ids of sixteen bytes: a codec of one id domain. Which
//! permutation it is, is hidden here.

use std::fmt;

use aes::Aes128;

use super::aes_int::{self, AesInt};
use super::error::DecodeError;
use super::feistel::{Feistel, Rounds};
use super::key::{IntegerType, Key};
use super::opaque_id::OpaqueId;
use super::prf::{Blake3, Prf, SipHash24};
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

/// A codec of one id domain whose keys are integers: a keyed injection of keys into ids.
///
/// It holds derived keys, so it can't be cloned; share it in an `Arc`.
pub struct IdCodec {
    permutation: Permutation,
}

/// The codecs, by the names that the configuration uses.
enum Permutation {
    Feistel(Feistel<Aes128>),
    FeistelSipHash(Feistel<SipHash24>),
    FeistelBlake3(Feistel<Blake3>),
    AesInt(Box<AesInt>),
}

/// Evaluates an expression with whichever codec there is, without a virtual call.
macro_rules! permute {
    ($codec:expr, $permutation:ident => $result:expr) => {
        match &$codec.permutation {
            Permutation::Feistel($permutation) => $result,
            Permutation::FeistelSipHash($permutation) => $result,
            Permutation::FeistelBlake3($permutation) => $result,
            Permutation::AesInt($permutation) => $result,
        }
    };
}

impl IdCodec {
    /// About how many nanoseconds an id takes among others, for each key of the ring.
    pub(super) const fn nanoseconds(&self) -> u64 {
        match &self.permutation {
            Permutation::AesInt(_) => 5,
            Permutation::Feistel(_) => 20,
            Permutation::FeistelSipHash(_) => 70,
            Permutation::FeistelBlake3(_) => 400,
        }
    }

    /// The codec `feistel`: integer keys, ids that are valid UUIDs with 58 bits of redundancy.
    #[must_use]
    pub fn feistel(ring: &KeyRing, domain: &DomainName, version: Version) -> Self {
        Self::feistel_of(ring, domain, version, Rounds::Six, Prf::Aes128)
    }

    /// The codec `feistel` with another round function, for machines without AES instructions.
    /// The ids are others too.
    #[must_use]
    pub fn feistel_with(ring: &KeyRing, domain: &DomainName, version: Version, prf: Prf) -> Self {
        Self::feistel_of(ring, domain, version, Rounds::Six, prf)
    }

    /// The codec `aes-int`: integer keys, ids that are any sixteen bytes, with 64 bits of
    /// redundancy. The default for ids in a text form; as UUIDs, validators that look at the
    /// version refuse most of them.
    #[must_use]
    pub fn aes_int(ring: &KeyRing, domain: &DomainName) -> Self {
        Self {
            permutation: Permutation::AesInt(Box::new(AesInt::new(ring, domain))),
        }
    }

    pub(super) fn feistel_of(
        ring: &KeyRing,
        domain: &DomainName,
        version: Version,
        rounds: Rounds,
        prf: Prf,
    ) -> Self {
        let permutation = match prf {
            Prf::Aes128 => Permutation::Feistel(Feistel::new(ring, domain, version, rounds)),
            Prf::SipHash24 => {
                Permutation::FeistelSipHash(Feistel::new(ring, domain, version, rounds))
            }
            Prf::Blake3 => Permutation::FeistelBlake3(Feistel::new(ring, domain, version, rounds)),
        };
        Self { permutation }
    }

    /// The codec's name with its parameters, as it is part of the derivation.
    #[must_use]
    pub fn ident(&self) -> &'static str {
        match &self.permutation {
            Permutation::Feistel(feistel) => feistel.ident(),
            Permutation::FeistelSipHash(feistel) => feistel.ident(),
            Permutation::FeistelBlake3(feistel) => feistel.ident(),
            Permutation::AesInt(_) => aes_int::IDENT,
        }
    }

    /// The version that its ids show; none if they are no UUIDs of RFC 9562.
    #[must_use]
    pub const fn version(&self) -> Option<Version> {
        match &self.permutation {
            Permutation::Feistel(feistel) => Some(feistel.version()),
            Permutation::FeistelSipHash(feistel) => Some(feistel.version()),
            Permutation::FeistelBlake3(feistel) => Some(feistel.version()),
            Permutation::AesInt(_) => None,
        }
    }

    /// The id that a key is shown as, under the current secret.
    #[must_use]
    #[inline]
    pub fn encode(&self, key: Key) -> OpaqueId {
        permute!(self, codec => codec.encode(key))
    }

    /// The key that an id stands for, under any secret of the ring.
    ///
    /// # Errors
    /// [`DecodeError`] if the id was not issued for this domain and for a column of type
    /// `key_type`.
    #[inline]
    pub fn decode(&self, id: OpaqueId, key_type: IntegerType) -> Result<Key, DecodeError> {
        permute!(self, codec => codec.decode(id, key_type))
    }

    /// Appends the id of each key to `ids`, in order: what [`IdCodec::encode`] gives, several
    /// times as fast from about eight keys on. Allocates nothing if `ids` has room.
    pub fn encode_batch(&self, keys: &[Key], ids: &mut Vec<OpaqueId>) {
        self.encode_each(keys, |key| *key, |_, id| id, ids);
    }

    /// Appends what [`IdCodec::decode`] gives for each id to `keys`, in order. Allocates
    /// nothing if `keys` has room.
    pub fn decode_batch(
        &self,
        ids: &[OpaqueId],
        key_type: IntegerType,
        keys: &mut Vec<Result<Key, DecodeError>>,
    ) {
        permute!(self, codec => codec.decode_batch(ids, key_type, keys))
    }

    /// Appends what `finish` makes of each item and of the id of its key.
    #[inline]
    pub(super) fn encode_each<T, U>(
        &self,
        items: &[T],
        key: impl Fn(&T) -> Key,
        finish: impl Fn(&T, OpaqueId) -> U,
        out: &mut Vec<U>,
    ) {
        permute!(self, codec => codec.encode_each(items, key, finish, out))
    }
}

impl fmt::Debug for IdCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("IdCodec");
        shown.field("ident", &self.ident());
        if let Some(version) = self.version() {
            shown.field("version", &version);
        }
        shown.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        let ring = KeyRing::new(super::super::Secret::generate().unwrap());
        let shown = format!("{:?}", IdCodec::aes_int(&ring, &domain));
        assert_eq!(shown, r#"IdCodec { ident: "aes-int/128", .. }"#);
    }

    #[test]
    fn a_codec_can_be_shared_between_threads() {
        const fn shared<T: Send + Sync>() {}
        shared::<IdCodec>();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn decode_after_encode_is_the_identity_with_every_round_function(key in any::<i64>()) {
            let ring = KeyRing::new(super::super::Secret::generate().unwrap());
            let domain = "user".parse().unwrap();
            for prf in [Prf::Aes128, Prf::SipHash24, Prf::Blake3] {
                for version in [Version::V8, Version::V4] {
                    let codec = IdCodec::feistel_with(&ring, &domain, version, prf);
                    let id = codec.encode(Key::new(key));
                    prop_assert_eq!(codec.decode(id, IntegerType::Int8), Ok(Key::new(key)));
                }
            }
        }
    }
}
