//! Round functions for the Feistel core: keyed functions of a block, AES-128 in the first place.
//!
//! The others are for machines without AES instructions, or where AES is not allowed. They gain
//! nothing from batches, and `SipHash` has seen fewer years of cryptanalysis in this part. None of
//! them branches on its input or on its key.

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128, Block};
use siphasher::sip::SipHasher24;
use zeroize::Zeroizing;

use super::secret::Secret;
use super::subkey::{DomainName, subkey};

/// The round functions that a domain can choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Prf {
    /// AES-128, the default: the fastest wherever the CPU has AES instructions.
    #[default]
    Aes128,
    /// SipHash-2-4.
    SipHash24,
    /// BLAKE3 with a key.
    Blake3,
}

/// A keyed function of sixteen bytes. A network uses as many bits of the output as it needs, the
/// least significant first.
pub(super) trait RoundFunction: Sized {
    /// The function under the subkey of this place.
    fn derive(secret: &Secret, ident: &str, domain: &DomainName, label: &str) -> Self;

    /// The function's value.
    fn apply(&self, input: &Block) -> Block;

    /// Puts the function's value in place of each block.
    #[inline(always)]
    fn apply_all(&self, blocks: &mut [Block]) {
        for block in blocks {
            *block = self.apply(block);
        }
    }
}

/// `F(x) = LE16(AES_k(LE16(x)))`
impl RoundFunction for Aes128 {
    fn derive(secret: &Secret, ident: &str, domain: &DomainName, label: &str) -> Self {
        Self::new(&(*subkey::<16>(secret, ident, domain, label)).into())
    }

    #[inline(always)]
    fn apply(&self, input: &Block) -> Block {
        let mut output = Block::default();
        self.encrypt_block_b2b(input, &mut output);
        output
    }

    #[inline(always)]
    fn apply_all(&self, blocks: &mut [Block]) {
        self.encrypt_blocks(blocks);
    }
}

/// `F(x) = SipHash-2-4_k(LE8(x))`: for halves of at most 64 bits on both sides.
pub(super) struct SipHash24(Zeroizing<[u8; 16]>);

impl RoundFunction for SipHash24 {
    fn derive(secret: &Secret, ident: &str, domain: &DomainName, label: &str) -> Self {
        Self(subkey(secret, ident, domain, label))
    }

    fn apply(&self, input: &Block) -> Block {
        let [low, _] = words(input);
        let hash = SipHasher24::new_with_key(&self.0).hash(&low.to_le_bytes());
        u128::from(hash).to_le_bytes().into()
    }
}

/// `F(x) = LE16(first 16 bytes of BLAKE3-keyed_k(LE16(x)))`
pub(super) struct Blake3(Zeroizing<[u8; 32]>);

impl RoundFunction for Blake3 {
    fn derive(secret: &Secret, ident: &str, domain: &DomainName, label: &str) -> Self {
        Self(subkey(secret, ident, domain, label))
    }

    fn apply(&self, input: &Block) -> Block {
        let hash = blake3::keyed_hash(&self.0, input);
        let mut output = Block::default();
        for (to, from) in output.iter_mut().zip(hash.as_bytes()) {
            *to = *from;
        }
        output
    }
}

/// The two 8-byte words of a block, the least significant first.
fn words(block: &Block) -> [u64; 2] {
    let number = u128::from_le_bytes((*block).into());
    let low = u64::MAX;
    [number, number >> 64].map(|word| u64::try_from(word & u128::from(low)).unwrap_or(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siphash_is_that_of_its_paper() {
        let key = Zeroizing::new(std::array::from_fn(|i| u8::try_from(i).unwrap()));
        let input = u128::from(u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7]));
        let output = SipHash24(key).apply(&input.to_le_bytes().into());
        assert_eq!(
            data_encoding::HEXLOWER.encode(&output),
            "6224939a79f5f5930000000000000000"
        );
    }

    #[test]
    fn many_blocks_give_what_each_gives_alone() {
        let secret = Secret::generate().unwrap();
        fn check<F: RoundFunction>(secret: &Secret) {
            let function = F::derive(secret, "test", &"user".parse().unwrap(), "round-0");
            let inputs: Vec<Block> = (0..70_u128).map(|i| i.to_le_bytes().into()).collect();
            let mut outputs = inputs.clone();
            function.apply_all(&mut outputs);
            let alone = inputs.iter().map(|input| function.apply(input));
            assert!(outputs.into_iter().eq(alone));
        }
        check::<Aes128>(&secret);
        check::<SipHash24>(&secret);
        check::<Blake3>(&secret);
    }
}
