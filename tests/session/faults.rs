//! A fault of pgveil's own, at each stage: it ends the statement or the session that met it, with
//! words, and nothing of another session.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use bytes::{Buf, BytesMut};
use pgveil::session::{
    Earlier, Effort, Event, Fatal, Mode, Progress, Session, Shared, Stage as Point,
};
use pgveil::{audit, sql};

use crate::stage::*;

thread_local! {
    /// Where a panic is raised.
    static FAILS: Cell<Option<Point>> = const { Cell::new(None) };
    /// What has been reached.
    static REACHED: RefCell<Vec<Point>> = const { RefCell::new(Vec::new()) };
}

/// What the sessions of all tests call when a stage begins.
pub(crate) fn reach(point: Point) {
    REACHED.with_borrow_mut(|reached| reached.push(point));
    assert_ne!(FAILS.get(), Some(point), "{KEY}");
}

/// A session whose owner begins with light turns, or with heavy ones.
struct Life {
    session: Session,
    effort: Effort,
    from_client: BytesMut,
    from_server: BytesMut,
    sent: Vec<u8>,
    shown: Vec<u8>,
}

type Turn = fn(&mut Session, &mut BytesMut, Effort) -> Result<Progress, Fatal>;

impl Life {
    fn new(shared: &Arc<Shared>, effort: Effort) -> Self {
        Self {
            session: Session::new(Arc::clone(shared), Mode::Enforce),
            effort,
            from_client: BytesMut::new(),
            from_server: BytesMut::new(),
            sent: Vec::new(),
            shown: Vec::new(),
        }
    }

    fn client(&mut self, bytes: &[u8]) -> Result<(), Fatal> {
        self.from_client.extend_from_slice(bytes);
        self.turns(Session::client_turn, true)
    }

    fn server(&mut self, bytes: &[u8]) -> Result<(), Fatal> {
        self.from_server.extend_from_slice(bytes);
        self.turns(Session::server_turn, false)?;
        self.client(b"")
    }

    fn turns(&mut self, turn: Turn, of_client: bool) -> Result<(), Fatal> {
        let input = if of_client {
            &mut self.from_client
        } else {
            &mut self.from_server
        };
        let mut effort = self.effort;
        let done = loop {
            match turn(&mut self.session, input, effort) {
                Ok(Progress::Done) => break Ok(()),
                Ok(Progress::Heavy) => effort = Effort::Heavy,
                Ok(Progress::More) => effort = self.effort,
                Err(fatal) => {
                    self.session.end(&fatal);
                    break Err(fatal);
                }
            }
        };
        let sent = self.session.to_server();
        self.sent.extend(sent.copy_to_bytes(sent.remaining()));
        let shown = self.session.to_client();
        self.shown.extend(shown.copy_to_bytes(shown.remaining()));
        done
    }

    fn open(&mut self) -> Result<(), Fatal> {
        self.server(&ready('I'))?;
        self.session.load_catalog(Earlier::Unknown);
        self.server(&catalog())
    }

    /// Meets every stage.
    fn live(&mut self) -> Result<(), Fatal> {
        self.open()?;
        let described = columns(&[("id", USERS, 1, 20)], 0);
        let rows = text_row(&[&KEY.to_string()]);
        let text = format!("by literal '{}'", id(KEY));
        self.client(&query(&text))?;
        let end = [tag("SELECT 1"), ready('I')].concat();
        self.server(&[described.clone(), rows.clone(), end.clone()].concat())?;

        let statement = parse("", "by id $1", &[]);
        let value = id(KEY).into_bytes();
        let bound = bind("", "", &[], &[Some(&value)], &[]);
        self.client(&[statement, bound, describe('P', ""), execute(""), sync()].concat())?;
        let prepared = [frame(b'1', b""), frame(b'2', b"")].concat();
        self.server(&[prepared, described, rows, end.clone()].concat())?;

        self.client(&query("nothing"))?;
        self.server(&[error("23505", "duplicate"), ready('I')].concat())?;
        self.server(&frame(b'A', b"\0\0\0\x01c\0p\0"))?;

        self.client(&query("copy in"))?;
        self.server(&frame(b'G', &[0, 0, 2, 0, 0, 0, 0]))?;
        let record = format!("{}\tone\n", id(KEY));
        self.client(&[frame(b'd', record.as_bytes()), frame(b'c', b"")].concat())?;
        self.server(&[tag("COPY 1"), ready('I')].concat())?;

        self.client(&query("ddl"))?;
        self.server(&[tag("CREATE TABLE"), ready('I')].concat())?;
        self.server(&changed_catalog('I'))
    }
}

fn lives(shared: &Arc<Shared>) {
    let mut life = Life::new(shared, Effort::Light);
    life.live().unwrap();
    assert!(life.session.is_idle());
}

/// All whole messages; the last one says that the session is over.
fn last_words(shown: &[u8]) -> String {
    assert!(
        !shown
            .windows(16)
            .any(|part| part == KEY.to_string().as_bytes())
    );
    legible(shown).pop().unwrap()
}

#[test]
fn a_panic_at_any_stage_ends_its_session_with_words_and_no_other() {
    let shared = shared();
    lives(&shared);
    let reached = REACHED.take();
    for point in Point::ALL {
        // The names of the others are of their own making.
        if !matches!(point, Point::Messages | Point::Analysis) {
            assert!(reached.contains(&point), "{point:?} is not reached");
        }
    }
    let ends = |point: &&Point| !matches!(point, Point::Messages | Point::Analysis);
    for point in Point::ALL.iter().filter(ends) {
        for effort in [Effort::Light, Effort::Heavy] {
            let mut beside = Life::new(&shared, effort);
            beside.open().unwrap();
            events();
            FAILS.set(Some(*point));
            let mut life = Life::new(&shared, effort);
            let ended = life.live().unwrap_err();
            FAILS.set(None);
            assert!(matches!(ended, Fatal::Internal), "{point:?}: {ended}");
            let words = "E SFATAL|VFATAL|CXX000|Minternal error||";
            assert_eq!(last_words(&life.shown), words, "{point:?}");
            let stages = events().into_iter().filter_map(|event| match event {
                Event::Fault { stage } => Some(stage),
                _ => None,
            });
            let stages: Vec<_> = stages.collect();
            let opening = *point == Point::Catalog;
            assert_eq!(stages, [if opening { "opening" } else { point.as_str() }]);
            // Nothing is taken any more, from either side.
            assert!(life.client(&query("nothing")).is_err());
            assert!(life.server(&ready('I')).is_err());
            drop(life);
            beside.client(&query("ids")).unwrap();
            lives(&shared);
        }
    }
}

#[test]
fn a_panic_in_the_analysis_refuses_the_text_and_no_other() {
    for effort in [Effort::Light, Effort::Heavy] {
        let shared = shared();
        let mut life = Life::new(&shared, effort);
        life.open().unwrap();
        life.sent.clear();
        events();
        FAILS.set(Some(Point::Analysis));
        life.client(&query("by literal 'secret'")).unwrap();
        FAILS.set(None);
        assert_eq!(
            events(),
            [
                Event::Fault { stage: "analysis" },
                Event::Refused {
                    code: "fault",
                    sqlstate: "XX000",
                    passed: false,
                    statement: sql::shape("by literal 'secret'")
                        .map(|shape| audit::Statement::new(&shape)),
                    position: None,
                }
            ]
        );
        assert!(legible(&life.sent)[0].contains("pgveil refuses"));
        life.server(&[poison_error(), ready('I')].concat()).unwrap();
        let shown = legible(&life.shown);
        assert!(
            shown[shown.len() - 2].contains("|CXX000|Minternal error|"),
            "{shown:?}"
        );
        // The next time it may be analysed.
        life.sent.clear();
        life.client(&query("ids")).unwrap();
        assert_eq!(legible(&life.sent), ["Q ids|"]);
    }
}

#[test]
fn a_panic_while_a_catalog_is_taken_is_told_by_the_next_turn() {
    let shared = shared();
    let mut first = Life::new(&shared, Effort::Light);
    first.open().unwrap();
    let catalog = first.session.take_loaded().unwrap();
    let mut second = Life::new(&shared, Effort::Light);
    second.server(&ready('I')).unwrap();
    second.session.use_catalog(catalog);
    FAILS.set(Some(Point::Catalog));
    let path = [
        columns(&[("path", 0, 0, 25)], 0),
        text_row(&["public"]),
        tag("SELECT 1"),
        ready('I'),
    ];
    let ended = second.server(&path.concat()).unwrap_err();
    FAILS.set(None);
    assert!(matches!(ended, Fatal::Internal));
    lives(&shared);
}

#[test]
fn ends_a_session_whose_edits_lie_outside_of_the_text() {
    for message in [query("misplaced"), parse("", "misplaced", &[])] {
        let mut stage = Stage::ready();
        stage.sent();
        let fatal = stage.try_client(&message).unwrap_err();
        assert_eq!(fatal.sqlstate(), "XX000");
        assert!(matches!(fatal, Fatal::Misplaced(_)), "{fatal}");
        assert_eq!(stage.sent(), [""; 0], "nothing of the statement is sent");
    }
}
