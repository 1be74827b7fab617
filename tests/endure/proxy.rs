//! `pgveil serve` as a process: what it holds, what it logs, whether it lives.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pgveil::postgres::Postgres;
use rustix::process::{Pid, Signal, kill_process};

/// Longer than anything here takes, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The key of the recorded sessions of the fuzz corpus, so that their ids mean something.
const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A running proxy; gone with its owner.
pub(crate) struct Proxy {
    child: Child,
    pub(crate) port: u16,
    upstream: u16,
    folder: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    /// Starts one before a server with `users.id` and `orders.id` annotated, and waits until it
    /// listens. `limits` are settings of that table.
    pub(crate) async fn start(postgres: &Postgres, limits: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let file = folder.path().join("pgveil.toml");
        configure(&file, port, postgres.port(), limits);
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_pgveil"))
            .arg("serve")
            .arg("-c")
            .arg(&file)
            .env("ENDURE_KEY", KEY)
            .stdin(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let proxy = Self {
            child,
            port,
            upstream: postgres.port(),
            folder,
        };
        let started = Instant::now();
        while tokio::net::TcpStream::connect(("127.0.0.1", port))
            .await
            .is_err()
        {
            assert!(started.elapsed() < PATIENCE, "the proxy does not listen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        proxy
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("pgveil.toml")
    }

    /// Writes the configuration anew and lets it be read.
    pub(crate) fn reload(&self, limits: &str) {
        configure(&self.file(), self.port, self.upstream, limits);
        let id = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        kill_process(id, Signal::HUP).unwrap();
    }

    /// Whether it still runs.
    pub(crate) fn lives(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// How many sockets it has open, and how many other descriptors.
    pub(crate) fn descriptors(&self) -> (usize, usize) {
        let folder = fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap();
        let targets = folder.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
        let (sockets, others): (Vec<_>, Vec<_>) =
            targets.partition(|target| target.to_string_lossy().starts_with("socket:"));
        (sockets.len(), others.len())
    }

    /// The resident memory in KiB.
    pub(crate) fn memory_kib(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let word = line.and_then(|line| line.split_whitespace().nth(1));
        word.unwrap().parse().unwrap()
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Fails if the log tells of a panic or of any error.
    pub(crate) fn assert_clean_log(&self) {
        let log = self.log();
        let words = ["panicked", "\"level\":\"ERROR\"", "\"level\":\"error\""];
        let bad = |line: &&str| words.iter().any(|word| line.contains(word));
        let bad: Vec<&str> = log.lines().filter(bad).take(5).collect();
        assert!(bad.is_empty(), "{bad:#?}");
    }
}

fn configure(file: &std::path::Path, port: u16, upstream: u16, limits: &str) {
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:{port}\"]\nmax_connections = 500\n\
         [upstream]\naddress = \"127.0.0.1:{upstream}\"\n[limits]\n{limits}\n\
         [log]\nlevel = \"warn\"\nformat = \"json\"\n\
         [keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"ENDURE_KEY\"\n\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n\
         [[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\n"
    );
    fs::write(file, text).unwrap();
}
