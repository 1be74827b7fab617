//! Tests of values: there and back, cut anywhere, any bytes.

use super::*;
use proptest::prelude::*;

const ALL: [Type; 8] = [
    Type::Int2,
    Type::Int4,
    Type::Int8,
    Type::Uuid,
    Type::Bytea,
    Type::Text,
    Type::Varchar,
    Type::Bpchar,
];

/// A value of each type, as text and in binary.
fn examples() -> Vec<(Type, &'static [u8], Vec<u8>)> {
    let uuid = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
    let bytes = uuid_text::parse(uuid.as_bytes()).unwrap();
    vec![
        (Type::Int2, b"-32768", i16::MIN.to_be_bytes().to_vec()),
        (Type::Int4, b"2147483647", i32::MAX.to_be_bytes().to_vec()),
        (
            Type::Int8,
            b"-9223372036854775808",
            i64::MIN.to_be_bytes().to_vec(),
        ),
        (Type::Uuid, uuid.as_bytes(), bytes.to_vec()),
        (Type::Bytea, b"\\x00ff5c", vec![0, 0xff, 0x5c]),
        (Type::Text, b"a 'b\" ", b"a 'b\" ".to_vec()),
        (Type::Varchar, b"", Vec::new()),
        (Type::Bpchar, b" c", b" c".to_vec()),
    ]
}

fn same(value: &[u8], format: Format, of: Type, shape: Shape) -> Result<Vec<u8>, Malformed<'_>> {
    let mut out = BytesMut::new();
    let types = Types { from: of, to: of };
    translate(value, format, types, shape, &mut out, |scalar| {
        Ok::<_, Malformed<'_>>(scalar.into_owned())
    })
    .map(|()| out.to_vec())
}

#[test]
fn translates_scalars_of_every_type_there_and_back() {
    for (of, text, binary) in examples() {
        let from_text = Scalar::decode(text, Format::Text, of).unwrap();
        assert_eq!(
            from_text,
            Scalar::decode(&binary, Format::Binary, of).unwrap()
        );
        assert_eq!(same(text, Format::Text, of, Shape::Scalar).unwrap(), text);
        assert_eq!(
            same(&binary, Format::Binary, of, Shape::Scalar).unwrap(),
            binary
        );
    }
}

#[test]
fn reads_a_blank_padded_value_without_its_blanks() {
    for format in [Format::Text, Format::Binary] {
        let value = Scalar::decode(b" a b  ", format, Type::Bpchar).unwrap();
        assert_eq!(value, Scalar::Text(b" a b"[..].into()));
        let value = Scalar::decode(b" a b  ", format, Type::Varchar).unwrap();
        assert_eq!(value, Scalar::Text(b" a b  "[..].into()));
    }
}

/// Two by two, from 0, with a NULL.
fn binary_array(of: Type, element: &[u8]) -> Vec<u8> {
    let mut array = BytesMut::new();
    for word in [2, 1] {
        array.put_i32(word);
    }
    array.put_u32(of.oid());
    for word in [2, 0, 2, 1] {
        array.put_i32(word);
    }
    for element in [Some(element), None, Some(element), Some(element)] {
        match element {
            Some(element) => sized(&mut array, |out| out.put_slice(element)),
            None => array.put_i32(-1),
        }
    }
    array.to_vec()
}

#[test]
fn translates_binary_arrays_with_nulls_and_bounds_there_and_back() {
    for (of, _, binary) in examples() {
        let array = binary_array(of, &binary);
        assert_eq!(
            same(&array, Format::Binary, of, Shape::Array).unwrap(),
            array
        );
        let empty = [&[0; 8][..], &of.oid().to_be_bytes()].concat();
        assert_eq!(
            same(&empty, Format::Binary, of, Shape::Array).unwrap(),
            empty
        );
    }
}

#[test]
fn writes_elements_of_another_type_with_their_own_lengths() {
    let array = binary_array(Type::Int8, &7_i64.to_be_bytes());
    let mut out = BytesMut::new();
    let types = Types {
        from: Type::Int8,
        to: Type::Text,
    };
    translate(
        &array,
        Format::Binary,
        types,
        Shape::Array,
        &mut out,
        |_| Ok::<_, Malformed<'_>>(Scalar::Text(b"seven"[..].into())),
    )
    .unwrap();
    assert_eq!(out, binary_array(Type::Text, b"seven"));
}

#[test]
fn refuses_a_binary_array_cut_anywhere_or_with_leftovers() {
    for (of, _, binary) in examples() {
        let array = binary_array(of, &binary);
        for length in 0..array.len() {
            let cut = same(&array[..length], Format::Binary, of, Shape::Array);
            assert!(cut.is_err(), "{length}");
        }
        let longer = [&array[..], b"\0"].concat();
        assert!(same(&longer, Format::Binary, of, Shape::Array).is_err());
    }
}

#[test]
fn refuses_a_binary_value_of_fixed_size_cut_anywhere() {
    for (of, _, binary) in examples() {
        if of.size() < 0 {
            continue;
        }
        for length in 0..binary.len() {
            let cut = Scalar::decode(&binary[..length], Format::Binary, of);
            assert_eq!(cut, Err(Malformed::Binary(WireError::Truncated)));
        }
        let longer = [&binary[..], b"\0"].concat();
        let result = Scalar::decode(&longer, Format::Binary, of);
        assert_eq!(result, Err(Malformed::Binary(WireError::Leftover)));
    }
}

#[test]
fn names_what_is_wrong_with_a_value() {
    let judge = |value, format, of| Scalar::decode(value, format, of).unwrap_err();
    assert_eq!(
        judge(b"42", Format::Text, Type::Uuid),
        Malformed::Syntax(Type::Uuid, b"42"[..].into())
    );
    assert_eq!(
        judge(b"a\0b", Format::Binary, Type::Text),
        Malformed::Encoding(vec![0])
    );
    let array = binary_array(Type::Int8, &[0; 8]);
    assert_eq!(
        same(&array, Format::Binary, Type::Uuid, Shape::Array),
        Err(Malformed::ElementType(20, Type::Uuid))
    );
}

#[test]
fn names_the_bytes_that_are_no_character() {
    for (text, bytes) in [
        (&b"ab\0\xff"[..], &b"\0"[..]),
        (b"ab\xff\0", b"\xff"),
        (b"\xe9 x", b"\xe9 x"),
        (b"\xc3", b"\xc3"),
        (b"\xf0\x9f\x98", b"\xf0\x9f\x98"),
        (b"\xed\xa0\x80", b"\xed\xa0\x80"),
    ] {
        assert_eq!(check_utf8(text), Err(Malformed::Encoding(bytes.to_vec())));
    }
    assert_eq!(check_utf8("é".as_bytes()), Ok(()));
}

#[test]
fn debug_shows_no_value() {
    for (of, text, _) in examples() {
        let shown = format!("{:?}", Scalar::decode(text, Format::Text, of).unwrap());
        assert!(shown.ends_with("(..)"), "{shown}");
    }
}

proptest! {
    #[test]
    fn never_panics_on_any_bytes(value: Vec<u8>, text: bool, array: bool) {
        let format = if text { Format::Text } else { Format::Binary };
        let shape = if array { Shape::Array } else { Shape::Scalar };
        for of in ALL {
            let _ = same(&value, format, of, shape);
        }
        let _ = check_utf8(&value);
    }
}
