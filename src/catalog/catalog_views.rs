//! Views of users that may read the catalogs, directly or through others.

use std::collections::HashSet;

use super::draft::Draft;
use super::{Oid, Relation, Snapshot};

impl Snapshot {
    /// Whether a word is the name of a view of users that may read catalogs, in whatever schema.
    #[must_use]
    pub fn is_view_of_catalogs(&self, word: &str) -> bool {
        self.catalog_views.contains(word)
    }
}

/// The names of such views. Those that an extension has brought are as it has made them.
pub(super) fn catalog_views(draft: &Draft) -> HashSet<String> {
    let of_users = draft.relations.values().filter(|view| !view.of_extension);
    let of_users =
        of_users.filter(|view| view.schema != "pg_catalog" && view.schema != "information_schema");
    let naming = of_users.filter(|view| names_catalogs(view));
    let mut found: HashSet<Oid> = naming.map(|view| view.oid).collect();
    loop {
        let known = found.len();
        for (view, on) in &draft.dependencies {
            if found.contains(on) {
                found.insert(*view);
            }
        }
        if found.len() == known {
            break;
        }
    }
    draft.all(&found).map(|view| view.name.clone()).collect()
}

/// Whether the definition of a view has such a name in it.
fn names_catalogs(view: &Relation) -> bool {
    let definition = view.definition.as_deref().unwrap_or_default();
    definition.contains("pg_") || definition.contains("information_schema")
}
