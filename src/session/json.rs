//! Ids inside JSON documents. A document is read once from its beginning to its end; everything
//! but the ids is copied byte for byte, whatever its blanks, its order and its numbers are.

use std::ops::Range;

use bytes::BytesMut;

use super::codecs::Codecs;
use super::ids::{self, Sentinels};
use crate::splice::{Misplaced, Splice};
use crate::sql::Refusal;
use crate::sql::plan::{JsonKind, JsonLeaf, JsonShape, JsonUsage, SentParameter};
use crate::sql::refusal::Code;
use crate::wire::WireError;
use crate::wire::frontend::Format;
use crate::wire::json::{Fault, Kind, Parts, quote, unescape};
use crate::wire::value::{self, Malformed, Scalar, Shape};

/// What is known of the value that comes next.
#[derive(Debug, Clone, Copy)]
enum Target<'s> {
    /// There is no id in it.
    Clean,
    /// There may be ids in it.
    Value(&'s JsonShape),
    /// It is an element of an array of ids, or an array of such elements.
    Element(&'s JsonLeaf),
}

/// What is open.
#[derive(Debug, Clone, Copy)]
enum Open<'s> {
    Object {
        shape: Option<&'s JsonShape>,
        /// The member whose value comes next.
        next: Target<'s>,
    },
    Array(Target<'s>),
}

/// A value that is an id, or stands in the place of one.
#[derive(Debug)]
pub(super) struct Found<'s> {
    pub(super) leaf: &'s JsonLeaf,
    pub(super) kind: Kind,
    /// Where it begins and ends.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is one of an array.
    pub(super) element: bool,
}

/// What is found in a document.
#[derive(Debug)]
pub(super) enum Part<'s> {
    /// A value in the place of an id.
    Id(Found<'s>),
    /// An array where a document of the database has an object with keys in it, or the other way
    /// round, and where it begins and ends. It is not empty. Nobody can say where keys are in it.
    Strange(Range<usize>),
}

/// Calls `visit` for each value of a document that stands where an id is expected, in order.
///
/// # Errors
/// If the text is no JSON, or what `visit` returns.
#[expect(
    clippy::too_many_lines,
    reason = "one pass over the parts of a document"
)]
pub(super) fn walk<'s, E: From<Fault>>(
    shape: &'s JsonShape,
    text: &[u8],
    mut visit: impl FnMut(Part<'s>) -> Result<(), E>,
) -> Result<(), E> {
    let mut parts = Parts::new(text);
    let mut open: Vec<Open<'s>> = Vec::new();
    while let Some((kind, range)) = parts.next()? {
        if kind == Kind::Name {
            if let Some(Open::Object { shape, next }) = open.last_mut() {
                let name = unescape(text.get(range).ok_or(Fault::Syntax)?)?;
                let member = shape.and_then(|shape| shape.member(&name));
                *next = member.map_or(Target::Clean, Target::Value);
            }
            continue;
        }
        if matches!(kind, Kind::ObjectEnd | Kind::ArrayEnd) {
            open.pop();
            continue;
        }
        if open.is_empty() && joins_otherwise(shape, kind) {
            let end = end_of(&mut parts, kind, range.end)?;
            visit(Part::Strange(range.start..end))?;
            continue;
        }
        let target = match open.last() {
            None => element_of(Target::Value(shape), kind, true),
            Some(Open::Object { next, .. }) => element_of(*next, kind, false),
            Some(Open::Array(element)) => element_of(*element, kind, false),
        };
        let is_array = kind == Kind::Array;
        let (leaf, element) = match target {
            Target::Clean => (None, false),
            Target::Element(_) if is_array => (None, true),
            Target::Element(leaf) => (Some(leaf), true),
            Target::Value(shape) => match &shape.leaf {
                Some(leaf) if leaf.array && is_array => (None, false),
                leaf => (leaf.as_ref(), false),
            },
        };
        if let Some(leaf) = leaf {
            let end = end_of(&mut parts, kind, range.end)?;
            visit(Part::Id(Found {
                leaf,
                kind,
                start: range.start,
                end,
                element,
            }))?;
            continue;
        }
        if let Target::Value(shape) = target
            && is_strange(shape, kind)
        {
            let end = end_of(&mut parts, kind, range.end)?;
            if !is_empty(text, range.end..end) {
                visit(Part::Strange(range.start..end))?;
            }
            continue;
        }
        match kind {
            Kind::Object => open.push(Open::Object {
                shape: match target {
                    Target::Value(shape) => Some(shape),
                    Target::Clean | Target::Element(_) => None,
                },
                next: Target::Clean,
            }),
            Kind::Array => open.push(Open::Array(match target {
                Target::Value(JsonShape {
                    leaf: Some(leaf), ..
                }) => Target::Element(leaf),
                Target::Value(shape) => {
                    let elements = shape.elements.as_deref();
                    elements.map_or(Target::Clean, Target::Value)
                }
                other => other,
            })),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a document that `||` joins with this would become something else than it is.
fn joins_otherwise(shape: &JsonShape, kind: Kind) -> bool {
    shape.joined
        && match shape.containers() {
            (true, false) => kind != Kind::Object,
            (false, true) => kind == Kind::Object,
            _ => false,
        }
}

/// Whether a document of the database has no such value here.
fn is_strange(shape: &JsonShape, kind: Kind) -> bool {
    let (object, array) = shape.containers();
    shape.stored
        && match kind {
            Kind::Object => array && !object,
            Kind::Array => object && !array,
            _ => false,
        }
}

/// Whether nothing is between the brackets of a value but blanks: what follows the first, up to
/// behind the last.
fn is_empty(text: &[u8], range: Range<usize>) -> bool {
    let inner = text.get(range).and_then(<[u8]>::split_last);
    inner.is_some_and(|(_, inner)| inner.iter().all(u8::is_ascii_whitespace))
}

/// A scalar where ids are in an array counts as an element of one: it may be looked for
/// (`'["a"]' @> '"a"'`) or added to it, and in documents of the database it may stand there.
fn element_of(target: Target<'_>, kind: Kind, is_root: bool) -> Target<'_> {
    let mut target = target;
    while let Target::Value(shape) = target
        && let Some(elements) = shape.elements.as_deref()
        && shape.leaf.is_none()
        && (is_root || shape.stored)
        && !matches!(kind, Kind::Object | Kind::Array)
    {
        target = Target::Value(elements);
    }
    target
}

/// The end of a value whose first part has just been read.
fn end_of(parts: &mut Parts<'_>, kind: Kind, end: usize) -> Result<usize, Fault> {
    if !matches!(kind, Kind::Object | Kind::Array) {
        return Ok(end);
    }
    let outside = parts.depth() - 1;
    let mut end = end;
    while parts.depth() > outside {
        match parts.next()? {
            Some((_, range)) => end = range.end,
            None => return Err(Fault::Syntax),
        }
    }
    Ok(end)
}

/// Appends a document of the client's with keys in the place of ids.
///
/// # Errors
/// If it is no JSON, if one of the ids is none, or if one was never issued and would be stored.
pub(super) fn with_keys(
    codecs: &Codecs,
    shape: &JsonShape,
    text: &[u8],
    sentinels: &mut Sentinels,
    out: &mut BytesMut,
) -> Result<(), Box<Refusal>> {
    if text.is_empty() {
        // If it is to be read as JSON, the server will say that it is none.
        return Ok(());
    }
    if shape.text {
        check_for(shape, text)?;
    }
    let start = out.len();
    let mut splice = Splice::new(text);
    let result = walk(shape, text, |part| {
        let found = match part {
            Part::Id(found) => found,
            Part::Strange(_) => return Err(strange()),
        };
        let place = found.start..found.end;
        let value = text.get(place.clone()).ok_or(Misplaced)?;
        let Some(key) = key(codecs, &found, value, sentinels)? else {
            return Ok(());
        };
        splice.replace(place, out)?;
        out.extend_from_slice(&key);
        Ok(())
    });
    if let Err(refusal) = result {
        out.truncate(start);
        return Err(refusal);
    }
    Ok(splice.finish(out)?)
}

/// Appends a document of the client's with keys in the place of ids for a parameter, which the
/// server reads as a type that has a binary form.
///
/// # Errors
/// As [`with_keys`].
pub(super) fn parameter(
    codecs: &Codecs,
    json: &JsonUsage,
    (value, format): (&[u8], Format),
    sentinels: &mut Sentinels,
    out: &mut BytesMut,
) -> Result<(), Box<Refusal>> {
    if format == Format::Binary && json.type_oid == JSONB {
        // The version of the format, which is text all the same.
        let Some((1, text)) = value.split_first().map(|(version, text)| (*version, text)) else {
            return Err(Box::<Refusal>::from(Malformed::Binary(WireError::Range)));
        };
        out.extend_from_slice(&[1]);
        return with_keys(codecs, &json.shape, text, sentinels, out);
    }
    with_keys(codecs, &json.shape, value, sentinels, out)
}

/// Whether the server reads a document as text, which takes whatever is text.
pub(super) const fn is_text(json: &JsonUsage) -> bool {
    !matches!(json.type_oid, JSON | JSONB)
}

/// What no document is, whatever type the server reads it as.
pub(super) fn poison(parameter: &SentParameter, format: Format) -> &'static [u8] {
    match &parameter.json {
        Some(json) if json.type_oid == JSONB && format == Format::Binary => b"\x01\\pgveil",
        _ => b"\\pgveil",
    }
}

/// Reads a document to its end. An empty text is for the server to judge.
///
/// # Errors
/// If it is no JSON.
pub(super) fn check(text: &[u8]) -> Result<(), Box<Refusal>> {
    if text.is_empty() {
        return Ok(());
    }
    let mut parts = Parts::new(text);
    while parts.next()?.is_some() {}
    Ok(())
}

/// Reads a document to its end, in the place of such a shape.
///
/// # Errors
/// If it is no JSON. Where documents are compared as text, that is no error in SQL, but what is
/// put in the place of such a text could be told from it.
pub(super) fn check_for(shape: &JsonShape, text: &[u8]) -> Result<(), Box<Refusal>> {
    check(text).map_err(|refusal| {
        if !shape.text {
            return refusal;
        }
        let message = "pgveil can't use a text that is no JSON beside the text of a document";
        let refusal = Refusal::unsupported(Code::Unsupported, message);
        Box::new(refusal.hint("Use the document as jsonb, by -> or by a cast."))
    })
}

/// The oids of `json` and `jsonb`.
use crate::pg::oid::{JSON, JSONB};

/// What takes the place of a value; `None` for one that is no id whatever is read from it.
fn key(
    codecs: &Codecs,
    found: &Found<'_>,
    value: &[u8],
    sentinels: &mut Sentinels,
) -> Result<Option<Vec<u8>>, Box<Refusal>> {
    let leaf = found.leaf;
    let whole_array = leaf.array && !found.element;
    let text = match found.kind {
        Kind::Null => return Ok(None),
        // Postgres takes an array for such a column, or a string that it reads as one.
        _ if whole_array && found.kind != Kind::String => return Ok(None),
        Kind::String => unescape(value)?,
        _ => value.into(),
    };
    let shape = if whole_array {
        Shape::Array
    } else {
        Shape::Scalar
    };
    let (mut key, id) = (BytesMut::new(), leaf.usage.id);
    if is_misplaced(found, &text) {
        return Err(misplaced());
    }
    if is_other_value(found, &text) {
        let text = Scalar::Text(text);
        let nobody = codecs.stand_in(sentinels, id.domain, &text, id.key_type);
        nobody.encode(Format::Text, id.key_type, &mut key);
    } else {
        let types = ids::types(&leaf.usage);
        value::translate(&text, Format::Text, types, shape, &mut key, |id| {
            ids::key(codecs, &leaf.usage, id, sentinels)
        })?;
    }
    let as_number = match leaf.written {
        // Where ids are numbers too, they are what they are in the database.
        Some(written) if !id.is_native() => written == JsonKind::Number,
        _ => found.kind == Kind::Number,
    };
    if as_number && id.key_type.is_integer() {
        return Ok(Some(key.to_vec()));
    }
    let mut string = Vec::with_capacity(key.len() + 2);
    quote(&key, &mut string);
    Ok(Some(string))
}

/// Whether a value that is compared with documents of the database is of a kind that no id is, or
/// a number in another spelling: jsonb finds `5.0` where 5 is, and a value in an array of such.
fn is_misplaced(found: &Found<'_>, text: &[u8]) -> bool {
    let (usage, is_scalar) = (&found.leaf.usage, found.element || !found.leaf.array);
    if found.leaf.written.is_none() || usage.stored.is_some() || !is_scalar {
        return false;
    }
    match found.kind {
        Kind::Number => {
            let is_integer = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
            usage.id.shown.is_integer() && !text.iter().all(is_integer)
        }
        Kind::String => false,
        _ => true,
    }
}

/// Whether a value that is compared with documents of the database is equal to no id in them: it is
/// a number where ids are strings, or the string of an id in another spelling.
fn is_other_value(found: &Found<'_>, text: &[u8]) -> bool {
    let (usage, is_scalar) = (&found.leaf.usage, found.element || !found.leaf.array);
    if found.leaf.written.is_none() || usage.stored.is_some() || !is_scalar {
        return false;
    }
    let shown = usage.id.shown;
    match found.kind {
        Kind::Number => !shown.is_integer(),
        Kind::String => {
            let mut written = BytesMut::new();
            let id = Scalar::decode(text, Format::Text, shown);
            id.map_or(true, |id| {
                id.encode(Format::Text, shown, &mut written);
                written != *text
            })
        }
        _ => false,
    }
}

fn strange() -> Box<Refusal> {
    let message = "a value in the document is no object where ids are in one, or no array where they \
                   are in one";
    let refusal = Refusal::new(Code::ForeignId, "22023", message);
    Box::new(refusal.hint("Write it as the paths of [[id.json]] have it."))
}

fn misplaced() -> Box<Refusal> {
    let message = "a value in the document stands in the place of an id and can't be one";
    let refusal = Refusal::new(Code::ForeignId, "22023", message);
    Box::new(refusal.hint("Write ids there, as pgveil shows them: no array, object or fraction."))
}

impl From<Fault> for Box<Refusal> {
    /// In the words of Postgres's own parser.
    fn from(fault: Fault) -> Self {
        let refusal = match fault {
            Fault::Syntax => {
                let message = "invalid input syntax for type json";
                Refusal::new(Code::MalformedId, "22P02", message)
            }
            Fault::Nul => {
                let message = "unsupported Unicode escape sequence";
                let refusal = Refusal::new(Code::MalformedId, "22P05", message);
                refusal.detail("\\u0000 cannot be converted to text.".to_owned())
            }
            Fault::Depth => Refusal::new(Code::MalformedId, "54001", "stack depth limit exceeded"),
        };
        Self::new(refusal)
    }
}
