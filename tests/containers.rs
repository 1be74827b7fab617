//! The core cases on Postgres 16, 17 and 18, each in a container, and examples/compose. Apart from `cargo test`, since
//! it needs Docker: `cargo test --features containers --test containers`.
//!
//! `tests/containers/docker` and `tests/containers/images` get daemon and images where there are
//! none. What is still missing skips a test aloud; with `PGVEIL_REQUIRE_CONTAINERS` set, it fails
//! it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "twin/mod.rs"]
mod twin;

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use testcontainers::core::{IntoContainerPort as _, WaitFor};
use testcontainers::runners::AsyncRunner as _;
use testcontainers::{ContainerAsync, GenericImage, ImageExt as _};
use tokio_postgres::NoTls;

use twin::case::Case;
use twin::client::Address;
use twin::mode::Mode;
use twin::stand::{self, Other};
use twin::world;

/// The official image writes this line to stdout while it initialises itself, to stderr only when
/// it is done.
const READY: &str = "database system is ready to accept connections";

/// With three containers and their images on a machine of two processors.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(120);

/// A server in a container, which trusts everybody. Gone when this is dropped, and also if we are
/// killed.
struct Server {
    host: String,
    port: u16,
    _container: ContainerAsync<GenericImage>,
    _guard: Guard,
}

/// A shell that removes a container as soon as we are gone: the kernel closes its standard input
/// then. Testcontainers itself leaves containers behind when its process is interrupted.
struct Guard(Child);

impl Guard {
    /// Starts before the container does, so there is no moment without a guard. The daemon may
    /// finish creating a container for a client that is gone already, hence the second try.
    fn of(container: &str) -> Self {
        let script = r#"cat >/dev/null; for pause in 2 0; do docker rm --force --volumes "$1"; sleep $pause; done"#;
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", script, "pgveil-guard", container])
            .process_group(0);
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self(shell.spawn().unwrap())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
    }
}

/// Says something also where the test runner keeps the output of good tests to itself.
fn say(text: &str) {
    let mut stderr = std::io::stderr();
    writeln!(stderr, "{text}").unwrap();
}

fn docker(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("docker")
        .args(arguments)
        .output()
        .map_err(|error| format!("docker: {error}"))?;
    let message = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if output.status.success() {
        Ok(())
    } else {
        Err(message())
    }
}

/// Name and tag of an image for a major version: the official one, or one that
/// `tests/containers/images` made.
fn image(major: u32) -> Result<(&'static str, String), String> {
    docker(&["version"])?;
    let tag = major.to_string();
    for name in ["postgres", "pgveil-postgres"] {
        if docker(&["image", "inspect", &format!("{name}:{tag}")]).is_ok() {
            return Ok((name, tag));
        }
    }
    docker(&["pull", "--quiet", &format!("postgres:{tag}")])?;
    Ok(("postgres", tag))
}

async fn start(major: u32) -> Result<Server, String> {
    let (name, tag) = image(major)?;
    let container = format!("pgveil-test-{major}-{}", std::process::id());
    let guard = Guard::of(&container);
    let started = Instant::now();
    let running = GenericImage::new(name, &tag)
        .with_exposed_port(5432.tcp())
        .with_wait_for(WaitFor::message_on_stderr(READY))
        .with_container_name(container)
        .with_env_var("POSTGRES_HOST_AUTH_METHOD", "trust")
        // What a vacuum finds out about a table may change the plans of one side only.
        .with_cmd(
            ["fsync=off", "max_connections=200", "autovacuum=off"]
                .map(|setting| format!("-c{setting}")),
        )
        .with_startup_timeout(STARTUP_TIMEOUT)
        .start()
        .await
        .map_err(|error| error.to_string())?;
    let host = running
        .get_host()
        .await
        .map_err(|error| error.to_string())?
        .to_string();
    let port = running
        .get_host_port_ipv4(5432.tcp())
        .await
        .map_err(|error| error.to_string())?;
    // The port is published on IPv4 only, and `localhost` may mean ::1 first.
    let host = if host == "localhost" {
        "127.0.0.1".to_owned()
    } else {
        host
    };
    say(&format!(
        "Postgres {major} from {name}:{tag} after {} ms",
        started.elapsed().as_millis()
    ));
    Ok(Server {
        host,
        port,
        _container: running,
        _guard: guard,
    })
}

/// Runs a suite on a server of one major version.
fn on_postgres(major: u32, suite: fn(u32, &Server)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // Testcontainers needs it when the container goes, also after a panic of the suite.
    let _entered = runtime.enter();
    match runtime.block_on(start(major)) {
        Ok(server) => {
            runtime.block_on(is_of_version(&server, major));
            suite(major, &server);
        }
        Err(reason) if std::env::var_os("PGVEIL_REQUIRE_CONTAINERS").is_some() => {
            panic!("no container of Postgres {major}: {reason}")
        }
        Err(reason) => say(&format!(
            "SKIPPED: no container of Postgres {major}: {reason}"
        )),
    }
}

async fn is_of_version(server: &Server, major: u32) {
    let url = format!(
        "postgres://postgres@{}:{}/postgres",
        server.host, server.port
    );
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let row = client
        .query_one(
            "SELECT current_setting('server_version_num')::int / 10000",
            &[],
        )
        .await
        .unwrap();
    assert_eq!(u32::try_from(row.get::<_, i32>(0)), Ok(major));
    drop(client);
    connection.await.unwrap().unwrap();
}

/// The newest version, which takes the cases in every mode.
const NEWEST: u32 = 18;

/// The cases of the twin for a version. What versions differ in is SQL, and the server tells of it in
/// each mode: older ones than the newest take the cases in two, with literals and with parameters, or
/// in all with `PGVEIL_MODES=all`.
fn cases_for(major: u32) -> Vec<Case> {
    let mut cases = twin::chosen();
    let in_all = std::env::var("PGVEIL_MODES").is_ok_and(|modes| modes == "all");
    if major != NEWEST && !in_all {
        for case in &mut cases {
            let is_left_out =
                |mode: &Mode| matches!(mode, Mode::Text | Mode::Declared | Mode::Prepared);
            if case.modes == Mode::STATEMENT {
                case.modes.retain(|mode| !is_left_out(mode));
            }
        }
    }
    cases
}

/// The cases of the twin: on these versions too, pgveil over integer keys answers as the same
/// version does over uuids.
fn core_cases(major: u32, server: &Server) {
    let server = stand::Server {
        address: Address {
            host: server.host.clone(),
            port: server.port,
        },
        superuser: "postgres".to_owned(),
    };
    world::create_role(&server.address, &server.superuser).unwrap();
    let report = stand::run(&server, "veil", Other::Veiled, &cases_for(major)).unwrap();
    say(&format!("Postgres {major}: {report}"));
    assert!(
        report.differences.is_empty(),
        "{}",
        report.differences.join("\n\n")
    );
}

/// `tests/containers/compose` ends with this if there is no Compose.
const NO_COMPOSE: i32 = 3;

#[test]
fn compose_comes_up_and_shows_ids() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut script = Command::new(format!("{folder}/tests/containers/compose"));
    script.arg(env!("CARGO_BIN_EXE_pgveil"));
    let ready = docker(&["version"]).and_then(|()| image(18).map(drop));
    let output = ready.map(|()| script.output().unwrap());
    let missing = match &output {
        Ok(output) if output.status.code() == Some(NO_COMPOSE) => "there is no Compose",
        Ok(output) => {
            assert!(output.status.success(), "{output:?}");
            say(&format!(
                "compose: {}",
                String::from_utf8_lossy(&output.stdout)
            ));
            return;
        }
        Err(reason) => reason,
    };
    let required = std::env::var_os("PGVEIL_REQUIRE_CONTAINERS").is_some();
    assert!(!required, "{missing}");
    say(&format!("SKIPPED: {missing}"));
}

#[test]
fn the_core_cases_hold_on_postgres_16() {
    on_postgres(16, core_cases);
}

#[test]
fn the_core_cases_hold_on_postgres_17() {
    on_postgres(17, core_cases);
}

#[test]
fn the_core_cases_hold_on_postgres_18() {
    on_postgres(NEWEST, core_cases);
}
