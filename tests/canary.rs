//! No key gets out: hostile statements by every channel that is known, and a sweep over all that
//! Postgres has to offer an expression. The cases of the twin watch the canary too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "canary/sweeps.rs"]
mod sweeps;
#[path = "twin/mod.rs"]
mod twin;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};

use twin::canary::Canary;
use twin::case::Step;
use twin::client::Client;
use twin::mode::Mode;
use twin::say;
use twin::stand::{Other, build, local, start};
use twin::suite::Suite;
use twin::world::{FIRST_KEY, FIRST_KEY4, ROLE};

const HOSTILE: &str = include_str!("twin/hostile.sql");
const HOSTILE_DEFINITIONS: &str = include_str!("twin/hostile_definitions.sql");

#[test]
fn the_search_finds_a_key_in_each_of_its_forms() {
    let canary = Canary::new();
    for key in [FIRST_KEY + 1, FIRST_KEY + 301_234] {
        let group = |power: u32| i16::try_from(key / 10_i64.pow(power) % 10_000).unwrap();
        let numeric = [12, 8, 4, 0]
            .map(|power| group(power).to_be_bytes())
            .concat();
        let forms = [
            ("decimal text", format!("id {key}, and on").into_bytes()),
            ("scientific text", format!("{:e}", key as f64).into_bytes()),
            ("hexadecimal text", format!("\\x{key:016x}").into_bytes()),
            ("an 8-byte integer", key.to_be_bytes().to_vec()),
            ("a double", (key as f64).to_be_bytes().to_vec()),
            ("a binary numeric", numeric),
        ];
        for (form, bytes) in forms {
            assert_eq!(canary.find(&bytes), Some(form));
            assert_eq!(
                canary.find(&[b"before", &bytes[..], b"behind"].concat()),
                Some(form)
            );
        }
    }
    let narrow = FIRST_KEY4 + 101;
    let text = format!("{{{narrow}}}").into_bytes();
    assert_eq!(canary.find(&text), Some("decimal text of 4 bytes"));
    let bytes = i32::try_from(narrow).unwrap().to_be_bytes();
    assert_eq!(canary.find(&bytes), Some("a 4-byte integer"));
    assert_eq!(
        canary.find(b"an id 17000001-1a51-4a51-841b-41bc80b0e01c and 8613 others"),
        None
    );
}

#[test]
fn the_search_finds_the_keys_that_a_server_sends() {
    let suite = build(local(), "sent", Other::Keys).unwrap();
    let find = |database: &str, statement: &str, binary: i16| {
        let mut client = Client::connect(&local().address, ROLE, database).unwrap();
        let all = [
            twin::message::parse("", statement, &[]),
            twin::message::bind("", "", &[], binary),
            twin::message::execute("", 0),
            twin::message::sync(),
        ];
        client.exchange(&all.concat(), 1).unwrap();
        Canary::new().find(&client.recorded())
    };
    let statements = [
        "select id from users",
        "select id from products",
        "select participant_ids from events",
        "select id::numeric from users",
        "select id::float8 from users",
        "select row_to_json(u) from users u",
        "select u from users u",
    ];
    for statement in statements {
        assert!(
            find("sent_beside", statement, 0).is_some(),
            "{statement} as text"
        );
        assert!(
            find("sent_beside", statement, 1).is_some(),
            "{statement} in binary"
        );
    }
    for statement in ["select id from users", "select row_to_json(u) from users u"] {
        assert_eq!(find("sent_twin", statement, 0), None);
        assert_eq!(find("sent_twin", statement, 1), None);
    }
    drop(suite);
}

/// The statements of a file, each up to a line that ends with `;`.
fn statements(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with("-- ") && !line.is_empty());
    let lines: Vec<_> = lines.collect();
    let ends = |line: &&str| line.ends_with(';') || line.contains("; -- '");
    lines
        .split_inclusive(ends)
        .map(|lines| lines.join("\n"))
        .collect()
}

/// Pipelines in which a statement uses what one before it has made.
const PIPELINES: &[&str] = &[
    "parse -: create temp view soon as select id, id + 0 as n from users\nbind - -\nexecute -\n\
     parse -: select * from soon\nbind - -\nexecute -\nsync",
    "parse a: create temp view soon as select id + 0 as n from users\nparse b: select n from soon\n\
     bind - a\nexecute -\nbind - b\nexecute -\nsync",
    "parse a: create temp view soon as select id + 0 as n from users\nbind - a\nexecute -\nsync\n\
     parse b: select n from soon\nbind - b binary\nexecute -\nsync",
    "parse -: create function pg_temp.soon() returns bigint language sql as 'select max(id) from users'\n\
     bind - -\nexecute -\nparse -: select pg_temp.soon()\nbind - - binary\nexecute -\nsync",
    "parse -: alter table tags rename column id to number\nbind - -\nexecute -\n\
     parse -: select number from tags\nbind - -\nexecute -\nsync",
    "parse -: set search_path = shop\nbind - -\nexecute -\n\
     parse -: select id, id::text from users\nbind - -\nexecute -\n\
     parse -: select id from users\nbind - - binary\nexecute -\nsync",
    "query: begin\nquery: create temp view soon as select id + 0 as n from users\n\
     query: select * from soon\nquery: rollback",
    "query: create temp view soon as select id + 0 as n from users\nquery: select * from soon\n\
     query: select n from soon",
    "query: create temp table kept (n bigint)\nquery: insert into kept select id from users\n\
     query: select * from kept",
    "query: set search_path = shop\nquery: select id, id + 0 from users\nquery: select id from users",
    "query: select id from users; set search_path = shop; select id from users\nquery: select id from users",
    "parse s: select id, email from users\nbind p s\ndescribe portal p\nexecute p 1\nsync\n\
     query: select id from users\nbind p s binary\nexecute p\nsync",
    // Messages that the server ignores.
    "parse a: alter table users add check (('x' || id)::int2 > 0)\nbind p a\n\
     parse t: prepare kept_so as select 1\nbind - t\nexecute -\ndone\nexecute p\nsync",
    "parse a: create index on users ((('x' || id)::int2))\nbind p a\n\
     parse t: declare kept_so cursor with hold for select 1\nbind - t\nexecute -\ndone\nexecute p\nsync",
    "parse t: prepare kept_too as select 1\nbind - t\nexecute -\ndone\n\
     parse -: select id + 1 from users\nbind - -\nexecute -\nsync\nquery: select id from users",
    // What a session makes of ids.
    "parse -: create temp table soon as select id as n from users\nbind - -\nexecute -\n\
     parse -: select n + 0 from soon\nbind - -\nexecute -\nsync\nquery: select n + 0, n from soon",
    "parse a: insert into settings (name, number) select name, number from made\nsync\n\
     parse -: create temp table made as select name, id as number from users\nbind - -\nexecute -\n\
     parse a: insert into settings (name, number) select name, number from made\nbind - a\nexecute -\nsync\n\
     query: select number from settings",
    "parse a: insert into tags (name) select value from settings\nparse b: select number + 0 from settings\nsync\n\
     parse -: create temp table settings as select name, name as value, id as number from users\n\
     bind - -\nexecute -\nbind - b\nexecute -\nsync\nbind - b binary\nexecute -\nsync\n\
     query: select number + 0 from settings\nquery: drop table settings",
    "query: begin\nquery: savepoint s\nquery: create temp table users (id bigint)\nquery: rollback to s\n\
     query: select id + 0 from users\nquery: rollback",
    "query: begin\nquery: create temp table users (id bigint) on commit drop\n\
     query: commit; select id + 0 from users\nquery: select id + 0 from users",
    "query: begin\nquery: create temp table users (id bigint)\n\
     parse c: rollback\nbind - c\nexecute -\nparse -: select id + 0 from users\nbind - -\nexecute -\nsync\n\
     query: select id + 0 from users",
    "query: create temp table old as select id as n, name from users\nparse s: select n from old\nsync\n\
     query: alter table old rename to older\nquery: create temp table old (n bigint)\n\
     bind - s\nexecute -\nsync\nquery: select n + 0 from older\nquery: select o.n + 0 from old o",
    "query: begin\nquery: create temp table brief as select id as n from users\n\
     query: declare held cursor with hold for select n from brief\nquery: commit\n\
     query: drop table brief\nquery: fetch all from held\nquery: close held",
    "query: create temp table swapped as select id as a, login_count as b from users\n\
     query: alter table swapped rename a to c; alter table swapped rename b to a; select a + 0 from swapped\n\
     query: alter table swapped rename a to c\nquery: alter table swapped rename b to a\n\
     query: select a + 0 from swapped\nquery: select c + 0 from swapped\nquery: select * from swapped",
    // What was judged before it was replaced.
    "query: create function pg_temp.plain(t text) returns text immutable language plpgsql as 'begin return t; end'\n\
     parse s: select pg_temp.plain('x')\nsync\n\
     query: create or replace function pg_temp.plain(t text) returns text language plpgsql as \
     'begin return (select string_agg(id::text, '','') from users); end'\n\
     bind - s\nexecute -\nsync\nquery: select pg_temp.plain('x')\nbind - s binary\nexecute -\nsync",
    "query: create function pg_temp.plain2(t text) returns text immutable language plpgsql as 'begin return t; end'\n\
     query: select pg_temp.plain2('x')\n\
     query: create or replace function pg_temp.plain2(t text) returns text language plpgsql as \
     'begin return (select string_agg(id::text, '','') from users); end'; select pg_temp.plain2('x')",
    "query: create function pg_temp.plain3(t text) returns text immutable language plpgsql as 'begin return t; end'\n\
     parse -: select pg_temp.plain3('x')\nbind - -\nexecute -\n\
     parse -: create or replace function pg_temp.plain3(t text) returns text language plpgsql as \
     'begin return (select string_agg(id::text, '','') from users); end'\nbind - -\nexecute -\n\
     parse -: select pg_temp.plain3('x')\nbind - -\nexecute -\nsync",
    "query: create temp view plain4 as select name, number from settings\n\
     parse s: select number + 0 as n from plain4\nsync\n\
     query: create or replace temp view plain4 as select email as name, id as number from users\n\
     bind - s\nexecute -\nsync\nquery: select number + 0 from plain4\nbind - s binary\nexecute -\nsync",
    "query: create temp view plain5 as select name, number from settings\n\
     query: select number + 0 as n from plain5\n\
     query: create or replace temp view plain5 as select email as name, id as number from users; select number + 0 from plain5",
    "query: create temp view plain6 as select name, number from settings\n\
     parse -: select number + 0 from plain6\nbind - -\nexecute -\n\
     parse -: create or replace temp view plain6 as select email as name, id as number from users\nbind - -\nexecute -\n\
     parse -: select number + 0 from plain6\nbind - -\nexecute -\nsync",
    "query: create function pg_temp.plain7() returns bigint stable language sql as 'select number from settings limit 1'\n\
     parse s: select pg_temp.plain7()\nsync\n\
     query: create temp table settings (number bigint); insert into settings select id from users\n\
     bind - s\nexecute -\nsync\nquery: select pg_temp.plain7()",
    "query: create function pg_temp.plain8() returns bigint stable language sql as 'select max(number) from settings'\n\
     parse s: select pg_temp.plain8()\nbind - s\nexecute -\nsync\n\
     query: create or replace function pg_temp.plain8() returns bigint stable language sql as 'select max(id) from users'\n\
     bind - s\nexecute -\nsync\nbind - s binary\nexecute -\nsync\nquery: select pg_temp.plain8() + 0",
    // Settings that a text is read by, changed in front of it.
    "parse -: select set_config('standard_conforming_strings', 'off', false)\nbind - -\nexecute -\n\
     parse -: select '\\', ' as a, max(id) + 0 from users --'\nbind - -\nexecute -\nsync\n\
     query: set standard_conforming_strings = on",
    "query: select set_config('standard_conforming_strings', 'off', false)\nwait 5\n\
     query: set standard_conforming_strings = on\nquery: select '\\', max(id) + 0 from users --'",
    "query: select set_config('standard_conforming_strings', 'off', false)\nwait 5\n\
     parse -: set standard_conforming_strings = on\nbind - -\nexecute -\n\
     parse -: select '\\', max(id) + 0 from users --'\nbind - -\nexecute -\nsync\n\
     query: set standard_conforming_strings = on",
    "query: select set_config('standard_conforming_strings', 'off', false)\nwait 5\n\
     parse s: select '\\', ' as a, max(id) as b from users --'\nsync\nquery: set standard_conforming_strings = on\n\
     bind - s\nexecute -\nsync\nbind - s binary\nexecute -\nsync",
    "query: begin\nquery: select set_config('standard_conforming_strings', 'off', true)\nquery: select 1/0\n\
     query: rollback; select '\\', max(id) + 0 from users --'\nquery: rollback",
    "query: set client_encoding = 'SJIS'\nquery: select E'Ã\\', max(id) + 0 from users --'\nquery: reset client_encoding",
    "query: select set_config('client_encoding', 'SJIS', false)\nquery: select E'Ã\\', max(id) + 0 from users --'\n\
     query: reset client_encoding",
    "parse -: set client_encoding = 'SJIS'\nbind - -\nexecute -\nparse -: select E'Ã\\', max(id) + 0 from users --'\n\
     bind - -\nexecute -\nsync\nquery: reset client_encoding",
    "query: begin\nquery: set local client_encoding = 'SJIS'\nwait 5\nquery: commit\n\
     query: select 'Ã\\', max(id) + 0 from users --'",
    "query: create table dup (n bigint); create schema aside; create table aside.dup (n bigint references users)\n\
     query: insert into aside.dup select id from users\n\
     query: create function go(t text) returns void language plpgsql as 'begin perform set_config(''search_path'', t, false); end'\n\
     query: create function went(t text) returns boolean language plpgsql as 'begin perform go(t); return true; end'\n\
     query: do $$ begin perform set_config('search_path', 'aside, public', false); end $$\nquery: select n + 0 from dup\n\
     query: reset search_path\nquery: do $$ begin set search_path = aside, public; end $$; select n + 0 from dup\n\
     query: reset search_path\nquery: select go('aside, public')\nquery: select n + 0 from dup\n\
     query: reset search_path\nparse -: select went('aside, public')\nbind - -\nexecute -\nparse -: select n + 0 from dup\n\
     bind - -\nexecute -\nsync\nquery: select n + 0 from dup\nquery: reset search_path\n\
     query: drop schema aside cascade; drop table dup; drop function go(text), went(text)",
];

/// What pgveil logs, at every level.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<u8>>>);

impl Write for Logged {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// All that is hostile.
fn hostile() -> Vec<(Mode, Step)> {
    let mut steps = Vec::new();
    let hostile = statements(HOSTILE).into_iter();
    for statement in hostile.chain(statements(HOSTILE_DEFINITIONS)) {
        for mode in [Mode::Simple, Mode::Text, Mode::Binary] {
            steps.push((mode, Step::statement(&statement)));
        }
    }
    for pipeline in PIPELINES {
        let script: Vec<_> = pipeline.lines().map(str::trim_start).collect();
        steps.push((Mode::Raw, Step::wire(&script.join("\n"))));
    }
    steps
}

/// What gets out by steps, or ends a session without a word, on a way to the database.
fn leaks(name: &str, other: Other, steps: &[(Mode, Step)]) -> Vec<String> {
    let mut suite = build(local(), name, other).unwrap();
    let mut outcomes = BTreeMap::new();
    let mut leaks = Vec::new();
    for (mode, step) in steps {
        match suite.expose(*mode, step) {
            Ok(outcome) => *outcomes.entry(format!("{outcome:?}")).or_insert(0) += 1,
            Err(reason) => leaks.push(format!("[{}] {}\n    {reason}", mode.name(), step.text)),
        }
    }
    say(&format!(
        "hostile statements, {name}: {}, {outcomes:?}",
        steps.len()
    ));
    leaks
}

/// Of the ways beside the plain one each is tried with every so many of the hostile statements, or
/// with all if `PGVEIL_CANARY` is `all`.
const SHARE: usize = 10;

/// The hostile statements for one of these ways; each has other ones, but the pipelines. Those that
/// wait for an answer of so many messages may wait for ever where something else is refused.
fn some(way: usize) -> Vec<(Mode, Step)> {
    let is_all = std::env::var("PGVEIL_CANARY").is_ok_and(|word| word == "all");
    let all = hostile().into_iter().enumerate();
    let wanted = all
        .filter(|(number, (mode, _))| is_all || number % SHARE == way || matches!(mode, Mode::Raw))
        .filter(|(_, (_, step))| !step.text.contains("\nwait "));
    wanted.map(|(_, step)| step).collect()
}

#[test]
fn no_known_channel_lets_a_key_out_where_the_database_is_looked_at_each_time() {
    let leaks = leaks("looked", Other::Watched, &some(0));
    assert!(leaks.is_empty(), "{}", leaks.join("\n\n"));
}

#[test]
fn no_known_channel_lets_a_key_out_with_a_pooler_on_either_side() {
    if let Err(reason) = twin::pgbouncer::version() {
        let required = std::env::var_os("PGVEIL_REQUIRE_POOLERS").is_some();
        assert!(!required, "{reason}");
        say(&format!("SKIPPED: {reason}"));
        return;
    }
    let ways = [
        ("pooled", Other::Pooled),
        ("pooled_before", Other::PooledBefore),
    ];
    for (number, (name, other)) in ways.into_iter().enumerate() {
        let mut leaks = leaks(name, other, &some(number + 1));
        // PgBouncer of 1.21 and later lets no session prepare two statements under one name, and
        // the pipelines, which share a session, do.
        leaks.retain(|leak| !leak.contains("prepared statement name is already in use"));
        assert!(leaks.is_empty(), "{name}: {}", leaks.join("\n\n"));
    }
}

#[test]
fn no_known_channel_lets_a_key_out() {
    let logged = Logged::default();
    let writer = logged.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone());
    subscriber.init();
    let leaks = leaks("hostile", Other::Veiled, &hostile());
    let log = std::mem::take(&mut *logged.0.lock().unwrap());
    assert!(!log.is_empty(), "refusals are logged");
    let lines = log.split(|byte| *byte == b'\n');
    let found = lines.filter(|line| Canary::new().find(line).is_some());
    let found: Vec<_> = found.map(String::from_utf8_lossy).collect();
    assert!(found.is_empty(), "keys in the log: {:?}", found.get(..3));
    assert!(
        leaks.is_empty(),
        "{} leaks or broken sessions\n{}",
        leaks.len(),
        leaks.join("\n\n")
    );
}

#[test]
fn audit_mode_ends_no_session() {
    // What is passed on puts keys where others see them, such as `application_name`.
    let (_postgres, server) = start();
    let mut audited = build(&server, "audited", Other::Audited).unwrap();
    let mut bare = build(&server, "bare", Other::Keys).unwrap();
    let mut ended = Vec::new();
    for (mode, step) in some(3) {
        if let Err(reason) = audited.survive(mode, &step)
            && bare.survive(mode, &step).is_ok()
        {
            ended.push(format!("[{}] {}\n    {reason}", mode.name(), step.text));
        }
    }
    assert!(ended.is_empty(), "{}: {}", ended.len(), ended.join("\n\n"));
}

/// Settings that make a server tell its client how it runs a statement.
const TALKATIVE: [(&str, &str); 5] = [
    ("client_min_messages", "debug5"),
    ("debug_print_parse", "on"),
    ("debug_print_rewritten", "on"),
    ("debug_print_plan", "on"),
    ("debug_pretty_print", "on"),
];

#[test]
fn no_setting_at_the_beginning_of_a_session_lets_a_key_out() {
    let suite = build(local(), "talkative", Other::Veiled).unwrap();
    let database = "talkative_beside";
    let base = [("user", ROLE), ("database", database)];
    let options = TALKATIVE
        .map(|(name, value)| format!("-c {name}={value}"))
        .join(" ");
    let run = |parameters: &[(&str, &str)]| {
        let at = &suite.proxy.as_ref().unwrap().address;
        let mut client = Client::connect_with(at, parameters).unwrap();
        let ids = client.rows("select id from users order by id").unwrap();
        let id = &ids[0][0];
        for statement in [
            format!("select id, email from users where id = '{id}'"),
            format!("update users set name = 'x' where id in ('{id}', '{id}')"),
            format!("insert into orders (user_id) values ('{id}') returning id"),
            format!("insert into tags (id, name) values ('{id}', 'x')"),
            "select id + 0 from users".to_owned(),
        ] {
            client
                .exchange(&twin::message::query(&statement), 1)
                .unwrap();
        }
        let bytes = client.recorded();
        assert_eq!(Canary::new().find(&bytes), None, "{parameters:?}");
    };
    run(&[&base[..], &TALKATIVE].concat());
    run(&[&base[..], &[("options", options.as_str())]].concat());
    // Settings that the role has of its own.
    let mut others = Client::connect(&local().address, ROLE, database).unwrap();
    for (name, value) in TALKATIVE {
        let sql = format!("alter role {ROLE} in database {database} set {name} = {value}");
        others.run(&sql).unwrap();
    }
    run(&base);
}

/// Rows that others have made, with keys of no kind that the configuration names, a key of one kind
/// with the number of another, and texts that are no keys.
const KINDLESS: &str = "
    update taggings set taggable_type = null where taggable_type = 'User';
    update taggings set taggable_type = 'Odd' where taggable_type = 'Admin';
    update taggings set taggable_type = 'User' where id = (select min(id) from taggings where taggable_type = 'Order');
    insert into versions (id, item_type, item_id, event) select 86139900 + n, 'Order', text, 'odd' from unnest(array['x', '', '99999999999999999999', '9223372036854775808', '007', ' 5', '5 ', '+5', E'5\\n', '-0', '86130x']) with ordinality as odd(text, n);";

#[test]
fn nothing_tells_which_key_of_no_kind_is_the_same_as_another() {
    let suite = build(local(), "kindless", Other::Veiled).unwrap();
    let database = "kindless_beside";
    let mut bare = Client::connect(&local().address, ROLE, database).unwrap();
    bare.run(KINDLESS).unwrap();
    let at = &suite.proxy.as_ref().unwrap().address;
    let mut client = Client::connect(at, ROLE, database).unwrap();
    let mut ids = client.rows("select id from users").unwrap();
    ids.extend(client.rows("select id from orders").unwrap());
    let odd = "(taggable_type is null or taggable_type = 'Odd')";
    let zero = [["0".to_owned()]];
    for id in ids.iter().map(|row| &row[0]) {
        for test in [
            format!("taggable_id = '{id}'"),
            format!("taggable_id <> '{id}'"),
            format!("taggable_id in ('{id}', '{id}')"),
            format!("taggable_id not in ('{id}', '{id}')"),
            format!("taggable_id = any ('{{{id}}}')"),
        ] {
            let sql = format!("select count(*) from taggings where ({test}) is not null and {odd}");
            assert_eq!(client.rows(&sql).unwrap(), zero, "{sql}");
        }
    }
    for table in ["users", "orders"] {
        let sql = format!(
            "select count(*) from taggings t, {table} o \
             where (t.taggable_id = o.id) is not null and {odd}"
        );
        assert_eq!(client.rows(&sql).unwrap(), zero, "{sql}");
    }
    // What the WHERE says of the rows holds for what is tested before it too.
    for id in client.rows("select id from orders").unwrap() {
        let fails = format!(
            "1 / (case when x.taggable_id = '{}' then 0 else 1 end) = 1",
            id[0]
        );
        for from in [
            "taggings x".to_owned(),
            "(select taggable_id, taggable_type from taggings where taggable_type = 'Order') x"
                .to_owned(),
            "(select * from taggings where taggable_type = 'Order') x".to_owned(),
        ] {
            let sql = format!(
                "select count(*) from {from} where {fails} and x.taggable_type = 'Order' \
                 and not exists (select 1 from taggings t where t.taggable_type = 'Order' and t.taggable_id = '{}')",
                id[0]
            );
            client.rows(&sql).unwrap();
        }
    }
    let texts = "select count(x.i), count(*) from (select item_id as i from versions where event = 'odd' and item_type = 'Order') x";
    assert_eq!(
        client.rows(texts).unwrap(),
        [["0", "11"].map(str::to_owned)]
    );
    client.rows("select * from versions").unwrap();
    assert_eq!(Canary::new().find(&client.recorded()), None);
}

/// A change that others make to the database behind pgveil's back.
struct Change {
    /// Before pgveil looks at the database.
    before: &'static str,
    change: &'static str,
    /// What the client runs then: a name or an origin that pgveil does not know gives the change
    /// away.
    telling: &'static [&'static str],
    /// What the client runs then: nothing gives the change away, so that only a look at the
    /// database helps, which the operator bounds (`catalog_max_age_s`).
    silent: &'static [&'static str],
    undo: &'static str,
}

const CHANGES: &[Change] = &[
    Change {
        before: "",
        change: "create table behind (user_id bigint references users); insert into behind select id from users",
        telling: &["select * from behind", "select user_id + 0 from behind", "select user_id from behind"],
        silent: &[],
        undo: "drop table behind",
    },
    Change {
        before: "",
        change: "create view behind as select id, id + 0 as n from users",
        telling: &["select * from behind", "select n from behind", "table behind"],
        silent: &[],
        undo: "drop view behind",
    },
    Change {
        before: "",
        change: "alter table settings add column user_id bigint references users;
                 update settings set user_id = (select min(id) from users)",
        telling: &["select * from settings", "select s.* from settings s", "table settings", "select user_id from settings", "select max(user_id) from settings", "update settings set weight = 1 returning *"],
        silent: &["select settings from settings", "select row_to_json(s) from settings s", "select s::text from settings s", "copy settings to stdout", "select * from (select * from settings union all select * from settings) t", "select (s).* from (select s from settings s) t"],
        undo: "alter table settings drop column user_id",
    },
    Change {
        before: "create view colours as select name, value from settings",
        change: "create or replace view colours as
                 select name, value, (select max(id) from users) as n from settings",
        telling: &["select * from colours", "select n from colours", "table colours", "select max(n) from colours"],
        silent: &["select c from colours c"],
        undo: "drop view colours",
    },
    Change {
        before: "create view colours as select name, number from settings",
        change: "create or replace view colours as select email as name, id as number from users",
        telling: &[],
        silent: &["select * from colours", "select number from colours", "select number + 0 from colours", "select max(number) from colours"],
        undo: "drop view colours",
    },
    Change {
        before: "",
        change: "alter table orders drop constraint orders_user_id_fkey",
        telling: &["select user_id from orders", "select * from orders", "select user_id + 0 from orders"],
        silent: &[],
        undo: "alter table orders add constraint orders_user_id_fkey
               foreign key (user_id) references users on delete cascade",
    },
    Change {
        before: "",
        change: "alter table users rename column id to number",
        telling: &["select number from users", "select * from users", "select id from users", "select number + 0 from users"],
        silent: &[],
        undo: "alter table users rename column number to id",
    },
    Change {
        before: "",
        change: "alter table users rename to people",
        telling: &["select * from people", "select id + 0 from people", "select id from users"],
        silent: &[],
        undo: "alter table people rename to users",
    },
    Change {
        before: "",
        change: "alter table settings rename to was; alter table users rename to settings",
        telling: &["select * from settings", "select id + 0 from settings", "select name from settings"],
        silent: &[],
        undo: "alter table settings rename to users; alter table was rename to settings",
    },
    Change {
        before: "create schema aside; create table aside.other (n bigint)",
        change: "create table aside.settings (number bigint references public.users, name text, value text);
                 insert into aside.settings select id, name, name from public.users",
        telling: &["set search_path = aside, public; select number from settings", "select number from settings", "select * from aside.settings"],
        silent: &[],
        undo: "drop schema aside cascade",
    },
    Change {
        before: "create function clean() returns text immutable language sql as $$ select 'clean' $$",
        change: "create or replace function clean() returns text language sql
                 as 'select string_agg(id::text, '','') from users'",
        telling: &[],
        silent: &["select clean()", "select clean() from settings", "select * from clean()"],
        undo: "drop function clean()",
    },
];

/// Runs statements after each change, each as the first that meets it.
fn leaks_behind(
    suite: &mut Suite,
    name: &str,
    statements: fn(&Change) -> Vec<&str>,
) -> Vec<String> {
    let database = format!("{name}_beside");
    let mut others = Client::connect(&local().address, ROLE, &database).unwrap();
    let (mut leaks, mut count) = (Vec::new(), 0);
    for change in CHANGES {
        for statement in statements(change) {
            for mode in [Mode::Simple, Mode::Text, Mode::Binary, Mode::Prepared] {
                others.run(change.before).unwrap();
                let look = "create temp table looked (n integer); drop table looked";
                suite.expose(Mode::Simple, &Step::statement(look)).unwrap();
                suite
                    .expose(mode, &Step::statement("select id from tags"))
                    .unwrap();
                others.run(change.change).unwrap();
                if let Err(reason) = suite.expose(mode, &Step::statement(statement)) {
                    let change = change.change;
                    leaks.push(format!(
                        "[{}] {change}; {statement}\n    {reason}",
                        mode.name()
                    ));
                }
                suite
                    .expose(Mode::Simple, &Step::statement("set search_path = public"))
                    .unwrap();
                others.run(change.undo).unwrap();
                count += 1;
            }
        }
    }
    say(&format!(
        "statements after a change behind pgveil's back: {count}"
    ));
    leaks
}

#[test]
fn a_snapshot_of_the_database_that_has_grown_old_lets_no_key_out() {
    let mut suite = build(local(), "behind", Other::Veiled).unwrap();
    let leaks = leaks_behind(&mut suite, "behind", |change| change.telling.to_vec());
    assert!(leaks.is_empty(), "{}", leaks.join("\n\n"));
}

#[test]
fn a_look_before_each_batch_lets_no_key_out() {
    let mut suite = build(local(), "watched", Other::Watched).unwrap();
    let leaks = leaks_behind(&mut suite, "watched", |change| {
        [change.telling, change.silent].concat()
    });
    assert!(leaks.is_empty(), "{}", leaks.join("\n\n"));
}
