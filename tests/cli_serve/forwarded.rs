//! The PROXY protocol: a balancer says where clients come from, and nobody else may.

use std::fs;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_postgres::{Client, Config, NoTls};

use super::replaced::{Process, configured, postgres};
use super::{PATIENCE, ask, connect, free_port};

/// A client whose connection begins with these bytes.
async fn behind(port: u16, header: &[u8]) -> Result<Client, tokio_postgres::Error> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(header).await.unwrap();
    let mut config = Config::new();
    config.user("postgres").dbname("postgres");
    let (client, connection) = config.connect_raw(stream, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

#[tokio::test]
async fn a_balancer_says_where_clients_come_from() {
    let postgres = postgres().await;
    let port = free_port();
    let server = format!(
        "listen = [\"127.0.0.1:{port}\"]\n[server.proxy_protocol]\nfrom = [\"127.0.0.0/8\"]\n\
         [audit]\nsink = \"file\"\nfile = \"audit.jsonl\"\nrotate = \"never\""
    );
    let folder = configured(postgres.port(), &server);
    let _process = Process::start(folder.path(), None, &[]);
    let second = [
        b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".as_slice(),
        &[203, 0, 113, 9, 10, 0, 0, 1, 0, 80, 0x19, 0x20],
    ]
    .concat();
    let local = b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0";
    for header in [
        &b"PROXY TCP4 192.0.2.7 10.0.0.1 54321 6432\r\n"[..],
        &second,
        local,
    ] {
        let client = behind(port, header).await.unwrap();
        let id = ask(&client, "SELECT id FROM users").await.unwrap();
        assert_eq!(id.len(), 36);
    }
    // Nobody gets in without, and whatever has no header is closed without a word.
    for sent in [
        &b""[..],
        b"PROXY TCP4 192.0.2.7\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
    ] {
        assert!(behind(port, sent).await.is_err());
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(sent).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said).await;
        assert_eq!(said, b"");
    }
    // What is told is written by a thread of its own.
    let (begun, place) = (Instant::now(), folder.path().join("audit.jsonl"));
    let trail = loop {
        let trail = fs::read_to_string(&place).unwrap();
        if trail.matches("session_start").count() >= 3 || begun.elapsed() > PATIENCE {
            break trail;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let begun = trail.lines().filter(|line| line.contains("session_start"));
    let peers: Vec<String> = begun
        .map(|line| {
            let told: serde_json::Value = serde_json::from_str(line).unwrap();
            told["peer"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(peers[..2], ["192.0.2.7:54321", "203.0.113.9:80"]);
    assert!(peers[2].starts_with("127.0.0.1:"), "{peers:?}");
    assert_eq!(peers.len(), 3);
    super::audit::records(&trail);
}

/// From elsewhere a header is no more than bytes out of place.
#[tokio::test]
async fn nobody_else_may_say_it() {
    let postgres = postgres().await;
    let port = free_port();
    let server = format!(
        "listen = [\"127.0.0.1:{port}\"]\n[server.proxy_protocol]\nfrom = [\"10.0.0.0/8\", \"::1\"]"
    );
    let folder = configured(postgres.port(), &server);
    let _process = Process::start(folder.path(), None, &[]);
    let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
    let id = ask(&connect(&url).await, "SELECT id FROM users").await;
    assert_eq!(id.unwrap().len(), 36);
    let header = b"PROXY TCP4 192.0.2.7 10.0.0.1 54321 6432\r\n";
    assert!(behind(port, header).await.is_err());
}
