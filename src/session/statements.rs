//! Prepared statements and portals: what the session knows of each, by name.
//!
//! The maps show what will be once the server has answered everything under way, because the
//! messages of a pipeline must be read in that light; each change keeps what it replaced, to be
//! undone if the server refuses it. `live` says what the server has confirmed: an answer that
//! belongs to anything else ends the session.

use std::sync::Arc;

use bytes::Bytes;

use super::edited::{PositionMap, Refused};
use super::explain::LastLine;
use super::ids::Sentinels;
use super::memory::Held;
use super::owned::{Owned, Owner, Stateful};
use super::plans::{Analysis, Hashed};
use super::result::ResultShape;
use super::shared::Epoch;
use crate::sql::plan::{PathChange, Plan};
use crate::sql::{self, Verdict, plan};
use crate::wire::frontend::{Format, Formats};

/// What something takes in memory that is kept under a name: itself, the name, and its place in the
/// map, in bytes.
pub(super) const KEPT_BYTES: usize = 512;

/// A prepared statement.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) analysis: Arc<Analysis>,
    /// Under which circumstances it was analysed; `None` if it was not.
    pub(super) circumstances: Option<Hashed>,
    /// Where the server's text differs from the client's.
    pub(super) shifts: PositionMap,
    /// The ids in literals that stand for no key.
    pub(super) sentinels: Sentinels,
    /// For `EXECUTE`: the statement for which its arguments were translated.
    pub(super) executes: Option<Arc<Statement>>,
    /// The batch of messages, up to a Sync, that it was parsed in.
    pub(super) batch: u64,
    /// The Parse that prepares it, where it has to be prepared more than once.
    pub(super) sent: Option<Bytes>,
    /// What it takes in memory, counted.
    pub(super) counted: Option<Held>,
    /// Shared by what the server has under one name: a statement and what it is when it is analysed
    /// again.
    presence: Arc<Owned<Presence>>,
    state: Owned<StatementState>,
}

/// What the server has of a statement.
#[derive(Debug, Default)]
pub(super) struct Presence {
    /// Whether the server has it.
    pub(super) live: bool,
    /// In which of the server's sessions it was prepared last, where they change; 0 for none.
    pub(super) there: u64,
}

/// What changes about a statement that others hold.
#[derive(Debug, Default)]
pub(super) struct StatementState {
    /// The batch in which a Describe of it was forwarded last; 0 for none.
    pub(super) asked: u64,
    /// Whether functions of the user may run in it that are others by now: the snapshot has changed
    /// since a portal of it was opened.
    pub(super) overtaken: bool,
    described: Described,
}

/// What is known of the result of a statement.
#[derive(Debug, Default)]
struct Described {
    /// Which of its columns hold keys, once that is known.
    shape: Option<Arc<ResultShape>>,
    /// The last description, where that was so by nothing but a snapshot and the server's words.
    last: Option<LastDescription>,
}

#[derive(Debug)]
struct LastDescription {
    snapshot: Epoch,
    /// A hash of the server's words.
    words: u64,
    told: Told,
}

/// A longer description is not remembered, in bytes.
pub(super) const MOST_TOLD_BYTES: usize = 1024;

/// What the client was told in the place of the server's description of a result.
#[derive(Debug, Clone)]
pub(super) enum Told {
    /// The server's words.
    TheSame,
    /// This message.
    Instead(Bytes),
}

impl Statement {
    pub(super) fn new(
        owner: &Owner,
        analysis: Arc<Analysis>,
        circumstances: Option<Hashed>,
        edited: (PositionMap, Sentinels),
        batch: u64,
    ) -> Self {
        let (shifts, sentinels) = edited;
        let mut statement = Self {
            analysis,
            circumstances,
            shifts,
            sentinels,
            executes: None,
            batch,
            sent: None,
            counted: None,
            presence: Arc::new(owner.own(Presence::default())),
            state: owner.own(StatementState::default()),
        };
        if let Some(shape) = statement.plan().and_then(ResultShape::planned) {
            let mut state = StatementState::default();
            state.set_result(Some(Arc::new(shape)));
            statement.state = owner.own(state);
        }
        statement
    }

    /// Gives it as one that the server has.
    pub(super) fn live(mut self, owner: &Owner) -> Self {
        let there = Presence {
            live: true,
            ..Presence::default()
        };
        self.presence = Arc::new(owner.own(there));
        self
    }

    /// What it takes in memory by itself, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let sent = self.sent.as_ref().map_or(0, Bytes::len);
        KEPT_BYTES + self.shifts.bytes() + self.sentinels.bytes() + sent
    }

    /// The plan; `None` for a text without a statement and, in audit mode, a refused one.
    pub(super) fn plan(&self) -> Option<&Plan> {
        match &self.analysis.script.statements.first()?.verdict {
            Verdict::Forward(plan) => Some(plan),
            Verdict::Refuse(_) => None,
        }
    }

    /// Whether it was not prepared in the sight of the session.
    pub(super) fn is_unknown(&self) -> bool {
        self.analysis.text.is_empty()
    }

    /// Whether the text holds several statements, as the analysis has cut it. The server prepares
    /// no such text.
    pub(super) fn is_several(&self) -> bool {
        self.analysis.script.statements.len() > 1
    }

    /// Gives this statement analysed again; `None` if what the server has no longer fits.
    pub(super) fn analysed_again(
        &self,
        owner: &Owner,
        analysis: Arc<Analysis>,
        circumstances: Hashed,
    ) -> Option<Self> {
        let edited = (self.shifts.clone(), self.sentinels.clone());
        let mut again = Self::new(owner, analysis, Some(circumstances), edited, self.batch);
        again.executes.clone_from(&self.executes);
        again.sent.clone_from(&self.sent);
        again.presence = Arc::clone(&self.presence);
        let fits = match (self.plan(), again.plan()) {
            (Some(old), Some(new)) => {
                old.edits == new.edits
                    && old.parameters == new.parameters
                    && old.columns == new.columns
                    && old.effect.keeps == new.effect.keeps
            }
            (None, None) => true,
            _ => false,
        };
        fits.then_some(again)
    }

    /// Whether the server plans it when a portal is opened for it: others only when that is run.
    pub(super) fn is_planned_when_bound(&self) -> bool {
        let text = self.analysis.text.trim_ascii_start();
        let word = text.split(|byte| !byte.is_ascii_alphabetic()).next();
        let planned: [&[u8]; 7] = [
            b"select", b"insert", b"update", b"delete", b"with", b"values", b"table",
        ];
        planned
            .iter()
            .any(|known| word.is_some_and(|word| word.eq_ignore_ascii_case(known)))
    }

    /// Whether it is a query that changes nothing.
    pub(super) fn is_read(&self) -> bool {
        let statement = self.analysis.script.statements.first();
        !self.is_several() && statement.is_some_and(|of| is_read(&self.analysis.text, of))
    }

    /// Whether it ends a transaction block, and keeps nothing of it but what it has changed.
    pub(super) fn ends_block(&self) -> bool {
        let statement = self.analysis.script.statements.first();
        !self.is_several() && statement.is_some_and(|of| ends_block(&self.analysis.text, of))
    }

    /// Whether no analysis tells what its result holds: it took a name for unknown, or the
    /// statement came about out of the session's sight, in code of the user.
    pub(super) fn is_unresolved(&self) -> bool {
        self.circumstances.is_none() || self.analysis.script.unknown_name.is_some()
    }

    /// The plan's parameters, if some of them are ids.
    pub(super) fn id_parameters(&self) -> Option<&plan::Parameters> {
        let parameters = &self.plan()?.parameters;
        (!parameters.is_plain()).then_some(parameters)
    }

    /// What the server has of it.
    pub(super) fn presence<'a>(&'a self, owner: &'a Owner) -> &'a Presence {
        owner.get(&self.presence)
    }

    pub(super) fn presence_mut<'a>(&'a self, owner: &'a mut Owner) -> &'a mut Presence {
        owner.get_mut(&self.presence)
    }
}

impl StatementState {
    pub(super) fn result(&self) -> Option<&Arc<ResultShape>> {
        self.described.shape.as_ref()
    }

    /// Whether a column of the result holds keys, once that is known.
    pub(super) fn has_ids(&self) -> Option<bool> {
        self.result().map(|shape| !shape.is_clean())
    }

    pub(super) fn set_result(&mut self, shape: Option<Arc<ResultShape>>) {
        self.described = Described { shape, last: None };
    }

    /// Remembers what the client was told for words with this hash by a snapshot.
    pub(super) fn set_told(&mut self, snapshot: Epoch, words: u64, told: Told) {
        self.described.last = Some(LastDescription {
            snapshot,
            words,
            told,
        });
    }

    /// What the client was told, if the server has described the result by these words the last
    /// time, and they were explained by this snapshot. What is known of the result is still so.
    pub(super) fn told(&self, snapshot: Epoch, words: u64) -> Option<Told> {
        let last = self.described.last.as_ref()?;
        (last.snapshot == snapshot && last.words == words).then(|| last.told.clone())
    }
}

/// A portal.
#[derive(Debug)]
pub(super) struct Portal {
    pub(super) statement: Arc<Statement>,
    /// The statement whose plan explains the result: another one for `EXECUTE` and `FETCH`.
    pub(super) explained: Arc<Statement>,
    /// For `EXECUTE` and `FETCH`: where that one was found.
    pub(super) used: Option<Used>,
    pub(super) formats: ResultFormats,
    /// Why it must not be executed: the error is raised in the place of Execute.
    pub(super) refused: Option<Arc<Refused>>,
    /// The ids among the parameters and literals that stand for no key.
    pub(super) sentinels: Sentinels,
    /// The batch has changed the database before, in ways that the analysis could not see.
    pub(super) doubtful: bool,
    /// The batch of messages, up to a Sync, that it was bound in.
    pub(super) batch: u64,
    /// Whether it outlives its transaction, if that is committed: a cursor `WITH HOLD`.
    pub(super) held: bool,
    /// What it takes in memory, counted.
    pub(super) _counted: Option<Held>,
    pub(super) state: Owned<PortalState>,
}

/// What changes about a portal that others hold.
#[derive(Debug, Default)]
pub(super) struct PortalState {
    /// Whether the server has it.
    pub(super) live: bool,
    /// Whether it has outlived its transaction, so that its rows are those of then.
    pub(super) outlives: bool,
    /// How far its result has been read, if it is that of EXPLAIN.
    pub(super) last: LastLine,
}

impl Portal {
    /// One of which no more than its statement is known, and which the server has not yet.
    pub(super) fn new(owner: &Owner, statement: Arc<Statement>, batch: u64) -> Self {
        Self {
            explained: Arc::clone(&statement),
            used: None,
            statement,
            formats: ResultFormats::Unknown,
            refused: None,
            sentinels: Sentinels::default(),
            doubtful: false,
            batch,
            held: false,
            _counted: None,
            state: owner.own(PortalState::default()),
        }
    }

    /// Gives it as one that the server has.
    pub(super) fn live(mut self, owner: &Owner) -> Self {
        let there = PortalState {
            live: true,
            ..PortalState::default()
        };
        self.state = owner.own(there);
        self
    }

    /// The text of its statement, if that computes with keys in ways that nobody has judged.
    pub(super) fn unanalysed(&self) -> Option<&[u8]> {
        let unanalysed = |of: &Statement| of.plan().is_some_and(|plan| plan.effect.unanalysed);
        let unanalysed =
            self.doubtful || unanalysed(&self.statement) || unanalysed(&self.explained);
        unanalysed.then_some(&*self.statement.analysis.text)
    }

    /// Whether the functions in SQL that it runs look for their names where they did when it was
    /// judged, and are read as they were.
    pub(super) fn reads_where(&self, owner: &Owner, now: &Hashed) -> bool {
        let is_late = |of: &Statement| of.plan().is_some_and(|plan| plan.effect.late);
        let is_late =
            !self.state(owner).outlives && (is_late(&self.statement) || is_late(&self.explained));
        if !is_late {
            return true;
        }
        let where_and_how = |of: &Hashed| {
            let path = of.get().path.clone();
            path.map(|path| (path, of.get().standard_conforming_strings))
        };
        let then = self.statement.circumstances.as_ref();
        let then = then.and_then(where_and_how);
        then.is_some() && then == where_and_how(now)
    }

    /// The portal that `FETCH` takes its rows from.
    pub(super) fn used_portal(&self) -> Option<&Portal> {
        self.used.as_ref().and_then(Used::portal)
    }
}

impl Stateful for Statement {
    type State = StatementState;

    fn cell(&self) -> &Owned<StatementState> {
        &self.state
    }

    fn is_live(&self, owner: &Owner) -> bool {
        self.presence(owner).live
    }

    fn set_live(&self, owner: &mut Owner, to: bool) {
        self.presence_mut(owner).live = to;
    }
}

impl Stateful for Portal {
    type State = PortalState;

    fn cell(&self) -> &Owned<PortalState> {
        &self.state
    }

    fn is_live(&self, owner: &Owner) -> bool {
        self.state(owner).live
    }

    fn set_live(&self, owner: &mut Owner, to: bool) {
        self.state_mut(owner).live = to;
    }
}

/// So many portals may take their rows from each other.
pub(super) const MOST_USERS: usize = 8;

/// What stands under the name that `EXECUTE` or `FETCH` uses.
#[derive(Debug, Clone)]
pub(super) enum Used {
    Statement(Arc<Statement>),
    Portal(Arc<Portal>),
}

impl Used {
    pub(super) fn portal(&self) -> Option<&Portal> {
        match self {
            Self::Portal(portal) => Some(portal),
            Self::Statement(_) => None,
        }
    }

    /// The statement whose plan explains the result.
    pub(super) fn explained(&self) -> &Arc<Statement> {
        match self {
            Self::Statement(statement) => statement,
            Self::Portal(portal) => &portal.explained,
        }
    }

    /// The ids that were sent with it.
    pub(super) fn sentinels(&self) -> &Sentinels {
        match self {
            Self::Statement(statement) => &statement.sentinels,
            Self::Portal(portal) => &portal.sentinels,
        }
    }

    /// Whether it is a portal that takes its rows from one that takes them from another, and so on,
    /// more often than anybody needs. A closed one is kept by those that use it, and dropped with
    /// the last of them, each by the next.
    pub(super) fn is_deep(&self) -> bool {
        let users = std::iter::successors(self.portal(), |portal| portal.used_portal());
        users.take(MOST_USERS + 1).count() > MOST_USERS
    }
}

/// The formats that Bind asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResultFormats {
    /// One for all columns.
    All(Format),
    /// The format codes, one for each column.
    Each(Box<[u8]>),
    /// The portal was not opened in the sight of the session (a cursor of SQL).
    Unknown,
}

impl ResultFormats {
    pub(super) fn new(formats: Formats<'_>) -> Self {
        match formats.as_bytes().len() {
            0 => Self::All(Format::Text),
            2 => Self::All(formats.format(0).unwrap_or_default()),
            _ => Self::Each(formats.as_bytes().into()),
        }
    }

    /// What they take in memory beside themselves.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Each(codes) => codes.len(),
            Self::All(_) | Self::Unknown => 0,
        }
    }

    pub(super) fn format(&self, column: usize) -> Format {
        match self {
            Self::All(format) => *format,
            Self::Unknown => Format::Text,
            Self::Each(codes) => Formats::from_bytes(codes)
                .format(column)
                .unwrap_or_default(),
        }
    }
}

/// A change to a map, with the way back.
#[derive(Debug)]
pub(super) struct Change<T> {
    pub(super) name: Box<[u8]>,
    pub(super) undo: Undo<T>,
}

impl<T> Change<T> {
    /// Whether it happens only if the name turns out to be free.
    pub(super) const fn is_unforeseen(&self) -> bool {
        matches!(self.undo, Undo::Nothing)
    }
}

/// The way back.
#[derive(Debug)]
pub(super) enum Undo<T> {
    /// Nothing was changed, because the server will refuse the message, most likely.
    Nothing,
    /// This was there.
    Restore(Option<Arc<T>>),
}

/// Whether a statement of a text is a query that changes nothing.
pub(super) fn is_read(text: &[u8], statement: &sql::Statement) -> bool {
    let Verdict::Forward(plan) = &statement.verdict else {
        return false;
    };
    begins_with(text, statement, &["select", "values", "table", "with"])
        && !plan.effect.writes
        && matches!(plan.source, plan::Source::Itself)
}

/// Whether a statement ends a transaction block, and keeps nothing of it but what it has changed.
pub(super) fn ends_block(text: &[u8], statement: &sql::Statement) -> bool {
    let Verdict::Forward(plan) = &statement.verdict else {
        return false;
    };
    // One that was prepared for its end is another block.
    let is_of_another = plan.effect.search_path == PathChange::Unchanged;
    plan.effect.ends_transaction
        && !is_of_another
        && begins_with(text, statement, &["commit", "end", "rollback", "abort"])
}

/// Whether a statement begins with one of these words.
fn begins_with(text: &[u8], statement: &sql::Statement, words: &[&str]) -> bool {
    let own = text.get(statement.range.clone()).unwrap_or_default();
    let own = own.trim_ascii_start();
    let end = own.iter().position(|byte| !byte.is_ascii_alphabetic());
    let first = own.get(..end.unwrap_or(own.len())).unwrap_or_default();
    words
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word.as_bytes()))
}

/// Something refused, to be told when the server raises the error that was provoked for it.
pub(super) type Refusal = Option<Arc<Refused>>;
