//! One server of our own: its settings, its start, and the guard that stops it. The guard's script
//! says how it cleans up.

use std::fs;
use std::io;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::folder::{Account, Folder};
use super::{Options, Reason};

/// A machine under load takes seconds for what takes half a second alone.
const READY_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Among the last words of a server whose port somebody else has.
const PORT_TAKEN: &str = "could not create any TCP/IP sockets";

/// Settings of every throwaway server: nothing in it has to survive a crash of the machine.
const SETTINGS: &[(&str, &str)] = &[
    ("listen_addresses", "127.0.0.1"),
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
    ("lc_messages", "C"),
    // In the folder: a server that is killed leaves nothing elsewhere.
    ("dynamic_shared_memory_type", "mmap"),
    ("logging_collector", "off"),
    ("log_destination", "stderr"),
];

/// A running server. Dropping it stops the server, deletes its folder, and returns when both are
/// done.
#[derive(Debug)]
pub(super) struct Server {
    guard: Child,
    pub(super) folder: PathBuf,
    pub(super) socket_dir: PathBuf,
    pub(super) port: u16,
}

impl Server {
    /// Starts a server from the programs in `bin` and waits until it answers.
    ///
    /// A free port may be taken by somebody else before the server binds it, so one that we chose
    /// ourselves is chosen again.
    pub(super) fn start(bin: &Path, options: &Options) -> Result<Self, Reason> {
        let mut attempts = if options.port.is_some() { 1 } else { 3 };
        loop {
            attempts -= 1;
            let server = Self::spawn(bin, options)?;
            match server.wait_until_ready() {
                Ok(()) => return Ok(server),
                Err(Reason::Exited { log, .. }) if attempts > 0 && log.contains(PORT_TAKEN) => {}
                Err(reason) => return Err(reason),
            }
        }
    }

    fn spawn(bin: &Path, options: &Options) -> Result<Self, Reason> {
        let port = options
            .port
            .map_or_else(free_port, Ok)
            .map_err(Reason::io("cannot listen on", "127.0.0.1"))?;
        let folder = Folder::create(&options.environment)?;
        let method = options.authentication.keyword();
        // A SIGKILL between here and the start of the guard, a millisecond, leaves these files.
        folder.write("guard.sh", include_str!("guard.sh"))?;
        folder.write("password", &options.password)?;
        folder.write("pg_hba.conf", &host_based_authentication(options))?;
        let socket_dir = options
            .socket_dir
            .clone()
            .unwrap_or_else(|| folder.path.clone());

        let mut guard = Command::new("/bin/sh");
        guard
            .arg(folder.path.join("guard.sh"))
            .arg(&folder.path)
            .arg(bin)
            .arg(method)
            .arg(socket_dir.join(format!(".s.PGSQL.{port}")));
        for (name, value) in server_settings(options, &folder.path, &socket_dir, port) {
            guard.arg("-c").arg(format!("{name}={value}"));
        }
        // Its own process group, out of reach of Ctrl-C; nothing of ours inherited but the pipe;
        // no PG* variables.
        guard
            .process_group(0)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        guard
            .env_clear()
            .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
            .env("LC_ALL", "C")
            .env("TZ", "UTC");
        if let Some(Account { uid, gid }) = folder.account {
            guard.uid(uid).gid(gid);
        }
        match guard.spawn() {
            Ok(guard) => Ok(Self {
                guard,
                folder: folder.path,
                socket_dir,
                port,
            }),
            Err(error) => {
                let _ = fs::remove_dir_all(&folder.path);
                Err(Reason::io("cannot run", "/bin/sh")(error))
            }
        }
    }

    /// The server writes `ready` as the eighth line of its pid file as soon as it accepts
    /// connections; `pg_ctl` waits for the same.
    fn wait_until_ready(&self) -> Result<(), Reason> {
        let started = Instant::now();
        loop {
            let status =
                fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap_or_default();
            if status
                .lines()
                .nth(7)
                .is_some_and(|line| line.trim_end() == "ready")
            {
                return Ok(());
            }
            // Written after the logs are complete.
            if let Ok(status) = fs::read_to_string(self.folder.join("exited")) {
                return Err(Reason::Exited {
                    status: status.trim_end().to_owned(),
                    log: self.last_words(),
                });
            }
            if started.elapsed() > READY_TIMEOUT {
                return Err(Reason::NotReady {
                    seconds: READY_TIMEOUT.as_secs(),
                    log: self.last_words(),
                });
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// The server's log so far.
    pub(super) fn log(&self) -> String {
        fs::read(self.folder.join("server.log"))
            .map(|log| String::from_utf8_lossy(&log).into_owned())
            .unwrap_or_default()
    }

    /// The last lines of the server's log, or of initdb's if the server never ran.
    fn last_words(&self) -> String {
        let initdb = || fs::read_to_string(self.folder.join("initdb.log")).unwrap_or_default();
        let log = Some(self.log())
            .filter(|log| !log.is_empty())
            .unwrap_or_else(initdb);
        let lines: Vec<_> = log.lines().filter(|line| !line.trim().is_empty()).collect();
        lines
            .get(lines.len().saturating_sub(4)..)
            .unwrap_or_default()
            .join(" | ")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // `wait` closes our end of the pipe first, which is the guard's order to clean up.
        let _ = self.guard.wait();
    }
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// The caller's lines come first, since the first line that fits a connection decides.
fn host_based_authentication(options: &Options) -> String {
    let method = options.authentication.keyword();
    let all = ["local all all", "host all all all"].map(|line| format!("{line} {method}"));
    options
        .hba
        .iter()
        .chain(&all)
        .fold(String::new(), |file, line| file + line + "\n")
}

/// The settings of the server; of two with the same name the later one counts, so the caller's go
/// last.
fn server_settings(
    options: &Options,
    folder: &Path,
    socket_dir: &Path,
    port: u16,
) -> Vec<(String, String)> {
    let mut settings: Vec<_> = SETTINGS
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    settings.push(("port".to_owned(), port.to_string()));
    settings.push((
        "hba_file".to_owned(),
        folder.join("pg_hba.conf").display().to_string(),
    ));
    // A list of names, in which a comma would separate.
    settings.push((
        "unix_socket_directories".to_owned(),
        format!("\"{}\"", socket_dir.display()),
    ));
    if let Some(hash) = options.authentication.password_encryption() {
        settings.push(("password_encryption".to_owned(), hash.to_owned()));
    }
    settings.extend(options.settings.iter().cloned());
    settings
}

#[cfg(test)]
mod tests {
    use super::super::Environment;
    use super::*;

    #[test]
    fn the_callers_lines_and_settings_take_precedence() {
        let options = Options::new(Environment::default())
            .hba("host all ann all md5")
            .setting("fsync", "on");
        assert!(
            host_based_authentication(&options)
                .starts_with("host all ann all md5\nlocal all all trust\n")
        );
        let settings = server_settings(&options, Path::new("/f"), Path::new("/s"), 1);
        let last = settings.iter().rev().find(|(name, _)| name == "fsync");
        assert_eq!(last.map(|(_, value)| value.as_str()), Some("on"));
    }
}
