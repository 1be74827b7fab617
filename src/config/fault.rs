//! What can be wrong with a configuration, for the operator: file, line, cause and what to do.

use std::fmt;
use std::path::PathBuf;

use super::Config;
use super::files::Files;

/// One fault in the configuration, or a warning about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The line, from 1, counted through all files ([`Files`]); 0 for the command line.
    pub line: usize,
    /// What is wrong.
    pub cause: String,
    /// What to do about it.
    pub advice: String,
    /// What a program that was run for it has written to its standard error.
    pub stderr: Option<String>,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file can't be read.
    #[error("{}: {source}\n  name the configuration file with -c FILE", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The files can be read but not used; these are all their faults, in the order of the lines.
    #[error("{}", Listing { files, faults })]
    Faulty {
        /// The file, and what it includes.
        files: Files,
        /// At least one.
        faults: Vec<Fault>,
    },
    /// No file was named, and there is none where one is looked for.
    #[error(
        "there is no configuration\n  name it with -c FILE or in PGVEIL_CONFIG, or put it at {}",
        Config::PLACES.join(" or at ")
    )]
    Nowhere,
}

/// Writes each fault.
struct Listing<'a> {
    files: &'a Files,
    faults: &'a [Fault],
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", self.files.fault(fault))?;
        }
        Ok(())
    }
}

impl Fault {
    pub(crate) fn new(line: usize, cause: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            line,
            cause: cause.into(),
            advice: advice.into(),
            stderr: None,
        }
    }
}

/// Collects faults while a document is read, so that one run shows all of them.
#[derive(Debug)]
pub(super) struct Faults<'t> {
    text: &'t str,
    /// How many lines other files have before it.
    before: usize,
    found: Vec<Fault>,
    warnings: Vec<Fault>,
}

impl<'t> Faults<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            before: 0,
            found: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Those of a file that comes behind so many lines of others.
    pub(super) fn behind(text: &'t str, before: usize) -> Self {
        Self {
            before,
            ..Self::new(text)
        }
    }

    /// Takes those of another file.
    pub(super) fn take(&mut self, other: Faults<'_>) {
        self.found.extend(other.found);
        self.warnings.extend(other.warnings);
    }

    /// The line, from 1, of a byte offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        // What is behind the last line is on it.
        let end = self.text.strip_suffix('\n').unwrap_or(self.text).len();
        let before = &self.text.as_bytes()[..offset.min(end)];
        self.before + 1 + memchr::memchr_iter(b'\n', before).count()
    }

    pub(super) fn add(&mut self, line: usize, cause: impl Into<String>, advice: impl Into<String>) {
        self.found.push(Fault::new(line, cause, advice));
    }

    /// What an operator should know, although the configuration can be used.
    pub(super) fn warn(
        &mut self,
        line: usize,
        cause: impl Into<String>,
        advice: impl Into<String>,
    ) {
        self.warnings.push(Fault::new(line, cause, advice));
    }

    /// Takes what an operator should know of a program that was run, although the configuration can
    /// be used.
    pub(super) fn warn_of(&mut self, line: usize, cause: String, advice: &str, stderr: String) {
        let stderr = Some(stderr);
        self.warnings.push(Fault {
            stderr,
            ..Fault::new(line, cause, advice)
        });
    }

    /// Whether there is a fault already.
    pub(super) fn any(&self) -> bool {
        !self.found.is_empty()
    }

    /// The faults by line, empty if there are none, and the warnings.
    pub(super) fn into_sorted(mut self) -> (Vec<Fault>, Vec<Fault>) {
        self.found.sort_by_key(|fault| fault.line);
        self.warnings.sort_by_key(|fault| fault.line);
        (self.found, self.warnings)
    }
}
