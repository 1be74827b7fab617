//! Batches with the ends of transactions in them, as drivers send them: libpq's pipeline by
//! psycopg 3, the batches of pgx, and texts of several statements by JDBC. What comes back is
//! compared with the twin, where ids are of the type `uuid`.
//!
//! `PGVEIL_BATCHES='pgx jdbc'` runs these two besides: Go fetches pgx, and `PGVEIL_JDBC` names the
//! driver for Java, if it is not where Debian has it.

use std::path::PathBuf;
use std::process::Command;

use super::twin::client::Client;
use super::twin::renaming::numbered;
use super::twin::stand::{Other, local};
use super::twin::world::ROLE;
use super::{Veil, folder, output, python, say};

/// What a path may lead to as well: no ids.
const SIDE: &str = "create schema side
    create table users (id text, name text);
    insert into side.users values ('no id', 'somebody else');
    grant usage on schema side to public;
    grant select on side.users to public";

/// Runs the file on both sides, by a command that is told the host, the port and the database:
/// through pgveil alone, and through pgveil in front of a pooler in transaction mode.
fn compare(name: &str, command: impl Fn(&str, u16, &str) -> Command) {
    compare_with(name, Other::Veiled, &command);
    match super::twin::pgbouncer::version() {
        Ok(_) => compare_with(&format!("{name}_pooled"), Other::Pooled, &command),
        Err(reason) if std::env::var_os("PGVEIL_REQUIRE_POOLERS").is_some() => panic!("{reason}"),
        Err(reason) => say(&format!("SKIPPED: {reason}")),
    }
}

fn compare_with(name: &str, other: Other, command: &impl Fn(&str, u16, &str) -> Command) {
    let veil = Veil::of(name, other);
    let direct = &local().address;
    for side in ["twin", "beside"] {
        let database = format!("{name}_{side}");
        let mut superuser = Client::connect(direct, &local().superuser, &database).unwrap();
        superuser.run(SIDE).unwrap();
    }
    // Whoever names what has just been made sees to it that pgveil knows it.
    let mut first = Client::connect(&veil.tap.address, ROLE, &format!("{name}_beside")).unwrap();
    first.rows("select name from side.users").unwrap();
    let file = folder().join("tests/clients/batches.txt");
    let run = |at: &super::Address, side: &str| {
        let database = format!("{name}_{side}");
        let mut command = command(&at.host, at.port, &database);
        numbered(&output(command.arg(&file)))
    };
    let twin = run(direct, "twin");
    let veiled = run(&veil.tap.address, "beside");
    let mut lines = twin.lines().zip(veiled.lines()).enumerate();
    let differing = lines.find(|(_, (twin, veiled))| twin != veiled);
    assert_eq!(differing, None, "{name}\n{twin}\n{veiled}");
    assert_eq!(twin.lines().count(), veiled.lines().count(), "{name}");
    let seen = twin.matches('#').count();
    assert!(seen > 20, "{twin}");
    say(&format!(
        "{name}: {} lines alike with {seen} ids, {} bytes without a key",
        twin.lines().count(),
        veil.tap.clean_bytes()
    ));
}

/// Whether a driver is to be tried.
fn is_wanted(driver: &str) -> bool {
    let wanted = std::env::var("PGVEIL_BATCHES").unwrap_or_default();
    let is_wanted = wanted.split_whitespace().any(|word| word == driver);
    if !is_wanted {
        say(&format!("SKIPPED: batches of {driver}, see PGVEIL_BATCHES"));
    }
    is_wanted
}

#[test]
fn a_pipeline_of_libpq_with_commits_in_it_is_that_of_the_twin() {
    compare("pipelined", |host, port, database| {
        let mut command = Command::new(python());
        command.arg(folder().join("tests/clients/batches.py"));
        command.arg(format!(
            "host={host} port={port} user={ROLE} dbname={database}"
        ));
        command
    });
}

#[test]
fn a_batch_of_pgx_with_commits_in_it_is_that_of_the_twin() {
    if !is_wanted("pgx") {
        return;
    }
    let module = tempfile::tempdir().unwrap();
    let source = folder().join("tests/clients/batches.go");
    std::fs::copy(source, module.path().join("main.go")).unwrap();
    for arguments in [
        &["mod", "init", "batches"][..],
        &["get", "github.com/jackc/pgx/v5@v5.12.0"],
        &["mod", "tidy"],
        &["build", "-o", "batches", "."],
    ] {
        output(
            Command::new("go")
                .args(arguments)
                .current_dir(module.path()),
        );
    }
    compare("batches_of_pgx", |host, port, database| {
        let mut command = Command::new(module.path().join("batches"));
        command.arg(format!(
            "host={host} port={port} user={ROLE} dbname={database} sslmode=disable"
        ));
        command
    });
}

#[test]
fn a_text_of_jdbc_with_commits_in_it_is_that_of_the_twin() {
    if !is_wanted("jdbc") {
        return;
    }
    let debian = || PathBuf::from("/usr/share/java/postgresql.jar");
    let driver = std::env::var_os("PGVEIL_JDBC").map_or_else(debian, PathBuf::from);
    compare("texts_of_jdbc", |host, port, database| {
        let mut command = Command::new("java");
        command.arg("-cp").arg(&driver);
        command.arg(folder().join("tests/clients/Batches.java"));
        command.arg(format!(
            "jdbc:postgresql://{host}:{port}/{database}?user={ROLE}"
        ));
        command
    });
}
