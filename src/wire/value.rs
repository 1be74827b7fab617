//! Values that hold keys, between the form of `smallint`, `integer` and `bigint` and the form of
//! `uuid`, and arrays of them; text and binary. What a key or a uuid becomes is the caller's
//! business.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::array_text;
use super::frontend::Format;
use super::{Reader, WireError, uuid_text};

/// The oid of `uuid`.
pub const UUID_OID: u32 = 2950;
/// The oid of `uuid[]`.
pub const UUID_ARRAY_OID: u32 = 2951;
/// Postgres's `MAXDIM`.
pub(super) const MAX_DIMENSIONS: usize = 6;

/// An integer type of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Int {
    /// `smallint`
    Int2,
    /// `integer`
    Int4,
    /// `bigint`
    Int8,
}

impl Int {
    /// The type with this oid.
    #[must_use]
    pub const fn from_oid(oid: u32) -> Option<Self> {
        match oid {
            21 => Some(Self::Int2),
            23 => Some(Self::Int4),
            20 => Some(Self::Int8),
            _ => None,
        }
    }

    /// The element type of the array type with this oid.
    #[must_use]
    pub const fn from_array_oid(oid: u32) -> Option<Self> {
        match oid {
            1005 => Some(Self::Int2),
            1007 => Some(Self::Int4),
            1016 => Some(Self::Int8),
            _ => None,
        }
    }

    /// The oid of the type.
    #[must_use]
    pub const fn oid(self) -> u32 {
        match self {
            Self::Int2 => 21,
            Self::Int4 => 23,
            Self::Int8 => 20,
        }
    }

    /// Reads the binary form.
    fn decode(self, bytes: &[u8]) -> Result<i64, WireError> {
        let mut reader = Reader::new(bytes);
        let value = match self {
            Self::Int2 => i64::from(reader.i16()?),
            Self::Int4 => i64::from(reader.i32()?),
            Self::Int8 => reader.i64()?,
        };
        reader.finish()?;
        Ok(value)
    }

    /// The bytes of the binary form.
    const fn size(self) -> i32 {
        match self {
            Self::Int2 => 2,
            Self::Int4 => 4,
            Self::Int8 => 8,
        }
    }

    /// Appends the binary form. The caller has checked the range.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a key is checked against its type when it is decoded"
    )]
    fn put(self, value: i64, out: &mut BytesMut) {
        match self {
            Self::Int2 => out.put_i16(value as i16),
            Self::Int4 => out.put_i32(value as i32),
            Self::Int8 => out.put_i64(value),
        }
    }
}

/// The shape of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One key.
    Scalar,
    /// An array of keys.
    Array,
}

/// Why a value of a client is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed<'a, E> {
    /// This is not the text form of a uuid.
    Uuid(Cow<'a, [u8]>),
    /// This is not the text form of an array.
    Array {
        /// The whole value.
        text: &'a [u8],
        /// What is wrong with it, in the words of `array_in`.
        detail: &'static str,
    },
    /// A binary value of the wrong length or layout.
    Binary(WireError),
    /// An array of another element type (its oid).
    ElementType(u32),
    /// The caller's own objection.
    Refused(E),
}

/// Translates a value from the server for the client. Where a key stands, `key` is called, which
/// appends the uuid in the same format (36 or 16 bytes). What is appended has no length in front.
///
/// # Errors
/// If the value is not of the type; then the output holds a part of it.
pub fn to_client(
    value: &[u8],
    format: Format,
    int: Int,
    shape: Shape,
    out: &mut BytesMut,
    mut key: impl FnMut(i64, &mut BytesMut),
) -> Result<(), WireError> {
    match (shape, format) {
        (Shape::Scalar, Format::Text) => key(decimal(value)?, out),
        (Shape::Scalar, Format::Binary) => key(int.decode(value)?, out),
        (Shape::Array, Format::Text) => return array_text::to_client(value, out, key),
        (Shape::Array, Format::Binary) => {
            let mut reader = Reader::new(value);
            let elements = array_header(&mut reader, UUID_OID, out)?;
            if elements.type_oid != int.oid() {
                return Err(WireError::Range);
            }
            for _ in 0..elements.count {
                match reader.value()? {
                    None => out.put_i32(-1),
                    Some(element) => {
                        out.put_i32(16);
                        key(int.decode(element)?, out);
                    }
                }
            }
            reader.finish()?;
        }
    }
    Ok(())
}

/// Translates a value from the client for the server, in the same format: `decode` says which
/// key a uuid stands for. What is appended has no length in front.
///
/// # Errors
/// If the value is not of the type, or if `decode` objects; then the output holds a part of it.
pub fn to_server<'a, E>(
    value: &'a [u8],
    format: Format,
    int: Int,
    shape: Shape,
    out: &mut BytesMut,
    mut decode: impl FnMut([u8; 16]) -> Result<i64, E>,
) -> Result<(), Malformed<'a, E>> {
    match (shape, format) {
        (Shape::Scalar, Format::Text) => {
            let uuid = uuid_text::parse(value).ok_or(Malformed::Uuid(value.into()))?;
            put_decimal(decode(uuid).map_err(Malformed::Refused)?, out);
        }
        (Shape::Scalar, Format::Binary) => {
            let uuid = binary_uuid(value).map_err(Malformed::Binary)?;
            int.put(decode(uuid).map_err(Malformed::Refused)?, out);
        }
        (Shape::Array, Format::Text) => return array_text::to_server(value, out, decode),
        (Shape::Array, Format::Binary) => {
            let mut reader = Reader::new(value);
            let elements = array_header(&mut reader, int.oid(), out).map_err(Malformed::Binary)?;
            if elements.type_oid != UUID_OID {
                return Err(Malformed::ElementType(elements.type_oid));
            }
            for _ in 0..elements.count {
                match reader.value().map_err(Malformed::Binary)? {
                    None => out.put_i32(-1),
                    Some(element) => {
                        let uuid = binary_uuid(element).map_err(Malformed::Binary)?;
                        out.put_i32(int.size());
                        int.put(decode(uuid).map_err(Malformed::Refused)?, out);
                    }
                }
            }
            reader.finish().map_err(Malformed::Binary)?;
        }
    }
    Ok(())
}

struct Elements {
    type_oid: u32,
    count: usize,
}

/// Copies the header of a binary array, with `type_oid` as its element type.
fn array_header(
    reader: &mut Reader<'_>,
    type_oid: u32,
    out: &mut BytesMut,
) -> Result<Elements, WireError> {
    let dimensions = usize::try_from(reader.i32()?).map_err(|_| WireError::Range)?;
    if dimensions > MAX_DIMENSIONS {
        return Err(WireError::Range);
    }
    let has_nulls = reader.i32()?;
    if !matches!(has_nulls, 0 | 1) {
        return Err(WireError::Range);
    }
    let found = reader.u32()?;
    out.put_u32(u32::try_from(dimensions).unwrap_or_default());
    out.put_i32(has_nulls);
    out.put_u32(type_oid);
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
        return Err(WireError::Truncated);
    }
    Ok(Elements {
        type_oid: found,
        count,
    })
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

/// Reads a decimal integer as Postgres writes it.
pub(super) fn decimal(text: &[u8]) -> Result<i64, WireError> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return Err(WireError::Range);
    }
    // Counted downwards, because the minimum has no positive counterpart.
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
pub fn put_decimal(value: i64, out: &mut BytesMut) {
    let mut digits = [0_u8; 20];
    let mut rest = value.unsigned_abs();
    let mut length = 0;
    for place in digits.iter_mut().rev() {
        *place = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        length += 1;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.put_u8(b'-');
    }
    out.put_slice(digits.get(digits.len() - length..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A uuid that carries a key in its last eight bytes.
    fn uuid_of(key: i64) -> [u8; 16] {
        let mut uuid = [0x11; 16];
        uuid[8..].copy_from_slice(&key.to_be_bytes());
        uuid
    }

    fn key_of(uuid: [u8; 16]) -> Result<i64, ()> {
        Ok(i64::from_be_bytes(uuid[8..].try_into().unwrap()))
    }

    fn out_and_in(value: &[u8], format: Format, int: Int, shape: Shape) -> (Vec<u8>, Vec<u8>) {
        let mut shown = BytesMut::new();
        to_client(
            value,
            format,
            int,
            shape,
            &mut shown,
            |key, out| match format {
                Format::Text => out.put_slice(uuid_text::to_string(&uuid_of(key)).as_bytes()),
                Format::Binary => out.put_slice(&uuid_of(key)),
            },
        )
        .unwrap();
        let mut back = BytesMut::new();
        to_server(&shown, format, int, shape, &mut back, key_of).unwrap();
        (shown.to_vec(), back.to_vec())
    }

    #[test]
    fn translates_scalars_there_and_back() {
        for (int, key) in [
            (Int::Int2, -32_768),
            (Int::Int4, 2_147_483_647),
            (Int::Int8, i64::MIN),
            (Int::Int8, 0),
        ] {
            let text = key.to_string();
            let (shown, back) = out_and_in(text.as_bytes(), Format::Text, int, Shape::Scalar);
            assert_eq!(shown.len(), 36);
            assert_eq!(back, text.as_bytes());
            let mut binary = BytesMut::new();
            int.put(key, &mut binary);
            let (shown, back) = out_and_in(&binary, Format::Binary, int, Shape::Scalar);
            assert_eq!(shown, uuid_of(key));
            assert_eq!(back, binary);
        }
    }

    fn binary_array() -> Vec<u8> {
        let mut array = BytesMut::new();
        for word in [2, 1, 20, 2, 0, 2, 1] {
            array.put_i32(word);
        }
        for key in [Some(1), None, Some(-3), Some(4)] {
            match key {
                Some(key) => {
                    array.put_i32(8);
                    array.put_i64(key);
                }
                None => array.put_i32(-1),
            }
        }
        array.to_vec()
    }

    #[test]
    fn translates_binary_arrays_with_nulls_and_bounds_there_and_back() {
        let array = binary_array();
        let (shown, back) = out_and_in(&array, Format::Binary, Int::Int8, Shape::Array);
        assert_eq!(shown[8..12], UUID_OID.to_be_bytes());
        assert_eq!(back, array);
        let empty = [0; 8].into_iter().chain(20_u32.to_be_bytes());
        let empty: Vec<u8> = empty.collect();
        let (_, back) = out_and_in(&empty, Format::Binary, Int::Int8, Shape::Array);
        assert_eq!(back, empty);
    }

    #[test]
    fn refuses_a_binary_array_cut_anywhere() {
        let array = binary_array();
        for length in 0..array.len() {
            let mut out = BytesMut::new();
            let cut = &array[..length];
            let result = to_client(
                cut,
                Format::Binary,
                Int::Int8,
                Shape::Array,
                &mut out,
                |_, _| (),
            );
            assert!(result.is_err(), "{length}");
        }
    }

    #[test]
    fn names_what_is_wrong_with_a_value() {
        let mut out = BytesMut::new();
        let mut judge = |value, format, shape| {
            to_server(value, format, Int::Int8, shape, &mut out, key_of).unwrap_err()
        };
        assert_eq!(
            judge(b"42", Format::Text, Shape::Scalar),
            Malformed::Uuid(b"42"[..].into())
        );
        assert_eq!(
            judge(b"42", Format::Binary, Shape::Scalar),
            Malformed::Binary(WireError::Truncated)
        );
        assert_eq!(
            judge(&[0; 17], Format::Binary, Shape::Scalar),
            Malformed::Binary(WireError::Leftover)
        );
        assert_eq!(
            judge(&binary_array(), Format::Binary, Shape::Array),
            Malformed::ElementType(20)
        );
    }

    proptest! {
        #[test]
        fn reads_every_decimal_that_it_writes(value: i64) {
            let mut out = BytesMut::new();
            put_decimal(value, &mut out);
            let expected = value.to_string();
            prop_assert_eq!(&out[..], expected.as_bytes());
            prop_assert_eq!(decimal(&out), Ok(value));
        }

        #[test]
        fn never_panics_on_any_bytes(value: Vec<u8>, text: bool, array: bool) {
            let format = if text { Format::Text } else { Format::Binary };
            let shape = if array { Shape::Array } else { Shape::Scalar };
            let mut out = BytesMut::new();
            let _ = to_client(&value, format, Int::Int4, shape, &mut out, |_, _| ());
            let _ = to_server(&value, format, Int::Int4, shape, &mut out, key_of);
        }
    }
}
