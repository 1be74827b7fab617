//! `pgveil serve` as a process of its own, and what else benchmarks share.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pgveil::postgres::Postgres;
use tokio_postgres::{Client, NoTls};

/// The kernel's unit of processor time; 100 on every Linux that Rust supports.
const TICKS_PER_SECOND: f64 = 100.0;

/// The key of the ids.
pub(crate) const KEY: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0";

/// What follows this word on the command line.
pub(crate) fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}

/// The number that follows this word.
pub(crate) fn number(name: &str, default: u64) -> u64 {
    argument(name).map_or(default, |value| value.parse().expect("a number"))
}

/// The same for how many of something there are.
pub(crate) fn count(name: &str, default: usize) -> usize {
    argument(name).map_or(default, |value| value.parse().expect("a number"))
}

/// A session.
pub(crate) async fn connect(port: u16, user: &str) -> Client {
    let url = format!("postgres://{user}@127.0.0.1:{port}/postgres");
    let (client, connection) = tokio_postgres::connect(&url, NoTls)
        .await
        .expect("a session");
    tokio::spawn(connection);
    client
}

/// The proxy as a process; gone with its owner.
pub(crate) struct Proxy {
    child: Child,
    pub(crate) port: u16,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    /// Starts one in front of a server, for domains of a name, a column and
    /// further settings, and waits for it.
    pub(crate) fn start(postgres: &Postgres, folder: &Path, ids: &[(&str, &str, &str)]) -> Self {
        Self::start_before((postgres.host(), postgres.port()), 1000, folder, ids)
    }

    /// The same in front of any address, for so many connections.
    pub(crate) fn start_before(
        upstream: (&str, u16),
        connections: usize,
        folder: &Path,
        ids: &[(&str, &str, &str)],
    ) -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_pgveil"));
        Self::start_program(program, upstream, connections, folder, ids)
    }

    /// The same with another pgveil than this tree's.
    pub(crate) fn start_program(
        program: &Path,
        (host, upstream): (&str, u16),
        connections: usize,
        folder: &Path,
        ids: &[(&str, &str, &str)],
    ) -> Self {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let file = folder.join("pgveil.toml");
        let mut text = format!(
            "[server]\nlisten = [\"127.0.0.1:{port}\"]\nmax_connections = {connections}\n\
             [log]\nlevel = \"warn\"\n[upstream]\naddress = \"{host}:{upstream}\"\n\
             [keys]\ncurrent = \"bench\"\n[keys.ring.bench]\ncommand = [\"echo\", \"{KEY}\"]\n"
        );
        for (name, column, settings) in ids {
            text.push_str(&format!(
                "[[id]]\nname = \"{name}\"\ncolumn = \"{column}\"\n{settings}\n"
            ));
        }
        fs::write(&file, text).unwrap();
        let child = Command::new(program)
            .args(["serve".as_ref(), "-c".as_ref(), file.as_os_str()])
            .stdin(Stdio::null())
            .spawn()
            .expect("pgveil");
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(
                started.elapsed() < Duration::from_secs(10),
                "the proxy does not listen"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { child, port }
    }

    /// A line of its memory (`VmRSS`, `VmHWM`) in KiB, where the system tells.
    pub(crate) fn memory_kib(&self, name: &str) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// The processor time so far, where the system tells.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        cpu_seconds(self.child.id())
    }
}

/// The processor time of a process so far, where the system tells.
pub(crate) fn cpu_seconds(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may hold blanks; 12 fields lie between it and the
    // user and system time.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
}
