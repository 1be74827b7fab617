//! What the catalogs of a real Postgres tell of a change: a look sees it, and a snapshot that has
//! asked for what has changed is the one that has asked for everything.
//!
//! `PGVEIL_CHANGES_STEPS` and `PGVEIL_CHANGES_SEED` make up more definitions, or others.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed"
)]

mod asked;
mod each;
mod made_up;
#[path = "../faults/random.rs"]
mod random;

use std::sync::OnceLock;

use pgveil::postgres::{Options, Postgres};
use tokio_postgres::{Client, NoTls};

use asked::{Known, Told, everything, is_right};
use each::{CHANGES, NAMED};
use made_up::Definitions;
use random::Random;

fn postgres() -> &'static Postgres {
    static POSTGRES: OnceLock<Postgres> = OnceLock::new();
    POSTGRES.get_or_init(|| {
        let options = Options::from_env().setting("autovacuum", "off");
        Postgres::start(&options).expect("a Postgres")
    })
}

async fn session(database: &str) -> Client {
    let url = postgres().url(database);
    let (client, connection) = tokio_postgres::connect(&url, NoTls)
        .await
        .expect("Postgres");
    tokio::spawn(connection);
    client
}

/// Sessions with a database of their own.
async fn stand<const N: usize>(database: &str, schema: &[&str]) -> [Client; N] {
    let create = format!("create database {database}");
    session("postgres")
        .await
        .batch_execute(&create)
        .await
        .unwrap();
    let mut sessions = Vec::new();
    for _ in 0..N {
        sessions.push(session(database).await);
    }
    for text in schema {
        sessions[0].batch_execute(text).await.expect(text);
    }
    sessions.try_into().unwrap()
}

/// What [`CHANGES`] need.
const BEFORE: [&str; 2] = [
    "create function q(int, text) returns boolean language sql as 'select true'",
    "create type e3 as enum ('a')",
];

#[tokio::test]
async fn a_look_sees_each_kind_of_change() {
    let [asking, other] = stand("changes_look", &BEFORE).await;
    let mut known = everything(&asking, None).await.known();
    for text in CHANGES {
        assert!(is_right(&asking, &known).await, "before {text}");
        if text.contains("begin;") {
            other.batch_execute(text).await.expect(text);
        } else {
            // What is rolled back has changed nothing, and nothing is seen of it meanwhile.
            other
                .batch_execute(&format!("begin; {text}"))
                .await
                .expect(text);
            let meanwhile = everything(&asking, None).await.known();
            other.batch_execute("rollback").await.unwrap();
            for known in [&known, &meanwhile] {
                assert!(is_right(&asking, known).await, "without {text}");
            }
            // One that is younger and is committed before.
            other
                .batch_execute(&format!("begin; {text}"))
                .await
                .expect(text);
            let younger = session("changes_look").await;
            younger
                .batch_execute("create schema younger")
                .await
                .unwrap();
            assert!(!is_right(&asking, &known).await, "younger than {text}");
            let between = everything(&asking, None).await.known();
            other.batch_execute("commit").await.unwrap();
            assert!(!is_right(&asking, &between).await, "older: {text}");
            younger.batch_execute("drop schema younger").await.unwrap();
        }
        assert!(!is_right(&asking, &known).await, "{text}");
        known = everything(&asking, None).await.known();
    }
}

/// The snapshot of what has changed, which must be that of everything.
async fn same(asking: &Client, known: &Known, what: &str) -> Told {
    asking
        .batch_execute("begin isolation level repeatable read")
        .await
        .unwrap();
    let told = alike(asking, known, what).await;
    asking.batch_execute("rollback").await.unwrap();
    told
}

/// The same inside of whatever transaction is open.
async fn alike(asking: &Client, known: &Known, what: &str) -> Told {
    let all = everything(asking, Some(known)).await;
    let some = asked::changes(asking, known).await;
    assert_eq!(some.differences(&all), Vec::<String>::new(), "{what}");
    some
}

#[tokio::test]
async fn a_snapshot_of_each_kind_of_change_is_that_of_everything() {
    let [asking, other, older] = stand("changes_each", &BEFORE).await;
    let first = everything(&asking, None).await.known();
    let mut known = everything(&asking, None).await.known();
    for text in CHANGES.iter().chain(NAMED) {
        let begin = "begin isolation level repeatable read; select";
        older.batch_execute(begin).await.unwrap();
        let undone = !text.contains("begin;");
        if undone {
            // The session that asks sees what it does itself.
            let begin = format!("begin; {text}");
            asking.batch_execute(&begin).await.expect(text);
            alike(&asking, &known, &format!("inside: {text}")).await;
            asking.batch_execute("rollback").await.unwrap();
            same(&asking, &known, &format!("rolled back: {text}")).await;
            other
                .batch_execute(&format!("begin; {text}"))
                .await
                .expect(text);
            same(&asking, &known, &format!("meanwhile: {text}")).await;
            other.batch_execute("commit").await.unwrap();
        } else {
            other.batch_execute(text).await.expect(text);
        }
        let told = same(&asking, &known, text).await;
        assert!(!told.full, "{text}");
        known = told.known();
        // One that is still before it: where nothing is gone, so that its definitions can be read.
        if text.starts_with("alter schema") {
            let before = alike(&older, &known, &format!("before: {text}")).await;
            assert!(before.full, "before: {text}");
        }
        older.batch_execute("rollback").await.unwrap();
    }
    // However much has changed.
    assert!(!same(&asking, &first, "all of it").await.full);
}

fn number(name: &str, otherwise: u64) -> u64 {
    let value = std::env::var(format!("PGVEIL_CHANGES_{name}")).ok();
    value.map_or(otherwise, |value| value.parse().expect("a number"))
}

/// Statements of one session, of which some fail; inside of a transaction those are undone.
async fn run(client: &Client, texts: &[String], inside: bool, done: &mut usize) -> Vec<String> {
    let mut ran = Vec::new();
    for text in texts {
        let whole = if inside {
            let savepoint = format!("savepoint one; {text}; release savepoint one");
            client.batch_execute(&savepoint).await
        } else {
            client.batch_execute(text).await
        };
        if whole.is_err() && inside {
            let undo = "rollback to savepoint one; release savepoint one";
            client.batch_execute(undo).await.unwrap();
        }
        *done += usize::from(whole.is_ok());
        ran.push(format!(
            "{text}{}",
            if whole.is_ok() { "" } else { " -- fails" }
        ));
    }
    ran
}

/// What is done between two snapshots.
async fn step(
    (asking, other, third): (&Client, &Client, &Client),
    known: &Known,
    random: &mut Random,
    done: &mut usize,
) -> Told {
    let mut some = Definitions::some(random);
    match random.below(6) {
        // Another session does something.
        0 | 1 => {
            let ran = run(other, &some, false, done).await;
            same(asking, known, &ran.join(";\n")).await
        }
        // In a transaction, seen before its end or not, and perhaps undone; another one meanwhile.
        2 => {
            other.batch_execute("begin").await.unwrap();
            let mut ran = run(other, &some, true, done).await;
            some = Definitions::some(random);
            third
                .batch_execute("set lock_timeout = '20ms'")
                .await
                .unwrap();
            ran.extend(run(third, &some, false, done).await);
            let mut known = Known::clone(known);
            if random.below(2) == 0 {
                known = same(asking, &known, &ran.join(";\n")).await.known();
            }
            let end = ["commit", "rollback"][random.below(2)];
            other.batch_execute(end).await.unwrap();
            same(asking, &known, &format!("{}; {end}", ran.join(";\n"))).await
        }
        // The session that asks does so itself, and asks in between.
        3 | 4 => {
            asking
                .batch_execute("begin; savepoint outer_one")
                .await
                .unwrap();
            let mut ran = run(asking, &some, true, done).await;
            alike(asking, known, &ran.join(";\n")).await;
            if random.below(2) == 0 {
                asking
                    .batch_execute("rollback to savepoint outer_one")
                    .await
                    .unwrap();
                ran.push("-- undone".to_owned());
            }
            ran.extend(run(asking, &Definitions::some(random), true, done).await);
            alike(asking, known, &ran.join(";\n")).await;
            let end = ["commit", "rollback"][random.below(2)];
            asking.batch_execute(end).await.unwrap();
            ran.push(end.to_owned());
            same(asking, known, &ran.join(";\n")).await
        }
        // It looks at an older state than that of its snapshot.
        _ => {
            let begin = "begin isolation level repeatable read; select";
            asking.batch_execute(begin).await.unwrap();
            let ran = run(other, &some, false, done).await.join(";\n");
            let newer = same(third, known, &ran).await.known();
            alike(asking, &newer, &format!("before: {ran}")).await;
            asking.batch_execute("rollback").await.unwrap();
            same(asking, &newer, &ran).await
        }
    }
}

#[tokio::test]
async fn a_snapshot_of_what_has_changed_is_that_of_everything() {
    let (steps, seed) = (number("STEPS", 40), number("SEED", 10));
    let mut random = Random(seed);
    let [asking, other, third] = stand("changes_random", made_up::BEFORE).await;
    for client in [&asking, &other, &third] {
        client.batch_execute(made_up::PATH).await.unwrap();
    }
    run(&other, &Definitions::first(&mut random), false, &mut 0).await;
    let mut known = everything(&asking, None).await.known();
    let (mut done, mut full) = (0, 0);
    for _ in 0..steps {
        let clients = (&asking, &other, &third);
        let told = step(clients, &known, &mut random, &mut done).await;
        full += u64::from(told.full);
        known = told.known();
    }
    println!("{steps} steps of {done} definitions, {full} of which asked for everything");
    assert!(done as u64 > steps, "hardly anything was defined");
    assert!(full * 10 < steps, "mostly everything was asked for");
}
