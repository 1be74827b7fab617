//! A server for one run of a suite, made for it, and what its driver connects to: the server
//! itself or pgveil in front of it.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pgveil::postgres::Postgres;
use tokio_postgres::NoTls;

use crate::suite::Suite;

/// Longer than pgveil takes to listen.
const PATIENCE: Duration = Duration::from_secs(30);

/// The way from the driver to Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// None but the socket.
    Direct,
    /// pgveil with nothing annotated.
    Plain,
    /// pgveil that has to analyse every statement, since a table that no test knows is annotated,
    /// and that looks at the catalog as often as it can.
    Annotated,
}

impl Way {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Plain => "plain",
            Self::Annotated => "annotated",
        }
    }
}

/// Where a suite runs. Gone with its owner.
pub(crate) struct Stage {
    pub(crate) way: Way,
    /// Where the driver connects to.
    pub(crate) port: u16,
    folder: tempfile::TempDir,
    /// Ends before the server does.
    _proxy: Option<Proxy>,
    _postgres: Postgres,
}

impl Stage {
    pub(crate) fn new(suite: &Suite, way: Way) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let port = suite.port.unwrap_or_else(free_port);
        let sockets = folder.path().join("sockets");
        fs::create_dir(&sockets).expect("a folder");
        for path in [folder.path(), &sockets] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("a folder of ours");
        }
        let mut options = suite.server();
        if way == Way::Direct {
            options = options.port(port).socket_dir(&sockets);
        }
        let postgres = Postgres::start(&options).expect("a Postgres");
        prepare(&postgres, suite);
        let proxy = (way != Way::Direct).then(|| {
            let file = folder.path().join("pgveil.toml");
            fs::write(&file, configuration(way, port, &sockets, postgres.port())).expect("a file");
            Proxy::start(&file, port)
        });
        Self {
            way,
            port,
            folder,
            _proxy: proxy,
            _postgres: postgres,
        }
    }

    /// The folder of the Unix socket.
    pub(crate) fn sockets(&self) -> PathBuf {
        self.folder.path().join("sockets")
    }

    /// What pgveil has logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

fn prepare(postgres: &Postgres, suite: &Suite) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let annotated = (
            suite.database,
            "create table veiled (id bigint primary key)".to_owned(),
        );
        for (database, statements) in suite.preparations().into_iter().chain([annotated]) {
            let (client, connection) = tokio_postgres::connect(&postgres.url(database), NoTls)
                .await
                .expect("a session");
            let connection = tokio::spawn(connection);
            client
                .batch_execute(&statements)
                .await
                .expect("what a suite needs");
            drop(client);
            let _ = connection.await;
        }
    });
}

fn configuration(way: Way, port: u16, sockets: &Path, upstream: u16) -> String {
    let mut text = format!(
        "[server]\nlisten = [\"127.0.0.1:{port}\", \"unix:{}:{port}\"]\n\
         [upstream]\naddress = \"127.0.0.1:{upstream}\"\n\
         [keys]\ncurrent = \"test\"\n[keys.ring.test]\nenv = \"SUITE_KEY\"\n\
         [log]\nlevel = \"info\"\n",
        sockets.display()
    );
    if way == Way::Annotated {
        text += "[limits]\ncatalog_max_age_s = 0\n\
             [[id]]\nname = \"veiled\"\ncolumn = \"public.veiled.id\"\n";
    }
    text
}

/// A pgveil of its own process, which no driver can take the tests down with.
struct Proxy(Child);

impl Proxy {
    fn start(file: &Path, port: u16) -> Self {
        let given = std::env::var_os("PGVEIL_SUITES_BINARY");
        let binary = given.unwrap_or_else(|| env!("CARGO_BIN_EXE_pgveil").into());
        let log = File::create(file.with_file_name("log")).expect("a file");
        let child = Command::new(binary)
            .args(["serve", "-c"])
            .arg(file)
            .env("SUITE_KEY", "5eed".repeat(16))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("pgveil starts");
        let proxy = Self(child);
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < PATIENCE, "pgveil does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
