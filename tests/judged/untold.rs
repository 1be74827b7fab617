//! Temporary relations that code of the database makes: no statement tells what is in them, whatever
//! runs the code, and whatever statement comes behind that would make one of their name.

use crate::tables::TEMPORARY;
use crate::twin::canary::Canary;
use crate::twin::client::Client;
use crate::twin::stand::{Other, build, local};
use crate::twin::world::ROLE;
use crate::{batch, shows_nothing_of};

/// Code that makes a relation of keys, in the database behind pgveil.
const MAKES: &str = r"
    create table making (n int);
    create table keeping (n bigint, t text);
    create function by_words() returns int language plpgsql as
      $$begin create temporary table made as select id as k, id::text as t from public.users; return 1; end$$;
    create function by_schema() returns void language plpgsql as
      $$begin create table pg_temp.made as select id as k, id::text as t from public.users; end$$;
    create function by_path() returns void language plpgsql as
      $$begin create table made as select id as k, id::text as t from public.users; end$$;
    create function put_together() returns void language plpgsql as
      $$begin execute 'create temporary table ma' || 'de as select id as k, id::text as t from public.users'; end$$;
    create function renamed() returns void language plpgsql as
      $$begin create temporary table other as select id as k, id::text as t from public.users;
        alter table other rename to made; end$$;
    create function in_its_place() returns void language plpgsql as
      $$begin drop table if exists made;
        create temporary table made as select id as k, id::text as t from public.users; end$$;
    create function filled() returns void language plpgsql as
      $$begin create temporary table if not exists made (k bigint, t text);
        insert into made select id, id::text from public.users; end$$;
    create function in_sql() returns void language sql as
      $$create temporary table made as select id as k, id::text as t from public.users$$;
    create function counting() returns void language plpgsql as
      $$begin create temporary sequence counted; perform setval('counted', max(id)) from public.users; end$$;
    create procedure called() language plpgsql as
      $$begin create temporary table made as select id as k, id::text as t from public.users; end$$;
    create function on_insert() returns trigger language plpgsql as
      $$begin perform public.by_words(); return new; end$$;
    create trigger makes before insert on making for each row execute function on_insert();
    create table defaulting (n int default by_words(), m int);
    create view viewed as select by_words() as n;
    ";

/// What runs it.
const RUNS: &[&str] = &[
    "select by_words()",
    "select by_schema()",
    "set search_path = pg_temp, public; select by_path()",
    "select put_together()",
    "select renamed()",
    "select in_its_place()",
    "select filled()",
    "select in_sql()",
    "select counting()",
    "call called()",
    "insert into making values (1)",
    "insert into defaulting (m) values (1)",
    "table viewed",
    "do 'begin perform by_words(); end'",
    "explain analyze select by_words()",
];

/// What comes behind: statements that make a relation of that name, or would, and what shows it.
const BEHIND: &[&[&str]] = &[
    &["table made"],
    &["select k + 0, t from made"],
    &["select json_agg(m) from pg_temp.made m"],
    &["copy made to stdout"],
    &["select last_value from counted"],
    &["select nextval('counted')"],
    &["update made set t = t returning k + 0, t"],
    &["insert into keeping select k, t from made returning n + 0, t"],
    &["prepare p as select k + 0 from made", "execute p"],
    &["create temporary table again as table made", "table again"],
    &["alter table made rename to known", "table known"],
    &[
        "create temporary view known as select k + 0 from made",
        "table known",
    ],
    &[
        "create temporary table if not exists made (k bigint, t text)",
        "table made",
    ],
    &[
        "create temporary table made (k bigint, t text)",
        "table made",
    ],
    &[
        "create table if not exists pg_temp.made (k bigint, t text)",
        "table made",
    ],
    &[
        "create temporary table if not exists made as select 1::bigint as k, ''::text as t",
        "table made",
    ],
    &[
        "select 1::bigint as k, ''::text as t into temporary made",
        "table made",
    ],
];

/// Code that is in the database makes nothing that is shown as a relation without keys.
#[test]
fn what_code_of_the_database_has_made_is_not_read() {
    nothing_made_is_shown("made_by_code", (MAKES, RUNS, BEHIND));
}

/// Makes databases of a name with such code in them, runs it, and what is behind, in all ways.
fn nothing_made_is_shown(name: &str, (makes, runs, behind): (&str, &[&str], &[&[&str]])) {
    let suite = build(local(), name, Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let database = &format!("{name}_beside");
    let mut inside = Client::connect(&local().address, ROLE, database).unwrap();
    inside.run(makes).unwrap();
    let mut client = Client::connect(proxy, ROLE, database).unwrap();
    // So that pgveil looks at the database.
    client.run("create table looked (n int)").unwrap();
    client.run("drop table looked").unwrap();
    let share = if std::env::var("PGVEIL_JUDGED").is_ok_and(|all| all == "all") {
        1
    } else {
        4
    };
    for (number, runs) in runs.iter().enumerate() {
        for behind in behind.iter().skip(number % share).step_by(share) {
            let texts: Vec<&str> = runs.split("; ").chain(behind.iter().copied()).collect();
            shows_nothing_of(proxy, database, ("", ""), &texts);
        }
    }
}

/// Code that makes a relation of keys in front of one that lasts, be that annotated or not.
const MAKES_IN_FRONT: &str = r"
    create table making (n int);
    create table put_off (n int);
    create table keeping (n bigint, t text);
    create function by_words() returns int language plpgsql as $$begin
      create temporary table users as select ''::text as a, id as b, id::text as name, id::text as email from public.users;
      create temporary table keeping as select ''::text as a, id as n, id::text as t from public.users;
      return 1; end$$;
    create function put_together(name text default 'users') returns void language plpgsql as $$begin
      execute format('create temp table %I as select id as b, id::text as name, id::text as email from public.users', name);
      execute 'create temp table ' || 'keeping as select id as n, id::text as t from public.users'; end$$;
    create function renamed() returns void language plpgsql as $$begin
      create temporary table other as select id::text as email, id::text as name from public.users;
      alter table other rename to users;
      create temporary view keeping as select ''::text as a, id as n, id::text as t from public.users; end$$;
    create function in_schema() returns void language plpgsql as $$begin
      create table pg_temp.users as select id as b, id::text as name, id::text as email from public.users;
      create table pg_temp.keeping as select id::text as t, id as n from public.users; end$$;
    create function by_path() returns void language plpgsql as $$begin
      create table users as select id as b, id::text as name, id::text as email from public.users;
      create table keeping as select id::text as t, id as n from public.users; end$$;
    create function in_sql() returns void language sql as $$
      create temporary table users as select id as b, id::text as name, id::text as email from public.users;
      create temporary table keeping as select id::text as t, id as n from public.users$$;
    create function by_name() returns void language plpgsql as $$begin
      execute 'select by_' || 'words()'; end$$;
    create procedure called() language plpgsql as $$begin perform public.by_words(); end$$;
    create function on_insert() returns trigger language plpgsql as
      $$begin perform public.by_words(); return new; end$$;
    create trigger makes before insert on making for each row execute function on_insert();
    create constraint trigger makes after insert on put_off deferrable initially deferred
      for each row execute function on_insert();
    create table defaulting (n int default by_words(), m int);
    create view viewed as select by_words() as n;
    ";

/// What runs it.
const RUNS_IN_FRONT: &[&str] = &[
    "select by_words()",
    "select put_together()",
    "select renamed()",
    "select in_schema()",
    "set search_path = pg_temp, public; select by_path()",
    "select in_sql()",
    "select by_name()",
    "call called()",
    "insert into making values (1)",
    "insert into put_off values (1)",
    "begin; insert into put_off values (1); commit",
    "begin; insert into put_off values (1); set constraints all immediate",
    "insert into defaulting (m) values (1)",
    "table viewed",
    "prepare q as select by_words(); execute q",
    "begin; declare q cursor for select by_words(); fetch q",
    "do 'begin perform by_words(); end'",
    "explain analyze select by_words()",
];

/// What shows what the names mean then.
const BEHIND_IN_FRONT: &[&[&str]] = &[
    &["select u from users u"],
    &["select u::text from users u"],
    &["select json_agg(u) from users u"],
    &["select upper(name) from users"],
    &["select id, name from users"],
    &["table users"],
    &["copy users (name, email) to stdout"],
    &["copy (select u from users u) to stdout"],
    &["update users set name = 'x' returning email || ''"],
    &["prepare p as select u from users u", "execute p"],
    &[
        "begin",
        "declare p cursor for select name || '' from users",
        "fetch all p",
    ],
    &["select k from keeping k"],
    &["select t || '' from keeping"],
    &["table keeping"],
    &["copy keeping (t) to stdout"],
    &["insert into making select 1 from keeping returning (select min(t) from keeping)"],
    &[
        "create temporary view known as select t || '' from keeping",
        "table known",
    ],
];

/// Names that a statement has behind such code mean what it has made, whatever lasts of their name.
#[test]
fn what_code_has_made_in_front_of_what_lasts_is_not_read() {
    nothing_made_is_shown(
        "made_in_front",
        (MAKES_IN_FRONT, RUNS_IN_FRONT, BEHIND_IN_FRONT),
    );
}

/// What statements have told of is read, also where code that makes such relations is in the database
/// and has run: where it has their names it is looked at first what is there.
#[test]
fn what_statements_have_made_is_read_beside_such_code() {
    let suite = build(local(), "made_beside", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let database = "made_beside_beside";
    let mut inside = Client::connect(&local().address, ROLE, database).unwrap();
    inside.run(MAKES).unwrap();
    let mut client = Client::connect(proxy, ROLE, database).unwrap();
    client.run("select count(*) from users").unwrap();
    for (before, create) in [
        (
            "select by_schema()",
            "create temporary table mine (k bigint)",
        ),
        (
            "select by_schema()",
            "create temporary table if not exists mine as select 1::bigint as k",
        ),
        (
            "select length('a')",
            "create temporary table made (k bigint)",
        ),
        (
            "select length('a')",
            "create temporary table if not exists made as select 1::bigint as k",
        ),
        (
            "table keeping",
            "create temporary table if not exists made (k bigint)",
        ),
    ] {
        let name = if create.contains("mine") {
            "mine"
        } else {
            "made"
        };
        for way in ["alone", "in one text", "in a batch"] {
            client.run(before).unwrap();
            client.run("discard temp").unwrap();
            match way {
                "alone" => drop(client.run(create).unwrap()),
                "in one text" => {
                    let text = format!("begin; set local work_mem = '1MB'; {create}");
                    drop(client.run(&text).unwrap());
                }
                _ => {
                    let (bytes, ready) = batch(&mut ["begin", create].into_iter());
                    client.exchange(&bytes, ready).unwrap();
                }
            }
            client
                .run(&format!("insert into {name} values (7)"))
                .unwrap();
            let rows = client.run(&format!("select k + 0 from {name}"));
            assert!(rows.is_ok(), "{before}; {create} {way}: {rows:?}");
            client.run("commit").unwrap();
        }
        client.run("discard temp").unwrap();
    }
}

/// A function makes a table of keys that no statement tells of, in a session that has had some.
#[test]
fn a_temporary_relation_that_nobody_has_told_of_is_not_read() {
    let suite = build(local(), "untold", Other::Veiled).unwrap();
    let proxy = &suite.proxy.as_ref().unwrap().address;
    let mut inside = Client::connect(&local().address, ROLE, "untold_beside").unwrap();
    let make = "create function make() returns void language plpgsql as
        'begin create temporary table made as select id as k from public.users; end'";
    inside.run(make).unwrap();
    let mut client = Client::connect(proxy, ROLE, "untold_beside").unwrap();
    client.run(TEMPORARY.before[0]).unwrap();
    client
        .run("create temporary table plain (n bigint)")
        .unwrap();
    client.run("insert into plain values (1)").unwrap();
    client.run("select make()").unwrap();
    client
        .run("create temporary table last (n bigint)")
        .unwrap();
    for probe in ["select k + 0 from made", "select k from made", "table made"] {
        assert!(client.run(probe).is_err(), "{probe}");
    }
    // What statements have told of goes on.
    client.run("select n + 0 from plain").unwrap();
    client.run("select n + 0 from last").unwrap();
    assert_eq!(Canary::new().find(&client.recorded()), None);
}
