//! What only later versions of Postgres do, with a server that is played here; and what the kernel
//! watches over.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::support::*;

/// Protocol 3.2, which Postgres speaks from version 18 on.
const V3_2: u32 = 3 << 16 | 2;

/// The longest key that the protocol allows: a process and 256 bytes.
fn long_key() -> Vec<u8> {
    let secret = (0..=255_u8).map(|byte| byte.wrapping_mul(31));
    [0, 0, 0x30, 0x39].into_iter().chain(secret).collect()
}

/// A packet without a type byte, its length in front.
async fn read_packet(stream: &mut TcpStream) -> Vec<u8> {
    let length = stream.read_u32().await.unwrap();
    let mut body = vec![0; length as usize - 4];
    stream.read_exact(&mut body).await.unwrap();
    packet(&body)
}

/// Lets everybody in, and answers every query with nothing.
async fn serve(mut stream: TcpStream) {
    stream
        .write_all(
            &[
                message(b'R', &[0; 4]),
                message(b'S', b"server_version\x0018.0\0"),
                message(b'K', &long_key()),
                message(b'Z', b"I"),
            ]
            .concat(),
        )
        .await
        .unwrap();
    loop {
        let Ok(kind) = stream.read_u8().await else {
            return;
        };
        read_packet(&mut stream).await;
        if kind == b'S' {
            // What was asked of its own accord.
            stream.write_all(&message(b'Z', b"I")).await.unwrap();
        }
        if kind == b'Q' {
            let answer = [message(b'C', b"SELECT 0\0"), message(b'Z', b"I")].concat();
            stream.write_all(&answer).await.unwrap();
        }
    }
}

#[tokio::test]
async fn protocol_3_2_and_its_long_keys_pass_in_both_directions() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = listener.local_addr().unwrap().to_string();
    let proxy = Proxy::with(config_before(&upstream, "")).await;

    let hello = startup(V3_2, &["user", "postgres", "_pq_.unknown", "on"]);
    let mut client = Raw::connect(proxy.address).await;
    client.send(&hello).await;
    let (mut server, _) = listener.accept().await.unwrap();
    assert_eq!(read_packet(&mut server).await, hello);
    let serving = tokio::spawn(serve(server));
    let answer = client.until_ready().await;
    assert_eq!(answer.kinds(), "RSKZ");
    assert_eq!(answer.messages[2].1, long_key());
    client.send(&query("SELECT")).await;
    assert_eq!(client.until_ready().await.kinds(), "CZ");

    let request = [&80_877_102_u32.to_be_bytes()[..], &long_key()].concat();
    let mut canceller = Raw::connect(proxy.address).await;
    canceller.send(&packet(&request)).await;
    let (mut server, _) = listener.accept().await.unwrap();
    assert_eq!(read_packet(&mut server).await, packet(&request));
    drop(server);
    assert!(canceller.bytes_until_closed().await.is_empty());
    serving.abort();
}

/// The timer of a socket between these ports, as the kernel tells it: `02` is that of keepalive.
fn timer(local: u16, remote: u16) -> Option<String> {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let ends = [local, remote].map(|port| format!(":{port:04X}"));
    let line = table.lines().find(|line| {
        let mut words = line.split_whitespace().skip(1);
        ends.iter()
            .all(|end| words.next().is_some_and(|word| word.ends_with(end)))
    })?;
    let timer = line.split_whitespace().nth(5)?;
    Some(timer.split(':').next()?.to_owned())
}

/// A peer that is gone without a word, or a network that is, is found out by the kernel.
#[tokio::test]
async fn keepalive_watches_both_legs() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&query(
        "SELECT client_port FROM pg_stat_activity WHERE pid = pg_backend_pid()",
    ))
    .await;
    let answer = raw.until_ready().await;
    assert_eq!(answer.kinds(), "TDCZ");
    let row = &answer.messages[1].1;
    let behind: u16 = std::str::from_utf8(&row[6..]).unwrap().parse().unwrap();
    let before = raw.0.local_addr().unwrap().port();
    // The timer of what was just sent comes first.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let client_leg = timer(proxy.address.port(), before);
    let server_leg = timer(behind, postgres().port());
    assert_eq!(client_leg.as_deref(), Some("02"));
    assert_eq!(server_leg.as_deref(), Some("02"));
    // The test's own socket has none.
    assert_eq!(timer(before, proxy.address.port()).as_deref(), Some("00"));
}
