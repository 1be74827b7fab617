//! The operator's secrets: 32 random bytes each, and the ring of those in use. Does not know
//! where they are kept.

use std::fmt;

use data_encoding::{BASE64, BASE64_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::error::SecretError;

/// A key of 32 bytes, from which the keys of every id domain are derived.
///
/// It is wiped when dropped, can be neither cloned nor printed, and is never all zero. Boxed, so
/// that a secret that is moved, or is in a vector that grows, leaves no copy behind.
#[derive(ZeroizeOnDrop)]
pub struct Secret(Box<[u8; Self::BYTES]>);

impl Secret {
    /// The length of a secret.
    pub const BYTES: usize = 32;

    /// Reads a secret from 64 hexadecimal digits of either case or from standard base64, with
    /// or without padding. White space around it is ignored, since files end in a newline.
    ///
    /// # Errors
    /// [`SecretError`] if it is not that, is of another length, or is all zero.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let text = text.trim_ascii();
        let encoding = match text.len() {
            64 => HEXLOWER_PERMISSIVE,
            44 => BASE64,
            43 => BASE64_NOPAD,
            _ => {
                let characters = text.chars().count();
                return Err(SecretError::Length { characters });
            }
        };
        // The decoder asks for room for the padding too.
        let mut decoded = Zeroizing::new([0; Self::BYTES + 1]);
        let room = encoding.decode_len(text.len()).ok();
        let target = room
            .and_then(|room| decoded.get_mut(..room))
            .ok_or(SecretError::Encoding)?;
        match encoding.decode_mut(text.as_bytes(), target) {
            Ok(Self::BYTES) => Self::from_bytes(target),
            _ => Err(SecretError::Encoding),
        }
    }

    /// A new secret from the operating system's generator.
    ///
    /// # Errors
    /// [`SecretError::Random`] if the operating system gives no random bytes.
    pub fn generate() -> Result<Self, SecretError> {
        let mut bytes = Zeroizing::new([0; Self::BYTES]);
        getrandom::fill(bytes.as_mut_slice()).map_err(|_| SecretError::Random)?;
        Self::from_bytes(bytes.as_slice())
    }

    /// A new secret as text, in 64 hexadecimal digits. This is the only way from a secret to
    /// text: one that is in use can't be printed.
    ///
    /// # Errors
    /// As [`Secret::generate`].
    pub fn generate_hex() -> Result<Zeroizing<String>, SecretError> {
        Self::generate().map(|secret| Zeroizing::new(HEXLOWER.encode(secret.as_bytes())))
    }

    /// Whether two secrets are one. It takes the same time whatever they are.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let pairs = self.0.iter().zip(other.0.iter());
        pairs.fold(0, |any, (a, b)| any | (a ^ b)) == 0
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, SecretError> {
        let mut secret = Self(Box::new([0; Self::BYTES]));
        for (to, from) in secret.0.iter_mut().zip(bytes) {
            *to = *from;
        }
        let any = secret.0.iter().fold(0, |any, byte| any | byte);
        if any == 0 {
            Err(SecretError::Zero)
        } else {
            Ok(secret)
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The secrets in use: the current one encodes, all of them decode.
///
/// After a rotation every row shows a new id, while old ids still work as input. Rotate when a
/// secret is compromised, not by the calendar.
#[derive(Debug)]
pub struct KeyRing {
    /// Encodes, and decodes first.
    pub current: Secret,
    /// Decode, in this order, what `current` does not. Each adds one more attempt to the refusal
    /// of an id, and 2^-58 to the probability that a made-up one is accepted.
    pub older: Vec<Secret>,
}

impl KeyRing {
    /// A ring of one secret.
    #[must_use]
    pub const fn new(current: Secret) -> Self {
        Self {
            current,
            older: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const BASE64_TEXT: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    #[test]
    fn hexadecimal_and_base64_give_the_same_secret() {
        let unpadded = BASE64_TEXT.trim_end_matches('=');
        let upper = HEX.to_uppercase();
        let in_a_file = format!(" {HEX}\r\n");
        for text in [HEX, &upper, &in_a_file, BASE64_TEXT, unpadded] {
            let secret = Secret::parse(text).unwrap();
            assert!(secret.0.iter().copied().eq(0..32), "{text}");
            assert!(secret.is_same(&Secret::parse(HEX).unwrap()));
            assert!(!secret.is_same(&Secret::generate().unwrap()));
        }
    }

    #[test]
    fn a_secret_of_another_length_is_refused_and_the_error_says_what_is_wanted() {
        for text in [
            "",
            "0",
            &HEX[1..],
            &format!("{HEX}00"),
            &BASE64_TEXT[..40],
            "AAEC",
        ] {
            let error = Secret::parse(text).unwrap_err();
            assert_eq!(
                error,
                SecretError::Length {
                    characters: text.len()
                }
            );
        }
        let message = Secret::parse("hunter2").unwrap_err().to_string();
        assert!(message.contains("64 hexadecimal digits") && message.contains("7 characters"));
        assert!(!message.contains("hunter2"));
    }

    #[test]
    fn a_wrong_character_is_refused() {
        let in_hex = HEX.replacen('0', "g", 1);
        let in_base64 = BASE64_TEXT.replacen('A', "!", 1);
        // 44 characters without padding are 33 bytes, and loose bits at the end are no bytes.
        let too_long = BASE64_TEXT.replace('=', "A");
        let loose_bits = BASE64_TEXT.replace("8=", "9=");
        let not_ascii = format!("{}é", &HEX[..62]);
        for text in [&in_hex, &in_base64, &too_long, &loose_bits, &not_ascii] {
            assert_eq!(
                Secret::parse(text).unwrap_err(),
                SecretError::Encoding,
                "{text}"
            );
        }
    }

    #[test]
    fn the_all_zero_secret_is_refused_in_both_encodings() {
        let in_base64 = BASE64.encode(&[0; 32]);
        for text in ["0".repeat(64), in_base64] {
            assert_eq!(Secret::parse(&text).unwrap_err(), SecretError::Zero);
        }
    }

    #[test]
    fn a_generated_secret_can_be_read_back_and_differs_from_the_next() {
        let (one, two) = (
            Secret::generate_hex().unwrap(),
            Secret::generate_hex().unwrap(),
        );
        assert_ne!(*one, *two);
        assert!(Secret::parse(&one).is_ok());
    }

    #[test]
    fn debug_shows_no_secret() {
        let mut ring = KeyRing::new(Secret::parse(HEX).unwrap());
        ring.older.push(Secret::generate().unwrap());
        assert_eq!(
            format!("{ring:?}"),
            "KeyRing { current: Secret(..), older: [Secret(..)] }"
        );
    }

    #[test]
    fn a_secret_is_wiped_on_drop() {
        const fn wiped<T: ZeroizeOnDrop>() {}
        wiped::<Secret>();
        wiped::<aes::Aes128>();
    }
}
