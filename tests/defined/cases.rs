//! Definitions in the temporary schema by which the database would tell of numbers, each with what
//! is asked then; and their harmless neighbours. KEY is the lowest key of a user.

/// Takes back what a case has put into lasting tables.
pub(crate) const AGAIN: &str = "delete from public.users where email = 'oracle'";

/// What sessions do with relations of their own that hold keys.
pub(crate) const OWN: &[&str] = &[
    "create temporary table k as select id, name from public.users; alter table k rename to j; \
     select id, name from j; drop table j",
    "create temporary table k as select id from public.users; alter table k rename id to uid; \
     select uid from k; alter table k add n int default 5; select uid, n from k; \
     alter table k drop n; create index ki on k (uid); alter index ki rename to kj; truncate k",
    "create temporary view k as select id, name from public.users; alter view k rename to j; \
     select id from j; alter view j rename column name to n; select n, id from j; drop view j",
    "create temporary table k (id bigint default nextval('public.users_id_seq'), n int); select 1; \
     insert into k (n) values (1) returning n; select n from k; drop table k",
    "begin; create temporary table k on commit drop as select id from public.users; \
     alter table k rename to j; select id from j; commit; select 1",
];

/// Texts whose transaction fails behind what they have made in it.
pub(crate) const FAILING: &[&str] = &[
    "begin; create temporary table q (a int); select 1 / 0; commit",
    "begin; create temporary table q as select id from public.users; select 1 / 0; commit",
    "begin; create temporary table q (a int); insert into q values (1); select a from q; commit",
    "begin; create temporary view q as select id from public.users; select id from q; commit",
    "begin; declare c cursor for select id from public.users; select 1 / 0; commit",
];

/// Definitions, and a question.
type Case = (&'static [&'static str], &'static str);

const STAGED: &str = "create temporary table d as select id as k, 8::bigint as n from public.users";

pub(crate) const ORACLES: &[Case] = &[
    // Views.
    (
        &["create temporary view d as select * from public.users where id = KEY"],
        "select count(*) from d",
    ),
    (
        &["create temporary view d as select * from public.users where id = 'KEY'"],
        "select id from d",
    ),
    (
        &["create temp view d as select * from public.users where id in (1, KEY)"],
        "select id from d",
    ),
    (
        &["create temp view d as select * from public.users where id = any ('{KEY}')"],
        "select id from d",
    ),
    (
        &["create temp view d as select * from public.users where id between 1 and KEY"],
        "select count(*) from d",
    ),
    (
        &["create temp view d as select * from public.users where id::text like '%1%'"],
        "select count(*) from d",
    ),
    (
        &["create temp view d as select case when id = KEY then 'a' end as x from public.users"],
        "select x from d",
    ),
    (
        &["create temp view d as select distinct 1 / (id - 1) as x from public.users"],
        "select count(*) from d",
    ),
    (
        &[
            "create temp view d as select id, row_number() over (order by id = KEY) as n from public.users",
        ],
        "select n, id from d",
    ),
    (
        &[
            "create temp view d as select u.id from public.users u join (values (KEY)) v (n) on v.n = u.id",
        ],
        "select id from d",
    ),
    (
        &["create temp view d as select id from public.users order by id % 1000"],
        "select id from d",
    ),
    (
        &["create temp recursive view d (n) as select id + 0 from public.users"],
        "select n from d",
    ),
    (
        &["create view pg_temp.d as select * from public.users where id = KEY"],
        "select id from d",
    ),
    (
        &[
            "set search_path = pg_temp, public",
            "create view d as select * from public.users where id = KEY",
        ],
        "select id from d",
    ),
    (
        &[
            "create temp view e as select id from public.users where id = KEY",
            "create temp view d as select id from e",
        ],
        "select id from d",
    ),
    (
        &[
            "create temp view d as select id, email, name from public.users",
            "alter view d alter column id set default KEY + 7",
            "insert into d (email, name) values ('oracle', 'n')",
        ],
        "select id from public.users where email = 'oracle'",
    ),
    // Functions.
    (
        &[
            "create function pg_temp.d() returns boolean language plpgsql as 'begin return exists (select from public.users where id = KEY); end'",
        ],
        "select pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns boolean language plpgsql immutable as 'begin return exists (select from public.users where id = KEY); end'",
        ],
        "select pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns bigint language plpgsql immutable as 'declare n bigint; begin execute ''select max(id) from public.us'' || ''ers'' into n; return n; end'",
        ],
        "select pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns void language plpgsql as 'begin perform set_config(''a.b'', (select max(id)::text from public.users), false); end'",
            "select pg_temp.d()",
        ],
        "show a.b",
    ),
    (
        &[
            "create function pg_temp.d() returns setof public.users language plpgsql as 'begin return query select * from public.users where id = KEY; end'",
        ],
        "select id from pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns setof public.users language sql as 'select * from public.users where id = KEY'",
        ],
        "select id from pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns setof public.users language sql as 'select * from public.users where id = ''KEY'''",
        ],
        "select id from pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns table (id bigint) language sql as 'select id from public.users where id = KEY'",
        ],
        "select id from pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns boolean language sql as 'select exists (select from public.users where id = KEY)'",
        ],
        "select pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d() returns boolean return exists (select from public.users where id = KEY)",
        ],
        "select pg_temp.d()",
    ),
    (
        &[
            "create function pg_temp.d(i bigint) returns int language sql immutable as 'select (i % 7)::int'",
        ],
        "select pg_temp.d(id) from public.users",
    ),
    (
        &[
            "create function pg_temp.d(i bigint) returns boolean language plpgsql immutable as 'begin return i = KEY; end'",
        ],
        "select pg_temp.d(id) from public.users",
    ),
    (
        &["create aggregate pg_temp.d (bigint) (sfunc = int8pl, stype = bigint)"],
        "select pg_temp.d(id) from public.users",
    ),
    (
        &[
            "create function pg_temp.f(bigint, public.users) returns bigint language sql as 'select ($2).id'",
            "create aggregate pg_temp.d (public.users) (sfunc = pg_temp.f, stype = bigint)",
        ],
        "select pg_temp.d(u) from public.users u",
    ),
    (
        &["create operator pg_temp.### (function = int8pl, leftarg = bigint, rightarg = bigint)"],
        "select id operator(pg_temp.###) 1 from public.users",
    ),
    (
        &[
            "create function pg_temp.f(int, int) returns boolean language plpgsql as 'begin return exists (select from public.users where id = KEY); end'",
            "create operator pg_temp.### (function = pg_temp.f, leftarg = int, rightarg = int)",
        ],
        "select 1 operator(pg_temp.###) 2",
    ),
    (
        &[
            "create procedure pg_temp.d(inout n bigint) language plpgsql as 'begin select max(id) into n from public.users; end'",
        ],
        "call pg_temp.d(1)",
    ),
    (
        &["create domain pg_temp.d as bigint check (value <> 1)"],
        "select id::pg_temp.d from public.users",
    ),
    (
        &["create domain pg_temp.int8 as bigint check (value <> 1)"],
        "select count(*) from public.users where id::pg_temp.int8 is not null",
    ),
    // Tables of keys.
    (
        &[STAGED, "alter table d add check (k <> 1)"],
        "select count(*) from d",
    ),
    (
        &[
            STAGED,
            "alter table d add constraint c check (row(d.*)::text not like '(1,%') not valid",
        ],
        "insert into d select id, 1 from public.users",
    ),
    (
        &[STAGED, "alter table d alter k set default KEY"],
        "insert into d (n) values (1) returning k",
    ),
    (
        &[
            STAGED,
            "alter table d alter column k set default KEY",
            "insert into d (n) values (1)",
        ],
        "select k from d where n = 1",
    ),
    (
        &[
            STAGED,
            "create temp sequence s start KEY",
            "alter table d alter k set default nextval('s')",
        ],
        "insert into d (n) values (1) returning k",
    ),
    (
        &[
            STAGED,
            "alter table d alter k set not null, alter k add generated by default as identity",
        ],
        "insert into d (n) values (1) returning k",
    ),
    (
        &[
            STAGED,
            "alter table d add g bigint generated always as (k + 0) stored",
        ],
        "select g from d",
    ),
    (
        &[
            STAGED,
            "alter table d add g boolean generated always as (k = KEY) stored",
        ],
        "select g from d",
    ),
    (
        &[STAGED, "create index on d ((1 / (k - 1)))"],
        "select count(*) from d",
    ),
    (
        &[STAGED, "create index on d (n) where k = KEY"],
        "select count(*) from d",
    ),
    (
        &[STAGED, "create unique index on d (abs(k))"],
        "select count(*) from d",
    ),
    (
        &[STAGED, "create statistics pg_temp.s on (k % 7), n from d"],
        "select count(*) from d",
    ),
    (
        &[STAGED, "create policy p on d using (k = KEY)"],
        "select count(*) from d",
    ),
    (
        &[
            STAGED,
            "create function pg_temp.f() returns trigger language plpgsql as 'begin new.n := new.k; return new; end'",
            "create trigger t before update on d for each row execute function pg_temp.f()",
            "update d set n = 0",
        ],
        "select n from d",
    ),
    (
        &[
            STAGED,
            "create rule r as on delete to d where old.k = KEY do instead nothing",
        ],
        "delete from d",
    ),
    (
        &[STAGED, "alter table d alter k type bigint using k + 1"],
        "select k from d",
    ),
    (
        &[
            STAGED,
            "create temp table c (k bigint, n bigint)",
            "insert into c values (KEY, 1)",
            "alter table c inherit d",
        ],
        "select k from d where n = 1",
    ),
    (
        &[
            STAGED,
            "alter table d add unique (k)",
            "create temp table c (m bigint)",
            "insert into c values (KEY)",
            "alter table c add foreign key (m) references d (k) not valid",
        ],
        "select m from c join d on d.k = c.m",
    ),
    (
        &[
            STAGED,
            "create temp table c (k bigint default KEY) inherits (d)",
        ],
        "insert into c (n) values (1) returning k",
    ),
    (
        &[STAGED, "create temp table c (k bigserial) inherits (d)"],
        "insert into c (n) values (1) returning k",
    ),
    (
        &[STAGED, "create temp table c (check (k <> 1)) inherits (d)"],
        "insert into c select id, 1 from public.users",
    ),
    (
        &["create temp table d (like public.users, check (id <> 1))"],
        "insert into d select * from public.users",
    ),
    (
        &[
            "create temp table d (like public.users, g bigint generated always as (id) stored)",
            "insert into d select * from public.users",
        ],
        "select g from d",
    ),
    (
        &[
            "create temp table d (like public.users including defaults)",
            "alter table d alter id set default KEY",
        ],
        "insert into d (email, name) values ('x', 'y') returning id",
    ),
    (
        &[
            "create temp table d (like public.users) partition by list (id)",
            "create temp table e partition of d default",
        ],
        "insert into d select * from public.users",
    ),
    (
        &["create temp table d (like public.users, exclude using btree ((id % 100000) with =))"],
        "select count(*) from d",
    ),
    (
        &["create temp table d (like public.users including all)"],
        "insert into d (email, name) values ('x', 'y') returning id",
    ),
    (
        &["create temp table d (like public.users including defaults including identity)"],
        "insert into d (email, name) values ('x', 'y') returning id",
    ),
    // In one text, of what the snapshot does not show yet.
    (
        &[
            STAGED,
            "alter table d add unique (k)",
            "create temp table c (m bigint); insert into c values (KEY); alter table c add foreign key (m) references d (k) not valid",
        ],
        "select m from c join d on d.k = c.m",
    ),
    (
        &[
            STAGED,
            "create temp table c (k bigint, n bigint); insert into c values (KEY, 1); alter table c inherit d",
        ],
        "select k from d where n = 1",
    ),
    // Tables of anything, filled by code.
    (
        &[
            "create temp table d (n bigint)",
            "create function pg_temp.f() returns trigger language plpgsql as 'begin select max(id) into new.n from public.users; return new; end'",
            "create trigger t before insert on d for each row execute function pg_temp.f()",
            "insert into d values (0)",
        ],
        "select n from d",
    ),
    (
        &[
            "create function pg_temp.f() returns bigint language sql as 'select max(id) from public.users'",
            "create temp table d (n bigint default pg_temp.f(), m int)",
            "insert into d (m) values (1)",
        ],
        "select n from d",
    ),
    (
        &[
            "create function pg_temp.f() returns bigint language sql as 'select max(id) from public.users'",
            "create temp table d (n bigint, m int)",
            "alter table d alter n set default pg_temp.f()",
            "insert into d (m) values (1)",
        ],
        "select n from d",
    ),
    (
        &[
            "create function pg_temp.f(n int) returns boolean language plpgsql as 'begin return exists (select from public.users where id = KEY); end'",
            "create temp table d (n int check (pg_temp.f(n)))",
        ],
        "insert into d values (1)",
    ),
    (
        &[
            "create temp table d (n bigint)",
            "create rule r as on insert to d do also select max(id) + 0 as n from public.users",
        ],
        "insert into d values (1)",
    ),
    (
        &[
            "do 'begin create function pg_temp.f() returns boolean language sql as ''select exists (select from public.users where id = KEY)''; end'",
        ],
        "select pg_temp.f()",
    ),
];

pub(crate) const HARMLESS: &[&str] = &[
    "create temporary view v as select u.id, u.email, v.id as other from public.users u join public.users v on u.id <= v.id",
    "select id, other from v order by id limit 2",
    "create or replace temp view v2 as select id, lower(email) as email from v where email <> 'x'",
    "select count(*), min(id) from v2",
    "create temp table d as select id as k, 8 as n from public.users",
    "create index on d (k)",
    "create unique index on d (k, n) include (n)",
    "create index on d ((n + 1)) where n > 0",
    "alter table d add primary key (k)",
    "alter table d add column m int default 0 check (m >= 0)",
    "alter table d alter n set default 3, alter n set not null",
    "alter table d alter k drop default",
    "create statistics pg_temp.s on k, n from d",
    "insert into d (k, n) select id, 1 from public.users on conflict do nothing",
    "select k, n from d order by k limit 2",
    "truncate d",
    "alter table d rename n to o",
    "alter table d drop column o",
    "create temp table e (like public.users including defaults including constraints including indexes)",
    "create temp table e2 (like public.users including all excluding identity)",
    "insert into e select * from public.users",
    "select id from e limit 1",
    "create temp table f (n int primary key generated always as identity, m text default 'x' check (m <> ''), at timestamptz default now())",
    "insert into f (m) values ('y')",
    "truncate f restart identity",
    "create temp sequence q",
    "alter sequence q restart with 5",
    "create temp table g (n bigint default nextval('q'), e text unique)",
    "create temp view w as select n + 1 as n from f where n = 1",
    "select n from w",
    "create function pg_temp.plus(a int) returns int language sql as 'select a + 1'",
    "select pg_temp.plus(1)",
    "create function pg_temp.mail(u uuid) returns text language sql as 'select email from public.users where id::text = u::text'",
    "create domain pg_temp.word as text",
    "create table pg_temp.h (w pg_temp.word)",
    "drop view w, v2, v",
    "drop table d, e, e2, f, g",
    "discard temp",
];

/// What stored definitions compute with keys such that an error quotes one: `EXPR` becomes such an
/// expression over the rows of `FROM`.
pub(crate) const QUOTING: [(&str, &str); 5] = [
    ("('x' || u.id)::int is null", "public.users u"),
    ("('x' || u.id)::regclass is null", "public.users u"),
    ("('x' || u.id)::json is null", "public.users u"),
    ("current_setting('x.x' || u.id) is null", "public.users u"),
    (
        "('x' || (u.body->'user'->>'id'))::int is null",
        "public.letters u",
    ),
];

/// Each reader of definitions, alone and through another one: what is defined, and what is asked.
/// `#` in names is the number of a case.
pub(crate) const TOLD: [(&str, &[&str]); 14] = [
    (
        "create view t# as select distinct 1 as n, EXPR as hidden from FROM",
        &["select n from t#", "select count(n) from t#"],
    ),
    (
        "create function f#() returns setof boolean language sql stable as $$select EXPR from FROM$$",
        &[
            "select * from f#()",
            "select exists (select from f#() f where f)",
        ],
    ),
    (
        "create function f#() returns setof boolean language sql stable begin atomic select EXPR from FROM; end",
        &["select * from f#()"],
    ),
    (
        "create function f#() returns setof boolean language sql stable as $$select true from FROM where EXPR$$",
        &["select * from f#()"],
    ),
    (
        "create function f#() returns setof int language sql stable as $$select 1 from FROM order by EXPR$$",
        &["select * from f#()"],
    ),
    (
        "create function f#() returns setof boolean language sql stable as $$select EXPR from FROM$$;
         create view t# as select n from f#() as f (n)",
        &["select n from t#"],
    ),
    (
        "create view t# as select distinct true as n, EXPR as hidden from FROM;
         create function f#() returns setof boolean language sql stable as $$select n from t#$$",
        &["select * from f#()"],
    ),
    (
        "create function f#() returns setof boolean language sql stable as $$select EXPR from FROM$$;
         create function g#() returns setof boolean language sql stable as $$select * from f#()$$",
        &["select * from g#()"],
    ),
    (
        "create table t# (n boolean); create table sink# (n boolean);
         create rule r# as on insert to t# do also insert into sink# select EXPR from FROM",
        &["insert into t# values (true)"],
    ),
    (
        "create table t# (n boolean); create table sink# (n boolean);
         create view v# as select distinct true as n, EXPR as hidden from FROM;
         create rule r# as on insert to t# do also insert into sink# select n from v#",
        &["insert into t# values (true)"],
    ),
    (
        "create table t# (n boolean); create table sink# (n boolean);
         create function f#() returns setof boolean language sql stable as $$select EXPR from FROM$$;
         create rule r# as on insert to t# do also insert into sink# select * from f#()",
        &["insert into t# values (true)"],
    ),
    (
        "create table t# (n boolean, id bigint references public.users (id)); create table sink# (n boolean);
         create view v# as select distinct true as n, EXPR as hidden from FROM;
         create rule r# as on insert to t# where exists (select from v# where n = new.n)
           do also insert into sink# values (true)",
        &["insert into t# values (true)"],
    ),
    (
        "create table t# (id bigint references public.users (id), n int); create table sink# (like t#);
         create function c#(bigint) returns boolean language sql immutable as $$select ('x' || $1)::int is null$$;
         alter table sink# add check (c#(id));
         create rule r# as on insert to t# do also insert into sink# values (new.id, 1)",
        &[
            "insert into t# select id, 1 from public.users",
            "insert into t# (id) select max(id) from public.users",
        ],
    ),
    (
        "create table t# (id bigint references public.users (id), n int);
         create table sink# (id bigint references public.users (id), n int);
         alter table sink# add check (('x' || id)::int is null);
         create rule r# as on insert to t# do also insert into sink# values (new.id, 1)",
        &[
            "insert into t# select id, 1 from public.users",
            "insert into t# (id) select max(id) from public.users",
        ],
    ),
];
