//! Values that are used twice at each level: a graph of n nodes is a tree of 2ⁿ for who walks over
//! it as one. Whatever is made of them, the analysis ends, and within its budget.

use pgveil::catalog::{SearchPath, Snapshot};
use pgveil::sql::{self, Context, Verdict};

/// What stands at the bottom.
const BOTTOMS: &[&str] = &[
    "SELECT id AS v FROM users",
    "SELECT login_count AS v FROM users",
    "SELECT u AS v FROM users u",
    "SELECT NULL AS v FROM users",
    "SELECT to_jsonb(id) AS v FROM users",
    "SELECT id::text AS v FROM users",
    "SELECT ARRAY[id] AS v FROM users",
];

/// Levels that name `v` twice; `%` is where the query below stands.
const LEVELS: &[&str] = &[
    "SELECT ROW(v, v) AS v FROM (%) s",
    "SELECT ARRAY[v, v] AS v FROM (%) s",
    "SELECT ARRAY[[v], [v]] AS v FROM (%) s",
    "SELECT ARRAY[ROW(v, v)] AS v FROM (%) s",
    "SELECT json_build_object('a', v, 'b', v) AS v FROM (%) s",
    "SELECT jsonb_build_array(v, v) AS v FROM (%) s",
    "SELECT json_build_array(ROW(v, v)) AS v FROM (%) s",
    "SELECT coalesce(v, v) AS v FROM (%) s",
    "SELECT coalesce(ROW(v, v), ROW(v, v)) AS v FROM (%) s",
    "SELECT CASE WHEN v = v THEN v ELSE v END AS v FROM (%) s",
    "SELECT CASE WHEN true THEN ROW(v, NULL) ELSE ROW(NULL, v) END AS v FROM (%) s",
    "SELECT nullif(ROW(v, v), ROW(v, v)) AS v FROM (%) s",
    "SELECT greatest(v, v) AS v FROM (%) s",
    "SELECT concat(v, v) AS v FROM (%) s",
    "SELECT format('%s%s', v, v) AS v FROM (%) s",
    "SELECT v::text || v::text AS v FROM (%) s",
    "SELECT to_jsonb(v) || to_jsonb(v) AS v FROM (%) s",
    "SELECT ROW(v, v)::text AS v FROM (%) s",
    "SELECT to_jsonb(ROW(v, v)) AS v FROM (%) s",
    "SELECT json_agg(ROW(v, v)) AS v FROM (%) s",
    "SELECT array_agg(ROW(v, v)) AS v FROM (%) s",
    "SELECT max(ROW(v, v)) AS v FROM (%) s",
    "SELECT lag(ROW(v, v)) OVER (ORDER BY v) AS v FROM (%) s",
    "SELECT array_cat(ARRAY[v], ARRAY[v]) AS v FROM (%) s",
    "SELECT jsonb_set(to_jsonb(v), '{a}', to_jsonb(v)) AS v FROM (%) s",
    "SELECT json_object_agg(v, v) AS v FROM (%) s",
    "SELECT string_agg(v::text, v::text) AS v FROM (%) s",
    "SELECT (SELECT ROW(s.v, s.v)) AS v FROM (%) s",
    "SELECT ROW(v, v) AS v FROM (%) s WHERE v = v AND v IN (v, v)",
    "SELECT t.w AS v FROM (%) s JOIN LATERAL (SELECT ROW(s.v, s.v) AS w) t ON t.w = t.w",
    "SELECT ROW(s, s) AS v FROM (%) s",
    "SELECT ARRAY[s, s] AS v FROM (%) s",
    "SELECT json_build_object('a', s, 'b', s) AS v FROM (%) s",
    "SELECT ROW(s.*, s.*) AS v FROM (%) s",
    "SELECT s AS v FROM (SELECT v, v AS w FROM (%) s) s",
    "WITH c AS (%) SELECT ROW(c.v, d.v) AS v FROM c, c d",
    "WITH RECURSIVE c AS (% UNION ALL SELECT v FROM c) SELECT ROW(v, v) AS v FROM c",
    "SELECT ROW(v, v) AS v FROM (VALUES (1)) x, LATERAL (%) s UNION ALL SELECT NULL",
];

/// What is done with the value in the end.
const TOPS: &[&str] = &[
    "%",
    "SELECT v FROM (%) s ORDER BY v",
    "SELECT DISTINCT v FROM (%) s",
    "SELECT v, count(*) FROM (%) s GROUP BY v",
    "SELECT 1 FROM (%) s WHERE v = v",
    "SELECT 1 FROM (%) s WHERE v < ROW(v, v)",
    "SELECT v::text FROM (%) s",
    "SELECT to_jsonb(v) FROM (%) s",
    "SELECT concat(v) FROM (%) s",
    "SELECT s, s.* FROM (%) s",
    "SELECT coalesce(v, (%)) FROM (%) s",
    "SELECT v = (%) FROM (%) s",
    "% UNION %",
    "SELECT v IN (%) FROM (%) s",
    "CREATE TEMP TABLE made AS %",
    "EXPLAIN %",
    "DECLARE made CURSOR FOR %",
    "COPY (%) TO STDOUT",
    "INSERT INTO tags (name) SELECT v::text FROM (%) s",
];

fn text(top: &str, level: &str, bottom: &str, depth: usize) -> String {
    // What is read of `format` is no place.
    let put = |around: &str, inner: &str| {
        let around = around.replace("%s", "\u{1}");
        around.replace('%', inner).replace('\u{1}', "%s")
    };
    let value = (0..depth).fold(bottom.to_owned(), |inner, _| put(level, &inner));
    put(top, &value)
}

/// Far more than any of the texts below takes if it is walked once.
const STEPS: usize = 60_000;

/// The SQLSTATE of what is refused, and the message.
fn refusal(text: &str, snapshot: &Snapshot) -> Option<(&'static str, String)> {
    let path = SearchPath::default();
    let context = Context {
        steps: STEPS,
        ..Context::new(snapshot, &path)
    };
    let script = sql::analyse(text.as_bytes(), &context);
    let mut verdicts = script.statements.into_iter().map(|one| one.verdict);
    verdicts.find_map(|verdict| match verdict {
        Verdict::Refuse(refusal) => Some((refusal.sqlstate, refusal.message.clone())),
        Verdict::Forward(_) => None,
    })
}

#[test]
fn what_is_used_twice_at_each_level_ends_within_the_budget() {
    let snapshot = super::shop();
    let mut wrong = Vec::new();
    let mut ended = 0;
    for bottom in BOTTOMS {
        for (index, level) in LEVELS.iter().enumerate() {
            // Every way of use with the rows, which are what is large; the others as they are.
            let tops = if level.contains("ROW") {
                TOPS
            } else {
                &TOPS[..1]
            };
            for (turn, top) in tops.iter().enumerate() {
                if turn > 0 && (turn + index) % 4 != 0 {
                    continue;
                }
                let shallow = refusal(&text(top, level, bottom, 2), &snapshot);
                let deep = refusal(&text(top, level, bottom, 40), &snapshot);
                match (&shallow, &deep) {
                    (None, None) => {}
                    (_, Some(("54001", _))) => ended += 1,
                    (Some(x), Some(y)) if x.0 == y.0 => {}
                    (x, y) => wrong.push(format!("{top} | {level} | {bottom}: {x:?}, then {y:?}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(ended > 50, "{ended}");
}
