//! Values of every type that clients make up, and those that a server should not send.

use proptest::prelude::*;

use crate::kinds::*;
use crate::plans::KINDS;
use crate::stage::*;

/// What the server gets for hostile text ids, and what the client is told of those that are none.
#[test]
fn takes_every_text_as_an_id_that_nobody_has() {
    let long = "x".repeat(100_000);
    for text in [
        "it's",
        r"\'; select",
        r#"{"a","b\\"}"#,
        "null",
        "é\u{1F600}",
        "",
        &long,
    ] {
        let mut stage = stage();
        // The analyser of these tests knows no escapes.
        let given = text.replace(['\'', ';'], "");
        stage.client(&query(&format!("invoice by literal '{given}'")));
        // The empty text is itself.
        let mark = |text: &str| if text.is_empty() { "" } else { "pgveil1" };
        let sent_literal = format!("Q invoice by literal '{}'|", mark(&given));
        assert_eq!(stage.sent(), [sent_literal]);
        let mark = mark(text).as_bytes();
        for format in [0, 1] {
            let text = text.as_bytes();
            let got = sent(&mut self::stage(), "invoice by id $1", format, text, 1043);
            assert_eq!(got, mark);
            let ids = array(format, 25, &[Some(text), None]);
            let got = sent(&mut self::stage(), "invoice by ids $1", format, &ids, 1015);
            assert_eq!(got, array(format, 1043, &[Some(mark), None]));
        }
    }
}

/// The answer to a batch with one value that is refused when it is bound.
fn refused(text: &str, format: u16, value: &[u8], code: &str) -> (Vec<String>, String) {
    let mut stage = stage();
    let batch = [
        parse("", text, &[]),
        bind("", "", &[format], &[Some(value)], &[]),
        execute(""),
        sync(),
    ];
    stage.client(&batch.concat());
    let sent = stage.sent();
    stage.server(&[frame(b'1', b""), error(code, "provoked"), ready('I')].concat());
    assert!(stage.session.is_idle());
    (sent, stage.shown()[1].clone())
}

#[test]
fn refuses_text_that_is_none_though_the_server_would_take_any() {
    for (value, bytes) in [
        (&b"a\0b"[..], "0x00"),
        (b"caf\xe9", "0xe9"),
        (b"\xf0\x9f x", "0xf0 0x9f 0x20 0x78"),
    ] {
        for name in ["invoice", "blob", "visit", "parcel"] {
            for format in [0, 1] {
                let (sent, shown) = refused(&format!("{name} by id $1"), format, value, "08P01");
                let message =
                    format!("C22021|Minvalid byte sequence for encoding \"UTF8\": {bytes}|");
                assert!(shown.contains(&message), "{shown}");
                // Bytes in binary have no invalid values: the message has too few.
                if name == "blob" && format == 1 {
                    assert_eq!(sent[1], "B ||||||||");
                }
            }
        }
    }
}

#[test]
fn tells_what_is_wrong_with_uuids_and_integers_in_their_words() {
    for (text, format, value, code, message) in [
        (
            "event by id $1",
            0,
            &b"42"[..],
            "22P02",
            "22P02|Minvalid input syntax for type uuid: \"42\"|",
        ),
        (
            "page by id $1",
            0,
            b"42",
            "08P01",
            "22P02|Minvalid input syntax for type uuid: \"42\"|",
        ),
        (
            "page by text $1",
            1,
            b"42",
            "08P01",
            "22P02|Minvalid input syntax for type uuid: \"42\"|",
        ),
        (
            "ticket by id $1",
            0,
            b"4x",
            "22P02",
            "22P02|Minvalid input syntax for type bigint: \"4x\"|",
        ),
        (
            "ticket by id $1",
            0,
            b"9223372036854775808",
            "22P02",
            "22003|Mvalue \"9223372036854775808\" is out of range for type bigint|",
        ),
        (
            "ticket by id $1",
            1,
            b"1234567",
            "08P01",
            "08P01|Minsufficient data left in message|",
        ),
    ] {
        let (_, shown) = refused(text, format, value, code);
        assert!(shown.contains(&format!("C{message}")), "{text}: {shown}");
    }
}

#[test]
fn tells_what_is_wrong_with_bytes_and_arrays_in_their_words() {
    for (text, format, value, code, message) in [
        (
            "token by id $1",
            0,
            &b"\\x0g"[..],
            "22P02",
            "22023|Minvalid hexadecimal digit: \"g\"|",
        ),
        (
            "token by id $1",
            0,
            b"\\x000",
            "22P02",
            "22023|Minvalid hexadecimal data: odd number of digits|",
        ),
        (
            "token by id $1",
            0,
            b"\\8",
            "22P02",
            "22P02|Minvalid input syntax for type bytea|",
        ),
        (
            "invoice by ids $1",
            0,
            b"{\"a}",
            "22P02",
            "22P02|Mmalformed array literal: \"{\"a}\"|DUnexpected end of input.",
        ),
        (
            "token by ids $1",
            0,
            br#"{"\\x0g"}"#,
            "22P02",
            "22023|Minvalid hexadecimal digit: \"g\"|",
        ),
    ] {
        let (_, shown) = refused(text, format, value, code);
        assert!(shown.contains(&format!("C{message}")), "{text}: {shown}");
    }
    let ids = array(1, 1043, &[Some(b"x")]);
    let (_, shown) = refused("invoice by ids $1", 1, &ids, "08P01");
    assert!(shown.contains(
        "C42804|Mbinary data has array element type 1043 instead of expected 25 (text)|"
    ));
}

#[test]
fn stores_no_id_of_any_type_that_was_never_issued() {
    for (name, value, quoted) in [
        (
            "event",
            &b"00000000-0000-0000-0000-000000000000"[..],
            "00000000-0000-0000-0000-000000000000",
        ),
        ("invoice", b"it's", "it's"),
        ("token", b"ab", "\\x6162"),
        ("ticket", b"9007199254740993", "9007199254740993"),
        ("visit", b"", ""),
    ] {
        let mut stage = stage();
        let batch = [
            parse("", &format!("{name} store $1"), &[]),
            bind("", "", &[], &[Some(value)], &[]),
            execute(""),
            sync(),
        ];
        stage.client(&batch.concat());
        assert_eq!(
            stage.sent()[1],
            legible(&bind("", "", &[], &[None], &[]))[0]
        );
        stage.server(&[frame(b'1', b""), frame(b'2', b""), poison_error()].concat());
        let shown = stage.shown().remove(2);
        let detail = format!("DKey (user_id)=({quoted}) is not present in table \"users\".");
        assert!(
            shown.contains("C23503|") && shown.contains(&detail),
            "{shown}"
        );
    }
}

#[test]
fn shows_the_clients_own_value_where_the_server_shows_the_sentinel() {
    for (name, sent) in [
        ("event", "00000000-0000-0000-0000-000000000000"),
        ("invoice", "{it: \"is\\none}"),
        ("visit", "687260E3C6LYGG5G7FL7GAFJ2A2VNWMATNCBSQV2"),
        ("token", "\\x01"),
        ("ticket", "9007199254740997"),
        ("page", "11111111-1111-1111-1111-11111111111"),
    ] {
        let Example {
            sentinel, key_oid, ..
        } = example(name);
        let mut stage = stage();
        if name == "page" {
            // Every uuid is a key of this codec, but not the Max UUID.
            let max = "ffffffff-ffff-ffff-ffff-ffffffffffff";
            stage.client(&query(&format!("page by literal '{max}'")));
            stage.server(&[columns(&[("id", 0, 0, 25)], 0), text_row(&[""])].concat());
            assert!(stage.shown()[1].contains(max));
            continue;
        }
        stage.client(&query(&format!("{name} by literal '{sent}'")));
        let described = columns(&[("id", 0, 0, key_oid)], 0);
        let rows = [
            row(&[Some(&sentinel.text)]),
            row(&[Some(&example(name).key.text)]),
        ];
        stage.server(&[described, rows.concat()].concat());
        let shown = stage.shown();
        assert_eq!(shown[1], legible(&text_row(&[sent]))[0]);
        assert_eq!(shown[2], legible(&row(&[Some(&example(name).id.text)]))[0]);
    }
}

#[test]
fn shows_no_sentinel_and_no_key_that_has_no_id() {
    for (name, key, message) in [
        (
            "event",
            &b"00000000-0000-0000-0000-000000000000"[..],
            "smallest value",
        ),
        ("invoice", b"", "smallest value"),
        ("visit", b"     ", "smallest value"),
        ("token", b"\\x", "smallest value"),
        ("ticket", b"-9223372036854775808", "smallest value"),
        // Another version, another case, another length, no UTF-8, out of range.
        (
            "event",
            b"0192f3a4-5b6c-4d8e-9f10-213243546576",
            "id domain \"event\" can't",
        ),
        (
            "invoice",
            b"01arz3ndektsv4rrffq69g5fav",
            "id domain \"invoice\" can't",
        ),
        ("invoice", b"\xff", "column 1 of the result"),
        ("token", b"\\x6162", "id domain \"token\" can't"),
        ("ticket", b"9007199254740999", "id domain \"ticket\" can't"),
    ] {
        let mut stage = stage();
        stage.client(&query(&format!("{name} ids")));
        let described = [("id", 0, 0, example(name).key_oid), ("n", 0, 0, 25)];
        stage.server(&columns(&described, 0));
        stage.shown();
        let good = row(&[Some(&example(name).key.text), None]);
        let bad = row(&[Some(key), None]);
        let told = stage.fault(&[good, bad].concat());
        assert!(
            told.contains("|CXX000|") && told.contains(message),
            "{told}"
        );
    }
}

#[test]
fn refuses_a_result_of_another_type_than_the_keys() {
    for (name, oid, fits) in [
        ("event", 25, false),
        ("event", 2951, false),
        ("invoice", 25, true),
        ("invoice", 2950, false),
        ("visit", 1043, true),
        ("token", 25, false),
        ("parcel", 20, true),
        ("parcel", 25, false),
    ] {
        let mut stage = stage();
        stage.client(&query(&format!("{name} ids")));
        let described = columns(&[("id", 0, 0, oid), ("n", 0, 0, 25)], 0);
        assert_eq!(stage.refusal_of(&described).is_none(), fits, "{name} {oid}");
    }
}

#[test]
fn trusts_no_column_of_a_type_that_keys_have() {
    for (stored, oid, trusted) in [
        ("event", 2950, false),
        ("event", 1184, true),
        ("invoice", 2950, true),
    ] {
        let mut stage = stage_of(&[stored]);
        stage.client(&query("ddl; select reveal()"));
        stage.server(&tag("CREATE FUNCTION"));
        stage.shown();
        let described = columns(&[("reveal", 0, 0, oid)], 0);
        assert_eq!(
            stage.refusal_of(&described).is_none(),
            trusted,
            "{stored} {oid}"
        );

        // A column that was added behind the proxy's back.
        let mut stage = stage_of(&[stored]);
        stage.client(&query("clean"));
        let described = columns(&[("x", table(stored), 3, oid)], 0);
        assert_eq!(
            stage.refusal_of(&described).is_none(),
            trusted,
            "{stored} {oid}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Bytes in the place of keys end the session or are shown as ids, and never pass as they are.
    #[test]
    fn shows_no_bytes_of_the_server_as_they_are(
        kind in 0..KINDS.len(),
        bytes in proptest::collection::vec(any::<u8>(), 12..40),
        format in 0_i16..2,
        is_array: bool,
    ) {
        let (name, of, _) = KINDS[kind];
        let mut stage = stage();
        let (text, oid) = match is_array {
            true => ("arrays", of.array_oid()),
            false => ("ids", of.oid()),
        };
        stage.client(&query(&format!("{name} {text}")));
        let described = [("id", 0, 0, oid), ("n", 0, 0, 25)];
        stage.server(&columns(&described[..2 - usize::from(is_array)], format));
        stage.shown();
        let values = [Some(&bytes[..]), None];
        let result = stage.try_server(&row(&values[..2 - usize::from(is_array)]));
        let shown = stage.shown_bytes();
        prop_assert!(result.is_ok() || shown.is_empty());
        prop_assert!(!shown.windows(12).any(|window| bytes.starts_with(window)));
    }
}
