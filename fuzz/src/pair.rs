//! Sessions that share a database which one of them changes: two of ordinary roles read a view,
//! and one inside the trust boundary replaces it by another one whose column is made of keys. The server keeps locks as Postgres does: what names the view waits until the transaction
//! that replaces it has ended, and is planned then. It has a canary in every key; none reaches a
//! client, and no session is deaf for ever: it listens to its client, or its server has yet to answer,
//! or it waits for others, and not for long.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::{Buf, BufMut, BytesMut};
use pgveil::session::{Mode, Moves, Session, Shared};
use pgveil::wire::frontend::{BindWriter, Formats, Parse, Query, Target};
use pgveil::wire::{frontend, message, sized};

use super::input::{Cuts, Input};
use super::world::{self, CANARY, Stage};

static TRUSTING: LazyLock<Arc<Shared>> = LazyLock::new(|| world::shared(world::limits(false)));
static CAREFUL: LazyLock<Arc<Shared>> = LazyLock::new(|| {
    world::shared(pgveil::session::Limits {
        catalog_max_age: Duration::ZERO,
        ..world::limits(false)
    })
});

/// The most steps of one input.
const STEPS: usize = 200;

/// What the readers send, as a Query or prepared.
const READS: [&str; 9] = [
    "SELECT upper(email) FROM people",
    "SELECT upper(email) FROM people",
    "BEGIN",
    "COMMIT",
    "DECLARE c CURSOR FOR SELECT upper(email) FROM people",
    "FETCH ALL FROM c",
    "PREPARE p AS SELECT upper(email) FROM people",
    "EXECUTE p",
    "COPY (SELECT upper(email) FROM people) TO STDOUT",
];

/// What the other one sends.
const CHANGES: [&str; 4] = [
    "BEGIN",
    "CREATE OR REPLACE VIEW people",
    "COMMIT",
    "ROLLBACK",
];

/// Names of statements.
const NAMES: [&[u8]; 2] = [b"", b"s"];

/// What all servers' sessions see.
#[derive(Debug, Default)]
struct Database {
    /// Whether the view shows keys.
    redefined: bool,
    /// What it will show once the transaction is committed that has locked it.
    pending: Option<bool>,
}

/// The server's side of a session.
#[derive(Debug, Default)]
struct Backend {
    received: BytesMut,
    /// What it has said and not sent yet.
    unsent: BytesMut,
    statements: BTreeMap<Vec<u8>, String>,
    /// The text of the statement that was bound, and whether it was planned to show keys.
    portal: Option<(String, bool)>,
    cursor: Option<bool>,
    prepared: bool,
    in_transaction: bool,
    failed: bool,
    skipping: bool,
    /// The open transaction has read the view, which nobody can replace then.
    holds: bool,
    own: String,
}

/// A server sends what it has said when it has so much, in bytes.
const BUFFER_BYTES: usize = 8192;

/// Why a message gets an error.
type Fault = &'static str;

impl Backend {
    /// The next message, if all of it is there.
    fn next(&self) -> Option<Vec<u8>> {
        let &[_, a, b, c, d] = self.received.first_chunk::<5>()?;
        let length = u32::from_be_bytes([a, b, c, d]) as usize + 1;
        self.received.get(..length).map(<[u8]>::to_vec)
    }

    /// Whether the next message waits for somebody else's lock.
    fn is_locked(&self, database: &Database, others_hold: bool) -> bool {
        self.next().is_some_and(|frame| {
            let waits = self.waits(frame[0], &frame[5..], database, others_hold);
            waits && !(self.skipping && frame[0] != b'S')
        })
    }

    /// Answers the next message, unless that waits for a lock. Returns whether it did. What it
    /// says inside of a batch it keeps, until it is to send that or has enough.
    fn answer(&mut self, database: &mut Database, others_hold: bool, out: &mut BytesMut) -> bool {
        let mut unsent = std::mem::take(&mut self.unsent);
        let from = unsent.len();
        let flushes = self.received.first() == Some(&b'H');
        let answered = self.say(database, others_hold, &mut unsent);
        let said = &unsent[from..];
        let is_end = said.ends_with(b"\0\0") && said.windows(6).any(|part| part == b"SERROR");
        let ready = said.len() >= 6 && said[said.len() - 6..].starts_with(b"Z\0\0\0\x05");
        if answered && (flushes || is_end || ready) || unsent.len() > BUFFER_BYTES {
            out.extend_from_slice(&unsent);
        } else {
            self.unsent = unsent;
        }
        answered
    }

    fn say(&mut self, database: &mut Database, others_hold: bool, out: &mut BytesMut) -> bool {
        let Some(frame) = self.next() else {
            return false;
        };
        if self.is_locked(database, others_hold) {
            return false;
        }
        let (kind, length) = (frame[0], frame.len());
        self.received.advance(length);
        if self.skipping && kind != b'S' {
            return true;
        }
        let body = &frame[5..];
        let done = match kind {
            b'Q' => {
                let text = Query::decode(body).map(|query| query.text.to_vec());
                let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
                let done = self.run(&text, None, database, out);
                if let Err(fault) = done {
                    self.fail(fault, out);
                }
                self.ready(out);
                Ok(())
            }
            b'S' => {
                self.skipping = false;
                self.ready(out);
                Ok(())
            }
            _ => self.extended(kind, body, database, out),
        };
        if let Err(fault) = done {
            self.fail(fault, out);
            self.skipping = true;
        }
        true
    }

    /// Whether a message names the view while somebody else has locked it.
    fn waits(&self, kind: u8, body: &[u8], database: &Database, others_hold: bool) -> bool {
        let names = |text: &str| text.contains("people") || text.contains("EXECUTE");
        let own = body.starts_with(b"pgveil_") || self.own_portal(kind, body);
        let text = match kind {
            b'Q' | b'P' => String::from_utf8_lossy(body).into_owned(),
            b'B' => self.bound(body).unwrap_or_default(),
            b'E' => self
                .portal
                .clone()
                .map(|(text, _)| text)
                .unwrap_or_default(),
            _ => return false,
        };
        if text.contains("REPLACE") {
            return others_hold;
        }
        !own && database.pending.is_some() && names(&text)
    }

    fn own_portal(&self, kind: u8, body: &[u8]) -> bool {
        kind == b'C'
            && body
                .get(1..)
                .is_some_and(|name| name.starts_with(b"pgveil_"))
    }

    /// The text of the statement that a Bind names.
    fn bound(&self, body: &[u8]) -> Option<String> {
        let bind = frontend::Bind::decode(body).ok()?;
        self.statements.get(bind.statement).cloned()
    }

    fn extended(
        &mut self,
        kind: u8,
        body: &[u8],
        database: &mut Database,
        out: &mut BytesMut,
    ) -> Result<(), Fault> {
        let own = body.starts_with(b"pgveil_") || self.own_portal(kind, body);
        match kind {
            b'P' => {
                let parse = Parse::decode(body).map_err(|_| "08P01")?;
                let text = String::from_utf8_lossy(parse.text).into_owned();
                if own {
                    self.own = text;
                } else if text.contains("pgveil refuses") {
                    return Err("42703");
                } else if !parse.name.is_empty() && self.statements.contains_key(parse.name) {
                    return Err("42P05");
                } else {
                    self.statements.insert(parse.name.to_vec(), text);
                }
                message(out, b'1', |_| ());
            }
            b'B' => {
                if !own {
                    let text = self.bound(body).ok_or("26000")?;
                    if self.failed && text != "COMMIT" {
                        return Err("25P02");
                    }
                    self.holds |= self.in_transaction && text.contains("people");
                    self.portal = Some((text, database.redefined));
                }
                message(out, b'2', |_| ());
            }
            b'D' => {
                let text = match Target::decode(body).map_err(|_| "08P01")? {
                    Target::Portal(_) => self.portal.clone().ok_or("34000")?.0,
                    Target::Statement(name) => {
                        message(out, b't', |out| out.put_u16(0));
                        self.statements.get(name).ok_or("26000")?.clone()
                    }
                };
                if self.returns(&text)? {
                    described(out);
                } else {
                    message(out, b'n', |_| ());
                }
            }
            b'E' if own => self.tell(database, out),
            b'E' => {
                let (text, planned) = self.portal.clone().ok_or("34000")?;
                self.run(&text, Some(planned), database, out)?;
            }
            b'C' => {
                if let Ok(Target::Statement(name)) = Target::decode(body) {
                    self.statements.remove(name);
                }
                message(out, b'3', |_| ());
            }
            // It starts with what is to be called, which is nothing here.
            b'F' => {
                self.fail("0A000", out);
                self.ready(out);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a statement returns rows.
    fn returns(&self, text: &str) -> Result<bool, Fault> {
        Ok(match text.split(' ').next() {
            Some("SELECT") => true,
            Some("FETCH") => self.cursor.map(|_| true).ok_or("34000")?,
            Some("EXECUTE") => self.prepared.then_some(true).ok_or("26000")?,
            _ => false,
        })
    }

    /// Runs a statement, planned before or now.
    fn run(
        &mut self,
        text: &str,
        planned: Option<bool>,
        database: &mut Database,
        out: &mut BytesMut,
    ) -> Result<(), Fault> {
        let text = text.trim();
        if text.contains("pgveil refuses") {
            return Err("42703");
        }
        if self.failed && !matches!(text, "COMMIT" | "ROLLBACK") {
            return Err("25P02");
        }
        let now = database.redefined;
        let simple = planned.is_none();
        self.holds |= self.in_transaction && (text.contains("people") || text.contains("EXECUTE"));
        match text.split(' ').next().unwrap_or_default() {
            "SELECT" => rows(planned.unwrap_or(now), simple, out),
            "EXECUTE" if self.prepared => rows(now, simple, out),
            "EXECUTE" => return Err("26000"),
            "FETCH" => rows(self.cursor.ok_or("34000")?, simple, out),
            "DECLARE" if !self.in_transaction => return Err("25P01"),
            "DECLARE" if self.cursor.is_some() => return Err("42P03"),
            "DECLARE" => {
                self.cursor = Some(now);
                tag("DECLARE CURSOR", out);
            }
            "PREPARE" if self.prepared => return Err("42P05"),
            "PREPARE" => {
                self.prepared = true;
                tag("PREPARE", out);
            }
            "COPY" => {
                message(out, b'H', |out| out.put_slice(b"\0\0\x01\0\0"));
                message(out, b'd', |out| {
                    out.put_slice(shown(now).as_bytes());
                    out.put_u8(b'\n');
                });
                message(out, b'c', |_| ());
                tag("COPY 1", out);
            }
            "BEGIN" => {
                self.in_transaction = true;
                tag("BEGIN", out);
            }
            "CREATE" => {
                // What changes back in between leaves no trace that a session could find.
                let to = true;
                if self.in_transaction {
                    database.pending = Some(to);
                } else {
                    database.redefined = to;
                }
                tag("CREATE VIEW", out);
            }
            "COMMIT" | "ROLLBACK" => {
                let commits = text == "COMMIT" && !self.failed;
                self.end(commits, database);
                tag(if commits { "COMMIT" } else { "ROLLBACK" }, out);
            }
            // What the session asks of its own.
            _ => tag("SELECT 0", out),
        }
        Ok(())
    }

    fn end(&mut self, commits: bool, database: &mut Database) {
        // Only the role that changes the view has any such.
        if !self.statements.contains_key(&b"reader"[..])
            && let Some(to) = database.pending.take()
            && commits
        {
            database.redefined = to;
        }
        (self.in_transaction, self.failed, self.holds) = (false, false, false);
        self.cursor = None;
    }

    fn fail(&mut self, code: &str, out: &mut BytesMut) {
        self.failed = self.in_transaction;
        message(out, b'E', |out| {
            out.put_slice(format!("SERROR\0VERROR\0C{code}\0MSomething is wrong\0\0").as_bytes());
        });
    }

    fn ready(&self, out: &mut BytesMut) {
        message(out, b'Z', |out| {
            out.put_u8(match (self.in_transaction, self.failed) {
                (true, true) => b'E',
                (true, false) => b'T',
                _ => b'I',
            });
        });
    }

    /// Answers what the session asks of its own, by what has been committed.
    fn tell(&self, database: &Database, out: &mut BytesMut) {
        if self.own.contains("SELECT 'relation'") {
            let (definition, rule) = match database.redefined {
                false => (" SELECT users.email FROM public.users;", "7(0,1)"),
                true => (
                    " SELECT (users.id)::text AS email FROM public.users;",
                    "8(0,2)",
                ),
            };
            let lines: [&[&str]; 9] = [
                &["relation", "16400", "public", "users", "r"],
                &["relation", "16500", "public", "orders", "r"],
                &["column", "16400", "1", "id", "20"],
                &["column", "16400", "2", "email", "25"],
                &["column", "16500", "1", "id", "20"],
                &[
                    "relation", "16700", "public", "people", "v", definition, "-", rule,
                ],
                &["column", "16700", "1", "email", "25"],
                &["depends", "16700", "16400"],
                &["built in", "upper lower"],
            ];
            lines.iter().for_each(|line| row(line, out));
        } else if self.own.contains("SELECT 'search path'") {
            row(
                &["search path", "pg_catalog\\000public", "read committed"],
                out,
            );
        }
        tag("SELECT 1", out);
    }
}

fn shown(redefined: bool) -> String {
    match redefined {
        true => CANARY.to_string(),
        false => "ANN".to_owned(),
    }
}

fn rows(redefined: bool, simple: bool, out: &mut BytesMut) {
    if simple {
        described(out);
    }
    row(&[&shown(redefined)], out);
    tag("SELECT 1", out);
}

fn described(out: &mut BytesMut) {
    message(out, b'T', |out| {
        out.put_slice(b"\0\x01upper\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0");
    });
}

fn row(values: &[&str], out: &mut BytesMut) {
    message(out, b'D', |out| {
        out.put_u16(values.len() as u16);
        for value in values {
            match *value {
                "-" => out.put_i32(-1),
                value => sized(out, |out| out.put_slice(value.as_bytes())),
            }
        }
    });
}

fn tag(words: &str, out: &mut BytesMut) {
    message(out, b'C', |out| {
        out.put_slice(words.as_bytes());
        out.put_u8(0);
    });
}

/// A client with its session and its backend.
struct Party {
    stage: Stage,
    backend: Backend,
    shown: Vec<u8>,
    /// It has sent a part of a message, and nothing more.
    mute: bool,
}

struct Pair<'a> {
    input: Input<'a>,
    cuts: Cuts,
    /// Two that read, and one that changes.
    parties: Vec<Party>,
    database: Database,
    now: Duration,
}

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let shared = if input.flag() { &CAREFUL } else { &TRUSTING };
    let moves = Arc::new(Moves::default());
    let party = |mode: Mode| {
        let mut stage = Stage::new(shared, mode);
        stage.session = Session::new(Arc::clone(shared), mode).beside(Arc::clone(&moves));
        let mut backend = Backend::default();
        if mode != Mode::Bypass {
            backend.statements.insert(b"reader".to_vec(), String::new());
        }
        stage.server([&b"Z\0\0\0\x05I"[..]]);
        Party {
            stage,
            backend,
            shown: Vec::new(),
            mute: false,
        }
    };
    let parties = vec![
        party(Mode::Enforce),
        party(Mode::Enforce),
        party(Mode::Bypass),
    ];
    let mut pair = Pair {
        cuts: Cuts::read(&mut input),
        input,
        parties,
        database: Database::default(),
        now: Duration::ZERO,
    };
    pair.settle();
    let mut steps = 0;
    while !pair.input.is_empty() && steps < STEPS {
        pair.step();
        steps += 1;
    }
    pair.settle();
    pair.wait();
    for reader in [0, 1] {
        assert!(!pair.is_deaf(reader), "a session waits for nobody");
        let shown = &pair.parties[reader].shown;
        assert!(!world::leaks(shown), "a client was sent a key");
    }
}

impl Pair<'_> {
    fn step(&mut self) {
        let party = self.input.below(3);
        match self.input.below(6) {
            0..=2 => self.send(party),
            3 | 4 => {
                self.hear(party);
            }
            _ => {
                self.now += Duration::from_millis(600);
                for party in &mut self.parties {
                    party.stage.session.set_time(self.now);
                }
            }
        }
    }

    fn send(&mut self, party: usize) {
        if self.parties[party].mute {
            return;
        }
        let mut out = BytesMut::new();
        if party == 2 {
            let text = self.input.choice(&CHANGES).as_bytes();
            Query { text }.encode(&mut out);
        } else {
            let text = self.input.choice(&READS).as_bytes();
            let name = self.input.choice(&NAMES);
            match self.input.below(8) {
                0..=2 => Query { text }.encode(&mut out),
                3 => {
                    frontend::parse(name, text, [].into_iter(), &mut out);
                    message(&mut out, b'S', |_| ());
                }
                4 => {
                    frontend::parse(b"", text, [].into_iter(), &mut out);
                    run_portal(b"", true, &mut out);
                    message(&mut out, b'S', |_| ());
                }
                5 => {
                    run_portal(name, self.input.flag(), &mut out);
                    message(&mut out, b'S', |_| ());
                }
                6 => {
                    frontend::parse(b"", text, [].into_iter(), &mut out);
                    run_portal(b"", false, &mut out);
                    if self.input.flag() {
                        message(&mut out, b'H', |_| ());
                    }
                }
                _ => {
                    let kind = self.input.choice(b"SScdF");
                    message(&mut out, kind, |_| ());
                }
            }
            if self.input.below(16) == 0 {
                // The rest never comes.
                out.truncate(out.len() / 2);
                self.parties[party].mute = true;
            }
        }
        if super::tells() {
            eprintln!("{party} sends {}", out.escape_ascii());
        }
        let pieces = self.cuts.cut(&out);
        if !self.parties[party].stage.ended {
            self.parties[party].stage.client(pieces);
        }
        self.write(party);
    }

    /// Time passes, and nothing else happens.
    fn wait(&mut self) {
        for _ in 0..2 {
            self.now += Duration::from_secs(5);
            for party in 0..3 {
                self.parties[party].stage.session.set_time(self.now);
                self.hear(party);
            }
            self.settle();
        }
    }

    /// Whether a session waits although nobody will say anything.
    fn is_deaf(&self, party: usize) -> bool {
        let at = &self.parties[party];
        let locked = at
            .backend
            .is_locked(&self.database, self.others_hold(party));
        !(at.stage.ended || locked || at.stage.session.accepts_client_input())
    }

    fn others_hold(&self, party: usize) -> bool {
        let holds = |(index, other): (usize, &Party)| index != party && other.backend.holds;
        self.parties.iter().enumerate().any(holds)
    }

    /// The server answers one message, if it does not wait for a lock.
    fn hear(&mut self, party: usize) -> bool {
        let others_hold = self.others_hold(party);
        let mut said = BytesMut::new();
        let at = &mut self.parties[party];
        if at.stage.ended {
            if party != 2 {
                at.backend.holds = false;
            }
            return false;
        }
        let answered = at
            .backend
            .answer(&mut self.database, others_hold, &mut said);
        let pieces = self.cuts.cut(&said);
        at.stage.server(pieces.into_iter().chain([&b""[..]]));
        self.write(party);
        answered
    }

    /// What a session has written reaches its server and its client.
    fn write(&mut self, party: usize) {
        let at = &mut self.parties[party];
        let sent = at.stage.sent();
        at.backend.received.extend_from_slice(&sent);
        let shown = at.stage.show();
        if super::tells() && !shown.is_empty() {
            eprintln!("{party} is shown {}", shown.escape_ascii());
        }
        at.shown.extend(shown);
    }

    /// The server answers everything, as far as locks let it.
    fn settle(&mut self) {
        for _ in 0..500 {
            let moved = [0, 1, 2].map(|party| self.hear(party));
            if !moved.contains(&true) {
                break;
            }
        }
    }
}

/// Bind, perhaps Describe, and Execute of the portal without a name.
fn run_portal(statement: &[u8], describes: bool, out: &mut BytesMut) {
    BindWriter::new(out, b"", statement, [].into_iter(), 0).finish(Formats::default());
    if describes {
        message(out, b'D', |out| out.put_slice(b"P\0"));
    }
    message(out, b'E', |out| out.put_slice(b"\0\0\0\0\0"));
}
