//! A codec of any kind behind one interface: the permutation of one id domain with the forms of
//! its keys and of its ids. What a proxy needs for every column, whatever its type.

use super::error::{DecodeError, EncodeError, FormError};
use super::form::{Form, WideForm};
use super::id_codec::IdCodec;
use super::int_codec::IntCodec;
use super::key::{Key, KeyType};
use super::opaque_id::OpaqueId;
use super::session40::Session40;
use super::uuid_codec::UuidCodec;
use super::value::{IdValue, KeyValue, UuidKey, ValueType, WideId, WideKey};
use super::wide::Wide;

/// How sixteen bytes appear.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Presentation {
    /// As a value of type `uuid`.
    Native,
    /// As text of this form.
    Text(Form),
}

/// How 32 bytes appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WidePresentation {
    /// As a value of type `bytea`.
    Native,
    /// As text of this form.
    Text(WideForm),
}

/// A codec of one id domain: from keys of one type to ids of one type, and back.
///
/// A key that is text must be byte for byte what its form writes, or decoding could not restore
/// it. It holds derived keys and can't be cloned.
#[derive(Debug)]
pub struct Codec {
    permutation: Permutation,
}

#[derive(Debug)]
enum Permutation {
    Integers(IntCodec),
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

impl Codec {
    /// Integer keys, ids of sixteen bytes.
    #[must_use]
    pub const fn ids(codec: IdCodec, outside: Presentation) -> Self {
        Self::of(Permutation::IntegersAsBytes { codec, outside })
    }

    /// Keys and ids of sixteen bytes.
    #[must_use]
    pub const fn uuids(codec: UuidCodec, inside: Presentation, outside: Presentation) -> Self {
        Self::of(Permutation::Uuids {
            codec,
            inside,
            outside,
        })
    }

    /// Integer keys, integer ids.
    #[must_use]
    pub const fn integers(codec: IntCodec) -> Self {
        Self::of(Permutation::Integers(codec))
    }

    /// Keys and ids of 32 bytes.
    #[must_use]
    pub const fn wide(codec: Wide, inside: WidePresentation, outside: WidePresentation) -> Self {
        Self::of(Permutation::Wide {
            codec,
            inside,
            outside,
        })
    }

    /// Session ids of 40 characters.
    #[must_use]
    pub const fn sessions(codec: Session40) -> Self {
        Self::of(Permutation::Sessions(codec))
    }

    const fn of(permutation: Permutation) -> Self {
        Self { permutation }
    }

    /// Whether a column of this type can hold the keys of the domain.
    #[must_use]
    pub const fn fits(&self, column: ValueType) -> bool {
        match &self.permutation {
            Permutation::Integers(_) | Permutation::IntegersAsBytes { .. } => {
                matches!(column, ValueType::Integer(_))
            }
            Permutation::Uuids { inside, .. } => match inside {
                Presentation::Native => matches!(column, ValueType::Uuid),
                Presentation::Text(_) => matches!(column, ValueType::Text),
            },
            Permutation::Wide { inside, .. } => match inside {
                WidePresentation::Native => matches!(column, ValueType::Bytes),
                WidePresentation::Text(_) => matches!(column, ValueType::Text),
            },
            Permutation::Sessions(_) => matches!(column, ValueType::Text),
        }
    }

    /// The type that clients see in place of a column of this type, which must fit.
    #[must_use]
    pub const fn shown(&self, column: ValueType) -> ValueType {
        match &self.permutation {
            Permutation::Integers(_) => column,
            Permutation::IntegersAsBytes { outside, .. } | Permutation::Uuids { outside, .. } => {
                match outside {
                    Presentation::Native => ValueType::Uuid,
                    Presentation::Text(_) => ValueType::Text,
                }
            }
            Permutation::Wide { outside, .. } => match outside {
                WidePresentation::Native => ValueType::Bytes,
                WidePresentation::Text(_) => ValueType::Text,
            },
            Permutation::Sessions(_) => ValueType::Text,
        }
    }

    /// The id that a key is shown as.
    ///
    /// # Errors
    /// [`EncodeError`] for a key that the codec can't represent, also one of another type.
    pub fn encode(&self, key: &KeyValue) -> Result<IdValue, EncodeError> {
        match (&self.permutation, key) {
            (Permutation::Integers(codec), KeyValue::Integer(key)) => {
                codec.encode(*key).map(IdValue::Integer)
            }
            (Permutation::IntegersAsBytes { codec, outside }, KeyValue::Integer(key)) => {
                Ok(show(codec.encode(*key), outside))
            }
            (
                Permutation::Uuids {
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
                Permutation::Wide {
                    codec,
                    inside,
                    outside,
                },
                key,
            ) => {
                let key = wide_key(key, *inside)?;
                Ok(show_wide(codec.encode(key), *outside))
            }
            (Permutation::Sessions(codec), KeyValue::Text(key)) => {
                codec.encode(key).map(IdValue::Text)
            }
            (
                Permutation::Integers(_)
                | Permutation::IntegersAsBytes { .. }
                | Permutation::Sessions(_),
                _,
            ) => Err(EncodeError),
        }
    }

    /// The key that an id stands for in an integer column of type `key_type`; columns of other
    /// types have no use for it.
    ///
    /// # Errors
    /// [`DecodeError`] for an id that was not issued for this domain and this column, or whose
    /// text is not of the domain's form; an id of another type is `Syntax` too.
    pub fn decode(&self, id: &IdValue, key_type: KeyType) -> Result<KeyValue, DecodeError> {
        match &self.permutation {
            Permutation::Integers(codec) => match id {
                IdValue::Integer(id) => checked(codec.decode(*id), key_type),
                _ => Err(DecodeError::Syntax),
            },
            Permutation::IntegersAsBytes { codec, outside } => {
                let id = opaque_id(id, outside)?;
                codec.decode(id, key_type).map(KeyValue::Integer)
            }
            Permutation::Uuids {
                codec,
                inside,
                outside,
            } => {
                let key = codec.decode(opaque_id(id, outside)?)?;
                Ok(store(key, inside))
            }
            Permutation::Wide {
                codec,
                inside,
                outside,
            } => {
                let key = codec.decode(wide_id(id, *outside)?);
                Ok(store_wide(key, *inside))
            }
            Permutation::Sessions(codec) => match id {
                IdValue::Text(id) => codec.decode(id).map(KeyValue::Text),
                _ => Err(DecodeError::Syntax),
            },
        }
    }

    /// Appends what [`Codec::encode`] gives for each key to `ids`, in order; keys of the codecs
    /// that gain from it go in lock step.
    pub fn encode_batch(&self, keys: &[KeyValue], ids: &mut Vec<Result<IdValue, EncodeError>>) {
        match &self.permutation {
            Permutation::Integers(codec) => {
                let run = |keys: &[Key], out: &mut Vec<_>| codec.encode_batch(keys, out);
                batch(keys, integer_key, run, |id| id.map(IdValue::Integer), ids);
            }
            Permutation::IntegersAsBytes { codec, outside } => {
                let run = |keys: &[Key], out: &mut Vec<_>| codec.encode_batch(keys, out);
                batch(keys, integer_key, run, |id| Ok(show(id, outside)), ids);
            }
            Permutation::Uuids {
                codec,
                inside,
                outside,
            } => {
                let run = |keys: &[UuidKey], out: &mut Vec<_>| codec.encode_batch(keys, out);
                let key = |key: &KeyValue| uuid_key(key, inside);
                batch(keys, key, run, |id| id.map(|id| show(id, outside)), ids);
            }
            Permutation::Wide {
                codec,
                inside,
                outside,
            } => {
                let run = |keys: &[WideKey], out: &mut Vec<_>| codec.encode_batch(keys, out);
                let key = |key: &KeyValue| wide_key(key, *inside);
                batch(keys, key, run, |id| Ok(show_wide(id, *outside)), ids);
            }
            Permutation::Sessions(_) => ids.extend(keys.iter().map(|key| self.encode(key))),
        }
    }

    /// Appends what [`Codec::decode`] gives for each id to `keys`, in order.
    pub fn decode_batch(
        &self,
        ids: &[IdValue],
        key_type: KeyType,
        keys: &mut Vec<Result<KeyValue, DecodeError>>,
    ) {
        match &self.permutation {
            Permutation::Integers(codec) => {
                let run = |ids: &[_], out: &mut Vec<_>| codec.decode_batch(ids, out);
                let id = |id: &IdValue| match id {
                    IdValue::Integer(id) => Ok(*id),
                    _ => Err(DecodeError::Syntax),
                };
                batch(ids, id, run, |key| checked(key, key_type), keys);
            }
            Permutation::IntegersAsBytes { codec, outside } => {
                let run = |ids: &[_], out: &mut Vec<_>| codec.decode_batch(ids, key_type, out);
                let id = |id: &IdValue| opaque_id(id, outside);
                batch(ids, id, run, |key| key.map(KeyValue::Integer), keys);
            }
            Permutation::Uuids {
                codec,
                inside,
                outside,
            } => {
                let run = |ids: &[_], out: &mut Vec<_>| codec.decode_batch(ids, out);
                let id = |id: &IdValue| opaque_id(id, outside);
                batch(ids, id, run, |key| key.map(|key| store(key, inside)), keys);
            }
            Permutation::Wide {
                codec,
                inside,
                outside,
            } => {
                let run = |ids: &[_], out: &mut Vec<_>| codec.decode_batch(ids, out);
                let id = |id: &IdValue| wide_id(id, *outside);
                batch(ids, id, run, |key| Ok(store_wide(key, *inside)), keys);
            }
            Permutation::Sessions(_) => {
                keys.extend(ids.iter().map(|id| self.decode(id, key_type)));
            }
        }
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
    let (mut outputs, mut faults) = (outputs.into_iter(), faults.into_iter().peekable());
    out.reserve(items.len());
    for place in 0..items.len() {
        match faults.next_if(|(at, _)| *at == place) {
            Some((_, fault)) => out.push(Err(fault)),
            None => out.extend(outputs.next().map(&write)),
        }
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
fn checked(key: Result<Key, DecodeError>, key_type: KeyType) -> Result<KeyValue, DecodeError> {
    let key = key?;
    if key_type.fits(key.get()) {
        Ok(KeyValue::Integer(key))
    } else {
        Err(DecodeError::NotIssued)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{Ff1Width, FormName, IntId, KeyRing, Secret};

    fn ring() -> KeyRing {
        KeyRing::new(Secret::generate().unwrap())
    }

    #[test]
    fn a_key_or_an_id_of_another_type_is_refused() {
        let domain = "user".parse().unwrap();
        let secret = Secret::generate().unwrap();
        let typeid = Presentation::Text(Form::new(FormName::TypeId, "user").unwrap());
        for codec in [
            Codec::ids(IdCodec::aes_int(&ring(), &domain), typeid),
            Codec::integers(IntCodec::ff1(&secret, &domain, Ff1Width::B53)),
            Codec::sessions(Session40::new(&secret, &domain)),
        ] {
            let key = KeyValue::Bytes(WideKey::from_bytes([0; 32]));
            assert_eq!(codec.encode(&key), Err(EncodeError));
            let id = IdValue::Bytes(WideId::from_bytes([0; 32]));
            let decoded = codec.decode(&id, KeyType::Int8);
            assert_eq!(decoded, Err(DecodeError::Syntax));
            let mut ids = Vec::new();
            codec.encode_batch(&[key.clone(), key], &mut ids);
            assert_eq!(ids, [Err(EncodeError), Err(EncodeError)]);
        }
    }

    #[test]
    fn a_column_has_the_type_of_the_keys_and_is_shown_as_that_of_the_ids() {
        let domain = "user".parse().unwrap();
        let codec = Codec::ids(IdCodec::aes_int(&ring(), &domain), Presentation::Native);
        let column = ValueType::Integer(KeyType::Int4);
        assert!(codec.fits(column) && !codec.fits(ValueType::Text));
        assert_eq!(codec.shown(column), ValueType::Uuid);
    }

    #[test]
    fn a_key_that_the_column_cannot_hold_was_not_issued_for_it() {
        let secret = Secret::generate().unwrap();
        let codec = IntCodec::ff1(&secret, &"user".parse().unwrap(), Ff1Width::B53);
        let id = codec.encode(Key::new(1 << 40)).unwrap();
        let codec = Codec::integers(codec);
        let id = IdValue::Integer(IntId::new(id.get()));
        let decoded = codec.decode(&id, KeyType::Int4);
        assert_eq!(decoded, Err(DecodeError::NotIssued));
        assert!(codec.decode(&id, KeyType::Int8).is_ok());
    }
}
