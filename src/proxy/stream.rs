//! A connected socket, TCP with or without TLS, or Unix, with the options that a relay wants.
//!
//! One enum and no trait object: reads and writes of plain sockets cost what they cost alone.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsStream;

use super::limits;

/// A connected socket.
#[derive(Debug)]
pub(super) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
    /// Boxed: its state would make every plain connection larger by a kilobyte.
    Tls(Box<TlsStream<TcpStream>>),
}

/// What is known of the other end of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Peer {
    /// Nothing against it.
    There,
    /// It sends nothing more behind what it has sent. It may still read.
    Silent,
    /// It is gone.
    Gone,
}

impl Stream {
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

    /// Gives this socket, watched by the runtime of this thread.
    ///
    /// # Errors
    /// If the runtime can't watch it.
    pub(super) fn settled(self) -> io::Result<Self> {
        Ok(match self {
            Self::Tcp(stream) => Self::Tcp(TcpStream::from_std(stream.into_std()?)?),
            Self::Unix(stream) => Self::Unix(UnixStream::from_std(stream.into_std()?)?),
            Self::Tls(_) => self,
        })
    }

    /// Ready when there is something to read, or the end. Allocates nothing, so that a buffer is
    /// needed only then.
    pub(super) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => stream.poll_read_ready(cx),
            Self::Unix(stream) => stream.poll_read_ready(cx),
            Self::Tls(stream) => {
                let (socket, state) = stream.get_ref();
                // "If there is pending plaintext data to read, this returns false": also behind
                // the peer's farewell.
                if state.wants_read() {
                    socket.poll_read_ready(cx)
                } else {
                    Poll::Ready(Ok(()))
                }
            }
        }
    }

    /// What the system tells of the other end, also while nothing that it has sent is read.
    pub(super) fn peer(&self, cx: &mut Context<'_>) -> Peer {
        let ready = match self {
            Self::Tcp(stream) => pin!(stream.ready(Interest::READABLE)).poll(cx),
            Self::Unix(stream) => pin!(stream.ready(Interest::READABLE)).poll(cx),
            Self::Tls(stream) => pin!(stream.get_ref().0.ready(Interest::READABLE)).poll(cx),
        };
        match ready {
            Poll::Pending => Peer::There,
            Poll::Ready(Ok(ready)) if ready.is_write_closed() => Peer::Gone,
            Poll::Ready(Ok(ready)) if ready.is_read_closed() => Peer::Silent,
            Poll::Ready(Ok(_)) => Peer::There,
            Poll::Ready(Err(_)) => Peer::Gone,
        }
    }

    /// Whether what is written waits here for the socket.
    pub(super) fn is_buffered(&self) -> bool {
        match self {
            Self::Tcp(_) | Self::Unix(_) => false,
            Self::Tls(stream) => stream.get_ref().1.wants_write(),
        }
    }

    /// Whether the next byte, which stays unread, begins a TLS handshake.
    pub(super) async fn begins_tls(&self) -> io::Result<bool> {
        /// The content type of a TLS record that carries a handshake (RFC 8446, section 5.1).
        const HANDSHAKE: u8 = 22;
        let mut first = [0];
        match self {
            Self::Tcp(stream) => Ok(stream.peek(&mut first).await? == 1 && first == [HANDSHAKE]),
            Self::Unix(_) | Self::Tls(_) => Ok(false),
        }
    }

    /// Whether TLS protects it.
    pub(super) fn is_encrypted(&self) -> bool {
        matches!(self, Self::Tls(_))
    }

    /// The certificate that the peer has shown.
    pub(super) fn peer_certificate(&self) -> Option<&[u8]> {
        match self {
            Self::Tcp(_) | Self::Unix(_) => None,
            Self::Tls(stream) => Some(stream.get_ref().1.peer_certificates()?.first()?),
        }
    }
}

/// An end without TLS's own farewell (`close_notify`) is an end like any other. A message that
/// was cut off by it is never complete, and what is complete, TLS has authenticated; with a plain
/// socket it is no different.
fn plain_end(read: Poll<io::Result<()>>) -> Poll<io::Result<()>> {
    match read {
        Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Poll::Ready(Ok(()))
        }
        read => read,
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
            Self::Tls(stream) => plain_end(Pin::new(stream).poll_read(cx, buffer)),
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
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
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
            Self::Tls(stream) => Pin::new(stream).poll_write_vectored(cx, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(_) | Self::Unix(_) => Poll::Ready(Ok(())),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Unix(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
