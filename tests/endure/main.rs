//! What no statement, no client and no neighbour may do to a proxy in a process of its own:
//! definitions that change in a loop, clients that vanish anywhere, and hours of everyday work.
//!
//! Each runs for some seconds. `PGVEIL_SOAK=full`
//! gives them their full length: a minute of definitions, 1,000 random sessions, half an hour of
//! work. `PGVEIL_SOAK_STORM` (seconds), `PGVEIL_SOAK_SESSIONS` (how many) and `PGVEIL_SOAK_WORK`
//! (seconds) set one of them, `PGVEIL_SOAK_SEED` other random sessions; `PGVEIL_SOAK_AT` plays only
//! the one of a number, and prints it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that panics has failed, and this one measures"
)]

mod ddl;
mod gone;
mod proxy;
#[path = "../faults/random.rs"]
mod random;
mod raw;
mod script;
mod soak;
mod storm;
mod work;

use pgveil::postgres::{Options, Postgres};
use tokio::sync::{Mutex, MutexGuard};

/// A size of the work: as `PGVEIL_SOAK_…` says, the full one with `PGVEIL_SOAK=full`, or a short
/// one.
fn size(name: &str, short: usize, full: usize) -> usize {
    let number = std::env::var(format!("PGVEIL_SOAK_{name}")).ok();
    if let Some(number) = number {
        return number.parse().expect("a number");
    }
    let is_full = std::env::var("PGVEIL_SOAK").is_ok_and(|word| word == "full");
    if is_full { full } else { short }
}

/// Each test takes all that the machine has, and what it finds out is how sessions get on with each
/// other, not with another test: so one runs after the other. Gives the turn, which ends when it is
/// dropped.
async fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::const_new(());
    TURN.lock().await
}

/// A server of the test's own: others must not be seen in its activity and its locks.
fn server(connections: usize) -> Postgres {
    let options = Options::from_env().setting("max_connections", &connections.to_string());
    Postgres::start(&options).expect("a Postgres")
}

/// A connection to Postgres itself.
async fn direct(postgres: &Postgres) -> tokio_postgres::Client {
    connect(postgres.port(), postgres.superuser())
        .await
        .expect("Postgres")
}

async fn connect(port: u16, user: &str) -> Result<tokio_postgres::Client, tokio_postgres::Error> {
    let mut config = tokio_postgres::Config::new();
    config.host("127.0.0.1").port(port);
    config.user(user).dbname("postgres");
    let (client, connection) = config.connect(tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// What a driver says of an error, with the server's own words.
fn words(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => format!("{}: {}", error.code().code(), error.message()),
        None => error.to_string(),
    }
}
