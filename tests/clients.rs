//! Real clients through pgveil: tokio-postgres, psql, pgbench, psycopg 3, psycopg2 and asyncpg. What
//! they are sent is searched for keys.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "clients/batches.rs"]
mod batches;
#[path = "clients/program.rs"]
mod program;
#[path = "clients/tap.rs"]
mod tap;
#[path = "twin/mod.rs"]
mod twin;

use std::error::Error;
use std::process::{Command, Output, Stdio};

use program::{folder, output, python};
use tap::Tap;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{NoTls, error::SqlState};
use twin::client::{Address, Client};
use twin::say;
use twin::stand::{Other, build, local};
use twin::suite::Suite;
use twin::world::ROLE;

/// pgveil over integer keys, with a tap in front.
struct Veil {
    tap: Tap,
    database: String,
    /// Holds the proxy.
    _suite: Suite,
}

impl Veil {
    fn new(name: &str) -> Self {
        Self::of(name, Other::Veiled)
    }

    fn of(name: &str, other: Other) -> Self {
        let suite = build(local(), name, other).unwrap();
        let proxy = suite.proxy.as_ref().unwrap();
        Self {
            tap: Tap::before(&proxy.address),
            database: format!("{name}_beside"),
            _suite: suite,
        }
    }

    fn dsn(&self) -> String {
        self.dsn_of(&self.tap.address)
    }

    fn dsn_of(&self, address: &Address) -> String {
        let Address { host, port } = address;
        format!(
            "host={host} port={port} user={ROLE} dbname={}",
            self.database
        )
    }
}

/// A 16-byte id, as tokio-postgres reads and writes it in binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Id([u8; 16]);

impl FromSql<'_> for Id {
    fn from_sql(_: &Type, raw: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(raw.try_into()?))
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::UUID
    }
}

impl ToSql for Id {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }

    fn accepts(of: &Type) -> bool {
        *of == Type::UUID
    }

    to_sql_checked!();
}

#[test]
fn tokio_postgres_reads_and_writes_ids() {
    let veil = Veil::new("rust");
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(tokio_postgres_session(&veil));
    say(&format!(
        "tokio-postgres: {} bytes without a key",
        veil.tap.clean_bytes()
    ));
}

async fn tokio_postgres_session(veil: &Veil) {
    let (mut client, connection) = tokio_postgres::connect(&veil.dsn(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let statement = client
        .prepare("select u.id, array_agg(o.id order by o.id) from users u join orders o on o.user_id = u.id where u.id = any($1) group by u.id order by u.id")
        .await
        .unwrap();
    assert_eq!(statement.params(), [Type::UUID_ARRAY]);
    assert_eq!(statement.columns()[0].type_(), &Type::UUID);
    assert_eq!(statement.columns()[1].type_(), &Type::UUID_ARRAY);
    let ids = client
        .query("select id from users order by id", &[])
        .await
        .unwrap();
    let ids: Vec<Id> = ids.iter().map(|row| row.get(0)).collect();
    let rows = client.query(&statement, &[&ids]).await.unwrap();
    let orders: Vec<Vec<Id>> = rows.iter().map(|row| row.get(1)).collect();
    assert_eq!(orders.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);

    let transaction = client.transaction().await.unwrap();
    let insert = "insert into orders (user_id, status) values ($1, $2) returning id, user_id";
    let made = transaction
        .query_one(insert, &[&ids[1], &"new"])
        .await
        .unwrap();
    assert_eq!(made.get::<_, Id>(1), ids[1]);
    let order: Id = made.get(0);
    let (by_id, by_user) = (
        "select status from orders where id = $1",
        "select count(*) from orders where user_id = $1",
    );
    let (of_order, of_user): ([&(dyn ToSql + Sync); 1], [&(dyn ToSql + Sync); 1]) =
        ([&order], [&ids[1]]);
    let both = tokio::join!(
        transaction.query_one(by_id, &of_order),
        transaction.query_one(by_user, &of_user)
    );
    assert_eq!(
        (both.0.unwrap().get(0), both.1.unwrap().get(0)),
        ("new", 3_i64)
    );
    transaction.rollback().await.unwrap();

    tokio_postgres_failures(&client).await;
}

async fn tokio_postgres_failures(client: &tokio_postgres::Client) {
    let nobody = Id([0x7d; 16]);
    assert!(
        client
            .query("select id from users where id = $1", &[&nobody])
            .await
            .unwrap()
            .is_empty()
    );
    let error = client
        .execute("insert into orders (user_id) values ($1)", &[&nobody])
        .await
        .unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::FOREIGN_KEY_VIOLATION));
    let detail = error.as_db_error().unwrap().detail().unwrap();
    assert!(
        detail.contains("7d7d7d7d-7d7d-7d7d-7d7d-7d7d7d7d7d7d"),
        "{detail}"
    );
    let error = client
        .prepare("select md5(id::text) from users")
        .await
        .unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::FEATURE_NOT_SUPPORTED));
    let error = client
        .prepare("select id + 1 from users")
        .await
        .unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::UNDEFINED_FUNCTION));
    client
        .batch_execute("begin; select id from users; commit")
        .await
        .unwrap();
}

#[test]
fn psql_runs_a_script_and_its_own_commands() {
    let veil = Veil::new("psql");
    let script = folder().join("tests/clients/psql.sql");
    let out = output(
        Command::new("psql")
            .args(["-XAtq", &veil.dsn(), "-f"])
            .arg(script),
    );
    for expected in [
        "Ann",
        "Ann|t",
        "psql",
        "a uuid",
        "42883",
        "0A000",
        "id|uuid",
        "user_id|uuid",
    ] {
        let found = out.lines().any(|line| line == expected);
        assert!(found, "psql does not print {expected:?}:\n{out}");
    }
    assert_eq!(
        out.lines().filter(|line| *line == "psql").count(),
        2,
        "{out}"
    );
    assert!(out.contains("public|users|table|app"), "{out}");
    say(&format!(
        "psql: {} bytes without a key",
        veil.tap.clean_bytes()
    ));
}

/// Drivers and ORMs look the schema up in the catalogs, which are told as they are if the
/// configuration says so.
#[test]
fn the_catalogs_tell_what_they_tell_directly() {
    let veil = Veil::of("catalogs", Other::Truthful);
    let script = folder().join("tests/clients/catalogs.sql");
    let ask = |dsn: &str| {
        let mut psql = Command::new("psql");
        output(psql.args(["-XAq", dsn, "-f"]).arg(&script))
    };
    let (direct, veiled) = (ask(&veil.dsn_of(&local().address)), ask(&veil.dsn()));
    let mut lines = direct.lines().zip(veiled.lines());
    let difference = lines.find(|(direct, veiled)| direct != veiled);
    assert_eq!(difference, None);
    assert_eq!(direct.lines().count(), veiled.lines().count());
    let views = direct.lines().filter(|line| *line == "view").count();
    assert!(views > 80, "only {views} views");
    say(&format!(
        "the catalogs: {} bytes without a key",
        veil.tap.clean_bytes()
    ));
}

/// While a table is locked, as in a long migration, those work on who don't need it: old sessions
/// and new ones, although nobody can have the definitions of its views.
#[test]
fn a_locked_table_stops_only_those_who_need_it() {
    let suite = build(local(), "locked", Other::Watched).unwrap();
    let proxy = suite.proxy.as_ref().unwrap();
    let connect = |at: &Address| Client::connect(at, ROLE, "locked_beside").unwrap();
    let name = "select name from users where email = 'ann@example.test'";
    let mut before = connect(&proxy.address);
    assert_eq!(before.rows(name).unwrap(), [["Ann"]]);
    let mut migration = connect(&local().address);
    migration.run("begin").unwrap();
    migration
        .run("lock table orders in access exclusive mode")
        .unwrap();
    let mut other = connect(&local().address);
    other.run("set lock_timeout = '50ms'").unwrap();
    let definitions = "select pg_get_viewdef(c.oid) from pg_class c where c.relkind = 'v'
         and c.relnamespace = 'public'::regnamespace";
    let refused = other.rows(definitions).unwrap_err();
    assert!(refused.contains("55P03"), "{refused}");
    for session in [&mut before, &mut connect(&proxy.address)] {
        assert_eq!(session.rows(name).unwrap(), [["Ann"]]);
    }
}

/// What is copied out and in again is the same, in every format; nothing is stored of a file with
/// an id that is none.
#[test]
fn psql_copies_files_out_and_in() {
    let veil = Veil::new("copied");
    let folder = tempfile::tempdir().unwrap();
    let psql = |commands: &[&str]| {
        let mut command = Command::new("psql");
        command.args(["-XAtq", &veil.dsn()]);
        for text in commands {
            command.args(["-c", text]);
        }
        command.stdin(Stdio::null()).output().unwrap()
    };
    let text = |commands: &[&str]| {
        let Output { status, stdout, .. } = psql(commands);
        assert!(status.success(), "{commands:?}");
        String::from_utf8(stdout).unwrap()
    };
    let columns = "(user_id, status, total_cents, note)";
    let rows = format!(
        "select {} from orders where status = 'copied' order by total_cents",
        &columns[1..columns.len() - 1]
    );
    text(&["insert into orders (user_id, status, total_cents, note)
            select u.id, 'copied', row_number() over (order by u.id), E'a\\t\"b\"\n\\\\' || g
            from users u, generate_series(1, 2000) g"]);
    let before = text(&[&rows]);
    assert_eq!(before.matches("copied").count(), 10_000);
    for (name, options) in [
        ("text", ""),
        (
            "csv",
            "(format csv, header, null 'n', delimiter ';', quote '''', force_quote *)",
        ),
        ("binary", "(format binary)"),
    ] {
        let file = folder.path().join(name);
        let file = file.to_str().unwrap();
        let query = format!(
            "select {} from orders where status = 'copied'",
            &columns[1..columns.len() - 1]
        );
        let options_in = options.replace(", force_quote *", "");
        text(&[&format!("\\copy ({query}) to '{file}' {options}")]);
        text(&["delete from orders where status = 'copied'"]);
        text(&[&format!(
            "\\copy orders {columns} from '{file}' {options_in}"
        )]);
        assert!(text(&[&rows]) == before, "{name}");
    }
    let file = folder.path().join("text");
    let written = std::fs::read_to_string(&file).unwrap();
    let bad = written.replacen(&written[..36], "42", 1);
    std::fs::write(&file, bad).unwrap();
    let copy = format!("\\copy orders {columns} from '{}'", file.to_str().unwrap());
    let Output { status, stderr, .. } = psql(&[&copy]);
    assert!(!status.success());
    assert_eq!(
        String::from_utf8(stderr).unwrap(),
        "ERROR:  invalid input syntax for type uuid: \"42\"\n\
         CONTEXT:  COPY orders, line 1, column user_id: \"42\"\n"
    );
    assert!(text(&[&rows]) == before);
    say(&format!(
        "psql copy: {} bytes without a key",
        veil.tap.clean_bytes()
    ));
}

/// As many seconds as `PGBENCH_SECONDS` says, else a few.
fn pgbench(veil: &Veil, mode: &str, script: &str) {
    let seconds = std::env::var("PGBENCH_SECONDS").unwrap_or_else(|_| "5".to_owned());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), script).unwrap();
    let out = output(
        Command::new("pgbench")
            .args(["-n", "-c", "8", "-j", "2", "-T", &seconds, "-M", mode, "-f"])
            .arg(file.path())
            .args([
                "-h",
                &veil.tap.address.host,
                "-p",
                &veil.tap.address.port.to_string(),
            ])
            .args(["-U", ROLE, &veil.database]),
    );
    assert!(!out.contains("abort") && !out.contains("error"), "{out}");
    let line = |name: &str| {
        let found = out.lines().find_map(|line| line.strip_prefix(name));
        found
            .unwrap_or_else(|| panic!("no {name} in {out}"))
            .to_owned()
    };
    let failed = line("number of failed transactions: ");
    assert!(failed.starts_with("0 "), "{out}");
    let done = line("number of transactions actually processed: ");
    assert!(done.parse::<u64>().unwrap() > 8, "{out}");
    let bytes = veil.tap.clean_bytes();
    say(&format!(
        "pgbench {mode}: {done} transactions in {seconds} s, {bytes} bytes without a key"
    ));
}

#[test]
fn pgbench_reads_and_writes_by_uuid_in_every_mode() {
    let veil = Veil::new("bench");
    let script = include_str!("clients/bench.sql");
    // In a simple query pgbench pastes the text of a variable, so ids need quotes there.
    let quoted = script
        .replace(":user_id", "':user_id'")
        .replace(":order_id", "':order_id'");
    pgbench(&veil, "simple", &quoted);
    pgbench(&veil, "extended", script);
    pgbench(&veil, "prepared", script);
}

#[test]
fn the_drivers_of_python_pass_their_scripts() {
    let python = python();
    for script in ["psycopg3", "psycopg2", "asyncpg"] {
        let veil = Veil::new(script);
        let file = folder().join(format!("tests/clients/with_{script}.py"));
        let out = output(Command::new(&python).arg(file).arg(veil.dsn()));
        assert!(out.contains("checks"), "{out}");
        say(&format!(
            "{}, {} bytes without a key",
            out.trim_end(),
            veil.tap.clean_bytes()
        ));
    }
}
