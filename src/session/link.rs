//! What a session knows of the server's session that a pooler lends it for each transaction.

use crate::catalog::SearchPath;

/// The server's session that the pooler has lent.
#[derive(Debug)]
pub(super) struct Link {
    /// The path of the client's session, which no transaction changes for good.
    pub(super) own: Option<SearchPath>,
    /// Whether the path of the open transaction is the one that the session knows.
    pub(super) path_is_set: bool,
    /// Whether a transaction block is open, most likely. Only a warning depends on it, and when the
    /// transaction sees the database first.
    pub(super) block: bool,
    /// Another one when the server's session may be another, or may have lost what was prepared.
    pub(super) number: u64,
}

impl Link {
    /// To a server's session of which nothing is known, for a client with this path.
    pub(super) const fn new(own: Option<SearchPath>) -> Self {
        Self {
            own,
            path_is_set: false,
            block: false,
            number: 1,
        }
    }
}
