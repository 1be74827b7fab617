//! The codec `session40`: session ids of 40 characters to the same format.
//!
//! ```text
//! hhhhhhhhss bbbbbbbbbbbbbbbbbbbbbbbbbbbb V h      time, step, 17 bytes in base32, version
//! ```
//!
//! The 22 bytes are permuted; the version digit stays, and each has keys of its own. Ids of the
//! older format, 40 hexadecimal digits, are permuted as 20 bytes. All lower case but the `V`.
//!
//! These ids are secrets. The codec hides when they were created; it does not replace their
//! entropy, nor a signature.

use super::digits::Alphabet;
use super::error::{DecodeError, EncodeError, FormError};
use super::feistel_network::{Network, Shape};
use super::form::{parse_bits, render_bits};
use super::secret::Secret;
use super::subkey::DomainName;

/// So many characters a session id has, in either format.
pub(super) const LENGTH: usize = 40;

/// A codec of one domain of session ids: a keyed bijection between texts of the same format.
///
/// It holds derived keys and can't be cloned.
pub struct Session40 {
    /// By version digit, 22 bytes each.
    versions: Box<[Network]>,
    /// 20 bytes.
    older: Network,
}

/// A session id as bytes, in one of the two formats.
enum Session {
    Version { digit: u8, bytes: [u8; 22] },
    Older([u8; 20]),
}

impl Session40 {
    /// The codec `session40`.
    #[must_use]
    pub fn new(secret: &Secret, domain: &DomainName) -> Self {
        let network = |ident: &str, half| {
            let shape = Shape {
                left: half,
                right: half,
                pairs: 3,
            };
            Network::derive(secret, ident, domain, shape)
        };
        let version = |digit| network(&format!("session40/88-88/r6/aes128/V{digit:x}"), 88);
        Self {
            versions: (0..16_u8).map(version).collect(),
            older: network("hex40/80-80/r6/aes128", 80),
        }
    }

    /// The codec's name, as it begins in the derivation.
    #[must_use]
    pub const fn ident(&self) -> &'static str {
        "session40/88-88/r6/aes128"
    }

    /// The id that a key is shown as.
    ///
    /// # Errors
    /// [`EncodeError`] if the key is of neither format.
    pub fn encode(&self, key: &str) -> Result<String, EncodeError> {
        self.permute(key, Network::encrypt).map_err(|_| EncodeError)
    }

    /// The key that an id stands for.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if the id is of neither format.
    pub fn decode(&self, id: &str) -> Result<String, DecodeError> {
        self.permute(id, Network::decrypt)
            .map_err(|_| DecodeError::Syntax)
    }

    fn permute(
        &self,
        text: &str,
        run: impl Fn(&Network, u128, u128) -> (u128, u128),
    ) -> Result<String, FormError> {
        let mut session = Session::parse(text.as_bytes())?;
        match &mut session {
            Session::Version { digit, bytes } => {
                let network = self.versions.get(usize::from(*digit)).ok_or(FormError)?;
                permute_halves(bytes, |left, right| run(network, left, right));
            }
            Session::Older(bytes) => {
                permute_halves(bytes, |left, right| run(&self.older, left, right));
            }
        }
        Ok(session.render())
    }
}

impl std::fmt::Debug for Session40 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session40")
            .field("ident", &self.ident())
            .finish_non_exhaustive()
    }
}

/// Permutes the two halves, each read with its least significant byte first.
fn permute_halves(bytes: &mut [u8], run: impl Fn(u128, u128) -> (u128, u128)) {
    let (left, right) = bytes.split_at_mut(bytes.len() / 2);
    let read = |half: &[u8]| {
        let bytes = half.iter().rev();
        bytes.fold(0, |number, byte| number << 8 | u128::from(*byte))
    };
    let (l, r) = run(read(left), read(right));
    for (half, number) in [(left, l), (right, r)] {
        for (to, from) in half.iter_mut().zip(number.to_le_bytes()) {
            *to = from;
        }
    }
}

impl Session {
    fn parse(text: &[u8]) -> Result<Self, FormError> {
        let [head @ .., b'V', digit] = text else {
            return parse_bits(text.iter().copied(), 4, Alphabet::Hex).map(Self::Older);
        };
        let (time, rest) = head.split_at_checked(10).ok_or(FormError)?;
        let time: [u8; 5] = parse_bits(time.iter().copied(), 4, Alphabet::Hex)?;
        let rest: [u8; 17] = parse_bits(rest.iter().copied(), 5, Alphabet::Base32)?;
        let digit = Alphabet::Hex.digit(*digit);
        if digit > 15 {
            return Err(FormError);
        }
        let mut bytes = [0; 22];
        for (to, from) in bytes.iter_mut().zip(time.into_iter().chain(rest)) {
            *to = from;
        }
        Ok(Self::Version { digit, bytes })
    }

    fn render(&self) -> String {
        let mut text = String::with_capacity(LENGTH);
        match self {
            Self::Version { digit, bytes } => {
                let (time, rest) = bytes.split_at(5);
                render_bits(time, 4, Alphabet::Hex, &mut text);
                render_bits(rest, 5, Alphabet::Base32, &mut text);
                text.push('V');
                text.push(char::from(Alphabet::Hex.character(*digit)));
            }
            Self::Older(bytes) => render_bits(bytes, 4, Alphabet::Hex, &mut text),
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn codec() -> Session40 {
        let secret = Secret::parse(&"11".repeat(32)).unwrap();
        Session40::new(&secret, &"session".parse().unwrap())
    }

    #[test]
    fn versions_have_keys_of_their_own() {
        let codec = codec();
        let body = "687260e3c6lygg5g7fl7gafj2a2vnwmatncbsq";
        let ids = ["2", "3"].map(|v| codec.encode(&format!("{body}V{v}")).unwrap());
        assert_ne!(ids[0][..38], ids[1][..38]);
        assert!(ids[0].ends_with("V2") && ids[1].ends_with("V3"));
    }

    #[test]
    fn what_is_of_neither_format_is_refused() {
        let good = "687260e3c6lygg5g7fl7gafj2a2vnwmatncbsqV2";
        let codec = codec();
        for end in 0..good.len() {
            assert_eq!(codec.decode(&good[..end]), Err(DecodeError::Syntax));
        }
        for wrong in ["V2", "é", &good.to_uppercase(), &format!("{good}0")] {
            assert_eq!(codec.encode(wrong), Err(EncodeError));
        }
    }

    proptest! {
        #[test]
        fn decode_after_encode_is_the_identity(
            key in "[0-9a-f]{10}[a-z2-7]{27}[aq]V[0-9a-f]|[0-9a-f]{40}"
        ) {
            let codec = codec();
            let id = codec.encode(&key).unwrap();
            prop_assert_eq!(id.len(), LENGTH);
            prop_assert_eq!(codec.decode(&id), Ok(key));
        }
    }
}
