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
    /// the same statement with more values is the same; a name that could be a value written without
    /// quotes, or in those of another language, becomes `…`.
    #[must_use]
    pub fn new(shape: &str) -> Self {
        let mut shape = collapsed(&masked(shape));
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

/// Words about a statement without what could be a value of it, by the same rules; names of the
/// configuration stand in backticks.
#[must_use]
pub fn without_values(words: &str) -> String {
    let mut words = masked_but(words, &['"', '`']);
    words.truncate(words.floor_char_boundary(MOST_BYTES));
    words
}

/// So many digits may be in a name.
const MOST_DIGITS: usize = 2;

/// A name with digits that is no longer than this is no part of an id.
const SHORT_BYTES: usize = 3;

/// Puts `…` in the place of what does not look like a name.
fn masked(shape: &str) -> String {
    masked_but(shape, &['"'])
}

/// Puts `…` in the place of what does not look like a name; in these quotes a name is shown if it
/// looks like one.
fn masked_but(shape: &str, quotes: &[char]) -> String {
    let mut whole = String::with_capacity(shape.len());
    let mut rest = shape;
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        if matches!(first, '"' | '`') {
            let end = after.split_once(first);
            let (name, behind) = end.unwrap_or((after, ""));
            let is_shown = quotes.contains(&first) && end.is_some() && is_name(name);
            whole.push(first);
            whole.push_str(if is_shown { name } else { "…" });
            whole.push(first);
            rest = behind;
            continue;
        }
        if !is_of_word(first) {
            whole.push(first);
            rest = after;
            continue;
        }
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        whole.push_str(if is_name(word) || is_parameter(word) {
            word
        } else {
            "…"
        });
        rest = behind;
    }
    whole
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// Whether a word is made of letters and few digits, and with these is no piece of a uuid.
fn is_name(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    word.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && digits <= MOST_DIGITS
        && (digits == 0 || !is_hex || word.len() <= SHORT_BYTES)
}

fn is_parameter(word: &str) -> bool {
    let number = word.strip_prefix('$').map(str::parse::<u16>);
    number.is_some_and(|number| number.is_ok())
}

/// One `?` for each run of them between commas.
fn collapsed(shape: &str) -> String {
    let mut parts = shape.split(',');
    let mut whole = String::with_capacity(shape.len().min(2 * MOST_BYTES));
    whole.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let goes_on = part.trim_start();
        match goes_on
            .strip_prefix('-')
            .unwrap_or(goes_on)
            .strip_prefix('?')
        {
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
            ("id in (?, -?, ?)", "id in (?)"),
        ] {
            assert_eq!(Statement::new(text).shape(), shape);
        }
    }

    /// What a client forgets to quote, or quotes as other languages do, is a name for the lexer.
    #[test]
    fn a_name_is_told_only_if_it_looks_like_one() {
        for (text, shape) in [
            (
                "select md5(u.id::text) from t1 u, \"Users\" where n = $12 and x = int8 ?",
                "select md5(u.id::text) from t1 u, \"Users\" where n = $12 and x = int8 ?",
            ),
            (
                "note = \"5f0c8a0e-1111-4222-8333-123456789abc\" and b = \"secret alice\"",
                "note = \"…\" and b = \"…\"",
            ),
            ("\"4111\"\"1111\" \"open", "\"…\"\"…\" \"…\""),
            ("id = a1b2c3d4-a111-b22c-c3-d23456789abc", "id = …-…-…-c3-…"),
            ("n = user_12345 or n = $700000001", "n = … or n = …"),
            (
                "n = “secret” or n = ‘700’ or n = ７００ or n = `secret`",
                "n = … or n = … or n = … or n = `…`",
            ),
            ("typeid = user_01h455vb4pex5vsknk084sn02q", "typeid = …"),
            ("a\u{0}é😀\"", "a\u{0}…\"…\""),
        ] {
            assert_eq!(Statement::new(text).shape(), shape);
        }
    }

    #[test]
    fn the_fingerprint_is_that_of_the_whole_shape() {
        let long = format!("select {} é", "x".repeat(MOST_BYTES - 8));
        let (one, other) = (Statement::new(&long), Statement::new(&format!("{long} y")));
        assert_eq!(one.shape(), other.shape());
        assert_ne!(one.fingerprint(), other.fingerprint());
        // Of `printf 'select ?' | sha256sum`.
        assert_eq!(
            Statement::new("select ?").fingerprint(),
            "qe1c71d1661ae46e0"
        );
    }
}
