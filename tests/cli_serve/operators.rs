//! Operators that somebody has defined under names of Postgres's own, as extensions do: they are in the
//! way of what they could be meant by, and of nothing else.

use pgveil::postgres::{Options, Postgres};

use super::{Serve, ask, connect};

const IDS: &str = "references = [\"public.docs.members\"]\n\
    [[id.json]]\ncolumn = \"public.docs.body\"\npath = \"$.user\"\n\
    [[id]]\nname = \"team\"\ncolumn = \"public.teams.id\"\nreferences = [\"public.docs.teams\"]\n\
    [[id]]\nname = \"note\"\ncolumn = \"public.notes.id\"\nreferences = [\"public.docs.notes\"]\n";

/// The operators of `intarray` that have the names of others.
const TABLES: &str = "CREATE TABLE users (id bigint PRIMARY KEY);\
    CREATE TABLE teams (id int PRIMARY KEY);\
    CREATE TABLE notes (id uuid PRIMARY KEY);\
    CREATE TABLE docs (n int, body jsonb, members bigint[], teams int[], notes uuid[]);\
    INSERT INTO users VALUES (1); INSERT INTO teams VALUES (1);\
    INSERT INTO notes VALUES ('0190163d-8694-739b-aea5-966c26f8ad01');\
    INSERT INTO docs SELECT 1, '{\"user\": 1, \"title\": \"t\"}', '{1}', '{1}', ARRAY[id] FROM notes;\
    CREATE FUNCTION told(int[], int[]) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RAISE ''% %'', $1, $2; END';\
    CREATE FUNCTION less(int[], int) RETURNS int[] IMMUTABLE LANGUAGE sql AS 'SELECT $1';\
    CREATE OPERATOR @> (LEFTARG = int[], RIGHTARG = int[], FUNCTION = told);\
    CREATE OPERATOR <@ (LEFTARG = int[], RIGHTARG = int[], FUNCTION = told);\
    CREATE OPERATOR && (LEFTARG = int[], RIGHTARG = int[], FUNCTION = told);\
    CREATE OPERATOR - (LEFTARG = int[], RIGHTARG = int, FUNCTION = less)";

#[tokio::test]
async fn operators_over_integers_are_in_the_way_of_arrays_of_integers_alone() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    inside.batch_execute(TABLES).await.unwrap();
    let serve = Serve::start_with(postgres.port(), IDS).await;
    let client = serve.session().await;
    for of in ["members", "notes"] {
        let ids = ask(&client, &format!("SELECT {of} FROM docs"))
            .await
            .unwrap();
        for condition in [
            format!("{of} @> '{ids}'"),
            format!("{of} <@ '{ids}'::uuid[]"),
            format!("{of} && '{ids}'"),
            format!("'{ids}' @> {of}"),
            format!("{of} @> {of}"),
        ] {
            let text = format!("SELECT count(*) FROM docs WHERE {condition}");
            assert_eq!(ask(&client, &text).await.as_deref(), Some("1"), "{text}");
        }
    }
    let text = "SELECT count(*) FROM docs WHERE body @> '{\"title\": \"t\"}'";
    assert_eq!(ask(&client, text).await.as_deref(), Some("1"));
    let text = "SELECT body - 'user' FROM docs";
    assert_eq!(
        ask(&client, text).await.as_deref(),
        Some("{\"title\": \"t\"}")
    );
    for condition in ["teams @> '{}'", "teams && teams", "'{}' <@ teams"] {
        let text = format!("SELECT count(*) FROM docs WHERE {condition}");
        let error = client.simple_query(&text).await.unwrap_err();
        assert_eq!(error.code().unwrap().code(), "0A000", "{text}");
    }
}
