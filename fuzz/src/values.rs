//! Values of all types of keys and ids, as scalars and in arrays, in text and binary: what is
//! read and written again is read as the same, and is written the same.

use bytes::BytesMut;
use pgveil::wire::frontend::Format;
use pgveil::wire::value::{self, Malformed, Scalar, Shape, Type, Types};

use super::input::Input;

const TYPES: [Type; 8] = [
    Type::Int2,
    Type::Int4,
    Type::Int8,
    Type::Uuid,
    Type::Bytea,
    Type::Text,
    Type::Varchar,
    Type::Bpchar,
];

/// What the scalars in a value are, in order.
type Scalars = Vec<Scalar<'static>>;

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let from = input.choice(&TYPES);
    let format = input.choice(&[Format::Text, Format::Binary]);
    let shape = input.choice(&[Shape::Scalar, Shape::Array]);
    let bytes = input.rest();
    let _ = value::check_utf8(bytes);
    let _ = from.integer(bytes, format);
    let same = Types { from, to: from };
    if let Some((first, read)) = translate(bytes, format, same, shape) {
        let (second, again) = translate(&first, format, same, shape).expect("a value of our own");
        assert_eq!(
            read.len(),
            again.len(),
            "the number of elements has changed"
        );
        assert!(read == again, "a scalar has changed");
        assert_eq!(
            first, second,
            "what is written is not written the same again"
        );
    }
    shown_as_uuids(bytes, format, shape, from);
}

fn translate(
    bytes: &[u8],
    format: Format,
    types: Types,
    shape: Shape,
) -> Option<(BytesMut, Scalars)> {
    let mut out = BytesMut::new();
    let mut scalars = Vec::new();
    let keep = |scalar: Scalar<'_>| -> Result<Scalar<'static>, Malformed<'_>> {
        let scalar = scalar.into_owned();
        scalars.push(scalar.clone());
        Ok(scalar)
    };
    match value::translate(bytes, format, types, shape, &mut out, keep) {
        Ok(()) => Some((out, scalars)),
        Err(malformed) => {
            let _ = malformed.into_owned();
            None
        }
    }
}

/// No part of a value is left when each scalar in it becomes another of another type.
fn shown_as_uuids(bytes: &[u8], format: Format, shape: Shape, from: Type) {
    let types = Types {
        from,
        to: Type::Uuid,
    };
    let mut out = BytesMut::new();
    let mut count = 0_u8;
    let convert = |_: Scalar<'_>| -> Result<Scalar<'static>, Malformed<'_>> {
        count = count.wrapping_add(1);
        Ok(Scalar::Uuid([count; 16]))
    };
    if value::translate(bytes, format, types, shape, &mut out, convert).is_err() {
        return;
    }
    let expected = count;
    let mut count = 0_u8;
    let check = |scalar: Scalar<'_>| -> Result<Scalar<'static>, Malformed<'_>> {
        count = count.wrapping_add(1);
        assert!(
            scalar == Scalar::Uuid([count; 16]),
            "an element is another one"
        );
        Ok(Scalar::Uuid([count; 16]))
    };
    let uuids = Types {
        from: Type::Uuid,
        to: Type::Uuid,
    };
    let mut again = BytesMut::new();
    value::translate(&out, format, uuids, shape, &mut again, check).expect("uuids of our own");
    assert_eq!(count, expected);
    assert_eq!(again, out);
}
