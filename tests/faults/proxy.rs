//! `pgveil serve` as a process that is drained, replaced and told to reload.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::server::signal;

/// A running proxy; gone with its owner.
pub(crate) struct Proxy(Child);

/// Writes the configuration of a proxy at `listen` before `upstream`.
pub(crate) fn configure(file: &Path, listen: u16, upstream: SocketAddr, more: &str) {
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:{listen}\"]\n[upstream]\naddress = \"{upstream}\"\n\
         [limits]\ndrain_timeout_s = 2\n{more}\n[keys]\ncurrent = \"a\"\n[keys.ring.a]\n\
         env = \"FAULT_KEY\"\n[[id]]\nname = \"account\"\ncolumn = \"public.accounts.id\"\n\
         [log]\nlevel = \"warn\"\n"
    );
    fs::write(file, text).unwrap();
}

impl Proxy {
    /// Starts a proxy and waits until it listens.
    pub(crate) async fn start(file: &Path, port: u16) -> Self {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(file.with_file_name("log"));
        let child = Command::new(env!("CARGO_BIN_EXE_pgveil"))
            .arg("serve")
            .arg("-c")
            .arg(file)
            .env("FAULT_KEY", "5eed".repeat(16))
            .stdin(Stdio::null())
            .stderr(log.unwrap())
            .spawn()
            .unwrap();
        let proxy = Self(child);
        let started = Instant::now();
        while tokio::net::TcpStream::connect(("127.0.0.1", port))
            .await
            .is_err()
        {
            assert!(started.elapsed() < Duration::from_secs(30), "no listener");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        proxy
    }

    /// Drains this one and puts another in its place at the same port.
    pub(crate) async fn replace(&mut self, file: &Path, port: u16) {
        assert!(signal(self.0.id(), Signal::TERM));
        // The old one closes its listener first and lives on while it drains.
        let closing = Instant::now();
        while tokio::net::TcpStream::connect(("127.0.0.1", port))
            .await
            .is_ok()
        {
            assert!(closing.elapsed() < Duration::from_secs(30), "it listens on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let mut old = std::mem::replace(self, Self::start(file, port).await);
        let started = Instant::now();
        loop {
            if let Some(status) = old.0.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(30), "no end");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn reload(&self) {
        assert!(signal(self.0.id(), Signal::HUP));
    }

    /// Whether it still runs.
    pub(crate) fn lives(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    pub(crate) fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.0.id()))
            .unwrap()
            .count()
    }

    /// The resident memory in KiB.
    pub(crate) fn memory_kib(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let word = line.and_then(|line| line.split_whitespace().nth(1));
        word.unwrap().parse().unwrap()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
