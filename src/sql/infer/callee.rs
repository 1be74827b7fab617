//! What the name of a call means: one of Postgres's own functions, one of the user, or either.

use sqlparser::ast::ObjectName;

use crate::catalog::FunctionKind;
use crate::pg::functions::{self, Builtin, Effect, Home, Rule};

use super::{Binder, Check};

/// The function that a name means.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callee<'n> {
    pub(super) schema: Option<&'n str>,
    pub(super) name: &'n str,
    /// Whether it may be a function of the user, whatever the arguments are.
    pub(super) is_own: bool,
    /// Where it leads if it is none of the user.
    pub(super) otherwise: FunctionKind,
    /// What is known of Postgres's own function of this name, if the name may mean that.
    pub(super) builtin: Option<&'static Builtin>,
}

impl Callee<'_> {
    /// Postgres's own function, if it is no other.
    pub(super) fn only_builtin(&self) -> Option<&'static Builtin> {
        self.builtin.filter(|_| !self.is_own)
    }

    /// What Postgres's own function does with ids.
    pub(super) fn rule(&self) -> Option<Rule> {
        self.builtin?.rule
    }

    /// Whether Postgres's own function does this beside computing.
    pub(super) fn does(&self, effect: Effect) -> bool {
        self.builtin.is_some_and(|builtin| builtin.effect == effect)
    }

    /// The version of the uuids that it makes.
    pub(super) fn makes_uuid(&self) -> Option<u8> {
        self.builtin?.effect.makes_uuid()
    }
}

impl Binder<'_> {
    /// What a name means where it is called.
    pub(super) fn callee<'n>(&self, name: &'n ObjectName) -> Check<Callee<'n>> {
        let (schema, function) = self.relation_name(name)?;
        Ok(self.callee_of(schema, function))
    }

    pub(super) fn callee_of<'n>(&self, schema: Option<&'n str>, name: &'n str) -> Callee<'n> {
        let functions = self.context.snapshot.functions();
        let builtin = functions::named(name).filter(|builtin| {
            builtin.home != Home::Extension && matches!(schema, None | Some("pg_catalog"))
        });
        Callee {
            schema,
            name,
            is_own: functions.kind(schema, name) == FunctionKind::Opaque,
            otherwise: functions.built_in(schema, name),
            builtin,
        }
    }
}
