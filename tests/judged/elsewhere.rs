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
    create function tools.logs() returns trigger language plpgsql as $f$begin
      execute format('insert into %I values ($1.owner)', tg_table_name || '_log') using new;
      return new; end$f$;
    create table errands (owner bigint references users (id));
    create table errands_log (owner bigint references users (id));
    create table plainer.errands_log (owner bigint);
    create trigger logs after insert on errands for each row execute function tools.logs();
    create table counted_off (n bigint, user_id bigint references users (id));
    create table plainer.counted_off (n bigint, uid bigint);
    create function counts_off() returns trigger language plpgsql as
      'begin insert into counted_off values (1, new.owner); return new; end';
    create table counting_off (owner bigint references users (id));
    create trigger counts_off before insert on counting_off for each row execute function counts_off();
    create schema archive;
    create table archive.audited (n bigint);
    create table archive.counted_off (n bigint);
    create table plainer.hidden (a bigint, b bigint);
    create table viewed (n bigint, user_id bigint references users (id));
    create view plainer.viewed as
      select a as n, b as user_id, (select max(id) from public.users) as x from plainer.hidden;
    create function views() returns trigger language plpgsql as
      'begin insert into viewed (n, user_id) values (1, new.owner); return new; end';
    create table viewing (owner bigint references users (id));
    create trigger views before insert on viewing for each row execute function views();
    create table history (old users);
    create table plainer.history (old text);
    create function remembers() returns trigger language plpgsql as
      'begin insert into history values (old); return old; end';
    create table remembered (like users);
    create trigger remembers before update on users for each row when (new.email = 'remembered')
      execute function remembers();
    create function says_where() returns trigger language plpgsql as
      'begin insert into public.audited values (1, new.owner); return new; end';
    create table said (owner bigint references users (id));
    create trigger says_where before insert on said for each row execute function says_where();
    create table plainer.only_there (owner bigint);
    create function plainer.finds_there() returns trigger language plpgsql as
      'begin insert into only_there select max(n) from audited; return new; end';
    create table plainer.finding (n int);
    create trigger finds before insert on plainer.finding for each row
      execute function plainer.finds_there();
    create table jottings (n bigint);
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
        "insert into public.errands select max(id) from public.users",
        "select owner from plainer.errands_log",
    ],
    &[
        "!",
        "insert into public.counting_off select max(id) from public.users",
        "select uid from plainer.counted_off",
    ],
    &[
        "!",
        "insert into public.viewing select max(id) from public.users",
        "select b from plainer.hidden",
    ],
    &[
        "!",
        "update public.users set email = 'remembered'",
        "select old from plainer.history",
    ],
    &[
        "insert into public.tasks select max(u.id) from public.users u, \
         (select set_config('search_path', 'plainer, public', false)) s",
        "select owner from plainer.tasks_log",
    ],
    &[
        "with p as (update pg_settings set setting = 'plainer, public' where name = 'search_path' \
         returning 1) insert into public.tasks select max(id) from public.users, p",
        "select owner from plainer.tasks_log",
    ],
    &[
        "!",
        "insert into plainer.audited values (1, ~)",
        "insert into public.tooled values (null) returning owner",
    ],
    // A path that a function of the session's own brings.
    &[
        "create function pg_temp.f() returns void language plpgsql set search_path = plainer, public \
         as 'begin update public.users set email = email; end'",
        "select pg_temp.f()",
        "select user_id from plainer.audited",
    ],
    &[
        "create function pg_temp.f() returns void language plpgsql set search_path = plainer, public \
         as 'begin insert into public.tasks values (null); end'",
        "select pg_temp.f()",
        "select owner from plainer.tasks_log",
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

/// Texts of which one in front changes what one behind it means, be they sent together or not. In the
/// place of `^` stands the id of a user.
pub(crate) const TOGETHER: &[&[&str]] = &[
    &[
        "prepare y as select email from users where id = $1",
        "deallocate y",
        "prepare y (text) as select $1",
        "execute y('^')",
    ],
    &[
        "prepare y as select email from users where id = $1",
        "deallocate all",
        "prepare y (text) as select upper($1)",
        "execute y('^')",
    ],
    &[
        "prepare p as select row('a,' || chr(12477), id, 'b,9,' || chr(12477)) from users",
        "set client_encoding to 'SJIS'",
        "execute p",
    ],
    &[
        "begin",
        "declare c cursor for select row('a,' || chr(12477), id, 'b,9,' || chr(12477)) from users",
        "set names 'SJIS'",
        "fetch all from c",
    ],
    &[
        READ_OFF,
        "select set_config('standard_conforming_strings', 'off', false)",
        "set standard_conforming_strings = on",
        "select pg_temp.k(n) from generate_series(1, 2) n",
    ],
    &[
        READ_OFF,
        "select set_config('standard_conforming_strings', 'off', false)",
        "prepare y as select pg_temp.k(n) from generate_series(1, 2) n",
        "reset standard_conforming_strings",
        "execute y",
    ],
    &[
        "create temporary table jottings as select id as n from users",
        "drop table pg_temp.jottings",
        "insert into jottings (n) select id from users",
        "select n from jottings",
    ],
    &[
        "create temporary table jottings as select id as n from users",
        "drop table pg_temp.jottings",
        "insert into jottings (n) values ('^')",
        "select n from jottings",
    ],
    &[
        "create temporary table jottings as select id as n from users",
        "discard temp",
        "insert into jottings (n) select id from users",
        "select n from jottings",
    ],
    &[
        STAGING,
        "alter table staging drop column k",
        "alter table staging add column k bigint",
        "insert into staging (k) select id from users",
        "select k from staging",
    ],
    &[
        STAGING,
        "alter table staging drop column k, add column k bigint",
        "update staging set k = '^'",
        "select k from staging",
    ],
    &[
        STAGING,
        "drop table staging",
        "create temporary table staging (k bigint, n bigint)",
        "insert into staging (k) select id from users",
        "select k from staging",
    ],
];

const STAGING: &str = "create temporary table staging as select id as k, 8::bigint as n from users";

const READ_OFF: &str = r"create function pg_temp.k(int) returns text language sql
    as $f$ select '\' || max(id)::text from users --' $f$";

const TEMPORARY_USERS: &str = "create temporary table users (id bigint, email text)";

/// What goes on by such a path: code that names what is the same there, code with a path of its own,
/// and code of that schema; and all by the path of before.
pub(crate) const GOES_ON: &[&str] = &[
    "insert into public.put_off (note) values ('x')",
    "insert into public.staying values (null) returning owner",
    "insert into public.said values (null)",
    "insert into public.jottings values (1)",
    "insert into plainer.finding values (1)",
    "select count(*) from plainer.only_there",
    "reset search_path",
    "update users set email = email",
    "insert into found (note) values ('a') returning owner",
    "insert into tooled values (null) returning owner",
    "insert into noting select max(id) from users",
];
