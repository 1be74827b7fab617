//! What a session under `observe` shows of itself: copies of its texts, and how often each prepared
//! statement is run. Nothing that passes waits for it or is changed.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use tracing::Span;

use super::observer::{Calls, Observations, Seat, Sent};
use super::settings::Settings;
use super::shared::{Catalog, Shared};
use crate::catalog::SearchPath;
use crate::wire::Reader;
use crate::wire::frame::{self, HEADER_BYTES, Header};
use crate::wire::frontend::{Parse, Query};

/// A longer message is not looked at.
const MOST_SEEN_BYTES: usize = 64 * 1024;

/// Whether a text ends all prepared statements, as pools do.
fn frees_all(text: &[u8]) -> bool {
    const TEXTS: [&[u8]; 2] = [b"discard all", b"deallocate all"];
    let text = text.trim_ascii();
    let text = text.strip_suffix(b";").unwrap_or(text).trim_ascii();
    TEXTS.iter().any(|known| text.eq_ignore_ascii_case(known))
}

/// Where a session shows what it is sent, and the name of its database, escaped.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    pub(super) observations: Arc<Observations>,
    pub(super) database: Arc<str>,
}

/// What is seen of one session.
#[derive(Debug)]
pub(super) struct Tap {
    shared: Arc<Shared>,
    observations: Arc<Observations>,
    seat: Arc<Seat>,
    catalog: Arc<Catalog>,
    settings: Arc<Settings>,
    /// The prepared statements by the hash of their name.
    statements: HashMap<u64, Arc<Calls>>,
    hasher: RandomState,
}

impl Tap {
    pub(super) fn new(
        shared: &Arc<Shared>,
        (watch, span): (&Watch, &Span),
        catalog: Arc<Catalog>,
        (path, settings): (SearchPath, Settings),
    ) -> Self {
        Self {
            seat: Arc::new(Seat::new(shared, Arc::clone(&watch.database), span, path)),
            observations: Arc::clone(&watch.observations),
            shared: Arc::clone(shared),
            catalog,
            settings: Arc::new(settings),
            statements: HashMap::default(),
            hasher: RandomState::new(),
        }
    }

    pub(super) fn use_catalog(&mut self, catalog: Arc<Catalog>) {
        self.catalog = catalog;
    }

    /// Whether a message of the client has to be there as a whole to be seen.
    pub(super) const fn wants_whole(header: Header) -> bool {
        matches!(header.kind, b'Q' | b'P' | b'B' | b'C') && header.total <= MOST_SEEN_BYTES
    }

    /// Looks at a message of the client that is about to pass.
    pub(super) fn see(&mut self, header: Header, rest: &[u8]) {
        if !matches!(header.kind, b'Q' | b'P' | b'B' | b'C') {
            return;
        }
        if header.kind == b'B' {
            // The names come first.
            return self.run(rest.get(HEADER_BYTES..).unwrap_or_default());
        }
        let Ok(body) = frame::body(rest, header) else {
            return self.drop_one();
        };
        match header.kind {
            b'Q' => {
                if let Ok(query) = Query::decode(body) {
                    self.send(query.text, &[], None);
                }
            }
            b'P' => {
                if let Ok(parse) = Parse::decode(body) {
                    self.prepare(&parse);
                }
            }
            _ => {
                if let Some(name) = body.strip_prefix(b"S") {
                    let name = name.strip_suffix(b"\0").unwrap_or(name);
                    self.statements.remove(&self.hasher.hash_one(name));
                }
            }
        }
    }

    fn prepare(&mut self, parse: &Parse<'_>) {
        let calls = Arc::new(Calls::default());
        let declared = parse.declared.as_bytes();
        let name = self.hasher.hash_one(parse.name);
        if !self.send(parse.text, declared, Some(Arc::clone(&calls))) {
            self.statements.remove(&name);
            return;
        }
        let has_room = self.statements.len() < self.shared.limits.statements;
        if let Some(known) = self.statements.get_mut(&name) {
            *known = calls;
        } else if has_room {
            self.statements.insert(name, calls);
        }
    }

    /// Counts a Bind.
    fn run(&self, body: &[u8]) {
        let mut reader = Reader::new(body);
        let names = reader.string().and_then(|_| reader.string());
        let name = names.map(|name| self.hasher.hash_one(name));
        match name.ok().and_then(|name| self.statements.get(&name)) {
            Some(calls) => calls.add(),
            None => self.drop_one(),
        }
    }

    fn send(&mut self, text: &[u8], declared: &[u8], calls: Option<Arc<Calls>>) -> bool {
        if frees_all(text) {
            self.statements.clear();
        }
        let sent = Sent {
            seat: Arc::clone(&self.seat),
            catalog: Arc::clone(&self.catalog),
            settings: Arc::clone(&self.settings),
            text: text.into(),
            declared: declared.into(),
            calls,
        };
        let is_taken = self.observations.push(sent);
        if !is_taken {
            self.drop_one();
        }
        is_taken
    }

    fn drop_one(&self) {
        self.shared.counters.observed.dropped.add(1);
    }

    /// Takes a ParameterStatus of the server.
    pub(super) fn setting(&mut self, name: &[u8], value: &[u8]) {
        let mut settings = (*self.settings).clone();
        if settings.take(name, value) {
            self.settings = Arc::new(settings);
        }
    }
}
