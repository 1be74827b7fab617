//! What is written between quotes to what it means: doubled quotes, backslashes, Unicode escapes.

use std::borrow::Cow;
use std::ops::Range;

use super::LexError;

/// Which escapes a literal knows, besides doubled quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// No others.
    None,
    /// Those of `E'…'`.
    Backslash,
}

/// An error in an escape.
const fn invalid(message: &'static str, at: usize) -> LexError {
    LexError {
        message,
        sqlstate: "22025",
        at,
    }
}

/// Text with each doubled quote made one.
pub(super) fn undouble(text: &str, quote: char) -> Cow<'_, str> {
    if !text.contains(quote) {
        return Cow::Borrowed(text);
    }
    let pair = [quote, quote].iter().collect::<String>();
    Cow::Owned(text.replace(&pair, quote.encode_utf8(&mut [0; 4])))
}

/// The value of a literal whose pieces are at these ranges of a text.
pub(super) fn decode<'a>(
    text: &'a str,
    pieces: &[Range<usize>],
    escapes: Escapes,
) -> Result<Cow<'a, str>, LexError> {
    let backslash = escapes == Escapes::Backslash
        && pieces
            .iter()
            .any(|piece| text[piece.clone()].contains('\\'));
    if backslash {
        return backslashes(text, pieces).map(Cow::Owned);
    }
    match pieces {
        [piece] => Ok(undouble(&text[piece.clone()], '\'')),
        _ => Ok(Cow::Owned(
            pieces
                .iter()
                .map(|piece| undouble(&text[piece.clone()], '\''))
                .collect(),
        )),
    }
}

/// The value of `E'…'`. Escapes may spell bytes, so only the whole must be UTF-8.
fn backslashes(text: &str, pieces: &[Range<usize>]) -> Result<String, LexError> {
    let mut value = Vec::new();
    let mut surrogates = Surrogates::default();
    for piece in pieces {
        let mut at = piece.start;
        while at < piece.end {
            let rest = &text.as_bytes()[at..piece.end];
            let (length, unit) = match rest {
                [b'\\', escaped @ ..] => {
                    let (length, unit) = backslash(escaped, at)?;
                    (length + 1, unit)
                }
                [b'\'', b'\'', ..] => (2, Unit::Byte(b'\'')),
                [byte, ..] => (1, Unit::Byte(*byte)),
                [] => break,
            };
            match unit {
                Unit::Byte(byte) => {
                    surrogates.refuse_half(at)?;
                    value.push(byte);
                }
                Unit::Unicode(number) => {
                    if let Some(character) = surrogates.join(number, at)? {
                        value.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
            }
            at += length;
        }
    }
    let at = pieces.first().map_or(0, |piece| piece.start);
    surrogates.refuse_half(at)?;
    let message = "invalid byte sequence for encoding \"UTF8\"";
    let invalid = LexError {
        message,
        sqlstate: "22021",
        at,
    };
    if value.contains(&0) {
        return Err(invalid);
    }
    String::from_utf8(value).map_err(|_| invalid)
}

/// What one escape, or one byte without, stands for.
enum Unit {
    Byte(u8),
    Unicode(u32),
}

/// The escape behind a backslash at `at`: its length and meaning.
fn backslash(escaped: &[u8], at: usize) -> Result<(usize, Unit), LexError> {
    let digits = |from: usize, most: usize, radix: u32| {
        let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
        escaped
            .iter()
            .skip(from)
            .take(most)
            .take_while(is_digit)
            .count()
    };
    let unicode = |length: usize| {
        let bytes = escaped.get(1..=length).unwrap_or_default();
        number(bytes, 16)
            .filter(|_| digits(1, length, 16) == length)
            .map(|number| (length + 1, Unit::Unicode(number)))
            .ok_or(invalid("invalid Unicode escape", at))
    };
    let byte = |byte: u8| Ok((1, Unit::Byte(byte)));
    match escaped.first() {
        Some(b'b') => byte(0x08),
        Some(b'f') => byte(0x0c),
        Some(b'n') => byte(b'\n'),
        Some(b'r') => byte(b'\r'),
        Some(b't') => byte(b'\t'),
        Some(b'u') => unicode(4),
        Some(b'U') => unicode(8),
        Some(b'0'..=b'7') => {
            let length = digits(0, 3, 8);
            let value = number(&escaped[..length], 8).unwrap_or(0);
            // Postgres keeps the low eight bits of `\777`.
            Ok((length, Unit::Byte(value.to_le_bytes()[0])))
        }
        Some(b'x') => match digits(1, 2, 16) {
            0 => byte(b'x'),
            length => {
                let value = number(&escaped[1..=length], 16).unwrap_or(0);
                Ok((length + 1, Unit::Byte(value.to_le_bytes()[0])))
            }
        },
        Some(&other) => byte(other),
        None => Err(LexError::syntax("unterminated quoted string", at)),
    }
}

/// The number that digits spell.
fn number(digits: &[u8], radix: u32) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

/// The first half of a character that is spelled as two escapes of UTF-16.
#[derive(Default)]
struct Surrogates {
    first: Option<u32>,
}

impl Surrogates {
    /// Takes the number of an escape; the character, unless this is a first half.
    fn join(&mut self, number: u32, at: usize) -> Result<Option<char>, LexError> {
        let pair = invalid("invalid Unicode surrogate pair", at);
        let number = match (self.first.take(), number) {
            (Some(first), 0xDC00..=0xDFFF) => {
                0x1_0000 + ((first - 0xD800) << 10) + (number - 0xDC00)
            }
            (Some(_), _) | (None, 0xDC00..=0xDFFF) => return Err(pair),
            (None, 0xD800..=0xDBFF) => {
                self.first = Some(number);
                return Ok(None);
            }
            (None, _) => number,
        };
        match char::from_u32(number) {
            Some('\0') | None => Err(invalid("invalid Unicode escape value", at)),
            character => Ok(character),
        }
    }

    /// Something else follows: a first half must not be open.
    fn refuse_half(&self, at: usize) -> Result<(), LexError> {
        match self.first {
            Some(_) => Err(invalid("invalid Unicode surrogate pair", at)),
            None => Ok(()),
        }
    }
}

/// The value of `U&'…'` or `U&"…"`, whose quotes are already undoubled.
pub(super) fn unicode(raw: &str, escape: char, at: usize) -> Result<String, LexError> {
    let mut value = String::with_capacity(raw.len());
    let mut surrogates = Surrogates::default();
    let mut rest = raw;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        if character != escape {
            surrogates.refuse_half(at)?;
            value.push(character);
            continue;
        }
        if let Some(after) = rest.strip_prefix(escape) {
            surrogates.refuse_half(at)?;
            value.push(escape);
            rest = after;
            continue;
        }
        let (digits, length) = match rest.strip_prefix('+') {
            Some(digits) => (digits, 6),
            None => (rest, 4),
        };
        let number = digits
            .get(..length)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| number(digits.as_bytes(), 16))
            .ok_or(invalid("invalid Unicode escape", at))?;
        rest = &digits[length..];
        value.extend(surrogates.join(number, at)?);
    }
    surrogates.refuse_half(at)?;
    Ok(value)
}
