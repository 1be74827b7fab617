//! One of the two sockets of a connection with what has been read from it. Borrows a buffer
//! when there is something to read, and holds none while the peer is silent.

use std::future::Future;
use std::io::{self, IoSlice};
use std::mem;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use super::buffers::Buffers;
use super::limits;
use super::stream::{Peer, Stream};
use crate::wire::Output;

/// How many bytes have gone through a socket, TLS aside.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    pub(super) received: u64,
    pub(super) sent: u64,
}

/// One socket and its read buffer.
#[derive(Debug)]
pub(super) struct Leg {
    stream: Stream,
    buffers: Arc<Buffers>,
    /// Read and not yet taken.
    pub(super) input: BytesMut,
    /// The peer has closed its sending side.
    pub(super) ended: bool,
    /// How much room the next read gets, in bytes.
    chunk: usize,
    /// Bytes read and written that nobody has counted yet.
    moved: Moved,
    /// A buffer is borrowed, though the one in `input` may have no room left.
    borrows: bool,
}

impl Leg {
    pub(super) fn new(stream: Stream, buffers: Arc<Buffers>) -> Self {
        Self {
            stream,
            buffers,
            input: BytesMut::new(),
            ended: false,
            chunk: limits::READ_SMALL_BYTES,
            moved: Moved::default(),
            borrows: false,
        }
    }

    /// Reads once, if anything is there. Says whether bytes or the end arrived; if not, the task
    /// is woken when they do.
    pub(super) fn poll_read(&mut self, cx: &mut Context<'_>) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.stream.poll_read_ready(cx)?.is_pending() {
            self.release();
            return Ok(false);
        }
        if self.input.capacity() == 0 {
            self.input = self.buffers.take();
        }
        self.borrows = true;
        let room = self.room();
        match pin!(self.stream.read_buf(&mut self.input)).poll(cx)? {
            Poll::Pending => {
                // A part of a TLS record is kept elsewhere.
                self.release();
                Ok(false)
            }
            Poll::Ready(0) => {
                self.ended = true;
                Ok(true)
            }
            Poll::Ready(count) => {
                self.moved.received += count as u64;
                if count == room {
                    self.chunk = limits::READ_LARGE_BYTES.min(self.chunk * 2);
                }
                Ok(true)
            }
        }
    }

    /// Makes room to read. For a large message whoever waits for it does so, as far as there is
    /// memory; only if there is none at all, it is made here.
    fn room(&mut self) -> usize {
        let room = self.input.capacity() - self.input.len();
        let is_large = self.input.len() > limits::READ_LARGE_BYTES;
        if room == 0 || room < limits::READ_ROOM_BYTES && !is_large {
            self.input.reserve(self.chunk);
        }
        self.input.capacity() - self.input.len()
    }

    /// Gives the buffer back while nothing is in it.
    fn release(&mut self) {
        if self.borrows && self.input.is_empty() {
            // Also one without room: it may be the end of a large one, and keep the whole.
            self.borrows = false;
            self.buffers.put(mem::take(&mut self.input));
            self.chunk = limits::READ_SMALL_BYTES;
        }
    }

    /// Reads in small pieces until it has fallen silent, while memory is short.
    pub(super) const fn tighten(&mut self) {
        self.chunk = limits::READ_SMALL_BYTES;
    }

    /// What its buffer takes in memory.
    pub(super) fn held(&self) -> usize {
        self.input.capacity()
    }

    /// Writes as much as the socket takes. Says whether anything was written.
    pub(super) fn poll_write(
        &mut self,
        cx: &mut Context<'_>,
        output: &mut Output,
    ) -> io::Result<bool> {
        let mut moved = false;
        while output.has_remaining() {
            let mut slices = [IoSlice::new(&[]); limits::WRITE_SLICES];
            let count = output.chunks_vectored(&mut slices);
            let stream = Pin::new(&mut self.stream);
            let written = match slices.get(..count).unwrap_or_default() {
                // `send` is cheaper than `writev`.
                [slice] => stream.poll_write(cx, slice),
                slices => stream.poll_write_vectored(cx, slices),
            };
            match written? {
                Poll::Pending => break,
                Poll::Ready(0) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(count) => {
                    self.moved.sent += count as u64;
                    output.advance(count);
                }
            }
            moved = true;
        }
        if self.stream.is_buffered() {
            let _ = Pin::new(&mut self.stream).poll_flush(cx)?;
        }
        Ok(moved)
    }

    /// What has moved and has not been taken.
    pub(super) const fn moved(&self) -> Moved {
        self.moved
    }

    /// What has moved since the last call, or what came before the relay.
    pub(super) fn take_moved(&mut self) -> Moved {
        mem::take(&mut self.moved)
    }

    /// What is known of the peer without reading.
    pub(super) fn peer(&self, cx: &mut Context<'_>) -> Peer {
        if self.ended {
            return Peer::Silent.max(self.stream.peer(cx));
        }
        self.stream.peer(cx)
    }

    /// Closes the sending side; the peer may go on.
    pub(super) fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    /// Reads more into the buffer; 0 at the end. Loses nothing if it is dropped.
    pub(super) async fn read(&mut self) -> io::Result<usize> {
        let count = self.stream.read_buf(&mut self.input).await?;
        self.moved.received += count as u64;
        Ok(count)
    }

    /// Writes all of the bytes.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await?;
        self.moved.sent += bytes.len() as u64;
        self.stream.flush().await
    }

    /// Whether TLS protects it.
    pub(super) fn is_encrypted(&self) -> bool {
        self.stream.is_encrypted()
    }

    /// Whether the peer is on this machine, behind a Unix socket.
    pub(super) fn is_local(&self) -> bool {
        matches!(self.stream, Stream::Unix(_))
    }

    /// The certificate that the peer has shown.
    pub(super) fn peer_certificate(&self) -> Option<&[u8]> {
        self.stream.peer_certificate()
    }

    /// Whether the peer begins with a TLS handshake, which stays unread.
    pub(super) async fn begins_tls(&self) -> io::Result<bool> {
        Ok(self.input.is_empty() && self.stream.begins_tls().await?)
    }

    /// Gives the socket up if it is one without TLS from which nothing more has been read. To
    /// whoever negotiates encryption on it: nothing that came before may be taken for encrypted.
    pub(super) fn into_plain(self) -> Option<(TcpStream, Arc<Buffers>)> {
        match self.stream {
            Stream::Tcp(stream) if self.input.is_empty() => Some((stream, self.buffers)),
            _ => None,
        }
    }

    /// Sends the last words, then closes so that the peer can read them: a socket that is closed
    /// with unread bytes in it is reset, and a reset discards what the peer has not read yet. Gives
    /// whether the peer has closed, too.
    pub(super) async fn farewell(mut self, mut words: impl Buf) -> bool {
        let goodbye = async {
            self.stream.write_all_buf(&mut words).await?;
            self.stream.shutdown().await?;
            loop {
                self.input.clear();
                if self.stream.read_buf(&mut self.input).await? == 0 {
                    return io::Result::Ok(());
                }
            }
        };
        // The peer may be gone or slow; nothing depends on its having heard.
        let heard = tokio::time::timeout(limits::FAREWELL_TIMEOUT, goodbye).await;
        matches!(heard, Ok(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use bytes::BufMut;
    use rustls::pki_types::{PrivateKeyDer, ServerName};
    use rustls::{ClientConfig, RootCertStore, ServerConfig, crypto::ring};
    use socket2::SockRef;
    use tokio::net::TcpListener;
    use tokio_rustls::{TlsAcceptor, TlsConnector, client};

    use super::*;

    /// Two ends of a TLS connection over sockets that hold little.
    async fn pair() -> (Leg, client::TlsStream<TcpStream>) {
        let made = rcgen::generate_simple_self_signed(["here".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(made.cert.der().clone()).unwrap();
        let provider = Arc::new(ring::default_provider());
        let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let client = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap());
        let (near, far) = tokio::join!(near, listener.accept());
        let (near, (far, _)) = (near.unwrap(), far.unwrap());
        SockRef::from(&near).set_recv_buffer_size(4096).unwrap();
        SockRef::from(&far).set_send_buffer_size(4096).unwrap();
        let name = ServerName::try_from("here").unwrap();
        let connector = TlsConnector::from(Arc::new(client));
        let acceptor = TlsAcceptor::from(Arc::new(server));
        let (near, far) = tokio::join!(connector.connect(name, near), acceptor.accept(far));
        let stream = Stream::Tls(Box::new(far.unwrap().into()));
        (Leg::new(stream, Arc::default()), near.unwrap())
    }

    /// What TLS has taken and the socket has not is nobody's output any more.
    #[tokio::test]
    async fn the_end_of_what_was_written_leaves_tls_when_the_socket_has_room() {
        const BYTES: usize = 60_000;
        let (mut leg, mut peer) = pair().await;
        let mut output = Output::default();
        output.buffer().put_bytes(b'x', BYTES);
        let moved = poll_fn(|cx| Poll::Ready(leg.poll_write(cx, &mut output)));
        assert!(moved.await.unwrap());
        assert!(!output.has_remaining() && leg.stream.is_buffered());
        let writing = poll_fn(|cx| {
            let _ = leg.poll_write(cx, &mut output).unwrap();
            Poll::<()>::Pending
        });
        let mut received = vec![0; BYTES];
        tokio::select! {
            read = peer.read_exact(&mut received) => assert_eq!(read.unwrap(), BYTES),
            () = writing => unreachable!(),
            () = tokio::time::sleep(limits::CONNECT_TIMEOUT) => panic!("the end does not come"),
        }
    }
}
