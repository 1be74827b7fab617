//! Tokens to a syntax tree. The only caller of sqlparser's parser; its tokeniser is not used.
//!
//! What the tree looks like, beyond what sqlparser says:
//! - sqlparser never looks at spans, so they carry byte offsets: [`range`] turns any span of the
//!   tree into a range of the text.
//! - Names are as Postgres compares them (folded, unescaped, cut), quoted or not.
//! - String literals, however spelled, are one variant ([`string_value`]); their span is the whole
//!   literal with prefix, quotes and continuations. No string is ever taken for a name or an alias.
//!   One that was blanked is of a variant of its own and has no value ([`is_string`]).
//! - Type names of one word are `DataType::Custom`, whose name has a span. `uuid '…'` is a cast.
//! - Operators bind as in Postgres, whose reserved words begin no expression. `(VALUES …)` in
//!   an expression is a subquery. An operator that sqlparser does not know is a custom one.
//! - What sqlparser's grammar lacks is rewritten token by token (see `rewrite`), what it would
//!   get wrong is an error.

mod dialect;
pub(super) mod keywords;
mod rewrite;

pub(crate) use rewrite::{Added, Part};

use std::ops::Range;

use sqlparser::ast::{Statement, Value};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Span, Token as ParserToken};

use super::blank;
use super::lex::{Token, TokenKind};

/// How deep a statement may be nested. Postgres's own bound (`max_stack_depth`) is far beyond,
/// people's statements far below.
const MAX_DEPTH: usize = 300;

/// How many operators one expression may chain. The tree of a chain is as deep as the chain is
/// long, and whoever walks or drops it needs stack for that. Postgres itself gives up at about as
/// many chained `+`.
const MAX_CHAIN: usize = 10_000;

/// Why there is no syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParseError {
    /// Not in the grammar that pgveil knows.
    #[error("pgveil can't parse this statement")]
    Syntax {
        /// The byte offset where it stops making sense, if known.
        at: Option<usize>,
    },
    /// Longer or deeper than pgveil is ready to analyse.
    #[error("this statement is too complex for pgveil")]
    TooComplex,
}

/// Parses one statement: a run of tokens without the semicolon.
pub(crate) fn parse(text: &str, tokens: &[Token<'_>]) -> Result<Statement, ParseError> {
    if longest_chain(text, tokens) > MAX_CHAIN {
        return Err(ParseError::TooComplex);
    }
    let mut parser = Parser::new(&dialect::Postgres)
        .with_recursion_limit(MAX_DEPTH)
        .with_tokens_with_locations(rewrite::rewrite(text, tokens));
    let statement = parser.parse_statement().map_err(|error| match error {
        ParserError::RecursionLimitExceeded => ParseError::TooComplex,
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            ParseError::Syntax {
                at: place(&message),
            }
        }
    })?;
    let next = parser.peek_token_ref();
    match next.token {
        ParserToken::EOF => Ok(statement),
        _ => Err(ParseError::Syntax {
            at: Some(range(next.span).start),
        }),
    }
}

/// The bytes of the text that a span of the tree covers; empty at 0 for a span that is unknown.
pub(crate) fn range(span: Span) -> Range<usize> {
    let offset = |column: u64| usize::try_from(column).unwrap_or(0);
    offset(span.start.column)..offset(span.end.column)
}

/// The value of a string literal of the tree, whatever its spelling was; `None` for other values
/// and for one that is blank. On what it says the meaning of a statement may depend.
pub(crate) fn string_value(value: &Value) -> Option<&str> {
    match value {
        Value::EscapedStringLiteral(value) => Some(value),
        Value::NationalStringLiteral(placeholder) => {
            blank::ask(placeholder);
            None
        }
        _ => None,
    }
}

/// The value of a string literal of the tree, also of one that is blank, for those who pass it on
/// without a look at it.
pub(crate) fn string_unread(value: &Value) -> Option<String> {
    match value {
        Value::EscapedStringLiteral(value) => Some(value.clone()),
        Value::NationalStringLiteral(_) => Some(blank::unread()),
        _ => None,
    }
}

/// Whether a value of the tree is a string literal, with a value or blank.
pub(crate) const fn is_string(value: &Value) -> bool {
    matches!(
        value,
        Value::EscapedStringLiteral(_) | Value::NationalStringLiteral(_)
    )
}

/// The byte offset in a message of sqlparser's, which calls it a column.
fn place(message: &str) -> Option<usize> {
    let (_, place) = message.rsplit_once("Column: ")?;
    place
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// An upper bound of the depth that chained operators give the tree: the most of them that lie
/// between two commas, those in parentheses included.
fn longest_chain(text: &str, tokens: &[Token<'_>]) -> usize {
    let mut levels = vec![Chain::default()];
    for token in tokens {
        let Some(level) = levels.last_mut() else {
            break;
        };
        match &token.kind {
            TokenKind::Punctuation => match &text[token.span.clone()] {
                "(" => levels.push(Chain::default()),
                "[" => {
                    level.current += 1;
                    levels.push(Chain::default());
                }
                ")" | "]" => {
                    let inner = level.longest();
                    levels.pop();
                    match levels.last_mut() {
                        Some(outer) => outer.current += inner,
                        None => levels.push(Chain {
                            current: inner,
                            ..Chain::default()
                        }),
                    }
                }
                "," => {
                    level.finished = level.finished.max(level.current);
                    level.current = 0;
                }
                "::" | "." => level.current += 1,
                _ => {}
            },
            TokenKind::Operator => level.current += 1,
            TokenKind::Word {
                value,
                quoted: false,
            } => match value.as_ref() {
                // A comma in a select list does not end a chain of these.
                "union" | "intersect" | "except" => level.set_operations += 1,
                "and" | "or" | "not" | "is" | "isnull" | "notnull" | "like" | "ilike" | "in"
                | "between" | "similar" | "at" | "collate" | "operator" | "overlaps" => {
                    level.current += 1;
                }
                _ => {}
            },
            _ => {}
        }
    }
    levels.iter().map(Chain::longest).sum()
}

/// The operators at one level of parentheses.
#[derive(Default)]
struct Chain {
    /// Since the last comma.
    current: usize,
    /// The most between two commas before.
    finished: usize,
    /// UNION and its like.
    set_operations: usize,
}

impl Chain {
    fn longest(&self) -> usize {
        self.current.max(self.finished) + self.set_operations
    }
}

#[cfg(test)]
mod tests;
