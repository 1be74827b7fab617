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
//! the block, which costs more than AES itself.

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128, Block};

use super::secret::Secret;
use super::subkey::{DomainName, subkey};

/// A network over halves of `A` and `B` bits.
///
/// The key schedules are wiped when it is dropped (by the `aes` crate).
pub(super) struct Network<const A: u32, const B: u32> {
    rounds: Box<[Aes128]>,
}

impl<const A: u32, const B: u32> Network<A, B> {
    /// The network of `rounds` rounds whose keys are derived for `ident` and `domain`.
    pub(super) fn derive(secret: &Secret, ident: &str, domain: &DomainName, rounds: usize) -> Self {
        let key = |i| subkey::<16>(secret, ident, domain, &format!("round-{i}"));
        let schedule = |i| Aes128::new(&(*key(i)).into());
        // The range knows its length, so the box is filled in place and no schedule moves.
        Self {
            rounds: (0..rounds).map(schedule).collect(),
        }
    }

    /// Permutes one pair.
    #[inline]
    pub(super) fn encrypt(&self, left: u128, right: u128) -> (u128, u128) {
        Self::run_one(self.rounds.iter().enumerate(), left, right)
    }

    /// The inverse of [`Network::encrypt`].
    #[inline]
    pub(super) fn decrypt(&self, left: u128, right: u128) -> (u128, u128) {
        Self::run_one(self.rounds.iter().enumerate().rev(), left, right)
    }

    /// Permutes every lane: the same as [`Network::encrypt`] on each, several times as fast.
    pub(super) fn encrypt_lanes<const N: usize>(&self, lanes: &mut Lanes<N>) {
        Self::run_lanes(self.rounds.iter().enumerate(), lanes);
    }

    /// The inverse of [`Network::encrypt_lanes`].
    pub(super) fn decrypt_lanes<const N: usize>(&self, lanes: &mut Lanes<N>) {
        Self::run_lanes(self.rounds.iter().enumerate().rev(), lanes);
    }

    #[inline]
    fn run_one<'a>(
        rounds: impl Iterator<Item = (usize, &'a Aes128)>,
        left: u128,
        right: u128,
    ) -> (u128, u128) {
        let (mut left, mut right) = (block(left), block(right));
        let mut output = Block::default();
        for (i, round) in rounds {
            if i % 2 == 0 {
                round.encrypt_block_b2b(&right, &mut output);
                xor_low_bits::<A>(&mut left, &output);
            } else {
                round.encrypt_block_b2b(&left, &mut output);
                xor_low_bits::<B>(&mut right, &output);
            }
        }
        (number(&left), number(&right))
    }

    /// All lanes go through one round before any goes through the next: the AES instructions of
    /// different lanes do not wait for each other, those of one lane must.
    #[inline]
    fn run_lanes<'a, const N: usize>(
        rounds: impl Iterator<Item = (usize, &'a Aes128)>,
        lanes: &mut Lanes<N>,
    ) {
        let Lanes {
            left,
            right,
            output,
        } = lanes;
        for (i, round) in rounds {
            if i % 2 == 0 {
                output.copy_from_slice(right);
                round.encrypt_blocks(output);
                left.iter_mut()
                    .zip(&*output)
                    .for_each(|(l, o)| xor_low_bits::<A>(l, o));
            } else {
                output.copy_from_slice(left);
                round.encrypt_blocks(output);
                right
                    .iter_mut()
                    .zip(&*output)
                    .for_each(|(r, o)| xor_low_bits::<B>(r, o));
            }
        }
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
            .map(|(left, right)| (number(left), number(right)))
    }
}

#[inline(always)]
fn block(half: u128) -> Block {
    half.to_le_bytes().into()
}

#[inline(always)]
fn number(half: &Block) -> u128 {
    u128::from_le_bytes((*half).into())
}

/// `half ^= output mod 2^WIDTH`. Byte by byte in the source, one 16-byte operation once compiled.
#[inline(always)]
fn xor_low_bits<const WIDTH: u32>(half: &mut Block, output: &Block) {
    let mask = const { (u128::MAX >> (128 - WIDTH)).to_le_bytes() };
    for ((half, output), mask) in half.iter_mut().zip(output).zip(mask) {
        *half ^= output & mask;
    }
}
