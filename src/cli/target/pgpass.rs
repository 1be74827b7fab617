//! The password file of libpq.

use std::env;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::keywords::Words;

/// The lines of a password file; none if there is no file.
#[derive(Debug, Default)]
pub(super) struct Passwords {
    text: Zeroizing<String>,
    /// Why a file that is there is not used.
    pub(super) warning: Option<String>,
}

impl Passwords {
    /// Reads the file that is named, or `~/.pgpass`. As in libpq, a file that others may read is not
    /// used.
    pub(super) fn read(words: &Words) -> Self {
        let named = words.get("passfile").map(PathBuf::from);
        let path = named.or_else(|| Some(env::home_dir()?.join(".pgpass")));
        path.map_or_else(Self::default, |path| Self::of(&path))
    }

    fn of(path: &Path) -> Self {
        let Ok(file) = fs::metadata(path) else {
            return Self::default();
        };
        let (shown, mut passwords) = (path.display(), Self::default());
        if !file.is_file() {
            passwords.warning = Some(format!("password file {shown} is not a plain file"));
        } else if !is_private(&file) {
            passwords.warning = Some(format!(
                "password file {shown} is open to the group or to others, and not used\n  chmod 600 {shown}"
            ));
        } else if let Ok(text) = fs::read_to_string(path) {
            passwords.text = Zeroizing::new(text);
        }
        passwords
    }

    /// The password for a host, which may have several names, a port, a database and a role: by the
    /// first line that fits, also if it has none.
    pub(super) fn find(&self, hosts: &[&str], of: &[&str; 3]) -> Option<String> {
        let mut lines = self.text.lines();
        lines.find_map(|line| {
            hosts
                .iter()
                .find_map(|host| fitting(line, &[host, of[0], of[1], of[2]]))
        })
    }
}

#[cfg(unix)]
fn is_private(file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.mode() & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_: &Metadata) -> bool {
    true
}

fn fitting(line: &str, of: &[&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut rest = line;
    for wanted in of {
        let (field, behind) = field(rest)?;
        if field.is_star() || field.text() == *wanted {
            rest = behind;
        } else {
            return None;
        }
    }
    // What is behind another colon belongs to nobody.
    let password = field(rest).map_or(rest, |(password, _)| password.0);
    Some(unescaped(password))
}

/// A field as it is written, up to the next colon.
struct Field<'l>(&'l str);

impl Field<'_> {
    fn is_star(&self) -> bool {
        self.0 == "*"
    }

    fn text(&self) -> String {
        unescaped(self.0)
    }
}

fn field(text: &str) -> Option<(Field<'_>, &str)> {
    let mut escaped = false;
    let end = text.find(|char| {
        let ends = char == ':' && !escaped;
        escaped = char == '\\' && !escaped;
        ends
    })?;
    Some((Field(text.get(..end)?), text.get(end + 1..)?))
}

fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(char) = chars.next() {
        plain.extend(match char {
            // At the end of a line it stands for itself.
            '\\' => chars.next().or(Some('\\')),
            char => Some(char),
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_compared_as_libpq_compares_them() {
        let of = ["db.example", "5432", "shop", "app"];
        let found = |line: &str| fitting(line, &of);
        assert_eq!(
            found("db.example:5432:shop:app:secret").as_deref(),
            Some("secret")
        );
        assert_eq!(found("*:*:*:app:a\\:b\\\\c").as_deref(), Some("a:b\\c"));
        for line in [
            "# x",
            "",
            "db.example:5432:shop:app",
            "*:*:*:other:x",
            "*:5433:*:*:x",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
        for (line, password) in [
            ("*:*:*:*:", ""),
            ("*:*:*:*:a:b", "a"),
            ("*:*:*:*::b", ""),
            (r"*:*:*:*:a\:b:c", "a:b"),
            (r"*:*:*:*:a\\:b", r"a\"),
            (r"*:*:*:*:a\", r"a\"),
        ] {
            assert_eq!(found(line).as_deref(), Some(password), "{line}");
        }
        let of = ["fe80::1", "1", "a:b", "u"];
        assert_eq!(fitting(r"fe80\:\:1:1:a\:b:*:p", &of).as_deref(), Some("p"));
        // The first that fits ends the search.
        let passwords = Passwords {
            text: Zeroizing::new("*:2:*:*:a\n*:1:*:*:\n*:*:*:*:b\n".to_owned()),
            warning: None,
        };
        for (port, password) in [("1", ""), ("2", "a"), ("3", "b")] {
            let found = passwords.find(&["h"], &[port, "d", "u"]);
            assert_eq!(found.as_deref(), Some(password), "{port}");
        }
    }
}
