//! The tables of the test: what changes what a name means, what takes that back, and what is asked.

/// In both databases.
pub(crate) const PLAINER: &str = "create schema plainer;
    create table plainer.users (id bigint, email text);
    insert into plainer.users values (7, 'seven'), (8, 'eight');
    create schema closed;
    create table closed.users (id bigint, email text);
    revoke all on schema closed from current_user;
    create function look_in(path text) returns void language plpgsql as
      'begin perform set_config(''search_path'', path, true); end'";

/// Makes `users` mean the plain table: statements, in a transaction or outside of one.
const CHANGES: &[&[&str]] = &[
    &["begin", "set local search_path = plainer"],
    &["begin", "set search_path = plainer, public"],
    &["set search_path = plainer, public"],
    &["set \"SEARCH_PATH\" = plainer, public"],
    &["set schema 'plainer'"],
    &["begin", "set local \"Search_Path\" to plainer, public"],
    &["set search_path = closed, plainer, public"],
    &["begin", "set local search_path = closed, public"],
    &[
        "begin",
        "select set_config('search_path', 'plainer, public', true)",
    ],
    &[
        "begin",
        "select set_config('search_path', 'plainer, public', false)",
    ],
    &["begin", "select look_in('plainer, public')"],
    &[
        "begin",
        "savepoint s",
        "set local search_path = plainer, public",
    ],
    &[
        "begin",
        "set search_path = plainer, public",
        "savepoint s",
        "set search_path = shop",
    ],
    &[
        "begin",
        "update pg_settings set setting = 'plainer, public' where name = 'search_path'",
    ],
    &[
        "begin",
        "create temporary table users (id bigint, email text) on commit drop",
    ],
    &[
        "begin",
        "create temporary table users (id bigint, email text)",
    ],
    &["create temporary table users (id bigint, email text)"],
    &[
        "begin",
        "alter table users rename to others",
        "alter table plainer.users set schema public",
    ],
];

/// Ends what a change has done, or a part of it, or does not.
const ENDS: &[&str] = &[
    "commit",
    "end",
    "rollback",
    "abort",
    "commit and chain",
    "rollback and chain",
    "rollback to s",
    "release s",
    "savepoint t",
    "select 1/0",
    "discard all",
    "discard temp",
    "drop table if exists pg_temp.users",
    "reset search_path",
    "reset all",
    "set search_path to default",
    "set local search_path to default",
    "set schema 'public'",
    "set role none",
    "set session authorization default",
];

/// Makes a temporary table of keys something else: dropped, renamed, hidden behind another.
const STAGED: &[&[&str]] = &[
    &["begin", "drop table staging"],
    &["begin", "savepoint s", "drop table staging"],
    &["begin", "savepoint s", "discard temp"],
    &["begin", "drop table staging", "select 1/0"],
    &["begin", "savepoint s", "drop table staging", "select 1/0"],
    &["begin", "savepoint s", "alter table staging drop column k"],
    &[
        "begin",
        "savepoint s",
        "alter table staging rename to other",
    ],
    &[
        "begin",
        "savepoint s",
        "alter table staging rename k to l",
        "alter table staging rename n to k",
        "alter table staging rename l to n",
    ],
    &[
        "begin",
        "savepoint s",
        "drop table staging",
        "create temporary table staging (k bigint, n bigint)",
        "insert into staging values (7, 8)",
    ],
    &[
        "begin",
        "drop table staging",
        "create temporary table staging as select 7::bigint as k, id as n from public.users",
        "savepoint s",
        "drop table staging",
    ],
    &[
        "begin",
        "savepoint s",
        "alter table staging add column l bigint",
        "alter table staging drop column k",
        "alter table staging rename l to k",
    ],
    &["begin", "savepoint s", "drop schema pg_temp cascade"],
    &["begin", "savepoint s", "drop owned by current_user"],
];

/// Ends that, or a part of it, or does not.
const STAGED_ENDS: &[&str] = &[
    "rollback",
    "abort",
    "commit",
    "end",
    "rollback and chain",
    "commit and chain",
    "rollback to s",
    "rollback to s; rollback",
    "release s",
    "savepoint t",
    "select 1/0",
    "discard temp",
    "drop table if exists staging",
    "create index on staging (k)",
];

/// What is asked of it then.
const STAGED_PROBES: &[&str] = &[
    "select k + 0 as n from staging",
    "select n + 0 as n from staging",
    "select count(k), count(n) from staging",
];

/// A table of the test: what is there before, and its three sides.
pub(crate) struct Table {
    pub(crate) before: &'static [&'static str],
    pub(crate) changes: &'static [&'static [&'static str]],
    pub(crate) ends: &'static [&'static str],
    pub(crate) probes: &'static [&'static str],
}

/// What a name of a lasting relation means.
pub(crate) const NAMES: Table = Table {
    before: &[],
    changes: CHANGES,
    ends: ENDS,
    probes: PROBES,
};

/// What a temporary relation holds.
pub(crate) const TEMPORARY: Table = Table {
    before: &["create temporary table staging as select id as k, 8::bigint as n from public.users"],
    changes: STAGED,
    ends: STAGED_ENDS,
    probes: STAGED_PROBES,
};

/// Whether a change that stays would be seen by all that come behind.
pub(crate) fn is_lasting(change: &[&str], end: &str) -> bool {
    let lasting = ["alter table users", "drop owned", "delete from"];
    let changes = |sql: &&str| lasting.iter().any(|change| sql.starts_with(change));
    let undone = end.starts_with("rollback") || matches!(end, "abort" | "select 1/0");
    change.iter().any(changes) && !undone
}

/// What is asked then.
const PROBES: &[&str] = &[
    "select id + 0 as n from users",
    "select email from users where id is not null order by email limit 2",
];

/// Code that runs unasked: of triggers, defaults, checks, domains, policies, indexes, generated
/// columns, views, operators and casts, at once or through what it writes to. In both databases.
pub(crate) const UNASKED: &str = "
    create function moves(n int) returns int language plpgsql immutable as
      'begin perform set_config(''search_path'', ''plainer, public'', false); return n; end';
    create function fires() returns trigger language plpgsql as
      'begin perform moves(1); return coalesce(new, old); end';
    create table by_trigger (n int);
    create trigger t after insert or update or truncate on by_trigger execute function fires();
    create table by_writing (n int);
    create function writes() returns trigger language plpgsql as
      'begin insert into by_trigger values (1); return new; end';
    create trigger t before insert on by_writing for each row execute function writes();
    create table by_default (n int, m int default moves(1));
    create table by_setting (n int, m text default set_config('search_path', 'plainer, public', false));
    create table by_check (n int check (moves(n) > 0));
    create table by_index (n int);
    create index on by_index (moves(n));
    create table by_generated (n int, m int generated always as (moves(n)) stored);
    create domain moving as int check (moves(value) > 0);
    create table by_domain (n moving);
    create table by_policy (n int);
    insert into by_policy values (1);
    create policy p on by_policy using (moves(n) > 0);
    alter table by_policy enable row level security, force row level security;
    create view by_view as select moves(1) as n;
    create view by_setting_view as select set_config('search_path', 'plainer, public', false) as n;
    create view over_view as select n from by_view;
    create function twice(a int, b int) returns int language plpgsql immutable as
      'begin perform moves(a); return b; end';
    create operator public.<~~> (leftarg = int, rightarg = int, function = twice);
    create table by_operator (n int, m int default 1 <~~> 2);
    create table parent (n int primary key);
    insert into parent values (1);
    create table child (n int references parent on delete cascade);
    create trigger t after delete on child for each row execute function fires();
    insert into child values (1);
    create table split (n int) partition by list (n);
    create table split_1 partition of split for values in (1);
    create trigger t after insert on split_1 for each row execute function fires();
    create table by_deferring (n int);
    create constraint trigger t after insert on by_deferring deferrable initially deferred
      for each row execute function fires();
    create function fills() returns boolean language sql as 'insert into by_check values (1) returning true';
    ";

/// Makes `users` mean the plain table by such code.
const RUNS: &[&[&str]] = &[
    &["begin", "insert into by_trigger values (1)"],
    &["begin", "update by_trigger set n = 2 where n = 2"],
    &["begin", "truncate by_trigger"],
    &["begin", "insert into by_writing values (1)"],
    &["begin", "insert into by_default (n) values (1)"],
    &["begin", "insert into by_setting values (1)"],
    &["begin", "insert into by_check values (1)"],
    &["begin", "insert into by_index values (1)"],
    &["begin", "insert into by_generated values (1)"],
    &["begin", "insert into by_domain values (1)"],
    &["begin", "select 1::moving"],
    &["begin", "select count(*) from by_policy"],
    &["begin", "select n from by_view"],
    &["begin", "select n from by_setting_view"],
    &["begin", "select n from over_view"],
    &["begin", "select 1 operator(public.<~~>) 2"],
    &["begin", "insert into by_operator (n) values (1)"],
    &["begin", "delete from parent"],
    &["begin", "insert into by_deferring values (1)"],
    &[
        "begin",
        "insert into by_deferring values (1)",
        "set constraints all immediate",
    ],
    &[
        "begin",
        "insert into by_deferring values (1)",
        "set constraints t immediate",
    ],
    &["begin", "insert into split values (1)"],
    &["begin", "select fills()"],
    &["begin", "do 'begin insert into by_check values (1); end'"],
    &[
        "begin",
        "with filled as (insert into by_check values (1) returning n) select n from filled",
    ],
    &["insert into by_check values (1)"],
];

/// What code that runs unasked does to names.
pub(crate) const SETTERS: Table = Table {
    before: &[],
    changes: RUNS,
    ends: &[
        "savepoint t",
        "commit",
        "rollback",
        "rollback and chain",
        "select 1/0",
    ],
    probes: PROBES,
};

/// What is open under a name: what comes before it, the portal that is bound, if it is none of SQL,
/// and what comes behind.
type ByName = (
    &'static [&'static str],
    Option<&'static str>,
    &'static [&'static str],
);

const CLEAN: &str = "prepare y as select 1::bigint as m";
const KEYS: &str = "prepare y as select max(id) as m from public.users";
const AGAIN: &str = "deallocate y";
const INSIDE: &str = "set local search_path = pg_temp, public";
const OUTSIDE: &str = "set local search_path = public, pg_temp";

/// A cursor that keeps what a function in SQL gives, which reads a table of another name inside.
const SORTED: &[&str] = &[
    "create temporary table users (id text, email text)",
    "create function pg_temp.f(int) returns text language sql as 'select max(id)::text from users'",
    INSIDE,
    "declare c cursor for select pg_temp.f(n) from generate_series(1, 3) n order by 1",
];

/// A statement over a table of another name inside.
const PLAIN: &[&str] = &[
    "create temporary table users (id bigint, email text)",
    INSIDE,
    "prepare y as select max(id) from users",
];

/// What runs what is open under a name, with names that mean something else, or did in between.
pub(crate) const BY_NAME: &[ByName] = &[
    (
        &[CLEAN],
        Some("execute y"),
        &[AGAIN, KEYS, "fetch all from p"],
    ),
    (
        &[CLEAN],
        Some("execute y"),
        &[AGAIN, KEYS, "move 0 in p", AGAIN, CLEAN, "fetch all from p"],
    ),
    (
        &[CLEAN],
        Some("execute y"),
        &[
            AGAIN,
            KEYS,
            "move all in p",
            AGAIN,
            CLEAN,
            "fetch all from p",
        ],
    ),
    (
        &[CLEAN],
        Some("execute y"),
        &[
            AGAIN,
            KEYS,
            "fetch 0 from p",
            AGAIN,
            CLEAN,
            "fetch all from p",
        ],
    ),
    (
        SORTED,
        None,
        &[OUTSIDE, "move 1 in c", INSIDE, "fetch all from c"],
    ),
    (
        SORTED,
        None,
        &[OUTSIDE, "fetch 0 from c", INSIDE, "fetch all from c"],
    ),
    (PLAIN, Some("execute y"), &[OUTSIDE, "fetch all from p"]),
    (
        PLAIN,
        Some("execute y"),
        &[OUTSIDE, "move 0 in p", INSIDE, "fetch all from p"],
    ),
];

/// Code of the database that looks for its names when it runs: of triggers, at once and put off, of
/// defaults and policies, in SQL and in PL/pgSQL. In the database behind pgveil.
pub(crate) const LOOKS_LATE: &str = "
    create table audited (n bigint, user_id bigint references users (id));
    create function audits() returns trigger language plpgsql as
      'begin insert into audited values (1, new.id); return new; end';
    create trigger audits after update on users for each row execute function audits();
    create function first_user() returns bigint language sql as 'select min(id) from users';
    create table owned (note text, owner bigint default first_user() references users (id));
    create table found (note text, owner bigint references users (id));
    create function finds() returns trigger language plpgsql as
      'begin select min(id) into new.owner from users; return new; end';
    create trigger finds before insert on found for each row execute function finds();
    create table marked (owner bigint);
    create table put_off (note text, owner bigint references users (id));
    create function marks() returns trigger language plpgsql as
      'begin update put_off set owner = (select max(owner) from marked); return new; end';
    create constraint trigger marks after insert on put_off deferrable initially deferred
      for each row execute function marks();
    create table above (note text) partition by list (note);
    create table above_1 partition of above for values in ('a');
    create function passes_on() returns trigger language plpgsql as
      'begin insert into found (note) values (new.note); return new; end';
    create trigger passes_on before insert on above_1 for each row execute function passes_on();
    create table marking (owner bigint references users (id));
    create function looks_up() returns trigger language plpgsql as
      'begin select max(owner) into new.owner from marked; return new; end';
    create trigger looks_up before insert on marking for each row execute function looks_up();
    create view over_found as select note, owner from found;
    create table ruled (note text);
    create rule passes_on as on insert to ruled do also insert into found (note) values (new.note);
    create table beside (owner bigint references users (id));
    create function reads_beside() returns trigger language plpgsql as
      'begin select max(user_id) into new.owner from of_session; return new; end';
    create trigger reads_beside before insert on beside for each row execute function reads_beside();
    create table beside_late (note text, owner bigint references users (id));
    create function reads_late() returns trigger language plpgsql as
      'begin update beside_late set owner = (select max(user_id) from of_session_late); return new; end';
    create constraint trigger reads_late after insert on beside_late deferrable initially deferred
      for each row execute function reads_late();
    create table tasks (owner bigint references users (id));
    create table tasks_log (owner bigint references users (id));
    create function logs() returns trigger language plpgsql as $f$begin
      execute format('insert into %I values ($1.owner)', tg_table_name || '_log') using new;
      return new; end$f$;
    create trigger logs after insert on tasks for each row execute function logs();
    create function draws(name text) returns bigint language plpgsql as
      'begin return nextval(name); end';
    create table drawn (id bigint default draws('drawn_seq') references users (id), note text);
    create table drawn_early
      (id bigint default nextval(('early_seq'::text)::regclass) references users (id), note text);
    create function is_there(bigint) returns boolean language plpgsql as
      'begin return exists (select from users where id = $1); end';
    create domain there as bigint check (is_there(value));
    create table liked (owner there references users (id));
    create function logs_value(bigint) returns boolean language plpgsql as
      'begin insert into audited values (1, $1); return true; end';
    create domain logged as bigint check (logs_value(value));
    create table by_cast (owner bigint references users (id));
    create function casts() returns trigger language plpgsql as
      'begin perform new.owner::logged; return new; end';
    create trigger casts after insert on by_cast for each row execute function casts();
    create function logs_two(bigint, text) returns boolean language plpgsql as
      'begin return logs_value($1); end';
    create operator =>> (leftarg = bigint, rightarg = text, function = logs_two);
    create table by_sign (owner bigint references users (id));
    create function signs() returns trigger language plpgsql as
      $f$begin perform new.owner =>> ''; return new; end$f$;
    create trigger signs after insert on by_sign for each row execute function signs();
    create table by_spelling (owner bigint references users (id));
    create function spells() returns trigger language plpgsql as
      $f$begin perform U&\"logs\\005fvalue\"(new.owner); return new; end$f$;
    create trigger spells after insert on by_spelling for each row execute function spells();
    create domain number as bigint;
    create table by_type (owner bigint references users (id));
    create function declares() returns trigger language plpgsql as
      'declare n number; begin n := new.owner; return new; end';
    create trigger declares before insert on by_type for each row execute function declares();
    create table counted (note text, owner bigint references users (id));
    create function counts() returns trigger language plpgsql as $f$begin
      update counted set owner = nextval('counting') where note = new.note; return new; end$f$;
    create constraint trigger counts after insert on counted deferrable initially deferred
      for each row execute function counts();
    create table asked (n bigint, doc jsonb);
    create view by_row as select a.n, u.id from asked a join users u on u.id = a.n;
    create view by_member as select u.id from asked a join users u on u.id = (a.doc ->> 'n')::bigint;
    create view by_range as select u.id from users u where u.id >= (select max(n) from asked) order by id limit 1;
    create view by_setting as select id from users
      where id = nullif(current_setting('app.user', true), '')::bigint;
    create function by_code() returns setof bigint language sql stable as
      'select u.id from users u join asked a on u.id = a.n + 0';
    ";

/// A name that the client has taken, and what runs that code then: none of it may. In the place of
/// `~` stands the key of a user.
pub(crate) const IN_FRONT: &[&[&str]] = &[
    &[
        "create temporary table audited (n bigint, user_id bigint)",
        "update users set email = email",
        "select user_id from audited",
    ],
    &[
        "create temporary table audited (n bigint, user_id bigint)",
        "update users set email = email",
        "select user_id + 0 from audited",
    ],
    &[
        "create temporary table audited (n bigint, user_id bigint)",
        "prepare y as update users set email = email",
        "execute y",
        "table audited",
    ],
    &[
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "(with w as (insert into found (note) values ('a') returning owner) select owner from w)",
    ],
    &[
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "insert into over_found (note) values ('a') returning owner",
    ],
    &[
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "insert into owned (note) values ('a') returning owner",
    ],
    &[
        "create temporary view users as select ~::bigint as id",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "create temporary table others (id bigint)",
        "insert into others values (~)",
        "alter table others rename to users",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "select ~::bigint as id into temporary users",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "explain analyze create temporary table users as select ~::bigint as id",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "explain analyze select ~::bigint as id into temporary users",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "select ~::bigint as id into local temp users",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "create temporary table others as select ~::bigint as id",
        "alter table only (others) rename to users",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "create temporary table if as select ~::bigint as id",
        "alter table if rename to users",
        "insert into found (note) values ('a') returning owner",
    ],
    &[
        "do 'begin create temporary table marked as select ~::bigint as owner; end'",
        "insert into marking default values",
        "select owner from marking",
    ],
    &[
        "begin",
        "insert into put_off values ('a')",
        "do 'begin create temporary table marked as select ~::bigint as owner; end'",
        "commit",
        "select owner from put_off",
    ],
    &[
        "begin",
        "insert into put_off values ('a')",
        "select ~::bigint as owner into local temp marked",
        "commit",
        "select owner from put_off",
    ],
    &[
        "explain analyze create temporary table orders as \
         select 1::bigint as id, 2::bigint as user_id, 1::bigint as total_cents",
        "insert into orders (user_id, total_cents) select id, 5 from users",
        "select user_id from orders",
    ],
    &[
        "select 1::bigint as id, 2::bigint as user_id, 1::bigint as total_cents \
         into global temporary orders",
        "insert into orders (user_id, total_cents) select id, 5 from users",
        "select user_id from orders",
    ],
    // A definition that looks for a number that the client has chosen.
    &["insert into asked (n) values (~)", "select id from by_row"],
    &[
        "insert into asked (doc) values ('{\"n\": ~}')",
        "select id from by_member",
    ],
    &[
        "insert into asked (n) values (~)",
        "select id from by_range",
    ],
    &["insert into asked (n) values (~)", "select by_code()"],
    &["set app.user = '~'", "select id from by_setting"],
    &[
        "set search_path = pg_temp, public",
        "create table users as select ~::bigint as id",
        "insert into public.found (note) values ('a') returning owner",
    ],
    &[
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "insert into above values ('a')",
        "select owner from found",
    ],
    // By a temporary view, and by a rule.
    &[
        "create temporary view own as select * from found",
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "insert into own (note) values ('a') returning owner",
    ],
    &[
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "insert into ruled values ('a')",
        "select owner from found",
    ],
    // What no lasting relation is called.
    &[
        "create temporary table of_session as select ~::bigint as user_id",
        "insert into beside default values",
        "select owner from beside",
    ],
    &[
        "begin",
        "insert into beside_late values ('a')",
        "create temporary table of_session_late as select ~::bigint as user_id",
        "commit",
        "select owner from beside_late",
    ],
    // Names that code puts together.
    &[
        "create temporary table tasks_log (owner bigint)",
        "insert into tasks select max(id) from users",
        "select owner from pg_temp.tasks_log",
    ],
    &[
        "create temporary sequence drawn_seq start ~",
        "insert into drawn (note) values ('a') returning id",
    ],
    &[
        "create temporary sequence early_seq start ~",
        "insert into drawn_early (note) values ('a') returning id",
    ],
    // Code behind domains and operators, and names that are spelled in another way.
    &[
        TEMPORARY_USERS,
        "insert into users values (~, 'mine')",
        "insert into liked select max(id) from public.users returning owner",
    ],
    &[
        "create temporary table audited (n bigint, user_id bigint)",
        "insert into by_cast select max(id) from users",
        "select user_id from pg_temp.audited",
    ],
    &[
        "create temporary table audited (n bigint, user_id bigint)",
        "insert into by_sign select max(id) from users",
        "select user_id from pg_temp.audited",
    ],
    &[
        "create temporary table audited (n bigint, user_id bigint)",
        "insert into by_spelling select max(id) from users",
        "select user_id from pg_temp.audited",
    ],
    &[
        "create type pg_temp.number as enum ('~')",
        "insert into by_type select max(id) from users returning owner",
    ],
    // Sequences that are made along.
    &[
        "begin",
        "insert into counted values ('a')",
        "create temporary table z (n int generated by default as identity \
         (sequence name counting start ~))",
        "commit",
        "select owner from counted",
    ],
    &[
        "begin",
        "insert into put_off values ('a')",
        "create temporary table marked as select ~::bigint as owner",
        "commit",
        "select owner from put_off",
    ],
];

/// What goes on beside a temporary relation that no code means.
pub(crate) const BESIDE: &[&str] = &[
    "update found set note = note",
    "insert into found (note) values ('a')",
    "insert into above values ('a')",
    "insert into put_off values ('b')",
    "insert into by_type select max(id) from users",
    "select count(*) from tasks",
    "select id from users for update",
    "create temporary table more (n int)",
    "insert into more values (1)",
    "select n from more",
];

const TEMPORARY_USERS: &str = "create temporary table users (id bigint, email text)";
const MOVES: &str = "prepare y as select set_config('search_path', 'public, pg_temp', false)";
const CURSOR: &str =
    "declare c cursor for select set_config('search_path', 'public, pg_temp', false)";
const PROBE: &str = "select max(id) from users";
const READS_OTHERWISE: &str =
    "prepare y as select set_config('standard_conforming_strings', 'off', false)";
const TWO_WAYS: &str = r"select '\' || ' || max(id)::text from users --'";
const GIVES_FIVE: &str = "create or replace function pg_temp.g(int) returns bigint language sql
    begin atomic select 5::bigint; end";
const GIVES_KEYS: &str = "create or replace function pg_temp.g(int) returns bigint language sql
    begin atomic select max(id) from public.users; end";
const HELD: &str =
    "declare c cursor with hold for select pg_temp.g(n) from generate_series(1, 1) n";
const READ_LATE: &str = r"create function pg_temp.k(int) returns text language sql
    as $f$ select '\' || ' || max(id)::text from users --' $f$";

/// Statements with effects that others than they themselves bring about: what runs them by a name,
/// a view, a policy, the end of a transaction. Behind them names or texts mean something else.
pub(crate) const BROUGHT_ABOUT: &[&[&str]] = &[
    &[TEMPORARY_USERS, MOVES, "execute y", PROBE],
    &[TEMPORARY_USERS, MOVES, "explain analyze execute y", PROBE],
    &[TEMPORARY_USERS, "begin", CURSOR, "fetch all from c", PROBE],
    &[TEMPORARY_USERS, "begin", CURSOR, "move all in c", PROBE],
    &[
        TEMPORARY_USERS,
        "prepare y (text, text) as select set_config($1, $2, false)",
        "execute y('search_path', 'public, pg_temp')",
        PROBE,
    ],
    &[
        TEMPORARY_USERS,
        "prepare y as select $1::text",
        "execute y(set_config('search_path', 'public, pg_temp', false))",
        PROBE,
    ],
    &[
        TEMPORARY_USERS,
        "create temporary table t (n int, s text)",
        "prepare y as insert into t (n) values (1)",
        "alter table t alter s set default set_config('search_path', 'public, pg_temp', false)",
        "execute y",
        PROBE,
    ],
    &[READS_OTHERWISE, "execute y", TWO_WAYS],
    &["set \"STANDARD_CONFORMING_STRINGS\" = off", TWO_WAYS],
    &["set local \"Standard_Conforming_Strings\" to off", TWO_WAYS],
    &[
        TEMPORARY_USERS,
        "create temporary view v as select set_config('search_path', 'public, pg_temp', false) as q",
        "select q from v",
        PROBE,
    ],
    &[
        TEMPORARY_USERS,
        "create temporary view v as select set_config('search_path', 'public, pg_temp', false) as q",
        "create temporary view w as select q from v",
        "copy (table w) to stdout",
        PROBE,
    ],
    &[
        "begin",
        GIVES_FIVE,
        HELD,
        GIVES_KEYS,
        "commit",
        GIVES_FIVE,
        "fetch all from c",
    ],
    &[
        READ_LATE,
        "prepare y as select pg_temp.k(n) from generate_series(1, 2) n",
        "select set_config('standard_conforming_strings', 'off', false)",
        "execute y",
    ],
    &[
        READ_LATE,
        "begin",
        "declare c cursor for select pg_temp.k(n) from generate_series(1, 2) n",
        "select set_config('standard_conforming_strings', 'off', false)",
        "fetch all from c",
    ],
];
