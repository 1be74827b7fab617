//! Definitions that change while sessions are at work: by a session of the proxy, by one of a role
//! inside the trust boundary, or directly in Postgres. Whatever a statement means when it is
//! answered, no key is in the answer, and what changes is over with one session at most.

use std::net::SocketAddr;
use std::path::Path;

use pgveil::config::{Config, Environment};
use tokio_postgres::Client;

use crate::support::*;

/// The first key.
pub(crate) const KEY: &str = "8613972450000001";

/// What the statements of these tests are about; with it each case begins anew.
const SCHEMA: &str = "
    drop schema public cascade;
    drop schema if exists hid cascade;
    drop schema if exists postgres cascade;
    drop schema if exists aside cascade;
    create schema public;
    create schema hid;
    create table users (id bigint primary key, email text, note text);
    create table plain (id bigint primary key, email text, note text);
    insert into users values (8613972450000001, 'ann', 'first');
    insert into plain values (7, 'bob', 'second');
    create view people as select email, note from users;
    create function label() returns text language sql stable as 'select email from users limit 1';
    create table hid.users (id bigint, email text, note text);
    insert into hid.users values (7, 'eve', 'third');
    create view hid.hv as select email from users;
    create function shows(text, text) returns text language sql stable
        as 'select id::text from public.users limit 1';
    create operator @@@ (function = textcat, leftarg = text, rightarg = text);
    create function joins(text, text) returns text language plpgsql immutable
        as 'begin return $1 || $2; end';
    create operator @@+ (function = joins, leftarg = text, rightarg = text)";

/// Changes of what the names mean by which the statements would show a key.
const CHANGES: [(&str, &str); 6] = [
    (
        "columns are renamed",
        "alter table users rename email to old; alter table users rename id to email",
    ),
    (
        "a column is replaced",
        "alter table users drop column email cascade;
         alter table users add column email text generated always as (id::text) stored;
         create view people as select email, note from users",
    ),
    ("a column is added", "alter table users add column more int"),
    (
        "the view is replaced",
        "create or replace view people as select id::text as email, note from users",
    ),
    (
        "the function is replaced",
        "create or replace function label() returns text language sql stable
         as 'select id::text from users limit 1'",
    ),
    (
        "tables are swapped",
        "alter table plain rename to other; alter table users rename to plain;
         alter table other rename to users",
    ),
];

/// A proxy before a database of its own.
pub(crate) struct Stand {
    pub(crate) proxy: Proxy,
    pub(crate) database: String,
    /// A session with Postgres itself.
    pub(crate) direct: Client,
}

impl Stand {
    pub(crate) async fn new(database: &str, limits: &str) -> Self {
        let admin = direct().await;
        let create = format!("create database {database}");
        admin.batch_execute(&create).await.expect("a database");
        let migrator = format!("create role {database}_migrator superuser login");
        admin.batch_execute(&migrator).await.expect("a role");
        let url = postgres().url(database);
        let (direct, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls)
            .await
            .expect("Postgres");
        tokio::spawn(connection);
        direct.batch_execute(SCHEMA).await.expect("a schema");
        let proxy = Proxy::with(config(database, limits)).await;
        Self {
            proxy,
            database: database.to_owned(),
            direct,
        }
    }

    pub(crate) async fn login(&self, user: &str) -> Raw {
        self.login_at(self.proxy.address, user).await
    }

    async fn login_at(&self, address: SocketAddr, user: &str) -> Raw {
        let mut raw = Raw::connect(address).await;
        let hello = ["user", user, "database", &self.database];
        raw.send(&startup(3 << 16, &hello)).await;
        let answer = raw.until_ready().await;
        assert!(!answer.closed, "{user} is not let in: {answer:?}");
        raw
    }

    pub(crate) async fn session(&self) -> Raw {
        self.login("postgres").await
    }

    pub(crate) async fn migrator(&self) -> Raw {
        self.login(&format!("{}_migrator", self.database)).await
    }

    /// One that the proxy knows nothing of.
    pub(crate) async fn beside(&self) -> Raw {
        let address = format!("{}:{}", postgres().host(), postgres().port());
        self.login_at(address.parse().unwrap(), "postgres").await
    }

    /// Makes everything as it was, which no session knows.
    pub(crate) async fn begin_anew(&self) {
        self.direct.batch_execute(SCHEMA).await.expect("a schema");
    }
}

fn config(database: &str, limits: &str) -> Config {
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:0\"]\n[upstream]\naddress = \"{}:{}\"\n\
         [policy]\nbypass_roles = [\"{database}_migrator\"]\n\
         [limits]\n{limits}\n[keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"OWN_KEY\"\n\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n",
        postgres().host(),
        postgres().port()
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|name| (name == "OWN_KEY").then(|| "5eed".repeat(16)),
    };
    Config::parse(&text, &around).expect("a sound configuration")
}

/// Whether a key is in an answer, as text.
pub(crate) fn shows_key(answer: &Answer) -> bool {
    let shows = |body: &[u8]| body.windows(KEY.len()).any(|part| part == KEY.as_bytes());
    answer.messages.iter().any(|(_, body)| shows(body))
}

pub(crate) async fn ask(session: &mut Raw, text: &str, what: &str) -> Answer {
    session.send(&query(text)).await;
    let answer = session.until_ready().await;
    assert!(!shows_key(&answer), "{what}: {text}: {answer:?}");
    answer
}

const STATEMENTS: [&str; 4] = [
    "select * from users",
    "select upper(email) || note from users",
    "select * from people",
    "select label()",
];

/// Sessions that were there before, and new ones, look at the database before their next
/// statement: none ends.
#[tokio::test]
async fn what_a_role_inside_the_trust_boundary_defines_is_seen_by_the_next_statement() {
    let stand = Stand::new("definitions_bypass", "catalog_max_age_s = 600").await;
    for (what, change) in CHANGES {
        for prepared in [false, true] {
            stand.begin_anew().await;
            let mut migrator = stand.migrator().await;
            // Tells that everything is new.
            ask(&mut migrator, "create table told ()", what).await;
            let mut sessions = vec![stand.session().await, stand.session().await];
            for session in &mut sessions {
                for statement in STATEMENTS {
                    assert!(!ask(session, statement, what).await.closed, "{what}");
                }
            }
            if prepared {
                let parse = [b"s\0", change.as_bytes(), b"\0\0\0"].concat();
                if !change.contains(';') {
                    let sync = message(b'S', b"");
                    migrator.send(&[message(b'P', &parse), sync].concat()).await;
                    migrator.until_ready().await;
                    let run = [
                        message(b'B', b"\0s\0\0\0\0\0\0\0"),
                        message(b'E', &[0; 5]),
                        message(b'S', b""),
                    ];
                    migrator.send(&run.concat()).await;
                    assert_eq!(migrator.until_ready().await.error(b'C'), None, "{what}");
                }
            }
            if !prepared || change.contains(';') {
                for text in ["begin", change, "commit"] {
                    migrator.send(&query(text)).await;
                    assert_eq!(migrator.until_ready().await.error(b'M'), None, "{what}");
                }
            }
            sessions.push(stand.session().await);
            for session in &mut sessions {
                for statement in STATEMENTS {
                    let answer = ask(session, statement, what).await;
                    assert!(!answer.closed, "{what}: {statement}: {answer:?}");
                }
            }
        }
    }
}

/// What is changed behind the proxy's back costs at most the session that is shown it first.
#[tokio::test]
async fn what_is_defined_directly_ends_one_session_at_most() {
    let stand = Stand::new("definitions_direct", "catalog_max_age_s = 600").await;
    for (what, change) in CHANGES {
        stand.begin_anew().await;
        let mut migrator = stand.migrator().await;
        ask(&mut migrator, "create table told ()", what).await;
        let mut sessions = vec![stand.session().await, stand.session().await];
        for session in &mut sessions {
            ask(session, "select * from users", what).await;
        }
        stand.direct.batch_execute(change).await.expect(what);
        sessions.insert(1, stand.session().await);
        let mut ended = 0;
        for session in &mut sessions {
            let answer = ask(session, "select * from users", what).await;
            ended += usize::from(answer.closed);
        }
        assert!(ended <= 1, "{what}: {ended} sessions have ended");
        let mut fresh = stand.session().await;
        let answer = ask(&mut fresh, "select * from users", what).await;
        assert!(!answer.closed, "{what}: {answer:?}");
    }
}

/// An aggregate is made of functions, which run whatever they are marked as.
#[tokio::test]
async fn an_aggregate_runs_what_its_functions_run() {
    let stand = Stand::new("definitions_aggregates", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let functions = "
        create function honest(text, text) returns text language sql immutable as 'select $2';
        create function in_sql(text, text) returns text language sql immutable
            as 'select id::text from public.users limit 1';
        create function atomic(text, text) returns text language sql immutable
            begin atomic select id::text from public.users limit 1; end;
        create function in_other(text, text) returns text language plpgsql immutable
            as $$ begin return (select id::text from public.users limit 1); end $$;
        create function ends(text) returns text language sql immutable
            as 'select id::text from public.users limit 1'";
    stand.direct.batch_execute(functions).await.unwrap();
    let mut session = stand.session().await;
    for (parts, is_honest) in [
        ("sfunc = honest, stype = text", true),
        ("sfunc = in_sql, stype = text", false),
        ("sfunc = atomic, stype = text", false),
        ("sfunc = in_other, stype = text", false),
        ("sfunc = honest, stype = text, finalfunc = ends", false),
    ] {
        let made =
            format!("drop aggregate if exists told(text); create aggregate told(text) ({parts})");
        stand.direct.batch_execute(&made).await.unwrap();
        ask(&mut session, "create table if not exists looked ()", parts).await;
        ask(&mut session, "drop table looked", parts).await;
        let answer = ask(&mut session, "select told(note) from users", parts).await;
        assert_eq!(
            answer.kinds().contains('D'),
            is_honest,
            "{parts}: {answer:?}"
        );
    }
}

/// What moves the path while a statement is open, or within it.
const MOVES: &[&str] = &[
    "set local search_path = hid, pg_catalog, public",
    "set search_path = hid, public",
    "select set_config('search_path', 'hid, public', true)",
    "update pg_settings set setting = 'hid, public' where name = 'search_path'",
    "do 'begin perform set_config(''search_path'', ''hid, public'', true); end'",
    "select moves()",
    "insert into moving values (1)",
];

/// Statements that move it themselves.
const MOVING: &[&str] = &[
    "select set_config('search_path', 'hid, public', true), later()",
    "select moves(), later()",
    "select l from by_view where set_config('search_path', 'hid, public', true) <> ''",
    "with m as (select moves()) select * from m, later()",
    "insert into moving select 1 from later() returning (select later() limit 1)",
];

/// Reads a portal before and behind a move, at once or message by message. Gives how many rows came.
async fn portal_rows(stand: &Stand, moves: &str, text: &str) -> usize {
    let first = [
        message(b'P', format!("\0select {text}\0\0\0").as_bytes()),
        message(b'B', b"p\0\0\0\0\0\0\0\0"),
        message(b'E', b"p\0\0\0\0\x01"),
    ];
    let rest = [
        message(b'P', format!("\0{moves}\0\0\0").as_bytes()),
        message(b'B', b"\0\0\0\0\0\0\0\0"),
        message(b'E', b"\0\0\0\0\0"),
    ];
    let parts = [first.concat(), rest.concat(), message(b'E', b"p\0\0\0\0\0")];
    let sync = message(b'S', b"");
    let mut rows = 0;
    for synced in [true, false] {
        let mut session = stand.session().await;
        ask(&mut session, "begin", moves).await;
        let parts: Vec<Vec<u8>> = match synced {
            true => parts
                .iter()
                .map(|part| [&part[..], &sync].concat())
                .collect(),
            false => vec![[parts.concat(), sync.clone()].concat()],
        };
        for part in parts {
            session.send(&part).await;
            let answer = session.until_ready().await;
            assert!(!shows_key(&answer), "{moves}: {text}: {answer:?}");
            rows += answer.kinds().matches('D').count();
        }
    }
    rows
}

/// Functions in SQL look for their names when they run: a cursor or a portal that is open shows no
/// more where the path has moved, and no statement moves it for those that it calls.
#[tokio::test]
async fn functions_in_sql_are_read_where_they_run() {
    let stand = Stand::new("definitions_late", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let setup =
        "create function later() returns setof text language sql as 'select email from plain';
        create view by_view as select later() as l;
        create view hid.plain as select id::text as email from public.users;
        create function moves() returns int language plpgsql as
        'begin perform set_config(''search_path'', ''hid, public'', false); return 1; end';
        create table moving (n int check (moves() = 1));
        insert into plain values (8, 'more', ''); grant usage on schema hid to public;
        grant select on all tables in schema hid, public to public;
        grant update on moving to public";
    stand.direct.batch_execute(setup).await.unwrap();
    for text in MOVING {
        let mut session = stand.session().await;
        let answer = ask(&mut session, text, "one statement").await;
        assert!(answer.error(b'C').is_some(), "{text}: {answer:?}");
    }
    let mut shown = 0;
    for (opens, text) in ["later()", "l from by_view"]
        .iter()
        .flat_map(|text| MOVES.iter().map(move |moves| (moves, text)))
    {
        let mut session = stand.session().await;
        let open = format!("begin; declare c cursor for select {text}; fetch 1 c");
        let answer = ask(&mut session, &open, opens).await;
        assert!(answer.error(b'C').is_none(), "{open}: {answer:?}");
        ask(&mut session, opens, text).await;
        let answer = ask(&mut session, "fetch all c", opens).await;
        assert!(answer.error(b'C').is_some(), "{opens}: {text}: {answer:?}");
        let mut session = stand.session().await;
        ask(&mut session, &open, opens).await;
        ask(&mut session, &format!("{opens}; fetch all c"), text).await;
        shown += portal_rows(&stand, opens, text).await;
        // Where the path has come back, the rest is shown.
        let mut session = stand.session().await;
        ask(&mut session, &open, opens).await;
        ask(
            &mut session,
            "savepoint s; set local search_path = hid",
            text,
        )
        .await;
        ask(&mut session, "rollback to s", text).await;
        ask(&mut session, "select 1", text).await;
        let answer = ask(&mut session, "fetch all c", opens).await;
        assert!(answer.kinds().contains('D'), "{answer:?}");
    }
    assert!(shown > 0);
}

/// What takes back a path that the session has set: with it the path of the database holds, or that
/// of another role. In front of it the cursor is made.
const TAKES_BACK: &[(&str, &str)] = &[
    ("set search_path = public; begin", "reset search_path"),
    ("set search_path = public; begin", "reset all"),
    (
        "set search_path = public; begin",
        "set search_path to default",
    ),
    (
        "set search_path = public; begin",
        "set local search_path to default",
    ),
    ("set search_path = \"$user\", public; begin", "set role hid"),
    (
        "set role hid; set search_path = public; begin",
        "set local search_path = \"$user\", public",
    ),
    (
        "set search_path = public; begin; savepoint s; set local search_path = hid; release s; \
         set local search_path = public",
        "set local search_path = hid",
    ),
];

/// Where a cursor that outlives its transaction is read to its end, at the end of that.
const HOLDS: &[&str] = &[
    "begin; declare c cursor with hold for select %; set local search_path = hid; commit",
    "begin; declare c cursor with hold for select %; fetch 1 c; set local search_path = hid; commit",
    "begin; declare c cursor with hold for select %; set search_path = hid; commit; set search_path = public",
    "begin; declare c cursor with hold for select %; select moves(); commit; set search_path = public",
    "begin; declare c cursor with hold for select %; set local search_path = hid; commit and chain",
    "begin; set local search_path = hid; savepoint s; set local search_path = public; \
     declare c cursor with hold for select %; release s; set local search_path = hid; commit",
];

/// The same where the path comes back, goes with the role, or is another one when a cursor that
/// outlives its transaction is read; by FETCH in both protocols, and by functions in functions.
#[tokio::test]
async fn functions_in_sql_are_read_where_cursors_are_left_open() {
    let stand = Stand::new("definitions_held", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let setup =
        "create function later() returns setof text language sql as 'select email from plain';
        create function around() returns setof text language sql as 'select later()';
        create view by_view as select later() as l;
        create view hid.plain as select id::text as email from public.users;
        create function moves() returns int language plpgsql as
        'begin perform set_config(''search_path'', ''hid, public'', false); return 1; end';
        insert into plain values (8, 'more', ''); grant usage on schema hid, public to public;
        grant select on all tables in schema hid, public to public;
        do 'begin create role hid; exception when duplicate_object then null; end';
        alter database definitions_held set search_path = hid, public";
    stand.direct.batch_execute(setup).await.unwrap();
    let mut honest = 0;
    for text in ["later()", "around()", "l from by_view"] {
        let fetch = [
            message(b'P', b"\0fetch all c\0\0\0"),
            message(b'B', b"\0\0\0\0\0\0\0\0"),
            message(b'E', b"\0\0\0\0\0"),
            message(b'S', b""),
        ];
        let mut cases: Vec<(Vec<String>, bool)> = Vec::new();
        for (before, moves) in TAKES_BACK {
            let open = format!("declare c cursor for select {text}; fetch 1 c");
            let mut opened: Vec<String> = before.split("; ").map(str::to_owned).collect();
            opened.push(open);
            for moves in [(*moves).to_owned(), format!("{moves}; fetch all c")] {
                cases.push((opened.iter().cloned().chain([moves]).collect(), true));
            }
            cases.push((opened, false));
        }
        for holds in HOLDS {
            let text = holds.replace('%', text);
            cases.push((vec![format!("set search_path = public; {text}")], true));
            let mut parts = vec!["set search_path = public".to_owned()];
            parts.extend(text.split("; ").map(str::to_owned));
            cases.push((parts, true));
        }
        for (parts, moved) in cases {
            for extended in [false, true] {
                let mut session = stand.session().await;
                for part in &parts {
                    let answer = ask(&mut session, part, text).await;
                    assert!(!shows_key(&answer), "{parts:?}: {answer:?}");
                }
                let answer = if extended {
                    session.send(&fetch.concat()).await;
                    session.until_ready().await
                } else {
                    ask(&mut session, "fetch all c", text).await
                };
                assert!(!shows_key(&answer), "{parts:?}: {answer:?}");
                let shown = answer.kinds().contains('D');
                assert!(moved || shown, "{parts:?}: {answer:?}");
                honest += usize::from(shown);
            }
        }
    }
    assert!(honest > 0);
}

/// Code that is too long, by itself or behind that of others, is not read, and so is what takes the
/// server long to write out: it concerns those who use it.
#[tokio::test]
async fn what_is_too_long_to_be_read_concerns_those_who_use_it() {
    let stand = Stand::new("definitions_long", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let mut maker = stand.session().await;
    let mut bystander = stand.session().await;
    let function = |name: &str, bytes: usize| {
        let names = "long_0 ".repeat(bytes / 7);
        format!(
            "create function {name}() returns text language sql as $f$ select 'x' /* {names} */ $f$"
        )
    };
    let generated: Vec<String> = (0..400)
        .map(|n| format!("g{n} int generated always as (n + {n}) stored"))
        .collect();
    let mut made = vec![
        "create function short() returns text language sql as 'select ''x'''".to_owned(),
        function("long_0", 250_000),
        function("longer", 300_000),
    ];
    made.extend((1..72).map(|n| function(&format!("long_{n}"), 250_000)));
    made.push(format!(
        "create table wide (n int, {})",
        generated.join(", ")
    ));
    made.push("create view few as select short() as s, email from plain".to_owned());
    let answer = ask(&mut maker, &made.join("; "), "made").await;
    assert!(answer.error(b'C').is_none(), "{answer:?}");
    let mut fresh = stand.session().await;
    for session in [&mut bystander, &mut fresh] {
        for (text, is_read) in [
            ("select email from users where id is not null", true),
            ("select short(), email from plain", true),
            ("select long_0(), email from plain", true),
            ("select longer(), email from plain", false),
            ("select long_71(), email from plain", false),
            ("select * from few", true),
        ] {
            let answer = ask(session, text, "used").await;
            assert_eq!(answer.kinds().contains('D'), is_read, "{text}: {answer:?}");
        }
    }
}

/// What Postgres lets somebody define and can't write out again, and code of aggregates, which comes
/// for each of them.
#[tokio::test]
async fn what_can_t_be_written_out_concerns_those_who_use_it() {
    let stand = Stand::new("definitions_deep", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let deep = |what: &str| format!("{}{what}{}", "abs(".repeat(4_500), ")".repeat(4_500));
    let long = "/* x */".repeat(35_000);
    let mut made = vec![
        format!("create function argued(n int default {}) returns int language sql as 'select $1'", deep("1")),
        format!("create function body() returns int language sql begin atomic select {}; end", deep("1")),
        "create function plain_argued(n int default 1, k bigint default 0, s text default 'a', a int[] default array[1, 2]) returns int language sql as 'select $1'".to_owned(),
        format!("create function step(text, text) returns text language sql immutable as $f$ select $1 {long} $f$"),
        "create aggregate few (text) (sfunc = step, stype = text, initcond = 'x')".to_owned(),
    ];
    made.extend((0..100).map(|n| {
        format!("create aggregate many_{n} (text) (sfunc = step, combinefunc = step, stype = text)")
    }));
    for text in made {
        stand
            .direct
            .batch_execute(&text)
            .await
            .expect("a definition");
    }
    let mut maker = stand.migrator().await;
    ask(&mut maker, "create table told ()", "made").await;
    let mut bystander = stand.session().await;
    for (text, is_read) in [
        ("select email from users where id is not null", true),
        ("select argued(1), email from plain", true),
        ("select plain_argued(), email from plain", true),
        ("select argued(), email from users", false),
        ("select body(), email from plain", false),
        ("select few(email) from plain", true),
        ("select many_99(email) from plain", false),
    ] {
        let answer = ask(&mut bystander, text, "used").await;
        assert_eq!(answer.kinds().contains('D'), is_read, "{text}: {answer:?}");
    }
}
