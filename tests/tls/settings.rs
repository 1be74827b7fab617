//! Faults in the tables for TLS and authentication: the line, the cause and what to do.

use std::fs;

use crate::authority::{Authority, HERE};
use crate::stand::parse;

/// The faults as `line: cause | advice`; the tables begin with line 3.
fn faults(upstream: &str, tables: &str) -> Vec<String> {
    let faults = parse(upstream, tables).expect_err(tables);
    let show = |fault: pgveil::config::Fault| {
        format!("{}: {} | {}", fault.line, fault.cause, fault.advice)
    };
    faults.into_iter().map(show).collect()
}

/// The tables have one fault.
fn assert_fault(tables: &str, line: usize, cause: &str, advice: &str) {
    let found = faults("127.0.0.1:5432", tables);
    assert_eq!(found.len(), 1, "{tables}: {found:?}");
    let (said, remedy) = found[0].split_once(" | ").unwrap();
    assert!(said.starts_with(&format!("{line}: ")), "{found:?}");
    assert!(said.contains(cause), "{found:?}");
    assert!(remedy.contains(advice), "{found:?}");
}

#[test]
fn a_fault_of_the_certificate_for_clients_says_line_cause_and_remedy() {
    let authority = Authority::new();
    let [one, two] = ["one", "two"].map(|name| authority.issue(name, &HERE));
    let (cert, key, other) = (one.cert.display(), one.key.display(), two.key.display());
    let empty = authority.folder().join("empty");
    fs::write(&empty, "").unwrap();
    let table = "[server.tls]\n";
    assert_fault(table, 3, "names no certificate", "add cert = ");
    let no_certificate = format!("{table}cert = \"{}\"\nkey = \"{key}\"", empty.display());
    let cause = "there is no certificate in";
    assert_fault(&no_certificate, 4, cause, "BEGIN CERTIFICATE");
    let with = |more: &str| format!("{table}cert = \"{cert}\"\n{more}");
    assert_fault(&with(""), 3, "there is a cert but no key", "add key = ");
    let nowhere = with("key = \"nowhere\"");
    assert_fault(&nowhere, 5, "cannot read ./nowhere", "relative paths start");
    let another = with(&format!("key = \"{other}\""));
    assert_fault(
        &another,
        5,
        "is not that of the certificate",
        "name the key",
    );
    let no_key = with(&format!("key = \"{cert}\""));
    assert_fault(&no_key, 5, "there is no private key in", "no password");
}

#[test]
fn a_fault_of_what_clients_must_do_says_line_cause_and_remedy() {
    let authority = Authority::new();
    let identity = authority.issue("one", &HERE);
    let ca = authority.ca();
    for (more, cause, advice) in [
        (
            "mode = \"on\"",
            "`server.tls.mode` can't be \"on\"",
            "write \"disable\" or \"prefer\" or \"require\"",
        ),
        (
            "client_cert = \"require\"",
            "nobody may have signed",
            "add client_ca",
        ),
        (
            &format!("client_ca = \"{}\"", ca.display()),
            "may come without TLS",
            "mode = \"require\"",
        ),
        (
            "channel_binding = \"require\"",
            "while authentication is passed through",
            "mode = \"verifier\"",
        ),
        ("ciphers = \"x\"", "unknown key `ciphers`", "known keys"),
    ] {
        let (cert, key) = (identity.cert.display(), identity.key.display());
        let tables = format!("[server.tls]\ncert = \"{cert}\"\nkey = \"{key}\"\n{more}");
        assert_fault(&tables, 6, cause, advice);
    }
}

#[test]
fn a_fault_of_what_postgres_must_do_says_line_cause_and_remedy() {
    for (tables, line, cause, advice) in [
        ("", 3, "`upstream.tls` has no mode", "\"verify-full\""),
        (
            "mode = \"verify_full\"",
            4,
            "can't be \"verify_full\"",
            "\"verify-full\"",
        ),
        (
            "mode = \"verify-ca\"",
            4,
            "nobody is named",
            "ca = \"system\"",
        ),
        (
            "mode = \"verify-ca\"\nca = \"system\"",
            5,
            "says nothing without the name",
            "verify-full",
        ),
        (
            "mode = \"require\"\nca = \"nowhere\"",
            5,
            "cannot read ./nowhere",
            "relative paths start",
        ),
        (
            "mode = \"require\"\nkey = \"k\"",
            3,
            "there is a key but no cert",
            "add cert",
        ),
        (
            "mode = \"require\"\nchannel_binding = \"require\"",
            5,
            "while authentication is passed through",
            "mode = \"verifier\"",
        ),
    ] {
        assert_fault(&format!("[upstream.tls]\n{tables}"), line, cause, advice);
    }
}

#[test]
fn a_fault_of_the_verifiers_says_line_cause_and_remedy() {
    let authority = Authority::new();
    let file = authority.folder().join("users");
    fs::write(&file, "# roles\nann:md5abc\n").unwrap();
    let none = "[auth]\nmode = \"verifier\"";
    assert_fault(none, 3, "not where the verifiers are", "add file");
    let unused = "[auth]\nfile = \"users\"";
    assert_fault(
        unused,
        4,
        "nobody uses the verifiers",
        "mode = \"verifier\"",
    );
    let md5 = format!("{none}\nfile = \"{}\"", file.display());
    assert_fault(&md5, 5, "line 2 of", "password_encryption");
    let shown = faults("127.0.0.1:5432", &md5).concat();
    assert!(!shown.contains("md5abc"), "{shown}");
}

#[test]
fn a_unix_socket_promises_no_tls() {
    let found = faults("unix:/tmp", "[upstream.tls]\nmode = \"require\"");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("4: a Unix socket has no TLS"),
        "{found:?}"
    );
}

#[test]
fn a_name_that_no_certificate_can_have_is_a_fault() {
    let found = faults("bad host:5432", "[upstream.tls]\nmode = \"require\"");
    assert!(
        found[0].contains("no certificate can be for the host"),
        "{found:?}"
    );
}

#[test]
fn certificates_of_tls_that_is_switched_off_need_not_be_there() {
    let off = "[server.tls]\nmode = \"disable\"\ncert = \"nowhere\"\nkey = \"nowhere\"\n\
               [upstream.tls]\nmode = \"disable\"\nca = \"nowhere\"";
    assert!(parse("127.0.0.1:5432", off).is_ok());
}
