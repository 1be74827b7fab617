//! Statements that nest, or chain what nests only in the tree: as deep as Postgres takes them, and
//! beyond that an error of Postgres's class and no other.

use pgveil::catalog::{SearchPath, Snapshot};
use pgveil::sql::plan::PathChange;
use pgveil::sql::{self, Context, Verdict};

/// What is repeated.
enum Shape {
    /// `start`, then so often `link`, then `end`.
    Chain(&'static str, &'static str, &'static str),
    /// `start`, so often `open`, `inner`, so often `close`, `end`.
    Nest(
        &'static str,
        &'static str,
        &'static str,
        &'static str,
        &'static str,
    ),
}

use Shape::{Chain, Nest};

/// This is about depth: enough for all that Postgres takes.
const STEPS: usize = 4 * sql::DEFAULT_STEPS;

/// How often Postgres 17 takes it with its defaults (`max_stack_depth` 2 MB, and the 10,000 places
/// of its parser's stack), measured to a few percent. Brackets around FROM items it
/// takes 9,900 times, we as often as the budget lasts.
const SHAPES: &[(Shape, usize)] = &[
    (Chain("SELECT login_count", " + 1", " FROM users"), 4_296),
    (Chain("SELECT name", " || 'a'", " FROM users"), 4_296),
    (
        Chain(
            "SELECT id FROM users WHERE login_count = 1",
            " AND login_count = 1",
            "",
        ),
        50_000,
    ),
    (
        Chain(
            "SELECT id FROM users WHERE login_count = 1",
            " OR login_count = 1 AND true",
            "",
        ),
        50_000,
    ),
    (
        Chain("SELECT id FROM users WHERE name = 'a'", " OR id = $1", ""),
        50_000,
    ),
    (
        Chain(
            "SELECT id FROM users",
            " UNION ALL SELECT id FROM users",
            "",
        ),
        4_000,
    ),
    (
        Chain("SELECT id FROM users", " EXCEPT SELECT id FROM users", ""),
        2_046,
    ),
    (
        Chain("SELECT login_count", "::bigint", " FROM users"),
        13_085,
    ),
    (
        Chain("SELECT name", "::character varying", " FROM users"),
        13_085,
    ),
    (
        Chain(
            "SELECT id FROM users WHERE true",
            " AND '{}'::text::jsonb IS NULL",
            "",
        ),
        6_000,
    ),
    (
        Chain("SELECT id FROM users WHERE name", " IS NULL", ""),
        13_085,
    ),
    (
        Chain("SELECT name", " COLLATE \"C\"", " FROM users"),
        13_085,
    ),
    (
        Chain("SELECT created_at", " AT TIME ZONE 'utc'", " FROM users"),
        4_296,
    ),
    (
        Chain("SELECT '{}'::jsonb", " -> 'a'", ", id FROM users"),
        4_296,
    ),
    (Chain("SELECT ", "- ", "login_count FROM users"), 9_921),
    (
        Chain("SELECT id FROM users WHERE ", "NOT ", "is_active"),
        9_218,
    ),
    (
        Chain("SELECT u.id FROM users u", " CROSS JOIN (SELECT 1)", ""),
        500,
    ),
    (
        Nest("SELECT id FROM users WHERE ", "(", "id = $1", ")", ""),
        9_921,
    ),
    (
        Nest("SELECT ", "(1 + ", "login_count", ")", " FROM users"),
        3_312,
    ),
    (
        Nest("SELECT ", "abs(", "login_count", ")", " FROM users"),
        4_296,
    ),
    (
        Nest("SELECT ", "coalesce(id, ", "id", ")", " FROM users"),
        2_468,
    ),
    (Nest("SELECT ", "(SELECT ", "id", ")", " FROM users"), 2_468),
    (
        Nest("", "SELECT * FROM (", "SELECT id FROM users", ") t", ""),
        1_625,
    ),
    (
        Nest(
            "",
            "SELECT id FROM users WHERE EXISTS (",
            "SELECT id FROM users",
            ")",
            "",
        ),
        1_237,
    ),
    (
        Nest(
            "",
            "SELECT id FROM users WHERE id IN (",
            "SELECT id FROM users",
            ")",
            "",
        ),
        1_105,
    ),
    (
        Nest(
            "",
            "WITH c AS (",
            "SELECT id FROM users",
            ") SELECT id FROM c",
            "",
        ),
        1_625,
    ),
    (
        Nest(
            "",
            "(SELECT id FROM users UNION ",
            "SELECT id FROM users",
            ")",
            "",
        ),
        2_000,
    ),
    (Nest("", "(", "SELECT id FROM users", ")", ""), 9_921),
    (
        Nest(
            "SELECT a.id FROM ",
            "(",
            "users a CROSS JOIN users b",
            ")",
            "",
        ),
        2_000,
    ),
    (
        Nest(
            "SELECT ",
            "CASE WHEN true THEN ",
            "id",
            " END",
            " FROM users",
        ),
        1_976,
    ),
    (
        Nest(
            "SELECT ",
            "CAST(",
            "login_count",
            " AS bigint)",
            " FROM users",
        ),
        4_859,
    ),
    (
        Nest(
            "SELECT ",
            "CAST(CAST(",
            "id",
            " AS character varying) AS uuid)",
            " FROM users",
        ),
        2_400,
    ),
    (
        Nest("SELECT 1 FROM ", "(", "users", " JOIN tags ON true) j", ""),
        4_000,
    ),
    (
        Nest("SELECT ", "ROW(", "id", ")", "::text FROM users"),
        1_200,
    ),
    (
        Nest("SELECT ", "(", "id", ", 1)", "::text FROM users"),
        1_200,
    ),
];

/// The length of what is repeated, in bytes.
fn unit(shape: &Shape) -> usize {
    match shape {
        Chain(_, link, _) => link.len(),
        Nest(_, open, _, close, _) => open.len() + close.len(),
    }
}

fn text(shape: &Shape, times: usize) -> String {
    match shape {
        Chain(start, link, end) => [*start, &link.repeat(times), end].concat(),
        Nest(start, open, inner, close, end) => [
            *start,
            &open.repeat(times),
            inner,
            &close.repeat(times),
            end,
        ]
        .concat(),
    }
}

/// The SQLSTATE of what is refused; none for what is forwarded.
fn sqlstate(text: &str, snapshot: &Snapshot, steps: usize) -> Option<&'static str> {
    let path = SearchPath::default();
    let context = Context {
        steps,
        ..Context::new(snapshot, &path)
    };
    let script = sql::analyse(text.as_bytes(), &context);
    script
        .statements
        .iter()
        .find_map(|statement| match &statement.verdict {
            Verdict::Refuse(refusal) => Some(refusal.sqlstate),
            Verdict::Forward(_) => None,
        })
}

#[test]
fn what_nests_is_read_as_deep_as_postgres_reads_it() {
    let snapshot = super::shop();
    let mut wrong = Vec::new();
    for (shape, limit) in SHAPES {
        for times in [10, 500, 5_000, 50_000, 500_000] {
            // Long texts take their time in a debug build, whatever comes of them.
            if times * unit(shape) > 5_000_000 {
                continue;
            }
            let found = sqlstate(&text(shape, times), &snapshot, STEPS);
            let start: String = text(shape, 2).chars().take(60).collect();
            match found {
                None => {}
                Some("54001") if times > *limit && *limit < 50_000 => {}
                Some(other) => wrong.push(format!("{start} × {times}: {other}")),
            }
        }
        if let Some(other) = sqlstate(&text(shape, *limit), &snapshot, STEPS) {
            let start: String = text(shape, 2).chars().take(60).collect();
            wrong.push(format!("{start} × {limit}: {other}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Whatever a text is long by, what it costs ends: with the refusal of a statement that is too
/// complex, or where nothing annotated is named by going by unread.
#[test]
fn a_text_beyond_its_budget_is_refused_and_one_that_names_nothing_passes() {
    let snapshot = super::shop();
    for (shape, _) in SHAPES {
        let long = text(shape, 400);
        let found = sqlstate(&long, &snapshot, 300);
        assert_eq!(found, Some("54001"), "{}", &long[..60]);
    }
    let list = "1, ".repeat(10_000);
    let names =
        |table: &str| format!("SELECT name FROM {table} WHERE name IS NOT NULL AND 1 IN ({list}1)");
    // Whether its parsing has spent them, the walk over it, or nothing.
    for steps in (100..100_000).step_by(2_000) {
        assert_eq!(sqlstate(&names("tags"), &snapshot, steps), None, "{steps}");
    }
    assert_eq!(sqlstate(&names("users"), &snapshot, 300), Some("54001"));
    assert_eq!(sqlstate(&names("users"), &snapshot, 100_000), None);
    // All statements of a text share one budget.
    let many = "SELECT name FROM users; ".repeat(1_000);
    assert_eq!(sqlstate(&many, &snapshot, 1_000), Some("54001"));
    assert_eq!(sqlstate(&many, &snapshot, sql::DEFAULT_STEPS), None);
}

/// Whether a statement that nobody has read to the end, and that is forwarded since it names
/// nothing protected, may change the path by which the next one is read.
#[test]
fn what_passes_unread_is_known_to_change_settings() {
    let snapshot = super::shop();
    let path = SearchPath::default();
    let list = "1, ".repeat(10_000);
    let setters = [
        "set_config('search_path', 'plainer', false)",
        "pg_catalog.set_config('standard_conforming_strings', 'off', false)",
        "(SELECT \"set_config\"(a, b, true) FROM (VALUES ('search_path', 'x')) v (a, b))",
    ];
    for setter in setters {
        let texts = [
            (format!("SELECT 1 IN ({list}1), {setter}"), 300),
            (format!("SELECT 1 IN ({list}1), {setter}"), 20_000),
            (format!("SELECT {setter} FROM tags WHERE"), STEPS),
            (format!("SELECT {setter} WHERE 1 = 1 FETCH NOTHING"), STEPS),
            (format!("SELECT tags.missing, {setter} FROM tags"), STEPS),
            (format!("SELECT missing.name, {setter} FROM tags"), STEPS),
            (format!("SELECT (ARRAY[1])[1].a, {setter}"), STEPS),
            (format!("SELECT * FROM tags, tags, {setter} s"), STEPS),
            (
                format!("UPDATE tags SET missing = 1 WHERE {setter} = ''"),
                STEPS,
            ),
            (format!("INSERT INTO tags (nothing) SELECT {setter}"), STEPS),
        ];
        for (text, steps) in texts {
            let context = Context {
                steps,
                fresh: true,
                ..Context::new(&snapshot, &path)
            };
            let script = sql::analyse(text.as_bytes(), &context);
            for statement in &script.statements {
                if let Verdict::Forward(plan) = &statement.verdict {
                    let start: String = text.chars().take(70).collect();
                    let change = &plan.effect.search_path;
                    assert_ne!(*change, PathChange::Unchanged, "{start}");
                }
            }
        }
    }
}

/// A megabyte of rows is what loaders send at once.
#[test]
fn a_megabyte_of_rows_stays_within_the_budget() {
    let snapshot = super::shop();
    let mut rows = String::from("INSERT INTO orders (user_id, status, total_cents) VALUES ");
    let mut number = 0;
    while rows.len() < 1 << 20 {
        let comma = if number == 0 { "" } else { ", " };
        rows.push_str(&format!(
            "{comma}('00000000-0000-8000-8000-{number:012x}', 'new', {number})"
        ));
        number += 1;
    }
    assert_eq!(sqlstate(&rows, &snapshot, sql::DEFAULT_STEPS), None);
}

/// Views that each name the one before twice: sixteen of them are 65,536 tables.
#[test]
fn views_that_multiply_end_by_the_budget() {
    let mut lines = Vec::new();
    for index in 0..15 {
        let oid = 200_000 + index;
        let of = if index == 0 {
            "users".to_owned()
        } else {
            format!("m{}", index - 1)
        };
        lines.push(format!(
            "relation\t{oid}\tpublic\tm{index}\tv\t SELECT a.id FROM {of} a JOIN {of} b ON a.id = b.id"
        ));
        lines.push(format!("column\t{oid}\t1\tid\t20"));
        let on = if index == 0 { 16386 } else { oid - 1 };
        lines.push(format!("depends\t{oid}\t{on}"));
    }
    let snapshot = super::shop_and(&lines.join("\n"));
    assert_eq!(
        sqlstate("SELECT id FROM m3", &snapshot, sql::DEFAULT_STEPS),
        None
    );
    let found = sqlstate("SELECT id FROM m14", &snapshot, sql::DEFAULT_STEPS);
    assert_eq!(found, Some("54001"));
}

/// Statements within statements, which Postgres's grammar does not have.
#[test]
fn words_that_begin_statements_within_statements_end() {
    let snapshot = super::shop();
    for start in [
        "EXPLAIN ",
        "PREPARE p AS ",
        "COPY (",
        "EXPLAIN (",
        "DECLARE c CURSOR FOR ",
        "CREATE TABLE t AS ",
    ] {
        for times in [10, 50_000] {
            let text = format!("{}SELECT id FROM users", start.repeat(times));
            let found = sqlstate(&text, &snapshot, sql::DEFAULT_STEPS);
            assert!(
                found.is_some() || times == 10 || start.contains('('),
                "{start}"
            );
        }
    }
}
