//! One Postgres with TLS for all tests of this binary, a proxy for each, and libpq's clients.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pgveil::config::{Config, Environment, Fault};
use pgveil::postgres::{Options, Postgres};
use pgveil::proxy::{Reload, Server};
use tokio::process::Command;
use tokio::sync::oneshot;
use tokio_postgres::{Client, NoTls};

use crate::authority::{Authority, HERE, Identity};

/// Longer than anything here takes, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Roles that authenticate by the method in their name; the password is `secret`.
pub(crate) const METHODS: [&str; 4] = ["trust", "password", "md5", "scram-sha-256"];

/// The role that authenticates by SCRAM.
pub(crate) const SCRAM: &str = "with scram-sha-256";

/// Postgres, and the certificates of everyone.
pub(crate) struct Stand {
    pub(crate) postgres: Postgres,
    pub(crate) authority: Authority,
    /// What Postgres shows.
    pub(crate) inner: Identity,
    /// What proxies show.
    pub(crate) outer: Identity,
    /// `role:verifier` of each role with SCRAM.
    pub(crate) verifiers: String,
}

/// The stand that all tests share.
pub(crate) fn stand() -> &'static Stand {
    static STAND: LazyLock<Stand> = LazyLock::new(|| {
        // Its own runtime: tests have one each, and this outlives all of them.
        std::thread::spawn(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(build())
        })
        .join()
        .unwrap()
    });
    &STAND
}

async fn build() -> Stand {
    let mut options = Options::from_env().setting("max_connections", "200");
    options = options
        .hba("hostssl all \"by certificate\" all cert")
        .hba("hostssl all \"over tls\" all trust")
        .hba("host all \"over tls\" all reject");
    for method in METHODS {
        options = options.hba(&format!("host all \"with {method}\" all {method}"));
    }
    let postgres = Postgres::start(&options).expect("a Postgres");
    let authority = Authority::new();
    let (inner, outer) = (
        authority.issue("inner", &HERE),
        authority.issue("outer", &HERE),
    );
    let admin = connect(&postgres).await;
    encrypt(&postgres, &authority, &inner, &admin).await;
    for method in METHODS {
        let encryption = if method == "md5" {
            "md5"
        } else {
            "scram-sha-256"
        };
        let create = format!(
            "SET password_encryption = '{encryption}';
             CREATE ROLE \"with {method}\" LOGIN PASSWORD 'secret'"
        );
        admin.batch_execute(&create).await.expect("a role");
    }
    admin
        .batch_execute(
            "CREATE ROLE \"by certificate\" LOGIN; CREATE ROLE \"over tls\" LOGIN;
             CREATE FUNCTION verifier_of(wanted name, OUT role name, OUT verifier text) LANGUAGE sql SECURITY DEFINER
             AS 'SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1';
             REVOKE ALL ON FUNCTION verifier_of FROM public;
             GRANT EXECUTE ON FUNCTION verifier_of TO \"with scram-sha-256\"",
        )
        .await
        .unwrap();
    let list = "SELECT rolname || ':' || rolpassword FROM pg_authid \
                WHERE rolpassword LIKE 'SCRAM%'";
    let rows = admin.query(list, &[]).await.unwrap();
    let verifiers: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    Stand {
        postgres,
        authority,
        inner,
        outer,
        verifiers: verifiers.join("\n"),
    }
}

async fn connect(postgres: &Postgres) -> Client {
    let url = postgres.url("postgres");
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Switches TLS on, with files that the server's user can read.
async fn encrypt(postgres: &Postgres, authority: &Authority, identity: &Identity, admin: &Client) {
    let folder = postgres.folder().expect("a server of our own");
    let owner = fs::metadata(folder.join("data")).unwrap();
    for (setting, file) in [
        ("ssl_cert_file", &identity.cert),
        ("ssl_key_file", &identity.key),
        ("ssl_ca_file", &authority.ca()),
    ] {
        let copy = folder.join(setting);
        fs::copy(file, &copy).unwrap();
        chown(&copy, Some(owner.uid()), Some(owner.gid())).unwrap();
        let set = format!("ALTER SYSTEM SET {setting} = '{}'", copy.display());
        admin.batch_execute(&set).await.unwrap();
    }
    for statement in ["ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()"] {
        admin.batch_execute(statement).await.unwrap();
    }
    let started = Instant::now();
    loop {
        let fresh = connect(postgres).await;
        let shown = fresh.query_one("SHOW ssl", &[]).await.unwrap();
        if shown.get::<_, String>(0) == "on" {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "no TLS: {}", postgres.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Stand {
    pub(crate) fn upstream(&self) -> String {
        format!("127.0.0.1:{}", self.postgres.port())
    }

    /// The table for TLS with clients.
    pub(crate) fn server_tls(&self, mode: &str, more: &str) -> String {
        server_tls(&self.outer, mode, more)
    }

    /// The table for TLS with Postgres, whose certificate is verified.
    pub(crate) fn upstream_tls(&self) -> String {
        let ca = self.authority.ca();
        format!(
            "[upstream.tls]\nmode = \"verify-full\"\nca = \"{}\"\n",
            ca.display()
        )
    }

    /// The table for authentication by the verifiers of Postgres.
    pub(crate) fn auth(&self) -> String {
        self.auth_from(&self.verifiers)
    }

    pub(crate) fn auth_from(&self, verifiers: &str) -> String {
        let file = self.file(verifiers);
        format!(
            "[auth]\nmode = \"verifier\"\nfile = \"{}\"\n",
            file.display()
        )
    }

    /// A new file with this text. Tests run side by side, and none reads what another is writing.
    pub(crate) fn file(&self, text: &str) -> PathBuf {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = self.authority.folder().join(format!("file {number}"));
        fs::write(&file, text).unwrap();
        file
    }

    pub(crate) fn program(&self, name: &str) -> Command {
        let program = self.postgres.program(name).expect(name);
        let mut command = Command::new(program);
        // Nobody's files and variables but ours.
        command
            .env_clear()
            .env("HOME", self.authority.folder().join("nobody"))
            .stdin(std::process::Stdio::null());
        command
    }
}

pub(crate) fn server_tls(identity: &Identity, mode: &str, more: &str) -> String {
    format!(
        "[server.tls]\ncert = \"{}\"\nkey = \"{}\"\nmode = \"{mode}\"\n{more}\n",
        identity.cert.display(),
        identity.key.display()
    )
}

/// A configuration with these tables.
pub(crate) fn parse(upstream: &str, tables: &str) -> Result<Config, Vec<Fault>> {
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:0\"]\n{tables}\n[upstream]\naddress = \"{upstream}\"\n"
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|_| None,
    };
    Config::parse(&text, &around)
}

/// A running proxy.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) reload: Reload,
    _stop: oneshot::Sender<()>,
}

impl Proxy {
    /// Before the Postgres of the stand.
    pub(crate) async fn start(tables: &str) -> Self {
        Self::before(&stand().upstream(), tables).await
    }

    pub(crate) async fn before(upstream: &str, tables: &str) -> Self {
        Self::with(parse(upstream, tables).expect("a sound configuration")).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        let server = Server::bind(config).await.expect("a proxy");
        let address = server.local_addr().expect("TCP");
        let reload = server.reload();
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(server.run(async move {
            let _ = stopped.await;
        }));
        Self {
            address,
            reload,
            _stop: stop,
        }
    }

    /// What psql says to a statement, or its complaint.
    pub(crate) async fn psql(&self, options: &str, statement: &str) -> Result<String, String> {
        psql("127.0.0.1", self.address.port(), options, statement).await
    }
}

/// Runs a statement in psql; the password is `secret` if the options name no other.
pub(crate) async fn psql(
    host: &str,
    port: u16,
    options: &str,
    statement: &str,
) -> Result<String, String> {
    let options = format!("host={host} port={port} dbname=postgres password=secret {options}");
    let mut command = stand().program("psql");
    command.args(["-XAtqc", statement, &options]);
    let output = command.kill_on_drop(true).output();
    let output = tokio::time::timeout(PATIENCE, output).await;
    let output = output.expect("an end in time").unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(text(&output.stderr))
    }
}

/// libpq's options for a client that verifies the proxy.
pub(crate) fn verified(user: &str) -> String {
    let ca = stand().authority.ca();
    format!(
        "user='{user}' sslmode=verify-full sslrootcert={}",
        ca.display()
    )
}
