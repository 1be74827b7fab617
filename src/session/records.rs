//! Shows the ids inside rows that are values: `SELECT u FROM users u`, `ROW(id, name)`, arrays of
//! them. A first pass finds the keys, which are encrypted together; a second one writes the values
//! anew. How such values are written is the business of [`crate::wire::nested`].

use bytes::BytesMut;

use super::codecs::Codecs;
use super::documents;
use super::fatal::Fatal;
use super::ids::Echo;
use super::result::{IdField, Part, RecordField};
use super::rows::{Batch, Cursor, Rules, unencodable};
use super::splice::{RowSplice, Slot, for_each_value};
use super::tags;
use crate::catalog::DomainId;
use crate::sql::plan::JsonShape;
use crate::wire::frontend::Format;
use crate::wire::nested;
use crate::wire::value::{Scalar, Type};
use crate::wire::{WireError, sized};

/// Translates rows that are values. The buffers are kept from one batch of rows to the next.
#[derive(Debug, Default)]
pub(super) struct RecordEncoder {
    parts: Parts,
    slots: Vec<Slot>,
}

impl RecordEncoder {
    /// Appends the DataRows in `frames`, with ids in the place of keys inside records.
    ///
    /// # Errors
    /// If a value is not of the shape, or if a key must not be shown.
    pub(super) fn encode<F: Fn(usize) -> Format>(
        &mut self,
        codecs: &Codecs,
        rules: &Rules<'_, F>,
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let result = self.find(codecs, rules, frames).and_then(|()| {
            self.parts.encrypt(codecs);
            self.replace(codecs, rules, frames, out)
        });
        self.slots.clear();
        self.parts.clear();
        result
    }

    /// The first pass.
    fn find<F: Fn(usize) -> Format>(
        &mut self,
        codecs: &Codecs,
        rules: &Rules<'_, F>,
        frames: &[u8],
    ) -> Result<(), Fatal> {
        for_each_value(
            frames,
            &rules.shape.records,
            |field| field.index,
            |slot, field, value| {
                let value = (value, (rules.format)(field.index));
                self.parts.find(codecs, rules.echo, field, value)?;
                self.slots.push(slot);
                Ok(())
            },
        )
    }

    /// The second pass.
    fn replace<F: Fn(usize) -> Format>(
        &self,
        codecs: &Codecs,
        rules: &Rules<'_, F>,
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let mut cursors = self.parts.cursors();
        let mut splice = RowSplice::new(frames);
        for slot in &self.slots {
            let value = splice.replace(slot, out)?;
            let field = rules.shape.records.get(slot.field);
            let field = field.ok_or(Fatal::Server(WireError::Range))?;
            let value = (value, (rules.format)(field.index));
            let mut result = Ok(());
            sized(out, |out| {
                result = (self.parts).show((codecs, rules.echo), &mut cursors, field, value, out);
            });
            result?;
        }
        Ok(splice.finish(out)?)
    }
}

/// The keys inside values: all are found, then encrypted together, then shown in the same order.
#[derive(Debug, Default)]
pub(super) struct Parts {
    batches: Vec<(DomainId, Type, Batch)>,
    /// What values become while their keys are only looked for.
    scratch: BytesMut,
}

/// How far each of the batches has been shown.
pub(super) type Cursors = Vec<Cursor>;

impl Parts {
    /// Takes the keys of a value.
    ///
    /// # Errors
    /// If it is not of the shape, or if a key must not be shown.
    pub(super) fn find(
        &mut self,
        codecs: &Codecs,
        echo: &Echo,
        field: &RecordField,
        (value, format): (&[u8], Format),
    ) -> Result<(), Fatal> {
        let batches = &mut self.batches;
        let nothing = Scalar::Text((&[][..]).into());
        self.scratch.clear();
        let mut add = |of: &IdField, key: &Scalar<'_>| {
            let place = place(batches, of).unwrap_or_else(|| {
                batches.push((of.domain, of.of, Batch::new(codecs, of)));
                batches.len() - 1
            });
            let batch = batches.get_mut(place).map(|(_, _, batch)| batch);
            let batch = batch.ok_or(Fatal::Server(WireError::Range))?;
            batch.add(codecs, echo, of, key)
        };
        nested::translate::<_, Fatal>(
            value,
            format,
            &field.value,
            &mut self.scratch,
            &mut |part: &Part, value| {
                match (part, &value) {
                    (Part::Id(of), key) => add(of, key)?,
                    (Part::Tagged | Part::Mixed, Scalar::Text(text)) => {
                        tags::replace_in(codecs, text, field.index, |of, key, _| add(of, key))?;
                    }
                    (Part::Document(shape), Scalar::Text(text)) => {
                        if shape.tagged {
                            let text = document((codecs, echo), shape, (text, format))?;
                            tags::replace_in(codecs, &text, field.index, |of, key, _| {
                                add(of, key)
                            })?;
                        }
                    }
                    (Part::Tagged | Part::Mixed | Part::Document(_), _) => {
                        return Err(Fatal::Server(WireError::Range));
                    }
                }
                Ok(nothing.clone())
            },
        )
    }

    pub(super) fn encrypt(&mut self, codecs: &Codecs) {
        for (_, _, batch) in &mut self.batches {
            batch.encrypt(codecs);
        }
    }

    /// Forgets the keys.
    pub(super) fn clear(&mut self) {
        self.scratch.clear();
        self.batches
            .iter_mut()
            .for_each(|(_, _, batch)| batch.clear());
    }

    /// The beginning of all batches.
    pub(super) fn cursors(&self) -> Cursors {
        vec![Cursor::default(); self.batches.len()]
    }

    /// Appends a value with ids in the place of keys: the next one that has not been shown.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub(super) fn show(
        &self,
        (codecs, echo): (&Codecs, &Echo),
        cursors: &mut Cursors,
        field: &RecordField,
        (value, format): (&[u8], Format),
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        nested::translate(
            value,
            format,
            &field.value,
            out,
            &mut |part: &Part, value| match (part, &value) {
                (Part::Id(of), _) => self.next(codecs, cursors, of),
                (Part::Tagged | Part::Mixed, Scalar::Text(text)) => {
                    let text = tags::replace_in(codecs, text, field.index, |of, _, out| {
                        let id = self.next(codecs, cursors, of)?;
                        id.encode(Format::Text, Type::Text, out);
                        Ok(())
                    })?;
                    match part {
                        Part::Mixed => tags::uuid(&text),
                        _ => Ok(Scalar::Text(text.to_vec().into())),
                    }
                }
                (Part::Document(shape), Scalar::Text(text)) => {
                    let text = document((codecs, echo), shape, (text, format))?;
                    let text = tags::replace_in(codecs, &text, field.index, |of, _, out| {
                        let id = self.next(codecs, cursors, of)?;
                        id.encode(Format::Text, Type::Text, out);
                        Ok(())
                    })?;
                    Ok(Scalar::Text(text.to_vec().into()))
                }
                (Part::Tagged | Part::Mixed | Part::Document(_), _) => {
                    Err(Fatal::Server(WireError::Range))
                }
            },
        )
    }

    /// The id of the next key of a kind.
    fn next(
        &self,
        codecs: &Codecs,
        cursors: &mut [Cursor],
        of: &IdField,
    ) -> Result<Scalar<'_>, Fatal> {
        let place = place(&self.batches, of);
        let found = place.and_then(|place| {
            let (_, _, batch) = self.batches.get(place)?;
            batch.next(cursors.get_mut(place)?, of.shown)
        });
        found.ok_or_else(|| Fatal::Unshown(unencodable(codecs, of)))
    }
}

/// A document with ids in the place of keys that are in no tag.
fn document(
    codecs: (&Codecs, &Echo),
    shape: &JsonShape,
    (value, format): (&[u8], Format),
) -> Result<BytesMut, Fatal> {
    let (version, text) = documents::versioned(value, format);
    let mut out = BytesMut::from(version);
    documents::document(codecs, shape, text, &mut out)?;
    Ok(out)
}

/// The batch for keys of a kind.
fn place(batches: &[(DomainId, Type, Batch)], of: &IdField) -> Option<usize> {
    let suits = |(domain, key, _): &(DomainId, Type, Batch)| *domain == of.domain && *key == of.of;
    batches.iter().position(suits)
}
