//! Functions of the schema's owner that find or change rows by what they are given, and others that
//! don't: language, arguments, result and code.

/// Functions of the owner that go by what they are given, by name, arguments, result and code.
pub(crate) const GOING_BY_KEYS: &[(&str, &str, &str, &str)] = &[
    (
        "plpgsql",
        "u bigint",
        "bool",
        "begin update public.users set name = name where id = u; return found; end",
    ),
    (
        "plpgsql",
        "u text",
        "bool",
        "begin return exists (select from public.users where id = u::bigint); end",
    ),
    (
        "plpgsql",
        "u jsonb",
        "bool",
        "begin return exists (select from public.users where id = (u #>> '{}')::bigint); end",
    ),
    (
        "plpgsql",
        "u numeric",
        "void",
        "begin delete from public.users where id = u and false; end",
    ),
    (
        "plpgsql",
        "u text",
        "bool",
        "begin execute 'select 1 from public.' || 'users where id = ' || u; return true; end",
    ),
    (
        "plpgsql",
        "u bigint",
        "setof public.users",
        "begin return query select * from public.users where id = u; end",
    ),
    (
        "plpgsql",
        "u text",
        "setof public.users",
        "begin return query select * from public.users where id = u::bigint; end",
    ),
    (
        "plpgsql",
        "u bigint",
        "date",
        "begin return (select created_at::date from public.users where id = u); end",
    ),
    (
        "plpgsql",
        "variadic u bigint[]",
        "bool",
        "begin return exists (select from public.users where id = any (u)); end",
    ),
    (
        "plpgsql",
        "u bigint",
        "bool",
        "begin return public.inner_one(u); end",
    ),
    (
        "sql",
        "u bigint",
        "void",
        "update public.users set name = name where id = u",
    ),
    (
        "sql",
        "u text",
        "bool",
        "update public.users set name = name where id = u::bigint returning true",
    ),
    (
        "sql",
        "u text",
        "bool",
        "select exists (select from public.users where id = u::bigint)",
    ),
    (
        "sql",
        "u jsonb",
        "text",
        "select name from public.users where id = (u #>> '{}')::bigint",
    ),
    (
        "sql",
        "u text",
        "text",
        "select name from public.users where id::text = u",
    ),
    (
        "sql",
        "u numeric",
        "bool",
        "select exists (select from public.users where id >= u)",
    ),
    (
        "sql",
        "u text",
        "bool",
        "select exists (select from public.users where id in (7, u::bigint))",
    ),
    (
        "sql",
        "u text",
        "bool",
        "select true from public.orders; select exists (select from public.users where id = u::bigint)",
    ),
    (
        "sql",
        "u text, v bool default true",
        "bool",
        "select exists (select from public.users where id = u::bigint and is_active = v)",
    ),
    (
        "sql",
        "u text",
        "bool",
        "select exists (select from public.users where id = (select u::bigint))",
    ),
    (
        "sql",
        "u text",
        "bool",
        "select exists (select from public.users where id = any (array[u]::bigint[]))",
    ),
    (
        "sql",
        "u timestamptz",
        "bool",
        "select exists (select from public.users where id = extract(epoch from u)::bigint)",
    ),
    (
        "sql",
        "u interval",
        "bool",
        "select exists (select from public.users where id = extract(epoch from u)::bigint)",
    ),
    (
        "sql",
        "u date",
        "bool",
        "select exists (select from public.users where id = u - date '2000-01-01')",
    ),
    (
        "sql",
        "u bigint",
        "bool",
        "update public.users set name = name where id = u; \
         select exists (select from public.settings s, public.users where number = id)",
    ),
    (
        "sql",
        "u text",
        "void",
        "insert into public.memos (body) values (u)",
    ),
    (
        "sql",
        "u varchar",
        "void",
        "insert into public.memos (short) values (u) on conflict do nothing",
    ),
    (
        "sql",
        "u text",
        "void",
        "select 1; update public.memos set body = u",
    ),
    (
        "sql",
        "u text",
        "bigint",
        "select count(*) from public.memos where body >= u",
    ),
    (
        "sql",
        "u text",
        "bigint",
        "select count(*) from (select body from public.memos intersect select u) x",
    ),
    (
        "sql",
        "u bigint",
        "bool",
        "delete from public.users where id = u and false returning true",
    ),
    (
        "sql",
        "u bigint",
        "timestamptz",
        "with d as (update public.users set name = name where id = u returning created_at) select created_at from d",
    ),
    (
        "sql",
        "u bigint",
        "void",
        "insert into public.orders (user_id) select id from public.users where id = u and false",
    ),
    (
        "sql",
        "u bigint",
        "public.users",
        "select row(u, null, null, null, null, null, null)",
    ),
    (
        "sql",
        "u bigint",
        "setof public.users",
        "select id, email, name, is_active, u, auth_subject, created_at from public.users where id = u + 0",
    ),
    (
        "sql",
        "u bigint default 8613972450000001",
        "bool",
        "select exists (select from public.users where id = u + 0)",
    ),
];

/// Their harmless neighbours.
pub(crate) const GOING_BY_OTHERS: &[(&str, &str, &str, &str)] = &[
    ("plpgsql", "u bigint", "bool", "begin return u > 3; end"),
    (
        "plpgsql",
        "u text",
        "bool",
        "begin return exists (select from public.settings where name = u); end",
    ),
    (
        "plpgsql",
        "",
        "bool",
        "begin return exists (select from public.users); end",
    ),
    (
        "plpgsql",
        "u bool",
        "bool",
        "begin return exists (select from public.users where is_active = u); end",
    ),
    (
        "sql",
        "u text",
        "void",
        "delete from public.settings where name = u",
    ),
];
