//! What is measured: each codec in both directions, alone and in batches, and each form.

use std::hint::black_box;

use aes::cipher::{BlockCipherEncrypt as _, KeyInit as _};
use aes::{Aes128, Block};
use pgveil::codec::{
    Direction, DomainName, EpochRing, Ff1Width, Form, FormName, IdCodec, IntCodec, IntId,
    IntegerType, Key, KeyRange, KeyRing, OpaqueId, Prf, Secret, Session40, Split, Stride,
    UuidCodec, UuidKey, UuidRounds, Version, VersionMap, Wide, WideForm, WideId, WideKey,
};

pub(crate) const BATCHES: [usize; 3] = [8, 64, 1024];

/// Does its work so many times.
pub(crate) type Run = Box<dyn FnMut(u64)>;

/// A codec in one direction.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// What it can't be faster than, in ns.
    pub(crate) limit: Limit,
    pub(crate) alone: Run,
    pub(crate) batches: [Run; 3],
}

/// A text form.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) render: Run,
    pub(crate) parse: Run,
}

/// What a codec can't be faster than, as far as it is known, in ns for each id.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limit {
    pub(crate) alone: Option<f64>,
    pub(crate) batches: Option<f64>,
}

/// So many calls of AES, one after the other.
fn aes(calls: u32) -> Limit {
    Limit {
        alone: Some(f64::from(calls) * 11.0),
        batches: Some(f64::from(calls) * 5.0 / 6.0),
    }
}

/// Six calls of another round function.
fn six(ns: f64) -> Limit {
    Limit {
        alone: Some(6.0 * ns),
        batches: None,
    }
}

/// A subject that takes `inputs`. `step` makes the next input of the one before, by way of its
/// output.
fn subject<I: Copy + 'static, O: 'static>(
    name: &'static str,
    limit: Limit,
    inputs: Vec<I>,
    step: impl Fn(I) -> I + 'static,
    many: impl Fn(&[I], &mut Vec<O>) + Copy + 'static,
) -> Subject {
    let mut input = inputs[0];
    Subject {
        name,
        limit,
        alone: Box::new(move |n| (0..n).for_each(|_| input = step(input))),
        batches: BATCHES.map(|size| {
            let (inputs, mut out) = (inputs[..size].to_vec(), Vec::with_capacity(size));
            let run: Run = Box::new(move |n| {
                for _ in 0..n {
                    out.clear();
                    many(black_box(&inputs), &mut out);
                }
            });
            run
        }),
    }
}

/// For the whole of the run.
fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn secret() -> Secret {
    Secret::generate().unwrap()
}

fn domain() -> DomainName {
    "user".parse().unwrap()
}

pub(crate) fn subjects() -> Vec<Subject> {
    let mut all = vec![block()];
    all.extend(ids());
    all.extend(uuids());
    all.extend(integers());
    all.extend(wide());
    all.push(session());
    all
}

/// The unit that the others are compared with.
fn block() -> Subject {
    let cipher = keep(Aes128::new(&[7; 16].into()));
    let blocks = vec![Block::default(); 1024];
    let step = |mut block: Block| {
        cipher.encrypt_block(&mut block);
        block
    };
    let many = |blocks: &[Block], out: &mut Vec<Block>| {
        out.resize(blocks.len(), Block::default());
        cipher.encrypt_blocks_b2b(blocks, out).unwrap();
    };
    subject("(a block of AES-128)", aes(1), blocks, step, many)
}

/// Integer keys to sixteen bytes.
fn ids() -> Vec<Subject> {
    let (ring, domain) = (KeyRing::new(secret()), domain());
    let feistel = |prf| IdCodec::feistel_with(&ring, &domain, Version::V8, prf);
    let codecs = [
        ("feistel", "feistel, decode", aes(6), feistel(Prf::Aes128)),
        (
            "feistel, SipHash",
            "feistel, SipHash, decode",
            six(14.0),
            feistel(Prf::SipHash24),
        ),
        (
            "feistel, BLAKE3",
            "feistel, BLAKE3, decode",
            six(65.0),
            feistel(Prf::Blake3),
        ),
        (
            "aes-int",
            "aes-int, decode",
            aes(1),
            IdCodec::aes_int(&ring, &domain),
        ),
    ];
    let mut all = Vec::new();
    for (name, decode, limit, codec) in codecs {
        let codec = keep(codec);
        let keys: Vec<Key> = (8_613_972_450_000_001..).take(1024).map(Key::new).collect();
        let mut ids = Vec::new();
        codec.encode_batch(&keys, &mut ids);
        let next = |key| {
            let [first, .., last] = codec.encode(key).to_bytes();
            Key::new(i64::from(first ^ last))
        };
        all.push(subject(name, limit, keys, next, |keys, out| {
            codec.encode_batch(keys, out);
        }));
        // Which of two ids comes next depends on the key; both were issued.
        let pair = [ids[0], ids[1]];
        let next = move |id| {
            let key = codec.decode(id, IntegerType::Int8).unwrap().get();
            pair[usize::try_from(key & 1).unwrap()]
        };
        all.push(subject(decode, limit, ids, next, |ids, out| {
            codec.decode_batch(ids, IntegerType::Int8, out);
        }));
    }
    all
}

/// Sixteen bytes to sixteen bytes.
fn uuids() -> Vec<Subject> {
    let (secret_, domain) = (secret(), domain());
    let uuid =
        |rounds, split| UuidCodec::uuid(&secret_, &domain, VersionMap::default(), rounds, split);
    let ring = EpochRing::new((1, secret()), vec![(0, secret())]).unwrap();
    let epochs =
        |rounds| UuidCodec::uuid_with_epochs(&ring, &domain, VersionMap::default(), rounds);
    let (many, two) = (UuidRounds::Six, UuidRounds::Two);
    let block = UuidCodec::aes(&secret_, &domain, Direction::Forward);
    let walk = UuidCodec::cycle_walk(&secret_, &domain);
    let mut all = Vec::new();
    for (name, decode, limit, codec) in [
        ("uuid", "uuid, decode", aes(6), uuid(many, Split::At60)),
        ("uuid, split 48", "", aes(6), uuid(many, Split::At48)),
        ("uuid, epochs", "uuid, epochs, decode", aes(6), epochs(many)),
        (
            "feistel2",
            "feistel2, decode",
            aes(2),
            uuid(two, Split::At60),
        ),
        ("feistel2, split 48", "", aes(2), uuid(two, Split::At48)),
        ("feistel2, epochs", "", aes(2), epochs(two)),
        ("aes", "aes, decode", aes(1), block),
        ("cycle_walk", "cycle_walk, decode", aes(2), walk),
    ] {
        let codec = keep(codec);
        let first = 0x0183_8572_52b2_7000_8000_0000_0000_0000_u128;
        let numbers = (first..).take(1024);
        let keys: Vec<_> = numbers
            .map(|n| UuidKey::from_bytes(n.to_be_bytes()))
            .collect();
        let id = |key: &UuidKey| codec.encode(*key).unwrap();
        let ids: Vec<OpaqueId> = keys.iter().map(id).collect();
        let next = move |key| {
            let [byte, ..] = codec.encode(key).unwrap().to_bytes();
            UuidKey::from_bytes((first ^ u128::from(byte)).to_be_bytes())
        };
        all.push(subject(name, limit, keys, next, |keys, out| {
            codec.encode_batch(keys, out);
        }));
        if !decode.is_empty() {
            let pair = [ids[0], ids[1]];
            let next = move |id| {
                let [.., byte] = codec.decode(id).unwrap().to_bytes();
                pair[usize::from(byte & 1)]
            };
            all.push(subject(decode, limit, ids, next, |ids, out| {
                codec.decode_batch(ids, out);
            }));
        }
    }
    all
}

/// Integers to integers.
fn integers() -> Vec<Subject> {
    let (secret, domain) = (secret(), domain());
    let fastprp = |low, size| {
        let (range, stride) = (KeyRange::new(low, size).unwrap(), Stride::default());
        IntCodec::fastprp(&secret, &domain, range, stride, &mut |_, _| {}).unwrap()
    };
    let ff1 = IntCodec::ff1(&secret, &domain, Ff1Width::B53);
    let mut all = Vec::new();
    for (name, decode, limit, codec) in [
        ("ff1, 53 bits", "ff1, decode", aes(10), ff1),
        (
            "fastprp, 2^16 (tables)",
            "fastprp, 2^16, decode",
            Limit::default(),
            fastprp(-(1 << 15), 1 << 16),
        ),
        (
            "fastprp, 2^31 (counters)",
            "fastprp, 2^31, decode",
            Limit::default(),
            fastprp(0, 1 << 31),
        ),
    ] {
        let codec = keep(codec);
        let keys: Vec<Key> = (1..=1024).map(Key::new).collect();
        let ids: Vec<IntId> = keys.iter().map(|key| codec.encode(*key).unwrap()).collect();
        let next = |key| Key::new(codec.encode(key).unwrap().get());
        all.push(subject(name, limit, keys, next, |keys, out| {
            codec.encode_batch(keys, out);
        }));
        let next = |id| IntId::new(codec.decode(id).unwrap().get());
        all.push(subject(decode, limit, ids, next, |ids, out| {
            codec.decode_batch(ids, out);
        }));
    }
    all
}

/// 32 bytes.
fn wide() -> [Subject; 2] {
    let wide = keep(Wide::new(&secret(), &domain()));
    let keys = vec![WideKey::from_bytes([7; 32]); 1024];
    let next = |key| WideKey::from_bytes(wide.encode(key).to_bytes());
    let encode = subject("wide", aes(4), keys, next, |keys, out| {
        wide.encode_batch(keys, out);
    });
    let ids = vec![WideId::from_bytes([7; 32]); 1024];
    let next = |id| WideId::from_bytes(wide.decode(id).to_bytes());
    let decode = subject("wide, decode", aes(4), ids, next, |ids, out| {
        wide.decode_batch(ids, out);
    });
    [encode, decode]
}

/// Session ids, text on both sides. Batches go one by one.
fn session() -> Subject {
    let session = keep(Session40::new(&secret(), &domain()));
    let key = "687260e3c6lygg5g7fl7gafj2a2vnwmatncbsqV2";
    let mut text = key.to_owned();
    let many = |keys: &[&str], out: &mut Vec<String>| {
        out.extend(keys.iter().map(|key| session.encode(key).unwrap()));
    };
    let batches = subject("", Limit::default(), vec![key; 1024], |key| key, many).batches;
    Subject {
        name: "session40",
        limit: aes(6),
        alone: Box::new(move |n| (0..n).for_each(|_| text = session.encode(&text).unwrap())),
        batches,
    }
}

pub(crate) fn forms() -> Vec<Text> {
    let names = [
        FormName::Uuid,
        FormName::Hex,
        FormName::Ulid,
        FormName::Compact,
        FormName::Base62,
        FormName::TypeId,
    ];
    let mut all = Vec::new();
    for name in names {
        let form = keep(Form::new(name, "").unwrap());
        all.push(text(
            format!("{name:?}").to_lowercase(),
            |text| form.render(black_box([0xa7; 16]), text),
            |text| form.parse(text).is_ok(),
        ));
    }
    for (name, form) in [
        ("compact43", WideForm::Compact43),
        ("bytea", WideForm::Bytea),
    ] {
        all.push(text(
            name.to_owned(),
            move |text| form.render(black_box([0xa7; 32]), text),
            move |text| form.parse(text).is_ok(),
        ));
    }
    all
}

fn text(
    name: String,
    render: impl Fn(&mut String) + 'static,
    parse: impl Fn(&[u8]) -> bool + 'static,
) -> Text {
    let mut text = String::with_capacity(80);
    render(&mut text);
    let good = text.clone();
    Text {
        name,
        render: Box::new(move |n| {
            for _ in 0..n {
                text.clear();
                render(&mut text);
                black_box(&text);
            }
        }),
        parse: Box::new(move |n| {
            (0..n).for_each(|_| assert!(parse(black_box(good.as_bytes()))));
        }),
    }
}
