//! What an id costs: alone (latency, each input depends on the output before) and in batches
//! (throughput), for each codec, beside the AES block that they are made of.
//!
//! ```text
//! cargo bench --bench codec
//! ```
//!
//! The limits that the numbers are to be read against, in ns at 3.0 to 3.2 GHz: an AES block
//! takes 11 alone, and 0.8 in batches on AVX-512; a codec of six rounds, 66 and 5.0.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128, Block};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pgveil::codec::{
    Direction, Ff1Width, Form, FormName, IdCodec, IntCodec, IntegerType, Key, KeyRange, KeyRing,
    OpaqueId, Prf, Secret, Session40, Split, Stride, UuidCodec, UuidKey, UuidRounds, Version,
    VersionMap, Wide, WideKey,
};

const BATCHES: [usize; 3] = [8, 64, 1024];

fn secret() -> Secret {
    Secret::generate().unwrap()
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

/// Integer keys to sixteen bytes: `feistel` with each round function, `aes-int`.
fn ids(c: &mut Criterion) {
    let (ring, domain) = (KeyRing::new(secret()), "user".parse().unwrap());
    let feistel = |prf| IdCodec::feistel_with(&ring, &domain, Version::V8, prf);
    for (name, codec) in [
        ("feistel", feistel(Prf::Aes128)),
        ("feistel-siphash24", feistel(Prf::SipHash24)),
        ("feistel-blake3", feistel(Prf::Blake3)),
        ("aes-int", IdCodec::aes_int(&ring, &domain)),
    ] {
        id_latency(c, name, &codec);
        let mut group = c.benchmark_group(name);
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
                    codec.decode_batch(black_box(&ids), IntegerType::Int8, &mut decoded);
                });
            });
        }
    }
}

/// The chain: the next key is made of the id before it, so that nothing overlaps.
fn id_latency(c: &mut Criterion, name: &str, codec: &IdCodec) {
    let mut group = c.benchmark_group(format!("{name}/latency"));
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
            let refused = codec.decode(id, IntegerType::Int8).is_err();
            let mut bytes = id.to_bytes();
            bytes[15] ^= u8::from(refused);
            id = OpaqueId::from_bytes(bytes);
        });
    });
}

/// Sixteen bytes to sixteen bytes.
fn uuids(c: &mut Criterion) {
    let (secret, domain) = (secret(), "user".parse().unwrap());
    let uuid =
        |rounds| UuidCodec::uuid(&secret, &domain, VersionMap::default(), rounds, Split::At60);
    for (name, codec) in [
        ("uuid", uuid(UuidRounds::Six)),
        ("feistel2", uuid(UuidRounds::Two)),
        ("aes", UuidCodec::aes(&secret, &domain, Direction::Forward)),
        ("cycle_walk", UuidCodec::cycle_walk(&secret, &domain)),
    ] {
        let mut group = c.benchmark_group(name);
        let first = 0x0183_8572_52b2_7000_8000_0000_0000_0000_u128;
        let mut key = UuidKey::from_bytes(first.to_be_bytes());
        group.bench_function("latency/encode", |b| {
            b.iter(|| {
                let [byte, ..] = codec.encode(key).unwrap().to_bytes();
                key = UuidKey::from_bytes((first ^ u128::from(byte)).to_be_bytes());
            });
        });
        for size in BATCHES {
            let numbers = (first..).take(size);
            let keys: Vec<_> = numbers
                .map(|n| UuidKey::from_bytes(n.to_be_bytes()))
                .collect();
            let mut ids = Vec::with_capacity(size);
            group.throughput(Throughput::Elements(u64::try_from(size).unwrap()));
            group.bench_function(BenchmarkId::new("encode", size), |b| {
                b.iter(|| {
                    ids.clear();
                    codec.encode_batch(black_box(&keys), &mut ids);
                });
            });
        }
    }
}

/// Integers to integers: `ff1`, and `fastprp` as tables.
fn integers(c: &mut Criterion) {
    let (secret, domain) = (secret(), "user".parse().unwrap());
    let range = KeyRange::new(-(1 << 15), 1 << 16).unwrap();
    let tables = IntCodec::fastprp(&secret, &domain, range, Stride::default(), &mut |_, _| {});
    for (name, codec, mask) in [
        (
            "ff1-b53",
            IntCodec::ff1(&secret, &domain, Ff1Width::B53),
            i64::MAX >> 10,
        ),
        ("fastprp-tables", tables.unwrap(), 0x7fff),
    ] {
        let mut group = c.benchmark_group(name);
        let mut key = Key::new(1);
        group.bench_function("latency/encode", |b| {
            b.iter(|| key = Key::new(codec.encode(key).unwrap().get() & mask));
        });
        for size in BATCHES {
            let keys: Vec<Key> = keys(size)
                .iter()
                .map(|k| Key::new(k.get() & mask))
                .collect();
            let mut ids = Vec::with_capacity(size);
            group.throughput(Throughput::Elements(u64::try_from(size).unwrap()));
            group.bench_function(BenchmarkId::new("encode", size), |b| {
                b.iter(|| {
                    ids.clear();
                    codec.encode_batch(black_box(&keys), &mut ids);
                });
            });
        }
    }
}

/// `fastprp` for 2^31 numbers: an id's time as the stride varies, the time of building, the size.
#[allow(clippy::print_stdout, reason = "a benchmark's table")]
fn fastprp(c: &mut Criterion) {
    let (secret, domain) = (secret(), "user".parse().unwrap());
    let range = KeyRange::new(0, 1 << 31).unwrap();
    let mut group = c.benchmark_group("fastprp-2^31");
    group.sample_size(10);
    for bits in [1 << 12, 1 << 14, 92_672, 1 << 18] {
        let stride = Stride::new(bits).unwrap();
        let start = std::time::Instant::now();
        let codec = IntCodec::fastprp(&secret, &domain, range, stride, &mut |_, _| {}).unwrap();
        let saved = codec.saved_counters(&secret, &domain).unwrap();
        let (elapsed, size) = (start.elapsed().as_secs_f32(), saved.len() >> 10);
        println!("stride {bits}: built in {elapsed:.2} s, {size} KiB");
        let mut key = Key::new(1);
        group.bench_function(BenchmarkId::new("encode", bits), |b| {
            b.iter(|| key = Key::new(codec.encode(key).unwrap().get()));
        });
        group.bench_function(BenchmarkId::new("decode", bits), |b| {
            let id = codec.encode(Key::new(123_456_789)).unwrap();
            b.iter(|| codec.decode(black_box(id)));
        });
    }
}

/// 32 bytes, session ids, and what a text form adds to the sixteen bytes of an id.
fn wide_and_text(c: &mut Criterion) {
    let (secret, domain) = (secret(), "user".parse().unwrap());
    let wide = Wide::new(&secret, &domain);
    let mut group = c.benchmark_group("wide");
    for size in BATCHES {
        let keys = vec![WideKey::from_bytes([7; 32]); size];
        let mut ids = Vec::with_capacity(size);
        group.throughput(Throughput::Elements(u64::try_from(size).unwrap()));
        group.bench_function(BenchmarkId::new("encode", size), |b| {
            b.iter(|| {
                ids.clear();
                wide.encode_batch(black_box(&keys), &mut ids);
            });
        });
    }
    group.finish();
    let session = Session40::new(&secret, &domain);
    let key = "687260e3c6lygg5g7fl7gafj2a2vnwmatncbsqV2";
    c.bench_function("session40/encode", |b| {
        b.iter(|| session.encode(black_box(key)))
    });
    let mut group = c.benchmark_group("form");
    for name in [
        FormName::Uuid,
        FormName::Hex,
        FormName::Ulid,
        FormName::Compact,
        FormName::Base62,
        FormName::TypeId,
    ] {
        let form = Form::new(name, "").unwrap();
        let mut text = String::with_capacity(40);
        group.bench_function(format!("{name:?}/render"), |b| {
            b.iter(|| {
                text.clear();
                form.render(black_box([0xa7; 16]), &mut text);
            });
        });
        group.bench_function(format!("{name:?}/parse"), |b| {
            b.iter(|| form.parse(black_box(text.as_bytes())));
        });
    }
}

criterion_group!(benches, aes, ids, uuids, integers, fastprp, wide_and_text);
criterion_main!(benches);
