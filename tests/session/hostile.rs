//! Bytes that are cut, changed or made up: the session ends with a clear error, never a panic.

use crate::stage::*;
use proptest::prelude::*;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Client,
    Server,
}

/// A session in both protocols, with errors, arrays and a pipeline.
fn recorded() -> Vec<(Side, Vec<u8>)> {
    let value = id(KEY);
    let batch = [
        parse("s", "by id $1", &[2950]),
        describe('S', "s"),
        bind("", "s", &[], &[Some(value.as_bytes())], &[1]),
        execute(""),
        frame(b'C', b"Ss\0"),
        sync(),
    ];
    let answer = [
        frame(b'1', b""),
        parameters(&[20]),
        columns(&[("id", USERS, 1, 20)], 0),
        frame(b'2', b""),
        row(&[Some(&KEY.to_be_bytes())]),
        row(&[None]),
        tag("SELECT 2"),
        frame(b'3', b""),
        ready('I'),
    ];
    let ids = [
        columns(&[("id", USERS, 1, 20), ("email", USERS, 2, 25)], 0),
        text_row(&["7", "a"]),
        tag("SELECT 1"),
        columns(&[("a", 0, 0, 1016)], 0),
        text_row(&["{{1,2},{3,NULL}}"]),
        tag("SELECT 1"),
        poison_error(),
        ready('I'),
    ];
    let quoted = report(
        b'E',
        &[
            ('V', "ERROR"),
            ('C', "23505"),
            ('F', "nbtinsert.c"),
            ('s', "public"),
            ('t', "users"),
            ('D', "Key (id)=(7) already exists."),
        ],
    );
    vec![
        (Side::Client, query("ids; arrays; refuse !")),
        (Side::Server, ids.concat()),
        (Side::Client, batch.concat()),
        (Side::Server, answer.concat()),
        (Side::Client, query("something")),
        (Side::Server, [quoted, ready('I')].concat()),
    ]
}

/// Plays a recorded session in pieces of `size` bytes: what both sides got, or whether it ended.
fn play(scenes: &[(Side, Vec<u8>)], size: usize) -> (Vec<u8>, Vec<u8>, bool) {
    let mut stage = Stage::ready();
    let (mut sent, mut shown) = (Vec::new(), Vec::new());
    for (side, bytes) in scenes {
        for piece in bytes.chunks(size.max(1)) {
            let result = match side {
                Side::Client => stage.try_client(piece),
                Side::Server => stage.try_server(piece),
            };
            if let Err(fatal) = result {
                stage.session.end(&fatal);
                shown.extend(stage.shown_bytes());
                return (sent, shown, true);
            }
            sent.extend(stage.sent_bytes());
            shown.extend(stage.shown_bytes());
        }
    }
    (sent, shown, false)
}

/// Whether the key is in what the client got, in text or in binary.
fn leaks(shown: &[u8]) -> bool {
    let text = KEY.to_string();
    let binary = KEY.to_be_bytes();
    shown
        .windows(text.len())
        .any(|window| window == text.as_bytes())
        || shown.windows(8).any(|window| window == binary)
}

#[test]
fn takes_the_same_bytes_in_any_pieces() {
    let whole = play(&recorded(), usize::MAX);
    assert!(!whole.2 && !leaks(&whole.1));
    for size in [1, 2, 3, 7, 64] {
        assert!(play(&recorded(), size) == whole, "{size}");
    }
}

#[test]
fn survives_a_session_with_any_byte_changed() {
    let scenes = recorded();
    for scene in 0..scenes.len() {
        for at in 0..scenes[scene].1.len() {
            for change in [1, 0x80, 0xff] {
                let mut scenes = scenes.clone();
                scenes[scene].1[at] ^= change;
                play(&scenes, usize::MAX);
            }
        }
    }
}

#[test]
fn survives_a_session_with_any_byte_missing() {
    let scenes = recorded();
    for scene in 0..scenes.len() {
        for at in 0..scenes[scene].1.len() {
            let mut scenes = scenes.clone();
            scenes[scene].1.remove(at);
            play(&scenes, usize::MAX);
        }
    }
}

#[test]
fn says_what_is_wrong_with_a_frame() {
    for (bytes, message) in [
        (frame(b'!', b""), "invalid frontend message type 33"),
        (b"Q\0\0\0\x03".to_vec(), "invalid message length"),
        (frame(b'S', &[0; 20_000]), "invalid message length"),
        (
            frame(b'p', b"password\0"),
            "invalid frontend message type 112",
        ),
    ] {
        let mut stage = Stage::ready();
        let fatal = stage.try_client(&bytes).unwrap_err();
        stage.session.end(&fatal);
        assert_eq!(
            stage.shown(),
            [format!("E SFATAL|VFATAL|C08P01|M{message}||")]
        );
        assert!(stage.sent_bytes().is_empty());
    }
}

#[test]
fn says_what_is_wrong_with_a_message_and_goes_on() {
    for (bytes, message) in [
        (frame(b'Q', b"a\0b"), "invalid message format"),
        (frame(b'P', b"s\0"), "invalid string in message"),
        (
            frame(b'B', b"\0\0\0\0\xff\xff"),
            "insufficient data left in message",
        ),
        (frame(b'D', b"X\0"), "invalid DESCRIBE message subtype 88"),
        (frame(b'C', b"X\0"), "invalid CLOSE message subtype 88"),
    ] {
        let mut stage = Stage::ready();
        stage.client(&bytes);
        if bytes[0] != b'Q' {
            stage.client(&sync());
        }
        stage.server(&[poison_error(), ready('I')].concat());
        assert_eq!(
            stage.shown(),
            [
                format!("E SERROR|VERROR|C08P01|M{message}||"),
                "Z I".to_owned()
            ]
        );
        assert!(stage.session.is_idle());
    }
}

#[test]
fn ends_when_the_server_answers_what_was_not_asked() {
    for message in [
        frame(b'1', b""),
        frame(b'2', b""),
        frame(b'n', b""),
        tag("SELECT 1"),
        text_row(&["7"]),
        columns(&[("id", 0, 0, 20)], 0),
        frame(b'G', b"\0\0\0"),
        frame(b'd', b"7"),
        frame(b'V', b"\0\0\0\x017"),
        ready('I'),
    ] {
        let mut stage = Stage::ready();
        assert!(stage.try_server(&message).is_err(), "{message:?}");
        assert!(stage.shown_bytes().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn survives_any_bytes_from_both_sides(
        scenes in proptest::collection::vec((any::<bool>(), any::<u8>(), any::<Vec<u8>>()), 0..12)
    ) {
        let kinds = *b"QPBDECSHFdcf12nTtDCIsZENGA";
        let scenes: Vec<_> = scenes
            .into_iter()
            .map(|(client, kind, body)| {
                let side = if client { Side::Client } else { Side::Server };
                (side, frame(kinds[usize::from(kind) % kinds.len()], &body))
            })
            .collect();
        play(&scenes, usize::MAX);
    }

    #[test]
    fn shows_no_key_whatever_the_order_of_messages(
        order in proptest::collection::vec(0_usize..24, 0..24)
    ) {
        let value = id(KEY);
        let key = KEY.to_string();
        let messages = [
            (Side::Client, query("ids")),
            (Side::Client, query("clean")),
            (Side::Client, parse("s", "by id $1", &[])),
            (Side::Client, parse("s", "clean", &[])),
            (Side::Client, parse("", "ids", &[])),
            (Side::Client, bind("", "s", &[], &[Some(value.as_bytes())], &[])),
            (Side::Client, bind("p", "", &[], &[], &[1])),
            (Side::Client, describe('S', "s")),
            (Side::Client, describe('P', "")),
            (Side::Client, execute("")),
            (Side::Client, execute("p")),
            (Side::Client, frame(b'C', b"Ss\0")),
            (Side::Client, sync()),
            (Side::Server, frame(b'1', b"")),
            (Side::Server, frame(b'2', b"")),
            (Side::Server, frame(b'3', b"")),
            (Side::Server, columns(&[("id", USERS, 1, 20)], 0)),
            (Side::Server, columns(&[("id", USERS, 1, 20), ("e", 0, 0, 25)], 0)),
            (Side::Server, text_row(&[&key])),
            (Side::Server, row(&[Some(&KEY.to_be_bytes()), Some(b"a")])),
            (Side::Server, tag("SELECT 1")),
            (Side::Server, error("42P01", "no")),
            (Side::Server, ready('I')),
            (Side::Server, ready('T')),
        ];
        let scenes: Vec<_> = order.into_iter().map(|n| messages[n].clone()).collect();
        let (_, shown, _) = play(&scenes, usize::MAX);
        prop_assert!(!leaks(&shown));
    }
}
