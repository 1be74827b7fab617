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
//! - Joins in brackets that come first in a FROM clause stand without them; others that begin with a
//!   bracket are a subquery ([`joined`]).
//! - What sqlparser's grammar lacks is rewritten token by token (see `rewrite`), what it would
//!   get wrong is an error.

mod brackets;
mod calls;
mod depth;
mod dialect;
pub(super) mod keywords;
mod rewrite;

pub(crate) use depth::cost;
pub(crate) use rewrite::{Added, NEW, OLD, Part, ROWS_FROM, joined};

use std::ops::Range;

use sqlparser::ast::{Statement, Value};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Span, Token as ParserToken};

use super::lex::{Partners, Token};
use super::normalize;
use calls::Lists;

/// How deep a tree may be. Postgres's own bounds (`max_stack_depth` at its default, and the stack
/// of its parser) lie below for every way to nest: 13,400 casts in a chain are the most.
const MAX_DEPTH: usize = 14_000;

/// How deep sqlparser counts that: brackets count for several levels.
const MAX_RECURSION: usize = 4 * MAX_DEPTH;

/// From so many AND and OR on between two brackets or commas, they become balanced trees: Postgres
/// takes any number.
const MANY_CONNECTIVES: usize = 200;

/// The stack that one level of a tree takes to be walked and dropped by functions that look for
/// no more of it, and that for what is not deep.
const LEVEL_BYTES: usize = if cfg!(debug_assertions) { 6144 } else { 2560 };
const BASE_BYTES: usize = 512 * 1024;

/// Why there is no syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParseError {
    /// Not in the grammar that pgveil knows.
    #[error("pgveil can't parse this statement")]
    Syntax {
        /// The byte offset where it stops making sense, if known.
        at: Option<usize>,
    },
    /// Deeper than Postgres would read it.
    #[error("stack depth limit exceeded")]
    TooDeep,
}

/// Parses one statement, a run of tokens without the semicolon, and hands it over where there is
/// stack enough to walk and to drop it: trees are as deep as chains of operators are long.
pub(crate) fn with_tree<T>(
    text: &str,
    tokens: &[Token<'_>],
    walk: impl FnOnce(Result<&Statement, ParseError>) -> T,
) -> T {
    let size = depth::of(text, tokens);
    if size.depth > MAX_DEPTH {
        return walk(Err(ParseError::TooDeep));
    }
    let needed = BASE_BYTES + size.depth * LEVEL_BYTES;
    stacker::maybe_grow(needed, needed, || {
        let parsed = parse_sized(text, tokens, size);
        walk(parsed.as_ref().map_err(|error| *error))
    })
}

/// Parses one statement of a depth that is known to be small.
#[cfg(test)]
pub(crate) fn parse(text: &str, tokens: &[Token<'_>]) -> Result<Statement, ParseError> {
    parse_sized(text, tokens, depth::of(text, tokens))
}

fn parse_sized(
    text: &str,
    tokens: &[Token<'_>],
    size: depth::Size,
) -> Result<Statement, ParseError> {
    let partners = Partners::of(text, tokens);
    let dialect = dialect::Postgres {
        chained: size.chained,
        lists: Lists::of(text, tokens, &partners),
    };
    let mut parser = Parser::new(&dialect)
        .with_recursion_limit(MAX_RECURSION)
        .with_tokens_with_locations(rewrite::rewrite(text, tokens, partners));
    let statement = parser.parse_statement().map_err(|error| match error {
        ParserError::RecursionLimitExceeded => ParseError::TooDeep,
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
            normalize::ask(placeholder);
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
        Value::NationalStringLiteral(_) => Some(normalize::unanalysed()),
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

#[cfg(test)]
mod tests;
