//! A text with blanks in the place of its literals, so that texts that differ in nothing else
//! share one analysis.
//!
//! The analysis of such a text never sees the literals. A blank string is a value of unknown type
//! that is no constant ([`string_value`](super::parse::string_value) finds none), so whoever needs
//! to read a literal to explain a statement fails on a blank. A number is blanked only where its
//! place leaves nothing but its type to matter, and the number in its stead is of the same type.
//! A blank holds a NUL, which no client can send.

use std::borrow::Cow;
use std::ops::Range;

use super::lex::{self, Token, TokenKind};
use super::plan::{Columns, Edit, Effect, Plan, Replacement, Source, Verdict};
use super::{Context, Script, Statement, encoding, split};

/// The value of a blank string.
pub(super) const BLANK: &str = "\0";

/// A blank string as it is written.
const BLANK_STRING: &str = "'\0'";

/// Longer texts are not blanked; nobody sends them twice.
const LONGEST: usize = 256 * 1024;

/// A text with blanks.
#[derive(Debug)]
pub struct Blanked<'a> {
    original: &'a str,
    text: String,
    blanks: Vec<Blank<'a>>,
}

/// A literal that was blanked.
#[derive(Debug, Clone)]
struct Blank<'a> {
    /// The bytes of the blank.
    here: Range<usize>,
    /// The bytes of the literal in the original.
    there: Range<usize>,
    value: Cow<'a, str>,
    with: &'static str,
}

/// Blanks the literals of a text that is one query or data-modifying statement. `None` if it
/// is something else or has no literal that can be blanked.
#[must_use]
pub fn blank<'a>(text: &'a [u8], context: &Context<'_>) -> Option<Blanked<'a>> {
    if text.len() > LONGEST || memchr::memchr(0, text).is_some() {
        return None;
    }
    let Cow::Borrowed(_) = encoding::readable(text, context).ok()? else {
        return None;
    };
    let text = std::str::from_utf8(text).ok()?;
    let tokens = lex::lex(text, context.standard_conforming_strings).ok()?;
    let is_statement = matches!(
        &tokens.first()?.kind,
        TokenKind::Word { value, quoted: false } if matches!(
            value.as_ref(),
            "select" | "insert" | "update" | "delete" | "with" | "values" | "merge"
        )
    );
    if !is_statement || split::split(text, &tokens).len() != 1 {
        return None;
    }
    let blanks = Numbers::new(text, &tokens).blanks();
    (!blanks.is_empty()).then(|| Blanked::with(text, blanks))
}

impl<'a> Blanked<'a> {
    fn with(original: &'a str, mut blanks: Vec<Blank<'a>>) -> Self {
        let mut text = String::with_capacity(original.len());
        let mut copied = 0;
        for blank in &mut blanks {
            text.push_str(&original[copied..blank.there.start]);
            let start = text.len();
            text.push_str(blank.with);
            blank.here = start..text.len();
            copied = blank.there.end;
        }
        text.push_str(&original[copied..]);
        Self {
            original,
            text,
            blanks,
        }
    }

    /// The text with the blanks.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The same, but with these literals as they are written.
    #[must_use]
    pub fn keeping(&self, literals: &[usize]) -> Self {
        let blanks = self.blanks.iter().enumerate();
        let blanks = blanks.filter(|(index, _)| !literals.contains(index));
        Self::with(
            self.original,
            blanks.map(|(_, blank)| blank.clone()).collect(),
        )
    }

    /// The literals that are no ids, by the plan of the original: if anything in that plan
    /// depends on literals, then on these.
    #[must_use]
    pub fn others(&self, plan: &Plan) -> Vec<usize> {
        let is_id = |blank: &Blank<'_>| {
            let edits = plan.edits.iter();
            let mut ids = edits.filter(|edit| {
                matches!(
                    edit.with,
                    Replacement::Id { .. } | Replacement::IdArray { .. } | Replacement::Json { .. }
                )
            });
            ids.any(|edit| edit.span == blank.there)
        };
        let blanks = self.blanks.iter().enumerate();
        let others = blanks.filter(|(_, blank)| !is_id(blank));
        others.map(|(index, _)| index).collect()
    }

    /// How many literals are blank.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.blanks.len()
    }

    /// Whether no literal is blank.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.blanks.is_empty()
    }

    /// The script of the original, from the plan of the text with the blanks; `None` if that plan
    /// is not one that texts can share.
    #[must_use]
    pub fn place(&self, range: &Range<usize>, plan: &Plan) -> Option<Script> {
        let Plan {
            edits,
            parameters,
            columns,
            source: Source::Itself,
            arguments,
            effect,
            unresolved: false,
            constant,
            confirmed: _,
        } = plan
        else {
            return None;
        };
        if !arguments.is_empty()
            || *effect != Effect::default()
            || !matches!(columns, Columns::Clean | Columns::Known(_))
        {
            return None;
        }
        let edits = edits.iter().map(|edit| self.edit(edit));
        let plan = Plan {
            edits: edits.collect::<Option<_>>()?,
            parameters: parameters.clone(),
            columns: columns.clone(),
            constant: *constant,
            ..Plan::default()
        };
        Some(Script {
            statements: vec![Statement {
                range: self.range(range)?,
                verdict: Verdict::Forward(plan),
            }],
            unknown_name: None,
        })
    }

    fn edit(&self, edit: &Edit) -> Option<Edit> {
        let value = |literal: &str| {
            let first = self
                .blanks
                .partition_point(|blank| blank.here.start < edit.span.start);
            match self.blanks.get(first) {
                Some(blank) if blank.here == edit.span => Some(blank.value.to_string()),
                _ if literal.contains(BLANK) => None,
                _ => Some(literal.to_owned()),
            }
        };
        let with = match &edit.with {
            Replacement::Id { usage, literal } => Replacement::Id {
                literal: value(literal)?,
                usage: usage.clone(),
            },
            Replacement::IdArray { usage, literal } => Replacement::IdArray {
                literal: value(literal)?,
                usage: usage.clone(),
            },
            Replacement::Json { shape, literal } => Replacement::Json {
                literal: value(literal)?,
                shape: shape.clone(),
            },
            Replacement::Text(text) if text.contains(BLANK) => return None,
            Replacement::Text(_)
            | Replacement::TagOpen(_)
            | Replacement::TagClose
            | Replacement::MarkOpen { .. } => edit.with.clone(),
        };
        Some(Edit {
            span: self.range(&edit.span)?,
            with,
        })
    }

    fn range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        Some(self.offset(range.start)?..self.offset(range.end)?)
    }

    /// The place in the original; `None` for one inside of a blank.
    fn offset(&self, here: usize) -> Option<usize> {
        let behind = self.blanks.partition_point(|blank| blank.here.end <= here);
        let next = self.blanks.get(behind);
        if next.is_some_and(|blank| blank.here.start < here) {
            return None;
        }
        let before = behind
            .checked_sub(1)
            .and_then(|index| self.blanks.get(index));
        Some(match before {
            Some(blank) => here - blank.here.end + blank.there.end,
            None => here,
        })
    }
}

/// Which literals of a statement are blanked.
struct Numbers<'a, 't> {
    text: &'a str,
    tokens: &'t [Token<'a>],
    /// For each bracket that is open, whether values are listed in it.
    lists: Vec<bool>,
    /// The depth at which the rows of VALUES stand, while they do.
    rows: Option<usize>,
}

impl<'a, 't> Numbers<'a, 't> {
    const fn new(text: &'a str, tokens: &'t [Token<'a>]) -> Self {
        Self {
            text,
            tokens,
            lists: Vec::new(),
            rows: None,
        }
    }

    fn blanks(mut self) -> Vec<Blank<'a>> {
        let mut blanks = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let written = match &token.kind {
                TokenKind::String(value) => Some((value.clone(), BLANK_STRING)),
                TokenKind::Number => {
                    let digits = &self.text[token.span.clone()];
                    let with = stand_in(digits).filter(|_| self.is_only_typed(index));
                    with.map(|with| (Cow::Borrowed(digits), with))
                }
                _ => {
                    self.follow(index);
                    None
                }
            };
            if let Some((value, with)) = written {
                blanks.push(Blank {
                    here: 0..0,
                    there: token.span.clone(),
                    value,
                    with,
                });
            }
        }
        blanks
    }

    fn mark(&self, index: usize) -> &'a str {
        let token = self.tokens.get(index);
        let token = token
            .filter(|token| matches!(token.kind, TokenKind::Punctuation | TokenKind::Operator));
        token.map_or("", |token| &self.text[token.span.clone()])
    }

    fn word(&self, index: usize) -> &'t str {
        match self.tokens.get(index).map(|token| &token.kind) {
            Some(TokenKind::Word {
                value,
                quoted: false,
            }) => value,
            _ => "",
        }
    }

    fn follow(&mut self, index: usize) {
        let depth = self.lists.len();
        match self.mark(index) {
            "(" => {
                let is_in = index > 0 && self.word(index - 1) == "in";
                self.lists.push(is_in || self.rows == Some(depth));
            }
            "[" => self.lists.push(false),
            ")" | "]" => {
                self.lists.pop();
            }
            "," if self.rows == Some(depth) => {}
            _ if self.word(index) == "values" => self.rows = Some(depth),
            _ if self.rows == Some(depth) => self.rows = None,
            _ => {}
        }
    }

    /// Whether nothing about a number in this place but its type can matter: it is compared or
    /// assigned, one of a list of values, or a count of rows.
    fn is_only_typed(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        let mark = self.mark(before);
        let listed = self.lists.last() == Some(&true)
            && matches!(mark, "(" | ",")
            && matches!(self.mark(index + 1), ")" | ",");
        listed
            || matches!(mark, "=" | "<" | ">" | "<=" | ">=" | "<>" | "!=")
            || matches!(self.word(before), "limit" | "offset")
    }
}

/// A number of the type that Postgres gives a number.
fn stand_in(digits: &str) -> Option<&'static str> {
    let is_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    if let Some((whole, fraction)) = digits.split_once('.') {
        return (is_digits(whole) && is_digits(fraction)).then_some("1.5");
    }
    if !is_digits(digits) {
        None
    } else if digits.parse::<i32>().is_ok() {
        Some("1")
    } else if digits.parse::<i64>().is_ok() {
        Some("3000000000")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{SearchPath, Snapshot};

    fn blanked(text: &str) -> Option<String> {
        let snapshot = Snapshot::default();
        let path = SearchPath::default();
        let context = Context::new(&snapshot, &path);
        let blanked = blank(text.as_bytes(), &context)?;
        Some(blanked.text.replace(BLANK, "_"))
    }

    #[test]
    fn strings_of_any_spelling_are_blanked() {
        assert_eq!(
            blanked("SELECT E'a\\'b', U&'\\0061', $x$ ' $x$, 'a'\n'b' -- 'c'").as_deref(),
            Some("SELECT '_', '_', '_', '_' -- 'c'")
        );
    }

    #[test]
    fn numbers_are_blanked_where_only_their_type_matters() {
        for (text, expected) in [
            (
                "SELECT a FROM t WHERE b = 52",
                "SELECT a FROM t WHERE b = 1",
            ),
            (
                "SELECT a FROM t WHERE b IN (7, 2147483648, 2.50) LIMIT 20 OFFSET 40",
                "SELECT a FROM t WHERE b IN (1, 3000000000, 1.5) LIMIT 1 OFFSET 1",
            ),
            (
                "INSERT INTO t VALUES (7, f(8), 9), (10, 11, -12) RETURNING g(13, 14)",
                "INSERT INTO t VALUES (1, f(8), 1), (1, 1, -12) RETURNING g(13, 14)",
            ),
        ] {
            assert_eq!(blanked(text).as_deref(), Some(expected));
        }
        for kept in [
            "SELECT a, b FROM t ORDER BY 1, 2",
            "SELECT a FROM t GROUP BY 3",
            "SELECT a[4], b::varchar(5), 6, f(7) FROM t",
            "SELECT a FROM t WHERE b = -8 AND c = 1e3 AND d = 99999999999999999999",
        ] {
            assert_eq!(blanked(kept), None, "{kept}");
        }
    }

    #[test]
    fn only_one_query_or_change_of_rows_is_blanked() {
        for other in [
            "SET search_path = 'a'",
            "PREPARE x AS SELECT 'a'",
            "COPY t FROM STDIN (DELIMITER 'x')",
            "SELECT 'a'; SELECT 'b'",
            "SELECT a FROM t",
            "SELECT 'a",
            "SELECT '\0'",
        ] {
            assert_eq!(blanked(other), None, "{other}");
        }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let snapshot = Snapshot::default();
        let path = SearchPath::default();
        let context = Context::new(&snapshot, &path);
        let text = "SELECT 'one', 'twenty', x";
        let blanked = blank(text.as_bytes(), &context).expect("literals");
        for (here, there) in [(0, 0), (7, 7), (10, 12), (12, 14), (15, 22), (18, 25)] {
            assert_eq!(blanked.offset(here), Some(there));
        }
        assert_eq!(blanked.offset(8), None, "inside of a blank");
        let kept = blanked.keeping(&[0]);
        assert_eq!(kept.text, "SELECT 'one', '\0', x");
    }
}
