//! Whose certificate is good enough: that of Postgres for pgveil, that of pgveil for libpq.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::authority::{Authority, HERE, Identity, Subject};
use crate::stand::*;
use crate::wire::*;

/// A server that lets everyone in, with one certificate.
async fn server(identity: &Identity) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let identity = identity.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 8];
            stream.read_exact(&mut request).await.unwrap();
            assert_eq!(request, SSL);
            stream.write_all(b"S").await.unwrap();
            // A client that does not like the certificate goes.
            let Ok(mut stream) = accept(stream, &identity).await else {
                continue;
            };
            let welcome = [message(b'R', &[0; 4]), message(b'Z', b"I")].concat();
            let mut hello = [0; 512];
            if stream.read(&mut hello).await.is_ok() {
                let _ = stream.write_all(&welcome).await;
                let _ = stream.flush().await;
                let _ = stream.read(&mut hello).await;
            }
        }
    });
    address
}

/// Whether pgveil talks to a server; if not, the client must have been told so.
async fn talks(host: &str, identity: &Identity, tls: &str) -> bool {
    let port = server(identity).await.port();
    let tables = format!("[policy]\nbypass_roles = [\"postgres\"]\n[upstream.tls]\n{tls}\n");
    let proxy = Proxy::before(&format!("{host}:{port}"), &tables).await;
    let mut stream = tokio::net::TcpStream::connect(proxy.address).await.unwrap();
    let answer = ask(&mut stream, &startup(3 << 16, &["user", "postgres"]), b'Z').await;
    let (kind, _) = answer.last().expect("an answer");
    if *kind == b'E' {
        assert_eq!(error(&answer, b'C').as_deref(), Some("08006"));
        let text = error(&answer, b'M').unwrap();
        assert_eq!(
            text,
            "pgveil has no secure connection to the database server"
        );
    }
    *kind == b'Z'
}

fn ca(file: &std::path::Path) -> String {
    format!("ca = \"{}\"", file.display())
}

#[tokio::test]
async fn the_signature_on_the_certificate_of_postgres_is_judged_as_by_libpq() {
    let (ours, other) = (Authority::new(), Authority::new());
    let expired = Subject {
        is_expired: true,
        ..HERE
    };
    let good = ours.issue("good", &HERE);
    let over = ours.issue("expired", &expired);
    let itself = ours.self_signed("itself", &HERE);
    let itself_over = ours.self_signed("itself expired", &expired);
    let foreign = other.issue("foreign", &HERE);
    let (root, none) = (ca(&ours.ca()), String::new());
    for (what, identity, mode, ca, expected) in [
        ("good", &good, "verify-full", &root, true),
        ("expired", &over, "verify-ca", &root, false),
        ("foreign", &foreign, "verify-ca", &root, false),
        ("foreign", &foreign, "verify-full", &root, false),
        ("foreign", &foreign, "require", &none, true),
        ("expired", &over, "require", &none, true),
        // libpq verifies in every mode if it has roots.
        ("foreign", &foreign, "require", &root, false),
        ("foreign", &foreign, "prefer", &root, false),
        ("itself", &itself, "verify-full", &ca(&itself.cert), true),
        ("itself", &itself, "verify-full", &root, false),
        (
            "over",
            &itself_over,
            "verify-ca",
            &ca(&itself_over.cert),
            false,
        ),
    ] {
        let tls = format!("mode = \"{mode}\"\n{ca}");
        let found = talks("localhost", identity, &tls).await;
        assert_eq!(found, expected, "{what}: {mode} {ca}");
    }
}

#[tokio::test]
async fn the_name_in_the_certificate_of_postgres_is_judged_as_by_libpq() {
    let ours = Authority::new();
    let named = |common_name, names| Subject {
        common_name,
        names,
        is_expired: false,
    };
    let here = ours.issue("here", &HERE);
    let elsewhere = ours.issue("elsewhere", &named("localhost", &["db.example"]));
    let by_common_name = ours.issue("by common name", &named("localhost", &[]));
    for (host, identity, mode, expected) in [
        ("localhost", &here, "verify-full", true),
        ("127.0.0.1", &here, "verify-full", true),
        ("localhost", &by_common_name, "verify-full", true),
        ("127.0.0.1", &by_common_name, "verify-full", false),
        ("localhost", &elsewhere, "verify-full", false),
        ("127.0.0.1", &elsewhere, "verify-full", false),
        ("localhost", &elsewhere, "verify-ca", true),
    ] {
        let tls = format!("mode = \"{mode}\"\n{}", ca(&ours.ca()));
        let found = talks(host, identity, &tls).await;
        assert_eq!(found, expected, "{host} {mode} {}", identity.cert.display());
    }
}

#[tokio::test]
async fn libpq_judges_the_certificate_of_pgveil() {
    let stand = stand();
    let proxy = Proxy::start(&stand.server_tls("require", "")).await;
    let other = Authority::new();
    let foreign = format!(
        "user=postgres sslmode=verify-full sslrootcert={}",
        other.ca().display()
    );
    let said = proxy.psql(&foreign, "SELECT 1").await.unwrap_err();
    assert!(said.contains("certificate verify failed"), "{said}");

    for (subject, expected) in [
        (
            Subject {
                names: &["db.example"],
                ..HERE
            },
            "does not match host name",
        ),
        (
            Subject {
                is_expired: true,
                ..HERE
            },
            "certificate verify failed",
        ),
    ] {
        let identity = stand.authority.issue("unfit", &subject);
        let proxy = Proxy::start(&server_tls(&identity, "require", "")).await;
        let said = proxy.psql(&verified("postgres"), "SELECT 1").await;
        let said = said.unwrap_err();
        assert!(said.contains(expected), "{said}");
    }
}
