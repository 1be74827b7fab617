//! What would become of statements that pass untouched: sessions under `observe` leave copies of
//! them in a queue of bounded size, and somebody on a thread of its own judges them there. Where the
//! queue is full, what comes is not judged; nothing that is forwarded ever waits.
//!
//! The snapshot of the database is that of the last session that has begun, and the search path is what
//! the session's own statements make of it. Temporary relations nobody has looked for.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::{BuildHasher as _, RandomState};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tracing::Span;

use super::edit::named;
use super::plans::{Analysis, Circumstances, Hashed, Lookup};
use super::settings::Settings;
use super::shared::{Catalog, Epoch, Mode, Shared};
use super::teller::Teller;
use crate::audit::{Counters, Event, Need, Seen, Statement, without_values};
use crate::catalog::SearchPath;
use crate::sql::plan::{PathChange, Paths};
use crate::sql::{self, Refusal, Verdict};

/// So much may wait to be judged, in bytes.
const MOST_QUEUED_BYTES: usize = 4 << 20;

/// What a statement in the queue takes beside its text.
const OVERHEAD_BYTES: usize = 256;

/// Of so many sketches it is remembered what becomes of their texts.
const MOST_HABITS: usize = 4096;

/// So many texts of a sketch are judged, and if all come to the same, one in so many after that.
const SETTLED: u32 = 8;
const ONE_IN: u32 = 16;

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

/// How often a prepared statement was run: counted once it is known where.
#[derive(Debug, Default)]
pub(super) struct Calls {
    fate: OnceLock<Fate>,
    early: AtomicU64,
}

/// What has become of a statement, and so where it is counted.
#[derive(Debug)]
enum Fate {
    /// It has a row.
    Row(Arc<Seen>),
    /// Only the server knows what the names in it mean.
    Unjudged(Arc<Counters>),
    /// There is no room for a row.
    Beyond(Arc<Counters>),
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
        match self.fate.get() {
            Some(fate) => fate.count(1),
            None => {
                self.early.fetch_add(1, Ordering::Relaxed);
                // It may have come about meanwhile.
                if let Some(fate) = self.fate.get() {
                    self.bring(fate);
                }
            }
        }
    }

    fn settle(&self, fate: Fate) {
        self.bring(self.fate.get_or_init(|| fate));
    }

    fn bring(&self, fate: &Fate) {
        fate.count(self.early.swap(0, Ordering::Relaxed));
    }
}

impl Fate {
    fn count(&self, number: u64) {
        match self {
            Self::Row(row) => row.calls.add(number),
            Self::Unjudged(counters) => counters.observed.unjudged.add(number),
            Self::Beyond(counters) => counters.observed.beyond.add(number),
        }
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
            fronted: false,
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
///
/// Most of what applications send differs from what they have sent before in numbers and strings
/// only. What has come to the same again and again is not judged each time.
#[derive(Debug, Default)]
pub struct Observer {
    /// What becomes of texts that are ready, by the hash of their sketch.
    habits: HashMap<u64, Habit>,
    hasher: RandomState,
    sketch: Vec<u8>,
}

/// What has become of the texts of a sketch.
#[derive(Debug)]
struct Habit {
    row: Arc<Seen>,
    /// How many were judged one after another that are in this row.
    same: u32,
    /// How many have been taken for such since.
    taken: u32,
}

impl Habit {
    /// The row of one more text, if it need not be judged.
    fn take(&mut self) -> Option<&Arc<Seen>> {
        self.taken += 1;
        let is_habit = self.same >= SETTLED && !self.taken.is_multiple_of(ONE_IN);
        is_habit.then_some(&self.row)
    }
}

/// Writes a text without its numbers and strings; all of it where that can't be seen without cutting it
/// into tokens: for comments, escapes and strings in dollars.
fn sketch(text: &[u8], into: &mut Vec<u8>) {
    into.clear();
    if try_sketch(text, into).is_none() {
        into.clear();
        into.extend_from_slice(text);
    }
}

fn try_sketch(text: &[u8], into: &mut Vec<u8>) -> Option<()> {
    let (mut at, mut in_word) = (0, false);
    while let Some(&byte) = text.get(at) {
        at += 1;
        let rest = text.get(at..).unwrap_or_default();
        let next = rest.first().copied().unwrap_or_default();
        match byte {
            b'\'' => at += memchr::memchr(b'\'', rest)? + 1,
            b'"' => {
                let end = memchr::memchr(b'"', rest)? + 1;
                into.push(byte);
                into.extend_from_slice(rest.get(..end)?);
                at += end;
                in_word = false;
                continue;
            }
            b'\\' => return None,
            b'-' if next == b'-' => return None,
            b'/' if next == b'*' => return None,
            b'$' if !next.is_ascii_digit() => return None,
            b'0'..=b'9' if !in_word => {
                at += rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                into.push(b'0');
                continue;
            }
            _ => {}
        }
        in_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        into.push(byte);
    }
    Some(())
}

impl Observer {
    /// Judges all that is there of the sessions of a [`Shared`].
    pub fn turn(&mut self, shared: &Shared, observations: &Observations) {
        while let Some(sent) = observations.pop() {
            // A fault ends nothing but this judgement.
            let judged = AssertUnwindSafe(|| self.judge(shared, &sent));
            if panic::catch_unwind(judged).is_err() {
                let stage = "observer";
                sent.seat.teller.tell(Event::Fault { stage });
                self.habits.clear();
            }
        }
    }

    fn judge(&mut self, shared: &Shared, sent: &Sent) {
        let mut standing = lock(&sent.seat.standing);
        let circumstances = standing.circumstances(sent);
        let is_known = standing.paths.now.is_some();
        let place = self.place(sent, &circumstances);
        if let Some(row) = self.habits.get_mut(&place).and_then(Habit::take) {
            return settle(sent, Fate::Row(Arc::clone(row)));
        }
        let analysis = analysis(shared, sent, &circumstances);
        standing.follow(&analysis);
        drop(standing);
        if !is_known {
            return settle(sent, Fate::Unjudged(Arc::clone(&shared.counters)));
        }
        let row = row(shared, sent, &analysis);
        match &row {
            Some(row) if may_be_habit(&analysis) => self.learn(place, row),
            _ => drop(self.habits.remove(&place)),
        }
        settle(
            sent,
            match row {
                Some(row) => Fate::Row(row),
                None => Fate::Beyond(Arc::clone(&shared.counters)),
            },
        );
    }

    /// Where the habit of texts like this one is, in a session like this one.
    fn place(&mut self, sent: &Sent, circumstances: &Hashed) -> u64 {
        sketch(&sent.text, &mut self.sketch);
        let of = (
            &sent.seat.database,
            circumstances,
            &sent.declared,
            &self.sketch,
        );
        self.hasher.hash_one(of)
    }

    fn learn(&mut self, place: u64, row: &Arc<Seen>) {
        if self.habits.len() >= MOST_HABITS {
            self.habits.clear();
        }
        let habit = self.habits.entry(place).or_insert_with(|| Habit {
            row: Arc::clone(row),
            same: 0,
            taken: 0,
        });
        if !Arc::ptr_eq(&habit.row, row) {
            (habit.row, habit.same) = (Arc::clone(row), 0);
        }
        habit.same = habit.same.saturating_add(1);
    }
}

/// Whether a text is ready and changes nothing that others are judged by, whatever its literals are:
/// the name of a setting may be one.
fn may_be_habit(analysis: &Analysis) -> bool {
    let sets = memchr::memmem::find(&analysis.text.to_ascii_lowercase(), b"set_config");
    let mut statements = analysis.script.statements.iter();
    let ready = statements.all(|statement| match &statement.verdict {
        Verdict::Forward(plan) => plan.effect.search_path == PathChange::Unchanged,
        Verdict::Refuse(_) => false,
    });
    sets.is_none() && ready
}

fn settle(sent: &Sent, fate: Fate) {
    match &sent.calls {
        Some(calls) => calls.settle(fate),
        None => fate.count(1),
    }
}

/// The row of an analysed text, and a word to the trail if it would be refused.
fn row(shared: &Shared, sent: &Sent, analysis: &Analysis) -> Option<Arc<Seen>> {
    let statement = named(&sent.text);
    let refused = first_refusal(analysis);
    let need = refused.map(|refusal| {
        // Of a text whose literals nobody can tell nothing is said.
        let text = statement.as_ref().and(str::from_utf8(&sent.text).ok());
        let remedy = text.and_then(|text| sql::remedy(refusal, text));
        Need {
            code: refusal.code.as_str(),
            sqlstate: refusal.sqlstate,
            remedy: remedy.map(without_values),
        }
    });
    let statement = statement.unwrap_or_else(|| Statement::new(NO_SHAPE));
    let domains = || domains(shared, analysis);
    let observed = &shared.counters.observed;
    let row = observed.row(&sent.seat.database, &statement, need, domains);
    if let Some(refusal) = refused {
        let about = (Some(statement), position(refusal, &sent.text));
        let teller = &sent.seat.teller;
        teller.refused_at(Mode::Observe, refusal, true, about);
    }
    row
}

fn analysis(shared: &Shared, sent: &Sent, circumstances: &Hashed) -> Arc<Analysis> {
    let lookup = Lookup {
        circumstances,
        text: &sent.text,
        declared: &sent.declared,
        // Nobody looks for a name that is not known: it is taken for one that does not exist.
        fresh: true,
    };
    shared.analysis(&sent.catalog, lookup)
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
    use crate::session::{Analyzer, Limits};

    fn shared() -> (Shared, Observations) {
        let shared = Shared::new([], Limits::default(), Analyzer::default(), |_| ());
        let shared = shared.counting(Arc::default(), &[]);
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
    fn a_sketch_has_neither_numbers_nor_strings() {
        for (text, expected) in [
            (
                "select a1, 17 from t2 where b = 'x''y' and c=$12",
                "select a1, 0 from t2 where b = '' and c=$12",
            ),
            ("in (1, 23,4.5)", "in (0, 0,0.0)"),
            ("'open 1", "'open 1"),
            (
                "select \"it's 1\", 2 from \"t 3\"",
                "select \"it's 1\", 0 from \"t 3\"",
            ),
            ("select 1 -- don't", "select 1 -- don't"),
            ("/* app's 2 */ select 1", "/* app's 2 */ select 1"),
            ("select $$it's 1$$", "select $$it's 1$$"),
            ("select E'\\' 1'", "select E'\\' 1'"),
            ("é1 _2", "é1 _2"),
        ] {
            let mut found = Vec::new();
            sketch(text.as_bytes(), &mut found);
            assert_eq!(str::from_utf8(&found).unwrap(), expected);
        }
    }

    #[test]
    fn habits_count_all_and_judge_some() {
        let both = shared();
        let mut observer = Observer::default();
        let texts: Vec<String> = (0..1000).map(|n| format!("select {n}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        send(&both, &texts, false);
        observer.turn(&both.0, &both.1);
        let observed = &both.0.counters.observed;
        assert_eq!(observed.rows()[0].calls.get(), 1000);
        let judged = &both.0.counters.lookups.sent_misses;
        assert!((60..80).contains(&judged.get()), "{}", judged.get());
        // What comes to something else ends it: the path of the session may be a literal.
        let set: Vec<String> = (0..20)
            .map(|n| format!("select set_config('a.b', '{n}', false)"))
            .collect();
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let before = judged.get();
        send(&both, &set, false);
        observer.turn(&both.0, &both.1);
        assert!(judged.get() - before >= 20);
        // Another text is another habit.
        send(&both, &["select 'x'"; 3], false);
        observer.turn(&both.0, &both.1);
        assert_eq!(observed.rows()[0].calls.get(), 1003);
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
