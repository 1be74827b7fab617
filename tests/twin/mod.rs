//! The twin: the same cases on a database whose ids are uuids and, through pgveil, on one whose
//! keys are integers, must give the same answers but for a one-to-one renaming of ids.
//! This module is the harness; the cases are in `cases/`.
#![allow(dead_code, reason = "each test binary uses a part of the harness")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a harness reports by failing"
)]

pub(crate) mod canary;
pub(crate) mod case;
pub(crate) mod client;
pub(crate) mod compare;
pub(crate) mod kind;
pub(crate) mod message;
pub(crate) mod mode;
#[path = "../poolers/pgbouncer.rs"]
pub(crate) mod pgbouncer;
pub(crate) mod proxy;
pub(crate) mod renaming;
pub(crate) mod rows;
pub(crate) mod skeleton;
pub(crate) mod snapshot;
pub(crate) mod stand;
pub(crate) mod suite;
pub(crate) mod wire_script;
pub(crate) mod world;

use std::io::Write as _;

use case::Case;

/// Says what was run, on the real stderr, which the test runner does not keep to itself.
pub(crate) fn say(text: &str) {
    let line = format!("{}\n", text.trim_end());
    std::io::stderr()
        .write_all(line.as_bytes())
        .expect("stderr is open");
}

/// Every case of `cases/`, checked for names that occur twice.
pub(crate) fn cases() -> Vec<Case> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/twin/cases");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the cases are there")
        .map(|entry| entry.expect("a file of cases").path())
        .collect();
    files.sort();
    let mut cases: Vec<Case> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("cases are text");
        let found =
            case::parse(&text).unwrap_or_else(|reason| panic!("{}: {reason}", file.display()));
        for case in found {
            let known = cases.iter().any(|known| known.name == case.name);
            assert!(!known, "two cases are called: {}", case.name);
            assert!(
                !case.steps.is_empty(),
                "a case without steps: {}",
                case.name
            );
            cases.push(case);
        }
    }
    cases
}

/// All cases, or those whose name contains `TWIN_CASE`.
pub(crate) fn chosen() -> Vec<Case> {
    let only = std::env::var("TWIN_CASE").unwrap_or_default();
    let mut cases = cases();
    cases.retain(|case| case.name.contains(&only));
    cases
}
