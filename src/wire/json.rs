//! JSON text, cut into its values without building anything of it. What is read is exactly what
//! Postgres reads as `json`, but for escapes that `jsonb` refuses: those are refused here too.
//! What the values mean is the caller's business.

use std::borrow::Cow;
use std::ops::Range;

/// How deep a document may nest. Postgres's own limit is the size of its stack, a few thousands.
const MAX_DEPTH: usize = 6_000;

/// Why a text is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not written as JSON is.
    Syntax,
    /// `\u0000`, which no text of Postgres holds.
    Nul,
    /// It nests too deep.
    Depth,
}

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The opening bracket of an object, and the closing one.
    Object,
    ObjectEnd,
    Array,
    ArrayEnd,
    /// The name of a member, with its quotes.
    Name,
    /// A string, with its quotes.
    String,
    Number,
    Boolean,
    Null,
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value or the end of an array that has just begun.
    FirstElement,
    /// A name or the end of an object that has just begun.
    FirstName,
    Name,
    /// A comma or the end of what is open.
    Rest,
    /// Blanks only.
    End,
}

/// Reads a document from its beginning to its end.
#[derive(Debug)]
pub(crate) struct Parts<'t> {
    text: &'t [u8],
    at: usize,
    next: Next,
    /// What is open: whether it is an object.
    open: Vec<bool>,
}

impl<'t> Parts<'t> {
    pub(crate) const fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            at: 0,
            next: Next::Value,
            open: Vec::new(),
        }
    }

    /// How many brackets are open.
    pub(crate) const fn depth(&self) -> usize {
        self.open.len()
    }

    /// The next part with its bytes; `None` behind the document.
    ///
    /// # Errors
    /// If there is something else.
    pub(crate) fn next(&mut self) -> Result<Option<(Kind, Range<usize>)>, Fault> {
        self.skip_blanks();
        match (self.next, self.peek()) {
            (Next::End, None) => Ok(None),
            (Next::FirstElement, Some(b']')) | (Next::FirstName, Some(b'}')) => {
                self.close().map(Some)
            }
            (Next::FirstName | Next::Name, Some(b'"')) => self.name().map(Some),
            (Next::Value | Next::FirstElement, Some(byte)) => self.value(byte).map(Some),
            (Next::Rest, Some(b',')) => {
                self.at += 1;
                let in_object = self.open.last() == Some(&true);
                self.next = if in_object { Next::Name } else { Next::Value };
                self.next()
            }
            (Next::Rest, Some(b'}')) if self.open.last() == Some(&true) => self.close().map(Some),
            (Next::Rest, Some(b']')) if self.open.last() == Some(&false) => self.close().map(Some),
            _ => Err(Fault::Syntax),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn close(&mut self) -> Result<(Kind, Range<usize>), Fault> {
        let start = self.at;
        self.at += 1;
        let kind = match self.open.pop() {
            Some(true) => Kind::ObjectEnd,
            Some(false) => Kind::ArrayEnd,
            None => return Err(Fault::Syntax),
        };
        self.next = self.behind_a_value();
        Ok((kind, start..self.at))
    }

    const fn behind_a_value(&self) -> Next {
        if self.open.is_empty() {
            Next::End
        } else {
            Next::Rest
        }
    }

    fn name(&mut self) -> Result<(Kind, Range<usize>), Fault> {
        let range = self.string()?;
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(Fault::Syntax);
        }
        self.at += 1;
        self.next = Next::Value;
        Ok((Kind::Name, range))
    }

    fn value(&mut self, first: u8) -> Result<(Kind, Range<usize>), Fault> {
        let start = self.at;
        let kind = match first {
            b'{' | b'[' => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(Fault::Depth);
                }
                let is_object = first == b'{';
                self.open.push(is_object);
                self.at += 1;
                let (kind, next) = if is_object {
                    (Kind::Object, Next::FirstName)
                } else {
                    (Kind::Array, Next::FirstElement)
                };
                self.next = next;
                return Ok((kind, start..self.at));
            }
            b'"' => {
                self.string()?;
                Kind::String
            }
            b'-' | b'0'..=b'9' => {
                self.number()?;
                Kind::Number
            }
            b't' => self.word(b"true", Kind::Boolean)?,
            b'f' => self.word(b"false", Kind::Boolean)?,
            b'n' => self.word(b"null", Kind::Null)?,
            _ => return Err(Fault::Syntax),
        };
        self.next = self.behind_a_value();
        Ok((kind, start..self.at))
    }

    fn word(&mut self, word: &[u8], kind: Kind) -> Result<Kind, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(Fault::Syntax);
        }
        self.at += word.len();
        self.ends_a_word().map(|()| kind)
    }

    /// What follows a number or a word without a blank is part of it in Postgres's eyes.
    fn ends_a_word(&self) -> Result<(), Fault> {
        match self.peek() {
            None | Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b']' | b'}') => Ok(()),
            Some(_) => Err(Fault::Syntax),
        }
    }

    fn number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return Err(Fault::Syntax),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.ends_a_word()
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            return Err(Fault::Syntax);
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Range<usize>, Fault> {
        let start = self.at;
        self.at += 1;
        let mut escapes = false;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escapes = true;
                    self.at += 2;
                }
                Some(0..=0x1f) | None => return Err(Fault::Syntax),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let range = start..self.at;
        if escapes {
            unescape(self.text.get(range.clone()).unwrap_or_default())?;
        }
        Ok(range)
    }
}

/// The text that a string with its quotes stands for.
///
/// # Errors
/// If an escape stands for nothing.
pub(crate) fn unescape(string: &[u8]) -> Result<Cow<'_, [u8]>, Fault> {
    let inner = string
        .strip_prefix(b"\"")
        .and_then(|s| s.strip_suffix(b"\""));
    let inner = inner.ok_or(Fault::Syntax)?;
    if !inner.contains(&b'\\') {
        return Ok(Cow::Borrowed(inner));
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let (escape, behind) = rest.split_first().ok_or(Fault::Syntax)?;
        rest = behind;
        out.push(match escape {
            b'"' | b'\\' | b'/' => *escape,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let (character, behind) = code_point(rest)?;
                rest = behind;
                let mut utf8 = [0; 4];
                out.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
                continue;
            }
            _ => return Err(Fault::Syntax),
        });
    }
    Ok(Cow::Owned(out))
}

/// The character of `\u` and what follows it: one unit, or two surrogates.
fn code_point(rest: &[u8]) -> Result<(char, &[u8]), Fault> {
    let (first, rest) = unit(rest)?;
    if first == 0 {
        return Err(Fault::Nul);
    }
    if let Some(character) = char::from_u32(first) {
        return Ok((character, rest));
    }
    let rest = rest.strip_prefix(b"\\u").ok_or(Fault::Syntax)?;
    let (second, rest) = unit(rest)?;
    if !(0xd800..0xdc00).contains(&first) || !(0xdc00..0xe000).contains(&second) {
        return Err(Fault::Syntax);
    }
    let character = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    Ok((char::from_u32(character).ok_or(Fault::Syntax)?, rest))
}

/// Four hexadecimal digits.
fn unit(rest: &[u8]) -> Result<(u32, &[u8]), Fault> {
    let (digits, rest) = rest.split_first_chunk::<4>().ok_or(Fault::Syntax)?;
    let mut unit = 0;
    for digit in digits {
        let digit = char::from(*digit).to_digit(16).ok_or(Fault::Syntax)?;
        unit = unit << 4 | digit;
    }
    Ok((unit, rest))
}

/// Appends a text as a string.
pub(crate) fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            0..=0x1f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &[u8]) -> Result<Vec<(Kind, String)>, Fault> {
        let mut parts = Parts::new(text);
        let mut found = Vec::new();
        while let Some((kind, range)) = parts.next()? {
            found.push((kind, String::from_utf8_lossy(&text[range]).into_owned()));
        }
        Ok(found)
    }

    #[test]
    fn finds_every_part_with_its_bytes() {
        let found = parts(br#" {"a" : [1, -2.5e+3 ,"x\"y"], "b":{} ,"c":[],"d":null, "e":true} "#);
        let found = found.unwrap();
        let kinds: Vec<Kind> = found.iter().map(|(kind, _)| *kind).collect();
        use Kind::*;
        assert_eq!(
            kinds,
            [
                Object, Name, Array, Number, Number, String, ArrayEnd, Name, Object, ObjectEnd,
                Name, Array, ArrayEnd, Name, Null, Name, Boolean, ObjectEnd
            ]
        );
        assert_eq!(found[4].1, "-2.5e+3");
        assert_eq!(found[5].1, r#""x\"y""#);
    }

    #[test]
    fn refuses_what_postgres_refuses() {
        for text in [
            "",
            " ",
            "{",
            "}",
            "[",
            "]",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{\"a\":1,}",
            "{1:2}",
            "[1 2]",
            "[1}",
            "{\"a\":1]",
            "1 2",
            "01",
            "1.",
            ".5",
            "-",
            "1e",
            "+1",
            "tru",
            "truex",
            "nulll",
            "NaN",
            "'a'",
            "\"a",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "1x",
            "\"a\\",
            "[] []",
            "\u{feff}1",
        ] {
            assert_eq!(parts(text.as_bytes()), Err(Fault::Syntax), "{text}");
        }
        assert_eq!(parts(br#""\u0000""#), Err(Fault::Nul));
    }

    #[test]
    fn every_beginning_of_a_document_is_none() {
        let text = br#"{"a":["x\u00e9",{"b":null}],"c":-1.5e3}"#;
        for end in 0..text.len() {
            assert!(parts(&text[..end]).is_err());
        }
        assert!(parts(text).is_ok());
    }

    #[test]
    fn depth_is_bounded_and_takes_no_stack() {
        let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(parts(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(parts(&nested(MAX_DEPTH + 1)), Err(Fault::Depth));
        assert_eq!(parts(&vec![b'['; 1_000_000]), Err(Fault::Depth));
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        for (string, text) in [
            (r#""user\u005fid""#, "user_id"),
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#""\ud83d\ude00""#, "\u{1f600}"),
        ] {
            assert_eq!(unescape(string.as_bytes()).unwrap(), text.as_bytes());
        }
        let mut quoted = Vec::new();
        quote("a\"\\\n".as_bytes(), &mut quoted);
        assert_eq!(unescape(&quoted).unwrap(), "a\"\\\n".as_bytes());
    }
}
