//! SQL/JSON, whose functions and constructors have clauses between their brackets. Those that say how
//! a value is found or written have no bearing on what it is, and are left out; the values and
//! types in them stay.

use std::ops::Range;

use sqlparser::tokenizer::Token as ParserToken;

use super::Rewriter;

/// What stands between the brackets of a function that looks into a document.
#[derive(Default)]
struct Clauses {
    /// The document, the path, what is passed to the path, and what is given where nothing is found.
    values: Vec<Range<usize>>,
    /// The type of the result.
    returning: Option<Range<usize>>,
    /// The columns of JSON_TABLE.
    columns: Option<Vec<Column>>,
}

/// A column of JSON_TABLE.
struct Column {
    name: usize,
    /// Its type; that of an ordinal number if none is written.
    data_type: Option<Range<usize>>,
}

impl Rewriter<'_> {
    /// Whether the innermost bracket that is open is that of a constructor or function of SQL/JSON.
    fn in_sql_json(&self) -> bool {
        let name = self.open.last().and_then(|open| open.checked_sub(1));
        let name = name.and_then(|name| self.word(name));
        name.is_some_and(|name| name == "json" || name.starts_with("json_"))
    }

    /// `FORMAT JSON ENCODING UTF8`: how bytes are read.
    pub(super) fn json_format(&mut self) -> bool {
        self.in_sql_json() && self.skip_to_if(self.behind_format(self.at))
    }

    /// `WITH UNIQUE KEYS`: names that occur twice are an error.
    pub(super) fn json_unique(&mut self) -> bool {
        if !self.in_sql_json() || self.word(self.at + 1) != Some("unique") {
            return false;
        }
        let keys = self.word(self.at + 2) == Some("keys");
        self.at += 2 + usize::from(keys);
        true
    }

    /// `JSON_ARRAY(SELECT …)` to `JSON_ARRAY("query" => (SELECT …))`: whoever knows the function
    /// must see that the argument is not an ordinary one.
    pub(super) fn json_array_of_query(&mut self) -> bool {
        let first = self.at + 2;
        let is_query = self.mark(self.at + 1) == Some("(")
            && matches!(
                self.word(first),
                Some("select" | "table" | "values" | "with")
            );
        let Some(close) = self.behind_brackets(self.at + 1).filter(|_| is_query) else {
            return false;
        };
        let is_clause = |at: &usize| {
            self.word(*at) == Some("returning") || self.are_words(*at, &["format", "json"])
        };
        let end = self.siblings(first, close - 1).find(is_clause);
        let end = end.unwrap_or(close - 1);
        self.copy();
        self.copy();
        let start = self.tokens[first].span.start;
        self.write_name("query", start..start);
        self.write(ParserToken::RArrow, start..start);
        self.write(ParserToken::LParen, start..start);
        self.rewrite_to(end);
        let behind = self.tokens[end - 1].span.end;
        self.write(ParserToken::RParen, behind..behind);
        true
    }

    /// `JSON_VALUE(doc, path PASSING a AS x RETURNING t DEFAULT b ON EMPTY)` to
    /// `JSON_VALUE(doc, path, a, b RETURNING t)`, and its relatives.
    pub(super) fn json_query_function(&mut self) -> bool {
        let Some((close, clauses)) = self.clauses_of_call() else {
            return false;
        };
        if clauses.columns.is_some() {
            return false;
        }
        self.copy();
        self.write_values(&clauses);
        if let Some(returning) = clauses.returning {
            self.write_keyword("returning", returning.start - 1);
            self.at = returning.start;
            self.rewrite_to(returning.end);
        }
        self.at = close;
        self.copy();
        true
    }

    /// `JSON_TABLE(doc, path COLUMNS (a int PATH '$.a', …)) t` to
    /// `json_table(doc, path) AS t (a int, …)`.
    pub(super) fn json_table(&mut self) -> bool {
        let Some((close, clauses)) = self.clauses_of_call() else {
            return false;
        };
        let Some(columns) = clauses.columns.as_deref().filter(|all| !all.is_empty()) else {
            return false;
        };
        let name = self.at;
        let keyword = usize::from(self.word(close + 1) == Some("as"));
        let alias = close + 1 + keyword;
        let is_alias = match self.word(alias) {
            Some(word) => keyword == 1 || !super::is_keyword(word),
            None => self.name(alias).is_some(),
        };
        let (alias, mut end) = match is_alias {
            true => (alias, alias + 1),
            false => (name, close + 1),
        };
        // A list behind the alias names the first of the columns.
        let mut names: Vec<usize> = columns.iter().map(|column| column.name).collect();
        if is_alias
            && self.mark(end) == Some("(")
            && let Some(behind) = self.behind_brackets(end)
        {
            let listed = (end + 1..behind - 1).filter(|at| self.name(*at).is_some());
            for (name, listed) in names.iter_mut().zip(listed) {
                *name = listed;
            }
            end = behind;
        }
        let span = self.tokens[name].span.clone();
        self.write_word("json_table", false, span);
        self.at += 1;
        self.write_values(&clauses);
        self.at = close;
        self.copy();
        let at = self.tokens[close].span.end;
        self.write_word("as", true, at..at);
        self.write_name_at(alias);
        self.write(ParserToken::LParen, at..at);
        for (index, (column, name)) in columns.iter().zip(names).enumerate() {
            if index > 0 {
                self.write(ParserToken::Comma, at..at);
            }
            self.write_name_at(name);
            match &column.data_type {
                Some(data_type) => {
                    self.at = data_type.start;
                    self.rewrite_to(data_type.end);
                }
                None => self.write_word("int4", false, at..at),
            }
        }
        self.write(ParserToken::RParen, at..at);
        self.at = end;
        true
    }

    /// Writes the bracket and the values of a call.
    fn write_values(&mut self, clauses: &Clauses) {
        self.copy();
        for (index, value) in clauses.values.iter().enumerate() {
            if index > 0 {
                let start = self.tokens[value.start].span.start;
                self.write(ParserToken::Comma, start..start);
            }
            self.at = value.start;
            self.rewrite_to(value.end);
        }
    }

    fn write_name_at(&mut self, index: usize) {
        if let Some(name) = self.name(index) {
            self.write_name(name, self.tokens[index].span.clone());
        }
    }

    /// Goes on by the rules up to a token.
    fn rewrite_to(&mut self, end: usize) {
        while self.at < end {
            if !self.rewrite() {
                self.copy();
            }
        }
    }

    fn skip_to_if(&mut self, index: Option<usize>) -> bool {
        index.is_some_and(|index| {
            self.at = index;
            true
        })
    }

    /// The indices of tokens that stand in no brackets between two of them.
    fn siblings(&self, from: usize, end: usize) -> impl Iterator<Item = usize> {
        let behind = move |at: &usize| self.behind_brackets(*at);
        std::iter::successors(Some(from), behind).take_while(move |at| *at < end)
    }

    /// The clauses of the call at this place, and the index of the bracket that closes it.
    fn clauses_of_call(&self) -> Option<(usize, Clauses)> {
        let open = self.at + 1;
        if self.mark(open) != Some("(") {
            return None;
        }
        let close = self.behind_brackets(open)? - 1;
        Some((close, self.clauses(open + 1, close)?))
    }

    fn clauses(&self, from: usize, close: usize) -> Option<Clauses> {
        let mut clauses = Clauses::default();
        let comma = self.siblings(from, close);
        let comma = { comma }.find(|at| self.mark(*at) == Some(","))?;
        let begins_clause = |at: &usize| {
            *at > comma + 1 && self.follows_operand(*at) && self.word(*at).is_some_and(is_clause)
        };
        let tail = self.siblings(comma + 1, close).find(begins_clause);
        let mut at = tail.unwrap_or(close);
        clauses.values = vec![from..comma, comma + 1..at];
        // The path has a name in JSON_TABLE.
        if self.word(at) == Some("as") {
            at += 2;
        }
        while at < close {
            at = self.clause(at, close, &mut clauses)?;
        }
        (at == close).then_some(clauses)
    }

    /// Reads the clause at an index, and gives the index behind it.
    fn clause(&self, at: usize, close: usize, clauses: &mut Clauses) -> Option<usize> {
        match self.word(at)? {
            "passing" => self.passed(at + 1, close, clauses),
            "returning" => {
                let end = self.behind_type(at + 1, close);
                clauses.returning = Some(at + 1..end);
                Some(end)
            }
            "columns" => {
                let end = self.behind_brackets(at + 1)?;
                let mut columns = Vec::new();
                self.columns(at + 2, end - 1, &mut columns, clauses)?;
                clauses.columns = Some(columns);
                Some(end)
            }
            _ => self.manner(at, close, clauses),
        }
    }

    /// `PASSING a AS x, b AS y`
    fn passed(&self, from: usize, close: usize, clauses: &mut Clauses) -> Option<usize> {
        let mut at = from;
        loop {
            let mut inside = self.siblings(at, close);
            let name = inside.find(|at| self.word(*at) == Some("as"))?;
            clauses.values.push(at..name);
            at = name + 2;
            if self.mark(at) != Some(",") {
                return Some(at);
            }
            at += 1;
        }
    }

    /// A clause that says how a value is found, given or written.
    fn manner(&self, at: usize, close: usize, clauses: &mut Clauses) -> Option<usize> {
        let behind_case = |at: usize| {
            let is_case =
                self.word(at) == Some("on") && matches!(self.word(at + 1), Some("empty" | "error"));
            is_case.then_some(at + 2)
        };
        match self.word(at)? {
            "default" => {
                let mut inside = self.siblings(at + 1, close);
                let on = inside.find(|at| behind_case(*at).is_some())?;
                clauses.values.push(at + 1..on);
                behind_case(on)
            }
            "error" | "false" | "null" | "true" | "unknown" => behind_case(at + 1),
            "empty" => {
                let of = matches!(self.word(at + 1), Some("array" | "object"));
                behind_case(at + 1 + usize::from(of))
            }
            "with" | "without" => {
                let mut end = at + 1;
                for words in [["conditional", "unconditional"], ["array", "array"]] {
                    let is_there = self.word(end).is_some_and(|word| words.contains(&word));
                    end += usize::from(is_there);
                }
                (self.word(end) == Some("wrapper")).then_some(end + 1)
            }
            "keep" | "omit" if self.word(at + 1) == Some("quotes") => {
                let scalar = self.are_words(at + 2, &["on", "scalar", "string"]);
                Some(at + 2 + 3 * usize::from(scalar))
            }
            "path" if self.is_string(at + 1) => Some(at + 2),
            _ => self.behind_format(at),
        }
    }

    /// The index behind `FORMAT JSON [ENCODING name]`.
    fn behind_format(&self, at: usize) -> Option<usize> {
        if !self.are_words(at, &["format", "json"]) {
            return None;
        }
        let encoding = self.word(at + 2) == Some("encoding");
        Some(at + 2 + 2 * usize::from(encoding))
    }

    /// The index behind a type.
    fn behind_type(&self, from: usize, close: usize) -> usize {
        let ends = |at: &usize| {
            let next = self.word(*at + 1);
            match self.word(*at) {
                Some("exists") => true,
                Some("with" | "without") => next != Some("time"),
                Some(word) => *at > from && is_clause(word),
                None => self.mark(*at) == Some(","),
            }
        };
        self.siblings(from, close).find(ends).unwrap_or(close)
    }

    /// The columns of JSON_TABLE between two indices, in the order in which Postgres has them.
    fn columns(
        &self,
        from: usize,
        close: usize,
        columns: &mut Vec<Column>,
        clauses: &mut Clauses,
    ) -> Option<()> {
        let mut at = from;
        // Postgres counts them behind all others of their level.
        let mut inner = Vec::new();
        loop {
            let nested = at + 1 + usize::from(self.word(at + 1) == Some("path"));
            if self.word(at) == Some("nested") && self.is_string(nested) {
                let named = self.word(nested + 1) == Some("as");
                let list = nested + 2 + 2 * usize::from(named);
                let behind = self.behind_brackets(list)?;
                if self.word(list - 1) != Some("columns") || self.mark(list) != Some("(") {
                    return None;
                }
                self.columns(list + 1, behind - 1, &mut inner, clauses)?;
                at = behind;
            } else if self.are_words(at + 1, &["for", "ordinality"]) {
                self.name(at)?;
                columns.push(Column {
                    name: at,
                    data_type: None,
                });
                at += 3;
            } else {
                self.name(at)?;
                let end = self.behind_type(at + 1, close);
                columns.push(Column {
                    name: at,
                    data_type: Some(at + 1..end),
                });
                at = end + usize::from(self.word(end) == Some("exists"));
                while at < close && self.mark(at) != Some(",") {
                    at = self.manner(at, close, clauses)?;
                }
            }
            if at == close {
                columns.extend(inner);
                return Some(());
            }
            if self.mark(at) != Some(",") {
                return None;
            }
            at += 1;
        }
    }
}

/// Whether a word begins a clause behind a value or a type.
fn is_clause(word: &str) -> bool {
    matches!(
        word,
        "as" | "columns"
            | "default"
            | "empty"
            | "error"
            | "false"
            | "format"
            | "keep"
            | "null"
            | "omit"
            | "passing"
            | "path"
            | "returning"
            | "true"
            | "unknown"
            | "with"
            | "without"
    )
}
