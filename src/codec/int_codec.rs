//! The one way between integer keys and integer ids of the same type: a codec of one id domain.
//! Which permutation it is, is hidden here.

use std::fmt;

use zeroize::Zeroizing;

use super::error::{CounterError, DecodeError, EncodeError};
use super::fastprp::{self, FastPrp, KeyRange, Stride};
use super::ff1::{Ff1, Ff1Width};
use super::key::Key;
use super::secret::Secret;
use super::subkey::DomainName;
use super::value::IntId;

/// A codec of one id domain that keeps the type: a keyed permutation of a range of integers.
///
/// It hides order and volume but not existence: every integer of the range is the id of some
/// key. There is no redundancy and so no ring. It holds derived keys and can't be cloned.
pub struct IntCodec {
    permutation: Permutation,
}

enum Permutation {
    FastPrp(FastPrp),
    Ff1(Box<Ff1>),
}

impl IntCodec {
    /// About how many nanoseconds an id takes among others.
    pub(super) const fn nanoseconds(&self) -> u64 {
        match &self.permutation {
            Permutation::FastPrp(codec) => codec.nanoseconds(),
            Permutation::Ff1(_) => 50,
        }
    }

    /// The codec `fastprp`, for ranges of at most 2^32. Above 2^20 it builds counters, which takes
    /// up to seconds; `progress` is told how many are done and how many there will be.
    ///
    /// # Errors
    /// [`CounterError::Memory`] if the stride is too small for the memory there is.
    pub fn fastprp(
        secret: &Secret,
        domain: &DomainName,
        range: KeyRange,
        stride: Stride,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CounterError> {
        let codec = FastPrp::new(secret, domain, range, stride, progress)?;
        Ok(Self::of(Permutation::FastPrp(codec)))
    }

    /// Builds the codec `fastprp` with counters from [`IntCodec::saved_counters`], which takes a
    /// tenth of the time of [`IntCodec::fastprp`].
    ///
    /// # Errors
    /// [`CounterError::Saved`] if they are not of these arguments, or were changed.
    pub fn fastprp_with_saved(
        secret: &Secret,
        domain: &DomainName,
        range: KeyRange,
        stride: Stride,
        saved: &[u8],
    ) -> Result<Self, CounterError> {
        let codec = FastPrp::with_saved(secret, domain, range, stride, saved)?;
        Ok(Self::of(Permutation::FastPrp(codec)))
    }

    /// Builds the codec `fastprp` with counters that were saved for another stride: a coarser one
    /// takes the time of a few of them, a finer one that of making them. The ids are the same at
    /// every stride.
    ///
    /// # Errors
    /// [`CounterError::Saved`] if they are not of these arguments, or were changed;
    /// [`CounterError::Memory`] if the stride is too small for the memory there is.
    pub fn fastprp_resized(
        secret: &Secret,
        domain: &DomainName,
        range: KeyRange,
        stride: Stride,
        saved: &[u8],
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CounterError> {
        let codec = FastPrp::resized(secret, domain, range, stride, saved, progress)?;
        Ok(Self::of(Permutation::FastPrp(codec)))
    }

    /// The counters of `fastprp`, for the secret and domain that the codec was made of; none if it
    /// needs none. They tell something of the permutation: keep them as the secret is kept.
    #[must_use]
    pub fn saved_counters(
        &self,
        secret: &Secret,
        domain: &DomainName,
    ) -> Option<Zeroizing<Vec<u8>>> {
        match &self.permutation {
            Permutation::FastPrp(codec) => codec.saved(secret, domain),
            Permutation::Ff1(_) => None,
        }
    }

    /// The codec `ff1`, for large domains.
    #[must_use]
    pub fn ff1(secret: &Secret, domain: &DomainName, width: Ff1Width) -> Self {
        let codec = Ff1::new(secret, domain, width);
        Self::of(Permutation::Ff1(Box::new(codec)))
    }

    const fn of(permutation: Permutation) -> Self {
        Self { permutation }
    }

    /// The codec's name with its parameters, as it is part of the derivation.
    #[must_use]
    pub fn ident(&self) -> String {
        match &self.permutation {
            Permutation::FastPrp(codec) => fastprp::ident(codec.range()),
            Permutation::Ff1(codec) => codec.width().ident(),
        }
    }

    /// The smallest and the largest integer that it permutes.
    #[must_use]
    pub const fn bounds(&self) -> (i64, i64) {
        match &self.permutation {
            Permutation::FastPrp(codec) => codec.range().bounds(),
            Permutation::Ff1(codec) => codec.width().bounds(),
        }
    }

    /// The id that a key is shown as.
    ///
    /// # Errors
    /// [`EncodeError`] for a key outside of the codec's range.
    pub fn encode(&self, key: Key) -> Result<IntId, EncodeError> {
        match &self.permutation {
            Permutation::FastPrp(codec) => codec.encode(key),
            Permutation::Ff1(codec) => codec.encode(key),
        }
    }

    /// The key that an id stands for.
    ///
    /// # Errors
    /// [`DecodeError::NotIssued`] for an id outside of the codec's range.
    pub fn decode(&self, id: IntId) -> Result<Key, DecodeError> {
        match &self.permutation {
            Permutation::FastPrp(codec) => codec.decode(id),
            Permutation::Ff1(codec) => codec.decode(id),
        }
    }

    /// Appends what [`IntCodec::encode`] gives for each key to `ids`, in order.
    pub fn encode_batch(&self, keys: &[Key], ids: &mut Vec<Result<IntId, EncodeError>>) {
        match &self.permutation {
            Permutation::FastPrp(codec) => ids.extend(keys.iter().map(|key| codec.encode(*key))),
            Permutation::Ff1(codec) => codec.encode_batch(keys, ids),
        }
    }

    /// Appends what [`IntCodec::decode`] gives for each id to `keys`, in order.
    pub fn decode_batch(&self, ids: &[IntId], keys: &mut Vec<Result<Key, DecodeError>>) {
        match &self.permutation {
            Permutation::FastPrp(codec) => keys.extend(ids.iter().map(|id| codec.decode(*id))),
            Permutation::Ff1(codec) => codec.decode_batch(ids, keys),
        }
    }
}

impl fmt::Debug for IntCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntCodec")
            .field("ident", &self.ident())
            .finish_non_exhaustive()
    }
}
