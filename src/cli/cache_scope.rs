//! For which other texts an analysis holds, for `pgveil explain`: what the plan cache does with it.

use crate::sql::{Context, Script, Sharing, analyse, blank};

/// For which texts an analysis holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    /// For this one: it has no literals that could be others, or is not one query or change of
    /// rows.
    Text,
    /// For all that differ in strings and counts.
    Literals,
    /// For all that differ in some of these: the others decide what becomes of the statement.
    Part,
}

impl Reuse {
    pub(super) fn of(text: &str, script: &Script, context: &Context<'_>) -> Self {
        let Some(mut blanked) = blank(text.as_bytes(), context) else {
            return Self::Text;
        };
        let all = blanked.len();
        while !blanked.is_empty() {
            let literals = match blanked.sharing(script, |text| analyse(text, context)) {
                Sharing::All(_) if blanked.len() == all => return Self::Literals,
                Sharing::All(_) => return Self::Part,
                Sharing::With(literals) => literals,
            };
            match blanked.keeping(&literals) {
                Some(kept) => blanked = kept,
                None => return Self::Text,
            }
        }
        Self::Text
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Literals => "literals",
            Self::Part => "part",
        }
    }

    /// In words; of a single text there is nothing to say.
    pub(super) const fn text(self) -> Option<&'static str> {
        match self {
            Self::Text => None,
            Self::Literals => Some("once for all texts that differ in literals only"),
            Self::Part => Some("once for all texts that differ in some of the literals only"),
        }
    }
}
