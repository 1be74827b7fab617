//! Foreign keys to columns of keys, by the types that clients see. Who believes the catalogs writes
//! `uuid REFERENCES users`, and the database, where the key is a bigint, can't have it: that is
//! refused with the type to write. What fits in the database is made as it is written.

use std::ops::Range;

use super::refusal::Refusal;
use super::statement::Analysis;
use crate::catalog::{Column, Oid, Relation, is_temporary};
use crate::pg::{Type, oid};

/// A column that the statement says the type of; `None` for a type that is not known.
struct Declared<'t> {
    name: &'t str,
    type_oid: Option<Oid>,
}

/// The table that a statement makes or changes.
struct Changed<'t> {
    /// As it is now, if it is there.
    relation: Option<&'t Relation>,
    name: &'t str,
    declared: Vec<Declared<'t>>,
    temporary: bool,
}

impl<'a> Analysis<'a> {
    /// Refuses a foreign key whose columns are of the types that clients see of those that it refers
    /// to, where these are stored as others.
    pub(super) fn check_references(&self) -> Result<(), Box<Refusal>> {
        let refers = |at: usize| self.keyword(at) == "references";
        if !self.context.snapshot.has_ids() || !(0..self.tokens.len()).any(refers) {
            return Ok(());
        }
        let Some(defined) = self.defined().filter(|of| of.kind == "table") else {
            return Ok(());
        };
        let name = self.behind_options(defined.at + 1);
        let mut relations = self.relations_named(name);
        let relation = relations.pop().filter(|_| relations.is_empty());
        if defined.creates && relation.is_some() && name > defined.at + 1 {
            // IF NOT EXISTS
            return Ok(());
        }
        let relation = relation.filter(|_| !defined.creates);
        let behind = self.behind_name(name);
        let parts = match defined.creates {
            true => self.in_brackets(behind),
            false => self.actions(behind + usize::from(self.text_at(behind) == "*")),
        };
        let retyped = parts.iter().filter_map(|part| self.retyped(part.clone()));
        let retyped: Vec<Declared<'_>> = retyped.filter(|_| !defined.creates).collect();
        let parts = parts.into_iter();
        let parts = parts.filter_map(|part| self.added(part, relation, defined.creates));
        let parts: Vec<Range<usize>> = parts.collect();
        // What is no column has no type behind its first word.
        let declared = parts.iter().map(|part| Declared {
            name: self.word(part.start),
            type_oid: self.type_at(part.start + 1),
        });
        let changed = Changed {
            relation,
            name: self.name_at(name).1,
            declared: declared.chain(retyped).collect(),
            temporary: match relation {
                Some(relation) => is_temporary(&relation.schema),
                None => self.makes_temporary_at(name, defined.at),
            },
        };
        for part in parts {
            for at in part.clone().filter(|at| refers(*at)) {
                self.check_reference(&changed, part.start, at)?;
            }
        }
        Ok(())
    }

    /// What a part of a statement adds to the table: without the words in front of it. `None` if it
    /// adds nothing, or what is there already.
    fn added(
        &self,
        part: Range<usize>,
        relation: Option<&Relation>,
        creates: bool,
    ) -> Option<Range<usize>> {
        let mut start = part.start;
        if !creates {
            if self.keyword(start) != "add" {
                return None;
            }
            start += 1 + usize::from(self.keyword(start + 1) == "column");
            let behind = self.behind_options(start);
            let is_there = relation.is_some_and(|of| of.column(self.word(behind)).is_some());
            if behind > start && is_there {
                return None;
            }
            start = behind;
        }
        if self.keyword(start) == "constraint" {
            start += 2;
        }
        Some(start..part.end)
    }

    /// `ALTER [COLUMN] name [SET DATA] TYPE …`
    fn retyped(&self, action: Range<usize>) -> Option<Declared<'_>> {
        let at = action.start + 1 + usize::from(self.keyword(action.start + 1) == "column");
        let word = match self.keyword(at + 1) {
            "set" if self.keyword(at + 2) == "data" => at + 3,
            _ => at + 1,
        };
        let is_retyped = self.keyword(action.start) == "alter" && self.keyword(word) == "type";
        is_retyped.then(|| Declared {
            name: self.word(at),
            type_oid: self.type_at(word + 1),
        })
    }

    /// The type that is written at a place, that under a domain; `None` if it is none that keys or
    /// ids can be of.
    fn type_at(&self, at: usize) -> Option<Oid> {
        let mut end = self.behind_name(at);
        end += usize::from(self.keyword(end) == "varying");
        if self.punctuation(end) == "(" {
            end = (end..self.tokens.len()).find(|at| self.punctuation(*at) == ")")? + 1;
        }
        if self.keyword(end) == "array" || self.text_at(end) == "[" {
            return None;
        }
        let (schema, name) = self.name_at(at);
        match (schema, oid::named(name)) {
            (None | Some("pg_catalog"), known @ 1..) => Some(Oid(known)),
            (schema, _) => {
                let functions = self.context.snapshot.functions();
                functions.domain(schema, name, self.path?)
            }
        }
    }

    /// Judges the REFERENCES at a place, in a part of the statement that begins where it is said.
    fn check_reference(
        &self,
        changed: &Changed<'_>,
        start: usize,
        at: usize,
    ) -> Result<(), Box<Refusal>> {
        let name = at + 1;
        let mut relations = self.relations_named(name);
        let Some(referred) = relations.pop().filter(|_| relations.is_empty()) else {
            return Ok(());
        };
        // Between these there are no foreign keys, and a table that is made may hide another one.
        if is_temporary(&referred.schema) != changed.temporary
            || changed.relation.is_none() && referred.name == changed.name
        {
            return Ok(());
        }
        let of_table = self.keyword(start) == "foreign" && self.keyword(start + 1) == "key";
        let columns = match of_table {
            true => self.names_in(start + 2),
            false => vec![self.word(start)],
        };
        let named = self.names_in(self.behind_name(name));
        let mut targets: Vec<Option<&Column>> = Vec::new();
        match named.is_empty() {
            true => {
                let key = referred.primary_key.iter();
                targets.extend(key.map(|attnum| referred.attribute(*attnum)));
            }
            false => targets.extend(named.iter().map(|name| referred.column(name))),
        }
        for (column, target) in columns.into_iter().zip(targets) {
            if let (Some(of), Some(target)) = (self.referring_type(changed, column), target)
                && is_shown_like(target, of)
            {
                return Err(self.believes(column, of, referred, target));
            }
        }
        Ok(())
    }

    /// The type that a column of the changed table has then.
    fn referring_type(&self, changed: &Changed<'_>, name: &str) -> Option<Type> {
        let mut declared = changed.declared.iter().rev();
        let type_oid = match declared.find(|of| of.name == name) {
            Some(declared) => declared.type_oid?,
            None => changed.relation?.column(name)?.type_oid,
        };
        let (of, is_array) = Type::from_oid(type_oid.0)?;
        (!is_array).then_some(of)
    }

    /// The names in brackets, if these stand at a place.
    pub(super) fn names_in(&self, at: usize) -> Vec<&str> {
        let parts = self.in_brackets(at).into_iter();
        parts.map(|part| self.word(part.end - 1)).collect()
    }

    /// What stands between the commas in brackets, if these stand at a place.
    fn in_brackets(&self, at: usize) -> Vec<Range<usize>> {
        if self.punctuation(at) != "(" {
            return Vec::new();
        }
        let end = self.cursor(at).closing().unwrap_or(self.tokens.len());
        self.cursor(at + 1).between_commas(end)
    }

    fn believes(
        &self,
        column: &str,
        of: Type,
        referred: &Relation,
        target: &Column,
    ) -> Box<Refusal> {
        let stored = oid::name(target.type_oid.0).unwrap_or_default();
        let (seen, table, target) = (of.name(), &referred.name, &target.name);
        let what = format!(
            "column \"{column}\" of type {seen} as a foreign key to \"{table}\".\"{target}\", which is of \
             type {stored} in the database"
        );
        let hint = format!(
            "Write {stored}: through pgveil it will be seen as {seen}, as what it refers to. Run \
             migrations with a role listed in bypass_roles, and with the types of the database: \
             docs/migrations.md."
        );
        self.refuse(&what, &hint)
    }
}

/// Whether clients see such a type in the place of the column's own, which is another kind of type.
fn is_shown_like(target: &Column, of: Type) -> bool {
    let shown = target.shown_otherwise().and_then(Type::from_oid);
    shown.is_some_and(|(shown, is_array)| !is_array && shown.is_like(of))
}
