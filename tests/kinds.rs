//! Every kind of key and of id behaves as its twin: the basic cases, in every mode, for each codec
//! and each form, with the column type that belongs to it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "twin/mod.rs"]
mod twin;

use std::sync::Mutex;

use twin::kind::{KINDS, Kind};
use twin::say;
use twin::stand::{build_kind, local};

/// All kinds, or those whose name contains `TWIN_KIND`.
fn chosen() -> impl Iterator<Item = (usize, &'static Kind)> {
    let only = std::env::var("TWIN_KIND").unwrap_or_default();
    let all = KINDS.iter().enumerate();
    all.filter(move |(_, kind)| kind.name.contains(&only))
}

/// What a test finds out about each kind, several at a time: most of it is waiting for databases.
fn of_each(find: impl Fn(usize, &'static Kind) -> Vec<String> + Sync) -> Vec<String> {
    let kinds = Mutex::new(chosen());
    let work = || {
        let mut found = Vec::new();
        loop {
            let next = kinds.lock().unwrap().next();
            let Some((index, kind)) = next else { break };
            let here = find(index, kind).into_iter();
            found.extend(here.map(|one| format!("{}: {one}", kind.name)));
        }
        found
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        let found = workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap());
        found.collect()
    })
}

#[test]
fn every_kind_behaves_as_its_twin() {
    let differences =
        of_each(
            |index, kind| match build_kind(local(), &format!("kind{index}"), *kind, true) {
                Ok(mut suite) => {
                    let report = suite.run(&kind.cases());
                    say(&format!("{}: {report}", kind.name));
                    report.differences
                }
                Err(reason) => vec![reason],
            },
        );
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn keys_of_each_kind_without_pgveil_are_found_out() {
    let faults = of_each(|index, kind| {
        if kind.name.ends_with("int2") {
            // There is nothing that tells so small a number from any other.
            return Vec::new();
        }
        let mut suite = build_kind(local(), &format!("bare{index}"), *kind, false).unwrap();
        let report = suite.run(&kind.cases());
        let wrong = |one: &&String| one.contains("the case is wrong");
        let mut faults: Vec<_> = report.differences.iter().filter(wrong).cloned().collect();
        let leaks = report.differences.iter();
        let leaks = leaks.filter(|one| one.contains("A KEY GOT OUT")).count();
        if leaks <= 50 {
            faults.push(format!("only {leaks} leaks were seen: {report}"));
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
