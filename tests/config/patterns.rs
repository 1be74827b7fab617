//! Patterns of columns: what a star stands for, and that no column can have two meanings by them.

use std::path::Path;

use pgveil::config::{ColumnName, Config, Environment, Fault};

/// Line 5 is the column of `user`, and 9 that of `order`.
fn parse(user: &str, order: &str) -> Result<Config, Vec<Fault>> {
    let text = format!(
        "upstream = {{ address = \"h:1\" }}\nkeys = {{ current = \"a\", ring = {{ a = {{ env = \"K\" }} }} }}\n\
         [[id]]\nname = \"user\"\ncolumn = {user}\nreferences = [\"tenant_*.*.user_id\"]\n\
         [[id]]\nname = \"order\"\ncolumn = {order}\n"
    );
    let around = Environment {
        folder: Path::new("."),
        env: &|_| Some("5eed".repeat(16)),
    };
    Config::parse(&text, &around)
}

fn name(schema: &str, table: &str) -> ColumnName {
    ColumnName {
        schema: schema.to_owned(),
        table: table.to_owned(),
        column: "id".to_owned(),
    }
}

#[test]
fn a_star_without_quotes_stands_for_characters_of_its_part() {
    let config = parse("\"tenant_*.users.id\"", "'\"tenant_*\".orders.id'").unwrap();
    let [user, order] = [0, 1].map(|index| &config.domains[index].annotation.column);
    assert!(user.name().is_none() && user.matches(&name("tenant_a", "users")));
    assert!(!user.matches(&name("tenant_a", "old_users")));
    assert!(!user.matches(&name("other", "users")));
    // In quotes it is a character of the name.
    assert_eq!(order.name(), Some(&name("tenant_*", "orders")));
    assert_eq!(order.words().written(), "\"tenant_*\".orders.id");
    assert!(order.words().is_writable());
}

#[test]
fn two_domains_never_mean_the_same_column() {
    for (order, cause) in [
        (
            "\"tenant_*.users.id\"",
            "tenant_*.users.id is in id domain `user` already",
        ),
        (
            "\"tenant_a.users.id\"",
            "tenant_a.users.id can mean a column that tenant_*.users.id means, which is in id domain `user`",
        ),
        (
            "\"*_a.u*.id\"",
            "*_a.u*.id can mean a column that tenant_*.users.id means, which is in id domain `user`",
        ),
        (
            "\"*.orders.user_id\"",
            "*.orders.user_id can mean a column that tenant_*.*.user_id means, which is in id domain `user`",
        ),
    ] {
        let faults = parse("\"tenant_*.users.id\"", order).unwrap_err();
        let found: Vec<_> = faults.iter().map(|of| (of.line, &*of.cause)).collect();
        assert_eq!(found, [(9, cause)], "{order}");
    }
    parse("\"tenant_*.users.id\"", "\"tenant_*.orders.id\"").unwrap();
    parse("\"tenant_*.users.id\"", "\"shop_*.users.id\"").unwrap();
}

#[test]
fn a_name_is_no_longer_than_names_are_but_for_its_stars() {
    let long = "a".repeat(63);
    parse(&format!("\"{long}*.users.id\""), "\"a.b.c\"").unwrap();
    let faults = parse(&format!("\"{long}a*.users.id\""), "\"a.b.c\"").unwrap_err();
    assert_eq!(faults[0].line, 5);
}
