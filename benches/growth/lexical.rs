//! The ways in which a text can be long before it is a statement: comments, blanks, literals, names.

use super::kinds::{Kind, list, nest};

/// All of them.
pub(crate) const LEXICAL: &[Kind] = &[
    ("comments", |n| {
        format!("SELECT {} id FROM users", "/* c */".repeat(n))
    }),
    ("nested comments", |n| {
        format!("SELECT {} id FROM users", nest(n, "/*", "", "*/"))
    }),
    ("comments in lines", |n| {
        format!("SELECT {} id FROM users", "-- c\n".repeat(n))
    }),
    ("a long comment", |n| {
        format!("SELECT /*{}*/ id FROM users", "x".repeat(8 * n))
    }),
    ("an operator of stars in a comment", |n| {
        format!("SELECT /*{}*/ id FROM users", "*".repeat(8 * n))
    }),
    ("blanks", |n| {
        format!("SELECT {} id FROM users", " ".repeat(8 * n))
    }),
    ("lines", |n| {
        format!("SELECT {} id FROM users", "\n".repeat(8 * n))
    }),
    ("a long name", |n| {
        format!("SELECT id AS {} FROM users", "x".repeat(8 * n))
    }),
    ("a long quoted name", |n| {
        format!("SELECT id AS \"{}\" FROM users", "x\"\"".repeat(8 * n))
    }),
    ("a long string", |n| {
        format!("SELECT '{}', id FROM users", "x''".repeat(8 * n))
    }),
    ("a long string with escapes", |n| {
        format!(r"SELECT E'{}', id FROM users", r"\x41\n".repeat(8 * n))
    }),
    ("a string with unicode escapes", |n| {
        format!(r"SELECT U&'{}', id FROM users", r"\0041".repeat(8 * n))
    }),
    ("a string in many pieces", |n| {
        format!("SELECT 'a'{}, id FROM users", "\n'b'".repeat(n))
    }),
    ("a dollar-quoted string", |n| {
        format!("SELECT $a${}$a$, id FROM users", "$b$ $ ".repeat(n))
    }),
    ("dollars without an end", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ",", |i| format!("$a{i}$ $a{i}$"))
        )
    }),
    ("letters beyond ASCII", |n| {
        format!("SELECT '{}' AS ä, id FROM users", "äöü€".repeat(8 * n))
    }),
    ("names beyond ASCII", |n| {
        format!(
            "SELECT {} FROM users",
            list(n, ", ", |i| format!("id AS ä{i}"))
        )
    }),
    ("a long number", |n| {
        format!("SELECT {}, id FROM users", "9".repeat(8 * n))
    }),
    ("a long operator", |n| {
        format!("SELECT 1 {} 1, id FROM users", "<".repeat(n))
    }),
    ("an operator of signs", |n| {
        format!("SELECT 1 {} 1, id FROM users", "*-".repeat(n) + "+")
    }),
    ("a long bit string", |n| {
        format!("SELECT B'{}', id FROM users", "01".repeat(8 * n))
    }),
    ("quotes without an end", |n| {
        format!("SELECT id FROM users WHERE name = '{}", "''".repeat(n))
    }),
    ("opening comments", |n| format!("SELECT {}", "/*".repeat(n))),
    ("opening dollars", |n| {
        format!("SELECT {}", list(n, " ", |i| format!("$a{i}$")))
    }),
    ("opening parentheses", |n| {
        format!("SELECT id FROM users WHERE {}", "(".repeat(n))
    }),
    ("opening brackets", |n| {
        format!("SELECT id FROM users WHERE {}", "[".repeat(n))
    }),
    ("closing parentheses", |n| {
        format!("SELECT id FROM users {}", ")".repeat(n))
    }),
];
