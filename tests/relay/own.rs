//! What pgveil asks Postgres of its own, before a real one with annotations: it touches nothing of
//! the client's, whatever the client has set, and what others do to the database meanwhile ends no
//! session and no login.

use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{SinkExt, TryStreamExt, pin_mut};
use pgveil::config::{Config, Environment};
use tokio_postgres::NoTls;

use crate::support::*;

/// The schema of these tests in a database of its own, and a proxy that looks at it before each
/// batch, with `limits`.
async fn stand(name: &str, limits: &str) -> Proxy {
    lay_out(name).await;
    Proxy::with(annotated(limits)).await
}

/// The schema of these tests in a database of its own.
pub(crate) async fn lay_out(name: &str) {
    let admin = direct().await;
    let create = format!("CREATE DATABASE {name}");
    admin.batch_execute(&create).await.expect("a database");
    let mut inside = session_at(postgres_address().await, name, &[]).await;
    for text in [
        "create table users (id bigint primary key generated always as identity, email text)",
        "create function is_left() returns boolean language plpgsql as $$ begin return exists (select from pg_catalog.pg_prepared_statements) or exists (select from pg_catalog.pg_cursors); end $$",
        "create view people as select id, email from users",
        "insert into users (email) values ('ann')",
    ] {
        inside.ask(text).await;
    }
}

pub(crate) async fn postgres_address() -> std::net::SocketAddr {
    let at = format!("{}:{}", postgres().host(), postgres().port());
    let mut found = tokio::net::lookup_host(at).await.unwrap();
    found.next().unwrap()
}

fn annotated(limits: &str) -> Config {
    let upstream = format!("{}:{}", postgres().host(), postgres().port());
    annotated_before(&upstream, limits)
}

/// The configuration of a proxy before whatever is at `upstream`.
pub(crate) fn annotated_before(upstream: &str, limits: &str) -> Config {
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:0\"]\n[upstream]\naddress = \"{upstream}\"\n\
         [limits]\n{limits}\n[keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"OWN_KEY\"\n\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n"
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|name| (name == "OWN_KEY").then(|| "5eed".repeat(16)),
    };
    Config::parse(&text, &around).expect("a sound configuration")
}

/// A session with a database, with these startup parameters in turn.
pub(crate) async fn session_at(at: std::net::SocketAddr, database: &str, more: &[&str]) -> Raw {
    let mut raw = Raw::connect(at).await;
    let parameters = [&["user", "postgres", "database", database], more].concat();
    raw.send(&startup(3 << 16, &parameters)).await;
    let answer = raw.until_ready().await;
    assert!(!answer.closed, "{more:?}: {answer:?}");
    raw
}

trait Asks {
    /// The rows of a query, as text; its error.
    async fn try_ask(&mut self, text: &str) -> Result<Vec<String>, String>;

    async fn ask(&mut self, text: &str) -> Vec<String> {
        let answer = self.try_ask(text).await;
        answer.expect(text)
    }
}

impl Asks for Raw {
    async fn try_ask(&mut self, text: &str) -> Result<Vec<String>, String> {
        self.send(&query(text)).await;
        let answer = self.until_ready().await;
        assert!(!answer.closed, "{text}: {answer:?}");
        if let Some(code) = answer.error(b'C') {
            return Err(code);
        }
        let rows = answer.messages.iter().filter(|(kind, _)| *kind == b'D');
        let text = |(_, body): &(u8, Vec<u8>)| {
            let mut rest = &body[2..];
            let mut values = Vec::new();
            while let Some((length, more)) = rest.split_first_chunk::<4>() {
                let length = i32::from_be_bytes(*length).max(0) as usize;
                values.push(String::from_utf8_lossy(&more[..length]).into_owned());
                rest = &more[length..];
            }
            values.join("|")
        };
        Ok(rows.map(text).collect())
    }
}

pub(crate) fn parse(name: &str, text: &str) -> Vec<u8> {
    message(
        b'P',
        &[name.as_bytes(), b"\0", text.as_bytes(), b"\0\0\0"].concat(),
    )
}

fn bind(portal: &str, statement: &str) -> Vec<u8> {
    let names = [portal.as_bytes(), b"\0", statement.as_bytes(), b"\0"].concat();
    message(b'B', &[&names[..], &[0; 6]].concat())
}

fn execute(portal: &str, limit: u8) -> Vec<u8> {
    message(b'E', &[portal.as_bytes(), &[0, 0, 0, 0, limit]].concat())
}

pub(crate) fn sync() -> Vec<u8> {
    message(b'S', b"")
}

/// Settings with which Postgres answers a question of its own late, in another form, or not at all.
const SETTINGS: [(&str, &str); 33] = [
    ("statement_timeout", "30"),
    ("lock_timeout", "1"),
    ("idle_in_transaction_session_timeout", "500"),
    ("jit", "on"),
    ("jit_above_cost", "0"),
    ("enable_seqscan", "off"),
    ("enable_indexscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("enable_nestloop", "off"),
    ("enable_sort", "off"),
    ("enable_material", "off"),
    ("max_parallel_workers_per_gather", "8"),
    ("parallel_setup_cost", "0"),
    ("work_mem", "64"),
    ("default_transaction_isolation", "serializable"),
    ("default_transaction_read_only", "on"),
    ("default_transaction_deferrable", "on"),
    ("client_encoding", "LATIN1"),
    ("client_encoding", "SJIS"),
    ("DateStyle", "German"),
    ("IntervalStyle", "iso_8601"),
    ("bytea_output", "escape"),
    ("standard_conforming_strings", "off"),
    ("escape_string_warning", "off"),
    ("quote_all_identifiers", "on"),
    ("extra_float_digits", "-15"),
    ("search_path", "hostile"),
    ("row_security", "off"),
    ("role", "limited"),
    ("session_replication_role", "replica"),
    ("log_min_duration_statement", "0"),
    ("track_activities", "off"),
];

/// Everything that can be seen of a session's own state. What tells of the time is left out.
async fn state(session: &mut Raw) -> Vec<String> {
    // First, as it loads what has settings of its own.
    let mut state = session.ask("SELECT public.is_left()").await;
    state.extend(session.ask("SHOW ALL").await);
    state
}

#[tokio::test]
async fn no_setting_of_the_client_s_reaches_the_questions_and_none_is_changed() {
    let proxy = stand("own_settings", "catalog_max_age_s = 0").await;
    let at = postgres_address().await;
    let mut admin = session_at(at, "own_settings", &[]).await;
    for text in [
        "create role limited",
        "grant select on users to limited",
        "create schema hostile",
        "grant usage on schema hostile to public",
        "create function hostile.f(text, text) returns boolean language sql as 'select false'",
        "create operator hostile.= (leftarg = text, rightarg = text, function = hostile.f)",
        "create function hostile.count() returns bigint language sql as 'select 0::bigint'",
        "create type hostile.text as enum ('a')",
    ] {
        admin.ask(text).await;
    }
    for (name, value) in SETTINGS {
        let set = format!("SET {name} = '{value}'");
        let at_start = format!("-c {name}={value}");
        let mut plain = session_at(at, "own_settings", &[]).await;
        plain.ask(&set).await;
        let expected = state(&mut plain).await;
        // At login.
        let mut session = session_at(proxy.address, "own_settings", &["options", &at_start]).await;
        let rows = session.ask("select email from public.users limit 0").await;
        assert!(rows.is_empty());
        assert_eq!(state(&mut session).await.len(), expected.len(), "{name}");
        // In a running session, and in a transaction.
        let mut session = session_at(proxy.address, "own_settings", &[]).await;
        if name == "standard_conforming_strings" {
            // Refused by pgveil in a running session.
            assert_eq!(session.try_ask(&set).await, Err("0A000".to_owned()));
            continue;
        }
        session.ask(&set).await;
        assert_eq!(state(&mut session).await, expected, "{name}");
        for begin in ["BEGIN", "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"] {
            session.ask(begin).await;
            // Makes it look at the database from inside.
            let unknown = session.try_ask("savepoint a; select * from nowhere").await;
            assert!(unknown.is_err());
            session.ask("rollback").await;
            assert_eq!(state(&mut session).await, expected, "{name}");
        }
    }
}

#[tokio::test]
async fn settings_of_a_role_hold_for_its_sessions_and_not_for_the_questions() {
    let proxy = stand("own_role", "catalog_max_age_s = 0").await;
    let mut admin = session_at(postgres_address().await, "own_role", &[]).await;
    for (name, value) in [
        ("statement_timeout", "20"),
        ("default_transaction_read_only", "on"),
        ("default_transaction_isolation", "serializable"),
        ("default_transaction_deferrable", "on"),
        ("lock_timeout", "1"),
        ("enable_seqscan", "off"),
    ] {
        let alter = format!("ALTER DATABASE own_role SET {name} = '{value}'");
        admin.ask(&alter).await;
    }
    for _ in 0..3 {
        let mut session = session_at(proxy.address, "own_role", &[]).await;
        assert_eq!(session.ask("show statement_timeout").await, ["20ms"]);
        let isolation = session.ask("show transaction_isolation").await;
        assert_eq!(isolation, ["serializable"]);
        session
            .ask("begin isolation level read committed read write")
            .await;
        session
            .ask("set transaction isolation level repeatable read")
            .await;
        session.ask("commit").await;
    }
}

#[tokio::test]
async fn the_unnamed_statement_and_portal_stay_what_they_are() {
    for (database, limits) in [
        ("own_unnamed", "catalog_max_age_s = 0"),
        ("own_unnamed_old", "catalog_max_age_s = 60"),
    ] {
        let proxy = stand(database, limits).await;
        let mut session = session_at(proxy.address, database, &[]).await;
        for text in [
            "select email from users",
            "select id from users",
            "select 1",
        ] {
            session.send(&[parse("", text), sync()].concat()).await;
            let answer = session.until_ready().await;
            assert_eq!(answer.kinds(), "1Z", "{text}: {answer:?}");
            for _ in 0..3 {
                session
                    .send(&[bind("", ""), execute("", 0), sync()].concat())
                    .await;
                let answer = session.until_ready().await;
                assert_eq!(answer.kinds(), "2DCZ", "{text}: {answer:?}");
            }
            // The unnamed portal between two batches of a transaction.
            session.ask("begin").await;
            session
                .send(&[parse("", "select generate_series(1, 3)"), sync()].concat())
                .await;
            session.until_ready().await;
            session
                .send(&[bind("", ""), execute("", 1), sync()].concat())
                .await;
            assert_eq!(session.until_ready().await.kinds(), "2DsZ");
            session.send(&[execute("", 1), sync()].concat()).await;
            assert_eq!(session.until_ready().await.kinds(), "DsZ");
            session.ask("commit").await;
        }
    }
}

#[tokio::test]
async fn a_transaction_says_its_kind_before_its_first_query_and_behind_settings() {
    let proxy = stand("own_kind", "catalog_max_age_s = 0").await;
    let mut session = session_at(proxy.address, "own_kind", &[]).await;
    for before in ["select 1", "set search_path = public", "reset all"] {
        session.ask(before).await;
        session.ask("begin").await;
        session.ask("set search_path = pg_catalog, public").await;
        session.ask("show search_path").await;
        session
            .ask("set transaction isolation level serializable")
            .await;
        let id = session.ask("select id from users").await;
        assert_eq!(id[0].len(), 36);
        session.ask("commit").await;
    }
}

/// An id by a view.
async fn people(session: &mut Raw) -> String {
    session.ask("select id from people").await.remove(0)
}

#[tokio::test]
async fn tables_and_views_that_others_make_and_drop_end_no_session_and_no_login() {
    let proxy = stand("own_loop", "catalog_max_age_s = 0").await;
    let at = postgres_address().await;
    let end = Instant::now() + Duration::from_secs(6);
    let mut neighbours = Vec::new();
    for number in 0..4 {
        neighbours.push(tokio::spawn(async move {
            let mut session = session_at(at, "own_loop", &[]).await;
            while Instant::now() < end {
                for text in [
                    "create table n# (id int primary key, user_id bigint references users, g int generated always as (id + 1) stored)",
                    "create view v# as select n.id, u.email from n# n join users u on u.id = n.user_id",
                    "create rule r# as on delete to n# do also select 1",
                    "create or replace function f#() returns bigint language sql begin atomic select count(*) from n#; end",
                    "create temp table t# (id int)",
                    "alter table n# rename column id to key",
                    "drop table t#",
                    "drop table n# cascade",
                ] {
                    let text = text.replace('#', &number.to_string());
                    // Neighbours may deadlock with each other.
                    let _ = session.try_ask(&text).await;
                }
            }
        }));
    }
    let address = proxy.address;
    let mut others = Vec::new();
    for _ in 0..4 {
        others.push(tokio::spawn(async move {
            let mut session = session_at(address, "own_loop", &[]).await;
            let mut count = 0;
            while Instant::now() < end {
                assert_eq!(people(&mut session).await.len(), 36);
                count += 1;
            }
            count
        }));
    }
    for _ in 0..2 {
        others.push(tokio::spawn(async move {
            let mut count = 0;
            while Instant::now() < end {
                let fresh = Proxy::with(annotated("catalog_max_age_s = 0")).await;
                let mut session = session_at(fresh.address, "own_loop", &[]).await;
                assert_eq!(people(&mut session).await.len(), 36);
                count += 1;
            }
            count
        }));
    }
    for other in others {
        assert!(other.await.expect("no session has ended") > 0);
    }
    for neighbour in neighbours {
        neighbour.await.unwrap();
    }
}

#[tokio::test]
async fn a_lock_on_a_table_stops_no_login_of_a_fresh_process_and_nobody_who_needs_no_view_of_it() {
    drop(stand("own_lock", "catalog_max_age_s = 0").await);
    let mut holder = session_at(postgres_address().await, "own_lock", &[]).await;
    holder.ask("create table free (id int)").await;
    holder
        .ask("begin; lock table users in access exclusive mode")
        .await;
    let proxy = Proxy::with(annotated("catalog_max_age_s = 0")).await;
    for _ in 0..3 {
        let mut session = session_at(proxy.address, "own_lock", &[]).await;
        assert!(session.ask("select * from free").await.is_empty());
        session
            .ask("create table if not exists other (id int)")
            .await;
        assert!(session.ask("select * from other").await.is_empty());
        // Who needs it waits as Postgres would, as long as they want.
        session.ask("set lock_timeout = '100ms'").await;
        let waited = session.try_ask("select id from people").await;
        assert_eq!(waited.unwrap_err(), "55P03");
        session.ask("set lock_timeout = 0").await;
        session.ask("set statement_timeout = '100ms'").await;
        let waited = session.try_ask("select id from people").await;
        assert_eq!(waited.unwrap_err(), "57014");
    }
    let mut patient = session_at(proxy.address, "own_lock", &[]).await;
    let patient = tokio::spawn(async move { patient.ask("select id from people").await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!patient.is_finished());
    holder.ask("commit").await;
    assert_eq!(patient.await.unwrap()[0].len(), 36);
}

/// However a statement over a view was prepared and is run: while the table of the view is locked
/// and what is shared by all has changed, it waits as it would in Postgres.
#[tokio::test]
async fn a_prepared_statement_over_a_view_waits_for_a_lock_and_is_not_refused() {
    let proxy = stand("own_kept", "catalog_max_age_s = 0").await;
    let mut holder = session_at(postgres_address().await, "own_kept", &[]).await;
    let sync = message(b'S', b"");
    let run = [bind("", "s"), execute("", 0), sync.clone()].concat();
    let pipelined = [query("select 1 as one"), run.clone()].concat();
    let ways: [(&str, Vec<u8>, usize); 5] = [
        ("the protocol", run.clone(), 1),
        ("behind another", pipelined, 2),
        ("twice", [run.clone(), run].concat(), 2),
        ("EXECUTE", query("execute p"), 1),
        ("explained", query("explain (costs off) execute p"), 1),
    ];
    for (number, (way, bytes, readies)) in ways.into_iter().enumerate() {
        let mut session = session_at(proxy.address, "own_kept", &[]).await;
        session
            .send(&[parse("s", "select id from people"), sync.clone()].concat())
            .await;
        session.until_ready().await;
        session.ask("prepare p as select id from people").await;
        session.ask("execute p").await;
        let new = format!("create function n{number}() returns int language sql as 'select 1'");
        holder.ask(&new).await;
        holder
            .ask("begin; lock table users in access exclusive mode")
            .await;
        session.send(&bytes).await;
        let waiting = tokio::spawn(async move {
            let mut kinds = String::new();
            for _ in 0..readies {
                let answer = session.until_ready().await;
                assert_eq!(answer.error(b'C'), None, "{way}: {answer:?}");
                kinds += &answer.kinds();
            }
            (session, kinds)
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(!waiting.is_finished(), "{way}");
        holder.ask("commit").await;
        let (mut session, kinds) = waiting.await.expect(way);
        assert!(kinds.contains('D'), "{way}: {kinds}");
        assert_eq!(session.ask("execute p").await[0].len(), 36, "{way}");
    }
}

#[tokio::test]
async fn a_cancellation_reaches_the_statement_that_waits_for_a_question() {
    drop(stand("own_cancel", "catalog_max_age_s = 60").await);
    let mut holder = session_at(postgres_address().await, "own_cancel", &[]).await;
    holder
        .ask("begin; lock table users in access exclusive mode")
        .await;
    let proxy = Proxy::with(annotated("catalog_max_age_s = 60")).await;
    let mut raw = Raw::connect(proxy.address).await;
    let hello = startup(3 << 16, &["user", "postgres", "database", "own_cancel"]);
    raw.send(&hello).await;
    let answer = raw.until_ready().await;
    let cancel = cancellation(&answer);
    for messages in [
        query("select id from people"),
        [parse("", "select id from people"), sync()].concat(),
    ] {
        raw.send(&messages).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut other = Raw::connect(proxy.address).await;
        other.send(&cancel).await;
        other.until_closed().await;
        let answer = raw.until_ready().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("57014"), "{answer:?}");
        assert_eq!(raw.ask("select 7").await, ["7"]);
    }
    holder.ask("commit").await;
    assert_eq!(raw.ask("select id from people").await[0].len(), 36);
}

/// Every answer waits for a look behind it there, but nobody can look while data are being sent.
#[tokio::test]
async fn data_are_copied_both_ways_and_large_answers_come_where_no_snapshot_is_trusted() {
    const ROWS: u64 = 20_000;
    let proxy = stand("own_copy", "catalog_max_age_s = 0").await;
    let url = format!(
        "postgres://postgres:secret@127.0.0.1:{}/own_copy",
        proxy.address.port()
    );
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let made = "create temp table plain (note text)";
    client.batch_execute(made).await.unwrap();
    for copy in ["copy plain from stdin", "copy users (email) from stdin"] {
        let sink = client.copy_in::<_, Bytes>(copy).await.unwrap();
        pin_mut!(sink);
        let lines = format!("{}\n", "x".repeat(400)).repeat(ROWS as usize);
        sink.send(Bytes::from(lines)).await.unwrap();
        assert_eq!(sink.finish().await.unwrap(), ROWS);
    }
    let copied = client.copy_out("copy users to stdout").await.unwrap();
    let copied: Vec<Bytes> = copied.try_collect().await.unwrap();
    let lines = copied.iter().flatten().filter(|byte| **byte == b'\n');
    assert_eq!(lines.count() as u64, ROWS + 1);
    let rows = client.query("select id::text, email from users", &[]).await;
    let rows = rows.unwrap();
    assert_eq!(rows.len() as u64, ROWS + 1);
    assert!(rows.iter().all(|row| row.get::<_, &str>(0).len() == 36));
}

/// Errors for which nothing more is waited for there: nobody could look.
#[tokio::test]
async fn errors_that_leave_nothing_behind_come_where_no_snapshot_is_trusted() {
    let proxy = stand("own_errors", "catalog_max_age_s = 0").await;
    let mut raw = session_at(proxy.address, "own_errors", &[]).await;
    raw.ask("create temp table plain (note text)").await;
    // What fails in a transaction has left nothing, whatever it was to make.
    for (begin, makes, code) in [
        ("begin read only", "create table made (id int)", "25006"),
        ("begin", "create table users (id int)", "42P07"),
        ("begin", "create temp table plain (id int)", "42P07"),
        ("begin", "create view seen as select nothing", "42703"),
        (
            "begin",
            "create temp table plain as select * from users",
            "42P07",
        ),
    ] {
        raw.ask(begin).await;
        assert_eq!(raw.try_ask(makes).await, Err(code.to_owned()), "{makes}");
        raw.ask("rollback").await;
    }
    // A client that hears of an error sends no more data.
    for table in ["plain", "users (email)"] {
        let copy = format!("copy {table} from stdin");
        let data = message(b'd', b"one\ttoo many\n");
        raw.send(&query(&copy)).await;
        raw.read(|kind| kind == b'G').await;
        raw.send(&data).await;
        assert!(!raw.read(|kind| kind == b'E').await.closed, "{copy}");
        raw.send(&message(b'f', b"\0")).await;
        raw.until_ready().await;
        raw.send(&[parse("", &copy), bind("", ""), execute("", 0), sync()].concat())
            .await;
        raw.read(|kind| kind == b'G').await;
        raw.send(&data).await;
        assert!(!raw.read(|kind| kind == b'E').await.closed, "{copy}");
        raw.send(&[message(b'f', b"\0"), sync()].concat()).await;
        raw.until_ready().await;
    }
    assert_eq!(raw.ask("select 1").await, ["1"]);
}

/// A client that streams a batch of many statements stops when it hears of an error, as drivers do in
/// `executemany`: it hears of it before its Sync, also where every answer is held until the catalogs have
/// been looked at. What is short need not be heard of so.
#[tokio::test]
async fn a_batch_that_goes_on_hears_of_its_error_before_its_end() {
    let proxy = stand("own_stream", "catalog_max_age_s = 0").await;
    let mut raw = session_at(proxy.address, "own_stream", &[]).await;
    raw.send(&query("create table many (n int primary key, body text)"))
        .await;
    raw.until_ready().await;
    let insert = |number: &str, body: &str| {
        let mut bind = b"\0\0\0\0\0\x02".to_vec();
        for value in [number, body] {
            bind.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
            bind.extend(value.as_bytes());
        }
        bind.extend(b"\0\0");
        [message(b'B', &bind), message(b'E', b"\0\0\0\0\0")].concat()
    };
    let parse = message(b'P', b"\0insert into many values ($1, $2)\0\0\0");
    raw.send(&[parse, insert("1", "a"), insert("1", "a")].concat())
        .await;
    // What has been sent by the time at which it fails says nothing.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let body = "x".repeat(32 << 10);
    for number in 2..8 {
        raw.send(&insert(&number.to_string(), &body)).await;
    }
    let answer = raw.read(|kind| kind == b'E').await;
    assert_eq!(answer.kinds(), "12C2E");
    assert_eq!(answer.error(b'C').as_deref(), Some("23505"));
    raw.send(&message(b'S', b"")).await;
    assert_eq!(raw.until_ready().await.kinds(), "Z");
    raw.send(&query("select count(*) from many")).await;
    assert_eq!(raw.until_ready().await.kinds(), "TDCZ");
}
