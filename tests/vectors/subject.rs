//! From the parameters of a group to a codec, and from text to its keys and ids.

use std::collections::BTreeMap;

use pgveil::codec::{
    Codec, Direction, DomainName, EpochRing, Ff1Width, Form, FormName, IdCodec, IdValue, IntCodec,
    IntId, IntegerType, Key, KeyRange, KeyRing, KeyValue, Presentation, Prf, Secret, Session40,
    Split, Stride, UuidCodec, UuidRounds, ValueType, Version, VersionMap, Wide, WideForm,
    WidePresentation, check_integer_rounds, known_answers,
};
use serde::Deserialize;

/// The parameters of a group: those of its codec only.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    codec: String,
    keys: Vec<String>,
    domain: String,
    #[serde(rename = "type")]
    key_type: Option<String>,
    rounds: Option<u32>,
    prf: Option<String>,
    version: Option<u32>,
    split: Option<u32>,
    versions: Option<BTreeMap<String, u8>>,
    epochs: Option<BTreeMap<String, String>>,
    current: Option<u8>,
    reverse: Option<bool>,
    low: Option<String>,
    n: Option<String>,
    bits: Option<u32>,
    form: Option<String>,
    prefix: Option<String>,
    inner: Option<String>,
}

/// A codec with everything that its cases refer to.
pub(crate) struct Subject {
    pub(crate) codec: Codec,
    pub(crate) current: Secret,
    pub(crate) domain: DomainName,
    pub(crate) key_type: IntegerType,
    /// Whether its batches go one by one, slowly.
    pub(crate) slow: bool,
    integer_keys: bool,
    integer_ids: bool,
}

impl Subject {
    pub(crate) fn of(params: &Params) -> Self {
        let domain: DomainName = params.domain.parse().unwrap();
        let key_type = match params.key_type.as_deref() {
            Some("int2") => IntegerType::Int2,
            Some("int4") => IntegerType::Int4,
            _ => IntegerType::Int8,
        };
        let size = params.n.as_ref().map_or(0, |n| n.parse().unwrap());
        let kind = params.codec.as_str();
        Self {
            codec: codec(params, &domain),
            current: current(params),
            domain,
            key_type,
            slow: size > 1_u64 << 20,
            integer_keys: matches!(kind, "feistel" | "aes-int" | "fastprp" | "ff1"),
            integer_ids: matches!(kind, "fastprp" | "ff1"),
        }
    }

    /// The type of the column that holds the keys.
    pub(crate) fn column(&self) -> ValueType {
        if self.integer_keys {
            ValueType::Integer(self.key_type)
        } else {
            ValueType::Text
        }
    }

    /// A key, unless the column could not hold it.
    pub(crate) fn key(&self, text: &str) -> Option<KeyValue> {
        if self.integer_keys {
            let key = Key::parse(text, self.key_type).ok()?;
            Some(KeyValue::Integer(key))
        } else {
            Some(KeyValue::Text(text.to_owned()))
        }
    }

    /// An id, unless the type could not hold it.
    pub(crate) fn id(&self, text: &str) -> Option<IdValue> {
        if self.integer_ids {
            let id = text.parse().ok()?;
            Some(IdValue::Integer(IntId::new(id)))
        } else {
            Some(IdValue::Text(text.to_owned()))
        }
    }
}

fn secret(text: &str) -> Secret {
    Secret::parse(text).unwrap()
}

fn current(params: &Params) -> Secret {
    let epochs = || &params.epochs.as_ref().unwrap()[&params.current.unwrap().to_string()];
    secret(params.keys.first().unwrap_or_else(epochs))
}

fn codec(params: &Params, domain: &DomainName) -> Codec {
    let inside = form(params.inner.as_deref(), "");
    let outside = form(
        params.form.as_deref(),
        params.prefix.as_deref().unwrap_or_default(),
    );
    match params.codec.as_str() {
        "feistel" => Codec::ids(feistel(params, domain), outside),
        "aes-int" => Codec::ids(IdCodec::aes_int(&ring(params), domain), outside),
        "uuid" | "feistel2" => Codec::uuids(uuid(params, domain), inside, outside),
        "aes" => {
            let direction = if params.reverse.unwrap() {
                Direction::Reverse
            } else {
                Direction::Forward
            };
            let codec = UuidCodec::aes(&current(params), domain, direction);
            Codec::uuids(codec, inside, outside)
        }
        "cycle_walk" => {
            let codec = UuidCodec::cycle_walk(&current(params), domain);
            Codec::uuids(codec, inside, outside)
        }
        "fastprp" | "ff1" => Codec::integers(integers(params, domain)),
        "wide" => {
            let codec = Wide::new(&current(params), domain);
            let [inside, outside] = [&params.inner, &params.form].map(wide_form);
            Codec::wide(codec, inside, outside)
        }
        "session40" => Codec::sessions(Session40::new(&current(params), domain)),
        other => panic!("no codec is called {other}"),
    }
}

fn ring(params: &Params) -> KeyRing {
    KeyRing {
        current: current(params),
        older: params.keys.iter().skip(1).map(|key| secret(key)).collect(),
    }
}

fn feistel(params: &Params, domain: &DomainName) -> IdCodec {
    let version = match params.version.unwrap() {
        8 => Version::V8,
        4 => Version::V4,
        other => panic!("ids are never of version {other}"),
    };
    let prf = match params.prf.as_deref().unwrap() {
        "aes128" => Prf::Aes128,
        "siphash24" => Prf::SipHash24,
        "blake3" => Prf::Blake3,
        other => panic!("no round function is called {other}"),
    };
    let rounds = params.rounds.unwrap();
    if check_integer_rounds(rounds).is_ok() {
        IdCodec::feistel_with(&ring(params), domain, version, prf)
    } else {
        assert_eq!(rounds, 4, "the only weak one with known answers");
        known_answers::feistel_r4(&ring(params), domain, version)
    }
}

fn uuid(params: &Params, domain: &DomainName) -> UuidCodec {
    let pairs = params.versions.as_ref().unwrap().iter();
    let pairs: Vec<(u8, u8)> = pairs.map(|(i, e)| (i.parse().unwrap(), *e)).collect();
    let versions = VersionMap::new(&pairs).unwrap();
    let rounds = UuidRounds::new(params.rounds.unwrap()).unwrap();
    if let Some(epochs) = &params.epochs {
        let digit = params.current.unwrap();
        let older = epochs
            .iter()
            .map(|(epoch, key)| (epoch.parse().unwrap(), secret(key)))
            .filter(|(epoch, _)| *epoch != digit);
        let ring = EpochRing::new((digit, current(params)), older.collect()).unwrap();
        return UuidCodec::uuid_with_epochs(&ring, domain, versions, rounds);
    }
    let split = match params.split.unwrap() {
        60 => Split::At60,
        48 => Split::At48,
        other => panic!("no codec splits at {other}"),
    };
    UuidCodec::uuid(&current(params), domain, versions, rounds, split)
}

fn integers(params: &Params, domain: &DomainName) -> IntCodec {
    let secret = current(params);
    if let Some(bits) = params.bits {
        let width = Ff1Width::new(bits).unwrap();
        return IntCodec::ff1(&secret, domain, width);
    }
    let low = params.low.as_ref().unwrap().parse().unwrap();
    let size: u64 = params.n.as_ref().unwrap().parse().unwrap();
    let range = KeyRange::new(low, size).unwrap();
    // The largest domains have fewer counters here than they should: most of the time of a few
    // ids is that of building them.
    let stride = if size > 1 << 28 { 1 << 22 } else { 1 << 14 };
    let stride = Stride::new(stride).unwrap();
    IntCodec::fastprp(&secret, domain, range, stride, &mut |_, _| {}).unwrap()
}

fn form(name: Option<&str>, prefix: &str) -> Presentation {
    let name = match name {
        None | Some("uuid" | "bytea" | "compact43") => FormName::Uuid,
        Some("hex") => FormName::Hex,
        Some("ulid") => FormName::Ulid,
        Some("compact") => FormName::Compact,
        Some("base62") => FormName::Base62,
        Some("typeid") => FormName::TypeId,
        Some(other) => panic!("no form is called {other}"),
    };
    Presentation::Text(Form::new(name, prefix).unwrap())
}

fn wide_form(name: &Option<String>) -> WidePresentation {
    WidePresentation::Text(match name.as_deref() {
        Some("bytea") => WideForm::Bytea,
        Some("compact43") => WideForm::Compact43,
        other => panic!("no form of 32 bytes is called {other:?}"),
    })
}
