//! Values with keys somewhere inside: rows of several fields and arrays of such rows, in text and
//! binary. Leaves are translated as [`super::value`] says, and text that has keys in it as the caller
//! does; what is neither is copied as it stands.
//!
//! What the server sends comes from its `record_out` and `record_send`, and what a client sends is
//! for `record_in` and `record_recv`; anything else is an error, never a value with unknown parts.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::frontend::Format;
use super::value::{MAX_DIMENSIONS, Malformed, Scalar, Type, Types};
use super::{Reader, WireError, array_text, sized};
use crate::pg::oid::{self, RECORD, RECORD_ARRAY};

/// What a value consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nested<L> {
    /// No key: copied as it stands.
    Clean,
    /// A key.
    Leaf(L),
    /// Text or JSON with keys somewhere in it, which `convert` finds: it is given the whole text. It
    /// may become a value of another type than it was.
    Text(L),
    /// An array, of any dimension, of values like this.
    Array(Box<Self>),
    /// A row with these fields.
    Record(Box<[Self]>),
}

/// What is known of a leaf.
pub trait Leaf {
    /// Whether values come from a client, who may quote and escape the fields of a row as
    /// `record_in` reads them. What the server writes has one form only.
    const IS_SENT: bool = false;

    /// From which type it is translated to which.
    fn types(&self) -> Types;
}

/// Translates a value, in the same format; `convert` says what each key becomes. What is appended
/// has no length in front.
///
/// # Errors
/// If the value is not of the shape, or if `convert` objects; then the output holds a part of it.
pub fn translate<'c, L: Leaf, E: From<Malformed<'static>>>(
    value: &[u8],
    format: Format,
    of: &Nested<L>,
    out: &mut BytesMut,
    convert: &mut dyn FnMut(&L, Scalar<'_>) -> Result<Scalar<'c>, E>,
) -> Result<(), E> {
    match (of, format) {
        (Nested::Clean, _) => out.put_slice(value),
        (Nested::Leaf(leaf), _) => {
            let types = leaf.types();
            return scalar(value, format, types, out, |key| convert(leaf, key));
        }
        (Nested::Text(leaf), _) => {
            let text = convert(leaf, Scalar::Text(value.into()))?;
            text.encode(format, leaf.types().to, out);
        }
        (Nested::Array(element), Format::Text) => {
            let mut written = BytesMut::new();
            let mut failure = None;
            let result = array_text::rewrite::<Malformed<'_>>(value, out, |text, out| {
                written.clear();
                match translate(&text, format, element, &mut written, convert) {
                    Ok(()) => array_text::put_quoted(&written, out),
                    Err(error) => failure = failure.take().or(Some(error)),
                }
                Ok(())
            });
            if let Some(error) = failure {
                return Err(error);
            }
            result.map_err(Malformed::into_owned)?;
        }
        (Nested::Array(element), Format::Binary) => array(value, element, out, convert)?,
        (Nested::Record(fields), Format::Text) => row_text(value, fields, out, convert)?,
        (Nested::Record(fields), Format::Binary) => row(value, fields, out, convert)?,
    }
    Ok(())
}

fn scalar<'c, E: From<Malformed<'static>>>(
    value: &[u8],
    format: Format,
    types: Types,
    out: &mut BytesMut,
    mut convert: impl FnMut(Scalar<'_>) -> Result<Scalar<'c>, E>,
) -> Result<(), E> {
    let key = Scalar::decode(value, format, types.from).map_err(Malformed::into_owned)?;
    convert(key)?.encode(format, types.to, out);
    Ok(())
}

/// `(1,"a b",)`: a field that is empty is NULL.
fn row_text<'c, L: Leaf, E: From<Malformed<'static>>>(
    text: &[u8],
    fields: &[Nested<L>],
    out: &mut BytesMut,
    convert: &mut dyn FnMut(&L, Scalar<'_>) -> Result<Scalar<'c>, E>,
) -> Result<(), E> {
    let malformed = |detail| {
        let text = text.to_vec().into();
        E::from(Malformed::Row { text, detail })
    };
    let start = if L::IS_SENT { blanks(text) } else { 0 };
    let mut rest = text.get(start..).unwrap_or_default();
    rest = (rest.strip_prefix(b"(")).ok_or_else(|| malformed("Missing left parenthesis."))?;
    out.put_u8(b'(');
    let mut written = BytesMut::new();
    for (index, of) in fields.iter().enumerate() {
        if index > 0 {
            rest = (rest.strip_prefix(b",")).ok_or_else(|| malformed("Too few columns."))?;
            out.put_u8(b',');
        }
        let read = if L::IS_SENT {
            sent_field(rest)
        } else {
            written_field(rest)
        };
        let (length, value) = read.ok_or_else(|| malformed("Unexpected end of input."))?;
        let (field, behind) = rest.split_at_checked(length).unwrap_or_default();
        rest = behind;
        if field.is_empty() || matches!(of, Nested::Clean) {
            out.put_slice(field);
            continue;
        }
        written.clear();
        translate(&value, Format::Text, of, &mut written, convert)?;
        put_field(&written, out);
    }
    rest = (rest.strip_prefix(b")")).ok_or_else(|| malformed("Too many columns."))?;
    if !rest.is_empty() && (!L::IS_SENT || blanks(rest) != rest.len()) {
        return Err(malformed("Junk after right parenthesis."));
    }
    out.put_u8(b')');
    Ok(())
}

/// How many bytes at the front `isspace` takes for blanks.
fn blanks(text: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t'..=b'\r');
    text.iter().take_while(is_blank).count()
}

/// The field at the front as `record_in` reads it, without its quotes and backslashes, and how long
/// it is with them; `None` if it does not end.
fn sent_field(rest: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    let (mut at, mut quoted, mut value) = (0, false, Vec::new());
    loop {
        match *rest.get(at)? {
            b',' | b')' if !quoted => return Some((at, value.into())),
            b'\\' => {
                at += 1;
                value.push(*rest.get(at)?);
            }
            b'"' if quoted && rest.get(at + 1) == Some(&b'"') => {
                at += 1;
                value.push(b'"');
            }
            b'"' => quoted = !quoted,
            byte => value.push(byte),
        }
        at += 1;
    }
}

/// The field at the front as `record_out` writes it, without its quotes, and how long it is with
/// them.
fn written_field(rest: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    let length = length(rest)?;
    Some((length, unquoted(rest.get(..length)?)))
}

/// How long the field at the front is, with its quotes. A quote within it is doubled, so that in
/// no encoding the half of a letter can be taken for one.
fn length(rest: &[u8]) -> Option<usize> {
    if rest.first() != Some(&b'"') {
        let end = rest.iter().position(|byte| matches!(byte, b',' | b')'))?;
        let odd = |byte: &u8| matches!(byte, b'"' | b'(');
        return (!rest.get(..end)?.iter().any(odd)).then_some(end);
    }
    let mut at = 1;
    loop {
        at += memchr::memchr(b'"', rest.get(at..)?)? + 1;
        if rest.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// A field without its quotes. `record_out` doubles quotes and backslashes.
fn unquoted(field: &[u8]) -> Cow<'_, [u8]> {
    let inner = field
        .strip_prefix(b"\"")
        .and_then(|inner| inner.strip_suffix(b"\""));
    let Some(inner) = inner else {
        return field.into();
    };
    let mut text = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().peekable();
    while let Some(byte) = bytes.next() {
        text.push(*byte);
        if matches!(byte, b'"' | b'\\') {
            bytes.next_if_eq(&byte);
        }
    }
    text.into()
}

/// Appends a field as `record_out` does.
fn put_field(text: &[u8], out: &mut BytesMut) {
    let special = |byte: &u8| {
        matches!(
            byte,
            b'"' | b'\\' | b'(' | b')' | b',' | b' ' | b'\t'..=b'\r'
        )
    };
    if !text.is_empty() && !text.iter().any(special) {
        return out.put_slice(text);
    }
    out.put_u8(b'"');
    for byte in text {
        if matches!(byte, b'"' | b'\\') {
            out.put_u8(*byte);
        }
        out.put_u8(*byte);
    }
    out.put_u8(b'"');
}

/// `record_send`: the number of fields, and for each its type, its length and its value.
fn row<'c, L: Leaf, E: From<Malformed<'static>>>(
    value: &[u8],
    fields: &[Nested<L>],
    out: &mut BytesMut,
    convert: &mut dyn FnMut(&L, Scalar<'_>) -> Result<Scalar<'c>, E>,
) -> Result<(), E> {
    let mut reader = Reader::new(value);
    let count = reader.i32().map_err(binary)?;
    if usize::try_from(count) != Ok(fields.len()) {
        return Err(malformed());
    }
    out.put_i32(count);
    for (index, of) in fields.iter().enumerate() {
        let found = reader.u32().map_err(binary)?;
        let (from, shown) = types(of, found).ok_or_else(|| match of {
            Nested::Leaf(leaf) => Malformed::FieldType(found, leaf.types().from, index + 1),
            _ => malformed(),
        })?;
        out.put_u32(shown);
        let field = reader.value().map_err(binary)?;
        put_value(field, (of, from), out, convert)?;
    }
    reader.finish().map_err(binary)?;
    Ok(())
}

/// `array_send`: the header with the type of the elements, and each element with its length.
fn array<'c, L: Leaf, E: From<Malformed<'static>>>(
    value: &[u8],
    of: &Nested<L>,
    out: &mut BytesMut,
    convert: &mut dyn FnMut(&L, Scalar<'_>) -> Result<Scalar<'c>, E>,
) -> Result<(), E> {
    let mut reader = Reader::new(value);
    let dimensions = reader.u32().map_err(binary)?;
    let count = usize::try_from(dimensions).ok();
    let count = count.filter(|count| *count <= MAX_DIMENSIONS);
    let count = count.ok_or_else(malformed)?;
    out.put_u32(dimensions);
    out.put_u32(reader.u32().map_err(binary)?);
    let found = reader.u32().map_err(binary)?;
    let (from, shown) = types(of, found).ok_or_else(malformed)?;
    out.put_u32(shown);
    out.put_slice(reader.bytes(8 * count).map_err(binary)?);
    while !reader.rest().is_empty() {
        let element = reader.value().map_err(binary)?;
        put_value(element, (of, from), out, convert)?;
    }
    Ok(())
}

/// Appends a binary value with its length in front. `from` is the type that a leaf turned out to
/// have.
fn put_value<'c, L: Leaf, E: From<Malformed<'static>>>(
    value: Option<&[u8]>,
    (of, from): (&Nested<L>, Option<Types>),
    out: &mut BytesMut,
    convert: &mut dyn FnMut(&L, Scalar<'_>) -> Result<Scalar<'c>, E>,
) -> Result<(), E> {
    let Some(value) = value else {
        out.put_i32(-1);
        return Ok(());
    };
    let mut result = Ok(());
    sized(out, |out| {
        result = match (of, from) {
            (Nested::Leaf(leaf), Some(types)) => {
                scalar(value, Format::Binary, types, out, |key| convert(leaf, key))
            }
            _ => translate(value, Format::Binary, of, out, convert),
        };
    });
    result
}

/// The types of a leaf that is said to be of this type, and the oid that the client is told of any
/// value. `None` if no such value is of that type.
fn types<L: Leaf>(of: &Nested<L>, found: u32) -> Option<(Option<Types>, u32)> {
    let of_user = found >= oid::FIRST_NORMAL;
    Some(match of {
        Nested::Clean => (None, found),
        // A domain over the type of the keys is one over the type of the ids outside.
        Nested::Leaf(_) if of_user => (None, found),
        Nested::Leaf(leaf) => {
            let types = found_types(leaf.types(), |of| of.oid() == found)?;
            (Some(types), types.to.oid())
        }
        // Where text becomes something else, it is none but plain text.
        Nested::Text(leaf) if leaf.types().to != Type::Text => {
            (found == Type::Text.oid()).then_some((None, leaf.types().to.oid()))?
        }
        Nested::Text(_) => (of_user || oid::is_text_or_document(found)).then_some((None, found))?,
        Nested::Array(element) => match element.as_ref() {
            Nested::Text(leaf) if leaf.types().to != Type::Text => {
                let array_oid = leaf.types().to.array_oid();
                (found == Type::Text.array_oid()).then_some((None, array_oid))?
            }
            _ if of_user => (None, found),
            Nested::Text(_) if oid::is_array_of_texts_or_documents(found) => (None, found),
            Nested::Leaf(leaf) => {
                let types = found_types(leaf.types(), |of| of.array_oid() == found)?;
                (None, types.to.array_oid())
            }
            Nested::Record(_) if found == RECORD_ARRAY => (None, found),
            _ => return None,
        },
        Nested::Record(_) => (of_user || found == RECORD).then_some((None, found))?,
    })
}

/// The types of a leaf, given the one that was found: how wide an integer is, or which of the
/// types of text it has, can be the statement's doing.
fn found_types(planned: Types, is: impl Fn(Type) -> bool) -> Option<Types> {
    let integers = [Type::Int2, Type::Int4, Type::Int8];
    let texts = [Type::Text, Type::Varchar, Type::Bpchar];
    for kind in [&integers[..], &texts] {
        if kind.contains(&planned.from) {
            let from = kind.iter().copied().find(|of| is(*of))?;
            let as_wide = integers.contains(&from) && integers.contains(&planned.to);
            let to = if as_wide { from } else { planned.to };
            return Some(Types { from, to });
        }
    }
    is(planned.from).then_some(planned)
}

fn binary<E: From<Malformed<'static>>>(error: WireError) -> E {
    Malformed::Binary(error).into()
}

fn malformed<E: From<Malformed<'static>>>() -> E {
    binary(WireError::Range)
}

#[cfg(test)]
mod tests;
