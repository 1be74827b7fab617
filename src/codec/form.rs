//! Text forms of ids: the same bytes as a UUID, as a ULID, short, with a prefix.
//!
//! A form takes only what it writes, apart from the case of letters where noted, so that an id
//! has one spelling and a key that is text comes back byte for byte. Nothing here knows whether
//! an id was issued.
//!
//! | form | characters | letters in |
//! | --- | --- | --- |
//! | `uuid` | 36 | what Postgres's `uuid_in` takes |
//! | `hex` | 32 | either case |
//! | `ulid` | 26, Crockford's base32 | either case |
//! | `compact` | 22, base64url without padding | |
//! | `base62` | 22, `0-9A-Za-z`, big-endian | |
//! | `typeid` | prefix `_` and 26, Crockford's base32 | lower case only |

use super::digits::{Alphabet, INVALID, lower, upper};
use super::error::{FormError, PrefixError};
use super::opaque_id::OpaqueId;

/// The longest prefix, in characters; that of a TypeID.
const LONGEST_PREFIX: usize = 63;
/// Set in [`INVALID`] and in no digit.
const HIGH_BIT: u8 = 0x80;
/// 62^10: ten digits of base 62 fit into 64 bits.
const TEN_DIGITS: u64 = 839_299_365_868_340_224;

/// The text forms of sixteen bytes, by the names that the configuration uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormName {
    /// 36 characters with hyphens.
    Uuid,
    /// 32 hexadecimal digits.
    Hex,
    /// A ULID.
    Ulid,
    /// 22 characters of base64url.
    Compact,
    /// 22 letters and digits.
    Base62,
    /// A TypeID: a prefix, an underscore, and a ULID in lower case.
    TypeId,
}

/// A text form of sixteen bytes with its literal prefix.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Form {
    name: FormName,
    /// What stands before the digits, with the underscore of a TypeID.
    prefix: String,
}

impl Form {
    /// The form with this prefix, which may be empty.
    ///
    /// # Errors
    /// [`PrefixError`] if the form takes no prefix or not this one.
    pub fn new(name: FormName, prefix: &str) -> Result<Self, PrefixError> {
        let mut prefix = prefix.to_owned();
        match name {
            _ if prefix.is_empty() => {}
            FormName::Uuid | FormName::Ulid => return Err(PrefixError::Unwanted),
            _ if prefix.len() > LONGEST_PREFIX => return Err(PrefixError::Length),
            FormName::Hex | FormName::Compact | FormName::Base62 => {
                let plain = |c: u8| c.is_ascii_alphanumeric() || b"-._~".contains(&c);
                if !prefix.bytes().all(plain) {
                    return Err(PrefixError::Character);
                }
            }
            FormName::TypeId => {
                let letters = |c: u8| c.is_ascii_lowercase() || c == b'_';
                if !prefix.bytes().all(letters) || prefix.starts_with('_') || prefix.ends_with('_')
                {
                    return Err(PrefixError::TypeId);
                }
                prefix.push('_');
            }
        }
        Ok(Self { name, prefix })
    }

    /// The form without a prefix.
    pub(crate) const fn bare(name: FormName) -> Self {
        Self {
            name,
            prefix: String::new(),
        }
    }

    /// The name of the form.
    #[must_use]
    pub const fn name(&self) -> FormName {
        self.name
    }

    /// What stands before the digits; two domains should not share it.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// How many characters each text has.
    #[must_use]
    pub fn length(&self) -> usize {
        let digits = match self.name {
            FormName::Uuid => 36,
            FormName::Hex => 32,
            FormName::Ulid | FormName::TypeId => 26,
            FormName::Compact | FormName::Base62 => 22,
        };
        self.prefix.len() + digits
    }

    /// Appends the text of these bytes, in ASCII.
    pub fn render(&self, bytes: [u8; 16], text: &mut String) {
        text.push_str(&self.prefix);
        let number = u128::from_be_bytes(bytes);
        match self.name {
            FormName::Uuid => {
                let id = OpaqueId::from_bytes(bytes).to_text();
                text.extend(id.map(char::from));
            }
            FormName::Hex => render_bits(&bytes, 4, Alphabet::Hex, text),
            FormName::Compact => render_bits(&bytes, 6, Alphabet::Base64Url, text),
            FormName::Ulid => text.extend(crockford(number).map(char::from)),
            FormName::TypeId => text.extend(crockford(number).map(|c| char::from(lower(c)))),
            FormName::Base62 => text.extend(base62(number).map(char::from)),
        }
    }

    /// The bytes that a text stands for.
    ///
    /// # Errors
    /// [`FormError`] if it is not of this form.
    pub fn parse(&self, text: &[u8]) -> Result<[u8; 16], FormError> {
        let digits = text.strip_prefix(self.prefix.as_bytes());
        let digits = digits.ok_or(FormError)?;
        match self.name {
            FormName::Uuid => OpaqueId::parse(digits)
                .map(OpaqueId::to_bytes)
                .map_err(|_| FormError),
            FormName::Hex => parse_bits(digits.iter().map(|c| lower(*c)), 4, Alphabet::Hex),
            FormName::Compact => parse_bits(digits.iter().copied(), 6, Alphabet::Base64Url),
            FormName::Ulid => parse_crockford(digits.iter().map(|c| upper(*c))),
            // Upper case becomes a character that the alphabet does not have.
            FormName::TypeId => parse_crockford(digits.iter().map(|c| upper(*c) ^ (c ^ lower(*c)))),
            FormName::Base62 => parse_base62(digits),
        }
    }

    /// Gives the bytes of a text that must come back byte for byte: only what the form writes.
    ///
    /// # Errors
    /// [`FormError`] for every other text.
    pub fn parse_exact(&self, text: &[u8]) -> Result<[u8; 16], FormError> {
        let bytes = self.parse(text)?;
        let mut again = String::with_capacity(text.len());
        self.render(bytes, &mut again);
        if again.as_bytes() == text {
            Ok(bytes)
        } else {
            Err(FormError)
        }
    }
}

/// The text forms of 32 bytes, by the names that the configuration uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WideForm {
    /// `\x` and 64 hexadecimal digits: the text form of `bytea`.
    Bytea,
    /// 43 characters of base64url.
    Compact43,
}

impl WideForm {
    /// How many characters each text has.
    #[must_use]
    pub const fn length(self) -> usize {
        match self {
            Self::Bytea => 66,
            Self::Compact43 => 43,
        }
    }

    /// Appends the text of these bytes, in ASCII.
    pub fn render(self, bytes: [u8; 32], text: &mut String) {
        match self {
            Self::Bytea => {
                text.push_str("\\x");
                render_bits(&bytes, 4, Alphabet::Hex, text);
            }
            Self::Compact43 => render_bits(&bytes, 6, Alphabet::Base64Url, text),
        }
    }

    /// The bytes that a text stands for.
    ///
    /// # Errors
    /// [`FormError`] if it is not of this form.
    pub fn parse(self, text: &[u8]) -> Result<[u8; 32], FormError> {
        match self {
            Self::Bytea => {
                let digits = text.strip_prefix(b"\\x").ok_or(FormError)?;
                parse_bits(digits.iter().map(|c| lower(*c)), 4, Alphabet::Hex)
            }
            Self::Compact43 => parse_bits(text.iter().copied(), 6, Alphabet::Base64Url),
        }
    }

    /// Gives the bytes of a text that must come back byte for byte: only what the form writes.
    ///
    /// # Errors
    /// [`FormError`] for every other text.
    pub fn parse_exact(self, text: &[u8]) -> Result<[u8; 32], FormError> {
        let bytes = self.parse(text)?;
        let mut again = String::with_capacity(text.len());
        self.render(bytes, &mut again);
        if again.as_bytes() == text {
            Ok(bytes)
        } else {
            Err(FormError)
        }
    }
}

/// Bytes as digits of `width` bits, from the first bit on; zeros fill the last digit.
pub(super) fn render_bits(bytes: &[u8], width: u32, alphabet: Alphabet, text: &mut String) {
    let low = (1_u16 << width) - 1;
    let mut push = |bits: u16| {
        // A digit has at most six bits.
        let [digit, _] = (bits & low).to_le_bytes();
        text.push(char::from(alphabet.character(digit)));
    };
    // `pending` holds `count` bits that are not written yet, behind bits that are.
    let (mut pending, mut count) = (0_u16, 0);
    for byte in bytes {
        pending = pending << 8 | u16::from(*byte);
        count += 8;
        while count >= width {
            count -= width;
            push(pending >> count);
        }
    }
    if count > 0 {
        push(pending << (width - count));
    }
}

/// The inverse of [`render_bits`]: of exactly as many digits as that writes.
pub(super) fn parse_bits<const N: usize>(
    digits: impl ExactSizeIterator<Item = u8>,
    width: u32,
    alphabet: Alphabet,
) -> Result<[u8; N], FormError> {
    // Lengths are no secret, and are checked first; characters are judged all together.
    let bits = u32::try_from(8 * N).map_err(|_| FormError)?;
    if u32::try_from(digits.len()) != Ok(bits.div_ceil(width)) {
        return Err(FormError);
    }
    let mut bytes = [0; N];
    let mut next = bytes.iter_mut();
    let (mut pending, mut count, mut wrong) = (0_u16, 0, 0);
    for character in digits {
        let digit = alphabet.digit(character);
        wrong |= digit & HIGH_BIT;
        pending = pending << width | u16::from(digit & 0x7f);
        count += width;
        if count >= 8 {
            count -= 8;
            let [byte, _] = (pending >> count).to_le_bytes();
            if let Some(to) = next.next() {
                *to = byte;
            }
        }
    }
    let padding = pending & ((1 << count) - 1);
    if wrong == 0 && padding == 0 {
        Ok(bytes)
    } else {
        Err(FormError)
    }
}

/// 26 digits of five bits, the first of which is at most 7.
fn crockford(number: u128) -> [u8; 26] {
    let mut place = 130;
    [(); 26].map(|()| {
        place -= 5;
        let [digit, ..] = (number >> place & 31).to_le_bytes();
        Alphabet::Crockford.character(digit)
    })
}

fn parse_crockford(digits: impl ExactSizeIterator<Item = u8>) -> Result<[u8; 16], FormError> {
    if digits.len() != 26 {
        return Err(FormError);
    }
    let (mut number, mut wrong, mut lost) = (0_u128, 0, 0);
    for character in digits {
        let digit = Alphabet::Crockford.digit(character);
        wrong |= digit & HIGH_BIT;
        lost |= number >> 123;
        number = number << 5 | u128::from(digit & 31);
    }
    if wrong == 0 && lost == 0 {
        Ok(number.to_be_bytes())
    } else {
        Err(FormError)
    }
}

/// 22 digits, big-endian, filled with zeros on the left. Ids only: division takes its time by
/// the number.
fn base62(number: u128) -> [u8; 22] {
    let mut digits = [b'0'; 22];
    let base = u128::from(TEN_DIGITS);
    let mut rest = number;
    for limb in digits.rchunks_mut(10) {
        let mut low = u64::try_from(rest % base).unwrap_or_default();
        rest /= base;
        for digit in limb.iter_mut().rev() {
            let value = u8::try_from(low % 62).unwrap_or_default();
            *digit = Alphabet::Base62.character(value);
            low /= 62;
        }
    }
    digits
}

fn parse_base62(digits: &[u8]) -> Result<[u8; 16], FormError> {
    if digits.len() != 22 {
        return Err(FormError);
    }
    let mut number = 0_u128;
    for character in digits {
        let digit = Alphabet::Base62.digit(*character);
        if digit == INVALID {
            return Err(FormError);
        }
        let sum = number
            .checked_mul(62)
            .and_then(|number| number.checked_add(digit.into()));
        number = sum.ok_or(FormError)?;
    }
    Ok(number.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn forms() -> Vec<Form> {
        let form = |name, prefix| Form::new(name, prefix).unwrap();
        vec![
            form(FormName::Uuid, ""),
            form(FormName::Hex, ""),
            form(FormName::Hex, "h."),
            form(FormName::Ulid, ""),
            form(FormName::Compact, ""),
            form(FormName::Compact, "c-"),
            form(FormName::Base62, ""),
            form(FormName::Base62, "usr_"),
            form(FormName::TypeId, ""),
            form(FormName::TypeId, "user_account"),
        ]
    }

    fn text(form: &Form, bytes: [u8; 16]) -> String {
        let mut text = String::new();
        form.render(bytes, &mut text);
        text
    }

    #[test]
    fn the_forms_of_the_extremes_are_as_published() {
        let form = |name| Form::new(name, "").unwrap();
        for (name, zero, max) in [
            (
                FormName::Ulid,
                "00000000000000000000000000",
                "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            ),
            (
                FormName::TypeId,
                "00000000000000000000000000",
                "7zzzzzzzzzzzzzzzzzzzzzzzzz",
            ),
            (
                FormName::Compact,
                "AAAAAAAAAAAAAAAAAAAAAA",
                "_____________________w",
            ),
            (
                FormName::Base62,
                "0000000000000000000000",
                "7n42DGM5Tflk9n8mt7Fhc7",
            ),
        ] {
            assert_eq!(text(&form(name), [0; 16]), zero);
            assert_eq!(text(&form(name), [0xff; 16]), max);
        }
    }

    #[test]
    fn a_text_cut_short_or_lengthened_or_changed_is_malformed() {
        for form in forms() {
            let good = text(&form, [0xa7; 16]);
            for end in 0..good.len() {
                assert_eq!(form.parse(&good.as_bytes()[..end]), Err(FormError));
            }
            for place in 0..good.len() {
                for wrong in ["", "!", "é", "\0", " "] {
                    let changed = format!("{}{wrong}{}", &good[..place], &good[place + 1..]);
                    // A UUID may be without its hyphens.
                    let spelling = form.name == FormName::Uuid && &good[place..=place] == "-";
                    assert!(
                        (spelling && wrong.is_empty()) || form.parse(changed.as_bytes()).is_err()
                    );
                }
            }
            for longer in [format!("{good}0"), format!("0{good}"), format!("{good}\n")] {
                assert_eq!(form.parse(longer.as_bytes()), Err(FormError));
            }
        }
    }

    #[test]
    fn numbers_beyond_sixteen_bytes_are_malformed() {
        let form = |name| Form::new(name, "").unwrap();
        for (name, text) in [
            (FormName::Ulid, "80000000000000000000000000"),
            (FormName::TypeId, "8zzzzzzzzzzzzzzzzzzzzzzzzz"),
            (FormName::Base62, "7n42DGM5Tflk9n8mt7Fhc8"),
            (FormName::Compact, "_____________________x"),
        ] {
            assert_eq!(form(name).parse(text.as_bytes()), Err(FormError));
        }
    }

    #[test]
    fn a_prefix_that_the_form_does_not_take_is_refused() {
        let error = |name, prefix: &str| Form::new(name, prefix).unwrap_err();
        assert_eq!(error(FormName::Uuid, "u_"), PrefixError::Unwanted);
        assert_eq!(error(FormName::Ulid, "u_"), PrefixError::Unwanted);
        assert_eq!(error(FormName::Hex, "a b"), PrefixError::Character);
        assert_eq!(error(FormName::Base62, "é"), PrefixError::Character);
        assert_eq!(
            error(FormName::Base62, &"x".repeat(64)),
            PrefixError::Length
        );
        for prefix in ["User", "_user", "user_", "user1", "us-er"] {
            assert_eq!(error(FormName::TypeId, prefix), PrefixError::TypeId);
        }
        assert!(Form::new(FormName::TypeId, "u").is_ok());
    }

    proptest! {
        #[test]
        fn parsing_undoes_rendering(bytes in any::<[u8; 16]>(), wide in any::<[u8; 32]>()) {
            for form in forms() {
                let text = text(&form, bytes);
                prop_assert_eq!(form.parse(text.as_bytes()), Ok(bytes));
                prop_assert_eq!(form.parse_exact(text.as_bytes()), Ok(bytes));
            }
            for form in [WideForm::Bytea, WideForm::Compact43] {
                let mut text = String::new();
                form.render(wide, &mut text);
                prop_assert_eq!(form.parse_exact(text.as_bytes()), Ok(wide));
            }
        }

        #[test]
        fn what_is_parsed_is_one_spelling(text in "[0-9A-Za-z_-]{22}|[0-9A-HJKMNP-TV-Za-z]{26}|[0-9a-fA-F]{32}") {
            for form in forms() {
                if let Ok(bytes) = form.parse(text.as_bytes()) {
                    let again = self::text(&form, bytes);
                    prop_assert!(again.replace('-', "").eq_ignore_ascii_case(&text.replace('-', "")));
                }
            }
        }
    }
}
