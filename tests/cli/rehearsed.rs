//! `pgveil rehearse` over what a real server has recorded, and over the statements of the corpus:
//! its verdicts are those of `pgveil explain`, and no literal is in what it prints.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use pgveil::postgres::{Options, Postgres};
use serde_json::Value;
use tokio_postgres::NoTls;

use super::{create, folder};

fn program(url: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_pgveil"));
    program.env("DATABASE_URL", url).current_dir(folder());
    program.env("TWIN_KEY", "5eed".repeat(16));
    program
}

/// The report on a source.
fn rehearse(url: &str, config: &str, from: &str) -> Value {
    let arguments = ["rehearse", "--format", "json", "-c", config, "--from", from];
    let output = program(url).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((said.as_str(), output.status.code()), ("", Some(0)));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(!printed.contains("secret"), "{printed}");
    serde_json::from_str(&printed).unwrap()
}

/// How often a statement was called that needs something, by a part of its shape.
fn refused(report: &Value, part: &str) -> u64 {
    let fixes = report["fixes"].as_array().unwrap().iter();
    let statements = fixes.flat_map(|fix| fix["statements"].as_array().unwrap());
    let those = statements.filter(|one| one["statement"].as_str().unwrap().contains(part));
    those.map(|one| one["calls"].as_u64().unwrap()).sum()
}

/// A server that keeps statistics and writes both kinds of logs into a folder. Where the suites have
/// to run, only an older Postgres may do without.
async fn recording(logs: &Path) -> Option<Postgres> {
    fs::set_permissions(logs, fs::Permissions::from_mode(0o777)).unwrap();
    let options = Options::from_env()
        .setting("shared_preload_libraries", "pg_stat_statements")
        .setting("pg_stat_statements.track", "all")
        .setting("logging_collector", "on")
        .setting("log_destination", "csvlog,jsonlog")
        .setting("log_directory", logs.to_str().unwrap())
        .setting("log_filename", "log")
        .setting("log_file_mode", "0644")
        .setting("log_statement", "all");
    match Postgres::start(&options) {
        Ok(postgres) => Some(postgres),
        Err(error) => {
            let required = ["CI", "PGVEIL_REQUIRE_CONTAINERS"];
            let is_required = required.iter().any(|name| std::env::var_os(name).is_some());
            assert!(!is_required || version().await < 15, "{error}");
            eprintln!("skipped: this Postgres has no pg_stat_statements, or no jsonlog");
            None
        }
    }
}

/// The major version of the Postgres that the suites run on.
async fn version() -> i32 {
    let postgres = Postgres::start(&Options::from_env()).expect("a Postgres");
    let url = postgres.url("postgres");
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let question = "SELECT current_setting('server_version_num')::int4 / 10000";
    let row = client.query_one(question, &[]).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    row.get(0)
}

/// Statements as an application sends them: some are ready, one is not, and one of those that run
/// inside of another would not be.
async fn work(url: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client
        .batch_execute("CREATE EXTENSION pg_stat_statements")
        .await
        .unwrap();
    for _ in 0..3 {
        let text = "SELECT name FROM users WHERE name = 'secret' -- secret";
        client.batch_execute(text).await.unwrap();
    }
    for _ in 0..2 {
        let text = "SELECT md5(id::text || 'secret') FROM users";
        client.batch_execute(text).await.unwrap();
    }
    client
        .query(
            "SELECT id FROM users WHERE name = $1 AND now() > now() - interval '1 day'",
            &[&"secret"],
        )
        .await
        .unwrap();
    let text = "DO $$ BEGIN PERFORM md5(id::text || 'nested') FROM users; END $$";
    client.batch_execute(text).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
}

#[tokio::test]
async fn what_a_server_has_recorded_is_judged_without_its_literals() {
    let logs = tempfile::tempdir().unwrap();
    let Some(postgres) = recording(logs.path()).await else {
        return;
    };
    let url = create(&postgres, "shop").await;
    work(&url).await;
    let csv = logs.path().join("log.csv");
    let json = logs.path().join("log.json");
    // The role that has sent all of it is rewritten by one configuration, and not by the other.
    let bypassed = fs::read_to_string(folder().join("pgveil.toml")).unwrap();
    let role = postgres.superuser();
    let bypassed = format!("{bypassed}\n[policy]\nbypass_roles = [\"{role}\"]\n");
    let file = logs.path().join("bypassed.toml");
    fs::write(&file, bypassed).unwrap();
    for from in [
        "pg_stat_statements",
        csv.to_str().unwrap(),
        json.to_str().unwrap(),
    ] {
        let report = rehearse(&url, file.to_str().unwrap(), from);
        assert_eq!(report["calls"], 0, "{report:#}");
        let report = rehearse(&url, "pgveil.toml", from);
        assert_eq!(refused(&report, "md5("), 2, "{report:#}");
        assert_eq!(refused(&report, "FROM users WHERE"), 0, "{report:#}");
        assert_eq!(report["fixes"][0]["code"], "expression", "{report:#}");
        assert!(
            report["ready"]["calls"].as_u64().unwrap() >= 4,
            "{report:#}"
        );
    }
    for (least, status) in [("10", 0), ("99.9", 1)] {
        let arguments = ["rehearse", "-c", "pgveil.toml", "--fail-under", least];
        let output = program(&url).args(arguments).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(status), "{printed}");
        assert!(!printed.contains("secret"), "{printed}");
    }
}

/// However a literal is written, and wherever the statement can't be read. What is no log at all is
/// an error.
#[tokio::test]
async fn no_spelling_of_a_literal_is_printed() {
    let postgres = Postgres::start(&Options::from_env()).expect("a Postgres");
    let url = create(&postgres, "shop").await;
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("sent.sql");
    let literals = [
        "'secret'",
        "'it''s secret'",
        "E'it\\'s secret'",
        "E'secret\\x21'",
        "U&'secret\\0021'",
        "'secret '\n  'of two lines'",
        "$$it's secret$$",
        "$secret$a$secret$",
    ];
    let texts = literals.map(|literal| {
        format!(
            "SELECT id FROM users WHERE name = {literal} {literal};\nSELECT id FROM users WHERE id = {literal};\n\
             SELECT \"it's secret\" FROM users"
        )
    });
    fs::write(&file, texts.join(";\n")).unwrap();
    let report = rehearse(&url, "pgveil.toml", file.to_str().unwrap());
    assert_eq!(refused(&report, "name = ? ?"), 8, "{report:#}");

    let log = place.path().join("postgresql.log");
    let line = "2026-01-01 00:00:00 UTC [7] LOG:  statement: SELECT 'secret'\n";
    fs::write(&log, line).unwrap();
    let arguments = [
        "rehearse",
        "-c",
        "pgveil.toml",
        "--from",
        log.to_str().unwrap(),
    ];
    let output = program(&url).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("csvlog") && !said.contains("secret"),
        "{said}"
    );
}

/// Every so many statements of the corpus, as far as they are single ones.
fn sample() -> Vec<String> {
    let corpus = include_str!("../corpus/statements.jsonl");
    let statements = corpus.lines().step_by(9).map(|line| {
        let statement: Value = serde_json::from_str(line).unwrap();
        statement["sql"].as_str().unwrap().to_owned()
    });
    statements
        .map(|sql| sql.trim_end().trim_end_matches(';').to_owned())
        .filter(|sql| !sql.is_empty() && !sql.contains(';') && !sql.contains("--"))
        .collect()
}

/// `explain` and `rehearse` refuse the same statements. What a literal is worth only `explain` says:
/// what was recorded before there were ids has keys in it.
#[tokio::test]
async fn the_corpus_is_judged_as_explain_judges_it() {
    let postgres = Postgres::start(&Options::from_env()).expect("a Postgres");
    let url = create(&postgres, "corpus").await;
    let config = fs::read_to_string(folder().join("../corpus/pgveil.toml")).unwrap();
    let config = config.replace("{upstream}", "127.0.0.1:1");
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("pgveil.toml");
    fs::write(&file, config).unwrap();
    let file = file.to_str().unwrap();
    let sample = sample();
    let sql = place.path().join("sample.sql");
    fs::write(&sql, sample.join(";\n")).unwrap();

    let mut arguments = vec!["explain", "--json", "-c", file, "--"];
    arguments.extend(sample.iter().map(String::as_str));
    let output = program(&url).args(arguments).output().unwrap();
    let explained: Value = serde_json::from_slice(&output.stdout).unwrap();
    let explained = explained.as_array().unwrap();
    let refusals = explained
        .iter()
        .filter(|one| one["verdict"] == "refuse")
        .filter(|one| one["code"] != "malformed-id" && one["code"] != "foreign-id")
        .count() as u64;

    let report = rehearse(&url, file, sql.to_str().unwrap());
    assert_eq!(report["calls"], explained.len(), "{report:#}");
    assert_eq!(refused(&report, ""), refusals, "{report:#}");
    assert!(
        refusals > 0 && refusals * 5 < explained.len() as u64,
        "{report:#}"
    );
}
