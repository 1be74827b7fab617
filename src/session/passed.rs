//! What statements that nobody analyses may do to definitions, by the words in them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::sql::objects::Objects;
use crate::wire::frame::{HEADER_BYTES, Header};

/// What a message may do.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// Nothing that others see.
    #[default]
    Nothing,
    /// It may end the transaction or a part of it, and with that show others what was done in it.
    Ends,
    /// It makes an index over columns, and no more.
    Indexes,
    /// It may change definitions.
    Defines,
}

/// What a message may do, and with what.
#[derive(Debug, Default, Clone)]
pub(super) struct Seen {
    pub(super) passed: Passed,
    /// What it creates and drops.
    pub(super) objects: Option<Arc<Objects>>,
}

/// The words of statements that change definitions, or by rights on schemas what names mean, or run
/// code that may, beside `DO`.
const DEFINING: [&str; 10] = [
    "alter", "call", "create", "drop", "execute", "grant", "import", "into", "reassign", "revoke",
];

/// Those that end a transaction, or prepare it.
const ENDING: [&str; 5] = ["abort", "commit", "end", "prepare", "rollback"];

/// So many names are remembered, and none that is longer.
const MOST_NAMES: usize = 1000;
const LONGEST_NAME: usize = 256;

/// What a prepared statement creates and drops is remembered if it takes no more bytes.
const LONGEST_OBJECTS: usize = 4096;

/// Messages that are no longer are waited for before they are passed on.
const WAITED_BYTES: usize = 256 << 10;

/// What the statements and portals may do that a session has by names.
#[derive(Debug, Default)]
pub(super) struct Names {
    statements: HashMap<Box<[u8]>, Seen>,
    portals: HashMap<Box<[u8]>, Seen>,
    /// Some are not remembered: any may define.
    lost: bool,
}

impl Names {
    /// Whether all of a message is to be there before it is seen.
    pub(super) fn wants_whole(header: Header) -> bool {
        matches!(header.kind, b'Q' | b'P' | b'B' | b'E' | b'C') && header.total <= WAITED_BYTES
    }

    /// Sees a message of the client, or as much of it as is there, and says what it may do.
    pub(super) fn see(&mut self, header: Header, rest: &[u8]) -> Seen {
        let is_whole = rest.len() >= header.total;
        let body = rest.get(HEADER_BYTES..header.total.min(rest.len()));
        let body = body.unwrap_or_default();
        let judged = |text: Option<(&[u8], &[u8])>| match text {
            Some((text, _)) => Seen::of(text),
            None if is_whole => Seen::of(body),
            // Without its end nobody knows what else is in it.
            None => Seen::any(),
        };
        match header.kind {
            b'F' => return Passed::Defines.into(),
            b'Q' => return judged(string(body)),
            b'P' => match string(body) {
                Some((name, behind)) => {
                    let seen = judged(string(behind));
                    self.lost |= !remember(&mut self.statements, name, seen);
                }
                None => self.lost = true,
            },
            b'B' => match string(body).map(|(portal, behind)| (portal, string(behind))) {
                Some((portal, Some((statement, _)))) => {
                    let seen = self.statements.get(statement).cloned().unwrap_or_default();
                    self.lost |= !remember(&mut self.portals, portal, seen);
                }
                _ => self.lost = true,
            },
            b'C' => {
                let (of, name) = body.split_first().unwrap_or((&0, &[]));
                let names = match of {
                    b'S' => &mut self.statements,
                    _ => &mut self.portals,
                };
                if let Some((name, _)) = string(name) {
                    names.remove(name);
                }
            }
            b'E' if self.lost => return Seen::any(),
            b'E' => {
                let portal = string(body).map(|(name, _)| self.portals.get(name));
                return portal.map_or_else(Seen::any, |known| known.cloned().unwrap_or_default());
            }
            _ => {}
        }
        Seen::default()
    }
}

impl Seen {
    fn of(text: &[u8]) -> Self {
        let passed = judge(text);
        let objects = (passed == Passed::Defines).then(|| Objects::of(text));
        let objects = objects.filter(|objects| !objects.is_empty());
        Self {
            passed,
            objects: objects.map(Arc::new),
        }
    }

    fn any() -> Self {
        Self {
            passed: Passed::Defines,
            objects: Some(Arc::new(Objects::any())),
        }
    }
}

impl From<Passed> for Seen {
    fn from(passed: Passed) -> Self {
        Self {
            passed,
            objects: None,
        }
    }
}

/// A string that ends with a zero, and what is behind it.
fn string(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = body.iter().position(|byte| *byte == 0)?;
    Some((body.get(..end)?, body.get(end + 1..)?))
}

/// Whether there was room for it.
fn remember(names: &mut HashMap<Box<[u8]>, Seen>, name: &[u8], seen: Seen) -> bool {
    if seen.passed == Passed::Nothing {
        names.remove(name);
        return true;
    }
    let is_known = names.contains_key(name);
    let is_large = |objects: &Arc<Objects>| objects.bytes() > LONGEST_OBJECTS;
    let seen = match &seen.objects {
        Some(objects) if is_large(objects) => Seen::any(),
        _ => seen,
    };
    let fits = is_known || names.len() < MOST_NAMES && name.len() <= LONGEST_NAME;
    if fits {
        names.insert(name.into(), seen);
    }
    fits
}

/// What a text may do.
fn judge(text: &[u8]) -> Passed {
    let (text, is_plain) = match without_literals(text) {
        Some(plain) => (plain, true),
        None => (Cow::Borrowed(text), false),
    };
    if names_a_definition(&text) {
        return match is_plain && is_index(&text) {
            true => Passed::Indexes,
            false => Passed::Defines,
        };
    }
    // Where a comment may stand in front, any word may be the first.
    let ends = match is_plain {
        true => text.split(|byte| *byte == b';').any(|statement| {
            let first = words(statement).next();
            first.is_some_and(|(_, word)| is_one_of(word, &ENDING))
        }),
        false => words(&text).any(|(_, word)| is_one_of(word, &ENDING)),
    };
    match ends {
        true => Passed::Ends,
        false => Passed::Nothing,
    }
}

/// A text with empty literals, if it is certain where those are, whatever the settings of the session
/// and whatever else is quoted.
pub(super) fn without_literals(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut pairs = text.iter().zip(text.iter().skip(1).chain([&0]));
    let is_certain = !pairs.any(|pair| match pair {
        (b'\\' | b'"', _) | (b'-', b'-') | (b'/', b'*') => true,
        (b'$', next) => !next.is_ascii_digit(),
        _ => false,
    });
    if !is_certain {
        return None;
    }
    if !text.contains(&b'\'') {
        return Some(Cow::Borrowed(text));
    }
    let outside = text.split(|byte| *byte == b'\'').step_by(2);
    Some(Cow::Owned(outside.collect::<Vec<_>>().join(&b"''"[..])))
}

/// The words in a text, and where they begin.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    let words = text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    words.filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}

fn is_one_of(word: &[u8], known: &[&str]) -> bool {
    let mut known = known.iter();
    known.any(|known| known.as_bytes().eq_ignore_ascii_case(word))
}

/// Whether one of the words in a text says that definitions may change. `INSERT INTO`, `MERGE INTO`
/// and `ON CONFLICT DO` change none; the two words have nothing but blanks between them then.
fn names_a_definition(text: &[u8]) -> bool {
    let (mut before, mut end): (&[u8], usize) = (b"", 0);
    for (start, word) in words(text) {
        let between = text.get(end..start).unwrap_or_default();
        let follows = between.iter().all(u8::is_ascii_whitespace);
        let writes =
            follows && is_one_of(word, &["into"]) && is_one_of(before, &["insert", "merge"]);
        let resolves = follows && is_one_of(word, &["nothing", "update"]);
        if is_one_of(before, &["do"]) && !resolves || is_one_of(word, &DEFINING) && !writes {
            return true;
        }
        (before, end) = (word, start + word.len());
    }
    is_one_of(before, &["do"])
}

/// Whether a text without comments, literals and quoted names makes one index, over columns alone:
/// there is no expression and no condition in it.
fn is_index(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let text = text.strip_suffix(b";").unwrap_or(text);
    let mut words = words(text).map(|(_, word)| word);
    let begins = words
        .next()
        .is_some_and(|word| is_one_of(word, &["create"]))
        && match words.next() {
            Some(word) if is_one_of(word, &["unique"]) => {
                words.next().is_some_and(|word| is_one_of(word, &["index"]))
            }
            Some(word) => is_one_of(word, &["index"]),
            None => false,
        };
    let is_more = |word: &[u8]| is_one_of(word, &["where"]) || is_one_of(word, &DEFINING);
    let opened = text.iter().filter(|byte| **byte == b'(').count();
    begins && opened == 1 && !text.contains(&b';') && !words.any(is_more)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(texts: &[&str], passed: Passed) {
        for text in texts {
            assert_eq!(judge(text.as_bytes()), passed, "{text}");
        }
    }

    #[test]
    fn what_writes_rows_defines_nothing() {
        all(
            &[
                "select 1",
                "insert into users values (1)",
                "INSERT\n INTO users (id) VALUES (1) ON CONFLICT (id) DO NOTHING",
                "insert into users values (1) on conflict do update set name = 'x'",
                "merge into users u using more m on u.id = m.id when matched then do nothing",
                "update users set name = 'y'",
                "update users set name = case when $1 then 'a' else 'b' end",
                "insert into audit values ('create', 'it''s to drop')",
            ],
            Passed::Nothing,
        );
    }

    #[test]
    fn what_may_define_or_run_code_does() {
        all(
            &[
                "create view v as select 1",
                "do $$ begin end $$",
                "do 'update x'",
                "do",
                "do/**/nothing",
                "select 1 into t",
                "select 'insert', 1 into t",
                "insert/**/into t values (1)",
                "insert into t values (1); drop table t",
                "insert into t values (1) on conflict do nothing; do $$ begin end $$",
                "execute p",
                "with a as (insert into t values (1) returning 1) select * into u from a",
                // Where a literal ends depends on a setting, on comments, on names in quotes.
                "select 'a\\'', x; create table t (); select '...'",
                "select 1 -- it's\n; create table t () --'",
                "select 1 /* it's */; create table t () --'",
                "select 1 as \"it's\"; create table t (\"'\" int)",
                "select $a$'$a$; create table t (a text default $a$'$a$)",
                "select '' ; create table t (); select ''",
            ],
            Passed::Defines,
        );
    }

    #[test]
    fn an_index_over_columns_is_told_from_what_computes() {
        all(
            &[
                "create index on t (a)",
                "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON s.t USING btree (a DESC, b);",
            ],
            Passed::Indexes,
        );
        all(
            &[
                "create index on t (f(a))",
                "create index on t ((a + 1))",
                "create index on t (a) where b",
                "create index on t (a) with (fillfactor = 70)",
                "create index on t (a); drop view v",
                "create index on t (a) drop",
                "create index on \"t\" (a)",
                "create table index (a int)",
                "create indexes (a)",
            ],
            Passed::Defines,
        );
    }

    #[test]
    fn what_may_end_a_transaction_does() {
        all(
            &[
                "commit",
                "ROLLBACK TO SAVEPOINT a",
                "insert into t values (1); end",
                "/* x */ commit",
                "-- x\nabort",
                "prepare transaction 'x'",
            ],
            Passed::Ends,
        );
    }

    #[test]
    fn what_is_prepared_is_known_by_its_name() {
        let message = |kind: u8, body: &[u8]| {
            let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
            [&[kind][..], &length, body].concat()
        };
        let mut names = Names::default();
        let mut see = |kind: u8, body: &[u8]| {
            let message = message(kind, body);
            let limits = crate::wire::frame::FrameLimits::default();
            let header = Header::from_client(&message, limits).unwrap().unwrap();
            names.see(header, &message).passed
        };
        see(b'P', b"s\0create table t ()\0\0\0");
        see(b'P', b"\0select 'create'\0\0\0");
        see(b'B', b"\0\0\0\0\0\0\0\0");
        assert_eq!(see(b'E', b"\0\0\0\0\0"), Passed::Nothing);
        see(b'B', b"\0s\0\0\0\0\0\0\0");
        assert_eq!(see(b'E', b"\0\0\0\0\0"), Passed::Defines);
        see(b'B', b"p\0s\0\0\0\0\0\0\0");
        see(b'C', b"Ss\0");
        see(b'B', b"\0s\0\0\0\0\0\0\0");
        assert_eq!(see(b'E', b"\0\0\0\0\0"), Passed::Nothing);
        assert_eq!(see(b'E', b"p\0\0\0\0\0"), Passed::Defines);
        for number in 0..2000 {
            see(b'P', format!("{number}\0drop table t\0\0\0").as_bytes());
        }
        assert_eq!(see(b'E', b"\0\0\0\0\0"), Passed::Defines);
    }
}
