//! A PgBouncer of our own before some server, gone with its owner.
#![allow(dead_code, reason = "tests and benchmarks each use a part of it")]

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a program until standard input ends. PgBouncer's gentler signals differ from version to
/// version; nothing here is worth a farewell.
const GUARD: &str = r#""$@" >"$0" 2>&1 & job=$!; echo $job >"$0.pid"; read -r _; kill -KILL $job"#;

/// A running PgBouncer.
pub(crate) struct PgBouncer {
    pub(crate) port: u16,
    guard: Child,
    folder: tempfile::TempDir,
}

/// What `PGVEIL_PGBOUNCER` names, or the installed one, which Debian puts where only root looks.
fn program() -> OsString {
    let debian = "/usr/sbin/pgbouncer";
    let installed = || fs::exists(debian).unwrap_or(false).then_some(debian);
    let named = std::env::var_os("PGVEIL_PGBOUNCER");
    named.unwrap_or_else(|| installed().unwrap_or("pgbouncer").into())
}

/// The version that is installed: 1.18 is `(1, 18)`.
pub(crate) fn version() -> Result<(u32, u32), String> {
    let output = Command::new(program()).arg("--version").output();
    let output = output.map_err(|error| format!("pgbouncer: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split([' ', '.', '\n']).skip(1).map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok((major, minor)),
        _ => Err(format!("pgbouncer --version says {text:?}")),
    }
}

/// Since 1.21 statements of the protocol can be prepared in transaction mode.
pub(crate) fn prepares() -> bool {
    version().is_ok_and(|version| version >= (1, 21))
}

impl PgBouncer {
    /// Starts one before the server at this address, with a mode of pooling, a number of
    /// connections to the server, and further lines of its section `[pgbouncer]`.
    pub(crate) fn start(
        (host, port): (&str, u16),
        mode: &str,
        pool: usize,
        more: &str,
    ) -> Result<Self, String> {
        let said = |error: std::io::Error| error.to_string();
        let folder = tempfile::tempdir().map_err(said)?;
        // It does not run as root: then another user reads the files.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).map_err(said)?;
        let free = TcpListener::bind("127.0.0.1:0").map_err(said)?;
        let own = free.local_addr().map_err(said)?.port();
        drop(free);
        let users = folder.path().join("users.txt");
        fs::write(&users, "\"postgres\" \"\"\n\"app\" \"\"\n").map_err(said)?;
        let file = folder.path().join("pgbouncer.ini");
        let prepared = if prepares() {
            "max_prepared_statements = 100\n"
        } else {
            ""
        };
        let text = format!(
            "[databases]\n* = host={host} port={port}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {own}\nunix_socket_dir =\n\
             auth_type = trust\nauth_file = {}\npool_mode = {mode}\n\
             default_pool_size = {pool}\nmax_client_conn = 500\n{prepared}{more}\n",
            users.display()
        );
        fs::write(&file, text).map_err(said)?;
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD]).arg(folder.path().join("log"));
        guard.arg(program());
        if fs::metadata("/proc/self").map_err(said)?.uid() == 0 {
            guard.args(["-u", "nobody"]);
        }
        let guard = guard.arg(&file).stdin(Stdio::piped()).spawn();
        let running = Self {
            port: own,
            guard: guard.map_err(said)?,
            folder,
        };
        running.wait()?;
        Ok(running)
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> Option<u32> {
        let text = fs::read_to_string(self.folder.path().join("log.pid")).ok()?;
        text.trim().parse().ok()
    }

    fn wait(&self) -> Result<(), String> {
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if started.elapsed() > Duration::from_secs(10) {
                let log = fs::read_to_string(self.folder.path().join("log"));
                return Err(format!("PgBouncer does not listen: {log:?}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}
