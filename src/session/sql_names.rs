//! What SQL itself leaves under a name: `PREPARE` a statement, `DECLARE` a cursor. They live among
//! the statements and portals of the protocol, as they do in the server, and are undone with them.

use std::sync::Arc;

use super::edited::{PositionMap, Refused};
use super::expected::PendingName;
use super::ids::Sentinels;
use super::named::{Nameable, Named};
use super::plans::{Analysis, refusal_of};
use super::running::Running;
use super::statements::{Change, Portal, ResultFormats, Statement, Undo};
use crate::catalog::Cursors;
use crate::splice::{Misplaced, part};
use crate::sql::Verdict;
use crate::sql::plan::{Effect, Ended, KeptKind, PathChange, Plan, Source};
use crate::wire::frontend::Format;

impl Running {
    /// Puts what a statement leaves under its name. Should the server refuse the statement, what
    /// was there before is there again.
    ///
    /// # Errors
    /// If the plan says that the query stands where the text has no place.
    pub(super) fn keep(
        &mut self,
        text: &[u8],
        plan: &Plan,
        sentinels: &Sentinels,
    ) -> Result<Option<PendingName>, Misplaced> {
        let Some(kept) = plan.effect.keeps.as_deref() else {
            return Ok(None);
        };
        let declared = kept.declared_bytes();
        let query = part(text, kept.query.clone())?;
        let analysis = self.look_up_now(query, &declared, false);
        let name = kept.name.as_bytes();
        let mut statement = Statement::new(
            self.statements.owner(),
            analysis,
            Some(self.circumstances.clone()),
            (PositionMap::default(), sentinels.clone()),
            self.batch,
        );
        self.count_anyway(name, &mut statement);
        let statement = Arc::new(statement);
        self.keeps = true;
        Ok(Some(match kept.kind {
            KeptKind::Statement => PendingName::Statement {
                change: put(&mut self.statements, name, &statement),
                statement,
            },
            KeptKind::Cursor { held } => {
                self.statements.set_live(&statement, true);
                let refused = refusal_of(&statement.analysis, self.mode).map(|refusal| {
                    Arc::new(Refused {
                        refusal: refusal.clone(),
                        position: None,
                    })
                });
                let portal = Arc::new(Portal {
                    formats: ResultFormats::All(Format::Text),
                    refused,
                    sentinels: sentinels.clone(),
                    doubtful: self.is_in_doubt(),
                    held,
                    ..Portal::new(self.portals.owner(), statement, self.batch)
                });
                PendingName::Cursor {
                    change: put(&mut self.portals, name, &portal),
                    portal,
                }
            }
        }))
    }

    /// A transaction has ended: its cursors `WITH HOLD` outlive it if it was committed.
    pub(super) fn end_cursors(&mut self, committed: bool) {
        self.portals.end_held(committed);
    }

    /// The server has carried out the statement that this belongs to.
    pub(super) fn kept(&mut self, keeping: PendingName) {
        match keeping {
            PendingName::Statement { change, statement } => {
                confirm(change, &mut self.statements, &statement);
            }
            PendingName::Cursor { change, portal } => {
                confirm(change, &mut self.portals, &portal);
            }
        }
    }

    /// The server has refused the simple query that this belongs to.
    pub(super) fn undo_kept(&mut self) {
        let Some(query) = self.queue.query_mut() else {
            return;
        };
        for (_, keeping) in std::mem::take(&mut query.kept).into_iter().rev() {
            match keeping {
                PendingName::Statement { change, .. } => restore(change, &mut self.statements),
                PendingName::Cursor { change, .. } => restore(change, &mut self.portals),
            }
        }
    }

    /// A statement has ended what SQL had put under a name.
    pub(super) fn end_kept(&mut self, ended: &Ended) {
        match ended {
            Ended::Statement(name) => remove(&mut self.statements, name),
            Ended::Portal(name) => remove(&mut self.portals, name),
            Ended::Portals => self.portals.close(),
        }
    }

    /// Forgets the cursors that a statement ends, or may, when it is sent, where code of the database
    /// could open others of their names behind it: what those show is not what was judged.
    pub(super) fn forget_cursors(&mut self, effect: &Effect) {
        if !effect.closes_cursors() || self.cursors_of_code() == Cursors::Left {
            return;
        }
        match (&effect.ends, &effect.search_path) {
            (Some(Ended::Portal(name)), _) => {
                self.portals.replace(name.as_bytes(), None);
            }
            (Some(_), _) => {
                self.portals.take(|_, _| true);
            }
            (None, PathChange::Committed) => {
                self.portals
                    .take(|state, portal| !portal.held && !state.outlives);
            }
            // Which of them were opened in the part that is undone only the server knows.
            (None, _) => {
                self.portals.take(|state, _| !state.outlives);
            }
        }
    }

    /// What code of the database may do with cursors.
    pub(super) fn cursors_of_code(&self) -> Cursors {
        self.catalog().snapshot.functions().cursors()
    }

    /// All prepared statements are gone, but for those that come behind in the pipeline: the
    /// server has not answered them yet.
    pub(super) fn end_statements(&mut self) {
        self.statements.end();
    }

    /// The statement that an `EXECUTE` means, as the names stand now.
    pub(super) fn executed_by(&self, statement: &Statement) -> Option<Arc<Statement>> {
        match &statement.plan()?.source {
            Source::Prepared(name) => self.statements.get(name.as_bytes()).cloned(),
            Source::Itself | Source::Portal(_) => None,
        }
    }

    /// Whether it is certain what the server has under the names that the statements of a text
    /// use or give.
    pub(super) fn is_certain_of_names(&self, analysis: &Analysis) -> bool {
        let statements = analysis.script.statements.iter();
        let mut plans = statements.filter_map(|statement| match &statement.verdict {
            Verdict::Forward(plan) => Some(plan),
            Verdict::Refuse(_) => None,
        });
        plans.all(|plan| self.is_certain_of_names_in(plan))
    }

    /// Whether it is certain what the server has under the names that a statement uses or gives.
    pub(super) fn is_certain_of_names_in(&self, plan: &Plan) -> bool {
        let used = match &plan.source {
            Source::Itself => true,
            Source::Prepared(name) => self.is_certain_of_statement(name.as_bytes()),
            Source::Portal(name) => self.is_certain_of_portal(name.as_bytes()),
        };
        used && plan.effect.keeps.as_deref().is_none_or(|kept| {
            let name = kept.name.as_bytes();
            match kept.kind {
                KeptKind::Statement => self.is_certain_of_statement(name),
                KeptKind::Cursor { .. } => self.is_certain_of_portal(name),
            }
        })
    }
}

/// Whatever is there is replaced: if the server minds it refuses the statement, and with that
/// the rest of its batch.
fn put<T: Nameable>(map: &mut Named<T>, name: &[u8], object: &Arc<T>) -> Change<T> {
    Change {
        name: name.into(),
        undo: Undo::Restore(map.replace(name, Some(Arc::clone(object)))),
    }
}

/// The server has what stands under a name, and no longer what stood there before.
fn confirm<T: Nameable>(change: Change<T>, map: &mut Named<T>, object: &T) {
    map.set_live(object, true);
    map.confirm(&change.name);
    if let Undo::Restore(Some(old)) = change.undo {
        map.set_live(&old, false);
    }
}

fn restore<T: Nameable>(change: Change<T>, map: &mut Named<T>) {
    if let Undo::Restore(previous) = change.undo {
        map.replace(&change.name, previous);
    }
}

/// The server has no longer what it had under a name.
fn remove<T: Nameable>(map: &mut Named<T>, name: &str) {
    let name = name.as_bytes();
    if map.get(name).is_some_and(|object| map.is_live(object))
        && let Some(old) = map.replace(name, None)
    {
        map.set_live(&old, false);
    }
}
