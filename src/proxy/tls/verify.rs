//! The certificate of Postgres, judged as libpq judges it.
//!
//! Two things differ from what web servers get. The name may stand in the common name, as in most
//! certificates that were made by the recipe in Postgres's own documentation. And a server may
//! show a certificate that is itself among the roots, self-signed and with the right to sign:
//! that is the same recipe; then there is no chain to verify, only the validity.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

use super::certificate::Certificate;
use crate::config::{Roots, UpstreamTls, UpstreamTlsMode};

/// Judges a certificate; that the server has its key is verified in every mode.
#[derive(Debug)]
pub(super) struct Verify {
    provider: Arc<CryptoProvider>,
    roots: Option<Roots>,
    checks_name: bool,
}

impl Verify {
    pub(super) fn new(tls: &UpstreamTls, provider: &Arc<CryptoProvider>) -> Self {
        Self {
            provider: Arc::clone(provider),
            roots: tls.roots.clone(),
            checks_name: tls.mode == UpstreamTlsMode::VerifyFull,
        }
    }
}

impl ServerCertVerifier for Verify {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(roots) = &self.roots {
            if roots.certificates.contains(end_entity) {
                let certificate = Certificate::read(end_entity).ok_or(BAD_ENCODING)?;
                let moment = std::time::Duration::from_secs(now.as_secs());
                if !certificate.is_valid_at(moment) {
                    return Err(CertificateError::Expired.into());
                }
            } else {
                verify_server_cert_signed_by_trust_anchor(
                    &ParsedCertificate::try_from(end_entity)?,
                    &roots.store,
                    intermediates,
                    now,
                    self.provider.signature_verification_algorithms.all,
                )?;
            }
        }
        if self.checks_name {
            let certificate = Certificate::read(end_entity).ok_or(BAD_ENCODING)?;
            if !certificate.is_for(&server_name.to_str()) {
                return Err(CertificateError::NotValidForName.into());
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = &self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}

const BAD_ENCODING: Error = Error::InvalidCertificate(CertificateError::BadEncoding);
