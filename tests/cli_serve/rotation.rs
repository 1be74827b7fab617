//! The run-books of docs/rotation.md and docs/key-loss.md, step by step: what an operator does, and what
//! clients and metrics say of it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use pgveil::postgres::{Options, Postgres};
use tokio_postgres::{Client, SimpleQueryMessage};

use super::http::get;
use super::sessions::post;
use super::{Serve, ask, configuration, connect, free_port};

async fn postgres() -> Postgres {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    inside
        .batch_execute(
            "CREATE TABLE users (id bigint PRIMARY KEY, name text);\
             INSERT INTO users VALUES (7, 'ann')",
        )
        .await
        .unwrap();
    postgres
}

/// A proxy whose file changes, with its admin endpoint.
struct Rotating {
    serve: Serve,
    upstream: u16,
    admin: u16,
}

impl Rotating {
    async fn start(upstream: u16) -> Self {
        let admin = free_port();
        let more = Self::more(admin);
        let serve = Serve::start_with(upstream, &more).await;
        Self {
            serve,
            upstream,
            admin,
        }
    }

    fn more(admin: u16) -> String {
        format!("[admin]\nlisten = \"127.0.0.1:{admin}\"\n")
    }

    /// Takes a ring of these keys, the current one by its name.
    async fn take(&self, current: &str, ring: &[&str]) {
        let text = configuration(self.serve.port, self.upstream, current, ring);
        // What was logged before is not the answer to this reload.
        let log = self.serve.path("log");
        let before = fs::read_to_string(&log).unwrap();
        let count = |text: &str| text.matches("\"configuration reloaded\"").count();
        fs::write(
            self.serve.path("pgveil.toml"),
            text + &Self::more(self.admin),
        )
        .unwrap();
        self.serve.kill("HUP");
        let started = std::time::Instant::now();
        while count(&fs::read_to_string(&log).unwrap()) == count(&before) {
            assert!(started.elapsed() < super::PATIENCE, "it does not reload");
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// The number of a sample.
    fn counted(&self, sample: &str) -> u64 {
        let text = get(self.admin, "/metrics").body;
        let line = text.lines().find(|line| line.starts_with(sample));
        assert!(line.is_some(), "{sample} is not in {text}");
        line.unwrap().rsplit(' ').next().unwrap().parse().unwrap()
    }

    /// How many ids of a key have come in.
    fn decoded(&self, key: &str) -> u64 {
        self.counted(&format!(
            "pgveil_ids_decoded_total{{domain=\"user\",key=\"{key}\"}}"
        ))
    }

    fn unknown(&self) -> u64 {
        self.counted("pgveil_ids_unknown_total{domain=\"user\",reason=\"not_issued\"}")
    }
}

async fn shown(client: &Client) -> String {
    ask(client, "SELECT id FROM users").await.unwrap()
}

/// Whom an id means.
async fn named(client: &Client, id: &str) -> Option<String> {
    ask(client, &format!("SELECT name FROM users WHERE id = '{id}'")).await
}

/// What `keys status` prints of the file of a proxy.
fn status(serve: &Serve) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pgveil"));
    command.args(["keys", "status", "-c"]);
    let output = command.arg(serve.path("pgveil.toml")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn a_rotation_by_the_run_book_loses_no_id() {
    let postgres = postgres().await;
    let proxy = Rotating::start(postgres.port()).await;
    let first = proxy.serve.session().await;
    let old = shown(&first).await;

    // 1. The new key is added, and nothing changes.
    fs::set_permissions(
        proxy.serve.path("new.key"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    proxy.take("old", &["old", "new"]).await;
    let second = proxy.serve.session().await;
    assert_eq!(shown(&second).await, old);
    let told = status(&proxy.serve);
    assert!(told.contains("old  current  file old.key\n"), "{told}");
    assert!(told.contains("new  older    file new.key\n"), "{told}");

    // 2. It becomes current: whoever has come since step 1 takes both kinds of ids.
    proxy.take("new", &["old", "new"]).await;
    let third = proxy.serve.session().await;
    let new = shown(&third).await;
    assert_ne!(new, old);
    assert_eq!(shown(&second).await, old);
    for client in [&second, &third] {
        for id in [&old, &new] {
            assert_eq!(named(client, id).await.as_deref(), Some("ann"));
        }
    }
    // What step 1 is for: a session from before it does not know the new ids.
    assert_eq!(named(&first, &new).await, None);

    // 3. The old ids go, and the counter of the old key stands still.
    let before = (proxy.decoded("old"), proxy.decoded("new"));
    assert!(before.0 > 0 && before.1 > 0, "{before:?}");
    for _ in 0..3 {
        assert_eq!(named(&third, &new).await.as_deref(), Some("ann"));
    }
    assert_eq!(proxy.decoded("old"), before.0);
    assert_eq!(proxy.decoded("new"), before.1 + 3);

    // 4. The old key is removed: new sessions take its ids for ids that nobody has issued.
    proxy.take("new", &["new"]).await;
    let fourth = proxy.serve.session().await;
    let unknown = proxy.unknown();
    assert_eq!(named(&fourth, &old).await, None);
    assert_eq!(proxy.unknown(), unknown + 1);
    assert_eq!(named(&fourth, &new).await.as_deref(), Some("ann"));
    // Older sessions still have the old key, until they are recycled.
    assert_eq!(named(&third, &old).await.as_deref(), Some("ann"));
    assert_eq!(post(proxy.admin, "/v1/recycle"), 202);
    for client in [&first, &second, &third] {
        let started = std::time::Instant::now();
        while client.simple_query("SELECT 1").await.is_ok() {
            assert!(started.elapsed() < super::PATIENCE, "it does not end");
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }
    let fifth = proxy.serve.session().await;
    assert_eq!(named(&fifth, &old).await, None);
    assert_eq!(named(&fifth, &new).await.as_deref(), Some("ann"));
    let log = fs::read_to_string(proxy.serve.path("log")).unwrap();
    assert!(log.contains("\"event\":\"old_key\""), "{log}");
}

#[tokio::test]
async fn a_lost_key_costs_the_ids_and_nothing_else() {
    let postgres = postgres().await;
    let proxy = Rotating::start(postgres.port()).await;
    let before = proxy.serve.session().await;
    let lost = shown(&before).await;

    // The file with the key is gone. A reload changes nothing, a start does not come about.
    fs::remove_file(proxy.serve.path("old.key")).unwrap();
    proxy.serve.kill("HUP");
    proxy.serve.logs("key `old`: cannot read").await;
    let during = proxy.serve.session().await;
    assert_eq!(named(&during, &lost).await.as_deref(), Some("ann"));
    let mut again = std::process::Command::new(env!("CARGO_BIN_EXE_pgveil"));
    again
        .args(["serve", "-c"])
        .arg(proxy.serve.path("pgveil.toml"));
    let output = again.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("key `old`: cannot read"), "{said}");

    // A ring of a new key alone: the rows are there under other ids, and the old ids mean nobody.
    proxy.take("new", &["new"]).await;
    let after = proxy.serve.session().await;
    let new = shown(&after).await;
    assert_ne!(new, lost);
    assert_eq!(named(&after, &new).await.as_deref(), Some("ann"));
    assert_eq!(named(&after, &lost).await, None);
    assert_eq!(proxy.unknown(), 1);
    let stored = after
        .simple_query(&format!("INSERT INTO users VALUES ('{lost}', 'bob')"))
        .await;
    let refused = stored.unwrap_err();
    assert_eq!(refused.code().map(|code| code.code()), Some("22023"));
    let rows = after
        .simple_query("SELECT count(*) FROM users")
        .await
        .unwrap();
    assert!(
        rows.iter().any(
            |message| matches!(message, SimpleQueryMessage::Row(row) if row.get(0) == Some("1"))
        )
    );
}
