//! Which brackets belong together, known for all of them from one pass; and brackets that say
//! nothing: of three pairs and more directly around one another the outer ones. A parser that tries
//! what may be a query in each of them takes the square of their number.

use super::super::lex::{Token, TokenKind};

/// For each token that opens a bracket the index of the one that closes it.
pub(crate) struct Partners(Vec<usize>);

impl Partners {
    pub(crate) fn of(text: &str, tokens: &[Token<'_>]) -> Self {
        let mut partners = vec![usize::MAX; tokens.len()];
        let mut opened = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match text.get(token.span.clone()) {
                Some("(" | "[") => opened.push(index),
                Some(")" | "]") => {
                    let open = opened.pop().and_then(|open: usize| partners.get_mut(open));
                    if let Some(partner) = open {
                        *partner = index;
                    }
                }
                _ => {}
            }
        }
        Self(partners)
    }

    /// The partner of the bracket at an index, if it opens and is closed.
    pub(crate) fn of_bracket(&self, open: usize) -> Option<usize> {
        let partner = self.0.get(open).copied();
        partner.filter(|partner| *partner != usize::MAX)
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
    use super::redundant;

    /// A text without its redundant brackets.
    fn reduced(text: &str) -> String {
        let tokens = lex(text, true).unwrap();
        let redundant = redundant(text, &tokens);
        let kept = tokens.iter().enumerate();
        let kept = kept.filter(|(index, _)| !redundant.contains(index));
        kept.map(|(_, token)| &text[token.span.clone()]).collect()
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
