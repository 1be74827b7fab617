//! The files of a configuration: the one that is named, and those that it includes.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Fault;
use super::fault::Faults;
use super::section::At;

/// The files of a configuration, one behind another. Lines are counted through all of them, from 1;
/// 0 stands for the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// Each with the number of lines before it.
    files: Vec<(PathBuf, usize)>,
}

impl Files {
    /// A file that has included none yet.
    #[must_use]
    pub fn of(main: &Path) -> Self {
        Self {
            files: vec![(main.to_owned(), 0)],
        }
    }

    /// Puts a file behind the others, whose first line comes behind so many.
    pub(super) fn push(&mut self, file: PathBuf, before: usize) {
        self.files.push((file, before));
    }

    /// The file in which a line is, and which of its lines it is.
    #[must_use]
    pub fn place(&self, line: usize) -> (&Path, usize) {
        let mut files = self.files.iter().rev();
        let found = files.find(|(_, before)| *before < line);
        match found.or(self.files.first()) {
            Some((file, before)) => (file, line.saturating_sub(*before)),
            None => (Path::new(""), line),
        }
    }

    /// A place as `file:line`.
    pub fn show(&self, line: usize) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| match self.place(line) {
            (_, 0) => f.write_str("the command line"),
            (file, line) => write!(f, "{}:{line}", file.display()),
        })
    }

    /// A fault as `file:line: cause`, the advice below, and what a program has said below that.
    pub fn fault<'a>(&'a self, fault: &'a Fault) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            let place = self.show(fault.line);
            write!(f, "{place}: {}\n  {}", fault.cause, fault.advice)?;
            let said = fault.stderr.iter().flat_map(|text| text.lines());
            said.into_iter()
                .try_for_each(|line| write!(f, "\n  > {line}"))
        })
    }
}

/// The files that `include` names, with their texts, in the order of the patterns and then of their
/// names.
pub(super) fn included(
    patterns: Option<At<Vec<At<String>>>>,
    folder: &Path,
    faults: &mut Faults<'_>,
) -> Vec<(PathBuf, String)> {
    let mut found: Vec<(PathBuf, String)> = Vec::new();
    for At { value, line } in patterns.map_or_else(Vec::new, |list| list.value) {
        let pattern = folder.join(&value);
        let paths = match pattern.to_str().map(glob::glob) {
            Some(Ok(paths)) => paths,
            Some(Err(error)) => {
                let cause = format!("`{value}` is no pattern for files: {}", error.msg);
                faults.add(line, cause, "write a path, in which * stands for anything");
                continue;
            }
            None => {
                let cause = "the folder of the file has a name that is no UTF-8";
                faults.add(line, cause, "put the configuration somewhere else");
                continue;
            }
        };
        let before = found.len();
        let mut is_faulty = false;
        for path in paths {
            let read = path.map_err(io::Error::from).and_then(|path| {
                if !fs::metadata(&path)?.is_file() {
                    return Err(io::Error::other(format!("{} is no file", path.display())));
                }
                let text = fs::read_to_string(&path)?;
                Ok((path, text))
            });
            match read {
                Ok((path, _)) if found.iter().any(|(known, _)| *known == path) => {
                    let cause = format!("{} is included twice", path.display());
                    faults.add(line, cause, "let one pattern fit it");
                    is_faulty = true;
                }
                Ok(file) => found.push(file),
                Err(error) => {
                    let cause = format!("what `{value}` includes can't be read: {error}");
                    faults.add(line, cause, "let the user of pgveil read it");
                    is_faulty = true;
                }
            }
        }
        // A folder may be empty; a file that is named must be there.
        let is_name = !value.contains(['*', '?', '[']);
        if is_name && found.len() == before && !is_faulty {
            let cause = format!("there is no file `{value}` to include");
            faults.add(
                line,
                cause,
                "correct the path, which starts at this file's folder",
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_in_the_file_that_has_it() {
        let mut files = Files::of(Path::new("a.toml"));
        files.push("b.toml".into(), 10);
        files.push("empty.toml".into(), 12);
        files.push("c.toml".into(), 12);
        for (line, shown) in [
            (0, "the command line"),
            (1, "a.toml:1"),
            (10, "a.toml:10"),
            (11, "b.toml:1"),
            (12, "b.toml:2"),
            (13, "c.toml:1"),
        ] {
            assert_eq!(files.show(line).to_string(), shown);
        }
        assert_eq!(Files::default().place(3), (Path::new(""), 3));
    }
}
