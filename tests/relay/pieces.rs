//! Data of COPY with ids and documents in them that come in pieces: cut inside of a header, in
//! small blocks, and without an end, because the client goes.

use std::path::Path;
use std::time::{Duration, Instant};

use pgveil::config::{Config, Environment};

use crate::support::*;

/// So much of an unfinished value is translated on the threads that serve sockets.
const BOUND_BYTES: usize = 256 * 1024;

/// What a client may send while a value is under way, and what is sent in the end.
const FORMATS: [&str; 3] = ["text", "csv", "binary"];

/// A proxy before a database of its own with a table of documents, and that database.
async fn stand(name: &str) -> (Proxy, tokio_postgres::Client) {
    let admin = direct().await;
    let create = format!("CREATE DATABASE {name}");
    admin.batch_execute(&create).await.expect("a database");
    let url = postgres().url(name);
    let (inside, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    let tables =
        "create table users (id bigint primary key generated always as identity, email text);
        create table docs (number int, body text);
        insert into users (email) values ('ann')";
    inside.batch_execute(tables).await.unwrap();
    (Proxy::with(annotated()).await, inside)
}

fn annotated() -> Config {
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:0\"]\n[upstream]\naddress = \"{}:{}\"\n\
         [keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"PIECES_KEY\"\n\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n\
         [[id.json]]\ncolumn = \"public.docs.body\"\npath = \"$.id\"\n",
        postgres().host(),
        postgres().port()
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|name| (name == "PIECES_KEY").then(|| "5eed".repeat(16)),
    };
    Config::parse(&text, &around).expect("a sound configuration")
}

/// A session with a database under the name of an application.
async fn session(proxy: &Proxy, database: &str, application: &str) -> Raw {
    let mut raw = Raw::connect(proxy.address).await;
    let parameters = ["user", "postgres", "database", database];
    let parameters = [&parameters[..], &["application_name", application]].concat();
    raw.send(&startup(3 << 16, &parameters)).await;
    assert!(!raw.until_ready().await.closed);
    raw
}

/// The id of the only user.
async fn id(raw: &mut Raw) -> String {
    raw.send(&query("select id from users")).await;
    let answer = raw.until_ready().await;
    let row = answer.messages.iter().find(|(kind, _)| *kind == b'D');
    let (_, row) = row.expect("a row");
    String::from_utf8(row[6..].to_vec()).unwrap()
}

/// A document with an id, in so many bytes.
fn document(id: &str, bytes: usize) -> String {
    let begin = format!("{{\"id\":\"{id}\",\"a\":\"");
    let filled = bytes - begin.len() - 2;
    format!("{begin}{}\"}}", "x".repeat(filled))
}

/// One record: a number and a document, and how many of its bytes stand before the document.
fn record(format: &str, document: &str) -> (Vec<u8>, usize) {
    match format {
        "text" => (format!("7\t{document}\n").into_bytes(), 2),
        "csv" => {
            let quoted = document.replace('"', "\"\"");
            (format!("7,\"{quoted}\"\n").into_bytes(), 2)
        }
        _ => {
            let length = u32::try_from(document.len()).unwrap().to_be_bytes();
            let header = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
            let number = b"\0\x02\0\0\0\x04\0\0\0\x07";
            let begin = [&header[..], number].concat();
            let bytes = [&begin[..], &length, document.as_bytes(), &[0xff, 0xff]].concat();
            (bytes, begin.len())
        }
    }
}

/// What arrived, seen from the server: how many, and whether all are of this length with the key.
async fn arrived(inside: &tokio_postgres::Client, bytes: usize) -> (i64, bool) {
    let ask = "with gone as (delete from docs returning *)
        select count(*), bool_and(body::json->>'id' = '1' and length(body::json->>'a') = $1) from gone";
    let bytes = i32::try_from(bytes).unwrap();
    let row = inside.query_one(ask, &[&bytes]).await.unwrap();
    (row.get(0), row.get(1))
}

/// How much of a document is filling.
fn filling(id: &str, bytes: usize) -> usize {
    document(id, bytes).matches('x').count()
}

#[tokio::test]
async fn a_header_that_is_cut_behind_an_unfinished_value_stops_nobody() {
    let (proxy, inside) = stand("pieces_cut").await;
    let mut raw = session(&proxy, "pieces_cut", "pieces").await;
    let id = id(&mut raw).await;
    let unfinished = [
        BOUND_BYTES - 1,
        BOUND_BYTES,
        BOUND_BYTES + 1,
        300_000,
        1_000_000,
    ];
    for format in FORMATS {
        let copy = format!("copy docs (number, body) from stdin (format {format})");
        for first in unfinished {
            let bytes = first + 1000;
            let (record, begin) = record(format, &document(&id, bytes));
            for cut in 1..5 {
                let what = format!("{format}, {first} bytes, {cut} of a header");
                raw.send(&query(&copy)).await;
                assert_eq!(raw.read(|kind| kind == b'G').await.kinds(), "G", "{what}");
                let (before, behind) = record.split_at(begin + first);
                let rest = [message(b'd', behind), message(b'c', b"")].concat();
                let sent = [&message(b'd', before)[..], &rest[..cut]].concat();
                raw.send(&sent).await;
                // Everything has been read before the rest comes.
                tokio::time::sleep(Duration::from_millis(30)).await;
                raw.send(&rest[cut..]).await;
                assert_eq!(raw.until_ready().await.kinds(), "CZ", "{what}");
                let all = arrived(&inside, filling(&id, bytes)).await;
                assert_eq!(all, (1, true), "{what}");
            }
        }
    }
}

/// As drivers send them that write what they are given.
#[tokio::test]
async fn large_values_come_in_small_blocks() {
    const ROWS: usize = 8;
    const BYTES: usize = 800_000;
    let (proxy, inside) = stand("pieces_blocks").await;
    let mut raw = session(&proxy, "pieces_blocks", "pieces").await;
    let id = id(&mut raw).await;
    let row = format!("7\t{}\n", document(&id, BYTES));
    for block in [1301, 4001, 65_536] {
        let blocks = row.as_bytes().chunks(block);
        let one: Vec<u8> = blocks.flat_map(|block| message(b'd', block)).collect();
        raw.send(&query("copy docs (number, body) from stdin"))
            .await;
        assert_eq!(raw.read(|kind| kind == b'G').await.kinds(), "G");
        let all = async {
            for _ in 0..ROWS {
                raw.send(&one).await;
            }
            raw.send(&message(b'c', b"")).await;
        };
        let sent = tokio::time::timeout(PATIENCE, all).await;
        sent.expect("the data are taken");
        assert_eq!(raw.until_ready().await.kinds(), "CZ", "{block}");
        let all = arrived(&inside, filling(&id, BYTES)).await;
        assert_eq!(all, (i64::try_from(ROWS).unwrap(), true), "{block}");
    }
}

/// How a client goes in the middle of a value.
#[derive(Debug, Clone, Copy)]
enum Leave {
    Close,
    Reset,
    HalfClose,
}

#[tokio::test]
async fn a_client_that_goes_inside_of_a_large_value_leaves_nothing_behind() {
    let (proxy, inside) = stand("pieces_gone").await;
    let mut left = Vec::new();
    for leave in [Leave::Close, Leave::Reset, Leave::HalfClose] {
        for cut in [0, 3] {
            let application = format!("pieces {leave:?} {cut}");
            let mut raw = session(&proxy, "pieces_gone", &application).await;
            let id = id(&mut raw).await;
            raw.send(&query("copy docs (number, body) from stdin"))
                .await;
            raw.read(|kind| kind == b'G').await;
            let (record, _) = record("text", &document(&id, 400_000));
            let sent = message(b'd', &record[..300_000]);
            raw.send(&[&sent[..], &message(b'c', b"")[..cut]].concat())
                .await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            let stays = match leave {
                Leave::Close => None,
                Leave::Reset => {
                    let _ = socket2::SockRef::from(&raw.0).set_linger(Some(Duration::ZERO));
                    None
                }
                Leave::HalfClose => {
                    raw.hang_up().await;
                    Some(raw)
                }
            };
            left.push((application, stays));
        }
    }
    for (application, _stays) in left {
        let started = Instant::now();
        let count = "select count(*) from pg_stat_activity where application_name = $1";
        loop {
            let row = inside.query_one(count, &[&application]).await.unwrap();
            if row.get::<_, i64>(0) == 0 {
                break;
            }
            assert!(started.elapsed() < PATIENCE, "{application} is still there");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
