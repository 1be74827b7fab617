//! What code of the database finds elsewhere, by the path that a session has set: tables that are
//! called as those that its author meant, without their ids.

/// Code of `public`, and tables of `plainer` with names that are in it. In the database behind pgveil,
/// on top of `LOOKS_LATE`.
pub(crate) const PLAINER_TOO: &str = "
    create table plainer.audited (n bigint, user_id bigint);
    create table plainer.tasks_log (owner bigint);
    create table noted (n bigint, user_id bigint references users (id));
    create table plainer.noted (n bigint, user_id bigint);
    create function notes() returns trigger language plpgsql as $f$begin
      execute format('insert into %I values (1, $1.id)', tg_argv[0]) using new; return new; end$f$;
    create table noting (id bigint references users (id));
    create trigger notes before insert on noting for each row execute function notes('noted');
    create view public.shown as select 1::bigint as n, id as user_id from users;
    create table plainer.shown (n bigint, user_id bigint);
    create table showing (owner bigint references users (id));
    create function shows() returns trigger language plpgsql as
      'begin select min(user_id) into new.owner from shown; return new; end';
    create trigger shows before insert on showing for each row execute function shows();
    create schema tools;
    create function tools.reads_late() returns trigger language plpgsql as
      'begin select min(user_id) into new.owner from audited; return new; end';
    create table tooled (owner bigint references users (id));
    create trigger reads_late before insert on tooled for each row execute function tools.reads_late();
    create function tools.stays() returns trigger language plpgsql set search_path = public as
      'begin select max(id) into new.owner from users; return new; end';
    create table staying (owner bigint references users (id));
    create trigger stays before insert on staying for each row execute function tools.stays();
    create table plainer.only_there (owner bigint);
    create function plainer.finds_there() returns trigger language plpgsql as
      'begin insert into only_there select max(n) from audited; return new; end';
    create table plainer.finding (n int);
    create trigger finds before insert on plainer.finding for each row
      execute function plainer.finds_there();
    grant usage on schema plainer, tools to public;
    grant all on all tables in schema plainer to public;
    ";

/// Code that runs when a transaction ends.
pub(crate) const PUT_OFF: &str = "
    create table late_found (note text, owner bigint references users (id));
    create function finds_late() returns trigger language plpgsql as
      'begin update late_found set owner = (select min(id) from users); return new; end';
    create constraint trigger finds_late after insert on late_found deferrable initially deferred
      for each row execute function finds_late();
    ";

/// What sets the path.
pub(crate) const PATHS: &[&[&str]] = &[
    &["set search_path = plainer, public"],
    &["begin", "set local search_path to plainer, public"],
    &["select set_config('search_path', 'plainer,' || ' public', false)"],
    &["update pg_settings set setting = 'plainer, public' where name = 'search_path'"],
    &["set schema 'plainer'"],
];

/// What runs the code, or begins to, and what shows what came of it. In the place of `~` stands the
/// key of a user, and in that of `!` what sets the path.
pub(crate) const FINDS_ELSEWHERE: &[&[&str]] = &[
    &[
        "set schema 'plainer'",
        "prepare y as select id + 0 from users",
        "set schema 'public'",
        "execute y",
    ],
    &[
        TEMPORARY_USERS,
        "prepare y as select id + 0 from users",
        "drop table pg_temp.users",
        "execute y",
    ],
    &[
        TEMPORARY_USERS,
        "begin",
        "prepare y as select id + 0 from users",
        "alter table pg_temp.users rename to others",
        "execute y",
    ],
    &[
        "begin",
        "set local search_path = plainer",
        "prepare y as select id + 0 from users",
        "commit",
        "execute y",
    ],
    &[
        "begin",
        "savepoint s",
        "set search_path = plainer",
        "prepare y as select id + 0 from users",
        "rollback to s",
        "execute y",
    ],
    &[
        "begin",
        "set search_path = plainer",
        "declare c cursor for execute y",
        "set search_path = public",
        "fetch all from c",
    ],
    &[
        "!",
        "update public.users set email = email",
        "select user_id from plainer.audited",
    ],
    &[
        "prepare y as update public.users set email = email",
        "!",
        "execute y",
        "select user_id from plainer.audited",
    ],
    &[
        "!",
        "insert into plainer.users values (~, 'mine')",
        "insert into public.found (note) values ('a') returning owner",
    ],
    &[
        "!",
        "insert into plainer.users values (~, 'mine')",
        "insert into public.over_found (note) values ('a') returning owner",
    ],
    &[
        "!",
        "insert into plainer.users values (~, 'mine')",
        "insert into public.above values ('a')",
        "select owner from public.found",
    ],
    &[
        "!",
        "insert into plainer.users values (~, 'mine')",
        "insert into public.owned (note) values ('a') returning owner",
    ],
    &[
        "!",
        "insert into public.tasks select max(id) from public.users",
        "select owner from plainer.tasks_log",
    ],
    &[
        "!",
        "insert into public.noting select max(id) from public.users",
        "select user_id from plainer.noted",
    ],
    &[
        "!",
        "insert into plainer.shown values (1, ~)",
        "insert into public.showing values (null) returning owner",
    ],
    &[
        "!",
        "insert into plainer.audited values (1, ~)",
        "insert into public.tooled values (null) returning owner",
    ],
];

/// The same of code that is put off.
pub(crate) const FINDS_LATER: &[&[&str]] = &[
    &[
        "insert into plainer.users values (~, 'mine')",
        "begin",
        "insert into late_found values ('a')",
        "!",
        "commit",
        "select owner from public.late_found",
    ],
    &[
        "insert into plainer.users values (~, 'mine')",
        "begin",
        "insert into late_found values ('a')",
        "!",
        "set constraints all immediate",
        "select owner from public.late_found",
    ],
];

const TEMPORARY_USERS: &str = "create temporary table users (id bigint, email text)";

/// What goes on by such a path: code that names what is the same there, code with a path of its own,
/// and code of that schema; and all by the path of before.
pub(crate) const GOES_ON: &[&str] = &[
    "insert into public.put_off (note) values ('x')",
    "insert into public.staying values (null) returning owner",
    "insert into plainer.finding values (1)",
    "select count(*) from plainer.only_there",
    "reset search_path",
    "update users set email = email",
    "insert into found (note) values ('a') returning owner",
    "insert into tooled values (null) returning owner",
    "insert into noting select max(id) from users",
];
