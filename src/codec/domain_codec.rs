//! A codec of any kind behind one interface: the permutations of one id domain with the forms of
//! its keys and of its ids. What a proxy needs for every column, whatever its type.

use super::error::{DecodeError, EncodeError};
use super::form::{Form, FormName, WideForm};
use super::id_codec::IdCodec;
use super::int_codec::IntCodec;
use super::key_texts::KeyTexts;
use super::marks::Marks;
use super::permutation::Permutation;
use super::session40::Session40;
use super::uuid_codec::UuidCodec;
use super::value::{IdValue, KeyValue, Kind, UuidKey, ValueType};
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

/// The codec of one id domain: from keys to ids, and back.
///
/// A key that is text must be byte for byte what its form writes, or decoding could not restore
/// it. It holds derived keys and can't be cloned.
#[derive(Debug)]
pub struct Codec {
    /// No two for columns of the same kind.
    permutations: Vec<Permutation>,
    marks: Marks,
    /// Columns of text hold keys only where they refer to columns of uuids.
    texts_refer: bool,
    types: ColumnTypes,
}

impl Codec {
    /// Integer keys, ids of sixteen bytes.
    #[must_use]
    pub fn ids(codec: IdCodec, outside: Presentation) -> Self {
        Self::of(Permutation::IntegersAsBytes { codec, outside })
    }

    /// Keys and ids of sixteen bytes.
    #[must_use]
    pub fn uuids(codec: UuidCodec, inside: Presentation, outside: Presentation) -> Self {
        Self::of(Permutation::Uuids {
            codec,
            inside,
            outside,
        })
    }

    /// Text that refers to keys which are uuids, as Postgres writes them.
    #[must_use]
    pub fn texts_of_uuids(codec: UuidCodec, outside: Presentation) -> Self {
        let inside = Presentation::Text(Form::bare(FormName::Uuid));
        let of = Permutation::Uuids {
            codec,
            inside,
            outside,
        };
        Self::with(vec![of], true)
    }

    /// Integer keys, integer ids.
    #[must_use]
    pub fn integers(codec: IntCodec) -> Self {
        Self::of(Permutation::Integers {
            codec,
            keeps: false,
        })
    }

    /// Integer keys of a sequence, integer ids: what no sequence gives, zero and negative integers,
    /// is the same inside and outside, unless the range begins below zero.
    #[must_use]
    pub fn integers_of_a_sequence(codec: IntCodec) -> Self {
        Self::of(Permutation::Integers { codec, keeps: true })
    }

    /// Keys and ids of 32 bytes.
    #[must_use]
    pub fn wide(codec: Wide, inside: WidePresentation, outside: WidePresentation) -> Self {
        Self::of(Permutation::Wide {
            codec,
            inside,
            outside,
        })
    }

    /// Session ids of 40 characters.
    #[must_use]
    pub fn sessions(codec: Session40) -> Self {
        Self::of(Permutation::Sessions(codec))
    }

    /// Several codecs of one domain, for columns of different kinds (integers, uuid, bytea, text):
    /// each column belongs to the first that suits it. So a domain can have a codec before the
    /// type of its column is known.
    #[must_use]
    pub fn first_of(codecs: impl IntoIterator<Item = Self>) -> Self {
        let mut permutations: Vec<Permutation> = Vec::new();
        let mut texts_refer = false;
        for codec in codecs {
            for permutation in codec.permutations {
                let keys = permutation.keys();
                if permutations.iter().all(|first| first.keys() != keys) {
                    texts_refer |= codec.texts_refer && keys == Kind::Text;
                    permutations.push(permutation);
                }
            }
        }
        Self::with(permutations, texts_refer)
    }

    fn with(permutations: Vec<Permutation>, texts_refer: bool) -> Self {
        let mut codec = Self {
            permutations,
            marks: Marks::default(),
            texts_refer,
            types: ColumnTypes::default(),
        };
        codec.types = codec.types_of_columns();
        codec
    }

    fn of(permutation: Permutation) -> Self {
        Self::with(vec![permutation], false)
    }

    /// The values that a text is as a key and as an id alike, one for each kind of columns whose ids
    /// are of the type of their keys: what may become a mark. None if it suits no column.
    #[must_use]
    pub fn marks_of(&self, text: &str) -> Vec<KeyValue> {
        let marks = self.permutations.iter();
        marks
            .filter_map(|permutation| permutation.mark(text))
            .collect()
    }

    /// Keeps values as they are, inside and outside: marks by which an application means something
    /// else than a row, such as the nil UUID for nobody. The others remain a permutation.
    #[must_use]
    pub fn keeping(mut self, marks: Vec<KeyValue>) -> Self {
        self.marks = Marks::new(marks);
        self
    }

    /// Tells whether a value is a mark, which is the same inside and outside.
    #[must_use]
    pub fn keeps(&self, value: &KeyValue) -> bool {
        self.marks.has_key(value)
    }

    /// Tells whether the domain has marks at all.
    #[must_use]
    pub const fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    fn permutation(&self, keys: Kind) -> Option<&Permutation> {
        let mut permutations = self.permutations.iter();
        permutations.find(|permutation| permutation.keys() == keys)
    }

    /// Which columns can hold the keys of the domain, and what clients see in their place.
    #[must_use]
    pub const fn column_types(&self) -> ColumnTypes {
        self.types
    }

    fn types_of_columns(&self) -> ColumnTypes {
        let shown = |keys| self.permutation(keys).map(Permutation::shown);
        let texts = self.permutation(Kind::Text);
        ColumnTypes {
            integers: shown(Kind::Integer),
            uuids: shown(Kind::Uuid),
            bytes: shown(Kind::Bytes),
            texts: shown(Kind::Text),
            uuid_versions: self.uuid_versions(),
            texts_refer: self.texts_refer,
            texts_are_uuids: texts.is_some_and(Permutation::is_text_of_uuids),
        }
    }

    /// The versions of which every uuid that is made today has an id, one bit each.
    fn uuid_versions(&self) -> u16 {
        let has_ids = |version: &u8| {
            let made = samples_of_version(*version);
            made.into_iter()
                .all(|uuid| self.encode(&KeyValue::Uuid(uuid)).is_ok())
        };
        (1..=8).filter(has_ids).map(|version| 1 << version).sum()
    }

    /// The codec of integer keys, if their ids are values of type `uuid`: for those who encode
    /// many of them and nothing else.
    #[must_use]
    pub fn integers_as_uuids(&self) -> Option<&IdCodec> {
        match self.permutation(Kind::Integer)? {
            Permutation::IntegersAsBytes {
                codec,
                outside: Presentation::Native,
            } => Some(codec),
            _ => None,
        }
    }

    /// The smallest and the largest of the ids of integer keys that are integers too.
    #[must_use]
    pub fn integer_ids(&self) -> Option<(i64, i64)> {
        match self.permutation(Kind::Integer)?.shown() {
            Shown::Integers(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// Which texts are keys of a column of this type, for documents; `None` if it is one of bytes or
    /// can't hold keys.
    #[must_use]
    pub fn key_texts(&self, column: ValueType) -> Option<KeyTexts> {
        let texts = self.permutation(column.kind())?.key_texts()?;
        Some(self.marks.among(texts))
    }

    /// About how many nanoseconds an id takes among others, by the slowest of its permutations: so
    /// that whoever has many of them knows whether others would have to wait.
    #[must_use]
    pub fn nanoseconds(&self) -> u64 {
        let permutations = self.permutations.iter();
        let all = permutations.map(Permutation::nanoseconds);
        all.max().unwrap_or_default()
    }

    /// The id that a key is shown as.
    ///
    /// # Errors
    /// [`EncodeError`] for a key that the codec can't represent, also one of another type.
    pub fn encode(&self, key: &KeyValue) -> Result<IdValue, EncodeError> {
        let permutation = self.permutation(key.kind()).ok_or(EncodeError)?;
        self.marks.encode(permutation, key)
    }

    /// The key that an id stands for in a column of this type.
    ///
    /// # Errors
    /// [`DecodeError`] for an id that was not issued for this domain and this column, or whose
    /// text is not of the domain's form; an id of another type is `Syntax` too, and so is every
    /// id in a column that can't hold the keys of the domain.
    pub fn decode(&self, id: &IdValue, column: ValueType) -> Result<KeyValue, DecodeError> {
        let permutation = self.permutation(column.kind()).ok_or(DecodeError::Syntax)?;
        self.marks.decode(permutation, id, column)
    }

    /// Appends what [`Codec::encode`] gives for each key to `ids`, in order; keys of the codecs
    /// that gain from it go in lock step. All keys are of one column, so of one kind.
    pub fn encode_batch(&self, keys: &[KeyValue], ids: &mut Vec<Result<IdValue, EncodeError>>) {
        let kind = keys.first().map(KeyValue::kind);
        match kind.and_then(|kind| self.permutation(kind)) {
            Some(permutation) => {
                let first = ids.len();
                permutation.encode_batch(keys, ids);
                for (key, id) in keys.iter().zip(ids.iter_mut().skip(first)) {
                    if self.marks.touch(Some(key), id.as_ref().ok()) {
                        *id = self.marks.encode(permutation, key);
                    }
                }
            }
            None => ids.extend(keys.iter().map(|_| Err(EncodeError))),
        }
    }

    /// Appends what [`Codec::decode`] gives for each id to `keys`, in order.
    pub fn decode_batch(
        &self,
        ids: &[IdValue],
        column: ValueType,
        keys: &mut Vec<Result<KeyValue, DecodeError>>,
    ) {
        match self.permutation(column.kind()) {
            Some(permutation) => {
                let first = keys.len();
                permutation.decode_batch(ids, column, keys);
                for (id, key) in ids.iter().zip(keys.iter_mut().skip(first)) {
                    if self.marks.touch(key.as_ref().ok(), Some(id)) {
                        *key = self.marks.decode(permutation, id, column);
                    }
                }
            }
            None => keys.extend(ids.iter().map(|_| Err(DecodeError::Syntax))),
        }
    }
}

/// Which columns a codec has ids for, and what clients see in their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ColumnTypes {
    integers: Option<Shown>,
    uuids: Option<Shown>,
    bytes: Option<Shown>,
    texts: Option<Shown>,
    uuid_versions: u16,
    /// Columns of text hold keys only where they refer to columns of uuids.
    texts_refer: bool,
    /// Text is that of uuids, as Postgres writes it.
    texts_are_uuids: bool,
}

/// The least and the greatest uuid of a version that is made today: all that is random in it varies,
/// and of the times of version 7 the first four bits don't for some five hundred years.
fn samples_of_version(version: u8) -> [UuidKey; 2] {
    let greatest = if version == 7 {
        u128::MAX >> 4
    } else {
        u128::MAX
    };
    [0, greatest].map(|bits| {
        let mut bytes = bits.to_be_bytes();
        bytes[6] = bytes[6] & 0x0f | (version << 4);
        bytes[8] = bytes[8] & 0x3f | 0x80;
        UuidKey::from_bytes(bytes)
    })
}

/// What clients see in the place of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Integers between these two, inclusive, of the type of the column.
    Integers(i64, i64),
    Uuid,
    Bytes,
    /// Texts of so many characters at the most.
    Text(usize),
}

impl ColumnTypes {
    /// Integers that are shown as UUIDs, as the codec `feistel` does.
    pub const INTEGERS_AS_UUIDS: Self = Self {
        integers: Some(Shown::Uuid),
        uuids: None,
        bytes: None,
        texts: None,
        uuid_versions: 0,
        texts_refer: false,
        texts_are_uuids: false,
    };

    /// Whether such a column can define the domain, and is not only one that refers to it.
    #[must_use]
    pub const fn can_define(&self, column: ValueType) -> bool {
        let refers = matches!(column, ValueType::Text) && self.texts_refer;
        self.shown(column).is_some() && !refers
    }

    /// Whether a key that is text is the text of the uuid that is the key elsewhere.
    #[must_use]
    pub const fn are_texts_of_uuids(&self) -> bool {
        self.texts_are_uuids && self.uuids.is_some()
    }

    /// Whether every uuid of a version that is made today has an id.
    #[must_use]
    pub const fn has_uuids_of(&self, version: u8) -> bool {
        version < 16 && (self.uuid_versions >> version) & 1 == 1
    }

    /// The type that clients see in place of a column of this type; `None` if such a column
    /// can't hold the keys of the domain, or not all of the ids where these are integers too.
    #[must_use]
    pub const fn shown(&self, column: ValueType) -> Option<ValueType> {
        match (self.of(column), column) {
            (None, _) => None,
            (Some(Shown::Integers(low, high)), ValueType::Integer(integer))
                if integer.fits(low) && integer.fits(high) =>
            {
                Some(column)
            }
            (Some(Shown::Integers(..)), _) => None,
            (Some(Shown::Uuid), _) => Some(ValueType::Uuid),
            (Some(Shown::Bytes), _) => Some(ValueType::Bytes),
            (Some(Shown::Text(_)), _) => Some(ValueType::Text),
        }
    }

    /// How many characters the ids in the place of such a column have at the most, as text; `None` if
    /// it can't hold the keys of the domain.
    #[must_use]
    pub fn longest_text(&self, column: ValueType) -> Option<usize> {
        Some(match self.of(column)? {
            Shown::Text(length) => length,
            Shown::Uuid => Form::bare(FormName::Uuid).length(),
            // The smallest integer of 64 bits.
            Shown::Integers(..) => 20,
            Shown::Bytes => WideForm::Bytea.length(),
        })
    }

    const fn of(&self, column: ValueType) -> Option<Shown> {
        match column {
            ValueType::Integer(_) => self.integers,
            ValueType::Uuid => self.uuids,
            ValueType::Bytes => self.bytes,
            ValueType::Text => self.texts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{
        Ff1Width, FormName, IntId, IntegerType, Key, KeyRange, KeyRing, Secret, Stride, Version,
        WideId, WideKey,
    };

    fn ring() -> KeyRing {
        KeyRing::new(Secret::generate().unwrap())
    }

    #[test]
    fn zero_and_negative_integers_stay_what_they_are() {
        let domain = "user".parse().unwrap();
        let secret = Secret::generate().unwrap();
        let of = ValueType::Integer(IntegerType::Int8);
        for (low, size) in [(0_i64, 1000_u16), (1, 1000), (700, 300)] {
            let beyond = low + i64::from(size);
            let range = KeyRange::new(low, size.into()).unwrap();
            let codec =
                IntCodec::fastprp(&secret, &domain, range, Stride::default(), &mut |_, _| {});
            let codec = Codec::integers_of_a_sequence(codec.unwrap());
            let kept = [-3, -1, 0].map(|key| (key, key));
            let keys: Vec<i64> = (-3..=0).chain(low.max(1)..beyond).collect();
            let values: Vec<KeyValue> = (keys.iter())
                .map(|key| KeyValue::Integer(Key::new(*key)))
                .collect();
            let (mut ids, mut back) = (Vec::new(), Vec::new());
            codec.encode_batch(&values, &mut ids);
            let ids: Vec<IdValue> = ids.into_iter().map(Result::unwrap).collect();
            codec.decode_batch(&ids, of, &mut back);
            let mut seen = std::collections::HashMap::new();
            for ((key, id), back) in values.iter().zip(&ids).zip(back) {
                assert_eq!(codec.encode(key).as_ref(), Ok(id));
                assert_eq!(codec.decode(id, of).as_ref(), Ok(key));
                assert_eq!(back.as_ref(), Ok(key));
                let (KeyValue::Integer(key), IdValue::Integer(id)) = (key, id) else {
                    panic!("integers");
                };
                assert_eq!(seen.insert(id.get(), key.get()), None);
            }
            for (key, id) in kept {
                assert_eq!(seen.get(&id), Some(&key));
            }
            let beyond = KeyValue::Integer(Key::new(beyond));
            assert!(codec.encode(&beyond).is_err());
        }
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
            let decoded = codec.decode(&id, ValueType::Integer(IntegerType::Int8));
            assert_eq!(decoded, Err(DecodeError::Syntax));
            let mut ids = Vec::new();
            codec.encode_batch(&[key.clone(), key], &mut ids);
            assert_eq!(ids, [Err(EncodeError), Err(EncodeError)]);
        }
    }

    #[test]
    fn a_batch_gives_what_each_gives_alone_whatever_is_in_it() {
        let (ring, domain) = (ring(), "user".parse().unwrap());
        let text = || Presentation::Text(Form::new(FormName::Hex, "").unwrap());
        let column = ValueType::Integer(IntegerType::Int4);
        for codec in [
            Codec::ids(IdCodec::aes_int(&ring, &domain), Presentation::Native),
            Codec::ids(
                IdCodec::feistel(&ring, &domain, Version::V8),
                Presentation::Native,
            ),
            Codec::ids(IdCodec::aes_int(&ring, &domain), text()),
            Codec::integers(IntCodec::ff1(&ring.current, &domain, Ff1Width::B31)),
        ] {
            let mut keys: Vec<_> = (-3..140).map(|n| KeyValue::Integer(Key::new(n))).collect();
            keys[70] = KeyValue::Integer(Key::new(1 << 40));
            for spoilt in [false, true] {
                if spoilt {
                    keys[0] = KeyValue::Integer(Key::new(0));
                    keys[9] = KeyValue::Text("9".to_owned());
                    keys[142] = KeyValue::Bytes(WideKey::from_bytes([0; 32]));
                }
                let mut ids = Vec::new();
                codec.encode_batch(&keys, &mut ids);
                assert!(
                    ids.iter()
                        .eq(&keys.iter().map(|k| codec.encode(k)).collect::<Vec<_>>())
                );
                let refused = ids.iter().filter(|id| id.is_err()).count();
                assert!(refused >= if spoilt { 2 } else { 0 });
                let other = IdValue::Bytes(WideId::from_bytes([0; 32]));
                let ids: Vec<_> = ids
                    .into_iter()
                    .map(|id| id.unwrap_or(other.clone()))
                    .collect();
                let mut decoded = Vec::new();
                codec.decode_batch(&ids, column, &mut decoded);
                let alone = ids.iter().map(|id| codec.decode(id, column));
                assert!(decoded.into_iter().eq(alone));
            }
        }
    }

    #[test]
    fn a_column_has_the_type_of_the_keys_and_is_shown_as_that_of_the_ids() {
        let domain = "user".parse().unwrap();
        let codec = Codec::ids(IdCodec::aes_int(&ring(), &domain), Presentation::Native);
        let column = ValueType::Integer(IntegerType::Int4);
        let types = codec.column_types();
        assert_eq!(types.shown(column), Some(ValueType::Uuid));
        assert_eq!(types.shown(ValueType::Text), None);
    }

    #[test]
    fn integers_as_ids_need_a_column_that_can_hold_them_all() {
        let secret = Secret::generate().unwrap();
        let codec = IntCodec::ff1(&secret, &"user".parse().unwrap(), Ff1Width::B53);
        let types = Codec::integers(codec).column_types();
        let int8 = ValueType::Integer(IntegerType::Int8);
        assert_eq!(types.shown(int8), Some(int8));
        assert_eq!(types.shown(ValueType::Integer(IntegerType::Int4)), None);
    }

    #[test]
    fn each_column_has_the_first_codec_of_its_kind() {
        let domain = "user".parse().unwrap();
        let codec = Codec::first_of([
            Codec::ids(
                IdCodec::feistel(&ring(), &domain, Version::V8),
                Presentation::Native,
            ),
            Codec::sessions(Session40::new(&Secret::generate().unwrap(), &domain)),
            Codec::ids(IdCodec::aes_int(&ring(), &domain), Presentation::Native),
        ]);
        let id = codec.encode(&KeyValue::Integer(Key::new(7))).unwrap();
        let IdValue::Uuid(uuid) = &id else {
            panic!("{id:?}")
        };
        assert_eq!(uuid.to_bytes()[6] >> 4, 8);
        let int4 = ValueType::Integer(IntegerType::Int4);
        assert_eq!(codec.decode(&id, int4), Ok(KeyValue::Integer(Key::new(7))));
        assert_eq!(codec.decode(&id, ValueType::Text), Err(DecodeError::Syntax));
        assert_eq!(codec.decode(&id, ValueType::Uuid), Err(DecodeError::Syntax));
    }

    #[test]
    fn a_key_that_the_column_cannot_hold_was_not_issued_for_it() {
        let secret = Secret::generate().unwrap();
        let codec = IntCodec::ff1(&secret, &"user".parse().unwrap(), Ff1Width::B53);
        let id = codec.encode(Key::new(1 << 40)).unwrap();
        let codec = Codec::integers(codec);
        let id = IdValue::Integer(IntId::new(id.get()));
        let decoded = codec.decode(&id, ValueType::Integer(IntegerType::Int4));
        assert_eq!(decoded, Err(DecodeError::NotIssued));
        assert!(
            codec
                .decode(&id, ValueType::Integer(IntegerType::Int8))
                .is_ok()
        );
    }
}
