//! For which other texts an analysis holds, for `pgveil explain`: what the plan cache does with it.

use crate::sql::{Blanked, Context, Script, Statement, Verdict, analyse, blank};

/// For which texts an analysis holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    /// For this one: it has no literals that could be others, or is not one query or change of
    /// rows.
    Text,
    /// For all that differ in strings and counts.
    Literals,
    /// For all that differ in the literals that are ids.
    Ids,
}

impl Reuse {
    pub(super) fn of(text: &str, script: &Script, context: &Context<'_>) -> Self {
        let (
            Some(blanked),
            [
                Statement {
                    verdict: Verdict::Forward(plan),
                    ..
                },
            ],
        ) = (
            blank(text.as_bytes(), context),
            script.statements.as_slice(),
        )
        else {
            return Self::Text;
        };
        if holds(&blanked, script, context) {
            return Self::Literals;
        }
        let of_ids = blanked.keeping(&blanked.others(plan));
        if !of_ids.is_empty() && holds(&of_ids, script, context) {
            Self::Ids
        } else {
            Self::Text
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Literals => "literals",
            Self::Ids => "ids",
        }
    }

    /// In words; of a single text there is nothing to say.
    pub(super) const fn text(self) -> Option<&'static str> {
        match self {
            Self::Text => None,
            Self::Literals => Some("once for all texts that differ in literals only"),
            Self::Ids => Some("once for all texts that differ in these ids only"),
        }
    }
}

/// Whether the analysis of a text with blanks is that of the text.
fn holds(blanked: &Blanked<'_>, script: &Script, context: &Context<'_>) -> bool {
    let shared = analyse(blanked.text(), context);
    match shared.statements.as_slice() {
        [
            Statement {
                range,
                verdict: Verdict::Forward(plan),
            },
        ] => blanked.place(range, plan).as_ref() == Some(script),
        _ => false,
    }
}
