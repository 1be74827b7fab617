//! `[admin]`: where health and metrics are shown, and when there must be a token.
#![expect(clippy::expect_used, reason = "a test that panics has failed")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use pgveil::config::{AdminAddress, Config, Environment, Fault};

const UPSTREAM: &str = "[upstream]\naddress = \"127.0.0.1:5432\"\n";
const TOKEN: &str = "0123456789abcdef";

fn parse(folder: &Path, admin: &str) -> Result<Config, Vec<Fault>> {
    let text = format!("{UPSTREAM}[admin]\n{admin}");
    let env = &|_: &str| None;
    Config::parse(&text, &Environment { folder, env })
}

fn fault(admin: &str) -> String {
    let faults = parse(Path::new("."), admin).expect_err("a fault");
    assert_eq!(faults.len(), 1, "{faults:?}");
    let Fault {
        line,
        cause,
        advice,
        ..
    } = &faults[0];
    format!("{line}: {cause} | {advice}")
}

#[test]
fn nothing_listens_unless_it_is_said() {
    let env = &|_: &str| None;
    let folder = Path::new(".");
    let config = Config::parse(UPSTREAM, &Environment { folder, env }).expect("sound");
    assert!(config.admin.listen.is_none() && config.admin.probes.is_none());
}

#[test]
fn reads_addresses_and_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let admin = "listen = \"0.0.0.0:9632\"\ntoken_file = \"token\"\nprobes = \"[::]:9633\"\n";
    let config = parse(folder.path(), admin).expect("sound");
    let shown = |address: Option<AdminAddress>| address.expect("an address").to_string();
    assert_eq!(
        config.admin.token.expect("a token").as_bytes(),
        TOKEN.as_bytes()
    );
    assert_eq!(shown(config.admin.listen), "0.0.0.0:9632");
    assert_eq!(shown(config.admin.probes), "[::]:9633");
    assert!(config.warnings.is_empty());

    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let config = parse(folder.path(), admin).expect("sound, with a warning");
    assert_eq!(config.warnings[0].line, 5);

    for listen in [
        "127.0.0.1:9632",
        "[::1]:9632",
        "localhost:0",
        "unix:/run/admin.sock",
    ] {
        let admin = format!("listen = \"{listen}\"\n");
        let config = parse(folder.path(), &admin).expect(listen);
        assert_eq!(shown(config.admin.listen), listen);
    }
    let file = folder.path().join("pgveil.toml");
    fs::write(
        &file,
        format!("{UPSTREAM}[admin]\n{admin}[keys]\nnonsense = 1\n"),
    )
    .unwrap();
    let peeked = Config::peek_admin(&file).expect("readable");
    assert_eq!(shown(peeked.listen), "0.0.0.0:9632");
    assert!(peeked.token.is_none(), "nothing is fetched for it");
}

#[test]
fn other_machines_need_a_token_but_for_probes() {
    for listen in [
        "0.0.0.0:9632",
        "10.0.0.1:9632",
        "proxy.example:9632",
        "[::]:9632",
    ] {
        let said = fault(&format!(
            "probes = \"0.0.0.0:9633\"\nlisten = \"{listen}\"\n"
        ));
        let cause = format!("5: `{listen}` can be reached from other machines | add token_file");
        assert!(said.starts_with(&cause), "{said}");
    }
    let folder = Path::new(".");
    parse(folder, "probes = \"0.0.0.0:9633\"\n").expect("sound");
}

#[test]
fn a_token_that_can_be_guessed_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let admin = "listen = \"127.0.0.1:9632\"\ntoken_file = \"token\"\n";
    for token in ["", "short", "0123456789 abcdef", "0123456789abcde\u{e9}"] {
        fs::write(folder.path().join("token"), token).unwrap();
        let faults = parse(folder.path(), admin).expect_err("a fault");
        assert_eq!(faults[0].line, 5);
        assert!(faults[0].cause.ends_with("holds no token"), "{faults:?}");
        let said = format!("{} {}", faults[0].cause, faults[0].advice);
        assert!(token.is_empty() || !said.contains(token), "{said}");
    }
}

#[test]
fn says_what_is_missing_or_too_much() {
    for (admin, expected) in [
        ("", "3: [admin] does not say where to listen | add listen"),
        (
            "listen = \"9632\"\n",
            "4: `9632` is no address | write \"host:port\"",
        ),
        ("probes = \"unix:run/x\"\n", "4: `unix:run/x` is no address"),
        (
            "probes = \"0.0.0.0:9633\"\ntoken_file = \"token\"\n",
            "5: nobody has to show a token at probes or on the console | add listen",
        ),
        (
            "listen = \"127.0.0.1:9632\"\ntoken_file = \"no such file\"\n",
            "5: cannot read ./no such file",
        ),
        (
            "probe = \"127.0.0.1:9633\"\nlisten = \"127.0.0.1:9632\"\n",
            "4: unknown key `probe`",
        ),
    ] {
        let said = fault(admin);
        assert!(said.starts_with(expected), "{said}");
    }
}

#[cfg(feature = "console")]
#[test]
fn the_console_has_a_socket_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    for (text, at) in [
        ("unix:/run/pgveil:7000", "unix:/run/pgveil:7000"),
        ("unix:/run/pgveil", "unix:/run/pgveil:6433"),
    ] {
        let config = parse(folder.path(), &format!("console = \"{text}\"\n")).unwrap();
        assert_eq!(config.admin.console.unwrap().to_string(), at);
    }
    for text in ["127.0.0.1:6433", "unix:run", ""] {
        let said = fault(&format!("console = \"{text}\"\n"));
        let expected = format!("4: `{text}` is no folder for the socket of the console");
        assert!(said.starts_with(&expected), "{said}");
    }
}
