//! What `pgveil discover` writes, as a configuration: `check` finds it sound and complete, also with
//! all guesses, and a proxy that has it shows ids in the place of keys.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use tokio_postgres::NoTls;

const PATIENCE: Duration = Duration::from_secs(20);
const KEY: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";

/// What is said of a configuration that leaves nothing open.
const DECIDED: &str = " has decided on every column that could show keys.\n";

/// A folder with configurations for one database.
pub(super) struct Stand {
    folder: TempDir,
    url: String,
}

impl Stand {
    pub(super) fn new(url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = url.to_owned();
        Self { folder, url }
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_pgveil"));
        program
            .args(arguments)
            .env("DATABASE_URL", &self.url)
            .env("PGVEIL_KEY", KEY);
        program
    }

    /// What a command prints, and its exit status.
    fn run(&self, arguments: &[&str]) -> (String, Option<i32>) {
        let output = self.program(arguments).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, "", "{arguments:?}");
        (printed, output.status.code())
    }

    fn discover(&self, arguments: &[&str]) -> String {
        let (page, status) = self.run(&[&["discover"], arguments].concat());
        // There is something to decide on, unless all is decided.
        let decided = page.ends_with(DECIDED);
        assert_eq!(status, Some(i32::from(!decided)), "{page}");
        page
    }

    fn write(&self, name: &str, page: &str) -> PathBuf {
        let file = self.folder.path().join(name);
        fs::write(&file, page).unwrap();
        file
    }

    /// The findings of `check`, as JSON has them.
    fn findings(&self, file: &Path) -> Vec<Value> {
        let file = file.to_str().unwrap();
        let (report, status) = self.run(&["check", "--json", "-c", file]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let findings = report["findings"].as_array().unwrap().clone();
        assert_eq!(report["fits"], findings.is_empty());
        assert_eq!(status, Some(i32::from(!findings.is_empty())));
        findings
    }

    /// The columns of the findings, without quotes in their names.
    fn open(&self, file: &Path) -> BTreeSet<String> {
        let findings = self.findings(file);
        let columns = findings.iter().map(|finding| &finding["column"]);
        columns
            .map(|name| name.as_str().unwrap().replace('"', ""))
            .collect()
    }

    /// A proxy with a configuration, and where it listens.
    fn serve(&self, file: &Path) -> (Serve, u16) {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let text = fs::read_to_string(file).unwrap();
        let text = text.replace("127.0.0.1:6432", &format!("127.0.0.1:{port}"));
        let file = self.write("served.toml", &text);
        let mut program = self.program(&["serve", "-c", file.to_str().unwrap()]);
        let quiet = program.stdin(Stdio::null()).stderr(Stdio::null());
        (Serve(quiet.spawn().unwrap()), port)
    }
}

/// A proxy; gone with its owner.
struct Serve(Child);

impl Drop for Serve {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The page with its guesses taken for certain, or else with the keys of several tables that are told
/// by names; the columns of these are not left as they are.
fn uncommented(page: &str, pairs: bool) -> String {
    const PAIR: &str = "# [[polymorphic]]";
    let is_named = |block: &&str| block.starts_with(PAIR) && block.contains("[polymorphic.ids]");
    let named: Vec<&str> = page.split("\n\n").filter(is_named).collect();
    let columns = named.iter().filter_map(|block| block.lines().nth(1));
    let columns: Vec<&str> = columns.filter_map(|line| line.split('"').nth(1)).collect();
    let is_kept = |line: &&str| !pairs || !columns.iter().any(|of| line.contains(of));
    let blocks = page
        .split("\n\n")
        .map(|block| match block.starts_with(PAIR) {
            true if pairs && named.contains(&block) => {
                block.replace("\n# ", "\n").replace(PAIR, &PAIR[2..])
            }
            true => block.to_owned(),
            false => certain(&block.lines().filter(is_kept).collect::<Vec<_>>()),
        });
    blocks.collect::<Vec<_>>().join("\n\n")
}

/// Lines with their guesses taken for certain.
fn certain(lines: &[&str]) -> String {
    let settings = [
        "[[id]]",
        "name = ",
        "column = ",
        "key_form = ",
        "versions = ",
        "references = ",
        "]",
    ];
    let line = |line: &str| match line.trim_start().strip_prefix("# ") {
        Some(rest) if settings.iter().any(|setting| rest.starts_with(setting)) => rest.to_owned(),
        Some(rest) if rest.trim_start().starts_with('"') => rest.to_owned(),
        _ => line.to_owned(),
    };
    let lines: Vec<String> = lines.iter().map(|text| line(text)).collect();
    lines.join("\n")
}

/// Each column that is commented out, as `check` writes it.
fn commented(page: &str) -> BTreeSet<String> {
    let names = page.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("column = ").unwrap_or(rest);
        let quoted = rest.strip_prefix('"')?.replace("\\\"", "");
        quoted.split_once('"').map(|(name, _)| name.to_owned())
    });
    names.collect()
}

/// The page decides on everything, once what it has commented out is decided on: by uncommenting
/// it, or by leaving it as it is.
pub(super) fn is_complete(url: &str) {
    let stand = Stand::new(url);
    let page = stand.discover(&[]);
    let file = stand.write("pgveil.toml", &page);
    let open = stand.open(&file);
    assert_eq!(open, commented(&page), "{page}");

    let whole = stand.write("whole.toml", &uncommented(&page, false));
    assert_eq!(stand.open(&whole), BTreeSet::new());
    let paired = stand.write("paired.toml", &uncommented(&page, true));
    assert_eq!(stand.open(&paired), BTreeSet::new());

    let news = stand.discover(&["--against", file.to_str().unwrap()]);
    assert_eq!(commented(&news), open, "{news}");
    let news = stand.discover(&["--against", whole.to_str().unwrap()]);
    assert!(
        news.ends_with("has decided on every column that could show keys.\n"),
        "{news}"
    );
}

/// What follows a key says nothing of it, and neither does one of two keys of the other.
pub(super) fn is_not_appeased(url: &str) {
    let stand = Stand::new(url);
    let page = |plain: &str| {
        format!(
            "upstream = {{ address = \"h:1\" }}\nkeys = {{ current = \"a\", ring = {{ a = {{ env = \"PGVEIL_KEY\" }} }} }}\n\
             [[id]]\nname = \"customer\"\ncolumn = \"public.customers.id\"\n\
             [check]\nplain = [\"{plain}\"]\n"
        )
    };
    let follower = stand.write("follower.toml", &page("public.profiles.user_id"));
    let open = stand.open(&follower);
    for key in ["public.users.id", "public.former_customers.id"] {
        assert!(open.contains(key), "{key} {open:?}");
    }
    assert!(!open.contains("public.profiles.user_id"), "{open:?}");
    let open = stand.open(&stand.write("key.toml", &page("public.users.id")));
    for column in [
        "public.users.id",
        "public.profiles.user_id",
        "public.carts.user_id",
    ] {
        assert!(!open.contains(column), "{column} {open:?}");
    }
}

/// Native ids fit every column too.
pub(super) fn is_native(url: &str) {
    let stand = Stand::new(url);
    let page = stand.discover(&["--ids", "native"]);
    assert!(page.contains("codec = \"ff1\""), "{page}");
    let file = stand.write("native.toml", &page);
    for finding in stand.findings(&file) {
        assert_ne!(finding["code"], "misfit", "{finding}");
        assert_ne!(finding["code"], "unshowable-key", "{finding}");
    }
}

/// What is new in the database is found, and nothing else.
pub(super) async fn is_loud_on_what_is_new(url: &str) {
    let stand = Stand::new(url);
    let page = uncommented(&stand.discover(&[]), false);
    let file = stand.write("pgveil.toml", &page);
    assert_eq!(stand.open(&file), BTreeSet::new());
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let table =
        "CREATE TABLE refunds (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, amount int)";
    client.batch_execute(table).await.unwrap();
    assert_eq!(
        stand.open(&file),
        BTreeSet::from(["public.refunds.id".to_owned()])
    );
    let plain = page.replace("plain = [", "plain = [\"public.refunds.id\",");
    assert_ne!(plain, page);
    assert_eq!(
        stand.open(&stand.write("plain.toml", &plain)),
        BTreeSet::new()
    );
    client.batch_execute("DROP TABLE refunds").await.unwrap();
    let findings = stand.findings(&stand.folder.path().join("plain.toml"));
    assert_eq!(findings[0]["code"], "plain", "{findings:?}");
    drop(client);
    connection.await.unwrap().unwrap();
}

/// A proxy with the page shows ids, the same for a key and for what refers to it.
pub(super) async fn is_served(url: &str, database: &str) {
    let stand = Stand::new(url);
    let file = stand.write("pgveil.toml", &stand.discover(&[]));
    let (_serve, port) = stand.serve(&file);
    let url = format!("postgres://postgres@127.0.0.1:{port}/{database}");
    let started = Instant::now();
    let (client, connection) = loop {
        match tokio_postgres::connect(&url, NoTls).await {
            Ok(pair) => break pair,
            Err(error) => assert!(started.elapsed() < PATIENCE, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let connection = tokio::spawn(connection);
    let row = client
        .query_one(
            "WITH u AS (INSERT INTO users (email) VALUES ('ann@x.io') RETURNING id)
             INSERT INTO carts (user_id) SELECT id FROM u RETURNING id::text, user_id::text",
            &[],
        )
        .await
        .unwrap();
    let (cart, user): (String, String) = (row.get(0), row.get(1));
    assert!(
        cart.len() == 36 && user.len() == 36 && cart != user,
        "{cart} {user}"
    );
    let query =
        "SELECT u.id::text FROM carts c JOIN users u ON u.id = c.user_id WHERE c.id::text = $1";
    let row = client.query_one(query, &[&cart]).await.unwrap();
    assert_eq!(row.get::<_, String>(0), user);
    drop(client);
    connection.await.unwrap().unwrap();
}
