//! How annotations spread: from the defining column along foreign keys, to soft references, and
//! through partitions and inheritance; and which sequences and views are protected with them.

use std::collections::{HashMap, HashSet};

use crate::config::{ColumnPattern, IdAnnotation};
use crate::pg::oid;

use super::draft::{Draft, Place, is_defined};
use super::generated::{derive, shows_keys};
use super::json;
use super::misfit::{Misfit, MisfitCause};
use super::polymorphic;
use super::undecided;
use super::{Column, DomainId, IdColumn, IdType, KeyType, Oid, RelationKind};

/// What annotations have to do with a database beyond the columns that hold keys.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What would hold keys if it were made: what is written out and not there, and patterns.
    pub(super) awaited: Vec<(ColumnPattern, DomainId)>,
    /// The annotations that are about no column of the database.
    pub(super) unmatched: Vec<ColumnPattern>,
    /// Whether there are documents with keys whose domain has no column here that says what they
    /// are.
    pub(super) meanings: bool,
    /// Columns that hold or show keys, and of which only an earlier snapshot tells that.
    pub(super) orphans: HashSet<Place>,
    /// Columns that are closed: those that can't hold what they are said to hold, and what is one with
    /// them.
    pub(super) closed: HashSet<Place>,
    /// Columns that can't hold what they are said to hold.
    misfits: Vec<(Place, Misfit)>,
}

/// Marks every column that holds keys, and every relation that is protected for it; `doubt` takes
/// back where that would be too much. Tells what else annotations have to do with this database.
pub(super) fn spread(
    draft: &mut Draft,
    annotations: &[IdAnnotation],
    made: &[(Place, DomainId)],
    doubt: impl FnOnce(&mut Draft),
) -> Outcome {
    let decisions = std::mem::take(&mut draft.decisions);
    let held = std::mem::take(&mut draft.memory.keys);
    let mut outcome = Outcome::default();
    let mut spreading = Spreading {
        draft,
        annotations,
        queue: Vec::new(),
        outcome: &mut outcome,
    };
    for (index, annotation) in annotations.iter().enumerate() {
        let domain = DomainId(u16::try_from(index).unwrap_or(u16::MAX));
        spreading.annotate(annotation, domain);
    }
    spreading.run();
    spreading.follow(made);
    spreading.note_orphans(&held);
    spreading.follow(&held);
    doubt(draft);
    json::spread(draft, annotations, &mut outcome);
    polymorphic::spread(draft, &decisions.polymorphic, annotations, &mut outcome);
    outcome.close(draft);
    derive(draft);
    count_along(draft, &decisions.plain);
    outcome.orphans.extend(keep_derived(draft));
    undecided::settle(draft, &decisions);
    // What is generated shows what it is made of, and the rows of a relation what that shows.
    loop {
        protect(draft);
        if !derive(draft) {
            break;
        }
    }
    compute(draft);
    place(draft);
    outcome
}

impl Outcome {
    /// Remembers a column that can't hold what it is said to hold: who may make a table must not
    /// keep the database from being described.
    pub(super) fn misfits(
        &mut self,
        draft: &Draft,
        place: Place,
        domain: &str,
        cause: MisfitCause,
    ) {
        let relation = draft.relations.get(&place.0);
        let named = relation.and_then(|relation| {
            let column = relation.attribute(place.1)?;
            Some(relation.name_of(column))
        });
        if let Some(column) = named {
            let domain = domain.to_owned();
            let misfit = Misfit {
                column,
                domain,
                cause,
            };
            self.misfits.push((place, misfit));
        }
    }

    /// The types in which keys are stored, or may be.
    pub(super) fn key_types(&self, draft: &Draft) -> HashSet<KeyType> {
        let relations = draft.all(&draft.touched);
        let columns = relations.flat_map(|relation| &relation.columns);
        let key_type = |column: &Column| match (column.id, &column.polymorphic) {
            (Some(column), _) => Some(column.id.key_type),
            (None, Some(_)) => Some(KeyType::from_oid(column.type_oid.0)?.0),
            (None, None) => None,
        };
        let mut types: HashSet<KeyType> = columns.filter_map(key_type).collect();
        for ((relation, attnum), _) in &self.misfits {
            let relation = draft.relations.get(relation);
            let column = relation.and_then(|relation| relation.attribute(*attnum));
            match column.and_then(|column| KeyType::from_oid(column.type_oid.0)) {
                Some((key_type, _)) => {
                    types.insert(key_type);
                }
                None => types.extend(KeyType::ALL),
            }
        }
        if self.meanings {
            types.extend(KeyType::ALL);
        }
        types
    }

    /// Takes out the columns that can't hold what they are said to hold.
    pub(super) fn take_misfits(&mut self) -> Vec<Misfit> {
        let misfits = std::mem::take(&mut self.misfits).into_iter();
        misfits.map(|(_, misfit)| misfit).collect()
    }

    /// Of what does not fit, nobody can say what its keys are; nor of what refers to it, and of the
    /// same column in parents and children.
    fn close(&mut self, draft: &mut Draft) {
        if self.misfits.is_empty() {
            return;
        }
        let (referring, relatives) = (referring(draft), relatives(draft));
        let mut closed = HashSet::new();
        let mut queue: Vec<Place> = self.misfits.iter().map(|(place, _)| *place).collect();
        while let Some(place) = queue.pop() {
            if !closed.insert(place) {
                continue;
            }
            queue.extend(referring.get(&place).into_iter().flatten());
            queue.extend(same_in(draft, place, &relatives));
            if let Some(column) = draft.column_mut(place) {
                (column.id, column.derived) = (None, true);
                column.polymorphic = None;
            }
        }
        self.closed.extend(closed);
    }
}

/// The columns that refer to each by foreign keys.
fn referring(draft: &Draft) -> HashMap<Place, Vec<Place>> {
    let mut referring: HashMap<Place, Vec<Place>> = HashMap::new();
    for relation in draft.all(&draft.referencing) {
        for key in &relation.foreign_keys {
            for (column, target) in key.columns.iter().zip(&key.referenced_columns) {
                let target = (key.referenced, *target);
                let of = referring.entry(target).or_default();
                of.push((relation.oid, *column));
            }
        }
    }
    referring
}

/// The parents and children of each relation.
pub(super) fn relatives(draft: &Draft) -> HashMap<Oid, Vec<Oid>> {
    let mut relatives: HashMap<Oid, Vec<Oid>> = HashMap::new();
    for (child, parent) in &draft.inheritance {
        relatives.entry(*child).or_default().push(*parent);
        relatives.entry(*parent).or_default().push(*child);
    }
    relatives
}

/// The column of the same name in parents and children. A parent shows its children's rows and a
/// child's rows may come from its parent's definition, so it is the same column in both.
pub(super) fn same_in(
    draft: &Draft,
    place: Place,
    relatives: &HashMap<Oid, Vec<Oid>>,
) -> Vec<Place> {
    let relation = draft.relations.get(&place.0);
    let Some(column) = relation.and_then(|relation| relation.attribute(place.1)) else {
        return Vec::new();
    };
    let same = |oid: &Oid| {
        let found = draft.relations.get(oid)?.column(&column.name)?;
        Some((*oid, found.attnum))
    };
    let relatives = relatives.get(&place.0).into_iter().flatten();
    relatives.filter_map(same).collect()
}

struct Spreading<'a> {
    draft: &'a mut Draft,
    annotations: &'a [IdAnnotation],
    /// Columns whose domain is known and not yet passed on.
    queue: Vec<(Place, DomainId)>,
    outcome: &'a mut Outcome,
}

impl Spreading<'_> {
    /// Marks the columns that an annotation is about.
    fn annotate(&mut self, annotation: &IdAnnotation, domain: DomainId) {
        let references = annotation.references.iter().map(|column| (column, true));
        for (pattern, is_reference) in
            std::iter::once((&annotation.column, false)).chain(references)
        {
            let kinds = [RelationKind::Table, RelationKind::Composite];
            let places = self.draft.matching(pattern, &kinds);
            if places.is_empty() {
                self.outcome.unmatched.push(pattern.clone());
            }
            if places.is_empty() || pattern.name().is_none() {
                self.outcome.awaited.push((pattern.clone(), domain));
            }
            for place in places {
                self.mark(place, domain, is_reference);
                self.draft.listed.insert(place);
                if !is_reference {
                    self.draft.defining.insert(place);
                }
            }
        }
    }

    fn domain_name(&self, domain: DomainId) -> String {
        self.annotations
            .get(usize::from(domain.0))
            .map(|a| a.name.clone())
            .unwrap_or_default()
    }

    fn mark(&mut self, place: Place, domain: DomainId, arrays: bool) {
        if let Err(cause) = self.try_mark(place, domain, arrays) {
            let name = self.domain_name(domain);
            self.outcome.misfits(self.draft, place, &name, cause);
        }
    }

    fn try_mark(
        &mut self,
        place: Place,
        domain: DomainId,
        arrays: bool,
    ) -> Result<(), MisfitCause> {
        let Some(column) = self.draft.column_mut(place) else {
            return Ok(());
        };
        let (known, type_oid) = (column.id, column.type_oid);
        if let Some(known) = known {
            if known.id.domain == domain {
                return Ok(());
            }
            let other = self.domain_name(known.id.domain);
            return Err(MisfitCause::TwoDomains { other });
        }
        let held = id_type(self.annotations, domain, type_oid);
        let held = held.filter(|(id, array)| (arrays || !array) && self.can_hold(*id));
        match (held, self.draft.column_mut(place)) {
            (Some((id, array)), Some(column)) => {
                column.id = Some(IdColumn { id, array });
                self.queue.push((place, domain));
                Ok(())
            }
            _ => Err(MisfitCause::Type {
                found: oid::name(type_oid.0)
                    .map_or_else(|| format!("with oid {}", type_oid.0), str::to_owned),
                fitting: fitting(self.annotations, domain),
                arrays,
            }),
        }
    }

    /// Whether a column can hold keys of such a type: text may only refer to keys that are uuids, where
    /// nothing says how keys are written in text.
    fn can_hold(&self, id: IdType) -> bool {
        let annotation = self.annotations.get(usize::from(id.domain.0));
        let defines = annotation.is_some_and(|of| of.types.can_define(id.key_type.value_type()));
        let uuid = |key: IdType| key.key_type == KeyType::Uuid;
        defines || json::defining(self.draft, id.domain).is_some_and(uuid)
    }

    /// Columns that held keys in an earlier snapshot still do, whatever they are called now; so do
    /// those that were made to hold keys.
    fn follow(&mut self, held: &[(Place, DomainId)]) {
        for ((relation, attnum), domain) in held {
            let column = self
                .draft
                .relations
                .get(relation)
                .and_then(|relation| relation.attribute(*attnum));
            let fits = column.is_some_and(|column| {
                column.id.is_none() && id_type(self.annotations, *domain, column.type_oid).is_some()
            });
            if fits {
                self.mark((*relation, *attnum), *domain, true);
            } else {
                self.hide((*relation, *attnum));
            }
        }
        self.run();
    }

    /// Takes note of columns that held keys in an earlier snapshot, and of which nothing else says so
    /// any more: no annotation and no foreign key.
    fn note_orphans(&mut self, held: &[(Place, DomainId)]) {
        let lasting = held.iter().map(|(place, _)| place);
        let lasting = lasting.filter(|(relation, _)| !self.draft.own.contains(relation));
        let is_orphan = |(relation, attnum): &&Place| {
            let relation = self.draft.relations.get(relation);
            let column = relation.and_then(|relation| relation.attribute(*attnum));
            column.is_some_and(|column| column.id.is_none())
        };
        self.outcome.orphans.extend(lasting.filter(is_orphan));
    }

    /// What has become of a column of keys nobody knows, if it is no column of keys now.
    fn hide(&mut self, (relation, attnum): Place) {
        let column = self.draft.column_mut((relation, attnum));
        if let Some(column) = column.filter(|column| column.id.is_none()) {
            column.derived = true;
        }
    }

    /// Passes every marked column's domain on until nothing changes.
    fn run(&mut self) {
        let (referring, relatives) = (referring(self.draft), relatives(self.draft));
        while let Some((place, domain)) = self.queue.pop() {
            for target in referring.get(&place).into_iter().flatten() {
                self.mark(*target, domain, false);
            }
            for same in same_in(self.draft, place, &relatives) {
                self.mark(same, domain, true);
            }
        }
    }
}

/// Marks columns that count with the sequence of an id: neighbours of its keys, which tell how many
/// there are. One whose sequence is found only when it counts may count with any, unless it is to stay
/// as it is.
fn count_along(draft: &mut Draft, plain: &[ColumnPattern]) {
    let is_id = |(oid, attnum): &Place| {
        let relation = draft.relations.get(oid);
        relation
            .and_then(|relation| relation.attribute(*attnum))
            .is_some_and(|column| column.id.is_some())
    };
    let drawn = draft
        .draws
        .iter()
        .filter_map(|(place, sequence)| Some((sequence.as_ref()?, place)));
    let counting_ids: HashSet<Oid> = drawn
        .chain(&draft.sequence_owners)
        .filter(|(_, place)| is_id(place))
        .map(|(sequence, _)| *sequence)
        .collect();
    // What is owned and not named by a default.
    let drawn: HashSet<&Place> = draft.draws.iter().map(|(place, _)| place).collect();
    let owners = draft.sequence_owners.values();
    let identities = owners.filter(|of| is_id(of) && !drawn.contains(of));
    let identities: Vec<Place> = identities.copied().collect();
    let counting = draft.draws.iter();
    let may_count_ids = |(place, sequence): &&(Place, Option<Oid>)| match sequence {
        Some(sequence) => counting_ids.contains(sequence),
        None => !counting_ids.is_empty() && !draft.is_plain(*place, plain),
    };
    let counting: Vec<Place> = counting
        .filter(may_count_ids)
        .map(|(place, _)| *place)
        .filter(|place| !is_id(place))
        .collect();
    for place in counting {
        if let Some(column) = draft.column_mut(place) {
            column.derived = true;
        }
    }
    for place in identities {
        if let Some(column) = draft.column_mut(place) {
            column.identity = true;
        }
    }
}

/// Columns that showed keys in an earlier snapshot still do: to compute no more, or to draw from
/// another sequence, leaves the values that are there. Gives those of which nothing else says so.
/// What is computed still, and can be read, is told by what it is computed from: it may have counted as
/// made of keys for as long as something was missing or held.
fn keep_derived(draft: &mut Draft) -> Vec<Place> {
    let mut kept = Vec::new();
    let computed = draft.generated.iter();
    let computed = computed.filter(|(_, expression)| expression.is_some());
    let computed: HashSet<Place> = computed.map(|(place, _)| *place).collect();
    for place in std::mem::take(&mut draft.memory.derived) {
        if computed.contains(&place) {
            continue;
        }
        let column = draft.column_mut(place);
        if let Some(column) = column.filter(|column| !column.holds_keys() && !column.derived) {
            column.derived = true;
            kept.push(place);
        }
    }
    kept.retain(|(relation, _)| !draft.own.contains(relation));
    kept
}

/// Which relations a mark of one passes to.
#[derive(Default)]
struct Ways(HashMap<Oid, Vec<Oid>>);

impl Ways {
    fn add(&mut self, from: Oid, to: Oid) {
        self.0.entry(from).or_default().push(to);
    }

    /// Adds all that can be reached. Each way is gone once, however long a chain of them is.
    fn reach(mut self, marked: &mut HashSet<Oid>) {
        let mut next: Vec<Oid> = marked.iter().copied().collect();
        while let Some(relation) = next.pop() {
            for to in self.0.remove(&relation).unwrap_or_default() {
                if marked.insert(to) {
                    next.push(to);
                }
            }
        }
    }
}

/// Marks the relations in which keys can be seen.
fn protect(draft: &mut Draft) {
    let holding = draft.all(&draft.touched).filter(|relation| {
        let mut columns = relation.columns.iter();
        columns.any(|column| column.holds_keys() || column.derived)
    });
    let mut protected: HashSet<Oid> = holding.map(|relation| relation.oid).collect();
    protected.extend(&draft.showing);
    // A sequence that nobody owns may feed an id column by hand.
    let counts_ids = |sequence: &&Oid| {
        let owner = draft.sequence_owners.get(sequence);
        owner.is_none_or(|(table, column)| {
            let owner = draft.relations.get(table);
            let owner = owner.and_then(|table| table.attribute(*column));
            owner.is_none_or(|column| column.id.is_some() || column.derived)
        })
    };
    protected.extend(draft.sequences.iter().filter(counts_ids));
    protected.extend(&draft.opaque_views);
    // What shows a relation that keys can be seen in shows them too: user's views of it, and columns
    // that hold its rows.
    let mut shown_by = Ways::default();
    for relation in draft.all(&draft.defined) {
        let rows = relation.columns.iter().filter(|column| is_defined(column));
        for (of, _) in rows.filter_map(|column| draft.row_types.get(&column.type_oid)) {
            shown_by.add(*of, relation.oid);
        }
    }
    for (view, on) in &draft.dependencies {
        let is_user_view = draft
            .relations
            .get(view)
            .is_some_and(|view| view.schema != "pg_catalog" && view.schema != "information_schema");
        if is_user_view {
            shown_by.add(*on, *view);
        }
    }
    shown_by.reach(&mut protected);
    let row_of = |column: &Column| {
        let defined = is_defined(column).then_some(&draft.row_types);
        let row = defined?.get(&column.type_oid).copied();
        row.filter(|(relation, _)| protected.contains(relation))
    };
    let showing_rows = draft.all(&draft.defined).map(|relation| {
        let rows = relation.columns.iter().map(row_of);
        (relation.oid, rows.collect::<Vec<_>>())
    });
    let showing_rows = showing_rows.filter(|(_, rows)| rows.iter().any(Option::is_some));
    for (oid, rows) in showing_rows.collect::<Vec<_>>() {
        for (column, row) in draft.columns_mut(oid).zip(rows) {
            column.row = row;
        }
    }
    for oid in protected {
        if let Some(relation) = draft.relation_mut(oid) {
            relation.protected = true;
        }
    }
}

/// Marks the relations that are defined with expressions over keys, and their partitions, parents
/// and children: a row of one may be checked by another.
fn compute(draft: &mut Draft) {
    let holds_keys = |(oid, attnum): &Place| {
        let column = draft
            .relations
            .get(oid)
            .and_then(|of| of.attribute(*attnum));
        column.is_some_and(shows_keys)
    };
    let named = draft
        .computing
        .iter()
        .filter(|(_, place)| holds_keys(place));
    let mut computing: HashSet<Oid> = named.map(|(relation, _)| *relation).collect();
    let generated = draft.all(&draft.touched).filter(|relation| {
        let mut columns = relation.columns.iter();
        // A row may hold a value of a domain that computes with it.
        columns.any(|column| column.generated && column.derived || column.row.is_some())
    });
    computing.extend(generated.map(|relation| relation.oid));
    let mut related = Ways::default();
    for (child, parent) in &draft.inheritance {
        related.add(*child, *parent);
        related.add(*parent, *child);
    }
    related.reach(&mut computing);
    for oid in computing {
        if let Some(relation) = draft.relation_mut(oid) {
            relation.computes = true;
        }
    }
}

/// Marks the relations in which of whose partitions a row is tells of its keys: in a hash of them,
/// in a range.
fn place(draft: &mut Draft) {
    let by_keys = |(oid, attnum): &&Place| {
        draft.relations.get(oid).is_some_and(|relation| {
            // What an expression names is not asked for.
            let mut columns = relation.columns.iter();
            columns.any(|column| (*attnum == 0 || *attnum == column.attnum) && shows_keys(column))
        })
    };
    let placed = draft.partitioned.iter().filter(by_keys);
    let mut placed: HashSet<Oid> = placed.map(|(oid, _)| *oid).collect();
    let mut parents = Ways::default();
    for (child, parent) in &draft.inheritance {
        parents.add(*child, *parent);
    }
    parents.reach(&mut placed);
    for oid in placed {
        if let Some(relation) = draft.relation_mut(oid) {
            relation.placed_by_keys = true;
        }
    }
}

/// What a column of this type holds if it is in the domain, and whether it is an array; none if
/// the domain's codec has no ids for it.
pub(super) fn id_type(
    annotations: &[IdAnnotation],
    domain: DomainId,
    type_oid: Oid,
) -> Option<(IdType, bool)> {
    let annotation = annotations.get(usize::from(domain.0))?;
    let (key_type, array) = KeyType::from_oid(type_oid.0)?;
    let shown = annotation.types.shown(key_type.value_type())?;
    let shown = KeyType::of_value(shown);
    let id = IdType {
        domain,
        key_type,
        shown,
    };
    Some((id, array))
}

/// The types of columns that the codec of a domain has ids for.
fn fitting(annotations: &[IdAnnotation], domain: DomainId) -> Vec<&'static str> {
    let annotation = annotations.get(usize::from(domain.0));
    let fits = |key_type: &KeyType| {
        annotation.is_some_and(|annotation| annotation.types.shown(key_type.value_type()).is_some())
    };
    KeyType::ALL
        .into_iter()
        .filter(fits)
        .map(KeyType::name)
        .collect()
}
