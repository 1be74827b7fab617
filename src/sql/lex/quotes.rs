//! The scanner's part for everything in quotes: where it ends, and whether it goes on.

use std::borrow::Cow;
use std::ops::Range;

use super::literal::{self, Escapes};
use super::scanner::{Scanner, is_name_part, is_space};
use super::{LexError, TokenKind, truncated};

impl<'a> Scanner<'a> {
    /// A literal in single quotes, and its continuations, behind a prefix of some bytes.
    pub(super) fn string(
        &mut self,
        prefix: usize,
        escapes: Escapes,
    ) -> Result<TokenKind<'a>, LexError> {
        let start = self.at;
        self.at += prefix;
        let pieces = self.pieces(
            start,
            escapes == Escapes::Backslash,
            "unterminated quoted string",
        )?;
        literal::decode(self.text, &pieces, escapes).map(TokenKind::String)
    }

    /// The digits of a bit string. Here doubled quotes do not stand for one.
    pub(super) fn digits(&mut self) -> Result<Cow<'a, str>, LexError> {
        let start = self.at;
        let message = match self.bytes[start] {
            b'b' | b'B' => "unterminated bit string literal",
            _ => "unterminated hexadecimal string literal",
        };
        self.at += 1;
        let mut pieces = Vec::new();
        loop {
            let from = self.at + 1;
            let length = memchr::memchr(b'\'', &self.bytes[from..])
                .ok_or(LexError::syntax(message, start))?;
            pieces.push(from..from + length);
            self.at = from + length + 1;
            if !self.continues() {
                break;
            }
        }
        literal::decode(self.text, &pieces, Escapes::None)
    }

    /// The ranges between the quotes of a literal and of its continuations. The next byte is the
    /// first quote.
    fn pieces(
        &mut self,
        start: usize,
        backslash: bool,
        unterminated: &'static str,
    ) -> Result<Vec<Range<usize>>, LexError> {
        let mut pieces = Vec::with_capacity(1);
        loop {
            let from = self.at + 1;
            let end = self.closing(from, b'\'', backslash);
            let end = end.ok_or(LexError::syntax(unterminated, start))?;
            pieces.push(from..end);
            self.at = end + 1;
            if !self.continues() {
                return Ok(pieces);
            }
        }
    }

    /// The place of the closing quote, which is not doubled and, if backslashes escape, not
    /// behind one.
    fn closing(&self, from: usize, quote: u8, backslash: bool) -> Option<usize> {
        let mut at = from;
        loop {
            let escape = if backslash { b'\\' } else { quote };
            at += memchr::memchr2(quote, escape, self.bytes.get(at..)?)?;
            if self.bytes[at] == quote && self.bytes.get(at + 1) != Some(&quote) {
                return Some(at);
            }
            at += 2;
        }
    }

    /// Whether a literal that has just ended goes on behind white space with a line break in it
    /// (`quotecontinue` of scan.l; `--` comments count as white space, others don't). If so,
    /// the next byte is the quote.
    fn continues(&mut self) -> bool {
        let end = self.at;
        let mut line_break = false;
        loop {
            match self.peek(0) {
                Some(b'\n' | b'\r') => line_break = true,
                Some(byte) if is_space(byte) => {}
                Some(b'-') if self.is_next(1, b'-') => {
                    self.skip_line();
                    continue;
                }
                Some(b'\'') if line_break => return true,
                _ => {
                    self.at = end;
                    return false;
                }
            }
            self.at += 1;
        }
    }

    /// A name in double quotes.
    pub(super) fn quoted_name(&mut self) -> Result<TokenKind<'a>, LexError> {
        let start = self.at;
        let inside = self.between_double_quotes(start)?;
        let name = literal::undouble(&self.text[inside], '"');
        Self::name(name, start)
    }

    /// The range between double quotes, the first of which is the next byte.
    fn between_double_quotes(&mut self, start: usize) -> Result<Range<usize>, LexError> {
        let from = self.at + 1;
        let end = self.closing(from, b'"', false);
        let end = end.ok_or(LexError::syntax("unterminated quoted identifier", start))?;
        self.at = end + 1;
        Ok(from..end)
    }

    /// The token of a quoted name.
    fn name(name: Cow<'a, str>, start: usize) -> Result<TokenKind<'a>, LexError> {
        if name.is_empty() {
            return Err(LexError::syntax("zero-length delimited identifier", start));
        }
        let value = match name {
            Cow::Borrowed(name) => Cow::Borrowed(truncated(name)),
            Cow::Owned(name) => Cow::Owned(truncated(&name).to_owned()),
        };
        Ok(TokenKind::Word {
            value,
            quoted: true,
        })
    }

    /// `U&'…'`, perhaps followed by `UESCAPE`.
    pub(super) fn unicode_string(&mut self) -> Result<TokenKind<'a>, LexError> {
        let start = self.at;
        if !self.standard_conforming_strings {
            let message = "unsafe use of string constant with Unicode escapes";
            return Err(LexError {
                message,
                sqlstate: "0A000",
                at: start,
            });
        }
        self.at += 2;
        let pieces = self.pieces(start, false, "unterminated quoted string")?;
        let raw = literal::decode(self.text, &pieces, Escapes::None)?;
        let escape = self.unicode_escape()?;
        literal::unicode(&raw, escape, start).map(|value| TokenKind::String(Cow::Owned(value)))
    }

    /// `U&"…"`, perhaps followed by `UESCAPE`.
    pub(super) fn unicode_name(&mut self) -> Result<TokenKind<'a>, LexError> {
        let start = self.at;
        self.at += 2;
        let inside = self.between_double_quotes(start)?;
        let raw = literal::undouble(&self.text[inside], '"');
        let escape = self.unicode_escape()?;
        Self::name(Cow::Owned(literal::unicode(&raw, escape, start)?), start)
    }

    /// The escape character that `UESCAPE 'c'` names, if that comes next.
    fn unicode_escape(&mut self) -> Result<char, LexError> {
        const CLAUSE: &[u8] = b"uescape";
        let end = self.at;
        self.skip_blanks()?;
        let after = self.at + CLAUSE.len();
        let is_clause = self
            .bytes
            .get(self.at..after)
            .is_some_and(|word| word.eq_ignore_ascii_case(CLAUSE))
            && !self.bytes.get(after).copied().is_some_and(is_name_part);
        if !is_clause {
            self.at = end;
            return Ok('\\');
        }
        self.at = after;
        self.skip_blanks()?;
        let at = self.at;
        let simple = LexError::syntax("UESCAPE must be followed by a simple string literal", at);
        // A recursion of one level: `U&'…'` itself could not be told from its value here.
        let value = match self.peek(0) {
            Some(byte @ (b'\'' | b'e' | b'E' | b'$')) => match self.token(byte)? {
                TokenKind::String(value) => value,
                _ => return Err(simple),
            },
            _ => return Err(simple),
        };
        let mut characters = value.chars();
        match (characters.next(), characters.next()) {
            (Some(escape), None)
                if escape.is_ascii()
                    && !escape.is_ascii_hexdigit()
                    && !matches!(escape, '+' | '\'' | '"')
                    && !escape.is_ascii_whitespace() =>
            {
                Ok(escape)
            }
            _ => Err(LexError::syntax("invalid Unicode escape character", at)),
        }
    }
}
