//! The known answers of `vectors/`: every group is run one by one and in batches, in both
//! directions, with its derived subkeys.
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

#[path = "vectors/subject.rs"]
mod subject;

use std::collections::BTreeMap;
use std::process::ExitCode;

use data_encoding::HEXLOWER;
use pgveil::codec::{DecodeError, IdValue, KeyValue, known_answers};
use serde::Deserialize;

use crate::subject::{Params, Subject};

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
    let (mut cases, mut groups, mut failures) = (0, 0, Vec::new());
    let mut files = vec![include_str!("vectors/vectors.json")];
    if cfg!(debug_assertions) && std::env::var("PGVEIL_VECTORS").is_err() {
        // A minute without optimisation.
        println!("vectors_large.json: with PGVEIL_VECTORS=all, or `--release`");
    } else {
        files.push(include_str!("vectors/vectors_large.json"));
    }
    for text in files {
        let file: File = serde_json::from_str(text).unwrap();
        assert_eq!(file.format, 1, "the format of the vectors");
        for group in &file.groups {
            check(group, &mut failures);
            (groups, cases) = (groups + 1, cases + group.cases.len());
        }
    }
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

fn check(group: &Group, failures: &mut Vec<String>) {
    let before = failures.len();
    let subject = Subject::of(&group.params);
    check_subkeys(group, &subject, failures);
    for (number, case) in group.cases.iter().enumerate() {
        for fault in faults(&subject, case) {
            failures.push(format!("{} case {number}: {fault}", group.name));
        }
    }
    check_batches(group, &subject, failures);
    let verdict = if failures.len() == before {
        "ok"
    } else {
        "FAILED"
    };
    let count = group.cases.len();
    println!("vectors {} ... {count} cases {verdict}", group.name);
}

/// What is wrong with the answers to one case.
fn faults(subject: &Subject, case: &Case) -> Vec<String> {
    let encode = |key, wanted| differs("encode", key, encode(subject, key), wanted);
    let decode = |id, wanted| differs("decode", id, decode(subject, id), wanted);
    match (&case.key, &case.out, &case.dec, &case.err) {
        (Some(key), Some(id), None, None) => {
            Vec::from_iter(encode(key, Ok(id)).into_iter().chain(decode(id, Ok(key))))
        }
        (Some(key), None, None, Some(error)) => Vec::from_iter(encode(key, Err(error))),
        (Some(key), None, Some(id), None) => Vec::from_iter(decode(id, Ok(key))),
        (None, None, Some(id), Some(error)) => Vec::from_iter(decode(id, Err(error))),
        _ => vec!["unknown shape of a case".to_owned()],
    }
}

fn encode(subject: &Subject, key: &str) -> Answer {
    let key = subject.key(key).ok_or("Domain")?;
    let id = subject.codec.encode(&key).map_err(|_| "Domain")?;
    Ok(id_text(id))
}

fn decode(subject: &Subject, id: &str) -> Answer {
    let id = subject.id(id).ok_or("NotIssued")?;
    answer(subject.codec.decode(&id, subject.column()))
}

fn answer(decoded: Result<KeyValue, DecodeError>) -> Answer {
    match decoded {
        Ok(KeyValue::Integer(key)) => Ok(key.get().to_string()),
        Ok(KeyValue::Text(key)) => Ok(key),
        Ok(KeyValue::Uuid(_) | KeyValue::Bytes(_)) => Err("neither integer nor text"),
        Err(DecodeError::Version) => Err("Version"),
        Err(DecodeError::NotIssued) => Err("NotIssued"),
        Err(DecodeError::Epoch) => Err("Epoch"),
        Err(DecodeError::Syntax) => Err("Syntax"),
        Err(_) => Err("an error that the vectors do not know"),
    }
}

fn id_text(id: IdValue) -> String {
    match id {
        IdValue::Integer(id) => id.get().to_string(),
        IdValue::Text(id) => id,
        IdValue::Uuid(_) | IdValue::Bytes(_) => panic!("neither integer nor text"),
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
        let (secret, domain) = (&subject.current, &subject.domain);
        let subkey = if ident.ends_with("/blake3") {
            HEXLOWER.encode(&*known_answers::subkey::<32>(secret, ident, domain, label))
        } else {
            HEXLOWER.encode(&*known_answers::subkey::<16>(secret, ident, domain, label))
        };
        if subkey != *wanted {
            failures.push(format!("{}: the subkey {place} differs", group.name));
        }
    }
}

/// All cases of the group whose values have the right type, in batches of several sizes.
fn check_batches(group: &Group, subject: &Subject, failures: &mut Vec<String>) {
    let (mut encoded, mut decoded) = (Vec::new(), Vec::new());
    for case in &group.cases {
        let error = case.err.as_deref();
        let key = case.key.as_deref();
        if let (Some(key), None) = (key, &case.dec) {
            let wanted = error.map_or(Ok(case.out.as_deref().unwrap_or_default()), Err);
            encoded.extend(subject.key(key).map(|key| (key, wanted)));
        }
        if let Some(id) = case.dec.as_ref().or(case.out.as_ref()) {
            let wanted = error.map_or(Ok(key.unwrap_or_default()), Err);
            decoded.extend(subject.id(id).map(|id| (id, wanted)));
        }
    }
    // A batch of a codec that goes one by one is as slow as its parts.
    let sizes: &[usize] = if subject.slow {
        &[64]
    } else {
        &[1, 2, 7, 8, 9, 40, 63, 64, 65, 1024]
    };
    for size in sizes {
        for batch in encoded.chunks(*size) {
            let keys: Vec<KeyValue> = batch.iter().map(|(key, _)| key.clone()).collect();
            let mut ids = Vec::new();
            subject.codec.encode_batch(&keys, &mut ids);
            let answers = ids.into_iter().map(|id| id.map(id_text));
            let answers: Vec<Answer> = answers.map(|id| id.map_err(|_| "Domain")).collect();
            compare(group, "encode", &answers, batch, failures);
        }
        for batch in decoded.chunks(*size) {
            let ids: Vec<IdValue> = batch.iter().map(|(id, _)| id.clone()).collect();
            let mut keys = Vec::new();
            subject
                .codec
                .decode_batch(&ids, subject.column(), &mut keys);
            let answers: Vec<Answer> = keys.into_iter().map(answer).collect();
            compare(group, "decode", &answers, batch, failures);
        }
    }
}

fn compare<T>(
    group: &Group,
    what: &str,
    answers: &[Answer],
    batch: &[(T, Result<&str, &str>)],
    failures: &mut Vec<String>,
) {
    let got = answers.iter().map(|a| a.as_deref().map_err(|error| *error));
    if !got.eq(batch.iter().map(|(_, wanted)| *wanted)) {
        let size = batch.len();
        failures.push(format!("{}: {what} in a batch of {size}", group.name));
    }
}
