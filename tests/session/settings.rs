//! Texts behind a change of the settings by which the server reads them.

use crate::stage::*;

/// Texts that are others if backslashes are escapes, or in other encodings.
const AMBIGUOUS: [&str; 3] = [r"'\', ids --'", r"E'Ã\', ids --'", "ids 'Ã'"];

fn told(name: &str, value: &str) -> Vec<u8> {
    let body = [name.as_bytes(), b"\0", value.as_bytes(), b"\0"].concat();
    frame(b'S', &body)
}

fn run(text: &str) -> Vec<u8> {
    [
        parse("", text, &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
    ]
    .concat()
}

#[test]
fn a_text_waits_until_the_settings_that_it_is_read_by_are_known() {
    for text in AMBIGUOUS {
        for change in ["set settings", "set any path"] {
            let mut stage = Stage::ready();
            stage.client(&[query(change), query(text)].concat());
            assert_eq!(stage.sent(), [format!("Q {change}|")]);
        }
        let mut stage = Stage::ready();
        stage.client(&[query("set settings"), query(text)].concat());
        stage.sent();
        stage.server(&[tag("SET"), told("client_encoding", "LATIN1"), ready('I')].concat());
        assert_eq!(stage.sent().len(), 1);
    }
}

#[test]
fn a_text_in_the_batch_that_changes_settings_is_refused_if_it_could_be_another() {
    for text in AMBIGUOUS {
        let mut stage = Stage::ready();
        stage.client(&[run("set settings"), run(text), sync()].concat());
        assert!(stage.sent()[3].contains("pgveil refuses"), "{text}");
        let mut stage = Stage::ready();
        stage.client(&[run("set settings"), query(text)].concat());
        assert!(stage.sent()[3].contains("pgveil refuses"), "{text}");
    }
    let mut stage = Stage::ready();
    stage.client(&[run("set settings"), run("ids"), sync()].concat());
    assert!(!stage.sent()[3].contains("pgveil refuses"));
}

#[test]
fn a_text_waits_where_a_transaction_may_change_settings_back() {
    for has_changed in [true, false] {
        let mut stage = Stage::ready();
        stage.client(&query("set settings"));
        let mut answer = tag("SET");
        if has_changed {
            answer.extend(told("standard_conforming_strings", "off"));
        }
        stage.server(&[answer, ready('T')].concat());
        stage.sent();
        stage.client(&[query("anything"), query(AMBIGUOUS[0])].concat());
        assert_eq!(stage.sent().len(), if has_changed { 1 } else { 2 });
    }
}

#[test]
fn a_text_of_the_next_transaction_does_not_wait() {
    let mut stage = Stage::ready();
    stage.client(&query("set settings"));
    stage.server(&[tag("SET"), told("client_encoding", "LATIN1"), ready('I')].concat());
    stage.sent();
    stage.client(&[query("anything"), query(AMBIGUOUS[0])].concat());
    assert_eq!(stage.sent().len(), 2);
}
