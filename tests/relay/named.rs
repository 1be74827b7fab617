//! `upstream.application_name`: what Postgres sees as the name of a session, and what its client sees.

use crate::support::*;

/// The configuration, which has its `[upstream]` at the end.
fn appending(tables: &str) -> pgveil::config::Config {
    let upstream = format!(
        "{}:{}\"\napplication_name = \"append-peer",
        postgres().host(),
        postgres().port()
    );
    config_before(&upstream, tables)
}

/// What the server has reported as the name.
fn reported(answer: &Answer) -> String {
    let statuses = answer.messages.iter().filter(|(kind, _)| *kind == b'S');
    let mut names = statuses.filter_map(|(_, body)| body.strip_prefix(b"application_name\0"));
    let name = names.next().expect("a report").strip_suffix(b"\0").unwrap();
    assert!(names.next().is_none());
    String::from_utf8(name.to_vec()).unwrap()
}

/// The single value of a result.
async fn value(raw: &mut Raw, sql: &str) -> String {
    raw.send(&query(sql)).await;
    let answer = raw.until_ready().await;
    let (_, row) = answer
        .messages
        .iter()
        .find(|(kind, _)| *kind == b'D')
        .unwrap();
    String::from_utf8(row[6..].to_vec()).unwrap()
}

const SEEN: &str = "SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()";

async fn session(proxy: &Proxy, header: &str, more: &[&str]) -> (Raw, Answer) {
    let mut raw = Raw::connect(proxy.address).await;
    raw.send(header.as_bytes()).await;
    let parameters = [&["user", "postgres"][..], more].concat();
    raw.send(&startup(3 << 16, &parameters)).await;
    let answer = raw.until_ready().await;
    assert!(!answer.closed, "{answer:?}");
    (raw, answer)
}

#[tokio::test]
async fn postgres_sees_where_the_client_comes_from_and_the_client_its_own_name() {
    let proxy = Proxy::with(appending("")).await;
    let long = "a name that is far longer than those that Postgres shows of applications";
    for (name, seen) in [
        ("shop", "shop via 127.0.0.1"),
        ("", "via 127.0.0.1"),
        (
            long,
            "a name that is far longer than those that Postgre via 127.0.0.1",
        ),
    ] {
        let (mut raw, answer) = session(&proxy, "", &["application_name", name]).await;
        assert_eq!(reported(&answer), name);
        assert_eq!(value(&mut raw, SEEN).await, seen);
        assert_eq!(value(&mut raw, "SHOW application_name").await, seen);
    }
    let (mut raw, answer) = session(&proxy, "", &[]).await;
    assert_eq!(reported(&answer), "");
    assert_eq!(value(&mut raw, SEEN).await, "via 127.0.0.1");
    // What is not printable becomes longer in Postgres, and the address is still there.
    let (mut raw, answer) = session(&proxy, "", &["application_name", &"é".repeat(40)]).await;
    assert!(!reported(&answer).contains("via"));
    let seen = value(&mut raw, SEEN).await;
    assert!(
        seen.ends_with(" via 127.0.0.1") && seen.len() > 20,
        "{seen}"
    );
    // The session may call itself otherwise, and whoever has it by an option keeps that.
    raw.send(&query("SET application_name = 'other'")).await;
    assert_eq!(reported(&raw.until_ready().await), "other");
    assert_eq!(value(&mut raw, SEEN).await, "other");
    let options = ["options", "-c application_name=mine"];
    let (mut raw, answer) = session(&proxy, "", &options).await;
    assert_eq!(reported(&answer), "mine");
    assert_eq!(value(&mut raw, SEEN).await, "mine");
}

#[tokio::test]
async fn the_address_behind_the_name_is_that_which_the_balancer_tells() {
    let balanced = "[server]\n[server.proxy_protocol]\nfrom = [\"127.0.0.0/8\"]\n";
    let proxy = Proxy::with(appending(balanced)).await;
    for (header, seen) in [
        (
            "PROXY TCP4 192.0.2.7 10.0.0.1 1 2\r\n",
            "shop via 192.0.2.7",
        ),
        ("PROXY TCP6 2001:db8::9 ::1 1 2\r\n", "shop via 2001:db8::9"),
        ("PROXY UNKNOWN\r\n", "shop"),
    ] {
        let (mut raw, answer) = session(&proxy, header, &["application_name", "shop"]).await;
        assert_eq!(reported(&answer), "shop");
        assert_eq!(value(&mut raw, SEEN).await, seen);
    }
}

#[tokio::test]
async fn by_default_the_name_is_what_the_client_says() {
    let proxy = Proxy::start().await;
    let (mut raw, answer) = session(&proxy, "", &["application_name", "shop"]).await;
    assert_eq!(reported(&answer), "shop");
    assert_eq!(value(&mut raw, SEEN).await, "shop");
}
