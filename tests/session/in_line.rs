//! Sessions that have to look at the database at once: one asks for all of them, and none takes an
//! answer from before it wanted one.

use std::sync::Arc;

use pgveil::session::{Catalog, Earlier, Mode, Moves, Session};

use crate::stage::*;

/// Two sessions in line, and a neighbour that changes something.
struct Line {
    sessions: [Stage; 2],
    neighbour: Stage,
}

impl Line {
    fn new() -> Self {
        let shared = shared();
        let moves = Arc::new(Moves::default());
        let beside = |mode| {
            let mut stage = Stage::new(&shared, mode);
            let session = Session::new(Arc::clone(&shared), mode).beside(Arc::clone(&moves));
            stage.session = session.in_line();
            stage.server(&ready('I'));
            stage
        };
        let mut neighbour = beside(Mode::Bypass);
        let mut first = beside(Mode::Enforce);
        let mut second = beside(Mode::Enforce);
        first.session.load_catalog(Earlier::Unknown);
        first.server(&catalog());
        let known = first.session.take_loaded().unwrap();
        second.session.supply_catalog(known);
        second.server(&path());
        for stage in [&mut neighbour, &mut first, &mut second] {
            stage.sent();
            stage.shown();
        }
        Self {
            sessions: [first, second],
            neighbour,
        }
    }

    fn change(&mut self) {
        self.neighbour.client(&query("create view v as select 1"));
        self.neighbour
            .server(&[tag("CREATE VIEW"), ready('I')].concat());
    }

    /// One session asks for a snapshot.
    fn look(&mut self, session: usize) -> Arc<Catalog> {
        let stage = &mut self.sessions[session];
        assert!(stage.session.needs_catalog() && stage.sent().is_empty());
        stage.session.load_catalog(Earlier::Unknown);
        assert!(asks_for_the_catalog(&stage.sent()));
        assert!(!stage.session.needs_catalog());
        stage.server(&changed_catalog('I'));
        stage.session.take_loaded().unwrap()
    }
}

/// The server's answer to the question for the path.
fn path() -> Vec<u8> {
    let row = row(&[Some(b"search path"), Some(b"pg_catalog\\000public")]);
    [row, tag("SELECT 1"), ready('I')].concat()
}

#[test]
fn one_look_serves_all_that_have_waited_for_it() {
    let mut line = Line::new();
    line.change();
    for stage in &mut line.sessions {
        stage.client(&query("ids"));
    }
    let found = line.look(0);
    assert_eq!(line.sessions[0].sent(), ["Q ids|"]);
    let second = &mut line.sessions[1];
    assert!(second.session.needs_catalog());
    second.session.supply_catalog(found);
    assert!(asks_for_the_path(&second.sent()));
    second.server(&path());
    assert_eq!(second.sent(), ["Q ids|"]);
    assert!(!second.session.needs_catalog() && second.session.take_loaded().is_none());
}

#[test]
fn a_snapshot_from_before_the_wait_serves_nobody() {
    let mut line = Line::new();
    line.change();
    line.sessions[0].client(&query("ids"));
    let found = line.look(0);
    line.change();
    let second = &mut line.sessions[1];
    second.client(&query("ids"));
    assert!(second.session.needs_catalog());
    second.session.supply_catalog(found);
    assert!(asks_for_the_catalog(&second.sent()));
    second.server(&changed_catalog('I'));
    assert_eq!(second.sent(), ["Q ids|"]);
}

#[test]
fn an_answer_that_is_held_back_waits_for_the_look_of_another_session() {
    let mut line = Line::new();
    line.sessions[1].client(&query("ids"));
    assert_eq!(line.sessions[1].sent(), ["Q ids|"]);
    line.change();
    let ids = columns(&[("id", USERS, 1, 20), ("name", 0, 0, 25)], 0);
    let answer = [ids, text_row(&["5", "x"]), tag("SELECT 1"), ready('I')].concat();
    line.sessions[1].server(&answer);
    assert!(line.sessions[1].session.needs_catalog());
    assert!(line.sessions[1].shown().is_empty());
    line.sessions[0].client(&query("ids"));
    let found = line.look(0);
    let second = &mut line.sessions[1];
    second.session.supply_catalog(found);
    assert!(asks_for_the_path(&second.sent()));
    assert!(second.shown().is_empty());
    second.server(&path());
    let shown = second.shown();
    assert_eq!(shown.len(), 4, "{shown:?}");
    assert!(shown[1].contains(&id(5)), "{shown:?}");
}

#[test]
fn who_asks_for_all_and_gets_no_answer_lets_the_next_one_ask() {
    let mut line = Line::new();
    line.change();
    let stage = &mut line.sessions[0];
    stage.client(&query("ids"));
    stage.session.load_catalog(Earlier::Unknown);
    for _ in 0..6 {
        assert!(!stage.session.take_failed());
        stage.server(&failed("57014", "canceling statement due to lock timeout"));
        stage.sent();
    }
    assert!(stage.session.take_failed() && !stage.session.take_failed());
}
