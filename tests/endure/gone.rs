//! Random sessions whose clients vanish at any point. Afterwards nothing of them is left, neither
//! in the proxy nor on the server, and others are served as before.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pgveil::postgres::Postgres;
use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::ddl::SCHEMA;
use crate::proxy::{PATIENCE, Proxy};
use crate::raw::packet;
use crate::script::{End, Script, Step, recorded};
use crate::{connect, direct, server, size, turn, words, work};

/// Sessions at the same time.
const AT_ONCE: usize = 20;

/// A message that the proxy does not read must not hold the client for ever.
const SEND_PATIENCE: Duration = Duration::from_millis(500);

/// What is left on the server, a line for each: sessions, locks, prepared transactions.
const LEFT: &str = "
    SELECT concat_ws(' ', 'session', pid, application_name, state, wait_event_type, wait_event,
        left(query, 100)) FROM pg_stat_activity
    WHERE backend_type IN ('client backend', 'parallel worker') AND pid <> pg_backend_pid()
    UNION ALL
    SELECT concat_ws(' ', 'lock', pid, locktype, mode, relation::regclass) FROM pg_locks l
    WHERE pid IS DISTINCT FROM pg_backend_pid() AND NOT EXISTS (SELECT FROM pg_stat_activity a
        WHERE a.pid = l.pid AND backend_type LIKE 'autovacuum%')
    UNION ALL
    SELECT concat_ws(' ', 'prepared', gid) FROM pg_prepared_xacts";

/// A client that plays a script.
struct Player {
    stream: TcpStream,
    port: u16,
    /// The beginning of what came, with the key for cancellation in it.
    heard: Vec<u8>,
}

impl Player {
    async fn play(port: u16, script: Script) {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let heard = Vec::new();
        let mut player = Self {
            stream,
            port,
            heard,
        };
        for step in script.steps {
            match step {
                Step::Send(bytes) => {
                    let _ = timeout(SEND_PATIENCE, player.stream.write_all(&bytes)).await;
                }
                Step::Listen(milliseconds) => player.listen(milliseconds).await,
                Step::Cancel => player.cancel().await,
            }
        }
        player.go(script.end).await;
    }

    /// Reads until the time is over or the connection ends; a startup that is answered ends the
    /// first and longest one early.
    async fn listen(&mut self, milliseconds: u64) {
        let mut buffer = [0; 32 * 1024];
        let reading = async {
            while let Ok(count @ 1..) = self.stream.read(&mut buffer).await {
                if self.heard.len() < 2000 {
                    self.heard.extend(&buffer[..count]);
                    if buffer[..count].ends_with(b"Z\0\0\0\x05I") {
                        return;
                    }
                }
            }
        };
        let _ = timeout(Duration::from_millis(milliseconds), reading).await;
    }

    async fn cancel(&self) {
        let needle = b"K\0\0\0\x0c";
        let Some(at) = memchr::memmem::find(&self.heard, needle) else {
            return;
        };
        let Some(key) = self.heard.get(at + 5..at + 13) else {
            return;
        };
        let request = packet(&[&80_877_102_u32.to_be_bytes(), key].concat());
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)).await {
            let _ = stream.write_all(&request).await;
        }
    }

    async fn go(mut self, end: End) {
        match end {
            End::Terminate => {
                let _ = timeout(SEND_PATIENCE, self.stream.write_all(b"X\0\0\0\x04")).await;
            }
            End::Close => {}
            End::Reset => {
                let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
            }
            End::Half(milliseconds) => {
                let _ = self.stream.shutdown().await;
                self.listen(milliseconds).await;
            }
        }
    }
}

async fn left(admin: &Client) -> Vec<String> {
    let messages = admin.simple_query(LEFT).await.unwrap();
    let line = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    };
    messages.iter().filter_map(line).collect()
}

/// Waits until nothing is left; gives how long that took.
async fn nothing_left(admin: &Client, proxy: &Proxy, idle: (usize, usize)) -> Duration {
    let started = Instant::now();
    loop {
        let on_server = left(admin).await;
        let open = proxy.descriptors();
        if on_server.is_empty() && open.0 <= idle.0 && open.1 <= idle.1 {
            return started.elapsed();
        }
        assert!(
            started.elapsed() < PATIENCE,
            "sockets and others were {idle:?} and are {open:?}; on the server: {on_server:#?}"
        );
        sleep(Duration::from_millis(50)).await;
    }
}

/// Somebody who wants nothing but answers; gives how many there were.
async fn witness(port: u16, over: Arc<Semaphore>) -> Result<usize, String> {
    let client = connect(port, "postgres").await.unwrap();
    let mut answers = 0;
    while over.available_permits() == 0 {
        let answer = timeout(PATIENCE, client.simple_query("SELECT 1")).await;
        let answer = answer.map_err(|_| "no answer")?;
        answer.map_err(|error| words(&error))?;
        answers += 1;
        sleep(Duration::from_millis(20)).await;
    }
    Ok(answers)
}

/// What the server and the proxy say of ends.
fn fates(postgres: &Postgres, proxy: &Proxy) -> String {
    let (server, proxy) = (postgres.log(), proxy.log());
    let of_server = server
        .lines()
        .filter(|line| line.contains("FATAL:") || line.contains("signal"));
    let of_proxy = proxy.lines().filter(|line| !line.contains("refused"));
    let lines: Vec<_> = of_server.chain(of_proxy).collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

/// Plays the random sessions, some at a time; gives how many.
async fn play(port: u16, ids: &[String]) -> usize {
    let count = size("SESSIONS", 100, 1000);
    let seed = size("SEED", 1, 1) * 1_000_000;
    let numbers = match size("AT", 0, 0) {
        0 => seed..seed + count,
        at => at..at + 1,
    };
    let count = numbers.len();
    let recorded = recorded();
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut players = JoinSet::new();
    for number in numbers {
        let place = Arc::clone(&places).acquire_owned().await.unwrap();
        let script = Script::random(number as u64, ids, &recorded);
        if count == 1 {
            println!("{script:#?}");
        }
        players.spawn(async move {
            Player::play(port, script).await;
            drop(place);
        });
    }
    while let Some(player) = players.join_next().await {
        player.unwrap();
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_clients_that_vanish_anywhere_nothing_is_left() {
    let _turn = turn().await;
    let postgres = server(200);
    let admin = direct(&postgres).await;
    admin.batch_execute(SCHEMA).await.unwrap();
    let mut proxy = Proxy::start(&postgres, "catalog_max_age_s = 1").await;
    let first = connect(proxy.port, "postgres").await.unwrap();
    let ids: Vec<String> = work::ids(&first).await.iter().map(|id| id.text()).collect();
    drop(first);
    nothing_left(&admin, &proxy, (usize::MAX, usize::MAX)).await;
    sleep(Duration::from_millis(300)).await;
    let idle = proxy.descriptors();

    let over = Arc::new(Semaphore::new(0));
    let witness = tokio::spawn(witness(proxy.port, Arc::clone(&over)));
    let started = Instant::now();
    let count = play(proxy.port, &ids).await;
    over.add_permits(1);
    let answers = timeout(PATIENCE, witness).await.unwrap().unwrap();
    let answers =
        answers.unwrap_or_else(|words| panic!("witness: {words}; {}", fates(&postgres, &proxy)));
    let played = started.elapsed().as_secs_f64();
    let rest = nothing_left(&admin, &proxy, idle).await;
    println!(
        "{count} sessions in {played:.1} s, {answers} answers beside them; the last trace gone \
         after {:.1} s; descriptors {idle:?}, then {:?}",
        rest.as_secs_f64(),
        proxy.descriptors()
    );
    assert!(proxy.lives());
    let log = proxy.log();
    assert!(!log.contains("panic"), "{log}");
    let last = connect(proxy.port, "postgres").await.unwrap();
    // Some of the sessions have stored users, too.
    assert!(work::ids(&last).await.len() >= ids.len());
}
