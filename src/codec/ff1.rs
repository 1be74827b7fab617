//! The codec `ff1`: integers to integers of the same width, for clients that can't change the
//! type. FF1 of NIST SP 800-38G with AES-128, radix 2 and an empty tweak.
//!
//! With halves of at most 32 bits this is ten rounds of one AES call each, since the first block
//! of the function is a constant:
//!
//! ```text
//! P0 = AES(01 02 01 00 00 02 0a u BE4(B) 00 00 00 00)
//! y  = BE8(first 8 bytes of AES(P0 xor (0^(15-b) || i || BEb(B))))
//! ```
//!
//! Standard strength, but no redundancy: every number in range decodes to some key, so an id can
//! be guessed if the number of rows is not small beside 2^B. No proof reaches a useful number of
//! ids at this width. Prefer `feistel` wherever the client can take a UUID. No branch and no
//! address depends on a key.

use aes::Block;
use zeroize::Zeroizing;

use super::block::BlockKey;
use super::error::{DecodeError, EncodeError};
use super::key::Key;
use super::secret::Secret;
use super::subkey::DomainName;
use super::value::IntId;

const ROUNDS: u8 = 10;
/// Numbers go through the rounds in groups of this size.
const WIDE: usize = 64;
/// The size of the groups for what is left over.
const NARROW: usize = 8;

/// A width of integers that `ff1` permutes: 31 to 64 bits. Widths of a whole type, 32 and 64, are
/// in two's complement; at any other width, keys are not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ff1Width(u32);

impl Ff1Width {
    /// 0 to 2^31 - 1: `integer` without negative keys.
    pub const B31: Self = Self(31);
    /// All of `integer`.
    pub const B32: Self = Self(32);
    /// 0 to 2^53 - 1: what JavaScript's numbers hold exactly.
    pub const B53: Self = Self(53);
    /// 0 to 2^63 - 1: `bigint` without negative keys.
    pub const B63: Self = Self(63);
    /// All of `bigint`.
    pub const B64: Self = Self(64);

    /// The width of this many bits; none if they are not 31 to 64. FF1 is weak in small domains;
    /// `fastprp` is for these.
    #[must_use]
    pub const fn new(bits: u32) -> Option<Self> {
        match bits {
            31..=64 => Some(Self(bits)),
            _ => None,
        }
    }

    /// The number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The smallest and the largest integer of this width.
    pub(super) const fn bounds(self) -> (i64, i64) {
        match self {
            Self::B64 => (i64::MIN, i64::MAX),
            Self::B32 => (i32::MIN as i64, i32::MAX as i64),
            Self(bits) => (0, i64::MAX >> (63 - bits)),
        }
    }

    /// The name of the codec at this width, part of the derivation.
    pub(super) fn ident(self) -> String {
        format!("ff1/b{}", self.0)
    }

    /// The number as an unsigned one of this width; none if it is out of range.
    #[inline(always)]
    fn unsigned(self, value: i64) -> Option<u64> {
        let bits = value.cast_unsigned();
        match self {
            Self::B64 => Some(bits),
            Self::B32 => i32::try_from(value)
                .ok()
                .map(|value| u64::from(value.cast_unsigned())),
            Self(width) => (bits >> width == 0).then_some(bits),
        }
    }

    /// The inverse of [`Ff1Width::unsigned`].
    #[inline(always)]
    const fn signed(self, number: u64) -> i64 {
        let shift = match self {
            Self::B32 => 32,
            Self(_) => 0,
        };
        (number << shift).cast_signed() >> shift
    }
}

/// `ff1` at one width in one domain.
pub(super) struct Ff1 {
    key: BlockKey,
    /// `P0`, the constant first block: wiped when dropped, as the key is.
    first: Zeroizing<u128>,
    width: Ff1Width,
}

/// The two halves of a number on their way through the rounds.
#[derive(Clone, Copy, Default)]
struct Halves {
    a: u64,
    b: u64,
}

impl Ff1 {
    pub(super) fn new(secret: &Secret, domain: &DomainName, width: Ff1Width) -> Self {
        Self::of(
            BlockKey::under(secret, &width.ident(), domain, "ff1"),
            width,
        )
    }

    fn of(key: BlockKey, width: Ff1Width) -> Self {
        let upper = u128::from(width.bits() / 2);
        let head = 0x01_02_01_00_00_02_0a_00 | upper;
        let block = head << 64 | u128::from(width.bits()) << 32;
        let first = Zeroizing::new(u128::from_be_bytes(key.encrypt(block.to_be_bytes())));
        Self { key, first, width }
    }

    pub(super) const fn width(&self) -> Ff1Width {
        self.width
    }

    pub(super) fn encode(&self, key: Key) -> Result<IntId, EncodeError> {
        let number = self.width.unsigned(key.get()).ok_or(EncodeError)?;
        let [number] = self.permute::<1, true>([number]);
        Ok(IntId::new(self.width.signed(number)))
    }

    pub(super) fn decode(&self, id: IntId) -> Result<Key, DecodeError> {
        let number = self.width.unsigned(id.get());
        let [number] = self.permute::<1, false>([number.ok_or(DecodeError::NotIssued)?]);
        Ok(Key::new(self.width.signed(number)))
    }

    pub(super) fn encode_batch(&self, keys: &[Key], ids: &mut Vec<Result<IntId, EncodeError>>) {
        let result = |value: Option<i64>| value.map(IntId::new).ok_or(EncodeError);
        self.each::<true, _, _>(keys, |key| key.get(), result, ids);
    }

    pub(super) fn decode_batch(&self, ids: &[IntId], keys: &mut Vec<Result<Key, DecodeError>>) {
        let result = |value: Option<i64>| value.map(Key::new).ok_or(DecodeError::NotIssued);
        self.each::<false, _, _>(ids, |id| id.get(), result, keys);
    }

    /// Permutes each item in lock step with its neighbours; one that is out of range goes through
    /// the rounds as zero.
    fn each<const ENCRYPT: bool, T: Copy, U>(
        &self,
        items: &[T],
        value: impl Fn(T) -> i64,
        result: impl Fn(Option<i64>) -> U,
        out: &mut Vec<U>,
    ) {
        out.reserve(items.len());
        let (wide, narrow) = items.split_at(items.len() - items.len() % WIDE);
        self.groups::<WIDE, ENCRYPT, T, U>(wide, &value, &result, out);
        self.groups::<NARROW, ENCRYPT, T, U>(narrow, &value, &result, out);
    }

    fn groups<const N: usize, const ENCRYPT: bool, T: Copy, U>(
        &self,
        items: &[T],
        value: impl Fn(T) -> i64,
        result: impl Fn(Option<i64>) -> U,
        out: &mut Vec<U>,
    ) {
        for group in items.chunks(N) {
            let mut numbers = [0; N];
            for (number, item) in numbers.iter_mut().zip(group) {
                *number = self.width.unsigned(value(*item)).unwrap_or_default();
            }
            let permuted = self.permute::<N, ENCRYPT>(numbers);
            out.extend(group.iter().zip(permuted).map(|(item, number)| {
                let known = self.width.unsigned(value(*item));
                result(known.map(|_| self.width.signed(number)))
            }));
        }
    }

    /// The ten rounds on all numbers, forwards or backwards.
    #[inline]
    fn permute<const N: usize, const ENCRYPT: bool>(&self, numbers: [u64; N]) -> [u64; N] {
        let (upper, lower) = (self.width.bits() / 2, self.width.bits().div_ceil(2));
        let mut halves = numbers.map(|number| Halves {
            a: number >> lower,
            b: number & low_bits(lower),
        });
        for step in 0..ROUNDS {
            let round = if ENCRYPT { step } else { ROUNDS - 1 - step };
            let width = if round % 2 == 0 { upper } else { lower };
            if ENCRYPT {
                let outputs = self.round(round, lower, halves.map(|h| h.b));
                for (h, y) in halves.iter_mut().zip(outputs) {
                    (h.a, h.b) = (h.b, h.a.wrapping_add(y) & low_bits(width));
                }
            } else {
                let outputs = self.round(round, lower, halves.map(|h| h.a));
                for (h, y) in halves.iter_mut().zip(outputs) {
                    (h.a, h.b) = (h.b.wrapping_sub(y) & low_bits(width), h.a);
                }
            }
        }
        halves.map(|h| h.a << lower | h.b)
    }

    /// The round function on all halves.
    #[inline(always)]
    fn round<const N: usize>(&self, round: u8, lower: u32, halves: [u64; N]) -> [u64; N] {
        // The number of the round stands before the half, which takes whole bytes.
        let place = 8 * lower.div_ceil(8);
        let mut blocks = halves.map(|half| {
            let input = u128::from(round) << place | u128::from(half);
            Block::from((*self.first ^ input).to_be_bytes())
        });
        self.key.encrypt_blocks(&mut blocks);
        blocks.map(|block| {
            let [y @ .., _, _, _, _, _, _, _, _]: [u8; 16] = block.into();
            u64::from_be_bytes(y)
        })
    }
}

/// `width` ones; at most 63.
#[inline(always)]
const fn low_bits(width: u32) -> u64 {
    (1 << width) - 1
}

#[cfg(test)]
mod tests {
    use fpe::ff1::{FF1, FlexibleNumeralString};
    use proptest::prelude::*;

    use super::*;

    fn widths() -> impl Iterator<Item = Ff1Width> {
        (31..=64).filter_map(Ff1Width::new)
    }

    fn codec(width: Ff1Width) -> Ff1 {
        let secret = Secret::parse(&"11".repeat(32)).unwrap();
        Ff1::new(&secret, &"user".parse().unwrap(), width)
    }

    #[test]
    fn a_width_is_31_to_64_bits() {
        assert!([0, 30, 65, u32::MAX].map(Ff1Width::new) == [None; 4]);
        assert_eq!(Ff1Width::new(53), Some(Ff1Width::B53));
        let bounds = [31, 32, 40, 63, 64].map(|bits| Ff1Width::new(bits).unwrap().bounds());
        let (int4, int8) = (i64::from(i32::MIN), i64::MIN);
        assert_eq!(bounds.map(|(low, _)| low), [0, int4, 0, 0, int8]);
        let high = [(1 << 31) - 1, !int4, (1 << 40) - 1, !int8, !int8];
        assert_eq!(bounds.map(|(_, high)| high), high);
    }

    #[test]
    fn every_small_width_is_permuted() {
        for width in (2..=13).chain([16]).map(Ff1Width) {
            let codec = codec(width);
            let keys: Vec<Key> = (0..1 << width.bits()).map(Key::new).collect();
            let (mut ids, mut back) = (Vec::new(), Vec::new());
            codec.encode_batch(&keys, &mut ids);
            let ids: Vec<IntId> = ids.into_iter().map(Result::unwrap).collect();
            codec.decode_batch(&ids, &mut back);
            assert!(back.into_iter().eq(keys.iter().copied().map(Ok)));
            let mut images: Vec<i64> = ids.iter().map(|id| id.get()).collect();
            images.sort_unstable();
            assert!(images.into_iter().eq(0..1 << width.bits()));
        }
    }

    #[test]
    fn numbers_beyond_the_width_are_refused_in_both_directions() {
        for width in widths() {
            let (low, high) = width.bounds();
            let codec = codec(width);
            for value in [low, high, high - 1] {
                let id = codec.encode(Key::new(value)).unwrap();
                assert!(low <= id.get() && id.get() <= high);
                assert_eq!(codec.decode(id), Ok(Key::new(value)));
            }
            let outside = [low.checked_sub(1), high.checked_add(1)];
            for value in outside.into_iter().flatten() {
                assert_eq!(codec.encode(Key::new(value)), Err(EncodeError));
                let decoded = codec.decode(IntId::new(value));
                assert_eq!(decoded, Err(DecodeError::NotIssued));
            }
        }
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(any in any::<u64>(), bits in 31..=64_u32) {
            let width = Ff1Width::new(bits).unwrap();
            let key = Key::new(width.signed(any >> (64 - bits)));
            let codec = codec(width);
            let id = codec.encode(key).unwrap();
            prop_assert_eq!(codec.decode(id), Ok(key));
        }

        #[test]
        fn another_implementation_of_the_standard_agrees(
            key in any::<[u8; 16]>(), number in any::<u64>(), bits in 31..=64_u32
        ) {
            let width = Ff1Width::new(bits).unwrap();
            let number = number >> (64 - width.bits());
            let ours = Ff1::of(BlockKey::from_key(key), width);
            let [encrypted] = ours.permute::<1, true>([number]);
            let oracle = FF1::<aes::Aes128>::new(&key, 2).unwrap();
            let bits: Vec<u16> = (0..width.bits())
                .rev()
                .map(|bit| u16::from(number >> bit & 1 == 1))
                .collect();
            let numerals = FlexibleNumeralString::from(bits);
            let result: Vec<u16> = oracle.encrypt(&[], &numerals).unwrap().into();
            let expected = result.into_iter().fold(0, |sum, bit| sum << 1 | u64::from(bit));
            prop_assert_eq!(encrypted, expected);
            prop_assert_eq!(ours.permute::<1, false>([encrypted]), [number]);
        }
    }
}
