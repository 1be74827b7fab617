//! TLS as the configuration wants it, ready for use, and what is known of a leg that has it.

mod certificate;
mod verify;

use std::io;
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use rustls::sign::SingleCertAndKey;
use rustls::{ClientConfig, ServerConfig};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};
use tracing::warn;

use crate::config::{
    ChannelBinding, ClientCertificate, Config, ServerTls, ServerTlsMode, UpstreamTls,
};
use certificate::Certificate;
use verify::Verify;

/// The name of the protocol in ALPN, as Postgres 17 speaks it (IANA registry).
const ALPN: &[u8] = b"postgresql";

/// TLS on the legs of one configuration.
#[derive(Debug)]
pub(super) struct Tls {
    /// Towards clients.
    pub(super) server: Option<ServerSide>,
    /// Towards Postgres.
    pub(super) upstream: Option<UpstreamSide>,
}

/// pgveil as a server.
pub(super) struct ServerSide {
    acceptor: TlsAcceptor,
    /// The certificate that clients see.
    certificate: CertificateDer<'static>,
    /// What binds a password to it.
    end_point: Option<Vec<u8>>,
    pub(super) settings: ServerTls,
}

/// pgveil as a client.
pub(super) struct UpstreamSide {
    connector: TlsConnector,
    pub(super) settings: UpstreamTls,
}

impl Tls {
    pub(super) fn new(config: &Config) -> Result<Self, rustls::Error> {
        let provider = Arc::new(ring::default_provider());
        let server = config.tls.as_ref();
        let upstream = config.upstream_tls.as_ref();
        Ok(Self {
            server: server
                .map(|tls| ServerSide::new(tls, &provider))
                .transpose()?,
            upstream: upstream
                .map(|tls| UpstreamSide::new(tls, &provider))
                .transpose()?,
        })
    }
}

impl ServerSide {
    fn new(tls: &ServerTls, provider: &Arc<CryptoProvider>) -> Result<Self, rustls::Error> {
        let builder = ServerConfig::builder_with_provider(Arc::clone(provider))
            .with_safe_default_protocol_versions()?;
        let builder = match &tls.clients {
            None => builder.with_no_client_auth(),
            Some(clients) => {
                // Whether there must be one is judged later, where words can say so.
                let verifier = WebPkiClientVerifier::builder_with_provider(
                    Arc::clone(&clients.roots),
                    Arc::clone(provider),
                )
                .allow_unauthenticated()
                .build()
                .map_err(|error| rustls::Error::General(error.to_string()))?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let identity = SingleCertAndKey::from(Arc::clone(&tls.identity));
        let mut config = builder.with_cert_resolver(Arc::new(identity));
        config.alpn_protocols = vec![ALPN.to_vec()];
        // As Postgres: a resumed session would outlive the certificate that let it in.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        let certificate = tls.identity.end_entity_cert()?.clone().into_owned();
        let read = Certificate::read(&certificate);
        if read.as_ref().is_some_and(|read| !read.is_valid_now()) {
            // As Postgres: it is the clients who judge, and some don't.
            warn!("the certificate that clients see is not valid today");
        }
        let end_point = read.and_then(|read| read.end_point());
        if tls.channel_binding == ChannelBinding::Require && end_point.is_none() {
            // RFC 5929 needs the one hash function of the signature, which Ed25519 does not have.
            let text = "nothing can be bound to a certificate with this kind of signature";
            return Err(rustls::Error::General(text.to_owned()));
        }
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            certificate,
            end_point,
            settings: tls.clone(),
        })
    }

    /// Whether clients must come with TLS.
    pub(super) fn is_required(&self) -> bool {
        self.settings.mode == ServerTlsMode::Require
    }

    /// Takes a client that is about to send its ClientHello.
    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.acceptor.accept(stream).await.map(TlsStream::from)
    }

    /// What binds a password to the connection of a client: RFC 5929, `tls-server-end-point`.
    pub(super) fn end_point(&self) -> Option<&[u8]> {
        self.end_point.as_deref()
    }

    /// Whether a client sees the same certificate as pgveil saw on another leg.
    pub(super) fn shows(&self, certificate: &[u8]) -> bool {
        self.certificate.as_ref() == certificate
    }

    /// Judges the certificate of a client, which TLS has verified, for a role.
    pub(super) fn admits(
        &self,
        certificate: Option<&[u8]>,
        role: &[u8],
    ) -> Result<(), CertificateRefused> {
        let Some(clients) = &self.settings.clients else {
            return Ok(());
        };
        match (clients.demand, certificate) {
            (ClientCertificate::Optional, _) | (ClientCertificate::Require, Some(_)) => Ok(()),
            (_, None) => Err(CertificateRefused::Missing),
            (ClientCertificate::VerifyFull, Some(certificate)) => {
                let read = Certificate::read(certificate);
                match read.as_ref().and_then(Certificate::common_name) {
                    Some(name) if name == role => Ok(()),
                    _ => Err(CertificateRefused::OtherRole),
                }
            }
        }
    }
}

/// Why a client with TLS needs another certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CertificateRefused {
    Missing,
    OtherRole,
}

impl UpstreamSide {
    fn new(tls: &UpstreamTls, provider: &Arc<CryptoProvider>) -> Result<Self, rustls::Error> {
        let config = as_client(tls, provider)?;
        Ok(Self {
            connector: TlsConnector::from(Arc::new(config)),
            settings: tls.clone(),
        })
    }

    /// Begins TLS with a server that awaits a ClientHello, and has this name or address.
    pub(super) async fn connect(
        &self,
        host: &str,
        stream: TcpStream,
    ) -> io::Result<TlsStream<TcpStream>> {
        // The configuration has no host that can't have a certificate.
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let connecting = self.connector.connect(name, stream);
        connecting.await.map(TlsStream::from)
    }
}

/// How pgveil speaks TLS as a client of Postgres, with this configuration.
///
/// # Errors
/// If the library finds fault with it.
pub(crate) fn client_config(tls: &UpstreamTls) -> Result<ClientConfig, rustls::Error> {
    as_client(tls, &Arc::new(ring::default_provider()))
}

fn as_client(
    tls: &UpstreamTls,
    provider: &Arc<CryptoProvider>,
) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::clone(provider))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Verify::new(tls, provider)));
    let mut config = match &tls.identity {
        None => builder.with_no_client_auth(),
        Some(identity) => {
            let identity = SingleCertAndKey::from(Arc::clone(identity));
            builder.with_client_cert_resolver(Arc::new(identity))
        }
    };
    config.alpn_protocols = vec![ALPN.to_vec()];
    config.resumption = Resumption::disabled();
    Ok(config)
}

/// What binds a password to a connection with a server that has this certificate.
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    Certificate::read(certificate)?.end_point()
}

/// Whether both sides have agreed that this is Postgres's protocol. A direct handshake needs it
/// (Postgres 17), so that no other protocol's server or client can be played off against it.
pub(super) fn speaks_postgres(stream: &TlsStream<TcpStream>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(ALPN)
}

impl std::fmt::Debug for ServerSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ServerSide({:?})", self.settings.mode)
    }
}

impl std::fmt::Debug for UpstreamSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "UpstreamSide({:?})", self.settings.mode)
    }
}
