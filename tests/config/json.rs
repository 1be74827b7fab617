//! `[[id.json]]`: where keys stand inside documents, and the faults of such entries.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::path::Path;

use pgveil::config::{Config, Environment, Fault, PathStep};

/// Line 5 is the first of `more`, which stands in the table of `user`.
fn parse(more: &str) -> Result<Config, Vec<Fault>> {
    let text = format!(
        "upstream = {{ address = \"h:1\" }}\nkeys = {{ current = \"a\", ring = {{ a = {{ env = \"K\" }} }} }}\n\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n{more}"
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|_| Some("5eed".repeat(16)),
    };
    Config::parse(&text, &around)
}

fn faults(more: &str) -> Vec<String> {
    let faults = parse(more).unwrap_err();
    let shown = faults
        .iter()
        .map(|fault| format!("{}: {} ({})", fault.line, fault.cause, fault.advice));
    shown.collect()
}

#[test]
fn places_of_keys_are_read_with_how_they_are_written() {
    let config = parse(
        "[[id.json]]\ncolumn = \"public.events.payload\"\npath = \"$.user.id\"\n\
         [[id.json]]\ncolumn = \"public.events.payload\"\npath = \"$.to[*].\\\"the id\\\"\"\nas = \"string\"\n",
    );
    let config = config.unwrap();
    let json = &config.annotations()[0].json;
    let member = |name: &str| PathStep::Member(name.to_owned());
    assert_eq!(json[0].path, [member("user"), member("id")]);
    assert_eq!((json[0].numbers, json[1].numbers), (None, Some(false)));
    assert_eq!(
        json[1].path,
        [member("to"), PathStep::Elements, member("the id")]
    );
    assert_eq!(json[0].column.to_string(), "public.events.payload");
}

#[test]
fn each_fault_names_its_line_and_a_remedy() {
    let entry = |settings: &str| format!("[[id.json]]\n{settings}");
    for (settings, line, part) in [
        ("column = \"public.e.p\"", 6, "no path"),
        ("path = \"$.a\"", 6, "no column"),
        ("column = \"e.p\"\npath = \"$.a\"", 7, "is no column"),
        (
            "column = \"public.e.p\"\npath = \"user.id\"",
            8,
            "is no path",
        ),
        (
            "column = \"public.e.p\"\npath = \"$.a[0]\"",
            8,
            "is no path",
        ),
        (
            "column = \"public.e.p\"\npath = \"$.a\"\nas = \"text\"",
            9,
            "\"number\" or \"string\"",
        ),
        (
            "column = \"public.e.p\"\npath = \"$.a\"\npaht = \"$\"",
            9,
            "path",
        ),
    ] {
        let found = faults(&entry(settings));
        let start = format!("{line}: ");
        assert!(
            found
                .iter()
                .any(|fault| fault.starts_with(&start) && fault.contains(part)),
            "{settings}: {found:?}"
        );
    }
}

#[test]
fn no_value_has_two_meanings() {
    let entry = |path: &str| format!("[[id.json]]\ncolumn = \"public.e.p\"\npath = \"{path}\"\n");
    let other = "[[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\n";
    for (first, second) in [
        ("$.a", "$.a"),
        ("$.a", "$.a.b"),
        ("$.a[*]", "$.a"),
        ("$", "$.x"),
    ] {
        for between in ["", other] {
            let found = faults(&[&entry(first), between, &entry(second)].concat());
            assert!(
                found.iter().any(|fault| fault.contains("overlaps")),
                "{found:?}"
            );
        }
    }
    assert!(parse(&[&entry("$.a"), other, &entry("$.b")].concat()).is_ok());
}
