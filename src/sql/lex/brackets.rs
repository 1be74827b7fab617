//! Which brackets of a text belong together, and how many are open at a place. Postgres's grammar
//! has them in pairs only, `(` and `[` one within the other: of a text where they are in disorder
//! nothing holds but that the server refuses it.

use super::{Cursor, Token};

/// The brackets that count.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Brackets {
    /// `(` and `)`.
    Round,
    /// These, and `[` and `]`.
    All,
}

/// How many brackets are open at a place of a text that is read sign by sign.
#[derive(Debug)]
pub(crate) struct Depth {
    brackets: Brackets,
    open: usize,
}

impl Depth {
    /// The depth at the beginning of a text.
    pub(crate) const fn new(brackets: Brackets) -> Self {
        Self { brackets, open: 0 }
    }

    /// Takes the next sign, or the first character of something else. Returns how many brackets are
    /// open around it: a bracket stands outside of what it encloses, and one that closes nothing
    /// leaves all as it is.
    pub(crate) fn around(&mut self, sign: char) -> usize {
        let before = self.open;
        match (self.brackets, sign) {
            (_, '(') | (Brackets::All, '[') => self.open += 1,
            (_, ')') | (Brackets::All, ']') => self.open = before.saturating_sub(1),
            _ => {}
        }
        before.min(self.open)
    }
}

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
        let mut open: Vec<usize> = Vec::new();
        for (index, token, depth) in Cursor::new(text, tokens, 0).nested(Brackets::All) {
            around.push(open.last().copied().unwrap_or(usize::MAX));
            // What is open around a token lacks a bracket only if the token closes that.
            if let Some(partner) = open.get(depth).and_then(|opened| closing.get_mut(*opened)) {
                *partner = index;
                open.truncate(depth);
            } else if matches!(token.written(text), "(" | "[") {
                open.push(index);
            }
        }
        Self { closing, around }
    }

    /// The partner of the bracket at an index, if it opens and is closed.
    pub(crate) fn of_bracket(&self, open: usize) -> Option<usize> {
        let partner = self.closing.get(open).copied();
        partner.filter(|partner| *partner != usize::MAX)
    }

    /// The innermost bracket around a token: the index of what opens it. One that closes is inside
    /// of it still.
    pub(crate) fn around(&self, index: usize) -> Option<usize> {
        let around = self.around.get(index).copied();
        around.filter(|around| *around != usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lex;
    use super::*;

    /// A digit below each token: how many brackets are open around it.
    fn depths(text: &str, brackets: Brackets) -> String {
        let tokens = lex(text, true).unwrap();
        let nested = Cursor::new(text, &tokens, 0).nested(brackets);
        nested.map(|(_, _, depth)| depth.to_string()).collect()
    }

    #[test]
    fn a_bracket_stands_outside_of_what_it_encloses() {
        for (text, round, all) in [
            ("a ( b ( c ) ) d", "00112100", "00112100"),
            ("a [ ( b ) , ] d", "00010000", "00121100"),
            ("a ) b ( c", "00001", "00001"),
            ("\"(\" '(' $$($$ a", "0000", "0000"),
        ] {
            assert_eq!(depths(text, Brackets::Round), round, "{text}");
            assert_eq!(depths(text, Brackets::All), all, "{text}");
        }
    }

    #[test]
    fn brackets_belong_together_by_pairs() {
        let text = ") ( [ a ] ( b";
        let tokens = lex(text, true).unwrap();
        let partners = Partners::of(text, &tokens);
        let of: Vec<_> = (0..tokens.len())
            .map(|at| partners.of_bracket(at))
            .collect();
        let around: Vec<_> = (0..tokens.len()).map(|at| partners.around(at)).collect();
        assert_eq!(of, [None, None, Some(4), None, None, None, None]);
        let inside = [None, None, Some(1), Some(2), Some(2), Some(1), Some(5)];
        assert_eq!(around, inside);
    }
}
