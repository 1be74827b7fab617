//! What the edits of a plan do, and the text that they give, with markers in the place of keys.

use super::Page;
use crate::sql::plan::{Edit, Misplaced, Plan, Replacement};

/// What a mark ends with.
const END_OF_MARK: &str = " END)";

impl Page<'_> {
    /// The statement as Postgres would get it.
    ///
    /// # Errors
    /// If an edit lies outside of it.
    pub(super) fn edited(&self, plan: &Plan) -> Result<String, Misplaced> {
        let range = self.statement.range.clone();
        (plan.edits).rewrite(self.sql, range, |edit| self.replacement(edit))
    }

    /// The bytes that an edit replaces.
    pub(super) fn replaced(&self, edit: &Edit) -> &str {
        self.sql.get(edit.span.clone()).unwrap_or_default()
    }

    /// What an edit puts into their place.
    pub(super) fn replacement(&self, edit: &Edit) -> String {
        match &edit.with {
            Replacement::Text(with) => with.clone(),
            Replacement::Id { usage, .. } => {
                format!("'‹key of {}›'", self.domain(usage.id.domain))
            }
            Replacement::IdArray { usage, .. } => {
                format!("'{{‹keys of {}›}}'", self.domain(usage.id.domain))
            }
            Replacement::TagOpen { id, .. } => format!("‹tag of {}›(", self.domain(id.domain)),
            Replacement::TagClose | Replacement::KeyClose(_) => ")".to_owned(),
            Replacement::Untag(id) => format!(", ‹key of {}›))", self.domain(id.domain)),
            Replacement::KeyOpen(id) => format!("‹key of {} or NULL›(", self.domain(id.domain)),
            Replacement::MarkOpen { id, .. } => {
                format!("(‹mark of {}› THEN ", self.domain(id.domain))
            }
            Replacement::Json { .. } => "'‹JSON with keys in it›'".to_owned(),
            Replacement::Row { .. } => "'‹row with keys in it›'".to_owned(),
        }
    }

    /// Whether an edit ends what another has begun.
    pub(super) fn ends(edit: &Edit) -> bool {
        match &edit.with {
            Replacement::TagClose | Replacement::Untag(_) | Replacement::KeyClose(_) => true,
            Replacement::Text(with) => with.ends_with(END_OF_MARK),
            _ => false,
        }
    }

    /// What an edit is for.
    pub(super) fn purpose(&self, edit: &Edit, plan: &Plan) -> String {
        match &edit.with {
            Replacement::Id { .. } | Replacement::IdArray { .. } => {
                let values = self.reasons.iter().flat_map(|reasons| &reasons.values);
                let mut causes = values.filter(|value| value.span == edit.span);
                causes.next().map_or_else(
                    || "an id by its place".to_owned(),
                    |cause| cause.why.clone(),
                )
            }
            Replacement::Text(with) => self.purpose_of_text(edit, with, plan).to_owned(),
            Replacement::TagOpen { .. } => {
                "to find the key again in what is built of it".to_owned()
            }
            Replacement::TagClose => "the end of the tag".to_owned(),
            Replacement::Untag(_) => "the key is taken out of its tag again".to_owned(),
            Replacement::KeyOpen(_) => "what is no key in a document is NULL".to_owned(),
            Replacement::KeyClose(_) => "the end of that".to_owned(),
            Replacement::MarkOpen { .. } => "to find the key again in the plan".to_owned(),
            Replacement::Json { .. } => "the ids in the document become keys".to_owned(),
            Replacement::Row { .. } => "the ids in the row become keys".to_owned(),
        }
    }

    fn purpose_of_text(&self, edit: &Edit, with: &str, plan: &Plan) -> &'static str {
        let replaced = self.replaced(edit);
        let tags = |edit: &Edit| {
            matches!(
                edit.with,
                Replacement::TagOpen { .. } | Replacement::MarkOpen { .. }
            )
        };
        if with.ends_with(END_OF_MARK) {
            "the end of the mark"
        } else if replaced.starts_with('$') && with.starts_with('$') {
            "a parameter of its own, for the value is used in two ways"
        } else if with.starts_with("::") {
            "the literal is of the type of the keys"
        } else if with.starts_with(" AS ") {
            "the column keeps its name"
        } else if with == "DEFAULT" {
            "the database makes the key"
        } else if with.starts_with("pg_catalog.") {
            "the type of the keys"
        } else if plan.edits.iter().any(tags) {
            "around the keys in what is built of them"
        } else if with.starts_with(" (\"") {
            "the columns that are meant"
        } else if with.starts_with(" (") {
            "the types of the parameters"
        } else {
            "the same for keys"
        }
    }
}
