//! Texts to keys and ids, through the codec of a domain, and back to texts.

use super::Way;
use crate::codec::{
    Codec, DecodeError, EncodeError, IdValue, IntId, Key, KeyError, KeyValue, OpaqueId,
    SyntaxError, UuidKey, WideForm, WideId, WideKey,
};
use crate::config::{ColumnTypes, IdDomain, IntegerType, ValueType};

const BIGINT: ValueType = ValueType::Integer(IntegerType::Int8);
/// What a key is, where nothing else decides: the first that it looks like. The width of an
/// integer column is no part of an id, so the widest serves all.
pub(super) const KEYS: [ValueType; 4] =
    [BIGINT, ValueType::Uuid, ValueType::Bytes, ValueType::Text];
/// What an id is of. A domain has text columns only if it says how keys are written there.
const IDS: [ValueType; 4] = [BIGINT, ValueType::Text, ValueType::Uuid, ValueType::Bytes];

/// Converts texts for one domain.
pub(super) struct Converter<'c> {
    codec: &'c Codec,
    types: ColumnTypes,
    way: Way,
    /// The columns that the keys may be of.
    columns: Vec<ValueType>,
}

/// What a text became.
pub(in crate::cli) enum Value {
    Key(KeyValue),
    Id(IdValue),
}

/// Why a text became nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(in crate::cli) enum Reason {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Uuid(#[from] SyntaxError),
    #[error("an id of this domain is a decimal number")]
    Number,
    #[error("bytes are written as \\x and 64 hexadecimal digits")]
    Bytes,
    #[error("the text is not UTF-8")]
    Encoding,
    #[error("the field is not quoted as CSV is")]
    Quotes,
}

impl<'c> Converter<'c> {
    pub(super) fn new(domain: &'c IdDomain, way: Way, column: Option<ValueType>) -> Self {
        let types = domain.annotation.types;
        let columns = match (column, way) {
            (Some(column), _) => vec![column],
            (None, Way::Encode) => KEYS.to_vec(),
            (None, Way::Decode) => IDS.to_vec(),
        };
        let has_ids = |column: &ValueType| types.can_define(*column);
        Self {
            codec: &domain.codec,
            types,
            way,
            columns: columns.into_iter().filter(has_ids).collect(),
        }
    }

    /// Whether the codec has ids for the column that was asked for.
    pub(super) fn has_ids(&self) -> bool {
        !self.columns.is_empty()
    }

    /// What each text becomes, in order.
    pub(super) fn convert(&self, texts: &[&[u8]]) -> Vec<Result<Value, Reason>> {
        match self.way {
            Way::Encode => {
                let keys = texts.iter().map(|text| self.key(text));
                each(keys, |keys| {
                    let mut ids = Vec::with_capacity(keys.len());
                    if one_kind(keys) {
                        self.codec.encode_batch(keys, &mut ids);
                    } else {
                        ids.extend(keys.iter().map(|key| self.codec.encode(key)));
                    }
                    ids.into_iter().map(|id| Ok(Value::Id(id?)))
                })
            }
            Way::Decode => {
                let ids: Vec<_> = texts.iter().map(|text| self.id(text)).collect();
                let mut columns = ids.iter().flatten().map(|(_, column)| *column);
                let first = columns.next();
                if let Some(column) = first.filter(|first| columns.all(|column| column == *first)) {
                    let ids = ids.into_iter().map(|id| id.map(|(id, _)| id));
                    return each(ids, |ids| {
                        let mut keys = Vec::with_capacity(ids.len());
                        self.codec.decode_batch(ids, column, &mut keys);
                        keys.into_iter().map(|key| Ok(Value::Key(key?)))
                    });
                }
                let decode = |(id, column)| Ok(Value::Key(self.codec.decode(&id, column)?));
                ids.into_iter().map(|id| id.and_then(decode)).collect()
            }
        }
    }

    /// The key that a text is: of the one column, or of the one that it looks like.
    fn key(&self, text: &[u8]) -> Result<KeyValue, Reason> {
        let mut fault = None;
        for column in &self.columns {
            match key(text, *column) {
                Ok(key) => return Ok(key),
                Err(reason) => fault = fault.or(Some(reason)),
            }
        }
        Err(fault.unwrap_or(Reason::Encode(EncodeError)))
    }

    /// The id that a text is, with the column that it then is of.
    fn id(&self, text: &[u8]) -> Result<(IdValue, ValueType), Reason> {
        let mut fault = None;
        for column in &self.columns {
            let Some(shown) = self.types.shown(*column) else {
                continue;
            };
            match id(text, shown) {
                Ok(id) => return Ok((id, *column)),
                Err(reason) => fault = fault.or(Some(reason)),
            }
        }
        Err(fault.unwrap_or(Reason::Decode(DecodeError::Syntax)))
    }
}

/// Runs what could be read through `run`, and puts the results where they belong.
fn each<T, O: Iterator<Item = Result<Value, Reason>>>(
    read: impl Iterator<Item = Result<T, Reason>>,
    run: impl FnOnce(&[T]) -> O,
) -> Vec<Result<Value, Reason>> {
    let mut good = Vec::with_capacity(read.size_hint().0);
    let places: Vec<Result<(), Reason>> =
        read.map(|item| item.map(|item| good.push(item))).collect();
    let mut results = run(&good);
    let result = |place: Result<(), Reason>| {
        place.and_then(|()| results.next().unwrap_or(Err(Reason::Encode(EncodeError))))
    };
    places.into_iter().map(result).collect()
}

/// Whether the keys can go through the codec as one batch.
fn one_kind(keys: &[KeyValue]) -> bool {
    let kind = |key: &KeyValue| std::mem::discriminant(key);
    keys.windows(2).all(|two| kind(&two[0]) == kind(&two[1]))
}

pub(super) fn key(text: &[u8], column: ValueType) -> Result<KeyValue, Reason> {
    Ok(match column {
        ValueType::Integer(integer) => {
            let text = str::from_utf8(text).map_err(|_| KeyError::Syntax)?;
            KeyValue::Integer(Key::parse(text, integer)?)
        }
        ValueType::Uuid => KeyValue::Uuid(UuidKey::from_bytes(OpaqueId::parse(text)?.to_bytes())),
        ValueType::Bytes => KeyValue::Bytes(WideKey::from_bytes(bytes(text)?)),
        ValueType::Text => KeyValue::Text(utf8(text)?),
    })
}

fn id(text: &[u8], shown: ValueType) -> Result<IdValue, Reason> {
    Ok(match shown {
        ValueType::Integer(_) => {
            let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
            IdValue::Integer(IntId::new(number.ok_or(Reason::Number)?))
        }
        ValueType::Uuid => IdValue::Uuid(OpaqueId::parse(text)?),
        ValueType::Bytes => IdValue::Bytes(WideId::from_bytes(bytes(text)?)),
        ValueType::Text => IdValue::Text(utf8(text)?),
    })
}

fn bytes(text: &[u8]) -> Result<[u8; 32], Reason> {
    WideForm::Bytea.parse(text).map_err(|_| Reason::Bytes)
}

fn utf8(text: &[u8]) -> Result<String, Reason> {
    let text = str::from_utf8(text).map_err(|_| Reason::Encoding)?;
    Ok(text.to_owned())
}

impl Value {
    /// Appends the text of the value, as Postgres writes it.
    pub(in crate::cli) fn write(&self, text: &mut Vec<u8>) {
        match self {
            Self::Key(KeyValue::Integer(key)) => number(key.get(), text),
            Self::Id(IdValue::Integer(id)) => number(id.get(), text),
            Self::Key(KeyValue::Uuid(key)) => {
                text.extend(OpaqueId::from_bytes(key.to_bytes()).to_text());
            }
            Self::Id(IdValue::Uuid(id)) => text.extend(id.to_text()),
            Self::Key(KeyValue::Bytes(key)) => wide(key.to_bytes(), text),
            Self::Id(IdValue::Bytes(id)) => wide(id.to_bytes(), text),
            Self::Key(KeyValue::Text(value)) | Self::Id(IdValue::Text(value)) => {
                text.extend(value.as_bytes());
            }
        }
    }
}

fn number(number: i64, text: &mut Vec<u8>) {
    text.extend(number.to_string().as_bytes());
}

fn wide(bytes: [u8; 32], text: &mut Vec<u8>) {
    let mut hex = String::with_capacity(66);
    WideForm::Bytea.render(bytes, &mut hex);
    text.extend(hex.as_bytes());
}
