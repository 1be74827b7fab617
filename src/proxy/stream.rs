//! A connected socket, TCP or Unix, with the options that a relay wants.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};

use super::limits;
use crate::config::Address;

/// A connected socket.
#[derive(Debug)]
pub(super) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    /// Connects to Postgres.
    pub(super) async fn connect(address: &Address) -> io::Result<Self> {
        let connecting = async {
            Ok(match address {
                Address::Tcp { host, port } => {
                    Self::tcp(TcpStream::connect((host.as_str(), *port)).await?)
                }
                Address::Unix { .. } => {
                    let socket = address.socket().unwrap_or_default();
                    Self::Unix(UnixStream::connect(socket).await?)
                }
            })
        };
        match tokio::time::timeout(limits::CONNECT_TIMEOUT, connecting).await {
            Ok(connected) => connected,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Sets the options of a TCP socket: no delay, since a message that waits for the next one
    /// would wait for ever; keepalive and user timeout, so that a vanished peer is noticed.
    pub(super) fn tcp(stream: TcpStream) -> Self {
        let keepalive = TcpKeepalive::new()
            .with_time(limits::KEEPALIVE_IDLE)
            .with_interval(limits::KEEPALIVE_INTERVAL)
            .with_retries(limits::KEEPALIVE_PROBES);
        let socket = SockRef::from(&stream);
        // A socket without these options works, only less well; its peer may also be gone by now.
        let _ = socket.set_tcp_nodelay(true);
        let _ = socket.set_tcp_keepalive(&keepalive);
        #[cfg(target_os = "linux")]
        let _ = socket.set_tcp_user_timeout(Some(limits::USER_TIMEOUT));
        Self::Tcp(stream)
    }

    /// Ready when there is something to read, or the end. Allocates nothing, so that a buffer is
    /// needed only then.
    pub(super) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => stream.poll_read_ready(cx),
            Self::Unix(stream) => stream.poll_read_ready(cx),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Unix(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Unix(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write_vectored(cx, slices),
            Self::Unix(stream) => Pin::new(stream).poll_write_vectored(cx, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Unix(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
