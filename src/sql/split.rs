//! The statements of a script. It cuts at semicolons and looks no further.

use std::ops::Range;

use super::lex::{Brackets, Cursor, Token};

/// The statements of a script, as index ranges into its tokens, without the semicolons. Empty
/// statements are left out. Semicolons in parentheses (`CREATE RULE`) and in the body of
/// `BEGIN ATOMIC … END` end nothing, as in Postgres's grammar.
pub(crate) fn split(text: &str, tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut statements = Vec::new();
    let mut start = 0;
    let mut body = Body::default();
    for (at, token, depth) in Cursor::new(text, tokens, 0).nested(Brackets::Round) {
        if let Some(word) = token.keyword() {
            body.word(tokens.get(start..at).unwrap_or_default(), word);
        } else if depth == 0 && body.depth == 0 && token.written(text) == ";" {
            statements.push(start..at);
            start = at + 1;
            body = Body::default();
        }
    }
    statements.push(start..tokens.len());
    statements.retain(|statement| !statement.is_empty());
    statements
}

/// The body of an SQL routine, if the statement has one.
#[derive(Default)]
struct Body {
    /// How many `END`s are missing.
    depth: usize,
}

impl Body {
    /// Takes the next keyword; `before` are the tokens of the statement so far.
    fn word(&mut self, before: &[Token<'_>], word: &str) {
        match word {
            "atomic"
                if self.depth == 0 && is_routine(before) && is_word(before.last(), "begin") =>
            {
                self.depth = 1;
            }
            "case" if self.depth > 0 => self.depth += 1,
            "end" if self.depth > 0 => self.depth -= 1,
            _ => {}
        }
    }
}

/// Whether a statement creates a function or a procedure.
fn is_routine(statement: &[Token<'_>]) -> bool {
    let replaces = is_word(statement.get(1), "or") && is_word(statement.get(2), "replace");
    let kind = statement.get(if replaces { 3 } else { 1 });
    is_word(statement.first(), "create")
        && (is_word(kind, "function") || is_word(kind, "procedure"))
}

/// Whether a token is this keyword.
fn is_word(token: Option<&Token<'_>>, word: &str) -> bool {
    token.and_then(Token::keyword) == Some(word)
}

/// The bytes of the text that a run of tokens covers.
pub(crate) fn bytes(tokens: &[Token<'_>]) -> Range<usize> {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span.start..last.span.end,
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lex::lex;
    use super::*;

    fn statements(text: &str) -> Vec<&str> {
        let tokens = lex(text, true).unwrap();
        let all = split(text, &tokens).into_iter();
        all.map(|statement| &text[bytes(&tokens[statement])])
            .collect()
    }

    #[test]
    fn cuts_at_semicolons_and_drops_what_is_empty() {
        assert_eq!(
            statements("; select 1;; -- x;\n select ';' ; "),
            ["select 1", "select ';'"]
        );
        assert!(statements(" /* nothing */ ").is_empty());
    }

    #[test]
    fn goes_on_behind_copy_from_stdin() {
        assert_eq!(
            statements("copy t from stdin; select 1"),
            ["copy t from stdin", "select 1"]
        );
    }

    #[test]
    fn keeps_the_body_of_a_routine_together() {
        let create = "create or replace function f() returns int begin atomic \
                      select case when true then 1 end; select 2; end";
        assert_eq!(
            statements(&format!("{create}; select 3")),
            [create, "select 3"]
        );
        assert_eq!(statements("begin; select 1; end; select 2").len(), 4);
        assert_eq!(
            statements("create rule r as on insert to t do (select 1; select 2); select 3").len(),
            2
        );
    }

    #[test]
    fn does_not_take_an_alias_for_a_body() {
        assert_eq!(statements("select begin atomic; select 1").len(), 2);
    }
}
