//! What code of a database names that looks for its names when it runs: functions, and what triggers
//! are given.

use std::collections::HashSet;

/// What code names that looks for names when it runs.
#[derive(Debug, Default)]
pub struct LateCode {
    /// All words in it that may be names.
    pub names: HashSet<Box<str>>,
    /// Whether some of it may put names together.
    pub builds: bool,
    /// The names that it gives to temporary relations.
    pub made: Made,
}

/// The names that code gives to temporary relations when it runs.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Made {
    /// Those that stand in its text.
    pub names: HashSet<Box<str>>,
    /// Whether it may put some together.
    pub builds: bool,
}

impl Made {
    /// Whether it makes any, as far as its text tells.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.builds || !self.names.is_empty()
    }

    /// Takes those of other code too.
    pub fn join(&mut self, other: Self) {
        self.names.extend(other.names);
        self.builds |= other.builds;
    }
}
