//! Authentication passed through, on each combination of legs.

use crate::stand::*;

/// The combinations of legs: with the client, with Postgres.
const LEGS: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

async fn proxy(client: bool, server: bool, auth: &str) -> Proxy {
    let stand = stand();
    let mut tables = auth.to_owned();
    if client {
        tables += &stand.server_tls("require", "");
    }
    if server {
        tables += &stand.upstream_tls();
    }
    Proxy::start(&tables).await
}

fn options(user: &str, client: bool, binding: &str) -> String {
    if client {
        format!("{} channel_binding={binding}", verified(user))
    } else {
        format!("user='{user}' sslmode=disable channel_binding={binding}")
    }
}

#[tokio::test]
async fn every_method_passes_on_every_combination_of_legs() {
    for (client, server) in LEGS {
        let proxy = proxy(client, server, "").await;
        let what = "SELECT current_user, (SELECT ssl FROM pg_stat_ssl \
                    WHERE pid = pg_backend_pid())";
        for method in METHODS {
            let role = format!("with {method}");
            let options = options(&role, client, "disable");
            let found = proxy.psql(&options, what).await.expect(&role);
            let encrypted = if server { "t" } else { "f" };
            assert_eq!(found, format!("{role}|{encrypted}"));
            if method != "trust" {
                let wrong = format!("{options} password=wrong");
                let said = proxy.psql(&wrong, what).await.unwrap_err();
                let expected = format!("password authentication failed for user \"{role}\"");
                assert!(said.contains(&expected), "{said}");
            }
        }
    }
}

/// The table in docs/security.md.
#[tokio::test]
async fn channel_binding_passes_or_fails_as_documented() {
    let refused = "channel binding can't pass through pgveil";
    // What libpq says by itself.
    let impossible = "channel binding";
    for (client, server, binding, expected) in [
        (false, false, "prefer", None),
        (false, false, "require", Some(impossible)),
        (true, false, "prefer", None),
        (true, false, "require", Some(impossible)),
        (false, true, "prefer", None),
        (false, true, "require", Some(impossible)),
        (true, true, "disable", None),
        (true, true, "prefer", Some(refused)),
        (true, true, "require", Some(refused)),
    ] {
        let proxy = proxy(client, server, "").await;
        let answer = proxy
            .psql(&options(SCRAM, client, binding), "SELECT 1")
            .await;
        match (answer, expected) {
            (Ok(one), None) => assert_eq!(one, "1"),
            (Err(said), Some(words)) => assert!(said.contains(words), "{said}"),
            (answer, _) => panic!("{client} {server} {binding}: {answer:?}"),
        }
    }
}

#[tokio::test]
async fn channel_binding_passes_where_both_legs_show_the_same_certificate() {
    let stand = stand();
    let tables = server_tls(&stand.inner, "require", "") + &stand.upstream_tls();
    let proxy = Proxy::start(&tables).await;
    let answer = proxy
        .psql(&options(SCRAM, true, "require"), "SELECT 1")
        .await;
    assert_eq!(answer.as_deref(), Ok("1"));
}

#[tokio::test]
async fn postgres_sees_the_certificate_of_pgveil_if_there_is_one() {
    let stand = stand();
    let subject = crate::authority::Subject {
        common_name: "by certificate",
        ..crate::authority::HERE
    };
    let identity = stand.authority.issue("of pgveil", &subject);
    let without = stand.upstream_tls();
    let with = format!(
        "{without}cert = \"{}\"\nkey = \"{}\"\n",
        identity.cert.display(),
        identity.key.display()
    );
    let role = "user='by certificate' sslmode=disable";
    let proxy = Proxy::start(&with).await;
    let user = proxy.psql(role, "SELECT current_user").await;
    assert_eq!(user.as_deref(), Ok("by certificate"));
    let proxy = Proxy::start(&without).await;
    let said = proxy.psql(role, "SELECT 1").await.unwrap_err();
    assert!(said.contains("valid client certificate"), "{said}");
}

#[tokio::test]
async fn plain_clients_are_refused_where_tls_is_required_and_welcome_where_it_is_preferred() {
    let stand = stand();
    let proxy = Proxy::start(&stand.server_tls("require", "")).await;
    let plain = "user=postgres sslmode=disable";
    let said = proxy.psql(plain, "SELECT 1").await.unwrap_err();
    assert!(said.contains("no encryption: connect with TLS"), "{said}");
    let preferring = proxy.psql("user=postgres sslmode=prefer", "SELECT 1").await;
    assert_eq!(preferring.as_deref(), Ok("1"));

    let proxy = Proxy::start(&stand.server_tls("prefer", "")).await;
    for mode in ["disable", "allow", "prefer", "require"] {
        let options = format!("user=postgres sslmode={mode}");
        let answer = proxy.psql(&options, "SELECT 1").await;
        assert_eq!(answer.as_deref(), Ok("1"), "{mode}");
    }
    let proxy = Proxy::start("").await;
    let said = proxy
        .psql(&verified("postgres"), "SELECT 1")
        .await
        .unwrap_err();
    assert!(said.contains("does not support SSL"), "{said}");
}

#[tokio::test]
async fn a_preferring_proxy_does_without_where_the_server_has_none() {
    // The proxy before Postgres has no TLS itself.
    let plain = Proxy::start("").await;
    let upstream = plain.address.to_string();
    let prefer = Proxy::before(&upstream, "[upstream.tls]\nmode = \"prefer\"\n").await;
    let answer = prefer.psql("user=postgres", "SELECT 1").await;
    assert_eq!(answer.as_deref(), Ok("1"));
    let proxy = Proxy::start("[upstream.tls]\nmode = \"prefer\"\n").await;
    let answer = proxy.psql("user='over tls'", "SELECT current_user").await;
    assert_eq!(answer.as_deref(), Ok("over tls"));
}
