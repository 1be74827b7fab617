//! A place in the tokens of a text: what stands there, what stands between brackets and commas, and
//! steps behind it. What is not there is the empty word, which is no name and no sign.

use std::ops::Range;

use super::{Brackets, Depth, Token, TokenKind};

/// A place in a run of tokens of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
    /// The index of the token that stands there.
    pub(crate) at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) const fn new(text: &'t str, tokens: &'t [Token<'t>], at: usize) -> Self {
        Self { text, tokens, at }
    }

    pub(crate) fn token(self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    /// The word that stands there, quoted or not.
    pub(crate) fn word(self) -> &'t str {
        self.token().and_then(Token::word).unwrap_or_default()
    }

    /// The word that stands there, if nobody has quoted it.
    pub(crate) fn keyword(self) -> &'t str {
        self.token().and_then(Token::keyword).unwrap_or_default()
    }

    /// What stands there as it is written, be it a sign.
    pub(crate) fn written(self) -> &'t str {
        self.token().map_or("", |token| token.written(self.text))
    }

    /// The place so many tokens behind this one.
    pub(crate) const fn ahead(self, tokens: usize) -> Self {
        let at = self.at + tokens;
        Self { at, ..self }
    }

    /// Takes a keyword. Returns whether it was there.
    pub(crate) fn takes(&mut self, keyword: &str) -> bool {
        let found = self.keyword() == keyword;
        self.at += usize::from(found);
        found
    }

    /// Takes a sign. Returns whether it was there.
    pub(crate) fn takes_sign(&mut self, sign: &str) -> bool {
        let found = self.written() == sign;
        self.at += usize::from(found);
        found
    }

    /// Takes a word, quoted or not.
    pub(crate) fn take_word(&mut self) -> Option<&'t str> {
        let word = self.token()?.word()?;
        self.at += 1;
        Some(word)
    }

    /// Takes a string literal: its value.
    pub(crate) fn take_string(&mut self) -> Option<&'t str> {
        let TokenKind::String(value) = &self.token()?.kind else {
            return None;
        };
        self.at += 1;
        Some(value)
    }

    /// Takes a name with the dots in it: the last part, and the one in front of that.
    pub(crate) fn take_name(&mut self) -> (Option<&'t str>, &'t str) {
        let mut schema = None;
        while self.ahead(1).written() == "." {
            schema = Some(self.word());
            self.at += 2;
        }
        let name = self.word();
        self.at += 1;
        (schema, name)
    }

    /// The tokens from here on, each with its index and how many of the brackets that open here or
    /// behind are open around it.
    pub(crate) fn nested(
        self,
        brackets: Brackets,
    ) -> impl Iterator<Item = (usize, &'t Token<'t>, usize)> {
        let mut depth = Depth::new(brackets);
        let tokens = self.tokens.iter().enumerate().skip(self.at);
        tokens.map(move |(at, token)| {
            let sign = token.written(self.text).chars().next();
            (at, token, depth.around(sign.unwrap_or_default()))
        })
    }

    /// The index of the next keyword of this name outside of brackets.
    pub(crate) fn find(self, keyword: &str, brackets: Brackets) -> Option<usize> {
        let is_sought = |token: &Token<'_>| token.keyword() == Some(keyword);
        let mut nested = self.nested(brackets);
        let found = nested.find(|(_, token, depth)| *depth == 0 && is_sought(token));
        found.map(|(at, _, _)| at)
    }

    /// The index of what closes the bracket that opens here.
    pub(crate) fn closing(self) -> Option<usize> {
        let mut behind = self.nested(Brackets::All).skip(1);
        let closing = behind.find(|(_, _, depth)| *depth == 0);
        closing.map(|(at, _, _)| at)
    }

    /// What stands between the commas outside of brackets, from here to an index.
    pub(crate) fn between_commas(self, end: usize) -> Vec<Range<usize>> {
        let mut start = self.at;
        let mut parts = Vec::new();
        let inside = self.nested(Brackets::All);
        for (at, token, depth) in inside.take_while(|(at, _, _)| *at < end) {
            if depth == 0 && token.written(self.text) == "," {
                parts.push(start..at);
                start = at + 1;
            }
        }
        parts.push(start..end);
        parts
    }
}
