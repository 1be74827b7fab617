//! A statement as the audit trail has it: without literals, and with a name that is the same in every
//! process.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// A longer shape is cut: enough to know a statement by.
const MOST_BYTES: usize = 2048;

/// So many bytes of the digest make the fingerprint.
const FINGERPRINT_BYTES: usize = 8;

/// The shape of a statement with its fingerprint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    shape: String,
    fingerprint: String,
}

impl Statement {
    /// Takes a text that has `?` in the place of each literal. A list of these becomes one, so that
    /// the same statement with more values is the same.
    #[must_use]
    pub fn new(shape: &str) -> Self {
        let mut shape = collapsed(shape);
        let digest = Sha256::digest(shape.as_bytes());
        let mut fingerprint = String::from("q");
        for byte in digest.iter().take(FINGERPRINT_BYTES) {
            let _ = write!(fingerprint, "{byte:02x}");
        }
        shape.truncate(shape.floor_char_boundary(MOST_BYTES));
        Self { shape, fingerprint }
    }

    /// The text without literals, 2 KiB of it at most.
    #[must_use]
    pub fn shape(&self) -> &str {
        &self.shape
    }

    /// `q` and 16 hexadecimal digits, made of the whole shape.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

/// One `?` for each run of them between commas.
fn collapsed(shape: &str) -> String {
    let mut parts = shape.split(',');
    let mut whole = String::with_capacity(shape.len().min(2 * MOST_BYTES));
    whole.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let goes_on = part.trim_start();
        match goes_on.strip_prefix('?') {
            Some(rest) if whole.ends_with('?') => whole.push_str(rest),
            _ => {
                whole.push(',');
                whole.push_str(part);
            }
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_literals_are_one() {
        for (text, shape) in [
            ("select ?", "select ?"),
            ("id in (?, ?,?)", "id in (?)"),
            ("values (?, now(), ?, ?), (?)", "values (?, now(), ?), (?)"),
            ("a ? ?, b ? ?", "a ? ?, b ? ?"),
        ] {
            assert_eq!(Statement::new(text).shape(), shape);
        }
    }

    #[test]
    fn the_fingerprint_is_that_of_the_whole_shape() {
        let long = format!("select {}é", "x".repeat(MOST_BYTES - 8));
        let (one, other) = (Statement::new(&long), Statement::new(&format!("{long}y")));
        assert_eq!(one.shape(), other.shape());
        assert_ne!(one.fingerprint(), other.fingerprint());
        // Of `printf 'select ?' | sha256sum`.
        assert_eq!(
            Statement::new("select ?").fingerprint(),
            "qe1c71d1661ae46e0"
        );
    }
}
