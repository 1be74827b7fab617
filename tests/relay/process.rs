//! `pgveil serve` as a process of its own: its memory, its descriptors and its signals.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::*;

/// A proxy as a process; gone with its owner.
pub(crate) struct Process {
    child: Child,
    port: u16,
    file: PathBuf,
    _folder: tempfile::TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Waits until it listens. The limit of descriptors is a word of the shell.
    pub(crate) async fn start(max_connections: usize, descriptors: &str) -> Self {
        let upstream = postgres().port();
        let text = |port| configuration(port, max_connections, upstream);
        Self::with(text, descriptors).await
    }

    /// The same with another configuration, which gets the port to listen at.
    pub(crate) async fn with(text: impl Fn(u16) -> String, descriptors: &str) -> Self {
        Self::within(&format!("ulimit -n {descriptors}"), text).await
    }

    /// The same with other words of the shell before it. The configuration may name `key.txt`.
    pub(crate) async fn within(limits: &str, text: impl Fn(u16) -> String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let file = folder.path().join("pgveil.toml");
        fs::write(&file, text(port)).unwrap();
        fs::write(folder.path().join("key.txt"), "0123456789abcdef".repeat(4)).unwrap();
        let serve = format!("{limits}; exec \"$0\" serve -c \"$1\"");
        let child = Command::new("sh")
            .args(["-c", &serve])
            .args([env!("CARGO_BIN_EXE_pgveil").as_ref(), file.as_os_str()])
            .stdin(Stdio::null())
            .stderr(fs::File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let process = Self {
            child,
            port,
            file,
            _folder: folder,
        };
        let started = Instant::now();
        while tokio::net::TcpStream::connect(("127.0.0.1", port))
            .await
            .is_err()
        {
            assert!(started.elapsed() < PATIENCE, "the proxy does not listen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        process
    }

    /// The resident memory in bytes that the process has for itself, if the system tells: the pages of
    /// the program, of which a debug build has many, are the system's.
    pub(crate) fn memory(&self) -> Option<usize> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
        let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024)
    }

    pub(crate) async fn connect(&self) -> Raw {
        Raw::connect(("127.0.0.1", self.port)).await
    }

    pub(crate) async fn session(&self) -> Raw {
        Raw::session(([127, 0, 0, 1], self.port).into()).await
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has ended, and says whether it ended well.
    pub(crate) async fn ended(&mut self) -> bool {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            assert!(started.elapsed() < PATIENCE, "it does not end");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill")
            .args(["-s", name, &id])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.file.with_file_name("log")).unwrap()
    }

    pub(crate) async fn logs(&self, words: &str) {
        let started = Instant::now();
        while !self.log().contains(words) {
            assert!(
                started.elapsed() < PATIENCE,
                "{words} is not in {}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

pub(crate) fn configuration(port: u16, max_connections: usize, upstream: u16) -> String {
    format!(
        "[server]\nlisten = [\"127.0.0.1:{port}\"]\nmax_connections = {max_connections}\n\
         [upstream]\naddress = \"127.0.0.1:{upstream}\"\n"
    )
}

#[tokio::test]
async fn a_hangup_reloads_the_file_and_a_faulty_file_changes_nothing() {
    let process = Process::start(10, "1024").await;
    fs::write(&process.file, "[upstraem]\n").unwrap();
    process.signal("HUP");
    process.logs("the configuration is not reloaded").await;
    process.logs("did you mean `upstream`?").await;
    process.session().await;

    // Nobody listens at port 1, so that a new session shows which file it started under.
    fs::write(&process.file, configuration(process.port, 10, 1)).unwrap();
    process.signal("HUP");
    process.logs("configuration reloaded").await;
    let mut raw = process.connect().await;
    raw.send(&startup(3 << 16, &["user", "postgres"])).await;
    assert_eq!(
        raw.until_closed().await.error(b'C').as_deref(),
        Some("57P03")
    );
}

#[tokio::test]
async fn a_termination_drains_and_exits_well() {
    let mut process = Process::start(10, "1024").await;
    let mut raw = process.session().await;
    process.signal("TERM");
    assert_eq!(
        raw.until_closed().await.error(b'C').as_deref(),
        Some("57P01")
    );
    drop(raw);
    assert!(process.child.wait().unwrap().success());
}

/// A process that waits for nothing but a statement that takes an hour.
async fn busy(tables: &str) -> (Process, Raw) {
    let upstream = postgres().port();
    let text = |port| format!("{}[limits]\n{tables}", configuration(port, 10, upstream));
    let process = Process::with(text, "1024").await;
    let mut raw = process.session().await;
    raw.send(&query("SELECT pg_sleep(3600)")).await;
    (process, raw)
}

#[tokio::test]
async fn a_second_signal_ends_everything_at_once() {
    for (first, second) in [("TERM", "TERM"), ("INT", "TERM"), ("TERM", "INT")] {
        let limits = "drain_timeout_s = 3600\ndrain_spread_s = 3000";
        let (mut process, mut raw) = busy(limits).await;
        let mut idle = process.session().await;
        process.signal(first);
        process.logs("\"draining\"").await;
        process.signal(second);
        let answer = raw.until_closed().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
        let answer = idle.until_closed().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
        assert!(process.ended().await);
    }
    // The delay before the draining is skipped, too.
    let (mut process, mut raw) = busy("drain_delay_s = 3600").await;
    process.signal("TERM");
    process.logs("draining begins after the delay").await;
    process.signal("TERM");
    assert_eq!(
        raw.until_closed().await.error(b'C').as_deref(),
        Some("57P01")
    );
    assert!(process.ended().await);
}

#[tokio::test]
async fn who_has_no_session_does_not_delay_the_end() {
    roles().await;
    let upstream = postgres().port();
    let text = |port| {
        let limits = "[limits]\ndrain_timeout_s = 3600\nstartup_timeout_s = 3600\n";
        format!("{}{limits}", configuration(port, 10, upstream))
    };
    let mut process = Process::with(text, "1024").await;
    let mut silent = process.connect().await;
    let mut begun = process.connect().await;
    begun.send(&[0, 0]).await;
    let mut asked = process.connect().await;
    asked.send(&startup(3 << 16, &["user", "with md5"])).await;
    assert_eq!(asked.read(|kind| kind == b'R').await.kinds(), "R");
    process.signal("TERM");
    let answer = asked.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("57P03"));
    silent.until_closed().await;
    begun.until_closed().await;
    drop((silent, begun, asked));
    assert!(process.ended().await);
}

#[tokio::test]
async fn the_log_has_a_line_for_start_and_end_of_a_session_and_no_text_of_a_statement() {
    let process = Process::start(10, "1024").await;
    let mut raw = process.session().await;
    raw.send(&query("SELECT 'a literal', 1/0")).await;
    raw.until_ready().await;
    raw.send(&message(b'X', b"")).await;
    raw.until_closed().await;
    process.logs("session_end").await;
    let log = process.log();
    assert_eq!(
        log.matches("\"event\":\"session_start\"").count(),
        1,
        "{log}"
    );
    assert_eq!(log.matches("\"event\":\"session_end\"").count(), 1, "{log}");
    assert!(log.contains("\"role\":\"postgres\""), "{log}");
    assert!(!log.contains("literal") && !log.contains("SELECT"), "{log}");
}

#[tokio::test]
async fn the_log_has_no_password() {
    roles().await;
    let process = Process::start(10, "1024").await;
    for password in ["secret", "wrong secret"] {
        let mut raw = process.connect().await;
        raw.send(&startup(
            3 << 16,
            &["user", "with password", "database", "postgres"],
        ))
        .await;
        assert_eq!(raw.read(|kind| kind == b'R').await.kinds(), "R");
        let word = format!("{password}\0");
        raw.send(&message(b'p', word.as_bytes())).await;
        let answer = raw.until_ready().await;
        assert_eq!(answer.closed, password != "secret");
        raw.send(&message(b'X', b"")).await;
        raw.until_closed().await;
        process.logs("session_end").await;
    }
    let log = process.log();
    assert!(
        log.contains("with password") && !log.contains("secret"),
        "{log}"
    );
}
