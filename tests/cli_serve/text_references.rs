//! Columns of text that refer to keys which are uuids: clients see the text of the ids, and join,
//! compare and store it as on a database of nothing but uuids and text.

use pgveil::postgres::{Options, Postgres};

use super::{Serve, ask, connect};

/// The first half of all keys.
const KEY: &str = "0190163d-8694-739b-aea5";

const IDS: &str = "[[id]]\nname = \"note\"\ncolumn = \"public.notes.id\"\n\
    references = [\"public.links.note\", \"public.links.notes\", \"public.links.short\"]\n";

const TABLES: &str = "CREATE TABLE users (id bigint PRIMARY KEY);\
    CREATE TABLE notes (id uuid PRIMARY KEY, name text);\
    CREATE TABLE links (n int, note text, notes text[], short varchar(36));\
    INSERT INTO notes SELECT ('0190163d-8694-739b-aea5-966c26f8ad0' || g)::uuid, 'n' || g FROM generate_series(1, 5) g;\
    INSERT INTO links SELECT 1, id, ARRAY[id], id FROM notes";

/// What is asked with the ids of the first two notes in the places of A and B, and the answer.
const ASKED: [(&str, &str); 23] = [
    ("SELECT count(*) FROM links WHERE note = 'A'", "1"),
    (
        "SELECT count(*) FROM links WHERE note = 'A'::text OR short = 'B'",
        "2",
    ),
    ("SELECT count(*) FROM links WHERE note IN ('A', 'B')", "2"),
    ("SELECT count(*) FROM links WHERE note = ANY('{A,B}')", "2"),
    (
        "SELECT count(*) FROM links l JOIN notes n ON l.note = n.id::text",
        "5",
    ),
    (
        "SELECT count(*) FROM links l JOIN notes n ON n.id::text = l.note AND n.name = 'n1'",
        "1",
    ),
    (
        "SELECT count(*) FROM links l JOIN notes n ON n.id = l.note::uuid",
        "5",
    ),
    (
        "SELECT count(*) FROM links l JOIN notes n ON cast(l.short AS uuid) = n.id",
        "5",
    ),
    (
        "SELECT count(*) FROM links l JOIN notes n ON l.short = n.id::varchar",
        "5",
    ),
    (
        "SELECT count(*) FROM links WHERE note IN (SELECT id::text FROM notes WHERE id = 'A')",
        "1",
    ),
    (
        "SELECT count(*) FROM links WHERE note::uuid IN (SELECT id FROM notes WHERE id = 'A')",
        "1",
    ),
    (
        "SELECT count(*) FROM notes WHERE id::text IN (SELECT note FROM links)",
        "5",
    ),
    (
        "SELECT count(*) FROM links a JOIN links b ON a.note = b.short",
        "5",
    ),
    ("SELECT note FROM links WHERE note = 'A'", "A"),
    ("SELECT note::uuid FROM links WHERE note = 'A'", "A"),
    ("SELECT notes FROM links WHERE note = 'A'", "{A}"),
    (
        "SELECT n.id::text FROM notes n JOIN links l ON l.note = n.id::text WHERE l.note = 'A'",
        "A",
    ),
    (
        "SELECT coalesce(l.note, n.id::text) FROM notes n LEFT JOIN links l ON false WHERE n.id = 'A'",
        "A",
    ),
    (
        "SELECT note FROM links WHERE note = 'A' UNION SELECT id::text FROM notes WHERE id = 'A'",
        "A",
    ),
    ("SELECT pg_typeof(note) FROM links LIMIT 1", "text"),
    (
        "INSERT INTO links (note) SELECT id::text FROM notes WHERE id = 'A' RETURNING note",
        "A",
    ),
    (
        "INSERT INTO links (n, note) VALUES (2, 'B') RETURNING note",
        "B",
    ),
    (
        "UPDATE links SET note = notes.id::text FROM notes WHERE links.n = 2 AND notes.id = 'A' RETURNING note",
        "A",
    ),
];

#[tokio::test]
async fn text_that_refers_to_uuids_is_shown_as_the_text_of_their_ids() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    inside.batch_execute(TABLES).await.unwrap();
    let serve = Serve::start_with(postgres.port(), IDS).await;
    let client = serve.session().await;
    let id_of = |name: &'static str| {
        let client = &client;
        async move {
            let text = format!("SELECT id FROM notes WHERE name = '{name}'");
            ask(client, &text).await.unwrap()
        }
    };
    let (a, b) = (id_of("n1").await, id_of("n2").await);
    assert!(!a.contains(KEY) && a != b);
    for (text, answer) in ASKED {
        let with = |text: &str| {
            text.replace("'A'", &format!("'{a}'"))
                .replace("'B'", &format!("'{b}'"))
        };
        let text = with(text).replace("{A,B}", &format!("{{{a},{b}}}"));
        let answer = match answer {
            "A" => a.clone(),
            "B" => b.clone(),
            "{A}" => format!("{{{a}}}"),
            other => other.to_owned(),
        };
        assert_eq!(ask(&client, &text).await, Some(answer), "{text}");
    }
    let text = "SELECT n FROM links WHERE note = $1 AND note::uuid = $2";
    let statement = client.prepare(text).await.unwrap();
    let types: Vec<_> = statement
        .params()
        .iter()
        .map(|of| of.name().to_owned())
        .collect();
    assert_eq!(types, ["text", "uuid"]);
    let stored = ask(
        &inside,
        "SELECT count(*) FROM links WHERE note !~ '^0190163d-8694-739b-aea5-966c26f8ad0[12345]$'",
    )
    .await;
    assert_eq!(stored.as_deref(), Some("0"));
    // What is stored and is no key fails its statement, and the session goes on.
    inside
        .batch_execute("INSERT INTO links VALUES (3, 'nobody')")
        .await
        .unwrap();
    assert!(
        client
            .simple_query("SELECT note FROM links WHERE n = 3")
            .await
            .is_err()
    );
    assert_eq!(ask(&client, "SELECT 1").await.as_deref(), Some("1"));
}

/// The error of a cast would quote what it has read.
#[tokio::test]
async fn what_is_no_key_in_text_that_refers_to_uuids_is_quoted_by_no_error() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    inside.batch_execute(TABLES).await.unwrap();
    let odd = "INSERT INTO links SELECT 9, v, ARRAY[v] FROM (SELECT format(f, id) AS v FROM notes, \
        unnest(ARRAY[' %s', '%s;', 'x%s', '{%s}', '%s ']) AS f) AS v";
    inside.batch_execute(odd).await.unwrap();
    let serve = Serve::start_with(postgres.port(), IDS).await;
    let client = serve.session().await;
    let id = ask(&client, "SELECT id FROM notes WHERE name = 'n1'");
    let id = id.await.unwrap();
    for text in [
        "SELECT note::uuid FROM links",
        "SELECT cast(note AS uuid) FROM links WHERE n = 9",
        "SELECT n FROM links WHERE note::uuid = 'A'",
        "SELECT n FROM links WHERE coalesce(note, 'A')::uuid = 'A'",
        "SELECT n.id FROM notes n JOIN links l ON l.note::uuid = n.id",
        "SELECT n.id FROM notes n LEFT JOIN links l ON (l.note)::uuid = n.id ORDER BY l.note::uuid",
        "SELECT note::uuid, count(*) FROM links GROUP BY note::uuid",
        "SELECT (SELECT max(note) FROM links)::uuid",
        "SELECT notes::uuid[] FROM links",
        "SELECT unnest(notes)::uuid FROM links",
        "SELECT note::uuid::text FROM links",
        "SELECT note FROM links",
        "UPDATE links SET n = 8 WHERE note::uuid = 'A'",
        "INSERT INTO notes SELECT note::uuid FROM links",
    ] {
        let text = text.replace("'A'", &format!("'{id}'"));
        let said = match client.simple_query(&text).await {
            Ok(rows) => format!("{rows:?}"),
            Err(error) => format!("{:?}", error.as_db_error().expect("the session goes on")),
        };
        assert!(!said.contains(KEY), "{text}: {said}");
    }
}

#[tokio::test]
async fn text_that_defines_keys_or_refers_to_integers_is_closed() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    let tables = "CREATE TABLE notes (id text PRIMARY KEY);\
        CREATE TABLE users (id bigint PRIMARY KEY);\
        CREATE TABLE links (user_id text)";
    inside.batch_execute(tables).await.unwrap();
    // What is said first is said of the ids of users.
    let ids = "references = [\"public.links.user_id\"]\n\
        [[id]]\nname = \"note\"\ncolumn = \"public.notes.id\"\n";
    let serve = Serve::start_with(postgres.port(), ids).await;
    let client = serve.session().await;
    for text in ["SELECT id FROM notes", "SELECT user_id FROM links"] {
        let error = client.simple_query(text).await.unwrap_err();
        assert_eq!(error.code().unwrap().code(), "0A000", "{text}");
    }
}
