//! Checked transfers through pgveil while everything around it fails: Postgres is killed, stopped
//! and restarted, the proxy reloaded, drained and replaced, connections are cut at any byte. No
//! answer may be wrong or for somebody else, no acknowledged commit lost, no key seen, and
//! nothing kept in the end. `FAULT_CLIENTS` and `FAULT_SEED` change the number of clients and
//! the faults.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that panics has failed, and this one measures"
)]

mod bank;
mod chaos;
mod controls;
mod failover;
mod hosts;
mod proxy;
mod random;
mod remembered;
mod server;
mod standby;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::time::sleep;
use tokio_postgres::NoTls;

use bank::{Bank, Id};
use chaos::Chaos;
use proxy::Proxy;
use random::Random;
use server::Victim;

const ACCOUNTS: usize = 300;
const FIRST_KEY: i64 = 8_613_972_450_000_001;
const BALANCE: i64 = 10_000;

const SCHEMA: &str = "
    CREATE TABLE accounts (
        id bigint GENERATED ALWAYS AS IDENTITY (START 8613972450000001) PRIMARY KEY,
        number int NOT NULL UNIQUE, balance bigint NOT NULL);
    CREATE TABLE ledger (
        reference text PRIMARY KEY, from_id bigint NOT NULL REFERENCES accounts (id),
        to_id bigint NOT NULL REFERENCES accounts (id), amount bigint NOT NULL);
    INSERT INTO accounts (number, balance) SELECT n, 10000 FROM generate_series(0, 299) n";

fn setting(name: &str, default: usize) -> usize {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What betrays a key: its first digits, and its first bytes.
fn needles() -> Vec<Vec<u8>> {
    let last = FIRST_KEY + ACCOUNTS as i64;
    let bytes = [FIRST_KEY, last].map(|key| key.to_be_bytes()[..6].to_vec());
    let mut needles = vec![FIRST_KEY.to_string().as_bytes()[..12].to_vec()];
    needles.extend(bytes);
    needles
}

async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The ids of the accounts, as the proxy shows them.
async fn ids(port: u16) -> Vec<Id> {
    ids_by(&format!(
        "host=127.0.0.1 port={port} user=postgres dbname=postgres"
    ))
    .await
}

/// The same by the URL of the proxy.
async fn ids_by(url: &str) -> Vec<Id> {
    let client = connect(url).await;
    let rows = client
        .query("SELECT id FROM accounts ORDER BY number", &[])
        .await;
    rows.unwrap().iter().map(|row| row.get(0)).collect()
}

/// Everything of one run.
struct Stage {
    victim: Victim,
    proxy: Proxy,
    port: u16,
    folder: tempfile::TempDir,
    inner: std::net::SocketAddr,
    random: Random,
}

impl Stage {
    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("pgveil.toml")
    }

    /// One round of faults; the proxy is replaced in the first only.
    async fn round(&mut self, replacing: bool) {
        let pause = async |random: &mut Random| {
            sleep(Duration::from_millis(800 + random.below(700) as u64)).await;
        };
        pause(&mut self.random).await;
        println!("a backend is killed");
        self.victim.kill_backend(self.random.below(1000)).await;
        pause(&mut self.random).await;
        println!("reloaded, five times");
        for age in 1..=5 {
            let more = format!("catalog_max_age_s = {}", age * 10);
            proxy::configure(&self.file(), self.port, self.inner, &more);
            self.proxy.reload();
            sleep(Duration::from_millis(100)).await;
        }
        if replacing {
            println!("drained and replaced");
            let file = self.file();
            self.proxy.replace(&file, self.port).await;
            pause(&mut self.random).await;
        }
        println!("Postgres is stopped for a second");
        self.victim.stop_for(Duration::from_secs(1)).await;
        pause(&mut self.random).await;
        println!("Postgres is killed");
        self.victim.restart(Signal::KILL).await;
        pause(&mut self.random).await;
        println!("Postgres is restarted");
        self.victim.restart(Signal::INT).await;
        pause(&mut self.random).await;
        assert!(self.proxy.lives());
    }

    /// Waits until no session is left.
    async fn rest(&self, idle: usize) {
        let started = Instant::now();
        while self.proxy.descriptors() > idle && started.elapsed() < Duration::from_secs(20) {
            sleep(Duration::from_millis(50)).await;
        }
    }
}

async fn load(stage: &mut Stage, bank: &Arc<Bank>, outer: std::net::SocketAddr, replacing: bool) {
    let seed = stage.random.next();
    bank.open.store(true, Ordering::Relaxed);
    let clients: Vec<_> = (0..setting("FAULT_CLIENTS", 200))
        .map(|name| tokio::spawn(bank::client(Arc::clone(bank), outer, name, seed)))
        .collect();
    stage.round(replacing).await;
    bank.open.store(false, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
}

/// What Postgres has must be what the clients were promised: how it is not.
async fn audit(url: &str, bank: &Bank) -> Vec<String> {
    let mut wrong = std::mem::take(&mut *bank.wrong.lock().unwrap());
    let direct = connect(url).await;
    let sums = "SELECT (SELECT sum(balance)::bigint FROM accounts),
        (SELECT count(*) FROM accounts a WHERE balance <> 10000
            + coalesce((SELECT sum(amount) FROM ledger WHERE to_id = a.id), 0)
            - coalesce((SELECT sum(amount) FROM ledger WHERE from_id = a.id), 0))";
    let row = direct.query_one(sums, &[]).await.unwrap();
    let (sum, differing): (i64, i64) = (row.get(0), row.get(1));
    if sum != BALANCE * ACCOUNTS as i64 {
        wrong.push(format!("all money together is {sum}"));
    }
    if differing != 0 {
        wrong.push(format!("{differing} accounts differ from the ledger"));
    }
    let stored = "SELECT l.reference, f.number, t.number, l.amount FROM ledger l
        JOIN accounts f ON f.id = from_id JOIN accounts t ON t.id = to_id";
    let rows = direct.query(stored, &[]).await.unwrap();
    let stored: std::collections::HashMap<String, (i32, i32, i64)> = rows
        .iter()
        .map(|row| (row.get(0), (row.get(1), row.get(2), row.get(3))))
        .collect();
    let promised = bank.acknowledged.lock().unwrap();
    for one in promised.iter() {
        let found = stored.get(&one.reference);
        if found != Some(&(one.from, one.to, one.amount)) {
            wrong.push(format!("{one:?} is stored as {found:?}"));
        }
    }
    println!(
        "{} commits acknowledged, {} stored, {} rows checked, {} failures by code {:?}",
        promised.len(),
        stored.len(),
        bank.reads.load(Ordering::Relaxed),
        bank.failures.load(Ordering::Relaxed),
        bank.codes.lock().unwrap()
    );
    wrong
}

fn told(name: &str, chaos: &Chaos) {
    let cuts = chaos.cuts.load(Ordering::Relaxed);
    let bytes = chaos.bytes.load(Ordering::Relaxed);
    println!("{name}: {cuts} connections cut, {bytes} bytes back");
    assert!(cuts > 0, "nothing was cut");
    assert_eq!(chaos.leaks.load(Ordering::Relaxed), 0, "a key was seen");
}

fn log(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap()
}

/// A server with accounts, and a proxy before it; relays on both sides of the proxy.
struct Ground {
    stage: Stage,
    outer: std::net::SocketAddr,
    before: Arc<Chaos>,
    behind: Arc<Chaos>,
}

async fn ground(clients: usize, mut random: Random, needles: Vec<Vec<u8>>) -> Ground {
    let victim = Victim::start(clients * 2 + 50);
    let admin = connect(&victim.url()).await;
    admin.batch_execute(SCHEMA).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let server = ([127, 0, 0, 1], victim.port()).into();
    let (inner, behind) = chaos::relay(server, Vec::new(), random.next()).await;
    let (outer, before) = chaos::relay(([127, 0, 0, 1], port).into(), needles, random.next()).await;
    let file = folder.path().join("pgveil.toml");
    proxy::configure(&file, port, inner, "");
    let proxy = Proxy::start(&file, port).await;
    sleep(Duration::from_millis(200)).await;
    let stage = Stage {
        victim,
        proxy,
        port,
        folder,
        inner,
        random,
    };
    Ground {
        stage,
        outer,
        before,
        behind,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_is_wrong_and_no_commit_lost_whatever_fails_around() {
    let random = Random(setting("FAULT_SEED", 1) as u64);
    let Ground {
        mut stage,
        outer,
        before,
        behind,
    } = ground(setting("FAULT_CLIENTS", 200), random, needles()).await;
    let idle = stage.proxy.descriptors();
    let bank = Arc::new(Bank {
        ids: ids(stage.port).await,
        ..Bank::default()
    });
    for chaos in [&behind, &before] {
        chaos.cutting.store(true, Ordering::Relaxed);
    }
    load(&mut stage, &bank, outer, true).await;
    stage.rest(idle).await;
    let memory = stage.proxy.memory_kib();
    load(&mut stage, &bank, outer, false).await;
    stage.rest(idle).await;

    let (descriptors, later) = (stage.proxy.descriptors(), stage.proxy.memory_kib());
    println!("descriptors: {idle} idle, {descriptors} after; memory: {memory} KiB, {later} KiB");
    let wrong = audit(&stage.victim.url(), &bank).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    let promised = bank.acknowledged.lock().unwrap().len();
    assert!(promised > 100, "hardly anything was done");
    let codes = bank.codes.lock().unwrap().clone();
    // Kills, restarts and the drain are what clients hear of, if they happened.
    assert!(codes.contains_key("57P01"), "{codes:?}");
    told("before the proxy", &before);
    told("behind the proxy", &behind);
    let log = log(stage.folder.path());
    assert!(!log.contains("panicked"), "{log}");
    assert!(descriptors <= idle + 2, "descriptors are kept");
    assert!(later < memory + 16 * 1024, "memory grows");
}
