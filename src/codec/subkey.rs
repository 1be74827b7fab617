//! From a secret to the keys of one id domain: HKDF-SHA256 (RFC 5869), so that every domain,
//! every codec and every round has an independent key.

use std::fmt;
use std::str::FromStr;

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::error::DomainNameError;
use super::secret::Secret;

/// The salt names the derivation; another one would be another version of it.
const SALT: &[u8] = b"id-codec/v1";

/// The name of an id domain: a primary key and all foreign keys that refer to it. It is part
/// of the derivation, so renaming a domain changes all of its ids.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainName(String);

impl DomainName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for DomainName {
    type Err = DomainNameError;

    fn from_str(name: &str) -> Result<Self, DomainNameError> {
        // A zero byte separates the name from its neighbours in the derivation, so the alphabet
        // is what keeps two domains from sharing a key.
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if (1..=64).contains(&name.len()) && name.bytes().all(allowed) {
            Ok(Self(name.to_owned()))
        } else {
            Err(DomainNameError)
        }
    }
}

impl fmt::Display for DomainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The key for one place of one codec in one domain:
///
/// ```text
/// PRK    = HKDF-Extract(salt = "id-codec/v1", IKM = secret)
/// subkey = HKDF-Expand(PRK, info = ident 00 domain 00 label, N)
/// ```
///
/// `ident` holds the codec's widths, rounds and round function, so a changed parameter never
/// shares a key with the old one.
pub(super) fn subkey<const N: usize>(
    secret: &Secret,
    ident: &str,
    domain: &DomainName,
    label: &str,
) -> Zeroizing<[u8; N]> {
    expand(
        secret,
        [ident.as_bytes(), domain.0.as_bytes(), label.as_bytes()],
    )
}

impl Secret {
    /// A key for another use than ids, named by `purpose`: whoever knows it learns nothing of the
    /// secret. It shares no key with an id domain, whose name is never empty.
    #[must_use]
    pub fn key_for(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        expand(self, [purpose.as_bytes(), &[], &[]])
    }
}

/// HKDF over three parts that hold no zero byte.
fn expand<const N: usize>(
    secret: &Secret,
    [ident, domain, label]: [&[u8]; 3],
) -> Zeroizing<[u8; N]> {
    const {
        assert!(
            N <= 255 * 32,
            "HKDF-SHA256 gives at most 255 blocks of 32 bytes"
        )
    };
    let mut subkey = Zeroizing::new([0; N]);
    let info = [ident, &[0], domain, &[0], label];
    #[expect(
        clippy::expect_used,
        reason = "only a length over 255 blocks fails; asserted above"
    )]
    Hkdf::<Sha256>::new(Some(SALT), secret.as_bytes())
        .expand_multi_info(&info, subkey.as_mut_slice())
        .expect("N is at most 255 blocks");
    subkey
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivation_is_that_of_the_published_example() {
        let secret =
            Secret::parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
                .unwrap();
        let domain = "user".parse().unwrap();
        let key = subkey::<16>(&secret, "feistel/60-62/r6/aes128", &domain, "round-0");
        let hex = data_encoding::HEXLOWER.encode(key.as_slice());
        assert_eq!(hex, "4216b465688db663d3c562aa8fc185d1");
    }

    #[test]
    fn a_key_for_another_use_is_its_own() {
        let secret = |byte: &str| Secret::parse(&byte.repeat(32)).unwrap();
        let key = secret("01").key_for("salts");
        assert_eq!(key, secret("01").key_for("salts"));
        assert_ne!(key, secret("01").key_for("salt"));
        assert_ne!(key, secret("02").key_for("salts"));
        let domain = "user".parse().unwrap();
        assert_ne!(key, subkey::<32>(&secret("01"), "salts", &domain, ""));
        assert_ne!(key.as_slice(), secret("01").as_bytes());
    }

    #[test]
    fn a_domain_name_has_a_small_alphabet_and_a_bounded_length() {
        for name in ["user", "a", "A.b_c-9", &"x".repeat(64)] {
            assert_eq!(name.parse::<DomainName>().unwrap().as_str(), name);
        }
        for name in ["", "a b", "a/b", "a\0b", "é", "user\n", &"x".repeat(65)] {
            assert_eq!(name.parse::<DomainName>(), Err(DomainNameError), "{name:?}");
        }
    }
}
