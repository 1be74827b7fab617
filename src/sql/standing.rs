//! How a statement stands to transaction blocks, as its words tell: who sends something of his own
//! in the same transaction must know whether that changes what the statement does.

use super::lex::{self, Token, TokenKind};

/// How a statement stands to transaction blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It begins one.
    Begins,
    /// It ends one or a part of it, or is about settings: it names no relation, and the server may
    /// have to read it before any query.
    Steers,
    /// It can't run inside of one, or may end transactions itself.
    Alone,
    /// It runs inside of one as well as outside.
    Inside,
}

/// Tells how a statement stands to transaction blocks. One that can't be read stands inside.
#[must_use]
pub fn standing(text: &[u8], standard_conforming_strings: bool) -> Standing {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let tokens = lex::lex(text, standard_conforming_strings).unwrap_or_default();
    let mut words = tokens.iter().map(Token::word);
    let (first, second) = (words.next().flatten(), words.next().flatten());
    match (first.unwrap_or_default(), second.unwrap_or_default()) {
        ("begin" | "start", _) => Standing::Begins,
        ("prepare", "transaction")
        | (
            "set" | "reset" | "commit" | "end" | "rollback" | "abort" | "savepoint" | "release"
            | "deallocate" | "listen" | "unlisten",
            _,
        ) => Standing::Steers,
        ("call" | "cluster" | "discard" | "reindex" | "vacuum", _)
        | ("alter" | "create" | "drop", "database" | "subscription" | "system" | "tablespace") => {
            Standing::Alone
        }
        ("alter" | "create" | "drop", _) if has(&tokens, "concurrently") => Standing::Alone,
        ("do", _) if tokens.iter().any(ends_transactions) => Standing::Alone,
        _ => Standing::Inside,
    }
}

fn has(tokens: &[Token<'_>], sought: &str) -> bool {
    tokens.iter().any(|token| token.word() == Some(sought))
}

/// Whether a token is code in which a transaction may end.
fn ends_transactions(token: &Token<'_>) -> bool {
    let TokenKind::String(code) = &token.kind else {
        return false;
    };
    let code = code.to_ascii_lowercase();
    // Names of several words may be put together from parts.
    ["commit", "rollback", "call", "execute"]
        .iter()
        .any(|word| code.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_how_a_statement_stands_to_transaction_blocks() {
        for (text, expected) in [
            ("BEGIN", Standing::Begins),
            ("/* c */ start transaction", Standing::Begins),
            ("-- c\nCOMMIT AND CHAIN", Standing::Steers),
            ("SET LOCAL search_path = a", Standing::Steers),
            ("PREPARE TRANSACTION 'x'", Standing::Steers),
            ("PREPARE transactions AS SELECT 1", Standing::Inside),
            ("ROLLBACK TO SAVEPOINT a", Standing::Steers),
            ("VACUUM users", Standing::Alone),
            ("/* c */ VACUUM (ANALYZE) users", Standing::Alone),
            ("CREATE DATABASE d", Standing::Alone),
            ("CREATE INDEX CONCURRENTLY i ON t (a)", Standing::Alone),
            ("CREATE INDEX i ON t (a)", Standing::Inside),
            ("DROP INDEX CONCURRENTLY i", Standing::Alone),
            (
                "ALTER TABLE t DETACH PARTITION p CONCURRENTLY",
                Standing::Alone,
            ),
            ("REFRESH MATERIALIZED VIEW CONCURRENTLY v", Standing::Inside),
            ("CALL p()", Standing::Alone),
            ("DO $$ begin perform 1; end $$", Standing::Inside),
            ("DO $$ begin COMMIT; end $$", Standing::Alone),
            ("DO 'begin call p(); end'", Standing::Alone),
            ("SHOW search_path", Standing::Inside),
            ("SELECT 1", Standing::Inside),
            ("", Standing::Inside),
            ("'", Standing::Inside),
            ("\"vacuum", Standing::Inside),
        ] {
            assert_eq!(standing(text.as_bytes(), true), expected, "{text}");
        }
    }
}
