//! What is defined in the database and runs with a statement (the query of a view, the body of a
//! function, the parts of a rule) is read by a binder of its own. Whatever the kind, it is bound in
//! the same way, and leaves the same behind in the binder of the statement.

use crate::catalog::{Oid, SearchPath};
use crate::sql::lex::Token;
use crate::sql::plan::PathChange;
use crate::sql::scope::Output;

use super::{Binder, Check, Occurrence, Value};

/// How deep definitions may nest.
const DEEPEST: usize = 16;

/// A definition, or a part of one that is read by itself.
pub(super) struct Definition<'r> {
    /// The relation or function that is defined.
    pub(super) oid: Oid,
    /// Whether that lies in a schema for temporary objects.
    pub(super) own: bool,
    pub(super) text: &'r str,
    pub(super) tokens: &'r [Token<'r>],
    /// Where its names are looked for.
    pub(super) path: &'r SearchPath,
}

impl<'a> Binder<'a> {
    /// Whether a definition that is being read so many times already, or others around it, nest too
    /// deep.
    pub(super) fn nests_too_deep(&self, of: Oid, most: usize) -> bool {
        let here = self.views.iter().filter(|read| **read == of);
        here.count() >= most || self.views.len() >= DEEPEST
    }

    /// A binder for a definition. What it finds [`Self::absorb`] takes.
    pub(super) fn reader<'r>(&self, definition: &Definition<'r>) -> Binder<'r>
    where
        'a: 'r,
    {
        let Definition {
            oid,
            own,
            text,
            tokens,
            path,
        } = *definition;
        let mut inner = Binder::new(self.context, path, (text, tokens), self.budget);
        inner.types.in_definition = true;
        inner.types.own = own;
        inner.depth = self.depth;
        inner.caller_path = self.caller_path;
        inner.views = self.views.clone();
        inner.views.push(oid);
        inner
    }

    /// Takes what the walk over a definition has found, also where it has not come to its end:
    /// the server does what is defined all the same. Gives what the walk gave, or why nobody can
    /// tell what the definition does.
    ///
    /// # Errors
    /// If the statement is too complex.
    pub(super) fn absorb(
        &mut self,
        inner: &Binder<'_>,
        walked: Check<Vec<Output>>,
    ) -> Check<Result<Vec<Output>, String>> {
        self.protected |= inner.protected;
        self.unanalysed |= inner.unanalysed;
        self.orders |= inner.orders_ids();
        self.writes |= inner.writes;
        self.late |= inner.late;
        if inner.path_change != PathChange::Unchanged {
            self.path_change = PathChange::Unknown;
        }
        self.budget.check()?;
        Ok(match walked {
            Err(refusal) => Err(refusal.message),
            Ok(_) if inner.has_own_constants() => Err("it uses a constant as an id".to_owned()),
            Ok(_) if inner.types.contradiction().is_some() => {
                Err("it uses JSON with ids in it as something else".to_owned())
            }
            Ok(outputs) => Ok(outputs),
        })
    }

    /// Whether a definition of the session's own uses constants as ids: those it has written
    /// itself, and as keys.
    fn has_own_constants(&self) -> bool {
        let mut constants = self.occurrences.iter();
        self.types.own
            && (constants.any(|one| self.types.has_id(one.node) && !self.is_own_parameter(one))
                || !self.readings.is_empty()
                || !self.lists.is_empty())
    }

    /// Whether it is a parameter of the function whose body is read.
    const fn is_own_parameter(&self, one: &Occurrence) -> bool {
        self.parameters.is_some() && matches!(one.value, Value::Parameter { .. })
    }
}
