//! Everyday work for a long time: pgbench by uuid in every mode, definitions, connections that
//! come and go, cancellations, reloads, slow readers. No transaction fails, memory and descriptors
//! stay what they were once the proxy is warm, and the log has nothing to tell.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pgveil::postgres::Postgres;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_postgres::error::SqlState;

use crate::ddl::{SCHEMA, Storm};
use crate::proxy::{PATIENCE, Proxy};
use crate::random::Random;
use crate::raw::{query, startup};
use crate::work::{self, Id, Worker};
use crate::{connect, direct, server, size, turn, words};

/// What is said of a reload after which snapshots may be older.
const WEAKER: &str =
    "weaker: changes of the database may be seen later: limits.catalog_max_age_s\"";

/// Between two turns of definitions.
const DEFINITIONS: Duration = Duration::from_secs(4);

/// What memory may grow by between the second quarter of the time and the last: what noise is.
const GROWTH_KIB: usize = 8 * 1024;

/// Small, so that it is full long before the end.
const LIMITS: &str = "plan_cache_bytes = 2000000\ncatalog_max_age_s";

/// The part that all kinds of work share.
#[derive(Debug)]
struct Soak {
    port: u16,
    ids: Vec<Id>,
    /// When it ends if each kind of work has been done often enough, and when if not.
    end: Instant,
    latest: Instant,
    transactions: AtomicUsize,
    visits: AtomicUsize,
    cancelled: AtomicUsize,
    bytes: AtomicUsize,
}

impl Soak {
    fn goes_on(&self) -> bool {
        let now = Instant::now();
        now < self.end || now < self.latest && !self.is_enough()
    }

    /// Whether what is measured has been worked for: on a slow machine that takes longer.
    fn is_enough(&self) -> bool {
        let [transactions, visits, cancelled, bytes] = self.counts();
        transactions > 20 && visits > 10 && cancelled > 0 && bytes > 0
    }

    fn counts(&self) -> [usize; 4] {
        [
            &self.transactions,
            &self.visits,
            &self.cancelled,
            &self.bytes,
        ]
        .map(|count| count.load(Ordering::Relaxed))
    }

    /// pgbench in slices, in each mode in turn, every fourth with a connection for each
    /// transaction.
    async fn pgbench(self: Arc<Self>, program: PathBuf, folder: PathBuf) -> Result<(), String> {
        let text = include_str!("pgbench.sql");
        // In a simple query pgbench pastes the text of a variable, so ids need quotes there.
        let quoted = text
            .replace(":user_id", "':user_id'")
            .replace(":order_id", "':order_id'");
        fs::write(folder.join("bound.sql"), text).unwrap();
        fs::write(folder.join("simple.sql"), quoted).unwrap();
        for number in 0.. {
            if !self.goes_on() {
                return Ok(());
            }
            let left = self.end.saturating_duration_since(Instant::now()).as_secs();
            let mode = ["simple", "extended", "prepared"][number % 3];
            let file = folder.join(if mode == "simple" {
                "simple.sql"
            } else {
                "bound.sql"
            });
            let mut command = Command::new(&program);
            command
                .args(["-h", "127.0.0.1", "-p", &self.port.to_string()])
                .args(["-U", "postgres", "-n", "-M", mode, "-c", "4"])
                .args(["-T", &left.clamp(1, 5).to_string(), "-f"])
                .arg(file);
            if number % 4 == 3 {
                command.arg("-C");
            }
            let output = command.arg("postgres").output().await.unwrap();
            let told = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            let number = |label: &str| -> Option<usize> {
                let rest = told.lines().find_map(|line| line.strip_prefix(label))?;
                rest.split_whitespace().next()?.parse().ok()
            };
            let done = number("number of transactions actually processed:");
            let failed = number("number of failed transactions:");
            if !output.status.success() || done.is_none() || failed.is_some_and(|n| n > 0) {
                return Err(format!("pgbench -M {mode}: {told}\n{errors}"));
            }
            let done = done.unwrap_or(0);
            self.transactions.fetch_add(done, Ordering::Relaxed);
        }
        Ok(())
    }

    /// One driver after the other, each for a few statements.
    async fn churn(self: Arc<Self>) -> Result<(), String> {
        for number in 0.. {
            if !self.goes_on() {
                return Ok(());
            }
            let told = |error| format!("visit {number}: {}", words(&error));
            let client = connect(self.port, "postgres").await.map_err(told)?;
            let id = self.ids[number % self.ids.len()];
            let mut worker = Worker::begin(client, id).await.map_err(told)?;
            for _ in 0..number % 10 {
                worker.go().await.map_err(told)?;
            }
            self.visits.fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Statements that are cancelled at any moment. Nothing else may happen to them.
    async fn cancels(self: Arc<Self>) -> Result<(), String> {
        let client = connect(self.port, "postgres").await.unwrap();
        let mut random = Random(3);
        while self.goes_on() {
            let token = client.cancel_token();
            let pause = Duration::from_millis(random.below(60) as u64);
            let cancel = async {
                sleep(pause).await;
                token.cancel_query(tokio_postgres::NoTls).await
            };
            let text = "SELECT id, pg_sleep(0.03) FROM users LIMIT 1";
            let (answer, cancel) = tokio::join!(client.simple_query(text), cancel);
            cancel.map_err(|error| format!("a cancellation: {}", words(&error)))?;
            match answer {
                Ok(_) => {}
                Err(error) if error.code() == Some(&SqlState::QUERY_CANCELED) => {
                    self.cancelled.fetch_add(1, Ordering::Relaxed);
                }
                Err(error) => return Err(format!("a cancelled statement: {}", words(&error))),
            }
        }
        Ok(())
    }

    /// Reads a result of hundreds of megabytes slowly, and goes away in the middle of it.
    async fn slow_reader(self: Arc<Self>) -> Result<(), String> {
        let mut buffer = vec![0; 64 * 1024];
        while self.goes_on() {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
            let start = startup(&["user", "postgres"]);
            stream.write_all(&start).await.unwrap();
            let text = "SELECT id, email FROM users, generate_series(1, 20000)";
            stream.write_all(&query(text)).await.unwrap();
            for _ in 0..100 {
                let read = tokio::time::timeout(PATIENCE, stream.read(&mut buffer)).await;
                let count = read.map_err(|_| "a slow reader gets nothing")?;
                match count {
                    Ok(count @ 1..) => self.bytes.fetch_add(count, Ordering::Relaxed),
                    ended => return Err(format!("a slow reader is ended: {ended:?}")),
                };
                sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(())
    }
}

/// The memory of the proxy, twice a second, beside definitions and reloads.
async fn watch(soak: &Soak, proxy: &Proxy, postgres: &Postgres) -> Vec<usize> {
    let admin = direct(postgres).await;
    let storm = Storm::default();
    let (mut samples, mut turns) = (Vec::new(), 0);
    let mut due = Instant::now() + DEFINITIONS;
    while soak.goes_on() {
        sleep(Duration::from_millis(500)).await;
        samples.push(proxy.memory_kib());
        if Instant::now() > due {
            storm.turn(&admin, 1, turns).await.unwrap();
            turns += 1;
            proxy.reload(&format!("{LIMITS} = {}", 1 + turns % 2 * 30));
            due = Instant::now() + DEFINITIONS;
        }
    }
    samples
}

fn median(samples: &[usize]) -> usize {
    let mut samples = samples.to_vec();
    samples.sort_unstable();
    samples[samples.len() / 2]
}

/// Waits until no more sockets are open than at the beginning.
async fn rest(proxy: &Proxy, idle: usize) -> usize {
    let started = Instant::now();
    loop {
        let (sockets, _) = proxy.descriptors();
        if sockets <= idle || started.elapsed() > PATIENCE {
            return sockets;
        }
        sleep(Duration::from_millis(50)).await;
    }
}

async fn work(soak: &Arc<Soak>, postgres: &Postgres, proxy: &Proxy, folder: &Path) -> Vec<usize> {
    let program = postgres.program("pgbench").expect("pgbench");
    let mut workers = JoinSet::new();
    workers.spawn(Arc::clone(soak).pgbench(program, folder.to_owned()));
    workers.spawn(Arc::clone(soak).churn());
    workers.spawn(Arc::clone(soak).cancels());
    workers.spawn(Arc::clone(soak).slow_reader());
    workers.spawn(Arc::clone(soak).slow_reader());
    let samples = watch(soak, proxy, postgres).await;
    let mut wrong = Vec::new();
    while let Some(worker) = workers.join_next().await {
        wrong.extend(worker.unwrap().err());
    }
    assert!(wrong.is_empty(), "{wrong:#?}\n{}", proxy.log());
    samples
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_time_of_work_fails_nothing_and_leaves_nothing() {
    let _turn = turn().await;
    let postgres = server(200);
    let admin = direct(&postgres).await;
    admin.batch_execute(SCHEMA).await.unwrap();
    let mut proxy = Proxy::start(&postgres, &format!("{LIMITS} = 1")).await;
    let first = connect(proxy.port, "postgres").await.unwrap();
    let ids = work::ids(&first).await;
    drop(first);
    sleep(Duration::from_secs(1)).await;
    let (idle, _) = proxy.descriptors();
    let seconds = size("WORK", 55, 1800);
    let soak = Arc::new(Soak {
        port: proxy.port,
        ids,
        end: Instant::now() + Duration::from_secs(seconds as u64),
        latest: Instant::now() + Duration::from_secs(4 * seconds as u64),
        transactions: AtomicUsize::new(0),
        visits: AtomicUsize::new(0),
        cancelled: AtomicUsize::new(0),
        bytes: AtomicUsize::new(0),
    });
    let folder = tempfile::tempdir().unwrap();
    let samples = work(&soak, &postgres, &proxy, folder.path()).await;
    let sockets = rest(&proxy, idle).await;

    let quarter = samples.len() / 4;
    let warm = median(&samples[quarter..2 * quarter]);
    let late = median(&samples[3 * quarter..]);
    let [transactions, visits, cancelled, bytes] = soak.counts();
    println!(
        "{seconds} s: {transactions} transactions of pgbench, {visits} visits, {cancelled} \
         statements cancelled, {bytes} bytes read slowly; memory {warm} KiB warm, {late} KiB late, \
         {} KiB at rest; sockets {idle}, then {sockets}",
        proxy.memory_kib()
    );
    assert!(proxy.lives());
    // Those who look for a user that is not there make ids up, and the tables that come and go have
    // keys of their own. That snapshots may be older is what the configuration is read anew for.
    let log = proxy.log();
    let expected = ["id_unknown", "catalog_drift"].map(|event| format!("\"event\":\"{event}\""));
    let expected = expected.iter().map(String::as_str);
    let expected: Vec<&str> = expected.chain([WEAKER]).collect();
    let is_expected = |line: &&str| expected.iter().any(|part| line.contains(part));
    let told = log.lines().filter(|line| !is_expected(line));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [""; 0],
        "the log tells of something"
    );
    assert!(sockets <= idle, "sockets are kept");
    let tail: Vec<_> = samples.iter().step_by(samples.len() / 40 + 1).collect();
    assert!(late <= warm + GROWTH_KIB, "memory grows: {tail:?}");
    assert!(soak.is_enough());
}
