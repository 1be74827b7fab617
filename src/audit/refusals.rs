//! The statements that were refused, or would have been but for the mode, by shape: which ones, why
//! and how often. Bounded, whatever clients send: the rarest give way.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;

use super::counters::{Count, lock};
use super::statement::Statement;

/// So many shapes are kept; each takes 2 KiB at most.
const MOST: usize = 500;

/// The refused statements.
#[derive(Debug, Default)]
pub struct Refusals {
    kept: Mutex<Kept>,
    /// Refusals of rows that have given way.
    pub forgotten: Count,
}

#[derive(Debug, Default)]
struct Kept {
    rows: HashMap<Key, Row>,
    /// Grows with each refusal.
    clock: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    fingerprint: String,
    code: &'static str,
    passed: bool,
}

#[derive(Debug)]
struct Row {
    refusal: RefusedStatement,
    last: u64,
}

/// Statements of one shape that were refused for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedStatement {
    /// The shape of the statements.
    pub statement: Statement,
    /// The rule, as in `docs/refusals.md`.
    pub code: &'static str,
    /// The SQLSTATE that the client got, or would have.
    pub sqlstate: &'static str,
    /// Whether they were passed on all the same, as the mode says.
    pub passed: bool,
    /// How often.
    pub calls: u64,
}

impl Refusals {
    /// Counts one.
    pub(crate) fn add(
        &self,
        statement: &Statement,
        (code, sqlstate): (&'static str, &'static str),
        passed: bool,
    ) {
        let key = Key {
            fingerprint: statement.fingerprint().to_owned(),
            code,
            passed,
        };
        let mut kept = lock(&self.kept);
        let kept = &mut *kept;
        kept.clock += 1;
        if kept.rows.len() >= MOST && !kept.rows.contains_key(&key) {
            self.forgotten.add(kept.make_room());
        }
        let row = match kept.rows.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(Row {
                refusal: RefusedStatement {
                    statement: statement.clone(),
                    code,
                    sqlstate,
                    passed,
                    calls: 0,
                },
                last: 0,
            }),
        };
        row.refusal.calls += 1;
        row.last = kept.clock;
    }

    /// All that are kept, the most frequent first.
    #[must_use]
    pub fn rows(&self) -> Vec<RefusedStatement> {
        let kept = lock(&self.kept);
        let mut rows: Vec<_> = kept.rows.values().map(|row| row.refusal.clone()).collect();
        drop(kept);
        rows.sort_by(|a, b| {
            let by_name = || a.statement.fingerprint().cmp(b.statement.fingerprint());
            b.calls.cmp(&a.calls).then_with(by_name)
        });
        rows
    }
}

impl Kept {
    /// Drops the rarest row, of those the one that was seen the longest ago; says how many refusals
    /// were in it.
    fn make_room(&mut self) -> u64 {
        let rarest = self
            .rows
            .iter()
            .min_by_key(|(_, row)| (row.refusal.calls, row.last));
        let rarest = rarest.map(|(key, _)| key.clone());
        let dropped = rarest.and_then(|key| self.rows.remove(&key));
        dropped.map_or(0, |row| row.refusal.calls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_give_way_and_the_sum_stays() {
        let refusals = Refusals::default();
        let add = |number: usize| {
            let digits = number.to_string();
            let name: String = digits.bytes().map(|b| char::from(b + 49)).collect();
            let statement = Statement::new(&format!("select {name}"));
            refusals.add(&statement, ("expression", "0A000"), false);
        };
        for _ in 0..3 {
            add(0);
        }
        for number in 1..2 * MOST {
            add(number);
        }
        let rows = refusals.rows();
        assert_eq!((rows.len(), rows[0].calls), (MOST, 3));
        assert_eq!(rows[0].statement.shape(), "select a");
        let sum: u64 = rows.iter().map(|row| row.calls).sum();
        assert_eq!(sum + refusals.forgotten.get(), 2 * MOST as u64 + 2);
        // The last one is there: what is new has a place.
        let last = rows.iter().any(|row| row.statement.shape() == "select jjj");
        assert!(last);
    }
}
