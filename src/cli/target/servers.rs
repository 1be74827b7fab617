//! The servers that a connection string names, in the order in which they are tried.

use std::net::IpAddr;

use super::keywords::Words;
use crate::cli::CliError;
use crate::config::Address;

const DEFAULT_PORT: u16 = 5432;

/// Folders in which Postgres makes its socket unless it is told otherwise. Passwords for a server
/// behind one of them are those for `localhost`.
const USUAL_FOLDERS: [&str; 3] = ["/tmp", "/var/run/postgresql", "/run/postgresql"];

/// A server, and how it is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) address: Address,
    /// Where it is, if that is not to be looked up by its name.
    pub(super) ip: Option<IpAddr>,
}

impl Server {
    pub(super) fn at(address: &Address) -> Self {
        Self {
            address: address.clone(),
            ip: None,
        }
    }

    /// The names by which passwords are looked for.
    pub(super) fn names(&self) -> Vec<&str> {
        match &self.address {
            Address::Tcp { host, .. } => vec![host],
            Address::Unix { folder, .. } => {
                let folder = folder.to_str().unwrap_or_default();
                let usual = USUAL_FOLDERS.contains(&folder).then_some("localhost");
                [Some(folder), usual].into_iter().flatten().collect()
            }
        }
    }

    pub(super) fn port(&self) -> u16 {
        match self.address {
            Address::Tcp { port, .. } | Address::Unix { port, .. } => port,
        }
    }
}

/// Whether a server is named.
pub(super) fn are_named(words: &Words) -> bool {
    let names = ["host", "hostaddr", "port"];
    names.iter().any(|name| words.get(name).is_some())
}

/// Those of `host`, `hostaddr` and `port`, which are lists of the same length; one port is that of all.
pub(super) fn named(words: &Words) -> Result<Vec<Server>, CliError> {
    let list = |name| -> Vec<&str> {
        let list = words.get(name).map(|list| list.split(',').map(str::trim));
        list.into_iter().flatten().collect()
    };
    let (hosts, ips, ports) = (list("host"), list("hostaddr"), list("port"));
    let count = hosts.len().max(ips.len()).max(1);
    let fits = |length: usize| length == 0 || length == count;
    if !fits(hosts.len()) || !fits(ips.len()) {
        return Err(words.unusable("hostaddr", "name as many addresses as hosts, with commas"));
    }
    if ports.len() > 1 && ports.len() != count {
        return Err(words.unusable("port", "name one port, or as many as hosts, with commas"));
    }
    let server = |index: usize| {
        let port = match ports.as_slice() {
            [one] => one,
            ports => ports.get(index).copied().unwrap_or_default(),
        };
        let port = match port {
            "" => DEFAULT_PORT,
            port => match port.parse() {
                Ok(port) if port > 0 => port,
                _ => return Err(words.unusable("port", "write a number from 1 to 65535")),
            },
        };
        let filled = |list: &[&str]| list.get(index).copied().unwrap_or_default().to_owned();
        let (host, ip) = (filled(&hosts), filled(&ips));
        one(words, host, &ip, port)
    };
    (0..count).map(server).collect()
}

fn one(words: &Words, host: String, ip: &str, port: u16) -> Result<Server, CliError> {
    let advice = "write an address of IPv4 or IPv6; names belong to `host`";
    let parsed = (!ip.is_empty()).then(|| ip.parse::<IpAddr>()).transpose();
    let parsed = parsed.map_err(|_| words.unusable("hostaddr", advice))?;
    if host.starts_with('@') {
        return Err(words.unusable("host", "pgveil knows no abstract sockets: name a folder"));
    }
    let is_folder = host.starts_with('/') && parsed.is_none();
    let address = match host {
        // A name that is not there is the address, by which a certificate can be for it too.
        host if host.is_empty() && parsed.is_some() => Address::Tcp {
            host: ip.to_owned(),
            port,
        },
        host if host.is_empty() => Address::Tcp {
            host: "localhost".to_owned(),
            port,
        },
        folder if is_folder && cfg!(unix) => Address::Unix {
            folder: folder.into(),
            port,
        },
        host => Address::Tcp { host, port },
    };
    Ok(Server {
        address,
        ip: parsed,
    })
}
