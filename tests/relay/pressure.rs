//! Peers that do not keep up: whoever reads slowly stops whoever writes, and the proxy, here a
//! process of its own, holds no more than its buffers meanwhile.

use std::time::Duration;

use crate::process::Process;
use crate::support::*;

/// What the resident memory may grow by: buffers, and the allocator's idea of order.
const GROWTH_BYTES: usize = 6 << 20;

/// Far more than fits into the sockets' buffers and the proxy's.
const STREAM_BYTES: usize = 200_000_000;

/// A value of one message.
const VALUE_BYTES: usize = 50_000;

/// The most memory that the process has at any of many instants within a second.
async fn peak(process: &Process) -> Option<usize> {
    let mut peak = None;
    for _ in 0..50 {
        peak = peak.max(process.memory());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    peak
}

/// A proxy that has served a session, and that session.
async fn warm() -> (Process, Raw) {
    let process = Process::start(10, "1024").await;
    let mut raw = process.session().await;
    raw.send(&query(
        "SELECT repeat('x', 10000) FROM generate_series(1, 100)",
    ))
    .await;
    raw.until_ready().await;
    (process, raw)
}

#[tokio::test]
async fn a_client_that_does_not_read_costs_no_memory() {
    let (process, mut raw) = warm().await;
    let before = process.memory();
    let rows = STREAM_BYTES / VALUE_BYTES;
    raw.send(&query(&format!(
        "SELECT repeat('x', {VALUE_BYTES}) FROM generate_series(1, {rows})"
    )))
    .await;
    let waiting = peak(&process).await;
    let mut most = waiting;
    let mut left = rows;
    while left > 0 {
        let answer = raw.read(|kind| kind == b'D').await;
        assert!(!answer.closed);
        left -= 1;
        if left.is_multiple_of(200) {
            most = most.max(process.memory());
        }
    }
    assert_eq!(raw.until_ready().await.kinds(), "CZ");
    if let (Some(before), Some(most)) = (before, most) {
        let growth = most.saturating_sub(before);
        assert!(growth < GROWTH_BYTES, "{growth} bytes");
    }
}

#[tokio::test]
async fn a_server_that_does_not_read_costs_no_memory() {
    let (process, raw) = warm().await;
    let before = process.memory();
    // While the server sleeps, a pipeline of large values comes to a stop somewhere.
    let length = u32::try_from(VALUE_BYTES).unwrap().to_be_bytes();
    let value = vec![b'x'; VALUE_BYTES];
    let bind = [b"\0s\0\0\0\0\x01", &length[..], &value, b"\0\0"].concat();
    let one = [message(b'B', &bind), message(b'E', b"\0\0\0\0\0")].concat();
    let count = STREAM_BYTES / VALUE_BYTES;
    let (mut reader, mut writer) = raw.0.into_split();
    let sending = tokio::spawn(async move {
        use tokio::io::AsyncWriteExt as _;
        let parse = message(b'P', b"s\0SELECT length($1::text)\0\0\0");
        let begin = [query("SELECT pg_sleep(1.5)"), parse].concat();
        writer.write_all(&begin).await.unwrap();
        for _ in 0..count {
            writer.write_all(&one).await.unwrap();
        }
        writer.write_all(&message(b'S', b"")).await.unwrap();
        writer
    });
    let mut most = peak(&process).await;
    assert!(!sending.is_finished(), "the whole stream is somewhere");
    let (mut answers, mut buffer) = (Vec::new(), vec![0; 65_536]);
    // ReadyForQuery comes twice: for the sleep, and at the very end.
    let end = message(b'Z', b"I");
    let reading = async {
        use tokio::io::AsyncReadExt as _;
        while answers.len() < 1000 || !answers.ends_with(&end) {
            let read = reader.read(&mut buffer).await.unwrap();
            assert!(read > 0, "the session goes on");
            answers.extend_from_slice(&buffer[..read]);
            most = most.max(process.memory());
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap();
    drop(sending.await.unwrap());
    let rows = answers.windows(5).filter(|window| *window == b"50000");
    assert_eq!(rows.count(), count);
    if let (Some(before), Some(most)) = (before, most) {
        let growth = most.saturating_sub(before);
        assert!(growth < GROWTH_BYTES, "{growth} bytes");
    }
}
