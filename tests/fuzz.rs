//! The targets of `fuzz/` without a fuzzer: each runs over its corpus and a fixed number of
//! changes of it, the same ones each time. `PGVEIL_FUZZ_EXECUTIONS` sets another number, and
//! `PGVEIL_FUZZ_SEED` starts somewhere else.
//!
//! `BLESS=1 cargo test --test fuzz corpus` writes the corpus anew: see [`record`].

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test reports by failing"
)]

#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "fuzz/record.rs"]
mod record;
#[path = "fuzz/scenes.rs"]
mod scenes;
#[path = "../fuzz/src/lib.rs"]
#[expect(unreachable_pub, dead_code, reason = "it is a crate of its own, too")]
mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use mutate::Mutator;

/// The folder of a target's corpus.
fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target)
}

/// The inputs in a corpus, in the order of their names.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(corpus(target)).expect("a corpus");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| fs::read(file).expect("an input"))
        .collect()
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Runs a target over its corpus and so many changes of it.
fn run(name: &str, executions: u64) {
    let (_, target) = targets::TARGETS
        .iter()
        .find(|(of, _)| *of == name)
        .expect("a target");
    let seeds = seeds(name);
    assert!(!seeds.is_empty(), "the corpus of {name} is empty");
    let executions = number("PGVEIL_FUZZ_EXECUTIONS").unwrap_or(executions);
    let mut mutator = Mutator::new(number("PGVEIL_FUZZ_SEED").unwrap_or(1), &seeds);
    let started = Instant::now();
    let changed = std::iter::repeat_with(|| mutator.next())
        .take(usize::try_from(executions).expect("a number"));
    for input in seeds.iter().cloned().chain(changed) {
        if let Err(finding) = catch_unwind(AssertUnwindSafe(|| target(&input))) {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("finding-{name}"));
            fs::write(&file, &input).expect("room for the finding");
            eprintln!("the input is in {}", file.display());
            resume_unwind(finding);
        }
    }
    eprintln!(
        "{name}: {executions} executions in {:.1} s",
        started.elapsed().as_secs_f64()
    );
}

#[test]
fn frames_are_the_same_wherever_a_stream_is_cut() {
    run("frames", 80_000);
}

#[test]
fn messages_come_back_from_their_parts() {
    run("messages", 100_000);
}

#[test]
fn values_come_back_from_what_is_written() {
    run("values", 100_000);
}

#[test]
fn data_of_copy_have_the_same_fields_wherever_they_are_cut() {
    run("copy", 40_000);
}

#[test]
fn sessions_of_any_bytes_do_not_panic_and_do_the_same_wherever_they_are_cut() {
    run("session", 6_000);
}

#[test]
fn no_key_reaches_a_client_that_does_anything_before_an_honest_server() {
    run("dialogue", 10_000);
}

#[test]
fn no_key_reaches_a_client_whose_neighbour_replaces_what_it_reads() {
    run("pair", 4_000);
}

#[test]
fn the_analysis_of_any_text_edits_only_what_is_there() {
    run("sql", 20_000);
}

#[test]
fn texts_that_differ_in_literals_are_answered_as_if_there_were_no_cache() {
    run("plans", 8_000);
}

#[test]
fn keys_and_ids_come_back_from_each_other_and_from_their_text() {
    run("codec", 40_000);
}

#[test]
fn any_text_is_a_configuration_or_has_faults() {
    run("config", 20_000);
}

#[test]
fn recorded_sessions_go_through_to_their_end_and_show_no_key() {
    let seeds = seeds("session");
    assert!(seeds.len() > 10);
    for seed in seeds.iter().filter(|seed| seed.first() == Some(&0)) {
        assert!(
            !targets::session::ends(seed),
            "a recorded session ends early"
        );
        assert!(
            !targets::session::leaks(seed),
            "a recorded session shows a key"
        );
    }
}
