//! The codec `feistel`: an integer key to a valid UUID and back, with redundancy.
//!
//! The 122 bits of a UUID that are neither version nor variant hold the 64-bit key behind 58
//! zero bits, permuted. Those zeros are the redundancy: an id that was not issued decodes to a
//! key with probability 2^-58 for `bigint`, 2^-90 for `integer` and 2^-106 for `smallint`, for
//! each secret of the ring. The low 62 bits of the key are the right half, so that the first
//! round already sees distinct inputs.
//!
//! Nothing is random: equal keys have equal ids, as keys must.

use aes::Aes128;

use super::error::DecodeError;
use super::feistel_network::{Network, Shape};
use super::id_codec::Version;
use super::key::{IntegerType, Key};
use super::opaque_id::OpaqueId;
use super::prf::{Blake3, RoundFunction, SipHash24};
use super::secret::{KeyRing, Secret};
use super::subkey::DomainName;
use super::uuid_bits::{self, LOW_62};

/// How many rounds. They are part of the derivation: keys are not shared between the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounds {
    /// Proven up to about 2^28 ids of a domain, which big tables reach. For known answers only.
    Four,
    /// What is used: a strong pseudorandom permutation, believed good up to 2^60 ids.
    Six,
}

impl Rounds {
    /// The 122 bits are cut as the UUID is cut: 60 before the variant, 62 behind it.
    const fn shape(self) -> Shape {
        let pairs = match self {
            Self::Four => 2,
            Self::Six => 3,
        };
        Shape {
            left: 60,
            right: 62,
            pairs,
        }
    }
}

/// The name of the codec with this round function, part of the derivation.
pub(super) trait Ident: RoundFunction {
    fn ident(rounds: Rounds) -> &'static str;
}

impl Ident for Aes128 {
    fn ident(rounds: Rounds) -> &'static str {
        match rounds {
            Rounds::Four => "feistel/60-62/r4/aes128",
            Rounds::Six => "feistel/60-62/r6/aes128",
        }
    }
}

impl Ident for SipHash24 {
    fn ident(rounds: Rounds) -> &'static str {
        match rounds {
            Rounds::Four => "feistel/60-62/r4/siphash24",
            Rounds::Six => "feistel/60-62/r6/siphash24",
        }
    }
}

impl Ident for Blake3 {
    fn ident(rounds: Rounds) -> &'static str {
        match rounds {
            Rounds::Four => "feistel/60-62/r4/blake3",
            Rounds::Six => "feistel/60-62/r6/blake3",
        }
    }
}

/// `feistel` in one domain.
pub(super) struct Feistel<F = Aes128> {
    rounds: Rounds,
    version: Version,
    current: Network<F>,
    older: Box<[Network<F>]>,
}

impl<F: Ident> Feistel<F> {
    pub(super) fn new(
        ring: &KeyRing,
        domain: &DomainName,
        version: Version,
        rounds: Rounds,
    ) -> Self {
        let derive =
            |secret: &Secret| Network::derive(secret, F::ident(rounds), domain, rounds.shape());
        Self {
            rounds,
            version,
            current: derive(&ring.current),
            older: ring.older.iter().map(derive).collect(),
        }
    }

    pub(super) fn ident(&self) -> &'static str {
        F::ident(self.rounds)
    }

    pub(super) const fn version(&self) -> Version {
        self.version
    }

    #[inline]
    pub(super) fn encode(&self, key: Key) -> OpaqueId {
        let (left, right) = split(key);
        let (left, right) = self.current.encrypt(left, right);
        pack(left, right, self.version)
    }

    #[inline]
    pub(super) fn decode(&self, id: OpaqueId, key_type: IntegerType) -> Result<Key, DecodeError> {
        let (left, right) = unpack(id, self.version)?;
        let (l, r) = self.current.decrypt(left, right);
        join(l, r, key_type)
            .or_else(|| self.decode_older(left, right, key_type))
            .ok_or(DecodeError::NotIssued)
    }

    /// The first success wins; how long it takes tells which secret it was, not which key.
    fn decode_older(&self, left: u128, right: u128, key_type: IntegerType) -> Option<Key> {
        self.older.iter().find_map(|network| {
            let (l, r) = network.decrypt(left, right);
            join(l, r, key_type)
        })
    }

    pub(super) fn encode_each<T, U>(
        &self,
        items: &[T],
        key: impl Fn(&T) -> Key,
        finish: impl Fn(&T, OpaqueId) -> U,
        out: &mut Vec<U>,
    ) {
        let finish = |item: &T, (left, right)| finish(item, pack(left, right, self.version));
        let halves = |item: &T| split(key(item));
        self.current.encrypt_each(items, halves, finish, out);
    }

    pub(super) fn decode_batch(
        &self,
        ids: &[OpaqueId],
        key_type: IntegerType,
        keys: &mut Vec<Result<Key, DecodeError>>,
    ) {
        // An id of another version goes through the rounds all the same, as zero.
        let halves = |id: &_| unpack(*id, self.version).unwrap_or_default();
        let finish = |id: &_, (l, r)| {
            let (left, right) = unpack(*id, self.version)?;
            join(l, r, key_type)
                .or_else(|| self.decode_older(left, right, key_type))
                .ok_or(DecodeError::NotIssued)
        };
        self.current.decrypt_each(ids, halves, finish, keys);
    }
}

/// The key in two's complement, sign-extended to 64 bits, as a 122-bit payload in two halves.
#[inline(always)]
fn split(key: Key) -> (u128, u128) {
    let payload = u128::from(key.get().cast_unsigned());
    (payload >> 62, payload & LOW_62)
}

/// The key, if the halves hold one that the type can hold. The 58 bits of redundancy are the
/// upper part of the left half and are tested by one comparison.
#[inline(always)]
fn join(left: u128, right: u128, key_type: IntegerType) -> Option<Key> {
    let payload = left << 62 | right;
    u64::try_from(payload)
        .ok()
        .map(u64::cast_signed)
        .filter(|key| key_type.fits(*key))
        .map(Key::new)
}

#[inline(always)]
fn pack(left: u128, right: u128, version: Version) -> OpaqueId {
    OpaqueId::from_bytes(uuid_bits::pack(left, right, version.nibble()))
}

/// The halves of a UUID, if it is of the version and variant that [`pack`] writes.
#[inline(always)]
fn unpack(id: OpaqueId, version: Version) -> Result<(u128, u128), DecodeError> {
    let bytes = id.to_bytes();
    if uuid_bits::version(bytes) == Some(version.nibble()) {
        Ok(uuid_bits::halves(bytes))
    } else {
        Err(DecodeError::Version)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const OTHER: &str = "ff0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const TYPES: [IntegerType; 3] = [IntegerType::Int2, IntegerType::Int4, IntegerType::Int8];

    fn ring(secrets: &[&str]) -> KeyRing {
        let mut secrets = secrets.iter().map(|text| Secret::parse(text).unwrap());
        KeyRing {
            current: secrets.next().unwrap(),
            older: secrets.collect(),
        }
    }

    fn codec(secrets: &[&str], domain: &str) -> Feistel {
        Feistel::new(
            &ring(secrets),
            &domain.parse().unwrap(),
            Version::V8,
            Rounds::Six,
        )
    }

    /// Keys of all magnitudes and both signs, without randomness.
    fn keys(count: u64) -> impl Iterator<Item = Key> {
        let spread = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 64);
        (0..count).map(move |i| Key::new(spread(i).cast_signed()))
    }

    fn encode_batch(codec: &Feistel, keys: &[Key], ids: &mut Vec<OpaqueId>) {
        codec.encode_each(keys, |key| *key, |_, id| id, ids);
    }

    #[test]
    fn the_ids_are_those_of_the_published_example() {
        let codec = codec(&[SECRET], "user");
        for (key, id) in [
            (1, "e59bcce6-0853-8657-8814-127b2d43bf23"),
            (42, "3bbb5eb5-7b3f-81df-9d5d-a4c417725507"),
            (-1, "1225efdc-38c3-8e87-a50b-9cd3c5d68c41"),
        ] {
            assert_eq!(codec.encode(Key::new(key)).to_string(), id);
            assert!(
                TYPES
                    .iter()
                    .all(|t| codec.decode(id.parse().unwrap(), *t) == Ok(Key::new(key)))
            );
        }
    }

    #[test]
    fn an_issued_id_with_any_one_bit_flipped_never_decodes() {
        let codec = codec(&[SECRET], "user");
        let mut decoded = Vec::new();
        for key in keys(10_000) {
            let id = u128::from_be_bytes(codec.encode(key).to_bytes());
            let flipped: [OpaqueId; 128] =
                std::array::from_fn(|bit| OpaqueId::from_bytes((id ^ 1 << bit).to_be_bytes()));
            codec.decode_batch(&flipped, IntegerType::Int8, &mut decoded);
            for (bit, result) in decoded.drain(..).enumerate() {
                let fixed = matches!(bit, 62 | 63 | 76..=79);
                let expected = if fixed {
                    DecodeError::Version
                } else {
                    DecodeError::NotIssued
                };
                assert_eq!(result, Err(expected), "bit {bit}");
            }
        }
    }

    #[test]
    fn an_id_of_one_domain_never_decodes_in_another() {
        let domains = ["user", "users", "order", "User"].map(|name| codec(&[SECRET], name));
        for key in keys(2_000) {
            for (i, issuer) in domains.iter().enumerate() {
                let id = issuer.encode(key);
                for (j, reader) in domains.iter().enumerate() {
                    let expected = if i == j {
                        Ok(key)
                    } else {
                        Err(DecodeError::NotIssued)
                    };
                    assert_eq!(reader.decode(id, IntegerType::Int8), expected);
                }
            }
        }
    }

    #[test]
    fn an_id_whose_key_the_column_cannot_hold_was_not_issued_for_it() {
        let codec = codec(&[SECRET], "user");
        for (key_type, beyond) in [(IntegerType::Int2, 1 << 15), (IntegerType::Int4, 1 << 31)] {
            let id = codec.encode(Key::new(beyond));
            assert_eq!(codec.decode(id, key_type), Err(DecodeError::NotIssued));
            assert_eq!(codec.decode(id, IntegerType::Int8), Ok(Key::new(beyond)));
        }
    }

    #[test]
    fn after_a_rotation_new_ids_are_shown_and_old_ones_still_decode() {
        let before = codec(&[OTHER], "user");
        let after = codec(&[SECRET, OTHER], "user");
        let finished = codec(&[SECRET], "user");
        let mut batch = Vec::new();
        for key in keys(200) {
            let (old, new) = (before.encode(key), after.encode(key));
            assert_ne!(old, new);
            assert!(new == finished.encode(key));
            after.decode_batch(&[old, new, OpaqueId::NIL], IntegerType::Int8, &mut batch);
            assert_eq!(batch, [Ok(key), Ok(key), Err(DecodeError::Version)]);
            assert_eq!(after.decode(old, IntegerType::Int8), Ok(key));
            assert_eq!(
                finished.decode(old, IntegerType::Int8),
                Err(DecodeError::NotIssued)
            );
            batch.clear();
        }
    }

    #[test]
    fn the_version_changes_one_digit_and_is_checked() {
        let make = |version| {
            Feistel::<Aes128>::new(
                &ring(&[SECRET]),
                &"user".parse().unwrap(),
                version,
                Rounds::Six,
            )
        };
        let (v8, v4) = (make(Version::V8), make(Version::V4));
        let (id8, id4) = (v8.encode(Key::new(1)), v4.encode(Key::new(1)));
        assert_eq!(id4.to_string(), "e59bcce6-0853-4657-8814-127b2d43bf23");
        assert_eq!(v4.decode(id4, IntegerType::Int8), Ok(Key::new(1)));
        assert_eq!(v4.decode(id8, IntegerType::Int8), Err(DecodeError::Version));
        assert_eq!(v8.decode(id4, IntegerType::Int8), Err(DecodeError::Version));
    }

    #[test]
    fn nil_and_max_are_never_issued() {
        for id in [OpaqueId::NIL, OpaqueId::MAX] {
            let result = codec(&[SECRET], "user").decode(id, IntegerType::Int8);
            assert_eq!(result, Err(DecodeError::Version));
        }
    }

    #[test]
    fn a_batch_of_any_size_equals_one_by_one() {
        let codec = codec(&[SECRET, OTHER], "user");
        let all: Vec<Key> = keys(300).collect();
        for count in (0..140).chain([175, 176, 177, 191, 192, 193, 300]) {
            let keys = &all[..count];
            let mut ids = vec![OpaqueId::NIL];
            encode_batch(&codec, keys, &mut ids);
            assert_eq!(ids.len(), count + 1, "appends");
            assert!(
                keys.iter()
                    .zip(&ids[1..])
                    .all(|(key, id)| codec.encode(*key) == *id)
            );
            // Every third is spoilt, in turn by its version and by its payload.
            for (i, id) in ids.iter_mut().enumerate().step_by(3) {
                let spoilt = u128::from_be_bytes(id.to_bytes()) ^ 1 << [77, 3][i % 2];
                *id = OpaqueId::from_bytes(spoilt.to_be_bytes());
            }
            let mut decoded = Vec::new();
            codec.decode_batch(&ids, IntegerType::Int4, &mut decoded);
            let single = ids.iter().map(|id| codec.decode(*id, IntegerType::Int4));
            assert!(decoded.into_iter().eq(single), "{count}");
        }
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(any in any::<i64>(), key_type in 0..3_usize) {
            let key_type = TYPES[key_type];
            // Into the range of the type, from any value.
            let key = Key::new(match key_type {
                IntegerType::Int2 => any >> 48,
                IntegerType::Int4 => any >> 32,
                IntegerType::Int8 => any,
            });
            let codec = codec(&[SECRET], "user");
            prop_assert_eq!(codec.decode(codec.encode(key), key_type), Ok(key));
        }
    }
}
