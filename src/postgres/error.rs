//! Why there is no Postgres: one reason for each place that was tried. Shows no password.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::Provider;

/// Why [`Postgres::start`](super::Postgres::start) failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `PG_PROVIDER` names no provider.
    #[error("PG_PROVIDER is `{0}`; it may be `url`, `installed` or `archive`")]
    UnknownProvider(String),
    /// `PG_VERSION` is not a major version.
    #[error("PG_VERSION is `{0}`; it may be a major version such as `17`")]
    UnknownVersion(String),
    /// Every provider failed; each with its reason, in the order in which they were tried.
    #[error("no Postgres to start{}", Reasons(.0))]
    NoProvider(Vec<(Provider, Reason)>),
}

/// Why one provider has no Postgres to offer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// `DATABASE_URL` is not set.
    #[error("DATABASE_URL is not set")]
    NoUrl,
    /// `DATABASE_URL` is not `postgres://user:password@host:port/database`. Not quoted: it may
    /// hold a password.
    #[error("DATABASE_URL is not of the form postgres://user:password@host:port/database")]
    MalformedUrl,
    /// Nobody listens at the address of `DATABASE_URL`.
    #[error("{host}:{port} of DATABASE_URL does not answer: {source}")]
    Unreachable {
        /// Host of the URL.
        host: String,
        /// Port of the URL.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// No directory holds both `initdb` and `postgres`.
    #[error("no initdb and postgres in PG_BIN, PATH or the usual places")]
    NotInstalled,
    /// There are installed servers, but none of a version that will do.
    #[error("installed is {found}, wanted is {wanted}")]
    WrongVersion {
        /// What is there, with its places.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// As root, neither `postgres` nor `nobody` is in `/etc/passwd`; Postgres refuses to run as
    /// root.
    #[error("Postgres does not run as root, and there is no user `postgres` or `nobody`")]
    NoAccount,
    /// No temporary folder that the server's user can reach and in which a socket's name is short
    /// enough.
    #[error("no temporary folder will do: TMPDIR, /tmp and /var/tmp were tried")]
    NoFolder,
    /// `initdb` or the server ended before it was ready.
    #[error("the server ended with status {status}: {log}")]
    Exited {
        /// Status of `initdb` or `postgres`.
        status: String,
        /// The end of its log, on one line.
        log: String,
    },
    /// The server was not ready in time.
    #[error("the server was not ready after {seconds} s: {log}")]
    NotReady {
        /// How long we waited.
        seconds: u64,
        /// The end of its log, on one line.
        log: String,
    },
    /// This build of pgveil cannot fetch archives.
    #[error("this pgveil was built without its feature `download`")]
    NoDownload,
    /// No archive of this version is known for this kind of machine.
    #[error("no archive of version {version} is known for {platform}")]
    NoArchive {
        /// The major version asked for.
        version: u32,
        /// Operating system and processor.
        platform: String,
    },
    /// Neither `PGVEIL_CACHE` nor a home folder to keep the unpacked archive in.
    #[error("no folder for the archive that the server's user can read; set PGVEIL_CACHE")]
    NoCache,
    /// The archive is not the one whose SHA-256 pgveil knows.
    #[error("{origin} has the SHA-256 {found}, which is not the pinned one")]
    WrongDigest {
        /// File or address.
        origin: String,
        /// Its digest, in hexadecimal.
        found: String,
    },
    /// The archive is not a jar with a `.txz` of Postgres inside.
    #[error("{origin} cannot be unpacked: {detail}")]
    MalformedArchive {
        /// File or address.
        origin: String,
        /// What the unpacker said.
        detail: String,
    },
    /// The archive could not be downloaded.
    #[error("{address} cannot be fetched: {detail}")]
    NotFetched {
        /// Where it should have come from.
        address: String,
        /// What the HTTP client said.
        detail: String,
    },
    /// The system refused something.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// What was being done, as in `cannot read`.
        doing: &'static str,
        /// To what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Reason {
    /// Adds to a system error what was being done, and to what.
    pub(super) fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            doing,
            path,
            source,
        }
    }
}

/// The reasons as lines below the error's own.
struct Reasons<'a>(&'a [(Provider, Reason)]);

impl fmt::Display for Reasons<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (provider, reason) in self.0 {
            write!(f, "\n  {provider}: {reason}")?;
        }
        Ok(())
    }
}
