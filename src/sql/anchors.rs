//! Which foreign keys that annotate columns a definition takes away, and which it adds.
//!
//! A column that is annotated by its foreign key alone has nothing else by which whoever reads the
//! catalogs could know that keys are in it. What takes the key away passes where another one can
//! take its place: in the same text, or before the transaction ends, which the session sees to.

use std::ops::Range;

use super::plan::{Anchors, Link, Verdict};
use super::refusal::Refusal;
use super::statement::{Analysis, Outcome};
use crate::catalog::{Column, ForeignKey, Oid, Relation};

/// What to do about an annotation that has nothing but its foreign key.
const ADDED: &str = "Add another foreign key of the column in the same transaction, or list the \
     column in `references` of its id, so that it stays annotated, or run this with a role listed in \
     bypass_roles.";

impl Analysis<'_> {
    /// What the changes of a table do. `None` if no foreign key has to do with them.
    pub(super) fn anchors(
        &self,
        relations: &[&Relation],
        actions: &[Range<usize>],
    ) -> Option<Box<Anchors>> {
        let mut anchors = Anchors::default();
        let mut adds = false;
        for relation in relations {
            for action in actions {
                match (self.keyword(action.start), self.keyword(action.start + 1)) {
                    ("drop", "constraint") => self.drop_constraint(relation, action, &mut anchors),
                    ("drop", _) => self.drop_column(relation, action, &mut anchors),
                    ("add", _) => {
                        let added = self.added_links(relation, action);
                        adds |= !added.is_empty();
                        anchors.made.extend(added);
                    }
                    _ => {}
                }
            }
        }
        (adds || anchors.refusal.is_some()).then(|| Box::new(anchors))
    }

    /// What the changes of a table do that nobody has seen, by this name. What is made in the same text
    /// has no keys in it that anybody could have put there, but the table may be an older one.
    pub(super) fn anchors_of_unknown(
        &self,
        name: &str,
        actions: &[Range<usize>],
    ) -> Option<Box<Anchors>> {
        let drops = |of: &Range<usize>| {
            self.keyword(of.start) == "drop" && self.keyword(of.start + 1) == "constraint"
        };
        let is_known_to_be_none = self.context.fresh || !self.context.snapshot.has_ids();
        if is_known_to_be_none || !actions.iter().any(drops) {
            return None;
        }
        let mut anchors = Anchors::default();
        self.lose_more(name, &mut anchors);
        Some(Box::new(anchors))
    }

    /// Has the database looked at before something is dropped: what it has been known by is what it
    /// would be missed by when the transaction ends.
    pub(super) fn seek_dropped(&mut self, actions: &[Range<usize>]) {
        let mut actions = actions.iter();
        let dropped = actions.find(|of| self.keyword(of.start) == "drop");
        if let Some(dropped) = dropped.filter(|_| self.context.snapshot.has_ids()) {
            let name = self.word(dropped.end.saturating_sub(1)).to_owned();
            self.seek(name);
        }
    }

    /// What it does that these relations are gone.
    pub(super) fn anchors_of(&self, gone: &[Oid]) -> Option<Box<Anchors>> {
        let mut anchors = Anchors::default();
        for oid in gone {
            self.lose_referring(*oid, None, gone, &mut anchors);
        }
        anchors.refusal.is_some().then(|| Box::new(anchors))
    }

    /// `DROP CONSTRAINT [IF EXISTS] name [CASCADE]`
    fn drop_constraint(&self, relation: &Relation, action: &Range<usize>, anchors: &mut Anchors) {
        let name = self.word(self.behind_options(action.start + 2));
        let mut keys = relation.foreign_keys.iter();
        match keys.find(|key| key.name == name) {
            Some(key) => self.lose(relation, key, None, anchors),
            // Another statement may have given one of them this name, which nobody has seen.
            None if !self.context.fresh || self.context.unsettled => {
                let mut keys = relation.foreign_keys.iter();
                if let Some(key) = keys.find(|key| self.annotates(relation, key, None)) {
                    self.lose_more(&key.name, anchors);
                }
            }
            None => {}
        }
        if self.cascades(action.end) {
            self.lose_referring(relation.oid, None, &[], anchors);
        }
    }

    /// `DROP [COLUMN | ATTRIBUTE] [IF EXISTS] name [CASCADE]`: other columns of its foreign keys lose
    /// these, and a child may keep the column that has been one with it.
    fn drop_column(&self, relation: &Relation, action: &Range<usize>, anchors: &mut Anchors) {
        let at = self.behind_options(self.behind_column(action.start + 1));
        let Some(column) = relation.column(self.word(at)) else {
            return;
        };
        let own = |key: &&ForeignKey| key.columns.contains(&column.attnum);
        for key in relation.foreign_keys.iter().filter(own) {
            self.lose(relation, key, Some(column.attnum), anchors);
        }
        let snapshot = self.context.snapshot;
        let children = snapshot.children(relation.oid);
        for child in children.filter_map(|oid| snapshot.relation(oid)) {
            let kept = child.column(&column.name).filter(|of| {
                let mut keys = child.foreign_keys.iter();
                !keys.any(|key| key.columns.contains(&of.attnum))
            });
            if kept.is_some_and(|of| shows(of) && !self.is_named(child, of)) {
                self.lose_more(&column.name, anchors);
            }
        }
        if self.cascades(action.end) {
            self.lose_referring(relation.oid, Some(column.attnum), &[], anchors);
        }
    }

    /// Takes down the foreign keys that refer to a relation, or to one of its columns.
    fn lose_referring(&self, oid: Oid, attnum: Option<i16>, gone: &[Oid], anchors: &mut Anchors) {
        let relations = self.context.snapshot.relations();
        for relation in relations.filter(|of| !gone.contains(&of.oid)) {
            let refers = |key: &&ForeignKey| {
                let columns = &key.referenced_columns;
                key.referenced == oid && attnum.is_none_or(|of| columns.contains(&of))
            };
            for key in relation.foreign_keys.iter().filter(refers) {
                self.lose(relation, key, None, anchors);
            }
        }
    }

    /// Takes down that a foreign key goes, and a column with it.
    fn lose(
        &self,
        relation: &Relation,
        key: &ForeignKey,
        with: Option<i16>,
        anchors: &mut Anchors,
    ) {
        if !self.annotates(relation, key, with) {
            return;
        }
        let links = links(relation, key);
        let links = links.filter(|link| Some(link.from.1) != with);
        anchors.lost.extend(links);
        anchors.refusal.get_or_insert_with(|| self.loses(&key.name));
    }

    /// Takes down that something goes that no statement can be seen to put right.
    fn lose_more(&self, name: &str, anchors: &mut Anchors) {
        anchors.more = true;
        anchors.refusal.get_or_insert_with(|| self.loses(name));
    }

    /// Whether an annotation hangs on a foreign key, be it one that has closed a column: no name of the
    /// configuration holds it. That of a column that goes `with` it needs no hold.
    fn annotates(&self, relation: &Relation, key: &ForeignKey, with: Option<i16>) -> bool {
        let mut columns = key.columns.iter();
        columns.any(|attnum| {
            let column = relation.attribute(*attnum);
            Some(*attnum) != with
                && column.is_some_and(|of| shows(of) && !self.is_named(relation, of))
        })
    }

    /// `ADD [CONSTRAINT name] FOREIGN KEY (…) REFERENCES …`: none if it is not certain of what.
    fn added_links(&self, relation: &Relation, action: &Range<usize>) -> Vec<Link> {
        let mut at = action.start + 1;
        if self.keyword(at) == "constraint" {
            at += 2;
        }
        let is_key = self.keyword(at) == "foreign" && self.keyword(at + 1) == "key";
        let references = action.clone().find(|at| self.keyword(*at) == "references");
        let Some(references) = references.filter(|_| is_key && self.path.is_some()) else {
            return Vec::new();
        };
        let referred = self.relations_named(references + 1);
        let [referred] = &referred[..] else {
            return Vec::new();
        };
        let named = self.names_in(self.behind_name(references + 1));
        let targets: Vec<Option<i16>> = match named.is_empty() {
            true => referred.primary_key.iter().copied().map(Some).collect(),
            false => named.iter().map(|name| number(referred, name)).collect(),
        };
        let columns = self.names_in(at + 2);
        let columns = columns.iter().map(|name| number(relation, name));
        let linked = columns.zip(targets);
        let linked = linked.filter_map(|(from, to)| {
            Some(Link {
                from: (relation.oid, from?),
                to: (referred.oid, to?),
            })
        });
        linked.collect()
    }

    /// Refuses a foreign key by which a column would hold ids of two kinds: nobody could read it then.
    pub(super) fn check_kinds(&self, anchors: Option<&Anchors>) -> Result<(), Box<Refusal>> {
        let Some(Anchors { lost, made, .. }) = anchors.filter(|_| self.context.fresh) else {
            return Ok(());
        };
        let snapshot = self.context.snapshot;
        let column = |(oid, attnum): (Oid, i16)| snapshot.relation(oid)?.attribute(attnum);
        for Link { from, to } in made {
            let (Some(referring), Some(referred)) = (column(*from), column(*to)) else {
                continue;
            };
            let is_free = snapshot.is_orphan(from.0, from.1)
                || lost.iter().any(|link| link.from == *from)
                    && !snapshot.is_listed(from.0, from.1);
            if let (Some(is), Some(would)) = (referring.id, referred.id)
                && is.id.domain != would.id.domain
                && !is_free
            {
                let [is, would] = [is, would].map(|of| snapshot.domain_name(of.id.domain));
                let what = format!(
                    "a foreign key of column \"{}\", which holds ids of \"{is}\", to ids of \"{would}\"",
                    referring.name
                );
                let hint = "A column holds ids of one kind: take the other foreign key, or its entry \
                            under `references`, away first.";
                return Err(self.refuse(&what, hint));
            }
        }
        Ok(())
    }

    fn loses(&self, key: &str) -> Refusal {
        let what = format!("dropping foreign key \"{key}\", by which alone a column is annotated");
        *self.refuse(&what, ADDED)
    }
}

/// Refuses what takes an annotation away by a snapshot that may be too old to tell which.
pub(super) fn refuse_unverified(outcome: &mut Outcome) {
    let refusal = match &outcome.verdict {
        Verdict::Forward(plan) => plan.effect.loses().cloned(),
        Verdict::Refuse(_) => None,
    };
    if let Some(refusal) = refusal {
        let hint = "Send this statement after the one before has been answered.";
        outcome.verdict = Verdict::Refuse(refusal.hint(hint));
    }
}

/// What a foreign key links.
fn links(relation: &Relation, key: &ForeignKey) -> impl Iterator<Item = Link> {
    let (from, to) = (relation.oid, key.referenced);
    let columns = key.columns.iter().zip(&key.referenced_columns);
    columns.map(move |(column, target)| Link {
        from: (from, *column),
        to: (to, *target),
    })
}

fn number(relation: &Relation, name: &str) -> Option<i16> {
    relation.column(name).map(|column| column.attnum)
}

/// Whether keys are in a column, or would be shown by it if it were not closed.
const fn shows(column: &Column) -> bool {
    column.id.is_some() || column.derived && !column.generated && !column.undecided
}
