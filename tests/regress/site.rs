//! A server with the database that the regression queries want, reached directly or through
//! pgveil, and psql to run them as Postgres's own test driver does.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pgveil::config::{Config, Environment};
use pgveil::postgres::{Options, Postgres};
use tempfile::TempDir;

use super::tap::Tap;
use super::twin::client::{Address, Client};
use super::twin::proxy::Proxy;

/// A file that runs longer has hung.
const LONGEST: Duration = Duration::from_secs(180);

/// A server, and the way to it.
pub(crate) struct Site {
    postgres: Postgres,
    /// Where psql connects.
    way: Address,
    /// Where the queries may write files, for psql and the server.
    folder: TempDir,
    /// The tap before pgveil.
    pub(crate) tap: Option<Tap>,
    _proxy: Option<Proxy>,
}

impl Site {
    /// A server that is reached directly, or through pgveil with this configuration.
    pub(crate) fn new(config: Option<&str>) -> Self {
        let options = Options::from_env()
            .setting("max_prepared_transactions", "2")
            .setting("max_connections", "100")
            // Statistics that come at any time make plans differ.
            .setting("autovacuum", "off");
        let postgres = Postgres::start(&options).expect("a Postgres can be had");
        let server = Address {
            host: postgres.host().to_owned(),
            port: postgres.port(),
        };
        let folder = tempfile::tempdir().expect("a folder");
        let results = folder.path().join("results");
        fs::create_dir(&results).expect("a folder");
        for path in [folder.path(), &results] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("a folder of ours");
        }
        let proxy = config.map(|text| proxy(text, &server));
        let tap = proxy.as_ref().map(|proxy| Tap::before(&proxy.address));
        let site = Self {
            way: tap.as_ref().map_or(server, |tap| tap.address.clone()),
            postgres,
            folder,
            tap,
            _proxy: proxy,
        };
        site.prepare();
        site
    }

    /// The database as Postgres's test driver makes it.
    fn prepare(&self) {
        let mut root = self.session("postgres");
        let create = "create database regression template template0 encoding 'utf8' \
             lc_collate 'C' lc_ctype 'C'";
        root.run(create).expect("a database");
        for setting in [
            "lc_messages to 'C'",
            "lc_monetary to 'C'",
            "lc_numeric to 'C'",
            "lc_time to 'C'",
            "bytea_output to 'hex'",
            "timezone_abbreviations to 'Default'",
        ] {
            root.run(&format!("alter database regression set {setting}"))
                .expect("a setting");
        }
    }

    /// A session with the server itself.
    pub(crate) fn session(&self, database: &str) -> Client {
        Client::connect(&self.server(), self.postgres.superuser(), database).expect("a session")
    }

    /// What psql shows for a file of queries, without what tells sites apart.
    pub(crate) fn run(&self, queries: &Path, name: &str) -> String {
        self.run_by(&self.way, queries, name)
    }

    /// The same past pgveil, if there is one.
    pub(crate) fn run_directly(&self, queries: &Path, name: &str) -> String {
        self.run_by(&self.server(), queries, name)
    }

    fn server(&self) -> Address {
        Address {
            host: self.postgres.host().to_owned(),
            port: self.postgres.port(),
        }
    }

    fn run_by(&self, way: &Address, queries: &Path, name: &str) -> String {
        let psql = self.postgres.program("psql").expect("psql");
        let shown = self.folder.path().join(format!("{name}.out"));
        let out = File::create(&shown).expect("a file");
        let mut child = Command::new(psql)
            .args(["-X", "-a", "-q", "-d", "regression"])
            .args(["-v", "HIDE_TABLEAM=on", "-v", "HIDE_TOAST_COMPRESSION=on"])
            .env("PGHOST", &way.host)
            .env("PGPORT", way.port.to_string())
            .env("PGUSER", self.postgres.superuser())
            .env("PGAPPNAME", format!("pg_regress/{name}"))
            .env("PGTZ", "PST8PDT")
            .env("PGDATESTYLE", "Postgres, MDY")
            .env("PGOPTIONS", "-c intervalstyle=postgres_verbose")
            .env("LC_ALL", "C")
            .env("PG_ABS_SRCDIR", queries)
            .env("PG_ABS_BUILDDIR", self.folder.path())
            .env("PG_LIBDIR", "/nowhere")
            .env("PG_DLSUFFIX", ".so")
            .current_dir(self.folder.path())
            .stdin(File::open(queries.join("sql").join(format!("{name}.sql"))).expect("a file"))
            .stdout(Stdio::from(out.try_clone().expect("a file")))
            .stderr(Stdio::from(out))
            .spawn()
            .expect("psql starts");
        let begun = Instant::now();
        while child.try_wait().expect("psql runs").is_none() {
            if begun.elapsed() > LONGEST {
                child.kill().expect("psql ends");
                child.wait().expect("psql ends");
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let bytes = fs::read(&shown).expect("a file");
        String::from_utf8_lossy(&bytes)
            .replace(&self.folder.path().display().to_string(), "BUILD")
            .replace(&format!("port {}", way.port), "port PORT")
    }
}

fn proxy(config: &str, server: &Address) -> Proxy {
    let text = config.replace("{upstream}", &format!("{}:{}", server.host, server.port));
    let around = Environment {
        folder: Path::new(""),
        env: &|name| (name == "TWIN_KEY").then(|| "5eed".repeat(16)),
    };
    let config = Config::parse(&text, &around).expect("a configuration");
    Proxy::with(config).expect("a proxy")
}

/// The queries of Postgres, fetched if they are not there; `None` if they can't be had.
pub(crate) fn queries() -> Option<PathBuf> {
    let given = std::env::var_os("PGVEIL_REGRESS_FOLDER").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("regress-15"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regress/fetch");
    let fetched = Command::new(script)
        .arg(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    fetched
        .is_ok_and(|status| status.success())
        .then_some(folder)
}

/// The names of the files in the order in which they depend on each other.
pub(crate) fn schedule(queries: &Path) -> Vec<String> {
    let text = fs::read_to_string(queries.join("parallel_schedule")).expect("a schedule");
    let lines = text.lines().filter_map(|line| line.strip_prefix("test: "));
    lines
        .flat_map(|line| line.split_whitespace().map(str::to_owned))
        .collect()
}
