//! The list of sessions of a running proxy, and what ends one of them.

use std::time::{Duration, Instant};

use pgveil::postgres::{Options, Postgres};
use serde_json::Value;
use tokio_postgres::error::SqlState;

use super::http::{get, request, send};
use super::{PATIENCE, Serve, ask, connect, free_port};

pub(super) fn post(port: u16, path: &str) -> u16 {
    send(port, &request("POST", path, &[], "")).status
}

fn document(port: u16, path: &str) -> Value {
    let answer = get(port, path);
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).unwrap()
}

/// The session of an application as soon as it is in this state.
async fn waits_for(port: u16, application: &str, state: &str) -> Value {
    let started = Instant::now();
    loop {
        let all = document(port, "/v1/sessions");
        let mut found = all["sessions"].as_array().unwrap().iter();
        if let Some(row) =
            found.find(|row| row["application"] == application && row["state"] == state)
        {
            return row.clone();
        }
        assert!(started.elapsed() < PATIENCE, "{all}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn served() -> (Postgres, Serve, u16) {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    let table = "CREATE TABLE users (id bigint PRIMARY KEY, name text); \
                 INSERT INTO users VALUES (8613972450000001, 'ann')";
    inside.batch_execute(table).await.unwrap();
    let listen = free_port();
    let admin = format!(
        "[admin]\nlisten = \"127.0.0.1:{listen}\"\n[policy]\nbypass_roles = [\"inside\"]\n"
    );
    let serve = Serve::start_with(postgres.port(), &admin).await;
    (postgres, serve, listen)
}

fn url(serve: &Serve, application: &str) -> String {
    let port = serve.port;
    format!("postgres://postgres@127.0.0.1:{port}/postgres?application_name={application}")
}

#[tokio::test]
async fn each_session_is_told_with_what_it_does_and_nothing_of_its_statements() {
    let (postgres, serve, listen) = served().await;
    let client = connect(&url(&serve, "web")).await;
    let row = waits_for(listen, "web", "idle").await;
    assert_eq!(row["role"], "postgres");
    assert_eq!(row["database"], "postgres");
    assert_eq!(row["mode"], "enforce");
    assert_eq!(row["host"], format!("127.0.0.1:{}", postgres.port()));
    assert!(row["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
    assert_eq!(row["statements"], 0);
    let since = row["since"].as_str().unwrap();
    assert!(since.starts_with("20") && since.ends_with('Z'), "{since}");

    ask(&client, "SELECT id FROM users WHERE name = 'secret'").await;
    client.batch_execute("BEGIN").await.unwrap();
    let row = waits_for(listen, "web", "idle in transaction").await;
    assert_eq!(row["statements"], 2);
    client.query("SELECT id FROM users", &[]).await.unwrap();
    client
        .batch_execute("SELECT md5(id::text) FROM users")
        .await
        .unwrap_err();
    let row = waits_for(listen, "web", "idle in transaction (aborted)").await;
    assert_eq!(row["statements"], 4);
    client.batch_execute("ROLLBACK").await.unwrap();
    let row = waits_for(listen, "web", "idle").await;
    // One that is inside counts too, though nobody reads what it sends.
    let inside = connect(&postgres.url("postgres")).await;
    inside
        .batch_execute("CREATE ROLE inside LOGIN")
        .await
        .unwrap();
    let trusted = connect(&url(&serve, "ops").replace("postgres@", "inside@")).await;
    trusted.query("SELECT 1", &[]).await.unwrap();
    let ops = waits_for(listen, "ops", "idle").await;
    assert_eq!(
        (&ops["mode"], &ops["statements"]),
        (&"bypass".into(), &1.into())
    );
    // Those behind a number.
    let number = row["session"].as_u64().unwrap();
    let behind = document(listen, &format!("/v1/sessions?after={number}"));
    assert_eq!(behind["sessions"][0]["session"], ops["session"]);
    assert_eq!(behind["beyond"], 0);
    assert_eq!(get(listen, "/v1/sessions?after=x").status, 400);
    let text = document(listen, "/v1/sessions").to_string();
    for word in ["secret", "8613972450000001", "SELECT", "md5"] {
        assert!(!text.contains(word), "{text}");
    }
    // Gone with its client.
    drop(client);
    let started = Instant::now();
    while document(listen, "/v1/sessions").to_string().contains("web") {
        assert!(started.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // What was refused is told by its shape.
    let told = document(listen, "/v1/statements");
    let refused = &told["refused"][0];
    assert_eq!(refused["shape"], "SELECT md5(id::text) FROM users");
    assert_eq!(
        (&refused["verdict"], &refused["code"], &refused["calls"]),
        (&"refused".into(), &"expression".into(), &1.into())
    );
}

/// As `pg_terminate_backend` does it: the client hears why, and what Postgres runs for it ends too.
#[tokio::test]
async fn a_session_that_is_killed_ends_with_what_it_runs() {
    let (postgres, serve, listen) = served().await;
    let inside = connect(&postgres.url("postgres")).await;
    let other = connect(&url(&serve, "other")).await;
    let client = connect(&url(&serve, "slow")).await;
    let busy = tokio::spawn(async move { client.simple_query("SELECT pg_sleep(60)").await });
    let row = waits_for(listen, "slow", "active").await;
    let number = row["session"].as_u64().unwrap();
    let sleeps = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slow'";
    assert_eq!(ask(&inside, sleeps).await.as_deref(), Some("1"));
    assert_eq!(post(listen, &format!("/v1/sessions/{number}/kill")), 202);
    let error = busy.await.unwrap().unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::ADMIN_SHUTDOWN), "{error}");
    let told = error.as_db_error().unwrap().message();
    assert_eq!(told, "terminating connection due to administrator command");
    let started = Instant::now();
    while ask(&inside, sleeps).await.as_deref() != Some("0") {
        assert!(started.elapsed() < PATIENCE, "Postgres still runs it");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The others go on, and nobody is killed twice.
    assert_eq!(ask(&other, "SELECT 1").await.as_deref(), Some("1"));
    for path in ["", "x", "-1", "+7", "18446744073709551616"] {
        let refused = post(listen, &format!("/v1/sessions/{path}/kill"));
        assert_eq!(refused, 404, "{path}");
    }
    assert_eq!(post(listen, &format!("/v1/sessions/{number}/kill")), 404);
    let got = get(listen, "/v1/sessions/1/kill");
    assert_eq!(got.status, 405);
}

/// So that a key that was removed leaves running sessions, too.
#[tokio::test]
async fn recycled_sessions_end_when_they_are_idle_and_new_ones_begin() {
    let (_postgres, serve, listen) = served().await;
    let idle = connect(&url(&serve, "idle")).await;
    let busy = connect(&url(&serve, "busy")).await;
    busy.batch_execute("BEGIN").await.unwrap();
    waits_for(listen, "busy", "idle in transaction").await;
    assert_eq!(post(listen, "/v1/recycle"), 202);
    let next = connect(&url(&serve, "next")).await;
    let started = Instant::now();
    while !idle.is_closed() {
        assert!(started.elapsed() < PATIENCE, "it has not ended");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(ask(&busy, "SELECT 1").await.as_deref(), Some("1"));
    busy.batch_execute("COMMIT").await.unwrap();
    while !busy.is_closed() {
        assert!(started.elapsed() < PATIENCE, "it has not ended");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(ask(&next, "SELECT 1").await.as_deref(), Some("1"));
}

#[tokio::test]
async fn the_settings_that_hold_are_told_without_secrets() {
    let listen = free_port();
    let admin = format!(
        "[keys.ring.other]\ncommand = [\"sh\", \"-c\", \"cat FOLDER/new.key; : hunter2\"]\n\
         [admin]\nlisten = \"127.0.0.1:{listen}\"\n"
    );
    let serve = Serve::start_with(1, &admin).await;
    let told = document(listen, "/v1/config");
    let value = |table: &str, name: &str| {
        let all = told["settings"].as_array().unwrap();
        let mut found = all.iter();
        let found = found.find(|row| row["table"] == table && row["name"] == name);
        found
            .unwrap_or_else(|| panic!("{table} {name} in {told}"))
            .clone()
    };
    let mode = value("[policy]", "mode");
    assert_eq!(
        (&mode["value"], &mode["origin"]),
        (&"\"enforce\"".into(), &"default".into())
    );
    let column = value("[[id]]", "column");
    assert_eq!(column["value"], "\"public.users.id\"");
    assert!(column["origin"].as_str().unwrap().contains("pgveil.toml:"));
    assert_eq!(value("[keys.ring.other]", "command")["value"], "[\"…\"]");
    let text = told.to_string();
    let key = std::fs::read_to_string(serve.path("old.key")).unwrap();
    assert!(!text.contains("hunter2") && !text.contains(&key));
    // The same as the command line shows.
    let printed = std::process::Command::new(env!("CARGO_BIN_EXE_pgveil"))
        .args(["config", "print", "--effective", "-c"])
        .arg(serve.path("pgveil.toml"))
        .output()
        .unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    for row in told["settings"].as_array().unwrap() {
        let line = format!(
            "{} = {}",
            row["name"].as_str().unwrap(),
            row["value"].as_str().unwrap()
        );
        assert!(printed.lines().any(|other| other == line), "{line}");
    }
    let keys = document(listen, "/v1/keys");
    assert_eq!(keys["keys"][0]["name"], "old");
    assert_eq!(keys["keys"][0]["state"], "current");
    assert_eq!(keys["keys"][1]["state"], "older");
    let domains = document(listen, "/v1/domains");
    assert_eq!(domains["domains"][0]["column"], "public.users.id");
}
