//! Ids inside text and JSON, and ids that are shown as text.

use crate::stage::*;

/// The key in a tag: 20 digits, whatever the key is.
const TAGGED: i128 = 20_000_000_000_000_000_000 + KEY as i128;

/// The text that stands in front of a key of `user` in a tag, as the server has just got it.
fn head(stage: &mut Stage) -> String {
    let sent = stage.sent().concat();
    let from = sent.find("('~").unwrap() + 2;
    let to = from + sent[from..].find('\'').unwrap();
    sent[from..to].to_owned()
}

/// A session that has sent a statement with a tag in it, and the beginning of its tags.
fn tagging(text: &str) -> (Stage, String) {
    let mut stage = Stage::ready();
    stage.client(&query(text));
    let head = head(&mut stage);
    (stage, head)
}

fn described(type_oid: u32) -> Vec<u8> {
    columns(&[("t", 0, 0, type_oid), ("n", 0, 0, 25)], 0)
}

#[test]
fn wraps_an_expression_and_shows_the_ids_of_its_tags() {
    let mut stage = Stage::ready();
    stage.client(&query("tag id"));
    let sent = stage.sent().concat();
    let head = sent.split('\'').nth(1).unwrap().to_owned();
    assert!(head.starts_with("~pv") && head.ends_with(":0:8:"), "{head}");
    assert_eq!(
        sent,
        format!(
            "Q tag ('{head}' OPERATOR(pg_catalog.||) (20000000000000000000 OPERATOR(pg_catalog.+) \
             (id))::pg_catalog.text OPERATOR(pg_catalog.||) '~')|"
        )
    );
    let shown = format!("{{\"a\": \"{}\", \"b\": [\"x{}y\"]}}", id(KEY), id(KEY + 1));
    let answer = |head: &str| {
        let next = TAGGED + 1;
        let built = format!("{{\"a\": \"{head}{TAGGED}~\", \"b\": [\"x{head}{next}~y\"]}}");
        let rows = [
            text_row(&[&built, "plain"]),
            row(&[None, None]),
            text_row(&["no tag", "~"]),
        ];
        [described(114), rows.concat(), tag("SELECT 3"), ready('I')].concat()
    };
    for at in (0..answer(&head).len()).step_by(7) {
        let (mut stage, head) = tagging("tag id");
        let answer = answer(&head);
        stage.server(&answer[..at]);
        stage.server(&answer[at..]);
        let expected = [
            text_row(&[&shown, "plain"]),
            row(&[None, None]),
            text_row(&["no tag", "~"]),
        ];
        assert_eq!(stage.shown()[1..4], legible(&expected.concat()));
    }
}

#[test]
fn shows_the_ids_in_arrays_of_text() {
    let (mut stage, head) = tagging("tag_array id");
    let array = format!("{{{head}{TAGGED}~,NULL,u-{head}{TAGGED}~}}");
    stage.server(&[described(1009), text_row(&[&array, "n"])].concat());
    let shown = format!("{{{0},NULL,u-{0}}}", id(KEY));
    assert_eq!(stage.shown()[1..], legible(&text_row(&[&shown, "n"])));
}

const REAL: &str = "7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4";

#[test]
fn shows_ids_of_several_kinds_and_real_uuids_as_uuids() {
    let (mut stage, head) = tagging("mixed id");
    let rows = [
        text_row(&[&format!("{head}{TAGGED}~"), "n"]),
        text_row(&[REAL, "n"]),
        row(&[None, Some(b"n")]),
    ];
    stage.server(&[described(25), rows.concat()].concat());
    let expected = [
        text_row(&[&id(KEY), "n"]),
        text_row(&[REAL, "n"]),
        row(&[None, Some(b"n")]),
    ];
    let description = columns(&[("t", 0, 0, 2950), ("n", 0, 0, 25)], 0);
    let shown = stage.shown();
    assert_eq!(shown[1..], legible(&expected.concat()));
    // A uuid has 16 bytes; the server's columns have 8 here.
    assert_eq!(shown[0].replace("<10>", "<08>"), legible(&description)[0]);
}

#[test]
fn shows_arrays_of_ids_of_several_kinds_as_arrays_of_uuids() {
    let (mut stage, head) = tagging("mixed_array id");
    let array = format!("[0:2]={{{head}{TAGGED}~,NULL,{REAL}}}");
    stage.server(&[described(1009), text_row(&[&array, "n"])].concat());
    let shown = format!("[0:2]={{{},NULL,{REAL}}}", id(KEY));
    assert_eq!(stage.shown()[1..], legible(&text_row(&[&shown, "n"])));
}

/// The answer to a statement with one mixed column in binary, as the client gets it.
fn in_binary(word: &str, type_oid: u32, value: impl Fn(&str) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut stage = Stage::ready();
    let batch = [
        parse("", &format!("{word} id"), &[]),
        bind("", "", &[], &[], &[1]),
        describe('P', ""),
        execute(""),
        sync(),
    ];
    stage.client(&batch.concat());
    let head = head(&mut stage);
    let answer = [
        frame(b'1', b""),
        frame(b'2', b""),
        columns(&[("t", 0, 0, type_oid), ("n", 0, 0, 25)], 1),
        row(&[Some(&value(&head)), None]),
        tag("SELECT 1"),
        ready('I'),
    ];
    let answered = stage.try_server(&answer.concat());
    answered.is_ok().then(|| stage.shown_bytes())
}

fn bytes_of(uuid: &str) -> Vec<u8> {
    let digits: String = uuid.chars().filter(|c| *c != '-').collect();
    u128::from_str_radix(&digits, 16)
        .unwrap()
        .to_be_bytes()
        .to_vec()
}

#[test]
fn turns_the_text_of_mixed_ids_into_the_binary_form_of_uuids() {
    type Value = fn(&str) -> Vec<u8>;
    let cases: [(Value, String); 2] = [
        (|head| format!("{head}{TAGGED}~").into_bytes(), id(KEY)),
        (|_| REAL.as_bytes().to_vec(), REAL.to_owned()),
    ];
    for (value, uuid) in cases {
        let shown = in_binary("mixed", 25, value).unwrap();
        let expected = row(&[Some(&bytes_of(&uuid)), None]);
        assert!(shown.windows(expected.len()).any(|part| part == expected));
    }
}

/// A one-dimensional array in binary.
fn array_of(oid: u32, elements: &[Option<&[u8]>]) -> Vec<u8> {
    let count = u32::try_from(elements.len()).unwrap();
    let mut array = [1_u32, 1, oid, count, 1].map(u32::to_be_bytes).concat();
    for element in elements {
        let length = element.map_or(-1, |bytes| i32::try_from(bytes.len()).unwrap());
        array.extend_from_slice(&length.to_be_bytes());
        array.extend_from_slice(element.unwrap_or_default());
    }
    array
}

#[test]
fn turns_binary_arrays_of_mixed_ids_into_arrays_of_uuids() {
    let shown = in_binary("mixed_array", 1009, |head| {
        let key = format!("{head}{TAGGED}~");
        array_of(25, &[Some(key.as_bytes()), None, Some(REAL.as_bytes())])
    });
    let ids = [Some(bytes_of(&id(KEY))), None, Some(bytes_of(REAL))];
    let ids: Vec<Option<&[u8]>> = ids.iter().map(|id| id.as_deref()).collect();
    let expected = row(&[Some(&array_of(2950, &ids)), None]);
    let shown = shown.unwrap();
    assert!(shown.windows(expected.len()).any(|part| part == expected));
}

#[test]
fn ends_a_session_whose_mixed_column_holds_anything_but_uuids() {
    let values: [fn(&str) -> String; 7] = [
        |_| KEY.to_string(),
        |_| String::new(),
        |head| format!("{head}{TAGGED}~x"),
        |head| format!("x{head}{TAGGED}~"),
        |head| format!("{head}{TAGGED}~{head}{TAGGED}~"),
        |head| format!("{head}{TAGGED}"),
        |_| REAL.replace('7', "g"),
    ];
    for value in values {
        for (word, type_oid) in [("mixed id", 25), ("mixed_array id", 1009)] {
            let (mut stage, head) = tagging(word);
            stage.server(&described(type_oid));
            stage.shown();
            let mut value = value(&head);
            if type_oid == 1009 {
                value = format!("{{\"{value}\"}}");
            }
            assert!(
                stage.try_server(&text_row(&[&value, ""])).is_err(),
                "{value}"
            );
            assert!(stage.shown().is_empty(), "nothing of the row is shown");
        }
        let answer = in_binary("mixed", 25, |head| value(head).into_bytes());
        assert_eq!(answer, None);
    }
}

#[test]
fn ends_a_session_whose_mixed_column_is_not_what_the_edits_make_of_it() {
    for type_oid in [20, 1043, 114, 2950, 1009] {
        let (mut stage, _) = tagging("mixed id");
        assert!(stage.refusal_of(&described(type_oid)).is_some());
    }
}

#[test]
fn ends_a_session_at_what_begins_like_a_tag_and_is_none() {
    let values: [fn(&str) -> String; 14] = [
        |head| format!("{head}{KEY}~"),
        |head| format!("{head}+{}~", TAGGED / 10),
        |head| format!("{head}0{TAGGED}~"),
        |head| {
            format!(
                "{head}{}~",
                i128::from(i64::MAX) + 20_000_000_000_000_000_001
            )
        },
        |head| format!("{head}{}~", 10_776_627_963_145_224_191_i128),
        |head| format!("{head}{TAGGED}"),
        |head| format!("{}{TAGGED}~", head.strip_prefix('~').unwrap()),
        |head| format!("{head}~"),
        |head| format!("{head}x~"),
        |head| format!("{head}{TAGGED} ~"),
        |head| format!("{}{TAGGED}~", head.replace(":0:8:", ":9:8:")),
        |head| format!("{}{TAGGED}~", head.replace(":8:", ":z:")),
        |head| head.replace(":0:8:", ""),
        |head| {
            format!(
                "{head}{}~",
                20_000_000_000_000_000_000 + i128::from(i64::MIN)
            )
        },
    ];
    for value in values {
        let (mut stage, head) = tagging("tag id");
        stage.server(&described(25));
        stage.shown();
        let told = stage.fault(&text_row(&[&value(&head), ""]));
        assert!(
            told.contains("|CXX000|") || told.contains("|C58000|"),
            "{told}"
        );
    }
}

#[test]
fn ends_a_session_with_a_tag_where_none_is_expected() {
    let (mut stage, head) = tagging("tag id");
    stage.server(&described(25));
    stage.shown();
    let misplaced = text_row(&["", &format!("{head}{TAGGED}~")]);
    assert!(stage.try_server(&misplaced).is_err());
    assert!(stage.shown().is_empty());
}

#[test]
fn ends_a_session_whose_tagged_column_is_no_text() {
    for type_oid in [20, 17, 16, 1009] {
        let (mut stage, _) = tagging("tag id");
        assert!(stage.refusal_of(&described(type_oid)).is_some());
    }
}

#[test]
fn refuses_a_statement_in_which_the_client_writes_a_tag() {
    let mut stage = Stage::ready();
    stage.client(&query("tag id"));
    let head = head(&mut stage);
    stage.server(&[described(25), tag("SELECT 0"), ready('I')].concat());
    stage.shown();
    stage.client(&query(&format!("tag '{head}1~'")));
    assert!(
        stage
            .sent()
            .concat()
            .contains("pgveil refuses this statement")
    );
}

#[test]
fn keeps_tags_out_of_messages() {
    let (mut stage, head) = tagging("tag id");
    let value = format!("{head}{TAGGED}~");
    let error = report(
        b'E',
        &[
            ('S', "ERROR"),
            ('V', "ERROR"),
            ('C', "22P02"),
            ('M', &format!("invalid input syntax for type json: {value}")),
            ('D', &format!("Token \"{value}\" is invalid.")),
        ],
    );
    stage.server(&[error, ready('I')].concat());
    let shown = stage.shown().concat();
    assert!(
        !shown.contains(&head) && !shown.contains(&KEY.to_string()),
        "{shown}"
    );
}

#[test]
fn shows_an_id_that_is_cast_to_text_as_text_in_both_formats() {
    for format in [0_u16, 1] {
        let mut stage = Stage::ready();
        let batch = [
            parse("", "text ids", &[]),
            bind("", "", &[], &[], &[format]),
            describe('P', ""),
            execute(""),
            sync(),
        ];
        stage.client(&batch.concat());
        let binary = KEY.to_be_bytes();
        let text = KEY.to_string();
        let value = if format == 0 {
            text.as_bytes()
        } else {
            &binary
        };
        let answer = [
            frame(b'1', b""),
            frame(b'2', b""),
            columns(&[("id", USERS, 1, 20)], i16::try_from(format).unwrap()),
            row(&[Some(value)]),
            tag("SELECT 1"),
            ready('I'),
        ];
        stage.server(&answer.concat());
        let shown = stage.shown_bytes();
        let expected = text_row(&[&id(KEY)]);
        assert!(shown.windows(expected.len()).any(|part| part == expected));
        let described = frame(
            b'T',
            &[
                &b"\0\x01id\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0"[..],
                &[u8::try_from(format).unwrap()],
            ]
            .concat(),
        );
        assert!(shown.windows(described.len()).any(|part| part == described));
    }
}

#[test]
fn takes_only_the_canonical_text_for_an_id_that_is_compared_as_text() {
    let sent = |text: &str| {
        let mut stage = Stage::ready();
        let batch = [
            parse("", "by text id $1", &[25]),
            bind("", "", &[], &[Some(text.as_bytes())], &[]),
            sync(),
        ];
        stage.client(&batch.concat());
        stage.sent().concat()
    };
    let canonical = id(KEY);
    assert!(sent(&canonical).contains(&KEY.to_string()));
    let others = [
        canonical.to_uppercase(),
        canonical.replace('-', ""),
        format!("{{{canonical}}}"),
        format!("{canonical} "),
        String::new(),
        KEY.to_string(),
    ];
    for other in others {
        let sent = sent(&other);
        assert!(sent.contains(&i64::MIN.to_string()), "{other}: {sent}");
    }
}

#[test]
fn a_tag_of_another_session_is_text_like_any_other() {
    let (_, stored) = tagging("tag id");
    let (mut stage, head) = tagging("tag id");
    assert_ne!(stored, head, "each session has tags of its own");
    let [stored, own] = [stored, head].map(|head| format!("{head}{TAGGED}~"));
    stage.server(
        &[
            described(25),
            text_row(&[&format!("{stored} {own}"), &stored]),
        ]
        .concat(),
    );
    let shown = text_row(&[&format!("{stored} {}", id(KEY)), &stored]);
    assert_eq!(stage.shown()[1..], legible(&shown));
}
