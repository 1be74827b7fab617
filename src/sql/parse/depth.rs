//! How deep the tree of a statement will be at most, from its tokens: chained operators and nested
//! brackets give it a level each. It is known before the tree is built, so that there is stack for
//! whoever walks it.

use std::collections::HashSet;

use super::super::lex::{Partners, Token, TokenKind};
use super::brackets::Brackets;

/// The size of a tree.
pub(super) struct Size {
    /// An upper bound of its depth.
    pub(super) depth: usize,
    /// Where the AND and OR begin that stand in chains of many.
    pub(super) chained: HashSet<usize>,
    /// How many tokens are in brackets within such chains, those in brackets in brackets counted
    /// for each.
    within: usize,
}

/// Measures a statement.
pub(super) fn of(text: &str, tokens: &[Token<'_>]) -> Size {
    let mut nesting = Nesting {
        levels: vec![Chain::default()],
        open: 0,
        deepest: 0,
        is_behind_bracket: false,
        chained: HashSet::new(),
        within: 0,
    };
    for token in tokens {
        nesting.level().tokens += 1;
        match &token.kind {
            TokenKind::Punctuation => nesting.mark(token.written(text)),
            TokenKind::Operator => nesting.level().current += 1,
            _ => nesting.word(token.keyword().unwrap_or_default(), token.span.start),
        }
        nesting.is_behind_bracket = token.written(text) == "(";
    }
    let mut chains = 0;
    while let Some(mut level) = nesting.levels.pop() {
        nesting.finish(&mut level);
        chains += level.longest();
    }
    Size {
        depth: chains + nesting.deepest,
        chained: nesting.chained,
        within: nesting.within,
    }
}

/// What it takes to parse a statement, in tokens that are looked at. sqlparser tries each of the
/// brackets that begin a FROM item as the beginning of a subquery, through all that follow; and to
/// balance a chain copies what it begins with.
pub(crate) fn cost(text: &str, tokens: &[Token<'_>]) -> usize {
    let (mut cost, mut run, mut is_item) = (tokens.len(), 0_usize, false);
    let partners = Partners::of(text, tokens);
    let brackets = Brackets::of(text, tokens, &partners);
    for (index, token) in tokens.iter().enumerate() {
        let mark = token.written(text);
        if mark == "(" {
            // What begins as joins do is read once.
            if brackets.is_around_joins(index) {
                run = 0;
            }
            run += usize::from(!brackets.is_redundant(index));
            continue;
        }
        if is_item {
            cost = cost.saturating_add(run.saturating_mul(run) / 8);
        }
        run = 0;
        is_item = mark == ","
            || ["from", "join", "using", "lateral"]
                .iter()
                .any(|word| mark.eq_ignore_ascii_case(word));
    }
    if connectives(tokens) > super::MANY_CONNECTIVES {
        cost = cost.saturating_add(of(text, tokens).within / 4);
    }
    cost
}

fn connectives(tokens: &[Token<'_>]) -> usize {
    let is_connective = |token: &&Token<'_>| matches!(token.keyword(), Some("and" | "or"));
    tokens.iter().filter(is_connective).count()
}

/// What is open at a place.
struct Nesting {
    levels: Vec<Chain>,
    /// What is open weighs so much.
    open: usize,
    deepest: usize,
    is_behind_bracket: bool,
    chained: HashSet<usize>,
    within: usize,
}

/// A query in brackets, and a CASE, are so many levels more than brackets are.
const QUERY: usize = 3;

impl Nesting {
    fn level(&mut self) -> &mut Chain {
        if self.levels.is_empty() {
            self.levels.push(Chain::default());
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn open(&mut self) {
        self.levels.push(Chain::default());
        self.weigh(1);
    }

    /// Adds to the weight of the brackets that were opened last.
    fn weigh(&mut self, weight: usize) {
        self.level().weight += weight;
        self.open += weight;
        self.deepest = self.deepest.max(self.open);
    }

    /// What is in brackets may become a part of the chain around them.
    fn close(&mut self) {
        let mut inner = self.levels.pop().unwrap_or_default();
        self.finish(&mut inner);
        self.open = self.open.saturating_sub(inner.weight);
        let level = self.level();
        level.current += inner.longest();
        level.tokens += inner.tokens;
        level.within += inner.tokens;
    }

    /// What a level began ends, at a comma or with it.
    fn finish(&mut self, level: &mut Chain) {
        if level.connectives.len() > super::MANY_CONNECTIVES {
            self.chained.extend(&level.connectives);
            self.within += level.within;
        }
        level.within = 0;
        level.finish();
    }

    fn mark(&mut self, mark: &str) {
        match mark {
            "(" => self.open(),
            "[" => {
                self.level().current += 1;
                self.open();
            }
            ")" | "]" => self.close(),
            "," => {
                let mut level = std::mem::take(self.level());
                self.finish(&mut level);
                *self.level() = level;
            }
            "::" | "." => self.level().current += 1,
            _ => {}
        }
    }

    fn word(&mut self, word: &str, place: usize) {
        match word {
            // A comma in a select list does not end a chain of these.
            "union" | "intersect" | "except" => self.level().set_operations += 1,
            "and" | "or" => {
                let level = self.level();
                if word == "and" && level.betweens > 0 {
                    level.betweens -= 1;
                    level.current += 1;
                } else {
                    level.connect(place);
                }
            }
            "between" => {
                let level = self.level();
                level.current += 1;
                level.betweens += 1;
            }
            "select" | "with" | "values" if self.is_behind_bracket => self.weigh(QUERY),
            "case" => self.weigh(QUERY),
            "end" => {
                let level = self.level();
                let closed = level.weight.min(QUERY);
                level.weight -= closed;
                self.open = self.open.saturating_sub(closed);
            }
            "not" | "is" | "isnull" | "notnull" | "like" | "ilike" | "in" | "similar" | "at"
            | "collate" | "operator" | "overlaps" | "interval" => self.level().current += 1,
            _ => {}
        }
    }
}

/// The operators at one level of brackets.
#[derive(Default)]
struct Chain {
    /// Since the last comma, AND or OR.
    current: usize,
    /// The most between two of those since the last comma.
    operand: usize,
    /// Where the AND and OR begin since then.
    connectives: Vec<usize>,
    /// The most between two commas before.
    finished: usize,
    /// UNION and its like.
    set_operations: usize,
    /// How many BETWEEN wait for their AND.
    betweens: usize,
    /// What the brackets around it weigh, and each CASE that is open in it.
    weight: usize,
    /// How many tokens there are, and how many of them in brackets.
    tokens: usize,
    within: usize,
}

impl Chain {
    /// An AND or OR at a place.
    fn connect(&mut self, place: usize) {
        self.connectives.push(place);
        self.operand = self.operand.max(self.current);
        self.current = 0;
        self.betweens = 0;
    }

    /// A chain of few operands is as deep as it is long, one of many becomes balanced.
    fn finish(&mut self) {
        let chain = self.connectives.len().min(super::MANY_CONNECTIVES);
        self.finished = self.finished.max(self.current.max(self.operand) + chain);
        self.connectives.clear();
        self.operand = 0;
        self.current = 0;
        self.betweens = 0;
    }

    /// What is the most once all is finished.
    fn longest(&self) -> usize {
        self.finished + self.set_operations
    }
}
