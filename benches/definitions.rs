//! What it costs that a database changes: definitions sent through pgveil, each with the next
//! statement, which is judged by a snapshot in which they are; and looks at the database before each
//! statement (`catalog_max_age_s = 0`), while another session writes to it and while none does.
//!
//! `cargo bench --bench definitions -- [--tables 5000] [--columns 20] [--rounds 30]`. Each is done in
//! turns directly and through pgveil. It ends with 1 if one of the definitions takes more than 50 ms
//! longer through pgveil at the median, or a look more than 20 ms. Meaningful on a quiet machine
//! only.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a benchmark prints, and has nobody to report a fault to"
)]

#[path = "process.rs"]
mod process;

use std::time::Instant;

use pgveil::postgres::{Options, Postgres};
use process::{Proxy, connect, count};
use tokio_postgres::Client;

/// What a definition and the next statement may take longer, in milliseconds.
const DEFINITION_MS: f64 = 50.0;

/// What a look may take, in milliseconds.
const LOOK_MS: f64 = 20.0;

/// `{n}` is another number each time.
const DEFINITIONS: &[&str] = &[
    "CREATE TABLE made{n} (id bigint PRIMARY KEY, user_id bigint, note text)",
    "ALTER TABLE made{n} ADD COLUMN more text",
    "ALTER TABLE made{n} RENAME COLUMN more TO less",
    "CREATE INDEX ON made{n} (less)",
    "CREATE VIEW view{n} AS SELECT id, note FROM made{n}",
    "ALTER TABLE made{n} RENAME COLUMN note TO notes",
    "DROP VIEW view{n}",
    "DROP TABLE made{n}",
    "CREATE SCHEMA made{n}",
    "DROP SCHEMA made{n}",
    "CREATE FUNCTION made{n}() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "DROP FUNCTION made{n}()",
    "CREATE TYPE made{n} AS ENUM ('a')",
    "DROP TYPE made{n}",
    "CREATE TEMP TABLE made{n} (id bigint, note text)",
    "DROP TABLE made{n}",
];

const STATEMENT: &str = "SELECT id, name FROM users ORDER BY id LIMIT 1";

async fn fill(admin: &Client, tables: usize, columns: usize) {
    let columns: Vec<String> = (2..=columns).map(|n| format!("c{n} text")).collect();
    let columns = columns.join(", ");
    let create = |n: usize| format!("CREATE TABLE t{n} (id bigint PRIMARY KEY, {columns});");
    let all: Vec<String> = (0..tables).map(create).collect();
    for some in all.chunks(200) {
        admin.batch_execute(&some.concat()).await.expect("tables");
    }
    let users = "CREATE TABLE users (id bigint PRIMARY KEY, name text);
        INSERT INTO users VALUES (1, 'ann'); CREATE TABLE marks (n int); INSERT INTO marks VALUES (1)";
    admin.batch_execute(users).await.expect("tables");
    admin.batch_execute("VACUUM ANALYZE").await.expect("order");
}

/// Milliseconds that these statements take one after the other.
async fn time(client: &Client, texts: &[&str]) -> f64 {
    let begin = Instant::now();
    for text in texts {
        client.simple_query(text).await.expect(text);
    }
    begin.elapsed().as_secs_f64() * 1000.0
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Prints what it takes, directly and through pgveil. Gives whether that is too much.
fn tell(what: &str, [direct, through]: &mut [Vec<f64>; 2], most: f64) -> bool {
    let (direct, through) = (median(direct), median(through));
    let more = through - direct;
    let is_late = more > most;
    let mark = if is_late { "too much" } else { "" };
    println!("{direct:>8.2} {through:>8.2} {more:>8.2}  {what} {mark}");
    is_late
}

async fn definitions(ways: [&Client; 2], rounds: usize) -> usize {
    let mut times = vec![[Vec::new(), Vec::new()]; DEFINITIONS.len()];
    for round in 0..rounds {
        for (way, client) in ways.into_iter().enumerate() {
            let number = (2 * round + way).to_string();
            for (definition, times) in DEFINITIONS.iter().zip(&mut times) {
                let text = definition.replace("{n}", &number);
                times[way].push(time(client, &[&text, STATEMENT]).await);
            }
        }
    }
    let late = DEFINITIONS.iter().zip(&mut times);
    late.filter_map(|(what, times)| tell(what, times, DEFINITION_MS).then_some(()))
        .count()
}

async fn looks(ways: [&Client; 2], admin: &Client, rounds: usize) -> usize {
    let mut late = 0;
    for (what, writes) in [("a look beside a writer", true), ("a look", false)] {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (way, client) in ways.into_iter().enumerate() {
                if writes {
                    time(admin, &["UPDATE marks SET n = n + 1"]).await;
                }
                times[way].push(time(client, &[STATEMENT]).await);
            }
        }
        late += usize::from(tell(what, &mut times, LOOK_MS));
    }
    late
}

async fn run() -> usize {
    let rounds = count("--rounds", 30);
    let postgres = Postgres::start(&Options::from_env()).expect("a Postgres");
    let user = postgres.superuser();
    let admin = connect(postgres.port(), user).await;
    fill(&admin, count("--tables", 5000), count("--columns", 20)).await;
    let direct = connect(postgres.port(), user).await;
    println!("milliseconds at the median: directly, through pgveil, and how many more that is");
    let mut late = 0;
    for (age, looks_too) in [(60, false), (0, true)] {
        let folder = tempfile::tempdir().unwrap();
        let limits = format!("[limits]\ncatalog_max_age_s = {age}");
        let ids = [("user", "public.users.id", limits.as_str())];
        let proxy = Proxy::start(&postgres, folder.path(), &ids);
        let begin = Instant::now();
        let through = connect(proxy.port, user).await;
        let first = begin.elapsed().as_secs_f64() * 1000.0;
        println!("{:>8} {first:>8.2} {:>8}  the first login", "", "");
        if looks_too {
            late += looks([&direct, &through], &admin, rounds).await;
        } else {
            late += definitions([&direct, &through], rounds).await;
        }
    }
    late
}

fn main() {
    // `cargo test --benches` runs this, too; measuring is for `cargo bench`.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let late = runtime.block_on(run());
    std::process::exit(i32::from(late > 0));
}
