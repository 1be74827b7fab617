//! COPY in both protocols, and frames that pass in pieces.

use crate::stage::*;

fn copy_in() -> Vec<u8> {
    frame(b'G', b"\0\0\0")
}

#[test]
fn copies_in_by_simple_query() {
    let mut stage = Stage::ready();
    stage.client(&query("copy; ids"));
    stage.server(&copy_in());
    let data = [frame(b'd', b"1\ta\n"), frame(b'H', b""), frame(b'c', b"")].concat();
    stage.sent();
    stage.client(&data);
    assert_eq!(stage.sent_bytes(), data);
    let answer = [
        tag("COPY 1"),
        columns(&[("id", 0, 0, 20), ("e", 0, 0, 25)], 0),
        text_row(&["7", "a"]),
        tag("SELECT 1"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    assert!(stage.shown()[3].contains(&id(7)));
    assert!(stage.session.is_idle());
}

#[test]
fn copies_in_by_the_extended_protocol_with_a_sync_before_the_data() {
    let mut stage = Stage::ready();
    let start = [
        parse("", "copy", &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
        sync(),
    ];
    stage.client(&start.concat());
    // The server takes the Sync for nothing.
    stage.server(
        &[
            frame(b'1', b""),
            frame(b'2', b""),
            frame(b'n', b""),
            copy_in(),
        ]
        .concat(),
    );
    stage.client(&[frame(b'd', b"1\n"), sync(), frame(b'c', b""), sync()].concat());
    stage.server(&[tag("COPY 1"), ready('I')].concat());
    assert!(stage.session.is_idle());
    assert_eq!(stage.shown().last().unwrap(), "Z I");
}

#[test]
fn copies_in_what_was_pipelined_with_its_data() {
    let mut stage = Stage::ready();
    let batch = [
        parse("", "copy", &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
        frame(b'd', b"1\n"),
        frame(b'c', b""),
        sync(),
    ];
    stage.client(&batch.concat());
    let answer = [
        frame(b'1', b""),
        frame(b'2', b""),
        frame(b'n', b""),
        copy_in(),
        tag("COPY 1"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    assert!(stage.session.is_idle());
}

#[test]
fn recovers_from_an_error_in_the_data() {
    for extended in [false, true] {
        let mut stage = Stage::ready();
        if extended {
            let start = [
                parse("", "copy", &[]),
                bind("", "", &[], &[], &[]),
                execute(""),
            ];
            stage.client(&start.concat());
            stage.server(&[frame(b'1', b""), frame(b'2', b""), frame(b'n', b"")].concat());
        } else {
            stage.client(&query("copy"));
        }
        stage.server(&copy_in());
        stage.client(&frame(b'd', b"x\n"));
        stage.server(&error("22P02", "bad"));
        if extended {
            stage.client(&[frame(b'd', b"more"), frame(b'f', b"enough\0"), sync()].concat());
        }
        stage.server(&ready('I'));
        assert!(stage.session.is_idle(), "{extended}");
        stage.client(&query("ids"));
        assert_eq!(stage.sent().last().unwrap(), "Q ids|");
    }
}

#[test]
fn passes_large_frames_in_pieces() {
    let mut stage = Stage::ready();
    stage.client(&query("copy"));
    stage.server(&copy_in());
    stage.sent();
    stage.shown();
    let large = vec![b'x'; 100_000];
    let data = frame(b'd', &large);
    stage.client(&data[..1000]);
    assert_eq!((stage.sent_bytes().len(), stage.waiting()), (1000, 0));
    stage.client(&data[1000..]);
    assert_eq!(stage.sent_bytes().len(), data.len() - 1000);
    stage.client(&frame(b'c', b""));
    stage.server(&[tag("COPY 1"), ready('I')].concat());
    stage.shown();

    stage.client(&query("clean"));
    stage.server(&columns(&[("t", 0, 0, 25)], 0));
    stage.shown();
    let data = row(&[Some(&large)]);
    stage.server(&data[..50_000]);
    assert_eq!(stage.shown_bytes().len(), 50_000);
    // The reason for an end could not be told from the rest of the row.
    let mut other = data[50_000..].to_vec();
    other.extend(tag("SELECT 1"));
    stage.server(&other);
    assert_eq!(stage.shown_bytes().len(), other.len());
}

/// Which of the two it was the client can't know either when it sends it.
#[test]
fn a_sync_during_copy_counts_only_if_the_copy_has_failed() {
    for fails in [false, true] {
        let mut stage = Stage::ready();
        let begin = [
            parse("", "copy", &[]),
            bind("", "", &[], &[], &[]),
            execute(""),
        ];
        stage.client(&begin.concat());
        let begun = [
            frame(b'1', b""),
            frame(b'2', b""),
            frame(b'n', b""),
            copy_in(),
        ];
        stage.server(&begun.concat());
        stage.sent();
        stage.shown();
        stage.client(&[frame(b'd', b"1\n"), sync(), sync()].concat());
        assert_eq!(stage.sent(), ["d 1<0a>", "S", "S"]);
        if fails {
            stage.server(&error("22P02", "invalid input"));
            stage.shown();
            stage.server(&[ready('I'), ready('I')].concat());
            assert_eq!(stage.shown(), ["Z I", "Z I"]);
        } else {
            stage.client(&[frame(b'c', b""), sync()].concat());
            assert_eq!(stage.sent(), ["c", "S"]);
            stage.server(&[tag("COPY 1"), ready('I')].concat());
        }
        assert!(stage.session.is_idle());
    }
}

/// The server asks for data in front of an error of the COPY itself, and reads the Sync behind that.
#[test]
fn a_sync_behind_a_copy_is_answered_unless_the_server_takes_it_for_data() {
    #[derive(Clone, Copy, PartialEq)]
    enum Outcome {
        FailsAtOnce,
        FailsOverData,
        Copies,
    }
    let extended = [
        parse("", "copy", &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
    ];
    let begun = [frame(b'1', b""), frame(b'2', b""), frame(b'n', b"")].concat();
    for (begin, begun) in [(extended.concat(), begun), (query("copy"), Vec::new())] {
        let is_query = begun.is_empty();
        for outcome in [
            Outcome::FailsAtOnce,
            Outcome::FailsOverData,
            Outcome::Copies,
        ] {
            let mut stage = Stage::ready();
            stage.client(&[begin.clone(), sync()].concat());
            assert_eq!(stage.sent().last().unwrap(), "S", "it does not wait");
            stage.server(&[begun.clone(), copy_in()].concat());
            stage.client(&frame(b'd', b"1\n"));
            // How many of its Syncs the server answers.
            let answered = match outcome {
                Outcome::Copies => {
                    stage.client(&[frame(b'c', b""), sync()].concat());
                    stage.server(&tag("COPY 1"));
                    1
                }
                Outcome::FailsOverData => {
                    stage.server(&error("22P02", "invalid input"));
                    stage.client(&[frame(b'f', b"\0"), sync()].concat());
                    1
                }
                Outcome::FailsAtOnce => {
                    stage.server(&error("42809", "cannot copy to view"));
                    stage.client(&[frame(b'f', b"\0"), sync()].concat());
                    2
                }
            };
            stage.shown();
            let readies = answered + usize::from(is_query);
            for _ in 0..readies {
                stage.server(&ready('I'));
            }
            assert_eq!(stage.shown(), vec!["Z I"; readies]);
            assert!(stage.session.is_idle());
            stage.client(&[query("copy"), query("copy")].concat());
            assert_eq!(stage.sent().last().unwrap(), "Q copy|");
            stage.server(&[tag("COPY 0"), ready('I')].concat());
            stage.server(&[tag("COPY 0"), ready('I')].concat());
            assert!(stage.session.is_idle());
        }
    }
}

/// What follows in the same breath is carried out if the server had not read it by then.
#[test]
fn what_is_pipelined_behind_a_copy_that_fails_at_once_is_answered() {
    let begun = [frame(b'1', b""), frame(b'2', b""), frame(b'n', b"")].concat();
    for (begin, answers) in [
        (
            [
                parse("", "copy", &[]),
                bind("", "", &[], &[], &[]),
                execute(""),
                sync(),
            ]
            .concat(),
            begun,
        ),
        ([query("copy"), sync()].concat(), Vec::new()),
    ] {
        let mut stage = Stage::ready();
        stage.client(&[begin, query("none"), sync()].concat());
        stage.server(&[answers.clone(), copy_in(), error("42809", "cannot")].concat());
        if answers.is_empty() {
            stage.server(&ready('I'));
        }
        stage.server(&[ready('I'), tag("BEGIN"), ready('T'), ready('T')].concat());
        assert_eq!(stage.shown().last().unwrap(), "Z T");
        stage.client(&query("none"));
        stage.server(&[tag("COMMIT"), ready('I')].concat());
        assert!(stage.session.is_idle());
    }
}

#[test]
fn a_sync_behind_the_end_of_the_data_does_not_wait() {
    let mut stage = Stage::ready();
    let batch = [
        parse("", "copy t from stdin", &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
        frame(b'd', b"1\n"),
        frame(b'c', b""),
        sync(),
    ];
    stage.client(&batch.concat());
    assert_eq!(stage.sent().last().unwrap(), "S");
}
