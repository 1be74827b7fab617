//! The live page: what comes with it, by HTTP; and what a browser makes of it, while a proxy works.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use pgveil::postgres::{Options, Postgres};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio_postgres::{Client, Config, NoTls};

use super::http::{get, request, send};
use super::metrics::replicate;
use super::{Serve, ask, connect, free_port};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const PARTS: [(&str, &str); 3] = [
    ("/", "text/html; charset=utf-8"),
    ("/live.css", "text/css; charset=utf-8"),
    ("/live.js", "text/javascript; charset=utf-8"),
];
pub(super) const KEY: i64 = 8_613_972_450_000_001;

/// All that it is made of has its type and the rules for browsers, and leads nowhere else.
#[tokio::test]
async fn the_page_comes_with_its_rules_and_leads_nowhere() {
    let (listen, probes) = (free_port(), free_port());
    let admin =
        format!("[admin]\nlisten = \"127.0.0.1:{listen}\"\nprobes = \"127.0.0.1:{probes}\"\n");
    let _serve = Serve::start_with(1, &admin).await;
    let mut bytes = 0;
    for (path, content_type) in PARTS {
        let part = get(listen, path);
        assert_eq!(part.status, 200, "{path}");
        for line in [
            format!("content-type: {content_type}"),
            "x-content-type-options: nosniff".to_owned(),
            "referrer-policy: no-referrer".to_owned(),
            "cache-control: no-store".to_owned(),
            "cross-origin-resource-policy: same-origin".to_owned(),
        ] {
            assert!(part.head.contains(&line), "{path}: {}", part.head);
        }
        let policy = policy(&part.head);
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        for word in ["unsafe", "data:", "http", "*"] {
            assert!(!policy.contains(word), "{policy}");
        }
        for rule in [
            "script-src 'self'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "trusted-types 'none'",
        ] {
            assert!(policy.contains(rule), "{policy}");
        }
        let text = part.body.replace("http://www.w3.org/2000/svg", "");
        for word in [
            "://",
            "//cdn",
            "@import",
            "url(",
            "<style",
            "style=",
            " onclick",
            "innerHTML",
            "eval(",
        ] {
            assert!(!text.contains(word), "{path} has {word}");
        }
        bytes += part.body.len();
        assert_eq!(get(probes, path).status, 404, "{path}");
        let post = send(listen, &request("POST", path, &[], ""));
        assert_eq!(post.status, 405, "{path}");
        let rebound = send(
            listen,
            &request("GET", path, &["Host: rebound.example"], ""),
        );
        assert_eq!(rebound.status, 403, "{path}");
        let origin = request("GET", path, &["Origin: http://rebound.example"], "");
        assert_eq!(send(listen, &origin).status, 403, "{path}");
    }
    assert!(bytes < 40_000, "{bytes} bytes");
    // Scripts are those of the endpoint, and nothing is in the markup to run.
    let page = get(listen, "/").body;
    let scripts: Vec<&str> = page.split("<script").skip(1).collect();
    assert_eq!(scripts.len(), 1);
    assert!(scripts[0].starts_with(" src=\"/live.js\" defer></script>"));
    // The rules are for documents too: a browser may be led to one.
    let status = get(listen, "/v1/status");
    assert!(policy(&status.head).starts_with("default-src 'none'"));
    assert!(status.head.contains("x-content-type-options: nosniff"));
}

fn policy(head: &str) -> &str {
    let mut lines = head.lines();
    let line = lines.find_map(|line| line.strip_prefix("content-security-policy: "));
    line.unwrap_or_default()
}

/// The page asks for the token by itself; so it is shown before, and has nothing to tell then.
#[tokio::test]
async fn the_page_is_shown_before_the_token_and_its_numbers_are_not() {
    let listen = free_port();
    let admin = format!("[admin]\nlisten = \"127.0.0.1:{listen}\"\ntoken_file = \"admin.token\"\n");
    let _serve = Serve::start_with(1, &admin).await;
    for (path, _) in PARTS {
        let remote = request("GET", path, &["Host: proxy.example"], "");
        assert_eq!(send(listen, &remote).status, 200, "{path}");
    }
    assert_eq!(get(listen, "/v1/status").status, 401);
    let script = get(listen, "/live.js").body;
    for path in script.split('"').filter(|word| word.starts_with("/v1/")) {
        assert_eq!(get(listen, path).status, 401, "{path}");
    }
    assert_eq!(get(listen, "/live.html").status, 404);
}

/// What the page shows of a proxy at work, to a real browser.
#[tokio::test]
async fn a_browser_shows_what_goes_on() {
    let Some(browser) = browser() else { return };
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let (serve, listen) = busy(&postgres).await;
    let mut work = work(&serve).await;
    let writes = std::env::var_os("BLESS").is_some();
    let seconds = if writes { 50 } else { 5 };
    let folder = root().join("docs/images");
    let mut look = tokio::process::Command::new("node");
    look.arg(packages().join("look.mjs"))
        .arg(browser)
        .args([&format!("http://127.0.0.1:{listen}/"), TOKEN])
        .arg(seconds.to_string());
    if writes {
        std::fs::create_dir_all(&folder).unwrap();
        look.arg(&folder);
    }
    let output = tokio::time::timeout(Duration::from_secs(180), look.output());
    let output = output.await.unwrap().unwrap();
    work.abort_all();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    judge(&found);
}

fn judge(found: &Value) {
    assert_eq!(found["locked"], true);
    assert_eq!(found["wrong"], "This is not the token.");
    // At 360 pixels too, nothing is wider than the page.
    assert_eq!(found["overflows"], Value::Array(Vec::new()));
    let ground = |name: &str| found["grounds"][name].as_str().unwrap().to_owned();
    assert_ne!(ground("live-light"), ground("live-dark"));
    assert_eq!(ground("live-dark"), ground("live-360-dark"));
    for (section, words) in [
        ("state", &["serving, ready, up"][..]),
        ("ready", &["ok listening", "ok upstream"]),
        ("tiles", &["3 enforce", "1 audit", "Refused/s"]),
        ("codes", &["expression"]),
        ("turned-away", &["replication"]),
        (
            "refused",
            &["SELECT md5(id::text) FROM users", "would refuse"],
        ),
        ("domains", &["public.users.id", "public.orders.id"]),
        ("keys", &["old", "current"]),
        ("catalogs", &["postgres", "ago"]),
        ("hosts", &["127.0.0.1:", "up"]),
        // Names are text, whatever they look like.
        ("sessions", &["<img src=x onerror=alert(1)>", "web", "idle"]),
    ] {
        let text = found["text"][section].as_str().unwrap();
        for word in words {
            assert!(text.contains(word), "{section} has no {word}: {text}");
        }
        assert!(!text.contains(&KEY.to_string()), "{section}: {text}");
        assert!(!text.contains("secret"), "{section}: {text}");
    }
    assert_eq!(found["images"], 0);
    assert_eq!(found["markup"], "TypeError");
    assert_eq!(found["stranger"], "TypeError");
    assert_eq!(found["inline"], false);
    assert_eq!(found["paused"], true);
    let away = found["away"].as_str().unwrap();
    assert!(away.contains("does not answer"), "{away}");
    assert_eq!(found["said"], Value::Array(Vec::new()));
    let asked: Vec<&str> = found["asked"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let known = [
        "GET /",
        "GET /favicon.ico",
        "GET /live.css",
        "GET /live.js",
        "GET /readyz",
        "GET /v1/keys",
        "GET /v1/sessions",
        "GET /v1/statements",
        "GET /v1/status",
        // What the policy has stopped.
        "GET http://127.0.0.1:1/",
    ];
    for request in asked {
        assert!(known.contains(&request), "{request}");
    }
}

/// A proxy with two domains, of which one role is audited.
pub(super) async fn busy(postgres: &Postgres) -> (Serve, u16) {
    let inside = connect(&postgres.url("postgres")).await;
    let tables = format!(
        "CREATE TABLE users (id bigint PRIMARY KEY, name text);
         INSERT INTO users VALUES ({KEY}, 'secret'), ({KEY} + 1, 'ben');
         CREATE TABLE orders (id bigint PRIMARY KEY, user_id bigint REFERENCES users);
         INSERT INTO orders SELECT {KEY} + n, {KEY} + n % 2 FROM generate_series(1, 100) n;
         CREATE ROLE reports LOGIN; GRANT SELECT ON users, orders TO reports;"
    );
    inside.batch_execute(&tables).await.unwrap();
    let listen = free_port();
    let more = format!(
        "[[id]]\nname = \"order\"\ncolumn = \"public.orders.id\"\n\
         [[policy.rule]]\nroles = [\"reports\"]\nmode = \"audit\"\n\
         [admin]\nlisten = \"127.0.0.1:{listen}\"\ntoken_file = \"admin.token\"\n"
    );
    (Serve::start_with(postgres.port(), &more).await, listen)
}

async fn client(port: u16, role: &str, application: &str) -> Client {
    let mut config = Config::new();
    config.host("127.0.0.1").port(port).user(role);
    config.dbname("postgres").application_name(application);
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(async {
        let _ = connection.await;
    });
    client
}

/// Clients of several kinds that do not stop.
pub(super) async fn work(serve: &Serve) -> JoinSet<()> {
    let mut clients = JoinSet::new();
    replicate(serve.port);
    let idle = client(serve.port, "postgres", "<img src=x onerror=alert(1)>").await;
    for (role, application, statements) in [
        (
            "postgres",
            "web",
            &[
                "SELECT id, name FROM users WHERE name = 'secret'",
                "SELECT id, user_id FROM orders",
                "SELECT 1",
            ][..],
        ),
        (
            "postgres",
            "worker",
            &[
                "SELECT count(*) FROM orders",
                "SELECT md5(id::text) FROM users",
            ],
        ),
        (
            "reports",
            "reports",
            &[
                "SELECT sum(id) FROM orders",
                "SELECT user_id, count(*) FROM orders GROUP BY user_id",
            ],
        ),
    ] {
        let client = client(serve.port, role, application).await;
        clients.spawn(async move {
            for turn in 0_u64.. {
                let _ = client
                    .simple_query(statements[turn as usize % statements.len()])
                    .await;
                // Never the same pace, so that a snapshot has something to show.
                tokio::time::sleep(Duration::from_millis(20 + 13 * (turn / 40 % 7))).await;
            }
        });
    }
    clients.spawn(async move {
        let id = ask(&idle, "SELECT id FROM users ORDER BY id")
            .await
            .unwrap();
        let named = format!("SELECT name FROM users WHERE id = '{id}'");
        loop {
            ask(&idle, &named).await.unwrap();
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
    });
    clients
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn packages() -> PathBuf {
    root().join("tests/cli_serve/browser")
}

fn runs(program: &str) -> bool {
    let mut version = Command::new(program);
    version
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// A browser, with what leads it; without one of the two the test is skipped aloud.
fn browser() -> Option<String> {
    let named = std::env::var("PGVEIL_CHROMIUM").ok();
    let known = ["chromium", "google-chrome"].map(str::to_owned);
    let found = named.into_iter().chain(known).find(|name| runs(name));
    let found = found.and_then(|name| which(&name)).filter(|_| runs("npm"));
    if found.is_none() {
        let required = std::env::var_os("PGVEIL_REQUIRE_BROWSER").is_some();
        assert!(!required, "there is no Chromium, or no npm");
        eprintln!("skipped: there is no Chromium, or no npm");
        return None;
    }
    if !packages().join("node_modules/.package-lock.json").exists() {
        let mut install = Command::new("npm");
        install.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
        let output = install.current_dir(packages()).output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    found
}

/// Where a program is.
fn which(name: &str) -> Option<String> {
    let shell = Command::new("sh")
        .args(["-c", "command -v \"$0\"", name])
        .output()
        .ok()?;
    let path = String::from_utf8(shell.stdout).ok()?;
    Some(path.trim().to_owned()).filter(|path| !path.is_empty())
}
