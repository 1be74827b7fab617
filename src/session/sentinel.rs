//! The values that stand in the database for ids that nobody has, and the way back to those ids.
//!
//! Each gets a reserved value of the stored type ([`crate::pg::reserved`]), so that it can be told from
//! the others where the server shows it again: no client is ever shown one as a key. The empty text, the
//! empty bytes and the nil UUID only stand for themselves, for applications store them too.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::misfit::Misfits;
use crate::catalog::DomainId;
use crate::pg::reserved::{self, MAX, NIL, highest, is_reserved, lowest, may_be_given, numbered};
use crate::pg::{Scalar, Type};
use crate::sql::Refusal;
use crate::wire::report::Report;

/// The ids that were sent and stand for no key, each with the sentinel that the server got in
/// its place. Where the server shows the sentinel, the client sees its id again. A statement may
/// hold a list of such ids: nothing here is searched.
#[derive(Debug, Clone, Default)]
pub(super) struct Sentinels(Option<Box<SentinelTable>>);

/// The sentinels. Most statements have none.
#[derive(Debug, Clone, Default)]
struct SentinelTable {
    /// What each sentinel stands for.
    sent: HashMap<Value, Meaning>,
    /// The sentinel that an id has got, for each of the ways to store it.
    given: HashMap<(Class, Value), Scalar<'static>>,
    /// The number of the first sentinel that may still be free.
    next: HashMap<(Class, DomainId), u16>,
    /// What is no id at all, where a cast of the statement's own reads it.
    misfits: Misfits,
}

/// A key or an id of a domain, as it is on the wire: what stands for no key need not fit a codec's
/// types.
type Value = (DomainId, Scalar<'static>);

/// What a sentinel stands for.
#[derive(Debug, Clone)]
enum Meaning {
    One(Scalar<'static>),
    /// More than one id: which, can't be told.
    Several,
}

/// Types that share their sentinels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    Int2,
    Int4,
    Int8,
    Uuid,
    Bytes,
    Text,
}

impl Class {
    const fn of(of: Type) -> Self {
        match of {
            Type::Int2 => Self::Int2,
            Type::Int4 => Self::Int4,
            Type::Int8 => Self::Int8,
            Type::Uuid => Self::Uuid,
            Type::Bytea => Self::Bytes,
            Type::Text | Type::Varchar | Type::Bpchar => Self::Text,
        }
    }
}

impl Class {
    /// Whether the smallest value is one like any other, which an application may store for nobody.
    const fn is_ordinary(self) -> bool {
        matches!(self, Self::Uuid | Self::Bytes | Self::Text)
    }
}

/// An end of all ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// Before all.
    First,
    /// Behind all.
    Last,
}

/// What a key that the server sends is shown as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Resolution<'e> {
    /// Its own id.
    Encoded,
    /// The id that the client sent.
    Sent(&'e Scalar<'static>),
    /// Nothing: it is a sentinel that stands for several ids, and for which can't be told.
    Several,
    /// Nothing: it is a sentinel that stands for no id.
    Nothing,
}

impl SentinelTable {
    /// The sentinel for an id that is stored as a type; `spared` tells what none may be.
    fn stand_in(
        &mut self,
        domain: DomainId,
        id: &Scalar<'_>,
        of: Type,
        spared: impl Fn(&Scalar<'_>) -> bool,
    ) -> Scalar<'static> {
        let key = match id {
            Scalar::Uuid(MAX) => highest(of),
            // Ranges begin with them, and what is stored for nobody is found by them.
            Scalar::Uuid(NIL) if Class::of(of).is_ordinary() => lowest(of),
            Scalar::Text(id) | Scalar::Bytes(id) if id.is_empty() => lowest(of),
            _ => self.free(domain, id, of, spared),
        };
        self.add(domain, &key, Meaning::One(id.clone().into_owned()));
        key
    }

    /// The sentinel that an id has already, or one that no other has; the first one if all are
    /// taken.
    fn free(
        &mut self,
        domain: DomainId,
        id: &Scalar<'_>,
        of: Type,
        spared: impl Fn(&Scalar<'_>) -> bool,
    ) -> Scalar<'static> {
        let class = Class::of(of);
        let place = (class, (domain, id.clone().into_owned()));
        if let Some(key) = self.given.get(&place) {
            return key.clone();
        }
        let next = self.next.entry((class, domain));
        let next = next.or_insert(u16::from(class.is_ordinary()));
        while let Some(key) = u8::try_from(*next).ok().and_then(|n| numbered(of, n)) {
            *next += 1;
            if spared(&key) {
                continue;
            }
            let taken = self.sent.get(&(domain, key.clone()));
            if taken.is_none_or(|taken| matches!(taken, Meaning::One(other) if other == id)) {
                self.given.insert(place, key.clone());
                return key;
            }
        }
        let mut all = reserved::all(of);
        all.find(|key| !spared(key)).unwrap_or(lowest(of))
    }

    /// Remembers what a sentinel stands for.
    fn add(&mut self, domain: DomainId, key: &Scalar<'static>, id: Meaning) {
        match self.sent.entry((domain, key.clone())) {
            Entry::Vacant(free) => {
                free.insert(id);
            }
            Entry::Occupied(mut taken) => match (taken.get(), &id) {
                (Meaning::One(known), Meaning::One(id)) if known == id => {}
                _ => {
                    taken.insert(Meaning::Several);
                }
            },
        }
    }

    /// What they take in memory beside themselves.
    fn bytes(&self) -> usize {
        let of = |scalar: &Scalar<'_>| match scalar {
            Scalar::Text(text) | Scalar::Bytes(text) => text.len(),
            Scalar::Int(_) | Scalar::Uuid(_) => 0,
        };
        let sent = self.sent.iter().map(|((_, key), meaning)| match meaning {
            Meaning::One(id) => of(key) + of(id),
            Meaning::Several => of(key),
        });
        let given = self.given.iter();
        let given = given.map(|((_, (_, id)), key)| of(id) + of(key));
        self.sent.capacity() * size_of::<(Value, Meaning)>()
            + self.given.capacity() * size_of::<(Class, Value, Scalar<'_>)>()
            + self.next.capacity() * size_of::<(Class, DomainId, u16)>()
            + self.misfits.bytes()
            + sent.sum::<usize>()
            + given.sum::<usize>()
    }
}

impl Sentinels {
    /// The sentinel for an id that is stored as a type; `spared` tells what none may be, because the
    /// database may have it.
    pub(super) fn stand_in(
        &mut self,
        domain: DomainId,
        id: &Scalar<'_>,
        of: Type,
        spared: impl Fn(&Scalar<'_>) -> bool,
    ) -> Scalar<'static> {
        let all = self.0.get_or_insert_default();
        all.stand_in(domain, id, of, spared)
    }

    /// The value that stands for an id beyond all others.
    pub(super) fn edge(
        &mut self,
        domain: DomainId,
        id: &Scalar<'_>,
        of: Type,
        edge: Edge,
    ) -> Scalar<'static> {
        let key = match edge {
            Edge::First => lowest(of),
            Edge::Last => highest(of),
        };
        let all = self.0.get_or_insert_default();
        all.add(domain, &key, Meaning::One(id.clone().into_owned()));
        key
    }

    /// The values that are no ids at all.
    pub(super) fn misfits(&mut self) -> &mut Misfits {
        &mut self.0.get_or_insert_default().misfits
    }

    /// What the client is told in the place of an error that one of these raises.
    pub(super) fn raised(&self, report: &Report<'_>) -> Option<&Refusal> {
        self.0.as_ref()?.misfits.raised(report)
    }

    /// What it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let bytes = |all: &SentinelTable| size_of::<SentinelTable>() + all.bytes();
        self.0.as_deref().map_or(0, bytes)
    }

    /// Adds those of another text or Bind.
    pub(super) fn extend(&mut self, other: &Self) {
        if let Some(other) = &other.0 {
            let all = self.0.get_or_insert_default();
            for ((domain, key), meaning) in &other.sent {
                all.add(*domain, key, meaning.clone());
            }
            all.misfits.extend(&other.misfits);
        }
    }

    /// What a sentinel stands for, if it has been given.
    fn meaning(&self, domain: DomainId, key: impl FnOnce() -> Scalar<'static>) -> Option<&Meaning> {
        self.0.as_ref()?.sent.get(&(domain, key()))
    }

    /// What a key of a domain is shown as; `of` is the type that the server sends it in.
    pub(super) fn shown(&self, domain: DomainId, key: &Scalar<'_>, of: Type) -> Resolution<'_> {
        if !may_be_given(key) {
            return Resolution::Encoded;
        }
        match self.meaning(domain, || key.clone().into_owned()) {
            Some(Meaning::One(id)) => Resolution::Sent(id),
            Some(Meaning::Several) => Resolution::Several,
            None if is_reserved(key, of) => Resolution::Nothing,
            None => Resolution::Encoded,
        }
    }

    /// What an integer key of a domain is shown as, in few steps.
    #[inline]
    pub(super) fn shown_integer(&self, domain: DomainId, key: i64, of: Type) -> Resolution<'_> {
        if self.0.is_none() && key > Type::Int2.minimum() {
            Resolution::Encoded
        } else {
            self.shown(domain, &Scalar::Int(key), of)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pg::reserved::MOST;

    const TYPES: [Type; 5] = [Type::Int2, Type::Int4, Type::Int8, Type::Uuid, Type::Text];

    const fn none(_: &Scalar<'_>) -> bool {
        false
    }

    fn id(number: u8) -> Scalar<'static> {
        Scalar::Uuid([number + 1; 16])
    }

    #[test]
    fn tells_ids_apart_as_long_as_there_are_sentinels() {
        for of in TYPES {
            let (mut sentinels, domain) = (Sentinels::default(), DomainId(3));
            let most = if of == Type::Int2 { 0 } else { MOST - 3 };
            let keys: Vec<_> = (0..=most)
                .map(|n| sentinels.stand_in(domain, &id(n), of, none))
                .collect();
            for (number, key) in (0..=most).zip(&keys) {
                assert!(is_reserved(key, of), "{of:?} {number}");
                assert_eq!(sentinels.stand_in(domain, &id(number), of, none), *key);
                assert_eq!(
                    sentinels.shown(domain, key, of),
                    Resolution::Sent(&id(number))
                );
                assert_eq!(sentinels.shown(DomainId(4), key, of), Resolution::Nothing);
            }
        }
    }

    #[test]
    fn shows_nothing_for_a_sentinel_that_two_ids_share() {
        let (mut sentinels, domain) = (Sentinels::default(), DomainId(0));
        let first = sentinels.stand_in(domain, &id(1), Type::Int2, none);
        assert_eq!(sentinels.stand_in(domain, &id(2), Type::Int2, none), first);
        assert_eq!(
            sentinels.shown(domain, &first, Type::Int2),
            Resolution::Several
        );
        // In a column of a wider type it is itself again.
        assert_eq!(
            sentinels.shown(domain, &first, Type::Int8),
            Resolution::Several
        );
    }

    #[test]
    fn spares_what_the_database_may_have() {
        for of in TYPES.into_iter().filter(|of| *of != Type::Int2) {
            let (mut sentinels, domain) = (Sentinels::default(), DomainId(0));
            for number in 0..=MOST {
                let key =
                    sentinels.stand_in(domain, &id(number % 254), of, |key| *key == lowest(of));
                assert!(is_reserved(&key, of) && key != lowest(of), "{of:?}");
            }
        }
    }

    #[test]
    fn keeps_the_ends_of_ranges_where_they_are() {
        for of in TYPES {
            let (mut sentinels, domain) = (Sentinels::default(), DomainId(0));
            sentinels.stand_in(domain, &id(1), of, none);
            let ends =
                [NIL, MAX].map(|end| sentinels.stand_in(domain, &Scalar::Uuid(end), of, none));
            assert!(is_reserved(&ends[0], of));
            assert_eq!(ends[1], highest(of));
            let alone = Sentinels::default().stand_in(domain, &Scalar::Uuid(NIL), of, none);
            assert_eq!(alone, lowest(of));
            match of {
                Type::Text => assert_eq!(ends[0], alone),
                Type::Int2 => {
                    assert_eq!(sentinels.shown(domain, &ends[0], of), Resolution::Several)
                }
                _ => {
                    let nil = Scalar::Uuid(NIL);
                    assert_eq!(
                        sentinels.shown(domain, &ends[0], of),
                        Resolution::Sent(&nil)
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_stored_for_nobody_stands_for_no_id_that_nobody_has() {
        for of in [
            Type::Uuid,
            Type::Bytea,
            Type::Text,
            Type::Varchar,
            Type::Bpchar,
        ] {
            let (mut sentinels, domain) = (Sentinels::default(), DomainId(0));
            for number in 0..=MOST {
                let key = sentinels.stand_in(domain, &id(number % 254), of, none);
                assert!(key != lowest(of), "{of:?}");
            }
            let empty = Scalar::Text(b"".as_slice().into());
            assert_eq!(sentinels.stand_in(domain, &empty, of, none), lowest(of));
        }
    }

    #[test]
    fn reserves_no_value_that_keys_have() {
        let sentinels = Sentinels::default();
        for key in [-1, 0, 1, i64::from(i16::MAX), i64::MAX, i64::MIN + 256] {
            let shown = sentinels.shown(DomainId(0), &Scalar::Int(key), Type::Int8);
            assert_eq!(shown, Resolution::Encoded, "{key}");
        }
        for text in ["pgveil", "pgveil01", "pgveil256", "pgveil1 ", "x"] {
            let key = Scalar::Text(text.as_bytes().into());
            assert_eq!(
                sentinels.shown(DomainId(0), &key, Type::Text),
                Resolution::Encoded
            );
        }
        let mut uuid = NIL;
        uuid[15] = 1;
        let key = Scalar::Uuid(uuid);
        assert_eq!(
            sentinels.shown(DomainId(0), &key, Type::Uuid),
            Resolution::Encoded
        );
    }
}
