//! Brackets that say nothing, of three pairs and more directly around one another the outer ones,
//! and brackets around joins. A parser that tries what may be a query in each of them takes the
//! square of their number.

use super::super::lex::{Cursor, Partners, Token};
use super::keywords::is_keyword;

/// The indices of the brackets around joins that begin with another bracket, in order. A parser
/// that does not know so would first read them as subqueries, each through all brackets in it.
pub(super) fn around_joins(text: &str, tokens: &[Token<'_>], partners: &Partners) -> Vec<usize> {
    let is_round = |at: usize| Cursor::new(text, tokens, at).written() == "(";
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let joins = token.keyword() == Some("join")
            && before.is_some_and(|before| ends_table(text, before));
        let open = partners.around(index).filter(|_| joins);
        let begins = |open: &usize| is_round(*open) && is_round(open + 1);
        found.extend(open.filter(|open| begins(open) && partners.of_bracket(*open).is_some()));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a table may end with a token, or a word that says what kind of join follows it: before a
/// call of a function of that name neither stands.
fn ends_table(text: &str, token: &Token<'_>) -> bool {
    const KINDS: [&str; 7] = [
        "cross", "full", "inner", "left", "natural", "outer", "right",
    ];
    match token.keyword() {
        Some(word) => KINDS.contains(&word) || !is_keyword(word),
        None => token.word().is_some() || token.written(text) == ")",
    }
}

/// The indices of the brackets without which a statement means the same, in order. Of each run two
/// pairs stay: the outer one may be a call's, and the inner one is a query's own.
pub(super) fn redundant(text: &str, tokens: &[Token<'_>], partners: &Partners) -> Vec<usize> {
    let is_round = |at: usize| Cursor::new(text, tokens, at).written() == "(";
    // The pair of which another one is directly around.
    let inner = |open: usize| {
        let [outer, inner] = [open, open + 1].map(|at| partners.of_bracket(at));
        let is_direct = is_round(open) && is_round(open + 1) && outer? == inner? + 1;
        is_direct.then_some((open + 1, inner?))
    };
    let mut found = Vec::new();
    for (open, close) in (0..tokens.len()).filter_map(inner) {
        if inner(open).is_some() {
            found.extend([open, close]);
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::lex::{Partners, lex};
    use super::{around_joins, redundant};

    /// A text without its redundant brackets.
    fn reduced(text: &str) -> String {
        let tokens = lex(text, true).unwrap();
        let redundant = redundant(text, &tokens, &Partners::of(text, &tokens));
        let kept = tokens.iter().enumerate();
        let kept = kept.filter(|(index, _)| !redundant.contains(index));
        kept.map(|(_, token)| &text[token.span.clone()]).collect()
    }

    /// What is between the brackets that are around joins.
    fn joined(text: &str) -> Vec<&str> {
        let tokens = lex(text, true).unwrap();
        let partners = Partners::of(text, &tokens);
        let found = around_joins(text, &tokens, &partners).into_iter();
        let found = found.map(|open| (open, partners.of_bracket(open).unwrap()));
        let found =
            found.map(|(open, close)| &text[tokens[open].span.end..tokens[close].span.start]);
        found.collect()
    }

    #[test]
    fn brackets_are_around_joins_where_one_stands_directly_in_them() {
        for (text, found) in [
            ("from (a join b on true) c", &[][..]),
            (
                "from ((a cross join b) join c on true)",
                &["(a cross join b) join c on true"],
            ),
            (
                "from ((a join b on true) x left join c on true) y",
                &["(a join b on true) x left join c on true"],
            ),
            (
                "from ((select 1) q join c on true)",
                &["(select 1) q join c on true"],
            ),
            (
                "from (((a join b on x) join c on y) join d on z)",
                &[
                    "((a join b on x) join c on y) join d on z",
                    "(a join b on x) join c on y",
                ],
            ),
            (
                "from ((select 1 from a join b on true) union select 2) q",
                &[],
            ),
            ("select ((1) + join(2))", &[]),
            ("select ((1)::join)", &[]),
            ("select ((true) and join(2))", &[]),
            ("from ((a", &[]),
            ("from ((a) join b))", &["(a) join b"]),
        ] {
            assert_eq!(joined(text), found, "{text}");
        }
    }

    #[test]
    fn of_pairs_directly_in_one_another_two_are_left() {
        for (text, left) in [
            ("f((a))", "f((a))"),
            ("f(((a)))", "f((a))"),
            ("((((((a))))))", "((a))"),
            ("in((((select 1))))", "in((select1))"),
            ("(((a),b))", "(((a),b))"),
            ("(((a))+((((b)))))", "(((a))+((b)))"),
            ("((((a)),(((b)))))", "((((a)),((b))))"),
            ("(((a)+(b)))", "(((a)+(b)))"),
            ("((((a)+(b))))", "(((a)+(b)))"),
            ("(((", "((("),
            (")))((a)", ")))((a)"),
            ("(([a]))", "(([a]))"),
        ] {
            assert_eq!(reduced(text), left, "{text}");
        }
    }
}
