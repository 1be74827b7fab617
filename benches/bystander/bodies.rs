//! Statements that grow, one kind for each way in which they do.

use std::fmt::Write as _;

/// How large a statement is to become, and the ids in it.
pub(crate) struct Side<'a> {
    /// Bytes of the statement through pgveil; the one for the server has as many parts.
    pub(crate) size: usize,
    /// Ids of users as this side spells them, and the type that they have there.
    pub(crate) ids: &'a [String],
    pub(crate) of: &'static str,
}

impl Side<'_> {
    fn id(&self, number: usize) -> &str {
        &self.ids[number % self.ids.len()]
    }

    /// As many parts as make up the size if each takes so many bytes.
    fn parts(&self, bytes: usize) -> usize {
        (self.size / bytes).max(2)
    }

    /// So many parts, one behind the other.
    fn many(&self, bytes: usize, between: &str, part: impl Fn(usize) -> String) -> String {
        let mut text = String::with_capacity(self.size + 100);
        for number in 0..self.parts(bytes) {
            if number > 0 {
                text.push_str(between);
            }
            text.push_str(&part(number));
        }
        text
    }

    /// Ids in quotes, with commas between them.
    fn list(&self) -> String {
        self.many(39, ",", |number| format!("'{}'", self.id(number)))
    }

    /// A chain of parts that each contain the next.
    fn nested(&self, open: &str, middle: &str, close: &str) -> String {
        let depth = self.parts(open.len() + close.len());
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    }
}

/// The longest definition of a view, in bytes: each is in the snapshot of the database.
const LONGEST_VIEW: usize = 1_000_000;

/// Views with definitions of so many bytes.
pub(crate) fn views(sizes: &[usize]) -> String {
    let view = |bytes: &usize| {
        let list: Vec<String> = (0..bytes / 7).map(|n| format!("{n:06}")).collect();
        let list = list.join(",");
        format!("CREATE VIEW view{bytes} AS SELECT id FROM users WHERE login_count IN ({list});")
    };
    let sizes = sizes.iter().filter(|bytes| **bytes <= LONGEST_VIEW);
    sizes.map(view).collect()
}

/// What is sent.
pub(crate) enum Body {
    /// A statement, for both protocols.
    Text(String),
    /// Several of them, for the simple protocol.
    Several(String),
    /// One with parameters in text, for the extended protocol.
    Bound(String, Vec<String>),
    /// A COPY and its data, for the simple protocol.
    Copy(String, Vec<String>),
}

/// A kind: its name, and what it makes of a size.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) body: fn(&Side<'_>) -> Body,
}

const fn kind(name: &'static str, body: fn(&Side<'_>) -> Body) -> Kind {
    Kind { name, body }
}

fn text(before: &str, grown: &str, behind: &str) -> Body {
    Body::Text(format!("{before}{grown}{behind}"))
}

/// The most parameters that a Bind can count.
const PARAMETERS: usize = 65_535;

fn numbers(of: &Side<'_>, bytes: usize) -> (String, usize) {
    let count = of.parts(bytes).min(PARAMETERS);
    let mut text = String::new();
    for number in 1..=count {
        let comma = if number > 1 { "," } else { "" };
        let _ = write!(text, "{comma}${number}");
    }
    (text, count)
}

/// Everything that grows and has no key in it.
pub(crate) const PLAIN: &[Kind] = &[
    kind("in list", |of| {
        text(
            "SELECT 1 IN (",
            &of.many(7, ",", |n| format!("{n:06}")),
            ")",
        )
    }),
    kind("not in list of strings", |of| {
        text(
            "SELECT 'x' NOT IN (",
            &of.many(9, ",", |n| format!("'{n:06}'")),
            ")",
        )
    }),
    kind("array", |of| {
        text(
            "SELECT ARRAY[",
            &of.many(7, ",", |n| format!("{n:06}")),
            "]",
        )
    }),
    kind("casts of parameters", |of| {
        let count = of.parts(14).min(PARAMETERS);
        let casts: Vec<_> = (1..=count).map(|n| format!("${n}::int")).collect();
        let values = vec!["1".to_owned(); count];
        Body::Bound(format!("SELECT 1 IN ({})", casts.join(",")), values)
    }),
    kind("parameters without a type", |of| {
        let (numbers, count) = numbers(of, 8);
        let text = format!("SELECT coalesce({numbers})");
        Body::Bound(text, vec!["x".to_owned(); count])
    }),
    kind("coalesce", |of| {
        text(
            "SELECT coalesce(",
            &of.many(5, ",", |_| "NULL".to_owned()),
            ", 1)",
        )
    }),
    kind("greatest", |of| {
        text(
            "SELECT greatest(",
            &of.many(7, ",", |n| format!("{n:06}")),
            ")",
        )
    }),
    kind("case", |of| {
        let branch = |n| format!(" WHEN 1 = {n:06} THEN 'x'");
        text("SELECT CASE", &of.many(25, "", branch), " END")
    }),
    kind("row", |of| {
        text("SELECT ROW(", &of.many(2, ",", |_| "1".to_owned()), ")")
    }),
    kind("columns", |of| {
        text("SELECT ", &of.many(2, ",", |_| "1".to_owned()), "")
    }),
    kind("columns of a table", |of| {
        text(
            "SELECT ",
            &of.many(5, ",", |_| "note".to_owned()),
            " FROM plain LIMIT 1",
        )
    }),
    kind("explain in list", |of| {
        let list = of.many(7, ",", |n| format!("{n:06}"));
        text("EXPLAIN SELECT * FROM plain WHERE n IN (", &list, ")")
    }),
    kind("explain analyze", |of| {
        let list = of.many(7, ",", |n| format!("{n:06}"));
        let before = "EXPLAIN (ANALYZE, VERBOSE, FORMAT json) SELECT * FROM plain WHERE n IN (";
        text(before, &list, ")")
    }),
    kind("cross joins", |of| {
        let joins = of.many(19, "", |n| format!(" CROSS JOIN one a{n:05}"));
        text("SELECT 1 FROM one", &joins, "")
    }),
    kind("from list", |of| {
        text(
            "SELECT 1 FROM ",
            &of.many(11, ",", |n| format!("one a{n:05}")),
            "",
        )
    }),
    kind("joins on columns", |of| {
        let join = |n| format!(" JOIN one a{n:05} ON a{n:05}.x = one.x");
        text("SELECT 1 FROM one", &of.many(36, "", join), "")
    }),
    kind("ctes", |of| {
        let ctes = of.many(22, ",", |n| format!("a{n:05} AS (SELECT 1 x)"));
        text("WITH ", &ctes, " SELECT x FROM a00000")
    }),
    kind("ctes that use each other", |of| {
        let cte = |n: usize| match n {
            0 => "a00000 AS (SELECT 1 x)".to_owned(),
            n => format!("a{n:05} AS (SELECT x FROM a{:05})", n - 1),
        };
        let last = of.parts(32) - 1;
        let ctes = of.many(32, ",", cte);
        Body::Text(format!("WITH {ctes} SELECT x FROM a{last:05}"))
    }),
    kind("union all", |of| {
        Body::Text(of.many(19, " UNION ALL ", |_| "SELECT 1".to_owned()))
    }),
    kind("except", |of| {
        Body::Text(of.many(16, " EXCEPT ", |_| "SELECT 1".to_owned()))
    }),
    kind("parentheses", |of| {
        text("SELECT ", &of.nested("(", "1", ")"), "")
    }),
    kind("parentheses around a select", |of| {
        Body::Text(of.nested("(", "SELECT 1", ")"))
    }),
    kind("subqueries", |of| {
        text("SELECT ", &of.nested("(SELECT ", "1", ")"), "")
    }),
    kind("subqueries in from", |of| {
        text(
            "SELECT * FROM ",
            &of.nested("(SELECT * FROM ", "one", ") a"),
            "",
        )
    }),
    kind("exists", |of| {
        text(
            "SELECT 1 WHERE ",
            &of.nested("EXISTS (SELECT 1 WHERE ", "true", ")"),
            "",
        )
    }),
    kind("nested case", |of| {
        text(
            "SELECT ",
            &of.nested("CASE WHEN true THEN ", "1", " END"),
            "",
        )
    }),
    kind("calls", |of| {
        text("SELECT ", &of.nested("abs(", "1", ")"), "")
    }),
    kind("nested arrays", |of| {
        text("SELECT ARRAY", &of.nested("[", "1", "]"), "")
    }),
    kind("not", |of| {
        text("SELECT ", &of.nested("NOT ", "true", ""), "")
    }),
    kind("minus", |of| text("SELECT ", &of.nested("- ", "1", ""), "")),
    kind("casts", |of| {
        text("SELECT 1", &of.nested("::int", "", ""), "")
    }),
    kind("collate", |of| {
        text("SELECT 'a'", &of.nested(" COLLATE \"C\"", "", ""), "")
    }),
    kind("indirection", |of| {
        text("SELECT (ARRAY[1])", &of.nested("[1]", "", ""), "")
    }),
    kind("values", |of| {
        let rows = of.many(13, ",", |n| format!("({n:06},'a')"));
        text("SELECT count(*) FROM (VALUES ", &rows, ") v")
    }),
    kind("insert values", |of| {
        let rows = of.many(13, ",", |n| format!("({n:06},'a')"));
        text("INSERT INTO plain_in VALUES ", &rows, "")
    }),
    kind("|| chain", |of| {
        text("SELECT ", &of.many(5, "||", |_| "'a'".to_owned()), "")
    }),
    kind("+ chain", |of| {
        text("SELECT ", &of.many(2, "+", |_| "1".to_owned()), "")
    }),
    kind("and chain", |of| {
        text(
            "SELECT 1 WHERE ",
            &of.many(8, " AND ", |_| "1=1".to_owned()),
            "",
        )
    }),
    kind("or chain", |of| {
        text(
            "SELECT 1 FROM plain WHERE ",
            &of.many(12, " OR ", |n| format!("n={n:06}")),
            "",
        )
    }),
    kind("order by", |of| {
        text(
            "SELECT * FROM one ORDER BY ",
            &of.many(2, ",", |_| "x".to_owned()),
            "",
        )
    }),
    kind("group by", |of| {
        text(
            "SELECT 1 FROM one GROUP BY ",
            &of.many(2, ",", |_| "x".to_owned()),
            "",
        )
    }),
    kind("windows", |of| {
        let windows = of.many(25, ",", |n| format!("w{n:05} AS (ORDER BY x)"));
        text("SELECT x FROM one WINDOW ", &windows, "")
    }),
    kind("statements", |of| {
        Body::Several(of.many(9, ";", |_| "SELECT 1".to_owned()))
    }),
    kind("semicolons", |of| Body::Several(";".repeat(of.size))),
    kind("unions of values", |of| {
        Body::Text(of.many(19, " UNION ALL ", |_| "VALUES(1)".to_owned()))
    }),
    kind("json document", |of| {
        let members = of.many(16, ",", |n| format!("{{\"id\":1{n:07}}}"));
        text("SELECT '[", &members, "]'::jsonb")
    }),
    kind("nested json document", |of| {
        text("SELECT '", &of.nested("[", "1", "]"), "'::jsonb")
    }),
    kind("bound json document", |of| {
        let members = of.many(16, ",", |n| format!("{{\"id\":1{n:07}}}"));
        Body::Bound("SELECT $1::jsonb".to_owned(), vec![format!("[{members}]")])
    }),
    kind("copy in", |of| {
        let lines = |of: &Side<'_>| of.many(9, "", |n| format!("{n:06}\ta\n"));
        Body::Copy("COPY plain_in FROM STDIN".to_owned(), vec![lines(of)])
    }),
    kind("copy in by lines", |of| {
        let count = of.parts(9);
        let lines = (0..count).map(|n| format!("{n:06}\ta\n"));
        Body::Copy("COPY plain_in FROM STDIN".to_owned(), lines.collect())
    }),
    kind("copy out", |of| {
        let count = of.parts(9);
        Body::Text(format!(
            "COPY (SELECT n, 'a' FROM generate_series(1, {count}) n) TO STDOUT"
        ))
    }),
    kind("rows", |of| {
        Body::Text(format!(
            "SELECT n, 'a' FROM generate_series(1, {}) n",
            of.parts(20)
        ))
    }),
    kind("a large value", |of| {
        Body::Text(format!("SELECT repeat('x', {})", of.size))
    }),
    kind("string", |of| text("SELECT '", &"x".repeat(of.size), "'")),
    kind("string with quotes", |of| {
        text("SELECT '", &"''".repeat(of.size / 2), "'")
    }),
    kind("string with escapes", |of| {
        text("SELECT E'", &"\\n".repeat(of.size / 2), "'")
    }),
    kind("dollar string", |of| {
        text("SELECT $a$", &"$ $b$".repeat(of.size / 5), "$a$")
    }),
    kind("bound string", |of| {
        Body::Bound(
            "SELECT length($1::text)".to_owned(),
            vec!["x".repeat(of.size)],
        )
    }),
    kind("number", |of| text("SELECT 1", &"0".repeat(of.size), "")),
    kind("identifier", |of| {
        text("SELECT 1 AS \"", &"x".repeat(of.size), "\"")
    }),
    kind("comment", |of| {
        text("/*", &"*".repeat(of.size), "*/ SELECT 1")
    }),
    kind("nested comments", |of| {
        text("", &of.nested("/*", "", "*/"), " SELECT 1")
    }),
    kind("comments", |of| {
        text("", &of.many(8, "", |_| "--\n/* */".to_owned()), " SELECT 1")
    }),
    kind("blanks", |of| text("SELECT", &" ".repeat(of.size), "1")),
    kind("operators", |of| {
        text("SELECT 1 ", &"@".repeat(of.size), " 1")
    }),
    kind("error message", |of| {
        text("SELECT '", &"x".repeat(of.size), "'::int")
    }),
    kind("unknown column", |of| {
        text("SELECT \"", &"x".repeat(of.size), "\" FROM plain")
    }),
    kind("garbage", |of| Body::Text("]\u{7f}[ ".repeat(of.size / 4))),
    kind("notice", |of| {
        Body::Text(format!(
            "DO $$ BEGIN RAISE NOTICE '%', repeat('x', {}); END $$",
            of.size
        ))
    }),
    kind("notices", |of| {
        let count = of.parts(100);
        let notice = "RAISE NOTICE 'a notice that is as long as most notices are'";
        Body::Text(format!(
            "DO $$ BEGIN FOR n IN 1..{count} LOOP {notice}; END LOOP; END $$"
        ))
    }),
    kind("prepare", |of| {
        let list = of.many(7, ",", |n| format!("{n:06}"));
        Body::Several(format!("PREPARE q AS SELECT 1 IN ({list}); DEALLOCATE q"))
    }),
    kind("cursor", |of| {
        let list = of.many(7, ",", |n| format!("{n:06}"));
        Body::Several(format!(
            "BEGIN; DECLARE c CURSOR FOR SELECT 1 IN ({list}); FETCH c; COMMIT"
        ))
    }),
    kind("set", |of| {
        text("SET application_name = '", &"x".repeat(of.size), "'")
    }),
    kind("set of a list", |of| {
        text(
            "SET search_path = public",
            &of.many(8, "", |n| format!(", s{n:05}")),
            "",
        )
    }),
];

/// Everything that grows and has keys in it.
pub(crate) const IDS: &[Kind] = &[
    kind("in list", |of| {
        text("SELECT name FROM users WHERE id IN (", &of.list(), ")")
    }),
    kind("explain in list", |of| {
        text(
            "EXPLAIN SELECT name FROM users WHERE id IN (",
            &of.list(),
            ")",
        )
    }),
    kind("explain analyze in list", |of| {
        let before = "EXPLAIN (ANALYZE, FORMAT json) SELECT name FROM users WHERE id IN (";
        text(before, &of.list(), ")")
    }),
    kind("array of literals", |of| {
        let before = "SELECT count(*) FROM users WHERE id = ANY(ARRAY[";
        text(before, &of.list(), &format!("]::{}[])", of.of))
    }),
    kind("bound ids", |of| {
        let (numbers, count) = numbers(of, 42);
        let values = (0..count).map(|n| of.id(n).to_owned()).collect();
        Body::Bound(
            format!("SELECT count(*) FROM users WHERE id IN ({numbers})"),
            values,
        )
    }),
    kind("bound array of ids", |of| {
        let ids = of.many(37, ",", |n| of.id(n).to_owned());
        let text = "SELECT count(*) FROM users WHERE id = ANY($1)".to_owned();
        Body::Bound(text, vec![format!("{{{ids}}}")])
    }),
    // As many as there are in the fewest bytes: they become much longer.
    kind("arrays of short keys in the answer", |of| {
        let count = of.parts(2).min(30_000);
        Body::Text(format!(
            "SELECT ARRAY(SELECT u.id FROM users u, generate_series(1, {count}) LIMIT {count}) \
             FROM generate_series(1, {})",
            (of.size / 60_000).max(1)
        ))
    }),
    kind("text of short keys in the answer", |of| {
        let count = of.parts(2).min(2_000);
        Body::Text(format!(
            "SELECT (SELECT string_agg(s.id::text, ',') FROM (SELECT u.id FROM users u, \
             generate_series(1, {count}) LIMIT {count}) s) FROM generate_series(1, {})",
            (of.size / 60_000).max(1)
        ))
    }),
    kind("array in a string", |of| {
        let ids = of.many(37, ",", |n| of.id(n).to_owned());
        text("SELECT count(*) FROM users WHERE id = ANY('{", &ids, "}')")
    }),
    kind("coalesce", |of| {
        text("SELECT coalesce(id,", &of.list(), ") FROM users LIMIT 1")
    }),
    kind("case", |of| {
        let branch = |n| format!(" WHEN id = '{}' THEN 1", of.id(n));
        text(
            "SELECT CASE",
            &of.many(56, "", branch),
            " END FROM users LIMIT 3",
        )
    }),
    kind("or chain", |of| {
        let part = |n| format!("id = '{}'", of.id(n));
        text(
            "SELECT name FROM users WHERE ",
            &of.many(47, " OR ", part),
            "",
        )
    }),
    kind("and chain", |of| {
        let part = |n| format!("id <> '{}'", of.id(n));
        text(
            "SELECT name FROM users WHERE ",
            &of.many(49, " AND ", part),
            "",
        )
    }),
    kind("cross joins", |of| {
        let joins = of.many(20, "", |n| format!(" CROSS JOIN user1 a{n:05}"));
        text("SELECT user1.id FROM user1", &joins, "")
    }),
    kind("joins on keys", |of| {
        let join = |n| format!(" JOIN user1 a{n:05} ON a{n:05}.id = user1.id");
        text("SELECT user1.id FROM user1", &of.many(40, "", join), "")
    }),
    kind("columns", |of| {
        text(
            "SELECT ",
            &of.many(3, ",", |_| "id".to_owned()),
            " FROM users LIMIT 1",
        )
    }),
    kind("ctes", |of| {
        let cte = |n| format!("a{n:05} AS (SELECT id FROM users LIMIT 1)");
        text("WITH ", &of.many(40, ",", cte), " SELECT id FROM a00000")
    }),
    kind("ctes that use each other", |of| {
        let cte = |n: usize| match n {
            0 => "a00000 AS (SELECT id FROM users LIMIT 1)".to_owned(),
            n => format!("a{n:05} AS (SELECT id FROM a{:05})", n - 1),
        };
        let last = of.parts(34) - 1;
        let ctes = of.many(34, ",", cte);
        Body::Text(format!("WITH {ctes} SELECT id FROM a{last:05}"))
    }),
    kind("union all", |of| {
        let part = |n| format!("SELECT id FROM users WHERE id = '{}'", of.id(n));
        Body::Text(of.many(82, " UNION ALL ", part))
    }),
    kind("subqueries", |of| {
        let open = "(SELECT * FROM ";
        text("SELECT id FROM ", &of.nested(open, "user1", ") a"), "")
    }),
    kind("nested in", |of| {
        let open = "SELECT id FROM user1 WHERE id IN (";
        Body::Text(of.nested(open, "SELECT id FROM user1", ")"))
    }),
    kind("|| chain", |of| {
        text(
            "SELECT ",
            &of.many(8, "||", |_| "id::text".to_owned()),
            " FROM user1",
        )
    }),
    kind("insert values", |of| {
        let rows = of.many(41, ",", |n| format!("('{}')", of.id(n)));
        text("INSERT INTO marks (user_id) VALUES ", &rows, "")
    }),
    kind("statements", |of| {
        let part = |n| format!("SELECT id FROM users WHERE id = '{}'", of.id(n));
        Body::Several(of.many(72, ";", part))
    }),
    kind("copy in", |of| {
        let lines = of.many(37, "", |n| format!("{}\n", of.id(n)));
        Body::Copy("COPY marks (user_id) FROM STDIN".to_owned(), vec![lines])
    }),
    kind("copy in by lines", |of| {
        let lines = (0..of.parts(37)).map(|n| format!("{}\n", of.id(n)));
        Body::Copy(
            "COPY marks (user_id) FROM STDIN".to_owned(),
            lines.collect(),
        )
    }),
    kind("copy out", |of| {
        let count = of.parts(37 * 1000);
        Body::Text(format!(
            "COPY (SELECT id FROM users, generate_series(1, {count})) TO STDOUT"
        ))
    }),
    kind("rows", |of| {
        let count = of.parts(47 * 1000);
        Body::Text(format!("SELECT id FROM users, generate_series(1, {count})"))
    }),
    kind("array of keys", |of| {
        let count = of.parts(37 * 1000);
        Body::Text(format!(
            "SELECT array_agg(id) FROM users, generate_series(1, {count})"
        ))
    }),
    kind("string of keys", |of| {
        let count = of.parts(37 * 1000);
        Body::Text(format!(
            "SELECT string_agg(id::text, ',') FROM users, generate_series(1, {count})"
        ))
    }),
    kind("json of keys", |of| {
        let count = of.parts(46 * 1000);
        let object = "json_agg(json_build_object('id', id))";
        Body::Text(format!(
            "SELECT {object} FROM users, generate_series(1, {count})"
        ))
    }),
    kind("stored document", |of| {
        Body::Text(format!(
            "SELECT body FROM letters WHERE bytes = {}",
            of.size
        ))
    }),
    kind("stored documents", |of| {
        Body::Text(format!(
            "SELECT s.body FROM letters s, generate_series(1, {}) WHERE bytes = 10000",
            of.parts(10_000)
        ))
    }),
    kind("written document", |of| {
        let members = of.many(47, ",", |n| format!("{{\"id\":\"{}\"}}", of.id(n)));
        Body::Text(format!(
            "INSERT INTO letters_in (body) VALUES ('{{\"to\":[{members}]}}')"
        ))
    }),
    kind("bound document", |of| {
        let members = of.many(47, ",", |n| format!("{{\"id\":\"{}\"}}", of.id(n)));
        let text = "INSERT INTO letters_in (body) VALUES ($1)".to_owned();
        Body::Bound(text, vec![format!("{{\"to\":[{members}]}}")])
    }),
    kind("string", |of| {
        text("SELECT id, '", &"x".repeat(of.size), "' FROM user1")
    }),
    kind("error message", |of| {
        text(
            "SELECT id FROM users WHERE id = '",
            &"x".repeat(of.size),
            "'",
        )
    }),
    kind("bound error message", |of| {
        Body::Bound(
            "SELECT id FROM users WHERE id = $1".to_owned(),
            vec!["x".repeat(of.size)],
        )
    }),
    kind("comment", |of| {
        text("/*", &"*".repeat(of.size), "*/ SELECT id FROM user1")
    }),
    kind("identifier", |of| {
        text("SELECT id AS \"", &"x".repeat(of.size), "\" FROM user1")
    }),
    kind("view", |of| {
        let bytes = of.size.min(LONGEST_VIEW);
        Body::Text(format!("SELECT id FROM view{bytes} LIMIT 1"))
    }),
    kind("prepare", |of| {
        let list = of.list();
        Body::Several(format!(
            "PREPARE q AS SELECT id FROM users WHERE id IN ({list}); EXECUTE q; DEALLOCATE q"
        ))
    }),
];
