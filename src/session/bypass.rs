//! A session inside the trust boundary, or one that is only observed: everything passes as it is. Only as much is looked at as
//! it takes to know when nothing is under way, and when definitions may change by which the other
//! sessions judge.

use std::sync::Arc;

use bytes::BytesMut;

use super::fatal::Fatal;
use super::front::Front;
use super::memory::Lease;
use super::moves::{Moves, Moving};
use super::running::Streaming;
use super::shared::Catalog;
use super::tap::Tap;
use crate::audit::{Activity, Doing};
use crate::wire::backend::{self, TransactionStatus};
use crate::wire::frame::{self, FrameLimits, HEADER_BYTES, Header};
use crate::wire::{Output, WireError};

/// The session.
#[derive(Debug, Default)]
pub(super) struct Bypass {
    /// How many ReadyForQuery are owed, as far as that can be told from outside: a Sync during
    /// COPY gets none. Only draining depends on it.
    owed: usize,
    /// The server has taken data of COPY since then: a Sync among them gets no answer.
    copied: bool,
    status: TransactionStatus,
    from_client: Streaming,
    from_server: Streaming,
    /// What may change definitions has been sent and not been answered.
    moving: Option<Moving>,
    /// The open transaction may have changed definitions.
    unsettled: bool,
    /// A statement that may do so has been prepared.
    prepared: bool,
    /// Present if somebody judges what passes.
    tap: Option<Box<Tap>>,
    /// What has become of the question for a picture of the database, until others are told.
    asked: Option<Asked>,
    activity: Arc<Activity>,
}

/// What has become of a question on which others may wait.
#[derive(Debug)]
pub(super) enum Asked {
    /// There is a picture.
    Loaded(Arc<Catalog>),
    /// There is none.
    Failed,
}

/// The words of statements that change definitions, or by rights on schemas what names mean, or run
/// code that may, beside `DO`.
const DEFINING: [&str; 10] = [
    "alter", "call", "create", "drop", "execute", "grant", "import", "into", "reassign", "revoke",
];

/// Whether a message may change definitions: one of its words says so, or not all of it is there.
fn may_define(header: Header, rest: &[u8]) -> bool {
    match rest.get(HEADER_BYTES..header.total) {
        Some(body) => names_a_definition(body),
        None => true,
    }
}

/// Whether one of the words in a body says that definitions may change. `INSERT INTO`, `MERGE INTO`
/// and `ON CONFLICT DO` change none; the two words have nothing but blanks between them then.
fn names_a_definition(body: &[u8]) -> bool {
    let is = |word: &[u8], known: &[&str]| {
        let mut known = known.iter();
        known.any(|known| known.as_bytes().eq_ignore_ascii_case(word))
    };
    let (mut at, mut before, mut end): (usize, &[u8], usize) = (0, b"", 0);
    for word in body.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_') {
        let start = at;
        at += word.len() + 1;
        if word.is_empty() {
            continue;
        }
        let between = body.get(end..start).unwrap_or_default();
        let follows = between.iter().all(u8::is_ascii_whitespace);
        let writes = follows && is(word, &["into"]) && is(before, &["insert", "merge"]);
        let resolves = follows && is(word, &["nothing", "update"]);
        if is(before, &["do"]) && !resolves || is(word, &DEFINING) && !writes {
            return true;
        }
        (before, end) = (word, start + word.len());
    }
    is(before, &["do"])
}

impl Bypass {
    /// Starts in wait of the first ReadyForQuery.
    pub(super) fn new() -> Self {
        Self {
            owed: 1,
            ..Self::default()
        }
    }

    /// Says who watches the session.
    pub(super) fn counting(mut self, activity: &Arc<Activity>) -> Self {
        self.activity = Arc::clone(activity);
        self
    }

    /// Starts behind the first ReadyForQuery, which told this.
    pub(super) fn observed(
        status: TransactionStatus,
        tap: Option<Tap>,
        asked: Option<Asked>,
    ) -> Self {
        Self {
            status,
            tap: tap.map(Box::new),
            asked,
            ..Self::default()
        }
    }

    /// A picture of the database that this session has loaded and that others may use, once.
    pub(super) fn take_loaded(&mut self) -> Option<Arc<Catalog>> {
        match self
            .asked
            .take_if(|asked| matches!(asked, Asked::Loaded(_)))?
        {
            Asked::Loaded(catalog) => Some(catalog),
            Asked::Failed => None,
        }
    }

    /// Whether it has given up to load one, once.
    pub(super) fn take_failed(&mut self) -> bool {
        let failed = self.asked.take_if(|asked| matches!(asked, Asked::Failed));
        failed.is_some()
    }

    /// Judges by this picture of the database.
    pub(super) fn use_catalog(&mut self, catalog: Arc<Catalog>) {
        if let Some(tap) = &mut self.tap {
            tap.use_catalog(catalog);
        }
    }

    /// What it shows of itself.
    pub(super) fn doing(&self) -> Doing {
        match self.owed {
            0 => super::between(self.status),
            _ => Doing::Active,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.owed == 0 && self.status == TransactionStatus::Idle
    }

    /// Whether the client has got only a part of a frame.
    pub(super) fn is_inside_a_frame(&self) -> bool {
        self.from_server != Streaming::Nothing
    }

    pub(super) fn client_bytes(
        &mut self,
        (limits, moves): (FrameLimits, &Arc<Moves>),
        input: &mut BytesMut,
        to_server: &mut Output,
        lease: &mut Lease,
    ) -> Result<(), Fatal> {
        let mut front = Front::new(input, to_server, lease);
        while self.from_client.advance(&mut front) {
            let header = match Header::from_client(front.rest(), limits) {
                Ok(Some(header)) => header,
                Ok(None) => break,
                // The server ends the connection for it, once it has answered the others.
                Err(WireError::Type(_)) => {
                    self.owed += 1;
                    self.from_client = Streaming::Passing(usize::MAX);
                    continue;
                }
                Err(error) => return Err(Fatal::Client(error)),
            };
            if let Some(tap) = &mut self.tap {
                let is_whole = front.rest().len() >= header.total;
                // The server can do nothing with a part of it either.
                if !is_whole && Tap::wants_whole(header) && front.grow(header.total).is_ok() {
                    break;
                }
                tap.see(header, front.rest());
            }
            self.foresee(header, front.rest(), moves);
            if matches!(header.kind, b'Q' | b'E' | b'F') {
                self.activity.statements.add(1);
            }
            if matches!(header.kind, b'Q' | b'S' | b'F') {
                self.owed += 1;
            }
            self.from_client = Streaming::Passing(header.total);
        }
        Ok(())
    }

    /// Tells the other sessions of a message that may change definitions.
    fn foresee(&mut self, header: Header, rest: &[u8], moves: &Arc<Moves>) {
        let runs = matches!(header.kind, b'Q' | b'E' | b'F');
        let moving = match header.kind {
            b'Q' | b'P' => may_define(header, rest),
            b'E' => self.prepared,
            b'F' => true,
            _ => false,
        };
        self.prepared |= moving && header.kind == b'P';
        if (moving || runs && self.unsettled) && self.moving.is_none() {
            self.moving = Some(Moving::begin(moves));
        }
    }

    /// Everything is answered.
    fn settle(&mut self) {
        let open = self.status != TransactionStatus::Idle;
        self.unsettled = open && (self.unsettled || self.moving.is_some());
        self.moving = None;
    }

    pub(super) fn server_bytes(
        &mut self,
        input: &mut BytesMut,
        to_client: &mut Output,
        lease: &mut Lease,
    ) -> Result<(), Fatal> {
        let mut front = Front::new(input, to_client, lease);
        while self.from_server.advance(&mut front) {
            let header = Header::from_server(front.rest()).map_err(Fatal::Server)?;
            let Some(header) = header else { break };
            self.copied |= header.kind == b'G';
            if header.kind == b'S'
                && let Some(tap) = &mut self.tap
            {
                let is_whole = front.rest().len() >= header.total;
                if !is_whole && front.grow(header.total).is_ok() {
                    break;
                }
                // Without memory for it, it passes unseen.
                let told = frame::body(front.rest(), header).and_then(backend::parameter_status);
                if let Ok((name, value)) = told {
                    tap.setting(name, value);
                }
            }
            if header.kind == b'Z' {
                let Some(&status) = front.rest().get(5) else {
                    break;
                };
                self.status = TransactionStatus::decode(&[status]).map_err(Fatal::Server)?;
                self.owed = self.owed.saturating_sub(1);
                let is_last = front.rest().len() == header.total;
                let is_quiet = self.status == TransactionStatus::Idle && self.moving.is_none();
                if self.copied && is_quiet && is_last {
                    // The last answer of all that came: what was counted too much is forgotten, but
                    // not a change that may be under way behind it.
                    self.copied = false;
                    self.owed = 0;
                }
                if self.owed == 0 {
                    self.settle();
                }
            }
            self.from_server = Streaming::Passing(header.total);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::names_a_definition;

    #[test]
    fn what_writes_rows_defines_nothing() {
        for text in [
            "select 1",
            "insert into users values (1)",
            "INSERT\n INTO users (id) VALUES (1) ON CONFLICT (id) DO NOTHING",
            "insert into users values (1) on conflict do update set name = 'x'",
            "merge into users u using more m on u.id = m.id when matched then do nothing",
            "update users set name = 'y'",
        ] {
            assert!(!names_a_definition(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_may_define_or_run_code_does() {
        for text in [
            "create view v as select 1",
            "do $$ begin end $$",
            "do 'update x'",
            "do",
            "do/**/nothing",
            "select 1 into t",
            "select 'insert', 1 into t",
            "insert/**/into t values (1)",
            "insert into t values (1); drop table t",
            "insert into t values (1) on conflict do nothing; do $$ begin end $$",
            "execute p",
            "with a as (insert into t values (1) returning 1) select * into u from a",
        ] {
            assert!(names_a_definition(text.as_bytes()), "{text}");
        }
    }
}
