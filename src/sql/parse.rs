//! Tokens to a syntax tree. The only caller of sqlparser's parser; its tokeniser is not used.
//!
//! sqlparser never looks at spans, so they carry byte offsets: [`range`] turns any span of the
//! tree into a range of the text.

use std::ops::Range;

use sqlparser::ast::{Statement, Value};
use sqlparser::tokenizer::Span;

use super::lex::Token;

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
pub(crate) fn parse(_text: &str, _tokens: &[Token<'_>]) -> Result<Statement, ParseError> {
    Err(ParseError::TooComplex)
}

/// The bytes of the text that a span of the tree covers; empty at 0 for a span that is unknown.
pub(crate) fn range(span: Span) -> Range<usize> {
    let offset = |column: u64| usize::try_from(column).unwrap_or(0);
    offset(span.start.column)..offset(span.end.column)
}

/// The value of a string literal of the tree, whatever its spelling was; `None` for other values.
pub(crate) fn string_value(value: &Value) -> Option<&str> {
    match value {
        Value::SingleQuotedString(value) | Value::EscapedStringLiteral(value) => Some(value),
        _ => None,
    }
}
