//! A throwaway Postgres that is killed, stopped and started again on the same data.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pgveil::postgres::{Options, Postgres};
use rustix::process::{Pid, Signal, kill_process};

/// The server and what it takes to start it once more.
pub(crate) struct Victim {
    postgres: Postgres,
    /// The program and its arguments.
    command: Vec<String>,
    data: PathBuf,
    /// The process that took the place of the first.
    again: Option<Child>,
}

/// Longer than a server needs for anything, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn signal(id: u32, signal: Signal) -> bool {
    Pid::from_raw(id.cast_signed()).is_some_and(|id| kill_process(id, signal).is_ok())
}

impl Victim {
    pub(crate) fn start(connections: usize) -> Self {
        Self::with(Options::from_env(), connections)
    }

    pub(crate) fn with(options: Options, connections: usize) -> Self {
        // What is committed survives the death of the process, as it must.
        let options = options
            .setting("max_connections", &connections.to_string())
            .setting("synchronous_commit", "on");
        let postgres = Postgres::start(&options).unwrap();
        let folder = postgres.folder().expect("a server of our own");
        let mut victim = Self {
            data: folder.join("data"),
            command: Vec::new(),
            again: None,
            postgres,
        };
        let line = fs::read(format!("/proc/{}/cmdline", victim.id().unwrap())).unwrap();
        let words = line
            .split(|byte| *byte == 0)
            .filter(|word| !word.is_empty());
        victim.command = words
            .map(|word| String::from_utf8(word.to_vec()).unwrap())
            .collect();
        victim
    }

    pub(crate) fn port(&self) -> u16 {
        self.postgres.port()
    }

    pub(crate) fn url(&self) -> String {
        self.postgres.url("postgres")
    }

    /// The program and its arguments.
    pub(crate) fn command(&self) -> &[String] {
        &self.command
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Kills every process of the server, the one that makes others first.
    pub(crate) fn kill(&self) {
        assert!(signal(self.id().expect("a running server"), Signal::KILL));
        let started = Instant::now();
        loop {
            let left = self.attached();
            if left.is_empty() {
                break;
            }
            left.iter().for_each(|id| {
                signal(*id, Signal::KILL);
            });
            assert!(started.elapsed() < PATIENCE, "it lives on");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn id(&self) -> Option<u32> {
        let file = fs::read_to_string(self.data.join("postmaster.pid")).ok()?;
        file.lines().next()?.trim().parse().ok()
    }

    /// The processes of the server that serve clients or write in the background.
    fn children(&self) -> Vec<u32> {
        let Some(id) = self.id() else {
            return Vec::new();
        };
        let file = format!("/proc/{id}/task/{id}/children");
        let text = fs::read_to_string(file).unwrap_or_default();
        text.split_whitespace()
            .filter_map(|id| id.parse().ok())
            .collect()
    }

    /// Kills one backend: the server then ends all the others and recovers.
    pub(crate) async fn kill_backend(&self, choice: usize) {
        let children = self.children();
        let backends: Vec<_> = children.into_iter().filter(|id| is_backend(*id)).collect();
        assert!(!backends.is_empty(), "nobody is served");
        assert!(signal(backends[choice % backends.len()], Signal::KILL));
        let started = Instant::now();
        while backends.iter().any(|id| is_backend(*id)) {
            assert!(started.elapsed() < PATIENCE, "backends live on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Stops every process of the server for a while.
    pub(crate) async fn stop_for(&self, time: Duration) {
        let all = self.processes();
        assert!(all.len() > 1);
        let alive = |id: &u32| state(*id).filter(|state| *state != 'Z');
        for id in &all {
            signal(*id, Signal::STOP);
        }
        tokio::time::sleep(time).await;
        let stopped = all.iter().filter_map(alive).all(|state| state == 'T');
        // Before anything else: a server that is stopped could not be ended either. Those that
        // came into being meanwhile, too.
        for id in self.processes().iter().chain(&all) {
            signal(*id, Signal::CONT);
        }
        assert!(stopped, "something ran on");
        let started = Instant::now();
        while all.iter().filter_map(alive).any(|state| state == 'T') {
            assert!(started.elapsed() < PATIENCE, "it does not go on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn processes(&self) -> Vec<u32> {
        self.id().into_iter().chain(self.children()).collect()
    }

    /// Ends the server, by force (KILL) or in order (INT), and starts it on what it left.
    pub(crate) async fn restart(&mut self, how: Signal) {
        let id = self.id().expect("a running server");
        assert!(signal(id, how));
        let started = Instant::now();
        loop {
            if let Some(child) = &mut self.again {
                let _ = child.try_wait();
            }
            let left = self.attached();
            if left.is_empty() {
                break;
            }
            // An orphan in the middle of something notices only later that its parent is gone.
            if started.elapsed() > Duration::from_secs(5) {
                left.iter().for_each(|id| {
                    signal(*id, Signal::KILL);
                });
            }
            assert!(started.elapsed() < Duration::from_secs(20), "it lives on");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.spawn().await;
        assert_ne!(self.id(), Some(id), "it is the same server");
    }

    /// The processes that work in the data directory, whoever is their parent. A list of the
    /// children from before a kill would miss one that was forked in between, and its hold on
    /// the shared memory keeps the next server from starting.
    fn attached(&self) -> Vec<u32> {
        let data = fs::canonicalize(&self.data).unwrap();
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|id| fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|cwd| cwd == data))
            .collect()
    }

    async fn spawn(&mut self) {
        if let Some(mut child) = self.again.take() {
            let _ = child.wait();
        }
        let _ = fs::remove_file(self.data.join("postmaster.pid"));
        let owner = fs::metadata(&self.data).unwrap();
        let log = self.data.with_file_name("again.log");
        let log = fs::File::options().create(true).append(true).open(log);
        let mut command = Command::new(&self.command[0]);
        command
            .args(&self.command[1..])
            .env_clear()
            .env("LC_ALL", "C")
            .env("TZ", "UTC")
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.unwrap());
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.uid(owner.uid()).gid(owner.gid());
        }
        self.again = Some(command.spawn().unwrap());
        let started = Instant::now();
        while tokio_postgres::connect(&self.url(), tokio_postgres::NoTls)
            .await
            .is_err()
        {
            let ended = self.again.as_mut().unwrap().try_wait().unwrap();
            assert!(
                ended.is_none() && started.elapsed() < PATIENCE,
                "it does not start again ({ended:?}): {}",
                fs::read_to_string(self.data.with_file_name("again.log")).unwrap()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The state of a process: `T` for stopped, `Z` if nobody has asked how it ended; `None` if it
/// is gone.
fn state(id: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.chars().next()
}

/// A client's process calls itself `postgres: user database address state`.
fn is_backend(id: u32) -> bool {
    let title = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    memchr::memmem::find(&title, b"127.0.0.1(").is_some()
}

impl Drop for Victim {
    fn drop(&mut self) {
        if let Some(mut child) = self.again.take() {
            signal(child.id(), Signal::QUIT);
            let _ = child.wait();
        }
    }
}
