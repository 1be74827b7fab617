//! Authentication by pgveil itself, from verifiers, with channel binding on each leg.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::stand::*;
use crate::wire::*;

/// TLS on both legs, and pgveil authenticates.
fn both_legs(more: &str) -> String {
    let stand = stand();
    stand.auth() + &stand.server_tls("require", more) + &stand.upstream_tls()
}

#[tokio::test]
async fn a_client_that_demands_verification_and_binding_gets_both() {
    let demanding = "channel_binding = \"require\"\n";
    let proxy = Proxy::start(&(both_legs(demanding) + demanding)).await;
    let options = format!("{} channel_binding=require", verified(SCRAM));
    let what = "SELECT session_user, ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let answer = proxy.psql(&options, what).await;
    assert_eq!(answer, Ok(format!("{SCRAM}|t")));
    let unbound = format!("{} channel_binding=disable", verified(SCRAM));
    let said = proxy.psql(&unbound, what).await.unwrap_err();
    // There is no mechanism without it.
    assert!(said.contains("SASL"), "{said}");
}

#[tokio::test]
async fn every_client_gets_in_on_every_combination_of_legs() {
    let stand = stand();
    for (client, server) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut tables = stand.auth();
        if client {
            tables += &stand.server_tls("require", "");
        }
        if server {
            tables += &stand.upstream_tls();
        }
        let proxy = Proxy::start(&tables).await;
        for binding in ["disable", "prefer", "require"] {
            if binding == "require" && !client {
                continue;
            }
            // A role of Postgres that needs no password, and one that does.
            for role in [SCRAM, "with password"] {
                let security = if client {
                    verified(role)
                } else {
                    format!("user='{role}' sslmode=disable")
                };
                let options = format!("{security} channel_binding={binding}");
                let answer = proxy.psql(&options, "SELECT session_user").await;
                if role == SCRAM {
                    assert_eq!(answer.as_deref(), Ok(role), "{client} {server} {binding}");
                } else {
                    // Postgres wants the password itself, which nobody but the client has.
                    let said = answer.unwrap_err();
                    assert!(said.contains("pgveil can't log in"), "{said}");
                }
            }
        }
    }
}

#[tokio::test]
async fn wrong_passwords_and_unknown_roles_get_the_same_words() {
    let proxy = Proxy::start(&both_legs("")).await;
    for user in [SCRAM, "nobody here"] {
        let options = format!("{} password=wrong", verified(user));
        let said = proxy.psql(&options, "SELECT 1").await.unwrap_err();
        let expected = format!("password authentication failed for user \"{user}\"");
        assert!(said.contains(&expected), "{said}");
    }
}

/// The server's first message to a role: its salt and count.
async fn challenge(proxy: &Proxy, role: &str) -> (String, usize) {
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    let hello = startup(3 << 16, &["user", role]);
    ask(&mut stream, &hello, b'R').await;
    let first = b"n,,n=,r=abcdef";
    let initial = [
        &b"SCRAM-SHA-256\0"[..],
        &u32::try_from(first.len()).unwrap().to_be_bytes(),
        first,
    ]
    .concat();
    let answer = ask(&mut stream, &message(b'p', &initial), b'R').await;
    let (_, body) = answer.last().expect("a challenge");
    let text = String::from_utf8_lossy(&body[4..]).into_owned();
    let (nonce, rest) = text.split_once(",s=").expect("a salt");
    (rest.to_owned(), nonce.len())
}

#[tokio::test]
async fn an_unknown_role_has_the_shape_of_a_known_one_and_its_salt_stays() {
    let stand = stand();
    let proxy = Proxy::start(&stand.auth()).await;
    let known = challenge(&proxy, SCRAM).await;
    let unknown = challenge(&proxy, "nobody").await;
    assert_eq!((known.0.len(), known.1), (unknown.0.len(), unknown.1));
    assert_eq!(unknown.0, challenge(&proxy, "nobody").await.0);
    assert_ne!(unknown.0, challenge(&proxy, "nobody else").await.0);
    proxy
        .reload
        .apply(parse(&stand.upstream(), &stand.auth()).unwrap());
    assert_eq!(unknown.0, challenge(&proxy, "nobody").await.0);
}

#[tokio::test]
async fn a_role_whose_password_was_changed_since_is_refused_until_the_file_is_renewed() {
    let stand = stand();
    let stale = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$\
                 WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:\
                 wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=";
    let auth = stand.auth_from(&format!("{SCRAM}:{stale}"));
    let proxy = Proxy::start(&auth).await;
    // The verifier in the file is that of another password, which pgveil takes, not Postgres.
    let options = format!("user='{SCRAM}' password=pencil");
    let said = proxy.psql(&options, "SELECT 1").await.unwrap_err();
    assert!(said.contains("password authentication failed"), "{said}");
    proxy
        .reload
        .apply(parse(&stand.upstream(), &stand.auth()).unwrap());
    let answer = proxy.psql(&format!("user='{SCRAM}'"), "SELECT 1").await;
    assert_eq!(answer.as_deref(), Ok("1"));
}

#[tokio::test]
async fn what_postgres_says_at_login_reaches_the_client() {
    let proxy = Proxy::start(&stand().auth()).await;
    let options = format!("user='{SCRAM}' dbname=nowhere");
    let said = proxy.psql(&options, "SELECT 1").await.unwrap_err();
    assert!(
        said.contains("database \"nowhere\" does not exist"),
        "{said}"
    );
}

/// Someone on the way has taken `-PLUS` off the offer: the client believes that the server does
/// not bind, and says so.
#[tokio::test]
async fn a_client_that_was_told_that_there_is_no_binding_is_refused() {
    let proxy = Proxy::start(&both_legs("")).await;
    let mut stream = negotiated(proxy.address).await;
    let hello = startup(3 << 16, &["user", SCRAM]);
    let offer = ask(&mut stream, &hello, b'R').await;
    let (_, body) = &offer[0];
    assert_eq!(&body[4..], b"SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
    let first = b"y,,n=,r=abcdef";
    let initial = [&b"SCRAM-SHA-256\0\0\0\0\x0e"[..], first].concat();
    let answer = ask(&mut stream, &message(b'p', &initial), b'E').await;
    assert_eq!(error(&answer, b'C').as_deref(), Some("28000"));
    let text = error(&answer, b'M').unwrap();
    assert_eq!(text, "SCRAM channel binding negotiation error");
}

#[tokio::test]
async fn a_later_protocol_is_negotiated_down_and_other_messages_are_refused() {
    let proxy = Proxy::start(&stand().auth()).await;
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    let hello = startup(3 << 16 | 2, &["user", SCRAM, "_pq_.x", "1"]);
    let answer = ask(&mut stream, &hello, b'R').await;
    assert_eq!(answer[0], (b'v', b"\0\x03\0\0\0\0\0\x01_pq_.x\0".to_vec()));
    for spoilt in [
        query("SELECT 1"),
        message(b'p', b"secret\0"),
        message(b'p', b"SCRAM-SHA-256\0\0\0\0\x09n,,"),
        message(b'p', b"PLAIN\0\0\0\0\0"),
        b"p\x7f\xff\xff\xff".to_vec(),
    ] {
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        ask(&mut stream, &startup(3 << 16, &["user", SCRAM]), b'R').await;
        stream.write_all(&spoilt).await.unwrap();
        let answer = read_until(&mut stream, b'E').await;
        assert_eq!(error(&answer, b'C').as_deref(), Some("08P01"), "{answer:?}");
        assert_eq!(stream.read(&mut [0]).await.unwrap_or(0), 0);
    }
}

/// The mode of a session follows from who logged in, not from what a session makes of itself.
#[tokio::test]
async fn no_statement_and_no_setting_makes_a_bypass_role_of_another() {
    let stand = stand();
    let admin = "CREATE TABLE IF NOT EXISTS bypassed (id bigint PRIMARY KEY);
                 INSERT INTO bypassed VALUES (4711) ON CONFLICT DO NOTHING;
                 GRANT SELECT ON bypassed TO PUBLIC;
                 CREATE ROLE \"may bypass\" LOGIN;
                 GRANT \"may bypass\" TO \"with trust\"";
    psql("127.0.0.1", stand.postgres.port(), "user=postgres", admin)
        .await
        .unwrap();
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let tables = format!(
        "[policy]\nbypass_roles = [\"may bypass\"]\n[keys]\ncurrent = \"a\"\n[keys.ring.a]\n\
         command = [\"echo\", \"{key}\"]\n[[id]]\nname = \"one\"\ncolumn = \"public.bypassed.id\"\n"
    );
    let proxy = Proxy::start(&tables).await;
    let select = "SELECT id FROM bypassed";
    let bypass = proxy.psql("user='may bypass'", select).await;
    assert_eq!(bypass.as_deref(), Ok("4711"));
    for (options, before) in [
        ("", ""),
        ("", "SET ROLE \"may bypass\";"),
        (
            "",
            "SET SESSION AUTHORIZATION \"with trust\"; SET ROLE \"may bypass\";",
        ),
        ("options='-c role=\"may bypass\"'", ""),
        ("options='-c session_authorization=\"may bypass\"'", ""),
    ] {
        let options = format!("user='with trust' {options}");
        let answer = proxy.psql(&options, &format!("{before}{select}")).await;
        let shown = answer.unwrap_or_default();
        assert!(!shown.contains("4711"), "{options} {before}: {shown}");
    }
    // The last user named counts, for Postgres as for pgveil.
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    let twice = [
        "user",
        "may bypass",
        "user",
        "with trust",
        "database",
        "postgres",
    ];
    ask(&mut stream, &startup(3 << 16, &twice), b'Z').await;
    let answer = ask(&mut stream, &query(select), b'Z').await;
    let row = answer
        .iter()
        .find(|(kind, _)| *kind == b'D')
        .expect("a row");
    assert_eq!(row.1.len(), 2 + 4 + 36, "a uuid");
}
