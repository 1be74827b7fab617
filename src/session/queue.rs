//! The queue of the answers that the server owes. The client and the server put questions to it with
//! each message, so it keeps what they ask for beside its entries, and does not look through them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::expected::{Expected, Own, PendingName, Query};
use super::explain::LastLine;
use super::fatal::OutOfPlace;
use super::named::Named;
use super::result::takes_ids;
use super::statements::{Change, Portal, Statement, Undo};

/// What the client has sent behind a COPY FROM STDIN, when the server asks for its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyData {
    /// Their end is still to come; in front of it were so many Syncs.
    Open { syncs: usize },
    /// All of the data has come; in front of its end were so many Syncs.
    Ended { syncs: usize },
    /// A message that has no place among them.
    Cut,
}

/// What stands behind the batch of the head, if all of that is harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BehindHead {
    /// The batch has not ended.
    Open,
    /// Nothing but its end.
    End,
    /// Its end, and other batches.
    Batches,
}

/// What an entry has to do with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// It has changed what the statement of the name is, and can be undone.
    ChangesStatement,
    ClosesStatement,
    /// It replaces the statement if, unexpectedly, the server takes a new one.
    ReplacesStatement,
    ChangesPortal,
    ClosesPortal,
    ReplacesPortal,
}

/// Which entries have to do with a name, by its hash: the place is that of the entry since the
/// beginning of the session. They come and go in their order.
#[derive(Debug, Default)]
struct Index {
    places: HashMap<(Part, u64), Places, RandomState>,
}

/// The places of one name: most names have one at a time, which takes no allocation.
#[derive(Debug)]
struct Places {
    first: u64,
    behind: VecDeque<u64>,
}

/// An index of more names gives their memory back when it is empty.
const KEPT_NAMES: usize = 64;

impl Index {
    fn insert(&mut self, entry: &Expected, place: u64) {
        for (part, name) in parts(entry) {
            let hash = self.hash(name);
            match self.places.entry((part, hash)) {
                Entry::Occupied(known) => known.into_mut().behind.push_back(place),
                Entry::Vacant(new) => {
                    new.insert(Places {
                        first: place,
                        behind: VecDeque::new(),
                    });
                }
            }
        }
    }

    /// Takes out an entry in front of which there are no others any more.
    fn remove(&mut self, entry: &Expected, place: u64) {
        for (part, name) in parts(entry) {
            let hash = self.hash(name);
            let Entry::Occupied(mut known) = self.places.entry((part, hash)) else {
                continue;
            };
            while known.get().first <= place {
                match known.get_mut().behind.pop_front() {
                    Some(next) => known.get_mut().first = next,
                    None => {
                        known.remove();
                        break;
                    }
                }
            }
        }
        if self.places.is_empty() && self.places.capacity() > KEPT_NAMES {
            self.places.shrink_to(KEPT_NAMES);
        }
    }

    fn hash(&self, name: &[u8]) -> u64 {
        self.places.hasher().hash_one(name)
    }

    /// The places of a hash, of which all but one by accident are of the name.
    fn places(&self, part: Part, name: &[u8]) -> impl Iterator<Item = u64> {
        let known = match self.places.is_empty() {
            true => None,
            false => self.places.get(&(part, self.hash(name))),
        };
        known
            .into_iter()
            .flat_map(|known| std::iter::once(known.first).chain(known.behind.iter().copied()))
    }
}

/// What an entry has to do with names.
fn parts(entry: &Expected) -> impl Iterator<Item = (Part, &[u8])> {
    let undoable = |part, is_unforeseen: bool| (!is_unforeseen).then_some(part);
    let statement = entry.statement_change().map(|change| {
        let changes = undoable(Part::ChangesStatement, change.is_unforeseen());
        let more = match entry {
            Expected::CloseStatement(_) => Some(Part::ClosesStatement),
            Expected::Parse { refused: None, .. } if change.is_unforeseen() => {
                Some(Part::ReplacesStatement)
            }
            _ => None,
        };
        (&*change.name, [changes, more])
    });
    let portal = || {
        entry.portal_change().map(|change| {
            let changes = undoable(Part::ChangesPortal, change.is_unforeseen());
            let more = match entry {
                Expected::ClosePortal(_) => Some(Part::ClosesPortal),
                Expected::Bind { refused: None, .. } if change.is_unforeseen() => {
                    Some(Part::ReplacesPortal)
                }
                _ => None,
            };
            (&*change.name, [changes, more])
        })
    };
    let of_name = statement.or_else(portal).into_iter();
    of_name.flat_map(|(name, parts)| parts.into_iter().flatten().map(move |part| (part, name)))
}

/// What a change replaced.
type Previous<T> = Option<Arc<T>>;

/// The queue of them.
#[derive(Debug, Default)]
pub(super) struct Queue {
    entries: VecDeque<Expected>,
    /// The place of the head.
    first: u64,
    /// The place of the last entry that a ReadyForQuery ends, which may have left.
    last_end: Option<u64>,
    /// How many there are of those.
    ends: usize,
    /// How many queries stand behind messages of a batch without a Sync.
    inside: usize,
    /// Whether the last messages are of a batch without a Sync so far.
    open: bool,
    /// How many entries might take ids in the data of COPY when they came.
    copies: usize,
    index: Index,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Expected> {
        self.entries.iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many ReadyForQuery are owed, if that is certain: in a batch that has failed the server
    /// skips a Query as well.
    pub(super) const fn readies(&self, failed: bool) -> Option<usize> {
        if failed && self.inside > 0 {
            return None;
        }
        Some(self.ends)
    }

    pub(super) fn push(&mut self, mut entry: Expected) {
        // A CopyDone outside of COPY is ignored by the server.
        if matches!(entry, Expected::CopyEnd) && self.entries.is_empty() {
            return;
        }
        if let Expected::Query(query) = &mut entry {
            query.standing.copies_until = query.copies_until();
            query.standing.inside = self.open;
            self.inside += usize::from(self.open);
        }
        let place = self.first + self.entries.len() as u64;
        if entry.is_end() {
            self.ends += 1;
            self.last_end = Some(place);
        }
        self.open = (self.open || !matches!(entry, Expected::CopyEnd)) && !entry.is_end();
        self.copies += usize::from(may_copy_ids_in(&entry));
        self.index.insert(&entry, place);
        self.entries.push_back(entry);
    }

    /// What is owed behind the head, if all that its batch has asked for behind it leaves nothing
    /// behind.
    pub(super) fn behind_head(
        &self,
        leaves_nothing: impl Fn(&Expected) -> bool,
    ) -> Option<BehindHead> {
        let mut behind = self.entries.iter().skip(1);
        match behind.find(|entry| !leaves_nothing(entry)) {
            None => Some(BehindHead::Open),
            Some(Expected::Sync { .. }) if behind.next().is_none() => Some(BehindHead::End),
            Some(Expected::Sync { .. }) => Some(BehindHead::Batches),
            Some(_) => None,
        }
    }

    pub(super) fn head(&self) -> Option<&Expected> {
        self.entries.front()
    }

    /// The query that is being answered.
    pub(super) fn query_mut(&mut self) -> Option<&mut Query> {
        match self.entries.front_mut() {
            Some(Expected::Query(query)) => Some(query),
            _ => None,
        }
    }

    /// What is being answered, if it is the session's own.
    pub(super) fn own_mut(&mut self) -> Option<&mut Own> {
        match self.entries.front_mut() {
            Some(Expected::Own(own)) => Some(own),
            _ => None,
        }
    }

    pub(super) fn pop(&mut self) -> Option<Expected> {
        let entry = self.take_first()?;
        while matches!(self.entries.front(), Some(Expected::CopyEnd)) {
            self.take_first();
        }
        self.begin();
        Some(entry)
    }

    /// Takes the head out of what is kept beside the entries, too.
    fn take_first(&mut self) -> Option<Expected> {
        let entry = self.entries.pop_front()?;
        self.index.remove(&entry, self.first);
        self.first += 1;
        self.leave(&entry);
        Some(entry)
    }

    /// Counts an entry no longer.
    fn leave(&mut self, entry: &Expected) {
        self.ends -= usize::from(entry.is_end());
        self.copies -= usize::from(may_copy_ids_in(entry));
        if let Expected::Query(query) = entry {
            self.inside -= usize::from(query.standing.inside);
        }
    }

    /// Another entry has become the head, with none in front of it.
    fn begin(&mut self) {
        self.open &= !self.entries.is_empty();
        self.set_inside(0, false);
    }

    /// Takes down whether an entry, if it is a query, is inside of a batch.
    fn set_inside(&mut self, at: usize, inside: bool) {
        if let Some(Expected::Query(query)) = self.entries.get_mut(at) {
            self.inside -= usize::from(query.standing.inside);
            self.inside += usize::from(inside);
            query.standing.inside = inside;
        }
    }

    /// What the Execute that has just been answered leaves under a name.
    pub(super) fn take_kept(&mut self) -> Option<PendingName> {
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
        // Only of the head some statements may have been answered.
        let is_past = |query: &Query| {
            let until = query.standing.copies_until;
            until > 0 && query.current >= until
        };
        let past = matches!(self.entries.front(), Some(Expected::Query(query)) if is_past(query));
        self.copies > usize::from(past)
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
        let dropped: Vec<Expected> = self
            .entries
            .drain(1..=nothing + usize::from(ends))
            .collect();
        // None of them, nor the head, has to do with a name: the head takes the place of the last.
        self.first += dropped.len() as u64;
        dropped.iter().for_each(|entry| self.leave(entry));
        if nothing > 0 {
            self.close_up();
        }
        let is_sync = |entry: &&Expected| matches!(entry, Expected::Sync { .. });
        let syncs = dropped.iter().filter(is_sync).count();
        match ends {
            true => CopyData::Ended { syncs },
            false => CopyData::Open { syncs },
        }
    }

    /// What was between the head and the next entries has gone. Each CopyEnd is walked once at most:
    /// there is nothing more to go in front of it.
    fn close_up(&mut self) {
        let inside = self.head().is_some_and(|head| !head.is_end());
        let mut behind = self.entries.iter().skip(1);
        match behind.position(|entry| !matches!(entry, Expected::CopyEnd)) {
            Some(next) => self.set_inside(1 + next, inside),
            None => self.open = inside,
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
        let mut skipped = Vec::new();
        while !matches!(self.entries.front(), None | Some(Expected::Sync { .. })) {
            skipped.extend(self.take_first());
        }
        self.begin();
        for entry in skipped.into_iter().rev() {
            match entry {
                Expected::Parse { change, .. } | Expected::CloseStatement(change) => {
                    self.undo_statement(change, statements);
                }
                Expected::Bind { change, .. } | Expected::ClosePortal(change) => {
                    self.undo_portal(change, portals);
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
        self.entries.is_empty()
    }

    /// How far the result of the query at the front has been read.
    pub(super) fn set_last_line(&mut self, last: LastLine) {
        let result = self.query_mut().and_then(|query| query.result.as_mut());
        if let Some(result) = result {
            result.last = last;
        }
    }

    fn undo_keeping(
        &mut self,
        keeping: PendingName,
        statements: &mut Named<Statement>,
        portals: &mut Named<Portal>,
    ) {
        match keeping {
            PendingName::Statement { change, .. } => self.undo_statement(change, statements),
            PendingName::Cursor { change, .. } => self.undo_portal(change, portals),
        }
    }

    fn undo_statement(&mut self, change: Change<Statement>, map: &mut Named<Statement>) {
        let part = Part::ChangesStatement;
        if let Some((name, previous)) = self.undo(change, part, Expected::statement_change_mut) {
            map.replace(&name, previous);
        }
    }

    fn undo_portal(&mut self, change: Change<Portal>, map: &mut Named<Portal>) {
        let part = Part::ChangesPortal;
        if let Some((name, previous)) = self.undo(change, part, Expected::portal_change_mut) {
            map.replace(&name, previous);
        }
    }

    /// Puts back what a change replaced: in the first later change of the same name, which replaced
    /// what this one had put there. If there is none, it belongs in the map.
    fn undo<T>(
        &mut self,
        change: Change<T>,
        part: Part,
        change_of: impl Fn(&mut Expected) -> Option<&mut Change<T>>,
    ) -> Option<(Box<[u8]>, Previous<T>)> {
        let Undo::Restore(previous) = change.undo else {
            return None;
        };
        for place in self.index.places(part, &change.name) {
            let later = entry_mut(&mut self.entries, place - self.first).and_then(&change_of);
            if let Some(later) = later.filter(|later| later.name == change.name) {
                later.undo = Undo::Restore(previous);
                return None;
            }
        }
        Some((change.name, previous))
    }

    /// Whether an earlier batch is to close a statement of this name, and has not been answered.
    pub(super) fn may_close_statement(&self, name: &[u8]) -> bool {
        let first = self.first_place(Part::ClosesStatement, name);
        first.is_some_and(|first| Some(first) < self.last_end)
    }

    /// Whether an answer that is due may close a portal of this name.
    pub(super) fn may_close_portal(&self, name: &[u8]) -> bool {
        let first = self.first_place(Part::ClosesPortal, name);
        first.is_some_and(|first| Some(first) < self.last_end)
    }

    /// Whether a statement is under way under a name that seems to be taken. What has this name then
    /// is known when the server has answered: others may have been deallocated before.
    pub(super) fn may_replace_statement(&self, name: &[u8]) -> bool {
        self.first_place(Part::ReplacesStatement, name).is_some()
    }

    /// Whether an answer that is due may put another portal under this name.
    pub(super) fn may_replace_portal(&self, name: &[u8]) -> bool {
        self.first_place(Part::ReplacesPortal, name).is_some()
    }

    /// The place of the first entry that has this to do with the name.
    fn first_place(&self, part: Part, name: &[u8]) -> Option<u64> {
        let is_of_name = |place: &u64| {
            let at = usize::try_from(place - self.first).ok();
            let entry = at.and_then(|at| self.entries.get(at));
            entry.is_some_and(|entry| parts(entry).any(|known| known == (part, name)))
        };
        self.index.places(part, name).find(is_of_name)
    }
}

fn entry_mut(entries: &mut VecDeque<Expected>, at: u64) -> Option<&mut Expected> {
    entries.get_mut(usize::try_from(at).ok()?)
}

/// Whether a COPY FROM STDIN with ids in its data may be in an entry that has not been answered.
fn may_copy_ids_in(entry: &Expected) -> bool {
    match entry {
        Expected::Execute(portal) => portal.explained.plan().is_some_and(takes_ids),
        Expected::Query(query) => query.standing.copies_until > 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
