//! What the known-answer tests need beyond the public interface, and nobody else should use:
//! derived subkeys, and the network of four rounds, whose proof ends where big tables begin.

use zeroize::Zeroizing;

use super::feistel::Rounds;
use super::{DomainName, IdCodec, KeyRing, Secret, Version};

/// The subkey of 16 bytes for `ident`, `domain` and `label`.
#[must_use]
pub fn subkey(
    secret: &Secret,
    ident: &str,
    domain: &DomainName,
    label: &str,
) -> Zeroizing<[u8; 16]> {
    super::subkey::subkey(secret, ident, domain, label)
}

/// [`IdCodec::feistel`] with four rounds instead of six.
#[must_use]
pub fn feistel_r4(ring: &KeyRing, domain: &DomainName, version: Version) -> IdCodec {
    IdCodec::feistel_of(ring, domain, version, Rounds::Four)
}
