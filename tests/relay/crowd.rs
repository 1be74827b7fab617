//! Many connections at once, to a proxy in a process of its own so that its memory can be told.

use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future;

use crate::process::Process;
use crate::support::*;

const CONNECTIONS: usize = 1000;

/// The variable by which the test knows that it has as many descriptors as it can get.
const ENOUGH_DESCRIPTORS: &str = "PGVEIL_TEST_ENOUGH_DESCRIPTORS";

/// The crowd needs a descriptor for each connection, more than many systems give at first: the
/// test runs itself once more with all that it may have.
#[test]
fn a_thousand_connections_at_once_each_get_their_answer() {
    if std::env::var_os(ENOUGH_DESCRIPTORS).is_some() {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
        return runtime.block_on(crowd());
    }
    let again = "ulimit -n $(ulimit -Hn); exec \"$0\" --exact \
                 crowd::a_thousand_connections_at_once_each_get_their_answer --nocapture";
    let status = Command::new("sh")
        .args(["-c", again])
        .arg(std::env::current_exe().unwrap())
        .env(ENOUGH_DESCRIPTORS, "1")
        .status()
        .unwrap();
    assert!(status.success());
}

#[expect(clippy::print_stdout, reason = "it tells what it has measured")]
async fn crowd() {
    let process = Process::start(CONNECTIONS + 10, "$(ulimit -Hn)").await;
    let mut first = process.session().await;
    first.send(&query("SELECT 1")).await;
    first.until_ready().await;
    let before = process.memory();

    let connections = (0..CONNECTIONS).map(|_| process.session());
    let mut crowd = future::join_all(connections).await;
    let ask = async |(number, raw): (usize, &mut Raw)| {
        raw.send(&query(&format!("SELECT {number}"))).await;
        let answer = raw.until_ready().await;
        assert_eq!(answer.kinds(), "TDCZ");
        let (_, row) = &answer.messages[1];
        assert!(row.ends_with(number.to_string().as_bytes()));
    };
    let started = Instant::now();
    future::join_all(crowd.iter_mut().enumerate().map(ask)).await;
    let seconds = started.elapsed().as_secs_f64();
    println!("{CONNECTIONS} connections, each with a query: all answered within {seconds:.2} s");

    tokio::time::sleep(Duration::from_millis(500)).await;
    if let (Some(before), Some(after)) = (before, process.memory()) {
        let each = after.saturating_sub(before) / CONNECTIONS;
        println!("memory for each idle connection: {each} bytes");
        assert!(each < 64 * 1024, "an idle connection takes {each} bytes");
    }
}

#[tokio::test]
async fn clients_beyond_the_descriptors_are_told_so_and_the_others_live() {
    // Enough for about ten sessions beside what the runtime needs, and what is open already.
    let process = Process::start(1000, "$(($(ls /proc/self/fd | wc -l) + 36))").await;
    let mut sessions = Vec::new();
    let refused = loop {
        assert!(sessions.len() < 40, "there is no end to the descriptors");
        let mut raw = process.connect().await;
        raw.send(&startup(3 << 16, &["user", "postgres"])).await;
        let answer = raw.until_ready().await;
        if answer.closed {
            break answer;
        }
        sessions.push(raw);
    };
    assert_eq!(refused.error(b'C').as_deref(), Some("53300"));
    assert!(sessions.len() > 5);
    for raw in &mut sessions {
        raw.send(&query("SELECT 1")).await;
        assert_eq!(raw.until_ready().await.kinds(), "TDCZ");
    }
    // The places of those who go are free again.
    sessions.truncate(1);
    let started = Instant::now();
    loop {
        let mut raw = process.connect().await;
        raw.send(&startup(3 << 16, &["user", "postgres"])).await;
        if !raw.until_ready().await.closed {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "no place is ever free again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
