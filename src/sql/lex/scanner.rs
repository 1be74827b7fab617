//! The scanner: where each token ends. What is in quotes is next door.

use std::borrow::Cow;

use super::literal::Escapes;
use super::stack::Stack;
use super::{LexError, Token, TokenKind, truncated};

/// The longest operator (`NAMEDATALEN - 1`).
const MAX_OPERATOR_BYTES: usize = 63;

/// How many tokens a text may have: a token takes memory for a hundred of its bytes, and a tree
/// of it several times that.
pub(super) const MAX_TOKENS: usize = 4_000_000;

/// A position in a text and the tokens before it.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) standard_conforming_strings: bool,
    tokens: Vec<Token<'a>>,
    /// The brackets that must be closed, where only texts are of use in which each one is.
    brackets: Option<Vec<u8>>,
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
pub(super) const fn is_name_part(byte: u8) -> bool {
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
            brackets: None,
        }
    }

    /// Every token from here to the end; `None` if there is a bracket without its partner.
    pub(super) fn balanced_tokens(mut self) -> Result<Option<Vec<Token<'a>>>, LexError> {
        self.brackets = Some(Vec::new());
        match self.scan()? {
            true => Ok(Some(self.tokens)),
            false => Ok(None),
        }
    }

    /// Every token from here to the end.
    pub(super) fn tokens(mut self) -> Result<Vec<Token<'a>>, LexError> {
        self.scan()?;
        Ok(self.tokens)
    }

    /// Takes token for token up to the end, or to a bracket that must have a partner and has none.
    /// Returns whether there is no such bracket.
    fn scan(&mut self) -> Result<bool, LexError> {
        let mut stack = Stack::of(self.text);
        loop {
            self.skip_blanks()?;
            let Some(byte) = self.peek(0) else {
                return Ok(self.brackets.as_ref().is_none_or(Vec::is_empty));
            };
            let start = self.at;
            if self.tokens.len() == MAX_TOKENS {
                return Err(LexError {
                    message: "this text is too long for pgveil",
                    sqlstate: "54000",
                    at: start,
                });
            }
            let kind = self.token(byte)?;
            if let Some(stack) = &mut stack
                && !stack.push(&kind, &self.text[start..self.at])
            {
                return Err(LexError {
                    message: "stack depth limit exceeded",
                    sqlstate: "54001",
                    at: start,
                });
            }
            if kind == TokenKind::Punctuation && !self.follow_brackets(byte) {
                return Ok(false);
            }
            self.tokens.push(Token {
                kind,
                span: start..self.at,
            });
        }
    }

    /// Takes a sign that may be a bracket. Returns whether it closes none, or the last one that is
    /// open, or nobody asks.
    fn follow_brackets(&mut self, sign: u8) -> bool {
        let Some(brackets) = &mut self.brackets else {
            return true;
        };
        match sign {
            b'(' | b'[' => brackets.push(sign),
            b')' => return brackets.pop() == Some(b'('),
            b']' => return brackets.pop() == Some(b'['),
            _ => {}
        }
        true
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    pub(super) fn is_next(&self, ahead: usize, byte: u8) -> bool {
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
    pub(super) fn skip_line(&mut self) {
        self.skip_while(|byte| !matches!(byte, b'\n' | b'\r'));
    }

    /// Moves past white space and comments.
    pub(super) fn skip_blanks(&mut self) -> Result<(), LexError> {
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
    pub(super) fn token(&mut self, byte: u8) -> Result<TokenKind<'a>, LexError> {
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
}
