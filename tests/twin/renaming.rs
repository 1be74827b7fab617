//! A one-to-one renaming of ids between the twin and what pgveil shows. An id seen for the first
//! time is paired with the one in its place on the other side; from then on the two stand for
//! each other and for nothing else.

use std::collections::HashMap;

use super::kind::{Kind, Shown};

/// Ids of the two sides, as canonical text, in pairs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Renaming {
    /// What ids look like; uuids if nothing is said.
    kind: Option<Kind>,
    to_veil: HashMap<String, String>,
    to_twin: HashMap<String, String>,
}

impl Renaming {
    /// None yet, of the ids of this kind.
    pub(crate) fn of(kind: Option<Kind>) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    /// A value with what is binary written out; what is binary and what is text stays apart.
    pub(crate) fn readable(&self, type_oid: Option<u32>, value: &[u8]) -> Vec<u8> {
        let number = match (self.kind.map(|kind| kind.shown), type_oid, value) {
            (Some(Shown::Int8), Some(20), _) => value.try_into().ok().map(i64::from_be_bytes),
            (Some(Shown::Int4), Some(23), _) => value
                .try_into()
                .ok()
                .map(|bytes| i32::from_be_bytes(bytes).into()),
            (Some(Shown::Int2), Some(21), _) => value
                .try_into()
                .ok()
                .map(|bytes| i16::from_be_bytes(bytes).into()),
            _ => None,
        };
        let is_text = value.iter().all(|byte| b"-0123456789".contains(byte));
        match (number, self.kind.map(|kind| kind.shown), type_oid) {
            (Some(number), ..) if !is_text => format!("binary {number}").into_bytes(),
            (_, Some(Shown::Bytea), Some(17)) if value.len() == 32 => {
                let hex = value.iter().map(|byte| format!("{byte:02x}"));
                format!("binary \\x{}", hex.collect::<String>()).into_bytes()
            }
            _ => value.to_vec(),
        }
    }

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
        let (twin, veil) = (pieces(self.kind, twin), pieces(self.kind, veil));
        twin.len() == veil.len()
            && twin.iter().zip(&veil).all(|pair| match pair {
                (Piece::Id(twin), Piece::Id(veil)) => self.pair(twin, veil),
                (Piece::Byte(twin), Piece::Byte(veil)) => twin == veil,
                _ => false,
            })
    }

    /// A text of the twin's with each known id as `<id>`, to sort by; unknown ones are `<?>`.
    pub(crate) fn mask_twin(&self, text: &[u8]) -> Vec<u8> {
        mask(self.kind, text, |id| {
            self.to_veil.contains_key(id).then(|| id.to_owned())
        })
    }

    /// The same for a text of the other side, with the twin's ids.
    pub(crate) fn mask_veil(&self, text: &[u8]) -> Vec<u8> {
        mask(self.kind, text, |id| self.to_twin.get(id).cloned())
    }
}

fn mask(kind: Option<Kind>, text: &[u8], twin: impl Fn(&str) -> Option<String>) -> Vec<u8> {
    let mut masked = Vec::new();
    for piece in pieces(kind, text) {
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

fn pieces(kind: Option<Kind>, text: &[u8]) -> Vec<Piece> {
    match kind {
        Some(kind) if kind.shown != Shown::Uuid => words(kind, text),
        _ => uuids(text),
    }
}

/// Ids that are words of their own.
fn words(kind: Kind, text: &[u8]) -> Vec<Piece> {
    // Only the text of bytes has a backslash of its own; others quote what is around an id.
    let joins = |byte: &u8| b"-_".contains(byte) || *byte == b'\\' && kind.shown == Shown::Bytea;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || joins(byte);
    let mut pieces = Vec::new();
    for word in text.chunk_by(|a, b| is_part(a) && is_part(b)) {
        // In an array a backslash is doubled.
        let doubled = usize::from(word.starts_with(b"\\\\"));
        let (head, word) = word.split_at(doubled);
        pieces.extend(head.iter().copied().map(Piece::Byte));
        match std::str::from_utf8(word) {
            Ok(text) if kind.is_id(text) => pieces.push(Piece::Id(text.to_owned())),
            _ => pieces.extend(word.iter().copied().map(Piece::Byte)),
        }
    }
    pieces
}

fn uuids(text: &[u8]) -> Vec<Piece> {
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

/// The text with the number of each uuid in its place, by the order in which they come.
pub(crate) fn numbered(text: &str) -> String {
    let mut known = HashMap::new();
    let mut numbered = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let id = rest.get(..36).filter(|id| is_uuid(id.as_bytes()));
        if let Some(id) = id {
            let number = known.len();
            let number = known.entry(id.to_owned()).or_insert(number);
            numbered.push_str(&format!("#{number}"));
            rest = &rest[36..];
        } else {
            numbered.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    numbered
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
