//! Statement text to tokens, exactly as Postgres's own scanner would cut them, with the byte range
//! of each. It knows neither statements nor grammar.
//!
//! Whoever cuts a text differently from the server can be made to see a string where the server
//! sees code. Hence the odd corners: a comment may begin inside a run of operator characters, an
//! operator may end in `+` or `-` only in some company, a string goes on behind a line break.
//! Confessed: names are folded in ASCII only, as Postgres does for UTF-8; a database in a
//! single-byte encoding folds other letters too.

mod brackets;
mod cursor;
mod literal;
mod quotes;
mod scanner;
mod stack;

pub(crate) use brackets::{Brackets, Depth, Partners};
pub(crate) use cursor::Cursor;

use std::borrow::Cow;
use std::ops::Range;

/// One token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// What kind of token it is.
    pub(crate) kind: TokenKind<'a>,
    /// Its bytes in the text: quotes, prefix and all pieces of a continued string included.
    pub(crate) span: Range<usize>,
}

impl Token<'_> {
    /// The token as it stands in its text. In another text it stands nowhere, and so is no word and
    /// no sign.
    pub(crate) fn written<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.span.clone()).unwrap_or_default()
    }

    /// The word that the token is, quoted or not.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The word that the token is, if nobody has quoted it: only then it may be a keyword.
    pub(crate) fn keyword(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word {
                value,
                quoted: false,
            } => Some(value),
            _ => None,
        }
    }
}

/// What a token is. Comments and blanks are no tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TokenKind<'a> {
    /// An identifier or a keyword, as Postgres compares it: folded to lower case unless it was
    /// quoted, unescaped, cut to 63 bytes.
    Word {
        /// The name.
        value: Cow<'a, str>,
        /// Whether it was written in double quotes, and so is no keyword.
        quoted: bool,
    },
    /// A string literal in any spelling; this is its value.
    String(Cow<'a, str>),
    /// `B'…'`: the digits.
    BitString(Cow<'a, str>),
    /// `X'…'`: the digits.
    HexString(Cow<'a, str>),
    /// An unsigned number; its text is that of the span.
    Number,
    /// `$1`: the number.
    Parameter(u32),
    /// An operator; its text is that of the span. Also `=`, `<` and `*`, but not `:=`, `=>`, `::`.
    Operator,
    /// `(`, `)`, `[`, `]`, `,`, `;`, `:`, `.`, `::`, `:=`, `=>` or `..`; its text is that of the
    /// span.
    Punctuation,
}

/// Why a text has no tokens. Postgres would raise the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct LexError {
    /// Postgres's words.
    pub(crate) message: &'static str,
    /// The SQLSTATE.
    pub(crate) sqlstate: &'static str,
    /// The byte offset of the place.
    pub(crate) at: usize,
}

impl LexError {
    /// An error of the syntax.
    const fn syntax(message: &'static str, at: usize) -> Self {
        Self {
            message,
            sqlstate: "42601",
            at,
        }
    }
}

/// Cuts a text into tokens. `standard_conforming_strings` is the session's setting of that name.
pub(crate) fn lex(
    text: &str,
    standard_conforming_strings: bool,
) -> Result<Vec<Token<'_>>, LexError> {
    scanner::Scanner::new(text, standard_conforming_strings).tokens()
}

/// Cuts a text into tokens whose brackets all have their partners; `None` if one has none, and so no
/// grammar of Postgres's reads the text.
pub(crate) fn lex_balanced(
    text: &str,
    standard_conforming_strings: bool,
) -> Result<Option<Vec<Token<'_>>>, LexError> {
    scanner::Scanner::new(text, standard_conforming_strings).balanced_tokens()
}

/// The names that a run of tokens mentions: every word that could be one, keywords included.
pub(crate) fn identifiers<'t>(tokens: &'t [Token<'_>]) -> impl Iterator<Item = &'t str> {
    tokens.iter().filter_map(Token::word)
}

/// The names that the string literals of a run of tokens might mention if they were run as code,
/// down to literals in literals: for `DO $$…$$` and its like. Errs on the side of too many: every
/// run of letters counts, as written and folded, and everything in double quotes. Code that is
/// put together from pieces of names is beyond it.
pub(crate) fn identifiers_in_body(
    tokens: &[Token<'_>],
    standard_conforming_strings: bool,
) -> Vec<String> {
    names_in(strings(tokens, MAX_BODY_DEPTH), standard_conforming_strings)
}

/// The names that code might mention, by itself and in its literals.
pub(crate) fn names_in_code(code: &str) -> Vec<String> {
    names_in(vec![(code.to_owned(), MAX_BODY_DEPTH)], true)
}

/// The names that several texts of code might mention, each with the depth that is left for its
/// literals.
fn names_in(mut pending: Vec<(String, usize)>, standard_conforming_strings: bool) -> Vec<String> {
    let mut names = Vec::new();
    while let Some((body, depth)) = pending.pop() {
        names.extend(possible_names(&body));
        if let Ok(tokens) = lex(&body, standard_conforming_strings) {
            names.extend(identifiers(&tokens).map(str::to_owned));
            if let Some(depth) = depth.checked_sub(1) {
                pending.extend(strings(&tokens, depth));
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// How deep literals are opened within literals. Below, only the plain search for names looks.
const MAX_BODY_DEPTH: usize = 8;

/// The values of the string literals, each with the depth that is left for it.
fn strings(tokens: &[Token<'_>], depth: usize) -> Vec<(String, usize)> {
    let value = |token: &Token<'_>| match &token.kind {
        TokenKind::String(value) => Some((value.to_string(), depth)),
        _ => None,
    };
    tokens.iter().filter_map(value).collect()
}

/// Whatever might be a name in a text that perhaps is no code at all.
pub(crate) fn possible_names(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii();
    let runs = text
        .split(move |c| !is_part(c))
        .filter(|run| !run.is_empty())
        .flat_map(|run| {
            [
                truncated(run).to_owned(),
                truncated(run).to_ascii_lowercase(),
            ]
        });
    let quoted = text.split('"').skip(1).map(|run| truncated(run).to_owned());
    runs.chain(quoted)
}

/// Postgres cuts names to this many bytes (`NAMEDATALEN - 1`).
pub(super) const MAX_NAME_BYTES: usize = 63;

/// A name as Postgres cuts it: at most 63 bytes, whole characters.
pub(super) fn truncated(name: &str) -> &str {
    if name.len() <= MAX_NAME_BYTES {
        name
    } else {
        &name[..name.floor_char_boundary(MAX_NAME_BYTES)]
    }
}

#[cfg(test)]
mod tests;
