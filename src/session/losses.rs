//! Annotations that a transaction takes away. What drops the foreign key by which alone a column is
//! annotated runs in a transaction block only, for there another one may take its place: the column
//! goes on holding keys for the session, and what would commit is judged by what it then would have
//! in the catalogs. It is refused if a column of keys would be left of which these say nothing: the
//! next process of pgveil would show them.

use super::loosened::{Losses, ends_block};
use super::plans::Analysis;
use super::running::Running;
use super::shared::Mode;
use crate::sql::plan::Effect;
use crate::sql::refusal::Code;
use crate::sql::{Plan, Refusal, Standing, Verdict, standing};
use crate::wire::backend::TransactionStatus;

impl Running {
    /// Whether what a text does depends on a block, and the server has yet to say whether there is one.
    pub(super) fn waits_for_block(&self, analysis: &Analysis) -> bool {
        let mut statements = analysis.script.statements.iter();
        let loses = |verdict: &Verdict| matches!(verdict, Verdict::Forward(plan) if plan.effect.loses().is_some());
        statements.any(|of| loses(&of.verdict)) && !self.queue.is_empty()
    }

    /// Why a text can't run that takes the annotation of a column away, or would commit that. In a mode
    /// that refuses nothing it is told.
    pub(super) fn loses_in(&self, analysis: &Analysis) -> Option<Refusal> {
        let refusal = self.lost_in(analysis)?;
        self.unless_passed(refusal)
    }

    fn lost_in(&self, analysis: &Analysis) -> Option<Refusal> {
        let losses = &self.catalog_view.losses;
        let mut in_block = self.is_in_block();
        let (mut loosened, mut stirred) = (losses.loosened, false);
        for statement in &analysis.script.statements {
            let Verdict::Forward(Plan { effect, .. }) = &statement.verdict else {
                continue;
            };
            if let Some(refusal) = effect.loses() {
                if !in_block {
                    return Some(refusal.clone());
                }
                loosened = true;
            }
            if effect.commits() && loosened {
                // What a statement in front has done or undone nobody has seen.
                let lost = if stirred { Some(unseen()) } else { self.lost() };
                if lost.is_some() {
                    return lost;
                }
            }
            stirred |= effect.ddl || effect.ends_transaction;
            let text = analysis.text.get(statement.range.clone());
            in_block |= self.begins(text.unwrap_or_default());
            in_block &= !ends_block(effect);
        }
        None
    }

    /// Why a statement can't be carried out in a batch, likewise.
    pub(super) fn loses_by(&self, plan: &Plan) -> Option<Refusal> {
        let effect = &plan.effect;
        let refusal = match effect.loses() {
            Some(refusal) => (!self.is_in_block()).then(|| refusal.clone())?,
            None if effect.commits() => self.lost()?,
            None => return None,
        };
        self.unless_passed(refusal)
    }

    /// Takes note of what a statement that is being forwarded does to the transaction.
    pub(super) fn note_block(&mut self, text: &[u8], effect: &Effect) {
        let begins = self.begins(text);
        self.catalog_view.losses.foresee(effect, begins, self.batch);
    }

    fn begins(&self, text: &[u8]) -> bool {
        standing(text, self.settings.standard_conforming_strings) == Standing::Begins
    }

    /// Whether what is forwarded next runs in a transaction block for certain.
    fn is_in_block(&self) -> bool {
        let Losses { begun, ended, .. } = self.catalog_view.losses;
        begun == Some(self.batch) || !ended && self.status != TransactionStatus::Idle
    }

    /// Why the open transaction can't be committed.
    fn lost(&self) -> Option<Refusal> {
        let Losses {
            loosened, revives, ..
        } = self.catalog_view.losses;
        // One that has failed is rolled back.
        let ends_in_vain = self.status == TransactionStatus::Failed && !revives;
        if !loosened || ends_in_vain {
            return None;
        }
        if self.catalog_view.is_behind() {
            return Some(unseen());
        }
        let column = self.catalog_view.orphan()?;
        let message = format!(
            "pgveil does not support committing a transaction that leaves column {column} without the \
             foreign key by which alone it is annotated"
        );
        let hint = "Add another foreign key of the column before COMMIT, or list it in `references` \
                    of its id before the transaction, or run this with a role listed in bypass_roles.";
        Some(Refusal::unsupported(Code::Unsupported, message).hint(hint))
    }

    /// Tells of a refusal that has no effect in this mode.
    fn unless_passed(&self, refusal: Refusal) -> Option<Refusal> {
        if self.mode == Mode::Audit {
            self.codecs.teller.refused(self.mode, &refusal, true);
            return None;
        }
        Some(refusal)
    }
}

/// The refusal of what would commit what nobody has seen.
fn unseen() -> Refusal {
    let message = "pgveil does not support committing a foreign key that is dropped before it has seen \
                   whether another one has taken its place";
    Refusal::unsupported(Code::Unsupported, message)
        .hint("Send what commits by itself, after the statements before have been answered.")
}
