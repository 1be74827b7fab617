//! How much one session may keep under names. One statement or portal too many is refused like any
//! other statement: the session goes on, and can close some. And what it may not keep at all.

use super::edit::Editor;
use crate::sql::Refusal;
use crate::sql::plan::{KeptKind, Plan};
use crate::sql::refusal::Code;

/// What the statements of one text that come first will have taken.
#[derive(Debug, Default)]
pub(super) struct Room {
    statements: usize,
    portals: usize,
}

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

    /// The same for portals, which are cursors.
    pub(super) fn no_room_for_portal(&self, name: &[u8], coming: usize) -> Option<Refusal> {
        let most = self.shared.limits.portals;
        let count = self.portals.named_count().saturating_add(coming);
        let counts = !name.is_empty() && self.portals.get(name).is_none();
        (counts && count >= most).then(|| too_many("portals", most, "max_portals", "CLOSE"))
    }

    /// Refuses `PREPARE` and `DECLARE` where there is no room for what they leave under a name.
    pub(super) fn check_room(&self, plan: &Plan, room: &mut Room) -> Result<(), Box<Refusal>> {
        let Some(kept) = plan.effect.keeps.as_deref() else {
            return Ok(());
        };
        let name = kept.name.as_bytes();
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
