//! What is fuzzed: each target is a function of any bytes that panics at a finding. libFuzzer
//! runs them from `fuzz_targets/`, and `tests/fuzz.rs` of the package above runs the very same
//! ones over the corpus and changes of it, on any toolchain.

pub mod codec;
pub mod config;
pub mod copy;
pub mod dialogue;
pub mod frames;
pub mod input;
pub mod messages;
pub mod model;
pub mod pair;
pub mod plans;
pub mod session;
pub mod sql;
pub mod values;
pub mod world;

/// A target.
pub type Run = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Run)] = &[
    ("frames", frames::run),
    ("messages", messages::run),
    ("values", values::run),
    ("copy", copy::run),
    ("session", session::run),
    ("dialogue", dialogue::run),
    ("pair", pair::run),
    ("sql", sql::run),
    ("plans", plans::run),
    ("codec", codec::run),
    ("config", config::run),
];

/// Runs a target on the files that are named as arguments: to see a finding again.
pub fn play(run: Run) {
    for file in std::env::args_os().skip(1) {
        let data = std::fs::read(&file).expect("a file that can be read");
        run(&data);
    }
}

/// Whether to print what both sides say: when a finding is played again.
pub fn tells() -> bool {
    std::env::var_os("PGVEIL_FUZZ_TELL").is_some()
}
