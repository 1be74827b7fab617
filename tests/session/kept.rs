//! What SQL leaves under a name: `PREPARE` and `DECLARE`.

use crate::stage::*;

fn described() -> Vec<u8> {
    columns(&[("max", 0, 0, 20), ("email", 0, 0, 25)], 0)
}

#[test]
fn explains_a_cursor_by_its_query_from_its_declaration_on() {
    let mut stage = Stage::ready();
    stage.client(&query("declare p as ids; fetch p"));
    let answer = [
        tag("DECLARE CURSOR"),
        described(),
        text_row(&["7", "a"]),
        tag("FETCH 1"),
        ready('T'),
    ];
    stage.server(&answer.concat());
    assert!(stage.shown()[2].contains(&id(7)));
    stage.client(&query("fetch p"));
    stage.server(
        &[
            described(),
            text_row(&["8", "a"]),
            tag("FETCH 1"),
            ready('T'),
        ]
        .concat(),
    );
    assert!(stage.shown()[1].contains(&id(8)));
}

#[test]
fn waits_with_a_fetch_until_the_cursor_is_there() {
    let mut stage = Stage::ready();
    stage.client(&[query("declare p as ids"), query("fetch p")].concat());
    assert_eq!(stage.sent(), ["Q declare p as ids|"]);
    stage.server(&[tag("DECLARE CURSOR"), ready('T')].concat());
    assert_eq!(stage.sent(), ["Q fetch p|"]);
}

#[test]
fn forgets_a_cursor_whose_declaration_fails_and_knows_the_earlier_one_again() {
    let mut stage = Stage::ready();
    stage.client(
        &[
            parse("s", "nothing", &[]),
            bind("p", "s", &[], &[], &[]),
            sync(),
        ]
        .concat(),
    );
    stage.server(&[frame(b'1', b""), frame(b'2', b""), ready('T')].concat());
    stage.client(&query("declare p as ids"));
    stage.server(&[error("42P03", "cursor \"p\" already exists"), ready('T')].concat());
    stage.shown();
    stage.client(&query("fetch p"));
    stage.server(
        &[
            columns(&[("n", 0, 0, 20)], 0),
            text_row(&["7"]),
            tag("FETCH 1"),
            ready('T'),
        ]
        .concat(),
    );
    assert!(
        !stage.shown()[1].contains(&id(7)),
        "it is the portal that the client has bound"
    );
}

#[test]
fn a_statement_prepared_in_sql_can_be_bound() {
    let mut stage = Stage::ready();
    stage.client(&query("prepare s as by id $1"));
    stage.server(&[tag("PREPARE"), ready('I')].concat());
    stage.sent();
    let sent = id(7);
    stage.client(&bind("", "s", &[], &[Some(sent.as_bytes())], &[]));
    assert!(stage.sent()[0].contains('7'));
    assert!(!stage.sent().concat().contains(&sent));
}

#[test]
fn a_statement_whose_preparation_fails_is_not_known() {
    let mut stage = Stage::ready();
    stage.client(&query("prepare s as by id $1"));
    stage.server(
        &[
            error("42P05", "prepared statement \"s\" already exists"),
            ready('I'),
        ]
        .concat(),
    );
    stage.sent();
    stage.client(&query("execute s('id')"));
    assert_eq!(stage.sent(), ["Q execute s('id')|"]);
}

#[test]
fn a_name_means_nothing_after_close() {
    let mut stage = Stage::ready();
    stage.client(&query("declare p as ids"));
    stage.server(&[tag("DECLARE CURSOR"), ready('T')].concat());
    stage.client(&query("close p"));
    stage.server(&[tag("CLOSE CURSOR"), ready('T')].concat());
    stage.sent();
    // Nobody knows what the server has under this name now: code of the user may have opened it.
    // Only what can't be a key is shown.
    let answer = |type_oid: u32| {
        let described = columns(&[("n", 0, 0, type_oid)], 0);
        [described, text_row(&["7"]), tag("FETCH 1"), ready('T')].concat()
    };
    stage.client(&query("fetch p"));
    stage.server(&answer(1082));
    assert!(stage.shown().concat().contains("7"));
    stage.client(&query("fetch p"));
    stage.server(&answer(25));
    let shown = stage.shown();
    assert!(shown[0].starts_with("E ") && !shown.iter().any(|frame| frame.starts_with("D ")));
}

/// The server skips a Query behind an error like any other message, up to the next Sync. What it
/// would have left under a name is not there, and nothing waits for it.
#[test]
fn what_a_skipped_query_would_have_left_is_waited_for_by_nobody() {
    let names = [
        ("prepare s as by id $1", parse("s", "nothing", &[]), "P s"),
        ("declare p as ids", bind("p", "", &[], &[], &[]), "B p"),
    ];
    for (keeping, next, sent) in names {
        for sync_is_there in [true, false] {
            let mut stage = Stage::ready();
            stage.client(&[parse("bad", "nothing", &[]), query(keeping)].concat());
            if sync_is_there {
                stage.client(&sync());
            }
            stage.server(&error("42601", "syntax error"));
            if !sync_is_there {
                stage.client(&sync());
            }
            stage.server(&ready('I'));
            stage.sent();
            stage.client(&[parse("", "nothing", &[]), next.clone(), sync()].concat());
            let went = stage.sent();
            assert!(
                went.iter().any(|message| message.starts_with(sent)),
                "{keeping}: {went:?}"
            );
            assert_eq!(stage.waiting(), 0);
        }
    }
}

#[test]
fn a_skipped_query_leaves_what_was_there_before() {
    let mut stage = Stage::ready();
    let bound = [
        parse("", "nothing", &[]),
        bind("p", "", &[], &[], &[]),
        sync(),
    ];
    stage.client(&bound.concat());
    stage.server(&[frame(b'1', b""), frame(b'2', b""), ready('T')].concat());
    let skipped = [
        parse("bad", "nothing", &[]),
        query("declare p as ids"),
        sync(),
    ];
    stage.client(&skipped.concat());
    stage.server(&[error("42601", "syntax error"), ready('T')].concat());
    stage.shown();
    stage.sent();
    stage.client(&query("fetch p"));
    assert_eq!(stage.sent(), ["Q fetch p|"]);
    let one = [
        columns(&[("n", 0, 0, 20)], 0),
        text_row(&["7"]),
        tag("FETCH 1"),
        ready('T'),
    ];
    stage.server(&one.concat());
    let shown = stage.shown();
    assert!(!shown[1].contains(&id(7)), "{shown:?}");
}
