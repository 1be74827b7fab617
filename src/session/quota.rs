//! How much one session may keep under names. One statement or portal too many is refused like any
//! other statement: the session goes on, and can close some. And what it may not keep at all.

use super::edit::{Editor, Quota};
use super::memory::{Exceeded, Held};
use super::running::Running;
use super::statements::{KEPT_BYTES, Statement};
use crate::sql::Refusal;
use crate::sql::plan::{KeptKind, Plan};
use crate::sql::refusal::Code;

impl Editor<'_> {
    /// Why no further statement is to be prepared, if so; `coming` are under way besides. Whether
    /// a name is taken is the server's question, and the unnamed statement is always replaced.
    pub(super) fn no_room_for_statement(&self, name: &[u8], coming: usize) -> Option<Refusal> {
        let most = self.shared.limits.statements;
        let count = self.statements.named_count().saturating_add(coming);
        let counts = !name.is_empty() && self.statements.get(name).is_none();
        (counts && count >= most)
            .then(|| too_many("prepared statements", most, "max_statements", "DEALLOCATE"))
    }

    /// Why no further portal, which is a cursor, is to be opened, if so; `coming` are under way
    /// besides.
    pub(super) fn no_room_for_portal(&self, name: &[u8], coming: usize) -> Option<Refusal> {
        let most = self.shared.limits.portals;
        let count = self.portals.named_count().saturating_add(coming);
        let counts = !name.is_empty() && self.portals.get(name).is_none();
        (counts && count >= most).then(|| too_many("portals", most, "max_portals", "CLOSE"))
    }

    /// Refuses `PREPARE` and `DECLARE` where there is no room for what they leave under a name.
    pub(super) fn check_room(&self, plan: &Plan, room: &mut Quota) -> Result<(), Box<Refusal>> {
        let Some(kept) = plan.effect.keeps.as_deref() else {
            return Ok(());
        };
        let name = kept.name.as_bytes();
        // The text twice, and the plan.
        let bytes = KEPT_BYTES + 2 * kept.query.len();
        room.bytes += bytes;
        if !self.account.is_small_with(room.bytes) {
            let offered = self.shared.memory.offers(room.bytes);
            offered.map_err(|exceeded| Box::new(exceeded.refusal()))?;
        }
        let (coming, refusal) = match kept.kind {
            KeptKind::Statement => {
                let refusal = self.no_room_for_statement(name, room.statements);
                (&mut room.statements, refusal)
            }
            KeptKind::Cursor { .. } => {
                let refusal = self.no_room_for_portal(name, room.portals);
                (&mut room.portals, refusal)
            }
        };
        *coming += 1;
        refusal.map_or(Ok(()), |refusal| Err(Box::new(refusal)))
    }
}

impl Running {
    /// Counts what a statement takes that is about to be kept under a name.
    ///
    /// # Errors
    /// If the budget of memory has not so much left, and neither has the reserve of the session.
    pub(super) fn count(&self, name: &[u8], statement: &mut Statement) -> Result<(), Exceeded> {
        let (own, analysis) = (statement.bytes(), &statement.analysis);
        if name.is_empty() {
            // There is one of them, and some in the queue.
            statement.counted = self.account.hold_large(own + analysis.text.len());
            return Ok(());
        }
        let is_small = self.account.is_small_with(own + analysis.bytes);
        let memory = &self.shared.memory;
        if !is_small {
            memory.offers(own)?;
        }
        let common = analysis.paid.by(memory, analysis.bytes, is_small)?;
        statement.counted = Some(self.account.hold_common(own, common));
        Ok(())
    }

    /// Counts what a portal takes, with so many bytes beside itself.
    pub(super) fn count_portal(&self, name: &[u8], bytes: usize) -> Option<Held> {
        let bytes = KEPT_BYTES + bytes;
        if name.is_empty() {
            self.account.hold_large(bytes)
        } else {
            Some(self.account.hold(bytes))
        }
    }

    /// Counts what the server has under a name already.
    pub(super) fn count_anyway(&self, name: &[u8], statement: &mut Statement) {
        let (own, analysis) = (statement.bytes(), &statement.analysis);
        if let Ok(common) = analysis.paid.by(&self.shared.memory, analysis.bytes, true)
            && !name.is_empty()
        {
            statement.counted = Some(self.account.hold_common(own, common));
        }
    }
}

/// What the analysis and the editing of a text may take while they run, in bytes. A small text
/// takes little; of a large one each part of its tree takes far more than it is long.
pub(super) fn working_bytes(text: &[u8]) -> usize {
    const SMALL_TEXT_BYTES: usize = 8 * 1024;
    /// Copies of the text: with blanks, with keys, as a message.
    const COPIES: usize = 4;
    /// A token, its node in the tree, its type.
    const NODE_BYTES: usize = 1024;
    if text.len() <= SMALL_TEXT_BYTES {
        return 0;
    }
    let separates = |byte: &&u8| matches!(byte, b',' | b'(' | b' ' | b'\n' | b'+' | b'|' | b'=');
    let nodes = text.iter().filter(separates).count();
    COPIES * text.len() + NODE_BYTES * nodes
}

impl Editor<'_> {
    /// Refuses what a pooler in transaction mode would hand to other clients.
    pub(super) fn check_pool(&self, plan: &Plan) -> Result<(), Box<Refusal>> {
        if !self.shared.limits.pooled || !plan.effect.remains {
            return Ok(());
        }
        let message = "what outlives its transaction would reach other clients of the pooler";
        let refusal = Refusal::unsupported(Code::Unsupported, message);
        Err(Box::new(refusal.hint(
            "Use SET LOCAL, ON COMMIT DROP, or prepared statements of the protocol.",
        )))
    }
}

fn too_many(what: &str, most: usize, setting: &str, command: &str) -> Refusal {
    let message = format!("too many {what} in one session");
    Refusal::new(Code::Limit, "53400", message)
        .detail(format!("The session already has {most}."))
        .hint(format!("End some ({command}), or raise {setting}."))
}
