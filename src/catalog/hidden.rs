//! Functions that run without being called by name: those of operators and of casts that have been
//! defined. Which one a statement means, the types decide, and nothing in its text needs to name a
//! cast; so they are known by the names that a statement must have for one of them to run: of the
//! operator, or of something that gives a value of the type.

use std::collections::HashMap;
use std::sync::Arc;

use super::snapshot::ByOid;
use super::{Function, Oid, Relation, Returns, Snapshot};

/// Stands for a type of which no more is known than that ids are never shown as it.
pub const OTHER_TYPE: u32 = u32::MAX;

/// What an operator or a cast runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Callee {
    /// A function of the user.
    Defined(Oid),
    /// One of Postgres's own.
    BuiltIn(Box<str>),
}

/// A function that may run without being called by name.
#[derive(Debug, Clone, Copy)]
pub enum HiddenCall<'a> {
    /// It is one of the user.
    Defined(&'a Function),
    /// It is one of Postgres's own, of this name.
    BuiltIn(&'a str),
}

impl<'a> HiddenCall<'a> {
    /// The name of the function.
    #[must_use]
    pub fn name(self) -> &'a str {
        match self {
            Self::Defined(function) => &function.name,
            Self::BuiltIn(name) => name,
        }
    }
}

/// What operators and casts run.
#[derive(Debug, Default, Clone)]
pub(super) struct Hidden {
    /// By the name of the operator, or of a type of which a cast takes values.
    by_name: HashMap<String, Vec<Callee>>,
    /// What casts run: by the type of which a value is there then. The type 0 is any.
    casts: HashMap<Oid, Vec<Callee>>,
    /// Stands for the transactions that have defined operators and casts last.
    pub(super) version: u64,
}

impl Hidden {
    /// Takes note of what may run where a name stands.
    pub(super) fn hide(&mut self, name: &str, callee: Callee) {
        self.by_name
            .entry(name.to_owned())
            .or_default()
            .push(callee);
    }

    /// Takes note of what may run where there is a value of a type.
    pub(super) fn hide_in_casts(&mut self, type_oid: Oid, callee: Callee) {
        self.casts.entry(type_oid).or_default().push(callee);
    }

    /// Whether any cast runs a function.
    pub(super) fn has_casts(&self) -> bool {
        !self.casts.is_empty()
    }

    /// Takes note that rows and arrays of rows hold what the columns of their relations are of.
    pub(super) fn hide_in_rows(
        &mut self,
        row_types: &HashMap<Oid, (Oid, bool)>,
        relations: &ByOid<Arc<Relation>>,
    ) {
        loop {
            let is_new = |(oid, _): &(&Oid, &(Oid, bool))| !self.casts.contains_key(oid);
            let found = row_types.iter().filter(is_new).find_map(|(oid, (of, _))| {
                let callees = self.of_columns(relations.get(of)?).cloned();
                let callees: Vec<_> = callees.collect();
                (!callees.is_empty()).then_some((*oid, callees))
            });
            let Some((oid, callees)) = found else {
                return;
            };
            self.casts.insert(oid, callees);
        }
    }

    fn of_type(&self, type_oid: Oid) -> &[Callee] {
        self.casts.get(&type_oid).map_or(&[], Vec::as_slice)
    }

    fn of_columns(&self, relation: &Relation) -> impl Iterator<Item = &Callee> {
        let columns = relation.columns.iter();
        columns.flat_map(|column| self.of_type(column.type_oid))
    }
}

/// What domains run by their checks and defaults.
#[derive(Debug, Default, Clone)]
pub(super) struct Checks {
    /// By the names of the types that hold values of these domains.
    by_name: HashMap<String, Vec<Oid>>,
    /// By those types.
    by_type: HashMap<Oid, Vec<Oid>>,
}

impl Checks {
    /// Takes note of a function that runs for values of a type.
    pub(super) fn add(&mut self, name: &str, type_oid: Oid, function: Oid) {
        let named = self.by_name.entry(name.to_owned()).or_default();
        named.push(function);
        self.by_type.entry(type_oid).or_default().push(function);
    }

    /// The functions that run for values of a type.
    pub(super) fn of(&self, type_oid: Oid) -> &[Oid] {
        self.by_type.get(&type_oid).map_or(&[], Vec::as_slice)
    }
}

impl Snapshot {
    /// The functions that run where a value is made one of a type of this name.
    pub fn checked_by(&self, name: &str) -> impl Iterator<Item = Oid> {
        let named = self.functions.checks.by_name.get(name);
        named.into_iter().flatten().copied()
    }

    /// Whether operators or casts have been defined that run functions.
    #[must_use]
    pub fn has_hidden_calls(&self) -> bool {
        let hidden = &self.functions.hidden;
        !hidden.by_name.is_empty() || hidden.has_casts()
    }

    /// Whether an operator or a cast in a text may run a function that somebody may replace: neither
    /// Postgres's own nor a compiled one.
    #[must_use]
    pub fn may_run_hidden(&self, text: &str) -> bool {
        let hidden = &self.functions.hidden;
        let runs = |callees: &Vec<Callee>| {
            let mut calls = callees.iter().filter_map(|callee| self.call(callee));
            calls.any(|call| matches!(call, HiddenCall::Defined(function) if !function.compiled))
        };
        let mut named = hidden.by_name.iter();
        hidden.casts.values().any(runs)
            || named.any(|(name, callees)| text.contains(name) && runs(callees))
    }

    /// The functions that may run in a statement where a name stands, be it of an operator, a type, a
    /// relation or a function.
    pub fn hidden_behind(&self, name: &str) -> impl Iterator<Item = HiddenCall<'_>> {
        let hidden = &self.functions.hidden;
        let named = hidden.by_name.get(name).into_iter().flatten();
        let mut found: Vec<&Callee> = named.collect();
        if hidden.has_casts() {
            for relation in self.named(name) {
                found.extend(hidden.of_columns(relation));
            }
            for function in self.functions.of_user(None, name) {
                found.extend(self.of_function(function));
            }
        }
        found.into_iter().filter_map(|callee| self.call(callee))
    }

    /// The names of operators, and of types with casts, by which functions run that are such; and
    /// whether any runs where no name tells.
    pub fn run_by(&self, is: impl Fn(&Function) -> bool) -> (Vec<&str>, bool) {
        let hidden = &self.functions.hidden;
        let runs = |callee: &Callee| {
            let call = self.call(callee);
            matches!(call, Some(HiddenCall::Defined(function)) if is(function))
        };
        let named = hidden.by_name.iter();
        let named = named.filter(|(_, callees)| callees.iter().any(runs));
        let named = named.map(|(name, _)| name.as_str()).collect();
        (named, hidden.casts.values().flatten().any(runs))
    }

    /// Stands for which operators and casts have been defined, and by which transactions.
    #[must_use]
    pub fn hidden_version(&self) -> u64 {
        self.functions.hidden.version
    }

    /// The functions that casts may run in a statement with parameters of these types, whatever it
    /// names; [`OTHER_TYPE`] may be any.
    pub fn hidden_in_casts(&self, declared: &[u32]) -> impl Iterator<Item = HiddenCall<'_>> {
        let hidden = &self.functions.hidden;
        let callees: Vec<&Callee> = match declared.contains(&OTHER_TYPE) {
            true => hidden.casts.values().flatten().collect(),
            false => {
                let any = std::iter::once(0).chain(declared.iter().copied());
                any.flat_map(|oid| hidden.of_type(Oid(oid))).collect()
            }
        };
        callees.into_iter().filter_map(|callee| self.call(callee))
    }

    /// What casts may run over the values that a function takes and returns.
    fn of_function(&self, function: &Function) -> Vec<&Callee> {
        let hidden = &self.functions.hidden;
        let mut found = Vec::new();
        for argument in &function.arguments {
            found.extend(hidden.of_type(argument.type_oid));
        }
        match &function.returns {
            Returns::Value(value) => found.extend(hidden.of_type(value.type_oid)),
            Returns::Columns(columns) => {
                let types = columns.iter().map(|column| column.type_oid);
                found.extend(types.flat_map(|type_oid| hidden.of_type(type_oid)));
            }
            Returns::Row(relation) => {
                let relation = self.relation(*relation).into_iter();
                found.extend(relation.flat_map(|relation| hidden.of_columns(relation)));
            }
            Returns::Record => {}
        }
        found
    }

    fn call<'a>(&'a self, callee: &'a Callee) -> Option<HiddenCall<'a>> {
        match callee {
            Callee::BuiltIn(name) => Some(HiddenCall::BuiltIn(name)),
            Callee::Defined(oid) => self.functions.function(*oid).map(HiddenCall::Defined),
        }
    }
}
