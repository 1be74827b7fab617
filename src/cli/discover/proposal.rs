//! What is proposed for a column, and with what right.

use crate::config::{ColumnName, ColumnPattern, Config};

/// What is proposed for a column.
#[derive(Debug)]
pub(in crate::cli) struct Proposal {
    pub(in crate::cli) column: ColumnName,
    pub(in crate::cli) what: What,
    /// It may stand in a configuration; everything else is for somebody to decide.
    pub(in crate::cli) certain: bool,
    /// What speaks for it, in words. No value of a row and no comment is in it.
    pub(in crate::cli) evidence: String,
}

/// What a column is taken for.
#[derive(Debug)]
pub(in crate::cli) enum What {
    /// It defines the keys of a domain.
    Key(Domain),
    /// It holds keys of a domain.
    Reference(Whose),
    /// It holds keys of several tables, of which the column beside it tells.
    Pair {
        by: String,
        /// What may stand in that column, by the names of tables, and the domain of each. Where it
        /// holds numbers there are none: what they mean, names don't tell.
        kinds: Vec<(String, String)>,
    },
    /// It holds keys, nobody knows of what.
    Unknown,
    /// It holds documents in which keys may be.
    Document,
    /// It holds keys of a type that there are no ids for.
    Unfit,
}

/// A domain that is proposed.
#[derive(Debug)]
pub(in crate::cli) struct Domain {
    pub(super) name: String,
    pub(super) settings: Vec<String>,
}

/// The domain whose keys a column holds.
#[derive(Debug)]
pub(in crate::cli) struct Whose {
    pub(in crate::cli) domain: String,
    /// What defines it.
    pub(in crate::cli) column: ColumnPattern,
    /// The configuration has it.
    pub(in crate::cli) configured: bool,
}

/// All that is found in a database.
#[derive(Debug, Default)]
pub(in crate::cli) struct Found {
    /// In the order of schemas, tables and columns.
    pub(in crate::cli) proposals: Vec<Proposal>,
    /// Columns that look like keys or documents and are none, and why.
    pub(super) left_out: Vec<(ColumnName, String)>,
}

/// What a configuration has decided of the columns of a database, besides its annotations, which
/// the snapshot has.
#[derive(Debug, Default)]
pub(in crate::cli) struct Decided<'c> {
    pub(super) config: Option<&'c Config>,
    plain: Vec<&'c ColumnPattern>,
}

impl<'c> Decided<'c> {
    /// What this configuration has decided.
    pub(in crate::cli) fn by(config: &'c Config) -> Self {
        Self {
            config: Some(config),
            plain: config.plain.iter().map(|(column, _)| column).collect(),
        }
    }

    /// Whether a column is to stay as it is.
    pub(super) fn is_plain(&self, name: &ColumnName) -> bool {
        self.plain.iter().any(|plain| plain.matches(name))
    }
}
