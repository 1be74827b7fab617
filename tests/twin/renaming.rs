//! A one-to-one renaming of ids between the twin and what pgveil shows. An id seen for the first
//! time is paired with the one in its place on the other side; from then on the two stand for
//! each other and for nothing else.

use std::collections::HashMap;

/// Ids of the two sides, as canonical text, in pairs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Renaming {
    to_veil: HashMap<String, String>,
    to_twin: HashMap<String, String>,
}

impl Renaming {
    /// Whether the two ids may stand for each other; if so, they do from now on.
    pub(crate) fn pair(&mut self, twin: &str, veil: &str) -> bool {
        match (self.to_veil.get(twin), self.to_twin.get(veil)) {
            (Some(known), _) => known == veil,
            (None, Some(_)) => false,
            (None, None) => {
                self.to_veil.insert(twin.to_owned(), veil.to_owned());
                self.to_twin.insert(veil.to_owned(), twin.to_owned());
                true
            }
        }
    }

    /// Whether two texts are the same but for ids that stand for each other.
    pub(crate) fn pair_texts(&mut self, twin: &[u8], veil: &[u8]) -> bool {
        let (twin, veil) = (pieces(twin), pieces(veil));
        twin.len() == veil.len()
            && twin.iter().zip(&veil).all(|pair| match pair {
                (Piece::Id(twin), Piece::Id(veil)) => self.pair(twin, veil),
                (Piece::Byte(twin), Piece::Byte(veil)) => twin == veil,
                _ => false,
            })
    }

    /// A text of the twin's with each known id as `<id>`, to sort by; unknown ones are `<?>`.
    pub(crate) fn mask_twin(&self, text: &[u8]) -> Vec<u8> {
        mask(text, |id| {
            self.to_veil.contains_key(id).then(|| id.to_owned())
        })
    }

    /// The same for a text of the other side, with the twin's ids.
    pub(crate) fn mask_veil(&self, text: &[u8]) -> Vec<u8> {
        mask(text, |id| self.to_twin.get(id).cloned())
    }
}

fn mask(text: &[u8], twin: impl Fn(&str) -> Option<String>) -> Vec<u8> {
    let mut masked = Vec::new();
    for piece in pieces(text) {
        match piece {
            Piece::Byte(byte) => masked.push(byte),
            Piece::Id(id) => match twin(&id) {
                Some(known) => masked.extend(format!("<{known}>").bytes()),
                None => masked.extend(b"<?>"),
            },
        }
    }
    masked
}

/// A part of a value: an id in its usual text form, or a byte of something else.
enum Piece {
    Id(String),
    Byte(u8),
}

fn pieces(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        match rest.split_at_checked(36) {
            Some((head, after)) if is_uuid(head) => {
                let id = head.iter().copied().map(char::from);
                pieces.push(Piece::Id(id.collect()));
                rest = after;
            }
            _ => {
                pieces.push(Piece::Byte(*first));
                rest = tail;
            }
        }
    }
    pieces
}

/// Whether the bytes are a uuid as Postgres writes it.
pub(crate) fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(byte),
        })
}

/// The text form of 16 bytes.
pub(crate) fn uuid_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}
