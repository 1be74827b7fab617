//! The scanner: where each token ends. What is inside quotes is decoded next door.

use std::borrow::Cow;
use std::ops::Range;

use super::literal::{self, Escapes};
use super::{LexError, Token, TokenKind, truncated};

/// The longest operator (`NAMEDATALEN - 1`).
const MAX_OPERATOR_BYTES: usize = 63;

/// A position in a text and the tokens before it.
pub(super) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    standard_conforming_strings: bool,
    tokens: Vec<Token<'a>>,
}

/// `op_chars` of scan.l.
const fn is_operator_byte(byte: u8) -> bool {
    matches!(
        byte,
        b'~' | b'!'
            | b'@'
            | b'#'
            | b'^'
            | b'&'
            | b'|'
            | b'`'
            | b'?'
            | b'+'
            | b'-'
            | b'*'
            | b'/'
            | b'%'
            | b'<'
            | b'>'
            | b'='
    )
}

/// `space` of scan.l; Postgres 15 rejects a text with a vertical tab, 16 and later skip it.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// `ident_start` of scan.l.
const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// `ident_cont` of scan.l.
const fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || byte == b'$'
}

impl<'a> Scanner<'a> {
    /// At the beginning of a text.
    pub(super) fn new(text: &'a str, standard_conforming_strings: bool) -> Self {
        // Five bytes a token is what drivers' statements come to.
        let tokens = Vec::with_capacity(text.len() / 5 + 1);
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            standard_conforming_strings,
            tokens,
        }
    }

    /// Every token from here to the end.
    pub(super) fn tokens(mut self) -> Result<Vec<Token<'a>>, LexError> {
        loop {
            self.skip_blanks()?;
            let Some(byte) = self.peek(0) else {
                return Ok(self.tokens);
            };
            let start = self.at;
            let kind = self.token(byte)?;
            self.tokens.push(Token {
                kind,
                span: start..self.at,
            });
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn is_next(&self, ahead: usize, byte: u8) -> bool {
        self.peek(ahead) == Some(byte)
    }

    /// Moves on while the bytes are of a kind.
    fn skip_while(&mut self, is: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest
            .iter()
            .position(|&byte| !is(byte))
            .unwrap_or(rest.len());
    }

    /// Moves to the end of the line.
    fn skip_line(&mut self) {
        self.skip_while(|byte| !matches!(byte, b'\n' | b'\r'));
    }

    /// Moves past white space and comments.
    fn skip_blanks(&mut self) -> Result<(), LexError> {
        loop {
            self.skip_while(is_space);
            match (self.peek(0), self.peek(1)) {
                (Some(b'-'), Some(b'-')) => self.skip_line(),
                (Some(b'/'), Some(b'*')) => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// Moves past a comment and the comments in it.
    fn skip_comment(&mut self) -> Result<(), LexError> {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(found) = memchr::memchr2(b'/', b'*', &self.bytes[self.at..]) {
            self.at += found;
            match (self.peek(0), self.peek(1)) {
                (Some(b'/'), Some(b'*')) => depth += 1,
                (Some(b'*'), Some(b'/')) => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return Ok(());
            }
        }
        Err(LexError::syntax("unterminated /* comment", start))
    }

    /// The token that begins with `byte`, which is the next one.
    fn token(&mut self, byte: u8) -> Result<TokenKind<'a>, LexError> {
        match byte {
            b'\'' if self.standard_conforming_strings => self.string(0, Escapes::None),
            b'\'' => self.string(0, Escapes::Backslash),
            b'"' => self.quoted_name(),
            b'$' => self.dollar(),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(),
            _ if is_name_start(byte) => self.word(byte),
            _ if is_operator_byte(byte) => self.operator(),
            b',' | b'(' | b')' | b'[' | b']' | b'.' | b';' | b':' => {
                let two = matches!(
                    (byte, self.peek(1)),
                    (b':', Some(b':' | b'=')) | (b'.', Some(b'.'))
                );
                self.at += if two { 2 } else { 1 };
                Ok(TokenKind::Punctuation)
            }
            _ => Err(LexError::syntax("syntax error", self.at)),
        }
    }

    /// A name, a keyword, or a literal with a prefix of letters.
    fn word(&mut self, first: u8) -> Result<TokenKind<'a>, LexError> {
        match (first.to_ascii_lowercase(), self.peek(1), self.peek(2)) {
            (b'e', Some(b'\''), _) => return self.string(1, Escapes::Backslash),
            (b'b', Some(b'\''), _) => return self.digits().map(TokenKind::BitString),
            (b'x', Some(b'\''), _) => return self.digits().map(TokenKind::HexString),
            (b'n', Some(b'\''), _) => {
                // N'…' is the type name nchar followed by an ordinary literal.
                self.at += 1;
                return Ok(TokenKind::Word {
                    value: Cow::Borrowed("nchar"),
                    quoted: false,
                });
            }
            (b'u', Some(b'&'), Some(b'\'')) => return self.unicode_string(),
            (b'u', Some(b'&'), Some(b'"')) => return self.unicode_name(),
            _ => {}
        }
        let start = self.at;
        self.skip_while(is_name_part);
        let name = truncated(&self.text[start..self.at]);
        let value = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        };
        Ok(TokenKind::Word {
            value,
            quoted: false,
        })
    }

    /// `$1`, or a string in dollar quotes.
    fn dollar(&mut self) -> Result<TokenKind<'a>, LexError> {
        let start = self.at;
        self.at += 1;
        if self.peek(0).is_some_and(|byte| byte.is_ascii_digit()) {
            self.skip_while(|byte| byte.is_ascii_digit());
            self.refuse_junk("trailing junk after parameter", start)?;
            let number = self.text[start + 1..self.at].parse();
            let too_large = |_| LexError::syntax("parameter number too large", start);
            return number.map(TokenKind::Parameter).map_err(too_large);
        }
        if self.peek(0).is_some_and(is_name_start) {
            self.skip_while(|byte| is_name_part(byte) && byte != b'$');
        }
        if !self.is_next(0, b'$') {
            return Err(LexError::syntax("syntax error", start));
        }
        self.at += 1;
        let delimiter = &self.bytes[start..self.at];
        match memchr::memmem::find(&self.bytes[self.at..], delimiter) {
            Some(length) => {
                let value = &self.text[self.at..self.at + length];
                self.at += length + delimiter.len();
                Ok(TokenKind::String(Cow::Borrowed(value)))
            }
            None => Err(LexError::syntax("unterminated dollar-quoted string", start)),
        }
    }

    /// Numbers as Postgres 16 and later write them; 15 rejects the additions.
    fn number(&mut self) -> Result<TokenKind<'a>, LexError> {
        let start = self.at;
        let radix = match (
            self.peek(0),
            self.peek(1).map(|byte| byte.to_ascii_lowercase()),
        ) {
            (Some(b'0'), Some(b'x')) => 16,
            (Some(b'0'), Some(b'o')) => 8,
            (Some(b'0'), Some(b'b')) => 2,
            _ => 10,
        };
        if radix == 10 {
            self.decimal();
        } else {
            self.at += 2;
            self.skip_while(|byte| char::from(byte).is_digit(radix) || byte == b'_');
        }
        self.refuse_junk("trailing junk after numeric literal", start)?;
        Ok(TokenKind::Number)
    }

    /// Moves past a decimal number. `1..2` is `1`, `..`, `2`.
    fn decimal(&mut self) {
        let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
        self.skip_while(is_digit);
        if self.is_next(0, b'.') && !self.is_next(1, b'.') {
            self.at += 1;
            self.skip_while(is_digit);
        }
        if matches!(self.peek(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
            if self
                .peek(1 + sign)
                .is_some_and(|byte| byte.is_ascii_digit())
            {
                self.at += 1 + sign;
                self.skip_while(is_digit);
            }
        }
    }

    /// Since version 15 nothing that could be part of a name may touch a number's end.
    fn refuse_junk(&self, message: &'static str, start: usize) -> Result<(), LexError> {
        if self.peek(0).is_some_and(is_name_start) || self.bytes[self.at - 1] == b'_' {
            return Err(LexError::syntax(message, start));
        }
        Ok(())
    }

    /// An operator: the longest run of its characters, less a comment that begins in it, less
    /// `+` and `-` at its end unless it contains a character that SQL's own operators don't have.
    fn operator(&mut self) -> Result<TokenKind<'a>, LexError> {
        let start = self.at;
        self.skip_while(is_operator_byte);
        let mut run = &self.bytes[start..self.at];
        let is_comment = |two: &[u8]| matches!(two, b"/*" | b"--");
        if let Some(comment) = run.windows(2).position(is_comment) {
            run = &run[..comment];
        }
        let is_special = |byte: &u8| {
            matches!(
                byte,
                b'~' | b'!' | b'@' | b'#' | b'^' | b'&' | b'|' | b'`' | b'?' | b'%'
            )
        };
        while let [shorter @ .., b'+' | b'-'] = run {
            if shorter.is_empty() || shorter.iter().any(is_special) {
                break;
            }
            run = shorter;
        }
        self.at = start + run.len();
        match run {
            b"=>" => Ok(TokenKind::Punctuation),
            _ if run.len() > MAX_OPERATOR_BYTES => {
                Err(LexError::syntax("operator too long", start))
            }
            _ => Ok(TokenKind::Operator),
        }
    }

    /// A literal in single quotes, and its continuations, behind a prefix of some bytes.
    fn string(&mut self, prefix: usize, escapes: Escapes) -> Result<TokenKind<'a>, LexError> {
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
    fn digits(&mut self) -> Result<Cow<'a, str>, LexError> {
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
    fn quoted_name(&mut self) -> Result<TokenKind<'a>, LexError> {
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
    fn unicode_string(&mut self) -> Result<TokenKind<'a>, LexError> {
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
    fn unicode_name(&mut self) -> Result<TokenKind<'a>, LexError> {
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
