//! EXPLAIN. What it tells of a statement over something protected is shown with marks undone and
//! all other constants masked; see [`super::mark`]. The statement itself is judged as if it were
//! sent by itself, but for its result, which nobody gets.

use super::encoding::is_ascii_safe;
use super::lex::TokenKind;
use super::plan::{Columns, Effect, PathChange, Plan, PlanFormat, Source};
use super::refusal::Refusal;
use super::statement::{Analysis, is_clean};

/// The statements that Postgres explains, but for those that make something.
const EXPLAINED: [&str; 11] = [
    "", "select", "with", "values", "table", "insert", "update", "delete", "merge", "execute",
    "declare",
];

impl Analysis<'_> {
    /// `EXPLAIN [(options)] statement`, or with the words ANALYZE and VERBOSE.
    pub(super) fn explain(&mut self) -> Result<Plan, Box<Refusal>> {
        let (head, format) = self.explain_head();
        let kind = self.word(head).to_owned();
        // A cursor is not opened; its query is explained.
        let from = match self.position("for") {
            Some(keyword) if kind == "declare" => keyword + 1,
            _ => head,
        };
        let plan = self.inner_explained(from)?;
        // All of it counts: ANALYZE carries it out.
        let effect = Effect {
            search_path: match plan.effect.search_path {
                PathChange::Unchanged => PathChange::Unchanged,
                _ => PathChange::Unknown,
            },
            // Without ANALYZE nothing is made, and what has the name is what it was.
            creates: None,
            // No cursor is opened.
            keeps: None,
            // What a prepared statement computes with is not said here.
            unanalysed: plan.effect.unanalysed || plan.source != Source::Itself,
            ..plan.effect.clone()
        };
        let snapshot = self.context.snapshot;
        if !snapshot.can_have_ids() || !snapshot.has_ids() && is_clean(&plan) {
            return Ok(Plan {
                effect,
                ..Plan::default()
            });
        }
        // What nothing annotated is named in is masked too: a policy of another table may hold a
        // key, and shows with its plan.
        // ANALYZE would make the relation, of which nobody would know what it holds.
        let makes = plan.effect.creates_keys();
        if makes || !is_clean(&plan) && !EXPLAINED.contains(&&*kind) {
            return Err(self.refuse(
                "EXPLAIN of this kind of statement over annotated tables",
                "Explain its query.",
            ));
        }
        if !is_ascii_safe(self.context.client_encoding) {
            return Err(self.refuse(
                "EXPLAIN in this client_encoding",
                "SET client_encoding TO 'UTF8'.",
            ));
        }
        Ok(Plan {
            edits: plan.edits,
            parameters: plan.parameters,
            columns: Columns::Explained(format),
            source: plan.source,
            arguments: plan.arguments,
            effect,
            ..Plan::default()
        })
    }

    /// Where the statement begins, and how the plan will be written.
    fn explain_head(&self) -> (usize, PlanFormat) {
        if self.has_explain_options()
            && let Some(end) = self.cursor(1).closing()
        {
            return (end + 1, self.plan_format(end));
        }
        let mut from = 1;
        while matches!(self.word(from), "analyze" | "analyse" | "verbose") {
            from += 1;
        }
        (from, PlanFormat::Text)
    }

    /// Whether the parenthesis behind EXPLAIN holds options: else it is the query's. Reserved
    /// words are no names of options, and VALUES would have no list behind it.
    fn has_explain_options(&self) -> bool {
        self.punctuation(1) == "("
            && self.punctuation(2) != "("
            && !match self.word(2) {
                "select" | "with" | "table" => !self.keyword(2).is_empty(),
                "values" => self.punctuation(3) == "(",
                _ => false,
            }
    }

    /// The last FORMAT among the options, which end before a token.
    fn plan_format(&self, end: usize) -> PlanFormat {
        let mut format = PlanFormat::Text;
        for index in 2..end {
            let begins = index == 2 || self.punctuation(index - 1) == ",";
            if !begins || self.word(index) != "format" {
                continue;
            }
            let value = match self.tokens.get(index + 1).map(|token| &token.kind) {
                Some(TokenKind::Word { value, .. } | TokenKind::String(value)) => value,
                _ => continue,
            };
            format = match value.as_ref() {
                "json" => PlanFormat::Json,
                "xml" => PlanFormat::Xml,
                "yaml" => PlanFormat::Yaml,
                _ => PlanFormat::Text,
            };
        }
        format
    }
}
