//! Judges statements again that are being answered, by what is known of the database now.

use super::expected::{Expected, PendingName, Query};
use super::plans::{Analysis, Circumstances, Hashed, Lookup};
use super::revised::Revisions;
use super::running::Running;
use super::statements::{Portal, Statement, Used};
use crate::catalog::{Oid, SearchPath};
use crate::sql::plan::{Columns, Effect, PathChange, Plan};
use crate::sql::{self, Verdict};

/// How something is judged now that was judged before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Likeness {
    /// As it was.
    Same,
    /// That depends on the definitions of these, which could not be read.
    Unread(Vec<Oid>),
    /// Otherwise.
    Other,
}

impl Likeness {
    /// The worst of this one and another, which is asked for if it can be worse.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Same => other(),
            Self::Other => Self::Other,
            Self::Unread(mut unanalysed) => match other() {
                Self::Same => Self::Unread(unanalysed),
                Self::Other => Self::Other,
                Self::Unread(more) => {
                    unanalysed.extend(more);
                    Self::Unread(unanalysed)
                }
            },
        }
    }
}

impl Running {
    /// Judges everything that is being answered by what is known now.
    pub(super) fn judge_again(&mut self) -> Likeness {
        let taken = self.moves.taken();
        self.revise();
        let mut likeness = Likeness::Same;
        for expected in self.queue.iter() {
            likeness = likeness.and(|| match expected {
                Expected::Query(query) => self.query_now(query),
                Expected::Bind {
                    portal,
                    refused: None,
                    ..
                }
                | Expected::DescribePortal(portal)
                | Expected::OwnDescribe(portal)
                | Expected::Execute(portal)
                | Expected::Keep(PendingName::Cursor { portal, .. }) => self.portal_now(portal),
                _ => Likeness::Same,
            });
        }
        if likeness == Likeness::Same {
            self.overtaken = None;
            self.own_moves.clear(taken);
        }
        likeness
    }

    /// The circumstances of then in the light of now; `None` if nothing was ever different.
    fn in_this_light(&self, then: &Hashed) -> Option<Hashed> {
        let (then, epoch) = (then.get(), self.catalog().epoch);
        (then.epoch != epoch || self.revisions.is_some()).then(|| {
            Hashed::new(Circumstances {
                epoch,
                ..then.clone()
            })
        })
    }

    fn portal_now(&self, portal: &Portal) -> Likeness {
        // Of what may be about what the batch has made, only what is certain is shown.
        if portal.doubtful {
            return Likeness::Same;
        }
        let used = || {
            portal
                .used
                .as_ref()
                .map_or(Likeness::Same, |used| self.used_now(used))
        };
        self.statement_now(&portal.statement).and(used)
    }

    fn used_now(&self, used: &Used) -> Likeness {
        match used {
            Used::Statement(statement) => self.statement_now(statement),
            // The rows of one that is kept are those of the end of its transaction.
            Used::Portal(portal) if self.portals.state(portal).outlives || portal.doubtful => {
                Likeness::Same
            }
            Used::Portal(portal) => self.statement_now(&portal.explained),
        }
    }

    /// Where the names of what is being answered are looked for, if that was so from the beginning and
    /// is so now: the functions of a portal are read when it runs.
    fn path_of(&self, then: &Hashed) -> Option<&SearchPath> {
        let Circumstances { path, paths, .. } = then.get();
        // What is being answered may have made the schema of temporary objects, which others don't
        // define anything in.
        let is_then = |now: &SearchPath| {
            let then = path.as_ref();
            then.is_some_and(|then| then == now || then.lasting() == now.lasting())
        };
        let now = self.paths.now.as_ref();
        now.filter(|now| paths.is_none() && is_then(now))
    }

    /// Whether what a text means has been defined anew since the snapshot by which it was forwarded.
    fn is_revised(&self, text: &[u8], path: Option<&SearchPath>) -> bool {
        let revisions = self.revisions.as_ref();
        revisions.is_some_and(|revisions| revisions.concern(text, path))
    }

    /// Finds what has been defined anew since then, and what was there only in between.
    fn revise(&mut self) {
        let now = self.catalog();
        let then = self.overtaken.as_ref().unwrap_or(now);
        let transient = self.own_moves.transient(&self.moves);
        if then.epoch == now.epoch && transient.is_empty() {
            self.revisions = None;
            return;
        }
        let known = self.revisions.as_ref();
        if known.is_some_and(|known| known.are_between(then.epoch, now.epoch, &transient)) {
            return;
        }
        let (then, now) = ((then.epoch, &*then.snapshot), (now.epoch, &*now.snapshot));
        self.revisions = Some(Box::new(Revisions::between(then, now, transient)));
    }

    fn statement_now(&self, statement: &Statement) -> Likeness {
        let then = statement.circumstances.as_ref();
        let Some(now) = then.and_then(|then| self.in_this_light(then)) else {
            return Likeness::Same;
        };
        let Analysis { text, declared, .. } = &*statement.analysis;
        let statements = &statement.analysis.script.statements;
        self.text_now(&now, (text, declared), statements, 0)
    }

    fn query_now(&self, query: &Query) -> Likeness {
        let Some(now) = self.in_this_light(&query.circumstances) else {
            return Likeness::Same;
        };
        if let Some(glanced) = &query.glanced {
            return self.glanced_now(&now, &glanced.text);
        }
        let kept = |keeping: &PendingName| match keeping {
            PendingName::Cursor { portal, .. } => self.portal_now(portal),
            PendingName::Statement { .. } => Likeness::Same,
        };
        let statements = &query.analysis.script.statements;
        let certain = query.doubtful_from.min(statements.len());
        let statements = statements.get(..certain).unwrap_or_default();
        let text = (&*query.analysis.text, &[][..]);
        let mut likeness = self.text_now(&now, text, statements, query.current);
        for (_, keeping) in &query.kept {
            likeness = likeness.and(|| kept(keeping));
        }
        for (_, used) in &query.used {
            likeness = likeness.and(|| self.used_now(used));
        }
        likeness
    }

    /// How the statements of a text, from one of them on, are judged.
    fn text_now(
        &self,
        now: &Hashed,
        (text, declared): (&[u8], &[u8]),
        before: &[sql::Statement],
        from: usize,
    ) -> Likeness {
        let before = before.get(from..).unwrap_or_default();
        if before.is_empty() {
            return Likeness::Same;
        }
        let analysis = self.look_up_in(now, text, declared, true);
        if let Some(absent) = analysis.script.absent_name() {
            let unanalysed = self.catalog().snapshot.unanalysed(absent);
            if !unanalysed.is_empty() {
                return Likeness::Unread(unanalysed);
            }
        }
        let after = analysis.script.statements.get(from..).unwrap_or_default();
        let silent = self.holds_no_word();
        // One in front of a statement may have set another.
        let path = self.path_of(now).filter(|_| !before.iter().any(moves_path));
        let is_revised = |statement: &sql::Statement| match &statement.verdict {
            Verdict::Forward(plan) => {
                !(silent && claims_nothing(plan))
                    && self.is_revised(text.get(statement.range.clone()).unwrap_or(text), path)
            }
            Verdict::Refuse(_) => false,
        };
        if before.iter().any(is_revised) {
            return Likeness::Other;
        }
        let same = |(before, after): (&sql::Statement, &sql::Statement)| {
            match (&before.verdict, &after.verdict) {
                // By what it has done itself it would be judged otherwise.
                (Verdict::Forward(before), _) if silent && claims_nothing(before) => true,
                (Verdict::Forward(before), Verdict::Forward(after)) => is_same(before, after),
                // It has not been run.
                (Verdict::Refuse(_), _) => true,
                (Verdict::Forward(_), Verdict::Refuse(_)) => false,
            }
        };
        match before.len() <= after.len() && before.iter().zip(after).all(same) {
            true => Likeness::Same,
            false => Likeness::Other,
        }
    }

    /// Whether a text that a glance has cleared has nothing to do with ids.
    fn glanced_now(&self, now: &Hashed, text: &[u8]) -> Likeness {
        let lookup = Lookup {
            circumstances: now,
            text,
            declared: &[],
            fresh: false,
        };
        let catalog = self.catalog();
        if self.is_revised(text, self.path_of(now)) {
            return Likeness::Other;
        }
        if !catalog.snapshot.can_have_ids() || self.shared.is_clean(catalog, lookup) {
            return Likeness::Same;
        }
        let analysis = self.shared.analysis(catalog, lookup);
        let clean = |statement: &sql::Statement| match &statement.verdict {
            Verdict::Forward(plan) => plan.edits.is_empty() && plan.columns == Columns::Clean,
            Verdict::Refuse(_) => false,
        };
        let script = &analysis.script;
        match &script.unknown_name {
            Some(unknown) => match catalog.snapshot.unanalysed(unknown) {
                unanalysed if unanalysed.is_empty() => Likeness::Other,
                unanalysed => Likeness::Unread(unanalysed),
            },
            None if script.statements.iter().all(clean) => Likeness::Same,
            None => Likeness::Other,
        }
    }
}

/// Whether a statement may change where names are looked for, where no transaction has done so.
fn moves_path(statement: &sql::Statement) -> bool {
    let moves = |plan: &Plan| {
        let path = &plan.effect.search_path;
        matches!(path, PathChange::Predicted { .. } | PathChange::Unknown)
    };
    matches!(&statement.verdict, Verdict::Forward(plan) if moves(plan))
}

/// Whether a statement creates something for the session, or moves it, and says nothing of what is in
/// it but that there may be keys.
fn claims_nothing(plan: &Plan) -> bool {
    let Effect {
        ddl,
        keeps,
        creates,
        ..
    } = &plan.effect;
    let nothing = creates.as_deref().is_some_and(|made| made.claims_nothing());
    *ddl && nothing && keeps.is_none() && plan.edits.is_empty() && plan.parameters.is_plain()
}

/// Whether two plans of a text explain the same result of the same text.
fn is_same(before: &Plan, after: &Plan) -> bool {
    // Of what nobody could explain only what is certain is shown.
    before.unresolved
        || before.edits == after.edits
            && before.parameters == after.parameters
            && before.columns == after.columns
            && before.source == after.source
            && before.effect.keeps == after.effect.keeps
            && before.effect.creates == after.effect.creates
            && !after.unresolved
}
