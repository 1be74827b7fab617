//! The beginning of a connection: what the client may send first, and who is let in.

use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio_postgres::error::SqlState;

use crate::support::*;

const SSL: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
const GSSENC: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 48];

/// Sends bytes to Postgres and through the proxy: what comes back up to ReadyForQuery.
async fn both(bytes: &[u8]) -> (Answer, Answer) {
    let proxy = Proxy::start().await;
    let mut direct = Raw::connect((postgres().host(), postgres().port())).await;
    let mut through = Raw::connect(proxy.address).await;
    direct.send(bytes).await;
    through.send(bytes).await;
    let direct = direct.until_ready().await.without_keys();
    (direct, through.until_ready().await.without_keys())
}

#[tokio::test]
async fn startup_packets_get_the_answer_of_postgres() {
    for (name, packet) in [
        ("3.0", startup(3 << 16, &["user", "postgres"])),
        ("3.2", startup(3 << 16 | 2, &["user", "postgres"])),
        (
            "a later minor version",
            startup(3 << 16 | 99, &["user", "postgres"]),
        ),
        (
            "an option of the protocol",
            startup(3 << 16, &["user", "postgres", "_pq_.x", "1"]),
        ),
        (
            "settings",
            startup(
                3 << 16,
                &[
                    "user",
                    "postgres",
                    "application_name",
                    "x",
                    "DateStyle",
                    "German",
                ],
            ),
        ),
        (
            "options with escapes",
            startup(
                3 << 16,
                &[
                    "user",
                    "postgres",
                    "options",
                    "-c search_path=a,\\ b -c TimeZone=Asia/Tokyo",
                ],
            ),
        ),
        (
            "a bad setting",
            startup(3 << 16, &["user", "postgres", "options", "-c no_such=1"]),
        ),
        (
            "an unknown role",
            startup(3 << 16, &["user", "nobody here"]),
        ),
        (
            "an unknown database",
            startup(3 << 16, &["user", "postgres", "database", "nowhere"]),
        ),
        ("no role", startup(3 << 16, &["database", "postgres"])),
        (
            "no replication",
            startup(3 << 16, &["user", "postgres", "replication", "off"]),
        ),
        ("version 4", startup(4 << 16, &["user", "postgres"])),
    ] {
        let (direct, through) = both(&packet).await;
        assert_eq!(direct, through, "{name}");
    }
}

#[tokio::test]
async fn an_old_protocol_gets_the_answer_of_postgres_in_that_protocol() {
    let proxy = Proxy::start().await;
    let packet = packet(&[&(2_u32 << 16).to_be_bytes()[..], &[0; 288]].concat());
    let mut answers = Vec::new();
    for address in [
        format!("127.0.0.1:{}", postgres().port()),
        proxy.address.to_string(),
    ] {
        let mut raw = Raw::connect(address).await;
        raw.send(&packet).await;
        answers.push(raw.bytes_until_closed().await);
    }
    assert_eq!(answers[0], answers[1]);
    let text = String::from_utf8_lossy(&answers[1]);
    assert!(text.contains("unsupported frontend protocol 2.0"), "{text}");
}

#[tokio::test]
async fn refused_encryption_leaves_the_connection_usable() {
    use tokio::io::AsyncReadExt;
    let proxy = Proxy::start().await;
    for requests in [&[SSL, GSSENC][..], &[GSSENC, SSL], &[SSL]] {
        let mut raw = Raw::connect(proxy.address).await;
        for request in requests {
            raw.send(request).await;
            assert_eq!(raw.0.read_u8().await.unwrap(), b'N');
        }
        raw.send(&startup(3 << 16, &["user", "postgres"])).await;
        assert!(!raw.until_ready().await.closed);
    }
}

#[tokio::test]
async fn a_startup_packet_may_arrive_byte_by_byte() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::connect(proxy.address).await;
    for byte in startup(3 << 16, &["user", "postgres"]) {
        raw.send(&[byte]).await;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(!raw.until_ready().await.closed);
}

#[tokio::test]
async fn what_is_no_startup_packet_is_closed_at_once() {
    let proxy = Proxy::start().await;
    let started = Instant::now();
    for bytes in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        &[0x16, 3, 1, 2, 0, 1, 0, 1],
        &[0, 0, 0, 0],
        &[0, 0, 0, 7, 0, 3, 0],
        &[0xff; 64],
        &[0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0],
    ] {
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(bytes).await;
        assert_eq!(raw.bytes_until_closed().await, b"", "{bytes:?}");
    }
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_startup_packet_of_wrong_layout_gets_an_error() {
    let proxy = Proxy::start().await;
    for body in [
        &b"\0\x03\0\0user\0postgres"[..],
        b"\0\x03\0\0user\0postgres\0\0more",
    ] {
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(&packet(body)).await;
        let answer = raw.until_closed().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("08P01"));
        assert!(answer.closed);
    }
}

#[tokio::test]
async fn a_silent_client_is_closed_by_a_timer() {
    roles().await;
    let proxy = Proxy::with(config("[limits]\nstartup_timeout_s = 1")).await;
    for bytes in [
        &b""[..],
        &[0, 0, 1],
        &startup(3 << 16, &["user", "with md5"]),
    ] {
        let started = Instant::now();
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(bytes).await;
        raw.bytes_until_closed().await;
        let waited = started.elapsed();
        assert!(waited > Duration::from_millis(900) && waited < Duration::from_secs(10));
    }
}

#[tokio::test]
async fn replication_is_refused_but_for_bypass_roles() {
    let packet = |value| startup(3 << 16, &["user", "postgres", "replication", value]);
    let proxy = Proxy::start().await;
    for value in ["true", "database", "1"] {
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(&packet(value)).await;
        let answer = raw.until_closed().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("0A000"), "{value}");
    }
    let bypass = Proxy::with(config("[policy]\nbypass_roles = [\"postgres\"]")).await;
    let mut raw = Raw::connect(bypass.address).await;
    raw.send(&packet("database")).await;
    assert!(!raw.until_ready().await.closed);
    raw.send(&query("IDENTIFY_SYSTEM")).await;
    assert_eq!(raw.until_ready().await.kinds(), "TDCZ");
}

/// Postgres cuts the name of a role to 63 bytes: whoever judged the whole of it would judge
/// another role than the one that is let in.
#[tokio::test]
async fn a_role_is_judged_by_the_name_that_postgres_keeps() {
    let role = "r".repeat(63);
    let sql = format!("DROP ROLE IF EXISTS {role}; CREATE ROLE {role} LOGIN");
    direct().await.batch_execute(&sql).await.unwrap();
    let long = format!("{role}x");
    let packet = startup(3 << 16, &["user", &long, "database", "postgres"]);
    let (direct, through) = both(&packet).await;
    assert_eq!(direct, through);
    let bypass = config(&format!("[policy]\nbypass_roles = [\"{role}\"]"));
    let proxy = Proxy::with(bypass).await;
    for (name, bypasses) in [(&long[..], true), (&role, true), ("postgres", false)] {
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(&startup(3 << 16, &["user", name, "replication", "true"]))
            .await;
        let refused = raw.until_ready().await.error(b'C').as_deref() == Some("0A000");
        assert_eq!(!refused, bypasses, "{name}");
    }
}

#[tokio::test]
async fn every_method_of_authentication_passes() {
    roles().await;
    let proxy = Proxy::start().await;
    for method in METHODS {
        let role = format!("with {method}");
        let client = proxy.connect_as(&role).await.expect(method);
        let row = client
            .query_one("SELECT current_user::text", &[])
            .await
            .unwrap();
        assert_eq!(row.get::<_, String>(0), role);
    }
    for method in &METHODS[1..] {
        let error = proxy
            .connect_with(&format!("with {method}"), "wrong")
            .await
            .unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::INVALID_PASSWORD), "{method}");
    }
}

#[tokio::test]
async fn a_query_in_the_place_of_a_password_is_refused_by_postgres() {
    roles().await;
    let (direct, through) = both(
        &[
            startup(3 << 16, &["user", "with password"]),
            query("SELECT 1"),
        ]
        .concat(),
    )
    .await;
    assert_eq!(direct, through);
    assert!(through.closed && through.error(b'C').is_some());
}

#[tokio::test]
async fn one_client_too_many_is_told_so() {
    let proxy = Proxy::with(config("[server]\nmax_connections = 1")).await;
    let first = proxy.connect().await;
    let error = proxy.connect_as("postgres").await.unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::TOO_MANY_CONNECTIONS));
    first
        .simple_query("SELECT 1")
        .await
        .expect("the first one lives");
    drop(first);
    // The place is free once the proxy has noticed.
    for _ in 0..100 {
        if proxy.connect_as("postgres").await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the place is never free again");
}

#[tokio::test]
async fn an_unreachable_postgres_accepts_no_connections_and_has_no_address() {
    let gone = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let proxy = Proxy::with(config_before(&gone.to_string(), "")).await;
    let error = proxy.connect_as("postgres").await.unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::CANNOT_CONNECT_NOW));
    assert!(!error.to_string().contains(&gone.port().to_string()));
}

#[tokio::test]
async fn a_unix_socket_serves_on_both_legs() {
    let folder = tempfile::tempdir().unwrap();
    let upstream = postgres().socket_dir().expect("a server of our own");
    let upstream = format!("unix:{}:{}", upstream.display(), postgres().port());
    let mut config = config_before(&upstream, "");
    let listen = format!("unix:{}:6432", folder.path().display());
    config.listen = vec![pgveil::config::Listen::parse(&listen, 0).unwrap()];
    assert_eq!(
        config.socket_mode, 0o777,
        "other users of the machine may connect"
    );
    config.socket_mode = 0o770;
    let server = pgveil::proxy::Server::bind(config).await.unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move {
        let _ = stopped.await;
    }));
    let mut options = tokio_postgres::Config::new();
    options
        .host_path(folder.path())
        .port(6432)
        .user("postgres")
        .dbname("postgres");
    let (client, connection) = options.connect(tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.simple_query("SELECT 1").await.unwrap();
    let socket = folder.path().join(".s.PGSQL.6432");
    let mode = std::fs::metadata(&socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o770);
    drop((client, stop));
    running.await.unwrap();
    assert!(!folder.path().join(".s.PGSQL.6432").exists());
}
