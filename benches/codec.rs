//! What an id costs: alone (each input depends on the output before, so nothing overlaps) and in
//! batches, for each codec and form, beside the AES block that they are made of.
//!
//! ```text
//! cargo bench --bench codec                 # criterion, then the table of fastprp
//! cargo bench --bench codec -- --table      # all of it as tables, in half a minute
//! ```
//!
//! The limits to read the numbers against, in ns at 3.0 to 3.2 GHz: a call of AES takes 11 alone,
//! and 0.83 in batches on AVX-512; SipHash-2-4 takes 14 and BLAKE3 65, in batches too.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark"
)]

#[path = "codec/subjects.rs"]
mod subjects;
#[path = "codec/table.rs"]
mod table;

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};

use crate::subjects::{BATCHES, Run, forms, subjects};

fn main() {
    let given = |flag: &str| std::env::args().any(|argument| argument == flag);
    if given("--table") {
        table::codecs();
        table::forms();
        table::fastprp();
        return;
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
        .sample_size(20)
        .configure_from_args();
    codecs(&mut criterion);
    texts(&mut criterion);
    criterion.final_summary();
    // Not when the benchmark is only tried, or a part of it is asked for.
    if given("--bench") && std::env::args().count() == 2 {
        table::fastprp();
    }
}

/// How long so many repetitions take.
fn timed(run: &mut Run, repetitions: u64) -> Duration {
    let start = Instant::now();
    run(repetitions);
    start.elapsed()
}

fn codecs(c: &mut Criterion) {
    for mut subject in subjects() {
        let mut group = c.benchmark_group(subject.name);
        group.bench_function("alone", |b| b.iter_custom(|n| timed(&mut subject.alone, n)));
        for (size, run) in BATCHES.into_iter().zip(&mut subject.batches) {
            group.throughput(Throughput::Elements(size.try_into().unwrap()));
            group.bench_function(BenchmarkId::new("batch", size), |b| {
                b.iter_custom(|n| timed(run, n));
            });
        }
    }
}

fn texts(c: &mut Criterion) {
    for mut form in forms() {
        let mut group = c.benchmark_group(format!("form/{}", form.name));
        group.bench_function("render", |b| b.iter_custom(|n| timed(&mut form.render, n)));
        group.bench_function("parse", |b| b.iter_custom(|n| timed(&mut form.parse, n)));
    }
}
