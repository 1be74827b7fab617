//! Translates the parameters of a Bind.

use bytes::{BufMut, BytesMut};

use super::codecs::Codecs;
use super::ids::Sentinels;
use super::json;
use super::memory::SMALL_BYTES;
use super::sent_value::{self, Value, is_of_another};
use crate::codec::ValueType;
use crate::sql::Refusal;
use crate::sql::plan::{Parameters, Reading, SentParameter, When};
use crate::sql::refusal::Code;
use crate::wire::frontend::{Bind, BindWriter, Format, Formats};

/// Not the text form of any number, uuid or array. A backslash makes it none of `bytea` either.
const POISON_TEXT: &[u8] = b"\\pgveil";
/// No text in any encoding.
const POISON_OF_TEXT: &[u8] = b"\0";
/// Not the binary form of any number, uuid, text or array.
const POISON_BINARY: &[u8] = &[0; 3];

/// Why the values of a Bind are not what the client wants to store or compare.
#[derive(Debug)]
pub(super) enum Rejected {
    /// One is no id at all. An invalid value stands in its place, so that the server refuses the
    /// message; or, where the type of the keys has no invalid values, the whole message is invalid.
    Value(Box<Refusal>),
    /// One was never issued and would be stored. That is an error of execution: the server gets
    /// NULL in its place, and must not be let execute the portal.
    Stored(Box<Refusal>),
}

/// What the Bind that the server gets takes at most, of a message of so many bytes; a little more
/// where ids are very short.
pub(super) fn translated_bytes(parameters: &Parameters, bind: &Bind<'_>, total: usize) -> usize {
    /// A key, in quotes and escaped; what names and counts add.
    const KEY_BYTES: usize = 48;
    if total <= SMALL_BYTES {
        return 0;
    }
    let mut bytes = total + KEY_BYTES * parameters.sent.len();
    let values: Vec<Option<&[u8]>> = bind.values().collect();
    for parameter in parameters.sent.iter().filter(|sent| sent.carries_ids()) {
        let value = values.get(parameter.source).copied().flatten();
        let value = value.unwrap_or_default();
        let format = bind.formats.format(parameter.source);
        let is_text = format != Some(Format::Binary) || parameter.json.is_some();
        bytes += match () {
            () if !is_text => 2 * value.len(),
            () if parameter.array || parameter.json.is_some() || parameter.row.is_some() => {
                value.len() + KEY_BYTES / 2 * memchr::memchr_iter(b',', value).count()
            }
            () => 0,
        };
    }
    bytes
}

/// Appends the Bind that the server gets.
pub(super) fn translate(
    codecs: &Codecs,
    parameters: &Parameters,
    bind: &Bind<'_>,
    utf8: bool,
    sentinels: &mut Sentinels,
    out: &mut BytesMut,
) -> Option<Rejected> {
    let start_of_message = out.len();
    let mut poisoned = true;
    if bind.count != parameters.shown.len() || !bind.formats.suits(bind.count) {
        return Some(Rejected::Value(Box::new(misfit(parameters, bind, out))));
    }
    let values: Vec<Option<&[u8]>> = bind.values().collect();
    let sent = &parameters.sent;
    let formats = match bind.formats.codes().len() {
        0 | 1 => bind.formats.codes().collect(),
        _ => sent
            .iter()
            .map(|parameter| bind.formats.code(parameter.source))
            .collect::<Vec<u16>>(),
    };
    let (portal, statement) = (bind.portal, bind.statement);
    let mut writer = BindWriter::new(out, portal, statement, formats.into_iter(), sent.len());
    let mut rejected = None;
    for parameter in sent {
        let value = values.get(parameter.source).copied().flatten();
        let Some(value) = value.filter(|value| !parameter.reading.nulls(value)) else {
            writer.null();
            continue;
        };
        let format = bind.formats.format(parameter.source);
        // The server refuses a format that is none.
        let Some(format) = format.filter(|_| parameter.carries_ids()) else {
            writer.value(|out| out.put_slice(value));
            continue;
        };
        if !is_sent(parameter, (bind, &values), &mut rejected) {
            writer.null();
            continue;
        }
        writer.value_or_null(|out| {
            let start = out.len();
            let value = Value {
                parameter,
                value,
                format,
            };
            let Err(refusal) = sent_value::translate(codecs, &value, utf8, sentinels, out) else {
                return true;
            };
            let stored = refusal.code == Code::ForeignId;
            if stored && is_of_another(codecs, &value, utf8) {
                out.truncate(start);
                return false;
            }
            match &rejected {
                Some(Rejected::Value(_)) => {}
                Some(Rejected::Stored(_)) if stored => {}
                _ if stored => rejected = Some(Rejected::Stored(refusal)),
                _ => rejected = Some(Rejected::Value(refusal)),
            }
            out.truncate(start);
            out.put_slice(match format {
                _ if parameter.json.is_some() => json::poison(parameter, format),
                Format::Text if is_text(&value) => POISON_OF_TEXT,
                Format::Text => POISON_TEXT,
                Format::Binary => POISON_BINARY,
            });
            poisoned &= stored || refuses_poison(&value);
            !stored
        });
    }
    writer.finish(bind.results);
    if !poisoned {
        out.truncate(start_of_message);
        poison(bind, out);
    }
    rejected
}

/// Whether a value is sent as this parameter, and not beside what stands beside it.
fn is_sent(
    parameter: &SentParameter,
    (bind, values): (&Bind<'_>, &[Option<&[u8]>]),
    rejected: &mut Option<Rejected>,
) -> bool {
    let Some(when) = &parameter.when else {
        return true;
    };
    let is_sent = is_meant(when, bind, values);
    if is_sent.is_none() && rejected.is_none() {
        *rejected = Some(Rejected::Stored(Box::new(Refusal::unknown_sibling())));
    }
    is_sent.unwrap_or(false)
}

/// Whether another parameter means this one; none if nobody can say what it means.
fn is_meant(when: &When, bind: &Bind<'_>, values: &[Option<&[u8]>]) -> Option<bool> {
    let value = values.get(when.source).copied().flatten()?;
    let binary = bind.formats.format(when.source)? == Format::Binary;
    let text = match when.number {
        true if binary => match *value {
            [a, b] => i64::from(i16::from_be_bytes([a, b])),
            [a, b, c, d] => i64::from(i32::from_be_bytes([a, b, c, d])),
            _ => i64::from_be_bytes(value.try_into().ok()?),
        }
        .to_string(),
        true => {
            let number: i64 = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
            number.to_string()
        }
        false => std::str::from_utf8(value).ok()?.to_owned(),
    };
    if when.values.contains(&text) {
        return Some(true);
    }
    when.others.contains(&text).then_some(false)
}

/// Whether the server reads the value as text, which takes whatever is text.
fn is_text(value: &Value<'_>) -> bool {
    let usage = value.parameter.id.as_ref();
    let is_text = usage.is_some_and(|usage| usage.id.key_type.value_type() == ValueType::Text);
    let is_name = matches!(value.parameter.reading, Reading::Member(_));
    is_name || is_text && !value.parameter.array
}

/// Whether the server refuses the poison in the place of a value when it reads the message. Bytes
/// in binary are whatever they are. Text that the statement casts is refused by the cast, without
/// the context that reading a parameter gives.
fn refuses_poison(value: &Value<'_>) -> bool {
    let parameter = value.parameter;
    let usage = parameter.id.as_ref();
    let is_bytea = usage.is_some_and(|usage| usage.id.key_type.value_type() == ValueType::Bytes);
    let is_text = parameter.json.as_deref().is_some_and(json::is_text);
    (!is_bytea || parameter.array || value.format == Format::Text) && !parameter.textual && !is_text
}

/// Appends a Bind that the server refuses: with a number of values that can't be right.
pub(super) fn poison(bind: &Bind<'_>, out: &mut BytesMut) {
    let count = usize::from(bind.count == 0);
    let mut writer = BindWriter::new(out, bind.portal, bind.statement, [].into_iter(), count);
    if count == 1 {
        writer.null();
    }
    writer.finish(Formats::default());
}

/// A Bind with the wrong number of values or formats. The server would count its own parameters,
/// which may be more: it gets none, and its error tells the client's numbers.
fn misfit(parameters: &Parameters, bind: &Bind<'_>, out: &mut BytesMut) -> Refusal {
    BindWriter::new(out, bind.portal, bind.statement, [].into_iter(), 0).finish(Formats::default());
    let message = if bind.formats.suits(bind.count) {
        format!(
            "bind message supplies {} parameters, but prepared statement \"{}\" requires {}",
            bind.count,
            String::from_utf8_lossy(bind.statement),
            parameters.shown.len()
        )
    } else {
        format!(
            "bind message has {} parameter formats but {} parameters",
            bind.formats.codes().len(),
            bind.count
        )
    };
    Refusal::new(Code::Protocol, "08P01", message)
}
