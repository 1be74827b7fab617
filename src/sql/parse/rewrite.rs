//! Our tokens to sqlparser's, and what its grammar lacks to what it has.
//!
//! Most rules write a construct differently. Some leave out a part that has no bearing on what
//! the values of a statement are (COLLATE, ONLY, an index predicate); those keep their hands
//! off a part with a parameter, a SELECT or a literal that might be an id, so that the
//! statement fails to parse instead.

mod clauses;
mod joined;
mod literals;
mod operators;
mod recursion;
mod sql_json;
mod subscripts;
mod xml;

use std::ops::Range;

pub(crate) use clauses::{NEW, OLD};
pub(crate) use joined::joined;
pub(crate) use recursion::Added;
pub(crate) use subscripts::Part;
pub(crate) use xml::ROWS_FROM;

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Span, Token as ParserToken, TokenWithSpan, Word};

use super::super::lex::{Partners, Token, TokenKind};
use super::super::normalize::{placeholder, string_of};
use super::brackets::Brackets;
use super::keywords::is_keyword;

/// sqlparser's tokens for one statement.
pub(super) fn rewrite(text: &str, tokens: &[Token<'_>], partners: Partners) -> Vec<TokenWithSpan> {
    let mut rewriter = Rewriter {
        text,
        tokens,
        at: 0,
        written: Vec::with_capacity(tokens.len() + 8),
        open: Vec::new(),
        closed: None,
        assignments: None,
        returned: None,
        brackets: Brackets::of(text, tokens, &partners),
        partners,
    };
    while rewriter.at < tokens.len() {
        if !rewriter.rewrite() {
            rewriter.copy();
        }
    }
    rewriter.written
}

/// A position in a statement and what has been written for the tokens before it.
struct Rewriter<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
    at: usize,
    written: Vec<TokenWithSpan>,
    /// The indices of the brackets that are open.
    open: Vec<usize>,
    /// The index of the bracket that was opened by the partner of the last closing one.
    closed: Option<usize>,
    /// The SET clause that is being read.
    assignments: Option<Assignments>,
    /// The list of RETURNING that is being read, which gives the rows names of its own.
    returned: Option<Returned<'t>>,
    brackets: Brackets,
    partners: Partners,
}

/// A SET clause.
struct Assignments {
    /// How many brackets are open around it.
    depth: usize,
    /// Whether the next tokens are the target, rather than the value, of an assignment.
    target: bool,
}

/// The names of rows in a list of RETURNING.
struct Returned<'t> {
    /// The name of each, and what it is the name of: `old` or `new`.
    names: Vec<(&'t str, &'t str)>,
    /// The index behind the list.
    end: usize,
}

impl<'t> Rewriter<'t> {
    /// Applies the rule for this place, if there is one.
    fn rewrite(&mut self) -> bool {
        let Some(word) = self.word(self.at) else {
            return match self.mark(self.at) {
                Some("[") => self.assigned_subscript(),
                Some(".") => self.star_of_expression() || self.star_as_value(),
                Some("-") => self.negative_scale(),
                Some("*") => self.star_of_relation(),
                _ => self.typed_literal(),
            };
        };
        if self.mark_before(self.at) == Some(".") {
            return self.field();
        }
        match word {
            "as" => self.columns_without_alias() || self.name_in_xml(),
            "char" | "character" => self.varying(),
            "between" => self.symmetric(),
            "collate" => self.collation(),
            "current_role" | "current_schema" | "system_user" => self.bare_function(),
            "default" => self.merge_of_defaults(),
            "exclude" => self.frame_exclusion(),
            "extract" => self.extract_string(),
            "for" => self.row_lock(),
            "format" => self.json_format() || self.typed_literal(),
            "from" => self.trim_of_blanks(),
            "group" => self.group_by_quantifier(),
            "grouping" => self.inner_sets(),
            "ilike" | "like" => self.pattern_of_all(),
            "in" => self.list_of_queries(),
            "isnull" | "notnull" => self.null_test(word),
            "json_array" => self.json_array_of_query(),
            "json_exists" | "json_query" | "json_value" => self.json_query_function(),
            "json_table" => self.json_table(),
            "on" => self.conflict_target(),
            "only" => self.only(),
            "operator" => self.operator_with_schema(),
            "overriding" => self.overriding(),
            "returning" => self.returning_with(),
            "rows" => self.rows_from() || self.typed_literal(),
            "cycle" | "search" => self.recursion() || self.typed_literal(),
            "table" => self.table_command(),
            "tablesample" => self.table_sample(),
            "using" => self.name_of_join(),
            "variadic" => self.variadic(),
            "where" => self.where_current(),
            "with" | "without" => self.json_unique(),
            "xmlattributes" | "xmlelement" | "xmlforest" | "xmlparse" | "xmlpi"
            | "xmlserialize" => self.xml_call(word) || self.typed_literal(),
            _ => self.typed_literal(),
        }
    }

    /// Takes this token as it is.
    fn copy(&mut self) {
        let Some(token) = self.tokens.get(self.at) else {
            return;
        };
        match &token.kind {
            TokenKind::Word { .. } if let Some(row) = self.returned_row() => {
                self.write_name(row, token.span.clone());
            }
            TokenKind::Word {
                value,
                quoted: true,
            } => {
                self.write_name(value, token.span.clone());
            }
            TokenKind::Word {
                value,
                quoted: false,
            } => {
                self.follow_assignments(Some(value), None);
                let keyword = self.keyword_at(self.at);
                self.write_word(value, keyword, token.span.clone());
            }
            TokenKind::Punctuation => {
                let mark = token.written(self.text);
                self.follow_brackets(mark);
                self.follow_assignments(None, Some(mark));
                if !self.brackets.is_redundant(self.at) {
                    self.write(operators::punctuation(mark), token.span.clone());
                }
                if self.brackets.is_around_joins(self.at) {
                    self.begin_joined(token.span.end);
                }
            }
            TokenKind::Operator => {
                let operator = token.written(self.text);
                self.follow_assignments(None, Some(operator));
                self.write(operators::operator(operator), token.span.clone());
            }
            _ => self.write(self.literal(token), token.span.clone()),
        }
        self.at += 1;
    }

    /// sqlparser's token for a literal or a parameter.
    fn literal(&self, token: &Token<'_>) -> ParserToken {
        match &token.kind {
            // Kinds of strings that sqlparser never takes for names, as it does with plain ones.
            TokenKind::String(value) => match placeholder(token) {
                Some(blank) => ParserToken::NationalStringLiteral(blank),
                None => ParserToken::EscapedStringLiteral(value.to_string()),
            },
            TokenKind::BitString(digits) => {
                ParserToken::SingleQuotedByteStringLiteral(digits.to_string())
            }
            TokenKind::HexString(digits) => ParserToken::HexStringLiteral(digits.to_string()),
            TokenKind::Parameter(number) => ParserToken::Placeholder(format!("${number}")),
            _ => ParserToken::Number(token.written(self.text).to_owned(), false),
        }
    }

    fn follow_brackets(&mut self, mark: &str) {
        match mark {
            "(" | "[" => self.open.push(self.at),
            ")" | "]" => self.closed = self.open.pop(),
            _ => {}
        }
    }

    /// Keeps track of whether the next token belongs to the target of an assignment.
    fn follow_assignments(&mut self, word: Option<&str>, mark: Option<&str>) {
        let depth = self.open.len();
        if word == Some("set") && self.at > 0 {
            self.assignments = Some(Assignments {
                depth,
                target: true,
            });
            return;
        }
        let Some(assignments) = &mut self.assignments else {
            return;
        };
        if depth < assignments.depth
            || depth == assignments.depth
                && matches!(word, Some("where" | "from" | "returning" | "when" | "on"))
        {
            self.assignments = None;
        } else if depth == assignments.depth {
            match mark {
                Some(",") => assignments.target = true,
                Some("=") => assignments.target = false,
                _ => {}
            }
        }
    }

    /// Writes a token that stands for these bytes of the text.
    fn write(&mut self, token: ParserToken, span: Range<usize>) {
        // The line only tells an offset of 0 from no span at all.
        let place = |offset: usize| Location::new(1, u64::try_from(offset).unwrap_or(u64::MAX));
        let span = Span::new(place(span.start), place(span.end));
        self.written.push(TokenWithSpan { token, span });
    }

    /// Writes a quoted name.
    fn write_name(&mut self, name: &str, span: Range<usize>) {
        let (value, keyword) = (name.to_owned(), Keyword::NoKeyword);
        self.write(
            ParserToken::Word(Word {
                value,
                quote_style: Some('"'),
                keyword,
            }),
            span,
        );
    }

    /// Writes a word, as a keyword or as a name.
    fn write_word(&mut self, word: &str, keyword: bool, span: Range<usize>) {
        let token = if keyword {
            ParserToken::make_word(word, None)
        } else {
            let (value, keyword) = (word.to_owned(), Keyword::NoKeyword);
            ParserToken::Word(Word {
                value,
                quote_style: None,
                keyword,
            })
        };
        self.write(token, span);
    }

    /// Writes a keyword in the place of the token at an index.
    fn write_keyword(&mut self, keyword: &str, index: usize) {
        let span = self
            .tokens
            .get(index)
            .map_or(0..0, |token| token.span.clone());
        self.write_word(keyword, true, span);
    }

    /// The unquoted word at an index.
    fn word(&self, index: usize) -> Option<&'t str> {
        self.tokens.get(index)?.keyword()
    }

    /// The name at an index, quoted or not.
    fn name(&self, index: usize) -> Option<&'t str> {
        self.tokens.get(index)?.word()
    }

    /// The unquoted word before an index.
    fn word_before(&self, index: usize) -> Option<&'t str> {
        self.word(index.checked_sub(1)?)
    }

    /// The operator or punctuation at an index.
    fn mark(&self, index: usize) -> Option<&'t str> {
        let token = self.tokens.get(index)?;
        match token.kind {
            TokenKind::Punctuation | TokenKind::Operator => Some(token.written(self.text)),
            _ => None,
        }
    }

    /// The operator or punctuation before an index.
    fn mark_before(&self, index: usize) -> Option<&'t str> {
        self.mark(index.checked_sub(1)?)
    }

    /// Whether the words at an index are these.
    fn are_words(&self, index: usize, words: &[&str]) -> bool {
        words
            .iter()
            .zip(index..)
            .all(|(word, index)| self.word(index) == Some(word))
    }

    /// Whether the token at an index is a string literal.
    fn is_string(&self, index: usize) -> bool {
        matches!(
            self.tokens.get(index),
            Some(Token {
                kind: TokenKind::String(_),
                ..
            })
        )
    }

    /// Whether an operand may end before an index, so that an infix operator or an alias may
    /// follow, but no operand.
    fn follows_operand(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        match self.word(before) {
            Some(word) => {
                self.mark_before(before) == Some(".") || !is_keyword(word) || is_constant(word)
            }
            None => match &self.tokens[before].kind {
                TokenKind::Punctuation => match self.mark(before) {
                    Some(")") => !self.closes_clause(before),
                    mark => mark == Some("]"),
                },
                TokenKind::Operator => false,
                _ => true,
            },
        }
    }

    /// Whether the bracket at an index closes what no operand ends with: `DISTINCT ON (…)` and
    /// `OPERATOR(…)`.
    fn closes_clause(&self, index: usize) -> bool {
        let open = self.partners.around(index);
        let Some(before) = open.and_then(|open| open.checked_sub(1)) else {
            return false;
        };
        match self.word(before) {
            Some("on") => self.word_before(before) == Some("distinct"),
            word => word == Some("operator"),
        }
    }

    /// The index behind the bracket that closes the one at an index.
    fn behind_brackets(&self, index: usize) -> Option<usize> {
        match self.mark(index) {
            Some("(" | "[") => Some(self.partners.of_bracket(index)? + 1),
            Some(")" | "]") => None,
            _ => (index < self.tokens.len()).then_some(index + 1),
        }
    }

    /// The index behind a name with or without schema that begins at an index.
    fn behind_name(&self, index: usize) -> Option<usize> {
        self.name(index)?;
        let mut end = index + 1;
        while self.mark(end) == Some(".") && self.name(end + 1).is_some() {
            end += 2;
        }
        Some(end)
    }

    /// Whether tokens can be left out without losing sight of an id: no parameter, no query, no
    /// string that could be the text of a uuid or of a key.
    fn is_droppable(&self, tokens: Range<usize>) -> bool {
        self.tokens[tokens].iter().all(|token| match &token.kind {
            TokenKind::Parameter(_) => false,
            TokenKind::String(_) => string_of(token).is_some_and(is_harmless),
            _ => !matches!(
                token.keyword(),
                Some("select" | "values" | "table" | "with")
            ),
        })
    }
}

/// Keywords that are values.
fn is_constant(word: &str) -> bool {
    matches!(
        word,
        "null"
            | "true"
            | "false"
            | "end"
            | "user"
            | "session_user"
            | "system_user"
            | "localtime"
            | "localtimestamp"
            | "isnull"
            | "notnull"
    ) || word.starts_with("current_")
}

/// Whether a string can be neither a key nor a uuid nor an array of them: it has a character that
/// none of their spellings has.
fn is_harmless(value: &str) -> bool {
    let is_suspect =
        |c: char| c.is_ascii_hexdigit() || c.is_ascii_whitespace() || "xXoO_+-{}".contains(c);
    !value.starts_with(['{', '[']) && !value.chars().all(is_suspect)
}
