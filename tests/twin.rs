//! pgveil behaves as its twin: every case of `twin/cases`, in every mode, on a database whose ids
//! are uuids and through pgveil on one whose keys are integers, with the same answers but for a
//! renaming of ids, and with no key in any byte that pgveil sends.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "twin/differences.rs"]
mod differences;
#[path = "twin/mod.rs"]
mod twin;

use twin::say;
use twin::stand::{Other, local, run};

/// All cases, or those whose name contains `TWIN_CASE`.
fn chosen() -> Vec<twin::case::Case> {
    let only = std::env::var("TWIN_CASE").unwrap_or_default();
    let mut cases = twin::cases();
    cases.retain(|case| case.name.contains(&only));
    cases
}

#[test]
fn pgveil_behaves_as_its_twin() {
    let found = run(local(), "veil", Other::Veiled, &chosen()).unwrap();
    say(&format!("pgveil and its twin: {found}"));
    assert!(
        found.differences.is_empty(),
        "{}",
        found.differences.join("\n\n")
    );
}

#[test]
fn a_twin_equals_another_twin_so_every_case_is_sound() {
    let found = run(local(), "pair", Other::Twin, &chosen()).unwrap();
    say(&format!("two twins: {found}"));
    assert!(
        found.differences.is_empty(),
        "{}",
        found.differences.join("\n\n")
    );
}

#[test]
fn integer_keys_without_pgveil_are_found_out() {
    let mut cases = twin::cases();
    cases.retain(|case| case.modes.len() > 1);
    cases.truncate(40);
    let found = run(local(), "bare", Other::Keys, &cases).unwrap();
    let leaks = found
        .differences
        .iter()
        .filter(|one| one.contains("A KEY GOT OUT"))
        .count();
    say(&format!("without pgveil: {found}"));
    assert!(leaks > 50, "only {leaks} leaks of the bare keys were seen");
    assert!(found.differences.len() > 3 * cases.len(), "{found}");
}

/// `pgveil explain` has an answer for every statement of the suite: parameters, result columns and
/// edits, or the refusal.
#[test]
fn every_statement_of_the_suite_can_be_explained() {
    use clap::Parser as _;

    let server = local();
    let suite = twin::stand::build(server, "told", Other::Keys).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (file, key) = (folder.path().join("pgveil.toml"), folder.path().join("key"));
    std::fs::write(&key, "5eed".repeat(16)).unwrap();
    let config = include_str!("twin/pgveil.toml")
        .replace("env = \"TWIN_KEY\"", &format!("file = {key:?}"))
        .replace("{listen}", "127.0.0.1:0")
        .replace("{upstream}", "127.0.0.1:1");
    std::fs::write(&file, config).unwrap();
    let at = &server.address;
    let url = format!(
        "postgres://{}@{}:{}/told_beside",
        server.superuser, at.host, at.port
    );
    let mut explained = 0;
    for step in twin::cases().iter().flat_map(|case| &case.steps) {
        if step.kind != twin::case::Kind::Statement {
            continue;
        }
        let file = file.to_str().unwrap();
        let line = [
            "pgveil",
            "explain",
            "-c",
            file,
            "--database-url",
            &url,
            &step.text,
        ];
        let arguments = pgveil::cli::Arguments::try_parse_from(line).unwrap();
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        pgveil::cli::run(arguments, &mut out, &mut notes).unwrap();
        let told = String::from_utf8(out).unwrap();
        let whole = told.contains("forwarded") || told.contains("error[");
        assert!(whole, "{}\n{told}", step.text);
        explained += 1;
    }
    say(&format!("{explained} statements explained"));
    assert!(explained >= 300);
    drop(suite);
}
