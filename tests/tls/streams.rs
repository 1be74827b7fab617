//! Much data over TLS on both legs, in both directions, to clients that read when they like.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::stand::*;
use crate::wire::*;

fn both_legs() -> String {
    let stand = stand();
    stand.server_tls("require", "") + &stand.upstream_tls()
}

#[tokio::test]
async fn a_long_result_arrives_whole() {
    let proxy = Proxy::start(&both_legs()).await;
    let select = "SELECT i, md5(i::text) FROM generate_series(1, 200000) AS i";
    let port = stand().postgres.port();
    let direct = psql("127.0.0.1", port, "user=postgres", select)
        .await
        .unwrap();
    let through = proxy.psql(&verified("postgres"), select).await.unwrap();
    assert!(direct.len() > 5_000_000);
    assert!(direct == through, "the results differ");
}

/// A client that sends all before it reads anything, and one that rests between reads.
#[tokio::test]
async fn a_pipeline_of_megabytes_does_not_get_stuck() {
    let proxy = Proxy::start(&both_legs()).await;
    let mut stream = negotiated(proxy.address).await;
    let hello = startup(3 << 16, &["user", "postgres"]);
    ask(&mut stream, &hello, b'Z').await;
    let value = "x".repeat(100_000);
    let statement = query(&format!("SELECT '{value}'"));
    let (mut reading, mut writing) = tokio::io::split(stream);
    let sender = tokio::spawn(async move {
        for _ in 0..100 {
            writing.write_all(&statement).await.unwrap();
        }
        writing.flush().await.unwrap();
        writing
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    for _ in 0..100 {
        let answer = read_until(&mut reading, b'Z').await;
        let row = answer.iter().find(|(kind, _)| *kind == b'D').unwrap();
        assert_eq!(row.1.len(), 6 + value.len());
    }
    sender.await.unwrap();
}

/// The end of a result waits within TLS while the client's socket is full; nothing else happens
/// that would push it out.
#[tokio::test]
async fn the_end_of_a_result_reaches_a_client_that_always_lags() {
    let proxy = Proxy::start(&both_legs()).await;
    let mut stream = negotiated(proxy.address).await;
    let hello = startup(3 << 16, &["user", "postgres"]);
    ask(&mut stream, &hello, b'Z').await;
    let select = query("SELECT repeat('x', 1000) FROM generate_series(1, 20000)");
    stream.write_all(&select).await.unwrap();
    let mut received = 0;
    let mut end = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    let ready = message(b'Z', b"I");
    while !end.ends_with(&ready) {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let read = tokio::time::timeout(PATIENCE, stream.read(&mut piece)).await;
        let count = read.expect("the end of the result").unwrap();
        assert!(count > 0, "the session ended");
        received += count;
        end.extend_from_slice(&piece[..count]);
        end.drain(..end.len().saturating_sub(ready.len()));
    }
    assert!(received > 20_000_000);
}

/// A client may close its side and still read.
#[tokio::test]
async fn a_half_closed_client_gets_its_answer() {
    let proxy = Proxy::start(&both_legs()).await;
    let mut stream = negotiated(proxy.address).await;
    let hello = startup(3 << 16, &["user", "postgres"]);
    ask(&mut stream, &hello, b'Z').await;
    stream
        .write_all(&query("SELECT 1 FROM pg_sleep(0.2)"))
        .await
        .unwrap();
    stream.shutdown().await.unwrap();
    let answer = read_until(&mut stream, b'Z').await;
    assert!(answer.iter().any(|(kind, _)| *kind == b'D'), "{answer:?}");
}

/// Not every client takes its leave of TLS; the session ends all the same, on the server too.
#[tokio::test]
async fn a_client_that_vanishes_without_a_farewell_leaves_nothing_behind() {
    let proxy = Proxy::start(&both_legs()).await;
    let mut stream = negotiated(proxy.address).await;
    let hello = startup(
        3 << 16,
        &["user", "postgres", "application_name", "vanishing"],
    );
    ask(&mut stream, &hello, b'Z').await;
    let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vanishing'";
    let port = stand().postgres.port();
    let sessions = async || {
        psql("127.0.0.1", port, "user=postgres", count)
            .await
            .unwrap()
    };
    assert_eq!(sessions().await, "1");
    let (mut socket, _) = stream.into_inner();
    socket.shutdown().await.unwrap();
    let _ = socket.read(&mut [0; 64]).await;
    drop(socket);
    for _ in 0..100 {
        if sessions().await == "0" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the session is still there");
}
