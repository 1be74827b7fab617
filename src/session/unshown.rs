//! A stored value that can't be shown: its statement fails, and the session goes on.
//!
//! The server has no fault to report, so the rest of its answer is passed over and an error stands
//! at the end. Inside of a transaction the server is made to fail too, so that what the statement
//! has changed is undone as the client expects; outside of one only a statement that reads can fail
//! in this way. Otherwise the session ends: nobody is told of an error of what has been stored.

use bytes::BytesMut;

use super::edit::POISON;
use super::expected::Expected;
use super::fatal::{Fatal, Unshown};
use super::frame_cursor::FrameCursor;
use super::report;
use super::running::Running;
use crate::wire::backend::TransactionStatus;
use crate::wire::frame::{self, Header};
use crate::wire::frontend::Query;
use crate::wire::report::Report;

impl Running {
    /// Lets the statement fail whose result can't be shown, if that is possible.
    ///
    /// # Errors
    /// The result itself, if it is another fault or if the session has to end.
    pub(super) fn or_unshown(&mut self, shown: Result<(), Fatal>) -> Result<(), Fatal> {
        match shown {
            Err(Fatal::Unshown(refusal)) if self.is_alone() => {
                self.unshown = Some(Unshown::Passing(refusal));
                Ok(())
            }
            shown => shown,
        }
    }

    /// Whether the statement that is being answered is the only one of its batch that is left.
    fn is_alone(&self) -> bool {
        match self.queue.head() {
            Some(Expected::Query(query)) => query.is_single() && self.queue.len() == 1,
            Some(Expected::Execute(_)) => self.queue.ends_behind_head(),
            _ => false,
        }
    }

    /// Whether what the statement has changed is undone once the transaction fails, or there is
    /// nothing to undo.
    fn leaves_nothing(&self, tag: &[u8]) -> bool {
        let plan = match self.queue.head() {
            Some(Expected::Query(query)) => query.plan(),
            Some(Expected::Execute(portal)) => portal.statement.plan(),
            _ => None,
        };
        let reads = ["SELECT ", "FETCH ", "COPY "].map(str::as_bytes);
        self.status == TransactionStatus::Open
            || plan.is_some_and(|plan| !plan.effect.writes)
                && reads.iter().any(|word| tag.starts_with(word))
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
        let Some(unshown) = self.unshown.take() else {
            return Ok(false);
        };
        self.unshown = match (unshown, header.kind) {
            (Unshown::Passing(refusal), b'C' | b's') => {
                let body = frame::body(front.rest(), header).map_err(Fatal::Server)?;
                if !self.leaves_nothing(body) {
                    return Err(Fatal::Unshown(refusal));
                }
                front.skip(header.total);
                let refused = self.refuse(*refusal);
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
                if status != TransactionStatus::Open {
                    return Ok(false);
                }
                front.skip(header.total);
                let text = POISON.as_bytes();
                Query { text }.encode(server);
                Some(Unshown::Failing)
            }
            (Unshown::Failing, b'E') => {
                front.skip(header.total);
                Some(Unshown::Failing)
            }
            // The server has stumbled itself, or it is over.
            (Unshown::Passing(_), b'E') | (Unshown::Failing, b'Z') => return Ok(false),
            (_, kind) => return Err(Fatal::Unexpected(kind)),
        };
        Ok(true)
    }
}
