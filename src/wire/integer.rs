//! Integers in text and binary.

use bytes::{BufMut, BytesMut};

use super::value::{Malformed, Type};
use super::{Reader, WireError};

/// Reads what `int2in`, `int4in` and `int8in` take: decimal digits with a sign and blanks around
/// them. The hexadecimal, octal and binary forms and the underscores of Postgres 16 are refused,
/// as earlier versions do.
pub(super) fn parse(text: &[u8], of: Type) -> Result<i64, Malformed<'_>> {
    let syntax = || Malformed::Syntax(of, text.into());
    let (negative, digits) = match trimmed(text) {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let (min, max) = (of.minimum(), of.maximum());
    if digits.is_empty() {
        return Err(syntax());
    }
    // Counted downwards, because the minimum has no positive counterpart.
    let mut value: i64 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return Err(syntax());
        }
        value = value
            .checked_mul(10)
            .and_then(|value| value.checked_sub(i64::from(digit - b'0')))
            .filter(|value| *value >= min)
            .ok_or_else(|| Malformed::Range(of, text.into()))?;
    }
    if negative {
        return Ok(value);
    }
    value
        .checked_neg()
        .filter(|value| *value <= max)
        .ok_or_else(|| Malformed::Range(of, text.into()))
}

/// Without the blanks that `isspace` knows.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    let start = text.iter().take_while(|byte| is_blank(byte)).count();
    let text = text.get(start..).unwrap_or_default();
    let blanks = text.iter().rev().take_while(|byte| is_blank(byte)).count();
    text.get(..text.len() - blanks).unwrap_or_default()
}

/// Reads a decimal integer as Postgres writes it.
pub(super) fn decimal(text: &[u8]) -> Result<i64, WireError> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return Err(WireError::Range);
    }
    let mut value: i64 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return Err(WireError::Range);
        }
        value = value
            .checked_mul(10)
            .and_then(|value| value.checked_sub(i64::from(digit - b'0')))
            .ok_or(WireError::Range)?;
    }
    if negative {
        Ok(value)
    } else {
        value.checked_neg().ok_or(WireError::Range)
    }
}

/// Appends a decimal integer.
pub(super) fn put_decimal(value: i64, out: &mut BytesMut) {
    out.put_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Reads the binary form.
pub(super) fn binary(bytes: &[u8], of: Type) -> Result<i64, WireError> {
    let mut reader = Reader::new(bytes);
    let value = match of {
        Type::Int2 => i64::from(reader.i16()?),
        Type::Int4 => i64::from(reader.i32()?),
        _ => reader.i64()?,
    };
    reader.finish()?;
    Ok(value)
}

/// Appends the binary form. The caller has checked the range.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a key is checked against its type when it is decoded"
)]
pub(super) fn put_binary(value: i64, of: Type, out: &mut BytesMut) {
    match of {
        Type::Int2 => out.put_i16(value as i16),
        Type::Int4 => out.put_i32(value as i32),
        _ => out.put_i64(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_blanks_and_signs_as_postgres_does() {
        for (text, value) in [
            ("42", 42),
            (" +42\n", 42),
            ("\t-0042\x0b", -42),
            ("-9223372036854775808", i64::MIN),
            ("9223372036854775807", i64::MAX),
        ] {
            assert_eq!(parse(text.as_bytes(), Type::Int8), Ok(value), "{text}");
        }
        for text in ["", " ", "+", "- 1", "1 2", "1.0", "0x10", "1_000", "x"] {
            let expected = Malformed::Syntax(Type::Int4, text.as_bytes().into());
            assert_eq!(parse(text.as_bytes(), Type::Int4), Err(expected));
        }
    }

    #[test]
    fn says_which_numbers_a_type_cannot_hold() {
        for (of, inside, outside) in [
            (Type::Int2, "-32768", "32768"),
            (Type::Int4, "2147483647", "-2147483649"),
            (Type::Int8, "-9223372036854775808", "9223372036854775808"),
            (Type::Int8, "1", "123456789012345678901234567890"),
        ] {
            assert!(parse(inside.as_bytes(), of).is_ok());
            let expected = Malformed::Range(of, outside.as_bytes().into());
            assert_eq!(parse(outside.as_bytes(), of), Err(expected));
        }
    }

    proptest! {
        #[test]
        fn reads_every_decimal_that_it_writes(value: i64) {
            let mut out = BytesMut::new();
            put_decimal(value, &mut out);
            let expected = value.to_string();
            prop_assert_eq!(&out[..], expected.as_bytes());
            prop_assert_eq!(decimal(&out), Ok(value));
            prop_assert_eq!(parse(&out, Type::Int8), Ok(value));
        }
    }
}
