//! An answer that is held back until it is known whether it means what it was judged as.

use std::time::Duration;

use bytes::BytesMut;

use super::fatal::Fatal;
use crate::wire::backend::TransactionStatus;
use crate::wire::frame::{self, Header};

/// What is held back: the whole messages that the server has sent.
#[derive(Debug, Default)]
pub(super) struct Hold {
    pub(super) bytes: BytesMut,
    /// How many of them are ReadyForQuery, and what the last one told.
    pub(super) ready: usize,
    pub(super) status: Option<TransactionStatus>,
    /// Where the rows of the statement begin that is being answered.
    pub(super) rows_from: Option<usize>,
    /// Statements that are through.
    pub(super) completed: usize,
    /// There are rows of such.
    pub(super) rows: bool,
    /// An error is among them.
    pub(super) failed: bool,
    /// How many bytes the client has sent behind that.
    pub(super) behind: usize,
    pub(super) stage: Stage,
    /// How often the definitions of views have been asked for.
    pub(super) looks: u8,
    /// There is no room for more.
    pub(super) full: bool,
    /// This session has looked, and can't see how things are.
    pub(super) dim: bool,
    /// Since when only another session's look can help.
    pub(super) stuck_since: Option<Duration>,
    /// When another session was last asked to look.
    pub(super) pleaded_at: Option<Duration>,
    /// The last question that had been asked, by whatever session, when it could still be about other
    /// definitions.
    pub(super) after: u64,
}

/// How far it is decided what becomes of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// More is to come.
    #[default]
    Gathering,
    /// The server is asked.
    Asking,
    /// They are being shown; without what they may quote, if nobody has looked.
    Released { unseen: bool },
}

/// What becomes of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// The server has said how things are.
    Clear,
    /// How they were when the transaction began, which nobody has changed since as far as it shows.
    Dim,
    /// How they were when the transaction began, and that they have been changed since.
    Superseded,
    /// It has not.
    None,
}

impl Hold {
    /// Takes a whole message.
    pub(super) fn push(&mut self, header: Header, message: &[u8]) -> Result<(), Fatal> {
        match header.kind {
            b'Z' => {
                let body = frame::body(message, header).map_err(Fatal::Server)?;
                self.status = Some(TransactionStatus::decode(body).map_err(Fatal::Server)?);
                self.ready += 1;
                self.rows_from = None;
            }
            b'D' | b'd' => {
                self.rows_from.get_or_insert(self.bytes.len());
            }
            b'C' | b's' => {
                self.completed += 1;
                self.rows |= self.rows_from.take().is_some();
            }
            b'E' => {
                self.failed = true;
                self.take_back_rows();
            }
            _ => {}
        }
        self.bytes.extend_from_slice(message);
        Ok(())
    }

    /// The statement has failed: nobody misses the rows that it has sent before.
    fn take_back_rows(&mut self) {
        let Some(from) = self.rows_from.take() else {
            return;
        };
        let mut rest = self.bytes.split_off(from.min(self.bytes.len()));
        while let Ok(Some(header)) = Header::from_server(&rest)
            && header.total <= rest.len()
        {
            let message = rest.split_to(header.total);
            if !matches!(header.kind, b'D' | b'd') {
                self.bytes.extend_from_slice(&message);
            }
        }
    }

    /// Whether it is not decided, and nobody has been asked.
    pub(super) fn is_open(&self) -> bool {
        self.stage == Stage::Gathering
    }

    pub(super) const fn is_released(&self) -> bool {
        matches!(self.stage, Stage::Released { .. })
    }
}
