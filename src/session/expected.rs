//! The answers that the server owes, in the order of the messages that were forwarded to it.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use super::edited::{Refused, Shifts};
use super::explain::LastLine;
use super::fatal::OutOfPlace;
use super::ids::Echo;
use super::memory::Held;
use super::plans::{Analysis, Hashed};
use super::result::{ResultShape, takes_ids};
use super::statements::{Change, Named, Portal, Refusal, Statement, Undo, Used};
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
    /// The same for a Describe of the session's own, which the client must not see.
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
    Keep(Keeping),
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
pub(super) enum Keeping {
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
    pub(super) shifts: Shifts,
    pub(super) echo: Echo,
    /// What explains the results of `EXECUTE` and `FETCH`, by number.
    pub(super) used: Vec<(usize, Used)>,
    /// What the statements leave under names, by number.
    pub(super) kept: VecDeque<(usize, Keeping)>,
    /// From this number on the statements may be about what the ones before have made.
    pub(super) doubtful_from: usize,
    /// Before which statements the text sets the path, as far as that is not answered.
    pub(super) setters: Vec<usize>,
    /// The number of the statement that is being answered.
    pub(super) current: usize,
    /// Its result, once described.
    pub(super) result: Option<QueryResult>,
    /// What it takes in memory, counted.
    pub(super) _counted: Option<Held>,
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
    pub(super) fn unread(&self) -> Option<&[u8]> {
        let unread = |plan: Option<&Plan>| plan.is_some_and(|plan| plan.effect.unread);
        (self.is_doubtful() || unread(self.own_plan()) || unread(self.plan()))
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
        self.setters.first() == Some(&self.current)
    }

    /// What the current statement leaves under a name.
    pub(super) fn take_kept(&mut self) -> Option<Keeping> {
        let number = |(number, _): &(usize, Keeping)| *number;
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

    /// Whether a statement that has not been answered yet may take ids in the data of COPY.
    fn may_copy_ids_in(&self) -> bool {
        let rest = self.analysis.script.statements.iter().skip(self.current);
        rest.into_iter().any(
            |statement| matches!(&statement.verdict, Verdict::Forward(plan) if takes_ids(plan)),
        )
    }

    /// Whether the text has no other statement.
    pub(super) fn is_single(&self) -> bool {
        self.analysis.script.statements.len() == 1 && self.current == 0
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

/// What the client has sent behind a COPY FROM STDIN, when the server asks for its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyData {
    /// Their end is still to come; in front of it were so many Syncs.
    Open { syncs: usize },
    /// All of them; in front of their end were so many Syncs.
    Ended { syncs: usize },
    /// A message that has no place among them.
    Cut,
}

/// The queue of them.
#[derive(Debug, Default)]
pub(super) struct Queue {
    entries: VecDeque<Expected>,
    /// Some of them may replace what seems to be under a name.
    replaces: bool,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Expected> {
        self.entries.iter()
    }

    /// How many ReadyForQuery are owed, if that is certain: in a batch that has failed the server
    /// skips a Query as well.
    pub(super) fn readies(&self, failed: bool) -> Option<usize> {
        let is_end = |entry: &Expected| matches!(entry, Expected::Sync { .. } | Expected::Query(_));
        let mut inside = false;
        let mut count = 0;
        for entry in &self.entries {
            if failed && inside && matches!(entry, Expected::Query(_)) {
                return None;
            }
            // A CopyDone outside of COPY is nothing to the server.
            inside = (inside || !matches!(entry, Expected::CopyEnd)) && !is_end(entry);
            count += usize::from(is_end(entry));
        }
        Some(count)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn push(&mut self, entry: Expected) {
        self.replaces |= entry.replaces_statement().is_some() || entry.replaces_portal().is_some();
        // A CopyDone outside of COPY is ignored by the server.
        if !(matches!(entry, Expected::CopyEnd) && self.entries.is_empty()) {
            self.entries.push_back(entry);
        }
    }

    /// Whether nothing is owed behind the head but the end of its batch.
    pub(super) fn ends_behind_head(&self) -> bool {
        let mut behind = self.entries.iter().skip(1);
        matches!(behind.next(), Some(Expected::Sync { .. })) && behind.next().is_none()
    }

    pub(super) fn head(&self) -> Option<&Expected> {
        self.entries.front()
    }

    pub(super) fn head_mut(&mut self) -> Option<&mut Expected> {
        self.entries.front_mut()
    }

    pub(super) fn pop(&mut self) -> Option<Expected> {
        let entry = self.entries.pop_front();
        while matches!(self.entries.front(), Some(Expected::CopyEnd)) {
            self.entries.pop_front();
        }
        self.replaces &= !self.entries.is_empty();
        entry
    }

    /// What the Execute that has just been answered leaves under a name.
    pub(super) fn take_kept(&mut self) -> Option<Keeping> {
        if !matches!(self.entries.front(), Some(Expected::Keep(_))) {
            return None;
        }
        match self.pop() {
            Some(Expected::Keep(keeping)) => Some(keeping),
            _ => None,
        }
    }

    /// Whether a COPY FROM STDIN with ids in its data may be among what is to be answered.
    pub(super) fn may_copy_ids_in(&self) -> bool {
        self.entries.iter().any(|entry| match entry {
            Expected::Execute(portal) => portal.explained.plan().is_some_and(takes_ids),
            Expected::Query(query) => query.may_copy_ids_in(),
            _ => false,
        })
    }

    /// If the server copies in: the message over which it will stumble, where the client has not sent
    /// it. The session asks for descriptions and sends what cannot succeed in front of, or in the
    /// place of, an Execute.
    pub(super) fn out_of_place(&self) -> Option<OutOfPlace> {
        let mut entries = self.entries.iter().skip(1);
        let (meant, sent) = match entries
            .find(|entry| !matches!(entry, Expected::Sync { .. } | Expected::Fault))?
        {
            Expected::OwnDescribe(_) => (b'E', b'D'),
            Expected::Refusal(_) => (b'E', b'P'),
            Expected::Own(own) => (own.before, b'C'),
            _ => return None,
        };
        Some(OutOfPlace { meant, sent })
    }

    /// The server copies in: it takes the Syncs that were sent before the end of the data for
    /// nothing, and a Flush whatever is in it, unless the COPY fails before it reads them. Over any
    /// other message it stumbles, and ends the connection; if it does not, it had failed before.
    pub(super) fn copy_in(&mut self) -> CopyData {
        let is_nothing =
            |entry: &&Expected| matches!(entry, Expected::Sync { .. } | Expected::Fault);
        let nothing = self.entries.iter().skip(1).take_while(is_nothing).count();
        let ends = match self.entries.get(1 + nothing) {
            Some(Expected::CopyEnd) => true,
            Some(_) => return CopyData::Cut,
            None => false,
        };
        let dropped = self.entries.drain(1..=nothing + usize::from(ends));
        let is_sync = |entry: &Expected| matches!(entry, Expected::Sync { .. });
        let syncs = dropped.filter(is_sync).count();
        match ends {
            true => CopyData::Ended { syncs },
            false => CopyData::Open { syncs },
        }
    }

    /// After an error in the extended protocol the server skips everything up to the next Sync:
    /// so do we, and undo what the skipped messages were to change. Returns whether the Sync is
    /// still to come from the client.
    pub(super) fn skip_to_sync(
        &mut self,
        statements: &mut Named<Statement>,
        portals: &mut Named<Portal>,
    ) -> bool {
        let sync = self
            .entries
            .iter()
            .position(|entry| matches!(entry, Expected::Sync { .. }));
        let skipped: Vec<Expected> = self
            .entries
            .drain(..sync.unwrap_or(self.entries.len()))
            .collect();
        for entry in skipped.into_iter().rev() {
            match entry {
                Expected::Parse { change, .. } | Expected::CloseStatement(change) => {
                    self.undo(change, statements, Expected::statement_change);
                }
                Expected::Bind { change, .. } | Expected::ClosePortal(change) => {
                    self.undo(change, portals, Expected::portal_change);
                }
                Expected::Keep(keeping) => self.undo_keeping(keeping, statements, portals),
                // A Query is skipped like any other message.
                Expected::Query(query) => {
                    for (_, keeping) in query.kept.into_iter().rev() {
                        self.undo_keeping(keeping, statements, portals);
                    }
                }
                _ => {}
            }
        }
        sync.is_none()
    }

    fn undo_keeping(
        &mut self,
        keeping: Keeping,
        statements: &mut Named<Statement>,
        portals: &mut Named<Portal>,
    ) {
        match keeping {
            Keeping::Statement { change, .. } => {
                self.undo(change, statements, Expected::statement_change);
            }
            Keeping::Cursor { change, .. } => {
                self.undo(change, portals, Expected::portal_change);
            }
        }
    }

    /// Whether an earlier batch is to close a statement of this name, and has not been answered.
    pub(super) fn may_close_statement(&self, name: &[u8]) -> bool {
        self.earlier()
            .any(|entry| matches!(entry, Expected::CloseStatement(change) if *change.name == *name))
    }

    /// The same for a portal.
    pub(super) fn may_close_portal(&self, name: &[u8]) -> bool {
        self.earlier()
            .any(|entry| matches!(entry, Expected::ClosePortal(change) if *change.name == *name))
    }

    /// Whether a statement is under way under a name that seems to be taken. What has this name then
    /// is known when the server has answered: others may have been deallocated before.
    pub(super) fn may_replace_statement(&self, name: &[u8]) -> bool {
        self.replaces
            && self
                .entries
                .iter()
                .any(|entry| entry.replaces_statement() == Some(name))
    }

    /// The same for a portal.
    pub(super) fn may_replace_portal(&self, name: &[u8]) -> bool {
        self.replaces
            && self
                .entries
                .iter()
                .any(|entry| entry.replaces_portal() == Some(name))
    }

    /// What is expected for batches before the open one.
    fn earlier(&self) -> impl Iterator<Item = &Expected> {
        let ends = |entry: &Expected| matches!(entry, Expected::Sync { .. } | Expected::Query(_));
        let count = self.entries.iter().rposition(ends).unwrap_or(0);
        self.entries.iter().take(count)
    }

    /// Puts back what a change replaced: in the map, or in a later change of the same name,
    /// which replaced what this one had put there.
    fn undo<T>(
        &mut self,
        change: Change<T>,
        map: &mut Named<T>,
        later: impl Fn(&mut Expected) -> Option<&mut Change<T>>,
    ) {
        let Undo::Restore(previous) = change.undo else {
            return;
        };
        let later = self
            .entries
            .iter_mut()
            .filter_map(later)
            .find(|later| later.name == change.name && matches!(later.undo, Undo::Restore(_)));
        match later {
            Some(later) => later.undo = Undo::Restore(previous),
            None => drop(map.replace(&change.name, previous)),
        }
    }
}

impl Expected {
    /// The name of a statement that is replaced if, unexpectedly, the server takes a new one.
    fn replaces_statement(&self) -> Option<&[u8]> {
        match self {
            Self::Parse {
                change,
                refused: None,
                ..
            } if change.is_unforeseen() => Some(&change.name),
            _ => None,
        }
    }

    /// The same for a portal.
    fn replaces_portal(&self) -> Option<&[u8]> {
        match self {
            Self::Bind {
                change,
                refused: None,
                ..
            } if change.is_unforeseen() => Some(&change.name),
            _ => None,
        }
    }

    fn statement_change(&mut self) -> Option<&mut Change<Statement>> {
        match self {
            Self::Parse { change, .. }
            | Self::CloseStatement(change)
            | Self::Keep(Keeping::Statement { change, .. }) => Some(change),
            _ => None,
        }
    }

    fn portal_change(&mut self) -> Option<&mut Change<Portal>> {
        match self {
            Self::Bind { change, .. }
            | Self::ClosePortal(change)
            | Self::Keep(Keeping::Cursor { change, .. }) => Some(change),
            _ => None,
        }
    }
}
