//! Where new rows land: the cost of the same inserts under keys that are in order and keys that are
//! not, direct and through pgveil, which shows opaque ids for all of them. It is the reason to keep
//! ordered keys inside.
//!
//! `cargo bench --bench locality -- [--rows 100000,10000000] [--batch 10000] [--clients 8]
//! [--seconds 20] [--plot docs/images/locality.svg]`. First each table is filled by statements of
//! `--batch` rows that return the new ids; then `--clients` of pgbench insert a row at a time beside
//! each other, for `--seconds`. The table has, for each key and way: rows per second over all, over
//! the last tenth, when the index may no longer fit into the buffers, and of the clients; the size
//! of the index; the WAL for each row of the batches; and the pages of the index that had to be
//! read for them.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark prints, and has nobody to report a fault to"
)]

#[path = "plot.rs"]
mod plot;
#[path = "process.rs"]
mod process;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use futures_util::TryStreamExt as _;
use pgveil::postgres::{Options, Postgres};
use process::{Proxy, argument, connect, count, number};
use tokio_postgres::Client;

/// Name and definition of the keys, and what the configuration says of them.
const KEYS: [(&str, &str, &str); 5] = [
    ("bigserial", "bigserial", ""),
    ("uuidv7", "uuid DEFAULT uuidv7()", ""),
    ("tuid", "uuid DEFAULT tuid()", "codec = \"aes\""),
    ("stuid", "bytea DEFAULT stuid()", "codec = \"wide\""),
    (
        "random",
        "uuid DEFAULT gen_random_uuid()",
        "codec = \"uuid\"\nversions = { 4 = 8 }",
    ),
];

/// The functions that make them.
const GENERATORS: [&str; 3] = [
    include_str!("../examples/sql/uuidv7.sql"),
    include_str!("../examples/sql/tuid.sql"),
    include_str!("../examples/sql/stuid.sql"),
];

/// What one run of inserts took.
struct Run {
    rows_per_second: f64,
    last_rows_per_second: f64,
    index_mb: f64,
    wal_bytes_per_row: f64,
    pages_read: i64,
}

/// Inserts the rows and reads the ids that come back.
async fn insert(client: &Client, table: &str, rows: u64, batch: u64) -> f64 {
    let sql = format!(
        "INSERT INTO {table} (note) SELECT 'a row' FROM generate_series(1, {batch}) RETURNING id"
    );
    let statement = client.prepare(&sql).await.expect("the insert");
    let started = Instant::now();
    for _ in 0..rows.div_ceil(batch) {
        let none: [i32; 0] = [];
        let returned = client.query_raw(&statement, none).await.expect("rows");
        let count: u64 = returned
            .try_fold(0, |count, _| async move { Ok(count + 1) })
            .await
            .expect("ids");
        assert_eq!(count, batch);
    }
    rows as f64 / started.elapsed().as_secs_f64()
}

async fn run(direct: &Client, through: &Client, table: &str, rows: u64, batch: u64) -> Run {
    let wal = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn";
    let wal = async || -> f64 {
        let row = direct
            .query_one(&format!("SELECT ({wal})::float8"), &[])
            .await;
        row.expect("the position").get(0)
    };
    let before = wal().await;
    let started = Instant::now();
    insert(through, table, rows - rows / 10, batch).await;
    let last = insert(through, table, rows / 10, batch).await;
    let seconds = started.elapsed().as_secs_f64();
    let after = wal().await;
    // Statistics come with the end of a transaction, at most once a second.
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    let sizes = direct
        .query_one(
            &format!(
                "SELECT pg_relation_size('{table}_pkey')::float8 / 1048576,
                    (SELECT idx_blks_read FROM pg_statio_user_indexes
                     WHERE indexrelname = '{table}_pkey')"
            ),
            &[],
        )
        .await
        .expect("sizes");
    Run {
        rows_per_second: rows as f64 / seconds,
        last_rows_per_second: last,
        index_mb: sizes.get(0),
        wal_bytes_per_row: (after - before) / rows as f64,
        pages_read: sizes.get(1),
    }
}

/// How many rows a second clients of pgbench insert, one in each transaction.
fn insert_beside(port: u16, user: &str, table: &str, clients: usize, seconds: u64) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("insert.sql");
    let text = format!("INSERT INTO {table} (note) VALUES ('a row') RETURNING id;\n");
    std::fs::write(&script, text).unwrap();
    let output = Command::new("pgbench")
        .args(["-n", "-M", "prepared", "-h", "127.0.0.1", "-j", "2"])
        .args(["-U", user, "-p", &port.to_string()])
        .args(["-c", &clients.to_string(), "-T", &seconds.to_string()])
        .arg("-f")
        .arg(&script)
        .arg("postgres")
        .output()
        .expect("pgbench");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let tps = text.lines().find_map(|line| line.strip_prefix("tps = "));
    let tps = tps.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    let said = String::from_utf8_lossy(&output.stderr);
    tps.ok_or(format!("{text}{said}"))
        .expect("what pgbench did")
}

#[tokio::main]
async fn main() {
    // `cargo test --benches` runs this, too; measuring is for `cargo bench`.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let batch = number("--batch", 10_000);
    let (clients, seconds) = (count("--clients", 8), number("--seconds", 20));
    let sizes = argument("--rows").unwrap_or_else(|| "100000,10000000".to_owned());
    let options = Options::from_env().setting("max_wal_size", "4GB");
    let postgres = Postgres::start(&options).expect("a Postgres");
    let folder = tempfile::tempdir().unwrap();
    let user = postgres.superuser();
    let direct = connect(postgres.port(), user).await;
    for generator in GENERATORS {
        let made = direct.batch_execute(generator).await;
        made.expect("a generator");
    }
    let columns = KEYS.map(|(key, _, settings)| (key, format!("public.{key}_pgveil.id"), settings));
    let ids: Vec<(&str, &str, &str)> = columns
        .iter()
        .map(|(key, column, settings)| (*key, column.as_str(), *settings))
        .collect();
    make_tables(&direct).await;
    let proxy = Proxy::start(&postgres, folder.path(), &ids);
    let through = connect(proxy.port, user).await;
    let mut groups = Vec::new();
    for size in sizes.split(',') {
        let rows: u64 = size.parse().expect("a number of rows");
        println!("\n{rows} rows, {batch} in each statement; then {clients} clients, {seconds} s\n");
        println!(
            "| key | way | rows/s | rows/s, last tenth | rows/s of clients | index MB | WAL bytes/row | index pages read |"
        );
        println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        groups.clear();
        for (key, ..) in KEYS {
            make_tables(&direct).await;
            let mut values = Vec::new();
            for (way, client, port) in [
                ("direct", &direct, postgres.port()),
                ("pgveil", &through, proxy.port),
            ] {
                let table = format!("{key}_{way}");
                let run = run(&direct, client, &table, rows, batch).await;
                let beside = insert_beside(port, user, &table, clients, seconds);
                println!(
                    "| {key} | {way} | {:.0} | {:.0} | {beside:.0} | {:.0} | {:.0} | {} |",
                    run.rows_per_second,
                    run.last_rows_per_second,
                    run.index_mb,
                    run.wal_bytes_per_row,
                    run.pages_read
                );
                values.push(run.last_rows_per_second);
                let gone = format!("DROP TABLE {table}; CHECKPOINT");
                direct.batch_execute(&gone).await.expect("room");
            }
            groups.push(plot::Group {
                name: key.to_owned(),
                values,
            });
        }
    }
    if let Some(file) = argument("--plot") {
        draw(&file, &sizes, &groups);
    }
}

/// Draws what was measured with the last of the sizes.
fn draw(file: &str, sizes: &str, groups: &[plot::Group]) {
    let last = sizes.rsplit(',').next().unwrap_or_default();
    let title = format!("Rows per second of the last tenth of {last} rows, by key");
    let told = |rate: f64| format!("{:.0}k", rate / 1000.0);
    let series = ["direct", "pgveil"];
    plot::bars(Path::new(file), &title, &series, groups, told).expect("a drawing");
}

/// Makes the tables that are not there.
async fn make_tables(direct: &Client) {
    for (key, definition, _) in KEYS {
        for way in ["direct", "pgveil"] {
            let create = format!(
                "CREATE TABLE IF NOT EXISTS {key}_{way}
                     (id {definition} PRIMARY KEY, note text NOT NULL)"
            );
            direct.batch_execute(&create).await.expect("a table");
        }
    }
}
