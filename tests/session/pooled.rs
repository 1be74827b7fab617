//! Behind a pooler that lends another of the server's sessions to each transaction.

use crate::stage::*;
use pgveil::session::Limits;

fn pooled() -> Stage {
    Stage::with(Limits {
        pooled: true,
        ..Default::default()
    })
}

/// What was sent, with a dot in the place of the session's own name.
fn sent(stage: &mut Stage) -> Vec<String> {
    let hide = |sent: String| match sent.find("pgveil_") {
        Some(_) => sent
            .split_inclusive('|')
            .map(|part| match part.find("pgveil_") {
                Some(at) => format!("{}.|", &part[..at]),
                None => part.to_owned(),
            })
            .collect(),
        None => sent,
    };
    stage.sent().into_iter().map(hide).collect()
}

fn answers(kinds: &str) -> Vec<u8> {
    let answer = |kind| match kind {
        'C' => tag("X"),
        'I' | 'T' | 'E' => ready(kind),
        'd' => columns(&[("id", USERS, 1, 20), ("email", USERS, 2, 25)], 0),
        kind => frame(u8::try_from(u32::from(kind)).unwrap(), b""),
    };
    kinds.chars().flat_map(answer).collect()
}

/// The path, outside of a block and inside of one.
const SET: [&str; 5] = [
    "C P.|",
    "C S.|",
    "P .|SELECT WHERE pg_catalog.set_config('search_path', '\"public\"', true) IS NULL|||",
    "B .|.||||||",
    "E .||||",
];
const SET_LOCAL: &str = "SET LOCAL search_path = 'public'";

#[test]
fn brings_along_what_statements_depend_on() {
    let mut stage = pooled();
    // A text sets the path before the first statement that could need it.
    for (text, expected) in [
        ("ids", format!("Q {SET_LOCAL}; ids|")),
        ("set x;ids", format!("Q set x;{SET_LOCAL}; ids|")),
        (
            "begin; ids; ids",
            format!("Q begin; {SET_LOCAL}; ids; ids|"),
        ),
        ("vacuum", "Q vacuum|".to_owned()),
        ("rollback", "Q rollback|".to_owned()),
    ] {
        stage.client(&query(text));
        assert_eq!(sent(&mut stage), [expected]);
        // The client sees no answer to that.
        let all = match text {
            "ids" => [tag("SET"), answers("dCI")].concat(),
            "vacuum" | "rollback" => [tag("X"), ready('I')].concat(),
            "set x;ids" => [tag("SET"), tag("SET"), answers("dCI")].concat(),
            _ => [tag("BEGIN"), tag("SET"), answers("dCdCI")].concat(),
        };
        let statements = text.split(';').count();
        stage.server(&all);
        let shown = stage.shown();
        let tags = shown.iter().filter(|shown| shown.starts_with('C'));
        assert_eq!(tags.count(), statements, "{shown:?}");
    }
    // A batch begins when the one before has been answered.
    stage.client(&[parse("s", "ids", &[]), sync(), bind("", "s", &[], &[], &[])].concat());
    stage.client(&[execute(""), sync()].concat());
    let own: Vec<String> = SET.iter().map(|sent| (*sent).to_owned()).collect();
    let parsed = ["C P.|", "C Ss|", "P s|ids|||"].map(str::to_owned);
    let expected = [&own[..], &parsed, &["S".to_owned()]].concat();
    assert_eq!(spaced(sent(&mut stage)), spaced(expected));
    stage.server(&answers("3312C331I"));
    assert_eq!(stage.shown(), ["1", "Z I"]);
    // The statement is prepared where it is used.
    let rest = ["B |s||||||", "E |||||", "S"].map(str::to_owned);
    let expected = [&own[..], &parsed, &rest].concat();
    assert_eq!(spaced(sent(&mut stage)), spaced(expected));
    stage.server(&answers("3312C3312CT"));
    assert_eq!(spaced(stage.shown()), ["2", "C X", "Z T"]);
    // In an open transaction all of it is there.
    stage.client(&[bind("", "s", &[], &[], &[]), execute(""), sync()].concat());
    assert!(sent(&mut stage)[0].starts_with("B |s|"));
}

/// Without what the test's way of writing frames leaves of blanks.
fn spaced(sent: Vec<String>) -> Vec<String> {
    let trim = |sent: String| sent.trim_end_matches('|').to_owned();
    sent.into_iter().map(trim).collect()
}

/// PgBouncer answers what it knows itself, also behind an error.
#[test]
fn takes_answers_that_come_behind_an_error() {
    let mut stage = pooled();
    stage.client(&[parse("s", "ids", &[]), parse("t", "ids", &[]), sync()].concat());
    sent(&mut stage);
    stage.server(&answers("3312C33"));
    stage.server(&error("42P01", "nothing"));
    stage.server(&answers("31I"));
    let shown = stage.shown();
    assert!(shown.len() == 2 && shown[1] == "Z I", "{shown:?}");
    // Neither is there.
    for name in ["s", "t"] {
        stage.client(&[describe('S', name), sync()].concat());
        assert!(sent(&mut stage).concat().contains("pgveil refuses"));
        stage.server(&answers("33"));
        stage.server(&poison_error());
        stage.server(&answers("I"));
        let shown = stage.shown_bytes();
        let shown = String::from_utf8_lossy(&shown);
        assert!(
            shown.contains("C26000") && shown.contains("RFetchPreparedStatement"),
            "{shown}"
        );
    }
    // In a session of one's own that breaks the protocol.
    let mut stage = Stage::ready();
    stage.client(&[parse("s", "ids", &[]), sync()].concat());
    stage.server(&error("42P01", "nothing"));
    assert!(stage.try_server(&answers("3")).is_err());
}
