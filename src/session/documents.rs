//! Shows the documents of rows: keys at the places that are declared become ids. What stands at
//! such a place and is no key becomes null, for nobody can say what it shows.

use bytes::{BufMut, BytesMut};

use super::fatal::Fatal;
use super::ids::{self, Echo, Shown};
use super::json::{Found, walk};
use super::result::{JsonField, disagreement};
use super::rows::{Rules, next_frame};
use super::shared::Shared;
use super::splice::{Slot, Splice};
use crate::wire::frontend::Format;
use crate::wire::json::{Fault, Kind, quote, unescape};
use crate::wire::value::Scalar;
use crate::wire::{Reader, WireError, sized};

/// Appends the DataRows in `frames`, with ids in the place of keys in their documents.
///
/// # Errors
/// If a document is none, or if a key must not be shown.
pub(super) fn encode<F: Fn(usize) -> Format>(
    shared: &Shared,
    rules: &Rules<'_, F>,
    frames: &[u8],
    out: &mut BytesMut,
) -> Result<(), Fatal> {
    let slots = find(rules, frames)?;
    let start = out.len();
    let mut splice = Splice::new(frames);
    for slot in &slots {
        splice.copy_to(slot, out);
        let field = rules.shape.json.get(slot.field);
        let field = field.ok_or(Fatal::Server(WireError::Range))?;
        let value = frames.get(slot.start + 4..slot.end).unwrap_or_default();
        let binary = field.binary && (rules.format)(field.index) == Format::Binary;
        let mut result = Ok(());
        sized(out, |out| {
            result = document(shared, rules.echo, (field, binary), value, out);
        });
        if let Err(fatal) = result {
            out.truncate(start);
            return Err(fatal);
        }
        splice.skip(slot);
    }
    splice.finish(out);
    Ok(())
}

/// The documents in rows.
fn find<F: Fn(usize) -> Format>(rules: &Rules<'_, F>, frames: &[u8]) -> Result<Vec<Slot>, Fatal> {
    let mut slots = Vec::new();
    let mut rest = Reader::new(frames);
    let mut row = 0;
    while !rest.rest().is_empty() {
        let body = next_frame(&mut rest).map_err(Fatal::Server)?;
        let end = frames.len() - rest.rest().len();
        let mut reader = Reader::new(body);
        let count = reader.count().map_err(Fatal::Server)?;
        let mut fields = rules.shape.json.iter().enumerate().peekable();
        for index in 0..count {
            let start = end - reader.rest().len();
            let value = reader.value().map_err(Fatal::Server)?;
            let Some((number, _)) = fields.next_if(|(_, field)| field.index == index) else {
                continue;
            };
            if value.is_some() {
                slots.push(Slot {
                    row,
                    start,
                    end: end - reader.rest().len(),
                    field: number,
                });
            }
        }
        if fields.next().is_some() {
            return Err(Fatal::Server(WireError::Range));
        }
        row = end;
    }
    Ok(slots)
}

fn document(
    shared: &Shared,
    echo: &Echo,
    (field, binary): (&JsonField, bool),
    value: &[u8],
    out: &mut BytesMut,
) -> Result<(), Fatal> {
    let text = match (binary, value) {
        (false, text) => text,
        (true, [1, text @ ..]) => {
            out.put_u8(1);
            text
        }
        (true, _) => return Err(Fatal::Server(WireError::Range)),
    };
    // In another encoding the ends of strings could not be told.
    if std::str::from_utf8(text).is_err() {
        return Err(Fatal::Result(disagreement()));
    }
    let mut copied = 0;
    walk(&field.shape, text, |found| {
        let key = text.get(found.start..found.end).unwrap_or_default();
        let id = shown(shared, echo, &found, key)?;
        out.extend_from_slice(text.get(copied..found.start).unwrap_or_default());
        out.extend_from_slice(&id);
        copied = found.end;
        Ok::<(), Fatal>(())
    })?;
    out.extend_from_slice(text.get(copied..).unwrap_or_default());
    Ok(())
}

/// What a value in the place of a key is shown as.
fn shown(shared: &Shared, echo: &Echo, found: &Found<'_>, value: &[u8]) -> Result<Vec<u8>, Fatal> {
    let nothing = || b"null".to_vec();
    let text = match found.kind {
        Kind::String => unescape(value)?,
        Kind::Number => value.into(),
        // Neither is a key.
        Kind::Null | Kind::Boolean => return Ok(value.to_vec()),
        _ => return Ok(nothing()),
    };
    let id = found.leaf.usage.id;
    let of = ids::wire_type(id.key_type);
    let Ok(key) = Scalar::decode(&text, Format::Text, of) else {
        return Ok(nothing());
    };
    let mut written = BytesMut::new();
    key.encode(Format::Text, of, &mut written);
    if written != *text {
        return Ok(nothing());
    }
    let shown = match echo.shown(id.domain, &key, of) {
        Shown::Encoded => {
            let codec = shared.codec(id.domain);
            let id = codec
                .zip(ids::key_value(&key))
                .and_then(|(codec, key)| codec.encode(&key).ok());
            match id {
                Some(id) => ids::shown(&id).into_owned(),
                None => return Ok(nothing()),
            }
        }
        Shown::Sent(id) => id.clone(),
        Shown::Nothing => return Ok(nothing()),
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

impl From<Fault> for Fatal {
    fn from(_: Fault) -> Self {
        Self::Server(WireError::Range)
    }
}
