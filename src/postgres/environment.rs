//! The environment variables that choose and find a Postgres, as a value, so that nothing below
//! reads the process's own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// A set of environment variables. Those that matter:
///
/// | variable | meaning |
/// | --- | --- |
/// | `PG_PROVIDER` | use only this provider: `url`, `installed` or `archive` |
/// | `PG_VERSION` | major version wanted, for example `17` |
/// | `DATABASE_URL` | a running server, used only if the caller allows it |
/// | `PG_BIN` | directory of `initdb` and `postgres`, instead of `PATH` and the usual places |
/// | `PGVEIL_CACHE` | where unpacked archives are kept; default `$XDG_CACHE_HOME/pgveil`, `~/.cache/pgveil`, for root `/var/cache/pgveil` |
/// | `PGVEIL_POSTGRES_ARCHIVE` | an archive that was fetched by other means |
/// | `PGVEIL_MAVEN_MIRROR` | a mirror, instead of `https://repo1.maven.org/maven2` |
/// | `TMPDIR` | where servers live; default `/tmp` |
///
/// Downloads also honour the process's `HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE` and
/// `SSL_CERT_DIR`.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// The variables of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self(std::env::vars_os().collect())
    }

    /// Gives these variables with one of them set.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// Gives these variables with one of them removed.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.0.remove(OsStr::new(name));
        self
    }

    /// A variable that is set and not empty, as text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.os(name)
            .map(|value| value.to_string_lossy().into_owned())
    }

    /// A variable that is set and not empty, as a path.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        self.os(name).map(PathBuf::from)
    }

    /// The directories of `PATH`.
    pub(super) fn search_path(&self) -> Vec<PathBuf> {
        self.os("PATH")
            .map(|path| std::env::split_paths(path).collect())
            .unwrap_or_default()
    }

    fn os(&self, name: &str) -> Option<&OsStr> {
        self.0
            .get(OsStr::new(name))
            .map(OsString::as_os_str)
            .filter(|value| !value.is_empty())
    }
}
