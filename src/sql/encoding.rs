//! Statement text in encodings other than UTF-8.

use std::borrow::Cow;

use super::lex::{MAX_NAME_BYTES, Token, TokenKind};
use super::refusal::{Code, Refusal};
use super::{Context, lex};
use crate::pg::functions::reads_data;

/// In the place of a `client_encoding` that is not known at the moment. Nothing is safe in it.
pub const UNKNOWN: &str = "unknown";

/// No encoding of a database has letters of more bytes.
const MOST_BYTES_OF_A_LETTER: usize = 4;

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

/// Whether a text that was made readable means what it seems to. Letters beyond ASCII have all become
/// one, and Postgres cuts names at other bytes than we would: so a name may have such a letter only
/// where nothing protected is named, as the label of a result or as a relation that can't exist, and no
/// tag of dollar quotes may; nor may strings that say search paths, channels or code.
pub(super) fn tells_names_apart(text: &[u8], tokens: &[Token<'_>], context: &Context<'_>) -> bool {
    let utf8 = matches!(context.client_encoding, "UTF8" | "UNICODE" | "");
    if text.is_ascii() || utf8 && std::str::from_utf8(text).is_ok() || !context.snapshot.has_ids() {
        return true;
    }
    let is_beyond = |token: &Token<'_>| {
        let written = text.get(token.span.clone());
        let value_is = token.word().is_some_and(|name| !name.is_ascii());
        value_is || written.is_some_and(|written| !written.is_ascii())
    };
    let is_string = |token: &Token<'_>| matches!(token.kind, TokenKind::String(_));
    if has_dollar_tag_beyond_ascii(text)
        || says_names(tokens)
            && tokens
                .iter()
                .any(|token| is_string(token) && is_beyond(token))
    {
        return false;
    }
    let is_name = |(_, token): &(usize, &Token<'_>)| token.word().is_some() && is_beyond(token);
    let mut names = tokens.iter().enumerate().filter(is_name).peekable();
    names.peek().is_none()
        || is_plain_query(tokens)
            && !names_protected(tokens, context)
            && names.all(|(at, _)| is_label(tokens, at) || is_of_nothing(tokens, at, context))
}

/// Whether strings of a text may say names: of schemas in a path, of channels, or in code.
fn says_names(tokens: &[Token<'_>]) -> bool {
    let names = ["pg_notify", "schema", "search_path", "set_config"];
    lex::identifiers(tokens).any(|word| names.contains(&word))
        || tokens.first().and_then(Token::keyword) == Some("do")
}

/// Whether a text begins with a query that stores nothing and joins nothing by names that nobody
/// writes.
fn is_plain_query(tokens: &[Token<'_>]) -> bool {
    let mut keywords = tokens.iter().map(Token::keyword);
    keywords.next() == Some(Some("select"))
        && !keywords.any(|word| matches!(word, Some("create" | "into" | "natural")))
}

/// Whether the name at an index is what a column of a query's result is called.
fn is_label(tokens: &[Token<'_>], at: usize) -> bool {
    let keyword = |at: usize| tokens.get(at).and_then(Token::keyword);
    let ends = at + 1 == tokens.len() || keyword(at + 1) == Some("from");
    ends && at.checked_sub(1).and_then(keyword) == Some("as")
}

/// Whether the name at an index is all that FROM says and of no relation: none has letters beyond
/// ASCII, and the name is so short that Postgres cuts nothing from it in whatever encoding.
fn is_of_nothing(tokens: &[Token<'_>], at: usize, context: &Context<'_>) -> bool {
    let keyword = |at: usize| tokens.get(at).and_then(Token::keyword);
    let is_last = at + 1 == tokens.len();
    let is_whole = is_last || matches!(keyword(at + 1), Some("limit" | "order" | "where"));
    let name = tokens.get(at).and_then(Token::word).unwrap_or_default();
    let snapshot = context.snapshot;
    is_whole
        && at.checked_sub(1).and_then(keyword) == Some("from")
        && name.len() * MOST_BYTES_OF_A_LETTER <= MAX_NAME_BYTES
        && !snapshot.is_relation_name(name)
        && !snapshot.has_relation_beyond_ascii()
}

fn names_protected(tokens: &[Token<'_>], context: &Context<'_>) -> bool {
    let functions = context.snapshot.functions();
    lex::identifiers(tokens).any(|word| {
        context.snapshot.is_protected_name(word) || reads_data(word) || functions.is_opaque(word)
    })
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
