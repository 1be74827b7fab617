//! What would become of statements that pass untouched: sessions under `observe` leave copies of
//! them in a queue of bounded size, and somebody on a thread of its own judges them there. Where the
//! queue is full, what comes is not judged; nothing that is forwarded ever waits.
//!
//! The picture of the database is that of the last session that has begun, and the search path is what
//! the session's own statements make of it. Temporary relations nobody has looked for.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tracing::Span;

use super::edit::named;
use super::plans::{Analysis, Circumstances, Hashed, Lookup};
use super::settings::Settings;
use super::shared::{Catalog, Epoch, Mode, Shared};
use super::teller::Teller;
use crate::audit::{Need, Seen, Statement};
use crate::catalog::SearchPath;
use crate::sql::plan::Paths;
use crate::sql::{self, Refusal, Verdict};

/// So much may wait to be judged, in bytes.
const MOST_QUEUED_BYTES: usize = 4 << 20;

/// What a statement in the queue takes beside its text.
const OVERHEAD_BYTES: usize = 256;

/// For so many analyses it is remembered what was made of them.
const MOST_KNOWN: usize = 4096;

/// What a statement is called of which no shape can be told.
const NO_SHAPE: &str = "(not shown)";

/// The queue of those that wait to be judged.
#[derive(Debug, Default)]
pub struct Observations {
    queue: Mutex<VecDeque<Sent>>,
    bytes: AtomicUsize,
}

/// A text that a client has sent, with what it depends on.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) seat: Arc<Seat>,
    pub(super) catalog: Arc<Catalog>,
    pub(super) settings: Arc<Settings>,
    pub(super) text: Box<[u8]>,
    pub(super) declared: Box<[u8]>,
    /// Counts how often it is run; `None` if it is run as it comes.
    pub(super) calls: Option<Arc<Calls>>,
}

/// A session that is observed.
#[derive(Debug)]
pub(super) struct Seat {
    database: Arc<str>,
    teller: Teller,
    standing: Mutex<Standing>,
}

/// What its next statement is judged under.
#[derive(Debug)]
struct Standing {
    paths: Paths,
    circumstances: Option<(Epoch, Arc<Settings>, Hashed)>,
}

/// How often a prepared statement was run: counted at its row, once it has one.
#[derive(Debug, Default)]
pub(super) struct Calls {
    row: OnceLock<Option<Arc<Seen>>>,
    early: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observations {
    /// Takes a statement, if there is room for it.
    pub(super) fn push(&self, sent: Sent) -> bool {
        let bytes = sent.bytes();
        let more = |queued: usize| {
            let queued = queued + bytes;
            (queued <= MOST_QUEUED_BYTES).then_some(queued)
        };
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        let has_room = self.bytes.fetch_update(set, fetch, more).is_ok();
        if has_room {
            lock(&self.queue).push_back(sent);
        }
        has_room
    }

    fn pop(&self) -> Option<Sent> {
        let sent = lock(&self.queue).pop_front()?;
        self.bytes.fetch_sub(sent.bytes(), Ordering::Relaxed);
        Some(sent)
    }
}

impl Sent {
    fn bytes(&self) -> usize {
        OVERHEAD_BYTES + self.text.len() + self.declared.len()
    }
}

impl Calls {
    /// Counts one.
    pub(super) fn add(&self) {
        match self.row.get() {
            Some(row) => count(row.as_ref(), 1),
            None => {
                self.early.fetch_add(1, Ordering::Relaxed);
                // It may have come about meanwhile.
                if let Some(row) = self.row.get() {
                    self.bring(row.as_ref());
                }
            }
        }
    }

    fn settle(&self, row: Option<Arc<Seen>>) {
        let row = self.row.get_or_init(|| row);
        self.bring(row.as_ref());
    }

    fn bring(&self, row: Option<&Arc<Seen>>) {
        count(row, self.early.swap(0, Ordering::Relaxed));
    }
}

fn count(row: Option<&Arc<Seen>>, number: u64) {
    if let (Some(row), 1..) = (row, number) {
        row.calls.add(number);
    }
}

impl Seat {
    pub(super) fn new(shared: &Shared, database: Arc<str>, span: &Span, path: SearchPath) -> Self {
        let mut teller = Teller::new(shared);
        teller.speak_in(span);
        Self {
            database,
            teller,
            standing: Mutex::new(Standing {
                paths: Paths::settled(Some(path)),
                circumstances: None,
            }),
        }
    }
}

impl Standing {
    /// What a text is judged under.
    fn circumstances(&mut self, sent: &Sent) -> Hashed {
        let (epoch, settings) = (sent.catalog.epoch, &sent.settings);
        if let Some((known, of, hashed)) = &self.circumstances
            && *known == epoch
            && Arc::ptr_eq(of, settings)
        {
            return hashed.clone();
        }
        let paths = &self.paths;
        let hashed = Hashed::new(Circumstances {
            epoch,
            path: paths.now.clone(),
            paths: (!paths.are_settled() && *paths != Paths::default()).then(|| paths.clone()),
            standard_conforming_strings: settings.standard_conforming_strings,
            client_encoding: settings.client_encoding.clone(),
            made: false,
            unseen: false,
            unsettled: false,
        });
        self.circumstances = Some((epoch, Arc::clone(settings), hashed.clone()));
        hashed
    }

    /// Takes what the statements of a text change.
    fn follow(&mut self, analysis: &Analysis) {
        for statement in &analysis.script.statements {
            if let Verdict::Forward(plan) = &statement.verdict {
                let before = self.paths.clone();
                self.paths.change(&plan.effect.search_path);
                if self.paths != before {
                    self.circumstances = None;
                }
            }
        }
    }
}

/// Judges what is in a queue.
#[derive(Debug, Default)]
pub struct Observer {
    /// By the place of the analysis in memory, which is kept for that.
    known: HashMap<(usize, Arc<str>), Known>,
}

/// An analysis with the row of its text, if that has one.
type Known = (Arc<Analysis>, Option<Arc<Seen>>);

impl Observer {
    /// Judges all that is there of the sessions of a [`Shared`].
    pub fn turn(&mut self, shared: &Shared, observations: &Observations) {
        while let Some(sent) = observations.pop() {
            self.judge(shared, &sent);
        }
    }

    fn judge(&mut self, shared: &Shared, sent: &Sent) {
        let mut standing = lock(&sent.seat.standing);
        let circumstances = standing.circumstances(sent);
        let is_known = standing.paths.now.is_some();
        let analysis = analysis(shared, sent, &circumstances);
        standing.follow(&analysis);
        drop(standing);
        if !is_known {
            // Only the server knows what the names in it mean.
            shared.counters.observed.unjudged.add(1);
            return;
        }
        let row = self.row(shared, sent, &analysis);
        match &sent.calls {
            Some(calls) => calls.settle(row),
            None => count(row.as_ref(), 1),
        }
    }

    /// The row of an analysed text, and a word to the trail if it would be refused.
    fn row(&mut self, shared: &Shared, sent: &Sent, analysis: &Arc<Analysis>) -> Option<Arc<Seen>> {
        let refused = first_refusal(analysis);
        let place = (
            Arc::as_ptr(analysis).addr(),
            Arc::clone(&sent.seat.database),
        );
        if let (Some((_, row)), None) = (self.known.get(&place), refused) {
            return row.clone();
        }
        let statement = named(&sent.text).unwrap_or_else(|| Statement::new(NO_SHAPE));
        let need = refused.map(|refusal| {
            let text = str::from_utf8(&sent.text).unwrap_or_default();
            Need {
                code: refusal.code.as_str(),
                sqlstate: refusal.sqlstate,
                remedy: sql::remedy(refusal, text).map(str::to_owned),
            }
        });
        let domains = || domains(shared, analysis);
        let observed = &shared.counters.observed;
        let row = observed.row(&sent.seat.database, &statement, need, domains);
        if row.is_none() {
            observed.beyond.add(1);
        }
        if let Some(refusal) = refused {
            let about = (Some(statement), position(refusal, &sent.text));
            let teller = &sent.seat.teller;
            teller.refused_at(Mode::Observe, refusal, true, about);
        } else {
            if self.known.len() >= MOST_KNOWN {
                self.known.clear();
            }
            let known = (Arc::clone(analysis), row.clone());
            self.known.insert(place, known);
        }
        row
    }
}

fn analysis(shared: &Shared, sent: &Sent, circumstances: &Hashed) -> Arc<Analysis> {
    let lookup = |fresh| Lookup {
        circumstances,
        text: &sent.text,
        declared: &sent.declared,
        fresh,
    };
    let analysis = shared.analysis(&sent.catalog, lookup(false));
    match &analysis.script.unknown_name {
        // Nobody looks for it: it is taken for one that does not exist.
        Some(_) => shared.analysis(&sent.catalog, lookup(true)),
        None => analysis,
    }
}

fn first_refusal(analysis: &Analysis) -> Option<&Refusal> {
    let mut statements = analysis.script.statements.iter();
    statements.find_map(|statement| match &statement.verdict {
        Verdict::Refuse(refusal) => Some(refusal),
        Verdict::Forward(_) => None,
    })
}

/// The place of a refusal in its text, in characters from 1.
fn position(refusal: &Refusal, text: &[u8]) -> Option<usize> {
    let before = text.get(..refusal.span.as_ref()?.start)?;
    Some(str::from_utf8(before).ok()?.chars().count() + 1)
}

/// The names of the domains whose ids the statements carry.
fn domains(shared: &Shared, analysis: &Analysis) -> Vec<String> {
    let mut found = BTreeSet::new();
    for statement in &analysis.script.statements {
        if let Verdict::Forward(plan) = &statement.verdict {
            plan.add_domains(&mut found);
        }
    }
    let name = |domain: crate::catalog::DomainId| {
        let annotation = shared.annotations.get(usize::from(domain.0))?;
        Some(annotation.name.clone())
    };
    found.into_iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::catalog::Snapshot;
    use crate::session::{Analyse, Limits};

    fn shared() -> (Shared, Observations) {
        let shared = Shared::new([], Limits::default(), Analyse::default(), |_| ());
        (shared, Observations::default())
    }

    /// Sends texts of one session; gives the calls of those that are prepared.
    fn send(
        (shared, observations): &(Shared, Observations),
        texts: &[&str],
        prepared: bool,
    ) -> Vec<Arc<Calls>> {
        let path = SearchPath::new(vec!["public".to_owned()]);
        let seat = Seat::new(shared, Arc::from("shop"), &Span::none(), path);
        let seat = Arc::new(seat);
        let catalog = shared.number_at(Snapshot::default(), Duration::ZERO);
        let settings = Arc::new(Settings::default());
        let send = |text: &&str| {
            let calls = Arc::new(Calls::default());
            let sent = Sent {
                seat: Arc::clone(&seat),
                catalog: Arc::clone(&catalog),
                settings: Arc::clone(&settings),
                text: text.as_bytes().into(),
                declared: [].into(),
                calls: prepared.then(|| Arc::clone(&calls)),
            };
            observations.push(sent).then_some(calls)
        };
        texts.iter().filter_map(send).collect()
    }

    #[test]
    fn calls_are_counted_by_shape_before_and_after_the_judgement() {
        let both = shared();
        let mut observer = Observer::default();
        send(&both, &["select 1", "select 2", "select 'x' || 3"], false);
        let calls = send(&both, &["select $1"], true);
        calls[0].add();
        observer.turn(&both.0, &both.1);
        calls[0].add();
        calls[0].add();
        let rows = both.0.counters.observed.rows();
        let rows: Vec<_> = rows
            .iter()
            .map(|row| (row.statement.shape(), row.calls.get()))
            .collect();
        assert_eq!(
            rows,
            [("select $1", 3), ("select ?", 2), ("select ? || ?", 1)]
        );
    }

    #[test]
    fn the_queue_has_a_bound_in_bytes() {
        let both = shared();
        let text = format!("select '{}'", "x".repeat(100_000));
        let texts = vec![text.as_str(); 100];
        let taken = send(&both, &texts, false).len();
        assert!((30..=41).contains(&taken), "{taken}");
        Observer::default().turn(&both.0, &both.1);
        assert_eq!(both.1.bytes.load(Ordering::Relaxed), 0);
        assert_eq!(send(&both, &texts, false).len(), taken);
    }

    #[test]
    fn what_follows_a_path_that_only_the_server_knows_is_not_judged() {
        let both = shared();
        let texts = [
            "select 1",
            "select set_config(x, 'other', false) from t",
            "select 2",
            "rollback",
        ];
        send(&both, &texts, false);
        Observer::default().turn(&both.0, &both.1);
        let observed = &both.0.counters.observed;
        assert!(observed.unjudged.get() >= 1);
    }
}
