//! The stream of random bits that the permutation reads: counting ones, finding the k-th bit.
//!
//! ```text
//! S = AES(0) || AES(1) || ...      block i encrypts LE16(i)
//! ```
//!
//! Bit g of S is bit g mod 128 of block g / 128, read as a little-endian number.
//!
//! Runs of blocks are made and counted inside of the cipher's backend, which is compiled for the
//! CPU's AES and vector instructions: there counting a block costs less than making it.

use aes::Block;
use aes::cipher::consts::U16;
use aes::cipher::typenum::Unsigned as _;
use aes::cipher::{
    BlockCipherEncBackend, BlockCipherEncClosure, BlockSizeUser, InOutBuf, ParBlocks,
};

use crate::codec::block::BlockKey;

const BLOCK_BITS: u64 = 128;
/// How far a search from the far end goes back at once, in bits.
const STEP_BACK: u64 = 64 * BLOCK_BITS;

/// The stream under one key. Every bit is computed when it is asked for.
pub(super) struct Stream(BlockKey);

/// A range of the stream, cut at one of its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// The ones before the bit.
    pub(super) before: u64,
    /// The bit itself.
    pub(super) bit: bool,
    /// The ones in the whole range.
    pub(super) ones: u64,
}

impl Cut {
    const NONE: Self = Self {
        before: 0,
        bit: false,
        ones: 0,
    };
}

impl Stream {
    pub(super) const fn new(key: BlockKey) -> Self {
        Self(key)
    }

    /// How many of the bits from `start` up to `end` are ones.
    pub(super) fn ones(&self, start: u64, end: u64) -> u64 {
        if start >= end {
            return 0;
        }
        self.cut(start, start, end).ones
    }

    /// The ones from `start` up to `end`, and before the bit at `at`, which is one of them.
    pub(super) fn cut(&self, start: u64, at: u64, end: u64) -> Cut {
        let mut counter = Counter {
            start,
            at,
            end,
            cut: Cut::NONE,
        };
        self.run(start, end, &mut counter);
        counter.cut
    }

    /// The place, counted from `start`, of the k-th bit of this value, `k` from 0; none if there
    /// are fewer before `end`.
    pub(super) fn select(&self, value: bool, start: u64, end: u64, k: u64) -> Option<u64> {
        let mut search = Search {
            value,
            start,
            end,
            k,
            found: None,
        };
        if start < end {
            self.run(start, end, &mut search);
        }
        search.found
    }

    /// The place, counted from `start`, of the k-th bit of this value, with `k` counted from the
    /// last one before `end` backwards.
    pub(super) fn select_last(&self, value: bool, start: u64, end: u64, mut k: u64) -> Option<u64> {
        let mut to = end;
        while to > start {
            let from = (to - 1) / STEP_BACK * STEP_BACK;
            let from = from.max(start);
            let ones = self.ones(from, to);
            let count = if value { ones } else { to - from - ones };
            if k < count {
                let place = self.select(value, from, to, count - 1 - k)?;
                return Some(from - start + place);
            }
            k -= count;
            to = from;
        }
        None
    }

    /// Appends the ones from the start of the stream on, modulo 2^32, after each further stride:
    /// `count` sums after the last, which is that before block `first`.
    pub(super) fn sums(&self, first: u64, stride: u64, count: u64, sums: &mut Vec<u32>) {
        let blocks = stride / BLOCK_BITS;
        let mut summation = Sums {
            blocks,
            left: blocks,
            sum: sums.last().copied().unwrap_or_default(),
            sums,
        };
        let start = first * BLOCK_BITS;
        self.run(start, start + count * stride, &mut summation);
    }

    /// Appends the whole words that hold the bits from `start` up to `end`.
    pub(super) fn words(&self, start: u64, end: u64, words: &mut Vec<u128>) {
        self.run(start, end, &mut Copies { words });
    }

    fn run(&self, start: u64, end: u64, visitor: &mut impl Visitor) {
        self.0.with_backend(Run {
            next: start / BLOCK_BITS,
            end: end.div_ceil(BLOCK_BITS),
            visitor,
        });
    }
}

/// What is done with the blocks of a run, in their order. Everything that it calls is inlined
/// into the backend.
trait Visitor {
    /// Takes some blocks of which `first` is the number of the first; whether there is need for
    /// more.
    fn visit(&mut self, first: u64, blocks: &[Block]) -> bool;
}

/// The blocks from `next` up to `end`.
struct Run<'a, V> {
    next: u64,
    end: u64,
    visitor: &'a mut V,
}

impl<V> BlockSizeUser for Run<'_, V> {
    type BlockSize = U16;
}

impl<V: Visitor> BlockCipherEncClosure for Run<'_, V> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let mut next = self.next;
        let mut blocks = ParBlocks::<B>::default();
        while self.end - next >= B::ParBlocksSize::U64 {
            number(&mut blocks, next);
            backend.encrypt_par_blocks((&mut blocks).into());
            if !self.visitor.visit(next, &blocks) {
                return;
            }
            next += B::ParBlocksSize::U64;
        }
        let left = usize::try_from(self.end - next).unwrap_or_default();
        if left == 0 {
            return;
        }
        // A group that is more than half full is faster than single blocks.
        if 3 * left > B::ParBlocksSize::USIZE {
            number(&mut blocks, next);
            backend.encrypt_par_blocks((&mut blocks).into());
        } else {
            let (some, _) = blocks.split_at_mut(left);
            number(some, next);
            backend.encrypt_tail_blocks(InOutBuf::from(some));
        }
        let (some, _) = blocks.split_at(left);
        self.visitor.visit(next, some);
    }
}

/// Fills the blocks with their numbers.
#[inline(always)]
fn number(blocks: &mut [Block], first: u64) {
    for (block, number) in blocks.iter_mut().zip(first..) {
        *block = u128::from(number).to_le_bytes().into();
    }
}

/// Counts for [`Stream::cut`].
struct Counter {
    start: u64,
    at: u64,
    end: u64,
    cut: Cut,
}

impl Visitor for Counter {
    #[inline(always)]
    fn visit(&mut self, first: u64, blocks: &[Block]) -> bool {
        let mut sum = self.cut.ones;
        // What lies outside of the range at both ends is taken away; at the start, before
        // anything is added.
        if let Some((_, word)) = word_at(first, blocks, self.start) {
            sum = sum.wrapping_sub(below(word, self.start));
        }
        if let Some((whole, word)) = word_at(first, blocks, self.at) {
            let before = ones(whole).wrapping_add(below(word, self.at));
            self.cut.before = sum.wrapping_add(before);
            self.cut.bit = word >> (self.at % BLOCK_BITS) & 1 == 1;
        }
        sum = sum.wrapping_add(ones(blocks));
        if let Some((_, word)) = word_at(first, blocks, self.end) {
            sum -= u64::from(word.count_ones()) - below(word, self.end);
        }
        self.cut.ones = sum;
        true
    }
}

/// Searches for [`Stream::select`].
struct Search {
    value: bool,
    start: u64,
    end: u64,
    /// How many bits of this value come before the wanted one from here on.
    k: u64,
    found: Option<u64>,
}

impl Visitor for Search {
    #[inline(always)]
    fn visit(&mut self, first: u64, blocks: &[Block]) -> bool {
        let of_value = |bits, ones| if self.value { ones } else { bits - ones };
        let count = |blocks: &[Block]| of_value(BLOCK_BITS * blocks.len() as u64, ones(blocks));
        let mut k = self.k;
        if let Some((_, word)) = word_at(first, blocks, self.start) {
            // What is not searched comes before it too.
            k += of_value(self.start % BLOCK_BITS, below(word, self.start));
        }
        let all = count(blocks);
        if k >= all {
            self.k = k - all;
            return true;
        }
        let (mut first, mut rest) = (first, blocks);
        while rest.len() > 1 {
            let (low, high) = rest.split_at(rest.len() / 2);
            let before = count(low);
            if k < before {
                rest = low;
            } else {
                (k, first, rest) = (k - before, first + low.len() as u64, high);
            }
        }
        let word = rest.first().map_or(0, word);
        let place = nth_one(if self.value { word } else { !word }, k) + first * BLOCK_BITS;
        self.found = (place < self.end).then(|| place - self.start);
        false
    }
}

/// Sums for [`Stream::sums`].
struct Sums<'a> {
    /// How many blocks there are between two sums.
    blocks: u64,
    /// How many of them are left before the next one.
    left: u64,
    sum: u32,
    sums: &'a mut Vec<u32>,
}

impl Visitor for Sums<'_> {
    #[inline(always)]
    fn visit(&mut self, _: u64, mut blocks: &[Block]) -> bool {
        while let Ok(left) = usize::try_from(self.left)
            && let Some((now, later)) = blocks.split_at_checked(left)
        {
            self.sum = self.sum.wrapping_add(wrapped(ones(now)));
            self.sums.push(self.sum);
            (self.left, blocks) = (self.blocks, later);
        }
        self.sum = self.sum.wrapping_add(wrapped(ones(blocks)));
        self.left -= blocks.len() as u64;
        true
    }
}

/// Modulo 2^32.
#[expect(clippy::cast_possible_truncation, reason = "sums wrap")]
pub(super) const fn wrapped(count: u64) -> u32 {
    count as u32
}

/// Copies for [`Stream::words`].
struct Copies<'a> {
    words: &'a mut Vec<u128>,
}

impl Visitor for Copies<'_> {
    #[inline(always)]
    fn visit(&mut self, _: u64, blocks: &[Block]) -> bool {
        self.words.extend(blocks.iter().map(word));
        true
    }
}

#[inline(always)]
fn word(block: &Block) -> u128 {
    u128::from_le_bytes((*block).into())
}

/// The word that holds the bit at this place, and the blocks before it.
#[inline(always)]
fn word_at(first: u64, blocks: &[Block], place: u64) -> Option<(&[Block], u128)> {
    let index = (place / BLOCK_BITS).checked_sub(first)?;
    let index = usize::try_from(index).ok()?;
    let (before, rest) = blocks.split_at_checked(index)?;
    let block = rest.first()?;
    Some((before, word(block)))
}

/// The ones of all blocks.
#[inline(always)]
fn ones(blocks: &[Block]) -> u64 {
    let mut sum = 0;
    for block in blocks {
        let (halves, _) = block.as_chunks::<8>();
        for half in halves {
            sum += u64::from(u64::from_le_bytes(*half).count_ones());
        }
    }
    sum
}

/// The ones of a word before the bit at `place`.
#[inline(always)]
fn below(word: u128, place: u64) -> u64 {
    let mask = (1_u128 << (place % BLOCK_BITS)) - 1;
    (word & mask).count_ones().into()
}

/// The place of the k-th one, of which there must be more than k: by halves.
#[inline(always)]
fn nth_one(mut word: u128, mut k: u64) -> u64 {
    let (mut place, mut half) = (0, BLOCK_BITS / 2);
    while half > 0 {
        let low = u64::from((word & ((1 << half) - 1)).count_ones());
        if k >= low {
            (k, place) = (k - low, place + half);
            word >>= half;
        }
        half /= 2;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_finding_agree_with_bits_read_one_by_one() {
        let stream = Stream::new(BlockKey::from_key([7; 16]));
        let bits: Vec<bool> = (0..20_000)
            .map(|place| stream.cut(place, place, place + 1).bit)
            .collect();
        assert!((9_000..11_000).contains(&bits.iter().filter(|bit| **bit).count()));
        for (start, end) in [
            (0, 1),
            (0, 128),
            (5, 5),
            (1, 127),
            (100, 300),
            (100, 8_200),
            (384, 19_968),
            (127, 20_000),
        ] {
            let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
            for value in [false, true] {
                let places: Vec<u64> = (0..)
                    .zip(&bits[range.clone()])
                    .filter_map(|(place, bit)| (*bit == value).then_some(place))
                    .collect();
                let count = places.len() as u64;
                if value {
                    assert_eq!(stream.ones(start, end), count);
                }
                for (k, place) in (0..).zip(&places).step_by(17) {
                    assert_eq!(stream.select(value, start, end, k), Some(*place));
                    let last = stream.select_last(value, start, end, count - 1 - k);
                    assert_eq!(last, Some(*place), "{start} {end} {k}");
                    let cut = stream.cut(start, start + place, end);
                    assert_eq!(cut.bit, value);
                    let before = if value { k } else { place - k };
                    assert_eq!(cut.before, before);
                    assert_eq!(cut.ones, stream.ones(start, end));
                }
                assert_eq!(stream.select(value, start, end, count), None);
                assert_eq!(stream.select_last(value, start, end, count), None);
            }
        }
    }
}
