//! The known answers of `vectors/vectors.json`: every group whose codec exists is run one by
//! one and in batches, in both directions, with its derived subkeys. The others are named.
//!
//! A group has parameters, derived subkeys and cases:
//!
//! ```text
//! {"in": x, "out": y}    encode(x) = y and decode(y) = x
//! {"in": x, "err": k}    encode(x) fails with k
//! {"dec": y, "in": x}    decode(y) = x; nothing is said about encode
//! {"dec": y, "err": k}   decode(y) fails with k
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test without the harness"
)]

use std::collections::BTreeMap;
use std::process::ExitCode;

use data_encoding::HEXLOWER;
use pgveil::codec::{
    DecodeError, DomainName, IdCodec, Key, KeyError, KeyRing, KeyType, OpaqueId, Secret, Version,
    known_answers,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    format: u32,
    groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    name: String,
    params: Params,
    derived: BTreeMap<String, String>,
    cases: Vec<Case>,
}

/// The parameters of the codecs that exist; those of others are in `others`.
#[derive(Deserialize)]
struct Params {
    codec: String,
    keys: Vec<String>,
    domain: String,
    #[serde(rename = "type")]
    key_type: Option<String>,
    rounds: Option<u32>,
    prf: Option<String>,
    version: Option<u32>,
    #[serde(flatten)]
    others: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Case {
    #[serde(rename = "in")]
    key: Option<String>,
    out: Option<String>,
    dec: Option<String>,
    err: Option<String>,
}

/// A case's answer: a key or an id as text, or the name of an error.
type Answer = Result<String, &'static str>;

fn main() -> ExitCode {
    let file: File = serde_json::from_str(include_str!("vectors/vectors.json")).unwrap();
    assert_eq!(file.format, 1, "the format of the vectors");

    let (mut missing, mut cases, mut groups, mut failures) = (Vec::new(), 0, 0, Vec::new());
    for group in &file.groups {
        let Some(subject) = Subject::of(&group.params) else {
            missing.push(group.name.as_str());
            continue;
        };
        let before = failures.len();
        check_subkeys(group, &subject, &mut failures);
        for (number, case) in group.cases.iter().enumerate() {
            for fault in subject.faults(case) {
                failures.push(format!("{} case {number}: {fault}", group.name));
            }
        }
        check_batches(group, &subject, &mut failures);
        let verdict = if failures.len() == before {
            "ok"
        } else {
            "FAILED"
        };
        println!(
            "vectors {} ... {} cases {verdict}",
            group.name,
            group.cases.len()
        );
        (groups, cases) = (groups + 1, cases + group.cases.len());
    }

    println!(
        "codecs that do not exist yet ({} groups): {}",
        missing.len(),
        missing.join(" ")
    );
    for failure in &failures {
        println!("{failure}");
    }
    println!(
        "{groups} groups, {cases} cases, {} failures",
        failures.len()
    );
    if failures.is_empty() && groups > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// A codec with everything that its cases refer to.
struct Subject {
    codec: IdCodec,
    current: Secret,
    domain: DomainName,
    key_type: KeyType,
}

impl Subject {
    /// None if the codec, its round function or its text form does not exist yet.
    fn of(params: &Params) -> Option<Self> {
        let Params {
            codec,
            keys,
            domain,
            others,
            ..
        } = params;
        if codec != "feistel" || params.prf.as_deref() != Some("aes128") || !others.is_empty() {
            return None;
        }
        let key_type = match params.key_type.as_deref()? {
            "int2" => KeyType::Int2,
            "int4" => KeyType::Int4,
            "int8" => KeyType::Int8,
            _ => return None,
        };
        let version = match params.version? {
            8 => Version::V8,
            4 => Version::V4,
            _ => return None,
        };
        let secret = |text: &String| Secret::parse(text).unwrap();
        let (current, older) = keys.split_first().unwrap();
        let ring = KeyRing {
            current: secret(current),
            older: older.iter().map(secret).collect(),
        };
        let domain: DomainName = domain.parse().unwrap();
        let codec = match params.rounds? {
            6 => IdCodec::feistel(&ring, &domain, version),
            4 => known_answers::feistel_r4(&ring, &domain, version),
            _ => return None,
        };
        Some(Self {
            codec,
            current: secret(current),
            domain,
            key_type,
        })
    }

    /// What is wrong with the answers to one case.
    fn faults(&self, case: &Case) -> Vec<String> {
        match (&case.key, &case.out, &case.dec, &case.err) {
            (Some(key), Some(id), None, None) => {
                let encoded = differs("encode", key, self.encode(key), Ok(id));
                encoded
                    .into_iter()
                    .chain(differs("decode", id, self.decode(id), Ok(key)))
                    .collect()
            }
            (Some(key), None, None, Some(error)) => {
                Vec::from_iter(differs("encode", key, self.encode(key), Err(error)))
            }
            (Some(key), None, Some(id), None) => {
                Vec::from_iter(differs("decode", id, self.decode(id), Ok(key)))
            }
            (None, None, Some(id), Some(error)) => {
                Vec::from_iter(differs("decode", id, self.decode(id), Err(error)))
            }
            _ => vec!["unknown shape of a case".to_owned()],
        }
    }

    fn encode(&self, key: &str) -> Answer {
        match Key::parse(key, self.key_type) {
            Ok(key) => Ok(self.codec.encode(key).to_string()),
            Err(KeyError::Domain(_)) => Err("Domain"),
            Err(KeyError::Syntax) => panic!("{key} is no number"),
        }
    }

    fn decode(&self, id: &str) -> Answer {
        let id: OpaqueId = id.parse().map_err(|_| "Syntax")?;
        answer(self.codec.decode(id, self.key_type))
    }
}

fn answer(decoded: Result<Key, DecodeError>) -> Answer {
    match decoded {
        Ok(key) => Ok(key.get().to_string()),
        Err(DecodeError::Version) => Err("Version"),
        Err(DecodeError::NotIssued) => Err("NotIssued"),
    }
}

fn differs(
    what: &str,
    input: &str,
    got: Answer,
    wanted: Result<&String, &String>,
) -> Option<String> {
    let same = match (&got, wanted) {
        (Ok(got), Ok(wanted)) => got == wanted,
        (Err(got), Err(wanted)) => got == wanted,
        _ => false,
    };
    (!same).then(|| format!("{what}({input:?}) is {got:?}, should be {wanted:?}"))
}

/// The subkeys in the file are those of the current secret, as `"<ident> <label>"`.
fn check_subkeys(group: &Group, subject: &Subject, failures: &mut Vec<String>) {
    assert!(!group.derived.is_empty(), "{} without subkeys", group.name);
    for (place, wanted) in &group.derived {
        let (ident, label) = place.split_once(' ').unwrap();
        let subkey = known_answers::subkey(&subject.current, ident, &subject.domain, label);
        if HEXLOWER.encode(subkey.as_slice()) != *wanted {
            failures.push(format!("{}: the subkey {place} differs", group.name));
        }
    }
}

/// All cases of the group that the batch interface can express, in batches of several sizes.
fn check_batches(group: &Group, subject: &Subject, failures: &mut Vec<String>) {
    let encoded: Vec<(Key, &str)> = group
        .cases
        .iter()
        .filter_map(|case| Some((case.key.as_ref()?, case.out.as_deref()?)))
        .map(|(key, id)| (Key::parse(key, subject.key_type).unwrap(), id))
        .collect();
    let decoded: Vec<(OpaqueId, Result<&str, &str>)> = group
        .cases
        .iter()
        .filter_map(|case| {
            let id = case.dec.as_ref().or(case.out.as_ref())?.parse().ok()?;
            let wanted = match &case.err {
                Some(error) => Err(error.as_str()),
                None => Ok(case.key.as_deref()?),
            };
            Some((id, wanted))
        })
        .collect();
    for size in [1, 2, 7, 8, 9, 40, 63, 64, 65, 1024] {
        for batch in encoded.chunks(size) {
            let keys: Vec<Key> = batch.iter().map(|(key, _)| *key).collect();
            let mut ids = Vec::new();
            subject.codec.encode_batch(&keys, &mut ids);
            let wanted = batch.iter().map(|(_, id)| (*id).to_owned());
            if !ids.iter().map(OpaqueId::to_string).eq(wanted) {
                failures.push(format!("{}: encode in batches of {size}", group.name));
            }
        }
        for batch in decoded.chunks(size) {
            let ids: Vec<OpaqueId> = batch.iter().map(|(id, _)| *id).collect();
            let mut keys = Vec::new();
            subject
                .codec
                .decode_batch(&ids, subject.key_type, &mut keys);
            let answers: Vec<Answer> = keys.into_iter().map(answer).collect();
            let got = answers.iter().map(|a| a.as_deref().map_err(|error| *error));
            if !got.eq(batch.iter().map(|(_, wanted)| *wanted)) {
                failures.push(format!("{}: decode in batches of {size}", group.name));
            }
        }
    }
}
