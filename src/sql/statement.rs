//! One statement of a script: what kind it is, whether anything protected is in reach, and what
//! becomes of it.

use std::collections::HashSet;
use std::ops::Range;

use crate::catalog::{FunctionKind, SearchPath};
use crate::pg::functions::{self, reads_data};

use super::budget::{Budget, too_complex, too_deep};
use super::implicit_calls::hidden_calls;
use super::infer::{Binder, first_retold};
use super::lex::{Brackets, Cursor, Token, TokenKind, identifiers};
use super::parse::{self, ParseError};
use sqlparser::ast::Statement;

use super::plan::{
    Columns, Edit, Effect, Ended, PathChange, Plan, Replacement, Source, TargetColumn, Verdict,
};
use super::refusal::{Code, Refusal};
use super::scope::Output;
use super::solve::solve;
use super::{Context, setter, setting};
use crate::splice::Misplaced;

/// The analysis of one statement.
pub(super) struct Analysis<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) path: Option<&'a SearchPath>,
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token<'a>],
    pub(super) unknown_name: Option<String>,
    /// One that the snapshot shows is not there.
    pub(super) missing_name: Option<String>,
    /// Where the result of the query is stored.
    pub(super) into: Option<TargetColumn>,
    /// Whether it stands behind EXPLAIN.
    pub(super) explained: bool,
    /// How many statements it stands in.
    pub(super) depth: usize,
    pub(super) budget: &'a Budget,
}

/// In so many statements another may stand: EXPLAIN of PREPARE of … is nothing that Postgres knows.
const MAX_DEPTH: usize = 8;

/// What a walk over a query has come to: a plan, and the columns of the result.
type Walked = Result<(Plan, Vec<Output>), Box<Refusal>>;

/// Whether a plan puts keys in the place of literals that begin at some places.
fn puts_keys_at(found: &Walked, places: &HashSet<usize>) -> bool {
    let is_there = |edit: &Edit| places.contains(&edit.span.start);
    let is_key = |edit: &Edit| matches!(edit.with, Replacement::Id { .. });
    let edits = found.as_ref().map(|(plan, _)| &plan.edits[..]);
    edits.is_ok_and(|edits| edits.iter().any(|edit| is_there(edit) && is_key(edit)))
}

/// So often a statement is walked over that casts columns which are text.
const MOST_WALKS: usize = 8;

/// What has been found of a statement.
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    /// A name that the snapshot does not know, so that nobody can say what the statement means.
    pub(super) unknown_name: Option<String>,
    /// A name that the snapshot shows is not there, which the verdict goes by.
    pub(super) missing_name: Option<String>,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        path: Option<&'a SearchPath>,
        (text, tokens): (&'a str, &'a [Token<'a>]),
        budget: &'a Budget,
    ) -> Self {
        Self {
            context,
            path,
            text,
            tokens,
            unknown_name: None,
            missing_name: None,
            into: None,
            explained: false,
            depth: 0,
            budget,
        }
    }

    pub(super) fn run(mut self) -> Outcome {
        let plan = self.statement().and_then(|plan| self.complete(plan));
        let verdict = match plan {
            Ok(plan) => Verdict::Forward(plan),
            Err(refusal) => Verdict::Refuse(*refusal),
        };
        Outcome {
            verdict,
            unknown_name: self.unknown_name,
            missing_name: self.missing_name,
        }
    }

    /// Notes a name that the snapshot does not have: none there is, if it was taken for the sake of
    /// this text.
    pub(super) fn seek(&mut self, name: String) {
        let place = match self.context.fresh {
            true => &mut self.missing_name,
            false => &mut self.unknown_name,
        };
        *place = Some(name);
    }

    /// A plan with what the whole statement tells of those behind it.
    fn complete(&self, mut plan: Plan) -> Result<Plan, Box<Refusal>> {
        if plan.effect.search_path == PathChange::Unchanged && self.runs_setters() {
            plan.effect.search_path = PathChange::Unknown;
        }
        self.check_moving(&plan.effect.search_path)?;
        if self.makes_in_front()? {
            plan.effect.private |= !plan.effect.ddl;
            (plan.effect.ddl, plan.effect.blinds) = (true, true);
        }
        plan.effect.remains = self.remains(&plan);
        plan.effect.of_stored_types = is_clean(&plan) && self.is_of_stored_types();
        self.note_names(&mut plan.effect);
        Ok(plan)
    }

    /// Whether code that may change settings runs unasked: behind a relation, a type or an operator
    /// that the statement names.
    fn runs_setters(&self) -> bool {
        let functions = self.context.snapshot.functions();
        let reads = matches!(self.word(0), "" | "select" | "values" | "table");
        let sets = |token: &Token<'_>| match &token.kind {
            TokenKind::Word { value, .. } => functions.sets(value, !reads),
            TokenKind::Operator => {
                let sign = self.text.get(token.span.clone());
                sign.is_some_and(|sign| functions.sets(sign, true))
            }
            _ => false,
        };
        functions.has_setters() && self.tokens.iter().any(sets)
    }

    pub(super) fn statement(&mut self) -> Result<Plan, Box<Refusal>> {
        if self.depth > MAX_DEPTH {
            return Err(Box::new(too_deep().at(self.at())));
        }
        self.check_made()?;
        self.check_unseen()?;
        self.check_computing()?;
        self.check_shadowed()?;
        match self.word(0) {
            "select" | "with" if let Some(into) = self.selects_into() => self.select_into(into),
            "" | "select" | "with" | "values" | "table" | "insert" | "update" | "delete"
            | "merge" => self.query(),
            "explain" => self.explain(),
            "prepare" if self.word(1) == "transaction" => Ok(undoing(PathChange::Committed)),
            "prepare" => self.prepare(),
            "declare" => self.declare_cursor(),
            "copy" => self.copy(),
            "create" => self.create(),
            "alter" => self.alter(),
            "drop" => self.drop(),
            "do" => self.anonymous_block(),
            "call" => self.call(),
            "execute" => self.execute(),
            "deallocate" => Ok(ending(Ended::Statement(self.last_word().to_owned()))),
            "close" if self.keyword(1) == "all" => Ok(ending(Ended::Portals)),
            "close" => Ok(ending(Ended::Portal(self.last_word().to_owned()))),
            // MOVE runs what is behind the rows that it passes over, and keeps what that has sorted.
            "fetch" | "move" => Ok(from_source(Source::Portal(self.last_word().to_owned()))),
            "set" => setting::set(self.tokens, self.text, self.context.snapshot),
            "notify" => self.notify(),
            "truncate" => self.truncate(),
            "reset" => Ok(setting::reset(self.tokens)),
            "discard" => {
                let mut plan = with_path(PathChange::Unknown);
                plan.effect.ddl = matches!(self.word(1), "all" | "temp" | "temporary");
                plan.effect.private = plan.effect.ddl;
                plan.effect.discards = plan.effect.ddl;
                Ok(plan)
            }
            "rollback" if self.position("to").is_some() => Ok(undoing(PathChange::Reverted)),
            // One that was prepared for it is another transaction.
            "commit" | "rollback" if self.word(1) == "prepared" => {
                Ok(undoing(PathChange::Unchanged))
            }
            "commit" | "end" => Ok(undoing(PathChange::Committed)),
            "rollback" | "abort" => Ok(undoing(PathChange::RolledBack)),
            // Rights on schemas decide what names mean; roles have them from other roles, and owners.
            "grant" | "revoke" | "reassign" if self.moves_names() => Ok(with_ddl()),
            // What is defined of a relation is computed, and nothing of it is shown.
            "analyze" | "cluster" | "refresh" | "reindex" | "vacuum" => Ok(unanalysed()),
            // Commands without rows of data in their answer, and words that begin no command:
            // Postgres refuses those.
            _ => Ok(Plan::default()),
        }
    }

    /// Whether a statement about rights is about schemas, roles or all that somebody owns; not about
    /// what is in a schema.
    fn moves_names(&self) -> bool {
        let on = self.position("on");
        on.is_none_or(|on| self.word(on + 1) == "schema")
    }

    /// What follows a statement that makes a relation of keys, or code, may be about that, which no
    /// snapshot shows yet. What defines more of it is judged where that is used.
    fn check_made(&self) -> Result<(), Box<Refusal>> {
        let harmless = matches!(
            self.word(0),
            "begin"
                | "start"
                | "commit"
                | "end"
                | "rollback"
                | "abort"
                | "savepoint"
                | "release"
                | "set"
                | "show"
                | "deallocate"
                | "close"
        );
        let harmless = harmless || self.makes_plain_table() || self.defines_for_later();
        if harmless || !self.context.made || !self.context.snapshot.has_ids() {
            return Ok(());
        }
        Err(self.unseen())
    }

    /// The word at a place, if it is one that may be a keyword; an opening parenthesis at the
    /// beginning of a query gives the empty word, as every other token does.
    pub(super) fn word(&self, index: usize) -> &str {
        self.cursor(index).word()
    }

    /// The place of a token.
    pub(super) const fn cursor(&self, index: usize) -> Cursor<'a> {
        Cursor::new(self.text, self.tokens, index)
    }

    /// The tokens of a part that is analysed by itself.
    pub(super) fn tokens_in(&self, part: Range<usize>) -> Result<&'a [Token<'a>], Misplaced> {
        self.tokens.get(part).ok_or(Misplaced)
    }

    pub(super) fn last_word(&self) -> &str {
        self.word(self.tokens.len().saturating_sub(1))
    }

    pub(super) fn punctuation(&self, index: usize) -> &str {
        self.tokens
            .get(index)
            .filter(|token| matches!(token.kind, TokenKind::Punctuation))
            .and_then(|token| self.text.get(token.span.clone()))
            .unwrap_or_default()
    }

    /// The place of a keyword outside parentheses.
    pub(super) fn position(&self, keyword: &str) -> Option<usize> {
        self.cursor(0).find(keyword, Brackets::Round)
    }

    /// A word that names something in which keys can be seen: a relation, or a function that is
    /// called, be it by an operator.
    pub(super) fn protected_word(&self) -> Option<(&str, Range<usize>)> {
        let snapshot = self.context.snapshot;
        let functions = snapshot.functions();
        let mut hidden = hidden_calls(self.tokens, self.text, self.context);
        if let Some((call, at)) = hidden.next() {
            return Some((call.name(), at));
        }
        self.tokens.iter().enumerate().find_map(|(index, token)| {
            let value = token.word()?;
            // `t.f` is a call too, and so is `(t).f`.
            let dotted = index > 0 && self.punctuation(index - 1) == ".";
            let called = self.punctuation(index + 1) == "(";
            let notifies = called && functions::notifies(value) && snapshot.has_channels();
            let protected = notifies
                || snapshot.is_protected_name(value)
                || ((called || dotted) && (reads_data(value) || functions.is_opaque(value)));
            protected.then(|| (value, token.span.clone()))
        })
    }

    /// The bytes of a run of tokens.
    pub(super) fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        super::split::bytes(self.tokens.get(tokens).unwrap_or_default())
    }

    pub(super) fn at(&self) -> Range<usize> {
        super::split::bytes(self.tokens)
    }

    fn query(&mut self) -> Result<Plan, Box<Refusal>> {
        let named = self
            .protected_word()
            .map(|(word, span)| (word.to_owned(), span));
        self.budget.spend(parse::cost(self.text, self.tokens));
        if self.budget.is_spent() {
            let reached = named
                .as_ref()
                .map(|(name, span)| (name.as_str(), span.clone()));
            return match reached.or_else(|| self.retold_word()) {
                Some((_, span)) => Err(Box::new(too_complex().at(span))),
                None => Ok(self.unanalysed()),
            };
        }
        parse::with_tree(self.text, self.tokens, |parsed| match (parsed, &named) {
            (Ok(parsed), _) => self.bound(parsed, named.clone()),
            (Err(error), Some((name, _))) => Err(self.unparsed(error, name)),
            (Err(_), None) if self.calls_unseen() => Err(self.unseen()),
            (Err(error), None) => match self.retold_word() {
                Some((name, _)) => Err(self.unparsed(error, name)),
                None => Ok(self.unanalysed()),
            },
        })
    }

    /// A word of the statement that names what tells of columns of keys. Unread, it would tell what is
    /// stored.
    fn retold_word(&self) -> Option<(&str, Range<usize>)> {
        first_retold((self.text, self.tokens), self.path, self.context.snapshot)
    }

    /// The plan of a query that names nothing protected and that nobody has read: all that it may
    /// do is to change by what path the next one is read.
    fn unanalysed(&self) -> Plan {
        let mut plan = Plan::default();
        if setter::may_be_set_by(self.context.snapshot, self.tokens) {
            plan.effect.search_path = PathChange::Unknown;
            plan.effect.settings = true;
        }
        plan
    }

    /// The plan of a query whose names nobody can look for.
    fn without_path(&self, named: Option<&(String, Range<usize>)>) -> Result<Plan, Box<Refusal>> {
        let named = named.map(|(name, span)| (name.as_str(), span.clone()));
        match named.or_else(|| self.retold_word()) {
            Some((name, span)) => Err(unknown_path(name, span)),
            None => Ok(self.unanalysed()),
        }
    }

    /// The plan of a query that has been parsed; what protected thing it names, if it does.
    fn bound(
        &mut self,
        parsed: &Statement,
        named: Option<(String, Range<usize>)>,
    ) -> Result<Plan, Box<Refusal>> {
        let Some(path) = self.path else {
            return self.without_path(named.as_ref());
        };
        let (mut binder, result) = self.walked((parsed, named.is_some()), path);
        let effect = Effect {
            search_path: binder.path_change.clone(),
            unanalysed: binder.unanalysed,
            late: binder.late,
            writes: binder.writes && binder.protected,
            ..Effect::default()
        };
        self.unknown_name = binder.unknown_name.take();
        if binder.late && (binder.path_change != PathChange::Unchanged || self.runs_setters()) {
            return Err(self.refuse(
                "a function in SQL in a statement that may change the search_path by which it reads",
                "Change search_path in a statement of its own.",
            ));
        }
        match result {
            Ok(plan) if binder.protected => Ok(Plan { effect, ..plan }),
            Ok(plan) if binder.retold => Ok(Plan {
                effect,
                columns: Columns::Clean,
                ..plan
            }),
            Err(refusal) if binder.protected || named.is_some() => Err(refusal),
            Err(_) if self.calls_unseen() => Err(self.unseen()),
            // It reaches nothing protected, unless it names a table that the snapshot is too old
            // to know and has a result.
            Err(refusal)
                if self.unknown_name.is_some() && !self.context.fresh && self.has_result() =>
            {
                Err(refusal)
            }
            Ok(_) => Ok(Plan {
                effect,
                ..Plan::default()
            }),
            Err(refusal) if binder.retold || self.retold_word().is_some() => Err(refusal),
            // What comes behind the place where the walk has ended, for whatever reason, may do what
            // nobody saw.
            Err(_) => {
                let mut plan = self.unanalysed();
                plan.effect.unanalysed = effect.unanalysed;
                if effect.search_path != PathChange::Unchanged {
                    plan.effect.search_path = effect.search_path;
                }
                Ok(plan)
            }
        }
    }

    /// Walks over a query, of which is known whether it names anything protected. Once more where it
    /// casts columns of queries that are text, if what it does can be told then.
    fn walked(
        &self,
        parsed: (&Statement, bool),
        path: &'a SearchPath,
    ) -> (Binder<'a>, Result<Plan, Box<Refusal>>) {
        let (first, found) = self.walk(parsed, path, HashSet::new());
        let mut cast = first.texts.cast.clone();
        let mut result = (first, found);
        // A walk that ends early has not seen all casts.
        for _ in 0..MOST_WALKS {
            if cast.is_empty() {
                break;
            }
            let (binder, found) = self.walk(parsed, path, cast.clone());
            if binder.texts.cast.len() > cast.len() && found.is_err() {
                cast.clone_from(&binder.texts.cast);
                continue;
            }
            let first = &result.1;
            if found.is_ok() || first.is_err() || puts_keys_at(first, &cast) {
                result = (binder, found);
            }
            break;
        }
        let (binder, found) = result;
        let plan = found.map(|(plan, outputs)| {
            if let Some(trace) = self.context.trace {
                trace.tell(binder.reasons(trace, &outputs));
            }
            plan
        });
        (binder, plan)
    }

    /// Walks over a query, in which columns that have a value that begins at one of some places stand
    /// apart.
    fn walk(
        &self,
        (parsed, names_ids): (&Statement, bool),
        path: &'a SearchPath,
        cast: HashSet<usize>,
    ) -> (Binder<'a>, Walked) {
        let mut binder = Binder::new(self.context, path, (self.text, self.tokens), self.budget);
        binder.explained = self.explained;
        binder.texts.cast = cast;
        let checked = binder.check_implicit_calls();
        let bound = checked.and_then(|()| match names_ids {
            true => binder.statement(parsed),
            false => binder.clean_statement(parsed),
        });
        // Walks that the budget has ended have said whatever makes an end.
        let bound = self.budget.check().and(bound);
        let into = self.into.as_ref();
        let result = bound.and_then(|outputs| {
            into.map_or(Ok(()), |into| binder.store_outputs(&outputs, into))?;
            binder.types.trace_mentions();
            self.budget.check()?;
            let plan = solve(&binder, &outputs);
            self.budget.check()?;
            Ok((plan?, outputs))
        });
        (binder, result)
    }

    fn has_result(&self) -> bool {
        !matches!(self.word(0), "insert" | "update" | "delete" | "merge")
            || self.position("returning").is_some()
    }

    fn unparsed(&self, error: ParseError, name: &str) -> Box<Refusal> {
        let refusal = match error {
            ParseError::Syntax { at } => {
                let token = at.and_then(|at| self.tokens.iter().find(|token| token.span.end > at));
                let end = self.at().end;
                let span = token.map_or(end..end, |token| token.span.clone());
                Refusal::unparsed(token.map(|token| token.written(self.text))).at(span)
            }
            ParseError::TooDeep => return Box::new(too_deep().at(self.at())),
        };
        Box::new(refusal.detail(format!(
            "pgveil forwards a statement that names \"{name}\" only if it can parse all of it."
        )))
    }

    /// A query inside another statement, which is forwarded only if the query is clean.
    pub(super) fn inner(&mut self, from: usize) -> Result<Plan, Box<Refusal>> {
        self.inner_as(from, false)
    }

    /// A statement that is explained.
    pub(super) fn inner_explained(&mut self, from: usize) -> Result<Plan, Box<Refusal>> {
        self.inner_as(from, true)
    }

    fn inner_as(&mut self, from: usize, explained: bool) -> Result<Plan, Box<Refusal>> {
        let tokens = self.tokens.get(from..).unwrap_or_default();
        let text = (self.text, tokens);
        let mut inner = Analysis::new(self.context, self.path, text, self.budget);
        inner.explained = explained;
        inner.depth = self.depth + 1;
        let result = inner.statement().map(|mut plan| {
            if explained {
                inner.note_names(&mut plan.effect);
            }
            plan
        });
        self.unknown_name = inner.unknown_name;
        self.missing_name = inner.missing_name;
        result
    }

    /// Takes down of a statement that is carried out what its words tell of names behind it.
    fn note_names(&self, effect: &mut Effect) {
        self.note_code(effect);
        effect.blinds |= self.puts_in_front() || self.takes_own_keys();
        effect.fronts |= self.may_front();
        effect.private |= effect.ddl && self.changes_own();
        effect.vain = if effect.ddl { self.vain() } else { None };
    }

    pub(super) fn refuse(&self, what: &str, hint: &str) -> Box<Refusal> {
        let message = format!("pgveil does not support {what}");
        Box::new(
            Refusal::unsupported(Code::Unsupported, message)
                .at(self.at())
                .hint(hint),
        )
    }

    /// A sequence of keys that begins anew makes a key of the session's choice.
    fn truncate(&self) -> Result<Plan, Box<Refusal>> {
        let snapshot = self.context.snapshot;
        let restarts = self.position("restart").is_some();
        let own = |word| {
            let mut named = snapshot.named(word);
            named.any(|of| of.protected && crate::catalog::is_temporary(&of.schema))
        };
        if restarts && identifiers(self.tokens).any(own) {
            return Err(self.refuse(
                "RESTART IDENTITY of a temporary table with ids",
                "Write TRUNCATE without it.",
            ));
        }
        Ok(Plan::default())
    }

    fn call(&mut self) -> Result<Plan, Box<Refusal>> {
        let (schema, name) = match self.punctuation(2) {
            "." => (Some(self.word(1)), self.word(3)),
            _ => (None, self.word(1)),
        };
        let kind = self.context.snapshot.functions().kind(schema, name);
        if self.context.snapshot.has_ids()
            && (kind == FunctionKind::Opaque || self.protected_word().is_some())
        {
            return Err(self.refuse(
                "CALL of a procedure whose result may hold a key",
                "Call it with a role listed in bypass_roles.",
            ));
        }
        Ok(Plan::default())
    }
}

pub(super) fn unknown_path(name: &str, at: Range<usize>) -> Box<Refusal> {
    let message =
        format!("pgveil does not know which \"{name}\" is meant: the search_path has just changed");
    Box::new(
        Refusal::unsupported(Code::UnknownName, message)
            .at(at)
            .hint("Send this statement after the one that changes search_path has been answered."),
    )
}

/// Whether a plan forwards its statement as it is, and no key can be in the answer.
pub(super) fn is_clean(plan: &Plan) -> bool {
    plan.edits.is_empty()
        && plan.parameters.is_plain()
        && plan.columns == Columns::Clean
        && plan.source == Source::Itself
        && plan.effect.keeps.is_none()
}

pub(super) fn with_path(search_path: PathChange) -> Plan {
    Plan {
        effect: Effect {
            search_path,
            ..Effect::default()
        },
        ..Plan::default()
    }
}

pub(super) fn with_ddl() -> Plan {
    Plan {
        effect: Effect {
            ddl: true,
            unanalysed: true,
            ..Effect::default()
        },
        ..Plan::default()
    }
}

fn unanalysed() -> Plan {
    Plan {
        effect: Effect::of_definitions(true),
        ..Plan::default()
    }
}

fn undoing(search_path: PathChange) -> Plan {
    Plan {
        effect: Effect {
            ends_transaction: true,
            search_path,
            ..Effect::default()
        },
        ..Plan::default()
    }
}

fn ending(ended: Ended) -> Plan {
    Plan {
        effect: Effect {
            ends: Some(ended),
            ..Effect::default()
        },
        ..Plan::default()
    }
}

fn from_source(source: Source) -> Plan {
    Plan {
        source,
        ..Plan::default()
    }
}
