//! The launcher of a throwaway Postgres, with real servers: that they answer, that they ask for
//! the passwords that were wanted, that failures are explained, and that nothing is left of them
//! however their owner ends.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use pgveil::postgres::{Authentication, Environment, Error, Options, Postgres, Provider, Reason};
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// One server for all tests of this binary. Rust never drops it.
static SHARED: LazyLock<Postgres> = LazyLock::new(|| start(&Options::from_env()));

fn start(options: &Options) -> Postgres {
    Postgres::start(options).unwrap_or_else(|error| panic!("{error}"))
}

/// The single value that a query returns, as text.
fn query(url: &str, sql: &str) -> Result<String, tokio_postgres::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        let connection = tokio::spawn(connection);
        let value = client.query_one(sql, &[]).await.map(|row| row.get(0));
        drop(client);
        connection.await.unwrap()?;
        value
    })
}

fn is_running(pid: &str) -> bool {
    let kill = Command::new("kill")
        .args(["-0", pid])
        .stderr(Stdio::null())
        .status();
    kill.unwrap().success()
}

/// The number of the server's first process.
fn server_pid(folder: &Path) -> String {
    let file = fs::read_to_string(folder.join("data/postmaster.pid")).unwrap();
    file.lines().next().unwrap().to_owned()
}

#[test]
fn a_server_answers_on_tcp_and_has_a_socket() {
    let value = query(
        &SHARED.url("postgres"),
        "SELECT current_user::text || current_setting('fsync')",
    );
    assert_eq!(value.unwrap(), "postgresoff");
    let socket = SHARED
        .socket_dir()
        .unwrap()
        .join(format!(".s.PGSQL.{}", SHARED.port()));
    assert!(socket.exists());
    assert!(SHARED.log().contains("ready to accept connections"));
}

#[test]
fn a_static_server_is_shared_by_tests() {
    assert_eq!(
        query(&SHARED.url("template1"), "SELECT current_database()::text").unwrap(),
        "template1"
    );
}

#[test]
fn settings_reach_the_server() {
    let server = start(
        &Options::from_env()
            .setting("max_connections", "37")
            .setting("fsync", "on"),
    );
    let settings = "SELECT current_setting('max_connections') || current_setting('fsync')";
    assert_eq!(query(&server.url("postgres"), settings).unwrap(), "37on");
}

#[test]
fn nothing_is_left_when_drop_returns() {
    let server = start(&Options::from_env());
    let folder = server.folder().unwrap().to_owned();
    let pid = server_pid(&folder);
    let port = server.port();
    assert!(is_running(&pid));
    drop(server);
    assert!(!folder.exists());
    assert!(!is_running(&pid));
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_server_in_use_stops_all_the_same() {
    let server = start(&Options::from_env());
    let url = server.url("postgres");
    let client = std::thread::spawn(move || query(&url, "SELECT pg_sleep(60)::text"));
    let busy =
        "SELECT (count(*) > 0)::text FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'";
    while query(&server.url("postgres"), busy).unwrap() == "false" {}
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(client.join().unwrap().is_err());
}

#[test]
fn each_method_of_authentication_wants_its_password() {
    use Authentication::{Md5, Password, ScramSha256};
    for (method, stored) in [
        (Password, "SCRAM-SHA-256"),
        (Md5, "md5"),
        (ScramSha256, "SCRAM-SHA-256"),
    ] {
        let server = start(
            &Options::from_env()
                .authentication(method)
                .password("p@ss/word"),
        );
        let url = server.url("postgres");
        let sql = "SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'";
        assert!(query(&url, sql).unwrap().starts_with(stored), "{method:?}");
        let wrong = url.replace("p%40ss%2Fword", "wrong");
        let error = query(&wrong, sql).unwrap_err();
        assert_eq!(error.code().unwrap().code(), "28P01", "{method:?}");
    }
}

#[test]
fn a_role_can_have_a_method_of_its_own() {
    let server = start(&Options::from_env().hba("host all ann all scram-sha-256"));
    let url = server.url("postgres");
    query(&url, "SELECT 'x' FROM pg_sleep(0)").unwrap();
    let create = "CREATE ROLE ann LOGIN PASSWORD 'secret'";
    assert!(query(&url, create).is_err(), "CREATE ROLE returns no row");
    let as_ann = |login: &str| url.replace("postgres://postgres@", &format!("postgres://{login}@"));
    assert_eq!(
        query(&as_ann("ann:secret"), "SELECT current_user::text").unwrap(),
        "ann"
    );
    assert!(query(&as_ann("ann:wrong"), "SELECT 'x'").is_err());
}

#[test]
fn the_socket_can_be_elsewhere_and_goes_with_the_server() {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let server = start(&Options::from_env().socket_dir(folder.path()));
    assert!(
        folder
            .path()
            .join(format!(".s.PGSQL.{}", server.port()))
            .exists()
    );
    drop(server);
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn a_running_server_is_used_if_the_caller_allows_it_and_left_alone() {
    let environment = Environment::of_process()
        .without("PG_PROVIDER")
        .with("DATABASE_URL", SHARED.url("postgres"));
    let options = Options::new(environment);
    let existing = start(&options.clone().existing());
    assert_eq!(
        (existing.provider(), existing.port()),
        (Provider::Url, SHARED.port())
    );
    drop(existing);
    assert!(query(&SHARED.url("postgres"), "SELECT 'still there'").is_ok());
    assert_ne!(start(&options).provider(), Provider::Url);
}

#[test]
fn the_error_names_the_reason_of_each_provider() {
    let nowhere = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let environment = Environment::of_process()
        .without("PG_PROVIDER")
        .with("PGVEIL_CACHE", "/dev/null/no-folder")
        .with("PG_BIN", "/dev/null")
        .with(
            "DATABASE_URL",
            format!("postgres://ann:hidden@{nowhere}/db"),
        );
    let error = Postgres::start(&Options::new(environment).existing())
        .unwrap_err()
        .to_string();
    let lines: Vec<_> = error.lines().collect();
    assert_eq!(lines.len(), 4, "{error}");
    assert!(
        lines[1].starts_with(&format!("  url: {nowhere} of DATABASE_URL does not answer")),
        "{error}"
    );
    assert!(
        lines[2].starts_with("  installed: no initdb and postgres"),
        "{error}"
    );
    assert!(lines[3].starts_with("  archive: "), "{error}");
    assert!(!error.contains("hidden"));
}

#[test]
fn pg_provider_forces_one_provider_and_must_exist() {
    let forced = |name: &str| {
        let environment = Environment::of_process()
            .without("DATABASE_URL")
            .with("PG_PROVIDER", name);
        Postgres::start(&Options::new(environment).existing()).unwrap_err()
    };
    let Error::NoProvider(reasons) = forced("url") else {
        panic!("another error")
    };
    assert!(matches!(
        reasons.as_slice(),
        [(Provider::Url, Reason::NoUrl)]
    ));
    assert!(matches!(forced("docker"), Error::UnknownProvider(name) if name == "docker"));
}

#[test]
fn a_server_that_cannot_start_quotes_its_log_and_leaves_nothing() {
    let temporary = open_folder();
    let environment = Environment::of_process().with("TMPDIR", temporary.path());
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = Options::new(environment.clone()).port(held.local_addr().unwrap().port());
    let error = Postgres::start(&taken).unwrap_err().to_string();
    assert!(
        error.contains("could not create any TCP/IP sockets"),
        "{error}"
    );
    let nonsense = Options::new(environment).setting("no_such_setting", "1");
    let error = Postgres::start(&nonsense).unwrap_err().to_string();
    assert!(error.contains("no_such_setting"), "{error}");
    assert!(fs::read_dir(temporary.path()).unwrap().next().is_none());
}

#[test]
#[cfg(feature = "download")]
fn an_archive_serves_as_well_as_an_installation() {
    let environment = Environment::of_process().with("PG_PROVIDER", "archive");
    match Postgres::start(&Options::new(environment)) {
        Ok(server) => {
            assert_eq!(server.provider(), Provider::Archive);
            let tls_and_contrib = "SELECT string_agg(name, ',' ORDER BY name)
                FROM pg_available_extensions WHERE name IN ('pgcrypto', 'hstore')";
            assert_eq!(
                query(&server.url("postgres"), tls_and_contrib).unwrap(),
                "hstore,pgcrypto"
            );
        }
        Err(Error::NoProvider(reasons))
            if matches!(reasons.as_slice(), [(_, Reason::NotFetched { .. })]) =>
        {
            println!("SKIPPED: no archive in reach: {reasons:?}");
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
#[cfg(feature = "download")]
fn an_archive_is_unpacked_once_for_all_who_want_it_at_once() {
    let cache = open_folder();
    let environment = Environment::of_process()
        .with("PG_PROVIDER", "archive")
        .with("PGVEIL_CACHE", cache.path());
    let starts = || Postgres::start(&Options::new(environment.clone()));
    let started = std::thread::scope(|scope| {
        let all = [(); 3].map(|()| scope.spawn(starts));
        all.map(|one| one.join().unwrap())
    });
    for server in started {
        match server {
            Ok(server) => assert_eq!(query(&server.url("postgres"), "SELECT '1'").unwrap(), "1"),
            Err(Error::NoProvider(reasons))
                if matches!(reasons.as_slice(), [(_, Reason::NotFetched { .. })]) =>
            {
                println!("SKIPPED: no archive in reach: {reasons:?}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Not a test of its own: what the tests below run in a process of its own, to watch it end.
#[test]
fn owner() {
    let Ok(end) = std::env::var("PGVEIL_TEST_OWNER_ENDS_BY") else {
        return;
    };
    let wait_for_signal = || std::thread::sleep(Duration::from_secs(60));
    if end == "static" {
        println!("\nready {}", server_pid(SHARED.folder().unwrap()));
        return;
    }
    let server = start(&Options::from_env());
    println!("\nready {}", server_pid(server.folder().unwrap()));
    match end.as_str() {
        "return" => {}
        "panic" => panic!("on purpose"),
        "abort" => std::process::abort(),
        "exit" => std::process::exit(0),
        _ => wait_for_signal(),
    }
}

/// A process that owns a server below a temporary folder of its own.
struct Owner {
    process: Child,
    temporary: TempDir,
}

impl Owner {
    fn that_ends_by(end: &str) -> Self {
        let temporary = open_folder();
        // A shell lets what it starts in the background ignore Ctrl-C, and so would the owner.
        let process = Command::new("env")
            .arg("--default-signal=INT,HUP,TERM")
            .arg(std::env::current_exe().unwrap())
            .args(["owner", "--exact", "--nocapture"])
            .env("PGVEIL_TEST_OWNER_ENDS_BY", end)
            .env("TMPDIR", temporary.path())
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { process, temporary }
    }

    /// The number of the server's first process, as soon as the server answers.
    fn server(&mut self) -> String {
        let lines = BufReader::new(self.process.stdout.take().unwrap()).lines();
        lines
            .map(Result::unwrap)
            .find_map(|line| line.strip_prefix("ready ").map(str::to_owned))
            .unwrap()
    }

    /// Sends a signal to the process and its children that did not leave its process group, as a
    /// terminal does for Ctrl-C.
    fn signal(&self, name: &str) {
        let group = format!("-{}", self.process.id());
        assert!(
            Command::new("kill")
                .args(["-s", name, "--", &group])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Waits for the owner's end and then for the guard's work.
    fn leaves_nothing(mut self) {
        self.process.wait().unwrap();
        let started = Instant::now();
        while fs::read_dir(self.temporary.path())
            .unwrap()
            .next()
            .is_some()
        {
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "files are left"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A folder that the server's user can reach.
fn open_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    folder
}

#[test]
fn nothing_is_left_however_the_owner_ends() {
    for end in ["return", "panic", "abort", "exit", "static"] {
        let mut owner = Owner::that_ends_by(end);
        let pid = owner.server();
        owner.leaves_nothing();
        assert!(!is_running(&pid), "{end}");
    }
}

#[test]
fn nothing_is_left_after_a_signal() {
    for signal in ["KILL", "INT", "TERM", "HUP"] {
        let mut owner = Owner::that_ends_by("signal");
        let pid = owner.server();
        assert!(is_running(&pid));
        owner.signal(signal);
        owner.leaves_nothing();
        assert!(!is_running(&pid), "{signal}");
    }
}

#[test]
fn nothing_is_left_after_a_kill_in_the_middle_of_the_start() {
    for delay_ms in [0, 10, 50, 200, 400] {
        let owner = Owner::that_ends_by("signal");
        let started = Instant::now();
        // The guard is there once it has begun with initdb. Killed before, in the millisecond
        // between making the folder and starting the guard, an owner leaves the folder behind.
        let begun = || {
            fs::read_dir(owner.temporary.path())
                .unwrap()
                .any(|entry| entry.unwrap().path().join("initdb.log").exists())
        };
        while !begun() {
            assert!(started.elapsed() < Duration::from_secs(20), "no start");
        }
        std::thread::sleep(Duration::from_millis(delay_ms));
        owner.signal("KILL");
        owner.leaves_nothing();
    }
    // Only files can be looked for here; that initdb and server are gone follows from the folder,
    // which is deleted after them and which they would fill again.
}
