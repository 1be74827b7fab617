//! `COPY … TO STDOUT`: the keys in the server's data become ids. The server sends a record in each
//! message, and so does the session: clients rely on it.

use std::ops::Range;

use bytes::BytesMut;

use super::super::codecs::Codecs;
use super::super::fatal::Fatal;
use super::super::id_field::IdField;
use super::super::ids::Sentinels;
use super::super::parts::Parts;
use super::super::price::Price;
use super::super::result::{ComposedField, ShownField, shown_field};
use super::super::rows::{Batch, Cursor, Value};
use super::super::splice::{RowSplice, Slot, next_frame};
use super::super::tags;
use crate::splice::{Misplaced, part};
use crate::sql::plan::CopyPlan;
use crate::wire::copy::{Field, Scanner, Syntax};
use crate::wire::frontend::Format;
use crate::wire::value::Shape;
use crate::wire::{Reader, WireError};

/// The server's data on their way to the client.
#[derive(Debug)]
pub(in crate::session) struct CopyOut {
    syntax: Syntax,
    scanner: Scanner,
    price: Price,
    /// For each column of the syntax.
    columns: Vec<Translated>,
    /// The keys in rows and tags.
    parts: Parts,
    slots: Vec<Slot>,
    fields: Vec<Field>,
    scratch: BytesMut,
}

/// What the values of a column are.
#[derive(Debug)]
enum Translated {
    /// Whether a uuid stands in the field as it is.
    Ids(IdField, Batch, bool),
    /// Rows, documents, or text with tags in it.
    Composed(ComposedField),
}

impl CopyOut {
    pub(in crate::session) fn new(codecs: &Codecs, plan: &CopyPlan) -> Self {
        let syntax = super::syntax(plan);
        let columns = plan.columns.iter().filter_map(|column| {
            Some(match shown_field(0, &column.value)? {
                ShownField::Composed(field) => Translated::Composed(field),
                ShownField::Id(field) => {
                    let batch = Batch::new(codecs, &field);
                    Translated::Ids(field, batch, false)
                }
            })
        });
        let mut columns: Vec<Translated> = columns.collect();
        for (translated, column) in columns.iter_mut().zip(&syntax.columns) {
            if let Translated::Ids(_, _, bare) = translated {
                *bare = syntax.writes_uuids_bare(column);
            }
        }
        let prices = plan.columns.iter();
        let prices = prices.map(|column| super::price_of(codecs, column));
        Self {
            scanner: Scanner::new(&syntax),
            price: prices.max().unwrap_or_default(),
            columns,
            syntax,
            parts: Parts::default(),
            slots: Vec::new(),
            fields: Vec::new(),
            scratch: BytesMut::new(),
        }
    }

    /// What ids cost in their bytes.
    pub(super) const fn price(&self) -> Price {
        self.price
    }

    /// Appends the CopyData messages in `frames`, with ids in the place of keys.
    ///
    /// # Errors
    /// If the data are not as the plan says, or if a key must not be shown.
    pub(in crate::session) fn encode(
        &mut self,
        codecs: &Codecs,
        sentinels: &Sentinels,
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let scanner = self.scanner.clone();
        let encoded = self.encode_together(codecs, sentinels, frames, out);
        if encoded.is_err() {
            // They can be tried by themselves.
            self.scanner = scanner;
        }
        encoded
    }

    fn encode_together(
        &mut self,
        codecs: &Codecs,
        sentinels: &Sentinels,
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        self.slots.clear();
        self.batches().for_each(Batch::clear);
        self.parts.clear();
        let mut rest = Reader::new(frames);
        let mut start = 0;
        while !rest.rest().is_empty() {
            let body = next_frame(&mut rest).map_err(Fatal::Server)?;
            let end = frames.len() - rest.rest().len();
            self.find(codecs, sentinels, body, start..end)?;
            start = end;
        }
        self.batches().for_each(|batch| batch.encrypt(codecs));
        self.parts.encrypt(codecs);
        if frames.len() <= super::super::rows::MOST_TOGETHER_BYTES {
            out.reserve(frames.len() * 2);
        }
        let start = out.len();
        let result = self.replace((codecs, sentinels), frames, out);
        let result = result.and_then(|()| {
            let written = part(&out[..], start..out.len())?;
            self.check_tags(codecs, written)
        });
        if result.is_err() {
            out.truncate(start);
        }
        result
    }

    fn batches(&mut self) -> impl Iterator<Item = &mut Batch> {
        self.columns.iter_mut().filter_map(|column| match column {
            Translated::Ids(_, batch, _) => Some(batch),
            Translated::Composed(_) => None,
        })
    }

    /// No tag stands where none is expected.
    fn check_tags(&self, codecs: &Codecs, written: &[u8]) -> Result<(), Fatal> {
        let is_composed = |column: &Translated| matches!(column, Translated::Composed(_));
        match self.columns.iter().any(is_composed) {
            true => tags::check_none(codecs, written),
            false => Ok(()),
        }
    }

    /// The first pass, over one message.
    fn find(
        &mut self,
        codecs: &Codecs,
        sentinels: &Sentinels,
        body: &[u8],
        frame: Range<usize>,
    ) -> Result<(), Fatal> {
        self.fields.clear();
        let scanned = self.scanner.scan(&self.syntax, body, &mut self.fields);
        // A field that goes on in the next message would be a part of two records.
        if scanned != Ok(body.len()) {
            return Err(Fatal::Server(WireError::Range));
        }
        let offset = frame.end - body.len();
        for field in &self.fields {
            let raw = body.get(field.range.clone()).ok_or(Misplaced)?;
            let (Some(column), Some(translated)) = (
                self.syntax.columns.get(field.column),
                self.columns.get_mut(field.column),
            ) else {
                continue;
            };
            let Some(value) = self.syntax.value(column, raw) else {
                continue;
            };
            self.slots.push(Slot {
                row: frame.start,
                start: offset + field.range.start,
                end: offset + field.range.end,
                field: field.column,
            });
            let format = self.syntax.value_format();
            match translated {
                Translated::Ids(field, batch, _) => {
                    let value = Value {
                        field,
                        value: &value,
                        format,
                    };
                    batch.find(codecs, sentinels, value, &mut self.scratch)?;
                }
                Translated::Composed(field) => {
                    self.parts
                        .find(codecs, sentinels, field, (&value, format))?;
                }
            }
        }
        Ok(())
    }

    /// The second pass.
    fn replace(
        &mut self,
        (codecs, sentinels): (&Codecs, &Sentinels),
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let mut cursors = vec![Cursor::default(); self.columns.len()];
        let mut parts = self.parts.cursors();
        let mut splice = RowSplice::new(frames);
        for slot in &self.slots {
            let raw = splice.replace_bare(slot, out)?;
            let (Some(column), Some(translated), Some(cursor)) = (
                self.syntax.columns.get(slot.field),
                self.columns.get(slot.field),
                cursors.get_mut(slot.field),
            ) else {
                return Err(Fatal::Server(WireError::Range));
            };
            let (id, batch) = match translated {
                Translated::Ids(id, batch, true) if let Some(id) = batch.next_uuid(cursor, id) => {
                    out.extend_from_slice(&id.to_text());
                    continue;
                }
                Translated::Ids(id, batch, _) => (id, batch),
                Translated::Composed(field) => {
                    self.scratch.clear();
                    let value = self.syntax.value(column, raw).unwrap_or_default();
                    let value = (&*value, self.syntax.value_format());
                    let scratch = &mut self.scratch;
                    self.parts
                        .show((codecs, sentinels), &mut parts, field, value, scratch)?;
                    self.syntax.put(column, &self.scratch, out);
                    continue;
                }
            };
            // Of a single key nothing is left to be known.
            let value = match id.shape {
                Shape::Array => self.syntax.value(column, raw).unwrap_or_default(),
                Shape::Scalar => raw.into(),
            };
            let value = Value {
                field: id,
                value: &value,
                format: self.syntax.value_format(),
            };
            // In binary a field is a length and a value, as in a row.
            if value.format == Format::Binary && batch.show_uuid(cursor, value, out) {
                continue;
            }
            self.scratch.clear();
            batch.show(codecs, cursor, value, &mut self.scratch)?;
            self.syntax.put(column, &self.scratch, out);
        }
        Ok(splice.finish(out)?)
    }
}
