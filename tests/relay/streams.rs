//! Sessions that are under way: pipelines, COPY, large values, slow and half-closed clients,
//! messages that nobody asked for, cancellation.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt, TryStreamExt, future, pin_mut};
use tokio_postgres::error::SqlState;
use tokio_postgres::{AsyncMessage, NoTls};

use crate::support::*;

#[tokio::test]
async fn a_thousand_queries_in_one_pipeline() {
    let proxy = Proxy::start().await;
    let client = proxy.connect().await;
    let statement = client.prepare("SELECT $1::int4 + 1").await.unwrap();
    let queries = (0..1000_i32).map(|number| {
        let (client, statement) = (&client, &statement);
        async move {
            client
                .query_one(statement, &[&number])
                .await
                .unwrap()
                .get::<_, i32>(0)
        }
    });
    let answers = future::join_all(queries).await;
    assert!(answers.into_iter().eq(1..=1000));
}

#[tokio::test]
async fn many_megabytes_are_written_before_anything_is_read() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    let value = vec![b'x'; 64 * 1024];
    raw.send(&message(b'P', b"s\0SELECT length($1::text)\0\0\0"))
        .await;
    let length = u32::try_from(value.len()).unwrap().to_be_bytes();
    let bind = [b"\0s\0\0\0\0\x01", &length[..], &value, b"\0\0"].concat();
    let one = [message(b'B', &bind), message(b'E', b"\0\0\0\0\0")].concat();
    const COUNT: usize = 1000;
    for _ in 0..COUNT {
        raw.send(&one).await;
    }
    raw.send(&message(b'S', b"")).await;
    let answer = raw.until_ready().await;
    assert_eq!(answer.kinds(), format!("1{}Z", "2DC".repeat(COUNT)));
}

#[tokio::test]
async fn copy_streams_in_both_directions() {
    const ROWS: usize = 200_000;
    let proxy = Proxy::start().await;
    let client = proxy.connect().await;
    client
        .batch_execute("CREATE TEMP TABLE t (n int, s text)")
        .await
        .unwrap();
    let sink = client
        .copy_in::<_, Bytes>("COPY t FROM STDIN")
        .await
        .unwrap();
    pin_mut!(sink);
    for chunk in 0..ROWS / 1000 {
        let lines: String = (0..1000)
            .map(|n| format!("{}\tsome text\n", chunk * 1000 + n))
            .collect();
        sink.send(Bytes::from(lines)).await.unwrap();
    }
    assert_eq!(sink.finish().await.unwrap(), ROWS as u64);
    let stream = client.copy_out("COPY t TO STDOUT").await.unwrap();
    let chunks: Vec<Bytes> = stream.try_collect().await.unwrap();
    let lines = chunks
        .iter()
        .flat_map(|chunk| chunk.iter())
        .filter(|byte| **byte == b'\n');
    assert_eq!(lines.count(), ROWS);
}

#[tokio::test]
async fn a_value_larger_than_every_buffer_passes_whole() {
    let proxy = Proxy::start().await;
    let client = proxy.connect().await;
    let value = "0123456789abcdef".repeat(2 << 20);
    let row = client
        .query_one("SELECT $1::text, length($1)", &[&value])
        .await
        .unwrap();
    assert_eq!(row.get::<_, i32>(1) as usize, value.len());
    assert!(row.get::<_, String>(0) == value);
}

#[tokio::test]
async fn a_slow_reader_gets_everything_and_stops_the_server_meanwhile() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&query(
        "SELECT repeat('x', 10000) FROM generate_series(1, 5000)",
    ))
    .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let waiting = direct()
        .await
        .query_one(
            "SELECT count(*) FROM pg_stat_activity
             WHERE wait_event = 'ClientWrite' AND query LIKE 'SELECT repeat(''x''%'",
            &[],
        )
        .await
        .unwrap();
    assert_eq!(
        waiting.get::<_, i64>(0),
        1,
        "50 MB are somewhere else than in the server"
    );
    let answer = raw.until_ready().await;
    assert_eq!(answer.messages.len(), 5003);
}

#[tokio::test]
async fn a_client_that_closed_its_sending_side_still_reads() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&query("SELECT pg_sleep(0.3)")).await;
    raw.hang_up().await;
    let answer = raw.until_closed().await;
    assert_eq!(answer.kinds(), "TDCZ");
}

#[tokio::test]
async fn notifications_and_settings_arrive_while_idle() {
    let proxy = Proxy::start().await;
    let mut options = tokio_postgres::Config::new();
    options
        .host("127.0.0.1")
        .port(proxy.address.port())
        .user("postgres")
        .dbname("postgres");
    let (client, mut connection) = options.connect(NoTls).await.unwrap();
    let (sender, mut messages) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut stream = futures_util::stream::poll_fn(move |cx| connection.poll_message(cx));
        while let Some(Ok(message)) = stream.next().await {
            let _ = sender.send(message);
        }
    });
    client.batch_execute("LISTEN shop").await.unwrap();
    direct()
        .await
        .batch_execute("NOTIFY shop, 'open'")
        .await
        .unwrap();
    let message = tokio::time::timeout(PATIENCE, messages.recv())
        .await
        .unwrap();
    match message {
        Some(AsyncMessage::Notification(notification)) => {
            assert_eq!(notification.payload(), "open")
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_cancellation_reaches_the_right_session() {
    let proxy = Proxy::start().await;
    let (one, other) = (proxy.connect().await, proxy.connect().await);
    let started = Instant::now();
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        one.cancel_token().cancel_query(NoTls).await.unwrap();
    };
    let (cancelled, untouched, ()) = tokio::join!(
        one.simple_query("SELECT pg_sleep(20)"),
        other.simple_query("SELECT pg_sleep(0.6)"),
        cancel
    );
    assert_eq!(
        cancelled.unwrap_err().code(),
        Some(&SqlState::QUERY_CANCELED)
    );
    untouched.expect("another session");
    assert!(started.elapsed() < Duration::from_secs(10));
    one.simple_query("SELECT 1")
        .await
        .expect("the session goes on");
}

#[tokio::test]
async fn a_cancellation_with_a_wrong_key_hits_nothing_and_gets_no_answer() {
    let proxy = Proxy::start().await;
    let client = proxy.connect().await;
    let stray = async {
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(&[0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 1, 2, 3, 4])
            .await;
        assert_eq!(raw.bytes_until_closed().await, b"");
    };
    let (slept, ()) = tokio::join!(client.simple_query("SELECT pg_sleep(0.3)"), stray);
    slept.expect("nobody cancelled it");
}

#[tokio::test]
async fn a_cancellation_passes_several_proxies_and_needs_none_of_them_to_know_the_session() {
    let first = Proxy::start().await;
    let replica = Proxy::start().await;
    let outer = Proxy::with(config_before(&first.address.to_string(), "")).await;
    let mut raw = Raw::connect(outer.address).await;
    raw.send(&startup(3 << 16, &["user", "postgres"])).await;
    let hello = raw.until_ready().await;
    let request = cancellation(&hello);
    for address in [outer.address, first.address, replica.address] {
        raw.send(&query("SELECT pg_sleep(20)")).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut cancel = Raw::connect(address).await;
        cancel.send(&request).await;
        assert_eq!(cancel.bytes_until_closed().await, b"");
        let answer = raw.until_ready().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("57014"));
    }
    // When the session is gone, the same request hits nobody.
    let witness = outer.connect().await;
    drop(raw);
    let stray = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let mut cancel = Raw::connect(outer.address).await;
        cancel.send(&request).await;
        assert_eq!(cancel.bytes_until_closed().await, b"");
    };
    let (slept, ()) = tokio::join!(witness.simple_query("SELECT pg_sleep(0.4)"), stray);
    slept.expect("nobody cancelled it");
}
