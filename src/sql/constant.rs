//! Queries whose result is what the client has written itself, `SELECT 1` and its like. Nothing in
//! them has a meaning that a change of the database could change: no relation, no function, no
//! operator, no type, no cast. So their results may be shown behind such a change in the same text,
//! when the analysis knows nothing of the others.

use super::lex::{Token, TokenKind, lex};

/// The longest text that is looked at on its own.
const LONGEST_PROBE: usize = 128;

/// Whether a text is such a query and nothing else, and without strings, so that it means the same
/// under all settings: what pools and monitors send to find out whether a session lives.
#[must_use]
pub(crate) fn is_probe(text: &[u8]) -> bool {
    let is_short = text.len() <= LONGEST_PROBE && text.is_ascii();
    let text = std::str::from_utf8(text)
        .unwrap_or_default()
        .trim_ascii_end();
    let text = text.strip_suffix(';').unwrap_or(text);
    let has_strings = text.contains(['\'', '"', '\\', '$']);
    is_short && !has_strings && lex(text, true).is_ok_and(|tokens| is_constant(text, &tokens))
}

/// Whether a statement is such a query.
pub(super) fn is_constant(text: &str, tokens: &[Token<'_>]) -> bool {
    let mut tokens = tokens.iter();
    let first = tokens.next();
    if !matches!(first.and_then(Token::keyword), Some("select" | "values")) {
        return false;
    }
    while let Some(token) = tokens.next() {
        let is_part = match &token.kind {
            TokenKind::Word { .. } => match token.keyword() {
                Some("null" | "true" | "false") => true,
                // What follows is the name of a column.
                Some("as") => tokens.next().is_some_and(|name| name.word().is_some()),
                _ => false,
            },
            TokenKind::String(_) | TokenKind::Number | TokenKind::Parameter(_) => true,
            TokenKind::Punctuation => {
                matches!(token.written(text), "," | "(" | ")")
            }
            TokenKind::BitString(_) | TokenKind::HexString(_) | TokenKind::Operator => false,
        };
        if !is_part {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(text: &str) -> bool {
        is_constant(text, &lex(text, true).unwrap())
    }

    #[test]
    fn knows_what_the_client_has_written_itself() {
        for text in [
            "select 1",
            "SELECT 1 AS one, 'two', (3.0), null, true as \"select\"",
            "values (1, 'a'), (2, $1)",
            "select",
        ] {
            assert!(constant(text), "{text}");
        }
    }

    #[test]
    fn a_probe_is_one_constant_query_that_settings_do_not_change() {
        for text in [
            "select 1",
            "SELECT 1;",
            " select 1 ; ",
            "values (1)",
            "/* ping */ SELECT 1",
        ] {
            assert!(is_probe(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            ";",
            "select 1; select 1",
            "select 'a'",
            "select E'\\''",
            "select $1",
            "select $$a$$",
            "select id",
            "select 1 as \"a\"",
            "select 1 /*",
        ] {
            assert!(!is_probe(text.as_bytes()), "{text}");
        }
        assert!(!is_probe(
            format!("select {}", "1".repeat(LONGEST_PROBE)).as_bytes()
        ));
        assert!(!is_probe("select ä".as_bytes()));
    }

    #[test]
    fn takes_nothing_for_constant_that_has_a_name_or_an_operator() {
        for text in [
            "",
            "select a",
            "select \"null\"",
            "select f()",
            "select f (1)",
            "select (f(1))",
            "select 1 + 1",
            "select -1",
            "select 1::bigint",
            "select bigint '1'",
            "select 1 from t",
            "select * from t",
            "select x.y",
            "select array[1]",
            "select current_user",
            "select 1 union select id from t",
            "table t",
            "execute f(1)",
            "insert into t values (1)",
        ] {
            assert!(!constant(text), "{text}");
        }
    }
}
