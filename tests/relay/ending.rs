//! The end of sessions: by the server, by the operator, by a reload that changes nothing for
//! those that run.

use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use crate::support::*;

#[tokio::test]
async fn a_session_that_postgres_ends_gets_the_words_of_postgres_and_no_others() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&query("SELECT pg_terminate_backend(pg_backend_pid())"))
        .await;
    let answer = raw.until_closed().await;
    assert!(
        answer.kinds().ends_with('E') && !answer.kinds().ends_with("EE"),
        "{answer:?}"
    );
    assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
}

#[tokio::test]
async fn a_client_that_takes_its_leave_gets_no_words() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&message(b'X', b"")).await;
    assert_eq!(raw.until_closed().await.kinds(), "");
}

/// Speaks as Postgres up to the first ReadyForQuery of the client's session, then vanishes.
async fn vanishing_postgres() -> (std::net::SocketAddr, tokio::task::JoinHandle<()>) {
    use tokio::io::AsyncWriteExt;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut startup = vec![0; 1024];
        let _ = stream.read(&mut startup).await.unwrap();
        let hello = [message(b'R', &[0; 4]), message(b'Z', b"I")].concat();
        stream.write_all(&hello).await.unwrap();
        let _ = stream.read(&mut startup).await.unwrap();
    });
    (address, server)
}

#[tokio::test]
async fn a_server_that_vanishes_is_an_error_of_connection() {
    let (address, server) = vanishing_postgres().await;
    let bypass = "[policy]\nbypass_roles = [\"postgres\"]";
    let proxy = Proxy::with(config_before(&address.to_string(), bypass)).await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&query("SELECT 1")).await;
    let answer = raw.until_closed().await;
    server.await.unwrap();
    assert_eq!(answer.kinds(), "E");
    assert_eq!(answer.error(b'C').as_deref(), Some("08006"));
}

#[tokio::test]
async fn draining_ends_idle_sessions_at_once_and_busy_ones_when_they_are_idle() {
    let mut proxy = Proxy::start().await;
    let mut idle = Raw::session(proxy.address).await;
    let mut busy = Raw::session(proxy.address).await;
    busy.send(&query("BEGIN")).await;
    busy.until_ready().await;
    proxy.stop();
    let answer = idle.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
    busy.send(&query("SELECT 1")).await;
    assert_eq!(busy.until_ready().await.kinds(), "TDCZ");
    let refused = tokio::net::TcpStream::connect(proxy.address).await;
    assert!(refused.is_err(), "a draining proxy takes no more clients");
    busy.send(&query("COMMIT")).await;
    let answer = busy.until_closed().await;
    assert_eq!(answer.kinds(), "CZE");
    assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
    proxy.stopped().await;
}

#[tokio::test]
async fn idle_sessions_end_spread_over_the_time_that_is_given_and_work_until_then() {
    let limits = "[limits]\ndrain_spread_s = 3\ndrain_timeout_s = 20\n";
    let mut proxy = Proxy::with(config(limits)).await;
    let mut idle = Vec::new();
    for _ in 0..30 {
        idle.push(Raw::session(proxy.address).await);
    }
    let mut busy = Raw::session(proxy.address).await;
    busy.send(&query("BEGIN")).await;
    busy.until_ready().await;
    // None of them is new any more.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let started = Instant::now();
    proxy.stop();
    let ends = idle.iter_mut().map(async |raw| {
        let answer = loop {
            // Who has still time is served.
            raw.send(&query("SELECT 1")).await;
            let answer = raw.until_ready().await;
            if answer.closed {
                break answer;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
        started.elapsed()
    });
    let mut ends = futures_util::future::join_all(ends).await;
    ends.sort();
    let within = |from, to| {
        let (from, to) = (Duration::from_secs(from), Duration::from_secs(to));
        ends.iter().filter(|end| (from..to).contains(*end)).count()
    };
    assert!(within(0, 1) >= 5 && within(0, 1) <= 15, "{ends:?}");
    assert!(within(0, 2) <= 25, "{ends:?}");
    assert!(within(0, 8) == 30, "{ends:?}");
    busy.send(&query("COMMIT")).await;
    let answer = busy.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
    proxy.stopped().await;
    assert!(started.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn the_drain_timeout_ends_what_does_not_end_by_itself() {
    let mut proxy = Proxy::with(config("[limits]\ndrain_timeout_s = 1")).await;
    let mut busy = Raw::session(proxy.address).await;
    busy.send(&query("SELECT pg_sleep(60)")).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let started = Instant::now();
    proxy.stop();
    let answer = busy.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
    proxy.stopped().await;
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_delay_before_the_draining_lets_clients_in_as_before() {
    let mut proxy = Proxy::with(config("[limits]\ndrain_delay_s = 2")).await;
    let mut idle = Raw::session(proxy.address).await;
    proxy.stop();
    // Whatever the clock says: one that is let in is served, and all end when the delay is over.
    let mut late = Raw::session(proxy.address).await;
    for raw in [&mut idle, &mut late] {
        raw.send(&query("SELECT 1")).await;
        assert_eq!(raw.until_ready().await.kinds(), "TDCZ");
    }
    for raw in [&mut idle, &mut late] {
        let answer = raw.until_closed().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("57P01"));
    }
    proxy.stopped().await;
}

#[tokio::test]
async fn a_reload_changes_new_sessions_and_leaves_running_ones_alone() {
    let proxy = Proxy::start().await;
    let before = proxy.connect().await;
    let nowhere = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    proxy.reload.apply(config_before(&nowhere.to_string(), ""));
    assert!(proxy.connect_as("postgres").await.is_err());
    before
        .simple_query("SELECT 1")
        .await
        .expect("a running session");
    proxy.reload.apply(config(""));
    proxy.connect_as("postgres").await.expect("a new session");
}

#[tokio::test]
async fn sessions_of_clients_that_vanish_end_on_the_server_too() {
    let proxy = Proxy::start().await;
    let mut raw = Raw::session(proxy.address).await;
    raw.send(&query(
        "SET application_name = 'vanishing'; BEGIN; SELECT 1",
    ))
    .await;
    raw.until_ready().await;
    let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vanishing'";
    let admin = direct().await;
    let sessions = async || admin.query_one(count, &[]).await.unwrap().get::<_, i64>(0);
    assert_eq!(sessions().await, 1);
    // With the option set to zero, closing resets the connection instead of ending it.
    socket2::SockRef::from(&raw.0)
        .set_linger(Some(Duration::ZERO))
        .unwrap();
    drop(raw);
    let started = Instant::now();
    while sessions().await > 0 {
        assert!(started.elapsed() < PATIENCE, "the session is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_session_that_is_silent_outside_of_a_transaction_ends_after_the_idle_timeout() {
    let proxy = Proxy::with(config("[limits]\nidle_timeout_s = 1")).await;
    let mut busy = Raw::session(proxy.address).await;
    busy.send(&query("BEGIN")).await;
    busy.until_ready().await;
    let mut idle = Raw::session(proxy.address).await;
    let answer = idle.until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("57P05"));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    busy.send(&query("SELECT 1")).await;
    assert_eq!(busy.until_ready().await.kinds(), "TDCZ");
}
