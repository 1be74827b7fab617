//! The target `pair` under libFuzzer, or on the files that are named as arguments.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| pgveil_fuzz::pair::run(data));

#[cfg(not(fuzzing))]
fn main() {
    pgveil_fuzz::play(pgveil_fuzz::pair::run);
}
