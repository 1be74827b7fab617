//! Carries out the edits of plans on a text, and finds places of the client's text again in what
//! the server got.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytes::BytesMut;

use super::codecs::Codecs;
use super::edited::{Edited, PositionMap, Refused, Shift};
use super::explain::PlanTag;
use super::ids::{self, Sentinels};
use super::json;
use super::keyed;
use super::memory::Account;
use super::named::Named;
use super::plans::{Analysis, refusal_of};
use super::sent_rows;
use super::sent_value::{self, Value, is_of_another};
use super::shared::{Mode, Shared};
use super::statements::{Portal, Statement};
use crate::audit;
use crate::pg::oid;
use crate::splice::{Misplaced, Splice};
use crate::sql::plan::{
    Argument, ArgumentValue, Columns, Edit, IdUsage, JsonShape, KeptKind, Plan, Reading,
    Replacement, SentParameter, SentRow, Source,
};
use crate::sql::refusal::Code;
use crate::sql::{self, Refusal, Verdict};
use crate::wire::frontend::Format;
use crate::wire::value::{self, Shape};

/// The statement that stands in for a refused one, or in front of it: Postgres raises 42703 for it,
/// and what follows from an error is then Postgres's own doing.
pub(super) const POISON: &str = "SELECT \"pgveil refuses this statement\"";
const POISON_BEFORE: &str = "SELECT \"pgveil refuses this statement\";";
/// By this its error is known, whatever the language of the server's messages.
pub(super) const POISON_NAME: &str = "pgveil refuses this statement";

/// A part of the text to replace.
struct Piece<'a> {
    span: Range<usize>,
    with: Cow<'a, [u8]>,
}

/// Where in a text the path has to be set.
#[derive(Debug, Default)]
pub(super) struct Setters {
    /// Before the statements of these numbers, ascending.
    pub(super) before: Vec<usize>,
    /// The statement that does it.
    pub(super) text: String,
}

/// What the statements of one text that come first will have taken.
#[derive(Debug, Default)]
pub(super) struct Quota {
    pub(super) statements: usize,
    pub(super) portals: usize,
    pub(super) bytes: usize,
}

/// Everything that editing depends on.
#[derive(Clone, Copy)]
pub(super) struct Editor<'a> {
    pub(super) shared: &'a Shared,
    pub(super) codecs: &'a Codecs,
    /// What `EXECUTE` may name.
    pub(super) statements: &'a Named<Statement>,
    /// What `FETCH` may name.
    pub(super) portals: &'a Named<Portal>,
    /// What they take.
    pub(super) account: &'a Account,
    pub(super) mode: Mode,
    pub(super) utf8: bool,
}

/// Of a longer statement the audit trail has no shape: nobody writes it by hand.
const MOST_SHAPED_BYTES: usize = 16 * 1024;

/// A statement as the audit trail has it, if it can be told what of it is a literal. Where a
/// backslash escapes a quote depends on a setting.
pub(super) fn named(text: &[u8]) -> Option<audit::Statement> {
    if text.len() > MOST_SHAPED_BYTES || memchr::memmem::find(text, b"\\'").is_some() {
        return None;
    }
    let shape = sql::shape(std::str::from_utf8(text).ok()?)?;
    Some(audit::Statement::new(&shape))
}

/// Whether Postgres can only answer, as far as this statement of a query, that there is no such
/// parameter: then nothing of it has to be found again.
fn lacks_parameters(plan: &Plan) -> bool {
    !plan.parameters.is_plain() && !plan.effect.ddl && plan.effect.keeps.is_none()
}

impl Editor<'_> {
    /// Carries out the plans of a text that is prepared.
    ///
    /// # Errors
    /// As [`Self::edit_query`].
    pub(super) fn edit(&self, analysis: &Analysis) -> Result<Edited, Misplaced> {
        self.edit_each(analysis, &Setters::default(), |_| true)
    }

    /// Carries out the plans of all statements of a text that is run at once, and sets the path
    /// where that is to be.
    ///
    /// # Errors
    /// If a place that the analysis has found is none of the text.
    pub(super) fn edit_query(
        &self,
        analysis: &Analysis,
        setters: &Setters,
    ) -> Result<Edited, Misplaced> {
        self.edit_each(analysis, setters, |plan| !lacks_parameters(plan))
    }

    fn edit_each(
        &self,
        analysis: &Analysis,
        setters: &Setters,
        is_run: impl Fn(&Plan) -> bool,
    ) -> Result<Edited, Misplaced> {
        let text = &analysis.text[..];
        let mut edited = Edited::default();
        let mut pieces: Vec<Piece<'_>> = Vec::new();
        let mut room = Quota::default();
        let tagged = OnceCell::new();
        let is_tagged = || *tagged.get_or_init(|| self.codecs.tags.occur_in(text));
        let mut prepared = HashMap::new();
        for (number, statement) in analysis.script.statements.iter().enumerate() {
            if setters.before.binary_search(&number).is_ok() {
                let start = statement.range.start;
                pieces.push(Piece {
                    span: start..start,
                    with: setters.text.as_bytes().into(),
                });
            }
            let known = pieces.len();
            let result = match &statement.verdict {
                Verdict::Forward(plan) if !is_run(plan) => Ok(()),
                Verdict::Forward(plan) => check_order(plan, &mut prepared)
                    .and_then(|()| self.check_room(plan, &mut room))
                    .and_then(|()| self.check_pool(plan))
                    .and_then(|()| {
                        if !runs_one_of(plan, &prepared) {
                            self.check_source(plan)?;
                            self.arguments(plan, &mut pieces, &mut edited.sentinels)?;
                        }
                        self.pieces(plan, &is_tagged, &mut pieces, &mut edited.sentinels)
                    }),
                Verdict::Refuse(refusal) => Err(Box::new(refusal.clone())),
            };
            let Err(refusal) = result else { continue };
            pieces.truncate(known);
            // What is no SQL is a fault of all of the text, which the server finds before it runs any.
            let start = statement.range.start;
            let poison = Piece {
                span: start..start,
                with: POISON_BEFORE.as_bytes().into(),
            };
            // The error of the first ends the text: nobody gets to the others.
            if let Some((_, first)) = edited.refused.first() {
                let first = Arc::clone(first);
                edited.refused.push((number, first));
                pieces.push(poison);
                continue;
            }
            // Memory is bounded in every mode.
            let passed = self.mode == Mode::Audit && refusal.code != Code::Limit;
            let position = self.position(text, &refusal)?;
            let named = named(text.get(statement.range.clone()).ok_or(Misplaced)?);
            let about = (named, position);
            self.codecs
                .teller
                .refused_at(self.mode, &refusal, passed, about);
            if passed {
                continue;
            }
            edited.refused.push((
                number,
                Arc::new(Refused {
                    refusal: *refusal,
                    position,
                }),
            ));
            pieces.push(poison);
        }
        if !pieces.is_empty() {
            self.splice(text, &pieces, &mut edited)?;
        }
        Ok(edited)
    }

    /// Which character of a text a refusal is about, from 1.
    fn position(&self, text: &[u8], refusal: &Refusal) -> Result<Option<usize>, Misplaced> {
        let Some(span) = &refusal.span else {
            return Ok(None);
        };
        let before = text.get(..span.start).ok_or(Misplaced)?;
        Ok(Some(self.characters(before) + 1))
    }

    fn pieces<'p>(
        &self,
        plan: &'p Plan,
        is_tagged: &impl Fn() -> bool,
        pieces: &mut Vec<Piece<'p>>,
        sentinels: &mut Sentinels,
    ) -> Result<(), Box<Refusal>> {
        let mut closing = Vec::new();
        for Edit { span, with } in &plan.edits {
            let with = match with {
                Replacement::Text(text) => text.as_bytes().into(),
                Replacement::TagOpen { id, number } => {
                    let bare = self.codecs.bare_marks(*id);
                    let around = self.codecs.tags.around(*id, *number, &bare);
                    // No client knows what tags look like, but by a leak.
                    let around = around.filter(|_| !is_tagged());
                    let (open, close) = around.ok_or_else(|| Box::new(untaggable()))?;
                    closing.push(close);
                    open.into()
                }
                Replacement::TagClose => closing.pop().unwrap_or_default().into(),
                Replacement::Untag(id) => {
                    let close = self
                        .codecs
                        .tags
                        .close_untagged(*id)
                        .filter(|_| !is_tagged());
                    close.ok_or_else(|| Box::new(untaggable()))?.into()
                }
                Replacement::KeyOpen(id) => {
                    let open = keyed::open(self.codecs, *id);
                    open.ok_or_else(|| Box::new(unreadable()))?
                        .into_bytes()
                        .into()
                }
                Replacement::KeyClose(id) => {
                    let close = keyed::close(self.codecs, *id);
                    close
                        .ok_or_else(|| Box::new(unreadable()))?
                        .into_bytes()
                        .into()
                }
                Replacement::MarkOpen {
                    id,
                    array,
                    estimated,
                } => {
                    let mark = PlanTag {
                        id: *id,
                        array: *array,
                    };
                    let open = mark.open(&self.codecs.tags, *estimated);
                    let open = open.filter(|_| !is_tagged());
                    open.ok_or_else(|| Box::new(untaggable()))?.into()
                }
                Replacement::Json { shape, literal } => {
                    self.document(shape, (literal, span), sentinels)?.into()
                }
                Replacement::Row { row, literal } => self
                    .row(row, literal, sentinels)
                    .map_err(|refusal| at(refusal, span))?
                    .into(),
                Replacement::Id { usage, literal } => self
                    .literal(usage, literal, Shape::Scalar, sentinels)
                    .map_err(|refusal| at(refusal, span))?
                    .into(),
                Replacement::IdArray { usage, literal } => self
                    .literal(usage, literal, Shape::Array, sentinels)
                    .map_err(|refusal| at(refusal, span))?
                    .into(),
            };
            pieces.push(Piece {
                span: span.clone(),
                with,
            });
        }
        Ok(())
    }

    /// Whether what `EXECUTE` or `FETCH` names may be run by it, or explained.
    fn check_source(&self, plan: &Plan) -> Result<(), Box<Refusal>> {
        match &plan.source {
            Source::Itself => Ok(()),
            Source::Prepared(name) => {
                let statement = self.statements.get(name.as_bytes());
                let refused = statement.and_then(|known| refusal_of(&known.analysis, self.mode));
                if let Some(refusal) = refused {
                    return Err(Box::new(refusal.clone()));
                }
                let kept = statement.and_then(|statement| statement.plan());
                let is_explained = matches!(plan.columns, Columns::Explained(_));
                // There are no marks in it that would keep the values from the planner.
                if is_explained && kept.is_some_and(|kept| kept.orders_ids) {
                    return Err(Box::new(estimated(name)));
                }
                Ok(())
            }
            Source::Portal(name) => {
                let portal = self.portals.get(name.as_bytes());
                match portal.and_then(|portal| portal.refused.as_ref()) {
                    Some(refused) => Err(Box::new(refused.refusal.clone())),
                    None => Ok(()),
                }
            }
        }
    }

    /// Puts keys in the place of the ids among the arguments of `EXECUTE`.
    fn arguments(
        &self,
        plan: &Plan,
        pieces: &mut Vec<Piece<'_>>,
        sentinels: &mut Sentinels,
    ) -> Result<(), Box<Refusal>> {
        let Source::Prepared(name) = &plan.source else {
            return Ok(());
        };
        let statement = self.statements.get(name.as_bytes());
        let Some(parameters) = statement.and_then(|statement| statement.id_parameters()) else {
            return Ok(());
        };
        if parameters.sent.len() != parameters.shown.len() {
            return Err(Box::new(execute_with_ids(name)));
        }
        for (argument, parameter) in plan.arguments.iter().zip(&parameters.sent) {
            if !parameter.carries_ids() || argument.value == ArgumentValue::Null {
                continue;
            }
            let with = self.argument(name, argument, parameter, sentinels)?;
            pieces.push(Piece {
                span: argument.span.clone(),
                with: with.into(),
            });
        }
        Ok(())
    }

    /// What a literal becomes that stands for an id, or has ids in it.
    fn argument(
        &self,
        name: &str,
        argument: &Argument,
        parameter: &SentParameter,
        sentinels: &mut Sentinels,
    ) -> Result<Vec<u8>, Box<Refusal>> {
        let refused = || Err(Box::new(execute_with_ids(name)));
        let ArgumentValue::Literal { literal, cast } = &argument.value else {
            return refused();
        };
        let span = &argument.span;
        if parameter.when.is_some() || !may_be_cast_to(parameter, *cast) {
            return refused();
        }
        if parameter.reading.nulls(literal.as_bytes()) {
            return Ok(b"NULL".to_vec());
        }
        if let Some(document) = &parameter.json {
            // A literal that is no JSON has a place; one of its values has none.
            json::check_for(&document.shape, literal.as_bytes())
                .map_err(|refusal| at(refusal, span))?;
        }
        let value = Value {
            parameter,
            value: literal.as_bytes(),
            format: Format::Text,
        };
        let mut out = BytesMut::new();
        match sent_value::translate(self.codecs, &value, self.utf8, sentinels, &mut out) {
            Ok(()) => Ok(quoted(&out)),
            Err(refusal) if refusal.code == Code::ForeignId => {
                match is_of_another(self.codecs, &value, self.utf8) {
                    true => Ok(b"NULL".to_vec()),
                    false => Err(refusal),
                }
            }
            Err(refusal) if parameter.json.is_some() => Err(refusal),
            Err(refusal) => Err(at(refusal, span)),
        }
    }

    /// The quoted key, or array of keys, for a literal.
    fn literal(
        &self,
        usage: &IdUsage,
        literal: &str,
        shape: Shape,
        sentinels: &mut Sentinels,
    ) -> Result<Vec<u8>, Box<Refusal>> {
        let mut out = BytesMut::new();
        let types = ids::types(usage);
        let text = literal.as_bytes();
        let read = value::translate(text, Format::Text, types, shape, &mut out, |id| {
            ids::key(self.codecs, usage, id, sentinels)
        });
        match read {
            Ok(()) => Ok(quoted(&out)),
            Err(refusal) if refusal.code == Code::ForeignId => {
                let mut others = usage.instead();
                let is_other = |usage| self.literal(&usage, literal, shape, sentinels).is_ok();
                match others.any(is_other) {
                    true => Ok(b"NULL".to_vec()),
                    false => Err(refusal),
                }
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// The quoted row, or array of rows, with keys in the place of ids.
    fn row(
        &self,
        row: &SentRow,
        literal: &str,
        sentinels: &mut Sentinels,
    ) -> Result<Vec<u8>, Box<Refusal>> {
        let mut out = BytesMut::new();
        let value = (literal.as_bytes(), Format::Text);
        let check = |_: &[u8]| Ok(());
        sent_rows::translate(self.codecs, row, value, &check, sentinels, &mut out)?;
        Ok(quoted(&out))
    }

    /// The quoted document, with keys in the place of ids.
    fn document(
        &self,
        shape: &JsonShape,
        (literal, span): (&str, &Range<usize>),
        sentinels: &mut Sentinels,
    ) -> Result<Vec<u8>, Box<Refusal>> {
        let mut out = BytesMut::new();
        // A literal that is no JSON has a place; one of its values has none.
        json::check_for(shape, literal.as_bytes()).map_err(|refusal| at(refusal, span))?;
        json::with_keys(self.codecs, shape, literal.as_bytes(), sentinels, &mut out)?;
        Ok(quoted(&out))
    }

    fn splice(
        &self,
        text: &[u8],
        pieces: &[Piece<'_>],
        edited: &mut Edited,
    ) -> Result<(), Misplaced> {
        let mut out = Vec::with_capacity(text.len() + 16 * pieces.len());
        let mut shifts = Vec::with_capacity(pieces.len());
        let mut splice = Splice::new(text);
        let (mut place, mut edited_place) = (0, 0);
        for Piece { span, with } in pieces {
            let passed = splice.replace(span.clone(), &mut out)?;
            out.extend_from_slice(with);
            let between = self.characters(passed.copied);
            place += between;
            edited_place += between;
            let original = place..place + self.characters(passed.replaced);
            let new = edited_place..edited_place + self.characters(with);
            (place, edited_place) = (original.end, new.end);
            shifts.push(Shift {
                original,
                edited: new,
            });
        }
        splice.finish(&mut out)?;
        edited.text = Some(out);
        edited.shifts = PositionMap::new(shifts);
        Ok(())
    }

    /// Postgres counts positions in characters of the client's encoding. In encodings of several
    /// bytes other than UTF-8 bytes are counted; the position is then too large.
    fn characters(&self, text: &[u8]) -> usize {
        if self.utf8 {
            text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
        } else {
            text.len()
        }
    }
}

/// Whether a literal with a cast to this type, 0 for none, is what a parameter of a prepared statement
/// is read as.
fn may_be_cast_to(parameter: &SentParameter, cast: u32) -> bool {
    if cast == 0 {
        return true;
    }
    if let Some(json) = &parameter.json {
        return cast == json.type_oid;
    }
    let Some(usage) = &parameter.id else {
        return false;
    };
    match &parameter.reading {
        Reading::Plain if parameter.array => cast == usage.id.shown.array_oid(),
        Reading::Plain if !parameter.textual => cast == usage.id.shown.oid(),
        Reading::Cut(_) | Reading::Nulled(_) => cast == usage.id.shown.oid(),
        Reading::Texts(of) => cast == of.array_oid(),
        Reading::Plain
        | Reading::Behind(_)
        | Reading::List(_)
        | Reading::Pattern(_)
        | Reading::Member(_) => cast == oid::TEXT,
    }
}

/// What the statements of a text prepare, by its name, and whether it takes ids.
type Prepared<'p> = HashMap<&'p str, bool>;

/// Whether a statement executes what the same text prepares: what the session knows under the name is
/// another one then.
fn runs_one_of(plan: &Plan, prepared: &Prepared<'_>) -> bool {
    matches!(&plan.source, Source::Prepared(name) if prepared.contains_key(name.as_str()))
}

/// Refuses `EXECUTE` of what the same text prepares, if it has arguments that are ids or is to be
/// explained: what has to be known of it is not before that is carried out.
fn check_order<'p>(plan: &'p Plan, prepared: &mut Prepared<'p>) -> Result<(), Box<Refusal>> {
    if let Some(kept) = plan.effect.keeps.as_deref()
        && kept.kind == KeptKind::Statement
    {
        prepared.insert(&kept.name, kept.takes_ids);
    }
    let Source::Prepared(name) = &plan.source else {
        return Ok(());
    };
    let takes_ids = prepared.get(name.as_str()).copied();
    let is_explained = matches!(plan.columns, Columns::Explained(_));
    match takes_ids {
        Some(takes_ids) if is_explained || takes_ids && !plan.arguments.is_empty() => {
            let message =
                format!("EXECUTE of \"{name}\" in the text that prepares it is not supported");
            Err(Box::new(
                Refusal::unsupported(Code::Unsupported, message)
                    .hint("Send it when PREPARE has been answered."),
            ))
        }
        _ => Ok(()),
    }
}

/// The arguments of `EXECUTE` are expressions; of those only literals are translated.
fn execute_with_ids(name: &str) -> Refusal {
    Refusal::unsupported(
        Code::Unsupported,
        format!("EXECUTE of \"{name}\", which takes ids as parameters, is supported only with string literals for them"),
    )
    .hint("Execute it through the protocol (Bind).")
}

fn estimated(name: &str) -> Refusal {
    let message = format!(
        "pgveil does not support EXPLAIN EXECUTE of \"{name}\", which compares ids for order"
    );
    Refusal::unsupported(Code::Unsupported, message)
        .hint("Explain the statement itself, with the ids in it.")
}

fn unreadable() -> Refusal {
    let message = "pgveil can't tell which texts in a document are ids";
    Refusal::unsupported(Code::Expression, message)
}

fn untaggable() -> Refusal {
    let message = "pgveil can't encrypt an id inside a computed value";
    Refusal::unsupported(Code::Expression, message)
        .hint("Select the id as a column of its own, and build the value in the application.")
}

/// Postgres names the place of a literal that is none, but not that of one that breaks a
/// constraint.
fn at(mut refusal: Box<Refusal>, span: &Range<usize>) -> Box<Refusal> {
    if refusal.code == Code::MalformedId {
        refusal.span = Some(span.clone());
    }
    refusal
}

/// A string constant with this value, whether or not `standard_conforming_strings` is on.
pub(super) fn quoted(value: &[u8]) -> Vec<u8> {
    let escapes = value.contains(&b'\\');
    // A word may stand directly in front of the literal.
    let mut out = if escapes {
        b" E'".to_vec()
    } else {
        b"'".to_vec()
    };
    for byte in value {
        if matches!(byte, b'\'' | b'\\') {
            out.push(*byte);
        }
        out.push(*byte);
    }
    out.push(b'\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_values_so_that_no_setting_changes_them() {
        for (value, expected) in [
            ("42", "'42'"),
            ("", "''"),
            ("o'id", "'o''id'"),
            (r"\x00", r" E'\\x00'"),
            (r#"{"a\\'b"}"#, r#" E'{"a\\\\''b"}'"#),
        ] {
            assert_eq!(quoted(value.as_bytes()), expected.as_bytes());
        }
    }
}
