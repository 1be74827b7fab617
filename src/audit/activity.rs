//! What one session does, for whoever looks: its state and how much it was sent. Written by the
//! session's own thread alone, at no more cost than a number of its own.

use std::sync::atomic::{AtomicU8, Ordering};

use super::counters::Count;

/// What a session is doing, in the words of `pg_stat_activity`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Doing {
    /// The client waits for its first ReadyForQuery.
    #[default]
    Starting,
    /// An answer is owed, or a batch is open.
    Active,
    /// Nothing is under way.
    Idle,
    /// A transaction is open, and nothing else is under way.
    InTransaction,
    /// A transaction is open and has failed, and nothing else is under way.
    Failed,
}

impl Doing {
    const ALL: [Self; 5] = [
        Self::Starting,
        Self::Active,
        Self::Idle,
        Self::InTransaction,
        Self::Failed,
    ];

    /// The name, as Postgres has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Active => "active",
            Self::Idle => "idle",
            Self::InTransaction => "idle in transaction",
            Self::Failed => "idle in transaction (aborted)",
        }
    }
}

/// What one session is doing, and how many statements it has had.
#[derive(Debug, Default)]
pub struct Activity {
    doing: AtomicU8,
    /// Statements that the server was asked to run, and refusals. Where nothing is translated: what
    /// the client has asked to run, a simple query as one.
    pub statements: Count,
}

impl Activity {
    /// Says what the session is doing now.
    pub fn set(&self, doing: Doing) {
        self.doing.store(doing as u8, Ordering::Relaxed);
    }

    /// What it is doing.
    #[must_use]
    pub fn doing(&self) -> Doing {
        let number = usize::from(self.doing.load(Ordering::Relaxed));
        Doing::ALL.get(number).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_what_is_read() {
        let activity = Activity::default();
        assert_eq!(activity.doing(), Doing::Starting);
        for doing in Doing::ALL {
            activity.set(doing);
            assert_eq!(activity.doing(), doing);
        }
    }
}
