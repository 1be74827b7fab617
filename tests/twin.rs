//! pgveil behaves as its twin: every case of `twin/cases`, in every mode, on a database whose ids
//! are uuids and through pgveil on one whose keys are integers, with the same answers but for a
//! renaming of ids, and with no key in any byte that pgveil sends.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "twin/differences.rs"]
mod differences;
#[path = "twin/mod.rs"]
mod twin;

use twin::chosen;
use twin::client::Client;
use twin::message::Message;
use twin::mode::Mode;
use twin::say;
use twin::stand::{Other, build, local, run};
use twin::suite::Outcome;
use twin::world::ROLE;

#[test]
fn pgveil_behaves_as_its_twin() {
    let found = run(local(), "veil", Other::Veiled, &chosen()).unwrap();
    say(&format!("pgveil and its twin: {found}"));
    assert!(
        found.differences.is_empty(),
        "{}",
        found.differences.join("\n\n")
    );
    let all = std::env::var_os("TWIN_CASE").is_none();
    let few = found.by_case.refused * 20 < found.by_case.working;
    assert!(
        few || !all,
        "5 % of the cases that work on the twin are refused"
    );
}

#[test]
fn a_twin_equals_another_twin_so_every_case_is_sound() {
    let found = run(local(), "pair", Other::Twin, &chosen()).unwrap();
    say(&format!("two twins: {found}"));
    assert!(
        found.differences.is_empty(),
        "{}",
        found.differences.join("\n\n")
    );
}

/// What audit mode lets pass may show keys, but no statement that leaves its session alive without
/// pgveil ends it. Every case is run in one of its modes, in turn.
#[test]
fn no_case_ends_its_session_in_audit_mode() {
    let mut audited = build(local(), "passed", Other::Audited).unwrap();
    let mut bare = build(local(), "plain", Other::Keys).unwrap();
    let (mut ended, mut run, mut working) = (Vec::new(), 0, 0);
    for (turn, case) in chosen().iter().enumerate() {
        let mode = case.modes[turn % case.modes.len()];
        // Messages of a case's own may end a session.
        if mode == Mode::Raw {
            continue;
        }
        let steps = case.steps.iter();
        let steps: Vec<_> = steps.filter(|step| !step.waits()).collect();
        let passed = audited.endure(case, mode, &steps).unwrap();
        let without = bare.endure(case, mode, &steps).unwrap();
        for (step, (passed, without)) in steps.iter().zip(passed.into_iter().zip(without)) {
            run += 1;
            working += usize::from(matches!(without, Ok(Outcome::Answered)));
            if let (Err(reason), Ok(_)) = (passed, without) {
                let (name, mode) = (&case.name, mode.name());
                ended.push(format!("{name} [{mode}] {}\n    {reason}", step.text));
            }
        }
    }
    say(&format!(
        "audit mode: {working} of {run} statements work without it"
    ));
    let all = std::env::var_os("TWIN_CASE").is_none();
    assert!(3 * working > 2 * run || !all, "too few do what they say");
    assert!(ended.is_empty(), "{}: {}", ended.len(), ended.join("\n\n"));
}

/// What audit mode need not pass on it answers as enforce mode does: message by message, and every
/// notification. Every case is run in one of its modes, in turn.
#[test]
fn no_case_misses_a_message_in_audit_mode() {
    let mut cases = chosen();
    for (turn, case) in cases.iter_mut().enumerate() {
        case.in_turn(turn);
    }
    let found = run(local(), "heard", Other::Audited, &cases).unwrap();
    say(&format!("audit mode and the twin: {found}"));
    assert!(
        found.differences.is_empty(),
        "{}",
        found.differences.join("\n\n")
    );
}

/// A payload with a number in it is delivered in audit mode, on a channel of which nobody has said what
/// it is, and not in enforce mode.
#[test]
fn notifications_with_numbers_arrive_in_audit_mode() {
    for (name, other, arrives) in [
        ("queue", Other::Audited, true),
        ("unqueued", Other::Veiled, false),
    ] {
        let suite = build(local(), name, other).unwrap();
        let database = format!("{name}_beside");
        let connect = |at| Client::connect(at, ROLE, &database).unwrap();
        let mut client = connect(&suite.proxy.as_ref().unwrap().address);
        client.run("listen queue").unwrap();
        let mut inside = connect(&local().address);
        inside.run("notify queue, 'job 8613972450000001'").unwrap();
        let mut answers = client.run("select 1").unwrap();
        answers.extend(client.run("select 1").unwrap());
        let arrived = |one: &Message| match one {
            Message::Notification(name, payload) => name == "queue" && payload.contains("job 86"),
            _ => false,
        };
        assert_eq!(answers.iter().any(arrived), arrives, "{answers:?}");
    }
}

#[test]
fn integer_keys_without_pgveil_are_found_out() {
    let mut cases = twin::cases();
    cases.retain(|case| case.modes.len() > 1);
    cases.truncate(40);
    let found = run(local(), "bare", Other::Keys, &cases).unwrap();
    let leaks = found
        .differences
        .iter()
        .filter(|one| one.contains("A KEY GOT OUT"))
        .count();
    say(&format!("without pgveil: {found}"));
    assert!(leaks > 50, "only {leaks} leaks of the bare keys were seen");
    assert!(found.differences.len() > 3 * cases.len(), "{found}");
}

/// What `pgveil explain` has said.
#[derive(Debug, Default)]
struct Explained {
    refused: usize,
    columns: usize,
    /// The columns and statements of which it does not say why.
    without_reason: Vec<String>,
}

impl Explained {
    fn count(&mut self, page: &serde_json::Value) {
        let is_text =
            |value: &serde_json::Value| value.as_str().is_some_and(|text| !text.is_empty());
        let statement = &page["statement"];
        if page["verdict"] == "refuse" {
            self.refused += 1;
            // What Postgres says of uuid it says with its own hints, if any.
            let own = page["sqlstate"] == "0A000";
            let code = page["code"].as_str().unwrap_or_default();
            let is_explained =
                include_str!("../docs/refusals.md").contains(&format!("\n## {code}\n"));
            let is_whole = is_text(&page["message"]) && (!own || is_text(&page["hint"]));
            if !is_whole || !is_explained {
                self.without_reason.push(page.to_string());
            }
            return;
        }
        assert!(is_text(&page["forwarded"]), "{page}");
        for column in page["columns"].as_array().into_iter().flatten() {
            self.columns += 1;
            if !is_text(&column["why"]) && column["explained"].is_null() {
                self.without_reason
                    .push(format!("{} of {statement}", column["name"]));
            }
        }
        for id in page["parameters"].as_array().into_iter().flatten() {
            if id["ids"] != serde_json::json!([]) && id["why"] == serde_json::json!([]) {
                self.without_reason
                    .push(format!("a parameter of {statement}"));
            }
        }
    }
}

/// `pgveil explain` has an answer for every statement of the suite: parameters, result columns and
/// edits with the reasons, or the refusal.
#[test]
fn every_statement_of_the_suite_can_be_explained() {
    use clap::Parser as _;

    let server = local();
    let suite = build(server, "told", Other::Keys).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (file, key) = (folder.path().join("pgveil.toml"), folder.path().join("key"));
    std::fs::write(&key, "5eed".repeat(16)).unwrap();
    let config = include_str!("twin/pgveil.toml")
        .replace("env = \"TWIN_KEY\"", &format!("file = {key:?}"))
        .replace("{listen}", "127.0.0.1:0")
        .replace("{upstream}", "127.0.0.1:1");
    std::fs::write(&file, config).unwrap();
    let at = &server.address;
    let url = format!(
        "postgres://{}@{}:{}/told_beside",
        server.superuser, at.host, at.port
    );
    let file = file.to_str().unwrap();
    let cases = twin::cases();
    let steps = cases.iter().flat_map(|case| &case.steps);
    let steps = steps.filter(|step| step.kind == twin::case::Kind::Statement);
    let texts: Vec<&str> = steps.map(|step| step.text.as_str()).collect();
    let mut line = vec![
        "pgveil",
        "explain",
        "--json",
        "-c",
        file,
        "--database-url",
        &url,
    ];
    line.extend(&texts);
    let arguments = pgveil::cli::Arguments::try_parse_from(line).unwrap();
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    pgveil::cli::run(arguments, &mut out, &mut notes).unwrap();
    let pages: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();
    let mut explained = Explained::default();
    for page in &pages {
        explained.count(page);
    }
    say(&format!("{} texts: {explained:?}", texts.len()));
    assert!(pages.len() >= texts.len() && texts.len() >= 300);
    assert_eq!(explained.without_reason, Vec::<String>::new());
    assert!(explained.columns > 1000 && explained.refused > 100);
    drop(suite);
}
