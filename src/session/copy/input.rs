//! `COPY … FROM STDIN`: the ids in the client's data become keys. What has arrived is taken
//! together, because the codecs are fastest in batches.

use std::ops::Range;
use std::sync::Arc;

use bytes::{Buf, BufMut, BytesMut};

use super::super::codecs::Codecs;
use super::super::documents::versioned;
use super::super::ids::{self, Sentinels};
use super::super::json;
use super::super::memory::{Exceeded, Lease, SMALL_BYTES};
use super::super::price::Price;
use super::super::rows::MOST_TOGETHER_BYTES;
use crate::catalog::IdType;
use crate::codec::{DecodeError, IdValue, IntegerType, Key, KeyValue, OpaqueId, ValueType};
use crate::pg::Type;
use crate::pg::reserved::{MAX, NIL, is_reserved};
use crate::splice::{Misplaced, Splice};
use crate::sql::Refusal;
use crate::sql::plan::{ColumnValue, CopyPlan, IdUsage, JsonShape};
use crate::sql::refusal::Code;
use crate::wire::copy::{Field, Malformed, Scanner, Syntax};
use crate::wire::frontend::Format;
use crate::wire::value::{self, Scalar, Shape, check_utf8};
use crate::wire::{message, sized, uuid_text};

/// As much of a value a context shows (`MAX_COPY_DATA_DISPLAY`).
const SHOWN_BYTES: usize = 100;

/// The client's data on their way to the server.
#[derive(Debug)]
pub(in crate::session) struct CopyIn {
    syntax: Syntax,
    scanner: Scanner,
    /// For each column of the syntax.
    columns: Vec<IdColumn>,
    /// What ids cost: in their bytes, and for each value.
    price: (Price, Price),
    table: String,
    utf8: bool,
    /// Data that have not been translated yet.
    staged: BytesMut,
    /// How much of them has been scanned.
    scanned: usize,
    /// The fields that were found, and how far they and what stands between them reach: the rest
    /// waits for its end.
    fields: Vec<Field>,
    settled: usize,
    /// What is wrong behind that.
    fault: Option<Malformed>,
    scratch: BytesMut,
}

#[derive(Debug)]
struct IdColumn {
    name: String,
    values: Values,
}

/// What the values of a column are.
#[derive(Debug)]
enum Values {
    Ids(Box<Ids>),
    Documents(Arc<JsonShape>),
}

#[derive(Debug)]
struct Ids {
    usage: IdUsage,
    shape: Shape,
    batch: Batch,
}

/// The ids of a column, in order, and the keys that they stand for.
#[derive(Debug, Default)]
struct Batch {
    ids: Vec<IdValue>,
    keys: Vec<Result<KeyValue, DecodeError>>,
    used: usize,
    usual: Option<Box<Usual>>,
}

/// The usual ids: UUIDs for integers, spared the detour over values of any type.
#[derive(Debug)]
struct Usual {
    column: IntegerType,
    /// Whether a number stands in the field as it is.
    bare: bool,
    ids: Vec<OpaqueId>,
    keys: Vec<Result<Key, DecodeError>>,
    /// Which of the fields they are.
    places: Vec<usize>,
    used: usize,
}

impl Usual {
    fn of(codecs: &Codecs, id: IdType, bare: bool) -> Option<Self> {
        let codec = codecs.codec(id.domain).filter(|codec| !codec.has_marks())?;
        codec.integers_as_uuids()?;
        let ValueType::Integer(column) = id.key_type.value_type() else {
            return None;
        };
        (id.shown == Type::Uuid).then(|| Self {
            column,
            bare,
            ids: Vec::new(),
            keys: Vec::new(),
            places: Vec::new(),
            used: 0,
        })
    }

    fn clear(&mut self) {
        self.ids.clear();
        self.keys.clear();
        self.places.clear();
        self.used = 0;
    }

    /// Takes the value of a field, if it is such an id.
    fn take(&mut self, place: usize, value: &[u8], format: Format) -> bool {
        let id = match format {
            Format::Text => uuid_text::parse(value),
            Format::Binary => value.try_into().ok(),
        };
        self.take_uuid(place, id)
    }

    fn take_uuid(&mut self, place: usize, id: Option<[u8; 16]>) -> bool {
        let Some(id) = id.filter(|id| !matches!(*id, NIL | MAX)) else {
            return false;
        };
        self.ids.push(OpaqueId::from_bytes(id));
        self.places.push(place);
        true
    }

    /// What has become of the id that was taken from a field.
    fn key(&mut self, place: usize) -> Option<Result<Key, DecodeError>> {
        if self.places.get(self.used) != Some(&place) {
            return None;
        }
        let key = self.keys.get(self.used).copied();
        self.used += 1;
        key
    }
}

impl CopyIn {
    pub(in crate::session) fn new(codecs: &Codecs, plan: &CopyPlan, utf8: bool) -> Self {
        let mut syntax = super::syntax(plan);
        let columns = plan.columns.iter().filter_map(|column| {
            let ids = |id, shape| {
                Values::Ids(Box::new(Ids {
                    usage: IdUsage {
                        id,
                        stored: column.stored.clone(),
                        bound: None,
                    },
                    shape,
                    batch: Batch::default(),
                }))
            };
            let values = match &column.value {
                ColumnValue::Clean
                | ColumnValue::Tagged { .. }
                | ColumnValue::JsonArray(_)
                | ColumnValue::Record { .. } => {
                    return None;
                }
                ColumnValue::Json(shape) => Values::Documents(Arc::clone(shape)),
                ColumnValue::Id(id) => ids(*id, Shape::Scalar),
                ColumnValue::IdArray(id) => ids(*id, Shape::Array),
            };
            Some(IdColumn {
                name: column.name.clone(),
                values,
            })
        });
        let mut columns: Vec<IdColumn> = columns.collect();
        let (mut in_bytes, mut each) = (Price::default(), Price::default());
        for column in &plan.columns {
            match &column.value {
                // How many values there are is known.
                ColumnValue::Id(id) => {
                    each = each.max(Price::of_codec(codecs.nanoseconds(id.domain)));
                }
                _ => in_bytes = in_bytes.max(super::price_of(codecs, column)),
            }
        }
        for (place, column) in columns.iter_mut().enumerate() {
            if let Values::Ids(ids) = &mut column.values
                && let Some(own) = syntax.columns.get(place)
                && ids.shape == Shape::Scalar
            {
                let bare = syntax.writes_numbers_bare(own);
                ids.batch.usual = Usual::of(codecs, ids.usage.id, bare).map(Box::new);
                let uuids = ids.batch.usual.is_some() && syntax.writes_uuids_bare(own);
                if let Some(own) = syntax.columns.get_mut(place) {
                    own.uuids = uuids;
                }
            }
        }
        Self {
            scanner: Scanner::new(&syntax),
            columns,
            syntax,
            price: (in_bytes, each),
            table: plan.table.clone(),
            utf8,
            staged: BytesMut::new(),
            scanned: 0,
            fields: Vec::new(),
            settled: 0,
            fault: None,
            scratch: BytesMut::new(),
        }
    }

    /// What waits for the rest of a value takes in memory.
    pub(super) fn held(&self) -> usize {
        self.staged.capacity()
    }

    /// What is to be appended takes, if it is large; see [`Self::translate`].
    pub(in crate::session) fn translated_bytes(&mut self, end: bool) -> usize {
        const KEY_BYTES: usize = 24;
        self.scan();
        let bytes = if end { self.staged.len() } else { self.settled };
        if bytes <= MOST_TOGETHER_BYTES {
            return 0;
        }
        let data = self.staged.get(..bytes).unwrap_or_default();
        bytes + KEY_BYTES * memchr::memchr_iter(b',', data).count()
    }

    /// Takes data.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(in crate::session) fn stage(
        &mut self,
        data: &[u8],
        lease: &mut Lease,
    ) -> Result<(), Exceeded> {
        let (have, room) = (self.staged.len(), self.staged.capacity());
        if have > SMALL_BYTES && room - have < data.len() {
            let mut larger = lease.buffer(2 * have + data.len())?;
            larger.put_slice(&self.staged);
            self.staged = larger;
            lease.release(room);
        }
        self.staged.put_slice(data);
        Ok(())
    }

    /// What ids cost: in their bytes, and for each value.
    pub(super) const fn price(&self) -> (Price, Price) {
        self.price
    }

    /// What has been taken and not been translated: in bytes, and in values that were found.
    pub(in crate::session) fn staged(&self) -> (usize, usize) {
        (self.staged.len(), self.fields.len())
    }

    /// Looks for what is complete, in what has been taken since the last call. Returns how many bytes
    /// can be translated and how many values are in them, if there is anything to be done.
    pub(in crate::session) fn scan(&mut self) -> Option<(usize, usize)> {
        if self.scanned < self.staged.len() && self.fault.is_none() {
            self.scanned = self.staged.len();
            let (known, rest) = (self.fields.len(), self.staged.get(self.settled..));
            let rest = rest.unwrap_or_default();
            let found = self.scanner.scan(&self.syntax, rest, &mut self.fields);
            self.settle(known, found);
        }
        let found = (self.settled, self.fields.len());
        (self.settled > 0 || self.fault.is_some()).then_some(found)
    }

    /// Looks for what is complete at the end of the data: all that is left is settled.
    fn finish(&mut self) {
        self.scan();
        if self.fault.is_none() {
            let (known, rest) = (self.fields.len(), self.staged.get(self.settled..));
            let rest = rest.unwrap_or_default();
            let ended = self.scanner.finish(&self.syntax, rest, &mut self.fields);
            let found = ended.map(|()| rest.len());
            self.settle(known, found);
        }
    }

    /// So much more is settled. The fields behind the known ones are counted from there.
    fn settle(&mut self, known: usize, found: Result<usize, Malformed>) {
        let before = self.settled;
        for field in self.fields.iter_mut().skip(known) {
            field.range = field.range.start + before..field.range.end + before;
        }
        match found {
            Ok(bytes) => self.settled = before + bytes,
            Err(fault) => {
                let last = self.fields.last().map_or(0, |field| field.range.end);
                self.settled = before.max(last);
                self.fault = Some(fault);
            }
        }
    }

    /// Translates what has been taken, as far as it is complete; all of it if it is the end.
    /// Appends it as one message.
    ///
    /// # Errors
    /// If something in it is refused; what stands before that has been appended.
    pub(in crate::session) fn translate(
        &mut self,
        codecs: &Codecs,
        end: bool,
        out: &mut BytesMut,
    ) -> Result<(), Box<Refusal>> {
        if end {
            self.finish();
        } else {
            self.scan();
        }
        let staged = std::mem::take(&mut self.staged);
        let mut fields = std::mem::take(&mut self.fields);
        let settled = std::mem::take(&mut self.settled);
        self.scanned = staged.len() - settled;
        self.decrypt(codecs, &staged, &fields)?;
        let start = out.len();
        let mut result = Ok(());
        message(out, b'd', |out| {
            result = self.replace(codecs, &staged, &fields, settled, out);
        });
        if out.len() - start == crate::wire::frame::HEADER_BYTES {
            out.truncate(start);
        }
        fields.clear();
        self.fields = fields;
        self.staged = staged;
        if settled == self.staged.len() {
            self.staged.clear();
        } else {
            self.staged.advance(settled);
        }
        result?;
        // What is malformed counts only if nothing before it is refused.
        let fault = self.fault.map(|fault| self.malformed(fault));
        fault.map_or(Ok(()), Err)
    }

    /// Collects the ids and finds their keys.
    fn decrypt(&mut self, codecs: &Codecs, data: &[u8], fields: &[Field]) -> Result<(), Misplaced> {
        let format = self.syntax.value_format();
        for Ids { batch, .. } in self.columns.iter_mut().filter_map(IdColumn::ids) {
            batch.ids.clear();
            batch.keys.clear();
            batch.used = 0;
            batch.usual.iter_mut().for_each(|usual| usual.clear());
        }
        for (place, field) in fields.iter().enumerate() {
            let raw = data.get(field.range.clone()).ok_or(Misplaced)?;
            let (Some(column), Some(id)) = (
                self.syntax.columns.get(field.column),
                (self.columns.get_mut(field.column)).and_then(IdColumn::ids),
            ) else {
                continue;
            };
            if field.uuid.is_some()
                && (id.batch.usual.as_mut()).is_some_and(|of| of.take_uuid(place, field.uuid))
            {
                continue;
            }
            if id.shape == Shape::Scalar
                && let Some(value) = self.syntax.value(column, raw)
                && !(id.batch.usual.as_mut()).is_some_and(|usual| usual.take(place, &value, format))
                && let Ok(scalar) = Scalar::decode(&value, format, ids::types(&id.usage).from)
                && let Some(value) = codecs.id_value(id.usage.id.domain, &scalar)
            {
                id.batch.ids.push(value);
            }
        }
        for Ids { usage, batch, .. } in self.columns.iter_mut().filter_map(IdColumn::ids) {
            let column = usage.id.key_type.value_type();
            codecs.decode_batch(usage.id.domain, &batch.ids, column, &mut batch.keys);
            if let Some(usual) = &mut batch.usual {
                let Usual {
                    ids, keys, column, ..
                } = &mut **usual;
                codecs.decode_integers(usage.id.domain, ids, *column, keys);
            }
        }
        Ok(())
    }

    /// Appends the first `settled` bytes with keys in the place of ids.
    fn replace(
        &mut self,
        codecs: &Codecs,
        data: &[u8],
        fields: &[Field],
        settled: usize,
        out: &mut BytesMut,
    ) -> Result<(), Box<Refusal>> {
        let mut splice = Splice::new(data);
        let format = self.syntax.value_format();
        for (place, field) in fields.iter().enumerate() {
            let raw = data.get(field.range.clone()).ok_or(Misplaced)?;
            let (Some(column), Some(id)) = (
                self.syntax.columns.get(field.column),
                self.columns.get_mut(field.column),
            ) else {
                continue;
            };
            let known = id
                .ids()
                .and_then(|ids| ids.batch.usual.as_mut()?.key(place));
            if let Some(Ok(key)) = known
                && id.put_usual(key, format, out, &mut splice, field.range.clone())?
            {
                continue;
            }
            let Some(value) = self.syntax.value(column, raw) else {
                continue;
            };
            splice.replace(field.range.clone(), out)?;
            self.scratch.clear();
            let value_and_key = (&*value, known);
            let key = id.key(codecs, value_and_key, format, self.utf8, &mut self.scratch);
            key.map_err(|mut refusal| {
                refusal.context = context(&self.table, field.line, &id.name, &value, format);
                if refusal.code == Code::ForeignId && refusal.constraint.is_some() {
                    // A constraint is checked when the record is stored.
                    refusal.context = None;
                }
                refusal
            })?;
            self.syntax.put(column, &self.scratch, out);
        }
        Ok(splice.finish_at(settled, out)?)
    }

    fn malformed(&self, malformed: Malformed) -> Box<Refusal> {
        let Malformed { fault, line } = malformed;
        let mut refusal = Refusal::new(Code::MalformedId, "22P04", fault.to_string());
        refusal.hint = fault.hint().map(str::to_owned);
        // The header has no line.
        let place = (line > 0).then(|| format!("COPY {}, line {line}", self.table));
        refusal.context = place;
        Box::new(refusal)
    }
}

impl IdColumn {
    const fn ids(&mut self) -> Option<&mut Ids> {
        match &mut self.values {
            Values::Ids(ids) => Some(ids),
            Values::Documents(_) => None,
        }
    }

    /// Writes the key of a usual id in the place of its field, if it may be stored and stands there
    /// as it is.
    fn put_usual(
        &mut self,
        key: Key,
        format: Format,
        out: &mut BytesMut,
        splice: &mut Splice<'_, [u8]>,
        field: Range<usize>,
    ) -> Result<bool, Misplaced> {
        let Some(ids) = self.ids() else {
            return Ok(false);
        };
        let (key, of) = (Scalar::Int(key.get()), ids.usage.id.key_type);
        let is_bare = ids.batch.usual.as_ref().is_some_and(|usual| usual.bare);
        if is_reserved(&key, of) || !(is_bare || format == Format::Binary) {
            return Ok(false);
        }
        splice.replace(field, out)?;
        match format {
            Format::Text => key.encode(format, of, out),
            Format::Binary => sized(out, |out| key.encode(format, of, out)),
        }
        Ok(true)
    }

    /// Appends the key, the array of keys, or the document with keys in it that a value stands for;
    /// the key of a usual id is known.
    fn key(
        &mut self,
        codecs: &Codecs,
        (value, known): (&[u8], Option<Result<Key, DecodeError>>),
        format: Format,
        utf8: bool,
        out: &mut BytesMut,
    ) -> Result<(), Box<Refusal>> {
        let Ids {
            usage,
            shape,
            batch,
        } = match &mut self.values {
            Values::Ids(ids) => &mut **ids,
            Values::Documents(shape) => {
                let (version, text) = versioned(value, format);
                out.extend_from_slice(version);
                return json::with_keys(codecs, shape, text, &mut Sentinels::default(), out);
            }
        };
        // In another encoding than UTF-8 what is no character is no id either.
        let check = |text: &[u8]| if utf8 { check_utf8(text) } else { Ok(()) };
        if format == Format::Text {
            check(value)?;
        }
        let mut sentinels = Sentinels::default();
        value::translate(value, format, ids::types(usage), *shape, out, |id| {
            if let Scalar::Text(text) = &id {
                check(text)?;
            }
            if *shape == Shape::Array {
                return ids::key(codecs, usage, id, &mut sentinels);
            }
            if let Some(key) = known {
                let key = key.ok().map(KeyValue::Integer);
                return ids::judge(codecs, usage, id, key, &mut sentinels);
            }
            // In the order in which they were collected.
            let key = codecs.id_value(usage.id.domain, &id).and_then(|_| {
                let key = batch.keys.get(batch.used)?.clone();
                batch.used += 1;
                key.ok()
            });
            ids::judge(codecs, usage, id, key, &mut sentinels)
        })
        .map_err(|mut refusal: Box<Refusal>| {
            if refusal.sqlstate == "22P03" {
                "incorrect binary data format".clone_into(&mut refusal.message);
            }
            refusal
        })
    }
}

/// Where a value stands, in the words of `CopyFromErrorCallback`.
fn context(table: &str, line: u64, column: &str, value: &[u8], format: Format) -> Option<String> {
    let place = format!("COPY {table}, line {line}, column {column}");
    if format == Format::Binary {
        return Some(place);
    }
    let text = String::from_utf8_lossy(value);
    let end = (0..=SHOWN_BYTES)
        .rev()
        .find(|end| text.is_char_boundary(*end));
    Some(match text.get(..end.unwrap_or_default()) {
        Some(shown) if shown.len() < text.len() => format!("{place}: \"{shown}...\""),
        _ => format!("{place}: \"{text}\""),
    })
}
