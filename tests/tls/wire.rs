//! A client and a server that speak bytes, with and without TLS.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, ServerConfig, SignatureScheme};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, TlsConnector, client, server};

use crate::authority::Identity;
use crate::stand::PATIENCE;

pub(crate) const SSL: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Messages: type byte and body.
pub(crate) type Messages = Vec<(u8, Vec<u8>)>;

pub(crate) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&[kind][..], &length.to_be_bytes(), body].concat()
}

pub(crate) fn packet(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&length.to_be_bytes()[..], body].concat()
}

pub(crate) fn startup(version: u32, parameters: &[&str]) -> Vec<u8> {
    let mut body = version.to_be_bytes().to_vec();
    for text in parameters {
        body.extend(text.as_bytes());
        body.push(0);
    }
    body.push(0);
    packet(&body)
}

pub(crate) fn query(sql: &str) -> Vec<u8> {
    message(b'Q', &[sql.as_bytes(), b"\0"].concat())
}

/// Reads one message; `None` at the end.
pub(crate) async fn read_message(stream: &mut (impl AsyncRead + Unpin)) -> Option<(u8, Vec<u8>)> {
    let mut header = [0; 5];
    stream.read_exact(&mut header).await.ok()?;
    let [kind, a, b, c, d] = header;
    let length = u32::from_be_bytes([a, b, c, d]) as usize;
    let mut body = vec![0; length.checked_sub(4).expect("a length")];
    stream.read_exact(&mut body).await.ok()?;
    Some((kind, body))
}

/// Messages up to one of a kind, or to the end.
pub(crate) async fn read_until(stream: &mut (impl AsyncRead + Unpin), last: u8) -> Messages {
    let mut messages = Vec::new();
    let reading = async {
        while let Some(message) = read_message(stream).await {
            let kind = message.0;
            messages.push(message);
            if kind == last {
                break;
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading)
        .await
        .expect("an answer in time");
    messages
}

/// Sends, then reads messages up to one of a kind, or to the end.
pub(crate) async fn ask(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    bytes: &[u8],
    last: u8,
) -> Messages {
    stream.write_all(bytes).await.unwrap();
    stream.flush().await.unwrap();
    read_until(stream, last).await
}

/// A field of the last ErrorResponse.
pub(crate) fn error(messages: &Messages, code: u8) -> Option<String> {
    let (_, body) = messages.iter().rev().find(|(kind, _)| *kind == b'E')?;
    let mut fields = body.split(|byte| *byte == 0);
    let field = fields.find(|field| field.first() == Some(&code))?;
    Some(String::from_utf8_lossy(&field[1..]).into_owned())
}

/// Whatever comes until the other side closes.
pub(crate) async fn rest(stream: &mut (impl AsyncRead + Unpin)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    let _ = read.expect("a close in time");
    bytes
}

/// Asks for TLS and begins it, with whomever.
pub(crate) async fn negotiated(
    address: impl tokio::net::ToSocketAddrs,
) -> client::TlsStream<TcpStream> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&SSL).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'S');
    begin(stream, &[]).await.expect("TLS")
}

/// Begins TLS, with whomever, offering these protocols.
pub(crate) async fn begin(
    stream: TcpStream,
    protocols: &[&str],
) -> std::io::Result<client::TlsStream<TcpStream>> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anyone))
        .with_no_client_auth();
    config.alpn_protocols = protocols
        .iter()
        .map(|name| name.as_bytes().to_vec())
        .collect();
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await
}

/// Takes TLS as a server.
pub(crate) async fn accept(
    stream: TcpStream,
    identity: &Identity,
) -> std::io::Result<server::TlsStream<TcpStream>> {
    let certificate = CertificateDer::from_pem_file(&identity.cert).unwrap();
    let key = PrivateKeyDer::from_pem_file(&identity.key).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config)).accept(stream).await
}

/// Takes every certificate.
#[derive(Debug)]
struct Anyone;

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        default_provider()
            .signature_verification_algorithms
            .supported_schemes()
    }
}
