//! What a session turns values with: the codecs, which all sessions share, and its own tags. What is
//! turned is counted here, once for a batch.

use std::sync::Arc;

use super::ids::{self, Resolution, Sentinels};
use super::price::Price;
use super::shared::Shared;
use super::tags::Tags;
use super::teller::Teller;
use crate::audit::{DomainCounts, Event, Unknown};
use crate::catalog::{DomainId, IdAnnotation, IdType};
use crate::codec::{
    Codec, DecodeError, EncodeError, IdValue, IntegerType, Key, KeyValue, OpaqueId, ValueType,
};
use crate::pg::reserved::{MAX, NIL, is_reserved};
use crate::pg::{Scalar, Type};
use crate::wire::value::Shape;

/// Turns keys into ids and back, for one session.
#[derive(Debug)]
pub(super) struct Codecs {
    codecs: Arc<[Arc<Codec>]>,
    annotations: Arc<[IdAnnotation]>,
    counts: Arc<[DomainCounts]>,
    /// What ids of the slowest codec cost.
    slowest: Price,
    /// What it tells of them.
    pub(super) teller: Teller,
    /// By what this session knows its tags. Those of another one are text like any other.
    pub(super) tags: Tags,
}

impl Codecs {
    /// The codecs of a configuration with tags that are new.
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            slowest: Price::of_parts(shared.slowest),
            codecs: Arc::clone(&shared.codecs),
            annotations: Arc::clone(&shared.annotations),
            counts: Arc::clone(&shared.domain_counts),
            teller: Teller::new(shared),
            tags: Tags::random(),
        }
    }

    /// What values cost in which any ids may stand anywhere.
    pub(super) const fn slowest(&self) -> Price {
        self.slowest
    }

    /// What values cost that are ids of a domain, or arrays of them.
    pub(super) fn price(&self, domain: DomainId, shape: Shape) -> Price {
        match shape {
            Shape::Scalar => Price::of_values(self.nanoseconds(domain)),
            Shape::Array => Price::of_parts(self.nanoseconds(domain)),
        }
    }

    /// What an id of a domain takes.
    pub(super) fn nanoseconds(&self, domain: DomainId) -> u64 {
        self.codec(domain).map_or(0, Codec::nanoseconds)
    }

    pub(super) fn codec(&self, domain: DomainId) -> Option<&Codec> {
        self.codecs.get(usize::from(domain.0)).map(|codec| &**codec)
    }

    /// Whether a value is a mark of a domain: the same inside and outside.
    pub(super) fn is_mark(&self, domain: DomainId, value: &Scalar<'_>) -> bool {
        let codec = self.codec(domain).filter(|codec| codec.has_marks());
        codec.is_some_and(|codec| ids::key_value(value).is_some_and(|value| codec.keeps(&value)))
    }

    /// The marks of text that arrays or rows quote in their own text, so that none of them may be told
    /// from a key when that is made.
    pub(super) fn bare_marks(&self, id: IdType) -> Vec<&'static str> {
        let is_text = matches!(id.key_type, Type::Text | Type::Varchar | Type::Bpchar);
        let mut marks = vec!["", "NULL", "null", "Null"];
        marks.retain(|mark| {
            is_text && self.is_mark(id.domain, &Scalar::Text(mark.as_bytes().into()))
        });
        marks
    }

    /// A value of the client as an id of a domain; `None` for one that no codec issues.
    pub(super) fn id_value(&self, domain: DomainId, scalar: &Scalar<'_>) -> Option<IdValue> {
        match scalar {
            Scalar::Uuid(NIL | MAX) if !self.is_mark(domain, scalar) => None,
            _ => ids::id_value(scalar),
        }
    }

    /// What a key that the server sends as this type is shown as.
    pub(super) fn shown<'e>(
        &self,
        sentinels: &'e Sentinels,
        domain: DomainId,
        key: &Scalar<'_>,
        of: Type,
    ) -> Resolution<'e> {
        match self.is_mark(domain, key) {
            true => Resolution::Encoded,
            false => sentinels.shown(domain, key, of),
        }
    }

    /// Whether a key is a sentinel, and no mark.
    pub(super) fn is_reserved(&self, domain: DomainId, key: &Scalar<'_>, of: Type) -> bool {
        is_reserved(key, of) && !self.is_mark(domain, key)
    }

    /// The sentinel for an id that is stored as a type.
    pub(super) fn stand_in(
        &self,
        sentinels: &mut Sentinels,
        domain: DomainId,
        id: &Scalar<'_>,
        of: Type,
    ) -> Scalar<'static> {
        sentinels.stand_in(domain, id, of, |sentinel| self.is_mark(domain, sentinel))
    }

    /// The name that the configuration gives a domain.
    pub(super) fn domain_name(&self, domain: DomainId) -> Option<&str> {
        let annotation = self.annotations.get(usize::from(domain.0));
        annotation.map(|annotation| annotation.name.as_str())
    }

    /// The id that a key is shown as; `None` if there is none.
    pub(super) fn encode(&self, domain: DomainId, key: &KeyValue) -> Option<IdValue> {
        let id = self.codec(domain)?.encode(key).ok()?;
        self.count_encoded(domain, 1);
        Some(id)
    }

    /// Appends the ids of keys of one column.
    pub(super) fn encode_batch(
        &self,
        domain: DomainId,
        keys: &[KeyValue],
        ids: &mut Vec<Result<IdValue, EncodeError>>,
    ) {
        let Some(codec) = self.codec(domain) else {
            return;
        };
        let before = ids.len();
        codec.encode_batch(keys, ids);
        let encoded = ids.iter().skip(before).filter(|id| id.is_ok());
        self.count_encoded(domain, encoded.count());
    }

    /// Appends the ids of integers of one column, whose ids are UUIDs.
    pub(super) fn encode_integers(&self, domain: DomainId, keys: &[Key], ids: &mut Vec<OpaqueId>) {
        if let Some(codec) = self.codec(domain).and_then(Codec::integers_as_uuids) {
            codec.encode_batch(keys, ids);
            self.count_encoded(domain, keys.len());
        }
    }

    /// The key that an id stands for in a column of this type, if there is one.
    pub(super) fn decode(
        &self,
        domain: DomainId,
        id: &IdValue,
        column: ValueType,
    ) -> Option<KeyValue> {
        let codec = self.codec(domain)?;
        let key = codec.decode(id, column);
        self.count_decoded(domain, std::slice::from_ref(id), std::slice::from_ref(&key));
        key.ok()
    }

    /// Appends the keys that ids stand for in a column of this type.
    pub(super) fn decode_batch(
        &self,
        domain: DomainId,
        ids: &[IdValue],
        column: ValueType,
        keys: &mut Vec<Result<KeyValue, DecodeError>>,
    ) {
        let Some(codec) = self.codec(domain) else {
            return;
        };
        let before = keys.len();
        codec.decode_batch(ids, column, keys);
        self.count_decoded(domain, ids, keys.get(before..).unwrap_or_default());
    }

    /// Appends the integers that ids stand for which are UUIDs.
    pub(super) fn decode_integers(
        &self,
        domain: DomainId,
        ids: &[OpaqueId],
        column: IntegerType,
        keys: &mut Vec<Result<Key, DecodeError>>,
    ) {
        let Some(codec) = self.codec(domain).and_then(Codec::integers_as_uuids) else {
            return;
        };
        let before = keys.len();
        codec.decode_batch(ids, column, keys);
        let pairs = ids.iter().zip(keys.get(before..).unwrap_or_default());
        let is_older = |key: &Key, id: &OpaqueId| codec.encode(*key) != *id;
        self.count_outcomes(domain, pairs, is_older);
    }

    fn count_encoded(&self, domain: DomainId, count: usize) {
        if let (Some(counts), 1..) = (self.counts.get(usize::from(domain.0)), count) {
            counts.domain.encoded.add(count as u64);
        }
    }

    /// Counts ids and what they have become. With one key in the ring all are of that; with several,
    /// those are of the current one that it would issue again.
    fn count_decoded(
        &self,
        domain: DomainId,
        ids: &[IdValue],
        keys: &[Result<KeyValue, DecodeError>],
    ) {
        let is_older = |key: &KeyValue, id: &IdValue| !self.issues(domain, key, id);
        self.count_outcomes(domain, ids.iter().zip(keys), is_older);
    }

    fn count_outcomes<'v, Id: 'v, K: 'v>(
        &self,
        domain: DomainId,
        pairs: impl Iterator<Item = (&'v Id, &'v Result<K, DecodeError>)>,
        is_older: impl Fn(&K, &Id) -> bool,
    ) {
        let Some(counts) = self.counts.get(usize::from(domain.0)) else {
            return;
        };
        let (mut current, mut older) = (0, 0);
        let mut unknown = [0; Unknown::ALL.len()];
        for (id, key) in pairs {
            match key {
                Ok(key) if counts.older.is_some() && is_older(key, id) => older += 1,
                Ok(_) => current += 1,
                Err(error) => {
                    let reason = reason(*error);
                    counts.domain.add_unknown(reason);
                    if let Some(count) = unknown.get_mut(reason as usize) {
                        *count += 1;
                    }
                }
            }
        }
        self.report_decoded(domain, older, unknown);
        if current > 0 {
            counts.current.add(current);
        }
        if let (Some(counts), 1..) = (&counts.older, older) {
            counts.add(older);
        }
    }

    /// Tells of ids that stood for no key, and of those of an older key.
    fn report_decoded(&self, domain: DomainId, older: u64, unknown: [u64; Unknown::ALL.len()]) {
        let name = || self.domain_name(domain).unwrap_or_default().to_owned();
        for (reason, count) in Unknown::ALL.into_iter().zip(unknown) {
            if count > 0 {
                let domain = name();
                self.teller.tell(Event::IdUnknown {
                    domain,
                    reason,
                    count,
                });
            }
        }
        if older > 0 {
            let (domain, count) = (name(), older);
            self.teller.tell(Event::OldKey { domain, count });
        }
    }

    /// Whether the current key gives this id for a key.
    fn issues(&self, domain: DomainId, key: &KeyValue, id: &IdValue) -> bool {
        let issued = self.codec(domain).and_then(|codec| codec.encode(key).ok());
        match (&issued, id) {
            // Some forms are read in either case.
            (Some(IdValue::Text(issued)), IdValue::Text(id)) => issued.eq_ignore_ascii_case(id),
            (issued, id) => issued.as_ref() == Some(id),
        }
    }
}

const fn reason(error: DecodeError) -> Unknown {
    match error {
        DecodeError::NotIssued => Unknown::NotIssued,
        DecodeError::Version => Unknown::Version,
        DecodeError::Epoch => Unknown::Epoch,
        DecodeError::Syntax => Unknown::Syntax,
    }
}
