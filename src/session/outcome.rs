//! What has become of a statement whose answer is never shown: whether the client may take it for
//! undone when its session ends.

use super::expected::Expected;
use super::fatal::{Fatal, Fate};
use super::hold::query_text;
use super::running::Running;
use crate::sql;
use crate::wire::backend::TransactionStatus;

/// Words without which a statement that calls nothing of the user's changes nothing.
const WRITERS: &[&str] = &[
    "insert",
    "update",
    "delete",
    "merge",
    "into",
    "copy",
    "truncate",
    "call",
    "do",
    "execute",
    "create",
    "alter",
    "drop",
    "grant",
    "revoke",
    "comment",
    "security",
    "refresh",
    "reindex",
    "cluster",
    "vacuum",
    "analyze",
    "import",
    "reassign",
    "notify",
    "pg_notify",
    "lock",
    "nextval",
    "setval",
    "prepare",
    "reset",
    "set",
    "discard",
];

/// Words without which no transaction is committed that was open before.
const ENDERS: &[&str] = &["commit", "end", "prepare"];

/// Words without which no transaction is committed that was open before, where another one is open
/// behind it.
const FOLLOWERS: &[&str] = &["begin", "start", "chain"];

impl Running {
    /// Why the session ends: what is being answered means something else by now.
    pub(super) fn redefined(&self) -> Fatal {
        Fatal::Redefined(self.end_of_answer())
    }

    /// Why the session ends: nobody can say what is being answered means.
    pub(super) fn unseen(&self) -> Fatal {
        Fatal::Unseen(self.end_of_answer())
    }

    /// The connection is over, as the server has `closed` it or is going to. What the transaction has
    /// defined goes with it, unless what is being answered may commit that. Gives whether something
    /// may.
    pub(super) fn part(&mut self, closed: bool) -> bool {
        let is_undone = closed || self.end_of_answer() == Fate::Undone;
        self.own_moves.part(&self.moves, || is_undone)
    }

    /// What has become of what is being answered. What may have been carried out and committed is
    /// not known to be undone.
    fn end_of_answer(&self) -> Fate {
        let idle = TransactionStatus::Idle;
        let words = match (self.status, self.held_status()) {
            (status, Some(held)) if status != idle && held != idle => FOLLOWERS,
            (status, None) if status != idle => ENDERS,
            _ => WRITERS,
        };
        let in_block = words != WRITERS;
        let lasts = self.queue.iter().any(|expected| match expected {
            Expected::Query(query) => self.may_do(query_text(query), in_block, words),
            Expected::Execute(portal) => {
                self.may_do(&portal.statement.analysis.text, in_block, words)
            }
            _ => false,
        });
        if lasts { Fate::Unknown } else { Fate::Undone }
    }

    /// Whether a text has one of these words in it; or, where that would be committed, code of the
    /// user, which may do anything.
    fn may_do(&self, text: &[u8], in_block: bool, words: &[&str]) -> bool {
        let may_run = !in_block && (text.is_empty() || self.may_run_code(text));
        let text = String::from_utf8_lossy(text);
        may_run || sql::possible_names(&text).any(|name| words.contains(&&*name))
    }
}
