//! What an id costs: alone (latency, each input depends on the output before) and in batches
//! (throughput), beside the AES block that it is made of.
//!
//! ```text
//! cargo bench --bench codec
//! ```
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128, Block};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pgveil::codec::{IdCodec, Key, KeyRing, KeyType, OpaqueId, Secret, Version};

const BATCHES: [usize; 3] = [8, 64, 1024];

fn codec() -> IdCodec {
    let ring = KeyRing::new(Secret::generate().unwrap());
    IdCodec::feistel(&ring, &"user".parse().unwrap(), Version::V8)
}

fn keys(count: usize) -> Vec<Key> {
    (8_613_972_450_000_001..)
        .take(count)
        .map(Key::new)
        .collect()
}

/// The unit that the others are compared with: six of them, one after the other, bound the
/// latency of `feistel` from below.
fn aes(c: &mut Criterion) {
    let mut group = c.benchmark_group("aes128");
    let cipher = Aes128::new(&[7; 16].into());
    let mut block = Block::default();
    group.bench_function("block/latency", |b| {
        b.iter(|| cipher.encrypt_block(black_box(&mut block)));
    });
    for size in BATCHES {
        let mut blocks = vec![Block::default(); size];
        group.throughput(Throughput::Elements(u64::try_from(size).unwrap()));
        group.bench_function(BenchmarkId::new("blocks", size), |b| {
            b.iter(|| cipher.encrypt_blocks(black_box(&mut blocks)));
        });
    }
}

fn latency(c: &mut Criterion) {
    let mut group = c.benchmark_group("feistel/latency");
    let codec = codec();
    // The chain: the next key is made of the id before it, so that nothing overlaps.
    let mut key = Key::new(1);
    group.bench_function("encode", |b| {
        b.iter(|| {
            let [first, .., last] = codec.encode(key).to_bytes();
            key = Key::new(i64::from(first ^ last));
        });
    });
    let mut id = codec.encode(Key::new(1));
    group.bench_function("decode", |b| {
        b.iter(|| {
            let refused = codec.decode(id, KeyType::Int8).is_err();
            let [first, rest @ .., last] = id.to_bytes();
            let mut bytes = [0; 16];
            bytes[0] = first;
            bytes[1..15].copy_from_slice(&rest);
            bytes[15] = last ^ u8::from(refused);
            id = OpaqueId::from_bytes(bytes);
        });
    });
}

fn batches(c: &mut Criterion) {
    let mut group = c.benchmark_group("feistel");
    let codec = codec();
    for size in BATCHES {
        let keys = keys(size);
        let mut ids = Vec::with_capacity(size);
        group.throughput(Throughput::Elements(u64::try_from(size).unwrap()));
        group.bench_function(BenchmarkId::new("encode", size), |b| {
            b.iter(|| {
                ids.clear();
                codec.encode_batch(black_box(&keys), &mut ids);
            });
        });
        let mut decoded = Vec::with_capacity(size);
        group.bench_function(BenchmarkId::new("decode", size), |b| {
            b.iter(|| {
                decoded.clear();
                codec.decode_batch(black_box(&ids), KeyType::Int8, &mut decoded);
            });
        });
    }
}

criterion_group!(benches, aes, latency, batches);
criterion_main!(benches);
