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
use super::stream::{Cut, Stream, wrapped};
use crate::codec::error::CounterError;

/// A permutation of 0 to n-1 with running counts.
pub(super) struct Counters {
    stream: Stream,
    n: u64,
    stride: u64,
    /// How many levels the counts reach: those whose parts are longer than a stride.
    levels: u32,
    /// At k: the ones among the first k * stride bits of the stream, modulo 2^32.
    counts: Zeroizing<Vec<u32>>,
    /// The ones before each part of these levels, modulo 2^32, in the order of the stream, and
    /// those before the level behind. They are few beside the counts, and without them each level
    /// takes three scans instead of one.
    parts: Zeroizing<Vec<u32>>,
}

/// What the numbers on the way down are divided into: 2^level parts at each level.
#[derive(Clone, Copy)]
struct Part {
    level: u32,
    /// Which of the parts of its level it is; of no meaning below the levels with counts.
    index: u64,
    /// Where it starts in its level.
    start: u64,
    length: u64,
}

impl Part {
    /// The part of the numbers whose bit in this one is `bit`.
    const fn child(self, bit: bool, ones: u64) -> Self {
        let zeros = self.length - ones;
        let (start, length) = if bit {
            (self.start + zeros, ones)
        } else {
            (self.start, zeros)
        };
        Self {
            level: self.level + 1,
            index: self.index << 1 | bit as u64,
            start,
            length,
        }
    }
}

impl Counters {
    /// How many counts a permutation of this size has.
    pub(super) fn count(n: u64, stride: u64) -> Result<u64, CounterError> {
        if stride == 0 || !stride.is_multiple_of(128) {
            return Err(CounterError::Stride);
        }
        let levels = u64::from(levels(n, stride));
        Ok(levels * n / stride + 1)
    }

    /// About how many nanoseconds a number takes: the scans of the levels with counts, and those
    /// below, which together are as long as two more. A block is 128 bits.
    pub(super) const fn nanoseconds(&self) -> u64 {
        const BLOCK_NANOSECONDS: u64 = 2;
        (self.levels as u64 + 2) * (self.stride / 128 * BLOCK_NANOSECONDS)
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
        let mut counts = room(total)?;
        counts.push(0);
        let (often, mut done) = ((1 << 27) / stride + 1, 1);
        progress(done, total);
        while done < total {
            let next = (total - done).min(often);
            stream.sums((done - 1) * stride / 128, stride, next, &mut counts);
            done += next;
            progress(done, total);
        }
        Self::of(stream, n, stride, counts)
    }

    /// With counts that were made before, by [`Counters::build`] with the same arguments.
    pub(super) fn of(
        stream: Stream,
        n: u64,
        stride: u64,
        counts: Zeroizing<Vec<u32>>,
    ) -> Result<Self, CounterError> {
        let levels = levels(n, stride);
        let mut parts = room(1 << levels)?;
        parts.resize(1 << levels, 0);
        let mut counters = Self {
            stream,
            n,
            stride,
            levels,
            counts,
            parts,
        };
        counters.count_parts(counters.whole());
        let end = counters.rank(u64::from(levels) * n).0;
        if let Some(last) = counters.parts.last_mut() {
            *last = end;
        }
        Ok(counters)
    }

    /// Gives this permutation with another stride. Where counts can only be left out, that takes
    /// half an old stride for each at most; finer ones are made anew.
    pub(super) fn resized(
        self,
        stride: u64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, CounterError> {
        if stride == self.stride {
            return Ok(self);
        }
        if stride < self.stride {
            return Self::build(self.stream, self.n, stride, progress);
        }
        let total = Self::count(self.n, stride)?;
        let mut counts = room(total)?;
        counts.extend((0..total).map(|index| self.rank(index * stride).0));
        Self::of(self.stream, self.n, stride, counts)
    }

    pub(super) fn counts(&self) -> &[u32] {
        &self.counts
    }

    pub(super) const fn stride(&self) -> u64 {
        self.stride
    }

    /// The image of a number below n; none if the levels do not end, which does not happen.
    pub(super) fn permute(&self, mut x: u64) -> Option<u64> {
        let mut part = self.whole();
        while part.length > 1 {
            if part.level == MAX_DEPTH {
                return None;
            }
            let cut = self.cut(part, x);
            x = if cut.bit { cut.before } else { x - cut.before };
            part = part.child(cut.bit, cut.ones);
        }
        Some(part.start)
    }

    /// The inverse of [`Counters::permute`].
    pub(super) fn unpermute(&self, mut y: u64) -> Option<u64> {
        let mut path = Vec::with_capacity(96);
        let mut part = self.whole();
        while part.length > 1 {
            if part.level == MAX_DEPTH {
                return None;
            }
            let ones = self.ones(part);
            let zeros = part.length - ones;
            let bit = y >= zeros;
            if bit {
                y -= zeros;
            }
            path.push((part, bit, if bit { ones } else { zeros }));
            part = part.child(bit, ones);
        }
        let mut up = path.into_iter().rev();
        up.try_fold(0, |x, (part, bit, count)| self.select(part, bit, x, count))
    }

    /// All numbers.
    const fn whole(&self) -> Part {
        Part {
            level: 0,
            index: 0,
            start: 0,
            length: self.n,
        }
    }

    /// Where a part starts in the stream.
    fn first(&self, part: Part) -> u64 {
        u64::from(part.level) * self.n + part.start
    }

    /// The ones before a part and before what is behind it; none below the levels with counts.
    fn around(&self, part: Part) -> Option<(u32, u32)> {
        if part.level >= self.levels {
            return None;
        }
        let index = (1 << part.level) - 1 + part.index;
        let before = at_index(&self.parts, index)?;
        at_index(&self.parts, index + 1).map(|behind| (before, behind))
    }

    /// Fills in the ones before a part and those that it will be divided into.
    fn count_parts(&mut self, part: Part) {
        if part.level >= self.levels {
            return;
        }
        let first = self.first(part);
        let before = self.rank(first).0;
        let behind = self.rank(first + part.length).0;
        let index = usize::try_from((1 << part.level) - 1 + part.index).ok();
        if let Some(place) = index.and_then(|index| self.parts.get_mut(index)) {
            *place = before;
        }
        let ones = u64::from(behind.wrapping_sub(before));
        self.count_parts(part.child(false, ones));
        self.count_parts(part.child(true, ones));
    }

    /// The ones of a part.
    fn ones(&self, part: Part) -> u64 {
        let Some((before, behind)) = self.around(part) else {
            let first = self.first(part);
            return self.stream.ones(first, first + part.length);
        };
        // A count of 2^32 is taken for zero: n ones of n bits at n = 2^32.
        behind.wrapping_sub(before).into()
    }

    /// A part cut at its bit `x`.
    fn cut(&self, part: Part, x: u64) -> Cut {
        let first = self.first(part);
        let Some((before, behind)) = self.around(part) else {
            return self.stream.cut(first, first + x, first + part.length);
        };
        let (rank, bit) = self.rank(first + x);
        Cut {
            before: rank.wrapping_sub(before).into(),
            bit,
            ones: behind.wrapping_sub(before).into(),
        }
    }

    /// The ones before this place, modulo 2^32, from the nearest count, and the bit there.
    fn rank(&self, place: u64) -> (u32, bool) {
        let last = (self.counts.len() as u64).saturating_sub(1);
        let near = ((place + self.stride / 2) / self.stride).min(last);
        let (at, count) = (near * self.stride, self.count_at(near));
        if at <= place {
            let cut = self.stream.cut(at, place, place + 1);
            (count.wrapping_add(wrapped(cut.before)), cut.bit)
        } else {
            let cut = self.stream.cut(place, place, at);
            (count.wrapping_sub(wrapped(cut.ones)), cut.bit)
        }
    }

    fn count_at(&self, index: u64) -> u32 {
        at_index(&self.counts, index).unwrap_or_default()
    }

    /// The place in a part of the k-th of its `count` bits of this value.
    fn select(&self, part: Part, value: bool, k: u64, count: u64) -> Option<u64> {
        let (first, end) = (self.first(part), self.first(part) + part.length);
        let Some((before, _)) = self.around(part) else {
            return self.select_near(value, (first, end), k, count);
        };
        // The bits of this value between the start of the part and the count at `index`.
        let rank = |index: u64| {
            let ones = u64::from(self.count_at(index).wrapping_sub(before));
            if value {
                ones
            } else {
                index * self.stride - first - ones
            }
        };
        // The bit is behind the count at `low` and before that at `high`, which may lie outside
        // of the part.
        let (mut low, mut high) = (first / self.stride, end.div_ceil(self.stride));
        let (mut behind, mut before) = (0, count);
        let mut probe = |index: u64, low: &mut u64, high: &mut u64| {
            if *low < index && index < *high {
                let rank = rank(index);
                if rank <= k {
                    (*low, behind) = (index, rank);
                } else {
                    (*high, before) = (index, rank);
                }
            }
        };
        // The bits are random: the one wanted is hardly ever further from where it is on average
        // than this.
        let guess = (first + part.length * k / count.max(1)) / self.stride;
        let window = part.length.isqrt() / self.stride + 1;
        probe(guess.saturating_sub(window), &mut low, &mut high);
        probe(guess + window + 1, &mut low, &mut high);
        while high - low > 1 {
            probe(low.midpoint(high), &mut low, &mut high);
        }
        let from = (low * self.stride).max(first);
        let to = (high * self.stride).min(end);
        let place = self.select_near(value, (from, to), k - behind, before - behind)?;
        Some(from - first + place)
    }

    /// The place in a range of the k-th of its `count` bits of this value, searched for from the
    /// end that it is nearer to.
    fn select_near(
        &self,
        value: bool,
        (start, end): (u64, u64),
        k: u64,
        count: u64,
    ) -> Option<u64> {
        if k > count / 2 {
            self.stream.select_last(value, start, end, count - 1 - k)
        } else {
            self.stream.select(value, start, end, k)
        }
    }
}

/// The levels whose parts are longer than a stride, as far as the bits are balanced.
fn levels(n: u64, stride: u64) -> u32 {
    (0..64).map(|level| u32::from(n >> level > stride)).sum()
}

/// An empty vector for this many counts.
fn room(count: u64) -> Result<Zeroizing<Vec<u32>>, CounterError> {
    let count = usize::try_from(count).map_err(|_| CounterError::Memory)?;
    let mut counts = Zeroizing::new(Vec::new());
    let reserved = counts.try_reserve_exact(count);
    reserved.map_err(|_| CounterError::Memory)?;
    Ok(counts)
}

fn at_index(counts: &[u32], index: u64) -> Option<u32> {
    let index = usize::try_from(index).ok()?;
    counts.get(index).copied()
}
