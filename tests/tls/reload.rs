//! A running `pgveil serve`: new certificates in its files, its log, its memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use crate::authority::{Authority, HERE, Identity};
use crate::stand::*;
use crate::wire::*;

/// A proxy as a process; gone with its owner.
struct Process {
    child: Child,
    port: u16,
    log: PathBuf,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    async fn start(folder: &Path, tables: &str) -> Self {
        Self::trusting(folder, tables, Path::new("/dev/null")).await
    }

    /// With these roots for those of the machine.
    async fn trusting(folder: &Path, tables: &str, roots: &Path) -> Self {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let (file, log) = (folder.join("pgveil.toml"), folder.join("log"));
        let upstream = stand().upstream();
        let text = format!(
            "[server]\nlisten = [\"127.0.0.1:{port}\"]\n{tables}\n\
             [upstream]\naddress = \"{upstream}\"\n"
        );
        fs::write(&file, text).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_pgveil"))
            .args(["serve".as_ref(), "-c".as_ref(), file.as_os_str()])
            .env("SSL_CERT_FILE", roots)
            .stdin(Stdio::null())
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let process = Self { child, port, log };
        process.logs("\"serving\"", 1).await;
        process
    }

    fn hang_up(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", "HUP", &id]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until the log has some words so many times.
    async fn logs(&self, words: &str, times: usize) {
        let started = Instant::now();
        loop {
            let log = fs::read_to_string(&self.log).unwrap();
            if log.matches(words).count() >= times {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{words} is not in {log}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The resident memory in bytes, if the system tells.
    fn memory(&self) -> Option<usize> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024)
    }

    /// A session after some work.
    async fn session(&self) -> TlsStream<TcpStream> {
        let mut stream = negotiated(("127.0.0.1", self.port)).await;
        let hello = startup(3 << 16, &["user", "postgres"]);
        ask(&mut stream, &hello, b'Z').await;
        let work = query("SELECT repeat('x', 1000) FROM generate_series(1, 100)");
        let answer = ask(&mut stream, &work, b'Z').await;
        assert_eq!(answer.len(), 103);
        stream
    }

    /// The certificate that a new client sees.
    async fn shows(&self) -> Vec<u8> {
        let stream = negotiated(("127.0.0.1", self.port)).await;
        let certificates = stream.get_ref().1.peer_certificates().unwrap();
        certificates[0].to_vec()
    }
}

fn copy(from: &Identity, to: &Identity) {
    fs::copy(&from.cert, &to.cert).unwrap();
    fs::copy(&from.key, &to.key).unwrap();
}

#[tokio::test]
async fn a_hangup_takes_new_certificates_for_new_clients_and_no_broken_ones() {
    let authority = Authority::new();
    let [first, second] = ["first", "second"].map(|name| authority.issue(name, &HERE));
    let used = authority.issue("used", &HERE);
    copy(&first, &used);
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &server_tls(&used, "require", "")).await;
    let before = process.shows().await;
    let mut running = negotiated(("127.0.0.1", process.port)).await;
    let hello = startup(3 << 16, &["user", "postgres"]);
    ask(&mut running, &hello, b'Z').await;

    copy(&second, &used);
    process.hang_up();
    process.logs("configuration reloaded", 1).await;
    let after = process.shows().await;
    assert_ne!(before, after);
    let answer = ask(&mut running, &query("SELECT 1"), b'Z').await;
    assert_eq!(
        answer.last().unwrap().0,
        b'Z',
        "the running session goes on"
    );

    for (spoil, words) in [
        (&first.cert, "is not that of the certificate"),
        (&authority.ca(), "is not that of the certificate"),
        (&first.key, "there is no certificate in"),
    ] {
        fs::copy(spoil, &used.cert).unwrap();
        process.hang_up();
        process.logs(words, 1).await;
        assert_eq!(process.shows().await, after, "{words}");
    }
    fs::remove_file(&used.cert).unwrap();
    process.hang_up();
    process.logs("cannot read", 1).await;
    process.logs("the configuration is not reloaded", 4).await;
    assert_eq!(process.shows().await, after);

    copy(&first, &used);
    process.hang_up();
    process.logs("configuration reloaded", 2).await;
    assert_eq!(process.shows().await, before);
}

#[tokio::test]
async fn the_log_says_why_postgres_is_not_trusted_and_the_client_does_not_hear_it() {
    let other = Authority::new();
    let ca = other.ca();
    let tables = format!(
        "[upstream.tls]\nmode = \"verify-ca\"\nca = \"{}\"\n",
        ca.display()
    );
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &tables).await;
    let said = psql("127.0.0.1", process.port, "user=postgres", "SELECT 1").await;
    let said = said.unwrap_err();
    assert!(said.contains("The log of pgveil says why"), "{said}");
    assert!(!said.contains("certificate"), "{said}");
    process.logs("UnknownIssuer", 1).await;
}

#[tokio::test]
async fn the_roots_of_the_machine_count_if_the_file_says_so() {
    let tables = "[upstream.tls]\nmode = \"verify-full\"\nca = \"system\"\n";
    let (ours, other) = (stand().authority.ca(), Authority::new());
    for (roots, is_good) in [(ours, true), (other.ca(), false)] {
        let folder = tempfile::tempdir().unwrap();
        let process = Process::trusting(folder.path(), tables, &roots).await;
        let answer = psql("127.0.0.1", process.port, "user=postgres", "SELECT 1").await;
        assert_eq!(answer.is_ok(), is_good, "{answer:?}");
    }
}

#[tokio::test]
async fn an_idle_session_with_tls_on_both_legs_is_small() {
    const SESSIONS: usize = 60;
    let stand = stand();
    let tables = stand.server_tls("require", "") + &stand.upstream_tls();
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &tables).await;
    let mut sessions = vec![process.session().await];
    let before = process.memory();
    for _ in 0..SESSIONS {
        sessions.push(process.session().await);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    if let (Some(before), Some(after)) = (before, process.memory()) {
        let each = after.saturating_sub(before) / SESSIONS;
        println!("memory for each idle session with TLS on both legs: {each} bytes");
        assert!(each < 96 * 1024, "an idle session takes {each} bytes");
    }
}
