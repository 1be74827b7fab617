//! Columns whose documents could have keys in them, by their type, their name, or what is said of
//! them. No document is read.

use crate::catalog::KeyType;
use crate::pg::oid;

use super::survey::Site;
use crate::catalog::keys::words;

/// Words of names whose documents tell of rows.
const TELLING: &[&str] = &[
    "after",
    "args",
    "arguments",
    "audit",
    "before",
    "change",
    "changed",
    "changes",
    "changeset",
    "context",
    "delta",
    "diff",
    "event",
    "ids",
    "job",
    "message",
    "new",
    "old",
    "params",
    "parameters",
    "payload",
    "record",
    "references",
    "relations",
    "request",
    "response",
    "row",
    "snapshot",
    "task",
    "webhook",
];

/// Words that say that text is a document.
const WRITTEN: &[&str] = &["json", "jsonb", "payload", "changeset", "ids"];

/// Why a column may hold documents with keys in them; none if nothing says so.
pub(super) fn suspect(site: &Site<'_>) -> Option<&'static str> {
    let name = words::snake(&site.column.name);
    let has = |words: &[&str]| name.split('_').any(|word| words.contains(&word));
    let is_json = is_document(site);
    if is_json && has(TELLING) {
        return Some("by its name");
    }
    let is_text =
        matches!(site.key_type(), Some((of, false)) if of.is_text() && of != KeyType::Bpchar);
    if is_text && !site.unique.alone && has(WRITTEN) {
        return Some("by its name");
    }
    let comment = site.fact.comment.as_deref().unwrap_or("").to_lowercase();
    let mut words = comment.split(|c: char| !c.is_alphanumeric());
    let tells = match is_json {
        true => words.any(|word| ["id", "ids", "key", "keys"].contains(&word)),
        false => is_text && words.any(|word| ["json", "ids"].contains(&word)),
    };
    tells.then_some("by its comment")
}

/// Whether a column is of a type of documents.
pub(super) fn is_document(site: &Site<'_>) -> bool {
    matches!(site.column.type_oid.0, oid::JSON | oid::JSONB)
}
