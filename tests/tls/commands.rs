//! The commands that ask the database reach one behind TLS, by the words of libpq.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;

use tokio::process::Command;

use crate::authority::HERE;
use crate::stand::{SCRAM, Stand, stand};

/// A file that annotates nothing, so that every database fits it.
pub(crate) fn config(more: &str) -> PathBuf {
    let here = stand().upstream();
    config_at(&format!("address = \"{here}\"\n{more}"))
}

/// One with this `[upstream]`.
pub(crate) fn config_at(upstream: &str) -> PathBuf {
    stand().file(&format!(
        "[server]\nlisten = [\"127.0.0.1:0\"]\n[upstream]\n{upstream}"
    ))
}

/// The commands, each so that it asks the database and nothing else.
fn commands(file: &str, sql: &str) -> [Vec<String>; 4] {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    [
        words(&["check", "-c", file]),
        words(&["explain", "-c", file, "select 1"]),
        words(&["rehearse", "-c", file, "--from", sql]),
        words(&["discover"]),
    ]
}

/// Runs a command in an environment of its own. Gives what it says, if it has reached the database.
pub(crate) async fn run(
    words: &[String],
    url: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgveil"));
    command
        .env_clear()
        .env("HOME", stand().authority.folder().join("nobody"))
        .envs(variables.iter().copied())
        .args(words);
    if let Some(url) = url {
        command.args(["--database-url", url]);
    }
    let output = command.output().await.unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    match output.status.code() {
        Some(0 | 1) if !text.contains("the database:") => Ok(text),
        _ => Err(text),
    }
}

fn url(user: &str, options: &str) -> String {
    let user = user.replace(' ', "%20");
    let port = stand().postgres.port();
    format!("postgres://{user}@127.0.0.1:{port}/postgres?{options}")
}

/// All commands do the same with a connection string and variables. Gives what the first one says.
async fn all(url: Option<&str>, variables: &[(&str, &str)], more: &str) -> Result<String, String> {
    // Files of its own: tests run beside each other.
    let file = config(more);
    let sql = stand().file("select 1;").display().to_string();
    let mut first = None;
    for words in commands(&file.to_string_lossy(), &sql) {
        // It has no file that could name a server.
        let named = url.is_some_and(|url| url.contains("host=") || url.contains("://"));
        let named = named || variables.iter().any(|of| of.0 == "PGHOST");
        if words[0] == "discover" && !named {
            continue;
        }
        let said = run(&words, url, variables).await;
        let expected = first.get_or_insert_with(|| said.clone());
        assert_eq!(
            expected.is_ok(),
            said.is_ok(),
            "{words:?}: {expected:?} {said:?}"
        );
    }
    first.unwrap()
}

fn ca(stand: &Stand) -> String {
    stand.authority.ca().display().to_string()
}

#[tokio::test]
async fn all_commands_know_the_modes_of_libpq() {
    let stand = stand();
    let (ca, other) = (ca(stand), crate::authority::Authority::new());
    let other = other.ca().display().to_string();
    // The role is let in with TLS only.
    for (options, works) in [
        (String::new(), true),
        ("sslmode=disable".to_owned(), false),
        ("sslmode=allow".to_owned(), true),
        ("sslmode=prefer".to_owned(), true),
        ("sslmode=require".to_owned(), true),
        (format!("sslmode=require&sslrootcert={other}"), false),
        ("sslmode=verify-ca".to_owned(), false),
        (format!("sslmode=verify-ca&sslrootcert={ca}"), true),
        (format!("sslmode=verify-ca&sslrootcert={other}"), false),
        (format!("sslmode=verify-full&sslrootcert={ca}"), true),
        (format!("sslmode=verify-full&sslrootcert={other}"), false),
        ("sslmode=verify-full&sslrootcert=system".to_owned(), false),
        ("sslmode=verify-full&sslrootcert=/nowhere".to_owned(), false),
        ("sslmode=nonsense".to_owned(), false),
    ] {
        let said = all(Some(&url("over tls", &options)), &[], "").await;
        assert_eq!(said.is_ok(), works, "{options}: {said:?}");
    }
    // Another name than the certificate's.
    let port = stand.postgres.port();
    let host = format!("host=127.0.0.1 port={port} user='over tls' dbname=postgres");
    let said = all(
        Some(&format!("{host} sslmode=verify-full sslrootcert='{ca}'")),
        &[],
        "",
    )
    .await;
    assert!(said.is_ok(), "{said:?}");
    let named = format!("host=127.0.0.2 port={port} user='over tls' dbname=postgres");
    let said = all(
        Some(&format!("{named} sslmode=verify-full sslrootcert={ca}")),
        &[],
        "",
    )
    .await;
    assert!(said.is_err(), "{said:?}");
}

#[tokio::test]
async fn all_commands_show_a_certificate_and_bind_a_password() {
    let stand = stand();
    let mut subject = HERE;
    subject.common_name = "by certificate";
    let identity = stand.authority.issue("for commands", &subject);
    let (cert, key) = (identity.cert.display(), identity.key.display());
    let options = format!("sslmode=require&sslcert={cert}&sslkey={key}");
    let said = all(Some(&url("by certificate", &options)), &[], "").await;
    assert!(said.is_ok(), "{said:?}");
    let said = all(Some(&url("by certificate", "sslmode=require")), &[], "").await;
    assert!(said.is_err(), "{said:?}");
    // As for psql, a key that others may read is none; the group may read one of root's.
    let of_root = fs::metadata(&identity.key).unwrap().uid() == 0;
    for (mode, works) in [
        (0o400, true),
        (0o640, of_root),
        (0o660, false),
        (0o610, false),
        (0o604, false),
        (0o600, true),
    ] {
        fs::set_permissions(&identity.key, fs::Permissions::from_mode(mode)).unwrap();
        let said = all(Some(&url("by certificate", &options)), &[], "").await;
        assert_eq!(said.is_ok(), works, "{mode:o}: {said:?}");
        if let Err(said) = said {
            assert!(said.contains("sslkey"), "{said}");
        }
    }
    let bound = url(SCRAM, "sslmode=require&channel_binding=require");
    for (password, works) in [("secret", true), ("wrong", false)] {
        let said = all(Some(&bound), &[("PGPASSWORD", password)], "").await;
        assert_eq!(said.is_ok(), works, "{password}: {said:?}");
    }
}

#[tokio::test]
async fn what_the_url_leaves_out_comes_from_the_environment_and_the_file() {
    let stand = stand();
    let (ca, port) = (ca(stand), stand.postgres.port().to_string());
    let whole = [
        ("PGHOST", "127.0.0.1"),
        ("PGPORT", &*port),
        ("PGUSER", "over tls"),
        ("PGDATABASE", "postgres"),
        ("PGSSLMODE", "verify-full"),
        ("PGSSLROOTCERT", &*ca),
    ];
    let said = all(None, &whole, "").await;
    assert!(said.is_ok(), "{said:?}");
    let mut plain = whole;
    plain[4].1 = "disable";
    assert!(all(None, &plain, "").await.is_err());
    // The server of the file, with its TLS.
    let who = [("PGUSER", "over tls"), ("PGDATABASE", "postgres")];
    let said = all(None, &who, &stand.upstream_tls()).await;
    assert!(said.is_ok(), "{said:?}");
    let said = all(None, &who, "[upstream.tls]\nmode = \"disable\"\n").await;
    assert!(said.is_err(), "{said:?}");
    // A word that names no mode weakens none.
    let (other, user) = (
        crate::authority::Authority::new(),
        "user='over tls' dbname=postgres",
    );
    let other = other.ca().display().to_string();
    for (ca, works) in [(&ca, true), (&other, false)] {
        let words = format!("{user} sslrootcert={ca}");
        let said = all(
            Some(&words),
            &[("PGUSER", "over tls")],
            &stand.upstream_tls(),
        )
        .await;
        assert_eq!(said.is_ok(), works, "{ca}: {said:?}");
    }
    // A port names a server of its own, and a socket in front takes nothing from the hosts behind it.
    let mut elsewhere = plain.to_vec();
    elsewhere.retain(|(name, _)| *name != "PGHOST");
    let said = all(None, &elsewhere, &stand.upstream_tls()).await;
    assert!(said.is_err(), "{said:?}");
    for (mode, works) in [("disable", false), ("require", true)] {
        let list =
            format!("host=/nowhere,127.0.0.1 port={port},{port} user='over tls' dbname=postgres");
        let said = all(Some(&format!("{list} sslmode={mode}")), &[], "").await;
        assert_eq!(said.is_ok(), works, "{mode}: {said:?}");
    }
    // Nobody is named.
    let said = run(&commands("", "")[3], None, &[]).await;
    assert!(said.unwrap_err().contains("which database?"));
    // A password file, if it is nobody else's to read.
    let file = stand.file(&format!("# ours\n127.0.0.1:{port}:*:{SCRAM}:secret\n"));
    let variables = [("PGPASSFILE", file.to_str().unwrap())];
    for (mode, works) in [(0o600, true), (0o640, false)] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let said = all(Some(&url(SCRAM, "sslmode=require")), &variables, "").await;
        assert_eq!(said.is_ok(), works, "{mode:o}: {said:?}");
    }
}
