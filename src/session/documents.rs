//! Shows documents: keys at the places that are declared become ids. What stands at
//! such a place and is no key becomes null, for nobody can say what it shows.

use bytes::BytesMut;

use super::codecs::Codecs;
use super::fatal::{Fatal, disagreement};
use super::ids::{self, Resolution, Sentinels};
use super::json::{Found, Part, walk};
use crate::splice::{Misplaced, Splice};
use crate::sql::plan::JsonShape;
use crate::wire::frontend::Format;
use crate::wire::json::{Fault, Kind, quote, unescape};
use crate::wire::value::Scalar;

/// The version in front of a document of type `jsonb` in its binary form. No other begins so.
const JSONB_VERSION: u8 = 1;

/// A value in a format, as the version in front of it, if there is one, and text.
pub(super) fn versioned(value: &[u8], format: Format) -> (&[u8], &[u8]) {
    match (format, value.first()) {
        (Format::Binary, Some(&JSONB_VERSION)) => value.split_at(1),
        _ => (&[], value),
    }
}

/// Appends a document with ids in the place of keys.
///
/// # Errors
/// If a key must not be shown, or if nobody can tell what is in the text.
pub(super) fn document(
    (codecs, sentinels): (&Codecs, &Sentinels),
    shape: &JsonShape,
    text: &[u8],
    out: &mut BytesMut,
) -> Result<(), Fatal> {
    // In another encoding the ends of strings could not be told.
    if std::str::from_utf8(text).is_err() {
        return Err(Fatal::Unshown(disagreement()));
    }
    let (start, mut splice) = (out.len(), Splice::new(text));
    let walked = walk(shape, text, |part| {
        match part {
            Part::Id(found) => {
                let key = splice.replace(found.start..found.end, out)?.replaced;
                out.extend_from_slice(&shown(codecs, sentinels, &found, key)?);
            }
            Part::Strange(range) => {
                splice.replace(range, out)?;
                out.extend_from_slice(b"null");
            }
        }
        Ok::<(), Stop>(())
    });
    match walked {
        Ok(()) => splice.finish(out)?,
        Err(Stop::Fatal(fatal)) => return Err(fatal),
        Err(Stop::Fault) => {
            out.truncate(start);
            let clean = !shape.tagged && !may_hold_key(shape, text);
            out.extend_from_slice(if clean { text } else { b"null" });
        }
    }
    Ok(())
}

/// Why a document is not read to its end.
pub(super) enum Stop {
    Fatal(Fatal),
    /// It is none.
    Fault,
}

/// Whether a text that is no document could hold a key of one nevertheless: an integer has
/// digits.
fn may_hold_key(shape: &JsonShape, text: &[u8]) -> bool {
    let mut shapes = vec![shape];
    let mut has_digits = true;
    while let Some(shape) = shapes.pop() {
        if let Some(leaf) = &shape.leaf {
            has_digits &= leaf.usage.id.key_type.is_integer();
        }
        shapes.extend(shape.members.iter().map(|(_, member)| member));
        shapes.extend(shape.others.as_deref());
        shapes.extend(shape.elements.as_deref());
    }
    !text.is_empty() && (!has_digits || text.iter().any(u8::is_ascii_digit))
}

/// What a value in the place of a key is shown as.
fn shown(
    codecs: &Codecs,
    sentinels: &Sentinels,
    found: &Found<'_>,
    value: &[u8],
) -> Result<Vec<u8>, Fault> {
    let nothing = || b"null".to_vec();
    let text = match found.kind {
        Kind::String => unescape(value)?,
        Kind::Number => value.into(),
        // Neither is a key.
        Kind::Null | Kind::Boolean => return Ok(value.to_vec()),
        _ => return Ok(nothing()),
    };
    let id = found.leaf.usage.id;
    let of = id.key_type;
    let Ok(key) = Scalar::decode(&text, Format::Text, of) else {
        return Ok(nothing());
    };
    let mut written = BytesMut::new();
    key.encode(Format::Text, of, &mut written);
    if written != *text {
        return Ok(nothing());
    }
    let shown = match codecs.shown(sentinels, id.domain, &key, of) {
        Resolution::Encoded => {
            let key = ids::key_value(&key);
            match key.and_then(|key| codecs.encode(id.domain, &key)) {
                Some(id) => ids::shown(&id).into_owned(),
                None => return Ok(nothing()),
            }
        }
        Resolution::Sent(id) => id.clone(),
        Resolution::Several | Resolution::Nothing => return Ok(nothing()),
    };
    let mut text = BytesMut::new();
    shown.encode(Format::Text, ids::type_of(&shown), &mut text);
    if matches!(shown, Scalar::Int(_)) && found.kind == Kind::Number {
        return Ok(text.to_vec());
    }
    let mut string = Vec::with_capacity(text.len() + 2);
    quote(&text, &mut string);
    Ok(string)
}

impl From<Fault> for Stop {
    fn from(_: Fault) -> Self {
        Self::Fault
    }
}

impl From<Misplaced> for Stop {
    fn from(misplaced: Misplaced) -> Self {
        Self::Fatal(misplaced.into())
    }
}
