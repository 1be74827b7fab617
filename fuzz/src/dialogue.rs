//! A client that does anything before an honest server: the statements come in any order, in both
//! protocols, with errors, refusals, cuts and garbage anywhere. The server has a canary in every
//! key; none reaches the client.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::{BufMut, BytesMut};
use pgveil::session::{Mode, Shared};
use pgveil::wire::frontend::{BindWriter, Formats};
use pgveil::wire::{frontend, message};

use super::input::{Cuts, Input};
use super::model::{MARK, Model, TEXTS};
use super::world::{self, CANARY, Stage};

static EVERYDAY: LazyLock<Arc<Shared>> = LazyLock::new(|| world::shared(world::limits(false)));
static NARROW: LazyLock<Arc<Shared>> = LazyLock::new(|| world::shared(world::limits(true)));
static ID: LazyLock<(String, [u8; 16])> = LazyLock::new(|| world::id(CANARY));

/// Names of statements and of portals, one of each known to SQL too.
const STATEMENTS: &[&[u8]] = &[b"", b"s", b"p", b"other"];
const PORTALS: &[&[u8]] = &[b"", b"q", b"c", b"other"];

/// More than an exchange of a few kilobytes can fill.
const HELD_BYTES: usize = 4 << 20;

/// The most steps of one input.
const STEPS: usize = 200;

struct Dialogue<'a> {
    input: Input<'a>,
    stage: Stage,
    model: Model,
    cuts: Cuts,
    /// What the model has said and the session has not read.
    said: BytesMut,
    shown: Vec<u8>,
    now: Duration,
}

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let narrow = input.flag();
    let shared = if narrow { &NARROW } else { &EVERYDAY };
    let mut dialogue = Dialogue {
        cuts: Cuts::read(&mut input),
        input,
        stage: Stage::new(shared, Mode::Enforce),
        model: Model::default(),
        said: BytesMut::new(),
        shown: Vec::new(),
        now: Duration::ZERO,
    };
    let mut steps = 0;
    dialogue.stage.server([&b"Z\0\0\0\x05I"[..]]);
    dialogue.settle();
    while !dialogue.input.is_empty() && !dialogue.stage.ended && steps < STEPS {
        dialogue.step();
        steps += 1;
    }
    if !dialogue.stage.ended {
        dialogue.settle();
    }
    dialogue.read();
    assert!(!world::leaks(&dialogue.shown), "the client was sent a key");
}

impl Dialogue<'_> {
    fn step(&mut self) {
        let mut out = BytesMut::new();
        match self.input.below(22) {
            0..=2 => self.query(&mut out),
            3 | 4 => {
                let name = self.input.choice(STATEMENTS);
                let oids: &[u32] = self
                    .input
                    .choice(&[&[][..], &[], &[2950], &[20], &[25, 25]]);
                let text = text(self.input.below(TEXTS.len()));
                frontend::parse(name, text.as_bytes(), oids.iter().copied(), &mut out);
            }
            5 | 6 => self.bind(&mut out),
            7 => self.named(b'D', &mut out),
            8 => self.named(b'C', &mut out),
            9 | 10 => {
                let portal = self.input.choice(PORTALS);
                let limit = self.input.choice(&[0, 0, 1, 2, -1]);
                message(&mut out, b'E', |out| {
                    put_string(out, portal);
                    out.put_i32(limit);
                });
            }
            11 => message(&mut out, b'S', |_| ()),
            12 => message(&mut out, b'H', |_| ()),
            13 => self.data(&mut out),
            14 => message(&mut out, b'c', |_| ()),
            15 => message(&mut out, b'f', |out| put_string(out, b"enough")),
            16 => return self.hear(),
            17 => return self.settle(),
            18 => {
                self.model.fault = Some(self.input.below(4));
                return;
            }
            19 => {
                let number = self.input.below(3);
                self.model.unasked(number, &mut self.said);
                return self.tell();
            }
            20 => {
                self.now += Duration::from_secs(50);
                self.stage.session.set_time(self.now);
                return;
            }
            _ => self.garbage(&mut out),
        }
        if super::tells() {
            eprintln!("from the client: {}", out.escape_ascii());
        }
        let pieces = self.cuts.cut(&out);
        self.stage.client(pieces);
        self.write();
    }

    fn query(&mut self, out: &mut BytesMut) {
        let count = 1 + self.input.below(3);
        let texts: Vec<String> = (0..count)
            .map(|_| text(self.input.below(TEXTS.len())))
            .collect();
        frontend::Query {
            text: texts.join(";").as_bytes(),
        }
        .encode(out);
    }

    fn bind(&mut self, out: &mut BytesMut) {
        let portal = self.input.choice(PORTALS);
        let statement = self.input.choice(STATEMENTS);
        let formats: &[u16] = self.input.choice(&[&[][..], &[0], &[1], &[7]]);
        let values: [Option<&[u8]>; 5] = [
            Some(ID.0.as_bytes()),
            Some(&ID.1),
            None,
            Some(b"no id"),
            Some(b"00000000-0000-0000-0000-000000000000"),
        ];
        let count = self.input.below(3);
        let codes = formats.iter().copied();
        let mut writer = BindWriter::new(out, portal, statement, codes, count);
        for _ in 0..count {
            match self.input.choice(&values) {
                None => writer.null(),
                Some(value) => writer.value(|out| out.put_slice(value)),
            }
        }
        let results = self
            .input
            .choice(&[&[][..], &[0, 0], &[0, 1], &[0, 1, 0, 0], &[0, 9]]);
        writer.finish(Formats::from_bytes(results));
    }

    /// Describe or Close.
    fn named(&mut self, kind: u8, out: &mut BytesMut) {
        let (what, names) = self.input.choice(&[(b'S', STATEMENTS), (b'P', PORTALS)]);
        let name = self.input.choice(names);
        message(out, kind, |out| {
            out.put_u8(what);
            put_string(out, name);
        });
    }

    /// Data of a COPY: whole rows, parts of them, or none.
    fn data(&mut self, out: &mut BytesMut) {
        let line = format!("{}\tsomebody\n", ID.0);
        let tuple = [&b"\0\x02\0\0\0\x10"[..], &ID.1, b"\0\0\0\x01a"].concat();
        let pieces: [&[u8]; 7] = [
            line.as_bytes(),
            &line.as_bytes()[..20],
            &line.as_bytes()[20..],
            b"no id\tsomebody\n",
            b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0",
            &tuple,
            b"\xff\xff",
        ];
        let piece = self.input.choice(&pieces);
        message(out, b'd', |out| out.put_slice(piece));
    }

    /// Any bytes that are not a statement of the model's.
    fn garbage(&mut self, out: &mut BytesMut) {
        let bytes = self.input.chunk();
        let mark = MARK.as_bytes();
        let may_hold = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        if !may_hold(&mark[..4]) && !may_hold(b"8613") && !may_hold(&CANARY.to_be_bytes()[1..3]) {
            out.put_slice(bytes);
        }
    }

    /// The session writes to the server, and the client reads.
    fn write(&mut self) {
        let sent = self.stage.sent();
        if super::tells() && !sent.is_empty() {
            eprintln!("to the server: {}", sent.escape_ascii());
        }
        self.model.receive(&sent);
        self.read();
    }

    fn read(&mut self) {
        let shown = self.stage.show();
        if super::tells() && !shown.is_empty() {
            eprintln!("to the client: {}", shown.escape_ascii());
        }
        self.shown.extend(shown);
        let held = self.stage.from_client.len() + self.stage.from_server.len() + self.shown.len();
        assert!(held < HELD_BYTES, "{held} bytes");
    }

    /// The server answers one message.
    fn hear(&mut self) {
        self.model.answer(&mut self.said);
        self.tell();
    }

    fn tell(&mut self) {
        let said = self.said.split();
        let pieces = self.cuts.cut(&said);
        self.stage.server(pieces);
        self.write();
    }

    /// The server answers everything.
    fn settle(&mut self) {
        self.write();
        let mut patience = 1000;
        while self.model.is_busy() && !self.stage.ended && patience > 0 {
            self.hear();
            patience -= 1;
        }
    }
}

/// A statement of the model's.
fn text(number: usize) -> String {
    let (text, ..) = TEXTS[number];
    format!("{}{MARK}{number}*/", text.replace("ID", &ID.0))
}

fn put_string(out: &mut BytesMut, string: &[u8]) {
    out.put_slice(string);
    out.put_u8(0);
}
