//! What the known-answer tests need beyond the public interface, and nobody else should use:
//! derived subkeys, and the network of four rounds, whose proof ends where big tables begin.

use zeroize::Zeroizing;

use super::feistel::Rounds;
use super::{DomainName, IdCodec, KeyRing, Prf, Secret, Version};

/// The subkey for `ident`, `domain` and `label`: of 32 bytes for BLAKE3, of 16 otherwise.
#[must_use]
pub fn subkey<const N: usize>(
    secret: &Secret,
    ident: &str,
    domain: &DomainName,
    label: &str,
) -> Zeroizing<[u8; N]> {
    super::subkey::subkey(secret, ident, domain, label)
}

/// [`IdCodec::feistel`] with four rounds instead of six.
#[must_use]
pub fn feistel_r4(ring: &KeyRing, domain: &DomainName, version: Version) -> IdCodec {
    IdCodec::feistel_of(ring, domain, version, Rounds::Four, Prf::Aes128)
}
