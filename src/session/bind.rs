//! Translates the parameters of a Bind.

use bytes::{BufMut, BytesMut};

use super::edit::refusal_of;
use super::ids::{self, Echo};
use super::shared::Shared;
use crate::sql::Refusal;
use crate::sql::plan::{IdUsage, Parameters, SentParameter};
use crate::sql::refusal::Code;
use crate::wire::frontend::{Bind, BindWriter, Format, Formats};
use crate::wire::value::{self, Shape};

/// Not the text form of any number or array of numbers.
const POISON_TEXT: &[u8] = b"pgveil";
/// Not the binary form of any number or array.
const POISON_BINARY: &[u8] = &[0; 3];

/// Why the values of a Bind are not what the client wants to store or compare.
#[derive(Debug)]
pub(super) enum Rejected {
    /// One is no id at all. An invalid value stands in its place, so that the server refuses the
    /// message.
    Value(Box<Refusal>),
    /// One was never issued and would be stored. That is an error of execution: the server gets
    /// NULL in its place, and must not be let execute the portal.
    Stored(Box<Refusal>),
}

/// Appends the Bind that the server gets.
pub(super) fn translate(
    shared: &Shared,
    parameters: &Parameters,
    bind: &Bind<'_>,
    echo: &mut Echo,
    out: &mut BytesMut,
) -> Option<Rejected> {
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
        let Some(value) = values.get(parameter.source).copied().flatten() else {
            writer.null();
            continue;
        };
        let format = bind.formats.format(parameter.source);
        // The server refuses a format that is none.
        let (Some(usage), Some(format)) = (&parameter.id, format) else {
            writer.value(|out| out.put_slice(value));
            continue;
        };
        writer.value_or_null(|out| {
            let start = out.len();
            let Err(refusal) = id(shared, parameter, usage, value, format, echo, out) else {
                return true;
            };
            let stored = refusal.code == Code::ForeignId;
            match &rejected {
                Some(Rejected::Value(_)) => {}
                Some(Rejected::Stored(_)) if stored => {}
                _ if stored => rejected = Some(Rejected::Stored(refusal)),
                _ => rejected = Some(Rejected::Value(refusal)),
            }
            out.truncate(start);
            out.put_slice(match format {
                Format::Text => POISON_TEXT,
                Format::Binary => POISON_BINARY,
            });
            !stored
        });
    }
    writer.finish(bind.results);
    rejected
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

fn id(
    shared: &Shared,
    parameter: &SentParameter,
    usage: &IdUsage,
    value: &[u8],
    format: Format,
    echo: &mut Echo,
    out: &mut BytesMut,
) -> Result<(), Box<Refusal>> {
    let shape = if parameter.array {
        Shape::Array
    } else {
        Shape::Scalar
    };
    let int = ids::int(usage.id.key_type);
    // Text has the same form in both formats.
    let format = if parameter.textual {
        Format::Text
    } else {
        format
    };
    value::to_server(value, format, int, shape, out, |uuid| {
        ids::key(shared, usage, uuid, echo)
    })
    .map_err(refusal_of)
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
