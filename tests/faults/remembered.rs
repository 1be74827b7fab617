//! Columns that catalogs no longer say to hold keys: what was known of them outlives a restart of
//! Postgres and a failover, as their values do.

use std::fs;

use pgveil::postgres::{Authentication, Options};
use rustix::process::Signal;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use crate::bank::PASSWORD;
use crate::failover::free_port;
use crate::proxy::Proxy;
use crate::server::Victim;
use crate::standby::Standby;
use crate::{SCHEMA, connect};

/// Each table has one row of account 1, whose key is the first.
const MORE: &str = "
    CREATE TABLE refers (what bigint REFERENCES accounts);
    CREATE TABLE shows (account bigint REFERENCES accounts,
        what text GENERATED ALWAYS AS (account::text) STORED);
    CREATE TABLE draws (what bigint DEFAULT nextval('accounts_id_seq'));
    CREATE TABLE undecided (what bigserial PRIMARY KEY);
    CREATE TABLE moves (what bigint REFERENCES accounts);
    INSERT INTO refers VALUES (8613972450000001);
    INSERT INTO shows VALUES (8613972450000001);
    INSERT INTO draws VALUES (8613972450000001);
    INSERT INTO undecided VALUES (8613972450000001);
    INSERT INTO moves VALUES (8613972450000001);";

/// From here on nothing in the catalogs says what these columns hold.
const FORGOTTEN: &str = "
    ALTER TABLE refers DROP CONSTRAINT refers_what_fkey;
    ALTER TABLE shows ALTER what DROP EXPRESSION, DROP COLUMN account;
    ALTER TABLE draws ALTER what DROP DEFAULT;
    ALTER TABLE undecided DROP CONSTRAINT undecided_pkey, ALTER what DROP DEFAULT;
    ALTER TABLE moves DROP CONSTRAINT moves_what_fkey;
    ALTER TABLE moves RENAME TO moved;
    ALTER TABLE ledger DROP CONSTRAINT ledger_from_id_fkey, DROP CONSTRAINT ledger_to_id_fkey;
    ALTER TABLE accounts RENAME TO people;";

/// What a client sees of each of them: an id, or that it is refused.
async fn seen(client: &Client) -> Vec<Result<String, String>> {
    let mut seen = Vec::new();
    for text in [
        "SELECT what FROM refers",
        "SELECT what FROM moved",
        "SELECT id FROM people WHERE number = 0",
        "SELECT what FROM shows",
        "SELECT what FROM draws",
        "SELECT what FROM undecided",
    ] {
        let answer = client.simple_query(text).await;
        let words = format!("{answer:?}");
        assert!(!words.contains("86139724500"), "{text}: {words}");
        seen.push(match answer {
            Ok(messages) => {
                let value = messages.iter().find_map(|message| match message {
                    SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                    _ => None,
                });
                Ok(value.unwrap())
            }
            Err(error) => Err(error.code().unwrap().code().to_owned()),
        });
    }
    seen
}

async fn login(url: &str) -> Client {
    let started = std::time::Instant::now();
    loop {
        match tokio_postgres::connect(url, NoTls).await {
            Ok((client, connection)) => {
                tokio::spawn(connection);
                return client;
            }
            Err(error) => assert!(started.elapsed().as_secs() < 30, "{error}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_held_keys_holds_them_after_a_restart_and_a_failover() {
    let options = Options::from_env()
        .authentication(Authentication::ScramSha256)
        .password(PASSWORD)
        .hba("host replication all all scram-sha-256");
    let mut primary = Victim::with(options, 60);
    let direct = connect(&primary.url()).await;
    direct.batch_execute(SCHEMA).await.unwrap();
    direct.batch_execute(MORE).await.unwrap();
    let standby = Standby::of(&primary).await;
    let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:{port}\"]\n\
         [upstream]\naddresses = [\"127.0.0.1:{}\", \"127.0.0.1:{}\"]\n\
         target_session_attrs = \"read-write\"\n\
         [keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"FAULT_KEY\"\n\
         [policy]\nnew_keys = \"refuse\"\n[limits]\ncatalog_max_age_s = 0\n\
         [[id]]\nname = \"account\"\ncolumn = \"public.accounts.id\"\n",
        primary.port(),
        standby.port,
    );
    let file = folder.path().join("pgveil.toml");
    fs::write(&file, text).unwrap();
    let _proxy = Proxy::start(&file, port).await;
    let url =
        format!("host=127.0.0.1 port={port} user=postgres dbname=postgres password='{PASSWORD}'");

    let client = login(&url).await;
    client.simple_query("TABLE refers").await.unwrap();
    direct.batch_execute(FORGOTTEN).await.unwrap();
    let before = seen(&client).await;
    let ids: Vec<_> = before.iter().take(3).collect();
    assert!(
        ids.iter()
            .all(|id| id.as_ref().is_ok_and(|id| id.len() == 36)),
        "{before:?}"
    );
    assert!(ids.windows(2).all(|two| two[0] == two[1]), "{before:?}");
    assert!(before.iter().skip(3).all(Result::is_err), "{before:?}");

    drop((client, direct));
    primary.restart(Signal::INT).await;
    assert_eq!(seen(&login(&url).await).await, before, "restarted");
    primary.kill();
    standby.promote().await;
    assert_eq!(seen(&login(&url).await).await, before, "failed over");
}
