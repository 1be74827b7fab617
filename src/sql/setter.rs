//! Whether code that nobody reads may change settings that change what a statement means: the text of
//! a function, a rule, or a query over `pg_settings`, whose rows set what they are updated to.

use std::collections::HashSet;

use super::lex::{self, Token};
use crate::catalog::{Relation, Snapshot};
use crate::pg::functions::{Effect, effect};

/// Whether code with these words in it may change settings by which later statements are read, or
/// change them back.
pub(super) fn may_change(words: &[String]) -> bool {
    let is = |word: &String, other: &&str| word.eq_ignore_ascii_case(other);
    let has = |list: &[&str]| {
        words
            .iter()
            .any(|word| list.iter().any(|other| is(word, other)))
    };
    has(&[
        "set_config",
        "search_path",
        "session_authorization",
        "client_encoding",
        "standard_conforming_strings",
        "reset",
        "commit",
        "rollback",
    ]) || has(&["set"]) && has(&["role", "schema", "authorization", "names"])
}

/// Whether a write to a relation may change settings: `pg_settings` sets what it is told to, and so
/// does a view over it.
pub(super) fn may_set(snapshot: &Snapshot, relation: &Relation) -> bool {
    relation.schema == "pg_catalog" && relation.name == "pg_settings"
        || names_settings(snapshot, relation.definition.as_deref())
}

/// Whether a definition names `pg_settings`, or a view whose definition does.
fn names_settings(snapshot: &Snapshot, definition: Option<&str>) -> bool {
    let mut definitions: Vec<&str> = definition.into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(definition) = definitions.pop() {
        let Ok(tokens) = lex::lex(definition, true) else {
            return true;
        };
        for word in lex::identifiers(&tokens) {
            if word == "pg_settings" {
                return true;
            }
            let views = snapshot.named(word).filter(|view| seen.insert(view.oid));
            definitions.extend(views.filter_map(|view| view.definition.as_deref()));
        }
    }
    false
}

/// Whether a query of these tokens, which is forwarded unread, may change settings.
pub(super) fn may_be_set_by(snapshot: &Snapshot, tokens: &[Token<'_>]) -> bool {
    lex::identifiers(tokens).any(|word| {
        let mut views = snapshot.named(word);
        effect(word) == Effect::Sets
            || word == "pg_settings"
            || calls_setter(snapshot, word)
            || views.any(|view| names_settings(snapshot, view.definition.as_deref()))
    })
}

fn calls_setter(snapshot: &Snapshot, word: &str) -> bool {
    let mut functions = snapshot.functions().of_user(None, word);
    functions.any(|function| function.changes_settings)
}

/// Whether code of a rule, as it is defined, may change settings.
pub(super) fn sets(snapshot: &Snapshot, definition: &str) -> bool {
    let Ok(tokens) = lex::lex(definition, true) else {
        return true;
    };
    let words: Vec<String> = lex::identifiers(&tokens).map(str::to_owned).collect();
    let calls = |word: &String| calls_setter(snapshot, word);
    may_change(&words) || words.iter().any(calls) || names_settings(snapshot, Some(definition))
}
