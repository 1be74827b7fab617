//! The keys of values: those that values are, and those inside of rows that are values, of arrays,
//! documents and text with tags. All are found, then encrypted together, for the codecs are fastest in
//! batches, and then shown in the order in which they were found. How values with others inside are
//! written is the business of [`crate::wire::nested`].

use bytes::BytesMut;

use super::codecs::Codecs;
use super::documents;
use super::fatal::{Fatal, disagreement};
use super::id_field::IdField;
use super::ids::{self, Sentinels};
use super::result::{ComposedField, Part};
use super::rows::{Batch, Cursor, unencodable};
use super::tags;
use crate::sql::plan::JsonShape;
use crate::wire::WireError;
use crate::wire::composite;
use crate::wire::frontend::Format;
use crate::wire::value::Scalar;

/// Keys that are shown together.
#[derive(Debug, Default)]
pub(super) struct Parts {
    batches: Vec<Batch>,
    /// What values become while their keys are only looked for.
    scratch: BytesMut,
}

/// How far each of the batches has been shown.
pub(super) type Cursors = Vec<Cursor>;

impl Parts {
    /// The place of the batch for keys of a kind, which is made if there is none.
    pub(super) fn place(&mut self, codecs: &Codecs, of: &IdField) -> usize {
        place(&mut self.batches, codecs, of)
    }

    /// The batch at a place, and what its values are written to while keys are looked for.
    pub(super) fn batch_mut(&mut self, place: usize) -> Option<(&mut Batch, &mut BytesMut)> {
        let batch = self.batches.get_mut(place)?;
        Some((batch, &mut self.scratch))
    }

    /// The batch at a place.
    pub(super) fn batch(&self, place: usize) -> Option<&Batch> {
        self.batches.get(place)
    }

    /// Takes the keys of a value.
    ///
    /// # Errors
    /// If it is not of the shape, or if a key must not be shown.
    pub(super) fn find(
        &mut self,
        codecs: &Codecs,
        sentinels: &Sentinels,
        field: &ComposedField,
        (value, format): (&[u8], Format),
    ) -> Result<(), Fatal> {
        check_version(field, (value, format))?;
        let batches = &mut self.batches;
        let nothing = Scalar::Text((&[][..]).into());
        self.scratch.clear();
        let mut add = |of: &IdField, key: &Scalar<'_>| {
            let place = place(batches, codecs, of);
            let batch = batches.get_mut(place);
            let batch = batch.ok_or(Fatal::Server(WireError::Range))?;
            batch.add(codecs, sentinels, of, key)
        };
        composite::translate::<_, Fatal>(
            value,
            format,
            &field.value,
            &mut self.scratch,
            &mut |part: &Part, value| {
                match (part, &value) {
                    (Part::Id(of), key) => add(of, key)?,
                    (Part::Tagged | Part::Mixed, Scalar::Text(text)) => {
                        tags::find_in(codecs, text, field.index, &mut add)?;
                    }
                    (Part::Document(shape), Scalar::Text(text)) => {
                        if shape.tagged {
                            let text = document((codecs, sentinels), shape, (text, format))?;
                            tags::find_in(codecs, &text, field.index, &mut add)?;
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
        for batch in &mut self.batches {
            batch.encrypt(codecs);
        }
    }

    /// Forgets the keys: none stays longer than it is needed.
    pub(super) fn clear(&mut self) {
        self.scratch.clear();
        self.batches.iter_mut().for_each(Batch::clear);
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
        (codecs, sentinels): (&Codecs, &Sentinels),
        cursors: &mut Cursors,
        field: &ComposedField,
        (value, format): (&[u8], Format),
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        composite::translate(
            value,
            format,
            &field.value,
            out,
            &mut |part: &Part, value| match (part, &value) {
                (Part::Id(of), _) => self.next(codecs, cursors, of),
                (Part::Tagged | Part::Mixed, Scalar::Text(text)) => {
                    let text = tags::replace_in(codecs, text, field.index, |of, out| {
                        self.append(codecs, cursors, of, out)
                    })?;
                    match part {
                        Part::Mixed => tags::uuid(&text),
                        _ => Ok(Scalar::Text(Vec::from(text).into())),
                    }
                }
                (Part::Document(shape), Scalar::Text(text)) => {
                    let text = document((codecs, sentinels), shape, (text, format))?;
                    let text = tags::replace_in(codecs, &text, field.index, |of, out| {
                        self.append(codecs, cursors, of, out)
                    })?;
                    Ok(Scalar::Text(Vec::from(text).into()))
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
        let found = self.batch_of(cursors, of);
        let found = found.and_then(|(batch, cursor)| batch.next(cursor, of.shown));
        found.ok_or_else(|| Fatal::Unshown(unencodable(codecs, of)))
    }

    /// Appends the text of the id of the next key of a kind.
    fn append(
        &self,
        codecs: &Codecs,
        cursors: &mut [Cursor],
        of: &IdField,
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let found = self.batch_of(cursors, of);
        let found = found.and_then(|(batch, cursor)| batch.next_id(cursor));
        let id = found.ok_or_else(|| Fatal::Unshown(unencodable(codecs, of)))?;
        id.encode(Format::Text, ids::type_of(&id), out);
        Ok(())
    }

    /// The batch for keys of a kind, and how far it has been shown.
    fn batch_of<'c>(
        &self,
        cursors: &'c mut [Cursor],
        of: &IdField,
    ) -> Option<(&Batch, &'c mut Cursor)> {
        let place = self.batches.iter().position(|batch| batch.holds(of))?;
        self.batches.get(place).zip(cursors.get_mut(place))
    }
}

/// Checks that a column of type `jsonb` is of the version that is known.
fn check_version(field: &ComposedField, (value, format): (&[u8], Format)) -> Result<(), Fatal> {
    let has_version = || !documents::versioned(value, format).0.is_empty();
    match field.jsonb && format == Format::Binary && !has_version() {
        true => Err(Fatal::Unshown(disagreement())),
        false => Ok(()),
    }
}

/// A document with ids in the place of keys that are in no tag.
fn document(
    codecs: (&Codecs, &Sentinels),
    shape: &JsonShape,
    (value, format): (&[u8], Format),
) -> Result<BytesMut, Fatal> {
    let (version, text) = documents::versioned(value, format);
    let mut out = BytesMut::from(version);
    documents::document(codecs, shape, text, &mut out)?;
    Ok(out)
}

/// The place of the batch for keys of a kind, which is made if there is none.
fn place(batches: &mut Vec<Batch>, codecs: &Codecs, of: &IdField) -> usize {
    let known = batches.iter().position(|batch| batch.holds(of));
    known.unwrap_or_else(|| {
        batches.push(Batch::new(codecs, of));
        batches.len() - 1
    })
}
