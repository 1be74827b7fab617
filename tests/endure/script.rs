//! Random sessions: what a client sends, when it listens, and how it vanishes. The same number
//! gives the same session.

use std::path::Path;
use std::{fmt, fs};

use crate::random::Random;
use crate::raw::{bind, close, describe, execute, message, packet, parse, query, startup, sync};

#[path = "../fuzz/mutate.rs"]
mod mutate;

use mutate::Mutator;

/// Statements of every sort that leaves something behind on the way: transactions, locks, copies,
/// cursors, names, results that nobody reads, errors, refusals, and long texts. `ID` becomes the
/// id of a user, `MANY` many of them.
const TEXTS: &[&str] = &[
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT a; ROLLBACK TO a",
    "BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE",
    "BEGIN; LOCK TABLE visits IN SHARE MODE; SELECT * FROM visits LIMIT 1",
    "BEGIN; SELECT id FROM users WHERE id = 'ID' FOR UPDATE",
    "BEGIN; UPDATE users SET email = 'x' WHERE id = 'ID' RETURNING id",
    "BEGIN; INSERT INTO orders (user_id, total) VALUES ('ID', 1) RETURNING *",
    "BEGIN; ALTER TABLE visits ADD COLUMN IF NOT EXISTS note text",
    "SELECT pg_advisory_lock(5)",
    "SELECT pg_advisory_xact_lock(6), pg_sleep(0.05)",
    "SELECT pg_try_advisory_lock(7)",
    "SELECT id, email FROM users WHERE id = 'ID'",
    "SELECT * FROM orders WHERE user_id = $1",
    "SELECT u.id, 'user ' || u.id FROM users u, generate_series(1, 2000)",
    "SELECT repeat('x', 3000000)",
    "SELECT pg_sleep(0.2)",
    "COPY orders (user_id, total) FROM STDIN",
    "BEGIN; COPY orders (user_id, total) FROM STDIN",
    "COPY visits FROM STDIN; SELECT 1",
    "COPY orders TO STDOUT",
    "COPY (SELECT id, email FROM users, generate_series(1, 2000)) TO STDOUT",
    "DECLARE c CURSOR WITH HOLD FOR SELECT * FROM orders",
    "BEGIN; DECLARE d CURSOR FOR SELECT * FROM users",
    "FETCH 3 FROM c",
    "FETCH ALL FROM d",
    "PREPARE q AS SELECT id FROM users WHERE id = $1",
    "EXECUTE q('ID')",
    "DEALLOCATE ALL",
    "DISCARD ALL",
    "LISTEN shop; NOTIFY shop, 'open'",
    "CREATE TEMP TABLE IF NOT EXISTS t (id bigint); INSERT INTO t SELECT total FROM orders",
    "SELECT * FROM t",
    "SET statement_timeout = '20ms'",
    "SET lock_timeout = '5ms'",
    "RESET ALL",
    "DO $$BEGIN RAISE NOTICE 'a note'; END$$",
    "EXPLAIN SELECT * FROM users WHERE id IN (MANY)",
    "SELECT id FROM users WHERE id IN (MANY)",
    "SELECT id FROM buyers WHERE id = 'ID'; SELECT 2; SELECT id FROM orders LIMIT 2",
    "SELEC",
    "SELECT 1/0",
    "SELECT md5(id::text) FROM users",
    "SELECT id + 1 FROM users",
    "SELECT id FROM nowhere",
    "",
];

/// What a client does next.
pub(crate) enum Step {
    Send(Vec<u8>),
    /// Reads whatever comes for so many milliseconds.
    Listen(u64),
    /// Asks for the cancellation of what its session does.
    Cancel,
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Send(bytes) => {
                let some = &bytes[..bytes.len().min(300)];
                write!(f, "send {} bytes: {}", bytes.len(), some.escape_ascii())
            }
            Self::Listen(milliseconds) => write!(f, "listen for {milliseconds} ms"),
            Self::Cancel => f.write_str("cancel"),
        }
    }
}

/// How a client goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    Terminate,
    Close,
    Reset,
    /// Closes its sending side, and listens for some milliseconds more.
    Half(u64),
}

/// A random session.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
}

/// The recorded sessions of the fuzz corpus, as streams of a client.
pub(crate) fn recorded() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/frames");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with("_client"))
        .collect();
    files.sort();
    // Five bytes tell the target how to cut the stream.
    let streams = files
        .iter()
        .map(|file| fs::read(file).unwrap().split_off(5));
    let streams: Vec<_> = streams.collect();
    assert!(streams.len() > 10, "the corpus is gone");
    streams
}

impl Script {
    /// The session of a number, for one of these ids.
    pub(crate) fn random(seed: u64, ids: &[String], recorded: &[Vec<u8>]) -> Self {
        let mut random = Random(seed);
        random.next();
        let mut writer = Writer {
            mutator: Mutator::new(random.next() >> 8, recorded),
            random,
            ids,
            recorded,
        };
        let mut steps = writer.beginning(seed);
        for _ in 0..2 + writer.random.below(20) {
            let bytes = writer.bytes();
            steps.push(Step::Send(bytes));
            match writer.random.below(12) {
                0..=5 => {}
                6 => steps.push(Step::Cancel),
                7 => steps.push(Step::Listen(200)),
                _ => steps.push(Step::Listen(5 + writer.random.below(30) as u64)),
            }
        }
        steps.extend(writer.last_bytes().map(Step::Send));
        let end = match writer.random.below(8) {
            0 => End::Terminate,
            1 | 2 => End::Half(writer.random.below(300) as u64),
            3 | 4 => End::Reset,
            _ => End::Close,
        };
        Self { steps, end }
    }
}

struct Writer<'a> {
    random: Random,
    mutator: Mutator<'a>,
    ids: &'a [String],
    recorded: &'a [Vec<u8>],
}

impl Writer<'_> {
    fn choice<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.random.below(texts.len())]
    }

    fn id(&mut self) -> String {
        self.ids[self.random.below(self.ids.len())].clone()
    }

    /// The startup packet, most often a sound one.
    fn beginning(&mut self, seed: u64) -> Vec<Step> {
        let name = format!("session {seed}");
        let parameters = ["user", "postgres", "application_name", &name];
        let mut bytes = startup(&parameters);
        match self.random.below(30) {
            0 => bytes.truncate(self.random.below(bytes.len())),
            1 => bytes = self.mutator.next(),
            // SSLRequest, and the startup without waiting for the answer.
            2 => bytes = [packet(&80_877_103_u32.to_be_bytes()), bytes].concat(),
            // A cancellation for nobody.
            3 => bytes = packet(&[4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2]),
            _ => {}
        }
        let mut steps = vec![Step::Send(bytes)];
        if self.random.below(6) > 0 {
            steps.push(Step::Listen(500));
        }
        steps
    }

    fn text(&mut self) -> String {
        let text = self.choice(TEXTS);
        let id = self.id();
        let many = || format!("'{}'", self.ids.join("','"));
        let text = if text.contains("MANY") {
            text.replace("MANY", &many())
        } else {
            text.replace("ID", &id)
        };
        // Texts that nobody has sent before are analysed.
        format!("{text} /* {} */", self.random.below(1000))
    }

    /// The next messages.
    fn bytes(&mut self) -> Vec<u8> {
        let statement = self.choice(&["", "s", "q"]);
        let portal = self.choice(&["", "p", "c"]);
        match self.random.below(24) {
            0..=7 => query(&self.text()),
            8..=10 => parse(statement, &self.text()),
            11 => self.bind(portal, statement),
            12 => {
                // Never the unnamed portal without its Bind: what a failed Query has left there
                // makes some versions of Postgres read freed memory (15.18 does), with or
                // without a proxy.
                let portal = self.choice(&["p", "c"]);
                execute(portal, u8::try_from(self.random.below(3)).unwrap())
            }
            13 => self.pipeline(portal),
            14 => sync(),
            15 => message(b'H', b""),
            16 => describe(&format!("S{statement}")),
            17 => close(&format!("P{portal}")),
            18 => self.data(),
            19 => message(b'c', b""),
            20 => message(b'f', b"enough\0"),
            21 => {
                let which = self.random.below(self.recorded.len());
                self.recorded[which].clone()
            }
            22 => self.odd(),
            _ => self.mutator.next(),
        }
    }

    fn bind(&mut self, portal: &str, statement: &str) -> Vec<u8> {
        let id = self.id();
        match self.random.below(3) {
            0 => bind(portal, statement, &[]),
            1 => bind(portal, statement, &["no id"]),
            _ => bind(portal, statement, &[&id]),
        }
    }

    /// A statement from Parse to Sync, or to Flush, or to nothing.
    fn pipeline(&mut self, portal: &str) -> Vec<u8> {
        let text = self.text();
        let bind = self.bind(portal, "");
        let end = match self.random.below(3) {
            0 => Vec::new(),
            1 => message(b'H', b""),
            _ => sync(),
        };
        [parse("", &text), bind, execute(portal, 0), end].concat()
    }

    /// Data of a COPY, some of it cut.
    fn data(&mut self) -> Vec<u8> {
        let line = format!("{}\t1\n", self.id());
        let lines = line.repeat(1 + self.random.below(2000));
        let cut = self.random.below(4) == 0;
        let end = if cut {
            lines.len() / 2 + 3
        } else {
            lines.len()
        };
        message(b'd', &lines.as_bytes()[..end])
    }

    /// Messages that have no place in a session, or lengths that are none.
    fn odd(&mut self) -> Vec<u8> {
        match self.random.below(7) {
            0 => message(b'p', b"a password\0"),
            1 => message(b'F', b"\0\0\0\x01\0\0\0\0\0\0"),
            2 => message(b'H', b"a body"),
            3 => message(b'S', b"a body"),
            4 => message(b'~', b""),
            5 => b"Q\0\0\0\x01".to_vec(),
            _ => message(b'c', b"a body"),
        }
    }

    /// Sometimes a message that does not end: of what it would do nothing must be left.
    fn last_bytes(&mut self) -> Option<Vec<u8>> {
        let mut bytes = match self.random.below(6) {
            0 => query("BEGIN; CREATE TABLE x (); PREPARE TRANSACTION 'left'"),
            1 => parse("", &self.text()),
            2 => self.data(),
            3 => message(b'd', &[b'x'; 300_000]),
            _ => return None,
        };
        bytes.pop();
        Some(bytes)
    }
}
