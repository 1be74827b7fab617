//! Values of the types of keys, as a database may hold them: true keys, what applications mean
//! something by, the edges of a type, and what nobody would expect.

use crate::random::Random;
use crate::twin::kind::{Keys, Kind};

/// A value as Postgres writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) text: String,
    /// Whether nobody else would send it: then it must not be among the bytes that a client gets.
    pub(crate) is_telling: bool,
}

impl Value {
    fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_telling: false,
        }
    }

    fn telling(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_telling: true,
        }
    }

    /// The literal of it in SQL.
    pub(crate) fn literal(&self) -> String {
        quoted(&self.text)
    }
}

/// A text as a literal of SQL.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A value as an element of an array.
pub(crate) fn quoted_in_array(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// The marks of an application that the ids of a kind can keep: `as_is`.
pub(crate) fn marks(kind: &Kind) -> &'static [&'static str] {
    use crate::twin::kind::Shown;
    match (kind.keys, kind.shown) {
        (Keys::Uuid | Keys::RawUuid, Shown::Uuid) => &[
            "00000000-0000-0000-0000-000000000000",
            "0192f00d-0000-4000-8000-00000000beef",
        ],
        (Keys::Bytea, Shown::Bytea) => {
            &["\\x0000000000000000000000000000000000000000000000000000000000000000"]
        }
        (Keys::Ulid | Keys::Compact, Shown::Text) => &["", "guest"],
        (Keys::Session | Keys::HexSession, Shown::Text) => &["guest"],
        _ => &[],
    }
}

/// A random value for a column of keys; a true key is one of `keys`.
pub(crate) fn of(kind: &Kind, random: &mut Random, keys: &[String]) -> Value {
    if random.once_in(2) {
        return key(kind, random, keys);
    }
    if let Some(mark) = marks(kind).get(random.below(8)) {
        return Value::plain(*mark);
    }
    match kind.keys {
        Keys::Int2 => integer(random, 16),
        Keys::Int4 => integer(random, 32),
        Keys::Int8 => integer(random, 64),
        Keys::Uuid | Keys::RawUuid => uuid(random),
        Keys::Bytea => bytes(random),
        Keys::Ulid | Keys::Compact | Keys::Session | Keys::HexSession => text(random, keys),
    }
}

/// One of the true keys.
pub(crate) fn key(kind: &Kind, random: &mut Random, keys: &[String]) -> Value {
    let text = random.choose(keys).clone();
    Value {
        text,
        is_telling: kind.keys != Keys::Int2,
    }
}

/// Sixty-four random bits.
fn bits(random: &mut Random) -> u64 {
    (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64
}

/// An integer of so many bits.
fn integer(random: &mut Random, width: u32) -> Value {
    let (min, max) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
    let near = i64::try_from(random.below(300)).unwrap_or(0);
    let edge = |power: u32| (1_i64 << power.min(62)).saturating_sub(1);
    let number = match random.weighted(&[2, 2, 1, 1, 2, 2, 2, 4]) {
        0 => 0,
        1 => [1, -1, 2, -2, 7][random.below(5)],
        2 => min,
        3 => max,
        4 => min + near,
        5 => max - near,
        // Where a codec ends, and what JavaScript can read.
        6 => edge([15, 20, 31, 32, 52, 53, 62][random.below(7)]) + near % 3,
        _ => bits(random).cast_signed() >> (64 - width),
    };
    let number = number.clamp(min, max);
    let is_edge = [0, min, max]
        .iter()
        .any(|far| number.abs_diff(*far) < 1_000)
        || (8..63).any(|power| number.unsigned_abs().abs_diff(1 << power) < 8);
    Value {
        text: number.to_string(),
        is_telling: !is_edge && number.unsigned_abs() > 100_000_000,
    }
}

/// A UUID: of every version and variant, and none.
fn uuid(random: &mut Random) -> Value {
    let (high, low) = (bits(random), bits(random));
    let with = |high: u64, low: u64| {
        let digits = format!("{high:016x}{low:016x}");
        let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
        parts.join("-")
    };
    let version = random.below(16) as u64;
    match random.weighted(&[1, 1, 1, 1, 8, 3]) {
        0 => Value::plain(with(0, 0)),
        1 => Value::plain(with(u64::MAX, u64::MAX)),
        // What stands for ids that nobody has begins like this.
        2 => Value::plain(with(0, 0x7067_7665_696c_0000 | version)),
        3 => Value::plain(with(0x0192_f00d_0000_4000, 0x8000_0000_0000_beef)),
        4 => Value::telling(with(
            high & !0xf000 | version << 12,
            low >> 2 | 0x8000_0000_0000_0000,
        )),
        _ => Value::telling(with(high, low)),
    }
}

/// Bytes of any number.
fn bytes(random: &mut Random) -> Value {
    let length = *random.choose(&[0, 1, 6, 7, 8, 31, 32, 32, 32, 32, 33, 64, 2_000]);
    let hex = |bytes: &[u8]| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("\\x{}", digits.concat())
    };
    match random.weighted(&[1, 1, 1, 6]) {
        0 => Value::plain(hex(&vec![0; length])),
        1 => Value::plain(hex(&vec![0xff; length])),
        2 => Value::plain(hex(&[b"pgveil", &[3_u8][..]].concat())),
        _ => {
            let random: Vec<u8> = (0..length).map(|_| bits(random).to_le_bytes()[0]).collect();
            Value {
                text: hex(&random),
                is_telling: length >= 8,
            }
        }
    }
}

/// What a column of text may hold, of which no key is made.
const TEXTS: &[&str] = &[
    "",
    " ",
    "guest",
    "pgveil",
    "pgveil7",
    "NULL",
    "null",
    "{a,b}",
    "{\"a\": 1}",
    "(a,\"b\")",
    "a\nb",
    "a\tb\r\n",
    "\\.",
    "\\N",
    "a\\nb",
    "it's \"quoted\", and 'more'",
    "Zoë Ångström 日本語 🙂",
    "e\u{301}",
    "\u{1}\u{7f}",
    "%s%d$1?",
    "--",
    "0",
    "-1",
    "00000000-0000-0000-0000-000000000000",
];

/// A text.
fn text(random: &mut Random, keys: &[String]) -> Value {
    let key = random.choose(keys).clone();
    match random.weighted(&[8, 1, 2, 2, 2, 2]) {
        0 => Value::plain(*random.choose(TEXTS)),
        1 => Value::plain("y".repeat(10_000)),
        2 => Value::telling(format!("{:016x}{:016x}", bits(random), bits(random))),
        // What is nearly a key.
        3 => Value::telling(format!("{key}\n")),
        4 => Value::telling(key[..key.len() - 1].to_owned()),
        _ => Value::telling(key.to_lowercase()),
    }
}

/// A literal of an array of such values: of no, one or two dimensions, with NULLs, and with bounds
/// of its own.
pub(crate) fn array(kind: &Kind, random: &mut Random, keys: &[String]) -> (String, Vec<Value>) {
    let mut values = Vec::new();
    let mut item = |random: &mut Random| {
        if random.once_in(5) {
            return "NULL".to_owned();
        }
        let value = of(kind, random, keys);
        let text = quoted_in_array(&value.text);
        values.push(value);
        text
    };
    let mut list = |random: &mut Random, count: usize| {
        let items: Vec<String> = (0..count).map(|_| item(random)).collect();
        format!("{{{}}}", items.join(","))
    };
    let count = 1 + random.below(3);
    let text = match random.below(6) {
        0 => "{}".to_owned(),
        1 => format!("[0:{}]={}", count - 1, list(random, count)),
        2 => format!("[-3:{}]={}", count as i64 - 4, list(random, count)),
        3 => format!("{{{},{}}}", list(random, count), list(random, count)),
        4 => format!("[2:2][5:{}]={{{}}}", 4 + count, list(random, count)),
        _ => list(random, count),
    };
    (text, values)
}
