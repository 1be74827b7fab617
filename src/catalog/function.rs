//! The functions of a database: the names of `pg_catalog`'s, and of each function of the user what
//! its definition says. What follows from that for ids is the analysis's business.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::hidden::{Checks, Hidden};
use super::{IdColumn, Oid, SearchPath};
use crate::pg::functions::{computes, is_syntax, may_return_data};
use crate::pg::oid;

/// A function or aggregate of the user.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its oid.
    pub oid: Oid,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// The arguments of a call.
    pub arguments: Vec<Argument>,
    /// How many of the last arguments may be left out.
    pub defaults: usize,
    /// Whether these have constants for defaults.
    pub plain_defaults: bool,
    /// Whether the last argument may be repeated.
    pub variadic: bool,
    /// Whether it is marked as one whose result depends on its arguments alone. Nobody checks that.
    pub immutable: bool,
    /// Whether it may change rows: Postgres lets no other one do so by itself.
    pub volatile: bool,
    /// Whether it is compiled: one of an extension, or of Postgres, which superusers alone install.
    pub compiled: bool,
    /// Whether its code mentions settings by which later statements are read.
    pub changes_settings: bool,
    /// Whether it runs under settings or a role of its own.
    pub altered: bool,
    /// Whether it looks for names by a path of its own.
    pub has_path: bool,
    /// What it may do with cursors, by the words in its code.
    pub cursors: Cursors,
    /// What it returns.
    pub returns: Returns,
    /// What it runs, as far as that is known.
    pub code: Code,
    /// What the configuration says of it.
    pub declared: Option<Declared>,
    /// The part of it that is not what the configuration says: no call of it can be judged.
    pub misfit: Option<String>,
    /// Stands for the transactions that have defined it last.
    pub version: u64,
    /// Stands for the transaction that has named its schema last, or said who may use that.
    pub schema_version: u64,
}

/// An argument or a result column of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The name; empty if it has none.
    pub name: String,
    /// The type; the base type of a domain.
    pub type_oid: Oid,
    /// Whether the type is an enumeration.
    pub is_enum: bool,
}

/// What a function returns, once or in a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returns {
    /// A value. Its name is that of the only OUT argument, or empty.
    Value(Argument),
    /// A row of this relation.
    Row(Oid),
    /// A row of these columns: RETURNS TABLE, or several OUT arguments.
    Columns(Vec<Argument>),
    /// A row whose columns the call says.
    Record,
}

/// What code may do with the cursors of its session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cursors {
    /// It does nothing with them.
    #[default]
    Left,
    /// It may open one where there is none of its name.
    Opened,
}

/// What a function runs.
#[derive(Debug, Clone)]
pub enum Code {
    /// Unknown.
    Hidden,
    /// SQL that Postgres reads at the call, under the search path of the session.
    Sql(Arc<str>),
    /// SQL that Postgres has read when the function was created, as a query.
    Atomic(Arc<str>),
    /// Code of another language.
    Other(Arc<str>),
}

/// What the configuration says of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The arguments: which are ids.
    pub arguments: Vec<Option<IdColumn>>,
    /// The result.
    pub result: DeclaredResult,
}

/// What the configuration says of the result of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredResult {
    /// A value, or a row without ids.
    Value(Option<IdColumn>),
    /// A row; its columns, of which those are ids.
    Columns(Vec<(String, Option<IdColumn>)>),
}

/// What is known of the functions of a database.
#[derive(Debug, Default, Clone)]
pub struct Functions {
    /// The functions of the user, by name.
    pub(super) by_name: HashMap<String, Vec<Function>>,
    /// The names of all of these.
    names: HashMap<Oid, Box<str>>,
    /// All names in `pg_catalog`, of types too.
    pub(super) built_in: HashSet<String>,
    /// The names of types of the user, which can be called like functions to cast a value.
    pub(super) types: HashSet<String>,
    /// The domains by name: the schema of each, and the type that it is over.
    pub(super) domains: HashMap<String, Vec<(String, Oid)>>,
    /// What operators and casts run.
    pub(super) hidden: Hidden,
    /// What domains run.
    pub(super) checks: Checks,
    /// The operators that the user has defined over Postgres's own types, by name, with the types
    /// of their two sides. Which one a statement means, the types and the search path decide.
    redefined: HashMap<String, Vec<(Oid, Oid)>>,
    /// The names of relations, types and operators where code runs unasked that may change settings
    /// by which later statements are read: whether only if something is written.
    setters: HashMap<String, bool>,
    /// What any function of the user may do with cursors.
    cursors: Cursors,
    /// The SQLSTATEs that stand as literals in functions of the user.
    pub(super) raised: HashSet<String>,
    /// Names in `pg_catalog` of which at least one variant is volatile.
    pub(super) volatile: HashSet<String>,
}

/// Where a function name leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    /// To `pg_catalog`, or to a cast.
    BuiltIn {
        /// Whether it may return data that is not its arguments'.
        returns_data: bool,
    },
    /// To a function of the user, and perhaps to one of `pg_catalog` too.
    Opaque,
    /// Nowhere, or to a function that is younger than the snapshot.
    Unknown,
}

impl FunctionKind {
    /// A name of `pg_catalog`, of which a variant may be volatile.
    fn built_in(name: &str, volatile: bool) -> Self {
        Self::BuiltIn {
            returns_data: may_return_data(name, volatile),
        }
    }

    /// Whether it leads to nothing but `pg_catalog`, or a cast.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        matches!(self, Self::BuiltIn { .. })
    }
}

impl Function {
    /// Whether it is one of an extension that computes of its arguments, and reads nothing.
    #[must_use]
    pub fn computes_alone(&self) -> bool {
        let is_said = self.declared.is_some() || self.misfit.is_some();
        self.compiled && self.immutable && !is_said && !super::is_temporary(&self.schema)
    }

    /// Whether triggers alone call it.
    #[must_use]
    pub fn is_of_triggers(&self) -> bool {
        matches!(&self.returns, Returns::Value(value) if value.type_oid == Oid(oid::TRIGGER))
    }

    /// Whether a call with so many arguments may mean it.
    #[must_use]
    pub fn takes(&self, count: usize) -> bool {
        let all = self.arguments.len();
        let least = all.saturating_sub(self.defaults.max(usize::from(self.variadic)));
        count >= least && (count <= all || self.variadic)
    }

    /// The place of an argument that a call names.
    #[must_use]
    pub fn position(&self, argument: &str) -> Option<usize> {
        let named = |known: &Argument| known.name == argument;
        self.arguments.iter().position(named)
    }
}

/// An argument or a result of a function in whose place clients see another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShownPart {
    /// The oid of the function.
    pub function: Oid,
    /// Which part.
    pub part: Part,
    /// The oid of the type that clients see.
    pub shown: u32,
}

/// A part of the signature of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// An argument of a call, from 1.
    Argument(u16),
    /// A column of the result, from 1.
    Column(u16),
    /// The result, as a value.
    Result,
}

impl Functions {
    /// The parts of declared functions in whose place clients see another type, in one order.
    #[must_use]
    pub fn shown_otherwise(&self) -> Vec<ShownPart> {
        let declared = self.by_name.values().flatten();
        let mut parts: Vec<ShownPart> = declared.flat_map(shown_parts).collect();
        parts.sort_unstable();
        parts
    }

    /// The names of the functions that have such parts.
    pub fn names_shown_otherwise(&self) -> impl Iterator<Item = &str> {
        let named = self.by_name.iter();
        let shown = named.filter(|(_, named)| named.iter().any(|of| !shown_parts(of).is_empty()));
        shown.map(|(name, _)| name.as_str())
    }

    /// Takes note of a domain.
    pub(super) fn add_domain(&mut self, schema: &str, name: &str, oid: Oid) {
        let known = self.domains.entry(name.to_owned()).or_default();
        known.push((schema.to_owned(), oid));
    }

    /// The type that a domain is over which a possibly qualified name means.
    #[must_use]
    pub fn domain(&self, schema: Option<&str>, name: &str, path: &SearchPath) -> Option<Oid> {
        let known = self.domains.get(name)?;
        let in_schema = |schema: &str| {
            let found = known.iter().find(|(of, _)| of == schema);
            found.map(|(_, base)| *base)
        };
        match schema {
            Some(schema) => in_schema(schema),
            None => path.schemas().find_map(in_schema),
        }
    }

    /// Whether a domain of any schema has this name.
    #[must_use]
    pub fn has_domain(&self, name: &str) -> bool {
        self.domains.contains_key(name)
    }

    pub(super) fn add(&mut self, function: Function) {
        self.cursors = self.cursors.max(function.cursors);
        let name = function.name.as_str().into();
        self.names.insert(function.oid, name);
        let known = self.by_name.entry(function.name.clone()).or_default();
        known.push(function);
    }

    /// Whether there is a function or a domain of the same name in another schema.
    pub(super) fn has_namesake(&self, schema: &str, name: &str) -> bool {
        let mut functions = self.by_name.get(name).into_iter().flatten();
        let mut domains = self.domains.get(name).into_iter().flatten();
        self.is_built_in(name)
            || functions.any(|other| other.schema != schema)
            || domains.any(|(other, _)| other != schema)
    }

    /// Takes note that a function may change settings.
    pub(super) fn changes_settings(&mut self, oid: Oid) {
        let name = self.names.get(&oid);
        let named = name.and_then(|name| self.by_name.get_mut(&**name));
        let mut named = named.into_iter().flatten();
        if let Some(function) = named.find(|function| function.oid == oid) {
            function.changes_settings = true;
        }
    }

    /// Takes note that code which may change settings runs where this name stands, perhaps only if
    /// something is written.
    pub(super) fn note_setter(&mut self, name: &str, only_written: bool) {
        let known = self.setters.entry(name.to_owned()).or_insert(only_written);
        *known &= only_written;
    }

    /// Whether code that may change settings runs unasked in a statement with this name, of a
    /// relation, a type or an operator.
    #[must_use]
    pub fn sets(&self, name: &str, writes: bool) -> bool {
        let only_written = self.setters.get(name);
        only_written.is_some_and(|only_written| writes || !only_written)
    }

    /// All such names, and those of functions that may change settings.
    pub fn setters(&self) -> impl Iterator<Item = &str> {
        let functions = self.all_of_user().filter(|of| of.changes_settings);
        let functions = functions.map(|of| of.name.as_str());
        functions.chain(self.setters.keys().map(String::as_str))
    }

    /// What code of the user may do with cursors.
    #[must_use]
    pub const fn cursors(&self) -> Cursors {
        self.cursors
    }

    /// Whether there is any such name.
    #[must_use]
    pub fn has_setters(&self) -> bool {
        !self.setters.is_empty()
    }

    /// Takes note of an operator over Postgres's own types that is not Postgres's own.
    pub(super) fn redefine(&mut self, operator: &str, types: (Oid, Oid)) {
        let known = self.redefined.entry(operator.to_owned()).or_default();
        known.push(types);
    }

    /// The types of the two sides of such operators.
    #[must_use]
    pub fn redefined(&self, operator: &str) -> &[(Oid, Oid)] {
        self.redefined.get(operator).map_or(&[], Vec::as_slice)
    }

    /// Whether an SQLSTATE stands as a literal in a function of the user, which then may raise it.
    #[must_use]
    pub fn raise(&self, code: &str) -> bool {
        self.raised.contains(code)
    }

    /// What a call of this name may run. A name that the user has defined counts as the user's
    /// even where `pg_catalog` has it too, for the arguments decide between the two. The search
    /// path is left out of account for the same reason.
    #[must_use]
    pub fn kind(&self, schema: Option<&str>, name: &str) -> FunctionKind {
        let built_in = self.built_in(schema, name);
        if schema == Some("pg_catalog") || self.of_user(schema, name).next().is_none() {
            return built_in;
        }
        FunctionKind::Opaque
    }

    /// What a call of this name may run if it runs no function of the user.
    #[must_use]
    pub fn built_in(&self, schema: Option<&str>, name: &str) -> FunctionKind {
        if schema == Some("information_schema") {
            // Helpers of its views, which compute on their arguments alone.
            return FunctionKind::built_in(name, false);
        }
        let in_catalog = self.built_in.contains(name) || (schema.is_none() && is_syntax(name));
        if in_catalog && matches!(schema, None | Some("pg_catalog")) {
            FunctionKind::built_in(name, self.volatile.contains(name))
        } else if self.types.contains(name) {
            FunctionKind::built_in(name, false)
        } else {
            FunctionKind::Unknown
        }
    }

    /// Whether a function of this name may do more than to compute.
    pub(crate) fn may_change(&self, name: &str) -> bool {
        let is_built_in = self.volatile.contains(name) && !computes(name);
        is_built_in || self.of_user(None, name).any(|function| function.volatile)
    }

    /// Whether `pg_catalog` has a function or a type of this name.
    pub(super) fn is_built_in(&self, name: &str) -> bool {
        self.built_in.contains(name)
    }

    /// Whether there are functions in a schema.
    pub(crate) fn are_in(&self, schema: &str) -> bool {
        let mut all = self.by_name.values().flatten();
        all.any(|function| function.schema == schema)
    }

    /// The functions of the user of this name. `pg_temp` may be any of the schemas for temporary
    /// objects.
    pub fn of_user(&self, schema: Option<&str>, name: &str) -> impl Iterator<Item = &Function> {
        let in_schema = move |function: &&Function| {
            schema.is_none_or(|schema| {
                function.schema == schema
                    || (schema == "pg_temp" && function.schema.starts_with("pg_temp_"))
            })
        };
        let known = self.by_name.get(name).into_iter().flatten();
        known.filter(in_schema)
    }

    /// The function of the user that has this oid.
    #[must_use]
    pub fn function(&self, oid: Oid) -> Option<&Function> {
        let named = self.by_name.get(&**self.names.get(&oid)?)?;
        named.iter().find(|function| function.oid == oid)
    }

    /// All functions of the user.
    pub fn all_of_user(&self) -> impl Iterator<Item = &Function> {
        self.by_name.values().flatten()
    }

    /// Whether a word could be the name of a function that may return anything.
    #[must_use]
    pub fn is_opaque(&self, name: &str) -> bool {
        self.kind(None, name) == FunctionKind::Opaque
    }
}

/// The parts of a function in whose place clients see another type.
fn shown_parts(function: &Function) -> Vec<ShownPart> {
    let mut parts = Vec::new();
    let Some(declared) = &function.declared else {
        return parts;
    };
    let mut add = |part, id: Option<IdColumn>| {
        if let Some(shown) = id.and_then(IdColumn::shown_otherwise) {
            parts.push(ShownPart {
                function: function.oid,
                part,
                shown,
            });
        }
    };
    for (index, id) in (1..).zip(&declared.arguments) {
        add(Part::Argument(index), *id);
    }
    match (&declared.result, &function.returns) {
        (DeclaredResult::Value(id), _) => {
            add(Part::Result, *id);
            // The same as that of an OUT argument, if there is one.
            add(Part::Column(1), *id);
        }
        // What a relation's columns are, it says itself.
        (DeclaredResult::Columns(columns), Returns::Columns(_)) => {
            for (index, (_, id)) in (1..).zip(columns) {
                add(Part::Column(index), *id);
            }
        }
        (DeclaredResult::Columns(_), _) => {}
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(arguments: usize, defaults: usize, variadic: bool) -> Function {
        let argument = Argument {
            name: String::new(),
            type_oid: Oid(20),
            is_enum: false,
        };
        Function {
            oid: Oid(1),
            schema: "public".to_owned(),
            name: "f".to_owned(),
            arguments: vec![argument; arguments],
            defaults,
            plain_defaults: true,
            variadic,
            immutable: false,
            volatile: true,
            compiled: false,
            changes_settings: false,
            altered: false,
            has_path: false,
            cursors: Cursors::Left,
            returns: Returns::Record,
            code: Code::Hidden,
            declared: None,
            misfit: None,
            version: 0,
            schema_version: 0,
        }
    }

    #[test]
    fn a_call_may_leave_out_defaults_and_repeat_the_last() {
        let counts = |function: &Function| {
            (0..5)
                .filter(|count| function.takes(*count))
                .collect::<Vec<_>>()
        };
        assert_eq!(counts(&function(2, 0, false)), [2]);
        assert_eq!(counts(&function(2, 1, false)), [1, 2]);
        assert_eq!(counts(&function(2, 0, true)), [1, 2, 3, 4]);
    }

    #[test]
    fn a_name_of_both_is_the_user_s() {
        let mut functions = Functions::default();
        functions.built_in.insert("f".to_owned());
        assert!(!functions.is_opaque("f"));
        functions.add(function(1, 0, false));
        assert!(functions.is_opaque("f"));
        let in_catalog = functions.kind(Some("pg_catalog"), "f");
        assert_eq!(in_catalog, FunctionKind::built_in("f", false));
    }
}
