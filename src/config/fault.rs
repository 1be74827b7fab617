//! What can be wrong with a configuration, for the operator: file, line, cause and what to do.

use std::fmt;
use std::path::{Path, PathBuf};

/// One fault in the configuration, or a warning about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The line in the file, from 1.
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
    /// The file can be read but not used; these are all its faults, in the order of the lines.
    #[error("{}", Listing { file, faults })]
    Faulty {
        /// The file.
        file: PathBuf,
        /// At least one.
        faults: Vec<Fault>,
    },
}

/// Writes `file:line: cause` and the advice below, for each fault.
struct Listing<'a> {
    file: &'a PathBuf,
    faults: &'a [Fault],
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", fault.in_file(self.file))?;
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

    /// As `file:line: cause`, the advice below, and what a program has said below that.
    pub fn in_file<'a>(&'a self, file: &'a Path) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            let Self {
                line,
                cause,
                advice,
                stderr,
            } = self;
            write!(f, "{}:{line}: {cause}\n  {advice}", file.display())?;
            let said = stderr.iter().flat_map(|text| text.lines());
            said.into_iter()
                .try_for_each(|line| write!(f, "\n  > {line}"))
        })
    }
}

/// Collects faults while a document is read, so that one run shows all of them.
#[derive(Debug)]
pub(super) struct Faults<'t> {
    text: &'t str,
    found: Vec<Fault>,
    warnings: Vec<Fault>,
}

impl<'t> Faults<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            found: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The line, from 1, of a byte offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        1 + memchr::memchr_iter(b'\n', before).count()
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

    /// The same, of a program that was run.
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
