//! Functions of the user that run without being called by name: behind operators and casts.

use super::lex::{Token, TokenKind};
use crate::catalog::{Function, Functions};

/// The functions of the user that may be run where a token of a text is an operator, or names a
/// type.
pub(super) fn hidden_calls<'a>(
    token: &'a Token<'_>,
    text: &'a str,
    functions: &'a Functions,
) -> impl Iterator<Item = &'a Function> {
    let names = match &token.kind {
        TokenKind::Operator => [token.written(text), ""],
        TokenKind::Word { value, .. } => match value.as_ref() {
            "like" => ["~~", "!~~"],
            "ilike" => ["~~*", "!~~*"],
            name => [name, ""],
        },
        _ => [""; 2],
    };
    names
        .map(|name| functions.behind(name))
        .into_iter()
        .flatten()
}
