//! Many connections at once, to a proxy in a process of its own so that its memory can be told.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::future;

use crate::support::*;

const CONNECTIONS: usize = 1000;

/// A proxy as a process; gone with its owner.
struct Process {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let file = folder.path().join("pgveil.toml");
        let text = format!(
            "[server]\nlisten = [\"127.0.0.1:{port}\"]\nmax_connections = {}\n\
             [upstream]\naddress = \"{}:{}\"\n[log]\nlevel = \"warn\"\n",
            CONNECTIONS + 10,
            postgres().host(),
            postgres().port()
        );
        fs::write(&file, text).unwrap();
        let child = Command::new("sh")
            .args(["-c", "ulimit -n $(ulimit -Hn); exec \"$0\" serve -c \"$1\""])
            .args([env!("CARGO_BIN_EXE_pgveil").as_ref(), file.as_os_str()])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            child,
            port,
            _folder: folder,
        }
    }

    /// The resident memory in bytes, if the system tells.
    fn memory(&self) -> Option<usize> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024)
    }

    /// Waits until the proxy listens.
    async fn listens(&self) {
        let started = Instant::now();
        while tokio::net::TcpStream::connect(("127.0.0.1", self.port))
            .await
            .is_err()
        {
            assert!(started.elapsed() < PATIENCE, "the proxy does not listen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn session(&self) -> Raw {
        Raw::session(([127, 0, 0, 1], self.port).into()).await
    }
}

/// The crowd needs a descriptor for each connection, more than many systems give at first.
#[test]
fn a_thousand_connections_at_once_each_get_their_answer() {
    let program = std::env::current_exe().unwrap();
    let status = Command::new("sh")
        .args([
            "-c",
            "ulimit -n $(ulimit -Hn); exec \"$0\" --ignored --exact crowd::crowd --nocapture",
        ])
        .arg(program)
        .status()
        .unwrap();
    assert!(status.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a_thousand_connections_at_once_each_get_their_answer runs it with enough descriptors"]
async fn crowd() {
    let process = Process::start();
    process.listens().await;
    let mut first = process.session().await;
    first.send(&query("SELECT 1")).await;
    first.until_ready().await;
    let before = process.memory();

    let connections = (0..CONNECTIONS).map(|_| process.session());
    let mut crowd = future::join_all(connections).await;
    let ask = async |(number, raw): (usize, &mut Raw)| {
        raw.send(&query(&format!("SELECT {number}"))).await;
        let answer = raw.until_ready().await;
        assert_eq!(answer.kinds(), "TDCZ");
        let (_, row) = &answer.messages[1];
        assert!(row.ends_with(number.to_string().as_bytes()));
    };
    let started = Instant::now();
    future::join_all(crowd.iter_mut().enumerate().map(ask)).await;
    let seconds = started.elapsed().as_secs_f64();
    println!("{CONNECTIONS} connections, each with a query: all answered within {seconds:.2} s");

    tokio::time::sleep(Duration::from_millis(500)).await;
    if let (Some(before), Some(after)) = (before, process.memory()) {
        let each = after.saturating_sub(before) / CONNECTIONS;
        println!("memory for each idle connection: {each} bytes");
        assert!(each < 64 * 1024, "an idle connection takes {each} bytes");
    }
}
