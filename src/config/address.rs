//! Where to listen and where Postgres is: `host:port`, or `unix:/dir` for a socket in a folder.

use std::fmt;
use std::path::{Path, PathBuf};

/// A TCP address or the folder of a Unix socket.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Address {
    /// A host name or IP address, and a port.
    Tcp {
        /// The name or address; IPv6 without brackets.
        host: String,
        /// The port.
        port: u16,
    },
    /// A folder; the socket in it has the name that Postgres gives it, `.s.PGSQL.PORT`.
    Unix {
        /// The absolute path of the folder.
        folder: PathBuf,
        /// The port in the name of the socket.
        port: u16,
    },
}

impl Address {
    /// Reads `host:port`, `unix:/dir` or `unix:/dir:port`; `default_port` names the socket in a
    /// folder without one. `None` if the text is neither.
    #[must_use]
    pub fn parse(text: &str, default_port: u16) -> Option<Self> {
        let colon = text.rfind(':');
        let port = colon.and_then(|at| text[at + 1..].parse().ok());
        let head = colon.map_or(text, |at| &text[..at]);
        if let Some(folder) = text.strip_prefix("unix:") {
            let folder = match port {
                Some(_) => head.strip_prefix("unix:").unwrap_or(folder),
                None => folder,
            };
            return Path::new(folder).is_absolute().then(|| Self::Unix {
                folder: folder.into(),
                port: port.unwrap_or(default_port),
            });
        }
        let host = match head.strip_prefix('[') {
            Some(bracketed) => bracketed.strip_suffix(']')?,
            None if head.contains(':') => return None,
            None => head,
        };
        let (host, port) = (host.to_owned(), port?);
        (!host.is_empty()).then_some(Self::Tcp { host, port })
    }

    /// The path of the socket, if it is one in a folder.
    #[must_use]
    pub fn socket(&self) -> Option<PathBuf> {
        match self {
            Self::Tcp { .. } => None,
            Self::Unix { folder, port } => Some(folder.join(format!(".s.PGSQL.{port}"))),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix { folder, port } => write!(f, "unix:{}:{port}", folder.display()),
        }
    }
}

/// Where clients connect.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Listen {
    /// An address that this process opens.
    At(Address),
    /// The sockets that it was started with, as systemd opens them.
    Inherited,
}

impl Listen {
    /// Reads `systemd`, or an address as [`Address::parse`] does.
    #[must_use]
    pub fn parse(text: &str, default_port: u16) -> Option<Self> {
        match text {
            INHERITED => Some(Self::Inherited),
            text => Address::parse(text, default_port).map(Self::At),
        }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(address) => address.fmt(f),
            Self::Inherited => f.write_str(INHERITED),
        }
    }
}

const INHERITED: &str = "systemd";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_hosts_addresses_and_folders() {
        for (text, shown) in [
            ("127.0.0.1:6432", "127.0.0.1:6432"),
            ("db.example.com:5432", "db.example.com:5432"),
            ("[::1]:6432", "[::1]:6432"),
            ("unix:/run/pgveil", "unix:/run/pgveil:5432"),
            ("unix:/run/pgveil:6432", "unix:/run/pgveil:6432"),
        ] {
            let address = Address::parse(text, 5432).expect(text);
            assert_eq!(address.to_string(), shown);
        }
        let socket = Address::parse("unix:/tmp", 5432).unwrap().socket().unwrap();
        assert_eq!(socket, Path::new("/tmp/.s.PGSQL.5432"));
    }

    #[test]
    fn refuses_what_is_neither() {
        for text in [
            "",
            "localhost",
            ":5432",
            "host:port",
            "host:99999",
            "::1:5432",
            "unix:run",
        ] {
            assert_eq!(Address::parse(text, 5432), None, "{text}");
        }
    }
}
