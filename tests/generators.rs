//! The generators of ordered keys in `examples/sql`, each on a real Postgres: that keys are ordered
//! and distinct, that what is in them can be read back, and that pgveil has ids for them.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use pgveil::codec::{
    Codec, Form, FormName, KeyValue, OpaqueId, UuidKey, ValueType, WideForm, WideKey,
};
use pgveil::config::{Config, Environment};
use pgveil::postgres::{Options, Postgres};
use tokio_postgres::{Client, NoTls};

/// One server for all tests of this binary. Rust never drops it.
static SERVER: LazyLock<Postgres> =
    LazyLock::new(|| Postgres::start(&Options::from_env()).unwrap());

/// A database with the functions of a file, and a table of 10,000 keys in the order in which they
/// were made.
struct Stand {
    client: Client,
    url: String,
}

impl Stand {
    async fn new(file: &str, setup: &str, key_type: &str, generator: &str) -> Self {
        let (admin, _) = connect(&SERVER.url("postgres")).await;
        let create = format!("CREATE DATABASE {file}");
        admin.batch_execute(&create).await.unwrap();
        let url = SERVER.url(file);
        let (client, _) = connect(&url).await;
        let sql = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/sql/{file}.sql"));
        let functions = fs::read_to_string(sql).unwrap();
        client.batch_execute(&functions).await.unwrap();
        let table = format!(
            "{setup}; CREATE TABLE keys (n integer, id {key_type} PRIMARY KEY DEFAULT {generator},
                 before timestamptz DEFAULT clock_timestamp());
             INSERT INTO keys (n) SELECT generate_series(1, 10000);"
        );
        client.batch_execute(&table).await.unwrap();
        Self { client, url }
    }

    /// The one value of a query.
    async fn one<T>(&self, sql: &str) -> T
    where
        T: for<'a> tokio_postgres::types::FromSql<'a>,
    {
        self.client.query_one(sql, &[]).await.unwrap().get(0)
    }

    /// How many keys an expression is true of, of 10,000.
    async fn of_keys(&self, condition: &str) -> i64 {
        self.one(&format!("SELECT count(*) FROM keys WHERE {condition}"))
            .await
    }

    /// How many keys sort before the one that was made before them, by this expression.
    async fn out_of_order(&self, by: &str) -> i64 {
        let sql = format!(
            "SELECT count(*) FROM (SELECT {by} AS k, lag({by}) OVER (ORDER BY n) AS l FROM keys) AS two
             WHERE k < l"
        );
        self.one(&sql).await
    }

    /// Checks that a time in each key is that at which it was made. The clock was read once more
    /// for the row, perhaps after a pause of the machine.
    async fn times_are(&self, timestamp: &str) {
        let late = format!("extract(epoch FROM before - {timestamp})");
        assert_eq!(
            self.of_keys(&format!("{late} BETWEEN 0 AND 60")).await,
            10_000
        );
        let most = self.of_keys(&format!("{late} < 0.05")).await;
        assert!(most > 9_900, "{most}");
    }

    async fn texts(&self) -> Vec<String> {
        let rows = self
            .client
            .query("SELECT id::text FROM keys ORDER BY n", &[])
            .await;
        rows.unwrap().iter().map(|row| row.get(0)).collect()
    }

    /// Has `pgveil check` judge the table under these settings, and gives the codec.
    fn codec(&self, settings: &str) -> std::sync::Arc<Codec> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pgveil.toml");
        let text = format!(
            "[upstream]\naddress = \"127.0.0.1:1\"\n[keys]\ncurrent = \"a\"\n[keys.ring.a]\n\
             command = [\"echo\", \"{}\"]\n[[id]]\nname = \"key\"\ncolumn = \"public.keys.id\"\n{settings}\n",
            "17".repeat(32)
        );
        fs::write(&file, &text).unwrap();
        let check = Command::new(env!("CARGO_BIN_EXE_pgveil"))
            .args(["check", "--database-url", &self.url, "-c"])
            .arg(&file)
            .output()
            .unwrap();
        let printed = String::from_utf8(check.stdout).unwrap();
        assert!(printed.ends_with("the database fits\n"), "{printed}");
        let around = Environment {
            folder: folder.path(),
            env: &|_| None,
        };
        let config = Config::parse(&text, &around).unwrap();
        config.domains[0].codec.clone()
    }
}

async fn connect(url: &str) -> (Client, tokio::task::JoinHandle<()>) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let task = tokio::spawn(async {
        let _ = connection.await;
    });
    (client, task)
}

fn uuid(text: &str) -> KeyValue {
    let id: OpaqueId = text.parse().unwrap();
    KeyValue::Uuid(UuidKey::from_bytes(id.to_bytes()))
}

/// Every key has an id, which leads back to it.
fn has_ids(codec: &Codec, keys: &[KeyValue], column: ValueType) {
    let mut ids = Vec::new();
    codec.encode_batch(keys, &mut ids);
    assert_eq!(ids.len(), keys.len());
    for (key, id) in keys.iter().zip(ids) {
        assert_eq!(codec.decode(&id.unwrap(), column).as_ref(), Ok(key));
    }
}

#[tokio::test]
async fn uuidv7_is_ordered_by_the_microsecond_and_of_version_7() {
    let stand = Stand::new("uuidv7", "", "uuid", "uuidv7()").await;
    assert_eq!(
        stand.of_keys("id::text ~ '^.{14}7.{4}[89ab]'").await,
        10_000
    );
    assert_eq!(stand.out_of_order("substr(id::text, 1, 18)").await, 0);
    stand.times_are("uuidv7_timestamp(id)").await;
    // The fraction is used: far more values than there were milliseconds.
    let fractions: i64 = stand
        .one("SELECT count(DISTINCT substr(id::text, 15, 4)) FROM keys")
        .await;
    assert!(fractions > 500, "{fractions}");
    // The test vector of RFC 9562, A.6.
    let time: String = stand
        .one("SELECT (uuidv7_timestamp('017F22E2-79B0-7CC3-98C4-DC0C0C07398F') AT TIME ZONE 'UTC')::text")
        .await;
    assert_eq!(time, "2022-02-22 19:22:22");
    let keys: Vec<_> = stand.texts().await.iter().map(|text| uuid(text)).collect();
    has_ids(&stand.codec(""), &keys, ValueType::Uuid);
    has_ids(
        &stand.codec("form = \"typeid\"\nprefix = \"key\""),
        &keys,
        ValueType::Uuid,
    );
}

#[tokio::test]
async fn tuid_is_a_millisecond_and_random_bits_with_a_compact_text() {
    let stand = Stand::new("tuid", "", "uuid", "tuid()").await;
    assert_eq!(stand.out_of_order("substr(id::text, 1, 13)").await, 0);
    stand.times_are("tuid_timestamp(id)").await;
    // No bit behind the time is fixed: each is set in about half of the keys.
    let least: i64 = stand
        .one(
            "SELECT min(least(ones, 10000 - ones)) FROM (
                 SELECT count(*) FILTER (WHERE get_bit(uuid_send(id), bit) = 1) AS ones
                 FROM keys, generate_series(48, 127) AS bit GROUP BY bit) AS counts",
        )
        .await;
    assert!(least > 4_500, "{least}");
    assert_eq!(
        stand
            .of_keys("tuid_from_compact(tuid_compact(id)) = id")
            .await,
        10_000
    );
    let compact: Vec<String> = {
        let rows = stand
            .client
            .query("SELECT tuid_compact(id) FROM keys ORDER BY n", &[])
            .await;
        rows.unwrap().iter().map(|row| row.get(0)).collect()
    };
    let form = Form::new(FormName::Compact, "").unwrap();
    for (text, compact) in stand.texts().await.iter().zip(&compact) {
        let id: OpaqueId = text.parse().unwrap();
        assert_eq!(form.parse(compact.as_bytes()), Ok(id.to_bytes()));
    }
    let keys: Vec<_> = stand.texts().await.iter().map(|text| uuid(text)).collect();
    has_ids(&stand.codec("codec = \"aes\""), &keys, ValueType::Uuid);
    has_ids(
        &stand.codec("codec = \"aes\"\nform = \"compact\""),
        &keys,
        ValueType::Uuid,
    );
}

#[tokio::test]
async fn stuid_is_a_microsecond_and_random_bits_with_a_compact_text() {
    let stand = Stand::new("stuid", "", "bytea", "stuid()").await;
    assert_eq!(stand.of_keys("length(id) = 32").await, 10_000);
    assert_eq!(stand.out_of_order("substring(id FROM 1 FOR 8)").await, 0);
    stand.times_are("stuid_timestamp(id)").await;
    // The microseconds are used: far more values than there were milliseconds.
    let times: i64 = stand
        .one("SELECT count(DISTINCT stuid_timestamp(id)) FROM keys")
        .await;
    assert!(times > 500, "{times}");
    let time: String = stand
        .one("SELECT (stuid_timestamp('\\x0006020a7bfe2f60'::bytea) AT TIME ZONE 'UTC')::text")
        .await;
    assert_eq!(time, "2023-08-03 20:18:33.448288");
    // No bit behind the time is fixed: each is set in about half of the keys.
    let least: i64 = stand
        .one(
            "SELECT min(least(ones, 10000 - ones)) FROM (
                 SELECT count(*) FILTER (WHERE get_bit(id, bit) = 1) AS ones
                 FROM keys, generate_series(64, 255) AS bit GROUP BY bit) AS counts",
        )
        .await;
    assert!(least > 4_500, "{least}");
    assert_eq!(
        stand
            .of_keys("stuid_from_compact(stuid_compact(id)) = id")
            .await,
        10_000
    );
    let rows = stand
        .client
        .query("SELECT id, stuid_compact(id) FROM keys ORDER BY n", &[])
        .await
        .unwrap();
    let keys: Vec<KeyValue> = rows
        .iter()
        .map(|row| {
            let bytes: [u8; 32] = row.get::<_, Vec<u8>>(0).try_into().unwrap();
            let compact: &str = row.get(1);
            assert_eq!(WideForm::Compact43.parse(compact.as_bytes()), Ok(bytes));
            KeyValue::Bytes(WideKey::from_bytes(bytes))
        })
        .collect();
    has_ids(&stand.codec("codec = \"wide\""), &keys, ValueType::Bytes);
    has_ids(
        &stand.codec("codec = \"wide\"\nform = \"compact43\""),
        &keys,
        ValueType::Bytes,
    );
}

#[tokio::test]
async fn sequence_uuid_is_strictly_in_order_and_shows_its_number() {
    let setup = "CREATE SEQUENCE numbers";
    let stand = Stand::new("sequence_uuid", setup, "uuid", "sequence_uuid('numbers')").await;
    assert_eq!(stand.out_of_order("id").await, 0);
    assert_eq!(stand.of_keys("sequence_uuid_number(id) = n").await, 10_000);
    let random: i64 = stand
        .one("SELECT count(DISTINCT substr(id::text, 20)) FROM keys")
        .await;
    assert_eq!(random, 10_000);
    let least: i64 = stand
        .one(
            "SELECT min(least(ones, 10000 - ones)) FROM (
                 SELECT count(*) FILTER (WHERE get_bit(uuid_send(id), bit) = 1) AS ones
                 FROM keys, generate_series(64, 127) AS bit GROUP BY bit) AS counts",
        )
        .await;
    assert!(least > 4_500, "{least}");
    let keys: Vec<_> = stand.texts().await.iter().map(|text| uuid(text)).collect();
    has_ids(&stand.codec("codec = \"aes\""), &keys, ValueType::Uuid);
    has_ids(
        &stand.codec("codec = \"cycle_walk\""),
        &keys,
        ValueType::Uuid,
    );
}

#[tokio::test]
async fn ulid_is_canonical_text_in_the_order_of_time() {
    let stand = Stand::new("ulid", "", "text COLLATE \"C\"", "ulid()").await;
    assert_eq!(
        stand.of_keys("id ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'").await,
        10_000
    );
    assert_eq!(stand.out_of_order("substr(id, 1, 10)").await, 0);
    stand.times_are("ulid_timestamp(id)").await;
    for place in 11..=26 {
        let sql = format!("SELECT count(DISTINCT substr(id, {place}, 1)) FROM keys");
        assert_eq!(stand.one::<i64>(&sql).await, 32, "digit {place}");
    }
    let time: String = stand
        .one("SELECT (ulid_timestamp('01ARZ3NDEKTSV4RRFFQ69G5FAV') AT TIME ZONE 'UTC')::text")
        .await;
    assert_eq!(time, "2016-07-30 23:54:10.259");
    let keys: Vec<_> = stand
        .texts()
        .await
        .into_iter()
        .map(KeyValue::Text)
        .collect();
    let codec = stand.codec("key_form = \"ulid\"\nform = \"native\"");
    has_ids(&codec, &keys, ValueType::Text);
    has_ids(&stand.codec("key_form = \"ulid\""), &keys, ValueType::Text);
}
