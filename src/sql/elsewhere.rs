//! What the search path of a session makes of names in code of the database that looks for them when
//! it runs: another relation than its author meant, in another schema, with other ids in it. What a
//! trigger writes there would be a key in the open, and what it finds there for an annotated column a
//! number of the client's choice.
//!
//! Nothing tells what an author meant. Where the schema of the code has a relation of the name, or that
//! of the relation whose trigger it is, it is taken for that one. Where there is none, as with schemas
//! of tenants that share their code, any will do that has the ids of all others of that name.

use super::budget::Budget;
use super::refusal::Refusal;
use crate::catalog::{Holding, SearchPath, Snapshot};

/// Code that looks for names when it runs.
pub(super) struct LateNames<'a> {
    /// The schemas in which its names are meant to be, the first first.
    pub(super) homes: &'a [&'a str],
    /// The names in it that it looks for.
    pub(super) names: &'a [String],
    /// Whether it may put others together.
    pub(super) builds: bool,
}

impl LateNames<'_> {
    /// Whether any of the names may mean a relation with other ids than it should, where they are
    /// looked for by this path, or by any.
    pub(super) fn stray(
        &self,
        snapshot: &Snapshot,
        path: Option<&SearchPath>,
        budget: &Budget,
    ) -> Result<bool, Box<Refusal>> {
        let diverging = snapshot.diverging();
        let said = self.names.iter();
        let said = said.filter_map(|name| diverging.get_key_value(name));
        let built = self.builds.then_some(diverging).into_iter().flatten();
        for (name, all) in said.chain(built) {
            budget.pay(all.len())?;
            let homes = self.homes.iter();
            let mut at_home = homes.filter_map(|home| all.iter().find(|of| of.schema == *home));
            let meant = at_home.next();
            let strays = |found: &Holding| match meant {
                Some(meant) => found.differs(meant),
                None => all.iter().any(|other| found.lacks(other)),
            };
            if found(name, all, snapshot, path).any(strays) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Those of some relations of a name that it may mean by a path.
fn found<'a>(
    name: &str,
    all: &'a [Holding],
    snapshot: &Snapshot,
    path: Option<&'a SearchPath>,
) -> impl Iterator<Item = &'a Holding> {
    // The server passes over schemas that the role may not use, and has not said yet over which.
    let is_known = |path: &&SearchPath| !path.is_assumed() || snapshot.is_certain(name, path);
    let by_path = path.filter(is_known).map(|path| {
        let found = snapshot.resolve(None, name, path);
        found.map(|relation| relation.oid)
    });
    let may_be = move |of: &&Holding| match (by_path, path) {
        (Some(found), _) => found == Some(of.relation),
        (None, Some(path)) => path.schemas().any(|schema| schema == of.schema),
        (None, None) => true,
    };
    all.iter().filter(may_be)
}
