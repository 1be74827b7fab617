//! The one way between keys and ids of sixteen bytes each: a codec of one id domain. Which
//! permutation it is, is hidden here.

use std::fmt;

use super::aes_block::{self, AesBlock, Direction};
use super::cycle_walk::{self, CycleWalk};
use super::error::{DecodeError, EncodeError};
use super::key_texts::Digits;
use super::opaque_id::OpaqueId;
use super::secret::Secret;
use super::subkey::DomainName;
use super::uuid_feistel::{EpochRing, Split, UuidFeistel};
use super::value::UuidKey;
use super::version_map::VersionMap;
use super::weak::UuidRounds;

/// A codec of one id domain whose keys are sixteen bytes: a keyed bijection between keys and
/// ids.
///
/// None has redundancy, so there is no ring: but for `uuid` with epochs, a change of the secret
/// changes what every id means. It holds derived keys and can't be cloned.
pub struct UuidCodec {
    permutation: Permutation,
}

enum Permutation {
    Uuid(UuidFeistel),
    Aes(Box<AesBlock>),
    CycleWalk(Box<CycleWalk>),
}

impl UuidCodec {
    /// The codec `uuid` (six rounds, the default for UUID keys) or `feistel2` (two, under its
    /// conditions): keys of the versions that the map has, ids of those that it shows.
    #[must_use]
    pub fn uuid(
        secret: &Secret,
        domain: &DomainName,
        versions: VersionMap,
        rounds: UuidRounds,
        split: Split,
    ) -> Self {
        let codec = UuidFeistel::new(secret, domain, versions, rounds, split);
        Self::of(Permutation::Uuid(codec))
    }

    /// Builds the codec `uuid` or `feistel2` with a digit of the id for the epoch, so that the
    /// secret can be changed.
    #[must_use]
    pub fn uuid_with_epochs(
        ring: &EpochRing,
        domain: &DomainName,
        versions: VersionMap,
        rounds: UuidRounds,
    ) -> Self {
        let codec = UuidFeistel::with_epochs(ring, domain, versions, rounds);
        Self::of(Permutation::Uuid(codec))
    }

    /// The codec `aes`: any sixteen bytes to any sixteen bytes.
    #[must_use]
    pub fn aes(secret: &Secret, domain: &DomainName, direction: Direction) -> Self {
        let codec = AesBlock::new(secret, domain, direction);
        Self::of(Permutation::Aes(Box::new(codec)))
    }

    /// The codec `cycle_walk`: sixteen bytes whose first bit is clear, to the same.
    #[must_use]
    pub fn cycle_walk(secret: &Secret, domain: &DomainName) -> Self {
        let codec = CycleWalk::new(secret, domain);
        Self::of(Permutation::CycleWalk(Box::new(codec)))
    }

    const fn of(permutation: Permutation) -> Self {
        Self { permutation }
    }

    /// The codec's name with its parameters, as it is part of the derivation.
    #[must_use]
    pub const fn ident(&self) -> &'static str {
        match &self.permutation {
            Permutation::Uuid(codec) => codec.ident(),
            Permutation::Aes(_) => aes_block::IDENT,
            Permutation::CycleWalk(_) => cycle_walk::IDENT,
        }
    }

    /// What the digits of its keys are.
    pub(super) fn digits(&self) -> Digits {
        match &self.permutation {
            Permutation::Uuid(codec) => codec.digits(),
            Permutation::Aes(_) => Digits::any(),
            Permutation::CycleWalk(_) => Digits {
                first: "[0-7]",
                ..Digits::any()
            },
        }
    }

    /// The id that a key is shown as.
    ///
    /// # Errors
    /// [`EncodeError`] for a key that the codec can't represent: of a version that the map does
    /// not have, of a time that epochs have no room for, with a first bit that is not clear.
    pub fn encode(&self, key: UuidKey) -> Result<OpaqueId, EncodeError> {
        match &self.permutation {
            Permutation::Uuid(codec) => codec.encode(key),
            Permutation::Aes(codec) => Ok(codec.encode(key)),
            Permutation::CycleWalk(codec) => codec.encode(key),
        }
    }

    /// The key that an id stands for.
    ///
    /// # Errors
    /// [`DecodeError`] for an id that the codec can't have issued.
    pub fn decode(&self, id: OpaqueId) -> Result<UuidKey, DecodeError> {
        match &self.permutation {
            Permutation::Uuid(codec) => codec.decode(id),
            Permutation::Aes(codec) => Ok(codec.decode(id)),
            Permutation::CycleWalk(codec) => codec.decode(id),
        }
    }

    /// Appends what [`UuidCodec::encode`] gives for each key to `ids`, in order.
    pub fn encode_batch(&self, keys: &[UuidKey], ids: &mut Vec<Result<OpaqueId, EncodeError>>) {
        match &self.permutation {
            Permutation::Uuid(codec) => codec.encode_batch(keys, ids),
            Permutation::Aes(codec) => codec.encode_batch(keys, ids),
            Permutation::CycleWalk(codec) => codec.encode_batch(keys, ids),
        }
    }

    /// Appends what [`UuidCodec::decode`] gives for each id to `keys`, in order.
    pub fn decode_batch(&self, ids: &[OpaqueId], keys: &mut Vec<Result<UuidKey, DecodeError>>) {
        match &self.permutation {
            Permutation::Uuid(codec) => codec.decode_batch(ids, keys),
            Permutation::Aes(codec) => codec.decode_batch(ids, keys),
            Permutation::CycleWalk(codec) => codec.decode_batch(ids, keys),
        }
    }
}

impl fmt::Debug for UuidCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UuidCodec")
            .field("ident", &self.ident())
            .finish_non_exhaustive()
    }
}
