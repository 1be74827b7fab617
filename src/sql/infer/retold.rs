//! Which words of a statement name what is not answered as it stands: before it is read, and where it
//! can't be.

use std::ops::Range;

use crate::catalog::{SearchPath, Snapshot};
use crate::pg::functions::{Effect, Told, effect};
use crate::sql::lex::Token;

use super::around::around_serial_sequence;
use super::catalogs::Catalog;
use super::signatures::tells_signatures;

/// Relations of the information schema that tell of columns.
const OF_SCHEMA: [&str; 7] = [
    "attributes",
    "columns",
    "domains",
    "element_types",
    "parameters",
    "routines",
    "sequences",
];

/// What else may tell of functions by their signatures.
const OF_FUNCTIONS: [&str; 3] = [SIGNATURE, "has_function_privilege", "to_regprocedure"];

/// The type of functions by their signatures.
const SIGNATURE: &str = "regprocedure";

/// Whether a word is the type by which functions are told as they are seen outside.
fn is_of_signatures(word: &str, snapshot: &Snapshot) -> bool {
    word == SIGNATURE && tells_signatures(snapshot)
}

/// Whether a word may be the name of a view of users that tells what is stored.
fn is_view(word: &str, snapshot: &Snapshot) -> bool {
    snapshot.is_view_of_catalogs(word) && snapshot.has_ids() && snapshot.shows_ids()
}

/// Whether words of the definition of a view, with whole rows in it or not, name what tells otherwise
/// of columns of keys.
pub(super) fn tells_otherwise(words: &[&str], whole: bool, snapshot: &Snapshot) -> bool {
    let tells = |word: &&str| {
        let calls = match effect(word) {
            Effect::Tells(Told::Sequence) => true,
            Effect::Tells(Told::Signature | Told::Procedure) => tells_signatures(snapshot),
            _ => false,
        };
        calls || is_of_signatures(word, snapshot) || snapshot.is_view_of_catalogs(word)
    };
    words.iter().any(tells) || Catalog::is_read(words, whole, snapshot)
}

/// The schemas of the catalogs.
const SYSTEM: &str = "pg_catalog";
const INFORMATION: &str = "information_schema";

/// Whether a word of a statement may name what is not answered as it stands.
pub(in crate::sql) fn may_be_retold(word: &str, snapshot: &Snapshot) -> bool {
    let is_named = || {
        let tells = match effect(word) {
            Effect::Tells(Told::Sequence) => true,
            Effect::Tells(Told::Signature | Told::Procedure) => tells_signatures(snapshot),
            _ => false,
        };
        tells || Catalog::is_name(word) || is_of_signatures(word, snapshot)
    };
    // Cheap for the words of statements that are about something else.
    let may_be =
        word.starts_with("pg_") || OF_SCHEMA.contains(&word) || OF_FUNCTIONS.contains(&word);
    let is_told = may_be && snapshot.has_ids() && is_named();
    is_told || is_view(word, snapshot)
}

/// Whether a table of the system catalogs is not answered as it stands.
pub(in crate::sql) fn is_told_otherwise(table: &str, snapshot: &Snapshot) -> bool {
    snapshot.has_ids() && Catalog::of(SYSTEM, table, snapshot).is_some()
}

/// The first word of a statement that names what would be answered otherwise than it stands. Of a path
/// that is not known it is only taken for one where a relation must be named.
pub(in crate::sql) fn first_retold<'t>(
    (text, tokens): (&'t str, &'t [Token<'_>]),
    path: Option<&SearchPath>,
    snapshot: &Snapshot,
) -> Option<(&'t str, Range<usize>)> {
    if !snapshot.has_ids() {
        return None;
    }
    let written = |index: usize| tokens.get(index).map(|token| token.written(text));
    tokens.iter().enumerate().find_map(|(index, token)| {
        let word = token.word().filter(|word| may_be_retold(word, snapshot))?;
        let is_dotted = index > 0 && written(index - 1) == Some(".");
        let schema = index.checked_sub(2).filter(|_| is_dotted);
        let schema = schema.and_then(|index| tokens.get(index)?.word());
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let before = before.and_then(Token::keyword);
        let is_in = |of: &str| match path {
            _ if is_dotted => schema == Some(of),
            // Of no other schema are its relations the first to be found.
            _ if of == SYSTEM => true,
            Some(path) => path.schemas().any(|schema| schema == of),
            None => matches!(before, Some("from" | "join")),
        };
        let is_relation = |of: &str| is_in(of) && Catalog::of(of, word, snapshot).is_some();
        let calls = || match effect(word) {
            Effect::Tells(Told::Sequence) => around_serial_sequence(snapshot).is_some(),
            Effect::Tells(Told::Signature | Told::Procedure) => tells_signatures(snapshot),
            _ => false,
        };
        let is_called = written(index + 1) == Some("(") && is_in(SYSTEM) && calls();
        let is_told = is_of_signatures(word, snapshot)
            || is_called
            || is_relation(SYSTEM)
            || is_relation(INFORMATION);
        is_told.then(|| (word, token.span.clone()))
    })
}
