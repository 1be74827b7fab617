//! A client that is gone is noticed whatever its session waits for: its backend ends, and with it
//! its transaction and its locks.

use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;

use crate::definitions::{Stand, ask};
use crate::support::*;

/// How a client goes.
#[derive(Debug, Clone, Copy)]
enum Leave {
    /// It closes its socket.
    Close,
    /// The same, and what it has not read is lost.
    Reset,
    /// It says so and stays where it is.
    Terminate,
    /// It closes its sending side and reads on.
    HalfClose,
}

const LEAVES: [Leave; 4] = [
    Leave::Close,
    Leave::Reset,
    Leave::Terminate,
    Leave::HalfClose,
];

/// What a session of a client that has a lock may wait for when the client goes.
fn waits() -> Vec<(&'static str, Vec<u8>)> {
    let parse = |sql: &str| message(b'P', format!("\0{sql}\0\0\0").as_bytes());
    let bind = message(b'B', &[0; 8]);
    let execute = message(b'E', &[0; 5]);
    let sync = message(b'S', b"");
    let copy = "COPY gone FROM STDIN";
    let huge = [query(copy), message(b'd', &b"1\n".repeat(4 << 20))].concat();
    vec![
        ("nothing", Vec::new()),
        ("the rest of a message", query("SELECT 1")[..9].to_vec()),
        ("the rest of a header", b"Q\0".to_vec()),
        (
            "a Sync",
            [parse("SELECT 1"), bind.clone(), execute.clone()].concat(),
        ),
        ("a Sync after an error", parse("SELECT no_such_column")),
        ("a Sync after a Flush with a body", message(b'H', b"body")),
        (
            "texts after a Flush with a body",
            [message(b'H', b"body"), query("SELECT 1"), query("SELECT 2")].concat(),
        ),
        ("a Sync with a body", message(b'S', b"body")),
        (
            "texts after a Sync with a body",
            [message(b'S', b"body"), query("SELECT 1"), query("SELECT 2")].concat(),
        ),
        ("data", query(copy)),
        (
            "the rest of the data",
            [query(copy), message(b'd', b"1\n2")].concat(),
        ),
        (
            "the rest of a message of data",
            [query(copy), vec![b'd', 0, 0, 9, 0, b'1']].concat(),
        ),
        (
            "data, with a Sync that is none",
            [query(copy), message(b'd', b"1\n"), sync.clone()].concat(),
        ),
        (
            "data, with a Flush and a body",
            [query(copy), message(b'd', b"1\n"), message(b'H', b"body")].concat(),
        ),
        (
            "data, in the extended protocol",
            [
                parse(copy),
                bind.clone(),
                execute.clone(),
                sync.clone(),
                sync,
            ]
            .concat(),
        ),
        (
            "a Sync after data that failed",
            [
                parse(copy),
                bind,
                execute,
                message(b'd', b"x\n"),
                message(b'c', b"body"),
            ]
            .concat(),
        ),
        ("much data", huge),
        (
            "the end of a long answer",
            query("SELECT repeat('x', 1000) FROM generate_series(1, 100000)"),
        ),
    ]
}

impl Leave {
    /// Leaves. Gives the socket of a client that does not close it.
    async fn goes(self, mut raw: Raw) -> Option<Raw> {
        match self {
            Self::Close => None,
            Self::Reset => {
                let _ = socket2::SockRef::from(&raw.0).set_linger(Some(Duration::ZERO));
                None
            }
            Self::Terminate => {
                raw.send(&message(b'X', b"")).await;
                Some(raw)
            }
            Self::HalfClose => {
                raw.hang_up().await;
                Some(raw)
            }
        }
    }
}

/// Whether the backend of an application is there.
async fn is_there(admin: &tokio_postgres::Client, application: &str) -> bool {
    let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1";
    let row = admin.query_one(count, &[&application]).await.unwrap();
    row.get::<_, i64>(0) > 0
}

#[tokio::test]
async fn the_backend_of_a_client_that_goes_ends_whatever_its_session_waits_for() {
    let proxy = Proxy::start().await;
    let admin = direct().await;
    admin
        .batch_execute("CREATE TABLE gone (id text); CREATE TABLE gone_locked (id text)")
        .await
        .unwrap();
    let mut running = Vec::new();
    for (number, (wait, bytes)) in waits().into_iter().enumerate() {
        for leave in LEAVES {
            let application = format!("gone {number} {leave:?}");
            let mut raw = Raw::connect(proxy.address).await;
            let parameters = ["user", "postgres", "application_name", &application];
            raw.send(&startup(3 << 16, &parameters)).await;
            raw.until_ready().await;
            raw.send(&query("BEGIN; LOCK TABLE gone_locked IN ROW SHARE MODE"))
                .await;
            raw.until_ready().await;
            // What does not fit into the sockets is not waited for.
            let sending = raw.send(&bytes);
            let _ = tokio::time::timeout(Duration::from_secs(1), sending).await;
            running.push((wait, leave, application, raw));
        }
    }
    // Everything that can come has come.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut left = Vec::new();
    for (wait, leave, application, raw) in running {
        assert!(is_there(&admin, &application).await, "{wait}, {leave:?}");
        let unfinished = wait.starts_with("the rest of a") || wait == "much data";
        // It would be taken for a part of the message.
        let stays = match leave {
            Leave::Terminate if unfinished => None,
            _ => leave.goes(raw).await,
        };
        // Whoever stays reads what comes.
        let stays = stays.map(|mut raw| {
            tokio::spawn(async move { tokio::io::copy(&mut raw.0, &mut tokio::io::sink()).await })
        });
        left.push((wait, leave, application, stays));
    }
    for (wait, leave, application, _stays) in left {
        let started = Instant::now();
        while is_there(&admin, &application).await {
            assert!(started.elapsed() < PATIENCE, "{wait}, {leave:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    // Nobody holds the lock any more.
    let lock = "SET lock_timeout = '1s'; BEGIN; LOCK TABLE gone_locked; COMMIT";
    admin.batch_execute(lock).await.unwrap();
}

/// What a session does that leaves while a transaction of it is open, or while a definition is under
/// way, and how many answers it reads before.
fn unfinished() -> [(&'static str, usize); 4] {
    let again = "drop table plain cascade; create table plain (id bigint, note text)";
    [
        (
            "begin; drop table plain cascade; create table plain (id bigint)",
            1,
        ),
        (
            "begin; create table made (id bigint); drop table made; drop table plain cascade",
            1,
        ),
        (again, 1),
        // Nobody knows what has become of it before the server has closed the connection.
        (again, 0),
    ]
}

/// What a session has defined that is gone stands in nobody's way. Where no snapshot is trusted every
/// answer is compared with what others may have defined meanwhile.
#[tokio::test]
async fn what_a_session_has_defined_that_is_gone_is_over() {
    let stand = Stand::new("gone_defined", "catalog_max_age_s = 0").await;
    let others = "SELECT count(*) FROM pg_stat_activity
                  WHERE datname = 'gone_defined' AND pid <> pg_backend_pid()";
    for (text, answers) in unfinished() {
        // Or the server ends it.
        let end = others.replace("count(*)", "pg_terminate_backend(pid)");
        for leave in LEAVES.map(Some).into_iter().chain([None]) {
            for inside in [false, true] {
                let what = format!("{text}, {leave:?}, inside the boundary: {inside}");
                stand.begin_anew().await;
                let mut leaving = match inside {
                    false => stand.session().await,
                    true => stand.migrator().await,
                };
                leaving.send(&query(text)).await;
                if answers > 0 {
                    assert!(!leaving.until_ready().await.closed, "{what}");
                }
                let _stays = match leave {
                    Some(leave) => leave.goes(leaving).await,
                    None => {
                        stand.direct.batch_execute(&end).await.expect("an end");
                        Some(leaving)
                    }
                };
                let started = Instant::now();
                while stand
                    .direct
                    .query_one(others, &[])
                    .await
                    .unwrap()
                    .get::<_, i64>(0)
                    > 0
                {
                    assert!(started.elapsed() < PATIENCE, "{what}");
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                // That the server has closed the connection is heard a moment later.
                tokio::time::sleep(Duration::from_millis(50)).await;
                let mut session = stand.session().await;
                for text in [
                    "begin",
                    "drop table plain cascade",
                    "create table plain (id bigint)",
                    "create table made (id bigint)",
                    "rollback",
                ] {
                    let answer = ask(&mut session, text, &what).await;
                    assert_eq!(answer.error(b'M'), None, "{what}: {text}");
                }
                session.send(&message(b'X', b"")).await;
                session.until_closed().await;
            }
        }
    }
}

/// What changes nothing for a client, and tells whether it is there.
fn probe() -> Vec<u8> {
    message(b'S', b"integer_datetimes\0on\0")
}

/// What a session owes to its client for long.
fn long(seconds: f32) -> Vec<(&'static str, Vec<u8>)> {
    let sleep = format!("SELECT pg_sleep({seconds})");
    let copy = format!("COPY (SELECT 'x' FROM pg_sleep({seconds})) TO STDOUT");
    let parse = |sql: &str| message(b'P', format!("\0{sql}\0\0\0").as_bytes());
    let (bind, execute) = (message(b'B', &[0; 8]), message(b'E', &[0; 5]));
    let sync = message(b'S', b"");
    vec![
        ("an answer", query(&sleep)),
        (
            "the second answer",
            [query("SELECT 1"), query(&sleep)].concat(),
        ),
        ("data", query(&copy)),
        ("a row", [parse(&sleep), bind, execute, sync].concat()),
    ]
}

/// By the end of what a client sends nobody can tell whether it still reads.
#[tokio::test]
async fn the_session_of_a_client_that_closes_its_socket_does_not_wait_for_the_server() {
    let proxy = Proxy::start().await;
    let application = "gone for good";
    for (owed, bytes) in long(60.0) {
        let mut raw = Raw::connect(proxy.address).await;
        let parameters = ["user", "postgres", "application_name", application];
        raw.send(&startup(3 << 16, &parameters)).await;
        raw.until_ready().await;
        raw.send(&bytes).await;
        if owed == "the second answer" {
            raw.until_ready().await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(proxy.vitals.sessions(0, 10).0.len(), 1, "{owed}");
        drop(raw);
        let started = Instant::now();
        while !proxy.vitals.sessions(0, 10).0.is_empty() {
            assert!(started.elapsed() < PATIENCE, "{owed}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    // As without a proxy, the server itself notices when it has something to say.
    let admin = direct().await;
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1";
    admin.execute(end, &[&application]).await.unwrap();
}

#[tokio::test]
async fn a_client_that_only_reads_is_asked_whether_it_is_there_and_gets_its_answer() {
    let proxy = Proxy::start().await;
    let address: std::net::SocketAddr = ([127, 0, 0, 1], postgres().port()).into();
    for (owed, bytes) in long(2.5) {
        let bytes = &bytes;
        let answers = [address, proxy.address].map(|address| async move {
            let mut raw = Raw::session(address).await;
            raw.send(bytes).await;
            raw.hang_up().await;
            let mut shown = Vec::new();
            let read = tokio::time::timeout(PATIENCE, raw.0.read_to_end(&mut shown));
            read.await.expect("an end in time").expect("an answer");
            shown
        });
        let [expected, shown] = answers;
        let (expected, shown) = tokio::join!(expected, shown);
        let probe = probe();
        let places: Vec<usize> = memchr::memmem::find_iter(&shown, &probe).collect();
        assert!(!places.is_empty(), "{owed}");
        let mut rest = shown;
        for place in places.iter().rev() {
            rest.drain(*place..*place + probe.len());
        }
        assert_eq!(
            rest.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{owed}"
        );
    }
}

/// Answers as Postgres gives them, also where it takes a message for nothing.
#[tokio::test]
async fn bodies_where_none_may_be_are_judged_as_postgres_judges_them() {
    let proxy = Proxy::start().await;
    let sync = || message(b'S', b"");
    let parse = |sql: &str| message(b'P', format!("\0{sql}\0\0\0").as_bytes());
    let copy = [
        parse("COPY (SELECT 1) TO STDOUT"),
        message(b'B', &[0; 8]),
        message(b'E', &[0; 5]),
    ];
    let copy_in = || query("CREATE TEMP TABLE c (a int); COPY c FROM STDIN");
    let cases = [
        [
            message(b'H', b"body"),
            query("SELECT 1"),
            sync(),
            query("SELECT 2"),
        ]
        .concat(),
        [message(b'S', b"body"), query("SELECT 2")].concat(),
        [
            copy.concat(),
            message(b'H', b"body"),
            copy.concat(),
            sync(),
            query("SELECT 2"),
        ]
        .concat(),
        [
            message(b'c', b"body"),
            message(b'f', b"body"),
            query("SELECT 2"),
        ]
        .concat(),
        [
            copy_in(),
            message(b'd', b"1\n"),
            sync(),
            message(b'H', b"body"),
            message(b'c', b"body"),
        ]
        .concat(),
        [
            copy_in(),
            message(b'd', b"x\n"),
            message(b'c', b""),
            query("SELECT 2"),
        ]
        .concat(),
        [query("SELECT 2"), message(b'X', b"body")].concat(),
        [message(b'S', b"body"), message(b'X', b"body")].concat(),
    ];
    for bytes in cases {
        let mut answers = Vec::new();
        let address: std::net::SocketAddr = ([127, 0, 0, 1], postgres().port()).into();
        for address in [address, proxy.address] {
            let mut raw = Raw::session(address).await;
            raw.send(&bytes).await;
            raw.hang_up().await;
            let mut shown = Vec::new();
            let read = tokio::time::timeout(PATIENCE, raw.0.read_to_end(&mut shown));
            let _ = read.await.expect("an end in time");
            answers.push(String::from_utf8_lossy(&shown).into_owned());
        }
        assert_eq!(answers[1], answers[0], "{}", bytes.escape_ascii());
    }
}
