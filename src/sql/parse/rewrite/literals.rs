//! Literals with a type in front, and which words are keywords.

use std::ops::Range;

use sqlparser::tokenizer::Token as ParserToken;

use super::super::super::lex::TokenKind;
use super::super::super::normalize::string_of;
use super::super::keywords::is_keyword;
use super::{Rewriter, operators};

impl Rewriter<'_> {
    /// `uuid '…'` to `'…'::uuid`, for all types whose name sqlparser doesn't know as such.
    pub(super) fn typed_literal(&mut self) -> bool {
        let Some(name_end) = self.behind_name(self.at) else {
            return false;
        };
        if self
            .word(self.at)
            .is_some_and(|word| is_keyword(word) && name_end == self.at + 1)
        {
            return false;
        }
        let type_end = self.behind_modifiers(name_end);
        let is_operand = !self.follows_operand(self.at)
            && !matches!(self.word_before(self.at), Some("as" | "language"))
            && self.mark_before(self.at) != Some("::");
        if !self.is_string(type_end) || !is_operand {
            return false;
        }
        let literal = &self.tokens[type_end];
        self.write(self.literal(literal), literal.span.clone());
        self.write(ParserToken::DoubleColon, literal.span.end..literal.span.end);
        self.write_verbatim(self.at..type_end);
        self.at = type_end + 1;
        true
    }

    /// `character varying` to `varchar` where it is the type of a cast: the tree then tells where
    /// it is written. A type of two words would have to be searched for.
    pub(super) fn varying(&mut self) -> bool {
        let is_cast =
            self.mark_before(self.at) == Some("::") || self.word_before(self.at) == Some("as");
        if !is_cast || self.word(self.at + 1) != Some("varying") {
            return self.typed_literal();
        }
        let span = self.tokens[self.at].span.start..self.tokens[self.at + 1].span.end;
        self.write_word("varchar", false, span);
        self.at += 2;
        true
    }

    /// A word behind a dot is a name, whatever it is elsewhere.
    pub(super) fn field(&mut self) -> bool {
        let Some(word) = self.word(self.at) else {
            return false;
        };
        self.write_word(word, false, self.tokens[self.at].span.clone());
        self.at += 1;
        true
    }

    /// The index behind type modifiers, `(3)` or `(10, 2)`, if there are any.
    fn behind_modifiers(&self, index: usize) -> usize {
        let is_modifier = |index: usize| {
            matches!(self.tokens[index].kind, TokenKind::Number)
                || self.mark(index) == Some(",")
                || self.is_sign_of_scale(index)
        };
        match (self.mark(index), self.behind_brackets_nearby(index)) {
            (Some("("), Some(end)) if (index + 1..end - 1).all(is_modifier) => end,
            _ => index,
        }
    }

    /// Whether the token at an index is the sign of a scale, `numeric(2,-3)`: those words are never
    /// functions.
    fn is_sign_of_scale(&self, index: usize) -> bool {
        let is_number = |index: usize| {
            let token = self.tokens.get(index);
            token.is_some_and(|token| matches!(token.kind, TokenKind::Number))
        };
        let before = |many| index.checked_sub(many);
        let word = before(4).and_then(|index| self.word(index));
        self.mark(index) == Some("-")
            && is_number(index + 1)
            && self.mark(index + 2) == Some(")")
            && before(1).and_then(|index| self.mark(index)) == Some(",")
            && before(2).is_some_and(is_number)
            && before(3).and_then(|index| self.mark(index)) == Some("(")
            && matches!(word, Some("numeric" | "decimal" | "dec"))
    }

    /// Writes the sign of a scale with its number, as one.
    pub(super) fn negative_scale(&mut self) -> bool {
        if !self.is_sign_of_scale(self.at) {
            return false;
        }
        self.write_scale(self.at);
        self.at += 2;
        true
    }

    fn write_scale(&mut self, sign: usize) {
        let [sign, number] = [sign, sign + 1].map(|index| self.tokens[index].span.clone());
        let scale = format!("-{}", &self.text[number.clone()]);
        self.write(ParserToken::Number(scale, false), sign.start..number.end);
    }

    /// As `behind_brackets`, but looks no further than modifiers could reach: this is asked for
    /// every function call.
    fn behind_brackets_nearby(&self, index: usize) -> Option<usize> {
        (index + 1..index + 6)
            .find(|&at| self.mark(at) == Some(")"))
            .map(|at| at + 1)
    }

    /// Writes the tokens of a type name.
    fn write_verbatim(&mut self, tokens: Range<usize>) {
        for index in tokens {
            let token = &self.tokens[index];
            if self.is_sign_of_scale(index) {
                self.write_scale(index);
                continue;
            }
            if index > 0 && self.is_sign_of_scale(index - 1) {
                continue;
            }
            match (self.word(index), self.name(index), self.mark(index)) {
                (Some(word), ..) => self.write_word(word, false, token.span.clone()),
                (_, Some(name), _) => self.write_name(name, token.span.clone()),
                (.., Some(mark)) => self.write(operators::punctuation(mark), token.span.clone()),
                _ => self.write(self.literal(token), token.span.clone()),
            }
        }
    }

    /// Whether sqlparser should see the word at an index as a keyword. A name of one word for a
    /// type is none, so that the tree has its span; types of several words need theirs.
    pub(super) fn keyword_at(&self, index: usize) -> bool {
        let Some(word) = self.word(index) else {
            return false;
        };
        let next = self.word(index + 1);
        let has_argument = self.is_string(index + 1) || self.mark(index + 1) == Some("(");
        match word {
            "bit" | "character" => next == Some("varying"),
            "double" => next == Some("precision"),
            "national" => matches!(next, Some("character" | "char")),
            "time" | "timestamp" => {
                has_argument
                    || next == Some("zone")
                    || matches!(next, Some("with" | "without"))
                        && self.word(index + 2) == Some("time")
            }
            "interval" => {
                let is_field = |word| {
                    matches!(
                        word,
                        "year" | "month" | "day" | "hour" | "minute" | "second"
                    )
                };
                has_argument || next.is_some_and(is_field)
            }
            "json" => matches!(self.word_before(index), Some("is" | "not")),
            "path" => self.is_string(index + 1),
            _ => is_keyword(word),
        }
    }

    /// `EXTRACT('epoch' FROM …)`: the field is a name in quotes.
    pub(super) fn extract_string(&mut self) -> bool {
        if self.mark(self.at + 1) != Some("(") || self.word(self.at + 3) != Some("from") {
            return false;
        }
        let Some(field) = self.tokens.get(self.at + 2).and_then(string_of) else {
            return false;
        };
        self.copy();
        self.copy();
        let span = self.tokens[self.at].span.clone();
        self.write(ParserToken::SingleQuotedString(field.to_string()), span);
        self.at += 1;
        true
    }
}
