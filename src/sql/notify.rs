//! `NOTIFY channel, 'payload'` of a channel that is declared to carry an id.

use super::lex::TokenKind;
use super::plan::{Columns, Edit, IdUsage, Plan, Replacement, Stored};
use super::refusal::Refusal;
use super::statement::Analysis;

impl Analysis<'_> {
    /// The payload, which Postgres's grammar takes as a literal only, becomes the text of a key.
    pub(super) fn notify(&self) -> Result<Plan, Box<Refusal>> {
        let channel = self.word(1);
        let (Some(id), Some(payload)) =
            (self.context.snapshot.channel(channel), self.tokens.get(3))
        else {
            return Ok(Plan::default());
        };
        let TokenKind::String(literal) = &payload.kind else {
            return Err(self.refuse("this form of NOTIFY", "Write the payload as a string."));
        };
        let usage = IdUsage {
            id,
            stored: Some(Stored::in_channel(channel)),
        };
        Ok(Plan {
            edits: vec![Edit {
                span: payload.span.clone(),
                with: Replacement::Id {
                    usage,
                    literal: literal.to_string(),
                },
            }],
            columns: Columns::Known(Vec::new()),
            ..Plan::default()
        })
    }
}
