//! The test suites of drivers, as their authors run them: directly, through pgveil with nothing
//! annotated, and through pgveil that analyses every statement and looks at the catalog each time.
//! Every test must give the same on each way.
//!
//! They come from package registries by the scripts beside this file, into `PGVEIL_SUITES_FOLDER`
//! or the target folder, and take minutes: `PGVEIL_SUITES=all` runs them, `PGVEIL_SUITES='pq pgx'`
//! these. `PGVEIL_SUITES_BINARY` names another pgveil than the one just built, for instance an
//! optimised one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "suites/stage.rs"]
mod stage;
#[path = "suites/suite.rs"]
mod suite;
#[path = "suites/verdicts.rs"]
mod verdicts;

use std::collections::BTreeSet;
use std::io::Write as _;

use stage::{Stage, Way};
use suite::{SUITES, Suite};
use verdicts::{Outcomes, Verdict};

/// How often a test that gives something else is run again on both ways before that counts: some
/// fail now and then on a busy machine.
const ATTEMPTS: usize = 3;

/// How many lines of what a test says are shown.
const WORDS: usize = 16;

/// Says something also where the test runner keeps the output of good tests to itself.
fn say(text: &str) {
    let mut stderr = std::io::stderr();
    writeln!(stderr, "{text}").unwrap();
}

/// Runs a suite on every way and gives what differs, in words.
fn differences(suite: &Suite) -> Vec<String> {
    let direct = Stage::new(suite, Way::Direct);
    let expected = suite.run(&direct, &[], "direct");
    drop(direct);
    let passed = count(&expected, Verdict::Passed);
    say(&format!(
        "{}, direct: {passed} passed, {} failed, {} skipped",
        suite.name,
        count(&expected, Verdict::Failed),
        count(&expected, Verdict::Skipped)
    ));
    assert!(passed > 0, "{}: nothing passes directly", suite.name);
    let mut all = Vec::new();
    for way in [Way::Plain, Way::Annotated] {
        let stage = Stage::new(suite, way);
        let expected = without(&expected, suite, way);
        let seen = suite.run(&stage, &[], way.name());
        let left_out = suite.left_out(way);
        let is_left_out = |test: &String| {
            let test = suite.runner.again(test);
            left_out.iter().any(|(name, _)| *name == test)
        };
        // Not every runner leaves them out.
        let seen = seen.into_iter().filter(|(test, _)| !is_left_out(test));
        let seen: Outcomes = seen.collect();
        let log = stage.log();
        // Tests that are run again get a server of their own.
        drop(stage);
        let differing = settled(suite, way, &expected, &seen);
        say(&format!(
            "{}, {}: {} of {} alike",
            suite.name,
            way.name(),
            expected.len() - differing.len().min(expected.len()),
            expected.len()
        ));
        differing.iter().for_each(|words| say(words));
        all.extend(differing);
        for line in log.lines().filter(|line| line.contains("panic")) {
            all.push(format!("{}, {}: {line}", suite.name, way.name()));
        }
    }
    all
}

fn count(outcomes: &Outcomes, verdict: Verdict) -> usize {
    let all = outcomes.values();
    all.filter(|outcome| outcome.verdict == verdict).count()
}

/// What must be seen on a way.
fn without(expected: &Outcomes, suite: &Suite, way: Way) -> Outcomes {
    let left_out = suite.left_out(way);
    for (test, reason) in &left_out {
        say(&format!(
            "{}, {}, left out: {test}: {reason}",
            suite.name,
            way.name()
        ));
    }
    let is_left_out = |test: &str| {
        let test = suite.runner.again(test);
        left_out.iter().any(|(name, _)| *name == test)
    };
    let left = expected.iter().filter(|(test, _)| !is_left_out(test));
    left.map(|(test, outcome)| (test.clone(), outcome.clone()))
        .collect()
}

/// Tests whose verdicts differ.
fn differing(expected: &Outcomes, seen: &Outcomes) -> BTreeSet<String> {
    let names = expected.keys().chain(seen.keys());
    let verdict =
        |outcomes: &Outcomes, name: &str| outcomes.get(name).map(|outcome| outcome.verdict);
    names
        .filter(|name| verdict(expected, name) != verdict(seen, name))
        .cloned()
        .collect()
}

/// The differences that stay when their tests are run again.
fn settled(suite: &Suite, way: Way, expected: &Outcomes, seen: &Outcomes) -> Vec<String> {
    let mut left = differing(expected, seen);
    let (mut last_expected, mut last_seen) = (expected.clone(), seen.clone());
    for attempt in 1..=ATTEMPTS {
        if left.is_empty() {
            return Vec::new();
        }
        let names: Vec<_> = left.iter().map(String::as_str).collect();
        let names = names.join(" ");
        say(&format!(
            "{}, {}, run again: {names}",
            suite.name,
            way.name()
        ));
        let again: BTreeSet<_> = left.iter().map(|test| suite.runner.again(test)).collect();
        let again: Vec<_> = again.into_iter().map(str::to_owned).collect();
        let run = |way: Way, name: &str| {
            let stage = Stage::new(suite, way);
            suite.run(&stage, &again, &format!("{name}.{attempt}"))
        };
        // What ends before its tests do is none of them.
        last_expected.retain(|test, _| !left.contains(test));
        last_seen.retain(|test, _| !left.contains(test));
        last_expected.extend(run(Way::Direct, &format!("{}.direct", way.name())));
        last_seen.extend(run(way, way.name()));
        let still = differing(&last_expected, &last_seen);
        left.retain(|test| still.contains(test));
    }
    let words = |outcomes: &Outcomes, test: &str| {
        outcomes.get(test).map_or("not run".to_owned(), |outcome| {
            let lines: Vec<_> = outcome.words.trim_end().lines().collect();
            let last = &lines[lines.len().saturating_sub(WORDS)..];
            format!("{:?}\n        {}", outcome.verdict, last.join("\n        "))
        })
    };
    left.iter()
        .map(|test| {
            format!(
                "{}, {}: {test}\n    directly {}\n    through pgveil {}",
                suite.name,
                way.name(),
                words(&last_expected, test),
                words(&last_seen, test)
            )
        })
        .collect()
}

#[test]
fn the_suites_of_drivers_give_what_they_give_directly() {
    let chosen = std::env::var("PGVEIL_SUITES").unwrap_or_default();
    let is_chosen =
        |suite: &&Suite| chosen == "all" || chosen.split([' ', ',']).any(|name| name == suite.name);
    let suites: Vec<_> = SUITES.iter().filter(is_chosen).collect();
    if suites.is_empty() {
        let names: Vec<_> = SUITES.iter().map(|suite| suite.name).collect();
        say(&format!(
            "SKIPPED: PGVEIL_SUITES=all runs the suites of drivers, or some of {names:?}"
        ));
        assert!(chosen.is_empty(), "{chosen:?} is none of {names:?}");
        return;
    }
    let mut wrong = Vec::new();
    for suite in suites {
        match suite.fetch() {
            Ok(()) => wrong.extend(differences(suite)),
            Err(log) => wrong.push(format!("{} can't be had:\n{log}", suite.name)),
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n\n{} differences",
        wrong.join("\n\n"),
        wrong.len()
    );
}

#[test]
fn a_test_that_gives_something_else_or_is_missing_differs() {
    let outcomes = |text: &str| verdicts::Runner::Cargo.read(text);
    let expected = outcomes("test a ... ok\ntest b ... FAILED\ntest c ... ok\n");
    let seen = outcomes("test a ... ok\ntest b ... ok\ntest d ... ok\n");
    let differing: Vec<_> = differing(&expected, &seen).into_iter().collect();
    assert_eq!(differing, ["b", "c", "d"]);
}
