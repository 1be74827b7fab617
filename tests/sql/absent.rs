//! That a text that names nothing which the snapshot lacks means the same however old that is: the
//! session analyses it once, as if the snapshot had been taken for its sake.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use pgveil::catalog::{Loader, SearchPath, Snapshot};
use pgveil::sql::{self, Context};

use super::{annotation, shop};

#[test]
fn what_is_not_there_is_named_and_all_else_means_the_same_by_an_old_snapshot() {
    let shop = shop();
    let mut cases = Comparison::new(&shop);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql/cases");
    for file in std::fs::read_dir(folder).expect("case files") {
        let written = std::fs::read_to_string(file.expect("a file").path()).expect("readable");
        for case in written.split("\n\n") {
            let lines = case.lines().filter(|line| !line.starts_with("-- "));
            cases.check(&lines.collect::<Vec<_>>().join("\n"));
        }
    }
    // Of what is annotated nothing is there.
    let elsewhere = annotation("user", "public.elsewhere.id", &[]);
    let empty = Loader::new(Arc::from([elsewhere])).finish().snapshot;
    let mut unannotated = Comparison::new(&empty);
    for line in include_str!("corpus.jsonl").lines() {
        let text = serde_json::from_str::<String>(line).expect("a text");
        cases.compare(&text);
        unannotated.compare(&text);
    }
    for found in [cases, unannotated] {
        let (compared, absent) = (found.seen.len(), found.absent);
        eprintln!("of {compared} texts {absent} name what is not there");
        let wrong = &found.wrong;
        assert!(
            wrong.is_empty(),
            "{}\n{}",
            wrong[..wrong.len().min(20)].join("\n"),
            wrong.len()
        );
        assert!(10 * absent > compared);
    }
}

/// Where analyses of a text by a snapshot that is fresh and by one that is not do not agree.
struct Comparison<'a> {
    snapshot: &'a Snapshot,
    seen: HashSet<String>,
    /// How many texts name something that is not there.
    absent: usize,
    wrong: Vec<String>,
}

impl<'a> Comparison<'a> {
    fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            seen: HashSet::new(),
            absent: 0,
            wrong: Vec::new(),
        }
    }

    /// Compares for a text, and for what it becomes with a name that nobody knows in the place of
    /// each of its words.
    fn check(&mut self, text: &str) {
        self.compare(text);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut at = 0;
        while let Some(start) = text[at..].find(is_word).map(|start| at + start) {
            let length = text[start..].find(|c| !is_word(c));
            at = length.map_or(text.len(), |length| start + length);
            self.compare(&[&text[..start], "nobody_knows", &text[at..]].concat());
        }
    }

    fn compare(&mut self, text: &str) {
        if !self.seen.insert(text.to_owned()) {
            return;
        }
        let path = SearchPath::default();
        let analysed = |fresh| {
            let context = Context::new(self.snapshot, &path);
            sql::analyse(text.as_bytes(), &Context { fresh, ..context })
        };
        let (fresh, old) = (analysed(true), analysed(false));
        let is_absent = fresh.absent_name().is_some();
        self.absent += usize::from(is_absent);
        if is_absent != old.unknown_name.is_some() || !is_absent && fresh != old {
            self.wrong.push(format!("{text}\n  {fresh:?}\n  {old:?}"));
        }
    }
}
