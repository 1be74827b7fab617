//! Columns of keys that nobody has decided on: neither annotated, nor said to stay as they are. What
//! defines keys `keys` judges by what the catalogs tell alone; what has a foreign key to such a column
//! holds them too. Their names are told, and they are closed if the configuration says so.
//!
//! It errs to one side: `pgveil check` finds all of these, and more, by names.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::config::{ColumnName, ColumnPattern, Decisions, NewKeys};

use super::draft::{Draft, Place, is_defined};
use super::filler::Filler;
use super::keys::{Candidate, Families, Filled, Judgement, Unique, judge};
use super::row::attnums;
use super::told::{Common, Part};
use super::{Column, KeyType, Oid, Relation, RelationKind, is_temporary};

/// What a database tells of the columns of a relation besides what they are.
#[derive(Debug, Default, Clone)]
pub(super) struct Filling {
    /// Unique keys, and whether each is the primary one.
    unique: Vec<(Vec<i16>, bool)>,
    /// Columns that are counted, `GENERATED … AS IDENTITY`.
    pub(super) identities: Vec<i16>,
    /// Columns that have a default of their own.
    pub(super) defaults: Vec<i16>,
}

/// A column that may define keys.
#[derive(Debug, Clone)]
pub(super) struct Suspect {
    attnum: i16,
    unique: Unique,
    identity: bool,
    /// Its own default, if that tells anything.
    filler: Option<Box<Filler>>,
    /// The type that may be a domain with a default, if it has none of its own.
    domain: Option<Oid>,
    name: Arc<ColumnName>,
    /// Whether it defines keys, if nothing refers to it and if something does; none where that takes
    /// what is told of no relation.
    defines: Option<[bool; 2]>,
}

impl Suspect {
    pub(super) const fn is_of(&self, attnum: i16) -> bool {
        self.attnum == attnum
    }

    /// Judges what its relation alone tells.
    fn judged(mut self, of: &Part) -> Self {
        let table = &of.relation;
        let calls_any = self.filler.as_ref().is_some_and(|of| of.calls_defined());
        let is_generated = of.generated.iter().any(|(attnum, _)| self.is_of(*attnum));
        if let Some(column) = table.attribute(self.attnum)
            && !(calls_any || is_generated || is_defined(column))
        {
            let nothing = Common::default();
            let judge = |referred| self.is_key(&table.name, column, &nothing, referred);
            self.defines = Some([false, true].map(judge));
        }
        self
    }

    /// Whether it is a key whatever it is called after.
    fn is_key(&self, table: &str, column: &Column, shared: &Common, referred: bool) -> bool {
        let judged = judge(&Candidate {
            table,
            column,
            unique: self.unique,
            filled: self.filled(shared),
            referred,
        });
        match judged {
            Judgement::Key(sort) => sort.is_definite(),
            Judgement::Unfit => true,
            Judgement::LeftOut(_) | Judgement::Nothing => false,
        }
    }

    /// What fills it.
    pub(super) fn filled<'a>(&'a self, shared: &'a Common) -> Filled<'a> {
        let domain = || shared.fillers.get(&self.domain?);
        let filler = self.filler.as_deref().or_else(domain);
        let filled = filler.map_or_else(Filled::default, |filler| filler.filled(shared));
        Filled {
            identity: self.identity,
            ..filled
        }
    }
}

impl Filling {
    /// Takes a row about it.
    pub(super) fn record(&mut self, row: &[Option<&str>]) -> Option<()> {
        match *row {
            [Some("unique"), _, columns, primary] => {
                self.unique.push((attnums(columns?)?, primary.is_some()));
            }
            _ => return None,
        }
        Some(())
    }

    /// The columns of the primary key.
    pub(super) fn primary_key(&self) -> &[i16] {
        let mut unique = self.unique.iter();
        let primary = unique.find(|(_, is_primary)| *is_primary);
        primary.map_or(&[], |(columns, _)| columns)
    }

    /// The columns of a lasting table that may define keys.
    pub(super) fn suspects(self, of: &Part) -> Arc<[Suspect]> {
        let relation = &of.relation;
        let is_system = relation.schema == "information_schema" || relation.schema == "pg_catalog";
        if relation.kind != RelationKind::Table || is_system || of.is_temporary() {
            return Arc::from([]);
        }
        let suspects = relation.columns.iter().filter_map(|column| {
            let attnum = column.attnum;
            let mut unique = Unique::default();
            for (columns, primary) in &self.unique {
                if columns.contains(&attnum) {
                    unique.add(columns.len(), *primary);
                }
            }
            let identity = self.identities.contains(&attnum);
            let filler = of.fillers.get(&attnum);
            let mut domains = of.by_domain.iter();
            let domain = domains.find(|(by_domain, _)| *by_domain == attnum);
            let called = column.name.trim_matches('_').eq_ignore_ascii_case("id");
            let may_be = unique.part || identity || filler.is_some() || domain.is_some() || called;
            may_be.then(|| {
                let suspect = Suspect {
                    attnum,
                    unique,
                    identity,
                    filler: filler.cloned().map(Box::new),
                    domain: domain.map(|(_, domain)| *domain),
                    name: Arc::new(relation.name_of(column)),
                    defines: None,
                };
                suspect.judged(of)
            })
        });
        suspects.collect()
    }
}

/// Finds these columns, once it is known which hold keys of domains, and closes them if that is what
/// is to become of them.
pub(super) fn settle(draft: &mut Draft, decisions: &Decisions) {
    let closes = decisions.new_keys == NewKeys::Refuse;
    let before = std::mem::take(&mut draft.memory.undecided);
    let before = if closes { before } else { Vec::new() };
    draft.undecided = Search::new(draft, &decisions.plain).find(before);
    if closes {
        close(draft);
    }
}

/// Whether a column is to stay as it is.
pub(super) fn is_plain(plain: &[ColumnPattern], relation: &Relation, column: &Column) -> bool {
    let mut plain = plain.iter();
    plain.any(|pattern| {
        pattern.matches_schema(&relation.schema)
            && pattern.matches_table(&relation.name)
            && pattern.matches_column(&column.name)
    })
}

struct Search<'d> {
    draft: &'d Draft,
    plain: &'d [ColumnPattern],
    parents: HashMap<Oid, Vec<Oid>>,
}

impl<'d> Search<'d> {
    fn new(draft: &'d Draft, plain: &'d [ColumnPattern]) -> Self {
        let mut parents: HashMap<Oid, Vec<Oid>> = HashMap::new();
        for (child, parent) in &draft.inheritance {
            parents.entry(*child).or_default().push(*parent);
        }
        Self {
            draft,
            plain,
            parents,
        }
    }

    /// The columns that define keys, those that were found `before`, and what refers to them.
    fn find(&self, before: Vec<Place>) -> Vec<Place> {
        let references = self.references();
        let families = Families::new(&references);
        let mut queue: Vec<Place> = before
            .into_iter()
            .map(|place| self.home(place))
            .filter(|place| self.is_open(*place))
            .collect();
        for (oid, suspects) in &self.draft.suspects {
            let defining = suspects.iter().filter(|suspect| {
                let place = (*oid, suspect.attnum);
                !families.follows(place) && self.defines(place, suspect, &families)
            });
            queue.extend(defining.map(|suspect| (*oid, suspect.attnum)));
        }
        let mut referring: HashMap<Place, Vec<Place>> = HashMap::new();
        for (from, to) in references {
            referring.entry(to).or_default().push(from);
        }
        queue.sort_unstable();
        queue.dedup();
        let mut found = queue.clone();
        let mut reached = HashSet::new();
        while let Some(place) = queue.pop() {
            let referring = referring.get(&place).into_iter().flatten().copied();
            let referring = referring.filter(|from| self.is_open(*from));
            queue.extend(referring.filter(|from| reached.insert(*from)));
        }
        found.extend(reached);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn column(&self, (oid, attnum): Place) -> Option<(&'d Relation, &'d Column)> {
        let relation = self.draft.relations.get(&oid)?;
        Some((relation, relation.attribute(attnum)?))
    }

    /// Whether nobody has decided on a column.
    fn is_open(&self, place: Place) -> bool {
        self.column(place).is_some_and(|(relation, column)| {
            let is_annotated = column.holds_keys() || column.derived;
            !is_annotated
                && !is_temporary(&relation.schema)
                && !is_plain(self.plain, relation, column)
        })
    }

    fn defines(&self, place: Place, suspect: &Suspect, families: &Families) -> bool {
        let referred = families.followers(place) > 0;
        let is_key = || match suspect.defines {
            Some(judged) => judged[usize::from(referred)],
            None => self.column(place).is_some_and(|(relation, column)| {
                suspect.is_key(&relation.name, column, &self.draft.shared, referred)
            }),
        };
        is_key() && self.is_open(place) && self.inherited(place).is_none()
    }

    /// The column of a parent that a partition or a child has.
    fn inherited(&self, (oid, attnum): Place) -> Option<Place> {
        let parents = self.parents.get(&oid)?;
        let (_, column) = self.column((oid, attnum))?;
        parents.iter().find_map(|parent| {
            let found = self.draft.relations.get(parent)?.column(&column.name)?;
            Some((*parent, found.attnum))
        })
    }

    /// Where a column was declared.
    fn home(&self, mut place: Place) -> Place {
        let mut seen = HashSet::new();
        while seen.insert(place.0)
            && let Some(parent) = self.inherited(place)
        {
            place = parent;
        }
        place
    }

    /// The pairs of columns that foreign keys make: the one that refers, and the other, but for those
    /// that refer to what is annotated.
    fn references(&self) -> Vec<(Place, Place)> {
        let mut pairs = Vec::new();
        for relation in self.draft.all(&self.draft.referencing) {
            for key in &relation.foreign_keys {
                for (column, referenced) in key.columns.iter().zip(&key.referenced_columns) {
                    let to = (key.referenced, *referenced);
                    if (self.column(to)).is_none_or(|(_, column)| column.holds_keys()) {
                        continue;
                    }
                    let (from, to) = (self.home((relation.oid, *column)), self.home(to));
                    pairs.extend((from != to).then_some((from, to)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// Closes what has been found, and the same columns in children and parents: nobody has said what they
/// hold.
fn close(draft: &mut Draft) {
    let mut relatives: HashMap<Oid, Vec<Oid>> = HashMap::new();
    for (child, parent) in &draft.inheritance {
        relatives.entry(*child).or_default().push(*parent);
        relatives.entry(*parent).or_default().push(*child);
    }
    let mut queue = draft.undecided.clone();
    while let Some(place) = queue.pop() {
        let Some(column) = draft.column_mut(place) else {
            continue;
        };
        if column.holds_keys() || column.derived {
            continue;
        }
        (column.derived, column.undecided) = (true, true);
        let name = column.name.clone();
        for oid in relatives.get(&place.0).into_iter().flatten() {
            let relation = draft.relations.get(oid);
            let same = relation.and_then(|relation| relation.column(&name));
            queue.extend(same.map(|column| (*oid, column.attnum)));
        }
    }
}

/// The types of the columns that have been closed.
pub(super) fn closed_types(draft: &Draft) -> HashSet<KeyType> {
    let relations = draft.all(&draft.touched);
    let columns = relations.flat_map(|relation| &relation.columns);
    let closed = columns.filter(|column| column.undecided);
    let mut types = HashSet::new();
    for column in closed {
        match KeyType::from_oid(column.type_oid.0) {
            Some((key_type, _)) => types.extend([key_type]),
            None => types.extend(KeyType::ALL),
        }
    }
    types
}

/// The names of what has been found, in their order.
pub(super) fn names(draft: &Draft) -> Vec<Arc<ColumnName>> {
    let suspects: HashMap<Oid, &Arc<[Suspect]>> = match draft.undecided.is_empty() {
        true => HashMap::new(),
        false => draft.suspects.iter().map(|(oid, of)| (*oid, of)).collect(),
    };
    let name = |(oid, attnum): &Place| {
        let mut suspects = suspects.get(oid).into_iter().flat_map(|of| of.iter());
        match suspects.find(|suspect| suspect.is_of(*attnum)) {
            Some(suspect) => Some(Arc::clone(&suspect.name)),
            None => {
                let relation = draft.relations.get(oid)?;
                let column = relation.attribute(*attnum)?;
                Some(Arc::new(relation.name_of(column)))
            }
        }
    };
    let mut names: Vec<Arc<ColumnName>> = draft.undecided.iter().filter_map(name).collect();
    names.sort();
    names
}
