//! Startup and the simple protocol.

use crate::stage::*;
use pgveil::session::{Earlier, Mode};

#[test]
fn holds_the_first_ready_for_query_until_the_catalog_is_there() {
    let shared = shared();
    let mut stage = Stage::new(&shared, Mode::Enforce);
    let settings = [
        frame(b'S', b"client_encoding\0UTF8\0"),
        frame(b'K', b"\0\0\0\x01\0\0\0\x02"),
        ready('I'),
    ];
    stage.server(&settings.concat());
    assert_eq!(
        stage.shown(),
        ["S client_encoding|UTF8|", "K |||<01>|||<02>"]
    );
    assert!(stage.session.needs_catalog());
    stage.client(&query("ids"));
    assert!(stage.sent().is_empty() && stage.waiting() > 0);
    stage.session.load_catalog(Earlier::Unknown);
    assert!(!stage.session.needs_catalog());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog());
    assert_eq!(stage.shown(), ["Z I"]);
    // What the client had sent too early goes on now.
    assert_eq!(stage.sent(), ["Q ids|"]);

    let catalog = stage.catalog().unwrap();
    assert!(stage.catalog().is_none());
    let mut second = Stage::new(&shared, Mode::Enforce);
    second.server(&ready('I'));
    second.session.use_catalog(catalog);
    assert!(asks_for_the_path(&second.sent()));
    second.server(
        &[
            text_row(&["search path", "public"]),
            tag("SELECT 1"),
            ready('I'),
        ]
        .concat(),
    );
    assert_eq!(second.shown(), ["Z I"]);
    assert!(second.session.is_idle() && second.catalog().is_none());
}

#[test]
fn forwards_a_clean_query_byte_for_byte_and_its_answer_too() {
    let mut stage = Stage::ready();
    let text = query("select 'no id', /* here */ 1");
    stage.client(&text);
    assert_eq!(stage.sent_bytes(), text);
    let answer = [
        columns(&[("?column?", 0, 0, 23)], 0),
        text_row(&["1"]),
        text_row(&["2"]),
        tag("SELECT 2"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    assert_eq!(stage.shown_bytes(), answer.concat());
    assert!(stage.session.is_idle());
}

#[test]
fn shows_keys_as_ids_and_nothing_else_changes() {
    let mut stage = Stage::ready();
    stage.client(&query("ids"));
    let null = row(&[None, Some(b"b")]);
    let answer = [
        columns(&[("id", USERS, 1, 20), ("email", USERS, 2, 25)], 0),
        text_row(&[&KEY.to_string(), "a@x"]),
        null.clone(),
        tag("SELECT 2"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    let shown = stage.shown_bytes();
    let mut description = columns(&[("id", USERS, 1, 2950), ("email", USERS, 2, 25)], 0);
    // The size of the first column: `id\0`, table and attribute number and type come before.
    description[20..22].copy_from_slice(&16_u16.to_be_bytes());
    let expected = [
        description,
        text_row(&[&id(KEY), "a@x"]),
        null,
        tag("SELECT 2"),
        ready('I'),
    ];
    assert_eq!(legible(&shown), legible(&expected.concat()));
}

#[test]
fn decodes_ids_in_literals_and_maps_positions_back() {
    let mut stage = Stage::ready();
    stage.client(&query(&format!("by literal '{}' oops", id(KEY))));
    assert_eq!(stage.sent(), [format!("Q by literal '{KEY}' oops|")]);
    let place = "by literal '8613972450000001' ".len() + 1;
    stage.server(&report(
        b'E',
        &[
            ('S', "ERROR"),
            ('V', "ERROR"),
            ('C', "42601"),
            ('M', "syntax"),
            ('P', &place.to_string()),
        ],
    ));
    let place = format!("by literal '{}' ", id(KEY)).len() + 1;
    assert_eq!(
        stage.shown(),
        [format!("E SERROR|VERROR|C42601|Msyntax|P{place}||")]
    );
}

#[test]
fn a_query_with_parameters_is_left_to_the_server() {
    let mut stage = Stage::ready();
    stage.client(&query("twice $1 $1"));
    assert_eq!(stage.sent(), ["Q twice $1 $1|"]);
    let none = error("42P02", "there is no parameter $1");
    stage.server(&[none, ready('I')].concat());
    let shown = stage.shown();
    assert!(shown[0].contains("there is no parameter $1"), "{shown:?}");
    // What is prepared is edited.
    stage.client(&[parse("", "twice $1 $1", &[]), sync()].concat());
    assert!(stage.sent()[0].contains("twice $1 $2"));
}

#[test]
fn matches_results_to_statements_by_counting_answers() {
    let mut stage = Stage::ready();
    stage.client(&query("nothing; ids; nothing"));
    let number = text_row(&["7"]);
    let answer = [
        columns(&[("n", 0, 0, 20)], 0),
        number.clone(),
        tag("SELECT 1"),
        columns(&[("id", 0, 0, 20), ("email", 0, 0, 25)], 0),
        text_row(&["7", "a"]),
        tag("SELECT 1"),
        columns(&[("n", 0, 0, 20)], 0),
        number.clone(),
        tag("SELECT 1"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    let shown = stage.shown();
    assert_eq!([&shown[1], &shown[7]], [&legible(&number)[0]; 2]);
    assert_eq!(shown[4], legible(&text_row(&[&id(7), "a"]))[0]);
}

#[test]
fn ends_a_session_whose_server_answers_more_statements_than_were_analysed() {
    let mut stage = Stage::ready();
    stage.client(&query("nothing"));
    stage.server(&tag("SET"));
    let fatal = stage
        .try_server(&columns(&[("n", 0, 0, 20)], 0))
        .unwrap_err();
    assert_eq!(fatal.sqlstate(), "58000");
    stage.session.end(&fatal);
    assert!(stage.shown()[1].starts_with("E SFATAL|VFATAL|C58000|"));
    assert!(stage.session.is_idle() && !stage.session.accepts_client_input());
}

#[test]
fn takes_an_empty_query_and_several_queries_at_once() {
    let mut stage = Stage::ready();
    stage.client(&[query(""), query("ids")].concat());
    assert_eq!(stage.sent(), ["Q |", "Q ids|"]);
    stage.server(&[frame(b'I', b""), ready('I')].concat());
    assert!(!stage.session.is_idle());
    stage.server(
        &[
            columns(&[("id", 0, 0, 20), ("e", 0, 0, 25)], 0),
            tag("SELECT 0"),
        ]
        .concat(),
    );
    stage.server(&ready('T'));
    assert!(!stage.session.is_idle());
    assert_eq!(stage.shown().last().unwrap(), "Z T");
}

#[test]
fn passes_everything_of_a_role_inside_the_trust_boundary() {
    let mut stage = Stage::new(&shared(), Mode::Bypass);
    let start = [frame(b'S', b"a\0b\0"), ready('I')].concat();
    stage.server(&start);
    assert_eq!(stage.shown_bytes(), start);
    assert!(stage.session.is_idle() && !stage.session.needs_catalog());
    stage.client(&query("refuse"));
    assert_eq!(stage.sent(), ["Q refuse|"]);
    assert!(!stage.session.is_idle());
    let answer = [
        columns(&[("id", USERS, 1, 20)], 0),
        text_row(&["5"]),
        ready('I'),
    ]
    .concat();
    for byte in answer.chunks(1) {
        stage.server(byte);
    }
    assert_eq!(stage.shown_bytes(), answer);
    assert!(stage.session.is_idle());
}
