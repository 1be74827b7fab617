//! Alphabets: digits of 4 to 6 bits, or of base 62, as ASCII characters and back. Without
//! tables, branches or shared memory, since keys that are text pass through here as well.

/// An alphabet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// `0-9a-f`
    Hex,
    /// RFC 4648 base32 in lower case: `a-z2-7`
    Base32,
    /// Crockford's base32 in upper case: without I, L, O and U
    Crockford,
    /// base64url: `A-Za-z0-9-_`
    Base64Url,
    /// `0-9A-Za-z`
    Base62,
}

/// A character that is not in the alphabet.
pub(super) const INVALID: u8 = 0xff;

impl Alphabet {
    /// The character of a digit that the alphabet has.
    #[inline(always)]
    pub(super) fn character(self, digit: u8) -> u8 {
        let from = |first: u8| u8::from(digit >= first);
        match self {
            Self::Hex => b'0' + digit + (b'a' - b'9' - 1) * from(10),
            Self::Base32 => (b'a' + digit).wrapping_sub((b'a' + 26 - b'2') * from(26)),
            Self::Crockford => {
                let gap = (b'A' - b'9' - 1) * from(10);
                b'0' + digit + gap + from(18) + from(20) + from(22) + from(27)
            }
            Self::Base64Url => {
                let lower = (b'a' - b'Z' - 1) * from(26);
                let decimal = (b'z' + 1 - b'0') * from(52);
                let hyphen = (b'9' + 1 - b'-') * from(62);
                let underscore = (b'_' - b'-' - 1) * from(63);
                (b'A' + digit + lower)
                    .wrapping_sub(decimal)
                    .wrapping_sub(hyphen)
                    .wrapping_add(underscore)
            }
            Self::Base62 => {
                b'0' + digit + (b'A' - b'9' - 1) * from(10) + (b'a' - b'Z' - 1) * from(36)
            }
        }
    }

    /// The digit of a character, or [`INVALID`]. Letters are taken as they are; see [`lower`] and
    /// [`upper`].
    #[inline(always)]
    pub(super) fn digit(self, character: u8) -> u8 {
        let range = |first: u8, last: u8, digit: u8| {
            let inside = u8::from(first <= character) & u8::from(character <= last);
            // The digit plus one, so that zero can mean that the character is not in the range.
            inside * character.wrapping_sub(first).wrapping_add(digit + 1)
        };
        let found = match self {
            Self::Hex => range(b'0', b'9', 0) | range(b'a', b'f', 10),
            Self::Base32 => range(b'a', b'z', 0) | range(b'2', b'7', 26),
            Self::Crockford => {
                range(b'0', b'9', 0)
                    | range(b'A', b'H', 10)
                    | range(b'J', b'K', 18)
                    | range(b'M', b'N', 20)
                    | range(b'P', b'T', 22)
                    | range(b'V', b'Z', 27)
            }
            Self::Base64Url => {
                range(b'A', b'Z', 0)
                    | range(b'a', b'z', 26)
                    | range(b'0', b'9', 52)
                    | range(b'-', b'-', 62)
                    | range(b'_', b'_', 63)
            }
            Self::Base62 => range(b'0', b'9', 0) | range(b'A', b'Z', 10) | range(b'a', b'z', 36),
        };
        // Zero becomes INVALID.
        found.wrapping_sub(1)
    }
}

/// The letter in lower case, other characters as they are.
#[inline(always)]
pub(super) fn lower(character: u8) -> u8 {
    let letter = u8::from(b'A' <= character) & u8::from(character <= b'Z');
    character | letter << 5
}

/// The letter in upper case, other characters as they are.
#[inline(always)]
pub(super) fn upper(character: u8) -> u8 {
    let letter = u8::from(b'a' <= character) & u8::from(character <= b'z');
    character & !(letter << 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_alphabet_is_the_one_that_is_meant_and_has_no_other_character() {
        for (alphabet, characters) in [
            (Alphabet::Hex, "0123456789abcdef"),
            (Alphabet::Base32, "abcdefghijklmnopqrstuvwxyz234567"),
            (Alphabet::Crockford, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
            (
                Alphabet::Base64Url,
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
            ),
            (
                Alphabet::Base62,
                "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            ),
        ] {
            for (digit, character) in (0..).zip(characters.bytes()) {
                assert_eq!(alphabet.character(digit), character, "{alphabet:?} {digit}");
            }
            for character in 0..=255 {
                let place = characters.bytes().position(|c| c == character);
                let expected = place.map_or(INVALID, |place| u8::try_from(place).unwrap());
                assert_eq!(
                    alphabet.digit(character),
                    expected,
                    "{alphabet:?} {character}"
                );
            }
        }
    }

    #[test]
    fn case_is_changed_for_letters_only() {
        for character in 0..=255_u8 {
            assert_eq!(lower(character), character.to_ascii_lowercase());
            assert_eq!(upper(character), character.to_ascii_uppercase());
        }
    }
}
