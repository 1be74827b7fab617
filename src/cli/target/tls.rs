//! The TLS of the commands with a server: what the keywords say, with the files that libpq looks for,
//! or that of the configuration.

use std::env;
use std::path::PathBuf;

use super::keywords::Words;
use crate::cli::CliError;
use crate::config::{Address, TlsWords, UpstreamTls, UpstreamTlsMode};

/// A mode; `None` is no TLS, the weakest.
type Mode = Option<UpstreamTlsMode>;

/// What is said of it, and by whom.
pub(super) struct Tls<'c> {
    words: TlsWords,
    /// What the words demand, if they say it.
    mode: Option<Mode>,
    /// Whether it is the connection string that says it.
    is_explicit: bool,
    /// That of the configuration, if its server is asked.
    file: Option<Option<&'c UpstreamTls>>,
    shows_none: bool,
    pub(super) warning: Option<String>,
}

impl<'c> Tls<'c> {
    pub(super) fn of(
        words: &Words,
        file: Option<Option<&'c UpstreamTls>>,
    ) -> Result<Self, CliError> {
        let text = |name| words.get(name).map(str::to_owned);
        let (mut mode, is_explicit) = mode(words)?;
        let mut warning = None;
        let said = TlsWords {
            ca: text("sslrootcert"),
            cert: text("sslcert"),
            key: text("sslkey"),
        };
        // The configuration names its files by itself.
        let mut completed = match (file, mode) {
            (Some(_), None) => said,
            (file, _) => completed(said, file.flatten(), &mut warning),
        };
        // As in libpq: anyone can have a certificate from one of those authorities.
        if mode.is_none() && completed.ca.as_deref() == Some(UpstreamTls::SYSTEM) {
            mode = Some(Some(UpstreamTlsMode::VerifyFull));
        }
        let shows_none = words
            .get("sslcertmode")
            .is_some_and(|mode| mode.eq_ignore_ascii_case("disable"));
        if shows_none {
            (completed.cert, completed.key) = (None, None);
        }
        Ok(Self {
            words: completed,
            mode,
            is_explicit,
            file,
            shows_none,
            warning,
        })
    }

    /// What is demanded: by the connection string, or by the stronger of what its surroundings and the
    /// configuration say.
    fn demand(&self) -> Mode {
        let of_file = self.file.map(|tls| tls.map(|tls| tls.mode));
        match (self.mode, of_file) {
            (Some(mode), Some(of_file)) if !self.is_explicit => mode.max(of_file),
            (Some(mode), _) | (None, Some(mode)) => mode,
            (None, None) => Some(UpstreamTlsMode::Prefer),
        }
    }

    /// That with a server; none on a Unix socket.
    pub(super) fn with(&self, address: &Address) -> Result<Option<UpstreamTls>, CliError> {
        let Some(mode) = self.demand() else {
            return Ok(None);
        };
        let base = self.file.flatten();
        let tls = UpstreamTls::by_words(self.words.clone(), mode, address, base);
        let mut tls = tls.map_err(CliError::Tls)?;
        if let Some(tls) = tls.as_mut().filter(|_| self.shows_none) {
            tls.identity = None;
        }
        Ok(tls)
    }
}

/// What the words demand, and whether the connection string says it. `requiressl` is the older name of
/// two of the modes: beside a mode that is said in the same place it counts nothing.
fn mode(words: &Words) -> Result<(Option<Mode>, bool), CliError> {
    // The weakest that is known here.
    let allow = ("allow", Some(UpstreamTlsMode::Prefer));
    let modes = [&[allow][..], &UpstreamTlsMode::WORDS].concat();
    let mode = words.choice("sslmode", &modes)?;
    let old = [
        ("0", Some(UpstreamTlsMode::Prefer)),
        ("1", Some(UpstreamTlsMode::Require)),
    ];
    let old = words.choice("requiressl", &old)?;
    match words.is_nearer("requiressl", "sslmode") {
        true => Ok((old, words.is_explicit("requiressl"))),
        false => Ok((mode, words.is_explicit("sslmode"))),
    }
}

/// The words with the files that libpq looks for where neither they nor the configuration name any.
fn completed(
    words: TlsWords,
    base: Option<&UpstreamTls>,
    warning: &mut Option<String>,
) -> TlsWords {
    let there = |name: &str| -> Option<PathBuf> {
        let file = env::home_dir()?.join(".postgresql").join(name);
        file.is_file().then_some(file)
    };
    let text = |file: PathBuf| file.to_string_lossy().into_owned();
    let named = words.cert.is_some() || words.key.is_some();
    let has_cert = named || base.is_some_and(|base| base.identity.is_some());
    let usual = || there("postgresql.crt").filter(|_| !has_cert).map(text);
    let cert = words.cert.or_else(usual);
    // A key without its certificate is not what anybody has asked for.
    let usual = || there("postgresql.key").filter(|_| named || cert.is_some());
    let key = words.key.or_else(|| usual().map(text));
    let has_ca = base.is_some_and(|base| base.roots.is_some());
    let ca = words.ca.or_else(|| {
        let ca = there("root.crt").filter(|_| !has_ca)?;
        *warning = there("root.crl").map(|file| {
            let file = file.display();
            format!("{file} is not looked at\n  pgveil reads no revocation lists")
        });
        Some(text(ca))
    });
    TlsWords { ca, cert, key }
}
