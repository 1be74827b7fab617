//! Brackets that sqlparser need not see, and those that it has to be told of. A parser that tries
//! what may be a query in each of them takes the square of their number, and stack for each.

use std::collections::HashSet;

use super::super::lex::{Cursor, Partners, Token};
use super::keywords::is_keyword;

/// What is known of the brackets of one statement.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// The indices of those without which the statement means the same, and of words before them,
    /// in order.
    redundant: Vec<usize>,
    /// The indices of those that open around joins and begin with another one, in order. A parser
    /// that does not know so would first read them as subqueries, each through all brackets in it.
    around_joins: Vec<usize>,
}

impl Brackets {
    pub(super) fn of(text: &str, tokens: &[Token<'_>], partners: &Partners) -> Self {
        let reader = Reader {
            text,
            tokens,
            partners,
        };
        let joins = reader.joins();
        let mut redundant = reader.repeated();
        redundant.extend(reader.leading(&joins));
        redundant.extend(reader.inner_sets());
        redundant.sort_unstable();
        redundant.dedup();
        let begins = |open: &usize| reader.is_round(open + 1) && !is_in(&redundant, *open);
        let around_joins = joins.iter().copied().filter(begins).collect();
        Self {
            redundant,
            around_joins,
        }
    }

    /// Whether the statement means the same without the bracket, or the word before one, at an
    /// index.
    pub(super) fn is_redundant(&self, index: usize) -> bool {
        is_in(&self.redundant, index)
    }

    /// Whether a bracket opens at an index around joins that begin with another one.
    pub(super) fn is_around_joins(&self, index: usize) -> bool {
        is_in(&self.around_joins, index)
    }
}

fn is_in(sorted: &[usize], index: usize) -> bool {
    sorted.binary_search(&index).is_ok()
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
    partners: &'t Partners,
}

impl Reader<'_> {
    fn is_round(&self, at: usize) -> bool {
        Cursor::new(self.text, self.tokens, at).written() == "("
    }

    fn keyword(&self, at: usize) -> Option<&str> {
        self.tokens.get(at)?.keyword()
    }

    /// Finds the pair in a pair of brackets that has nothing else in it.
    fn only_pair_in(&self, open: usize) -> Option<(usize, usize)> {
        let [outer, inner] = [open, open + 1].map(|at| self.partners.of_bracket(at));
        let is_direct = self.is_round(open) && self.is_round(open + 1) && outer? == inner? + 1;
        is_direct.then_some((open + 1, inner?))
    }

    /// The indices of the brackets that open around joins, or around nothing but such brackets, in
    /// order.
    fn joins(&self) -> Vec<usize> {
        let around = |word: &'static str| {
            let indices = 0..self.tokens.len();
            let indices = indices.filter(move |index| self.keyword(*index) == Some(word));
            indices.filter_map(|index| Some((index, self.partners.around(index)?)))
        };
        let queries: HashSet<usize> = around("select").map(|(_, open)| open).collect();
        let mut found = HashSet::new();
        for (index, open) in around("join") {
            let before = index.checked_sub(1).and_then(|at| self.tokens.get(at));
            let is_join = before.is_some_and(|before| ends_table(self.text, before));
            let is_pair = self.is_round(open) && self.partners.of_bracket(open).is_some();
            let is_one = is_join && is_pair && !queries.contains(&open);
            let mut next = Some(open).filter(|_| is_one);
            while let Some(open) = next.filter(|open| found.insert(*open)) {
                let around = open.checked_sub(1);
                next = around.filter(|around| self.only_pair_in(*around).is_some());
            }
        }
        let mut found = Vec::from_iter(found);
        found.sort_unstable();
        found
    }

    /// The brackets around joins that a FROM clause, or joins in brackets, begin with and that have
    /// no name: joins are read from the left without them too.
    fn leading(&self, joins: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        for open in joins.iter().copied() {
            let is_first = open
                .checked_sub(1)
                .is_some_and(|before| self.keyword(before) == Some("from") || is_in(joins, before));
            let close = self.partners.of_bracket(open).filter(|_| is_first);
            if let Some(close) = close.filter(|close| self.ends_item(close + 1)) {
                found.extend([open, close]);
            }
        }
        found
    }

    /// Whether what stands at an index is no name of the FROM item before it.
    fn ends_item(&self, index: usize) -> bool {
        const WORDS: [&str; 21] = [
            "cross",
            "except",
            "fetch",
            "for",
            "full",
            "group",
            "having",
            "inner",
            "intersect",
            "join",
            "left",
            "limit",
            "natural",
            "offset",
            "on",
            "order",
            "returning",
            "right",
            "union",
            "where",
            "window",
        ];
        match self.tokens.get(index) {
            None => true,
            Some(token) => match token.keyword() {
                Some(word) => WORDS.contains(&word),
                None => [")", ","].contains(&token.written(self.text)),
            },
        }
    }

    /// `GROUPING SETS (…)` where it is one of such sets itself, but for what is in it: Postgres puts
    /// that among the others.
    fn inner_sets(&self) -> Vec<usize> {
        let are_sets = |at: usize| {
            let are_words =
                self.keyword(at) == Some("grouping") && self.keyword(at + 1) == Some("sets");
            are_words && self.is_round(at + 2)
        };
        let around = |at: usize| self.partners.around(at)?.checked_sub(2);
        let is_inner = |at: &usize| are_sets(*at) && around(*at).is_some_and(are_sets);
        let inner = (0..self.tokens.len()).filter(is_inner);
        let with_end = inner.filter_map(|at| Some((at, self.partners.of_bracket(at + 2)?)));
        with_end
            .flat_map(|(at, close)| [at, at + 1, at + 2, close])
            .collect()
    }

    /// The brackets of each run of pairs directly around one another but for two: the outer one may
    /// be a call's, and the inner one is a query's own.
    fn repeated(&self) -> Vec<usize> {
        let pairs = (0..self.tokens.len()).filter_map(|open| self.only_pair_in(open));
        let outer = pairs.filter(|(open, _)| self.only_pair_in(*open).is_some());
        outer.flat_map(|(open, close)| [open, close]).collect()
    }
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

#[cfg(test)]
mod tests {
    use super::super::super::lex::{Partners, lex};
    use super::Brackets;

    /// The tokens of a text.
    fn written(text: &str) -> Vec<&str> {
        let tokens = lex(text, true).unwrap();
        let written = tokens.iter().map(|token| &text[token.span.clone()]);
        written.collect()
    }

    /// Those of a text without its redundant brackets.
    fn reduced(text: &str) -> Vec<&str> {
        let tokens = lex(text, true).unwrap();
        let brackets = Brackets::of(text, &tokens, &Partners::of(text, &tokens));
        let kept = written(text).into_iter().enumerate();
        let kept = kept.filter(|(index, _)| !brackets.is_redundant(*index));
        kept.map(|(_, written)| written).collect()
    }

    /// What is between the brackets that are around joins.
    fn joined(text: &str) -> Vec<&str> {
        let tokens = lex(text, true).unwrap();
        let partners = Partners::of(text, &tokens);
        let found = Brackets::of(text, &tokens, &partners)
            .around_joins
            .into_iter();
        let found = found.map(|open| (open, partners.of_bracket(open).unwrap()));
        let found =
            found.map(|(open, close)| &text[tokens[open].span.end..tokens[close].span.start]);
        found.collect()
    }

    #[test]
    fn brackets_are_around_joins_where_one_stands_directly_in_them() {
        for (text, found) in [
            ("from (a join b on true) c", &[][..]),
            ("from ((a cross join b) join c on true)", &[]),
            (
                "from d, ((a cross join b) x join c on true)",
                &["(a cross join b) x join c on true"],
            ),
            (
                "from ((a join b on true) x left join c on true) y",
                &["(a join b on true) x left join c on true"],
            ),
            (
                "from d, ((select 1) q join c on true)",
                &["(select 1) q join c on true"],
            ),
            (
                "from e join (((a join b on x) y join c on y) z join d on z)",
                &[
                    "((a join b on x) y join c on y) z join d on z",
                    "(a join b on x) y join c on y",
                ],
            ),
            (
                "from ((select 1 from a join b on true) union select 2) q",
                &[],
            ),
            (
                "from ((select 1) union select 2 from a join b on true) q",
                &[],
            ),
            ("select ((1) + join(2))", &[]),
            ("select ((1)::join)", &[]),
            ("select ((true) and join(2))", &[]),
            ("from ((a", &[]),
            ("from (e join (a) b))", &[]),
            ("from e, ((a) join b))", &["(a) join b"]),
        ] {
            assert_eq!(joined(text), found, "{text}");
        }
    }

    #[test]
    fn joins_that_come_first_are_read_without_their_brackets() {
        for (text, left) in [
            ("from (a join b)", "from a join b"),
            ("from ((a join b) join c)", "from a join b join c"),
            (
                "from (((a join b)) join c) where",
                "from a join b join c where",
            ),
            ("from ((((a join b))))", "from a join b"),
            ("from ((a join b) join c) x", "from (a join b join c) x"),
            (
                "from ((a join b) x join c), d",
                "from (a join b) x join c, d",
            ),
            ("from (a join b) as x", "from (a join b) as x"),
            (
                "from ((a join b) join c) \"order\"",
                "from (a join b join c) \"order\"",
            ),
            (
                "from a join ((b join c) join d)",
                "from a join (b join c join d)",
            ),
            ("from a, (b join c)", "from a, (b join c)"),
            (
                "from (select 1 from a join b)",
                "from (select 1 from a join b)",
            ),
            (
                "from ((select 1) union select 2 from a join b)",
                "from ((select 1) union select 2 from a join b)",
            ),
            (
                "from (a join (select 1 from (b join c)) d) join e",
                "from a join (select 1 from b join c) d join e",
            ),
            (
                "from (a join b on a.x is distinct from (b.x))",
                "from a join b on a.x is distinct from (b.x)",
            ),
            ("from ((a join b)", "from ((a join b)"),
        ] {
            assert_eq!(reduced(text), written(left), "{text}");
        }
    }

    #[test]
    fn sets_in_sets_are_read_without_their_words_and_brackets() {
        for (text, left) in [
            (
                "grouping sets (a, grouping sets ((b), grouping sets (c)), ())",
                "grouping sets (a, (b), c, ())",
            ),
            (
                "grouping sets (cube (a), (grouping (b)))",
                "grouping sets (cube (a), (grouping (b)))",
            ),
        ] {
            assert_eq!(reduced(text), written(left), "{text}");
        }
    }

    #[test]
    fn of_pairs_directly_in_one_another_two_are_left() {
        for (text, left) in [
            ("f((a))", "f((a))"),
            ("f(((a)))", "f((a))"),
            ("((((((a))))))", "((a))"),
            ("in((((select 1))))", "in((select 1))"),
            ("(((a),b))", "(((a),b))"),
            ("(((a))+((((b)))))", "(((a))+((b)))"),
            ("((((a)),(((b)))))", "((((a)),((b))))"),
            ("(((a)+(b)))", "(((a)+(b)))"),
            ("((((a)+(b))))", "(((a)+(b)))"),
            ("(((", "((("),
            (")))((a)", ")))((a)"),
            ("(([a]))", "(([a]))"),
        ] {
            assert_eq!(reduced(text), written(left), "{text}");
        }
    }
}
