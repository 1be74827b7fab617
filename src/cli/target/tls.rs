//! The TLS of the commands with a server: what the keywords say, with the files that libpq looks for,
//! or that of the configuration.

use std::env;
use std::path::PathBuf;

use super::keywords::Words;
use crate::cli::CliError;
use crate::config::{Address, TlsWords, UpstreamTls};

/// What is said of it, and by whom.
pub(super) struct Tls<'c> {
    words: TlsWords,
    /// That of the configuration, if its server is asked and nothing else names a mode.
    file: Option<Option<&'c UpstreamTls>>,
    shows_none: bool,
    pub(super) warning: Option<String>,
}

impl<'c> Tls<'c> {
    pub(super) fn of(words: &Words, file: Option<Option<&'c UpstreamTls>>) -> Self {
        let text = |name| words.get(name).map(str::to_owned);
        // The newer keyword counts more.
        let old = words
            .get("requiressl")
            .filter(|value| value.starts_with('1'));
        let mode = text("sslmode").or_else(|| old.map(|_| "require".to_owned()));
        let file = file.filter(|_| mode.is_none());
        let mut warning = None;
        let said = TlsWords {
            mode,
            ca: text("sslrootcert"),
            cert: text("sslcert"),
            key: text("sslkey"),
        };
        let mut completed = match file {
            Some(_) => said,
            None => completed(said, &mut warning),
        };
        let shows_none = words
            .get("sslcertmode")
            .is_some_and(|mode| mode.eq_ignore_ascii_case("disable"));
        if shows_none {
            (completed.cert, completed.key) = (None, None);
        }
        Self {
            words: completed,
            file,
            shows_none,
            warning,
        }
    }

    /// That with a server; none on a Unix socket.
    pub(super) fn with(&self, address: &Address) -> Result<Option<UpstreamTls>, CliError> {
        match self.file {
            None => by_words(self.words.clone(), address),
            Some(_) if matches!(address, Address::Unix { .. }) => Ok(None),
            Some(None) => Ok(None),
            Some(Some(tls)) => {
                let mut merged = merged(tls, self.words.clone(), address)?;
                if self.shows_none {
                    merged.identity = None;
                }
                Ok(Some(merged))
            }
        }
    }
}

fn by_words(words: TlsWords, address: &Address) -> Result<Option<UpstreamTls>, CliError> {
    UpstreamTls::by_words(words, address).map_err(CliError::Tls)
}

/// The TLS of a configuration, with the certificates that keywords name.
fn merged(tls: &UpstreamTls, words: TlsWords, address: &Address) -> Result<UpstreamTls, CliError> {
    let (has_ca, has_cert) = (
        words.ca.is_some(),
        words.cert.is_some() || words.key.is_some(),
    );
    let mode = match words.ca.as_deref() {
        Some("system") => "verify-full",
        _ => "require",
    };
    let words = TlsWords {
        mode: Some(mode.to_owned()),
        ..words
    };
    let mut merged = tls.clone();
    if let Some(read) = by_words(words, address)? {
        if has_ca {
            merged.roots = read.roots;
        }
        if has_cert {
            merged.identity = read.identity;
        }
    }
    Ok(merged)
}

/// The words with the files that libpq looks for.
fn completed(words: TlsWords, warning: &mut Option<String>) -> TlsWords {
    let there = |name: &str| -> Option<PathBuf> {
        let file = env::home_dir()?.join(".postgresql").join(name);
        file.is_file().then_some(file)
    };
    let text = |file: PathBuf| file.to_string_lossy().into_owned();
    let named = words.cert.is_some() || words.key.is_some();
    let usual = || there("postgresql.crt").filter(|_| !named).map(text);
    let cert = words.cert.or_else(usual);
    // A key without its certificate is not what anybody has asked for.
    let usual = || there("postgresql.key").filter(|_| named || cert.is_some());
    let key = words.key.or_else(|| usual().map(text));
    let ca = words.ca.or_else(|| {
        let ca = there("root.crt")?;
        *warning = there("root.crl").map(|file| {
            let file = file.display();
            format!("{file} is not looked at\n  pgveil reads no revocation lists")
        });
        Some(text(ca))
    });
    TlsWords {
        mode: words.mode,
        ca,
        cert,
        key,
    }
}
