//! The password file of libpq.

use std::env;
use std::fs::{self, Metadata};
use std::path::PathBuf;

/// The password for a host, a port, a database and a role: by the first line that fits, of the file
/// that `PGPASSFILE` names or `~/.pgpass`. As libpq, a file that others may read is not used.
pub(super) fn password(of: &[&str; 4]) -> Option<String> {
    let named = env::var_os("PGPASSFILE").map(PathBuf::from);
    let path = named.or_else(|| Some(env::home_dir()?.join(".pgpass")))?;
    if !is_private(&fs::metadata(&path).ok()?) {
        return None;
    }
    let text = zeroize::Zeroizing::new(fs::read_to_string(path).ok()?);
    text.lines().find_map(|line| fitting(line, of))
}

#[cfg(unix)]
fn is_private(file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.is_file() && file.mode() & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(file: &Metadata) -> bool {
    file.is_file()
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
    let password = unescaped(rest);
    (!password.is_empty()).then_some(password)
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
            '\\' => chars.next(),
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
            "*:*:*:*:",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
        let of = ["fe80::1", "1", "a:b", "u"];
        assert_eq!(fitting(r"fe80\:\:1:1:a\:b:*:p", &of).as_deref(), Some("p"));
    }
}
