//! A definition that takes its time, in one session: all others go on as without it, however they
//! ask, whoever sends it, and whether its transaction is over with it.

use std::time::{Duration, Instant};

use tokio::time::{sleep, timeout};

use crate::definitions::{Stand, ask, shows_key};
use crate::support::*;

/// How long it takes, and how long nobody may wait meanwhile.
const SECONDS: u64 = 3;
const SOON: Duration = Duration::from_millis(1000);

/// What takes so long, and whether it is sent by a role inside the trust boundary.
const LASTING: [(&str, bool); 8] = [
    ("create table made as select pg_sleep(3)::text as x", false),
    ("create table made as select pg_sleep(3)::text as x", true),
    (
        "begin; create table made (x int); select pg_sleep(3); rollback",
        false,
    ),
    (
        "begin; alter table plain add made int; select pg_sleep(3); rollback",
        true,
    ),
    ("alter table slow alter x type text using lasts(x)", true),
    ("create index on slow (lasts(x))", true),
    ("create materialized view made as select lasts('x')", true),
    (
        "do $$ begin create table made (x int); perform pg_sleep(3); drop table made; end $$",
        true,
    ),
];

const SLOW: &str = "
    create table slow as select 'x'::text as x;
    create function lasts(x text) returns text language plpgsql immutable
        as $$ begin perform pg_sleep(3); return x; end $$";

/// The ways in which the others ask.
const WAYS: [&str; 4] = ["simple", "unnamed", "prepared", "new"];

fn unnamed(text: &str) -> Vec<u8> {
    let parse = [b"\0", text.as_bytes(), b"\0\0\0"].concat();
    [message(b'P', &parse), run("")].concat()
}

fn run(statement: &str) -> Vec<u8> {
    let bind = [b"\0", statement.as_bytes(), &[0; 7]].concat();
    [
        message(b'B', &bind),
        message(b'D', b"P\0"),
        message(b'E', &[0; 5]),
        message(b'S', b""),
    ]
    .concat()
}

/// Asks for an id, again and again, until the definition is over. Gives how often.
async fn bystander(stand: &Stand, way: &str, mut session: Raw, until: Instant) -> usize {
    let text = "select id, note from users";
    let mut answers = 0;
    while Instant::now() < until {
        let asked = async {
            if way == "new" {
                session = stand.session().await;
            }
            session
                .send(&match way {
                    "unnamed" => unnamed(text),
                    "prepared" => run("s"),
                    _ => query(text),
                })
                .await;
            session.until_ready().await
        };
        let answer = timeout(SOON, asked).await;
        assert!(answer.is_ok(), "{way}: no answer, after {answers}");
        let answer = answer.unwrap();
        assert!(!answer.closed && !shows_key(&answer), "{way}: {answer:?}");
        assert!(answer.kinds().contains('D'), "{way}: {answer:?}");
        answers += 1;
        sleep(Duration::from_millis(20)).await;
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_definition_that_takes_its_time_keeps_nobody_else_waiting() {
    let stand = Stand::new("definitions_lasting", "catalog_max_age_s = 600").await;
    for (definition, trusted) in LASTING {
        stand.begin_anew().await;
        stand.direct.batch_execute(SLOW).await.unwrap();
        let mut one = match trusted {
            true => stand.migrator().await,
            false => stand.session().await,
        };
        let mut sessions = Vec::new();
        for way in WAYS {
            let mut session = stand.session().await;
            let prepare = [b"s\0", &b"select id, note from users"[..], b"\0\0\0"].concat();
            session
                .send(&[message(b'P', &prepare), message(b'S', b"")].concat())
                .await;
            session.until_ready().await;
            ask(&mut session, "select id from users", way).await;
            sessions.push((way, session));
        }
        one.send(&query(definition)).await;
        sleep(Duration::from_millis(300)).await;
        let until = Instant::now() + Duration::from_secs(SECONDS - 1);
        let asking = sessions
            .into_iter()
            .map(|(way, session)| bystander(&stand, way, session, until));
        for answers in futures_util::future::join_all(asking).await {
            assert!(answers > 5, "{definition}: {answers} answers");
        }
        let answer = one.until_ready().await;
        assert!(!answer.kinds().contains('E'), "{definition}: {answer:?}");
    }
}
