//! The session's own questions to the server, between two messages of the client.

use std::sync::Arc;

use crate::stage::*;
use pgveil::session::{Analyzer, Earlier, Limits, Mode, Shared};

pub(crate) fn path(schemas: &str, status: char) -> Vec<u8> {
    let row = text_row(&["search path", schemas]);
    [row, tag("SELECT 1"), ready(status)].concat()
}

/// What tells the version of the snapshot that the server then has.
pub(crate) fn version(horizon: &str) -> Vec<u8> {
    let row = ["version", "5 1", horizon, "7:7:", "123", "-1:100 8:23"];
    let row = row.iter().map(|field| Some(field.as_bytes()));
    crate::stage::row(&row.chain([None; 2]).collect::<Vec<_>>())
}

#[test]
fn loads_the_catalog_anew_for_an_unknown_name() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    assert!(asks_for_the_catalog(&stage.sent()));
    assert!(!stage.session.accepts_client_input() && !stage.session.is_idle());
    stage.server(&changed_catalog('I'));
    assert_eq!(stage.sent(), ["Q unknown|"]);
    assert!(stage.catalog().is_some());
    assert!(stage.shown().is_empty());
    stage.server(&[tag("SET"), ready('I')].concat());
    // Others may have made it in the meantime.
    stage.client(&query("unknown"));
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&changed_catalog('I'));
    assert!(stage.catalog().is_none(), "nothing has changed");
}

/// What is owed to the client comes first.
#[test]
fn asks_for_an_unknown_name_behind_others_once_those_are_answered() {
    let mut stage = Stage::ready();
    stage.client(&[query("nothing"), query("unknown")].concat());
    assert_eq!(stage.sent(), ["Q nothing|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&changed_catalog('I'));
    assert_eq!(stage.sent(), ["Q unknown|"]);
}

#[test]
fn loads_the_catalog_after_ddl_before_the_client_goes_on() {
    let mut stage = Stage::ready();
    stage.client(&query("ddl"));
    assert_eq!(stage.sent(), ["Q ddl|"]);
    stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
    assert_eq!(stage.shown(), ["C CREATE TABLE|"]);
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&changed_catalog('I'));
    assert_eq!(stage.shown(), ["Z I"]);
    assert!(stage.catalog().is_some());
}

#[test]
fn keeps_a_snapshot_of_an_open_transaction_to_itself() {
    let mut stage = Stage::ready();
    stage.client(&query("ddl"));
    stage.sent();
    stage.server(&[tag("CREATE TABLE"), ready('T')].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&changed_catalog('T'));
    assert_eq!(stage.shown()[1], "Z T");
    assert!(stage.catalog().is_none());
    stage.client(&query("commit"));
    stage.sent();
    stage.server(&[tag("COMMIT"), ready('I')].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&changed_catalog('I'));
    assert!(stage.catalog().is_some());
}

#[test]
fn asks_for_the_search_path_after_a_change_and_at_the_end_of_its_transaction() {
    let mut stage = Stage::ready();
    stage.client(&query("set path"));
    stage.sent();
    stage.server(&[tag("SET"), ready('T')].concat());
    // A query of its own would be the first of the transaction.
    assert_eq!(stage.shown(), ["C SET|", "Z T"]);
    assert!(stage.sent().is_empty());
    for text in [
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "show x;",
        "savepoint a",
    ] {
        stage.client(&query(text));
        assert_eq!(stage.sent(), [format!("Q {text}|")]);
        stage.server(&[tag("SET"), ready('T')].concat());
    }
    stage.shown();
    stage.client(&query("select"));
    assert!(asks_for_the_path(&stage.sent()));
    stage.server(&path("other", 'T'));
    assert_eq!(stage.sent(), ["Q select|"]);
    stage.server(&[tag("SELECT 0"), ready('T')].concat());
    stage.shown();
    stage.client(&query("commit"));
    stage.sent();
    stage.server(&[tag("COMMIT"), ready('I')].concat());
    assert!(asks_for_the_path(&stage.sent()));
    stage.server(&path("public", 'I'));
    assert_eq!(stage.shown(), ["C COMMIT|", "Z I"]);
}

#[test]
fn lets_a_text_wait_for_the_search_path_that_the_one_before_changes() {
    let mut stage = Stage::ready();
    stage.client(&[query("set any path"), query("path?")].concat());
    assert_eq!(stage.sent(), ["Q set any path|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    assert!(asks_for_the_path(&stage.sent()));
    stage.server(&path("public", 'I'));
    assert_eq!(stage.sent(), ["Q path?|"]);
}

#[test]
fn foresees_the_search_path_inside_of_a_batch() {
    for (text, refused) in [("set path", false), ("set any path", true)] {
        let mut stage = Stage::ready();
        let set = [
            parse("", text, &[]),
            bind("", "", &[], &[], &[]),
            execute(""),
        ];
        stage.client(&[set.concat(), parse("", "path?", &[]), sync()].concat());
        assert_eq!(stage.sent()[3].contains("pgveil refuses"), refused);
    }
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
    assert!(asks_for_the_path(&stage.sent()));
}

#[test]
fn a_session_that_ends_on_its_own_ddl_leaves_the_look_at_it_to_others() {
    for (text, ends_stale) in [("ddl", true), ("other", false)] {
        let mut stage = Stage::ready();
        stage.client(&query("ddl"));
        stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
        stage.server(&changed_catalog('I'));
        let catalog = stage.catalog().unwrap();
        stage.client(&query(text));
        assert!(!catalog.is_stale());
        drop(stage);
        assert_eq!(catalog.is_stale(), ends_stale, "{text}");
    }
}

#[test]
fn loads_the_catalog_if_a_result_comes_from_a_table_that_it_does_not_know() {
    for unknown in [("t", 99_999, 1, 1184), ("t", USERS, 9, 1184)] {
        let mut stage = Stage::ready();
        stage.client(&query("clean"));
        stage.sent();
        stage.server(&columns(&[unknown], 0));
        stage.server(&[tag("SELECT 0"), ready('I')].concat());
        assert!(asks_for_the_catalog(&stage.sent()));
    }
}

#[test]
fn shows_no_rows_of_a_column_that_it_does_not_know_and_that_could_hold_keys() {
    for unknown in [
        ("n", 99_999, 1, 20),
        ("t", 99_999, 1, 25),
        ("n", USERS, 9, 20),
        // It may be generated from a key.
        ("t", USERS, 9, 25),
    ] {
        let mut stage = Stage::ready();
        stage.client(&query("clean"));
        let refused = stage.refusal_of(&columns(&[unknown], 0));
        assert_eq!(refused.as_deref(), Some("58000"));

        // One that the client has described only waits for a new snapshot.
        let mut stage = Stage::ready();
        stage.client(&[parse("s", "clean", &[]), describe('S', "s"), sync()].concat());
        stage.sent();
        let answer = [
            frame(b'1', b""),
            parameters(&[]),
            columns(&[unknown], 0),
            ready('I'),
        ];
        stage.server(&answer.concat());
        assert!(asks_for_the_catalog(&stage.sent()));
        stage.server(&changed_catalog('I'));
        stage.client(&[bind("", "s", &[], &[], &[]), execute(""), sync()].concat());
        assert_eq!(stage.sent()[1], "D P|");
    }
}

#[test]
fn lets_new_sessions_load_a_snapshot_that_has_shown_to_be_stale() {
    let shared = shared();
    let start = || {
        let mut stage = Stage::new(&shared, Mode::Enforce);
        stage.server(&ready('I'));
        stage
    };
    let mut first = start();
    first.session.load_catalog(Earlier::Unknown);
    first.server(&catalog());
    let loaded = first.catalog().unwrap();
    first.client(&query("clean"));
    first.shown();
    let refused = first.refusal_of(&columns(&[("n", 99_999, 1, 20)], 0));
    assert!(refused.is_some());
    let mut second = start();
    second.session.use_catalog(loaded);
    assert!(asks_for_the_catalog(&second.sent()));
}

#[test]
fn drops_notifications_whose_words_hold_numbers() {
    let mut stage = Stage::ready();
    let mut notify = |payload: &str| {
        stage.server(&frame(b'A', format!("\0\0\0\x01c\0{payload}\0").as_bytes()));
        !stage.shown().is_empty()
    };
    assert!(notify("") && notify("reload t2b4") && notify(&id(KEY)));
    assert!(!notify("ticket 8613972450000001") && !notify("{\"id\":7}"));
    assert!(!notify("ticket_8613972450000001") && !notify("user7") && !notify("7th"));
}

#[test]
fn delivers_numbers_through_channels_that_are_declared_to_carry_no_ids() {
    let mut stage = Stage::ready();
    let mut told = |channel: &str, payload: &str| {
        let body = format!("\0\0\0\x07{channel}\0{payload}\0");
        stage.server(&frame(b'A', body.as_bytes()));
        stage.shown().concat()
    };
    for channel in ["jobs:insert", "jobs:", "jobs:8613972450000001", "seventh"] {
        let expected = format!("A |||<07>{channel}|{{\"n\": 7}}|");
        assert_eq!(told(channel, "{\"n\": 7}"), expected);
    }
    for other in ["jobs", "my jobs:insert", "seventh2", "Seventh"] {
        assert_eq!(told(other, "{\"n\": 7}"), "");
    }
    // A pattern may carry ids, too.
    let shown = told("user_7:changed", &KEY.to_string());
    assert_eq!(shown, format!("A |||<07>user_7:changed|{}|", id(KEY)));
}

#[test]
fn shows_the_id_of_a_key_that_comes_through_a_declared_channel() {
    let mut stage = Stage::ready();
    let mut told = |channel: &str, payload: &str| {
        let body = format!("\0\0\0\x07{channel}\0{payload}\0");
        stage.server(&frame(b'A', body.as_bytes()));
        stage.shown()
    };
    let shown = told("user_changed", &KEY.to_string());
    assert_eq!(shown, [format!("A |||<07>user_changed|{}|", id(KEY))]);
    let shown = told("user_changed", &format!("{{{KEY},NULL}}"));
    let expected = format!("A |||<07>user_changed|{{{},NULL}}|", id(KEY));
    assert_eq!(shown, [expected]);
    assert_eq!(told("user_changed", "{}"), ["A |||<07>user_changed|{}|"]);
    // What is no key, as Postgres writes it, has the fate of every other notification.
    for payload in ["", "reload"] {
        let expected = format!("A |||<07>user_changed|{payload}|");
        assert_eq!(told("user_changed", payload), [expected]);
    }
    let sentinel = i64::MIN.to_string();
    for payload in [
        "007",
        "+7",
        " 7",
        "7.0",
        "7 8",
        "{07}",
        "{ 7}",
        "{\"7\"}",
        "{7",
        "{7,-9223372036854775808}",
        "9223372036854775808",
        &sentinel,
    ] {
        assert!(told("user_changed", payload).is_empty(), "{payload}");
    }
    assert!(told("User_changed", "7").is_empty());
}

#[test]
fn shows_the_ids_of_keys_inside_a_document_of_a_declared_channel() {
    let mut stage = Stage::ready();
    let mut told = |payload: &str| {
        let body = format!("\0\0\0\x07document\0{payload}\0");
        stage.server(&frame(b'A', body.as_bytes()));
        let shown = stage.shown();
        shown
            .first()
            .map(|shown| shown["A |||<07>document|".len()..shown.len() - 1].to_owned())
    };
    let (a, b) = (id(KEY), id(7));
    for (payload, expected) in [
        (
            format!(r#"{{"user": {KEY}, "n": 3, "list": [{{"user": "7"}}, {{"user": null}}]}}"#),
            format!(r#"{{"user": "{a}", "n": 3, "list": [{{"user": "{b}"}}, {{"user": null}}]}}"#),
        ),
        (
            format!(r#"{{"us\u0065r":7,"user":{KEY}}}"#),
            format!(r#"{{"us\u0065r":"{b}","user":"{a}"}}"#),
        ),
        (r#"{"list": []}"#.to_owned(), r#"{"list": []}"#.to_owned()),
        (String::new(), String::new()),
    ] {
        assert_eq!(told(&payload), Some(expected), "{payload}");
    }
    let sentinel = format!(r#"{{"user": {}}}"#, i64::MIN);
    for payload in [
        r#"{"user": 7.0}"#,
        r#"{"user": 7e0}"#,
        r#"{"user": "07"}"#,
        r#"{"user": [7]}"#,
        r#"{"user": {"user": 7}}"#,
        r#"{"user": true, "n": 7}"#,
        r#"[{"user": 7}]"#,
        r#"{"USER": 7}"#,
        r#"{"user": 7"#,
        r#"{"user": 7} 7"#,
        "7",
        &sentinel,
    ] {
        assert_eq!(told(payload), None, "{payload}");
    }
}

#[test]
fn goes_on_with_its_snapshot_if_the_server_does_not_answer() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    // The last attempts ask for no definitions.
    let mut sent = stage.sent();
    for attempt in 1..=6 {
        assert!(asks_for_the_catalog(&sent), "{attempt}");
        let bare = sent.concat().contains("AND false");
        assert_eq!(bare, attempt > 3);
        stage.server(&failed("XX000", "cache lookup failed"));
        // And what clears away.
        let answer = stage.sent();
        let (clears, more) = answer.split_at(3);
        assert!(clears[0].starts_with("C ") && clears[1].starts_with("C "));
        assert_eq!(clears[2], "S");
        if attempt == 6 {
            // What has not been looked for is not taken for what does not exist.
            assert!(more.concat().contains("pgveil refuses"), "{more:?}");
        }
        sent = more.to_vec();
    }
    stage.server(&[poison_error(), ready('I')].concat());
    stage.shown();
    // For a while nothing is asked again.
    stage.client(&query("clean"));
    assert_eq!(stage.sent(), ["Q clean|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    stage.session.set_time(std::time::Duration::from_secs(2));
    stage.client(&query("clean"));
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog());
    assert_eq!(stage.sent(), ["Q clean|"]);
}

#[test]
fn rows_that_do_not_fit_leave_the_snapshot_as_it_is() {
    for more in ["column 99999 1 id 20", "mystery"] {
        let mut stage = Stage::ready();
        stage.client(&query("ddl"));
        stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
        for _ in 1..=6 {
            assert!(stage.sent().concat().contains("SELECT 'relation'"));
            stage.server(&catalog_with(&[more], 'I'));
        }
        assert!(stage.shown().contains(&"Z I".to_owned()));
    }
}

#[test]
fn a_login_goes_on_with_an_earlier_snapshot_and_ends_only_without_one() {
    let shared = shared();
    let open = |catalog: Earlier| {
        let mut stage = Stage::new(&shared, Mode::Enforce);
        stage.server(&ready('I'));
        stage.session.load_catalog(catalog);
        stage
    };
    let mut first = open(Earlier::Unknown);
    first.server(&catalog());
    let known = first.catalog().unwrap();
    for (known, goes_on) in [
        (Earlier::Here(Arc::clone(&known)), true),
        // What is known of another server says nothing of this one but what its columns hold.
        (Earlier::Elsewhere(known), false),
        (Earlier::Unknown, false),
    ] {
        let mut stage = open(known);
        for _ in 1..6 {
            stage.server(&failed(
                "57014",
                "canceling statement due to statement timeout",
            ));
        }
        let end = stage.try_server(&failed("XX000", "no"));
        assert_eq!(end.is_ok(), goes_on);
        if goes_on {
            assert_eq!(stage.shown(), ["Z I"]);
        }
    }
}

#[test]
fn tells_the_client_if_the_server_ends_the_connection_meanwhile() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    let bye = report(b'E', &[('V', "FATAL"), ('C', "57P01"), ('M', "bye")]);
    assert_eq!(stage.try_server(&bye).unwrap_err().sqlstate(), "57P01");
}

#[test]
fn lets_asynchronous_messages_through_while_it_asks() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    let notification = frame(b'A', b"\0\0\0\x01c\0p\0");
    stage.server(&notification);
    assert_eq!(stage.shown_bytes(), notification);
}

#[test]
fn lets_a_text_wait_for_the_changes_of_the_one_before() {
    let mut stage = Stage::ready();
    stage.client(&[query("ddl"), query("unknown")].concat());
    assert_eq!(stage.sent(), ["Q ddl|"]);
    stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog());
    // The new snapshot does not know the name either, so it is asked for once more.
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog());
    assert_eq!(stage.sent(), ["Q unknown|"]);
}

#[test]
fn trusts_no_result_behind_a_change_in_the_same_text_unless_its_origin_is_known() {
    for (description, trusted) in [
        (columns(&[("reveal", 0, 0, 20)], 0), false),
        (columns(&[("reveal", 0, 0, 25)], 0), false),
        (columns(&[("id", 99_999, 1, 20)], 0), false),
        (
            columns(&[("id", USERS, 1, 20), ("now", 0, 0, 1184)], 0),
            true,
        ),
    ] {
        let mut stage = Stage::ready();
        stage.client(&query("ddl; select reveal()"));
        stage.server(&tag("CREATE FUNCTION"));
        stage.shown();
        assert_eq!(stage.refusal_of(&description).is_none(), trusted);

        let mut stage = Stage::ready();
        let unnamed = |text: &str| {
            [
                parse("", text, &[]),
                bind("", "", &[], &[], &[]),
                execute(""),
            ]
            .concat()
        };
        stage.client(&[unnamed("ddl"), unnamed("select reveal()"), sync()].concat());
        let done = [frame(b'1', b""), frame(b'2', b""), tag("CREATE FUNCTION")];
        stage.server(&done.concat());
        stage.server(&[frame(b'1', b""), frame(b'2', b"")].concat());
        stage.shown();
        assert_eq!(stage.refusal_of(&description).is_none(), trusted);
    }
}

#[test]
fn shows_what_the_client_has_written_itself_behind_a_change_in_the_same_text() {
    let one = columns(&[("?column?", 0, 0, 23)], 0);
    let mut stage = Stage::ready();
    stage.client(&query("ddl; constant; ddl; constant; select reveal()"));
    for made in ["CREATE TABLE", "DROP TABLE"] {
        stage.server(&tag(made));
        stage.server(&[one.clone(), text_row(&["1"]), tag("SELECT 1")].concat());
    }
    assert_eq!(stage.shown()[5], legible(&one)[0]);
    assert!(stage.refusal_of(&one).is_some());

    let mut stage = Stage::ready();
    let unnamed = |text: &str| {
        [
            parse("", text, &[]),
            bind("", "", &[], &[], &[]),
            execute(""),
        ]
        .concat()
    };
    stage.client(&[unnamed("ddl"), unnamed("constant"), sync()].concat());
    let done = [frame(b'1', b""), frame(b'2', b""), tag("CREATE TABLE")];
    stage.server(&done.concat());
    stage.server(&[frame(b'1', b""), frame(b'2', b""), one].concat());
}

#[test]
fn judges_each_statement_of_a_text_by_the_names_in_it_and_not_in_others() {
    let number = columns(&[("n", 0, 0, 20)], 0);
    let answer = [number.clone(), text_row(&["7"]), tag("SELECT 1")].concat();
    let asked = |text: &str| {
        let mut stage = Stage::ready();
        stage.client(&query(text));
        assert!(asks_for_the_catalog(&stage.sent()));
        stage.server(&changed_catalog('I'));
        assert_eq!(stage.sent(), [format!("Q {text}|")]);
        stage
    };
    let mut stage = asked("clean; clean; select unknown; clean");
    stage.server(&[answer.clone(), answer.clone()].concat());
    stage.server(&[error("42703", "no such column"), ready('I')].concat());
    assert!(stage.session.is_idle());

    let mut stage = asked("select unknown; clean");
    assert!(stage.refusal_of(&number).is_some());
    let mut stage = asked("select unknown; clean");
    stage.server(&tag("DO"));
    stage.server(&answer);
}

#[test]
fn asks_nothing_between_the_messages_of_a_client_where_nothing_is_annotated() {
    let (limits, analyse) = (Limits::default(), Analyzer::default());
    let shared = Arc::new(Shared::new([], limits, analyse, |_| {}));
    let mut stage = Stage::opened_with(&shared, Mode::Enforce, &catalog());
    // A table that others have made, and a name that the snapshot of the database lacks.
    stage.client(
        &[
            parse("", "select n from made", &[]),
            describe('S', ""),
            sync(),
        ]
        .concat(),
    );
    assert_eq!(stage.sent().len(), 3);
    let answer = [
        frame(b'1', b""),
        parameters(&[]),
        columns(&[("n", 99_999, 1, 20)], 0),
        ready('I'),
    ];
    stage.server(&answer.concat());
    assert!(stage.sent().is_empty());
    stage
        .session
        .set_time(std::time::Duration::from_secs(1_000));
    stage.client(&[bind("", "", &[], &[], &[]), execute(""), sync()].concat());
    assert!(stage.sent()[0].starts_with("B "));
}

#[test]
fn analyses_prepared_statements_again_when_the_circumstances_have_changed() {
    let mut stage = Stage::ready();
    let text = "by fresh circumstances $1";
    stage.client(&[parse("s", text, &[]), sync()].concat());
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.client(&query("set path"));
    stage.server(&[tag("SET"), ready('I')].concat());
    stage.server(&path("changed", 'I'));
    stage.sent();
    stage.shown();
    // Under this path the statement has other parameters, so the server's text no longer fits.
    stage.client(&[bind("", "s", &[], &[Some(b"x")], &[]), execute(""), sync()].concat());
    assert_eq!(stage.sent()[0], "B |s|||||||", "no values at all");
    stage.server(&[error("08P01", "provoked"), ready('I')].concat());
    assert_eq!(
        stage.shown()[0],
        "E SERROR|VERROR|C0A000|Mcached plan must not change result type||"
    );
    stage.client(&[parse("t", text, &[]), sync()].concat());
    assert_eq!(stage.sent_bytes()[..5], parse("t", text, &[20])[..5]);
}

#[test]
fn looks_at_the_database_before_a_batch_when_its_snapshot_is_old() {
    let mut stage = Stage::ready();
    let seconds = std::time::Duration::from_secs;
    stage.session.set_time(seconds(59));
    stage.client(&query("clean"));
    assert_eq!(stage.sent(), ["Q clean|"]);
    // Not in the middle of a batch, and not inside of a transaction.
    stage.session.set_time(seconds(61));
    stage.server(&[tag("BEGIN"), ready('T')].concat());
    stage.client(&query("clean"));
    assert_eq!(stage.sent(), ["Q clean|"]);
    stage.server(&[tag("COMMIT"), ready('I')].concat());
    stage.client(&[query("clean"), query("more")].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&catalog());
    assert_eq!(stage.sent(), ["Q clean|", "Q more|"]);
    stage.server(&[tag("SET"), ready('I'), tag("SET"), ready('I')].concat());
    stage.session.set_time(seconds(120));
    stage.client(&query("clean"));
    assert_eq!(stage.sent(), ["Q clean|"]);
}

#[test]
fn asks_for_the_version_first_if_it_knows_that_of_its_snapshot() {
    let loaded = |horizon: &str| [version(horizon), catalog()].concat();
    let looked = |answer: &str| {
        let row = text_row(&["look", answer, "8:8:"]);
        let path = text_row(&["search path", "pg_catalog\\000public"]);
        [path, row, tag("SELECT 1"), ready('I')].concat()
    };
    let mut stage = Stage::ready();
    let mut minutes = 0;
    let mut come_of_age = |stage: &mut Stage| {
        minutes += 1;
        stage
            .session
            .set_time(std::time::Duration::from_secs(61 * minutes));
        stage.client(&query("clean"));
        stage.sent()
    };
    // Nothing is known of the first snapshot's version.
    assert!(asks_for_the_catalog(&come_of_age(&mut stage)));
    stage.server(&loaded("17"));
    assert_eq!(stage.sent(), ["Q clean|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    // It is still right.
    let sent = come_of_age(&mut stage);
    assert_eq!(asked(&sent), Some("look"));
    assert!(sent.concat().contains("'17'") && sent.concat().contains("'7:7:'"));
    stage.server(&looked("same"));
    assert_eq!(stage.sent(), ["Q clean|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    // It isn't any more.
    let sent = come_of_age(&mut stage);
    assert_eq!(asked(&sent), Some("look"));
    assert!(sent.concat().contains("'8:8:'"));
    stage.server(&looked("changed"));
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&loaded("18"));
    assert_eq!(stage.sent(), ["Q clean|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    assert_eq!(asked(&come_of_age(&mut stage)), Some("look"));
}

#[test]
fn behind_a_pooler_it_asks_by_the_simple_protocol() {
    let limits = Limits {
        pooled: true,
        ..Default::default()
    };
    let mut stage = Stage::with(limits);
    stage.client(&query("unknown"));
    let sent = stage.sent();
    assert!(sent.len() == 1 && asks_for_the_catalog(&sent));
    assert!(sent[0].starts_with("Q BEGIN ") && sent[0].ends_with("ROLLBACK|"));
}

#[test]
fn keeps_the_unnamed_statement_and_settings_of_the_client() {
    let limits = Limits {
        catalog_max_age: std::time::Duration::ZERO,
        ..Default::default()
    };
    for status in ['I', 'T'] {
        let mut stage = Stage::with(limits);
        stage.client(&[parse("", "clean", &[]), sync()].concat());
        stage.server(&catalog());
        stage.server(&[frame(b'1', b""), ready(status)].concat());
        stage.sent();
        stage.client(&[parse("s", "unknown", &[]), sync()].concat());
        let sent = stage.sent();
        assert!(asks_for_the_catalog(&sent), "{sent:?}");
        let (begin, end) = match status {
            'I' => ("BEGIN ISOLATION", "|ROLLBACK|"),
            _ => ("SAVEPOINT pgveil_", "|RELEASE SAVEPOINT pgveil_"),
        };
        assert!(sent[0].contains(begin), "{}", sent[0]);
        assert!(sent.concat().contains(end));
        // All under one name, and nothing unnamed.
        let name = sent[0].split(['|', ' ']).nth(1).unwrap().to_owned();
        let named = |sent: &String| sent == "S" || sent.contains(&name);
        assert!(sent.iter().all(named));
        let answered = |stage: &mut Stage| {
            loop {
                let sent = stage.sent();
                if !asks_for_the_catalog(&sent) {
                    return sent;
                }
                stage.server(&catalog_with(&[], status));
            }
        };
        stage.server(&catalog_with(&[], status));
        assert_eq!(answered(&mut stage)[0], "P s|unknown|||");
        stage.server(&[frame(b'1', b""), ready(status)].concat());
        // The session still knows what it was.
        stage.client(&[bind("", "", &[], &[], &[]), execute(""), sync()].concat());
        let sent = answered(&mut stage);
        assert_eq!(sent[0], "B ||||||||");
        assert!(!sent.concat().contains("pgveil refuses"));
    }
}

#[test]
fn looks_at_the_database_before_each_batch_if_no_snapshot_is_trusted() {
    let limits = Limits {
        catalog_max_age: std::time::Duration::ZERO,
        ..Default::default()
    };
    let mut stage = Stage::with(limits);
    for _ in 0..2 {
        stage.client(&[parse("", "clean", &[]), sync()].concat());
        assert!(asks_for_the_catalog(&stage.sent()));
        stage.server(&catalog());
        assert_eq!(stage.sent().len(), 2);
        stage.server(&[frame(b'1', b""), ready('I')].concat());
    }
}

/// Data of COPY outside of one pass piece by piece, and the server reads them to their end.
#[test]
fn asks_nothing_in_the_middle_of_a_message_that_passes() {
    let mut stage = Stage::ready();
    let data = frame(b'd', &[b'x'; 1000]);
    let (first, rest) = data.split_at(500);
    stage.client(&[&query("set path"), first].concat());
    let sent = stage.sent_bytes();
    assert!(sent.ends_with(first));
    stage.server(&[tag("SET"), ready('I')].concat());
    assert!(stage.sent_bytes().is_empty(), "the data go on");
    stage.client(&[rest, &query("ids")].concat());
    let sent = stage.sent_bytes();
    assert!(sent.starts_with(rest));
    let after = legible(&sent[rest.len()..]);
    assert!(asks_for_the_path(&after), "{after:?}");
}
