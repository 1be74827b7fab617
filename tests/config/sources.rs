//! Where values come from: variables, further files, and what stands in their place.
#![expect(clippy::expect_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use pgveil::config::{Config, ConfigError, Environment, Overrides};

use crate::file::UPSTREAM;

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn env(name: &str) -> Option<String> {
    let value = match name {
        "HOST" => "db.example",
        "MOST" => "77",
        "SCRAM" => "false",
        "ROLE" => "mover",
        "WORD" => "many",
        "KEY" => KEY,
        "NAME" => "KEY",
        _ => return None,
    };
    Some(value.to_owned())
}

fn parse(text: &str) -> Result<Config, Vec<String>> {
    let around = Environment {
        folder: Path::new("."),
        env: &env,
    };
    let shown = |fault: pgveil::config::Fault| {
        format!("{}: {} | {}", fault.line, fault.cause, fault.advice)
    };
    Config::parse(text, &around).map_err(|faults| faults.into_iter().map(shown).collect())
}

#[test]
fn variables_stand_in_strings_lists_numbers_and_booleans() {
    let config = parse(
        "version = 1\n[upstream]\naddress = \"${HOST}:${PORT:-6000}\"\n[server]\n\
         max_connections = \"${MOST}\"\nlisten = [\"127.0.0.1:${PORT:-7000}\"]\n\
         [policy]\nbypass_roles = [\"${ROLE}\", \"$${ROLE}\"]\n\
         [limits]\nmax_portals = \"${UNSET:-5}\"\n",
    );
    let config = config.expect("sound");
    assert_eq!(config.upstream.to_string(), "db.example:6000");
    assert_eq!(config.listen[0].to_string(), "127.0.0.1:7000");
    assert_eq!(config.max_connections, 77);
    assert_eq!(config.policy.bypass_roles, ["mover", "${ROLE}"]);
    assert_eq!(config.limits.max_portals, 5);
}

#[test]
fn a_variable_that_says_nothing_is_a_fault_with_its_line() {
    let of = |text: &str| parse(&format!("{UPSTREAM}{text}")).expect_err("a fault");
    assert_eq!(
        of("[log]\nlevel = \"${LEVEL}\"\n"),
        [
            "4: `log.level` names the variable LEVEL, which is not set | \
          set it, or write ${LEVEL:-what holds without it}"
        ]
    );
    assert_eq!(
        of("[log]\nlevel = \"${LEVEL\"\n"),
        [
            "4: `log.level` has `${` in it, and no name of a variable behind it | \
          write ${NAME} or ${NAME:-default}, or $${ for the two characters"
        ]
    );
    assert_eq!(
        of("[server]\nmax_connections = \"${WORD}\"\n"),
        ["4: `server.max_connections` is a string | write a whole number"]
    );
    // A number is a number unless it comes from a variable.
    assert_eq!(
        of("[server]\nmax_connections = \"77\"\n"),
        ["4: `server.max_connections` is a string | write a whole number"]
    );
}

#[test]
fn nothing_is_replaced_in_keys() {
    let ring = |source: &str| {
        let id = "[[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n";
        parse(&format!(
            "{UPSTREAM}[keys]\ncurrent = \"a\"\n[keys.ring.a]\n{source}\n{id}"
        ))
    };
    // The shell replaces it, and not pgveil.
    ring(&format!(
        "command = [\"sh\", \"-c\", \"X={KEY}; echo ${{X}}\"]"
    ))
    .expect("a key");
    ring("env = \"${NAME}\"").expect_err("no such variable");
    ring("env = \"KEY\"").expect("a key");
}

#[test]
fn another_version_is_a_fault() {
    assert_eq!(
        parse(&format!("version = 2\n{UPSTREAM}")).expect_err("a fault"),
        [
            "1: the file is of version 2, and this pgveil reads version 1 | \
          write version = 1, or run the pgveil that the file was written for"
        ]
    );
}

/// Files in a folder, of which the first is loaded.
fn load(files: &[(&str, &str)], overrides: &Overrides) -> Result<Config, String> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    let main = folder.path().join(files[0].0);
    let loaded = Config::load_with_progress(&main, overrides, &|_| {});
    let here = format!("{}/", folder.path().display());
    loaded.map_err(|error: ConfigError| error.to_string().replace(&here, ""))
}

const MAIN: &str = "include = [\"ids.d/*.toml\", \"more.toml\"]\n[upstream]\naddress = \"127.0.0.1:5432\"\n\
    [keys]\ncurrent = \"a\"\n[keys.ring.a]\ncommand = [\"echo\", \"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"]\n\
    [[id]]\nname = \"user\"\ncolumn = \"public.users.id\"\n[check]\nplain = [\"public.a.b\"]\n";
const ORDERS: &str = "[[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\n[[id.json]]\n\
    column = \"public.letters.body\"\npath = \"$.order\"\n";
const MORE: &str =
    "\n[check]\nplain = [\"public.c.d\"]\n[[channel]]\nname = \"orders\"\nid = \"order\"\n";

#[test]
fn further_files_bring_domains_functions_channels_and_decisions() {
    let files = [
        ("pgveil.toml", MAIN),
        ("ids.d/10-orders.toml", ORDERS),
        (
            "ids.d/20-teams.toml",
            "[[id]]\nname = \"team\"\ncolumn = \"public.teams.id\"\n",
        ),
        ("ids.d/notes.txt", "no toml"),
        ("more.toml", MORE),
    ];
    let config = load(&files, &Overrides::default()).expect("sound");
    let names: Vec<&str> = config
        .domains
        .iter()
        .map(|domain| domain.annotation.name.as_str())
        .collect();
    assert_eq!(names, ["user", "order", "team"]);
    assert_eq!(config.channels.len(), 1);
    let plain: Vec<String> = config
        .plain
        .iter()
        .map(|(column, line)| {
            let (file, line) = config.files().place(*line);
            let name = file.file_name().expect("a name").to_string_lossy();
            format!("{column} {name}:{line}")
        })
        .collect();
    assert_eq!(
        plain,
        ["public.a.b pgveil.toml:12", "public.c.d more.toml:3"]
    );
}

#[test]
fn faults_of_further_files_are_told_with_their_places() {
    let with = |more: &str| {
        let files = [
            ("pgveil.toml", MAIN),
            ("ids.d/10-orders.toml", ORDERS),
            ("more.toml", more),
        ];
        load(&files, &Overrides::default()).expect_err("a fault")
    };
    assert_eq!(
        with("\n[server]\nlisten = []\n"),
        "more.toml:2: unknown key `server` at the top of the file\n  \
         known keys at the top of the file: id, function, channel, polymorphic, check"
    );
    assert_eq!(
        with("\n\n[[id]]\nname = \"user\"\ncolumn = \"public.people.id\"\n"),
        "more.toml:3: there are two id domains `user`\n  give each [[id]] a name of its own"
    );
    assert!(with("x =").starts_with("more.toml:1: "), "{}", with("x ="));
    let lonely = load(&[("pgveil.toml", MAIN)], &Overrides::default());
    assert_eq!(
        lonely.expect_err("a fault"),
        "pgveil.toml:1: there is no file `more.toml` to include\n  \
         correct the path, which starts at this file's folder"
    );
}

#[test]
fn the_command_line_stands_in_the_place_of_settings() {
    let overrides = Overrides {
        listen: vec!["127.0.0.1:1".to_owned(), "unix:/tmp".to_owned()],
        upstream: Some("other:9".to_owned()),
        log: Some("warn".to_owned()),
    };
    let files = [("pgveil.toml", "[upstream]\naddress = \"127.0.0.1:5432\"\n")];
    let config = load(&files, &overrides).expect("sound");
    let listen: Vec<String> = config.listen.iter().map(ToString::to_string).collect();
    assert_eq!(listen[0], "127.0.0.1:1");
    assert_eq!(listen.len(), 2);
    assert_eq!(config.upstream.to_string(), "other:9");
    assert_eq!(config.log.level, "warn");
    // It says where Postgres is, if the file does not.
    let alone = load(&[("pgveil.toml", "")], &overrides).expect("sound");
    assert_eq!(alone.upstream.to_string(), "other:9");
    let several = "[upstream]\naddresses = [\"a:1\", \"b:1\"]\n";
    let replaced = load(&[("pgveil.toml", several)], &overrides).expect("sound");
    assert_eq!(replaced.upstream.to_string(), "other:9");
    let wrong = Overrides {
        upstream: Some("unix:".to_owned()),
        ..Overrides::default()
    };
    assert_eq!(
        load(&files, &wrong).expect_err("a fault"),
        "the command line: `unix:` is no address\n  write \"host:port\" or \"unix:/folder\""
    );
}
