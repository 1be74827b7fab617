//! The session's own questions to the server, between two messages of the client.

use crate::stage::*;

const PATH: &str = "Q SELECT pg_catalog.array_to_string";

fn asks_for_the_catalog(sent: &[String]) -> bool {
    sent.len() == 1 && sent[0].starts_with("Q SELECT 'relation'")
}

fn path(schemas: &str, status: char) -> Vec<u8> {
    [
        columns(&[("path", 0, 0, 25)], 0),
        text_row(&[schemas]),
        tag("SELECT 1"),
        ready(status),
    ]
    .concat()
}

#[test]
fn loads_the_catalog_anew_for_an_unknown_name() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    assert!(asks_for_the_catalog(&stage.sent()));
    assert!(!stage.session.accepts_client_input() && !stage.session.is_idle());
    stage.server(&catalog());
    assert_eq!(stage.sent(), ["Q unknown|"]);
    assert!(stage.catalog().is_some());
    assert!(stage.shown().is_empty());
    stage.server(&[tag("SET"), ready('I')].concat());
    // Once is enough.
    stage.client(&query("unknown"));
    assert_eq!(stage.sent(), ["Q unknown|"]);
}

#[test]
fn judges_an_unknown_name_in_a_pipeline_by_what_is_known() {
    let mut stage = Stage::ready();
    stage.client(&[query("nothing"), query("unknown")].concat());
    let sent = stage.sent();
    assert!(sent[1].contains("pgveil refuses"));
}

#[test]
fn loads_the_catalog_after_ddl_before_the_client_goes_on() {
    let mut stage = Stage::ready();
    stage.client(&query("ddl"));
    assert_eq!(stage.sent(), ["Q ddl|"]);
    stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
    assert_eq!(stage.shown(), ["C CREATE TABLE|"]);
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog());
    assert_eq!(stage.shown(), ["Z I"]);
    assert!(stage.catalog().is_some());
}

#[test]
fn keeps_a_picture_of_an_open_transaction_to_itself() {
    let mut stage = Stage::ready();
    stage.client(&query("ddl"));
    stage.sent();
    stage.server(&[tag("CREATE TABLE"), ready('T')].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog_in('T'));
    assert_eq!(stage.shown()[1], "Z T");
    assert!(stage.catalog().is_none());
    stage.client(&query("commit"));
    stage.sent();
    stage.server(&[tag("COMMIT"), ready('I')].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog());
    assert!(stage.catalog().is_some());
}

#[test]
fn asks_for_the_search_path_after_a_change_and_at_the_end_of_its_transaction() {
    let mut stage = Stage::ready();
    stage.client(&query("set path"));
    stage.sent();
    stage.server(&[tag("SET"), ready('T')].concat());
    assert!(stage.sent()[0].starts_with(PATH));
    stage.server(&path("other", 'T'));
    assert_eq!(stage.shown(), ["C SET|", "Z T"]);
    stage.client(&query("commit"));
    stage.sent();
    stage.server(&[tag("COMMIT"), ready('I')].concat());
    assert!(stage.sent()[0].starts_with(PATH));
    stage.server(&path("public", 'I'));
    assert_eq!(stage.shown(), ["C COMMIT|", "Z I"]);
}

#[test]
fn knows_no_search_path_while_only_the_server_does() {
    let mut stage = Stage::ready();
    stage.client(&[query("set any path"), query("path?")].concat());
    assert!(stage.sent()[1].contains("pgveil refuses"));
    let mut stage = Stage::ready();
    stage.client(&[query("set path"), query("path?")].concat());
    assert_eq!(stage.sent()[1], "Q path?|");
}

#[test]
fn waits_with_its_question_until_a_failed_transaction_has_ended() {
    let mut stage = Stage::ready();
    stage.client(&query("set path"));
    stage.sent();
    stage.server(&[error("22023", "no"), ready('E')].concat());
    assert!(stage.sent().is_empty());
    stage.client(&query("rollback"));
    assert_eq!(stage.sent(), ["Q rollback|"]);
    stage.server(&[tag("ROLLBACK"), ready('I')].concat());
    assert!(stage.sent()[0].starts_with(PATH));
}

#[test]
fn loads_the_catalog_if_a_result_comes_from_a_table_that_it_does_not_know() {
    let mut stage = Stage::ready();
    stage.client(&query("clean"));
    stage.sent();
    stage.server(&columns(&[("n", 99_999, 1, 20)], 0));
    stage.server(&[tag("SELECT 0"), ready('I')].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
}

#[test]
fn ends_a_session_whose_server_does_not_answer_the_question() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    stage.server(&error("42501", "permission denied"));
    let fatal = stage.try_server(&ready('I')).unwrap_err();
    assert_eq!(fatal.sqlstate(), "58000");
}

#[test]
fn lets_asynchronous_messages_through_while_it_asks() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    let notification = frame(b'A', b"\0\0\0\x01c\0p\0");
    stage.server(&notification);
    assert_eq!(stage.shown_bytes(), notification);
}
