//! The codec `feistel`: an integer key to a valid UUID and back, with redundancy.
//!
//! The 122 bits of a UUID that are neither version nor variant hold the 64-bit key behind 58
//! zero bits, permuted. Those zeros are the redundancy: an id that was not issued decodes to a
//! key with probability 2^-58 for `bigint`, 2^-90 for `integer` and 2^-106 for `smallint`, for
//! each secret of the ring. The low 62 bits of the key are the right half, so that the first
//! round already sees distinct inputs.
//!
//! Nothing is random: equal keys have equal ids, as keys must.

use super::error::DecodeError;
use super::id_codec::Version;
use super::key::{Key, KeyType};
use super::network::{Lanes, Network, Shape};
use super::opaque_id::OpaqueId;
use super::secret::{KeyRing, Secret};
use super::subkey::DomainName;

/// Ids go through the rounds in groups of this size. On AVX-512, the `aes` crate
/// takes 64 blocks at once, the others fewer.
const WIDE: usize = 64;
/// The size of the groups for what is left over.
const NARROW: usize = 8;
/// From this many ids left over, one wide group that is not full is taken instead of narrow ones.
/// It pays from 36 ids on where the backend takes 64 blocks at once, and never where it takes 8;
/// this is between the two.
const FILL: usize = 48;

/// How many rounds. They are part of the derivation: keys are not shared between the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounds {
    /// Proven up to about 2^28 ids of a domain, which big tables reach. For known answers only.
    Four,
    /// What is used: a strong pseudorandom permutation, believed good up to 2^60 ids.
    Six,
}

impl Rounds {
    pub(super) const fn ident(self) -> &'static str {
        match self {
            Self::Four => "feistel/60-62/r4/aes128",
            Self::Six => "feistel/60-62/r6/aes128",
        }
    }

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

/// `feistel` in one domain.
pub(super) struct Feistel {
    rounds: Rounds,
    version: Version,
    current: Network,
    older: Box<[Network]>,
}

impl Feistel {
    pub(super) fn new(
        ring: &KeyRing,
        domain: &DomainName,
        version: Version,
        rounds: Rounds,
    ) -> Self {
        let derive =
            |secret: &Secret| Network::derive(secret, rounds.ident(), domain, rounds.shape());
        Self {
            rounds,
            version,
            current: derive(&ring.current),
            older: ring.older.iter().map(derive).collect(),
        }
    }

    pub(super) const fn ident(&self) -> &'static str {
        self.rounds.ident()
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
    pub(super) fn decode(&self, id: OpaqueId, key_type: KeyType) -> Result<Key, DecodeError> {
        let (left, right) = unpack(id, self.version)?;
        let (l, r) = self.current.decrypt(left, right);
        join(l, r, key_type)
            .or_else(|| self.decode_older(left, right, key_type))
            .ok_or(DecodeError::NotIssued)
    }

    /// The first success wins; how long it takes tells which secret it was, not which key.
    fn decode_older(&self, left: u128, right: u128, key_type: KeyType) -> Option<Key> {
        self.older.iter().find_map(|network| {
            let (l, r) = network.decrypt(left, right);
            join(l, r, key_type)
        })
    }

    pub(super) fn encode_batch(&self, keys: &[Key], ids: &mut Vec<OpaqueId>) {
        ids.reserve(keys.len());
        let (wide, narrow) = keys.split_at(wide_part(keys.len()));
        self.encode_groups::<WIDE>(wide, ids);
        self.encode_groups::<NARROW>(narrow, ids);
    }

    fn encode_groups<const N: usize>(&self, keys: &[Key], ids: &mut Vec<OpaqueId>) {
        if let [key] = keys {
            return ids.push(self.encode(*key));
        }
        let mut lanes = Lanes::<N>::new();
        for group in keys.chunks(N) {
            lanes.fill(group.iter().map(|key| split(*key)));
            self.current.encrypt_lanes(&mut lanes);
            let pairs = lanes.pairs().take(group.len());
            ids.extend(pairs.map(|(left, right)| pack(left, right, self.version)));
        }
    }

    pub(super) fn decode_batch(
        &self,
        ids: &[OpaqueId],
        key_type: KeyType,
        keys: &mut Vec<Result<Key, DecodeError>>,
    ) {
        keys.reserve(ids.len());
        let (wide, narrow) = ids.split_at(wide_part(ids.len()));
        self.decode_groups::<WIDE>(wide, key_type, keys);
        self.decode_groups::<NARROW>(narrow, key_type, keys);
    }

    fn decode_groups<const N: usize>(
        &self,
        ids: &[OpaqueId],
        key_type: KeyType,
        keys: &mut Vec<Result<Key, DecodeError>>,
    ) {
        if let [id] = ids {
            return keys.push(self.decode(*id, key_type));
        }
        let mut lanes = Lanes::<N>::new();
        for group in ids.chunks(N) {
            // An id of another version goes through the rounds all the same, as zero.
            lanes.fill(
                group
                    .iter()
                    .map(|id| unpack(*id, self.version).unwrap_or_default()),
            );
            self.current.decrypt_lanes(&mut lanes);
            keys.extend(group.iter().zip(lanes.pairs()).map(|(id, (l, r))| {
                let (left, right) = unpack(*id, self.version)?;
                join(l, r, key_type)
                    .or_else(|| self.decode_older(left, right, key_type))
                    .ok_or(DecodeError::NotIssued)
            }));
        }
    }
}

/// How many of `count` ids go through wide groups.
const fn wide_part(count: usize) -> usize {
    if count % WIDE < FILL {
        count - count % WIDE
    } else {
        count
    }
}

const LOW_62: u128 = (1 << 62) - 1;

/// The key in two's complement, sign-extended to 64 bits, as a 122-bit payload in two halves.
#[inline(always)]
fn split(key: Key) -> (u128, u128) {
    let payload = u128::from(key.get().cast_unsigned());
    (payload >> 62, payload & LOW_62)
}

/// The key, if the halves hold one that the type can hold. The 58 bits of redundancy are the
/// upper part of the left half and are tested by one comparison.
#[inline(always)]
fn join(left: u128, right: u128, key_type: KeyType) -> Option<Key> {
    let payload = left << 62 | right;
    u64::try_from(payload)
        .ok()
        .map(u64::cast_signed)
        .filter(|key| key_type.fits(*key))
        .map(Key::new)
}

/// The UUID (RFC 9562, section 5.8) with these halves, big-endian:
///
/// ```text
/// bits 127..80  left >> 12      48 bits      bits 63..62  variant, binary 10
/// bits  79..76  version          4 bits      bits 61..0   right, 62 bits
/// bits  75..64  left & 0xfff    12 bits
/// ```
#[inline(always)]
fn pack(left: u128, right: u128, version: Version) -> OpaqueId {
    let number =
        (left >> 12) << 80 | version.nibble() << 76 | (left & 0xfff) << 64 | 2 << 62 | right;
    OpaqueId::from_bytes(number.to_be_bytes())
}

/// The halves of a UUID, if it is of the version and variant that [`pack`] writes.
#[inline(always)]
fn unpack(id: OpaqueId, version: Version) -> Result<(u128, u128), DecodeError> {
    let number = u128::from_be_bytes(id.to_bytes());
    if number >> 76 & 0xf == version.nibble() && number >> 62 & 0b11 == 2 {
        Ok(((number >> 80) << 12 | number >> 64 & 0xfff, number & LOW_62))
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
    const TYPES: [KeyType; 3] = [KeyType::Int2, KeyType::Int4, KeyType::Int8];

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
            codec.decode_batch(&flipped, KeyType::Int8, &mut decoded);
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
                    assert_eq!(reader.decode(id, KeyType::Int8), expected);
                }
            }
        }
    }

    #[test]
    fn an_id_whose_key_the_column_cannot_hold_was_not_issued_for_it() {
        let codec = codec(&[SECRET], "user");
        for (key_type, beyond) in [(KeyType::Int2, 1 << 15), (KeyType::Int4, 1 << 31)] {
            let id = codec.encode(Key::new(beyond));
            assert_eq!(codec.decode(id, key_type), Err(DecodeError::NotIssued));
            assert_eq!(codec.decode(id, KeyType::Int8), Ok(Key::new(beyond)));
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
            after.decode_batch(&[old, new, OpaqueId::NIL], KeyType::Int8, &mut batch);
            assert_eq!(batch, [Ok(key), Ok(key), Err(DecodeError::Version)]);
            assert_eq!(after.decode(old, KeyType::Int8), Ok(key));
            assert_eq!(
                finished.decode(old, KeyType::Int8),
                Err(DecodeError::NotIssued)
            );
            batch.clear();
        }
    }

    #[test]
    fn the_version_changes_one_digit_and_is_checked() {
        let make = |version| {
            Feistel::new(
                &ring(&[SECRET]),
                &"user".parse().unwrap(),
                version,
                Rounds::Six,
            )
        };
        let (v8, v4) = (make(Version::V8), make(Version::V4));
        let (id8, id4) = (v8.encode(Key::new(1)), v4.encode(Key::new(1)));
        assert_eq!(id4.to_string(), "e59bcce6-0853-4657-8814-127b2d43bf23");
        assert_eq!(v4.decode(id4, KeyType::Int8), Ok(Key::new(1)));
        assert_eq!(v4.decode(id8, KeyType::Int8), Err(DecodeError::Version));
        assert_eq!(v8.decode(id4, KeyType::Int8), Err(DecodeError::Version));
    }

    #[test]
    fn nil_and_max_are_never_issued() {
        for id in [OpaqueId::NIL, OpaqueId::MAX] {
            let result = codec(&[SECRET], "user").decode(id, KeyType::Int8);
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
            codec.encode_batch(keys, &mut ids);
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
            codec.decode_batch(&ids, KeyType::Int4, &mut decoded);
            let single = ids.iter().map(|id| codec.decode(*id, KeyType::Int4));
            assert!(decoded.into_iter().eq(single), "{count}");
        }
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(any in any::<i64>(), key_type in 0..3_usize) {
            let key_type = TYPES[key_type];
            // Into the range of the type, from any value.
            let key = Key::new(match key_type {
                KeyType::Int2 => any >> 48,
                KeyType::Int4 => any >> 32,
                KeyType::Int8 => any,
            });
            let codec = codec(&[SECRET], "user");
            prop_assert_eq!(codec.decode(codec.encode(key), key_type), Ok(key));
        }

        #[test]
        fn packing_is_the_inverse_of_unpacking(left in 0..1_u128 << 60, right in 0..=LOW_62) {
            for version in [Version::V8, Version::V4] {
                prop_assert_eq!(unpack(pack(left, right, version), version), Ok((left, right)));
            }
        }
    }
}
