//! How clients come: with certificates, directly, by other drivers, over IPv6, to cancel.

use std::path::{Path, PathBuf};

use tokio::net::TcpStream;
use tokio::process::Command;

use crate::authority::{Authority, HERE, Identity, Subject};
use crate::stand::*;
use crate::wire::*;

fn shown(user: &str, identity: &Identity) -> String {
    format!(
        "{} sslcert={} sslkey={}",
        verified(user),
        identity.cert.display(),
        identity.key.display()
    )
}

#[tokio::test]
async fn client_certificates_are_verified_when_shown_and_demanded_when_required() {
    let stand = stand();
    let subject = |common_name| Subject {
        common_name,
        ..HERE
    };
    let of_postgres = stand.authority.issue("client", &subject("postgres"));
    let of_ann = stand.authority.issue("ann", &subject("ann"));
    let elsewhere = Authority::new();
    let foreign = elsewhere.issue("foreign", &subject("postgres"));
    let (without, other) = (
        "connection requires a valid client certificate",
        "certificate authentication failed for user \"postgres\"",
    );
    for (demand, identity, expected) in [
        ("optional", None, None),
        ("optional", Some(&of_ann), None),
        ("optional", Some(&foreign), Some("unknown ca")),
        ("require", None, Some(without)),
        ("require", Some(&of_ann), None),
        ("require", Some(&foreign), Some("unknown ca")),
        ("verify-full", None, Some(without)),
        ("verify-full", Some(&of_ann), Some(other)),
        ("verify-full", Some(&of_postgres), None),
    ] {
        let ca = stand.authority.ca();
        let more = format!(
            "client_ca = \"{}\"\nclient_cert = \"{demand}\"",
            ca.display()
        );
        let proxy = Proxy::start(&stand.server_tls("require", &more)).await;
        let options = match identity {
            Some(identity) => shown("postgres", identity),
            None => verified("postgres"),
        };
        match (proxy.psql(&options, "SELECT 1").await, expected) {
            (Ok(one), None) => assert_eq!(one, "1"),
            (Err(said), Some(words)) => assert!(said.contains(words), "{demand}: {said}"),
            (answer, _) => panic!("{demand}: {answer:?}"),
        }
    }
}

#[tokio::test]
async fn direct_tls_needs_the_name_of_the_protocol() {
    let stand = stand();
    let proxy = Proxy::start(&stand.server_tls("require", "")).await;
    let connect = async || TcpStream::connect(proxy.address).await.unwrap();
    let hello = startup(3 << 16, &["user", "postgres"]);

    let mut direct = begin(connect().await, &["postgresql"]).await.unwrap();
    let answer = ask(&mut direct, &hello, b'Z').await;
    assert_eq!(answer.last().unwrap().0, b'Z', "{answer:?}");

    // Without a name the handshake ends well, and the connection with it.
    let mut nameless = begin(connect().await, &[]).await.unwrap();
    assert_eq!(rest(&mut nameless).await, b"");
    assert!(begin(connect().await, &["http/1.1"]).await.is_err());

    // Whoever asks first may do without a name, but not have another.
    let mut asked = negotiated(proxy.address).await;
    let answer = ask(&mut asked, &hello, b'Z').await;
    assert_eq!(answer.last().unwrap().0, b'Z', "{answer:?}");

    let plain = Proxy::start("").await;
    let stream = TcpStream::connect(plain.address).await.unwrap();
    assert!(begin(stream, &["postgresql"]).await.is_err());
}

#[tokio::test]
async fn a_cancellation_needs_no_tls_and_arrives_over_it() {
    let stand = stand();
    let tables = stand.server_tls("require", "") + &stand.upstream_tls();
    let proxy = Proxy::start(&tables).await;
    let mut stream = negotiated(proxy.address).await;
    let hello = startup(3 << 16, &["user", "postgres"]);
    let answer = ask(&mut stream, &hello, b'Z').await;
    let (_, key) = answer.iter().find(|(kind, _)| *kind == b'K').unwrap();
    // libpq before 17 asks for a cancellation without TLS, whatever the session has.
    let cancel = packet(&[&(1234_u32 << 16 | 5678).to_be_bytes()[..], key].concat());
    let canceller = async {
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            let mut other = TcpStream::connect(proxy.address).await.unwrap();
            ask(&mut other, &cancel, 0).await;
        }
    };
    let sleep = query("SELECT pg_sleep(60)");
    let sleeping = ask(&mut stream, &sleep, b'Z');
    let answer = tokio::select! {
        answer = sleeping => answer,
        () = canceller => unreachable!(),
    };
    assert_eq!(error(&answer, b'C').as_deref(), Some("57014"));
}

#[tokio::test]
async fn every_listed_address_listens_and_unix_sockets_need_no_tls() {
    let stand = stand();
    let folder = tempfile::tempdir().unwrap();
    let ports: Vec<u16> = ["127.0.0.1:0", "[::1]:0"]
        .map(|any| std::net::TcpListener::bind(any).unwrap())
        .iter()
        .map(|listener| listener.local_addr().unwrap().port())
        .collect();
    let mut config = parse(&stand.upstream(), &stand.server_tls("require", "")).unwrap();
    let addresses = [
        format!("127.0.0.1:{}", ports[0]),
        format!("[::1]:{}", ports[1]),
        format!("unix:{}:6432", folder.path().display()),
    ];
    config.listen = addresses
        .iter()
        .map(|text| pgveil::config::Listen::parse(text, 0).unwrap())
        .collect();
    let _proxy = Proxy::with(config).await;
    let tls = "user=postgres sslmode=require";
    let folder = folder.path().to_str().unwrap();
    for (host, port, options) in [
        ("127.0.0.1", ports[0], tls),
        ("::1", ports[1], tls),
        (folder, 6432, "user=postgres"),
    ] {
        let answer = psql(host, port, options, "SELECT 1").await;
        assert_eq!(answer.as_deref(), Ok("1"), "{host}");
    }
}

/// The Python of `.venv`, made with psycopg where there is none.
async fn python() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".venv");
    let python = folder.join("bin/python");
    let run = async |program: &Path, arguments: &[&str]| {
        let run = Command::new(program).args(arguments).output().await;
        run.is_ok_and(|output| output.status.success())
    };
    if !run(&python, &["-c", "import psycopg, psycopg_binary"]).await {
        let folder = folder.to_str().unwrap();
        assert!(run(Path::new("python3"), &["-m", "venv", folder]).await);
        let install = ["-m", "pip", "install", "--quiet", "psycopg[binary]"];
        assert!(run(&python, &install).await, "no psycopg");
    }
    python
}

/// psycopg brings a libpq of its own, newer than that of psql.
#[tokio::test]
async fn psycopg_comes_directly_verified_and_bound() {
    let stand = stand();
    let tables = stand.auth() + &stand.server_tls("require", "") + &stand.upstream_tls();
    let proxy = Proxy::start(&tables).await;
    let script = "import psycopg, sys\n\
                  newest = psycopg.pq.version() >= 170000\n\
                  more = {'sslnegotiation': 'direct'} if newest else {}\n\
                  with psycopg.connect(sys.argv[1], **more) as connection:\n\
                  \x20   print(connection.execute('SELECT session_user').fetchone()[0])";
    let options = format!(
        "host=localhost hostaddr=127.0.0.1 port={} dbname=postgres password=secret \
         channel_binding=require {}",
        proxy.address.port(),
        verified(SCRAM)
    );
    let mut command = Command::new(python().await);
    let output = command
        .args(["-c", script, &options])
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        SCRAM,
        "{said}"
    );
}
