//! `[[limit]]`, the limits of addresses and the time of a drain: what is read, and the words of faults.

use std::time::Duration;

use pgveil::config::ApplicationName;

use super::file::{UPSTREAM, faults, parse};

#[test]
fn limits_of_sessions_are_off_unless_they_are_given() {
    let config = parse(UPSTREAM).expect("sound");
    assert!(config.session_limits.is_empty());
    assert_eq!(config.max_per_address, None);
    assert_eq!(config.failed_logins_per_minute, None);
    assert!(config.limits.drain_spread.is_zero());
    assert_eq!(config.upstream.application_name, ApplicationName::Keep);
    let text = format!(
        "[server]\nmax_per_address = 20\nfailed_logins_per_minute = 5\n\
         {UPSTREAM}application_name = \"append-peer\"\n[limits]\ndrain_spread_s = 19\n\
         [[limit]]\nroles = [\"a\", \"b\"]\nmax_connections = 3\n\
         [[limit]]\nroles = [\"a\"]\ndatabases = [\"shop\"]\nmax_connections = 1\n"
    );
    let config = parse(&text).expect("sound");
    assert_eq!(config.max_per_address, Some(20));
    assert_eq!(config.failed_logins_per_minute, Some(5));
    assert_eq!(config.limits.drain_spread, Duration::from_secs(19));
    let application_name = config.upstream.application_name;
    assert_eq!(application_name, ApplicationName::AppendPeer);
    let [first, second] = &config.session_limits[..] else {
        panic!("{:?}", config.session_limits);
    };
    assert_eq!(
        (&first.roles[..], first.max_connections),
        (&["a".to_owned(), "b".to_owned()][..], 3)
    );
    assert!(first.databases.is_empty());
    assert_eq!(second.databases, ["shop"]);
}

/// What is wrong, and a part of what is said of it.
const FAULTS: &[(&str, &str)] = &[
    (
        "[server]\nmax_per_address = 0",
        "`max_per_address` can't be 0",
    ),
    (
        "[server]\nmax_per_address = -1",
        "`max_per_address` can't be -1",
    ),
    (
        "[server]\nmax_per_address = \"many\"",
        "`server.max_per_address` is a string",
    ),
    (
        "[server]\nfailed_logins_per_minute = 0",
        "`failed_logins_per_minute` can't be 0",
    ),
    (
        "[server]\nfailed_logins_per_minute = 4294967296",
        "write a whole number from 1 to 4294967295",
    ),
    (
        "[limits]\ndrain_spread_s = -1",
        "`drain_spread_s` can't be -1",
    ),
    (
        "[limits]\ndrain_spread_s = 20",
        "`drain_spread_s` is 20, and all sessions are ended after `drain_timeout_s`, 20",
    ),
    (
        "[limits]\ndrain_spread_s = 4\ndrain_timeout_s = 3",
        "a longer drain_timeout_s",
    ),
    (
        "[[limit]]\nmax_connections = 1",
        "the limit is about everybody",
    ),
    (
        "[[limit]]\nroles = [\"a\"]",
        "the limit does not say how many",
    ),
    (
        "[[limit]]\nroles = []\nmax_connections = 1",
        "the limit is about a name that nobody has",
    ),
    (
        "[[limit]]\nroles = [\"a\", \"\"]\nmax_connections = 1",
        "the limit is about a name that nobody has",
    ),
    (
        "[[limit]]\nroles = [\"a\"]\nmax_connections = 0",
        "`limit.max_connections` can't be 0",
    ),
    (
        "[[limit]]\nroles = \"a\"\nmax_connections = 1",
        "roles` is a string",
    ),
    (
        "[[limit]]\nrole = [\"a\"]\nmax_connections = 1",
        "did you mean `roles`?",
    ),
    (
        "[limit]\nroles = [\"a\"]\nmax_connections = 1",
        "`limit` is a table",
    ),
];

#[test]
fn what_limits_nothing_or_nobody_is_a_fault() {
    let long = "x".repeat(64);
    let long = format!("[[limit]]\nroles = [\"{long}\"]\nmax_connections = 1");
    let of_names = (&long[..], "is longer than names are in Postgres");
    for (text, expected) in FAULTS.iter().copied().chain([of_names]) {
        let found = faults(&format!("{text}\n{UPSTREAM}"));
        assert!(
            found.iter().any(|fault| fault.contains(expected)),
            "{text}: {found:?}"
        );
    }
    let found = faults(&format!("{UPSTREAM}application_name = \"peer\"\n"));
    assert_eq!(
        found,
        ["3: `upstream.application_name` can't be \"peer\" | write \"keep\" or \"append-peer\""]
    );
}
