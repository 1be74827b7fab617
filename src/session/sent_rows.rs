//! Rows with ids in them that the client sends as one value, in a literal or a parameter: each id
//! becomes a key.

use bytes::BytesMut;

use super::codecs::Codecs;
use super::ids::{self, Sentinels};
use crate::sql::Refusal;
use crate::sql::plan::{IdUsage, SentField, SentRow};
use crate::wire::composite::{self, Leaf, Nested};
use crate::wire::frontend::Format;
use crate::wire::value::{Malformed, Scalar, Types};

/// An id in a row.
struct Sent<'p>(&'p IdUsage);

impl Leaf for Sent<'_> {
    const IS_SENT: bool = true;

    fn types(&self) -> Types {
        ids::types(self.0)
    }
}

/// Appends a row, or an array of rows, with keys in the place of ids. `check` judges the text of
/// an id.
///
/// # Errors
/// If the value is not of the shape, or one in it is no id or must not be stored.
pub(super) fn translate(
    codecs: &Codecs,
    row: &SentRow,
    (value, format): (&[u8], Format),
    check: &dyn Fn(&[u8]) -> Result<(), Malformed<'static>>,
    sentinels: &mut Sentinels,
    out: &mut BytesMut,
) -> Result<(), Box<Refusal>> {
    composite::translate::<_, Box<Refusal>>(
        value,
        format,
        &nested(row),
        out,
        &mut |Sent(usage), id| {
            if let Scalar::Text(text) = &id {
                check(text)?;
            }
            ids::key(codecs, usage, id, sentinels)
        },
    )
}

fn nested(row: &SentRow) -> Nested<Sent<'_>> {
    let fields = row.fields.iter().map(|field| match field {
        SentField::Clean => Nested::Clean,
        SentField::Id(usage) => Nested::Leaf(Sent(usage)),
        SentField::IdArray(usage) => Nested::Array(Box::new(Nested::Leaf(Sent(usage)))),
        SentField::Row(row) => nested(row),
    });
    let record = Nested::Record(fields.collect());
    match row.array {
        true => Nested::Array(Box::new(record)),
        false => record,
    }
}
