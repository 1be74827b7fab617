//! The Feistel core: an alternating, unbalanced network over two halves. A permutation and
//! nothing else; what goes into the halves is the codecs' business, and what F is, that of the
//! round functions.
//!
//! ```text
//! for i = 0 .. R-1:   i even: l ^= F_i(r) mod 2^A        i odd: r ^= F_i(l) mod 2^B
//! ```
//!
//! Decryption runs the same loop backwards; there is no final swap, and only AES *encryption*
//! is used. No branch and no address depends on a half.
//!
//! A half stays in the form in which AES reads it, sixteen bytes with the least significant
//! first, through all rounds: each round then is 16-byte loads and stores only. Composing the
//! block out of two 8-byte words instead makes the CPU wait for both stores before AES can load
//! the block, which takes longer than half of AES itself. For the same reason the masks that cut
//! the halves to their widths are values and not constants: if the compiler knew which bytes are
//! zero, it would store the others on their own.

use aes::{Aes128, Block};

use super::prf::RoundFunction;
use super::secret::Secret;
use super::subkey::DomainName;

/// Pairs go through the rounds in groups of this size. On AVX-512, the `aes` crate
/// takes 64 blocks at once, the others fewer.
const WIDE: usize = 64;
/// The size of the groups for what is left over.
const NARROW: usize = 8;
/// From this many left over, one wide group that is not full is taken instead of narrow ones.
/// It pays from 36 on where the backend takes 64 blocks at once, and never where it takes 8;
/// this is between the two.
const FILL: usize = 48;

/// The parameters of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// The width of the left half in bits, at most 128.
    pub(super) left: u32,
    /// The width of the right half in bits, at most 128.
    pub(super) right: u32,
    /// The number of pairs of rounds.
    pub(super) pairs: usize,
}

/// A network over two halves of at most 128 bits each.
///
/// The keys are wiped when it is dropped, by the round functions.
pub(super) struct Network<F = Aes128> {
    pairs: Box<[Pair<F>]>,
    left_mask: Block,
    right_mask: Block,
}

/// Two rounds.
struct Pair<F> {
    /// Changes the left half.
    even: F,
    /// Changes the right half.
    odd: F,
}

impl<F: RoundFunction> Network<F> {
    /// The network of this shape whose keys are derived for `ident` and `domain`.
    pub(super) fn derive(secret: &Secret, ident: &str, domain: &DomainName, shape: Shape) -> Self {
        let round = |i: usize| F::derive(secret, ident, domain, &format!("round-{i}"));
        let pair = |i| Pair {
            even: round(2 * i),
            odd: round(2 * i + 1),
        };
        Self {
            // The range knows its length: the box is filled in place, and no schedule is left
            // behind by a vector that grew.
            pairs: (0..shape.pairs).map(pair).collect(),
            left_mask: low_bits(shape.left),
            right_mask: low_bits(shape.right),
        }
    }

    /// Permutes one pair of halves.
    #[inline]
    pub(super) fn encrypt(&self, left: u128, right: u128) -> (u128, u128) {
        let (mut left, mut right) = (block(left), block(right));
        for Pair { even, odd } in &self.pairs {
            round(even, &right, &mut left, &self.left_mask);
            round(odd, &left, &mut right, &self.right_mask);
        }
        (number(left), number(right))
    }

    /// The inverse of [`Network::encrypt`].
    #[inline]
    pub(super) fn decrypt(&self, left: u128, right: u128) -> (u128, u128) {
        let (mut left, mut right) = (block(left), block(right));
        for Pair { even, odd } in self.pairs.iter().rev() {
            round(odd, &left, &mut right, &self.right_mask);
            round(even, &right, &mut left, &self.left_mask);
        }
        (number(left), number(right))
    }

    /// Permutes the halves of each item and appends what `finish` makes of item and result, in
    /// order: the same as one by one, several times as fast from about eight items on.
    ///
    /// `finish` is handed the item again, since only two halves travel through the rounds.
    /// Allocates nothing if `out` has room.
    #[inline]
    pub(super) fn encrypt_each<T, U>(
        &self,
        items: &[T],
        halves: impl Fn(&T) -> (u128, u128),
        finish: impl Fn(&T, (u128, u128)) -> U,
        out: &mut Vec<U>,
    ) {
        self.each::<true, T, U>(items, halves, finish, out);
    }

    /// Permutes the halves of each item back, as [`Network::decrypt`] does, and appends what
    /// `finish` makes of item and result, in the way of [`Network::encrypt_each`].
    #[inline]
    pub(super) fn decrypt_each<T, U>(
        &self,
        items: &[T],
        halves: impl Fn(&T) -> (u128, u128),
        finish: impl Fn(&T, (u128, u128)) -> U,
        out: &mut Vec<U>,
    ) {
        self.each::<false, T, U>(items, halves, finish, out);
    }

    #[inline]
    fn each<const ENCRYPT: bool, T, U>(
        &self,
        items: &[T],
        halves: impl Fn(&T) -> (u128, u128),
        finish: impl Fn(&T, (u128, u128)) -> U,
        out: &mut Vec<U>,
    ) {
        out.reserve(items.len());
        let (wide, narrow) = items.split_at(wide_part(items.len()));
        self.groups::<WIDE, ENCRYPT, T, U>(wide, &halves, &finish, out);
        self.groups::<NARROW, ENCRYPT, T, U>(narrow, &halves, &finish, out);
    }

    #[inline]
    fn groups<const N: usize, const ENCRYPT: bool, T, U>(
        &self,
        items: &[T],
        halves: impl Fn(&T) -> (u128, u128),
        finish: impl Fn(&T, (u128, u128)) -> U,
        out: &mut Vec<U>,
    ) {
        // Lanes are three kilobytes of zeros to begin with: only for those who need several.
        match items {
            [] => return,
            [item] => {
                let (left, right) = halves(item);
                let result = if ENCRYPT {
                    self.encrypt(left, right)
                } else {
                    self.decrypt(left, right)
                };
                return out.push(finish(item, result));
            }
            _ => {}
        }
        let mut lanes = Lanes::<N>::new();
        for group in items.chunks(N) {
            lanes.fill(group.iter().map(&halves));
            if ENCRYPT {
                self.encrypt_lanes(&mut lanes);
            } else {
                self.decrypt_lanes(&mut lanes);
            }
            let results = group.iter().zip(lanes.pairs());
            out.extend(results.map(|(item, result)| finish(item, result)));
        }
    }

    /// Permutes every lane. All lanes go through one round before any goes through the next: the
    /// AES instructions of different lanes do not wait for each other, those of one lane must.
    fn encrypt_lanes<const N: usize>(&self, lanes: &mut Lanes<N>) {
        let Lanes {
            left,
            right,
            output,
        } = lanes;
        for Pair { even, odd } in &self.pairs {
            round_of_lanes(even, right, left, &self.left_mask, output);
            round_of_lanes(odd, left, right, &self.right_mask, output);
        }
    }

    /// The inverse of [`Network::encrypt_lanes`].
    fn decrypt_lanes<const N: usize>(&self, lanes: &mut Lanes<N>) {
        let Lanes {
            left,
            right,
            output,
        } = lanes;
        for Pair { even, odd } in self.pairs.iter().rev() {
            round_of_lanes(odd, left, right, &self.right_mask, output);
            round_of_lanes(even, right, left, &self.left_mask, output);
        }
    }
}

/// How many of `count` items go through wide groups.
const fn wide_part(count: usize) -> usize {
    if count % WIDE < FILL {
        count - count % WIDE
    } else {
        count
    }
}

/// `to ^= F(from) mod 2^width`
#[inline(always)]
fn round(function: &impl RoundFunction, from: &Block, to: &mut Block, mask: &Block) {
    xor_masked(to, &function.apply(from), mask);
}

/// Does `to ^= F(from) mod 2^width` for each lane, with room for the outputs.
#[inline(always)]
fn round_of_lanes<const N: usize>(
    function: &impl RoundFunction,
    from: &[Block; N],
    to: &mut [Block; N],
    mask: &Block,
    output: &mut [Block; N],
) {
    output.copy_from_slice(from);
    function.apply_all(output);
    for (to, output) in to.iter_mut().zip(output) {
        xor_masked(to, output, mask);
    }
}

/// `N` pairs of halves that are permuted in lock step. Lanes that are not filled cost as much
/// as those that are.
struct Lanes<const N: usize> {
    left: [Block; N],
    right: [Block; N],
    output: [Block; N],
}

impl<const N: usize> Lanes<N> {
    fn new() -> Self {
        let zero = [Block::default(); N];
        Self {
            left: zero,
            right: zero,
            output: zero,
        }
    }

    /// Fills the first lanes; at most `N` pairs are taken.
    #[inline]
    fn fill(&mut self, pairs: impl Iterator<Item = (u128, u128)>) {
        let lanes = self.left.iter_mut().zip(&mut self.right);
        for ((left, right), pair) in lanes.zip(pairs) {
            (*left, *right) = (block(pair.0), block(pair.1));
        }
    }

    /// The pairs in all lanes.
    #[inline]
    fn pairs(&self) -> impl Iterator<Item = (u128, u128)> {
        self.left
            .iter()
            .zip(&self.right)
            .map(|(left, right)| (number(*left), number(*right)))
    }
}

#[inline(always)]
fn block(half: u128) -> Block {
    half.to_le_bytes().into()
}

#[inline(always)]
fn number(half: Block) -> u128 {
    u128::from_le_bytes(half.into())
}

/// A block whose low `width` bits are ones; `width` is 1 to 128.
fn low_bits(width: u32) -> Block {
    block(u128::MAX >> (128 - width))
}

/// `half ^= output mod 2^width`. Byte by byte in the source, 16-byte operations once compiled.
#[inline(always)]
fn xor_masked(half: &mut Block, output: &Block, mask: &Block) {
    // Copies, so that the compiler need not ask whether the three overlap.
    let (mut sum, output, mask) = (half.0, output.0, mask.0);
    for ((sum, output), mask) in sum.iter_mut().zip(output).zip(mask) {
        *sum ^= output & mask;
    }
    *half = sum.into();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::codec::prf::{Blake3, SipHash24};

    fn network<F: RoundFunction>(left: u32, right: u32, pairs: usize) -> Network<F> {
        let secret =
            Secret::parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
                .unwrap();
        let shape = Shape { left, right, pairs };
        Network::derive(&secret, "test", &"user".parse().unwrap(), shape)
    }

    fn check_bijection<F: RoundFunction>(left: u32, right: u32, pairs: usize) {
        let network = network::<F>(left, right, pairs);
        let mut seen = vec![false; 1 << (left + right)];
        for number in 0..1_u128 << (left + right) {
            let halves = (number >> right, number & ((1 << right) - 1));
            let (l, r) = network.encrypt(halves.0, halves.1);
            assert!(l < 1 << left && r < 1 << right);
            assert_eq!(network.decrypt(l, r), halves);
            let image = usize::try_from(l << right | r).unwrap();
            assert!(!std::mem::replace(&mut seen[image], true));
        }
    }

    #[test]
    fn every_small_network_is_a_bijection() {
        for (left, right) in [(1, 1), (2, 3), (3, 2), (4, 4), (1, 9), (9, 1), (5, 7)] {
            for pairs in [1, 2, 3] {
                check_bijection::<Aes128>(left, right, pairs);
                check_bijection::<SipHash24>(left, right, pairs);
                check_bijection::<Blake3>(left, right, pairs);
            }
        }
        check_bijection::<Aes128>(8, 8, 3);
    }

    proptest! {
        #[test]
        fn decryption_undoes_encryption_at_every_width(
            left in any::<u128>(), right in any::<u128>(),
            (wide_left, wide_right) in (1..=128_u32, 1..=128_u32), pairs in 1..=3_usize
        ) {
            let network = network::<Aes128>(wide_left, wide_right, pairs);
            let (left, right) = (left >> (128 - wide_left), right >> (128 - wide_right));
            let (l, r) = network.encrypt(left, right);
            prop_assert_eq!(network.decrypt(l, r), (left, right));
        }
    }
}
