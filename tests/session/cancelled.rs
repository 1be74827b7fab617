//! Cancellations that hit a question of pgveil's own.

use crate::stage::*;

#[test]
fn a_cancellation_of_the_question_reaches_the_statement_that_waits() {
    let cancelled = "E SERROR|VERROR|C57014|Mcanceling statement due to user request||";
    for message in [
        query("unknown"),
        parse("", "unknown", &[]),
        bind("", "unknown", &[], &[], &[]),
        execute(""),
        describe('S', "s"),
    ] {
        let mut stage = Stage::ready();
        if message[0] == b'Q' || message[0] == b'P' {
            stage.client(&[message, sync()].concat());
        } else {
            stage.session.set_time(std::time::Duration::from_secs(100));
            stage.client(&[message, sync()].concat());
        }
        let sent = stage.sent();
        assert!(asks_for_the_catalog(&sent), "{sent:?}");
        stage.server(&failed("57014", "canceling statement due to user request"));
        assert!(stage.sent().concat().contains("pgveil refuses"));
        stage.server(&[poison_error(), ready('I')].concat());
        assert_eq!(stage.shown()[0], cancelled);
        // It is not held against the next one.
        stage.client(&query("clean"));
        if asks_for_the_catalog(&stage.sent()) {
            stage.server(&catalog());
            assert_eq!(stage.sent(), ["Q clean|"]);
        }
    }
}

/// The server's answer to what clears away a question, the end of whose transaction fails.
fn not_cleared(code: &str) -> Vec<u8> {
    let closed = [frame(b'3', b""), frame(b'3', b"")].concat();
    [closed, error(code, "no"), ready('E')].concat()
}

#[test]
fn a_cancellation_that_hits_the_clearing_of_a_question_leaves_no_transaction() {
    let mut stage = Stage::ready();
    stage.client(&query("unknown"));
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&[error("XX000", "cache lookup failed"), ready('E')].concat());
    assert!(stage.sent().concat().contains("ROLLBACK"));
    stage.server(&not_cleared("57014"));
    assert!(stage.sent().concat().contains("ROLLBACK"));
    stage.server(&not_cleared("57014"));
    assert!(stage.sent().concat().contains("ROLLBACK"));
    let closed = [frame(b'3', b""), frame(b'3', b"")].concat();
    stage.server(&[&closed[..], &tag("ROLLBACK"), &ready('I')].concat());
    assert!(stage.sent().concat().contains("pgveil refuses"));
    stage.server(&[poison_error(), ready('I')].concat());
    let told = stage.shown();
    assert!(told[0].contains("C57014"), "{told:?}");
}

#[test]
fn a_cancellation_that_ends_the_transaction_of_the_client_is_told_as_one() {
    let mut stage = Stage::ready();
    stage.client(&query("begin"));
    stage.server(&[tag("BEGIN"), ready('T')].concat());
    stage.shown();
    stage.sent();
    stage.client(&query("unknown"));
    assert!(stage.sent().concat().contains("SAVEPOINT"));
    // The savepoint itself is cancelled, so there is none to go back to.
    stage.server(
        &[
            error("57014", "canceling statement due to user request"),
            ready('E'),
        ]
        .concat(),
    );
    for _ in 0..4 {
        assert!(stage.sent().concat().contains("ROLLBACK TO SAVEPOINT"));
        stage.server(&not_cleared("3B001"));
    }
    assert!(stage.sent().concat().contains("pgveil refuses"));
    stage.server(&[error("25P02", "current transaction is aborted"), ready('E')].concat());
    let told = stage.shown();
    assert!(told[0].contains("C57014"), "{told:?}");
    assert_eq!(told[1], "Z E");
    // What comes then is told what Postgres says.
    stage.client(&query("unknown"));
    stage.server(&[error("25P02", "current transaction is aborted"), ready('E')].concat());
    let told = stage.shown();
    assert!(told[0].contains("C25P02"), "{told:?}");
}

#[test]
fn a_cancellation_behind_the_end_of_a_statement_is_for_nothing() {
    let mut stage = Stage::ready();
    stage.client(&query("ddl"));
    stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
    stage.sent();
    stage.server(&failed("57014", "canceling statement due to user request"));
    assert!(stage.sent().concat().contains("SELECT 'relation'"));
    stage.server(&changed_catalog('I'));
    assert_eq!(stage.shown(), ["C CREATE TABLE|", "Z I"]);
    stage.client(&query("clean"));
    assert_eq!(stage.sent(), ["Q clean|"]);
}
