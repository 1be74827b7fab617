//! Which literals of a statement are blanked.

use std::borrow::Cow;
use std::ops::Range;

use super::super::lex::{Cursor, Token, TokenKind};

/// A literal that can be blanked.
#[derive(Debug, Clone)]
pub(super) struct Found<'a> {
    /// Its bytes.
    pub(super) span: Range<usize>,
    pub(super) value: Cow<'a, str>,
    pub(super) kind: Kind,
}

/// What a literal is, as far as a text with a blank in its place still tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Int4,
    Int8,
    Numeric,
}

impl Kind {
    /// What the analysis sees in the place of a literal: a blank string, or a number of the type
    /// that Postgres gives this one, and one that nobody would take for another.
    pub(super) const fn stand_in(self) -> &'static str {
        match self {
            Self::String => super::BLANK_STRING,
            Self::Int4 => "2013265921",
            Self::Int8 => "4611686018427387847",
            Self::Numeric => "2013265921.5",
        }
    }

    /// Whether what an analysis writes may come from something that was blanked.
    pub(super) fn is_in(text: &str) -> bool {
        text.contains(super::BLANK)
            || text.contains(Self::Int4.stand_in())
            || text.contains(Self::Int8.stand_in())
    }

    /// What the key of a text has in the place of a literal. No client can send a NUL, so a text
    /// tells from its key which of its literals are blanked, and none has the key of another.
    pub(super) const fn mark(self) -> &'static str {
        match self {
            Self::String => "\0s",
            Self::Int4 => "\0i",
            Self::Int8 => "\0b",
            Self::Numeric => "\0n",
        }
    }

    /// The type that Postgres gives a number; `None` for what is not written in plain digits.
    fn of_number(digits: &str) -> Option<Self> {
        let is_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        if let Some((whole, fraction)) = digits.split_once('.') {
            return (is_digits(whole) && is_digits(fraction)).then_some(Self::Numeric);
        }
        if !is_digits(digits) {
            None
        } else if digits.parse::<i32>().is_ok() {
            Some(Self::Int4)
        } else if digits.parse::<i64>().is_ok() {
            Some(Self::Int8)
        } else {
            None
        }
    }
}

/// A walk over the tokens of a statement.
pub(super) struct Literals<'a, 't> {
    text: &'a str,
    tokens: &'t [Token<'a>],
    /// For each bracket that is open, whether values are listed in it.
    lists: Vec<bool>,
    /// The depth at which the rows of VALUES stand, while they do.
    rows: Option<usize>,
}

impl<'a, 't> Literals<'a, 't> {
    pub(super) const fn new(text: &'a str, tokens: &'t [Token<'a>]) -> Self {
        Self {
            text,
            tokens,
            lists: Vec::new(),
            rows: None,
        }
    }

    pub(super) fn find(mut self) -> Vec<Found<'a>> {
        let mut literals = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let found = match &token.kind {
                TokenKind::String(value) => Some((value.clone(), Kind::String)),
                TokenKind::Number => {
                    let digits = &self.text[token.span.clone()];
                    let kind = Kind::of_number(digits).filter(|_| self.is_only_typed(index));
                    kind.map(|kind| (Cow::Borrowed(digits), kind))
                }
                _ => {
                    self.follow(index);
                    None
                }
            };
            literals.extend(found.map(|(value, kind)| Found {
                span: token.span.clone(),
                value,
                kind,
            }));
        }
        literals
    }

    fn mark(&self, index: usize) -> &'t str {
        Cursor::new(self.text, self.tokens, index).written()
    }

    fn word(&self, index: usize) -> &'t str {
        Cursor::new(self.text, self.tokens, index).keyword()
    }

    fn follow(&mut self, index: usize) {
        let depth = self.lists.len();
        match self.mark(index) {
            "(" => {
                let is_in = index > 0 && self.word(index - 1) == "in";
                self.lists.push(is_in || self.rows == Some(depth));
            }
            "[" => self.lists.push(false),
            ")" | "]" => {
                self.lists.pop();
            }
            "," if self.rows == Some(depth) => {}
            _ if self.word(index) == "values" => self.rows = Some(depth),
            _ if self.rows == Some(depth) => self.rows = None,
            _ => {}
        }
    }

    /// Whether nothing about a number in this place but its type can matter: it is compared or
    /// assigned, one of a list of values, or a count of rows.
    fn is_only_typed(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        let mark = self.mark(before);
        let listed = self.lists.last() == Some(&true)
            && matches!(mark, "(" | ",")
            && matches!(self.mark(index + 1), ")" | ",");
        listed
            || matches!(mark, "=" | "<" | ">" | "<=" | ">=" | "<>" | "!=")
            || matches!(self.word(before), "limit" | "offset")
    }
}
