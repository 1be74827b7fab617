//! Code that a batch defines, replaces or brings back, and the ways in which what follows in the
//! same batch may run it. The code is `pg_temp.told()`, which is harmless at first and then gives
//! the lowest key of a user.

/// A session's code before and after.
pub(crate) struct Change {
    /// What is known before, each statement awaited.
    pub(crate) before: &'static [&'static str],
    /// What changes it.
    pub(crate) change: &'static str,
}

/// A way in which the code runs.
pub(crate) struct Reach {
    /// What leads to it, made before the change.
    pub(crate) ready: &'static [&'static str],
    /// What runs it, and shows what it gives.
    pub(crate) asked: &'static [&'static str],
}

const HARMLESS: &str = "create function pg_temp.told() returns text language plpgsql as \
    $$begin return 'nothing'; end$$";

const TELLING: &str = "create or replace function pg_temp.told() returns text language plpgsql as \
    $$begin return (select min(id)::text from public.users); end$$";

const TELLING_IN_SQL: &str = "create or replace function pg_temp.told() returns text language sql \
    as 'select min(id)::text from public.users'";

const HARMLESS_AGAIN: &str = "create or replace function pg_temp.told() returns text language \
    plpgsql as $$begin return 'nothing'; end$$";

pub(crate) const CHANGES: &[Change] = &[
    Change {
        before: &[],
        change: TELLING,
    },
    Change {
        before: &[HARMLESS],
        change: TELLING,
    },
    Change {
        before: &[
            "create function pg_temp.told() returns text language sql as 'select null::text'",
        ],
        change: TELLING_IN_SQL,
    },
    Change {
        before: &[HARMLESS],
        change: "do $do$ begin create or replace function pg_temp.told() returns text language \
                 plpgsql as $$begin return (select min(id)::text from public.users); end$$; end $do$",
    },
    Change {
        before: &[TELLING, "begin", HARMLESS_AGAIN],
        change: "rollback",
    },
    Change {
        before: &["begin", TELLING, "savepoint s", HARMLESS_AGAIN],
        change: "rollback to s",
    },
    Change {
        before: &[TELLING, "begin", HARMLESS_AGAIN, "select 1 / 0"],
        change: "commit",
    },
    Change {
        before: &[TELLING, "begin", "drop function pg_temp.told() cascade"],
        change: "rollback",
    },
    Change {
        before: &[
            "create function pg_temp.other() returns text language plpgsql as \
             $$begin return (select min(id)::text from public.users); end$$",
        ],
        change: "alter function pg_temp.other() rename to told",
    },
    Change {
        before: &[
            "create schema if not exists hiding",
            "create table if not exists hiding.users (id text)",
            "create function pg_temp.told() returns text language plpgsql set search_path = hiding \
             as $$begin return (select min(id)::text from users); end$$",
        ],
        change: "alter function pg_temp.told() set search_path = public",
    },
    Change {
        before: &[
            "create temporary view source as select 'nothing'::text as id",
            "create function pg_temp.told() returns text language plpgsql as \
             $$begin return (select min(id) from source); end$$",
        ],
        change: "create or replace temporary view source as select id::text from public.users",
    },
    Change {
        before: &[
            "create temporary table users (id text)",
            "create function pg_temp.told() returns text language plpgsql as \
             $$begin return (select min(id::text) from users); end$$",
        ],
        change: "drop table pg_temp.users",
    },
    Change {
        before: &[
            "create function pg_temp.told() returns text language plpgsql as \
             $$begin return (select min(id::text) from users); end$$",
            "begin",
            "create temporary table users (id text)",
        ],
        change: "rollback",
    },
];

pub(crate) const REACHES: &[Reach] = &[
    Reach {
        ready: &[],
        asked: &["select pg_temp.told()"],
    },
    Reach {
        ready: &[],
        asked: &["select t from pg_temp.told() t"],
    },
    Reach {
        ready: &[],
        asked: &["do $do$ begin raise exception '%', pg_temp.told(); end $do$"],
    },
    Reach {
        ready: &[],
        asked: &[
            "do $do$ begin perform set_config('own.told', pg_temp.told(), false); end $do$",
            "show own.told",
        ],
    },
    Reach {
        ready: &["create temporary view shown as select pg_temp.told() as t"],
        asked: &["select t from shown"],
    },
    Reach {
        ready: &["create temporary view shown as select pg_temp.told() as t"],
        asked: &["do $do$ begin raise exception '%', (select t from shown); end $do$"],
    },
    Reach {
        ready: &["create temporary view shown as select pg_temp.told() as t"],
        asked: &["copy (select t from shown) to stdout"],
    },
    Reach {
        ready: &["prepare kept as select pg_temp.told()"],
        asked: &["execute kept"],
    },
    Reach {
        ready: &["prepare kept as select pg_temp.told()"],
        asked: &[
            "create temporary table made as execute kept",
            "select * from made",
        ],
    },
    Reach {
        ready: &["declare opened cursor with hold for select pg_temp.told()"],
        asked: &["fetch opened"],
    },
    Reach {
        ready: &["create temporary table notes (note text)"],
        asked: &["insert into notes select pg_temp.told() returning note"],
    },
    Reach {
        ready: &["create temporary table notes (note text)"],
        asked: &[
            "insert into notes select pg_temp.told()",
            "select note from notes",
        ],
    },
    Reach {
        ready: &["create temporary table notes (n int, note text default pg_temp.told())"],
        asked: &["insert into notes (n) values (1) returning note"],
    },
    Reach {
        ready: &[
            "create temporary table notes (note text)",
            "insert into notes values ('a')",
        ],
        asked: &["update notes set note = pg_temp.told() returning note"],
    },
    Reach {
        ready: &[
            "create temporary table notes (note text)",
            "insert into notes values ('a')",
        ],
        asked: &["delete from notes returning pg_temp.told()"],
    },
    Reach {
        ready: &[
            "create temporary table notes (note text)",
            "create function pg_temp.fires() returns trigger language plpgsql as \
             $$begin new.note = pg_temp.told(); return new; end$$",
            "create trigger fires before insert on notes for each row execute function pg_temp.fires()",
        ],
        asked: &["insert into notes values ('a') returning note"],
    },
    Reach {
        ready: &[
            "create temporary table notes (note text)",
            "create temporary table log (note text)",
            "create rule r as on insert to notes do also insert into log select pg_temp.told()",
        ],
        asked: &["insert into notes values ('a')", "select note from log"],
    },
    Reach {
        ready: &[
            "create temporary table notes (note text)",
            "create rule r as on insert to notes do instead select pg_temp.told()",
        ],
        asked: &["insert into notes values ('a')"],
    },
    Reach {
        ready: &[
            "create function pg_temp.checks(note text) returns bool language plpgsql as \
             $$begin raise exception '%', pg_temp.told(); end$$",
            "create temporary table notes (note text check (pg_temp.checks(note)))",
        ],
        asked: &["insert into notes values ('a')"],
    },
    Reach {
        ready: &[
            "create function pg_temp.checks(note text) returns bool language plpgsql as \
             $$begin raise exception '%', pg_temp.told(); end$$",
            "create domain pg_temp.checked as text check (pg_temp.checks(value))",
        ],
        asked: &["select 'a'::pg_temp.checked"],
    },
    Reach {
        ready: &[
            "create function pg_temp.joins(a text, b text) returns text language plpgsql as \
             $$begin return pg_temp.told(); end$$",
            "create operator pg_temp.## (function = pg_temp.joins, leftarg = text, rightarg = text)",
        ],
        asked: &["select 'a'::text operator(pg_temp.##) 'b'::text"],
    },
    Reach {
        ready: &[
            "create function pg_temp.steps(a text, b int) returns text language plpgsql as \
             $$begin return pg_temp.told(); end$$",
            "create aggregate pg_temp.sums(int) (sfunc = pg_temp.steps, stype = text)",
        ],
        asked: &["select pg_temp.sums(n) from generate_series(1, 2) n"],
    },
    Reach {
        ready: &[
            "create type pg_temp.own as (n int)",
            "create function pg_temp.casts(o pg_temp.own) returns text language plpgsql as \
             $$begin return pg_temp.told(); end$$",
            "create cast (pg_temp.own as text) with function pg_temp.casts as assignment",
        ],
        asked: &["select row(1)::pg_temp.own::text"],
    },
    Reach {
        ready: &[
            "create procedure pg_temp.does(inout t text) language plpgsql as \
             $$begin t = pg_temp.told(); end$$",
        ],
        asked: &["call pg_temp.does('a')"],
    },
    Reach {
        ready: &[
            "create function pg_temp.calls() returns text language plpgsql as \
             $$begin return pg_temp.told(); end$$",
            "create temporary view shown as select pg_temp.calls() as t",
        ],
        asked: &["select t from shown"],
    },
    Reach {
        ready: &[
            "create function pg_temp.calls(a text) returns text immutable language plpgsql as \
             $$begin return pg_temp.told(); end$$",
            "create temporary table notes (a text, t text generated always as (pg_temp.calls(a)) stored)",
        ],
        asked: &["insert into notes values ('a') returning t"],
    },
    Reach {
        ready: &[
            "create function pg_temp.calls(a text) returns text immutable language plpgsql as \
             $$begin raise exception '%', pg_temp.told(); end$$",
            "create temporary table notes (a text)",
            "create index on notes (pg_temp.calls(a))",
        ],
        asked: &["insert into notes values ('a')"],
    },
    Reach {
        ready: &[
            "create temporary table notes (a text)",
            "insert into notes values ('a')",
        ],
        asked: &[
            "alter table notes add b text default pg_temp.told()",
            "select b from notes",
        ],
    },
    Reach {
        ready: &[
            "create temporary table notes (a text)",
            "insert into notes values ('a')",
        ],
        asked: &[
            "alter table notes alter a type text using pg_temp.told()",
            "select a from notes",
        ],
    },
    Reach {
        ready: &[],
        asked: &[
            "create temporary table made as select pg_temp.told() as t",
            "select t from made",
        ],
    },
    Reach {
        ready: &[],
        asked: &[
            "select pg_temp.told() as t into temporary made",
            "select t from made",
        ],
    },
    Reach {
        ready: &[],
        asked: &["values (pg_temp.told())"],
    },
    Reach {
        ready: &["create temporary table notes (a text)"],
        asked: &[
            "merge into notes using (select pg_temp.told() as t) s on a = t \
             when not matched then insert values (t)",
            "select a from notes",
        ],
    },
];
