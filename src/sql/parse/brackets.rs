//! Which brackets belong together, known for all of them from one pass; and brackets that say
//! nothing: of three pairs and more directly around one another the outer ones. A parser that tries
//! what may be a query in each of them takes the square of their number.

use super::super::lex::{Token, TokenKind};
use super::keywords::is_keyword;

/// For each token that opens a bracket the index of the one that closes it, and for each token that
/// of the innermost one that is open there.
pub(crate) struct Partners {
    closing: Vec<usize>,
    around: Vec<usize>,
}

impl Partners {
    pub(crate) fn of(text: &str, tokens: &[Token<'_>]) -> Self {
        let mut closing = vec![usize::MAX; tokens.len()];
        let mut around = Vec::with_capacity(tokens.len());
        let mut opened = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            around.push(opened.last().copied().unwrap_or(usize::MAX));
            match text.get(token.span.clone()) {
                Some("(" | "[") => opened.push(index),
                Some(")" | "]") => {
                    let open = opened.pop().and_then(|open: usize| closing.get_mut(open));
                    if let Some(partner) = open {
                        *partner = index;
                    }
                }
                _ => {}
            }
        }
        Self { closing, around }
    }

    /// The partner of the bracket at an index, if it opens and is closed.
    pub(crate) fn of_bracket(&self, open: usize) -> Option<usize> {
        let partner = self.closing.get(open).copied();
        partner.filter(|partner| *partner != usize::MAX)
    }

    /// The innermost bracket around a token: the index of what opens it.
    pub(crate) fn around(&self, index: usize) -> Option<usize> {
        let around = self.around.get(index).copied();
        around.filter(|around| *around != usize::MAX)
    }
}

/// The indices of the brackets around joins that begin with another bracket, in order. A parser
/// that does not know so would first read them as subqueries, each through all brackets in it.
pub(super) fn around_joins(text: &str, tokens: &[Token<'_>]) -> Vec<usize> {
    let mut found = Vec::new();
    // The index of each that is open, and whether there is a join between it and its partner.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match &token.kind {
            TokenKind::Punctuation => match text.get(token.span.clone()) {
                Some("(") => open.push((index, false)),
                Some(")") => {
                    let closed = open.pop().filter(|(_, is_join)| *is_join);
                    let first = closed.and_then(|(opened, _)| tokens.get(opened + 1));
                    if first.is_some_and(|first| text.get(first.span.clone()) == Some("(")) {
                        found.extend(closed.map(|(opened, _)| opened));
                    }
                }
                _ => {}
            },
            TokenKind::Word {
                value,
                quoted: false,
            } if value == "join" => {
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                if let Some((_, is_join)) = open.last_mut()
                    && before.is_some_and(|before| ends_table(text, before))
                {
                    *is_join = true;
                }
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

/// Whether a table may end with a token, or a word that says what kind of join follows it: before a
/// call of a function of that name neither stands.
fn ends_table(text: &str, token: &Token<'_>) -> bool {
    match &token.kind {
        TokenKind::Word {
            value,
            quoted: false,
        } => {
            let kinds = [
                "cross", "full", "inner", "left", "natural", "outer", "right",
            ];
            kinds.contains(&value.as_ref()) || !is_keyword(value)
        }
        TokenKind::Word { .. } => true,
        _ => text.get(token.span.clone()) == Some(")"),
    }
}

/// The indices of the brackets without which a statement means the same, in order. Of each run two
/// pairs stay: the outer one may be a call's, and the inner one is a query's own.
pub(super) fn redundant(text: &str, tokens: &[Token<'_>]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // The last pair that was closed, and how many pairs are directly in one another up to it.
    let mut last = (usize::MAX, usize::MAX, 0);
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Punctuation {
            continue;
        }
        match text.get(token.span.clone()) {
            Some("(") => open.push(index),
            Some(")") => {
                let Some(opened) = open.pop() else {
                    continue;
                };
                let around = last.0 == opened + 1 && last.1 + 1 == index;
                let run = if around { last.2 + 1 } else { 1 };
                if run > 2 {
                    // The pair inside of this one is neither the innermost nor the outermost.
                    found.extend([last.0, last.1]);
                }
                last = (opened, index, run);
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::lex::lex;
    use super::{around_joins, redundant};

    /// A text without its redundant brackets.
    fn reduced(text: &str) -> String {
        let tokens = lex(text, true).unwrap();
        let redundant = redundant(text, &tokens);
        let kept = tokens.iter().enumerate();
        let kept = kept.filter(|(index, _)| !redundant.contains(index));
        kept.map(|(_, token)| &text[token.span.clone()]).collect()
    }

    /// What is between the brackets that are around joins.
    fn joined(text: &str) -> Vec<&str> {
        let tokens = lex(text, true).unwrap();
        let partners = super::Partners::of(text, &tokens);
        let found = around_joins(text, &tokens).into_iter();
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
