//! What may be shown of a text: its statements without anything that their author has written as a
//! value, and without comments.

use std::ops::Range;

use super::lex::{self, Token, TokenKind};
use super::refusal::{Code, Refusal};
use super::split;
use crate::splice::Splice;

/// The statements of a text, as ranges of its bytes. None if it can't be cut into tokens.
#[must_use]
pub fn statements(text: &str) -> Option<Vec<Range<usize>>> {
    let tokens = lex::lex(text, true).ok()?;
    let statements = split::split(text, &tokens).into_iter();
    let bytes = |range| tokens.get(range).map(split::bytes);
    statements.map(bytes).collect()
}

/// A text with `?` in the place of each literal, `"…"` in that of each name that does not look like
/// one, one blank for each run of blanks and comments, and no semicolon at its end.
/// None if it can't be cut into tokens: then nobody knows what in it is a literal.
#[must_use]
pub fn shape(text: &str) -> Option<String> {
    let tokens = lex::lex(text, true).ok()?;
    let mut shape = String::with_capacity(text.len());
    let mut end = None;
    for token in &tokens {
        if end.is_some_and(|end| end != token.span.start) {
            shape.push(' ');
        }
        shape.push_str(if is_literal(token) {
            "?"
        } else if is_masked_name(token, text) {
            "\"…\""
        } else {
            token.written(text)
        });
        end = Some(token.span.end);
    }
    shape.truncate(shape.trim_end_matches([' ', ';']).len());
    Some(shape)
}

/// Whether words hold one of the literals of a text, or a name that is not shown, by its value or as
/// it is written, so that they are not to be shown. One or two characters are in many words: they are
/// looked for in quotes only.
#[must_use]
pub fn quotes(words: &str, text: &str) -> bool {
    let Ok(tokens) = lex::lex(text, true) else {
        return true;
    };
    let holds = |value: &str| match value.chars().count() {
        0 => false,
        1 | 2 => {
            let quoted = ['"', '\'', '`'].map(|quote| format!("{quote}{value}{quote}"));
            quoted.iter().any(|quoted| words.contains(quoted))
        }
        _ => words.contains(value),
    };
    let quoted = |token: &Token<'_>| match &token.kind {
        TokenKind::String(value) | TokenKind::BitString(value) | TokenKind::HexString(value) => {
            !value.is_empty() && (holds(value) || words.contains(token.written(text)))
        }
        TokenKind::Number => holds(token.written(text)),
        TokenKind::Word { value, .. } if is_masked_name(token, text) => {
            holds(value) || words.contains(token.written(text))
        }
        _ => false,
    };
    tokens.iter().any(quoted)
}

/// What a refusal of a text asks for: its hint, or else what it says. What uuid refuses too has
/// Postgres's own hint, which tells less than the message. Words that quote the text are not given:
/// some messages do by their nature, so those are never taken.
#[must_use]
pub fn remedy<'r>(refusal: &'r Refusal, text: &str) -> Option<&'r str> {
    let message = match refusal.code {
        Code::Unparsed | Code::MalformedId | Code::ForeignId => None,
        _ => Some(&refusal.message),
    };
    let words = match &refusal.hint {
        Some(hint) if refusal.code != Code::UuidType => Some(hint),
        _ => message,
    };
    words
        .map(String::as_str)
        .filter(|words| !quotes(words, text))
}

/// Types whose literals are written behind their name: `interval '1 day'`.
const NAMED: &[&str] = &[
    "interval",
    "date",
    "time",
    "timestamp",
    "timestamptz",
    "timetz",
];

/// A text that was normalised, with empty literals for the parameters that stand where only a
/// literal can: `interval $1`. None if there is none.
#[must_use]
pub fn with_named_literals(text: &str) -> Option<String> {
    let tokens = lex::lex(text, true).ok()?;
    let mut whole = String::with_capacity(text.len());
    let mut splice = Splice::new(text);
    for pair in tokens.windows(2) {
        let [before, token] = pair else {
            continue;
        };
        let is_named = before.keyword().is_some_and(|word| NAMED.contains(&word));
        if is_named && matches!(token.kind, TokenKind::Parameter(_)) {
            splice.replace(token.span.clone(), &mut whole).ok()?;
            whole.push_str("''");
        }
    }
    splice.finish(&mut whole).ok()?;
    (whole != text).then_some(whole)
}

fn is_literal(token: &Token<'_>) -> bool {
    matches!(
        token.kind,
        TokenKind::String(_)
            | TokenKind::BitString(_)
            | TokenKind::HexString(_)
            | TokenKind::Number
    )
}

/// Whether a name in double quotes is perhaps a value: it has characters that names seldom have, or
/// is written in another way than it is shown.
fn is_masked_name(token: &Token<'_>, text: &str) -> bool {
    let TokenKind::Word {
        value,
        quoted: true,
    } = &token.kind
    else {
        return false;
    };
    let is_usual = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ' ' | '-' | '.');
    !value.chars().all(is_usual) || token.written(text) != format!("\"{value}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_literal_and_no_comment_is_in_a_shape() {
        for (text, expected) in [
            ("select 1, 'a''b' -- c\n from t", "select ?, ? from t"),
            (
                "select E'\\'x' || $$d;e$$, B'01', x'ff'",
                "select ? || ?, ?, ?",
            ),
            (
                "update t set a=-1.5e3 where b = $1/* k */;",
                "update t set a=-? where b = $1",
            ),
            ("select \"A b\" from t", "select \"A b\" from t"),
            (
                "select \"é-1.$_\", \"it's\", \"a\"\"b\", U&\"\\0061\" from t",
                "select \"é-1.$_\", \"…\", \"…\", \"…\" from t",
            ),
            ("", ""),
        ] {
            assert_eq!(shape(text).as_deref(), Some(expected));
        }
        assert_eq!(shape("select 'open"), None);
    }

    #[test]
    fn words_that_quote_a_literal_are_found() {
        assert!(quotes(
            "syntax error at or near \"secret\"",
            "selec 'secret'"
        ));
        assert!(!quotes("can't apply md5", "select md5('secret')"));
        assert!(quotes("syntax error at or near \"42\"", "select a 42"));
        assert!(!quotes(
            "operator does not exist: uuid + integer",
            "select id + 1"
        ));
        assert!(quotes("anything", "select 'open"));
    }

    #[test]
    fn a_literal_is_found_in_each_spelling() {
        for literal in [
            "'secret'",
            "'it''s secret'",
            "E'\\x73ecret'",
            "E'it\\'s secret'",
            "U&'\\0073ecret'",
            "U&'!0073ecret' UESCAPE '!'",
            "'sec'\n  'ret'",
            "N'secret'",
            "$$secret$$",
            "$tag$it's secret$tag$",
            "$$ab$$",
            "$t$a$t$",
            "'a'",
            "E'\\x61'",
            "B'0101'",
            "X'ff'",
            "42",
            "1.5e3",
            "0x1f",
        ] {
            let text = format!("select id from users {literal}");
            let tokens = lex::lex(&text, true).unwrap();
            for token in tokens.iter().filter(|token| is_literal(token)) {
                let written = token.written(&text);
                let words = format!("syntax error at or near \"{written}\"");
                assert!(quotes(&words, &text), "{words}");
                let TokenKind::String(value) = &token.kind else {
                    continue;
                };
                let words = format!("invalid input syntax for type uuid: \"{value}\"");
                assert!(quotes(&words, &text), "{words}");
            }
            assert!(!quotes("syntax error at end of input", &text), "{text}");
        }
        let odd = "select \"it's me\" from t";
        assert!(quotes("column \"it's me\" does not exist", odd));
        assert!(!quotes("relation \"t\" does not exist", odd));
    }

    #[test]
    fn parameters_behind_the_name_of_a_type_are_literals() {
        let text = "select now() - interval $1 where d > date $2 and x = $3";
        let whole = "select now() - interval '' where d > date '' and x = $3";
        assert_eq!(with_named_literals(text).as_deref(), Some(whole));
        assert_eq!(with_named_literals("select $1"), None);
    }
}
