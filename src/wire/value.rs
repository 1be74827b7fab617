//! Values of the types that keys and ids can have, scalars and arrays, in text and binary: read
//! as one type and written as another. What one becomes is the caller's business.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

pub use crate::pg::{Scalar, Type};

use super::frontend::Format;
use super::{Reader, WireError, array_text, bytea, integer, sized, uuid_text};

/// Postgres's `MAXDIM`.
pub(super) const MAX_DIMENSIONS: usize = 6;

/// The shape of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One key or id.
    Scalar,
    /// An array of them, of any dimension.
    Array,
}

impl Type {
    /// Reads an integer as the server writes it.
    ///
    /// # Errors
    /// If it is none. For a type that is no integer type, that of `bigint` is read.
    pub fn integer(self, value: &[u8], format: Format) -> Result<i64, WireError> {
        match format {
            Format::Text => integer::decimal(value),
            Format::Binary => integer::binary(value, self),
        }
    }
}

impl<'a> Scalar<'a> {
    /// Reads a value as the input and receive functions of the type do.
    ///
    /// # Errors
    /// If it is not of the type.
    pub fn decode(value: &'a [u8], format: Format, of: Type) -> Result<Self, Malformed<'a>> {
        Ok(match (of, format) {
            (Type::Int2 | Type::Int4 | Type::Int8, Format::Text) => {
                Self::Int(integer::parse(value, of)?)
            }
            (Type::Int2 | Type::Int4 | Type::Int8, Format::Binary) => {
                Self::Int(integer::binary(value, of)?)
            }
            (Type::Uuid, Format::Text) => {
                let uuid = uuid_text::parse(value);
                Self::Uuid(uuid.ok_or_else(|| Malformed::Syntax(of, value.into()))?)
            }
            (Type::Uuid, Format::Binary) => Self::Uuid(binary_uuid(value)?),
            (Type::Bytea, Format::Text) => Self::Bytes(bytea::parse(value)?),
            (Type::Bytea, Format::Binary) => Self::Bytes(value.into()),
            (Type::Text | Type::Varchar | Type::Bpchar, _) => {
                if memchr::memchr(0, value).is_some() {
                    return Err(Malformed::Encoding(vec![0]));
                }
                let blanks = match of {
                    Type::Bpchar => value.iter().rev().take_while(|c| **c == b' ').count(),
                    _ => 0,
                };
                let text = value.get(..value.len() - blanks).unwrap_or(value);
                Self::Text(text.into())
            }
        })
    }

    /// Appends the value as the output and send functions of the type do; `bytea` in the
    /// hexadecimal form. The caller knows that the value is of the type.
    pub fn encode(&self, format: Format, of: Type, out: &mut BytesMut) {
        match (self, format) {
            (Self::Int(value), Format::Text) => integer::put_decimal(*value, out),
            (Self::Int(value), Format::Binary) => integer::put_binary(*value, of, out),
            (Self::Uuid(uuid), Format::Text) => {
                let mut text = [0; uuid_text::TEXT_BYTES];
                uuid_text::write(uuid, &mut text);
                out.put_slice(&text);
            }
            (Self::Uuid(uuid), Format::Binary) => out.put_slice(uuid),
            (Self::Bytes(bytes), Format::Text) => bytea::put(bytes, out),
            (Self::Bytes(bytes), Format::Binary) => out.put_slice(bytes),
            (Self::Text(text), _) => out.put_slice(text),
        }
    }
}

/// Why a value is none of its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed<'a> {
    /// This is not the text form.
    Syntax(Type, Cow<'a, [u8]>),
    /// The type can't hold this number.
    Range(Type, Cow<'a, [u8]>),
    /// Neither form of `bytea`, in the words of `byteain`.
    Bytea(bytea::Fault),
    /// These bytes are no character.
    Encoding(Vec<u8>),
    /// This is not the text form of an array.
    Array {
        /// The whole value.
        text: Cow<'a, [u8]>,
        /// What is wrong with it, in the words of `array_in`.
        detail: &'static str,
    },
    /// This is not the text form of a row.
    Row {
        /// The whole value.
        text: Cow<'a, [u8]>,
        /// What is wrong with it, in the words of `record_in`.
        detail: &'static str,
    },
    /// A binary value of the wrong length or layout.
    Binary(WireError),
    /// A field of a row, by its place from 1, of another type (its oid) than this.
    FieldType(u32, Type, usize),
    /// An array of another element type (its oid) than this.
    ElementType(u32, Type),
}

impl From<WireError> for Malformed<'_> {
    fn from(error: WireError) -> Self {
        Self::Binary(error)
    }
}

impl Malformed<'_> {
    /// Gives this fault, independent of the value.
    #[must_use]
    pub fn into_owned(self) -> Malformed<'static> {
        match self {
            Self::Syntax(of, text) => Malformed::Syntax(of, text.into_owned().into()),
            Self::Range(of, text) => Malformed::Range(of, text.into_owned().into()),
            Self::Bytea(fault) => Malformed::Bytea(fault),
            Self::Encoding(bytes) => Malformed::Encoding(bytes),
            Self::Array { text, detail } => Malformed::Array {
                text: text.into_owned().into(),
                detail,
            },
            Self::Row { text, detail } => Malformed::Row {
                text: text.into_owned().into(),
                detail,
            },
            Self::Binary(error) => Malformed::Binary(error),
            Self::FieldType(found, expected, place) => Malformed::FieldType(found, expected, place),
            Self::ElementType(found, expected) => Malformed::ElementType(found, expected),
        }
    }
}

/// Checks that bytes are UTF-8 without zero bytes, as the server does with what it gets.
///
/// # Errors
/// [`Malformed::Encoding`] with the first bytes that are no character.
pub fn check_utf8(text: &[u8]) -> Result<(), Malformed<'static>> {
    let invalid = std::str::from_utf8(text).err();
    let invalid = invalid.map(|error| error.valid_up_to());
    let Some(at) = memchr::memchr(0, text).into_iter().chain(invalid).min() else {
        return Ok(());
    };
    let rest = text.get(at..).unwrap_or_default();
    // `pg_utf_mblen`: as many bytes as the first one announces.
    let length = match rest.first() {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf7) => 4,
        _ => 1,
    };
    let bytes = rest.iter().take(length).copied().collect();
    Err(Malformed::Encoding(bytes))
}

/// From which type values are translated to which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types {
    /// The type that is read.
    pub from: Type,
    /// The type that is written.
    pub to: Type,
}

/// Translates a value, in the same format: `convert` says what each scalar in it becomes. What is
/// appended has no length in front.
///
/// # Errors
/// If the value is not of the type, or if `convert` objects; then the output holds a part of it.
pub fn translate<'a, 'o, E: From<Malformed<'a>>>(
    value: &'a [u8],
    format: Format,
    types: Types,
    shape: Shape,
    out: &mut BytesMut,
    mut convert: impl FnMut(Scalar<'_>) -> Result<Scalar<'o>, E>,
) -> Result<(), E> {
    match (shape, format) {
        (Shape::Scalar, _) => {
            let scalar = Scalar::decode(value, format, types.from)?;
            convert(scalar)?.encode(format, types.to, out);
        }
        (Shape::Array, Format::Text) => return array_text::translate(value, types, out, convert),
        (Shape::Array, Format::Binary) => {
            let mut reader = Reader::new(value);
            let count = array_header(&mut reader, types, out)?;
            for _ in 0..count {
                let Some(element) = reader.value().map_err(Malformed::Binary)? else {
                    out.put_i32(-1);
                    continue;
                };
                let scalar = Scalar::decode(element, format, types.from)?;
                let scalar = convert(scalar)?;
                sized(out, |out| scalar.encode(format, types.to, out));
            }
            reader.finish().map_err(Malformed::Binary)?;
        }
    }
    Ok(())
}

/// Copies the header of a binary array with the new element type. Returns the number of elements.
fn array_header(
    reader: &mut Reader<'_>,
    types: Types,
    out: &mut BytesMut,
) -> Result<usize, Malformed<'static>> {
    let dimensions = usize::try_from(reader.i32()?).map_err(|_| WireError::Range)?;
    if dimensions > MAX_DIMENSIONS {
        return Err(WireError::Range.into());
    }
    let has_nulls = reader.i32()?;
    if !matches!(has_nulls, 0 | 1) {
        return Err(WireError::Range.into());
    }
    let found = reader.u32()?;
    out.put_u32(u32::try_from(dimensions).unwrap_or_default());
    out.put_i32(has_nulls);
    out.put_u32(types.to.oid());
    let mut count = usize::from(dimensions > 0);
    for _ in 0..dimensions {
        let (length, lower) = (reader.i32()?, reader.i32()?);
        // "lb + size overflows" is an error of Postgres.
        let length_u = usize::try_from(length).map_err(|_| WireError::Range)?;
        lower.checked_add(length).ok_or(WireError::Range)?;
        count = count.checked_mul(length_u).ok_or(WireError::Range)?;
        out.put_i32(length);
        out.put_i32(lower);
    }
    // Each element has a length word at least: a count beyond that is refused before the loop.
    if count > reader.rest().len() / 4 {
        return Err(WireError::Truncated.into());
    }
    if found == types.from.oid() {
        Ok(count)
    } else {
        Err(Malformed::ElementType(found, types.from))
    }
}

/// `uuid_recv`: exactly 16 bytes.
fn binary_uuid(value: &[u8]) -> Result<[u8; 16], WireError> {
    let mut reader = Reader::new(value);
    let (uuid, _) = reader
        .bytes(16)?
        .split_first_chunk::<16>()
        .ok_or(WireError::Truncated)?;
    reader.finish()?;
    Ok(*uuid)
}

#[cfg(test)]
mod tests;
