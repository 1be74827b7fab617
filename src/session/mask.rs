//! What in a free text could be a key: in messages of the user's own code and in notifications,
//! of which nothing but the words is known.
//!
//! With integer keys that is every number that stands for itself, or that letters or underscores
//! are put in front of or behind (`user_42`, `v2`); a word with letters between its digits is none.
//! With keys that are uuids or text
//! it is every word that has a digit in it or is as long as such a key (the shortest have 22
//! characters), so that what is left of a message is its prose; and bytes, which may be written in
//! ways that are no words, leave nothing of it. A part of a key that the user's code has cut out
//! is not known for one, whatever the type.

use crate::catalog::{KeyType, Snapshot};
use crate::codec::ValueType;
use crate::wire::uuid_text;

/// Words of keys of other types than integers are no shorter, whatever their form.
const LONG_BYTES: usize = 20;

/// The types that the keys of a database have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct KeyTypes {
    pub(super) uuids: bool,
    pub(super) bytes: bool,
    pub(super) texts: bool,
}

impl KeyTypes {
    /// Before anything is known of the database.
    pub(super) const UNKNOWN: Self = Self {
        uuids: true,
        bytes: false,
        texts: true,
    };

    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let mut stored = Self::default();
        for relation in snapshot.keyed() {
            for id in relation.columns.iter().filter_map(|column| column.id) {
                match id.id.key_type.value_type() {
                    ValueType::Integer(_) => {}
                    ValueType::Uuid => stored.uuids = true,
                    ValueType::Bytes => stored.bytes = true,
                    ValueType::Text => stored.texts = true,
                }
            }
        }
        stored
    }

    /// Whether words that are no numbers could be keys.
    pub(super) const fn are_words(self) -> bool {
        self.uuids || self.bytes || self.texts
    }

    /// Whether values of a type, or of arrays of it, could be keys. Integers always could.
    pub(super) fn may_be(self, type_oid: u32) -> bool {
        KeyType::from_oid(type_oid).is_some_and(|(key_type, _)| match key_type.value_type() {
            ValueType::Integer(_) => true,
            ValueType::Uuid => self.uuids,
            ValueType::Bytes => self.bytes,
            ValueType::Text => self.texts,
        })
    }

    /// A message with `***` in the place of everything that could be a key.
    pub(super) fn masked(self, message: &[u8]) -> Vec<u8> {
        if self.bytes {
            return b"the message could show a key".to_vec();
        }
        let mut out = Vec::with_capacity(message.len());
        for word in self.words(message) {
            match self.may_be_key(word) {
                false => out.extend_from_slice(word),
                true if self.uuids || self.texts || has_foreign_digit(word) => {
                    out.extend_from_slice(b"***")
                }
                true => put_without_numbers(word, &mut out),
            }
        }
        out
    }

    /// Whether the name of a channel could be a key. The client has listened to that name: digits
    /// in it are its own.
    pub(super) fn names_key(self, channel: &[u8]) -> bool {
        let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
        match self.are_words() {
            true => self.occur_in(channel),
            false => self.words(channel).any(is_number),
        }
    }

    /// Whether there is anything in a text that could be a key.
    pub(super) fn occur_in(self, text: &[u8]) -> bool {
        self.bytes && !text.is_empty() || self.words(text).any(|word| self.may_be_key(word))
    }

    fn may_be_key(self, word: &[u8]) -> bool {
        if has_foreign_digit(word) {
            true
        } else if self.uuids || self.texts {
            word.iter().any(u8::is_ascii_digit) || word.len() >= LONG_BYTES
        } else {
            word.split(|byte| *byte == b'_').any(is_numbered)
        }
    }

    /// Cuts a text into words and what is between them. Where only integers are keys, a uuid is
    /// one word; else every character that a key can have is part of one.
    fn words(self, text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let wide = self.uuids || self.texts;
        let is_word = move |byte: u8| {
            byte.is_ascii_alphanumeric()
                || byte == b'_'
                || byte >= 0x80
                || wide && matches!(byte, b'-' | b'.' | b'~')
        };
        let mut rest = text;
        std::iter::from_fn(move || {
            let first = *rest.first()?;
            let same = |byte: &u8| is_word(*byte) == is_word(first);
            let mut end = rest.iter().position(|byte| !same(byte));
            let uuid = rest.get(..uuid_text::TEXT_BYTES);
            let after = rest.get(uuid_text::TEXT_BYTES);
            if !wide
                && uuid.is_some_and(|uuid| uuid_text::parse(uuid).is_some())
                && after.is_none_or(|byte| !is_word(*byte))
            {
                end = Some(uuid_text::TEXT_BYTES);
            }
            let (word, tail) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
            rest = tail;
            Some(word)
        })
    }
}

/// Whether there is a digit in a word, of whatever script.
pub(super) fn has_digit(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit) || has_foreign_digit(word)
}

/// Whether there is a digit of another script in a word: a function of the user may have put it in
/// the place of one of ours. In an encoding other than UTF-8 every character may be one.
fn has_foreign_digit(word: &[u8]) -> bool {
    if word.is_ascii() {
        return false;
    }
    let is_foreign = |char: char| !char.is_ascii() && char.is_numeric();
    std::str::from_utf8(word).map_or(true, |word| word.chars().any(is_foreign))
}

/// Whether a part of a word has one run of digits in it.
fn is_numbered(part: &[u8]) -> bool {
    let runs = part.split(|byte| !byte.is_ascii_digit());
    runs.filter(|run| !run.is_empty()).count() == 1
}

/// A word with `***` in the place of those numbers in it that could be keys.
fn put_without_numbers(word: &[u8], out: &mut Vec<u8>) {
    for (number, part) in word.split(|byte| *byte == b'_').enumerate() {
        if number > 0 {
            out.push(b'_');
        }
        if !is_numbered(part) {
            out.extend_from_slice(part);
            continue;
        }
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let start = part.iter().position(is_digit).unwrap_or_default();
        let end = part
            .iter()
            .rposition(is_digit)
            .map_or(start, |last| last + 1);
        out.extend_from_slice(part.get(..start).unwrap_or_default());
        out.extend_from_slice(b"***");
        out.extend_from_slice(part.get(end..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTEGERS: KeyTypes = KeyTypes {
        uuids: false,
        bytes: false,
        texts: false,
    };

    fn masked(stored: KeyTypes, text: &str) -> String {
        String::from_utf8(stored.masked(text.as_bytes())).unwrap()
    }

    #[test]
    fn masks_numbers_and_those_that_letters_are_put_to() {
        let masked = |text: &str| masked(INTEGERS, text);
        assert_eq!(
            masked("order 42 of user_2 (id=7), v2"),
            "order *** of user_*** (id=***), v***"
        );
        assert_eq!(masked("a1b2 and c_3_d"), "a1b2 and c_***_d");
        assert_eq!(masked("-5.25"), "-***.***");
        assert_eq!(masked("x7 and 7x"), "x*** and ***x");
        let uuid = "12345678-1234-8234-8234-123456789012";
        assert_eq!(masked(&format!("({uuid}), 7")), format!("({uuid}), ***"));
        assert_eq!(masked(&format!("{uuid}7-7")), "***-***-***-***-***-***");
    }

    #[test]
    fn digits_are_digits_in_every_script() {
        for digits in ["٤٢", "४२", "４２", "𝟒𝟐", "②", "Ⅳ", "四２", "²"] {
            assert_eq!(
                masked(INTEGERS, &format!("user {digits}, x{digits}")),
                "user ***, ***"
            );
            assert!(INTEGERS.occur_in(digits.as_bytes()), "{digits}");
        }
        assert_eq!(masked(INTEGERS, "größer als 5"), "größer als ***");
        // SJIS has digits of two bytes, LATIN1 three that are raised.
        for bytes in [&b"\x82\x53\x82\x51"[..], b"\xb2"] {
            assert_eq!(INTEGERS.masked(bytes), b"***");
        }
    }

    #[test]
    fn leaves_nothing_but_prose_where_keys_are_uuids_or_text() {
        for stored in [
            KeyTypes {
                uuids: true,
                ..INTEGERS
            },
            KeyTypes {
                texts: true,
                ..INTEGERS
            },
        ] {
            for key in [
                "12345678-1234-8234-8234-123456789012",
                "{12345678-1234-8234-8234-123456789012}",
                "1234567812348234823412345678abcd",
                "order_01h455vb4pex5vsknk084sn02q",
                "AZJvqkWpd-_AZJvqkWpdxQ",
                "42",
            ] {
                let text = format!("insufficient funds of '{key}', retry");
                let text = masked(stored, &text);
                assert!(text.starts_with("insufficient funds of '"), "{text}");
                assert!(text.ends_with("', retry") && text.contains("***"), "{text}");
                assert!(!text.contains(key) && stored.occur_in(key.as_bytes()));
            }
            assert!(!stored.occur_in(b"reload, please"));
        }
    }

    #[test]
    fn leaves_nothing_at_all_where_keys_are_bytes() {
        let stored = KeyTypes {
            bytes: true,
            ..INTEGERS
        };
        assert_eq!(masked(stored, "key a\\&b"), "the message could show a key");
        assert!(stored.occur_in(b"a") && !stored.occur_in(b""));
    }

    #[test]
    fn knows_which_types_could_be_keys() {
        let stored = KeyTypes {
            uuids: true,
            ..INTEGERS
        };
        assert!(stored.may_be(2950) && stored.may_be(2951) && stored.may_be(20));
        assert!(!stored.may_be(25) && !stored.may_be(1184));
    }
}
