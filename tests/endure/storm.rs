//! Neighbours that define and drop things in a loop, on the server itself and through pgveil:
//! sessions that are at work beside them go on, and logins are let in, however old the catalog
//! may be.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pgveil::postgres::Postgres;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::ddl::{SCHEMA, Storm};
use crate::proxy::{PATIENCE, Proxy};
use crate::work::{self, Id, Worker};
use crate::{connect, direct, server, size, turn, words};

/// How long a storm lasts if nothing is said, in seconds.
const SHORT_S: usize = 3;

const NEIGHBOURS: usize = 4;
const SESSIONS: usize = 20;
const LOGINS: usize = 200;

/// Gives what went wrong with a session that works until the storm is over, and how often it has
/// worked.
async fn session(
    port: u16,
    name: usize,
    id: Id,
    storm: Arc<Storm>,
) -> Result<(usize, Vec<String>), String> {
    let told = |what: &str, error| format!("session {name} {what}: {}", words(&error));
    let client = connect(port, "postgres").await;
    let client = client.map_err(|error| told("does not begin", error))?;
    let worker = Worker::begin(client, id).await;
    let mut worker = worker.map_err(|error| told("does not prepare", error))?;
    let (mut turns, mut refused) = (0, Vec::new());
    while !storm.is_over() {
        match tokio::time::timeout(PATIENCE, worker.go()).await {
            Ok(Ok(())) => turns += 1,
            Ok(Err(error)) if worker.is_closed() => return Err(told("is ended", error)),
            Ok(Err(error)) => refused.push(told("gets an error", error)),
            Err(_) => return Err(format!("session {name} has no answer")),
        }
        sleep(Duration::from_millis(50)).await;
    }
    Ok((turns, refused))
}

/// A client that comes, asks once, and goes.
async fn login(port: u16, name: usize) -> Result<(), String> {
    let told = |what: &str, error| format!("login {name} {what}: {}", words(&error));
    let visit = async {
        let client = connect(port, "postgres").await;
        let client = client.map_err(|error| told("fails", error))?;
        let row = client.query_one("SELECT id FROM users LIMIT 1", &[]).await;
        row.map_err(|error| told("gets an error", error))
    };
    let visit = tokio::time::timeout(PATIENCE, visit).await;
    let row = visit.map_err(|_| format!("login {name} has no answer"))??;
    row.try_get::<_, Id>(0)
        .map(drop)
        .map_err(|error| format!("login {name} is shown no id: {error}"))
}

/// Sessions and logins through one proxy until the storm is over; gives what went wrong.
async fn sail(port: u16, ids: Vec<Id>, time: Duration, storm: Arc<Storm>) -> (usize, Vec<String>) {
    let mut sessions = JoinSet::new();
    for (name, id) in ids.into_iter().take(SESSIONS).enumerate() {
        sessions.spawn(session(port, name, id, Arc::clone(&storm)));
    }
    let mut logins = JoinSet::new();
    let end = Instant::now() + time;
    for name in 0..LOGINS {
        logins.spawn(login(port, name));
        sleep((end - Instant::now()) / u32::try_from(LOGINS - name).unwrap()).await;
    }
    let mut wrong = Vec::new();
    while let Some(login) = logins.join_next().await {
        wrong.extend(login.unwrap().err());
    }
    storm.end();
    let mut turns = 0;
    while let Some(session) = sessions.join_next().await {
        match session.unwrap() {
            Ok((done, refused)) => {
                turns += done;
                wrong.extend(refused);
            }
            Err(words) => wrong.push(words),
        }
    }
    (turns, wrong)
}

/// A storm around proxies that differ in how old their catalogs may be; one neighbour is a client
/// of the proxy.
async fn weather(postgres: &Postgres, max_age_s: usize, seconds: usize) {
    let mut proxy = Proxy::start(postgres, &format!("catalog_max_age_s = {max_age_s}")).await;
    let first = connect(proxy.port, "postgres").await.unwrap();
    let ids = work::ids(&first).await;
    let storm = Arc::new(Storm::default());
    let mut neighbours = JoinSet::new();
    for name in 1..=NEIGHBOURS {
        let (client, storm) = (direct(postgres).await, Arc::clone(&storm));
        neighbours.spawn(async move { storm.blow(&client, name).await });
    }
    let inside = Arc::clone(&storm);
    neighbours.spawn(async move { inside.blow(&first, NEIGHBOURS + 1).await });
    let time = Duration::from_secs(seconds as u64);
    let (turns, mut wrong) = sail(proxy.port, ids, time, Arc::clone(&storm)).await;
    while let Some(neighbour) = neighbours.join_next().await {
        wrong.extend(neighbour.unwrap().err());
    }
    let done = storm.done.load(Ordering::Relaxed);
    let failed = storm.failed.load(Ordering::Relaxed);
    println!(
        "catalogs of {max_age_s} s: {done} definitions ({failed} failed), {turns} turns of \
         {SESSIONS} sessions, {LOGINS} logins, {} went wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(10)]);
    assert!(proxy.lives());
    proxy.assert_clean_log();
    assert!(done > failed && done > 50, "that was no storm");
    assert!(turns > SESSIONS, "hardly anything was done");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neighbours_that_define_in_a_loop_fail_no_session_and_no_login() {
    let _turn = turn().await;
    let postgres = server(300);
    let admin = direct(&postgres).await;
    admin.batch_execute(SCHEMA).await.unwrap();
    let seconds = size("STORM", SHORT_S, 60);
    // Where no snapshot is trusted, what the neighbour behind pgveil defines may be ended by what the
    // others do to the same tables: by flag.
    let ages: &[usize] = if seconds > SHORT_S {
        &[60, 1, 0]
    } else {
        &[60, 1]
    };
    for &max_age_s in ages {
        weather(&postgres, max_age_s, seconds).await;
    }
}
