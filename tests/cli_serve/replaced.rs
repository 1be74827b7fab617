//! The binary is replaced while clients come all the time: none of them is refused, whether the two
//! processes share a port or a socket that somebody else has opened.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pgveil::postgres::{Options, Postgres};
use tempfile::TempDir;

use super::{PATIENCE, ask, connect, free_port};

/// So many clients come while it is replaced, and for as long as it takes.
const CLIENTS: usize = 1000;

/// A folder with a configuration in which `[server]` has these lines.
pub(super) fn configured(upstream: u16, server: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key");
    fs::write(&key, "01".repeat(32)).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let text = format!(
        "[server]\n{server}\n[upstream]\naddress = \"127.0.0.1:{upstream}\"\n[keys]\ncurrent = \"k\"\n\
         [keys.ring.k]\nfile = \"key\"\n[[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n"
    );
    fs::write(folder.path().join("pgveil.toml"), text).unwrap();
    folder
}

/// A process that serves by that configuration, started as systemd would.
pub(super) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Starts it with a socket that is open already, if there is one, and waits until it serves.
    pub(super) fn start(folder: &Path, socket: Option<OwnedFd>, more: &[(&str, &Path)]) -> Self {
        let notified = folder.join(format!("notified-{}", free_port()));
        let hears = UnixDatagram::bind(&notified).unwrap();
        let given = match socket {
            Some(_) => "exec 3<&0 </dev/null; export LISTEN_FDS=1 LISTEN_PID=$$; ",
            None => "",
        };
        let serve = format!("{given}exec \"$0\" serve -c \"$1\"");
        let child = Command::new("sh")
            .args(["-c", &serve, env!("CARGO_BIN_EXE_pgveil")])
            .arg(folder.join("pgveil.toml"))
            .env("NOTIFY_SOCKET", &notified)
            .envs(more.iter().copied())
            .stdin(socket.map_or_else(Stdio::null, Stdio::from))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let process = Self(child);
        if more.is_empty() {
            assert_eq!(heard(&hears), "READY=1\n");
        }
        process
    }

    fn signal(&self, signal: &str) {
        let pid = self.0.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until it has ended by itself.
    async fn ends(&mut self) {
        let started = Instant::now();
        while self.0.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < PATIENCE, "it still runs");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// What systemd hears next.
fn heard(socket: &UnixDatagram) -> String {
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut text = [0; 256];
    let length = socket.recv(&mut text).unwrap();
    String::from_utf8_lossy(&text[..length]).into_owned()
}

pub(super) async fn postgres() -> Postgres {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    let table = "CREATE TABLE users (id bigint PRIMARY KEY); INSERT INTO users VALUES (1)";
    inside.batch_execute(table).await.unwrap();
    postgres
}

/// Sends clients to a port, eight at a time, until `replaced` says that it is, and until there were
/// enough. All are answered.
async fn come(port: u16, replaced: Arc<AtomicBool>) -> usize {
    let served = Arc::new(AtomicUsize::new(0));
    let crowd: Vec<_> = (0..8)
        .map(|_| {
            let (served, replaced) = (Arc::clone(&served), Arc::clone(&replaced));
            tokio::spawn(async move {
                while !replaced.load(Ordering::Relaxed) || served.load(Ordering::Relaxed) < CLIENTS
                {
                    let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
                    let client = connect(&url).await;
                    let id = ask(&client, "SELECT id FROM users").await.unwrap();
                    assert_eq!(id.len(), 36);
                    served.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for client in crowd {
        client.await.unwrap();
    }
    served.load(Ordering::Relaxed)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_refused_while_another_process_takes_over_the_port() {
    let postgres = postgres().await;
    let port = free_port();
    let server = format!("listen = [\"127.0.0.1:{port}\"]\nreuse_port = true");
    let folder = configured(postgres.port(), &server);
    let mut old = Process::start(folder.path(), None, &[]);
    let replaced = Arc::new(AtomicBool::new(false));
    let crowd = tokio::spawn(come(port, Arc::clone(&replaced)));
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let new = Process::start(folder.path(), None, &[]);
        old.signal("TERM");
        old.ends().await;
        old = new;
    }
    replaced.store(true, Ordering::Relaxed);
    assert!(crowd.await.unwrap() >= CLIENTS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_refused_by_a_socket_that_systemd_holds() {
    let postgres = postgres().await;
    let folder = configured(postgres.port(), "listen = [\"systemd\"]");
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = socket.local_addr().unwrap().port();
    let given = || Some(OwnedFd::from(socket.try_clone().unwrap()));
    let replaced = Arc::new(AtomicBool::new(false));
    // They come before anybody serves.
    let crowd = tokio::spawn(come(port, Arc::clone(&replaced)));
    for _ in 0..3 {
        let mut process = Process::start(folder.path(), given(), &[]);
        tokio::time::sleep(Duration::from_millis(300)).await;
        process.signal("TERM");
        process.ends().await;
    }
    let last = Process::start(folder.path(), given(), &[]);
    replaced.store(true, Ordering::Relaxed);
    assert!(crowd.await.unwrap() >= CLIENTS);
    drop(last);
}

#[tokio::test]
async fn systemd_hears_of_its_reloads_and_of_its_end() {
    let postgres = postgres().await;
    let server = format!("listen = [\"127.0.0.1:{}\"]", free_port());
    let folder = configured(postgres.port(), &server);
    let path = folder.path().join("systemd");
    let systemd = UnixDatagram::bind(&path).unwrap();
    let mut process = Process::start(folder.path(), None, &[("NOTIFY_SOCKET", &path)]);
    assert_eq!(heard(&systemd), "READY=1\n");
    process.signal("HUP");
    let reloading = heard(&systemd);
    assert!(
        reloading.starts_with("RELOADING=1\nMONOTONIC_USEC="),
        "{reloading}"
    );
    assert_eq!(heard(&systemd), "READY=1\n");
    process.signal("TERM");
    assert_eq!(heard(&systemd), "STOPPING=1\n");
    process.ends().await;
    // Without a socket it says so.
    let folder = configured(postgres.port(), "listen = [\"systemd\"]");
    let served = Command::new(env!("CARGO_BIN_EXE_pgveil"))
        .args(["serve", "-c"])
        .arg(folder.path().join("pgveil.toml"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&served.stderr).into_owned();
    assert!(!served.status.success());
    assert!(told.contains("cannot listen at systemd"), "{told}");
}
