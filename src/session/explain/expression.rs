//! Expressions as Postgres writes them out (`ruleutils.c`): constants masked, marks undone. Names
//! and types stay; outside of quotes nothing but a number begins with a digit.

use super::{End, PlanMasker};
use crate::wire::uuid_text;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `'…'`
    String(End),
    /// `"…"`
    Name(End),
    /// A keyword, or a name that needs no quotes.
    Word,
    Number,
    /// `$1`
    Parameter,
    Blank,
    /// One byte of anything else, or `::`.
    Sign,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t [u8],
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Cuts a text into tokens. One that begins within quotes begins with the rest of those.
pub(super) fn lex(text: &[u8], before: End) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let within = match before {
        End::String => Some(b'\''),
        End::Name => Some(b'"'),
        End::Closed | End::Unbalanced => None,
    };
    if let Some(quote) = within {
        let (end, closed) = closing(rest, 0, quote);
        rest = push(&mut tokens, rest, end, |_| quoted_kind(quote, closed));
    }
    while let Some(first) = rest.first() {
        let run = |is: fn(u8) -> bool, from: usize| {
            let tail = rest.get(from..).unwrap_or_default();
            let length = tail.iter().position(|byte| !is(*byte));
            from + length.unwrap_or(tail.len())
        };
        let (end, kind) = match *first {
            quote @ (b'\'' | b'"') => {
                let (end, closed) = closing(rest, 1, quote);
                (end, quoted_kind(quote, closed))
            }
            b'0'..=b'9' => (number(rest), Kind::Number),
            byte if is_word_byte(byte) => (run(is_word_byte, 1), Kind::Word),
            b' ' | b'\t' | b'\n' | b'\r' => {
                (run(|byte| b" \t\n\r".contains(&byte), 1), Kind::Blank)
            }
            b'$' if rest.get(1).is_some_and(u8::is_ascii_digit) => {
                (run(|byte| byte.is_ascii_digit(), 1), Kind::Parameter)
            }
            b':' if rest.starts_with(b"::") => (2, Kind::Sign),
            _ => (1, Kind::Sign),
        };
        rest = push(&mut tokens, rest, end, |_| kind);
    }
    tokens
}

fn push<'t>(
    tokens: &mut Vec<Token<'t>>,
    rest: &'t [u8],
    end: usize,
    kind: impl FnOnce(&[u8]) -> Kind,
) -> &'t [u8] {
    let (text, rest) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    tokens.push(Token {
        kind: kind(text),
        text,
    });
    rest
}

const fn quoted_kind(quote: u8, closed: bool) -> Kind {
    match (quote, closed) {
        (b'\'', true) => Kind::String(End::Closed),
        (b'\'', false) => Kind::String(End::String),
        (_, true) => Kind::Name(End::Closed),
        (_, false) => Kind::Name(End::Name),
    }
}

/// Where the quotes end of which the inside begins at `from`, and whether they do.
fn closing(text: &[u8], from: usize, quote: u8) -> (usize, bool) {
    let mut at = from;
    while let Some(byte) = text.get(at) {
        at += 1;
        if *byte == quote {
            if text.get(at) != Some(&quote) {
                return (at, true);
            }
            at += 1;
        }
    }
    (at, false)
}

/// Where a number ends. What is none as a whole, such as `7x`, is masked like one.
fn number(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let is_sign = matches!(byte, b'+' | b'-') && at > 0 && text.get(at - 1) == Some(&b'e');
        let is_part = is_word_byte(*byte) || *byte == b'.' || is_sign;
        if !is_part {
            break;
        }
        at += 1;
    }
    at
}

/// The value of a token in quotes.
pub(super) fn unquoted(text: &[u8]) -> Vec<u8> {
    let Some((quote, rest)) = text.split_first() else {
        return Vec::new();
    };
    let inside = rest
        .strip_suffix(std::slice::from_ref(quote))
        .unwrap_or(rest);
    let mut value = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter();
    while let Some(byte) = bytes.next() {
        value.push(*byte);
        if byte == quote {
            bytes.next();
        }
    }
    value
}

/// A place among tokens, for reading what is known to follow.
#[derive(Debug)]
pub(super) struct Cursor<'c, 't> {
    tokens: &'c [Token<'t>],
    at: usize,
}

impl<'c, 't> Cursor<'c, 't> {
    pub(super) const fn new(tokens: &'c [Token<'t>], at: usize) -> Self {
        Self { tokens, at }
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) const fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn skip_blanks(&mut self) {
        while (self.tokens.get(self.at)).is_some_and(|token| token.kind == Kind::Blank) {
            self.at += 1;
        }
    }

    /// The next word or sign.
    pub(super) fn peek(&mut self) -> Option<&'t str> {
        self.skip_blanks();
        let token = self.tokens.get(self.at)?;
        matches!(token.kind, Kind::Word | Kind::Sign)
            .then(|| std::str::from_utf8(token.text).ok())
            .flatten()
    }

    /// Goes behind these words and signs, if they follow; else it stays.
    pub(super) fn take(&mut self, expected: &[&str]) -> Option<()> {
        let start = self.at;
        for text in expected {
            if self.peek() != Some(text) {
                self.at = start;
                return None;
            }
            self.at += 1;
        }
        Some(())
    }

    /// The next string.
    pub(super) fn string(&mut self) -> Option<&'t [u8]> {
        self.skip_blanks();
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        (token.kind == Kind::String(End::Closed)).then_some(token.text)
    }

    /// Goes behind words, the name of a type.
    pub(super) fn words(&mut self) {
        let is_word = |token: &&Token<'_>| matches!(token.kind, Kind::Word | Kind::Blank);
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(is_word).count();
    }

    /// The tokens up to a keyword outside of parentheses and of other CASE.
    pub(super) fn until(&mut self, keyword: &str) -> Option<&'c [Token<'t>]> {
        let start = self.at;
        let mut depth = 0_i32;
        while let Some(token) = self.tokens.get(self.at) {
            match (token.kind, token.text) {
                (Kind::Word, word) if depth == 0 && word == keyword.as_bytes() => {
                    return self.tokens.get(start..self.at);
                }
                (Kind::Sign, b"(" | b"[") | (Kind::Word, b"CASE") => depth += 1,
                (Kind::Sign, b")" | b"]") | (Kind::Word, b"END") => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        None
    }
}

impl PlanMasker<'_> {
    /// An expression, or something with expressions in it. Says how it ends.
    pub(super) fn expression(&self, text: &[u8], before: End, out: &mut Vec<u8>) -> End {
        let tokens = lex(text, before);
        let mut at = 0;
        let mut end = before;
        while let Some(token) = tokens.get(at) {
            end = match token.kind {
                Kind::String(end) | Kind::Name(end) => end,
                _ => End::Closed,
            };
            let found = match token.text {
                b"CASE" => self.mark(&tokens, at),
                b"ARRAY" => self.list(&tokens, at),
                _ => None,
            };
            if let Some((shown, behind)) = found {
                shown.write(out);
                at = behind;
                continue;
            }
            let continued = at == 0 && before != End::Closed;
            self.token(&tokens, at, continued, out);
            at += 1;
        }
        end
    }

    fn token(&self, tokens: &[Token<'_>], at: usize, continued: bool, out: &mut Vec<u8>) {
        let Some(token) = tokens.get(at) else { return };
        match token.kind {
            Kind::String(end) => {
                let behind = tokens.get(at + 1..).unwrap_or_default();
                let (open, inside) = match token.text {
                    text if continued => (&b""[..], text),
                    text => text.split_at_checked(1).unwrap_or((text, &[])),
                };
                let (inside, close) = match inside.strip_suffix(b"'") {
                    Some(inside) if end == End::Closed => (inside, &b"'"[..]),
                    _ => (inside, &b""[..]),
                };
                let hidden = self.is_hidden(inside, behind);
                out.extend_from_slice(open);
                out.extend_from_slice(if hidden { b"***" } else { inside });
                out.extend_from_slice(close);
            }
            Kind::Number if !is_structural(tokens, at) => out.extend_from_slice(b"***"),
            _ => out.extend_from_slice(token.text),
        }
    }

    /// Whether what stands in a string could be a key.
    fn is_hidden(&self, inside: &[u8], behind: &[Token<'_>]) -> bool {
        let has_digits = inside.iter().any(u8::is_ascii_digit);
        let is_id = uuid_text::parse(inside).is_some();
        let may_be_key = self.stored.occur_in(inside) || has_digits && !is_id;
        // A date is none, whatever the keys are.
        let is_date = is_date(inside) && is_date_type(behind);
        self.codecs.tags.occur_in(inside) || may_be_key && !is_date
    }
}

/// Whether a number belongs to the name of a part of the plan (`SubPlan 1`) or of a type.
fn is_structural(tokens: &[Token<'_>], at: usize) -> bool {
    let before = tokens.get(..at).unwrap_or_default();
    if let [.., word, blank] = before
        && blank.kind == Kind::Blank
        && word.kind == Kind::Word
        && matches!(word.text, b"SubPlan" | b"InitPlan")
    {
        return true;
    }
    // `::numeric(12,2)`
    let is_part = |token: &&Token<'_>| token.kind == Kind::Number || token.text == b",";
    let numbers = before.iter().rev().take_while(is_part).count();
    let before = before.get(..before.len() - numbers).unwrap_or_default();
    let texts: Vec<&[u8]> = before
        .iter()
        .rev()
        .take(5)
        .map(|token| token.text)
        .collect();
    match texts.as_slice() {
        [b"(", b"varying", b" ", b"character" | b"bit", b"::", ..] => true,
        [b"(", word, b"::", ..] => matches!(
            *word,
            b"numeric" | b"character" | b"bit" | b"timestamp" | b"time" | b"interval"
        ),
        _ => false,
    }
}

/// `2024-01-31` and perhaps more of the kind.
fn is_date(text: &[u8]) -> bool {
    let shape: Vec<bool> = text.iter().take(10).map(u8::is_ascii_digit).collect();
    let digits = [true, true, true, true, false, true, true, false, true, true];
    shape == digits
        && text.get(4) == Some(&b'-')
        && text.get(7) == Some(&b'-')
        && text
            .iter()
            .all(|byte| byte.is_ascii_digit() || b"-: .+".contains(byte))
}

fn is_date_type(behind: &[Token<'_>]) -> bool {
    match behind {
        [sign, word, ..] => sign.text == b"::" && matches!(word.text, b"date" | b"timestamp"),
        _ => false,
    }
}
