//! Whether what runs is what was judged. What a statement means depends on circumstances, the search
//! path and the encoding among them, which may be others by the time at which the server reads it:
//! of some statements that is when a portal is opened, of others when it is run.

use std::collections::HashMap;
use std::sync::Arc;

use super::plans::{Analysis, Circumstances, Hashed, refusal_of};
use super::running::Running;
use super::statements::{MOST_USERS, Portal, Statement, Used};
use crate::catalog::Cursors;
use crate::sql::Verdict;
use crate::sql::plan::{Columns, KeptKind, NamedObject, Parameters, PathChange, Plan, Source};

/// A prepared statement is no longer what it was analysed as.
pub(super) struct Stale;

impl Running {
    /// A statement that the server has read already, as it means it under other circumstances.
    pub(super) fn judged_again(
        &self,
        statement: &Statement,
        now: &Hashed,
    ) -> Result<Statement, Stale> {
        if is_read_otherwise(statement, now) {
            return Err(Stale);
        }
        let circumstances = again_under(statement, now);
        let Analysis { text, declared, .. } = &*statement.analysis;
        let analysis = self.look_up_in(&circumstances, text, declared, false);
        statement
            .analysed_again(self.statements.owner(), analysis, circumstances)
            .ok_or(Stale)
    }

    /// Whether what a prepared `EXECUTE` runs is what it was judged by.
    pub(super) fn runs_what_was_judged(&self, statement: &Statement) -> bool {
        self.uses_what_was_judged(statement, &self.circumstances, 0)
    }

    fn uses_what_was_judged(&self, statement: &Statement, now: &Hashed, uses: usize) -> bool {
        let is_true = |plan| self.is_still_true(plan, now, uses) && !self.explains_order(plan);
        self.executes_the_same(statement) && statement.plan().is_none_or(is_true)
    }

    /// Whether what `EXECUTE` and `FETCH` run still is what it was judged as, under the circumstances
    /// in which it runs: the server plans a statement again where names may mean something else. A
    /// portal may use one that uses another, and by their names now each other.
    fn is_still_true(&self, plan: &Plan, now: &Hashed, uses: usize) -> bool {
        let name = match &plan.source {
            Source::Prepared(name) => name,
            Source::Portal(name) => {
                let portal = self.portals.get(name.as_bytes());
                return portal.is_none_or(|portal| {
                    is_passing(&portal.statement) && !self.has_changed_under(portal, now, uses + 1)
                });
            }
            Source::Itself => return true,
        };
        let Some(statement) = self.statements.get(name.as_bytes()) else {
            return true;
        };
        if !is_passing(statement) {
            return false;
        }
        match &statement.circumstances {
            None => true,
            Some(then) if then == now => true,
            Some(_) => {
                refusal_of(&statement.analysis, self.mode).is_some()
                    || self.judged_again(statement, now).is_ok()
            }
        }
    }

    /// Whether a statement explains what stands under a name now and compares ids for order: how many
    /// rows are expected would tell where keys lie.
    fn explains_order(&self, plan: &Plan) -> bool {
        let Source::Prepared(name) = &plan.source else {
            return false;
        };
        let statement = self.statements.get(name.as_bytes());
        let orders = statement
            .and_then(|of| of.plan())
            .is_some_and(|of| of.orders_ids);
        orders && matches!(plan.columns, Columns::Explained(_))
    }

    /// Whether what an open portal shows still is what it was judged as. It was planned when it was
    /// opened, but the functions in it run only now, as they are defined by now, and what it shows
    /// is written in the encoding of now. They look for names by the path of now.
    fn shows_what_was_judged(&self, statement: &Statement, now: &Hashed) -> bool {
        let Some(then) = &statement.circumstances else {
            return true;
        };
        let by_now = now;
        let (then, now) = (then.get(), now.get());
        let analysis = &statement.analysis;
        let runs_code = || self.names_code(analysis) || self.runs_unasked(analysis);
        let may_be_behind = now.made || now.fronted || now.unseen;
        let overtaken = self.statements.state(statement).overtaken || may_be_behind && runs_code();
        let may_find_others =
            then.path != now.path && !self.catalog().snapshot.diverging().is_empty() && runs_code();
        if may_find_others
            && refusal_of(analysis, self.mode).is_none()
            && self.judged_again(statement, by_now).is_err()
        {
            return false;
        }
        let is_written_otherwise = then.client_encoding != now.client_encoding
            && statement.plan().is_some_and(|plan| !plan.is_plain());
        if !overtaken && !is_written_otherwise {
            return true;
        }
        let mut circumstances = Circumstances {
            client_encoding: now.client_encoding.clone(),
            ..then.clone()
        };
        if overtaken {
            circumstances.epoch = now.epoch;
            circumstances.made = now.made;
            circumstances.fronted = now.fronted;
            circumstances.unseen = now.unseen;
            circumstances.unsettled = now.unsettled;
        }
        let circumstances = Hashed::new(circumstances);
        refusal_of(analysis, self.mode).is_some()
            || self.judged_again(statement, &circumstances).is_ok()
    }

    /// Whether a statement that the server may read only now, when its portal is run, means what it
    /// did when that was opened: of a COPY or a PREPARE all names are looked for now, of a DECLARE
    /// they were before. All that it does has to be the same under both circumstances.
    fn means_the_same(&self, portal: &Portal, now: &Hashed) -> bool {
        let statement = &portal.statement;
        let Some(then) = &statement.circumstances else {
            return true;
        };
        if statement.is_planned_when_bound()
            || statement.plan().is_some_and(|plan| plan.constant)
            || refusal_of(&statement.analysis, self.mode).is_some()
        {
            return true;
        }
        if self.is_in_doubt() && !portal.doubtful {
            return false;
        }
        if then == now {
            return true;
        }
        let Ok(again) = self.judged_again(statement, now) else {
            return false;
        };
        let (Some(plan), Some(plan_now)) = (statement.plan(), again.plan()) else {
            return true;
        };
        plan.effect == plan_now.effect && self.declares_the_same(statement, (then, now))
    }

    /// Whether the query of a cursor is the same under both circumstances.
    fn declares_the_same(&self, statement: &Statement, (then, now): (&Hashed, &Hashed)) -> bool {
        let kept = statement
            .plan()
            .and_then(|plan| plan.effect.keeps.as_deref());
        let kept = kept.filter(|kept| matches!(kept.kind, KeptKind::Cursor { .. }));
        kept.is_none_or(|kept| self.keeps_the_same(&statement.analysis.text, kept, (then, now)))
    }

    /// Whether what a text keeps under a name is the same under both circumstances.
    fn keeps_the_same(
        &self,
        text: &[u8],
        kept: &NamedObject,
        (then, now): (&Hashed, &Hashed),
    ) -> bool {
        let Some(query) = text.get(kept.query.clone()) else {
            return false;
        };
        let declared = kept.declared_bytes();
        let before = self.look_up_in(then, query, &declared, false);
        let nothing = Default::default();
        let before = Statement::new(
            self.statements.owner(),
            before,
            Some(then.clone()),
            nothing,
            self.batch,
        );
        refusal_of(&before.analysis, self.mode).is_some() || self.judged_again(&before, now).is_ok()
    }

    /// Whether what an `EXECUTE`, a `FETCH` or a `MOVE` runs may change what names or texts behind it
    /// mean, as it is judged by now.
    pub(super) fn runs_what_moves_meanings(&self, plan: &Plan) -> bool {
        self.moves_meanings(plan, &self.circumstances, 0)
    }

    fn moves_meanings(&self, plan: &Plan, now: &Hashed, uses: usize) -> bool {
        let by_statement = |statement: &Statement| {
            let is_moving = |of: &Statement| {
                of.plan().is_none_or(|plan| {
                    plan.effect.moves_meanings() || self.moves_meanings(plan, now, uses + 1)
                })
            };
            let is_current = statement
                .circumstances
                .as_ref()
                .is_none_or(|then| then == now);
            let again = || self.judged_again(statement, now);
            is_moving(statement) || !is_current && again().is_ok_and(|again| is_moving(&again))
        };
        match &plan.source {
            Source::Itself => false,
            _ if uses > MOST_USERS => true,
            Source::Prepared(name) => {
                let statement = self.statements.get(name.as_bytes());
                statement.is_some_and(|statement| by_statement(statement))
            }
            Source::Portal(name) => {
                let portal = self.portals.get(name.as_bytes());
                portal.is_some_and(|portal| by_statement(&portal.statement))
            }
        }
    }

    /// Whether a text of several statements has one among them that runs what may change what those
    /// behind it mean: they have been judged with it.
    pub(super) fn moves_meanings_midway(&self, analysis: &Analysis) -> bool {
        let statements = &analysis.script.statements;
        statements.len() > 1
            && statements.iter().any(|statement| match &statement.verdict {
                Verdict::Forward(plan) => self.runs_what_moves_meanings(plan),
                Verdict::Refuse(_) => false,
            })
    }

    /// Whether the arguments of an `EXECUTE` are still what its statement takes.
    fn executes_the_same(&self, statement: &Statement) -> bool {
        let now = self.executed_by(statement);
        let [now, then] = [&now, &statement.executes]
            .map(|of| of.as_deref().and_then(Statement::plan))
            .map(|plan| plan.map(|plan| &plan.parameters));
        let none = Parameters::default();
        now.unwrap_or(&none) == then.unwrap_or(&none)
    }

    /// Whether what a portal runs, or what the name that an `EXECUTE` or a `FETCH` uses stands for,
    /// is something else than it was when the portal was opened.
    pub(super) fn has_changed(&self, portal: &Portal) -> bool {
        let now = self.circumstances_of(&portal.statement.analysis.text);
        self.has_changed_under(portal, &now, 0)
    }

    /// Whether what a portal runs or uses is, under the circumstances in which it runs, something
    /// else than it was when the portal was opened. A portal may use another one.
    fn has_changed_under(&self, portal: &Portal, now: &Hashed, uses: usize) -> bool {
        if uses > MOST_USERS {
            return true;
        }
        let used = portal.statement.plan().and_then(|plan| self.used_by(plan));
        let other = |used: Used| {
            let now = used.explained();
            !Arc::ptr_eq(&now.analysis, &portal.explained.analysis)
                && now.plan().map(|plan| &plan.columns)
                    != portal.explained.plan().map(|plan| &plan.columns)
        };
        used.is_some_and(other)
            || !self.uses_what_was_judged(&portal.statement, now, uses)
            || !self.shows_what_was_judged(&portal.statement, now)
            || !self.means_the_same(portal, now)
            || !portal.reads_where(self.portals.owner(), now)
    }

    /// Whether what the statements of a text run by name still is what it was judged as when each
    /// of them comes to it: those in front of it may change what it means, and some of those have kept
    /// what it runs.
    pub(super) fn executes_what_was_judged(&self, analysis: &Analysis) -> bool {
        let mut paths = self.paths.clone();
        let mut in_doubt = false;
        let mut kept = HashMap::new();
        let opens = self.cursors_of_code() != Cursors::Left;
        let mut closed = false;
        analysis.script.statements.iter().all(|statement| {
            let Verdict::Forward(plan) = &statement.verdict else {
                return true;
            };
            let runs = plan.source != Source::Itself;
            let keeps = plan.effect.keeps.as_deref();
            if runs || keeps.is_some() {
                let now = match paths == self.paths && !in_doubt {
                    true => self.circumstances.clone(),
                    false => self.circumstances_behind(&paths, in_doubt),
                };
                let known = kept.get_mut(&name_of(&plan.source));
                let is_true = match known {
                    // Code of the database may have opened another one.
                    Some(None) => false,
                    None if closed && self.knows_cursor(&plan.source) => false,
                    Some(Some(known)) => self.is_kept_as_judged(analysis, known, &now),
                    None => !runs || self.is_still_true(plan, &now, 0),
                };
                if !is_true {
                    return false;
                }
                if let Some(keeps) = keeps {
                    let name = Some((is_fixed(keeps), keeps.name.as_str()));
                    kept.insert(name, Some((keeps, now)));
                }
            }
            if opens && plan.effect.closes_cursors() {
                closed = true;
                let cursors = kept.iter_mut().filter(|(name, _)| is_cursor(name));
                cursors.for_each(|(_, known)| *known = None);
            }
            in_doubt |= plan.effect.settings || plan.effect.search_path == PathChange::Unknown;
            paths.change(&plan.effect.search_path);
            true
        })
    }

    /// Whether it is known what a cursor shows.
    fn knows_cursor(&self, source: &Source) -> bool {
        matches!(source, Source::Portal(name) if self.portals.get(name.as_bytes()).is_some())
    }

    /// Whether what a text keeps itself is the same where it runs that. The circumstances of then are
    /// those in which it was found to be.
    fn is_kept_as_judged(
        &self,
        analysis: &Analysis,
        (kept, then): &mut (&NamedObject, Hashed),
        now: &Hashed,
    ) -> bool {
        let may_be_fixed = is_fixed(kept)
            && then.get().client_encoding == now.get().client_encoding
            && (self.catalog().snapshot.diverging().is_empty()
                || !(self.names_code(analysis) || self.runs_unasked(analysis)));
        let is_same =
            then == now || may_be_fixed || self.keeps_the_same(&analysis.text, kept, (then, now));
        *then = now.clone();
        is_same
    }
}

/// The circumstances for a statement that the server has read: its text is not read again.
pub(super) fn again_under(statement: &Statement, now: &Hashed) -> Hashed {
    let then = statement.circumstances.as_ref();
    match then.map(|then| then.get().standard_conforming_strings) {
        Some(on) if on != now.get().standard_conforming_strings => Hashed::new(Circumstances {
            standard_conforming_strings: on,
            ..now.get().clone()
        }),
        _ => now.clone(),
    }
}

/// Whether functions in SQL that a statement runs are read by another setting than when it was judged.
fn is_read_otherwise(statement: &Statement, now: &Hashed) -> bool {
    let is_late = statement.plan().is_some_and(|plan| plan.effect.late);
    let then = statement.circumstances.as_ref();
    let then = then.map(|then| then.get().standard_conforming_strings);
    is_late && then.is_some_and(|on| on != now.get().standard_conforming_strings)
}

/// Whether a name is one of a cursor.
fn is_cursor(name: &Option<(bool, &str)>) -> bool {
    name.is_some_and(|(is_cursor, _)| is_cursor)
}

/// What a statement runs by its name, and whether that is a cursor.
fn name_of(source: &Source) -> Option<(bool, &str)> {
    match source {
        Source::Itself => None,
        Source::Prepared(name) => Some((false, name)),
        Source::Portal(name) => Some((true, name)),
    }
}

/// Whether its names mean for good what they meant when it was kept, but for those in code.
const fn is_fixed(kept: &NamedObject) -> bool {
    matches!(kept.kind, KeptKind::Cursor { .. })
}

/// Whether a statement may be run by its name.
fn is_passing(statement: &Statement) -> bool {
    let plan = statement.plan();
    plan.is_none_or(|plan| plan.effect.is_passing())
}
