//! One permutation of any kind with the forms of its keys and of its ids.

use super::domain_codec::{Presentation, Shown, WidePresentation};
use super::error::{DecodeError, EncodeError, FormError};
use super::form::{Form, FormName, WideForm};
use super::id_codec::IdCodec;
use super::int_codec::IntCodec;
use super::key::{IntegerType, Key};
use super::opaque_id::OpaqueId;
use super::session40::{self, Session40};
use super::uuid_codec::UuidCodec;
use super::value::{IdValue, IntId, KeyValue, Kind, UuidKey, ValueType, WideId, WideKey};
use super::wide::Wide;

/// One permutation with the forms of its keys and ids.
#[derive(Debug)]
pub(super) enum Permutation {
    Integers {
        codec: IntCodec,
        /// Zero and negative integers stay what they are.
        keeps: bool,
    },
    IntegersAsBytes {
        codec: IdCodec,
        outside: Presentation,
    },
    Uuids {
        codec: UuidCodec,
        inside: Presentation,
        outside: Presentation,
    },
    Wide {
        codec: Wide,
        inside: WidePresentation,
        outside: WidePresentation,
    },
    Sessions(Session40),
}

impl Permutation {
    /// What keys it takes.
    pub(super) const fn keys(&self) -> Kind {
        match self {
            Self::Integers { .. } | Self::IntegersAsBytes { .. } => Kind::Integer,
            Self::Uuids { inside, .. } => match inside {
                Presentation::Native => Kind::Uuid,
                Presentation::Text(_) => Kind::Text,
            },
            Self::Wide { inside, .. } => match inside {
                WidePresentation::Native => Kind::Bytes,
                WidePresentation::Text(_) => Kind::Text,
            },
            Self::Sessions(_) => Kind::Text,
        }
    }

    /// Whether its keys are the text of uuids, as Postgres writes it.
    pub(super) fn is_text_of_uuids(&self) -> bool {
        let Self::Uuids {
            inside: Presentation::Text(form),
            ..
        } = self
        else {
            return false;
        };
        *form == Form::bare(FormName::Uuid)
    }

    /// What its ids are.
    pub(super) fn shown(&self) -> Shown {
        match self {
            Self::Integers { codec, .. } => {
                let (low, high) = codec.bounds();
                Shown::Integers(low, high)
            }
            Self::IntegersAsBytes { outside, .. } | Self::Uuids { outside, .. } => match outside {
                Presentation::Native => Shown::Uuid,
                Presentation::Text(form) => Shown::Text(form.length()),
            },
            Self::Wide { outside, .. } => match outside {
                WidePresentation::Native => Shown::Bytes,
                WidePresentation::Text(form) => Shown::Text(form.length()),
            },
            Self::Sessions(_) => Shown::Text(session40::LENGTH),
        }
    }

    /// About how many nanoseconds an id takes among others.
    pub(super) const fn nanoseconds(&self) -> u64 {
        match self {
            Self::Integers { codec, .. } => codec.nanoseconds(),
            Self::IntegersAsBytes { codec, .. } => codec.nanoseconds(),
            Self::Uuids { .. } => 40,
            Self::Wide { .. } => 20,
            Self::Sessions(_) => 200,
        }
    }

    /// The id that a key is shown as.
    ///
    /// # Errors
    /// [`EncodeError`] for a key that the codec can't represent, also one of another type.
    pub(super) fn encode(&self, key: &KeyValue) -> Result<IdValue, EncodeError> {
        match (self, key) {
            (Self::Integers { codec, keeps }, KeyValue::Integer(key)) => {
                let id = match keeps {
                    true => encode_integer(codec, *key),
                    false => codec.encode(*key),
                };
                id.map(IdValue::Integer)
            }
            (Self::IntegersAsBytes { codec, outside }, KeyValue::Integer(key)) => {
                Ok(show(codec.encode(*key), outside))
            }
            (
                Self::Uuids {
                    codec,
                    inside,
                    outside,
                },
                key,
            ) => {
                let key = uuid_key(key, inside)?;
                codec.encode(key).map(|id| show(id, outside))
            }
            (
                Self::Wide {
                    codec,
                    inside,
                    outside,
                },
                key,
            ) => {
                let key = wide_key(key, *inside)?;
                Ok(show_wide(codec.encode(key), *outside))
            }
            (Self::Sessions(codec), KeyValue::Text(key)) => codec.encode(key).map(IdValue::Text),
            (Self::Integers { .. } | Self::IntegersAsBytes { .. } | Self::Sessions(_), _) => {
                Err(EncodeError)
            }
        }
    }

    /// The key that an id stands for in a column of this type.
    ///
    /// # Errors
    /// [`DecodeError`] for an id that was not issued for this domain and this column, or whose
    /// text is not of the domain's form; an id of another type is `Syntax` too.
    pub(super) fn decode(&self, id: &IdValue, column: ValueType) -> Result<KeyValue, DecodeError> {
        match self {
            Self::Integers { codec, keeps } => match id {
                IdValue::Integer(id) => {
                    let key = match keeps {
                        true => decode_integer(codec, *id),
                        false => codec.decode(*id),
                    };
                    checked(key, integer(column)?)
                }
                _ => Err(DecodeError::Syntax),
            },
            Self::IntegersAsBytes { codec, outside } => {
                let id = opaque_id(id, outside)?;
                codec.decode(id, integer(column)?).map(KeyValue::Integer)
            }
            Self::Uuids {
                codec,
                inside,
                outside,
            } => {
                let key = codec.decode(opaque_id(id, outside)?)?;
                Ok(store(key, inside))
            }
            Self::Wide {
                codec,
                inside,
                outside,
            } => {
                let key = codec.decode(wide_id(id, *outside)?);
                Ok(store_wide(key, *inside))
            }
            Self::Sessions(codec) => match id {
                IdValue::Text(id) => codec.decode(id).map(KeyValue::Text),
                _ => Err(DecodeError::Syntax),
            },
        }
    }

    /// Appends what [`Permutation::encode`] gives for each key to `ids`, in order; keys of the codecs
    /// that gain from it go in lock step.
    pub(super) fn encode_batch(
        &self,
        keys: &[KeyValue],
        ids: &mut Vec<Result<IdValue, EncodeError>>,
    ) {
        match self {
            Self::Integers { codec, keeps } => {
                let run = |keys: &[Key], out: &mut Vec<_>| {
                    let first = out.len();
                    codec.encode_batch(keys, out);
                    let kept = keys.iter().zip(out.iter_mut().skip(first));
                    for (key, id) in kept.filter(|_| *keeps) {
                        let is_plain = id.as_ref().is_ok_and(|id| !is_kept(codec, id.get()));
                        if !is_plain || is_kept(codec, key.get()) {
                            *id = encode_integer(codec, *key);
                        }
                    }
                };
                batch(keys, integer_key, run, |id| id.map(IdValue::Integer), ids);
            }
            Self::IntegersAsBytes {
                codec,
                outside: Presentation::Native,
            } => {
                // By far the most frequent: without vectors in between. What is no integer goes
                // through the rounds as zero.
                let key = |key: &KeyValue| integer_key(key).unwrap_or(Key::new(0));
                let show = |key: &KeyValue, id| integer_key(key).map(|_| IdValue::Uuid(id));
                codec.encode_each(keys, key, show, ids);
            }
            Self::IntegersAsBytes { codec, outside } => {
                let run = |keys: &[Key], out: &mut Vec<_>| codec.encode_batch(keys, out);
                batch(keys, integer_key, run, |id| Ok(show(id, outside)), ids);
            }
            Self::Uuids {
                codec,
                inside,
                outside,
            } => {
                let run = |keys: &[UuidKey], out: &mut Vec<_>| codec.encode_batch(keys, out);
                let key = |key: &KeyValue| uuid_key(key, inside);
                batch(keys, key, run, |id| id.map(|id| show(id, outside)), ids);
            }
            Self::Wide {
                codec,
                inside,
                outside,
            } => {
                let run = |keys: &[WideKey], out: &mut Vec<_>| codec.encode_batch(keys, out);
                let key = |key: &KeyValue| wide_key(key, *inside);
                batch(keys, key, run, |id| Ok(show_wide(id, *outside)), ids);
            }
            Self::Sessions(_) => ids.extend(keys.iter().map(|key| self.encode(key))),
        }
    }

    /// Appends what [`Permutation::decode`] gives for each id to `keys`, in order.
    pub(super) fn decode_batch(
        &self,
        ids: &[IdValue],
        column: ValueType,
        keys: &mut Vec<Result<KeyValue, DecodeError>>,
    ) {
        match self {
            Self::Integers { codec, keeps } => {
                let Ok(key_type) = integer(column) else {
                    return keys.extend(ids.iter().map(|_| Err(DecodeError::Syntax)));
                };
                let run = |ids: &[IntId], out: &mut Vec<_>| {
                    let first = out.len();
                    codec.decode_batch(ids, out);
                    let kept = ids.iter().zip(out.iter_mut().skip(first));
                    for (id, key) in kept.filter(|_| *keeps) {
                        let is_plain = key.as_ref().is_ok_and(|key| !is_kept(codec, key.get()));
                        if !is_plain || is_kept(codec, id.get()) {
                            *key = decode_integer(codec, *id);
                        }
                    }
                };
                let id = |id: &IdValue| match id {
                    IdValue::Integer(id) => Ok(*id),
                    _ => Err(DecodeError::Syntax),
                };
                batch(ids, id, run, |key| checked(key, key_type), keys);
            }
            Self::IntegersAsBytes { codec, outside } => {
                let Ok(key_type) = integer(column) else {
                    return keys.extend(ids.iter().map(|_| Err(DecodeError::Syntax)));
                };
                let run = |ids: &[_], out: &mut Vec<_>| codec.decode_batch(ids, key_type, out);
                let id = |id: &IdValue| opaque_id(id, outside);
                batch(ids, id, run, |key| key.map(KeyValue::Integer), keys);
            }
            Self::Uuids {
                codec,
                inside,
                outside,
            } => {
                let run = |ids: &[_], out: &mut Vec<_>| codec.decode_batch(ids, out);
                let id = |id: &IdValue| opaque_id(id, outside);
                batch(ids, id, run, |key| key.map(|key| store(key, inside)), keys);
            }
            Self::Wide {
                codec,
                inside,
                outside,
            } => {
                let run = |ids: &[_], out: &mut Vec<_>| codec.decode_batch(ids, out);
                let id = |id: &IdValue| wide_id(id, *outside);
                batch(ids, id, run, |key| Ok(store_wide(key, *inside)), keys);
            }
            Self::Sessions(_) => {
                keys.extend(ids.iter().map(|id| self.decode(id, column)));
            }
        }
    }
}

/// Whether an integer is the same inside and outside: zero and the negative ones, which no sequence
/// gives and applications mean something by. A range that begins below zero has them as keys.
const fn is_kept(codec: &IntCodec, value: i64) -> bool {
    let (low, _) = codec.bounds();
    value <= 0 && (value < low || low == 0 && value == 0)
}

/// The id that an integer is shown as. The key that would get the id of one that is kept gets its
/// id instead: a walk along the cycle, of one step.
fn encode_integer(codec: &IntCodec, key: Key) -> Result<IntId, EncodeError> {
    if is_kept(codec, key.get()) {
        return Ok(IntId::new(key.get()));
    }
    let id = codec.encode(key)?;
    match is_kept(codec, id.get()) {
        true => codec.encode(Key::new(id.get())),
        false => Ok(id),
    }
}

/// The key that such an id stands for.
fn decode_integer(codec: &IntCodec, id: IntId) -> Result<Key, DecodeError> {
    if is_kept(codec, id.get()) {
        return Ok(Key::new(id.get()));
    }
    let key = codec.decode(id)?;
    match is_kept(codec, key.get()) {
        true => codec.decode(IntId::new(key.get())),
        false => Ok(key),
    }
}

/// Runs the items that can be read through `run`, and puts the results where they belong.
fn batch<T, I, O, U, E>(
    items: &[T],
    read: impl Fn(&T) -> Result<I, E>,
    run: impl Fn(&[I], &mut Vec<O>),
    write: impl Fn(O) -> Result<U, E>,
    out: &mut Vec<Result<U, E>>,
) {
    let (mut inputs, mut faults) = (Vec::with_capacity(items.len()), Vec::new());
    for (place, item) in items.iter().enumerate() {
        match read(item) {
            Ok(input) => inputs.push(input),
            Err(fault) => faults.push((place, fault)),
        }
    }
    let mut outputs = Vec::with_capacity(inputs.len());
    run(&inputs, &mut outputs);
    if faults.is_empty() {
        // What nearly every batch is.
        out.extend(outputs.into_iter().map(write));
        return;
    }
    let (mut outputs, mut faults) = (outputs.into_iter(), faults.into_iter().peekable());
    out.reserve(items.len());
    for place in 0..items.len() {
        match faults.next_if(|(at, _)| *at == place) {
            Some((_, fault)) => out.push(Err(fault)),
            None => out.extend(outputs.next().map(&write)),
        }
    }
}

/// The type of an integer column.
const fn integer(column: ValueType) -> Result<IntegerType, DecodeError> {
    match column {
        ValueType::Integer(integer) => Ok(integer),
        ValueType::Uuid | ValueType::Bytes | ValueType::Text => Err(DecodeError::Syntax),
    }
}

const fn integer_key(key: &KeyValue) -> Result<Key, EncodeError> {
    match key {
        KeyValue::Integer(key) => Ok(*key),
        KeyValue::Uuid(_) | KeyValue::Bytes(_) | KeyValue::Text(_) => Err(EncodeError),
    }
}

fn uuid_key(key: &KeyValue, inside: &Presentation) -> Result<UuidKey, EncodeError> {
    match (key, inside) {
        (KeyValue::Uuid(key), Presentation::Native) => Ok(*key),
        (KeyValue::Text(text), Presentation::Text(form)) => form
            .parse_exact(text.as_bytes())
            .map(UuidKey::from_bytes)
            .map_err(|FormError| EncodeError),
        _ => Err(EncodeError),
    }
}

fn wide_key(key: &KeyValue, inside: WidePresentation) -> Result<WideKey, EncodeError> {
    match (key, inside) {
        (KeyValue::Bytes(key), WidePresentation::Native) => Ok(*key),
        (KeyValue::Text(text), WidePresentation::Text(form)) => form
            .parse_exact(text.as_bytes())
            .map(WideKey::from_bytes)
            .map_err(|FormError| EncodeError),
        _ => Err(EncodeError),
    }
}

fn opaque_id(id: &IdValue, outside: &Presentation) -> Result<OpaqueId, DecodeError> {
    match (id, outside) {
        (IdValue::Uuid(id), Presentation::Native) => Ok(*id),
        (IdValue::Text(text), Presentation::Text(form)) => form
            .parse(text.as_bytes())
            .map(OpaqueId::from_bytes)
            .map_err(|FormError| DecodeError::Syntax),
        _ => Err(DecodeError::Syntax),
    }
}

fn wide_id(id: &IdValue, outside: WidePresentation) -> Result<WideId, DecodeError> {
    match (id, outside) {
        (IdValue::Bytes(id), WidePresentation::Native) => Ok(*id),
        (IdValue::Text(text), WidePresentation::Text(form)) => form
            .parse(text.as_bytes())
            .map(WideId::from_bytes)
            .map_err(|FormError| DecodeError::Syntax),
        _ => Err(DecodeError::Syntax),
    }
}

fn show(id: OpaqueId, outside: &Presentation) -> IdValue {
    match outside {
        Presentation::Native => IdValue::Uuid(id),
        Presentation::Text(form) => IdValue::Text(form_text(form, id.to_bytes())),
    }
}

fn store(key: UuidKey, inside: &Presentation) -> KeyValue {
    match inside {
        Presentation::Native => KeyValue::Uuid(key),
        Presentation::Text(form) => KeyValue::Text(form_text(form, key.to_bytes())),
    }
}

fn form_text(form: &Form, bytes: [u8; 16]) -> String {
    let mut text = String::with_capacity(form.prefix().len() + 36);
    form.render(bytes, &mut text);
    text
}

fn show_wide(id: WideId, outside: WidePresentation) -> IdValue {
    match outside {
        WidePresentation::Native => IdValue::Bytes(id),
        WidePresentation::Text(form) => IdValue::Text(wide_text(form, id.to_bytes())),
    }
}

fn store_wide(key: WideKey, inside: WidePresentation) -> KeyValue {
    match inside {
        WidePresentation::Native => KeyValue::Bytes(key),
        WidePresentation::Text(form) => KeyValue::Text(wide_text(form, key.to_bytes())),
    }
}

fn wide_text(form: WideForm, bytes: [u8; 32]) -> String {
    let mut text = String::with_capacity(66);
    form.render(bytes, &mut text);
    text
}

/// A key that the column can hold.
fn checked(key: Result<Key, DecodeError>, key_type: IntegerType) -> Result<KeyValue, DecodeError> {
    let key = key?;
    if key_type.fits(key.get()) {
        Ok(KeyValue::Integer(key))
    } else {
        Err(DecodeError::NotIssued)
    }
}
