//! Code that a session brings with it and that runs inside of the database: DO blocks, temporary
//! functions, and what is put on temporary relations. pgveil sees its text once and none of what it
//! does, so it must not reach what pgveil explains by name: the cursors and prepared statements of
//! the session, whose rows hold keys, and the channels on which keys become ids.
//!
//! It errs on the side of refusing: most words count wherever they stand in the code, and those of
//! commands wherever one may begin.

use super::implicit_calls::hides_calls;
use super::lex::{
    Brackets, Token, TokenKind, identifiers, identifiers_in_body, lex, possible_names,
};
use super::plan::{Effect, PathChange, Plan};
use super::refusal::Refusal;
use super::setter;
use super::statement::{Analysis, with_ddl};
use crate::catalog::{SearchPath, is_temporary};
use crate::pg::functions::{self, reads_data};

/// Commands that use cursors or prepared statements by names that the code may put together, or put
/// others under those that the client uses.
const USE_NAMES: [&str; 5] = ["deallocate", "fetch", "move", "open", "prepare"];

/// Commands in SQL that do so too. In PL/pgSQL one declares variables, and the other only ends a
/// cursor.
const USE_NAMES_IN_SQL: [&str; 2] = ["close", "declare"];

/// What runs a text as a statement, in the middle of others too.
const EXECUTE: &str = "execute";

const NOTIFY: &str = "notify";

impl Analysis<'_> {
    /// `DO [LANGUAGE name] '…'`
    pub(super) fn anonymous_block(&mut self) -> Result<Plan, Box<Refusal>> {
        let snapshot = self.context.snapshot;
        if !snapshot.has_ids() {
            return Ok(Plan::default());
        }
        let words = identifiers_in_body(self.tokens, self.context.standard_conforming_strings);
        let protected = words.iter().any(|word| {
            snapshot.is_protected_name(word)
                || reads_data(word)
                || snapshot.functions().is_opaque(word)
        });
        if protected {
            return Err(self.refuse(
                "DO blocks that name annotated tables",
                "Send the statements of the block one by one.",
            ));
        }
        if self.strings().any(|code| hides_calls(code, self.context)) {
            return Err(self.refuse(
                "DO blocks in which an operator or a cast of the user may run a function",
                "Send the statements of the block one by one.",
            ));
        }
        self.check_code("DO blocks", &words)?;
        let has = |word: &str| words.iter().any(|found| found == word);
        if has("create") && (has("function") || has("procedure") || has("trigger") || has("rule")) {
            return Err(self.refuse(
                "DO blocks that define functions, triggers or rules",
                "Send the definition by itself.",
            ));
        }
        if self.defines_own(&words) {
            return Err(self.refuse(
                "DO blocks that define code in pg_temp",
                "Send the definitions one by one.",
            ));
        }
        let changes =
            |word: &String| matches!(word.as_str(), "create" | "drop" | "alter" | "table");
        // A name may be that of a temporary relation by then.
        let own = |word: &String| {
            matches!(word.as_str(), "temp" | "temporary" | "rename") || is_of_session(word)
        };
        let by_path = || self.path.is_none_or(SearchPath::creates_temporary);
        let ddl = words.iter().any(changes) || has("into");
        let in_front = ddl && (words.iter().any(own) || by_path());
        if in_front && self.names_late(&words)? {
            return Err(self.refuse(
                "DO blocks that make temporary relations and name what deferred triggers name",
                "Send the statements of the block one by one.",
            ));
        }
        let mut plan = Plan {
            effect: Effect {
                ddl: words.iter().any(changes),
                blinds: in_front,
                ..Effect::default()
            },
            ..Plan::default()
        };
        let functions = snapshot.functions();
        if setter::may_change(&words) || words.iter().any(|word| functions.sets(word, true)) {
            plan.effect.search_path = PathChange::Unknown;
        }
        Ok(plan)
    }

    /// `CREATE [OR REPLACE] FUNCTION | PROCEDURE name …`, whose name is at a place.
    pub(super) fn create_routine(&self, name: usize) -> Result<Plan, Box<Refusal>> {
        if self.context.snapshot.has_ids() && self.may_be_temporary(name) {
            let standard = self.context.standard_conforming_strings;
            let mut words = identifiers_in_body(self.tokens, standard);
            words.extend(identifiers(self.tokens).map(str::to_owned));
            let what = "temporary functions";
            self.check_code(what, &words)?;
            let in_sql = self.languages().is_none_or(|named| named != ["plpgsql"]);
            if in_sql && self.has_command(&USE_NAMES_IN_SQL) {
                return Err(self.uses_names(what));
            }
            if words.iter().any(|word| reads_data(word)) {
                return Err(self.refuse(
                    "temporary functions that read statements, sequences or tables by name",
                    HINT,
                ));
            }
        }
        Ok(with_ddl())
    }

    /// `CREATE [CONSTRAINT] TRIGGER …`. On a temporary relation it would run the functions of
    /// others for rows of the client's choice, with any number in the place of a key.
    pub(super) fn create_trigger(&mut self) -> Result<Plan, Box<Refusal>> {
        if !self.context.snapshot.has_ids() {
            return Ok(with_ddl());
        }
        self.check_definition()?;
        let table = self.position("on").map_or(self.tokens.len(), |on| on + 1);
        if self.is_known_to_last(table) {
            return Ok(with_ddl());
        }
        let table = self.word(table).to_owned();
        self.seek(table);
        Err(self.refuse(
            "triggers on temporary tables, or on tables that it has not seen yet",
            "If the table is no temporary one, send this when its creation has been answered, \
             with the schema in front of its name.",
        ))
    }

    /// Refuses a definition that notifies, where channels carry ids. Whatever it is made for runs it
    /// with values of the client's.
    pub(super) fn check_definition(&self) -> Result<(), Box<Refusal>> {
        let is_rule = self.position("rule").is_some();
        let notifies = |word: &str| functions::notifies(word) || word == NOTIFY && is_rule;
        if self.context.snapshot.has_channels() && identifiers(self.tokens).any(notifies) {
            return Err(self.notifies("definitions"));
        }
        Ok(())
    }

    /// Refuses code that reaches what pgveil explains by name, or whose words tell nothing.
    fn check_code(&self, what: &str, words: &[String]) -> Result<(), Box<Refusal>> {
        let is_known = |name: &String| matches!(name.as_str(), "plpgsql" | "sql");
        if !self.languages().iter().flatten().all(is_known) {
            let what = format!("{what} in a language that it can't read");
            return Err(self.refuse(&what, HINT));
        }
        if words.iter().any(|word| word == EXECUTE) || self.has_command(&USE_NAMES) {
            return Err(self.uses_names(what));
        }
        let notifies = |word: &String| functions::notifies(word) || word == NOTIFY;
        if self.context.snapshot.has_channels() && words.iter().any(notifies) {
            return Err(self.notifies(what));
        }
        Ok(())
    }

    /// Whether one of some commands may begin somewhere in the code.
    fn has_command(&self, commands: &[&str]) -> bool {
        let standard = self.context.standard_conforming_strings;
        self.tokens.iter().any(|token| {
            let TokenKind::String(code) = &token.kind else {
                return false;
            };
            let is_one = |word: &str| commands.contains(&word);
            match lex(code, standard) {
                Ok(tokens) => begins_command(code, &tokens, is_one),
                Err(_) => possible_names(code).any(|name| is_one(&name)),
            }
        })
    }

    fn uses_names(&self, what: &str) -> Box<Refusal> {
        let what = format!(
            "{what} with EXECUTE or cursors, which may reach those of the session by name,"
        );
        self.refuse(&what, HINT)
    }

    fn notifies(&self, what: &str) -> Box<Refusal> {
        let what = format!("{what} that notify, while there are channels that carry ids,");
        self.refuse(
            &what,
            "Call pg_notify in a statement of its own, or have a trigger of the database do it.",
        )
    }

    /// The languages that are named outside of brackets; `None` if there is none.
    fn languages(&self) -> Option<Vec<String>> {
        let nested = self.cursor(0).nested(Brackets::Round);
        let named =
            nested.filter(|(_, token, depth)| *depth == 0 && token.keyword() == Some("language"));
        let named = named.map(
            |(at, _, _)| match self.tokens.get(at + 1).map(|of| &of.kind) {
                Some(TokenKind::Word { value, .. } | TokenKind::String(value)) => value.to_string(),
                _ => String::new(),
            },
        );
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then_some(named)
    }

    /// Whether what gets the name at a place may be a temporary object.
    fn may_be_temporary(&self, name: usize) -> bool {
        if let (Some(schema), _) = self.name_at(name) {
            return is_of_session(schema);
        }
        let mut schemas = self.path.map(|path| path.schemas());
        schemas
            .as_mut()
            .is_none_or(|schemas| schemas.any(is_of_session))
    }

    /// Whether the relation whose name is at a place is one that outlives the session.
    pub(super) fn is_known_to_last(&self, name: usize) -> bool {
        if let (Some(schema), _) = self.name_at(name) {
            return !is_of_session(schema) && !schema.is_empty();
        }
        let relation = self.path.and_then(|path| {
            let snapshot = self.context.snapshot;
            snapshot.resolve(None, self.word(name), path)
        });
        relation.is_some_and(|relation| !is_temporary(&relation.schema))
    }
}

/// Whether a word for which something holds stands where a command may begin: at the very
/// beginning, or behind what ends one or opens a block of them.
fn begins_command(code: &str, tokens: &[Token<'_>], holds: impl Fn(&str) -> bool) -> bool {
    let mut is_start = true;
    for token in tokens {
        let text = token.written(code);
        let word = token.keyword().unwrap_or_default();
        if is_start && holds(word) {
            return true;
        }
        is_start = matches!(word, "begin" | "then" | "else" | "loop") || text.ends_with([';', '>']);
    }
    false
}

const HINT: &str =
    "Send its statements one by one, or have it made by a role listed in bypass_roles.";

fn is_of_session(schema: &str) -> bool {
    schema == "pg_temp" || is_temporary(schema)
}
