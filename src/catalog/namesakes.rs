//! Relations and functions of one name in several schemas: which of them is meant where a name is
//! looked for is a matter of the search path, and of who may use which schema.

use std::collections::{HashMap, HashSet};

use super::function::Function;
use super::snapshot::{Column, Relation, RelationKind, Snapshot};
use super::{DomainId, JsonKey, Oid, is_temporary};

/// What a relation holds of keys, to be compared with others of its name.
#[derive(Debug)]
pub struct Holding {
    /// The relation.
    pub relation: Oid,
    /// Its schema.
    pub schema: String,
    keys: Vec<Held>,
}

/// Keys in a relation.
#[derive(Debug, PartialEq, Eq)]
enum Held {
    /// A column of keys, or one that shows some. Code may say its name, or count the columns.
    Column {
        place: usize,
        name: String,
        ids: Option<(DomainId, bool)>,
        json: Vec<JsonKey>,
        derived: bool,
        /// The relation whose rows it holds.
        rows: Option<(String, bool)>,
    },
    /// A sequence of keys.
    Sequence,
    /// A view that shows keys: in which of its columns, its definition says, and so no other view is
    /// taken for the same.
    View(Oid),
}

impl Holding {
    fn of(snapshot: &Snapshot, relation: &Relation) -> Self {
        let held = |(place, column): (usize, &Column)| Held::Column {
            place,
            name: column.name.clone(),
            ids: column.id.map(|id| (id.id.domain, id.array)),
            json: column.json.to_vec(),
            derived: column.derived,
            rows: column.row.map(|(of, array)| {
                let of = snapshot.relation(of);
                (of.map(|of| of.name.clone()).unwrap_or_default(), array)
            }),
        };
        let holds = |(_, column): &(usize, &Column)| {
            let has_ids = column.id.is_some() || !column.json.is_empty();
            has_ids || column.derived || column.row.is_some()
        };
        let keys = match relation.kind {
            RelationKind::Sequence => relation
                .protected
                .then_some(Held::Sequence)
                .into_iter()
                .collect(),
            RelationKind::View | RelationKind::MaterializedView => {
                let view = relation.protected.then_some(Held::View(relation.oid));
                view.into_iter().collect()
            }
            _ => (relation.columns.iter().enumerate())
                .filter(holds)
                .map(held)
                .collect(),
        };
        Self {
            relation: relation.oid,
            schema: relation.schema.clone(),
            keys,
        }
    }

    /// Whether it does not hold what another one does.
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        self.keys != other.keys
    }

    /// Whether another one holds keys where it holds none, or others.
    #[must_use]
    pub fn lacks(&self, other: &Self) -> bool {
        other.keys.iter().any(|held| !self.keys.contains(held))
    }
}

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

    /// Those of some functions of which a call means something else where their schemas can't be used:
    /// another function, a column or a cast.
    #[must_use]
    pub fn with_namesakes(&self, functions: &[&Function]) -> HashSet<Oid> {
        let names: HashSet<&str> = functions.iter().map(|of| of.name.as_str()).collect();
        let columns = self.relations().flat_map(|relation| &relation.columns);
        let columns = columns.map(|column| column.name.as_str());
        let columns: HashSet<&str> = match names.is_empty() {
            true => HashSet::new(),
            false => columns.filter(|name| names.contains(name)).collect(),
        };
        let has_one = |of: &&&Function| {
            columns.contains(of.name.as_str()) || self.functions.has_namesake(&of.schema, &of.name)
        };
        functions.iter().filter(has_one).map(|of| of.oid).collect()
    }

    /// What the relations of a name hold, for the names of which not all hold the same.
    #[must_use]
    pub fn diverging(&self) -> &HashMap<String, Vec<Holding>> {
        self.diverging.get_or_init(|| {
            let holdings = |name: &str| -> Vec<Holding> {
                let all = self.lasting(name);
                all.map(|relation| Holding::of(self, relation)).collect()
            };
            let names = self.names.of_several();
            let all = names.map(|name| (name.to_owned(), holdings(name)));
            let differ = |(_, all): &(String, Vec<Holding>)| {
                let mut all = all.iter();
                let first = all.next();
                first.is_some_and(|first| all.any(|other| first.differs(other)))
            };
            all.filter(differ).collect()
        })
    }
}
