//! Whole sessions of any bytes from both sides: the session never panics, takes a bounded amount
//! of memory, and does the same wherever what one side sends at once is cut.
//!
//! An input is a byte of flags and a transcript: the side, a length of two bytes, and what this
//! side sends. The corpus has transcripts of real sessions before a real Postgres.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use pgveil::session::{Mode, Shared};

use super::input::{Cuts, Input};
use super::world::{self, Stage};

/// More than everything that a session can hold after an input of a few kilobytes.
const HELD_BYTES: usize = 8 << 20;

/// More than what a session writes for each byte that it reads: an integer of one digit becomes a
/// uuid, and a message of five bytes can lead to a look at the whole catalog.
const GROWTH: usize = 4096;

static EVERYDAY: LazyLock<Arc<Shared>> = LazyLock::new(|| world::shared(world::limits(false)));
static NARROW: LazyLock<Arc<Shared>> = LazyLock::new(|| world::shared(world::limits(true)));

/// What a session has written to both sides, and whether it has ended.
type Outcome = (Vec<u8>, Vec<u8>, bool);

/// The target.
pub fn run(data: &[u8]) {
    let whole = play(data, false);
    let pieces = play(data, true);
    assert_eq!(whole.2, pieces.2, "the cuts of a stream end a session");
    if whole.2 {
        // What came in front of a fault in the same read may be withheld.
        return;
    }
    if super::tells() {
        eprintln!(
            "whole: {}, {}",
            whole.0.escape_ascii(),
            whole.1.escape_ascii()
        );
        eprintln!(
            "cut: {}, {}",
            pieces.0.escape_ascii(),
            pieces.1.escape_ascii()
        );
    }
    assert!(
        joined(&unnamed(&whole.0)) == joined(&unnamed(&pieces.0)),
        "the cuts change what the server gets"
    );
    assert!(
        joined(&whole.1) == joined(&pieces.1),
        "the cuts change what the client gets"
    );
}

/// The same without the random part of the names under which a session asks of its own, and of its
/// tags.
fn unnamed(bytes: &[u8]) -> Vec<u8> {
    const PREFIXES: [(&[u8], usize); 2] = [(b"pgveil_", 32), (b"~pv", RECORDED_NONCE.len() - 2)];
    let mut bytes = bytes.to_vec();
    let mut at = 0;
    while let Some(rest) = bytes.get_mut(at..).filter(|rest| !rest.is_empty()) {
        at += 1;
        let mut prefixes = PREFIXES.iter();
        let prefix = prefixes.find(|(prefix, _)| rest.starts_with(prefix));
        if let Some((prefix, length)) = prefix
            && let Some(name) = rest.get_mut(prefix.len()..)
            && let Some(random) = name.get_mut(..*length)
            && random.iter().all(u8::is_ascii_hexdigit)
        {
            random.fill(b'0');
        }
    }
    bytes
}

/// Whether the client of an input, played as it is, was sent a key: never in what was recorded.
pub fn leaks(data: &[u8]) -> bool {
    world::leaks(&play(data, false).1)
}

/// Whether a session goes through to the end of its transcript.
pub fn ends(data: &[u8]) -> bool {
    play(data, false).2
}

fn play(data: &[u8], cut: bool) -> Outcome {
    let mut input = Input::new(data);
    let flags = input.byte();
    let modes = [Mode::Enforce, Mode::Audit, Mode::Bypass, Mode::Enforce];
    let shared = if flags & 4 == 0 { &EVERYDAY } else { &NARROW };
    let mut stage = Stage::new(shared, modes[usize::from(flags & 3)]);
    let mut cuts = Cuts::read(&mut Input::new(data));
    let mut nonce = Nonce::default();
    let mut headers = [Headers::default(), Headers::default()];
    let (mut sent, mut shown, mut now) = (Vec::new(), Vec::new(), Duration::ZERO);
    while !input.is_empty() {
        let side = input.byte();
        let bytes = input.chunk();
        let sender = usize::from(matches!(side % 4, 1 | 2));
        let is_header = match side % 4 {
            3 => Vec::new(),
            _ => headers[sender].among(bytes),
        };
        let Some(bytes) = nonce.put(bytes, &is_header) else {
            // What is random would say where messages begin.
            break;
        };
        let pieces = if cut {
            cuts.cut(&bytes)
        } else {
            vec![&bytes[..]]
        };
        match side % 4 {
            0 => stage.client(pieces),
            1 | 2 => stage.server(pieces),
            _ => {
                now += Duration::from_secs(20);
                stage.session.set_time(now);
            }
        }
        let newly_sent = stage.sent();
        nonce.learn(&newly_sent);
        sent.extend(newly_sent);
        shown.extend(stage.show());
        if stage.ended {
            break;
        }
        let held = stage.from_client.len() + stage.from_server.len();
        assert!(held <= data.len(), "more is held than was read");
    }
    let written = sent.len() + shown.len();
    assert!(
        written <= HELD_BYTES + GROWTH * data.len(),
        "{written} bytes were written"
    );
    (sent, shown, stage.ended)
}

/// By what the tags of this session are known. In transcripts stands [`RECORDED_NONCE`].
#[derive(Default)]
struct Nonce(Option<Vec<u8>>);

/// As long as any other one.
pub const RECORDED_NONCE: &[u8] = b"pv000000000000000000000000000000";

impl Nonce {
    /// Looks for it in what the server gets.
    fn learn(&mut self, sent: &[u8]) {
        if self.0.is_none()
            && let Some(at) = sent.windows(5).position(|window| window == b"('~pv")
        {
            let nonce = sent.get(at + 3..at + 3 + RECORDED_NONCE.len());
            self.0 = nonce.map(<[u8]>::to_vec);
        }
    }

    /// Puts it where a server would have had it, unless that is where a message has its header.
    fn put<'a>(&self, recorded: &'a [u8], is_header: &[bool]) -> Option<Cow<'a, [u8]>> {
        let mut bytes = Cow::Borrowed(recorded);
        if let Some(nonce) = &self.0 {
            for at in 0..recorded.len() {
                if recorded[at..].starts_with(RECORDED_NONCE) {
                    let places = at..at + nonce.len();
                    if is_header.get(places.clone())?.contains(&true) {
                        return None;
                    }
                    bytes.to_mut()[places].copy_from_slice(nonce);
                }
            }
        }
        Some(bytes)
    }
}

/// Where the headers of messages are in a stream.
#[derive(Default)]
struct Headers {
    /// As much of the next one as has come.
    begun: Vec<u8>,
    /// How many bytes of the body in front of it are to come.
    body: usize,
}

impl Headers {
    /// Which of the next bytes belong to one.
    fn among(&mut self, bytes: &[u8]) -> Vec<bool> {
        let is_header = |byte: &u8| {
            if self.body > 0 {
                self.body -= 1;
                return false;
            }
            self.begun.push(*byte);
            if let [_, a, b, c, d] = self.begun[..] {
                let length = u32::from_be_bytes([a, b, c, d]) as usize;
                self.body = length.saturating_sub(4);
                self.begun.clear();
            }
            true
        };
        bytes.iter().map(is_header).collect()
    }
}

/// A stream in which the data of a COPY are not cut into messages: the cuts between those are
/// nobody's promise.
fn joined(stream: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut messages: Vec<(u8, Vec<u8>)> = Vec::new();
    let mut rest = stream;
    while let [kind, a, b, c, d, body @ ..] = rest {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let (body, behind) = body.split_at(length.saturating_sub(4).min(body.len()));
        match messages.last_mut() {
            Some((b'd', data)) if *kind == b'd' => data.extend_from_slice(body),
            // Nothing of a COPY that has failed is stored.
            Some((b'd', _)) if *kind == b'f' => {
                messages.pop();
                messages.push((*kind, body.to_vec()));
            }
            _ => messages.push((*kind, body.to_vec())),
        }
        rest = behind;
    }
    messages.push((0, rest.to_vec()));
    messages
}
