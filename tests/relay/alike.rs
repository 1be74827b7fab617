//! Both protocols, message by message, sent to Postgres and through the proxy: what comes back is
//! the same to the byte, errors and the states of transactions included. Only the place in the
//! source of Postgres that an error names may be another: pgveil asks what a portal is.

use crate::support::*;

fn parse(name: &str, sql: &str) -> Vec<u8> {
    message(b'P', format!("{name}\0{sql}\0\0\0").as_bytes())
}

/// With parameters in text and results in the format that is given.
fn bind(portal: &str, statement: &str, values: &[&str], format: u8) -> Vec<u8> {
    let mut body = format!("{portal}\0{statement}\0\0\0").into_bytes();
    body.extend(u16::try_from(values.len()).unwrap().to_be_bytes());
    for value in values {
        body.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
        body.extend(value.as_bytes());
    }
    body.extend([0, 1, 0, format]);
    message(b'B', &body)
}

fn describe(kind: char, name: &str) -> Vec<u8> {
    message(b'D', format!("{kind}{name}\0").as_bytes())
}

fn close(kind: char, name: &str) -> Vec<u8> {
    message(b'C', format!("{kind}{name}\0").as_bytes())
}

fn execute(portal: &str, rows: u32) -> Vec<u8> {
    let rows = rows.to_be_bytes();
    message(b'E', &[portal.as_bytes(), b"\0", &rows].concat())
}

fn sync() -> Vec<u8> {
    message(b'S', b"")
}

fn flush() -> Vec<u8> {
    message(b'H', b"")
}

/// Without file, line and routine of errors.
fn without_places(answer: Answer) -> Answer {
    without(b"FLR", answer)
}

/// Without these fields of errors.
fn without(codes: &[u8], mut answer: Answer) -> Answer {
    for (kind, body) in &mut answer.messages {
        if *kind == b'E' {
            let fields = body.split(|byte| *byte == 0);
            let kept =
                fields.filter(|field| !field.first().is_some_and(|code| codes.contains(code)));
            *body = kept.collect::<Vec<_>>().join(&0);
        }
    }
    answer
}

/// Sends each part to both sides, reads up to a message of this kind, and compares.
async fn both_say_the_same(what: &str, parts: &[(Vec<u8>, u8)]) -> Vec<String> {
    let proxy = Proxy::start().await;
    let own = (postgres().host(), postgres().port());
    let mut direct = Raw::connect(own).await;
    direct.send(&startup(3 << 16, &["user", "postgres"])).await;
    direct.until_ready().await;
    let mut through = Raw::session(proxy.address).await;
    let mut kinds = Vec::new();
    for (number, (bytes, last)) in parts.iter().enumerate() {
        direct.send(bytes).await;
        through.send(bytes).await;
        let expected = without_places(direct.read(|kind| kind == *last).await);
        let got = without_places(through.read(|kind| kind == *last).await);
        assert_eq!(got, expected, "{what}, part {number}");
        kinds.push(got.kinds());
    }
    kinds
}

/// What pgveil answers to some bytes and a Terminate, and what Postgres does.
async fn whole_sessions(proxy: &Proxy, bytes: &[u8]) -> [Answer; 2] {
    let bytes = [bytes, &message(b'X', b"")].concat();
    let mut direct = Raw::connect((postgres().host(), postgres().port())).await;
    direct.send(&startup(3 << 16, &["user", "postgres"])).await;
    direct.until_ready().await;
    let mut through = Raw::session(proxy.address).await;
    direct.send(&bytes).await;
    through.send(&bytes).await;
    [through.until_closed().await, direct.until_closed().await]
}

/// One batch that ends with one ReadyForQuery.
async fn batch(what: &str, messages: &[Vec<u8>]) -> String {
    let parts = [(messages.concat(), b'Z')];
    both_say_the_same(what, &parts).await.remove(0)
}

#[tokio::test]
async fn simple_queries_are_answered_to_the_byte() {
    for (sql, kinds) in [
        ("", "IZ"),
        (" ;; ; ", "IZ"),
        ("-- nothing\n/* at /* all */ */", "IZ"),
        (
            "SELECT 1; SELECT 'a', NULL; SET extra_float_digits = 1",
            "TDCTDCCZ",
        ),
        ("CREATE TEMP TABLE t (n int); SELECT 1/0; SELECT 2", "CEZ"),
        ("BEGIN; SELECT 1/0", "CEZ"),
        ("BEGIN; SELECT 1; COMMIT; SELECT 2", "CTDCCTDCZ"),
        (
            "SELECT 1; COPY (SELECT 2) TO STDOUT; SELECT 3",
            "TDCHdcCTDCZ",
        ),
        (
            "DO $$ BEGIN RAISE NOTICE 'said'; END $$; SELECT 1",
            "NCTDCZ",
        ),
        (
            "CREATE TEMP TABLE a (n int); CREATE RULE r AS ON INSERT TO a DO ALSO SELECT 1;
             INSERT INTO a VALUES (1); SELECT 2",
            "CCTDCTDCZ",
        ),
        ("SELECT nothing FROM nowhere", "EZ"),
        ("SELECT 'no end", "EZ"),
    ] {
        let got = batch(sql, &[query(sql)]).await;
        assert_eq!(got, kinds, "{sql}");
    }
}

#[tokio::test]
async fn a_query_in_a_failed_transaction_is_answered_to_the_byte() {
    let parts = [
        "BEGIN",
        "SELECT 1/0",
        "SELECT 1",
        "",
        "ROLLBACK",
        "SELECT 2",
    ];
    let parts = parts.map(|sql| (query(sql), b'Z'));
    let kinds = both_say_the_same("a failed transaction", &parts).await;
    assert_eq!(kinds, ["CZ", "EZ", "EZ", "IZ", "CZ", "TDCZ"]);
}

#[tokio::test]
async fn statements_and_portals_are_answered_to_the_byte() {
    let table = "SELECT n, n::text FROM generate_series(1, $1::int) n";
    for (what, kinds, messages) in [
        (
            "described twice, before and after Bind, and behind Execute",
            "1tTtT2TTDDCTC3Z",
            vec![
                parse("s", table),
                describe('S', "s"),
                describe('S', "s"),
                bind("p", "s", &["2"], 0),
                describe('P', "p"),
                describe('P', "p"),
                execute("p", 0),
                describe('P', "p"),
                execute("p", 0),
                close('P', "p"),
                sync(),
            ],
        ),
        (
            "one statement in two portals of two formats, read in turns",
            "122DsDsDCCZ",
            vec![
                parse("s", table),
                bind("one", "s", &["2"], 0),
                bind("other", "s", &["1"], 1),
                execute("one", 1),
                execute("other", 1),
                execute("one", 0),
                execute("other", 0),
                sync(),
            ],
        ),
        (
            "the unnamed statement, replaced",
            "112DCZ",
            vec![
                parse("", "SELECT 1"),
                parse("", "SELECT 2"),
                bind("", "", &[], 0),
                execute("", 0),
                sync(),
            ],
        ),
        (
            "what nobody knows, closed",
            "33Z",
            vec![close('S', "x"), close('P', "x"), sync()],
        ),
    ] {
        assert_eq!(batch(what, &messages).await, kinds, "{what}");
    }
}

#[tokio::test]
async fn errors_in_a_pipeline_are_answered_to_the_byte() {
    for (what, kinds, messages) in [
        (
            "a name in use, and what is skipped behind it, a Query included",
            "1EZ",
            vec![
                parse("s", "SELECT 1"),
                parse("s", "SELECT 2"),
                execute("", 0),
                query("SELECT 3"),
                sync(),
            ],
        ),
        (
            "what nobody knows, described",
            "EZ",
            vec![describe('S', "x"), describe('P', "x"), sync()],
        ),
        (
            "answers in front of an error",
            "12DCEZ",
            vec![
                parse("", "SELECT 1"),
                bind("", "", &[], 0),
                execute("", 0),
                bind("", "nobody", &[], 0),
                execute("", 0),
                sync(),
            ],
        ),
    ] {
        assert_eq!(batch(what, &messages).await, kinds, "{what}");
    }
}

#[tokio::test]
async fn a_portal_outlives_a_sync_only_in_a_transaction() {
    let rows = parse("", "SELECT n FROM generate_series(1, 5) n");
    let opened = [rows, bind("p", "", &[], 0), execute("p", 2), sync()].concat();
    let more = [execute("p", 2), sync()].concat();
    let outside = [(opened.clone(), b'Z'), (more.clone(), b'Z')];
    let kinds = both_say_the_same("outside", &outside).await;
    assert_eq!(kinds, ["12DDsZ", "EZ"]);
    let inside = [
        (query("BEGIN"), b'Z'),
        (opened, b'Z'),
        (more.clone(), b'Z'),
        (more, b'Z'),
        (query("COMMIT"), b'Z'),
    ];
    let kinds = both_say_the_same("inside", &inside).await;
    assert_eq!(kinds, ["CZ", "12DDsZ", "DDsZ", "DCZ", "CZ"]);
}

#[tokio::test]
async fn flush_brings_the_answers_without_a_sync() {
    let parts = [
        (
            [parse("s", "SELECT 1"), describe('S', "s"), flush()].concat(),
            b'T',
        ),
        ([bind("", "s", &[], 1), flush()].concat(), b'2'),
        ([execute("", 0), flush()].concat(), b'C'),
        (sync(), b'Z'),
    ];
    let kinds = both_say_the_same("flush", &parts).await;
    assert_eq!(kinds, ["1tT", "2", "DC", "Z"]);
}

#[tokio::test]
async fn statements_of_sql_and_of_the_protocol_are_one() {
    let bound = |name: &str| [bind("", name, &[], 0), execute("", 0), sync()].concat();
    let parts = [
        (query("PREPARE a AS SELECT 1"), b'Z'),
        (bound("a"), b'Z'),
        ([parse("b", "SELECT 2"), sync()].concat(), b'Z'),
        (query("EXECUTE b"), b'Z'),
        (query("DEALLOCATE a"), b'Z'),
        (bound("a"), b'Z'),
        (query("DEALLOCATE ALL"), b'Z'),
        (bound("b"), b'Z'),
        ([parse("b", "SELECT 3"), sync()].concat(), b'Z'),
        (query("DISCARD ALL"), b'Z'),
        (bound("b"), b'Z'),
    ];
    let kinds = both_say_the_same("one name space", &parts).await;
    assert_eq!(
        kinds,
        [
            "CZ", "2DCZ", "1Z", "TDCZ", "CZ", "EZ", "CZ", "EZ", "1Z", "CZ", "EZ"
        ]
    );
}

/// Postgres tells statements and portals apart by the first 63 bytes of their names.
#[tokio::test]
async fn names_that_postgres_cuts_are_one_name() {
    let (kept, one, other) = ("n".repeat(63), "n".repeat(64), "n".repeat(63) + "m");
    let in_transaction = [
        bind(&one, &other, &[], 0),
        execute(&(kept.clone() + "l"), 0),
        sync(),
    ];
    let parts = [
        ([parse(&one, "SELECT 1"), sync()].concat(), b'Z'),
        ([parse(&other, "SELECT 2"), sync()].concat(), b'Z'),
        (query(&format!("EXECUTE {kept}")), b'Z'),
        (in_transaction.concat(), b'Z'),
        (query(&format!("DEALLOCATE {kept}")), b'Z'),
        (query(&format!("PREPARE {other} AS SELECT 3")), b'Z'),
        (
            [bind("", &one, &[], 0), execute("", 0), sync()].concat(),
            b'Z',
        ),
    ];
    let kinds = both_say_the_same("long names", &parts).await;
    assert_eq!(kinds, ["1Z", "EZ", "TDCZ", "2DCZ", "CZ", "NCZ", "2DCZ"]);
}

#[tokio::test]
async fn as_many_parameters_as_a_bind_can_count() {
    const MOST: usize = 65_535;
    let list: Vec<String> = (1..=MOST).map(|n| format!("${n}::int2")).collect();
    let sql = format!("SELECT cardinality(ARRAY[{}])", list.join(","));
    let messages = [
        parse("", &sql),
        bind("", "", &vec!["7"; MOST], 0),
        execute("", 0),
        sync(),
    ];
    assert_eq!(batch("65,535 parameters", &messages).await, "12DCZ");
}

#[tokio::test]
async fn a_plan_whose_result_has_changed_is_an_error_and_can_be_made_anew() {
    let run = || [bind("", "s", &[], 0), execute("", 0), sync()].concat();
    let parts = [
        (query("CREATE TEMP TABLE changing (n int)"), b'Z'),
        ([parse("s", "SELECT * FROM changing"), run()].concat(), b'Z'),
        (query("ALTER TABLE changing ADD more text"), b'Z'),
        (run(), b'Z'),
        (
            [close('S', "s"), parse("s", "SELECT * FROM changing"), run()].concat(),
            b'Z',
        ),
    ];
    let kinds = both_say_the_same("a changed result", &parts).await;
    assert_eq!(kinds, ["CZ", "12CZ", "CZ", "EZ", "312CZ"]);
}

#[tokio::test]
async fn copies_are_answered_to_the_byte() {
    let data = |text: &str| message(b'd', text.as_bytes());
    let begin = query("CREATE TEMP TABLE c (n int, s text)");
    let copy = || query("COPY c FROM STDIN");
    let extended = || {
        [
            parse("", "COPY c FROM STDIN"),
            bind("", "", &[], 0),
            execute("", 0),
        ]
        .concat()
    };
    let done = || message(b'c', b"");
    let parts = [
        (begin, b'Z'),
        (copy(), b'G'),
        ([data("1\ta\n2"), data("\tb\n"), done()].concat(), b'Z'),
        (copy(), b'G'),
        ([data("3\tc\n"), message(b'f', b"no more\0")].concat(), b'Z'),
        (copy(), b'G'),
        ([data("x\ty\n"), data("4\td\n"), done()].concat(), b'Z'),
        ([extended(), flush()].concat(), b'G'),
        ([data("5\te\n"), done(), sync()].concat(), b'Z'),
        // A Sync or Flush in the middle of the data means nothing.
        ([extended(), sync(), flush()].concat(), b'G'),
        ([data("6\tf\n"), sync(), done(), sync()].concat(), b'Z'),
        (query("COPY c TO STDOUT"), b'Z'),
        (
            query("SELECT 1; COPY c FROM STDIN; SELECT count(*) FROM c"),
            b'G',
        ),
        ([data("7\tg\n"), done()].concat(), b'Z'),
        (
            [
                parse("", "COPY c TO STDOUT (FORMAT csv)"),
                bind("", "", &[], 0),
                execute("", 0),
                sync(),
            ]
            .concat(),
            b'Z',
        ),
    ];
    let kinds = both_say_the_same("COPY", &parts).await;
    assert_eq!(kinds[11], "HddddcCZ");
    assert_eq!(kinds[13], "CTDCZ");
}

/// The server asks for data in front of every error of a COPY: of the data, and of the COPY itself,
/// behind which it reads what was sent with it.
#[tokio::test]
async fn a_sync_behind_a_copy_that_fails_is_answered_to_the_byte() {
    let begin = "CREATE TEMP TABLE c (n int, s text); CREATE TEMP VIEW v AS SELECT n FROM c";
    let extended = |relation: &str| {
        let copy = format!("COPY {relation} FROM STDIN");
        [parse("", &copy), bind("", "", &[], 0), execute("", 0)].concat()
    };
    let wrong = message(b'd', b"x\ty\n");
    let end = || [message(b'f', b"\0"), sync()].concat();
    let select = || query("SELECT 1");
    let parts = [
        (query(begin), b'Z'),
        ([extended("c"), sync()].concat(), b'G'),
        (wrong.clone(), b'E'),
        (end(), b'Z'),
        (select(), b'Z'),
        (
            [extended("c"), sync(), wrong.clone(), sync(), sync()].concat(),
            b'Z',
        ),
        (Vec::new(), b'Z'),
        (select(), b'Z'),
        ([query("COPY c FROM STDIN"), sync()].concat(), b'G'),
        (wrong, b'Z'),
        (end(), b'Z'),
        (select(), b'Z'),
        ([extended("v"), sync()].concat(), b'Z'),
        (end(), b'Z'),
        (select(), b'Z'),
        ([extended("v"), sync(), select()].concat(), b'Z'),
        (Vec::new(), b'Z'),
        (
            [query("COPY v FROM STDIN"), sync(), select()].concat(),
            b'Z',
        ),
        (Vec::new(), b'Z'),
        (Vec::new(), b'Z'),
    ];
    let kinds = both_say_the_same("COPY that fails", &parts).await;
    assert_eq!(kinds[12], "12GEZ");
    assert_eq!(kinds[16], "TDCZ");
    assert_eq!(kinds[18..], ["Z", "TDCZ"]);
}

#[tokio::test]
async fn bytes_of_other_encodings_pass() {
    let set = |name: &str| query(&format!("SET client_encoding = '{name}'"));
    // In SJIS the second byte of this letter is a backslash.
    let katakana = message(b'Q', b"SELECT '\x83\x5c', length('\x83\x5c')\0");
    let latin = message(b'Q', b"SELECT '\xe9\xdf', length('\xe9\xdf')\0");
    let spoilt = message(b'Q', b"SELECT '\xff\xff'\0");
    let parts = [
        (set("SJIS"), b'Z'),
        (katakana, b'Z'),
        (set("LATIN1"), b'Z'),
        (latin, b'Z'),
        (set("UTF8"), b'Z'),
        (spoilt, b'Z'),
    ];
    let kinds = both_say_the_same("encodings", &parts).await;
    assert_eq!(kinds, ["CSZ", "TDCZ", "CSZ", "TDCZ", "CSZ", "EZ"]);
}

#[tokio::test]
async fn settings_and_notices_arrive_where_they_belong() {
    let parts = [
        (query("SET TimeZone = 'Asia/Tokyo'"), b'Z'),
        (query("BEGIN; SET LOCAL DateStyle = 'German'"), b'Z'),
        (query("ROLLBACK"), b'Z'),
        (query("DROP TABLE IF EXISTS nothing"), b'Z'),
        (query("LISTEN here; NOTIFY here, 'word'"), b'Z'),
    ];
    let mut kinds = both_say_the_same("settings", &parts[..4]).await;
    assert_eq!(kinds.pop().as_deref(), Some("NCZ"));
    assert_eq!(kinds[..3], ["CSZ", "CCSZ", "CSZ"]);
    // The notification holds the number of the process, which differs.
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&parts[4].0).await;
    assert_eq!(raw.until_ready().await.kinds(), "CCAZ");
}

/// Every type that a message of a client may have, those of authentication and none included.
const TYPES: &[u8] = b"QPBDECFHSXdcfpG~\0\xff";

/// A message of a type with a body that fits it.
fn of_type(kind: u8) -> Vec<u8> {
    match kind {
        b'Q' => query("SELECT 'asked'"),
        b'P' => parse("", "SELECT 'parsed'"),
        b'B' => bind("", "", &[], 0),
        b'D' => describe('S', ""),
        b'E' => execute("", 0),
        b'C' => close('P', ""),
        // `pi()`
        b'F' => message(b'F', &[&1610_u32.to_be_bytes()[..], &[0; 6]].concat()),
        b'd' => message(b'd', b"7\n"),
        b'f' => message(b'f', b"no more\0"),
        b'p' => message(b'p', b"secret\0"),
        kind => message(kind, b""),
    }
}

#[tokio::test]
async fn a_message_out_of_place_is_answered_to_the_byte_and_loses_no_answer() {
    let proxy = Proxy::start().await;
    let slow = query("SELECT n, pg_sleep(0.05) FROM generate_series(1, 2) n");
    let copy = query("CREATE TEMP TABLE c (n int); COPY c FROM STDIN");
    let states: &[(&str, Vec<u8>)] = &[
        ("idle", Vec::new()),
        (
            "in a batch",
            [parse("", "SELECT 1"), bind("", "", &[], 0), execute("", 0)].concat(),
        ),
        (
            "after an error",
            [parse("", "SELECT 1/"), sync(), parse("", "SELECT /")].concat(),
        ),
        ("in COPY", [copy, message(b'd', b"1\n2\n")].concat()),
        ("in a failed transaction", query("BEGIN; SELECT 1/0")),
        ("behind queries", [slow.clone(), slow].concat()),
        (
            "behind batches",
            [
                parse("s", "SELECT pg_sleep(0.05)"),
                sync(),
                bind("", "s", &[], 0),
                sync(),
            ]
            .concat(),
        ),
    ];
    for (state, before) in states {
        for kind in TYPES {
            let bytes = [
                &before[..],
                &of_type(*kind),
                &sync(),
                &query("SELECT 'behind'"),
            ]
            .concat();
            let [got, expected] = whole_sessions(&proxy, &bytes).await.map(without_places);
            assert_eq!(got, expected, "{state}: {:?}", char::from(*kind));
        }
    }
}

#[tokio::test]
async fn several_commands_in_one_parse_are_answered_to_the_byte() {
    for (text, kinds) in [
        ("SELECT 1; SELECT 2", "1EZ"),
        ("SELECT 1; SELECT 2 FROM", "1EZ"),
        ("SELECT 1; SELEC 2", "1EZ"),
        ("SELECT 1; SELECT nothing", "1EZ"),
        ("SELECT 1; SELECT 'no end", "1EZ"),
        ("BEGIN; COMMIT", "1EZ"),
        ("SELECT 1;;", "112DCZ"),
        (";; SELECT 1", "112DCZ"),
        ("SELECT ';' -- ;", "112DCZ"),
    ] {
        let messages = [
            parse("s", "SELECT 0"),
            parse("", text),
            bind("", "", &[], 0),
            execute("", 0),
            sync(),
        ];
        assert_eq!(batch(text, &messages).await, kinds, "{text}");
        let failed = [
            (query("BEGIN; SELECT 1/0"), b'Z'),
            (messages.concat(), b'Z'),
            (query("ROLLBACK"), b'Z'),
        ];
        both_say_the_same(text, &failed).await;
    }
}

/// Bodies that no message has: each of these cut anywhere, and with bytes behind it.
fn misshapen() -> Vec<Vec<u8>> {
    let mut all = vec![message(b'D', b"Xs\0"), message(b'C', b"\xffs\0")];
    for whole in [
        query("SELECT 1"),
        message(b'P', b"t\0SELECT $1\0\0\x01\0\0\0\x17"),
        bind("", "s", &["1"], 1),
        describe('S', "s"),
        execute("", 0),
        close('P', "p"),
    ] {
        let (kind, body) = (whole[0], &whole[5..]);
        all.extend((0..body.len()).map(|length| message(kind, &body[..length])));
        all.extend([&b"\0"[..], b"more"].map(|more| message(kind, &[body, more].concat())));
    }
    all
}

#[tokio::test]
async fn a_message_whose_fields_do_not_fill_it_is_an_error_of_that_message() {
    let proxy = Proxy::start().await;
    let prepared = parse("s", "SELECT $1::int4");
    for before in [
        &prepared[..],
        &[&prepared[..], &sync(), &query("BEGIN")].concat(),
    ] {
        for spoilt in misshapen() {
            let behind = query("SELECT 'behind'");
            let ends = if spoilt[0] == b'Q' {
                Vec::new()
            } else {
                sync()
            };
            let bytes = [before, &sync(), &spoilt, &ends, &behind].concat();
            let answers = whole_sessions(&proxy, &bytes).await;
            // Where the value of a parameter is cut, Postgres says in the context which.
            let [got, expected] = answers.map(|answer| without(b"FLRW", answer));
            assert_eq!(got, expected, "{:?}", String::from_utf8_lossy(&spoilt));
        }
    }
}
