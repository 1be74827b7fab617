//! Tests of rows and arrays of rows: what Postgres writes, cut anywhere, any bytes.

use super::*;
use proptest::prelude::*;

const A: &str = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";

/// A key of `bigint` that is shown as uuid, or one of `integer` that stays one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Uuid,
    Integer,
}

impl Leaf for Key {
    fn types(&self) -> Types {
        match self {
            Self::Uuid => Types {
                from: Type::Int8,
                to: Type::Uuid,
            },
            Self::Integer => Types {
                from: Type::Int4,
                to: Type::Int4,
            },
        }
    }
}

type Of = Nested<Key>;

fn record(fields: impl IntoIterator<Item = Of>) -> Of {
    Of::Record(fields.into_iter().collect())
}

fn array(of: Of) -> Of {
    Of::Array(Box::new(of))
}

/// `(key, something else)`
fn pair() -> Of {
    record([Of::Leaf(Key::Uuid), Of::Clean])
}

/// A value in which each uuid is `A` and each integer is negative, and the keys that were in it.
fn shown(value: &[u8], format: Format, of: &Of) -> Option<(Vec<u8>, Vec<i64>)> {
    let (mut out, mut keys) = (BytesMut::new(), Vec::new());
    let uuid = super::super::uuid_text::parse(A.as_bytes()).unwrap();
    let mut convert = |leaf: &Key, key: Scalar<'_>| {
        let Scalar::Int(key) = key else {
            panic!("{key:?}")
        };
        keys.push(key);
        Ok(match leaf {
            Key::Uuid => Scalar::Uuid(uuid),
            Key::Integer => Scalar::Int(-key),
        })
    };
    translate::<_, Malformed<'static>>(value, format, of, &mut out, &mut convert).ok()?;
    Some((out.to_vec(), keys))
}

fn text(value: &str, of: &Of) -> Option<(String, Vec<i64>)> {
    let (out, keys) = shown(value.as_bytes(), Format::Text, of)?;
    Some((String::from_utf8(out).unwrap(), keys))
}

#[test]
fn shows_the_keys_in_rows_as_postgres_writes_them() {
    let keys = || array(Of::Leaf(Key::Uuid));
    let cases = [
        ("(1,x)", pair(), "(A,x)", &[1][..]),
        ("(,)", pair(), "(,)", &[]),
        (
            r#"(7,"a ""b"" \\c, (d)")"#,
            pair(),
            r#"(A,"a ""b"" \\c, (d)")"#,
            &[7],
        ),
        (r#"(7,"")"#, pair(), r#"(A,"")"#, &[7]),
        ("()", record([]), "()", &[]),
        ("()", record([Of::Leaf(Key::Uuid)]), "()", &[]),
        ("(5)", record([Of::Leaf(Key::Integer)]), "(-5)", &[5]),
        (
            r#"("{1,2}",n)"#,
            record([keys(), Of::Clean]),
            r#"("{A,A}",n)"#,
            &[1, 2],
        ),
        ("({1})", record([keys()]), "({A})", &[1]),
        (r#"("{1,NULL}")"#, record([keys()]), r#"("{A,NULL}")"#, &[1]),
        ("({})", record([keys()]), "({})", &[]),
        (
            r#"("(1,""a b"")",2)"#,
            record([pair(), Of::Leaf(Key::Uuid)]),
            r#"("(A,""a b"")",A)"#,
            &[1, 2],
        ),
        (
            r#"{"(1,x)",NULL,"(2,\"a b\")"}"#,
            array(pair()),
            r#"{"(A,x)",NULL,"(A,\"a b\")"}"#,
            &[1, 2],
        ),
        (
            r#"{{"(1,x)"},{"(2,)"}}"#,
            array(pair()),
            r#"{{"(A,x)"},{"(A,)"}}"#,
            &[1, 2],
        ),
        ("{(1)}", array(record([Of::Leaf(Key::Uuid)])), "{(A)}", &[1]),
        (
            r#"("{""(1,\\""a b\\"")""}")"#,
            record([array(pair())]),
            r#"("{""(A,\\""a b\\"")""}")"#,
            &[1],
        ),
    ];
    for (value, of, expected, keys) in cases {
        let expected = expected.replace('A', A);
        assert_eq!(text(value, &of), Some((expected, keys.to_vec())), "{value}");
    }
}

#[test]
fn refuses_a_row_of_another_shape() {
    for value in [
        "",
        "1",
        "(",
        "(1",
        "(1,x",
        "(1,x,2)",
        "(1)",
        "()",
        "(x,1)",
        "(1,x) ",
        "(1,\"x)",
        "(1,x)y",
        "((1,x))",
        "(1,a\"b)",
        "{1,x}",
        "(\"1\"2,x)",
    ] {
        assert_eq!(text(value, &pair()), None, "{value}");
    }
    for value in ["{(1,x)}", "{\"(1,x)\"", "(1,x)", "{\"(1)\"}", "{1}"] {
        assert_eq!(text(value, &array(pair())), None, "{value}");
    }
}

#[test]
fn the_half_of_a_letter_is_no_quote() {
    // In Shift JIS and its kin a backslash can be the second half of a letter; a quote never is.
    let (shown, keys) = shown(
        b"(1,\"\x95\x5c\",2)",
        Format::Text,
        &record([pair_key(), Of::Clean, pair_key()]),
    )
    .unwrap();
    assert_eq!(keys, [1, 2]);
    assert_eq!(
        shown,
        [b"(", A.as_bytes(), b",\"\x95\x5c\",", A.as_bytes(), b")"].concat()
    );
}

fn pair_key() -> Of {
    Of::Leaf(Key::Uuid)
}

/// A binary row: type and value of each field.
fn row(fields: &[(u32, Option<&[u8]>)]) -> Vec<u8> {
    let mut row = BytesMut::new();
    row.put_u32(u32::try_from(fields.len()).unwrap());
    for (of, value) in fields {
        row.put_u32(*of);
        match value {
            Some(value) => sized(&mut row, |row| row.put_slice(value)),
            None => row.put_i32(-1),
        }
    }
    row.to_vec()
}

fn binary_array(of: u32, elements: &[Option<&[u8]>]) -> Vec<u8> {
    let mut array = BytesMut::new();
    let length = u32::try_from(elements.len()).unwrap();
    for word in [1, 1, of, length, 1] {
        array.put_u32(word);
    }
    for element in elements {
        match element {
            Some(value) => sized(&mut array, |array| array.put_slice(value)),
            None => array.put_i32(-1),
        }
    }
    array.to_vec()
}

#[test]
fn shows_the_keys_in_binary_rows_and_their_types() {
    let (key, id) = (
        7_i64.to_be_bytes(),
        super::super::uuid_text::parse(A.as_bytes()).unwrap(),
    );
    let inside = row(&[(20, Some(&key)), (25, Some(b"x"))]);
    let outside = row(&[(2950, Some(&id)), (25, Some(b"x"))]);
    let shown = |value: &[u8], of: &Of| shown(value, Format::Binary, of).map(|(out, _)| out);
    assert_eq!(shown(&inside, &pair()), Some(outside.clone()));
    let of = array(pair());
    let arrays = [&inside, &outside].map(|row| binary_array(RECORD, &[Some(row), None]));
    assert_eq!(shown(&arrays[0], &of), Some(arrays[1].clone()));
    let of = record([array(pair()), array(pair_key()), Of::Leaf(Key::Integer)]);
    let keys = [(20, &key[..]), (2950, &id[..])].map(|(of, key)| binary_array(of, &[Some(key)]));
    let five = 5_i32.to_be_bytes();
    let values = [
        row(&[
            (RECORD_ARRAY, Some(&arrays[0])),
            (1016, Some(&keys[0])),
            (23, Some(&five)),
        ]),
        row(&[
            (RECORD_ARRAY, Some(&arrays[1])),
            (2951, Some(&keys[1])),
            (23, Some(&(-5_i32).to_be_bytes())),
        ]),
    ];
    assert_eq!(shown(&values[0], &of), Some(values[1].clone()));
    // A domain over the type of the keys, and an integer that is wider than the column.
    let of = record([pair_key(), Of::Leaf(Key::Integer)]);
    let value = row(&[(20_000, Some(&key)), (20, Some(&key))]);
    let expected = row(&[(20_000, Some(&id)), (20, Some(&(-7_i64).to_be_bytes()))]);
    assert_eq!(shown(&value, &of), Some(expected));
}

#[test]
fn refuses_a_binary_row_of_another_shape() {
    let key = 7_i64.to_be_bytes();
    let good = row(&[(20, Some(&key)), (25, Some(b"x"))]);
    let of = pair();
    for length in 0..good.len() {
        assert_eq!(
            shown(&good[..length], Format::Binary, &of),
            None,
            "{length}"
        );
    }
    let with_more = [&good[..], b"\0"].concat();
    for bad in [
        with_more,
        row(&[(20, Some(&key))]),
        row(&[(25, Some(&key)), (25, Some(b"x"))]),
        row(&[(20, Some(&key[1..])), (25, Some(b"x"))]),
        row(&[(20, Some(&key)), (25, None), (25, None)]),
    ] {
        assert_eq!(shown(&bad, Format::Binary, &of), None, "{bad:?}");
    }
    let of = array(pair());
    for bad in [
        binary_array(20, &[Some(&key)]),
        binary_array(25, &[Some(&good)]),
    ] {
        assert_eq!(shown(&bad, Format::Binary, &of), None, "{bad:?}");
    }
}

proptest! {
    /// Whatever the server sends, a key is either shown or the value is refused: the digits of one
    /// that stands where a key is expected never come out.
    #[test]
    fn never_lets_a_key_through(
        fields in proptest::collection::vec("[ab\"\\\\(), ]{0,6}", 1..4),
        place in 0_usize..4,
    ) {
        let mut of: Vec<Of> = vec![Of::Clean; fields.len()];
        let mut values: Vec<String> = fields
            .iter()
            .map(|field| {
                let mut out = BytesMut::new();
                put_field(field.as_bytes(), &mut out);
                String::from_utf8(out.to_vec()).unwrap()
            })
            .collect();
        let place = place.min(values.len());
        of.insert(place, pair_key());
        values.insert(place, "8613972450000001".to_owned());
        let value = format!("({})", values.join(","));
        let (out, keys) = text(&value, &record(of)).unwrap();
        prop_assert_eq!(keys, [8_613_972_450_000_001]);
        prop_assert_eq!(out, value.replace("8613972450000001", A));
    }

    #[test]
    fn never_panics_on_any_value(
        value in proptest::collection::vec(
            proptest::sample::select(b"12,\"\\(){}N\0\x01\x14".to_vec()),
            0..40,
        ),
    ) {
        for format in [Format::Text, Format::Binary] {
            for of in [pair(), array(pair()), record([array(pair()), pair()])] {
                let _ = shown(&value, format, &of);
            }
        }
    }
}

/// An id that a client sends as uuid, over a key of `bigint`.
#[derive(Debug, Clone, Copy)]
struct Sent;

impl Leaf for Sent {
    const IS_SENT: bool = true;

    fn types(&self) -> Types {
        Types {
            from: Type::Uuid,
            to: Type::Int8,
        }
    }
}

/// What becomes of a row of an id and something else in which each id is the key 7.
fn sent(value: &[u8], format: Format) -> Result<Vec<u8>, Malformed<'static>> {
    let of = Nested::Record([Nested::Leaf(Sent), Nested::Clean].into());
    let mut out = BytesMut::new();
    let mut convert = |_: &Sent, id: Scalar<'_>| {
        assert!(matches!(id, Scalar::Uuid(_)));
        Ok(Scalar::Int(7))
    };
    translate::<_, Malformed<'static>>(value, format, &of, &mut out, &mut convert)?;
    Ok(out.to_vec())
}

#[test]
fn reads_a_row_of_a_client_however_it_is_quoted() {
    for (value, expected) in [
        ("(A,x)", "(7,x)"),
        (" \t(A,x)\n ", "(7,x)"),
        ("(\"A\",)", "(7,)"),
        ("({A},x)", "(7,x)"),
        ("(\\A,x)", "(7,x)"),
        ("(\"\"A\"\",x)", "(7,x)"),
        ("(,x)", "(,x)"),
        (
            "(A,\"a \"\"b\"\" \\\\ (,)\")",
            "(7,\"a \"\"b\"\" \\\\ (,)\")",
        ),
        ("(A,a\"b,)\"c)", "(7,a\"b,)\"c)"),
        ("(A,a\\,b\\))", "(7,a\\,b\\))"),
    ] {
        let written = sent(value.replace('A', A).as_bytes(), Format::Text);
        let written = written.map(|written| String::from_utf8(written).unwrap());
        assert_eq!(written.as_deref(), Ok(expected), "{value}");
    }
}

#[test]
fn says_as_postgres_does_what_is_wrong_with_a_row_of_a_client() {
    for (value, expected) in [
        ("", "Missing left parenthesis."),
        ("A,x)", "Missing left parenthesis."),
        ("(A", "Unexpected end of input."),
        ("(A,", "Unexpected end of input."),
        ("(A,x\\", "Unexpected end of input."),
        ("(A,\"x)", "Unexpected end of input."),
        ("(A)", "Too few columns."),
        ("(A,x,)", "Too many columns."),
        ("(A,x) y", "Junk after right parenthesis."),
    ] {
        match sent(value.replace('A', A).as_bytes(), Format::Text) {
            Err(Malformed::Row { detail, .. }) => assert_eq!(detail, expected, "{value}"),
            other => panic!("{value}: {other:?}"),
        }
    }
    // A number is no id, quoted or not, nor is what is empty.
    for value in [
        "(7001,x)",
        "(\"7001\",x)",
        "(\\7001,x)",
        "(\"\",x)",
        "( A,x)",
    ] {
        let read = sent(value.replace('A', A).as_bytes(), Format::Text);
        assert!(matches!(read, Err(Malformed::Syntax(..))), "{value}");
    }
}

#[test]
fn reads_a_binary_row_of_a_client_by_the_type_of_its_ids_alone() {
    let uuid = super::super::uuid_text::parse(A.as_bytes()).unwrap();
    let key = 7_i64.to_be_bytes();
    let written = sent(
        &row(&[(2950, Some(&uuid)), (25, Some(b"x"))]),
        Format::Binary,
    );
    assert_eq!(written, Ok(row(&[(20, Some(&key)), (25, Some(b"x"))])));
    let written = sent(&row(&[(2950, None), (25, None)]), Format::Binary);
    assert_eq!(written, Ok(row(&[(20, None), (25, None)])));
    let number = sent(&row(&[(20, Some(&key)), (25, Some(b"x"))]), Format::Binary);
    assert_eq!(number, Err(Malformed::FieldType(20, Type::Uuid, 1)));
    let short = sent(&row(&[(2950, Some(&key)), (25, None)]), Format::Binary);
    assert!(matches!(short, Err(Malformed::Binary(_))));
    assert!(sent(&row(&[(2950, Some(&uuid))]), Format::Binary).is_err());
}

proptest! {
    #[test]
    fn no_bytes_of_a_client_are_too_much(value: Vec<u8>) {
        let _ = sent(&value, Format::Text);
        let _ = sent(&value, Format::Binary);
    }
}
