//! The bounds of a session: of what it may keep under names, where one too many is an error in its
//! turn, and of the size of a message, which ends it.

use crate::support::*;

fn parse(name: &str, text: &str) -> Vec<u8> {
    message(b'P', format!("{name}\0{text}\0\0\0").as_bytes())
}

fn bind(portal: &str, statement: &str) -> Vec<u8> {
    message(
        b'B',
        format!("{portal}\0{statement}\0\0\0\0\0\0\0").as_bytes(),
    )
}

fn execute(portal: &str) -> Vec<u8> {
    message(b'E', format!("{portal}\0\0\0\0\0").as_bytes())
}

fn close(kind: char, name: &str) -> Vec<u8> {
    message(b'C', format!("{kind}{name}\0").as_bytes())
}

fn sync() -> Vec<u8> {
    message(b'S', b"")
}

/// Sends a batch and gives the kinds of the answers with the SQLSTATE of the error.
async fn answers(raw: &mut Raw, batch: &[Vec<u8>]) -> (String, Option<String>) {
    raw.send(&batch.concat()).await;
    let answer = raw.until_ready().await;
    (answer.kinds(), answer.error(b'C'))
}

async fn bounded() -> (Proxy, Raw) {
    let proxy = Proxy::with(config("[limits]\nmax_statements = 2\nmax_portals = 2")).await;
    let raw = Raw::session(proxy.address).await;
    (proxy, raw)
}

fn refused(kinds: &str) -> (String, Option<String>) {
    (kinds.to_owned(), Some("53400".to_owned()))
}

fn fine(kinds: &str) -> (String, Option<String>) {
    (kinds.to_owned(), None)
}

#[tokio::test]
async fn one_prepared_statement_too_many_is_an_error_in_its_turn() {
    let (_proxy, mut raw) = bounded().await;
    for name in ["a", "", "b", ""] {
        let batch = [parse(name, "SELECT 1"), sync()];
        assert_eq!(answers(&mut raw, &batch).await, fine("1Z"));
    }
    // What comes first in the pipeline is answered, what comes behind is skipped.
    let batch = [
        bind("", "a"),
        execute(""),
        parse("c", "SELECT 1"),
        bind("", "c"),
        execute(""),
        sync(),
    ];
    assert_eq!(answers(&mut raw, &batch).await, refused("2DCEZ"));
    // Nothing is there under the name, a name in use is Postgres's own error, and one that is
    // closed makes room, in the same pipeline too.
    let batch = [bind("", "c"), sync()];
    let (kinds, code) = answers(&mut raw, &batch).await;
    assert_eq!((kinds.as_str(), code.as_deref()), ("EZ", Some("26000")));
    let batch = [parse("a", "SELECT 1"), sync()];
    let (kinds, code) = answers(&mut raw, &batch).await;
    assert_eq!((kinds.as_str(), code.as_deref()), ("EZ", Some("42P05")));
    let batch = [
        close('S', "a"),
        parse("c", "SELECT 1"),
        bind("", "c"),
        execute(""),
        sync(),
    ];
    assert_eq!(answers(&mut raw, &batch).await, fine("312DCZ"));
}

#[tokio::test]
async fn statements_and_cursors_of_sql_count_too() {
    let (_proxy, mut raw) = bounded().await;
    let prepare = query("PREPARE a AS SELECT 1; PREPARE b AS SELECT 1; PREPARE c AS SELECT 1");
    assert_eq!(answers(&mut raw, &[prepare]).await, refused("CCEZ"));
    // PREPARE is not undone by the error.
    let prepare = query("PREPARE c AS SELECT 1");
    assert_eq!(answers(&mut raw, &[prepare]).await, refused("EZ"));
    let again = query("DEALLOCATE a; SELECT 1");
    assert_eq!(answers(&mut raw, &[again]).await, fine("CTDCZ"));
    let prepare = query("PREPARE c AS SELECT 1");
    assert_eq!(answers(&mut raw, &[prepare]).await, fine("CZ"));
    let declare = query(
        "BEGIN; DECLARE a CURSOR FOR SELECT 1; DECLARE b CURSOR FOR SELECT 1;
         DECLARE c CURSOR FOR SELECT 1",
    );
    assert_eq!(answers(&mut raw, &[declare]).await, refused("CCCEZ"));
}

#[tokio::test]
async fn one_portal_too_many_fails_its_transaction_and_not_the_session() {
    let (_proxy, mut raw) = bounded().await;
    let batch = [query("BEGIN"), parse("s", "SELECT 1"), sync()];
    raw.send(&batch.concat()).await;
    raw.until_ready().await;
    raw.until_ready().await;
    let batch = [
        bind("p", "s"),
        bind("", "s"),
        bind("q", "s"),
        execute("q"),
        bind("r", "s"),
        execute("r"),
        sync(),
    ];
    assert_eq!(answers(&mut raw, &batch).await, refused("222DCEZ"));
    let (kinds, code) = answers(&mut raw, &[query("SELECT 1")]).await;
    assert_eq!((kinds.as_str(), code.as_deref()), ("EZ", Some("25P02")));
    assert_eq!(answers(&mut raw, &[query("ROLLBACK")]).await, fine("CZ"));
    let batch = [bind("r", "s"), execute("r"), sync()];
    assert_eq!(answers(&mut raw, &batch).await, fine("2DCZ"));
}

#[tokio::test]
async fn a_message_beyond_the_limit_is_refused_before_it_arrives() {
    const LIMIT: usize = 2000;
    let proxy = Proxy::with(config(&format!("[limits]\nmax_message_bytes = {LIMIT}"))).await;
    // The length word counts itself, and the text ends with a zero byte.
    let text = |length: usize| {
        let blanks = " ".repeat(length - 4 - 1 - "SELECT 1".len());
        query(&format!("SELECT 1{blanks}"))
    };
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&text(LIMIT)).await;
    assert_eq!(raw.until_ready().await.kinds(), "TDCZ");
    raw.send(&text(LIMIT + 1)[..5]).await;
    let answer = raw.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("08P01"));
    assert_eq!(answer.error(b'S').as_deref(), Some("FATAL"));
    // Copied data are bounded by the message too, not by all of them together.
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&query("CREATE TEMP TABLE t (s text); COPY t FROM STDIN"))
        .await;
    assert_eq!(raw.read(|kind| kind == b'G').await.kinds(), "CG");
    for _ in 0..10 {
        raw.send(&message(b'd', &[b'x'; LIMIT - 4])).await;
    }
    raw.send(&message(b'c', b"")).await;
    assert_eq!(raw.until_ready().await.kinds(), "CZ");
    raw.send(&query("COPY t FROM STDIN")).await;
    assert_eq!(raw.read(|kind| kind == b'G').await.kinds(), "G");
    raw.send(&message(b'd', &[b'x'; LIMIT - 3])).await;
    let answer = raw.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("08P01"));
}

/// What is long and computed is a value or an error, whichever of the ways of judging it ends
/// first; a result that nobody could judge any more would end the session.
#[tokio::test]
async fn a_long_text_with_a_computed_result_ends_no_session() {
    let proxy = Proxy::with(config("[limits]\nanalysis_steps = 30000")).await;
    let mut raw = Raw::session(proxy.address).await;
    let many = |part: &str, count: usize| vec![part; count].join(",");
    for count in [100, 4_000, 40_000] {
        let texts = [
            format!("SELECT coalesce({})", many("1", count)),
            format!("SELECT greatest({})", many("1", count)),
            format!("SELECT 1 IN ({})", many("2", count)),
            format!("SELECT ARRAY[{}]", many("1", count)),
            format!("SELECT concat_ws({})", many("'a'", count.min(90))),
            format!("SELECT CASE {} END", "WHEN false THEN 1 ".repeat(count)),
            format!("VALUES {}", many("(1)", count)),
            format!("SELECT 1{}", " + 1".repeat(count.min(4_000))),
        ];
        for text in texts {
            let name = &text[..20];
            let (kinds, code) = answers(&mut raw, &[query(&text)]).await;
            assert!(kinds.ends_with('Z'), "{name} × {count}: {kinds}");
            assert!(
                code.is_none() || code.as_deref() == Some("54001"),
                "{name} × {count}: {code:?}"
            );
            let batch = [parse("", &text), bind("", ""), execute(""), sync()];
            let (_, extended) = answers(&mut raw, &batch).await;
            assert_eq!(extended, code, "{name} × {count}");
            assert!(code.is_none() || count > 100, "{name} × {count}");
        }
    }
}

/// A closed portal is known as long as another takes its rows from it.
#[tokio::test]
async fn portals_take_their_rows_from_each_other_so_often_and_no_more() {
    let proxy = Proxy::with(config("[limits]\nmax_portals = 4")).await;
    let mut raw = Raw::session(proxy.address).await;
    let texts = [
        ("s", "SELECT 1"),
        ("sa", "FETCH 1 FROM a"),
        ("sb", "FETCH 1 FROM b"),
    ];
    let parses = texts.map(|(name, text)| parse(name, text)).concat();
    assert_eq!(answers(&mut raw, &[parses, sync()]).await, fine("111Z"));
    raw.send(&query("BEGIN")).await;
    raw.until_ready().await;
    assert_eq!(
        answers(&mut raw, &[bind("a", "s"), sync()]).await,
        fine("2Z")
    );
    let (mut from, mut to, mut depth) = ("a", "b", 0);
    let last = loop {
        let statement = format!("s{from}");
        let batch = [bind(to, &statement), close('P', from), sync()];
        let answer = answers(&mut raw, &batch).await;
        if answer != fine("23Z") {
            break answer;
        }
        assert!(depth < 1000, "there is no bound");
        (from, to, depth) = (to, from, depth + 1);
    };
    assert_eq!(last, ("EZ".to_owned(), Some("54001".to_owned())));
    assert_eq!(depth, 8);
}
