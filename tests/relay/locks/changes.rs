//! What is changed under a lock, and the statements that it concerns.

/// A change in a transaction that locks what the statement is about, what changes it back, statements
/// that it concerns, and whether they still mean the same.
pub(super) struct Change {
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
    pub(super) back: &'static str,
    pub(super) statements: &'static [&'static str],
    pub(super) harmless: bool,
    /// It makes what the other takes away again: no catalog tells of it.
    pub(super) transient: bool,
}

pub(super) const CHANGES: &[Change] = &[
    Change {
        name: "tables are swapped",
        sql: "alter table users rename to other; alter table plain rename to users;
              alter table other rename to plain",
        back: "alter table users rename to other; alter table plain rename to users;
               alter table other rename to plain",
        statements: &[
            "select upper(id::text) from plain",
            "select id + 0 from plain",
            "update plain set note = note returning id + 0",
            "select (id || 'x')::int from plain",
        ],
        harmless: false,
        transient: false,
    },
    Change {
        name: "columns are renamed",
        sql: "alter table users rename email to old; alter table users rename id to email",
        back: "alter table users rename email to id; alter table users rename old to email",
        statements: &["select upper(email::text) || '' from users"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "the view is replaced",
        sql: "create or replace view people as select id::text as email, note from users",
        back: "create or replace view people as select email, note from users",
        statements: &[
            "select upper(email) from people",
            "select (email || 'x')::int from people",
        ],
        harmless: false,
        transient: false,
    },
    Change {
        name: "the view is made anew",
        sql: "drop view people; create view people as select id::text as email, note from users",
        back: "drop view people; create view people as select email, note from users",
        statements: &["select email || note from people"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "the function is replaced",
        sql: "create or replace function label() returns text language sql stable
              as 'select id::text from users limit 1'",
        back:
            "lock table users; create or replace function label() returns text language sql stable
               as 'select email from users limit 1'",
        statements: &["select note || label() from users"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "a view takes the place of a table",
        sql: "drop table plain; create view plain as select id, email, note from users",
        back: "lock table plain; drop view plain;
               create table plain (id bigint primary key, email text, note text)",
        statements: &["select id || '' from plain"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "a column is filled",
        sql: "alter table users drop column note cascade;
              alter table users add column note text generated always as (id::text) stored",
        back: "alter table users drop column note; alter table users add column note text;
               create view people as select email, note from users",
        statements: &["select upper(note) from users"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "a column is filled that nobody names",
        sql: "alter table users drop column note cascade;
              alter table users add column note text generated always as (id::text) stored",
        back: "alter table users drop column note; alter table users add column note text;
               create view people as select email, note from users",
        statements: &[
            "select upper(c) from users as u(a, b, c)",
            "select string_agg(c, ',') from (select * from users) u(a, b, c)",
            "select * from users union all select * from users",
        ],
        harmless: false,
        transient: false,
    },
    Change {
        name: "a column comes and goes",
        sql: "alter table plain add column k bigint references users;
              update plain set k = (select id from users limit 1)",
        back: "lock table plain; alter table plain drop column k",
        statements: &[
            "select p::text from plain p",
            "select row_to_json(p) from plain p",
        ],
        harmless: false,
        transient: false,
    },
    Change {
        name: "schemas are swapped",
        sql: "lock table hid.users; alter schema public rename to zz; alter schema hid rename to public;
              alter schema zz rename to hid",
        back: "lock table hid.users; alter schema public rename to zz;
               alter schema hid rename to public; alter schema zz rename to hid",
        statements: &["select upper(id::text) from hid.users"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "the view of another schema is replaced",
        sql: "create or replace view hid.hv as select id::text as email from public.users",
        back: "create or replace view hid.hv as select email from public.users",
        statements: &[
            "select upper(email) from hid.hv",
            "select upper(email) from U&\"\\0068id\".hv",
        ],
        harmless: false,
        transient: false,
    },
    Change {
        name: "an operator is made anew",
        sql: "drop operator @@@ (text, text);
              create operator @@@ (function = shows, leftarg = text, rightarg = text)",
        back: "lock table users; drop operator @@@ (text, text);
               create operator @@@ (function = textcat, leftarg = text, rightarg = text)",
        statements: &["select note @@@ 'x' from users"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "the function of an operator is replaced",
        sql: "create or replace function joins(text, text) returns text language plpgsql immutable
              as 'begin return (select id::text from public.users limit 1); end'",
        back: "lock table users; create or replace function joins(text, text) returns text
               language plpgsql immutable as 'begin return $1 || $2; end'",
        statements: &["select note @@+ 'x' from users"],
        harmless: false,
        transient: false,
    },
    Change {
        name: "a column is added",
        sql: "alter table users add column more int",
        back: "alter table users drop column more",
        statements: &[
            "select upper(email) || note from users",
            "update users set note = note returning id",
            "select count(*) from users",
            "select upper(email) from people",
        ],
        harmless: true,
        transient: false,
    },
    Change {
        name: "a table is made",
        sql: "create table another (user_id bigint references users); create view w as select 1 as one",
        back: "lock table users; drop table another; drop view w",
        statements: &[
            "select id, upper(note) from users",
            "select label() || note from users",
        ],
        harmless: true,
        transient: false,
    },
    Change {
        name: "a schema that is on nobody's path comes and goes",
        sql: "create schema aside create table users (id bigint, email text)
              create view plain as select id::text as id from users;
              create function aside.label() returns text language sql as 'select 1'",
        back: "lock table users; drop schema aside cascade",
        statements: &[
            "select upper(email) || note from users",
            "select note || label() from users",
            "select upper(p::text) from plain p",
        ],
        harmless: true,
        transient: false,
    },
    Change {
        name: "a view comes in front",
        sql: "create schema postgres; create view postgres.plain as select id::text as id, email, note from public.users",
        back: "lock table public.plain; drop view postgres.plain; drop schema postgres",
        statements: &[
            "select id || '' from plain",
            "select upper(p::text) from plain p",
        ],
        harmless: false,
        transient: true,
    },
    Change {
        name: "a function comes in front",
        sql: "create schema postgres; create function postgres.label() returns text language sql stable
              as 'select id::text from public.users limit 1'",
        back: "lock table users; drop function postgres.label(); drop schema postgres",
        statements: &["select note || label() from users"],
        harmless: false,
        transient: true,
    },
    Change {
        name: "an operator comes in front",
        sql: "create schema postgres;
              create operator postgres.@@@ (function = public.shows, leftarg = text, rightarg = text)",
        back: "lock table users; drop operator postgres.@@@ (text, text); drop schema postgres",
        statements: &["select note @@@ 'x' from users"],
        harmless: false,
        transient: true,
    },
    Change {
        name: "an operator comes in front that a word stands for",
        sql: "create schema postgres;
              create function postgres.likes(varchar, varchar) returns text language sql stable
              as 'select id::text from public.users limit 1';
              create operator postgres.~~ (function = postgres.likes, leftarg = varchar, rightarg = varchar)",
        back: "lock table users; drop operator postgres.~~ (varchar, varchar);
               drop function postgres.likes(varchar, varchar); drop schema postgres",
        statements: &["select note::varchar like 'x'::varchar from users"],
        harmless: false,
        transient: true,
    },
    Change {
        name: "a rule comes, and goes with a function",
        sql: "create function harm(text) returns text language sql stable
              as 'select id::text from users limit 1';
              create rule r as on update to plain do instead
              update users set note = users.note returning users.id, users.email, harm(users.note)",
        back: "lock table plain; drop function harm(text) cascade",
        statements: &["update plain set note = note returning id + 0"],
        harmless: false,
        transient: true,
    },
    Change {
        name: "a rule comes",
        sql: "create rule r as on update to plain do instead
              update users set note = users.note returning users.id, users.email, users.note",
        back: "lock table plain; drop rule r on plain",
        statements: &["update plain set note = note returning id + 0"],
        harmless: false,
        transient: true,
    },
    Change {
        name: "a child comes",
        sql: "alter table users inherit plain",
        back: "lock table plain; alter table users no inherit plain",
        statements: &["select id + 0 from plain", "select note || id from plain"],
        harmless: false,
        transient: true,
    },
];
