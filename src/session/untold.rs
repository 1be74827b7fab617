//! Whether a statement that makes a temporary relation tells what is in it. Code of the database may
//! have made one of that name before, which `IF NOT EXISTS` leaves as it is, and so does an error:
//! where such code has the name, or puts names together, and some may have run since the session
//! looked at the database, it looks once more before the statement runs. Where it can't, nobody says
//! what the relation holds.

use super::plans::Analysis;
use super::running::{Flow, Running, Wanted};
use super::turn::Step;
use crate::catalog::{CreatedColumns, SearchPath, is_temporary};
use crate::sql::plan::Effect;
use crate::sql::{Statement, Verdict};

/// Commands that run no code of the database. At the end of a transaction deferred triggers run.
const INERT: &[&str] = &[
    "abort",
    "begin",
    "close",
    "deallocate",
    "discard",
    "drop",
    "listen",
    "release",
    "reset",
    "rollback",
    "savepoint",
    "set",
    "show",
    "start",
    "unlisten",
];

/// So much of what has been sent is read for a word, in bytes.
const MOST_READ_BYTES: usize = 4 << 10;

impl Running {
    /// Whether there is no temporary schema of this session's, as far as the server has told.
    pub(super) fn has_nothing_temporary(&self) -> bool {
        let path = self.paths.now.as_ref().filter(|_| self.link.is_none());
        path.is_some_and(|path| !path.schemas().any(is_temporary))
    }

    /// Whether code that makes relations makes temporary ones, by the search path.
    pub(super) fn makes_temporary(&self) -> bool {
        let path = self.paths.now.as_ref();
        path.is_some_and(SearchPath::creates_temporary)
    }

    /// Takes down that the server runs a statement, or a text of which no more is known.
    pub(super) fn note_run(&mut self, text: &[u8], effect: Option<&Effect>) {
        if !self.catalog_view.has_run() && self.shared.annotates() && !is_inert(text, effect) {
            self.catalog_view.note_run();
        }
    }

    /// Whether a batch that is about to begin may make something temporary behind its first statement,
    /// as drivers send it that begin transactions of their own accord: in the middle of it the session
    /// can't look.
    pub(super) fn makes_in_a_batch(&self, sent: &[u8]) -> bool {
        self.catalog_view.has_run() && begins_and_makes(sent)
    }

    /// What comes first where a text makes a temporary relation that code may have made before.
    pub(super) fn looks_before(&mut self, analysis: &Analysis) -> Option<Step> {
        if !self.catalog_view.has_run() || !analysis.script.statements.iter().any(may_be_there) {
            return None;
        }
        if self.flow == Flow::Synced && !self.queue.is_empty() {
            // It can be asked once the server has answered what came before.
            return Some(Step::Waits);
        }
        self.may_ask().then(|| {
            self.wanted = self.wanted.max(Wanted::Catalog);
            Step::Waits
        })
    }
}

/// Whether a statement makes something that code of the database may have made.
fn may_be_there(statement: &Statement) -> bool {
    match &statement.verdict {
        Verdict::Forward(plan) => plan.effect.creates.is_some() && plan.effect.fronts,
        Verdict::Refuse(_) => false,
    }
}

/// Whether a Parse begins a transaction and what has been sent behind it may be about something
/// temporary.
fn begins_and_makes(sent: &[u8]) -> bool {
    const WORD: &[u8] = b"temp";
    let Some((b'P', body)) = sent.split_first() else {
        return false;
    };
    let mut fields = body.get(4..).unwrap_or_default().split(|byte| *byte == 0);
    let text = fields.nth(1).unwrap_or_default().trim_ascii_start();
    let begins = |word: &[u8]| {
        text.get(..5)
            .is_some_and(|first| first.eq_ignore_ascii_case(word))
    };
    let near = body.get(..MOST_READ_BYTES).unwrap_or(body);
    (begins(b"begin") || begins(b"start"))
        && near
            .windows(WORD.len())
            .any(|four| four.eq_ignore_ascii_case(WORD))
}

/// Whether a statement runs no code of the database, by its first word or by what it makes.
fn is_inert(text: &[u8], effect: Option<&Effect>) -> bool {
    let made = effect.and_then(|effect| effect.creates.as_deref());
    if made.is_some_and(|made| matches!(made.columns, CreatedColumns::Named(_))) {
        return true;
    }
    let text = text.trim_ascii();
    let text = text.strip_suffix(b";").unwrap_or(text);
    let mut words = text.split(|byte| !byte.is_ascii_alphabetic());
    let is = |word: &[u8], other: &str| word.eq_ignore_ascii_case(other.as_bytes());
    let first = words.next().unwrap_or_default();
    // SET CONSTRAINTS runs triggers.
    let mut fires = || is(first, "set") && words.any(|word| is(word, "constraints"));
    !text.contains(&b';') && INERT.iter().any(|inert| is(first, inert)) && !fires()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_begins_a_transaction_and_makes_something_is_seen() {
        let batch = |texts: &[&str]| {
            let mut bytes = Vec::new();
            for text in texts {
                bytes.extend(b"P\0\0\0\0s\0");
                bytes.extend(text.as_bytes());
                bytes.extend(b"\0\0\0");
            }
            bytes
        };
        let create = "create Temporary table t (n int)";
        assert!(begins_and_makes(&batch(&["BEGIN", create])));
        assert!(begins_and_makes(&batch(&[
            "start transaction",
            "select 1",
            create
        ])));
        assert!(!begins_and_makes(&batch(&["begin", "select 1"])));
        assert!(!begins_and_makes(&batch(&[create])));
        assert!(!begins_and_makes(b"P"));
        assert!(!begins_and_makes(b"Q\0\0\0\x0abegin\0temp"));
    }

    #[test]
    fn what_may_run_code_is_not_inert() {
        for text in [
            "begin",
            " BEGIN; ",
            "drop table t",
            "rollback to s",
            "set a = 'b'",
        ] {
            assert!(is_inert(text.as_bytes(), None), "{text}");
        }
        for text in [
            "",
            "select f()",
            "begin; select f()",
            "commit",
            "end",
            "/* */ begin",
            "call f()",
            "settle",
            "set constraints all immediate",
            "SET  /* */ CONSTRAINTS \"c\" immediate",
            "do 'begin end'",
            "create table t as select f()",
        ] {
            assert!(!is_inert(text.as_bytes(), None), "{text}");
        }
    }
}
