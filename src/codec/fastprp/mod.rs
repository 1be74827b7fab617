//! The codec `fastprp`: the integers of a range to themselves, for clients that can't change the
//! type and ranges too small for `ff1`.
//!
//! A uniform permutation, as far as the bits of its stream are random: even who knows the image
//! of every number learns nothing more. What it can't hide: every number in the range is the id
//! of some key, so that with n rows a guess hits with probability n / N, and ids stay few.
//!
//! Small domains are tables; larger ones are computed with the help of counters. Both give the
//! same permutation. Neither takes constant time.

mod counters;
mod saved;
mod stream;
mod tables;

use zeroize::Zeroizing;

use self::counters::Counters;
use self::saved::Saved;
use self::stream::Stream;
use self::tables::Tables;
use super::block::BlockKey;
use super::error::{CounterError, DecodeError, EncodeError, RangeError};
use super::key::Key;
use super::secret::Secret;
use super::subkey::DomainName;
use super::value::IntId;

/// Two numbers share all levels down to this one with probability 2^-512.
const MAX_DEPTH: u32 = 512;
/// Up to this size, the permutation is tables of 8 bytes for each number.
const TABLE_LIMIT: u64 = 1 << 20;

/// The integers that a domain of `fastprp` permutes. The range is part of the derivation: it is
/// fixed for the life of the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyRange {
    low: i64,
    size: u64,
}

impl KeyRange {
    /// `size` integers from `low` on.
    ///
    /// # Errors
    /// [`RangeError`] if there is none, there are more than 2^32, or they go beyond `bigint`.
    pub const fn new(low: i64, size: u64) -> Result<Self, RangeError> {
        if size == 0 || size > 1 << 32 {
            return Err(RangeError::Size);
        }
        if low.checked_add_unsigned(size - 1).is_none() {
            return Err(RangeError::Beyond);
        }
        Ok(Self { low, size })
    }

    /// The smallest integer.
    #[must_use]
    pub const fn low(self) -> i64 {
        self.low
    }

    /// The number of integers.
    #[must_use]
    pub const fn size(self) -> u64 {
        self.size
    }

    /// The smallest and the largest integer.
    pub(super) const fn bounds(self) -> (i64, i64) {
        (self.low, self.low.saturating_add_unsigned(self.size - 1))
    }

    /// The place of an integer in the range.
    const fn place(self, value: i64) -> Option<u64> {
        match value.checked_sub(self.low) {
            Some(place) if place >= 0 && place.cast_unsigned() < self.size => {
                Some(place.cast_unsigned())
            }
            _ => None,
        }
    }

    /// The integer at a place of the range.
    const fn at(self, place: u64) -> i64 {
        self.low.wrapping_add_unsigned(place)
    }
}

/// How many bits of the stream lie between two counters: memory against time. No id depends on
/// it. For 2^31 numbers, the default takes 9 MB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stride(u64);

impl Stride {
    /// A stride of this many bits.
    ///
    /// # Errors
    /// [`CounterError::Stride`] if it is not a positive multiple of 128.
    pub const fn new(bits: u64) -> Result<Self, CounterError> {
        if bits == 0 || !bits.is_multiple_of(128) || bits > 1 << 40 {
            return Err(CounterError::Stride);
        }
        Ok(Self(bits))
    }
}

impl Default for Stride {
    fn default() -> Self {
        Self(1 << 14)
    }
}

/// `fastprp` in one domain.
pub(super) struct FastPrp {
    range: KeyRange,
    permutation: Permutation,
}

enum Permutation {
    Tables(Tables),
    Counters(Box<Counters>),
}

impl FastPrp {
    /// `progress` is told how many counters are done and how many there will be.
    pub(super) fn new(
        secret: &Secret,
        domain: &DomainName,
        range: KeyRange,
        stride: Stride,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CounterError> {
        let stream = stream(secret, domain, range);
        let permutation = match u32::try_from(range.size) {
            Ok(n) if range.size <= TABLE_LIMIT => Permutation::Tables(Tables::build(&stream, n)),
            _ => {
                let counters = Counters::build(stream, range.size, stride.0, progress)?;
                return Ok(Self::counted(range, counters));
            }
        };
        Ok(Self { range, permutation })
    }

    /// With counters that [`FastPrp::saved`] gave, which must be of the same arguments.
    pub(super) fn with_saved(
        secret: &Secret,
        domain: &DomainName,
        range: KeyRange,
        stride: Stride,
        saved: &[u8],
    ) -> Result<Self, CounterError> {
        let saved = Saved::open(secret, domain, range, saved)?;
        if saved.stride != stride {
            return Err(CounterError::Saved);
        }
        let stream = stream(secret, domain, range);
        let counters = Counters::of(stream, range.size, stride.0, saved.counts)?;
        Ok(Self::counted(range, counters))
    }

    /// With counters that [`FastPrp::saved`] gave for the same arguments but for the stride.
    pub(super) fn resized(
        secret: &Secret,
        domain: &DomainName,
        range: KeyRange,
        stride: Stride,
        saved: &[u8],
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CounterError> {
        let saved = Saved::open(secret, domain, range, saved)?;
        let stream = stream(secret, domain, range);
        let finer = Counters::of(stream, range.size, saved.stride.0, saved.counts)?;
        let counters = finer.resized(stride.0, progress)?;
        Ok(Self::counted(range, counters))
    }

    fn counted(range: KeyRange, counters: Counters) -> Self {
        Self {
            range,
            permutation: Permutation::Counters(Box::new(counters)),
        }
    }

    /// The counters for the next start, sealed with the secret; none if the permutation is
    /// tables. They tell something of the permutation: keep them as the secret is kept.
    pub(super) fn saved(&self, secret: &Secret, domain: &DomainName) -> Option<Zeroizing<Vec<u8>>> {
        let Permutation::Counters(counters) = &self.permutation else {
            return None;
        };
        Some(saved::seal(
            secret,
            domain,
            self.range,
            counters.stride(),
            counters.counts(),
        ))
    }

    pub(super) const fn range(&self) -> KeyRange {
        self.range
    }

    /// About how many nanoseconds an id takes.
    pub(super) const fn nanoseconds(&self) -> u64 {
        match &self.permutation {
            Permutation::Tables(_) => 10,
            Permutation::Counters(counters) => counters.nanoseconds(),
        }
    }

    pub(super) fn encode(&self, key: Key) -> Result<IntId, EncodeError> {
        let place = self.range.place(key.get()).ok_or(EncodeError)?;
        let image = match &self.permutation {
            Permutation::Tables(tables) => tables.permute(place),
            Permutation::Counters(counters) => counters.permute(place),
        };
        image
            .map(|image| IntId::new(self.range.at(image)))
            .ok_or(EncodeError)
    }

    pub(super) fn decode(&self, id: IntId) -> Result<Key, DecodeError> {
        let place = self.range.place(id.get());
        let place = place.ok_or(DecodeError::NotIssued)?;
        let key = match &self.permutation {
            Permutation::Tables(tables) => tables.unpermute(place),
            Permutation::Counters(counters) => counters.unpermute(place),
        };
        key.map(|key| Key::new(self.range.at(key)))
            .ok_or(DecodeError::NotIssued)
    }
}

/// The name of the codec over this range, part of the derivation.
pub(super) fn ident(range: KeyRange) -> String {
    format!("fastprp/low={}/n={}", range.low, range.size)
}

fn stream(secret: &Secret, domain: &DomainName, range: KeyRange) -> Stream {
    Stream::new(BlockKey::under(secret, &ident(range), domain, "stream"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn secret() -> Secret {
        Secret::parse(&"11".repeat(32)).unwrap()
    }

    fn domain() -> DomainName {
        "user".parse().unwrap()
    }

    fn tables(n: u64) -> FastPrp {
        let range = KeyRange::new(-5, n).unwrap();
        FastPrp::new(
            &secret(),
            &domain(),
            range,
            Stride::default(),
            &mut |_, _| {},
        )
        .unwrap()
    }

    /// Counters for a range that would get tables.
    fn counters(n: u64, stride: u64) -> Counters {
        let range = KeyRange::new(-5, n).unwrap();
        let stream = stream(&secret(), &domain(), range);
        Counters::build(stream, n, stride, &mut |_, _| {}).unwrap()
    }

    #[test]
    fn every_domain_up_to_2_to_the_16_is_permuted() {
        for n in (1..=300).chain([1000, 4099, 32_767, 32_768, 65_535, 65_536]) {
            let codec = tables(n);
            let mut seen = vec![false; usize::try_from(n).unwrap()];
            for place in 0..n {
                let key = Key::new(codec.range.at(place));
                let id = codec.encode(key).unwrap();
                assert_eq!(codec.decode(id), Ok(key), "{n}");
                let image = codec.range.place(id.get()).unwrap();
                let seen = &mut seen[usize::try_from(image).unwrap()];
                assert!(!std::mem::replace(seen, true), "{n}");
            }
        }
    }

    #[test]
    fn counters_of_every_stride_give_the_permutation_of_the_tables() {
        for n in (1..=300).step_by(13).chain([2, 3, 127, 129, 1000, 5000]) {
            let Permutation::Tables(tables) = tables(n).permutation else {
                panic!("a small domain");
            };
            for stride in [128, 256, 640, 1 << 14] {
                let counters = counters(n, stride);
                for x in (0..n).step_by(if n > 1000 { 7 } else { 1 }) {
                    let y = counters.permute(x);
                    assert_eq!(y, tables.permute(x), "{n} {stride} {x}");
                    assert_eq!(y.and_then(|y| counters.unpermute(y)), Some(x));
                }
            }
        }
    }

    #[test]
    fn numbers_beyond_the_range_are_refused_in_both_directions() {
        let codec = tables(10);
        for value in [-6, 5, i64::MIN, i64::MAX] {
            assert_eq!(codec.encode(Key::new(value)), Err(EncodeError));
            let decoded = codec.decode(IntId::new(value));
            assert_eq!(decoded, Err(DecodeError::NotIssued));
        }
    }

    #[test]
    fn saved_counters_are_taken_only_by_whom_they_were_made() {
        let range = KeyRange::new(0, TABLE_LIMIT + 1).unwrap();
        let (stride, mut reports) = (Stride::new(1 << 17).unwrap(), Vec::new());
        let mut progress = |done, all| reports.push((done, all));
        let codec = FastPrp::new(&secret(), &domain(), range, stride, &mut progress).unwrap();
        assert!(reports.is_sorted() && reports.iter().all(|(_, all)| *all == reports[0].1));
        assert!(reports.last().is_some_and(|(done, all)| done == all));
        let saved = codec.saved(&secret(), &domain()).unwrap();
        let load = |secret: &Secret, stride, saved: &[u8]| {
            FastPrp::with_saved(secret, &domain(), range, stride, saved)
        };
        let again = load(&secret(), stride, &saved).unwrap();
        let key = Key::new(123_456);
        assert_eq!(again.encode(key), codec.encode(key));
        assert_eq!(again.saved(&secret(), &domain()), Some(saved.clone()));
        let other = Secret::generate().unwrap();
        let coarser = Stride::new(1 << 18).unwrap();
        for place in [0, 31, 32, 33, 40, 44] {
            let mut changed = saved.clone();
            changed[place] ^= 1;
            let result = load(&secret(), stride, &changed);
            assert_eq!(result.err(), Some(CounterError::Saved), "{place}");
        }
        for end in 0..saved.len() {
            let result = load(&secret(), stride, &saved[..end]);
            assert_eq!(result.err(), Some(CounterError::Saved), "{end}");
        }
        for result in [
            load(&other, stride, &saved),
            load(&secret(), coarser, &saved),
            load(&secret(), stride, &[&saved[..], &[0; 4]].concat()),
        ] {
            assert_eq!(result.err(), Some(CounterError::Saved));
        }
    }

    #[test]
    fn counters_grow_and_shrink_without_changing_an_id() {
        let range = KeyRange::new(7, TABLE_LIMIT + 77).unwrap();
        let make = |bits| {
            let stride = Stride::new(bits).unwrap();
            FastPrp::new(&secret(), &domain(), range, stride, &mut |_, _| {}).unwrap()
        };
        let keys = (0..range.size).step_by(50_021);
        let keys: Vec<Key> = keys.map(|place| Key::new(range.at(place))).collect();
        let ids = |codec: &FastPrp| {
            keys.iter()
                .map(|key| codec.encode(*key))
                .collect::<Vec<_>>()
        };
        let sizes = [1 << 12, 1 << 14, 3 << 12, 640 << 7, 1 << 21];
        for from in sizes {
            let codec = make(from);
            let (expected, saved) = (ids(&codec), codec.saved(&secret(), &domain()).unwrap());
            for to in sizes {
                let stride = Stride::new(to).unwrap();
                let none = &mut |_, _| {};
                let resized =
                    FastPrp::resized(&secret(), &domain(), range, stride, &saved, none).unwrap();
                assert_eq!(ids(&resized), expected, "{from} {to}");
                for (key, id) in keys.iter().zip(&expected) {
                    assert_eq!(resized.decode(id.unwrap()), Ok(*key));
                }
                // They are those that would have been built.
                let built = make(to).saved(&secret(), &domain());
                assert_eq!(resized.saved(&secret(), &domain()), built, "{from} {to}");
            }
        }
        let stride = Stride::new(1 << 14).unwrap();
        let mut saved = make(1 << 12).saved(&secret(), &domain()).unwrap();
        saved[99] ^= 1;
        let result = FastPrp::resized(&secret(), &domain(), range, stride, &saved, &mut |_, _| {});
        assert_eq!(result.err(), Some(CounterError::Saved));
    }

    #[test]
    fn a_range_that_is_none_is_refused() {
        assert_eq!(KeyRange::new(0, 0), Err(RangeError::Size));
        assert_eq!(KeyRange::new(0, (1 << 32) + 1), Err(RangeError::Size));
        assert_eq!(KeyRange::new(i64::MAX, 2), Err(RangeError::Beyond));
        assert!(KeyRange::new(i64::MAX, 1).is_ok());
        assert_eq!(Stride::new(0), Err(CounterError::Stride));
        assert_eq!(Stride::new(100), Err(CounterError::Stride));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn decode_after_encode_is_the_identity(n in 1..5000_u64, any in any::<u64>(), s in 1..9_u64) {
            let counters = counters(n, 128 * s);
            let image = counters.permute(any % n);
            prop_assert!(image.is_some_and(|y| y < n));
            prop_assert_eq!(image.and_then(|y| counters.unpermute(y)), Some(any % n));
        }
    }
}
