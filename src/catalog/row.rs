//! The fields of the rows that a database tells about itself.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::pg::Encoding;

use super::{Oid, RelationKind, Write};

/// How many fields a row of a kind has at most; the rest of it is empty.
pub(super) fn width(kind: &str) -> usize {
    match kind {
        "function" => 13,
        "relation" => 11,
        "version" => 8,
        "column" => 7,
        "foreign key" | "runs" | "search path" => 6,
        "domain" | "hidden call" | "filled" | "row type" | "rule" => 5,
        "sequence" | "draws" | "computes" | "operator" | "generated" | "unique"
        | "domain filled" | "domain runs" => 4,
        "domain draws" | "inherits" | "depends" | "look" | "superseded" | "partitioned"
        | "sets" => 3,
        _ => 2,
    }
}

/// What tells a row from others.
pub(super) fn hash(row: &[Option<&str>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    row.hash(&mut hasher);
    hasher.finish()
}

pub(super) fn oid_of(text: Option<&str>) -> Option<Oid> {
    text?.parse().ok().map(Oid)
}

/// `1,2,3`
pub(super) fn attnums(text: &str) -> Option<Vec<i16>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}

/// `1 2 3`
pub(super) fn oids(text: &str) -> Option<Box<[Oid]>> {
    let numbers = text.split_ascii_whitespace();
    numbers.map(|number| number.parse().ok().map(Oid)).collect()
}

pub(super) fn kind_of(relkind: &str) -> Option<RelationKind> {
    Some(match relkind {
        "r" | "p" | "f" => RelationKind::Table,
        "v" => RelationKind::View,
        "m" => RelationKind::MaterializedView,
        "S" => RelationKind::Sequence,
        "c" => RelationKind::Composite,
        _ => return None,
    })
}

/// `pg_rewrite.ev_type`
pub(super) fn write_of(ev_type: &str) -> Option<Write> {
    Some(match ev_type {
        "2" => Write::Update,
        "3" => Write::Insert,
        "4" => Write::Delete,
        _ => return None,
    })
}

/// Stands between the names of a list: no text of a database has it.
pub(super) const LIST: char = '\0';

/// Reads a field: a text of the database in its encoding, or a list of such, by the rules of
/// `encode(…, 'escape')`.
pub(super) fn decode<'f>(field: &'f [u8], encoding: &Encoding) -> Cow<'f, str> {
    match unescape(field) {
        Cow::Borrowed(text) => encoding.decode(text),
        Cow::Owned(texts) => {
            let texts = texts.split(|byte| *byte == 0);
            let texts: Vec<Cow<'_, str>> = texts.map(|text| encoding.decode(text)).collect();
            Cow::Owned(texts.join("\0"))
        }
    }
}

/// Undoes `encode(…, 'escape')`: `\\` is a backslash, `\ooo` a byte in octal.
fn unescape(field: &[u8]) -> Cow<'_, [u8]> {
    if !field.contains(&b'\\') {
        return Cow::Borrowed(field);
    }
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    loop {
        match *rest {
            [] => break,
            [b'\\', b'\\', ref tail @ ..] => {
                bytes.push(b'\\');
                rest = tail;
            }
            [
                b'\\',
                a @ b'0'..=b'3',
                b @ b'0'..=b'7',
                c @ b'0'..=b'7',
                ref tail @ ..,
            ] => {
                bytes.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = tail;
            }
            [byte, ref tail @ ..] => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_of_a_list_is_decoded_by_itself() {
        let decoded = |field| decode(field, &Encoding::named("LATIN3")).into_owned();
        assert_eq!(decoded(br"a\000\344\000\245"), "a\0ä\0\u{fffe}\u{a5}");
        assert_eq!(decoded(br"a\\000"), r"a\000");
    }

    #[test]
    fn unescape_undoes_the_escape_encoding() {
        assert_eq!(*unescape(br"benutzer_\303\244"), *"benutzer_ä".as_bytes());
        assert_eq!(*unescape(br"a\\b"), *br"a\b");
        assert_eq!(*unescape(b"plain"), *b"plain");
    }
}
