//! ALTER and DROP, judged by the columns that they touch.
//!
//! What would take a column out of its annotation, or put what keys say into a column that nobody
//! watches, is refused; every other change of an annotated table goes on. An annotation hangs on a
//! name if the configuration has it, and on a foreign key if it does not.

use std::ops::Range;

use super::create::unnamed;
use super::implicit_calls::hidden_calls;
use super::lex::{TokenKind, identifiers};
use super::plan::Plan;
use super::refusal::Refusal;
use super::statement::{Analysis, with_ddl};
use crate::catalog::{Column, Oid, Relation, RelationKind, Snapshot};
use crate::pg::functions::reads_data;
use crate::pg::oid;

/// Columns that every table has and that show the order of its rows, or where they are.
const SYSTEM_COLUMNS: [&str; 6] = ["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"];

const HINT: &str =
    "Run it with a role listed in bypass_roles, and change the configuration with it.";

const ALONE: &str = "Send this statement after the one before has been answered.";

/// One change of a table or a composite type.
struct Action<'a> {
    relation: &'a Relation,
    /// The tokens, from the first word on.
    tokens: Range<usize>,
    /// The columns that the same statement adds.
    adds: &'a [&'a str],
    /// Whether the snapshot shows all columns that there are, but for those.
    fresh: bool,
}

/// What a name in a change means.
enum Named<'a> {
    Column(&'a Column),
    /// Postgres will say that there is none.
    Missing,
    /// What comes before in the same text may have made it.
    Unseen,
}

impl<'a> Analysis<'a> {
    /// `ALTER …`
    pub(super) fn alter(&mut self) -> Result<Plan, Box<Refusal>> {
        self.check_definition()?;
        self.check_references()?;
        let has = |keyword: &str| identifiers(self.tokens).any(|word| word == keyword);
        let moves = has("rename") || (has("set") && has("schema"));
        if self.word(1) == "schema" && has("rename") && self.context.snapshot.has_ids() {
            return Err(self.refuse(
                "renaming a schema while columns are annotated by name",
                HINT,
            ));
        }
        if let Some(temporary) = self.altered_temporary() {
            let fixes = has("drop") && has("expression");
            let retypes = has("inherit") || has("attach") || has("type") || fixes;
            if temporary.protected && retypes {
                return Err(self.refuse("this change of a temporary table with ids", HINT));
            }
            let mut plan = with_ddl();
            // It is known by its oid. Under another name nobody takes it for what it is until the
            // database has been looked at.
            // Nor for one whose columns are exchanged.
            let exchanges = moves || has("drop");
            plan.effect.creates = (exchanges && temporary.protected).then(unnamed);
            return Ok(plan);
        }
        let name = match (self.word(1), self.word(2)) {
            ("table" | "type", _) => self.behind_options(2),
            ("foreign", "table") => self.behind_options(3),
            ("sequence", _) => {
                self.check_owner()?;
                return self.alter_other();
            }
            _ => return self.alter_other(),
        };
        self.alter_columns(name)
    }

    /// A change of something that is no table, or of a table that nobody has seen.
    fn alter_other(&self) -> Result<Plan, Box<Refusal>> {
        let has = |keyword: &str| identifiers(self.tokens).any(|word| word == keyword);
        let moves = has("rename") || (has("set") && has("schema"));
        let detaches = has("inherit") || has("attach") || has("detach") || has("type");
        let drops = has("drop") && (has("constraint") || has("expression"));
        // What stands on a table does what it did, however it is called.
        let stands_on =
            matches!(self.word(1), "trigger" | "policy" | "rule") && self.word(3) == "on";
        match self.protected_word().filter(|_| !stands_on).is_some() && (moves || detaches || drops)
        {
            true => Err(self.refuse("this change of an annotated table", HINT)),
            false => Ok(with_ddl()),
        }
    }

    /// A sequence of keys that belongs to another column would be shown with it.
    fn check_owner(&self) -> Result<(), Box<Refusal>> {
        let owned = (2..self.tokens.len())
            .find(|at| self.keyword(*at) == "owned" && self.keyword(at + 1) == "by");
        let Some(owned) = owned else {
            return Ok(());
        };
        let is_kept = self.keyword(owned + 2) == "none" || {
            let (table, column) = self.name_at(owned + 2);
            let mut tables = self.context.snapshot.named(table.unwrap_or_default());
            tables.any(|of| of.column(column).is_some_and(|of| of.id.is_some()))
        };
        match self.protected_word().is_some() && !is_kept {
            true => Err(self.refuse("giving a sequence of keys to another column", HINT)),
            false => Ok(()),
        }
    }

    /// `ALTER TABLE`, `ALTER FOREIGN TABLE` or `ALTER TYPE`, with the name at a place.
    fn alter_columns(&mut self, name: usize) -> Result<Plan, Box<Refusal>> {
        let bracket = usize::from(self.punctuation(name) == "(");
        let name = name + bracket;
        let relations = self.relations_named(name);
        if relations.is_empty() {
            let unknown = self.name_at(name).1.to_owned();
            let mut plan = match self.word(1) {
                "type" => with_ddl(),
                _ => self.alter_other()?,
            };
            let actions = self.actions(self.behind_name(name) + bracket);
            plan.effect.anchors = self.anchors_of_unknown(&unknown, &actions);
            self.seek(unknown);
            return Ok(plan);
        }
        let mut at = self.behind_name(name) + bracket;
        if self.text_at(at) == "*" {
            at += 1;
        }
        let actions = self.actions(at);
        let added = actions.iter().filter(|of| self.keyword(of.start) == "add");
        let adds: Vec<&str> = added
            .map(|of| self.word(self.behind_column(of.start + 1)))
            .collect();
        let (mut unseen, mut missing) = (None, None);
        for relation in &relations {
            let is_table = matches!(relation.kind, RelationKind::Table | RelationKind::Composite);
            if !is_table {
                return self.alter_other();
            }
            for tokens in &actions {
                let tokens = tokens.clone();
                let mut action = Action {
                    relation,
                    tokens,
                    adds: &adds,
                    fresh: self.context.fresh,
                };
                unseen = unseen.or(self.check_action(&action)?);
                action.fresh = false;
                missing = missing.or(self.check_action(&action).ok().flatten());
            }
        }
        let Some(at) = unseen else {
            if let Some(at) = missing {
                let name = self.word(at).to_owned();
                self.seek(name);
            }
            let mut plan = with_ddl();
            plan.effect.anchors = self.anchors(&relations, &actions);
            self.check_kinds(plan.effect.anchors.as_deref())?;
            self.seek_dropped(&actions);
            return Ok(plan);
        };
        let unseen = self.word(at).to_owned();
        let what = format!("a change of \"{unseen}\", which it has not seen yet");
        let refusal = self.refuse(&what, ALONE);
        self.unknown_name = Some(unseen);
        Err(refusal)
    }

    /// Judges one change. Gives the place of a name that has not been seen yet.
    fn check_action(&self, action: &Action<'_>) -> Result<Option<usize>, Box<Refusal>> {
        let start = action.tokens.start;
        let protected = action.relation.protected;
        let refused = || Err(self.refuse("this change of an annotated table", HINT));
        match (self.keyword(start), self.keyword(start + 1)) {
            ("add", "value") if self.word(1) == "type" => {}
            ("add", _) => self.check_drawn(start..action.tokens.end, None)?,
            ("alter", "constraint") | ("rename", "constraint" | "value") => {}
            ("alter", _) => return self.check_column(action),
            ("drop", "constraint") => {}
            ("drop", _) => return self.check_dropped(action),
            ("rename", "to") | ("set", "schema") if protected => return refused(),
            ("rename", "to") | ("set", _) => {}
            ("rename", _) => {
                let at = self.behind_column(start + 1);
                return match self.named(action, at) {
                    Named::Column(column) if self.is_named(action.relation, column) => {
                        Err(self.touches("renaming", column, HINT))
                    }
                    Named::Unseen if protected => Ok(Some(at)),
                    _ => Ok(None),
                };
            }
            ("inherit" | "attach" | "detach", _) | ("no", "inherit")
                if protected || self.protected_word().is_some() =>
            {
                return refused();
            }
            ("inherit" | "attach" | "detach", _) => {}
            (
                "owner" | "cluster" | "enable" | "disable" | "force" | "no" | "validate"
                | "replica" | "reset" | "of" | "not",
                _,
            ) => {}
            // What a foreign table reads of another server, and what nobody knows.
            _ if protected => return refused(),
            _ => {}
        }
        Ok(None)
    }

    /// `ALTER [COLUMN | ATTRIBUTE] name …`
    fn check_column(&self, action: &Action<'_>) -> Result<Option<usize>, Box<Refusal>> {
        let at = self.behind_column(action.tokens.start + 1);
        let end = action.tokens.end;
        let named = self.named(action, at);
        let holding = match &named {
            Named::Column(column) if holds(column) => Some(*column),
            _ => None,
        };
        let typed = match &named {
            Named::Column(column) if is_polymorphic(action.relation, column) => Some(*column),
            _ => holding,
        };
        let protected = action.relation.protected;
        let unseen = (protected && matches!(named, Named::Unseen)).then_some(at);
        match (self.keyword(at + 1), self.keyword(at + 2)) {
            ("type", _) | ("set", "data") => {
                if let Some(column) = typed {
                    return Err(self.touches("changing the type of", column, HINT));
                }
                if let Some(using) = (at..end).find(|at| self.keyword(*at) == "using") {
                    if self.reads_keys(action, using + 1..end) {
                        return Err(self.refuse("USING with what keys say, or may say,", HINT));
                    }
                    if protected && !action.fresh {
                        return Ok(Some(at));
                    }
                }
                Ok(unseen)
            }
            ("drop", "expression") => match holding {
                Some(column) => Err(self.touches("fixing the values of", column, HINT)),
                None => Ok(unseen),
            },
            ("set" | "drop", "default") => {
                if let Some(column) = holding.filter(|of| of.derived && !of.generated) {
                    return Err(self.touches("another default of", column, HINT));
                }
                let id = holding.filter(|column| column.id.is_some());
                self.check_drawn(at + 2..end, id)?;
                Ok(None)
            }
            ("options", _) if protected => {
                Err(self.refuse("this change of an annotated table", HINT))
            }
            ("set" | "drop" | "reset" | "add" | "restart" | "options", _) => Ok(None),
            _ if protected => Err(self.refuse("this change of an annotated table", HINT)),
            _ => Ok(None),
        }
    }

    /// `DROP [COLUMN | ATTRIBUTE] [IF EXISTS] name [CASCADE]`
    fn check_dropped(&self, action: &Action<'_>) -> Result<Option<usize>, Box<Refusal>> {
        let at = self.behind_options(self.behind_column(action.tokens.start + 1));
        let relation = action.relation;
        let column = match self.named(action, at) {
            Named::Column(column) => column,
            Named::Unseen if relation.protected => return Ok(Some(at)),
            Named::Unseen | Named::Missing => return Ok(None),
        };
        // Without an annotation of its own it is gone with its foreign key, and nothing says any more
        // what it held.
        if self.is_named(relation, column) || column.row.is_some() {
            return Err(self.touches("dropping", column, HINT));
        }
        Ok(None)
    }

    /// `DROP …`: without CASCADE nothing goes but what is named.
    pub(super) fn drop(&mut self) -> Result<Plan, Box<Refusal>> {
        if !self.context.snapshot.has_ids() || !self.cascades(self.tokens.len()) {
            return Ok(with_ddl());
        }
        let gone = match (self.word(1), self.word(2)) {
            ("table" | "view" | "type", _) => self.dropped(2),
            ("materialized" | "foreign", "view" | "table") => self.dropped(3),
            ("schema", _) => Some(self.dropped_with_schemas()),
            (
                "sequence" | "trigger" | "policy" | "rule" | "function" | "procedure" | "routine"
                | "aggregate",
                _,
            ) => return Ok(with_ddl()),
            _ => None,
        };
        let Some(gone) = gone else {
            return Err(self.refuse(
                "a DROP … CASCADE that may take columns with it",
                "Leave CASCADE out and drop what depends on it first, or run it with a role listed \
                 in bypass_roles.",
            ));
        };
        for oid in &gone {
            self.check_rows(*oid, &gone)?;
        }
        let mut plan = with_ddl();
        plan.effect.anchors = self.anchors_of(&gone);
        self.seek(String::from("cascade"));
        Ok(plan)
    }

    /// The relations of a list of names. `None` if one may be a domain, of which annotated columns can
    /// be. Other types that are no relations, and composite types in which no key can be seen, are
    /// none of theirs.
    fn dropped(&mut self, from: usize) -> Option<Vec<Oid>> {
        let mut gone = Vec::new();
        let mut at = self.behind_options(from);
        loop {
            let named = self.relations_named(at);
            let mut oids: Vec<Oid> = named.iter().map(|of| of.oid).collect();
            if oids.is_empty() {
                let name = self.name_at(at).1.to_owned();
                if self.word(1) == "type" && self.may_be_of_annotated(&name) {
                    return None;
                }
                self.seek(name);
            }
            gone.append(&mut oids);
            at = self.behind_name(at);
            if self.punctuation(at) != "," {
                return Some(gone);
            }
            at += 1;
        }
    }

    /// Whether a type that is no relation, or not known to be, may be that of an annotated column, or
    /// of one that tells of which domain the keys beside it are.
    fn may_be_of_annotated(&self, name: &str) -> bool {
        let snapshot = self.context.snapshot;
        let tells = |relation: &Relation| {
            let mut columns = relation.columns.iter();
            columns.any(|of| of.type_oid.0 >= oid::FIRST_NORMAL && is_polymorphic(relation, of))
        };
        // A statement in front may have made a domain, or renamed one.
        let is_seen = !self.context.unseen && self.path.is_some();
        !is_seen
            || snapshot.functions().has_domain(name)
            || snapshot.relations().any(|of| tells(of))
    }

    fn dropped_with_schemas(&self) -> Vec<Oid> {
        let schemas: Vec<&str> = (2..self.tokens.len()).map(|at| self.word(at)).collect();
        let relations = self.context.snapshot.relations();
        let inside = relations.filter(|of| schemas.contains(&of.schema.as_str()));
        inside.map(|of| of.oid).collect()
    }

    /// Refuses what takes columns with it that are of its type.
    fn check_rows(&self, oid: Oid, gone: &[Oid]) -> Result<(), Box<Refusal>> {
        let relations = self.context.snapshot.relations();
        for relation in relations.filter(|of| !gone.contains(&of.oid)) {
            let of_type = |column: &&Column| column.row.is_some_and(|(of, _)| of == oid);
            if let Some(column) = relation.columns.iter().find(of_type) {
                return Err(self.touches("dropping", column, HINT));
            }
        }
        Ok(())
    }

    /// Whether the configuration names a column.
    pub(super) fn is_named(&self, relation: &Relation, column: &Column) -> bool {
        let listed = self.context.snapshot.is_listed(relation.oid, column.attnum);
        listed || !column.json.is_empty() || is_polymorphic(relation, column)
    }

    /// Refuses a default that draws from a sequence of keys, unless it is that of a column of ids,
    /// and one that reads data.
    fn check_drawn(&self, tokens: Range<usize>, of: Option<&Column>) -> Result<(), Box<Refusal>> {
        let snapshot = self.context.snapshot;
        let is_key = |name: &str| snapshot.named(name).any(|relation| relation.protected);
        let reads = tokens.clone().any(|at| {
            let dotted = self.punctuation(at - 1) == ".";
            let called = dotted || self.punctuation(at + 1) == "(";
            called
                && reads_data(self.word(at))
                && !(self.draws(at) && (of.is_some() || !is_key(&self.sequence_at(at + 2))))
        });
        match reads && snapshot.has_ids() {
            true => Err(self.refuse("a default with what keys say, or may say,", HINT)),
            false => Ok(()),
        }
    }

    /// The last part of the name in a string.
    fn sequence_at(&self, at: usize) -> String {
        let name = match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::String(name)) => name.as_ref(),
            _ => "",
        };
        let last = name.rsplit('.').next().unwrap_or_default();
        match last.strip_prefix('"') {
            Some(quoted) => quoted.trim_end_matches('"').to_owned(),
            None => last.to_ascii_lowercase(),
        }
    }

    /// Whether an expression over a row reads a key, or may.
    fn reads_keys(&self, action: &Action<'_>, tokens: Range<usize>) -> bool {
        let snapshot = self.context.snapshot;
        let functions = snapshot.functions();
        let Some(of) = self.tokens.get(tokens.clone()) else {
            return true;
        };
        if hidden_calls(of, self.text, self.context).next().is_some() {
            return true;
        }
        tokens.into_iter().any(|at| {
            let word = self.word(at);
            let called = self.punctuation(at + 1) == "(";
            let dotted = self.punctuation(at - 1) == ".";
            !word.is_empty()
                && (action.relation.column(word).is_some_and(holds)
                    || word == action.relation.name
                    || action.adds.contains(&word)
                    || SYSTEM_COLUMNS.contains(&word)
                    || snapshot.is_protected_name(word)
                    || (called || dotted) && (reads_data(word) || functions.is_opaque(word)))
        })
    }

    fn named<'r>(&self, action: &Action<'r>, at: usize) -> Named<'r> {
        let name = self.word(at);
        match action.relation.column(name) {
            Some(column) => Named::Column(column),
            None if action.fresh && !action.adds.contains(&name) => Named::Missing,
            None => Named::Unseen,
        }
    }

    /// The relations that a name may mean.
    pub(super) fn relations_named(&self, at: usize) -> Vec<&'a Relation> {
        let snapshot: &'a Snapshot = self.context.snapshot;
        let (schema, name) = self.name_at(at);
        match self.path {
            Some(path) => {
                let relation = snapshot.resolve(schema, name, path);
                relation.into_iter().map(|of| &**of).collect()
            }
            None => snapshot.named(name).collect(),
        }
    }

    pub(super) fn behind_name(&self, name: usize) -> usize {
        let mut behind = self.cursor(name);
        behind.take_name();
        // `ONLY (name)`
        let before = name.checked_sub(2).map(|only| self.keyword(only));
        let in_brackets = before == Some("only") && behind.written() == ")";
        behind.at + usize::from(in_brackets)
    }

    /// Skips the word that may stand in front of the name of a column.
    pub(super) fn behind_column(&self, at: usize) -> usize {
        let skips = match self.word(1) {
            "type" => "attribute",
            _ => "column",
        };
        at + usize::from(self.keyword(at) == skips)
    }

    /// The changes of a statement, which stand between commas.
    pub(super) fn actions(&self, from: usize) -> Vec<Range<usize>> {
        self.cursor(from).between_commas(self.tokens.len())
    }

    /// The word at a place if it is no name for certain.
    pub(super) fn keyword(&self, at: usize) -> &str {
        self.cursor(at).keyword()
    }

    pub(super) fn text_at(&self, at: usize) -> &str {
        self.cursor(at).written()
    }

    pub(super) fn cascades(&self, end: usize) -> bool {
        self.keyword(end.saturating_sub(1)) == "cascade"
    }

    fn touches(&self, what: &str, column: &Column, hint: &str) -> Box<Refusal> {
        let what = format!("{what} column \"{}\", which is annotated", column.name);
        self.refuse(&what, hint)
    }
}

/// Whether a column has keys of several domains, or tells of which those beside it are.
fn is_polymorphic(relation: &Relation, column: &Column) -> bool {
    let mut all = relation.columns.iter();
    let tells = |of: &Column| {
        of.polymorphic
            .as_ref()
            .is_some_and(|of| of.by == column.name)
    };
    column.polymorphic.is_some() || all.any(tells)
}

/// Whether keys are in a column, or can be told from it.
fn holds(column: &Column) -> bool {
    column.id.is_some() || column.is_composed()
}
