//! The target `plans` under libFuzzer, or on the files that are named as arguments.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pgveil_fuzz::plans::run(data));

#[cfg(not(fuzzing))]
fn main() {
    pgveil_fuzz::play(pgveil_fuzz::plans::run);
}
