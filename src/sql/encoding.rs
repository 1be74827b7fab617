//! Statement text in encodings other than UTF-8.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::lex::{Token, TokenKind};
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

/// Refuses a text of whose letters beyond ASCII something depends.
pub(super) fn unreadable(context: &Context<'_>) -> Box<Refusal> {
    let message = format!(
        "pgveil can't analyse text beyond ASCII in client_encoding {}",
        context.client_encoding
    );
    let refusal = Refusal::unsupported(Code::Unsupported, message);
    Box::new(refusal.hint("SET client_encoding TO 'UTF8'."))
}

/// Whether the names in a text that was made readable are as many as in the text itself: letters
/// beyond ASCII have all become one, in names, in the tags of dollar quotes, and in the paths that
/// strings say.
pub(super) fn tells_names_apart(text: &[u8], tokens: &[Token<'_>], context: &Context<'_>) -> bool {
    let utf8 = matches!(context.client_encoding, "UTF8" | "UNICODE" | "");
    if text.is_ascii() || utf8 && std::str::from_utf8(text).is_ok() || !context.snapshot.has_ids() {
        return true;
    }
    let mut names: HashMap<&str, Cow<'_, [u8]>> = HashMap::new();
    let mut sets_path = false;
    let mut strings = false;
    for token in tokens {
        let written = text.get(token.span.clone()).unwrap_or_default();
        match &token.kind {
            TokenKind::Word { value, quoted } => {
                sets_path |= matches!(value.as_ref(), "search_path" | "schema" | "set_config");
                let name: Cow<'_, [u8]> = match (written.is_ascii(), quoted) {
                    (true, _) => Cow::Borrowed(value.as_bytes()),
                    (false, true) => Cow::Borrowed(written),
                    // Postgres may fold these letters, too.
                    (false, false) => Cow::Owned(written.to_ascii_lowercase()),
                };
                match names.entry(value) {
                    Entry::Vacant(place) => {
                        place.insert(name);
                    }
                    Entry::Occupied(known) if *known.get() != name => return false,
                    Entry::Occupied(_) => {}
                }
            }
            TokenKind::String(_) => strings |= !written.is_ascii(),
            _ => {}
        }
    }
    !(sets_path && strings || has_dollar_tag_beyond_ascii(text))
}

/// Whether something in a text may be a tag of dollar quotes with letters beyond ASCII.
fn has_dollar_tag_beyond_ascii(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let mut rest = text;
    while let Some(dollar) = memchr::memchr(b'$', rest) {
        rest = rest.get(dollar + 1..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        let (tag, behind) = rest.split_at(length);
        if !tag.is_ascii() && behind.first() == Some(&b'$') {
            return true;
        }
        rest = behind;
    }
    false
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
        return Err(unreadable(context));
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
