//! Errors of statements that compute with keys in ways that nobody has judged: the expressions of
//! an index or a check that is being made, of a materialized view, of a column that a view has and
//! that pgveil can't explain. No result shows what they compute, but an error may quote it
//! (`invalid input syntax for type integer: "x5"`). What the client has written itself is shown.

use std::collections::HashSet;

use super::mask::has_digit;
use crate::wire::report::{Report, field};

/// Classes of errors that quote no values in their message, only names: success and notices;
/// connections; integrity constraints and check options, whose details are read for themselves;
/// the states of transactions, statements, cursors and of the server; dependent objects; rights.
const QUOTES_NAMES: [&[u8]; 16] = [
    b"00", b"01", b"02", b"08", b"23", b"25", b"26", b"2B", b"34", b"40", b"42501", b"44", b"53",
    b"55", b"57", b"58",
];

/// What stands in the place of a word.
const HIDDEN: &[u8] = b"***";

/// Whether a report may quote a value.
pub(super) fn may_quote(report: &Report<'_>) -> bool {
    let code = report.get(field::CODE).unwrap_or_default();
    !QUOTES_NAMES.iter().any(|class| code.starts_with(class))
}

/// How the names end that Postgres gives to constraints, indexes and sequences.
const ENDINGS: [&[u8]; 8] = [
    b"_pkey",
    b"_fkey",
    b"_key",
    b"_check",
    b"_excl",
    b"_idx",
    b"_seq",
    b"_not_null",
];

/// A message without those words in double quotes, and those with a digit in them, that the client
/// has not written and that Postgres has not made of what it has.
pub(super) fn known_words(message: &[u8], text: &[u8]) -> Vec<u8> {
    let text = text.to_ascii_lowercase();
    let is_known = |word: &[u8]| {
        let word = word.to_ascii_lowercase();
        let is_written = !word.is_empty() && memchr::memmem::find(&text, &word).is_some();
        is_written || is_made_of(&word, &text)
    };
    let mut out = Vec::with_capacity(message.len());
    for (number, part) in message.split(|byte| *byte == b'"').enumerate() {
        let quoted = number % 2 == 1;
        if number > 0 {
            out.push(b'"');
        }
        match quoted {
            true if is_known(part) => out.extend_from_slice(part),
            true => out.extend_from_slice(HIDDEN),
            false => put_prose(part, is_known, &mut out),
        }
    }
    out
}

/// Whether a name is one that Postgres makes of the names in a text: of a table and its columns, with
/// underscores between them. One that it has cut or numbered is not known for one.
fn is_made_of(name: &[u8], text: &[u8]) -> bool {
    let mut endings = ENDINGS.iter();
    let Some(stem) = endings.find_map(|ending| name.strip_suffix(*ending)) else {
        return false;
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let words: HashSet<&[u8]> = text.split(|byte| !is_part(byte)).collect();
    // Up to which places the stem is made of whole words.
    let mut ends = vec![0];
    for end in (1..=stem.len()).filter(|at| stem.get(*at).is_none_or(|byte| *byte == b'_')) {
        let is_word = |start: &usize| {
            let word = stem.get(*start..end).unwrap_or_default();
            !word.is_empty() && words.contains(word)
        };
        if ends.iter().any(is_word) {
            ends.push(end + 1);
        }
    }
    ends.last() == Some(&(stem.len() + 1))
}

/// The words between quotes.
fn put_prose(prose: &[u8], is_known: impl Fn(&[u8]) -> bool, out: &mut Vec<u8>) {
    for (number, word) in prose.split(|byte| *byte == b' ').enumerate() {
        if number > 0 {
            out.push(b' ');
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let end = word.iter().rposition(is_part).map_or(0, |last| last + 1);
        let (word, punctuation) = word.split_at_checked(end).unwrap_or((word, &[]));
        let shown = !has_digit(word) || is_known(word);
        out.extend_from_slice(if shown { word } else { HIDDEN });
        out.extend_from_slice(punctuation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(message: &str, text: &str) -> String {
        String::from_utf8(known_words(message.as_bytes(), text.as_bytes())).unwrap()
    }

    #[test]
    fn shows_what_the_client_has_written_and_hides_other_values() {
        let text = "alter table Users add check (('x' || id)::int2 > 0)";
        assert_eq!(
            shown("invalid input syntax for type int2: \"x8613\"", text),
            "invalid input syntax for type int2: \"***\""
        );
        assert_eq!(
            shown("column \"id\" of relation \"users\" already exists", text),
            "column \"id\" of relation \"users\" already exists"
        );
        assert_eq!(shown("value 8613 is \"out", text), "value *** is \"***");
        assert_eq!(
            shown("relation \"xigbd\" does not exist", text),
            "relation \"***\" does not exist"
        );
    }

    #[test]
    fn shows_names_that_postgres_makes_of_what_the_client_has_written() {
        let text = "CREATE TABLE item_part (n int, owner_of text, x text, REFERENCES users)";
        for ending in [
            "pkey", "fkey", "key", "check", "excl", "idx", "seq", "not_null",
        ] {
            for stem in [
                "item_part",
                "item_part_owner_of",
                "item_part_owner_of_n",
                "Item_Part_x",
            ] {
                let message = format!("constraint \"{stem}_{ending}\" cannot be implemented");
                assert_eq!(shown(&message, text), message);
            }
            // What is no whole word of it, and what nobody has written.
            for stem in [
                "item",
                "item_part_owner",
                "xigbd",
                "item_part_n1",
                "item_part_",
                "_x",
                "",
            ] {
                let message = format!("constraint \"{stem}_{ending}\" cannot be implemented");
                let hidden = "constraint \"***\" cannot be implemented";
                assert_eq!(shown(&message, text), hidden, "{stem}");
            }
        }
    }
}
