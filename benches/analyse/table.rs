//! The table of what the analysis costs for statements that clients really send.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use pgveil::catalog::SearchPath;
use pgveil::session::plans::{Circumstances, Hashed, Lookup, Plans};
use pgveil::session::{Analyzer, Catalog, Limits, Shared};
use pgveil::sql::{self, Context};

use super::snapshot;

/// So often each statement is measured; the median counts.
const RUNS: usize = 15;

/// So many texts of each statement are kept to see how much memory they take.
const KEPT: usize = 40;

/// More than all of them need.
const CACHE_BYTES: u64 = 1 << 30;

struct Desk {
    catalog: Arc<Catalog>,
    path: SearchPath,
    circumstances: Hashed,
}

impl Desk {
    fn new() -> Self {
        let shared = Shared::new([], Limits::default(), Analyzer::default(), |_| ());
        let catalog = shared.number(snapshot::of(&snapshot::annotations(), &[]));
        let path = SearchPath::default();
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
            catalog,
            path,
            circumstances,
        }
    }

    fn look_up(&self, plans: &Plans, text: &str) {
        let lookup = Lookup {
            circumstances: &self.circumstances,
            text: text.as_bytes(),
            declared: &[],
            fresh: true,
        };
        black_box(plans.get(&self.catalog, black_box(lookup)));
    }

    fn analyse(&self, text: &str) {
        let context = Context::new(&self.catalog.snapshot, &self.path);
        black_box(sql::analyse(black_box(text.as_bytes()), &context));
    }
}

/// Measures and prints.
pub(super) fn print() {
    let desk = Desk::new();
    let statements = statements();
    let plans = || Plans::new(Analyzer::default(), CACHE_BYTES);
    let bytes: usize = statements.iter().map(String::len).sum();
    println!(
        "{} statements of drivers and ORMs, {} bytes long on average; microseconds",
        statements.len(),
        bytes / statements.len()
    );
    println!(
        "{:<28}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "", "count", "mean", "median", "p99", "max"
    );
    let cold = statements.iter().map(|text| {
        median(|_| {
            let start = Instant::now();
            desk.analyse(text);
            start.elapsed().as_secs_f64()
        })
    });
    row("analysis", cold.collect());
    let literals = statements.iter().filter_map(|text| {
        // The analysis of the first text, and what its plan depends on.
        let plans = plans();
        for number in 0..4 {
            desk.look_up(&plans, &varied(text, number)?);
        }
        Some(median(|run| {
            let text = varied(text, 10 + run).unwrap_or_default();
            let start = Instant::now();
            desk.look_up(&plans, &text);
            start.elapsed().as_secs_f64()
        }))
    });
    row("the same with other literals", literals.collect());
    let afresh = statements.iter().filter_map(|text| {
        let text = varied(text, 0)?;
        Some(median(|_| {
            let start = Instant::now();
            desk.analyse(&text);
            start.elapsed().as_secs_f64()
        }))
    });
    row("  analysis of those", afresh.collect());
    let known = plans();
    for text in &statements {
        desk.look_up(&known, text);
    }
    let same = statements.iter().map(|text| {
        const TIMES: u32 = 64;
        median(|_| {
            let start = Instant::now();
            for _ in 0..TIMES {
                desk.look_up(&known, text);
            }
            start.elapsed().as_secs_f64() / f64::from(TIMES)
        })
    });
    row("the same text", same.collect());
    memory(&desk, &statements, &plans());
}

/// Fills a cache and looks at what the process takes.
fn memory(desk: &Desk, statements: &[String], plans: &Plans) {
    // The allocator's own tables, and the statement that needs the most while it is analysed.
    for text in statements {
        desk.analyse(text);
    }
    let (before, mut sent) = (resident(), 0);
    for number in 0..KEPT {
        for text in statements {
            let text = format!("{text} -- {number}");
            sent += text.len();
            desk.look_up(plans, &text);
        }
    }
    let count = KEPT * statements.len();
    let taken = resident().saturating_sub(before);
    println!(
        "plan cache: {} bytes a statement, for texts of {}; it counts {}",
        taken / count,
        sent / count,
        plans.bytes() / count as u64,
    );
}

/// The resident memory of this process, in bytes.
fn resident() -> usize {
    const PAGE: usize = 4096;
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = told
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * PAGE
}

fn row(name: &str, mut seconds: Vec<f64>) {
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * (seconds.len() - 1) as f64).round() as usize;
        1e6 * seconds[index]
    };
    let mean = 1e6 * seconds.iter().sum::<f64>() / seconds.len() as f64;
    println!(
        "{name:<28}{:>9}{mean:>9.2}{:>9.2}{:>9.2}{:>9.2}",
        seconds.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn median(mut run: impl FnMut(usize) -> f64) -> f64 {
    let mut times: Vec<f64> = (0..RUNS).map(&mut run).collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

/// The statements, each once.
fn statements() -> Vec<String> {
    let lines = include_str!("../../tests/sql/corpus.jsonl").lines();
    let mut statements: Vec<String> = lines
        .map(|line| serde_json::from_str(line).expect("a text"))
        .collect();
    statements.sort();
    statements.dedup();
    statements
}

/// The statement with a number at the end of its first string; `None` if it has none.
fn varied(text: &str, number: usize) -> Option<String> {
    let start = text.find('\'')? + 1;
    let end = start + text[start..].find('\'')?;
    Some(format!("{}{number}{}", &text[..end], &text[end..]))
}
