//! `[[id]]` as an operator meets it: which codecs, forms and settings go together, the ids that
//! they give, and the words of every fault.
#![expect(clippy::expect_used, reason = "a test that panics has failed")]

mod faults;
mod given;
mod ring;

use std::path::Path;

use pgveil::codec::{IdValue, IntegerType, KeyValue, UuidKey, ValueType};
use pgveil::config::{Config, Environment, Fault, IdDomain};

pub(super) const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
pub(super) const OLDER: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
pub(super) const HEAD: &str = "[upstream]\naddress = \"127.0.0.1:5432\"\n[keys]\ncurrent = \"a\"\n";
pub(super) const RING: &str = "[keys.ring.a]\nenv = \"A\"\nepoch = 1\n";
pub(super) const UUID7: &str = "018f3e5c-9b2a-7c41-8d5e-6f708192a3b4";
pub(super) const INT8: ValueType = ValueType::Integer(IntegerType::Int8);

pub(super) fn parse_in(folder: &Path, text: &str) -> Result<Config, Vec<Fault>> {
    let env = |name: &str| match name {
        "A" => Some(KEY.to_owned()),
        "B" => Some(OLDER.to_owned()),
        _ => None,
    };
    Config::parse(text, &Environment { folder, env: &env })
}

/// A file with one domain, whose settings begin in line 11.
pub(super) fn text(settings: &str) -> String {
    format!("{HEAD}{RING}[[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n{settings}\n")
}

pub(super) fn domain(settings: &str) -> IdDomain {
    let config = parse_in(Path::new("."), &text(settings)).expect(settings);
    config.domains.into_iter().next().expect("one domain")
}

/// The faults as `line: cause | advice`.
pub(super) fn faults_of(text: &str) -> Vec<String> {
    let show = |fault: Fault| format!("{}: {} | {}", fault.line, fault.cause, fault.advice);
    let faults = parse_in(Path::new("."), text).expect_err("a fault");
    faults.into_iter().map(show).collect()
}

/// The one fault of these settings.
pub(super) fn fault(settings: &str) -> String {
    let mut faults = faults_of(&text(settings));
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults.remove(0)
}

pub(super) fn uuid(text: &str) -> KeyValue {
    let digits = text.replace('-', "");
    KeyValue::Uuid(UuidKey::from_bytes(
        u128::from_str_radix(&digits, 16)
            .expect("hex")
            .to_be_bytes(),
    ))
}

pub(super) fn shown(id: &IdValue) -> String {
    match id {
        IdValue::Integer(id) => id.get().to_string(),
        IdValue::Uuid(id) => id.to_string(),
        IdValue::Bytes(_) => "bytes".to_owned(),
        IdValue::Text(text) => text.clone(),
    }
}

/// The id of a key, which decodes to the key again.
pub(super) fn id(settings: &str, key: &KeyValue, column: ValueType) -> String {
    let codec = domain(settings).codec;
    let id = codec.encode(key).expect(settings);
    assert_eq!(codec.decode(&id, column), Ok(key.clone()), "{settings}");
    shown(&id)
}
