//! What was seen of statements that pgveil only looks at: by shape, how often each was sent and what
//! would become of it. Bounded, whatever clients send.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};

use super::counters::{Count, lock};
use super::statement::Statement;

/// So many shapes are told apart.
const MOST: usize = 2000;

/// The statements that were seen.
#[derive(Debug, Default)]
pub struct Observed {
    seen: Mutex<HashMap<Key, Arc<Seen>>>,
    /// Statements that were not judged: too much was under way, or they were too long.
    pub dropped: Count,
    /// Statements whose names meant what only the server knew, so that they could not be judged.
    pub unjudged: Count,
    /// Statements that were judged and are in no row, for there are too many shapes.
    pub beyond: Count,
}

/// What makes a row of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    database: Arc<str>,
    fingerprint: String,
    need: Option<Need>,
}

/// Statements of one shape of which the same becomes.
#[derive(Debug)]
pub struct Seen {
    /// The shape of the statements.
    pub statement: Statement,
    /// The database that they were sent to, escaped.
    pub database: Arc<str>,
    /// What they need to be ready; `None` if they are.
    pub need: Option<Need>,
    /// The names of the domains whose ids they carry.
    pub domains: Vec<String>,
    /// How often they were sent to be run.
    pub calls: Count,
}

/// What a statement needs: why it would be refused, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Need {
    /// The rule, as in `docs/refusals.md`.
    pub code: &'static str,
    /// The SQLSTATE that the client would get.
    pub sqlstate: &'static str,
    /// What to do, without any word of the statement; `None` where nothing is to be said without.
    pub remedy: Option<String>,
}

impl Observed {
    /// The row of a statement, which is new if there is room; `None` if there is not.
    pub fn row(
        &self,
        database: &Arc<str>,
        statement: &Statement,
        need: Option<Need>,
        domains: impl FnOnce() -> Vec<String>,
    ) -> Option<Arc<Seen>> {
        let key = Key {
            database: Arc::clone(database),
            fingerprint: statement.fingerprint().to_owned(),
            need,
        };
        let mut seen = lock(&self.seen);
        let is_full = seen.len() >= MOST;
        match seen.entry(key) {
            Entry::Occupied(known) => Some(Arc::clone(known.get())),
            Entry::Vacant(_) if is_full => None,
            Entry::Vacant(free) => {
                let row = Seen {
                    statement: statement.clone(),
                    database: Arc::clone(database),
                    need: free.key().need.clone(),
                    domains: domains(),
                    calls: Count::default(),
                };
                Some(Arc::clone(free.insert(Arc::new(row))))
            }
        }
    }

    /// All rows, the most frequent first.
    #[must_use]
    pub fn rows(&self) -> Vec<Arc<Seen>> {
        let mut rows: Vec<_> = lock(&self.seen).values().cloned().collect();
        let by_name = |row: &Seen| row.statement.fingerprint().to_owned();
        rows.sort_by_cached_key(|row| (std::cmp::Reverse(row.calls.get()), by_name(row)));
        rows
    }

    /// How many statements were ready, and how many would have been refused for each reason.
    #[must_use]
    pub fn sums(&self) -> (u64, HashMap<&'static str, u64>) {
        let (mut ready, mut refused) = (0, HashMap::new());
        for row in lock(&self.seen).values() {
            match &row.need {
                None => ready += row.calls.get(),
                Some(need) => *refused.entry(need.code).or_default() += row.calls.get(),
            }
        }
        (ready, refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_room_for_so_many_and_no_more() {
        let (observed, database) = (Observed::default(), Arc::from("shop"));
        let row = |number: usize, need: Option<Need>| {
            let letters: String = number
                .to_string()
                .bytes()
                .map(|b| (b + 49) as char)
                .collect();
            let statement = Statement::new(&format!("select {letters}"));
            observed.row(&database, &statement, need, Vec::new)
        };
        for number in 0..MOST - 1 {
            row(number, None).unwrap().calls.add(1);
        }
        let need = Need {
            code: "expression",
            sqlstate: "0A000",
            remedy: None,
        };
        row(0, Some(need.clone())).unwrap().calls.add(7);
        assert!(row(MOST, None).is_none());
        row(1, None).unwrap().calls.add(1);
        let rows = observed.rows();
        assert_eq!((rows.len(), rows[0].calls.get()), (MOST, 7));
        assert_eq!(rows[0].need, Some(need));
        let (ready, refused) = observed.sums();
        assert_eq!((ready, refused["expression"]), (MOST as u64, 7));
    }
}
