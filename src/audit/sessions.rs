//! Which sessions run now: how many of which database, role and mode. A role is a name that a
//! client chooses, so only so many of them have a number of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::counters::lock;

/// So many databases, and so many roles, are told apart; the next ones are [`OTHER`].
pub const MOST_NAMES: usize = 50;

/// What stands for all names beyond these.
pub const OTHER: &str = "other";

/// Postgres knows names by so many bytes.
const NAME_BYTES: usize = 63;

/// How many sessions run now.
#[derive(Debug, Clone, Default)]
pub struct Sessions(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    databases: BTreeSet<String>,
    roles: BTreeSet<String>,
    running: BTreeMap<Kind, u64>,
}

/// What sessions are told apart by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The database, escaped.
    pub database: String,
    /// The role, escaped.
    pub role: String,
    /// `enforce`, `audit` or `bypass`.
    pub mode: &'static str,
}

/// A session that runs as long as this lives.
#[derive(Debug)]
pub struct Counted {
    sessions: Sessions,
    kind: Kind,
}

impl Sessions {
    /// Counts a session that Postgres has let in.
    #[must_use]
    pub fn begin(&self, database: &[u8], role: &[u8], mode: &'static str) -> Counted {
        let mut state = lock(&self.0);
        let state = &mut *state;
        if state.databases.len().max(state.roles.len()) >= MOST_NAMES {
            state.forget();
        }
        let kind = Kind {
            database: told(&mut state.databases, database),
            role: told(&mut state.roles, role),
            mode,
        };
        *state.running.entry(kind.clone()).or_default() += 1;
        Counted {
            sessions: self.clone(),
            kind,
        }
    }

    /// How many run now; also 0, where some have run not long ago.
    #[must_use]
    pub fn running(&self) -> Vec<(Kind, u64)> {
        let state = lock(&self.0);
        let running = state.running.iter();
        running
            .map(|(kind, count)| (kind.clone(), *count))
            .collect()
    }
}

impl State {
    /// Forgets names that no session has any more: a client may have made them up, where Postgres
    /// trusts it before it looks for the role.
    fn forget(&mut self) {
        self.running.retain(|_, count| *count > 0);
        let named = |name: &&String| *name != OTHER;
        let databases = self.running.keys().map(|kind| &kind.database);
        self.databases = databases.filter(named).cloned().collect();
        let roles = self.running.keys().map(|kind| &kind.role);
        self.roles = roles.filter(named).cloned().collect();
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut state = lock(&self.sessions.0);
        if let Some(count) = state.running.get_mut(&self.kind) {
            *count = count.saturating_sub(1);
        }
    }
}

/// The name, or what stands for it if there are too many.
fn told(known: &mut BTreeSet<String>, name: &[u8]) -> String {
    let name = escaped(name);
    if known.contains(&name) {
        return name;
    }
    if known.len() >= MOST_NAMES {
        return OTHER.to_owned();
    }
    known.insert(name.clone());
    name
}

/// A name as a label: no longer than Postgres takes it, and in visible ASCII.
#[must_use]
pub fn escaped(name: &[u8]) -> String {
    let name = name.get(..NAME_BYTES).unwrap_or(name);
    name.escape_ascii().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_count_while_they_live() {
        let sessions = Sessions::default();
        let first = sessions.begin(b"shop", b"app", "enforce");
        let second = sessions.begin(b"shop", b"app", "enforce");
        let other = sessions.begin(b"shop", b"ops", "bypass");
        let counts = || -> Vec<u64> { sessions.running().iter().map(|(_, n)| *n).collect() };
        assert_eq!(counts(), [2, 1]);
        drop((first, other));
        assert_eq!(counts(), [1, 0]);
        drop(second);
        assert_eq!(counts(), [0, 0]);
    }

    #[test]
    fn names_without_an_end_are_few_and_short() {
        let sessions = Sessions::default();
        let begin = |number: usize| {
            let long = format!("{number:04}{}", "x\n".repeat(10_000));
            sessions.begin(long.as_bytes(), long.as_bytes(), "enforce")
        };
        let all: Vec<_> = (0..200).map(begin).collect();
        let running = sessions.running();
        assert_eq!(running.len(), MOST_NAMES + 1);
        let other = running.iter().find(|(kind, _)| kind.role == OTHER);
        assert_eq!(other.map(|(_, count)| *count), Some(150));
        let is_short = |kind: &Kind| kind.database.len() <= 4 * NAME_BYTES;
        assert!(running.iter().all(|(kind, _)| is_short(kind)));
        drop(all);
        // Names that nobody has any more are in nobody's way.
        let _next = sessions.begin(b"shop", b"app", "enforce");
        let running = sessions.running();
        assert!(
            matches!(&running[..], [(kind, 1)] if kind.role == "app"),
            "{running:?}"
        );
    }
}
