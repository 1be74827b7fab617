//! Values that are stored and can't be shown, and every way to ask for them.

/// The rows with them. The smallest integer stands for ids that nobody has, so that it is no key.
pub(crate) const STORED: &str = "
    insert into public.users (id, email, name) overriding system value
        values (-9223372036854775808, 'least@example.org', 'least');
    insert into public.letters (body) values ('{\"user\": {\"id\": \"-9223372036854775808\"}}');";

/// What only reads.
pub(crate) const READING: &[&str] = &[
    "select id from public.users order by name",
    "select name, id from public.users where name = 'least'",
    "select array_agg(id) from public.users",
    "select u from public.users u",
    "select row(id, name) from public.users",
    "select array[row(id)] from public.users",
    "select id::text from public.users",
    "select 'user ' || id from public.users",
    "select string_agg(id::text, ',') from public.users",
    "select to_jsonb(u) from public.users u",
    "select json_agg(id) from public.users",
    "select json_build_object('id', id) from public.users",
    "select least(max(id), min(id)) from public.users",
    "with t as (select id from public.users) select * from t",
    "select id from public.users union select id from public.users",
    "copy public.users (id) to stdout",
    "copy public.users (id) to stdout (format csv, header)",
    "copy public.users (id) to stdout (format binary)",
    "copy (select name, id from public.users) to stdout",
];

/// What changes rows and shows such a value.
pub(crate) const WRITING: &[&str] = &[
    "update public.users set login_count = login_count + 1 where name = 'least' returning id",
    "with u as (update public.users set login_count = login_count + 1 where name = 'least' \
     returning id) select id from u",
];

/// How often rows have been changed.
pub(crate) const CHANGED: &str = "select login_count from public.users where name = 'least'";
