//! The codecs `uuid` and `feistel2`: a UUID key, ordered by time, to a UUID of another version.
//!
//! The UUID's own fields are the halves, nothing is shuffled: time and `rand_a` on the left,
//! `rand_b` on the right. All 122 bits carry the key, so there is no redundancy: every UUID of a
//! version that is issued decodes to some UUID, which exists with probability n / 2^122.
//!
//! `uuid` has six rounds and needs nothing of the keys. `feistel2` has two and asks for random
//! low halves and for keys that clients never supply: with an id's left half kept, a change to
//! the right half decodes to the same change of the key.

use super::error::{DecodeError, EncodeError, EpochError};
use super::feistel_network::{Network, Shape};
use super::key_texts::Digits;
use super::opaque_id::OpaqueId;
use super::secret::Secret;
use super::subkey::DomainName;
use super::uuid_bits::{self, LOW_62};
use super::value::UuidKey;
use super::version_map::VersionMap;
use super::weak::UuidRounds;

/// Where the 122 bits are cut. It is part of the derivation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Split {
    /// Time and `rand_a` (60 bits), `rand_b` (62 bits).
    #[default]
    At60,
    /// Time (48 bits), `rand_a` and `rand_b` (74 bits): better for two rounds only if all 74 bits
    /// are uniform and secret. Not recommended: `rand_a` is a clock or a counter in the common
    /// generators.
    At48,
}

/// The secrets of a domain that rotates by epochs. The first hexadecimal digit of an id is its
/// epoch, in the clear, and tells which secret decodes it. The keys' times must be below 2^44 ms
/// (the year 2527).
#[derive(Debug)]
pub struct EpochRing {
    current: (u8, Secret),
    older: Vec<(u8, Secret)>,
}

impl EpochRing {
    /// The ring of a current epoch, which encodes, and of older ones, which only decode.
    ///
    /// # Errors
    /// [`EpochError`] if an epoch is above 15 or occurs twice.
    pub fn new(current: (u8, Secret), older: Vec<(u8, Secret)>) -> Result<Self, EpochError> {
        let mut seen = [false; 16];
        for (epoch, _) in std::iter::once(&current).chain(&older) {
            let seen = seen.get_mut(usize::from(*epoch)).ok_or(EpochError::Digit)?;
            if std::mem::replace(seen, true) {
                return Err(EpochError::Twice { epoch: *epoch });
            }
        }
        Ok(Self { current, older })
    }
}

/// `uuid` or `feistel2` in one domain.
pub(super) struct UuidFeistel {
    ident: &'static str,
    versions: VersionMap,
    layout: Layout,
}

enum Layout {
    /// One secret, all 122 bits.
    Whole { split: Split, network: Network },
    /// The upper four bits of the left half are zero inside and the epoch outside.
    Epochs { current: Epoch, older: Box<[Epoch]> },
}

struct Epoch {
    digit: u128,
    network: Network,
}

impl UuidFeistel {
    pub(super) fn new(
        secret: &Secret,
        domain: &DomainName,
        versions: VersionMap,
        rounds: UuidRounds,
        split: Split,
    ) -> Self {
        let (ident, left, right) = match (rounds, split) {
            (UuidRounds::Six, Split::At60) => ("uuid/60-62/r6/aes128", 60, 62),
            (UuidRounds::Six, Split::At48) => ("uuid/48-74/r6/aes128", 48, 74),
            (UuidRounds::Two, Split::At60) => ("feistel2/60-62/r2/aes128", 60, 62),
            (UuidRounds::Two, Split::At48) => ("feistel2/48-74/r2/aes128", 48, 74),
        };
        let network = Network::derive(secret, ident, domain, shape(left, right, rounds));
        Self {
            ident,
            versions,
            layout: Layout::Whole { split, network },
        }
    }

    pub(super) fn with_epochs(
        ring: &EpochRing,
        domain: &DomainName,
        versions: VersionMap,
        rounds: UuidRounds,
    ) -> Self {
        let ident = match rounds {
            UuidRounds::Six => "uuid/56-62/r6/aes128",
            UuidRounds::Two => "feistel2/56-62/r2/aes128",
        };
        let epoch = |(digit, secret): &(u8, Secret)| Epoch {
            digit: u128::from(*digit),
            network: Network::derive(secret, ident, domain, shape(56, 62, rounds)),
        };
        Self {
            ident,
            versions,
            layout: Layout::Epochs {
                current: epoch(&ring.current),
                older: ring.older.iter().map(epoch).collect(),
            },
        }
    }

    pub(super) const fn ident(&self) -> &'static str {
        self.ident
    }

    /// What the digits of its keys are.
    pub(super) fn digits(&self) -> Digits {
        let versions =
            (0..16_u8).filter(|version| self.versions.outside((*version).into()).is_some());
        let versions = versions.map(|version| format!("{version:x}"));
        Digits {
            first: match &self.layout {
                Layout::Whole { .. } => "[0-9a-f]",
                // The four bits that the epoch needs.
                Layout::Epochs { .. } => "0",
            },
            version: format!("[{}]", versions.collect::<String>()),
            variant: "[89ab]",
        }
    }

    pub(super) fn encode(&self, key: UuidKey) -> Result<OpaqueId, EncodeError> {
        let (version, halves) = self.split(key)?;
        let (left, right) = halves;
        Ok(self.pack(version, self.current().encrypt(left, right)))
    }

    pub(super) fn encode_batch(
        &self,
        keys: &[UuidKey],
        ids: &mut Vec<Result<OpaqueId, EncodeError>>,
    ) {
        // A key that is refused goes through the rounds all the same, as zero.
        let halves = |key: &_| self.split(*key).map_or((0, 0), |(_, halves)| halves);
        let finish = |key: &_, result| {
            let (version, _) = self.split(*key)?;
            Ok(self.pack(version, result))
        };
        self.current().encrypt_each(keys, halves, finish, ids);
    }

    pub(super) fn decode(&self, id: OpaqueId) -> Result<UuidKey, DecodeError> {
        let (version, network, (left, right)) = self.unpack(id)?;
        Ok(self.join(version, network.decrypt(left, right)))
    }

    pub(super) fn decode_batch(
        &self,
        ids: &[OpaqueId],
        keys: &mut Vec<Result<UuidKey, DecodeError>>,
    ) {
        let halves = |id: &_| self.unpack(*id).map_or((0, 0), |(_, _, halves)| halves);
        let finish = |id: &_, result| {
            let (version, network, (left, right)) = self.unpack(*id)?;
            // Ids of older epochs are few; they are decoded one by one.
            if std::ptr::eq(network, self.current()) {
                Ok(self.join(version, result))
            } else {
                Ok(self.join(version, network.decrypt(left, right)))
            }
        };
        self.current().decrypt_each(ids, halves, finish, keys);
    }

    const fn current(&self) -> &Network {
        match &self.layout {
            Layout::Whole { network, .. } => network,
            Layout::Epochs { current, .. } => &current.network,
        }
    }

    /// A key as the version that its id shows and the halves that are permuted.
    #[inline]
    fn split(&self, key: UuidKey) -> Result<(u128, (u128, u128)), EncodeError> {
        let bytes = key.to_bytes();
        let version = uuid_bits::version(bytes)
            .and_then(|version| self.versions.outside(version))
            .ok_or(EncodeError)?;
        let (left, right) = uuid_bits::halves(bytes);
        match &self.layout {
            Layout::Whole { split, .. } => Ok((version, recut(*split, left, right))),
            // The time is not below 2^44 ms: the four bits that the epoch needs are in use.
            Layout::Epochs { .. } if left >> 56 != 0 => Err(EncodeError),
            Layout::Epochs { .. } => Ok((version, (left, right))),
        }
    }

    #[inline]
    fn pack(&self, version: u128, (left, right): (u128, u128)) -> OpaqueId {
        let (left, right) = match &self.layout {
            Layout::Whole { split, .. } => restore(*split, left, right),
            Layout::Epochs { current, .. } => (current.digit << 56 | left, right),
        };
        OpaqueId::from_bytes(uuid_bits::pack(left, right, version))
    }

    /// An id as the version of its key, the network of its secret, and the permuted halves.
    #[inline]
    fn unpack(&self, id: OpaqueId) -> Result<(u128, &Network, (u128, u128)), DecodeError> {
        let bytes = id.to_bytes();
        let version = uuid_bits::version(bytes)
            .and_then(|version| self.versions.inside(version))
            .ok_or(DecodeError::Version)?;
        let (left, right) = uuid_bits::halves(bytes);
        match &self.layout {
            Layout::Whole { split, network } => Ok((version, network, recut(*split, left, right))),
            Layout::Epochs { current, older } => {
                let digit = left >> 56;
                let epoch = std::iter::once(current)
                    .chain(older)
                    .find(|epoch| epoch.digit == digit)
                    .ok_or(DecodeError::Epoch)?;
                Ok((version, &epoch.network, (left & LOW_56, right)))
            }
        }
    }

    #[inline]
    fn join(&self, version: u128, (left, right): (u128, u128)) -> UuidKey {
        let (left, right) = match &self.layout {
            Layout::Whole { split, .. } => restore(*split, left, right),
            Layout::Epochs { .. } => (left, right),
        };
        UuidKey::from_bytes(uuid_bits::pack(left, right, version))
    }
}

const LOW_56: u128 = (1 << 56) - 1;

const fn shape(left: u32, right: u32, rounds: UuidRounds) -> Shape {
    let pairs = match rounds {
        UuidRounds::Six => 3,
        UuidRounds::Two => 1,
    };
    Shape { left, right, pairs }
}

/// From the fields of the UUID to the halves of the network.
#[inline(always)]
const fn recut(split: Split, left: u128, right: u128) -> (u128, u128) {
    match split {
        Split::At60 => (left, right),
        Split::At48 => (left >> 12, (left & 0xfff) << 62 | right),
    }
}

/// The inverse of [`recut`].
#[inline(always)]
const fn restore(split: Split, left: u128, right: u128) -> (u128, u128) {
    match split {
        Split::At60 => (left, right),
        Split::At48 => (left << 12 | right >> 62, right & LOW_62),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn secret(first: u8) -> Secret {
        Secret::parse(&format!("{first:02x}{}", "11".repeat(31))).unwrap()
    }

    fn codecs() -> Vec<UuidFeistel> {
        let domain = "user".parse().unwrap();
        let versions = VersionMap::new(&[(7, 8), (4, 4)]).unwrap();
        let mut codecs = Vec::new();
        for rounds in [UuidRounds::Six, UuidRounds::Two] {
            for split in [Split::At60, Split::At48] {
                let codec = UuidFeistel::new(&secret(1), &domain, versions, rounds, split);
                codecs.push(codec);
            }
            let ring = EpochRing::new((9, secret(1)), vec![(0, secret(2)), (15, secret(3))]);
            let codec = UuidFeistel::with_epochs(&ring.unwrap(), &domain, versions, rounds);
            codecs.push(codec);
        }
        codecs
    }

    #[test]
    fn an_epoch_is_one_digit_and_names_one_secret() {
        let ring = |current, older| EpochRing::new((current, secret(1)), vec![(older, secret(2))]);
        assert!(ring(0, 15).is_ok());
        assert_eq!(ring(16, 1).unwrap_err(), EpochError::Digit);
        assert_eq!(ring(1, 1).unwrap_err(), EpochError::Twice { epoch: 1 });
    }

    #[test]
    fn two_rounds_are_malleable_when_decoding_and_six_are_not() {
        for (codec, malleable) in codecs().iter().step_by(3).zip([false, true]) {
            let key = UuidKey::from_bytes(uuid_bits::pack(1_760_000_000_000 << 12, 12345, 7));
            let id = u128::from_be_bytes(codec.encode(key).unwrap().to_bytes());
            let changed = OpaqueId::from_bytes((id ^ 1).to_be_bytes());
            let (_, right) = uuid_bits::halves(codec.decode(changed).unwrap().to_bytes());
            let related = right == 12345 ^ 1;
            // What `Two` is documented to lack.
            assert_eq!(related, malleable, "{}", codec.ident());
        }
    }

    #[test]
    fn the_keys_of_an_older_epoch_still_decode() {
        let domain = "user".parse().unwrap();
        let make = |ring: Result<EpochRing, EpochError>| {
            let versions = VersionMap::default();
            UuidFeistel::with_epochs(&ring.unwrap(), &domain, versions, UuidRounds::Six)
        };
        let before = make(EpochRing::new((0, secret(1)), Vec::new()));
        let after = make(EpochRing::new((1, secret(2)), vec![(0, secret(1))]));
        let key = UuidKey::from_bytes(uuid_bits::pack(1 << 50, 99, 7));
        let (old, new) = (before.encode(key).unwrap(), after.encode(key).unwrap());
        assert!(old.to_string().starts_with('0') && new.to_string().starts_with('1'));
        let mut keys = Vec::new();
        after.decode_batch(&[old, new, old], &mut keys);
        assert_eq!(keys, [Ok(key); 3]);
        assert_eq!(before.decode(new), Err(DecodeError::Epoch));
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(
            left in 0..1_u128 << 60, right in 0..=LOW_62, seven in any::<bool>()
        ) {
            for codec in codecs() {
                let left = if codec.ident().contains("/56-62/") { left >> 4 } else { left };
                let key = uuid_bits::pack(left, right, if seven { 7 } else { 4 });
                let id = codec.encode(UuidKey::from_bytes(key)).unwrap();
                prop_assert_eq!(codec.decode(id).unwrap().to_bytes(), key);
                let shown = uuid_bits::version(id.to_bytes());
                prop_assert_eq!(shown, Some(if seven { 8 } else { 4 }));
            }
        }
    }
}
