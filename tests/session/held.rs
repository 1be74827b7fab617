//! A client and an answer that is held back, since a neighbour has changed something meanwhile:
//! whatever the client does then, the session listens to it, asks the server, or ends.

use std::sync::Arc;
use std::time::Duration;

use pgveil::session::{Earlier, Fatal, Mode, Moves, Session};

use crate::stage::*;

/// Longer than another session's look is waited for.
const LONG: Duration = Duration::from_secs(6);

/// A session, and a neighbour that shares its database.
struct Neighbours {
    stage: Stage,
    neighbour: Stage,
}

impl Neighbours {
    fn new() -> Self {
        let shared = shared();
        let moves = Arc::new(Moves::default());
        let beside = |mode| {
            let mut stage = Stage::new(&shared, mode);
            stage.session = Session::new(Arc::clone(&shared), mode).beside(Arc::clone(&moves));
            stage
        };
        let mut stage = beside(Mode::Enforce);
        stage.server(&ready('I'));
        stage.session.load_catalog(Earlier::Unknown);
        stage.server(&catalog());
        stage.session.take_loaded().unwrap();
        let mut neighbour = beside(Mode::Bypass);
        neighbour.server(&ready('I'));
        stage.sent();
        stage.shown();
        Self { stage, neighbour }
    }

    /// The neighbour changes something, and nobody looks.
    fn change(&mut self) {
        self.neighbour.client(&query("create view v as select 1"));
    }

    /// Whether it has asked the server something of its own.
    fn asks(&mut self) -> bool {
        let sent = self.stage.sent_bytes();
        sent.windows(7).any(|window| window == b"pgveil_")
    }

    /// What becomes of the session.
    fn fate(&mut self, came: Result<(), Fatal>) -> Fate {
        let came = came.and_then(|()| {
            // The clock begins with the first turn.
            self.stage.try_server(b"")?;
            self.stage.session.set_time(LONG);
            self.stage.try_server(b"")
        });
        if came.is_err() {
            return Fate::Ends;
        }
        if self.asks() {
            return Fate::Asks;
        }
        match self.stage.session.accepts_client_input() {
            true => Fate::Listens,
            false => Fate::Deaf,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It takes what the client has to say.
    Listens,
    /// It has asked the server, which answers.
    Asks,
    /// It is over.
    Ends,
    /// It waits for what nobody says.
    Deaf,
}

/// What a client has sent when its answer begins.
fn flights() -> Vec<(&'static str, Vec<u8>, bool)> {
    let batch = |text| {
        let parsed = parse("", text, &[]);
        [parsed, bind("", "", &[], &[], &[]), execute("")].concat()
    };
    vec![
        ("query", query("ids"), true),
        ("batch", [batch("ids"), sync()].concat(), true),
        ("open batch", batch("ids"), false),
        (
            "flushed batch",
            [batch("ids"), frame(b'H', b"")].concat(),
            false,
        ),
    ]
}

/// What it sends behind that, while the answer is held back.
fn more() -> Vec<(&'static str, Vec<u8>)> {
    let half = |mut message: Vec<u8>| {
        message.truncate(message.len() / 2);
        message
    };
    let copied = frame(b'd', &[b'x'; 100_000]);
    let many = [parse("", "ids", &[]), describe('S', "")].concat();
    vec![
        ("nothing", Vec::new()),
        ("half a query", half(query("ids"))),
        ("half a header", b"Q\0".to_vec()),
        (
            "half of what is passed on as it comes",
            half(copied.clone()),
        ),
        ("what is passed on", copied),
        ("a query", query("ids")),
        (
            "CopyDone and a query",
            [frame(b'c', b""), query("ids")].concat(),
        ),
        ("a function call", frame(b'F', b"\0\0\0\x01")),
        ("what may change all that follows", query("set path")),
        (
            "a text that waits",
            [query("set path"), query("ids")].concat(),
        ),
        ("a Flush with a body", frame(b'H', b"x")),
        ("no message", b"?\0\0\0\x04".to_vec()),
        (
            "data that wait",
            [
                parse("", "copy in", &[]),
                bind("", "", &[], &[], &[]),
                execute(""),
                frame(b'd', b"1\n"),
            ]
            .concat(),
        ),
        ("more than is owed at once", many.repeat(20_000)),
        (
            "large messages",
            query(&format!("ids {}", "x".repeat(300_000))),
        ),
        ("the end", frame(b'X', b"")),
    ]
}

/// What the server says of the flight, and then nothing.
fn answers(simple: bool, fails: bool) -> Vec<u8> {
    let begun = match simple {
        true => columns(&[("id", USERS, 1, 20), ("name", 0, 0, 25)], 0),
        false => [frame(b'1', b""), frame(b'2', b"")].concat(),
    };
    match fails {
        true => [begun, error("22012", "division by zero")].concat(),
        false => [begun, text_row(&["1", "x"]), tag("SELECT 1")].concat(),
    }
}

/// What becomes of a session whose client has sent a flight, and more before or after the server
/// has begun to answer.
fn play(
    (flight, bytes, is_over): &(&str, Vec<u8>, bool),
    more: &[u8],
    fails: bool,
    early: bool,
) -> Fate {
    let mut both = Neighbours::new();
    both.stage.client(bytes);
    let came = both.stage.try_client(if early { more } else { b"" });
    both.stage.sent_bytes();
    both.change();
    let mut said = answers(*flight == "query", fails);
    if *is_over {
        said.extend(ready('I'));
    }
    let came = came.and_then(|()| both.stage.try_server(&said));
    if both.asks() {
        return Fate::Asks;
    }
    let came = came.and_then(|()| both.stage.try_client(if early { b"" } else { more }));
    let fate = both.fate(came);
    if fate != Fate::Deaf || fails && !is_over {
        return fate;
    }
    // What has not failed goes on with the next message, if that is one to be answered.
    let came = both.stage.try_server(&[tag("SET"), ready('I')].concat());
    both.fate(came)
}

#[test]
fn a_session_whose_answer_is_held_back_is_never_deaf_for_ever() {
    let (mut fates, mut deaf) = (Vec::new(), Vec::new());
    for flight in flights() {
        for (name, more) in more() {
            for (fails, early) in [(false, false), (false, true), (true, false), (true, true)] {
                let fate = play(&flight, &more, fails, early);
                if fate == Fate::Deaf {
                    deaf.push(format!("{}, {name}, {fails}, {early}", flight.0));
                }
                fates.push(fate);
            }
        }
    }
    assert!(deaf.is_empty(), "{deaf:#?}");
    for fate in [Fate::Listens, Fate::Asks, Fate::Ends] {
        assert!(fates.contains(&fate), "{fate:?} is not tried");
    }
}

#[test]
fn a_query_for_nothing_of_the_database_does_not_wait_for_a_look() {
    let asks_for = |sent: &[u8]| {
        let mut here = Neighbours::new();
        here.change();
        here.stage.client(sent);
        here.asks()
    };
    for probe in ["select 1", "SELECT 1;", "select null, true"] {
        assert!(!asks_for(&query(probe)), "{probe}");
    }
    for text in ["ids", "select now()", "select 1; ids"] {
        assert!(asks_for(&query(text)), "{text}");
    }
    // What comes behind it would be judged by what was known before.
    assert!(asks_for(&[query("select 1"), query("ids")].concat()));
    assert!(asks_for(&[&query("select 1")[..], b"Q\0\0"].concat()));
    // Nor does its answer, whenever the change came.
    for is_before in [true, false] {
        let mut here = Neighbours::new();
        if is_before {
            here.change();
        }
        here.stage.client(&query("select 1"));
        if !is_before {
            here.change();
        }
        let columns = columns(&[("?column?", 0, 0, 23)], 0);
        let answer = [columns, text_row(&["1"]), tag("SELECT 1"), ready('I')].concat();
        here.stage.server(&answer);
        assert!(!here.asks());
        assert_eq!(here.stage.shown().len(), 4);
        here.stage.client(&query("ids"));
        assert!(here.asks());
    }
    // However old the snapshot is.
    let mut here = Neighbours::new();
    here.stage.session.set_time(Duration::from_secs(1000));
    here.stage.client(&query("select 1"));
    assert!(!here.asks());
}
