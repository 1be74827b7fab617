//! Statements whose plans say how many rows Postgres expects by the statistics of keys: `LOW` and
//! `HIGH` are ids.

pub(crate) const ORDERED: &[&str] = &[
    "select name from public.users where id < 'LOW'",
    "select name from public.users where 'LOW' <= id and name > 'a'",
    "select name from public.users where not id > 'LOW'",
    "select name from public.users where id between 'LOW' and 'HIGH'",
    "select name from public.users where id not between symmetric 'HIGH' and 'LOW'",
    "select name from public.users where (id, name) > ('LOW', 'a')",
    "select name from public.users where id > any (array['LOW', 'HIGH']::uuid[])",
    "select name from public.users where id > all ('{LOW,HIGH}'::uuid[])",
    "select name from public.users where id < coalesce('LOW'::uuid, null)",
    "select name from public.users where id < case when true then 'LOW'::uuid end",
    "select name from public.users where id < least('LOW'::uuid, 'HIGH')",
    "select name from public.users where id < uuid 'LOW' or id > cast('HIGH' as uuid)",
    "select name from public.users, (select 'LOW'::uuid as at) s where id < at",
    "select name from public.users, (values ('LOW'::uuid)) s (at) where id < at",
    "with s as (select 'LOW'::uuid as at) select name from public.users, s where id < at",
    "select count(*) from public.users u join public.orders o on o.user_id = u.id where o.user_id < 'LOW'",
    "select name from public.users where id in (select user_id from public.orders where user_id < 'LOW')",
    "select name from (select id as k, name from public.users) s where k < 'LOW'",
    "update public.users set name = name where id < 'LOW'",
    "delete from public.users where id < 'LOW'",
    "select name from public.before_key('LOW')",
];

/// Such with ids in documents and rows, which have no marks.
pub(crate) const UNMARKED: &[&str] = &[
    "select name from public.users where id < (('{\"user\": {\"id\": \"LOW\"}}'::jsonb) #>> '{user,id}')::uuid",
    "select body from public.letters where body < '{\"user\": {\"id\": \"LOW\"}}'",
];

/// A function that Postgres puts in the place of its call.
pub(crate) const FUNCTION: &str = "create function public.before_key(k bigint) returns setof \
    public.users stable language sql as 'select * from public.users where id < k'";
