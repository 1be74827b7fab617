//! Runs the features of a Rust client one by one, each with a new connection and empty tables, and
//! prints what each gives as one line of JSON.

mod plain;
mod with_sqlx;
mod with_tokio_postgres;

use std::time::Duration;

use serde_json::Value;

/// The tables are altered when all else is done.
const FEATURES: [&str; 14] = [
    "crud",
    "returning",
    "bulk",
    "upsert",
    "eager",
    "keyset",
    "arrays",
    "json",
    "transaction",
    "cascade",
    "errors",
    "prepared",
    "introspect",
    "altered",
];

/// Leaves no row.
pub(crate) const EMPTY: &str = "truncate people, posts, tags, post_tags, groups";

/// Where the database is.
pub(crate) struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) user: String,
    pub(crate) database: String,
}

/// What a library tells of an error.
pub(crate) struct Fault {
    pub(crate) state: String,
    pub(crate) message: String,
}

async fn feature(client: &str, name: &str, address: &Address) -> Result<Value, Fault> {
    match client {
        "tokio_postgres" => with_tokio_postgres::feature(name, address).await,
        "sqlx" => with_sqlx::feature(name, address).await,
        other => panic!("no client is called {other}"),
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [client, host, port, user, database] = arguments.as_slice() else {
        panic!("a client, a host, a port, a role and a database");
    };
    let address = Address {
        host: host.clone(),
        port: port.parse().expect("a port"),
        user: user.clone(),
        database: database.clone(),
    };
    for name in FEATURES {
        let limit = Duration::from_secs(30);
        let line = match tokio::time::timeout(limit, feature(client, name, &address)).await {
            Ok(Ok(value)) => value.to_string(),
            Ok(Err(Fault { state, message })) => {
                let first = message.lines().next().unwrap_or_default();
                format!("error {state} {first}")
            }
            Err(_) => "error timeout".to_owned(),
        };
        println!("{name}\t{line}");
    }
}
