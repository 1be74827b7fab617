//! `[admin]`: where health, metrics and status are shown, and the token for what is not for
//! everyone. Without it nothing listens.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zeroize::Zeroizing;

use super::fault::Faults;
use super::keys::is_open_to_others;
use super::section::{At, Section};
use super::{Address, Environment};

/// Shorter ones can be guessed.
const MIN_TOKEN_BYTES: usize = 16;

/// Where health, metrics and status are shown.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Admin {
    /// Everything, also what changes something.
    pub listen: Option<AdminAddress>,
    /// What has to be shown on `listen` for anything but health.
    pub token: Option<Token>,
    /// The file that the token is in.
    pub token_file: Option<PathBuf>,
    /// Health and metrics, without a token.
    pub probes: Option<AdminAddress>,
    /// The socket of the console.
    pub console: Option<Address>,
}

impl Admin {
    /// Whether there is anything of it.
    #[must_use]
    pub const fn is_somewhere(&self) -> bool {
        self.listen.is_some() || self.probes.is_some() || self.console.is_some()
    }
}

/// Where the admin endpoint listens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdminAddress {
    /// A host name or IP address, and a port.
    Tcp {
        /// The name or address; IPv6 without brackets.
        host: String,
        /// The port.
        port: u16,
    },
    /// The absolute path of a Unix socket.
    Unix(PathBuf),
}

impl AdminAddress {
    /// Reads `host:port` or `unix:/path`. `None` if the text is neither.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix("unix:") {
            let path = Path::new(path);
            return path.is_absolute().then(|| Self::Unix(path.to_owned()));
        }
        match Address::parse(text, 0)? {
            Address::Tcp { host, port } => Some(Self::Tcp { host, port }),
            Address::Unix { .. } => None,
        }
    }

    /// Whether only programs on this machine get there.
    #[must_use]
    pub fn is_local(&self) -> bool {
        match self {
            Self::Tcp { host, .. } => {
                let address = host.parse().map(|address: IpAddr| address.is_loopback());
                address.unwrap_or(host == "localhost")
            }
            Self::Unix(_) => true,
        }
    }
}

impl fmt::Display for AdminAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// The bearer token of the operator. Wiped when it is dropped, and not shown.
#[derive(Clone)]
pub struct Token(Arc<Zeroizing<String>>);

/// Why there is no token in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// The file can't be read.
    #[error("cannot read {file}: {source}\n  name a file that this user can read")]
    Read {
        /// Its name.
        file: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// What it holds is no token.
    #[error("{file} holds no token\n  {NO_TOKEN_ADVICE}")]
    Unsound {
        /// Its name.
        file: String,
    },
}

const NO_TOKEN_ADVICE: &str = "write one of at least 16 ASCII characters without blanks, such as \
                               what `pgveil keygen` prints";

impl Token {
    /// Reads the token that a file holds.
    ///
    /// # Errors
    /// If the file can't be read, or holds something else.
    pub fn read(path: &Path) -> Result<Self, TokenError> {
        let file = path.display().to_string();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => Zeroizing::new(text),
            Err(source) => return Err(TokenError::Read { file, source }),
        };
        let token = text.trim();
        let is_sound = token.bytes().all(|byte| byte.is_ascii_graphic());
        if token.len() < MIN_TOKEN_BYTES || !is_sound {
            return Err(TokenError::Unsound { file });
        }
        Ok(Self(Arc::new(Zeroizing::new(token.to_owned()))))
    }

    /// The text that a request has to show.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// The table as it is written.
#[derive(Debug)]
pub(super) struct Raw {
    line: usize,
    listen: Option<At<String>>,
    token_file: Option<At<String>>,
    probes: Option<At<String>>,
    console: Option<At<String>>,
}

impl Raw {
    pub(super) fn read(section: &mut Section<'_>, faults: &mut Faults<'_>) -> Self {
        Self {
            line: section.line,
            listen: section.text("listen", faults),
            token_file: section.text("token_file", faults),
            probes: section.text("probes", faults),
            console: section.text("console", faults),
        }
    }
}

/// Judges `[admin]`.
pub(super) fn check(raw: Option<Raw>, around: &Environment<'_>, faults: &mut Faults<'_>) -> Admin {
    let Some(raw) = raw else {
        return Admin::default();
    };
    let found = addresses(&raw, around, faults);
    if raw.listen.is_none() && raw.probes.is_none() && raw.console.is_none() {
        let advice = "add listen = \"127.0.0.1:9632\", or probes = \"0.0.0.0:9633\" for health and \
                      metrics alone";
        faults.add(raw.line, "[admin] does not say where to listen", advice);
    }
    let token = match (&raw.token_file, &raw.listen) {
        (Some(file), None) => {
            let cause = "nobody has to show a token at probes or on the console";
            faults.add(file.line, cause, "add listen, or remove token_file");
            None
        }
        (Some(file), Some(_)) => read_token(file, around, faults),
        (None, Some(listen)) => {
            if found.listen.as_ref().is_some_and(|at| !at.is_local()) {
                let cause = format!("`{}` can be reached from other machines", listen.value);
                let advice = "add token_file = \"FILE\", or listen on 127.0.0.1 or a Unix socket; \
                              health and metrics alone can be had at probes without a token";
                faults.add(listen.line, cause, advice);
            }
            None
        }
        (None, None) => None,
    };
    Admin { token, ..found }
}

/// Where to listen, and where the token is; it is not read.
pub(super) fn addresses(raw: &Raw, around: &Environment<'_>, faults: &mut Faults<'_>) -> Admin {
    let mut parse = |text: &Option<At<String>>| {
        let At { value, line } = text.as_ref()?;
        let address = AdminAddress::parse(value);
        if address.is_none() {
            let cause = format!("`{value}` is no address");
            faults.add(
                *line,
                cause,
                "write \"host:port\" or \"unix:/path/of/socket\"",
            );
        }
        address
    };
    Admin {
        listen: parse(&raw.listen),
        token: None,
        token_file: raw
            .token_file
            .as_ref()
            .map(|file| around.folder.join(&file.value)),
        probes: parse(&raw.probes),
        console: raw.console.as_ref().and_then(|at| console(at, faults)),
    }
}

/// The port in the name of the console's socket where none is given.
const CONSOLE_PORT: u16 = 6433;

fn console(At { value, line }: &At<String>, faults: &mut Faults<'_>) -> Option<Address> {
    if !cfg!(feature = "console") {
        let advice = "remove console, or build pgveil with the feature `console`";
        faults.add(*line, "this pgveil was built without the console", advice);
        return None;
    }
    let address = Address::parse(value, CONSOLE_PORT);
    let address = address.filter(|address| address.socket().is_some());
    if address.is_none() {
        let cause = format!("`{value}` is no folder for the socket of the console");
        let advice = "write \"unix:/folder:6433\": psql finds it by -h /folder -p 6433";
        faults.add(*line, cause, advice);
    }
    address
}

fn read_token(
    file: &At<String>,
    around: &Environment<'_>,
    faults: &mut Faults<'_>,
) -> Option<Token> {
    let path = around.folder.join(&file.value);
    let shown = path.display();
    if is_open_to_others(&path) {
        let cause = format!("[admin]: {shown} is open to the group or to others");
        faults.warn(file.line, cause, format!("chmod 600 {shown}"));
    }
    let (cause, advice) = match Token::read(&path) {
        Ok(token) => return Some(token),
        Err(TokenError::Read { file, source }) => (
            format!("cannot read {file}: {source}"),
            "name a file that this user can read; relative paths start at the configuration file",
        ),
        Err(TokenError::Unsound { file }) => (format!("{file} holds no token"), NO_TOKEN_ADVICE),
    };
    faults.add(file.line, cause, advice);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_hosts_and_paths_and_knows_who_gets_there() {
        for (text, is_local) in [
            ("127.0.0.1:9632", true),
            ("[::1]:9632", true),
            ("localhost:9632", true),
            ("unix:/run/pgveil/admin.sock", true),
            ("0.0.0.0:9633", false),
            ("[::]:9633", false),
            ("10.0.0.1:9633", false),
            ("db.example.com:9633", false),
        ] {
            let address = AdminAddress::parse(text).expect(text);
            assert_eq!(address.to_string(), text);
            assert_eq!(address.is_local(), is_local, "{text}");
        }
        for text in ["", "9632", "localhost", "unix:admin.sock", "unix:"] {
            assert_eq!(AdminAddress::parse(text), None, "{text}");
        }
    }

    #[test]
    fn shows_no_token() {
        let token = Token(Arc::new(Zeroizing::new("secret-secret-secret".to_owned())));
        assert_eq!(format!("{token:?}"), "Token(..)");
    }
}
