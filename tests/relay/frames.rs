//! Hostile bytes: a recorded session that is cut, or spoiled with garbage or impossible lengths,
//! at every byte. Each such connection ends by itself; those who can be told are told why, and
//! the sessions of others go on.

use crate::support::*;

/// The messages of a client that uses both protocols.
fn recorded() -> Vec<Vec<u8>> {
    vec![
        query("SELECT 1; SELECT 2"),
        message(b'P', b"s\0SELECT $1::int4, 'x'\0\0\x01\0\0\0\x17"),
        message(b'D', b"Ss\0"),
        message(
            b'B',
            b"p\0s\0\0\x01\0\x01\0\x01\0\0\0\x04\0\0\0\x2a\0\x01\0\0",
        ),
        message(b'D', b"Pp\0"),
        message(b'E', b"p\0\0\0\0\0"),
        message(b'C', b"Ss\0"),
        message(b'H', b""),
        message(b'S', b""),
        query("COPY (SELECT 1) TO STDOUT"),
        message(b'X', b""),
    ]
}

/// Sends bytes in a session of their own, and waits for its end.
async fn play(proxy: &Proxy, bytes: &[u8]) -> Answer {
    let mut raw = Raw::session(proxy.address).await;
    raw.send(bytes).await;
    raw.hang_up().await;
    raw.until_closed().await
}

fn assert_refused(answer: &Answer, what: &str) {
    assert!(answer.closed, "{what}");
    assert_eq!(
        answer.error(b'S').as_deref(),
        Some("FATAL"),
        "{what}: {answer:?}"
    );
    assert_eq!(answer.error(b'C').as_deref(), Some("08P01"), "{what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_cut_at_every_byte_ends_and_others_go_on() {
    let proxy = Proxy::start().await;
    let witness = proxy.connect().await;
    let bytes = recorded().concat();
    for length in 0..bytes.len() {
        let answer = play(&proxy, &bytes[..length]).await;
        assert!(answer.closed);
    }
    witness
        .simple_query("SELECT 1")
        .await
        .expect("the witness lives");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_at_every_byte_ends_the_session_and_others_go_on() {
    let proxy = Proxy::start().await;
    let witness = proxy.connect().await;
    let bytes = recorded().concat();
    for length in 0..bytes.len() {
        for garbage in [
            &[0xff_u8; 40][..],
            &[0; 40],
            b"!\0\0\0\x05!!!!!!!!!!!!!!!!!!!!",
        ] {
            let answer = play(&proxy, &[&bytes[..length], garbage].concat()).await;
            assert!(answer.closed);
        }
    }
    witness
        .simple_query("SELECT 1")
        .await
        .expect("the witness lives");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_impossible_length_or_type_of_any_message_is_refused() {
    let proxy = Proxy::start().await;
    let witness = proxy.connect().await;
    let messages = recorded();
    for (place, spoilt) in messages.iter().enumerate() {
        let before = messages[..place].concat();
        let kind = spoilt[0];
        for length in [0_u32, 3, 0x7fff_ffff, 0xffff_ffff] {
            let header = [&[kind][..], &length.to_be_bytes()].concat();
            let answer = play(&proxy, &[&before[..], &header, &spoilt[5..]].concat()).await;
            assert_refused(&answer, &format!("{} of length {length}", char::from(kind)));
        }
        let unknown = [b"~", &spoilt[1..]].concat();
        let answer = play(&proxy, &[before, unknown].concat()).await;
        assert_refused(&answer, "an unknown type");
    }
    witness
        .simple_query("SELECT 1")
        .await
        .expect("the witness lives");
}

#[tokio::test]
async fn a_small_message_that_is_not_small_is_refused_before_it_arrives() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(b"S\0\x01\0\0").await;
    assert_refused(&raw.until_closed().await, "a Sync of 64 KiB");
}
