//! That the plan of a text is the same whether it is analysed afresh or comes from the plan of a
//! text with other literals: each statement is changed in each of its literals, in ways that
//! change what the literal is.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use pgveil::catalog::{SearchPath, Snapshot};
use pgveil::session::plans::{Circumstances, Hashed, Lookup, Plans};
use pgveil::session::{Analyzer, Catalog, Limits, Shared};
use pgveil::sql::{self, Context, Script};

thread_local! {
    /// How often something was analysed.
    static ANALYSES: Cell<usize> = const { Cell::new(0) };
}

fn counted(text: &[u8], context: &Context<'_>) -> Script {
    ANALYSES.with(|count| count.set(count.get() + 1));
    sql::analyse(text, context)
}

/// What stands in the place of strings.
const STRINGS: &[&str] = &[
    "''",
    "'id'",
    "'{}'",
    "'it''s'",
    r"E'a\'b\n'",
    r"U&'\0061'",
    r"U&'!0061' UESCAPE '!'",
    "$$q'q$$",
    "$tag$ -- $tag$",
    "'7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4'",
    "'7D3F0B529A414C68B1DE5E2F8C90A7B4'",
    "'{7d3f0b52-9a41-4c68-b1de-5e2f8c90a7b4,NULL}'",
    "'42'",
    "'0'",
    "'null'",
    "'/* '",
    "'ünï\u{10348}cödé'",
    "'%s %L %1$s'",
    "'search_path'",
    "'users_id_seq'",
    "'$.id'",
    "'1 day'",
    "'a'\n'b'",
    "'a' 'b'",
    "NULL",
    "5",
    "-5",
    "$1",
    "B'101'",
    "X'1f'",
    "'x'::text",
    "'5'::int",
    "('x')",
    "id",
    "now()",
];

/// What stands in the place of numbers.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "1.5",
    "3000000000",
    "2013265921",
    "2013265921.5",
    "4611686018427387847",
    "2",
    "3",
    "00012",
    "2147483647",
    "2147483648",
    "9223372036854775808",
    "99999999999999999999999999",
    "1.0",
    ".5",
    "5.",
    "1e3",
    "-3",
    "- 3",
    "+3",
    "'1'",
    "'x'",
    "NULL",
    "$1",
    "(1)",
    "1::bigint",
    "1 + 1",
    "id",
];

/// Compares the cache with the analysis.
#[allow(dead_code, reason = "each test binary uses a part of it")]
pub(crate) struct Mutator {
    catalog: Arc<Catalog>,
    path: SearchPath,
    circumstances: Hashed,
    plans: Plans,
    turn: usize,
    seen: HashSet<String>,
    /// How many analyses the cache has made.
    analyses: usize,
    /// Texts that were compared, and how many of them were not analysed.
    pub(crate) compared: usize,
    pub(crate) shared: usize,
    pub(crate) wrong: Vec<String>,
}

#[allow(dead_code, reason = "each test binary uses a part of it")]
impl Mutator {
    pub(crate) fn new(snapshot: Snapshot, path: SearchPath) -> Self {
        Self::with(snapshot, path, 16 << 20)
    }

    /// With a cache of so many bytes.
    pub(crate) fn within(snapshot: Snapshot, bytes: u64) -> Self {
        Self::with(snapshot, SearchPath::default(), bytes)
    }

    /// What the cache takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.plans.bytes()
    }

    /// How many analyses the cache has made.
    pub(crate) const fn analysed(&self) -> usize {
        self.analyses
    }

    fn with(snapshot: Snapshot, path: SearchPath, bytes: u64) -> Self {
        let analyse = Analyzer {
            script: counted,
            ..Analyzer::default()
        };
        let shared = Shared::new([], Limits::default(), analyse, |_| ());
        let catalog = shared.number(snapshot);
        let circumstances = Hashed::new(Circumstances {
            epoch: catalog.epoch,
            path: Some(path.clone()),
            paths: None,
            standard_conforming_strings: true,
            client_encoding: "UTF8".to_owned(),
            made: false,
            unseen: false,
            fronted: false,
            unsettled: false,
        });
        Self {
            plans: Plans::new(analyse, bytes),
            catalog,
            path,
            circumstances,
            turn: 0,
            seen: HashSet::new(),
            analyses: 0,
            compared: 0,
            shared: 0,
            wrong: Vec::new(),
        }
    }

    /// Compares for a statement and so many changes of each of its literals.
    pub(crate) fn check(&mut self, text: &str, changes: usize) {
        self.compare(text);
        let literals = literals(text);
        // A list of hundreds is all alike.
        for (place, with) in literals.iter().take(40) {
            for _ in 0..changes {
                self.turn += 1;
                let new = with[self.turn % with.len()];
                let changed = [&text[..place.start], new, &text[place.end..]].concat();
                self.compare(&changed);
            }
            let long = format!("'{}'", "long ".repeat(1 + 7 * (self.turn % 100)));
            self.compare(&[&text[..place.start], &long, &text[place.end..]].concat());
        }
        if literals.len() > 1 {
            self.turn += 1;
            let mut changed = text.to_owned();
            for (number, (place, with)) in literals.iter().enumerate().rev() {
                changed.replace_range(place.clone(), with[(self.turn + 7 * number) % with.len()]);
            }
            self.compare(&changed);
        }
    }

    /// Compares for a text.
    pub(crate) fn compare(&mut self, text: &str) {
        // The cache knows it by heart.
        if !self.seen.insert(text.to_owned()) {
            return;
        }
        let lookup = Lookup {
            circumstances: &self.circumstances,
            text: text.as_bytes(),
            declared: &[],
            fresh: true,
        };
        let before = ANALYSES.with(Cell::get);
        let cached = self.plans.get(&self.catalog, lookup);
        let analyses = ANALYSES.with(Cell::get) - before;
        let is_shared = analyses == 0;
        self.analyses += analyses;
        let context = Context::new(&self.catalog.snapshot, &self.path);
        let fresh = sql::analyse(text.as_bytes(), &context);
        self.compared += 1;
        self.shared += usize::from(is_shared);
        if cached.script != fresh {
            let mut told = String::new();
            let _ = write!(told, "{text}\n  {:?}\n  {fresh:?}", cached.script);
            self.wrong.push(told);
        }
    }
}

/// The literals of a text, or what looks like one, with what may take their place.
fn literals(text: &str) -> Vec<(Range<usize>, &'static [&'static str])> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let is_word =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'"');
        let joined = at > 0 && is_word(&bytes[at - 1]);
        match bytes[at] {
            b'\'' => {
                let Some(length) = text[at + 1..].find('\'') else {
                    break;
                };
                let end = at + length + 2;
                found.push((at..end, STRINGS));
                at = end;
            }
            b'0'..=b'9' if !joined => {
                let digits = bytes[at..].iter().take_while(|byte| is_word(byte));
                let end = at + digits.count();
                found.push((at..end, NUMBERS));
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}
