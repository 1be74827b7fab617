//! Relations and functions of one name in several schemas: which of them is meant where a name is
//! looked for is a matter of the search path, and of who may use which schema.

use std::collections::HashSet;

use super::function::Function;
use super::snapshot::{Column, IdColumn, Relation, RelationKind, Snapshot};
use super::{JsonKey, is_temporary};

impl Snapshot {
    /// The relations of a name that are there for all sessions.
    pub fn lasting(&self, name: &str) -> impl Iterator<Item = &Relation> {
        self.named(name).filter(|of| !is_temporary(&of.schema))
    }

    /// Whether the name of a relation means another one where its schema can't be used.
    #[must_use]
    pub fn has_namesake(&self, relation: &Relation) -> bool {
        let mut named = self.lasting(&relation.name);
        named.any(|other| other.schema != relation.schema)
    }

    /// Whether a call of a function means something else where its schema can't be used: another
    /// function, a column or a cast.
    #[must_use]
    pub fn has_namesake_of_call(&self, function: &Function) -> bool {
        let Function { schema, name, .. } = function;
        self.functions.has_namesake(schema, name)
            || (self.relations()).any(|relation| relation.column(name).is_some())
    }

    /// The names of several relations with different ids in them.
    #[must_use]
    pub fn diverging(&self) -> &HashSet<String> {
        self.diverging.get_or_init(|| {
            let names = self.names.of_several();
            let diverge = |name: &&str| {
                let mut all = self.lasting(name);
                let first = all.next();
                first.is_some_and(|first| all.any(|other| first.differs(other)))
            };
            names.filter(diverge).map(str::to_owned).collect()
        })
    }
}

impl Relation {
    /// Whether its columns, or what it counts or shows, are not the ids that those of another one are.
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        self.lacks(other) || other.lacks(self)
    }

    /// Whether another one has ids where it has none, or has others.
    #[must_use]
    pub fn lacks(&self, other: &Self) -> bool {
        let is_stored = |of: &Self| {
            let kinds = [
                RelationKind::View,
                RelationKind::MaterializedView,
                RelationKind::Sequence,
            ];
            !kinds.contains(&of.kind)
        };
        if !(is_stored(self) && is_stored(other)) {
            return other.protected && !self.protected;
        }
        let lacks = |column: &Column| {
            let own = self.column(&column.name);
            holds(column) != NOTHING && own.is_some_and(|own| holds(own) != holds(column))
        };
        other.columns.iter().any(lacks)
    }
}

type Held<'a> = (Option<IdColumn>, &'a [JsonKey], bool);

const NOTHING: Held<'static> = (None, &[], false);

/// What a column holds of keys.
fn holds(column: &Column) -> Held<'_> {
    (column.id, &column.json, column.derived)
}
