//! COPY with ids in its data.

use crate::stage::*;

/// CopyInResponse or CopyOutResponse with two columns.
fn response(kind: u8, format: u8) -> Vec<u8> {
    frame(kind, &[format, 0, 2, 0, format, 0, format])
}

fn data(data: impl AsRef<[u8]>) -> Vec<u8> {
    frame(b'd', data.as_ref())
}

fn done() -> Vec<u8> {
    frame(b'c', b"")
}

/// A session that is in the middle of a copy.
fn copying() -> Stage {
    let mut stage = Stage::ready();
    stage.client(&query("copy in"));
    stage.server(&response(b'G', 0));
    stage.sent();
    stage.shown();
    stage
}

/// The data that the server has got, without their frames; and the kinds of all other messages.
fn received(stage: &mut Stage) -> (String, Vec<char>) {
    let bytes = stage.sent_bytes();
    let (mut text, mut others) = (Vec::new(), Vec::new());
    let mut rest = &bytes[..];
    while let [kind, a, b, c, d, ..] = *rest {
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if kind == b'd' {
            text.extend_from_slice(&rest[5..=length]);
        } else {
            others.push(char::from(kind));
        }
        rest = &rest[length + 1..];
    }
    (String::from_utf8(text).unwrap(), others)
}

fn failed(message: &str) -> Vec<u8> {
    let message = format!("COPY from stdin failed: {message}");
    report(
        b'E',
        &[
            ('S', "ERROR"),
            ('V', "ERROR"),
            ('C', "57014"),
            ('M', &message),
            ('W', "COPY orders, line 3"),
        ],
    )
}

#[test]
fn translates_data_that_were_cut_anywhere() {
    let lines = format!("{}\tone\n\\N\ttwo\n{}\tthree\n", id(1), id(2));
    let messages = [data(&lines[..50]), data(&lines[50..]), done()].concat();
    for cut in 0..messages.len() {
        let mut stage = copying();
        stage.client(&messages[..cut]);
        let (mut text, _) = received(&mut stage);
        stage.client(&messages[cut..]);
        let (rest, others) = received(&mut stage);
        text.push_str(&rest);
        assert_eq!(text, "1\tone\n\\N\ttwo\n2\tthree\n");
        assert_eq!(others, ['c']);
        stage.server(&[tag("COPY 3"), ready('I')].concat());
        assert!(stage.session.is_idle());
    }
}

#[test]
fn holds_back_only_an_unfinished_id() {
    let mut stage = copying();
    stage.client(&data(format!("{}\tabc", id(1))));
    assert_eq!(received(&mut stage).0, "1\tabc");
    stage.client(&data(format!("def\n{}", &id(2)[..20])));
    assert_eq!(received(&mut stage).0, "def\n");
    stage.client(&data(&id(2)[20..]));
    assert_eq!(received(&mut stage).0, "");
    stage.client(&done());
    assert_eq!(received(&mut stage), ("2".to_owned(), vec!['c']));
}

#[test]
fn stops_at_an_id_that_is_none() {
    let mut stage = copying();
    let lines = format!("{}\ta\n{}\tb\n42\tc\n{}\td\n", id(1), id(2), id(3));
    stage.client(&[data(lines), data("more\n"), done()].concat());
    assert_eq!(received(&mut stage), ("1\ta\n2\tb\n".to_owned(), vec!['f']));
    stage.server(&[failed("pgveil refuses this data"), ready('I')].concat());
    assert_eq!(
        stage.shown(),
        [
            "E SERROR|VERROR|C22P02|Minvalid input syntax for type uuid: \"42\"|\
             WCOPY orders, line 3, column user_id: \"42\"||",
            "Z I"
        ]
    );
    assert!(stage.session.is_idle());
    stage.client(&query("ids"));
    assert_eq!(stage.sent(), ["Q ids|"]);
}

#[test]
fn drops_the_rest_of_refused_data_however_late_it_comes() {
    for extended in [false, true] {
        let mut stage = Stage::ready();
        if extended {
            let start = [
                parse("", "copy in", &[]),
                bind("", "", &[], &[], &[]),
                execute(""),
            ];
            stage.client(&start.concat());
            let answers = [frame(b'1', b""), frame(b'2', b"")];
            stage.server(&answers.concat());
        } else {
            stage.client(&query("copy in"));
        }
        stage.server(&response(b'G', 0));
        stage.sent();
        stage.client(&data("x\tlost\n"));
        assert_eq!(received(&mut stage), (String::new(), vec!['f']));
        stage.client(&data("5\tlost\n"));
        assert_eq!(received(&mut stage), (String::new(), vec![]));
        stage.server(&failed("pgveil refuses this data"));
        let rest = if extended {
            [done(), sync()].concat()
        } else {
            done()
        };
        stage.client(&rest);
        assert!(received(&mut stage).0.is_empty());
        stage.server(&ready('I'));
        assert!(stage.session.is_idle(), "{extended}");
        assert!(stage.shown().iter().any(|shown| shown.contains("22P02")));
    }
}

#[test]
fn shows_the_error_that_the_server_raised_before_the_refusal() {
    let mut stage = copying();
    stage.client(&[data("x\tlost\n"), done()].concat());
    let earlier = report(
        b'E',
        &[
            ('V', "ERROR"),
            ('C', "22P02"),
            ('M', "invalid input syntax for type integer: \"7x\""),
            ('W', "COPY orders, line 1, column status: \"7x\""),
        ],
    );
    stage.server(&[earlier, ready('I')].concat());
    assert_eq!(
        stage.shown()[0],
        "E VERROR|C22P02|Minvalid input syntax for type integer: \"7x\"|\
         WCOPY orders, line 1, column status: \"7x\"||"
    );
}

#[test]
fn shows_no_line_that_was_translated() {
    let mut stage = copying();
    stage.client(&data(format!("{}\tlost\n", id(KEY))));
    for (context, shown) in [
        (
            format!("COPY orders, line 7: \"{KEY}\tlost\""),
            "COPY orders, line 7",
        ),
        (
            format!("COPY orders, line 7, column user_id: \"{KEY}\""),
            "COPY orders, line 7",
        ),
        (
            format!("PL/pgSQL function f({KEY})\nCOPY orders, line 7"),
            "PL/pgSQL function f(***)<0a>COPY orders, line ***",
        ),
        (
            format!("COPY others, line 7, column status: \"{KEY}\""),
            "COPY others, line ***, column status: \"***\"",
        ),
    ] {
        let notice = report(
            b'N',
            &[
                ('V', "NOTICE"),
                ('C', "22003"),
                ('M', &format!("value {KEY}")),
                ('W', &context),
            ],
        );
        stage.server(&notice);
        let expected = format!("N VNOTICE|C22003|Mvalue ***|W{shown}||");
        assert_eq!(stage.shown(), [expected], "{context}");
    }
}

#[test]
fn lets_data_wait_until_the_server_has_asked_for_them() {
    let pipelined = [
        parse("", "copy in", &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
        data(format!("{}\ta\n", id(5))),
        done(),
        sync(),
    ];
    let mut stage = Stage::ready();
    stage.client(&pipelined.concat());
    assert!(!stage.session.accepts_client_input());
    assert_eq!(received(&mut stage).0, "");
    let answers = [frame(b'1', b""), frame(b'2', b""), response(b'G', 0)];
    stage.server(&answers.concat());
    assert_eq!(received(&mut stage), ("5\ta\n".to_owned(), vec!['c', 'S']));
    stage.server(&[tag("COPY 1"), ready('I')].concat());
    assert!(stage.session.is_idle());
}

#[test]
fn passes_data_that_the_server_does_not_want_after_its_error() {
    let mut stage = Stage::ready();
    stage.client(&[query("copy in"), data("5\ta\n"), done()].concat());
    assert_eq!(stage.sent(), ["Q copy in|"]);
    stage.server(&[error("42P01", "no such table"), ready('I')].concat());
    // The server takes them for nothing.
    assert_eq!(received(&mut stage), ("5\ta\n".to_owned(), vec!['c']));
    assert!(stage.session.is_idle());
}

#[test]
fn each_statement_of_a_text_has_data_of_its_own() {
    let mut stage = Stage::ready();
    stage.client(&query("copy in;copy in"));
    stage.sent();
    for key in [5, 6] {
        stage.server(&response(b'G', 0));
        stage.client(&[data(format!("{}\ta\n", id(key))), done()].concat());
        assert_eq!(received(&mut stage), (format!("{key}\ta\n"), vec!['c']));
        stage.server(&tag("COPY 1"));
    }
    stage.server(&ready('I'));
    assert!(stage.session.is_idle());
}

/// A record of the binary format.
fn tuple(fields: &[&[u8]]) -> Vec<u8> {
    let mut record = u16::try_from(fields.len()).unwrap().to_be_bytes().to_vec();
    for field in fields {
        record.extend(u32::try_from(field.len()).unwrap().to_be_bytes());
        record.extend(*field);
    }
    record
}

const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

#[test]
fn translates_binary_data_both_ways() {
    let mut stage = Stage::ready();
    stage.client(&query("copy in binary"));
    stage.server(&response(b'G', 1));
    stage.sent();
    let record = tuple(&[&id_bytes(9), b"status"]);
    stage.client(&[data(HEADER), data(record), data(b"\xff\xff")].concat());
    let expected = [
        HEADER,
        &tuple(&[&9_i64.to_be_bytes(), b"status"]),
        b"\xff\xff",
    ];
    assert_eq!(stage.sent_bytes(), data(expected.concat()));
    stage.client(&done());
    stage.server(&[tag("COPY 1"), ready('I')].concat());
    stage.shown();

    stage.client(&query("copy out binary"));
    let record = tuple(&[&9_i64.to_be_bytes(), b"status"]);
    let first = data([HEADER, &record].concat());
    let answer = [
        response(b'H', 1),
        first,
        data(&record),
        data(b"\xff\xff"),
        done(),
        tag("COPY 2"),
        ready('I'),
    ];
    stage.server(&answer.concat());
    let record = tuple(&[&id_bytes(9), b"status"]);
    let expected = [
        response(b'H', 1),
        data([HEADER, &record].concat()),
        data(&record),
        data(b"\xff\xff"),
        done(),
        tag("COPY 2"),
        ready('I'),
    ];
    assert_eq!(stage.shown_bytes(), expected.concat());
}

#[test]
fn shows_rows_in_messages_of_their_own_wherever_the_stream_is_cut() {
    let answer = [
        response(b'H', 0),
        data(format!("{KEY}\ta\n")),
        data("\\N\tb\n"),
        data("7\tc\n"),
        done(),
        tag("COPY 3"),
        ready('I'),
    ]
    .concat();
    let expected = [
        response(b'H', 0),
        data(format!("{}\ta\n", id(KEY))),
        data("\\N\tb\n"),
        data(format!("{}\tc\n", id(7))),
        done(),
        tag("COPY 3"),
        ready('I'),
    ]
    .concat();
    for cut in 0..answer.len() {
        let mut stage = Stage::ready();
        stage.client(&query("copy out"));
        stage.server(&answer[..cut]);
        stage.server(&answer[cut..]);
        assert_eq!(stage.shown_bytes(), expected, "{cut}");
        assert!(stage.session.is_idle());
    }
}

#[test]
fn ends_at_data_that_are_not_as_planned() {
    let refused = |answer: &[Vec<u8>]| {
        let mut stage = Stage::ready();
        stage.client(&query("copy out"));
        let fatal = stage.try_server(&answer.concat()).unwrap_err();
        assert!(!String::from_utf8_lossy(&stage.shown_bytes()).contains(&KEY.to_string()));
        fatal.sqlstate().to_owned()
    };
    // Another number of columns, another format, another direction.
    let three = frame(b'H', b"\0\0\x03\0\0\0\0\0\0");
    assert_eq!(refused(&[three]), "58000");
    assert_eq!(refused(&[response(b'H', 1)]), "58000");
    assert_eq!(refused(&[response(b'G', 0)]), "58000");
    let out = || response(b'H', 0);
    // No key, the sentinel, and a record in two messages.
    for (line, code) in [
        ("x\ta\n".to_owned(), "|C58000|"),
        (format!("{}\ta\n", i64::MIN), "|CXX000|"),
    ] {
        let mut stage = Stage::ready();
        stage.client(&query("copy out"));
        stage.server(&out());
        stage.shown();
        let told = stage.fault(&data(line));
        assert!(told.contains(code), "{told}");
    }
    assert_eq!(refused(&[out(), data(&KEY.to_string()[..4])]), "08000");
    // A result where rows were copied.
    let rows = columns(&[("id", 0, 0, 20), ("e", 0, 0, 25)], 0);
    let mut stage = Stage::ready();
    stage.client(&query("copy out"));
    assert_eq!(stage.refusal_of(&rows).as_deref(), Some("58000"));
}

#[test]
fn statements_in_the_middle_of_the_data_end_the_session_as_they_do_in_postgres() {
    let mut stage = copying();
    stage.client(&query("ids"));
    // Not the Query itself, which the server would carry out if its COPY had just failed.
    assert_eq!(stage.sent(), ["!"]);
    let stumbles = "unexpected message type 0x21 during COPY from stdin";
    stage.server(&[error("08P01", stumbles), report(b'E', &[('S', "FATAL")])].concat());
    assert_eq!(
        stage.shown(),
        [
            "E SERROR|VERROR|C08P01|Munexpected message type 0x51 during COPY from stdin||",
            "E SFATAL||"
        ]
    );
    assert!(!stage.session.accepts_client_input());
}
