//! Tests of the lexer.
use super::*;

/// Tokens as text: words as they are, quoted ones in double quotes, values in single quotes.
fn show(text: &str) -> Vec<String> {
    shown(text, true)
}

fn shown(text: &str, standard_conforming_strings: bool) -> Vec<String> {
    let tokens = lex(text, standard_conforming_strings).unwrap();
    let mut end = 0;
    let mut all = Vec::new();
    for token in tokens {
        assert!(
            token.span.start >= end && token.span.end > token.span.start,
            "{text}"
        );
        end = token.span.end;
        all.push(match token.kind {
            TokenKind::Word {
                value,
                quoted: false,
            } => value.into_owned(),
            TokenKind::Word {
                value,
                quoted: true,
            } => format!("\"{value}\""),
            TokenKind::String(value) => format!("'{value}'"),
            TokenKind::BitString(digits) => format!("B{digits}"),
            TokenKind::HexString(digits) => format!("X{digits}"),
            TokenKind::Parameter(number) => format!("${number}"),
            TokenKind::Number | TokenKind::Operator | TokenKind::Punctuation => {
                text[token.span].to_owned()
            }
        });
    }
    all
}

fn error(text: &str) -> (&'static str, usize) {
    let error = lex(text, true).unwrap_err();
    (error.message, error.at)
}

#[test]
fn a_comment_may_begin_inside_a_run_of_operator_characters() {
    assert_eq!(show("a >/* ' */ b"), ["a", ">", "b"]);
    assert_eq!(show("a =-- ' x\n b"), ["a", "=", "b"]);
    assert_eq!(show("a /* /* ' */ ' */ b"), ["a", "b"]);
    assert_eq!(show("a @--'\n b"), ["a", "@", "b"]);
}

#[test]
fn an_operator_ends_in_a_sign_only_beside_an_unusual_character() {
    assert_eq!(show("a>=-1"), ["a", ">=", "-", "1"]);
    assert_eq!(show("a<>-1"), ["a", "<>", "-", "1"]);
    assert_eq!(show("a@-1"), ["a", "@-", "1"]);
    assert_eq!(
        show("a*-+-1"),
        ["a", "*", "-", "+", "-", "1"].as_slice().to_vec()
    );
    assert_eq!(show("a&>b *<c"), ["a", "&>", "b", "*<", "c"]);
    assert_eq!(show("f(a=>-1)"), ["f", "(", "a", "=>", "-", "1", ")"]);
}

#[test]
fn numbers_and_parameters_end_where_postgres_ends_them() {
    assert_eq!(show("1..2"), ["1", "..", "2"]);
    assert_eq!(
        show("1.5 .5 1. 1e5 1.5E-7 0x1F 1_000"),
        ["1.5", ".5", "1.", "1e5", "1.5E-7", "0x1F", "1_000"]
    );
    assert_eq!(show("$1::int"), ["$1", "::", "int"]);
    assert_eq!(error("select $12a"), ("trailing junk after parameter", 7));
    assert_eq!(
        error("select 1a"),
        ("trailing junk after numeric literal", 7)
    );
    assert_eq!(error("$99999999999").0, "parameter number too large");
}

#[test]
fn strings_have_their_value_whatever_the_spelling() {
    assert_eq!(show("'it''s'"), ["'it's'"]);
    assert_eq!(
        show(r"E'a\'\n\101\x41\u0041\U0001F600\\'"),
        ["'a'\nAAA\u{1F600}\\'"]
    );
    assert_eq!(show(r"E'\xC3\xA9'"), ["'é'"]);
    assert_eq!(show(r"E'\uD83D\uDE00'"), ["'\u{1F600}'"]);
    assert_eq!(show("$$it's$$ $a$x$$y$b$z$a$"), ["'it's'", "'x$$y$b$z'"]);
    assert_eq!(show(r"U&'d\0061t\+000061 \\'"), [r"'data \'"]);
    assert_eq!(show("U&'d!0061' UESCAPE '!'"), ["'da'"]);
    assert_eq!(show("N'x'"), ["nchar", "'x'"]);
    assert_eq!(show("B'01' x'1F'"), ["B01", "X1F"]);
    assert_eq!(show("fe'x'"), ["fe", "'x'"]);
    assert_eq!(show("a$$b$$"), ["a$$b$$"]);
}

#[test]
fn a_string_goes_on_behind_a_line_break() {
    assert_eq!(show("'a'\n'b' 'c'"), ["'ab'", "'c'"]);
    assert_eq!(show("'a' -- '\n -- \n 'b'"), ["'ab'"]);
    assert_eq!(show("'a' /* \n */ 'b'"), ["'a'", "'b'"]);
    assert_eq!(show("E'a\\n'\n'\\n'"), ["'a\n\n'"]);
    let text = "x E'a'\n  'b' y";
    assert_eq!(
        &text[lex(text, true).unwrap()[1].span.clone()],
        "E'a'\n  'b'"
    );
}

#[test]
fn without_standard_conforming_strings_a_backslash_escapes() {
    assert_eq!(shown(r"'a\' b'", false), ["'a' b'"]);
    assert_eq!(shown(r"'a\' || b", true), [r"'a\'", "||", "b"]);
    let error = lex("U&'a'", false).unwrap_err();
    assert_eq!(error.sqlstate, "0A000");
}

#[test]
fn names_are_folded_unless_quoted_and_cut_to_63_bytes() {
    assert_eq!(
        show("SELECT \"Users\".ÄÖ U&\"d\\0061ta\""),
        ["select", "\"Users\"", ".", "ÄÖ", "\"data\""]
    );
    assert_eq!(show("\"a\"\"b\""), ["\"a\"b\""]);
    assert_eq!(show(&"a".repeat(70)), ["a".repeat(63)]);
    assert_eq!(show(&format!("{}é", "a".repeat(62))), ["a".repeat(62)]);
    assert_eq!(
        error("select \"\""),
        ("zero-length delimited identifier", 7)
    );
}

#[test]
fn what_has_no_end_is_an_error_at_its_beginning() {
    assert_eq!(error("a 'b"), ("unterminated quoted string", 2));
    assert_eq!(error("a E'b\\'"), ("unterminated quoted string", 2));
    assert_eq!(error("a \"b"), ("unterminated quoted identifier", 2));
    assert_eq!(error("a /* /* */"), ("unterminated /* comment", 2));
    assert_eq!(error("a $$ b"), ("unterminated dollar-quoted string", 2));
    assert_eq!(error("a B'0"), ("unterminated bit string literal", 2));
    assert_eq!(error(r"E'\u12'").0, "invalid Unicode escape");
    assert_eq!(error(r"E'\uD83D'").0, "invalid Unicode surrogate pair");
    assert_eq!(
        error(r"E'\xff'").0,
        "invalid byte sequence for encoding \"UTF8\""
    );
    assert_eq!(
        error(r"E'\0'").0,
        "invalid byte sequence for encoding \"UTF8\""
    );
    assert_eq!(error("{"), ("syntax error", 0));
}

#[test]
fn finds_the_names_in_the_body_of_a_do_block() {
    let text =
        "do $$begin execute 'select * from \"My Users\"'; perform U&\"\\0061b\", Orders; end$$";
    let names = identifiers_in_body(&lex(text, true).unwrap(), true);
    for name in ["My Users", "ab", "orders", "Orders", "begin"] {
        assert!(names.iter().any(|found| found == name), "{name}");
    }
}

#[test]
fn never_panics_on_a_text_cut_anywhere() {
    let text = r#"select E'a\u0041\'' 'b', $a$x$a$, U&"d!0061" uescape '!', B'1' /* x /* y */ */ - 1.5e-7 @> $1 ;"#;
    for end in 0..=text.len() {
        let _ = lex(&text[..end], true);
        let _ = lex(&text[end..], false);
    }
}

proptest::proptest! {
    #[test]
    fn never_panics_on_arbitrary_text(text in "[-'\"$/*+=a-eEuU&x0-9\\\\\n .:;(é]{0,40}", conforming: bool) {
        if let Ok(tokens) = lex(&text, conforming) {
            let mut end = 0;
            for token in tokens {
                assert!(token.span.start >= end && token.span.end > token.span.start);
                assert!(text.get(token.span.clone()).is_some());
                end = token.span.end;
            }
        }
    }
}

#[test]
fn gives_up_on_a_text_of_too_many_tokens() {
    let most = scanner::MAX_TOKENS;
    assert_eq!(lex(&",".repeat(most), true).unwrap().len(), most);
    let error = lex(&",".repeat(most + 1), true).unwrap_err();
    assert_eq!((error.sqlstate, error.at), ("54000", most));
}
