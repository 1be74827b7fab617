//! Translates a value that the client sends, of a parameter or in its place: what stands for ids in
//! it becomes keys, however they are written.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};

use super::codecs::Codecs;
use super::ids::{self, Sentinels};
use super::json;
use super::misfit::is_read_by_a_cast;
use super::sent_rows;
use crate::catalog::KeyType;
use crate::sql::Refusal;
use crate::sql::plan::{IdUsage, Pattern, Reading, SentParameter, Sought, Split, cut, listed};
use crate::wire::frontend::Format;
use crate::wire::value::{self, Malformed, Scalar, Shape, Types, check_utf8};

/// A value of the client that is to be an id, or a document with ids in it.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) parameter: &'a SentParameter,
    pub(super) value: &'a [u8],
    pub(super) format: Format,
}

/// Appends what the server gets in the place of a value.
///
/// # Errors
/// If the value is no id, or has none where it must.
pub(super) fn translate(
    codecs: &Codecs,
    whole: &Value<'_>,
    utf8: bool,
    sentinels: &mut Sentinels,
    out: &mut BytesMut,
) -> Result<(), Box<Refusal>> {
    let Value {
        parameter,
        value,
        format,
    } = *whole;
    if let Some(document) = &parameter.json {
        check_utf8(value)?;
        return json::parameter(codecs, document, (value, format), sentinels, out);
    }
    // In another encoding than UTF-8 what is no character is no id either.
    let check = |text: &[u8]| if utf8 { check_utf8(text) } else { Ok(()) };
    if let Some(row) = &parameter.row {
        let format = if parameter.textual {
            Format::Text
        } else {
            format
        };
        if format == Format::Text {
            check(value)?;
        }
        return sent_rows::translate(codecs, row, (value, format), &check, sentinels, out);
    }
    let Some(usage) = &parameter.id else {
        if let Reading::Member(names) = &parameter.reading
            && !names.iter().any(|name| name.as_bytes() == value)
        {
            return Err(Box::new(Refusal::member_without_ids()));
        }
        out.put_slice(value);
        return Ok(());
    };
    id(codecs, (whole, usage), check, sentinels, out)
}

/// Appends the key, or the keys, of an id, of an array of ids, or of a text in which they are.
fn id(
    codecs: &Codecs,
    (value, usage): (&Value<'_>, &IdUsage),
    check: impl Fn(&[u8]) -> Result<(), Malformed<'static>>,
    sentinels: &mut Sentinels,
    out: &mut BytesMut,
) -> Result<(), Box<Refusal>> {
    let Value {
        parameter,
        value,
        format,
    } = *value;
    let shape = if parameter.array {
        Shape::Array
    } else {
        Shape::Scalar
    };
    // Text has the same form in both formats.
    let is_array_of_text = matches!(parameter.reading, Reading::Texts(_));
    let format = if parameter.textual && !is_array_of_text {
        Format::Text
    } else {
        format
    };
    if format == Format::Text {
        check(value)?;
    }
    let read = match &parameter.reading {
        Reading::Behind(change) if change.keeps(value) => {
            out.put_slice(value);
            return Ok(());
        }
        Reading::Behind(change) => Cow::Borrowed(change.read(value)),
        Reading::Plain | Reading::Nulled(_) | Reading::Member(_) => Cow::Borrowed(value),
        Reading::Texts(of) => {
            let of = (parameter, usage, *of);
            return texts(codecs, of, (value, format), check, sentinels, out);
        }
        Reading::Cut(length) => Cow::Borrowed(cut(value, *length)),
        Reading::List(split) => listed_bytes(value, split)?,
        Reading::Pattern(pattern) => {
            check(value)?;
            sought_bytes(value, pattern)?
        }
    };
    let start = out.len();
    let translated =
        value::translate::<Box<Refusal>>(&read, format, ids::types(usage), shape, out, |id| {
            if let Scalar::Text(text) = &id {
                check(text)?;
            }
            ids::key(codecs, usage, id, sentinels)
        });
    match translated {
        Err(refusal) if is_read_by_a_cast(parameter, usage) => {
            let text = sentinels.misfits().stand_in(value, refusal)?;
            out.truncate(start);
            out.put_slice(text.as_bytes());
            Ok(())
        }
        translated => translated,
    }
}

/// An array of text whose elements are read as ids: each becomes the text of a key.
fn texts(
    codecs: &Codecs,
    (parameter, usage, of): (&SentParameter, &IdUsage, KeyType),
    (value, format): (&[u8], Format),
    check: impl Fn(&[u8]) -> Result<(), Malformed<'static>>,
    sentinels: &mut Sentinels,
    out: &mut BytesMut,
) -> Result<(), Box<Refusal>> {
    let types = Types { from: of, to: of };
    value::translate(value, format, types, Shape::Array, out, |text| {
        let Scalar::Text(text) = text else {
            return Ok(text.into_owned());
        };
        check(&text)?;
        let Types { from, to } = ids::types(usage);
        let id = Scalar::decode(&text, Format::Text, from).map_err(Box::<Refusal>::from);
        let key = id.and_then(|id| ids::key(codecs, usage, id, sentinels));
        let key = match key {
            Err(refusal) if is_read_by_a_cast(parameter, usage) => {
                let text = sentinels.misfits().stand_in(&text, refusal)?;
                return Ok(Scalar::Text(text.into_bytes().into()));
            }
            key => key?,
        };
        let mut written = BytesMut::new();
        key.encode(Format::Text, to, &mut written);
        Ok(Scalar::Text(written.to_vec().into()))
    })
}

/// The text of the array that a list of ids becomes. An id is of ASCII, and so what is not UTF-8
/// is none.
fn listed_bytes<'v>(value: &[u8], split: &Split) -> Result<Cow<'v, [u8]>, Box<Refusal>> {
    check_utf8(value)?;
    let text = String::from_utf8_lossy(value);
    Ok(listed(&text, split).into_bytes().into())
}

/// The text of the only id that a pattern is matched by; of none if there is no such id.
fn sought_bytes(value: &[u8], pattern: &Pattern) -> Result<Cow<'static, [u8]>, Box<Refusal>> {
    match pattern.sought(&String::from_utf8_lossy(value)) {
        Sought::One(id) => Ok(id.into_bytes().into()),
        Sought::Nothing => Ok(Cow::Borrowed(b"")),
        Sought::Several => Err(Box::new(Refusal::part_of_id())),
    }
}

/// Whether a value that is no id of its domain is one of those that it may be instead.
pub(super) fn is_of_another(codecs: &Codecs, value: &Value<'_>, utf8: bool) -> bool {
    let Some(usage) = &value.parameter.id else {
        return false;
    };
    usage.instead().any(|usage| {
        let parameter = SentParameter {
            id: Some(usage),
            ..value.parameter.clone()
        };
        let value = Value {
            parameter: &parameter,
            ..*value
        };
        let (mut sentinels, mut out) = (Sentinels::default(), BytesMut::new());
        translate(codecs, &value, utf8, &mut sentinels, &mut out).is_ok()
    })
}
