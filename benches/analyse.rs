//! What the analysis of a statement costs: once for each text and process, in microseconds.
//!
//! `cargo bench --bench analyse -- --table`: the same for the statements of the corpus, beside
//! what the plan cache costs that saves it: time, and memory.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and has nobody to report a fault to"
)]

#[path = "analyse/snapshot.rs"]
mod snapshot;
#[path = "analyse/table.rs"]
mod table;

use std::hint::black_box;

use criterion::Criterion;
use pgveil::catalog::SearchPath;
use pgveil::sql::{self, Context};

fn analyse(criterion: &mut Criterion) {
    let snapshot = snapshot::of(&snapshot::annotations(), &[]);
    let path = SearchPath::default();
    let context = Context {
        fresh: false,
        ..Context::new(&snapshot, &path)
    };
    let mut group = criterion.benchmark_group("analyse");
    for (name, text) in [
        ("primary key", "SELECT * FROM users WHERE id = $1"),
        (
            "join",
            "SELECT u.id, u.name, o.id AS order_id, o.status FROM users u \
             JOIN orders o ON o.user_id = u.id WHERE u.id IN ($1, $2, $3) ORDER BY o.placed_at LIMIT 10",
        ),
        (
            "upsert",
            "INSERT INTO orders (user_id, status, total_cents) VALUES ($1, $2, $3) \
             ON CONFLICT (id) DO UPDATE SET status = excluded.status RETURNING id, user_id",
        ),
        (
            "nothing protected",
            "SELECT name, slug FROM tags WHERE name = $1",
        ),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| sql::analyse(black_box(text.as_bytes()), &context));
        });
    }
    group.finish();
}

fn main() {
    if std::env::args().any(|argument| argument == "--table") {
        table::print();
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    analyse(&mut criterion);
    criterion.final_summary();
}
