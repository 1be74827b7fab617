//! What kind of server is wanted. Choosing only; nothing here touches the machine.

use std::path::PathBuf;

use super::{Environment, Error, Provider};

/// How the server asks for a password, on TCP and on the Unix socket alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Authentication {
    /// Clients are not authenticated.
    #[default]
    Trust,
    /// In the clear.
    Password,
    /// Hashed with a salt.
    Md5,
    /// By SASL.
    ScramSha256,
}

impl Authentication {
    /// The method's name in `pg_hba.conf`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Trust => "trust",
            Self::Password => "password",
            Self::Md5 => "md5",
            Self::ScramSha256 => "scram-sha-256",
        }
    }

    /// The setting under which a role's new password serves this method, where the method cares.
    pub(super) fn password_encryption(self) -> Option<&'static str> {
        match self {
            Self::Trust | Self::Password => None,
            Self::Md5 => Some("md5"),
            Self::ScramSha256 => Some("scram-sha-256"),
        }
    }
}

/// What kind of server is wanted. Everything but `existing` and `version` is for a server of our
/// own; a server that was running before us is as it is.
#[derive(Clone)]
pub struct Options {
    pub(super) environment: Environment,
    pub(super) existing: bool,
    pub(super) version: Option<u32>,
    pub(super) authentication: Authentication,
    pub(super) password: String,
    pub(super) hba: Vec<String>,
    pub(super) port: Option<u16>,
    pub(super) socket_dir: Option<PathBuf>,
    pub(super) settings: Vec<(String, String)>,
}

impl Options {
    /// A server with trust authentication on a free port, found as the variables say.
    #[must_use]
    pub fn new(environment: Environment) -> Self {
        Self {
            environment,
            existing: false,
            version: None,
            authentication: Authentication::Trust,
            password: "postgres".to_owned(),
            hba: Vec::new(),
            port: None,
            socket_dir: None,
            settings: Vec::new(),
        }
    }

    /// A server with trust authentication on a free port, found as the variables of this process
    /// say.
    #[must_use]
    pub fn from_env() -> Self {
        Self::new(Environment::of_process())
    }

    /// Allows the server of `DATABASE_URL`: the caller does nothing there that its owner would
    /// mind.
    #[must_use]
    pub fn existing(mut self) -> Self {
        self.existing = true;
        self
    }

    /// The major version; takes precedence over `PG_VERSION`.
    #[must_use]
    pub fn version(mut self, major: u32) -> Self {
        self.version = Some(major);
        self
    }

    /// How the server asks for passwords. New roles get a password of the matching kind.
    #[must_use]
    pub fn authentication(mut self, authentication: Authentication) -> Self {
        self.authentication = authentication;
        self
    }

    /// The superuser's password; `postgres` if nothing is said.
    #[must_use]
    pub fn password(mut self, password: &str) -> Self {
        password.clone_into(&mut self.password);
        self
    }

    /// A line of `pg_hba.conf` that goes before those of `authentication`, for example `host all
    /// ann all md5`.
    #[must_use]
    pub fn hba(mut self, line: &str) -> Self {
        self.hba.push(line.to_owned());
        self
    }

    /// The TCP port, instead of a free one.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// The folder of the Unix socket, instead of the server's own. The server's user must be able
    /// to write to it.
    #[must_use]
    pub fn socket_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.socket_dir = Some(folder.into());
        self
    }

    /// A server setting, for example `max_connections`.
    #[must_use]
    pub fn setting(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The providers that may be tried, in order.
    pub(super) fn providers(&self) -> Result<Vec<Provider>, Error> {
        if let Some(name) = self.environment.text("PG_PROVIDER") {
            return Ok(vec![name.parse()?]);
        }
        let url = self.existing && self.environment.text("DATABASE_URL").is_some();
        let url = url.then_some(Provider::Url);
        Ok(url
            .into_iter()
            .chain([Provider::Installed, Provider::Archive])
            .collect())
    }

    /// The major version that is asked for, here or by `PG_VERSION`.
    pub(super) fn wanted_version(&self) -> Result<Option<u32>, Error> {
        match (self.version, self.environment.text("PG_VERSION")) {
            (None, Some(text)) => text
                .parse()
                .map(Some)
                .map_err(|_| Error::UnknownVersion(text)),
            (version, _) => Ok(version),
        }
    }
}
