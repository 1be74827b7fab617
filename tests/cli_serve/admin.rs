//! The admin endpoint of a running proxy: who may have what, and what cannot be used against it.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use super::http::{get, request, send, send_to};
use super::{PATIENCE, Serve, free_port};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const SHOWN: &str = "Authorization: Bearer 0123456789abcdef0123456789abcdef";

/// A proxy that nobody needs for more than its endpoint, with a token: `listen` and `probes`.
async fn guarded() -> (Serve, u16, u16) {
    let (listen, probes) = (free_port(), free_port());
    let admin = format!(
        "[admin]\nlisten = \"127.0.0.1:{listen}\"\ntoken_file = \"admin.token\"\n\
         probes = \"127.0.0.1:{probes}\"\n"
    );
    (Serve::start_with(1, &admin).await, listen, probes)
}

#[tokio::test]
async fn the_token_opens_what_is_not_for_everyone() {
    let (serve, listen, probes) = guarded().await;
    for path in ["/metrics", "/v1/status"] {
        let refused = get(listen, path);
        assert_eq!(refused.status, 401, "{path}: {refused:?}");
        assert!(
            refused.head.contains("www-authenticate: bearer"),
            "{refused:?}"
        );
        let wrong = SHOWN.replace("abcdef0123", "abcdef0124");
        assert_eq!(
            send(listen, &request("GET", path, &[&wrong], "")).status,
            401
        );
        let shown = send(listen, &request("GET", path, &[SHOWN], ""));
        assert_eq!(shown.status, 200, "{path}: {shown:?}");
        assert!(!shown.body.contains(TOKEN));
        // With the token, and sent by a page of the web all the same.
        let page = request("GET", path, &[SHOWN, "Origin: http://localhost"], "");
        assert_eq!(send(listen, &page).status, 403);
    }
    for path in ["/v1/reload", "/v1/drain"] {
        assert_eq!(send(listen, &request("POST", path, &[], "")).status, 401);
        let got = send(listen, &request("GET", path, &[SHOWN], ""));
        assert_eq!(got.status, 405);
        assert!(got.head.contains("allow: post"), "{got:?}");
    }
    // Health needs none, and the probes have nothing else.
    assert_eq!(get(listen, "/livez").status, 200);
    assert_eq!(get(probes, "/livez").status, 200);
    assert_eq!(get(probes, "/metrics").status, 200);
    for path in ["/v1/status", "/v1/config", "/", "/metrics/"] {
        assert_eq!(get(probes, path).status, 404, "{path}");
    }
    assert_eq!(
        send(probes, &request("POST", "/v1/drain", &[SHOWN], "")).status,
        404
    );
    assert_eq!(
        send(probes, &request("POST", "/livez", &[], "")).status,
        405
    );
    let log = fs::read_to_string(serve.path("log")).unwrap();
    assert!(!log.contains(TOKEN));
}

#[tokio::test]
async fn a_reload_answers_and_a_level_changes_what_is_logged() {
    let (serve, listen, _) = guarded().await;
    let post = |path: &str| send(listen, &request("POST", path, &[SHOWN], ""));
    assert_eq!(post("/v1/reload").status, 200);
    let sound = fs::read_to_string(serve.path("pgveil.toml")).unwrap();
    fs::write(serve.path("pgveil.toml"), "[upstream]\n").unwrap();
    let refused = post("/v1/reload");
    assert_eq!(refused.status, 422, "{refused:?}");
    fs::write(serve.path("pgveil.toml"), sound).unwrap();
    // The token is that of the configuration in use.
    fs::write(serve.path("admin.token"), "another-token-of-the-operator").unwrap();
    assert_eq!(post("/v1/reload").status, 200);
    assert_eq!(post("/v1/reload").status, 401);
    let shown = "Authorization: Bearer another-token-of-the-operator";
    let metrics = send(listen, &request("GET", "/metrics", &[shown], "")).body;
    for line in [
        "pgveil_config_reloads_total{outcome=\"applied\"} 2\n",
        "pgveil_config_reloads_total{outcome=\"failed\"} 1\n",
    ] {
        assert!(metrics.contains(line), "{metrics}");
    }

    let level = |level: &str| {
        let put = request("PUT", "/v1/log-level", &[shown], level);
        send(listen, &put).status
    };
    assert_eq!(level("pgveil=loud"), 400);
    assert_eq!(level(""), 400);
    assert_eq!(level(&"x".repeat(5000)), 400);
    assert_eq!(level("error"), 200);
    let before = lines_of_the_log(&serve);
    let reload = request("POST", "/v1/reload", &[shown], "");
    assert_eq!(send(listen, &reload).status, 200);
    assert_eq!(before, lines_of_the_log(&serve));

    // What the file says counts again once it says something else: at `error` this is not written.
    let file = serve.path("pgveil.toml");
    let said = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{said}\n[log]\nlevel = \"pgveil=debug\"\n")).unwrap();
    assert_eq!(send(listen, &reload).status, 200);
    serve.logs("the level of the log is another one now").await;
    let level_of = |words: &str| {
        lines_of_the_log(&serve)
            .iter()
            .any(|line| line.contains(words))
    };
    assert!(level_of("pgveil=debug"));
}

/// The lines that have a level. The audit trail is not bound by it, and comes when its window ends.
fn lines_of_the_log(serve: &Serve) -> Vec<String> {
    let log = fs::read_to_string(serve.path("log")).unwrap();
    log.lines()
        .filter(|line| !line.contains("\"event\":"))
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn without_a_token_only_this_machine_is_served() {
    let port = free_port();
    let admin = format!("[admin]\nlisten = \"127.0.0.1:{port}\"\n");
    let _serve = Serve::start_with(1, &admin).await;
    let status = |host: &str| send(port, &request("GET", "/v1/status", &[host], "")).status;
    assert_eq!(status("Host: localhost:9632"), 200);
    assert_eq!(status("Host: 127.0.0.1"), 200);
    assert_eq!(status("Host: [::1]:9632"), 200);
    // A name that a stranger has pointed at this machine, for a page of theirs.
    assert_eq!(status("Host: rebound.example:9632"), 403);
    let drain = |field: &str| send(port, &request("POST", "/v1/drain", &[field], "")).status;
    assert_eq!(drain("Host: rebound.example"), 403);
    assert_eq!(drain("Origin: http://127.0.0.1:9632"), 403);
    assert_eq!(get(port, "/livez").status, 200);
}

#[tokio::test]
async fn a_unix_socket_is_for_the_user_of_the_process() {
    let serve = Serve::start_with(1, "[admin]\nlisten = \"unix:FOLDER/admin.sock\"\n").await;
    let socket = serve.path("admin.sock");
    let mode = fs::metadata(&socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let status = send_to(&socket, &request("GET", "/v1/status", &["Host: any"], ""));
    assert_eq!(status.status, 200);
    let json: serde_json::Value = serde_json::from_str(&status.body).unwrap();
    assert_eq!(json["state"], "serving");
    assert_eq!(json["upstream"]["up"], false);
    assert_eq!(json["domains"][0]["name"], "user");
    let origin = request("GET", "/v1/status", &["Origin: http://x"], "");
    assert_eq!(send_to(&socket, &origin).status, 403);
}

/// What stands where the socket should be is the operator's, unless it is a socket that is over.
#[tokio::test]
async fn a_file_in_the_place_of_the_socket_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (file, socket) = (folder.path().join("file"), folder.path().join("socket"));
    fs::write(&file, "precious").unwrap();
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let admin = |path: &std::path::Path| format!("[admin]\nlisten = \"unix:{}\"\n", path.display());
    let ended = Serve::fails_with(1, &admin(&file)).await;
    assert!(ended.contains("cannot listen at"), "{ended}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    let _serve = Serve::start_with(1, &admin(&socket)).await;
}

/// Those who connect and say nothing, or too much, keep nobody else out.
#[tokio::test]
async fn nobody_keeps_a_probe_out() {
    let (_serve, listen, probes) = guarded().await;
    let silent: Vec<_> = (0..200)
        .map(|_| TcpStream::connect(("127.0.0.1", probes)).unwrap())
        .collect();
    let mut begun = TcpStream::connect(("127.0.0.1", probes)).unwrap();
    begun.write_all(b"GET /livez HTTP/1.1\r\nHost:").unwrap();
    assert_eq!(get(probes, "/livez").status, 200);
    assert_eq!(get(listen, "/livez").status, 200);
    // The oldest have given way.
    silent[0].set_read_timeout(Some(PATIENCE)).unwrap();
    let closed = std::io::Read::read(&mut &silent[0], &mut [0; 1]);
    let is_reset = |error: &std::io::Error| error.kind() == std::io::ErrorKind::ConnectionReset;
    let is_closed = closed.as_ref().map_or_else(is_reset, |read| *read == 0);
    assert!(is_closed, "{closed:?}");

    let long = format!("X-Long: {}", "x".repeat(100_000));
    let refused = TcpStream::connect(("127.0.0.1", probes)).unwrap();
    refused
        .set_write_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let _ = (&refused).write_all(request("GET", "/livez", &[&long], "").as_bytes());
    let mut text = Vec::new();
    refused.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = std::io::Read::read_to_end(&mut &refused, &mut text);
    assert!(!text.starts_with(b"HTTP/1.1 200"), "a head without an end");
    let many = vec!["X-Many: x"; 200];
    let refused = send(probes, &request("GET", "/livez", &many, ""));
    assert_eq!(refused.status, 431, "{refused:?}");
    assert_eq!(get(probes, "/livez").status, 200);
}
