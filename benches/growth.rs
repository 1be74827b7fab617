//! How the cost of a statement grows with its length, for every way in which one can be long:
//! sizes n, 2n, 4n, … in a box of time, and the exponent that fits.
//!
//! `cargo bench --bench growth [-- FILTER] [--plot docs/images/growth.svg]` prints a table and ends with status 1 if an exponent
//! is above 1.3 (sorting, n log n, stays below), so that no statement costs more than in
//! proportion. Columns: the analysis with ids annotated and without any, the glance, the blanks,
//! and the whole way of a Query through a session, with the edits.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and has nobody to report a fault to"
)]

#[path = "growth/catalog.rs"]
mod catalog;
#[path = "growth/kinds.rs"]
mod kinds;
#[path = "growth/lexical.rs"]
mod lexical;
#[path = "growth/measure.rs"]
mod measure;
#[path = "growth/nests.rs"]
mod nests;
#[path = "plot.rs"]
mod plot;
#[path = "growth/session.rs"]
mod session;
#[path = "analyse/snapshot.rs"]
mod snapshot;

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::thread;

use measure::{Growth, grow, grow_apart};
use pgveil::catalog::{SearchPath, Snapshot};
use pgveil::sql::{self, Context, Verdict};

/// That of the binary.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// What is in proportion, with room for logarithms, caches and a noisy machine.
const LIMIT: f64 = 1.3;

/// The stages of a text, in the order of the columns.
const STAGES: [&str; 5] = ["ids", "no ids", "glance", "blank", "session"];

/// Keeps for a while the pages that the allocator would give back between two runs: what the kernel takes to
/// give a process new ones is in proportion, but begins at some size.
const KEEPS_PAGES: (&str, &str) = (
    "MALLOC_CONF",
    "dirty_decay_ms:10000,muzzy_decay_ms:10000,oversize_threshold:0",
);

/// For the same reason all of the stack that a text may take is there from the beginning.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let (name, value) = KEEPS_PAGES;
    if std::env::var_os(name).is_none() {
        let mut again = Command::new(std::env::current_exe().expect("a path"));
        let again = again.args(std::env::args_os().skip(1)).env(name, value);
        let status = again.status().expect("the bench itself");
        return if status.success() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    let run = thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    run.expect("a thread").join().expect("a result")
}

fn run() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let drawn = words.iter().position(|word| word == "--plot");
    let drawing = drawn.and_then(|place| words.get(place + 1));
    let filter = words.iter().enumerate().find(|(place, word)| {
        !word.starts_with('-') && drawn.is_none_or(|drawn| *place != drawn + 1)
    });
    let filter = filter.map(|(_, word)| word.clone());
    let wanted = |name: &str| filter.as_deref().is_none_or(|filter| name.contains(filter));
    let stages = Stages::new();
    let mut above = Vec::new();
    let mut exponents = STAGES.map(|stage| (stage, Vec::new()));
    println!("exponents (size reached, time there in ms)");
    print!("{:<42}", "");
    STAGES.iter().for_each(|stage| print!("{stage:>24}"));
    println!();
    for (name, text) in kinds::all() {
        if !wanted(&name) {
            continue;
        }
        let found = stages.measure(&*text);
        print!("{name:<42}");
        for ((stage, all), growth) in exponents.iter_mut().zip(found) {
            print!("{:>24}", growth.to_string());
            all.push(growth.exponent);
            if growth.exponent > LIMIT {
                above.push(format!("{name} ({stage}): {growth}"));
            }
        }
        println!();
    }
    for (name, growth) in catalog::all(wanted) {
        println!("{name:<42}{:>24}", growth.to_string());
        if growth.exponent > LIMIT {
            above.push(format!("{name}: {growth}"));
        }
    }
    if let Some(file) = drawing {
        let title = "Exponents: how the time for a statement grows with its length";
        // The analysis with ids and without, and all of it in a session.
        let [ids, plain, _, _, session] = exponents;
        let drawn = plot::sorted(file.as_ref(), title, &[session, ids, plain], LIMIT);
        drawn.expect("a drawing");
    }
    if above.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nabove {LIMIT}:");
    above.iter().for_each(|line| println!("  {line}"));
    ExitCode::FAILURE
}

/// Databases with ids and without.
struct Stages {
    annotated: Snapshot,
    plain: Snapshot,
    path: SearchPath,
    shared: std::sync::Arc<pgveil::session::Shared>,
}

impl Stages {
    fn new() -> Self {
        let more = catalog::extra();
        Self {
            annotated: snapshot::of(&snapshot::annotations(), &more),
            plain: snapshot::of(&[], &more),
            path: SearchPath::default(),
            shared: session::shared(),
        }
    }

    fn measure(&self, text: &dyn Fn(usize) -> String) -> [Growth; 5] {
        let annotated = Context::new(&self.annotated, &self.path);
        let plain = Context::new(&self.plain, &self.path);
        let analyse = |text: &String, context: &Context<'_>| {
            let script = sql::analyse(black_box(text.as_bytes()), context);
            let refused = script.statements.iter().find_map(|s| match &s.verdict {
                // That a column is not there is all that there is to be found.
                Verdict::Refuse(refusal) if refusal.sqlstate == "42703" => None,
                Verdict::Refuse(refusal) => Some(refusal.message.clone()),
                Verdict::Forward(_) => None,
            });
            refused.map_or(Ok(()), Err)
        };
        [
            grow(text, |text| analyse(text, &annotated)),
            grow(text, |text| analyse(text, &plain)),
            grow(text, |text| {
                black_box(sql::is_clean_at_a_glance(text.as_bytes(), &annotated));
                Ok(())
            }),
            grow(text, |text| {
                black_box(sql::blank(text.as_bytes(), &annotated));
                Ok(())
            }),
            grow_apart(
                session::Opened::is_long,
                |n| session::opened(&self.shared, &text(n)),
                |opened| opened.run(),
            ),
        ]
    }
}
