//! Assignments to a part of a column, `SET a[1] = …` and `SET a[1:2] = …`, which sqlparser has not.
//! Each subscript becomes an assignment of its own, and the column is followed by a name that says
//! what of it is assigned. No token of a statement is a name in such brackets.

use std::ops::Range;

use sqlparser::ast::{Ident, ObjectName};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token as ParserToken, Word};

use super::Rewriter;

/// The quotes of the names that are made here.
const BRACKET: char = '[';
const INDEX: &str = "index";
const ELEMENT: &str = "element";
const SLICE: &str = "slice";

/// What an assignment gives a value to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Nothing: its value is a subscript of the next target.
    Subscript,
    /// An element of a column.
    Element,
    /// Several elements of a column.
    Slice,
}

impl Part {
    /// What the target of an assignment is a part of, if it is one.
    pub(crate) fn of(target: &ObjectName) -> Option<Self> {
        let last = target.0.last()?.as_ident()?;
        let Ident {
            value,
            quote_style: Some(BRACKET),
            ..
        } = last
        else {
            return None;
        };
        Some(match value.as_str() {
            INDEX => Self::Subscript,
            ELEMENT => Self::Element,
            _ => Self::Slice,
        })
    }
}

impl Rewriter<'_> {
    /// `SET a[i][lo:hi] = …` to `SET [index] = (i), [index] = (lo), [index] = (hi), a.[slice] = …`.
    pub(super) fn assigned_subscript(&mut self) -> bool {
        let is_target = self
            .assignments
            .as_ref()
            .is_some_and(|clause| clause.target && clause.depth == self.open.len());
        let Some(name) = self.at.checked_sub(1) else {
            return false;
        };
        if !is_target || self.name(name).is_none() || self.mark_before(name) == Some(".") {
            return false;
        }
        let mut end = self.at;
        while let (Some("["), Some(behind)) = (self.mark(end), self.behind_brackets(end)) {
            end = behind;
        }
        if self.mark(end) != Some("=") {
            return false;
        }
        let Some(column) = self.written.pop() else {
            return false;
        };
        let mut part = ELEMENT;
        while self.at < end {
            let behind = self.behind_brackets(self.at).unwrap_or(end);
            self.open.push(self.at);
            let bounds = self.bounds(self.at, behind - 1);
            if bounds.len() > 1 {
                part = SLICE;
            }
            for bound in bounds.into_iter().filter(|bound| !bound.is_empty()) {
                self.write_subscript(bound);
            }
            self.open.pop();
            self.at = behind;
        }
        self.written.push(column);
        let behind = self.tokens[name].span.end;
        self.write(ParserToken::Period, behind..behind);
        self.write_part(part, behind);
        true
    }

    /// The two sides of a colon directly between two brackets, or all there is.
    fn bounds(&self, open: usize, close: usize) -> Vec<Range<usize>> {
        let is_colon =
            |at: &usize| self.mark(*at) == Some(":") && self.partners.around(*at) == Some(open);
        let inside = open + 1..close;
        match inside.clone().find(is_colon) {
            Some(colon) => vec![inside.start..colon, colon + 1..close],
            None => vec![inside],
        }
    }

    /// `[index] = (…),`
    fn write_subscript(&mut self, tokens: Range<usize>) {
        let start = self.tokens[tokens.start].span.start;
        self.write_part(INDEX, start);
        self.write(ParserToken::Eq, start..start);
        self.write(ParserToken::LParen, start..start);
        self.at = tokens.start;
        while self.at < tokens.end {
            if !self.rewrite() {
                self.copy();
            }
        }
        let end = self.tokens[tokens.end - 1].span.end;
        self.write(ParserToken::RParen, end..end);
        self.write(ParserToken::Comma, end..end);
    }

    fn write_part(&mut self, part: &str, at: usize) {
        let word = Word {
            value: part.to_owned(),
            quote_style: Some(BRACKET),
            keyword: Keyword::NoKeyword,
        };
        self.write(ParserToken::Word(word), at..at);
    }
}
