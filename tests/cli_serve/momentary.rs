//! What is closed for as long as something is missing is open again when that is back.

use pgveil::postgres::{Options, Postgres};

use super::{Serve, ask, connect};

const IDS: &str = "[[id]]\nname = \"pay\"\ncolumn = \"public.pay.id\"\n\
    [[id.json]]\ncolumn = \"public.docs.body\"\npath = \"$.pay\"\n\
    [limits]\ncatalog_max_age_s = 0\n";

const TABLES: &str = "CREATE TABLE users (id bigint PRIMARY KEY);\
    CREATE TABLE pay (id bigint PRIMARY KEY);\
    CREATE TABLE docs (n int, body jsonb, title text GENERATED ALWAYS AS (body ->> 'title') STORED);\
    INSERT INTO pay VALUES (77000001);\
    INSERT INTO docs VALUES (1, '{\"pay\": 77000001, \"title\": \"t\"}')";

#[tokio::test]
async fn what_is_generated_from_a_document_is_shown_again_when_its_keys_are_known_again() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let inside = connect(&postgres.url("postgres")).await;
    inside.batch_execute(TABLES).await.unwrap();
    let serve = Serve::start_with(postgres.port(), IDS).await;
    let (client, other) = (serve.session().await, serve.session().await);
    const SHOWN: &str = "SELECT title FROM docs";
    assert_eq!(ask(&client, SHOWN).await.as_deref(), Some("t"));
    // A session takes the table of the keys away, and takes that back.
    client.batch_execute("BEGIN").await.unwrap();
    client.batch_execute("DROP TABLE pay").await.unwrap();
    assert!(client.simple_query(SHOWN).await.is_err());
    client.batch_execute("ROLLBACK").await.unwrap();
    for session in [&client, &other, &serve.session().await] {
        assert_eq!(ask(session, SHOWN).await.as_deref(), Some("t"));
    }
    // Somebody does, beside pgveil.
    inside
        .batch_execute("ALTER TABLE pay RENAME TO pay_x")
        .await
        .unwrap();
    for text in [SHOWN, "SELECT body FROM docs"] {
        // Who was there before may have to connect anew.
        let other = serve.session().await;
        assert!(other.simple_query(text).await.is_err(), "{text}");
    }
    inside
        .batch_execute("ALTER TABLE pay_x RENAME TO pay")
        .await
        .unwrap();
    for _ in 0..2 {
        let session = &serve.session().await;
        assert_eq!(ask(session, SHOWN).await.as_deref(), Some("t"));
        let body = ask(session, "SELECT body FROM docs").await.unwrap();
        assert!(!body.contains("77000001"), "{body}");
    }
    // What is computed no more keeps what it has computed.
    inside
        .batch_execute(
            "ALTER TABLE docs DROP COLUMN title;\
             ALTER TABLE docs ADD title text GENERATED ALWAYS AS (body ->> 'pay') STORED",
        )
        .await
        .unwrap();
    assert!(serve.session().await.simple_query(SHOWN).await.is_err());
    inside
        .batch_execute("ALTER TABLE docs ALTER COLUMN title DROP EXPRESSION")
        .await
        .unwrap();
    assert!(serve.session().await.simple_query(SHOWN).await.is_err());
}
