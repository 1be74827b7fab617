//! The other side, for `pgveil health`: asks the endpoint for one page. In an image without a shell
//! there is nobody else who could.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HOST, HeaderValue};
use hyper::{Request, Uri, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

use crate::config::{AdminAddress, Token};

/// How long the answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest answer that is read.
const ANSWER_BYTES: usize = 64 * 1024;

/// The longest document that is.
const DOCUMENT_BYTES: usize = 64 << 20;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Not the address of an endpoint.
    #[error("`{0}` is no address\n  write http://host:port or unix:/path/of/socket")]
    Url(String),
    /// Nobody listens at the address.
    #[error("{at}: {source}")]
    Connect {
        /// The address that was asked.
        at: AdminAddress,
        /// The system's reason.
        source: io::Error,
    },
    /// Somebody is there, but that is no answer.
    #[error("{at}: no answer by HTTP")]
    Answer {
        /// The address that was asked.
        at: AdminAddress,
    },
    /// Somebody is there and says nothing.
    #[error("{at}: no answer within 5 seconds")]
    Silent {
        /// The address that was asked.
        at: AdminAddress,
    },
}

/// An endpoint, and a page of it if one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where it listens.
    pub at: AdminAddress,
    /// The page.
    pub path: Option<String>,
}

impl Target {
    /// Reads `http://host:port`, also with the path of a page, or `unix:/path/of/socket`.
    ///
    /// # Errors
    /// [`AskError::Url`] for anything else.
    pub fn parse(text: &str) -> Result<Self, AskError> {
        let read = || {
            if text.starts_with("unix:") {
                let at = AdminAddress::parse(text)?;
                return Some(Self { at, path: None });
            }
            let uri: Uri = text.parse().ok()?;
            let host = uri.host().filter(|_| uri.scheme_str() == Some("http"))?;
            let at = AdminAddress::Tcp {
                host: host.trim_matches(['[', ']']).to_owned(),
                port: uri.port_u16().unwrap_or(80),
            };
            let path = Some(uri.path()).filter(|path| *path != "/");
            let path = path.map(str::to_owned);
            Some(Self { at, path })
        };
        read().ok_or_else(|| AskError::Url(text.to_owned()))
    }

    /// Whether it is on this machine.
    #[must_use]
    pub fn is_here(&self) -> bool {
        match &self.at {
            AdminAddress::Tcp { host, .. } => host
                .parse()
                .map_or(host == "localhost", |address: IpAddr| address.is_loopback()),
            AdminAddress::Unix(_) => true,
        }
    }

    /// The endpoint that listens at this address. Who listens everywhere is here, too.
    #[must_use]
    pub fn here(address: &AdminAddress) -> Self {
        let at = match address {
            AdminAddress::Tcp { host, port } => AdminAddress::Tcp {
                host: match host.parse() {
                    Ok(IpAddr::V4(address)) if address.is_unspecified() => "127.0.0.1".to_owned(),
                    Ok(IpAddr::V6(address)) if address.is_unspecified() => "::1".to_owned(),
                    _ => host.clone(),
                },
                port: *port,
            },
            AdminAddress::Unix(_) => address.clone(),
        };
        Self { at, path: None }
    }
}

/// The answer to GET: whether it is a good one, and its text.
///
/// # Errors
/// If there is none.
pub async fn ask(at: &AdminAddress, path: &str) -> Result<(bool, String), AskError> {
    let question = Question {
        path,
        token: None,
        most: ANSWER_BYTES,
    };
    put(at, &question).await
}

/// The answer to GET for a page of any length that is shown to those who have the token: whether it
/// is a good one, and its text.
///
/// # Errors
/// If there is no answer.
pub async fn ask_with(
    at: &AdminAddress,
    path: &str,
    token: Option<&Token>,
) -> Result<(bool, String), AskError> {
    let question = Question {
        path,
        token,
        most: DOCUMENT_BYTES,
    };
    put(at, &question).await
}

/// What is asked for.
struct Question<'q> {
    path: &'q str,
    token: Option<&'q Token>,
    most: usize,
}

async fn put(at: &AdminAddress, question: &Question<'_>) -> Result<(bool, String), AskError> {
    let silent = || AskError::Silent { at: at.clone() };
    let answer = timeout(PATIENCE, connect_and_ask(at, question)).await;
    answer.map_err(|_| silent())?
}

async fn connect_and_ask(
    at: &AdminAddress,
    question: &Question<'_>,
) -> Result<(bool, String), AskError> {
    let connect = |source| AskError::Connect {
        at: at.clone(),
        source,
    };
    let answer = match at {
        AdminAddress::Tcp { host, port } => {
            let stream = TcpStream::connect((host.as_str(), *port)).await;
            exchange(stream.map_err(connect)?, &at.to_string(), question).await
        }
        AdminAddress::Unix(socket) => {
            let stream = UnixStream::connect(socket).await;
            exchange(stream.map_err(connect)?, "localhost", question).await
        }
    };
    answer.ok_or_else(|| AskError::Answer { at: at.clone() })
}

async fn exchange<S>(stream: S, host: &str, question: &Question<'_>) -> Option<(bool, String)>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
    let driving = tokio::spawn(async move {
        let _ = connection.await;
    });
    let mut request = Request::get(question.path).header(HOST, host);
    if let Some(token) = question.token {
        let shown = [b"Bearer ", token.as_bytes()].concat();
        let mut shown = HeaderValue::from_bytes(&shown).ok()?;
        shown.set_sensitive(true);
        request = request.header(AUTHORIZATION, shown);
    }
    let request = request.body(Empty::<Bytes>::new()).ok()?;
    let response = sender.send_request(request).await.ok()?;
    let is_well = response.status().is_success();
    let body = Limited::new(response.into_body(), question.most);
    let body = body.collect().await.ok()?.to_bytes();
    driving.abort();
    Some((is_well, String::from_utf8_lossy(&body).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_urls_and_sockets() {
        for (text, at, path) in [
            ("http://127.0.0.1:9632", "127.0.0.1:9632", None),
            ("http://127.0.0.1:9632/", "127.0.0.1:9632", None),
            ("http://[::1]:9632/livez", "[::1]:9632", Some("/livez")),
            ("http://proxy/readyz", "proxy:80", Some("/readyz")),
            ("unix:/run/admin.sock", "unix:/run/admin.sock", None),
        ] {
            let target = Target::parse(text).expect(text);
            assert_eq!(target.at.to_string(), at);
            assert_eq!(target.path.as_deref(), path);
        }
        for text in [
            "",
            "127.0.0.1:9632",
            "https://proxy/",
            "unix:admin.sock",
            "ftp://x/",
        ] {
            assert!(Target::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn one_that_listens_everywhere_is_here() {
        for (listens, at) in [
            ("0.0.0.0:9633", "127.0.0.1:9633"),
            ("[::]:9633", "[::1]:9633"),
            ("10.0.0.1:9633", "10.0.0.1:9633"),
            ("unix:/run/admin.sock", "unix:/run/admin.sock"),
        ] {
            let address = AdminAddress::parse(listens).unwrap();
            assert_eq!(Target::here(&address).at.to_string(), at);
        }
    }
}
