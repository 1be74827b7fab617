//! By which transactions the rows of the catalogs were written that a picture was read from. Two
//! pictures may look alike, and yet what they show has been something else between them: then its
//! rows have been written anew.
//!
//! Most rewritings are of no account: a grant or statistics of a column write the same rows. What
//! they change beside the meaning is told as a sum, and explains them. Of rows of `pg_class`, which
//! nearly everything writes, nothing is told but of sequences: a new name, schema or owner is
//! written into the type of a relation's rows, too.
//!
//! What nobody can see is not noticed: what was made in between, in front of something else, and is
//! gone without a trace.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::function::{Code, Function};
use super::told::{Common, Part, Told};
use super::{Oid, RelationKind, Snapshot};

/// A row of the catalogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    /// The number of the transaction that wrote it.
    by: u32,
    /// What it says beside the meaning.
    aside: i64,
}

impl Written {
    /// `transaction sum`
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (by, aside) = text.split_once(' ')?;
        Some(Self {
            by: by.parse().ok()?,
            aside: aside.parse().ok()?,
        })
    }

    /// Whether the row has been written anew since, and nothing explains it.
    const fn is_anew(self, before: Self) -> bool {
        self.by != before.by && self.aside == before.aside
    }
}

fn is_anew(now: Option<&Written>, before: Option<&Written>) -> bool {
    matches!((now, before), (Some(now), Some(before)) if now.is_anew(*before))
}

/// What is about no relation.
#[derive(Debug, Default, Clone)]
pub(super) struct CommonRows {
    functions: HashMap<Oid, Written>,
    schemas: HashMap<String, Written>,
}

impl CommonRows {
    pub(super) fn record(&mut self, kind: &str, name: &str, written: &str) -> Option<()> {
        let written = Written::parse(written)?;
        match kind {
            "function" => {
                self.functions.insert(Oid(name.parse().ok()?), written);
            }
            "schema" => {
                self.schemas.insert(name.to_owned(), written);
            }
            _ => return None,
        }
        Some(())
    }
}

/// The rows of a relation.
#[derive(Debug, Default, Clone)]
pub(super) struct PartRows {
    /// That of the type of its rows, or of a sequence.
    pub(super) own: Option<Written>,
    /// By attribute number.
    pub(super) columns: Vec<(i16, Written)>,
    /// The transactions that wrote its rules.
    pub(super) rules: Option<Arc<str>>,
}

/// What has been written anew between two pictures: names of relations and functions.
#[derive(Debug, Default)]
pub struct Rewritten {
    names: HashSet<String>,
    /// A schema has: any name may have meant something else.
    everything: bool,
    /// Some of it may matter to code that nobody can read.
    within_code: bool,
}

impl Rewritten {
    /// Whether nothing has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.everything && self.names.is_empty()
    }
}

impl Part {
    fn is_anew(&self, before: &Self) -> bool {
        let column = |name: &str| {
            let mut columns = before.relation.columns.iter();
            columns.find(|column| column.name == name)
        };
        let written = |part: &Self, attnum: i16| {
            let mut columns = part.rows.columns.iter();
            let found = columns.find(|(known, _)| *known == attnum);
            found.map(|(_, written)| *written)
        };
        self.oid() != before.oid()
            || is_anew(self.rows.own.as_ref(), before.rows.own.as_ref())
            || self.rows.rules != before.rows.rules
            || self.relation.columns.iter().any(|now| {
                column(&now.name).is_some_and(|then| {
                    let (now, then) = (now.attnum, then.attnum);
                    let rows = (written(self, now), written(before, then));
                    now != then || is_anew(rows.0.as_ref(), rows.1.as_ref())
                })
            })
    }
}

impl Common {
    /// The names of functions that have been replaced.
    fn functions_anew<'t>(&'t self, before: &'t Self) -> impl Iterator<Item = &'t str> {
        let named = |common: &'t Self, name: &str| {
            let known = common.functions.by_name.get(name);
            known.map(Vec::as_slice).unwrap_or_default()
        };
        let rows = |common: &'t Self, oid| common.rows.functions.get(&oid);
        let names = self.functions.by_name.iter();
        let anew = names.filter(move |(name, now)| {
            let then = named(before, name);
            let is_new = |function: &Function| !then.iter().any(|then| then.oid == function.oid);
            then.iter().any(|then| {
                is_anew(rows(self, then.oid), rows(before, then.oid))
                    || !now.iter().any(|now| now.oid == then.oid)
                        && now
                            .iter()
                            .any(|now| is_new(now) && now.schema == then.schema)
            })
        });
        anew.map(|(name, _)| name.as_str())
    }
}

impl Told {
    /// What has been written anew since something else was told, however alike they look. What has
    /// been added or has gone, the pictures themselves show.
    #[must_use]
    pub fn rewritten_since(&self, before: &Self, snapshot: &Snapshot) -> Rewritten {
        let mut rewritten = Rewritten::default();
        for (oid, part) in &self.relations {
            let same = before.relations.get(oid);
            if same.is_some_and(|before| Arc::ptr_eq(before, part)) {
                continue;
            }
            let relation = &part.relation;
            let mut named = before.names.get(&relation.name).iter();
            let then = named.find_map(|oid| {
                let then = before.relations.get(oid)?;
                (then.relation.schema == relation.schema).then_some(then)
            });
            if then.is_some_and(|then| part.is_anew(then)) {
                let known = snapshot.relation(*oid);
                rewritten.within_code |= known.is_none_or(|known| known.protected);
                rewritten.names.insert(relation.name.clone());
            }
        }
        if !Arc::ptr_eq(&self.shared, &before.shared) {
            for name in self.shared.functions_anew(&before.shared) {
                rewritten.within_code = true;
                rewritten.names.insert(name.to_owned());
            }
            let then = &before.shared.rows.schemas;
            let mut schemas = self.shared.rows.schemas.iter();
            rewritten.everything =
                schemas.any(|(name, now)| is_anew(Some(now), then.get(name.as_str())));
        }
        rewritten
    }

    /// Whether a text may be about anything of it: names it, or something that is defined by it.
    /// What operators and casts call no word tells, but nothing of that is shown that could be a key.
    #[must_use]
    pub fn may_be_about(&self, text: &[u8], rewritten: &Rewritten) -> bool {
        if rewritten.is_empty() || rewritten.everything {
            return rewritten.everything;
        }
        let mut reading = Reading {
            rewritten,
            texts: vec![text.into()],
            seen: HashSet::new(),
        };
        while let Some(text) = reading.texts.pop() {
            let Some(words) = words(&text) else {
                return true;
            };
            for word in words {
                if reading.seen.insert(word.clone()) && self.names_any(&word, &mut reading) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a word does, or calls code that nobody can read; what it is defined as is read next.
    fn names_any(&self, word: &str, reading: &mut Reading<'_>) -> bool {
        if reading.rewritten.names.contains(word) {
            return true;
        }
        let oids = self.names.get(word).iter();
        for part in oids.filter_map(|oid| self.relations.get(oid)) {
            let relation = &part.relation;
            let is_view = relation.kind == RelationKind::View;
            if is_view && relation.definition.is_none() && !is_system(&relation.schema) {
                return true;
            }
            let rules = relation.rules.iter().map(|rule| &rule.definition);
            for text in relation.definition.iter().chain(rules) {
                reading.texts.push(text.as_bytes().to_vec().into());
            }
        }
        let mut functions = self.shared.functions.of_user(None, word);
        functions.any(|function| reading.calls(function))
    }
}

fn is_system(schema: &str) -> bool {
    matches!(schema, "pg_catalog" | "information_schema")
}

/// Texts that are read for names.
struct Reading<'r> {
    rewritten: &'r Rewritten,
    texts: Vec<Cow<'r, [u8]>>,
    seen: HashSet<String>,
}

impl Reading<'_> {
    /// Whether a function that is called has been replaced, or may read anything. What it runs is
    /// read next.
    fn calls(&mut self, function: &Function) -> bool {
        let (code, is_legible) = match &function.code {
            Code::Sql(code) | Code::Atomic(code) => (code.as_bytes(), true),
            Code::Other(code) => (code.as_bytes(), false),
            Code::Hidden => (&b""[..], false),
        };
        if self.rewritten.names.contains(&function.name)
            || !is_legible && self.rewritten.within_code
        {
            return true;
        }
        self.texts.push(code.to_vec().into());
        false
    }
}

/// All words of a text that could be names, folded and as they are; none if there may be others.
fn words(text: &[u8]) -> Option<HashSet<String>> {
    let text = str::from_utf8(text).ok()?;
    let has_escapes = |prefix| text.contains(prefix);
    if text.contains("\"\"") || has_escapes("U&\"") || has_escapes("u&\"") {
        return None;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || !letter.is_ascii();
    let plain = text.split(|letter| !is_part(letter));
    // A dollar is part of a name, or begins a text in dollars.
    let with_dollars = text.split(|letter| !is_part(letter) && letter != '$');
    let quoted = text.split('"');
    let all = plain.chain(with_dollars).chain(quoted);
    let mut words = HashSet::new();
    for word in all.filter(|word| !word.is_empty()) {
        words.insert(word.to_lowercase());
        words.insert(word.to_ascii_lowercase());
        words.insert(word.to_owned());
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_says_why_it_was_written_has_not_changed_its_meaning() {
        let written = |text| Written::parse(text).expect("a row");
        let before = written("7 -5");
        assert!(!before.is_anew(before));
        assert!(written("8 -5").is_anew(before));
        assert!(!written("8 6").is_anew(before));
        assert_eq!(Written::parse("7"), None);
    }

    #[test]
    fn every_word_that_could_be_a_name_is_found() {
        let text = br#"select "Odd name".x, $a$label()$a$, y$z, Users from U"#;
        let words = words(text).expect("words");
        for word in ["Odd name", "label", "y$z", "users", "Users", "u"] {
            assert!(words.contains(word), "{word}");
        }
        assert!(super::words(b"select \xff").is_none());
        assert!(super::words(br#"select U&"\0061""#).is_none());
        assert!(super::words(br#"select "a""b""#).is_none());
    }
}
