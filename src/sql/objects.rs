//! The names of what a definition creates and what it drops, by the words in its text. What is there
//! only in between leaves no trace in the catalogs; but its name was in a text.
//!
//! It errs to one side: what may be such a name is one. A text is not parsed for it, as sessions send
//! it too of which nothing else is known. Names that code puts together are beyond it.

use std::collections::BTreeSet;

use super::lex::{Token, TokenKind, lex};

/// What a text creates and drops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Objects {
    /// What statements may find by a name behind it.
    pub created: Names,
    /// What they may find no longer.
    pub dropped: Names,
}

/// Names in lower case, without their schemas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    /// These.
    Some(BTreeSet<Box<str>>),
    /// Any, or what is found without a name: operators, casts.
    Any,
}

impl Default for Names {
    fn default() -> Self {
        Self::Some(BTreeSet::new())
    }
}

impl Names {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Some(names) if names.is_empty())
    }

    /// How many there are, as far as that is known.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Some(names) => names.len(),
            Self::Any => 1,
        }
    }

    /// Takes those of others, too.
    pub fn extend(&mut self, others: &Self) {
        match (&mut *self, others) {
            (Self::Any, _) => {}
            (_, Self::Any) => *self = Self::Any,
            (Self::Some(names), Self::Some(others)) => names.extend(others.iter().cloned()),
        }
    }

    /// Those that are among others, too.
    #[must_use]
    pub fn common(&self, others: &Self) -> Self {
        match (self, others) {
            (Self::Any, names) | (names, Self::Any) => names.clone(),
            (Self::Some(names), Self::Some(others)) => {
                Self::Some(names.intersection(others).cloned().collect())
            }
        }
    }

    fn add(&mut self, name: Option<&str>) {
        match (&mut *self, name) {
            (Self::Some(names), Some(name)) => {
                names.insert(name.into());
            }
            // What should stand here is written in a way that is not understood.
            (_, None) => *self = Self::Any,
            (Self::Any, _) => {}
        }
    }
}

impl Objects {
    /// Anything may be created and dropped.
    #[must_use]
    pub const fn any() -> Self {
        Self {
            created: Names::Any,
            dropped: Names::Any,
        }
    }

    /// Reads a text of which nothing is known, whatever encoding it is in, and be it of several
    /// statements.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        Self::among(&pieces_of(&String::from_utf8_lossy(text), MAX_DEPTH))
    }

    /// Reads a statement.
    pub(super) fn of_statement(tokens: &[Token<'_>], text: &str) -> Self {
        Self::among(&pieces(tokens, text, MAX_DEPTH))
    }

    fn among(pieces: &[Piece]) -> Self {
        let mut cursor = Cursor { pieces, at: 0 };
        let mut objects = Self::default();
        while let Some(piece) = cursor.next() {
            let Piece::Word(word) = piece else { continue };
            match &**word {
                "create" => objects.create(&mut cursor),
                "drop" => objects.drop(&mut cursor),
                "alter" => objects.alter(&mut cursor),
                "import" => objects.created = Names::Any,
                "into" => {
                    while cursor.skip(&["temporary", "temp", "unlogged", "table"]) {}
                    if let Some(name) = cursor.path() {
                        objects.created.add(Some(name));
                    }
                }
                _ => {}
            }
        }
        objects
    }

    /// Whether it has nothing to do with names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.dropped.is_empty()
    }

    fn create(&mut self, cursor: &mut Cursor<'_>) {
        while cursor.skip(&[
            "or",
            "replace",
            "global",
            "local",
            "unlogged",
            "recursive",
            "materialized",
            "default",
            "constraint",
            "foreign",
        ]) {}
        // Nobody else finds what is temporary.
        if cursor.skip(&["temporary", "temp"]) {
            return;
        }
        match cursor.kind() {
            Kind::Named => {
                cursor.skip_condition();
                self.created.add(cursor.path());
            }
            Kind::Attached => self.created.add(cursor.owner()),
            Kind::Unnamed => self.created = Names::Any,
            Kind::Schema | Kind::Other => {}
        }
    }

    fn drop(&mut self, cursor: &mut Cursor<'_>) {
        while cursor.skip(&["materialized", "foreign"]) {}
        match cursor.kind() {
            Kind::Named => {
                cursor.skip_condition();
                loop {
                    self.dropped.add(cursor.path());
                    cursor.skip_arguments();
                    if !cursor.skip_sign(',') {
                        break;
                    }
                }
            }
            Kind::Attached => self.dropped.add(cursor.owner()),
            Kind::Unnamed | Kind::Schema => self.dropped = Names::Any,
            Kind::Other => {}
        }
    }

    /// Takes what gets another name or place, and what is tied to a table and let go.
    fn alter(&mut self, cursor: &mut Cursor<'_>) {
        while cursor.skip(&["materialized", "foreign"]) {}
        let kind = cursor.kind();
        match kind {
            Kind::Named | Kind::Schema => {}
            Kind::Unnamed => return *self = Self::any(),
            Kind::Attached | Kind::Other => return,
        }
        cursor.skip_condition();
        cursor.skip(&["only"]);
        let Some(name) = cursor.path() else {
            return *self = Self::any();
        };
        cursor.skip_sign('*');
        cursor.skip_arguments();
        while let Some(piece) = cursor.next() {
            let Piece::Word(word) = piece else {
                match piece {
                    Piece::Sign(';') => return,
                    _ => continue,
                }
            };
            match &**word {
                "rename" if cursor.skip(&["to"]) => match kind {
                    Kind::Named => {
                        self.dropped.add(Some(name));
                        self.created.add(cursor.path());
                    }
                    // With all that is in it.
                    _ => *self = Self::any(),
                },
                "set" if cursor.skip(&["schema"]) => {
                    self.dropped.add(Some(name));
                    self.created.add(Some(name));
                }
                // Who reads a parent reads its children.
                "inherit" => self.created.add(cursor.path()),
                "no" if cursor.skip(&["inherit"]) => self.dropped.add(cursor.path()),
                "attach" | "enable" => self.created.add(Some(name)),
                "detach" | "disable" => self.dropped.add(Some(name)),
                _ => {}
            }
        }
    }
}

/// What the name of a thing is to those who use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Statements find it by that.
    Named,
    /// They find the table by which it is.
    Attached,
    /// They find it without a name, or by one that is not said.
    Unnamed,
    /// They find what is in it.
    Schema,
    /// It has no part in what statements mean.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// A word in lower case.
    Word(Box<str>),
    Sign(char),
}

/// What tokens are made of that matters here. What stands in literals may be code.
fn pieces(tokens: &[Token<'_>], text: &str, depth: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for token in tokens {
        match &token.kind {
            TokenKind::Word { value, .. } => pieces.push(Piece::Word(value.to_lowercase().into())),
            TokenKind::String(code) => {
                // Nothing goes on behind it.
                pieces.push(Piece::Sign(';'));
                if let Some(depth) = depth.checked_sub(1) {
                    pieces.extend(pieces_of(code, depth));
                }
            }
            _ => pieces.extend(token.written(text).chars().next().map(Piece::Sign)),
        }
    }
    pieces
}

/// How deep literals are opened within literals.
const MAX_DEPTH: usize = 3;

/// Those of a text. One that can't be cut into tokens has words all the same.
fn pieces_of(text: &str, depth: usize) -> Vec<Piece> {
    match lex(text, true) {
        Ok(tokens) => pieces(&tokens, text, depth),
        Err(_) => {
            let words =
                text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_');
            let words = words.filter(|word| !word.is_empty());
            words
                .map(|word| Piece::Word(word.to_lowercase().into()))
                .collect()
        }
    }
}

/// A place in what a text is made of.
struct Cursor<'p> {
    pieces: &'p [Piece],
    at: usize,
}

impl<'p> Cursor<'p> {
    fn next(&mut self) -> Option<&'p Piece> {
        let piece = self.pieces.get(self.at);
        self.at += 1;
        piece
    }

    fn peek(&self) -> Option<&'p Piece> {
        self.pieces.get(self.at)
    }

    /// Skips one of these words. Returns whether it was there.
    fn skip(&mut self, words: &[&str]) -> bool {
        let is_there = matches!(self.peek(), Some(Piece::Word(word)) if words.contains(&&**word));
        self.at += usize::from(is_there);
        is_there
    }

    fn skip_sign(&mut self, sign: char) -> bool {
        let is_there = self.peek() == Some(&Piece::Sign(sign));
        self.at += usize::from(is_there);
        is_there
    }

    /// Skips `IF EXISTS` and `IF NOT EXISTS`.
    fn skip_condition(&mut self) {
        if self.skip(&["if"]) {
            self.skip(&["not"]);
            self.skip(&["exists"]);
        }
    }

    /// Skips what stands between brackets.
    fn skip_arguments(&mut self) {
        if !self.skip_sign('(') {
            return;
        }
        let mut depth = 1;
        while depth > 0
            && let Some(piece) = self.next()
        {
            match piece {
                Piece::Sign('(') => depth += 1,
                Piece::Sign(')') => depth -= 1,
                _ => {}
            }
        }
    }

    /// Takes the word for what is defined.
    fn kind(&mut self) -> Kind {
        let Some(Piece::Word(word)) = self.next() else {
            return Kind::Other;
        };
        match &**word {
            "table" | "view" | "function" | "procedure" | "routine" | "aggregate" | "type"
            | "domain" | "sequence" | "collation" => Kind::Named,
            "rule" | "trigger" | "policy" => Kind::Attached,
            "operator" | "cast" | "extension" | "owned" | "transform" => Kind::Unnamed,
            "schema" => Kind::Schema,
            _ => Kind::Other,
        }
    }

    /// Takes a name with or without its schema, and gives the name alone.
    fn path(&mut self) -> Option<&'p str> {
        loop {
            let Some(Piece::Word(name)) = self.next() else {
                return None;
            };
            if !self.skip_sign('.') {
                return Some(name);
            }
        }
    }

    /// The table that something is defined on: it stands behind the first `ON` or `TO`, and in front
    /// of that of a rule stands its event.
    fn owner(&mut self) -> Option<&'p str> {
        let events = ["select", "insert", "update", "delete"];
        while let Some(piece) = self.next() {
            let Piece::Word(word) = piece else { continue };
            let is_event =
                || matches!(self.peek(), Some(Piece::Word(word)) if events.contains(&&**word));
            if **word == *"to" || **word == *"on" && !is_event() {
                return self.path();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(names: &Names) -> String {
        match names {
            Names::Any => "*".to_owned(),
            Names::Some(names) => names
                .iter()
                .map(|name| &**name)
                .collect::<Vec<_>>()
                .join(" "),
        }
    }

    fn check(cases: &[(&str, &str, &str)]) {
        for (text, created, dropped) in cases {
            let objects = Objects::of(text.as_bytes());
            assert_eq!(said(&objects.created), *created, "{text}");
            assert_eq!(said(&objects.dropped), *dropped, "{text}");
        }
    }

    #[test]
    fn what_a_text_creates_and_drops_is_found_by_its_words() {
        check(&[
            (
                "create table app.people (id bigint, drop_at date)",
                "people",
                "",
            ),
            (
                "CREATE TABLE IF NOT EXISTS \"App\".\"People\" AS SELECT 1",
                "people",
                "",
            ),
            ("create temp table x (id int)", "", ""),
            (
                "create or replace view v as select 1; drop view if exists a.v, w",
                "v",
                "v w",
            ),
            ("create materialized view m as select 1", "m", ""),
            ("create foreign table f (id int) server s", "f", ""),
            (
                "create function s.f(int) returns int language sql as 'select 1'",
                "f",
                "",
            ),
            ("drop function f(int, numeric(1, 2)), g cascade", "", "f g"),
            ("create operator === (leftarg = int)", "*", ""),
            ("drop cast (text as int)", "", "*"),
            ("create schema s create table t (id int)", "t", ""),
            ("drop schema s cascade", "", "*"),
            ("drop owned by r", "", "*"),
        ]);
    }

    #[test]
    fn what_a_text_ties_and_lets_go_is_found_by_its_words() {
        check(&[
            (
                "create rule r as on insert to s.t do instead nothing",
                "t",
                "",
            ),
            ("drop rule r on t", "", "t"),
            (
                "create trigger g before insert or update on s.t for each row",
                "t",
                "",
            ),
            ("alter table s.a rename to b", "b", "a"),
            ("alter table a rename column b to c", "", ""),
            ("alter table a rename b to c", "", ""),
            ("alter table if exists only a set schema s", "a", "a"),
            ("alter function f(int) rename to g", "g", "f"),
            ("alter schema s rename to t", "*", "*"),
            (
                "alter table c inherit s.p; alter table c no inherit p",
                "p",
                "p",
            ),
            (
                "alter table p attach partition q for values in (1)",
                "p",
                "",
            ),
            ("alter table p detach partition q", "", "p"),
            (
                "alter table t add column more text, drop column less",
                "",
                "",
            ),
            ("select 1 into unlogged s.t from x", "t", ""),
            ("insert into t values (1)", "t", ""),
            (
                "select 'create table t (); drop table t' -- drop table u",
                "t",
                "t",
            ),
            (
                "do $$ begin create table t (); drop table t; end $$",
                "t",
                "t",
            ),
            ("create table U&\"\\0061\" (id int)", "a", ""),
            ("create index on t (a); grant select on t to r", "", ""),
        ]);
    }

    #[test]
    fn names_in_common_are_those_that_may_be_the_same() {
        let some = |names: &[&str]| Names::Some(names.iter().map(|&name| name.into()).collect());
        assert_eq!(some(&["a", "b"]).common(&some(&["b", "c"])), some(&["b"]));
        assert_eq!(Names::Any.common(&some(&["b"])), some(&["b"]));
        assert_eq!(some(&["b"]).common(&Names::Any), some(&["b"]));
        assert_eq!(Names::Any.common(&Names::Any), Names::Any);
    }
}
