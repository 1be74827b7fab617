//! Sockets of the endpoint, and what one who connects may take: a number of connections, of bytes
//! and of seconds. Where there are too many connections the oldest gives way, so that those who
//! send nothing keep no probe out.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tracing::warn;

use super::service::{Place, Service};
use crate::config::AdminAddress;
use crate::proxy::{SocketFile, bind_tcp, bind_unix};

/// Connections at once, for each listener. A probe and a scrape are over in milliseconds.
const MOST_CONNECTIONS: usize = 32;

/// The largest head of a request, in bytes, and the most fields in it.
const HEAD_BYTES: usize = 16 * 1024;
const MOST_FIELDS: usize = 64;

/// How long a head may take to come, and a whole connection, the answer to a reload included.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(60);

/// The pause after a failed `accept`.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Only the user of the process may connect to the Unix socket: there need not be a token.
const SOCKET_MODE: u32 = 0o600;

/// A socket of the endpoint.
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix {
        listener: UnixListener,
        _file: SocketFile,
    },
}

/// A connection to it.
enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Listener {
    pub(super) async fn bind(address: &AdminAddress) -> io::Result<Vec<Self>> {
        match address {
            AdminAddress::Tcp { host, port } => {
                let listeners = bind_tcp(host, *port, false).await?;
                Ok(listeners.into_iter().map(Self::Tcp).collect())
            }
            AdminAddress::Unix(path) => {
                let (listener, _file) = bind_unix(path, SOCKET_MODE)?;
                Ok(vec![Self::Unix { listener, _file }])
            }
        }
    }

    /// Who gets there, by the address that is really listened at.
    pub(super) fn place(&self) -> Place {
        match self {
            Self::Unix { .. } => Place::Socket,
            Self::Tcp(_) if self.address().is_some_and(|at| at.ip().is_loopback()) => {
                Place::Loopback
            }
            Self::Tcp(_) => Place::Network,
        }
    }

    pub(super) fn address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            Self::Unix { .. } => None,
        }
    }

    /// Answers until it is dropped.
    pub(super) async fn serve(self, service: Arc<Service>) {
        let mut running = JoinSet::new();
        let mut oldest_first: VecDeque<AbortHandle> = VecDeque::new();
        loop {
            let accepted = tokio::select! {
                accepted = self.accept() => accepted,
                Some(_) = running.join_next() => continue,
            };
            let service = Arc::clone(&service);
            let connection = accepted.map(|stream| match stream {
                Stream::Tcp(stream) => running.spawn(answer(stream, service)),
                Stream::Unix(stream) => running.spawn(answer(stream, service)),
            });
            match connection {
                Ok(connection) => {
                    oldest_first.retain(|connection| !connection.is_finished());
                    if oldest_first.len() >= MOST_CONNECTIONS
                        && let Some(oldest) = oldest_first.pop_front()
                    {
                        oldest.abort();
                    }
                    oldest_first.push_back(connection);
                }
                Err(error) => {
                    warn!(%error, "the admin endpoint cannot accept");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    async fn accept(&self) -> io::Result<Stream> {
        Ok(match self {
            Self::Tcp(listener) => Stream::Tcp(listener.accept().await?.0),
            Self::Unix { listener, .. } => Stream::Unix(listener.accept().await?.0),
        })
    }
}

/// Answers one request, and closes.
async fn answer<S>(stream: S, service: Arc<Service>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let answering = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { Ok::<_, Infallible>(service.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .keep_alive(false)
        .max_buf_size(HEAD_BYTES)
        .max_headers(MOST_FIELDS)
        .serve_connection(TokioIo::new(stream), answering);
    // Whoever asks has the error; nobody else has use for it.
    let _ = timeout(CONNECTION_TIMEOUT, connection).await;
}
