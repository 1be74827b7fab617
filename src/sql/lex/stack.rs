//! What a text takes of the stack of Postgres's parser, at least. Postgres gives up where that is
//! full, whatever comes behind, so that nobody needs the rest of such a text.

use super::TokenKind;

/// `YYMAXDEPTH` of Postgres's parser.
const MAX_SYMBOLS: usize = 10_000;

/// The brackets and CASEs that are open at a place, each with the symbols that stay on the stack
/// until it is closed.
#[derive(Debug, Default)]
pub(super) struct Stack {
    open: Vec<Open>,
    symbols: usize,
    before: Before,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    is_case: bool,
    /// Those that it takes from its beginning on.
    first: usize,
    symbols: usize,
}

/// The token in front of the next one, as far as it matters.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Before {
    #[default]
    Other,
    Bracket,
    /// A closing one.
    Closed,
    /// A value.
    Value,
    /// A word that stays on the stack while the bracket behind it is open.
    Name,
    /// What stands between two operands, and stays there with the first of them.
    Infix,
    /// That, and a word or a sign behind it.
    InfixName,
    /// AS or a dot: the next word is a name, whatever it is otherwise.
    As,
    Distinct,
    Within,
    WithinGroup,
    Filter,
    Over,
    Order,
}

impl Before {
    /// With a word behind it that stays, too.
    const fn with_name(self) -> Self {
        match self {
            Self::Infix => Self::InfixName,
            _ => Self::Name,
        }
    }
}

/// Words that are counted with what they belong to, not as what stands in front of a bracket.
const COUNTED: [&str; 4] = ["all", "by", "case", "end"];

/// Words between two operands.
const INFIX: [&str; 9] = [
    "and", "ilike", "in", "join", "like", "on", "or", "placing", "using",
];

impl Stack {
    /// The stack for a text; none for one that is too short to fill it, since each symbol has at
    /// least a byte there.
    pub(super) fn of(text: &str) -> Option<Self> {
        (text.len() > MAX_SYMBOLS).then(Self::default)
    }

    /// Takes the next token of a text. Returns whether there is room for it.
    pub(super) fn push(&mut self, kind: &TokenKind<'_>, text: &str) -> bool {
        let before = std::mem::take(&mut self.before);
        match kind {
            TokenKind::Punctuation => match text {
                "(" => {
                    let in_front = match before {
                        // The call, WITHIN, and GROUP.
                        Before::WithinGroup => 3,
                        // The call, what is within a group, which may be empty, and FILTER.
                        Before::Filter => 3,
                        // What FILTER says, too, and OVER.
                        Before::Over => 4,
                        // Behind AS, what it gives a name to.
                        Before::Infix | Before::As => 2,
                        Before::InfixName => 3,
                        Before::Name => 1,
                        _ => 0,
                    };
                    self.open(false, 1 + in_front.max(self.between(before)));
                    self.before = Before::Bracket;
                }
                "[" => {
                    self.open(false, 1 + self.between(before));
                    self.before = Before::Bracket;
                }
                ")" | "]" => {
                    self.leave();
                    self.close();
                    self.before = Before::Closed;
                }
                // Inside of brackets it ends the commands of a rule, outside of them a statement.
                ";" => self.leave(),
                // The name of an argument, and this.
                "=>" | ":=" => self.hold(2),
                "," if before != Before::Bracket => self.before = Before::Infix,
                "." => self.before = Before::As,
                _ => {}
            },
            TokenKind::Operator => {
                // Behind a word it may be a sign.
                self.before = match before {
                    Before::Closed | Before::Value => Before::Infix,
                    before => before.with_name(),
                };
            }
            TokenKind::Word { quoted, value } => self.word(value, *quoted, before),
            _ => self.before = Before::Value,
        }
        self.symbols <= MAX_SYMBOLS
    }

    /// Takes a word.
    fn word(&mut self, word: &str, quoted: bool, before: Before) {
        if quoted || before == Before::As {
            self.before = before.with_name();
            return;
        }
        match word {
            // SELECT and ALL, which may be empty; or, behind a set operation, more.
            "select" => self.hold(2),
            // Those, the columns, INTO, which may be empty, and FROM.
            "from" if self.holds(2) && before != Before::Distinct => self.hold(5),
            // In a call there are two.
            "from" if self.holds(0) && !matches!(before, Before::Distinct | Before::Bracket) => {
                self.hold(2);
            }
            "where" if self.holds(5) => self.hold(6),
            "with" if before == Before::Bracket => self.hold(1),
            "recursive" if self.holds(1) => self.hold(2),
            // What is in front of them is one symbol by now.
            "union" | "intersect" | "except" | "limit" | "offset" | "fetch" | "for" => {
                self.hold(2);
            }
            "distinct" => self.before = Before::Distinct,
            "filter" if before == Before::Closed => self.before = Before::Filter,
            "over" if before == Before::Closed => self.before = Before::Over,
            "where" if before == Before::Bracket => self.hold(1),
            "within" => self.before = Before::Within,
            "group" if before == Before::Within => self.before = Before::WithinGroup,
            "order" | "partition" => self.before = Before::Order,
            "by" if before == Before::Order => self.hold(2),
            "case" => self.open(true, 1),
            // CASE, its operand, which may be empty, WHEN; then the condition and THEN; or the
            // list of all WHENs and ELSE.
            "when" => self.reach(3),
            "then" => self.reach(5),
            "else" => self.reach(4),
            "end" if self.is_in_case() => self.close(),
            "as" => self.before = Before::As,
            "from" => self.before = Before::Infix,
            word if COUNTED.contains(&word) => {}
            word if INFIX.contains(&word)
                && !matches!(before, Before::Bracket | Before::Distinct) =>
            {
                self.before = Before::Infix;
            }
            _ => self.before = before.with_name(),
        }
    }

    fn open(&mut self, is_case: bool, symbols: usize) {
        self.open.push(Open {
            is_case,
            first: symbols,
            symbols,
        });
        self.symbols += symbols;
    }

    /// What stands between a bracket and the one around it is a symbol at least, until the inner one
    /// is closed.
    fn between(&self, before: Before) -> usize {
        let around = self.open.last().filter(|open| !open.is_case);
        let is_known = around.is_none_or(|open| open.symbols > open.first);
        usize::from(!is_known && before != Before::Bracket)
    }

    /// So many stay in the innermost bracket until it is closed.
    fn hold(&mut self, symbols: usize) {
        if let Some(open) = self.open.last_mut().filter(|open| !open.is_case) {
            let held = open.first + symbols;
            self.symbols = self.symbols - open.symbols + held;
            open.symbols = held;
        }
    }

    /// Whether so many stay in the innermost bracket.
    fn holds(&self, symbols: usize) -> bool {
        let innermost = self.open.last().filter(|open| !open.is_case);
        innermost.is_some_and(|open| open.symbols == open.first + symbols)
    }

    fn close(&mut self) {
        self.symbols -= self.open.pop().map_or(0, |open| open.symbols);
    }

    fn is_in_case(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_case)
    }

    /// The innermost CASE has got so far.
    fn reach(&mut self, symbols: usize) {
        if let Some(open) = self.open.last_mut().filter(|open| open.is_case) {
            self.symbols = self.symbols - open.symbols + symbols;
            open.symbols = symbols;
        }
    }

    /// What looked like a CASE and was a name ends with what it stands in.
    fn leave(&mut self) {
        while self.is_in_case() {
            self.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lex;

    fn nested(times: usize, open: &str, close: &str) -> String {
        format!("SELECT {}1{}", open.repeat(times), close.repeat(times))
    }

    fn fits(text: &str) -> bool {
        match lex(text, true) {
            Ok(_) => true,
            Err(error) => {
                assert_eq!(error.sqlstate, "54001");
                false
            }
        }
    }

    #[test]
    fn no_more_is_open_than_postgres_has_room_for() {
        for (open, close, most) in [
            ("(", ")", 10_000),
            ("[", "]", 10_000),
            ("CASE ", " WHEN 1 THEN 1 END", 9_996),
            ("CASE WHEN ", " THEN 1 END", 3332),
            ("CASE WHEN 1 THEN ", " END", 2000),
            ("CASE 1 WHEN 1 THEN 2 ELSE ", " END", 2499),
            ("(CASE WHEN 1 THEN f(", ") END)", 1250),
            ("f(", ")", 5000),
            ("a[", "]", 5000),
            ("CAST(f(", ") AS text)", 2500),
            ("(1 + ", ")", 3334),
            ("(- ", ")", 5000),
            ("(SELECT - ", ")", 2500),
            ("(a, ", ")", 3334),
            ("a IN (", ")", 3333),
            ("EXTRACT(year FROM ", ")", 2500),
            ("extract(year FROM now() + ", ")", 1666),
            ("(WITH RECURSIVE c AS (SELECT ", ") SELECT 1)", 1250),
            ("EXISTS (SELECT 1 FROM t WHERE ", ")", 1250),
            ("(SELECT 1 FROM t WHERE a UNION SELECT ", ")", 3332),
            ("(SELECT DISTINCT ON (", ") 1)", 2000),
            ("(SELECT a IS DISTINCT FROM ", ")", 2000),
            ("(t JOIN ", " ON true)", 3334),
            ("(SELECT ", ")", 3333),
            ("(SELECT f() WITHIN GROUP (ORDER BY ", ") FROM t)", 1111),
            ("f(1 ORDER BY ", ")", 2500),
            ("f(x => ", ")", 2500),
            ("(SELECT f(", "))", 2000),
            ("(VALUES (", "))", 3333),
            ("(SELECT f() OVER (PARTITION BY ", ") FROM t)", 1000),
            ("(SELECT f() FILTER (WHERE ", ") FROM t)", 1250),
            (
                "1 = ALL (SELECT 1 UNION SELECT ",
                " ORDER BY 1 LIMIT 1)",
                3333,
            ),
        ] {
            assert!(fits(&nested(most, open, close)), "{open}");
            assert!(!fits(&nested(most + 1, open, close)), "{open}");
        }
    }

    #[test]
    fn what_is_closed_takes_no_room() {
        for part in [
            "(1), ",
            "CASE WHEN 1 THEN 2 ELSE 3 END, ",
            "(1 AS case), ",
            "(a.case, ARRAY[1]), ",
            "1 AS case; ",
            "\"case\", ",
            "')', ",
            "1 AS end, ",
        ] {
            assert!(fits(&part.repeat(20_000)), "{part}");
        }
    }
}
