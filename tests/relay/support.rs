//! One Postgres for all tests of this binary, a proxy for each, and a client that speaks bytes.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use pgveil::config::{Config, Environment};
use pgveil::postgres::{Options, Postgres};
use pgveil::proxy::{Reload, Server, Vitals};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

/// Longer than anything here takes, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Roles that authenticate by the method in their name; the password is `secret`.
pub(crate) const METHODS: [&str; 4] = ["trust", "password", "md5", "scram-sha-256"];

/// The server that all tests share.
pub(crate) fn postgres() -> &'static Postgres {
    static POSTGRES: OnceLock<Postgres> = OnceLock::new();
    POSTGRES.get_or_init(|| {
        let mut options = Options::from_env().setting("max_connections", "1200");
        for method in METHODS {
            options = options.hba(&format!("host all \"with {method}\" all {method}"));
        }
        Postgres::start(&options).expect("a Postgres")
    })
}

/// A connection to Postgres itself.
pub(crate) async fn direct() -> Client {
    let url = postgres().url("postgres");
    let (client, connection) = tokio_postgres::connect(&url, NoTls)
        .await
        .expect("Postgres");
    tokio::spawn(connection);
    client
}

/// Creates the roles of [`METHODS`], once.
pub(crate) async fn roles() {
    static ROLES: tokio::sync::OnceCell<()> = tokio::sync::OnceCell::const_new();
    let create = async {
        let admin = direct().await;
        for method in METHODS {
            let encryption = if method == "md5" {
                "md5"
            } else {
                "scram-sha-256"
            };
            let create = format!(
                "SET password_encryption = '{encryption}';
                 CREATE ROLE \"with {method}\" LOGIN PASSWORD 'secret'"
            );
            admin.batch_execute(&create).await.expect("a role");
        }
    };
    ROLES.get_or_init(|| create).await;
}

/// A running proxy.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) reload: Reload,
    pub(crate) vitals: Vitals,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

/// The configuration of a proxy before the shared server, with these tables besides.
pub(crate) fn config(tables: &str) -> Config {
    let upstream = format!("{}:{}", postgres().host(), postgres().port());
    config_before(&upstream, tables)
}

/// The configuration of a proxy before whatever is at `upstream`.
pub(crate) fn config_before(upstream: &str, tables: &str) -> Config {
    let server = if tables.contains("[server]") {
        ""
    } else {
        "[server]"
    };
    let listen = "listen = [\"127.0.0.1:0\"]";
    let text = match tables.strip_prefix("[server]") {
        Some(rest) => format!("[server]\n{listen}{rest}"),
        None => format!("{server}\n{listen}\n{tables}"),
    };
    let text = format!("{text}\n[upstream]\naddress = \"{upstream}\"\n");
    let around = Environment {
        folder: Path::new("."),
        env: &|_| None,
    };
    Config::parse(&text, &around).expect("a sound configuration")
}

impl Proxy {
    pub(crate) async fn start() -> Self {
        Self::with(config("")).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        let server = Server::bind(config).await.expect("a free port");
        let address = server.local_addr().expect("TCP");
        let (reload, vitals) = (server.reload(), server.vitals());
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async move {
            let _ = stopped.await;
        }));
        Self {
            address,
            reload,
            vitals,
            stop: Some(stop),
            running,
        }
    }

    /// A client of tokio-postgres through the proxy.
    pub(crate) async fn connect(&self) -> Client {
        self.connect_as("postgres").await.expect("a session")
    }

    pub(crate) async fn connect_as(&self, user: &str) -> Result<Client, tokio_postgres::Error> {
        self.connect_with(user, "secret").await
    }

    pub(crate) async fn connect_with(
        &self,
        user: &str,
        password: &str,
    ) -> Result<Client, tokio_postgres::Error> {
        let mut options = tokio_postgres::Config::new();
        options
            .host("127.0.0.1")
            .port(self.address.port())
            .dbname("postgres");
        options.user(user).password(password);
        let (client, connection) = options.connect(NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }

    /// Begins to drain.
    pub(crate) fn stop(&mut self) {
        self.stop = None;
    }

    /// Waits until the proxy has stopped.
    pub(crate) async fn stopped(self) {
        let running = tokio::time::timeout(PATIENCE, self.running);
        running.await.expect("in time").expect("no panic");
    }
}

/// A message: type byte, length, body.
pub(crate) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&[kind][..], &length.to_be_bytes(), body].concat()
}

/// A startup packet of a version (`3 << 16` for 3.0) with names and values in turn.
pub(crate) fn startup(version: u32, parameters: &[&str]) -> Vec<u8> {
    let mut body = version.to_be_bytes().to_vec();
    for text in parameters {
        body.extend(text.as_bytes());
        body.push(0);
    }
    body.push(0);
    packet(&body)
}

/// A packet without a type byte.
pub(crate) fn packet(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&length.to_be_bytes()[..], body].concat()
}

/// The packet that cancels what a session runs, from the answer to its login.
pub(crate) fn cancellation(answer: &Answer) -> Vec<u8> {
    let key = answer.messages.iter().find(|(kind, _)| *kind == b'K');
    let (_, key) = key.expect("a key");
    packet(&[&(1234u32 << 16 | 5678).to_be_bytes()[..], key].concat())
}

pub(crate) fn query(sql: &str) -> Vec<u8> {
    message(b'Q', &[sql.as_bytes(), b"\0"].concat())
}

/// What came from the other side: complete messages, and how it stopped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Type byte and body.
    pub(crate) messages: Vec<(u8, Vec<u8>)>,
    /// The other side closed.
    pub(crate) closed: bool,
}

impl Answer {
    pub(crate) fn kinds(&self) -> String {
        self.messages
            .iter()
            .map(|(kind, _)| char::from(*kind))
            .collect()
    }

    /// A field of the last ErrorResponse.
    pub(crate) fn error(&self, code: u8) -> Option<String> {
        let errors = self.messages.iter().rev();
        let (_, body) = errors.into_iter().find(|(kind, _)| *kind == b'E')?;
        let mut fields = body.split(|byte| *byte == 0);
        let field = fields.find(|field| field.first() == Some(&code))?;
        Some(String::from_utf8_lossy(&field[1..]).into_owned())
    }

    /// Without what differs from session to session: the keys for cancellation.
    pub(crate) fn without_keys(mut self) -> Self {
        for (kind, body) in &mut self.messages {
            if *kind == b'K' {
                body.fill(0);
            }
        }
        self
    }
}

/// A client that speaks bytes.
pub(crate) struct Raw(pub(crate) TcpStream);

impl Raw {
    pub(crate) async fn connect(address: impl tokio::net::ToSocketAddrs) -> Self {
        Self(TcpStream::connect(address).await.expect("a listener"))
    }

    /// A session of the role `postgres`, behind its first ReadyForQuery.
    pub(crate) async fn session(address: SocketAddr) -> Self {
        let mut raw = Self::connect(address).await;
        raw.send(&startup(3 << 16, &["user", "postgres"])).await;
        let answer = raw.until_ready().await;
        assert!(!answer.closed, "{answer:?}");
        raw
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        // The other side may have closed already: then the answer says why.
        let _ = self.0.write_all(bytes).await;
    }

    pub(crate) async fn hang_up(&mut self) {
        let _ = self.0.shutdown().await;
    }

    /// Messages up to ReadyForQuery or the end.
    pub(crate) async fn until_ready(&mut self) -> Answer {
        self.read(|kind| kind == b'Z').await
    }

    /// Messages up to the end.
    pub(crate) async fn until_closed(&mut self) -> Answer {
        self.read(|_| false).await
    }

    /// Messages up to one of a kind, or to the end.
    pub(crate) async fn read(&mut self, last: impl Fn(u8) -> bool) -> Answer {
        let mut messages = Vec::new();
        let reading = async {
            loop {
                let mut header = [0; 5];
                if self.0.read_exact(&mut header).await.is_err() {
                    return true;
                }
                let [kind, a, b, c, d] = header;
                let length = u32::from_be_bytes([a, b, c, d]) as usize;
                let mut body = vec![0; length.checked_sub(4).expect("a length")];
                if self.0.read_exact(&mut body).await.is_err() {
                    return true;
                }
                messages.push((kind, body));
                if last(kind) {
                    return false;
                }
            }
        };
        let read = tokio::time::timeout(PATIENCE, reading).await;
        let closed = read.expect("an answer in time");
        Answer { messages, closed }
    }

    /// Whatever comes until the other side closes.
    pub(crate) async fn bytes_until_closed(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(PATIENCE, self.0.read_to_end(&mut bytes)).await;
        // A reset is a close, too.
        let _ = read.expect("a close in time");
        bytes
    }
}
