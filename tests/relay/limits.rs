//! Limits by role, database and address, and by failed logins: each holds exactly, whatever comes at
//! once; what is no session neither counts nor is refused.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Instant;

use futures_util::future;
use pgveil::config::{Config, Environment};
use tokio::net::{TcpSocket, UnixStream};

use crate::support::*;

const CROWD: usize = 200;
const TRUSTED: &str = "with trust";
const PROVEN: &str = "with scram-sha-256";

/// Connects from another address of this machine.
async fn from(number: u8, to: SocketAddr) -> Raw {
    let socket = TcpSocket::new_v4().unwrap();
    let address = IpAddr::V4(Ipv4Addr::new(127, 0, 0, number));
    socket.bind(SocketAddr::new(address, 0)).unwrap();
    Raw(socket.connect(to).await.unwrap())
}

/// What a client of this role is told, and its connection.
async fn answered(mut raw: Raw, role: &str, database: &str) -> (Raw, Answer) {
    let names = ["user", role, "database", database];
    raw.send(&startup(3 << 16, &names)).await;
    let answer = raw.until_ready().await;
    (raw, answer)
}

/// Comes until there is a place.
async fn comes_in(from_address: impl AsyncFn() -> Raw, role: &str) -> Raw {
    let started = Instant::now();
    loop {
        let (raw, answer) = answered(from_address().await, role, "postgres").await;
        if !answer.closed {
            return raw;
        }
        assert_eq!(answer.error(b'C').as_deref(), Some("53300"));
        assert!(started.elapsed() < PATIENCE, "no place is ever free again");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Many at once: those who got in, and what each of the others was told.
async fn crowd(address: SocketAddr, role: &str) -> (Vec<(Raw, Answer)>, HashMap<String, usize>) {
    let one = async || answered(Raw::connect(address).await, role, "postgres").await;
    let all = future::join_all((0..CROWD).map(|_| one())).await;
    let (out, inside): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, answer)| answer.closed);
    let mut told = HashMap::new();
    for (_, answer) in out {
        let code = answer.error(b'C').unwrap();
        let words = format!("{code} {}", answer.error(b'M').unwrap());
        *told.entry(words).or_default() += 1;
    }
    (inside, told)
}

fn refused(proxy: &Proxy, reason: &str) -> u64 {
    let all = proxy.vitals.counters().turned_away.all();
    all.into_iter()
        .find(|(name, _)| *name == reason)
        .map_or(0, |(_, sum)| sum)
}

async fn backends(role: &str, database: &str) -> i64 {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = $1 AND datname = $2";
    let row = direct().await.query_one(sql, &[&role, &database]).await;
    row.unwrap().get(0)
}

/// A database of its own, so that what other tests do at the same time does not count.
async fn database(name: &str) {
    let sql = format!("CREATE DATABASE {name}");
    direct().await.batch_execute(&sql).await.unwrap();
}

#[tokio::test]
async fn a_role_has_as_many_sessions_as_its_limit_says_and_those_of_who_went_come_back() {
    roles().await;
    let limit = "[[limit]]\nroles = [\"nobody\", \"with trust\"]\nmax_connections = 7\n";
    let proxy = Proxy::with(config(limit)).await;
    let (mut inside, told) = crowd(proxy.address, TRUSTED).await;
    assert_eq!(inside.len(), 7);
    let words = "53300 too many connections for role \"with trust\"".to_owned();
    assert_eq!(told, HashMap::from([(words, CROWD - 7)]));
    assert_eq!(refused(&proxy, "role_limit"), (CROWD - 7) as u64);
    // Others come in, and what runs can be cancelled.
    drop(Raw::session(proxy.address).await);
    let (first, answer) = &mut inside[0];
    first.send(&query("SELECT pg_sleep(60)")).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let mut cancel = Raw::connect(proxy.address).await;
    cancel.send(&cancellation(answer)).await;
    let stopped = first.until_ready().await;
    assert_eq!(stopped.error(b'C').as_deref(), Some("57014"));

    // Whoever takes its leave, vanishes, is ended by Postgres or by the operator makes room.
    let come = async || Raw::connect(proxy.address).await;
    let (mut leaves, _) = inside.remove(0);
    leaves.send(&message(b'X', b"")).await;
    let mut others = vec![comes_in(come, TRUSTED).await];
    drop(inside.remove(0));
    others.push(comes_in(come, TRUSTED).await);
    let (mut ended, _) = inside.remove(0);
    let end = "SELECT pg_terminate_backend(pg_backend_pid())";
    ended.send(&query(end)).await;
    others.push(comes_in(come, TRUSTED).await);
    let (seen, _) = proxy.vitals.sessions(0, 100);
    let mine = seen.iter().find(|seen| seen.whose.role == TRUSTED).unwrap();
    assert!(proxy.vitals.terminate(mine.whose.number));
    others.push(comes_in(come, TRUSTED).await);
    let (_, answer) = answered(come().await, TRUSTED, "postgres").await;
    assert_eq!(answer.error(b'C').as_deref(), Some("53300"));
    drop((inside, others, ended));
}

#[tokio::test]
async fn all_limits_that_fit_hold_and_nobody_above_them_reaches_postgres() {
    roles().await;
    database("limited").await;
    let limits = "[[limit]]\ndatabases = [\"limited\"]\nmax_connections = 3\n\
                  [[limit]]\nroles = [\"with trust\"]\ndatabases = [\"limited\"]\nmax_connections = 2\n";
    let proxy = Proxy::with(config(limits)).await;
    let come = async |role, database| {
        let (raw, answer) = answered(Raw::connect(proxy.address).await, role, database).await;
        (raw, answer.error(b'M'))
    };
    let mut sessions = Vec::new();
    for (role, words) in [
        (TRUSTED, None),
        (TRUSTED, None),
        (
            TRUSTED,
            Some("too many connections for role \"with trust\""),
        ),
        ("postgres", None),
        (
            "postgres",
            Some("too many connections for database \"limited\""),
        ),
        (
            TRUSTED,
            Some("too many connections for database \"limited\""),
        ),
    ] {
        let (raw, told) = come(role, "limited").await;
        assert_eq!(told.as_deref(), words);
        sessions.push(raw);
    }
    assert_eq!(backends(TRUSTED, "limited").await, 2);
    assert_eq!(backends("postgres", "limited").await, 1);
    assert_eq!(come(TRUSTED, "postgres").await.1, None);
    assert_eq!(refused(&proxy, "role_limit"), 1);
    assert_eq!(refused(&proxy, "database_limit"), 2);
}

#[tokio::test]
async fn a_reload_limits_those_who_come_and_counts_those_who_are_there() {
    roles().await;
    let proxy = Proxy::start().await;
    let come = async || answered(Raw::connect(proxy.address).await, TRUSTED, "postgres").await;
    let mut before = Vec::new();
    for _ in 0..3 {
        before.push(come().await);
    }
    let limit = "[[limit]]\nroles = [\"with trust\"]\nmax_connections = 3\n";
    for (tables, reason) in [
        (limit, "role_limit"),
        ("[server]\nmax_per_address = 3\n", "address_limit"),
    ] {
        assert!(proxy.reload.apply(config(tables)));
        let (_, answer) = come().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("53300"));
        assert_eq!(refused(&proxy, reason), 1);
        for (raw, _) in &mut before {
            raw.send(&query("SELECT 1")).await;
            assert_eq!(raw.until_ready().await.kinds(), "TDCZ");
        }
    }
    assert!(proxy.reload.apply(config("")));
    assert!(!come().await.1.closed);
}

#[tokio::test]
async fn who_owes_a_proof_for_long_gives_its_place_to_another_of_the_role() {
    roles().await;
    let limit = "[[limit]]\nroles = [\"with scram-sha-256\"]\nmax_connections = 1\n";
    let proxy = Proxy::with(config(limit)).await;
    let mut owes = Raw::connect(proxy.address).await;
    owes.send(&startup(3 << 16, &["user", PROVEN])).await;
    let asked = owes.read(|kind| kind == b'R').await;
    assert_eq!(asked.kinds(), "R");
    let refused = proxy.connect_as(PROVEN).await.err().unwrap();
    assert_eq!(refused.code().unwrap().code(), "53300");
    tokio::time::sleep(std::time::Duration::from_millis(3100)).await;
    let client = proxy.connect_as(PROVEN).await.unwrap();
    client.simple_query("SELECT 1").await.unwrap();
    assert_eq!(
        owes.until_closed().await.error(b'C').as_deref(),
        Some("53300")
    );
}

/// A proxy that listens at a Unix socket, too.
fn with_socket(folder: &Path, server: &str) -> Config {
    let text = format!(
        "[server]\nlisten = [\"127.0.0.1:0\", \"unix:{}\"]\n{server}\n\
         [upstream]\naddress = \"{}:{}\"\n",
        folder.display(),
        postgres().host(),
        postgres().port()
    );
    let around = Environment {
        folder,
        env: &|_| None,
    };
    Config::parse(&text, &around).expect("a sound configuration")
}

#[tokio::test]
async fn an_address_has_as_many_connections_as_it_may_and_what_is_no_session_counts_for_none() {
    roles().await;
    let folder = tempfile::tempdir().unwrap();
    let proxy = Proxy::with(with_socket(folder.path(), "max_per_address = 7")).await;
    // Probes, requests for encryption, and what has not said yet what it wants.
    let mut probes = Vec::new();
    for first in [&b""[..], &[0, 0, 0, 8, 4, 210, 22, 47], &[0, 0]] {
        for _ in 0..5 {
            let mut raw = Raw::connect(proxy.address).await;
            raw.send(first).await;
            probes.push(raw);
        }
    }
    let (mut inside, told) = crowd(proxy.address, TRUSTED).await;
    assert_eq!(inside.len(), 7);
    let words = "53300 too many connections from this address".to_owned();
    assert_eq!(told, HashMap::from([(words, CROWD - 7)]));
    assert_eq!(refused(&proxy, "address_limit"), (CROWD - 7) as u64);
    // Another address has its own, and a Unix socket none.
    let other = async || from(2, proxy.address).await;
    let _other = comes_in(other, TRUSTED).await;
    let path = folder.path().join(".s.PGSQL.6432");
    let mut local = Vec::new();
    for _ in 0..9 {
        let mut stream = UnixStream::connect(&path).await.unwrap();
        let packet = startup(3 << 16, &["user", "postgres"]);
        tokio::io::AsyncWriteExt::write_all(&mut stream, &packet)
            .await
            .unwrap();
        let mut first = [0];
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut first)
            .await
            .unwrap();
        assert_eq!(first, *b"R");
        local.push(stream);
    }
    let (first, answer) = &mut inside[0];
    first.send(&query("SELECT pg_sleep(60)")).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let mut cancel = Raw::connect(proxy.address).await;
    cancel.send(&cancellation(answer)).await;
    let stopped = first.until_ready().await;
    assert_eq!(stopped.error(b'C').as_deref(), Some("57014"));
    inside.pop();
    let come = async || Raw::connect(proxy.address).await;
    comes_in(come, TRUSTED).await;
}

#[tokio::test]
async fn the_address_is_that_which_the_balancer_tells() {
    roles().await;
    let server =
        "[server]\nmax_per_address = 2\n[server.proxy_protocol]\nfrom = [\"127.0.0.0/8\"]\n";
    let proxy = Proxy::with(config(server)).await;
    let come = async |header: &[u8]| {
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(header).await;
        answered(raw, TRUSTED, "postgres").await
    };
    let mut sessions = Vec::new();
    for (address, is_in) in [
        ("TCP4 192.0.2.7 10.0.0.1 1 2", true),
        ("TCP4 192.0.2.7 10.0.0.1 2 2", true),
        ("TCP4 192.0.2.7 10.0.0.1 3 2", false),
        ("TCP4 192.0.2.8 10.0.0.1 3 2", true),
        ("TCP6 2001:db8::1 ::1 1 2", true),
        ("TCP6 2001:db8::2 ::1 1 2", true),
        // The same network of one owner.
        ("TCP6 2001:db8::3 ::1 1 2", false),
        ("TCP6 2001:db8:0:1::3 ::1 1 2", true),
        ("TCP6 ::ffff:192.0.2.7 ::1 1 2", false),
    ] {
        let (raw, answer) = come(format!("PROXY {address}\r\n").as_bytes()).await;
        assert_eq!(!answer.closed, is_in, "{address}: {answer:?}");
        sessions.push(raw);
    }
    // The balancer itself, when it looks whether anybody is there.
    for _ in 0..5 {
        let (raw, answer) = come(b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0").await;
        assert!(!answer.closed);
        sessions.push(raw);
    }
}

/// How many of a crowd with a wrong password were told what, by their codes.
async fn guesses(proxy: &Proxy, role: &str) -> HashMap<String, usize> {
    let guess = async || {
        let refused = proxy.connect_with(role, "wrong").await.err().unwrap();
        refused.code().expect("an answer").code().to_owned()
    };
    let mut told = HashMap::new();
    for code in future::join_all((0..CROWD).map(|_| guess())).await {
        *told.entry(code).or_default() += 1;
    }
    told
}

/// What a client with the right password from another address gets.
async fn from_elsewhere(proxy: &Proxy, role: &str) -> Result<(), tokio_postgres::Error> {
    let stream = from(3, proxy.address).await.0;
    let mut options = tokio_postgres::Config::new();
    options.user(role).password("secret").dbname("postgres");
    let client = options.connect_raw(stream, tokio_postgres::NoTls).await;
    client.map(|_| ())
}

async fn barred_after_guesses(proxy: &Proxy, role: &str) {
    // What does not fail does not count, nor does who asks for a password first.
    let right = (0..CROWD / 4).map(|_| proxy.connect_as(role));
    for client in future::join_all(right).await {
        client.unwrap();
    }
    for _ in 0..10 {
        let mut raw = Raw::connect(proxy.address).await;
        raw.send(&startup(3 << 16, &["user", role])).await;
        raw.read(|kind| kind == b'R').await;
    }
    let told = guesses(proxy, role).await;
    let expected = [("28P01".to_owned(), 5), ("28000".to_owned(), CROWD - 5)];
    assert_eq!(told, HashMap::from(expected), "{role}");
    assert_eq!(refused(proxy, "failed_logins"), (CROWD - 5) as u64);
    // Nothing is asked any more, whoever comes from there; elsewhere nobody is the worse for it.
    let (_, answer) = answered(Raw::connect(proxy.address).await, "postgres", "postgres").await;
    assert_eq!(answer.kinds(), "E");
    let words = "too many failed logins from this address";
    assert_eq!(answer.error(b'M').as_deref(), Some(words));
    from_elsewhere(proxy, role).await.unwrap();
}

#[tokio::test]
async fn who_guesses_is_asked_nothing_more_where_postgres_authenticates() {
    roles().await;
    for method in ["password", "md5", "scram-sha-256"] {
        let server = "[server]\nfailed_logins_per_minute = 5\n";
        let proxy = Proxy::with(config(server)).await;
        let mut running = Raw::session(proxy.address).await;
        barred_after_guesses(&proxy, &format!("with {method}")).await;
        running.send(&query("SELECT 1")).await;
        assert_eq!(running.until_ready().await.kinds(), "TDCZ");
    }
}

#[tokio::test]
async fn who_guesses_is_asked_nothing_more_where_pgveil_authenticates() {
    roles().await;
    let sql = "SELECT rolpassword FROM pg_authid WHERE rolname = $1";
    let verifier: String = direct()
        .await
        .query_one(sql, &[&PROVEN])
        .await
        .unwrap()
        .get(0);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("roles"),
        format!("{PROVEN}:{verifier}\n"),
    )
    .unwrap();
    let auth = "failed_logins_per_minute = 5\n[auth]\nmode = \"verifier\"\nfile = \"roles\"\n";
    let proxy = Proxy::with(with_socket(folder.path(), auth)).await;
    barred_after_guesses(&proxy, PROVEN).await;
    // A role that nobody has is no better than a wrong password.
    let sockets = tempfile::tempdir().unwrap();
    std::fs::copy(folder.path().join("roles"), sockets.path().join("roles")).unwrap();
    let proxy = Proxy::with(with_socket(sockets.path(), auth)).await;
    let told = guesses(&proxy, "nobody").await;
    assert_eq!(told["28P01"], 5);
}

#[tokio::test]
async fn without_a_limit_nothing_is_counted() {
    roles().await;
    let proxy = Proxy::start().await;
    let told = guesses(&proxy, PROVEN).await;
    assert_eq!(told, HashMap::from([("28P01".to_owned(), CROWD)]));
}
