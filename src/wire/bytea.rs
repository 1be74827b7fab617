//! The text forms of `bytea`: out in hexadecimal, in also in the older form with escapes, which a
//! server with `bytea_output = escape` writes.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::value::Malformed;

/// What is wrong with a text, in the words of `byteain`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// This character is no hexadecimal digit.
    #[error("invalid hexadecimal digit: \"{0}\"")]
    Digit(String),
    /// The last digit stands alone.
    #[error("invalid hexadecimal data: odd number of digits")]
    Odd,
    /// A backslash with neither three octal digits nor another one behind it.
    #[error("invalid input syntax for type bytea")]
    Escape,
}

/// Reads what `byteain` takes.
pub(super) fn parse(text: &[u8]) -> Result<Cow<'_, [u8]>, Malformed<'static>> {
    let bytes = match text {
        [b'\\', b'x', digits @ ..] => hexadecimal(digits)?,
        _ if memchr::memchr(b'\\', text).is_none() => return Ok(text.into()),
        _ => unescaped(text).ok_or(Malformed::Bytea(Fault::Escape))?,
    };
    Ok(bytes.into())
}

/// Pairs of digits, with blanks between the pairs.
fn hexadecimal(text: &[u8]) -> Result<Vec<u8>, Malformed<'static>> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        if matches!(first, b' ' | b'\n' | b'\t' | b'\r') {
            rest = tail;
            continue;
        }
        let high = digit(rest)?;
        if tail.is_empty() {
            return Err(Malformed::Bytea(Fault::Odd));
        }
        bytes.push(high << 4 | digit(tail)?);
        rest = tail.get(1..).unwrap_or_default();
    }
    Ok(bytes)
}

/// The digit at the front.
fn digit(text: &[u8]) -> Result<u8, Malformed<'static>> {
    let first = text.first().copied().map(char::from);
    let value = first.and_then(|first| first.to_digit(16));
    value
        .and_then(|value| u8::try_from(value).ok())
        .ok_or_else(|| {
            // The whole character is quoted, which has four bytes at most.
            let start = text.get(..text.len().min(4)).unwrap_or(text);
            let first = String::from_utf8_lossy(start).chars().take(1).collect();
            Malformed::Bytea(Fault::Digit(first))
        })
}

/// `\ooo` and `\\`; everything else stands for itself.
fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        (rest, _) = match (first, tail) {
            (b'\\', [b'\\', tail @ ..]) => (tail, bytes.push(b'\\')),
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', tail @ ..]) => (
                tail,
                bytes.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0')),
            ),
            (b'\\', _) => return None,
            _ => (tail, bytes.push(first)),
        };
    }
    Some(bytes)
}

/// Appends the hexadecimal form.
pub(super) fn put(bytes: &[u8], out: &mut BytesMut) {
    let digit = |value: u8| match value {
        0..=9 => b'0' + value,
        _ => b'a' + value - 10,
    };
    out.reserve(2 + 2 * bytes.len());
    out.put_slice(b"\\x");
    for byte in bytes {
        out.put_slice(&[digit(byte >> 4), digit(byte & 0xf)]);
    }
}

/// The hexadecimal form as a string.
#[must_use]
pub fn to_string(bytes: &[u8]) -> String {
    let mut out = BytesMut::new();
    put(bytes, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &[u8]) -> String {
        match parse(text) {
            Err(Malformed::Bytea(fault)) => fault.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn reads_both_forms() {
        assert_eq!(parse(b"\\x0aFF").unwrap()[..], [10, 255]);
        assert_eq!(parse(b"\\x 0a\nff\t").unwrap()[..], [10, 255]);
        assert!(parse(b"\\x").unwrap().is_empty());
        assert!(parse(b"").unwrap().is_empty());
        assert_eq!(parse(b"plain").unwrap()[..], *b"plain");
        assert_eq!(parse(b"a\\\\b\\000\\377").unwrap()[..], *b"a\\b\0\xff");
    }

    #[test]
    fn says_what_postgres_says() {
        assert_eq!(fault(b"\\xg0"), "invalid hexadecimal digit: \"g\"");
        assert_eq!(fault(b"\\x0\xc3\xa9"), "invalid hexadecimal digit: \"é\"");
        assert_eq!(
            fault(b"\\x0"),
            "invalid hexadecimal data: odd number of digits"
        );
        assert_eq!(fault(b"\\x0 0"), "invalid hexadecimal digit: \" \"");
        for text in [&b"\\"[..], b"\\4", b"a\\400", b"\\18", b"\\y", b"\\X00"] {
            assert_eq!(fault(text), "invalid input syntax for type bytea");
        }
    }

    /// `byteaout` with `bytea_output = escape`.
    fn escaped(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for byte in bytes {
            match byte {
                b'\\' => out.extend(b"\\\\"),
                b' '..=b'~' => out.push(*byte),
                _ => out.extend(format!("\\{byte:03o}").bytes()),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn reads_every_value_in_either_form(bytes: Vec<u8>) {
            let mut out = BytesMut::new();
            put(&bytes, &mut out);
            prop_assert_eq!(&parse(&out).unwrap()[..], &bytes[..]);
            let text = escaped(&bytes);
            prop_assert_eq!(&parse(&text).unwrap()[..], &bytes[..]);
        }

        #[test]
        fn never_panics_on_any_bytes(text: Vec<u8>) {
            let _ = parse(&text);
            let _ = parse(&[b"\\x", &text[..]].concat());
        }
    }
}
