//! What EXPLAIN tells of statements over annotated tables. Plans show constants: those of the
//! statement, where keys stand in the place of ids, and those of views, policies, defaults and
//! functions, which may be keys too. Ids that the client has sent stand in marks ([`PlanTag`]) and are
//! shown as ids; every other constant that could be a key is masked.
//!
//! All of them, whoever has written them: showing the client's own numbers and hiding others would
//! tell the key, for `amount IN (1, 2, …)` beside it would lack just that one. What is shown as it
//! is are the properties whose values the executor and the planner count or measure, and names.
//!
//! Whether a string begins in one row of the text format and ends in another is remembered. Where
//! keys are words, a name that is written without quotes could then make code of strings; so all
//! that follows is masked as free text.

mod expression;
mod json;
mod labels;
mod lines;
mod plan_tag;
#[cfg(test)]
mod tests;
mod xml;
mod yaml;

use bytes::{BufMut, BytesMut};

use super::codecs::Codecs;
use super::fatal::{Fatal, disagreement};
use super::ids::Sentinels;
use super::mask::KeyTypes;
use super::splice::next_frame;
use crate::sql::plan::PlanFormat;
use crate::wire::{Reader, WireError, message, sized};

pub(super) use plan_tag::PlanTag;

/// The result of an EXPLAIN.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Explained {
    format: PlanFormat,
    stored: KeyTypes,
}

/// How far one execution of a statement has been read: how its last line ended. Each has its own, for
/// a limit of rows may cut one off in the middle of a quote and let another of the same statement come
/// first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LastLine(End);

/// How a piece of text ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum End {
    /// Outside of quotes.
    #[default]
    Closed,
    /// Within a string.
    String,
    /// Within a quoted name.
    Name,
    /// It can't be told.
    Unbalanced,
}

/// Everything that rewriting depends on.
#[derive(Clone, Copy)]
struct PlanMasker<'s> {
    codecs: &'s Codecs,
    sentinels: &'s Sentinels,
    stored: KeyTypes,
}

impl LastLine {
    /// What is known where lines were left out.
    pub(super) const LOST: Self = Self(End::Unbalanced);
}

impl Explained {
    pub(super) const fn new(format: PlanFormat, stored: KeyTypes) -> Self {
        Self { format, stored }
    }

    /// Appends the DataRows in `frames`, rewritten.
    ///
    /// # Errors
    /// If a row is not of one column, or not written as Postgres writes plans.
    pub(super) fn encode(
        &self,
        codecs: &Codecs,
        (sentinels, last): (&Sentinels, &mut LastLine),
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let scribe = PlanMasker {
            codecs,
            sentinels,
            stored: self.stored,
        };
        let mut rest = Reader::new(frames);
        while !rest.rest().is_empty() {
            let body = next_frame(&mut rest).map_err(Fatal::Server)?;
            let mut row = Reader::new(body);
            let count = row.count().map_err(Fatal::Server)?;
            let value = row.value().map_err(Fatal::Server)?;
            if count != 1 || !row.rest().is_empty() {
                return Err(Fatal::Server(WireError::Range));
            }
            let value = value.unwrap_or_default();
            let shown = self.rewritten(scribe, last, value);
            let mut shown = shown.ok_or_else(malformed)?;
            // A mark that is not whole.
            if codecs.tags.occur_in(&shown) {
                shown = b"***".to_vec();
            }
            message(out, b'D', |out| {
                out.put_u16(1);
                sized(out, |out| out.extend_from_slice(&shown));
            });
        }
        Ok(())
    }

    fn rewritten(
        &self,
        scribe: PlanMasker<'_>,
        last: &mut LastLine,
        value: &[u8],
    ) -> Option<Vec<u8>> {
        match self.format {
            // A line has no end in it; YAML without one would be taken for a name in quotes.
            PlanFormat::Text if memchr::memchr(b'\n', value).is_some() => None,
            PlanFormat::Text => {
                let (line, after) = scribe.line(value, last.0);
                last.0 = after;
                Some(line)
            }
            PlanFormat::Json => scribe.json(value),
            PlanFormat::Xml => scribe.xml(value),
            PlanFormat::Yaml => scribe.yaml(value),
        }
    }
}

fn malformed() -> Fatal {
    Fatal::Result(disagreement())
}
