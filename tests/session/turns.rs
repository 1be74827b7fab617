//! The unit of work: what a call takes upon itself on a thread that serves sockets.

use std::sync::Arc;

use bytes::BytesMut;
use pgveil::session::{Earlier, Effort, Fatal, Memory, Mode, Progress, Session};

use crate::stage::*;

/// Takes bytes in light turns up to the first that ends otherwise. Returns how many there were.
fn light(
    input: &mut BytesMut,
    mut turn: impl FnMut(&mut BytesMut, Effort) -> Progress,
) -> (usize, Progress) {
    let mut count = 1;
    loop {
        match turn(input, Effort::Light) {
            Progress::More => count += 1,
            other => return (count, other),
        }
    }
}

fn client(session: &mut Session, bytes: &[u8]) -> (usize, Progress) {
    let mut input = BytesMut::from(bytes);
    light(&mut input, |input, effort| {
        session.client_turn(input, effort).unwrap()
    })
}

fn server(session: &mut Session, bytes: &[u8]) -> (usize, Progress) {
    let mut input = BytesMut::from(bytes);
    light(&mut input, |input, effort| {
        session.server_turn(input, effort).unwrap()
    })
}

/// A session that is in the middle of a copy with ids.
fn copying() -> Stage {
    let mut stage = Stage::ready();
    stage.client(&query("copy in"));
    stage.server(&frame(b'G', &[0, 0, 2, 0, 0, 0, 0]));
    stage.sent_bytes();
    stage
}

/// A text of so many bytes at least.
fn long(text: &str, bytes: usize) -> String {
    format!("{text}{}", " ".repeat(bytes))
}

/// Where there is no memory for more answers that are owed, some have to come first; then the client
/// is heard again, whatever it had sent by then.
#[test]
fn a_client_without_memory_for_more_is_heard_again_behind_an_answer() {
    const QUEUED: usize = 256;
    for more in [0, 1] {
        let memory = Arc::new(Memory::new(0));
        let shared = Arc::into_inner(shared()).unwrap().within(memory);
        let mut stage = Stage::opened_with(&Arc::new(shared), Mode::Enforce, &catalog());
        let _ = stage.sent_bytes();
        stage.client(&sync().repeat(QUEUED + more));
        assert_eq!(stage.sent().len(), QUEUED);
        // Nothing is offered while nothing has come.
        let mut answer = BytesMut::from(ready('I').as_slice());
        stage.session.server_bytes(&mut answer).unwrap();
        assert!(stage.session.accepts_client_input(), "{more} more");
        stage.client(&query("nothing"));
        assert_eq!(stage.sent().len(), 1);
    }
}

#[test]
fn long_texts_and_values_are_not_for_threads_that_serve_sockets() {
    let large = vec![b'x'; 100_000];
    for (message, expected) in [
        (query("nothing"), Progress::Done),
        (query(&long("nothing", 100_000)), Progress::Heavy),
        (parse("", &long("nothing", 100_000), &[]), Progress::Heavy),
        (parse("", "nothing", &[]), Progress::Done),
    ] {
        let mut stage = Stage::ready();
        assert_eq!(client(&mut stage.session, &message).1, expected);
    }
    let mut stage = Stage::ready();
    stage.client(&parse("", "by id $1", &[]));
    let bound = bind("", "", &[], &[Some(&large)], &[]);
    assert_eq!(client(&mut stage.session, &bound).1, Progress::Heavy);
}

/// A short text may name views and functions of any length.
#[test]
fn what_a_short_text_leads_to_is_not_either() {
    for message in [query("far"), parse("", "far", &[])] {
        let mut stage = Stage::ready();
        let all = [message, query("nothing")].concat();
        let mut input = BytesMut::from(&all[..]);
        // On a slow machine the time of a turn may be over before it has got anywhere.
        let mut turn = |effort| loop {
            let went = stage.session.client_turn(&mut input, effort).unwrap();
            if went != Progress::More {
                return went;
            }
        };
        assert_eq!(turn(Effort::Light), Progress::Heavy);
        assert_eq!(turn(Effort::Light), Progress::Heavy, "it has taken nothing");
        assert_eq!(turn(Effort::Heavy), Progress::Done);
        assert!(input.is_empty());
        let sent = stage.sent();
        assert_eq!(sent.len(), 2, "each once, and neither refused: {sent:?}");
        assert!(sent[0].contains("far"), "{sent:?}");
    }
}

#[test]
fn a_heavy_call_goes_far_once() {
    let mut stage = Stage::ready();
    let batch: Vec<u8> = (0..3)
        .flat_map(|number| query(&format!("far {number}")))
        .collect();
    let mut input = BytesMut::from(&batch[..]);
    let mut turn = |effort| stage.session.client_turn(&mut input, effort).unwrap();
    // On a slow machine its time may be over before the next one is looked at.
    for _ in 0..2 {
        let went = turn(Effort::Heavy);
        assert!(matches!(went, Progress::Heavy | Progress::More), "{went:?}");
    }
    assert_eq!(turn(Effort::Heavy), Progress::Done);
}

/// A statement is judged again by other definitions when it is bound.
#[test]
fn what_a_prepared_statement_has_come_to_lead_to_is_not_either() {
    let mut stage = Stage::ready();
    stage.client(&[parse("s", "far", &[]), sync()].concat());
    stage.server(&[frame(b'1', b""), ready('I')].concat());
    stage.client(&query("ddl"));
    stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
    stage.server(&changed_catalog('I'));
    let bound = bind("", "s", &[], &[], &[]);
    assert_eq!(client(&mut stage.session, &bound).1, Progress::Heavy);
}

#[test]
fn what_is_not_there_yet_is_not_heavy() {
    let mut stage = Stage::ready();
    let text = query(&long("nothing", 100_000));
    let part = &text[..text.len() - 1];
    assert_eq!(client(&mut stage.session, part).1, Progress::Done);
}

#[test]
fn answers_to_long_texts_and_long_answers_are_not_either() {
    let large = vec![b'1'; 100_000];
    let mut stage = Stage::ready();
    stage.client(&query("ids"));
    let described = columns(&[("id", USERS, 1, 20), ("email", USERS, 2, 25)], 0);
    assert_eq!(server(&mut stage.session, &described).1, Progress::Done);
    let key = KEY.to_string();
    let small = text_row(&[&key, "a"]);
    assert_eq!(server(&mut stage.session, &small).1, Progress::Done);
    let large = row(&[Some(key.as_bytes()), Some(&large)]);
    assert_eq!(server(&mut stage.session, &large).1, Progress::Heavy);

    let mut stage = Stage::ready();
    stage.client(&query(&long("nothing", 100_000)));
    let failed = error("23505", "duplicate");
    assert_eq!(server(&mut stage.session, &failed).1, Progress::Heavy);
}

#[test]
fn a_snapshot_of_the_database_is_put_together_elsewhere() {
    let mut session = Session::new(shared(), Mode::Enforce);
    assert_eq!(server(&mut session, &ready('I')).1, Progress::Done);
    session.load_catalog(Earlier::Unknown);
    let answer = catalog();
    let rows = &answer[..answer.len() - 6];
    let mut input = BytesMut::from(rows);
    assert_eq!(
        session.server_turn(&mut input, Effort::Light).unwrap(),
        Progress::Done
    );
    input.extend_from_slice(&answer[answer.len() - 6..]);
    assert_eq!(
        session.server_turn(&mut input, Effort::Light).unwrap(),
        Progress::Heavy
    );
    assert_eq!(
        session.server_turn(&mut input, Effort::Heavy).unwrap(),
        Progress::Done
    );
    assert!(session.take_loaded().is_some());
}

#[test]
fn a_pipeline_of_many_messages_is_taken_in_many_turns() {
    let mut stage = Stage::ready();
    let batch = [
        parse("", "nothing", &[]),
        bind("", "", &[], &[], &[]),
        execute(""),
    ]
    .concat();
    let (turns, end) = client(&mut stage.session, &batch.repeat(1000));
    assert!(turns > 20 && end == Progress::Done, "{turns} turns");

    let mut stage = Stage::ready();
    stage.client(&query("ids"));
    let described = columns(&[("id", USERS, 1, 20), ("email", USERS, 2, 25)], 0);
    let rows = text_row(&[&KEY.to_string(), "a"]).repeat(20_000);
    let (turns, _) = server(&mut stage.session, &[described, rows].concat());
    assert!(turns > 3, "{turns} turns");
}

#[test]
fn a_message_that_waits_is_looked_at_again_when_something_has_been_heard() {
    let mut stage = Stage::ready();
    stage.client(&query("ddl"));
    let next = query("ids");
    stage.client(&next);
    assert_eq!(stage.waiting(), next.len());
    stage.server(&[tag("CREATE TABLE"), ready('I')].concat());
    stage.server(&changed_catalog('I'));
    assert_eq!(stage.waiting(), 0);
}

/// Data of COPY that wait for the end of a value are gone through where sockets are served, and
/// nobody is called for what is not complete: only for the whole, if that is large.
#[test]
fn an_unfinished_value_of_a_copy_is_heavy_when_its_end_is_there() {
    const BYTES: usize = 600_000;
    let value = vec![b'1'; BYTES];
    let blocks = value.chunks(4001).map(|block| frame(b'd', block));
    for end in [frame(b'd', b"\tx\n"), frame(b'c', b"")] {
        let mut stage = copying();
        for block in blocks.clone() {
            // The header of what comes next is cut, and comes once more.
            for more in 0..5 {
                let mut input = BytesMut::from(&end[..more]);
                let mut turn = |effort| stage.session.client_turn(&mut input, effort).unwrap();
                assert_eq!(turn(Effort::Light), Progress::Done);
            }
            assert_eq!(client(&mut stage.session, &block).1, Progress::Done);
        }
        let mut input = BytesMut::from(&end[..]);
        let mut turn = |effort| stage.session.client_turn(&mut input, effort).unwrap();
        assert_eq!(turn(Effort::Light), Progress::Heavy);
        assert_eq!(
            turn(Effort::Light),
            Progress::Heavy,
            "nothing was translated"
        );
        assert_eq!(turn(Effort::Heavy), Progress::Done);
        assert_eq!(turn(Effort::Light), Progress::Done);
        assert!(stage.sent_bytes().starts_with(b"f"));
    }
}

/// What has no place in a COPY ends it, behind its data.
#[test]
fn a_message_that_has_no_place_behind_large_data_is_heavy() {
    let value = vec![b'1'; 600_000];
    let mut stage = copying();
    let data = frame(b'd', &value);
    assert_eq!(client(&mut stage.session, &data).1, Progress::Done);
    let all = [frame(b'd', b"\n"), query("nothing")].concat();
    let mut input = BytesMut::from(&all[..]);
    let mut turn = |effort| stage.session.client_turn(&mut input, effort).unwrap();
    assert_eq!(turn(Effort::Light), Progress::Heavy);
}

/// A session is dropped elsewhere if it keeps much, in however few pieces.
#[test]
fn a_session_with_long_statements_is_large() {
    let mut stage = Stage::ready();
    assert!(!stage.session.is_large());
    for (number, text) in ["ids".to_owned(), long("nothing", 100_000)]
        .iter()
        .enumerate()
    {
        assert!(!stage.session.is_large());
        let name = format!("s{number}");
        stage.client(&[parse(&name, text, &[]), sync()].concat());
        stage.server(&[frame(b'1', b""), ready('I')].concat());
    }
    assert!(stage.session.is_large());
    stage.client(&[frame(b'C', b"Ss1\0"), sync()].concat());
    stage.server(&[frame(b'3', b""), ready('I')].concat());
    assert!(!stage.session.is_large());
    // One that has ended is dropped with all that it has.
    let mut stage = Stage::ready();
    stage.client(&[parse("s", &long("nothing", 100_000), &[]), sync()].concat());
    stage.session.end(&Fatal::Shutdown);
    assert!(stage.session.is_large());
}
