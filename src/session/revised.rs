//! Whether what a text means has been defined anew between two pictures, be it as before: in between it
//! may have meant anything, and the server may have answered by that. The catalogs don't show what
//! was there then, but by which transaction each of their rows was written.

use std::collections::HashSet;

use crate::catalog::{Code, Function, HiddenCall, Relation, SearchPath, Snapshot};
use crate::sql;

/// Two pictures, and where names are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Revisions<'a> {
    pub(super) then: &'a Snapshot,
    pub(super) now: &'a Snapshot,
    /// Anywhere, if it is not known.
    pub(super) path: Option<&'a SearchPath>,
}

impl Revisions<'_> {
    /// Whether there is one of anything that a text names, or that is read by way of that: by the
    /// query of a view, a rule, a function.
    pub(super) fn concern(&self, text: &[u8]) -> bool {
        let mut pending = vec![String::from_utf8_lossy(text)];
        let mut known = HashSet::new();
        while let Some(text) = pending.pop() {
            let names: HashSet<String> = sql::possible_names(&text).collect();
            let named = Named {
                names: &names,
                path: self.path,
            };
            if self.concern_hidden(&text, &named) || self.concern_unreadable(&text, &named) {
                return true;
            }
            for name in &names {
                for relation in self
                    .then
                    .named(name)
                    .filter(|of| named.may_mean(&of.schema))
                {
                    if self.is_revised(relation, &named) {
                        return true;
                    }
                    if known.insert(relation.oid) {
                        let rules = relation.rules.iter().map(|rule| &rule.definition);
                        let texts = relation.definition.iter().chain(rules);
                        pending.extend(texts.map(|text| text.to_string().into()));
                    }
                }
                let functions = self.then.functions().of_user(None, name);
                for function in functions.filter(|of| named.may_mean(&of.schema)) {
                    if self.is_redefined(function) {
                        return true;
                    }
                    if known.insert(function.oid)
                        && let Code::Sql(code) | Code::Atomic(code) | Code::Other(code) =
                            &function.code
                    {
                        pending.push(code.to_string().into());
                    }
                }
            }
        }
        false
    }

    /// What is gone has perhaps been made anew under its name.
    fn is_revised(&self, relation: &Relation, named: &Named<'_>) -> bool {
        let later = self.now.relation(relation.oid);
        let is_meant = |column: &str| named.names.contains(column);
        later.is_none_or(|later| relation.is_revised_in(later, is_meant))
    }

    fn is_redefined(&self, function: &Function) -> bool {
        let mut later = self.now.functions().of_user(None, &function.name);
        let later = later.find(|later| later.oid == function.oid);
        later.is_none_or(|later| later.version != function.version)
    }

    /// Whether a function has been that runs unasked, for an operator or a cast.
    fn concern_hidden(&self, text: &str, named: &Named<'_>) -> bool {
        if !self.then.has_hidden_calls() {
            return false;
        }
        let hiding = self.then.hiding_names().filter(|name| text.contains(*name));
        let names = hiding.chain(named.names.iter().map(String::as_str));
        let mut calls = names
            .flat_map(|name| self.then.hidden_behind(name))
            .chain(self.then.hidden_in_casts(&[]));
        calls.any(|call| match call {
            HiddenCall::Defined(function) => self.is_redefined(function),
            HiddenCall::BuiltIn(_) => false,
        })
    }

    /// Whether anything has been whose name can't be told in this text.
    fn concern_unreadable(&self, text: &str, named: &Named<'_>) -> bool {
        let (is_spelled, is_ascii) = (text.contains("&\""), text.is_ascii());
        if !is_spelled && is_ascii && !text.contains("\"\"") {
            return false;
        }
        let is_meant = |name: &str, schema: &str| {
            let may_be = is_spelled || !is_ascii && !name.is_ascii() || name.contains('"');
            may_be && named.may_mean(schema)
        };
        let mut relations = self.then.relations();
        relations.any(|of| is_meant(&of.name, &of.schema) && self.is_revised(of, named))
            || self
                .then
                .functions()
                .all_of_user()
                .any(|of| is_meant(&of.name, &of.schema) && self.is_redefined(of))
    }
}

/// What a text names, and where its names are looked for.
struct Named<'a> {
    names: &'a HashSet<String>,
    path: Option<&'a SearchPath>,
}

impl Named<'_> {
    /// Whether a name may be one of a schema.
    fn may_mean(&self, schema: &str) -> bool {
        let on_path = |path: &SearchPath| path.schemas().any(|known| known == schema);
        self.names.contains(schema) || self.path.is_none_or(on_path)
    }
}
