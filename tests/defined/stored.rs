//! Ways of an argument of a function in SQL to a column, and of a value to the argument.

/// The function that may return what it is given.
pub(crate) const THROUGH: &str =
    "create function public.through(uid bigint) returns bigint language sql
    as 'select coalesce((select id from public.users where id = uid), uid)'";

/// What the argument `uid` becomes before it is stored.
const WAYS: [&str; 10] = [
    "uid",
    "coalesce(uid, uid)",
    "case when true then uid end",
    "(select uid)",
    "(array[uid])[1]",
    "(select max(u) from (select uid as u) x)",
    "(select x from unnest(array[uid]) x)",
    "greatest(uid, uid)",
    "public.through(uid)",
    "public.through(public.through(uid))",
];

const INSERT: &str = "insert into public.audit_log (table_name, record_id, actor_id, action)";

const ORDER: &str = "(select id from public.orders limit 1)";

/// Bodies that store it.
fn bodies(value: &str) -> [String; 7] {
    let row = format!("{INSERT} values ('f', {ORDER}, {value}, 'f')");
    [
        row.clone(),
        format!("{INSERT} select 'f', o.id, {value}, 'f' from {ORDER} o"),
        format!("update public.audit_log set actor_id = {value} where action = 'seed'"),
        format!("update public.users set name = name where id = uid; {row}"),
        format!("with x as (select {value} as v) {INSERT} select 'f', {ORDER}, v, 'f' from x"),
        format!("with x as ({row} returning actor_id) select count(*) from x"),
        format!(
            "{INSERT} select 'f', {ORDER}, uid, 'f' union all select 'f', {ORDER}, {value}, 'f'"
        ),
    ]
}

/// All of them.
pub(crate) fn all() -> Vec<String> {
    WAYS.iter().flat_map(|way| bodies(way)).collect()
}

/// Calls of a function with an id.
pub(crate) fn calls(function: &str, id: &str) -> [String; 8] {
    [
        format!("select {function}('{id}')"),
        format!("select {function}(uid => '{id}')"),
        format!("select {function}(coalesce('{id}', id)) from public.users limit 1"),
        format!("select {function}(k) from (select '{id}'::uuid k) x"),
        format!(
            "select {function}(k) from public.users u right join (select '{id}'::uuid k) x on u.id = x.k"
        ),
        format!("select {function}(public.through('{id}'))"),
        format!(
            "select {function}(case when true then '{id}' else id end) from public.users limit 1"
        ),
        format!("prepare p as select {function}($1); execute p('{id}')"),
    ]
}
