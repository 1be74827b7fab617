//! A definition that takes its time, in one session: all others go on as without it, however they
//! ask, whoever sends it, and whether its transaction is over with it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_postgres::Client;

use crate::definitions::{Stand, ask, shows_key};
use crate::support::*;

/// Nobody waits for so long, on the slowest machine, but who waits for the definition: that lasts
/// until the test lets it go on.
const LONG: Duration = Duration::from_secs(30);

/// How often each of the others asks meanwhile.
const ROUNDS: usize = 5;

/// What waits for the lock 7, and whether it is sent by a role inside the trust boundary.
const LASTING: [(&str, bool); 8] = [
    (
        "create table made as select pg_advisory_xact_lock(7)::text as x",
        false,
    ),
    (
        "create table made as select pg_advisory_xact_lock(7)::text as x",
        true,
    ),
    (
        "begin; create table made (x int); select pg_advisory_xact_lock(7); rollback",
        false,
    ),
    (
        "begin; alter table plain add made int; select pg_advisory_xact_lock(7); rollback",
        true,
    ),
    ("alter table slow alter x type text using lasts(x)", true),
    ("create index on slow (lasts(x))", true),
    ("create materialized view made as select lasts('x')", true),
    (
        "do $$ begin create table made (x int); perform pg_advisory_xact_lock(7); drop table made; end $$",
        true,
    ),
];

const SLOW: &str = "
    create table slow as select 'x'::text as x;
    create function lasts(x text) returns text language plpgsql immutable
        as $$ begin perform pg_advisory_xact_lock(7); return x; end $$";

/// The ways in which the others ask.
const WAYS: [&str; 4] = ["simple", "unnamed", "prepared", "new"];

/// Keeps what waits for the lock 7 from going on.
async fn hold(stand: &Stand) {
    let lock = "select pg_advisory_lock(7)";
    stand.direct.batch_execute(lock).await.unwrap();
}

/// Waits until somebody waits for it.
async fn held_up(direct: &Client) {
    until_counted(
        direct,
        "select count(*) from pg_stat_activity
            where datname = current_database() and wait_event = 'advisory'",
    )
    .await;
}

/// Waits until a definition waits, which this counts.
async fn until_counted(direct: &Client, waiting: &str) {
    let count = async || {
        direct
            .query_one(waiting, &[])
            .await
            .unwrap()
            .get::<_, i64>(0)
    };
    let found = async {
        while count().await == 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(LONG, found).await.expect("a definition that waits");
}

async fn let_go(stand: &Stand) {
    let unlock = "select pg_advisory_unlock(7)";
    stand.direct.batch_execute(unlock).await.unwrap();
}

fn unnamed(text: &str) -> Vec<u8> {
    let parse = [b"\0", text.as_bytes(), b"\0\0\0"].concat();
    [message(b'P', &parse), run("")].concat()
}

fn run(statement: &str) -> Vec<u8> {
    let bind = [b"\0", statement.as_bytes(), &[0; 7]].concat();
    [
        message(b'B', &bind),
        message(b'D', b"P\0"),
        message(b'E', &[0; 5]),
        message(b'S', b""),
    ]
    .concat()
}

/// Asks for an id.
async fn asks(stand: &Stand, way: &str, session: &mut Raw) {
    let text = "select id, note from users";
    let asked = async {
        if way == "new" {
            *session = stand.session().await;
        }
        session
            .send(&match way {
                "unnamed" => unnamed(text),
                "prepared" => run("s"),
                _ => query(text),
            })
            .await;
        session.until_ready().await
    };
    let answer = timeout(LONG, asked).await;
    assert!(answer.is_ok(), "{way}: no answer");
    let answer = answer.unwrap();
    assert!(!answer.closed && !shows_key(&answer), "{way}: {answer:?}");
    assert!(answer.kinds().contains('D'), "{way}: {answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_definition_that_takes_its_time_keeps_nobody_else_waiting() {
    let stand = Stand::new("definitions_lasting", "catalog_max_age_s = 600").await;
    for (definition, trusted) in LASTING {
        stand.begin_anew().await;
        stand.direct.batch_execute(SLOW).await.unwrap();
        let mut one = match trusted {
            true => stand.migrator().await,
            false => stand.session().await,
        };
        let mut sessions = Vec::new();
        for way in WAYS {
            let mut session = stand.session().await;
            let prepare = [b"s\0", &b"select id, note from users"[..], b"\0\0\0"].concat();
            session
                .send(&[message(b'P', &prepare), message(b'S', b"")].concat())
                .await;
            session.until_ready().await;
            ask(&mut session, "select id from users", way).await;
            sessions.push((way, session));
        }
        hold(&stand).await;
        one.send(&query(definition)).await;
        held_up(&stand.direct).await;
        for (way, session) in &mut sessions {
            for _ in 0..ROUNDS {
                asks(&stand, way, session).await;
            }
        }
        let_go(&stand).await;
        let answer = one.until_ready().await;
        assert!(!answer.kinds().contains('E'), "{definition}: {answer:?}");
    }
}

/// What others may do meanwhile that can't be asked about by themselves: an answer that is too large
/// to be kept, a transaction that sees the catalogs as they were, a client that waits without a Sync.
async fn unasked(stand: &Stand, what: &str) {
    let mut session = stand.session().await;
    for _ in 0..2 {
        let answer = match what {
            "large" => {
                let text = "select id, repeat('x', 200) from users, generate_series(1, 30000)";
                session.send(&query(text)).await;
                session.until_ready().await
            }
            "copy" => {
                let text = "copy (select id, repeat('x', 200) from users, generate_series(1, 30000)) to stdout";
                session.send(&query(text)).await;
                session.until_ready().await
            }
            "repeatable read" => {
                let begin = "begin isolation level repeatable read; select 1";
                let begun = ask(&mut session, begin, what).await;
                assert!(!begun.closed, "{what}: {begun:?}");
                let answer = ask(&mut session, "select id, note from users", what).await;
                ask(&mut session, "commit", what).await;
                answer
            }
            _ => {
                let batch = unnamed("select id, note from users");
                let unsynced = &batch[..batch.len() - message(b'S', b"").len()];
                let flushed = [unsynced, &message(b'H', b"")].concat();
                session.send(&flushed).await;
                let answer = session.read(|kind| kind == b'C').await;
                session.send(&message(b'S', b"")).await;
                session.until_ready().await;
                answer
            }
        };
        assert!(
            !answer.closed && !shows_key(&answer),
            "{what}: it is over: {:?}",
            answer.error(b'M')
        );
        let kinds = answer.kinds();
        assert!(kinds.contains(['D', 'd']), "{what}: {kinds}");
    }
}

const UNASKED: [&str; 4] = ["large", "copy", "repeatable read", "flushed"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn looks_of_others_serve_who_can_not_look_while_a_definition_lasts() {
    let stand = Stand::new("definitions_unasked", "catalog_max_age_s = 600").await;
    // The other one is at work, or looks only because it is asked to.
    for (trusted, idle) in [(false, false), (true, false), (false, true), (true, true)] {
        stand.begin_anew().await;
        let mut one = match trusted {
            true => stand.migrator().await,
            false => stand.session().await,
        };
        let mut other = stand.session().await;
        ask(&mut other, "select id from users", "before").await;
        hold(&stand).await;
        one.send(&query(LASTING[0].0)).await;
        held_up(&stand.direct).await;
        let is_over = AtomicBool::new(false);
        let asking = async {
            for what in UNASKED {
                unasked(&stand, what).await;
            }
            is_over.store(true, Ordering::Relaxed);
        };
        let looking = async {
            while !idle && !is_over.load(Ordering::Relaxed) {
                asks(&stand, "simple", &mut other).await;
            }
        };
        tokio::join!(asking, looking);
        asks(&stand, "simple", &mut other).await;
        let_go(&stand).await;
        assert!(!one.until_ready().await.kinds().contains('E'));
    }
}

/// An index over columns may take hours: nobody waits for it, or for anybody's look, and no answer has
/// to be judged again for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_takes_its_time_concerns_nobody() {
    let stand = Stand::new("definitions_index", "catalog_max_age_s = 600").await;
    stand.direct.batch_execute(SLOW).await.unwrap();
    for definition in [
        "create index on slow (x)",
        "create unique index concurrently on slow (x)",
    ] {
        for trusted in [false, true] {
            let mut writer = stand.beside().await;
            let writes = "begin; update slow set x = x";
            ask(&mut writer, writes, "a lock").await;
            let mut one = match trusted {
                true => stand.migrator().await,
                false => stand.session().await,
            };
            one.send(&query(definition)).await;
            let waiting = "select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'";
            until_counted(&stand.direct, waiting).await;
            for what in UNASKED {
                unasked(&stand, what).await;
            }
            ask(&mut writer, "rollback", "a lock").await;
            let answer = one.until_ready().await;
            assert!(!answer.kinds().contains('E'), "{definition}: {answer:?}");
        }
    }
}

/// What is over is over, though its client has more to say or its batch no end; and what nobody else
/// sees concerns nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_can_not_see_concerns_nobody() {
    let stand = Stand::new("definitions_over", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let unsynced = |text: &str| {
        let batch = unnamed(text);
        let end = batch.len() - message(b'S', b"").len();
        [&batch[..end], &message(b'H', b"")].concat()
    };
    // They stay to the end: what one that is gone has left concerns all others for a moment.
    let mut sessions = Vec::new();
    for (text, last) in [
        ("drop table nothing_there", b'E'),
        ("create table made (x int)", b'C'),
        ("create temp table mine (x int)", b'C'),
    ] {
        let mut one = stand.session().await;
        one.send(&unsynced(text)).await;
        one.read(|kind| kind == last).await;
        for what in UNASKED {
            unasked(&stand, what).await;
        }
        sessions.push(one);
    }
    let is_over = AtomicBool::new(false);
    let mut one = stand.session().await;
    let private = async {
        while !is_over.load(Ordering::Relaxed) {
            for text in [
                "create temp table mine (x int)",
                "create index on mine (x)",
                "alter table mine add y int",
                "drop table mine",
                "select 1 as x into temporary mine",
                "drop table if exists pg_temp.mine",
                "create table pg_temp.more (x int)",
                "drop table pg_temp.more",
                "create function pg_temp.one() returns int language sql as 'select 1'",
                "create or replace function pg_temp.one() returns int language sql as 'select 2'",
                "drop function pg_temp.one()",
                "create type pg_temp.kind as enum ('a')",
                "drop type pg_temp.kind",
                "create domain pg_temp.part as int",
                "drop domain pg_temp.part",
                "create temp table mine (x int)",
                "discard all",
            ] {
                let answer = ask(&mut one, text, text).await;
                assert_eq!(answer.error(b'M'), None, "{text}");
            }
        }
    };
    let asking = async {
        for what in UNASKED {
            unasked(&stand, what).await;
        }
        is_over.store(true, Ordering::Relaxed);
    };
    tokio::join!(asking, private);
}

/// What a role inside the trust boundary sends concerns others as long as it may define something,
/// and no longer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_trusted_session_has_done_is_over() {
    let stand = Stand::new("definitions_trusted", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let filled =
        "create table filled (x text); create table noted (x text); insert into noted values ('')";
    stand.direct.batch_execute(filled).await.unwrap();
    let mut one = stand.migrator().await;
    // A COPY by a portal, whose Sync the server takes no notice of, with a definition behind it.
    ask(&mut one, "begin", "copy").await;
    one.send(&unnamed("copy filled from stdin")).await;
    one.read(|kind| kind == b'G').await;
    one.send(
        &[
            message(b'd', b"x\n"),
            message(b'c', b""),
            message(b'S', b""),
        ]
        .concat(),
    )
    .await;
    one.until_ready().await;
    ask(&mut one, "create index on filled (x); commit", "copy").await;
    for what in UNASKED {
        unasked(&stand, what).await;
    }
    // The words of definitions in values, and of one that was prepared and not run.
    let prepared = [b"later\0", &b"drop table filled"[..], b"\0\0\0"].concat();
    one.send(&[message(b'P', &prepared), message(b'S', b"")].concat())
        .await;
    one.until_ready().await;
    // A transaction that has defined something, and goes on with what takes its time.
    ask(
        &mut one,
        "begin; alter table noted add y int",
        "transaction",
    )
    .await;
    let mut two = stand.migrator().await;
    hold(&stand).await;
    one.send(&query(
        "update noted set x = 'create' where pg_advisory_xact_lock_shared(7)::text = x",
    ))
    .await;
    two.send(&unnamed("select 'drop', pg_advisory_xact_lock_shared(7)"))
        .await;
    held_up(&stand.direct).await;
    for what in UNASKED {
        unasked(&stand, what).await;
    }
    let_go(&stand).await;
    one.until_ready().await;
    two.until_ready().await;
    ask(&mut one, "rollback", "transaction").await;
}

/// Definitions of a role that may not make them, or makes them where nobody else looks.
const OF_NOBODY: &[&str] = &[
    "create view users as select 1 as id; drop view users",
    "alter table users rename to other; alter table other rename to users",
    "create operator public.@@@ (function = textcat, leftarg = text, rightarg = text)",
    "drop operator public.@@@ (text, text)",
    "alter extension plpgsql update",
    "create extension nothing_such; drop extension nothing_such",
    "grant pg_monitor to public; revoke pg_monitor from public",
    "create view users as select 1 as id",
    "drop view users",
    "create view own.users as select 1 as id",
    "drop view own.users",
    "begin; create view own.users as select 1 as id; rollback",
    "create table own.people (id int); drop table own.people cascade",
    "alter table own.kept rename to users; alter table own.users rename to kept",
    "create type own.note as enum ('a'); drop type own.note",
    "create type own.note as (email text); drop type own.note",
    "create domain own.users as text; drop domain own.users",
];

/// What others send meanwhile, of which none of that is.
const BESIDE: &[&str] = &[
    "select id, note from users",
    "select label() || note from users",
    "select note @@@ 'x' from users",
    "begin; select count(*) from people; commit",
    "select upper(email), now() from users where id = any ('{}')",
    "select a.id from users a join users b using (id) where a.note = 'x' or b.note like 'y'",
    "explain (costs off) select count(*) from users where note = 'x'",
    "copy (select upper(note) from users where note = 'x') to stdout",
    "update users set note = upper(note) where note = 'x' returning id, tag(note)",
    "delete from plain where note in (select note from users where id = any ('{}'))",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_or_is_where_nobody_looks_ends_nobody() {
    let stand = Stand::new("definitions_vain", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let role = format!("{}_intruder", stand.database);
    let setup = format!(
        "create role {role} login; create schema own authorization {role};
         create table own.kept (id int); alter table own.kept owner to {role};
         create function tag(text) returns text language plpgsql immutable
         as 'begin return upper($1); end'"
    );
    stand.direct.batch_execute(&setup).await.unwrap();
    let is_over = AtomicBool::new(false);
    let intruding = async {
        let mut intruder = stand.login(&role).await;
        let (mut failed, mut done) = (0, 0);
        while !is_over.load(Ordering::Relaxed) {
            for text in OF_NOBODY {
                let answer = ask(&mut intruder, text, "intruder").await;
                assert!(!answer.closed, "{text}: {answer:?}");
                match answer.error(b'C') {
                    Some(_) => failed += 1,
                    None => done += 1,
                }
            }
        }
        assert!(failed > 0 && done > 0);
    };
    let asking = async {
        let mut session = stand.session().await;
        let mut faults = BTreeMap::<_, usize>::new();
        for _ in 0..100 {
            for text in BESIDE {
                let answer = ask(&mut session, text, "beside").await;
                if let Some(message) = answer.error(b'M') {
                    *faults.entry((*text, message)).or_default() += 1;
                    session = stand.session().await;
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
        faults
    };
    let (faults, ()) = tokio::join!(asking, intruding);
    assert!(faults.is_empty(), "{faults:#?}");
}

/// What a role sends that may use the schema and nothing more, and what comes of it is nothing.
const OF_NOTHING: &[&[&str]] = &[
    &["grant usage on schema public to {role}"],
    &["revoke usage on schema public from {role}"],
    &["grant usage on schema public to {role}; select nothing_there"],
    &[
        "revoke all on schema public from {role}",
        "drop table nothing_there",
    ],
    &["grant select on plain to {role}"],
    &[
        "grant execute on all functions in schema public to {role}",
        "drop table nothing_there",
    ],
    &[
        "create extension if not exists plpgsql",
        "drop trigger if exists x on users",
    ],
    &[
        "create extension if not exists plpgsql",
        "drop rule if exists x on users",
    ],
    &["create extension if not exists plpgsql; drop function if exists lower(point), upper(point)"],
    &["create extension if not exists plpgsql; drop view if exists nothing_there cascade"],
    &[
        "create view public.fleeting as select 1 as id",
        "drop view if exists public.fleeting",
    ],
    &[
        "create table if not exists public.users (id int)",
        "drop table if exists nothing_there, fleeting",
    ],
    &[
        "set search_path = pg_temp, public; create temp table first (x int)",
        "create table fleeting (x int)",
        "drop table fleeting",
        "create type fleeting as enum ('a')",
        "drop type fleeting",
    ],
    &[
        "create operator pg_temp.=== (leftarg = text, rightarg = text, function = texteq)",
        "drop table nothing_there",
    ],
];

/// What a superuser sends, and what a statement means may have been something else meanwhile: there is
/// a table `users` in another schema, too.
const OF_SOMETHING: &[&[&str]] = &[
    &[
        "revoke usage on schema public from {role}",
        "grant usage on schema public to {role}",
    ],
    &[
        "grant usage on schema public to pg_monitor",
        "revoke usage on schema public from pg_monitor",
    ],
    &[
        "create view fleeting as select 1 as id",
        "drop view if exists nothing_there, fleeting",
    ],
    &[
        "set search_path = public, pg_temp",
        "create table fleeting (x int)",
        "drop table fleeting",
    ],
    &[
        "begin; create table if not exists fleeting (x int); commit",
        "drop table if exists fleeting",
    ],
];

/// Has a statement under way while another session sends these texts; gives the error that comes of it.
async fn beside(stand: &Stand, table: &str, user: &str, texts: &[&str]) -> Option<String> {
    let mut other = stand.login(user).await;
    let mut session = stand.session().await;
    ask(&mut session, &format!("select id from {table}"), "before").await;
    let text = format!("select id, note as fleeting from {table}, pg_sleep(1)");
    session.send(&query(&text)).await;
    sleep(Duration::from_millis(200)).await;
    for text in texts {
        let role = format!("{}_modest", stand.database);
        let answer = ask(&mut other, &text.replace("{role}", &role), text).await;
        assert!(!answer.closed, "{text}: {answer:?}");
    }
    session.until_ready().await.error(b'C')
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_to_nothing_ends_nobody() {
    let stand = Stand::new("definitions_nothing", "catalog_max_age_s = 600").await;
    stand.begin_anew().await;
    let role = format!("{}_modest", stand.database);
    let setup = format!(
        "create role {role} login; grant usage on schema public to {role}; grant select on plain to {role}"
    );
    stand.direct.batch_execute(&setup).await.unwrap();
    for texts in OF_NOTHING {
        let ended = beside(&stand, "plain", &role, texts).await;
        assert_eq!(ended, None, "{texts:?}");
    }
    for texts in OF_SOMETHING {
        let ended = beside(&stand, "users", "postgres", texts).await;
        assert_eq!(ended.as_deref(), Some("40001"), "{texts:?}");
    }
}
