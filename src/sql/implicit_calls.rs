//! Functions that run without being called by name: behind operators and casts.

use std::ops::Range;

use super::Context;
use super::lex::{Token, TokenKind, identifiers_in_body, lex};
use super::split;
use crate::catalog::{FunctionKind, HiddenCall};
use crate::pg::functions::notifies;

/// Words that stand for operators.
const OPERATOR_WORDS: &[(&str, &[&str])] = &[
    ("between", &["<", "<=", ">", ">="]),
    ("case", &["="]),
    ("distinct", &["="]),
    ("ilike", &["~~*", "!~~*"]),
    ("in", &["=", "<>"]),
    ("like", &["~~", "!~~"]),
    ("natural", &["="]),
    ("nullif", &["="]),
    ("similar", &["~", "!~"]),
    ("using", &["="]),
];

/// The words that may stand for an operator.
pub(crate) fn words_for(operator: &str) -> impl Iterator<Item = &'static str> {
    let stands = move |(_, operators): &&(&str, &[&str])| operators.contains(&operator);
    OPERATOR_WORDS.iter().filter(stands).map(|(word, _)| *word)
}

/// The functions that may run unasked in what some tokens of a text say, and where; but for those of
/// extensions that compute of their arguments alone, and of Postgres's own only those whose result may
/// be data.
pub(super) fn hidden_calls<'a>(
    tokens: &'a [Token<'_>],
    text: &'a str,
    context: &'a Context<'_>,
) -> impl Iterator<Item = (HiddenCall<'a>, Range<usize>)> {
    let snapshot = context.snapshot;
    let tokens = if snapshot.has_hidden_calls() {
        tokens
    } else {
        &[]
    };
    let everywhere = snapshot.hidden_in_casts(context.declared);
    let everywhere = everywhere.map(|call| (call, split::bytes(tokens)));
    let at_tokens = tokens.iter().flat_map(|token| {
        let calls = names(token, text).flat_map(|name| snapshot.hidden_behind(name));
        calls.map(|call| (call, token.span.clone()))
    });
    let matters = |(call, _): &(HiddenCall<'_>, _)| match call {
        HiddenCall::Defined(function) => !function.computes_alone(),
        HiddenCall::BuiltIn(name) if notifies(name) => snapshot.has_channels(),
        HiddenCall::BuiltIn(name) => {
            let kind = snapshot.functions().built_in(Some("pg_catalog"), name);
            match kind {
                FunctionKind::BuiltIn { returns_data } => returns_data,
                FunctionKind::Opaque | FunctionKind::Unknown => true,
            }
        }
    };
    everywhere.chain(at_tokens).filter(matters)
}

/// Whether code, of whatever language, may run a function unasked, in the literals in it too; but
/// for those of extensions that compute of their arguments alone.
pub(super) fn hides_calls(code: &str, context: &Context<'_>) -> bool {
    if !context.snapshot.has_hidden_calls() {
        return false;
    }
    let standard = context.standard_conforming_strings;
    let Ok(tokens) = lex(code, standard) else {
        return true;
    };
    if hidden_calls(&tokens, code, context).next().is_some() {
        return true;
    }
    let matters = |call| !matches!(call, HiddenCall::Defined(of) if of.computes_alone());
    let inner = identifiers_in_body(&tokens, standard);
    let mut hidden = inner
        .iter()
        .flat_map(|name| context.snapshot.hidden_behind(name));
    hidden.any(matters)
}

/// The names that a token is, or stands for.
fn names<'a>(token: &'a Token<'_>, text: &'a str) -> impl Iterator<Item = &'a str> {
    let (name, meant): (_, &[&str]) = match &token.kind {
        TokenKind::Operator => (token.written(text), &[]),
        TokenKind::Word { value, .. } => {
            let found = OPERATOR_WORDS.iter().find(|(word, _)| word == value);
            (value.as_ref(), found.map_or(&[], |(_, meant)| meant))
        }
        _ => ("", &[]),
    };
    std::iter::once(name).chain(meant.iter().copied())
}
