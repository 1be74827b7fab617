//! `pgveil rehearse --format html`: nothing of the data is markup, the page asks for nothing, and a
//! real browser shows it on a desk and on a phone, light and dark.
//!
//! `PGVEIL_CHROMIUM` names a Chromium, which is looked for otherwise; `BLESS=1` writes the snapshots of
//! `docs/images`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use super::folder;

/// The page of what a proxy has seen, which tells of it once.
fn page(seen: &Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let body = seen.to_string();
    let answers = thread::spawn(move || {
        let (mut asking, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            asking.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        let length = body.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
             connection: close\r\n\r\n"
        );
        asking.write_all((head + &body).as_bytes()).unwrap();
    });
    let arguments = ["rehearse", "--format", "html", "-c", "pgveil.toml"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_pgveil"));
    program.args(arguments).args(["--from-proxy", &url]);
    let output = program
        .env("TWIN_KEY", "5eed".repeat(16))
        .current_dir(folder())
        .output()
        .unwrap();
    answers.join().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((said.as_str(), output.status.code()), ("", Some(0)));
    let place = url.trim_start_matches("http://").to_owned();
    // The port is another one each time.
    String::from_utf8(output.stdout)
        .unwrap()
        .replace(&place, "127.0.0.1:9632")
}

fn row(shape: &str, calls: u64, needs: Option<(&str, &str)>) -> Value {
    let (code, remedy) = needs.unzip();
    json!({ "shape": shape, "calls": calls, "code": code, "remedy": remedy })
}

fn seen(statements: &[Value], unseen: &[&str], unjudged: u64) -> Value {
    json!({
        "statements": statements, "unseen_domains": unseen,
        "dropped": unjudged, "unjudged": 0, "beyond": 0,
    })
}

/// What a shop's proxy could have seen.
fn shop() -> Value {
    let show = "Select the id as a column of its own, and compute the value in the application.";
    let declare = "Declare public.owner_of in [[function]].";
    let mut statements = vec![
        row(
            "SELECT id, name, email FROM users WHERE id = $1",
            31_204_113,
            None,
        ),
        row(
            "SELECT * FROM orders WHERE user_id = $1 ORDER BY created_at DESC LIMIT ?",
            16_371_790,
            None,
        ),
        row(
            "SELECT md5(id::text) FROM users WHERE name = $1",
            402_118,
            Some(("expression", show)),
        ),
        row(
            "SELECT md5(o.user_id::text || ?) AS gravatar, o.total_cents FROM orders o JOIN users u ON u.id = \
             o.user_id WHERE o.created_at > now() - interval ? AND u.email_confirmed_at IS NOT NULL",
            31_882,
            Some(("expression", show)),
        ),
        row("SELECT owner_of($1)", 149_520, Some(("function", declare))),
        row(
            "UPDATE orders SET owner = owner_of(id) WHERE id = ANY($1)",
            412,
            Some(("function", declare)),
        ),
        row(
            "SELECT id + ? FROM orders",
            38_004,
            Some(("uuid-type", "operator does not exist: uuid + integer")),
        ),
        row(
            "SELECT ctid FROM users WHERE id = $1",
            97,
            Some(("expression", "Do without ctid.")),
        ),
    ];
    statements.extend((0..7).map(|n| {
        let shape = format!("SELECT left(id::text, ?) FROM order_{n}");
        row(&shape, 900 - n, Some(("expression", show)))
    }));
    seen(&statements, &["coupon"], 1204)
}

/// Texts that would be markup, or address something, if they were taken for more than texts.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "</code></li></style><img src=x onerror=alert(1)>",
    "\"><a href=javascript:alert(1)>x</a>",
    "' onload='alert(1)",
    "<!-- ",
    "]]> &lt;b&gt; &#60;i&#62;",
    "a<b AND c>d & e",
    "\u{202e}\u{0}\u{1b}[2J\u{2028}<svg/onload=1>",
];

/// The name of a tag, and its attributes with their values.
type Tag = (String, Vec<(String, String)>);

/// The tags of a page with their attributes, as a browser reads them, and the text between them.
fn read(html: &str) -> (Vec<Tag>, String) {
    let (mut tags, mut text) = (Vec::new(), String::new());
    let mut rest = html.strip_prefix("<!doctype html>").unwrap();
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = after.split_once('>').unwrap();
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut read = Vec::new();
        while let Some((attribute, value)) = attributes.split_once("=\"") {
            let (value, more) = value.split_once('"').unwrap();
            read.push((attribute.trim().to_owned(), value.to_owned()));
            attributes = more;
        }
        assert!(attributes.trim_matches(['/', ' ']).is_empty(), "{tag}");
        tags.push((name.to_owned(), read));
        rest = after;
    }
    text.push_str(rest);
    (tags, text)
}

#[test]
fn nothing_of_the_data_is_markup() {
    let plain = page(&seen(
        &[row("a", 1, Some(("b", "c"))), row("d", 1, None)],
        &["e"],
        1,
    ));
    let (expected, _) = read(&plain);
    for hostile in HOSTILE {
        let rows = [
            row(hostile, 1, Some((hostile, hostile))),
            row(hostile, 1, None),
        ];
        let html = page(&seen(&rows, &[hostile], 1));
        let (tags, text) = read(&html);
        assert_eq!(tags, expected, "{hostile}");
        assert!(
            !text.contains(['\u{202e}', '\u{2028}', '\u{0}', '\u{1b}']),
            "{hostile}"
        );
    }
}

#[test]
fn the_page_asks_for_nothing() {
    let html = page(&shop());
    let (tags, text) = read(&html);
    let names: BTreeSet<&str> = tags.iter().map(|(name, _)| name.as_str()).collect();
    for name in [
        "script", "img", "iframe", "object", "a", "form", "input", "base", "video",
    ] {
        assert!(!names.contains(name), "{name}");
    }
    let attributes = tags.iter().flat_map(|(_, attributes)| attributes);
    for (name, value) in attributes {
        let is_of_itself = !matches!(
            name.as_str(),
            "src" | "srcset" | "style" | "action" | "data"
        ) && !name.starts_with("on")
            && (name != "href" || value == "data:,");
        assert!(is_of_itself, "{name}=\"{value}\"");
    }
    for word in ["url(", "@import", "http:", "https:", "//"] {
        assert!(!text.contains(word), "{word}");
    }
    let policy = tags.iter().flat_map(|(_, attributes)| attributes);
    let mut policy = policy.filter(|(name, _)| name == "content");
    assert!(policy.any(|(_, value)| value.starts_with("default-src 'none'; style-src 'sha256-")));
    assert!(html.len() < 200 << 10);
}

/// The numbers that must be seen, in their order.
const SEEN: [&str; 13] = [
    "proxy at 127.0.0.1:9632",
    "98.69 % of calls ready",
    "13.33 % of statements ready",
    "2 of 15",
    "4 fixes would make the rest ready",
    "+0.91 % of calls, +60.00 % of statements: then 99.60 % of calls are ready",
    "9 statements, 440\u{202f}279 calls, code expression",
    "402\u{202f}118 SELECT md5(id::text) FROM users WHERE name = $1",
    "4 more statements",
    "+0.31 % of calls, +13.33 % of statements: then 99.92 % of calls are ready",
    "+0.07 % of calls, +6.66 % of statements: then 99.99 % of calls are ready",
    "1\u{202f}204 statements that passed without being judged",
    "No statement has carried an id of coupon",
];

#[test]
fn the_page_has_what_each_fix_brings() {
    let (_, text) = read(&page(&shop()));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = text.as_str();
    for part in SEEN {
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((_, behind)) = rest.split_once(&part) else {
            panic!("{part} is not in {rest}");
        };
        rest = behind;
    }
    let (_, text) = read(&page(&seen(&[], &[], 0)));
    assert!(text.contains("Nothing that was sent"), "{text}");
    let (_, text) = read(&page(&seen(&[row("SELECT ?", 3, None)], &[], 0)));
    assert!(
        text.contains("100.00 %") && text.contains("Everything is ready"),
        "{text}"
    );
}

/// A Chromium, if there is one.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("PGVEIL_CHROMIUM") {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let names = [
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ];
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.exists())
}

/// What drives the browser, installed once.
fn driver() -> Option<PathBuf> {
    let npm = Command::new("npm")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    npm.is_ok_and(|status| status.success()).then_some(())?;
    let folder = folder().join("browser");
    if !folder.join("node_modules/.package-lock.json").exists() {
        let mut install = Command::new("npm");
        install.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
        assert!(install.current_dir(&folder).status().unwrap().success());
    }
    Some(folder.join("page.mjs"))
}

#[test]
fn a_browser_shows_the_page_on_a_desk_and_on_a_phone() {
    let (Some(browser), Some(driver)) = (browser(), driver()) else {
        let required = std::env::var_os("PGVEIL_REQUIRE_BROWSER").is_some();
        assert!(!required, "there is no Chromium, or no npm");
        eprintln!("skipped: there is no Chromium, or no npm");
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let hostile: Vec<Value> = HOSTILE
        .into_iter()
        .enumerate()
        .map(|(n, text)| {
            row(
                &format!("{text}{}", "x".repeat(300)),
                n as u64,
                Some((text, text)),
            )
        })
        .collect();
    for (name, seen, words) in [
        ("shop", shop(), &SEEN[..]),
        ("hostile", seen(&hostile, &HOSTILE, 1), &HOSTILE[..7]),
        ("empty", seen(&[], &[], 0), &["Nothing that was sent"][..]),
    ] {
        let file = place.path().join(format!("{name}.html"));
        fs::write(&file, page(&seen)).unwrap();
        let pictures = place.path().join(name);
        let output = Command::new("node")
            .arg(&driver)
            .args([browser.as_path(), &file, &pictures])
            .arg(json!(words).to_string())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
    }
    if std::env::var_os("BLESS").is_some() {
        let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/images");
        for (shown, name) in [("desk-light", "rehearse"), ("phone-dark", "rehearse-phone")] {
            let picture = place.path().join(format!("shop/{shown}.png"));
            fs::copy(picture, images.join(format!("{name}.png"))).unwrap();
        }
    }
}
