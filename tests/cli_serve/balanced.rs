//! One address that leads to several servers, as a balancer's does, or a name that moves: each
//! session is judged by what its own server has.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use pgveil::postgres::{Options, Postgres};
use tokio::net::{TcpListener, TcpStream};
use tokio_postgres::Client;

use super::{Serve, ask, connect, free_port};

const KEY: &str = "8613972450000001";

/// Leads whoever comes to the port that it holds by then.
struct Balancer {
    port: u16,
    to: Arc<AtomicU16>,
}

impl Balancer {
    async fn start(to: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let to = Arc::new(AtomicU16::new(to));
        let target = Arc::clone(&to);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let port = target.load(Ordering::Relaxed);
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(("127.0.0.1", port)).await?;
                    tokio::io::copy_bidirectional(&mut client, &mut server).await
                });
            }
        });
        Self { port, to }
    }

    async fn login(&self, serve: &Serve, postgres: &Postgres) -> Client {
        self.to.store(postgres.port(), Ordering::Relaxed);
        serve.session().await
    }
}

async fn server(definitions: &str) -> Postgres {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    let tables = format!(
        "CREATE TABLE users (id bigint PRIMARY KEY, name text); INSERT INTO users VALUES ({KEY}, 'ann'); {definitions}"
    );
    inside.batch_execute(&tables).await.unwrap();
    postgres
}

/// How many snapshots have been taken.
fn taken(admin: u16) -> u64 {
    let page = super::http::get(admin, "/metrics").body;
    let line = "pgveil_catalog_loads_total{outcome=\"loaded\"} ";
    let count = page.lines().find_map(|found| found.strip_prefix(line));
    count.unwrap().parse().unwrap()
}

/// Whatever is asked on one server, nothing that the other one would show is shown, and what is in
/// order is answered.
async fn judged(client: &Client, plain: &str, showing: &[&str], hour: usize) {
    let id = ask(client, "SELECT id FROM users").await.unwrap();
    assert!(id.len() == 36 && !id.contains(KEY), "{id}");
    for name in showing {
        for text in [
            format!("SELECT * FROM {name}"),
            format!("SELECT max(what) FROM {name}"),
            format!("SELECT array_agg(t) FROM {name} t"),
        ] {
            let shown = format!("{:?}", client.simple_query(&text).await);
            assert!(!shown.contains(KEY), "{hour}: {text}: {shown}");
        }
    }
    let text = format!("SELECT what FROM {plain}");
    let plain = ask(client, &text).await;
    assert_eq!(plain.as_deref(), Some("plain"), "{hour}: {text}");
}

#[tokio::test]
async fn each_session_is_judged_by_what_its_own_server_has() {
    let one = server(
        "CREATE VIEW first AS SELECT 'plain' AS what; CREATE VIEW second AS SELECT id::text AS what FROM users",
    )
    .await;
    let other = server(
        "CREATE VIEW second AS SELECT 'plain' AS what; CREATE VIEW first AS SELECT id::text AS what FROM users",
    )
    .await;
    let balancer = Balancer::start(one.port()).await;
    let admin = free_port();
    let serve = Serve::start_with(
        balancer.port,
        &format!("[admin]\nlisten = \"127.0.0.1:{admin}\"\n"),
    )
    .await;
    let mut kept: Vec<(Client, bool)> = Vec::new();
    for hour in 0..6 {
        let is_one = hour % 2 == 0;
        let server = if is_one { &one } else { &other };
        let client = balancer.login(&serve, server).await;
        kept.push((client, is_one));
        // Those of before go on.
        for (client, is_one) in &kept {
            let names = ["first", "second"];
            let [plain, showing] = if *is_one { names } else { [names[1], names[0]] };
            judged(client, plain, &[showing], hour).await;
        }
        if hour == 3 {
            // What is made on one is seen by those who use that one, through a session of it.
            let made = "CREATE TABLE third (what bigint REFERENCES users)";
            kept[0].0.batch_execute(made).await.unwrap();
            let filled = "INSERT INTO third SELECT id FROM users";
            kept[0].0.batch_execute(filled).await.unwrap();
            let id = ask(&kept[2].0, "SELECT what FROM third").await.unwrap();
            assert!(id.len() == 36 && !id.contains(KEY), "{id}");
            kept[1]
                .0
                .simple_query("SELECT what FROM third")
                .await
                .unwrap_err();
        }
    }
    // One of each server; and one more of the first by whoever has made a table there, and one of
    // the other that looked for it.
    assert!(taken(admin) <= 4, "{}", taken(admin));
}
