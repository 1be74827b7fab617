//! From AuthenticationOk to the first ReadyForQuery that the client sees.

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;

use tracing::Span;

use super::bypass::{Asked, Bypass};
use super::catalog_view::CatalogView;
use super::fatal::Fatal;
use super::frame_cursor::FrameCursor;
use super::memory::{Account, Lease};
use super::moves::Mark;
use super::own_query::{Answer, Extent, Failure, OwnQuery, Way};
use super::pending_query::{BARE_ATTEMPT, MAX_ATTEMPTS};
use super::report;
use super::running::{Running, own_name};
use super::settings::Settings;
use super::shared::{Catalog, Earlier, Mode, Shared};
use super::stage::Stage;
use super::tap::{Tap, Watch};
use crate::catalog::{Reading, SearchPath, Temporary};
use crate::wire::Output;
use crate::wire::backend::{self, TransactionStatus};
use crate::wire::frame::{self, Header};
use crate::wire::report::Report;

/// The server tells its settings.
#[derive(Debug)]
pub(super) struct Startup {
    mode: Mode,
    settings: Settings,
}

impl Startup {
    pub(super) fn new(mode: Mode) -> Self {
        Self {
            mode,
            settings: Settings::default(),
        }
    }

    /// Passes everything before the first ReadyForQuery, which is taken.
    pub(super) fn server_bytes(
        &mut self,
        input: &mut BytesMut,
        to_client: &mut Output,
        lease: &mut Lease,
    ) -> Result<Option<Opening>, Fatal> {
        let mut front = FrameCursor::new(input, to_client, lease);
        while let Some((header, body)) = whole_message(&mut front)? {
            match header.kind {
                b'S' => {
                    let (name, value) = backend::parameter_status(body).map_err(Fatal::Server)?;
                    self.settings.take(name, value);
                    front.pass(header.total);
                }
                // BackendKeyData.
                b'K' => front.pass(header.total),
                b'N' | b'E' | b'A' if self.mode == Mode::Observe => front.pass(header.total),
                b'N' | b'E' => early_report(header, &mut front)?,
                // Nobody has asked for it but code that runs when a session begins.
                b'A' => front.skip(header.total),
                b'Z' => {
                    let status = TransactionStatus::decode(body).map_err(Fatal::Server)?;
                    front.skip(header.total);
                    return Ok(Some(Opening {
                        mode: self.mode,
                        settings: self.settings.clone(),
                        status,
                        server: None,
                        step: Step::NeedsCatalog,
                    }));
                }
                kind => return Err(Fatal::Unexpected(kind)),
            }
        }
        Ok(None)
    }
}

/// The first ReadyForQuery is held.
#[derive(Debug)]
pub(super) struct Opening {
    mode: Mode,
    settings: Settings,
    /// What the held ReadyForQuery tells.
    status: TransactionStatus,
    /// Which database of which server answers, if the snapshot to begin with was of another.
    server: Option<Arc<str>>,
    step: Step,
}

#[derive(Debug)]
enum Step {
    NeedsCatalog,
    /// The server is asked.
    Asking(Asking, OwnQuery),
    Done,
}

/// What the server is asked for: a snapshot of the database; if there is one, whether it is still
/// right, or only for the search path.
#[derive(Debug)]
struct Asking {
    earlier: Earlier,
    wanted: Wanted,
    attempt: u8,
    /// When it is, and how often the database may have changed by then.
    asked_at: (Duration, Mark),
}

impl Asking {
    /// Whether an answer is about another server's database than the snapshot to begin with.
    fn is_elsewhere(&self, answer: &Answer, identity: Option<&Arc<str>>) -> bool {
        let is_about_it = !matches!(answer, Answer::Catalog(_) | Answer::Failed(_));
        let earlier = self.earlier.here().filter(|_| is_about_it);
        earlier.is_some_and(|earlier| earlier.is_of_another(identity))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    SearchPath,
    Look,
    Snapshot(Extent),
}

impl Opening {
    pub(super) const fn needs_catalog(&self) -> bool {
        matches!(self.step, Step::NeedsCatalog)
    }

    /// Of which server's database the snapshot has to be, if the one to begin with was of another.
    pub(super) const fn server(&self) -> Option<&Arc<str>> {
        self.server.as_ref()
    }

    /// Whether these bytes of the server end the answer to the question for a snapshot of the
    /// database: putting it together takes its time.
    pub(super) fn is_heavy(&self, input: &[u8]) -> bool {
        let mut rest = input;
        while let Ok(Some(header)) = Header::from_server(rest)
            && let Some(behind) = rest.get(header.total..)
        {
            if header.kind == b'Z' {
                return matches!(&self.step, Step::Asking(_, question) if question.is_for_catalog());
            }
            rest = behind;
        }
        false
    }

    pub(super) fn use_catalog(
        &mut self,
        shared: &Shared,
        catalog: Arc<Catalog>,
        now: (Duration, Mark),
        server: &mut BytesMut,
    ) {
        if catalog.is_stale() {
            self.load_catalog(shared, Earlier::Here(catalog), now, server);
        } else if self.needs_catalog() {
            let earlier = Earlier::Here(catalog);
            self.begin(shared, earlier, (Wanted::SearchPath, now), server);
        }
    }

    pub(super) fn load_catalog(
        &mut self,
        shared: &Shared,
        earlier: Earlier,
        now: (Duration, Mark),
        server: &mut BytesMut,
    ) {
        if self.needs_catalog() {
            self.begin(shared, earlier, (Wanted::Look, now), server);
        }
    }

    fn begin(
        &mut self,
        shared: &Shared,
        earlier: Earlier,
        (wanted, asked_at): (Wanted, (Duration, Mark)),
        server: &mut BytesMut,
    ) {
        let asking = Asking {
            earlier,
            wanted,
            attempt: 1,
            asked_at,
        };
        self.ask(shared, asking, server);
    }

    fn ask(&mut self, shared: &Shared, asking: Asking, server: &mut BytesMut) {
        let name = own_name();
        let way = Way {
            name: &name,
            pooled: shared.limits.pooled,
            status: self.status,
            behind: false,
        };
        let earlier = asking.earlier.here();
        let version = earlier.and_then(|earlier| earlier.version());
        let interlude = match (asking.wanted, version) {
            (Wanted::SearchPath, _) => OwnQuery::search_path(way, server),
            (Wanted::Look, Some(version)) => OwnQuery::look(version, way, server),
            _ => {
                let loader = asking.earlier.remind(shared.loader());
                let known = earlier.and_then(|earlier| earlier.known());
                let extent = match asking.wanted {
                    Wanted::Snapshot(extent) => extent,
                    Wanted::SearchPath | Wanted::Look => Extent::Changes,
                };
                let reading = if asking.attempt >= BARE_ATTEMPT {
                    Reading::Nothing
                } else {
                    Reading::Free
                };
                OwnQuery::catalog(loader, known, (&reading, extent), way, server)
            }
        };
        self.step = Step::Asking(asking, interlude);
    }

    pub(super) fn server_bytes(
        &mut self,
        (shared, watch, span): (&Arc<Shared>, Option<&Watch>, &Span),
        now: (Duration, Mark),
        input: &mut BytesMut,
        (to_client, to_server): (&mut Output, &mut Output),
        lease: &mut Lease,
    ) -> Result<Option<Opened>, Fatal> {
        let mut front = FrameCursor::new(input, to_client, lease);
        while let Some((header, body)) = whole_message(&mut front)? {
            match header.kind {
                b'S' => {
                    let (name, value) = backend::parameter_status(body).map_err(Fatal::Server)?;
                    self.settings.take(name, value);
                    front.pass(header.total);
                    continue;
                }
                b'A' if self.mode == Mode::Observe => {
                    front.pass(header.total);
                    continue;
                }
                b'E' | b'N'
                    if self.mode == Mode::Observe && !matches!(self.step, Step::Asking(..)) =>
                {
                    front.pass(header.total);
                    continue;
                }
                b'A' => {
                    front.skip(header.total);
                    continue;
                }
                _ => {}
            }
            let Step::Asking(_, interlude) = &mut self.step else {
                // Nothing was asked, so nothing but the end of the connection can come.
                if header.kind == b'E' || header.kind == b'N' {
                    early_report(header, &mut front)?;
                    continue;
                }
                return Err(Fatal::Unexpected(header.kind));
            };
            let status = interlude.message(header.kind, body, to_server.buffer())?;
            front.skip(header.total);
            let account = front.lease().account.clone();
            if status.is_none() {
                continue;
            }
            let opened = match self.answered(shared, now, to_server.buffer()) {
                Ok(None) => continue,
                Ok(Some(found)) if self.mode == Mode::Observe => {
                    let asked = found.publishes.then(|| Arc::clone(&found.catalog));
                    let watch = watch.map(|watch| (watch, span));
                    let tap = watch.and_then(|watch| found.tap(shared, watch, &self.settings));
                    let asked = asked.map(Asked::Loaded);
                    Opened::Observed(Bypass::observed(self.status, tap, asked))
                }
                Ok(Some(found)) => {
                    let settings = self.settings.clone();
                    Opened::Running(Box::new(
                        found.running(shared, self.mode, settings, account),
                    ))
                }
                // It goes on as if nobody looked.
                Err(_) if self.mode == Mode::Observe => {
                    Opened::Observed(Bypass::observed(self.status, None, Some(Asked::Failed)))
                }
                Err(fatal) => return Err(fatal),
            };
            self.status.encode(front.built());
            return Ok(Some(opened));
        }
        Ok(None)
    }

    /// The address leads to more servers than one, and the snapshot to begin with is of another one:
    /// wants one of this.
    fn turn_to(
        &mut self,
        identity: Option<Arc<str>>,
        next: Asking,
        shared: &Shared,
        server: &mut BytesMut,
    ) {
        if self.server.is_none() {
            (self.server, self.step) = (identity, Step::NeedsCatalog);
            return;
        }
        let asking = Asking {
            earlier: next.earlier.elsewhere(),
            wanted: Wanted::Snapshot(Extent::All),
            ..next
        };
        self.ask(shared, asking, server);
    }

    /// Takes an answer, and asks on if that is needed.
    fn answered(
        &mut self,
        shared: &Arc<Shared>,
        now: (Duration, Mark),
        server: &mut BytesMut,
    ) -> Result<Option<Found>, Fatal> {
        let Step::Asking(asking, interlude) = std::mem::replace(&mut self.step, Step::Done) else {
            return Err(Fatal::Unexpected(b'Z'));
        };
        shared.reach(Stage::Catalog);
        let (path, identity) = (interlude.path(), interlude.identity());
        let answer = interlude.finish();
        let elsewhere = asking.is_elsewhere(&answer, identity.as_ref());
        let is_news = matches!(answer, Answer::Catalog(_) | Answer::Verified(_));
        let earlier = asking.earlier.here().cloned();
        let (asked_at, looked) = (asking.asked_at, asking.wanted != Wanted::SearchPath);
        let next = Asking {
            attempt: asking.attempt + 1,
            asked_at: now,
            ..asking
        };
        if elsewhere {
            self.turn_to(identity, next, shared, server);
            return Ok(None);
        }
        let (catalog, temporary) = match (answer, earlier) {
            (Answer::Catalog(loaded), _) => {
                let catalog = shared.numbered(loaded.snapshot, loaded.fingerprint, asked_at.0);
                catalog.set_known(loaded.version, loaded.told);
                (catalog, loaded.temporary)
            }
            (Answer::Verified(version), Some(catalog)) => {
                catalog.set_version(version);
                (catalog, Temporary::default())
            }
            (Answer::SearchPath, Some(catalog)) => (catalog, Temporary::default()),
            (Answer::Outdated(extent), _) => {
                let wanted = Wanted::Snapshot(extent);
                let attempt = next.attempt - 1;
                let asking = Asking {
                    wanted,
                    attempt,
                    ..next
                };
                self.ask(shared, asking, server);
                return Ok(None);
            }
            (Answer::Failed(failure), _) if next.attempt <= MAX_ATTEMPTS => {
                let unfit = matches!(failure, Failure::Unfit(_));
                let wanted = match next.wanted {
                    // Without what it does not fit together with.
                    Wanted::Look | Wanted::Snapshot(_) if unfit => Wanted::Snapshot(Extent::All),
                    wanted => wanted,
                };
                self.ask(shared, Asking { wanted, ..next }, server);
                return Ok(None);
            }
            // It goes on with what is known.
            (Answer::Failed(_), Some(catalog)) => {
                if next.wanted != Wanted::SearchPath {
                    catalog.mark_stale();
                }
                (catalog, Temporary::default())
            }
            (Answer::Failed(failure), None) => return Err(failure.into()),
            (Answer::Verified(_) | Answer::SearchPath, None) => {
                return Err(Failure::Refused("02000".to_owned()).into());
            }
        };
        if is_news {
            catalog.verify(asked_at);
        }
        Ok(Some(Found {
            catalog,
            temporary,
            path: (path, asked_at),
            // Also what is no news: others wait for the end of the look.
            publishes: looked,
        }))
    }
}

/// What a session has become.
#[derive(Debug)]
pub(super) enum Opened {
    /// It takes statements.
    Running(Box<Running>),
    /// Everything passes.
    Observed(Bypass),
}

/// What the server has told.
struct Found {
    catalog: Arc<Catalog>,
    temporary: Temporary,
    /// What the search path is, and when it was asked for.
    path: (Option<SearchPath>, (Duration, Mark)),
    publishes: bool,
}

impl Found {
    fn running(
        self,
        shared: &Arc<Shared>,
        mode: Mode,
        settings: Settings,
        account: Account,
    ) -> Running {
        let catalog_view = CatalogView::new(shared, Arc::clone(&self.catalog), self.temporary);
        let shared = Arc::clone(shared);
        let mut running = Running::new(shared, mode, settings, catalog_view, self.path, account);
        if self.publishes {
            running.publish(self.catalog);
        }
        running
    }

    /// What is seen of the session; `None` where names can't be found without a path.
    fn tap(self, shared: &Arc<Shared>, watch: (&Watch, &Span), settings: &Settings) -> Option<Tap> {
        let standing = (self.path.0?, settings.clone());
        Some(Tap::new(shared, watch, self.catalog, standing))
    }
}

/// ErrorResponse and NoticeResponse before the database is known.
fn early_report(header: Header, front: &mut FrameCursor<'_>) -> Result<(), Fatal> {
    let frame = front.take(header.total);
    let body = frame::body(&frame, header).map_err(Fatal::Server)?;
    let report = Report::decode(body).map_err(Fatal::Server)?;
    report::rewrite_early(&report, |report| {
        report.encode(header.kind, front.built());
    });
    Ok(())
}

/// The message at the front, if it is complete.
fn whole_message<'f>(front: &'f mut FrameCursor<'_>) -> Result<Option<(Header, &'f [u8])>, Fatal> {
    let Some(header) = Header::from_server(front.rest()).map_err(Fatal::Server)? else {
        return Ok(None);
    };
    if front.rest().len() < header.total {
        front.grow(header.total)?;
        return Ok(None);
    }
    let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
    Ok(Some((header, body)))
}
