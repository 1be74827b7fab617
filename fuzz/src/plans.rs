//! Texts that differ in their literals, asked of one plan cache one after the other: each is
//! answered as an analysis of its own answers it, and the cache stays within its bytes.
//!
//! An input is a byte of flags, a text behind its length in two bytes, and which literals the
//! texts have.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use pgveil::catalog::SearchPath;
use pgveil::session::plans::{Circumstances, Hashed, Lookup, Plans};
use pgveil::session::{Analyzer, Catalog, Limits, Shared};
use pgveil::sql::{self, Context};

use super::input::Input;
use super::world;

static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let shared = Shared::new([], Limits::default(), Analyzer::default(), |_| ());
    shared.number(world::computing_shop())
});

/// Beyond this an input only takes time.
const LONGEST_BYTES: usize = 1024;

/// The texts of one input.
const TEXTS: usize = 5;

const SMALL_BYTES: u64 = 8 << 10;
const LARGE_BYTES: u64 = 1 << 20;

/// What stands in the place of strings.
const STRINGS: &[&str] = &[
    "''",
    "'a'",
    "'b'",
    "'id'",
    "'{}'",
    "'{id}'",
    "'a,b'",
    "'%s'",
    "'%'",
    "E'it\\'s'",
    "$$q'q$$",
    "'a'\n'b'",
    "'epoch'",
    "'TimeZone'",
    "'search_path'",
    "'7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4'",
    "'{7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4}'",
    "NULL",
    "5",
    "$1",
];

/// What stands in the place of numbers: also what the cache itself puts there.
const NUMBERS: &[&str] = &[
    "1",
    "7",
    "007",
    "1.5",
    "0.25",
    "2013265921",
    "2013265921.5",
    "3000000000",
    "4611686018427387847",
    "99999999999999999999",
    "-1",
    "1e3",
    "'1'",
    "$1",
];

/// The target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let flags = input.byte();
    let Ok(text) = std::str::from_utf8(input.chunk()) else {
        return;
    };
    if text.len() > LONGEST_BYTES {
        return;
    }
    let path = SearchPath::default();
    let circumstances = Circumstances {
        epoch: CATALOG.epoch,
        path: (flags & 1 == 0).then(|| path.clone()),
        paths: None,
        standard_conforming_strings: flags & 2 == 0,
        client_encoding: "UTF8".to_owned(),
        made: flags & 4 != 0,
        unseen: flags & 32 != 0,
        fronted: flags & 64 != 0,
        unsettled: flags & 64 != 0,
    };
    let hashed = Hashed::new(circumstances.clone());
    let bytes = [LARGE_BYTES, SMALL_BYTES][usize::from(flags & 8 != 0)];
    let plans = Plans::new(Analyzer::default(), bytes);
    let places = literals(text);
    for number in 0..TEXTS {
        let mut varied = text.to_owned();
        for (place, with) in places.iter().rev() {
            match input.below(with.len() + 1) {
                // As it is.
                0 => {}
                choice => varied.replace_range(place.clone(), with[choice - 1]),
            }
        }
        let fresh = flags & 16 == 0;
        let cached = plans.get(
            &CATALOG,
            Lookup {
                circumstances: &hashed,
                text: varied.as_bytes(),
                declared: &[],
                fresh,
            },
        );
        let own = sql::analyse(
            varied.as_bytes(),
            &Context {
                snapshot: &CATALOG.snapshot,
                search_path: circumstances.path.as_ref(),
                paths: None,
                standard_conforming_strings: circumstances.standard_conforming_strings,
                client_encoding: &circumstances.client_encoding,
                declared: &[],
                fresh,
                made: circumstances.made,
                unseen: circumstances.unseen,
                fronted: circumstances.fronted,
                unsettled: circumstances.unsettled,
                steps: sql::DEFAULT_STEPS,
                trace: None,
            },
        );
        assert!(
            cached.script == own,
            "text {number}, {varied:?}: {:?} instead of {own:?}",
            cached.script
        );
        assert!(plans.bytes() <= bytes, "the cache takes too much");
    }
}

/// The literals of a text, or what looks like one, with what may take their place.
fn literals(text: &str) -> Vec<(Range<usize>, &'static [&'static str])> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut end = at + 1;
        match bytes[at] {
            b'\'' => {
                let Some(length) = text[end..].find('\'') else {
                    break;
                };
                end += length + 1;
                found.push((at..end, STRINGS));
            }
            b'0'..=b'9' => {
                end += bytes[end..].iter().take_while(|byte| is_word(byte)).count();
                found.push((at..end, NUMBERS));
            }
            byte if is_word(&byte) => {
                end += bytes[end..].iter().take_while(|byte| is_word(byte)).count();
            }
            _ => {}
        }
        at = end;
    }
    found
}
