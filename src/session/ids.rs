//! What an id that the client sends becomes, and the ids that stand behind the sentinels.

use crate::catalog::{DomainId, KeyType};
use crate::codec::{IdValue, IntegerType, KeyValue, OpaqueId};
use crate::sql::Refusal;
use crate::sql::plan::{IdUsage, Stored};
use crate::sql::refusal::{Code, ConstraintFields};
use crate::wire::WireError;
use crate::wire::uuid_text;
use crate::wire::value::Int;

use super::shared::Shared;

const MAX: [u8; 16] = [0xff; 16];

/// The wire's name for the type of a key.
pub(super) const fn int(key_type: KeyType) -> Int {
    match key_type {
        KeyType::Int2 => Int::Int2,
        KeyType::Int4 => Int::Int4,
        _ => Int::Int8,
    }
}

/// The ids that were sent and stand for no key, each with the sentinel that the server got in
/// its place. Where the server shows the sentinel, the client sees its id again.
#[derive(Debug, Clone, Default)]
pub(super) struct Echo {
    sent: Vec<Sentinel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sentinel {
    domain: DomainId,
    key: i64,
    id: OpaqueId,
}

/// What a key that the server sends is shown as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Its own id.
    Encoded,
    /// The id that the client sent.
    Sent(OpaqueId),
    /// Nothing: it is a sentinel, and which id it stands for can't be told.
    Nothing,
}

impl Echo {
    fn add(&mut self, sentinel: Sentinel) {
        if !self.sent.contains(&sentinel) {
            self.sent.push(sentinel);
        }
    }

    /// Adds those of another text or Bind.
    pub(super) fn extend(&mut self, other: &Self) {
        for sentinel in &other.sent {
            self.add(*sentinel);
        }
    }

    /// What a key of a domain is shown as; `int` is the type that the server sends it in.
    pub(super) fn shown(&self, domain: DomainId, key: i64, int: Int) -> Shown {
        let mut candidates = self
            .sent
            .iter()
            .filter(|sentinel| sentinel.domain == domain && sentinel.key == key);
        match (candidates.next(), candidates.next()) {
            (Some(only), None) => Shown::Sent(only.id),
            (Some(_), Some(_)) => Shown::Nothing,
            (None, _) if key == minimum(int) => Shown::Nothing,
            (None, _) => Shown::Encoded,
        }
    }
}

const fn minimum(int: Int) -> i64 {
    match int {
        Int::Int2 => IntegerType::Int2.min(),
        Int::Int4 => IntegerType::Int4.min(),
        Int::Int8 => IntegerType::Int8.min(),
    }
}

/// The key that the server is given for an id.
///
/// # Errors
/// If the id was not issued and the value would be stored.
pub(super) fn key(
    shared: &Shared,
    usage: &IdUsage,
    uuid: [u8; 16],
    echo: &mut Echo,
) -> Result<i64, Box<Refusal>> {
    let id = OpaqueId::from_bytes(uuid);
    let column = usage.id.key_type.value_type();
    let crate::codec::ValueType::Integer(integer) = column else {
        return Err(Box::new(malformed_uuid(b"")));
    };
    let decoded = shared
        .codec(usage.id.domain)
        .and_then(|codec| codec.decode(&IdValue::Uuid(id), column).ok());
    match (decoded, &usage.stored) {
        // The minimum is never shown, so no one has been given this id.
        (Some(KeyValue::Integer(key)), _) if key.get() != integer.min() => Ok(key.get()),
        (_, Some(stored)) => Err(Box::new(never_issued(stored, &uuid))),
        (_, None) => {
            let key = if uuid == MAX {
                integer.max()
            } else {
                integer.min()
            };
            let domain = usage.id.domain;
            echo.add(Sentinel { domain, key, id });
            Ok(key)
        }
    }
}

fn never_issued(stored: &Stored, uuid: &[u8; 16]) -> Refusal {
    let Stored {
        schema,
        table,
        column,
        foreign_key,
    } = stored;
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
    let id = uuid_text::to_string(uuid);
    let detail = format!("Key ({column})=({id}) is not present in table \"{referenced}\".");
    let mut refusal = Refusal::new(Code::ForeignId, "23503", message).detail(detail);
    refusal.constraint = Some(ConstraintFields {
        schema: schema.clone(),
        table: table.clone(),
        constraint: constraint.clone(),
    });
    refusal
}

/// `uuid_in`'s error.
pub(super) fn malformed_uuid(text: &[u8]) -> Refusal {
    let text = String::from_utf8_lossy(text);
    malformed(
        "22P02",
        format!("invalid input syntax for type uuid: \"{text}\""),
    )
}

/// `array_in`'s error.
pub(super) fn malformed_array(text: &[u8], detail: &str) -> Refusal {
    let text = String::from_utf8_lossy(text);
    malformed("22P02", format!("malformed array literal: \"{text}\"")).detail(detail)
}

/// `uuid_recv`'s and `array_recv`'s errors.
pub(super) fn malformed_binary(error: WireError) -> Refusal {
    match error {
        WireError::Truncated => malformed("08P01", "insufficient data left in message"),
        _ => malformed("22P03", "incorrect binary data format in bind parameter"),
    }
}

pub(super) fn malformed(sqlstate: &'static str, message: impl Into<String>) -> Refusal {
    Refusal::new(Code::MalformedId, sqlstate, message)
}
