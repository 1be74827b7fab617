//! Text of a document that becomes a key in SQL: what is no key becomes NULL. An error about it
//! would quote it, and where the whole document is shown it is null too.

use super::codecs::Codecs;
use crate::catalog::IdType;
use crate::codec::KeyTexts;
use crate::pg::reserved::first_unreserved;

/// Integers in their shortest spelling.
const INTEGER: &str = "^(?:0|-?[1-9][0-9]{0,18})$";

/// What stands in front of an expression whose value is such a text.
pub(super) fn open(codecs: &Codecs, id: IdType) -> Option<String> {
    Some(match key_texts(codecs, id)? {
        KeyTexts::Integers(_) => {
            let range = "pg_catalog.jsonb_path_query_first(pg_catalog.to_jsonb(";
            format!("({range}pg_catalog.\"substring\"(")
        }
        KeyTexts::Matching(_) => "(pg_catalog.\"substring\"(".to_owned(),
    })
}

/// What stands behind it.
pub(super) fn close(codecs: &Codecs, id: IdType) -> Option<String> {
    let cast = id.key_type.sql();
    Some(match key_texts(codecs, id)? {
        KeyTexts::Integers(ranges) => {
            let (least, greatest) = (first_unreserved(id.key_type), id.key_type.maximum());
            let ranges = ranges.into_iter().map(|(low, high)| {
                let (low, high) = (low.max(least), high.min(greatest));
                format!("@ >= {low} && @ <= {high}")
            });
            let within = ranges.collect::<Vec<_>>().join(" || ");
            format!(", '{INTEGER}')::pg_catalog.\"numeric\"), '$ ? ({within})')::{cast})")
        }
        KeyTexts::Matching(pattern) if id.key_type.is_text() => format!(", '{pattern}'))"),
        KeyTexts::Matching(pattern) => format!(", '{pattern}')::{cast})"),
    })
}

fn key_texts(codecs: &Codecs, id: IdType) -> Option<KeyTexts> {
    let codec = codecs.codec(id.domain)?;
    codec.key_texts(id.key_type.value_type())
}
