//! Names under a search path that a statement has just set: the server has not been asked yet which
//! of its schemas the role may use, and it passes over the others without a word.

use std::collections::HashSet;

use super::Context;
use super::lex::{self, Token};
use crate::catalog::{Code, SearchPath};

/// Gives a path if all that a statement may name means the same, whichever of its schemas the server
/// passes over: by itself, in its literals, and in functions that look for names when they are run.
pub(super) fn certain<'p>(
    context: &Context<'_>,
    path: Option<&'p SearchPath>,
    tokens: &[Token<'_>],
) -> Option<&'p SearchPath> {
    path.filter(|path| !path.is_assumed() || is_certain(context, path, tokens))
}

fn is_certain(context: &Context<'_>, path: &SearchPath, tokens: &[Token<'_>]) -> bool {
    let snapshot = context.snapshot;
    let literals = lex::identifiers_in_body(tokens, context.standard_conforming_strings);
    let mut names: Vec<String> = lex::identifiers(tokens).map(str::to_owned).collect();
    names.extend(literals);
    let mut seen = HashSet::new();
    while let Some(name) = names.pop() {
        if !snapshot.is_certain(&name, path) {
            return false;
        }
        for function in snapshot.functions().of_user(None, &name) {
            let Code::Sql(code) = &function.code else {
                continue;
            };
            if !seen.insert(function.oid) {
                continue;
            }
            let Ok(tokens) = lex::lex(code, true) else {
                return false;
            };
            names.extend(lex::identifiers(&tokens).map(str::to_owned));
        }
    }
    true
}
