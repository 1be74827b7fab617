//! The permutation computed where it is needed: for domains too large for tables.
//!
//! A number's way down the partitions asks for counts of ones in ranges of the stream, from n
//! bits down to a few. Running counts every `stride` bits of the upper levels answer the long
//! ones, up to a scan of half a stride; shorter ranges are scanned. So the stride trades memory
//! for time, and the permutation does not depend on it.
//!
//! The time that an id takes is a function of key and id that repeats for one id.

use zeroize::Zeroizing;

use super::MAX_DEPTH;
use super::stream::Stream;
use crate::codec::error::CounterError;

/// A permutation of 0 to n-1 with running counts.
pub(super) struct Counters {
    stream: Stream,
    n: u64,
    stride: u64,
    /// At k: the ones among the first k * stride bits of the stream, modulo 2^32.
    counts: Zeroizing<Vec<u32>>,
}

impl Counters {
    /// How many counts a permutation of this size has.
    pub(super) fn count(n: u64, stride: u64) -> Result<usize, CounterError> {
        if stride == 0 || !stride.is_multiple_of(128) {
            return Err(CounterError::Stride);
        }
        let levels = (0..64).take_while(|level| n >> level > stride).count() as u64;
        usize::try_from(levels * n / stride + 1).map_err(|_| CounterError::Memory)
    }

    /// Counts the upper levels, which takes n log2(n / stride) / 128 blocks. `progress` is told
    /// the number of counts that are done and that of all, now and then.
    pub(super) fn build(
        stream: Stream,
        n: u64,
        stride: u64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CounterError> {
        let total = Self::count(n, stride)?;
        let mut counts = Zeroizing::new(Vec::new());
        counts
            .try_reserve_exact(total)
            .map_err(|_| CounterError::Memory)?;
        let often = (1 << 27) / stride + 1;
        let (mut sum, mut start) = (0_u32, 0);
        for done in 1..=total as u64 {
            counts.push(sum);
            sum = sum.wrapping_add(wrapped(stream.ones(start, start + stride)));
            start += stride;
            if done.is_multiple_of(often) || done == total as u64 {
                progress(done, total as u64);
            }
        }
        Ok(Self::of(stream, n, stride, counts))
    }

    /// With counts that were made before, by [`Counters::build`] with the same arguments.
    pub(super) const fn of(
        stream: Stream,
        n: u64,
        stride: u64,
        counts: Zeroizing<Vec<u32>>,
    ) -> Self {
        Self {
            stream,
            n,
            stride,
            counts,
        }
    }

    pub(super) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The image of a number below n; none if the levels do not end, which does not happen.
    pub(super) fn permute(&self, mut x: u64) -> Option<u64> {
        let (mut start, mut length) = (0, self.n);
        for level in 0..MAX_DEPTH {
            if length <= 1 {
                return Some(start);
            }
            let first = u64::from(level) * self.n + start;
            let before = self.ones(first, first + x);
            let ones = before + self.ones(first + x, first + length);
            if self.stream.bit(first + x) {
                (x, start, length) = (before, start + length - ones, ones);
            } else {
                (x, length) = (x - before, length - ones);
            }
        }
        None
    }

    /// The inverse of [`Counters::permute`].
    pub(super) fn unpermute(&self, mut y: u64) -> Option<u64> {
        let (mut start, mut length) = (0, self.n);
        let mut path = Vec::with_capacity(96);
        for level in 0..MAX_DEPTH {
            if length <= 1 {
                break;
            }
            let first = u64::from(level) * self.n + start;
            let ones = self.ones(first, first + length);
            let zeros = length - ones;
            let bit = y >= zeros;
            path.push((bit, first, first + length));
            if bit {
                (y, start, length) = (y - zeros, start + zeros, ones);
            } else {
                length = zeros;
            }
        }
        if length > 1 {
            return None;
        }
        let up = path.into_iter().rev();
        up.into_iter()
            .try_fold(0, |x, (bit, start, end)| self.select(bit, start, end, x))
    }

    /// The bits that the counts reach.
    fn covered(&self) -> u64 {
        (self.counts.len() as u64).saturating_sub(1) * self.stride
    }

    /// The ones from `start` up to `end`. A count of 2^32 would be taken for zero: n ones of n
    /// bits at n = 2^32.
    fn ones(&self, start: u64, end: u64) -> u64 {
        if end - start <= self.stride || end > self.covered() {
            return self.stream.ones(start, end);
        }
        u64::from(self.before(end).wrapping_sub(self.before(start)))
    }

    /// The ones before this place, modulo 2^32, from the nearest count.
    fn before(&self, place: u64) -> u32 {
        let near = (place + self.stride / 2) / self.stride;
        let at = near * self.stride;
        let count = self.count_at(near);
        if at <= place {
            count.wrapping_add(wrapped(self.stream.ones(at, place)))
        } else {
            count.wrapping_sub(wrapped(self.stream.ones(place, at)))
        }
    }

    fn count_at(&self, index: u64) -> u32 {
        let index = usize::try_from(index).ok();
        let count = index.and_then(|index| self.counts.get(index));
        count.copied().unwrap_or_default()
    }

    /// The place, counted from `start`, of the k-th bit of this value.
    fn select(&self, value: bool, start: u64, end: u64, k: u64) -> Option<u64> {
        if end - start <= self.stride || end > self.covered() {
            return self.stream.select(value, start, end, k);
        }
        let before = self.before(start);
        // The bits of this value between `start` and the count at `index`.
        let rank = |index: u64| {
            let ones = u64::from(self.count_at(index).wrapping_sub(before));
            if value {
                ones
            } else {
                index * self.stride - start - ones
            }
        };
        // The last count in the range that is not behind the bit.
        let (mut low, mut high) = (start.div_ceil(self.stride), end / self.stride + 1);
        if rank(low) > k {
            return self.stream.select(value, start, low * self.stride, k);
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if rank(middle) <= k {
                low = middle;
            } else {
                high = middle;
            }
        }
        let from = low * self.stride;
        let to = (from + self.stride).min(end);
        let offset = self.stream.select(value, from, to, k - rank(low))?;
        Some(from - start + offset)
    }
}

/// Modulo 2^32.
#[expect(clippy::cast_possible_truncation, reason = "counts wrap")]
const fn wrapped(count: u64) -> u32 {
    count as u32
}
