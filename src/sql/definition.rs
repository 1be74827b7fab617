//! What a session defines for itself, in its temporary schema: whoever may do that could have the
//! database compute with keys as he likes, and tell by an error or a default what has come of it.
//!
//! What is asked for by its name (a view, a function, a rule) is judged where it is used, like the
//! statement of a client. Here is refused what runs unasked.

use super::implicit_calls::hidden_calls;
use super::lex::{Brackets, TokenKind, identifiers, identifiers_in_body};
use super::plan::Vain;
use super::refusal::Refusal;
use super::statement::Analysis;
use crate::catalog::{HiddenCall, Relation, RelationKind, SearchPath, is_temporary};
use crate::pg::functions::reads_data;

/// Words of a definition behind which something is computed, or counted.
const COMPUTING: &[&str] = &[
    "bigserial",
    "check",
    "default",
    "exclude",
    "generated",
    "identity",
    "partition",
    "restart",
    "serial",
    "serial2",
    "serial4",
    "serial8",
    "smallserial",
    "where",
];

/// Words of the definition of a table without which it computes nothing, whatever the types of its
/// columns are.
const EXPRESSING: &[&str] = &[
    "check",
    "default",
    "exclude",
    "generated",
    "like",
    "partition",
    "type",
    "using",
    "where",
];

/// What may stand between CREATE and the kind of what is created.
const MODIFIERS: &[&str] = &[
    "or",
    "replace",
    "temp",
    "temporary",
    "unlogged",
    "global",
    "local",
    "unique",
    "constraint",
    "recursive",
];

/// Words behind which a relation is named, perhaps with its columns.
const NAMING: &[&str] = &[
    "exists",
    "inherits",
    "like",
    "of",
    "on",
    "only",
    "references",
    "table",
];

/// Relations that may be temporary.
const RELATIONS: &[&str] = &["table", "view", "sequence"];

/// What else lies in a schema, by the name that it is given.
const PLACED: &[&str] = &[
    "aggregate",
    "collation",
    "domain",
    "function",
    "operator",
    "procedure",
    "routine",
    "statistics",
    "type",
];

/// What raises that something to be dropped, or renamed, is not there.
const DROPPING: &[&str] = &["DropErrorMsgNonExistent", "does_not_exist_skipping"];
const RENAMING: &[&str] = &["RenameConstraint", "RenameRelation", "renameatt"];

/// That there is no right that could be granted or revoked.
const RIGHTS: &[&str] = &["01006", "01007"];

const HINT: &str =
    "Give a role that defines such things a line in bypass_roles, or compute it in a query.";

/// A definition: what of, and where that word stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Defined<'t> {
    pub(super) kind: &'t str,
    pub(super) at: usize,
    pub(super) creates: bool,
}

impl Analysis<'_> {
    /// Refuses a definition of the session's own that computes with keys, and one that runs code of
    /// the session's own unasked.
    pub(super) fn check_computing(&self) -> Result<(), Box<Refusal>> {
        if !self.context.snapshot.has_ids() {
            return Ok(());
        }
        let Some(defined) = self.defined() else {
            return Ok(());
        };
        match defined.kind {
            "table" | "index" | "trigger" | "policy" | "statistics" | "sequence" | "domain" => {
                if self.calls_own() {
                    return Err(self.refuse("a definition that runs a function of pg_temp", HINT));
                }
            }
            // It would be run by a sign or a cast, which the snapshot does not show yet.
            "operator" | "aggregate" | "cast" => {
                let from = defined.at + 2;
                let runs_own = (from..self.tokens.len()).any(|at| is_own(self.word(at)));
                return match runs_own {
                    true => Err(self.refuse("a definition that runs a function of pg_temp", HINT)),
                    false => Ok(()),
                };
            }
            // ANALYZE runs what tells how far values are apart.
            "type" if defined.creates => {
                let own = (defined.at + 2..self.tokens.len()).any(|at| is_own(self.word(at)));
                let runs = identifiers(self.tokens)
                    .any(|word| matches!(word, "subtype_diff" | "canonical"));
                return match runs && (own || self.makes_temporary_at(defined.at + 1, defined.at)) {
                    true => Err(self.refuse("a range type that runs a function of pg_temp", HINT)),
                    false => Ok(()),
                };
            }
            // It is judged where it is used, but for what is put in front of it.
            "view" if !defined.creates => {}
            _ => return Ok(()),
        }
        if defined.kind == "domain" {
            return self.check_domain(defined);
        }
        let name = match (defined.kind, defined.creates) {
            ("index" | "trigger" | "policy", true) | ("policy" | "trigger", false) => {
                self.position("on").map(|on| on + 1)
            }
            ("statistics", true) => self.position("from").map(|from| from + 1),
            _ => Some(defined.at + 1),
        };
        let Some(name) = name.map(|at| self.behind_options(at)) else {
            return Ok(());
        };
        if defined.kind == "table" && defined.creates {
            return match self.makes_temporary_at(name, defined.at) && self.position("as").is_none()
            {
                true => self.check_new_table(name),
                false => Ok(()),
            };
        }
        match self.temporary_at(name) {
            Some(relation) => self.check_change(defined, relation, name),
            None if defined.kind == "policy" && !self.is_known_to_last(name) => {
                match self.asks() || self.protected_word().is_some() {
                    true => Err(self.refuse(
                        "a policy with a query on a table that may be temporary",
                        HINT,
                    )),
                    false => Ok(()),
                }
            }
            None => Ok(()),
        }
    }

    /// Whether a query stands in a definition.
    fn asks(&self) -> bool {
        self.has_word(&["select", "table", "values", "with"])
    }

    /// Whether all that it changes lies in the temporary schema of the session, where no other
    /// session sees it.
    pub(super) fn changes_own(&self) -> bool {
        match (self.word(0), self.word(1)) {
            ("drop", kind) if RELATIONS.contains(&kind) => {
                self.are_own(|at| self.is_known_to_be_own(at))
            }
            // What goes along with it may lie anywhere.
            ("drop", kind) if PLACED.contains(&kind) => {
                !self.has_word(&["cascade", "class", "family"])
                    && self.are_own(|at| self.names_own_schema(at).is_some_and(|own| own))
            }
            ("alter", kind) if RELATIONS.contains(&kind) => {
                self.is_known_to_be_own(self.behind_options(2))
            }
            ("create", _) => self.defined().is_some_and(|defined| match defined.kind {
                "index" => {
                    let on = self.position("on").map(|on| self.behind_options(on + 1));
                    on.is_some_and(|on| self.is_known_to_be_own(on))
                }
                // Postgres tells the operators of others of it, or puts it among theirs.
                "operator" if self.has_word(&["class", "commutator", "family", "negator"]) => false,
                kind => {
                    let is_placed = RELATIONS.contains(&kind) || PLACED.contains(&kind);
                    is_placed && self.is_placed_in_own(self.behind_options(defined.at + 1))
                }
            }),
            ("select" | "with", _) => self.selects_into().is_some_and(|into| {
                let name = self.named_into(into);
                let said = (into + 1..name).any(|at| matches!(self.word(at), "temp" | "temporary"));
                said || self.is_placed_in_own(name)
            }),
            _ => false,
        }
    }

    /// Whether this holds of all that a DROP names.
    fn are_own(&self, is_own: impl Fn(usize) -> bool) -> bool {
        let mut at = self.behind_options(2);
        while is_own(at) {
            at = self.behind_arguments(self.behind_name(at));
            match self.punctuation(at) {
                "," => at += 1,
                _ => {
                    let is_end = matches!(self.keyword(at), "cascade" | "restrict");
                    return is_end || at >= self.tokens.len();
                }
            }
        }
        false
    }

    /// Skips what stands in brackets.
    fn behind_arguments(&self, from: usize) -> usize {
        match self.punctuation(from) {
            "(" => self.cursor(from).closing().unwrap_or(self.tokens.len()) + 1,
            _ => from,
        }
    }

    /// Whether what is created under a name lies in the temporary schema for certain.
    fn is_placed_in_own(&self, name: usize) -> bool {
        let by_path = || self.path.is_some_and(SearchPath::creates_only_temporary);
        self.names_own_schema(name).unwrap_or_else(by_path)
    }

    /// Whether the schema in front of a name is that of the session's own temporary objects; nothing
    /// if there is none. The number may be that of another session.
    fn names_own_schema(&self, at: usize) -> Option<bool> {
        let schema = self.name_at(at).0?;
        Some(schema == "pg_temp" || self.context.snapshot.temporary_schema() == Some(schema))
    }

    /// How its answer tells that it has changed nothing. What runs code, or is done in parts, may have
    /// changed something though it fails.
    pub(super) fn vain(&self) -> Option<Vain> {
        let words = [
            "alter", "create", "drop", "grant", "reassign", "revoke", "select", "with",
        ];
        if !words.contains(&self.word(0)) || self.has_word(&["concurrently"]) {
            return None;
        }
        let told = |codes, routines, things| Vain {
            things,
            codes,
            routines,
        };
        let silent = told(&[], &[], 1);
        Some(match (self.word(0), self.defined().map(|of| of.kind)) {
            // Code of a query could make reports of others.
            ("create", Some("table")) if self.position("as").is_none() => {
                told(&["42P07"], &["transformCreateStmt"], 1)
            }
            ("create", Some("sequence")) => told(&["42P07"], &["DefineSequence"], 1),
            ("create", Some("schema")) => told(&["42P06"], &["CreateSchemaCommand"], 1),
            ("create", Some("extension")) => told(&["42710"], &["CreateExtension"], 1),
            ("alter", _) if self.word(2) == "if" && self.has_word(&["rename"]) => {
                told(&["00000"], RENAMING, 1)
            }
            ("drop", _) => told(&["00000"], DROPPING, self.count_listed(1, &[])),
            ("grant" | "revoke", _) => match (self.position("schema"), self.word(1)) {
                // Of several it may be that some are granted.
                (Some(3), "usage" | "create" | "all") => told(
                    RIGHTS,
                    &["restrict_and_check_grant"],
                    self.count_listed(4, &["from", "to"]),
                ),
                _ => silent,
            },
            _ => silent,
        })
    }

    /// How many things are listed between commas from a place on, in front of these words.
    fn count_listed(&self, from: usize, ends: &[&str]) -> usize {
        let is_end = |at: &usize| ends.contains(&self.keyword(*at));
        let end = (from..self.tokens.len()).find(is_end);
        let listed = self
            .cursor(from)
            .between_commas(end.unwrap_or(self.tokens.len()));
        listed.len()
    }

    /// Whether a name means a temporary relation of the session's own, and could mean no other if
    /// that were gone.
    fn is_known_to_be_own(&self, at: usize) -> bool {
        let (_, name) = self.name_at(at);
        match self.names_own_schema(at) {
            Some(is_own) => is_own,
            None => {
                let mut named = self.context.snapshot.named(name).peekable();
                named.peek().is_some() && named.all(|relation| is_temporary(&relation.schema))
            }
        }
    }

    pub(super) fn defined(&self) -> Option<Defined<'_>> {
        let creates = self.word(0) == "create";
        let modifiers = (1..8).take_while(|at| creates && MODIFIERS.contains(&self.word(*at)));
        let at = 1 + modifiers.count();
        let kind = self.word(at);
        (creates || self.word(0) == "alter").then_some(Defined { kind, at, creates })
    }

    /// Where a name begins behind `IF [NOT] EXISTS` and `ONLY`, which may put brackets around it. A
    /// table may be called `if` or `exists`.
    pub(super) fn behind_options(&self, mut at: usize) -> usize {
        if self.keyword(at) == "if" {
            match [self.keyword(at + 1), self.keyword(at + 2)] {
                ["exists", _] => at += 2,
                ["not", "exists"] => at += 3,
                _ => {}
            }
        }
        if self.keyword(at) == "only" {
            at += 1;
            at += usize::from(self.punctuation(at) == "(");
        }
        at
    }

    /// Whether it makes a table that is empty and computes nothing, by what is known.
    pub(super) fn makes_plain_table(&self) -> bool {
        let is_known = |at: usize| {
            let (_, name) = self.name_at(at + 1);
            self.word(at) != "like" || self.context.snapshot.is_relation_name(name)
        };
        self.defined()
            .is_some_and(|of| of.creates && of.kind == "table")
            && !self.has_word(&["as", "inherits", "of", "references"])
            && !self.has_word(COMPUTING)
            && (0..self.tokens.len()).all(is_known)
    }

    /// Whether it defines something, and names what clients see as another type than is stored; the
    /// code of a function may do so too.
    pub(super) fn is_of_stored_types(&self) -> bool {
        let snapshot = self.context.snapshot;
        let is_seen_otherwise = |name: &str| {
            snapshot.named(name).any(|relation| {
                let is_view = relation.kind != RelationKind::Table;
                let mut columns = relation.columns.iter();
                relation.protected
                    && (is_view || columns.any(|column| column.shown_otherwise().is_some()))
            })
        };
        self.defined().is_some_and(|defined| {
            let standard = self.context.standard_conforming_strings;
            let code = match defined.kind {
                "function" | "procedure" => identifiers_in_body(self.tokens, standard),
                _ => Vec::new(),
            };
            identifiers(self.tokens).any(is_seen_otherwise)
                || code.iter().any(|name| is_seen_otherwise(name))
        })
    }

    /// Whether the code of a DO block, of these words, defines what runs code in the temporary
    /// schema.
    pub(super) fn defines_own(&self, words: &[String]) -> bool {
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let own = words.iter().any(|word| is_own(word)) || has(&["temp", "temporary"]);
        let code = [
            "aggregate",
            "cast",
            "domain",
            "function",
            "index",
            "operator",
            "policy",
            "procedure",
            "rule",
            "trigger",
            "type",
            "view",
        ];
        let by_path = || self.path.is_none_or(|path| path.creates_temporary());
        has(&["create"]) && has(&code) && (own || by_path())
    }

    /// The last part of a name, and the schema in front of it.
    pub(super) fn name_at(&self, at: usize) -> (Option<&str>, &str) {
        self.cursor(at).take_name()
    }

    /// Whether what is created under a name may be temporary: the path may say so too.
    pub(super) fn makes_temporary_at(&self, name: usize, kind: usize) -> bool {
        let said = (1..kind).any(|at| matches!(self.word(at), "temp" | "temporary"));
        said || match self.name_at(name).0 {
            Some(schema) => is_own(schema),
            None => self.path.is_none_or(|path| path.creates_temporary()),
        }
    }

    /// The temporary relation that a name may mean, whatever the path is.
    pub(super) fn temporary_at(&self, name: usize) -> Option<&Relation> {
        let (schema, name) = self.name_at(name);
        if schema.is_some_and(|schema| !is_own(schema)) {
            return None;
        }
        let mut named = self.context.snapshot.named(name);
        named.find(|relation| is_temporary(&relation.schema))
    }

    /// A word that is no name for certain.
    fn has_word(&self, words: &[&str]) -> bool {
        (0..self.tokens.len()).any(|at| words.contains(&self.keyword(at)))
    }

    /// Whether a function of the temporary schema is called, which has to be named with it.
    fn calls_own(&self) -> bool {
        (0..self.tokens.len()).any(|at| {
            let names = at > 0 && NAMING.contains(&self.word(at - 1));
            !names
                && is_own(self.word(at))
                && self.punctuation(at + 1) == "."
                && !self.word(at + 2).is_empty()
                && self.punctuation(at + 3) == "("
        })
    }

    fn check_domain(&self, defined: Defined<'_>) -> Result<(), Box<Refusal>> {
        let name = defined.at + 1;
        let own = match defined.creates {
            true => self.makes_temporary_at(name, defined.at),
            // Domains have no place in the snapshot.
            false => match self.name_at(name).0 {
                Some(schema) => is_own(schema),
                None => self.context.snapshot.temporary_schema().is_some(),
            },
        };
        match own && self.has_word(&["check", "constraint", "default"]) {
            true => Err(self.refuse("a domain of pg_temp that checks its values", HINT)),
            false => Ok(()),
        }
    }

    fn check_new_table(&self, name: usize) -> Result<(), Box<Refusal>> {
        let snapshot = self.context.snapshot;
        self.check_calls("table")?;
        let words = (0..self.tokens.len()).map(|at| self.word(at));
        let named: Vec<&Relation> = words.flat_map(|word| snapshot.named(word)).collect();
        let protected: Vec<&Relation> = named.into_iter().filter(|of| of.protected).collect();
        let refers = self.has_word(&["references"]) && !protected.is_empty();
        if self.has_word(COMPUTING) && (refers || self.names_key(&protected, name)) {
            return Err(self.refuse("a temporary table that computes with ids", HINT));
        }
        let counts = |relation: &&Relation| relation.columns.iter().any(|column| column.identity);
        if self.includes_identity() && protected.iter().any(counts) {
            return Err(self.refuse(
                "a temporary table whose ids are counted anew",
                "Write EXCLUDING IDENTITY behind INCLUDING ALL.",
            ));
        }
        Ok(())
    }

    /// `LIKE … INCLUDING IDENTITY`, or `INCLUDING ALL` without an exception.
    fn includes_identity(&self) -> bool {
        let pair = |first: &str, second: &str| {
            (0..self.tokens.len()).any(|at| self.word(at) == first && self.word(at + 1) == second)
        };
        pair("including", "identity") || pair("including", "all") && !pair("excluding", "identity")
    }

    fn check_change(
        &self,
        defined: Defined<'_>,
        relation: &Relation,
        name: usize,
    ) -> Result<(), Box<Refusal>> {
        self.check_calls(defined.kind)?;
        if defined.kind == "policy" && self.asks() {
            return Err(self.refuse("a policy with a query on a temporary table", HINT));
        }
        let joins = self.has_word(&["inherit", "attach", "references"]);
        let drops = self.has_word(&["drop"]);
        let computes = match defined.kind {
            "trigger" | "policy" => true,
            // None of its own counts ids: a table with such a one is not made.
            "sequence" => false,
            "index" => defined.creates && self.computes_from(name),
            "statistics" => defined.creates && self.computes_from(defined.at),
            "view" => self.has_word(&["default"]) && !drops,
            _ => self.has_word(COMPUTING) && (!drops || self.has_word(&["add", "set"])),
        };
        let names_key = matches!(defined.kind, "trigger" | "policy" | "view")
            || self.names_key(&[relation], name);
        if relation.protected && computes && names_key {
            return Err(self.refuse("what computes with the ids of a temporary relation", HINT));
        }
        if !relation.protected && joins && self.protected_word().is_some() {
            return Err(self.refuse("making ids of what is in a temporary table", HINT));
        }
        Ok(())
    }

    /// Whether an index or statistics are of more than columns.
    fn computes_from(&self, from: usize) -> bool {
        let statistics = self.has_word(&["statistics"]);
        let mut nested = self.cursor(from).nested(Brackets::Round);
        let computes = nested
            .any(|(at, _, depth)| self.punctuation(at) == "(" && depth >= usize::from(!statistics));
        computes || self.has_word(&["where"])
    }

    /// Whether a column of keys is named, or a whole row by the name of the relation that stands
    /// at a place.
    fn names_key(&self, relations: &[&Relation], name: usize) -> bool {
        let (_, own) = self.name_at(name);
        let keys = relations.iter().flat_map(|relation| {
            let of_view = relation.kind != RelationKind::Table;
            let columns = relation.columns.iter();
            columns.filter(move |column| of_view || column.id.is_some() || column.is_composed())
        });
        let keys: Vec<&str> = keys.map(|column| column.name.as_str()).collect();
        let words = (0..self.tokens.len()).map(|at| self.word(at));
        let mut rows = 0;
        words.filter(|word| !word.is_empty()).any(|word| {
            rows += usize::from(word == own);
            keys.contains(&word) || rows > 1
        })
    }

    /// Refuses functions that nobody has judged, and those that read data.
    fn check_calls(&self, kind: &str) -> Result<(), Box<Refusal>> {
        let functions = self.context.snapshot.functions();
        let mut hidden = hidden_calls(self.tokens, self.text, self.context)
            .filter(|(call, _)| !matches!(call, HiddenCall::Defined(of) if of.computes_alone()));
        let computes = kind != "table" || self.has_word(EXPRESSING);
        if computes && hidden.next().is_some() {
            return Err(self.refuse(
                "an operator or a cast of the user in a temporary definition",
                HINT,
            ));
        }
        let called = (0..self.tokens.len()).any(|at| {
            let word = self.word(at);
            let dotted = at > 0 && self.punctuation(at - 1) == ".";
            (dotted || self.punctuation(at + 1) == "(")
                && (functions.is_opaque(word) || reads_data(word) && !self.is_drawn(at))
        });
        match called {
            true => Err(self.refuse("a function of the user in a temporary definition", HINT)),
            false => Ok(()),
        }
    }

    /// Whether a column is filled from a sequence, in the way that the catalogs tell.
    fn is_drawn(&self, at: usize) -> bool {
        let named = match self.punctuation(at.wrapping_sub(1)) {
            "." => at.checked_sub(2),
            _ => Some(at),
        };
        let before = named.and_then(|named| named.checked_sub(1));
        self.draws(at) && before.is_some_and(|before| self.word(before) == "default")
    }

    /// `nextval('…')` of a sequence that the catalogs then tell.
    pub(super) fn draws(&self, at: usize) -> bool {
        let is_string = |token: Option<&super::lex::Token<'_>>| {
            token.is_some_and(|token| matches!(token.kind, TokenKind::String(_)))
        };
        let plain = self.punctuation(at + 3) == ")"
            || self.word(at + 4) == "regclass" && self.punctuation(at + 5) == ")";
        self.word(at) == "nextval" && is_string(self.tokens.get(at + 2)) && plain
    }
}

/// Whether a schema is that of temporary objects, by any of its names.
pub(super) fn is_own(schema: &str) -> bool {
    schema == "pg_temp" || is_temporary(schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(COMPUTING.is_sorted());
        assert!(EXPRESSING.is_sorted());
    }
}
