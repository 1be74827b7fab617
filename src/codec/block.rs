//! One AES-128 block under a subkey: what `aes`, `aes-int` and `cycle-walk` are made of. A
//! permutation of sixteen bytes and nothing else.

use aes::cipher::consts::U16;
use aes::cipher::{
    BlockCipherDecrypt as _, BlockCipherEncClosure, BlockCipherEncrypt as _, KeyInit as _,
};
use aes::{Aes128, Block};

use super::secret::Secret;
use super::subkey::{DomainName, subkey};

/// How many blocks are worked on at once; the `aes` crate takes 64 on AVX-512.
const LANES: usize = 64;

/// AES under the subkey `block` of a codec in a domain. The schedule is wiped when dropped.
pub(super) struct BlockKey(Aes128);

impl BlockKey {
    pub(super) fn derive(secret: &Secret, ident: &str, domain: &DomainName) -> Self {
        Self::under(secret, ident, domain, "block")
    }

    /// Derives the AES key for another place of the codec than `block`.
    pub(super) fn under(secret: &Secret, ident: &str, domain: &DomainName, label: &str) -> Self {
        let key = subkey::<16>(secret, ident, domain, label);
        Self(Aes128::new(&(*key).into()))
    }

    /// A key that is not derived, for comparing with other implementations.
    #[cfg(test)]
    pub(super) fn from_key(key: [u8; 16]) -> Self {
        Self(Aes128::new(&key.into()))
    }

    #[inline]
    pub(super) fn encrypt(&self, bytes: [u8; 16]) -> [u8; 16] {
        let mut block = Block::from(bytes);
        self.0.encrypt_block(&mut block);
        block.into()
    }

    #[inline]
    pub(super) fn decrypt(&self, bytes: [u8; 16]) -> [u8; 16] {
        let mut block = Block::from(bytes);
        self.0.decrypt_block(&mut block);
        block.into()
    }

    /// Encrypts the block of each item and appends what `finish` makes of item and result.
    #[inline]
    pub(super) fn encrypt_each<T, U>(
        &self,
        items: &[T],
        block: impl Fn(&T) -> [u8; 16],
        finish: impl Fn(&T, [u8; 16]) -> U,
        out: &mut Vec<U>,
    ) {
        each(
            items,
            |blocks| self.0.encrypt_blocks(blocks),
            block,
            finish,
            out,
        );
    }

    /// Decrypts the block of each item and appends what `finish` makes of item and result.
    #[inline]
    pub(super) fn decrypt_each<T, U>(
        &self,
        items: &[T],
        block: impl Fn(&T) -> [u8; 16],
        finish: impl Fn(&T, [u8; 16]) -> U,
        out: &mut Vec<U>,
    ) {
        each(
            items,
            |blocks| self.0.decrypt_blocks(blocks),
            block,
            finish,
            out,
        );
    }

    /// Encrypts all blocks in place.
    #[inline]
    pub(super) fn encrypt_blocks(&self, blocks: &mut [Block]) {
        self.0.encrypt_blocks(blocks);
    }

    /// Runs `work` where blocks are encrypted, compiled for the instructions that this takes.
    #[inline]
    pub(super) fn with_backend(&self, work: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.0.encrypt_with_backend(work);
    }
}

#[inline]
fn each<T, U>(
    items: &[T],
    permute: impl Fn(&mut [Block]),
    block: impl Fn(&T) -> [u8; 16],
    finish: impl Fn(&T, [u8; 16]) -> U,
    out: &mut Vec<U>,
) {
    if let [item] = items {
        let mut lane = [block(item).into()];
        permute(&mut lane);
        return out.push(finish(item, lane[0].into()));
    }
    out.reserve(items.len());
    let mut blocks = [Block::default(); LANES];
    for group in items.chunks(LANES) {
        let (lanes, _) = blocks.split_at_mut(group.len());
        for (lane, item) in lanes.iter_mut().zip(group) {
            *lane = block(item).into();
        }
        permute(lanes);
        let results = group.iter().zip(lanes);
        out.extend(results.map(|(item, lane)| finish(item, (*lane).into())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_blocks_give_what_each_gives_alone() {
        let secret = Secret::generate().unwrap();
        let key = BlockKey::derive(&secret, "test", &"user".parse().unwrap());
        let items: Vec<[u8; 16]> = (0..200_u128).map(u128::to_be_bytes).collect();
        for count in [0, 1, 2, 63, 64, 65, 200] {
            let (mut out, mut back) = (Vec::new(), Vec::new());
            key.encrypt_each(&items[..count], |item| *item, |_, bytes| bytes, &mut out);
            assert!(
                out.iter().eq(&items[..count]
                    .iter()
                    .map(|i| key.encrypt(*i))
                    .collect::<Vec<_>>())
            );
            key.decrypt_each(&out, |item| *item, |_, bytes| bytes, &mut back);
            assert_eq!(back, items[..count]);
        }
    }
}
