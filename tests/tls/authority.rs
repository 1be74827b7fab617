//! Certificates for the tests, in files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair,
    date_time_ymd,
};

/// Signs certificates. Its files are gone with it.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

/// A certificate and its key.
#[derive(Clone)]
pub(crate) struct Identity {
    pub(crate) cert: PathBuf,
    pub(crate) key: PathBuf,
}

/// What a certificate says.
pub(crate) struct Subject<'a> {
    pub(crate) common_name: &'a str,
    pub(crate) names: &'a [&'a str],
    pub(crate) is_expired: bool,
}

/// A certificate for this machine.
pub(crate) const HERE: Subject<'_> = Subject {
    common_name: "here",
    names: &["127.0.0.1", "localhost"],
    is_expired: false,
};

impl Authority {
    pub(crate) fn new() -> Self {
        /// Two of the same name would be taken for one with two keys.
        static NUMBER: AtomicUsize = AtomicUsize::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = tempfile::tempdir().unwrap();
        let key = KeyPair::generate().unwrap();
        let mut params = params(&Subject {
            common_name: &format!("authority {number}"),
            names: &[],
            is_expired: false,
        });
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        fs::write(folder.path().join("ca.crt"), certificate.pem()).unwrap();
        Self {
            issuer: Issuer::new(params, key),
            folder,
        }
    }

    /// The file with its own certificate.
    pub(crate) fn ca(&self) -> PathBuf {
        self.folder.path().join("ca.crt")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Makes `NAME.crt` and `NAME.key`.
    pub(crate) fn issue(&self, name: &str, subject: &Subject<'_>) -> Identity {
        let key = KeyPair::generate().unwrap();
        let certificate = params(subject).signed_by(&key, &self.issuer).unwrap();
        self.write(name, &certificate.pem(), &key)
    }

    /// Makes a certificate that signs itself, and may sign others.
    pub(crate) fn self_signed(&self, name: &str, subject: &Subject<'_>) -> Identity {
        let key = KeyPair::generate().unwrap();
        let mut params = params(subject);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        self.write(name, &certificate.pem(), &key)
    }

    fn write(&self, name: &str, certificate: &str, key: &KeyPair) -> Identity {
        let identity = Identity {
            cert: self.folder.path().join(format!("{name}.crt")),
            key: self.folder.path().join(format!("{name}.key")),
        };
        fs::write(&identity.cert, certificate).unwrap();
        fs::write(&identity.key, key.serialize_pem()).unwrap();
        // libpq takes no key that others can read.
        fs::set_permissions(&identity.key, fs::Permissions::from_mode(0o600)).unwrap();
        identity
    }
}

fn params(subject: &Subject<'_>) -> CertificateParams {
    let names: Vec<String> = subject
        .names
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    let mut params = CertificateParams::new(names).unwrap();
    params.distinguished_name = DistinguishedName::new();
    params
        .distinguished_name
        .push(DnType::CommonName, subject.common_name);
    if subject.is_expired {
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
    }
    params
}
