//! `pgveil check --sample` where a transcript can't say what is printed: of a large table, whose rows
//! are drawn, and of one that somebody has locked. No value is printed.

use std::process::Command;

use serde_json::Value;
use tokio_postgres::NoTls;

fn sample(url: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_pgveil"))
        .args(["check", "--sample", "--json", "-c"])
        .arg(super::folder().join("sampled.toml"))
        .env("DATABASE_URL", url)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What is said of a column of a large table, of which some pages are read, and of one that is locked.
pub(super) async fn is_of_large_tables_too(url: &str, owner: &str) {
    let (mut client, connection) = tokio_postgres::connect(owner, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    // In the order of the keys, the recent ones in the end.
    let large = "CREATE TABLE events (body jsonb, note text); GRANT SELECT ON events TO reader;\
        INSERT INTO events SELECT jsonb_build_object('by', g / 10 + 1, 'cents', g % 900 * 11), repeat('x', 40)\
        FROM generate_series(1, 390000) g; ANALYZE events";
    client.batch_execute(large).await.unwrap();
    let transaction = client.transaction().await.unwrap();
    let lock = "LOCK TABLE providers IN ACCESS EXCLUSIVE MODE";
    transaction.batch_execute(lock).await.unwrap();
    let url = url.to_owned();
    let report = tokio::task::spawn_blocking(move || sample(&url))
        .await
        .unwrap();
    transaction.rollback().await.unwrap();
    let findings = report["findings"].as_array().unwrap();
    let mut of_events = findings
        .iter()
        .filter(|of| of["column"] == "public.events.body");
    let found = &of_events.next().unwrap()["sample"];
    assert_eq!(
        (&found["domain"], &found["path"]),
        (&"user".into(), &"$.by".into())
    );
    assert_eq!(found["keys"], found["values"]);
    let rows = found["rows"].as_u64().unwrap();
    assert!((500..=2000).contains(&rows), "{rows}");
    assert!(of_events.next().is_none());
    let skipped = report["skipped"].as_array().unwrap();
    assert!(
        skipped.contains(&"public.providers is locked by somebody".into()),
        "{skipped:?}"
    );
    drop(client);
    connection.await.unwrap().unwrap();
}

/// Nothing that is stored is in what is printed: members that may be values neither.
pub(super) fn shows_no_value(url: &str) {
    let report = sample(url).to_string();
    for value in [
        "@",
        "39700",
        "7000007919",
        "019a5b2c",
        "0C4CA",
        "gateway",
        "broken",
    ] {
        assert!(!report.contains(value), "{value}: {report}");
    }
}
