//! A stream that gives only so many bytes until somebody says that a message is done: pgwire itself
//! would hold a message of a gigabyte.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most that may come before the next message is complete, what follows it in the same read
/// included.
const MOST_BYTES: usize = 64 * 1024;

/// A stream whose messages are bounded.
pub(super) struct Metered<S> {
    stream: S,
    read: usize,
}

impl<S> Metered<S> {
    pub(super) const fn new(stream: S) -> Self {
        Self { stream, read: 0 }
    }

    /// Says that a message is done: the next one may be as long.
    pub(super) const fn begin_anew(&mut self) {
        self.read = 0;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read >= MOST_BYTES {
            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.read += buffer.filled().len() - before;
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn what_has_no_end_has_one() {
        let mut metered = Metered::new(tokio::io::repeat(b'x'));
        let mut bytes = Vec::new();
        assert!(metered.read_to_end(&mut bytes).await.is_err());
        assert!(bytes.len() < 2 * MOST_BYTES);
        metered.begin_anew();
        assert_eq!(metered.read(&mut [0; 10]).await.unwrap(), 10);
    }
}
