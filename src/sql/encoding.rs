//! Statement text in encodings other than UTF-8.

use std::borrow::Cow;

use super::refusal::{Code, Refusal};
use super::{Context, lex};

/// In the place of a `client_encoding` that is not known at the moment. Nothing is safe in it.
pub const UNKNOWN: &str = "unknown";

/// Whether a byte of ASCII is a letter of ASCII in an encoding, wherever it stands. In others
/// (BIG5, GB18030, GBK, JOHAB, SHIFT_JIS_2004, SJIS, UHC) it may be the second half of a letter, so
/// that a quote or backslash can't be told from text. Names are compared as Postgres compares them;
/// one that is not known is not safe.
pub(super) fn is_ascii_safe(encoding: &str) -> bool {
    let name: String = encoding
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    // `windows949`, `win932` and others are further names of the encodings above.
    let single_bytes = [
        "1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258", "866", "874",
    ];
    let windows = name.strip_prefix("windows").or(name.strip_prefix("win"));
    windows.is_some_and(|number| single_bytes.contains(&number))
        || name.is_empty()
        || [
            "utf8", "unicode", "sqlascii", "euc", "latin", "iso8859", "koi8", "mule", "abc",
        ]
        .iter()
        .any(|safe| name.starts_with(safe))
}

/// Whether a text means the same whatever the settings are that it is read by.
#[must_use]
pub fn reads_in_one_way(text: &[u8]) -> bool {
    match std::str::from_utf8(text) {
        Ok(text) if text.is_ascii() => lex::lex(text, true) == lex::lex(text, false),
        _ => false,
    }
}

/// The text for the lexer, byte for byte as long as the original. In an encoding that is not
/// UTF-8 each byte beyond ASCII becomes a letter: names and literals with such letters then mean
/// nothing, but no id and no annotated name that we look for has any.
pub(super) fn readable<'t>(
    text: &'t [u8],
    context: &Context<'_>,
) -> Result<Cow<'t, str>, Box<Refusal>> {
    let utf8 = matches!(context.client_encoding, "UTF8" | "UNICODE" | "");
    if let Ok(text) = std::str::from_utf8(text)
        && (utf8 || text.is_ascii())
    {
        return Ok(Cow::Borrowed(text));
    }
    if context.snapshot.has_ids()
        && (!is_ascii_safe(context.client_encoding)
            || context.snapshot.has_protected_name_beyond_ascii())
    {
        let message = format!(
            "pgveil can't analyse text beyond ASCII in client_encoding {}",
            context.client_encoding
        );
        let refusal = Refusal::unsupported(Code::Unsupported, message);
        return Err(Box::new(refusal.hint("SET client_encoding TO 'UTF8'.")));
    }
    let masked = text.iter().map(|byte| {
        if byte.is_ascii() {
            char::from(*byte)
        } else {
            'z'
        }
    });
    Ok(Cow::Owned(masked.collect()))
}
