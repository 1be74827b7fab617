//! `COPY … TO STDOUT`: the keys in the server's data become ids. The server sends a record in each
//! message, and so does the session: clients rely on it.

use std::ops::Range;

use bytes::BytesMut;

use super::super::fatal::Fatal;
use super::super::ids::Echo;
use super::super::result::{IdField, id_fields};
use super::super::rows::{Batch, Cursor, Value, next_frame};
use super::super::shared::Shared;
use super::super::splice::{Slot, Splice};
use crate::sql::plan::CopyPlan;
use crate::wire::copy::{Field, Scanner, Syntax};
use crate::wire::value::Shape;
use crate::wire::{Reader, WireError};

/// The server's data on their way to the client.
#[derive(Debug)]
pub(in crate::session) struct CopyOut {
    syntax: Syntax,
    scanner: Scanner,
    /// For each column of the syntax.
    columns: Vec<(IdField, Batch)>,
    slots: Vec<Slot>,
    fields: Vec<Field>,
    scratch: BytesMut,
}

impl CopyOut {
    pub(super) fn new(shared: &Shared, plan: &CopyPlan) -> Self {
        let syntax = super::syntax(plan);
        let values = plan.columns.iter().map(|column| &column.value);
        let fields = id_fields(values);
        let columns = fields.into_iter().map(|field| {
            let batch = Batch::new(shared, &field);
            (field, batch)
        });
        Self {
            scanner: Scanner::new(&syntax),
            columns: columns.collect(),
            syntax,
            slots: Vec::new(),
            fields: Vec::new(),
            scratch: BytesMut::new(),
        }
    }

    /// Appends the CopyData messages in `frames`, with ids in the place of keys.
    ///
    /// # Errors
    /// If the data are not as the plan says, or if a key must not be shown.
    pub(in crate::session) fn encode(
        &mut self,
        shared: &Shared,
        echo: &Echo,
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        self.slots.clear();
        self.columns.iter_mut().for_each(|(_, batch)| batch.clear());
        let mut rest = Reader::new(frames);
        let mut start = 0;
        while !rest.rest().is_empty() {
            let body = next_frame(&mut rest).map_err(Fatal::Server)?;
            let end = frames.len() - rest.rest().len();
            self.find(shared, echo, body, start..end)?;
            start = end;
        }
        for (_, batch) in &mut self.columns {
            batch.encrypt(shared);
        }
        out.reserve(frames.len() * 2);
        let start = out.len();
        let result = self.replace(shared, frames, out);
        if result.is_err() {
            out.truncate(start);
        }
        result
    }

    /// The first pass, over one message.
    fn find(
        &mut self,
        shared: &Shared,
        echo: &Echo,
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
            let raw = body.get(field.range.clone()).unwrap_or_default();
            let (Some(column), Some((id, batch))) = (
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
            let value = Value {
                field: id,
                value: &value,
                format: self.syntax.value_format(),
            };
            batch.find(shared, echo, value, &mut self.scratch)?;
        }
        Ok(())
    }

    /// The second pass.
    fn replace(&mut self, shared: &Shared, frames: &[u8], out: &mut BytesMut) -> Result<(), Fatal> {
        let mut cursors = vec![Cursor::default(); self.columns.len()];
        let mut splice = Splice::new(frames);
        for slot in &self.slots {
            splice.copy_to(slot, out);
            let (Some(column), Some((id, batch)), Some(cursor)) = (
                self.syntax.columns.get(slot.field),
                self.columns.get(slot.field),
                cursors.get_mut(slot.field),
            ) else {
                return Err(Fatal::Server(WireError::Range));
            };
            let raw = frames.get(slot.start..slot.end).unwrap_or_default();
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
            self.scratch.clear();
            batch.show(shared, cursor, value, &mut self.scratch)?;
            self.syntax.put(column, &self.scratch, out);
            splice.skip(slot);
        }
        splice.finish(out);
        Ok(())
    }
}
