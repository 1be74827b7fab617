//! Statement text in encodings other than UTF-8.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::lex::{Token, TokenKind};
use super::refusal::{Code, Refusal};
use super::{Context, lex};
use crate::pg::functions::reads_data;

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

/// Whether a text that was made readable means what it seems to. Letters beyond ASCII have all become
/// one: so where something protected is named, names with them may be nothing but labels of results that
/// differ from all other names, and nowhere what is called; and neither tags of dollar quotes nor search
/// paths in strings may have them.
pub(super) fn tells_names_apart(text: &[u8], tokens: &[Token<'_>], context: &Context<'_>) -> bool {
    let utf8 = matches!(context.client_encoding, "UTF8" | "UNICODE" | "");
    if text.is_ascii() || utf8 && std::str::from_utf8(text).is_ok() || !context.snapshot.has_ids() {
        return true;
    }
    let is_beyond = |token: &Token<'_>| {
        let written = text.get(token.span.clone());
        written.is_some_and(|written| !written.is_ascii())
    };
    let sets_path = || {
        let mut words = lex::identifiers(tokens);
        words.any(|word| matches!(word, "search_path" | "schema" | "set_config"))
    };
    let is_string = |token: &Token<'_>| matches!(token.kind, TokenKind::String(_));
    if has_dollar_tag_beyond_ascii(text)
        || tokens
            .iter()
            .any(|token| is_string(token) && is_beyond(token))
            && sets_path()
    {
        return false;
    }
    let name = |at: &usize| {
        let token = tokens.get(*at)?;
        (token.word().is_some() && is_beyond(token)).then_some(*at)
    };
    let names: Vec<usize> = (0..tokens.len()).filter(|at| name(at).is_some()).collect();
    let read = Read { text, tokens };
    let is_plain = !names.iter().any(|at| read.may_run(*at)) && !read.names_protected(context);
    let are_labels = || names.iter().all(|at| read.is_label(*at)) && read.keeps_labels();
    names.is_empty() || is_plain || are_labels() && read.differ()
}

/// A text with letters beyond ASCII, and what is read of it.
struct Read<'t> {
    text: &'t [u8],
    tokens: &'t [Token<'t>],
}

impl Read<'_> {
    fn keyword(&self, at: Option<usize>) -> Option<&str> {
        self.tokens.get(at?)?.keyword()
    }

    fn sign(&self, at: Option<usize>) -> &[u8] {
        let token = at.and_then(|at| self.tokens.get(at));
        let token = token.filter(|token| token.word().is_none());
        let written = token.and_then(|token| self.text.get(token.span.clone()));
        written.unwrap_or_default()
    }

    /// Whether words that read alike are alike.
    fn differ(&self) -> bool {
        let mut names: HashMap<&str, Cow<'_, [u8]>> = HashMap::new();
        self.tokens.iter().all(|token| {
            let TokenKind::Word { value, quoted } = &token.kind else {
                return true;
            };
            let written = self.text.get(token.span.clone()).unwrap_or_default();
            let name: Cow<'_, [u8]> = match (written.is_ascii(), quoted) {
                (true, _) => Cow::Borrowed(value.as_bytes()),
                (false, true) => Cow::Borrowed(written),
                // Postgres may fold these letters, too.
                (false, false) => Cow::Owned(written.to_ascii_lowercase()),
            };
            match names.entry(value) {
                Entry::Vacant(place) => {
                    place.insert(name);
                    true
                }
                Entry::Occupied(known) => *known.get() == name,
            }
        })
    }

    /// Whether the name at an index is what a column of a result is called.
    fn is_label(&self, at: usize) -> bool {
        let next = self.keyword(Some(at + 1));
        let ends =
            self.sign(Some(at + 1)) == b"," || next == Some("from") || at + 1 == self.tokens.len();
        self.keyword(at.checked_sub(1)) == Some("as") && ends
    }

    /// Whether nothing of the statement is told apart by what its columns are called.
    fn keeps_labels(&self) -> bool {
        let first = self.keyword(Some(0));
        matches!(
            first,
            Some("select" | "insert" | "update" | "delete" | "merge")
        ) && !self
            .tokens
            .iter()
            .any(|token| token.keyword() == Some("natural"))
    }

    /// Whether the name at an index may be that of a function, or of a type whose casts are some.
    fn may_run(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        let next = Some(at + 1);
        matches!(self.sign(before), b"." | b"::")
            || matches!(self.sign(next), b"(" | b"." | b"[")
            || self.keyword(before) == Some("as") && self.sign(next) == b")"
            || (self.tokens.get(at + 1))
                .is_some_and(|next| matches!(next.kind, TokenKind::String(_)))
    }

    fn names_protected(&self, context: &Context<'_>) -> bool {
        let functions = context.snapshot.functions();
        lex::identifiers(self.tokens).any(|word| {
            context.snapshot.is_protected_name(word)
                || reads_data(word)
                || functions.is_opaque(word)
        })
    }
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
