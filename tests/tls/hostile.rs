//! Someone on the way: bytes stuffed in before TLS, an answer that there is no TLS, an offer
//! without its binding, a certificate of his own.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::client::TlsStream;

use crate::stand::*;
use crate::wire::*;

/// Listens, and does the same with everyone who comes.
async fn listen<F, R>(each: F) -> SocketAddr
where
    F: Fn(TcpStream) -> R + Send + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(each(stream));
        }
    });
    address
}

/// What a plain client of a role hears.
async fn hears(proxy: &Proxy, options: &str) -> String {
    let answer = proxy
        .psql(&format!("sslmode=disable {options}"), "SELECT 1")
        .await;
    answer.unwrap_err()
}

#[tokio::test]
async fn bytes_behind_the_request_for_tls_are_refused() {
    let stand = stand();
    let proxy = Proxy::start(&stand.server_tls("prefer", "")).await;
    let hello = startup(3 << 16, &["user", "postgres"]);
    for stuffed in [&hello[..], &SSL, b"x"] {
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        let answer = ask(&mut stream, &[&SSL[..], stuffed].concat(), b'E').await;
        assert_eq!(error(&answer, b'C').as_deref(), Some("08P01"));
        let text = error(&answer, b'M').unwrap();
        assert_eq!(text, "received unencrypted data after SSL request");
        assert_eq!(rest(&mut stream).await, b"");
    }
}

#[tokio::test]
async fn plain_bytes_after_tls_was_promised_never_become_a_session() {
    let stand = stand();
    let proxy = Proxy::start(&stand.server_tls("prefer", "")).await;
    let mut stream = TcpStream::connect(proxy.address).await.unwrap();
    stream.write_all(&SSL).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'S');
    let hello = startup(3 << 16, &["user", "postgres"]);
    stream.write_all(&hello).await.unwrap();
    let answer = rest(&mut stream).await;
    // At most an alert of TLS.
    assert!(answer.is_empty() || answer[0] == 0x15, "{answer:?}");

    // Within TLS there is no second one.
    let mut stream = negotiated(proxy.address).await;
    stream.write_all(&SSL).await.unwrap();
    stream.flush().await.unwrap();
    assert_eq!(rest(&mut stream).await, b"");
}

#[tokio::test]
async fn a_client_that_does_not_get_on_with_tls_is_closed_by_a_timer() {
    let stand = stand();
    let tables = "[limits]\nstartup_timeout_s = 1\n".to_owned() + &stand.server_tls("require", "");
    let proxy = Proxy::start(&tables).await;
    let begun = [0x16, 3, 1, 2, 0, 1, 0, 1];
    for begin in [&b""[..], &SSL, &begun] {
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        let started = std::time::Instant::now();
        stream.write_all(begin).await.unwrap();
        let answer = rest(&mut stream).await;
        assert!(answer.len() <= 1, "{answer:?}");
        let waited = started.elapsed().as_secs_f64();
        assert!((0.9..20.0).contains(&waited), "{begin:?}: {waited} s");
    }
    let mut stream = negotiated(proxy.address).await;
    assert_eq!(rest(&mut stream).await, b"");
}

#[tokio::test]
async fn bytes_behind_the_servers_answer_are_refused() {
    let address = listen(|mut stream| async move {
        let mut request = [0; 8];
        stream.read_exact(&mut request).await.unwrap();
        let stuffed = [b"S", &message(b'R', &[0; 4])[..], &message(b'Z', b"I")].concat();
        let _ = stream.write_all(&stuffed).await;
        let _ = stream.read(&mut request).await;
    })
    .await;
    let tls = "[upstream.tls]\nmode = \"require\"\n";
    let proxy = Proxy::before(&address.to_string(), tls).await;
    let said = hears(&proxy, "user=postgres").await;
    assert!(said.contains("no secure connection"), "{said}");
}

/// He answers for Postgres that it has no TLS, or with something else, and passes on the rest.
#[tokio::test]
async fn who_answers_that_postgres_has_no_tls_gets_nothing_more() {
    for answer in [b"N", b"E"] {
        let address = listen(move |mut stream| async move {
            let mut request = [0; 8];
            stream.read_exact(&mut request).await.unwrap();
            stream.write_all(answer).await.unwrap();
            let more = rest(&mut stream).await;
            assert_eq!(more, b"", "not even the name of the role");
        })
        .await;
        for mode in ["require", "verify-full"] {
            let ca = stand().authority.ca();
            let tls = format!(
                "[upstream.tls]\nmode = \"{mode}\"\nca = \"{}\"\n",
                ca.display()
            );
            let proxy = Proxy::before(&address.to_string(), &tls).await;
            let said = hears(&proxy, "user=postgres").await;
            assert!(said.contains("no secure connection"), "{said}");
        }
    }
}

/// He answers for pgveil that it has no TLS: a client that would rather have it, but takes what
/// it gets, is told that it must.
#[tokio::test]
async fn a_client_talked_out_of_tls_is_refused() {
    let stand = stand();
    let proxy = Proxy::start(&stand.server_tls("require", "")).await;
    let target = proxy.address;
    let between = listen(move |mut client| async move {
        let mut request = [0; 8];
        client.read_exact(&mut request).await.unwrap();
        if request == SSL {
            client.write_all(b"N").await.unwrap();
            request = [0; 8];
        }
        let mut server = TcpStream::connect(target).await.unwrap();
        if request != [0; 8] {
            server.write_all(&request).await.unwrap();
        }
        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
    })
    .await;
    let options = "user=postgres sslmode=prefer";
    let said = psql("127.0.0.1", between.port(), options, "SELECT 1").await;
    let said = said.unwrap_err();
    assert!(said.contains("no encryption: connect with TLS"), "{said}");
}

/// Stands between pgveil and Postgres with a certificate of his own, TLS on both sides, and
/// changes the offer of mechanisms as he likes.
async fn between(strips: bool) -> SocketAddr {
    let upstream = stand().upstream();
    listen(move |mut stream| {
        let upstream = upstream.clone();
        async move {
            let mut request = [0; 8];
            stream.read_exact(&mut request).await.unwrap();
            stream.write_all(b"S").await.unwrap();
            let identity = &stand().outer;
            let Ok(mut client) = accept(stream, identity).await else {
                return;
            };
            let mut server: TlsStream<TcpStream> = negotiated(&upstream).await;
            let mut hello = [0; 1024];
            let length = client.read(&mut hello).await.unwrap();
            server.write_all(&hello[..length]).await.unwrap();
            server.flush().await.unwrap();
            let (_, mut offer) = read_message(&mut server).await.unwrap();
            assert_eq!(&offer[4..], b"SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
            if strips {
                offer.drain(4..23);
            }
            client.write_all(&message(b'R', &offer)).await.unwrap();
            client.flush().await.unwrap();
            let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
        }
    })
    .await
}

#[tokio::test]
async fn who_stands_between_pgveil_and_postgres_is_found_out_by_the_binding() {
    let role = format!("user='{SCRAM}'");
    // Without roots pgveil can't tell the certificates apart; the binding does.
    let tls = "[upstream.tls]\nmode = \"require\"\n";
    let tables = stand().auth() + tls;
    let proxy = Proxy::before(&between(false).await.to_string(), &tables).await;
    let said = hears(&proxy, &role).await;
    assert!(
        said.contains("SCRAM channel binding check failed"),
        "{said}"
    );

    let proxy = Proxy::before(&between(true).await.to_string(), &tables).await;
    let said = hears(&proxy, &role).await;
    assert!(said.contains("channel binding negotiation error"), "{said}");

    let demanding = tables + "channel_binding = \"require\"\n";
    let proxy = Proxy::before(&between(true).await.to_string(), &demanding).await;
    let said = hears(&proxy, &role).await;
    assert!(said.contains("pgveil can't log in"), "{said}");
}

/// A server that lets in whoever comes has proven nothing.
#[tokio::test]
async fn a_server_that_asks_for_nothing_is_refused_where_a_binding_is_demanded() {
    let stand = stand();
    // The role is trusted there, and its verifier is here.
    let trusted = "with trust";
    let believing = stand.auth() + "require_scram = false\n" + &stand.upstream_tls();
    let tables = stand.auth() + &stand.upstream_tls();
    let options = format!("user='{trusted}' sslmode=disable");
    let proxy = Proxy::start(&tables).await;
    let said = proxy.psql(&options, "SELECT 1").await.unwrap_err();
    assert!(said.contains("pgveil can't log in"), "{said}");
    let proxy = Proxy::start(&believing).await;
    let answer = proxy.psql(&options, "SELECT 1").await;
    assert_eq!(answer.as_deref(), Ok("1"));
    let proxy = Proxy::start(&(believing + "channel_binding = \"require\"\n")).await;
    let said = proxy.psql(&options, "SELECT 1").await.unwrap_err();
    assert!(said.contains("pgveil can't log in"), "{said}");
}

/// A server that skips its proof, or makes one up, is no server of the role.
#[tokio::test]
async fn a_server_without_the_verifier_gets_no_session() {
    for skips in [true, false] {
        let address = listen(move |mut server| async move {
            let mut hello = [0; 1024];
            let _ = server.read(&mut hello).await.unwrap();
            let code = |code: u8, body: &[u8]| message(b'R', &[&[0, 0, 0, code], body].concat());
            let offer = code(10, b"SCRAM-SHA-256\0\0");
            let initial = ask(&mut server, &offer, b'p').await;
            let first = String::from_utf8_lossy(&initial[0].1).into_owned();
            let (_, nonce) = first.split_once("r=").unwrap();
            // Salt and count are no secret: every client is told them.
            let (_, verifier) = stand()
                .verifiers
                .lines()
                .find_map(|line| line.split_once(&format!("{SCRAM}:")))
                .unwrap();
            let salt = verifier.split(['$', ':']).nth(2).unwrap();
            let challenge = format!("r={nonce}more,s={salt},i=4096");
            ask(&mut server, &code(11, challenge.as_bytes()), b'p').await;
            let lie = b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";
            let proof = if skips { Vec::new() } else { code(12, lie) };
            let welcome = [proof, code(0, b""), message(b'Z', b"I")].concat();
            let _ = server.write_all(&welcome).await;
            let _ = server.read(&mut hello).await;
        })
        .await;
        let proxy = Proxy::before(&address.to_string(), &stand().auth()).await;
        let said = hears(&proxy, &format!("user='{SCRAM}'")).await;
        assert!(said.contains("pgveil can't log in"), "{said}");
    }
}
