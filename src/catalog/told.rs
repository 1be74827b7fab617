//! What a database has told about itself, before it is known what holds keys: a part for each
//! relation and one for all else, so that a later snapshot takes over what has not changed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::draft::{Place, is_defined};
use super::filler::Filler;
use super::function::Functions;
use super::hidden::Callee;
use super::keys::{self, Filled};
use super::names::Names;
use super::row::{attnums, hash, oid_of, write_of};
use super::snapshot::SYSTEM_RELATIONS;
use super::undecided::{Filling, Suspect};
use super::{Column, ForeignKey, Oid, Relation, Run, SearchPath, WriteRule, declare, is_temporary};

/// All of it but what is temporary.
#[derive(Debug, Default)]
pub struct Told {
    pub(super) relations: HashMap<Oid, Arc<Part>>,
    /// The relations by their names.
    pub(super) names: Names,
    /// Those of which a definition has not been read.
    pub(super) unanalysed: Vec<Oid>,
    pub(super) shared: Arc<Common>,
    /// The sum over all that is told.
    pub(super) fingerprint: u64,
    /// Under which path definitions are to be read.
    pub(super) definition_path: SearchPath,
}

/// What is told of one relation.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) relation: Arc<Relation>,
    /// The types of its rows: the oid, and whether it is that of arrays.
    pub(super) row_types: Vec<(Oid, bool)>,
    pub(super) parents: Vec<Oid>,
    /// Of a sequence: the column that it belongs to.
    pub(super) owner: Option<Place>,
    /// What fills its columns.
    pub(super) fillers: HashMap<i16, Filler>,
    /// Columns without a default of their own whose type may be a domain: that may have one.
    pub(super) by_domain: Vec<(i16, Oid)>,
    /// Columns that expressions of its definition name.
    pub(super) computing: Vec<Place>,
    /// Relations that its definition names.
    pub(super) depends: Vec<Oid>,
    /// Generated columns, with their expressions; none if it could not be read.
    pub(super) generated: Vec<(i16, Option<String>)>,
    /// The columns by which it is partitioned; 0 for an expression.
    pub(super) partitioned_by: Vec<i16>,
    /// What counts its columns, and in which unique keys they are.
    pub(super) filling: Filling,
    /// Its columns that may be keys.
    pub(super) suspects: Arc<[Suspect]>,
    /// Its definition calls functions that may read anything.
    pub(super) opaque: bool,
    /// What tells the rule that makes it a view from later ones.
    pub(super) rule: Option<Arc<str>>,
    /// Some of its columns are of types that have been defined.
    pub(super) defined: bool,
    /// One of the system's own that shows keys.
    pub(super) showing: bool,
    /// The sum of the hashes of the rows.
    pub(super) fingerprint: u64,
}

impl Part {
    pub(super) fn new(relation: Relation) -> Self {
        Self {
            relation: Arc::new(relation),
            row_types: Vec::new(),
            parents: Vec::new(),
            owner: None,
            fillers: HashMap::new(),
            by_domain: Vec::new(),
            computing: Vec::new(),
            depends: Vec::new(),
            generated: Vec::new(),
            partitioned_by: Vec::new(),
            filling: Filling::default(),
            suspects: Arc::from([]),
            opaque: false,
            rule: None,
            defined: false,
            showing: false,
            fingerprint: 0,
        }
    }

    pub(super) fn oid(&self) -> Oid {
        self.relation.oid
    }

    /// Completes the part once all is told of its relation: the columns come in order.
    pub(super) fn in_order(mut self) -> Self {
        let relation = Arc::make_mut(&mut self.relation);
        relation.columns.sort_by_key(|column| column.attnum);
        self.defined = relation.columns.iter().any(is_defined);
        let name = (relation.schema.as_str(), relation.name.as_str());
        self.showing = SYSTEM_RELATIONS.contains(&name);
        let filling = std::mem::take(&mut self.filling);
        filling.primary_key().clone_into(&mut relation.primary_key);
        if self.defined {
            let columns = self.relation.columns.iter().filter(|of| is_defined(of));
            let open = columns.filter(|column| !filling.defaults.contains(&column.attnum));
            let by_domain = open.map(|column| (column.attnum, column.type_oid));
            self.by_domain = by_domain.collect();
        }
        self.suspects = filling.suspects(&self);
        self
    }

    /// Counts its definition, too, now that it is known.
    pub(super) fn count_definition(&mut self) {
        let definition = hash(&[self.relation.definition.as_deref()]);
        self.fingerprint = self.fingerprint.wrapping_add(definition);
    }

    /// Takes a row about the relation.
    pub(super) fn record(&mut self, row: &[Option<&str>]) -> Option<()> {
        match *row {
            [Some("column"), _, ref fields @ ..] => self.record_column(fields)?,
            [Some("row type"), oid, array, _, ref version @ ..] => {
                self.count_version(version.first().copied().flatten());
                self.row_types.push((oid_of(oid)?, false));
                self.row_types.push((oid_of(array)?, true));
            }
            [
                Some("foreign key"),
                _,
                name,
                columns,
                referenced,
                referenced_columns,
            ] => {
                let key = ForeignKey {
                    name: name?.to_owned(),
                    columns: attnums(columns?)?,
                    referenced: oid_of(referenced)?,
                    referenced_columns: attnums(referenced_columns?)?,
                };
                Arc::make_mut(&mut self.relation).foreign_keys.push(key);
            }
            [Some("inherits"), _, parent] => self.parents.push(oid_of(parent)?),
            [Some("sequence"), _, table, attnum] => {
                self.owner = Some((oid_of(table)?, attnum?.parse().ok()?));
            }
            [
                Some(kind @ ("draws" | "filled")),
                _,
                attnum,
                ref fields @ ..,
            ] => {
                let filler = self.fillers.entry(attnum?.parse().ok()?).or_default();
                filler.record(kind, fields)?;
            }
            [Some("computes"), _, of, attnum] => {
                self.computing.push((oid_of(of)?, attnum?.parse().ok()?));
            }
            [Some("runs"), _, function, late, arguments, kind] => {
                let runs = Run {
                    function: oid_of(function)?,
                    late: late.is_some(),
                    arguments: arguments.map(Arc::from),
                    reads: kind == Some("read"),
                };
                Arc::make_mut(&mut self.relation).runs.push(runs);
            }
            [Some("depends"), _, on] => self.depends.push(oid_of(on)?),
            [Some("rule"), _, on, definition, ref version @ ..] => {
                self.count_version(version.first().copied().flatten());
                let relation = Arc::make_mut(&mut self.relation);
                relation.unanalysed |= definition.is_none();
                relation.rules.push(WriteRule {
                    on: write_of(on?)?,
                    // One that has not been read can't be explained.
                    definition: Arc::from(definition.unwrap_or_default()),
                });
            }
            [Some("opaque view"), _] => self.opaque = true,
            [Some("unique"), ..] => self.filling.record(row)?,
            [Some("partitioned"), _, by] => self.partitioned_by.push(by?.parse().ok()?),
            [Some("generated"), _, attnum, expression] => {
                let expression = expression.map(str::to_owned);
                Arc::make_mut(&mut self.relation).unanalysed |= expression.is_none();
                self.generated.push((attnum?.parse().ok()?, expression));
            }
            _ => return None,
        }
        Some(())
    }

    /// Counts what tells that its name or a definition of it is a new one.
    pub(super) fn count_version(&mut self, version: Option<&str>) {
        let relation = Arc::make_mut(&mut self.relation);
        relation.version = relation.version.wrapping_add(hash(&[version]));
    }

    /// Takes what is told of a column: its number, its name, its type, whether it is counted or has
    /// a default, and by which transaction it was defined.
    fn record_column(&mut self, fields: &[Option<&str>]) -> Option<()> {
        let [attnum, name, type_oid, ref rest @ ..] = *fields else {
            return None;
        };
        let filled = rest.first().copied().flatten();
        let version = rest.get(1).copied().flatten().unwrap_or("0");
        let column = Column {
            attnum: attnum?.parse().ok()?,
            name: name?.to_owned(),
            type_oid: oid_of(type_oid)?,
            id: None,
            json: Arc::from([]),
            generated: false,
            derived: false,
            undecided: false,
            polymorphic: None,
            identity: false,
            row: None,
            version: version.parse().ok()?,
        };
        match filled {
            Some("identity") => self.filling.identities.push(column.attnum),
            Some(_) => self.filling.defaults.push(column.attnum),
            None => {}
        }
        Arc::make_mut(&mut self.relation).columns.push(column);
        Some(())
    }

    fn is_called_like(&self, other: &Self) -> bool {
        let (own, others) = (&self.relation, &other.relation);
        let names = |relation: &Relation| -> Vec<(i16, String)> {
            let columns = relation.columns.iter();
            let name = |column: &Column| (column.attnum, column.name.clone());
            columns.map(name).collect()
        };
        own.schema == others.schema && own.name == others.name && names(own) == names(others)
    }

    /// The sequences that its columns draw from, as [`Filler::draws`] has them.
    pub(super) fn draws<'a>(
        &'a self,
        shared: &'a Common,
    ) -> impl Iterator<Item = (i16, Option<Oid>)> + 'a {
        let own = self.fillers.iter().map(|(attnum, of)| (*attnum, of));
        let by_domain = self.by_domain.iter();
        let by_domain = by_domain.filter_map(|(attnum, domain)| {
            let filler = shared.fillers.get(domain)?;
            Some((*attnum, filler))
        });
        own.chain(by_domain)
            .flat_map(|(attnum, of)| of.draws().map(move |sequence| (attnum, sequence)))
    }

    pub(super) fn is_temporary(&self) -> bool {
        is_temporary(&self.relation.schema)
    }
}

/// What is told of no relation.
#[derive(Debug, Default, Clone)]
pub(super) struct Common {
    pub(super) base_types: HashMap<Oid, Oid>,
    /// What fills columns of domains that have no default of their own.
    pub(super) fillers: HashMap<Oid, Filler>,
    /// Functions that can't make keys: they are not volatile, or random by their names.
    pub(super) calm: HashSet<Oid>,
    pub(super) enumerations: HashSet<Oid>,
    pub(super) functions: Arc<Functions>,
    pub(super) fingerprint: u64,
}

impl Told {
    /// Whether a definition has not been read.
    #[must_use]
    pub const fn has_unread(&self) -> bool {
        !self.unanalysed.is_empty()
    }

    /// What fills a column that may be a key.
    pub(crate) fn filled(&self, (relation, attnum): Place) -> Filled<'_> {
        let part = self.relations.get(&relation);
        let mut suspects = part.iter().flat_map(|part| part.suspects.iter());
        let suspect = suspects.find(|suspect| suspect.is_of(attnum));
        suspect.map_or_else(Filled::default, |of| of.filled(&self.shared))
    }

    /// Whether any code changes settings by which later statements are read: what runs that may be
    /// about a relation that has changed or not.
    #[must_use]
    pub fn changes_settings(&self) -> bool {
        let functions = &self.shared.functions;
        let mut all = functions.by_name.values().flatten();
        functions.has_setters() || all.any(|function| function.changes_settings)
    }

    /// What these parts tell and, of what was told before, the relations of which the answer does not
    /// tell: what it tells of and does not name is gone. Definitions that could not be read may be
    /// known from before, whatever the answer tells of.
    pub(super) fn put_together(
        self,
        parts: Vec<Part>,
        before: Option<&Self>,
        is_told: impl Fn(Oid) -> bool,
    ) -> Self {
        let mut told = self;
        let new: Vec<Oid> = parts.iter().map(Part::oid).collect();
        if let Some(before) = before {
            told.keep(before, &new, is_told);
        }
        for part in parts {
            told.names.add(&part.relation.name, part.oid());
            told.relations.insert(part.oid(), Arc::new(part));
        }
        told.names = told.names.settled();
        if let Some(before) = before
            && before.shared.fingerprint == told.shared.fingerprint
        {
            told.keep_definitions(&new, &before.relations);
        }
        for oid in new {
            if let Some(part) = told.relations.get_mut(&oid) {
                let part = Arc::make_mut(part);
                part.count_definition();
                told.fingerprint = told.fingerprint.wrapping_add(part.fingerprint);
                told.unanalysed
                    .extend(part.relation.unanalysed.then_some(oid));
            }
        }
        told
    }

    fn keep(&mut self, before: &Self, new: &[Oid], is_told: impl Fn(Oid) -> bool) {
        let gone = before.relations.keys().copied();
        let gone: Vec<Oid> = gone.filter(|oid| is_told(*oid)).collect();
        if gone.len() == before.relations.len() {
            return;
        }
        self.relations.clone_from(&before.relations);
        self.names.clone_from(&before.names);
        self.unanalysed.clone_from(&before.unanalysed);
        self.fingerprint = before.fingerprint;
        for oid in gone.iter().chain(new) {
            if let Some(part) = self.relations.remove(oid) {
                self.names.remove(&part.relation.name, *oid);
                self.fingerprint = self.fingerprint.wrapping_sub(part.fingerprint);
            }
        }
        let relations = &self.relations;
        self.unanalysed.retain(|oid| relations.contains_key(oid));
    }

    /// A definition that could not be read is that of before, if the rule is the same and all that
    /// it names is called what it was.
    fn keep_definitions(&mut self, new: &[Oid], before: &HashMap<Oid, Arc<Part>>) {
        let is_called_as_before = |oid: &Oid| match (before.get(oid), self.relations.get(oid)) {
            (Some(before), Some(now)) => before.is_called_like(now),
            _ => false,
        };
        let new = new.iter().filter_map(|oid| self.relations.get(oid));
        let unanalysed = new.filter(|now| now.relation.unanalysed);
        let kept: Vec<(Oid, Arc<str>)> = unanalysed
            .filter_map(|now| {
                let before = before.get(&now.relation.oid)?;
                let same = now.generated.is_empty()
                    && now.relation.rules.is_empty()
                    && now.rule == before.rule
                    && now.rule.is_some()
                    && now.depends.iter().all(is_called_as_before);
                let definition = before.relation.definition.clone().filter(|_| same)?;
                Some((before.relation.oid, definition))
            })
            .collect();
        for (oid, definition) in kept {
            if let Some(part) = self.relations.get_mut(&oid) {
                let part = Arc::make_mut(part);
                let relation = Arc::make_mut(&mut part.relation);
                (relation.definition, relation.unanalysed) = (Some(definition), false);
            }
        }
    }
}

/// So many domains are looked through that are over each other.
const MOST_NESTED: usize = 32;

impl Common {
    /// Takes a row about no relation.
    pub(super) fn record(&mut self, row: &[Option<&str>]) -> Option<()> {
        let functions = Arc::make_mut(&mut self.functions);
        match *row {
            [Some("domain"), oid, base, ref name @ ..] => {
                let oid = oid_of(oid)?;
                self.base_types.insert(oid, oid_of(base)?);
                if let [Some(schema), Some(name)] = *name {
                    functions.add_domain(schema, name, oid);
                }
            }
            [Some("enumeration"), oid] => {
                self.enumerations.insert(oid_of(oid)?);
            }
            [
                Some(kind @ ("domain draws" | "domain filled")),
                oid,
                ref fields @ ..,
            ] => {
                let filler = self.fillers.entry(oid_of(oid)?).or_default();
                filler.record(kind, fields)?;
            }
            [Some("function"), ref fields @ ..] => {
                let function = declare::function(fields)?;
                if !function.volatile || keys::is_harmless(&function.name) {
                    self.calm.insert(function.oid);
                }
                functions.add(function);
            }
            [Some("changes settings"), oid] => functions.changes_settings(oid_of(oid)?),
            [Some("sets"), kind, name] => functions.note_setter(name?, kind? == "written"),
            [Some("hidden call"), name, type_oid, function, built_in] => {
                let callee = match built_in {
                    Some(name) => Callee::BuiltIn(name.into()),
                    None => Callee::Defined(oid_of(function)?),
                };
                match name {
                    Some(name) => functions.hidden.hide(name, callee),
                    None => functions.hidden.hide_in_casts(oid_of(type_oid)?, callee),
                }
            }
            [Some("domain runs"), name, type_oid, function] => {
                let (type_oid, function) = (oid_of(type_oid)?, oid_of(function)?);
                functions.checks.add(name?, type_oid, function);
            }
            [Some("hidden version"), version] => functions.hidden.version = hash(&[version]),
            [Some("operator"), name, left, right] => {
                functions.redefine(name?, (oid_of(left)?, oid_of(right)?));
            }
            [Some("built in"), names] => {
                let names = names?.split(' ').map(str::to_owned);
                functions.built_in.extend(names);
            }
            [Some("type"), name] => {
                functions.types.insert(name?.to_owned());
            }
            [Some("raised"), codes] => {
                let codes = codes?.split(' ').map(str::to_owned);
                functions.raised.extend(codes);
            }
            [Some("volatile"), names] => {
                let names = names?.split(' ').map(str::to_owned);
                functions.volatile.extend(names);
            }
            _ => return None,
        }
        Some(())
    }

    /// Completes what is told of no relation once all is told: functions take what domains are of.
    pub(super) fn resolved(mut self) -> Self {
        let mut functions = std::mem::take(&mut self.functions);
        let base = |oid| self.base(oid);
        declare::resolve(Arc::make_mut(&mut functions), base, &self.enumerations);
        self.functions = functions;
        self
    }

    /// The type that a type is at the bottom: domains may be nested.
    pub(super) fn base(&self, oid: Oid) -> Oid {
        let bottom = self.chain(oid).last();
        let base = bottom.and_then(|domain| self.base_types.get(&domain));
        base.copied().unwrap_or(oid)
    }

    /// A domain and those under it; nothing for another type.
    pub(super) fn chain(&self, oid: Oid) -> impl Iterator<Item = Oid> {
        let under = |oid: &Oid| self.base_types.get(oid).copied();
        let chain = std::iter::successors(Some(oid), under).take(MOST_NESTED);
        chain.filter(|oid| self.base_types.contains_key(oid))
    }
}
