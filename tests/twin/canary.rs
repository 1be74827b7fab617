//! The canary: the keys of the integer world begin with digits that nothing else sends. If one of
//! their forms turns up among the bytes that a client received, a key got out.

use super::world::{FIRST_KEY, FIRST_KEY4};

/// The keys that the tests can issue lie below these.
const LAST_KEY: i64 = FIRST_KEY + 600_000;
const LAST_KEY4: i64 = FIRST_KEY4 + 2_000;

/// A form of a key and the bytes that all keys have in common in it.
struct LineageTrace {
    form: &'static str,
    bytes: Vec<u8>,
}

/// The forms to look for.
pub(crate) struct Canary {
    traces: Vec<LineageTrace>,
    /// Whether 4-byte integers of the integer world are looked for, too.
    narrow: bool,
}

impl Canary {
    /// Decimal and hexadecimal text, big-endian integers, floating point and numeric.
    pub(crate) fn new() -> Self {
        let (first, last) = (FIRST_KEY, LAST_KEY);
        let float = |key: i64| (key as f64).to_be_bytes().to_vec();
        let group = |key: i64| i16::try_from(key / 1_0000_0000 % 10_000).unwrap_or(0);
        let numeric = |key: i64| {
            let high = i16::try_from(key / 1_0000_0000_0000).unwrap_or(0);
            [high.to_be_bytes(), group(key).to_be_bytes()].concat()
        };
        let text = |key: i64| key.to_string().into_bytes();
        let scientific = |key: i64| format!("{}.{}", &key.to_string()[..1], &key.to_string()[1..]);
        let traces = [
            ("decimal text", shared(&text(first), &text(last))),
            (
                "scientific text",
                shared(scientific(first).as_bytes(), scientific(last).as_bytes()),
            ),
            (
                "hexadecimal text",
                shared(
                    format!("{first:x}").as_bytes(),
                    format!("{last:x}").as_bytes(),
                ),
            ),
            (
                "an 8-byte integer",
                shared(&first.to_be_bytes(), &last.to_be_bytes()),
            ),
            ("a double", shared(&float(first), &float(last))),
            ("a binary numeric", shared(&numeric(first), &numeric(last))),
            (
                "decimal text of 4 bytes",
                shared(&text(FIRST_KEY4), &text(LAST_KEY4)),
            ),
        ];
        Self {
            narrow: true,
            ..Self::of(traces)
        }
    }

    /// These bytes, each with the name of its form.
    pub(crate) fn of(traces: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Self {
        let traces = traces.into_iter();
        Self {
            traces: traces
                .map(|(form, bytes)| LineageTrace { form, bytes })
                .collect(),
            narrow: false,
        }
    }

    /// The form in which a key is among the bytes.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<&'static str> {
        let known = self.traces.iter().find(|trace| {
            bytes
                .windows(trace.bytes.len())
                .any(|window| window == trace.bytes)
        });
        let narrow = self.narrow
            && bytes.windows(4).any(|window| {
                let number = i32::from_be_bytes([window[0], window[1], window[2], window[3]]);
                (FIRST_KEY4..LAST_KEY4).contains(&i64::from(number))
            });
        known
            .map(|trace| trace.form)
            .or(narrow.then_some("a 4-byte integer"))
    }
}

/// The beginning that two byte strings share.
fn shared(first: &[u8], last: &[u8]) -> Vec<u8> {
    let equal = first.iter().zip(last).take_while(|(a, b)| a == b);
    let prefix: Vec<u8> = equal.map(|(byte, _)| *byte).collect();
    assert!(
        prefix.len() >= 4,
        "a form of the canary is too short to be told from chance"
    );
    prefix
}
