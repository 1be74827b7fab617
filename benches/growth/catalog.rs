//! What grows with the database: tables, columns, domains, views.

use std::hint::black_box;

use pgveil::catalog::SearchPath;
use pgveil::sql::{self, Context};

use super::measure::{Growth, grow};
use super::snapshot;

/// The first oid of what is not in the database of the tests.
const FIRST: usize = 100_000;

/// A table with many columns, and views over tables with ids.
pub(crate) fn extra() -> Vec<String> {
    let mut lines = vec![format!("relation\t{FIRST}\tpublic\twide\tr\t\\N")];
    lines.extend((0..1500).map(|n| format!("column\t{FIRST}\t{}\tc{n}\t25", n + 1)));
    for (index, (name, of)) in [("v1", "users"), ("v2", "v1"), ("v3", "v2"), ("v4", "v3")]
        .into_iter()
        .enumerate()
    {
        let oid = FIRST + 1 + index;
        lines.push(format!(
            "relation\t{oid}\tpublic\t{name}\tv\t SELECT {of}.id,\\012    {of}.email\\012   FROM {of}"
        ));
        lines.push(format!("column\t{oid}\t1\tid\t20"));
        lines.push(format!("column\t{oid}\t2\temail\t25"));
        let on = if index == 0 { 16386 } else { oid - 1 };
        lines.push(format!("depends\t{oid}\t{on}"));
    }
    lines
}

fn tables(n: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for oid in FIRST + 1000..FIRST + 1000 + n {
        lines.push(format!("relation\t{oid}\tpublic\tt{oid}\tr\t\\N"));
        for (place, (name, of)) in [("id", 20), ("user_id", 20), ("label", 25)]
            .iter()
            .enumerate()
        {
            lines.push(format!("column\t{oid}\t{}\t{name}\t{of}", place + 1));
        }
        lines.push(format!("foreign key\t{oid}\tt{oid}_fkey\t2\t16386\t1"));
    }
    lines
}

fn chained_tables(n: usize) -> Vec<String> {
    let mut lines = tables(n);
    lines.extend((1..n).map(|index| {
        let oid = FIRST + 1000 + index;
        format!("foreign key\t{oid}\tt{oid}_next\t1\t{}\t1", oid - 1)
    }));
    lines
}

fn columns(n: usize) -> Vec<String> {
    let oid = FIRST + 1000;
    let mut lines = vec![format!("relation\t{oid}\tpublic\tt{oid}\tr\t\\N")];
    lines.extend(
        (0..n).map(|column| format!("column\t{oid}\t{}\tc{column}\t20", column % 1600 + 1)),
    );
    lines
}

fn views(n: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for index in 0..n {
        let oid = FIRST + 1000 + index;
        let of = match index % 8 {
            0 => "users".to_owned(),
            _ => format!("t{}", oid - 1),
        };
        lines.push(format!(
            "relation\t{oid}\tpublic\tt{oid}\tv\t SELECT {of}.id\\012   FROM {of}"
        ));
        lines.push(format!("column\t{oid}\t1\tid\t20"));
        let on = if index % 8 == 0 { 16386 } else { oid - 1 };
        lines.push(format!("depends\t{oid}\t{on}"));
    }
    lines
}

/// A kind of database by its name, and the lines of one of a size.
type Kind = (&'static str, fn(usize) -> Vec<String>);

/// Measures the databases whose names are wanted.
pub(crate) fn all(wanted: impl Fn(&str) -> bool) -> Vec<(&'static str, Growth)> {
    let kinds: [Kind; 4] = [
        ("catalog: tables with keys", tables),
        ("catalog: tables in a chain", chained_tables),
        ("catalog: columns", columns),
        ("catalog: views over views", views),
    ];
    let annotations = snapshot::annotations();
    let mut found = Vec::new();
    for (name, lines) in kinds {
        if wanted(name) {
            let growth = grow(lines, |lines| {
                black_box(snapshot::of(&annotations, lines));
                Ok(())
            });
            found.push((name, growth));
        }
    }
    let name = "catalog: domains";
    if wanted(name) {
        let growth = grow(
            |n| {
                let more = tables(n);
                let own = (0..n).map(|index| {
                    let table = format!("t{}", FIRST + 1000 + index);
                    snapshot::annotation(&table, &table)
                });
                let all: Vec<_> = annotations.iter().cloned().chain(own).collect();
                (all, more)
            },
            |(annotations, more)| {
                black_box(snapshot::of(annotations, more));
                Ok(())
            },
        );
        found.push((name, growth));
    }
    let name = "a statement beside many tables";
    if wanted(name) {
        let growth = grow(
            |n| snapshot::of(&annotations, &tables(n)),
            |snapshot| {
                let path = SearchPath::default();
                let text = b"SELECT id, email FROM users WHERE id = $1";
                black_box(sql::analyse(text, &Context::new(snapshot, &path)));
                Ok(())
            },
        );
        found.push((name, growth));
    }
    found
}
