//! Values that are the same inside and outside: marks by which an application means something else
//! than a row, such as the nil UUID for nobody.
//!
//! The key that would get a mark for its id walks on along the cycle, as the key does to whose id the
//! mark itself would be mapped; so what is no mark stays a permutation, and is as opaque as before.

use super::domain_codec::{Presentation, WidePresentation};
use super::error::{DecodeError, EncodeError};
use super::form::{Form, FormName, WideForm};
use super::key::Key;
use super::key_texts::KeyTexts;
use super::opaque_id::OpaqueId;
use super::permutation::Permutation;
use super::value::{IdValue, IntId, KeyValue, UuidKey, ValueType, WideId, WideKey};

/// So many integers above the smallest of each type are no marks.
const SPARE: i64 = 255;

/// The marks of one domain.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<Mark>);

/// One mark in both roles.
#[derive(Debug)]
struct Mark {
    key: KeyValue,
    id: IdValue,
}

impl Marks {
    pub(super) fn new(marks: Vec<KeyValue>) -> Self {
        let mark = |key: KeyValue| Mark {
            id: as_id(&key),
            key,
        };
        Self(marks.into_iter().map(mark).collect())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has_key(&self, key: &KeyValue) -> bool {
        self.0.iter().any(|mark| mark.key == *key)
    }

    /// Tells whether what a codec makes of a key or an id is not to stay.
    pub(super) fn touch(&self, key: Option<&KeyValue>, id: Option<&IdValue>) -> bool {
        let mut marks = self.0.iter();
        marks.any(|mark| key == Some(&mark.key) || id == Some(&mark.id))
    }

    /// The id of a key.
    ///
    /// # Errors
    /// [`EncodeError`] for a key that the permutation can't represent and that is no mark.
    pub(super) fn encode(
        &self,
        permutation: &Permutation,
        key: &KeyValue,
    ) -> Result<IdValue, EncodeError> {
        if let Some(mark) = self.0.iter().find(|mark| mark.key == *key) {
            return Ok(mark.id.clone());
        }
        let mut id = permutation.encode(key)?;
        while let Some(mark) = self.0.iter().find(|mark| mark.id == id) {
            id = permutation.encode(&mark.key)?;
        }
        Ok(id)
    }

    /// The key of an id, in a column of this type.
    ///
    /// # Errors
    /// [`DecodeError`] for an id that was not issued and is no mark.
    pub(super) fn decode(
        &self,
        permutation: &Permutation,
        id: &IdValue,
        column: ValueType,
    ) -> Result<KeyValue, DecodeError> {
        if let Some(mark) = self.0.iter().find(|mark| mark.id == *id) {
            return match (&mark.key, column) {
                (KeyValue::Integer(key), ValueType::Integer(integer))
                    if !integer.fits(key.get()) =>
                {
                    Err(DecodeError::NotIssued)
                }
                (key, column) if key.kind() == column.kind() => Ok(key.clone()),
                _ => Err(DecodeError::Syntax),
            };
        }
        let mut key = permutation.decode(id, column)?;
        while let Some(mark) = self.0.iter().find(|mark| mark.key == key) {
            key = permutation.decode(&mark.id, column)?;
        }
        Ok(key)
    }

    /// The texts of keys with those of the marks.
    pub(super) fn among(&self, texts: KeyTexts) -> KeyTexts {
        match texts {
            KeyTexts::Integers(mut ranges) => {
                for mark in &self.0 {
                    if let KeyValue::Integer(key) = mark.key {
                        ranges.push((key.get(), key.get()));
                    }
                }
                KeyTexts::Integers(ranges)
            }
            KeyTexts::Matching(pattern) => {
                let marks: Vec<String> = self.0.iter().filter_map(Mark::pattern).collect();
                if marks.is_empty() {
                    return KeyTexts::Matching(pattern);
                }
                KeyTexts::Matching(format!("(?:{pattern}|^(?:{})$)", marks.join("|")))
            }
        }
    }
}

impl Mark {
    /// The mark as an expression that matches it alone; `None` of one that is no text.
    fn pattern(&self) -> Option<String> {
        let text = match &self.key {
            KeyValue::Text(text) => text.clone(),
            KeyValue::Uuid(uuid) => {
                let mut text = String::new();
                Form::bare(FormName::Uuid).render(uuid.to_bytes(), &mut text);
                text
            }
            KeyValue::Integer(_) | KeyValue::Bytes(_) => return None,
        };
        Some(text.replace('.', "[.]"))
    }
}

impl Permutation {
    /// The value that a text is as a key and as an id alike; `None` if ids are of another type than
    /// keys, or the text is no value of it.
    ///
    /// Of text it takes letters, digits, and `-_.:@`.
    pub(super) fn mark(&self, text: &str) -> Option<KeyValue> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:@".contains(c);
        let as_text = || {
            let is_plain = text.chars().all(is_plain);
            is_plain.then(|| KeyValue::Text(text.to_owned()))
        };
        match self {
            Self::Integers { .. } => {
                let value: i64 = text.parse().ok()?;
                // The smallest of each type stand for ids that nobody has.
                let smallest = [i64::from(i16::MIN), i64::from(i32::MIN), i64::MIN];
                let mut smallest = smallest.into_iter();
                let is_spare =
                    smallest.any(|low| (low..=low.saturating_add(SPARE)).contains(&value));
                let is_usual = value.to_string() == text && !is_spare;
                is_usual.then(|| KeyValue::Integer(Key::new(value)))
            }
            Self::IntegersAsBytes { .. } => None,
            Self::Uuids {
                inside, outside, ..
            } => match (inside, outside) {
                (Presentation::Native, Presentation::Native) => {
                    let bytes = Form::bare(FormName::Uuid)
                        .parse_exact(text.as_bytes())
                        .ok()?;
                    Some(KeyValue::Uuid(UuidKey::from_bytes(bytes)))
                }
                (Presentation::Text(_), Presentation::Text(_)) => as_text(),
                _ => None,
            },
            Self::Wide {
                inside, outside, ..
            } => match (inside, outside) {
                (WidePresentation::Native, WidePresentation::Native) => {
                    let bytes = WideForm::Bytea.parse_exact(text.as_bytes()).ok()?;
                    Some(KeyValue::Bytes(WideKey::from_bytes(bytes)))
                }
                (WidePresentation::Text(_), WidePresentation::Text(_)) => as_text(),
                _ => None,
            },
            Self::Sessions(_) => as_text(),
        }
    }
}

/// The id that is the same value as a key.
fn as_id(key: &KeyValue) -> IdValue {
    match key {
        KeyValue::Integer(key) => IdValue::Integer(IntId::new(key.get())),
        KeyValue::Uuid(key) => IdValue::Uuid(OpaqueId::from_bytes(key.to_bytes())),
        KeyValue::Bytes(key) => IdValue::Bytes(WideId::from_bytes(key.to_bytes())),
        KeyValue::Text(key) => IdValue::Text(key.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{Codec, IntCodec, IntegerType, KeyRange, Secret, Session40, Stride};
    use super::super::{UuidCodec, UuidRounds, VersionMap, Wide};
    use super::*;

    #[test]
    fn what_is_no_mark_stays_a_permutation() {
        let (secret, domain) = (Secret::generate().unwrap(), "user".parse().unwrap());
        let range = KeyRange::new(1, 300).unwrap();
        let codec = IntCodec::fastprp(&secret, &domain, range, Stride::default(), &mut |_, _| {});
        // Half of all keys, some that the codec keeps itself, and one that no key is.
        let marks = (1..150).chain([0, -7, 100_000]);
        let marks = marks.map(|mark| KeyValue::Integer(Key::new(mark)));
        let marks: Vec<KeyValue> = marks.collect();
        let codec = Codec::integers_of_a_sequence(codec.unwrap()).keeping(marks.clone());
        let of = ValueType::Integer(IntegerType::Int4);
        let keys: Vec<KeyValue> = (-10..=300)
            .chain([100_000])
            .map(|key| KeyValue::Integer(Key::new(key)))
            .collect();
        let (mut ids, mut back) = (Vec::new(), Vec::new());
        codec.encode_batch(&keys, &mut ids);
        let ids: Vec<IdValue> = ids.into_iter().map(Result::unwrap).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), keys.len());
        codec.decode_batch(&ids, of, &mut back);
        for ((key, id), back) in keys.iter().zip(&ids).zip(back) {
            assert_eq!(codec.encode(key).as_ref(), Ok(id));
            assert_eq!(codec.decode(id, of).as_ref(), Ok(key));
            assert_eq!(back.as_ref(), Ok(key));
            if marks.contains(key) {
                assert_eq!(*id, as_id(key));
            }
        }
        let beyond = KeyValue::Integer(Key::new(301));
        assert!(codec.encode(&beyond).is_err());
    }

    #[test]
    fn every_kind_of_key_whose_ids_are_of_its_type_has_marks() {
        let (secret, domain) = (Secret::generate().unwrap(), "user".parse().unwrap());
        let uuids = || {
            UuidCodec::uuid(
                &secret,
                &domain,
                VersionMap::default(),
                UuidRounds::Six,
                super::super::Split::default(),
            )
        };
        let hex = || Presentation::Text(Form::bare(FormName::Hex));
        let nil = "00000000-0000-0000-0000-000000000000";
        let zeros = format!("\\x{}", "00".repeat(32));
        let compact = WidePresentation::Text(WideForm::Compact43);
        let native = WidePresentation::Native;
        for (codec, of, mark, none) in [
            (
                Codec::uuids(uuids(), Presentation::Native, Presentation::Native),
                ValueType::Uuid,
                nil,
                "nobody",
            ),
            (
                Codec::uuids(uuids(), hex(), hex()),
                ValueType::Text,
                "nobody",
                "no'body",
            ),
            (
                Codec::wide(Wide::new(&secret, &domain), native, native),
                ValueType::Bytes,
                &zeros,
                "x00",
            ),
            (
                Codec::wide(Wide::new(&secret, &domain), compact, compact),
                ValueType::Text,
                "",
                "a b",
            ),
            (
                Codec::sessions(Session40::new(&secret, &domain)),
                ValueType::Text,
                "anonymous",
                "\\",
            ),
        ] {
            assert_eq!(codec.marks_of(none), []);
            let marks = codec.marks_of(mark);
            assert_eq!(marks.len(), 1, "{mark}");
            let codec = codec.keeping(marks.clone());
            let id = as_id(&marks[0]);
            assert_eq!(codec.encode(&marks[0]).as_ref(), Ok(&id));
            assert_eq!(codec.decode(&id, of).as_ref(), Ok(&marks[0]));
            assert!(codec.keeps(&marks[0]));
            if let Some(KeyTexts::Matching(pattern)) = codec.key_texts(of) {
                assert!(pattern.contains(mark), "{pattern}");
            }
        }
        let shown = Codec::uuids(uuids(), Presentation::Native, hex());
        assert_eq!(shown.marks_of(nil), []);
    }
}
