//! `NOTIFY channel, 'payload'` of a channel that is declared to carry ids, and where in a payload
//! they are.

use super::lex::TokenKind;
use super::plan::{
    Columns, Edit, Edits, IdUsage, JsonKind, JsonLeaf, JsonShape, Plan, Replacement, TargetColumn,
};
use super::refusal::Refusal;
use super::statement::Analysis;
use crate::catalog::{ChannelId, IdType};

/// A key that goes to a channel, where nobody could tell which id a sentinel stands for.
fn sent(id: IdType, channel: &str) -> IdUsage {
    IdUsage {
        id,
        stored: Some(Box::new(TargetColumn::in_channel(channel))),
        bound: None,
    }
}

/// What a payload becomes that is an id, or an array of them as Postgres writes it.
pub(crate) fn payload_of(id: IdType, channel: &str, literal: String) -> Replacement {
    let usage = sent(id, channel);
    match literal.starts_with('{') {
        true => Replacement::IdArray { usage, literal },
        false => Replacement::Id { usage, literal },
    }
}

/// Where ids stand in the document that a channel carries. In the database keys are written as
/// JSON functions write them: integers as numbers, others as strings.
pub(crate) fn shape(ids: &[ChannelId], channel: &str) -> JsonShape {
    let mut whole = JsonShape::default();
    for ChannelId { path, id } in ids {
        let written = if id.key_type.is_integer() {
            JsonKind::Number
        } else {
            JsonKind::String
        };
        let leaf = JsonLeaf {
            usage: sent(*id, channel),
            array: false,
            written: Some(written),
        };
        whole.put(path, leaf);
    }
    whole
}

impl Analysis<'_> {
    /// The payload, which Postgres's grammar takes as a literal only, becomes the text of a key.
    pub(super) fn notify(&self) -> Result<Plan, Box<Refusal>> {
        let channel = self.word(1);
        let (Some(ids), Some(payload)) =
            (self.context.snapshot.channel(channel), self.tokens.get(3))
        else {
            return Ok(Plan::default());
        };
        let TokenKind::String(literal) = &payload.kind else {
            return Err(self.refuse("this form of NOTIFY", "Write the payload as a string."));
        };
        let literal = literal.to_string();
        let with = match ids {
            [ChannelId { path, id }] if path.is_empty() => payload_of(*id, channel, literal),
            _ => Replacement::Json {
                shape: shape(ids, channel),
                literal,
            },
        };
        Ok(Plan {
            edits: Edits::new(vec![Edit {
                span: payload.span.clone(),
                with,
            }])?,
            columns: Columns::Known(Vec::new()),
            ..Plan::default()
        })
    }
}
