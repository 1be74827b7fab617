//! Ids inside text and JSON that a query builds. In the database a key that turns into text is
//! wrapped in a tag, which says what key it is; functions that carry text through carry the tag,
//! and here each tag in a result becomes the id of its key.
//!
//! A tag is `~nonce:domain:type:key~`. The nonce is random for each session and never shown, so
//! that no client can write a tag, and one that was stored is none in another session; and of all
//! these characters none is escaped or quoted by JSON, CSV, XML, arrays or rows. What begins like a
//! tag and is none ends the session. That of an integer that is a number in JSON has an `n` in
//! front of the type: in the database it is a string, whose quotes go with it.
//!
//! All keys of one type are written with as many digits, so that texts with tags in them sort as
//! the keys do, and not by where one has a digit more: an integer stands there with a number added
//! to it that makes all of them positive and of one length. It is the same for integers of every
//! width, for a key is the same in a column of any.

use std::borrow::Cow;

use bytes::BytesMut;
use memchr::memmem::Finder;

use super::codecs::Codecs;
use super::fatal::Fatal;
use super::id_field::IdField;
use super::ids;
use crate::catalog::{DomainId, IdType, KeyType};
use crate::splice::Splice;
use crate::sql::Refusal;
use crate::sql::refusal::Code;
use crate::wire::frontend::Format;
use crate::wire::uuid_text;
use crate::wire::value::{Scalar, Shape, Type};

/// By what tags are known.
#[derive(Debug)]
pub(super) struct Tags {
    /// `None` if the system has no random numbers: then there are no tags.
    nonce: Option<Finder<'static>>,
}

/// A tag in a value.
struct Tag<'v> {
    domain: DomainId,
    of: Type,
    key: &'v [u8],
    /// Where it begins and ends in the value; of a number with the quotes around it.
    start: usize,
    end: usize,
}

impl Tags {
    pub(super) fn random() -> Self {
        let mut bytes = [0_u8; 16];
        let nonce = getrandom::fill(&mut bytes).ok().map(|()| {
            let number = u128::from_be_bytes(bytes) >> 8;
            // What is longer than 32 bytes is not found by vectors. How long it is statements say,
            // too, that make the tag of a number one of text.
            Finder::new(format!("pv{number:030x}").as_bytes()).into_owned()
        });
        Self { nonce }
    }

    /// What stands in front of an expression whose value is a key, so that it becomes a tag, and
    /// behind it. A key of `bare` stays what it is: a mark, the same inside and outside, which arrays
    /// and rows quote where they would quote no tag.
    pub(super) fn around(
        &self,
        id: IdType,
        number: bool,
        bare: &[&str],
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        let (mut open, mut close) = (self.open(id, number)?, Self::CLOSE.to_vec());
        let head = self.head(id, number)?;
        for mark in bare {
            open.splice(0..0, b"pg_catalog.replace(".iter().copied());
            close.extend_from_slice(format!(", '{head}{mark}~', '{mark}')").as_bytes());
        }
        Some((open, close))
    }

    fn open(&self, id: IdType, number: bool) -> Option<Vec<u8>> {
        let head = self.head(id, number)?;
        let mut open = format!("('{head}' OPERATOR(pg_catalog.||) (");
        if let Some(added) = added_to(id.key_type) {
            open.push_str(&format!("{added} OPERATOR(pg_catalog.+) "));
        }
        open.push('(');
        Some(open.into_bytes())
    }

    /// A tag up to its key.
    fn head(&self, id: IdType, number: bool) -> Option<String> {
        let kind = match id.key_type {
            KeyType::Int2 | KeyType::Int4 | KeyType::Int8 => '8',
            KeyType::Uuid => 'u',
            KeyType::Text | KeyType::Varchar | KeyType::Bpchar => 't',
            KeyType::Bytea => 'b',
        };
        let nonce = std::str::from_utf8(self.nonce()?).ok()?;
        let number = if number { "n" } else { "" };
        Some(format!("~{nonce}:{}:{number}{kind}:", id.domain.0))
    }

    const CLOSE: &'static [u8] = b"))::pg_catalog.text OPERATOR(pg_catalog.||) '~')";

    /// What stands behind a text and the beginning of a call of `regexp_replace`, so that the key
    /// comes of it if it is a tag of this session. Of another text comes an empty one, which no cast
    /// takes for a key.
    pub(super) fn close_untagged(&self, id: IdType) -> Option<Vec<u8>> {
        let (kind, key) = match id.key_type {
            KeyType::Int2 | KeyType::Int4 | KeyType::Int8 => ('8', "[0-9]{20}"),
            KeyType::Uuid => ('u', "[0-9a-f-]{36}"),
            KeyType::Text | KeyType::Varchar | KeyType::Bpchar | KeyType::Bytea => return None,
        };
        let nonce = std::str::from_utf8(self.nonce()?).ok()?;
        let domain = id.domain.0;
        let pattern = format!(", '^(?:~{nonce}:{domain}:{kind}:({key})~|.*)$', E'\\\\1')");
        let subtracted = added_to(id.key_type).map(|added| {
            format!(
                "::pg_catalog.\"numeric\" OPERATOR(pg_catalog.-) {added}::pg_catalog.\"numeric\""
            )
        });
        Some((pattern + &subtracted.unwrap_or_default() + ")").into_bytes())
    }

    /// Whether there is a tag, or something of it that can be known for one.
    pub(super) fn occur_in(&self, text: &[u8]) -> bool {
        let nonce = self.nonce.as_ref();
        nonce.is_some_and(|nonce| nonce.find(text).is_some())
    }

    /// What tags are known by.
    pub(super) fn nonce(&self) -> Option<&[u8]> {
        self.nonce.as_ref().map(Finder::needle)
    }

    /// The first tag at or after a place.
    fn next<'v>(&self, value: &'v [u8], from: usize) -> Result<Option<Tag<'v>>, Fatal> {
        let rest = value.get(from..).unwrap_or_default();
        let Some(nonce) = &self.nonce else {
            return Ok(None);
        };
        match nonce.find(rest) {
            None => Ok(None),
            Some(at) => {
                let tag = read(value, from, from + at, nonce.needle().len());
                tag.map(Some).ok_or_else(|| Fatal::Result(malformed()))
            }
        }
    }
}

/// The tag whose nonce begins at `at`.
fn read(value: &[u8], from: usize, at: usize, nonce_bytes: usize) -> Option<Tag<'_>> {
    let start = at.checked_sub(1).filter(|start| *start >= from)?;
    if value.get(start) != Some(&b'~') {
        return None;
    }
    let body = value.get(at + nonce_bytes..)?;
    let body = body.get(..memchr::memchr(b'~', body)?)?;
    let end = at + nonce_bytes + body.len() + 1;
    let mut parts = body.strip_prefix(b":")?.splitn(3, |byte| *byte == b':');
    let domain = parts.next().filter(|domain| !domain.is_empty())?;
    let domain = digits(domain)?.try_into().ok()?;
    let of = parts.next()?;
    let number = of.strip_prefix(b"n");
    let of = match number.unwrap_or(of) {
        b"8" => Type::Int8,
        b"u" => Type::Uuid,
        b"t" => Type::Text,
        b"b" => Type::Bytea,
        _ => return None,
    };
    let quote_bytes = match number {
        Some(_) => quote_bytes(value.get(from..start)?, value.get(end..)?),
        None => 0,
    };
    Some(Tag {
        domain: DomainId(domain),
        of,
        key: parts.next()?,
        start: start - quote_bytes,
        end: end + quote_bytes,
    })
}

/// How long the quotes around a string of JSON are, each, from what is before and behind it.
/// Inside of a string, of an array or of a row each of them is written with a backslash in front
/// or twice, however often.
fn quote_bytes(before: &[u8], behind: &[u8]) -> usize {
    let backslashes = behind.iter().take_while(|byte| **byte == b'\\').count();
    let quotes = behind.get(backslashes..).unwrap_or_default();
    let quotes = quotes.iter().take_while(|byte| **byte == b'"').count();
    // Some of them may be the end of something around the document.
    let mut doubled = quotes.checked_ilog2().map_or(0, |times| 1_usize << times);
    while doubled > 0 {
        let quote = behind.get(..backslashes + doubled);
        if quote.is_some_and(|quote| before.ends_with(quote)) {
            return backslashes + doubled;
        }
        doubled /= 2;
    }
    0
}

impl Tag<'_> {
    /// What the key is a key of.
    fn field(&self, codecs: &Codecs, index: usize) -> Result<IdField, Fatal> {
        match codecs.codec(self.domain) {
            Some(_) => Ok(IdField {
                index,
                domain: self.domain,
                of: self.of,
                shown: Type::Text,
                shape: Shape::Scalar,
            }),
            None => Err(Fatal::Result(malformed())),
        }
    }

    /// The key, if it is written as the database writes it, which has one form only.
    fn key(&self) -> Option<Scalar<'static>> {
        if added_to(self.of).is_some() {
            return int(self.key);
        }
        let text = match self.of {
            // There they are without the usual `\x` in front.
            Type::Bytea => Cow::Owned([b"\\x", self.key].concat()),
            _ => Cow::Borrowed(self.key),
        };
        let key = Scalar::decode(&text, Format::Text, self.of).ok()?;
        let mut written = BytesMut::new();
        key.encode(Format::Text, self.of, &mut written);
        (written == *text).then(|| key.into_owned())
    }
}

/// The integer that a sum of it and what is added stands for: all of them are of one length.
fn int(sum: &[u8]) -> Option<Scalar<'static>> {
    // That many digits are a number of 64 bits.
    let (head, tail) = sum.split_at(sum.len().saturating_sub(18));
    let value = i128::from(digits(head)?) * 1_000_000_000_000_000_000 + i128::from(digits(tail)?);
    let key = i64::try_from(value - ADDED).ok()?;
    (sum.len() == 20).then_some(Scalar::Int(key))
}

/// The number that at most 18 digits stand for.
fn digits(text: &[u8]) -> Option<u64> {
    let mut digits = text.iter().map(|byte| byte.wrapping_sub(b'0'));
    digits.try_fold(0_u64, |number, digit| {
        (digit < 10 && text.len() <= 18).then_some(number * 10 + u64::from(digit))
    })
}

/// So much that the sums, from that of the smallest integer to that of the largest, are positive and
/// have as many digits as this number.
const ADDED: i128 = 20_000_000_000_000_000_000;

/// What is added to keys of a type in tags.
fn added_to(of: Type) -> Option<i128> {
    of.is_integer().then_some(ADDED)
}

/// Finds the keys in the tags of a text: `found` is given each with what it is a key of.
pub(super) fn find_in(
    codecs: &Codecs,
    text: &[u8],
    index: usize,
    mut found: impl FnMut(&IdField, &Scalar<'_>) -> Result<(), Fatal>,
) -> Result<(), Fatal> {
    let mut behind = 0;
    while let Some(tag) = codecs.tags.next(text, behind)? {
        let key = tag.key().ok_or_else(|| Fatal::Result(malformed()))?;
        found(&tag.field(codecs, index)?, &key)?;
        behind = tag.end;
    }
    Ok(())
}

/// Gives a text with what `show` writes in the places of its tags, of which it is told what is in
/// them.
pub(super) fn replace_in(
    codecs: &Codecs,
    text: &[u8],
    index: usize,
    mut show: impl FnMut(&IdField, &mut BytesMut) -> Result<(), Fatal>,
) -> Result<BytesMut, Fatal> {
    let (mut splice, mut out) = (Splice::new(text), BytesMut::with_capacity(text.len()));
    while let Some(tag) = codecs.tags.next(text, splice.behind())? {
        splice.replace(tag.start..tag.end, &mut out)?;
        show(&tag.field(codecs, index)?, &mut out)?;
    }
    splice.finish(&mut out)?;
    Ok(out)
}

/// The uuid that a value is once an id stands in the place of its tag.
pub(super) fn uuid(text: &[u8]) -> Result<Scalar<'static>, Fatal> {
    let uuid = uuid_text::parse(text).map(Scalar::Uuid);
    uuid.ok_or_else(|| Fatal::Result(malformed()))
}

/// Checks of what is shown that no tag has been left in it: none stands where none is expected.
///
/// # Errors
/// If there is one.
pub(super) fn check_none(codecs: &Codecs, shown: &[u8]) -> Result<(), Fatal> {
    match codecs.tags.occur_in(shown) {
        true => Err(Fatal::Result(malformed())),
        false => Ok(()),
    }
}

/// The form of a value that is shown as text, whatever it is.
pub(super) fn as_text<'i>(id: Scalar<'i>, shown: Type) -> Scalar<'i> {
    match (shown, &id) {
        (
            Type::Text | Type::Varchar | Type::Bpchar,
            Scalar::Int(_) | Scalar::Uuid(_) | Scalar::Bytes(_),
        ) => {
            let mut out = BytesMut::new();
            id.encode(Format::Text, ids::type_of(&id), &mut out);
            Scalar::Text(out.to_vec().into())
        }
        _ => id,
    }
}

fn malformed() -> Box<Refusal> {
    Box::new(Refusal::new(
        Code::Disagreement,
        "58000",
        "a result holds a part of an id in a form that pgveil can't encrypt",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quotes_of_a_number_go_with_it_however_they_are_written() {
        let found = |before: &str, behind: &str| quote_bytes(before.as_bytes(), behind.as_bytes());
        assert_eq!(found(r#"{"id": ""#, r#""}"#), 1);
        assert_eq!(found(r#"""#, r#"""#), 1);
        assert_eq!(found(r#"{"doc": "{\"id\": \""#, r#"\"}"}"#), 2);
        assert_eq!(found(r#""\""#, r#"\"""#), 2);
        assert_eq!(found(r#"("{""id"": """#, r#"""}")"#), 2);
        assert_eq!(found(r#"(""""#, r#"""")"#), 2);
        assert_eq!(found(r#"("(""{""""id"""": """""#, r#"""""}"")")"#), 4);
        assert_eq!(found(r#""{\"a\": \"[\\\""#, r#"\\\"]\"}""#), 4);
        assert_eq!(found("{", "}"), 0);
        assert_eq!(found("", ""), 0);
        assert_eq!(found("user ", "\""), 0);
        assert_eq!(found("\"", " is"), 0);
    }

    #[test]
    fn integers_are_of_one_width_in_tags_and_sort_there_as_they_do_outside() {
        let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
        let keys = [least, -10, -9, -1, 0, 1, 9, 10, 99, 100, 1000, greatest];
        for of in [Type::Int2, Type::Int4, Type::Int8] {
            assert_eq!(added_to(of), Some(ADDED));
        }
        let written = keys.map(|key| (key + ADDED).to_string());
        assert!(written.is_sorted(), "{written:?}");
        for (key, written) in keys.iter().zip(&written) {
            assert_eq!(written.len(), ADDED.to_string().len());
            let tag = Tag {
                domain: DomainId(0),
                of: Type::Int8,
                key: written.as_bytes(),
                start: 0,
                end: 0,
            };
            assert_eq!(tag.key(), Some(Scalar::Int(i64::try_from(*key).unwrap())));
        }
    }

    #[test]
    fn what_is_no_integer_of_its_type_in_a_tag_is_none() {
        let key = |sum: &&str| int(sum.as_bytes());
        assert_eq!(key(&"20000000000000000000"), Some(Scalar::Int(0)));
        let others = [
            "29223372036854775808",
            "10776627963145224191",
            "020000000000000000000",
            "2000000000000000000",
            "99999999999999999999999999999999999999999999",
            "2000000000000000000x",
            "",
        ];
        assert!(others.iter().all(|sum| key(sum).is_none()));
    }

    #[test]
    fn a_key_is_in_the_same_tag_in_columns_of_every_width() {
        let tags = Tags::random();
        let open = |key_type| {
            let (domain, shown) = (DomainId(3), KeyType::Uuid);
            let id = IdType {
                domain,
                key_type,
                shown,
            };
            tags.open(id, false)
        };
        assert!(open(KeyType::Int8).is_some());
        for narrow in [KeyType::Int2, KeyType::Int4] {
            assert_eq!(open(narrow), open(KeyType::Int8));
        }
    }

    #[test]
    fn a_mark_that_arrays_quote_is_in_no_tag() {
        let tags = Tags::random();
        let id = IdType {
            domain: DomainId(3),
            key_type: KeyType::Text,
            shown: KeyType::Text,
        };
        let texts = |bare: &[&str]| {
            let (open, close) = tags.around(id, false, bare).unwrap();
            (
                String::from_utf8(open).unwrap(),
                String::from_utf8(close).unwrap(),
            )
        };
        let (open, close) = texts(&[]);
        let (open_bare, close_bare) = texts(&["", "NULL"]);
        let replace = "pg_catalog.replace(";
        assert_eq!(open_bare, format!("{replace}{replace}{open}"));
        let head = open.trim_start_matches("('").split('\'').next().unwrap();
        assert_eq!(
            close_bare,
            format!("{close}, '{head}~', ''), '{head}NULL~', 'NULL')")
        );
    }
}
