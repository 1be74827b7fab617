//! What the search path of a session makes of names in code of the database that looks for them when
//! it runs: another relation than its author meant, in another schema, with other ids in it. What a
//! trigger writes there would be a key in the open, and what it finds there for an annotated column a
//! number of the client's choice.
//!
//! Nothing tells what an author meant. Where the schema of the code has a relation of the name, it is
//! taken for that one. Where it has none, as with schemas of tenants that share their code, any will
//! do that has the ids of all others of that name.

use crate::catalog::{Relation, SearchPath, Snapshot};

/// Code that looks for names when it runs.
pub(super) struct LateNames<'a> {
    /// The schema in which it is defined.
    pub(super) home: &'a str,
    /// The names in it.
    pub(super) names: &'a [String],
    /// Whether it may put others together.
    pub(super) builds: bool,
}

impl LateNames<'_> {
    /// Whether any of the names may mean a relation with other ids than it should, where they are
    /// looked for by this path, or by any.
    pub(super) fn stray(&self, snapshot: &Snapshot, path: Option<&SearchPath>) -> bool {
        let diverging = snapshot.diverging();
        let said = self.names.iter();
        let mut said = said.filter(|name| diverging.contains(*name));
        said.any(|name| self.strays(name, snapshot, path, false))
            || self.builds && (diverging.iter()).any(|name| self.strays(name, snapshot, path, true))
    }

    fn strays(
        &self,
        name: &str,
        snapshot: &Snapshot,
        path: Option<&SearchPath>,
        is_built: bool,
    ) -> bool {
        let resolve = |path| {
            let found = snapshot.resolve(None, name, path);
            found.map(|relation| relation.oid)
        };
        // The server passes over schemas that the role may not use, and has not said yet over which.
        let is_known = |path: &&SearchPath| !path.is_assumed() || snapshot.is_certain(name, path);
        let by_path = path.filter(is_known).map(resolve);
        let is_found = |of: &&Relation| by_path.is_none_or(|found| found == Some(of.oid));
        let at_home = snapshot.lasting(name).find(|of| of.schema == self.home);
        let mut found = snapshot.lasting(name).filter(is_found);
        found.any(|found| match at_home {
            Some(meant) => found.differs(meant),
            None => !is_built && snapshot.lasting(name).any(|other| found.lacks(other)),
        })
    }
}
