//! The death of a primary under load: a standby that is promoted is found, in both modes of
//! authentication, and nothing that was acknowledged is lost.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pgveil::postgres::{Authentication, Options};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{sleep, timeout};
use tokio_postgres::NoTls;
use tokio_postgres::error::SqlState;

use crate::bank::{self, Bank, PASSWORD};
use crate::proxy::Proxy;
use crate::server::Victim;
use crate::standby::Standby;
use crate::{SCHEMA, audit, connect, ids_by};

const CLIENTS: usize = 50;

/// How soon a promoted standby must serve.
const FOUND_WITHIN: Duration = Duration::from_secs(5);

pub(crate) fn free_port() -> u16 {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().port()
}

/// A primary, its standby, and a proxy that has the standby first in its list.
struct Pair {
    primary: Victim,
    standby: Standby,
    port: u16,
    admin: u16,
    _proxy: Proxy,
    folder: tempfile::TempDir,
}

impl Pair {
    async fn start(authenticates: bool) -> Self {
        let options = Options::from_env()
            .authentication(Authentication::ScramSha256)
            .password(PASSWORD)
            .hba("host replication all all scram-sha-256");
        let primary = Victim::with(options, 2 * CLIENTS + 50);
        let direct = connect(&primary.url()).await;
        direct.batch_execute(SCHEMA).await.unwrap();
        let standby = Standby::of(&primary).await;
        let (folder, port, admin) = (tempfile::tempdir().unwrap(), free_port(), free_port());
        let auth = if authenticates {
            let verifier = "SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'";
            let row = direct.query_one(verifier, &[]).await.unwrap();
            let file = folder.path().join("verifiers");
            fs::write(&file, format!("postgres:{}\n", row.get::<_, String>(0))).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            "[auth]\nmode = \"verifier\"\nfile = \"verifiers\"\n"
        } else {
            ""
        };
        let text = format!(
            "[server]\nlisten = [\"127.0.0.1:{port}\"]\n\
             [upstream]\naddresses = [\"127.0.0.1:{}\", \"127.0.0.1:{}\"]\n\
             target_session_attrs = \"read-write\"\n{auth}\
             [admin]\nlisten = \"127.0.0.1:{admin}\"\n\
             [keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"FAULT_KEY\"\n\
             [[id]]\nname = \"account\"\ncolumn = \"public.accounts.id\"\n\
             [log]\nlevel = \"warn\"\n",
            standby.port,
            primary.port(),
        );
        let file = folder.path().join("pgveil.toml");
        fs::write(&file, text).unwrap();
        let proxy = Proxy::start(&file, port).await;
        Self {
            primary,
            standby,
            port,
            admin,
            _proxy: proxy,
            folder,
        }
    }

    fn url(&self) -> String {
        let port = self.port;
        format!("host=127.0.0.1 port={port} user=postgres dbname=postgres password='{PASSWORD}'")
    }

    /// The first login of all: the one that finds out what the hosts are.
    async fn first_login(&self) -> Result<(), tokio_postgres::Error> {
        tokio_postgres::connect(&self.url(), NoTls).await.map(drop)
    }

    async fn asked(&self, path: &str) -> String {
        let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", self.admin))
            .await
            .unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    /// All who ask are told that this host is used, the one with this place in the list.
    async fn tells_that_it_uses(&self, port: u16, number: usize) {
        let ready = self.asked("/readyz").await;
        let used = format!("ok upstream: host {number}\n");
        assert!(ready.contains(&used), "{ready}");
        let status = self.asked("/v1/status").await;
        let compact: String = status.split_whitespace().collect();
        let used = format!(
            "\"address\":\"127.0.0.1:{port}\",\"up\":true,\"role\":\"primary\",\"used\":true"
        );
        assert!(compact.contains(&used), "{status}");
        let metrics = self.asked("/metrics").await;
        let used = format!("pgveil_upstream_host{{host=\"{number}\",role=\"primary\"}} 1");
        assert!(metrics.contains(&used), "{metrics}");
    }

    /// What a session runs can be cancelled, on whichever host it is.
    async fn cancels(&self) {
        let client = connect(&self.url()).await;
        let token = client.cancel_token();
        let sleeper =
            tokio::spawn(async move { client.batch_execute("SELECT pg_sleep(60)").await });
        sleep(Duration::from_millis(300)).await;
        token.cancel_query(NoTls).await.unwrap();
        let ended = timeout(Duration::from_secs(10), sleeper).await;
        let error = ended.expect("it sleeps on").unwrap().unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::QUERY_CANCELED));
    }
}

fn count(bank: &Bank) -> usize {
    bank.acknowledged.lock().unwrap().len()
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log")).unwrap()
}

/// Kills the primary under load, promotes the standby, and waits until it serves.
async fn fail_over(pair: &Pair) {
    let bank = Arc::new(Bank {
        ids: ids_by(&pair.url()).await,
        ..Bank::default()
    });
    bank.open.store(true, Ordering::Relaxed);
    let address = SocketAddr::from(([127, 0, 0, 1], pair.port));
    let client = |name| tokio::spawn(bank::client(Arc::clone(&bank), address, name, 5));
    let clients: Vec<_> = (0..CLIENTS).map(client).collect();
    sleep(Duration::from_millis(2500)).await;
    pair.primary.kill();
    sleep(Duration::from_secs(2)).await;
    let before = count(&bank);
    assert!(before > 100, "hardly anything was done: {before}");
    pair.standby.promote().await;
    let promoted = Instant::now();
    while count(&bank) == before {
        assert!(
            promoted.elapsed() < FOUND_WITHIN,
            "it is not found: {:?}",
            bank.codes
        );
        sleep(Duration::from_millis(5)).await;
    }
    println!("found {:?} after its promotion", promoted.elapsed());
    sleep(Duration::from_millis(1500)).await;
    assert!(
        count(&bank) > before + CLIENTS,
        "not everybody is served again"
    );
    pair.tells_that_it_uses(pair.standby.port, 1).await;
    bank.open.store(false, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
    let wrong = audit(&pair.standby.url(), &bank).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    let codes = bank.codes.lock().unwrap().clone();
    assert!(codes.contains_key("57P03"), "{codes:?}");
    let log = log(pair.folder.path());
    assert!(log.contains("Postgres can't be reached there"), "{log}");
    assert!(!log.contains("fault of pgveil's own"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_standby_is_found_where_postgres_authenticates() {
    let pair = Pair::start(false).await;
    // Nobody can take this login to another host: it has been proven to the standby.
    let error = pair.first_login().await.unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::CANNOT_CONNECT_NOW), "{error}");
    pair.first_login().await.unwrap();
    pair.tells_that_it_uses(pair.primary.port(), 2).await;
    pair.cancels().await;
    fail_over(&pair).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_standby_is_found_where_pgveil_authenticates() {
    let pair = Pair::start(true).await;
    pair.first_login().await.unwrap();
    pair.tells_that_it_uses(pair.primary.port(), 2).await;
    pair.cancels().await;
    fail_over(&pair).await;
}
