//! The door: a crowd that starts no session keeps nobody out, a Postgres that does not answer is
//! told of in words, and the log stays readable whatever anybody does.

use std::fs;
use std::future::Future;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::process::{Process, configuration};
use crate::support::*;

/// More than there are places beyond `max_connections`.
const CROWD: usize = 300;

/// As many lines as a flood may cause in the time that a test takes.
const FEW: usize = 6;

fn lines(process: &Process, words: &str) -> usize {
    process.log().matches(words).count()
}

async fn crowd(process: &Process, first: &[u8]) -> Vec<Raw> {
    let mut crowd = Vec::new();
    for _ in 0..CROWD {
        let mut raw = process.connect().await;
        raw.send(first).await;
        crowd.push(raw);
    }
    crowd
}

/// A session, which answers.
async fn answers(process: &Process) -> Raw {
    let mut raw = process.session().await;
    raw.send(&query("SELECT 1")).await;
    assert_eq!(raw.until_ready().await.kinds(), "TDCZ");
    raw
}

#[tokio::test]
async fn who_starts_no_session_keeps_nobody_out() {
    for first in [
        &b""[..],
        &[0],
        &[0, 0, 0, 100, 0, 3, 0, 0],
        // A request for encryption, which is answered, and no more.
        &[0, 0, 0, 8, 4, 210, 22, 48],
    ] {
        let process = Process::start(2, "1024").await;
        let mut crowd = crowd(&process, first).await;
        let session = answers(&process).await;
        // Which of them is the oldest depends on when the threads that serve them hear them.
        let ends = crowd
            .iter_mut()
            .map(|raw| Box::pin(raw.bytes_until_closed()));
        drop(futures_util::future::select_all(ends).await);
        process.logs("gave way").await;
        assert!(lines(&process, "gave way") < FEW, "{}", process.log());
        // The limit of sessions is what it was.
        let second = answers(&process).await;
        let mut third = process.connect().await;
        third.send(&startup(3 << 16, &["user", "postgres"])).await;
        let answer = third.until_closed().await;
        assert_eq!(answer.error(b'C').as_deref(), Some("53300"));
        drop((session, second));
    }
}

#[tokio::test]
async fn a_slow_client_outlives_a_crowd_that_is_silent() {
    let process = Process::start(2, "1024").await;
    let packet = startup(3 << 16, &["user", "postgres"]);
    let mut slow = process.connect().await;
    slow.send(&packet[..10]).await;
    // Its bytes have arrived when those of a later one have.
    drop(answers(&process).await);
    let crowd = crowd(&process, b"").await;
    slow.send(&packet[10..]).await;
    assert!(!slow.until_ready().await.closed);
    drop(crowd);
}

/// What is no startup packet is told so, and whoever does not leave then is in nobody's way.
#[tokio::test]
async fn who_was_told_no_keeps_nobody_out() {
    for first in [
        packet(b"\0\x03\0\0user\0postgres"),
        startup(3 << 16, &["user", "nobody here"]),
        startup(3 << 16, &["user", "postgres", "replication", "1"]),
        startup(4 << 16, &["user", "postgres"]),
        // A cancellation of nothing.
        packet(&[4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2]),
    ] {
        let process = Process::start(2, "1024").await;
        let crowd = crowd(&process, &first).await;
        let started = Instant::now();
        // The role that nobody has takes a session's place until Postgres has said so.
        loop {
            let mut raw = process.connect().await;
            raw.send(&startup(3 << 16, &["user", "postgres"])).await;
            if !raw.until_ready().await.closed {
                break;
            }
            assert!(started.elapsed() < PATIENCE, "the crowd is in the way");
        }
        drop(crowd);
    }
}

/// Who asks for a password only after it was asked for one, and `pg_isready`, come and go.
#[tokio::test]
async fn who_leaves_when_it_is_asked_has_no_line_in_the_log() {
    roles().await;
    let process = Process::start(10, "1024").await;
    for is_rude in [true, false] {
        for _ in 0..20 {
            let mut raw = process.connect().await;
            raw.send(&startup(3 << 16, &["user", "with md5"])).await;
            assert_eq!(raw.read(|kind| kind == b'R').await.kinds(), "R");
            if is_rude {
                let socket = socket2::SockRef::from(&raw.0);
                socket.set_linger(Some(Duration::ZERO)).unwrap();
            }
        }
    }
    // Its lines come behind whatever those have.
    drop(answers(&process).await);
    process.logs("session_end").await;
    assert_eq!(lines(&process, "no session"), 0, "{}", process.log());
}

/// Whoever names a role and never proves it holds a session's place.
#[tokio::test]
async fn who_owes_an_answer_gives_way_to_who_has_one() {
    roles().await;
    let process = Process::start(4, "1024").await;
    let owing = async |role: &str| {
        let mut raw = process.connect().await;
        raw.send(&startup(3 << 16, &["user", role])).await;
        assert_eq!(raw.read(|kind| kind == b'R').await.kinds(), "R");
        raw
    };
    let mut owe = Vec::new();
    for role in ["with md5", "with password", "with scram-sha-256"] {
        owe.push(owing(role).await);
    }
    let session = answers(&process).await;
    // Not at once: a client may think for a moment.
    let started = Instant::now();
    let next = loop {
        let mut raw = process.connect().await;
        raw.send(&startup(3 << 16, &["user", "postgres"])).await;
        let answer = raw.until_ready().await;
        if !answer.closed {
            break raw;
        }
        assert_eq!(answer.error(b'C').as_deref(), Some("53300"));
        assert!(started.elapsed() < PATIENCE, "nobody gives way");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let answer = owe.remove(0).until_closed().await;
    assert_eq!(answer.error(b'C').as_deref(), Some("53300"));
    drop((session, next));
}

#[tokio::test]
async fn without_descriptors_the_silent_go_and_the_log_has_one_line() {
    let process = Process::start(100, "1024").await;
    drop(answers(&process).await);
    let open = fs::read_dir(format!("/proc/{}/fd", process.id()));
    let open = open.unwrap().count() as u64;
    let limit = Rlimit {
        current: Some(open + 4),
        maximum: Some(1024),
    };
    let id = Pid::from_raw(process.id().cast_signed());
    prlimit(id, Resource::Nofile, limit).unwrap();
    let mut crowd = Vec::new();
    for _ in 0..30 {
        crowd.push(process.connect().await);
    }
    let session = answers(&process).await;
    process.logs("cannot accept").await;
    assert!(lines(&process, "cannot accept") < FEW, "{}", process.log());
    drop((crowd, session));
}

/// A server that does with each connection what it is told.
async fn server<F: Future<Output = ()> + Send + 'static>(
    behave: impl Fn(TcpStream) -> F + Send + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(behave(stream));
        }
    });
    address
}

/// How a server leaves a login without an answer.
#[derive(Clone, Copy, Debug)]
enum Leaves {
    Silent,
    ClosedAtOnce,
    ClosedBehindThePacket,
    SilentInAMessage,
    SilentBehindThePassword,
    ClosedBehindThePassword,
    SilentBehindASaslRequest,
    SilentBehindTheWelcome,
    SilentBehindASetting,
    SilentBehindTheLogin,
    ClosedBehindTheWelcome,
}

impl Leaves {
    async fn behave(self, mut stream: TcpStream) {
        let mut packet = [0; 1024];
        let password = message(b'R', &[0, 0, 0, 3]);
        let sasl = message(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0");
        let settings = message(b'S', b"TimeZone\0UTC\0");
        let welcome = [message(b'R', &[0; 4]), settings].concat();
        let login = [&welcome[..], &message(b'Z', b"I")].concat();
        match self {
            Self::Silent => {}
            Self::ClosedAtOnce => return,
            _ => {
                // pgveil may only have looked whether anybody is there.
                if !matches!(stream.read(&mut packet).await, Ok(1..)) {
                    return;
                }
            }
        }
        let first = match self {
            Self::Silent | Self::ClosedAtOnce | Self::ClosedBehindThePacket => &[][..],
            Self::SilentInAMessage => &password[..7],
            Self::SilentBehindThePassword | Self::ClosedBehindThePassword => &password,
            Self::SilentBehindASaslRequest => &sasl,
            Self::SilentBehindTheWelcome | Self::ClosedBehindTheWelcome => &welcome[..9],
            Self::SilentBehindASetting => &welcome,
            Self::SilentBehindTheLogin => &login,
        };
        let _ = stream.write_all(first).await;
        match self {
            Self::ClosedBehindThePacket | Self::ClosedBehindTheWelcome => return,
            Self::ClosedBehindThePassword => {
                let _ = stream.read(&mut packet).await;
                return;
            }
            _ => {}
        }
        // Until the other side gives up.
        while matches!(stream.read(&mut packet).await, Ok(1..)) {}
    }
}

/// Roles with the password `pencil` (RFC 7677).
const VERIFIER: &str = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$\
                        WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:\
                        wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=";

#[tokio::test]
async fn a_login_that_postgres_does_not_answer_ends_with_words() {
    let folder = tempfile::tempdir().unwrap();
    let roles = folder.path().join("roles.txt");
    fs::write(&roles, format!("postgres:{VERIFIER}\n")).unwrap();
    let verifier = format!("mode = \"verifier\"\nfile = \"{}\"", roles.display());
    let query =
        "mode = \"verifier\"\n[auth.query]\nstatement = \"SELECT $1, NULL\"\nuser = \"asker\"";
    for leaves in [
        Leaves::Silent,
        Leaves::ClosedAtOnce,
        Leaves::ClosedBehindThePacket,
        Leaves::SilentInAMessage,
        Leaves::SilentBehindThePassword,
        Leaves::ClosedBehindThePassword,
        Leaves::SilentBehindASaslRequest,
        Leaves::SilentBehindTheWelcome,
        Leaves::SilentBehindASetting,
        Leaves::SilentBehindTheLogin,
        Leaves::ClosedBehindTheWelcome,
    ] {
        for auth in ["mode = \"pass-through\"", &verifier, query] {
            let address = server(move |stream| leaves.behave(stream)).await;
            let tables = format!("[auth]\n{auth}\n[limits]\nstartup_timeout_s = 1");
            let proxy = Proxy::with(config_before(&address.to_string(), &tables)).await;
            let error = proxy.connect_with("postgres", "pencil").await.unwrap_err();
            let code = error.code().map(|code| code.code().to_owned());
            assert_eq!(code.as_deref(), Some("08006"), "{leaves:?} {auth}: {error}");
        }
    }
}

/// The salt in the challenge that a role gets.
async fn salt(proxy: &Proxy, role: &str) -> String {
    let mut raw = Raw::connect(proxy.address).await;
    raw.send(&startup(3 << 16, &["user", role])).await;
    raw.read(|kind| kind == b'R').await;
    let first = b"n,,n=,r=abc";
    let length = u32::try_from(first.len()).unwrap().to_be_bytes();
    let answer = [&b"SCRAM-SHA-256\0"[..], &length, first].concat();
    raw.send(&message(b'p', &answer)).await;
    let challenge = raw.read(|kind| kind == b'R').await;
    let (_, body) = challenge.messages.last().unwrap();
    let text = String::from_utf8_lossy(&body[4..]);
    let salt = text.split(',').find_map(|part| part.strip_prefix("s="));
    salt.unwrap().to_owned()
}

/// Whoever compares two replicas, or one before and after a reload or a restart, does not learn
/// which roles are not in the file.
#[tokio::test]
async fn replicas_with_one_key_have_one_salt_for_a_role_that_nobody_knows() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let roles = written("roles.txt", format!("postgres:{VERIFIER}\n"));
    let keys = [("a", "01"), ("b", "02")].map(|(name, byte)| written(name, byte.repeat(32)));
    let upstream = server(|_| std::future::pending()).await.to_string();
    let auth = format!("[auth]\nmode = \"verifier\"\nfile = \"{roles}\"\n");
    let config = |keys: &str| config_before(&upstream, &format!("{auth}{keys}"));
    let with = |file: &str| {
        config(&format!(
            "[keys]\ncurrent = \"k\"\n[keys.ring.k]\nfile = \"{file}\""
        ))
    };
    let one = Proxy::with(with(&keys[0])).await;
    let replica = Proxy::with(with(&keys[0])).await;
    let other = Proxy::with(with(&keys[1])).await;
    let keyless = Proxy::with(config("")).await;
    let nobody = salt(&one, "nobody").await;
    assert_eq!(salt(&replica, "nobody").await, nobody);
    assert_ne!(salt(&replica, "someone").await, nobody);
    assert_ne!(salt(&other, "nobody").await, nobody);
    assert_ne!(salt(&keyless, "nobody").await, nobody);
    assert_eq!(salt(&other, "postgres").await, salt(&one, "postgres").await);
    // A reload changes it with the key alone, and never for want of one.
    other.reload.apply(with(&keys[0]));
    assert_eq!(salt(&other, "nobody").await, nobody);
    other.reload.apply(config(""));
    assert_eq!(salt(&other, "nobody").await, nobody);
    let random = salt(&keyless, "nobody").await;
    keyless.reload.apply(config(""));
    assert_eq!(salt(&keyless, "nobody").await, random);
}

/// What a client hears first, if it is an error.
async fn probe(port: u16) -> Option<String> {
    let mut raw = Raw::connect(("127.0.0.1", port)).await;
    raw.send(&startup(3 << 16, &["user", "postgres"])).await;
    let answer = raw.read(|kind| kind == b'R' || kind == b'E').await;
    answer.error(b'C')
}

/// What `pg_isready` says, where it is installed: accepted (0), rejected (1).
fn is_ready(port: u16) -> Option<i32> {
    let mut asking = Command::new("pg_isready");
    asking.args(["-h", "127.0.0.1", "-U", "postgres", "-p", &port.to_string()]);
    asking.output().ok()?.status.code()
}

/// As long as Postgres is told to be away, nobody listens at its port.
struct Flickering {
    port: u16,
    listening: Arc<AtomicBool>,
}

impl Flickering {
    async fn new() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let listening = Arc::new(AtomicBool::new(false));
        let wanted = Arc::clone(&listening);
        tokio::spawn(async move {
            let mut listener = None;
            loop {
                if !wanted.load(Ordering::Relaxed) {
                    listener = None;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    continue;
                }
                if listener.is_none() {
                    listener = TcpListener::bind(("127.0.0.1", port)).await.ok();
                }
                let Some(listener) = &listener else { continue };
                let accepted = tokio::time::timeout(Duration::from_millis(5), listener.accept());
                if let Ok(Ok((mut near, _))) = accepted.await {
                    tokio::spawn(async move {
                        let far = (postgres().host(), postgres().port());
                        let mut far = TcpStream::connect(far).await.unwrap();
                        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                    });
                }
            }
        });
        Self { port, listening }
    }

    fn is_there(&self, is_there: bool) {
        self.listening.store(is_there, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_whether_postgres_accepts_connections_hears_what_is_true() {
    let folder = tempfile::tempdir().unwrap();
    let roles = folder.path().join("roles.txt");
    fs::write(&roles, format!("someone:{VERIFIER}\n")).unwrap();
    let verifier = format!("mode = \"verifier\"\nfile = \"{}\"", roles.display());
    for auth in ["mode = \"pass-through\"", &verifier] {
        let upstream = Flickering::new().await;
        let text = |port| {
            let text = configuration(port, 10, upstream.port);
            format!("{text}[auth]\n{auth}\n")
        };
        let process = Process::with(text, "1024").await;
        for round in 1..=2 {
            // The first who asks hears it, and everybody after that.
            for _ in 0..20 {
                assert_eq!(probe(process.port()).await.as_deref(), Some("57P03"));
            }
            assert_eq!(is_ready(process.port()).unwrap_or(1), 1);
            process.logs("Postgres can't be reached").await;
            assert_eq!(lines(&process, "can't be reached"), round, "{auth}");
            upstream.is_there(true);
            let started = Instant::now();
            while probe(process.port()).await.is_some() {
                assert!(started.elapsed() < PATIENCE, "it is not found again");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert_eq!(is_ready(process.port()).unwrap_or(0), 0);
            process.logs("can be reached again").await;
            assert_eq!(lines(&process, "can be reached again"), round, "{auth}");
            // But for a login that was in the listener's queue when that went.
            let lost = lines(&process, "the connection to the server was lost");
            assert_eq!(lines(&process, "no session"), lost, "{}", process.log());
            upstream.is_there(false);
            // What was found is believed for a while.
            while probe(process.port()).await.is_none() {
                assert!(started.elapsed() < PATIENCE, "it is never missed");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

#[tokio::test]
async fn a_server_that_is_starting_or_stopping_says_so_itself() {
    for words in [
        "the database system is starting up",
        "the database system is shutting down",
    ] {
        let fields = format!("SFATAL\0VFATAL\0C57P03\0M{words}\0\0");
        let error = message(b'E', fields.as_bytes());
        let sent = error.clone();
        let address = server(move |mut stream| {
            let error = sent.clone();
            async move {
                let _ = stream.read(&mut [0; 1024]).await;
                let _ = stream.write_all(&error).await;
                let _ = stream.read(&mut [0; 1024]).await;
            }
        })
        .await;
        let proxy = Proxy::with(config_before(&address.to_string(), "")).await;
        for _ in 0..3 {
            let mut raw = Raw::connect(proxy.address).await;
            raw.send(&startup(3 << 16, &["user", "postgres"])).await;
            assert_eq!(raw.bytes_until_closed().await, error);
        }
    }
}
