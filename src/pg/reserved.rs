//! The values of each type that no column of keys may hold: pgveil puts them where a client has
//! sent an id that nobody has.
//!
//! The first of a type is its smallest value: the minimum of an integer, the nil UUID, the empty
//! `bytea` and the empty text. Further ones are the next integers (but for `smallint`, which has
//! none to spare), and UUIDs and texts that no generator makes.

use std::borrow::Cow;

use super::{Scalar, Type};

/// The UUID that is smaller than all others.
pub const NIL: [u8; 16] = [0; 16];
/// The UUID that is larger than all others.
pub const MAX: [u8; 16] = [0xff; 16];

/// So many values are reserved beside the first, if the type has them to spare.
pub const MOST: u8 = 255;

/// With what reserved values other than the first begin: texts and bytes with a number behind it,
/// and UUIDs behind eight bytes of zeros.
const MARK: &[u8] = b"pgveil";

/// The reserved values of a type by their number; `None` where it has no more to spare.
#[must_use]
pub fn numbered(of: Type, number: u8) -> Option<Scalar<'static>> {
    Some(match (of, number) {
        (_, 0) => lowest(of),
        (Type::Int2, _) => return None,
        (Type::Int4 | Type::Int8, _) => Scalar::Int(of.minimum() + i64::from(number)),
        (Type::Uuid, _) => {
            let mut uuid = NIL;
            for (to, from) in uuid.iter_mut().skip(8).zip(MARK) {
                *to = *from;
            }
            uuid[15] = number;
            Scalar::Uuid(uuid)
        }
        (Type::Bytea, _) => Scalar::Bytes(Cow::Owned(mark(number))),
        (Type::Text | Type::Varchar | Type::Bpchar, _) => Scalar::Text(Cow::Owned(mark(number))),
    })
}

/// All reserved values of a type.
pub fn all(of: Type) -> impl Iterator<Item = Scalar<'static>> {
    (0..=MOST).map_while(move |number| numbered(of, number))
}

/// The first reserved value of a type: not larger than any of its values.
#[must_use]
pub const fn lowest(of: Type) -> Scalar<'static> {
    match of {
        Type::Int2 | Type::Int4 | Type::Int8 => Scalar::Int(of.minimum()),
        Type::Uuid => Scalar::Uuid(NIL),
        Type::Bytea => Scalar::Bytes(Cow::Borrowed(&[])),
        Type::Text | Type::Varchar | Type::Bpchar => Scalar::Text(Cow::Borrowed(&[])),
    }
}

/// The smallest integer of a type that is not reserved.
#[must_use]
pub fn first_unreserved(of: Type) -> i64 {
    let reserved = i64::try_from(all(of).count()).unwrap_or(i64::MAX);
    of.minimum().saturating_add(reserved)
}

/// What stands behind all values of a type. No `bytea` and no text is the largest.
#[must_use]
pub const fn highest(of: Type) -> Scalar<'static> {
    match of {
        Type::Int2 | Type::Int4 | Type::Int8 => Scalar::Int(of.maximum()),
        Type::Uuid => Scalar::Uuid(MAX),
        Type::Bytea | Type::Text | Type::Varchar | Type::Bpchar => lowest(of),
    }
}

/// Tells whether all reserved values of a type are smaller than its keys.
#[must_use]
pub const fn are_all_low(of: Type) -> bool {
    matches!(of, Type::Int2 | Type::Int4 | Type::Int8 | Type::Uuid)
}

/// Tells whether a value in a column of a type is reserved.
#[must_use]
pub fn is_reserved(key: &Scalar<'_>, of: Type) -> bool {
    may_be_given(key)
        && match key {
            Scalar::Int(_) | Scalar::Uuid(MAX) if *key == highest(of) => false,
            Scalar::Int(key) => {
                let above = key.checked_sub(of.minimum());
                let spare = if let Type::Int2 = of {
                    0
                } else {
                    i64::from(MOST)
                };
                above.is_some_and(|above| (0..=spare).contains(&above))
            }
            Scalar::Uuid(_) => true,
            Scalar::Bytes(bytes) => bytes.is_empty() || is_marked(bytes),
            Scalar::Text(text) => text.is_empty() || is_marked(text),
        }
}

/// Tells whether a value may be reserved, or an end, in a column of any type. Most values are not,
/// and need no search.
#[must_use]
pub fn may_be_given(key: &Scalar<'_>) -> bool {
    match key {
        Scalar::Int(key) => {
            *key <= Type::Int2.minimum()
                || [Type::Int2, Type::Int4, Type::Int8]
                    .map(Type::maximum)
                    .contains(key)
        }
        Scalar::Uuid(NIL | MAX) => true,
        Scalar::Uuid(uuid) => {
            let marked = uuid
                .strip_prefix(&[0; 8])
                .and_then(|rest| rest.strip_prefix(MARK));
            matches!(marked, Some([0, _]))
        }
        Scalar::Bytes(bytes) => bytes.is_empty() || bytes.starts_with(MARK),
        Scalar::Text(text) => text.is_empty() || text.starts_with(MARK),
    }
}

fn is_marked(bytes: &[u8]) -> bool {
    let mut numbers = (1..=MOST).map(mark);
    numbers.any(|marked| marked == bytes)
}

fn mark(number: u8) -> Vec<u8> {
    [MARK, number.to_string().as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_is_what_is_reserved() {
        for of in Type::ALL {
            let listed: Vec<_> = all(of).collect();
            assert!(listed.iter().all(|key| is_reserved(key, of)), "{of:?}");
            assert_eq!(listed.len(), if of == Type::Int2 { 1 } else { 256 });
            assert_eq!(listed.first(), Some(&lowest(of)));
        }
    }
}
