//! The external side: sixteen bytes that a client may see, and their text form. Does not know
//! whether an id was ever issued.

use std::fmt;
use std::str::FromStr;

use super::error::SyntaxError;

/// An id as clients see it: the bytes of a UUID, in the order of RFC 9562 and of Postgres's
/// binary format.
///
/// `Display` writes the canonical text form; `Debug` shows nothing, since ids are parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpaqueId([u8; 16]);

impl OpaqueId {
    /// The nil UUID, all zero. No codec whose ids are valid UUIDs issues it.
    pub const NIL: Self = Self([0; 16]);
    /// The Max UUID, all ones. No codec whose ids are valid UUIDs issues it.
    pub const MAX: Self = Self([0xff; 16]);

    /// The id with these bytes, which need not have been issued.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// The canonical text form in ASCII: lower case, with hyphens.
    #[must_use]
    pub fn to_text(self) -> [u8; 36] {
        let mut text = [0; 36];
        uuid::Uuid::from_bytes(self.0)
            .hyphenated()
            .encode_lower(&mut text);
        text
    }

    /// Reads the text forms that Postgres's `uuid_in` reads, and no other: 32 hexadecimal
    /// digits of either case, a hyphen allowed after each fourth digit but the last, the whole
    /// optionally in braces. No white space.
    ///
    /// # Errors
    /// [`SyntaxError`] for every other text.
    pub fn parse(text: &[u8]) -> Result<Self, SyntaxError> {
        let text = match text {
            [b'{', inner @ .., b'}'] => inner,
            plain => plain,
        };
        let mut rest = text;
        let mut bytes = [0; 16];
        for (i, byte) in bytes.iter_mut().enumerate() {
            let [high, low, tail @ ..] = rest else {
                return Err(SyntaxError);
            };
            *byte = hex_digit(*high)? << 4 | hex_digit(*low)?;
            rest = match tail {
                [b'-', after @ ..] if i % 2 == 1 && i < 15 => after,
                tail => tail,
            };
        }
        if rest.is_empty() {
            Ok(Self(bytes))
        } else {
            Err(SyntaxError)
        }
    }
}

fn hex_digit(digit: u8) -> Result<u8, SyntaxError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        _ => Err(SyntaxError),
    }
}

impl FromStr for OpaqueId {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        Self::parse(text.as_bytes())
    }
}

impl fmt::Display for OpaqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        uuid::Uuid::from_bytes(self.0).hyphenated().fmt(f)
    }
}

impl fmt::Debug for OpaqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpaqueId(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "e59bcce6-0853-8657-8814-127b2d43bf23";

    #[test]
    fn every_spelling_that_postgres_accepts_is_the_same_id() {
        let id: OpaqueId = TEXT.parse().unwrap();
        for spelling in [
            TEXT.to_uppercase(),
            TEXT.replace('-', ""),
            format!("{{{TEXT}}}"),
            format!("{{{}}}", TEXT.replace('-', "")),
            "e59b-cce6-0853-8657-8814-127b-2d43-bf23".to_owned(),
            "e59bcce6-08538657-8814127b-2d43bf23".to_owned(),
        ] {
            assert!(spelling.parse() == Ok(id), "{spelling}");
        }
        assert_eq!(id.to_string(), TEXT);
        assert_eq!(id.to_text(), TEXT.as_bytes());
    }

    #[test]
    fn a_text_cut_short_or_lengthened_anywhere_is_malformed() {
        for end in 0..TEXT.len() {
            assert_eq!(TEXT[..end].parse::<OpaqueId>(), Err(SyntaxError));
        }
        for place in 0..=TEXT.len() {
            let (before, after) = TEXT.split_at(place);
            for addition in ["0", "-", "{", "}", " ", "\0", "é"] {
                let text = format!("{before}{addition}{after}");
                // A hyphen at another multiple of four digits is one of Postgres's spellings.
                let spelling = addition == "-" && text.replace("-", "").len() == 32;
                assert!(spelling || text.parse::<OpaqueId>().is_err(), "{text}");
            }
        }
        for text in [
            "{}",
            "{",
            "",
            "-",
            &format!("{{{TEXT}"),
            &format!("{TEXT}}}"),
        ] {
            assert_eq!(text.parse::<OpaqueId>(), Err(SyntaxError), "{text}");
        }
    }

    #[test]
    fn a_hyphen_elsewhere_is_malformed() {
        for text in [
            "e59bcce6--0853-8657-8814-127b2d43bf23",
            "e-59bcce6-0853-8657-8814-127b2d43bf23",
            "e59bcce6-0853-8657-8814-127b2d43bf23-",
            "-e59bcce6-0853-8657-8814-127b2d43bf23",
        ] {
            assert_eq!(text.parse::<OpaqueId>(), Err(SyntaxError), "{text}");
        }
    }

    #[test]
    fn debug_does_not_show_the_id() {
        assert_eq!(format!("{:?}", OpaqueId::MAX), "OpaqueId(..)");
    }
}
