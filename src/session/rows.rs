//! Shows the ids of rows. A first pass finds the keys, which are encrypted together because the codecs
//! are fastest in batches; a second one copies the rows with ids in their places. Everything else in a
//! row is copied as it stands.

use std::ops::Range;

use bytes::BytesMut;

use super::codecs::Codecs;
use super::explain::LastLine;
use super::fatal::Fatal;
use super::id_field::IdField;
use super::ids::{self, Resolution, Sentinels};
use super::parts::Parts;
use super::result::{ResultShape, ShownField};
use super::splice::{RowSplice, Slot, next_frame};
use super::tags::{as_text, check_none};
use crate::catalog::DomainId;
use crate::codec::{EncodeError, IdValue, Key, KeyValue, OpaqueId};
use crate::splice::part;
use crate::sql::Refusal;
use crate::sql::refusal::Code;
use crate::wire::frontend::Format;
use crate::wire::value::{self, Malformed, Scalar, Shape, Type};
use crate::wire::{Reader, WireError, sized, uuid_text};

/// More than that comes only in one large row, for which there is room already.
pub(super) const MOST_TOGETHER_BYTES: usize = 256 * 1024;

/// What of a row does not depend on the row.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a, F> {
    pub(super) shape: &'a ResultShape,
    /// The format of a column.
    pub(super) format: F,
    pub(super) sentinels: &'a Sentinels,
}

/// Buffers that are kept from one batch of rows to the next.
#[derive(Debug, Default)]
pub(super) struct RowEncoder {
    slots: Vec<Slot>,
    parts: Parts,
    /// The place of the batch to which each field of the shape belongs, if it is a key.
    places: Vec<usize>,
}

/// A value of an id column as the server sends it.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) field: &'a IdField,
    pub(super) value: &'a [u8],
    pub(super) format: Format,
}

/// The keys of one domain and type, in the order in which they stand in the rows.
#[derive(Debug)]
pub(super) struct Batch {
    domain: DomainId,
    of: Type,
    keys: Keys,
    /// The ids that the client has sent itself, and their places among all.
    sent: Vec<(usize, Scalar<'static>)>,
    /// The number of keys and sent ids.
    count: usize,
}

/// Keys and their ids.
#[derive(Debug)]
enum Keys {
    /// Integers whose ids are UUIDs: the usual case, spared the detour over values of any type.
    Integers(Vec<Key>, Vec<OpaqueId>),
    Any(Vec<KeyValue>, Vec<Result<IdValue, EncodeError>>),
}

/// How far the ids of a batch have been used.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cursor {
    place: usize,
    sent: usize,
}

impl RowEncoder {
    /// Appends the DataRows in `frames`, with ids in the place of keys; `last` is how far the result
    /// has been read, if it is that of EXPLAIN.
    ///
    /// # Errors
    /// If a row is not of the shape, or if a key must not be shown.
    pub(super) fn encode<F: Fn(usize) -> Format>(
        &mut self,
        codecs: &Codecs,
        (rules, last): (&Rules<'_, F>, &mut LastLine),
        frames: &[u8],
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        if let Some(explained) = &rules.shape.explained {
            return explained.encode(codecs, (rules.sentinels, last), frames, out);
        }
        self.prepare(codecs, rules.shape);
        if frames.len() <= MOST_TOGETHER_BYTES {
            out.reserve(frames.len() * 2);
        }
        let start = out.len();
        let result = self.find(codecs, rules, frames).and_then(|()| {
            self.parts.encrypt(codecs);
            self.replace(codecs, rules, frames, out)?;
            match rules.shape.has_composed() {
                true => check_none(codecs, part(&out[..], start..out.len())?),
                false => Ok(()),
            }
        });
        if result.is_err() {
            out.truncate(start);
        }
        // No key stays here longer than it is needed.
        self.slots.clear();
        self.parts.clear();
        result
    }

    /// Finds a batch for each field that is a key.
    fn prepare(&mut self, codecs: &Codecs, shape: &ResultShape) {
        self.places.clear();
        let places = shape.fields.iter().map(|field| match field {
            ShownField::Id(field) => self.parts.place(codecs, field),
            ShownField::Composed(_) => usize::MAX,
        });
        self.places.extend(places);
    }

    /// The first pass.
    fn find<F: Fn(usize) -> Format>(
        &mut self,
        codecs: &Codecs,
        rules: &Rules<'_, F>,
        frames: &[u8],
    ) -> Result<(), Fatal> {
        let mut rest = Reader::new(frames);
        let mut row = 0;
        while !rest.rest().is_empty() {
            let body = next_frame(&mut rest).map_err(Fatal::Server)?;
            let end = frames.len() - rest.rest().len();
            self.find_in_row(codecs, rules, body, row..end)?;
            row = end;
        }
        Ok(())
    }

    /// Reads a row to its end, for the proxy must not take for a row what the client doesn't.
    fn find_in_row<F: Fn(usize) -> Format>(
        &mut self,
        codecs: &Codecs,
        rules: &Rules<'_, F>,
        body: &[u8],
        row: Range<usize>,
    ) -> Result<(), Fatal> {
        let mut reader = Reader::new(body);
        let count = reader.count().map_err(Fatal::Server)?;
        let mut index = 0;
        for (number, field) in rules.shape.fields.iter().enumerate() {
            while index < field.index() {
                reader.value().map_err(Fatal::Server)?;
                index += 1;
            }
            let start = row.end - reader.rest().len();
            let value = reader.value().map_err(Fatal::Server)?;
            index += 1;
            let Some(value) = value else { continue };
            self.slots.push(Slot {
                row: row.start,
                start,
                end: row.end - reader.rest().len(),
                field: number,
            });
            let format = (rules.format)(field.index());
            match field {
                ShownField::Id(field) => {
                    let place = self.places.get(number);
                    let found = place.and_then(|place| self.parts.batch_mut(*place));
                    let (batch, scratch) = found.ok_or(Fatal::Server(WireError::Range))?;
                    let value = Value {
                        field,
                        value,
                        format,
                    };
                    batch.find(codecs, rules.sentinels, value, scratch)?;
                }
                ShownField::Composed(field) => {
                    self.parts
                        .find(codecs, rules.sentinels, field, (value, format))?;
                }
            }
        }
        while index < count {
            reader.value().map_err(Fatal::Server)?;
            index += 1;
        }
        if index > count || !reader.rest().is_empty() {
            return Err(Fatal::Server(WireError::Range));
        }
        Ok(())
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
            let field = rules.shape.fields.get(slot.field);
            let field = field.ok_or(Fatal::Server(WireError::Range))?;
            let format = (rules.format)(field.index());
            let mut result = Ok(());
            match field {
                ShownField::Id(field) => {
                    let place = self.places.get(slot.field).copied().unwrap_or_default();
                    let (Some(batch), Some(cursor)) =
                        (self.parts.batch(place), cursors.get_mut(place))
                    else {
                        return Err(Fatal::Server(WireError::Range));
                    };
                    let value = Value {
                        field,
                        value,
                        format,
                    };
                    if !batch.show_uuid(cursor, value, out) {
                        sized(out, |out| {
                            result = batch.show(codecs, cursor, value, out);
                        });
                    }
                }
                ShownField::Composed(field) => sized(out, |out| {
                    let value = (value, format);
                    result = (self.parts).show(
                        (codecs, rules.sentinels),
                        &mut cursors,
                        field,
                        value,
                        out,
                    );
                }),
            }
            result?;
        }
        Ok(splice.finish(out)?)
    }
}

impl Batch {
    pub(super) fn new(codecs: &Codecs, field: &IdField) -> Self {
        let codec = codecs.codec(field.domain);
        let integers = matches!(field.of, Type::Int2 | Type::Int4 | Type::Int8)
            && codec.is_some_and(|codec| codec.integers_as_uuids().is_some());
        Self {
            domain: field.domain,
            of: field.of,
            keys: if integers {
                Keys::Integers(Vec::new(), Vec::new())
            } else {
                Keys::Any(Vec::new(), Vec::new())
            },
            sent: Vec::new(),
            count: 0,
        }
    }

    /// Whether it is for keys of this kind.
    pub(super) fn holds(&self, field: &IdField) -> bool {
        self.domain == field.domain && self.of == field.of
    }

    pub(super) fn clear(&mut self) {
        self.sent.clear();
        self.count = 0;
        match &mut self.keys {
            Keys::Integers(keys, ids) => {
                keys.clear();
                ids.clear();
            }
            Keys::Any(keys, ids) => {
                keys.clear();
                ids.clear();
            }
        }
    }

    /// Collects the keys in a value.
    #[inline]
    pub(super) fn find(
        &mut self,
        codecs: &Codecs,
        sentinels: &Sentinels,
        value: Value<'_>,
        scratch: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let Value {
            field,
            value,
            format,
        } = value;
        if field.shape == Shape::Array {
            scratch.clear();
            let nothing = Scalar::Text((&[][..]).into());
            return value::translate(value, format, field.types(), Shape::Array, scratch, |key| {
                self.add(codecs, sentinels, field, &key)
                    .map(|()| nothing.clone())
            });
        }
        if let Keys::Integers(keys, _) = &mut self.keys {
            let key = field.of.integer(value, format).map_err(Malformed::Binary)?;
            if sentinels.shown_integer(field.domain, key, field.of) == Resolution::Encoded {
                keys.push(Key::new(key));
                self.count += 1;
                return Ok(());
            }
            return self.add(codecs, sentinels, field, &Scalar::Int(key));
        }
        let key = Scalar::decode(value, format, field.of)?;
        self.add(codecs, sentinels, field, &key)
    }

    pub(super) fn add(
        &mut self,
        codecs: &Codecs,
        sentinels: &Sentinels,
        field: &IdField,
        key: &Scalar<'_>,
    ) -> Result<(), Fatal> {
        match codecs.shown(sentinels, field.domain, key, field.of) {
            Resolution::Encoded => match (&mut self.keys, key) {
                (Keys::Integers(keys, _), Scalar::Int(key)) => keys.push(Key::new(*key)),
                (Keys::Any(keys, _), _) => {
                    let key = ids::key_value(key);
                    let refused = || Fatal::Unshown(unencodable(codecs, field));
                    keys.push(key.ok_or_else(refused)?);
                }
                (Keys::Integers(..), _) => return Err(Fatal::Server(WireError::Range)),
            },
            Resolution::Sent(id) if ids::suits(id, field.shown) => {
                self.sent.push((self.count, id.clone()));
            }
            Resolution::Sent(_) => return Err(Fatal::Unshown(sentinel())),
            Resolution::Several => return Err(Fatal::Unshown(ambiguous())),
            Resolution::Nothing => return Err(Fatal::Unshown(sentinel())),
        }
        self.count += 1;
        Ok(())
    }

    pub(super) fn encrypt(&mut self, codecs: &Codecs) {
        match &mut self.keys {
            Keys::Integers(keys, ids) => codecs.encode_integers(self.domain, keys, ids),
            Keys::Any(keys, ids) => codecs.encode_batch(self.domain, keys, ids),
        }
    }

    /// The next id, if it is the usual one: a uuid for an integer.
    #[inline]
    pub(super) fn next_uuid(&self, cursor: &mut Cursor, field: &IdField) -> Option<&OpaqueId> {
        let Keys::Integers(_, ids) = &self.keys else {
            return None;
        };
        if !self.sent.is_empty() || field.shape == Shape::Array || field.shown != Type::Uuid {
            return None;
        }
        let id = ids.get(cursor.place)?;
        cursor.place += 1;
        Some(id)
    }

    /// Appends the next id with its length, if it is that.
    #[inline]
    pub(super) fn show_uuid(
        &self,
        cursor: &mut Cursor,
        value: Value<'_>,
        out: &mut BytesMut,
    ) -> bool {
        let Some(id) = self.next_uuid(cursor, value.field) else {
            return false;
        };
        match value.format {
            Format::Text => {
                let mut text = [0; 4 + uuid_text::TEXT_BYTES];
                let (length, digits) = text.split_at_mut(4);
                length.copy_from_slice(&36_u32.to_be_bytes());
                digits.copy_from_slice(&id.to_text());
                out.extend_from_slice(&text);
            }
            Format::Binary => {
                let mut bytes = [0; 4 + 16];
                let (length, id_bytes) = bytes.split_at_mut(4);
                length.copy_from_slice(&16_u32.to_be_bytes());
                id_bytes.copy_from_slice(&id.to_bytes());
                out.extend_from_slice(&bytes);
            }
        }
        true
    }

    /// Appends a value with ids in the place of keys.
    pub(super) fn show(
        &self,
        codecs: &Codecs,
        cursor: &mut Cursor,
        value: Value<'_>,
        out: &mut BytesMut,
    ) -> Result<(), Fatal> {
        let Value {
            field,
            value,
            format,
        } = value;
        let mut next = || {
            let id = self.next(cursor, field.shown);
            id.ok_or_else(|| Fatal::Unshown(unencodable(codecs, field)))
        };
        match field.shape {
            Shape::Scalar => next()?.encode(format, field.shown, out),
            Shape::Array => {
                value::translate(value, format, field.types(), Shape::Array, out, |_| next())?;
            }
        }
        Ok(())
    }

    /// The next id in the form in which it is shown; `None` if the codec has none for the key.
    #[inline]
    pub(super) fn next(&self, cursor: &mut Cursor, shown: Type) -> Option<Scalar<'_>> {
        self.next_id(cursor).map(|id| as_text(id, shown))
    }

    /// The next id; `None` if the codec has none for the key.
    #[inline]
    pub(super) fn next_id(&self, cursor: &mut Cursor) -> Option<Scalar<'_>> {
        let place = cursor.place;
        cursor.place += 1;
        if let Some((at, id)) = self.sent.get(cursor.sent)
            && *at == place
        {
            cursor.sent += 1;
            return Some(id.clone());
        }
        let key = place - cursor.sent;
        match &self.keys {
            Keys::Integers(_, ids) => ids.get(key).map(|id| Scalar::Uuid(id.to_bytes())),
            Keys::Any(_, ids) => ids.get(key)?.as_ref().ok().map(ids::shown),
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

/// A key that must not be shown: it stands for one of several ids that were never issued, as a
/// statement has sent more of them than there are values to tell them apart.
fn ambiguous() -> Box<Refusal> {
    let message = "a result shows again one of more ids that were never issued than can be told \
                   apart in one statement";
    let refusal = Refusal::new(Code::ForeignId, "54000", message);
    Box::new(
        refusal.hint("Send fewer of them at once: no more than 250, and of smallint keys one."),
    )
}

/// A key that has no id.
pub(super) fn unencodable(codecs: &Codecs, field: &IdField) -> Box<Refusal> {
    let domain = codecs.domain_name(field.domain).unwrap_or_default();
    let column = field.index + 1;
    Box::new(Refusal::new(
        Code::ForeignId,
        "XX000",
        format!(
            "column {column} of the result holds a value that the codec of the id domain \
             \"{domain}\" can't represent"
        ),
    ))
}
