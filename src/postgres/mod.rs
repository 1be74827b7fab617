//! A throwaway Postgres for `pgveil demo` and for the tests: ready half a second after the call,
//! gone without a trace however its owner ends, also by SIGKILL. It runs from what is installed,
//! or from a checked archive that is fetched once.
//!
//! It is no place for data, and it trusts whoever reaches its port on this machine unless asked
//! for passwords. Unix only.
//!
//! ```no_run
//! use pgveil::postgres::{Options, Postgres};
//! # fn main() -> Result<(), pgveil::postgres::Error> {
//! let server = Postgres::start(&Options::from_env().setting("max_connections", "200"))?;
//! println!("{}", server.url("postgres"));
//! # Ok(())
//! # }
//! ```

mod address;
#[cfg(feature = "download")]
mod archive;
mod environment;
mod error;
mod folder;
mod installed;
mod options;
mod server;

use std::fmt;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

pub use environment::Environment;
pub use error::{Error, Reason};
pub use options::{Authentication, Options};

use address::Address;
use server::Server;

/// How long the server of `DATABASE_URL` may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Where a Postgres can come from, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// The running server that `DATABASE_URL` names, if the caller allows it.
    Url,
    /// Programs that are installed on this machine.
    Installed,
    /// An archive from a cache, a file or Maven Central.
    Archive,
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url => "url",
            Self::Installed => "installed",
            Self::Archive => "archive",
        })
    }
}

impl FromStr for Provider {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        [Self::Url, Self::Installed, Self::Archive]
            .into_iter()
            .find(|provider| provider.to_string() == name)
            .ok_or_else(|| Error::UnknownProvider(name.to_owned()))
    }
}

/// A Postgres that answers. Dropping it stops and deletes a server of our own, before it returns,
/// and leaves any other alone.
///
/// A `static` is never dropped; its server goes when the process does.
pub struct Postgres {
    provider: Provider,
    address: Address,
    server: Option<Server>,
    environment: Environment,
}

impl Postgres {
    /// Starts the first Postgres that can be had and waits until it accepts connections.
    ///
    /// # Errors If `PG_PROVIDER` or `PG_VERSION` make no sense, or if every provider failed; the
    /// error says why each did.
    pub fn start(options: &Options) -> Result<Self, Error> {
        let version = options.wanted_version()?;
        let mut reasons = Vec::new();
        for provider in options.providers()? {
            match Self::from_provider(provider, options, version) {
                Ok(postgres) => return Ok(postgres),
                Err(reason) => reasons.push((provider, reason)),
            }
        }
        Err(Error::NoProvider(reasons))
    }

    fn from_provider(
        provider: Provider,
        options: &Options,
        version: Option<u32>,
    ) -> Result<Self, Reason> {
        let environment = options.environment.clone();
        let bin = match provider {
            Provider::Url => {
                let address = reach(&environment)?;
                return Ok(Self {
                    provider,
                    address,
                    server: None,
                    environment,
                });
            }
            Provider::Installed => installed::find(&environment, version)?,
            #[cfg(feature = "download")]
            Provider::Archive => archive::find(&environment, version)?,
            #[cfg(not(feature = "download"))]
            Provider::Archive => return Err(Reason::NoDownload),
        };
        let server = Server::start(&bin, options)?;
        let password =
            (options.authentication != Authentication::Trust).then(|| options.password.clone());
        let address = Address::local(server.port, "postgres", password);
        Ok(Self {
            provider,
            address,
            server: Some(server),
            environment,
        })
    }

    /// Where it came from.
    #[must_use]
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// Name or number of its host, without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.address.host
    }

    /// Its TCP port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port
    }

    /// The role that may do everything; for a server of `DATABASE_URL` the role of the URL.
    #[must_use]
    pub fn superuser(&self) -> &str {
        &self.address.user
    }

    /// The superuser's password, if the server asks for one.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        self.address.password.as_deref()
    }

    /// The URL of one of its databases for the superuser; holds the password.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        self.address.url(database)
    }

    /// The folder of its Unix socket, for a server of our own.
    #[must_use]
    pub fn socket_dir(&self) -> Option<&Path> {
        self.server
            .as_ref()
            .map(|server| server.socket_dir.as_path())
    }

    /// The folder with all its files, for a server of our own.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.server.as_ref().map(|server| server.folder.as_path())
    }

    /// What it logged so far; empty for a server that is not ours.
    #[must_use]
    pub fn log(&self) -> String {
        self.server.as_ref().map(Server::log).unwrap_or_default()
    }

    /// The path of a client program such as `psql` or `pgbench`: in `PG_BIN`, `PATH`, or the usual
    /// places. The archives have none.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        program(&self.environment, name)
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Address { host, port, .. } = &self.address;
        write!(f, "Postgres({} at {host}:{port})", self.provider)
    }
}

/// The path of an installed program of Postgres, for example `psql`.
#[must_use]
pub fn program(environment: &Environment, name: &str) -> Option<PathBuf> {
    installed::find_program(environment, name)
}

/// The address in `DATABASE_URL`, if something listens there.
fn reach(environment: &Environment) -> Result<Address, Reason> {
    let address = Address::parse(&environment.text("DATABASE_URL").ok_or(Reason::NoUrl)?)?;
    let connect = || {
        let mut places = (address.host.as_str(), address.port).to_socket_addrs()?;
        let first = places.next().ok_or(std::io::ErrorKind::AddrNotAvailable)?;
        places.fold(
            TcpStream::connect_timeout(&first, CONNECT_TIMEOUT),
            |tried, place| tried.or_else(|_| TcpStream::connect_timeout(&place, CONNECT_TIMEOUT)),
        )
    };
    match connect() {
        Ok(_) => Ok(address),
        Err(source) => Err(Reason::Unreachable {
            host: address.host,
            port: address.port,
            source,
        }),
    }
}
