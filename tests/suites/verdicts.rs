//! What the runners of tests print, as a verdict for each test.

use std::collections::BTreeMap;

use serde_json::Value;

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passed,
    Failed,
    Skipped,
}

/// A test's verdict, and what it said if the runner tells.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) words: String,
}

/// Outcomes by the name of the test.
pub(crate) type Outcomes = BTreeMap<String, Outcome>;

/// Whose output it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Runner {
    /// `go test -json`.
    Go,
    /// The plugin `verdicts.py`.
    Pytest,
    /// `cargo test`.
    Cargo,
}

impl Runner {
    pub(crate) fn read(self, output: &str) -> Outcomes {
        match self {
            Self::Go => go(output),
            Self::Pytest => pytest(output),
            Self::Cargo => cargo(output),
        }
    }

    /// What the runner is told to run this test again: Go runs subtests only with their test, and
    /// by a name that has no package.
    pub(crate) fn again(self, test: &str) -> &str {
        match self {
            Self::Go => {
                let name = test.split_once(' ').map_or(test, |(_, name)| name);
                name.split('/').next().unwrap_or(name)
            }
            Self::Pytest | Self::Cargo => test,
        }
    }
}

fn objects(output: &str) -> impl Iterator<Item = Value> {
    output
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
}

fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    object[member].as_str().unwrap_or_default()
}

/// A package that can't be built, or that ends before its tests do, is a test by its own name.
fn go(output: &str) -> Outcomes {
    let mut outcomes = Outcomes::new();
    let mut words: BTreeMap<String, String> = BTreeMap::new();
    for event in objects(output) {
        let name = lasting(&format!(
            "{} {}",
            text(&event, "Package"),
            text(&event, "Test")
        ));
        let verdict = match text(&event, "Action") {
            "output" => {
                words
                    .entry(name)
                    .or_default()
                    .push_str(text(&event, "Output"));
                continue;
            }
            "pass" => Verdict::Passed,
            "fail" => Verdict::Failed,
            "skip" => Verdict::Skipped,
            _ => continue,
        };
        let is_package = text(&event, "Test").is_empty();
        if is_package && (verdict != Verdict::Failed || has_failed(&outcomes, &name)) {
            continue;
        }
        let words = words.remove(&name).unwrap_or_default();
        outcomes.insert(name, Outcome { verdict, words });
    }
    outcomes
}

/// A name without the numbers of temporary folders, which are others in each run.
fn lasting(name: &str) -> String {
    let mut lasting = String::with_capacity(name.len());
    for part in name.split_inclusive(|character: char| !character.is_ascii_digit()) {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let random = if digits > 7 { digits } else { 0 };
        lasting.push_str(&part[random..]);
    }
    lasting
}

/// Whether a test of this package has.
fn has_failed(outcomes: &Outcomes, package: &str) -> bool {
    let mut tests = outcomes
        .iter()
        .filter(|(name, _)| name.starts_with(package));
    tests.any(|(_, outcome)| outcome.verdict == Verdict::Failed)
}

fn pytest(output: &str) -> Outcomes {
    let outcome = |object: Value| {
        let verdict = match text(&object, "verdict") {
            "passed" => Verdict::Passed,
            "skipped" => Verdict::Skipped,
            _ => Verdict::Failed,
        };
        let words = text(&object, "detail").to_owned();
        (text(&object, "test").to_owned(), Outcome { verdict, words })
    };
    objects(output).map(outcome).collect()
}

fn cargo(output: &str) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for line in output.lines() {
        let Some((name, verdict)) = line
            .strip_prefix("test ")
            .and_then(|line| line.split_once(" ... "))
        else {
            continue;
        };
        let verdict = match verdict {
            "ok" => Verdict::Passed,
            "FAILED" => Verdict::Failed,
            _ => Verdict::Skipped,
        };
        let head = format!("---- {name} stdout ----\n");
        let words = output.split_once(&head).map_or("", |(_, rest)| rest);
        let words = words.split("\n---- ").next().unwrap_or_default().to_owned();
        outcomes.insert(name.to_owned(), Outcome { verdict, words });
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(runner: Runner, output: &str) -> Vec<(String, Verdict, String)> {
        let outcomes = runner.read(output).into_iter();
        outcomes
            .map(|(name, outcome)| (name, outcome.verdict, outcome.words))
            .collect()
    }

    #[test]
    fn reads_what_go_says_and_takes_a_package_that_ends_early_for_a_test() {
        let output = r#"
{"Action":"run","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Test":"A","Output":"one\n"}
{"Action":"output","Package":"p","Test":"A","Output":"two\n"}
{"Action":"fail","Package":"p","Test":"A"}
{"Action":"pass","Package":"p","Test":"B/c=/tmp/B1234567890/1"}
{"Action":"fail","Package":"p"}
{"Action":"output","Package":"q","Output":"panic\n"}
{"Action":"fail","Package":"q"}
{"Action":"pass","Package":"r"}
"#;
        let expected = [
            ("p A", Verdict::Failed, "one\ntwo\n"),
            ("p B/c=/tmp/B/1", Verdict::Passed, ""),
            ("q ", Verdict::Failed, "panic\n"),
        ];
        let expected = expected.map(|(name, verdict, words)| (name.into(), verdict, words.into()));
        assert_eq!(shown(Runner::Go, output), expected);
        assert_eq!(Runner::Go.again("p B/c"), "B");
    }

    #[test]
    fn reads_what_cargo_says() {
        let output = "test a::b ... ok\ntest c ... FAILED\ntest d ... ignored\n\n\
             ---- c stdout ----\nwhy\n\n---- e stdout ----\n";
        let expected = [
            ("a::b", Verdict::Passed, ""),
            ("c", Verdict::Failed, "why\n"),
            ("d", Verdict::Skipped, ""),
        ];
        let expected = expected.map(|(name, verdict, words)| (name.into(), verdict, words.into()));
        assert_eq!(shown(Runner::Cargo, output), expected);
    }
}
