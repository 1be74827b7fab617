//! The marks around ids that a client has sent: how they begin in the statement, and how they are
//! read in the plan, as Postgres writes them there.

use bytes::BytesMut;

use super::expression::{Cursor, Kind, Token, unquoted};
use super::{End, PlanMasker};
use crate::catalog::{DomainId, IdType, KeyType};
use crate::session::ids::{self, Resolution};
use crate::session::tags::{Tags, as_text};
use crate::wire::frontend::Format;
use crate::wire::value::{self, Malformed, Scalar, Shape, Types};

/// What stands in a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::session) struct PlanTag {
    /// What its value stands for, and as what it is shown.
    pub(in crate::session) id: IdType,
    /// Whether it is an array.
    pub(in crate::session) array: bool,
}

/// What a mark is shown as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// An id, or an array of them, as text.
    Id(PlanTag, Vec<u8>),
    /// NULL of its type.
    Null(PlanTag),
    /// A parameter whose value the planner does not know.
    Parameter(Vec<u8>),
    /// A value of its type that can't be shown.
    Nothing(PlanTag),
}

/// The types with the letters that they have in marks.
const LETTERS: [(KeyType, char); 8] = [
    (KeyType::Int2, '2'),
    (KeyType::Int4, '4'),
    (KeyType::Int8, '8'),
    (KeyType::Uuid, 'u'),
    (KeyType::Text, 't'),
    (KeyType::Varchar, 'v'),
    (KeyType::Bpchar, 'p'),
    (KeyType::Bytea, 'b'),
];

/// What keeps the planner from evaluating a mark for its estimates: the cast of the elements, of
/// which there are none, is STABLE.
const UNESTIMATED: &str = ", '{}'::pg_catalog.date[]::pg_catalog.timestamptz[]";

fn letter(key_type: KeyType) -> Option<char> {
    let found = LETTERS.iter().find(|(known, _)| *known == key_type);
    found.map(|(_, letter)| *letter)
}

fn key_type(letter: &str) -> Option<KeyType> {
    let mut known = LETTERS.iter();
    let found = known.find(|(_, known)| letter.chars().eq([*known]));
    found.map(|(key_type, _)| *key_type)
}

impl PlanTag {
    /// How a mark begins in the statement that the server gets, in whose estimates the value may
    /// count or not; the client's text must have nothing of one. `None` if there are no marks.
    pub(in crate::session) fn open(self, tags: &Tags, estimated: bool) -> Option<Vec<u8>> {
        let mut open = b"(CASE WHEN pg_catalog.concat('~".to_vec();
        open.extend_from_slice(tags.nonce()?);
        let rest = format!(
            ":{}:{}:{}:{}~'::pg_catalog.text{}) IS NOT NULL THEN ",
            self.id.domain.0,
            letter(self.id.key_type)?,
            letter(self.id.shown)?,
            u8::from(self.array),
            if estimated { "" } else { UNESTIMATED },
        );
        open.extend_from_slice(rest.as_bytes());
        Some(open)
    }

    /// Reads what stands between the quotes.
    fn read(tags: &Tags, text: &[u8]) -> Option<Self> {
        let rest = text.strip_prefix(b"~")?.strip_prefix(tags.nonce()?)?;
        let rest = std::str::from_utf8(rest).ok()?;
        let rest = rest.strip_prefix(':')?.strip_suffix('~')?;
        let mut parts = rest.split(':');
        let mut next = || parts.next();
        let id = IdType {
            domain: DomainId(next()?.parse().ok()?),
            key_type: key_type(next()?)?,
            shown: key_type(next()?)?,
        };
        let array = match next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        next().is_none().then_some(Self { id, array })
    }

    /// The name of the type that is shown.
    fn type_name(self) -> String {
        let brackets = if self.array { "[]" } else { "" };
        format!("{}{brackets}", self.id.shown.name())
    }
}

impl Shown {
    /// As Postgres writes constants of the type.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let (mark, value) = match self {
            Self::Parameter(text) => return out.extend_from_slice(text),
            Self::Null(mark) => {
                out.extend_from_slice(b"NULL::");
                return out.extend_from_slice(mark.type_name().as_bytes());
            }
            Self::Id(mark, value) => (mark, &value[..]),
            Self::Nothing(mark) => (mark, &b"***"[..]),
        };
        let is_number = value.iter().all(u8::is_ascii_digit);
        if mark.id.shown == KeyType::Int4 && !mark.array && is_number {
            return out.extend_from_slice(value);
        }
        out.push(b'\'');
        for byte in value {
            out.extend(std::iter::repeat_n(*byte, 1 + usize::from(*byte == b'\'')));
        }
        out.extend_from_slice(b"'::");
        out.extend_from_slice(mark.type_name().as_bytes());
    }
}

/// A value that is no key, or one that must not be shown.
struct Hidden;

impl From<Malformed<'_>> for Hidden {
    fn from(_: Malformed<'_>) -> Self {
        Self
    }
}

impl PlanMasker<'_> {
    /// The mark that begins at a token, and the token behind it.
    pub(super) fn mark(&self, tokens: &[Token<'_>], at: usize) -> Option<(Shown, usize)> {
        let mut cursor = Cursor::new(tokens, at);
        cursor.take(&["CASE", "WHEN", "("])?;
        if cursor.peek() == Some("pg_catalog") {
            cursor.take(&["pg_catalog", "."])?;
        }
        cursor.take(&["concat", "("])?;
        let tag = unquoted(cursor.string()?);
        let mark = PlanTag::read(&self.codecs.tags, &tag)?;
        cursor.take(&["::", "text"])?;
        if cursor.take(&[",", "("]).is_some() {
            cursor.string()?;
            cursor.take(&["::", "date", "[", "]", ")", "::", "timestamp"])?;
            cursor.take(&["with", "time", "zone", "[", "]"])?;
        }
        cursor.take(&[")", "IS", "NOT", "NULL", ")", "THEN"])?;
        let value = cursor.until("ELSE")?;
        cursor.take(&["ELSE", "NULL", "::"])?;
        cursor.until("END")?;
        cursor.take(&["END"])?;
        Some((self.value(mark, value), cursor.at()))
    }

    /// Marks in the brackets of ARRAY, which begins at a token: Postgres would have folded the
    /// constants into one.
    pub(super) fn list(&self, tokens: &[Token<'_>], at: usize) -> Option<(Shown, usize)> {
        let mut cursor = Cursor::new(tokens, at);
        cursor.take(&["ARRAY", "["])?;
        let (mut list, mut found) = (b"{".to_vec(), None);
        loop {
            if cursor.peek() == Some("NULL") {
                cursor.take(&["NULL", "::"])?;
                cursor.words();
                list.extend_from_slice(b"NULL");
            } else {
                cursor.skip_blanks();
                match self.mark(tokens, cursor.at())? {
                    (Shown::Id(mark, id), behind) if found.is_none_or(|found| found == mark) => {
                        found = Some(mark);
                        element(&id, &mut list);
                        cursor.go_to(behind);
                    }
                    _ => return None,
                }
            }
            if cursor.take(&[","]).is_none() {
                break;
            }
            list.push(b',');
        }
        cursor.take(&["]"])?;
        list.push(b'}');
        let mark = found.filter(|mark| !mark.array)?;
        let array = PlanTag {
            array: true,
            ..mark
        };
        Some((Shown::Id(array, list), cursor.at()))
    }

    /// What a value between THEN and ELSE is shown as.
    fn value(&self, mark: PlanTag, tokens: &[Token<'_>]) -> Shown {
        let mut cursor = Cursor::new(tokens, 0);
        while cursor.take(&["("]).is_some() {}
        cursor.skip_blanks();
        let Some(token) = tokens.get(cursor.at()) else {
            return Shown::Nothing(mark);
        };
        let rest = tokens.get(cursor.at() + 1..).unwrap_or_default();
        let is_cast = |token: &Token<'_>| match token.kind {
            Kind::Blank | Kind::Word => true,
            Kind::Sign => matches!(token.text, b"::" | b"[" | b"]" | b")"),
            _ => false,
        };
        if !rest.iter().all(is_cast) {
            return Shown::Nothing(mark);
        }
        match token.kind {
            Kind::Parameter => Shown::Parameter(token.text.to_vec()),
            Kind::Word if token.text == b"NULL" => Shown::Null(mark),
            Kind::Number => self.id(mark, token.text),
            Kind::String(End::Closed) => self.id(mark, &unquoted(token.text)),
            _ => Shown::Nothing(mark),
        }
    }

    fn id(&self, mark: PlanTag, text: &[u8]) -> Shown {
        let types = Types {
            from: mark.id.key_type,
            to: mark.id.shown,
        };
        let shape = if mark.array {
            Shape::Array
        } else {
            Shape::Scalar
        };
        let mut out = BytesMut::new();
        let id = |key: Scalar<'_>| self.id_of(mark.id, &key).ok_or(Hidden);
        match value::translate(text, Format::Text, types, shape, &mut out, id) {
            Ok(()) => Shown::Id(mark, out.to_vec()),
            Err(Hidden) => Shown::Nothing(mark),
        }
    }

    fn id_of(&self, id: IdType, key: &Scalar<'_>) -> Option<Scalar<'static>> {
        let shown = id.shown;
        match (self.codecs).shown(self.sentinels, id.domain, key, id.key_type) {
            Resolution::Encoded => {
                let encoded = self.codecs.encode(id.domain, &ids::key_value(key)?)?;
                Some(as_text(ids::shown(&encoded).into_owned(), shown))
            }
            Resolution::Sent(sent) if ids::suits(sent, shown) => Some(as_text(sent.clone(), shown)),
            Resolution::Sent(_) | Resolution::Several | Resolution::Nothing => None,
        }
    }
}

/// An element of an array, quoted as Postgres quotes it.
fn element(id: &[u8], out: &mut Vec<u8>) {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    if !id.is_empty() && id.iter().all(plain) && !id.eq_ignore_ascii_case(b"null") {
        return out.extend_from_slice(id);
    }
    out.push(b'"');
    for byte in id {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.push(b'"');
}
