//! A rule for each construct that sqlparser's grammar lacks. A rule looks at the tokens from the
//! present one on; if they are its construct it writes something else for them.

use sqlparser::tokenizer::Token as ParserToken;

use super::{Rewriter, operators};

/// The names of the rows before and behind a change that RETURNING gives names of its own. No name of
/// a text has such a letter.
pub(crate) const OLD: &str = "old\0";
pub(crate) const NEW: &str = "new\0";

/// The words that may stand behind a label of a query's column.
const BEHIND_LABELS: [&str; 13] = [
    "except",
    "fetch",
    "for",
    "from",
    "group",
    "having",
    "intersect",
    "into",
    "limit",
    "offset",
    "order",
    "union",
    "where",
];

impl<'t> Rewriter<'t> {
    /// Leaves out some tokens.
    fn skip_to(&mut self, index: usize) -> bool {
        self.at = index;
        true
    }

    /// `FROM f() AS (a int)` to `FROM f() AS f (a int)`, as Postgres names it.
    pub(super) fn columns_without_alias(&mut self) -> bool {
        let not_a_name = [
            "select", "values", "with", "table", "insert", "update", "delete", "merge",
        ];
        let has_columns = self.mark(self.at + 1) == Some("(")
            && self.name(self.at + 2).is_some()
            && self.name(self.at + 3).is_some()
            && !self
                .word(self.at + 2)
                .is_some_and(|word| not_a_name.contains(&word));
        if !has_columns || self.mark_before(self.at) != Some(")") {
            return false;
        }
        let function = self.closed.and_then(|open| self.name(open.checked_sub(1)?));
        let Some(function) = function else {
            return false;
        };
        let end = self.tokens[self.at].span.end;
        self.copy();
        self.write_name(function, end..end);
        true
    }

    /// `BETWEEN SYMMETRIC a AND b`: which of the two is the greater one does not matter here.
    pub(super) fn symmetric(&mut self) -> bool {
        if !matches!(self.word(self.at + 1), Some("symmetric" | "asymmetric")) {
            return false;
        }
        self.copy();
        self.skip_to(self.at + 1)
    }

    /// `LIKE ALL (…)` to `LIKE ANY (…)`, which has the same operands.
    pub(super) fn pattern_of_all(&mut self) -> bool {
        if self.word(self.at + 1) != Some("all") {
            return false;
        }
        self.copy();
        self.write_keyword("ANY", self.at);
        self.skip_to(self.at + 1)
    }

    /// `JOIN u USING (a) AS j` to `JOIN u USING (a, "as".j)`, which Postgres's grammar does not have.
    pub(super) fn name_of_join(&mut self) -> bool {
        let Some(end) = self.behind_brackets(self.at + 1) else {
            return false;
        };
        let is_list = |index: usize| self.name(index).is_some() || self.mark(index) == Some(",");
        if self.mark(self.at + 1) != Some("(")
            || !(self.at + 2..end - 1).all(is_list)
            || self.word(end) != Some("as")
        {
            return false;
        }
        let Some(name) = self.name(end + 1) else {
            return false;
        };
        while self.at + 1 < end {
            self.copy();
        }
        let (keyword, named) = (&self.tokens[end].span, &self.tokens[end + 1].span);
        self.write(ParserToken::Comma, keyword.clone());
        self.write_name("as", keyword.clone());
        self.write(ParserToken::Period, keyword.clone());
        self.write_name(name, named.clone());
        self.copy();
        self.skip_to(end + 2)
    }

    /// `COLLATE "C"`.
    pub(super) fn collation(&mut self) -> bool {
        match self.behind_name(self.at + 1) {
            Some(end) if self.follows_operand(self.at) => self.skip_to(end),
            _ => false,
        }
    }

    /// `current_schema` to `current_schema()`.
    pub(super) fn bare_function(&mut self) -> bool {
        let is_label = self.word_before(self.at) == Some("as") || self.follows_operand(self.at);
        if is_label || self.mark(self.at + 1) == Some("(") {
            return false;
        }
        let Some(word) = self.word(self.at) else {
            return false;
        };
        let span = self.tokens[self.at].span.clone();
        let end = span.end..span.end;
        self.write_word(word, false, span);
        self.write(ParserToken::LParen, end.clone());
        self.write(ParserToken::RParen, end);
        self.skip_to(self.at + 1)
    }

    /// `EXCLUDE TIES` and its like at the end of a window's frame.
    pub(super) fn frame_exclusion(&mut self) -> bool {
        let length = match self.word(self.at + 1) {
            Some("group" | "ties") => 2,
            Some("current") if self.word(self.at + 2) == Some("row") => 3,
            Some("no") if self.word(self.at + 2) == Some("others") => 3,
            _ => return false,
        };
        let end = self.at + length;
        self.mark(end) == Some(")") && self.skip_to(end)
    }

    /// `FOR NO KEY UPDATE OF a, b` to `FOR UPDATE`.
    pub(super) fn row_lock(&mut self) -> bool {
        let (lock, mut end) = if self.are_words(self.at + 1, &["no", "key", "update"]) {
            ("update", self.at + 4)
        } else if self.are_words(self.at + 1, &["key", "share"]) {
            ("share", self.at + 3)
        } else {
            match self.word(self.at + 1) {
                Some(lock @ ("update" | "share")) => (lock, self.at + 2),
                _ => return false,
            }
        };
        self.write_keyword("for", self.at);
        self.write_keyword(lock, end - 1);
        if self.word(end) == Some("of") {
            while let Some(behind) = self.behind_name(end + 1) {
                end = behind;
                if self.mark(end) != Some(",") {
                    break;
                }
            }
        }
        self.skip_to(end)
    }

    /// `GROUP BY DISTINCT a` to `GROUP BY a`.
    pub(super) fn group_by_quantifier(&mut self) -> bool {
        if self.word(self.at + 1) != Some("by")
            || !matches!(self.word(self.at + 2), Some("distinct" | "all"))
        {
            return false;
        }
        self.copy();
        self.copy();
        self.skip_to(self.at + 1)
    }

    /// `GROUPING SETS (GROUPING SETS (a), b)` to `GROUPING SETS (a, b)`: the brackets are left out too.
    pub(super) fn inner_sets(&mut self) -> bool {
        self.brackets.is_redundant(self.at) && self.skip_to(self.at + 2)
    }

    /// `a IN ((SELECT …), b)` to `a IN (coalesce(SELECT …), b)`, with the brackets of the query.
    pub(super) fn list_of_queries(&mut self) -> bool {
        let list = self.at + 1;
        let is_query = self.mark(list) == Some("(")
            && self.mark(list + 1) == Some("(")
            && matches!(self.word(list + 2), Some("select" | "values" | "with"));
        let end = self.behind_brackets(list + 1).filter(|_| is_query);
        let Some(end) = end.filter(|end| self.mark(*end) == Some(",")) else {
            return false;
        };
        self.copy();
        self.copy();
        let start = self.tokens[self.at].span.start;
        self.write_name("coalesce", start..start);
        self.write(ParserToken::LParen, start..start);
        while self.at < end {
            if !self.rewrite() {
                self.copy();
            }
        }
        let end = self.tokens[end - 1].span.end;
        self.write(ParserToken::RParen, end..end);
        true
    }

    /// `a ISNULL` to `a IS NULL`.
    pub(super) fn null_test(&mut self, word: &str) -> bool {
        if !self.follows_operand(self.at) || self.mark(self.at + 1) == Some("(") {
            return false;
        }
        self.write_keyword("is", self.at);
        if word == "notnull" {
            self.write_keyword("not", self.at);
        }
        self.write_keyword("null", self.at);
        self.skip_to(self.at + 1)
    }

    /// `ON CONFLICT (lower(a)) WHERE b` to `ON CONFLICT`: which index decides has no bearing on
    /// the values.
    pub(super) fn conflict_target(&mut self) -> bool {
        if self.word(self.at + 1) != Some("conflict") {
            return false;
        }
        let target = self.at + 2;
        let end = match self.mark(target) {
            Some("(") => self.behind_brackets(target),
            _ => None,
        };
        let Some(end) = end else { return false };
        let mut predicate_end = end;
        if self.word(end) == Some("where") {
            let is_action = |&at: &usize| {
                self.are_words(at, &["do", "nothing"]) || self.are_words(at, &["do", "update"])
            };
            let Some(action) = (end..self.tokens.len()).find(is_action) else {
                return false;
            };
            predicate_end = action;
        }
        if !self.is_droppable(target..predicate_end) {
            return false;
        }
        self.copy();
        self.copy();
        let is_column = |index: usize| {
            let is_end = matches!(self.mark(index + 1), Some("," | ")"));
            self.mark(index) == Some(",") || self.name(index).is_some() && is_end
        };
        if (target + 1..end - 1).all(is_column) {
            while self.at < end {
                self.copy();
            }
        }
        self.skip_to(predicate_end)
    }

    /// `FROM t *` to `FROM t`. A factor stands behind FROM in calls and in IS DISTINCT FROM.
    pub(super) fn star_of_relation(&mut self) -> bool {
        let mut first = self.at.saturating_sub(1);
        while self.mark_before(first) == Some(".") && first > 1 {
            first -= 2;
        }
        let is_query = |open: &usize| matches!(self.word(open + 1), Some("select" | "with"));
        let is_relation = match self.word_before(first) {
            Some("join") => true,
            Some("from") => {
                let before = first
                    .checked_sub(2)
                    .and_then(|from| self.word_before(from + 1));
                before != Some("distinct") && self.open.last().is_none_or(is_query)
            }
            _ => false,
        };
        is_relation && self.name(first).is_some() && self.skip_to(self.at + 1)
    }

    /// `ONLY t` and `ONLY (t)` to `t`.
    pub(super) fn only(&mut self) -> bool {
        let before_relations = [
            "from", "update", "join", "into", "using", "table", "truncate", "lock",
        ];
        let is_relation = self.mark_before(self.at) == Some(",")
            || self
                .word_before(self.at)
                .is_some_and(|word| before_relations.contains(&word));
        if !is_relation {
            return false;
        }
        if self.mark(self.at + 1) != Some("(") {
            return self.name(self.at + 1).is_some() && self.skip_to(self.at + 1);
        }
        let Some(end) = self.behind_name(self.at + 2) else {
            return false;
        };
        if self.mark(end) != Some(")") {
            return false;
        }
        self.at += 2;
        while self.at < end {
            self.copy();
        }
        self.skip_to(end + 1)
    }

    /// `a OPERATOR(pg_catalog.=) b`: an operator that keeps its schema unless that is Postgres's.
    /// All have one precedence in this spelling.
    pub(super) fn operator_with_schema(&mut self) -> bool {
        if self.mark(self.at + 1) != Some("(") || !self.follows_operand(self.at) {
            return false;
        }
        let mut index = self.at + 2;
        let mut schema = String::new();
        while let (Some(name), Some(".")) = (self.name(index), self.mark(index + 1)) {
            schema.push_str(name);
            schema.push('.');
            index += 2;
        }
        let (Some(operator), Some(")")) = (self.mark(index), self.mark(index + 1)) else {
            return false;
        };
        if matches!(
            operator,
            "(" | ")" | "[" | "]" | "," | ";" | ":" | "." | "::" | ":=" | "=>"
        ) {
            return false;
        }
        let ours = matches!(schema.as_str(), "" | "pg_catalog.");
        let is_quantified = matches!(self.word(index + 2), Some("any" | "all" | "some"));
        let token = match operator {
            // Only sqlparser's own operators can be quantified; this one binds as the others do.
            "=" if ours && is_quantified => ParserToken::DoubleEq,
            "~" | "!~" if ours && is_quantified => operators::operator(operator),
            _ if ours => ParserToken::CustomBinaryOperator(operator.to_owned()),
            _ => ParserToken::CustomBinaryOperator(schema + operator),
        };
        let span = self.tokens[self.at].span.start..self.tokens[index + 1].span.end;
        self.write(token, span);
        self.skip_to(index + 2)
    }

    /// `OVERRIDING SYSTEM VALUE`.
    pub(super) fn overriding(&mut self) -> bool {
        matches!(self.word(self.at + 1), Some("system" | "user"))
            && self.word(self.at + 2) == Some("value")
            && self.skip_to(self.at + 3)
    }

    /// `TRIM(BOTH FROM a)` to `TRIM(BOTH a)`.
    pub(super) fn trim_of_blanks(&mut self) -> bool {
        let is_side = matches!(
            self.word_before(self.at),
            Some("both" | "leading" | "trailing")
        );
        // Elsewhere these words are ordinary names: `SELECT a AS both FROM t`.
        let opens_call = self
            .at
            .checked_sub(2)
            .is_some_and(|bracket| self.mark(bracket) == Some("("));
        is_side && opens_call && self.skip_to(self.at + 1)
    }

    /// `TABLE t` to `SELECT * FROM t`.
    pub(super) fn table_command(&mut self) -> bool {
        let is_query = self.at == 0
            || matches!(self.mark_before(self.at), Some("(" | ")"))
            || matches!(
                self.word_before(self.at),
                Some("as" | "union" | "intersect" | "except" | "all" | "distinct")
            );
        let span = self.tokens[self.at].span.clone();
        let is_named = match self.word(self.at + 1) {
            // What no table can be called without quotes.
            Some(word) => !BEHIND_LABELS.contains(&word),
            None => self.name(self.at + 1).is_some(),
        };
        if !is_named && self.word_before(self.at) == Some("as") {
            self.write_name("table", span);
            return self.skip_to(self.at + 1);
        }
        if !is_query || !is_named {
            return false;
        }
        self.write_keyword("select", self.at);
        self.write(ParserToken::Mul, span);
        self.write_keyword("from", self.at);
        self.skip_to(self.at + 1)
    }

    /// `TABLESAMPLE SYSTEM (10) REPEATABLE (1)`: which rows are read has no bearing on the values.
    pub(super) fn table_sample(&mut self) -> bool {
        let arguments = self.behind_name(self.at + 1);
        let arguments = arguments.filter(|open| self.mark(*open) == Some("("));
        let Some(mut end) = arguments.and_then(|open| self.behind_brackets(open)) else {
            return false;
        };
        if self.word(end) == Some("repeatable")
            && self.mark(end + 1) == Some("(")
            && let Some(behind) = self.behind_brackets(end + 1)
        {
            end = behind;
        }
        self.is_droppable(self.at..end) && self.skip_to(end)
    }

    /// `WHEN NOT MATCHED THEN INSERT DEFAULT VALUES` to `… INSERT VALUES (DEFAULT)`.
    pub(super) fn merge_of_defaults(&mut self) -> bool {
        let Some(then) = self.at.checked_sub(2) else {
            return false;
        };
        if !self.are_words(then, &["then", "insert", "default", "values"]) {
            return false;
        }
        let end = self.tokens[self.at + 1].span.end;
        self.write_keyword("values", self.at + 1);
        self.write(ParserToken::LParen, end..end);
        self.write_keyword("default", self.at);
        self.write(ParserToken::RParen, end..end);
        self.skip_to(self.at + 2)
    }

    /// `f(VARIADIC a)` to `f("variadic" => a)`: whoever knows the function must see that the
    /// argument is not an ordinary one.
    pub(super) fn variadic(&mut self) -> bool {
        if !matches!(self.mark_before(self.at), Some("(" | ",")) {
            return false;
        }
        let span = self.tokens[self.at].span.clone();
        self.write_name("variadic", span.clone());
        self.write(ParserToken::RArrow, span);
        self.skip_to(self.at + 1)
    }

    /// `WHERE CURRENT OF c`.
    pub(super) fn where_current(&mut self) -> bool {
        self.are_words(self.at + 1, &["current", "of"])
            && self.name(self.at + 3).is_some()
            && self.skip_to(self.at + 4)
    }

    /// `(f(x)).*` to `(f(x))."*"`.
    pub(super) fn star_of_expression(&mut self) -> bool {
        if self.mark(self.at + 1) != Some("*") || self.mark_before(self.at) != Some(")") {
            return false;
        }
        self.copy();
        self.write_name("*", self.tokens[self.at].span.clone());
        self.skip_to(self.at + 1)
    }

    /// `RETURNING WITH (OLD AS o, NEW AS n) o.a, n.a` to `RETURNING "old\0".a, "new\0".a`, names that
    /// nobody can write. Not if a query in the list may call something else so, or one of the names
    /// stands for something else than a row.
    pub(super) fn returning_with(&mut self) -> bool {
        if self.word(self.at + 1) != Some("with") || self.mark(self.at + 2) != Some("(") {
            return false;
        }
        let Some(list) = self.behind_brackets(self.at + 2) else {
            return false;
        };
        let mut names = Vec::new();
        for at in (self.at + 3..list).step_by(4) {
            let (Some(row @ ("old" | "new")), Some("as"), Some(name), Some("," | ")")) = (
                self.word(at),
                self.word(at + 1),
                self.name(at + 2),
                self.mark(at + 3),
            ) else {
                return false;
            };
            let row = match row {
                "old" => OLD,
                _ => NEW,
            };
            names.push((name, row));
        }
        let around = self.partners.around(self.at);
        let close = around.and_then(|open| self.partners.of_bracket(open));
        let end = close.unwrap_or(self.tokens.len());
        let is_query = |at| matches!(self.word(at), Some("select" | "table" | "values" | "with"));
        let is_row = |name: &str| names.iter().any(|(known, _)| *known == name);
        let is_other = |at: usize| {
            self.mark_before(at) != Some(".")
                && self.name(at).is_some_and(is_row)
                && !self.is_column_of_row(at)
        };
        if (list..end).any(|at| is_query(at) || is_other(at)) {
            return false;
        }
        self.copy();
        self.returned = Some(super::Returned { names, end });
        self.skip_to(list)
    }

    /// Whether the name at an index can only be that of a row before one of its columns: not that of
    /// a schema, in front of a function, a type, an operator or a collation.
    fn is_column_of_row(&self, at: usize) -> bool {
        self.mark(at + 1) == Some(".")
            && (self.name(at + 2).is_some() || self.mark(at + 2) == Some("*"))
            && !matches!(self.mark(at + 3), Some("." | "("))
            && !self.is_string(at + 3)
            && self.mark_before(at) != Some("::")
            && !matches!(
                self.word_before(at),
                Some("as" | "collate" | "is" | "of" | "type")
            )
    }

    /// What the name at this place is of, if a list of RETURNING has given it to a row.
    pub(super) fn returned_row(&self) -> Option<&'t str> {
        let returned = self.returned.as_ref()?;
        let is_row = self.at < returned.end
            && self.mark(self.at + 1) == Some(".")
            && self.mark_before(self.at) != Some(".");
        let name = self.name(self.at).filter(|_| is_row)?;
        let mut names = returned.names.iter();
        names.find(|(known, _)| *known == name).map(|(_, row)| *row)
    }
}
