//! A stored value that can't be shown: its statement fails, and the session goes on.
//!
//! The server has no fault to report, so the rest of its answer is passed over and an error stands
//! at the end; what the batch asks for behind it is passed over too, as it would not have run.
//! Inside of a transaction the server is made to fail, so that what the statement has changed is
//! undone as the client expects; if the batch begins a block and ends it, and only reads, the server is
//! given another one to fail. What else a batch has changed outside of a transaction, or does behind
//! the statement, stays: the error says so. The session ends where later batches of the transaction
//! are with the server already, which would have failed.

use bytes::BytesMut;

use super::edit::POISON;
use super::expected::Expected;
use super::fatal::{Fatal, Unshown};
use super::frame_cursor::FrameCursor;
use super::hold::names_changes;
use super::queue::BehindHead;
use super::report;
use super::running::Running;
use super::statements::Used;
use crate::sql::plan::{PathChange, Source};
use crate::wire::backend::TransactionStatus;
use crate::wire::frame::{self, Header};
use crate::wire::frontend::{self, Query};
use crate::wire::report::Report;

/// What is said of a statement that fails and has been carried out.
const DONE: &str = "The server has carried out what was asked for: only its result can't be shown.";
/// Why nothing is copied behind a statement that has failed.
const SKIPPED: &[u8] = b"a statement before it has failed";

const LOOK: &str = "Look at what is stored before it is sent again.";

impl Running {
    /// Lets the statement fail whose result can't be shown, if that is possible.
    ///
    /// # Errors
    /// The result itself, if it is another fault or if the session has to end.
    pub(super) fn or_unshown(&mut self, shown: Result<(), Fatal>) -> Result<(), Fatal> {
        match shown {
            Err(Fatal::Unshown(refusal)) => {
                let mut ways = [false, true].into_iter();
                let way = ways.find(|ends| self.is_alone(*ends));
                if way.is_none() && !self.may_stay() {
                    return Err(Fatal::Unshown(refusal));
                }
                self.failure.stays = way.is_none();
                self.failure.ends = way == Some(true);
                self.failure.unshown = Some(Unshown::Passing(refusal));
                Ok(())
            }
            shown => shown,
        }
    }

    /// Whether what comes behind the statement that is being answered may run though it fails: nothing
    /// does, or nothing that leaves anything behind. That may be, with `ends`, the end of a block in
    /// which nothing has been changed.
    fn is_alone(&self, ends: bool) -> bool {
        if ends && (!self.failure.begun || self.failure.changed) {
            return false;
        }
        let is_undone = self.failure.begun && !ends;
        match self.queue.head() {
            Some(Expected::Query(query)) => {
                let snapshot = &self.catalog().snapshot;
                let is_harmless = |text: &[u8]| is_undone || !names_changes(snapshot, text);
                let reads_on = || query.queries_behind(ends).is_some_and(is_harmless);
                let stands_alone = self.queue.len() == 1 || !self.failure.begun;
                stands_alone && (query.is_single() || reads_on())
            }
            Some(Expected::Execute(_)) => {
                let leaves_nothing = |entry: &Expected| self.leaves_nothing(entry, ends);
                match self.queue.behind_head(leaves_nothing) {
                    Some(BehindHead::Open | BehindHead::End) => true,
                    // They run whatever becomes of this one, but for those of one transaction.
                    Some(BehindHead::Batches) => !self.failure.begun && !self.prepares_behind(),
                    None => false,
                }
            }
            _ => false,
        }
    }

    /// Whether the statement that is being answered may fail though what its batch changes is stored: no
    /// other batch that should have failed with it is with the server.
    fn may_stay(&self) -> bool {
        match self.queue.head() {
            Some(Expected::Query(_)) => self.queue.len() == 1 || !self.failure.begun,
            Some(Expected::Execute(_)) => {
                let is_of_batch = |entry: &Expected| !matches!(entry, Expected::Sync { .. });
                let behind = self.queue.behind_head(is_of_batch);
                let is_last = !matches!(behind, Some(BehindHead::Batches));
                is_last || !self.failure.begun && !self.prepares_behind()
            }
            _ => false,
        }
    }

    /// Whether the batch of the head gives the server another statement without a name.
    fn prepares_behind(&self) -> bool {
        let prepares = |entry: &Expected| matches!(entry, Expected::Parse { .. });
        let leaves_nothing =
            |entry: &Expected| !prepares(entry) && self.leaves_nothing(entry, false);
        self.queue.behind_head(leaves_nothing).is_none()
    }

    /// Whether what the batch has changed is undone once the transaction fails, or there is nothing
    /// to undo.
    fn is_undone(&self, tag: &[u8]) -> bool {
        let computes = || match self.queue.head() {
            Some(Expected::Query(query)) => !self.calls_changes(&query.analysis),
            Some(Expected::Execute(portal)) => {
                let of = [&portal.statement, &portal.explained];
                of.iter().all(|of| !self.calls_changes(&of.analysis))
            }
            _ => false,
        };
        let is_undone = self.failure.begun && !self.failure.ends;
        is_undone || !self.failure.changed && self.has_read(tag) && computes()
    }

    /// Whether the statement that is being answered has written nothing, as its plan and this tag tell.
    fn has_read(&self, tag: &[u8]) -> bool {
        let (plan, used) = match self.queue.head() {
            Some(Expected::Query(query)) => (query.own_plan(), query.used()),
            Some(Expected::Execute(portal)) => (portal.statement.plan(), portal.used.as_ref()),
            _ => return false,
        };
        let writes_nothing = plan.is_some_and(|plan| match (&plan.source, used) {
            (Source::Itself, _) => !plan.effect.writes,
            (Source::Prepared(_), Some(Used::Statement(used))) => used.is_read(),
            (Source::Prepared(_), _) => false,
            (Source::Portal(_), _) => true,
        });
        // Of some of the rows nothing is said.
        let is_suspended = tag.is_empty();
        let reads = |word: &str| tag.starts_with(word.as_bytes());
        writes_nothing && (is_suspended || ["SELECT ", "FETCH ", "COPY "].into_iter().any(reads))
    }

    /// Takes down what a statement has done, as its tag tells.
    pub(super) fn note_done(&mut self, tag: &[u8]) {
        match tag {
            b"BEGIN\0" | b"START TRANSACTION\0" => self.failure.begun = true,
            // It may have been `ROLLBACK TO`, which undoes a part.
            b"ROLLBACK\0" if self.failure.begun && self.reverts_in_part() => {}
            b"COMMIT\0" | b"ROLLBACK\0" | b"PREPARE TRANSACTION\0" => {
                self.failure.begun = false;
                self.failure.changed = false;
            }
            _ if self.failure.changed => {}
            _ => self.failure.changed = !(self.has_read(tag) && self.is_harmless()),
        }
    }

    fn reverts_in_part(&self) -> bool {
        let effect = self.effect();
        effect.is_some_and(|effect| effect.search_path == PathChange::Reverted)
    }

    /// Whether the statement that is being answered is the last of its batch, or calls nothing that may
    /// do more than to compute.
    fn is_harmless(&self) -> bool {
        match self.queue.head() {
            Some(Expected::Query(query)) => {
                query.is_single() || !self.names_changes(&query.analysis)
            }
            Some(Expected::Execute(portal)) => {
                matches!(
                    self.queue.behind_head(|_| false),
                    Some(BehindHead::End | BehindHead::Batches)
                ) || !self.names_changes(&portal.statement.analysis)
            }
            _ => false,
        }
    }

    /// Takes a message of the server while a statement fails. Returns whether it is dealt with.
    ///
    /// # Errors
    /// If the statement can't fail without the session.
    pub(super) fn pass_unshown(
        &mut self,
        header: Header,
        front: &mut FrameCursor<'_>,
        server: &mut BytesMut,
    ) -> Result<bool, Fatal> {
        let Some(unshown) = self.failure.unshown.take() else {
            return Ok(false);
        };
        self.failure.unshown = match (unshown, header.kind) {
            (Unshown::Passing(refusal), b'C' | b's') => {
                let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
                if !self.failure.stays && !self.is_undone(body) {
                    if !self.may_stay() {
                        return Err(Fatal::Unshown(refusal));
                    }
                    self.failure.stays = true;
                }
                front.skip(header.total);
                let refused = match self.failure.stays {
                    true => self.refuse((*refusal).detail(DONE).hint(LOOK)),
                    false => self.refuse(*refusal),
                };
                report::refusal(&refused, &Report::default(), |report| {
                    report.encode(b'E', front.built());
                });
                self.end_definition(false);
                self.failed();
                Some(Unshown::Told)
            }
            (Unshown::Told, b'Z') => {
                let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
                let status = TransactionStatus::decode(body).map_err(Fatal::Server)?;
                let begin = match status {
                    TransactionStatus::Open => "",
                    // The block that would have failed has ended.
                    TransactionStatus::Idle if self.failure.ends => "BEGIN; ",
                    _ => return Ok(false),
                };
                if self.queue.len() > 1 {
                    return Err(Fatal::Unexpected(b'Z'));
                }
                front.skip(header.total);
                let text = format!("{begin}{POISON}");
                let text = text.as_bytes();
                Query { text }.encode(server);
                Some(Unshown::Failing)
            }
            // What the batch asks for behind it.
            (
                Unshown::Told,
                kind @ (b'1' | b'2' | b'3' | b't' | b'T' | b'n' | b'C' | b'I' | b's' | b'E' | b'G'
                | b'H'),
            ) => {
                front.skip(header.total);
                if kind == b'G' {
                    frontend::copy_fail(SKIPPED, server);
                }
                if kind == b'1'
                    && let Some(unnamed) = self.statements.get(b"").cloned()
                {
                    // The server has another one in its place now.
                    self.statements.set_live(&unnamed, false);
                }
                Some(Unshown::Told)
            }
            (Unshown::Failing, b'C' | b'E') => {
                front.skip(header.total);
                Some(Unshown::Failing)
            }
            // The server has stumbled itself, or it is over.
            (Unshown::Passing(_), b'E') | (Unshown::Failing, b'Z') => return Ok(false),
            (_, kind) => return Err(Fatal::Unexpected(kind)),
        };
        Ok(true)
    }

    /// Whether a message leaves nothing behind that lasts longer than the batch, though the client takes
    /// it for skipped. That may be, with `ends`, the end of a block.
    fn leaves_nothing(&self, entry: &Expected, ends: bool) -> bool {
        let is_undone = self.failure.begun && !ends;
        match entry {
            Expected::Parse { change, .. } => change.name.is_empty(),
            Expected::Bind { change, .. } => change.name.is_empty(),
            Expected::Execute(portal) => {
                let statement = &portal.statement;
                let is_harmless = || is_undone || !self.names_changes(&statement.analysis);
                (statement.is_read() || ends && statement.ends_block()) && is_harmless()
            }
            Expected::DescribeStatement(_)
            | Expected::DescribePortal(_)
            | Expected::OwnDescribe(_)
            | Expected::Refusal(_)
            | Expected::Fault
            // Who closes a statement does not ask for it again.
            | Expected::CloseStatement(_) => true,
            // Portals end with their transaction.
            Expected::ClosePortal(_) => !is_undone,
            Expected::Own(_)
            | Expected::Sync { .. }
            | Expected::Query(_)
            | Expected::Keep(_)
            | Expected::CopyEnd => false,
        }
    }
}
