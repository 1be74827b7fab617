//! The answers that the server owes, in the order of the messages that were forwarded to it.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use super::edited::{PositionMap, Refused};
use super::explain::LastLine;
use super::ids::Sentinels;
use super::memory::Held;
use super::plans::{Analysis, Hashed};
use super::result::{ResultShape, takes_ids};
use super::statements::{Change, Portal, Refusal, Statement, Used, ends_block, is_read};
use crate::sql::Verdict;
use crate::sql::plan::Plan;
use crate::wire::frontend::Format;

/// What one forwarded message will be answered with.
#[derive(Debug)]
pub(super) enum Expected {
    /// ParseComplete.
    Parse {
        change: Change<Statement>,
        statement: Arc<Statement>,
        refused: Refusal,
    },
    /// BindComplete.
    Bind {
        change: Change<Portal>,
        portal: Arc<Portal>,
        refused: Refusal,
    },
    /// ParameterDescription, then RowDescription or NoData.
    DescribeStatement(Described),
    /// RowDescription or NoData.
    DescribePortal(Arc<Portal>),
    /// RowDescription or NoData for a Describe of the session's own, which the client must not see.
    OwnDescribe(Arc<Portal>),
    /// What answers messages of the session's own that the client must not see.
    Own(Own),
    /// DataRows, then CommandComplete, EmptyQueryResponse or PortalSuspended.
    Execute(Arc<Portal>),
    /// An error in the place of those: what the portal would store was never issued.
    Refusal(Arc<Refused>),
    /// CloseComplete of a statement.
    CloseStatement(Change<Statement>),
    /// CloseComplete of a portal.
    ClosePortal(Change<Portal>),
    /// An error: the message breaks the protocol.
    Fault,
    /// ReadyForQuery.
    Sync { batch: u64 },
    /// Results, then ReadyForQuery.
    Query(Box<Query>),
    /// Nothing: the Execute before this one leaves something under a name.
    Keep(PendingName),
    /// Nothing: CopyDone or CopyFail has been forwarded here.
    CopyEnd,
}

/// A statement that is being described.
#[derive(Debug)]
pub(super) struct Described {
    pub(super) statement: Arc<Statement>,
    /// For `EXECUTE` and `FETCH`: what explains the result.
    pub(super) used: Option<Used>,
}

impl Described {
    /// The statement whose plan explains the result.
    pub(super) fn explained(&self) -> &Arc<Statement> {
        self.used.as_ref().map_or(&self.statement, Used::explained)
    }
}

/// Something that a statement under way leaves under a name.
#[derive(Debug)]
pub(super) enum PendingName {
    Statement {
        change: Change<Statement>,
        statement: Arc<Statement>,
    },
    Cursor {
        change: Change<Portal>,
        portal: Arc<Portal>,
    },
}

/// Answers that the client must not see.
#[derive(Debug)]
pub(super) struct Own {
    /// How many are still to come.
    pub(super) answers: usize,
    /// The kind of the client's message that they come before.
    pub(super) before: u8,
}

/// A simple query under way.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) batch: u64,
    pub(super) analysis: Arc<Analysis>,
    /// Under which circumstances it was judged.
    pub(super) circumstances: Hashed,
    /// Present if the text was not analysed because it is clean at a glance.
    pub(super) glanced: Option<Glanced>,
    pub(super) refused: Vec<(usize, Arc<Refused>)>,
    pub(super) shifts: PositionMap,
    pub(super) sentinels: Sentinels,
    /// What explains the results of `EXECUTE` and `FETCH`, by number.
    pub(super) used: Vec<(usize, Used)>,
    /// What the statements leave under names, by number.
    pub(super) kept: VecDeque<(usize, PendingName)>,
    /// From this number on the statements may be about what the ones before have made.
    pub(super) doubtful_from: usize,
    /// Before which statements the text sets the path, as far as that is not answered.
    pub(super) setters: VecDeque<usize>,
    /// The number of the statement that is being answered.
    pub(super) current: usize,
    /// Its result, once described.
    pub(super) result: Option<QueryResult>,
    /// How it stands in the queue.
    pub(super) standing: Standing,
    /// What it takes in memory, counted.
    pub(super) _counted: Option<Held>,
}

/// How a simple query stands in the queue, which sees to it.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Standing {
    /// None of its statements from this number on may take ids in the data of COPY.
    pub(super) copies_until: usize,
    /// Whether it is behind messages of a batch without a Sync.
    pub(super) inside: bool,
}

/// A text that was cleared by a glance, which knows relations and functions but no columns. If the
/// origin of a result is not known, the analysis is made good.
#[derive(Debug)]
pub(super) struct Glanced {
    pub(super) text: Bytes,
    pub(super) circumstances: Hashed,
}

/// A result of a simple query. Its formats are text but for rows fetched from a binary cursor.
#[derive(Debug)]
pub(super) struct QueryResult {
    pub(super) shape: ResultShape,
    pub(super) formats: Vec<Format>,
    pub(super) last: LastLine,
}

impl Query {
    /// One of which no more than this is known.
    pub(super) fn new(batch: u64, analysis: Arc<Analysis>, circumstances: Hashed) -> Self {
        Self {
            batch,
            analysis,
            circumstances,
            glanced: None,
            refused: Vec::new(),
            shifts: PositionMap::default(),
            sentinels: Sentinels::default(),
            used: Vec::new(),
            kept: VecDeque::new(),
            doubtful_from: 0,
            setters: VecDeque::new(),
            current: 0,
            result: None,
            standing: Standing::default(),
            _counted: None,
        }
    }

    /// The plan that explains the current result.
    pub(super) fn plan(&self) -> Option<&Plan> {
        match self.used() {
            Some(used) => used.explained().plan(),
            None => self.own_plan(),
        }
    }

    /// What explains the current result if its statement does not.
    pub(super) fn used(&self) -> Option<&Used> {
        let number = |(number, _): &(usize, Used)| *number;
        let place = self.used.binary_search_by_key(&self.current, number).ok()?;
        self.used.get(place).map(|(_, used)| used)
    }

    /// Its text, if the current statement computes with keys in ways that nobody has judged.
    pub(super) fn unanalysed(&self) -> Option<&[u8]> {
        let unanalysed = |plan: Option<&Plan>| plan.is_some_and(|plan| plan.effect.unanalysed);
        (self.is_doubtful() || unanalysed(self.own_plan()) || unanalysed(self.plan()))
            .then_some(&*self.analysis.text)
    }

    /// The plan of the current statement itself.
    pub(super) fn own_plan(&self) -> Option<&Plan> {
        match &self.analysis.script.statements.get(self.current)?.verdict {
            Verdict::Forward(plan) => Some(plan),
            Verdict::Refuse(_) => None,
        }
    }

    /// Whether the server sets the path before the current statement.
    pub(super) fn sets_path(&self) -> bool {
        self.setters.front() == Some(&self.current)
    }

    /// What the current statement leaves under a name.
    pub(super) fn take_kept(&mut self) -> Option<PendingName> {
        let number = |(number, _): &(usize, PendingName)| *number;
        let place = self.kept.binary_search_by_key(&self.current, number).ok()?;
        let (_, kept) = self.kept.remove(place)?;
        Some(kept)
    }

    /// The length of the text of which the current result is judged, in bytes.
    pub(super) fn judged_bytes(&self) -> usize {
        let own = self.analysis.script.statements.get(self.current);
        let own = own.map_or(0, |statement| statement.range.len());
        let glanced = self.glanced.as_ref();
        own.max(glanced.map_or(0, |glanced| glanced.text.len()))
    }

    /// The number behind the last statement that may take ids in the data of COPY.
    pub(super) fn copies_until(&self) -> usize {
        let takes =
            |verdict: &Verdict| matches!(verdict, Verdict::Forward(plan) if takes_ids(plan));
        let statements = &self.analysis.script.statements;
        let last = statements
            .iter()
            .rposition(|statement| takes(&statement.verdict));
        last.map_or(0, |last| last + 1)
    }

    /// Whether the text has no other statement.
    pub(super) fn is_single(&self) -> bool {
        self.analysis.script.statements.len() == 1 && self.current == 0
    }

    /// What comes behind the current statement; `None` if that is not known, or is more than queries
    /// that write nothing and, with `ends`, the end of a block.
    pub(super) fn queries_behind(&self, ends: bool) -> Option<&[u8]> {
        let text = &self.analysis.text;
        let statements = &self.analysis.script.statements;
        let behind = statements.get(self.current + 1..)?;
        let leaves_nothing = |of| is_read(text, of) || ends && ends_block(text, of);
        let is_known = self.glanced.is_none() && behind.iter().all(leaves_nothing);
        let end = statements.get(self.current)?.range.end;
        text.get(end..).filter(|_| is_known)
    }

    /// Whether the server answers more statements than the analysis found.
    pub(super) fn is_beyond_its_end(&self) -> bool {
        self.current >= self.analysis.script.statements.len()
    }

    /// Whether no analysis tells what the current result holds. An unknown name in another
    /// statement of the text is none in this one.
    pub(super) fn is_unresolved(&self) -> bool {
        let unseen = |used: &Used| used.explained().is_unresolved();
        self.own_plan().is_none_or(|plan| plan.unresolved) || self.used().is_some_and(unseen)
    }

    /// Whether the statement that is being answered may be about what the ones before have made.
    pub(super) fn is_doubtful(&self) -> bool {
        let constant = |plan: &Plan| plan.constant;
        self.current >= self.doubtful_from && !self.own_plan().is_some_and(constant)
    }

    pub(super) fn refused(&self) -> Option<&Arc<Refused>> {
        self.refused
            .iter()
            .find(|(number, _)| *number == self.current)
            .map(|(_, refused)| refused)
    }
}

impl Expected {
    /// Whether a ReadyForQuery ends the answer.
    pub(super) const fn is_end(&self) -> bool {
        matches!(self, Self::Sync { .. } | Self::Query(_))
    }

    /// What it changes among the statements.
    pub(super) const fn statement_change(&self) -> Option<&Change<Statement>> {
        match self {
            Self::Parse { change, .. }
            | Self::CloseStatement(change)
            | Self::Keep(PendingName::Statement { change, .. }) => Some(change),
            _ => None,
        }
    }

    pub(super) const fn statement_change_mut(&mut self) -> Option<&mut Change<Statement>> {
        match self {
            Self::Parse { change, .. }
            | Self::CloseStatement(change)
            | Self::Keep(PendingName::Statement { change, .. }) => Some(change),
            _ => None,
        }
    }

    /// What it changes among the portals.
    pub(super) const fn portal_change(&self) -> Option<&Change<Portal>> {
        match self {
            Self::Bind { change, .. }
            | Self::ClosePortal(change)
            | Self::Keep(PendingName::Cursor { change, .. }) => Some(change),
            _ => None,
        }
    }

    pub(super) const fn portal_change_mut(&mut self) -> Option<&mut Change<Portal>> {
        match self {
            Self::Bind { change, .. }
            | Self::ClosePortal(change)
            | Self::Keep(PendingName::Cursor { change, .. }) => Some(change),
            _ => None,
        }
    }
}
