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
        assert_eq!(stage.sent(), ["d 1<0a>"]);
        if fails {
            stage.server(&error("22P02", "invalid input"));
            assert_eq!(stage.sent(), ["S"]);
            stage.server(&ready('I'));
            assert_eq!(stage.shown().last().unwrap(), "Z I");
        } else {
            stage.client(&[frame(b'c', b""), sync()].concat());
            assert_eq!(stage.sent(), ["c", "S"]);
            stage.server(&[tag("COPY 1"), ready('I')].concat());
        }
        assert!(stage.session.is_idle());
    }
}

/// Whether the server takes the Sync for nothing is known when it has asked for data.
#[test]
fn a_sync_behind_a_copy_waits_until_the_server_has_asked_for_data_or_failed() {
    let begins: [&[Vec<u8>]; 2] = [
        &[
            parse("", "copy t from stdin", &[]),
            bind("", "", &[], &[], &[]),
            execute(""),
        ],
        &[query("COPY t FROM STDOUT")],
    ];
    for (begin, extended) in begins.into_iter().zip([true, false]) {
        for fails in [true, false] {
            let mut stage = Stage::ready();
            stage.client(&[&begin.concat()[..], &sync()].concat());
            assert!(!stage.sent().contains(&"S".to_owned()));
            if extended {
                stage.server(&[frame(b'1', b""), frame(b'2', b""), frame(b'n', b"")].concat());
            }
            stage.server(&match fails {
                true => error("42809", "cannot copy to view"),
                false => copy_in(),
            });
            if fails && !extended {
                stage.server(&ready('I'));
            }
            if !fails {
                assert_eq!(stage.sent(), Vec::<String>::new(), "taken for nothing");
                stage.client(&[frame(b'd', b"1\n"), frame(b'c', b"")].concat());
                assert_eq!(stage.sent(), ["d 1<0a>", "c"]);
                stage.server(&tag("COPY 1"));
                if !extended {
                    stage.server(&ready('I'));
                }
                stage.client(&sync());
            }
            assert_eq!(stage.sent(), ["S"]);
            stage.server(&ready('I'));
            assert!(stage.session.is_idle());
        }
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

#[test]
fn a_sync_behind_what_asks_for_no_data_does_not_wait() {
    for text in [
        "copy t to stdout",
        "copy (select n from t) to stdout",
        "select 'copy t from stdin'",
        "select stdin from copy /* from stdin */",
    ] {
        let mut stage = Stage::ready();
        let batch = [
            parse("", text, &[]),
            bind("", "", &[], &[], &[]),
            execute(""),
        ];
        stage.client(&[batch.concat(), sync()].concat());
        assert_eq!(stage.sent().last().unwrap(), "S", "{text}");
    }
    for text in ["COPY t\nFROM --\nSTDIN", "copy t from stdin where n > 1"] {
        let mut stage = Stage::ready();
        stage.client(&[query(text), sync()].concat());
        assert!(stage.sent().last().unwrap().starts_with('Q'), "{text}");
    }
}

#[test]
fn a_sync_that_counts_after_all_does_not_come_in_the_middle_of_data() {
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
    let data = frame(b'd', &[b'x'; 1000]);
    let (first, rest) = data.split_at(500);
    stage.client(&[&sync(), first].concat());
    assert!(stage.sent_bytes().ends_with(first));
    stage.server(&error("22P02", "invalid input"));
    assert!(stage.sent_bytes().is_empty(), "the data go on");
    stage.client(rest);
    assert_eq!(stage.sent_bytes(), [rest, &sync()].concat());
    stage.server(&ready('I'));
    assert!(stage.session.is_idle());
}
