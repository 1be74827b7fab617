//! The command line in transcripts: `tests/cli/*.txt` hold commands behind `$` and what they
//! print, standard error behind standard output, and the exit status unless it is 0.
//!
//! `BLESS=1 cargo test --test cli` writes what is printed now into the files.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that panics has failed, and one that is skipped says so"
)]

#[path = "cli/discovered.rs"]
mod discovered;
#[path = "cli/paged.rs"]
mod paged;
#[path = "cli/rehearsed.rs"]
mod rehearsed;
#[path = "cli/sampled.rs"]
mod sampled;
#[path = "cli/settings.rs"]
mod settings;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pgveil::postgres::{Options, Postgres};
use tokio_postgres::NoTls;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

/// The databases of the transcripts.
struct Urls {
    /// `DATABASE_URL`: fits the configuration.
    shop: String,
    /// `MESSY_URL`: does not.
    messy: String,
    /// `CORPUS_URL`: what the corpus of statements is about.
    corpus: String,
    /// `MARKET_URL`: has keys in every manner.
    market: String,
    /// `SAMPLED_URL`: has keys in its rows, and a role that may not read all of them.
    sampled: String,
}

/// Runs a command of a transcript.
fn run(command: &str, urls: Option<&Urls>) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_pgveil"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .current_dir(folder())
        .env("PATH", path);
    shell.env_remove("DATABASE_URL");
    if let Some(urls) = urls {
        shell
            .env("DATABASE_URL", &urls.shop)
            .env("MESSY_URL", &urls.messy)
            .env("CORPUS_URL", &urls.corpus)
            .env("MARKET_URL", &urls.market)
            .env("SAMPLED_URL", &urls.sampled);
    }
    let output = shell.output().expect("sh");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let mut printed = text(output.stdout) + &text(output.stderr);
    let status = output.status.code().expect("an exit status");
    if status != 0 {
        writeln!(printed, "[exit {status}]").unwrap();
    }
    printed
}

/// Compares a transcript with what its commands print now.
fn check(name: &str, urls: Option<&Urls>) {
    let file = folder().join(name);
    let expected = fs::read_to_string(&file).unwrap();
    let commands = expected.lines().filter_map(|line| line.strip_prefix("$ "));
    let runs: Vec<String> = commands
        .map(|command| format!("$ {command}\n{}", run(command, urls)))
        .collect();
    let printed = runs.join("\n");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, printed).unwrap();
        return;
    }
    let differs = expected
        .lines()
        .zip(printed.lines())
        .find(|(old, new)| old != new);
    assert!(expected == printed, "{name}: {differs:?}\n{printed}");
}

#[test]
fn commands_that_need_no_database_print_what_the_transcript_says() {
    check("offline.txt", None);
}

/// The words of a help that begin with two hyphens at the begin of a line, and the first words behind
/// a heading.
fn options_and_commands(help: &str) -> (Vec<String>, Vec<String>) {
    let options = help.lines().filter_map(|line| {
        let word = line.trim_start().trim_start_matches([',', ' ']);
        let word = word
            .split_once("--")
            .filter(|(before, _)| before.len() < 5)?
            .1;
        let end = word.find(|c: char| !c.is_ascii_alphabetic() && c != '-');
        Some(word[..end.unwrap_or(word.len())].to_owned())
    });
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| line.starts_with("  "));
    let commands = listed.filter_map(|line| line.split_whitespace().next());
    let commands = commands
        .filter(|command| *command != "help")
        .map(str::to_owned);
    (options.collect(), commands.collect())
}

#[test]
fn completions_and_manual_pages_have_what_the_help_has() {
    let pages = tempfile::tempdir().unwrap();
    let folder = pages.path().display();
    assert_eq!(run(&format!("pgveil man {folder}"), None), "");
    let page = |name: &str| fs::read_to_string(pages.path().join(name)).expect("a page");
    assert_eq!(page("pgveil.1"), run("pgveil man", None));
    let scripts = ["bash", "zsh", "fish", "nu"];
    let scripts = scripts.map(|shell| (shell, run(&format!("pgveil completions {shell}"), None)));
    let (_, commands) = options_and_commands(&run("pgveil --help", None));
    assert!(commands.len() > 10, "{commands:?}");
    let mut count = 0;
    for command in &commands {
        let (options, _) = options_and_commands(&run(&format!("pgveil {command} --help"), None));
        let manual = page(&format!("pgveil-{command}.1"));
        for (shell, script) in &scripts {
            assert!(script.contains(command), "{command} in {shell}");
            for option in &options {
                let written = match *shell {
                    "fish" => format!("-l {option}"),
                    _ => format!("--{option}"),
                };
                assert!(script.contains(&written), "{command} --{option} in {shell}");
            }
        }
        for option in &options {
            let written = format!("--{option}").replace('-', "\\-");
            assert!(manual.contains(&written), "--{option} in that of {command}");
        }
        count += options.len();
    }
    assert!(count > 40, "{count}");
}

/// Creates a database with the tables of a file.
async fn create(postgres: &Postgres, name: &str) -> String {
    let schema = match name {
        "corpus" => folder().join("../corpus/schema_bigint.sql"),
        _ => folder().join(format!("{name}.sql")),
    };
    for (database, sql) in [
        ("postgres", format!("CREATE DATABASE {name}")),
        (name, fs::read_to_string(schema).unwrap()),
    ] {
        let url = postgres.url(database);
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(&sql).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
    }
    postgres.url(name)
}

async fn databases() -> (Postgres, Urls) {
    let postgres = Postgres::start(&Options::from_env()).expect("a Postgres");
    let urls = Urls {
        shop: create(&postgres, "shop").await,
        messy: create(&postgres, "messy").await,
        corpus: create(&postgres, "corpus").await,
        market: create(&postgres, "market").await,
        sampled: String::new(),
    };
    (postgres, urls)
}

#[tokio::test]
async fn check_and_explain_print_what_the_transcript_says() {
    let (_postgres, urls) = databases().await;
    check("live.txt", Some(&urls));
    check("why.txt", Some(&urls));
}

#[tokio::test]
async fn discover_and_rehearse_print_what_the_transcript_says() {
    let (_postgres, urls) = databases().await;
    check("discover.txt", Some(&urls));
    check("rehearse.txt", Some(&urls));
    for url in [&urls.corpus, &urls.market] {
        discovered::is_complete(url);
        discovered::is_native(url);
        discovered::is_loud_on_what_is_new(url).await;
    }
    discovered::is_not_appeased(&urls.market);
    discovered::is_served(&urls.market, "market").await;
}

#[test]
fn the_demo_ends_well_and_leaves_no_process_behind() {
    let printed = run("pgveil demo --once", None);
    assert!(
        printed.contains("6. What would carry a key past the proxy is refused"),
        "{printed}"
    );
    assert!(!printed.contains("[exit"), "{printed}");
    let (_, port) = printed
        .split_once("Postgres is at 127.0.0.1:")
        .expect("an address");
    let port: u16 = port.split(' ').next().unwrap().parse().unwrap();
    assert!(
        std::net::TcpStream::connect(("127.0.0.1", port)).is_err(),
        "Postgres still runs"
    );
}

#[tokio::test]
async fn a_sample_shows_columns_and_paths_with_keys() {
    let (postgres, mut urls) = databases().await;
    let owner = create(&postgres, "sampled").await;
    let with = if owner.contains('?') { '&' } else { '?' };
    urls.sampled = format!("{owner}{with}options=-c%20role%3Dreader");
    check("sample.txt", Some(&urls));
    sampled::shows_no_value(&urls.sampled);
    sampled::is_of_large_tables_too(&urls.sampled, &owner).await;
}
