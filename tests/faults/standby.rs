//! A streaming standby of a throwaway server.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::time::sleep;

use crate::bank::PASSWORD;
use crate::server::{Victim, signal};

const PATIENCE: Duration = Duration::from_secs(60);

/// A running standby; gone with its owner.
pub(crate) struct Standby {
    process: Child,
    pub(crate) port: u16,
    folder: PathBuf,
}

impl Standby {
    /// Copies a server, and follows it. From then on no commit is acknowledged that the copy has not.
    pub(crate) async fn of(primary: &Victim) -> Self {
        let folder = primary.data().with_file_name("standby");
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let program = Path::new(&primary.command()[0]);
        let from = format!("host=127.0.0.1 port={} user=postgres", primary.port());
        let copied = as_owner(&program.with_file_name("pg_basebackup"), primary.data())
            .args([
                "--dbname",
                &from,
                "--wal-method=stream",
                "--checkpoint=fast",
            ])
            .args(["--write-recovery-conf", "--pgdata"])
            .arg(&folder)
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&copied.stderr);
        assert!(copied.status.success(), "{words}");
        let (was, is) = (primary.data().to_str().unwrap(), folder.to_str().unwrap());
        let (was_at, is_at) = (format!("port={}", primary.port()), format!("port={port}"));
        let arguments = primary.command().iter().skip(1).map(|word| match word {
            word if word == was => is,
            word if *word == was_at => &is_at,
            word => word,
        });
        let log = fs::File::create(primary.data().with_file_name("standby.log")).unwrap();
        let process = as_owner(program, primary.data())
            .args(arguments)
            .stderr(log)
            .spawn()
            .unwrap();
        let standby = Self {
            process,
            port,
            folder,
        };
        standby.follow(primary).await;
        standby
    }

    async fn follow(&self, primary: &Victim) {
        let direct = crate::connect(&primary.url()).await;
        let alter = "ALTER SYSTEM SET synchronous_standby_names = '*'";
        direct.batch_execute(alter).await.unwrap();
        direct
            .batch_execute("SELECT pg_reload_conf()")
            .await
            .unwrap();
        let started = Instant::now();
        let count = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        while direct.query_one(count, &[]).await.unwrap().get::<_, i64>(0) == 0 {
            let log = fs::read_to_string(self.folder.with_file_name("standby.log"));
            assert!(started.elapsed() < PATIENCE, "it does not follow: {log:?}");
            sleep(Duration::from_millis(20)).await;
        }
        // One that is behind still takes sessions.
        while tokio_postgres::connect(&self.url(), tokio_postgres::NoTls)
            .await
            .is_err()
        {
            assert!(started.elapsed() < PATIENCE, "it takes no sessions");
            sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn url(&self) -> String {
        let port = self.port;
        format!("host=127.0.0.1 port={port} user=postgres dbname=postgres password='{PASSWORD}'")
    }

    /// Makes it the primary.
    pub(crate) async fn promote(&self) {
        let direct = crate::connect(&self.url()).await;
        let row = direct.query_one("SELECT pg_promote()", &[]).await.unwrap();
        assert!(row.get::<_, bool>(0), "it stays a standby");
    }
}

/// A command of the user who owns a server's files, as servers don't run as root.
fn as_owner(program: &Path, data: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .env("PGPASSWORD", PASSWORD)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let owner = fs::metadata(data).unwrap();
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(owner.uid()).gid(owner.gid());
    }
    command
}

impl Drop for Standby {
    fn drop(&mut self) {
        // At once, and in order: its children go with it.
        signal(self.process.id(), Signal::QUIT);
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
