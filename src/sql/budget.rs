//! What the analysis of one text may cost, in steps: a token that is parsed is one, and so is
//! every node of the inference, those of views and functions that the text names included, and
//! every place that a search passes. Who has spent it gets 54001, so that no text, and nothing that
//! one expands to, holds a processor for long.

use std::cell::Cell;

use super::refusal::{Code, Refusal};

/// Enough for an INSERT of a megabyte; to spend it takes some tenths of a second of one processor.
pub const DEFAULT_STEPS: usize = 600_000;

/// So many bytes of a definition are cut into tokens in one step.
const BYTES_IN_A_STEP: usize = 32;

/// What is left.
#[derive(Debug)]
pub(super) struct Budget {
    left: Cell<usize>,
}

impl Budget {
    pub(super) const fn new(steps: usize) -> Self {
        Self {
            left: Cell::new(steps),
        }
    }

    /// Takes steps. To spend more than is left is noticed by who asks next: what can't fail goes on
    /// for as long as it would have gone on.
    pub(super) fn spend(&self, steps: usize) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// Takes the steps of what is about to be done, so that what costs more than is left is not.
    pub(super) fn pay(&self, steps: usize) -> Result<(), Box<Refusal>> {
        self.spend(steps);
        self.check()
    }

    /// Takes the steps for a definition of so many bytes that is about to be cut into tokens.
    pub(super) fn pay_to_read(&self, bytes: usize) -> Result<(), Box<Refusal>> {
        self.pay(bytes / BYTES_IN_A_STEP)
    }

    pub(super) const fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Fails if it is spent.
    pub(super) fn check(&self) -> Result<(), Box<Refusal>> {
        if self.is_spent() {
            return Err(Box::new(too_complex()));
        }
        Ok(())
    }
}

/// The refusal of a text that costs too much.
pub(super) fn too_complex() -> Refusal {
    Refusal::new(Code::Unparsed, "54001", "statement too complex")
        .detail("The analysis of this statement by pgveil would take more steps than it may.")
        .hint("Send smaller batches, or COPY, or raise \"analysis_steps\" in the configuration of pgveil.")
}

/// The refusal of a text that nests too deep, in Postgres's words.
pub(super) fn too_deep() -> Refusal {
    Refusal::new(Code::Unparsed, "54001", "stack depth limit exceeded")
        .detail("pgveil does not analyse a statement that nests deeper than Postgres does.")
        .hint("Write the statement with fewer levels, or with lists in the place of chains.")
}
