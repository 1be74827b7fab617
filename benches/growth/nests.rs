//! The ways in which a statement can nest: what stands in itself. Both benches of growth try them.

/// A text that nests: what is around one level, and what is around all of them.
pub(crate) struct Nest {
    pub(crate) name: &'static str,
    before: &'static str,
    open: &'static str,
    inner: &'static str,
    close: &'static str,
    behind: &'static str,
}

impl Nest {
    /// The text of so many levels.
    pub(crate) fn text(&self, levels: usize) -> String {
        let (open, close) = (self.open.repeat(levels), self.close.repeat(levels));
        [self.before, &open, self.inner, &close, self.behind].concat()
    }
}

const fn nest(
    name: &'static str,
    before: &'static str,
    [open, inner, close]: [&'static str; 3],
    behind: &'static str,
) -> Nest {
    Nest {
        name,
        before,
        open,
        inner,
        close,
        behind,
    }
}

/// An expression that nests, as a result column.
const fn value(name: &'static str, levels: [&'static str; 3]) -> Nest {
    nest(name, "SELECT ", levels, " FROM users")
}

/// An expression that nests around a column that is not there.
const fn missing(name: &'static str, [open, close]: [&'static str; 2]) -> Nest {
    value(name, [open, "nobody", close])
}

/// A query that nests.
const fn query(name: &'static str, levels: [&'static str; 3]) -> Nest {
    nest(name, "", levels, "")
}

/// A FROM item that nests.
const fn item(name: &'static str, levels: [&'static str; 3]) -> Nest {
    nest(name, "SELECT 1 FROM ", levels, "")
}

const ROWS: &str = "SELECT id FROM users";

/// All of them.
pub(crate) const NESTS: &[&[Nest]] = &[
    BRACKETS, CALLS, VALUES, QUERIES, OPERATIONS, STATEMENTS, MISSING,
];

/// What nests around a column that is not there: Postgres says so as soon as it has read the text.
const MISSING: &[Nest] = &[
    missing(
        "functions of a schema around what is not there",
        ["pg_catalog.lower(", ")"],
    ),
    missing("lower around what is not there", ["lower(", ")"]),
    missing(
        "lower and || around what is not there",
        ["lower(", " || 'a')"],
    ),
    missing(
        "scalar subqueries around what is not there",
        ["(SELECT ", ")"],
    ),
    missing("ROW around what is not there", ["ROW(", ")"]),
    missing("ARRAY around what is not there", ["ARRAY[", "]"]),
    missing(
        "CASE in WHEN around what is not there",
        ["CASE WHEN ", " THEN true END"],
    ),
    missing(
        "CASE over CASE around what is not there",
        ["CASE ", " WHEN 1 THEN 2 END"],
    ),
    missing("CAST around what is not there", ["CAST(", " AS text)"]),
    missing("coalesce around what is not there", ["coalesce(", ", 1)"]),
    missing("nullif around what is not there", ["nullif(", ", 1)"]),
    missing("greatest around what is not there", ["greatest(", ")"]),
    missing(
        "jsonb_build_object around what is not there",
        ["jsonb_build_object(1, ", ")"],
    ),
    missing("TRIM around what is not there", ["trim(", ")"]),
    missing(
        "SUBSTRING around what is not there",
        ["substring(", " FROM 1)"],
    ),
    missing("EXISTS around what is not there", ["EXISTS (SELECT ", ")"]),
    missing(
        "OVERLAY around what is not there",
        ["overlay(", " PLACING 'a' FROM 1)"],
    ),
    missing(
        "FILTER around what is not there",
        ["count(", ") FILTER (WHERE true)"],
    ),
    missing(
        "sorted aggregates around what is not there",
        ["string_agg(", ", '' ORDER BY 1)"],
    ),
    missing("named arguments around what is not there", ["f(a => ", ")"]),
    missing("COLLATE around what is not there", ["(", " COLLATE \"C\")"]),
    missing("IN around what is not there", ["(", " IN (1, 2))"]),
    missing("LIKE around what is not there", ["(", " LIKE 'a')"]),
    missing("IS NULL around what is not there", ["(", " IS NULL)"]),
    missing(
        "AT TIME ZONE around what is not there",
        ["(", " AT TIME ZONE 'x')"],
    ),
    missing("subscripts around what is not there", ["(", ")[1]"]),
    missing("members around what is not there", ["(", ").x"]),
    missing("NOT around what is not there", ["NOT (", ")"]),
    missing("parentheses around what is not there", ["(", ")"]),
];

const BRACKETS: &[Nest] = &[
    value("parentheses", ["(", "id", ")"]),
    value("parentheses with +", ["(1 + ", "login_count", ")"]),
    value("parentheses with + behind", ["(", "login_count", " + 1)"]),
    value("parentheses with =", ["(true = ", "true", ")"]),
    value("parentheses with = behind", ["(", "true", " = true)"]),
    value("parentheses with AND", ["(true AND ", "true", ")"]),
    value("parentheses with AND behind", ["(", "true", " AND true)"]),
    value("parentheses with || and an id", ["('a' || ", "id", ")"]),
    value("parentheses with || behind", ["(", "id", " || 'a')"]),
    value("parentheses with IS NULL", ["(", "id", " IS NULL)"]),
    value(
        "parentheses with DISTINCT",
        ["(", "true", " IS DISTINCT FROM true)"],
    ),
    value(
        "parentheses with BETWEEN",
        ["(1 BETWEEN 0 AND ", "1", ")::int"],
    ),
    value("parentheses with LIKE", ["('a' LIKE ", "'a'", ")::text"]),
    value("parentheses with IN", ["(", "true", " IN (true, false))"]),
    value(
        "parentheses with IN in front",
        ["(true IN (false, ", "true", "))"],
    ),
    value(
        "parentheses with IN of ids",
        ["(", "id", " IN (id))::text::uuid"],
    ),
    value("parentheses with COLLATE", ["(", "name", " COLLATE \"C\")"]),
    value(
        "parentheses with AT TIME ZONE",
        ["(", "now()", " AT TIME ZONE 'UTC')"],
    ),
    value("parentheses with ::text", ["(", "id", ")::text"]),
    value(
        "parentheses with ::varchar(40)",
        ["(", "id", "::varchar(40))"],
    ),
    value("parentheses with minus", ["- (", "login_count", ")"]),
    value("parentheses with NOT", ["NOT (", "true", ")"]),
    value(
        "parentheses with ->",
        ["('{}'::jsonb -> ", "'a'", ")::text"],
    ),
    value("parentheses with -> behind", ["(", "$1::jsonb", " -> 'a')"]),
    value(
        "parentheses with ->> and json",
        ["(", "$1::jsonb", " ->> 'a')::jsonb"],
    ),
    value(
        "parentheses with = ANY",
        ["(true = ANY (ARRAY[", "true", "]))"],
    ),
    item("parentheses in FROM", ["(", "users CROSS JOIN orders", ")"]),
    query("parentheses around a query", ["(", ROWS, ")"]),
];

const CALLS: &[Nest] = &[
    value("calls in calls", ["abs(", "login_count", ")"]),
    value(
        "calls in calls with more behind",
        ["round(", "login_count", ", 1)"],
    ),
    value("lower in lower of text", ["lower(", "name", ")"]),
    value("concat in concat", ["concat('a', ", "id", ")"]),
    value("concat in concat, in front", ["concat(", "id", ", 'a')"]),
    value("format in format", ["format('%s', ", "id", ")"]),
    value("coalesce in coalesce", ["coalesce(id, ", "id", ")"]),
    value(
        "coalesce in coalesce, in front",
        ["coalesce(", "id", ", id)"],
    ),
    value(
        "coalesce of parameters in itself",
        ["coalesce($1, ", "id", ")"],
    ),
    value("nullif in nullif", ["nullif(", "id", ", id)"]),
    value("nullif in nullif, behind", ["nullif(id, ", "id", ")"]),
    value("greatest in greatest", ["greatest(id, ", "id", ")"]),
    value(
        "json_build_object in itself",
        ["json_build_object('a', ", "id", ")"],
    ),
    value(
        "json_build_array in itself",
        ["json_build_array(1, ", "id", ")"],
    ),
    value("to_jsonb in itself", ["to_jsonb(", "id", ")"]),
    value("row_to_json of rows", ["row_to_json(ROW(1, ", "1", "))"]),
    value(
        "jsonb_set in itself",
        ["jsonb_set(", "$1::jsonb", ", '{a}', '1')"],
    ),
    value(
        "jsonb_path_query in itself",
        ["jsonb_path_query_first(", "$1::jsonb", ", '$.a')"],
    ),
    value(
        "array_append in itself",
        ["array_append(", "ARRAY[id]", ", id)"],
    ),
    value(
        "named arguments",
        ["make_interval(days => ", "1", ")::text::int"],
    ),
    value(
        "FILTER in FILTER",
        ["(SELECT count(*) FILTER (WHERE ", "0", " > 0) FROM users)"],
    ),
    value(
        "OVER in OVER",
        [
            "(SELECT sum(1) OVER (PARTITION BY ",
            "1",
            ") FROM users LIMIT 1)",
        ],
    ),
    value(
        "sorted aggregates",
        [
            "(SELECT string_agg('a', '' ORDER BY ",
            "name",
            ") FROM users)",
        ],
    ),
    value("aggregates of ids", ["(SELECT min(", "id", ") FROM users)"]),
    value(
        "array_agg in array_agg",
        ["(SELECT array_agg(", "id", ") FROM users)"],
    ),
    value(
        "json_agg in json_agg",
        ["(SELECT json_agg(", "id", ") FROM users)"],
    ),
    value(
        "WITHIN GROUP",
        [
            "(SELECT mode() WITHIN GROUP (ORDER BY ",
            "id",
            ") FROM users)",
        ],
    ),
];

const VALUES: &[Nest] = &[
    value("CASE in CASE", ["CASE WHEN true THEN ", "id", " END"]),
    value(
        "CASE in ELSE",
        ["CASE WHEN false THEN id ELSE ", "id", " END"],
    ),
    value("CASE in WHEN", ["CASE WHEN ", "true", " THEN true END"]),
    value("CASE over CASE", ["CASE ", "id", " WHEN id THEN id END"]),
    value(
        "CASE with texts and ids",
        ["CASE WHEN true THEN name ELSE ", "id::text", " END"],
    ),
    value("ARRAY in ARRAY", ["ARRAY[", "id", "]"]),
    value("ARRAY of calls", ["ARRAY[abs(", "1", ")]"]),
    value("ARRAY and subscript", ["(ARRAY[", "id", "])[1]"]),
    value("subscripts in subscripts", ["(ARRAY[1, 2])[", "1", "]"]),
    value("ROW in ROW", ["ROW(", "id", ")"]),
    value("ROW in ROW beside others", ["ROW(id, ", "id", ", name)"]),
    value("ROW of parameters in ROW", ["ROW($1, ", "id", ")"]),
    value("rows in rows", ["(1, ", "id", ")"]),
    value("ROW and members", ["(ROW(", "id", ")).f1"]),
    value("ROW of documents", ["ROW($1::jsonb, ", "id", ")"]),
    value("ROW in ARRAY", ["ROW(ARRAY[", "id", "])"]),
    value("ROW as text", ["ROW(", "id", ")::text"]),
    value("rows as text", ["(id, ", "id", ")::text"]),
    value("rows as text, in front", ["(", "id", ", id)::text"]),
    nest(
        "ROW in ROW, as text",
        "SELECT ",
        ["ROW(", "id", ")"],
        "::text FROM users",
    ),
    nest(
        "rows in rows, as text",
        "SELECT ",
        ["(1, ", "id", ")"],
        "::text FROM users",
    ),
    nest(
        "rows in rows in front, as text",
        "SELECT ",
        ["(", "id", ", 1)"],
        "::text FROM users",
    ),
    nest(
        "rows in brackets in rows, as text",
        "SELECT ",
        ["((id, ", "id", "))"],
        "::text FROM users",
    ),
    value("ROW = ROW", ["(ROW(1) = ROW(", "1", "))::int"]),
    value("CAST in CAST", ["CAST(", "login_count", " AS int)"]),
    value(
        "CAST of ids in CAST",
        ["CAST(CAST(", "id", " AS text) AS uuid)"],
    ),
    value(
        "CAST of ids in CAST, to character varying",
        ["CAST(CAST(", "id", " AS character varying) AS uuid)"],
    ),
    value(
        "CAST to character varying in CAST",
        ["CAST(", "name", " AS character varying)"],
    ),
    value(
        "CAST of calls to character varying",
        ["CAST(lower(", "name", ") AS character varying)"],
    ),
    value(
        "CAST to varchar in CAST",
        ["CAST(", "name", " AS varchar(10))"],
    ),
    value(
        "EXTRACT",
        ["extract(year FROM now() + ", "1", " * interval '1 day')"],
    ),
    value("SUBSTRING", ["substring(", "name", " FROM 1)"]),
    value("TRIM", ["trim(", "name", ")"]),
    value("OVERLAY", ["overlay(", "name", " PLACING 'a' FROM 1)"]),
    value("POSITION", ["position('a' IN ", "name", ")::text"]),
];

const QUERIES: &[Nest] = &[
    value("scalar in scalar subqueries", ["(SELECT ", "id", ")"]),
    value("scalar subqueries with names", ["(SELECT ", "id", " AS a)"]),
    value("scalar subqueries with calls", ["(SELECT abs(", "1", "))"]),
    value(
        "scalar subqueries with CASE",
        ["(SELECT CASE WHEN true THEN ", "id", " END)"],
    ),
    value(
        "scalar subqueries of tables",
        ["(SELECT ", "id", " FROM users LIMIT 1)"],
    ),
    value("scalar subqueries of VALUES", ["(VALUES (", "id", "))"]),
    value("ARRAY of subqueries", ["(ARRAY(SELECT ", "id", "))[1]"]),
    value("LIMIT in LIMIT", ["(SELECT 1 LIMIT ", "1", ")"]),
    value(
        "ORDER BY in ORDER BY",
        ["(SELECT 1 ORDER BY ", "1 + 1", ")"],
    ),
    query("subqueries in subqueries", ["SELECT * FROM (", ROWS, ") t"]),
    query("subqueries with names", ["SELECT id FROM (", ROWS, ") t"]),
    query(
        "subqueries with names of columns",
        ["SELECT a AS id FROM (", ROWS, ") t (a)"],
    ),
    query(
        "subqueries joined",
        [
            "SELECT u.id FROM users u JOIN (",
            ROWS,
            ") t ON u.id = t.id",
        ],
    ),
    item(
        "LATERAL in LATERAL",
        ["users u, LATERAL (SELECT 1 FROM ", "users", ") t"],
    ),
    item(
        "LATERAL queries",
        ["users u, LATERAL (SELECT u.id FROM ", "users", ") t"],
    ),
    query(
        "EXISTS in EXISTS",
        ["SELECT 1 FROM users WHERE EXISTS (", ROWS, ")"],
    ),
    query(
        "NOT EXISTS",
        ["SELECT 1 FROM users WHERE NOT EXISTS (", ROWS, ")"],
    ),
    query(
        "IN in IN",
        ["SELECT id FROM users WHERE id IN (", ROWS, ")"],
    ),
    query(
        "ANY in ANY",
        ["SELECT id FROM users WHERE id = ANY (", ROWS, ")"],
    ),
    query(
        "rows IN in IN",
        [
            "SELECT id, id FROM users WHERE (id, id) IN (",
            "SELECT id, id FROM users",
            ")",
        ],
    ),
    query("WITH in WITH", ["WITH c AS (", ROWS, ") SELECT id FROM c"]),
    query(
        "WITH RECURSIVE in itself",
        ["WITH RECURSIVE c AS (", ROWS, ") SELECT id FROM c"],
    ),
    value(
        "WITH in subqueries",
        ["(WITH c AS (SELECT 1) SELECT ", "id", ")"],
    ),
    item(
        "joins in joins",
        ["users u JOIN (", "users z CROSS JOIN orders", ") ON true"],
    ),
    item(
        "joins in joins, with names",
        [
            "users JOIN (orders CROSS JOIN ",
            "tags z",
            ") ON z.name = ''",
        ],
    ),
    item(
        "joins in joins, in front",
        ["(", "users", " JOIN orders ON true)"],
    ),
    item(
        "joins in joins with USING",
        ["(", "users", " JOIN users o USING (id))"],
    ),
    item(
        "joins in joins with USING, behind",
        ["users u JOIN (", "users z CROSS JOIN tags", ") USING (id)"],
    ),
    item(
        "joins in joins with names and USING",
        ["(", "users", " JOIN users o USING (id)) j"],
    ),
    item(
        "joins in joins with NATURAL",
        ["(", "users", " NATURAL JOIN users o)"],
    ),
    item(
        "joins in joins with NATURAL, behind",
        ["users NATURAL JOIN (", "users z NATURAL JOIN users", ")"],
    ),
    item(
        "joins in joins with names and NATURAL",
        ["(", "users", " NATURAL JOIN users o) j"],
    ),
    item(
        "joins with names in joins",
        ["(", "users", " JOIN orders ON true) j"],
    ),
    item(
        "joins with names of columns in joins",
        ["(", "users", " JOIN orders ON true) j (a)"],
    ),
    item(
        "joins with names in joins, asked for columns",
        ["(", "users", " JOIN orders ON login_count = 1) j"],
    ),
    item(
        "joins with names in joins, asked for their columns",
        ["(", "users j", " JOIN orders ON j.login_count = 1) j"],
    ),
    item(
        "joins with names in joins, behind",
        ["(orders JOIN ", "users", " ON true) j"],
    ),
    item(
        "joins of subqueries in joins, in front",
        ["((SELECT 1 AS a FROM ", "users", ") q JOIN orders ON true)"],
    ),
    item(
        "joins in brackets in joins",
        ["((", "users CROSS JOIN tags", ")) CROSS JOIN orders"],
    ),
    item(
        "arrays in FROM",
        ["unnest(ARRAY(SELECT 1 FROM ", "users", ")) g"],
    ),
    nest(
        "GROUPING SETS in themselves",
        "SELECT 1 FROM users GROUP BY ",
        ["GROUPING SETS (", "(id)", ")"],
        "",
    ),
    nest(
        "WHERE of brackets",
        "SELECT 1 FROM users WHERE ",
        ["(id = id AND ", "true", ")"],
        "",
    ),
    nest(
        "ORDER BY of brackets",
        "SELECT 1 FROM users ORDER BY ",
        ["(1 + ", "1", ")"],
        "",
    ),
    nest(
        "HAVING of brackets",
        "SELECT 1 FROM users HAVING ",
        ["(true OR ", "true", ")"],
        "",
    ),
];

const OPERATIONS: &[Nest] = &[
    query(
        "UNION in UNION",
        ["(SELECT id FROM users UNION ", ROWS, ")"],
    ),
    query(
        "UNION in UNION, in front",
        ["(", ROWS, " UNION SELECT id FROM users)"],
    ),
    query(
        "UNION ALL of two kinds",
        [
            "(SELECT id FROM users UNION ALL ",
            "SELECT id FROM orders",
            ")",
        ],
    ),
    query(
        "UNION ALL of two kinds, in front",
        [
            "(",
            "SELECT id FROM orders",
            " UNION ALL SELECT id FROM users)",
        ],
    ),
    query(
        "EXCEPT in EXCEPT",
        ["(SELECT id FROM users EXCEPT ", ROWS, ")"],
    ),
    query(
        "INTERSECT in INTERSECT",
        ["(SELECT 1 INTERSECT ", "SELECT 1", ")"],
    ),
    query(
        "UNION with ORDER BY",
        ["(SELECT id FROM users UNION ", ROWS, " ORDER BY id)"],
    ),
    query(
        "UNION of subqueries",
        ["SELECT id FROM users UNION SELECT * FROM (", ROWS, ") t"],
    ),
    query("VALUES in UNION", ["(VALUES (1) UNION ", "VALUES (1)", ")"]),
];

const STATEMENTS: &[Nest] = &[
    nest(
        "INSERT of nested queries",
        "INSERT INTO tags (name) ",
        ["SELECT name FROM (", "SELECT name FROM users", ") t"],
        "",
    ),
    nest(
        "INSERT of nested values",
        "INSERT INTO tags (name) VALUES (",
        ["lower(", "'a'", ")"],
        ")",
    ),
    nest(
        "INSERT of ids",
        "INSERT INTO orders (user_id) ",
        ["SELECT id FROM (", ROWS, ") t"],
        "",
    ),
    nest(
        "UPDATE of nested values",
        "UPDATE users SET name = ",
        ["(SELECT ", "'a'", ")"],
        "",
    ),
    nest(
        "UPDATE of ids",
        "UPDATE orders SET user_id = ",
        ["coalesce(user_id, ", "$1", ")"],
        "",
    ),
    nest(
        "DELETE of nested queries",
        "DELETE FROM users WHERE id IN (",
        ["SELECT id FROM users WHERE id IN (", ROWS, ")"],
        ")",
    ),
    nest(
        "RETURNING of brackets",
        "INSERT INTO tags (name) VALUES ('a') RETURNING ",
        ["abs(", "1", ")"],
        "",
    ),
    nest(
        "EXPLAIN of subqueries",
        "EXPLAIN ",
        ["SELECT * FROM (", ROWS, ") t"],
        "",
    ),
    nest(
        "EXPLAIN of IN",
        "EXPLAIN ",
        ["SELECT id FROM users WHERE id IN (", ROWS, ")"],
        "",
    ),
    nest(
        "CREATE TABLE AS of queries",
        "CREATE TEMP TABLE t AS ",
        ["SELECT name FROM (", "SELECT name FROM users", ") t"],
        "",
    ),
    nest(
        "a cursor of subqueries",
        "DECLARE c CURSOR FOR ",
        ["SELECT * FROM (", ROWS, ") t"],
        "",
    ),
    nest(
        "PREPARE of subqueries",
        "PREPARE p AS ",
        ["SELECT * FROM (", ROWS, ") t"],
        "",
    ),
    nest(
        "COPY of subqueries",
        "COPY (",
        ["SELECT * FROM (", ROWS, ") t"],
        ") TO STDOUT",
    ),
    nest("EXECUTE of brackets", "EXECUTE p(", ["abs(", "1", ")"], ")"),
];
