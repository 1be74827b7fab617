//! `pgveil serve`: what a rotation of keys means for sessions before and after it, what an operator
//! is warned of, and the admin endpoint.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that panics has failed, and one that is skipped says so"
)]

mod admin;
mod anchors;
mod audit;
mod balanced;
#[cfg(feature = "console")]
mod console;
mod drift;
mod forwarded;
mod http;
mod live;
mod metrics;
mod migrations;
mod misfits;
mod momentary;
mod observe;
mod operators;
mod patterns;
mod replaced;
mod rotation;
mod scopes;
mod sessions;
mod text_references;
#[cfg(feature = "top")]
mod top;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pgveil::postgres::{Options, Postgres};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

const PATIENCE: Duration = Duration::from_secs(20);

/// A proxy as a process, with its configuration in a folder; gone with its owner.
struct Serve {
    child: Child,
    port: u16,
    folder: TempDir,
}

impl Drop for Serve {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Serve {
    async fn start(upstream: u16) -> Self {
        Self::start_with(upstream, "").await
    }

    /// The same with more tables in its configuration, in which FOLDER is its folder.
    async fn start_with(upstream: u16, more: &str) -> Self {
        let serve = Self::spawn_with(upstream, more);
        serve.logs("serving").await;
        serve
    }

    /// What one that can't start has logged.
    async fn fails_with(upstream: u16, more: &str) -> String {
        let mut serve = Self::spawn_with(upstream, more);
        let started = Instant::now();
        while serve.child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < PATIENCE, "it has started");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        fs::read_to_string(serve.path("log")).unwrap()
    }

    fn spawn_with(upstream: u16, more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let key = |first: &str| format!("{first}{}", "11".repeat(31));
        for (name, text) in [
            ("old.key", key("01")),
            ("new.key", key("02")),
            ("admin.token", "0123456789abcdef".repeat(2)),
        ] {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let file = folder.path().join("pgveil.toml");
        let more = more.replace("FOLDER", folder.path().to_str().unwrap());
        let text = configuration(port, upstream, "old", &["old"]) + &more;
        fs::write(&file, text).unwrap();
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_pgveil"))
            .args(["serve", "-c"])
            .arg(&file)
            .stdin(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self {
            child,
            port,
            folder,
        }
    }

    fn kill(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.unwrap().success());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn logs(&self, words: &str) {
        let started = Instant::now();
        loop {
            let log = fs::read_to_string(self.path("log")).unwrap();
            if log.contains(words) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{words} is not in {log}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Makes it read this configuration.
    async fn reload(&self, text: &str) {
        fs::write(self.path("pgveil.toml"), text).unwrap();
        self.kill("HUP");
        self.logs("\"configuration reloaded\"").await;
    }

    async fn session(&self) -> Client {
        connect(&format!(
            "postgres://postgres@127.0.0.1:{}/postgres",
            self.port
        ))
        .await
    }
}

fn free_port() -> u16 {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().port()
}

fn configuration(port: u16, upstream: u16, current: &str, ring: &[&str]) -> String {
    let key = |name: &&str| format!("[keys.ring.{name}]\nfile = \"{name}.key\"\n");
    let ring: String = ring.iter().map(key).collect();
    format!(
        "[server]\nlisten = [\"127.0.0.1:{port}\"]\n[upstream]\naddress = \"127.0.0.1:{upstream}\"\n\
         [keys]\ncurrent = \"{current}\"\n{ring}\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n"
    )
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(async {
        let _ = connection.await;
    });
    client
}

/// The first value of a query's rows, if there is one.
async fn ask(client: &Client, sql: &str) -> Option<String> {
    let messages = client.simple_query(sql).await.unwrap();
    messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    })
}

#[tokio::test]
async fn a_rotation_lets_running_sessions_go_on_and_old_ids_in() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    inside
        .batch_execute("CREATE TABLE users (id bigint PRIMARY KEY, name text); INSERT INTO users VALUES (7, 'ann')")
        .await
        .unwrap();
    let serve = Serve::start(postgres.port()).await;
    let running = serve.session().await;
    let old = ask(&running, "SELECT id FROM users").await.unwrap();
    running.batch_execute("BEGIN").await.unwrap();

    fs::set_permissions(serve.path("new.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let rotated = configuration(serve.port, postgres.port(), "new", &["old", "new"]);
    serve.reload(&rotated).await;
    serve
        .logs("new.key is open to the group or to others")
        .await;

    // The session from before goes on as if nothing had happened.
    assert_eq!(ask(&running, "SELECT id FROM users").await.unwrap(), old);
    let name = format!("SELECT name FROM users WHERE id = '{old}'");
    assert_eq!(ask(&running, &name).await.as_deref(), Some("ann"));
    running.batch_execute("COMMIT").await.unwrap();

    // A new one shows new ids, and takes both.
    let next = serve.session().await;
    let new = ask(&next, "SELECT id FROM users").await.unwrap();
    assert_ne!(new, old);
    for id in [&old, &new] {
        let name = format!("SELECT name FROM users WHERE id = '{id}'");
        assert_eq!(ask(&next, &name).await.as_deref(), Some("ann"));
    }
    // What the session from before can't know is an unknown id to it.
    let name = format!("SELECT name FROM users WHERE id = '{new}'");
    assert_eq!(ask(&running, &name).await, None);
}

/// What a command says beside the key is a field of its record, by which it can be found or left out.
#[tokio::test]
async fn what_a_key_command_says_is_a_field_of_the_log() {
    let serve = Serve::start(1).await;
    let text = configuration(serve.port, 1, "k", &[]);
    let ring =
        "[keys.ring.k]\ncommand = [\"sh\", \"-c\", \"cat new.key; echo rotate me >&2\"]\n[[id]]";
    serve.reload(&text.replacen("[[id]]", ring, 1)).await;
    serve.logs("\"stderr\":\"rotate me\"").await;
    serve
        .logs("\"message\":\"key `k`: the command wrote to standard error\"")
        .await;
}
