//! `pgveil top`, against a proxy at work: one plain frame, and the screen in a terminal.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};

use pgveil::postgres::{Options, Postgres};
use serde_json::{Value, json};

use super::live::{KEY, busy, work};
use super::{Serve, free_port};

fn top(arguments: &[&str]) -> Command {
    let mut top = Command::new(env!("CARGO_BIN_EXE_pgveil"));
    top.arg("top").args(arguments).env_remove("PGVEIL_CONFIG");
    top
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn run(mut command: Command) -> Output {
    // The proxy's clients are driven by the threads that would wait here.
    tokio::task::spawn_blocking(move || command.stdin(Stdio::null()).output().unwrap())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_plain_frame_has_what_goes_on_and_nothing_secret() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let (serve, listen) = busy(&postgres).await;
    let _work = work(&serve).await;
    let file = serve.path("pgveil.toml");
    let file = file.to_str().unwrap();
    // Until each of the clients has been served.
    let started = std::time::Instant::now();
    let frame = loop {
        let output = run(top(&["-c", file, "--once", "--interval", "1"])).await;
        assert!(output.status.success(), "{}", said(&output));
        let frame = String::from_utf8(output.stdout).unwrap();
        if frame.contains("would refuse") && frame.contains("SELECT md5") {
            break frame;
        }
        assert!(started.elapsed() < super::PATIENCE, "{frame}");
    };
    let title = format!("at 127.0.0.1:{listen}: serving, ready, up ");
    for words in [
        title.as_str(),
        "\nsessions    1 audit, 3 enforce\n",
        "\nturned away 1 replication\n",
        " so far\n",
        "\nrefused\n  ",
        "calls verdict      code",
        "\nobserved\n  none\n",
        "SELECT md5(id::text) FROM users\n",
        "public.users.id",
        "public.orders.id",
        "<img src=x onerror=alert(1)>",
        "comes here first",
        "ids in\n",
    ] {
        assert!(frame.contains(words), "no {words} in {frame}");
    }
    let statements = frame
        .lines()
        .find(|line| line.starts_with("statements"))
        .unwrap();
    assert!(!statements.contains(" 0.0/s"), "{statements}");
    for secret in [KEY.to_string().as_str(), "secret", "0123456789abcdef"] {
        assert!(!frame.contains(secret), "{secret} is in {frame}");
    }
    let lines = frame.chars().filter(|c| c.is_control() && *c != '\n');
    assert_eq!(lines.count(), 0, "{frame}");
}

/// The token of a file goes to the endpoint of that file, and to nobody else unless it is told.
#[tokio::test]
async fn the_token_is_shown_to_whom_it_is_meant_for() {
    let listen = free_port();
    let admin = format!("[admin]\nlisten = \"127.0.0.1:{listen}\"\ntoken_file = \"admin.token\"\n");
    let serve = Serve::start_with(1, &admin).await;
    let url = format!("http://127.0.0.1:{listen}");
    let once = ["--once", "--interval", "1"];
    let with = |more: &[&str]| top(&[&once[..], more].concat());
    let output = run(with(&["--url", &url])).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("does not show its numbers: show the token"));
    let token = serve.path("admin.token");
    let output = run(with(&[
        "--url",
        &url,
        "--token-file",
        token.to_str().unwrap(),
    ]))
    .await;
    assert!(output.status.success(), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("not ready"));
    let short = serve.path("short.token");
    fs::write(&short, "short").unwrap();
    fs::set_permissions(&short, fs::Permissions::from_mode(0o600)).unwrap();
    let output = run(with(&[
        "--url",
        &url,
        "--token-file",
        short.to_str().unwrap(),
    ]))
    .await;
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("holds no token"),
        "{}",
        said(&output)
    );
    let nobody = run(with(&["--url", "http://127.0.0.1:1"])).await;
    assert_eq!(nobody.status.code(), Some(2));
    // Without a terminal there is nothing to draw on.
    let output = run(top(&["--url", &url])).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("give --once"), "{}", said(&output));
}

#[tokio::test]
async fn a_terminal_shows_tables_and_is_left_as_it_was() {
    let postgres = Postgres::start(&Options::from_env()).unwrap();
    let (serve, _) = busy(&postgres).await;
    let _work = work(&serve).await;
    let steps = json!([
        ["reports", "4"],
        ["public.orders.id", "\t"],
        ["current", "2"],
        ["SELECT md5(id::text) FROM users", "p"],
        ["paused", "p"],
        ["arrows scroll", "q"],
    ]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli_serve/terminal.py");
    let mut terminal = Command::new("python3");
    terminal
        .args([
            script,
            &steps.to_string(),
            env!("CARGO_BIN_EXE_pgveil"),
            "top",
        ])
        .args(["--interval", "1", "-c"])
        .arg(serve.path("pgveil.toml"));
    let output = run(terminal).await;
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let screens = found["screens"].as_array().unwrap();
    let screens: Vec<&str> = screens.iter().filter_map(Value::as_str).collect();
    let all = screens.join("\n");
    assert_eq!(found["left"], json!([]), "{all}");
    assert!(output.status.success(), "{all}");
    assert!(screens[0].contains("<img src=x onerror=alert(1)>"), "{all}");
    assert!(screens[1].contains("public.users.id"), "{all}");
    // The other screen, and back; the cursor is there again.
    let controls = found["controls"].as_array().unwrap();
    for control in ["[?1049h", "[?1049l", "[?25h"] {
        assert!(controls.contains(&control.into()), "{controls:?}");
    }
    for secret in [KEY.to_string().as_str(), "secret"] {
        assert!(!all.contains(secret), "{all}");
    }
}
