//! The Feistel core: an alternating, unbalanced network over two halves, with AES-128 as round
//! function. A permutation and nothing else; what goes into the halves is the codecs' business.
//!
//! ```text
//! for i = 0 .. R-1:   i even: l ^= F_i(r) mod 2^A        i odd: r ^= F_i(l) mod 2^B
//! F_i(x) = LE16(AES_i(LE16(x)))
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

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128, Block};

use super::secret::Secret;
use super::subkey::{DomainName, subkey};

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
/// The key schedules are wiped when it is dropped (by the `aes` crate).
pub(super) struct Network {
    pairs: Box<[Pair]>,
    left_mask: Block,
    right_mask: Block,
}

/// Two rounds.
struct Pair {
    /// Changes the left half.
    even: Aes128,
    /// Changes the right half.
    odd: Aes128,
}

impl Network {
    /// The network of this shape whose keys are derived for `ident` and `domain`.
    pub(super) fn derive(secret: &Secret, ident: &str, domain: &DomainName, shape: Shape) -> Self {
        let round = |i: usize| {
            let key = subkey::<16>(secret, ident, domain, &format!("round-{i}"));
            Aes128::new(&(*key).into())
        };
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

    /// Permutes every lane: the same as [`Network::encrypt`] on each, several times as fast.
    ///
    /// All lanes go through one round before any goes through the next: the AES instructions of
    /// different lanes do not wait for each other, those of one lane must.
    pub(super) fn encrypt_lanes<const N: usize>(&self, lanes: &mut Lanes<N>) {
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
    pub(super) fn decrypt_lanes<const N: usize>(&self, lanes: &mut Lanes<N>) {
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

/// `to ^= F(from) mod 2^width`
#[inline(always)]
fn round(aes: &Aes128, from: &Block, to: &mut Block, mask: &Block) {
    let mut output = Block::default();
    aes.encrypt_block_b2b(from, &mut output);
    xor_masked(to, &output, mask);
}

/// The same for each lane, with room for the outputs.
#[inline(always)]
fn round_of_lanes<const N: usize>(
    aes: &Aes128,
    from: &[Block; N],
    to: &mut [Block; N],
    mask: &Block,
    output: &mut [Block; N],
) {
    output.copy_from_slice(from);
    aes.encrypt_blocks(output);
    for (to, output) in to.iter_mut().zip(output) {
        xor_masked(to, output, mask);
    }
}

/// `N` pairs of halves that are permuted in lock step. Lanes that are not filled cost as much
/// as those that are.
pub(super) struct Lanes<const N: usize> {
    left: [Block; N],
    right: [Block; N],
    output: [Block; N],
}

impl<const N: usize> Lanes<N> {
    pub(super) fn new() -> Self {
        let zero = [Block::default(); N];
        Self {
            left: zero,
            right: zero,
            output: zero,
        }
    }

    /// Fills the first lanes; at most `N` pairs are taken.
    #[inline]
    pub(super) fn fill(&mut self, pairs: impl Iterator<Item = (u128, u128)>) {
        let lanes = self.left.iter_mut().zip(&mut self.right);
        for ((left, right), pair) in lanes.zip(pairs) {
            (*left, *right) = (block(pair.0), block(pair.1));
        }
    }

    /// The pairs in all lanes.
    #[inline]
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u128, u128)> {
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
