//! What the session asks of the database when a part of it has changed since its last snapshot.

use crate::questions::version;
use crate::stage::*;

/// The version of an answer that tells of the relations of some buckets, and what it lacks.
fn changed(buckets: &str, lacks: Option<&str>) -> Vec<u8> {
    let row = [
        "version",
        "5 1",
        "18",
        "8:8:",
        "124",
        "-1:100 8:24",
        buckets,
    ];
    let row = row.iter().map(|field| Some(field.as_bytes()));
    let row: Vec<_> = row.chain([lacks.map(str::as_bytes)]).collect();
    crate::stage::row(&row)
}

fn end() -> Vec<u8> {
    [tag("SELECT 1"), ready('I')].concat()
}

fn look(answer: &str) -> Vec<u8> {
    text_row(&["look", answer, "8:8:"])
}

/// What is sent when the catalogs are asked for, because they are said to have changed if it asks for
/// that before.
fn asks(stage: &mut Stage) -> Vec<String> {
    let mut sent = stage.sent();
    if asked(&sent) == Some("look") {
        stage.server(&[look("changed"), end()].concat());
        sent = stage.sent();
    }
    assert!(asks_for_the_catalog(&sent));
    sent
}

/// A session that knows the version of its snapshot, and has just sent an unknown name.
fn at_a_version() -> Stage {
    let mut stage = Stage::ready();
    for known in [false, true] {
        stage.client(&query("unknown"));
        let sent = asks(&mut stage);
        assert_eq!(sent.concat().contains("'-1:100 8:23'"), known);
        if !known {
            stage.server(&[version("17"), catalog()].concat());
            assert_eq!(stage.sent(), ["Q unknown|"]);
            stage.server(&[tag("SET"), ready('I')].concat());
            stage.catalog();
        }
    }
    stage
}

#[test]
fn asks_for_an_unknown_name_no_more_than_whether_anything_has_changed() {
    let mut stage = at_a_version();
    stage.server(&[version("17"), catalog()].concat());
    assert_eq!(stage.sent(), ["Q unknown|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    let path = |schemas: &str| text_row(&["search path", schemas]);
    stage.client(&query("unknown"));
    assert_eq!(asked(&stage.sent()), Some("look"));
    stage.server(&[path("pg_catalog\\000public"), look("same"), end()].concat());
    assert_eq!(stage.sent(), ["Q unknown|"]);
    stage.server(&[tag("SET"), ready('I')].concat());
    // Of what only this session has a look does not tell.
    stage.client(&query("unknown"));
    assert_eq!(asked(&stage.sent()), Some("look"));
    let temporary = path("pg_temp_3\\000pg_catalog\\000public");
    stage.server(&[temporary, look("same"), end()].concat());
    assert!(asks_for_the_catalog(&stage.sent()));
    stage.server(&[version("17"), catalog()].concat());
    assert_eq!(stage.sent(), ["Q unknown|"]);
}

#[test]
fn takes_over_what_has_not_changed() {
    let oid = |oid| pgveil::catalog::Oid(oid);
    let mut stage = at_a_version();
    // Something has changed in the bucket of orders and of a table that is made.
    assert_eq!((ORDERS % 509, (ORDERS + 509) % 509), (212, 212));
    let made = (ORDERS + 509).to_string();
    let made = [
        Some("relation"),
        Some(&*made),
        Some("public"),
        Some("made"),
        Some("r"),
    ];
    let made = made.map(|field| field.map(str::as_bytes));
    let made = row(&[&made[..], &[None; 3]].concat());
    stage.server(&[changed("212", None), made, end()].concat());
    assert_eq!(stage.sent(), ["Q unknown|"]);
    let snapshot = &stage.catalog().unwrap().snapshot;
    assert!(snapshot.relation(oid(USERS)).is_some(), "not told of");
    assert!(snapshot.relation(oid(ORDERS)).is_none(), "dropped");
    assert!(snapshot.relation(oid(ORDERS + 509)).is_some(), "made");
    assert!(snapshot.has_ids());
}

#[test]
fn asks_for_more_if_what_has_changed_is_not_enough() {
    for way in [["shared", "all"].as_slice(), &["all"]] {
        let mut stage = at_a_version();
        for lacks in way {
            stage.server(&[changed("-1", Some(lacks)), end()].concat());
            let sent = stage.sent();
            assert!(asks_for_the_catalog(&sent), "{lacks}");
            let sent = sent.concat();
            assert!(sent.contains("SELECT 'function'"), "{lacks}");
            assert_eq!(sent.contains("'-1:100 8:23'"), *lacks == "shared");
        }
        stage.server(&[version("18"), catalog()].concat());
        assert_eq!(stage.sent(), ["Q unknown|"]);
    }
    // It tells of another server.
    let mut stage = at_a_version();
    let row = ["version", "6 1", "18", "8:8:", "124", "-1:1", ""];
    let row = row.iter().map(|field| Some(field.as_bytes()));
    let row = crate::stage::row(&row.chain([None]).collect::<Vec<_>>());
    stage.server(&[row, end()].concat());
    let sent = stage.sent();
    assert!(asks_for_the_catalog(&sent) && !sent.concat().contains("'-1:100 8:23'"));
}

#[test]
fn asks_for_what_is_about_no_relation_behind_what_defines_that() {
    for (text, shared) in [
        ("CREATE TABLE", false),
        ("DROP VIEW", false),
        ("CREATE FUNCTION", true),
        ("ALTER DOMAIN", true),
        ("DROP SCHEMA", true),
        ("CREATE TABLE AS", false),
        ("SELECT 1", false),
    ] {
        let mut stage = at_a_version();
        stage.server(&[changed("1", None), end()].concat());
        assert_eq!(stage.sent(), ["Q unknown|"]);
        stage.server(&[tag(text), ready('I')].concat());
        for shared in [shared, false] {
            stage.client(&query("unknown"));
            let sent = asks(&mut stage);
            assert_eq!(
                sent.concat().contains("SELECT 'function'"),
                shared,
                "{text}"
            );
            stage.server(&[changed("1", None), end()].concat());
            assert_eq!(stage.sent(), ["Q unknown|"]);
            stage.server(&[tag("SET"), ready('I')].concat());
        }
    }
}

#[test]
fn asks_for_everything_if_what_has_changed_does_not_fit() {
    let mut stage = at_a_version();
    // A column of a relation that nobody has told of.
    let stray = ["column", "17000", "1", "id", "20"].map(|field| Some(field.as_bytes()));
    stage.server(&[changed("203", None), row(&stray), end()].concat());
    let sent = stage.sent();
    assert!(asks_for_the_catalog(&sent) && !sent.concat().contains("'-1:100 8:23'"));
    stage.server(&[version("18"), catalog()].concat());
    assert_eq!(stage.sent(), ["Q unknown|"]);
}
