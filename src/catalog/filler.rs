//! What fills a column that is given no value: its own default, or that of its domain. The catalogs
//! tell of both in the same form, and all that is asked about defaults is answered here: which
//! sequences they draw from, and which functions they call.
//!
//! What triggers write is not told.

use super::keys::Filled;
use super::row::{oid_of, oids};
use super::{Oid, told::Common};

/// An expression that fills a column.
#[derive(Debug, Default, Clone)]
pub(super) struct Filler {
    /// The sequences that it names.
    sequences: Vec<Oid>,
    /// The names of the functions that it calls.
    functions: Box<str>,
    /// Those of them that somebody has defined.
    defined: Box<[Oid]>,
    /// It takes the next number of a sequence.
    takes_next: bool,
}

impl Filler {
    /// Takes what is told of it: a kind, and the fields behind that which says whose it is.
    pub(super) fn record(&mut self, kind: &str, fields: &[Option<&str>]) -> Option<()> {
        match (kind, fields) {
            ("draws" | "domain draws", [sequence]) => self.sequences.push(oid_of(*sequence)?),
            ("filled" | "domain filled", [names, defined]) => {
                let names = (*names)?;
                self.takes_next = names.split(' ').any(|name| name == "nextval");
                self.functions = names.into();
                self.defined = oids(defined.unwrap_or(""))?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The sequences that it draws from; none stands for one that it finds by its name when it is
    /// evaluated, which may be any.
    pub(super) fn draws(&self) -> impl Iterator<Item = Option<Oid>> {
        let finds_one = self.takes_next && self.sequences.is_empty();
        let named = self.sequences.iter().copied().map(Some);
        named.chain(finds_one.then_some(None))
    }

    /// Whether it calls functions that somebody has defined.
    pub(super) fn calls_defined(&self) -> bool {
        !self.defined.is_empty()
    }

    /// What it tells of keys.
    pub(super) fn filled(&self, shared: &Common) -> Filled<'_> {
        let mut defined = self.defined.iter();
        Filled {
            identity: false,
            counted: self.takes_next || !self.sequences.is_empty(),
            functions: (!self.functions.is_empty()).then_some(&*self.functions),
            unknown: defined.any(|function| !shared.calm.contains(function)),
        }
    }
}
