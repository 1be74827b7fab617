//! The values of CSV: `a`, `"a ""b"""`.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::{Column, Lines, Quotes};

/// The value of a field (`CopyReadAttributesCSV` and `NextCopyFrom`).
pub(super) fn value<'a>(
    lines: &'a Lines,
    quotes: Quotes,
    column: &Column,
    field: &'a [u8],
) -> Option<Cow<'a, [u8]>> {
    if memchr::memchr(quotes.quote, field).is_none() {
        let null = field == lines.null;
        let default = Some(field) == lines.default.as_deref();
        let passes = !default && (!null || column.force_not_null);
        return passes.then_some(Cow::Borrowed(field));
    }
    let value = unquoted(quotes, field);
    let null = column.force_null && value == lines.null;
    (!null).then_some(Cow::Owned(value))
}

/// A value without its quotes, which may begin and end anywhere in it.
fn unquoted(Quotes { quote, escape }: Quotes, field: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(field.len());
    let mut inside = false;
    let mut rest = field.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if inside
            && byte == escape
            && let Some(next) = rest.next_if(|next| *next == escape || *next == quote)
        {
            value.push(next);
        } else if byte == quote {
            inside = !inside;
        } else {
            value.push(byte);
        }
    }
    value
}

/// Appends a value (`CopyAttributeOutCSV`). One that would be read as the string for NULL or for a
/// default is quoted.
pub(super) fn put(
    lines: &Lines,
    Quotes { quote, escape }: Quotes,
    column: &Column,
    value: &[u8],
    out: &mut BytesMut,
) {
    let special =
        |byte: &u8| *byte == lines.delimiter || *byte == quote || matches!(byte, b'\n' | b'\r');
    // Alone in its line, `\.` would end the data.
    let reserved =
        value == lines.null || Some(value) == lines.default.as_deref() || value == b"\\.";
    if !(column.force_quote || reserved || value.iter().any(special)) {
        out.put_slice(value);
        return;
    }
    out.put_u8(quote);
    for byte in value {
        if *byte == quote || *byte == escape {
            out.put_u8(escape);
        }
        out.put_u8(*byte);
    }
    out.put_u8(quote);
}
