//! Several hosts, and what is wrong with some of them: one says nothing, one closes at once, one
//! starts, one is something else. A login finds the one that is left, and a cancellation its session.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pgveil::postgres::{Authentication, Options};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use crate::bank::PASSWORD;
use crate::failover::free_port;
use crate::proxy::Proxy;
use crate::server::Victim;
use crate::standby::Standby;
use crate::{SCHEMA, connect};

/// One host may take three seconds; a login that meets one that says nothing takes little more.
const SHARE: Duration = Duration::from_secs(4);

/// A login for which no host is waited for.
const SOON: Duration = Duration::from_millis(1500);

/// The servers of a test.
struct Stand {
    primary: Victim,
    folder: tempfile::TempDir,
}

/// A proxy before some hosts.
struct Served {
    _proxy: Proxy,
    port: u16,
    admin: u16,
}

/// How clients are let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Auth {
    Postgres,
    Verifier,
    Query,
}

impl Stand {
    async fn start(authentication: Authentication) -> Self {
        let options = Options::from_env()
            .authentication(authentication)
            .password(PASSWORD)
            .hba(&format!(
                "host replication all all {}",
                authentication.keyword()
            ));
        let primary = Victim::with(options, 60);
        let direct = connect(&primary.url()).await;
        direct.batch_execute(SCHEMA).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        Self { primary, folder }
    }

    async fn serve(&self, ports: &[u16], target: &str, auth: Auth, more: &str) -> Served {
        let (port, admin) = (free_port(), free_port());
        let file = self.folder.path().join(format!("{port}.toml"));
        let text = self.text((port, admin), ports, target, auth).await + more;
        fs::write(&file, text).unwrap();
        Served {
            _proxy: Proxy::start(&file, port).await,
            port,
            admin,
        }
    }

    async fn text(
        &self,
        (port, admin): (u16, u16),
        ports: &[u16],
        target: &str,
        auth: Auth,
    ) -> String {
        let secret = |name: &str, text: String| {
            let file = self.folder.path().join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        };
        let auth = match auth {
            Auth::Postgres => "",
            Auth::Verifier => {
                let direct = connect(&self.primary.url()).await;
                let verifier = "SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'";
                let row = direct.query_one(verifier, &[]).await.unwrap();
                secret(
                    "verifiers",
                    format!("postgres:{}\n", row.get::<_, String>(0)),
                );
                "[auth]\nmode = \"verifier\"\nfile = \"verifiers\"\n"
            }
            Auth::Query => {
                secret("looker", format!("{PASSWORD}\n"));
                "[auth]\nmode = \"verifier\"\n[auth.query]\nuser = \"looker\"\nfile = \"looker\"\n\
                 database = \"postgres\"\nmax_age_s = 0\n\
                 statement = \"SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1\"\n"
            }
        };
        let addresses: Vec<_> = ports
            .iter()
            .map(|port| format!("\"127.0.0.1:{port}\""))
            .collect();
        format!(
            "[server]\nlisten = [\"127.0.0.1:{port}\"]\n\
             [upstream]\naddresses = [{}]\ntarget_session_attrs = \"{target}\"\n{auth}\
             [admin]\nlisten = \"127.0.0.1:{admin}\"\n\
             [keys]\ncurrent = \"a\"\n[keys.ring.a]\nenv = \"FAULT_KEY\"\n\
             [[id]]\nname = \"account\"\ncolumn = \"public.accounts.id\"\n\
             [log]\nlevel = \"debug\"\n",
            addresses.join(", ")
        )
    }
}

impl Served {
    fn url(&self) -> String {
        let port = self.port;
        format!("host=127.0.0.1 port={port} user=postgres dbname=postgres password='{PASSWORD}'")
    }

    /// A login, and how long it took.
    async fn logs_in(&self) -> (Result<Client, tokio_postgres::Error>, Duration) {
        let began = Instant::now();
        let connected = tokio_postgres::connect(&self.url(), NoTls).await;
        let client = connected.map(|(client, connection)| {
            tokio::spawn(connection);
            client
        });
        (client, began.elapsed())
    }

    async fn is_let_in_within(&self, time: Duration) {
        let (client, took) = self.logs_in().await;
        client.unwrap();
        assert!(took < time, "{took:?}");
    }

    async fn readiness(&self) -> String {
        // It may listen there a little later than for clients.
        let mut stream = loop {
            match TcpStream::connect(("127.0.0.1", self.admin)).await {
                Ok(stream) => break stream,
                Err(_) => sleep(Duration::from_millis(20)).await,
            }
        };
        let request = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

/// A host that takes connections and says nothing, as one that was stopped.
fn silent() -> (std::net::TcpListener, u16) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// A host that says this to whoever comes, and closes.
async fn saying(words: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut packet = [0; 4];
            if !words.is_empty() && stream.read_exact(&mut packet).await.is_ok() {
                let mut rest = vec![0; u32::from_be_bytes(packet) as usize - 4];
                let _ = stream.read_exact(&mut rest).await;
                let _ = stream.write_all(words).await;
            }
        }
    });
    port
}

/// A host that lets the role `slow` in and then takes its time, as with a trigger on login; the others
/// it passes on.
async fn let_in_slowly(to: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut packet = vec![0; 1024];
                let length = near.read(&mut packet).await.unwrap();
                if memchr::memmem::find(&packet[..length], b"user\0slow\0").is_some() {
                    near.write_all(b"R\0\0\0\x08\0\0\0\0").await.unwrap();
                    sleep(Duration::from_mins(1)).await;
                    return;
                }
                let mut far = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
                far.write_all(&packet[..length]).await.unwrap();
                let _ = copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
    port
}

/// A way to another port, which may change for those who come later.
struct Forwarder {
    port: u16,
    to: Arc<AtomicU16>,
    came: Arc<AtomicUsize>,
    accepting: AbortHandle,
}

impl Forwarder {
    async fn start(port: u16, to: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (to, came) = (Arc::new(AtomicU16::new(to)), Arc::<AtomicUsize>::default());
        let (target, count) = (Arc::clone(&to), Arc::clone(&came));
        let accepting = tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                let target = target.load(Ordering::Relaxed);
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(("127.0.0.1", target)).await.unwrap();
                    let _ = copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
        let accepting = accepting.abort_handle();
        Self {
            port,
            to,
            came,
            accepting,
        }
    }
}

/// The startup packet of a client that stops behind it.
fn startup() -> Vec<u8> {
    let words = b"\0\x03\0\0user\0postgres\0database\0postgres\0\0";
    let length = u32::try_from(words.len() + 4).unwrap();
    [&length.to_be_bytes()[..], words].concat()
}

fn url(port: u16) -> String {
    format!("host=127.0.0.1 port={port} user=postgres dbname=postgres password='{PASSWORD}'")
}

/// What `client` runs is cancelled by what `cancel` does, and soon.
async fn is_cancelled(client: Client, cancel: impl Future<Output = ()>) {
    let sleeper = tokio::spawn(async move { client.batch_execute("SELECT pg_sleep(60)").await });
    sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    cancel.await;
    let ended = timeout(Duration::from_secs(10), sleeper).await;
    let error = ended.expect("it sleeps on").unwrap().unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::QUERY_CANCELED));
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_gives_no_answer_costs_one_login_its_share_and_the_next_ones_nothing() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let direct = connect(&stand.primary.url()).await;
    let role = format!("CREATE ROLE looker LOGIN SUPERUSER PASSWORD '{PASSWORD}'");
    direct.batch_execute(&role).await.unwrap();
    for auth in [Auth::Postgres, Auth::Verifier, Auth::Query] {
        for (target, last) in [("read-write", false), ("prefer-standby", true)] {
            let (_listener, silent) = silent();
            let closing = saying(b"").await;
            let mut ports = [silent, closing, stand.primary.port()];
            if last {
                ports.rotate_right(1);
            }
            let served = stand.serve(&ports, target, auth, "").await;
            println!("{auth:?}, {target}");
            // The one that is found at once may be what is not preferred: then the next login looks on.
            for time in [2 * SHARE, 2 * SHARE, SOON] {
                served.is_let_in_within(time).await;
            }
        }
    }
    // The last second of a login is for the session that will do.
    let (_listener, silent) = silent();
    let ports = [stand.primary.port(), silent];
    let short = "[limits]\nstartup_timeout_s = 3\n";
    let served = stand.serve(&ports, "prefer-standby", Auth::Verifier, short);
    served.await.is_let_in_within(Duration::from_secs(3)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_does_not_answer_the_request_for_tls_is_remembered_too() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let tls = "[upstream.tls]\nmode = \"prefer\"\n";
    for auth in [Auth::Postgres, Auth::Verifier] {
        let (_listener, silent) = silent();
        let ports = [silent, stand.primary.port()];
        let served = stand.serve(&ports, "read-write", auth, tls).await;
        for time in [SHARE, SOON, SOON] {
            served.is_let_in_within(time).await;
        }
        // One that is found to be silent by whoever asks costs no login anything.
        let served = stand.serve(&ports, "any", auth, tls).await;
        served.readiness().await;
        sleep(SHARE).await;
        served.is_let_in_within(SOON).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_comes_in_the_last_moment_makes_no_host_silent() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let direct = connect(&stand.primary.url()).await;
    let slow = "ALTER SYSTEM SET pre_auth_delay = 1; SELECT pg_reload_conf()";
    let short = "[limits]\nstartup_timeout_s = 4\n";
    for several in [true, false] {
        let ports = [stand.primary.port(), free_port()];
        let ports = &ports[..1 + usize::from(several)];
        let served = stand.serve(ports, "any", Auth::Postgres, short).await;
        served.is_let_in_within(SOON).await;
        for statement in slow.split("; ") {
            direct.batch_execute(statement).await.unwrap();
        }
        sleep(Duration::from_millis(300)).await;
        let mut late = TcpStream::connect(("127.0.0.1", served.port))
            .await
            .unwrap();
        sleep(Duration::from_millis(3500)).await;
        late.write_all(&startup()).await.unwrap();
        let mut words = Vec::new();
        let _ = late.read_to_end(&mut words).await;
        assert!(words.starts_with(b"E"), "{}", words.escape_ascii());
        for statement in [
            "ALTER SYSTEM RESET pre_auth_delay",
            "SELECT pg_reload_conf()",
        ] {
            direct.batch_execute(statement).await.unwrap();
        }
        let answer = served.readiness().await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_takes_long_to_be_ready_makes_no_host_silent() {
    let stand = Stand::start(Authentication::Trust).await;
    let direct = connect(&stand.primary.url()).await;
    direct
        .batch_execute("CREATE ROLE slow LOGIN")
        .await
        .unwrap();
    let port = let_in_slowly(stand.primary.port()).await;
    for several in [true, false] {
        let ports = [port, free_port()];
        let ports = &ports[..1 + usize::from(several)];
        let time = if several { 12 } else { 3 };
        let short = format!("[limits]\nstartup_timeout_s = {time}\n");
        let served = stand.serve(ports, "any", Auth::Postgres, &short).await;
        served.is_let_in_within(SOON).await;
        let url = served.url().replace("user=postgres", "user=slow");
        let slow = tokio_postgres::connect(&url, NoTls).await.map(drop);
        let code = slow.unwrap_err().code().cloned();
        assert_eq!(code, Some(SqlState::CONNECTION_FAILURE));
        let answer = served.readiness().await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_starts_makes_room_whatever_it_says_before_that() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let starting = b"v\0\0\0\x0c\0\x03\0\0\0\0\0\0E\0\0\0\x24SFATAL\0VFATAL\0C57P03\0Mstarting\0\0";
    let starting = saying(starting).await;
    let ports = [starting, stand.primary.port()];
    let served = stand.serve(&ports, "any", Auth::Postgres, "").await;
    served.is_let_in_within(SOON).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_session_asks_for_makes_no_host_something_else_for_others() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let (_listener, silent) = silent();
    for auth in [Auth::Postgres, Auth::Verifier] {
        let ports = [stand.primary.port(), silent];
        let served = stand.serve(&ports, "primary", auth, "").await;
        served.is_let_in_within(SOON).await;
        drop(served);
        let ports = [stand.primary.port(), free_port()];
        let served = stand.serve(&ports, "read-write", auth, "").await;
        served.is_let_in_within(SOON).await;
        let reads = served.url() + " options='-c default_transaction_read_only=on'";
        let refused = tokio_postgres::connect(&reads, NoTls).await.map(drop);
        let code = refused.unwrap_err().code().cloned();
        assert_eq!(code, Some(SqlState::CANNOT_CONNECT_NOW));
        served.is_let_in_within(SOON).await;
        assert!(served.readiness().await.contains("ok upstream: host 1"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_session_that_asks_for_verifiers_may_only_read() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let direct = connect(&stand.primary.url()).await;
    let role = format!(
        "CREATE ROLE looker LOGIN SUPERUSER PASSWORD '{PASSWORD}';
         ALTER ROLE looker SET default_transaction_read_only = on"
    );
    direct.batch_execute(&role).await.unwrap();
    let ports = [free_port(), stand.primary.port()];
    let served = stand.serve(&ports, "read-write", Auth::Query, "").await;
    for _ in 0..3 {
        served.is_let_in_within(SOON).await;
    }
    // Any host knows who may log in; whether there is one to be on is found out behind that.
    let served = stand.serve(&ports, "standby", Auth::Query, "").await;
    for _ in 0..3 {
        let error = served.logs_in().await.0.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::CANNOT_CONNECT_NOW), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pgveil_whose_hosts_are_all_something_else_is_not_ready() {
    let stand = Stand::start(Authentication::Trust).await;
    let other = Forwarder::start(0, stand.primary.port()).await;
    let ports = [stand.primary.port(), other.port];
    for target in ["standby", "read-only"] {
        let served = stand.serve(&ports, target, Auth::Postgres, "").await;
        assert!(served.readiness().await.starts_with("HTTP/1.1 200"));
        let error = served.logs_in().await.0.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::CANNOT_CONNECT_NOW), "{error}");
        sleep(Duration::from_millis(1000)).await;
        let answer = served.readiness().await;
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    }
    // One that says nothing lets nobody in either.
    let ((_one, one), (_other, other)) = (silent(), silent());
    let served = stand.serve(&[one, other], "any", Auth::Postgres, "").await;
    served.readiness().await;
    sleep(Duration::from_secs(4)).await;
    let answer = served.readiness().await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_that_comes_before_anything_is_known_is_let_in() {
    for (authentication, lost) in [(Authentication::ScramSha256, 1), (Authentication::Trust, 0)] {
        let stand = Stand::start(authentication).await;
        let standby = Standby::of(&stand.primary).await;
        let ports = [standby.port, stand.primary.port()];
        let served = stand.serve(&ports, "primary", Auth::Postgres, "").await;
        // One that never answers takes its turn and no more.
        let mut half = TcpStream::connect(("127.0.0.1", served.port))
            .await
            .unwrap();
        if authentication == Authentication::ScramSha256 {
            half.write_all(&startup()).await.unwrap();
            half.read_u8().await.unwrap();
        }
        let url = served.url();
        let logins: Vec<_> = (0..20)
            .map(|_| {
                let url = url.clone();
                tokio::spawn(
                    async move { tokio_postgres::connect(&url, NoTls).await.map(drop).is_ok() },
                )
            })
            .collect();
        let mut refused = 0;
        for login in logins {
            refused += usize::from(!login.await.unwrap());
        }
        assert!(refused <= lost, "{refused} of 20 are refused");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_is_back_is_found_without_a_login_that_waits_for_it() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let first = free_port();
    let ports = [first, stand.primary.port()];
    let served = stand.serve(&ports, "any", Auth::Postgres, "").await;
    served.is_let_in_within(SOON).await;
    let back = Forwarder::start(first, stand.primary.port()).await;
    sleep(Duration::from_millis(700)).await;
    served.is_let_in_within(SOON).await;
    sleep(Duration::from_millis(300)).await;
    assert_eq!(back.came.load(Ordering::Relaxed), 1, "nobody has looked");
    served.is_let_in_within(SOON).await;
    assert_eq!(back.came.load(Ordering::Relaxed), 2, "it is not used again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_finds_its_session_after_a_reload_and_beside_hosts_that_are_silent() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let (port, admin) = (free_port(), free_port());
    let file = stand.folder.path().join("reloaded.toml");
    let ports = [stand.primary.port()];
    let text = stand.text((port, admin), &ports, "any", Auth::Postgres);
    fs::write(&file, text.await).unwrap();
    let proxy = Proxy::start(&file, port).await;
    let client = connect(&url(port)).await;
    let token = client.cancel_token();
    let ((_one, one), (_other, other)) = (silent(), silent());
    let ports = [one];
    let text = stand.text((port, admin), &ports, "any", Auth::Postgres);
    fs::write(&file, text.await).unwrap();
    proxy.reload();
    sleep(Duration::from_millis(500)).await;
    is_cancelled(client, async { token.cancel_query(NoTls).await.unwrap() }).await;

    // The session of another pgveil: nobody here knows where it is.
    let ports = [one, other, stand.primary.port()];
    let served = stand.serve(&ports, "any", Auth::Postgres, "").await;
    let way = Forwarder::start(0, stand.primary.port()).await;
    let client = connect(&url(way.port)).await;
    way.to.store(served.port, Ordering::Relaxed);
    let token = client.cancel_token();
    let cancel = async {
        tokio::spawn(async move { token.cancel_query(NoTls).await });
    };
    is_cancelled(client, cancel).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_is_tried_also_where_a_login_has_just_found_nobody() {
    let stand = Stand::start(Authentication::ScramSha256).await;
    let way = Forwarder::start(0, stand.primary.port()).await;
    let served = stand.serve(&[way.port], "any", Auth::Postgres, "").await;
    let client = served.logs_in().await.0.unwrap();
    let token = client.cancel_token();
    let cancel = async {
        way.accepting.abort();
        sleep(Duration::from_millis(100)).await;
        let error = served.logs_in().await.0.unwrap_err();
        assert_eq!(error.code(), Some(&SqlState::CANNOT_CONNECT_NOW));
        Forwarder::start(way.port, stand.primary.port()).await;
        token.cancel_query(NoTls).await.unwrap();
    };
    is_cancelled(client, cancel).await;
}
