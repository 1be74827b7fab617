//! Postgres's own regression queries through pgveil. With nothing annotated psql shows the same as
//! by a direct connection, byte by byte. With columns of their tables annotated, in which keys
//! stand that nothing else would show, no key is sent, no session ends, nothing crashes.
//!
//! The queries come from Debian's source package by `tests/regress/fetch`, once, into
//! `PGVEIL_REGRESS_FOLDER` or the target folder. Without more being said some files are run;
//! `PGVEIL_REGRESS=all` runs all of them, `PGVEIL_REGRESS='a b'` these and `test_setup`.
//! `PGVEIL_REQUIRE_REGRESS=1` lets the tests fail where the queries are missing, and
//! `PGVEIL_REGRESS_KEEP=folder` keeps what psql shows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "regress/site.rs"]
mod site;
#[path = "clients/tap.rs"]
mod tap;
#[path = "twin/mod.rs"]
mod twin;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use site::Site;
use twin::say;
use twin::world::{FIRST_KEY, FIRST_KEY4};

/// The files that are run if nothing else is said: they need no other files and take seconds.
const SOME: &str = "boolean int8 uuid text strings numerology insert insert_conflict case union \
     arrays subselect with window portals rowtypes returning prepare temp limit json \
     select_into";

/// What psql says when a session ends.
const ENDS: [&str; 2] = [
    "server closed the connection unexpectedly",
    "connection to server was lost",
];

/// The queries and the files to run, or nothing if the tests are to be skipped.
fn chosen() -> Option<(PathBuf, Vec<String>)> {
    let Some(queries) = site::queries() else {
        let required = std::env::var_os("PGVEIL_REQUIRE_REGRESS").is_some();
        assert!(!required, "the regression queries can't be had");
        say("SKIPPED: the regression queries can't be had; see tests/regress/fetch");
        return None;
    };
    let only = std::env::var("PGVEIL_REGRESS").unwrap_or_else(|_| SOME.to_owned());
    let mut files = site::schedule(&queries);
    if only != "all" {
        files.retain(|name| name == "test_setup" || only.split(' ').any(|one| one == name));
    }
    Some((queries, files))
}

/// Runs the files on a site, in this order.
fn run(site: &Site, queries: &Path, files: &[String]) -> Vec<String> {
    files.iter().map(|name| site.run(queries, name)).collect()
}

/// Keeps what psql showed, if that is wanted.
fn keep(name: &str, site: &str, shown: &str) {
    if let Some(folder) = std::env::var_os("PGVEIL_REGRESS_KEEP") {
        std::fs::write(Path::new(&folder).join(format!("{name}.{site}")), shown).unwrap();
    }
}

/// Errors without the names in them, with how often they are shown.
fn errors(shown: &str) -> BTreeMap<String, usize> {
    let mut errors = BTreeMap::new();
    for line in shown.lines() {
        if !line.starts_with("ERROR:") && !line.starts_with("FATAL:") {
            continue;
        }
        let unquoted: Vec<_> = line.split('"').step_by(2).collect();
        let mut text = unquoted.join("…");
        if let Some((head, rest)) = text.split_once("function ")
            && let Some((_, tail)) = rest.split_once(' ')
        {
            text = format!("{head}function … {tail}");
        }
        *errors.entry(text).or_default() += 1;
    }
    errors
}

/// Text in which what differs from run to run is made alike: numbers, and the widths of columns
/// that hold them.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    for character in text.chars() {
        let character = if character.is_ascii_digit() {
            '0'
        } else {
            character
        };
        if !("0 -".contains(character) && masked.ends_with(character)) {
            masked.push(character);
        }
    }
    masked
}

/// A line and those after it.
fn lines<'a>(first: Option<&'a str>, rest: std::str::Lines<'a>) -> String {
    let lines: Vec<_> = first.into_iter().chain(rest.take(4)).collect();
    lines.join("\n        ")
}

/// The first lines that differ.
fn first_difference(direct: &str, veiled: &str) -> String {
    let (mut left, mut right) = (direct.lines(), veiled.lines());
    let mut statement = Vec::new();
    loop {
        let (one, two) = (left.next(), right.next());
        if one != two || one.is_none() {
            let before = statement.split_off(statement.len().saturating_sub(5));
            return format!(
                "    after\n        {}\n    Postgres\n        {}\n    pgveil\n        {}",
                before.join("\n        "),
                lines(one, left),
                lines(two, right)
            );
        }
        statement.extend(one);
    }
}

#[test]
fn with_nothing_annotated_psql_shows_what_postgres_shows() {
    let Some((queries, files)) = chosen() else {
        return;
    };
    // Twice directly, to know what differs by itself.
    let sites = [None, None, Some(include_str!("regress/plain.toml"))];
    let shown: Vec<_> = std::thread::scope(|scope| {
        let (queries, files) = (&queries, &files);
        let running =
            sites.map(|config| scope.spawn(move || run(&Site::new(config), queries, files)));
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let (mut identical, mut alike, mut noisy, mut wrong) = (0, 0, Vec::new(), Vec::new());
    let mut own: BTreeMap<String, usize> = BTreeMap::new();
    for (at, name) in files.iter().enumerate() {
        let [direct, again, veiled] = [0, 1, 2].map(|site| shown[site][at].as_str());
        for (site, text) in [("direct", direct), ("again", again), ("veiled", veiled)] {
            keep(name, site, text);
        }
        let known = errors(direct);
        for (error, count) in errors(veiled) {
            let more = count.saturating_sub(known.get(&error).copied().unwrap_or_default());
            if more > 0 {
                *own.entry(error).or_default() += more;
            }
        }
        if direct == veiled || again == veiled {
            identical += 1;
        } else if direct == again {
            let difference = first_difference(direct, veiled);
            if !is_known(DIFFERING, name, &difference) {
                wrong.push(format!("{name}\n{difference}"));
            }
        } else if masked(direct) == masked(veiled) || masked(again) == masked(veiled) {
            alike += 1;
        } else if masked(direct) != masked(again) {
            noisy.push(name.as_str());
        } else {
            let (direct, veiled) = (masked(direct), masked(veiled));
            wrong.push(format!("{name}\n{}", first_difference(&direct, &veiled)));
        }
    }
    say(&format!(
        "{} files: {identical} identical, {alike} but for numbers that differ in direct runs too, \
         {} not comparable, {} differ",
        files.len(),
        noisy.len(),
        wrong.len()
    ));
    say(&format!("not comparable: {noisy:?}"));
    let mut own: Vec<_> = own.into_iter().collect();
    own.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    say("errors that only pgveil raises, or more often than Postgres:");
    for (error, count) in own.iter().take(40) {
        say(&format!("{count:6} {error}"));
    }
    assert!(
        wrong.is_empty(),
        "{}\n\n{} files differ",
        wrong.join("\n\n"),
        wrong.len()
    );
}

/// Files that differ, the words at the place, and why.
const DIFFERING: &[(&str, &str, &str)] = &[];

/// Files in which pgveil ends the session where Postgres goes on, the words at the place, and why.
const ENDED: &[(&str, &str, &str)] = &[];

/// Whether a finding is one of those that are known.
fn is_known(known: &[(&str, &str, &str)], name: &str, finding: &str) -> bool {
    let found = known
        .iter()
        .find(|(file, words, _)| *file == name && finding.contains(words));
    if let Some((.., reason)) = found {
        say(&format!("{name}, as known: {reason}"));
    }
    found.is_some()
}

/// What makes values of the annotated columns keys that are found wherever they show.
const KEYS: &[&str] = &[
    "update int8_tbl t set q1 = 8613972450000000 + n
     from (select ctid as place, row_number() over () as n from int8_tbl) x where ctid = place",
    "update int4_tbl t set f1 = 1861397000 + n
     from (select ctid as place, row_number() over () as n from int4_tbl) x where ctid = place",
    "update tenk1 set unique1 = 1861397000 + unique1 % 1000",
    "update onek set unique1 = 1861397000 + unique1",
];

/// Whether a line shows a key in figures.
fn shows_a_key(line: &str) -> bool {
    let numbers = line.split(|c: char| !c.is_ascii_digit());
    numbers
        .filter_map(|number| number.parse::<i64>().ok())
        .any(|number| {
            (FIRST_KEY..FIRST_KEY + 600_000).contains(&number)
                || (FIRST_KEY4..FIRST_KEY4 + 2_000).contains(&number)
        })
}

#[test]
fn with_their_tables_annotated_no_key_gets_out() {
    let Some((queries, files)) = chosen() else {
        return;
    };
    let site = Site::new(Some(include_str!("regress/annotated.toml")));
    site.run_directly(&queries, "test_setup");
    for sql in KEYS {
        site.session("regression").run(sql).unwrap();
    }
    let (mut wrong, mut refusals) = (Vec::new(), 0);
    for name in files.iter().filter(|name| *name != "test_setup") {
        let shown = site.run(&queries, name);
        keep(name, "annotated", &shown);
        let lines: Vec<_> = shown.lines().collect();
        refusals += lines.iter().filter(|line| line.contains("pgveil")).count();
        if let Some(at) = lines.iter().position(|line| shows_a_key(line)) {
            let before = &lines[at.saturating_sub(12)..=at];
            wrong.push(format!("{name} shows a key\n    {}", before.join("\n    ")));
        }
        let ended = |line: &&str| ENDS.iter().any(|end| line.contains(end));
        if let Some(at) = lines.iter().position(ended) {
            let before = &lines[at.saturating_sub(12)..=at];
            let before = before.join("\n    ");
            if !is_known(ENDED, name, &before) {
                wrong.push(format!("{name} ends the session\n    {before}"));
            }
        }
    }
    say(&format!(
        "{} files with annotated tables: {refusals} lines of psql name pgveil",
        files.len()
    ));
    say(&wrong.join("\n\n"));
    // psql shows most of what it is sent; the tap has seen every byte.
    let tap = site.tap.as_ref().unwrap();
    assert!(tap.clean_bytes() > 1_000, "nothing was sent");
    assert!(
        wrong.is_empty(),
        "{} files show a key or end the session",
        wrong.len()
    );
}

#[test]
fn a_key_in_figures_is_found_and_other_numbers_are_not() {
    assert!(shows_a_key(" 8613972450000003 | 456"));
    assert!(shows_a_key(
        "DETAIL:  Key (unique1)=(1861397042) already exists."
    ));
    assert!(!shows_a_key(
        " 4567890123456789 | 1861396999 | 86139724500000031"
    ));
}

#[test]
fn errors_are_counted_without_names() {
    let shown = "ERROR:  function f1 is odd\nERROR:  function f2 is odd\nHINT:  none\n\
                 ERROR:  no \"x\" and no \"y\" here\n";
    let expected = [
        ("ERROR:  function … is odd", 2),
        ("ERROR:  no … and no … here", 1),
    ];
    let expected = expected.map(|(text, count)| (text.to_owned(), count));
    assert_eq!(errors(shown), BTreeMap::from(expected));
    assert_eq!(masked("a 10 | 7\n"), masked("a  3 |   12\n"));
    assert_ne!(masked("a 10"), masked("b 10"));
}
