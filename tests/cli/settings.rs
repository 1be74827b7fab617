//! `pgveil config`: the page of the documentation and the schema are those of the settings, and the
//! defaults that are told are those that hold.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn pgveil(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pgveil"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_page_of_the_settings_is_what_the_command_prints() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/config.md");
    let printed = pgveil(&["config", "reference"]);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&page, printed).unwrap();
        return;
    }
    let known = fs::read_to_string(&page).unwrap();
    assert_eq!(known, printed, "BLESS=1 cargo test --test cli writes it");
}

#[test]
fn the_example_and_what_is_printed_of_it_fit_the_schema_and_a_typing_error_does_not() {
    let schema: Value = serde_json::from_str(&pgveil(&["config", "schema"])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let read = |text: &str| {
        let table: toml::Table = text.parse().expect("TOML");
        serde_json::to_value(table).unwrap()
    };
    let file = "config/example.toml";
    let example = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let fits = |text: &str| {
        validator
            .iter_errors(&read(text))
            .map(|error| error.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(fits(&example), [""; 0]);
    for flags in [&[][..], &["--effective"], &["--effective", "--origin"]] {
        let arguments = [&["config", "print", "-c", file], flags].concat();
        let printed = pgveil(&arguments);
        assert_eq!(fits(&printed), [""; 0], "{printed}");
    }
    for wrong in [
        "[server]\nlisten = \"127.0.0.1:6432\"",
        "[limits]\nmax_statement = 5",
        "[limits]\nmax_statements = \"five\"",
        "[[id]]\nname = 5",
        "[keys.ring.a]\nvalue = \"x\"",
        "[serve]",
    ] {
        assert_ne!(fits(wrong), [""; 0], "{wrong}");
    }
    let with_variables =
        "[limits]\nmax_statements = \"${MOST:-5}\"\n[auth]\nrequire_scram = \"${SCRAM}\"";
    assert_eq!(fits(with_variables), [""; 0]);
}

#[test]
fn a_file_that_says_what_holds_anyway_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pgveil.toml");
    let before = "[upstream]\naddress = \"127.0.0.1:5432\"\n";
    fs::write(&file, before).unwrap();
    let arguments = [
        "config",
        "print",
        "--effective",
        "-c",
        file.to_str().unwrap(),
    ];
    let effective = pgveil(&arguments);
    assert_eq!(effective.matches("address = ").count(), 1, "{effective}");
    // Tables that would switch something on, or need more, are left to the file.
    let parse = |text: &str| {
        let around = pgveil::config::Environment {
            folder: folder.path(),
            env: &|_| None,
        };
        pgveil::config::Config::parse(text, &around)
    };
    let (one, other) = (parse(before).unwrap(), parse(&effective).expect(&effective));
    assert_eq!(one.limits, other.limits);
    assert_eq!(one.policy, other.policy);
    assert_eq!(one.log, other.log);
    assert_eq!(one.listen, other.listen);
    assert_eq!(one.max_connections, other.max_connections);
    assert_eq!(one.socket_mode, other.socket_mode);
    assert_eq!(one.upstream_pooled, other.upstream_pooled);
}

/// The help of each command, as a page.
fn page_of_the_help() -> String {
    let mut page = "# The command line\n\nWhat `--help` prints, made by `BLESS=1 cargo test --test cli`. Exit status: 0, 1 for a finding, 2 where a command can't do what it was asked to. [The README](../README.md#a-five-minute-tour) has the commands in use.\n".to_owned();
    let mut open = vec![Vec::<String>::new()];
    while let Some(path) = open.pop() {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let help = pgveil(&[&words[..], &["--help"]].concat());
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let listed = listed.take_while(|line| line.starts_with("  "));
        let below = listed.filter(|line| line.as_bytes()[2] != b' ');
        let below = below.filter_map(|line| line.split_whitespace().next());
        let below: Vec<Vec<String>> = below
            .filter(|name| *name != "help")
            .map(|name| [&path[..], &[name.to_owned()]].concat())
            .collect();
        open.extend(below.into_iter().rev());
        let name = [&["pgveil"], &words[..]].concat().join(" ");
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        page += &format!("\n## `{name}`\n```text\n{}\n```\n", lines.join("\n"));
    }
    page
}

#[test]
fn the_page_of_the_command_line_is_what_the_help_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let printed = page_of_the_help();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&page, printed).unwrap();
        return;
    }
    let known = fs::read_to_string(&page).unwrap();
    assert_eq!(known, printed, "BLESS=1 cargo test --test cli writes it");
}
