//! The ways in which a statement can be long.

use super::lexical::LEXICAL;
use super::nests::NESTS;

/// The texts of one kind, by size.
pub(crate) type Kind = (&'static str, fn(usize) -> String);

/// The same of one that may come from another table.
pub(crate) type Text = Box<dyn Fn(usize) -> String>;

pub(crate) fn list(n: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..n).map(item).collect();
    items.join(separator)
}

fn id(n: usize) -> String {
    format!("'00000000-0000-8000-8000-{n:012x}'")
}

pub(crate) fn nest(n: usize, open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(n), inner, &close.repeat(n)].concat()
}

/// All of them.
pub(crate) fn all() -> Vec<(String, Text)> {
    let kinds = [LISTS, QUERIES, CHAINS, SCRIPTS, JSON, LEXICAL, MORE].concat();
    let kinds = kinds.into_iter();
    let kinds = kinds.map(|(name, text)| (name.to_owned(), Box::new(text) as Text));
    let nests = NESTS.iter().copied().flatten();
    let nests = nests.map(|nest| {
        let text = |levels| nest.text(levels);
        (format!("nested: {}", nest.name), Box::new(text) as Text)
    });
    kinds.chain(nests).collect()
}

const LISTS: &[Kind] = &[
    ("IN of numbers", |n| {
        format!("SELECT 1 WHERE 1 IN ({})", list(n, ", ", |i| i.to_string()))
    }),
    ("IN of ids", |n| {
        format!("SELECT name FROM users WHERE id IN ({})", list(n, ", ", id))
    }),
    ("IN of parameters", |n| {
        format!(
            "SELECT name FROM users WHERE id IN ({})",
            list(n, ", ", |i| format!("${}", i + 1))
        )
    }),
    ("IN of one parameter", |n| {
        format!(
            "SELECT name FROM users WHERE id IN ({})",
            list(n, ", ", |_| "$1".to_owned())
        )
    }),
    ("IN of strings", |n| {
        format!(
            "SELECT id FROM users WHERE name IN ({})",
            list(n, ", ", |i| format!("'n{i}'"))
        )
    }),
    ("IN of rows", |n| {
        let rows = list(n, ", ", |i| format!("({}, 's')", id(i)));
        format!("SELECT id FROM orders WHERE (user_id, status) IN ({rows})")
    }),
    ("IN of subqueries", |n| {
        let all = list(n, " OR ", |_| {
            "id IN (SELECT user_id FROM orders)".to_owned()
        });
        format!("SELECT id FROM users WHERE {all}")
    }),
    ("EXPLAIN of IN of ids", |n| {
        format!(
            "EXPLAIN SELECT name FROM users WHERE id IN ({})",
            list(n, ", ", id)
        )
    }),
    ("EXPLAIN of IN of parameters", |n| {
        let all = list(n, ", ", |i| format!("${}", i + 1));
        format!("EXPLAIN SELECT name FROM users WHERE id IN ({all})")
    }),
    ("ANY of an array of ids", |n| {
        format!(
            "SELECT name FROM users WHERE id = ANY (ARRAY[{}]::uuid[])",
            list(n, ", ", id)
        )
    }),
    ("casts of parameters", |n| {
        format!("SELECT {}", list(n, ", ", |i| format!("${}::int", i + 1)))
    }),
    ("casts of parameters to uuid", |n| {
        let all = list(n, ", ", |i| format!("${}::uuid", i + 1));
        format!("SELECT name FROM users WHERE id IN ({all})")
    }),
    ("casts of literals", |n| {
        format!(
            "SELECT {}",
            list(n, ", ", |i| format!("'{i}'::int, cast('{i}' AS text)"))
        )
    }),
    ("casts of ids to text", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ", ", |i| format!("id::text AS c{i}"))
        )
    }),
    ("VALUES", |n| {
        format!(
            "VALUES {}",
            list(n, ", ", |i| format!("({i}, 'a{i}', NULL)"))
        )
    }),
    ("VALUES joined", |n| {
        let rows = list(n, ", ", |i| format!("({}, 'a{i}')", id(i)));
        format!(
            "SELECT u.id, v.n FROM (VALUES {rows}) AS v (id, n) JOIN users u ON u.id = v.id::uuid"
        )
    }),
    ("INSERT of rows", |n| {
        format!(
            "INSERT INTO tags (name) VALUES {}",
            list(n, ", ", |i| format!("('a{i}')"))
        )
    }),
    ("INSERT of rows with ids", |n| {
        let rows = list(n, ", ", |i| {
            format!("({}, 'new', {i}, NULL, DEFAULT)", id(i))
        });
        format!(
            "INSERT INTO orders (user_id, status, total_cents, note, placed_at) VALUES {rows} RETURNING id"
        )
    }),
    ("INSERT of parameters", |n| {
        let rows = list(n, ", ", |i| format!("(${}, ${})", 2 * i + 1, 2 * i + 2));
        format!("INSERT INTO orders (user_id, status) VALUES {rows}")
    }),
    ("UPDATE FROM VALUES", |n| {
        let rows = list(n, ", ", |i| format!("({}, 'a{i}')", id(i)));
        format!(
            "UPDATE users SET name = v.n FROM (VALUES {rows}) AS v (id, n) WHERE users.id = v.id::uuid"
        )
    }),
    ("coalesce of numbers", |n| {
        format!("SELECT coalesce({})", list(n, ", ", |i| i.to_string()))
    }),
    ("coalesce of ids", |n| {
        format!(
            "SELECT coalesce({}) FROM users",
            list(n, ", ", |_| "id".to_owned())
        )
    }),
    ("coalesce of parameters", |n| {
        format!(
            "SELECT coalesce({}, id) FROM users",
            list(n, ", ", |i| format!("${}", i + 1))
        )
    }),
    ("greatest of ids", |n| {
        format!("SELECT greatest(id, {}) FROM users", list(n, ", ", id))
    }),
    ("CASE of ids", |n| {
        let all = list(n, " ", |i| format!("WHEN name = 'a{i}' THEN {}", id(i)));
        format!("SELECT CASE {all} ELSE id END FROM users")
    }),
    ("CASE over an id", |n| {
        let all = list(n, " ", |i| format!("WHEN {} THEN {i}", id(i)));
        format!("SELECT CASE id {all} END FROM users")
    }),
    ("CASE of texts with ids", |n| {
        let all = list(n, " ", |i| format!("WHEN name = 'a{i}' THEN 'u' || id"));
        format!("SELECT CASE {all} ELSE 'x' END FROM users")
    }),
    ("CASE of two kinds of ids", |n| {
        let all = list(n, " ", |i| format!("WHEN name = 'a{i}' THEN o.id"));
        format!("SELECT CASE {all} ELSE u.id END FROM users u, orders o")
    }),
    ("ARRAY of numbers", |n| {
        format!("SELECT ARRAY[{}]", list(n, ", ", |i| i.to_string()))
    }),
    ("ARRAY of ids", |n| {
        format!("SELECT ARRAY[id, {}] FROM users", list(n, ", ", id))
    }),
    ("ROW of ids", |n| {
        format!(
            "SELECT ROW({}) FROM users",
            list(n, ", ", |_| "id".to_owned())
        )
    }),
    ("concat of ids", |n| {
        format!(
            "SELECT concat({}) FROM users",
            list(n, ", ", |_| "id, '-'".to_owned())
        )
    }),
];

const QUERIES: &[Kind] = &[
    ("columns", |n| {
        format!("SELECT {} FROM users", list(n, ", ", |_| "id".to_owned()))
    }),
    ("columns with aliases", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ", ", |i| format!("id AS c{i}"))
        )
    }),
    ("columns of literals", |n| {
        format!("SELECT {}", list(n, ", ", |i| format!("'a{i}'")))
    }),
    ("texts with ids", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ", ", |i| format!("'u' || id AS c{i}"))
        )
    }),
    ("whole rows", |n| {
        format!("SELECT {} FROM users u", list(n, ", ", |_| "u".to_owned()))
    }),
    ("stars", |n| {
        format!(
            "SELECT {} FROM users u",
            list(n, ", ", |_| "u.*".to_owned())
        )
    }),
    ("names of a subquery", |n| {
        let (inner, outer) = (
            list(n, ", ", |i| format!("id AS c{i}")),
            list(n, ", ", |i| format!("c{i}")),
        );
        format!("SELECT {outer} FROM (SELECT {inner} FROM users) t")
    }),
    ("names of a subquery, qualified", |n| {
        let inner = list(n, ", ", |i| format!("id AS c{i}"));
        let outer = list(n, ", ", |i| format!("t.c{i}"));
        format!("SELECT {outer} FROM (SELECT {inner} FROM users) t")
    }),
    ("ORDER BY names", |n| {
        let columns = list(n, ", ", |i| format!("id AS c{i}"));
        format!(
            "SELECT {columns} FROM users ORDER BY {}",
            list(n, ", ", |i| format!("c{i}"))
        )
    }),
    ("ORDER BY expressions", |n| {
        format!(
            "SELECT id FROM users ORDER BY {}",
            list(n, ", ", |i| format!("login_count + {i}"))
        )
    }),
    ("GROUP BY", |n| {
        format!(
            "SELECT count(*) FROM users GROUP BY {}",
            list(n, ", ", |i| format!("login_count + {i}"))
        )
    }),
    ("GROUPING SETS", |n| {
        format!(
            "SELECT count(*) FROM users GROUP BY GROUPING SETS ({})",
            list(n, ", ", |_| "(id, name)".to_owned())
        )
    }),
    ("DISTINCT ON", |n| {
        format!(
            "SELECT DISTINCT ON ({}) id FROM users",
            list(n, ", ", |_| "id".to_owned())
        )
    }),
    ("windows", |n| {
        let names = list(n, ", ", |i| format!("count(*) OVER w{i}"));
        let all = list(n, ", ", |i| {
            format!("w{i} AS (PARTITION BY id ORDER BY name)")
        });
        format!("SELECT {names} FROM users WINDOW {all}")
    }),
    ("calls", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ", ", |_| "lower(name)".to_owned())
        )
    }),
    ("aggregates of ids", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ", ", |_| "min(id), array_agg(id)".to_owned())
        )
    }),
    ("scalar subqueries", |n| {
        format!(
            "SELECT {}",
            list(n, ", ", |_| "(SELECT id FROM users LIMIT 1)".to_owned())
        )
    }),
    ("joins", |n| {
        let all = list(n, " ", |i| {
            format!("JOIN users u{} ON u{}.id = u{i}.id", i + 1, i + 1)
        });
        format!("SELECT u0.id FROM users u0 {all}")
    }),
    ("joins USING", |n| {
        let all = list(n, " ", |i| format!("JOIN users u{} USING (id)", i + 1));
        format!("SELECT id FROM users u0 {all}")
    }),
    ("cross joins", |n| {
        format!("SELECT 1 FROM {}", list(n, ", ", |i| format!("users u{i}")))
    }),
    ("cross joins with names", |n| {
        let names = list(n, ", ", |i| format!("u{i}.id"));
        format!(
            "SELECT {names} FROM {}",
            list(n, ", ", |i| format!("users u{i}"))
        )
    }),
    ("CROSS JOIN", |n| {
        format!(
            "SELECT 1 FROM users u {}",
            list(n, " ", |i| format!("CROSS JOIN users u{i}"))
        )
    }),
    ("LATERAL", |n| {
        let all = list(n, ", ", |i| {
            format!("LATERAL (SELECT o.id FROM orders o WHERE o.user_id = u.id) l{i}")
        });
        format!("SELECT l0.id FROM users u, {all}")
    }),
    ("subqueries in FROM", |n| {
        format!(
            "SELECT 1 FROM {}",
            list(n, ", ", |i| format!("(SELECT id FROM users) s{i}"))
        )
    }),
    ("WITH in a list", |n| {
        let all = list(n, ", ", |i| format!("c{i} AS (SELECT id FROM users)"));
        format!("WITH {all} SELECT id FROM c0")
    }),
    ("WITH in a chain", |n| {
        let all = list(n, ", ", |i| format!("c{} AS (SELECT id FROM c{i})", i + 1));
        format!("WITH c0 AS (SELECT id FROM users), {all} SELECT id FROM c{n}")
    }),
    ("WITH, all joined", |n| {
        let all = list(n, ", ", |i| format!("c{i} AS (SELECT id FROM users)"));
        format!(
            "WITH {all} SELECT 1 FROM {}",
            list(n, ", ", |i| format!("c{i}"))
        )
    }),
    ("views", |n| {
        format!("SELECT 1 FROM {}", list(n, ", ", |i| format!("v4 AS x{i}")))
    }),
    ("calls of SQL functions", |n| {
        format!(
            "SELECT {}",
            list(n, ", ", |i| format!("user_email({})", id(i)))
        )
    }),
    ("UNION ALL", |n| {
        list(n, " UNION ALL ", |_| "SELECT id FROM users".to_owned())
    }),
    ("UNION of two kinds", |n| {
        list(n, " UNION ALL ", |_| {
            "SELECT id FROM users UNION ALL SELECT id FROM orders".to_owned()
        })
    }),
    ("UNION of many kinds, as text", |n| {
        list(n, " UNION ALL ", |_| {
            "SELECT id::text FROM users UNION ALL SELECT name FROM users UNION ALL SELECT id::text FROM orders".to_owned()
        })
    }),
    ("UNION of texts with ids", |n| {
        list(n, " UNION ", |_| "SELECT 'u' || id FROM users".to_owned())
    }),
    ("UNION of literals", |n| {
        format!(
            "SELECT id FROM users UNION {}",
            list(n, " UNION ", |i| format!("SELECT {}", id(i)))
        )
    }),
    ("EXCEPT", |n| {
        list(n, " EXCEPT ", |_| "SELECT id FROM users".to_owned())
    }),
];

const CHAINS: &[Kind] = &[
    ("AND", |n| {
        format!(
            "SELECT id FROM users WHERE {}",
            list(n, " AND ", |i| format!("login_count <> {i}"))
        )
    }),
    ("OR of ids", |n| {
        format!(
            "SELECT name FROM users WHERE {}",
            list(n, " OR ", |i| format!("id = {}", id(i)))
        )
    }),
    ("OR of ANDs", |n| {
        let all = list(n, " OR ", |i| format!("(id = {} AND name = 'a{i}')", id(i)));
        format!("SELECT name FROM users WHERE {all}")
    }),
    ("+", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, " + ", |_| "login_count".to_owned())
        )
    }),
    ("||", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, " || ", |_| "name".to_owned())
        )
    }),
    ("|| with ids", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, " || ", |_| "'a' || id".to_owned())
        )
    }),
    ("|| of literals", |n| {
        format!("SELECT {}", list(n, " || ", |i| format!("'a{i}'")))
    }),
    ("::", |n| {
        format!("SELECT 1{} FROM users", "::int".repeat(n))
    }),
    (":: of an id", |n| {
        format!("SELECT id{} FROM users", "::text::uuid".repeat(n))
    }),
    (":: of an id, character varying", |n| {
        format!(
            "SELECT id{} FROM users",
            "::character varying::uuid".repeat(n)
        )
    }),
    ("::character varying", |n| {
        format!("SELECT name{} FROM users", "::character varying".repeat(n))
    }),
    ("::text of a parameter", |n| {
        format!("SELECT $1{}", "::text".repeat(n))
    }),
    ("::jsonb::text of a parameter", |n| {
        format!("SELECT $1{}", "::jsonb::text".repeat(n))
    }),
    ("subscripts", |n| {
        format!(
            "SELECT (array_agg(login_count)){} FROM users",
            "[1]".repeat(n)
        )
    }),
    ("IS NULL", |n| {
        format!("SELECT id FROM users WHERE id{}", " IS NULL".repeat(n))
    }),
    ("BETWEEN", |n| {
        let all = list(n, " OR ", |i| {
            format!("id BETWEEN {} AND {}", id(i), id(i + 1))
        });
        format!("SELECT 1 FROM users WHERE {all}")
    }),
    ("LIKE", |n| {
        let all = list(n, " OR ", |i| format!("name LIKE 'a{i}%'"));
        format!("SELECT id FROM users WHERE {all}")
    }),
    ("minus signs", |n| {
        format!("SELECT {}1 FROM users", "- ".repeat(n))
    }),
    ("NOT", |n| {
        format!("SELECT {}true FROM users", "NOT ".repeat(n))
    }),
];

const SCRIPTS: &[Kind] = &[
    ("statements", |n| list(n, ";", |i| format!("SELECT {i}"))),
    ("statements with ids", |n| {
        list(n, ";", |i| {
            format!("SELECT name FROM users WHERE id = {}", id(i))
        })
    }),
    ("statements that insert", |n| {
        list(n, ";\n", |i| {
            format!(
                "INSERT INTO orders (user_id, status) VALUES ({}, 'a{i}')",
                id(i)
            )
        })
    }),
    ("transactions", |n| "BEGIN; SELECT 1; COMMIT;".repeat(n)),
    ("settings", |n| "SET work_mem = '1MB';".repeat(n)),
    ("empty statements", |n| ";".repeat(n)),
    ("EXECUTE", |n| {
        list(n, ";", |i| format!("EXECUTE p{i}({})", id(i)))
    }),
    ("PREPARE", |n| {
        list(n, ";", |i| {
            format!("PREPARE p{i} AS SELECT name FROM users WHERE id = $1")
        })
    }),
    ("a DO block", |n| {
        format!("DO $$ BEGIN {} END $$", "PERFORM 1;".repeat(n))
    }),
    ("CREATE TABLE", |n| {
        format!(
            "CREATE TABLE t ({})",
            list(n, ", ", |i| format!("c{i} text NOT NULL"))
        )
    }),
    ("CREATE TABLE AS", |n| {
        format!(
            "CREATE TEMP TABLE t AS SELECT {} FROM users",
            list(n, ", ", |i| format!("name AS c{i}"))
        )
    }),
    ("COPY columns", |n| {
        format!(
            "COPY wide ({}) FROM STDIN",
            list(n, ", ", |i| format!("c{}", i % 1500))
        )
    }),
    ("NOTIFY", |n| format!("NOTIFY c, '{}'", "x".repeat(n))),
    ("GRANT", |n| {
        format!(
            "GRANT SELECT ON {} TO x",
            list(n, ", ", |i| format!("t{i}"))
        )
    }),
    ("DROP", |n| {
        format!("DROP TABLE {}", list(n, ", ", |i| format!("t{i}")))
    }),
];

const JSON: &[Kind] = &[
    ("json_build_object", |n| {
        format!(
            "SELECT json_build_object({}) FROM users",
            list(n, ", ", |i| format!("'k{i}', id"))
        )
    }),
    ("json_build_array", |n| {
        format!(
            "SELECT json_build_array({}) FROM users",
            list(n, ", ", |_| "id".to_owned())
        )
    }),
    ("json_agg", |n| {
        format!(
            "SELECT {} FROM users u",
            list(n, ", ", |_| "json_agg(u)".to_owned())
        )
    }),
    ("row_to_json", |n| {
        format!(
            "SELECT {} FROM users u",
            list(n, ", ", |_| "row_to_json(u)".to_owned())
        )
    }),
    ("jsonb path in a chain", |n| {
        format!("SELECT $1::jsonb{} FROM users", " -> 'a'".repeat(n))
    }),
    ("jsonb members of one parameter", |n| {
        format!(
            "SELECT {}",
            list(n, ", ", |i| format!("$1::jsonb -> 'k{i}'"))
        )
    }),
    ("json_build_array of rows", |n| {
        format!(
            "SELECT json_build_array({}) FROM users u",
            list(n, ", ", |_| "u".to_owned())
        )
    }),
    ("jsonb paths beside another", |n| {
        let all = list(n, " OR ", |i| format!("id = ($1::jsonb ->> 'k{i}')::uuid"));
        format!("SELECT name FROM users WHERE {all}")
    }),
    ("jsonb_to_recordset", |n| {
        format!(
            "SELECT 1 FROM jsonb_to_recordset('[]') AS r ({})",
            list(n, ", ", |i| format!("c{i} int"))
        )
    }),
];

const MORE: &[Kind] = &[
    ("joins in joins, each with a name", |n| {
        let open: String = (0..n).map(|i| format!("users u{i} JOIN (")).collect();
        let close: String = (0..n)
            .rev()
            .map(|i| format!(") ON u{i}.name = z.name"))
            .collect();
        format!("SELECT 1 FROM {open}users z CROSS JOIN orders{close}")
    }),
    ("INSERT of columns", |n| {
        let count = n.min(1500);
        let (names, values) = (
            list(count, ", ", |i| format!("c{i}")),
            list(count, ", ", |i| format!("'v{i}'")),
        );
        format!("INSERT INTO wide ({names}) VALUES ({values})")
    }),
    ("UPDATE SET", |n| {
        format!(
            "UPDATE users SET {} WHERE id = $1",
            list(n, ", ", |i| format!("name = 'a{i}'"))
        )
    }),
    ("UPDATE of many columns", |n| {
        format!(
            "UPDATE wide SET {}",
            list(n.min(1500), ", ", |i| format!("c{i} = 'a{i}'"))
        )
    }),
    ("ON CONFLICT", |n| {
        let all = list(n, ", ", |_| "name = excluded.name".to_owned());
        format!(
            "INSERT INTO users (name) VALUES ('a') ON CONFLICT (id) DO UPDATE SET {all} RETURNING id"
        )
    }),
    ("RETURNING", |n| {
        format!(
            "INSERT INTO users (name) VALUES ('a') RETURNING {}",
            list(n, ", ", |i| format!("id AS c{i}"))
        )
    }),
    ("MERGE", |n| {
        let all = list(n, " ", |i| {
            format!("WHEN MATCHED AND o.total_cents = {i} THEN UPDATE SET status = 'a{i}'")
        });
        format!("MERGE INTO orders o USING users u ON o.user_id = u.id {all}")
    }),
    ("WHERE with names", |n| {
        let all = list(n, " AND ", |i| {
            format!("u.name <> 'x{i}' AND u.login_count < {i}")
        });
        format!("SELECT u.id FROM users u JOIN orders o ON o.user_id = u.id WHERE {all}")
    }),
    ("names of all parameters", |n| {
        let all = list(n, " OR ", |i| {
            format!("(u.id = $1 AND o.id = $2 AND u.name = ${})", i + 3)
        });
        format!("SELECT u.id FROM users u, orders o WHERE {all}")
    }),
    ("lower of literals", |n| {
        let all = list(n, ", ", |i| format!("lower({})::uuid", id(i)));
        format!("SELECT name FROM users WHERE id IN ({all})")
    }),
    ("string_to_array", |n| {
        let all = list(n, " OR ", |_| {
            "id = ANY (string_to_array($1, ',')::uuid[])".to_owned()
        });
        format!("SELECT name FROM users WHERE {all}")
    }),
    ("LIKE of ids", |n| {
        let all = list(n, " OR ", |i| format!("id::text LIKE ${}", i + 1));
        format!("SELECT name FROM users WHERE {all}")
    }),
    ("char(n) casts of columns", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ", ", |i| format!("name::varchar({}) AS c{i}", i + 1))
        )
    }),
    ("members of rows", |n| {
        format!(
            "SELECT {} FROM users u",
            list(n, ", ", |_| "(u).id".to_owned())
        )
    }),
    ("functions in FROM", |n| {
        format!(
            "SELECT 1 FROM {}",
            list(n, ", ", |i| format!("generate_series(1, {i}) g{i}"))
        )
    }),
    ("unnest of ids", |n| {
        format!(
            "SELECT 1 FROM {}",
            list(n, ", ", |i| format!("unnest($1::uuid[]) AS g{i}"))
        )
    }),
];
