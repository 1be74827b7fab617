//! Temporary relations in front of lasting ones: code of the database that looks for its names when
//! it runs means the temporary ones, which the session has filled as it likes. What a trigger writes
//! elsewhere, or finds there for an annotated column, would be a key in the open or a number of the
//! client's choice.
//!
//! Code that Postgres reads when it is defined means what it meant then: views, expressions, and
//! bodies in the syntax of SQL. What a statement says itself, and functions in SQL that it calls, are
//! analysed by what their names mean.

use std::collections::HashSet;

use super::lex::{self, identifiers, identifiers_in_body, possible_names};
use super::refusal::Refusal;
use super::statement::Analysis;
use crate::catalog::{Code, Function, Oid, Relation, Snapshot, is_temporary};

/// How many relations are looked through in the time of a step.
const RELATIONS_IN_A_STEP: usize = 8;

const HINT: &str = "Give the temporary relation a name that no other has, or drop it before.";

impl Analysis<'_> {
    /// Refuses a statement that runs code of the database in which a name means, for this session,
    /// a relation of its own.
    pub(super) fn check_shadowed(&self) -> Result<(), Box<Refusal>> {
        let snapshot = self.context.snapshot;
        if !snapshot.has_ids() {
            return Ok(());
        }
        if let Some(name) = self.put_in_front()
            && self.is_read_late(|named| named == name)?
        {
            return Err(self.refuse(
                "a temporary relation in front of one that deferred triggers name",
                HINT,
            ));
        }
        let runs_nothing = ["close", "deallocate", "discard", "drop", "show"];
        if snapshot.in_front().is_empty() || runs_nothing.contains(&self.word(0)) {
            return Ok(());
        }
        let mut reach = Reach::new(self);
        let literals = self.context.standard_conforming_strings;
        for word in identifiers(self.tokens) {
            reach.add(word, false);
        }
        for word in identifiers_in_body(self.tokens, literals) {
            reach.add(&word, false);
        }
        match reach.names(|name| snapshot.in_front().iter().any(|own| own == name))? {
            true => Err(self.refuse(
                "a statement that runs code of the database which names a relation that the \
                 session has put a temporary one in front of",
                HINT,
            )),
            false => Ok(()),
        }
    }

    /// The name under which the statement makes a temporary relation, if a lasting one has it.
    pub(super) fn put_in_front(&self) -> Option<&str> {
        let made = match self.defined() {
            Some(of) if of.creates && matches!(of.kind, "table" | "view" | "sequence") => {
                let at = self.behind_options(of.at + 1);
                self.makes_temporary_at(at, of.at)
                    .then(|| self.name_at(at).1)
            }
            Some(of) if !of.creates && self.position("rename").is_some() => {
                let at = self.behind_options(of.at + 1);
                self.temporary_at(at).map(|_| self.last_word())
            }
            None if matches!(self.word(0), "select" | "with") => {
                let into = self.selects_into()?;
                let name = self.name_at(self.named_into(into)).1;
                self.stores_temporary(into).then_some(name)
            }
            _ => None,
        };
        let lasts = |name: &&str| {
            let mut named = self.context.snapshot.named(name);
            named.any(|relation| !is_temporary(&relation.schema))
        };
        made.filter(lasts)
    }

    /// Whether names of code mean something else behind the statement.
    pub(super) fn puts_in_front(&self) -> bool {
        self.context.snapshot.has_ids() && self.put_in_front().is_some()
    }

    /// Whether one of some words is the name of a relation that such code names.
    pub(super) fn names_late(&self, words: &[String]) -> Result<bool, Box<Refusal>> {
        let snapshot = self.context.snapshot;
        self.is_read_late(|named| {
            snapshot.is_relation_name(named) && words.iter().any(|word| word == named)
        })
    }

    /// Whether code that may run when the transaction ends has a name for which this holds.
    fn is_read_late(&self, holds: impl Fn(&str) -> bool) -> Result<bool, Box<Refusal>> {
        let mut reach = Reach::new(self);
        let runs = (self.context.snapshot.relations()).flat_map(|relation| &relation.runs);
        for run in runs.filter(|run| run.late) {
            reach.run(run.function);
        }
        reach.names(holds)
    }
}

/// What may be run, found by the names in code.
struct Reach<'a> {
    analysis: &'a Analysis<'a>,
    /// Names to be followed, and whether code has them that looks for them when it runs.
    names: Vec<(String, bool)>,
    seen: HashSet<(String, bool)>,
}

impl<'a> Reach<'a> {
    fn new(analysis: &'a Analysis<'a>) -> Self {
        Self {
            analysis,
            names: Vec::new(),
            seen: HashSet::new(),
        }
    }

    const fn snapshot(&self) -> &'a Snapshot {
        self.analysis.context.snapshot
    }

    fn add(&mut self, name: &str, in_code: bool) {
        if self.seen.insert((name.to_owned(), in_code)) {
            self.names.push((name.to_owned(), in_code));
        }
    }

    /// Whether code that looks for names when it runs has one for which something holds.
    fn names(&mut self, holds: impl Fn(&str) -> bool) -> Result<bool, Box<Refusal>> {
        while let Some((name, in_code)) = self.names.pop() {
            if in_code && holds(&name) {
                return Ok(true);
            }
            for function in self.snapshot().functions().of_user(None, &name) {
                self.call(function, in_code)?;
            }
            for relation in self.meant(&name, in_code) {
                self.touch(relation)?;
            }
        }
        Ok(false)
    }

    /// The lasting relations that a name may mean.
    fn meant(&self, name: &str, in_code: bool) -> Vec<&'a Relation> {
        let snapshot = self.snapshot();
        let own = |path| {
            let found = snapshot.resolve(None, name, path);
            found.is_some_and(|relation| is_temporary(&relation.schema))
        };
        let is_qualified = || {
            let tokens = 1..self.analysis.tokens.len();
            tokens.clone().any(|at| {
                self.analysis.word(at) == name && self.analysis.punctuation(at - 1) == "."
            })
        };
        if !in_code && self.analysis.path.is_some_and(own) && !is_qualified() {
            return Vec::new();
        }
        let named = snapshot.named(name);
        named.filter(|of| !is_temporary(&of.schema)).collect()
    }

    /// A function in SQL that a statement calls is analysed by its body, unless the configuration
    /// says what it takes and gives.
    fn call(&mut self, function: &Function, in_code: bool) -> Result<(), Box<Refusal>> {
        let (code, late) = match &function.code {
            Code::Hidden => return Ok(()),
            Code::Sql(code) => (code, in_code || function.declared.is_some()),
            Code::Atomic(code) => (code, false),
            Code::Other(code) => (code, true),
        };
        self.analysis.budget.pay_to_read(code.len())?;
        possible_names(code).for_each(|name| self.add(&name, late));
        Ok(())
    }

    /// A function that runs unasked.
    fn run(&mut self, function: Oid) {
        let function = self.snapshot().functions().function(function);
        if let Some(function) = function {
            self.add(&function.name, true);
        }
    }

    fn touch(&mut self, relation: &Relation) -> Result<(), Box<Refusal>> {
        for run in &relation.runs {
            self.run(run.function);
        }
        if let Some(definition) = &relation.definition {
            self.analysis.budget.pay_to_read(definition.len())?;
            let tokens = lex::lex(definition, true).unwrap_or_default();
            identifiers(&tokens).for_each(|name| self.add(name, false));
        }
        self.analysis
            .budget
            .pay(self.snapshot().relations().len() / RELATIONS_IN_A_STEP)?;
        for reached in self.snapshot().reached_from(relation.oid) {
            self.add(&reached.name, false);
        }
        Ok(())
    }
}
