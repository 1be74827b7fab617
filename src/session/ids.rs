//! What an id that the client sends becomes.
//!
//! An id that was never issued must match nothing, so in a predicate the server gets a sentinel in
//! its place ([`super::sentinel`]). The nil and the Max UUID are no ids whatever the codec makes of
//! them, so that ranges that begin or end with them work: Max becomes the largest integer, or the
//! Max UUID.

use bytes::BytesMut;

use crate::codec::{IdValue, IntId, Key, KeyValue, OpaqueId, UuidKey, ValueType, WideId, WideKey};
use crate::pg::reserved::{MAX, NIL, are_all_low};
use crate::sql::Refusal;
use crate::sql::plan::{Bound, IdUsage, TargetColumn};
use crate::sql::refusal::{Code, ConstraintFields};
use crate::wire::frontend::Format;
use crate::wire::value::{Malformed, Scalar, Type, Types};
use crate::wire::{WireError, bytea, uuid_text};

use super::codecs::Codecs;
pub(super) use super::sentinel::{Edge, Resolution, Sentinels};

/// From what a client sends to what Postgres is given.
pub(super) const fn types(usage: &IdUsage) -> Types {
    Types {
        from: usage.id.shown,
        to: usage.id.key_type,
    }
}

/// A value of the client as an id; `None` for one that is of no type that ids have.
pub(super) fn id_value(scalar: &Scalar<'_>) -> Option<IdValue> {
    Some(match scalar {
        Scalar::Int(value) => IdValue::Integer(IntId::new(*value)),
        Scalar::Uuid(uuid) => IdValue::Uuid(OpaqueId::from_bytes(*uuid)),
        Scalar::Bytes(bytes) => IdValue::Bytes(WideId::from_bytes((**bytes).try_into().ok()?)),
        Scalar::Text(text) => IdValue::Text(std::str::from_utf8(text).ok()?.to_owned()),
    })
}

/// The id that a text is, if it is written exactly as Postgres writes a value of the type: an id
/// that is compared as text is equal to no other spelling.
fn canonical(text: &[u8], shown: ValueType) -> Option<Scalar<'static>> {
    let of = Type::of_value(shown);
    let id = Scalar::decode(text, Format::Text, of).ok()?.into_owned();
    let mut written = BytesMut::new();
    id.encode(Format::Text, of, &mut written);
    (written == text).then_some(id)
}

/// The type that a value is of, the widest of its kind.
pub(super) const fn type_of(scalar: &Scalar<'_>) -> Type {
    match scalar {
        Scalar::Int(_) => Type::Int8,
        Scalar::Uuid(_) => Type::Uuid,
        Scalar::Bytes(_) => Type::Bytea,
        Scalar::Text(_) => Type::Text,
    }
}

/// Whether a value that the client has sent can be shown in a column of a type.
pub(super) const fn suits(id: &Scalar<'_>, shown: Type) -> bool {
    match shown {
        Type::Int2 | Type::Int4 | Type::Int8 => matches!(id, Scalar::Int(_)),
        Type::Uuid => matches!(id, Scalar::Uuid(_)),
        Type::Bytea => matches!(id, Scalar::Bytes(_)),
        Type::Text | Type::Varchar | Type::Bpchar => true,
    }
}

/// A value of the server as a key; `None` for one that no codec has an id for.
pub(super) fn key_value(scalar: &Scalar<'_>) -> Option<KeyValue> {
    Some(match scalar {
        Scalar::Int(value) => KeyValue::Integer(Key::new(*value)),
        Scalar::Uuid(uuid) => KeyValue::Uuid(UuidKey::from_bytes(*uuid)),
        Scalar::Bytes(bytes) => KeyValue::Bytes(WideKey::from_bytes((**bytes).try_into().ok()?)),
        Scalar::Text(text) => KeyValue::Text(std::str::from_utf8(text).ok()?.to_owned()),
    })
}

/// An id as the client gets it.
pub(super) fn shown(id: &IdValue) -> Scalar<'_> {
    match id {
        IdValue::Integer(id) => Scalar::Int(id.get()),
        IdValue::Uuid(id) => Scalar::Uuid(id.to_bytes()),
        IdValue::Bytes(id) => Scalar::Bytes(id.to_bytes().to_vec().into()),
        IdValue::Text(id) => Scalar::Text(id.as_bytes().into()),
    }
}

/// A key as the server gets it.
fn stored(key: KeyValue) -> Scalar<'static> {
    match key {
        KeyValue::Integer(key) => Scalar::Int(key.get()),
        KeyValue::Uuid(key) => Scalar::Uuid(key.to_bytes()),
        KeyValue::Bytes(key) => Scalar::Bytes(key.to_bytes().to_vec().into()),
        KeyValue::Text(key) => Scalar::Text(key.into_bytes().into()),
    }
}

/// The key that the server is given for an id.
///
/// # Errors
/// If the id was not issued and the value would be stored.
pub(super) fn key(
    codecs: &Codecs,
    usage: &IdUsage,
    id: Scalar<'_>,
    sentinels: &mut Sentinels,
) -> Result<Scalar<'static>, Box<Refusal>> {
    if let Some(edge) = edge(codecs, usage, &id) {
        let of = usage.id.key_type;
        return Ok(sentinels.edge(usage.id.domain, &id, of, edge));
    }
    let decoded = codecs.codec(usage.id.domain).and_then(|codec| {
        let key_type = usage.id.key_type.value_type();
        let id = match (&id, codec.column_types().shown(key_type)?) {
            (Scalar::Text(text), shown) if shown != ValueType::Text => {
                codecs.id_value(usage.id.domain, &canonical(text, shown)?)
            }
            _ => codecs.id_value(usage.id.domain, &id),
        };
        codecs.decode(usage.id.domain, &id?, key_type)
    });
    if usage.bound.is_some() && usage.stored.is_none() {
        // Of text and bytes no value is behind all others.
        let has_end = are_all_low(usage.id.key_type);
        match &id {
            Scalar::Uuid(MAX) if !has_end => return Err(Box::new(no_bound(&id, has_end))),
            _ if decoded.is_some() => {}
            // What an integer is where it bounds a range, `edge` has said.
            Scalar::Int(_) | Scalar::Uuid(NIL | MAX) => {}
            Scalar::Bytes(bytes) | Scalar::Text(bytes) if bytes.is_empty() => {
                return Ok(sentinels.edge(usage.id.domain, &id, usage.id.key_type, Edge::First));
            }
            _ => return Err(Box::new(no_bound(&id, has_end))),
        }
    }
    judge(codecs, usage, id, decoded, sentinels)
}

/// What is said of a value that bounds a range of ids and that nobody has issued: ids are in the
/// order of their keys, and it has none.
fn no_bound(id: &Scalar<'_>, has_end: bool) -> Refusal {
    let end = match id {
        Scalar::Uuid(_) if !has_end => "Begin with the nil uuid, and leave the end open.",
        Scalar::Int(_) | Scalar::Uuid(_) => "Begin with the nil uuid, and end with the max uuid.",
        Scalar::Bytes(_) | Scalar::Text(_) => "Begin with an empty value, and leave the end open.",
    };
    let message = "the bound of a range of ids was never issued as an id";
    Refusal::new(Code::ForeignId, "22023", message)
        .detail("Ids are in the order of the keys that they stand for, and this value has none.")
        .hint(end)
}

/// Which end of all ids an integer means that bounds a range and is none that anybody looks for:
/// one beyond all ids, the largest of its type, or the first of all, where a range begins with it.
fn edge(codecs: &Codecs, usage: &IdUsage, id: &Scalar<'_>) -> Option<Edge> {
    let (Some(bound), Scalar::Int(value), None) = (usage.bound, id, &usage.stored) else {
        return None;
    };
    if codecs.is_mark(usage.id.domain, id) {
        return None;
    }
    let (low, high) = codecs.codec(usage.id.domain)?.integer_ids()?;
    let first = if low <= 0 { 1 } else { low };
    let largest = usage.id.shown.maximum();
    match *value {
        value if value > high || value == largest => Some(Edge::Last),
        value if value == first && bound == Bound::First => Some(Edge::First),
        // Zero and what is below stay what they are, but where keys are below zero.
        0 | -1 if low < 0 => Some(Edge::First),
        value if 0 < value && value < low => Some(Edge::First),
        _ => None,
    }
}

/// The key that the server is given for an id where the codec has been asked already: for the key
/// of the id, if it has one.
///
/// # Errors
/// If the id was not issued and the value would be stored.
pub(super) fn judge(
    codecs: &Codecs,
    usage: &IdUsage,
    id: Scalar<'_>,
    decoded: Option<KeyValue>,
    sentinels: &mut Sentinels,
) -> Result<Scalar<'static>, Box<Refusal>> {
    let of = usage.id.key_type;
    match (decoded.map(stored), &usage.stored) {
        // A sentinel is never shown, so no one has been given this id.
        (Some(key), _) if !codecs.is_reserved(usage.id.domain, &key, of) => Ok(key),
        (_, Some(stored)) => Err(Box::new(never_issued(stored, &id))),
        (_, None) => Ok(codecs.stand_in(sentinels, usage.id.domain, &id, of)),
    }
}

fn never_issued(stored: &TargetColumn, id: &Scalar<'_>) -> Refusal {
    let TargetColumn {
        schema,
        table,
        column,
        foreign_key,
        others: _,
    } = stored;
    if stored.is_in_channel() {
        let message = format!("the payload for channel \"{table}\" was never issued as an id");
        return Refusal::new(Code::ForeignId, "22023", message);
    }
    if stored.is_by_function() {
        let message = format!("an argument of function {table} was never issued as an id");
        return Refusal::new(Code::ForeignId, "22023", message)
            .detail("The function may store what it is given.")
            .hint("If it only reads, mark it as STABLE in the database.");
    }
    let Some((constraint, referenced)) = foreign_key else {
        let message = format!(
            "the value for column \"{column}\" of relation \"{table}\" was never issued as an id"
        );
        return Refusal::new(Code::ForeignId, "22023", message)
            .hint("Leave the column out and let the database generate the id.");
    };
    let message = format!(
        "insert or update on table \"{table}\" violates foreign key constraint \"{constraint}\""
    );
    let id = match id {
        Scalar::Int(id) => id.to_string(),
        Scalar::Uuid(id) => uuid_text::to_string(id),
        Scalar::Bytes(id) => bytea::to_string(id),
        Scalar::Text(id) => String::from_utf8_lossy(id).into_owned(),
    };
    let detail = format!("Key ({column})=({id}) is not present in table \"{referenced}\".");
    let mut refusal = Refusal::new(Code::ForeignId, "23503", message).detail(detail);
    refusal.constraint = Some(ConstraintFields {
        schema: schema.clone(),
        table: table.clone(),
        constraint: constraint.clone(),
    });
    refusal
}

/// What the client is told about a value that is none, in the words of the input and receive
/// functions of its type.
impl From<Malformed<'_>> for Box<Refusal> {
    fn from(malformed: Malformed<'_>) -> Self {
        let quoted = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let (sqlstate, message) = match malformed {
            Malformed::Syntax(of, text) => (
                "22P02",
                format!(
                    "invalid input syntax for type {}: \"{}\"",
                    of.name(),
                    quoted(&text)
                ),
            ),
            Malformed::Range(of, text) => (
                "22003",
                format!(
                    "value \"{}\" is out of range for type {}",
                    quoted(&text),
                    of.name()
                ),
            ),
            Malformed::Bytea(fault @ bytea::Fault::Escape) => ("22P02", fault.to_string()),
            Malformed::Bytea(fault) => ("22023", fault.to_string()),
            Malformed::Encoding(bytes) => {
                let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
                let bytes = bytes.join(" ");
                (
                    "22021",
                    format!("invalid byte sequence for encoding \"UTF8\": {bytes}"),
                )
            }
            Malformed::Array { text, detail } => {
                let message = format!("malformed array literal: \"{}\"", quoted(&text));
                return Self::new(malformed_id("22P02", message).detail(detail));
            }
            Malformed::Row { text, detail } => {
                let message = format!("malformed record literal: \"{}\"", quoted(&text));
                return Self::new(malformed_id("22P02", message).detail(detail));
            }
            Malformed::FieldType(found, expected, place) => (
                "42804",
                format!(
                    "binary data has type {found} instead of expected {} ({}) in record column {place}",
                    expected.oid(),
                    expected.name()
                ),
            ),
            Malformed::Binary(WireError::Truncated) => {
                ("08P01", "insufficient data left in message".to_owned())
            }
            Malformed::Binary(_) => {
                let message = "incorrect binary data format in bind parameter";
                ("22P03", message.to_owned())
            }
            Malformed::ElementType(found, expected) => (
                "42804",
                format!(
                    "binary data has array element type {found} instead of expected {} ({})",
                    expected.oid(),
                    expected.name()
                ),
            ),
        };
        Self::new(malformed_id(sqlstate, message))
    }
}

fn malformed_id(sqlstate: &'static str, message: String) -> Refusal {
    Refusal::new(Code::MalformedId, sqlstate, message)
}
