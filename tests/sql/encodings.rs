//! Texts in encodings of which the analysis knows no letter beyond ASCII.

use pgveil::catalog::SearchPath;
use pgveil::sql::{self, Context, Verdict};

/// Whether a text in LATIN1 is read. Its letters beyond ASCII are bytes there.
fn is_read(text: &str) -> bool {
    let snapshot = super::shop();
    let path = SearchPath::default();
    let context = Context {
        client_encoding: "LATIN1",
        ..Context::new(&snapshot, &path)
    };
    let text: Vec<u8> = text
        .chars()
        .map(|letter| u8::try_from(letter).expect("a letter of LATIN1"))
        .collect();
    let script = sql::analyse(&text, &context);
    let mut verdicts = script.statements.iter().map(|statement| &statement.verdict);
    verdicts.all(|verdict| matches!(verdict, Verdict::Forward(_)))
}

/// All letters beyond ASCII are one for the analysis: it must not take one name for another.
#[test]
fn names_that_can_not_be_told_apart_are_refused() {
    for text in [
        "SELECT id FROM users WHERE name = 'é' OR name = 'è'",
        "INSERT INTO users (name) VALUES ('é')",
        "SET application_name = 'é'",
        "SELECT 1 AS \"numéro\"",
        "CREATE TYPE kind AS ENUM ('é')",
        "INSERT INTO users (name) VALUES ('é') ON CONFLICT DO NOTHING",
        "SELECT 1 FROM \"é\"",
        "SELECT id FROM é WHERE id = 1",
    ] {
        assert!(is_read(text), "{text}");
    }
    for text in [
        "SELECT è.name FROM (SELECT 1 AS name) é, users è",
        "SELECT z.name FROM (SELECT 1 AS name) é, users z",
        "SELECT é.name FROM (SELECT 1 AS name) \"z\", users é",
        "SELECT \"é\".name FROM (SELECT 1 AS name) \"è\", users \"é\"",
        "SELECT é.id FROM users é",
        "SELECT id AS \"numéro\" FROM users",
        "SELECT U&\"\\00e9\" FROM (SELECT id AS x, 'é' FROM users) q",
        "DO 'BEGIN PERFORM é(); END'",
        "SET search_path = é",
        "PREPARE é AS SELECT 1",
        "SELECT pg_notify('é', 'x')",
        "SELECT 1 AS é INTO t",
        "SELECT q.c + 0 FROM ((SELECT 1 AS é, 2) a NATURAL JOIN users) AS q(c, d)",
        "UPDATE users SET é = $1",
        "INSERT INTO users (é) VALUES ($1)",
        "SELECT é()",
        "SELECT 1 FROM é()",
        "SELECT 1 FROM public.é",
        "SELECT 1 FROM é.users",
        "SELECT 1 FROM users, é",
        "SELECT 1 FROM é, users",
        "SELECT 1 FROM é JOIN users ON true",
        "SELECT 1 FROM é u",
        "SELECT 1 FROM éaaaaaaaaaaaaaaaaaaaa",
        "SELECT id FROM (SELECT 1 AS id FROM é) q, users",
        "SELECT 1::é",
        "SELECT CAST(1 AS é)",
        "SELECT é '1'",
        "SELECT x.é FROM plain x",
        "CREATE TEMP TABLE t AS SELECT id AS é FROM users",
        "SELECT $é$ $è$ || $é$ || (id + 0) FROM users --$é$",
        "SELECT $a$ $é$ || $a$ FROM users",
        "SET search_path = 'é'; SELECT name FROM users",
        "SELECT set_config('search_path', 'é', false), name FROM users",
    ] {
        assert!(!is_read(text), "{text}");
    }
}
