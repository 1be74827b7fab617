//! The names of what a definition creates and what it drops, by the words in its text. What is there
//! only in between leaves no trace in the catalogs; but its name was in a text.
//!
//! It errs to one side: what may be such a name is one. A text is not parsed for it, as sessions send
//! it too of which nothing else is known. Names that code puts together are beyond it.

use std::collections::BTreeSet;

use super::lex::{Brackets, Depth, Token, TokenKind, lex};
use crate::catalog::SearchPath;

/// What a text creates and drops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Objects {
    /// What statements may find by a name behind it.
    pub created: Names,
    /// What they may find no longer.
    pub dropped: Names,
}

/// A name in lower case, of an operator too, and the schema that it is in. What is not said may be
/// any.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The name.
    pub name: Option<Box<str>>,
    /// The schema.
    pub schema: Option<Box<str>>,
}

impl Name {
    /// What both may be.
    fn common(&self, other: &Self) -> Option<Self> {
        let common = |one: &Option<Box<str>>, other: &Option<Box<str>>| match (one, other) {
            (Some(one), Some(other)) if one != other => None,
            _ => Some(one.as_ref().or(other.as_ref()).cloned()),
        };
        Some(Self {
            name: common(&self.name, &other.name)?,
            schema: common(&self.schema, &other.schema)?,
        })
    }
}

/// Several names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(BTreeSet<Name>);

impl Names {
    /// Any name.
    #[must_use]
    pub fn any() -> Self {
        Self([Name::default()].into())
    }

    /// Whether nothing is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, one by one.
    pub fn iter(&self) -> impl Iterator<Item = &Name> {
        self.0.iter()
    }

    fn bytes(&self) -> usize {
        let length = |text: &Option<Box<str>>| text.as_ref().map_or(0, |text| text.len());
        let bytes = |name: &Name| 2 * size_of::<Name>() + length(&name.name) + length(&name.schema);
        self.0.iter().map(bytes).sum()
    }

    /// Takes those of others, too.
    pub fn extend(&mut self, others: &Self) {
        self.0.extend(others.0.iter().cloned());
    }

    /// What may be among them and among others.
    #[must_use]
    pub fn common(&self, others: &Self) -> Self {
        let with = |name: &Name| {
            // Those of the same name stand together, behind those of any.
            let any = Name::default();
            let from = Name {
                name: name.name.clone(),
                schema: None,
            };
            let named = others.0.range(from..);
            let named = named.take_while(|other| name.name.is_none() || other.name == name.name);
            let unnamed = others
                .0
                .range(any..)
                .take_while(|other| other.name.is_none());
            let unnamed = unnamed.filter(|_| name.name.is_some());
            let both = named.chain(unnamed);
            both.filter_map(|other| name.common(other))
                .collect::<Vec<_>>()
        };
        Self(self.0.iter().flat_map(with).collect())
    }

    fn add(&mut self, name: Option<Name>) {
        // What should stand here may be written in a way that is not understood.
        self.0.insert(name.unwrap_or_default());
    }
}

impl Objects {
    /// Anything may be created and dropped.
    #[must_use]
    pub fn any() -> Self {
        Self {
            created: Names::any(),
            dropped: Names::any(),
        }
    }

    /// Reads a text of which nothing is known, whatever encoding it is in, and be it of several
    /// statements.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        Self::among(&pieces_of(&String::from_utf8_lossy(text), MAX_DEPTH), None)
    }

    /// Reads a statement. What it creates without a schema is in the first one of the path, if that
    /// is known.
    pub(super) fn of_statement(
        tokens: &[Token<'_>],
        text: &str,
        path: Option<&SearchPath>,
    ) -> Self {
        let path = path.map(SearchPath::lasting);
        let mut schemas = path.iter().flat_map(SearchPath::schemas);
        let here = schemas.find(|schema| *schema != "pg_catalog");
        Self::among(&pieces(tokens, text, MAX_DEPTH), here)
    }

    fn among(pieces: &[Piece], here: Option<&str>) -> Self {
        let mut cursor = Cursor {
            pieces,
            at: 0,
            here: here.map(|schema| schema.to_lowercase().into()),
        };
        let mut objects = Self::default();
        if pieces.windows(2).any(takes_along) {
            objects.dropped.add(None);
        }
        while let Some(piece) = cursor.next() {
            let Piece::Word(word) = piece else { continue };
            match &**word {
                "create" => objects.create(&mut cursor),
                "drop" => objects.drop(&mut cursor),
                "alter" => objects.alter(&mut cursor),
                "import" => objects.created.add(None),
                // Who may use a schema finds what is in it; a role may bring many.
                "grant" if !cursor.skip(&["option"]) => objects.created.extend(&cursor.granted()),
                "revoke" => objects.dropped.extend(&cursor.granted()),
                "into" => {
                    while cursor.skip(&["temporary", "temp", "unlogged", "table"]) {}
                    if let Some(name) = cursor.path() {
                        objects.created.add(Some(cursor.placed(name)));
                    }
                }
                _ => {}
            }
        }
        objects
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.created.bytes() + self.dropped.bytes()
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
                let name = cursor.path();
                self.created.add(name.map(|name| cursor.placed(name)));
            }
            // What stands behind it is in it.
            Kind::Schema => {
                cursor.skip_condition();
                cursor.skip(&["authorization"]);
                let schema = cursor.path();
                cursor.here = schema.as_ref().and_then(|schema| schema.name.clone());
                self.created.add(schema.map(all_in));
            }
            Kind::Attached => self.created.add(cursor.owner()),
            Kind::Cast => self.created.extend(&cursor.types()),
            Kind::Unnamed => self.created.add(None),
            Kind::Other => {}
        }
    }

    fn drop(&mut self, cursor: &mut Cursor<'_>) {
        while cursor.skip(&["materialized", "foreign"]) {}
        let kind = cursor.kind();
        match kind {
            Kind::Named | Kind::Schema => {
                cursor.skip_condition();
                loop {
                    let name = cursor.path();
                    self.dropped.add(match kind {
                        Kind::Schema => name.map(all_in),
                        _ => name,
                    });
                    cursor.skip_arguments();
                    if !cursor.skip_sign(',') {
                        break;
                    }
                }
            }
            Kind::Attached => self.dropped.add(cursor.owner()),
            Kind::Cast => self.dropped.extend(&cursor.types()),
            Kind::Unnamed => self.dropped.add(None),
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
            Kind::Attached | Kind::Cast | Kind::Other => return,
        }
        cursor.skip_condition();
        let in_brackets = cursor.skip(&["only"]) && cursor.skip_sign('(');
        let Some(name) = cursor.path() else {
            // Of a statement that is not put together this is none that Postgres takes.
            if cursor.puts_together() {
                *self = Self::any();
            }
            return;
        };
        if in_brackets {
            cursor.skip_sign(')');
        }
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
                "rename" if cursor.skip(&["to"]) => {
                    let (from, to) = (name.clone(), cursor.path());
                    let to = to.map(|to| match kind {
                        Kind::Schema => to,
                        _ => Name {
                            schema: name.schema.clone(),
                            ..to
                        },
                    });
                    let whole = |name: Name| match kind {
                        Kind::Schema => all_in(name),
                        _ => name,
                    };
                    self.dropped.add(Some(whole(from)));
                    self.created.add(to.map(whole));
                }
                "set" if cursor.skip(&["schema"]) => {
                    let schema = cursor.path().and_then(|schema| schema.name);
                    self.dropped.add(Some(name.clone()));
                    self.created.add(Some(Name {
                        schema,
                        ..name.clone()
                    }));
                }
                // Who reads a parent reads its children.
                "inherit" => self.created.add(cursor.path()),
                "no" if cursor.skip(&["inherit"]) => self.dropped.add(cursor.path()),
                "attach" | "enable" => self.created.add(Some(name.clone())),
                "detach" | "disable" => self.dropped.add(Some(name.clone())),
                _ => {}
            }
        }
    }
}

/// `CASCADE` drops what depends on a thing, which nothing names; not so that of a foreign key.
fn takes_along(pieces: &[Piece]) -> bool {
    let is = |piece: &Piece, words: &[&str]| matches!(piece, Piece::Word(word) if words.contains(&&**word));
    match pieces {
        [before, word] => is(word, &["cascade"]) && !is(before, &["delete", "update"]),
        _ => false,
    }
}

/// All that is in a schema.
fn all_in(schema: Name) -> Name {
    Name {
        name: None,
        schema: schema.name,
    }
}

/// What the name of a thing is to those who use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Statements find it by that.
    Named,
    /// They find the table by which it is.
    Attached,
    /// They find it by the types that it is between.
    Cast,
    /// They find what its name does not say.
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
    Operator(Box<str>),
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
            TokenKind::Operator if token.written(text) != "*" => {
                pieces.push(Piece::Operator(token.written(text).into()));
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
    /// The schema of what is created without one; none if it may be any.
    here: Option<Box<str>>,
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
        let mut depth = Depth::new(Brackets::Round);
        depth.around('(');
        while let Some(piece) = self.next() {
            if let Piece::Sign(sign) = piece
                && depth.around(*sign) == 0
            {
                break;
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
            | "domain" | "sequence" | "collation" | "operator" => Kind::Named,
            "rule" | "trigger" | "policy" => Kind::Attached,
            "cast" => Kind::Cast,
            "extension" | "owned" | "transform" => Kind::Unnamed,
            "schema" => Kind::Schema,
            _ => Kind::Other,
        }
    }

    /// Whether code may run a statement that it puts together from pieces.
    fn puts_together(&self) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| matches!(piece, Piece::Word(word) if **word == *"execute"))
    }

    /// Takes a name with or without its schema; that of an operator, too.
    fn path(&mut self) -> Option<Name> {
        let mut schema = None;
        loop {
            let (Piece::Word(name) | Piece::Operator(name)) = self.next()? else {
                return None;
            };
            if !self.skip_sign('.') {
                let name = Some(name.clone());
                return Some(Name { name, schema });
            }
            schema = Some(name.clone());
        }
    }

    /// The name of something new.
    fn placed(&self, name: Name) -> Name {
        Name {
            schema: name.schema.or_else(|| self.here.clone()),
            ..name
        }
    }

    /// Takes what stands between brackets: two types, of which each may be in any schema.
    fn types(&mut self) -> Names {
        let from = self.at;
        self.skip_arguments();
        let pieces = self.pieces.get(from..self.at.min(self.pieces.len()));
        let words = pieces
            .unwrap_or_default()
            .iter()
            .filter_map(|piece| match piece {
                Piece::Word(word) if **word != *"as" => Some(Name {
                    name: Some(word.clone()),
                    schema: None,
                }),
                _ => None,
            });
        Names(words.collect())
    }

    /// What somebody may find who is granted something: all that is in a schema, or whatever a role
    /// may find.
    fn granted(&mut self) -> Names {
        while let Some(piece) = self.next() {
            match piece {
                Piece::Sign(';') => break,
                Piece::Word(word) if **word == *"on" => {
                    let mut names = Names::default();
                    if self.skip(&["schema"]) {
                        names.add(self.path().map(all_in));
                        while self.skip_sign(',') {
                            names.add(self.path().map(all_in));
                        }
                    }
                    return names;
                }
                _ => {}
            }
        }
        Names::any()
    }

    /// The table that something is defined on: it stands behind the first `ON` or `TO`, and in front
    /// of that of a rule stands its event.
    fn owner(&mut self) -> Option<Name> {
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
        let said = |name: &Name| {
            let of = |text: &Option<Box<str>>| text.as_deref().unwrap_or("*").to_owned();
            match name.schema {
                Some(_) => format!("{}.{}", of(&name.schema), of(&name.name)),
                None => of(&name.name),
            }
        };
        names.iter().map(said).collect::<Vec<_>>().join(" ")
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
                "app.people",
                "",
            ),
            (
                "CREATE TABLE IF NOT EXISTS \"App\".\"People\" AS SELECT 1",
                "app.people",
                "",
            ),
            ("create temp table x (id int)", "", ""),
            (
                "create or replace view v as select 1; drop view if exists a.v, w",
                "v",
                "a.v w",
            ),
            ("create materialized view m as select 1", "m", ""),
            ("create foreign table f (id int) server s", "f", ""),
            (
                "create function s.f(int) returns int language sql as 'select 1'",
                "s.f",
                "",
            ),
            (
                "drop function f(int, numeric(1, 2)), g cascade",
                "",
                "* f g",
            ),
            ("alter table t drop column c cascade", "", "*"),
            (
                "create table t (a int references u on delete cascade)",
                "t",
                "",
            ),
            ("create operator s.=== (leftarg = int)", "s.===", ""),
            ("drop cast (text as s.int)", "", "int s text"),
            ("create schema s create table t (id int)", "s.* s.t", ""),
            ("drop schema s, t cascade", "", "* s.* t.*"),
            ("drop owned by r", "", "*"),
        ]);
    }

    #[test]
    fn what_a_text_ties_and_lets_go_is_found_by_its_words() {
        check(&[
            (
                "create rule r as on insert to s.t do instead nothing",
                "s.t",
                "",
            ),
            ("drop rule r on t", "", "t"),
            (
                "create trigger g before insert or update on s.t for each row",
                "s.t",
                "",
            ),
            ("alter table s.a rename to b", "s.b", "s.a"),
            ("alter table a rename column b to c", "", ""),
            ("alter table a rename b to c", "", ""),
            ("alter table if exists only a set schema s", "s.a", "a"),
            ("alter function f(int) rename to g", "g", "f"),
            ("alter schema s rename to t", "t.*", "s.*"),
            (
                "alter table c inherit s.p; alter table c no inherit p",
                "s.p",
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
            ("select 1 into unlogged s.t from x", "s.t", ""),
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
            (
                "create index on t (a); grant select on t to r with grant option",
                "",
                "",
            ),
            ("grant usage on schema s, t to r", "s.* t.*", ""),
            ("revoke all on schema s from r", "", "s.*"),
            ("grant r to q", "*", ""),
        ]);
    }

    #[test]
    fn names_in_common_are_those_that_may_be_the_same() {
        let names = |text: &str| Objects::of(format!("drop table {text}").as_bytes()).dropped;
        let common = |one: &Names, other: &Names| said(&one.common(other));
        let (two, others) = (names("a, b, s.c"), names("b, c, t.d"));
        assert_eq!(common(&two, &others), "b s.c");
        assert_eq!(common(&others, &two), "b s.c");
        assert_eq!(common(&names("s.a, t.b"), &names("t.a, t.b")), "t.b");
        let all = Objects::of(b"drop schema s").dropped;
        assert_eq!(common(&all, &names("s.a, t.a, b")), "s.a s.b");
        assert_eq!(common(&names("s.a, t.a, b"), &all), "s.a s.b");
        assert_eq!(common(&Names::any(), &names("s.a, b")), "s.a b");
        assert_eq!(common(&Names::any(), &Names::any()), "*");
    }

    #[test]
    fn what_is_created_without_a_schema_is_in_the_first_of_the_path() {
        let text = "create table t (a int); drop table u; select 1 into v";
        let tokens = lex(text, true).unwrap();
        let path = ["pg_temp_3", "pg_catalog", "app", "public"].map(str::to_owned);
        let path = SearchPath::new(path.into());
        let objects = Objects::of_statement(&tokens, text, Some(&path));
        assert_eq!(said(&objects.created), "app.t app.v");
        assert_eq!(said(&objects.dropped), "u");
    }
}
