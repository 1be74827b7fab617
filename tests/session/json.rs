//! Ids inside JSON documents of the client's.

use crate::stage::*;

/// What the server gets in the place of a document in a literal.
fn translated(document: &str) -> String {
    let mut stage = Stage::ready();
    stage.client(&query(&format!("by json literal '{document}'")));
    let sent = stage.sent().concat();
    let inner = sent.strip_prefix("Q by json literal ").unwrap_or(&sent);
    let inner = inner.strip_prefix('\'').unwrap_or(inner);
    inner.strip_suffix("'|").unwrap_or(inner).to_owned()
}

#[test]
fn replaces_ids_and_keeps_every_other_byte() {
    let (seven, eight) = (id(7), id(8));
    for (document, expected) in [
        (
            format!(r#" {{ "b" : 1.50e+1 , "id":"{seven}","a":[ ],"b":12345678901234567890 }} "#),
            r#" { "b" : 1.50e+1 , "id":"7","a":[ ],"b":12345678901234567890 } "#,
        ),
        (
            format!(r#"{{"list": ["{seven}", null, "{eight}"], "x": "{seven}"}}"#),
            &format!(r#"{{"list": ["7", null, "8"], "x": "{seven}"}}"#),
        ),
        (
            format!(r#"{{"ids": ["{seven}", ["{eight}", null]]}}"#),
            r#"{"ids": ["7", ["8", null]]}"#,
        ),
        (
            format!(r#"{{"ids": "{{{seven},NULL,{eight}}}"}}"#),
            r#"{"ids": "{7,NULL,8}"}"#,
        ),
        (
            format!(r#"{{"id": "{seven}", "id": "{eight}"}}"#),
            r#"{"id": "7", "id": "8"}"#,
        ),
        (
            format!(r#"{{"n": {{"id": "{seven}"}}, "id": null, "list": {{"id": "x"}}}}"#),
            &format!(r#"{{"n": {{"id": "{seven}"}}, "id": null, "list": {{"id": "x"}}}}"#),
        ),
        (r#"[{"id": "x"}]"#.to_owned(), r#"[{"id": "x"}]"#),
        ("null".to_owned(), "null"),
    ] {
        assert_eq!(translated(&document), expected);
    }
}

#[test]
fn knows_names_and_ids_however_they_are_escaped() {
    let seven = id(7);
    let escaped: String = seven
        .chars()
        .map(|c| format!("\\u{:04x}", c as u32))
        .collect();
    let document = format!(r#"{{"\u0069\u0064": "{escaped}", "\u0131d": "é"}}"#);
    let mut stage = Stage::ready();
    stage.client(&[parse("s", "by json $1", &[]), sync()].concat());
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.sent();
    let value = Some(document.as_bytes());
    stage.client(&[bind("", "s", &[], &[value], &[]), sync()].concat());
    let sent = stage.sent()[0].clone();
    assert!(
        sent.contains(r#"{"\u0069\u0064": "7", "\u0131d": "#),
        "{sent}"
    );
}

#[test]
fn refuses_what_stands_in_the_place_of_an_id_and_is_none() {
    for (value, message) in [
        ("\"x\"", "invalid input syntax for type uuid: \"x\""),
        ("7", "invalid input syntax for type uuid: \"7\""),
        ("\"7\"", "invalid input syntax for type uuid: \"7\""),
        ("true", "invalid input syntax for type uuid: \"true\""),
        ("[7]", "invalid input syntax for type uuid: \"[7]\""),
        (
            "{\"a\":[7]}",
            "invalid input syntax for type uuid: \"{\"a\":[7]}\"",
        ),
        ("\"x", "invalid input syntax for type json"),
        ("\"\\u0000\"", "unsupported Unicode escape sequence"),
        ("\"\\ud800\"", "invalid input syntax for type json"),
    ] {
        for document in [
            format!(r#"{{"a": 1, "id": {value}}}"#),
            format!(r#"{{"list": [null, {value}]}}"#),
        ] {
            let mut stage = Stage::ready();
            stage.client(&query(&format!("by json literal '{document}'")));
            assert!(stage.sent()[0].contains("pgveil refuses"), "{document}");
            stage.server(&[poison_error(), ready('I')].concat());
            let shown = stage.shown()[0].clone();
            assert!(shown.contains(message), "{document} {shown}");
        }
    }
    let nested = format!("{{\"id\": {}{}}}", "[".repeat(7_000), "]".repeat(7_000));
    assert!(translated(&nested).contains("pgveil refuses"));
}

#[test]
fn translates_documents_in_each_form_of_a_parameter() {
    let document = format!(r#"{{"id": "{}"}}"#, id(7));
    let versioned = [b"\x01", document.as_bytes()].concat();
    for (text, format, value, expected) in [
        ("by json $1", 0, document.as_bytes(), r#"{"id": "7"}"#),
        ("by json $1", 1, document.as_bytes(), r#"{"id": "7"}"#),
        ("by jsonb $1", 0, document.as_bytes(), r#"{"id": "7"}"#),
        ("by jsonb $1", 1, &versioned[..], r#"<01>{"id": "7"}"#),
        ("by json text $1", 1, document.as_bytes(), r#"{"id": "7"}"#),
    ] {
        let mut stage = Stage::ready();
        stage.client(&[parse("s", text, &[]), sync()].concat());
        stage.server(&[frame(b'1', b""), ready('I')].concat());
        stage.sent();
        stage.client(&[bind("", "s", &[format], &[Some(value)], &[]), sync()].concat());
        let sent = stage.sent()[0].clone();
        assert!(sent.contains(expected) && !sent.contains(&id(7)), "{sent}");
    }
}

#[test]
fn a_document_that_is_none_is_refused_where_the_server_reads_it() {
    for (text, format, value, poison) in [
        ("by json $1", 0, &b"{\"id\": \"x\"}"[..], "\\pgveil"),
        ("by json $1", 1, b"{\"id\": \"x\"}", "\\pgveil"),
        ("by jsonb $1", 0, b"{\"id\": 7}", "\\pgveil"),
        ("by jsonb $1", 1, b"\x01{\"id\": 7}", "<01>\\pgveil"),
        ("by jsonb $1", 1, b"\x02{}", "<01>\\pgveil"),
        ("by jsonb $1", 1, b"", "<01>\\pgveil"),
        ("by jsonb $1", 1, b"\x01\xff", "<01>\\pgveil"),
    ] {
        let mut stage = Stage::ready();
        stage.client(&[parse("s", text, &[]), sync()].concat());
        stage.server(&[frame(b'1', b""), ready('I')].concat());
        stage.sent();
        stage.client(&[bind("", "s", &[format], &[Some(value)], &[]), sync()].concat());
        let sent = stage.sent()[0].clone();
        assert!(sent.contains(poison), "{sent}");
    }
}

#[test]
fn an_id_that_was_never_issued_matches_nothing_and_is_not_stored() {
    let unknown = "11111111-1111-4111-8111-111111111111";
    let minimum = i64::MIN;
    let document = format!(r#"{{"id": "{unknown}"}}"#);
    assert_eq!(translated(&document), format!(r#"{{"id": "{minimum}"}}"#));
    let mut stage = Stage::ready();
    stage.client(&[parse("s", "store json $1", &[]), sync()].concat());
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.sent();
    let value = Some(document.as_bytes());
    stage.client(&[bind("", "s", &[], &[value], &[]), execute(""), sync()].concat());
    let sent = stage.sent();
    assert!(!sent.concat().contains(&minimum.to_string()), "{sent:?}");
    assert!(
        sent[1].contains("pgveil refuses") || !sent[1].starts_with('E'),
        "{sent:?}"
    );
}

#[test]
fn execute_in_sql_takes_documents_in_literals_only() {
    let mut stage = Stage::ready();
    stage.client(&[parse("s", "by json $1", &[]), sync()].concat());
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.sent();
    stage.client(&[query("execute s(now())"), query("execute s('{}')")].concat());
    let sent = stage.sent();
    assert!(sent[0].contains("pgveil refuses"));
    assert_eq!(sent[1], "Q execute s('{\"id\": \"7\"}')|");
}

/// What the client sees of a document of a column.
fn shown(type_oid: u32, format: i16, document: &[u8]) -> Result<Vec<String>, ()> {
    let mut stage = Stage::ready();
    stage.client(&query("documents"));
    stage.server(&columns(&[("d", 0, 0, type_oid), ("n", 0, 0, 25)], format));
    stage.shown();
    let rows = [row(&[Some(document), Some(b"x")]), row(&[None, None])].concat();
    stage.try_server(&rows).map_err(|_| ())?;
    Ok(stage.shown())
}

#[test]
fn shows_the_ids_of_keys_in_documents_and_nothing_in_the_place_of_what_is_no_key() {
    let (seven, eight) = (id(7), id(8));
    for (document, expected) in [
        (
            r#"{"id": 7, "x": 7, "list": ["8", null, 7] , "n": 1.50}"#,
            format!(
                r#"{{"id": "{seven}", "x": 7, "list": ["{eight}", null, "{seven}"] , "n": 1.50}}"#
            ),
        ),
        (r#"{"\u0069d":"7"}"#, format!(r#"{{"\u0069d":"{seven}"}}"#)),
        (
            r#"{"id": 7, "id": 8}"#,
            format!(r#"{{"id": "{seven}", "id": "{eight}"}}"#),
        ),
        (r#"{"id": "7 "}"#, r#"{"id": null}"#.to_owned()),
        (
            r#"{"id": 7.0, "list": [7e0, "x", {"a": 7}, [7], true]}"#,
            r#"{"id": null, "list": [null, null, null, null, true]}"#.to_owned(),
        ),
        (
            r#"{"id": -9223372036854775808}"#,
            r#"{"id": null}"#.to_owned(),
        ),
        // Where ids are in an object nobody looks for them in an array, and the other way round.
        (r#"[{"id": 1}]"#, "null".to_owned()),
        ("[ ]", "[ ]".to_owned()),
        (
            r#"{"list": {"0": "8", "x": {}}, "n": [1]}"#,
            r#"{"list": null, "n": [1]}"#.to_owned(),
        ),
        // A scalar counts as the only element.
        (r#"{"list": "8"}"#, format!(r#"{{"list": "{eight}"}}"#)),
        (r#"{"list": 7}"#, format!(r#"{{"list": "{seven}"}}"#)),
        ("null", "null".to_owned()),
    ] {
        let expected = [text_row(&[&expected, "x"]), row(&[None, None])].concat();
        assert_eq!(
            shown(114, 0, document.as_bytes()).unwrap(),
            legible(&expected)
        );
    }
    let versioned = shown(3802, 1, b"\x01{\"id\": 7}").unwrap();
    assert!(
        versioned[0].contains(&format!("<01>{{\"id\": \"{seven}\"}}")),
        "{versioned:?}"
    );
}

#[test]
fn shows_nothing_of_a_text_that_is_no_document_and_could_hold_a_key() {
    for (document, expected) in [
        (&b"{\"id\": 7"[..], "null"),
        (b"{\"id\": 7} 8", "null"),
        (b"7 or 8", "null"),
        (b"seven", "seven"),
        (b"", ""),
    ] {
        for type_oid in [25, 1043, 114] {
            let shown = shown(type_oid, 0, document).unwrap();
            let expected = [text_row(&[expected, "x"]), row(&[None, None])].concat();
            assert_eq!(shown, legible(&expected), "{document:?}");
        }
    }
}

#[test]
fn a_document_that_can_not_be_read_fails_its_statement() {
    for (type_oid, format, document) in [
        (114, 0, &b"{\"a\": \"\xff\", \"id\": 7}"[..]),
        (3802, 1, b"\x02{\"id\": 7}"),
        (3802, 1, b""),
    ] {
        let mut stage = Stage::ready();
        stage.client(&query("documents"));
        stage.server(&columns(&[("d", 0, 0, type_oid), ("n", 0, 0, 25)], format));
        stage.shown();
        let told = stage.fault(&row(&[Some(document), Some(b"x")]));
        assert!(told.contains("|C58000|"), "{told}");
    }
    let mut stage = Stage::ready();
    stage.client(&query("documents"));
    let integers = columns(&[("d", 0, 0, 20), ("n", 0, 0, 25)], 0);
    assert!(
        stage.refusal_of(&integers).is_some(),
        "a column of integers is no document"
    );
}
