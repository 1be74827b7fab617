//! Tables in Markdown, made in seconds: the least of several short runs each, which a busy machine
//! disturbs less than a mean.

use std::time::{Duration, Instant};

use pgveil::codec::{IntCodec, IntId, Key, KeyRange, Secret, Stride};

use crate::subjects::{BATCHES, Run, forms as texts, subjects};
use crate::timed;

/// How long a run should take, and how many there are of it. Short ones, of which some are not
/// disturbed on a busy machine either.
const RUN: Duration = Duration::from_micros(500);
const RUNS: u32 = 80;

/// Ns for one repetition.
fn ns(run: &mut Run) -> f64 {
    let mut repetitions = 1;
    while timed(run, repetitions) < RUN {
        repetitions *= 2;
    }
    let least = (0..RUNS).map(|_| timed(run, repetitions)).min();
    least.unwrap_or_default().as_secs_f64() * 1e9 / repetitions as f64
}

fn digits(ns: f64) -> String {
    let places = match ns {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{ns:.places$}")
}

/// Ns for each id of each codec.
pub(crate) fn codecs() {
    println!("| ns per id | alone | in batches of 8 | 64 | 1,024 | limit alone | in batches |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for mut subject in subjects() {
        let alone = digits(ns(&mut subject.alone));
        let batches = BATCHES.into_iter().zip(&mut subject.batches);
        let [few, some, many]: [String; 3] = batches
            .map(|(size, run)| digits(ns(run) / size as f64))
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let [limit, in_batches] = [subject.limit.alone, subject.limit.batches]
            .map(|limit| limit.map_or("–".to_owned(), digits));
        let name = subject.name;
        println!("| {name} | {alone} | {few} | {some} | {many} | {limit} | {in_batches} |");
    }
    println!();
}

/// Ns for each text.
pub(crate) fn forms() {
    println!("| ns per id | render | parse |\n| --- | --- | --- |");
    for mut form in texts() {
        let (render, parse) = (ns(&mut form.render), ns(&mut form.parse));
        println!("| {} | {} | {} |", form.name, digits(render), digits(parse));
    }
    println!();
}

/// The numbers of `integer` that are not negative.
const N: u64 = 1 << 31;
/// In bits; the third is twice the root of N, to the next multiple of 128.
const STRIDES: [u64; 7] = [1 << 12, 1 << 14, 92_672, 1 << 17, 1 << 18, 1 << 19, 1 << 20];
const NORMAL: usize = 2;

struct Row {
    stride: u64,
    set_up: Duration,
    megabytes: f64,
    encode_ns: f64,
    decode_ns: f64,
    /// The blocks that an id takes by the formula.
    blocks: f64,
}

/// `fastprp` for 2^31 numbers as the stride varies, beside the work that the formula predicts:
/// (log2(N/s) + 2) s/128 blocks for an id.
///
/// The ratio is measured to predicted time, 1 at a stride of twice the root of N. The formula
/// counts nothing but blocks. So the last column adds what every id takes however few blocks it
/// scans (a chain of log2 N levels, each with a read from memory), taken from the smallest and
/// the largest stride.
pub(crate) fn fastprp() {
    let rows = STRIDES.map(row);
    let [first, .., last] = &rows;
    let slope = (last.encode_ns - first.encode_ns) / (last.blocks - first.blocks);
    let constant = first.encode_ns - slope * first.blocks;
    let per_block = |row: &Row| row.encode_ns / row.blocks;
    let normal = per_block(&rows[NORMAL]);
    println!(
        "fastprp, 2^31 numbers; an id takes {constant:.0} ns and {slope:.2} ns for each block"
    );
    println!(
        "| stride | set-up, s | memory, MB | encode, ns | decode, ns | blocks by the formula \
         | measured / formula | with the constant |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for row in &rows {
        println!(
            "| {} | {:.2} | {:.1} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} |",
            row.stride,
            row.set_up.as_secs_f64(),
            row.megabytes,
            row.encode_ns,
            row.decode_ns,
            row.blocks,
            per_block(row) / normal,
            row.encode_ns / (constant + slope * row.blocks),
        );
    }
    println!();
}

fn row(bits: u64) -> Row {
    let (secret, domain) = (Secret::generate().unwrap(), "user".parse().unwrap());
    let (range, stride) = (KeyRange::new(0, N).unwrap(), Stride::new(bits).unwrap());
    let start = Instant::now();
    let codec = IntCodec::fastprp(&secret, &domain, range, stride, &mut |_, _| {}).unwrap();
    let set_up = start.elapsed();
    let counts = codec.saved_counters(&secret, &domain).unwrap().len();
    let codec: &'static IntCodec = Box::leak(Box::new(codec));
    let mut key = Key::new(1);
    let mut encode: Run = Box::new(move |n| {
        (0..n).for_each(|_| key = Key::new(codec.encode(key).unwrap().get()));
    });
    let mut id = IntId::new(1);
    let mut decode: Run = Box::new(move |n| {
        (0..n).for_each(|_| id = IntId::new(codec.decode(id).unwrap().get()));
    });
    let parts = N as f64 / bits as f64;
    Row {
        stride: bits,
        set_up,
        // The counts, and four bytes for each part of the levels that they reach.
        megabytes: (counts as f64 + 4.0 * parts.log2().ceil().exp2()) / 1e6,
        encode_ns: ns(&mut encode),
        decode_ns: ns(&mut decode),
        blocks: (parts.log2() + 2.0) * bits as f64 / 128.0,
    }
}
