//! A dump that an application's role takes through pgveil is that of a database with uuids: an empty
//! one takes it with all its constraints, has the ids that clients see, and no key.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::introspection::more;
use super::twin::canary::Canary;
use super::twin::client::{Address, Client};
use super::twin::stand::local;
use super::twin::world::ROLE;
use super::world::{Form, create, create_empty};

/// The columns as the information schema has them; the clock of the dumped database stands still.
const COLUMNS: &str =
    "select table_name, column_name, data_type, udt_name, is_nullable, is_identity,
        case when data_type not like 'timestamp%' then column_default end
    from information_schema.columns where table_schema = 'public' order by 1, ordinal_position";

/// What may be read of a schema, but for its functions.
const OBJECTS: &str = "select c.relkind, c.relname from pg_class c
        where c.relnamespace = 'public'::regnamespace
    union all select o.contype, o.conname || ' ' || pg_get_constraintdef(o.oid) from pg_constraint o
        where o.connamespace = 'public'::regnamespace and o.convalidated
    order by 1, 2";

/// Rows of what is defined beside the columns of the corpus.
const ROWS: &str = "insert into visits select id, id, 5 from users;
    insert into crews select name, array[id], array[id, id] from users;
    insert into placed select id, 7 from users;
    insert into makes (note) values ('made')";

const TABLES: &str = "select tablename from pg_tables where schemaname = 'public' order by 1";

/// Dumps the keys, restores them as uuids, and compares with what clients see.
pub(crate) fn compare() {
    let server = local();
    let at = &server.address;
    create(server, "corpus_dumped", Form::Key).unwrap();
    create_empty(server, "corpus_uuids", Form::Uuid).unwrap();
    for (name, form) in [("corpus_dumped", Form::Key), ("corpus_uuids", Form::Uuid)] {
        let mut owner = Client::connect(at, ROLE, name).unwrap();
        owner.run(&more(form)).unwrap();
        owner.run(ROWS).unwrap();
    }
    let proxy = super::proxy(at);
    let folder = tempfile::tempdir().unwrap();
    for (format, target) in [("plain", "corpus_restored"), ("custom", "corpus_unpacked")] {
        let dump = folder.path().join(format);
        let mut program = at_database("pg_dump", &proxy.address, (ROLE, "corpus_dumped"));
        // What is compressed no canary can read.
        run(program.args(["-Z0", "-F", format, "-f"]).arg(&dump));
        let leaks = Canary::new().find(&std::fs::read(&dump).unwrap());
        assert!(leaks.is_none(), "a key in the {format} dump as {leaks:?}");

        let mut root = Client::connect(at, &server.superuser, "postgres").unwrap();
        root.run(&format!("create database {target}")).unwrap();
        let into = (server.superuser.as_str(), target);
        restore(format, &dump, at, into);
        let mut restored = Client::connect(at, &server.superuser, target).unwrap();
        let mut uuids = Client::connect(at, &server.superuser, "corpus_uuids").unwrap();
        let mut veil = Client::connect(&proxy.address, ROLE, "corpus_dumped").unwrap();
        for question in [COLUMNS, OBJECTS] {
            let [restored, uuids] =
                [&mut restored, &mut uuids].map(|client| client.rows(question).unwrap());
            let lacking = |all: &[Vec<String>], of: &[Vec<String>]| {
                let lacking = of.iter().filter(|row| !all.contains(row));
                lacking.cloned().collect::<Vec<_>>()
            };
            let (missing, strange) = (lacking(&restored, &uuids), lacking(&uuids, &restored));
            assert!(restored.len() > 30);
            assert_eq!(strange, missing, "restored, and as it should be: {format}");
        }
        let tables = restored.rows(TABLES).unwrap().concat();
        assert_eq!(tables.len(), 16);
        for table in tables {
            let [restored, shown] = [&mut restored, &mut veil].map(|client| {
                let mut rows = client.rows(&format!("select * from {table}")).unwrap();
                rows.sort();
                rows
            });
            assert!(
                !shown.is_empty() && restored == shown,
                "{table}, {format}: {restored:?} instead of {shown:?}"
            );
        }
    }
}

fn restore(format: &str, dump: &Path, at: &Address, (user, database): (&str, &str)) {
    let into = (user, database);
    match format {
        "plain" => {
            let mut program = at_database("psql", at, into);
            run(program
                .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f"])
                .arg(dump));
        }
        _ => {
            let mut program = at_database("pg_restore", at, into);
            run(program.args(["--exit-on-error"]).arg(dump));
        }
    }
}

/// A program of Postgres's that goes to a database.
fn at_database(program: &str, at: &Address, (user, database): (&str, &str)) -> Command {
    let mut command = Command::new(program);
    command.args(["-h", &at.host, "-p", &at.port.to_string(), "-U", user]);
    command.args(["-d", database]);
    command
}

fn run(command: &mut Command) {
    let Output { status, stderr, .. } = command.stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}: {told}");
}
