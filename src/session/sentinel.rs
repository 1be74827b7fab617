//! The values that stand in the database for ids that nobody has, and the way back to those ids.
//!
//! The first id that was never issued becomes the smallest value of the stored type, that is the
//! minimum of an integer, the nil UUID, the empty `bytea` and the empty text. Others beside it get
//! further values, so that each can be told from the others where the server shows it again: the
//! next integers (but for `smallint`, which has none to spare), and UUIDs and texts that no
//! generator makes. All of them are reserved: no client is ever shown one as a key.

use std::borrow::Cow;

use crate::catalog::DomainId;
use crate::wire::value::{Scalar, Type};

pub(super) const NIL: [u8; 16] = [0; 16];
pub(super) const MAX: [u8; 16] = [0xff; 16];

/// So many ids of a domain can be told apart in one statement. The number keeps the search among
/// them short.
const MOST: u8 = 255;

/// With what sentinels other than the first begin: texts and bytes with a number behind it, and
/// UUIDs behind eight bytes of zeros.
const MARK: &[u8] = b"pgveil";

/// The ids that were sent and stand for no key, each with the sentinel that the server got in
/// its place. Where the server shows the sentinel, the client sees its id again.
#[derive(Debug, Clone, Default)]
pub(super) struct Echo {
    sent: Vec<Sentinel>,
}

/// Both values as they are on the wire: what stands for no key need not fit a codec's types.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sentinel {
    domain: DomainId,
    key: Scalar<'static>,
    id: Scalar<'static>,
}

/// What a key that the server sends is shown as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown<'e> {
    /// Its own id.
    Encoded,
    /// The id that the client sent.
    Sent(&'e Scalar<'static>),
    /// Nothing: it is a sentinel, and which id it stands for can't be told.
    Nothing,
}

impl Echo {
    /// The sentinel for an id that is stored as a type.
    pub(super) fn stand_in(
        &mut self,
        domain: DomainId,
        id: &Scalar<'_>,
        of: Type,
    ) -> Scalar<'static> {
        let key = match id {
            Scalar::Uuid(MAX) => highest(of),
            // Ranges begin with it: as text or bytes only the first sentinel is below all keys.
            Scalar::Uuid(NIL) if !has_only_low_sentinels(of) => lowest(of),
            _ => self.free(domain, id, of),
        };
        self.add(domain, &key, id);
        key
    }

    /// The sentinel that an id has already, or one that no other has; the first one if all are
    /// taken.
    fn free(&self, domain: DomainId, id: &Scalar<'_>, of: Type) -> Scalar<'static> {
        let same = |key: &Scalar<'static>| {
            let mut sent = self.sent.iter();
            sent.find(|sentinel| sentinel.domain == domain && sentinel.key == *key)
        };
        let mut keys = (0..=MOST).map_while(|number| numbered(of, number));
        let free = keys.find(|key| same(key).is_none_or(|sentinel| sentinel.id == *id));
        free.unwrap_or_else(|| lowest(of))
    }

    /// Remembers an id. A third one for the same sentinel would tell nothing more than the second.
    fn add(&mut self, domain: DomainId, key: &Scalar<'static>, id: &Scalar<'_>) {
        let same = |sentinel: &&Sentinel| sentinel.domain == domain && sentinel.key == *key;
        let mut same = self.sent.iter().filter(same);
        let (first, second) = (same.next(), same.next());
        if second.is_none() && first.is_none_or(|first| first.id != *id) {
            self.sent.push(Sentinel {
                domain,
                key: key.clone(),
                id: id.clone().into_owned(),
            });
        }
    }

    /// What it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let of = |scalar: &Scalar<'_>| match scalar {
            Scalar::Text(text) | Scalar::Bytes(text) => text.len(),
            Scalar::Int(_) | Scalar::Uuid(_) => 0,
        };
        let each = self.sent.iter();
        let each =
            each.map(|sentinel| size_of::<Sentinel>() + of(&sentinel.key) + of(&sentinel.id));
        each.sum()
    }

    /// Adds those of another text or Bind.
    pub(super) fn extend(&mut self, other: &Self) {
        for sentinel in &other.sent {
            self.add(sentinel.domain, &sentinel.key, &sentinel.id);
        }
    }

    /// What a key of a domain is shown as; `of` is the type that the server sends it in.
    pub(super) fn shown(&self, domain: DomainId, key: &Scalar<'_>, of: Type) -> Shown<'_> {
        if !may_be_sentinel(key) {
            return Shown::Encoded;
        }
        let mut candidates = self
            .sent
            .iter()
            .filter(|sentinel| sentinel.domain == domain && sentinel.key == *key);
        match (candidates.next(), candidates.next()) {
            (Some(only), None) => Shown::Sent(&only.id),
            (Some(_), Some(_)) => Shown::Nothing,
            (None, _) if is_reserved(key, of) => Shown::Nothing,
            (None, _) => Shown::Encoded,
        }
    }

    /// The same for an integer, in few steps.
    #[inline]
    pub(super) fn shown_integer(&self, domain: DomainId, key: i64, of: Type) -> Shown<'_> {
        if self.sent.is_empty() && key > minimum(Type::Int2) {
            Shown::Encoded
        } else {
            self.shown(domain, &Scalar::Int(key), of)
        }
    }
}

/// Whether a value that the server shows in a column of a type is reserved.
pub(super) fn is_reserved(key: &Scalar<'_>, of: Type) -> bool {
    may_be_sentinel(key)
        && match key {
            Scalar::Int(_) | Scalar::Uuid(MAX) if *key == highest(of) => false,
            Scalar::Int(key) => {
                let above = key.checked_sub(minimum(of));
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

/// Whether a value may be a sentinel of any type. Most are not, and need no search.
fn may_be_sentinel(key: &Scalar<'_>) -> bool {
    match key {
        Scalar::Int(key) => {
            *key <= minimum(Type::Int2)
                || [Type::Int2, Type::Int4, Type::Int8]
                    .map(maximum)
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

/// The sentinels of a type, from 0.
fn numbered(of: Type, number: u8) -> Option<Scalar<'static>> {
    Some(match (of, number) {
        (_, 0) => lowest(of),
        (Type::Int2, _) => return None,
        (Type::Int4 | Type::Int8, _) => Scalar::Int(minimum(of) + i64::from(number)),
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

/// Whether all sentinels of a type are smaller than its keys.
const fn has_only_low_sentinels(of: Type) -> bool {
    matches!(of, Type::Int2 | Type::Int4 | Type::Int8 | Type::Uuid)
}

const fn minimum(of: Type) -> i64 {
    match of {
        Type::Int2 => i16::MIN as i64,
        Type::Int4 => i32::MIN as i64,
        _ => i64::MIN,
    }
}

const fn maximum(of: Type) -> i64 {
    match of {
        Type::Int2 => i16::MAX as i64,
        Type::Int4 => i32::MAX as i64,
        _ => i64::MAX,
    }
}

/// The first sentinel of a type: not larger than any of its values.
const fn lowest(of: Type) -> Scalar<'static> {
    match of {
        Type::Int2 | Type::Int4 | Type::Int8 => Scalar::Int(minimum(of)),
        Type::Uuid => Scalar::Uuid(NIL),
        Type::Bytea => Scalar::Bytes(Cow::Borrowed(&[])),
        Type::Text | Type::Varchar | Type::Bpchar => Scalar::Text(Cow::Borrowed(&[])),
    }
}

/// The sentinel of the Max UUID. No `bytea` and no text is the largest.
const fn highest(of: Type) -> Scalar<'static> {
    match of {
        Type::Int2 | Type::Int4 | Type::Int8 => Scalar::Int(maximum(of)),
        Type::Uuid => Scalar::Uuid(MAX),
        Type::Bytea | Type::Text | Type::Varchar | Type::Bpchar => lowest(of),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [Type; 5] = [Type::Int2, Type::Int4, Type::Int8, Type::Uuid, Type::Text];

    fn id(number: u8) -> Scalar<'static> {
        Scalar::Uuid([number + 1; 16])
    }

    #[test]
    fn tells_ids_apart_as_long_as_there_are_sentinels() {
        for of in TYPES {
            let (mut echo, domain) = (Echo::default(), DomainId(3));
            let most = if of == Type::Int2 { 0 } else { MOST - 2 };
            let keys: Vec<_> = (0..=most)
                .map(|n| echo.stand_in(domain, &id(n), of))
                .collect();
            for (number, key) in (0..=most).zip(&keys) {
                assert!(is_reserved(key, of), "{of:?} {number}");
                assert_eq!(echo.stand_in(domain, &id(number), of), *key);
                assert_eq!(echo.shown(domain, key, of), Shown::Sent(&id(number)));
                assert_eq!(echo.shown(DomainId(4), key, of), Shown::Nothing);
            }
        }
    }

    #[test]
    fn shows_nothing_for_a_sentinel_that_two_ids_share() {
        let (mut echo, domain) = (Echo::default(), DomainId(0));
        let first = echo.stand_in(domain, &id(1), Type::Int2);
        assert_eq!(echo.stand_in(domain, &id(2), Type::Int2), first);
        assert_eq!(echo.shown(domain, &first, Type::Int2), Shown::Nothing);
        // In a column of a wider type it is itself again.
        assert_eq!(echo.shown(domain, &first, Type::Int8), Shown::Nothing);
    }

    #[test]
    fn keeps_the_ends_of_ranges_where_they_are() {
        for of in TYPES {
            let (mut echo, domain) = (Echo::default(), DomainId(0));
            echo.stand_in(domain, &id(1), of);
            let ends = [NIL, MAX].map(|end| echo.stand_in(domain, &Scalar::Uuid(end), of));
            assert!(is_reserved(&ends[0], of));
            assert_eq!(ends[1], highest(of));
            let alone = Echo::default().stand_in(domain, &Scalar::Uuid(NIL), of);
            assert_eq!(alone, lowest(of));
            match of {
                Type::Text => assert_eq!(ends[0], alone),
                Type::Int2 => assert_eq!(echo.shown(domain, &ends[0], of), Shown::Nothing),
                _ => {
                    let nil = Scalar::Uuid(NIL);
                    assert_eq!(echo.shown(domain, &ends[0], of), Shown::Sent(&nil));
                }
            }
        }
    }

    #[test]
    fn reserves_no_value_that_keys_have() {
        let echo = Echo::default();
        for key in [-1, 0, 1, i64::from(i16::MAX), i64::MAX, i64::MIN + 256] {
            let shown = echo.shown(DomainId(0), &Scalar::Int(key), Type::Int8);
            assert_eq!(shown, Shown::Encoded, "{key}");
        }
        for text in ["pgveil", "pgveil01", "pgveil256", "pgveil1 ", "x"] {
            let key = Scalar::Text(text.as_bytes().into());
            assert_eq!(echo.shown(DomainId(0), &key, Type::Text), Shown::Encoded);
        }
        let mut uuid = NIL;
        uuid[15] = 1;
        let key = Scalar::Uuid(uuid);
        assert_eq!(echo.shown(DomainId(0), &key, Type::Uuid), Shown::Encoded);
    }
}
