//! Applications that nobody here wrote, each with every key annotated: Django's migrations, run by
//! the role of the application, Alembic's, run by one that sees what is stored, and the job queues
//! pg-boss and graphile-worker. Beside them one that pages through tables by integer ids, and one
//! with marks among its ids. What they are sent is searched for keys.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "clients/program.rs"]
mod program;
#[path = "clients/tap.rs"]
mod tap;
#[path = "twin/mod.rs"]
mod twin;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use program::{folder, output, python};
use tap::Tap;
use twin::canary::Canary;
use twin::client::{Address, Client};
use twin::proxy::{Proxy, filled};
use twin::say;
use twin::stand::local;
use twin::world::{FIRST_KEY, FIRST_KEY4, ROLE};

const HEAD: &str = "
    [server]
    listen = [\"{listen}\"]
    [upstream]
    address = \"{upstream}\"
    [keys]
    current = \"test\"
    [keys.ring.test]
    env = \"TWIN_KEY\"
    ";

/// An empty database of the application's own, and pgveil in front of it.
struct Application {
    name: &'static str,
    tap: Tap,
    /// The same database beside pgveil.
    inside: Client,
    _proxy: Proxy,
}

impl Application {
    /// Makes one with this configuration of its ids. Its tables are not there yet.
    fn new(name: &'static str, ids: &str) -> Self {
        let server = local();
        let mut root = Client::connect(&server.address, &server.superuser, "postgres").unwrap();
        root.run(&format!("create database {name} owner {ROLE}"))
            .unwrap();
        let config = filled(&format!("{HEAD}\n{ids}"), &server.address).unwrap();
        let proxy = Proxy::with(config).unwrap();
        Self {
            name,
            tap: Tap::before(&proxy.address),
            inside: Client::connect(&server.address, ROLE, name).unwrap(),
            _proxy: proxy,
        }
    }

    /// Has all sequences of the database go on with keys that the tap finds.
    fn restart_sequences(&mut self) {
        let sequences = "select format('%I.%I', schemaname, sequencename), data_type
             from pg_sequences";
        for row in self.inside.rows(sequences).unwrap() {
            let first = match row[1].as_str() {
                "bigint" => FIRST_KEY,
                _ => FIRST_KEY4,
            };
            let restart = format!("alter sequence {} restart with {first}", row[0]);
            self.inside.run(&restart).unwrap();
        }
    }

    /// Runs a part of the application, told where its database is.
    fn run(&self, program: &mut Command) -> String {
        let Address { host, port } = &self.tap.address;
        output(program.args([host, &port.to_string(), self.name]))
    }

    /// Ends a test: no key has been sent.
    fn clean(&self, told: &str) {
        let bytes = self.tap.clean_bytes();
        say(&format!("{}, {bytes} bytes without a key", told.trim_end()));
    }
}

fn script(name: &str) -> PathBuf {
    folder().join("tests/applications").join(name)
}

/// Whether there is Node, with the packages of `applications/node`; without it tests are skipped
/// aloud.
fn has_packages_of_node() -> bool {
    let npm = Command::new("npm")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !npm.is_ok_and(|status| status.success()) {
        let required = std::env::var_os("PGVEIL_REQUIRE_NODE").is_some();
        assert!(!required, "there is no npm");
        say("skipped: there is no npm");
        return false;
    }
    let packages = script("node");
    // Two tests need them, perhaps at once.
    static INSTALLED: std::sync::Once = std::sync::Once::new();
    INSTALLED.call_once(|| {
        if !packages.join("node_modules/.package-lock.json").exists() {
            let mut install = Command::new("npm");
            install.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
            output(install.current_dir(&packages));
        }
    });
    true
}

fn node(name: &str) -> Command {
    let mut node = Command::new("node");
    node.arg(script("node").join(name));
    node
}

#[test]
fn integer_ids_page_through_every_row_once() {
    let mut paging = Application::new("paging", include_str!("applications/paging.toml"));
    paging
        .inside
        .run(include_str!("applications/paging.sql"))
        .unwrap();
    let tables = ["small", "large", "few", "whole"];
    let Address { host, port } = &paging.tap.address;
    let out = output(
        Command::new(python())
            .arg(script("paging.py"))
            .arg(format!(
                "host={host} port={port} user={ROLE} dbname={}",
                paging.name
            ))
            .args(tables),
    );
    // `n` is the order in which the rows were made, which the pages have been compared with.
    for table in tables {
        let ordered =
            format!("select count(*) from {table} a join {table} b on a.id < b.id where a.n > b.n");
        assert_eq!(paging.inside.rows(&ordered).unwrap(), [["0"]]);
    }
    paging.clean(&out);
}

#[test]
fn marks_of_an_application_stay_what_they_are() {
    let mut marks = Application::new("marks", include_str!("applications/marks.toml"));
    marks
        .inside
        .run(include_str!("applications/marks.sql"))
        .unwrap();
    let Address { host, port } = &marks.tap.address;
    let dsn = format!("host={host} port={port} user={ROLE} dbname={}", marks.name);
    let out = output(Command::new(python()).arg(script("marks.py")).arg(dsn));
    let keys = "select id::text from people where n > 0 union all select id from guests where n > 0
         union all select id::text from seats where n <= 20";
    let keys = marks.inside.rows(keys).unwrap();
    let keys = (keys.iter()).map(|row| ("a key", row[0].clone().into_bytes()));
    assert_eq!(Canary::of(keys).find(&marks.tap.sent()), None);
    say(&out);
}

#[test]
fn django_migrates_and_works_as_the_application_s_own_role() {
    let mut django = Application::new("django", include_str!("applications/django.toml"));
    let part = |part: &str| {
        let mut program = Command::new(python());
        program.arg(script("django_shop.py")).arg(part);
        program
    };
    django.run(&mut part("tables"));
    django.restart_sequences();
    let filled = django.run(&mut part("rows"));
    let changed = django.run(&mut part("change"));
    django.clean(&format!("{}, {changed}", filled.trim_end()));
}

/// Whether the Python of the tests has Alembic; without it tests are skipped aloud.
fn has_alembic() -> bool {
    let mut import = Command::new(python());
    import.args(["-c", "import alembic, sqlalchemy"]);
    let has = import.stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        let required = std::env::var_os("PGVEIL_REQUIRE_ALEMBIC").is_some();
        assert!(!required, "there is no Alembic in .venv");
        say("skipped: there is no Alembic in .venv");
        return false;
    }
    true
}

/// The role that migrates, and is not rewritten.
const MIGRATOR: &str = "alembic_migrator";

#[test]
fn alembic_migrates_beside_sessions_and_finds_no_difference_through_pgveil() {
    if !has_alembic() {
        return;
    }
    let shop = Application::new("alembic", include_str!("applications/alembic.toml"));
    let server = local();
    let mut root = Client::connect(&server.address, &server.superuser, shop.name).unwrap();
    root.run(&format!(
        "create role {MIGRATOR} login; grant all on schema public to {MIGRATOR};
         alter default privileges for role {MIGRATOR} grant all on tables to {ROLE}"
    ))
    .unwrap();
    let alembic = |words: &[&str], role: &str, at: &Address| {
        let mut program = Command::new(python());
        program.arg(script("alembic/run.py")).args(words);
        output(program.args([role, &at.host, &at.port.to_string(), shop.name]))
    };
    let proxy = shop._proxy.address.clone();
    alembic(&["upgrade", "1"], MIGRATOR, &server.address);
    root.run(&format!(
        "alter sequence users_id_seq restart with {FIRST_KEY}"
    ))
    .unwrap();
    let mut running = Client::connect(&shop.tap.address, ROLE, shop.name).unwrap();
    let users = "insert into users (name) values ('ann'), ('bob') returning id";
    let users = running.rows(users).unwrap();

    // By pgveil, and at Postgres itself: a session that is open meets what is new.
    alembic(&["upgrade", "2"], MIGRATOR, &proxy);
    let ordered = "select user_id, watchers[1] from orders order by id";
    let both = users.iter().map(|user| vec![user[0].clone(); 2]);
    assert_eq!(running.rows(ordered).unwrap(), both.collect::<Vec<_>>());
    let made = alembic(&["upgrade", "3"], MIGRATOR, &server.address);
    let noted = running.rows("select order_id from notes").unwrap();
    let orders = running.rows("select id from orders").unwrap();
    assert_eq!(noted, orders);

    // Its models are those of what clients see.
    let found = alembic(&["check", "uuids"], ROLE, &shop.tap.address);
    assert!(found.contains("No new upgrade operations"), "{found}");
    let found = alembic(&["check", "integers"], ROLE, &shop.tap.address);
    assert_eq!(found.matches("modify_type").count(), 5, "{found}");
    shop.clean(&made);
}

/// Runs graphile-worker in a database of this name, under this policy.
fn graphile_worker(name: &'static str, policy: &str) {
    if !has_packages_of_node() {
        return;
    }
    let ids = include_str!("applications/graphile-worker.toml");
    let mut worker = Application::new(name, &format!("{policy}\n{ids}"));
    worker.run(node("graphile-worker.mjs").arg("migrate"));
    worker.restart_sequences();
    let out = worker.run(node("graphile-worker.mjs").arg("work"));
    worker.clean(&out);
}

#[test]
fn graphile_worker_works_on_jobs_that_it_is_notified_of() {
    graphile_worker("graphile", "");
}

#[test]
fn graphile_worker_is_notified_in_audit_mode() {
    graphile_worker("graphile_audited", "[policy]\nmode = \"audit\"");
}

#[test]
fn pg_boss_sends_and_finishes_jobs() {
    if !has_packages_of_node() {
        return;
    }
    let mut boss = Application::new("boss", include_str!("applications/pg-boss.toml"));
    let out = boss.run(&mut node("pg-boss.mjs"));
    let jobs = boss.inside.rows("select id from pgboss.job").unwrap();
    assert!(jobs.len() > 3, "{jobs:?}");
    let keys = jobs
        .iter()
        .map(|row| ("a key of a job", row[0].clone().into_bytes()));
    assert_eq!(Canary::of(keys).find(&boss.tap.sent()), None);
    say(&out);
}
