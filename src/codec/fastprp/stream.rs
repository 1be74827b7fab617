//! The stream of random bits that the permutation reads: counting ones, finding the k-th bit.
//!
//! ```text
//! S = AES(0) || AES(1) || ...      block i encrypts LE16(i)
//! ```
//!
//! Bit g of S is bit g mod 128 of block g / 128, read as a little-endian number.

use aes::Block;

use crate::codec::block::BlockKey;

/// How many blocks are computed at once; the `aes` crate takes 64 on AVX-512.
const LANES: usize = 64;
const BLOCK_BITS: u64 = 128;

/// The stream under one key. Every bit is computed when it is asked for.
pub(super) struct Stream(BlockKey);

impl Stream {
    pub(super) const fn new(key: BlockKey) -> Self {
        Self(key)
    }

    /// The bit at this place.
    pub(super) fn bit(&self, place: u64) -> bool {
        self.ones(place, place + 1) == 1
    }

    /// How many of the bits from `start` up to `end` are ones.
    pub(super) fn ones(&self, start: u64, end: u64) -> u64 {
        let mut ones = 0;
        self.visit(start, end, |_, word| {
            ones += u64::from(word.count_ones());
            None::<()>
        });
        ones
    }

    /// The place, counted from `start`, of the k-th bit of this value, `k` from 0; none if there
    /// are fewer before `end`.
    pub(super) fn select(&self, value: bool, start: u64, end: u64, mut k: u64) -> Option<u64> {
        let place = |first: u64, mut word: u128, k: u64| {
            for _ in 0..k {
                word &= word - 1;
            }
            first + u64::from(word.trailing_zeros()) - start
        };
        self.visit(start, end, |first, word| {
            let word = if value {
                word
            } else {
                !word & mask(first, start, end)
            };
            let count = u64::from(word.count_ones());
            if k < count {
                return Some(place(first, word, k));
            }
            k -= count;
            None
        })
    }

    /// Appends the whole words that hold the bits from `start` up to `end`.
    pub(super) fn words(&self, start: u64, end: u64, words: &mut Vec<u128>) {
        self.visit(start, end, |_, word| {
            words.push(word);
            None::<()>
        });
    }

    /// Hands over the words with the bits from `start` up to `end`, each with the place of its
    /// first bit and with zeros for what lies outside, until there is a result.
    #[inline]
    fn visit<R>(
        &self,
        start: u64,
        end: u64,
        mut visitor: impl FnMut(u64, u128) -> Option<R>,
    ) -> Option<R> {
        if start >= end {
            return None;
        }
        let mut next = start / BLOCK_BITS;
        let last = (end - 1) / BLOCK_BITS;
        let mut blocks = [Block::default(); LANES];
        while next <= last {
            let left = usize::try_from(last - next + 1).unwrap_or(LANES);
            let (lanes, _) = blocks.split_at_mut(left.min(LANES));
            for (lane, number) in lanes.iter_mut().zip(next..) {
                *lane = u128::from(number).to_le_bytes().into();
            }
            self.0.encrypt_blocks(lanes);
            for (lane, number) in lanes.iter().zip(next..) {
                let first = number * BLOCK_BITS;
                let word = u128::from_le_bytes((*lane).into());
                let result = visitor(first, word & mask(first, start, end));
                if result.is_some() {
                    return result;
                }
            }
            next += LANES as u64;
        }
        None
    }
}

/// Ones for the bits of the word at `first` that lie between `start` and `end`.
#[inline(always)]
fn mask(first: u64, start: u64, end: u64) -> u128 {
    let below = start.saturating_sub(first);
    let above = (first + BLOCK_BITS).saturating_sub(end);
    u128::MAX >> above & u128::MAX << below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_finding_agree_with_bits_read_one_by_one() {
        let stream = Stream::new(BlockKey::from_key([7; 16]));
        let bits: Vec<bool> = (0..20_000).map(|place| stream.bit(place)).collect();
        assert!((9_000..11_000).contains(&bits.iter().filter(|bit| **bit).count()));
        for (start, end) in [
            (0, 1),
            (0, 128),
            (5, 5),
            (1, 127),
            (100, 300),
            (127, 20_000),
        ] {
            let range = usize::try_from(start).unwrap()..usize::try_from(end).unwrap();
            for value in [false, true] {
                let places: Vec<u64> = (0..)
                    .zip(&bits[range.clone()])
                    .filter_map(|(place, bit)| (*bit == value).then_some(place))
                    .collect();
                if value {
                    assert_eq!(stream.ones(start, end), places.len() as u64);
                }
                for (k, place) in (0..).zip(&places).step_by(17) {
                    assert_eq!(stream.select(value, start, end, k), Some(*place));
                }
                assert_eq!(stream.select(value, start, end, places.len() as u64), None);
            }
        }
    }
}
