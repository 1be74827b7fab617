//! What a statement leaves in the server's session beyond its transaction, where a pooler hands
//! it to the next client: a search path, a prepared statement, a cursor, a temporary relation.

use super::plan::{KeptKind, PathChange, Plan, Source};
use super::statement::Analysis;
use crate::pg::functions::{Effect, effect};

impl Analysis<'_> {
    /// Whether a statement leaves anything that changes what other statements mean, or uses what
    /// was left so.
    pub(super) fn remains(&self, plan: &Plan) -> bool {
        let kept = plan.effect.keeps.as_deref();
        let keeps = kept.is_some_and(|kept| kept.kind != KeptKind::Cursor { held: false });
        keeps
            || matches!(plan.source, Source::Prepared(_))
            || self.sets_for_good(plan)
            || self.makes_temporary()
    }

    fn sets_for_good(&self, plan: &Plan) -> bool {
        let path = &plan.effect.search_path;
        matches!(path, PathChange::Predicted { .. } | PathChange::Unknown)
            && match self.word(0) {
                // Back to what it was for everybody.
                "reset" | "discard" => false,
                "set" => self.word(1) != "local",
                _ => !self.sets_locally(),
            }
    }

    /// Whether `true` is the last argument of every `set_config`, and there is one.
    fn sets_locally(&self) -> bool {
        let mut calls = (0..self.tokens.len()).filter(|at| effect(self.word(*at)) == Effect::Sets);
        let is_local = |at: usize| {
            let is_bracket = |at: &usize| matches!(self.punctuation(*at), "(" | ")");
            let bracket = (at + 1..self.tokens.len()).find(is_bracket);
            let end = bracket.and_then(|bracket| match self.punctuation(bracket) {
                "(" => self.cursor(bracket).closing(),
                _ => Some(bracket),
            });
            end.is_some_and(|end| self.word(end - 1) == "true")
        };
        let first = calls.next();
        first.is_some_and(is_local) && calls.all(is_local)
    }

    /// Whether it makes something temporary that outlives the transaction.
    fn makes_temporary(&self) -> bool {
        let words = 0..self.tokens.len();
        let drops = (words.clone()).any(|at| {
            [self.word(at), self.word(at + 1), self.word(at + 2)] == ["on", "commit", "drop"]
        });
        let before = ["create", "replace", "local", "global", "into"];
        let mut words = words.filter(|at| match self.word(*at) {
            "temp" | "temporary" => {
                let behind = at.checked_sub(1).map(|at| self.word(at));
                behind.is_some_and(|word| before.contains(&word))
            }
            "pg_temp" => self.punctuation(at + 1) == "." && self.word(0) != "drop",
            _ => false,
        });
        !drops && words.next().is_some()
    }
}
