//! `[[polymorphic]]` as an operator meets it: what it says, and the words of every fault.
#![expect(clippy::expect_used, reason = "a test that panics has failed")]

use std::path::Path;

use pgveil::config::{Config, Environment, Fault};

const HEAD: &str = "[upstream]\naddress = \"127.0.0.1:5432\"\n[keys]\ncurrent = \"a\"\n\
    [keys.ring.a]\nenv = \"A\"\n\
    [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n\
    [[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\n";

fn parse(text: &str) -> Result<Config, Vec<Fault>> {
    let env = |_: &str| Some("00".repeat(31) + "01");
    let around = Environment {
        folder: Path::new("."),
        env: &env,
    };
    Config::parse(&format!("{HEAD}{text}"), &around)
}

/// The one fault, as `line: cause`; line 1 is the first of the text.
fn fault(text: &str) -> String {
    let faults = parse(text).expect_err("a fault");
    assert_eq!(faults.len(), 1, "{faults:?}");
    format!("{}: {}", faults[0].line - 12, faults[0].cause)
}

#[test]
fn a_column_is_polymorphic_by_one_beside_it() {
    let config = parse(
        "[[polymorphic]]\ncolumn = \"*.marks.of_id\"\nby = \"*.marks.of\"\n\
         ids = { User = \"user\", 7 = \"order\" }\n",
    )
    .expect("sound");
    let one = &config.polymorphic[0];
    assert_eq!(one.column.to_string(), "*.marks.of_id");
    assert_eq!(one.by, "of");
    let mut ids = one.ids.clone();
    ids.sort();
    assert_eq!(ids, [("7".to_owned(), 1), ("User".to_owned(), 0)]);
}

#[test]
fn names_what_is_wrong() {
    let with = |by: &str, ids: &str| {
        fault(&format!(
            "[[polymorphic]]\ncolumn = \"public.marks.of_id\"\n{by}{ids}"
        ))
    };
    let by = "by = \"public.marks.of\"\n";
    let ids = "ids = { User = \"user\" }\n";
    assert_eq!(with("", ids), "1: [[polymorphic]] has no column or no by");
    assert_eq!(
        with("by = \"public.users.of\"\n", ids),
        "3: `public.users.of` is no column beside public.marks.of_id"
    );
    assert_eq!(
        with("by = \"public.marks.*\"\n", ids),
        "3: `public.marks.*` is no column beside public.marks.of_id"
    );
    assert_eq!(with(by, ""), "1: public.marks.of_id has no ids");
    assert_eq!(
        with(by, "ids = \"user\"\n"),
        "1: public.marks.of_id has no ids"
    );
    assert_eq!(
        with(by, "ids = { User = \"usr\" }\n"),
        "4: there is no id domain `usr`"
    );
    let one = format!("[[polymorphic]]\ncolumn = \"public.marks.of_id\"\n{by}{ids}");
    assert_eq!(
        fault(&format!("{one}{one}")),
        "5: public.marks.of_id is polymorphic twice"
    );
    assert_eq!(
        fault(&one.replace("of_id", "id").replace("marks", "users")),
        "1: public.users.id is polymorphic and in id domain `user`"
    );
}
