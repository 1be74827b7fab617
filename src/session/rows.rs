//! Encrypts the id columns of rows. Everything else in a row is copied as it stands; the keys of
//! all rows at hand are encrypted together, because the codec is fastest in batches.

use bytes::BytesMut;

use super::fatal::Fatal;
use super::ids::{Echo, Shown};
use super::result::{IdField, ResultShape};
use super::shared::Shared;
use crate::catalog::DomainId;
use crate::codec::{EncodeError, IdValue, Key, KeyValue, OpaqueId};
use crate::sql::Refusal;
use crate::sql::refusal::Code;
use crate::wire::frontend::Format;
use crate::wire::{Reader, WireError, message, sized, uuid_text, value};

/// What of a row does not depend on the row.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a, F> {
    pub(super) shape: &'a ResultShape,
    /// The format of a column.
    pub(super) format: F,
    pub(super) echo: &'a Echo,
}

/// The keys of one domain, and where in the output their ids belong.
#[derive(Debug)]
struct Batch {
    domain: DomainId,
    keys: Vec<KeyValue>,
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    at: usize,
    format: Format,
}

/// Buffers that are kept from one batch to the next.
#[derive(Debug, Default)]
pub(super) struct RowEncoder {
    batches: Vec<Batch>,
    ids: Vec<Result<IdValue, EncodeError>>,
}

impl RowEncoder {
    /// Appends the DataRows in `frames`, with ids in the place of keys.
    ///
    /// # Errors
    /// If a row is not of the shape, or if a key must not be shown.
    pub(super) fn encode<F: Fn(usize) -> Format>(
        &mut self,
        shared: &Shared,
        rules: &Rules<'_, F>,
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        out.reserve(frames.len() * 2);
        let start = out.len();
        let result = self
            .rows(rules, frames, out)
            .and_then(|()| self.fill(shared, out));
        if result.is_err() {
            // What was written has room in the place of ids.
            out.truncate(start);
        }
        result
    }

    fn rows<F: Fn(usize) -> Format>(
        &mut self,
        rules: &Rules<'_, F>,
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let mut rest = Reader::new(frames);
        while !rest.rest().is_empty() {
            let row = next_row(&mut rest).map_err(Fatal::Server)?;
            self.row(rules, row, out)?;
        }
        Ok(())
    }

    /// Copies one row, with room in the place of keys.
    fn row<F: Fn(usize) -> Format>(
        &mut self,
        rules: &Rules<'_, F>,
        body: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let mut reader = Reader::new(body);
        let mut result = Ok(());
        let mut copied = body;
        message(out, b'D', |out| {
            result = self.fields(rules, &mut reader, &mut copied, out);
        });
        result
    }

    fn fields<'b, F: Fn(usize) -> Format>(
        &mut self,
        rules: &Rules<'_, F>,
        reader: &mut Reader<'b>,
        copied: &mut &'b [u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let count = reader.count().map_err(Fatal::Server)?;
        let mut index = 0;
        for field in &rules.shape.ids {
            while index < field.index {
                reader.value().map_err(Fatal::Server)?;
                index += 1;
            }
            // Everything between the last id and this one's length word.
            copy_until(copied, reader.rest().len(), out);
            let value = reader.value().map_err(Fatal::Server)?;
            index += 1;
            if let Some(value) = value {
                self.field(rules, field, value, out)?;
                *copied = reader.rest();
            }
        }
        while index < count {
            reader.value().map_err(Fatal::Server)?;
            index += 1;
        }
        if index > count || !reader.rest().is_empty() {
            return Err(Fatal::Server(WireError::Range));
        }
        copy_until(copied, 0, out);
        Ok(())
    }

    fn field<F: Fn(usize) -> Format>(
        &mut self,
        rules: &Rules<'_, F>,
        field: &IdField,
        value: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let format = (rules.format)(field.index);
        let batch = self.batch(field.domain);
        let mut hidden = false;
        let mut result = Ok(());
        sized(out, |out| {
            result = value::to_client(value, format, field.int, field.shape, out, |key, out| {
                let at = out.len();
                let bytes = match format {
                    Format::Text => uuid_text::TEXT_BYTES,
                    Format::Binary => 16,
                };
                out.resize(at + bytes, 0);
                match rules.echo.shown(field.domain, key, field.int) {
                    Shown::Encoded => {
                        batch.keys.push(KeyValue::Integer(Key::new(key)));
                        batch.slots.push(Slot { at, format });
                    }
                    Shown::Sent(id) => write(out, Slot { at, format }, id),
                    Shown::Nothing => hidden = true,
                }
            });
        });
        result.map_err(Fatal::Server)?;
        if hidden {
            return Err(Fatal::Result(sentinel()));
        }
        Ok(())
    }

    fn batch(&mut self, domain: DomainId) -> &mut Batch {
        let position = self.batches.iter().position(|batch| batch.domain == domain);
        let position = position.unwrap_or_else(|| {
            self.batches.push(Batch {
                domain,
                keys: Vec::new(),
                slots: Vec::new(),
            });
            self.batches.len() - 1
        });
        &mut self.batches[position]
    }

    /// Encrypts the keys and writes the ids into their places.
    fn fill(&mut self, shared: &Shared, out: &mut BytesMut) -> Result<(), Fatal> {
        for batch in &mut self.batches {
            if batch.keys.is_empty() {
                continue;
            }
            let codec = shared
                .codec(batch.domain)
                .ok_or_else(|| Fatal::Result(sentinel()))?;
            self.ids.clear();
            codec.encode_batch(&batch.keys, &mut self.ids);
            for (slot, id) in batch.slots.iter().zip(&self.ids) {
                let Ok(IdValue::Uuid(id)) = id else {
                    return Err(Fatal::Result(sentinel()));
                };
                write(out, *slot, *id);
            }
            batch.keys.clear();
            batch.slots.clear();
        }
        Ok(())
    }
}

/// The body of the first frame.
fn next_row<'b>(frames: &mut Reader<'b>) -> Result<&'b [u8], WireError> {
    frames.u8()?;
    let length = usize::try_from(frames.u32()?).map_err(|_| WireError::Length)?;
    frames.bytes(length.checked_sub(4).ok_or(WireError::Length)?)
}

/// Copies from `copied` until `left` bytes of the body are left.
fn copy_until(copied: &mut &[u8], left: usize, out: &mut BytesMut) {
    if let Some((head, tail)) = copied.split_at_checked(copied.len() - left.min(copied.len())) {
        out.extend_from_slice(head);
        *copied = tail;
    }
}

fn write(out: &mut BytesMut, Slot { at, format }: Slot, id: OpaqueId) {
    match format {
        Format::Text => {
            if let Some(place) = out.get_mut(at..at + uuid_text::TEXT_BYTES) {
                place.copy_from_slice(&id.to_text());
            }
        }
        Format::Binary => {
            if let Some(place) = out.get_mut(at..at + 16) {
                place.copy_from_slice(&id.to_bytes());
            }
        }
    }
}

/// A key that must not be shown: the smallest of its type stands for ids that were never issued.
fn sentinel() -> Box<Refusal> {
    Box::new(Refusal::new(
        Code::ForeignId,
        "XX000",
        "a result holds the smallest value of its type in an id column, which is \
                  reserved for ids that were never issued",
    ))
}
