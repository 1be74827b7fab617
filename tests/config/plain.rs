//! `[check]`: the columns that are to stay as they are, and the faults of that list.

use std::path::Path;

use pgveil::config::{Config, Environment, Fault};

/// Line 9 is the list.
fn parse(plain: &str) -> Result<Config, Vec<Fault>> {
    let text = format!(
        "upstream = {{ address = \"h:1\" }}\nkeys = {{ current = \"a\", ring = {{ a = {{ env = \"K\" }} }} }}\n\
         [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\nreferences = [\"public.a.b\"]\n\
         json = [{{ column = \"public.a.c\", path = \"$.d\" }}]\n[check]\nplain = {plain}\n"
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|_| Some("5eed".repeat(16)),
    };
    Config::parse(&text, &around)
}

#[test]
fn columns_that_stay_as_they_are_keep_their_lines() {
    let config = parse("[\"public.coupons.id\", '\"a.b\".t.\"c.d\"']").unwrap();
    let plain: Vec<(String, usize)> = config
        .plain
        .iter()
        .map(|(column, line)| (column.words().written(), *line))
        .collect();
    let expected = [("public.coupons.id", 9), ("\"a.b\".t.\"c.d\"", 9)];
    assert_eq!(plain, expected.map(|(name, line)| (name.to_owned(), line)));
    assert!(
        config
            .plain
            .iter()
            .all(|(column, _)| column.words().is_writable())
    );
}

#[test]
fn each_fault_of_the_list_names_its_line() {
    for (plain, cause) in [
        ("[\"coupons.id\"]", "`coupons.id` is no column"),
        (
            "[\"public.c.id\", \"public.c.id\"]",
            "public.c.id is in `check.plain` twice",
        ),
        (
            "[\"public.users.id\"]",
            "public.users.id is in `check.plain` and in id domain `user`",
        ),
        (
            "[\"public.a.b\"]",
            "public.a.b is in `check.plain` and in id domain `user`",
        ),
        (
            "[\"public.a.c\"]",
            "public.a.c is in `check.plain` and in id domain `user`",
        ),
        ("\"public.c.id\"", "`check.plain` is a string"),
        (
            "[\"public.*.id\"]",
            "public.*.id is in `check.plain` and in id domain `user`",
        ),
    ] {
        let faults = parse(plain).unwrap_err();
        let found: Vec<_> = faults
            .iter()
            .map(|fault| (fault.line, &*fault.cause))
            .collect();
        assert_eq!(found, [(9, cause)]);
    }
}
