//! The values of the text format: `\\`, `\t`, `\x3F`, `\101`.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::{Direction, Lines};

/// The value of a field (`CopyReadAttributesText`).
pub(super) fn value<'a>(lines: &Lines, field: &'a [u8]) -> Option<Cow<'a, [u8]>> {
    if field == lines.null || Some(field) == lines.default.as_deref() {
        return None;
    }
    if memchr::memchr(b'\\', field).is_none() {
        return Some(Cow::Borrowed(field));
    }
    let mut value = Vec::with_capacity(field.len());
    let mut rest = field.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            value.push(byte);
            continue;
        }
        // A backslash at the very end is dropped.
        let Some(escaped) = rest.next() else { break };
        let hexadecimal = rest.peek().is_some_and(u8::is_ascii_hexdigit);
        let mut digits = |radix: u32, most: usize, mut number: u32| {
            for _ in 0..most {
                let digit = rest
                    .peek()
                    .and_then(|digit| char::from(*digit).to_digit(radix));
                let Some(digit) = digit else { break };
                number = number * radix + digit;
                rest.next();
            }
            number.to_le_bytes()[0]
        };
        value.push(match escaped {
            b'0'..=b'7' => digits(8, 2, u32::from(escaped - b'0')),
            b'x' if hexadecimal => digits(16, 2, 0),
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            other => other,
        });
    }
    Some(Cow::Owned(value))
}

/// Appends a value (`CopyAttributeOutText`). One that would be read as the string for NULL or for
/// a default begins with an escape; what the server writes is not so careful.
pub(super) fn put(lines: &Lines, direction: Direction, value: &[u8], out: &mut BytesMut) {
    let start = out.len();
    put_escaped(lines.delimiter, value, out);
    let (Direction::In, Some((first, others))) = (direction, value.split_first()) else {
        return;
    };
    // Two strings are reserved, so that the third way of writing the byte is never one of them.
    for radix in [8, 16] {
        let written = out.get(start..).unwrap_or_default();
        if written != lines.null && Some(written) != lines.default.as_deref() {
            return;
        }
        let escape = match radix {
            8 => format!("\\{first:03o}"),
            _ => format!("\\x{first:02x}"),
        };
        out.truncate(start);
        out.put_slice(escape.as_bytes());
        put_escaped(lines.delimiter, others, out);
    }
}

fn put_escaped(delimiter: u8, value: &[u8], out: &mut BytesMut) {
    let special = |byte: &u8| matches!(byte, 8..=13 | b'\\') || *byte == delimiter;
    let mut rest = value;
    while let Some(at) = rest.iter().position(special) {
        let (plain, behind) = rest.split_at(at);
        let Some((byte, behind)) = behind.split_first() else {
            break;
        };
        let letter = match *byte {
            8 => b'b',
            12 => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            11 => b'v',
            byte => byte,
        };
        out.put_slice(plain);
        out.put_slice(&[b'\\', letter]);
        rest = behind;
    }
    out.put_slice(rest);
}
