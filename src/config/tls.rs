//! `[server.tls]` and `upstream.tls`: which encryption is wanted on each leg, with the
//! certificates and keys read from their files. Speaks no TLS.
//!
//! The words and their meaning are those of Postgres and libpq, so that nobody has to learn new
//! ones; where libpq has a weak default (`prefer`), the file must say that it wants it.

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;

use rustls::RootCertStore;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::sign::CertifiedKey;
use zeroize::Zeroizing;

use super::check::choice;
use super::fault::{Fault, Faults};
use super::keys::is_open_to_others;
use super::section::{At, Section};
use super::{Address, Environment};

const MODES: &str = "write \"disable\", \"prefer\", \"require\", \"verify-ca\" or \"verify-full\"";

/// TLS between clients and pgveil.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerTls {
    /// Whether a client may do without.
    pub mode: ServerTlsMode,
    /// The certificate that clients see, and its key.
    pub identity: Arc<CertifiedKey>,
    /// What is asked of clients.
    pub clients: Option<ClientCertificates>,
    /// Whether a client must bind its password to this connection.
    pub channel_binding: ChannelBinding,
}

/// Whether a client may do without TLS. On Unix sockets there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerTlsMode {
    /// It may.
    Prefer,
    /// It may not.
    Require,
}

/// The certificates that clients may show.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ClientCertificates {
    /// Who may have signed them.
    pub roots: Arc<RootCertStore>,
    /// Who needs one.
    pub demand: ClientCertificate,
}

/// Whether a client needs a certificate. One that is shown is always verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientCertificate {
    /// It does not.
    Optional,
    /// The client needs a certificate.
    Require,
    /// The client needs a certificate, and the common name in it must be the name of the role.
    VerifyFull,
}

/// TLS between pgveil and Postgres.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct UpstreamTls {
    /// What is demanded of Postgres.
    pub mode: UpstreamTlsMode,
    /// Who may have signed its certificate. Where they are named they count in every mode.
    pub roots: Option<Roots>,
    /// The certificate that is shown to Postgres if it asks for one.
    pub identity: Option<Arc<CertifiedKey>>,
    /// Whether Postgres must bind the authentication to this connection.
    pub channel_binding: ChannelBinding,
}

/// What is demanded of Postgres: the words of libpq's `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum UpstreamTlsMode {
    /// TLS, if the server takes it.
    Prefer,
    /// TLS, with whomever.
    Require,
    /// TLS, with a certificate that one of the roots has signed.
    VerifyCa,
    /// TLS, with a certificate that one of the roots has signed and that names the host.
    VerifyFull,
}

impl UpstreamTlsMode {
    /// All that a mode may be; `None` is no TLS.
    pub const WORDS: [(&'static str, Option<Self>); 5] = [
        ("disable", None),
        (Self::Prefer.word(), Some(Self::Prefer)),
        (Self::Require.word(), Some(Self::Require)),
        (Self::VerifyCa.word(), Some(Self::VerifyCa)),
        (Self::VerifyFull.word(), Some(Self::VerifyFull)),
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }
}

/// Certificates that are trusted.
#[derive(Clone)]
#[non_exhaustive]
pub struct Roots {
    /// To verify chains with.
    pub store: Arc<RootCertStore>,
    /// The certificates as they are in the file: a server may show one of them as its own.
    pub certificates: Arc<[CertificateDer<'static>]>,
}

impl fmt::Debug for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roots({})", self.certificates.len())
    }
}

/// Whether authentication must be bound to the TLS connection (SCRAM-SHA-256-PLUS).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ChannelBinding {
    /// If both sides can.
    #[default]
    Prefer,
    /// Always.
    Require,
}

type Text = Option<At<String>>;

/// The mirror of `[server.tls]` and `upstream.tls`.
#[derive(Debug)]
pub(super) struct Raw {
    line: usize,
    mode: Text,
    cert: Text,
    key: Text,
    /// `client_ca` or `ca`.
    ca: Text,
    client_cert: Text,
    channel_binding: Text,
}

impl Raw {
    pub(super) fn of_server(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        let mut raw = Self::read(section, "client_ca", faults);
        raw.client_cert = section.text("client_cert", faults);
        raw
    }

    pub(super) fn of_upstream(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self::read(section, "ca", faults)
    }

    fn read(section: &mut Section<'_>, ca: &'static str, faults: &mut Faults<'_>) -> Self {
        Self {
            line: section.line,
            mode: section.text("mode", faults),
            cert: section.text("cert", faults),
            key: section.text("key", faults),
            ca: section.text(ca, faults),
            client_cert: None,
            channel_binding: section.text("channel_binding", faults),
        }
    }
}

/// Judges `[server.tls]`; `None` if it is switched off, or faulty. A binding needs pgveil to
/// authenticate the client (`authenticates`): what passes through is bound, or not, by others.
pub(super) fn server(
    raw: Option<Raw>,
    authenticates: bool,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<ServerTls> {
    let raw = raw?;
    let modes = [
        ("disable", None),
        ("prefer", Some(ServerTlsMode::Prefer)),
        ("require", Some(ServerTlsMode::Require)),
    ];
    let mode = match raw.mode {
        None => Some(ServerTlsMode::Prefer),
        mode => choice(mode, "server.tls.mode", &modes, faults)?,
    }?;
    if raw.cert.is_none() && raw.key.is_none() {
        let advice = "add cert = \"FILE\" and key = \"FILE\", or write mode = \"disable\"";
        faults.add(raw.line, "[server.tls] names no certificate", advice);
        return None;
    }
    let identity = identity(raw.line, raw.cert, raw.key, around, faults);
    let clients = clients(raw.ca, raw.client_cert, mode, around, faults);
    let channel_binding = binding(raw.channel_binding, "server.tls", authenticates, faults);
    Some(ServerTls {
        mode,
        identity: identity?,
        clients,
        channel_binding,
    })
}

fn clients(
    ca: Text,
    demand: Text,
    mode: ServerTlsMode,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<ClientCertificates> {
    let demands = [
        ("optional", ClientCertificate::Optional),
        ("require", ClientCertificate::Require),
        ("verify-full", ClientCertificate::VerifyFull),
    ];
    let line = demand.as_ref().or(ca.as_ref())?.line;
    let Some(ca) = ca else {
        let cause = "client certificates are asked for, but nobody may have signed them";
        let advice =
            "add client_ca = \"FILE\" with the certificate of the authority that signs them";
        faults.add(line, cause, advice);
        return None;
    };
    let demand = match demand {
        None => ClientCertificate::Require,
        demand => choice(demand, "server.tls.client_cert", &demands, faults)?,
    };
    if demand != ClientCertificate::Optional && mode != ServerTlsMode::Require {
        let cause = "clients need a certificate, but may come without TLS and so without one";
        let advice = "write mode = \"require\", or client_cert = \"optional\"";
        faults.add(line, cause, advice);
    }
    let roots = roots(&ca, around, faults)?.store;
    Some(ClientCertificates { roots, demand })
}

/// Judges `upstream.tls`; `None` if it is switched off, or faulty.
pub(super) fn upstream(
    raw: Option<Raw>,
    addresses: &[Address],
    authenticates: bool,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<UpstreamTls> {
    let raw = raw?;
    let Some(mode) = raw.mode else {
        faults.add(raw.line, "`upstream.tls` has no mode", MODES);
        return None;
    };
    let line = mode.line;
    let mode = choice(
        Some(mode),
        "upstream.tls.mode",
        &UpstreamTlsMode::WORDS,
        faults,
    )??;
    let named = |address| is_nameable(address, mode, line, faults);
    // Every one is judged.
    let named: Vec<bool> = addresses.iter().map(named).collect();
    let roots = match raw.ca {
        Some(ca) if ca.value == UpstreamTls::SYSTEM => system_roots(&ca, mode, faults),
        Some(ca) => roots(&ca, around, faults),
        None => {
            if mode >= UpstreamTlsMode::VerifyCa {
                let cause = "nobody is named who may have signed the server's certificate";
                let advice = "add ca = \"FILE\" with the certificate of the authority, or \
                              ca = \"system\" for those that this machine trusts";
                faults.add(line, cause, advice);
            }
            None
        }
    };
    let identity = match (raw.cert, raw.key) {
        (None, None) => None,
        (cert, key) => identity(raw.line, cert, key, around, faults),
    };
    let channel_binding = binding(raw.channel_binding, "upstream.tls", authenticates, faults);
    named.contains(&true).then_some(UpstreamTls {
        mode,
        roots,
        identity,
        channel_binding,
    })
}

/// The files that a connection string of libpq, or its environment, names for TLS.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsWords {
    /// `sslrootcert`: a file, or `system`.
    pub ca: Option<String>,
    /// `sslcert`: a file.
    pub cert: Option<String>,
    /// `sslkey`: a file.
    pub key: Option<String>,
}

impl TlsWords {
    /// Finds fault with files that can't be read, without their names: what is no file may be a secret
    /// in the wrong place.
    fn are_readable(&self) -> Result<(), Vec<Fault>> {
        let ca = self.ca.as_deref().filter(|ca| *ca != UpstreamTls::SYSTEM);
        let files = [
            ("sslrootcert", ca),
            ("sslcert", self.cert.as_deref()),
            ("sslkey", self.key.as_deref()),
        ];
        for (keyword, file) in files {
            if let Some(Err(error)) = file.map(std::fs::File::open) {
                let cause = format!("the file of {keyword} can't be read: {error}");
                let advice = "name a file that this user can read";
                return Err(vec![Fault::new(0, cause, advice)]);
            }
        }
        Ok(())
    }
}

impl UpstreamTls {
    /// What stands for the authorities that this machine trusts.
    pub const SYSTEM: &'static str = "system";

    /// Judges the files that the words of libpq name, for a server and a mode: `None` on a Unix
    /// socket, which has no TLS. Where they name none, those of `base` stay, and its binding.
    ///
    /// # Errors
    /// All that is wrong with them, each without a line.
    pub fn by_words(
        words: TlsWords,
        mode: UpstreamTlsMode,
        address: &Address,
        base: Option<&Self>,
    ) -> Result<Option<Self>, Vec<Fault>> {
        let Address::Tcp { host, .. } = address else {
            return Ok(None);
        };
        if ServerName::try_from(host.as_str()).is_err() {
            // Which one is not said: what stands there may be a piece of a password.
            let cause = "no certificate can be for what stands where the host should";
            let advice = "name a host as DNS does, or write its address";
            return Err(vec![Fault::new(0, cause, advice)]);
        }
        let (names_ca, names_cert) = (
            words.ca.is_some(),
            words.cert.is_some() || words.key.is_some(),
        );
        let kept = base
            .filter(|_| !names_ca)
            .and_then(|base| base.roots.clone());
        if mode >= UpstreamTlsMode::VerifyCa && !names_ca && kept.is_none() {
            let cause = "nobody is named who may have signed the server's certificate";
            let advice = "add sslrootcert=FILE with the certificate of the authority, or \
                          sslrootcert=system for those that this machine trusts";
            return Err(vec![Fault::new(0, cause, advice)]);
        }
        if words.ca.as_deref() == Some(Self::SYSTEM) && mode != UpstreamTlsMode::VerifyFull {
            let cause = "sslrootcert=system says nothing without the name of the host";
            return Err(vec![Fault::new(0, cause, "write sslmode=verify-full")]);
        }
        words.are_readable()?;
        if words.key.as_deref().is_some_and(is_refused_as_key) {
            let cause = "the file of sslkey is open to the group or to others, and not used";
            return Err(vec![Fault::new(0, cause, "chmod 600 that file")]);
        }
        // Read as a mode that asks for no roots, where they are there already.
        let read_as = match kept {
            Some(_) => mode.min(UpstreamTlsMode::Require),
            None => mode,
        };
        let mut tls = named(words, read_as, address)?;
        if let Some(tls) = &mut tls {
            tls.mode = mode;
            if !names_ca {
                tls.roots = kept;
            }
            if let Some(base) = base {
                tls.channel_binding = base.channel_binding;
                if !names_cert {
                    tls.identity.clone_from(&base.identity);
                }
            }
        }
        Ok(tls)
    }
}

/// Whether libpq would refuse the file of a key: who else may read it. The group may, if it is root's.
fn is_refused_as_key(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|data| {
        let refused = if data.uid() == 0 { 0o037 } else { 0o077 };
        data.mode() & refused != 0
    })
}

/// What `upstream.tls` would be with these files.
fn named(
    words: TlsWords,
    mode: UpstreamTlsMode,
    address: &Address,
) -> Result<Option<UpstreamTls>, Vec<Fault>> {
    let at = |value| At { value, line: 0 };
    let raw = Raw {
        line: 0,
        mode: Some(at(mode.word().to_owned())),
        cert: words.cert.map(at),
        key: words.key.map(at),
        ca: words.ca.map(at),
        client_cert: None,
        channel_binding: None,
    };
    let around = Environment {
        folder: Path::new(""),
        env: &|_| None,
    };
    let mut faults = Faults::new("");
    let addresses = std::slice::from_ref(address);
    let tls = upstream(Some(raw), addresses, true, &around, &mut faults);
    let (faults, _) = faults.into_sorted();
    match faults.is_empty() {
        true => Ok(tls),
        false => Err(faults),
    }
}

/// Whether TLS can be had with a host. A Unix socket has none: libpq ignores `sslmode` there, but a
/// setting that promises what nobody does is a fault here.
fn is_nameable(
    address: &Address,
    mode: UpstreamTlsMode,
    line: usize,
    faults: &mut Faults<'_>,
) -> bool {
    let Address::Tcp { host, .. } = address else {
        if mode > UpstreamTlsMode::Prefer {
            let advice = "write mode = \"disable\", or upstream.address = \"host:port\"";
            faults.add(line, "a Unix socket has no TLS", advice);
        }
        return false;
    };
    let is_name = ServerName::try_from(host.as_str()).is_ok();
    if !is_name {
        let cause = format!("no certificate can be for the host `{host}`");
        faults.add(line, cause, "name a host as DNS does, or write its address");
    }
    is_name
}

fn binding(raw: Text, table: &str, authenticates: bool, faults: &mut Faults<'_>) -> ChannelBinding {
    let words = [
        ("prefer", ChannelBinding::Prefer),
        ("require", ChannelBinding::Require),
    ];
    let line = raw.as_ref().map_or(0, |word| word.line);
    let name = format!("{table}.channel_binding");
    let binding = choice(raw, &name, &words, faults).unwrap_or_default();
    if binding == ChannelBinding::Require && !authenticates {
        let cause = format!("`{name}` can't be \"require\" while authentication is passed through");
        let advice = "add [auth] with mode = \"verifier\", or remove it";
        faults.add(line, cause, advice);
    }
    binding
}

/// A certificate with its chain, and the key that fits it.
fn identity(
    line: usize,
    cert: Text,
    key: Text,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<Arc<CertifiedKey>> {
    let (Some(cert), Some(key)) = (&cert, &key) else {
        let (there, missing) = if cert.is_some() {
            ("cert", "key")
        } else {
            ("key", "cert")
        };
        let cause = format!("there is a {there} but no {missing}");
        faults.add(line, cause, format!("add {missing} = \"FILE\""));
        return None;
    };
    let path = around.folder.join(&key.value);
    if is_open_to_others(&path) {
        let path = path.display();
        let cause = format!("{path} is open to the group or to others");
        faults.warn(key.line, cause, format!("chmod 600 {path}"));
    }
    let chain = certificates(cert, around, faults);
    let private = private_key(key, around, faults);
    match CertifiedKey::from_der(chain?, private?, &default_provider()) {
        Ok(identity) => Some(Arc::new(identity)),
        Err(error) => {
            let cause = match error {
                rustls::Error::InconsistentKeys(_) => {
                    format!(
                        "the key in {} is not that of the certificate in {}",
                        key.value, cert.value
                    )
                }
                error => format!("{} and {} can't be used: {error}", cert.value, key.value),
            };
            let advice = "name the key with which the certificate was made; the certificate of \
                          the server comes first in its file";
            faults.add(key.line, cause, advice);
            None
        }
    }
}

fn private_key(
    file: &At<String>,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<PrivateKeyDer<'static>> {
    let text = Zeroizing::new(read(file, around, faults)?);
    let key = PrivateKeyDer::from_pem_slice(&text).ok();
    if key.is_none() {
        let cause = format!("there is no private key in {}", file.value);
        let advice = "name a PEM file with a key that has no password";
        faults.add(file.line, cause, advice);
    }
    key
}

/// All certificates of a PEM file; at least one.
fn certificates(
    file: &At<String>,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<Vec<CertificateDer<'static>>> {
    let text = read(file, around, faults)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let found = found.ok().filter(|found| !found.is_empty());
    if found.is_none() {
        let cause = format!("there is no certificate in {}", file.value);
        let advice = "name a PEM file, -----BEGIN CERTIFICATE-----";
        faults.add(file.line, cause, advice);
    }
    found
}

fn read(file: &At<String>, around: &Environment<'_>, faults: &mut Faults<'_>) -> Option<Vec<u8>> {
    let path = around.folder.join(Path::new(&file.value));
    match std::fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            let cause = format!("cannot read {}: {error}", path.display());
            let advice = "name a file that this user can read; relative paths start at the configuration file";
            faults.add(file.line, cause, advice);
            None
        }
    }
}

fn roots(file: &At<String>, around: &Environment<'_>, faults: &mut Faults<'_>) -> Option<Roots> {
    let certificates = certificates(file, around, faults)?;
    let mut store = RootCertStore::empty();
    for certificate in &certificates {
        if let Err(error) = store.add(certificate.clone()) {
            let cause = format!("a certificate in {} can't be used: {error}", file.value);
            faults.add(file.line, cause, "make it anew, or remove it from the file");
            return None;
        }
    }
    Some(Roots {
        store: Arc::new(store),
        certificates: certificates.into(),
    })
}

/// What this machine trusts. As in libpq only together with the check of the name: anyone can
/// have a certificate from one of those authorities.
fn system_roots(at: &At<String>, mode: UpstreamTlsMode, faults: &mut Faults<'_>) -> Option<Roots> {
    if mode != UpstreamTlsMode::VerifyFull {
        let cause = "ca = \"system\" says nothing without the name of the host";
        faults.add(at.line, cause, "write mode = \"verify-full\"");
        return None;
    }
    let mut store = RootCertStore::empty();
    // Machines have roots that no longer fit the rules; the others still count.
    let certificates = rustls_native_certs::load_native_certs().certs;
    store.add_parsable_certificates(certificates.iter().cloned());
    if store.is_empty() {
        let advice = "install them (ca-certificates), or name a file";
        faults.add(at.line, "this machine trusts no certificates", advice);
        return None;
    }
    Some(Roots {
        store: Arc::new(store),
        certificates: certificates.into(),
    })
}
