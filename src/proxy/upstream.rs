//! The way to Postgres: a socket, and TLS on it as the configuration demands. Nothing is sent
//! over it before that.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::buffers::Buffers;
use super::dial;
use super::hosts::Misfit;
use super::leg::Leg;
use super::stream::Stream;
use super::tls::UpstreamSide;
use super::way::Fault;
use crate::config::{Address, TargetSession, UpstreamTlsMode};
use crate::wire::startup;

/// Why there is no connection to Postgres, or none that the configuration accepts.
#[derive(Debug, thiserror::Error)]
pub(super) enum UpstreamError {
    /// Nobody listens at the address.
    #[error("Postgres can't be reached: {0}")]
    Unreachable(#[source] io::Error),
    /// Another has just found that nobody is there.
    #[error("Postgres could not be reached a moment ago")]
    Down,
    /// The socket failed, or was closed.
    #[error("the connection to Postgres was lost: {0}")]
    Lost(#[from] io::Error),
    /// Somebody is there and says nothing.
    #[error("Postgres does not answer the request for TLS")]
    Silent,
    /// The server, or someone on the way who says so, takes no TLS.
    #[error(
        "the server takes no TLS, but upstream.tls.mode demands it: switch it on there (ssl = on)"
    )]
    Unencrypted,
    /// The answer to SSLRequest is neither S nor N. An error at this point comes from nobody
    /// whose identity is known: its text is not shown (CVE-2024-10977).
    #[error("the server answers the request for TLS with byte {0}")]
    Answer(u8),
    /// Bytes came with the answer: someone on the way wants them to be taken for a part of the
    /// encrypted stream (CVE-2021-23222).
    #[error("the server sent unencrypted data behind its answer to the request for TLS")]
    Stuffed,
    /// The certificate, or anything else about TLS.
    #[error("no TLS with the server: {0}")]
    Handshake(io::Error),
    /// Postgres is there, but not what sessions are to be on.
    #[error("target_session_attrs is {word:?}, but {1}", word = .0.as_str())]
    Misfit(TargetSession, Misfit),
    /// All that could be reached have just shown to be something else.
    #[error("target_session_attrs is {word:?}, and no server was that a moment ago", word = .0.as_str())]
    NoneFits(TargetSession),
}

impl UpstreamError {
    /// Whether nobody is there, as far as pgveil could look.
    pub(super) fn is_unreachable(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Down) && !self.is_ours()
    }

    /// Whether pgveil had no socket to look with.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self, Self::Unreachable(error) if super::is_out_of_descriptors(error))
    }

    /// What is wrong with the host, if it took the connection and let nobody in.
    pub(super) fn fault(&self) -> Option<Fault> {
        match self {
            Self::Lost(_) => Some(Fault::Closes),
            Self::Silent => Some(Fault::Silent),
            _ => None,
        }
    }

    /// Whether Postgres was there, but not as the configuration demands.
    pub(super) fn is_insecure(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::Down
            | Self::Lost(_)
            | Self::Silent
            | Self::Misfit(..)
            | Self::NoneFits(_) => false,
            Self::Unencrypted | Self::Answer(_) | Self::Stuffed | Self::Handshake(_) => true,
        }
    }
}

/// Connects, with TLS where it is wanted, each within this time.
pub(super) async fn connect(
    address: &Address,
    tls: Option<&UpstreamSide>,
    within: Duration,
    buffers: Arc<Buffers>,
) -> Result<Leg, UpstreamError> {
    let connected = dial::connect(address, within).await;
    let stream = connected.map_err(UpstreamError::Unreachable)?;
    let stream = match (stream, tls, address) {
        (Stream::Tcp(stream), Some(tls), Address::Tcp { host, .. }) => {
            match timeout(within, secure(stream, tls, host)).await {
                Ok(secured) => secured?,
                Err(_) => return Err(UpstreamError::Silent),
            }
        }
        (stream, ..) => stream,
    };
    Ok(Leg::new(stream, buffers))
}

/// Whether a server on which nothing has been asked gives an answer. It is asked for TLS, which each
/// says yes or no to: neither a session nor a line in its log comes of that.
pub(super) async fn answers(server: &mut Leg) -> bool {
    let asked = server.write(&startup::ssl_request()).await;
    asked.is_ok() && matches!(server.read().await, Ok(1..))
}

/// Asks for TLS and begins it.
async fn secure(
    mut stream: TcpStream,
    tls: &UpstreamSide,
    host: &str,
) -> Result<Stream, UpstreamError> {
    stream.write_all(&startup::ssl_request()).await?;
    // Room for one byte more than may come, to see that it does not.
    let mut answer = [0; 2];
    match (stream.read(&mut answer).await?, answer[0]) {
        (0, _) => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        (1, b'S') => {
            let stream = tls.connect(host, stream).await;
            let stream = stream.map_err(UpstreamError::Handshake)?;
            Ok(Stream::Tls(Box::new(stream)))
        }
        (1, b'N') if tls.settings.mode == UpstreamTlsMode::Prefer => Ok(Stream::Tcp(stream)),
        (_, b'N') => Err(UpstreamError::Unencrypted),
        (_, b'S') => Err(UpstreamError::Stuffed),
        (_, other) => Err(UpstreamError::Answer(other)),
    }
}
