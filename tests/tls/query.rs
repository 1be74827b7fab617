//! Authentication by pgveil itself, from verifiers that a query gives.

use std::time::Duration;

use crate::stand::*;

const FIND: &str = "SELECT * FROM verifier_of($1)";

/// The password of the role that asks stands in a file.
fn query(statement: &str, password: &str, max_age_s: u32) -> String {
    let file = stand().file(&format!("{password}\n"));
    format!(
        "[auth]\nmode = \"verifier\"\nrequire_scram = false\n[auth.query]\nstatement = \"{statement}\"\n\
         user = \"{SCRAM}\"\nfile = \"{}\"\nmax_age_s = {max_age_s}\n",
        file.display()
    )
}

async fn admin(statement: &str) {
    let options = "user=postgres sslmode=disable";
    let port = stand().postgres.port();
    psql("127.0.0.1", port, options, statement).await.unwrap();
}

fn by(role: &str, password: &str) -> String {
    format!("user='{role}' password={password} sslmode=disable")
}

#[tokio::test]
async fn roles_are_let_in_by_the_verifiers_that_a_query_gives() {
    let stand = stand();
    let demanding = "channel_binding = \"require\"\n";
    let legs = stand.server_tls("require", demanding) + &stand.upstream_tls() + demanding;
    for (tables, options) in [
        (String::new(), by(SCRAM, "secret")),
        (legs, format!("{} channel_binding=require", verified(SCRAM))),
    ] {
        let proxy = Proxy::start(&(query(FIND, "secret", 60) + &tables)).await;
        // The second time by the answer that is still young.
        for _ in 0..2 {
            let answer = proxy.psql(&options, "SELECT session_user").await;
            assert_eq!(answer.as_deref(), Ok(SCRAM));
        }
        assert!(nobody_asks(&proxy, &options).await, "a session is left");
    }
}

/// Whether the sessions end that have asked for a verifier: the server ends one a moment after its
/// farewell.
async fn nobody_asks(proxy: &Proxy, options: &str) -> bool {
    let left = "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ 'auth.query'";
    for _ in 0..100 {
        if proxy.psql(options, left).await.as_deref() == Ok("0") {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn a_wrong_password_and_a_role_that_is_not_there_get_the_same_words_from_a_query() {
    let proxy = Proxy::start(&query(FIND, "secret", 60)).await;
    // With an md5 password, which SCRAM can't use.
    for role in [SCRAM, "nobody here", "with md5", "' OR true --"] {
        let said = proxy
            .psql(&by(&role.replace('\'', "\\'"), "wrong"), "SELECT 1")
            .await;
        let said = said.unwrap_err();
        let expected = format!("password authentication failed for user \"{role}\"");
        assert!(said.contains(&expected), "{said}");
    }
}

#[tokio::test]
async fn a_password_that_is_changed_counts_after_one_refusal_or_when_the_answer_is_old() {
    admin("SET password_encryption = 'scram-sha-256'; CREATE ROLE changing LOGIN PASSWORD 'one'")
        .await;
    // The role comes in by the rule for all others, which trusts: pgveil has asked for the proof.
    let keeps = Proxy::start(&query(FIND, "secret", 3600)).await;
    let asks = Proxy::start(&query(FIND, "secret", 0)).await;
    let enter = async |proxy: &Proxy, password: &str| {
        proxy.psql(&by("changing", password), "SELECT 1").await
    };
    assert_eq!(enter(&keeps, "one").await.as_deref(), Ok("1"));
    assert_eq!(enter(&asks, "one").await.as_deref(), Ok("1"));
    admin("SET password_encryption = 'scram-sha-256'; ALTER ROLE changing PASSWORD 'two'").await;
    assert!(enter(&asks, "one").await.is_err());
    assert_eq!(enter(&asks, "two").await.as_deref(), Ok("1"));
    assert!(enter(&keeps, "two").await.is_err());
    assert_eq!(enter(&keeps, "two").await.as_deref(), Ok("1"));
    admin("ALTER ROLE changing PASSWORD NULL").await;
    assert!(enter(&asks, "two").await.is_err());
}

#[tokio::test]
async fn a_query_that_fails_lets_nobody_in_and_shows_nothing() {
    for (statement, password) in [
        (FIND, "wrong"),
        (
            "SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1",
            "secret",
        ),
        ("SELECT $1::text, 1 / 0", "secret"),
        ("SELECT 'nonsense from $1", "secret"),
        ("SELECT $1::text", "secret"),
        ("SELECT $1::text, 'x', 'y'", "secret"),
        ("SELECT $1::text, 'x' FROM generate_series(1, 2)", "secret"),
    ] {
        let proxy = Proxy::start(&query(statement, password, 60)).await;
        let said = proxy
            .psql(&by(SCRAM, "secret"), "SELECT 1")
            .await
            .unwrap_err();
        assert!(
            said.contains("pgveil can't find out who may log in"),
            "{said}"
        );
        for hidden in ["pg_authid", "denied", "zero", "nonsense", "authentication"] {
            assert!(!said.contains(hidden), "{said}");
        }
    }
    // A verifier of somebody else.
    let other = format!(
        "SELECT 'other', rolpassword FROM verifier_of('{SCRAM}') v(rolname, rolpassword) WHERE $1 > ''"
    );
    let proxy = Proxy::start(&query(&other, "secret", 60)).await;
    let said = proxy
        .psql(&by(SCRAM, "secret"), "SELECT 1")
        .await
        .unwrap_err();
    assert!(said.contains("password authentication failed"), "{said}");
}

#[test]
fn what_is_wrong_with_a_query_is_a_fault() {
    let fault = |auth: &str| {
        let tables = format!("[auth]\n{auth}");
        let faults = parse("127.0.0.1:1", &tables).expect_err("a fault");
        faults[0].cause.clone()
    };
    let query = "mode = \"verifier\"\n[auth.query]\n";
    let sound = "statement = \"SELECT $1\"\nuser = \"u\"\n";
    for (auth, expected) in [
        (query.to_owned(), "[auth.query] has no statement"),
        (
            format!("{query}statement = \"SELECT $1\""),
            "[auth.query] has no user",
        ),
        (
            format!("{query}statement = \"SELECT\"\nuser = \"u\""),
            "names no role",
        ),
        (
            format!("{query}{sound}max_age_s = -1"),
            "`max_age_s` can't be -1",
        ),
        (
            format!("{query}{sound}env = \"A\"\nfile = \"b\""),
            "two sources",
        ),
        (
            format!("{query}{sound}env = \"A\""),
            "variable A is not set",
        ),
        (
            format!("{query}{sound}file = \"/nowhere\""),
            "cannot read /nowhere",
        ),
        (format!("{query}{sound}password = \"x\""), "unknown key"),
        (
            format!("file = \"x\"\n{query}{sound}"),
            "a file of verifiers and a query",
        ),
        (format!("[auth.query]\n{sound}"), "passed through"),
    ] {
        let cause = fault(&auth);
        assert!(cause.contains(expected), "{auth}: {cause}");
    }
    let sound = parse("127.0.0.1:1", &format!("[auth]\n{query}{sound}")).unwrap();
    assert!(!sound.auth.passes_through());
}
